// The scenes under scenes/ for the tests in this folder: which there are, how they are loaded, named parts.
#pragma once

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

static const char* const sceneNames[] = {
    "cable_robot", "car",          "card_house",   "climber",    "cogs",    "conveyor",  "cradle",       "delay_line",
    "dominoes",    "drone",        "engine",       "falling",    "fourbar", "gears",     "gripper_arm",  "hand",
    "hopper",      "humanoid",     "mesh_pile",    "muscle_arm", "puppet",  "quadruped", "sensor_bench", "servo_bench",
    "sleepers",    "spinning_top", "spring_orbit", "studio",     "swimmer", "terrain",   "whip",         "workshop"};

enum { SCENES = sizeof(sceneNames) / sizeof(sceneNames[0]) };

// The scene's model; ends the program when it does not load, also when loading it warns. Tests run in the root of the
// repository.
static inline mjModel* loadScene(const char* name) {
  char path[100], error[1000] = "";
  snprintf(path, sizeof(path), "scenes/%s.xml", name);
  mjModel* const m = mj_loadXML(path, NULL, error, sizeof(error));
  if (m && !error[0]) return m;
  fprintf(stderr, "%s: %s\n", path, error);
  abort();
}

// id of a named element; ends the program when there is none
static inline int find(const mjModel* m, mjtObj type, const char* name) {
  const int id = mj_name2id(m, type, name);
  if (id >= 0) return id;
  fprintf(stderr, "no %s named %s\n", mju_type2Str(type), name);
  abort();
}

static inline const mjtNum* bodyPos(const mjModel* m, const mjData* d, const char* name) {
  return d->xpos + 3 * find(m, mjOBJ_BODY, name);
}

static inline mjtNum jointPos(const mjModel* m, const mjData* d, const char* name) {
  return d->qpos[m->jnt_qposadr[find(m, mjOBJ_JOINT, name)]];
}

static inline mjtNum jointVel(const mjModel* m, const mjData* d, const char* name) {
  return d->qvel[m->jnt_dofadr[find(m, mjOBJ_JOINT, name)]];
}

static inline const mjtNum* reading(const mjModel* m, const mjData* d, const char* name) {
  return d->sensordata + m->sensor_adr[find(m, mjOBJ_SENSOR, name)];
}

static inline mjtNum* control(const mjModel* m, mjData* d, const char* name) {
  return d->ctrl + find(m, mjOBJ_ACTUATOR, name);
}
