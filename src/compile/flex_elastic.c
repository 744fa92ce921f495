// Elasticity of a flex: constants of the forces that the engine computes at every step.
//
// Elements (triangles and tetrahedra): the energy is a quadratic form in the squared lengths of the edges. With B_e the
// symmetric tensor that is dual to edge e, K_ef = μ tr(B_e B_f) + λ tr(B_e) tr(B_f); its upper triangle is stored.
// Edges of a surface: bending by the cotangent operator over the two triangles (discrete quadratic curvature), with the
// cubic term for surfaces that are curved at rest.
// Interpolated flexes: one linear-elastic brick, integrated by Gauss-Legendre quadrature, stored over the elements.
#include <math.h>
#include <string.h>

#include "compile/flex.h"
#include "math/vec.h"

typedef double Mat3[9];

//---------------------------------- elements ----------------------------------

// clang-format off
// vertices of the sides of an element, and for each edge the two sides that do not contain it
static const int sideOf2[3][2] = {
    {1, 2},
    {2, 0},
    {0, 1}
};
static const int apartOf2[3][2] = {
    {1, 2},
    {2, 0},
    {0, 1}
};
static const int sideOf3[4][3] = {
    {2, 1, 0},
    {0, 1, 3},
    {1, 2, 3},
    {2, 0, 3}
};
static const int apartOf3[6][2] = {
    {2, 3},
    {1, 3},
    {2, 1},
    {1, 0},
    {0, 2},
    {0, 3}
};
// clang-format on

// a bᵀ + b aᵀ over a divisor
static void symmetricProduct(Mat3 B, const double a[3], const double b[3], double divisor) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) B[3 * i + j] = (a[i] * b[j] + b[i] * a[j]) / divisor;
  }
}

// dual of an edge of a triangle: normals, in its plane, of the two other edges
static void basis2(Mat3 B, const double* x, const int* v, int edge, double area) {
  const int *const left = sideOf2[apartOf2[edge][0]], *const right = sideOf2[apartOf2[edge][1]];
  double l[3], r[3], normal[3], a[3], b[3];
  mth_sub3(l, x + 3 * v[left[0]], x + 3 * v[left[1]]);
  mth_sub3(r, x + 3 * v[right[1]], x + 3 * v[right[0]]);
  mth_cross3(normal, r, l);
  spc_normalize(normal, 3);
  mth_cross3(a, normal, l);
  mth_cross3(b, r, normal);
  symmetricProduct(B, a, b, 8 * area * area);
}

static void areaNormal(double normal[3], const double* x, const int* v, const int side[3]) {
  double a[3], b[3];
  mth_sub3(a, x + 3 * v[side[1]], x + 3 * v[side[0]]);
  mth_sub3(b, x + 3 * v[side[2]], x + 3 * v[side[0]]);
  mth_cross3(normal, a, b);
}

// dual of an edge of a tetrahedron: normals of the two faces that do not contain it
static void basis3(Mat3 B, const double* x, const int* v, int edge, double volume) {
  double a[3], b[3];
  areaNormal(a, x, v, sideOf3[apartOf3[edge][0]]);
  areaNormal(b, x, v, sideOf3[apartOf3[edge][1]]);
  symmetricProduct(B, a, b, 36 * 2 * volume * volume);
}

static double triangleArea(const double* x, const int* v) {
  static const int side[3] = {0, 1, 2};
  double normal[3];
  areaNormal(normal, x, v, side);
  return sqrt(mth_dot3(normal, normal)) / 2;
}

static double tetrahedronVolume(const double* x, const int* v) {
  static const int side[3] = {0, 1, 2};
  double normal[3], edge[3];
  areaNormal(normal, x, v, side);
  mth_sub3(edge, x + 3 * v[3], x + 3 * v[0]);
  return mth_dot3(normal, edge) / 6;
}

static void elementStiffness(const CmpFlex* flex, int e, double thickness) {
  const int dim = flex->s.dim, n = cmp_flexEdges(dim);
  const int* const v = flex->elem + (dim + 1) * e;
  const double E = flex->s.young, nu = flex->s.poisson;
  const double volume = dim == 2 ? triangleArea(flex->vertxpos, v) : tetrahedronVolume(flex->vertxpos, v);
  const double mu = E / (2 * (1 + nu)) * fabs(volume) / 4 * thickness;
  const double la = E * nu / ((1 + nu) * (1 - 2 * nu)) * fabs(volume) / 4 * thickness;
  Mat3 B[6];
  double trace[6];
  for (int k = 0; k < n; k++) {
    if (dim == 2) {
      basis2(B[k], flex->vertxpos, v, k, volume);
    } else {
      basis3(B[k], flex->vertxpos, v, k, volume);
    }
    trace[k] = B[k][0] + B[k][4] + B[k][8];
  }
  double* out = flex->stiffness + 21 * e;
  for (int a = 0; a < n; a++) {
    for (int b = a; b < n; b++) {
      double square = 0;
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) square += B[a][3 * i + j] * B[b][3 * j + i];
      }
      *out++ = mu * square + la * trace[b] * trace[a];
    }
  }
}

//---------------------------------- bending ----------------------------------

// cotangent of the angle at a between b and c
static double cotangent(const double* x, int a, int b, int c) {
  double u[3], v[3], normal[3];
  mth_sub3(u, x + 3 * b, x + 3 * a);
  mth_sub3(v, x + 3 * c, x + 3 * a);
  mth_cross3(normal, u, v);
  return mth_dot3(u, v) / sqrt(mth_dot3(normal, normal));
}

// flap: the edge (0, 1) and the vertices on either side (2, 3)
static void edgeBending(const CmpFlex* flex, int e, double mu) {
  const int* const v = flex->flap + 4 * e;
  if (v[3] < 0) return;
  const double* const x = flex->vertxpos;
  const int other[3] = {v[1], v[0], v[3]};
  const double a01 = cotangent(x, v[0], v[1], v[2]), a02 = cotangent(x, v[0], v[3], v[1]);
  const double a03 = cotangent(x, v[1], v[2], v[0]), a04 = cotangent(x, v[1], v[0], v[3]);
  const double c[4] = {a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)};
  const double area = triangleArea(x, v) + triangleArea(x, other), t = flex->s.thickness;
  const double stiffness = 3 * mu * (t * t * t) / (24 * area);

  // heights of the triangles over the edge, for the angle between them at rest
  double e0[3], e1[3], e2[3], e3[3], e4[3], h0[3], h1[3], normal[3];
  mth_sub3(e0, x + 3 * v[1], x + 3 * v[0]);
  mth_sub3(e1, x + 3 * v[2], x + 3 * v[0]);
  mth_sub3(e2, x + 3 * v[3], x + 3 * v[0]);
  mth_sub3(e3, x + 3 * v[2], x + 3 * v[1]);
  mth_sub3(e4, x + 3 * v[3], x + 3 * v[1]);
  for (int i = 0; i < 3; i++) {
    h0[i] = -(a03 * e1[i] + a01 * e3[i]);
    h1[i] = -(a04 * e2[i] + a02 * e4[i]);
  }
  const double square = mth_dot3(e0, e0), cosine = -mth_dot3(h0, h1) / square;
  double* const out = flex->bending + 17 * e;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) out[4 * i + j] += c[i] * c[j] * cosine * stiffness;
  }
  mth_cross3(normal, e0, e1);
  out[16] = mth_dot3(normal, e2) * (a01 - a03) * (a04 - a02) * stiffness / (square * sqrt(square));
}

//---------------------------------- interpolated ----------------------------------

// values and slopes of the 1D shape functions at s
static void shapes(double s, int order, double value[3], double slope[3]) {
  if (order == 1) {
    memcpy(value, (double[]){1 - s, s, 0}, 3 * sizeof(double));
    memcpy(slope, (double[]){-1, 1, 0}, 3 * sizeof(double));
  } else {
    memcpy(value, (double[]){2 * s * s - 3 * s + 1, 4 * (s - s * s), 2 * s * s - s}, 3 * sizeof(double));
    memcpy(slope, (double[]){4 * s - 3, 4 * (1 - 2 * s), 4 * s - 1}, 3 * sizeof(double));
  }
}

// points and weights of the quadrature on [0, 1]
static void quadrature(int n, double point[3], double weight[3]) {
  if (n == 2) {
    point[0] = -0.5 / sqrt(3) + 0.5;
    point[1] = 0.5 / sqrt(3) + 0.5;
    weight[0] = weight[1] = 0.5;
  } else {
    // the rule says √(3/5), the reference computes with √(5/3); models are expected to be as stiff as there
    point[0] = 0.5;
    point[1] = -0.5 * sqrt(5. / 3.) + 0.5;
    point[2] = 0.5 * sqrt(5. / 3.) + 0.5;
    weight[0] = 8. / 9. * 0.5;
    weight[1] = weight[2] = 5. / 9. * 0.5;
  }
}

// gradients of all shape functions at a quadrature point, in the brick's own lengths
static void gradients(int order, const double at[3], const double inverse[3], double (*g)[3]) {
  double value[3][3], slope[3][3];
  for (int k = 0; k < 3; k++) shapes(at[k], order, value[k], slope[k]);
  int n = 0;
  for (int x = 0; x <= order; x++) {
    for (int y = 0; y <= order; y++) {
      for (int z = 0; z <= order; z++, n++) {
        g[n][0] = inverse[0] * (slope[0][x] * value[1][y] * value[2][z]);
        g[n][1] = inverse[1] * (value[0][x] * slope[1][y] * value[2][z]);
        g[n][2] = inverse[2] * (value[0][x] * value[1][y] * slope[2][z]);
      }
    }
  }
}

// K −= (λ div u div v + μ ε(u):ε(v)) dV for displacements of node i along k and node j along l
static void brickStiffness(CmpFlex* flex) {
  const int order = flex->interp, n = flex->nnode, ndof = 3 * n;
  const double E = flex->s.young, nu = flex->s.poisson;
  const double la = E * nu / (1 + nu) / (1 - 2 * nu), mu = E / (2 * (1 + nu));
  const double *const first = flex->nodexpos, *const last = flex->nodexpos + 3 * (n - 1);
  const double side[3] = {last[0] - first[0], last[1] - first[1], last[2] - first[2]};
  const double inverse[3] = {1 / side[0], 1 / side[1], 1 / side[2]};
  double point[3], weight[3], g[27][3] = {{0}};
  quadrature(order + 1, point, weight);
  for (int q = 0; q < (order + 1) * (order + 1) * (order + 1); q++) {
    const int s = q / ((order + 1) * (order + 1)), t = q / (order + 1) % (order + 1), u = q % (order + 1);
    const double at[3] = {point[s], point[t], point[u]};
    const double volume = weight[s] * weight[t] * weight[u] * (side[0] * side[1] * side[2]);
    gradients(order, at, inverse, g);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        const double dot = mth_dot3(g[i], g[j]);
        for (int k = 0; k < 3; k++) {
          for (int l = 0; l < 3; l++) {
            // ε(u):ε(v) for u along k, v along l
            const double shear = ((k == l ? dot : 0) + g[i][l] * g[j][k]) / 2;
            double* const out = flex->stiffness + (size_t)ndof * (size_t)(3 * i + k) + 3 * j + l;
            *out -= la * g[i][k] * g[j][l] * volume;
            *out -= mu * shear * volume;
          }
        }
      }
    }
  }
}

//---------------------------------- all ----------------------------------

void cmp_flexElastic(Cmp* c, CmpFlex* flex) {
  const mjsFlex* const s = &flex->s;
  flex->stiffness = cmp_alloc(c, 21 * (size_t)flex->nelem, sizeof(double));
  flex->bending = cmp_alloc(c, 17 * (size_t)flex->nedge + 1, sizeof(double));
  if (s->young <= 0) return;
  if (s->poisson < 0 || s->poisson >= 0.5) cmp_fail(c, flex->head.e, "Poisson ratio must be in [0, 0.5)");
  if (flex->interp) {
    const int least = 9 * flex->nnode * flex->nnode / 21;
    if (least > flex->nelem) cmp_fail(c, flex->head.e, "Trilinear dofs require at least %d elements", least);
    brickStiffness(flex);
    return;
  }
  for (int e = 0; e < flex->nelem; e++) {
    if (s->dim == 3) elementStiffness(flex, e, 4);
    if (s->dim == 2 && s->elastic2d >= 2 && s->thickness > 0) elementStiffness(flex, e, s->thickness);
  }
  if (s->dim == 2 && (s->elastic2d == 1 || s->elastic2d == 3)) {
    if (s->thickness < 0) cmp_fail(c, flex->head.e, "thickness must be positive for bending stiffness");
    for (int e = 0; e < flex->nedge; e++) edgeBending(flex, e, s->young / (2 * (1 + s->poisson)));
  }
}
