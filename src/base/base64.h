// Bytes as printable text (RFC 4648, with padding), for time stamps of resources. Written here: no library
// that is needed anyway has it.
#pragma once

#include <stddef.h>
#include <stdint.h>

// characters that n bytes take, terminator included
#define BAS_BASE64(n) (4 * (((n) + 2) / 3) + 1)

// write n bytes as text into BAS_BASE64(n) characters
void bas_encodeBase64(char* text, const uint8_t* bytes, size_t n);

// bytes that a text stands for, at most n of which are written; -1: it is not base64
int bas_decodeBase64(uint8_t* bytes, size_t n, const char* text);
