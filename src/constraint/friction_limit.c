// Rows of friction loss and of limits: dofs, joints and tendons. Each is one row with the gradient of a coordinate.
//
// Friction loss holds a velocity at zero with a force of at most efc_frictionloss; it has no residual. A limit acts
// when the distance to it, positive inside, is below the margin.
#include "constraint/rows.h"
#include "math/quat.h"
#include "math/vec.h"
#include "sleep/sleep.h"

static int noFriction(const ConBuild* b) {
  return b->m->opt.disableflags & mjDSBL_FRICTIONLOSS;
}

static int noLimit(const ConBuild* b) {
  return b->m->opt.disableflags & mjDSBL_LIMIT;
}

// what sleeps has no rows
static SlpRange awakeDofs(const ConBuild* b) {
  return b->filter ? slp_dofs(b->m, b->d) : (SlpRange){(int)b->m->nv, NULL, 0};
}

static SlpRange awakeJoints(const ConBuild* b) {
  return b->filter ? slp_joints(b->m, b->d) : (SlpRange){(int)b->m->njnt, NULL, 0};
}

// row of a tendon's length, times scale; remembers a tendon's first row
static void tendonRow(ConBuild* b, int tendon, mjtNum scale, const ConWhat* what) {
  mjData* d = b->d;
  const int row = b->nefc;
  con_gradRow(b, con_tendonGrad(b, tendon), scale, what);
  if (d->tendon_efcadr[tendon] == -1) d->tendon_efcadr[tendon] = row;
}

//---------------------------------- friction loss ----------------------------------

void con_frictionRows(ConBuild* b) {
  const mjModel* m = b->m;
  if (noFriction(b)) return;
  const mjtNum one = 1;
  const SlpRange dofs = awakeDofs(b);
  for (int k = 0; k < dofs.n; k++) {
    const int i = slp_at(dofs, k);
    if (!m->dof_frictionloss[i]) continue;
    con_gradRow(b, (ConGrad){1, &i, &one}, 1,
                &(ConWhat){.type = mjCNSTR_FRICTION_DOF, .id = i, .frictionloss = m->dof_frictionloss[i]});
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (!(m->tendon_frictionloss[i] > 0)) continue;
    tendonRow(b, i, 1, &(ConWhat){.type = mjCNSTR_FRICTION_TENDON, .id = i, .frictionloss = m->tendon_frictionloss[i]});
  }
}

int con_countFriction(const ConBuild* b, int* nJ) {
  const mjModel* m = b->m;
  if (noFriction(b)) return 0;
  int rows = 0;
  const SlpRange dofs = awakeDofs(b);
  for (int k = 0; k < dofs.n; k++) rows += m->dof_frictionloss[slp_at(dofs, k)] != 0;
  *nJ += rows;
  for (int i = 0; i < m->ntendon; i++) {
    if (!(m->tendon_frictionloss[i] > 0)) continue;
    const int n = b->sparse ? b->d->ten_J_rownnz[i] : m->nv;
    rows += n > 0;
    *nJ += n;
  }
  return rows;
}

//---------------------------------- limits ----------------------------------

// distance to the lower (side -1) or upper (side +1) end of a range
static mjtNum distanceTo(const mjtNum range[2], int side, mjtNum value) {
  return side * (range[(side + 1) / 2] - value);
}

mjtNum con_ballLimit(const mjModel* m, const mjData* d, int jnt, mjtNum axis[3]) {
  mjtNum quat[4];
  mth_copy4(quat, d->qpos + m->jnt_qposadr[jnt]);
  mth_normalize4(quat);

  // rotation vector: its length is the angle, its direction increases the angle
  mth_quat2Vel(axis, quat, 1);
  const mjtNum angle = mth_normalize3(axis);
  return mth_max(m->jnt_range[2 * jnt], m->jnt_range[2 * jnt + 1]) - angle;
}

static void ballLimitRow(ConBuild* b, int jnt) {
  const mjModel* m = b->m;
  mjtNum axis[3];
  const mjtNum dist = con_ballLimit(m, b->d, jnt, axis), margin = m->jnt_margin[jnt];
  if (!(dist < margin)) return;
  const int adr = m->jnt_dofadr[jnt];
  con_gradRow(b,
              (ConGrad){
                  3, (int[]){adr, adr + 1, adr + 2},
                   axis
  },
              -1, &(ConWhat){.type = mjCNSTR_LIMIT_JOINT, .id = jnt, .pos = &dist, .margin = &margin});
}

static void scalarLimitRows(ConBuild* b, int jnt) {
  const mjModel* m = b->m;
  const mjtNum one = 1, margin = m->jnt_margin[jnt], value = b->d->qpos[m->jnt_qposadr[jnt]];
  for (int side = -1; side <= 1; side += 2) {
    const mjtNum dist = distanceTo(m->jnt_range + 2 * jnt, side, value);
    if (!(dist < margin)) continue;
    con_gradRow(b, (ConGrad){1, m->jnt_dofadr + jnt, &one}, -side,
                &(ConWhat){.type = mjCNSTR_LIMIT_JOINT, .id = jnt, .pos = &dist, .margin = &margin});
  }
}

static void tendonLimitRows(ConBuild* b, int tendon) {
  const mjModel* m = b->m;
  const mjtNum margin = m->tendon_margin[tendon];
  for (int side = -1; side <= 1; side += 2) {
    const mjtNum dist = distanceTo(m->tendon_range + 2 * tendon, side, b->d->ten_length[tendon]);
    if (!(dist < margin)) continue;
    tendonRow(b, tendon, -side,
              &(ConWhat){.type = mjCNSTR_LIMIT_TENDON, .id = tendon, .pos = &dist, .margin = &margin});
  }
}

// joints that make a part worth a thread
enum { JOINT_PART = 128 };

// rows of the joints of one part, behind those of the parts before
static void limitPart(void* arg, int piece) {
  ConBuild b = *(const ConBuild*)arg;
  const mjModel* m = b.m;
  const SlpRange joints = b.joints;
  for (int k = 0; k < piece; k++) {
    b.nefc += b.limits.rows[k];
    b.nJ += b.limits.nJ[k];
  }
  const BasPart part = bas_part(joints.n, b.limits.n, piece);
  for (int k = part.begin; k < part.end; k++) {
    const int i = slp_at(joints, k);
    if (!m->jnt_limited[i]) continue;
    if (m->jnt_type[i] == mjJNT_BALL) {
      ballLimitRow(&b, i);
    } else if (m->jnt_type[i] != mjJNT_FREE) {
      scalarLimitRows(&b, i);
    }
  }
  // without parts this is how many there were
  if (b.limits.n == 1) {
    b.limits.rows[0] = b.nefc - ((const ConBuild*)arg)->nefc;
    b.limits.nJ[0] = b.nJ - ((const ConBuild*)arg)->nJ;
  }
}

void con_limitRows(ConBuild* b) {
  const mjModel* m = b->m;
  if (noLimit(b)) return;
  bas_share(b->d, NULL, limitPart, b, b->limits.n);
  for (int k = 0; k < b->limits.n; k++) {
    b->nefc += b->limits.rows[k];
    b->nJ += b->limits.nJ[k];
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_limited[i]) tendonLimitRows(b, i);
  }
}

// ends of a range that are closer than the margin
static int endsWithin(const mjtNum range[2], mjtNum value, mjtNum margin) {
  return (distanceTo(range, -1, value) < margin) + (distanceTo(range, 1, value) < margin);
}

// rows and nonzeros of the joints of one part
static void countPart(void* arg, int piece) {
  const ConBuild* b = arg;
  const mjModel* m = b->m;
  const mjData* d = b->d;
  int rows = 0, nJ = 0;
  const SlpRange joints = b->joints;
  const BasPart part = bas_part(joints.n, b->limits.n, piece);
  for (int k = part.begin; k < part.end; k++) {
    const int i = slp_at(joints, k);
    if (!m->jnt_limited[i]) continue;
    int n = 0;
    if (m->jnt_type[i] == mjJNT_BALL) {
      mjtNum axis[3];
      n = con_ballLimit(m, d, i, axis) < m->jnt_margin[i];
      nJ += 3 * n;
    } else if (m->jnt_type[i] != mjJNT_FREE) {
      n = endsWithin(m->jnt_range + 2 * i, d->qpos[m->jnt_qposadr[i]], m->jnt_margin[i]);
      nJ += n;
    }
    rows += n;
  }
  b->limits.rows[piece] = rows;
  b->limits.nJ[piece] = nJ;
}

int con_countLimit(ConBuild* b, int* nJ) {
  const mjModel* m = b->m;
  const mjData* d = b->d;
  if (noLimit(b)) return 0;
  b->joints = awakeJoints(b);
  b->limits = con_parts(b, b->sparse ? b->joints.n : 0, JOINT_PART);
  bas_share(b->d, NULL, countPart, b, b->limits.n);
  int rows = 0;
  for (int k = 0; k < b->limits.n; k++) {
    rows += b->limits.rows[k];
    *nJ += b->limits.nJ[k];
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (!m->tendon_limited[i]) continue;
    const int n = endsWithin(m->tendon_range + 2 * i, d->ten_length[i], m->tendon_margin[i]);
    const int nnz = b->sparse ? d->ten_J_rownnz[i] : m->nv;
    rows += nnz ? n : 0;
    *nJ += n * nnz;
  }
  return rows;
}
