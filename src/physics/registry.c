// The tables of models: one per kind, the built-in ones first, the default at number 0.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "physics/physics.h"

// what the reference does has no functions here: stages do it themselves
static const snBending cotangent = {
    .info = {"cotangent", "quadratic form over the two triangles (reference)", 0, NULL}
};
static const snElasticity linear = {
    .info = {"linear", "quadratic in squared edge lengths (reference)", 0, NULL}
};
static const snActuation builtin = {
    .info = {"builtin", "gain and bias of the actuator (reference)", 0, NULL}
};
static const snContact lcp = {
    .info = {"lcp", "soft constraints solved by PGS, CG or Newton (reference)", 0, NULL}
};

// one row per built-in model; users' models follow
static const snInfo* tables[SN_NKIND][SN_MAXMODEL] = {
    {&cotangent.info,       &phy_bridson.info      },
    {                       &linear.info, &phy_neoHookean.info,  &phy_corotational.info, &phy_mooneyRivlin.info},
    { &builtin.info,         &phy_seriesElastic.info, &phy_dcMotor.info, &phy_pid.info, &phy_pneumatic.info,
     &phy_hydraulic.info},
    {     &lcp.info,  &phy_xpbd.info,                            &phy_compliant.info},
};
static const char* const KIND_NAMES[SN_NKIND] = {"bending", "elasticity", "actuation", "contact"};

// registering is rare: one lock, and readers see a table that only grows
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

//---------------------------------- looking up ----------------------------------

const snInfo* sn_modelAt(snKind kind, int number) {
  if ((unsigned)kind >= SN_NKIND || number < 0 || number >= SN_MAXMODEL) return NULL;
  return __atomic_load_n(&tables[kind][number], __ATOMIC_ACQUIRE);
}

int sn_modelCount(snKind kind) {
  int n = 0;
  while (sn_modelAt(kind, n)) n++;
  return n;
}

int phy_find(snKind kind, const char* name) {
  const snInfo* info;
  for (int i = 0; (info = sn_modelAt(kind, i)); i++) {
    if (!strcmp(info->name, name)) return i;
  }
  return -1;
}

const snInfo* sn_findModel(snKind kind, const char* name) {
  return name ? sn_modelAt(kind, phy_find(kind, name)) : NULL;
}

const char* sn_kindName(snKind kind) {
  return (unsigned)kind < SN_NKIND ? KIND_NAMES[kind] : NULL;
}

const char* phy_suggest(snKind kind, const char* name, char* text, size_t size) {
  text[0] = 0;
  for (int k = 0; k < SN_NKIND; k++) {
    if (k != (int)kind && phy_find((snKind)k, name) >= 0) {
      snprintf(text, size, ", which is a model of %s", KIND_NAMES[k]);
      return text;
    }
  }
  BasNearest nearest = {name, NULL, 99};
  const snInfo* info;
  for (int i = 0; (info = sn_modelAt(kind, i)); i++) bas_consider(&nearest, info->name);
  return bas_suggestion(&nearest, text, size);
}

const char* phy_wrongParam(snKind kind, const snInfo* info, const mjtNum* param) {
  for (int i = 0; i < info->nparam; i++) {
    const snParam* p = info->param + i;
    if (param[i] >= p->least && param[i] <= p->most) continue;
    if (isnan(param[i]) && isnan(p->value))
      return phy_fail("%s model '%s' needs parameter '%s'", KIND_NAMES[kind], info->name, p->name);
    return phy_fail("%s model '%s': parameter '%s' is %g, must be in [%g, %g]", KIND_NAMES[kind], info->name, p->name,
                    param[i], p->least, p->most);
  }
  return NULL;
}

//---------------------------------- adding ----------------------------------

static int isComplete(const snInfo* info) {
  if (!info->name || !*info->name || strlen(info->name) > 31 || !info->about) return 0;
  if (info->nparam < 0 || info->nparam > SN_MAXPARAM || (info->nparam && !info->param)) return 0;
  for (int i = 0; i < info->nparam; i++) {
    if (!info->param[i].name || !info->param[i].about || info->param[i].least > info->param[i].most) return 0;
  }
  return 1;
}

static int add(snKind kind, const snInfo* info, int complete) {
  if (!complete || !isComplete(info)) return -1;
  pthread_mutex_lock(&lock);
  const int count = sn_modelCount(kind);
  const int number = phy_find(kind, info->name) >= 0 || count >= SN_MAXMODEL ? -1 : count;
  if (number >= 0) __atomic_store_n(&tables[kind][number], info, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  return number;
}

int sn_registerBending(const snBending* model) {
  if (!model) return -1;
  return add(SN_BENDING, &model->info, model->prepare && model->energy && model->apply && model->derivative);
}

int sn_registerElasticity(const snElasticity* model) {
  if (!model) return -1;
  return add(SN_ELASTICITY, &model->info, model->prepare && model->energy && model->apply && model->dims);
}

int sn_registerActuation(const snActuation* model) {
  if (!model) return -1;
  return add(SN_ACTUATION, &model->info, model->apply && !model->states == !model->rate);
}

int sn_registerContact(const snContact* model) {
  if (!model) return -1;
  return add(SN_CONTACT, &model->info, model->apply != NULL);
}
