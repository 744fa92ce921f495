// The editable model: what stands behind mjSpec, mjsBody, mjsGeom and the other mjs* structs.
//
//   SpcModel ── world ── SpcBody tree: bodies, frames, joints, geoms, sites, cameras, lights
//            ├─ list[kind]   everything that is not in the tree: assets, contacts, actuators, …
//            └─ defaults     class tree; each class holds one template element per kind
//
// Every element is one allocation: SpcElement (the head), what its kind adds, and the public mjs struct, which
// head.spec points to and whose `element` member points back to the head. Strings and vectors inside the mjs struct are
// listed in the kind's field table, so that making, copying and freeing need no code per kind. An element starts as a
// copy of its class's template; whatever is written over it later wins, whatever the value.
#pragma once

#include <mujoco/mujoco.h>

#include "spec/text.h"

typedef struct SpcModel SpcModel;
typedef struct SpcBody SpcBody;
typedef struct SpcFrame SpcFrame;
typedef struct SpcDefault SpcDefault;

// the kinds of elements; the order is that of the table in kind.c
typedef enum {
  SPC_BODY,
  SPC_FRAME,
  SPC_JOINT,
  SPC_GEOM,
  SPC_SITE,
  SPC_CAMERA,
  SPC_LIGHT,
  SPC_FLEX,
  SPC_MESH,
  SPC_SKIN,
  SPC_HFIELD,
  SPC_TEXTURE,
  SPC_MATERIAL,
  SPC_PAIR,
  SPC_EXCLUDE,
  SPC_EQUALITY,
  SPC_TENDON,
  SPC_WRAP,
  SPC_ACTUATOR,
  SPC_SENSOR,
  SPC_NUMERIC,
  SPC_TEXT,
  SPC_TUPLE,
  SPC_KEY,
  SPC_PLUGIN,
  SPC_DEFAULT,
  SPC_MODEL,
  SPC_KINDS
} SpcKindId;

// what a string or vector member of an mjs struct is
typedef enum {
  SPC_STRING,
  SPC_STRINGS,
  SPC_INTS,
  SPC_INTVECS,
  SPC_FLOATS,
  SPC_FLOATVECS,
  SPC_DOUBLES,
  SPC_BYTES,
} SpcFieldType;

typedef struct {
  unsigned short offset;  // of the pointer inside the mjs struct
  unsigned char type;     // SpcFieldType
} SpcField;

// one row per kind
typedef struct {
  const char* name;          // as in MJCF and in messages: "geom"
  mjtObj type;               // mjOBJ_GEOM
  size_t head;               // sizeof the head struct: SpcElement or one that starts with it
  size_t size;               // sizeof the mjs struct
  void (*fill)(void* spec);  // built-in defaults; NULL: all zero
  const SpcField* fields;    // strings and vectors, ends with type 0xff
  int template;              // offset of the template in mjsDefault, -1: kind without defaults
} SpcKind;

extern const SpcKind spc_kinds[SPC_KINDS];

// replicates that would make more are refused: it takes a line of text to ask for more than any memory holds
enum { SPC_MOST_ELEMENTS = 1000000 };

// ordered list of elements
typedef struct {
  struct SpcElement** at;
  int count, room;
  int temporary;  // 1: it lives as long as a call; an error that leaves the call leaves it to the model
} SpcList;

#define SPC_TEMPORARY \
  { .temporary = 1 }

// what precedes the elements of a temporary list in memory
typedef struct SpcBlock {
  struct SpcBlock *next, **link;
} SpcBlock;

// a value that a program attached to an element under a key
typedef struct {
  SpcString key;
  const void* value;
  void (*cleanup)(const void*);
} SpcUserValue;

// the settings under which an element was read; those of an attached model are kept by the model it went into
typedef struct SpcOrigin {
  mjsCompiler compiler;  // its folders point to the strings below
  SpcString meshdir, texturedir;
  SpcString directory;  // of the model file
  struct SpcOrigin* next;
  struct SpcOrigin* copy;  // in another model, while elements are taken there
} SpcOrigin;

// part of a keyframe
typedef enum { SPC_QPOS, SPC_QVEL, SPC_ACT, SPC_CTRL, SPC_MPOS, SPC_MQUAT } SpcKeyPart;

// what a keyframe says about a joint, actuator or mocap body, while the tree changes
typedef struct {
  struct SpcElement* key;
  SpcKeyPart part;
  int count;
  double value[7];
} SpcKeyValue;

// where mjData keeps the state of an element since the last compilation, in two parts: qpos and qvel of a joint, act
// and ctrl of an actuator, position and orientation of a mocap body
typedef struct {
  int address[2], count[2];
} SpcState;

typedef struct SpcElement {
  mjsElement base;  // first: mjs*->element is a SpcElement*
  SpcKindId kind;
  int id;           // position among its kind after compilation, -1 before
  SpcModel* model;  // owner
  void* spec;       // the mjs struct, inside this allocation
  SpcVec* own;      // its strings and vectors, in the order of the kind's fields
  SpcString name;
  SpcDefault* class;  // the default class that it was made from
  SpcBody* body;      // parent in the tree, NULL outside
  SpcFrame* frame;    // innermost enclosing frame, NULL outside
  const char* file;   // where it was read from, owned by the model; NULL when made by a program
  int line;
  SpcVec values;            // of SpcUserValue
  const SpcOrigin* origin;  // NULL: the settings of its model
  SpcVec keyed;             // of SpcKeyValue
  SpcVec settings;          // of SpcAttribute: attributes of the sinew: namespace, in the order of the text
  int recorded;             // 1: a keyframe whose values are with the elements
  SpcState state;           // all zero: it has none
  struct SpcElement* copy;  // while a graft runs, see graft.h
  SpcBody* lender;          // body of the model that it was moved from, which still lists it; NULL: none
  struct SpcElement *loose, **looseLink;  // its neighbour among those in no list yet, and what points to it
  int place;                              // where its list had it when it was last met: a guess, see iterate.c
} SpcElement;

// mass properties of a body in the compiled model
typedef struct {
  double mass, pos[3], quat[4], diagonal[3];
} SpcInertial;

struct SpcBody {
  SpcElement head;
  mjsBody spec;
  SpcInertial inertial;
  SpcList child[SPC_LIGHT + 1];  // by kind: bodies, frames, joints, geoms, sites, cameras, lights
};

struct SpcFrame {
  SpcElement head;
  mjsFrame spec;
};

// an attribute of a plugin instance
typedef struct {
  SpcString key, value;
} SpcAttribute;

typedef struct SpcAttributeMap SpcAttributeMap;

typedef struct {
  SpcElement head;
  mjsPlugin spec;
  SpcVec attributes;     // of SpcAttribute, in order of their keys
  SpcAttributeMap* map;  // what mjs_getPluginAttributes gave out last, see plugin.c
} SpcPlugin;

// one entry of a tendon's path; SpcTendon owns it
typedef struct {
  SpcElement head;
  mjsWrap spec;
  SpcString target;    // site, geom or joint
  SpcString sidesite;  // of a geom
  double prm;          // coefficient of a joint, divisor of a pulley
} SpcWrap;

typedef struct {
  SpcElement head;
  mjsTendon spec;
  SpcList path;  // of SpcWrap
} SpcTendon;

struct SpcDefault {
  SpcElement head;
  mjsDefault spec;
  SpcDefault* parent;  // NULL: main
  SpcList child;
};

// an element whose head needs nothing more; the mjs struct follows
typedef struct {
  _Alignas(double) SpcElement head;
} SpcPlain;

// elements by kind and name, see names.h
typedef struct {
  SpcElement** slot;
  size_t room, used;  // room: a power of two, 0 when empty
  int loose;          // 1: there may be names that the table does not know
} SpcNames;

struct SpcModel {
  mjSpec spec;      // first: an mjSpec* is a SpcModel*
  SpcElement head;  // the spec's own element
  SpcVec own[5];    // its strings
  SpcBody* world;
  SpcList list[SPC_KINDS];  // what is outside the tree, in order of creation; defaults with main first
  SpcList models;           // specs attached to or included in this one, by their heads
  SpcNames names;           // of everything in this model
  SpcOrigin* origins;       // of attached models
  SpcVec plugins;           // of SpcString: activated plugins, in order
  SpcVec files;             // of char*: file names that elements point to
  SpcVec springs;           // of double[2]: stiffness and damping of the compiled model's joints
  SpcVec ranges;            // of double[4]: ctrlrange and actrange of its actuators
  SpcBlock* blocks;         // of temporary lists
  SpcElement* loose;        // elements in no list yet: freed with the model when an error left them behind
  SpcList pending;          // keyframes of which only the elements know the values, see graft.h
  int made;                 // elements made so far
  int references;           // programs and models that hold this one
  int deepcopy;             // attaching copies the child (1) or moves it (0)
  int repeats;              // 1: an element got a name that another of its kind has
  int attached;             // 1: elements of it were moved to another model
  int compiled;             // 1: it was compiled at least once
  int edited;               // 1: elements came or went since it was compiled last
  int warning;              // the text in error is a warning
  char error[1000];
};

// ---- element.c

// the head behind a public struct's element pointer
static inline SpcElement* spc_head(const mjsElement* element) {
  return (SpcElement*)(uintptr_t)element;
}

// new element of a kind, a copy of class's template (NULL or no template: the built-in defaults); not in any list yet
SpcElement* spc_make(SpcModel* model, SpcKindId kind, SpcDefault* class);
// an element is owned by something that is no list
void spc_settle(SpcElement* e);
// what the element says about where it comes from: "line 12"
const char* spc_info(const SpcElement* e);
// the string itself, NULL for models and classes, which have none
SpcString* spc_infoOf(const SpcElement* e);
// makes the mjs struct point to the element's own strings and vectors
void spc_linkMembers(SpcElement* e);
// frees an element that is in no list, with what it owns
void spc_free(SpcElement* e);
// copies everything that the source's mjs struct says (not its name, owner, lists)
void spc_copySpec(SpcElement* e, const SpcElement* source);
// copies the kind's own parts: tendon path, plugin attributes
void spc_copyExtras(SpcElement* e, const SpcElement* source);

// the plugin instance that an element uses, NULL: its kind has none
mjsPlugin* spc_plugin(const SpcElement* e);

// the file of an asset without its folder, extension included; "": it has none
const char* spc_fileName(const SpcElement* e);

void spc_listAdd(SpcList* list, SpcElement* e);
// removes e, keeping the order of the others; 0 when it is not there
int spc_listRemove(SpcList* list, const SpcElement* e);
void spc_listFree(SpcList* list);

// value of a plugin attribute, NULL when it is not set; setting keeps the order of keys
const char* spc_attribute(const SpcPlugin* plugin, const char* key);
void spc_setAttribute(SpcPlugin* plugin, const char* key, const char* value);
void spc_clearAttributes(SpcPlugin* plugin);
void spc_freeAttributeMap(SpcPlugin* plugin);

// ---- settings.c: attributes of the sinew: namespace, by their names without it

// value, NULL when it is not set
const char* spc_setting(const SpcElement* e, const char* name);
// NULL removes it
void spc_setSetting(SpcElement* e, const char* name, const char* value);
// replaces all
void spc_copySettings(SpcElement* e, const SpcElement* source);
void spc_freeSettings(SpcElement* e);

// ---- model.c

// Appends the elements of a kind to a list that the caller frees, in model order: tree kinds depth first, others as
// they were added. What was moved to another model is still among them.
void spc_collect(const SpcModel* model, SpcKindId kind, SpcList* list);
// same below one body
void spc_collectBelow(const SpcBody* body, SpcKindId kind, int recurse, SpcList* list);
// first element of a kind with this name, NULL when there is none
SpcElement* spc_find(const SpcModel* model, SpcKindId kind, const char* name);
SpcDefault* spc_findDefault(const SpcModel* model, const char* name);
// SPC_KINDS when the object type has no elements
SpcKindId spc_kindOf(mjtObj type);
// a class with a template of every kind that has defaults, copies of the parent's; NULL: the name is taken
SpcDefault* spc_addClass(SpcModel* model, const char* name, SpcDefault* parent);
static inline SpcDefault* spc_mainClass(const SpcModel* model) {
  return (SpcDefault*)model->list[SPC_DEFAULT].at[0];
}
// the template of a kind in a class
static inline SpcElement* spc_template(const SpcDefault* class, SpcKindId kind) {
  return spc_head(**(mjsElement * * const*)(const void*)((const char*)&class->spec + spc_kinds[kind].template));
}
// invariants of a model's lists: kinds, owners, parents, links to the public structs (base/assert.h)
void spc_assertModel(const SpcModel* model);
// keeps a copy of a file name as long as the model lives
const char* spc_internFile(SpcModel* model, const char* file);
// writes the model's error text; returns -1 for the convenience of callers
int spc_fail(SpcModel* model, const char* format, ...) __attribute__((format(printf, 2, 3)));

// 1: a body lists an element that belongs to another one by now
static inline int spc_isLent(const SpcElement* e, const SpcBody* body) {
  return e->body != body;
}

static inline SpcModel* spc_model(const mjSpec* s) {
  return (SpcModel*)(uintptr_t)s;
}

// the compiler settings under which an element was read, and the folder of its file
static inline const mjsCompiler* spc_compiler(const SpcElement* e) {
  return e->origin ? &e->origin->compiler : &e->model->spec.compiler;
}

static inline const char* spc_directory(const SpcElement* e) {
  return spc_text(e->origin ? &e->origin->directory : (const SpcString*)e->model->spec.modelfiledir);
}
