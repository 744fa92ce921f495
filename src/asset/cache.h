// Meshes that have been compiled before in this process, found by file, time stamp and everything else that matters.
#pragma once

#include <mujoco/mujoco.h>

#include "asset/asset.h"
#include "base/hash.h"

// 1: the cache has this mesh; mesh is a copy of it. Meshes with user data or plugins are never cached.
int ast_cacheFind(const AstMeshSource* source, const mjResource* resource, AstMesh* mesh);
// keeps a copy; what has not been used for longest makes room
void ast_cacheKeep(const AstMeshSource* source, const mjResource* resource, const AstMesh* mesh);

// Bytes under a hash, in the same list and within the same capacity. Found: a copy of them, to be freed; NULL: none.
void* ast_cacheFindBytes(BasHash hash, size_t* size);
void ast_cacheKeepBytes(BasHash hash, const void* bytes, size_t size);
