// Triangles without neighbours, and what is left of a closed surface on either side of a plane.
#pragma once

typedef struct {
  double* at;  // nine numbers per triangle
  int n, room;
} AstSoup;

// 0: no memory
int ast_soupAdd(AstSoup* soup, const double a[3], const double b[3], const double c[3]);
void ast_freeSoup(AstSoup* soup);

// a part of a solid: its surface, and where it was cut off. Caps are fans around any point of their plane: triangles
// may overlap and be turned around, but sums over all of them are those of the cap.
typedef struct {
  AstSoup surface, cap;
} AstSolid;

// the parts below and above the plane x[axis] = at; centre is a point near them. 0: no memory
int ast_cutSolid(const AstSolid* solid, int axis, double at, const double centre[3], AstSolid side[2]);
double ast_solidVolume(const AstSolid* solid, const double centre[3]);
void ast_freeSolid(AstSolid* solid);
