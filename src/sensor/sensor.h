// Sensors: each reads what the stages before it left in mjData and writes its slice of sensordata.
//
// A stage's sensors are evaluated right after it. A sensor with a history buffer gives out old samples: delayed ones
// the value of time - delay, those with an interval the value of their last tick; the integrator records new samples.
#pragma once

#include <mujoco/mujoco.h>

// what a reader needs to know about its sensor
typedef struct {
  int id;
  mjtSensor type;
  mjtObj objtype, reftype;
  int objid, refid;  // refid -1: no reference, the world frame is meant
} SenSensor;

// the sensor's value now, cutoff applied, whatever its delay
void sen_compute(const mjModel* m, mjData* d, int id, mjtNum* value);

// one reader per stage
void sen_position(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value);
void sen_velocity(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value);
void sen_acceleration(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value);

// ---- readers large enough for files of their own
void sen_rangefinder(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value);
// the ray through the middle of a camera's pixel (column, row); row 0 is the top
void sen_pixelRay(const mjModel* m, const mjData* d, int camera, const int pixel[2], mjtNum origin[3],
                  mjtNum direction[3]);
void sen_contact(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value);
void sen_tactile(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value);

// ---- frame.c

// position and orientation of an object; both point into mjData
typedef struct {
  const mjtNum* pos;
  const mjtNum* mat;
} SenFrame;

SenFrame sen_frame(const mjData* d, mjtObj type, int id);
void sen_quat(const mjModel* m, const mjData* d, mjtObj type, int id, mjtNum quat[4]);
// 1: the point lies inside a site's shape
int sen_insideSite(const mjModel* m, const mjData* d, int site, const mjtNum point[3]);
// pinhole of a camera in pixels: focal lengths and principal point
typedef struct {
  mjtNum fx, fy, cx, cy;
} SenPinhole;
SenPinhole sen_pinhole(const mjModel* m, int camera);
