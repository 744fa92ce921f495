// Convex hull of a mesh by qhull, as the graph that mjModel.mesh_graph stores:
//   number of vertices, number of faces, address of each vertex's edges, mesh vertex of each,
//   edges (hull vertices, -1 ends each list), faces (mesh vertices, counter-clockwise).
// A triangulated closed surface has as many edge ends as face corners, so the sizes follow from the two numbers.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "asset/mesh.h"

// parts of a graph
typedef struct {
  int nvert, nface;
  int *edgeadr, *globalid, *edge, *face;
} Graph;

static Graph openGraph(int* graph) {
  const int nvert = graph[0], nface = graph[1];
  return (Graph){nvert, nface, graph + 2, graph + 2 + nvert, graph + 2 + 2 * nvert, graph + 2 + 3 * nvert + 3 * nface};
}

// mesh vertex of a hull vertex
static int pointOf(const qhT* qh, const vertexT* vertex) {
  return (int)((vertex->point - qh->first_point) / qh->hull_dim);
}

// neighbours of a vertex: the other corners of its faces, each once; returns the end, NULL: not a triangle or no room
static int* addEdges(const qhT* qh, const vertexT* vertex, int* edge, const int* end) {
  int* const start = edge;
  const facetT *facet, **facetp;
  FOREACHsetelement_(const facetT, vertex->neighbors, facet) {
    int corners = 0;
    const vertexT *other, **otherp;
    FOREACHsetelement_(const vertexT, facet->vertices, other) {
      corners++;
      if (other == vertex) continue;
      const int point = pointOf(qh, other);
      int* at = start;
      while (at < edge && *at != point) at++;
      if (at < edge) continue;
      if (edge >= end) return NULL;
      *edge++ = point;
    }
    if (corners != 3) return NULL;
  }
  if (edge >= end) return NULL;
  *edge++ = -1;
  return edge;
}

// corners of a face in the order that makes it face outwards; 0: not a triangle
static int addFace(const qhT* qh, const facetT* facet, int face[3]) {
  int corners = 0;
  const vertexT *vertex, **vertexp;
  FOREACHsetelement_(const vertexT, facet->vertices, vertex) {
    if (corners == 3) return 0;
    const int place = corners < 2 && facet->toporient ? 1 - corners : corners;
    face[place] = pointOf(qh, vertex);
    corners++;
  }
  return corners == 3;
}

// local[mesh vertex] becomes the hull vertex; 1, or 0 when the hull is not what it should be
static int fillGraph(const qhT* qh, int* graph, int* local, int npoint) {
  const Graph g = openGraph(graph);
  int* edge = g.edge;
  int* const end = g.face;
  int n = 0;
  const vertexT* vertex;
  for (vertex = qh->vertex_list; vertex && vertex->next; vertex = vertex->next) {
    const int point = pointOf(qh, vertex);
    if (point < 0 || point >= npoint || n >= g.nvert) return 0;
    g.edgeadr[n] = (int)(edge - g.edge);
    g.globalid[n] = point;
    local[point] = n++;
    edge = addEdges(qh, vertex, edge, end);
    if (!edge) return 0;
  }
  if (edge != end || n != g.nvert) return 0;

  // edges to hull vertices
  for (int* at = g.edge; at < end; at++) {
    if (*at >= 0) *at = local[*at];
    if (*at < -1) return 0;
  }
  int nface = 0;
  const facetT* facet;
  for (facet = qh->facet_list; facet && facet->next; facet = facet->next) {
    if (nface >= g.nface || !addFace(qh, facet, g.face + 3 * nface++)) return 0;
  }
  return nface == g.nface;
}

static int* newGraph(const qhT* qh, int npoint, int* n) {
  const int nvert = qh->num_vertices, nface = qh->num_facets;
  *n = 2 + 3 * nvert + 6 * nface;
  int* const graph = calloc((size_t)*n, sizeof(int));
  int* const local = malloc(sizeof(int) * (size_t)npoint);
  int good = graph && local;
  if (good) {
    for (int i = 0; i < npoint; i++) local[i] = -2;
    graph[0] = nvert;
    graph[1] = nface;
    good = fillGraph(qh, graph, local, npoint);
  }
  free(local);
  if (good) return graph;
  free(graph);
  return NULL;
}

// Runs qhull, which leaves by longjmp when it fails: everything that must survive that is in memory of the caller.
static void runHull(qhT* qh, char* options, double* vert, int nvert, AstInts* graph) {
  if (setjmp(qh->errexit)) return;
  qh->NOerrexit = False;
  qh_initflags(qh, options);
  qh_init_B(qh, vert, nvert, 3, False);
  qh_qhull(qh);
  qh_triangulate(qh);
  qh_vertexneighbors(qh);
  graph->at = newGraph(qh, nvert, &graph->n);
}

int ast_makeHull(AstSurface* surface) {
  char options[64] = "qhull Qt Q5";
  if (surface->source->maxhullvert > -1) {
    if (surface->source->maxhullvert < 4) return ast_fail(surface, "maxhullvert must be larger than 3");
    // "TA" counts the vertices added to the first simplex
    snprintf(options, sizeof(options), "qhull Qt Q5 TA%d", surface->source->maxhullvert - 4);
  }
  qhT* const qh = calloc(1, sizeof(qhT));
  FILE* const silent = fopen("/dev/null", "w");
  if (!qh || !silent) {
    free(qh);
    if (silent) fclose(silent);
    return ast_fail(surface, "out of memory for convex hull");
  }
  qh_zero(qh, silent);
  qh_init_A(qh, NULL, silent, silent, 0, NULL);
  AstInts graph = {NULL, 0};
  runHull(qh, options, surface->vert.at, surface->vert.n / 3, &graph);
  qh->NOerrexit = True;
  int curlong = 0, totlong = 0;
  qh_freeqhull(qh, !qh_ALL);
  if (!qh->qhmem.LASTsize) {
    // it was left before its memory was set up: these would be lost
    free(qh->qhmem.sizetable);
    free(qh->qhmem.freelists);
  }
  qh_memfreeshort(qh, &curlong, &totlong);
  fclose(silent);
  free(qh);
  if (!graph.at) return ast_fail(surface, "qhull error");
  surface->graph = graph;
  return 1;
}
