// The name nearest to a word that is none, for messages.
#pragma once

#include <stddef.h>

typedef struct {
  const char* word;
  const char* best;
  int least;  // distance of the best so far; start with 99
} BasNearest;

// keeps the candidate when it is nearer than the best so far
void bas_consider(BasNearest* nearest, const char* candidate);

// ", did you mean 'x'?" when a candidate is close enough to be a slip, "" otherwise; returns text
const char* bas_suggestion(const BasNearest* nearest, char* text, size_t size);
