// Taking elements from one model into another, or copying them within one: what attaching, replicating and copying a
// whole model share.
//
// A graft renames every element (prefix + name + suffix) and every reference for which there is a target of the new
// name. Elements outside the tree come along when all that they refer to exists under the new names. While it runs, an
// original points to its copy (SpcElement.copy); an element that is moved points to itself.
#pragma once

#include "spec/element.h"

// What the copies of one replicate share. Elements that refer to nothing come along with every copy, also those that an
// earlier copy has brought.
typedef struct {
  int known[SPC_KINDS];  // elements outside the tree before the first copy
  int free[SPC_KINDS];   // 1: some of them refer to nothing
} SpcRound;

typedef struct {
  SpcModel *to, *from;
  const char *prefix, *suffix;
  int move;                 // 1: elements go over to the other model instead of being copied
  int whole;                // 1: a copy of the whole model
  const SpcOrigin* origin;  // settings of the other model, NULL within one model
  SpcRound* round;          // copies of one replicate, NULL: a graft alone
  SpcList touched;          // originals that point to a copy; temporary
  SpcString name;           // of a class, while it is copied
} SpcGraft;

// where in the tree something goes
typedef struct {
  SpcBody* body;
  SpcFrame* frame;  // NULL: outside all frames
} SpcPlace;

// ---- graft.c

// settings, classes, plugin instances and keyframes of the other model; -1: the error is that of g->to
int spc_graftOpen(SpcGraft* g);
// ends a graft: no original points to a copy any more
void spc_graftClose(SpcGraft* g);
// the same for a graft that an error has ended
void spc_graftDrop(SpcGraft* g);
// one element that is in no list yet
SpcElement* spc_graftElement(SpcGraft* g, SpcElement* original);
// a body with everything below it
SpcBody* spc_graftBody(SpcGraft* g, SpcBody* original);
// What stands in a frame of a body, and in frames inside it, goes to the copy of that frame (see spc_graftMark); with
// NULL everything in the body, and what is outside all frames goes to the frame of the place.
void spc_graftInside(SpcGraft* g, const SpcBody* body, const SpcFrame* frame, SpcPlace place);
// the same in two steps, for several grafts of the same elements; the caller frees the list
SpcList spc_inside(const SpcBody* body, const SpcFrame* frame);
void spc_graftTree(SpcGraft* g, const SpcList* elements, SpcPlace place);
// an element at the top of what is moved is still listed by the body that it comes from
void spc_graftLend(const SpcGraft* g, SpcElement* e, SpcBody* lender);
// says what stands for an element
void spc_graftMark(SpcGraft* g, SpcElement* original, SpcElement* copy);
// references inside the tree, once all of it is there
void spc_graftReferences(const SpcGraft* g);
// Everything outside the tree: assets of another model, then what refers to the elements of this graft or to nothing.
// -1: one of the latter has a name that was taken, the error is that of g->to; names in the tree are left to the
// compiler.
int spc_graftLists(SpcGraft* g);
// -1: names outside the tree are there twice, also where that has nothing to do with this graft
int spc_graftNames(SpcGraft* g);

// ---- keys.c: a keyframe is an array over all joints, so a change of the tree would shift it. Before such a change its
// values are put down with the joints, actuators and mocap bodies that they set; the compiler puts them together again.

typedef struct {
  const char *prefix, *suffix;
} SpcKeyNames;

// the elements that keyframes set, in the order of their arrays; the caller frees the list
SpcList spc_stateElements(const SpcModel* model);
// Puts down the keyframes of a model under new names in another one (or the same). -1: a keyframe has a wrong size, the
// error is that of to.
int spc_keysToElements(SpcModel* from, SpcModel* to, const SpcKeyNames* names, const SpcList* elements);
// the same for the keyframes themselves, before elements are removed from the model
int spc_keysToOwnElements(SpcModel* model, const SpcList* elements);
// After elements were attached: keyframes that are too short go on with the initial values of the places they do not
// reach. Numbers that are there keep their places, not their joints, as in the reference.
void spc_keysGrow(SpcModel* model);
// keyframes of which only the elements know the values become part of the model again; returns the number of the others
int spc_keysRestore(SpcModel* model);
// forgets what elements of a model say about keyframes
void spc_keysForget(const SpcModel* model);
// the same about one keyframe, which goes
void spc_keyForget(const SpcModel* model, const SpcElement* key);

// ---- reference.c

// a name by which one element refers to another
typedef struct {
  SpcKindId kind;         // of the target
  SpcString* name;        // never empty
  int asset;              // 1: meshes, materials, textures, height fields: shared by copies within one model
  int strict;             // 1: a copy within one model refers to the new name, whether there is such a target or not
  const SpcString* with;  // NULL, or a site: within one model strict where that has a new name, else nothing changes
} SpcReference;

// Calls visit for every reference of e. The target's kind is resolved where an attribute decides it (sensor objects,
// equality ends, actuator targets, tendon paths). Unset names are left out.
void spc_references(SpcElement* e, void (*visit)(const SpcReference* reference, void* context), void* context);
// 1: everything that the element refers to is in its model
int spc_resolves(SpcElement* e);
