// The body tree as MJCF: bodies, frames, joints, geoms, sites, cameras, lights.
#include <math.h>
#include <string.h>

#include "spec/write.h"

// attributes in the order of the reference's files
static const char orderBody[] = "pos. quat| mocap gravcomp sleep user";
static const char orderInertial[] = "pos! quat| mass! diaginertia fullinertia";
static const char orderJoint[] =
    "type group ref springref solreflimit~ solimplimit~ solreffriction~ solimpfriction~ stiffness limited range "
    "actuatorfrclimited actuatorgravcomp actuatorfrcrange margin armature damping frictionloss user";
static const char orderGeom[] =
    "pos. quat| type contype conaffinity condim group priority friction~ solmix solref~ solimp~ margin gap fluidshape "
    "fluidcoef shellinertia";
static const char orderLook[] = "material rgba hfield mesh fitscale user";
static const char orderCamera[] =
    "target pos! quat| ipd mode resolution output projection sensorsize focal focalpixel principal principalpixel";
static const char orderLight[] =
    "target pos! dir! bulbradius intensity range type texture castshadow active attenuation cutoff exponent ambient "
    "diffuse specular mode";

// what stands in a body beside other bodies, in the order of the reference's files
static const SpcKindId leaves[] = {SPC_JOINT, SPC_GEOM, SPC_SITE, SPC_CAMERA, SPC_LIGHT};
enum { LEAVES = sizeof(leaves) / sizeof(leaves[0]) };

//---------------------------------- leaves ----------------------------------

// a time constant and damping ratio are written as the spring that they came to
static void settleSpring(const SpcModel* model, const SpcElement* e, mjsJoint* s) {
  const double* spring = (const double*)(const void*)model->springs.begin;
  const int compiled = e->id >= 0 && (size_t)e->id < spc_vecCount(&model->springs, 2 * sizeof(double));
  if (s->springdamper[0] <= 0 || !compiled) return;
  s->stiffness = spring[2 * e->id];
  s->damping = spring[2 * e->id + 1];
}

static void writeJoint(SpcWriter* w, XmlNode* node, const mjsJoint* s, const mjsJoint* base) {
  const char* place = s->type == mjJNT_FREE ? "" : s->type == mjJNT_BALL ? "pos!" : "pos! axis!";
  spc_writeRows(w, node, spc_rowsJoint, w->defaults ? "pos axis" : place, s, base);
  spc_writeRows(w, node, spc_rowsJoint, orderJoint, s, base);
}

static void writeGeom(SpcWriter* w, XmlNode* node, const mjsGeom* s, const mjsGeom* base) {
  // a shape that is fitted to a mesh has its sizes from there
  if (spc_textEmpty(s->meshname)) spc_writeSize(w, node, s->type, s->size, base->size);
  spc_writeRows(w, node, spc_rowsGeom, orderGeom, s, base);

  // where a mass is given, the density says nothing
  spc_writeRows(w, node, spc_rowsGeom, isnan(s->mass) ? "density" : "mass", s, base);
  spc_writeRows(w, node, spc_rowsGeom, orderLook, s, base);
  spc_writePlugin(w, node, &s->plugin);
}

static void writeSite(SpcWriter* w, XmlNode* node, const mjsSite* s, const mjsSite* base) {
  spc_writeRows(w, node, spc_rowsSite, "pos! quat|", s, base);
  spc_writeSize(w, node, s->type, s->size, base->size);
  spc_writeRows(w, node, spc_rowsSite, "group type material rgba user", s, base);
}

static void writeCamera(SpcWriter* w, XmlNode* node, const mjsCamera* s, const mjsCamera* base) {
  spc_writeRows(w, node, spc_rowsCamera, orderCamera, s, base);
  const int intrinsic = s->sensor_size[0] > 0 && s->sensor_size[1] > 0;
  spc_writeRows(w, node, spc_rowsCamera, intrinsic ? "user" : "fovy user", s, base);
}

void spc_writeLeaf(SpcWriter* w, XmlNode* parent, const SpcElement* e, const SpcDefault* class) {
  SpcElement read = *e;  // as it will be when it is read again
  if (w->defaults || !read.class) read.class = (SpcDefault*)(uintptr_t) class;
  SpcAny ours, builtin, theirs;
  const void* base = spc_writeBase(&read, &builtin);
  read.frame = NULL;
  base = spc_plain(&read, base, &theirs);
  const void* spec = spc_plain(e, e->spec, &ours);
  if (e->kind == SPC_JOINT && !w->defaults) settleSpring(w->model, e, &ours.joint);

  // only a free joint's own element knows alignment
  const int aligned = e->kind == SPC_JOINT && ours.joint.type == mjJNT_FREE && ours.joint.align != mjALIGNFREE_AUTO;
  XmlNode* node = xml_addChild(w->document, parent, aligned && !w->defaults ? "freejoint" : spc_kinds[e->kind].name);
  if (!w->defaults) {
    spc_writeText(w, node, "name", &e->name);
    if (!aligned) spc_writeClass(w, node, e, class);
  }
  if (aligned && !w->defaults) {
    SpcAny none;
    mjs_defaultJoint(&none.joint);
    spc_writeRows(w, node, spc_rowsFreejoint, "group align", spec, &none);
    return;
  }
  switch (e->kind) {
    case SPC_JOINT:
      writeJoint(w, node, spec, base);
      spc_writeSettings(w, node, &read);
      break;
    case SPC_GEOM:
      writeGeom(w, node, spec, base);
      spc_writeSettings(w, node, &read);
      break;
    case SPC_SITE:
      writeSite(w, node, spec, base);
      break;
    case SPC_CAMERA:
      writeCamera(w, node, spec, base);
      break;
    default:
      spc_writeRows(w, node, spc_rowsLight, orderLight, spec, base);
  }
}

//---------------------------------- frames ----------------------------------

// Poses are those in the body, so a frame is written for its name and class alone. A frame holds all of its elements
// where that leaves them in the order of their numbers. Otherwise they are written kind by kind in that order, and a
// frame is opened again whenever the order comes back to it: then this is the frame that is being written into.
typedef struct {
  XmlNode* body;          // node of the body
  XmlNode* node;          // node of the open frame, or of the body
  const SpcFrame* frame;  // NULL: none is open
  SpcList named;          // frames whose name was written
} Place;

// the class that a body or frame names for its children; NULL: none
static const SpcDefault* childClass(const SpcWriter* w, const mjString* name) {
  return *spc_text(name) ? spc_findDefault(w->model, spc_text(name)) : NULL;
}

static const SpcDefault* frameClass(const SpcWriter* w, const SpcFrame* frame, const SpcDefault* outside) {
  for (const SpcFrame* up = frame; up; up = up->head.frame) {
    const SpcDefault* own = childClass(w, up->spec.childclass);
    if (own) return own;
  }
  return outside;
}

static int isNamed(const Place* place, const SpcFrame* frame) {
  for (int i = 0; i < place->named.count; i++) {
    if (place->named.at[i] == &frame->head) return 1;
  }
  return 0;
}

// opens a frame and those around it; a name is written only once
static XmlNode* openFrame(SpcWriter* w, Place* place, const SpcFrame* frame) {
  if (!frame) return place->body;
  XmlNode* outside = openFrame(w, place, frame->head.frame);
  const int silent = spc_textEmpty(&frame->head.name) || isNamed(place, frame);
  if (silent && spc_textEmpty(frame->spec.childclass)) return outside;
  XmlNode* node = xml_addChild(w->document, outside, "frame");
  if (!silent) {
    spc_writeText(w, node, "name", &frame->head.name);
    spc_listAdd(&place->named, (SpcElement*)(uintptr_t)&frame->head);
  }
  spc_writeText(w, node, "childclass", frame->spec.childclass);
  return node;
}

static void enterFrame(SpcWriter* w, Place* place, const SpcFrame* frame) {
  if (place->frame == frame) return;
  place->node = openFrame(w, place, frame);
  place->frame = frame;
}

//---------------------------------- bodies ----------------------------------

// the inertia that was given, unless geoms overrule it; that of the compiled model where the model wants it saved
static void writeInertial(SpcWriter* w, XmlNode* node, const SpcBody* body, const mjsBody* given) {
  const mjsCompiler* compiler = spc_compiler(&body->head);
  mjsBody base, s = *given;
  mjs_defaultBody(&base);
  if (w->model->spec.compiler.saveinertial && body->head.id > 0) {
    s.mass = body->inertial.mass;
    s.fullinertia[0] = NAN;
    memcpy(s.ipos, body->inertial.pos, sizeof(s.ipos));
    memcpy(s.iquat, body->inertial.quat, sizeof(s.iquat));
    memcpy(s.inertia, body->inertial.diagonal, sizeof(s.inertia));
  } else if (!s.explicitinertial ||
             (compiler->inertiafromgeom == mjINERTIAFROMGEOM_TRUE && body->child[SPC_GEOM].count)) {
    return;
  }

  // a full inertia says where its axes are, an orientation beside it has no say and cannot be read back
  if (!isnan(s.fullinertia[0])) memcpy(s.iquat, base.iquat, sizeof(base.iquat));
  spc_writeRows(w, xml_addChild(w->document, node, "inertial"), spc_rowsInertial, orderInertial, &s, &base);
}

static void writeBody(SpcWriter* w, XmlNode* parent, const SpcBody* body, const SpcDefault* class) {
  mjsBody base;
  mjs_defaultBody(&base);
  SpcAny ours;
  const mjsBody* s = spc_plain(&body->head, &body->spec, &ours);
  const SpcDefault* own = childClass(w, s->childclass);
  XmlNode* node = xml_addChild(w->document, parent, "body");
  spc_writeText(w, node, "name", &body->head.name);
  if (own && own != class) spc_writeText(w, node, "childclass", s->childclass);
  spc_writeRows(w, node, spc_rowsBody, orderBody, s, &base);
  spc_writeSettings(w, node, &body->head);
  writeInertial(w, node, body, s);
  spc_writeChildren(w, node, body, own ? own : class);
}

// kind by kind, in the order of their numbers
static void writeInOrder(SpcWriter* w, XmlNode* node, const SpcBody* body, const SpcDefault* class) {
  Place place = {.body = node, .node = node, .named = SPC_TEMPORARY};
  for (int k = 0; k < LEAVES; k++) {
    for (int i = 0; i < body->child[leaves[k]].count; i++) {
      const SpcElement* e = body->child[leaves[k]].at[i];
      enterFrame(w, &place, e->frame);
      spc_writeLeaf(w, place.node, e, frameClass(w, e->frame, class));
    }
  }
  spc_writePlugin(w, node, &body->spec.plugin);
  for (int i = 0; i < body->child[SPC_BODY].count; i++) {
    const SpcElement* e = body->child[SPC_BODY].at[i];
    enterFrame(w, &place, e->frame);
    writeBody(w, place.node, (const SpcBody*)e, frameClass(w, e->frame, class));
  }

  // frames that hold nothing
  for (int i = 0; i < body->child[SPC_FRAME].count; i++) {
    const SpcFrame* frame = (const SpcFrame*)body->child[SPC_FRAME].at[i];
    if (!spc_textEmpty(&frame->head.name) && !isNamed(&place, frame)) enterFrame(w, &place, frame);
  }
  spc_listFree(&place.named);
}

// Walks through what a body holds frame by frame. With a writer it writes it; without, it finds out whether the
// elements are met in the order of their numbers.
typedef struct {
  SpcWriter* w;
  const SpcBody* body;
  int met[SPC_LIGHT + 1];  // elements so far, by kind
  int inOrder;
} Walk;

static void meet(Walk* walk, XmlNode* node, const SpcElement* e, const SpcDefault* class) {
  if (!walk->w) {
    walk->inOrder &= walk->body->child[e->kind].at[walk->met[e->kind]++] == e;
  } else if (e->kind == SPC_BODY) {
    writeBody(walk->w, node, (const SpcBody*)e, class);
  } else {
    spc_writeLeaf(walk->w, node, e, class);
  }
}

static void walkFrame(Walk* walk, XmlNode* node, const SpcFrame* frame, const SpcDefault* class);

static void walkFramesIn(Walk* walk, XmlNode* node, const SpcFrame* outside, const SpcDefault* class) {
  const SpcList* frames = &walk->body->child[SPC_FRAME];
  for (int i = 0; i < frames->count; i++) {
    const SpcFrame* frame = (const SpcFrame*)frames->at[i];
    if (frame->head.frame != outside) continue;
    const SpcDefault* inside = walk->w ? frameClass(walk->w, frame, class) : class;
    const int silent = spc_textEmpty(&frame->head.name) && (!inside || !inside->parent);
    XmlNode* place = node;
    if (walk->w && !silent) {
      place = xml_addChild(walk->w->document, node, "frame");
      spc_writeText(walk->w, place, "name", &frame->head.name);
      if (inside && inside->parent) spc_writeText(walk->w, place, "childclass", &inside->head.name);
    }
    walkFrame(walk, place, frame, inside);
  }
}

// leaves, bodies outside of frames up to the first inside one, frames, the other bodies
static void walkFrame(Walk* walk, XmlNode* node, const SpcFrame* frame, const SpcDefault* class) {
  for (int k = 0; k < LEAVES; k++) {
    const SpcList* list = &walk->body->child[leaves[k]];
    for (int i = 0; i < list->count; i++) {
      if (list->at[i]->frame == frame) meet(walk, node, list->at[i], class);
    }
  }
  if (walk->w && !frame) spc_writePlugin(walk->w, node, &walk->body->spec.plugin);
  const SpcList* bodies = &walk->body->child[SPC_BODY];
  int walked = 0;
  for (int i = 0; i < bodies->count; i++) {
    if (bodies->at[i]->frame == frame) meet(walk, node, bodies->at[i], class);
    if (walked || (!bodies->at[i]->frame && i + 1 < bodies->count)) continue;
    walkFramesIn(walk, node, frame, class);
    walked = 1;
  }
  if (!walked) walkFramesIn(walk, node, frame, class);
}

// 1: a frame of the body has something to say, and no element changes its number when it stands inside
static int canStayTogether(const SpcBody* body) {
  const SpcList* frames = &body->child[SPC_FRAME];
  int said = 0;
  for (int i = 0; i < frames->count && !said; i++) {
    const SpcFrame* frame = (const SpcFrame*)frames->at[i];
    said = !spc_textEmpty(&frame->head.name) || !spc_textEmpty(frame->spec.childclass);
  }
  Walk walk = {.body = body, .inOrder = 1};
  if (said) walkFrame(&walk, NULL, NULL, NULL);
  return said && walk.inOrder;
}

void spc_writeChildren(SpcWriter* w, XmlNode* node, const SpcBody* body, const SpcDefault* class) {
  if (canStayTogether(body)) {
    walkFrame(&(Walk){.w = w, .body = body}, node, NULL, class);
  } else {
    writeInOrder(w, node, body, class);
  }
}
