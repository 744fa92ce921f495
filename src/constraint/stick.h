// Friction with memory: the displacement of contacts that persist enters their friction rows.
#pragma once

#include <mujoco/mujoco.h>

// after the rows were made: contacts find their anchors, and friction rows get a residual and a stiffness
void con_stickRows(const mjModel* m, mjData* d);

// after the reference acceleration: more damping of rotations that are held
void con_stickReference(const mjModel* m, mjData* d);

// at the end of a step: the contacts of this step, with what slipped taken off, are the anchors of the next one
void con_stickAdvance(const mjModel* m, mjData* d);
