// Derives from tree_asleep what is awake: the lists that other stages loop over, and the state of single objects.
#include "sleep/sleep.h"
#include "base/assert.h"

void slp_update(const mjModel* m, mjData* d, int staticawake) {
  slp_dropLists(d);
  d->ntree_awake = 0;
  for (int i = 0; i < m->ntree; i++) {
    d->tree_awake[i] = d->tree_asleep[i] < 0;
    d->ntree_awake += d->tree_awake[i];
  }

  // bodies: mocap bodies and what hangs on them can move at any time
  d->nbody_awake = d->nparent_awake = 0;
  for (int i = 0; i < m->nbody; i++) {
    const int tree = m->body_treeid[i];
    if (tree >= 0) {
      d->body_awake[i] = d->tree_awake[tree] ? mjS_AWAKE : mjS_ASLEEP;
    } else {
      const int moves = staticawake || m->body_mocapid[m->body_rootid[i]] >= 0;
      d->body_awake[i] = moves ? mjS_AWAKE : mjS_STATIC;
    }
    if (d->body_awake[i] != mjS_ASLEEP) d->body_awake_ind[d->nbody_awake++] = i;
    if (i && d->body_awake[m->body_parentid[i]] != mjS_ASLEEP) d->parent_awake_ind[d->nparent_awake++] = i;
  }

  // dofs
  d->nv_awake = 0;
  for (int i = 0; i < m->nv; i++) {
    const int body = m->dof_bodyid[i];
    if (m->body_treeid[body] >= 0 && d->body_awake[body] == mjS_AWAKE) d->dof_awake_ind[d->nv_awake++] = i;
  }
  BAS_CHECK(slp_assertLists(m, d));
}

void slp_assertLists(const mjModel* m, const mjData* d) {
  const int nbody = (int)m->nbody;
  BAS_ASSERT(d->ntree_awake >= 0 && d->ntree_awake <= m->ntree);
  BAS_ASSERT(d->nbody_awake <= nbody && d->nparent_awake < nbody && d->nv_awake <= m->nv);
  BAS_ASSERT(bas_isIncreasing(d->body_awake_ind, d->nbody_awake, 0, nbody));
  BAS_ASSERT(bas_isIncreasing(d->parent_awake_ind, d->nparent_awake, 1, nbody));
  BAS_ASSERT(bas_isIncreasing(d->dof_awake_ind, d->nv_awake, 0, (int)m->nv));
  for (int i = 0; i < m->ntree; i++) {
    BAS_ASSERT(d->tree_awake[i] == 0 || d->tree_awake[i] == 1);
    BAS_ASSERT(d->tree_awake[i] == (d->tree_asleep[i] < 0));
  }
  for (int i = 0; i < d->nbody_awake; i++) BAS_ASSERT(d->body_awake[d->body_awake_ind[i]] != mjS_ASLEEP);
  for (int i = 0; i < d->nv_awake; i++) BAS_ASSERT(d->tree_awake[m->dof_treeid[d->dof_awake_ind[i]]]);
}

// ---------------------------------------------------------------- objects

// a tendon sleeps when all the trees it spans do; beyond two trees nobody keeps track
static mjtSleepState tendonState(const mjModel* m, const mjData* d, int id) {
  const int num = m->tendon_treenum[id], *tree = m->tendon_treeid + 2 * id;
  if (num == 0) return mjS_STATIC;
  if (num > 2) return mjS_AWAKE;
  const int awake = d->tree_awake[tree[0]] || (num == 2 && d->tree_awake[tree[1]]);
  return awake ? mjS_AWAKE : mjS_ASLEEP;
}

static mjtSleepState actuatorState(const mjModel* m, const mjData* d, int id) {
  const int* target = m->actuator_trnid + 2 * id;
  switch (m->actuator_trntype[id]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return slp_state(m, d, mjOBJ_JOINT, target[0]);
    case mjTRN_TENDON:
      return tendonState(m, d, target[0]);
    case mjTRN_SITE:
      return slp_state(m, d, mjOBJ_SITE, target[0]);
    case mjTRN_BODY:
      return slp_state(m, d, mjOBJ_BODY, target[0]);
    case mjTRN_SLIDERCRANK: {
      const int awake =
          slp_state(m, d, mjOBJ_SITE, target[0]) == mjS_AWAKE || slp_state(m, d, mjOBJ_SITE, target[1]) == mjS_AWAKE;
      return awake ? mjS_AWAKE : mjS_ASLEEP;
    }
    default:
      return mjS_AWAKE;
  }
}

// an equality sleeps when neither side is awake; flexes never sleep
static mjtSleepState equalityState(const mjModel* m, const mjData* d, int id) {
  int objtype;
  switch (m->eq_type[id]) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      objtype = m->eq_objtype[id];
      break;
    case mjEQ_JOINT:
      objtype = mjOBJ_JOINT;
      break;
    case mjEQ_TENDON:
      objtype = mjOBJ_TENDON;
      break;
    default:
      return mjS_AWAKE;
  }
  const int obj[2] = {m->eq_obj1id[id], m->eq_obj2id[id]};
  for (int k = 0; k < 2; k++) {
    if (obj[k] >= 0 && slp_state(m, d, objtype, obj[k]) == mjS_AWAKE) return mjS_AWAKE;
  }
  return mjS_ASLEEP;
}

// a sensor sleeps when what it reads and what it refers to do; some read the whole scene and never sleep
static mjtSleepState sensorState(const mjModel* m, const mjData* d, int id) {
  const int objtype = m->sensor_objtype[id], reftype = m->sensor_reftype[id];
  switch (m->sensor_type[id]) {
    case mjSENS_USER:
    case mjSENS_PLUGIN:
    case mjSENS_RANGEFINDER:
      return mjS_AWAKE;
    case mjSENS_CONTACT:
      if (objtype == mjOBJ_SITE || reftype == mjOBJ_SITE) return mjS_AWAKE;
      break;
    default:
      break;
  }
  if (objtype == mjOBJ_UNKNOWN && reftype == mjOBJ_UNKNOWN) return mjS_AWAKE;

  // with one object only it must sleep; with two neither may be awake
  const mjtSleepState obj = slp_state(m, d, objtype, m->sensor_objid[id]);
  const mjtSleepState ref = slp_state(m, d, reftype, m->sensor_refid[id]);
  if (objtype == mjOBJ_UNKNOWN) return ref == mjS_ASLEEP ? mjS_ASLEEP : mjS_AWAKE;
  if (reftype == mjOBJ_UNKNOWN) return obj == mjS_ASLEEP ? mjS_ASLEEP : mjS_AWAKE;
  return obj == mjS_AWAKE || ref == mjS_AWAKE ? mjS_AWAKE : mjS_ASLEEP;
}

mjtSleepState slp_state(const mjModel* m, const mjData* d, int objtype, int id) {
  switch (objtype) {
    case mjOBJ_UNKNOWN:
      return mjS_AWAKE;
    case mjOBJ_BODY:
    case mjOBJ_XBODY:
      return d->body_awake[id];
    case mjOBJ_JOINT:
      return d->body_awake[m->jnt_bodyid[id]];
    case mjOBJ_DOF:
      return d->body_awake[m->dof_bodyid[id]];
    case mjOBJ_GEOM:
      return d->body_awake[m->geom_bodyid[id]];
    case mjOBJ_SITE:
      return d->body_awake[m->site_bodyid[id]];
    case mjOBJ_CAMERA:
      return d->body_awake[m->cam_bodyid[id]];
    case mjOBJ_LIGHT:
      return d->body_awake[m->light_bodyid[id]];
    case mjOBJ_TENDON:
      return tendonState(m, d, id);
    case mjOBJ_ACTUATOR:
      return actuatorState(m, d, id);
    case mjOBJ_EQUALITY:
      return equalityState(m, d, id);
    case mjOBJ_SENSOR:
      return sensorState(m, d, id);
    default:
      mju_error("mj_sleepState: unsupported object type %d", objtype);
      return mjS_AWAKE;
  }
}
