// The body tree as MJCF: bodies, frames, joints, geoms, sites, cameras, lights.
#include <math.h>
#include <string.h>

#include "spec/write.h"

// attributes in the order of the reference's files
static const char orderBody[] = "pos. quat| mocap gravcomp sleep user";
static const char orderInertial[] = "pos! quat| mass! diaginertia fullinertia";
static const char orderJoint[] =
    "type group ref springref solreflimit~ solimplimit~ solreffriction~ solimpfriction~ stiffness limited range "
    "actuatorfrclimited actuatorgravcomp actuatorfrcrange margin armature damping frictionloss springdamper user";
static const char orderGeom[] =
    "pos. quat| type contype conaffinity condim group priority friction~ solmix solref~ solimp~ margin gap fluidshape "
    "fluidcoef shellinertia mass density material rgba hfield mesh fitscale user";
static const char orderCamera[] =
    "target pos! quat| ipd mode resolution output projection sensorsize focal focalpixel principal principalpixel";
static const char orderLight[] =
    "target pos! dir! bulbradius intensity range type texture castshadow active attenuation cutoff exponent ambient "
    "diffuse specular mode";

//---------------------------------- leaves ----------------------------------

static void writeJoint(SpcWriter* w, XmlNode* node, const mjsJoint* s, const mjsJoint* base) {
  const char* place = s->type == mjJNT_FREE ? "" : s->type == mjJNT_BALL ? "pos!" : "pos! axis!";
  spc_writeRows(w, node, spc_rowsJoint, w->defaults ? "pos axis" : place, s, base);
  spc_writeRows(w, node, spc_rowsJoint, orderJoint, s, base);
}

static void writeGeom(SpcWriter* w, XmlNode* node, const mjsGeom* s, const mjsGeom* base) {
  // a shape that is fitted to a mesh has its sizes from there
  if (spc_textEmpty(s->meshname)) spc_writeSize(w, node, s->type, s->size, base->size);
  spc_writeRows(w, node, spc_rowsGeom, orderGeom, s, base);
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
      break;
    case SPC_GEOM:
      writeGeom(w, node, spec, base);
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

// The frame that elements are being written into. Poses are those in the body, so a frame is written for its name and
// class alone. Elements are written kind by kind in the order of their numbers, and a frame is opened again whenever
// that order comes back to it.
typedef struct {
  XmlNode* body;          // node of the body
  XmlNode* node;          // node of the open frame, or of the body
  const SpcFrame* frame;  // NULL: none is open
  SpcList named;          // frames whose name was written
} Place;

static const SpcDefault* frameClass(const SpcWriter* w, const SpcFrame* frame, const SpcDefault* outside) {
  for (const SpcFrame* up = frame; up; up = up->head.frame) {
    const SpcDefault* own = spc_findDefault(w->model, spc_text(up->spec.childclass));
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

static void writeInertial(SpcWriter* w, XmlNode* node, const mjsBody* s) {
  if (!s->explicitinertial) return;
  mjsBody base, written = *s;
  mjs_defaultBody(&base);

  // a full inertia says where its axes are, an orientation beside it has no say and cannot be read back
  if (!isnan(s->fullinertia[0])) memcpy(written.iquat, base.iquat, sizeof(base.iquat));
  spc_writeRows(w, xml_addChild(w->document, node, "inertial"), spc_rowsInertial, orderInertial, &written, &base);
}

static void writeBody(SpcWriter* w, XmlNode* parent, const SpcBody* body, const SpcDefault* class) {
  mjsBody base;
  mjs_defaultBody(&base);
  SpcAny ours;
  const mjsBody* s = spc_plain(&body->head, &body->spec, &ours);
  const SpcDefault* own = spc_findDefault(w->model, spc_text(s->childclass));
  XmlNode* node = xml_addChild(w->document, parent, "body");
  spc_writeText(w, node, "name", &body->head.name);
  if (own && own != class) spc_writeText(w, node, "childclass", s->childclass);
  spc_writeRows(w, node, spc_rowsBody, orderBody, s, &base);
  writeInertial(w, node, s);
  spc_writeChildren(w, node, body, own ? own : class);
}

void spc_writeChildren(SpcWriter* w, XmlNode* node, const SpcBody* body, const SpcDefault* class) {
  static const SpcKindId order[] = {SPC_JOINT, SPC_GEOM, SPC_SITE, SPC_CAMERA, SPC_LIGHT, SPC_BODY};
  Place place = {.body = node, .node = node};
  for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
    if (order[k] == SPC_BODY) spc_writePlugin(w, node, &body->spec.plugin);
    for (int i = 0; i < body->child[order[k]].count; i++) {
      const SpcElement* e = body->child[order[k]].at[i];
      enterFrame(w, &place, e->frame);
      const SpcDefault* inherited = frameClass(w, e->frame, class);
      if (order[k] == SPC_BODY) {
        writeBody(w, place.node, (const SpcBody*)e, inherited);
      } else {
        spc_writeLeaf(w, place.node, e, inherited);
      }
    }
  }

  // frames that hold nothing
  for (int i = 0; i < body->child[SPC_FRAME].count; i++) {
    const SpcFrame* frame = (const SpcFrame*)body->child[SPC_FRAME].at[i];
    if (!spc_textEmpty(&frame->head.name) && !isNamed(&place, frame)) enterFrame(w, &place, frame);
  }
  spc_listFree(&place.named);
}
