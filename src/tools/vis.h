// Visualisation: what its files share. A scene is filled with geoms, one at a time; each kind of thing that can be
// drawn has an adder in one of the vis_*.c files, and vis_scene.c lists them in drawing order.
#pragma once

#include <mujoco/mujoco.h>

//---- vis_camera.c

// which axes a mouse motion is along
typedef enum {
  TOO_VIEW,  // the world's, turned about the vertical towards the view
  TOO_OWN,   // those of whatever is moved
} TooAxes;

// displacement or rotation vector for a mouse motion (dx, dy); an error for an unknown action
TooAxes too_mouse(int action, const mjtNum motion[2], const mjtNum forward[3], mjtNum res[3]);

// displacement at a point that one screen height stands for, seen from head
mjtNum too_screenScale(const mjvScene* scn, const mjtNum point[3], const mjtNum head[3], const mjtNum forward[3]);

// mouse motions in orthographic views are damped by this much: the height of the view alone moves things too fast
#define TOO_ORTHOGRAPHIC_DAMPING 0.15

// a camera with intrinsics: distances from its axis to the edges of the view at the near plane
void too_intrinsicFrustum(float zver[2], float zhor[2], float znear, const float intrinsic[4],
                          const float sensorsize[2]);
