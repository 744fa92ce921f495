// Whole files in memory.
#pragma once

#include <stddef.h>

// Read a regular file of at most 2 GiB - 1 bytes. Returns a new buffer to free() (never NULL for an empty file) and
// its size, or NULL with the reason, file name included, in error. Raises nothing.
void* bas_readFile(const char* path, int* size, char* error, size_t nerror);
