// What one model gives: compiled fields, forward passes from several states, inverse dynamics, steps under every
// integrator, rays, queries, derivatives and scenes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden/cases.h"
#include "golden/state.h"
#include "golden/fields.h"
#include "support/random.h"

#define NSTATE 3

//---------------------------------- rays ----------------------------------

#define NRAY 60

// rays from around the model to points in it, and from inside outwards
static void rays(Rec* rec, const mjModel* m, mjData* d) {
  Rnd rnd = {17};
  double pnt[3 * NRAY], vec[3 * NRAY], dist[NRAY], normal[3 * NRAY];
  int geomid[NRAY];
  static const mjtByte GROUPS[mjNGROUP] = {1, 0, 1, 1, 0, 1};
  for (int i = 0; i < NRAY; i++) {
    const double far = i % 3 ? 1.5 * m->stat.extent : 0.2 * m->stat.extent;
    const int target = rnd_below(&rnd, (int)m->ngeom + 1);
    for (int k = 0; k < 3; k++) {
      const double centre = target < m->ngeom ? d->geom_xpos[3 * target + k] : m->stat.center[k];
      const double size = target < m->ngeom ? fmin(m->geom_rbound[target], 1) : m->stat.extent;
      pnt[3 * i + k] = m->stat.center[k] + rnd_uniform(&rnd, -far, far);
      vec[3 * i + k] = centre + rnd_uniform(&rnd, -0.6, 0.6) * size - pnt[3 * i + k];
    }
    dist[i] = mj_ray(m, d, pnt + 3 * i, vec + 3 * i, i % 4 == 3 ? GROUPS : NULL, i % 5 != 4,
                     i % 7 == 6 ? (int)m->nbody - 1 : -1, geomid + i, normal + 3 * i);
  }
  rec_num(rec, "dist", dist, NRAY);
  rec_int(rec, "geomid", geomid, NRAY);
  rec_num(rec, "normal", normal, (size_t)3 * NRAY);

  // many from one point
  mj_multiRay(m, d, pnt, vec, NULL, 1, -1, geomid, dist, normal, NRAY, 3 * m->stat.extent);
  rec_num(rec, "multi dist", dist, NRAY);
  rec_int(rec, "multi geomid", geomid, NRAY);
  rec_num(rec, "multi normal", normal, (size_t)3 * NRAY);

  // flexes by each of their parts
  for (int i = 0; i < m->nflex; i++) {
    for (int k = 0; k < NRAY; k++) {
      dist[k] = mj_rayFlex(m, d, 0, k % 4 == 0, k % 4 == 1, k % 4 == 2, k % 4 == 3, i, pnt + 3 * k, vec + 3 * k,
                           geomid + k, normal + 3 * k);
      if (dist[k] < 0) geomid[k] = -1;
    }
    rec_num(rec, "flex dist", dist, NRAY);
    rec_int(rec, "flex vertid", geomid, NRAY);
    rec_num(rec, "flex normal", normal, (size_t)3 * NRAY);
  }
}

//---------------------------------- queries ----------------------------------

static void jacobians(Rec* rec, const mjModel* m, mjData* d) {
  const size_t nv = (size_t)m->nv;
  double* const jac = calloc(12 * nv + 1, sizeof(double));
  const double point[3] = {0.1, -0.2, 0.3}, axis[3] = {0.36, 0.48, 0.8};
  for (int i = 1; i < m->nbody; i += 1 + (int)m->nbody / 4) {
    mj_jac(m, d, jac, jac + 3 * nv, point, i);
    mj_jacBody(m, d, jac + 6 * nv, jac + 9 * nv, i);
    rec_num(rec, "jac", jac, 12 * nv);
    mj_jacBodyCom(m, d, jac, jac + 3 * nv, i);
    mj_jacDot(m, d, jac + 6 * nv, jac + 9 * nv, point, i);
    rec_num(rec, "jacDot", jac, 12 * nv);
    mj_jacSubtreeCom(m, d, jac, i);
    mj_angmomMat(m, d, jac + 3 * nv, i);
    mj_jacPointAxis(m, d, jac + 6 * nv, jac + 9 * nv, point, axis, i);
    rec_num(rec, "jacSubtree", jac, 12 * nv);
    memset(jac, 0, sizeof(double) * nv);
    mj_applyFT(m, d, axis, point, d->xpos + 3 * i, i, jac);
    rec_num(rec, "applyFT", jac, nv);
  }
  free(jac);
}

// velocities and accelerations of every kind of object
static void motions(Rec* rec, const mjModel* m, mjData* d) {
  static const int TYPES[] = {mjOBJ_BODY, mjOBJ_XBODY, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_CAMERA};
  const mjtSize counts[] = {m->nbody, m->nbody, m->ngeom, m->nsite, m->ncam};
  for (int t = 0; t < 5; t++) {
    for (int i = 0; i < counts[t]; i += 1 + (int)counts[t] / 3) {
      double motion[24];
      for (int local = 0; local < 2; local++) {
        mj_objectVelocity(m, d, TYPES[t], i, motion + 6 * local, local);
        mj_objectAcceleration(m, d, TYPES[t], i, motion + 12 + 6 * local, local);
      }
      rec_num(rec, "motion", motion, 24);
    }
  }
}

static void products(Rec* rec, const mjModel* m, mjData* d) {
  const size_t nv = (size_t)m->nv, nefc = (size_t)d->nefc;
  double* const x = calloc(nv * (nv + 4) + nefc + 1, sizeof(double));
  double *const y = x + nv, *const full = y + 3 * nv, *const rows = full + nv * nv;
  Rnd rnd = {5};
  for (size_t i = 0; i < nv; i++) x[i] = rnd_uniform(&rnd, -1, 1);
  mj_mulM(m, d, y, x);
  mj_mulM2(m, d, y + nv, x);
  mj_solveM(m, d, y + 2 * nv, x, 1);
  rec_num(rec, "products", y, 3 * nv);
  mj_fullM(m, full, d->qM);
  rec_num(rec, "fullM", full, nv * nv);
  if (nefc) mj_mulJacVec(m, d, rows, x);
  rec_num(rec, "mulJacVec", rows, nefc);
  mju_zero(y, (int)nv);
  if (nefc) mj_mulJacTVec(m, d, y, rows);
  rec_num(rec, "mulJacTVec", y, nv);
  free(x);
  double* const force = calloc(6 * (size_t)d->ncon + 1, sizeof(double));
  for (int i = 0; i < d->ncon; i++) mj_contactForce(m, d, i, force + 6 * i);
  rec_num(rec, "contactForce", force, 6 * (size_t)d->ncon);
  free(force);
}

// distances between pairs of geoms, at most a few dozen of them
static void distances(Rec* rec, const mjModel* m, const mjData* d) {
  const int ngeom = (int)m->ngeom, stride = 1 + ngeom * ngeom / 60;
  for (int pair = 0; pair < ngeom * ngeom; pair += stride) {
    const int g1 = pair / ngeom, g2 = pair % ngeom;
    const int t1 = m->geom_type[g1], t2 = m->geom_type[g2];
    if (g1 >= g2 || t1 == mjGEOM_HFIELD || t2 == mjGEOM_HFIELD || t1 == mjGEOM_SDF || t2 == mjGEOM_SDF) continue;
    if (t1 == mjGEOM_PLANE && t2 == mjGEOM_PLANE) continue;
    double fromto[6] = {0};
    const double dist = mj_geomDistance(m, d, g1, g2, 1, fromto);
    rec_num(rec, "geomDistance", &dist, 1);
    rec_num(rec, "fromto", fromto, 6);
  }
}

//---------------------------------- derivatives ----------------------------------

// one centred difference of the step and of inverse dynamics; few degrees of freedom, no delays, not RK4
static void derivatives(Rec* rec, const mjModel* m, mjData* d) {
  const size_t nv = (size_t)m->nv, na = (size_t)m->na, nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  const size_t nx = 2 * nv + na;
  if (!nv || nv > 40 || m->nhistory || m->opt.integrator == mjINT_RK4) return;
  double* const out = calloc((nx + ns) * (nx + nu) + 3 * nv * (nv + ns) + nv * (size_t)m->nM + 1, sizeof(double));
  double *const B = out + nx * nx, *const C = B + nx * nu, *const D = C + ns * nx;
  mjd_transitionFD(m, d, 1e-5, 1, out, nu ? B : NULL, ns ? C : NULL, ns && nu ? D : NULL);
  rec_num(rec, "A", out, nx * nx);
  rec_num(rec, "B", B, nx * nu);
  rec_num(rec, "C", C, ns * nx);
  rec_num(rec, "D", D, ns * nu);
  double *const v = out + nv * nv, *const a = v + nv * nv, *const s = a + nv * nv, *const mq = s + 3 * nv * ns;
  mjd_inverseFD(m, d, 1e-5, 1, out, v, a, ns ? s : NULL, ns ? s + nv * ns : NULL, ns ? s + 2 * nv * ns : NULL, mq);
  rec_num(rec, "DfDq", out, nv * nv);
  rec_num(rec, "DfDv", v, nv * nv);
  rec_num(rec, "DfDa", a, nv * nv);
  rec_num(rec, "Ds", s, 3 * nv * ns);
  rec_num(rec, "DmDq", mq, nv * (size_t)m->nM);
  free(out);
}

//---------------------------------- steps ----------------------------------

#define NSTEP 5

static void steps(Rec* rec, mjModel* m, mjData* d, int state) {
  const int integrator = m->opt.integrator;
  for (int i = 0; i < 4; i++) {
    m->opt.integrator = i;
    rec_scope(rec, "state %d integrator %d ", state, i);
    st_set(rec, m, d, state);
    for (int k = 0; k < NSTEP; k++) mj_step(m, d);
    fld_state(rec, m, d);
    // factors and derivatives of the implicit integrators
    if (i >= mjINT_IMPLICIT) {
      rec_num(rec, "qDeriv", d->qDeriv, (size_t)m->nD);
      rec_num(rec, i == mjINT_IMPLICIT ? "qLU" : "qH", i == mjINT_IMPLICIT ? d->qLU : d->qH,
              (size_t)(i == mjINT_IMPLICIT ? m->nD : m->nC));
    }
  }
  m->opt.integrator = integrator;
}

//---------------------------------- scenes ----------------------------------

static void scenes(Rec* rec, const mjModel* m, mjData* d) {
  mjvScene scn;
  mjvOption opt;
  mjvCamera cam;
  mjvPerturb pert;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 5000);
  mjv_defaultPerturb(&pert);
  for (int view = 0; view < 3; view++) {
    rec_scope(rec, "view %d ", view);
    mjv_defaultOption(&opt);
    mjv_defaultFreeCamera(m, &cam);
    if (view) {
      // everything that can be drawn, with labels, frames and a body that is pulled
      memset(opt.flags, 1, sizeof(opt.flags));
      opt.flags[mjVIS_STATIC] = view == 1;
      opt.flags[mjVIS_CONVEXHULL] = view == 1;
      opt.flags[mjVIS_SKIN] = opt.flags[mjVIS_FLEXSKIN] = view == 1;
      opt.flags[mjVIS_TRANSPARENT] = view == 2;
      opt.flags[mjVIS_BODYBVH] = opt.flags[mjVIS_MESHBVH] = 0;
      opt.flags[mjVIS_ISLAND] = view == 2;
      memset(opt.geomgroup, 1, mjNGROUP);
      memset(opt.sitegroup, 1, mjNGROUP);
      memset(opt.jointgroup, 1, mjNGROUP);
      opt.label = view == 1 ? mjLABEL_BODY : mjLABEL_GEOM;
      opt.frame = view == 1 ? mjFRAME_BODY : mjFRAME_SITE;
      pert.select = (int)m->nbody - 1;
      pert.active = mjPERT_TRANSLATE | mjPERT_ROTATE;
      mjv_initPerturb(m, d, &scn, &pert);
      if (view == 2 && m->ncam) {
        cam.type = mjCAMERA_FIXED;
        cam.fixedcamid = (int)m->ncam - 1;
      } else {
        cam.type = mjCAMERA_TRACKING;
        cam.trackbodyid = (int)m->nbody - 1;
      }
    }
    mjv_updateScene(m, d, &opt, view ? &pert : NULL, &cam, mjCAT_ALL, &scn);
    fld_scene(rec, &scn);
  }
  mjv_freeScene(&scn);
}

//---------------------------------- the case ----------------------------------

mjModel* gold_load(const char* path) {
  char error[500] = "";
  mjModel* const m = mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) {
    fprintf(stderr, "%s: %s\n", path, error);
    exit(1);
  }
  return m;
}

void gold_model(Rec* rec, const void* arg) {
  mjModel* const m = gold_load(arg);
  rec_scope(rec, "compile ");
  fld_model(rec, m);
  st_tighten(m);
  mjData* const d = mj_makeData(m);
  for (int state = 0; state < NSTATE; state++) {
    rec_scope(rec, "state %d forward ", state);
    st_set(rec, m, d, state);
    m->opt.enableflags |= mjENBL_ENERGY;
    mj_forward(m, d);
    fld_data(rec, m, d);
    rec_scope(rec, "state %d query ", state);
    jacobians(rec, m, d);
    motions(rec, m, d);
    products(rec, m, d);
    if (state == 1) distances(rec, m, d);
    rec_scope(rec, "state %d ray ", state);
    if (state < 2) rays(rec, m, d);
    if (state == 1) scenes(rec, m, d);
    rec_scope(rec, "state %d inverse ", state);
    mj_inverse(m, d);
    rec_num(rec, "qfrc_inverse", d->qfrc_inverse, (size_t)m->nv);
    rec_num(rec, "qfrc_constraint", d->qfrc_constraint, (size_t)m->nv);
    if (m->opt.integrator != mjINT_RK4) {
      m->opt.enableflags |= mjENBL_INVDISCRETE;
      mj_inverse(m, d);
      m->opt.enableflags &= ~mjENBL_INVDISCRETE;
      rec_num(rec, "discrete", d->qfrc_inverse, (size_t)m->nv);
    }
    if (state) steps(rec, m, d, state);
    if (state == 2) {
      rec_scope(rec, "state %d derivative ", state);
      st_set(rec, m, d, state);
      derivatives(rec, m, d);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}
