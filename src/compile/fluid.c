// Coefficients of the ellipsoid fluid model: added mass and added inertia of the ellipsoid that stands for a geom.
//
// κ_x = ∫₀^∞ dx dy dz / sqrt((dx² + l)³ (dy² + l) (dz² + l)) dl and cyclic, by 15-point Gauss–Kronrod quadrature after
// the substitution l = x³ / (1 − x)² · scale (Tuckerman, "Inertia factors of ellipsoids").
#include <math.h>

#include "compile/compile.h"
#include "math/elem.h"

enum { NODES = 15 };

// weights, abscissas l(x) and derivatives dl/dx at the Kronrod points of [0, 1]; the digits are part of the model
// format
static const double weight[NODES] = {0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236,
                                     0.09517529, 0.10221647, 0.10474107, 0.10221647, 0.09517529,
                                     0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766};
static const double abscissa[NODES] = {
    7.865151709349917e-08, 1.7347976913907274e-05, 0.0003548008144506193, 0.002846636252924549,
    0.014094260903596077,  0.053063261727396636,   0.17041978741317773,   0.5,
    1.4036301548686991,    3.9353484827022642,     11.644841677041734,    39.53187807410903,
    177.5711362220801,     1429.4772912937397,     54087.416549217705};
static const double slope[NODES] = {
    5.538677720489877e-05, 0.002080868285293228, 0.016514126520723166, 0.07261900344370877,
    0.23985243401862602,   0.6868318249020725,   1.8551129519182894,   5.0,
    14.060031152313941,    43.28941239611009,    156.58546376397112,   747.9826085305024,
    5827.4042950027115,    116754.0197944512,    25482945.327264845};

// κ of the first axis
static double kappa(double dx, double dy, double dz) {
  const double ix = 1.0 / (dx * dx), iy = 1.0 / (dy * dy), iz = 1.0 / (dz * dz);
  const double scale = mth_pow(dx * dx * dx * dy * dz, 0.4);
  double sum = 0;
  for (int i = 0; i < NODES; i++) {
    const double l = scale * abscissa[i];
    const double fx = 1 + l * ix;
    sum += scale * slope[i] / (fx * sqrt(fx * (1 + l * iy) * (1 + l * iz))) * weight[i];
  }
  return sum * ix;
}

static void halfAxes(const CmpGeom* geom, double d[3]) {
  const double* const s = geom->s.size;
  d[0] = s[0];
  d[1] = s[1];
  d[2] = s[2];
  if (geom->s.type == mjGEOM_SPHERE) {
    d[1] = d[2] = s[0];
  } else if (geom->s.type == mjGEOM_CAPSULE) {
    d[1] = s[0];
    d[2] = s[1] + s[0];
  } else if (geom->s.type == mjGEOM_CYLINDER) {
    d[1] = s[0];
    d[2] = s[1];
  }
}

void cmp_fluid(CmpGeom* geom) {
  double d[3], k[3];
  halfAxes(geom, d);
  const double volume = 4.0 / 3.0 * mjPI * d[0] * d[1] * d[2];
  for (int i = 0; i < 3; i++) k[i] = kappa(d[i], d[(i + 1) % 3], d[(i + 2) % 3]);

  // layout: switch, blunt drag, slender drag, angular drag, Kutta, Magnus, added mass, added inertia
  mjtNum* const fluid = geom->fluid;
  fluid[0] = geom->s.fluid_ellipsoid;
  for (int i = 0; i < 5; i++) fluid[1 + i] = geom->s.fluid_coefs[i];
  for (int i = 0; i < 3; i++) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    const double dif = d[a] * d[a] - d[b] * d[b], sum = d[a] * d[a] + d[b] * d[b];
    const double factor = dif * dif * fabs(k[b] - k[a]) / fmax(SPC_EPS, fabs(2 * dif + sum * (k[a] - k[b])));
    fluid[6 + i] = volume * k[i] / fmax(SPC_EPS, 2 - k[i]);
    fluid[9 + i] = volume * factor / 5;
  }
}
