// Collisions of flexes: with bodies, with each other, with themselves.
#pragma once

#include <mujoco/mujoco.h>
#include <stdbool.h>

// elements of a solid collide with the outside only in its active layers
bool col_elemActive(const mjModel* m, int f, int e);

// contacts of a body's geoms and a flex
void col_bodyFlex(const mjModel* m, mjData* d, int body, int f);

// contacts of two flexes
void col_flexFlex(const mjModel* m, mjData* d, int f1, int f2);

// contacts inside one flex: within elements, between neighbours, between active elements, as its options say
void col_flexSelf(const mjModel* m, mjData* d, int f);
