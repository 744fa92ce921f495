// A text that grows at its end.
#pragma once

#include <stddef.h>

// all zero is the empty text; free text with mju_free
typedef struct {
  char* text;  // terminated; NULL while nothing was added, and when there was no memory
  size_t used, room;
  int failed;  // 1: there was no memory, the text is gone and nothing is added any more
} BasText;

// adds length bytes; raises nothing
void bas_textAdd(BasText* t, const char* text, size_t length);
