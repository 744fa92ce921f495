// The tactile sensor: pressure and sliding speed at the vertices of a mesh that is laid over a geom.
//
// Each vertex that lies inside a geom touching the sensor's body reports how deep it is (as a pressure that grows
// without bound towards a depth of 5 cm) and how fast the other geom slides along its two tangents.
#include <math.h>

#include "math/quat.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "sensor/sensor.h"

static const mjtNum DEPTH_SCALE = 0.05;  // metres; a smaller one makes the sensor stiffer

// the sensor's mesh and the geom that carries it
typedef struct {
  int mesh, geom, weld;
  int n;  // vertices
} Pad;

// adds a geom to a set, once
static int addOnce(int* set, int n, int geom) {
  for (int j = 0; j < n; j++) {
    if (set[j] == geom) return n;
  }
  set[n] = geom;
  return n + 1;
}

// geoms in contact with anything welded to the sensor's body
static int findTouching(const mjModel* m, const mjData* d, const Pad* pad, int* set) {
  int n = 0;
  for (int k = 0; k < d->ncon; k++) {
    const int* geom = d->contact[k].geom;
    if (geom[0] < 0 || geom[1] < 0) continue;
    if (m->body_weldid[m->geom_bodyid[geom[0]]] == pad->weld) n = addOnce(set, n, geom[1]);
    if (m->body_weldid[m->geom_bodyid[geom[1]]] == pad->weld) n = addOnce(set, n, geom[0]);
  }
  return n;
}

// distance function of a geom: a plugin, a mesh's octree or the shape itself
typedef struct {
  mjSDF sdf;
  const mjpPlugin* plugin;
  int id;
  mjtGeom type;
} Distance;

static int makeDistance(const mjModel* m, int geom, Distance* f) {
  f->type = m->geom_type[geom];
  f->plugin = NULL;
  f->id = geom;
  if (f->type == mjGEOM_SDF) {
    f->id = m->geom_plugin[geom];
    f->plugin = mjc_getSDF(m, geom);
  } else if (f->type == mjGEOM_MESH) {
    f->id = m->geom_dataid[geom];
    if (m->mesh_octadr[f->id] < 0) return 0;
  }
  f->sdf = (mjSDF){.plugin = &f->plugin, .id = &f->id, .type = mjSDFTYPE_SINGLE, .geomtype = &f->type};
  return 1;
}

// depth of a point of the world below a geom's surface, 0 outside
static mjtNum depthOf(const mjModel* m, const mjData* d, const Distance* f, int geom, const mjtNum point[3]) {
  mjtNum offset[3], local[3];
  mth_sub3(offset, point, d->geom_xpos + 3 * geom);
  mth_mulMatTVec3(local, d->geom_xmat + 9 * geom, offset);

  // plugins live in the frame of the mesh as it was given
  if (f->plugin) {
    const int mesh = m->geom_dataid[geom];
    mjtNum turned[3];
    mth_rotVecQuat(turned, local, m->mesh_quat + 4 * mesh);
    mth_add3(local, turned, m->mesh_pos + 3 * mesh);
  }
  return fmin(mjc_distance(m, d, &f->sdf, local), 0);
}

// velocity of the pad at a point, relative to the middle of the other geom
static void slideVelocity(const mjModel* m, const mjData* d, const Pad* pad, int geom, const mjtNum point[3],
                          mjtNum velocity[3]) {
  const int body = m->geom_bodyid[geom];
  mjtNum own[6], other[6];
  mju_transformSpatial(own, d->cvel + 6 * pad->weld, 0, point, d->subtree_com + 3 * m->body_rootid[pad->weld], NULL);
  mju_transformSpatial(other, d->cvel + 6 * body, 0, d->geom_xpos + 3 * geom, d->subtree_com + 3 * m->body_rootid[body],
                       NULL);
  mth_sub3(velocity, own + 3, other + 3);
}

// normal and tangents of a vertex: three consecutive mesh normals, turned into the geom's frame
static void vertexFrame(const mjModel* m, const Pad* pad, int vertex, mjtNum axis[3][3]) {
  const float* normal = m->mesh_normal + 3 * m->mesh_normaladr[pad->mesh] + 9 * vertex;
  for (int k = 0; k < 3; k++) {
    const mjtNum given[3] = {normal[3 * k], normal[3 * k + 1], normal[3 * k + 2]};
    mth_rotVecQuat(axis[k], given, m->mesh_quat + 4 * pad->mesh);
  }
}

// what one touching geom does to all vertices
static void addTouch(const mjModel* m, const mjData* d, const Pad* pad, int geom, mjtNum* channel) {
  Distance f;
  if (!makeDistance(m, geom, &f)) return;
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[pad->mesh];
  for (int j = 0; j < pad->n; j++) {
    const mjtNum local[3] = {vert[3 * j], vert[3 * j + 1], vert[3 * j + 2]};
    mjtNum point[3], velocity[3], axis[3][3];
    mth_mulMatVec3(point, d->geom_xmat + 9 * pad->geom, local);
    mth_addTo3(point, d->geom_xpos + 3 * pad->geom);
    const mjtNum depth = depthOf(m, d, &f, geom, point);
    if (depth == 0) continue;
    slideVelocity(m, d, pad, geom, point, velocity);
    vertexFrame(m, pad, j, axis);
    const mjtNum pressure = depth / fmax(DEPTH_SCALE - depth, mjMINVAL);
    mjtNum force[3];
    mth_scl3(force, axis[0], pressure);
    channel[j] = mth_dot3(force, axis[0]);
    channel[pad->n + j] = fabs(mth_dot3(velocity, axis[1]));
    channel[2 * pad->n + j] = fabs(mth_dot3(velocity, axis[2]));
  }
}

void sen_tactile(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value) {
  const Pad pad = {.mesh = s->objid,
                   .geom = s->refid,
                   .weld = m->body_weldid[m->geom_bodyid[s->refid]],
                   .n = m->mesh_vertnum[s->objid]};
  const int dim = m->sensor_dim[s->id];
  mth_zero(value, dim);
  mj_markStack(d);
  int* touching = mj_stackAllocInt(d, 2 * (size_t)d->ncon);
  const int ntouching = findTouching(m, d, &pad, touching);
  if (ntouching) {
    mjtNum* channel = mj_stackAllocNum(d, 3 * (size_t)pad.n);
    mth_zero(channel, 3 * pad.n);
    for (int g = 0; g < ntouching; g++) addTouch(m, d, &pad, touching[g], channel);
    mth_copy(value, channel, dim < 3 * pad.n ? dim : 3 * pad.n);
  }
  mj_freeStack(d);
}
