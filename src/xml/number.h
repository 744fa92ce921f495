// Numbers in XML attributes, in any locale.
#pragma once

#include <mujoco/mujoco.h>
#include <stddef.h>

// Reads white-space separated numbers into out, at most most of them. Returns how many there are in the text (which may
// exceed most), or -1 when a word is not a number; *bad then points to that word.
int xml_readDoubles(const char* text, double* out, int most, const char** bad);
int xml_readInts(const char* text, int* out, int most, const char** bad);

// The decimal text of a number with as many digits as the thread wants; returns its length. text holds 32 bytes.
int xml_writeDouble(double value, char* text);
int xml_writeFloat(float value, char* text);

// Significant digits of the numbers that this thread writes, under the names by which the reference's tests reach them;
// see sn_saveDigits.
MJAPI int _mjPRIVATE__get_xml_precision(void);
MJAPI void _mjPRIVATE__set_xml_precision(int digits);
