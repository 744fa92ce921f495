// Sensors, as sensor/*.c have them, where somebody asked for sensordata: after the last forward pass, a lane for each;
// the pixels of a camera that measures distances are dealt out.
#pragma once

#include "cuda/late.h"
#include "cuda/ray.h"

// one sensor
typedef struct {
  int id, type, objtype, objid, reftype, refid;
} CuSensor;

//---------------------------------- places ----------------------------------

// 1: the point lies inside the shape of a site
CU_FN int cu_insideSite(const Cu* c, int site, const Real point[3]) {
  const CudWatch* w = &c->t->watch;
  const Real* size = w->site_size + 3 * site;
  CuFrame f;
  Real offset[3], p[3];
  cu_frameOf(c, mjOBJ_SITE, site, &f);
  cu_sub3(offset, point, f.pos);
  cu_mulMatT3(p, f.mat, offset);
  const Real radial = p[0] * p[0] + p[1] * p[1], beyond = cu_max(0, cu_abs(p[2]) - size[1]);
  switch (w->site_type[site]) {
    case mjGEOM_SPHERE:
      return radial + p[2] * p[2] < size[0] * size[0];
    case mjGEOM_CAPSULE:
      return radial + beyond * beyond < size[0] * size[0];
    case mjGEOM_ELLIPSOID:
      return cu_square(p[0] / size[0]) + cu_square(p[1] / size[1]) + cu_square(p[2] / size[2]) < 1;
    case mjGEOM_CYLINDER:
      return cu_abs(p[2]) < size[1] && radial < size[0] * size[0];
    default:
      return cu_abs(p[0]) < size[0] && cu_abs(p[1]) < size[1] && cu_abs(p[2]) < size[2];
  }
}

// pixel at which a camera sees a site
CU_FN void cu_project(const Cu* c, const CuSensor* s, Real value[2]) {
  const Real* hole = c->t->watch.pinhole + 4 * s->refid;
  const int* resolution = c->t->watch.cam_resolution + 2 * s->refid;
  CuFrame site, camera;
  Real offset[3], p[3];
  cu_frameOf(c, mjOBJ_SITE, s->objid, &site);
  cu_frameOf(c, mjOBJ_CAMERA, s->refid, &camera);
  cu_sub3(offset, site.pos, camera.pos);
  cu_mulMatT3(p, camera.mat, offset);
  Real depth = p[2];
  if (cu_abs(depth) < CU_MINVAL) depth = depth < 0 ? -CU_MINVAL : CU_MINVAL;
  value[0] = (-hole[0] * p[0] + R_(0.5) * resolution[0] * p[2]) / depth;
  value[1] = (hole[1] * p[1] + R_(0.5) * resolution[1] * p[2]) / depth;
}

// position, axis or orientation of a frame, in the world or in a reference frame
CU_FN void cu_framePlace(const Cu* c, const CuSensor* s, Real* value) {
  CuFrame object, reference;
  Real vec[3], q[4], p[4];
  if (s->type == mjSENS_FRAMEQUAT) {
    cu_quatOf(c, s->objtype, s->objid, value);
    if (s->refid < 0) return;
    cu_quatOf(c, s->reftype, s->refid, q);
    cu_set4(p, q[0], -q[1], -q[2], -q[3]);
    cu_mulQuat(q, p, value);
    cu_copy4(value, q);
    return;
  }
  cu_frameOf(c, s->objtype, s->objid, &object);
  if (s->type == mjSENS_FRAMEPOS) {
    cu_copy3(vec, object.pos);
  } else {
    cu_col3(vec, object.mat, s->type - mjSENS_FRAMEXAXIS);
  }
  cu_copy3(value, vec);
  if (s->refid < 0) return;
  cu_frameOf(c, s->reftype, s->refid, &reference);
  if (s->type == mjSENS_FRAMEPOS) cu_sub3(vec, vec, reference.pos);
  cu_mulMatT3(value, reference.mat, vec);
}

// velocity of a frame, in the world or as seen from a moving one
CU_FN void cu_frameVelocity(const Cu* c, const CuSensor* s, Real value[3]) {
  CuFrame object, reference;
  Real v[6], moving[6], arm[3], drag[3];
  const int linear = s->type == mjSENS_FRAMELINVEL;
  cu_frameOf(c, s->objtype, s->objid, &object);
  cu_velocityOf(c, s->objtype, s->objid, &object, 0, v);
  if (s->refid >= 0) {
    cu_frameOf(c, s->reftype, s->refid, &reference);
    cu_velocityOf(c, s->reftype, s->refid, &reference, 0, moving);
    for (int k = 0; k < 6; k++) v[k] -= moving[k];
    cu_sub3(arm, object.pos, reference.pos);
    cu_cross3(drag, arm, moving);
    cu_add3(v + 3, v + 3, drag);
    cu_mulMatT3(value, reference.mat, linear ? v + 3 : v);
    return;
  }
  cu_copy3(value, linear ? v + 3 : v);
}

//---------------------------------- limits ----------------------------------

// distance beyond the margin, velocity or force of the active limit of a joint or tendon
CU_FN Real cu_limitSensor(const Cu* c, const CuSensor* s) {
  const CudModel* m = c->m;
  const int type = s->type, id = s->objid, joint = type <= mjSENS_JOINTLIMITFRC;
  const int what = type - (joint ? mjSENS_JOINTLIMITPOS : mjSENS_TENDONLIMITPOS), n = m->njnt + m->ntendon;
  if (what == 2) return CU_ROW(c, out.limit, n)[joint ? id : m->njnt + id];
  if ((joint ? !m->jnt_limited[id] : !m->tendon_limited[id]) ||
      (m->disableflags & (mjDSBL_LIMIT | mjDSBL_CONSTRAINT))) {
    return 0;
  }
  const Real* range = joint ? m->jnt_range + 2 * id : m->tendon_range + 2 * id;
  const Real margin = joint ? m->jnt_margin[id] : m->tendon_margin[id],
             *qpos = CU_W(c, qpos) + (joint ? m->jnt_qposadr[id] : 0);
  const Real* qvel = CU_W(c, qvel) + (joint ? m->jnt_dofadr[id] : 0);
  if (joint && m->jnt_type[id] == mjJNT_BALL) {
    Real q[4], axis[3];
    cu_copy4(q, qpos);
    cu_unit4(q);
    cu_quat2Vec(axis, q);
    const Real dist = cu_max(range[0], range[1]) - cu_unit3(axis);
    return !(dist < margin) ? R_(0) : what ? -cu_dot3(axis, qvel) : dist - margin;
  }
  const Real value = joint ? qpos[0] : CU_ROW(c, out.ten_length, m->ntendon)[id];
  const Real rate = joint ? qvel[0] : CU_ROW(c, out.ten_velocity, m->ntendon)[id];
  for (int side = -1; side <= 1; side += 2) {
    const Real dist = side * (range[(side + 1) / 2] - value);
    if (dist < margin) return what ? -side * rate : dist - margin;
  }
  return 0;
}

//---------------------------------- touch and contacts ----------------------------------

// sum of the normal forces whose line meets the site
CU_FN Real cu_touch(const Cu* c, int site) {
  const CudWatch* w = &c->t->watch;
  const int body = c->m->site_bodyid[site];
  CuFrame f;
  Real total = 0, unused[3];
  cu_frameOf(c, mjOBJ_SITE, site, &f);
  for (int i = 0; i < c->ncon; i++) {
    const Real *con = cu_kept(c, i), force = con[CUD_CONTACT];
    const int body1 = (int)con[CUD_BODY], body2 = (int)con[CUD_BODY + 1];
    if (con[CUD_FIRSTROW] < 0 || (body != body1 && body != body2) || force <= 0) continue;
    CuRay ray, local;
    cu_copy3(ray.pnt, con + CUD_POS);
    cu_scl3(ray.vec, con + CUD_NORMAL, body == body2 ? R_(-1) : R_(1));
    cu_rayLocal(&local, &f, &ray);
    if (cu_rayShape(&local, w->site_size + 3 * site, w->site_type[site], unused) >= 0) total += force;
  }
  return total;
}

// 1: a side of a contact is the object, belongs to it, or there is no object to ask for
CU_FN int cu_sideMatches(const CudModel* m, int geom, int type, int id) {
  if (type == mjOBJ_UNKNOWN || type == mjOBJ_SITE) return 1;
  if (type == mjOBJ_GEOM) return geom == id;
  int body = m->geom_bodyid[geom];
  while (type != mjOBJ_BODY && body > id) body = m->body_parentid[body];
  return body == id;
}

// 0: no match, 1: as the contact has it, −1: with the sides exchanged
CU_FN int cu_matchContact(const Cu* c, const CuSensor* s, const Real* con) {
  const CudModel* m = c->m;
  const int has1 = s->objtype != mjOBJ_UNKNOWN, has2 = s->reftype != mjOBJ_UNKNOWN;
  const int* geom = m->pair_geom + 2 * (int)con[CUD_PAIR];
  if (!has1 && !has2) return 1;
  if (s->objtype == mjOBJ_SITE && !cu_insideSite(c, s->objid, con + CUD_POS)) return 0;
  const int first1 = cu_sideMatches(m, geom[0], s->objtype, s->objid);
  const int second1 = cu_sideMatches(m, geom[1], s->objtype, s->objid);
  const int first2 = cu_sideMatches(m, geom[0], s->reftype, s->refid);
  const int second2 = cu_sideMatches(m, geom[1], s->reftype, s->refid);
  if ((!first1 && !second1) || (!first2 && !second2)) return 0;
  if (has1 && has2) return first1 && second2 ? 1 : second1 && first2 ? -1 : 0;
  if (has1) return first1 ? 1 : -1;
  return second2 ? 1 : -1;
}

// what contacts are ordered by: nothing, distance, or force
CU_FN Real cu_criterion(const Real* con, int reduce) {
  const Real* force = con + CUD_CONTACT;
  return reduce == 1 ? con[CUD_DIST] : reduce == 2 ? -cu_dot3(force, force) : R_(0);
}

// fields of a slot: found, force, torque, distance, position, normal, tangent
typedef struct {
  Real v[17];
} CuSlot;

CU_FN Real* cu_writeSlot(Real* out, int fields, const CuSlot* slot) {
  const int size[7] = {1, 3, 3, 1, 3, 3, 3};
  for (int k = 0, at = 0; k < 7; at += size[k++]) {
    if (!(fields >> k & 1)) continue;
    for (int i = 0; i < size[k]; i++) *out++ = slot->v[at + i];
  }
  return out;
}

// the sum of all contacts that match: force and torque at their force-weighted centre, in the world
CU_FN void cu_netSlot(const Cu* c, const CuSensor* s, CuSlot* slot) {
  Real total = 0, *pos = slot->v + 8;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < c->ncon; i++) {
      const Real *con = cu_kept(c, i), *frame = con + CUD_NORMAL;
      const int sign = cu_matchContact(c, s, con);
      if (!sign) continue;
      Real f[6], third[3], force[3], torque[3], arm[3], moment[3];
      for (int k = 0; k < 6; k++) f[k] = sign * con[CUD_CONTACT + k];
      if (!pass) {
        const Real weight = cu_sqrt(cu_dot3(f, f));
        cu_addScl3(pos, pos, con + CUD_POS, weight);
        total += weight;
        continue;
      }
      cu_cross3(third, frame, frame + 3);
      for (int k = 0; k < 3; k++) {
        force[k] = frame[k] * f[0] + frame[3 + k] * f[1] + third[k] * f[2];
        torque[k] = frame[k] * f[3] + frame[3 + k] * f[4] + third[k] * f[5];
      }
      cu_add3(slot->v + 1, slot->v + 1, force);
      cu_add3(slot->v + 4, slot->v + 4, torque);
      cu_sub3(arm, con + CUD_POS, pos);
      cu_cross3(moment, arm, force);
      cu_add3(slot->v + 4, slot->v + 4, moment);
    }
    if (!pass) cu_scl3(pos, pos, 1 / cu_max(CU_MINVAL, total));
  }
  cu_set3(slot->v + 11, 1, 0, 0);
  cu_set3(slot->v + 14, 0, 1, 0);
}

CU_FN void cu_contactSlot(const Real* con, int sign, CuSlot* slot) {
  const Real* force = con + CUD_CONTACT;
  cu_set3(slot->v + 1, force[0], force[1], sign * force[2]);
  cu_set3(slot->v + 4, force[3], force[4], sign * force[5]);
  slot->v[7] = con[CUD_DIST];
  cu_copy3(slot->v + 8, con + CUD_POS);
  cu_scl3(slot->v + 11, con + CUD_NORMAL, (Real)sign);
  cu_scl3(slot->v + 14, con + CUD_NORMAL + 3, (Real)sign);
}

// the first few contacts by the criterion, or their sum; the next is the smallest behind the last one
CU_CALL void cu_contactSensor(const Cu* c, const CuSensor* s, Real* value) {
  const CudWatch* w = &c->t->watch;
  const int fields = w->sensor_intprm[3 * s->id], reduce = w->sensor_intprm[3 * s->id + 1], dim = w->sensor_dim[s->id];
  const int size[7] = {1, 3, 3, 1, 3, 3, 3};
  int each = 0, found = 0, last = -1;
  for (int k = 0; k < 7; k++) each += fields >> k & 1 ? size[k] : 0;
  for (int k = 0; k < dim; k++) value[k] = 0;
  for (int i = 0; i < c->ncon; i++) found += cu_matchContact(c, s, cu_kept(c, i)) != 0;
  if (!each) return;
  CuSlot slot;
  for (int k = 0; k < 17; k++) slot.v[k] = 0;
  slot.v[0] = (Real)found;
  if (reduce == 3) {
    cu_netSlot(c, s, &slot);
    cu_writeSlot(value, fields, &slot);
    return;
  }
  for (int j = 0; j < found && j < dim / each; j++) {
    int best = -1;
    for (int i = 0; i < c->ncon; i++) {
      const Real *con = cu_kept(c, i), key = cu_criterion(con, reduce);
      if (!cu_matchContact(c, s, con)) continue;
      if (last >= 0) {
        const Real before = cu_criterion(cu_kept(c, last), reduce);
        if (key < before || (key == before && i <= last)) continue;
      }
      if (best < 0 || key < cu_criterion(cu_kept(c, best), reduce)) best = i;
    }
    if (best < 0) return;
    last = best;
    cu_contactSlot(cu_kept(c, best), cu_matchContact(c, s, cu_kept(c, best)), &slot);
    value = cu_writeSlot(value, fields, &slot);
  }
}

//---------------------------------- rangefinders ----------------------------------

// ray k of a rangefinder: along z of a site, or through the middle of a pixel
CU_FN void cu_finderRay(const Cu* c, const CuSensor* s, int k, const CuFrame* f, CuRay* ray) {
  const CudWatch* w = &c->t->watch;
  const int* resolution = w->cam_resolution + 2 * s->objid;
  Real local[3];
  cu_copy3(ray->pnt, f->pos);
  cu_col3(ray->vec, f->mat, 2);
  if (s->objtype == mjOBJ_SITE) return;
  const Real x = (Real)(k % resolution[0]) + R_(0.5), y = (Real)(k / resolution[0]) + R_(0.5);
  if (w->cam_projection[s->objid] == mjPROJ_ORTHOGRAPHIC) {
    const Real extent = w->cam_fovy[s->objid];
    cu_set3(local, (x / resolution[0] - R_(0.5)) * extent, -(y / resolution[1] - R_(0.5)) * extent, 0);
    cu_mulMat3(ray->pnt, f->mat, local);
    cu_add3(ray->pnt, ray->pnt, f->pos);
    cu_scl3(ray->vec, ray->vec, -1);
    return;
  }
  const Real* hole = w->pinhole + 4 * s->objid;
  cu_set3(local, (x - hole[2]) / hole[0], -(y - hole[3]) / hole[1], -1);
  cu_mulMat3(ray->vec, f->mat, local);
  cu_unit3(ray->vec);
}

// all rays of a rangefinder, dealt out over the lanes
CU_FN void cu_rangefinder(const Cu* c, const CuSensor* s, Real* value) {
  const CudWatch* w = &c->t->watch;
  const int fields = w->sensor_intprm[3 * s->id], size[6] = {1, 3, 3, 3, 3, 1}, camera = s->objtype != mjOBJ_SITE;
  int each = 0;
  for (int k = 0; k < 6; k++) each += fields >> k & 1 ? size[k] : 0;
  if (!each) return;
  CuFrame f;
  cu_frameOf(c, s->objtype, s->objid, &f);
  const CuLook look = {~0, 1, cu_bodyOf(c, s->objtype, s->objid)};
  CU_FOR(k, w->sensor_dim[s->id] / each) {
    CuRay ray;
    Real normal[3], point[3] = {0, 0, 0}, offset[3], axis[3], v[14], *out = value + k * each;
    cu_finderRay(c, s, k, &f, &ray);
    const Real dist = cu_castRay(c, &ray, &look, normal), hit = (Real)(dist >= 0);
    if (dist >= 0) cu_addScl3(point, ray.pnt, ray.vec, dist);
    cu_sub3(offset, point, f.pos);
    cu_col3(axis, f.mat, 2);
    v[0] = dist;
    cu_scl3(v + 1, ray.vec, hit);
    cu_copy3(v + 4, ray.pnt);
    cu_copy3(v + 7, point);
    cu_scl3(v + 10, normal, hit);
    v[13] = dist < 0 ? R_(-1) : camera ? -cu_dot3(offset, axis) : dist;
    for (int i = 0, at = 0; i < 6; at += size[i++]) {
      for (int e = 0; e < size[i] && (fields >> i & 1); e++) *out++ = v[at + e];
    }
  }
}

//---------------------------------- values ----------------------------------

// forces of the parent on a body, at a site and in its frame
CU_FN void cu_interaction(const Cu* c, const CuSensor* s, Real value[3]) {
  const CudModel* m = c->m;
  const int body = m->site_bodyid[s->objid];
  const Real* load = CU_ROW(c, out.cfrc_int, 6 * m->nbody) + 6 * body;
  CuFrame f;
  Real arm[3], moment[3], torque[3];
  cu_frameOf(c, mjOBJ_SITE, s->objid, &f);
  cu_sub3(arm, f.pos, CU_ROW(c, out.subtree_com, 3 * m->nbody) + 3 * m->body_rootid[body]);
  cu_cross3(moment, arm, load + 3);
  cu_sub3(torque, load, moment);
  cu_mulMatT3(value, f.mat, s->type == mjSENS_FORCE ? load + 3 : torque);
}

CU_FN void cu_bodySensor(const Cu* c, const CuSensor* s, Real* value) {
  const int site = s->type <= mjSENS_GYRO,
            acceleration = s->type == mjSENS_ACCELEROMETER || s->type >= mjSENS_FRAMELINACC;
  const int objtype = site ? mjOBJ_SITE : s->objtype;
  const int linear = s->type == mjSENS_ACCELEROMETER || s->type == mjSENS_VELOCIMETER || s->type == mjSENS_FRAMELINACC;
  CuFrame f;
  Real v[6];
  cu_frameOf(c, objtype, s->objid, &f);
  if (acceleration) {
    cu_accelerationOf(c, objtype, s->objid, &f, site, v);
  } else {
    cu_velocityOf(c, objtype, s->objid, &f, site, v);
  }
  cu_copy3(value, linear ? v + 3 : v);
}

// sensors of one number
CU_FN Real cu_scalarSensor(const Cu* c, const CuSensor* s) {
  const CudModel* m = c->m;
  const int id = s->objid;
  Real sum = 0;
  CuFrame f;
  switch (s->type) {
    case mjSENS_TOUCH:
      return cu_touch(c, id);
    case mjSENS_JOINTPOS:
      return CU_W(c, qpos)[m->jnt_qposadr[id]];
    case mjSENS_JOINTVEL:
      return CU_W(c, qvel)[m->jnt_dofadr[id]];
    case mjSENS_TENDONPOS:
      return CU_ROW(c, out.ten_length, m->ntendon)[id];
    case mjSENS_TENDONVEL:
      return CU_ROW(c, out.ten_velocity, m->ntendon)[id];
    case mjSENS_ACTUATORPOS:
      return CU_ROW(c, out.actuator_length, m->nu)[id];
    case mjSENS_ACTUATORVEL:
      return CU_ROW(c, out.actuator_velocity, m->nu)[id];
    case mjSENS_ACTUATORFRC:
      return CU_ROW(c, out.actuator_force, m->nu)[id];
    case mjSENS_JOINTACTFRC:
      return CU_ROW(c, out.qfrc_actuator, m->nv)[m->jnt_dofadr[id]];
    case mjSENS_TENDONACTFRC:
      for (int u = 0; u < m->nu; u++) {
        const int pulls = m->actuator_trntype[u] == mjTRN_TENDON && m->actuator_trnid[2 * u] == id;
        if (pulls) sum += CU_ROW(c, out.actuator_force, m->nu)[u];
      }
      return sum;
    case mjSENS_INSIDESITE:
      cu_frameOf(c, s->objtype, id, &f);
      return (Real)cu_insideSite(c, s->refid, f.pos);
    case mjSENS_E_POTENTIAL:
    case mjSENS_E_KINETIC:
      return CU_ROW(c, out.energy, 2)[s->type == mjSENS_E_KINETIC];
    case mjSENS_CLOCK: {
      Real time = c->t->state.time[c->sim];
      for (int k = 0; k < c->step; k++) time += m->timestep;
      return time;
    }
    default:
      return cu_limitSensor(c, s);
  }
}

// 1: three numbers of an array
CU_FN int cu_storedSensor(const Cu* c, const CuSensor* s, Real value[3]) {
  const CudModel* m = c->m;
  const int n = 3 * m->nbody;
  const Real* from = s->type == mjSENS_BALLANGVEL      ? CU_W(c, qvel) + m->jnt_dofadr[s->objid]
                     : s->type == mjSENS_SUBTREECOM    ? CU_ROW(c, out.subtree_com, n) + 3 * s->objid
                     : s->type == mjSENS_SUBTREELINVEL ? CU_ROW(c, out.subtree_linvel, n) + 3 * s->objid
                     : s->type == mjSENS_SUBTREEANGMOM ? CU_ROW(c, out.subtree_angmom, n) + 3 * s->objid
                                                       : 0;
  if (from) cu_copy3(value, from);
  return from != 0;
}

CU_FN void cu_sense(const Cu* c, const CuSensor* s, Real* value) {
  CuFrame f;
  switch (s->type) {
    case mjSENS_CONTACT:
      cu_contactSensor(c, s, value);
      return;
    case mjSENS_ACCELEROMETER:
    case mjSENS_VELOCIMETER:
    case mjSENS_GYRO:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      cu_bodySensor(c, s, value);
      return;
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
      cu_interaction(c, s, value);
      return;
    case mjSENS_MAGNETOMETER:
      cu_frameOf(c, mjOBJ_SITE, s->objid, &f);
      cu_mulMatT3(value, f.mat, c->t->watch.magnetic);
      return;
    case mjSENS_CAMPROJECTION:
      cu_project(c, s, value);
      return;
    case mjSENS_BALLQUAT:
      cu_copy4(value, CU_W(c, qpos) + c->m->jnt_qposadr[s->objid]);
      cu_unit4(value);
      return;
    case mjSENS_FRAMEPOS:
    case mjSENS_FRAMEQUAT:
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
      cu_framePlace(c, s, value);
      return;
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
      cu_frameVelocity(c, s, value);
      return;
    default:
      if (!cu_storedSensor(c, s, value)) value[0] = cu_scalarSensor(c, s);
  }
}

// clamps a value to the sensor's range
CU_FN void cu_cutoff(const CudWatch* w, int i, Real* value) {
  const Real cutoff = w->sensor_cutoff[i];
  if (cutoff <= 0 || w->sensor_type[i] == mjSENS_CONTACT) return;
  for (int k = 0; k < w->sensor_dim[i]; k++) {
    if (w->sensor_datatype[i] == mjDATATYPE_REAL) value[k] = cu_clip(value[k], -cutoff, cutoff);
    if (w->sensor_datatype[i] == mjDATATYPE_POSITIVE) value[k] = cu_min(cutoff, value[k]);
  }
}

CU_FN CuSensor cu_openSensor(const CudWatch* w, int i) {
  const CuSensor s = {
      i, w->sensor_type[i], w->sensor_objtype[i], w->sensor_objid[i], w->sensor_reftype[i], w->sensor_refid[i]};
  return s;
}

CU_FN void cu_sensors(const Cu* c) {
  const CudWatch* w = &c->t->watch;
  Real* data = CU_ROW(c, out.sensordata, w->nsensordata);
  for (int i = 0; i < w->nsensor; i++) {
    const CuSensor s = cu_openSensor(w, i);
    if (s.type == mjSENS_RANGEFINDER) cu_rangefinder(c, &s, data + w->sensor_adr[i]);
  }
  cu_sync();
  CU_FOR(i, w->nsensor) {
    const CuSensor s = cu_openSensor(w, i);
    if (s.type != mjSENS_RANGEFINDER) cu_sense(c, &s, data + w->sensor_adr[i]);
    cu_cutoff(w, i, data + w->sensor_adr[i]);
  }
  cu_sync();
}

//---------------------------------- bundles of rays ----------------------------------

// distances along the rays that a caller has described: a frame and directions in it
CU_FN void cu_bundle(const Cu* c, const CudBundle* b) {
  CuFrame f = {
      {0,  0, 0},
      { 1, 0, 0, 0, 1, 0, 0, 0, 1}
  };
  if (b->objtype != mjOBJ_UNKNOWN) cu_frameOf(c, b->objtype, b->objid, &f);
  if (b->upright) {
    // heading of the x axis only
    Real x[3] = {f.mat[0], f.mat[3], 0};
    cu_unit3(x);
    const Real mat[9] = {x[0], -x[1], 0, x[1], x[0], 0, 0, 0, 1};
    cu_copyN(f.mat, mat, 9);
  }
  const CuLook look = {b->groups, b->statics, b->except};
  CU_FOR(k, b->nray) {
    CuRay ray;
    Real normal[3], local[3];
    cu_mulMat3(local, f.mat, b->pnt + 3 * k);
    cu_add3(ray.pnt, f.pos, local);
    cu_mulMat3(ray.vec, f.mat, b->vec + 3 * k);
    const Real dist = cu_castRay(c, &ray, &look, normal);
    b->dist[(int64_t)c->sim * b->nray + k] = dist > b->cutoff ? R_(-1) : dist;
  }
}

//---------------------------------- all of it ----------------------------------

// frames that somebody asked for
CU_FN void cu_frames(const Cu* c, int type, int n, Real* xpos, Real* xmat) {
  CU_FOR(i, n) {
    CuFrame f;
    cu_frameOf(c, type, i, &f);
    if (xpos) cu_copy3(xpos + ((int64_t)c->sim * n + i) * 3, f.pos);
    if (xmat) cu_copyN(xmat + ((int64_t)c->sim * n + i) * 9, f.mat, 9);
  }
}

// what was asked for beyond the stages, after the first evaluation of the last step; a call, so that nothing of it
// weighs on the step
CU_CALL void cu_watch(const Cu* c) {
  const CudModel* m = c->m;
  const CudOutputs* out = &c->t->out;
  cu_sync();
  if (out->cacc) cu_bodyLoads(c);
  if (out->subtree_linvel) cu_subtrees(c);
  if (out->energy) cu_energy(c);
  if (out->site_xpos || out->site_xmat) cu_frames(c, mjOBJ_SITE, m->nsite, out->site_xpos, out->site_xmat);
  if (out->cam_xpos || out->cam_xmat) cu_frames(c, mjOBJ_CAMERA, c->t->watch.ncam, out->cam_xpos, out->cam_xmat);
  if (out->xmat) cu_frames(c, mjOBJ_XBODY, m->nbody, 0, out->xmat);
  if (out->ximat) cu_frames(c, mjOBJ_BODY, m->nbody, 0, out->ximat);
  if (c->t->watch.casts) cu_frames(c, mjOBJ_GEOM, m->ngeom, out->geom_xpos, out->geom_xmat);
  cu_sync();
  if (out->sensordata) cu_sensors(c);
  for (int i = 0; i < c->t->nbundle; i++) cu_bundle(c, c->t->bundle + i);
}
