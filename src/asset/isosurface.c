// Marching cubes (W. Lorensen, H. Cline: Marching cubes, 1987): every cell whose corners differ in sign gets the
// triangles of its pattern of signs; their corners lie on the cell's edges, where the field is zero if it is linear.
//
// Corner c of a cell is at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4 a + u + 2 v runs along axis a, at u and v on the two
// other axes. Vertices are numbered as the walk over the cells, x fastest, first meets their edges.
#include "asset/isosurface.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS = 8, EDGES = 12, MAXCORNERS = 15 /* of a pattern's triangles */ };

// -------------------------------------------------------------------------------------------- patterns

// 25 patterns of signs whose turns by the rotations of the cube make all others. Which turns are used of a pattern that
// several of them map to itself decides where its triangles begin, so it is stated: bit t of turns.
typedef struct {
  unsigned char inside;  // bit c: corner c is inside
  uint32_t turns;
  char edges[MAXCORNERS + 1];  // hexadecimal, three to a triangle
} Base;

static const Base bases[] = {
    {0x01, 0x096069, "048"            },
    {0x03, 0x0f60f9, "495489"         },
    {0x06, 0x566c99, "1a4950"         },
    {0x07, 0xffffff, "51a5a99a8"      },
    {0x0f, 0x102001, "8ba89b"         },
    {0x16, 0x00f00f, "0958621a4"      },
    {0x17, 0x006009, "61a621251295"   },
    {0x18, 0x006009, "28615b"         },
    {0x19, 0xffffff, "604620b15"      },
    {0x1b, 0x904601, "46162916919b"   },
    {0x1d, 0x026089, "2a625a5ba052"   },
    {0x1e, 0xffffff, "286a9ba49409"   },
    {0x1f, 0xffffff, "2a629a9ba"      },
    {0x27, 0x904601, "827871175a81"   },
    {0x2b, 0x006009, "48242112717b"   },
    {0x33, 0x004011, "467475"         },
    {0x35, 0x806209, "79661a916901"   },
    {0x3c, 0x094061, "4ba45b698679"   },
    {0x3d, 0xffffff, "670ba0a605b0790"},
    {0x3f, 0x0f60f9, "67b6ba"         },
    {0x69, 0x002001, "0486a379215b"   },
    {0x6b, 0x00f00f, "36ab17127142482"},
    {0x6f, 0xa96369, "6838b387b827"   },
    {0x7e, 0x006009, "08437b"         },
    {0x7f, 0x096069, "7b3"            },
};

typedef struct {
  int n;
  unsigned char edge[MAXCORNERS];
} Pattern;

// one of the 24 rotations: new axis k is the old axis from[k], mirrored where bit k of flip is set
typedef struct {
  int from[3], flip;
} Turn;

// rotations in the order of Base.turns: cyclic orders of the axes with an even number of mirrors, then the others
static void listTurns(Turn turn[24]) {
  int n = 0;
  for (int order = 0; order < 6; order++) {
    for (int flip = 0; flip < 8; flip++) {
      const int odd = (flip ^ flip >> 1 ^ flip >> 2) & 1, mirrored = order >= 3;
      if (odd != mirrored) continue;
      Turn* const t = &turn[n++];
      t->flip = flip;
      for (int k = 0; k < 3; k++) t->from[k] = (order % 3 + (mirrored ? 3 - k : k)) % 3;
    }
  }
}

static int turnCorner(const Turn* turn, int corner) {
  int turned = 0;
  for (int k = 0; k < 3; k++) turned |= ((corner >> turn->from[k] ^ turn->flip >> k) & 1) << k;
  return turned;
}

// where an edge begins: its corner with the smallest coordinates
static int edgeCorner(int edge) {
  const int axis = edge / 4, u = edge % 2, v = edge / 2 % 2;
  return u << (axis == 0) | v << (axis == 2 ? 1 : 2);
}

static int turnEdge(const Turn* turn, int edge) {
  const int corner = turnCorner(turn, edgeCorner(edge));
  int axis = 0;
  while (turn->from[axis] != edge / 4) axis++;
  return 4 * axis + (corner >> (axis == 0) & 1) + 2 * (corner >> (axis == 2 ? 1 : 2) & 1);
}

static void makePatterns(Pattern pattern[1 << CORNERS]) {
  Turn turn[24];
  listTurns(turn);
  memset(pattern, 0, sizeof(Pattern) << CORNERS);
  for (size_t b = 0; b < sizeof(bases) / sizeof(bases[0]); b++) {
    for (int t = 0; t < 24; t++) {
      if (!(bases[b].turns >> t & 1)) continue;
      int inside = 0;
      for (int c = 0; c < CORNERS; c++) inside |= (bases[b].inside >> c & 1) << turnCorner(&turn[t], c);
      Pattern* const p = &pattern[inside];
      for (const char* e = bases[b].edges; *e; e++) {
        p->edge[p->n++] = (unsigned char)turnEdge(&turn[t], *e <= '9' ? *e - '0' : *e - 'a' + 10);
      }
    }
  }
}

// -------------------------------------------------------------------------------------------- cells

typedef struct {
  const AstGrid* grid;
  AstIsosurface* out;
  int cvert, cface;  // capacities
  // vertices on the three edges that begin at a grid point, for the layers below and above the current cells
  int* onedge;
  Pattern pattern[1 << CORNERS];
} March;

// room for more elements of three values
static int reserve(void** at, int needed, int capacity, size_t size) {
  if (needed > INT_MAX / 12) return 0;
  void* const memory = realloc(*at, 3 * size * (size_t)capacity);
  if (!memory) return 0;
  *at = memory;
  return 1;
}

static int grow(March* m) {
  AstIsosurface* const out = m->out;
  if (out->nvert + EDGES > m->cvert) {
    m->cvert = 2 * m->cvert + 1024;
    if (!reserve((void**)&out->vert, out->nvert, m->cvert, sizeof(float))) return 0;
    if (!reserve((void**)&out->normal, out->nvert, m->cvert, sizeof(float))) return 0;
  }
  if (out->nface + MAXCORNERS / 3 > m->cface) {
    m->cface = 2 * m->cface + 2048;
    if (!reserve((void**)&out->face, out->nface, m->cface, sizeof(int))) return 0;
  }
  return 1;
}

// where the number of the vertex on an edge of a cell is kept
static int* vertexOf(const March* m, const int cell[3], int edge) {
  const int corner = edgeCorner(edge);
  const int x = cell[0] + (corner & 1), y = cell[1] + (corner >> 1 & 1), z = cell[2] + (corner >> 2);
  const int* const n = m->grid->n;
  return &m->onedge[3 * ((n[1] * (z % 2) + y) * n[0] + x) + edge / 4];
}

// an edge belongs to the first cell that has it: no earlier one lies beyond its low sides
static int isFirst(const int cell[3], int edge) {
  const int corner = edgeCorner(edge);
  for (int k = 0; k < 3; k++) {
    if (k != edge / 4 && cell[k] && !(corner >> k & 1)) return 0;
  }
  return 1;
}

static void addVertex(March* m, const int cell[3], int edge) {
  const int corner = edgeCorner(edge), axis = edge / 4;
  const int* const n = m->grid->n;
  const int at[3] = {cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2)};
  const int step = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
  const float* const value = m->grid->value + (at[2] * n[1] + at[1]) * n[0] + at[0];
  *vertexOf(m, cell, edge) = m->out->nvert;
  float* const vert = m->out->vert + 3 * (size_t)m->out->nvert;
  for (int k = 0; k < 3; k++) {
    vert[k] = (float)at[k];
    m->out->normal[3 * (size_t)m->out->nvert + (size_t)k] = 0;
  }
  vert[axis] += value[0] / (value[0] - value[step]);
  m->out->nvert++;
}

// a face and its share of its corners' normals
static void addFace(March* m, const int corner[3]) {
  const float* v[3];
  for (int k = 0; k < 3; k++) v[k] = m->out->vert + 3 * (size_t)corner[k];
  float a[3], c[3];
  for (int k = 0; k < 3; k++) {
    a[k] = v[0][k] - v[1][k];
    c[k] = v[2][k] - v[1][k];
  }
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const float across = c[i] * a[j] - c[j] * a[i];
    for (int e = 0; e < 3; e++) m->out->normal[3 * (size_t)corner[e] + (size_t)k] += across;
  }
  memcpy(m->out->face + 3 * (size_t)m->out->nface++, corner, 3 * sizeof(int));
}

static int addCell(March* m, const int cell[3], int inside) {
  if (!grow(m)) return 0;
  for (int e = 0; e < EDGES; e++) {
    const int low = edgeCorner(e), high = low | 1 << e / 4;
    const int crossed = (inside >> low ^ inside >> high) & 1;
    if (crossed && isFirst(cell, e)) addVertex(m, cell, e);
  }
  const Pattern* const p = &m->pattern[inside];
  for (int i = 0; i < p->n; i += 3) {
    int corner[3];
    for (int k = 0; k < 3; k++) corner[k] = *vertexOf(m, cell, p->edge[i + k]);
    addFace(m, corner);
  }
  return 1;
}

// signs of the four corners of a row of cells that share their x, at their places in a pattern with x = 0
static int signsAt(const AstGrid* g, int x, int y, int z) {
  const float* const v = g->value + (z * g->n[1] + y) * g->n[0] + x;
  const int row = g->n[0], layer = row * g->n[1];
  return (v[0] < 0) | (v[row] < 0) << 2 | (v[layer] < 0) << 4 | (v[layer + row] < 0) << 6;
}

static int march(March* m) {
  const int* const n = m->grid->n;
  for (int z = 0; z + 1 < n[2]; z++) {
    for (int y = 0; y + 1 < n[1]; y++) {
      for (int x = 0, here = signsAt(m->grid, 0, y, z); x + 1 < n[0]; x++) {
        const int next = signsAt(m->grid, x + 1, y, z), inside = here | next << 1;
        here = next;
        if (inside && inside != 0xff && !addCell(m, (const int[3]){x, y, z}, inside)) return 0;
      }
    }
  }
  return 1;
}

// -------------------------------------------------------------------------------------------- entry

int ast_makeIsosurface(AstIsosurface* surface, const AstGrid* grid) {
  *surface = (AstIsosurface){0};
  March* const m = calloc(1, sizeof(March));
  if (!m) return 0;
  m->grid = grid;
  m->out = surface;
  m->onedge = malloc(6 * sizeof(int) * (size_t)grid->n[0] * (size_t)grid->n[1]);
  makePatterns(m->pattern);
  const int good = m->onedge && march(m);
  free(m->onedge);
  free(m);
  for (int i = 0; good && i < surface->nvert; i++) {
    float* const v = surface->normal + 3 * (size_t)i;
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) v[k] /= length;
  }
  return good;
}

void ast_freeIsosurface(AstIsosurface* surface) {
  free(surface->vert);
  free(surface->normal);
  free(surface->face);
  *surface = (AstIsosurface){0};
}
