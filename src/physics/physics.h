// The swappable models inside the library: their tables, and what is chosen for one simulation.
//
// Choices live in reserved entries of mjModel. mj_makeData resolves them once into the section MDL_PHYSICS of the
// private block: which model each flex and actuator has, its parameters, and what the model computes in advance.
// phy_open gives a stage the resolved choices, or NULL where everything is as in the reference: then the stage does
// what it always did.
#pragma once

#include <math.h>
#include <sinew/physics.h>
#include <stdint.h>

#include "model/private.h"

//---------------------------------- registry.c ----------------------------------

// built-in models, one per file
extern const snBending phy_bridson;
extern const snElasticity phy_neoHookean, phy_corotational, phy_mooneyRivlin;
extern const snActuation phy_seriesElastic, phy_dcMotor, phy_pid, phy_pneumatic, phy_hydraulic;
extern const snContact phy_xpbd, phy_compliant;

// number of a model by name, -1: none
int phy_find(snKind kind, const char* name);

// ", did you mean 'x'?" when a model of the kind has a name close to this one, ", which is a model of …" when it
// belongs to another kind, "" otherwise
const char* phy_suggest(snKind kind, const char* name, char* text, size_t size);

// NULL, or what is wrong with the first parameter that is missing, out of its range or not a number
const char* phy_wrongParam(snKind kind, const snInfo* info, const mjtNum* param);

//---------------------------------- entries.c ----------------------------------

#define PHY_PREFIX "sinew:"

// type of the elements that a kind of model belongs to, mjOBJ_UNKNOWN: the whole model
mjtObj phy_object(snKind kind);

// number of elements that a kind of model belongs to
int phy_elementCount(const mjModel* m, snKind kind);

// Name of the entry of an element: prefix, kind, element.
void phy_entryName(const mjModel* m, const char* kind, mjtObj type, int id, char* name, size_t size);

// entry of an element among texts or numerics, by its name or its number; -1: none
int phy_entry(const mjModel* m, mjtObj entries, const char* kind, mjtObj type, int id);

// Sets a text and a numeric entry (either may be missing: NULL, 0); 0: memory is missing
typedef struct {
  const char* name;
  const char* text;
  const mjtNum* number;
  int count;
} PhyEntry;
int phy_setEntry(mjModel* m, const PhyEntry* entry);

// same checks and effects as sn_set…
const char* phy_choose(mjModel* m, snKind kind, int id, const char* name, const mjtNum* param);

// NULL, or why the model cannot be that of the element
const char* phy_misfit(const mjModel* m, snKind kind, int id, const snInfo* info, const mjtNum* param);

// message of this thread
const char* phy_fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

//---------------------------------- material.c ----------------------------------

// what a flex is made of
typedef struct {
  mjtNum young, poisson, thickness;
} PhyMaterial;

// from the coefficients of the compiled model; 0: the flex has no elasticity
int phy_material(const mjModel* m, int flex, PhyMaterial* material);

// defaults; the material where parameters of these names have none of their own, NaN where that is unknown (NULL)
void phy_fillParams(const snInfo* info, const PhyMaterial* material, mjtNum* param);

// first element of a surface or solid that has no area or volume at rest, -1: none
int phy_flatElement(const mjModel* m, int flex);

// position of a vertex at rest
void phy_restVertex(const mjModel* m, int flex, int vertex, mjtNum x[3]);

//---------------------------------- settings.c ----------------------------------

// one choice
typedef struct {
  int kind, id;     // of which element
  int model;        // number within the kind
  int text;         // entry that says so
  int numeric;      // entry of its parameters, -1: defaults
  size_t prepared;  // offset of what the model computed in advance, in numbers from the section's start
  mjtNum param[SN_MAXPARAM];
} PhySetting;

// start of the section; arrays follow at the offsets, in bytes from here
typedef struct {
  uintptr_t buffer;  // of the mjModel that this was resolved from
  mjtSize ntext, nnumeric;
  int nsetting;     // choices, also those of default models
  int nactive;      // choices of other models
  int contact;      // choice of how constraints act, -1: default
  size_t setting;   // PhySetting[nsetting]
  size_t flex[2];   // int[nflex]: choice of bending and of elasticity, -1: default
  size_t actuator;  // int[nu]: choice of actuation, -1: default
  size_t offset;    // mjtNum[nv]: see snContact.apply
} PhySection;

// NULL, or what is wrong with the choices that the entries make
const char* phy_check(const mjModel* m);

size_t phy_sectionSize(const mjModel* m);
void phy_sectionInit(const mjModel* m, void* memory);

// brings the section up to date with the entries; NULL: nothing but defaults
const PhySection* phy_refresh(const mjModel* m, mjData* d);

// the choices of this simulation, NULL: nothing but defaults
static inline const PhySection* phy_open(const mjModel* m, mjData* d) {
  const PhySection* s = mdl_section(d, MDL_PHYSICS);
  const int same = s->buffer == (uintptr_t)m->buffer && s->ntext == m->ntext && s->nnumeric == m->nnumeric;
  return same && !s->nsetting ? NULL : phy_refresh(m, d);
}

static inline const PhySetting* phy_at(const PhySection* s, size_t list, int i) {
  const int k = ((const int*)(const void*)((const char*)s + list))[i];
  return k < 0 ? NULL : (const PhySetting*)(const void*)((const char*)s + s->setting) + k;
}

// choices of an element, NULL: the default, also where s is NULL
static inline const PhySetting* phy_bendingOf(const PhySection* s, int flex) {
  return s ? phy_at(s, s->flex[0], flex) : NULL;
}
static inline const PhySetting* phy_elasticityOf(const PhySection* s, int flex) {
  return s ? phy_at(s, s->flex[1], flex) : NULL;
}
static inline const PhySetting* phy_actuationOf(const PhySection* s, int actuator) {
  return s ? phy_at(s, s->actuator, actuator) : NULL;
}

// numbers that the model of a choice left
static inline const mjtNum* phy_prepared(const PhySection* s, const PhySetting* p) {
  return (const mjtNum*)(const void*)s + p->prepared;
}

// what is prepared for a flex: constants of the material, Lamé's constants of small strains, then for each element the
// inverse of its shape at rest (dim x dim) and its volume; or for each edge the angle at rest and the constants of its
// model
static inline int phy_edgeNumbers(const snBending* model) {
  return model->nconst + 3;
}
static inline int phy_elementNumbers(int dim) {
  return dim * dim + 1;
}

// the choice of how constraints act, NULL: as in the reference, also where s is NULL
static inline const PhySetting* phy_contactOf(const PhySection* s) {
  return s && s->contact >= 0 ? (const PhySetting*)(const void*)((const char*)s + s->setting) + s->contact : NULL;
}

// how constraints act in this simulation; 0: as in the reference, nothing was done. Uses the stack.
int phy_solveContact(const mjModel* m, mjData* d);

// what the velocity that moves positions has beyond qvel in this step (nv), NULL: nothing
const mjtNum* phy_positionOffset(const mjModel* m, mjData* d);

//---------------------------------- elasticity/stiffness.c ----------------------------------

// dP/dF by central differences of the stress, symmetric
void phy_differences(const snElasticity* model, const mjtNum* constant, int dim, const mjtNum* F, mjtNum* dP);

// dP/dF, the model's own or by differences
void phy_stiffness(const snElasticity* model, const mjtNum* constant, int dim, const mjtNum* F, mjtNum* dP);

// the nearest positive semi-definite matrix; n at most 9
void phy_dropNegative(mjtNum* A, int n);

//---------------------------------- stability ----------------------------------

// Largest step h of v += h a, x += h v with a = -square x - rate v: h² square + 2 h rate < 4.
static inline mjtNum phy_explicitStep(mjtNum square, mjtNum rate) {
  if (square <= 0) return rate > 0 ? 2 / rate : INFINITY;
  return (sqrt(rate * rate + 4 * square) - rate) / square;
}

//---------------------------------- hinge.c ----------------------------------

// the two triangles at an edge: vertices 0 and 1 are the edge, 2 and 3 on either side
typedef struct {
  mjtNum angle;       // between the normals of the triangles
  mjtNum grad[4][3];  // its gradient with respect to the vertices
} PhyHinge;

// 0: a triangle has no area
int phy_hinge(const mjtNum* const pos[4], PhyHinge* hinge);
