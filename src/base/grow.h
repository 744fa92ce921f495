// A text that grows at its end.
#pragma once

#include <stddef.h>

// all zero is the empty text; free text with mju_free
typedef struct {
  char* text;  // terminated; NULL while nothing was added
  size_t used, room;
} BasText;

// adds length bytes
void bas_textAdd(BasText* t, const char* text, size_t length);
