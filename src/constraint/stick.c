// Friction with memory.
//
// The rows of the reference's friction have no stiffness: a contact that carries a tangential force f creeps at
// f·R/B. A contact that sticks remembers the tangential displacement u of its surfaces since they met, and its friction
// rows get the reference acceleration −B·v − K·I·u; so it rests at u = −f·R/(K·I), and does not creep. What the spring
// alone would give beyond the friction cone is slip: u is cut to the cone (Cundall, Strack 1979). Rotations about the
// normal and the tangents do the same in the rows of condim 4 and 6.
//
// u is summed from step to step: the material points of both bodies that met in the last contact are followed to where
// they are now. So rolling adds nothing, and errors of integration do not add up while two bodies move as one. A step
// reads anchors and writes pending ones; only its end turns these into anchors: evaluating a state twice gives the
// same.
#include "constraint/stick.h"

#include <math.h>
#include <string.h>

#include "constraint/rows.h"
#include "math/quat.h"
#include "math/vec.h"
#include "physics/stick.h"

// how far a contact may be from where its anchor is now, as a part of the smaller geom: beyond, it is a new one
#define REACH 0.5

// the bodies of a contact
typedef struct {
  const mjtNum *pos[2], *mat[2], *quat[2];
} Pose;

static Pose poseOf(const mjModel* m, const mjData* d, const mjContact* con) {
  Pose p;
  for (int s = 0; s < 2; s++) {
    const int body = m->geom_bodyid[con->geom[s]];
    p.pos[s] = d->xpos + 3 * body;
    p.mat[s] = d->xmat + 9 * body;
    p.quat[s] = d->xquat + 4 * body;
  }
  return p;
}

//---------------------------------- matching ----------------------------------

// where a point of an anchor is now
static void pointNow(mjtNum res[3], const Pose* p, const MdlAnchor* a, int side) {
  mth_mulMatVec3(res, p->mat[side], a->point[side]);
  mth_addTo3(res, p->pos[side]);
}

static int isPair(const MdlAnchor* a, const mjContact* con) {
  return a->geom[0] == con->geom[0] && a->geom[1] == con->geom[1];
}

// square of the distance within which a contact of two geoms is the one of before; planes and the like have no size
static mjtNum reachSquare(const mjModel* m, const mjContact* con) {
  const mjtNum r0 = m->geom_rbound[con->geom[0]], r1 = m->geom_rbound[con->geom[1]];
  const mjtNum r = r0 <= 0 ? r1 : r1 <= 0 ? r0 : mth_min(r0, r1);
  return REACH * REACH * r * r;
}

// The nearest anchor of the same pair, NULL: none. Contacts of a pair stand together and in the order of the last step:
// the search goes on from the last one found. Several contacts of a face may have the same anchor.
static const MdlAnchor* findAnchor(const mjModel* m, MdlAnchors* s, const mjContact* con, const Pose* p, int* cursor) {
  const MdlAnchor* const list = mdl_anchor(s);
  int first = *cursor, left = s->count;
  while (left > 0 && !isPair(list + first, con)) {
    first = first + 1 < s->count ? first + 1 : 0;
    left--;
  }
  if (!left) return NULL;
  while (first > 0 && isPair(list + first - 1, con)) first--;
  *cursor = first;

  const MdlAnchor* best = NULL;
  mjtNum least = reachSquare(m, con);
  for (int i = first; i < s->count && isPair(list + i, con); i++) {
    mjtNum x[2][3];
    for (int k = 0; k < 2; k++) pointNow(x[k], p, list + i, k);
    mth_addTo3(x[0], x[1]);
    mth_scl3(x[0], x[0], 0.5);
    const mjtNum square = mth_distSqr3(x[0], con->pos);
    if (square < least) {
      least = square;
      best = list + i;
    }
  }
  return best;
}

//---------------------------------- displacement ----------------------------------

static void toBodies(mjtNum res[2][3], const Pose* p, const mjtNum world[3]) {
  for (int s = 0; s < 2; s++) mth_mulMatTVec3(res[s], p->mat[s], world);
}

// a vector that was kept in both frames, turned along with them on average; its length stays. normal: NULL, or what it
// must be perpendicular to
static void carry(mjtNum res[3], const Pose* p, const mjtNum kept[2][3], const mjtNum* normal) {
  mjtNum other[3];
  const mjtNum length = mth_norm3(kept[0]);
  mth_mulMatVec3(res, p->mat[0], kept[0]);
  mth_mulMatVec3(other, p->mat[1], kept[1]);
  mth_addTo3(res, other);
  if (normal) mth_addToScl3(res, normal, -mth_dot3(res, normal));
  const mjtNum now = mth_norm3(res);
  mth_scl3(res, res, now > mjMINVAL ? length / now : 0);
}

// what a contact leaves behind: where it is, and how far it has moved since its anchor was laid (NULL: nothing)
static void follow(const mjContact* con, const Pose* p, const MdlAnchor* a, MdlAnchor* now) {
  mjtNum inverse[4], slide[3] = {0}, turn[3] = {0};
  for (int s = 0; s < 2; s++) {
    mjtNum arm[3];
    mth_sub3(arm, con->pos, p->pos[s]);
    mth_mulMatTVec3(now->point[s], p->mat[s], arm);
    now->geom[s] = con->geom[s];
  }
  now->normal = a ? a->normal : 0;
  mth_negQuat(inverse, p->quat[0]);
  mth_mulQuat(now->quat, inverse, p->quat[1]);
  mth_normalize4(now->quat);
  if (a) {
    // the two points that had met
    mjtNum x[2][3], step[3], change[4];
    for (int s = 0; s < 2; s++) pointNow(x[s], p, a, s);
    mth_sub3(step, x[1], x[0]);
    mth_addToScl3(step, con->frame, -mth_dot3(step, con->frame));
    carry(slide, p, a->slide, con->frame);
    mth_addTo3(slide, step);

    // rotation since then, in the frame of the second body
    mth_negQuat(inverse, a->quat);
    mth_mulQuat(change, inverse, now->quat);
    mth_quat2Vel(x[0], change, 1);
    mth_mulMatVec3(step, p->mat[1], x[0]);
    carry(turn, p, a->turn, NULL);
    mth_addTo3(turn, step);
  }
  toBodies(now->slide, p, slide);
  toBodies(now->turn, p, turn);
}

//---------------------------------- rows ----------------------------------

static int isPyramid(const mjData* d, int row) {
  return d->efc_type[row] == mjCNSTR_CONTACT_PYRAMIDAL;
}

// displacement along friction direction j of the contact, 1 to dim - 1
static mjtNum component(const mjContact* con, const Pose* p, const MdlAnchor* now, int j) {
  mjtNum world[3];
  mth_mulMatVec3(world, p->mat[0], j < 3 ? now->slide[0] : now->turn[0]);
  return mth_dot3(world, con->frame + 3 * (j < 3 ? j : j - 3));
}

// How much stiffer and more damped rotation is than its row alone would make it. Friction against rotation is small,
// and its rows are soft in proportion to its square; this makes the motion as quick as that of the normal.
static mjtNum turnGain(const mjModel* m, const mjData* d, const mjContact* con, int j) {
  const int row = con->efc_address;
  const mjtNum imp = d->efc_KBIP[4 * row + 2], mu = con->friction[j - 1];
  mjtNum inverse = 0;
  for (int s = 0; s < 2; s++) inverse += m->body_invweight0[2 * m->geom_bodyid[con->geom[s]] + 1];
  const mjtNum R = isPyramid(d, row) ? d->efc_R[row] / (2 * mu * mu) : d->efc_R[row + j];
  return mth_max(1, imp * (1 + R / mth_max(mjMINVAL, inverse)));
}

// residual and stiffness of the friction rows of a contact
static void writeRows(const mjModel* m, mjData* d, const mjContact* con, const MdlAnchor* now, mjtNum stick) {
  const Pose p = poseOf(m, d, con);
  const int row = con->efc_address, pyramidal = isPyramid(d, row);

  // stiffness that the integrator can follow
  const mjtNum h = m->opt.timestep, safe = m->opt.disableflags & mjDSBL_REFSAFE ? mjMAXVAL : 1 / (h * h);
  const mjtNum K = mth_min(safe, stick * con_frictionStiffness(m, d, row)), normal = d->efc_KBIP[4 * row];
  if (pyramidal && normal <= 0) return;
  for (int j = 1; j < con->dim; j++) {
    const mjtNum gain = j < 3 ? K : K * turnGain(m, d, con, j), u = component(con, &p, now, j);
    if (!pyramidal) {
      d->efc_pos[row + j] = u;
      d->efc_KBIP[4 * (row + j)] = gain;
      continue;
    }

    // both edges have the stiffness of the normal
    const int edge = row + 2 * (j - 1);
    const mjtNum share = con->friction[j - 1] * u * gain / normal;
    d->efc_pos[edge] = con->dist + share;
    d->efc_pos[edge + 1] = con->dist - share;
  }
}

//---------------------------------- cone ----------------------------------

static mjtNum normalForce(const mjData* d, const mjContact* con) {
  const int row = con->efc_address;
  if (!isPyramid(d, row)) return d->efc_force[row];
  mjtNum sum = 0;
  for (int k = 0; k < 2 * (con->dim - 1); k++) sum += d->efc_force[row + k];
  return sum;
}

// what the springs of sliding and of turning want, as the normal force whose cone would hold it; squares where the cone
// is round
static void wanted(const mjData* d, const mjContact* con, mjtNum size[2]) {
  const int row = con->efc_address, pyramidal = isPyramid(d, row);
  size[0] = size[1] = 0;
  for (int j = 1; j < con->dim; j++) {
    const int r = pyramidal ? row + 2 * (j - 1) : row + j;
    const mjtNum spring = d->efc_KBIP[4 * r] * d->efc_KBIP[4 * r + 2] * d->efc_D[r];
    const mjtNum part = d->efc_pos[r] * spring / con->friction[j - 1];

    // a pyramid at its limit rests on one edge, which carries the normal force alone
    size[j > 2] += pyramidal ? fabs(d->efc_pos[r] - con->dist) * spring : part * part;
  }
}

// Cuts the displacement of a contact to what the cone of a normal force holds: sliding first, turning gets what that
// leaves. Returns 1 where turning is within a tenth of that.
static int cut(const mjData* d, const mjContact* con, mjtNum normal, MdlAnchor* a) {
  mjtNum size[2], left = mth_max(0, normal);
  const int round = !isPyramid(d, con->efc_address);
  int near = 0;
  wanted(d, con, size);
  if (round) left *= left;
  for (int k = 0; k < 2; k++) {
    near = size[k] > (round ? 0.81 : 0.9) * left;
    if (size[k] <= left) {
      left -= size[k];
      continue;
    }
    const mjtNum part = round ? sqrt(left / size[k]) : left / size[k];
    for (int s = 0; s < 2; s++) mth_scl3(k ? a->turn[s] : a->slide[s], k ? a->turn[s] : a->slide[s], part);
    left = 0;
  }
  return near;
}

void con_stickRows(const mjModel* m, mjData* d) {
  // room for these and for the anchors of what sleeps
  const int asleep = m->opt.enableflags & mjENBL_SLEEP ? ((const MdlAnchors*)mdl_section(d, MDL_ANCHORS))->count : 0;
  MdlAnchors* const s = mdl_reserveAnchors(d, d->ncon + asleep);
  int n = 0, cursor = 0;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (con->exclude || con->efc_address < 0 || con->dim < 3 || con->geom[0] < 0 || con->geom[1] < 0) continue;
    const mjtNum stick = phy_stickOf(m, s, con->geom);
    if (stick <= 0) continue;
    const Pose p = poseOf(m, d, con);
    MdlAnchor* const now = mdl_pendingAnchor(s) + n;
    follow(con, &p, findAnchor(m, s, con, &p, &cursor), now);
    mdl_pendingContact(s)[n++] = i;
    writeRows(m, d, con, now, stick);

    // the step shall not want more than the cone of the last one
    if (!now->normal) continue;
    cut(d, con, fabs(now->normal), now);
    writeRows(m, d, con, now, stick);
  }
  s->npending = n;
}

void con_stickReference(const mjModel* m, mjData* d) {
  MdlAnchors* const s = phy_stick(m, d);
  for (int i = 0; s && i < s->npending; i++) {
    const mjContact* con = d->contact + mdl_pendingContact(s)[i];
    const int row = con->efc_address, pyramidal = isPyramid(d, row);
    const mjtNum normal = mdl_pendingAnchor(s)[i].normal;
    for (int j = 3; j < con->dim && normal > 0; j++) {
      // what slips is damped enough; what is held, at most as the cone allows
      const int r = pyramidal ? row + 2 * (j - 1) : row + j;
      const mjtNum speed = pyramidal ? (d->efc_vel[r] - d->efc_vel[r + 1]) / 2 : d->efc_vel[r];
      const mjtNum most = d->efc_R[r] * normal * (pyramidal ? 1 : con->friction[j - 1]);
      const mjtNum more = d->efc_KBIP[4 * row + 1] * (turnGain(m, d, con, j) - 1) * speed;
      const mjtNum share = mth_clip(more, -most, most);
      d->efc_aref[r] -= share;
      if (pyramidal) d->efc_aref[r + 1] += share;
    }
  }
}

//---------------------------------- end of the step ----------------------------------

// 1: no contact of the pair can be found, because both sides are asleep or fixed
static int rests(const mjModel* m, const mjData* d, const MdlAnchor* a) {
  for (int s = 0; s < 2; s++) {
    if (d->body_awake[m->body_weldid[m->geom_bodyid[(int)a->geom[s]]]] == mjS_AWAKE) return 0;
  }
  return 1;
}

void con_stickAdvance(const mjModel* m, mjData* d) {
  MdlAnchors* const s = phy_stick(m, d);
  if (!s) return;

  // anchors of what sleeps stay
  int n = 0;
  if ((m->opt.enableflags & mjENBL_SLEEP) && d->ntree_awake < m->ntree) {
    for (int i = 0; i < s->count; i++) {
      if (rests(m, d, mdl_anchor(s) + i)) mdl_anchor(s)[n++] = mdl_anchor(s)[i];
    }
  }
  for (int i = 0; i < s->npending && d->nefc; i++) {
    const mjContact* con = d->contact + mdl_pendingContact(s)[i];
    MdlAnchor* const a = mdl_anchor(s) + n++;
    *a = mdl_pendingAnchor(s)[i];
    const mjtNum normal = normalForce(d, con);
    a->normal = cut(d, con, normal, a) ? -normal : normal;
  }
  s->count = n;
}
