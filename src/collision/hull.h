// The graph of a mesh's convex hull, as the model stores it:
//   [number of vertices, number of faces, edgeadr (nvert), globalid (nvert), edges (nvert + 3 nface), faces (3 nface)]
// Faces name vertices of the mesh, edges vertices of the hull; a negative number ends each vertex's list of neighbours.
#pragma once

// 1: no edge of the hull is concave. Then the hull is convex as a whole (a closed surface that is convex everywhere
// is), and every walk uphill on its graph ends at the highest vertex. Hulls lose this when their vertices are rounded
// to single precision: walks may end at a vertex that is the highest only of its neighbourhood.
int col_hullConvex(const float* vert, const int* graph);
