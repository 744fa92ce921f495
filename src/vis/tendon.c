// Tendons and actuators. A slack tendon between two sites hangs as a catenary, y = c cosh(x / c) up to shifts.
#include <math.h>
#include <string.h>

#include "force/actuator.h"
#include "math/elem.h"
#include "math/vec.h"
#include "vis/vis.h"

// most points along a hanging tendon
#define MOST_POINTS 100
// ropes this many times longer than the distance they span hang as two straight parts
#define NARROW 100
// the equation of the catenary is solved to this residual, in at most so many Newton steps of at most so many halvings
#define RESIDUAL      1e-9
#define MOST_STEPS    50
#define MOST_HALVINGS 10
// parts of a tendon inside what it wraps are thinner
#define INSIDE_WIDTH 0.5
// shapes that stand for an actuator are larger than the site or geom they cover
#define COVER 1.05
// size of the shape at a ball or free joint that is driven, in joint lengths
#define JOINT_COVER 0.33

//---------------------------------- catenary ----------------------------------------------------------------------

static mjtNum coshOf(mjtNum x) {
  const mjtNum e = mth_exp(x);
  return 0.5 * (e + 1 / e);
}

static mjtNum sinhOf(mjtNum x) {
  const mjtNum e = mth_exp(x);
  return 0.5 * (e - 1 / e);
}

// a rope of this flatness b (c over the span) has 1/sqrt(2 b sinh(1 / 2b) - 1) equal to the wanted value; nearly linear
static mjtNum flatnessError(mjtNum b, mjtNum wanted) {
  return 1 / sqrt(2 * b * sinhOf(0.5 / b) - 1) - wanted;
}

static mjtNum flatnessSlope(mjtNum b) {
  const mjtNum a = 0.5 / b, sinh = sinhOf(a);
  return (a * coshOf(a) - sinh) * mth_pow(2 * b * sinh - 1, -1.5);
}

// flatness of a rope of the given length over a span and a rise
static mjtNum flatness(mjtNum span, mjtNum rise, mjtNum length) {
  const mjtNum wanted = 1 / sqrt(sqrt(length * length - rise * rise) / span - 1);
  mjtNum b = wanted / sqrt(24);
  for (int k = 0; k < MOST_STEPS; k++) {
    const mjtNum error = flatnessError(b, wanted);
    if (fabs(error) < RESIDUAL) break;
    mjtNum step = -error / flatnessSlope(b);
    for (int j = 0; j < MOST_HALVINGS && !(fabs(flatnessError(b + step, wanted)) < fabs(error)); j++) step *= 0.5;
    b += step;
  }
  return b;
}

// points of a rope between two ends; returns how many
static int hang(const mjtNum end[2][3], const mjtNum gravity[3], mjtNum length, int npoint, mjtNum* point) {
  // taut
  if (mth_dist3(end[0], end[1]) > length) {
    memcpy(point, end, 6 * sizeof(mjtNum));
    return 2;
  }

  // plane of the rope: upwards and across
  mjtNum up[3], chord[3], across[3];
  mth_neg3(up, gravity);
  mth_normalize3(up);
  mth_sub3(chord, end[1], end[0]);
  const mjtNum rise = mth_dot3(chord, up);
  mth_addScl3(across, chord, up, -rise);
  if (mth_normalize3(across) < mjMINVAL) mth_zero3(across);
  const mjtNum span = mth_dot3(chord, across);

  // ends nearly above each other: as if a bead slid on the rope
  if (length > NARROW * span) {
    const mjtNum down = -0.5 * (sqrt(length * length - span * span) - rise);
    mth_copy3(point, end[0]);
    mth_addScl3(point + 3, end[0], up, down);
    mth_addToScl3(point + 3, across, span * down / (2 * down - rise));
    mth_copy3(point + 6, end[1]);
    return 3;
  }

  // curve through the first end; x is measured from there
  const mjtNum c = flatness(span, rise, length) * span;
  const mjtNum lowest = -0.5 * (mth_log((length + rise) / (length - rise)) * c - span);
  const mjtNum base = -coshOf(lowest / c) * c;
  for (int i = 0; i < npoint; i++) {
    const mjtNum x = i * span / npoint;
    mth_addScl3(point + 3 * i, end[0], across, x);
    mth_addToScl3(point + 3 * i, up, c * coshOf((x - lowest) / c) + base);
  }
  mth_copy3(point, end[0]);
  mth_copy3(point + 3 * (npoint - 1), end[1]);
  return npoint;
}

// length of a tendon that hangs like a rope, -1 for all others
static mjtNum ropeLength(const mjModel* m, const mjData* d, int id) {
  // nothing but gravity and one length matters
  if (m->opt.disableflags & mjDSBL_GRAVITY || mth_norm3(m->opt.gravity) <= mjMINVAL) return -1;
  if (m->tendon_num[id] != 2 || m->tendon_damping[id] != 0 || m->tendon_frictionloss[id] != 0) return -1;
  for (int j = 0; j < m->nu; j++) {
    if (m->actuator_trntype[j] == mjTRN_TENDON && m->actuator_trnid[2 * j] == id) return -1;
  }

  // that length is where a spring or a limit begins to act
  const mjtNum *spring = m->tendon_lengthspring + 2 * id, *range = m->tendon_range + 2 * id;
  if (m->tendon_stiffness[id] != 0) return spring[0] == 0 && spring[1] > 0 ? spring[1] : -1;
  return m->tendon_limited[id] == 1 && range[0] == 0 && d->ten_length[id] < range[1] ? range[1] : -1;
}

//---------------------------------- tendons -----------------------------------------------------------------------

// the next stretch of a tendon's path from position *j on, NULL after the last; pulleys interrupt it
static const mjtNum* nextStretch(const mjData* d, int tendon, int* j) {
  const int end = d->ten_wrapadr[tendon] + d->ten_wrapnum[tendon] - 1;
  while (*j < end && (d->wrap_obj[*j] == -2 || d->wrap_obj[*j + 1] == -2)) ++*j;
  return *j < end ? d->wrap_xpos + 3 * (*j)++ : NULL;
}

// a stretch between two points of a wrapping geom is thinner
static mjtNum stretchWidth(const mjModel* m, const mjData* d, int tendon, int j) {
  const int inside = d->wrap_obj[j] >= 0 && d->wrap_obj[j + 1] >= 0;
  return inside ? INSIDE_WIDTH * m->tendon_width[tendon] : m->tendon_width[tendon];
}

// a tendon of the default colour turns towards that of constraints as its limit takes hold
static void tendonColour(const VisView* v, int id, float rgba[4]) {
  const float* const own = v->m->tendon_rgba + 4 * id;
  memcpy(rgba, own, 4 * sizeof(float));
  if (v->m->tendon_matid[id] != -1 || own[0] != 0.5f || own[1] != 0.5f || own[2] != 0.5f || own[3] != 1) return;
  const mjtNum share = vis_limitImpedance(v->d, mjCNSTR_LIMIT_TENDON, id);
  for (int k = 0; k < 3; k++) rgba[k] = (float)((1 - share) * own[k] + share * v->m->vis.rgba.constraint[k]);
}

static void addPath(const VisView* v, int id) {
  const mjModel* const m = v->m;
  const mjData* const d = v->d;
  float rgba[4];
  tendonColour(v, id, rgba);
  int j = d->ten_wrapadr[id];
  for (const mjtNum* from; (from = nextStretch(d, id, &j));) {
    // the name stands at the beginning
    const int first = j - 1 == d->ten_wrapadr[id];
    const VisTag tag = {mjOBJ_TENDON, id, mjCAT_DYNAMIC, first ? mjLABEL_TENDON : mjLABEL_NONE};
    const mjtNum width = stretchWidth(m, d, id, j - 1);
    mjvGeom* const geom = vis_addLink(v, &tag, &(VisLink){mjGEOM_CAPSULE, width, from, from + 3, NULL});
    if (!geom) return;
    vis_setMaterial(v, geom, m->tendon_matid[id], rgba);
    if (!v->opt->flags[mjVIS_ISLAND]) continue;
    const int row = d->nisland ? d->tendon_efcadr[id] : -1;
    geom->matid = -1;
    vis_islandColour(geom->rgba, row >= 0 ? d->island_dofadr[d->efc_island[row]] : -1, 1);
  }
}

static void addRope(const VisView* v, int id, mjtNum length) {
  const mjModel* const m = v->m;
  const VisTag tag = {mjOBJ_TENDON, id, mjCAT_DYNAMIC, mjLABEL_TENDON};
  mjtNum end[2][3], point[3 * MOST_POINTS];
  memcpy(end, v->d->wrap_xpos + 3 * v->d->ten_wrapadr[id], sizeof(end));
  const int most = mth_maxInt(1, mth_minInt(m->vis.quality.numslices + 1, MOST_POINTS));
  const int n = hang(end, m->opt.gravity, length, most, point);
  for (int j = 0; j < n - 1; j++) {
    const VisLink link = {mjGEOM_CAPSULE, m->tendon_width[id], point + 3 * j, point + 3 * j + 3, NULL};
    mjvGeom* const geom = vis_addLink(v, &tag, &link);
    if (!geom) return;
    vis_setMaterial(v, geom, m->tendon_matid[id], m->tendon_rgba + 4 * id);
  }
}

void vis_addTendons(const VisView* v) {
  if (!(v->catmask & mjCAT_DYNAMIC)) return;
  for (int i = 0; i < v->m->ntendon; i++) {
    if (!vis_shown(v->opt->tendongroup, v->m->tendon_group[i])) continue;
    const mjtNum length = ropeLength(v->m, v->d, i);
    if (length < 0) {
      addPath(v, i);
    } else {
      addRope(v, i, length);
    }
  }
}

//---------------------------------- slider-cranks -----------------------------------------------------------------

void vis_addSliderCranks(const VisView* v) {
  const mjModel* const m = v->m;
  const float width = v->unit * m->vis.scale.slidercrank;
  if (!(v->catmask & mjCAT_DYNAMIC)) return;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] != mjTRN_SLIDERCRANK) continue;
    const mjtNum* const crank = v->d->site_xpos + 3 * m->actuator_trnid[2 * i];
    const int slider = m->actuator_trnid[2 * i + 1];
    const mjtNum *const origin = v->d->site_xpos + 3 * slider, rod = m->actuator_cranklength[i];

    // where the rod meets the slider's axis; out of reach the nearest point stands in
    mjtNum axis[3], gap[3], end[3];
    mth_col3(axis, v->d->site_xmat + 9 * slider, 2);
    mth_sub3(gap, crank, origin);
    const mjtNum along = mth_dot3(gap, axis);
    const mjtNum reach = along * along + rod * rod - mth_dot3(gap, gap);
    mth_addScl3(end, origin, axis, along - sqrt(mth_max(reach, 0)));

    const VisTag named = {mjOBJ_ACTUATOR, i, mjCAT_DYNAMIC, mjLABEL_ACTUATOR};
    const VisTag tag = {mjOBJ_ACTUATOR, i, mjCAT_DYNAMIC, mjLABEL_NONE};
    const float* const rgba = m->vis.rgba.slidercrank;
    vis_addLink(v, &named, &(VisLink){mjGEOM_CYLINDER, width, origin, end, rgba});
    const VisLink link = {mjGEOM_CAPSULE, width / 2, end, crank, reach < 0 ? m->vis.rgba.crankbroken : rgba};
    vis_addLink(v, &tag, &link);
  }
}

//---------------------------------- actuators ---------------------------------------------------------------------

// between the colours of negative, idle and positive as control or activation lies in its range
static void driveColour(const VisView* v, int id, float rgba[4]) {
  const mjModel* const m = v->m;
  const int activation = v->opt->flags[mjVIS_ACTIVATION];
  mjtNum low = -1, high = 1;
  if (m->actuator_ctrllimited[id]) {
    low = m->actuator_ctrlrange[2 * id];
    high = m->actuator_ctrlrange[2 * id + 1];
  } else if (activation && m->actuator_actlimited[id]) {
    low = m->actuator_actrange[2 * id];
    high = m->actuator_actrange[2 * id + 1];
  }

  // ends and idle point; a range on one side of zero idles at its end and is extended to the other side
  mjtNum bottom = low >= 0 ? -1 : low, top = low >= 0 || high > 0 ? high : 1;
  const mjtNum idle = low >= 0 ? low : high <= 0 ? high : 0;
  if (idle - bottom < mjMINVAL) bottom = idle - mjMINVAL;
  if (top - idle < mjMINVAL) top = idle + mjMINVAL;

  const mjtNum input = activation && m->actuator_dyntype[id]
                           ? v->d->act[m->actuator_actadr[id] + m->actuator_actnum[id] - 1]
                           : v->d->ctrl[id];
  const mjtNum drive = mth_clip(input, bottom, top);
  const int negative = drive <= idle;
  const mjtNum share =
      negative ? (idle - drive) / mth_max(mjMINVAL, idle - bottom) : (drive - idle) / mth_max(mjMINVAL, top - idle);
  const float weight = (float)share;
  const float* const full = negative ? m->vis.rgba.actuatornegative : m->vis.rgba.actuatorpositive;
  for (int k = 0; k < 4; k++) rgba[k] = (1 - weight) * m->vis.rgba.actuator[k] + weight * full[k];
}

// the shape of a site or geom, a bit larger
static void addCover(const VisView* v, const VisTag* tag, const VisShape* shape) {
  mjtNum size[3];
  mth_scl3(size, shape->size, COVER);
  VisShape cover = *shape;
  cover.size = size;
  vis_addShape(v, tag, &cover);
}

// an arrow along the axis of a hinge or slide, a ball or box at other joints
static void addDrivenJoint(const VisView* v, const VisTag* tag, int joint, const float rgba[4]) {
  const mjModel* const m = v->m;
  const int type = m->jnt_type[joint];
  const mjtNum* const anchor = v->d->xanchor + 3 * joint;
  if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
    mjtNum to[3];
    mth_addScl3(to, anchor, v->d->xaxis + 3 * joint, m->vis.scale.actuatorlength * v->unit);
    const int arrow = type == mjJNT_SLIDE ? mjGEOM_ARROW : mjGEOM_ARROW1;
    vis_addLink(v, tag, &(VisLink){arrow, m->vis.scale.actuatorwidth * v->unit, anchor, to, rgba});
    return;
  }
  const mjtNum half = m->vis.scale.jointlength * v->unit * JOINT_COVER, size[3] = {half, half, half};
  const mjtNum* const mat = v->d->xmat + 9 * m->jnt_bodyid[joint];
  vis_addShape(v, tag, &(VisShape){type == mjJNT_BALL ? mjGEOM_SPHERE : mjGEOM_BOX, size, anchor, mat, rgba});
}

// the geoms of a body that adheres
static void addDrivenBody(const VisView* v, const VisTag* tag, int body, const float rgba[4]) {
  const mjModel* const m = v->m;
  for (int g = m->body_geomadr[body]; g < m->body_geomadr[body] + m->body_geomnum[body]; g++) {
    const int type = m->geom_type[g];
    if (type == mjGEOM_PLANE || type == mjGEOM_HFIELD || type == mjGEOM_MESH || type == mjGEOM_SDF) continue;
    addCover(v, tag, &(VisShape){type, m->geom_size + 3 * g, v->d->geom_xpos + 3 * g, v->d->geom_xmat + 9 * g, rgba});
  }
}

static void addDrivenTendon(const VisView* v, int id, int tendon, const float rgba[4]) {
  const mjModel* const m = v->m;
  int j = v->d->ten_wrapadr[tendon];
  for (const mjtNum* from; (from = nextStretch(v->d, tendon, &j));) {
    const int first = j - 1 == v->d->ten_wrapadr[tendon];
    const VisTag tag = {mjOBJ_ACTUATOR, id, mjCAT_DECOR, first ? mjLABEL_ACTUATOR : mjLABEL_NONE};
    const mjtNum width = stretchWidth(m, v->d, tendon, j - 1) * m->vis.map.actuatortendon;
    mjvGeom* const geom = vis_addLink(v, &tag, &(VisLink){mjGEOM_CAPSULE, width, from, from + 3, NULL});
    if (!geom) return;
    vis_setMaterial(v, geom, m->tendon_matid[tendon], m->tendon_rgba + 4 * tendon);
    memcpy(geom->rgba, rgba, sizeof(geom->rgba));
  }
}

void vis_addActuators(const VisView* v) {
  const mjModel* const m = v->m;
  for (int i = 0; i < m->nu; i++) {
    if (!vis_shown(v->opt->actuatorgroup, m->actuator_group[i]) || frc_actuatorDisabled(m, i)) continue;
    const VisTag named = {mjOBJ_ACTUATOR, i, mjCAT_DECOR, mjLABEL_ACTUATOR};
    const VisTag tag = {mjOBJ_ACTUATOR, i, mjCAT_DECOR, mjLABEL_NONE};
    const int target = m->actuator_trnid[2 * i];
    float rgba[4];
    driveColour(v, i, rgba);
    switch (m->actuator_trntype[i]) {
      case mjTRN_JOINT:
      case mjTRN_JOINTINPARENT:
        addDrivenJoint(v, &named, target, rgba);
        break;
      case mjTRN_SITE:
        addCover(v, &named,
                 &(VisShape){m->site_type[target], m->site_size + 3 * target, v->d->site_xpos + 3 * target,
                             v->d->site_xmat + 9 * target, rgba});
        break;
      case mjTRN_BODY:
        addDrivenBody(v, &tag, target, rgba);
        break;
      case mjTRN_TENDON:
        addDrivenTendon(v, i, target, rgba);
        break;
      default:
        break;
    }
  }
}
