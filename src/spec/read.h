// Reading MJCF and URDF: element tree → mjSpec. The pieces that the reader's files share.
//
// A failure leaves the whole reading by longjmp to spc_readModel, which frees document and model in one place; the text
// names the rule that was broken, then element, file and line.
#pragma once

#include <setjmp.h>

#include "spec/schema.h"

// model files that are being read: one that is attached, then those that it is attached to
typedef struct SpcOpenFile {
  const char* name;
  const struct SpcOpenFile* above;
} SpcOpenFile;

typedef struct SpcReader {
  SpcModel* model;
  const mjVFS* vfs;
  const SpcOpenFile* file;
  XmlDocument* document;
  const char* directory;  // of the model file
  int done;               // 1: everything was read
  int defaults;           // 1: inside a default class, where fewer attributes are allowed
  const char* assetdir;   // of the compiler section, NULL when not given
  SpcVec scratch;         // what the reading of one element needs for a while
  SpcVec numbers;         // same, integers
  SpcVec links;           // of a robot, see read_urdf.c
  SpcVec linkNames;
  SpcVec materials;
  jmp_buf escape;
  char note[300];  // what the model has to do without, "": nothing
  char error[1000];
} SpcReader;

// ends the reading: message, element, line, file
void spc_readFail(SpcReader* r, const XmlNode* node, const char* format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

// ---- read_values.c: attributes

// fills the members that the rows name; target is the mjs struct (or mjSpec) and head its element (NULL: no name)
void spc_readRows(SpcReader* r, const XmlNode* node, const SpcAttributeRow* rows, void* target, SpcElement* head);
// count values of an attribute (at least min, at most max); 0 when it is not there or empty
int spc_readDoubles(SpcReader* r, const XmlNode* node, const char* name, double* out, int min, int max);
int spc_readFloats(SpcReader* r, const XmlNode* node, const char* name, float* out, int min, int max);
int spc_readInts(SpcReader* r, const XmlNode* node, const char* name, int* out, int min, int max);
// any number of values appended to a vector; returns how many
int spc_readDoubleVec(SpcReader* r, const XmlNode* node, const char* name, SpcVec* out);
int spc_readFloatVec(SpcReader* r, const XmlNode* node, const char* name, SpcVec* out);
int spc_readIntVec(SpcReader* r, const XmlNode* node, const char* name, SpcVec* out);
// 1 when the attribute is there; fails on a word that is not in the list
int spc_readWord(SpcReader* r, const XmlNode* node, const char* name, const SpcWord* words, int* out);
// the words of an attribute, each at most once, as at most so many values of the list; returns how many
int spc_readWords(SpcReader* r, const XmlNode* node, const char* name, const SpcWord* words, int* out, int most);
// the attribute's text, failing when it is missing
const char* spc_readRequired(SpcReader* r, const XmlNode* node, const char* name);
// quat, axisangle, xyaxes, zaxis, euler: at most one of them
void spc_readOrientation(SpcReader* r, const XmlNode* node, double quat[4], mjsOrientation* alt);
void spc_setPlace(SpcReader* r, const XmlNode* node, SpcElement* e);
// the class that an element asks for, or the inherited one (NULL: main)
SpcDefault* spc_readClass(SpcReader* r, const XmlNode* node, SpcDefault* inherited);

// ---- settings.c

// 1: elements of this name may have attributes of the sinew: namespace
int spc_takesSettings(const char* element);
// keeps those of an element
void spc_readSettings(SpcReader* r, const XmlNode* node, SpcElement* e);

// ---- read_check.c: the tree against the schema
void spc_checkTree(SpcReader* r, const XmlNode* root);

// ---- read_elements.c: one element each
void spc_readJoint(SpcReader* r, const XmlNode* node, mjsJoint* joint);
void spc_readGeom(SpcReader* r, const XmlNode* node, mjsGeom* geom);
void spc_readSite(SpcReader* r, const XmlNode* node, mjsSite* site);
void spc_readCamera(SpcReader* r, const XmlNode* node, mjsCamera* camera);
void spc_readLight(SpcReader* r, const XmlNode* node, mjsLight* light);
void spc_readMesh(SpcReader* r, const XmlNode* node, mjsMesh* mesh);
void spc_readMaterial(SpcReader* r, const XmlNode* node, mjsMaterial* material);
void spc_readPair(SpcReader* r, const XmlNode* node, mjsPair* pair);
void spc_readEquality(SpcReader* r, const XmlNode* node, mjsEquality* equality);
void spc_readTendon(SpcReader* r, const XmlNode* node, mjsTendon* tendon);
void spc_readPlugin(SpcReader* r, const XmlNode* node, mjsPlugin* plugin);

// ---- read_actuator.c, read_sensor.c
void spc_readActuator(SpcReader* r, const XmlNode* node, mjsActuator* actuator);
void spc_readSensors(SpcReader* r, const XmlNode* section);

// ---- read_asset.c, read_body.c: whole sections

// resolves the names of files; those that lie beside the included document which names them get the name that leads
// there; after <compiler>
void spc_locateFiles(SpcReader* r, XmlNode* node);
void spc_readAssets(SpcReader* r, const XmlNode* section);
void spc_readSkin(SpcReader* r, const XmlNode* node);
// what stands in a body, frame or replicate: elements go to the body, inside the frame
void spc_readBody(SpcReader* r, const XmlNode* node, SpcBody* body, SpcFrame* frame, SpcDefault* childclass);

// ---- read_composite.c
void spc_readComposite(SpcReader* r, const XmlNode* node, SpcBody* body, SpcFrame* frame);

// ---- read_flexcomp.c

// a flex or flexcomp element with those below that say what a flex is like
void spc_readFlex(SpcReader* r, const XmlNode* node, const SpcAttributeRow* rows, mjsFlex* flex);
void spc_readFlexcomp(SpcReader* r, const XmlNode* node, SpcBody* body, SpcFrame* frame);

// ---- read_model.c
void spc_readCompiler(SpcReader* r, const XmlNode* node);
void spc_readOption(SpcReader* r, const XmlNode* node);
void spc_readSize(SpcReader* r, const XmlNode* node);

// what a document is read with, and where messages go
typedef struct {
  const char* directory;  // of the file
  const mjVFS* vfs;
  const SpcOpenFile* file;
  char* error;
  int nerror;
} SpcReading;

// Reads a parsed document with its includes into a new model. NULL: error holds what is wrong.
mjSpec* spc_readModel(XmlDocument* document, const SpcReading* reading);

// ---- parse.c

// mj_parse for a model that is attached to those of the reading
mjSpec* spc_parseAttached(const char* filename, const char* content_type, const SpcReading* reading);

// ---- read_urdf.c

// the file whose root is <robot>
void spc_readRobot(SpcReader* r, const XmlNode* root);
