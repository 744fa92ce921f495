// Meshes of plugins that define a shape by its signed distance: the field is sampled on a grid over the plugin's box,
// the mesh is where it changes its sign.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset/isosurface.h"
#include "asset/mesh.h"

// grid cells along the three half sizes of the box together; fewer make coarser meshes
static const double CELLS = 300;

// numbers that the plugin makes of its attributes, NULL: no memory
static double* readAttributes(AstSurface* s) {
  const AstMeshSource* const u = s->source;
  const mjpPlugin* const plugin = u->plugin;
  const int n = plugin->nattribute;
  double* const attribute = calloc((size_t)n + 1, sizeof(double));
  const char** const text = calloc(2 * (size_t)n + 1, sizeof(char*));
  if (!attribute || !text) {
    free(attribute);
    free(text);
    ast_fail(s, "out of memory");
    return NULL;
  }

  // in the order of the plugin, "" where the user sets nothing
  for (int i = 0; i < n; i++) {
    text[i] = plugin->attributes[i];
    text[n + i] = "";
    for (int k = 0; k < u->nattribute; k++) {
      if (!strcmp(u->attribute[k], text[i])) text[n + i] = u->value[k];
    }
  }
  if (plugin->sdf_attribute) plugin->sdf_attribute(attribute, text, text + n);
  free(text);
  return attribute;
}

// grid points along each axis: cells in proportion to the box
static int gridSizes(AstSurface* s, const double aabb[6], int n[3]) {
  const double total = aabb[3] + aabb[4] + aabb[5];
  for (int k = 0; k < 3; k++) {
    if (!(aabb[3 + k] > 0) || !isfinite(total)) {
      return ast_fail(s, "box of SDF plugin '%s' is not positive", s->source->plugin->name);
    }
  }
  for (int k = 0; k < 3; k++) n[k] = (int)floor(CELLS / total * aabb[3 + k]) + 1;
  return 1;
}

static void sample(const mjpPlugin* plugin, const double* attribute, const double aabb[6], const int n[3],
                   float* value) {
  for (int z = 0; z < n[2]; z++) {
    for (int y = 0; y < n[1]; y++) {
      for (int x = 0; x < n[0]; x++) {
        const int at[3] = {x, y, z};
        double point[3];
        for (int k = 0; k < 3; k++) point[k] = aabb[k] - aabb[3 + k] + 2 * aabb[3 + k] * at[k] / (n[k] - 1);
        *value++ = (float)plugin->sdf_staticdistance(point, attribute);
      }
    }
  }
}

// from grid to box; the surface takes the arrays over
static int takeSurface(AstSurface* s, AstIsosurface* iso, const double aabb[6], const int n[3]) {
  for (int i = 0; i < 3 * iso->nvert; i++) {
    const int k = i % 3;
    iso->vert[i] = (float)(2 * aabb[3 + k] * iso->vert[i] / (n[k] - 1) + aabb[k] - aabb[3 + k]);
  }
  s->face = (AstInts){iso->face, 3 * iso->nface};
  s->normal = (AstFloats){iso->normal, 3 * iso->nvert};
  iso->face = NULL;
  iso->normal = NULL;
  return ast_setVertices(s, iso->vert, 3 * iso->nvert, 0);
}

int ast_readField(AstSurface* s) {
  const AstMeshSource* const u = s->source;
  const mjpPlugin* const plugin = u->plugin;
  if (u->scale[0] != 1 || u->scale[1] != 1 || u->scale[2] != 1) {
    return ast_fail(s, "attribute scale is not compatible with SDFs in mesh '%s', (id = %d)", u->name, u->id);
  }
  if (!plugin->sdf_aabb || !plugin->sdf_staticdistance) {
    return ast_fail(s, "plugin '%s' does not define its distance field", plugin->name);
  }
  s->isfield = 1;
  double* const attribute = readAttributes(s);
  if (!attribute) return 0;
  double aabb[6] = {0};
  plugin->sdf_aabb(aabb, attribute);
  int n[3] = {0}, good = gridSizes(s, aabb, n);
  float* const value = good ? ast_alloc(s, n[0] * n[1] * n[2], sizeof(float)) : NULL;
  good = value != NULL;
  AstIsosurface iso = {0};
  if (good) {
    sample(plugin, attribute, aabb, n, value);
    good = ast_makeIsosurface(&iso, &(AstGrid){
                                        .n = {n[0], n[1], n[2]},
                                          .value = value
    });
    good = good ? takeSurface(s, &iso, aabb, n) : ast_fail(s, "out of memory");
  }
  ast_freeIsosurface(&iso);
  free(value);
  free(attribute);
  return good;
}
