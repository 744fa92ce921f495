// Impedance of constraint rows: how stiff, damped and soft each one is.
//
// With A the approximate inverse inertia that a row sees (efc_diagApprox) and impedance I(r) in (0, 1):
//   R = (1 − I)/I · A     regularisation, D = 1/R
//   K, B                  stiffness and damping of the reference acceleration −B·v − K·I·(r − margin)
// solref gives K and B by time constant and damping ratio, or directly when negative; solimp shapes I(r).
#include <math.h>

#include "base/share.h"
#include "constraint/flexside.h"
#include "constraint/rows.h"
#include "math/elem.h"
#include "math/vec.h"

//---------------------------------- inverse inertia ----------------------------------

// a body that an equality constraint names, by itself or by a site
static int equalityBody(const mjModel* m, int eq, int id) {
  return m->eq_objtype[eq] == mjOBJ_SITE ? m->site_bodyid[id] : id;
}

// rows of one equality constraint from row i on; returns how many
static int diagEquality(const mjModel* m, const mjData* d, int i, mjtNum* A) {
  const int eq = d->efc_id[i], id1 = m->eq_obj1id[eq], id2 = m->eq_obj2id[eq];
  switch (m->eq_type[eq]) {
    case mjEQ_CONNECT:
    case mjEQ_WELD: {
      const int rows = m->eq_type[eq] == mjEQ_CONNECT ? 3 : 6;
      const mjtNum* w1 = m->body_invweight0 + 2 * equalityBody(m, eq, id1);
      const mjtNum* w2 = m->body_invweight0 + 2 * equalityBody(m, eq, id2);
      for (int j = 0; j < rows; j++) A[i + j] = w1[j > 2] + w2[j > 2];
      return rows;
    }
    case mjEQ_JOINT:
      A[i] = m->dof_invweight0[m->jnt_dofadr[id1]];
      if (id2 >= 0) A[i] += m->dof_invweight0[m->jnt_dofadr[id2]];
      return 1;
    case mjEQ_TENDON:
      A[i] = m->tendon_invweight0[id1];
      if (id2 >= 0) A[i] += m->tendon_invweight0[id2];
      return 1;
    case mjEQ_FLEX: {
      int n = 0;
      for (int e = m->flex_edgeadr[id1]; e < m->flex_edgeadr[id1] + m->flex_edgenum[id1]; e++) {
        if (!m->flexedge_rigid[e] && i + n < d->ne) A[i + n++] = m->flexedge_invweight0[e];
      }
      return n;
    }
    default: {
      int n = 0;
      for (int v = m->flex_vertadr[id1]; v < m->flex_vertadr[id1] + m->flex_vertnum[id1]; v++) {
        for (int j = 0; j < 2 && i + n < d->ne; j++) A[i + n++] = m->body_invweight0[2 * m->flex_vertbodyid[v]];
      }
      return n;
    }
  }
}

// rows of one contact from row i on; returns how many
static int diagContact(const mjModel* m, const mjData* d, int i, mjtNum* A) {
  const mjContact* con = d->contact + d->efc_id[i];

  // translation and rotation, averaged over the bodies of each side
  mjtNum tran = 0, rot = 0;
  for (int s = 0; s < 2; s++) {
    if (con_isSingle(m, con, s)) {
      const mjtNum* w = m->body_invweight0 + 2 * con_singleBody(m, con, s);
      tran += w[0];
      rot += w[1];
      continue;
    }
    ConSide side;
    con_side(&side, m, d, con, s, 1);
    for (int k = 0; k < side.n; k++) {
      tran += m->body_invweight0[2 * side.body[k]] * side.weight[k];
      rot += m->body_invweight0[2 * side.body[k] + 1] * side.weight[k];
    }
  }

  // per row
  if (d->efc_type[i] == mjCNSTR_CONTACT_FRICTIONLESS) {
    A[i] = tran;
    return 1;
  }
  if (d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
    for (int j = 0; j < con->dim; j++) A[i + j] = j < 3 ? tran : rot;
    return con->dim;
  }
  for (int j = 0; j < con->dim - 1; j++) {
    const mjtNum mu = con->friction[j];
    A[i + 2 * j] = A[i + 2 * j + 1] = tran + mu * mu * (j < 2 ? tran : rot);
  }
  return 2 * (con->dim - 1);
}

// efc_diagApprox of rows that are not of contacts
static void diagApprox(const mjModel* m, mjData* d, BasPart rows) {
  mjtNum* A = d->efc_diagApprox;
  for (int i = rows.begin; i < rows.end;) {
    const int id = d->efc_id[i];
    switch (d->efc_type[i]) {
      case mjCNSTR_EQUALITY:
        i += diagEquality(m, d, i, A);
        break;
      case mjCNSTR_FRICTION_DOF:
        A[i++] = m->dof_invweight0[id];
        break;
      case mjCNSTR_LIMIT_JOINT:
        A[i++] = m->dof_invweight0[m->jnt_dofadr[id]];
        break;
      default:
        A[i++] = m->tendon_invweight0[id];
    }
  }
}

//---------------------------------- parameters ----------------------------------

// solver parameters of a constraint after all safeguards
typedef struct {
  mjtNum ref[mjNREF];
  mjtNum friction[mjNREF];  // for the friction rows of elliptic contacts; zeros: the same as ref
  mjtNum imp[mjNIMP];
} Params;

// the element's own parameters
static void rawParams(const mjModel* m, const mjData* d, int i, Params* p) {
  const int id = d->efc_id[i];
  const mjtNum *ref, *imp;
  p->friction[0] = p->friction[1] = 0;
  switch (d->efc_type[i]) {
    case mjCNSTR_EQUALITY:
      ref = m->eq_solref + mjNREF * id;
      imp = m->eq_solimp + mjNIMP * id;
      break;
    case mjCNSTR_FRICTION_DOF:
      ref = m->dof_solref + mjNREF * id;
      imp = m->dof_solimp + mjNIMP * id;
      break;
    case mjCNSTR_FRICTION_TENDON:
      ref = m->tendon_solref_fri + mjNREF * id;
      imp = m->tendon_solimp_fri + mjNIMP * id;
      break;
    case mjCNSTR_LIMIT_JOINT:
      ref = m->jnt_solref + mjNREF * id;
      imp = m->jnt_solimp + mjNIMP * id;
      break;
    case mjCNSTR_LIMIT_TENDON:
      ref = m->tendon_solref_lim + mjNREF * id;
      imp = m->tendon_solimp_lim + mjNIMP * id;
      break;
    default:
      ref = d->contact[id].solref;
      imp = d->contact[id].solimp;
      for (int k = 0; k < mjNREF; k++) p->friction[k] = d->contact[id].solreffriction[k];
  }
  for (int k = 0; k < mjNREF; k++) p->ref[k] = ref[k];
  for (int k = 0; k < mjNIMP; k++) p->imp[k] = imp[k];
}

// an impedance strictly between 0 and 1
static mjtNum clampImp(mjtNum x) {
  return mth_min(mjMAXIMP, mth_max(mjMINIMP, x));
}

static void params(const mjModel* m, const mjData* d, int i, Params* p) {
  rawParams(m, d, i, p);

  // both numbers of a reference must be positive, or both not
  if ((p->ref[0] > 0) != (p->ref[1] > 0)) {
    mju_warning("mixed solref format, replacing with default");
    p->ref[0] = 0.02;
    p->ref[1] = 1;
  }
  if ((p->friction[0] > 0) != (p->friction[1] > 0)) {
    mju_warning("solreffriction values should have the same sign, replacing with default");
    p->friction[0] = p->friction[1] = 0;
  }

  // time constants that the integrator can follow
  if (!(m->opt.disableflags & mjDSBL_REFSAFE)) {
    if (p->ref[0] > 0) p->ref[0] = mth_max(p->ref[0], 2 * m->opt.timestep);
    if (p->friction[0] > 0) p->friction[0] = mth_max(p->friction[0], 2 * m->opt.timestep);
  }

  // shape of the impedance
  p->imp[0] = clampImp(p->imp[0]);
  p->imp[1] = clampImp(p->imp[1]);
  p->imp[2] = mth_max(0, p->imp[2]);
  p->imp[3] = clampImp(p->imp[3]);
  p->imp[4] = mth_max(1, p->imp[4]);
}

//---------------------------------- impedance function ----------------------------------

// x to the power p, exactly for the powers that occur most
static mjtNum power(mjtNum x, mjtNum p) {
  return p == 1 ? x : p == 2 ? x * x : mth_pow(x, p);
}

// impedance and its derivative at residual pos; imp = (d0, dmax, width, midpoint, power): a sigmoid from d0 to dmax
static mjtNum impedance(const mjtNum imp[mjNIMP], mjtNum pos, mjtNum margin, mjtNum* deriv) {
  *deriv = 0;
  if (imp[0] == imp[1] || imp[2] <= mjMINVAL) return 0.5 * (imp[0] + imp[1]);

  // distance in widths
  const mjtNum signedx = (pos - margin) / imp[2];
  const mjtNum x = fabs(signedx);
  if (x >= 1) return imp[1];
  if (x <= 0) return imp[0];

  // two power functions that meet at the midpoint
  mjtNum y = x, slope = 1;
  if (imp[4] != 1) {
    const int low = x <= imp[3];
    const mjtNum mid = low ? imp[3] : 1 - imp[3], t = low ? x : 1 - x;
    const mjtNum scale = 1 / power(mid, imp[4] - 1);
    y = low ? scale * power(t, imp[4]) : 1 - scale * power(t, imp[4]);
    slope = imp[4] * scale * power(t, imp[4] - 1);
  }
  *deriv = slope * (signedx < 0 ? -1 : 1) * (imp[1] - imp[0]) / imp[2];
  return imp[0] + y * (imp[1] - imp[0]);
}

// rows of the constraint that starts at row i, and the residual that its impedance depends on
static int residualOf(const mjModel* m, const mjData* d, int i, mjtNum* pos) {
  const int id = d->efc_id[i], type = d->efc_type[i];
  *pos = d->efc_pos[i];
  if (type == mjCNSTR_CONTACT_ELLIPTIC) return d->contact[id].dim;
  if (type == mjCNSTR_CONTACT_PYRAMIDAL) return 2 * (d->contact[id].dim - 1);
  if (type != mjCNSTR_EQUALITY || m->eq_type[id] > mjEQ_WELD) return 1;

  // several rows of one residual vector: its length counts
  const int rows = m->eq_type[id] == mjEQ_WELD ? 6 : 3;
  mjtNum sum = 0;
  for (int j = 0; j < rows; j++) sum += d->efc_pos[i + j] * d->efc_pos[i + j];
  *pos = sqrt(sum);
  return rows;
}

// stiffness and damping; held: the row has no stiffness
static void stiffness(mjtNum KB[2], const mjtNum ref[2], mjtNum dmax, int held) {
  if (held) {
    KB[0] = 0;
  } else if (ref[0] > 0) {
    KB[0] = 1 / mth_max(mjMINVAL, dmax * dmax * ref[0] * ref[0] * ref[1] * ref[1]);
  } else {
    KB[0] = -ref[0] / mth_max(mjMINVAL, dmax * dmax);
  }
  KB[1] = ref[1] > 0 ? 2 / mth_max(mjMINVAL, dmax * ref[0]) : -ref[1] / mth_max(mjMINVAL, dmax);
}

mjtNum con_frictionStiffness(const mjModel* m, const mjData* d, int row) {
  Params p;
  params(m, d, row, &p);
  mjtNum KB[2];
  stiffness(KB, p.friction[0] || p.friction[1] ? p.friction : p.ref, p.imp[1], 0);
  return KB[0];
}

//---------------------------------- all rows ----------------------------------

// KBIP and R of one row
static inline void setRow(mjData* d, int i, const mjtNum KB[2], mjtNum imp, mjtNum deriv) {
  mjtNum* KBIP = d->efc_KBIP + 4 * i;
  KBIP[0] = KB[0];
  KBIP[1] = KB[1];
  KBIP[2] = imp;
  KBIP[3] = deriv;
  d->efc_R[i] = mth_max(mjMINVAL, (1 - imp) * d->efc_diagApprox[i] / imp);
}

// rows of a flex from row i on: each has its own residual, all have the same parameters; returns how many
static int flexConstraint(const mjModel* m, mjData* d, int i) {
  Params p;
  params(m, d, i, &p);
  mjtNum KB[2], deriv;
  stiffness(KB, p.ref, p.imp[1], 0);
  int n = 0;
  for (; i + n < d->ne && d->efc_id[i + n] == d->efc_id[i]; n++) {
    const mjtNum imp = impedance(p.imp, d->efc_pos[i + n], d->efc_margin[i + n], &deriv);
    setRow(d, i + n, KB, imp, deriv);
  }
  return n;
}

// KBIP and R of the constraint that starts at row i; returns its number of rows
static int oneConstraint(const mjModel* m, mjData* d, int i) {
  if (d->efc_type[i] == mjCNSTR_EQUALITY && m->eq_type[d->efc_id[i]] >= mjEQ_FLEX) return flexConstraint(m, d, i);
  Params p;
  params(m, d, i, &p);
  mjtNum pos, deriv;
  const int rows = residualOf(m, d, i, &pos);
  const mjtNum imp = impedance(p.imp, pos, d->efc_margin[i], &deriv);

  const int type = d->efc_type[i];
  const int dry = type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON;
  mjtNum KB[2];
  stiffness(KB, p.ref, p.imp[1], dry);
  for (int j = 0; j < rows; j++) {
    // friction rows of an elliptic cone have no stiffness, and may have damping of their own
    if (j == 1 && type == mjCNSTR_CONTACT_ELLIPTIC) {
      stiffness(KB, p.friction[0] || p.friction[1] ? p.friction : p.ref, p.imp[1], 1);
    }
    setRow(d, i + j, KB, imp, deriv);
  }
  return rows;
}

// regularisation of friction rows follows from that of the normal, so that the cone keeps its shape; sets mu
static void frictionCone(const mjModel* m, mjData* d, int i) {
  mjContact* con = d->contact + d->efc_id[i];
  mjtNum* R = d->efc_R + i;
  const mjtNum* mu = con->friction;
  R[1] = R[0] / mth_max(mjMINVAL, m->opt.impratio);
  con->mu = mu[0] * sqrt(R[1] / R[0]);

  // elliptic: R·mu² is the same in all friction directions
  if (d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
    for (int j = 1; j < con->dim - 1; j++) R[j + 1] = R[1] * mu[0] * mu[0] / (mu[j] * mu[j]);
    return;
  }

  // pyramidal: edges that together are as stiff as the elliptic cone
  const int rows = 2 * (con->dim - 1);
  const mjtNum edge = 2 * con->mu * con->mu * R[0];
  for (int j = 0; j < rows; j++) R[j] = edge;
}

// efc_D, and the inertia that R stands for
static void inverseOf(mjData* d, BasPart rows) {
  for (int i = rows.begin; i < rows.end; i++) {
    const mjtNum imp = d->efc_KBIP[4 * i + 2];
    d->efc_D[i] = 1 / d->efc_R[i];
    d->efc_diagApprox[i] = d->efc_R[i] * imp / (1 - imp);
  }
}

// rows in parts: those of equalities are a part of their own, then friction losses and limits, then contacts
typedef struct {
  const mjModel* m;
  mjData* d;
  int nscalar, ncontact;
} Parts;

// whole constraints that are no contacts
static void otherRows(const mjModel* m, mjData* d, BasPart rows) {
  diagApprox(m, d, rows);
  for (int i = rows.begin; i < rows.end;) i += oneConstraint(m, d, i);
  inverseOf(d, rows);
}

static void contactRows(const mjModel* m, mjData* d, BasPart contacts) {
  for (int k = contacts.begin; k < contacts.end; k++) {
    const mjContact* con = d->contact + k;
    const int i = con->efc_address;
    if (con->exclude || i < 0) continue;
    const int n = diagContact(m, d, i, d->efc_diagApprox);
    oneConstraint(m, d, i);
    if (d->efc_type[i] != mjCNSTR_CONTACT_FRICTIONLESS) frictionCone(m, d, i);
    inverseOf(d, (BasPart){i, i + n});
  }
}

static void impedancePart(void* arg, int piece) {
  const Parts* parts = arg;
  mjData* d = parts->d;
  const int scalar = piece - 1, contact = scalar - parts->nscalar;
  if (!piece) {
    otherRows(parts->m, d, (BasPart){0, d->ne});
  } else if (contact < 0) {
    const BasPart rows = bas_part(d->nf + d->nl, parts->nscalar, scalar);
    otherRows(parts->m, d, (BasPart){d->ne + rows.begin, d->ne + rows.end});
  } else {
    contactRows(parts->m, d, bas_part(d->ncon, parts->ncontact, contact));
  }
}

void con_impedance(const mjModel* m, mjData* d) {
  const int nscalar = d->nf + d->nl;
  const Parts parts = {m, d, bas_parts(d, nscalar, CON_PART), bas_parts(d, d->ncon, CON_PART)};
  bas_share(d, NULL, impedancePart, (void*)&parts, 1 + parts.nscalar + parts.ncontact);
}
