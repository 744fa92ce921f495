// A mesh on its way from file to model: what the readers fill, the steps of the compiler work on and ast_compileMesh
// hands over. Vertices are in double precision until the end.
#pragma once

#include <mujoco/mujoco.h>

#include "asset/asset.h"
#include "asset/resource.h"

// arrays with their number of values (not of vertices or faces); free()
typedef struct {
  double* at;
  int n;
} AstDoubles;

typedef struct {
  float* at;
  int n;
} AstFloats;

typedef struct {
  int* at;
  int n;
} AstInts;

// corners of a face in an OBJ file; those with more are left out, as the reference does
enum { AST_CORNERS = 100 };

typedef struct {
  const AstMeshSource* source;
  char* error;  // AST_MESSAGE bytes
  AstDoubles vert;
  AstFloats normal, texcoord;
  AstInts face;
  AstInts facenormal, facetexcoord;  // as long as face, or empty
  AstInts graph;                     // hull, empty: none
  int mergeobj;                      // vertices of an OBJ file are merged as well
  int isobj;                         // texture coordinates need not match the vertices
  int isfield;                       // from a distance field: keeps its frame
  int nlarge;                        // faces left out because they have more corners than the reference cuts
} AstSurface;

// message into surface->error; returns 0
int ast_fail(AstSurface* surface, const char* format, ...) __attribute__((format(printf, 2, 3)));

// room for n values of a size each, error when there is none (never NULL for n = 0)
void* ast_alloc(AstSurface* surface, int n, size_t size);

// ---- readers: 1, or 0 with a message that names the file
int ast_readStl(AstSurface* surface, const AstBytes* file);
int ast_readMsh(AstSurface* surface, const AstBytes* file);
int ast_readObj(AstSurface* surface, const AstBytes* file);
int ast_readSurface(AstSurface* surface, AstBytes* file);  // by its name or the source's content type
int ast_readField(AstSurface* surface);                    // of the source's plugin

// vertices from single precision, each finite; merging the repeated ones renumbers the faces
int ast_setVertices(AstSurface* surface, const float* vert, int n, int merge);

// 1: the scale keeps the sense of rotation of the faces
int ast_keepsHand(const AstMeshSource* source);

// ---- numbers
void ast_normalize4(double quat[4]);
void ast_principalAxes(const double mat[9], double eigval[3], double quat[4]);

// ---- steps
int ast_makeHull(AstSurface* surface);  // fills graph
int ast_makePolygons(AstSurface* surface, AstMesh* mesh);
void ast_polygonNormals(const AstSurface* surface, AstMesh* mesh);
int ast_makeNormals(AstSurface* surface);
int ast_makeFrame(AstSurface* surface, AstMesh* mesh);  // transforms, inertia, moves to the frame of inertia
int ast_makeFaceTree(AstSurface* surface, AstMesh* mesh);
int ast_makeOctree(AstSurface* surface, AstMesh* mesh);  // after the tree of faces
