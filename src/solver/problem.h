// One optimisation problem: the accelerations of all dofs, or of one island, under their constraints.
//
//   minimise over a   ½ (a − a0)ᵀ M (a − a0) + s(J a − aref)
// with a0 = qacc_smooth, and s the cost of constraint/update.h. Gradient M a − qfrc_smooth − Jᵀ force.
#pragma once

#include <mujoco/mujoco.h>

#include "constraint/update.h"
#include "solver/kernels.h"

// vectors have up to so many numbers more than dofs
#define SOL_PADDING 10

// A large problem in pieces, for threads. Rows are cut between constraints. Columns are cut between groups: what is
// summed up over rows goes to places that no other piece has, in the order of the rows, so that pieces may be taken in
// any order. See cut.h.
typedef struct {
  int n;               // pieces; 0: none
  int* row;            // (n + 1) first row of each piece of rows,
  int* block;          //         and its first block
  mjtNum* cost;        // (nefc) costs of rows that are summed up one by one
  int* group;          // (n + 1) first group of each piece of columns
  SolColumns columns;  // what the groups have
} SolCut;

// Numbers that change in every iteration are apart from what the problem is: this struct is the problem, SolState
// (primal.c) the iteration.
typedef struct {
  const mjModel* m;
  mjData* d;
  const SolKernels* k;
  int island;     // -1: all constraints at once
  int regrouped;  // 1: the island has arrays of its own; 0: they are those of everything
  int sparse;     // storage of the rows it was made from
  int conjugate;  // 1: for conjugate gradients, which take long sums in lanes and rows in triples
  int wide;       // 1: so much of all there is to do that threads should share it

  // sizes
  int n;   // dofs
  int np;  // dofs, padded to a multiple of eight

  // dofs
  const mjtNum* qfrc_smooth;
  const mjtNum* qacc_smooth;
  mjtNum* qacc;
  mjtNum* qfrc_constraint;

  // inertia, rows with increasing columns that end at the diagonal
  const int* M_rownnz;
  const int* M_rowadr;
  const int* M_colind;
  const mjtNum* M;
  const mjtNum* qLD;
  const mjtNum* qLDiagInv;
  SolFull full;  // the same with all columns, n is 0: not there, and then:
  mjtNum* diag;  // (np) diagonal; NULL: not loaded
  int ncoupled;
  int* coupled;  // (n) rows with more than the diagonal, increasing
  int nrun;
  int* run;  // (n + 1) where runs of coupled rows with the same ancestors start

  // constraints
  ConRowSet rows;
  const mjtNum* aref;
  SolJacobian J;
  SolCut cut;

  // where the solver starts: residual and its cost at qacc, for which force and state are set
  const mjtNum* jar;
  mjtNum cost;
  const mjtNum* Ma;  // M·qacc; NULL: not known
} SolProblem;

// points to the data of an island, or of everything: that is island -1, and the only island where it has all dofs,
// whose regrouped arrays would hold the same in the same order
void sol_problem(SolProblem* p, const mjModel* m, mjData* d, int island);

// the rows of a problem as they are stored in mjData
typedef struct {
  const int* nnz;    // sparse: entries of each row,
  const int* adr;    //         where they start in ind and val,
  const int* super;  //         and how many of the next rows have the same columns
  const int* ind;
  const mjtNum* val;  // dense: n values a row
} SolSource;

// fills p->J on the stack
void sol_loadJacobian(SolProblem* p);

// fills p->J.triples on the stack
void sol_loadTriples(SolProblem* p, const SolSource* src);

// Small problems: fills p->full on the stack; others: diag and coupled. What is in pieces has only room for these, so
// that they can be filled when there is something else to do: the diagonal side by side, and the rows that have more.
void sol_loadInertia(SolProblem* p);
void sol_loadDiagonal(SolProblem* p);

// sets state and force at the residual jar; returns the cost. With cones, sliding contacts get their Hessian.
mjtNum sol_update(const SolProblem* p, const mjtNum* jar, int cones);

// structure of M + JᵀDJ and of its factor, on the stack; values are not set
SolFactor sol_pattern(const SolProblem* p);

// H ← M, for a range of rows; a small matrix is set as a whole
void sol_setInertia(const SolProblem* p, SolFactor* H, BasPart rows);

// res = M v; with p->full both are padded and aligned
void sol_mulM(const SolProblem* p, mjtNum* res, const mjtNum* v);

// the same for the dofs of whole trees, and for what has no p->full and no p->diag
void sol_mulTrees(const SolProblem* p, mjtNum* res, const mjtNum* v, BasPart dofs);

// x ← M⁻¹ x
void sol_solveM(const SolProblem* p, mjtNum* x);

// invariants of what sol_problem, sol_loadJacobian and sol_pattern have set up (base/assert.h)
void sol_assertProblem(const SolProblem* p);
void sol_assertJacobian(const SolProblem* p);
void sol_assertFactor(const SolFactor* F);

// zeroed vector of n numbers, padded to a multiple of eight and aligned, on the stack
mjtNum* sol_vector(mjData* d, int n);

// vector without values
mjtNum* sol_space(mjData* d, size_t n);
