// Text that is nearly XML, made well-formed. Models are written by hand and were read by lenient parsers for years.
#pragma once

#include "base/grow.h"

// A copy of the text in which line breaks are where they were and
// - comments have no "--" inside,
// - attributes are separated by spaces,
// - "<" and "&" that are no markup are escaped in values; a lone "&" elsewhere, where nobody reads it, is blank,
// - control characters are blank, and so are the declaration, which must otherwise be the very first thing, and
//   anything else between "<!" and ">", such as a comment with a dash too few.
// Free its text with mju_free.
BasText xml_repair(const char* text, size_t size);
