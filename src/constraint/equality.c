// Rows of equality constraints.
//
//   connect   p0 − p1 = 0                            three rows
//   weld      (p0 − p1, s·imag(q1⁻¹ q0 q_rel)) = 0   six rows; the gradient of the second part is ½ s·imag(q1⁻¹ ω q0
//   q_rel) joint, tendon   x0 − x0ref − P(x1 − x1ref) = 0   one row, P a quartic polynomial flex      edge length −
//   rest length = 0          one row per edge flexvert  strain measures at a vertex = 0        two rows per vertex
#include <limits.h>
#include <string.h>

#include "constraint/chain.h"
#include "constraint/rows.h"
#include "math/quat.h"
#include "sleep/sleep.h"

//---------------------------------- bodies ----------------------------------

// the two bodies of a connect or weld, with their anchors in the world; swap: weld stores the anchors in reverse
static void anchors(const mjModel* m, const mjData* d, int eq, int swap, int body[2], mjtNum pos[2][3]) {
  for (int side = 0; side < 2; side++) {
    const int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
    if (m->eq_objtype[eq] == mjOBJ_BODY) {
      body[side] = id;
      mth_mulMatVec3(pos[side], d->xmat + 9 * id, m->eq_data + mjNEQDATA * eq + 3 * (side ^ swap));
      mth_addTo3(pos[side], d->xpos + 3 * id);
    } else {
      body[side] = m->site_bodyid[id];
      mth_copy3(pos[side], d->site_xpos + 3 * id);
    }
  }
}

// rows for nrow 3 or 6, with the columns still to be visited through p; the first object is the positive side
static ConRows openPair(ConBuild* b, ConPair* p, int nrow, const int body[2], mjtNum pos[2][3]) {
  con_pairSide(p, 0, b->m, b->d, body[1], pos[1]);
  con_pairSide(p, 1, b->m, b->d, body[0], pos[0]);
  return con_open(b, nrow, b->sparse ? con_pairCount(b->m, b->depth, p) : b->m->nv);
}

// next column, from the last to the first: index among the rows' columns and its dof; -1 at the end
static int nextColumn(const ConBuild* b, ConPair* p, ConRows* r, int k, int* sides) {
  const int dof = con_pairNext(p, b->m, sides);
  if (dof >= 0 && b->sparse) r->dof[k] = dof;
  return dof;
}

static void connectRows(ConBuild* b, int eq) {
  int body[2];
  mjtNum pos[2][3], residual[3];
  anchors(b->m, b->d, eq, 0, body, pos);
  mth_sub3(residual, pos[0], pos[1]);

  // translation of the first anchor relative to the second
  ConPair p;
  ConRows r = openPair(b, &p, 3, body, pos);
  int sides, k = r.ncol;
  for (int dof = nextColumn(b, &p, &r, --k, &sides); dof >= 0; dof = nextColumn(b, &p, &r, --k, &sides)) {
    mjtNum lin[3], ang[3];
    con_pairColumn(&p, b->d->cdof + 6 * dof, sides, lin, ang);
    for (int i = 0; i < 3; i++) r.J[(size_t)i * r.stride + (b->sparse ? k : dof)] = lin[i];
  }
  con_close(b, &r, &(ConWhat){.type = mjCNSTR_EQUALITY, .id = eq, .pos = residual});
}

// q0·q_rel and the conjugate of q1, whose product is the rotation error
static void weldQuats(const ConBuild* b, int eq, const int body[2], mjtNum q0[4], mjtNum q1conj[4]) {
  const mjModel* m = b->m;
  const mjtNum* xquat = b->d->xquat;
  if (m->eq_objtype[eq] == mjOBJ_BODY) {
    mth_mulQuat(q0, xquat + 4 * body[0], m->eq_data + mjNEQDATA * eq + 6);
    mth_negQuat(q1conj, xquat + 4 * body[1]);
  } else {
    mjtNum q1[4];
    mth_mulQuat(q0, xquat + 4 * body[0], m->site_quat + 4 * m->eq_obj1id[eq]);
    mth_mulQuat(q1, xquat + 4 * body[1], m->site_quat + 4 * m->eq_obj2id[eq]);
    mth_negQuat(q1conj, q1);
  }
}

static void weldRows(ConBuild* b, int eq) {
  int body[2];
  mjtNum pos[2][3], residual[6];
  anchors(b->m, b->d, eq, 1, body, pos);
  mth_sub3(residual, pos[0], pos[1]);

  // rotation error
  const mjtNum torquescale = b->m->eq_data[mjNEQDATA * eq + 10];
  mjtNum q0[4], q1conj[4], error[4];
  weldQuats(b, eq, body, q0, q1conj);
  mth_mulQuat(error, q1conj, q0);
  mth_scl3(residual + 3, error + 1, torquescale);

  // relative motion of the anchors, and of the rotation error
  ConPair p;
  ConRows r = openPair(b, &p, 6, body, pos);
  int sides, k = r.ncol;
  for (int dof = nextColumn(b, &p, &r, --k, &sides); dof >= 0; dof = nextColumn(b, &p, &r, --k, &sides)) {
    mjtNum lin[3], ang[3], left[4], both[4];
    con_pairColumn(&p, b->d->cdof + 6 * dof, sides, lin, ang);
    mth_mulQuatAxis(left, q1conj, ang);
    mth_mulQuat(both, left, q0);
    mjtNum* column = r.J + (b->sparse ? k : dof);
    for (int i = 0; i < 3; i++) {
      column[(size_t)i * r.stride] = lin[i];
      column[(size_t)(i + 3) * r.stride] = 0.5 * both[i + 1] * torquescale;
    }
  }
  con_close(b, &r, &(ConWhat){.type = mjCNSTR_EQUALITY, .id = eq, .pos = residual});
}

//---------------------------------- scalars ----------------------------------

// a joint or tendon coordinate: value relative to its reference, and its gradient
static mjtNum scalarOf(const ConBuild* b, int eq, int id, ConGrad* grad) {
  static const mjtNum one = 1;
  const mjModel* m = b->m;
  mjData* d = b->d;
  if (m->eq_type[eq] == mjEQ_JOINT) {
    const int adr = m->jnt_qposadr[id];
    *grad = (ConGrad){1, m->jnt_dofadr + id, &one};
    return d->qpos[adr] - m->qpos0[adr];
  }
  if (d->tendon_efcadr[id] == -1) d->tendon_efcadr[id] = eq;
  *grad = con_tendonGrad(b, id);
  return d->ten_length[id] - m->tendon_length0[id];
}

// row of a + scale·c
static ConRows openSum(ConBuild* b, const ConGrad* a, const ConGrad* c, mjtNum scale) {
  ConRows r = con_open(b, 1, a->n + c->n);
  int i = 0, j = 0, k = 0;
  while (i < a->n || j < c->n) {
    const int di = i < a->n ? con_gradDof(a, i) : INT_MAX, dj = j < c->n ? con_gradDof(c, j) : INT_MAX;
    mjtNum value = 0;
    if (di <= dj) value += a->value[i++];
    if (dj <= di) value += scale * c->value[j++];
    r.dof[k] = di < dj ? di : dj;
    *con_at(&r, 0, k) = value;
    k++;
  }
  r.ncol = k;
  return r;
}

static void scalarRow(ConBuild* b, int eq) {
  const mjtNum* a = b->m->eq_data + mjNEQDATA * eq;
  const int other = b->m->eq_obj2id[eq];
  ConGrad g0, g1;
  mjtNum residual = scalarOf(b, eq, b->m->eq_obj1id[eq], &g0) - a[0];
  const ConWhat what = {.type = mjCNSTR_EQUALITY, .id = eq, .pos = &residual};

  // one coordinate is held at a constant
  if (other < 0) {
    con_gradRow(b, g0, 1, &what);
    return;
  }

  // one coordinate follows a polynomial of another
  const mjtNum x = scalarOf(b, eq, other, &g1);
  residual -= a[1] * x + a[2] * x * x + a[3] * x * x * x + a[4] * x * x * x * x;
  const mjtNum slope = a[1] + 2 * a[2] * x + 3 * a[3] * x * x + 4 * a[4] * x * x * x;
  const ConRows r = openSum(b, &g0, &g1, -slope);
  con_close(b, &r, &what);
}

//---------------------------------- flexes ----------------------------------

// rows of flexes as the model lays them out, with their values
typedef struct {
  const int *nnz, *adr, *colind;
  const mjtNum* J;
  const mjtNum *pos, *rest;  // residual of a row: pos − rest; rest NULL: pos
} FlexRows;

static mjtNum flexResidual(const FlexRows* f, int row) {
  return f->rest ? f->pos[row] - f->rest[row] : f->pos[row];
}

// one row, dense or sparse
static void flexRow(ConBuild* b, int eq, const FlexRows* f, int row) {
  const mjtNum residual = flexResidual(f, row);
  const ConGrad g = {f->nnz[row], f->colind + f->adr[row], f->J + f->adr[row]};
  con_gradRow(b, g, 1, &(ConWhat){.type = mjCNSTR_EQUALITY, .id = eq, .pos = &residual});
}

// sparse rows [first, end) whose entries follow one another: they are copied as a whole
static void flexRun(ConBuild* b, int eq, const FlexRows* f, int first, int end) {
  mjData* d = b->d;
  if (first == end) return;
  const int from = f->adr[first], n = f->adr[end - 1] + f->nnz[end - 1] - from;
  const ConRows r = con_open(b, 1, n);
  memcpy(r.dof, f->colind + from, sizeof(int) * (size_t)n);
  memcpy(r.J, f->J + from, sizeof(mjtNum) * (size_t)n);
  const int shift = (int)(r.J - d->efc_J) - from;
  for (int row = first; row < end; row++) {
    const int i = b->nefc++;
    d->efc_J_rownnz[i] = f->nnz[row];
    d->efc_J_rowadr[i] = f->adr[row] + shift;
    d->efc_pos[i] = flexResidual(f, row);
    d->efc_margin[i] = d->efc_frictionloss[i] = 0;
    d->efc_type[i] = mjCNSTR_EQUALITY;
    d->efc_id[i] = eq;
  }
  b->nJ += n;
}

// rows [first, end) without those of rigid edges
static void flexRows(ConBuild* b, int eq, const FlexRows* f, int first, int end, const mjtByte* rigid) {
  int start = first;
  for (int row = first; row < end; row++) {
    const int left = rigid && rigid[row];
    if (!b->sparse) {
      if (!left) flexRow(b, eq, f, row);
      continue;
    }

    // a run ends at a row that is left out or empty, and where entries do not follow
    if (left || !f->nnz[row]) {
      flexRun(b, eq, f, start, row);
      start = row + 1;
    } else if (row > start && f->adr[row] != f->adr[row - 1] + f->nnz[row - 1]) {
      flexRun(b, eq, f, start, row);
      start = row;
    }
  }
  if (b->sparse) flexRun(b, eq, f, start, end);
}

static void flexEdgeRows(ConBuild* b, int eq) {
  const mjModel* m = b->m;
  const mjData* d = b->d;
  const int f = m->eq_obj1id[eq], first = m->flex_edgeadr[f];
  const FlexRows rows = {m->flexedge_J_rownnz, m->flexedge_J_rowadr, m->flexedge_J_colind,
                         d->flexedge_J,        d->flexedge_length,   m->flexedge_length0};
  flexRows(b, eq, &rows, first, first + m->flex_edgenum[f], m->flexedge_rigid);
}

static void flexVertRows(ConBuild* b, int eq) {
  const mjModel* m = b->m;
  const mjData* d = b->d;
  const int f = m->eq_obj1id[eq], first = 2 * m->flex_vertadr[f];
  const FlexRows rows = {m->flexvert_J_rownnz, m->flexvert_J_rowadr, m->flexvert_J_colind,
                         d->flexvert_J,        d->flexvert_length,   NULL};
  flexRows(b, eq, &rows, first, first + 2 * m->flex_vertnum[f], NULL);
}

//---------------------------------- all of them ----------------------------------

// 1: the constraint has rows in this step
static int isActive(const ConBuild* b, int eq) {
  return b->d->eq_active[eq] && !(b->filter && slp_state(b->m, b->d, mjOBJ_EQUALITY, eq) == mjS_ASLEEP);
}

static int noEquality(const ConBuild* b) {
  return (b->m->opt.disableflags & mjDSBL_EQUALITY) || b->m->nemax == 0;
}

void con_equalityRows(ConBuild* b) {
  if (noEquality(b)) return;
  for (int eq = 0; eq < b->m->neq; eq++) {
    if (!isActive(b, eq)) continue;
    switch (b->m->eq_type[eq]) {
      case mjEQ_CONNECT:
        connectRows(b, eq);
        break;
      case mjEQ_WELD:
        weldRows(b, eq);
        break;
      case mjEQ_JOINT:
      case mjEQ_TENDON:
        scalarRow(b, eq);
        break;
      case mjEQ_FLEX:
        flexEdgeRows(b, eq);
        break;
      case mjEQ_FLEXVERT:
        flexVertRows(b, eq);
        break;
      default:
        mju_error("mj_makeConstraint: invalid equality constraint type %d", b->m->eq_type[eq]);
    }
  }
}

//---------------------------------- counting ----------------------------------

// columns of a connect or weld
static int pairColumns(const ConBuild* b, int eq) {
  const mjModel* m = b->m;
  ConPair p;
  for (int side = 0; side < 2; side++) {
    const int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq];
    const int body = m->body_weldid[m->eq_objtype[eq] == mjOBJ_BODY ? id : m->site_bodyid[id]];
    p.last[side] = body ? con_lastDof(m, body) : -1;
  }
  return con_pairCount(m, b->depth, &p);
}

// columns of a row that joins two scalars
static int scalarColumns(const ConBuild* b, int eq) {
  const mjModel* m = b->m;
  const mjData* d = b->d;
  const int id[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
  const int joint = m->eq_type[eq] == mjEQ_JOINT;
  if (id[1] < 0) return joint ? 1 : d->ten_J_rownnz[id[0]];

  // union of the two patterns
  int n[2];
  const int* dof[2];
  for (int s = 0; s < 2; s++) {
    n[s] = joint ? 1 : d->ten_J_rownnz[id[s]];
    dof[s] = joint ? m->jnt_dofadr + id[s] : d->ten_J_colind + d->ten_J_rowadr[id[s]];
  }
  int count = n[0] + n[1];
  for (int i = 0, j = 0; i < n[0] && j < n[1];) {
    const int di = dof[0][i], dj = dof[1][j];
    count -= di == dj;
    i += di <= dj;
    j += dj <= di;
  }
  return count;
}

// rows of one constraint and their nonzeros
static int countOne(const ConBuild* b, int eq, int* nnz) {
  const mjModel* m = b->m;
  const int f = m->eq_obj1id[eq];
  int rows = 0;
  switch (m->eq_type[eq]) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      rows = m->eq_type[eq] == mjEQ_CONNECT ? 3 : 6;
      if (b->sparse) *nnz = rows * pairColumns(b, eq);
      break;
    case mjEQ_JOINT:
    case mjEQ_TENDON:
      rows = 1;
      if (b->sparse) *nnz = scalarColumns(b, eq);
      break;
    case mjEQ_FLEX:
      for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
        if (m->flexedge_rigid[e]) continue;
        rows += !b->sparse || m->flexedge_J_rownnz[e];
        *nnz += m->flexedge_J_rownnz[e];
      }
      break;
    case mjEQ_FLEXVERT:
      for (int r = 2 * m->flex_vertadr[f]; r < 2 * (m->flex_vertadr[f] + m->flex_vertnum[f]); r++) {
        rows += !b->sparse || m->flexvert_J_rownnz[r];
        *nnz += m->flexvert_J_rownnz[r];
      }
      break;
    default:
      mju_error("mj_makeConstraint: unknown equality constraint type %d", m->eq_type[eq]);
  }
  return rows;
}

int con_countEquality(const ConBuild* b, int* nJ) {
  if (noEquality(b)) return 0;
  int rows = 0;
  for (int eq = 0; eq < b->m->neq; eq++) {
    if (!isActive(b, eq)) continue;
    int nnz = 0;
    const int n = countOne(b, eq, &nnz);
    if (b->sparse ? nnz : b->m->nv) rows += n;
    *nJ += nnz;
  }
  return rows;
}
