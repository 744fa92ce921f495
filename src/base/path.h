// File paths as the loader understands them: '/' and '\' separate; a path is absolute when it starts with a
// separator, with the prefix of a registered resource provider ("prefix:") or has ":/" or ":\" in it.
// Functions that return char* return a new string to free(); they raise an error and return NULL without memory.
#pragma once

#include <stddef.h>

// number of leading characters that make a path absolute, 0: it is relative
size_t bas_pathRoot(const char* path);

// name behind the directory; the directory may be NULL or empty, an absolute name stands for itself. "." and ".." are
// resolved as far as they go, separators become '/'. free() it; NULL: no memory.
char* bas_pathJoin(const char* dir, const char* name);

// characters of the directory part, last separator included; without one, those of a resource provider's prefix
size_t bas_pathDirLength(const char* path);

// the part behind the last separator, inside path
const char* bas_pathFile(const char* path);

// the extension with its dot, inside path; "" without a dot
const char* bas_pathExtension(const char* path);

// the part behind the last separator in lower case; free() it; NULL: no memory
char* bas_pathLowerFile(const char* path);
