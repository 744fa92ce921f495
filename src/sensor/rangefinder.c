// Rangefinders: one ray along a site's z axis, or one ray per pixel of a camera.
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "sensor/sensor.h"

// one ray and what it met
typedef struct {
  mjtNum origin[3], direction[3], normal[3];
  mjtNum distance;  // -1: nothing
} Ray;

// writes the fields that the sensor asks for, in their order; returns the position behind them.
// axis is the camera's z axis (depth is measured along it), NULL for a site
static mjtNum* writeFields(mjtNum* out, int fields, const Ray* ray, const mjtNum* eye, const mjtNum* axis) {
  const int hit = ray->distance >= 0;
  mjtNum point[3] = {0, 0, 0};
  if (hit) mth_addScl3(point, ray->origin, ray->direction, ray->distance);
  const mjtNum nothing[3] = {0, 0, 0};
  if (fields & 1 << mjRAYDATA_DIST) *out++ = ray->distance;
  const struct {
    int field;
    const mjtNum* value;
  } vectors[] = {
      {mjRAYDATA_DIR,    hit ? ray->direction : nothing},
      {mjRAYDATA_ORIGIN, ray->origin                   },
      {mjRAYDATA_POINT,  point                         },
      {mjRAYDATA_NORMAL, hit ? ray->normal : nothing   }
  };
  for (int k = 0; k < 4; k++) {
    if (!(fields & 1 << vectors[k].field)) continue;
    mth_copy3(out, vectors[k].value);
    out += 3;
  }
  if (fields & 1 << mjRAYDATA_DEPTH) {
    mjtNum depth = ray->distance;
    if (hit && axis) {
      mjtNum offset[3];
      mth_sub3(offset, point, eye);
      depth = -mth_dot3(offset, axis);
    }
    *out++ = hit ? depth : -1;
  }
  return out;
}

void sen_pixelRay(const mjModel* m, const mjData* d, int camera, const int pixel[2], mjtNum origin[3],
                  mjtNum direction[3]) {
  const int column = pixel[0], row = pixel[1];
  const mjtNum *pos = d->cam_xpos + 3 * camera, *mat = d->cam_xmat + 9 * camera;
  const int* resolution = m->cam_resolution + 2 * camera;
  mjtNum local[3];
  if (m->cam_projection[camera] == mjPROJ_ORTHOGRAPHIC) {
    // parallel rays: fovy is the extent of the picture
    const mjtNum extent = m->cam_fovy[camera];
    local[0] = ((column + 0.5) / resolution[0] - 0.5) * extent;
    local[1] = -((row + 0.5) / resolution[1] - 0.5) * extent;
    local[2] = 0;
    mth_mulMatVec3(origin, mat, local);
    mth_addTo3(origin, pos);
    const mjtNum forward[3] = {-mat[2], -mat[5], -mat[8]};
    mth_copy3(direction, forward);
    return;
  }
  const SenPinhole pinhole = sen_pinhole(m, camera);
  local[0] = (column + 0.5 - pinhole.cx) / pinhole.fx;
  local[1] = -(row + 0.5 - pinhole.cy) / pinhole.fy;
  local[2] = -1;
  mth_mulMatVec3(direction, mat, local);
  mth_normalize3(direction);
  mth_copy3(origin, pos);
}

// all pixels of a perspective camera: one origin, so that the rays can share work
static void castPinhole(const mjModel* m, mjData* d, int camera, int fields, mjtNum* out) {
  const int width = m->cam_resolution[2 * camera], n = width * m->cam_resolution[2 * camera + 1];
  const mjtNum *pos = d->cam_xpos + 3 * camera, *mat = d->cam_xmat + 9 * camera;
  const mjtNum axis[3] = {mat[2], mat[5], mat[8]};
  mj_markStack(d);
  mjtNum* direction = mj_stackAllocNum(d, 3 * (size_t)n);
  mjtNum* distance = mj_stackAllocNum(d, (size_t)n);
  mjtNum* normal = fields & 1 << mjRAYDATA_NORMAL ? mj_stackAllocNum(d, 3 * (size_t)n) : NULL;
  int* geom = mj_stackAllocInt(d, (size_t)n);
  Ray ray = {{0}, {0}, {0}, -1};
  for (int i = 0; i < n; i++) {
    const int pixel[2] = {i % width, i / width};
    sen_pixelRay(m, d, camera, pixel, ray.origin, ray.direction);
    mth_copy3(direction + 3 * i, ray.direction);
  }
  mj_multiRay(m, d, pos, direction, NULL, 1, m->cam_bodyid[camera], geom, distance, normal, n, mjMAXVAL);
  mth_copy3(ray.origin, pos);
  for (int i = 0; i < n; i++) {
    mth_copy3(ray.direction, direction + 3 * i);
    if (normal) mth_copy3(ray.normal, normal + 3 * i);
    ray.distance = distance[i];
    out = writeFields(out, fields, &ray, pos, axis);
  }
  mj_freeStack(d);
}

void sen_rangefinder(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value) {
  const int fields = m->sensor_intprm[s->id * mjNSENS], id = s->objid;
  int geom = -1;
  Ray ray = {{0}, {0}, {0}, -1};
  if (s->objtype == mjOBJ_SITE) {
    const mjtNum* mat = d->site_xmat + 9 * id;
    mth_copy3(ray.origin, d->site_xpos + 3 * id);
    for (int k = 0; k < 3; k++) ray.direction[k] = mat[3 * k + 2];
    ray.distance = mj_ray(m, d, ray.origin, ray.direction, NULL, 1, m->site_bodyid[id], &geom, ray.normal);
    writeFields(value, fields, &ray, NULL, NULL);
    return;
  }
  if (m->cam_projection[id] == mjPROJ_PERSPECTIVE) {
    castPinhole(m, d, id, fields, value);
    return;
  }
  const mjtNum* mat = d->cam_xmat + 9 * id;
  const mjtNum axis[3] = {mat[2], mat[5], mat[8]};
  for (int row = 0; row < m->cam_resolution[2 * id + 1]; row++) {
    for (int column = 0; column < m->cam_resolution[2 * id]; column++) {
      const int pixel[2] = {column, row};
      sen_pixelRay(m, d, id, pixel, ray.origin, ray.direction);
      ray.distance = mj_ray(m, d, ray.origin, ray.direction, NULL, 1, m->cam_bodyid[id], &geom, ray.normal);
      value = writeFields(value, fields, &ray, d->cam_xpos + 3 * id, axis);
    }
  }
}
