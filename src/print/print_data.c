// mj_printData: a dump of mjData as text. Most of it is a list of arrays in print order; what has a layout of its own
// (contacts, tendon paths, histories, islands) has a function.
#include <mujoco/mjxmacro.h>
#include <string.h>

#include "model/fields.h"
#include "print/print.h"

// everything a part of the dump needs
typedef struct {
  PrnPrinter out;
  const mjModel* m;
  const mjData* d;
} Dump;

//---------------------------------- lists of arrays ---------------------------------------------------------------

// an array by its place in mjData
typedef struct {
  const char* title;
  uint32_t pointer;
} Listed;

#define LIST(title, name) \
  { title, offsetof(mjData, name) }
#define END \
  { NULL, 0 }

static const MdlField* findField(uint32_t pointer) {
  for (int i = 0; i < mdl_ndataFields; i++) {
    if (mdl_dataFields[i].pointer == pointer) return mdl_dataFields + i;
  }
  const MdlField* f = mdl_arenaFields;
  while (f->pointer != pointer) f++;
  return f;
}

static void printList(const Dump* x, const Listed* list) {
  for (; list->title; list++) {
    const MdlField* const f = findField(list->pointer);
    const mjtSize nr = mdl_rows(f, x->m, x->d), nc = mdl_columns(f, x->m);
    const void* const data = *mdl_pointer(f, x->d);
    if (f->type == MDL_INT) {
      prn_ints(&x->out, list->title, nr, nc, data);
    } else {
      prn_matrix(&x->out, list->title, nr, nc, data);
    }
  }
}

static const Listed STATE[] = {LIST("QPOS", qpos), LIST("QVEL", qvel), LIST("ACT", act), END};
static const Listed INPUT[] = {LIST("QACC_WARMSTART", qacc_warmstart), LIST("CTRL", ctrl),
                               LIST("QFRC_APPLIED", qfrc_applied), LIST("XFRC_APPLIED", xfrc_applied), END};
static const Listed POSES[] = {
    LIST("MOCAP_POS", mocap_pos),
    LIST("MOCAP_QUAT", mocap_quat),
    LIST("QACC", qacc),
    LIST("ACT_DOT", act_dot),
    LIST("USERDATA", userdata),
    LIST("SENSOR", sensordata),
    LIST("TREE_ASLEEP", tree_asleep),
    LIST("XPOS", xpos),
    LIST("XQUAT", xquat),
    LIST("XMAT", xmat),
    LIST("XIPOS", xipos),
    LIST("XIMAT", ximat),
    LIST("XANCHOR", xanchor),
    LIST("XAXIS", xaxis),
    LIST("GEOM_XPOS", geom_xpos),
    LIST("GEOM_XMAT", geom_xmat),
    LIST("SITE_XPOS", site_xpos),
    LIST("SITE_XMAT", site_xmat),
    LIST("CAM_XPOS", cam_xpos),
    LIST("CAM_XMAT", cam_xmat),
    LIST("LIGHT_XPOS", light_xpos),
    LIST("LIGHT_XDIR", light_xdir),
    LIST("SUBTREE_COM", subtree_com),
    LIST("CDOF", cdof),
    LIST("CINERT", cinert),
    LIST("FLEXVERT_XPOS", flexvert_xpos),
    LIST("FLEXELEM_AABB", flexelem_aabb),
    END,
};
static const Listed ROWS[] = {
    LIST("EFC_POS", efc_pos),
    LIST("EFC_MARGIN", efc_margin),
    LIST("EFC_FRICTIONLOSS", efc_frictionloss),
    LIST("EFC_DIAGAPPROX", efc_diagApprox),
    LIST("EFC_KBIP", efc_KBIP),
    LIST("EFC_D", efc_D),
    LIST("EFC_R", efc_R),
    LIST("FLEXEDGE_VELOCITY", flexedge_velocity),
    LIST("TEN_VELOCITY", ten_velocity),
    LIST("ACTUATOR_VELOCITY", actuator_velocity),
    LIST("CVEL", cvel),
    LIST("CDOF_DOT", cdof_dot),
    LIST("QFRC_BIAS", qfrc_bias),
    LIST("QFRC_SPRING", qfrc_spring),
    LIST("QFRC_DAMPER", qfrc_damper),
    LIST("QFRC_GRAVCOMP", qfrc_gravcomp),
    LIST("QFRC_FLUID", qfrc_fluid),
    LIST("QFRC_PASSIVE", qfrc_passive),
    LIST("EFC_VEL", efc_vel),
    LIST("EFC_AREF", efc_aref),
    LIST("SUBTREE_LINVEL", subtree_linvel),
    LIST("SUBTREE_ANGMOM", subtree_angmom),
    LIST("ACTUATOR_FORCE", actuator_force),
    LIST("QFRC_ACTUATOR", qfrc_actuator),
    LIST("QFRC_SMOOTH", qfrc_smooth),
    LIST("QACC_SMOOTH", qacc_smooth),
    LIST("EFC_B", efc_b),
    LIST("EFC_FORCE", efc_force),
    LIST("EFC_STATE", efc_state),
    LIST("QFRC_CONSTRAINT", qfrc_constraint),
    LIST("QFRC_INVERSE", qfrc_inverse),
    LIST("CACC", cacc),
    LIST("CFRC_INT", cfrc_int),
    LIST("CFRC_EXT", cfrc_ext),
    END,
};

//---------------------------------- header ------------------------------------------------------------------------

static void printMemory(const Dump* x) {
  const mjData* d = x->d;
  // clang-format off
  const struct {
    const char* label;
    double bytes;
  } parts[] = {
      {"total         ", (double)sizeof(mjData) + (double)d->nbuffer + (double)d->narena},
      {"struct        ", (double)sizeof(mjData)},
      {"buffer        ", (double)d->nbuffer},
      {"arena         ", (double)d->narena},
  };
  // clang-format on
  fputs("MEMORY\n", x->out.file);
  for (int i = 0; i < 4; i++) {
    prn_bytes(&x->out, parts[i].label, parts[i].bytes);
    if (i < 3) fputc('\n', x->out.file);
  }
  fprintf(x->out.file, ", used %.1f%%\n\n", 100 * (double)d->maxuse_arena / (double)d->narena);
}

// 1: a member that is a count or a flag; addresses and the time are left out
static int isCount(const char* name) {
  static const char* const OTHERS[] = {"pstack", "pbase", "parena", "time", "threadpool"};
  for (int i = 0; i < 5; i++) {
    if (strcmp(name, OTHERS[i]) == 0) return 0;
  }
  return 1;
}

static void printSizes(const Dump* x) {
  const mjData* d = x->d;
  fputs("SIZES\n", x->out.file);
#define X(type, name) \
  if (isCount(#name)) fprintf(x->out.file, "  %-21s %lld\n", #name, (long long)d->name);
  MJDATA_SCALAR
#undef X
  fprintf(x->out.file, "  %-21s %d\n\n", "threadpool", d->threadpool != 0);
}

static void printWarningsAndTimers(const Dump* x) {
  const mjData* d = x->d;
  FILE* const file = x->out.file;
  int warnings = 0;
  for (int i = 0; i < mjNWARNING; i++) warnings += d->warning[i].number;
  if (warnings) {
    fputs("WARNING\n", file);
    for (int i = 0; i < mjNWARNING; i++) {
      const mjWarningStat* w = d->warning + i;
      if (w->number) fprintf(file, "    %d:  lastinfo = %d   number = %d\n", i, w->lastinfo, w->number);
    }
    fputc('\n', file);
  }

  mjtNum busy = 0;
  for (int i = 0; i < mjNTIMER; i++) busy += d->timer[i].duration;
  if (busy == 0) return;
  fputs("TIMER\n", file);
  for (int i = 0; i < mjNTIMER; i++) {
    fprintf(file, "    %d:  duration = ", i);
    prn_number(&x->out, d->timer[i].duration);
    fprintf(file, "   number = %d\n", d->timer[i].number);
  }
  fputc('\n', file);
}

static void printLabelled(const Dump* x, const char* label, mjtNum value) {
  fputs(label, x->out.file);
  prn_number(&x->out, value);
}

static void printSolver(const Dump* x) {
  const mjData* d = x->d;
  if (!d->nefc) return;
  fputs("SOLVER STAT\n", x->out.file);
  prn_vector(&x->out, "  solver_fwdinv = ", d->solver_fwdinv, 2);
  const int nisland = d->nisland < 1 ? 1 : d->nisland < mjNISLAND ? d->nisland : mjNISLAND;
  for (int island = 0; island < nisland; island++) {
    const int niter = d->solver_niter[island] < mjNSOLVER ? d->solver_niter[island] : mjNSOLVER;
    if (!niter) continue;
    fprintf(x->out.file, "  ISLAND %d\n    solver_niter = %d\n    solver_nnz = %d\n", island, d->solver_niter[island],
            d->solver_nnz[island]);
    for (int i = 0; i < niter; i++) {
      const mjSolverStat* s = d->solver + island * mjNSOLVER + i;
      fprintf(x->out.file, "      %d:", i);
      printLabelled(x, "  improvement = ", s->improvement);
      printLabelled(x, "    gradient = ", s->gradient);
      printLabelled(x, "    lineslope = ", s->lineslope);
      fprintf(x->out.file, "\n          nactive = %d   nchange = %d   neval = %d   nupdate = %d\n", s->nactive,
              s->nchange, s->neval, s->nupdate);
    }
    fputc('\n', x->out.file);
  }
}

//---------------------------------- histories ---------------------------------------------------------------------

// a run of numbers without separators beyond the format's own width
static void printRun(const Dump* x, const char* label, const mjtNum* data, int n) {
  fputs(label, x->out.file);
  for (int i = 0; i < n; i++) prn_number(&x->out, data[i]);
  fputc('\n', x->out.file);
}

// the buffer of one actuator or sensor: last time, cursor, n times, n values of dim numbers
static void printHistory(const Dump* x, const mjtNum* buffer, int n, int dim) {
  if (n <= 0) return;
  const mjtNum* const values = buffer + 2 + n;
  printRun(x, "    phase  = ", buffer, 1);
  fprintf(x->out.file, "    cursor =  %.0f\n", buffer[1]);
  printRun(x, "    times  = ", buffer + 2, n);
  if (dim == 1) {
    printRun(x, "    values = ", values, n);
    return;
  }
  fputs("    values:\n", x->out.file);
  for (int i = 0; i < n; i++) {
    fprintf(x->out.file, "      [%d] =", i);
    printRun(x, "", values + i * dim, dim);
  }
}

static void printHistories(const Dump* x) {
  const mjModel* m = x->m;
  if (!m->nhistory) return;
  fputs("DELAY\n", x->out.file);
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_historyadr[i] < 0) continue;
    fprintf(x->out.file, "  actuator %d '%s':\n", i, m->names + m->name_actuatoradr[i]);
    printHistory(x, x->d->history + m->actuator_historyadr[i], m->actuator_history[2 * i], 1);
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_historyadr[i] < 0) continue;
    fprintf(x->out.file, "  sensor %d  '%s':\n", i, m->names + m->name_sensoradr[i]);
    printHistory(x, x->d->history + m->sensor_historyadr[i], m->sensor_history[2 * i], m->sensor_dim[i]);
  }
  fputc('\n', x->out.file);
}

//---------------------------------- tendons, actuators, inertia ---------------------------------------------------

static void printFlexEdges(const Dump* x) {
  const mjModel* m = x->m;
  const PrnSparse J = {
      (int)m->nflexedge, (int)m->nv, m->flexedge_J_rownnz, m->flexedge_J_rowadr, m->flexedge_J_colind, NULL, NULL,
      x->d->flexedge_J};
  prn_pattern(&x->out, "FLEXEDGE_J: flex edge connectivity", &J);
  prn_sparse(&x->out, "FLEXEDGE_J", &J);
  prn_matrix(&x->out, "FLEXEDGE_LENGTH", m->nflexedge, 1, x->d->flexedge_length);
}

static void printTendons(const Dump* x) {
  const mjModel* m = x->m;
  const mjData* d = x->d;
  prn_matrix(&x->out, "TEN_LENGTH", m->ntendon, 1, d->ten_length);
  if (mj_isSparse(m)) {
    const PrnSparse J = {(int)m->ntendon, (int)m->nv, d->ten_J_rownnz, d->ten_J_rowadr, d->ten_J_colind, NULL, NULL,
                         d->ten_J};
    prn_pattern(&x->out, "TEN_J: tendon moments", &J);
    prn_ints(&x->out, "TEN_J_ROWNNZ", m->ntendon, 1, d->ten_J_rownnz);
    prn_ints(&x->out, "TEN_J_ROWADR", m->ntendon, 1, d->ten_J_rowadr);
    prn_sparse(&x->out, "TEN_J", &J);
  } else {
    prn_matrix(&x->out, "TEN_MOMENT", m->ntendon, m->nv, d->ten_J);
  }

  // paths
  for (int i = 0; i < m->ntendon; i++) {
    fprintf(x->out.file, "TENDON %d: %d wrap points\n", i, d->ten_wrapnum[i]);
    for (int k = d->ten_wrapadr[i]; k < d->ten_wrapadr[i] + d->ten_wrapnum[i]; k++) {
      fprintf(x->out.file, "    %d:  ", d->wrap_obj[k]);
      prn_vector(&x->out, "", d->wrap_xpos + 3 * k, 3);
    }
    fputc('\n', x->out.file);
  }
}

static void printActuators(const Dump* x) {
  const mjModel* m = x->m;
  const mjData* d = x->d;
  const PrnSparse moment = {(int)m->nu, (int)m->nv, d->moment_rownnz,  d->moment_rowadr, d->moment_colind,
                            NULL,       NULL,       d->actuator_moment};
  prn_matrix(&x->out, "ACTUATOR_LENGTH", m->nu, 1, d->actuator_length);
  prn_pattern(&x->out, "actuator_moment", &moment);
  prn_sparse(&x->out, "ACTUATOR_MOMENT", &moment);
}

// lower triangle of M in its old layout: entries of a dof and its ancestors, blanks elsewhere
static void printLegacyInertia(const Dump* x) {
  const mjModel* m = x->m;
  const int nv = (int)m->nv;
  if (!nv || nv > PRN_WIDEST) return;
  const int width = prn_width(&x->out);
  fputs("QM\n", x->out.file);
  for (int r = 0; r < nv; r++) {
    fputc(' ', x->out.file);
    for (int c = 0; c <= r; c++) {
      // entries lie from the dof itself towards the root
      int at = m->dof_Madr[r], j = r;
      for (; j > c; j = m->dof_parentid[j]) at++;
      fputc(' ', x->out.file);
      if (j == c) {
        prn_number(&x->out, x->d->qM[at]);
      } else {
        fprintf(x->out.file, "%*s", width, "");
      }
    }
    fputc('\n', x->out.file);
  }
  fputc('\n', x->out.file);
}

// matrix with the pattern of M or D
static PrnSparse overM(const mjModel* m, const mjtNum* values) {
  return (PrnSparse){(int)m->nv, (int)m->nv, m->M_rownnz, m->M_rowadr, m->M_colind, NULL, NULL, values};
}

static PrnSparse overD(const mjModel* m, const mjtNum* values) {
  return (PrnSparse){(int)m->nv, (int)m->nv, m->D_rownnz, m->D_rowadr, m->D_colind, NULL, NULL, values};
}

static int isZero(const mjtNum* x, mjtSize n) {
  for (mjtSize i = 0; i < n; i++) {
    if (x[i] != 0) return 0;
  }
  return 1;
}

//---------------------------------- islands -----------------------------------------------------------------------

// drawing of a matrix whose rows and columns are sorted by island; entries show the island's number
static void printBlocks(const Dump* x, const char* title, const PrnSparse* s, const int* rowisland, const int* rowmap) {
  const mjData* d = x->d;
  if (!s->nr || !s->nc || s->nc > PRN_WIDEST) return;
  fprintf(x->out.file, "%s\n", title);
  for (int c = 0; c < s->nc + 2; c++) fputc('-', x->out.file);
  fputc('\n', x->out.file);
  for (int r = 0; r < s->nr; r++) {
    const int row = rowmap[r], island = rowisland[row];
    fputc(' ', x->out.file);
    for (int c = 0; c < s->nc; c++) {
      const int first = d->island_idofadr[island];
      int here = 0;
      if (c >= first && c < first + d->island_nv[island]) {
        for (int k = 0; k < s->rownnz[row]; k++) here |= s->colind[s->rowadr[row] + k] == d->map_idof2dof[c];
      }
      fputc(!here ? ' ' : island < 10 ? '0' + island : 'x', x->out.file);
    }
    fputs(" |", x->out.file);
    if (s->rowsuper && s->rowsuper[row] > 0) fprintf(x->out.file, " %d", s->rowsuper[row]);
    fputc('\n', x->out.file);
  }
  for (int c = 0; c < s->nc + 2; c++) fputc('-', x->out.file);
  fputs("\n\n", x->out.file);
}

// dots in the place of entries outside the block
static void printDots(const Dump* x, int n, int width) {
  for (int c = 0; c < n; c++) {
    for (int i = 0; i < width; i++) fputc('.', x->out.file);
    fputc(' ', x->out.file);
  }
}

// dense Jacobian with rows and columns sorted by island
static void printBlockJacobian(const Dump* x) {
  const mjData* d = x->d;
  const int width = prn_width(&x->out);
  fputs("IEFC_J\n", x->out.file);
  for (int b = 0; b < d->nisland; b++) {
    const int first = d->island_idofadr[b], n = d->island_nv[b];
    for (int r = d->island_iefcadr[b]; r < d->island_iefcadr[b] + d->island_nefc[b]; r++) {
      const mjtNum* const row = d->efc_J + (mjtSize)d->map_iefc2efc[r] * x->m->nv;
      fputc(' ', x->out.file);
      printDots(x, first, width);
      for (int c = first; c < first + n; c++) {
        fputc(' ', x->out.file);
        prn_number(&x->out, row[d->map_idof2dof[c]]);
      }
      printDots(x, d->nidof - first - n, width);
      fputc('\n', x->out.file);
    }
  }
  fputc('\n', x->out.file);
}

// a map with bars between islands
static void printMap(const Dump* x, const char* title, mjtSize n, const int* map, const int* island) {
  fprintf(x->out.file, "%-21s", title);
  for (mjtSize i = 0; i < n; i++) {
    if (i && island[map[i]] != island[map[i - 1]]) fputs(" |", x->out.file);
    fprintf(x->out.file, " %d", map[i]);
  }
  fputs("\n\n", x->out.file);
}

static void printIslands(const Dump* x) {
  const mjModel* m = x->m;
  const mjData* d = x->d;
  const PrnPrinter* p = &x->out;
  if (d->nisland) {
    prn_ints(p, "TREE_ISLAND", 1, m->ntree, d->tree_island);
    prn_ints(p, "ISLAND_NTREE", 1, d->nisland, d->island_ntree);
    prn_ints(p, "ISLAND_ITREEADR", 1, d->nisland, d->island_itreeadr);
    prn_ints(p, "MAP_ITREE2TREE", 1, m->ntree, d->map_itree2tree);
    prn_intLine(p, "DOF_ISLAND", m->nv, d->dof_island);
    prn_intLine(p, "ISLAND_NV", d->nisland, d->island_nv);
    prn_intLine(p, "ISLAND_IDOFADR", d->nisland, d->island_idofadr);
    printMap(x, "MAP_IDOF2DOF", m->nv, d->map_idof2dof, d->dof_island);
    prn_intLine(p, "EFC_ISLAND", d->nefc, d->efc_island);
    prn_intLine(p, "ISLAND_NEFC", d->nisland, d->island_nefc);
    prn_intLine(p, "ISLAND_IEFCADR", d->nisland, d->island_iefcadr);
    printMap(x, "MAP_IEFC2EFC", d->nefc, d->map_iefc2efc, d->efc_island);
  }
  if (m->ntendon && d->tendon_efcadr) prn_intLine(p, "TENDON_EFCADR", m->ntendon, d->tendon_efcadr);
}

//---------------------------------- inertia and derivatives -------------------------------------------------------

static void printInertia(const Dump* x) {
  const mjModel* m = x->m;
  const mjData* d = x->d;
  const PrnSparse M = overM(m, d->M), LD = overM(m, d->qLD), H = overM(m, d->qH);
  prn_matrix(&x->out, "CRB", m->nbody, 10, d->crb);
  printLegacyInertia(x);
  prn_sparse(&x->out, "M", &M);
  prn_sparse(&x->out, "QLD", &LD);
  prn_matrix(&x->out, "QLDIAGINV", m->nv, 1, d->qLDiagInv);

  // the pattern again, next to its version sorted by island
  if (d->nisland) {
    prn_pattern(&x->out, "M: inertia structure", &M);
    PrnSparse block = M;
    block.nr = block.nc = d->nidof;
    printBlocks(x, "iM: block-diagonal inertia (nnzs are island ids)", &block, d->dof_island, d->map_idof2dof);
  }
  if (!isZero(d->qHDiagInv, m->nv)) {
    prn_sparse(&x->out, "QH", &H);
    prn_matrix(&x->out, "QHDIAGINV", m->nv, 1, d->qHDiagInv);
  }
}

static void printAwakeAndDerivatives(const Dump* x) {
  const mjModel* m = x->m;
  const mjData* d = x->d;
  prn_ints(&x->out, "TREE_AWAKE", 1, m->ntree, d->tree_awake);
  prn_ints(&x->out, "BODY_AWAKE", 1, m->nbody, d->body_awake);
  prn_ints(&x->out, "BODY_AWAKE_IND", 1, d->nbody_awake, d->body_awake_ind);
  prn_ints(&x->out, "PARENT_AWAKE_IND", 1, d->nparent_awake, d->parent_awake_ind);
  prn_ints(&x->out, "DOF_AWAKE_IND", 1, d->nv_awake, d->dof_awake_ind);
  const PrnSparse deriv = overD(m, d->qDeriv), LU = overD(m, d->qLU);
  if (!isZero(d->qDeriv, m->nD)) prn_sparse(&x->out, "QDERIV", &deriv);
  if (!isZero(d->qLU, m->nD)) prn_sparse(&x->out, "QLU", &LU);
}

//---------------------------------- contacts and rows -------------------------------------------------------------

// geoms by name or number; contacts of flexes by geom, flex, element, vertex
static void printContactPair(const Dump* x, const mjContact* c) {
  if (c->geom[0] < 0 || c->geom[1] < 0) {
    fprintf(x->out.file, "     gfev          %d %d %d %d : %d %d %d %d\n", c->geom[0], c->flex[0], c->elem[0],
            c->vert[0], c->geom[1], c->flex[1], c->elem[1], c->vert[1]);
    return;
  }
  fputs("     geoms         ", x->out.file);
  for (int k = 0; k < 2; k++) {
    const char* const name = mj_id2name(x->m, mjOBJ_GEOM, c->geom[k]);
    if (name) {
      fputs(name, x->out.file);
    } else {
      fprintf(x->out.file, "%d", c->geom[k]);
    }
    fputs(k ? "\n" : " : ", x->out.file);
  }
}

static void printContacts(const Dump* x) {
  const mjData* d = x->d;
  if (!d->ncon) return;
  fputs("CONTACT\n", x->out.file);
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* c = d->contact + i;
    fprintf(x->out.file, "  %d:\n     dim           %d\n", i, c->dim);
    printContactPair(x, c);
    fprintf(x->out.file, "     exclude       %d\n     efc_address   %d\n", c->exclude, c->efc_address);
    mjtNum force[6] = {0};
    mj_contactForce(x->m, d, i, force);
    const struct {
      const char* label;
      const mjtNum* data;
      int n;
    } parts[] = {
        {"     solref       ", c->solref,         mjNREF},
        {"     solimp       ", c->solimp,         mjNIMP},
        {"     dist         ", &c->dist,          1     },
        {"     includemargin", &c->includemargin, 1     },
        {"     pos          ", c->pos,            3     },
        {"     frame        ", c->frame,          9     },
        {"     friction     ", c->friction,       5     },
        {"     mu           ", &c->mu,            1     },
        {"     force        ", force,             6     },
    };
    for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
      prn_vector(&x->out, parts[k].label, parts[k].data, parts[k].n);
    }
  }
  fputc('\n', x->out.file);
}

static void printSparseRows(const Dump* x) {
  const mjModel* m = x->m;
  const mjData* d = x->d;
  const PrnSparse J = {d->nefc,         (int)m->nv, d->efc_J_rownnz,   d->efc_J_rowadr,
                       d->efc_J_colind, NULL,       d->efc_J_rowsuper, d->efc_J};
  prn_ints(&x->out, "EFC_J_ROWNNZ", d->nefc, 1, d->efc_J_rownnz);
  prn_ints(&x->out, "EFC_J_ROWADR", d->nefc, 1, d->efc_J_rowadr);
  prn_sparse(&x->out, "EFC_J", &J);
  prn_pattern(&x->out, "J: constraint Jacobian", &J);
  if (d->nisland) {
    PrnSparse block = J;
    block.nc = d->nidof;
    printBlocks(x, "IEFC_J: block-diagonalized constraint Jacobian (nnzs are island ids)", &block, d->efc_island,
                d->map_iefc2efc);
  }
  if (!mj_isDual(m)) return;
  const PrnSparse AR = {d->nefc, d->nefc, d->efc_AR_rownnz, d->efc_AR_rowadr, d->efc_AR_colind, NULL, NULL, d->efc_AR};
  prn_ints(&x->out, "EFC_AR_ROWNNZ", d->nefc, 1, d->efc_AR_rownnz);
  prn_ints(&x->out, "EFC_AR_ROWADR", d->nefc, 1, d->efc_AR_rowadr);
  prn_sparse(&x->out, "EFC_AR", &AR);
  prn_pattern(&x->out, "efc_AR: inverse constraint inertia", &AR);
}

static void printRows(const Dump* x) {
  const mjData* d = x->d;
  prn_ints(&x->out, "EFC_TYPE", d->nefc, 1, d->efc_type);
  prn_ints(&x->out, "EFC_ID", d->nefc, 1, d->efc_id);
  if (mj_isSparse(x->m)) {
    printSparseRows(x);
    return;
  }
  prn_matrix(&x->out, "EFC_J", d->nefc, x->m->nv, d->efc_J);
  if (d->nisland) printBlockJacobian(x);
  prn_matrix(&x->out, "EFC_AR", d->nefc, d->nefc, d->efc_AR);
}

//---------------------------------- public ------------------------------------------------------------------------

void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename, const char* float_format) {
  if (!m || !d) {
    mju_error("mj_printFormattedData: %s is NULL", m ? "d" : "m");
    return;
  }
  if (d->pstack) {
    mju_error("mj_printFormattedData: d has scratch memory in use");
    return;
  }
  Dump x = {.m = m, .d = d};
  if (!prn_start(&x.out, filename, float_format)) return;

  // bookkeeping
  printMemory(&x);
  printSizes(&x);
  printWarningsAndTimers(&x);
  printSolver(&x);
  prn_vector(&x.out, "ENERGY = ", d->energy, 2);
  printLabelled(&x, "\nTIME = ", d->time);
  fputs("\n\n", x.out.file);

  // state and input
  printList(&x, STATE);
  printHistories(&x);
  printList(&x, INPUT);
  if (m->neq) {
    fprintf(x.out.file, "%-21s", "EQ_ACTIVE");
    for (int i = 0; i < m->neq; i++) fprintf(x.out.file, " %d", d->eq_active[i]);
    fputs("\n\n", x.out.file);
  }

  // results, in the order of the stages
  printList(&x, POSES);
  printFlexEdges(&x);
  printTendons(&x);
  printActuators(&x);
  printInertia(&x);
  printAwakeAndDerivatives(&x);
  printContacts(&x);
  printRows(&x);
  printList(&x, ROWS);
  printIslands(&x);
  prn_end(&x.out);
}

void mj_printData(const mjModel* m, const mjData* d, const char* filename) {
  mj_printFormattedData(m, d, filename, "% -9.2g");
}
