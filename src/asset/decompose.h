// Approximate convex decomposition: parts whose hulls together are nearly the shape of a closed mesh.
#pragma once

#include "asset/asset.h"

// triangles of a mesh beyond which cuts are chosen on a coarser surface; meshes of this size take some ten seconds
enum { AST_FINE = 50000 };

typedef struct {
  double concavity;  // how far hulls may stand out of the mesh, as a part of half its largest extent
  int most;          // parts
  int fine;          // in place of AST_FINE, 0: that
} AstCut;

typedef struct {
  int n;
  int* nvert;        // vertices of the hull of each part
  double** vert;     // in the frame of the file
  double concavity;  // what is left, in the measure of the setting
  int exhausted;     // 1: the limit of work was reached
  int coarse;        // triangles on which the cuts were chosen, 0: all
  long long work;    // triangles cut and points given to hulls to choose the cuts
  char error[AST_MESSAGE];
} AstParts;

// 1, or 0 with a message. The mesh is compiled. The same mesh gives the same parts: there is nothing random, and
// work is limited by what is done, not by time. Beyond AST_FINE triangles it grows with them as a hull does.
int ast_decompose(AstParts* parts, const AstMesh* mesh, const AstCut* cut);
void ast_freeParts(AstParts* parts);

// 1: the surface of the mesh encloses a volume; 0: why not is in text (AST_MESSAGE bytes)
int ast_isSolid(const AstMesh* mesh, char* text);
