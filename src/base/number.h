// Numbers as text: the one reader and writer of models, assets and user interfaces. A decimal point is a point in every
// locale.
#pragma once

#include <mujoco/mujoco.h>
#include <stddef.h>

// the number that a text begins with, after white space; *end is what follows it, text where there is none; errno is
// ERANGE where the type cannot hold it
double bas_readDouble(const char* text, const char** end);
float bas_readFloat(const char* text, const char** end);

// Reads white-space separated numbers into out, at most most of them. Returns how many there are in the text (which may
// exceed most), or what is wrong with a word, to which *bad then points.
enum {
  BAS_NO_NUMBER = -1,  // it is not a number
  BAS_RANGE = -2,      // it is beyond the range of the type, or too close to zero for all of its digits
};
int bas_readDoubles(const char* text, double* out, int most, const char** bad);
int bas_readFloats(const char* text, float* out, int most, const char** bad);

// -1: a word is not a whole number, or beyond the range of int
int bas_readInts(const char* text, int* out, int most, const char** bad);

// the numbers that a text begins with, at most most of them; what comes after them does not matter
int bas_readLeading(const char* text, double* out, int most);

// characters that a written number may take, with the 0 at its end
enum { BAS_NUMBER = 32 };

// The decimal text of a number with as many digits as the thread wants; returns its length.
int bas_writeDouble(double value, char text[BAS_NUMBER]);
int bas_writeFloat(float value, char text[BAS_NUMBER]);

// the text of a number with so many significant digits, at most 17
int bas_writeShort(double value, int digits, char text[BAS_NUMBER]);

// Significant digits of the numbers that this thread writes, under the names by which the reference's tests reach them;
// see sn_saveDigits.
MJAPI int _mjPRIVATE__get_xml_precision(void);
MJAPI void _mjPRIVATE__set_xml_precision(int digits);
