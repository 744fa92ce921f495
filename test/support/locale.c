// Locales come from a package that few machines have; localedef comes with the C library. It is given a locale of one
// category and a character map of ASCII, and complains about all that is missing, but makes it.
#include "support/locale.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static const char LOCALE[] =
    "LC_NUMERIC\n"
    "decimal_point \",\"\n"
    "thousands_sep \"\"\n"
    "grouping -1\n"
    "END LC_NUMERIC\n";
static const char CHARACTERS[] =
    "<code_set_name> ANSI_X3.4-1968\n"
    "<comment_char> %\n"
    "<escape_char> /\n"
    "CHARMAP\n"
    "<U0000>..<U007F> /x00 all\n"
    "END CHARMAP\n";

static int writeText(const char* folder, const char* name, const char* text) {
  char path[64];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE* const file = fopen(path, "w");
  if (!file) return 0;
  const int good = fputs(text, file) >= 0;
  return fclose(file) == 0 && good;
}

// makes the locale `comma` in a folder of its own and sets it; the folder goes again, since a locale that is set stays
static void makeLocale(void) {
  char folder[] = "/tmp/sinew-locale-XXXXXX";
  if (!mkdtemp(folder)) return;
  char command[256];
  snprintf(command, sizeof(command),
           "cd %s && localedef --force --quiet --no-warnings=all -i ./comma.src -f ./ascii.map ./comma >/dev/null 2>&1",
           folder);
  if (writeText(folder, "comma.src", LOCALE) && writeText(folder, "ascii.map", CHARACTERS)) {
    // its status is that of the complaints: whether the locale can be set is what counts
    const int status = system(command);
    (void)status;
    setenv("LOCPATH", folder, 1);
    setlocale(LC_NUMERIC, "comma");
    unsetenv("LOCPATH");
  }
  snprintf(command, sizeof(command), "rm -rf %s", folder);
  if (system(command) != 0) fprintf(stderr, "%s could not be removed\n", folder);
}

int sup_commaLocale(void) {
  if (!setlocale(LC_NUMERIC, "comma")) makeLocale();
  char text[8];
  snprintf(text, sizeof(text), "%.1f", 0.5);
  if (text[1] == ',') return 1;
  fprintf(stderr, "SKIPPED: localedef cannot make a locale with decimal commas here\n");
  return 0;
}

void sup_plainLocale(void) {
  setlocale(LC_NUMERIC, "C");
}
