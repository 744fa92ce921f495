// Tendons around spheres and cylinders.
#pragma once

#include <mujoco/mjmodel.h>

// a tendon between two sites, and the geom in between
typedef struct {
  const mjtNum* site[2];  // world positions of the ends
  const mjtNum* xpos;     // pose of the geom
  const mjtNum* xmat;
  mjtNum radius;
  int type;            // mjWRAP_SPHERE or mjWRAP_CYLINDER
  const mjtNum* side;  // site that says which way round, or, inside the geom, that the tendon goes through it; or NULL
} KinWrap;

#ifndef KIN_GPU

// length of the tendon on the surface and the two points where it touches and leaves it (3 numbers each); -1 when the
// tendon does not touch the geom
mjtNum kin_wrap(mjtNum point[6], const KinWrap* wrap);

// The two-dimensional problems about a circle at the origin; end and pnt are two points each. Length or -1.
// Round the outside; side may be NULL.
mjtNum kin_wrapCircle(mjtNum pnt[4], const mjtNum end[4], const mjtNum* side, mjtNum radius);

// Through the inside: both points are the same one and the length is 0.
mjtNum kin_wrapInside(mjtNum pnt[4], const mjtNum end[4], mjtNum radius);

#endif
