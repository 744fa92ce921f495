// What the resource functions need from the virtual file system. A mjVFS holds mounts (path → provider) and the
// resources opened through it.
#pragma once

#include <mujoco/mujoco.h>

// Open dir/name with the provider mounted nearest to it, else with the registered provider of its prefix, else with
// a mount of the same file name, else from the disk. NULL, with the reason in error (which may be NULL): not found.
// A vfs of NULL stands for an empty one. Close with bas_vfsClose.
mjResource* bas_vfsOpen(mjVFS* vfs, const char* dir, const char* name, char* error, size_t nerror);

// close a resource that bas_vfsOpen returned
void bas_vfsClose(mjResource* resource);
