// Models made and changed by the mjs_ functions: elements of every kind, attached models, deleted elements, classes,
// frames, copies; the compiled model is recorded, its text must load again and give the same.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden/cases.h"
#include "golden/fields.h"

static mjSpec* parse(const char* path) {
  char error[500] = "";
  mjSpec* const spec = mj_parseXML(path, NULL, error, sizeof(error));
  if (!spec) {
    fprintf(stderr, "%s: %s\n", path, error);
    exit(1);
  }
  return spec;
}

// records the model, then that of a copy of the spec and that of the model's text
static void record(Rec* rec, const char* name, mjSpec* spec) {
  mjModel* const m = mj_compile(spec, NULL);
  rec_scope(rec, "%s ", name);
  if (!m) {
    rec_text(rec, "error", mjs_getError(spec));
    mj_deleteSpec(spec);
    return;
  }
  fld_model(rec, m);
  rec_num(rec, "mass", (const double[]){mj_getTotalmass(m)}, 1);
  mjSpec* const copy = mj_copySpec(spec);
  mjModel* const again = mj_compile(copy, NULL);
  rec_scope(rec, "%s copy ", name);
  rec_int(rec, "compiled", (const int[]){again != NULL}, 1);
  if (again) {
    rec_num(rec, "body_pos", again->body_pos, 3 * (size_t)again->nbody);
    rec_num(rec, "geom_pos", again->geom_pos, 3 * (size_t)again->ngeom);
    rec_bytes(rec, "names", again->names, (size_t)again->nnames);
    mj_deleteModel(again);
  }
  mj_deleteSpec(copy);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

static void setEuler(mjsOrientation* alt, double x, double y, double z) {
  alt->type = mjORIENTATION_EULER;
  alt->euler[0] = x;
  alt->euler[1] = y;
  alt->euler[2] = z;
}

//---------------------------------- from nothing ----------------------------------

static mjsGeom* addGeom(mjsBody* body, int type, double size, const char* name) {
  mjsGeom* const geom = mjs_addGeom(body, NULL);
  geom->type = (mjtGeom)type;
  for (int i = 0; i < 3; i++) geom->size[i] = size * (1 + 0.2 * i);
  if (name) mjs_setName(geom->element, name);
  return geom;
}

static void addRest(mjSpec* s) {
  mjsTendon* const tendon = mjs_addTendon(s, NULL);
  mjs_setName(tendon->element, "tendon");
  mjs_wrapSite(tendon, "site");
  mjs_wrapSite(tendon, "anchor");
  mjs_wrapPulley(tendon, 2);
  mjs_wrapSite(tendon, "anchor");
  mjs_wrapSite(tendon, "site");
  mjsTendon* const fixed = mjs_addTendon(s, NULL);
  mjs_wrapJoint(fixed, "hinge", 0.7);
  mjsActuator* const actuator = mjs_addActuator(s, NULL);
  actuator->trntype = mjTRN_JOINT;
  mjs_setString(actuator->target, "hinge");
  double kv = 0.3;
  mjs_setToPosition(actuator, 5, &kv, NULL, NULL, 0);
  mjsActuator* const muscle = mjs_addActuator(s, NULL);
  muscle->trntype = mjTRN_TENDON;
  mjs_setString(muscle->target, "tendon");
  double timeconst[2] = {0.02, 0.05}, range[2] = {0.7, 1.1};
  mjs_setToMuscle(muscle, timeconst, 0.1, range, 20, 150, 0.5, 1.6, 1.4, 1.3, 1.1);
  muscle->lengthrange[0] = 0.1;
  muscle->lengthrange[1] = 2;
  mjsSensor* const sensor = mjs_addSensor(s);
  sensor->type = mjSENS_TENDONPOS;
  sensor->objtype = mjOBJ_TENDON;
  mjs_setString(sensor->objname, "tendon");
  mjsEquality* const equality = mjs_addEquality(s, NULL);
  equality->type = mjEQ_CONNECT;
  equality->objtype = mjOBJ_BODY;
  mjs_setString(equality->name1, "arm");
  mjs_setString(equality->name2, "free");
  equality->data[0] = 0.1;
  mjsKey* const key = mjs_addKey(s);
  key->time = 0.4;
  mjsNumeric* const numeric = mjs_addNumeric(s);
  mjs_setName(numeric->element, "numbers");
  mjs_setDouble(numeric->data, (const double[]){1, 2, 3}, 3);
  numeric->size = 4;
}

static mjSpec* scratch(void) {
  mjSpec* const s = mj_makeSpec();
  mjsBody* const world = mjs_findBody(s, "world");
  mjsDefault* const def = mjs_addDefault(s, "blue", NULL);
  def->geom->rgba[2] = 0.9F;
  def->geom->friction[0] = 0.3;
  def->joint->damping = 0.4;
  mjsSite* const anchor = mjs_addSite(world, NULL);
  mjs_setName(anchor->element, "anchor");
  anchor->pos[2] = 2;
  setEuler(&anchor->alt, 10, 20, 30);
  mjsFrame* const frame = mjs_addFrame(world, NULL);
  frame->pos[0] = 0.5;
  setEuler(&frame->alt, 40, 0, 10);
  mjsBody* const arm = mjs_addBody(world, NULL);
  mjs_setName(arm->element, "arm");
  mjs_setFrame(arm->element, frame);
  arm->pos[2] = 1;
  mjsJoint* const hinge = mjs_addJoint(arm, def);
  mjs_setName(hinge->element, "hinge");
  hinge->axis[0] = 0.6;
  addGeom(arm, mjGEOM_CAPSULE, 0.1, "link");
  mjs_setDefault(addGeom(arm, mjGEOM_ELLIPSOID, 0.12, NULL)->element, def);
  mjsSite* const site = mjs_addSite(arm, NULL);
  mjs_setName(site->element, "site");
  site->pos[0] = 0.2;
  mjsBody* const loose = mjs_addBody(world, NULL);
  mjs_setName(loose->element, "free");
  loose->pos[1] = 1;
  mjs_addFreeJoint(loose);
  addGeom(loose, mjGEOM_BOX, 0.1, "box");
  addGeom(loose, mjGEOM_CYLINDER, 0.05, NULL)->pos[0] = 0.2;
  mjsCamera* const camera = mjs_addCamera(loose, NULL);
  camera->fovy = 60;
  mjsLight* const light = mjs_addLight(loose, NULL);
  light->dir[0] = 0.3;
  addRest(s);
  return s;
}

//---------------------------------- attached ----------------------------------

// bodies, frames and the world of another model below frames and sites that are turned
static mjSpec* attached(int how) {
  mjSpec* const parent = parse("test/models/golden/loops.xml");
  static const char* const CHILDREN[] = {"golden/transmissions", "golden/passive", "golden/transmissions",
                                         "golden/passive",       "golden/muscles", "tendons"};
  char path[100];
  snprintf(path, sizeof(path), "test/models/%s.xml", CHILDREN[how]);
  mjSpec* const child = parse(path);
  mjsBody* const body = mjs_findBody(parent, "a");
  if (how < 2) {
    mjsFrame* const frame = mjs_addFrame(body, NULL);
    frame->pos[1] = 0.3;
    setEuler(&frame->alt, 30, 40, 50);
    mjsBody* const branch = mjs_findBody(child, how ? "ball" : "wheel");
    mjs_attach(frame->element, branch->element, "p_", "_s");
  } else if (how < 4) {
    mjsSite* const site = mjs_addSite(body, NULL);
    site->pos[0] = 0.2;
    setEuler(&site->alt, 15, 25, 35);
    mjsBody* const branch = mjs_findBody(child, how % 2 ? "sd" : "crank");
    mjs_attach(site->element, branch->element, "left-", "");
  } else {
    mjsFrame* const frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
    frame->pos[2] = 0.7;
    mjsFrame* const whole = mjs_addFrame(mjs_findBody(child, "world"), NULL);
    setEuler(&whole->alt, 0, 20, 0);
    mjs_attach(frame->element, mjs_findBody(child, "world")->element, "w/", "/x");
  }
  mj_deleteSpec(child);
  return parent;
}

//---------------------------------- changed ----------------------------------

static mjSpec* changed(void) {
  mjSpec* const s = parse("test/models/golden/builder.xml");
  for (mjsElement* element = mjs_firstElement(s, mjOBJ_GEOM); element; element = mjs_nextElement(s, element)) {
    mjs_asGeom(element)->rgba[0] = 0.25F;
    mjs_asGeom(element)->margin += 0.001;
  }
  mjs_delete(s, mjs_findElement(s, mjOBJ_BODY, "child"));
  mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "ac"));
  mjs_delete(s, mjs_findElement(s, mjOBJ_JOINT, "rj-1"));
  mjsBody* body = mjs_findBody(s, "freenot");
  mjs_delete(s, mjs_firstChild(body, mjOBJ_JOINT, 0));
  mjs_bodyToFrame(&body);
  mjs_setName(mjs_findElement(s, mjOBJ_BODY, "tiny"), "renamed");
  mjsElement* const child = mjs_firstChild(mjs_findBody(s, "grav"), mjOBJ_GEOM, 1);
  if (child) mjs_asGeom(child)->pos[0] += 0.1;
  s->compiler.settotalmass = 5;
  return s;
}

// compiled, moved on in time, changed and compiled again with its state
static void recompiled(Rec* rec) {
  mjSpec* const s = parse("test/models/golden/muscles.xml");
  mjModel* const m = mj_compile(s, NULL);
  mjData* const d = mj_makeData(m);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.3;
  for (int i = 0; i < 5; i++) mj_step(m, d);
  mjsBody* const body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjs_addFreeJoint(body);
  addGeom(body, mjGEOM_SPHERE, 0.1, NULL);
  mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "m2"));
  mjs_delete(s, mjs_findElement(s, mjOBJ_ACTUATOR, "affine"));
  const int failed = mj_recompile(s, NULL, m, d);
  rec_scope(rec, "recompiled ");
  rec_int(rec, "failed", &failed, 1);
  fld_model(rec, m);
  fld_state(rec, m, d);
  mj_copyBack(s, m);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

void gold_edits(Rec* rec, const void* arg) {
  (void)arg;
  record(rec, "scratch", scratch());
  for (int how = 0; how < 6; how++) {
    char name[20];
    snprintf(name, sizeof(name), "attached %d", how);
    record(rec, name, attached(how));
  }
  record(rec, "changed", changed());
  recompiled(rec);
}
