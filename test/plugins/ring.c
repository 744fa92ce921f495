// A signed distance plugin: a torus about the z axis, |(|(x, y)| - large, z)| - small.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

enum { LARGE, SMALL, NATTRIBUTE };
static const char* const ATTRIBUTES[NATTRIBUTE] = {"large", "small"};
static const mjtNum DEFAULT[NATTRIBUTE] = {0.35, 0.15};

typedef struct {
  mjtNum size[NATTRIBUTE];
} Ring;

static mjtNum ringDistance(const mjtNum point[3], const mjtNum* size) {
  const mjtNum out = sqrt(point[0] * point[0] + point[1] * point[1]) - size[LARGE];
  return sqrt(out * out + point[2] * point[2]) - size[SMALL];
}

static int noState(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}

static int start(const mjModel* m, mjData* d, int instance) {
  Ring* const ring = malloc(sizeof(Ring));
  if (!ring) return -1;
  for (int i = 0; i < NATTRIBUTE; i++) {
    const char* const text = mj_getPluginConfig(m, instance, ATTRIBUTES[i]);
    ring->size[i] = text && *text ? strtod(text, NULL) : DEFAULT[i];
  }
  d->plugin_data[instance] = (uintptr_t)ring;
  return 0;
}

static void stop(mjData* d, int instance) {
  free((void*)d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
}

// between the searches for contacts nothing is kept
static void forget(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m, (void)state, (void)data, (void)instance;
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m, (void)d, (void)instance, (void)capability;
}

static mjtNum distance(const mjtNum point[3], const mjData* d, int instance) {
  return ringDistance(point, ((const Ring*)d->plugin_data[instance])->size);
}

static void gradient(mjtNum grad[3], const mjtNum point[3], const mjData* d, int instance) {
  const Ring* const ring = (const Ring*)d->plugin_data[instance];
  const mjtNum radius = fmax(sqrt(point[0] * point[0] + point[1] * point[1]), 1e-15), out = radius - ring->size[LARGE];
  const mjtNum length = fmax(sqrt(out * out + point[2] * point[2]), 1e-15);
  grad[0] = out / length * point[0] / radius;
  grad[1] = out / length * point[1] / radius;
  grad[2] = point[2] / length;
}

// settings by name; what is not given keeps its default
static void attributes(mjtNum attribute[], const char* name[], const char* value[]) {
  memcpy(attribute, DEFAULT, sizeof(DEFAULT));
  for (int k = 0; k < NATTRIBUTE; k++) {
    for (int i = 0; i < NATTRIBUTE; i++) {
      if (*value[k] && !strcmp(name[k], ATTRIBUTES[i])) attribute[i] = strtod(value[k], NULL);
    }
  }
}

static void box(mjtNum aabb[6], const mjtNum* attribute) {
  const mjtNum wide = attribute[LARGE] + attribute[SMALL];
  const mjtNum values[6] = {0, 0, 0, wide, wide, attribute[SMALL]};
  memcpy(aabb, values, sizeof(values));
}

mjPLUGIN_LIB_INIT {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.ring";
  plugin.nattribute = NATTRIBUTE;
  plugin.attributes = ATTRIBUTES;
  plugin.capabilityflags = mjPLUGIN_SDF;
  plugin.nstate = noState;
  plugin.init = start;
  plugin.destroy = stop;
  plugin.reset = forget;
  plugin.compute = compute;
  plugin.sdf_distance = distance;
  plugin.sdf_gradient = gradient;
  plugin.sdf_staticdistance = ringDistance;
  plugin.sdf_attribute = attributes;
  plugin.sdf_aabb = box;
  mjp_registerPlugin(&plugin);
}
