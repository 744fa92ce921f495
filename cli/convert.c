// `sinew convert`: a model from one form to another.
#include <errno.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "commands.h"
#include "support/cli.h"
#include "support/json.h"
#include "support/model.h"
#include "support/plain.h"

typedef struct {
  const char* to;
  int json;
} Options;

static const char* const forms[] = {"xml", "mjb", "txt", NULL};
enum { XML, MJB, TXT };

// the form that a word or the end of a file name stands for, -1: none
static int formOf(const char* text) {
  const char* const dot = strrchr(text, '.');
  for (int i = 0; forms[i]; i++) {
    if (strcasecmp(dot ? dot + 1 : text, forms[i]) == 0) return i;
  }
  return -1;
}

// the text of a compiled spec; NULL: error says why
static char* xmlText(const mjSpec* spec, char* error, int nerror) {
  // grows until the text fits; the function returns the length that is needed
  int size = 1 << 16;
  char* text = NULL;
  for (int status = 1; status > 0;) {
    text = cli_resize(text, (size_t)size, 1);
    status = mj_saveXMLString(spec, text, size, error, nerror);
    if (status == 0) return text;
    size = status + 1;
  }
  free(text);
  return NULL;
}

static int writeXml(const CliModel* model, const char* path) {
  char error[CLI_ERROR_SIZE] = "";
  mjSpec* made = NULL;
  if (!model->spec) {
    made = sn_decompile(model->m, error, sizeof(error));
    if (!made) return cli_fail(CLI_FAILED, "cannot make XML of this binary model: %s", error);
  }
  char* const text = xmlText(made ? made : model->spec, error, sizeof(error));
  const int code =
      text ? cli_writeFile(path, text, strlen(text)) : cli_fail(CLI_FAILED, "cannot make XML of this model: %s", error);
  free(text);
  mj_deleteSpec(made);
  return code;
}

static int writeMjb(const CliModel* model, const char* path) {
  const mjtSize size = mj_sizeModel(model->m);
  if (size > INT32_MAX) return cli_fail(CLI_FAILED, "the model is too large for a binary file");
  void* const bytes = cli_zeroed((size_t)size, 1);
  mj_saveModel(model->m, NULL, bytes, (int)size);
  const int code = cli_writeFile(path, bytes, (size_t)size);
  free(bytes);
  return code;
}

static int writeTxt(const CliModel* model, const char* path) {
  // the library writes to a name, so its text passes through a file of ours and errors are met here
  char name[] = "/tmp/sinew-XXXXXX";
  const int file = mkstemp(name);
  FILE* const in = file >= 0 ? fdopen(file, "rb") : NULL;
  if (!in) return cli_fail(CLI_OUTPUT, "cannot make a temporary file: %s", strerror(errno));
  mj_printModel(model->m, name);
  char* text = NULL;
  size_t room = 0;
  const ssize_t size = getdelim(&text, &room, 0, in);
  if (size > 0) cli_plain(text, 1);
  const int code =
      size > 0 ? cli_writeFile(path, text, (size_t)size) : cli_fail(CLI_OUTPUT, "the text could not be made");
  free(text);
  fclose(in);
  remove(name);
  return code;
}

static int convert(const CliModel* model, const char* path, int form) {
  switch (form) {
    case XML:
      return writeXml(model, path);
    case MJB:
      return writeMjb(model, path);
    default:
      return writeTxt(model, path);
  }
}

static int convertMain(int argc, char** argv) {
  Options o = {0};
  CliList words = {NULL, 0};
  int code = cli_parse(&cmd_convert, argc, argv, &o, &words);
  if (code != CLI_PROCEED) return code;
  CliModel model = {0};
  const char* const out = words.n == 2 ? words.at[1] : "";
  const int form = o.to ? formOf(o.to) : formOf(out);
  if (words.n != 2) {
    code = cli_fail(CLI_USAGE, "give the model to read and the file to write: sinew convert IN OUT");
  } else if (o.to && form < 0) {
    code = cli_unknown("form", o.to, forms);
  } else if (form < 0) {
    code = cli_fail(CLI_USAGE, "'%s' does not end in .xml, .mjb or .txt; say what it should be with --to", out);
  } else if (o.json && strcmp(out, "-") == 0) {
    code = cli_fail(CLI_USAGE, "--json and a file named '-' both want standard output");
  } else if (formOf(words.at[0]) == TXT) {
    code = cli_fail(CLI_INPUT, "'%s': text is for people, it cannot be read back", words.at[0]);
  } else {
    code = cli_loadModel(words.at[0], &model);
  }
  if (code == CLI_OK) code = convert(&model, out, form);
  if (code == CLI_OK && o.json) {
    CliJson json = {.file = stdout};
    cli_jsonOpen(&json, NULL, '{');
    // NOLINTBEGIN(clang-analyzer-core.CallAndMessage): two words and a form were given, or the code would not be CLI_OK
    cli_jsonText(&json, "in", words.at[0]);
    cli_jsonText(&json, "out", out);
    cli_jsonText(&json, "form", forms[form]);
    // NOLINTEND(clang-analyzer-core.CallAndMessage)
    if (*model.warning) cli_jsonText(&json, "warning", model.warning);
    cli_jsonClose(&json, '}');
  }
  cli_freeModel(&model);
  cli_freeOptions(&cmd_convert, &o, &words);
  return code;
}

#define AT(member) offsetof(Options, member)
static const CliOption options[] = {
    {"to",   0, CLI_TEXT,   AT(to),   "FORM", "xml, mjb or txt, where the name of OUT does not tell"},
    {"json", 0, CLI_SWITCH, AT(json), NULL,   "print what was done as JSON"                         },
};
#undef AT

const CliCommand cmd_convert = {
    .name = "convert",
    .arguments = "IN OUT [OPTIONS]",
    .summary = "turn a model into XML, MJB (binary) or TXT (all its numbers, to read)",
    .description =
        "Reads a model (MJCF, URDF or MJB) and writes it in the form that the name of OUT tells. '-' is\n"
        "standard output. XML to XML gives one file without includes and defaults resolved as they were saved;\n"
        "a binary model has lost its defaults, frames and files: it becomes XML with every value written out.",
    .examples =
        "sinew convert scene.xml scene.mjb          # loads faster, needs no assets\n"
        "sinew convert scene.mjb scene.txt          # every array, readable\n"
        "sinew convert scene.xml - --to xml | less  # includes resolved",
    .options = options,
    .noption = sizeof(options) / sizeof(options[0]),
    .main = convertMain,
};
