// The parts of a step, for those who run some of them themselves: the first two stages of forward dynamics with their
// sensors and energies, and the integrators.
#pragma once

#include <mujoco/mujoco.h>

// who reads what a step leaves in mjData: everybody; those who do not want sensors; nobody, so that poses of cameras
// and lights and the regrouped arrays of islands may be missing too
typedef enum { STP_ALL, STP_NOSENSORS, STP_NOBODY } StpReaders;

// mj_fwdKinematics and mj_fwdPosition, for those readers
void stp_kinematics(const mjModel* m, mjData* d, StpReaders readers);
void stp_fwdPosition(const mjModel* m, mjData* d, StpReaders readers);

// the same, then the sensors and the energy that depend on position
void stp_positionStage(const mjModel* m, mjData* d, StpReaders readers);

// mj_fwdVelocity, then the sensors and the energy that depend on velocity
void stp_velocityStage(const mjModel* m, mjData* d, int skipsensor);

// rates of change of the lengths of tendons: ten_J times qvel
void stp_tendonVelocity(const mjModel* m, mjData* d);

// mj_Euler and mj_implicit; skipfactor: reuse the factorisation left in mjData by the previous call
void stp_euler(const mjModel* m, mjData* d, int skipfactor);
void stp_implicit(const mjModel* m, mjData* d, int skipfactor);

// advances history buffers, activations, velocities, positions, time and plugin states by one step.
// qacc changes the velocities; positions move with qvel, or with the new velocities when it is NULL.
void stp_advance(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc, const mjtNum* qvel);

// mj_step, for those readers
void stp_step(const mjModel* m, mjData* d, StpReaders readers);

// mj_forwardSkip, for those readers
void stp_forward(const mjModel* m, mjData* d, int skipstage, StpReaders readers);

// mj_step without the stages before and including skip (mjtStage)
void stp_stepSkip(const mjModel* m, mjData* d, int skip, int skipsensor);
