// Joints by sinew:type: universal, planar, screw and gear, made of hinges, slides and equality constraints.
//
// The joint of the spec is the first of them; those behind it are called NAME#2 and NAME#3. They are elements of this
// compilation only, so saving gives back what was written.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "compile/compile.h"
#include "math/vec.h"

typedef enum { NONE, UNIVERSAL, PLANAR, SCREW, GEAR } Mechanism;
static const char* const WORDS[] = {"", "universal", "planar", "screw", "gear"};

// attributes beside type, and which mechanism has them
static const struct {
  const char* name;
  Mechanism of;
} ATTRIBUTES[] = {
    {"axis2", UNIVERSAL},
    {"pitch", SCREW    },
    {"to",    GEAR     },
    {"ratio", GEAR     },
};
enum { NATTRIBUTE = sizeof(ATTRIBUTES) / sizeof(ATTRIBUTES[0]) };

//---------------------------------- attributes ----------------------------------

static Mechanism readType(Cmp* c, const SpcElement* e) {
  if (!spc_vecCount(&e->settings, 1)) return NONE;
  const char* type = spc_setting(e, "type");
  int kind = type ? 1 : 0;
  while (type && kind <= GEAR && strcmp(type, WORDS[kind])) kind++;
  if (kind > GEAR) {
    cmp_fail(c, e, "attribute 'sinew:type' is '%.60s', must be 'universal', 'planar', 'screw' or 'gear'", type);
  }
  for (const SpcAttribute* a = (const void*)e->settings.begin; (const char*)a < e->settings.end; a++) {
    const char* name = spc_text(&a->key);
    BasNearest nearest = {name, NULL, 99};
    int known = !strcmp(name, "type");
    bas_consider(&nearest, "type");
    for (int i = 0; i < NATTRIBUTE; i++) {
      bas_consider(&nearest, ATTRIBUTES[i].name);
      if (strcmp(name, ATTRIBUTES[i].name)) continue;
      known = 1;
      if ((int)ATTRIBUTES[i].of == kind) continue;
      cmp_fail(c, e, "attribute 'sinew:%s' needs sinew:type=\"%s\"", name, WORDS[ATTRIBUTES[i].of]);
    }
    char text[100];
    if (!known) cmp_fail(c, e, "unknown attribute 'sinew:%.60s'%s", name, bas_suggestion(&nearest, text, sizeof(text)));
  }
  return (Mechanism)kind;
}

static void readNumbers(Cmp* c, const SpcElement* e, const char* name, double* out, int count) {
  const char *value = spc_setting(e, name), *bad = NULL;
  if (!value) cmp_fail(c, e, "sinew:type=\"%s\" needs 'sinew:%s'", spc_setting(e, "type"), name);
  const int found = bas_readDoubles(value, out, count, &bad);
  if (found < 0) cmp_fail(c, e, "attribute 'sinew:%s': '%.40s' is not a number", name, bad);
  if (found != count) cmp_fail(c, e, "attribute 'sinew:%s' has %d values, must have %d", name, found, count);
  for (int i = 0; i < count; i++) {
    if (!(fabs(out[i]) <= mjMAXVAL)) cmp_fail(c, e, "attribute 'sinew:%s' is not finite", name);
  }
}

//---------------------------------- elements ----------------------------------

// a text of the compilation as a string of the spec
static SpcString* stringOf(Cmp* c, const char* text) {
  SpcString* const s = cmp_alloc(c, 1, sizeof(SpcString));
  const size_t length = strlen(text);
  s->large.capacity = (length + 1) | 1;
  s->large.length = length;
  s->large.data = cmp_text(c, text, length);
  return s;
}

// a joint behind another one of the body, without limits
static CmpJoint* addJoint(Cmp* c, const CmpJoint* first, int number, mjtJoint type, const double axis[3]) {
  CmpJoint* const joint = cmp_alloc(c, 1, sizeof(CmpJoint));
  SpcElement* const e = cmp_alloc(c, 1, sizeof(SpcElement));
  const size_t size = strlen(first->head.name) + 16;
  char* const name = cmp_alloc(c, size, 1);
  if (*first->head.name) snprintf(name, size, "%s#%d", first->head.name, number);
  *joint = *first;
  *e = *first->head.e;
  joint->head = (CmpHead){e, name, -1};
  joint->s.type = type;
  mth_copy3(joint->s.axis, axis);
  if (type != first->s.type) {
    joint->s.limited = mjLIMITED_FALSE;
    joint->s.range[0] = joint->s.range[1] = 0;
    joint->s.stiffness = 0;
  }
  return joint;
}

// joint = ratio * other
static void addEquality(Cmp* c, const CmpJoint* joint, const char* other, double ratio) {
  CmpEquality* const equality = cmp_alloc(c, 1, sizeof(CmpEquality));
  SpcElement* const e = cmp_alloc(c, 1, sizeof(SpcElement));
  *e = *joint->head.e;
  e->kind = SPC_EQUALITY;
  e->settings = (SpcVec){0};
  e->spec = &equality->s;
  mjs_defaultEquality(&equality->s);
  equality->s.type = mjEQ_JOINT;
  equality->s.name1 = (mjString*)stringOf(c, joint->head.name);
  equality->s.name2 = (mjString*)stringOf(c, other);
  equality->s.info = joint->s.info;
  memset(equality->s.data, 0, sizeof(equality->s.data));
  equality->s.data[1] = ratio;

  // as hard as the timestep allows: teeth and threads do not give way
  const mjtNum solref[mjNREF] = {0.004, 1}, solimp[mjNIMP] = {0.995, 0.999, 0.001, 0.5, 2};
  memcpy(equality->s.solref, solref, sizeof(solref));
  memcpy(equality->s.solimp, solimp, sizeof(solimp));
  equality->head = (CmpHead){e, cmp_text(c, "", 0), cmp_count(c, SPC_EQUALITY)};
  e->id = equality->head.id;
  cmp_add(c, &c->list[SPC_EQUALITY], equality);
}

// the joints that a joint stands for, itself first
static void expand(Cmp* c, CmpJoint* joint, CmpList* own) {
  const SpcElement* e = joint->head.e;
  const Mechanism kind = readType(c, e);
  const mjtJoint needed = kind == PLANAR ? mjJNT_SLIDE : mjJNT_HINGE;
  cmp_add(c, own, joint);
  if (kind == NONE) return;
  if (kind == GEAR ? joint->s.type != mjJNT_HINGE && joint->s.type != mjJNT_SLIDE : joint->s.type != needed) {
    cmp_fail(c, e, "sinew:type=\"%s\" needs type=\"%s\"", WORDS[kind], needed == mjJNT_SLIDE ? "slide" : "hinge");
  }
  if (kind >= SCREW && !*joint->head.name) cmp_fail(c, e, "sinew:type=\"%s\" needs a name", WORDS[kind]);
  double axis[3], across[3], third[3], number;
  mth_copy3(axis, joint->s.axis);
  if (mth_normalize3(axis) < mjMINVAL) cmp_fail(c, e, "axis too small in joint");

  // a direction across, the same for the same axis
  const double other[3] = {fabs(axis[0]) < 0.9, fabs(axis[0]) >= 0.9, 0};
  mth_addScl3(across, other, axis, -mth_dot3(other, axis));
  mth_normalize3(across);
  mth_cross3(third, axis, across);
  if (kind == UNIVERSAL) {
    if (spc_setting(e, "axis2")) readNumbers(c, e, "axis2", across, 3);
    cmp_add(c, own, addJoint(c, joint, 2, mjJNT_HINGE, across));
  } else if (kind == PLANAR) {
    mth_copy3(joint->s.axis, across);
    cmp_add(c, own, addJoint(c, joint, 2, mjJNT_SLIDE, third));
    cmp_add(c, own, addJoint(c, joint, 3, mjJNT_HINGE, axis));
  } else if (kind == SCREW) {
    CmpJoint* const slide = addJoint(c, joint, 2, mjJNT_SLIDE, axis);
    readNumbers(c, e, "pitch", &number, 1);
    cmp_add(c, own, slide);
    addEquality(c, slide, joint->head.name, number / (2 * mjPI));
  } else {
    const char* to = spc_setting(e, "to");
    if (!to) cmp_fail(c, e, "sinew:type=\"gear\" needs 'sinew:to'");
    readNumbers(c, e, "ratio", &number, 1);
    addEquality(c, joint, to, number);
  }
}

void cmp_expandJoints(Cmp* c) {
  int any = 0;
  for (int i = 0; i < cmp_count(c, SPC_JOINT); i++) {
    any |= spc_vecCount(&CMP_AT(c, SPC_JOINT, CmpJoint, i)->head.e->settings, 1) > 0;
  }
  if (!any) return;
  CmpList all = {0};
  for (int b = 0; b < cmp_count(c, SPC_BODY); b++) {
    CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, b);
    CmpList own = {0};
    for (int i = 0; i < body->joints.n; i++) expand(c, body->joints.at[i], &own);
    for (int i = 0; i < own.n; i++) cmp_add(c, &all, own.at[i]);
    body->joints = own;
  }
  cmp_number(&all);
  for (int i = 0; i < all.n; i++) ((CmpJoint*)all.at[i])->head.e->id = i;
  c->list[SPC_JOINT] = all;
}
