// The mju_ functions on random input.
#include <math.h>
#include <string.h>

#include "golden/cases.h"
#include "support/random.h"

#define N 7

typedef struct {
  double v[N], w[N], a[N * N], b[N * N], q[4], p[4], spd[N * N];
} Input;

static void fill(Rnd* rnd, double* x, int n) {
  for (int i = 0; i < n; i++) x[i] = rnd_uniform(rnd, -1, 1);
}

static void draw(Rnd* rnd, Input* in) {
  fill(rnd, in->v, N);
  fill(rnd, in->w, N);
  fill(rnd, in->a, N * N);
  fill(rnd, in->b, N * N);
  fill(rnd, in->q, 4);
  fill(rnd, in->p, 4);
  mju_normalize4(in->q);
  mju_normalize4(in->p);
  mju_mulMatMatT(in->spd, in->a, in->a, N, N, N);
  for (int i = 0; i < N; i++) in->spd[i * (N + 1)] += 0.5;
}

static void vectors(Rec* rec, const Input* in) {
  double r[N * N] = {0};
  const double scalars[] = {
      mju_dot(in->v, in->w, N), mju_norm(in->v, N), mju_sum(in->v, N),       mju_L1(in->v, N),
      mju_dot3(in->v, in->w),   mju_norm3(in->v),   mju_dist3(in->v, in->w), mju_mulVecMatVec(in->v, in->a, in->w, N)};
  rec_num(rec, "scalars", scalars, sizeof(scalars) / sizeof(double));
  mju_addScl(r, in->v, in->w, 0.3, N);
  mju_addToScl(r, in->w, -0.7, N);
  mju_subFrom(r, in->v, N);
  mju_add(r + N, in->v, in->w, N);
  mju_sub(r + 2 * N, in->v, in->w, N);
  mju_scl(r + 3 * N, in->v, 1.7, N);
  mju_addTo(r + 3 * N, in->w, N);
  mju_cross(r + 4 * N, in->v, in->w);
  mju_mulMatVec3(r + 5 * N, in->a, in->v);
  mju_mulMatTVec3(r + 5 * N + 3, in->a, in->v);
  mju_addToScl3(r + 6 * N, in->v, 0.4);
  mju_addScl3(r + 6 * N + 3, in->v, in->w, -0.4);
  rec_num(rec, "vectors", r, N * N);
  memcpy(r, in->v, sizeof(in->v));
  r[N] = mju_normalize(r, N);
  memcpy(r + N + 1, in->w, 3 * sizeof(double));
  r[N + 4] = mju_normalize3(r + N + 1);
  rec_num(rec, "normalised", r, N + 5);
}

static void matrices(Rec* rec, const Input* in) {
  double r[N * N], s[N * N], x[N];
  mju_mulMatMat(r, in->a, in->b, N, N, N);
  rec_num(rec, "AB", r, N * N);
  mju_mulMatMatT(r, in->a, in->b, N, N, N);
  rec_num(rec, "ABt", r, N * N);
  mju_mulMatTMat(r, in->a, in->b, N, N, N);
  rec_num(rec, "AtB", r, N * N);
  mju_sqrMatTD(r, in->a, in->v, N, N);
  rec_num(rec, "AtDA", r, N * N);
  mju_mulMatVec(x, in->a, in->v, N, N);
  rec_num(rec, "Av", x, N);
  mju_mulMatTVec(x, in->a, in->v, N, N);
  rec_num(rec, "Atv", x, N);
  mju_transpose(r, in->a, N, N);
  mju_symmetrize(s, in->a, N);
  rec_num(rec, "transpose", r, N * N);
  rec_num(rec, "symmetrize", s, N * N);
  memcpy(r, in->spd, sizeof(r));
  const int rank = mju_cholFactor(r, N, 1e-10);
  mju_cholSolve(x, r, in->v, N);
  rec_int(rec, "rank", &rank, 1);
  rec_num(rec, "cholSolve", x, N);
  memcpy(x, in->w, sizeof(x));
  mju_cholUpdate(r, x, N, 1);
  for (int i = 0; i < N; i++) mju_zero(r + i * N + i + 1, N - 1 - i);
  rec_num(rec, "cholUpdate", r, N * N);

  // a band with dense rows at its end
  double band[N * N], full[N * N];
  mju_dense2Band(band, in->spd, N, 3, 2);
  mju_band2Dense(full, band, N, 3, 2, 1);
  rec_num(rec, "band", full, N * N);
  mju_bandMulMatVec(x, band, in->v, N, 3, 2, 1, 1);
  rec_num(rec, "bandMul", x, N);
  const double least = mju_cholFactorBand(band, N, 3, 2, 1.5, 0.1);
  mju_cholSolveBand(x, band, in->v, N, 3, 2);
  rec_num(rec, "bandSolve", x, N);
  rec_num(rec, "bandLeast", &least, 1);
}

static void rotations(Rec* rec, const Input* in) {
  double r[60] = {0}, mat[9], quat[4];
  mju_rotVecQuat(r, in->v, in->q);
  mju_mulQuat(r + 3, in->q, in->p);
  mju_mulQuatAxis(r + 7, in->q, in->v);
  mju_axisAngle2Quat(r + 11, in->v, in->w[0]);
  mju_quat2Vel(r + 15, in->q, 0.3);
  mju_subQuat(r + 18, in->q, in->p);
  mju_derivQuat(r + 21, in->q, in->v);
  memcpy(r + 25, in->q, sizeof(in->q));
  mju_quatIntegrate(r + 25, in->v, 0.7);
  mju_quatZ2Vec(r + 29, in->v);
  mju_negQuat(r + 33, in->q);
  mju_quat2Mat(mat, in->q);
  mju_mat2Quat(r + 37, mat);
  mju_euler2Quat(r + 41, in->v, "xYz");
  mju_euler2Quat(r + 45, in->v, "ZxZ");
  mju_trnVecPose(r + 49, in->v, in->q, in->w);
  rec_num(rec, "quaternions", r, 52);
  rec_num(rec, "matrix", mat, 9);
  mju_mulPose(r, r + 3, in->v, in->q, in->w, in->p);
  mju_negPose(r + 7, r + 10, in->v, in->q);
  mju_transformSpatial(r + 14, in->v, 0, in->w, in->w + 3, mat);
  mju_transformSpatial(r + 20, in->v, 1, in->w, in->w + 3, in->w[0] > 0 ? mat : NULL);
  rec_num(rec, "poses", r, 26);
  double Da[9], Db[9], Dq[9], Dv[9], Ds[3];
  mjd_subQuat(in->q, in->p, Da, Db);
  mjd_quatIntegrate(in->v, 0.6, Dq, Dv, Ds);
  rec_num(rec, "Da", Da, 9);
  rec_num(rec, "Db", Db, 9);
  rec_num(rec, "Dquat", Dq, 9);
  rec_num(rec, "Dvel", Dv, 9);
  rec_num(rec, "Dscale", Ds, 3);
  double sym[9], eigval[3], eigvec[9];
  mju_symmetrize(sym, in->a, 3);
  mju_eig3(eigval, eigvec, quat, sym);
  rec_num(rec, "eigval", eigval, 3);
  rec_num(rec, "eigvec", eigvec, 9);
  memcpy(quat, in->p, sizeof(quat));
  mju_mat2Rot(quat, in->a);
  rec_num(rec, "mat2Rot", quat, 4);
}

static void engineering(Rec* rec, const Input* in) {
  const double prm[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2}, range[2] = {0.3, 0.9};
  const double dyn[3] = {0.01, 0.04, in->v[6] > 0 ? 0.3 : 0};
  const double len = 0.6 + 0.6 * in->v[0], vel = 2 * in->v[1], act = 0.5 + 0.6 * in->v[2], ctrl = 0.5 + 0.7 * in->v[3];
  double r[] = {mju_muscleGain(len, vel, range, 3, prm),
                mju_muscleBias(len, range, 3, prm),
                mju_muscleDynamics(ctrl, act, dyn),
                mju_sigmoid(0.5 + in->v[4]),
                mju_springDamper(in->v[0], in->v[1], 3 + 2 * in->v[2], 2 + 4 * in->v[3], 0.3),
                mju_Halton(3 + (int)(40 * fabs(in->v[5])), 5),
                mju_round(10 * in->v[0]),
                mju_clip(in->v[0], -0.3, 0.4),
                mju_sign(in->v[1])};
  rec_num(rec, "engineering", r, sizeof(r) / sizeof(double));
  double pyramid[10], force[6];
  const double mu[5] = {0.9, 0.7, 0.02, 0.01, 0.03}, wrench[6] = {3, in->v[0], in->v[1], 0.01, 0.002, in->v[2] / 100};
  for (int dim = 3; dim <= 6; dim++) {
    mju_encodePyramid(pyramid, wrench, mu, dim);
    mju_decodePyramid(force, pyramid, mu, dim);
    rec_num(rec, "pyramid", pyramid, 2 * (size_t)(dim - 1));
    rec_num(rec, "force", force, (size_t)dim);
  }
  // a quadratic programme with bounds on some
  double res[N] = {0}, R[N * (N + 7)], lower[N], upper[N];
  int index[N];
  for (int i = 0; i < N; i++) lower[i] = -0.2 - 0.1 * i, upper[i] = 0.05 * (i + 1);
  const int nfree = mju_boxQP(res, R, index, in->spd, in->w, N, lower, upper);
  rec_int(rec, "nfree", &nfree, 1);
  rec_num(rec, "boxQP", res, N);
}

// rays against one geom of each type, from outside and inside, past it and along its axes
static void rays(Rec* rec, Rnd* rnd, const Input* in) {
  double mat[9];
  mju_quat2Mat(mat, in->q);
  for (int type = 0; type <= mjGEOM_BOX; type++) {
    if (type == mjGEOM_HFIELD) continue;
    double hits[4 * 8];
    for (int i = 0; i < 8; i++) {
      double pnt[3], vec[3], size[3] = {0.3, 0.45, 0.2};
      fill(rnd, pnt, 3);
      fill(rnd, vec, 3);
      mju_scl3(pnt, pnt, i < 3 ? 0.2 : 1.5);
      if (i > 4) {
        mju_sub3(vec, in->v, pnt);
        mju_addToScl3(vec, in->w, 0.2);
      }
      if (i < 3) mju_addTo3(pnt, in->v);
      hits[4 * i] = mju_rayGeom(in->v, mat, size, pnt, vec, type, hits + 4 * i + 1);
    }
    rec_num(rec, "rayGeom", hits, 4 * 8);
  }
}

void gold_maths(Rec* rec, const void* arg) {
  (void)arg;
  Rnd rnd = {11};
  for (int i = 0; i < 24; i++) {
    Input in;
    rec_scope(rec, "draw %d ", i);
    draw(&rnd, &in);
    vectors(rec, &in);
    matrices(rec, &in);
    rotations(rec, &in);
    engineering(rec, &in);
    rays(rec, &rnd, &in);
  }
}
