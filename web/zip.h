// Files of a zip archive (PKWARE's APPNOTE, without encryption and without ZIP64).
#pragma once

#include <stddef.h>

// Writes all files below a folder, which is made. How many there were; -1: the archive is damaged or a name leads out
// of the folder.
int zip_extract(const unsigned char* bytes, size_t size, const char* folder);
