// Signed distance of points to a closed mesh, negative inside.
#pragma once

#include "asset/bvh.h"
#include "asset/mesh.h"

typedef struct AstDistance AstDistance;

// refers to the surface and to the tree of its faces; NULL: no memory
AstDistance* ast_makeDistance(AstSurface* surface, const AstBvh* bvh);
double ast_signedDistance(const AstDistance* field, const double point[3]);
void ast_freeDistance(AstDistance* field);
