// Passive forces of deformable bodies.
#pragma once

#include <mujoco/mujoco.h>

// adds bending, elasticity and edge forces of all flexes to qfrc_spring and qfrc_damper; spring and damper say
// which of the two are enabled
void frc_flex(const mjModel* m, mjData* d, int spring, int damper);

// nodes of an interpolated flex: global positions and velocities (NULL: not wanted), and the rotation from the
// global frame to the frame in which the flex is least deformed, for which quat holds a first guess
void frc_flexNodes(const mjModel* m, mjData* d, int flex, mjtNum* xpos, mjtNum* vel, mjtNum quat[4]);

// the same with positions and velocities turned into that frame, and positions moved by (½, ½, ½)
void frc_flexLocal(const mjModel* m, mjData* d, int flex, mjtNum* xpos, mjtNum* vel, mjtNum quat[4]);
