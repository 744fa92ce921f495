// Bending by the angle between triangles (Bridson, Marino, Fedkiw 2003): a spring and a damper at each interior edge,
// moment = -k (θ - θ₀) - c θ̇, with k = stiffness · 3 |e|² / area so that the sheet does not depend on its mesh.
//
// The default stiffness is that with which the reference's cotangent form agrees for small angles: μ t³ / 24.
#include <math.h>

#include "physics/physics.h"

static const snParam params[] = {
    {"bend_stiffness", NAN, 0, 1e15, "flexural stiffness (N m); default: μ t³ / 24 of the flex"},
    {"bend_damping",   0,   0, 1e3,  "damping relative to stiffness (s)"                         },
};

static void prepare(const mjtNum* param, mjtNum length, mjtNum area, mjtNum* constant) {
  constant[0] = param[0] * 3 * length * length / area;
  constant[1] = constant[0] * param[1];
}

static mjtNum energy(const mjtNum* constant, mjtNum bend) {
  return constant[0] / 2 * bend * bend;
}

static mjtNum moment(const mjtNum* constant, mjtNum bend, mjtNum rate) {
  return -constant[0] * bend - constant[1] * rate;
}

static void derivative(const mjtNum* constant, mjtNum bend, mjtNum rate, mjtNum slope[2]) {
  (void)bend, (void)rate;
  slope[0] = -constant[0];
  slope[1] = -constant[1];
}

const snBending phy_bridson = {
    .info = {"bridson", "springs on the angle between triangles: large bending", 2, params},
    .nconst = 2,
    .prepare = prepare,
    .energy = energy,
    .apply = moment,
    .derivative = derivative,
};
