// Compiling an mjSpec to an mjModel: the pieces that the compiler's files share.
//
//   collect ─► assets ─► bodies (frames, geoms, inertia, joints, sites …) ─► fuse ─► references ─► sizes ─► copy ─►
//   constants
//
// The spec is read only. Every element gets a resolved struct that starts with a head and holds a copy of the element's
// mjs struct, in which angles, frames, defaults and sizes are then resolved; strings and vectors of the copy still
// belong to the spec. A failure leaves by longjmp to cmp_run, which frees everything in one place.
#pragma once

#include <setjmp.h>

#include "asset/asset.h"
#include "asset/decompose.h"
#include "spec/pose.h"
#include "base/assert.h"

// what every resolved struct starts with; the mjs struct, with its doubles, follows without a gap on any machine
typedef struct {
  _Alignas(double) SpcElement* e;
  const char* name;  // never NULL; assets without a name have that of their file
  int id;            // position in the compiled model, -1 when it is not part of it
} CmpHead;

// growing list of pointers; memory belongs to the compilation
typedef struct {
  void** at;
  int n, room;
} CmpList;

typedef struct {
  CmpHead head;
  mjsMesh s;
  const char* file;  // with folder, relative to the model's directory
  AstMesh asset;
  int ready;  // asset was compiled and must be freed
  int needhull, needsdf;
  int exact;         // collides as: ColShapeKind of collision/exact.h
  double thickness;  // of a shell
  int visual;        // no colliding geom uses it
  int plugin;
} CmpMesh;

typedef struct {
  CmpHead head;
  mjsHField s;
  const char* file;
  AstHfield asset;
  int ready;
} CmpHfield;

typedef struct {
  CmpHead head;
  mjsTexture s;
  const char* file;
  const char* cubefile[6];
  AstTexture asset;
  int ready;
} CmpTexture;

typedef struct {
  CmpHead head;
  mjsMaterial s;
  int texid[mjNTEXROLE];
} CmpMaterial;

// skin data: of the spec, or read from a file
typedef struct {
  CmpHead head;
  mjsSkin s;
  const char* file;
  int matid;
  int nvert, ntexcoord, nface, nbone;
  const float *vert, *texcoord, *bindpos, *bindquat;
  const int* face;
  const char** bodyname;
  int* bodyid;
  int* nbonevert;
  const int** vertid;
  const float** vertweight;
} CmpSkin;

typedef struct {
  CmpHead head;
  mjsFrame s;
  int done;  // pos and quat are in the body's frame
} CmpFrame;

// A body with what is attached to it. Fusing moves children between bodies, so the lists are lists of pointers.
typedef struct CmpBody {
  CmpHead head;
  mjsBody s;
  struct CmpBody* parent;  // NULL: world
  CmpList bodies, joints, geoms, sites, cameras, lights;
  int weldid, mocapid, dofnum, subtreedofs, plugin;
  int simple;  // as mjModel.body_simple
  int contype, conaffinity;
  double margin;
  AstBvh bvh;  // leaves hold the position of their geom in Cmp.allgeom
} CmpBody;

typedef struct {
  CmpHead head;
  mjsJoint s;
  CmpBody* body;
  int qposadr, dofadr;
} CmpJoint;

typedef struct {
  CmpHead head;
  mjsGeom s;
  CmpBody* body;
  CmpMesh* mesh;      // NULL: none
  CmpHfield* hfield;  // NULL: none
  int matid, plugin;
  int visual;  // collides with nothing and nothing refers to it
  int infer;   // the body's inertia comes from its geoms
  double mass, inertia[3];
  double aabb[6];  // center, half sizes
  mjtNum fluid[mjNFLUID];
} CmpGeom;

typedef struct {
  CmpHead head;
  mjsSite s;
  CmpBody* body;
  int matid;
} CmpSite;

typedef struct {
  CmpHead head;
  mjsCamera s;
  CmpBody *body, *target;
} CmpCamera;

typedef struct {
  CmpHead head;
  mjsLight s;
  CmpBody *body, *target;
  int texid;
} CmpLight;

typedef struct {
  CmpHead head;
  mjsPair s;
  CmpGeom *geom1, *geom2;
  CmpGeom* part[2];  // of the geoms that it names, NULL: these themselves
  int signature;
} CmpPair;

typedef struct {
  CmpHead head;
  mjsExclude s;
  int signature;
} CmpExclude;

typedef struct {
  CmpHead head;
  mjsEquality s;
  int obj1id, obj2id;
} CmpEquality;

typedef struct {
  mjtWrap type;
  CmpHead* object;  // NULL: pulley
  CmpSite* side;    // NULL: none
  double prm;
} CmpWrap;

typedef struct {
  CmpHead head;
  mjsTendon s;
  int matid, npath;
  CmpWrap* path;
} CmpTendon;

typedef struct {
  CmpHead head;
  mjsActuator s;
  CmpHead* target;
  int trnid[2];
  int actadr;
  int plugin;
} CmpActuator;

typedef struct {
  CmpHead head;
  mjsSensor s;
  CmpHead *object, *reference;
  int plugin;
} CmpSensor;

typedef struct {
  CmpHead head;
  mjsNumeric s;
  const double* data;
  int ndata;
} CmpNumeric;

typedef struct {
  CmpHead head;
  mjsText s;
} CmpText;

typedef struct {
  CmpHead head;
  mjsTuple s;
  int n;
  CmpHead** object;
} CmpTuple;

typedef struct {
  CmpHead head;
  mjsKey s;
  double *qpos, *qvel, *act, *mpos, *mquat, *ctrl;
  int attached;  // 1: some of its values came with an attached model
} CmpKey;

typedef struct {
  CmpHead head;
  mjsPlugin s;
  int slot;
  SpcElement* owner;  // element that the message of a bad attribute names
  char* attributes;   // values in the plugin's order, each terminated
  int nattributes;    // bytes
} CmpPluginInstance;

typedef struct CmpChunk CmpChunk;
typedef struct CmpName CmpName;

// how far a compilation has come, in this order
typedef enum {
  CMP_START,      // nothing is known yet
  CMP_COLLECTED,  // lists, ids and names
  CMP_ASSETS,     // meshes, height fields, textures, materials
  CMP_TREE,       // bodies and what hangs on them
  CMP_RESOLVED,   // everything that refers to them
  CMP_BUILT,      // sizes and arrays of the model
  CMP_DONE        // constants of the model
} CmpStage;

typedef struct Cmp {
  SpcModel* spec;
  CmpStage stage;
  mjSpec s;  // copy of the spec's own values; sizes that were left open are resolved here
  const mjVFS* vfs;

  CmpList list[SPC_KINDS];  // resolved structs in model order
  CmpGeom** allgeom;        // as collected, before fusing and discarding
  int nallgeom;
  int nsparebvh;   // nodes counted for trees of fused bodies, left empty
  CmpName* names;  // hash table: kind and name to head
  size_t nslots;

  mjModel* m;
  mjData* d;
  mjStatistic computed;  // statistics before the user's own values

  CmpChunk* memory;
  mjResource* open;  // what is being read; closed at the end, however that comes
  jmp_buf escape;
  char error[1000];
} Cmp;

// ---- memory.c: one place for memory and failure

// zeroed memory that lives as long as the compilation
void* cmp_alloc(Cmp* c, size_t count, size_t size);
char* cmp_text(Cmp* c, const char* text, size_t length);
// a copy of a text from malloc, which is freed
char* cmp_own(Cmp* c, char* text);
void cmp_add(Cmp* c, CmpList* list, void* item);
void cmp_freeMemory(Cmp* c);
// ends the compilation: message, then name, id, line and file of the element (NULL: none)
_Noreturn void cmp_fail(Cmp* c, const SpcElement* e, const char* format, ...) __attribute__((format(printf, 3, 4)));

// ---- collect.c: lists, ids and names
void cmp_collect(Cmp* c, int keys);
// the element of a kind with this name, NULL when there is none
void* cmp_find(const Cmp* c, SpcKindId kind, const char* name);
void* cmp_findType(const Cmp* c, mjtObj type, const char* name);
// names of a kind lead to the elements that now stand where those of the names stood before
void cmp_rebind(Cmp* c, SpcKindId kind, const CmpList* before);
// nothing has this name any more
void cmp_unbind(Cmp* c, const CmpHead* head, SpcKindId kind);
// numbers a list from 0
void cmp_number(CmpList* list);

static inline int cmp_count(const Cmp* c, SpcKindId kind) {
  return c->list[kind].n;
}

// the next stage is reached
static inline void cmp_reach(Cmp* c, CmpStage stage) {
  BAS_ASSERT((int)stage == (int)c->stage + 1);
  c->stage = stage;
}

// invariants of the lists: ids are positions, names are there (base/assert.h)
void cmp_assertLists(const Cmp* c);

// the i-th resolved struct of a kind, typed
#define CMP_AT(c, kind, type, i) ((type*)(c)->list[kind].at[i])

static inline int cmp_given(double value) {
  return value == value;
}

// ---- sameframe.c

// mjtSameFrame of a frame in a body (NULL: only the body frame itself counts)
mjtByte cmp_sameFrame(const double pos[3], const double quat[4], const CmpBody* body);
int cmp_isNear(const double* a, const double* b, int n);

// ---- inertia.c

// volume or area, by the geom's inertia type
double cmp_geomVolume(const CmpGeom* geom);
void cmp_geomInertia(CmpGeom* geom);
// mass, ipos, iquat and inertia of a body from its geoms
void cmp_bodyFromGeoms(Cmp* c, CmpBody* body);
// principal axes of (xx, yy, zz, xy, xz, yz); NULL or what is wrong
const char* cmp_principal(double quat[4], double inertia[3], const double full[6]);
// merges the mass of a child that is fixed to the body
void cmp_mergeInertia(Cmp* c, CmpBody* body, const CmpBody* child);
// bounds, signs and the triangle inequality
void cmp_checkInertia(Cmp* c, CmpBody* body);

// ---- tree.c, joint.c, geom.c, attached.c
void cmp_compileTree(Cmp* c);
void cmp_bodyBvh(Cmp* c, CmpBody* body);
const CmpFrame* cmp_frame(Cmp* c, const SpcElement* e);
void cmp_compileJoint(Cmp* c, CmpJoint* joint);
static inline int cmp_nq(const CmpJoint* joint) {
  return joint->s.type == mjJNT_FREE ? 7 : joint->s.type == mjJNT_BALL ? 4 : 1;
}
static inline int cmp_nv(const CmpJoint* joint) {
  return joint->s.type == mjJNT_FREE ? 6 : joint->s.type == mjJNT_BALL ? 3 : 1;
}
// fails unless "limited" is explicit or may be inferred from the range
void cmp_checkLimited(Cmp* c, const SpcElement* e, const char* entity, const char* attribute, int limited,
                      const double range[2]);
static inline int cmp_isLimited(int limited, const double range[2]) {
  return limited == mjLIMITED_TRUE || (limited == mjLIMITED_AUTO && range[0] < range[1]);
}
void cmp_compileGeom(Cmp* c, CmpGeom* geom);
double cmp_geomBound(const CmpGeom* geom);
void cmp_checkSize(Cmp* c, const SpcElement* e, mjtGeom type, const double size[3]);
// added mass and inertia of the ellipsoid around the geom, and the user's drag coefficients
void cmp_fluid(CmpGeom* geom);
void cmp_compileSite(Cmp* c, CmpSite* site);
void cmp_compileCamera(Cmp* c, CmpCamera* camera);
void cmp_compileLight(Cmp* c, CmpLight* light);
void cmp_resolveCamera(Cmp* c, CmpCamera* camera);
void cmp_resolveLight(Cmp* c, CmpLight* light);

// fails when an element has more user values than the model's size; returns how many it has
int cmp_checkUser(Cmp* c, const SpcElement* e, const SpcVec* user, int size, const char* where);

// ---- asset.c, skin.c
void cmp_indexAssets(Cmp* c);
void cmp_compileAssets(Cmp* c);
void cmp_compileSkins(Cmp* c);
void cmp_freeAssets(Cmp* c);
int cmp_material(Cmp* c, const SpcElement* e, const SpcString* name, const char* where, int id);

// ---- fuse.c
void cmp_fuseStatic(Cmp* c);
void cmp_discardVisual(Cmp* c);

// ---- contact.c, equality.c, tendon.c, actuator.c, sensor.c, custom.c, keyframe.c
void cmp_compilePairs(Cmp* c);
void cmp_compileExcludes(Cmp* c);
void cmp_compileEqualities(Cmp* c);
void cmp_compileTendons(Cmp* c);
void cmp_compileActuators(Cmp* c);
void cmp_compileSensors(Cmp* c);
void cmp_compileCustom(Cmp* c);

// ---- physics.c: attributes of the sinew: namespace

// an actuator whose model has states gets activations
void cmp_actuatorStates(Cmp* c, CmpActuator* actuator);
// after everything else: choices become entries of the model
void cmp_choosePhysics(Cmp* c);

// ---- grip.c: the same for geoms, pairs and bodies
void cmp_chooseGrip(Cmp* c);

// ---- mechanism.c: joints made of several, before names are looked up
void cmp_expandJoints(Cmp* c);

// ---- shape.c: the same for meshes, once they are compiled: geoms of the parts of decomposed ones
void cmp_chooseShapes(Cmp* c);
int cmp_hasShape(const SpcElement* e);  // 1: a mesh that names another shape than its hull
void cmp_partsOf(Cmp* c, const CmpMesh* mesh, const AstCut* cut, AstParts* parts);  // in memory of the compilation
// which meshes are exact becomes an entry of the model
void cmp_storeShapes(Cmp* c);

void cmp_compileKeys(Cmp* c, const mjModel* m);
// keyframes of attached models, completed, go back to the spec: a saved file has no other place for them
void cmp_storeKeys(const Cmp* c);

// ---- copyback.c

// what a saved file may have to hold of the compiled model: mass properties of bodies, springs of joints,
// ranges of actuators
void cmp_storeForSaving(SpcModel* spec, const mjModel* m);

// ---- plugin.c
// resolves the plugin of an element; -1: it has none. needed: capability, what the message calls it
int cmp_plugin(Cmp* c, SpcElement* e, const mjsPlugin* plugin, int needed, const char* what);
void cmp_compilePlugins(Cmp* c);

// ---- sizes.c, copy_*.c, sparse.c, finish.c
void cmp_userSizes(Cmp* c);
void cmp_sizes(Cmp* c, mjModel* sizes);
void cmp_copyNames(Cmp* c, mjModel* m);
void cmp_copyTree(Cmp* c, mjModel* m);
void cmp_copyAssets(Cmp* c, mjModel* m);
void cmp_copyObjects(Cmp* c, mjModel* m);
void cmp_copyPlugins(Cmp* c, mjModel* m);
void cmp_sparse(mjModel* m);
void cmp_countMoment(mjModel* m);
void cmp_finish(Cmp* c);

// ---- compile.c

// compiles; NULL: the spec's error says why. dest: a model whose memory is replaced, or NULL
mjModel* cmp_run(SpcModel* spec, const mjVFS* vfs, mjModel* dest);
