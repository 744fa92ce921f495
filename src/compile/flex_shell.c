// Topology of a flex: its edges, the pieces of its border, how deep elements lie, which vertices oppose which elements.
//
// A piece is what an element has on one side: a vertex of a line, an edge of a triangle, a face of a tetrahedron. Two
// elements that share a piece are neighbours; a piece that only one element has lies on the border.
#include <stdlib.h>
#include <string.h>

#include "compile/flex.h"
#include "model/flex_edge.h"

// clang-format off
// vertices of an element's pieces, by dimension, in the sense of rotation that looks outside
static const unsigned char pieceOf[3][4][3] = {
    {{0},        {1}},
    {         {0, 1},     {2, 0},       {1, 2}},
    { {0, 1, 2}, {0, 3, 1},    {0, 2, 3}, {1, 3, 2}},
};
// clang-format on

//---------------------------------- edges ----------------------------------

// slot of an edge in a hash table whose entries are edge numbers + 1
static size_t edgeSlot(const int* table, size_t size, const int* edge, int low, int high) {
  size_t i = ((size_t)(unsigned)low * 2654435761u + (size_t)(unsigned)high * 40503u) & (size - 1);
  while (table[i] && (edge[2 * (table[i] - 1)] != low || edge[2 * (table[i] - 1) + 1] != high))
    i = (i + 1) & (size - 1);
  return i;
}

void cmp_flexEdgesOf(Cmp* c, CmpFlex* flex) {
  const int dim = flex->s.dim, per = cmp_flexEdges(dim);
  const size_t most = (size_t)flex->nelem * (size_t)per;
  size_t size = 64;
  while (size < 2 * most) size *= 2;
  int* const table = cmp_alloc(c, size, sizeof(int));
  flex->edge = cmp_alloc(c, 2 * most, sizeof(int));
  flex->elemedge = cmp_alloc(c, most, sizeof(int));
  if (dim == 2) flex->flap = cmp_alloc(c, 4 * most, sizeof(int));
  for (int e = 0; e < flex->nelem; e++) {
    const int* const v = flex->elem + (dim + 1) * e;
    for (int k = 0; k < per; k++) {
      const int a = v[mdl_flexEdge[dim - 1][k][0]], b = v[mdl_flexEdge[dim - 1][k][1]];
      const int low = a < b ? a : b, high = a < b ? b : a;
      const size_t slot = edgeSlot(table, size, flex->edge, low, high);
      const int known = table[slot];
      if (!known) {
        flex->edge[2 * flex->nedge] = low;
        flex->edge[2 * flex->nedge + 1] = high;
        table[slot] = ++flex->nedge;
      }
      const int number = table[slot] - 1;
      flex->elemedge[per * e + k] = number;
      if (dim != 2) continue;

      // the vertex opposite to edge k of a triangle is k
      int* const flap = flex->flap + 4 * number;
      if (known) {
        flap[3] = v[k];
      } else {
        memcpy(flap, (int[]){a, b, v[k], -1}, 4 * sizeof(int));
      }
    }
  }
}

//---------------------------------- border ----------------------------------

typedef struct {
  int key[3];  // vertices, increasing; -1 where there are fewer
  int elem;
  int vert[3];  // as in the element
} Piece;

static int byKey(const void* a, const void* b) {
  const Piece *const p = a, *const q = b;
  for (int k = 0; k < 3; k++) {
    if (p->key[k] != q->key[k]) return p->key[k] < q->key[k] ? -1 : 1;
  }
  return (p->elem > q->elem) - (p->elem < q->elem);
}

static Piece makePiece(const CmpFlex* flex, int e, int k) {
  const int dim = flex->s.dim;
  Piece piece = {
      .key = {-1, -1, -1},
        .elem = e
  };
  for (int i = 0; i < dim; i++) {
    const int v = flex->elem[(dim + 1) * e + pieceOf[dim - 1][k][i]];
    piece.vert[i] = v;
    int at = i;
    while (at > 0 && piece.key[at - 1] > v) {
      piece.key[at] = piece.key[at - 1];
      at--;
    }
    piece.key[at] = v;
  }
  return piece;
}

// elements that share the piece before n with the piece at n
typedef struct {
  int elem[2];
  const int* key;
} Neighbours;

// solids: number of steps to the nearest element on the border
static void setLayers(CmpFlex* flex, const Neighbours* pair, int npair, const unsigned char* border) {
  for (int e = 0; e < flex->nelem; e++) flex->elemlayer[e] = flex->s.dim < 3 || border[e] ? 0 : flex->nelem + 1;
  if (flex->s.dim < 3) return;
  for (int change = 1; change;) {
    change = 0;
    for (int i = 0; i < npair; i++) {
      int *const a = flex->elemlayer + pair[i].elem[0], *const b = flex->elemlayer + pair[i].elem[1];
      if (*a > *b + 1) {
        *a = *b + 1;
        change = 1;
      } else if (*b > *a + 1) {
        *b = *a + 1;
        change = 1;
      }
    }
  }
}

// the vertex of an element that is not part of a piece
static int oppositeVertex(const CmpFlex* flex, int e, const int* key) {
  const int dim = flex->s.dim;
  for (int i = 0; i <= dim; i++) {
    const int v = flex->elem[(dim + 1) * e + i];
    int inside = 0;
    for (int k = 0; k < dim; k++) inside |= key[k] == v;
    if (!inside) return v;
  }
  return -1;
}

// lines and surfaces: what lies across the border's neighbours may pass through them
static void setPairs(Cmp* c, CmpFlex* flex, const Neighbours* pair, int npair, const unsigned char* border) {
  flex->evpair = cmp_alloc(c, 4 * (size_t)npair + 1, sizeof(int));
  for (int i = 0; i < npair && flex->s.dim < 3; i++) {
    if (!border[pair[i].elem[0]] && !border[pair[i].elem[1]]) continue;
    for (int k = 0; k < 2; k++) {
      const int v = oppositeVertex(flex, pair[i].elem[k], pair[i].key);
      if (v < 0) continue;
      flex->evpair[2 * flex->nevpair] = pair[i].elem[1 - k];
      flex->evpair[2 * flex->nevpair++ + 1] = v;
    }
  }
}

void cmp_flexShell(Cmp* c, CmpFlex* flex) {
  const int dim = flex->s.dim, n = flex->nelem * (dim + 1);
  Piece* const piece = cmp_alloc(c, (size_t)n, sizeof(Piece));
  for (int i = 0; i < n; i++) piece[i] = makePiece(flex, i / (dim + 1), i % (dim + 1));
  qsort(piece, (size_t)n, sizeof(Piece), byKey);

  // equal keys are neighbours, single ones lie on the border
  unsigned char* const border = cmp_alloc(c, (size_t)flex->nelem, 1);
  Neighbours* const pair = cmp_alloc(c, (size_t)n, sizeof(Neighbours));
  flex->shell = cmp_alloc(c, (size_t)n * (size_t)dim, sizeof(int));
  flex->elemlayer = cmp_alloc(c, (size_t)flex->nelem, sizeof(int));
  int npair = 0;
  for (int i = 0; i < n; i++) {
    const int before = i > 0 && !memcmp(piece[i - 1].key, piece[i].key, sizeof(piece[i].key));
    const int after = i + 1 < n && !memcmp(piece[i + 1].key, piece[i].key, sizeof(piece[i].key));
    if (before)
      pair[npair++] = (Neighbours){
          {piece[i - 1].elem, piece[i].elem},
          piece[i].key
      };
    if (before || after) continue;
    border[piece[i].elem] = 1;
    memcpy(flex->shell + flex->nshell, piece[i].vert, (size_t)dim * sizeof(int));
    flex->nshell += dim;
  }
  setLayers(flex, pair, npair, border);
  setPairs(c, flex, pair, npair, border);
}
