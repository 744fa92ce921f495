// The contact sensor: which contacts two sides have, the first few of them by a criterion, or their sum.
//
// A slot holds the requested fields of one contact. The normal points from the first side to the second: where the
// contact has them the other way round, its frame is turned by half a turn about the second tangent.
#include "collision/exact.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "sensor/sensor.h"

enum { REDUCE_NONE, REDUCE_MINDIST, REDUCE_MAXFORCE, REDUCE_NETFORCE };

// number of values of each field
static const int FIELD_SIZE[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3};

// a contact that matches
typedef struct {
  mjtNum criterion;  // smallest first
  int id;
  int flip;  // 1: the normal points from the second side to the first
} Match;

//---------------------------------- matching ----------------------------------

// 1: a side of a contact is the object, belongs to it, or there is no object to ask for
static int sideMatches(const mjModel* m, const mjData* d, int geom, mjtObj type, int id) {
  if (type == mjOBJ_UNKNOWN || type == mjOBJ_SITE) return 1;
  if (type == mjOBJ_GEOM) return geom == id || (geom > id && col_wholeGeom(m, d, geom) == id);
  int body = geom >= 0 ? m->geom_bodyid[geom] : -1;
  if (type == mjOBJ_BODY) return body == id;

  // a subtree: some ancestor is its root; ancestors have smaller numbers
  while (body > id) body = m->body_parentid[body];
  return body == id;
}

// 0: no match, 1: as the contact has it, -1: with the sides exchanged
static int matchContact(const mjModel* m, const mjData* d, const SenSensor* s, int id) {
  const mjContact* con = d->contact + id;
  const int has1 = s->objtype != mjOBJ_UNKNOWN, has2 = s->reftype != mjOBJ_UNKNOWN;
  if (!has1 && !has2) return 1;
  if (s->objtype == mjOBJ_SITE && !sen_insideSite(m, d, s->objid, con->pos)) return 0;

  const int first1 = sideMatches(m, d, con->geom[0], s->objtype, s->objid);
  const int second1 = sideMatches(m, d, con->geom[1], s->objtype, s->objid);
  const int first2 = sideMatches(m, d, con->geom[0], s->reftype, s->refid);
  const int second2 = sideMatches(m, d, con->geom[1], s->reftype, s->refid);
  if ((!first1 && !second1) || (!first2 && !second2)) return 0;
  if (has1 && has2) {
    if (first1 && second2) return 1;
    return second1 && first2 ? -1 : 0;
  }
  if (has1) return first1 ? 1 : -1;
  return second2 ? 1 : -1;
}

static int findMatches(const mjModel* m, const mjData* d, const SenSensor* s, int reduce, Match* match) {
  int n = 0;
  for (int j = 0; j < d->ncon; j++) {
    const int direction = matchContact(m, d, s, j);
    if (!direction) continue;
    match[n] = (Match){0, j, direction < 0};
    if (reduce == REDUCE_MINDIST) {
      match[n].criterion = d->contact[j].dist;
    } else if (reduce == REDUCE_MAXFORCE) {
      mjtNum force[6];
      mj_contactForce(m, d, j, force);
      match[n].criterion = -mth_dot3(force, force);
    }
    n++;
  }
  return n;
}

// brings the k smallest to the front, in order; equal ones keep theirs
static void selectSmallest(Match* match, int n, int k) {
  for (int i = 0; i < k; i++) {
    int best = i;
    for (int j = i + 1; j < n; j++) {
      const int less = match[j].criterion < match[best].criterion;
      const int tie = match[j].criterion == match[best].criterion && match[j].id < match[best].id;
      if (less || tie) best = j;
    }
    const Match kept = match[i];
    match[i] = match[best];
    match[best] = kept;
  }
}

//---------------------------------- output ----------------------------------

// what a slot can hold
typedef struct {
  mjtNum found, force[3], torque[3], distance, pos[3], normal[3], tangent[3];
} Slot;

static mjtNum* writeSlot(mjtNum* out, int fields, const Slot* slot) {
  const mjtNum* source[mjNCONDATA] = {&slot->found, slot->force,  slot->torque, &slot->distance,
                                      slot->pos,    slot->normal, slot->tangent};
  for (int k = 0; k < mjNCONDATA; k++) {
    if (!(fields & 1 << k)) continue;
    mth_copy(out, source[k], FIELD_SIZE[k]);
    out += FIELD_SIZE[k];
  }
  return out;
}

static Slot slotOf(const mjModel* m, const mjData* d, const Match* match, int nmatch) {
  const mjContact* con = d->contact + match->id;
  Slot slot = {.found = nmatch, .distance = con->dist};
  mjtNum wrench[6];
  mj_contactForce(m, d, match->id, wrench);
  const mjtNum sign = match->flip ? -1 : 1;
  mth_copy3(slot.force, wrench);
  mth_copy3(slot.torque, wrench + 3);
  slot.force[2] *= sign;
  slot.torque[2] *= sign;
  mth_copy3(slot.pos, con->pos);
  mth_scl3(slot.normal, con->frame, sign);
  mth_scl3(slot.tangent, con->frame + 3, sign);
  return slot;
}

// all contacts as one force and torque at their force-weighted centre, in the world frame
static Slot netOf(const mjModel* m, mjData* d, const Match* match, int nmatch) {
  Slot slot = {
      .found = nmatch, .normal = {1, 0, 0},
           .tangent = {0, 1, 0}
  };
  mjtNum* wrench = mj_stackAllocNum(d, 6 * (size_t)nmatch);
  mjtNum total = 0;
  for (int j = 0; j < nmatch; j++) {
    mj_contactForce(m, d, match[j].id, wrench + 6 * j);
    if (match[j].flip) mth_scl(wrench + 6 * j, wrench + 6 * j, -1, 6);
    const mjtNum weight = mth_norm3(wrench + 6 * j);
    mth_addToScl3(slot.pos, d->contact[match[j].id].pos, weight);
    total += weight;
  }
  mth_scl3(slot.pos, slot.pos, 1 / (total > mjMINVAL ? total : mjMINVAL));
  for (int j = 0; j < nmatch; j++) {
    const mjContact* con = d->contact + match[j].id;
    mjtNum force[3], torque[3], arm[3], moment[3];
    mth_mulMatTVec3(force, con->frame, wrench + 6 * j);
    mth_mulMatTVec3(torque, con->frame, wrench + 6 * j + 3);
    mth_addTo3(slot.force, force);
    mth_addTo3(slot.torque, torque);
    mth_sub3(arm, con->pos, slot.pos);
    mth_cross3(moment, arm, force);
    mth_addTo3(slot.torque, moment);
  }
  return slot;
}

void sen_contact(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value) {
  const int fields = m->sensor_intprm[s->id * mjNSENS], reduce = m->sensor_intprm[s->id * mjNSENS + 1];
  const int dim = m->sensor_dim[s->id];
  int size = 0;
  for (int k = 0; k < mjNCONDATA; k++) size += fields & 1 << k ? FIELD_SIZE[k] : 0;
  mth_zero(value, dim);
  if (!size) return;

  mj_markStack(d);
  Match* match = mj_stackAllocByte(d, sizeof(Match) * (size_t)d->ncon, _Alignof(Match));
  const int nmatch = findMatches(m, d, s, reduce, match);
  if (reduce == REDUCE_NETFORCE) {
    const Slot slot = netOf(m, d, match, nmatch);
    writeSlot(value, fields, &slot);
  } else {
    const int nslot = nmatch < dim / size ? nmatch : dim / size;
    if (reduce != REDUCE_NONE) selectSmallest(match, nmatch, nslot);
    for (int j = 0; j < nslot; j++) {
      const Slot slot = slotOf(m, d, match + j, nmatch);
      value = writeSlot(value, fields, &slot);
    }
  }
  mj_freeStack(d);
}
