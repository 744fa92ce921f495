// Velocity derivatives of the two fluid models, as 6x6 matrices B = ∂(torque, force)/∂(w, v) in the local frame, then
// moved to the centre of mass of the tree: X' B X with X the velocity transform.
//
// With a = (s₁s₂)², b = (s₂s₀)², c = (s₀s₁)² for semiaxes s, the area seen along v is A = π √(D/N),
// N = a v₀² + b v₁² + c v₂², D = a² v₀² + b² v₁² + c² v₂²; drag and Kutta lift differentiate A and N/(|v| √(D N)).
#include "derivative/derivative.h"

#include <math.h>
#include <string.h>

#include "force/fluid.h"
#include "math/vec.h"

enum { TORQUE = 0, FORCE = 1, ROTATION = 0, TRANSLATION = 1 };

static inline mjtNum square(mjtNum x) {
  return x * x;
}

// adds a 3x3 block to a quarter of a 6x6 matrix
static void addBlock(mjtNum mat[36], const mjtNum block[9], int row, int col) {
  for (int r = 0; r < 3; r++) mth_addTo3(mat + 6 * (3 * row + r) + 3 * col, block + 3 * r);
}

// matrix of x ↦ a × x
static void crossMatrix(mjtNum mat[9], const mjtNum a[3]) {
  mth_set3(mat, 0, -a[2], a[1]);
  mth_set3(mat + 3, a[2], 0, -a[0]);
  mth_set3(mat + 6, -a[1], a[0], 0);
}

// derivative of (scale·x) × y: with respect to x when x is differentiated, with respect to y otherwise
static void crossDeriv(mjtNum dx[9], mjtNum dy[9], const mjtNum x[3], const mjtNum y[3], const mjtNum scale[3]) {
  const mjtNum scaled[3] = {scale[0] * x[0], scale[1] * x[1], scale[2] * x[2]};
  crossMatrix(dy, scaled);
  crossMatrix(dx, y);
  for (int i = 0; i < 9; i++) dx[i] *= -scale[i % 3];
}

//---------------------------------- parts of the ellipsoid model ----------------------------------

static void addedMassDeriv(mjtNum mat[36], const FrcEllipsoid* e, mjtNum density, const mjtNum vel[6]) {
  mjtNum mass[3], inertia[3], dx[9], dy[9];
  mth_scl3(mass, e->mass, density);
  mth_scl3(inertia, e->inertia, density);

  // torque: (I w) × w + (m v) × v
  crossDeriv(dx, dy, vel, vel, inertia);
  addBlock(mat, dx, TORQUE, ROTATION);
  addBlock(mat, dy, TORQUE, ROTATION);
  crossDeriv(dx, dy, vel + 3, vel + 3, mass);
  addBlock(mat, dx, TORQUE, TRANSLATION);
  addBlock(mat, dy, TORQUE, TRANSLATION);

  // force: (m v) × w
  crossDeriv(dx, dy, vel + 3, vel, mass);
  addBlock(mat, dx, FORCE, TRANSLATION);
  addBlock(mat, dy, FORCE, ROTATION);
}

static void magnusDeriv(mjtNum mat[36], const FrcEllipsoid* e, mjtNum density, const mjtNum vel[6]) {
  const mjtNum* s = e->semiaxes;
  const mjtNum coef = e->magnus * density * (4.0 / 3.0 * mjPI * s[0] * s[1] * s[2]);
  const mjtNum scale[3] = {coef, coef, coef};
  mjtNum dx[9], dy[9];
  crossDeriv(dx, dy, vel, vel + 3, scale);
  addBlock(mat, dx, FORCE, ROTATION);
  addBlock(mat, dy, FORCE, TRANSLATION);
}

// drag torque -(viscous + ρ |M w|) w with M diagonal
static void torqueDeriv(mjtNum mat[36], const FrcSection* section, const mjOption* opt, const mjtNum vel[6]) {
  const mjtNum* moment = section->moment;
  const mjtNum D = section->diameter;
  const mjtNum twist[3] = {vel[0] * moment[0], vel[1] * moment[1], vel[2] * moment[2]};
  const mjtNum density = opt->density / mth_max(mjMINVAL, mth_norm3(twist));

  // gradient of the norm, outer product with w
  mjtNum slope[3], block[9];
  for (int i = 0; i < 3; i++) slope[i] = -density * twist[i] * moment[i];
  for (int r = 0; r < 3; r++) mth_scl3(block + 3 * r, slope, vel[r]);
  const mjtNum diagonal = mth_dot3(vel, slope) - opt->viscosity * (mjPI * D * D * D);
  for (int r = 0; r < 3; r++) block[4 * r] += diagonal;
  addBlock(mat, block, TORQUE, ROTATION);
}

// the numbers that depend on the direction of the velocity
typedef struct {
  mjtNum v[3];
  mjtNum axis[3];  // a, b, c
  mjtNum vv[3];    // squared components
  mjtNum num;      // N
  mjtNum denom;    // D
  mjtNum speed2;   // |v|²
} Flow;

static Flow flowOf(const FrcEllipsoid* e, const mjtNum v[3]) {
  const mjtNum* s = e->semiaxes;
  Flow f;
  for (int i = 0; i < 3; i++) {
    f.v[i] = v[i];
    f.vv[i] = v[i] * v[i];
    f.axis[i] = square(s[(i + 1) % 3] * s[(i + 2) % 3]);
  }
  f.num = mth_dot3(f.axis, f.vv);
  f.denom = square(f.axis[0]) * f.vv[0] + square(f.axis[1]) * f.vv[1] + square(f.axis[2]) * f.vv[2];
  f.speed2 = f.vv[0] + f.vv[1] + f.vv[2];
  return f;
}

// sum over the other two axes of weight_j v_j² (a_i - a_j)
static mjtNum spread(const Flow* f, int i, int weighted) {
  mjtNum sum = 0;
  for (int k = 1; k < 3; k++) {
    const int j = (i + k) % 3;
    sum += (weighted ? f->axis[j] : 1) * f->vv[j] * (f->axis[i] - f->axis[j]);
  }
  return sum;
}

// drag force -(viscous + ρ |v| (A blunt + slender (Amax - A))) v
static void dragDeriv(mjtNum mat[36], const FrcEllipsoid* e, const FrcSection* section, const mjOption* opt,
                      const Flow* flow) {
  const Flow f = *flow;
  const mjtNum *v = f.v, speed = sqrt(f.speed2);
  const mjtNum area = mjPI * sqrt(f.denom / mth_max(mjMINVAL, f.num));
  const mjtNum areaCoef = mjPI / mth_max(mjMINVAL, sqrt(f.num * f.num * f.num * f.denom));
  const mjtNum quadratic = opt->density * (area * e->blunt + e->slender * (section->area - area));
  const mjtNum byArea = opt->density * speed * (e->blunt - e->slender);

  // change of the area with the direction of v
  mjtNum dArea[3], block[9];
  for (int i = 0; i < 3; i++) dArea[i] = byArea * areaCoef * f.axis[i] * v[i] * spread(&f, i, 1);

  // -q (v v' + |v|² 1) / |v| - v dArea' - viscous 1
  const mjtNum scale = -quadratic / mth_max(mjMINVAL, speed);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      const mjtNum outer = v[r] * v[c] + (r == c ? f.speed2 : 0);
      block[3 * r + c] = outer * scale - v[r] * dArea[c];
    }
    block[4 * r] -= opt->viscosity * 3.0 * mjPI * section->diameter;
  }
  addBlock(mat, block, FORCE, TRANSLATION);
}

// Kutta lift  π c ρ / √(D N |v|²) · N · (n × v) × v  with n = (a v₀, b v₁, c v₂)
static void kuttaDeriv(mjtNum mat[36], const FrcEllipsoid* e, mjtNum density, const Flow* flow) {
  const Flow f = *flow;
  const mjtNum* v = f.v;
  const mjtNum coef = mjPI * e->kutta * density / mth_max(mjMINVAL, sqrt(f.denom * f.num * f.speed2));
  const mjtNum byDenom = f.num / mth_max(mjMINVAL, f.denom), bySpeed = f.num / mth_max(mjMINVAL, f.speed2);
  mjtNum inner[3], block[9];
  for (int i = 0; i < 3; i++) inner[i] = square(f.axis[i]) * byDenom - f.axis[i] + bySpeed;
  for (int r = 0; r < 3; r++) {
    const mjtNum spreading = spread(&f, r, 0);
    for (int c = 0; c < 3; c++) {
      const mjtNum entry = 2 * f.num * (f.axis[c] - f.axis[r]) + inner[c] * spreading;
      block[3 * r + c] = entry * (r == c ? f.vv[r] : v[r] * v[c]);
    }
    block[4 * r] -= spreading * f.num;
  }
  for (int i = 0; i < 9; i++) block[i] *= coef;
  addBlock(mat, block, FORCE, TRANSLATION);
}

//---------------------------------- local derivatives ----------------------------------

void der_fluidEllipsoid(const mjModel* m, int geom, const mjtNum vel[6], mjtNum mat[36]) {
  FrcEllipsoid e;
  FrcSection section;
  if (!frc_ellipsoid(m, geom, &e)) return;
  frc_section(&e, &section);
  magnusDeriv(mat, &e, m->opt.density, vel);
  const Flow flow = flowOf(&e, vel + 3);
  kuttaDeriv(mat, &e, m->opt.density, &flow);
  dragDeriv(mat, &e, &section, &m->opt, &flow);
  torqueDeriv(mat, &section, &m->opt, vel);
  addedMassDeriv(mat, &e, m->opt.density, vel);
}

void der_fluidBox(const mjModel* m, int body, const mjtNum vel[6], mjtNum diag[6]) {
  mjtNum box[3];
  frc_inertiaBox(m, body, box);
  const mjtNum diameter = (box[0] + box[1] + box[2]) / 3.0;
  const mjtNum viscosity = mth_max(0, m->opt.viscosity), density = mth_max(0, m->opt.density);
  for (int i = 0; i < 3; i++) {
    const mjtNum b = box[(i + 1) % 3], c = box[(i + 2) % 3];
    diag[i] = -mjPI * diameter * diameter * diameter * viscosity -
              density * box[i] * (square(square(b)) + square(square(c))) * 2 * fabs(vel[i]) / 64.0;
    diag[3 + i] = -3.0 * mjPI * diameter * viscosity - density * b * c * fabs(vel[3 + i]);
  }
}

//---------------------------------- to the tree's frame ----------------------------------

// what is known about a local matrix
typedef enum { DIAGONAL, SYMMETRIC, GENERAL } Kind;

// R B R' for the quarter (row, col)
static inline void rotateBlock(mjtNum res[9], const mjtNum B[36], int row, int col, const mjtNum R[9]) {
  mjtNum block[9], half[9];
  for (int r = 0; r < 3; r++) mth_copy3(block + 3 * r, B + 6 * (3 * row + r) + 3 * col);
  mth_mulMatMat3(half, R, block);
  mth_mulMatMatT3(res, half, R);
}

// adds X' B X: from the local frame at pos to the centre of mass of the tree, where the velocity of the point is
// v - A w and its force turns with A f
static void addMoved(mjtNum mat[36], const mjtNum B[36], Kind kind, const mjtNum R[9], const mjtNum arm[3]) {
  mjtNum tt[9], tf[9] = {0}, ft[9] = {0}, ff[9], A[9], part[9];
  rotateBlock(tt, B, TORQUE, ROTATION, R);
  rotateBlock(ff, B, FORCE, TRANSLATION, R);
  if (kind != DIAGONAL) {
    rotateBlock(tf, B, TORQUE, TRANSLATION, R);
    if (kind == SYMMETRIC) {
      mth_transpose3(ft, tf);
    } else {
      rotateBlock(ft, B, FORCE, ROTATION, R);
    }
  }

  // a point away from the centre
  if (arm[0] != 0 || arm[1] != 0 || arm[2] != 0) {
    crossMatrix(A, arm);
    if (kind != DIAGONAL) {
      mth_mulMatMat3(part, tf, A);
      for (int i = 0; i < 9; i++) tt[i] -= part[i];
    }
    mth_mulMatMat3(part, ff, A);
    for (int i = 0; i < 9; i++) ft[i] -= part[i];
    mth_mulMatMat3(part, A, ft);
    for (int i = 0; i < 9; i++) tt[i] += part[i];
    mth_mulMatMat3(part, A, ff);
    for (int i = 0; i < 9; i++) tf[i] += part[i];
  }
  addBlock(mat, tt, TORQUE, ROTATION);
  addBlock(mat, tf, TORQUE, TRANSLATION);
  addBlock(mat, ft, FORCE, ROTATION);
  addBlock(mat, ff, FORCE, TRANSLATION);
}

// the symmetric integrator needs a symmetric matrix
static void symmetrize(mjtNum B[36]) {
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < r; c++) B[6 * r + c] = B[6 * c + r] = 0.5 * (B[6 * r + c] + B[6 * c + r]);
  }
}

void der_fluidBody(const mjModel* m, const mjData* d, int body, mjtNum mat[36]) {
  const mjtNum* center = d->subtree_com + 3 * m->body_rootid[body];
  mjtNum vel[6], B[36], arm[3];

  // one box for the body
  if (!frc_usesEllipsoids(m, body)) {
    const mjtNum *pos = d->xipos + 3 * body, *R = d->ximat + 9 * body;
    mjtNum diag[6];
    frc_flowVelocity(m, d, body, pos, R, vel);
    der_fluidBox(m, body, vel, diag);
    memset(B, 0, sizeof(B));
    for (int i = 0; i < 6; i++) B[7 * i] = diag[i];
    mth_sub3(arm, pos, center);
    addMoved(mat, B, DIAGONAL, R, arm);
    return;
  }

  // or its ellipsoids
  const int first = m->body_geomadr[body];
  for (int g = first; g < first + m->body_geomnum[body]; g++) {
    if (m->geom_fluid[mjNFLUID * g] == 0) continue;
    const mjtNum *pos = d->geom_xpos + 3 * g, *R = d->geom_xmat + 9 * g;
    frc_flowVelocity(m, d, body, pos, R, vel);
    memset(B, 0, sizeof(B));
    der_fluidEllipsoid(m, g, vel, B);
    const int symmetric = m->opt.integrator == mjINT_IMPLICITFAST;
    if (symmetric) symmetrize(B);
    mth_sub3(arm, pos, center);
    addMoved(mat, B, symmetric ? SYMMETRIC : GENERAL, R, arm);
  }
}
