// Reading files of numbers: the file itself, and CSV.
#include "support/numbers.h"

#include <errno.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/cli.h"
#include "support/options.h"

char* cli_readFile(const char* path, size_t* size) {
  FILE* const file = fopen(path, "rb");
  struct stat info;
  if (!file || fstat(fileno(file), &info) || S_ISDIR(info.st_mode)) {
    cli_fail(CLI_INPUT, "cannot read '%s': %s", path, file && !errno ? strerror(EISDIR) : strerror(errno));
    if (file) fclose(file);
    return NULL;
  }

  // in pieces: a pipe does not know its length
  char* text = NULL;
  size_t room = 0;
  *size = 0;
  do {
    room = room ? 2 * room : 65536;
    text = cli_resize(text, room, 1);
    *size += fread(text + *size, 1, room - *size - 1, file);
  } while (*size == room - 1);
  text[*size] = 0;
  const int bad = ferror(file);
  const int reason = errno;
  fclose(file);
  if (!bad) return text;
  cli_fail(CLI_INPUT, "cannot read '%s': %s", path, strerror(reason));
  free(text);
  return NULL;
}

int cli_isNumbersPath(const char* path) {
  return cli_hasSuffix(path, ".csv") || cli_hasSuffix(path, ".npy");
}

int cli_readNumbers(const char* path, CliNumbers* numbers) {
  *numbers = (CliNumbers){0};
  size_t size = 0;
  char* const text = cli_readFile(path, &size);
  if (!text) return CLI_INPUT;
  const int isNpy = size >= 6 && memcmp(text, "\x93NUMPY", 6) == 0;
  const int status = isNpy ? cli_readNpy(path, text, size, numbers) : cli_readCsv(path, text, numbers);
  free(text);
  if (status != CLI_OK) cli_freeNumbers(numbers);
  return status;
}

void cli_freeNumbers(CliNumbers* numbers) {
  cli_freeFields(&numbers->fields);
  free(numbers->at);
  *numbers = (CliNumbers){0};
}

// -------------------------------------------------------------------------------------------- CSV

// ends the cell at *rest, unquotes it in place and moves *rest to the next one, NULL after the last of the line
static char* nextCell(char** rest) {
  char* in = *rest;
  while (*in == ' ' || *in == '\t') in++;
  char* const cell = in;
  char* out = in;
  int quoted = 0;
  for (; *in && (quoted || *in != ','); in++) {
    if (*in != '"') {
      *out++ = *in;
    } else if (quoted && in[1] == '"') {
      *out++ = *in++;
    } else {
      quoted = !quoted;
    }
  }
  *rest = *in ? in + 1 : NULL;
  while (out > cell && strchr(" \t\r", out[-1])) out--;
  *out = 0;
  return cell;
}

// columns "qpos.a", "qpos.b" beside each other are one field "qpos"
static void readNames(char* line, CliFields* fields) {
  char* names[2] = {NULL, NULL};
  CliList labels = {NULL, 0};
  for (char* rest = line; rest || names[0];) {
    char* const cell = rest ? nextCell(&rest) : NULL;
    char* const dot = cell ? strchr(cell, '.') : NULL;
    if (dot) *dot = 0;
    names[1] = cell;
    const int same = cell && dot && names[0] && labels.n && strcmp(names[0], names[1]) == 0;
    if (!same && names[0]) {
      CliField* const field = cli_addField(fields, names[0], labels.n ? labels.n : 1);
      for (int i = 0; i < labels.n; i++) cli_setLabel(field, i, "%s", labels.at[i]);
      labels.n = 0;
    }
    if (dot) cli_append(&labels, dot + 1);
    names[0] = names[1];
  }
  free(labels.at);
}

static int countCells(const char* line) {
  int n = 1;
  for (; *line; line++) n += *line == ',';
  return n;
}

// numbers of one line, -1 at a cell that is none
static int readCells(char* line, double* row, int width) {
  int n = 0;
  for (char* rest = line; rest; n++) {
    const char* const cell = nextCell(&rest);
    const char* end;
    const double value = sn_readNumber(cell, &end);
    if (end == cell || *end) return -1;
    if (n < width) row[n] = value;
  }
  return n;
}

int cli_readCsv(const char* path, char* text, CliNumbers* numbers) {
  int room = 0;
  int nline = 0;
  for (char* line = text; line;) {
    char* const end = strchr(line, '\n');
    if (end) *end = 0;
    char* const next = end ? end + 1 : NULL;
    nline++;
    if (line[strspn(line, " \t\r")] == 0) {
      line = next;
      continue;
    }

    // the first line may hold names; without them the file is one field
    if (!numbers->fields.width) {
      double first = 0;
      const size_t length = strcspn(line, ", \t\r");
      char cell[64];
      snprintf(cell, sizeof(cell), "%.*s", (int)(length < 63 ? length : 63), line);
      numbers->named = !cli_number(cell, &first);
      if (numbers->named) {
        readNames(line, &numbers->fields);
        line = next;
        continue;
      }
      cli_addField(&numbers->fields, "data", countCells(line));
    }
    const int width = numbers->fields.width;
    if (numbers->nrow == room) {
      room = room ? 2 * room : 256;
      numbers->at = cli_resize(numbers->at, (size_t)room * (size_t)width, sizeof(double));
    }
    const int n = readCells(line, numbers->at + (size_t)numbers->nrow * (size_t)width, width);
    if (n < 0) return cli_fail(CLI_INPUT, "%s:%d: a cell is not a number", path, nline);
    if (n != width) return cli_fail(CLI_INPUT, "%s:%d: %d columns where %d are expected", path, nline, n, width);
    numbers->nrow++;
    line = next;
  }
  return numbers->nrow ? CLI_OK : cli_fail(CLI_INPUT, "'%s' holds no numbers", path);
}
