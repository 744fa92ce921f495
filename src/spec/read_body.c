// The body tree of MJCF: bodies, frames, copies and attachments.
#include <string.h>

#include "spec/attach.h"
#include "spec/read.h"

// where an element goes and what it inherits
typedef struct {
  SpcBody* body;
  SpcFrame* frame;
  SpcDefault* class;
} Place;

static SpcDefault* childClass(SpcReader* r, const XmlNode* node, SpcDefault* inherited) {
  const char* name = xml_attribute(node, "childclass");
  if (!name) return inherited;
  SpcDefault* class = spc_findDefault(r->model, name);
  if (!class) spc_readFail(r, node, "unknown default childclass");
  return class;
}

static void readInertial(SpcReader* r, const XmlNode* node, mjsBody* body) {
  if (!spc_head(body->element)->body) spc_readFail(r, node, "World body cannot have inertia");
  body->explicitinertial = 1;
  spc_readRows(r, node, spc_rowsInertial, body, NULL);
  spc_readOrientation(r, node, body->iquat, &body->ialt);

  // full and diagonal inertia exclude each other, and a full one brings its own axes
  if (xml_attribute(node, "fullinertia")) {
    if (xml_attribute(node, "quat") || body->ialt.type != mjORIENTATION_QUAT) {
      spc_readFail(r, node, "fullinertia and inertial orientation cannot both be specified");
    }
  }
}

static SpcFrame* addFrame(Place place) {
  mjsFrame* frame = mjs_addFrame(&place.body->spec, place.frame ? &place.frame->spec : NULL);
  return (SpcFrame*)spc_head(frame->element);
}

static void readFrame(SpcReader* r, const XmlNode* node, Place place) {
  SpcDefault* class = childClass(r, node, place.class);
  SpcFrame* frame = addFrame(place);
  spc_readRows(r, node, spc_rowsFrame, &frame->spec, &frame->head);
  spc_readOrientation(r, node, frame->spec.quat, &frame->spec.alt);
  spc_readBody(r, node, place.body, frame, class);
}

static void readChildBody(SpcReader* r, const XmlNode* node, Place place) {
  SpcDefault* class = childClass(r, node, place.class);
  SpcBody* child = (SpcBody*)spc_head(mjs_addBody(&place.body->spec, class ? &class->spec : NULL)->element);
  child->head.frame = place.frame;
  spc_readRows(r, node, spc_rowsBody, &child->spec, &child->head);
  spc_readOrientation(r, node, child->spec.quat, &child->spec.alt);
  spc_readBody(r, node, child, NULL, class);
}

// several copies of what stands inside, each moved and turned further
static void readReplicate(SpcReader* r, const XmlNode* node, Place place) {
  int count = 0;
  spc_readRequired(r, node, "count");
  spc_readInts(r, node, "count", &count, 1, 1);
  if (count < 0) count = 0;
  double offset[3] = {0}, euler[3] = {0};
  spc_readDoubles(r, node, "offset", offset, 3, 3);
  spc_readDoubles(r, node, "euler", euler, 3, 3);
  const char* separator = xml_attribute(node, "sep");

  // the original is read into a frame of its own, which the copies replace
  SpcFrame* original = addFrame(place);
  spc_setPlace(r, node, &original->head);
  spc_readBody(r, node, place.body, original, place.class);
  SpcReplicate plan = {.original = original, .count = count, .separator = separator ? separator : ""};
  memcpy(plan.offset, offset, sizeof(offset));
  memcpy(plan.euler, euler, sizeof(euler));
  if (spc_replicate(r->model, &plan)) spc_readFail(r, node, "%s", r->model->error);
}

static void readAttach(SpcReader* r, const XmlNode* node, Place place) {
  const char* name = spc_readRequired(r, node, "model");
  const char* bodyName = xml_attribute(node, "body");
  if (bodyName && !*bodyName) bodyName = NULL;
  const char* prefix = spc_readRequired(r, node, "prefix");
  mjSpec* child = NULL;
  for (int i = 0; i < r->model->models.count && !child; i++) {
    mjSpec* known = r->model->models.at[i]->spec;
    if (spc_textIs(known->modelname, name)) child = known;
  }
  if (!child) spc_readFail(r, node, "could not find model '%s'", name);

  // a named body, or everything in the child's world
  SpcFrame* frame = addFrame(place);
  spc_setPlace(r, node, &frame->head);
  const mjsElement* source = child->element;
  SpcString attached = {0};
  spc_textJoin(&attached, prefix, bodyName ? bodyName : "", "");
  SpcElement* before = bodyName ? spc_find(r->model, SPC_BODY, spc_text(&attached)) : NULL;
  spc_textFree(&attached);

  // a body that is there already only gets the frame
  if (before) {
    if (mjs_setFrame(&before->base, &frame->spec)) spc_readFail(r, node, "%s", r->model->error);
    return;
  }
  if (bodyName) {
    mjsBody* body = mjs_findBody(child, bodyName);
    if (!body) spc_readFail(r, node, "could not find body '%s''%s'", bodyName, name);
    source = body->element;
  }
  // the child stays as it is: it may be attached more than once
  const int deepcopy = r->model->deepcopy;
  r->model->deepcopy = 1;
  const mjsElement* made = mjs_attach(&frame->head.base, source, prefix, "");
  r->model->deepcopy = deepcopy;
  if (!made) spc_readFail(r, node, "%s", r->model->error);
}

// elements of a body that take a class; returns 0 when the node is none of them
static int readLeaf(SpcReader* r, const XmlNode* node, Place place) {
  mjsBody* body = &place.body->spec;
  const char* name = node->name;
  SpcElement* made;
  if (!strcmp(name, "joint")) {
    if (!place.body->head.body) spc_readFail(r, node, "World body cannot have joints");
    mjsJoint* joint = mjs_addJoint(body, &spc_readClass(r, node, place.class)->spec);
    made = spc_head(joint->element);
    spc_readJoint(r, node, joint);
  } else if (!strcmp(name, "freejoint")) {
    if (!place.body->head.body) spc_readFail(r, node, "World body cannot have joints");
    mjsJoint* joint = mjs_addFreeJoint(body);
    made = spc_head(joint->element);
    spc_readRows(r, node, spc_rowsFreejoint, joint, made);
  } else if (!strcmp(name, "geom")) {
    mjsGeom* geom = mjs_addGeom(body, &spc_readClass(r, node, place.class)->spec);
    made = spc_head(geom->element);
    spc_readGeom(r, node, geom);
  } else if (!strcmp(name, "site")) {
    mjsSite* site = mjs_addSite(body, &spc_readClass(r, node, place.class)->spec);
    made = spc_head(site->element);
    spc_readSite(r, node, site);
  } else if (!strcmp(name, "camera")) {
    mjsCamera* camera = mjs_addCamera(body, &spc_readClass(r, node, place.class)->spec);
    made = spc_head(camera->element);
    spc_readCamera(r, node, camera);
  } else if (!strcmp(name, "light")) {
    mjsLight* light = mjs_addLight(body, &spc_readClass(r, node, place.class)->spec);
    made = spc_head(light->element);
    spc_readLight(r, node, light);
  } else {
    return 0;
  }
  made->frame = place.frame;
  return 1;
}

void spc_readBody(SpcReader* r, const XmlNode* node, SpcBody* body, SpcFrame* frame, SpcDefault* childclass) {
  const Place place = {body, frame, childclass};
  for (const XmlNode* child = node->first; child; child = child->next) {
    if (readLeaf(r, child, place)) continue;
    if (!strcmp(child->name, "inertial")) {
      readInertial(r, child, &body->spec);
    } else if (!strcmp(child->name, "body")) {
      readChildBody(r, child, place);
    } else if (!strcmp(child->name, "frame")) {
      readFrame(r, child, place);
    } else if (!strcmp(child->name, "replicate")) {
      readReplicate(r, child, place);
    } else if (!strcmp(child->name, "attach")) {
      readAttach(r, child, place);
    } else if (!strcmp(child->name, "plugin")) {
      spc_readPlugin(r, child, &body->spec.plugin);
    } else if (!strcmp(child->name, "composite")) {
      spc_readComposite(r, child, body, frame);
    } else if (!strcmp(child->name, "flexcomp")) {
      spc_readFlexcomp(r, child, body, frame);
    }
  }
}
