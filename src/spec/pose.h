// Poses of the editable model: orientation alternatives, segments, frames inside frames.
#pragma once

#include "spec/element.h"

// directions and axes shorter than this have none; quaternions this close to unit length are left alone
#define SPC_EPS 1e-14

// unit length unless zero; returns the length before
double spc_normalize(double* v, int n);
// (pos, quat) ← (pos, quat) ∘ (childpos, childquat)
void spc_append(double pos[3], double quat[4], const double childpos[3], const double childquat[4]);
// (childpos, childquat) ← (pos, quat) ∘ (childpos, childquat)
void spc_prepend(const double pos[3], const double quat[4], double childpos[3], double childquat[4]);
void spc_prependPoint(const double pos[3], const double quat[4], double point[3]);
void spc_invert(double pos[3], double quat[4], const double oldpos[3], const double oldquat[4]);
// shortest rotation of the z axis to vec
void spc_zToVec(double quat[4], const double vec[3]);
// orientation alternatives of an element; NULL or what is wrong
const char* spc_orient(const SpcElement* e, double quat[4], const mjsOrientation* alt);
// center, orientation and half length of a segment given by its ends; NULL or what is wrong
const char* spc_fromto(mjtGeom type, const double fromto[6], double pos[3], double quat[4], double size[3]);
// pose of a frame in its body; its orientation must be a valid one
void spc_framePose(const SpcFrame* frame, double pos[3], double quat[4]);
