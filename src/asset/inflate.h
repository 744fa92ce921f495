// Decompression of zlib streams (RFC 1950 and 1951), into memory of a known size.
#pragma once

#include <stddef.h>
#include <stdint.h>

// NULL: the stream is sound and has exactly nout bytes; else what is wrong with it
const char* ast_inflate(unsigned char* out, size_t nout, const unsigned char* in, size_t nin);
