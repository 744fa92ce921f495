// The reference's convex collision detection from outside: its structs, with the layout of version 3.5.0, and the
// functions that take them. The work is done by collision/ccd.h and collision/support.h.
#pragma once

#include <ccd/vec3.h>
#include <mujoco/mujoco.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// a geom (flex, elem, vert = -1), a flex element or a flex vertex; the indices remember the last search in a mesh
typedef struct _mjCCDObj {
  const mjModel* model;
  const mjData* data;
  int geom;
  int geom_type;
  int vertindex;
  int meshindex;
  int flex;
  int elem;
  int vert;
  mjtNum margin;
  mjtNum rotate[4];
  void (*center)(mjtNum res[3], const struct _mjCCDObj* obj);
  void (*support)(mjtNum res[3], struct _mjCCDObj* obj, const mjtNum dir[3]);

  // prism of a height field
  mjtNum prism[6][3];
  const mjtNum* size;
  const float* hfield_data;
  int hfield_nrow;
  int hfield_ncol;
} mjCCDObj;

// vertex of the Minkowski difference: vert = vert1 - vert2
typedef struct {
  mjtNum vert[3];
  mjtNum vert1[3];
  mjtNum vert2[3];
  int index1;
  int index2;
} mjCCDVertex;

typedef struct {
  int max_iterations;
  mjtNum tolerance;
  int max_contacts;    // points wanted when the shapes overlap; 0: depth does not matter
  mjtNum dist_cutoff;  // largest distance of interest; 0: only overlap matters
  void* context;       // memory is taken from the stack of mjData: these three are not used
  void* (*alloc)(void* context, size_t nbytes);
  void (*free)(void* context, void* buffer);
} mjCCDConfig;

typedef struct {
  mjtNum dist;
  mjtNum x1[3 * mjMAXCONPAIR];
  mjtNum x2[3 * mjMAXCONPAIR];
  int nx;

  // settings
  int max_iterations;
  mjtNum tolerance;
  int max_contacts;
  mjtNum dist_cutoff;

  // statistics
  int gjk_iterations;
  int epa_iterations;
  int epa_status;  // ColOutcome
  mjCCDVertex simplex[4];
  int nsimplex;
} mjCCDStatus;

// a geom at its pose, widened by margin/2; geom -1: a flex object, of which the caller sets flex, elem and vert
MJAPI void mjc_initCCDObj(mjCCDObj* obj, const mjModel* m, const mjData* d, int g, mjtNum margin);

// a point inside
MJAPI void mjc_center(mjtNum res[3], const mjCCDObj* obj);

// distance of two shapes, negative when they overlap, DBL_MAX beyond the cutoff. The shapes are geoms or flex objects
// as mjc_initCCDObj made them; support and center are there for callers and not called.
MJAPI mjtNum mjc_ccd(const mjCCDConfig* config, mjCCDStatus* status, mjCCDObj* obj1, mjCCDObj* obj2);

// the same shapes for libccd
MJAPI void mjccd_center(const void* obj, ccd_vec3_t* center);
MJAPI void mjccd_support(const void* obj, const ccd_vec3_t* dir, ccd_vec3_t* vec);

#ifdef __cplusplus
}
#endif
