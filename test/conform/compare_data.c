// mjData after a forward pass, field by field; each belongs to a stage with a tolerance of its own.
#include <math.h>
#include <mujoco/mjxmacro.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "conform/conform.h"

const char* const cfm_stageName[CFM_STAGES] = {"position", "contact", "velocity", "constraint", "solver", "sensor"};

// what follows an iterative solver is as good as its stopping test
const double cfm_tolerance[CFM_STAGES] = {1e-10, 1e-8, 1e-9, 1e-8, 1e-4, 1e-4};

// fields of later stages; all others come from positions
static const char* const VELOCITY[] = {"flexedge_velocity",
                                       "ten_velocity",
                                       "actuator_velocity",
                                       "cvel",
                                       "cdof_dot",
                                       "qfrc_bias",
                                       "qfrc_spring",
                                       "qfrc_damper",
                                       "qfrc_gravcomp",
                                       "qfrc_fluid",
                                       "qfrc_passive",
                                       "actuator_force",
                                       "qfrc_actuator",
                                       "qfrc_smooth",
                                       "qacc_smooth",
                                       "act_dot",
                                       NULL};
static const char* const SOLVER[] = {"qacc", "qfrc_constraint", "cacc", "cfrc_int", "cfrc_ext", "qacc_warmstart", NULL};

// not results of a forward pass, or compared by their rows below
static const char* const OTHER[] = {"qfrc_inverse",
                                    "plugin_data",
                                    "plugin",
                                    "bvh_active",
                                    "qLU",
                                    "qH",
                                    "qHDiagInv",
                                    "qDeriv",
                                    "subtree_linvel",
                                    "subtree_angmom",
                                    "bvh_aabb_dyn",
                                    "tree_awake",
                                    "body_awake",
                                    "body_awake_ind",
                                    "parent_awake_ind",
                                    "dof_awake_ind",
                                    "tree_asleep",
                                    "userdata",
                                    "ten_J_rownnz",
                                    "ten_J_rowadr",
                                    "ten_J_colind",
                                    "ten_J",
                                    "wrap_obj",
                                    "wrap_xpos",
                                    "moment_rowadr",
                                    "moment_colind",
                                    "actuator_moment",
                                    NULL};

static int isIn(const char* const* list, const char* name) {
  for (; *list; list++) {
    if (!strcmp(*list, name)) return 1;
  }
  return 0;
}

// -1: not compared
static int stageOf(const char* field) {
  if (isIn(OTHER, field)) return -1;
  if (isIn(VELOCITY, field)) return CFM_VELOCITY;
  if (isIn(SOLVER, field)) return CFM_SOLVER;
  return strcmp(field, "sensordata") ? CFM_POSITION : CFM_SENSOR;
}

void cfm_note(CfmResult* r, CfmStage stage, const char* field, double error) {
  if (error > r->stage[stage].error || !r->stage[stage].field[0]) {
    r->stage[stage].error = error;
    snprintf(r->stage[stage].field, sizeof(r->stage[stage].field), "%s", field);
  }
  if (r->verbose && error > cfm_tolerance[stage]) {
    fprintf(stderr, "    %-10s %-24s %.3e\n", cfm_stageName[stage], field, error);
  }
}

// ---- sparse and partly used arrays

static int isSparse(const mjModel* m) {
  return m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= 60);
}

#define ROWS(d, value, prefix) ((CfmRows){(d)->value, (d)->prefix##_rownnz, (d)->prefix##_rowadr, (d)->prefix##_colind})

static void compareRows(CfmResult* r, const mjModel* m, const mjData* a, const mjData* b) {
  const int nv = (int)m->nv;
  CfmRows tendon[2] = {ROWS(a, ten_J, ten_J), ROWS(b, ten_J, ten_J)};
  if (!isSparse(m)) tendon[0].nnz = tendon[1].nnz = NULL;
  cfm_note(r, CFM_POSITION, "ten_J", cfm_errorRows(tendon[0], tendon[1], (int)m->ntendon, nv));
  cfm_note(r, CFM_POSITION, "actuator_moment",
           cfm_errorRows(ROWS(a, actuator_moment, moment), ROWS(b, actuator_moment, moment), (int)m->nu, nv));
}

// the part of the tendons' paths that is in use
static double wrapError(const mjModel* m, const mjData* a, const mjData* b) {
  double error = 0;
  for (int i = 0; i < m->ntendon; i++) {
    const int adr = a->ten_wrapadr[i], n = a->ten_wrapnum[i];
    if (b->ten_wrapadr[i] != adr || b->ten_wrapnum[i] != n) return INFINITY;
    if (n && memcmp(a->wrap_obj + adr, b->wrap_obj + adr, (size_t)n * sizeof(int)) != 0) return INFINITY;
    error = fmax(error, cfm_errorNum(a->wrap_xpos + 3 * adr, b->wrap_xpos + 3 * adr, 3 * (size_t)n));
  }
  return error;
}

// ---- rows of constraints

static void compareIslands(CfmResult* r, const mjModel* m, const mjData* a, const mjData* b) {
  if (a->nisland != b->nisland) {
    cfm_note(r, CFM_CONSTRAINT, "nisland", INFINITY);
    return;
  }
  if (!a->nisland) return;
#define INTS(field, n) cfm_note(r, CFM_CONSTRAINT, #field, cfm_errorAny("int", a->field, b->field, (size_t)(n)))
  INTS(tree_island, m->ntree);
  INTS(dof_island, m->nv);
  INTS(efc_island, a->nefc);
  INTS(map_dof2idof, m->nv);
  INTS(map_idof2dof, m->nv);
  INTS(map_efc2iefc, a->nefc);
  INTS(map_iefc2efc, a->nefc);
}

static void compareConstraints(CfmResult* r, const mjModel* m, const mjData* a, const mjData* b) {
  if (a->nefc != b->nefc) {
    cfm_note(r, CFM_CONSTRAINT, "nefc", INFINITY);
    return;
  }
  if (!a->nefc) return;
#define NUMS(field, n) cfm_note(r, CFM_CONSTRAINT, #field, cfm_errorNum(a->field, b->field, (size_t)a->nefc*(n)))
  INTS(efc_type, a->nefc);
  INTS(efc_id, a->nefc);
  NUMS(efc_pos, 1);
  NUMS(efc_margin, 1);
  NUMS(efc_frictionloss, 1);
  NUMS(efc_diagApprox, 1);
  NUMS(efc_KBIP, 4);
  NUMS(efc_D, 1);
  NUMS(efc_R, 1);
  NUMS(efc_vel, 1);
  NUMS(efc_aref, 1);
#undef NUMS
#undef INTS
  CfmRows jacobian[2] = {ROWS(a, efc_J, efc_J), ROWS(b, efc_J, efc_J)};
  if (!isSparse(m)) jacobian[0].nnz = jacobian[1].nnz = NULL;
  cfm_note(r, CFM_CONSTRAINT, "efc_J", cfm_errorRows(jacobian[0], jacobian[1], a->nefc, (int)m->nv));
  cfm_note(r, CFM_SOLVER, "efc_force", cfm_errorNum(a->efc_force, b->efc_force, (size_t)a->nefc));
}

// ---- all

void cfm_compareData(CfmResult* r, const mjModel* m, const mjData* a, const mjData* b) {
  // what follows contacts is compared where those agree to the last digits
  CfmResult probe = {0};
  cfm_compareContacts(&probe, m, a, b);
  const int same = !probe.loose && probe.stage[CFM_CONTACT].error <= cfm_tolerance[CFM_CONTACT];
#undef MJ_M
#define MJ_M(n) m->n
#define X(type, name, nr, nc)                                                                                     \
  {                                                                                                               \
    const int stage = stageOf(#name), later = stage == CFM_SOLVER || stage == CFM_SENSOR;                         \
    if (stage >= 0 && (same || !later))                                                                           \
      cfm_note(r, (CfmStage)stage, #name, cfm_errorAny(#type, a->name, b->name, (size_t)(m->nr) * (size_t)(nc))); \
  }
#undef XNV
#define XNV X
  MJDATA_POINTERS
#undef X
  compareRows(r, m, a, b);
  cfm_note(r, CFM_POSITION, "wrap_xpos", wrapError(m, a, b));
  cfm_note(r, CFM_POSITION, "energy", cfm_errorNum(a->energy, b->energy, 2));
  cfm_compareContacts(r, m, a, b);

  // rows come in the order of contacts
  if (same && !probe.reordered) {
    compareConstraints(r, m, a, b);
    compareIslands(r, m, a, b);
    r->exactStates++;
  }
}
