// Meshes that have been compiled before in this process, found by file, time stamp and everything else that matters.
#pragma once

#include <mujoco/mujoco.h>

#include "asset/asset.h"

// 1: the cache has this mesh; mesh is a copy of it. Meshes with user data or plugins are never cached.
int ast_cacheFind(const AstMeshSource* source, const mjResource* resource, AstMesh* mesh);
// keeps a copy; what has not been used for longest makes room
void ast_cacheKeep(const AstMeshSource* source, const mjResource* resource, const AstMesh* mesh);
