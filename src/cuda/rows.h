// Constraint rows: equality, friction loss, limits, contacts, in this order.
#pragma once

#include "cuda/collide.h"
#include "cuda/force.h"
#include "cuda/impedance.h"

#if CU_FAR
#include "cuda/flex_rows.h"
#endif

//---------------------------------- columns ----------------------------------

// motion of two points, the second minus the first, per unit of a dof's velocity
CU_FN void cu_relative(const Cu* c, int i, const int body[2], const Real pos[2][3], Real lin[3], Real ang[3]) {
  Real v[3];
  cu_set3(lin, 0, 0, 0);
  cu_set3(ang, 0, 0, 0);
  for (int side = 0; side < 2; side++) {
    if (!cu_moves(c->m, body[side], i)) continue;
    const Real sign = side ? R_(1) : R_(-1);
    cu_pointMotion(c, i, pos[side], v);
    cu_addScl3(lin, lin, v, sign);
    cu_addScl3(ang, ang, CU_W(c, cdof) + 6 * i, sign);
  }
}

//---------------------------------- equality ----------------------------------

// bodies and anchors of a connect or weld, the second object first: its motion counts as negative
CU_FN void cu_anchors(const Cu* c, int eq, int swap, int body[2], Real pos[2][3]) {
  const CudModel* m = c->m;
  const int site = m->eq_objtype[eq] == mjOBJ_SITE;
  for (int side = 0; side < 2; side++) {
    const int id = side ? m->eq_obj1id[eq] : m->eq_obj2id[eq];
    const Real* local = site ? m->site_pos + 3 * id : m->eq_data + 11 * eq + 3 * (!side ^ swap);
    body[side] = site ? m->site_bodyid[id] : id;
    cu_rotate(pos[side], CU_W(c, xquat) + 4 * body[side], local);
    cu_add3(pos[side], pos[side], CU_W(c, xpos) + 3 * body[side]);
  }
}

// orientations of a weld: that of the first object times the relative one, and the conjugate of the second's
CU_FN void cu_weldQuats(const Cu* c, int eq, const int body[2], Real q0[4], Real q1[4]) {
  const CudModel* m = c->m;
  const Real* xquat = CU_W(c, xquat);
  if (m->eq_objtype[eq] == mjOBJ_SITE) {
    cu_mulQuat(q0, xquat + 4 * body[1], m->site_quat + 4 * m->eq_obj1id[eq]);
    cu_mulQuat(q1, xquat + 4 * body[0], m->site_quat + 4 * m->eq_obj2id[eq]);
  } else {
    cu_mulQuat(q0, xquat + 4 * body[1], m->eq_data + 11 * eq + 6);
    cu_copy4(q1, xquat + 4 * body[0]);
  }
  cu_set4(q1, q1[0], -q1[1], -q1[2], -q1[3]);
}

// connect (3 rows) or weld (6 rows)
CU_FN void cu_bodyRows(const Cu* c, int eq, int row) {
  const CudModel* m = c->m;
  const int weld = m->eq_type[eq] == mjEQ_WELD, n = weld ? 6 : 3;
  int body[2];
  Real pos[2][3], residual[6] = {0, 0, 0, 0, 0, 0}, q0[4], q1[4];
  const Real scale = m->eq_data[11 * eq + 10];
  cu_anchors(c, eq, weld, body, pos);
  cu_sub3(residual, pos[1], pos[0]);
  if (weld) {
    Real error[4];
    cu_weldQuats(c, eq, body, q0, q1);
    cu_mulQuat(error, q1, q0);
    cu_scl3(residual + 3, error + 1, scale);
  }

  // columns
  CU_FOR(i, m->nvs) {
    Real lin[3] = {0, 0, 0}, ang[3] = {0, 0, 0}, left[4], both[4] = {0, 0, 0, 0};
    if (i < m->nv) cu_relative(c, i, body, pos, lin, ang);
    if (weld) {
      const Real axis[4] = {0, ang[0], ang[1], ang[2]};
      cu_mulQuat(left, q1, axis);
      cu_mulQuat(both, left, q0);
    }
    for (int k = 0; k < 3; k++) {
      cu_J(c, row + k)[i] = lin[k];
      if (weld) cu_J(c, row + 3 + k)[i] = R_(0.5) * both[k + 1] * scale;
    }
  }

  // the length of the residual decides about all rows
  Real square = 0;
  for (int k = 0; k < n; k++) square += residual[k] * residual[k];
  const CuSoft soft = {m->eq_solref + 2 * eq, m->eq_solimp + 5 * eq, cu_sqrt(square), 0};
  const CuStiff s = cu_stiff(m, &soft, 0);
  const Real *w0 = m->body_invweight0 + 2 * body[0], *w1 = m->body_invweight0 + 2 * body[1];
  CU_FOR(k, n) {
    cu_setRow(c, row + k, CUD_EQUALITY, &s, cu_regular(s.imp, w0[k > 2] + w1[k > 2]), residual[k]);
    *cu_row(c, CUD_OF, row + k) = (Real)eq;
  }
}

// value of a joint or tendon relative to its reference
CU_FN Real cu_scalar(const Cu* c, int eq, int id) {
  const CudModel* m = c->m;
  if (m->eq_type[eq] == mjEQ_TENDON) return CU_W(c, ten_length)[id] - m->tendon_length0[id];
  return CU_W(c, qpos)[m->jnt_qposadr[id]] - m->qpos0[m->jnt_qposadr[id]];
}

CU_FN Real cu_scalarAt(const Cu* c, int eq, int id, int dof) {
  const CudModel* m = c->m;
  if (m->eq_type[eq] == mjEQ_TENDON) return cu_tendonAt(c, id, dof);
  return m->jnt_dofadr[id] == dof ? R_(1) : R_(0);
}

CU_FN Real cu_scalarWeight(const CudModel* m, int eq, int id) {
  return m->eq_type[eq] == mjEQ_TENDON ? m->tendon_invweight0[id] : m->dof_invweight0[m->jnt_dofadr[id]];
}

// one coordinate follows a polynomial of another, or a constant
CU_FN void cu_scalarRow(const Cu* c, int eq, int row) {
  const CudModel* m = c->m;
  const int id0 = m->eq_obj1id[eq], id1 = m->eq_obj2id[eq];
  const Real* a = m->eq_data + 11 * eq;
  Real residual = cu_scalar(c, eq, id0) - a[0], slope = 0, A = cu_scalarWeight(m, eq, id0);
  if (id1 >= 0) {
    const Real x = cu_scalar(c, eq, id1);
    residual -= x * (a[1] + x * (a[2] + x * (a[3] + x * a[4])));
    slope = a[1] + x * (2 * a[2] + x * (3 * a[3] + x * 4 * a[4]));
    A += cu_scalarWeight(m, eq, id1);
  }
  CU_FOR(i, m->nvs) {
    Real value = i < m->nv ? cu_scalarAt(c, eq, id0, i) : 0;
    if (i < m->nv && id1 >= 0) value -= slope * cu_scalarAt(c, eq, id1, i);
    cu_J(c, row)[i] = value;
  }
  const CuSoft soft = {m->eq_solref + 2 * eq, m->eq_solimp + 5 * eq, residual, 0};
  const CuStiff s = cu_stiff(m, &soft, 0);
  CU_FOR(k, 1) {
    cu_setRow(c, row, CUD_EQUALITY, &s, cu_regular(s.imp, A), residual);
    *cu_row(c, CUD_OF, row) = (Real)eq;
  }
}

// rows of an equality constraint
CU_FN int cu_equalityCount(const CudModel* m, int eq) {
  const int type = m->eq_type[eq];
#if CU_FAR
  if (type >= mjEQ_FLEX) return m->eqrow_adr[eq + 1] - m->eqrow_adr[eq];
#endif
  return type == mjEQ_CONNECT ? 3 : type == mjEQ_WELD ? 6 : 1;
}

CU_FN void cu_equalityRows(Cu* c) {
  const CudModel* m = c->m;
  const int* active = CU_ROW(c, state.eq_active, m->neq);
  if (m->disableflags & mjDSBL_EQUALITY) return;
  for (int eq = 0; eq < m->neq; eq++) {
    if (!active[eq]) continue;
    const int n = cu_equalityCount(m, eq);
    if (!cu_roomForRows(c, c->nrow + n)) return;
#if CU_FAR
    if (m->eq_type[eq] >= mjEQ_FLEX) {
      cu_flexRows(c, eq, c->nrow);
      c->nrow += n;
      continue;
    }
#endif
    if (n > 1) {
      cu_bodyRows(c, eq, c->nrow);
    } else {
      cu_scalarRow(c, eq, c->nrow);
    }
    c->nrow += n;
  }
}

//---------------------------------- friction loss and limits ----------------------------------

// the rows [first, end) have one dof each: its column is in CUD_FRC, its value in CUD_JV
CU_FN void cu_unitColumns(const Cu* c, int first, int end) {
  const int nvs = c->m->nvs;
  if (c->spills) {
    for (int r = first; r < end; r++) {
      CU_FOR(i, nvs) cu_J(c, r)[i] = 0;
    }
  } else {
    CU_FOR(k, (end - first) * nvs) CU_W(c, row)[first * nvs + k] = 0;
  }
  cu_sync();
  CU_FOR(k, end - first) {
    const int r = first + k;
    cu_J(c, r)[(int)*cu_row(c, CUD_FRC, r)] = *cu_row(c, CUD_JV, r);
  }
  cu_sync();
}

CU_FN void cu_unitRow(const Cu* c, int r, int dof, Real value) {
  *cu_row(c, CUD_FRC, r) = (Real)dof;
  *cu_row(c, CUD_JV, r) = value;
}

// row of a tendon's length, times scale
CU_FN void cu_tendonColumns(const Cu* c, int r, int t, Real scale) {
  CU_FOR(i, c->m->nvs) cu_J(c, r)[i] = i < c->m->nv ? scale * cu_tendonAt(c, t, i) : 0;
}

CU_FN void cu_frictionRows(Cu* c) {
  const CudModel* m = c->m;
  if (m->disableflags & mjDSBL_FRICTIONLOSS) return;
  const int start = c->nrow;
  CU_FOR_ALL(i, valid, m->nv) {
    const Real loss = valid ? m->dof_frictionloss[i] : 0;
    int added;
    const int r = c->nrow + cu_before(loss != 0, &added);
    if (!cu_roomForRows(c, c->nrow + added)) return;
    c->nrow += added;
    if (loss == 0) continue;
    const CuSoft soft = {m->dof_solref + 2 * i, m->dof_solimp + 5 * i, 0, 0};
    const CuStiff s = cu_stiff(m, &soft, 1);
    cu_setRow(c, r, CUD_DRY, &s, cu_regular(s.imp, m->dof_invweight0[i]), 0);
    *cu_row(c, CUD_LOSS, r) = loss;
    *cu_row(c, CUD_OF, r) = (Real)i;
    cu_unitRow(c, r, i, 1);
  }
  cu_unitColumns(c, start, c->nrow);
  for (int t = 0; t < m->ntendon; t++) {
    if (!(m->tendon_frictionloss[t] > 0)) continue;
    const int r = c->nrow;
    if (!cu_roomForRows(c, r + 1)) return;
    const CuSoft soft = {m->tendon_solref_fri + 2 * t, m->tendon_solimp_fri + 5 * t, 0, 0};
    const CuStiff s = cu_stiff(m, &soft, 1);
    CU_FOR(k, 1) {
      cu_setRow(c, r, CUD_DRY, &s, cu_regular(s.imp, m->tendon_invweight0[t]), 0);
      *cu_row(c, CUD_LOSS, r) = m->tendon_frictionloss[t];
      *cu_row(c, CUD_OF, r) = (Real)(m->nv + t);
    }
    cu_tendonColumns(c, r, t, 1);
    c->nrow++;
  }
}

// Distances of a joint from its limits, each of which has a row below the margin: a scalar joint has two ends, a ball
// one angle about an axis.
CU_FN void cu_limitDistances(const Cu* c, int j, Real dist[2], Real axis[3]) {
  const CudModel* m = c->m;
  const Real *range = m->jnt_range + 2 * j, *qpos = CU_W(c, qpos) + m->jnt_qposadr[j];
  dist[0] = qpos[0] - range[0];
  dist[1] = range[1] - qpos[0];
  if (m->jnt_type[j] != mjJNT_BALL) return;
  Real q[4];
  cu_copy4(q, qpos);
  cu_unit4(q);
  cu_quat2Vec(axis, q);
  dist[0] = cu_max(range[0], range[1]) - cu_unit3(axis);
  dist[1] = R_(mjMAXVAL);
}

// a row of a joint's limit without its columns
CU_FN void cu_limitRow(const Cu* c, int r, int j, Real dist) {
  const CudModel* m = c->m;
  const CuSoft soft = {m->jnt_solref + 2 * j, m->jnt_solimp + 5 * j, dist, m->jnt_margin[j]};
  const CuStiff s = cu_stiff(m, &soft, 0);
  const Real A = m->dof_invweight0[m->jnt_dofadr[j]];
  cu_setRow(c, r, CUD_ONESIDED, &s, cu_regular(s.imp, A), dist - m->jnt_margin[j]);
  *cu_row(c, CUD_OF, r) = (Real)j;
}

// rows of joints, in the order of joints; a ball's other columns wait in CUD_ACTIVE and CUD_LOSS
CU_FN void cu_jointLimits(Cu* c) {
  const CudModel* m = c->m;
  CU_FOR_ALL(j, valid, m->njnt) {
    const int limited = valid && m->jnt_limited[j] && m->jnt_type[j] >= mjJNT_BALL;
    Real dist[2] = {0, 0}, axis[3] = {0, 0, 0};
    int acts[2] = {0, 0}, added;
    if (limited) {
      cu_limitDistances(c, j, dist, axis);
      for (int k = 0; k < 2; k++) acts[k] = dist[k] < m->jnt_margin[j];
    }
    int r = c->nrow + cu_before(acts[0] + acts[1], &added);
    if (!cu_roomForRows(c, c->nrow + added)) return;
    c->nrow += added;
    CU_LOOP for (int k = 0; k < 2; k++) {
      if (!acts[k]) continue;
      const int ball = m->jnt_type[j] == mjJNT_BALL;
      cu_limitRow(c, r, j, dist[k]);
      cu_unitRow(c, r, m->jnt_dofadr[j], ball ? -axis[0] : k ? R_(-1) : R_(1));
      if (ball) {
        *cu_row(c, CUD_ACTIVE, r) = -axis[1];
        *cu_row(c, CUD_LOSS, r) = -axis[2];
      }
      r++;
    }
  }
}

// the other columns of balls, in rows from the first on
CU_FN void cu_ballColumns(const Cu* c, int first) {
  const CudModel* m = c->m;
  CU_FOR(k, c->nrow - first) {
    const int r = first + k, j = (int)*cu_row(c, CUD_OF, r), dof = m->jnt_dofadr[j];
    if (m->jnt_type[j] != mjJNT_BALL) continue;
    cu_J(c, r)[dof + 1] = *cu_row(c, CUD_ACTIVE, r);
    cu_J(c, r)[dof + 2] = *cu_row(c, CUD_LOSS, r);
    *cu_row(c, CUD_LOSS, r) = 0;
  }
  cu_sync();
}

CU_FN void cu_tendonLimit(Cu* c, int t, int side) {
  const CudModel* m = c->m;
  const Real margin = m->tendon_margin[t];
  const Real dist = side * (m->tendon_range[2 * t + (side + 1) / 2] - CU_W(c, ten_length)[t]);
  if (!(dist < margin) || !cu_roomForRows(c, c->nrow + 1)) return;
  const CuSoft soft = {m->tendon_solref_lim + 2 * t, m->tendon_solimp_lim + 5 * t, dist, margin};
  const CuStiff s = cu_stiff(m, &soft, 0);
  CU_FOR(k, 1) {
    cu_setRow(c, c->nrow, CUD_ONESIDED, &s, cu_regular(s.imp, m->tendon_invweight0[t]), dist - margin);
    *cu_row(c, CUD_OF, c->nrow) = (Real)(m->njnt + t);
  }
  cu_tendonColumns(c, c->nrow, t, -side);
  c->nrow++;
}

CU_FN void cu_limitRows(Cu* c) {
  const CudModel* m = c->m;
  if (m->disableflags & mjDSBL_LIMIT) return;
  const int start = c->nrow;
  cu_jointLimits(c);
  cu_unitColumns(c, start, c->nrow);
  if (m->balls) cu_ballColumns(c, start);
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_limited[t]) continue;
    cu_tendonLimit(c, t, -1);
    cu_tendonLimit(c, t, 1);
  }
}

//---------------------------------- contacts ----------------------------------

// friction of a cone after regularisation
CU_FN Real cu_mu(const CudModel* m, int param) {
  return m->param_friction[5 * param] / cu_sqrt(cu_max(CU_MINVAL, m->impratio));
}

// numbers of all rows of one contact, by one lane
CU_FN void cu_contactNumbers(const Cu* c, int i, int row) {
  const CudModel* m = c->m;
  const Real* con = cu_contact(c, i);
  const int p = (int)con[CUD_PARAM], dim = (int)con[CUD_DIM], elliptic = dim > 1 && m->cone == mjCONE_ELLIPTIC;
  const int n = cu_rowsOf(m, dim);
  const Real *mu = m->param_friction + 5 * p, residual = con[CUD_DIST] - m->param_include[p];
  const CuSoft soft = {m->param_solref + 2 * p, m->param_solimp + 5 * p, con[CUD_DIST], m->param_include[p]};
  CuStiff s = cu_stiff(m, &soft, 0);
#if CU_FAR
  const Real tran = cu_weightOf(c, con, 0) + cu_weightOf(c, con, 1);
#else
  const Real tran = m->body_invweight0[2 * (int)con[CUD_BODY]] + m->body_invweight0[2 * (int)con[CUD_BODY + 1]];
#endif

  // edges of a pyramid are together as stiff as the elliptic cone
  Real R = cu_regular(s.imp, dim > 1 && !elliptic ? tran + mu[0] * mu[0] * tran : tran);
  if (dim > 1 && !elliptic) R *= 2 * cu_mu(m, p) * cu_mu(m, p);
  cu_setRow(c, row, elliptic ? CUD_CONE : CUD_ONESIDED, &s, R, residual);
  *cu_row(c, CUD_OF, row) = (Real)p;
  const Real tangential = R / cu_max(CU_MINVAL, m->impratio);
  if (elliptic) {
    const Real* ref = m->param_solreffriction + 2 * p;
    const int own = (ref[0] != 0 || ref[1] != 0) && (ref[0] > 0) == (ref[1] > 0);
    cu_stiffness(m, own ? ref : soft.solref, cu_clipImp(soft.solimp[1]), 1, &s);
  }
  for (int k = 1; k < n; k++) {
    const Real Rk = elliptic ? tangential * mu[0] * mu[0] / (mu[k - 1] * mu[k - 1]) : R;
    cu_setRow(c, row + k, elliptic ? CUD_CONE_PART : CUD_ONESIDED, &s, Rk, elliptic ? 0 : residual);
  }
}

// Columns of all rows of one contact, by all lanes. A dof that moves both bodies moves them together at the contact.
CU_FN void cu_contactColumns(const Cu* c, const Real* con, int row) {
  const CudModel* m = c->m;
  const int p = (int)con[CUD_PARAM], dim = (int)con[CUD_DIM], pyramid = m->cone != mjCONE_ELLIPTIC && dim > 1;
#if !CU_FAR
  const int body1 = (int)con[CUD_BODY], body2 = (int)con[CUD_BODY + 1];
#endif
  const Real *mu = m->param_friction + 5 * p, *frame = con + CUD_NORMAL;
  Real third[3];
  cu_cross3(third, frame, frame + 3);
#if CU_FAR
  CuSide side[2];
  for (int k = 0; k < 2; k++) cu_openSide(c, con, k, k ? R_(1) : R_(-1), side + k);
#endif
  CU_FOR(i, m->nvs) {
    Real part[6] = {0, 0, 0, 0, 0, 0}, lin[3];
#if CU_FAR
    const Real sign = i < m->nv ? cu_sideMoves(c, side, i) + cu_sideMoves(c, side + 1, i) : 0;
#else
    const int sign = i < m->nv ? cu_moves(m, body2, i) - cu_moves(m, body1, i) : 0;
#endif
    if (sign) {
      const Real* ang = CU_W(c, cdof) + 6 * i;
      cu_pointMotion(c, i, con + CUD_POS, lin);
      cu_set3(part, sign * cu_dot3(frame, lin), sign * cu_dot3(frame + 3, lin), sign * cu_dot3(third, lin));
      if (dim > 3) {
        cu_set3(part + 3, sign * cu_dot3(frame, ang), sign * cu_dot3(frame + 3, ang), sign * cu_dot3(third, ang));
      }
    }
    for (int k = pyramid; k < 6; k++) {
      if (k >= dim) break;
      if (pyramid) {
        cu_J(c, row + 2 * k - 2)[i] = part[0] + mu[k - 1] * part[k];
        cu_J(c, row + 2 * k - 1)[i] = part[0] - mu[k - 1] * part[k];
      } else {
        cu_J(c, row + k)[i] = part[k];
      }
    }
  }
}

// rows of contacts in the order of the CPU, on which Gauss-Seidel depends
CU_FN void cu_orderRows(const Cu* c) {
  CU_FOR(i, c->ncon) {
    int row;
    Real* con = cu_contact(c, i);
    cu_placeOf(c, i, &row);
    if (con[CUD_FIRSTROW] >= 0) con[CUD_FIRSTROW] = (Real)row;
  }
  cu_sync();
}

// n: rows of contacts, which know their places among them
CU_FN void cu_contactRows(Cu* c, int n) {
  const int start = c->nrow;
  if (!n || !cu_roomForRows(c, start + n)) return;
  if (CU_HAS(c->m->solver == mjSOL_PGS)) cu_orderRows(c);
  CU_FOR(i, c->ncon) {
    const int row = (int)cu_contact(c, i)[CUD_FIRSTROW];
    if (row >= 0) cu_contactNumbers(c, i, start + row);
  }
  for (int i = 0; i < c->ncon; i++) {
    const Real* con = cu_contact(c, i);
    if (con[CUD_FIRSTROW] >= 0) cu_contactColumns(c, con, start + (int)con[CUD_FIRSTROW]);
  }
  c->nrow += n;
}

//---------------------------------- all of them ----------------------------------

// r = J v for one row
CU_FN Real cu_mulRow(const Cu* c, int r, const Real* v) {
  const Real* J = cu_J(c, r);
  Real sum = 0, a[4], b[4];
  for (int i = cu_begin(c, r); i < cu_end(c, r); i += 4) {
    cu_load4(a, J + i);
    cu_load4(b, v + i);
    sum += a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  }
  return sum;
}

// ncontact: rows of contacts
CU_FN void cu_rows(Cu* c, int ncontact) {
  c->nrow = c->spills = 0;
  cu_equalityRows(c);
  c->ne = c->nrow;
  cu_frictionRows(c);
  c->nf = c->nrow - c->ne;
  cu_limitRows(c);
  cu_contactRows(c, ncontact);
  cu_sync();
  c->ncontactrow = ncontact;
  if (c->status & CUD_FULL) c->nrow = c->ncontactrow = 0;

#if CU_FAR
  cu_spans(c);
#endif

  // the part of the reference that comes from velocity
  CU_FOR(r, c->nrow) {
    *cu_row(c, CUD_AREF, r) -= *cu_row(c, CUD_JAR, r) * cu_mulRow(c, r, CU_W(c, qvel));
  }
  cu_sync();
}
