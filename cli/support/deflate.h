// Compression of bytes to a zlib stream (RFC 1950 and 1951).
#pragma once

#include <stddef.h>

// The compressed bytes, freed by the caller; at most 2^31 - 1 go in.
unsigned char* cli_deflate(const unsigned char* bytes, size_t nbyte, size_t* size);
