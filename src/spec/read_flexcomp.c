// <flex> and <flexcomp>: a flexcomp makes a flex together with the bodies that carry it.
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec.h"
#include "spec/flexcomp.h"
#include "spec/pose.h"

enum { MOST_POINTS = 1000000 };

static const SpcWord wordsShape[] = {
    {"grid",      FLEX_GRID     },
    {"box",       FLEX_BOX      },
    {"cylinder",  FLEX_CYLINDER },
    {"ellipsoid", FLEX_ELLIPSOID},
    {"square",    FLEX_SQUARE   },
    {"disc",      FLEX_DISC     },
    {"circle",    FLEX_CIRCLE   },
    {"mesh",      FLEX_MESH     },
    {"gmsh",      FLEX_GMSH     },
    {"direct",    FLEX_DIRECT   },
    {NULL,        0             }
};
static const SpcWord wordsDof[] = {
    {"full",      FLEX_FULL     },
    {"radial",    FLEX_RADIAL   },
    {"trilinear", FLEX_TRILINEAR},
    {"quadratic", FLEX_QUADRATIC},
    {NULL,        0             }
};
static const SpcWord wordsEquality[] = {
    {"false", 0},
    {"true",  1},
    {"vert",  2},
    {NULL,    0}
};

//---------------------------------- attributes ----------------------------------

void spc_readFlex(SpcReader* r, const XmlNode* node, const SpcAttributeRow* rows, mjsFlex* flex) {
  static const struct {
    const char* name;
    const SpcAttributeRow* rows;
  } parts[] = {
      {"contact",    spc_rowsFlexContact},
      {"edge",       spc_rowsFlexEdge   },
      {"elasticity", spc_rowsElasticity },
  };
  spc_setPlace(r, node, spc_head(flex->element));
  spc_readRows(r, node, rows, flex, spc_head(flex->element));
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    const XmlNode* child = xml_child(node, parts[i].name);
    if (child) spc_readRows(r, child, parts[i].rows, flex, NULL);
  }
}

static void readAttributes(SpcFlexcomp* f) {
  SpcReader* r = f->r;
  const XmlNode* node = f->node;
  int shape = FLEX_GRID, dof = FLEX_FULL;
  spc_readRequired(r, node, "name");
  spc_readWord(r, node, "type", wordsShape, &shape);
  spc_readWord(r, node, "dof", wordsDof, &dof);
  f->shape = (SpcFlexShape)shape;
  f->dof = (SpcFlexDof)dof;
  spc_readWord(r, node, "rigid", spc_wordsBool, &f->rigid);
  spc_readInts(r, node, "count", f->count, 1, 3);
  spc_readDoubles(r, node, "spacing", f->spacing, 1, 3);
  spc_readDoubles(r, node, "scale", f->scale, 3, 3);
  spc_readDoubles(r, node, "mass", &f->mass, 1, 1);
  spc_readDoubles(r, node, "inertiabox", &f->inertiabox, 1, 1);
  spc_readDoubles(r, node, "pos", f->pos, 3, 3);
  spc_readDoubles(r, node, "origin", f->origin, 3, 3);
  const char* file = xml_attribute(node, "file");
  f->file = file ? file : "";
  mjsOrientation alt;
  mjs_defaultOrientation(&alt);
  spc_readOrientation(r, node, f->quat, &alt);
  const char* wrong = spc_orient(&f->body->head, f->quat, &alt);
  if (wrong) spc_readFail(r, node, "%s", wrong);
}

static void checkAttributes(const SpcFlexcomp* f) {
  const mjsFlex* flex = f->flex;
  SpcReader* r = f->r;
  const int direct = f->shape == FLEX_MESH || f->shape == FLEX_GMSH || f->shape == FLEX_DIRECT;
  if (spc_textEmpty(&f->body->head.name)) spc_readFail(r, f->node, "Parent body must have name");
  if (flex->dim < 1 || flex->dim > 3) spc_readFail(r, f->node, "Invalid dim, must be between 1 and 3");
  double points = 1;
  for (int i = 0; i < 3; i++) {
    if (f->count[i] < 1 || (f->dof == FLEX_RADIAL && f->count[i] < 2 && flex->dim == 3)) {
      spc_readFail(r, f->node, "Count too small");
    }
    points *= f->count[i];
    if (!direct && f->spacing[i] < 2 * flex->radius + flex->margin) {
      spc_readFail(r, f->node, "Spacing must be larger than geometry size");
    }
  }
  if (!direct && points > MOST_POINTS) spc_readFail(r, f->node, "Count too large");
  for (int i = 0; i < 3; i++) {
    if (f->scale[i] < mjMINVAL) spc_readFail(r, f->node, "Scale must be larger than mjMINVAL");
  }
  if (f->mass < mjMINVAL || f->inertiabox < mjMINVAL) {
    spc_readFail(r, f->node, "Mass and inertiabox must be larger than mjMINVAL");
  }
}

//---------------------------------- points ----------------------------------

static double* points(const SpcFlexcomp* f) {
  return (double*)(void*)((SpcVec*)f->flex->vert)->begin;
}

static void makePoints(SpcFlexcomp* f) {
  switch (f->shape) {
    case FLEX_GRID:
    case FLEX_CIRCLE:
      spc_flexGrid(f);
      break;
    case FLEX_SQUARE:
    case FLEX_DISC:
      spc_flexSquare(f);
      break;
    case FLEX_MESH:
      spc_flexMesh(f);
      break;
    case FLEX_GMSH:
      spc_flexGmsh(f);
      break;
    case FLEX_DIRECT:
      break;
    default:
      spc_flexBox(f);
  }

  // shapes with edges are drawn with flat faces
  if (f->shape == FLEX_BOX || f->shape == FLEX_CYLINDER || (f->shape == FLEX_GRID && f->flex->dim == 3)) {
    f->flex->flatskin = 1;
  }
}

static void checkPoints(const SpcFlexcomp* f) {
  const SpcVec *point = f->flex->vert, *element = f->flex->elem;
  const int nvalue = (int)spc_vecCount(point, sizeof(double)), nindex = (int)spc_vecCount(element, sizeof(int));
  if (!nvalue || !nindex) spc_readFail(f->r, f->node, "Point and element required");
  if (nvalue % 3) spc_readFail(f->r, f->node, "Point size must be a multiple of 3");
  if (nindex % (f->flex->dim + 1)) spc_readFail(f->r, f->node, "Element size must be a multiple of dim+1");
  const int* index = (const void*)element->begin;
  for (int i = 0; i < nindex; i++) {
    if (index[i] < 0 || index[i] >= nvalue / 3) {
      spc_readFail(f->r, f->node, "element %d has point id %d, number of points is %d", i, index[i], nvalue / 3);
    }
  }
}

// scale, then pose; box: smallest and largest coordinates
static void movePoints(SpcFlexcomp* f, double box[6]) {
  double* point = points(f);
  const int direct = f->shape == FLEX_MESH || f->shape == FLEX_GMSH || f->shape == FLEX_DIRECT;
  for (int k = 0; k < 3; k++) {
    box[k] = mjMAXVAL;
    box[3 + k] = -mjMAXVAL;
  }
  for (int i = 0; i < spc_flexPoints(f); i++, point += 3) {
    for (int k = 0; direct && k < 3; k++) point[k] *= f->scale[k];
    double moved[3];
    mth_rotVecQuat(moved, point, f->quat);
    mth_add3(point, moved, f->pos);
    for (int k = 0; k < 3; k++) {
      box[k] = mth_min(box[k], point[k]);
      box[3 + k] = mth_max(box[3 + k], point[k]);
    }
  }
}

//---------------------------------- pins ----------------------------------

static int interpolated(const SpcFlexcomp* f) {
  return f->dof == FLEX_TRILINEAR || f->dof == FLEX_QUADRATIC;
}

// one byte per point or node, in the reader's scratch memory
static char* pins(const SpcFlexcomp* f) {
  return f->r->scratch.begin;
}

// pins every point of a range of the grid
static void pinGrid(const SpcFlexcomp* f, const int* low, const int* high) {
  const int dim = f->flex->dim;
  for (int k = 0; k < dim; k++) {
    if (low[k] < 0 || low[k] >= f->count[k] || high[k] < 0 || high[k] >= f->count[k]) {
      spc_readFail(f->r, f->node, "%s out of range", low == high ? "pingrid" : "pingridrange");
    }
  }
  const int deep = dim == 3, zlow = deep ? low[2] : 0, zhigh = deep ? high[2] : 0;
  for (int x = low[0]; x <= high[0]; x++) {
    for (int y = low[1]; y <= high[1]; y++) {
      for (int z = zlow; z <= zhigh; z++) pins(f)[deep ? spc_gridId(f, x, y, z) : x * f->count[1] + y] = 1;
    }
  }
}

static void pinRange(const SpcFlexcomp* f, int low, int high, const char* what) {
  const int n = spc_flexPoints(f);
  if (low < 0 || low >= n || high < 0 || high >= n) spc_readFail(f->r, f->node, "%s out of range", what);
  for (int i = low; i <= high; i++) pins(f)[i] = 1;
}

static const int* pinNumbers(const SpcFlexcomp* f, const XmlNode* pin, const char* name, int* n) {
  SpcVec* numbers = &f->r->numbers;
  spc_vecSet(numbers, NULL, 0, sizeof(int));
  *n = spc_readIntVec(f->r, pin, name, numbers);
  return (const int*)(const void*)numbers->begin;
}

static void readPins(const SpcFlexcomp* f, const XmlNode* pin) {
  const int dim = f->flex->dim;
  int n;
  const int* number = pinNumbers(f, pin, "id", &n);
  for (int i = 0; i < n; i++) pinRange(f, number[i], number[i], "pinid");
  number = pinNumbers(f, pin, "range", &n);
  if (n % 2) spc_readFail(f->r, pin, "Pin range number must be multiple of 2");
  for (int i = 0; i < n; i += 2) pinRange(f, number[i], number[i + 1], "pinrange");

  const int grids = xml_attribute(pin, "grid") || xml_attribute(pin, "gridrange");
  if (grids && f->shape != FLEX_GRID && !interpolated(f)) {
    spc_readFail(f->r, pin, "Pin grid(range) can only be used with grid or interpolated");
  }
  if (grids && dim == 1) spc_readFail(f->r, pin, "Pin grid(range) cannot be used with dim=1");
  number = pinNumbers(f, pin, "grid", &n);
  if (n % dim) spc_readFail(f->r, pin, "Pin grid number must be multiple of dim");
  for (int i = 0; i < n; i += dim) pinGrid(f, number + i, number + i);
  number = pinNumbers(f, pin, "gridrange", &n);
  if (n % (2 * dim)) spc_readFail(f->r, pin, "Pin grid range number of must be multiple of 2*dim");
  for (int i = 0; i < n; i += 2 * dim) pinGrid(f, number + i, number + i + dim);
}

// marks pinned points; returns 1 when none is
static int setPins(SpcFlexcomp* f) {
  const int n = spc_flexPoints(f);
  const int cells = f->count[0] * f->count[1] * f->count[2];
  const int most = n > 27 ? n : 27;
  spc_vecSet(&f->r->scratch, NULL, (size_t)(most > cells ? most : cells), 1);
  for (const XmlNode* pin = f->node->first; pin && !f->rigid; pin = pin->next) {
    if (!strcmp(pin->name, "pin")) readPins(f, pin);
  }
  if (f->rigid) return 0;

  // the centre of a radial body stays
  if (f->dof == FLEX_RADIAL) pins(f)[0] = 1;
  int pinned = 0;
  for (int i = 0; i < n; i++) pinned += pins(f)[i];
  if (pinned == n) f->rigid = 1;
  return !pinned;
}

// points that no element uses disappear, with their pins and texture coordinates
static void dropUnused(SpcFlexcomp* f) {
  SpcVec *point = f->flex->vert, *texcoord = f->flex->texcoord;
  const int n = spc_flexPoints(f), nindex = (int)spc_vecCount(f->flex->elem, sizeof(int));
  int* index = (int*)(void*)((SpcVec*)f->flex->elem)->begin;

  // new numbers: 0 unused, otherwise number + 1
  int* number = xml_scratch(f->r->document, ((size_t)n + 1) * sizeof(int));
  memset(number, 0, ((size_t)n + 1) * sizeof(int));
  for (int i = 0; i < nindex; i++) number[index[i]] = 1;
  // texture coordinates of points, not those with indices of their own
  const int textured =
      spc_vecCount(texcoord, 2 * sizeof(float)) == (size_t)n && !spc_vecCount(f->flex->elemtexcoord, sizeof(int));
  int kept = 0;
  for (int i = 0; i < n; i++) {
    if (!number[i]) continue;
    memmove(points(f) + 3 * kept, points(f) + 3 * i, 3 * sizeof(double));
    if (textured) {
      memmove((float*)(void*)texcoord->begin + 2 * kept, (float*)(void*)texcoord->begin + 2 * i, 2 * sizeof(float));
    }
    pins(f)[kept] = pins(f)[i];
    number[i] = ++kept;
  }
  for (int i = 0; i < nindex; i++) index[i] = number[index[i]] - 1;
  if (textured) {
    texcoord->end = texcoord->begin + (size_t)kept * 2 * sizeof(float);
  }
  point->end = point->begin + (size_t)kept * 3 * sizeof(double);
}

//---------------------------------- bodies ----------------------------------

// the first body that asks for the plugin has its element, the others refer to the same instance
static void usePlugin(SpcFlexcomp* f, mjsPlugin* plugin) {
  const XmlNode* node = xml_child(f->node, "plugin");
  if (!node || plugin->active) return;
  if (f->plugin) {
    plugin->active = 1;
    plugin->element = f->plugin->element;
    spc_textSet(plugin->plugin_name, spc_text(f->plugin->plugin_name));
    spc_textSet(plugin->name, spc_text(f->plugin->name));
    return;
  }
  spc_readPlugin(f->r, node, plugin);
  f->plugin = plugin;
  if (spc_textEmpty(plugin->name)) {
    char name[200];
    snprintf(name, sizeof(name), "flexcomp_%s", spc_text(&spc_head(f->flex->element)->name));
    spc_textSet(plugin->name, name);
    mjs_setName(plugin->element, name);
  }
}

// a body of a point or node, with sliders along the axes that are not zero
static mjsBody* addBody(SpcFlexcomp* f, const double pos[3], double mass, int nslider) {
  mjsBody* body = mjs_addBody(&f->body->spec, NULL);
  spc_setPlace(f->r, f->node, spc_head(body->element));
  spc_head(body->element)->frame = f->frame;
  mth_copy3(body->pos, pos);
  mth_zero3(body->ipos);
  body->mass = mass;
  for (int i = 0; i < 3; i++) body->inertia[i] = mass * (2.0 * f->inertiabox * f->inertiabox) / 3.0;
  body->explicitinertial = 1;
  for (int i = 0; i < nslider; i++) {
    mjsJoint* joint = mjs_addJoint(body, NULL);
    spc_setPlace(f->r, f->node, spc_head(joint->element));
    joint->type = mjJNT_SLIDE;
    mth_zero3(joint->pos);
    mth_zero3(joint->axis);
    joint->axis[i] = 1;
  }
  return body;
}

static void addGeom(const SpcFlexcomp* f, mjsBody* body, int group) {
  if (!f->flex->vertcollide) return;
  mjsGeom* geom = mjs_addGeom(body, NULL);
  spc_setPlace(f->r, f->node, spc_head(geom->element));
  geom->type = mjGEOM_SPHERE;
  geom->size[0] = f->flex->radius;
  if (group >= 0) geom->group = group;
}

static const char* flexName(const SpcFlexcomp* f) {
  return spc_text(&spc_head(f->flex->element)->name);
}

static void addVertexBodies(SpcFlexcomp* f, int centered) {
  const int n = spc_flexPoints(f);
  const char* parent = spc_text(&f->body->head.name);
  const int nslider = f->dof == FLEX_FULL ? 3 : 0;
  for (int i = 0; i < n; i++) {
    if (pins(f)[i] || interpolated(f)) {
      spc_textsAppend(f->flex->vertbody, parent);
      usePlugin(f, &f->body->spec.plugin);
      continue;
    }
    double* point = points(f) + 3 * i;
    mjsBody* body = addBody(f, point, f->mass / n, nslider);
    addGeom(f, body, 4);
    if (f->dof == FLEX_RADIAL) {
      mjsJoint* joint = mjs_addJoint(body, NULL);
      spc_setPlace(f->r, f->node, spc_head(joint->element));
      joint->type = mjJNT_SLIDE;
      mth_zero3(joint->pos);
      mth_copy3(joint->axis, body->pos);
      spc_normalize(joint->axis, 3);
    }
    char name[200];
    snprintf(name, sizeof(name), "%s_%d", flexName(f), i);
    mjs_setName(body->element, name);
    spc_textsAppend(f->flex->vertbody, name);
    usePlugin(f, &body->plugin);
    if (!centered) mth_zero3(point);
  }
}

// a brick of nodes; their masses follow Simpson's rule for quadratic interpolation
static void addNodeBodies(SpcFlexcomp* f, const double box[6], int centered) {
  static const double simpson[3] = {1. / 6., 2. / 3., 1. / 6.};
  const int order = f->dof == FLEX_TRILINEAR ? 1 : 2, n = order + 1;
  for (int i = 0; i < n * n * n; i++) {
    const int at[3] = {i / (n * n), i / n % n, i % n};
    double pos[3], mass = order == 1 ? f->mass / 8 : f->mass;
    for (int k = 0; k < 3; k++) {
      pos[k] = at[k] == 0 ? box[k] : at[k] == order ? box[3 + k] : 0.5 * (box[k] + box[3 + k]);
      if (order == 2) mass *= simpson[at[k]];
    }
    const int pinned = pins(f)[i];
    if (!centered) spc_vecAppend(f->flex->node, pinned ? pos : NULL, 3, sizeof(double));
    if (pinned) {
      spc_textsAppend(f->flex->nodebody, spc_text(&f->body->head.name));
      continue;
    }
    mjsBody* body = addBody(f, pos, mass, 3);
    addGeom(f, body, -1);
    char name[200];
    snprintf(name, sizeof(name), "%s_%d_%d_%d", flexName(f), at[0], at[1], at[2]);
    mjs_setName(body->element, name);
    spc_textsAppend(f->flex->nodebody, name);
  }
}

static void addEquality(SpcFlexcomp* f) {
  if (!f->equality) return;
  mjsEquality* equality = mjs_addEquality(&f->r->model->spec, NULL);
  spc_setPlace(f->r, f->node, spc_head(equality->element));

  // classes of equality constraints are not for edges
  mjsEquality plain;
  mjs_defaultEquality(&plain);
  memcpy(equality->solref, plain.solref, sizeof(plain.solref));
  memcpy(equality->solimp, plain.solimp, sizeof(plain.solimp));
  const XmlNode* edge = xml_child(f->node, "edge");
  spc_readDoubles(f->r, edge, "solref", equality->solref, 1, mjNREF);
  spc_readDoubles(f->r, edge, "solimp", equality->solimp, 1, mjNIMP);
  equality->type = f->equality == 1 ? mjEQ_FLEX : mjEQ_FLEXVERT;
  equality->active = 1;
  mjs_setString(equality->name1, flexName(f));
}

//---------------------------------- all ----------------------------------

void spc_readFlexcomp(SpcReader* r, const XmlNode* node, SpcBody* body, SpcFrame* frame) {
  SpcFlexcomp flexcomp = {
      .r = r,
      .node = node,
      .body = body,
      .frame = frame,
      .flex = mjs_addFlex(&r->model->spec),
      .count = {10,    10, 10},
      .spacing = {0.02,   0.02, 0.02},
      .scale = {1,  1, 1},
      .mass = 1,
      .inertiabox = 0.005,
      .quat = {1}
  };
  SpcFlexcomp* f = &flexcomp;
  spc_readFlex(r, node, spc_rowsFlexcomp, f->flex);
  readAttributes(f);
  const XmlNode* edge = xml_child(node, "edge");
  if (edge) spc_readWord(r, edge, "equality", wordsEquality, &f->equality);
  const int stretch = 2;  // bit of elastic2d
  if (f->equality && f->flex->elastic2d & stretch) {
    spc_readFail(r, node, "elasticity and edge constraints cannot both be present");
  }
  checkAttributes(f);
  makePoints(f);
  checkPoints(f);
  double box[6];
  movePoints(f, box);
  const int centered = setPins(f);
  if (f->shape == FLEX_MESH || f->shape == FLEX_GMSH || f->shape == FLEX_DIRECT) dropUnused(f);

  // a rigid flex is part of its parent
  if (f->rigid) {
    spc_textsAppend(f->flex->vertbody, spc_text(&body->head.name));
    return;
  }
  addVertexBodies(f, centered);
  if (interpolated(f)) addNodeBodies(f, box, centered);
  if (centered && !interpolated(f)) spc_vecSet(f->flex->vert, NULL, 0, sizeof(double));
  addEquality(f);
}
