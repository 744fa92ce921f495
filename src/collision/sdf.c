// Signed distance fields and the contacts between them.
//
// Contacts of two fields A and B are found by descent from quasi-random points in the overlap of their bounding boxes
// on A + B + |max(A, B)|, which is smallest deep inside both; a last step on max(A, B) drops points that are not inside
// both, and the surface A = B between them gives place and normal. Distances of the simple shapes follow Quilez'
// collection (iquilezles.org/articles/distfunctions).
#include "collision/sdf.h"

#include <math.h>
#include <stddef.h>

#include "collision/frame.h"
#include "collision/narrow.h"
#include "collision/ray.h"
#include "math/quat.h"
#include "math/vec.h"

//---------------------------------- simple shapes -------------------------------------------------

// inside a box: a field of directions that turns from radial to the normal of the nearest face; out is |x| - size
static void boxInnerField(mjtNum dir[3], const mjtNum x[3], const mjtNum out[3], const mjtNum size[3]) {
  for (int i = 0; i < 3; i++) dir[i] = -size[i] / out[i];
  mth_normalize3(dir);
  for (int i = 0; i < 3; i++) {
    if (x[i] < 0) dir[i] = -dir[i];
  }
}

static void boxOut(mjtNum out[3], const mjtNum x[3], const mjtNum size[3]) {
  for (int i = 0; i < 3; i++) out[i] = fabs(x[i]) - size[i];
}

static mjtNum boxDistance(const mjtNum x[3], const mjtNum size[3]) {
  mjtNum out[3];
  boxOut(out, x, size);

  // outside: to the nearest point
  if (out[0] >= 0 || out[1] >= 0 || out[2] >= 0) {
    const mjtNum pos[3] = {mth_max(out[0], 0), mth_max(out[1], 0), mth_max(out[2], 0)};
    return mth_norm3(pos) + mth_min(mth_max(out[0], mth_max(out[1], out[2])), 0);
  }

  // inside: to the surface along the field of directions
  mjtNum dir[3], t[3];
  boxInnerField(dir, x, out, size);
  for (int i = 0; i < 3; i++) t[i] = -out[i] / fabs(dir[i]);
  return -mth_min(t[0], mth_min(t[1], t[2])) * mth_norm3(dir);
}

static void boxGradient(mjtNum grad[3], const mjtNum x[3], const mjtNum size[3]) {
  mjtNum out[3];
  boxOut(out, x, size);
  const int larger = out[0] > out[1] ? 0 : 1;
  const int largest = out[2] > out[larger] ? 2 : larger;
  if (out[largest] < 0) {
    boxInnerField(grad, x, out, size);
    return;
  }
  const mjtNum pos[3] = {mth_max(out[0], 0), mth_max(out[1], 0), mth_max(out[2], 0)};
  const mjtNum len = mth_norm3(pos);
  for (int i = 0; i < 3; i++) grad[i] = out[i] > 0 ? pos[i] / len * x[i] / fabs(x[i]) : 0;
}

// from the nearest point of the axis
static void capsuleArm(mjtNum arm[3], const mjtNum x[3], const mjtNum size[3]) {
  mth_set3(arm, x[0], x[1], x[2] - mth_clip(x[2], -size[1], size[1]));
}

// x / size and x / size^2
static void ellipsoidScaled(mjtNum a[3], mjtNum b[3], const mjtNum x[3], const mjtNum size[3]) {
  for (int i = 0; i < 3; i++) {
    a[i] = x[i] / size[i];
    b[i] = a[i] / size[i];
  }
}

static mjtNum ellipsoidDistance(const mjtNum x[3], const mjtNum size[3]) {
  mjtNum a[3], b[3];
  ellipsoidScaled(a, b, x, size);
  const mjtNum k0 = mth_norm3(a), k1 = mth_norm3(b);
  return k0 * (k0 - 1.0) / k1;
}

static void ellipsoidGradient(mjtNum grad[3], const mjtNum x[3], const mjtNum size[3]) {
  mjtNum a[3], b[3];
  ellipsoidScaled(a, b, x, size);
  const mjtNum k0 = mth_norm3(a), k1 = mth_norm3(b);
  const mjtNum inv0 = 1 / k0, inv1 = 1 / k1;
  const mjtNum d0 = (2 * k0 - 1) * inv1;
  const mjtNum d1 = k0 * (k0 - 1) * inv1 * inv1;
  for (int i = 0; i < 3; i++) grad[i] = b[i] * inv0 * d0 - b[i] * inv1 / (size[i] * size[i]) * d1;
  mth_normalize3(grad);
}

// distances beyond the round wall and beyond the flat one
static void cylinderOut(mjtNum out[2], const mjtNum x[3], const mjtNum size[3]) {
  out[0] = sqrt(x[0] * x[0] + x[1] * x[1]) - size[0];
  out[1] = fabs(x[2]) - size[1];
}

static mjtNum cylinderDistance(const mjtNum x[3], const mjtNum size[3]) {
  mjtNum out[2];
  cylinderOut(out, x, size);
  const mjtNum pos[2] = {mth_max(out[0], 0), mth_max(out[1], 0)};
  return mth_min(mth_max(out[0], out[1]), 0) + sqrt(pos[0] * pos[0] + pos[1] * pos[1]);
}

static void cylinderGradient(mjtNum grad[3], const mjtNum x[3], const mjtNum size[3]) {
  mjtNum out[2];
  cylinderOut(out, x, size);
  const mjtNum radius = mth_max(sqrt(x[0] * x[0] + x[1] * x[1]), 1 / mjMAXVAL);
  const mjtNum height = mth_max(fabs(x[2]), 1 / mjMAXVAL);
  mth_set3(grad, x[0] / radius, x[1] / radius, x[2] / height);

  // inside: the nearer wall
  const int wall = out[0] > out[1] ? 0 : 1;
  if (out[wall] < 0) {
    if (wall) grad[0] = grad[1] = 0;
    if (!wall) grad[2] = 0;
    return;
  }
  const mjtNum pos[2] = {mth_max(out[0], 0), mth_max(out[1], 0)};
  const mjtNum len = mth_max(sqrt(pos[0] * pos[0] + pos[1] * pos[1]), 1 / mjMAXVAL);
  mth_set3(grad, grad[0] * pos[0] / len, grad[1] * pos[0] / len, grad[2] * pos[1] / len);
}

//---------------------------------- meshes without octree -----------------------------------------

// A mesh without an octree is taken as star-shaped: a ray from the point to the origin of the world tells whether the
// surface lies between. 1 if the ray overshoots the origin; x gets the ray parameter.
static int meshRay(const mjModel* m, const mjData* d, int id, const mjtNum x[3], mjtNum point[3], mjtNum* t) {
  mth_mulMatVec3(point, d->geom_xmat + 9 * id, x);
  mth_addTo3(point, d->geom_xpos + 3 * id);
  mjtNum dir[3];
  mth_neg3(dir, point);
  *t = mj_rayMesh(m, d, id, point, dir, NULL);
  return *t > mth_norm3(dir);
}

static mjtNum octDistance(const mjModel* m, int id, const mjtNum x[3], ColOctPlace* place) {
  col_octPlace(place, m, id, x);
  return place->distance;
}

static void octGradient(mjtNum grad[3], const mjModel* m, int id, const mjtNum x[3], ColOctPlace* place) {
  col_octPlace(place, m, id, x);
  col_octGradient(grad, m, place);
}

static mjtNum meshDistance(const mjModel* m, const mjData* d, int id, const mjtNum x[3], ColOctPlace* place) {
  if (id < m->nmesh && m->mesh_octnum[id]) return octDistance(m, id, x, place);
  mjtNum point[3], t;
  if (meshRay(m, d, id, x, point, &t)) return -mj_rayMesh(m, d, id, point, point, NULL);
  return t;
}

static void meshGradient(mjtNum grad[3], const mjModel* m, const mjData* d, int id, const mjtNum x[3],
                         ColOctPlace* place) {
  if (id < m->nmesh && m->mesh_octnum[id]) {
    octGradient(grad, m, id, x, place);
    return;
  }
  mjtNum point[3], t;
  const mjtNum sign = meshRay(m, d, id, x, point, &t) ? 1 : -1;
  mth_set3(grad, sign, sign, sign);
}

//---------------------------------- one field -----------------------------------------------------

// one or two fields, and where in their octrees they were asked for last
typedef struct {
  const mjModel* m;
  const mjData* d;
  const mjSDF* s;
  ColOctPlace place[2];
} Fields;

static Fields fieldsOf(const mjModel* m, const mjData* d, const mjSDF* s) {
  return (Fields){
      m, d, s, {{.mesh = -1}, {.mesh = -1}}
  };
}

// distance of field k at a point in its frame
static mjtNum fieldDistance(Fields* f, int k, const mjtNum x[3]) {
  const mjModel* m = f->m;
  const mjData* d = f->d;
  const mjSDF* s = f->s;
  const int id = s->id[k];
  const mjtNum* size = m->geom_size + 3 * id;
  mjtNum arm[3];
  switch ((int)s->geomtype[k]) {
    case mjGEOM_PLANE:
      return x[2];
    case mjGEOM_SPHERE:
      return mth_norm3(x) - size[0];
    case mjGEOM_BOX:
      return boxDistance(x, size);
    case mjGEOM_CAPSULE:
      capsuleArm(arm, x, size);
      return mth_norm3(arm) - size[0];
    case mjGEOM_ELLIPSOID:
      return ellipsoidDistance(x, size);
    case mjGEOM_CYLINDER:
      return cylinderDistance(x, size);
    case mjGEOM_SDF:
      return s->plugin[k] ? s->plugin[k]->sdf_distance(x, d, id) : octDistance(m, id, x, f->place + k);
    case mjGEOM_MESH:
      return meshDistance(m, d, id, x, f->place + k);
    default:
      mju_error("sdf collisions not available for geom type %d", (int)s->geomtype[k]);
      return 0;
  }
}

static void fieldGradient(mjtNum grad[3], Fields* f, int k, const mjtNum x[3]) {
  const mjModel* m = f->m;
  const mjData* d = f->d;
  const mjSDF* s = f->s;
  const int id = s->id[k];
  const mjtNum* size = m->geom_size + 3 * id;
  switch ((int)s->geomtype[k]) {
    case mjGEOM_PLANE:
      mth_set3(grad, 0, 0, 1);
      return;
    case mjGEOM_SPHERE:
      mth_scl3(grad, x, 1 / mth_norm3(x));
      return;
    case mjGEOM_BOX:
      boxGradient(grad, x, size);
      return;
    case mjGEOM_CAPSULE: {
      capsuleArm(grad, x, size);
      const mjtNum len = mth_norm3(grad);
      for (int i = 0; i < 3; i++) grad[i] /= len;
      return;
    }
    case mjGEOM_ELLIPSOID:
      ellipsoidGradient(grad, x, size);
      return;
    case mjGEOM_CYLINDER:
      cylinderGradient(grad, x, size);
      return;
    case mjGEOM_SDF:
      if (s->plugin[k]) {
        s->plugin[k]->sdf_gradient(grad, x, d, id);
      } else {
        octGradient(grad, m, id, x, f->place + k);
      }
      return;
    case mjGEOM_MESH:
      meshGradient(grad, m, d, id, x, f->place + k);
      return;
    default:
      mju_error("sdf collisions not available for geom type %d", (int)s->geomtype[k]);
  }
}

//---------------------------------- two fields ----------------------------------------------------

// the point in the frame of the second field
static void toSecond(mjtNum y[3], const mjSDF* s, const mjtNum x[3]) {
  mth_mulMatVec3(y, s->relmat, x);
  mth_addTo3(y, s->relpos);
}

static mjtNum distanceAt(Fields* f, const mjtNum x[3]) {
  const mjSDF* s = f->s;
  if (s->type == mjSDFTYPE_SINGLE) return fieldDistance(f, 0, x);
  mjtNum y[3];
  toSecond(y, s, x);
  const mjtNum a = fieldDistance(f, 0, x);
  const mjtNum b = fieldDistance(f, 1, y);
  switch ((int)s->type) {
    case mjSDFTYPE_INTERSECTION:
      return mth_max(a, b);
    case mjSDFTYPE_MIDSURFACE:
      return a - b;
    case mjSDFTYPE_COLLISION:
      return a + b + fabs(mth_max(a, b));
    default:
      mju_error("SDF type not available");
      return 0;
  }
}

// gradient of the second field in the frame of the first
static void secondGradient(mjtNum grad[3], Fields* f, const mjtNum y[3]) {
  fieldGradient(grad, f, 1, y);
  mth_mulMatTVec3(grad, f->s->relmat, grad);
}

static void gradientAt(Fields* f, mjtNum gradient[3], const mjtNum x[3]) {
  const mjSDF* s = f->s;
  if (s->type == mjSDFTYPE_SINGLE) {
    fieldGradient(gradient, f, 0, x);
    return;
  }
  mjtNum y[3], g1[3], g2[3];
  toSecond(y, s, x);
  switch ((int)s->type) {
    case mjSDFTYPE_INTERSECTION:
      if (fieldDistance(f, 0, x) > fieldDistance(f, 1, y)) {
        fieldGradient(gradient, f, 0, x);
      } else {
        secondGradient(gradient, f, y);
      }
      return;

    case mjSDFTYPE_MIDSURFACE:
      fieldGradient(g1, f, 0, x);
      mth_normalize3(g1);
      secondGradient(g2, f, y);
      mth_normalize3(g2);
      mth_sub3(gradient, g1, g2);
      mth_normalize3(gradient);
      return;

    case mjSDFTYPE_COLLISION: {
      const mjtNum a = fieldDistance(f, 0, x);
      const mjtNum b = fieldDistance(f, 1, y);
      fieldGradient(g1, f, 0, x);
      secondGradient(g2, f, y);
      mth_add3(gradient, g1, g2);
      mth_addToScl3(gradient, a > b ? g1 : g2, mth_max(a, b) > 0 ? 1 : -1);
      return;
    }

    default:
      mju_error("SDF type not available");
  }
}

mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]) {
  Fields f = fieldsOf(m, d, s);
  return distanceAt(&f, x);
}

void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3], const mjtNum x[3]) {
  Fields f = fieldsOf(m, d, s);
  gradientAt(&f, gradient, x);
}

const mjpPlugin* mjc_getSDF(const mjModel* m, int id) {
  const int slot = m->plugin[m->geom_plugin[id]];
  const mjpPlugin* sdf = mjp_getPluginAtSlot(slot);
  if (!sdf) {
    mju_error("invalid plugin slot: %d", slot);
    return NULL;
  }
  if (!(sdf->capabilityflags & mjPLUGIN_SDF)) mju_error("plugin at slot %d is not a signed distance field", slot);
  return sdf;
}

const mjpPlugin* col_sdfPlugin(const mjModel* m, int geom) {
  return m->geom_plugin[geom] == -1 ? NULL : mjc_getSDF(m, geom);
}

int col_sdfId(const mjModel* m, int geom) {
  return m->geom_plugin[geom] == -1 ? m->geom_dataid[geom] : m->geom_plugin[geom];
}

//---------------------------------- contacts ------------------------------------------------------

// pose 1 seen from pose 2
static void relativePose(mjtNum pos[3], mjtNum mat[9], const mjtNum* pose1[2], const mjtNum* pose2[2]) {
  mjtNum backpos[3], backquat[4], quat[4];
  mth_negPose(backpos, backquat, pose2[0], pose2[1]);
  mth_mulPose(pos, quat, backpos, backquat, pose1[0], pose1[1]);
  mth_quat2Mat(mat, quat);
}

static int isBad(const mjtNum v[3]) {
  for (int i = 0; i < 3; i++) {
    if (isnan(v[i]) || v[i] > mjMAXVAL || v[i] < -mjMAXVAL) return 1;
  }
  return 0;
}

// gradient descent with backtracking; the value at the end
static mjtNum descend(mjtNum x[3], Fields* f, int niter) {
  mjtNum value = mjMAXVAL;
  for (int i = 0; i < niter; i++) {
    mjtNum grad[3], from[3];
    gradientAt(f, grad, x);
    if (isBad(grad)) return mjMAXVAL;
    mth_copy3(from, x);
    const mjtNum before = distanceAt(f, from);

    // halve the step until the value falls by a tenth of what the slope promises
    mjtNum step = 2, promise = -0.1 * step * mth_dot3(grad, grad);
    do {
      step *= 0.5;
      promise *= 0.5;
      mth_addScl3(x, from, grad, -step);
      value = distanceAt(f, x);
    } while (step > 1e-4 && value - before > promise);
    if (before < value) return value;
  }
  return value;
}

// box of the geom's own bounding box in a frame
static void boundsIn(mjtNum low[3], mjtNum high[3], const mjtNum aabb[6], const mjtNum pos[3], const mjtNum mat[9]) {
  for (int i = 0; i < 8; i++) {
    mjtNum corner[3];
    for (int j = 0; j < 3; j++) corner[j] = i >> j & 1 ? aabb[j] + aabb[3 + j] : aabb[j] - aabb[3 + j];
    if (mat) {
      mth_mulMatVec3(corner, mat, corner);
      mth_addTo3(corner, pos);
    }
    for (int j = 0; j < 3; j++) {
      low[j] = i ? mth_min(low[j], corner[j]) : corner[j];
      high[j] = i ? mth_max(high[j], corner[j]) : corner[j];
    }
  }
}

// points that gave a contact already
static int isKnown(const mjtNum (*known)[3], int n, const mjtNum x[3]) {
  for (int i = 0; i < n; i++) {
    if (mth_dist3(x, known[i]) < mjMINVAL) return 1;
  }
  return 0;
}

// contact at a point x of the frame (pos, quat); the normal is against the gradient of the field between the shapes
static void setContact(mjContact* con, const mjtNum x[3], mjtNum dist, const mjtNum grad[3], const mjtNum* pose[2]) {
  mjtNum normal[3];
  mth_neg3(normal, grad);
  con->dist = dist;
  mth_rotVecQuat(con->frame, normal, pose[1]);
  mth_zero3(con->frame + 3);
  col_makeFrame(con->frame);
  mth_rotVecQuat(con->pos, x, pose[1]);
  mth_addTo3(con->pos, pose[0]);
  mth_addToScl3(con->pos, con->frame, -dist / 2);
}

// box where the bounding boxes of both geoms overlap, in the frame of g1; 0 if it is empty
static int overlapBox(mjtNum low[3], mjtNum high[3], const mjModel* m, int g1, int g2, const mjSDF* s) {
  mjtNum low2[3], high2[3];
  boundsIn(low, high, m->geom_aabb + 6 * g1, NULL, NULL);
  boundsIn(low2, high2, m->geom_aabb + 6 * g2, s->relpos, s->relmat);
  for (int i = 0; i < 3; i++) {
    low[i] = mth_max(low[i], low2[i]);
    high[i] = mth_min(high[i], high2[i]);
    if (high[i] < low[i]) return 0;
  }
  return 1;
}

int col_sdf(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  (void)margin;
  if (m->geom_type[g2] != mjGEOM_SDF) mju_error("geom is not an SDF");

  // the first field is that of g2, the second that of g1
  mjtNum quat1[4], quat2[4], pos21[3], mat21[9], pos12[3], mat12[9];
  mth_mat2Quat(quat1, d->geom_xmat + 9 * g1);
  mth_mat2Quat(quat2, d->geom_xmat + 9 * g2);
  const mjtNum* pose1[2] = {d->geom_xpos + 3 * g1, quat1};
  const mjtNum* pose2[2] = {d->geom_xpos + 3 * g2, quat2};
  relativePose(pos21, mat21, pose2, pose1);
  relativePose(pos12, mat12, pose1, pose2);

  // the pose of g1 seen from itself: the identity up to rounding, which the descent amplifies into the result
  mjtNum pos11[3], mat11[9];
  relativePose(pos11, mat11, pose1, pose1);
  const int sdf1 = m->geom_type[g1] == mjGEOM_SDF;
  const mjpPlugin* plugin[2] = {col_sdfPlugin(m, g2), sdf1 ? col_sdfPlugin(m, g1) : NULL};
  int id[2] = {col_sdfId(m, g2), sdf1 ? col_sdfId(m, g1) : g1};
  mjtGeom type[2] = {(mjtGeom)m->geom_type[g2], (mjtGeom)m->geom_type[g1]};
  mjSDF s = {.plugin = plugin, .id = id, .relpos = pos21, .relmat = mat21, .geomtype = type};

  mjtNum low[3], high[3], known[mjMAXCONPAIR][3];
  if (!overlapBox(low, high, m, g1, g2, &s)) return 0;
  if (plugin[0]) plugin[0]->reset(m, NULL, (void*)d->plugin_data[id[0]], id[0]);

  int ncon = 0;
  for (int i = 0; i < m->opt.sdf_initpoints && ncon < mjMAXCONPAIR; i++) {
    // start
    Fields f = fieldsOf(m, d, &s);
    static const int base[3] = {2, 3, 5};
    mjtNum x[3], grad[3];
    for (int j = 0; j < 3; j++) x[j] = low[j] + (high[j] - low[j]) * mju_Halton(i, base[j]);
    mth_mulMatVec3(x, mat11, x);
    mth_addTo3(x, pos11);
    mth_mulMatVec3(x, mat12, x);
    mth_addTo3(x, pos12);
    if (plugin[0]) plugin[0]->compute(m, (mjData*)d, id[0], mjPLUGIN_SDF);

    // deep inside both, then out of what is not
    s.type = mjSDFTYPE_COLLISION;
    descend(x, &f, m->opt.sdf_iterations);
    s.type = mjSDFTYPE_INTERSECTION;
    const mjtNum dist = descend(x, &f, 1);
    if (dist > 0 || isKnown((const mjtNum(*)[3])known, ncon, x)) continue;

    s.type = mjSDFTYPE_MIDSURFACE;
    gradientAt(&f, grad, x);
    mth_copy3(known[ncon], x);
    setContact(con + ncon++, x, dist, grad, pose2);
  }
  return ncon;
}

int col_meshSdf(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  return col_sdf(m, d, con, g1, g2, margin);
}

int col_hfieldSdf(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  (void)m, (void)d, (void)con, (void)g1, (void)g2, (void)margin;
  mju_warning("contacts between height fields and signed distance fields are not supported");
  return 0;
}

//---------------------------------- rays ----------------------------------------------------------

mjtNum col_raySdf(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3],
                  mjtNum normal[3]) {
  if (normal) mth_zero3(normal);
  const mjtNum* mat = d->geom_xmat + 9 * geomid;
  ColRay ray = col_rayLocal(d->geom_xpos + 3 * geomid, mat, pnt, vec);
  if (col_rayBox(&ray, m->geom_size + 3 * geomid, NULL, NULL) < 0) return -1;
  mth_normalize3(ray.vec);

  const mjpPlugin* plugin = col_sdfPlugin(m, geomid);
  int id = col_sdfId(m, geomid);
  mjtGeom type = mjGEOM_SDF;
  const mjSDF s = {.plugin = &plugin, .id = &id, .type = mjSDFTYPE_SINGLE, .geomtype = &type};
  if (plugin) plugin->reset(m, NULL, (void*)d->plugin_data[id], id);

  // march by the distance to the surface
  mjtNum total = 0, x[3];
  for (int i = 0; i < 40; i++) {
    mth_addScl3(x, ray.pnt, ray.vec, total);
    const mjtNum dist = fabs(mjc_distance(m, d, &s, x));
    total += dist;
    if (dist < 1e-7) {
      if (normal) {
        mth_addScl3(x, ray.pnt, ray.vec, total);
        mjc_gradient(m, d, &s, normal, x);
        mth_normalize3(normal);
        mth_mulMatVec3(normal, mat, normal);
      }
      return total;
    }
    if (dist > 1e6) break;
  }
  if (plugin) plugin->reset(m, NULL, (void*)d->plugin_data[id], id);
  return -1;
}
