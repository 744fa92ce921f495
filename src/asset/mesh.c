// Meshes: from file, user data or distance field to what mjModel stores.
//
// Order matters: hull, normals and polygons are found in the file's coordinates, then the mesh is scaled and moved to
// its frame of inertia, then come what depends on the final coordinates: polygon normals and the tree of faces.
#include "asset/mesh.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "asset/cache.h"
#include "base/error.h"
#include "math/vec.h"

int ast_fail(AstSurface* surface, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(surface->error, AST_MESSAGE, format, args);
  va_end(args);
  return 0;
}

void* ast_alloc(AstSurface* surface, int n, size_t size) {
  void* const memory = n < 0 || (size_t)n > (size_t)INT_MAX / size ? NULL : malloc((n ? (size_t)n : 1) * size);
  if (!memory) ast_fail(surface, "out of memory");
  return memory;
}

// -------------------------------------------------------------------------------------------- loading

typedef struct {
  const char *name, *extension, *type;
  int (*read)(AstSurface*, const AstBytes*);
} Format;

// the format of a file; NULL: unknown, with message
static const Format* formatOf(AstSurface* s, const char* name) {
  static const Format format[] = {
      {"STL", ".stl", "model/stl",            ast_readStl},
      {"OBJ", ".obj", "model/obj",            ast_readObj},
      {"MSH", ".msh", "model/vnd.mujoco.msh", ast_readMsh},
  };
  char type[AST_TYPE];
  const char* const given = s->source->content_type;
  if (!*ast_contentType(given, type, sizeof(type)) && given && *given) {
    ast_fail(s, "invalid content type: '%s'", given);
    return NULL;
  }
  for (size_t i = 0; i < sizeof(format) / sizeof(format[0]); i++) {
    if (ast_isFormat(name, given, format[i].extension, format[i].type)) return &format[i];
  }
  if (*type) {
    ast_fail(s, "unsupported mesh type: '%s'", type);
  } else {
    ast_fail(s, "unknown or unsupported mesh file: '%s'", name);
  }
  return NULL;
}

static int copyFloats(AstSurface* s, AstFloats* list, const float* value, int n) {
  if (!n) return 1;
  free(list->at);
  list->at = ast_alloc(s, n, sizeof(float));
  list->n = n;
  if (list->at) memcpy(list->at, value, sizeof(float) * (size_t)n);
  return list->at != NULL;
}

static int copyInts(AstSurface* s, AstInts* list, const int* value, int n) {
  if (!n) return 1;
  free(list->at);
  list->at = ast_alloc(s, n, sizeof(int));
  list->n = n;
  if (list->at) memcpy(list->at, value, sizeof(int) * (size_t)n);
  return list->at != NULL;
}

// user data adds what the file does not have
static int addUserData(AstSurface* s) {
  const AstMeshSource* const u = s->source;
  if (u->nnormal && s->normal.n) return ast_fail(s, "repeated normal specification");
  if (u->ntexcoord && s->texcoord.n) return ast_fail(s, "repeated texcoord specification");
  if (u->nface && s->face.n) return ast_fail(s, "repeated face specification");
  if (u->nvert && s->vert.n) return ast_fail(s, "repeated vertex specification");
  if (u->nnormal && s->facenormal.n) return ast_fail(s, "repeated facenormal specification");
  if (u->nfacetexcoord && s->facetexcoord.n) return ast_fail(s, "repeated facetexcoord specification");
  if (!copyInts(s, &s->face, u->face, u->nface) || !copyFloats(s, &s->normal, u->normal, u->nnormal) ||
      !copyFloats(s, &s->texcoord, u->texcoord, u->ntexcoord) ||
      !copyInts(s, &s->facetexcoord, u->facetexcoord, u->nfacetexcoord)) {
    return 0;
  }
  if (*u->file && !s->facenormal.n && !copyInts(s, &s->facenormal, u->facenormal, u->nfacenormal)) return 0;
  return !u->nvert || ast_setVertices(s, u->vert, u->nvert, 0);
}

int ast_readSurface(AstSurface* s, AstBytes* file) {
  const char* const name = file->resource->name;
  const Format* const format = formatOf(s, name);
  if (!format) return 0;
  if (ast_read(file, s->error, AST_MESSAGE)) return format->read(s, file);
  return file->empty ? ast_fail(s, "%s file '%s' is empty", format->name, name) : 0;
}

// -------------------------------------------------------------------------------------------- checks

static int check(AstSurface* s) {
  const int nvert = s->vert.n / 3;
  if (s->vert.n < 12) return ast_fail(s, "at least 4 vertices required");
  if (s->normal.n % 3) return ast_fail(s, "normal data must be a multiple of 3");
  if (s->texcoord.n % 2) return ast_fail(s, "texcoord must be a multiple of 2");
  if (s->face.n % 3) return ast_fail(s, "face data must be a multiple of 3");
  if (s->texcoord.n && s->texcoord.n != 2 * nvert && !s->facetexcoord.n && !s->isobj) {
    return ast_fail(s, "texcoord must be 2*nv if face texcoord indices are not provided in an OBJ file");
  }
  for (int i = 0; i < s->face.n; i++) {
    if (s->face.at[i] < 0 || s->face.at[i] >= nvert) {
      return ast_fail(s, "in face %d, vertex index %d does not exist", i / 3, s->face.at[i]);
    }
  }
  return 1;
}

static int compareEdges(const void* a, const void* b) {
  const int *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return x[1] < y[1] ? -1 : x[1] > y[1];
}

static double areaOf(const AstSurface* s, const int* f) {
  double a[3], b[3], normal[3];
  mth_sub3(a, s->vert.at + 3 * f[1], s->vert.at + 3 * f[0]);
  mth_sub3(b, s->vert.at + 3 * f[2], s->vert.at + 3 * f[0]);
  mth_cross3(normal, a, b);
  return 0.5 * sqrt(mth_dot3(normal, normal));
}

// no two faces walk an edge in the same direction
static int checkOrientation(AstSurface* s) {
  int* const edge = ast_alloc(s, 2 * s->face.n, sizeof(int));
  if (!edge) return 0;
  int n = 0;
  for (int i = 0; i < s->face.n; i += 3) {
    const int* const f = s->face.at + i;
    if (!(areaOf(s, f) > sqrt(mjMINVAL))) continue;
    for (int k = 0; k < 3; k++, n++) {
      edge[2 * n] = f[k];
      edge[2 * n + 1] = f[(k + 1) % 3];
    }
  }
  qsort(edge, (size_t)n, 2 * sizeof(int), compareEdges);
  int good = 1;
  for (int i = 1; i < n && good; i++) {
    if (compareEdges(edge + 2 * i, edge + 2 * i - 2)) continue;
    good = ast_fail(s,
                    "faces of mesh '%s' have inconsistent orientation. Please check the faces containing the vertices "
                    "%d and %d.",
                    s->source->name, edge[2 * i] + 1, edge[2 * i + 1] + 1);
  }
  free(edge);
  return good;
}

// -------------------------------------------------------------------------------------------- steps

// index lists that were not given
static int fillIndices(AstSurface* s) {
  if (s->facenormal.n && s->facenormal.n != s->face.n) {
    return ast_fail(s, "face data must have the same size as face normal data");
  }
  if (s->texcoord.n && !s->facetexcoord.n && !copyInts(s, &s->facetexcoord, s->face.at, s->face.n)) return 0;
  if (!s->facenormal.n) {
    if (!copyInts(s, &s->facenormal, s->face.at, s->face.n)) return 0;
    const int pervertex = s->normal.n / s->vert.n;
    for (int i = 0; i < s->face.n; i++) s->facenormal.at[i] *= pervertex;
  }
  if (s->facetexcoord.n && s->facetexcoord.n != s->face.n) {
    return ast_fail(s, "face data must have the same size as face texcoord data");
  }
  return 1;
}

// 1: all vertices lie in the plane of the largest face, as exactly as files have them
static int isFlat(const AstSurface* s) {
  double normal[3] = {0}, area = 0;
  const double* origin = s->vert.at;
  for (int i = 0; i < s->face.n; i += 3) {
    const int* const f = s->face.at + i;
    double a[3], b[3], n[3];
    mth_sub3(a, s->vert.at + 3 * f[1], s->vert.at + 3 * f[0]);
    mth_sub3(b, s->vert.at + 3 * f[2], s->vert.at + 3 * f[0]);
    mth_cross3(n, a, b);
    const double size = mth_norm3(n);
    if (!(size > area)) continue;
    area = size;
    mth_copy3(normal, n);
    origin = s->vert.at + 3 * f[0];
  }
  double reach = 0, height = 0;
  for (int i = 0; i < s->vert.n; i += 3) {
    double x[3];
    mth_sub3(x, s->vert.at + i, origin);
    reach = mth_max(reach, mth_norm3(x));
    height = mth_max(height, fabs(mth_dot3(x, normal)));
  }
  return height <= 1e-7 * reach * area;
}

static int needsHull(const AstSurface* s) {
  if (s->source->inertia == mjMESH_INERTIA_CONVEX || !s->face.n) return 1;
  return s->source->needhull && (s->source->needhull != AST_SPARE || !isFlat(s));
}

static int completeSurface(AstSurface* s, AstMesh* mesh) {
  if (!check(s)) return 0;
  if (s->source->inertia == mjMESH_INERTIA_EXACT && !checkOrientation(s)) return 0;
  if (needsHull(s) && !ast_makeHull(s)) return 0;
  if (!s->face.n) {
    const int n = 3 * s->graph.at[1];
    if (!copyInts(s, &s->face, s->graph.at + s->graph.n - n, n)) return 0;
  }
  if (!s->normal.n && !ast_makeNormals(s)) return 0;
  if (!fillIndices(s) || !ast_makePolygons(s, mesh) || !ast_makeFrame(s, mesh)) return 0;
  ast_polygonNormals(s, mesh);
  if (!ast_makeFaceTree(s, mesh)) return 0;
  return !s->source->needsdf || s->source->plugin || ast_makeOctree(s, mesh);
}

// moves the arrays over
static int finish(AstSurface* s, AstMesh* mesh) {
  mesh->vert = ast_alloc(s, s->vert.n, sizeof(float));
  if (!mesh->vert) return 0;
  for (int i = 0; i < s->vert.n; i++) mesh->vert[i] = (float)s->vert.at[i];
  mesh->nvert = s->vert.n / 3;
  mesh->nnormal = s->normal.n / 3;
  mesh->nface = s->face.n / 3;
  mesh->ngraph = s->graph.n;
  mesh->normal = s->normal.at;
  mesh->face = s->face.at;
  mesh->facenormal = s->facenormal.at;
  mesh->graph = s->graph.at;
  s->normal.at = NULL;
  s->face.at = s->facenormal.at = s->graph.at = NULL;
  if (s->texcoord.n) {
    mesh->ntexcoord = s->texcoord.n / 2;
    mesh->texcoord = s->texcoord.at;
    mesh->facetexcoord = s->facetexcoord.at;
    s->texcoord.at = NULL;
    s->facetexcoord.at = NULL;
  }
  return 1;
}

static void freeSurface(AstSurface* s) {
  free(s->vert.at);
  free(s->normal.at);
  free(s->texcoord.at);
  free(s->face.at);
  free(s->facenormal.at);
  free(s->facetexcoord.at);
  free(s->graph.at);
}

typedef struct {
  AstMesh* mesh;
  AstSurface surface;
  AstBytes file;
  int good;
} Compilation;

static void compile(void* arg) {
  Compilation* const c = arg;
  AstSurface* const s = &c->surface;
  const AstMeshSource* const source = s->source;
  const int hasFile = *source->file != 0;
  if (hasFile) {
    if (!ast_find(&c->file, source->directory, source->file, source->vfs, s->error, AST_MESSAGE)) return;
    c->good = ast_cacheFind(source, c->file.resource, c->mesh);
    if (c->good) return;
  }
  const int field = source->plugin && !hasFile;
  const int loaded = field ? ast_readField(s) : (!hasFile || ast_readSurface(s, &c->file)) && addUserData(s);
  if (s->nlarge) {
    snprintf(c->mesh->warning, AST_MESSAGE, "mesh '%s': %d faces of more than %d corners in file '%s' are left out",
             source->name, s->nlarge, AST_CORNERS, source->file);
  }
  c->good = loaded && completeSurface(s, c->mesh) && finish(s, c->mesh);
  if (c->good && hasFile) ast_cacheKeep(source, c->file.resource, c->mesh);
}

int ast_compileMesh(AstMesh* mesh, const AstMeshSource* source) {
  *mesh = (AstMesh){0};
  Compilation c = {
      .mesh = mesh, .surface = {.source = source, .error = mesh->error}
  };

  // providers and plugins may raise: what is held meanwhile goes here
  char raised[BAS_MESSAGE];
  if (!bas_attempt(compile, &c, raised)) {
    c.good = 0;
    snprintf(mesh->error, AST_MESSAGE, "engine error: %.400s", raised);
  }
  ast_close(&c.file);
  freeSurface(&c.surface);
  return c.good;
}

void ast_freeMesh(AstMesh* mesh) {
  void* const array[] = {mesh->vert,        mesh->normal,       mesh->texcoord,     mesh->face,
                         mesh->facenormal,  mesh->facetexcoord, mesh->graph,        mesh->polynormal,
                         mesh->polyvertadr, mesh->polyvertnum,  mesh->polyvert,     mesh->polymapadr,
                         mesh->polymapnum,  mesh->polymap,      mesh->octree.depth, mesh->octree.child,
                         mesh->octree.aabb, mesh->octree.coeff};
  for (size_t i = 0; i < sizeof(array) / sizeof(array[0]); i++) free(array[i]);
  ast_freeBvh(&mesh->bvh);
  *mesh = (AstMesh){0};
}
