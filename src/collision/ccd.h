// Distance or penetration of two convex shapes: GJK, then EPA, then the clipping of the touching faces.
//
//   col_ccd -> col_gjk -> separate: distance and nearest points
//                      -> overlapping: simplex around the origin -> col_epa -> depth, direction, witness points
//                                                                          -> col_multicontact -> a patch of points
//
// All of it works in the Minkowski difference A - B: the shapes overlap where it contains the origin, and the nearest
// boundary point gives the separating translation.
#pragma once

#include <mujoco/mujoco.h>

#include "collision/shared.h"
#include "collision/support.h"

#define COL_MINSQR (mjMINVAL * mjMINVAL)
#define COL_MAXSQR (mjMAXVAL * mjMAXVAL)

// point pairs of a query, at most, and numbers of the parts of a polytope
#ifdef COL_GPU
enum { COL_POINTS = 1 };
typedef short ColIndex;
#define COL_WARN(text) ((void)0)
#else
enum { COL_POINTS = mjMAXCONPAIR };
typedef int ColIndex;
#define COL_WARN(text) mju_warning(text)
#endif

// a vertex of the Minkowski difference
typedef struct {
  mjtNum p[3];  // a - b
  mjtNum a[3];  // point of the first shape
  mjtNum b[3];  // point of the second shape
  int ia;       // their vertex numbers (see ColConvex.vertid)
  int ib;
} ColVertex;

// how EPA ended; the numbers are the reference's
typedef enum {
  COL_EPA_NOT_RUN = -1,
  COL_EPA_DONE = 0,
  COL_EPA_SEGMENT_CONCAVE = 2,     // the vertices around a segment do not enclose it
  COL_EPA_TRIANGLE_FLAT = 4,       // a triangle without area
  COL_EPA_TRIANGLE_TOUCHES_1 = 5,  // nothing lies above, or below, a triangle: the shapes only touch
  COL_EPA_TRIANGLE_TOUCHES_2 = 6,
  COL_EPA_ORIGIN_ON_FACE = 8,
  COL_EPA_ORIGIN_OUTSIDE = 9,  // of the tetrahedron
} ColOutcome;

// what is asked and what was found; set by col_queryInit, then col_ccd fills the results
typedef struct {
  int maxiter;  // limit for GJK and for EPA
  int maxcon;   // points wanted when overlapping; 0: depth does not matter
  mjtNum tolerance;
  mjtNum cutoff;  // largest distance of interest when separate; 0: only overlap matters

  mjtNum dist;                // distance, minus the depth, or COL_FAR
  int npoint;                 // number of point pairs
  mjtNum x1[3 * COL_POINTS];  // points on the first shape
  mjtNum x2[3 * COL_POINTS];  // points on the second shape

  int separate;  // the shapes are known to be apart along axis: all of A - B has a positive product with it
  mjtNum axis[3];

  int iter;      // GJK iterations used
  int grown;     // EPA iterations used
  int outcome;   // ColOutcome
  int nsimplex;  // last simplex
  ColVertex simplex[4];
} ColQuery;

// distance of shapes that are too far apart
#define COL_FAR 1.7976931348623158e308

// EPA's growing polytope: triangles that know their neighbours
typedef struct {
  ColIndex vert[3];
  ColIndex adj[3];  // face across the edge (vert[i], vert[i+1])
  ColIndex slot;    // place in the list of candidates; COL_FACE_KEPT or COL_FACE_GONE otherwise
#ifdef COL_GPU
  ColIndex seen;  // 1: from the newest vertex
#endif
  mjtNum foot[3];  // the origin projected on the plane
  mjtNum sqr;      // |foot|^2
} ColFace;

enum { COL_FACE_KEPT = -1, COL_FACE_GONE = -2 };

typedef struct {
  ColVertex* vert;
  int nvert;
  ColFace* face;
  int nface;
  int maxface;
  ColIndex* cand;  // faces that may hold the nearest point
  int ncand;
  ColIndex* rim;  // boundary of what the newest vertex sees: face and edge in turn
  int nrim;
  ColIndex* todo;  // scratch of the search for it
#ifdef COL_GPU
  ColIndex* gone;  // faces whose places are free
  int ngone;
  int kept;  // the face from which it grew last
#endif
} ColPolytope;

#ifndef COL_GPU
// the model's settings
void col_queryInit(ColQuery* q, const mjModel* m, int maxcon, mjtNum cutoff);

// runs the query: the distance, negative for overlap
mjtNum col_ccd(mjData* d, ColQuery* q, ColConvex* a, ColConvex* b);

// nearest points of separate shapes, or a simplex around the origin. Starts from q->x1 and q->x2.
void col_gjk(ColQuery* q, ColConvex* a, ColConvex* b);

// grows q->simplex to the boundary; the face nearest to the origin, or -1
int col_epa(ColQuery* q, ColPolytope* pt, ColConvex* a, ColConvex* b);

// replaces the single point pair of a box or mesh contact by the overlap of the two touching faces
void col_multicontact(ColQuery* q, const ColPolytope* pt, int face, const ColConvex* a, const ColConvex* b);

// farthest vertex of A - B along dir (opposite is -dir)
void col_supportPair(ColVertex* v, ColConvex* a, ColConvex* b, const mjtNum dir[3], const mjtNum opposite[3]);

// both shapes are polytopes without margin: the search ends after finitely many vertices
int col_discretePair(const ColConvex* a, const ColConvex* b);

// projects the origin on the plane of a triangle; 0 when the triangle is degenerate
int col_projectOrigin(mjtNum res[3], const mjtNum v0[3], const mjtNum v1[3], const mjtNum v2[3]);

// areas of the triangles (p, v1, v2), (p, v2, v0), (p, v0, v1) in the coordinate plane where v has the largest shadow;
// returns the area of the shadow
mjtNum col_subareas(mjtNum area[3], const mjtNum* const v[3], const mjtNum p[3]);
#endif
