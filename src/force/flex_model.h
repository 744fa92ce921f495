// Forces of flexes whose bending or elasticity is a model of its own, and the elements they consist of.
#pragma once

#include "physics/physics.h"

// one flex with the model that a choice gives it
typedef struct {
  const mjModel* m;
  mjData* d;
  int flex;
  const PhySetting* setting;
  const mjtNum* prepared;
} FrcFlexModel;

static inline FrcFlexModel frc_flexModel(const mjModel* m, mjData* d, const PhySection* s, const PhySetting* setting) {
  return (FrcFlexModel){m, d, setting->id, setting, phy_prepared(s, setting)};
}

// add the forces to qfrc_spring and qfrc_damper
void frc_modelBending(const FrcFlexModel* f, int spring, int damper);
void frc_modelElasticity(const FrcFlexModel* f, int spring, int damper);

// an interior edge in its present shape
typedef struct {
  int vert[4];             // edge, then the vertices on either side
  const mjtNum* constant;  // of the model
  mjtNum bend;             // angle beyond that at rest, within (-π, π]
  PhyHinge hinge;
} FrcHinge;

// 0: the edge has triangles on one side only, or one of no area
int frc_openHinge(const FrcFlexModel* f, int edge, FrcHinge* hinge);

// an element in its present shape
typedef struct {
  int dim;
  const int* vert;         // (dim + 1)
  const mjtNum* constant;  // of the model
  const mjtNum* moduli;    // Lamé's constants of small strains
  const mjtNum* inverse;   // (dim x dim) of its shape at rest
  mjtNum volume;           // at rest
  mjtNum F[9];             // deformation gradient, 3 x dim
} FrcElement;

// 0: it has no volume at rest
int frc_openElement(const FrcFlexModel* f, int elem, FrcElement* element);

// stress that resists a rate of the deformation gradient, per unit of damping: F (2μĖ + λ tr Ė), Ė the rate of Green's
// strain, with both F scaled down where the element is stretched far
void frc_elementViscosity(const FrcElement* e, const mjtNum* rate, mjtNum* P);

// gradient of a field that is linear over the element, given at the vertices of the flex (3 each)
void frc_elementGradient(const FrcElement* e, const mjtNum* field, mjtNum* gradient);

// velocity of a vertex in the world; needs cvel
void frc_vertexVelocity(const mjModel* m, const mjData* d, int flex, int vertex, mjtNum vel[3]);

// inverse mass of the body of a vertex; 0: it cannot move
mjtNum frc_vertexInvMass(const mjModel* m, int flex, int vertex);
