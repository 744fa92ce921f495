// Approximate convex decomposition: parts whose hulls together are nearly the shape of a closed mesh.
#pragma once

#include "asset/asset.h"

typedef struct {
  double concavity;  // how far hulls may stand out of the mesh, as a part of half its largest extent
  int most;          // parts
} AstCut;

typedef struct {
  int n;
  int* nvert;        // vertices of the hull of each part
  double** vert;     // in the frame of the file
  double concavity;  // what is left, in the measure of the setting
  int exhausted;     // 1: the limit of work was reached
  char error[AST_MESSAGE];
} AstParts;

// 1, or 0 with a message. The mesh is compiled. The same mesh gives the same parts: there is nothing random, and
// work is limited by what is done, not by time.
int ast_decompose(AstParts* parts, const AstMesh* mesh, const AstCut* cut);
void ast_freeParts(AstParts* parts);

// 1: the surface of the mesh encloses a volume; 0: why not is in text (AST_MESSAGE bytes)
int ast_isSolid(const AstMesh* mesh, char* text);
