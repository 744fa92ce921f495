// A compiled model back to an editable one, so that a binary model can be edited, or written as MJCF.
//
// Values are written as the compiler left them (radians, explicit inertia, explicit limits), so that compiling again
// gives the same numbers. What compiling throws away cannot come back: defaults, frames, file names, the scale of
// meshes. Parameters of which only the effect is left are found again from it: moduli of flexes, the kind of inertia
// that gave a mesh its frame.
#pragma once

#include <mujoco/mujoco.h>

// Elements of the editable model by kind and id, for references between them.
typedef struct {
  const mjModel* m;
  mjSpec* spec;
  mjsBody** body;
  mjsFlex** flex;
  mjsPlugin** plugin;
  mjsElement** element[mjNOBJECT];  // NULL where a kind is never referred to
  char name[96];                    // of dec_name
} Decompiler;

// ---- decompile.c

// Keeps an element under its id and gives it its name.
void dec_keep(Decompiler* c, mjtObj type, int id, mjsElement* element);

// The name to refer to an object by; one that has none is given one. "" for id -1. The next call overwrites it.
const char* dec_name(Decompiler* c, int type, int id);

// Lets an element use plugin instance id; nothing for -1.
void dec_usePlugin(Decompiler* c, mjsPlugin* user, int id);

// ---- parts, in the order in which they are made
void dec_assets(Decompiler* c);
void dec_tree(Decompiler* c);
void dec_skins(Decompiler* c);
void dec_flexes(Decompiler* c);
void dec_contacts(Decompiler* c);
void dec_equalities(Decompiler* c);
void dec_tendons(Decompiler* c);
void dec_actuators(Decompiler* c);
void dec_sensors(Decompiler* c);
void dec_custom(Decompiler* c);

// ---- after all parts: moduli of flexes, by compiling with others. 0: that failed.
int dec_findModuli(Decompiler* c);

// Copies row i of an array of the model to an array member of an element: both hold the same type and count.
#define DEC_TAKE(member, array) \
  memcpy((member), (array) + (size_t)i * (sizeof(member) / sizeof((member)[0])), sizeof(member))
