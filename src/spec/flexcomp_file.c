// Points and elements of a flexcomp from a file: a surface mesh (STL, OBJ) or a GMSH mesh of triangles or tetrahedra.
//
// GMSH 2.2 and 4.1, text or binary:
//   $MeshFormat  version  0 text | 1 binary  size of a size_t
//   $Nodes       2.2: n, then (tag x y z) each
//                4.1: blocks n min max, then per block: dim tag parametric n, all tags, all coordinates
//   $Elements    2.2: n, then (tag type ntags tags… nodes…) each; binary in groups that share type and ntags
//                4.1: blocks n min max, then per block: dim tag type n, then (tag nodes…) each
// Only the elements of the highest dimension are taken.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "asset/asset.h"
#include "asset/resource.h"
#include "base/number.h"
#include "base/error.h"
#include "base/path.h"
#include "math/vec.h"
#include "spec/flexcomp.h"

// the file's name in the folder of meshes
static const char* fileName(const SpcFlexcomp* f) {
  const SpcModel* model = f->r->model;
  if (!*f->file) spc_readFail(f->r, f->node, "File is required");
  const char* file = model->spec.strippath ? bas_pathFile(f->file) : f->file;
  return xml_own(f->r->document, bas_pathJoin(spc_text(spc_compiler(&f->body->head)->meshdir), file));
}

//---------------------------------- surfaces ----------------------------------

// a solid of tetrahedra from the origin to the faces that look away from it
static void fillInside(SpcFlexcomp* f, const AstFaces* faces) {
  spc_vecAppend(f->flex->vert, f->origin, 3, sizeof(double));
  spc_vecAppend(f->flex->vert, faces->vert, (size_t)faces->nvert, sizeof(double));
  for (int i = 0; i < faces->nface; i += 3) {
    double edge[3][3], normal[3];
    for (int k = 0; k < 3; k++) mth_sub3(edge[k], faces->vert + 3 * faces->face[i + k], f->origin);
    mth_cross3(normal, edge[0], edge[1]);
    if (mth_dot3(normal, edge[2]) < mjMINVAL) continue;
    const int* v = faces->face + i;
    spc_vecAppend(f->flex->elem, (int[]){0, v[0] + 1, v[1] + 1, v[2] + 1}, 4, sizeof(int));
  }
}

void spc_flexMesh(SpcFlexcomp* f) {
  if (f->flex->dim < 2) spc_readFail(f->r, f->node, "Flex dim must be at least 2 for mesh");
  const char* file = fileName(f);
  if (!strcmp(bas_pathExtension(file), ".msh")) {
    spc_readFail(f->r, f->node, "legacy MSH files are not supported in flexcomp");
  }
  AstFaces faces;
  const int good = ast_readFaces(&faces, spc_text(f->r->model->spec.modelfiledir), file, f->r->vfs);
  if (!good) spc_readFail(f->r, f->node, "%s", faces.error);

  // indices are those of the file
  const int npoint = faces.nvert / 3;
  int first = 0;
  while (first < faces.nface && faces.face[first] >= 0 && faces.face[first] < npoint) first++;
  const int empty = !faces.nvert || !faces.nface, wrong = first < faces.nface ? faces.face[first] : 0;
  const int usable = !empty && first == faces.nface;
  if (usable && f->flex->dim == 2) {
    spc_vecSet(f->flex->vert, faces.vert, (size_t)faces.nvert, sizeof(double));
    spc_vecSet(f->flex->elem, faces.face, (size_t)faces.nface, sizeof(int));
  } else if (usable) {
    fillInside(f, &faces);
  }
  if (usable && faces.texcoord && faces.ntexcoord) {
    spc_vecSet(f->flex->texcoord, faces.texcoord, (size_t)faces.ntexcoord, sizeof(float));
    if (faces.facetexcoord && f->flex->dim == 2) {
      spc_vecSet(f->flex->elemtexcoord, faces.facetexcoord, (size_t)faces.nface, sizeof(int));
    }
  }
  ast_freeFaces(&faces);
  if (empty) spc_readFail(f->r, f->node, "Vertex and face data required");
  if (!usable) {
    spc_readFail(f->r, f->node, "element %d has point id %d, number of points is %d", first, wrong, npoint);
  }
}

//---------------------------------- GMSH ----------------------------------

// a place in the file; NULL once something was wrong
typedef struct {
  const char *at, *end;
  int binary;
  const char* error;
  const char* reading;  // what a number that cannot be read is an error of
  SpcVec tags;          // of int: tag of each point
  SpcFlexcomp* flexcomp;
} Gmsh;

static double fail(Gmsh* g, const char* error) {
  if (!g->error) g->error = error;
  g->at = g->end;
  return 0;
}

static int isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// one number as text
static double textNumber(Gmsh* g) {
  while (g->at < g->end && strchr(" \t\r\n", *g->at)) g->at++;
  char word[64];
  size_t n = 0;
  while (g->at < g->end && n + 1 < sizeof(word) && *g->at && !strchr(" \t\r\n", *g->at)) word[n++] = *g->at++;
  word[n] = 0;
  double value;
  const char* bad;
  if (!n || bas_readDoubles(word, &value, 1, &bad) != 1) return fail(g, g->reading);
  return value;
}

// one number of a kind: d(ouble), i(nt), s(ize)
static double number(Gmsh* g, char kind) {
  if (!g->binary) return textNumber(g);
  const size_t size = kind == 'i' ? 4 : 8;
  if ((size_t)(g->end - g->at) < size) return fail(g, g->reading);
  int i;
  uint64_t s;
  double d;
  memcpy(kind == 'i' ? (void*)&i : kind == 's' ? (void*)&s : (void*)&d, g->at, size);
  g->at += size;
  return kind == 'i' ? i : kind == 's' ? (double)s : d;
}

static int integer(Gmsh* g, char kind) {
  const double value = number(g, kind);
  if (!(value > INT_MIN && value < INT_MAX) || value != (int)value) return (int)fail(g, g->reading);
  return (int)value;
}

// a count of things that take up room in the file
static int countOf(Gmsh* g, char kind) {
  const int n = integer(g, kind);
  if (n < 0 || n > g->end - g->at) return (int)fail(g, g->reading);
  return n;
}

// the count at the start of a section of version 2.2: a line of digits, also in binary files
static int countLine(Gmsh* g, const char* missing, const char* bad) {
  while (g->at < g->end && *g->at == '\n') g->at++;
  const char* line = memchr(g->at, '\n', (size_t)(g->end - g->at));
  if (!line || *g->at == '$') return (int)fail(g, missing);
  while (g->at < line && isBlank(*g->at)) g->at++;
  const char* last = line;
  while (last > g->at && isBlank(last[-1])) last--;
  int n = 0;
  for (const char* c = g->at; c < last; c++) {
    if (*c < '0' || *c > '9' || n > INT_MAX / 10 - 1) return (int)fail(g, bad);
    n = 10 * n + (*c - '0');
  }
  if (last == g->at) return (int)fail(g, bad);
  g->at = line + 1;
  return n;
}

// what follows a section's name and the one character that ends it
static int findSection(Gmsh* g, const char* start, const char* name) {
  const size_t length = strlen(name);
  for (const char* p = start; p + length < g->end; p++) {
    p = memchr(p, '$', (size_t)(g->end - p));
    if (!p || (size_t)(g->end - p) <= length) break;
    const char* behind = p + length;
    if (memcmp(p, name, length) || (*behind != '\n' && !isBlank(*behind))) continue;
    g->at = behind + 1 + (*behind == '\r' && behind + 1 < g->end && behind[1] == '\n');
    return 1;
  }
  fail(g, "section missing in GMSH file");
  return 0;
}

static void readPoint(Gmsh* g, SpcFlexcomp* f) {
  double p[3];
  g->reading = "Error reading node coordinates";
  for (int k = 0; k < 3; k++) p[k] = number(g, 'd');
  if (!g->error) spc_vecAppend(f->flex->vert, p, 3, sizeof(double));
}

static int readTag(Gmsh* g, char kind, const char* reading) {
  g->reading = reading;
  const int tag = integer(g, kind);
  spc_vecAppend(&g->tags, &tag, 1, sizeof(int));
  return tag;
}

static void readOldPoints(Gmsh* g, SpcFlexcomp* f) {
  const int n = countLine(g, "Error reading Nodes header", "Invalid node header");
  for (int i = 0; i < n && !g->error; i++) {
    readTag(g, 'i', "Error reading node tags");
    readPoint(g, f);
  }
}

// blocks, things, least and largest tag of a section of version 4.1, which its first block follows
static void readHead(Gmsh* g, int head[4], const char* reading) {
  g->reading = reading;
  for (int k = 0; k < 4; k++) head[k] = integer(g, 's');
}

// what starts a block: two tags, the type of what it holds, their number
static void readBlock(Gmsh* g, int* type, int* n) {
  integer(g, 'i');
  integer(g, 'i');
  *type = integer(g, 'i');
  *n = countOf(g, 's');
}

// The usual file has one block with tags from the least to the largest. Several blocks are read as well, as long as
// they hold together: where they do not, it is a bad header that took them for several.
static void readModernPoints(Gmsh* g, SpcFlexcomp* f) {
  int head[4], found = 0;
  readHead(g, head, "Error reading Nodes header");
  if (g->error) return;
  const int single = head[0] == 1;
  for (int b = 0; (b < head[0] || !b) && !g->error; b++) {
    int parametric, n;
    readBlock(g, &parametric, &n);
    if (!b && g->error) return;
    found += n;
    if (single && n != head[1]) fail(g, "All nodes must be in single block");
    if (parametric) fail(g, "parametric nodes are not supported in GMSH file");
    for (int i = 0, last = head[2] - 1; i < n && !g->error; i++) {
      const int tag = readTag(g, 's', "Node tags must be sequential");
      if (single && tag <= last) fail(g, "Node tags must be sequential");
      last = tag;
      if (single && i == n - 1 && tag != head[3]) {
        fail(g, "Maximum number of nodes must be equal to number of nodes in a block");
      }
    }
    for (int i = 0; i < n && !g->error; i++) readPoint(g, f);
  }
  if (!single && (g->error || head[0] < 1 || found != head[1])) g->error = "All nodes must be in single block";
}

// The nodes of an element. Elements of lower dimension than the best so far are dropped, one of a higher dimension
// replaces all before.
static void readElement(Gmsh* g, SpcFlexcomp* f, int type, char kind, int* best) {
  static const int dims[16] = {[1] = 1, [2] = 2, [4] = 3};  // line, triangle, tetrahedron; 15: a single point
  const int dim = type > 0 && type < 16 ? dims[type] : 0;
  if (!dim && type != 15) fail(g, "only lines, triangles and tetrahedra are supported in GMSH file");
  int tag[4];
  for (int k = 0; k <= dim; k++) tag[k] = integer(g, kind);
  if (g->error || !dim || dim < *best) return;
  if (dim > *best) spc_vecSet(f->flex->elem, NULL, 0, sizeof(int));
  *best = dim;
  spc_vecAppend(f->flex->elem, tag, (size_t)dim + 1, sizeof(int));
}

static int readModernElements(Gmsh* g, SpcFlexcomp* f) {
  int best = 0, head[4], found = 0;
  readHead(g, head, "Error reading Elements header");
  if (g->error) return 0;
  for (int b = 0; (b < head[0] || !b) && !g->error; b++) {
    int type, n;
    readBlock(g, &type, &n);
    if (!b && g->error) return 0;
    g->reading = "Error reading Elements";
    found += n;
    for (int i = 0; i < n && !g->error; i++) {
      integer(g, 's');
      readElement(g, f, type, 's', &best);
    }
  }

  // as for the nodes
  if (found != head[1] || (head[0] != 1 && (g->error || head[0] < 1)))
    g->error = "All elements must be in single block";
  return best;
}

// text: one element at a time; binary: groups with a common head
static int readOldElements(Gmsh* g, SpcFlexcomp* f) {
  int best = 0;
  const int n = countLine(g, "Error reading Elements header", "Invalid elements header");
  g->reading = "Error reading Elements";
  for (int i = 0; i < n && !g->error;) {
    int type = 0, group = 1, ntag = 0;
    if (g->binary) {
      type = integer(g, 'i');
      group = countOf(g, 'i');
      ntag = integer(g, 'i');
    }
    if (!group) fail(g, "empty group in GMSH file");
    for (int k = 0; k < group && !g->error; k++, i++) {
      integer(g, 'i');
      if (!g->binary) {
        type = integer(g, 'i');
        ntag = integer(g, 'i');
      }
      if (ntag < 0 || ntag > 100) fail(g, "bad number of tags in GMSH file");
      for (int t = 0; t < ntag && !g->error; t++) integer(g, 'i');
      readElement(g, f, type, 'i', &best);
    }
  }
  return best;
}

static int byTag(const void* a, const void* b) {
  const int *p = a, *q = b;
  return (p[0] > q[0]) - (p[0] < q[0]);
}

// tags of nodes become numbers of points
static void resolveTags(Gmsh* g, SpcFlexcomp* f) {
  const size_t n = spc_vecCount(&g->tags, sizeof(int));
  int* sorted = xml_scratch(f->r->document, (2 * n + 1) * sizeof(int));
  for (size_t i = 0; i < n; i++) {
    sorted[2 * i] = ((const int*)(const void*)g->tags.begin)[i];
    sorted[2 * i + 1] = (int)i;
  }
  qsort(sorted, n, 2 * sizeof(int), byTag);
  int* index = (int*)(void*)((SpcVec*)f->flex->elem)->begin;
  const size_t nindex = spc_vecCount(f->flex->elem, sizeof(int));
  for (size_t i = 0; i < nindex && !g->error; i++) {
    const int* found = bsearch(&index[i], sorted, n, 2 * sizeof(int), byTag);
    if (found) {
      index[i] = found[1];
    } else {
      fail(g, "element of GMSH file refers to a node that does not exist");
    }
  }
}

static void readGmsh(void* arg) {
  Gmsh* const g = arg;
  SpcFlexcomp* const f = g->flexcomp;
  const char* start = g->at;
  if (!findSection(g, start, "$MeshFormat")) return;
  const double version = textNumber(g);
  const int binary = (int)textNumber(g);
  const int modern = version == 4.1;
  if (!modern && version != 2.2) fail(g, "only GMSH versions 2.2 and 4.1 are supported");
  if (textNumber(g) != 8) fail(g, "data of GMSH file must have 8 bytes");
  g->binary = binary;
  if (g->error || !findSection(g, start, "$Nodes")) return;
  if (modern) {
    readModernPoints(g, f);
  } else {
    readOldPoints(g, f);
  }
  if (g->error || !findSection(g, start, "$Elements")) return;
  const int dim = modern ? readModernElements(g, f) : readOldElements(g, f);
  if (g->error) return;
  if (dim < 1) fail(g, "GMSH file has no elements");
  f->flex->dim = dim;
  resolveTags(g, f);
}

void spc_flexGmsh(SpcFlexcomp* f) {
  const char* file = fileName(f);
  char error[AST_MESSAGE] = "", raised[BAS_MESSAGE];
  AstBytes bytes = {0};
  const int good = ast_open(&bytes, spc_text(f->r->model->spec.modelfiledir), file, f->r->vfs, error, sizeof(error));
  if (!good) spc_readFail(f->r, f->node, "Error: %s", error);
  Gmsh g = {.at = (const char*)bytes.bytes,
            .end = (const char*)bytes.bytes + bytes.size,
            .reading = "number expected in GMSH file",
            .flexcomp = f};
  if (!bas_attempt(readGmsh, &g, raised)) g.error = raised;
  spc_vecFree(&g.tags);
  ast_close(&bytes);
  if (g.error) spc_readFail(f->r, f->node, "Error: %s", g.error);
}
