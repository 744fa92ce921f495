// Kinds of pairs of geoms.
#pragma once

// kinds of pairs that the kernels know
typedef enum {
  CUD_PLANE_SPHERE,
  CUD_PLANE_CAPSULE,
  CUD_PLANE_ELLIPSOID,
  CUD_PLANE_CYLINDER,
  CUD_PLANE_BOX,
  CUD_SPHERE_SPHERE,
  CUD_SPHERE_CAPSULE,
  CUD_SPHERE_CYLINDER,
  CUD_SPHERE_BOX,
  CUD_CAPSULE_CAPSULE,
  CUD_PLANE_MESH,
  CUD_CAPSULE_BOX,
  CUD_BOX_BOX,
  CUD_CONVEX,
  CUD_FIELD,
  CUD_FLEX_PLANE,     // vertices of a flex with a plane
  CUD_FLEX_EDGE,      // edges of a flex with a sphere, capsule or box
  CUD_FLEX_TRIANGLE,  // triangles with these
  CUD_FLEX_CONVEX,    // elements with another geom
  CUD_FLEX_FLEX,      // elements of two flexes
  CUD_FLEX_SELF,      // elements of one
  CUD_NSHAPE
} CudShape;

// the first kind of pairs of a geom and a flex
enum { CUD_FLEX = CUD_FLEX_PLANE };

// the first kind of solids: the kernels for models that have none of them leave their code out
enum { CUD_SOLID = CUD_PLANE_MESH };
