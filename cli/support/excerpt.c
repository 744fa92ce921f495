// Source excerpts. The loader names file and line; the column comes from the words in quotes of its message: the
// attribute that is wrong, else the element.
#include "support/excerpt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/plain.h"

// -------------------------------------------------------------------------------------------- places

// the number after the last occurrence of a word, 0 without one
static int numberAfter(const char* text, const char* word) {
  int value = 0;
  for (const char* at = strstr(text, word); at; at = strstr(at + 1, word)) {
    const int n = atoi(at + strlen(word));
    if (n > 0) value = n;
  }
  return value;
}

// the name after "file", with or without quotes, up to a comma or the end of the line
static void fileOf(const char* message, const char* word, char* file, size_t size) {
  const char* const at = strstr(message, word);
  if (!at) return;
  const char* start = at + strlen(word);
  const int quoted = *start == '\'';
  start += quoted;
  const size_t length = strcspn(start, quoted ? "'" : "\n");
  if (length > 0 && length < size) snprintf(file, size, "%.*s", (int)length, start);
}

CliPlace cli_placeOf(const char* path, const char* message) {
  CliPlace place = {.line = numberAfter(message, "line "), .column = numberAfter(message, "column ")};
  if (path) snprintf(place.file, sizeof(place.file), "%s", path);
  fileOf(message, ", file ", place.file, sizeof(place.file));
  fileOf(message, "\nfile ", place.file, sizeof(place.file));
  fileOf(message, "error in ", place.file, sizeof(place.file));
  return place;
}

// -------------------------------------------------------------------------------------------- lines

// the text of a file, *start at a line of it; NULL when there is no such line
static char* textFrom(const char* path, int line, char** start) {
  FILE* const file = fopen(path, "rb");
  if (!file) return NULL;
  char* text = NULL;
  size_t size = 0;
  if (getdelim(&text, &size, 0, file) < 0) {
    free(text);
    text = NULL;
  }
  fclose(file);
  char* at = text;
  for (int i = 1; at && i < line; i++) {
    at = strchr(at, '\n');
    if (at) at++;
  }
  if (!at) {
    free(text);
    return NULL;
  }
  *start = at;
  return text;
}

static int isWordChar(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == ':' || c == '-';
}

// a whole word between start and end, NULL when it is not there; asAttribute: an equals sign must follow
static const char* findWord(const char* start, const char* end, const char* word, int asAttribute) {
  const size_t n = strlen(word);
  for (const char* at = start; at && at + n <= end; at++) {
    at = strstr(at, word);
    if (!at || at + n > end) return NULL;
    const int whole = (at == start || !isWordChar(at[-1])) && !isWordChar(at[n]);
    const char* after = at + n;
    while (*after == ' ') after++;
    if (whole && (!asAttribute || *after == '=')) return at;
  }
  return NULL;
}

// copies the next word in quotes of a message, a path without its folders; NULL after the last
static const char* nextQuoted(const char* message, char* word, size_t size) {
  const char* const quote = strchr(message, '\'');
  const char* const close = quote ? strchr(quote + 1, '\'') : NULL;
  if (!close) return NULL;
  snprintf(word, size, "%.*s", (int)(close - quote - 1), quote + 1);
  const char* const slash = strrchr(word, '/');
  if (slash && slash[1]) memmove(word, slash + 1, strlen(slash));
  return quote + 1;
}

// what of the element that begins on this line the message speaks of: first as attribute, then as any word
static const char* findCulprit(const char* line, const char* message, size_t* length) {
  // up to the end of the line, of the element where that is later
  const char* const open = strchr(line, '<');
  const char* const close = open ? strchrnul(open, '>') : line;
  const char* const newline = strchrnul(line, '\n');
  const char* const end = close > newline ? close : newline;
  for (int asAttribute = 1; open && asAttribute >= 0; asAttribute--) {
    char word[128];
    for (const char* rest = nextQuoted(message, word, sizeof(word)); rest;
         rest = nextQuoted(rest, word, sizeof(word))) {
      const char* const found = *word ? findWord(open, end, word, asAttribute) : NULL;
      if (!found) continue;
      *length = strlen(word);
      return found;
    }
  }
  return NULL;
}

// one numbered line, and carets below a part of it
static void printLine(FILE* out, int number, const char* line, const char* mark, size_t length) {
  const CliStyle* const style = cli_style(out);
  const int width = (int)strcspn(line, "\r\n");
  fprintf(out, "%s%6d |%s ", style->dim, number, style->reset);
  cli_putPlain(out, "%.*s\n", width, line);
  if (!mark) return;

  // tabs stay tabs, so that the caret stands below what it marks
  fprintf(out, "%s       |%s ", style->dim, style->reset);
  for (const char* c = line; c < mark; c++) fputc(*c == '\t' ? '\t' : ' ', out);
  fputs(style->red, out);
  for (size_t i = 0; i < (length ? length : 1) && mark + i <= line + width; i++) fputc('^', out);
  fprintf(out, "%s\n", style->reset);
}

void cli_printExcerpt(FILE* out, const CliPlace* place, const char* message) {
  char* line = NULL;
  char* const text = place->line > 0 ? textFrom(place->file, place->line, &line) : NULL;
  if (!text) return;

  const size_t width = strcspn(line, "\r\n");
  size_t length = 1;
  const char* mark = NULL;
  if (place->column > 0) {
    mark = line + ((size_t)place->column - 1 < width ? (size_t)place->column - 1 : width);
  } else {
    mark = findCulprit(line, message, &length);
  }
  if (!mark) {
    mark = line + strspn(line, " \t");
    length = strcspn(mark, "> \r\n");
  }

  // an element may go on for several lines: up to the one with the mark
  int number = place->line;
  for (int i = 0; i < 8; i++, number++) {
    const size_t n = strcspn(line, "\n");
    const int here = mark <= line + n;
    printLine(out, number, line, here ? mark : NULL, length);
    if (here || !line[n]) break;
    line += n + 1;
  }
  free(text);
}

void cli_printError(FILE* out, const char* path, const char* message) {
  const CliStyle* const style = cli_style(out);
  const CliPlace place = cli_placeOf(path, message);

  // the first line says what, the following ones where; "Error:" we say ourselves
  static const char* const prefix[] = {"XML Error: ", "Error: ", "Error: "};
  for (size_t i = 0; i < sizeof(prefix) / sizeof(prefix[0]); i++) {
    if (strncmp(message, prefix[i], strlen(prefix[i])) == 0) message += strlen(prefix[i]);
  }
  const int first = (int)strcspn(message, "\n");
  if (place.line > 0) {
    fputs(style->bold, out);
    cli_putPlain(out, "%s:%d:", place.file, place.line);
    fprintf(out, "%s ", style->reset);
  } else {
    fputs("sinew: ", out);
  }
  fprintf(out, "%serror:%s ", style->red, style->reset);
  cli_putPlain(out, "%.*s\n", first, message);
  for (const char* rest = message + first; *rest;) {
    rest += *rest == '\n';
    const int n = (int)strcspn(rest, "\n");
    if (n) cli_putPlain(out, "  %.*s\n", n, rest);
    rest += n;
  }
  cli_printExcerpt(out, &place, message);
}

// -------------------------------------------------------------------------------------------- elements

// the value of an attribute of the element that begins at open, "" without it
static void attributeOf(const char* open, const char* name, char* value, size_t size) {
  char pattern[32];
  snprintf(pattern, sizeof(pattern), " %s=\"", name);
  const char* const at = strstr(open, pattern);
  value[0] = 0;
  if (!at || at > strchrnul(open, '>')) return;
  const char* const start = at + strlen(pattern);
  snprintf(value, size, "%.*s", (int)strcspn(start, "\""), start);
}

// the name of an element; an asset without one is called like its file
static void nameOf(const char* open, char* name, size_t size) {
  char file[256];
  attributeOf(open, "name", name, size);
  if (*name) return;
  attributeOf(open, "file", file, sizeof(file));
  const char* const slash = strrchr(file, '/');
  const char* const stem = slash ? slash + 1 : file;
  snprintf(name, size, "%.*s", (int)strcspn(stem, "."), stem);
}

// the next element of a kind
static const char* nextElement(const char* text, const char* kind) {
  const size_t n = strlen(kind);
  for (const char* at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
    if (strncmp(at + 1, kind, n) == 0 && !isWordChar(at[n + 1])) return at;
  }
  return NULL;
}

static int findIn(const char* path, const char* kind, const char* name, int depth, CliPlace* place) {
  char* text = NULL;
  char* const all = textFrom(path, 1, &text);
  if (!all) return 0;
  int found = 0;
  char value[256];
  for (const char* at = nextElement(text, kind); at && !found; at = nextElement(at + 1, kind)) {
    nameOf(at, value, sizeof(value));
    if (strcmp(value, name) != 0) continue;
    found = 1;
    *place = (CliPlace){.line = 1};
    snprintf(place->file, sizeof(place->file), "%s", path);
    for (const char* c = text; c < at; c++) place->line += *c == '\n';
  }

  // files that it includes, beside it
  for (const char* at = nextElement(text, "include"); at && !found && depth; at = nextElement(at + 1, "include")) {
    char file[512];
    attributeOf(at, "file", value, sizeof(value));
    const char* const slash = strrchr(path, '/');
    snprintf(file, sizeof(file), "%.*s%s", value[0] == '/' || !slash ? 0 : (int)(slash - path + 1), path, value);
    found = findIn(file, kind, name, depth - 1, place);
  }
  free(all);
  return found;
}

int cli_findElement(const char* path, const char* kind, const char* name, CliPlace* place) {
  enum { DEPTH = 4 };  // of includes, which also ends those that go in circles
  return findIn(path, kind, name, DEPTH, place);
}
