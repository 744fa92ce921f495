// Rows of contacts.
//
// The motion of the second side relative to the first, seen in the contact frame, has up to six components: normal, two
// tangents, and the rotations about them. Elliptic cones take them as rows; pyramidal cones take the edges
// normal ± friction·tangent. Columns are computed dof by dof and written straight into their rows.
#include <string.h>

#include "base/share.h"
#include "base/stack.h"
#include "constraint/chain.h"
#include "constraint/columns.h"
#include "constraint/flexside.h"
#include "constraint/rows.h"

// rows of a contact of dimension dim
static int rowsOf(int dim, int pyramidal) {
  return dim == 1 ? 1 : pyramidal ? 2 * (dim - 1) : dim;
}

//---------------------------------- columns ----------------------------------

// components of one dof's relative motion in the contact frame: at most dim of them
static inline void toFrame(mjtNum res[6], const mjContact* con, const mjtNum lin[3], const mjtNum ang[3]) {
  const mjtNum* frame = con->frame;
  res[0] = mth_dot3(frame, lin);
  if (con->dim == 1) return;
  res[1] = mth_dot3(frame + 3, lin);
  res[2] = mth_dot3(frame + 6, lin);
  for (int i = 3; i < con->dim; i++) res[i] = mth_dot3(frame + 3 * (i - 3), ang);
}

// writes the column of one dof; column points to its place in the first row
static inline void writeColumn(mjtNum* column, int stride, const mjContact* con, int pyramidal, const mjtNum comp[6]) {
  if (con->dim == 1 || !pyramidal) {
    for (int i = 0; i < con->dim; i++) column[(size_t)i * stride] = comp[i];
    return;
  }
  for (int i = 1; i < con->dim; i++) {
    const mjtNum edge = comp[i] * con->friction[i - 1];
    column[0] = comp[0] + edge;
    column[stride] = comp[0] - edge;
    column += 2 * (size_t)stride;
  }
}

//---------------------------------- two bodies ----------------------------------

// columns of a contact between two bodies: from the leaves towards the roots. Dofs that move both move them together.
static void pairColumns(const ConBuild* b, ConPair* p, const mjContact* con, const ConRows* r, int pyramidal) {
  const mjModel* m = b->m;
  ConColumns side[2];
  for (int s = 0; s < 2; s++) {
    side[s] = (ConColumns){.con = con, .arm = p->arm[s], .second = s, .pyramidal = pyramidal && con->dim > 1};
    side[s].nrow = r->nrow;
    side[s].n = 0;
    side[s].list = b->list + 2 * s * (int)m->nv;
  }

  // which dofs, and where their columns go
  int sides, k = r->ncol;
  for (int dof = con_pairNext(p, m, &sides); dof >= 0; dof = con_pairNext(p, m, &sides)) {
    if (sides == 3 && !b->sparse) break;
    k--;
    if (b->sparse) r->dof[k] = dof;
    if (sides == 3) {
      for (int i = 0; i < r->nrow; i++) r->J[(size_t)i * r->stride + k] = 0;
      continue;
    }
    ConColumns* c = side + (sides >> 1);
    c->list[2 * c->n] = dof;
    c->list[2 * c->n + 1] = b->sparse ? k : dof;
    c->n++;
  }
  for (int s = 0; s < 2; s++) {
    if (side[s].n) b->columns(side + s, b->d->cdof, r->J, (size_t)r->stride);
  }
}

//---------------------------------- several bodies on a side ----------------------------------

// dofs that move any of the bodies, increasing
static int unionChain(const ConBuild* b, const ConSide side[2], int* dof) {
  const mjModel* m = b->m;
  int n = 0;
  for (int s = 0; s < 2; s++) {
    for (int i = 0; i < side[s].n; i++) {
      const int moving = m->body_weldid[side[s].body[i]];
      for (int j = moving ? con_lastDof(m, moving) : -1; j >= 0; j = m->dof_parentid[j]) {
        // place from the end; a dof that is there already brings all its parents
        int k = n;
        while (k > 0 && dof[k - 1] > j) k--;
        if (k > 0 && dof[k - 1] == j) break;
        for (int t = n; t > k; t--) dof[t] = dof[t - 1];
        dof[k] = j;
        n++;
      }
    }
  }
  return n;
}

// adds one body's weighted motion to the columns; sum holds translation and rotation of each column
static void addBody(const ConBuild* b, const mjContact* con, const ConRows* r, int body, mjtNum weight,
                    mjtNum (*sum)[6]) {
  const mjModel* m = b->m;
  ConPair p;
  con_pairSide(&p, 0, m, b->d, body, con->pos);
  int k = r->ncol - 1;
  for (int j = p.last[0]; j >= 0; j = m->dof_parentid[j]) {
    mjtNum lin[3];
    con_moves(lin, b->d->cdof + 6 * j, p.arm[0]);
    while (r->dof[k] > j) k--;
    mth_addToScl3(sum[k], lin, weight);
    mth_addToScl3(sum[k] + 3, b->d->cdof + 6 * j, weight);
  }
}

// columns of a contact that involves flex elements or nodes; the rows' dofs are set
static void sumColumns(ConBuild* b, const mjContact* con, const ConSide side[2], const ConRows* r, int pyramidal) {
  mj_markStack(b->d);
  mjtNum(*sum)[6] = (mjtNum(*)[6])mj_stackAllocNum(b->d, 6 * (size_t)r->ncol);
  memset(sum, 0, sizeof(*sum) * (size_t)r->ncol);
  for (int s = 0; s < 2; s++) {
    for (int i = 0; i < side[s].n; i++) addBody(b, con, r, side[s].body[i], side[s].weight[i], sum);
  }
  for (int k = 0; k < r->ncol; k++) {
    mjtNum comp[6] = {0};
    toFrame(comp, con, sum[k], sum[k] + 3);
    writeColumn(con_at(r, 0, k), r->stride, con, pyramidal, comp);
  }
  mj_freeStack(b->d);
}

//---------------------------------- contacts ----------------------------------

// identity and residual of a contact's rows
static void closeContact(ConBuild* b, const ConRows* r, int id, int pyramidal) {
  const mjContact* con = b->d->contact + id;
  mjtNum pos[10] = {0}, margin[10] = {0};
  const int all = con->dim == 1 || pyramidal;
  for (int i = 0; i < (all ? r->nrow : 1); i++) {
    pos[i] = con->dist;
    margin[i] = con->includemargin;
  }
  const mjtConstraint type = con->dim == 1 ? mjCNSTR_CONTACT_FRICTIONLESS
                             : pyramidal   ? mjCNSTR_CONTACT_PYRAMIDAL
                                           : mjCNSTR_CONTACT_ELLIPTIC;
  con_close(b, r, &(ConWhat){.type = type, .id = id, .pos = pos, .margin = margin});
}

// rows of one contact; 0 when no dof can change it
static int oneContact(ConBuild* b, int id, int pyramidal) {
  const mjModel* m = b->m;
  const mjContact* con = b->d->contact + id;
  const int nrow = rowsOf(con->dim, pyramidal);

  // two bodies
  if (con_isSingle(m, con, 0) && con_isSingle(m, con, 1)) {
    ConPair p;
    for (int s = 0; s < 2; s++) con_pairSide(&p, s, m, b->d, con_singleBody(m, con, s), con->pos);
    const int ncol = b->sparse ? con_pairCount(m, b->depth, &p) : m->nv;
    if (!ncol) return 0;
    const ConRows r = con_open(b, nrow, ncol);
    pairColumns(b, &p, con, &r, pyramidal);
    closeContact(b, &r, id, pyramidal);
    return 1;
  }

  // more than two
  ConSide side[2];
  for (int s = 0; s < 2; s++) con_side(side + s, m, b->d, con, s, s ? 1 : -1);
  mj_markStack(b->d);
  int* dof = mj_stackAllocInt(b->d, (size_t)m->nv);
  const int ncol = unionChain(b, side, dof);
  if (ncol || !b->sparse) {
    const ConRows r = con_open(b, nrow, ncol);
    for (int k = 0; k < ncol; k++) r.dof[k] = dof[k];
    sumColumns(b, con, side, &r, pyramidal);
    closeContact(b, &r, id, pyramidal);
  }
  mj_freeStack(b->d);
  return ncol || !b->sparse;
}

static int noContact(const ConBuild* b) {
  return (b->m->opt.disableflags & mjDSBL_CONTACT) || !b->d->ncon;
}

// rows of the contacts of one part, behind those of the parts before
static void partRows(void* arg, int piece) {
  ConBuild b = *(const ConBuild*)arg;
  const int pyramidal = mj_isPyramidal(b.m);
  for (int k = 0; k < piece; k++) {
    b.nefc += b.contacts.rows[k];
    b.nJ += b.contacts.nJ[k];
  }
  if (b.contacts.n > 1) {
    mj_markStack(b.d);
    b.column = mj_stackAllocInt(b.d, 5 * (size_t)b.m->nv + 1);
    b.list = b.column + b.m->nv;
  }
  const BasPart part = bas_part(b.d->ncon, b.contacts.n, piece);
  for (int i = part.begin; i < part.end; i++) {
    mjContact* con = b.d->contact + i;
    if (con->exclude) continue;
    con->efc_address = b.nefc;
    if (!oneContact(&b, i, pyramidal)) {
      con->efc_address = -1;
      con->exclude = 3;
    }
  }
  if (b.contacts.n > 1) mj_freeStack(b.d);
}

void con_contactRows(ConBuild* b) {
  if (noContact(b) || !b->m->nv) return;
  bas_share(b->d, NULL, partRows, b, b->contacts.n);
  for (int k = 0; k < b->contacts.n; k++) {
    b->nefc += b->contacts.rows[k];
    b->nJ += b->sparse ? b->contacts.nJ[k] : 0;
  }
}

//---------------------------------- counting ----------------------------------

// columns of a sparse contact
static int countColumns(const ConBuild* b, const mjContact* con) {
  const mjModel* m = b->m;
  if (con_isSingle(m, con, 0) && con_isSingle(m, con, 1)) {
    ConPair p;
    for (int s = 0; s < 2; s++) {
      const int moving = m->body_weldid[con_singleBody(m, con, s)];
      p.last[s] = moving ? con_lastDof(m, moving) : -1;
    }
    return con_pairCount(m, b->depth, &p);
  }
  ConSide side[2];
  for (int s = 0; s < 2; s++) con_side(side + s, m, b->d, con, s, s ? 1 : -1);
  mj_markStack(b->d);
  const int n = unionChain(b, side, mj_stackAllocInt(b->d, (size_t)m->nv));
  mj_freeStack(b->d);
  return n;
}

// a sleeping body never touches anything: the collision stage has woken it
static void checkAwake(const ConBuild* b, const mjContact* con, int id) {
  const mjModel* m = b->m;
  if (con->geom[0] < 0 || con->geom[1] < 0) return;
  for (int s = 0; s < 2; s++) {
    if (b->d->body_awake[m->body_weldid[m->geom_bodyid[con->geom[s]]]] == mjS_ASLEEP) {
      mju_error("mj_makeConstraint: contact %d involves sleeping geom %d", id, con->geom[s]);
    }
  }
}

// rows and nonzeros of the contacts of one part
static void countPart(void* arg, int piece) {
  const ConBuild* b = arg;
  const mjModel* m = b->m;
  const int pyramidal = mj_isPyramidal(m);
  int rows = 0, nJ = 0;
  const BasPart part = bas_part(b->d->ncon, b->contacts.n, piece);
  for (int i = part.begin; i < part.end; i++) {
    mjContact* con = b->d->contact + i;

    // contacts of passive flexes act as springs instead
    if ((con->flex[0] >= 0 && m->flex_passive[con->flex[0]]) || (con->flex[1] >= 0 && m->flex_passive[con->flex[1]])) {
      con->efc_address = -1;
      con->exclude = 4;
    }
    if (con->exclude) continue;
    if (b->filter) checkAwake(b, con, i);

    const int ncol = b->sparse ? countColumns(b, con) : m->nv;
    if (b->sparse && !ncol) continue;
    rows += rowsOf(con->dim, pyramidal);
    nJ += rowsOf(con->dim, pyramidal) * ncol;
  }
  b->contacts.rows[piece] = rows;
  b->contacts.nJ[piece] = nJ;
}

int con_countContact(ConBuild* b, int* nJ) {
  if (noContact(b)) return 0;
  b->contacts = con_parts(b, b->d->ncon, CON_PART);
  bas_share(b->d, NULL, countPart, b, b->contacts.n);
  int rows = 0;
  for (int k = 0; k < b->contacts.n; k++) {
    rows += b->contacts.rows[k];
    *nJ += b->contacts.nJ[k];
  }
  return rows;
}
