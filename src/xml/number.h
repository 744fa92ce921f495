// Numbers in XML attributes: locale-free and exact.
#pragma once

#include <stddef.h>

// Reads white-space separated numbers into out, at most most of them. Returns how many there are in the text (which may
// exceed most), or -1 when a word is not a number; *bad then points to that word.
int xml_readDoubles(const char* text, double* out, int most, const char** bad);
int xml_readInts(const char* text, int* out, int most, const char** bad);

// The decimal text of the fewest digits, six or more, that reads back as the same number, in any locale; returns its
// length. text holds 32 bytes.
int xml_writeDouble(double value, char* text);
int xml_writeFloat(float value, char* text);
