// Attributes of the sinew: namespace on geoms, pairs and bodies: how contacts hold. And on option: warnings of hulls.
#include <math.h>
#include <sinew/contact.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "collision/continuous.h"
#include "compile/compile.h"
#include "physics/physics.h"
#include "physics/stick.h"

// attributes of geoms and pairs that are numbers
typedef struct {
  const char* name;
  mjtNum least, most;
  int whole;  // 1: no fractions
} Number;
static const Number STICK = {"stick", 0, SN_MAXSTICK, 0}, CONTACTS = {"contacts", 4, mjMAXCONPAIR, 1};

// fails where an element has other attributes than those of its kind (the second may be NULL)
static void checkNames(Cmp* c, const SpcElement* e, const char* first, const char* second) {
  for (const SpcAttribute* a = (const void*)e->settings.begin; (const char*)a < e->settings.end; a++) {
    const char* name = spc_text(&a->key);
    if (!strcmp(name, first) || (second && !strcmp(name, second))) continue;
    BasNearest nearest = {name, NULL, 99};
    bas_consider(&nearest, first);
    if (second) bas_consider(&nearest, second);
    char text[100];
    cmp_fail(c, e, "unknown attribute 'sinew:%.60s'%s", name, bas_suggestion(&nearest, text, sizeof(text)));
  }
}

// a number of an element; missing where it has none
static mjtNum readNumber(Cmp* c, const SpcElement* e, const Number* what, mjtNum missing) {
  if (!spc_vecCount(&e->settings, 1)) return missing;
  checkNames(c, e, "stick", e->kind == SPC_GEOM ? "contacts" : NULL);
  const char *value = spc_setting(e, what->name), *bad = NULL;
  mjtNum number = missing;
  if (!value) return missing;
  const int found = bas_readDoubles(value, &number, 1, &bad);
  if (found < 0) cmp_fail(c, e, "attribute 'sinew:%s': '%.40s' is not a number", what->name, bad);
  if (found != 1) cmp_fail(c, e, "attribute 'sinew:%s' has %d values, must have 1", what->name, found);
  if (!(number >= what->least && number <= what->most)) {
    cmp_fail(c, e, "attribute 'sinew:%s' is %g, must be in [%g, %g]", what->name, number, what->least, what->most);
  }
  if (what->whole && number != floor(number)) {
    cmp_fail(c, e, "attribute 'sinew:%s' is %g, must be a whole number", what->name, number);
  }
  return number;
}

// the numbers of all elements of a kind become an entry, where one of them has any
static void chooseNumbers(Cmp* c, SpcKindId kind, const Number* what, mjtNum missing, const char* entry) {
  const int n = cmp_count(c, kind);
  mjtNum* const number = cmp_alloc(c, (size_t)n + 1, sizeof(mjtNum));
  int given = 0;
  for (int i = 0; i < n; i++) {
    number[i] = readNumber(c, ((const CmpHead*)c->list[kind].at[i])->e, what, missing);
    given |= number[i] != missing;
  }
  if (given && !phy_setEntry(c->m, &(PhyEntry){entry, NULL, number, n})) cmp_fail(c, NULL, "out of memory");
}

// a warning for every mesh that collides as a hull much larger than itself, where the model asks for it
static void warnOfHulls(Cmp* c) {
  const SpcElement* e = &c->spec->head;
  const char* hulls = spc_setting(e, "hulls");
  if (!hulls || !strcmp(hulls, "silent")) return;
  if (strcmp(hulls, "warn")) cmp_fail(c, e, "attribute 'sinew:hulls' is '%.60s', must be 'silent' or 'warn'", hulls);
  for (int i = 0; i < c->m->nmesh; i++) {
    const CmpMesh* const mesh = CMP_AT(c, SPC_MESH, CmpMesh, i);
    int used = 0;
    for (int k = 0; k < c->m->ngeom; k++) {
      const CmpGeom* const geom = CMP_AT(c, SPC_GEOM, CmpGeom, k);
      used |= geom->mesh == mesh && geom->s.type == mjGEOM_MESH && !geom->visual;
    }
    if (!used || sn_hullExcess(c->m, i) <= 0.1) continue;
    mju_warning("mesh '%s' is not convex: contacts use its hull, cavities are filled (sinew:shape says otherwise)",
                mesh->head.name);
  }
}

// bodies that must not pass through others
static void chooseContinuous(Cmp* c) {
  const int n = cmp_count(c, SPC_BODY);
  mjtNum* const chosen = cmp_alloc(c, (size_t)n + 1, sizeof(mjtNum));
  int any = 0;
  for (int i = 0; i < n; i++) {
    const SpcElement* e = CMP_AT(c, SPC_BODY, CmpBody, i)->head.e;
    if (!spc_vecCount(&e->settings, 1)) continue;
    checkNames(c, e, "continuous", NULL);
    const char* value = spc_setting(e, "continuous");
    chosen[i] = !strcmp(value, "true");
    any |= chosen[i] > 0;
    if (chosen[i] && c->m->opt.integrator == mjINT_RK4) {
      cmp_fail(c, e, "attribute 'sinew:continuous' needs the integrator Euler, implicit or implicitfast");
    }
    if (chosen[i] || !strcmp(value, "false")) continue;
    cmp_fail(c, e, "attribute 'sinew:continuous' is '%.60s', must be 'true' or 'false'", value);
  }
  const PhyEntry entry = {COL_CONTINUOUS_ENTRY, NULL, chosen, n};
  if (any && !phy_setEntry(c->m, &entry)) cmp_fail(c, NULL, "out of memory");
}

void cmp_chooseGrip(Cmp* c) {
  chooseContinuous(c);
  warnOfHulls(c);
  chooseNumbers(c, SPC_GEOM, &STICK, 0, phy_stickEntries[0]);
  chooseNumbers(c, SPC_PAIR, &STICK, -1, phy_stickEntries[1]);
  chooseNumbers(c, SPC_GEOM, &CONTACTS, 0, COL_REDUCE_ENTRY);
  const char* wrong = phy_checkStick(c->m);
  if (wrong) cmp_fail(c, NULL, "%s", wrong);
}
