// The rows of mjData for models that think in directions: one row per equality, limit, friction loss and direction of a
// contact. The edges of a pyramid become its normal and tangents, and forces go back to the edges.
#pragma once

#include "math/simd/kernels.h"
#include "physics/physics.h"

typedef enum {
  ROW_EQUALITY,  // any force
  ROW_FRICTION,  // force within ± bound
  ROW_NORMAL,    // force not negative: limits and normals of contacts
  ROW_TANGENT    // force within the friction cone of a normal; follows it
} RowKind;

typedef struct {
  RowKind kind;
  int efc;            // first row of mjData that it comes from
  int ntangent;       // of a normal: tangents that follow
  int normal;         // of a tangent: its normal
  int k;              // of a tangent: its number, from 0
  mjtNum pos;         // distance, negative in penetration; rows begin at their margin, which is only how far ahead
  mjtNum bound;       // of friction loss
  mjtNum mu;          // of a tangent
  mjtNum compliance;  // displacement per force of the reference's spring
  mjtNum dashpot;     // damping over stiffness of that spring (s)
  mjtNum w;           // J M⁻¹ Jᵀ
  int nnz;            // dofs that J or M⁻¹ Jᵀ has
  const int* dof;     // (nnz) increasing
  const mjtNum* J;    // (nnz)
  const mjtNum* B;    // (nnz) M⁻¹ Jᵀ
  mjtNum force;       // to be set
} ContactRow;

typedef struct {
  int n;
  ContactRow* row;
} ContactRows;

// J · vec
static inline mjtNum phy_rowDot(const ContactRow* row, const mjtNum* vec) {
  return mth_dotSparse(row->J, vec, row->nnz, row->dof);
}

// vec += M⁻¹ Jᵀ · scale
static inline void phy_rowPush(const ContactRow* row, mjtNum* vec, mjtNum scale) {
  mth_addToSclScatter(vec, row->B, scale, row->nnz, row->dof);
}

// on the stack of mjData
ContactRows phy_contactRows(const mjModel* m, mjData* d);

// forces of the rows to efc_force and efc_state, their sum to qfrc_constraint, and accelerations
void phy_contactResult(const mjModel* m, mjData* d, const ContactRows* rows);
