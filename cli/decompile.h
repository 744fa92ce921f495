// A compiled model back to an editable one, so that a binary model can be written as MJCF.
#pragma once

#include <mujoco/mujoco.h>

// Elements of the editable model by kind and id, for references between them.
typedef struct {
  const mjModel* m;
  mjSpec* spec;
  mjsBody** body;
  mjsElement** element[mjNOBJECT];  // NULL where a kind is never referred to
  char name[96];                    // of dec_name
} Decompiler;

// Makes a spec of m, to be compiled before it is saved. NULL: error says what cannot be expressed.
mjSpec* dec_model(const mjModel* m, char* error, int size);

// Keeps an element under its id and gives it its name.
void dec_keep(Decompiler* c, mjtObj type, int id, mjsElement* element);

// The name to refer to an object by; one that has none is given one. "" for id -1.
const char* dec_name(Decompiler* c, int type, int id);

// Parts, in the order in which they are made.
void dec_assets(Decompiler* c);
void dec_tree(Decompiler* c);
void dec_skins(Decompiler* c);
void dec_contacts(Decompiler* c);
void dec_equalities(Decompiler* c);
void dec_tendons(Decompiler* c);
void dec_actuators(Decompiler* c);
void dec_sensors(Decompiler* c);
void dec_custom(Decompiler* c);

// Copies row i of an array of the model to an array member of an element: both hold the same type and count.
#define DEC_TAKE(member, array) \
  memcpy((member), (array) + (size_t)i * (sizeof(member) / sizeof((member)[0])), sizeof(member))
