// <composite type="cable">: a chain of bodies along a curve, each with one geom, joined by ball joints.
//
// Vertices v0 … vn lie on the curve; link i runs from v[i] to v[i+1] along its own x axis. Its y and z axes are carried
// along the curve without twist: at each vertex the frame turns about the binormal of the two edges that meet there.
#include "spec/composite.h"

#include <stdio.h>
#include <string.h>

#include "math/elem.h"
#include "math/quat.h"
#include "math/vec.h"
#include "spec/names.h"
#include "spec/read.h"

enum { MOST_LINKS = 10000 };  // the links nest, and later stages recurse over the tree

typedef enum { PARTICLE, GRID, ROPE, LOOP, CABLE, CLOTH } CompositeType;
typedef enum { LINE, COSINE, SINE, ZERO } Shape;

static const SpcWord wordsType[] = {
    {"particle", PARTICLE},
    {"grid",     GRID    },
    {"rope",     ROPE    },
    {"loop",     LOOP    },
    {"cable",    CABLE   },
    {"cloth",    CLOTH   },
    {NULL,       0       }
};
static const SpcWord wordsShape[] = {
    {"s",      LINE  },
    {"cos(s)", COSINE},
    {"sin(s)", SINE  },
    {"0",      ZERO  },
    {NULL,     0     }
};
static const SpcWord wordsKind[] = {
    {"main", 0},
    {NULL,   0}
};

// the element's own attributes and the frame that moves along the curve
typedef struct {
  SpcReader* r;
  const XmlNode *node, *geom, *joint, *site;
  SpcCable cable;
  CompositeType type;
  Shape curve[3];
  double size[3], offset[3], quat[4];
  const char* initial;
  mjsPlugin* plugin;  // of the first link: the others use the same instance
  double normal[3], before[4];
} Composite;

// -------------------------------------------------------------------------------------------- attributes

static void readCurve(Composite* c) {
  const char* text = xml_attribute(c->node, "curve");
  for (int i = 0; i < 3; i++) c->curve[i] = ZERO;
  int count = 0;
  while (text && *(text += strspn(text, " \t\r\n"))) {
    char word[8] = "";
    const size_t length = strcspn(text, " \t\r\n");
    if (count == 3) spc_readFail(c->r, c->node, "The curve array must have a maximum of 3 components");
    if (length < sizeof(word)) memcpy(word, text, length);
    const int shape = spc_wordValue(wordsShape, word);
    if (shape < 0) spc_readFail(c->r, c->node, "The curve array contains an invalid shape");
    c->curve[count++] = (Shape)shape;
    text += length;
  }
}

static void readSkin(Composite* c) {
  SpcCable* cable = &c->cable;
  for (int i = 0; i < 4; i++) cable->rgba[i] = 1;
  const XmlNode* skin = xml_child(c->node, "skin");
  if (!skin) return;
  spc_readWord(c->r, skin, "texcoord", spc_wordsBool, &cable->texcoord);
  const char* material = xml_attribute(skin, "material");
  cable->material = material ? material : "";
  spc_readFloats(c->r, skin, "rgba", cable->rgba, 4, 4);
  spc_readInts(c->r, skin, "subgrid", &cable->subgrid, 1, 1);
  spc_readInts(c->r, skin, "group", &cable->group, 1, 1);
  if (cable->group < 0 || cable->group >= mjNGROUP) spc_readFail(c->r, skin, "skin group must be between 0 and 5");
  if (cable->subgrid > SPC_MOST_SUBGRID) {
    spc_readFail(c->r, skin, "skin subgrid must not exceed %d", SPC_MOST_SUBGRID);
  }
}

// what stands in the joint elements beyond the joint itself, and that there is only one
static void checkJoint(const Composite* c) {
  int count = 0, kind;
  for (const XmlNode* child = c->node->first; child; child = child->next) {
    if (strcmp(child->name, "joint")) continue;
    spc_readRequired(c->r, child, "kind");
    spc_readWord(c->r, child, "kind", wordsKind, &kind);
    if (++count > 1) spc_readFail(c->r, c->node, "Only particles are allowed to have multiple joints");
  }
}

static void readAttributes(Composite* c) {
  SpcReader* r = c->r;
  const XmlNode* node = c->node;
  const char* prefix = xml_attribute(node, "prefix");
  c->cable.prefix = prefix ? prefix : "";
  c->cable.material = "";
  int type;
  spc_readRequired(r, node, "type");
  spc_readWord(r, node, "type", wordsType, &type);
  c->type = (CompositeType)type;
  spc_readDoubles(r, node, "offset", c->offset, 3, 3);
  c->quat[0] = 1;
  spc_readDoubles(r, node, "quat", c->quat, 4, 4);
  c->size[0] = 1;
  spc_readDoubles(r, node, "size", c->size, 1, 3);
  const char* initial = xml_attribute(node, "initial");
  c->initial = initial ? initial : "ball";
  readCurve(c);
  readSkin(c);
  c->geom = xml_child(node, "geom");
  c->site = xml_child(node, "site");
  c->joint = xml_child(node, "joint");
  checkJoint(c);
}

// -------------------------------------------------------------------------------------------- vertices

// vertices from the text, or along the curve; they stay in the reader, which frees them whatever happens
static void makeVertices(Composite* c) {
  SpcReader* r = c->r;
  int count[3] = {1, 1, 1};
  spc_readInts(r, c->node, "count", count, 1, 3);
  for (int i = 0; i < 3; i++) {
    if (count[i] < 1) spc_readFail(r, c->node, "Positive counts expected in composite");
  }
  spc_vecFree(&r->scratch);
  spc_readFloatVec(r, c->node, "vertex", &r->scratch);
  const int given = (int)spc_vecCount(&r->scratch, 3 * sizeof(float));
  const int some = r->scratch.end != r->scratch.begin;
  if (mju_dot3(c->size, c->size) < mjMINVAL && !some) {
    spc_readFail(r, c->node, "Positive spacing or length expected in composite");
  }
  if (some) {
    if (count[0] > 1) spc_readFail(r, c->node, "Either vertex or count can be specified, not both");
    count[0] = given;
    count[1] = 1;
  }
  int dim = 0;
  for (int i = 0; i < 3; i++) {
    dim += count[i] != 1;
    if (count[i] != 1 && dim <= i) spc_readFail(r, c->node, "Singleton counts must come last");
  }
  c->cable.count = count[0];
  c->cable.dim = dim;
}

// points on the curve, in single precision like those of the text
static void sampleCurve(Composite* c) {
  const double last = c->cable.count - 1;
  float* out = spc_vecAppend(&c->r->scratch, NULL, 3 * (size_t)c->cable.count, sizeof(float));
  for (int i = 0; i < c->cable.count; i++) {
    double v[3];
    for (int k = 0; k < 3; k++) {
      const double angle = mjPI * i * c->size[2] / last;
      v[k] = c->curve[k] == LINE     ? i * c->size[0] / last
             : c->curve[k] == COSINE ? c->size[1] * mth_cos(angle)
             : c->curve[k] == SINE   ? c->size[1] * mth_sin(angle)
                                     : 0;
    }
    double turned[3];
    mju_rotVecQuat(turned, v, c->quat);
    for (int k = 0; k < 3; k++) out[3 * i + k] = (float)turned[k];
  }
}

// from one vertex to the next
static void edgeAt(const Composite* c, int i, double edge[3]) {
  const float* v = (const float*)(const void*)c->r->scratch.begin + 3 * i;
  for (int k = 0; k < 3; k++) edge[k] = (double)(v[3 + k] - v[k]);
}

// -------------------------------------------------------------------------------------------- moving frame

// unit vector unless it is too short to have a direction; returns the length before, 0 when too short
static double normalize(double* v, int n) {
  double square = 0;
  for (int i = 0; i < n; i++) square += v[i] * v[i];
  if (square < 1e-14) return 0;
  const double length = sqrt(square);
  if (fabs(length - 1) > 1e-14) {
    for (int i = 0; i < n; i++) v[i] /= length;
  }
  return length;
}

// the orientation of link i; the normal is carried along
static void turnFrame(Composite* c, int i, double quat[4]) {
  double tangent[3], binormal[3];
  edgeAt(c, i, tangent);
  normalize(tangent, 3);
  if (i == 0) {
    // the first frame has its normal in the plane of the first two edges
    double next[3] = {0};
    if (c->cable.count > 2) edgeAt(c, 1, next);
    normalize(next, 3);
    mju_cross(binormal, tangent, next);
    normalize(binormal, 3);
    mju_cross(c->normal, binormal, tangent);
    normalize(c->normal, 3);
  } else {
    // the others turn with the curve about its binormal
    double before[3], turn[4], turned[3];
    edgeAt(c, i - 1, before);
    normalize(before, 3);
    mju_cross(binormal, before, tangent);
    const double sine = normalize(binormal, 3);
    mju_axisAngle2Quat(turn, binormal, mth_atan2(sine, mju_dot3(before, tangent)));
    mju_rotVecQuat(turned, c->normal, turn);
    mju_copy3(c->normal, turned);
    normalize(c->normal, 3);
    mju_cross(binormal, tangent, c->normal);
    normalize(binormal, 3);
  }
  const double mat[9] = {tangent[0],  c->normal[0], binormal[0],  tangent[1], c->normal[1],
                         binormal[1], tangent[2],   c->normal[2], binormal[2]};
  mju_mat2Quat(quat, mat);
}

// -------------------------------------------------------------------------------------------- links

// a part of a link: the built-in values, whatever the class says, then what the composite gives
static void* addPart(Composite* c, SpcBody* body, SpcKindId kind, const char* name) {
  SpcElement* e = spc_make(c->r->model, kind, NULL);
  e->class = body->head.class;
  e->body = body;
  spc_listAdd(&body->child[kind], e);
  if (*name) spc_rename(e, name);
  spc_setPlace(c->r, c->node, e);
  return e->spec;
}

static void addGeom(Composite* c, SpcBody* body, int i, double length) {
  char name[SPC_CABLE_NAME];
  snprintf(name, sizeof(name), "%.80sG%d", c->cable.prefix, i);
  mjsGeom* geom = addPart(c, body, SPC_GEOM, name);
  spc_readRows(c->r, c->geom, spc_rowsGeom, geom, NULL);
  if (geom->type == mjGEOM_BOX) {
    geom->pos[0] = geom->size[0] = length / 2;
  } else {
    memset(geom->fromto, 0, sizeof(geom->fromto));
    geom->fromto[3] = length;
  }
}

static void addJoint(Composite* c, SpcBody* body, int i) {
  if (i == 0 && !strcmp(c->initial, "none")) return;
  char name[SPC_CABLE_NAME];
  mjsJoint* joint = addPart(c, body, SPC_JOINT, spc_cableName(&c->cable, 'J', i, name));
  joint->group = 3;
  if (c->joint) spc_readRows(c->r, c->joint, spc_rowsJoint, joint, NULL);

  // limits of composite joints depend on their range alone
  joint->limited = mjLIMITED_AUTO;
  joint->type = mjJNT_BALL;
  if (i || strcmp(c->initial, "free")) return;
  joint->type = mjJNT_FREE;
  joint->damping = joint->armature = joint->frictionloss = 0;
}

static void addSite(Composite* c, SpcBody* body, int i, double length) {
  const int last = i == c->cable.count - 2;
  if (i && !last) return;
  char name[SPC_CABLE_NAME];
  mjsSite* site = addPart(c, body, SPC_SITE, spc_cableName(&c->cable, 'S', i, name));
  site->group = 3;
  if (c->site) spc_readRows(c->r, c->site, spc_rowsSite, site, NULL);
  site->pos[0] = last ? length : 0;
}

// links share one plugin instance, which has a name of its own
static void addPlugin(Composite* c, mjsBody* body) {
  const XmlNode* node = xml_child(c->node, "plugin");
  if (!node) return;
  if (c->plugin) {
    body->plugin.active = 1;
    body->plugin.element = c->plugin->element;
    mjs_setString(body->plugin.plugin_name, mjs_getString(c->plugin->plugin_name));
    mjs_setString(body->plugin.name, mjs_getString(c->plugin->name));
    return;
  }
  c->plugin = &body->plugin;
  spc_readPlugin(c->r, node, c->plugin);
  if (!spc_textIs(c->plugin->plugin_name, "mujoco.elasticity.cable")) {
    spc_readFail(c->r, c->node, "Only mujoco.elasticity.cable is supported by composites");
  }
  if (!spc_textEmpty(c->plugin->name)) return;
  char name[SPC_CABLE_NAME];
  snprintf(name, sizeof(name), "composite%.80s", c->cable.prefix);
  spc_textSet(c->plugin->name, name);
  spc_rename(spc_head(c->plugin->element), name);
}

static SpcBody* addLink(Composite* c, SpcBody* parent, int i, SpcFrame* frame) {
  double edge[3], quat[4];
  turnFrame(c, i, quat);
  edgeAt(c, i, edge);
  const double length = sqrt(mju_dot3(edge, edge));

  SpcBody* body = (SpcBody*)spc_head(mjs_addBody(&parent->spec, NULL)->element);
  char name[SPC_CABLE_NAME];
  spc_setPlace(c->r, c->node, &body->head);
  if (spc_find(c->r->model, SPC_BODY, spc_cableName(&c->cable, 'B', i, name))) {
    spc_readFail(c->r, c->node, "Error: repeated name '%s' in body", name);
  }
  spc_rename(&body->head, name);
  if (i == 0) {
    const float* first = (const float*)(const void*)c->r->scratch.begin;
    for (int k = 0; k < 3; k++) body->spec.pos[k] = c->offset[k] + (double)first[k];
    memcpy(body->spec.quat, quat, sizeof(quat));
    body->head.frame = frame;
  } else {
    // behind the link before, turned against it
    edgeAt(c, i - 1, edge);
    body->spec.pos[0] = sqrt(mju_dot3(edge, edge));
    const double back[4] = {c->before[0], -c->before[1], -c->before[2], -c->before[3]};
    mju_mulQuat(body->spec.quat, back, quat);
  }
  memcpy(c->before, quat, sizeof(quat));

  addGeom(c, body, i, length);
  addPlugin(c, &body->spec);
  addJoint(c, body, i);
  addSite(c, body, i, length);

  // neighbours do not collide
  if (i < c->cable.count - 2) {
    char next[SPC_CABLE_NAME];
    mjsExclude* exclude = mjs_addExclude(&c->r->model->spec);
    spc_textSet(exclude->bodyname1, name);
    spc_textSet(exclude->bodyname2, spc_cableName(&c->cable, 'B', i + 1, next));
  }
  return body;
}

// -------------------------------------------------------------------------------------------- the element

// types of earlier versions, with what replaced them
static void refuseOld(const Composite* c) {
  static const struct {
    const char *name, *instead;
  } old[] = {
  // clang-format off
      [PARTICLE] = {"particle", "replicate"},
      [GRID]     = {"grid",     "flex"},
      [ROPE]     = {"rope",     "cable"},
      [LOOP]     = {"loop",     "flexcomp"},
      [CLOTH]    = {"cloth",    "shell"}
  // clang-format on
  };
  if (c->type == CABLE) return;
  if (xml_child(c->node, "plugin")) spc_readFail(c->r, c->node, "Only cable composite supports plugins");
  spc_readFail(c->r, c->node, "The \"%s\" composite type is deprecated. Please use \"%s\" instead.", old[c->type].name,
               old[c->type].instead);
}

void spc_readComposite(SpcReader* r, const XmlNode* node, SpcBody* body, SpcFrame* frame) {
  Composite c = {.r = r, .node = node};
  readAttributes(&c);
  makeVertices(&c);
  refuseOld(&c);
  if (c.cable.dim != 1) spc_readFail(r, node, "Cable must be one-dimensional");
  int type = mjGEOM_SPHERE;
  if (c.geom) spc_readWord(r, c.geom, "type", spc_wordsGeomType, &type);
  if (type != mjGEOM_CYLINDER && type != mjGEOM_CAPSULE && type != mjGEOM_BOX) {
    spc_readFail(r, node, "Cable geom type must be sphere, capsule or box");
  }
  if (c.cable.count > MOST_LINKS) spc_readFail(r, node, "cables cannot have more than %d vertices", MOST_LINKS);
  if (r->scratch.end == r->scratch.begin) sampleCurve(&c);

  // a text says that there is a cable of this name
  char name[SPC_CABLE_NAME];
  snprintf(name, sizeof(name), "composite_%.80s", c.cable.prefix);
  mjsText* text = mjs_addText(&r->model->spec);
  spc_rename(spc_head(text->element), name);
  snprintf(name, sizeof(name), "rope_%.80s", c.cable.prefix);
  spc_textSet(text->data, name);

  for (int i = 0; i < c.cable.count - 1; i++) body = addLink(&c, body, i, frame);
  if (type == mjGEOM_BOX) {
    spc_readDoubles(r, c.geom, "size", c.cable.box, 1, 3);
    spc_cableSkin(r->model, &c.cable);
  }
  spc_vecFree(&r->scratch);
}
