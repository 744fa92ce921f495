// What `sinew check` advises on choices of physics: timesteps that are too long for them, contacts that come and go,
// and reserved entries that choose nothing.
#include <math.h>
#include <sinew/physics.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/cli.h"

static const char PREFIX[] = "sinew:";

static int isChosen(const mjModel* m, snKind kind, int id) {
  const snInfo* const info = sn_getModel(m, kind, id, NULL);
  return info && info != sn_modelAt(kind, 0);
}

// -------------------------------------------------------------------------------------------- timestep

// the compiler says it of models in text; binary ones come without
static void checkTimestep(AdviceList* list, const CliModel* model) {
  const mjModel* const m = model->m;
  mjData* const d = model->spec ? NULL : mj_makeData(m);
  if (!d) return;
  mj_forward(m, d);
  for (int kind = 0; kind < SN_NKIND; kind++) {
    mjtObj type;
    const int count = cli_physicsElements(m, kind, &type);
    for (int id = 0; id < count; id++) {
      const double most = sn_stableTimestep(m, d, (snKind)kind, id);
      if (m->opt.timestep <= most) continue;
      char name[CLI_NAME_SIZE] = "";
      const int whole = type == mjOBJ_UNKNOWN;
      if (!whole) cli_nameOf(m, type, id, name);
      chk_add(list, "physics", "", name,
              "%s model '%s'%s%s%s is too stiff for a timestep of %g: the largest stable one is %.3g",
              sn_kindName((snKind)kind), sn_getModel(m, (snKind)kind, id, NULL)->name, whole ? "" : " of '", name,
              whole ? "" : "'", m->opt.timestep, most);
    }
  }
  mj_deleteData(d);
}

// -------------------------------------------------------------------------------------------- contacts

// positions are projected where contacts are seen: without a margin a body at rest loses those that just opened
static void checkMargin(AdviceList* list, const mjModel* m) {
  const snInfo* const info = sn_getModel(m, SN_CONTACT, 0, NULL);
  if (!info || strcmp(info->name, "xpbd") != 0) return;
  int colliding = 0;
  for (int i = 0; i < (int)m->ngeom; i++) {
    if (!m->geom_contype[i] && !m->geom_conaffinity[i]) continue;
    colliding++;
    if (m->geom_margin[i] > 0) return;
  }
  if (colliding) {
    chk_add(list, "physics", "option", "",
            "contact model 'xpbd' sees contacts as far ahead as margins reach, and no geom has one: give those that "
            "rest on others a margin, a few millimetres");
  }
}

// -------------------------------------------------------------------------------------------- entries

// 1: the rest of a reserved name, KIND or KIND:ELEMENT, stands for an element
static int namesElement(const mjModel* m, const char* rest) {
  if (strncmp(rest, "userdata:", 9) == 0) {
    return mj_name2id(m, mjOBJ_KEY, rest + 9) >= 0 || (rest[9] == '#' && atoi(rest + 10) < m->nkey);
  }
  for (int kind = 0; kind < SN_NKIND; kind++) {
    mjtObj type;
    const int count = cli_physicsElements(m, kind, &type);
    const char* const word = sn_kindName((snKind)kind);
    const size_t length = strlen(word);
    if (strncmp(rest, word, length) != 0) continue;
    if (type == mjOBJ_UNKNOWN) return !rest[length];
    if (rest[length] != ':') continue;
    const char* const element = rest + length + 1;
    return mj_name2id(m, type, element) >= 0 || (*element == '#' && atoi(element + 1) < count);
  }
  return 0;
}

// 1: a numeric with numbers for all elements of a kind, as the compiler keeps choices of contact; the engine checks its
// size
static int isTable(const char* rest) {
  static const char* const tables[] = {"stick:geoms", "stick:pairs", "contacts:geoms", "continuous:bodies",
                                       "shape:meshes"};
  for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
    if (strcmp(rest, tables[i]) == 0) return 1;
  }
  return 0;
}

static void checkEntries(AdviceList* list, const mjModel* m) {
  static const struct {
    mjtObj type;
    const char* word;
  } lists[] = {
      {mjOBJ_TEXT,    "text"   },
      {mjOBJ_NUMERIC, "numeric"},
  };
  for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
    for (int i = 0; i < (int)(k ? m->nnumeric : m->ntext); i++) {
      const char* const name = mj_id2name(m, lists[k].type, i);
      if (!name || strncmp(name, PREFIX, strlen(PREFIX)) != 0) continue;
      const char* const rest = name + strlen(PREFIX);
      if (k && isTable(rest)) continue;
      if (!namesElement(m, rest)) {
        chk_add(
            list, "physics", lists[k].word, name,
            "the custom %s '%s' is reserved for a choice of physics, but no element has this name: it has no effect",
            lists[k].word, name);
      } else if (k && strncmp(rest, "userdata:", 9) != 0 && mj_name2id(m, mjOBJ_TEXT, name) < 0) {
        chk_add(
            list, "physics", lists[k].word, name,
            "the custom numeric '%s' has parameters, but no custom text of this name chooses a model: it has no effect",
            name);
      }
    }
  }
}

void chk_physics(AdviceList* list, const CliModel* model) {
  const mjModel* const m = model->m;
  int chosen = 0;
  for (int kind = 0; kind < SN_NKIND; kind++) {
    mjtObj type;
    const int count = cli_physicsElements(m, kind, &type);
    for (int id = 0; id < count; id++) chosen += isChosen(m, (snKind)kind, id);
  }
  if (chosen) checkTimestep(list, model);
  checkMargin(list, m);
  checkEntries(list, m);
}
