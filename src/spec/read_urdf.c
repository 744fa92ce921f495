// Reading URDF: <robot> with its links and joints → mjSpec.
//
// A link becomes a body, a joint places the body of its child link in that of its parent link and lets it move. The
// link "world" is the world body; links without a joint above them are fixed to it. All poses are in the frame of the
// link or of the parent link, angles in radians, roll-pitch-yaw about axes fixed in space.
//
// What URDF says beyond that is skipped, whatever it is (transmissions, sensors, extensions of other programs). The one
// extension that is read is <mujoco> with <compiler>, <option> and <size>. Unlike in MJCF a name that is not known is
// no error, but an element that should stand once must not stand twice.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "spec/names.h"
#include "spec/pose.h"
#include "spec/read.h"

// an element that others refer to by name
typedef struct {
  const char* name;
  const XmlNode* node;
  int order;  // of elements with the same name the first counts
} Named;

enum { DEPTH = 4000 };  // links below one another; more are refused, because later stages recurse over the tree

// a link while the tree is not known yet; children are a list in the order of their joints
typedef struct {
  const char* name;
  const XmlNode* node;
  SpcBody* body;    // NULL: not in the tree
  int parent;       // -1: the world
  int depth;        // below the world
  int first, last;  // child, -1: none
  int next;         // sibling, -1: none
} Link;

// -------------------------------------------------------------------------------------------- elements

// the child of that name, NULL: none; there must not be two
static const XmlNode* onlyChild(SpcReader* r, const XmlNode* node, const char* name) {
  const XmlNode* found = xml_child(node, name);
  for (const XmlNode* other = found ? found->next : NULL; other; other = other->next) {
    if (!strcmp(other->name, name)) spc_readFail(r, other, "repeated element: '%s'", name);
  }
  return found;
}

static const XmlNode* neededChild(SpcReader* r, const XmlNode* node, const char* name) {
  const XmlNode* found = onlyChild(r, node, name);
  if (!found) spc_readFail(r, node, "missing element: '%s'", name);
  return found;
}

// exactly count numbers that must be given
static void neededNumbers(SpcReader* r, const XmlNode* node, const char* name, double* out, int count) {
  if (!spc_readDoubles(r, node, name, out, count, count)) {
    spc_readFail(r, node, "required attribute missing: '%s'", name);
  }
}

// the pose that <origin> gives; the frame itself without one
static void readOrigin(SpcReader* r, const XmlNode* node, double pos[3], double quat[4]) {
  const double identity[4] = {1, 0, 0, 0};
  memset(pos, 0, 3 * sizeof(double));
  memcpy(quat, identity, sizeof(identity));
  const XmlNode* origin = onlyChild(r, node, "origin");
  if (!origin) return;
  spc_readDoubles(r, origin, "xyz", pos, 3, 3);
  mjsOrientation rpy;
  mjs_defaultOrientation(&rpy);
  rpy.type = mjORIENTATION_EULER;
  if (spc_readDoubles(r, origin, "rpy", rpy.euler, 3, 3)) mjs_resolveOrientation(quat, 0, "XYZ", &rpy);
}

// What the model has to do without: one warning when all is read, with each thing once and the first place of it.
static void note(SpcReader* r, const XmlNode* node, const char* what) {
  if (strstr(r->note, what)) return;
  const size_t used = strlen(r->note);
  snprintf(r->note + used, sizeof(r->note) - used, "%s%s (line %d)", used ? "; " : "URDF: ", what, node->line);
}

// -------------------------------------------------------------------------------------------- names

static int compareNames(const void* a, const void* b) {
  const Named *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order ? order : x->order - y->order;
}

static void addName(SpcVec* names, const char* name, const XmlNode* node) {
  const Named named = {name, node, (int)spc_vecCount(names, sizeof(Named))};
  spc_vecAppend(names, &named, 1, sizeof(named));
}

static void sortNames(const SpcVec* names) {
  const size_t count = spc_vecCount(names, sizeof(Named));
  if (count) qsort(names->begin, count, sizeof(Named), compareNames);
}

// the first element of that name in a sorted list, NULL: none
static const Named* findName(const SpcVec* names, const char* name) {
  const Named* at = (const Named*)(const void*)names->begin;
  size_t low = 0, high = spc_vecCount(names, sizeof(Named));
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (strcmp(at[middle].name, name) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < spc_vecCount(names, sizeof(Named)) && !strcmp(at[low].name, name) ? at + low : NULL;
}

// -------------------------------------------------------------------------------------------- colors

static void readColor(SpcReader* r, const XmlNode* color, float rgba[4]) {
  if (!spc_readFloats(r, color, "rgba", rgba, 4, 4)) spc_readFail(r, color, "required attribute missing: 'rgba'");
}

// materials with a name and a color, wherever they stand
static void collectMaterials(SpcReader* r, const XmlNode* node) {
  const char* name = strcmp(node->name, "material") ? NULL : xml_attribute(node, "name");
  if (name && xml_child(node, "color")) addName(&r->materials, name, node);
  for (const XmlNode* child = node->first; child; child = child->next) collectMaterials(r, child);
}

static void readMaterials(SpcReader* r, const XmlNode* root) {
  collectMaterials(r, root);
  sortNames(&r->materials);
  const Named* at = (const Named*)(const void*)r->materials.begin;
  const size_t count = spc_vecCount(&r->materials, sizeof(Named));
  for (size_t i = 0; i < count; i++) {
    if (i && !strcmp(at[i].name, at[i - 1].name)) continue;
    float rgba[4];
    readColor(r, onlyChild(r, at[i].node, "color"), rgba);
  }
}

// the color of a visual: its own, or that of the material it names; stays as it is without either
static void readVisualColor(SpcReader* r, const XmlNode* visual, float rgba[4]) {
  const XmlNode* material = onlyChild(r, visual, "material");
  if (!material) return;
  const XmlNode* color = onlyChild(r, material, "color");
  if (!color) {
    const Named* named = findName(&r->materials, spc_readRequired(r, material, "name"));
    color = named ? xml_child(named->node, "color") : NULL;
  }
  if (color) readColor(r, color, rgba);
}

// -------------------------------------------------------------------------------------------- geoms

// length of a file's name without its extension
static size_t stemLength(const char* name) {
  return strlen(name) - strlen(bas_pathExtension(name));
}

// 1: the mesh was made from a file of that name, and is not just called like it
static int isMadeFrom(const mjsMesh* mesh, const char* name) {
  const char* own = bas_pathFile(spc_text(mesh->file));
  const size_t length = stemLength(name);
  return stemLength(own) == length && !memcmp(own, name, length);
}

// Meshes are called like their files, without folder and extension. A file that is used in several sizes gives as many
// meshes: name, name1, name2 … at the first use of each size. A later use always means the plain name, that is the
// first size: the reference's rule, which models are compiled with.
static void readMesh(SpcReader* r, const XmlNode* node, mjsGeom* geom) {
  mjSpec* s = &r->model->spec;
  geom->type = mjGEOM_MESH;
  const char* file = spc_readRequired(r, node, "filename");
  const char* name = bas_pathFile(file);
  if (s->strippath) file = name;
  if (!stemLength(name)) spc_readFail(r, node, "mesh file without a name: '%s'", file);
  double scale[3] = {1, 1, 1};
  if (xml_attribute(node, "scale")) neededNumbers(r, node, "scale", scale, 3);

  // the first name that is free, unless the size is there already
  SpcString* meshname = geom->meshname;
  spc_textSetN(meshname, name, stemLength(name));
  const SpcElement* known;
  for (int i = 1; (known = spc_find(r->model, SPC_MESH, spc_text(meshname))); i++) {
    const mjsMesh* mesh = known->spec;
    if (!isMadeFrom(mesh, name)) spc_readFail(r, node, "repeated name '%s' in mesh", spc_text(meshname));
    spc_textSetN(meshname, name, stemLength(name));
    if (mesh->scale[0] == scale[0] && mesh->scale[1] == scale[1] && mesh->scale[2] == scale[2]) return;
    char digits[16];
    snprintf(digits, sizeof(digits), "%d", i);
    spc_textJoin(meshname, spc_text(meshname), digits, "");
  }
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  spc_rename(spc_head(mesh->element), spc_text(meshname));
  spc_setPlace(r, node, spc_head(mesh->element));
  spc_textSet(mesh->file, file);
  memcpy(mesh->scale, scale, sizeof(scale));
}

// box, cylinder, sphere, capsule or mesh: the first of them in this order counts
static void readShape(SpcReader* r, const XmlNode* geometry, mjsGeom* geom) {
  const XmlNode* shape;
  if ((shape = onlyChild(r, geometry, "box"))) {
    geom->type = mjGEOM_BOX;
    neededNumbers(r, shape, "size", geom->size, 3);
    for (int i = 0; i < 3; i++) geom->size[i] /= 2;
  } else if ((shape = onlyChild(r, geometry, "cylinder"))) {
    geom->type = mjGEOM_CYLINDER;
    neededNumbers(r, shape, "radius", geom->size, 1);
    neededNumbers(r, shape, "length", geom->size + 1, 1);
    geom->size[1] /= 2;
  } else if ((shape = onlyChild(r, geometry, "sphere"))) {
    geom->type = mjGEOM_SPHERE;
    neededNumbers(r, shape, "radius", geom->size, 1);
  } else if ((shape = onlyChild(r, geometry, "capsule"))) {
    geom->type = mjGEOM_CAPSULE;
    neededNumbers(r, shape, "radius", geom->size, 1);
    neededNumbers(r, shape, "length", geom->size + 1, 1);
    geom->size[1] /= 2;
  } else if ((shape = onlyChild(r, geometry, "mesh"))) {
    readMesh(r, shape, geom);
  } else {
    spc_readFail(r, geometry, "geometry specification not found: box, cylinder, sphere, capsule or mesh is expected");
  }
}

static void readGeom(SpcReader* r, const XmlNode* node, mjsBody* body, const float rgba[4]) {
  const XmlNode* geometry = neededChild(r, node, "geometry");
  mjsGeom* geom = mjs_addGeom(body, NULL);
  SpcElement* e = spc_head(geom->element);
  spc_setPlace(r, node, e);

  // visuals neither collide nor weigh
  if (!strcmp(node->name, "visual")) {
    geom->contype = geom->conaffinity = 0;
    geom->group = 1;
    geom->density = 0;
  }
  readShape(r, geometry, geom);
  readOrigin(r, node, geom->pos, geom->quat);
  if (rgba[0] >= 0) memcpy(geom->rgba, rgba, sizeof(geom->rgba));

  // names of geoms need not be unique in URDF: the first one keeps it
  const char* name = xml_attribute(node, "name");
  if (name && *name && !spc_find(r->model, SPC_GEOM, name)) spc_rename(e, name);
}

// -------------------------------------------------------------------------------------------- links

static void readInertial(SpcReader* r, const XmlNode* node, mjsBody* body) {
  body->explicitinertial = 1;
  readOrigin(r, node, body->ipos, body->iquat);
  neededNumbers(r, neededChild(r, node, "mass"), "value", &body->mass, 1);
  static const char* names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const XmlNode* inertia = neededChild(r, node, "inertia");
  double* full = body->fullinertia;
  int given = 0, isotropic = 1;
  for (int i = 0; i < 6; i++) {
    neededNumbers(r, inertia, names[i], full + i, 1);
    given |= full[i] != 0;
    isotropic &= full[i] == (i < 3 ? full[0] : 0);
  }

  // all zero: not known; otherwise the model's compiler takes the axes of the inertia as those of the link
  if (!given) full[0] = NAN;
  if (!isotropic && body->iquat[0] != 1) note(r, node, "the rotation of an inertial origin is not applied");
}

// inertia and geoms of a link; a collision takes the color of the visual before it
static void readLink(SpcReader* r, const XmlNode* node, mjsBody* body) {
  const XmlNode* inertial = onlyChild(r, node, "inertial");
  if (inertial) readInertial(r, inertial, body);
  float rgba[4] = {-1, 0, 0, 0};
  for (const XmlNode* child = node->first; child; child = child->next) {
    const int visual = !strcmp(child->name, "visual");
    if (visual) readVisualColor(r, child, rgba);
    if ((visual && !r->model->spec.compiler.discardvisual) || !strcmp(child->name, "collision")) {
      readGeom(r, child, body, rgba);
    }
  }
}

// -------------------------------------------------------------------------------------------- joints

static mjsJoint* addJoint(SpcReader* r, const XmlNode* node, SpcBody* body, mjtJoint type, const char* suffix) {
  mjsJoint* joint = mjs_addJoint(&body->spec, NULL);
  joint->type = type;
  SpcElement* e = spc_head(joint->element);
  spc_setPlace(r, node, e);
  spc_renameWith(e, spc_readRequired(r, node, "name"), suffix, "");
  const char* name = spc_text(&e->name);
  if (*name && spc_find(r->model, SPC_JOINT, name) != e) spc_readFail(r, node, "repeated name '%s' in joint", name);
  return joint;
}

// slides along the two axes of the plane, then a hinge about its normal
static int addPlanar(SpcReader* r, const XmlNode* node, SpcBody* body, const double normal[3], mjsJoint* joint[3]) {
  static const char* suffix[] = {"_TX", "_TY", "_RZ"};
  double quat[4], mat[9];
  spc_zToVec(quat, normal);
  mju_quat2Mat(mat, quat);
  for (int i = 0; i < 3; i++) {
    joint[i] = addJoint(r, node, body, i < 2 ? mjJNT_SLIDE : mjJNT_HINGE, suffix[i]);
    for (int k = 0; k < 3; k++) joint[i]->axis[k] = i < 2 ? mat[3 * k + i] : normal[k];
  }
  return 3;
}

// half a range, or one the wrong way round, is no limit; the sign of an effort does not matter
static void readLimit(SpcReader* r, const XmlNode* node, mjsJoint* joint) {
  const int lower = spc_readDoubles(r, node, "lower", joint->range, 1, 1);
  const int upper = spc_readDoubles(r, node, "upper", joint->range + 1, 1, 1);
  if (lower != upper || joint->range[0] > joint->range[1]) joint->limited = mjLIMITED_FALSE;
  double effort = 0;
  spc_readDoubles(r, node, "effort", &effort, 1, 1);
  effort = fabs(effort);
  if (effort > 0) {
    joint->actfrcrange[0] = -effort;
    joint->actfrcrange[1] = effort;
  }
}

enum { FIXED = -1, PLANAR = -2 };  // beside the types of mjtJoint

static int jointType(SpcReader* r, const XmlNode* node) {
  static const SpcWord types[] = {
      {"revolute",   mjJNT_HINGE},
      {"continuous", mjJNT_HINGE},
      {"prismatic",  mjJNT_SLIDE},
      {"floating",   mjJNT_FREE },
      {"spherical",  mjJNT_BALL },
      {"fixed",      FIXED      },
      {"planar",     PLANAR     },
      {NULL,         0          }
  };
  const char* text = spc_readRequired(r, node, "type");
  const SpcWord* type = types;
  while (type->word && strcmp(type->word, text)) type++;
  if (!type->word) {
    spc_readFail(r, node,
                 "invalid joint type '%s' in URDF joint definition: revolute, continuous, prismatic, fixed, floating, "
                 "planar or spherical is expected",
                 text);
  }
  return type->value;
}

// where the child link is and how it moves
static void readJoint(SpcReader* r, const XmlNode* node, SpcBody* body) {
  const int type = jointType(r, node);
  spc_readRequired(r, node, "name");
  readOrigin(r, node, body->spec.pos, body->spec.quat);
  double axis[3] = {1, 0, 0};
  const XmlNode* child = onlyChild(r, node, "axis");
  if (child) neededNumbers(r, child, "xyz", axis, 3);
  if (type == FIXED) return;

  mjsJoint* joint[3];
  int count = 1;
  if (type == PLANAR) {
    count = addPlanar(r, node, body, axis, joint);
  } else {
    joint[0] = addJoint(r, node, body, (mjtJoint)type, "");
    if (type != mjJNT_FREE) memcpy(joint[0]->axis, axis, sizeof(axis));
  }

  // damping and friction are those of every degree of freedom, limits those of the first
  if ((child = onlyChild(r, node, "dynamics"))) {
    for (int i = 0; i < count; i++) {
      spc_readDoubles(r, child, "damping", &joint[i]->damping, 1, 1);
      spc_readDoubles(r, child, "friction", &joint[i]->frictionloss, 1, 1);
    }
  }
  if ((child = onlyChild(r, node, "limit"))) readLimit(r, child, joint[0]);
  if ((child = xml_child(node, "mimic"))) note(r, child, "mimic is not read, the joint moves on its own");
}

// -------------------------------------------------------------------------------------------- tree

static Link* linkAt(const SpcReader* r, int i) {
  return (Link*)(void*)r->links.begin + i;
}

static int linkCount(const SpcReader* r) {
  return (int)spc_vecCount(&r->links, sizeof(Link));
}

static void collectLinks(SpcReader* r, const XmlNode* root) {
  for (const XmlNode* node = root->first; node; node = node->next) {
    if (strcmp(node->name, "link")) continue;
    const Link link = {
        .name = spc_readRequired(r, node, "name"), .node = node, .parent = -1, .first = -1, .last = -1, .next = -1};
    spc_vecAppend(&r->links, &link, 1, sizeof(link));
    addName(&r->linkNames, link.name, node);
  }
  sortNames(&r->linkNames);
  const Named* at = (const Named*)(const void*)r->linkNames.begin;
  for (int i = 1; i < linkCount(r); i++) {
    if (!strcmp(at[i].name, at[i - 1].name)) spc_readFail(r, at[i].node, "repeated URDF name: '%s'", at[i].name);
  }
}

// the link that <parent> or <child> of a joint names
static int linkOf(SpcReader* r, const XmlNode* joint, const char* role) {
  const XmlNode* node = neededChild(r, joint, role);
  const char* name = spc_readRequired(r, node, "link");
  const Named* found = findName(&r->linkNames, name);
  if (!found) spc_readFail(r, node, "URDF joint parent or child missing: there is no link '%s'", name);
  return found->order;
}

// every joint hangs one link below another
static void connectLinks(SpcReader* r, const XmlNode* root) {
  for (const XmlNode* node = root->first; node; node = node->next) {
    if (strcmp(node->name, "joint")) continue;
    const int parent = linkOf(r, node, "parent"), child = linkOf(r, node, "child");
    Link *below = linkAt(r, child), *above = linkAt(r, parent);
    if (below->parent >= 0) spc_readFail(r, node, "URDF body has multiple parents: '%s'", below->name);
    below->parent = parent;
    if (above->last >= 0) {
      linkAt(r, above->last)->next = child;
    } else {
      above->first = child;
    }
    above->last = child;
  }
}

static void makeBody(SpcReader* r, Link* link) {
  link->depth = link->parent < 0 ? 1 : linkAt(r, link->parent)->depth + 1;
  if (link->depth > DEPTH) spc_readFail(r, link->node, "links are nested too deeply, more than %d", DEPTH);
  if (!strcmp(link->name, "world")) {
    link->body = r->model->world;
    return;
  }
  SpcBody* above = link->parent < 0 ? r->model->world : linkAt(r, link->parent)->body;
  const mjsBody* made = mjs_addBody(&above->spec, NULL);
  link->body = (SpcBody*)spc_head(made->element);
  spc_setPlace(r, link->node, &link->body->head);
  spc_rename(&link->body->head, link->name);
}

// the link behind another one in the order of the tree below root, -1: that was the last
static int nextLink(const SpcReader* r, int i, int root) {
  if (linkAt(r, i)->first >= 0) return linkAt(r, i)->first;
  while (i != root && linkAt(r, i)->next < 0) i = linkAt(r, i)->parent;
  return i == root ? -1 : linkAt(r, i)->next;
}

// parents before children, tree by tree; a link that is not reached hangs in a loop
static void makeBodies(SpcReader* r) {
  const int count = linkCount(r);
  for (int root = 0; root < count; root++) {
    if (linkAt(r, root)->parent >= 0) continue;
    for (int i = root; i >= 0; i = nextLink(r, i, root)) makeBody(r, linkAt(r, i));
  }
  for (int i = 0; i < count; i++) {
    const Link* link = linkAt(r, i);
    if (!link->body) spc_readFail(r, link->node, "URDF link '%s' hangs in a loop of joints", link->name);
  }
}

// -------------------------------------------------------------------------------------------- the whole file

// options as in MJCF; other sections of <mujoco> are skipped
static void readSettings(SpcReader* r, const XmlNode* root) {
  mjSpec* s = &r->model->spec;
  s->strippath = 1;
  s->compiler.fusestatic = 1;
  s->compiler.discardvisual = 1;
  const XmlNode* settings = onlyChild(r, root, "mujoco");
  const XmlNode* compiler = settings ? onlyChild(r, settings, "compiler") : NULL;
  const XmlNode* option = settings ? onlyChild(r, settings, "option") : NULL;
  const XmlNode* size = settings ? onlyChild(r, settings, "size") : NULL;
  if (compiler) {
    onlyChild(r, compiler, "lengthrange");
    spc_readCompiler(r, compiler);
  }
  if (option) {
    onlyChild(r, option, "flag");
    spc_readOption(r, option);
  }
  if (size) spc_readSize(r, size);

  // angles are in radians whatever the compiler section says
  s->compiler.degree = 0;
  const char* name = xml_attribute(root, "name");
  if (name) spc_textSet(s->modelname, name);
}

void spc_readRobot(SpcReader* r, const XmlNode* root) {
  readSettings(r, root);
  readMaterials(r, root);
  collectLinks(r, root);
  connectLinks(r, root);
  makeBodies(r);
  for (int i = 0; i < linkCount(r); i++) readLink(r, linkAt(r, i)->node, &linkAt(r, i)->body->spec);
  for (const XmlNode* node = root->first; node; node = node->next) {
    if (!strcmp(node->name, "joint")) readJoint(r, node, linkAt(r, linkOf(r, node, "child"))->body);
    if (!strcmp(node->name, "include")) note(r, node, "include is not followed");
  }
  if (*r->note) mju_warning("%s", r->note);
}
