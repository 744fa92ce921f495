// Assets: from files or user data to what mjModel stores. Each function takes everything it needs in a plain source
// struct, touches nothing else and may run on any thread; the compiler fills the source from the spec and copies the
// result.
//
// Every function returns 1, or 0 after writing what is wrong to result->error (without element name and line, which the
// caller adds). A warning is left in result->warning, "" when there is none. Results are freed also after a failure.
// File names are relative to directory; mesh and texture folders and strippath are already applied.
#pragma once

#include <mujoco/mujoco.h>

#include "asset/bvh.h"

enum { AST_MESSAGE = 500 };

// ---- meshes

// needhull of a mesh whose hull is not what collides: one in a plane, which has none, is no error
enum { AST_SPARE = 2 };

typedef struct {
  const char* name;  // for messages, as is the id
  int id;
  const char* directory;     // of the model file
  const char* file;          // "" when the vertices are given below
  const char* content_type;  // "" when the file's extension tells
  const mjVFS* vfs;
  double refpos[3], refquat[4], scale[3];
  mjtMeshInertia inertia;
  int smoothnormal;
  int needhull;  // some geom collides with it (a convex inertia needs a hull as well); AST_SPARE: flat ones do without
  int needsdf;   // build the octree
  int maxhullvert;  // -1: unlimited

  // user data; counts are numbers of values
  const float *vert, *normal, *texcoord;
  const int *face, *facenormal, *facetexcoord;
  int nvert, nnormal, ntexcoord, nface, nfacenormal, nfacetexcoord;

  // plugin that defines the shape by a signed distance field, NULL: none; its attributes as set on the instance
  const mjpPlugin* plugin;
  const char* const* attribute;
  const char* const* value;
  int nattribute;
} AstMeshSource;

typedef struct {
  int n;
  int* depth;
  int* child;     // 8 per node
  double* aabb;   // 6 per node
  double* coeff;  // 8 per node
} AstOctree;

// counts are numbers of vertices, faces and so on; addresses are relative to the mesh
typedef struct {
  int nvert, nnormal, ntexcoord, nface, ngraph;
  float *vert, *normal;  // 3 each
  float* texcoord;       // 2 each, NULL: none
  int *face, *facenormal;
  int* facetexcoord;  // NULL: none
  int* graph;         // hull as in mjModel.mesh_graph, NULL: none

  // faces of the hull merged into polygons; map: the polygons of every vertex
  int npoly, npolyvert, npolymap;
  double* polynormal;
  int *polyvertadr, *polyvertnum, *polyvert;
  int *polymapadr, *polymapnum, *polymap;

  AstBvh bvh;
  AstOctree octree;

  double pos[3], quat[4];          // frame of inertia in the frame of the file
  double volume;                   // or area, as source->inertia says
  double boxsize[3];               // half sizes of the box with the same inertia
  double aamm[6];                  // smallest and largest coordinates in the frame of inertia
  char inertiaError[AST_MESSAGE];  // not "": mass and inertia cannot be computed; fatal only for a geom that needs them

  char error[AST_MESSAGE];
  char warning[AST_MESSAGE];
} AstMesh;

// vertices and faces of a mesh file as they stand there, for flexes
typedef struct {
  int nvert, ntexcoord, nface;  // numbers of values
  double* vert;
  float* texcoord;  // NULL: none
  int* face;
  int* facetexcoord;  // NULL: none
  char error[AST_MESSAGE];
} AstFaces;

int ast_readFaces(AstFaces* faces, const char* directory, const char* file, const mjVFS* vfs);
void ast_freeFaces(AstFaces* faces);

int ast_compileMesh(AstMesh* mesh, const AstMeshSource* source);
void ast_freeMesh(AstMesh* mesh);

// ---- textures

typedef struct {
  const char* name;
  int id;  // for messages
  const char* directory;
  const char* file;         // "": builtin, cube files or data
  const char* cubefile[6];  // "": none
  const char* content_type;
  const mjVFS* vfs;
  mjtTexture type;
  mjtColorSpace colorspace;
  int builtin, mark;
  double rgb1[3], rgb2[3], markrgb[3], random;
  int width, height, nchannel;
  int gridsize[2];
  char gridlayout[12];
  int hflip, vflip;
  const unsigned char* data;  // user data, NULL: none
  int ndata;
} AstTextureSource;

typedef struct {
  int width, height, nchannel;
  mjtColorSpace colorspace;
  unsigned char* data;  // width * height * nchannel
  char error[AST_MESSAGE];
  char warning[AST_MESSAGE];
} AstTexture;

int ast_compileTexture(AstTexture* texture, const AstTextureSource* source);
void ast_freeTexture(AstTexture* texture);

// ---- height fields

typedef struct {
  const char* name;
  const char* directory;
  const char* file;
  const char* content_type;
  const mjVFS* vfs;
  int nrow, ncol;     // of the user data
  const float* data;  // NULL: none
  int ndata;
} AstHfieldSource;

typedef struct {
  int nrow, ncol;
  float* data;  // nrow * ncol, in [0, 1]
  char error[AST_MESSAGE];
  char warning[AST_MESSAGE];
} AstHfield;

int ast_compileHfield(AstHfield* hfield, const AstHfieldSource* source);
void ast_freeHfield(AstHfield* hfield);
