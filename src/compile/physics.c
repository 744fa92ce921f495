// Attributes of the sinew: namespace: checked, and turned into the reserved entries of mjModel.
//
// An element's attributes name a model of each kind it has, give its parameters as a list or one by one, or both; what
// is not given keeps its default. A flex adds its material.
#include "physics/physics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "compile/flex.h"

// the attributes of one kind of model
typedef struct {
  snKind kind;
  SpcKindId element;
  const char *model, *params;
} KindAttributes;

static const KindAttributes KINDS[SN_NKIND] = {
    {SN_BENDING,    SPC_FLEX,     "bending",    "bending_params"   },
    {SN_ELASTICITY, SPC_FLEX,     "elasticity", "elasticity_params"},
    {SN_ACTUATION,  SPC_ACTUATOR, "model",      "params"           },
    {SN_CONTACT,    SPC_MODEL,    "contact",    "contact_params"   },
};

// what the attributes of an element come to
typedef struct {
  const snInfo* info[SN_NKIND];  // NULL: no model of this kind is named
  mjtNum param[SN_NKIND][SN_MAXPARAM];
} Choice;

// numbers of an attribute, exactly count of them
static void readNumbers(Cmp* c, const SpcElement* e, const char* name, mjtNum* out, int count) {
  const char* bad = NULL;
  const int found = bas_readDoubles(spc_setting(e, name), out, count, &bad);
  if (found < 0) cmp_fail(c, e, "attribute 'sinew:%s': '%.40s' is not a number", name, bad);
  if (found != count) cmp_fail(c, e, "attribute 'sinew:%s' has %d values, must have %d", name, found, count);
}

// the model that an element names, with the values of its parameter list
static void readModel(Cmp* c, const SpcElement* e, const KindAttributes* k, Choice* choice) {
  const char* name = spc_setting(e, k->model);
  if (!name) {
    if (spc_setting(e, k->params)) cmp_fail(c, e, "attribute 'sinew:%s' needs 'sinew:%s'", k->params, k->model);
    return;
  }
  char text[100];
  const snInfo* info = sn_findModel(k->kind, name);
  if (!info) {
    cmp_fail(c, e, "unknown %s model '%.60s'%s", sn_kindName(k->kind), name,
             phy_suggest(k->kind, name, text, sizeof(text)));
  }
  choice->info[k->kind] = info;

  // defaults, with the material of the flex
  const mjsFlex* flex = e->kind == SPC_FLEX ? e->spec : NULL;
  const PhyMaterial material =
      flex && flex->young > 0 ? (PhyMaterial){flex->young, flex->poisson, flex->thickness > 0 ? flex->thickness : NAN}
                              : (PhyMaterial){NAN, NAN, NAN};
  phy_fillParams(info, &material, choice->param[k->kind]);
  if (flex && flex->dim == 3) {
    for (int i = 0; i < info->nparam; i++) {
      if (!strcmp(info->param[i].name, "thickness")) choice->param[k->kind][i] = 1;
    }
  }
  if (spc_setting(e, k->params)) readNumbers(c, e, k->params, choice->param[k->kind], info->nparam);
}

// 1: the attribute is a parameter of a model that is named; its value is read
static int readParam(Cmp* c, const SpcElement* e, const char* name, Choice* choice) {
  int found = 0;
  for (int k = 0; k < SN_NKIND; k++) {
    const snInfo* info = choice->info[k];
    for (int i = 0; info && i < info->nparam; i++) {
      if (strcmp(info->param[i].name, name)) continue;
      readNumbers(c, e, name, choice->param[k] + i, 1);
      found = 1;
    }
  }
  return found;
}

static int isStructural(const SpcElement* e, const char* name) {
  if (e->kind == SPC_KEY) return !strcmp(name, "userdata");
  if (e->kind == SPC_MODEL && !strcmp(name, "hulls")) return 1;
  for (int k = 0; k < SN_NKIND; k++) {
    if (KINDS[k].element == e->kind && (!strcmp(name, KINDS[k].model) || !strcmp(name, KINDS[k].params))) return 1;
  }
  return 0;
}

static void failName(Cmp* c, const SpcElement* e, const char* name, const Choice* choice) {
  BasNearest nearest = {name, NULL, 99};
  for (int k = 0; k < SN_NKIND; k++) {
    if (KINDS[k].element == e->kind) {
      bas_consider(&nearest, KINDS[k].model);
      bas_consider(&nearest, KINDS[k].params);
      if (e->kind == SPC_MODEL) bas_consider(&nearest, "hulls");
    }
    for (int i = 0; choice->info[k] && i < choice->info[k]->nparam; i++) {
      bas_consider(&nearest, choice->info[k]->param[i].name);
    }
  }
  char text[100];
  cmp_fail(c, e, "unknown attribute 'sinew:%.60s'%s", name, bas_suggestion(&nearest, text, sizeof(text)));
}

// everything that the attributes of an element say; 0: it has none
static int readChoice(Cmp* c, const SpcElement* e, Choice* choice) {
  if (!spc_vecCount(&e->settings, 1)) return 0;
  memset(choice, 0, sizeof(*choice));
  for (int k = 0; k < SN_NKIND; k++) {
    if (KINDS[k].element == e->kind) readModel(c, e, KINDS + k, choice);
  }
  for (const SpcAttribute* a = (const void*)e->settings.begin; (const char*)a < e->settings.end; a++) {
    const char* name = spc_text(&a->key);
    if (!isStructural(e, name) && !readParam(c, e, name, choice)) failName(c, e, name, choice);
  }
  for (int k = 0; k < SN_NKIND && e->kind == SPC_ACTUATOR; k++) {
    const char* wrong = choice->info[k] ? phy_wrongParam((snKind)k, choice->info[k], choice->param[k]) : NULL;
    if (wrong) cmp_fail(c, e, "%s", wrong);
  }
  return 1;
}

//---------------------------------- into the model ----------------------------------

void cmp_actuatorStates(Cmp* c, CmpActuator* actuator) {
  const SpcElement* e = actuator->head.e;
  Choice choice;
  if (!readChoice(c, e, &choice) || !choice.info[SN_ACTUATION]) return;
  const snActuation* model = (const snActuation*)choice.info[SN_ACTUATION];
  if (&model->info == sn_modelAt(SN_ACTUATION, 0)) return;
  mjsActuator* const s = &actuator->s;
  if (s->dyntype != mjDYN_NONE)
    cmp_fail(c, e, "model '%s' has states of its own, dyntype must be none", model->info.name);
  const int states = model->states ? model->states(choice.param[SN_ACTUATION]) : 0;
  if (states > SN_MAXSTATE)
    cmp_fail(c, e, "model '%s' has %d states, at most %d", model->info.name, states, SN_MAXSTATE);
  if (!states) return;
  s->dyntype = mjDYN_USER;
  s->actdim = states;
}

static void choose(Cmp* c, const SpcElement* e, int id) {
  Choice choice;
  if (!readChoice(c, e, &choice)) return;
  for (int k = 0; k < SN_NKIND; k++) {
    const snInfo* info = choice.info[k];
    const char* wrong = info ? phy_choose(c->m, (snKind)k, id, info->name, choice.param[k]) : NULL;
    if (wrong) cmp_fail(c, e, "%s", wrong);
  }
}

static void chooseUserdata(Cmp* c, const SpcElement* e, int key) {
  if (!spc_setting(e, "userdata")) return;
  const int n = (int)c->m->nuserdata;
  mjtNum* value = cmp_alloc(c, (size_t)n + 1, sizeof(mjtNum));
  readNumbers(c, e, "userdata", value, n);
  const char* wrong = sn_setKeyUserdata(c->m, key, value);
  if (wrong) cmp_fail(c, e, "%s", wrong);
}

//---------------------------------- timestep ----------------------------------

// what stability depends on, without calling back to the user
static void evaluate(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_flex(m, d);
  mj_tendon(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_transmission(m, d);
}

// bending and elasticity of a flex act together, and are said once
static void warnOfTimestep(const Cmp* c, mjData* d, snKind kind, const SpcElement* e, int id) {
  const snInfo* info = sn_getModel(c->m, kind, id, NULL);
  if (info == sn_modelAt(kind, 0) ||
      (kind == SN_BENDING && sn_getModel(c->m, SN_ELASTICITY, id, NULL) != sn_modelAt(SN_ELASTICITY, 0))) {
    return;
  }
  const mjtNum most = sn_stableTimestep(c->m, d, kind, id), now = c->m->opt.timestep;
  if (now <= most) return;
  char of[150] = "";
  if (kind != SN_CONTACT) {
    snprintf(of, sizeof(of), " of %s '%.60s', line %d,", kind == SN_ACTUATION ? "actuator" : "flex", spc_text(&e->name),
             e->line);
  }
  mju_warning("%s model '%s'%s is too stiff for a timestep of %g: the largest stable one is %.3g%s", sn_kindName(kind),
              info->name, of, now, most, kind <= SN_ELASTICITY ? "; integrator implicitfast takes any" : "");
}

static void warnOfTimesteps(Cmp* c) {
  const mjModel* m = c->m;
  int chosen = 0;
  for (int k = 0; k < SN_NKIND && m->ntext; k++) {
    for (int i = 0; i < phy_elementCount(m, (snKind)k); i++) {
      chosen += sn_getModel(m, (snKind)k, i, NULL) != sn_modelAt((snKind)k, 0);
    }
  }
  if (!chosen) return;
  c->d = mj_makeData(m);
  if (!c->d) cmp_fail(c, NULL, "could not create mjData");
  evaluate(m, c->d);
  warnOfTimestep(c, c->d, SN_CONTACT, &c->spec->head, 0);
  for (int i = 0; i < cmp_count(c, SPC_FLEX); i++) {
    const SpcElement* e = CMP_AT(c, SPC_FLEX, CmpFlex, i)->head.e;
    warnOfTimestep(c, c->d, SN_BENDING, e, i);
    warnOfTimestep(c, c->d, SN_ELASTICITY, e, i);
  }
  for (int i = 0; i < cmp_count(c, SPC_ACTUATOR); i++) {
    warnOfTimestep(c, c->d, SN_ACTUATION, CMP_AT(c, SPC_ACTUATOR, CmpActuator, i)->head.e, i);
  }
  mj_deleteData(c->d);
  c->d = NULL;
}

void cmp_choosePhysics(Cmp* c) {
  choose(c, &c->spec->head, 0);
  for (int i = 0; i < cmp_count(c, SPC_FLEX); i++) choose(c, CMP_AT(c, SPC_FLEX, CmpFlex, i)->head.e, i);
  for (int i = 0; i < cmp_count(c, SPC_ACTUATOR); i++) choose(c, CMP_AT(c, SPC_ACTUATOR, CmpActuator, i)->head.e, i);
  for (int i = 0; i < cmp_count(c, SPC_KEY); i++) {
    const SpcElement* e = CMP_AT(c, SPC_KEY, CmpKey, i)->head.e;
    Choice choice;
    if (readChoice(c, e, &choice)) chooseUserdata(c, e, i);
  }
  warnOfTimesteps(c);
}
