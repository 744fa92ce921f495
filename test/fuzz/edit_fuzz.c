// Random sequences of editing calls on two specs: adding, naming, moving, attaching, deleting, copying, compiling,
// recompiling. Each call takes its choices from the bytes that follow it.
#include <stdio.h>

#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct {
  const uint8_t *at, *end;
  mjSpec* spec[2];
  mjModel* m;  // of spec[0], with its data
  mjData* d;
} Session;

static int next(Session* s) {
  return s->at < s->end ? *s->at++ : 0;
}

static const char* nameOf(int choice) {
  static const char* const names[] = {"a", "b", "c", "world", "", "a name that is too long for a short string"};
  return names[choice % 6];
}

static const mjtObj kinds[] = {mjOBJ_BODY,    mjOBJ_JOINT,    mjOBJ_GEOM,   mjOBJ_SITE,    mjOBJ_CAMERA,
                               mjOBJ_LIGHT,   mjOBJ_FLEX,     mjOBJ_MESH,   mjOBJ_SKIN,    mjOBJ_HFIELD,
                               mjOBJ_TEXTURE, mjOBJ_MATERIAL, mjOBJ_PAIR,   mjOBJ_EXCLUDE, mjOBJ_EQUALITY,
                               mjOBJ_TENDON,  mjOBJ_ACTUATOR, mjOBJ_SENSOR, mjOBJ_NUMERIC, mjOBJ_TEXT,
                               mjOBJ_TUPLE,   mjOBJ_KEY,      mjOBJ_FRAME,  mjOBJ_PLUGIN};
enum { NKIND = sizeof(kinds) / sizeof(kinds[0]) };

// one of the elements of a kind
static mjsElement* pick(Session* s, mjSpec* spec, mjtObj kind) {
  mjsElement* e = mjs_firstElement(spec, kind);
  int guard = 0;
  for (int k = next(s) % 8; e && k > 0; k--) {
    mjsElement* const following = mjs_nextElement(spec, e);
    if (following) e = following;
    if (++guard > 1000) __builtin_trap();
  }
  return e;
}

static mjsBody* pickBody(Session* s, mjSpec* spec) {
  mjsElement* const e = pick(s, spec, mjOBJ_BODY);
  return e ? mjs_asBody(e) : mjs_findBody(spec, "world");
}

// every kind of element that a program can add; what it refers to is set by name
static mjsElement* add(Session* s, mjSpec* spec) {
  mjsBody* const body = pickBody(s, spec);
  switch (next(s) % 22) {
    case 0:
      return mjs_addBody(body, NULL)->element;
    case 1:
      return mjs_addJoint(body, NULL)->element;
    case 2: {
      mjsGeom* const geom = mjs_addGeom(body, NULL);
      geom->type = next(s) % mjNGEOMTYPES;
      for (int i = 0; i < 3; i++) geom->size[i] = 0.1;
      return geom->element;
    }
    case 3:
      return mjs_addSite(body, NULL)->element;
    case 4:
      return mjs_addCamera(body, NULL)->element;
    case 5:
      return mjs_addLight(body, NULL)->element;
    case 6:
      return mjs_addFrame(body, NULL)->element;
    case 7:
      return mjs_addFreeJoint(body)->element;
    case 8: {
      mjsTendon* const tendon = mjs_addTendon(spec, NULL);
      mjs_wrapSite(tendon, nameOf(next(s)));
      mjs_wrapJoint(tendon, nameOf(next(s)), 1);
      mjs_wrapGeom(tendon, nameOf(next(s)), nameOf(next(s)));
      mjs_wrapPulley(tendon, 2);
      return tendon->element;
    }
    case 9: {
      mjsActuator* const actuator = mjs_addActuator(spec, NULL);
      actuator->trntype = next(s) % 8;
      mjs_setString(actuator->target, nameOf(next(s)));
      return actuator->element;
    }
    case 10: {
      mjsSensor* const sensor = mjs_addSensor(spec);
      sensor->type = next(s) % mjSENS_USER;
      sensor->objtype = kinds[next(s) % NKIND];
      mjs_setString(sensor->objname, nameOf(next(s)));
      mjs_sensorDim(sensor);
      return sensor->element;
    }
    case 11: {
      mjsEquality* const equality = mjs_addEquality(spec, NULL);
      equality->type = next(s) % 6;
      mjs_setString(equality->name1, nameOf(next(s)));
      mjs_setString(equality->name2, nameOf(next(s)));
      return equality->element;
    }
    case 12: {
      mjsTuple* const tuple = mjs_addTuple(spec);
      const int type = kinds[next(s) % NKIND];
      mjs_setInt(tuple->objtype, &type, next(s) % 2);
      mjs_appendString(tuple->objname, nameOf(next(s)));
      return tuple->element;
    }
    case 13: {
      const double value[7] = {1, 2, 3, 4, 5, 6, 7};
      mjsKey* const key = mjs_addKey(spec);
      mjs_setDouble(key->qpos, value, next(s) % 8);
      mjs_setDouble(key->ctrl, value, next(s) % 3);
      return key->element;
    }
    case 14: {
      mjsExclude* const exclude = mjs_addExclude(spec);
      mjs_setString(exclude->bodyname1, nameOf(next(s)));
      mjs_setString(exclude->bodyname2, nameOf(next(s)));
      return exclude->element;
    }
    case 15: {
      mjsPair* const pair = mjs_addPair(spec, NULL);
      mjs_setString(pair->geomname1, nameOf(next(s)));
      mjs_setString(pair->geomname2, nameOf(next(s)));
      return pair->element;
    }
    case 16: {
      double params[3] = {2, 2, 2};
      mjsMesh* const mesh = mjs_addMesh(spec, NULL);
      mjs_makeMesh(mesh, next(s) % 9, params, next(s) % 4);
      return mesh->element;
    }
    case 17: {
      mjsMaterial* const material = mjs_addMaterial(spec, NULL);
      mjs_setInStringVec(material->textures, next(s) % 3, nameOf(next(s)));
      return material->element;
    }
    case 18: {
      mjsTexture* const texture = mjs_addTexture(spec);
      texture->builtin = next(s) % 4;
      texture->width = texture->height = 4;
      return texture->element;
    }
    case 19:
      return mjs_addNumeric(spec)->element;
    case 20:
      return mjs_addSkin(spec)->element;
    default:
      return mjs_addFlex(spec)->element;
  }
}

static void attach(Session* s, mjSpec* spec) {
  mjSpec* const other = s->spec[next(s) % 2];
  const int kind = next(s) % 3;
  mjsElement* const child = kind == 0   ? pick(s, other, mjOBJ_BODY)
                            : kind == 1 ? pick(s, other, mjOBJ_FRAME)
                                        : other->element;
  mjsElement* const parent = pick(s, spec, next(s) % 2 ? mjOBJ_FRAME : mjOBJ_SITE);
  if (parent && child) mjs_attach(parent, child, nameOf(next(s)), "-");
}

static void compileOne(Session* s, mjSpec* spec) {
  if (!fuzzIsSmall(spec)) return;
  if (spec == s->spec[0] && s->m && next(s) % 2) {
    // a failure has deleted both
    if (mj_recompile(spec, NULL, s->m, s->d)) {
      s->m = NULL;
      s->d = NULL;
    }
    return;
  }
  mjModel* const m = mj_compile(spec, NULL);
  if (m && spec == s->spec[0]) {
    mj_deleteData(s->d);
    mj_deleteModel(s->m);
    s->m = m;
    s->d = fuzzIsQuick(m) ? mj_makeData(m) : NULL;
    if (s->d) mj_step(s->m, s->d);
  } else {
    mj_deleteModel(m);
  }
}

static void once(Session* s) {
  const int which = next(s) % 2;
  mjSpec* const spec = s->spec[which];
  // attaching to itself doubles a model each time: what is large enough is not edited further
  if (!fuzzIsSmall(s->spec[0]) || !fuzzIsSmall(s->spec[1])) return;
  mjsElement* const e = pick(s, spec, kinds[next(s) % NKIND]);
  switch (next(s) % 14) {
    case 0:
    case 1:
    case 2:
    case 3: {
      mjsElement* const made = add(s, spec);
      if (next(s) % 2) mjs_setName(made, nameOf(next(s)));
      break;
    }
    case 4:
      if (e) mjs_delete(spec, e);
      break;
    case 5:
      attach(s, spec);
      break;
    case 6:
      if (e) mjs_setName(e, nameOf(next(s)));
      break;
    case 7: {
      mjsElement* const frame = pick(s, spec, mjOBJ_FRAME);
      if (e && frame) mjs_setFrame(e, mjs_asFrame(frame));
      break;
    }
    case 8: {
      mjsBody* body = pickBody(s, spec);
      mjs_bodyToFrame(&body);
      break;
    }
    case 9: {
      // the copy takes the place of the other one
      mjSpec* const copy = mj_copySpec(spec);
      mj_deleteSpec(s->spec[1]);
      s->spec[1] = copy;
      break;
    }
    case 10:
      mjs_setDeepCopy(spec, next(s) % 2);
      break;
    case 11: {
      const mjsDefault* const def = mjs_addDefault(spec, nameOf(next(s)), NULL);
      if (e && def) mjs_setDefault(e, def);
      break;
    }
    case 12: {
      char text[4096], error[200];
      mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error));
      break;
    }
    default:
      compileOne(s, spec);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 400) return 0;
  mju_user_warning = fuzzIgnore;
  mju_user_error = fuzzLeave;
  static Session s;
  s = (Session){.at = data, .end = data + size};
  if (!setjmp(fuzzBack)) {
    for (int i = 0; i < 2; i++) s.spec[i] = mj_makeSpec();
    for (int i = 0; i < 40 && s.at < s.end; i++) once(&s);
  }

  // after an error too, everything can be walked and freed
  for (int i = 0; i < 2; i++) {
    int count = 0;
    for (int k = 0; k < NKIND && s.spec[i]; k++) {
      for (mjsElement* e = mjs_firstElement(s.spec[i], kinds[k]); e; e = mjs_nextElement(s.spec[i], e)) {
        if (++count > 100000) __builtin_trap();
      }
    }
  }
  mj_deleteData(s.d);
  mj_deleteModel(s.m);
  for (int i = 0; i < 2; i++) {
    if (s.spec[i]) mj_deleteSpec(s.spec[i]);
  }
  mju_user_error = NULL;
  return 0;
}
