// "Did you mean ...?" for misspelt words.
#pragma once

// The word of a list that ends with NULL that is nearest to a misspelt one, NULL when none is near.
const char* cli_nearest(const char* word, const char* const* list);

// Insertions, deletions, replacements and swaps of neighbours that turn a into b, letters of both cases being equal.
int cli_distance(const char* a, const char* b);
