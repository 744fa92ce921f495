// An elasticity model of one's own, as a library that programs load: one file, one table row.
//
//   cc -shared -fPIC power_law.c -o libpower_law.so $(pkg-config --cflags sinew)
//   mj_loadPluginLibrary("libpower_law.so");  then  <flexcomp … sinew:elasticity="power" sinew:power="3">
//
// The material stiffens with stretch: W = 3μ/(2p) ((I₁/3)^p - 1) - μ ln J + λ/2 (ln J)², I₁ = tr FᵀF, J = det F; for p
// = 1 it is Neo-Hookean. There is no derivative: implicit steps take differences of the stress.
#include <math.h>
#include <sinew/physics.h>

static const snParam params[] = {
    {"young",     NAN, 1e-9, 1e15, "Young's modulus (Pa); default: that of the flex"  },
    {"poisson",   NAN, 0,    0.49, "Poisson's ratio; default: that of the flex"       },
    {"thickness", NAN, 1e-9, 1e3,  "not used by solids"                               },
    {"power",     2,   1,    8,    "how fast it stiffens with stretch; 1: Neo-Hookean"},
};

static void prepare(const mjtNum* param, int dim, mjtNum* constant) {
  (void)dim;
  constant[0] = param[0] / (2 * (1 + param[1]));
  constant[1] = param[0] * param[1] / ((1 + param[1]) * (1 - 2 * param[1]));
  constant[2] = param[3];
}

// determinant and its gradient
static mjtNum volume(const mjtNum* F, mjtNum grad[9]) {
  mju_cross(grad, F + 3, F + 6);
  mju_cross(grad + 3, F + 6, F);
  mju_cross(grad + 6, F, F + 3);
  return mju_dot3(F, grad);
}

// energy of a change of volume, -μ ln J + λ/2 (ln J)², and its slope; below 0.2 it goes on as a line, so that inverted
// elements come back
static mjtNum volumeEnergy(const mjtNum* constant, mjtNum J, mjtNum* slope) {
  const mjtNum mu = constant[0], lambda = constant[1], least = 0.2, at = J > least ? J : least, L = log(at);
  *slope = (lambda * L - mu) / at;
  return lambda / 2 * L * L - mu * L + *slope * (J - at);
}

static mjtNum energy(const mjtNum* constant, int dim, const mjtNum* F) {
  (void)dim;
  mjtNum grad[9], slope;
  const mjtNum mu = constant[0], p = constant[2];
  return mu * 1.5 / p * (pow(mju_dot(F, F, 9) / 3, p) - 1) + volumeEnergy(constant, volume(F, grad), &slope);
}

static void stress(const mjtNum* constant, int dim, const mjtNum* F, mjtNum* P) {
  (void)dim;
  mjtNum grad[9], slope;
  const mjtNum stretch = constant[0] * pow(mju_dot(F, F, 9) / 3, constant[2] - 1);
  volumeEnergy(constant, volume(F, grad), &slope);
  for (int i = 0; i < 9; i++) P[i] = stretch * F[i] + slope * grad[i];
}

static const snElasticity power = {
    .info = {"power", "stiffens with stretch", 4, params},
    .dims = 1 << 3,
    .nconst = 3,
    .prepare = prepare,
    .energy = energy,
    .apply = stress,
};

// runs when the library is loaded
__attribute__((constructor)) static void announce(void) {
  sn_registerElasticity(&power);
}
