// Tendons: lengths, paths and Jacobians.
//
// A fixed tendon is a weighted sum of joint positions. A spatial tendon is a path of straight segments between
// sites, possibly round geoms, cut into branches by pulleys that divide what follows. A segment from p on body a to q
// on body b with direction u contributes |q − p| / divisor to the length and u · (Jq − Jp) / divisor to the row.
#include "kinematics/jacobian.h"

#include <math.h>
#include <string.h>

#include "kinematics/wrap.h"
#include "math/vec.h"
#include "sleep/sleep.h"

// a Jacobian row that is being added up: dense values, and when the result is sparse the dofs touched so far
typedef struct {
  mjtNum* value;  // nv, zero where nothing was added
  mjtByte* mark;  // nv, 1 for dofs in the list; NULL: dense, no list
  int* list;
  int n;
} Row;

// ---------------------------------------------------------------- rows

static inline void addToRow(Row* row, int dof, mjtNum value) {
  row->value[dof] += value;
  if (row->mark && !row->mark[dof]) {
    row->mark[dof] = 1;
    row->list[row->n++] = dof;
  }
}

// moves the row to its place, dofs increasing, and clears it for the next one; returns the number of entries
static int storeRow(Row* row, mjtNum* J, int* colind) {
  // the list is made of few increasing or decreasing runs: insertion is quick enough
  for (int i = 1; i < row->n; i++) {
    const int dof = row->list[i];
    int j = i;
    for (; j > 0 && row->list[j - 1] > dof; j--) row->list[j] = row->list[j - 1];
    row->list[j] = dof;
  }

  const int n = row->n;
  for (int i = 0; i < n; i++) {
    const int dof = row->list[i];
    colind[i] = dof;
    J[i] = row->value[dof];
    row->value[dof] = 0;
    row->mark[dof] = 0;
  }
  row->n = 0;
  return n;
}

// ---------------------------------------------------------------- paths

// the part of a path from one site to the next: two points, or four when it goes round a geom
typedef struct {
  mjtNum point[4][3];
  int body[4];
  int n;
  mjtNum length;
} Piece;

// places of the path that mj_tendon has filled so far, over all tendons
typedef struct {
  int count;
} PathEnd;

static void storePoint(mjData* d, PathEnd* end, const mjtNum point[3], int obj) {
  mth_copy3(d->wrap_xpos + 3 * end->count, point);
  d->wrap_obj[end->count++] = obj;
}

// the way from the site at wrap object w to the next site, round the geom in between if there is one
static Piece makePiece(const mjModel* m, const mjData* d, int w, int geom) {
  const int site0 = m->wrap_objid[w], site1 = m->wrap_objid[geom >= 0 ? w + 2 : w + 1];
  Piece piece = {.n = 2};
  mth_copy3(piece.point[0], d->site_xpos + 3 * site0);
  piece.body[0] = m->site_bodyid[site0];

  if (geom >= 0) {
    const int side = (int)round(m->wrap_prm[w + 1]);
    if (side < -1 || side >= m->nsite) mju_error("invalid sideid %d in wrap_prm", side);
    const KinWrap wrap = {
        .site = {d->site_xpos + 3 * site0, d->site_xpos + 3 * site1},
        .xpos = d->geom_xpos + 3 * geom,
        .xmat = d->geom_xmat + 9 * geom,
        .radius = m->geom_size[3 * geom],
        .type = m->wrap_type[w + 1],
        .side = side >= 0 ? d->site_xpos + 3 * side : NULL
    };
    mjtNum touch[6];
    const mjtNum arc = kin_wrap(touch, &wrap);
    if (arc >= 0) {
      piece.n = 4;
      piece.length = arc;
      mth_copy3(piece.point[1], touch);
      mth_copy3(piece.point[2], touch + 3);
      piece.body[1] = piece.body[2] = m->geom_bodyid[geom];
    }
  }

  const int last = piece.n - 1;
  mth_copy3(piece.point[last], d->site_xpos + 3 * site1);
  piece.body[last] = m->site_bodyid[site1];
  if (last == 1) {
    piece.length = mth_dist3(piece.point[0], piece.point[1]);
  } else {
    piece.length = mth_dist3(piece.point[0], piece.point[1]) + piece.length + mth_dist3(piece.point[2], piece.point[3]);
  }
  return piece;
}

// adds u · (Jq − Jp) · scale for one straight segment
static void addSegment(const mjModel* m, const mjData* d, Row* row, const Piece* piece, int k, mjtNum scale) {
  if (piece->body[k] == piece->body[k + 1]) return;
  int next[2];
  mjtNum offset[2][3], u[3];
  mth_sub3(u, piece->point[k + 1], piece->point[k]);
  mth_normalize3(u);
  for (int s = 0; s < 2; s++) {
    next[s] = kin_lastDof(m, piece->body[k + s]);
    mth_sub3(offset[s], piece->point[k + s], d->subtree_com + 3 * m->body_rootid[piece->body[k + s]]);
  }

  // down both chains at once, the larger dof first
  while (next[0] >= 0 || next[1] >= 0) {
    const int dof = next[0] > next[1] ? next[0] : next[1];
    const mjtNum* cdof = d->cdof + 6 * dof;
    mjtNum col[2][3] = {
        {0, 0, 0},
        {0, 0, 0}
    };
    for (int s = 0; s < 2; s++) {
      if (next[s] != dof) continue;
      mth_cross3(col[s], cdof, offset[s]);
      mth_addTo3(col[s], cdof + 3);
      next[s] = m->dof_parentid[dof];
    }
    mjtNum dif[3];
    mth_sub3(dif, col[1], col[0]);
    addToRow(row, dof, scale * mth_dot3(dif, u));
  }
}

// ---------------------------------------------------------------- tendons

// length = Σ coefficient · joint position
static mjtNum fixedTendon(const mjModel* m, const mjData* d, int id, Row* row) {
  mjtNum length = 0;
  for (int w = m->tendon_adr[id]; w < m->tendon_adr[id] + m->tendon_num[id]; w++) {
    const int joint = m->wrap_objid[w], dof = m->jnt_dofadr[joint];
    length += m->wrap_prm[w] * d->qpos[m->jnt_qposadr[joint]];
    // a joint that is named twice counts once in a dense row
    if (!row->mark) row->value[dof] = 0;
    addToRow(row, dof, m->wrap_prm[w]);
  }
  return length;
}

static mjtNum spatialTendon(const mjModel* m, mjData* d, int id, Row* row, PathEnd* end) {
  const int last = m->tendon_adr[id] + m->tendon_num[id] - 1;
  mjtNum length = 0, divisor = 1;
  int w = m->tendon_adr[id];
  while (w < last) {
    // a pulley starts a new branch
    const int type = m->wrap_type[w], next = m->wrap_type[w + 1];
    if (type == mjWRAP_PULLEY || next == mjWRAP_PULLEY) {
      if (type == mjWRAP_PULLEY) {
        const mjtNum nowhere[3] = {0, 0, 0};
        divisor = m->wrap_prm[w];
        storePoint(d, end, nowhere, -2);
      }
      w++;
      continue;
    }

    const int geom = next == mjWRAP_SPHERE || next == mjWRAP_CYLINDER ? m->wrap_objid[w + 1] : -1;
    const Piece piece = makePiece(m, d, w, geom);
    length += piece.length / divisor;
    for (int k = 0; k < piece.n - 1; k++) addSegment(m, d, row, &piece, k, 1 / divisor);

    // points of the path; the last site only where the branch ends, elsewhere the next piece starts with it
    for (int k = 0; k < piece.n - 1; k++) storePoint(d, end, piece.point[k], k ? geom : -1);
    w += geom >= 0 ? 2 : 1;
    if (w == last || m->wrap_type[w + 1] == mjWRAP_PULLEY) storePoint(d, end, piece.point[piece.n - 1], -1);
  }
  return length;
}

void mj_tendon(const mjModel* m, mjData* d) {
  const int nv = m->nv, sparse = kin_isSparse(m);
  if (!m->ntendon) return;
  mj_markStack(d);

  // working row: on the stack when the result is sparse, the result itself when dense
  Row row = {0};
  if (sparse) {
    row.value = mj_stackAllocNum(d, nv);
    row.mark = mj_stackAllocByte(d, nv, 1);
    row.list = mj_stackAllocInt(d, nv);
    if (nv) memset(row.value, 0, nv * sizeof(mjtNum));
    if (nv) memset(row.mark, 0, nv);
  } else {
    memset(d->ten_J, 0, sizeof(mjtNum) * m->ntendon * nv);
  }
  memset(d->ten_length, 0, sizeof(mjtNum) * m->ntendon);

  const int filter = slp_enabled(m) && d->ntree_awake < m->ntree;
  PathEnd end = {0};
  int adr = 0;
  for (int i = 0; i < m->ntendon; i++) {
    if (sparse) {
      d->ten_J_rowadr[i] = adr;
      d->ten_J_rownnz[i] = 0;
    } else {
      row.value = d->ten_J + i * nv;
    }
    if (filter && slp_state(m, d, mjOBJ_TENDON, i) == mjS_ASLEEP) continue;

    d->ten_wrapadr[i] = end.count;
    const int fixed = m->wrap_type[m->tendon_adr[i]] == mjWRAP_JOINT;
    d->ten_length[i] = fixed ? fixedTendon(m, d, i, &row) : spatialTendon(m, d, i, &row, &end);
    d->ten_wrapnum[i] = end.count - d->ten_wrapadr[i];
    if (sparse) {
      d->ten_J_rownnz[i] = storeRow(&row, d->ten_J + adr, d->ten_J_colind + adr);
      adr += d->ten_J_rownnz[i];
    }
  }
  mj_freeStack(d);
}
