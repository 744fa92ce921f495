// Columns of contact rows: what each dof on one side of a contact does to all of its rows.
//
// Every row is a wrench, and its entry for a dof the power of the wrench on the dof's motion: row = Σ cdof[k]
// wrench[k]. The same source is compiled for several instruction sets; all give the same bits.
#pragma once

#include <mujoco/mujoco.h>
#include <stddef.h>

// one side of a contact
typedef struct {
  const mjContact* con;
  const mjtNum* arm;  // from the centre of mass of the side's tree to the contact
  int second;         // 1: the second side, which the contact pushes along its normal
  int pyramidal;      // 1: rows are edges of a pyramid
  int nrow;
  int n;      // dofs
  int* list;  // (n × 2) dof, and the column that is written for it
} ConColumns;

// writes the columns; row i of column c is J[i·stride + c]
typedef void (*ConColumnsFn)(const ConColumns* c, const mjtNum* cdof, mjtNum* J, size_t stride);

// the fastest for this machine, and each by itself; NULL when this build does not have it
ConColumnsFn con_columns(void);
ConColumnsFn con_columnsBase(void);
ConColumnsFn con_columnsV3(void);
