// A flex on its way from spec to model.
#pragma once

#include "compile/compile.h"

// edges of an element by dimension: 1, 3, 6
static inline int cmp_flexEdges(int dim) {
  return dim == 1 ? 1 : dim == 2 ? 3 : 6;
}

typedef struct {
  CmpHead head;
  mjsFlex s;
  int nvert, nnode, nelem, nedge;
  int matid;
  int interp;                      // order of interpolation from nodes, 0: none
  int rigid, centered;             // as mjModel.flex_rigid, flex_centered
  CmpBody **vertbody, **nodebody;  // a rigid flex has one body for all vertices
  int nvertbody;
  double *vertxpos, *nodexpos;  // in the world at qpos0
  int* elem;                    // dim + 1 per element, tetrahedra turned outside out
  int* elemtexcoord;            // as long as elem, with the numbers of vertices when none are given
  int* elemedge;                // edges of each element
  int* edge;                    // two vertices per edge, the smaller first
  int* flap;                    // surfaces: per edge its two vertices and those opposite to it, -1: none
  int* elemlayer;               // distance from the border
  int* shell;                   // dim vertices per piece of the border
  int nshell;                   // values
  int* evpair;                  // element, vertex
  int nevpair;
  double* stiffness;  // 21 per element
  double* bending;    // 17 per edge, NULL: none
  double* vert0;      // vertices in the box of the flex, 0 to 1
  double size[3];     // half sizes of that box
  AstBvh bvh;
  int edgeequality;  // as mjModel.flex_edgeequality
  int nJfe, nJfv;    // nonzeros of the Jacobians of its edges and vertices
} CmpFlex;

// ---- flex.c
void cmp_compileFlexes(Cmp* c);
void cmp_freeFlexes(Cmp* c);
// ---- flex_shell.c: edges, border, layers, pairs
void cmp_flexEdgesOf(Cmp* c, CmpFlex* flex);
void cmp_flexShell(Cmp* c, CmpFlex* flex);
// ---- flex_elastic.c: stiffness and bending
void cmp_flexElastic(Cmp* c, CmpFlex* flex);
// ---- copy_flex.c
void cmp_flexSizes(Cmp* c, mjModel* m);
void cmp_copyFlexes(const Cmp* c, mjModel* m);
