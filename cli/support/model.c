// Loading models, and the words for their settings.
#include "support/model.h"

#include <errno.h>
#include <sinew/physics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "support/cli.h"
#include "support/excerpt.h"
#include "support/plain.h"

// -------------------------------------------------------------------------------------------- loading

// NULL when the file can be read, else why not
static const char* unreadable(const char* path) {
  struct stat info;
  FILE* const file = fopen(path, "rb");
  if (!file) return strerror(errno);
  const int folder = !fstat(fileno(file), &info) && S_ISDIR(info.st_mode);
  fclose(file);
  return folder ? strerror(EISDIR) : NULL;
}

static int isBinary(const char* path) {
  // first word of every MJB file
  const int id = 54321;
  int word = 0;
  FILE* const file = fopen(path, "rb");
  const int whole = file && fread(&word, sizeof(word), 1, file) == 1;
  if (file) fclose(file);
  return whole && word == id;
}

static void compile(CliModel* model, const mjVFS* vfs) {
  if (!model->spec) return;
  model->m = mj_compile(model->spec, vfs);
  char* const text = model->m ? model->warning : model->error;
  snprintf(text, CLI_ERROR_SIZE, "%s", mjs_getError(model->spec));

  // what the reader warned of
  if (model->m && !*model->warning) snprintf(model->warning, CLI_ERROR_SIZE, "%s", cli_lastWarning());
}

static void loadScene(CliModel* model) {
  char* const text = strndup((const char*)cli_sceneText, (size_t)cli_sceneSize);
  snprintf(model->name, sizeof(model->name), "%s", cli_sceneName);
  model->spec = mj_parseXMLString(text, NULL, model->error, sizeof(model->error));
  free(text);
  compile(model, NULL);
}

int cli_tryModel(const char* path, CliModel* model) {
  *model = (CliModel){0};
  cli_clearWarnings();
  if (!path) {
    loadScene(model);
    return model->m ? CLI_OK : CLI_INPUT;
  }
  const char* const slash = strrchr(path, '/');
  snprintf(model->name, sizeof(model->name), "%s", slash ? slash + 1 : path);
  cli_plain(model->name, 0);
  const char* const reason = unreadable(path);
  if (reason) {
    snprintf(model->error, sizeof(model->error), "cannot read '%s': %s", path, reason);
  } else if (isBinary(path)) {
    model->m = mj_loadModel(path, NULL);
    if (!model->m) snprintf(model->error, sizeof(model->error), "%s", cli_lastWarning());
  } else {
    model->spec = mj_parseXML(path, NULL, model->error, sizeof(model->error));
    compile(model, NULL);
  }
  cli_plain(model->error, 1);
  cli_plain(model->warning, 1);
  return model->m ? CLI_OK : CLI_INPUT;
}

int cli_loadModel(const char* path, CliModel* model) {
  const int status = cli_tryModel(path, model);
  if (status == CLI_OK) return status;
  fflush(stdout);
  cli_printError(stderr, path, model->error);
  return status;
}

void cli_freeModel(CliModel* model) {
  mj_deleteModel(model->m);
  mj_deleteSpec(model->spec);
  model->m = NULL;
  model->spec = NULL;
}

int cli_physicsElements(const mjModel* m, int kind, mjtObj* type) {
  *type = kind == SN_ACTUATION ? mjOBJ_ACTUATOR : kind == SN_CONTACT ? mjOBJ_UNKNOWN : mjOBJ_FLEX;
  return *type == mjOBJ_FLEX ? (int)m->nflex : *type == mjOBJ_ACTUATOR ? (int)m->nu : 1;
}

const char* cli_nameOf(const mjModel* m, mjtObj type, int id, char text[CLI_NAME_SIZE]) {
  const char* const name = id >= 0 ? mj_id2name(m, type, id) : NULL;
  if (name && *name) {
    snprintf(text, CLI_NAME_SIZE, "%s", name);
    cli_plain(text, 0);
  } else {
    snprintf(text, CLI_NAME_SIZE, "%s %d", mju_type2Str(type), id);
  }
  return text;
}

// -------------------------------------------------------------------------------------------- settings

const char* const cli_integrators[] = {"Euler", "RK4", "implicit", "implicitfast", NULL};
const char* const cli_solvers[] = {"PGS", "CG", "Newton", NULL};
const char* const cli_cones[] = {"pyramidal", "elliptic", NULL};
const char* const cli_jacobians[] = {"dense", "sparse", "auto", NULL};

// flags are numbered with the disable bits first; MJCF writes them in lower case
const char* cli_flag(int i) {
  static char name[mjNDISABLE + mjNENABLE][24];
  if (i >= mjNDISABLE + mjNENABLE) return NULL;
  const char* const text = i < mjNDISABLE ? mjDISABLESTRING[i] : mjENABLESTRING[i - mjNDISABLE];
  for (size_t k = 0; k < sizeof(name[i]) - 1 && text[k]; k++) name[i][k] = (char)(text[k] | 0x20);
  return name[i];
}

int cli_flagUsual(int i) {
  return i < mjNDISABLE;
}

int cli_flagOn(const mjModel* m, int i) {
  if (i < mjNDISABLE) return !(m->opt.disableflags & (1 << i));
  return (m->opt.enableflags >> (i - mjNDISABLE)) & 1;
}

static void setFlag(mjModel* m, int i, int on) {
  int* const word = i < mjNDISABLE ? &m->opt.disableflags : &m->opt.enableflags;
  const int bit = 1 << (i < mjNDISABLE ? i : i - mjNDISABLE);
  const int set = i < mjNDISABLE ? !on : on;
  *word = set ? *word | bit : *word & ~bit;
}

static int setFlagText(mjModel* m, const char* text) {
  const char* known[mjNDISABLE + mjNENABLE + 1];
  for (int i = 0; i <= mjNDISABLE + mjNENABLE; i++) known[i] = cli_flag(i);
  const char* const sign = strchr(text, '=');
  char name[32];
  snprintf(name, sizeof(name), "%.*s", (int)(sign ? sign - text : (long)strlen(text)), text);
  for (int i = 0; known[i]; i++) {
    if (strcasecmp(name, known[i]) != 0) continue;
    const int on = sign && (!strcasecmp(sign + 1, "on") || !strcasecmp(sign + 1, "enable") || !strcmp(sign + 1, "1"));
    const int off =
        sign && (!strcasecmp(sign + 1, "off") || !strcasecmp(sign + 1, "disable") || !strcmp(sign + 1, "0"));
    if (!on && !off) return cli_fail(CLI_USAGE, "--flag %s: write %s=on or %s=off", text, name, name);
    setFlag(m, i, on);
    return CLI_OK;
  }
  return cli_unknown("flag", name, known);
}

// index of a word in a list, or CLI_USAGE's message and -1
static int findWord(const char* what, const char* word, const char* const* list) {
  for (int i = 0; list[i]; i++) {
    if (strcasecmp(word, list[i]) == 0) return i;
  }
  cli_unknown(what, word, list);
  return -1;
}

int cli_setOptions(mjModel* m, const char* integrator, const char* solver, const CliList* flags) {
  if (integrator) {
    const int i = findWord("integrator", integrator, cli_integrators);
    if (i < 0) return CLI_USAGE;
    m->opt.integrator = i;
  }
  if (solver) {
    const int i = findWord("solver", solver, cli_solvers);
    if (i < 0) return CLI_USAGE;
    m->opt.solver = i;
  }
  for (int i = 0; flags && i < flags->n; i++) {
    const int status = setFlagText(m, flags->at[i]);
    if (status != CLI_OK) return status;
  }
  return CLI_OK;
}

int cli_unknownObject(const mjModel* m, mjtObj type, const char* word) {
  CliList known = {NULL, 0};
  const int n = (int)(type == mjOBJ_KEY ? m->nkey : type == mjOBJ_CAMERA ? m->ncam : m->nu);
  for (int i = 0; i < n; i++) {
    const char* const name = mj_id2name(m, type, i);
    if (name) cli_append(&known, name);
  }
  cli_append(&known, NULL);
  cli_unknown(mju_type2Str(type), word, known.at);
  free(known.at);
  return CLI_USAGE;
}

int cli_resetTo(const mjModel* m, mjData* d, const char* key) {
  mj_resetData(m, d);
  if (!key) return CLI_OK;
  int id = mj_name2id(m, mjOBJ_KEY, key);
  double number = -1;
  if (id < 0 && cli_number(key, &number) && number >= 0 && number < (double)m->nkey) id = (int)number;
  if (id < 0) return cli_unknownObject(m, mjOBJ_KEY, key);
  mj_resetDataKeyframe(m, d, id);
  return CLI_OK;
}

// -------------------------------------------------------------------------------------------- trouble

int cli_badJoint(const mjModel* m, const mjData* d, const char** what) {
  static const struct {
    int warning;
    const char* what;
  } kinds[] = {
      {mjWARN_BADQPOS, "position"    },
      {mjWARN_BADQVEL, "velocity"    },
      {mjWARN_BADQACC, "acceleration"}
  };
  for (int i = 0; i < 3; i++) {
    const mjWarningStat* const stat = &d->warning[kinds[i].warning];
    if (!stat->number) continue;
    *what = kinds[i].what;
    // positions have their own numbering
    const int* const start = i ? m->jnt_dofadr : m->jnt_qposadr;
    int joint = 0;
    while (joint + 1 < (int)m->njnt && start[joint + 1] <= stat->lastinfo) joint++;
    return joint;
  }
  return -1;
}

int cli_unstable(const mjModel* m, const mjData* d, double time, char* text, size_t size) {
  const char* what = NULL;
  const int joint = cli_badJoint(m, d, &what);
  if (joint < 0) return 0;
  // names, because numbers help nobody
  char name[CLI_NAME_SIZE], body[CLI_NAME_SIZE];
  snprintf(text, size, "unstable: %s of joint '%s' (body '%s') is not finite or huge at %.6g s", what,
           cli_nameOf(m, mjOBJ_JOINT, joint, name), cli_nameOf(m, mjOBJ_BODY, m->jnt_bodyid[joint], body), time);
  return 1;
}
