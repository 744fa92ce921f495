// Pairs of geoms, oriented boxes, flex elements and triangles under the reference's names. Tolerance 1e-12: the same
// formulas in another order of operations.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compat/engine.h"
#include "support/model.h"
#include "support/near.h"
#include "support/stage.h"

// one pair: the function on both sides, and the MJCF of the second geom
typedef struct {
  const char *name, *geom1, *geom2;
  mjfCollision ours;
} Pair;

static const Pair PAIRS[] = {
    {"mjc_PlaneSphere",    "plane' size='1 1 .1",        "sphere' size='.2",      mjc_PlaneSphere   },
    {"mjc_PlaneCapsule",   "plane' size='1 1 .1",        "capsule' size='.1 .2",  mjc_PlaneCapsule  },
    {"mjc_PlaneCylinder",  "plane' size='1 1 .1",        "cylinder' size='.1 .2", mjc_PlaneCylinder },
    {"mjc_PlaneBox",       "plane' size='1 1 .1",        "box' size='.1 .2 .15",  mjc_PlaneBox      },
    {"mjc_SphereSphere",   "sphere' size='.15",          "sphere' size='.2",      mjc_SphereSphere  },
    {"mjc_SphereCapsule",  "sphere' size='.15",          "capsule' size='.1 .2",  mjc_SphereCapsule },
    {"mjc_SphereCylinder", "sphere' size='.15",          "cylinder' size='.1 .2", mjc_SphereCylinder},
    {"mjc_SphereBox",      "sphere' size='.15",          "box' size='.1 .2 .15",  mjc_SphereBox     },
    {"mjc_CapsuleCapsule", "capsule' size='.15 .1",      "capsule' size='.1 .2",  mjc_CapsuleCapsule},
    {"mjc_CapsuleBox",     "capsule' size='.1 .1",       "box' size='.1 .2 .15",  mjc_CapsuleBox    },
    {"mjc_BoxBox",         "box' size='.15 .1 .12",      "box' size='.1 .2 .15",  mjc_BoxBox        },
    {"mjc_Convex",         "ellipsoid' size='.15 .1 .2", "cylinder' size='.1 .2", mjc_Convex        },
};
enum { NPAIR = sizeof(PAIRS) / sizeof(PAIRS[0]) };

static TstScene openPair(const Pair* p) {
  char xml[1000];
  snprintf(xml, sizeof(xml),
           "<mujoco><worldbody><geom type='%s'/><body><freejoint/><geom type='%s'/></body></worldbody></mujoco>",
           p->geom1, p->geom2);
  return tst_openScene(xml);
}

// a random pose of the second geom, near the first
static void place(TstScene* t, Rnd* rnd) {
  mjtNum* q = t->d->qpos;
  for (int i = 0; i < 3; i++) q[i] = rnd_uniform(rnd, -0.25, 0.25);
  for (int i = 3; i < 7; i++) q[i] = rnd_uniform(rnd, -1, 1);
  mju_normalize4(q + 3);
  mj_kinematics(t->m, t->d);
}

// the contacts of mj_collision are those of the function in the table
static void pairsMakeContacts(void** state) {
  (void)state;
  for (int p = 0; p < NPAIR; p++) {
    TstScene t = openPair(PAIRS + p);
    Rnd rnd = {(uint64_t)p};
    int found = 0;
    for (int trial = 0; trial < 50; trial++) {
      mjContact con[mjMAXCONPAIR];
      memset(con, 0, sizeof(con));
      place(&t, &rnd);
      mj_fwdPosition(t.m, t.d);
      const int n = PAIRS[p].ours(t.m, t.d, con, 0, 1, 0);
      found += n;

      // those of boxes are thinned out afterwards
      if (PAIRS[p].ours == mjc_BoxBox) {
        assert_true(n >= t.d->ncon && !n == !t.d->ncon);
        continue;
      }
      assert_int_equal(n, t.d->ncon);
      for (int i = 0; i < n; i++) {
        assert_true(con[i].dist == t.d->contact[i].dist);
        orc_sameBytes(con[i].pos, t.d->contact[i].pos, sizeof(con[i].pos));
      }
    }
    assert_true(found > 0);
    tst_closeScene(&t);
  }
}

static void pairsMatchReference(void** state) {
  (void)state;
  Stage s = {0};
  for (int p = 0; p < NPAIR; p++) {
    TstScene t = openPair(PAIRS + p);
    mjfCollision const ref = (mjfCollision)orc_orOurs(PAIRS[p].name, (const void*)PAIRS[p].ours);
    Rnd rnd = {(uint64_t)p + 100};
    s.name = PAIRS[p].name;
    for (int trial = 0; trial < 300; trial++) {
      mjContact con[2][mjMAXCONPAIR];
      memset(con, 0, sizeof(con));
      place(&t, &rnd);
      const mjtNum margin = trial % 3 ? 0 : 0.05;
      const int nref = ref(t.m, t.d, con[0], 0, 1, margin), nour = PAIRS[p].ours(t.m, t.d, con[1], 0, 1, margin);
      stg_same(&s, "count", &nref, &nour, 1);
      for (int i = 0; i < nref && i < nour; i++) {
        // iterations end within their tolerance, here 1e-6
        const double tol = PAIRS[p].ours == mjc_Convex ? 1e-6 : 1e-12;
        stg_near(&s, "dist", &con[0][i].dist, &con[1][i].dist, 1, tol);
        stg_near(&s, "pos", con[0][i].pos, con[1][i].pos, 3, tol);
        stg_near(&s, "normal", con[0][i].frame, con[1][i].frame, 3, tol);
      }
    }
    tst_closeScene(&t);
  }
  assert_int_equal(s.errors, 0);
}

//---------------------------------- oriented boxes ----------------------------------

static const mjtNum UNIT_BOX[6] = {0, 0, 0, 1, 1, 1};
static const mjtNum EYE[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void alignedBoxes(void** state) {
  (void)state;
  mjtByte init = 1;
  const mjtNum near[3] = {2, 0, 0}, far[3] = {2.1, 0, 0}, origin[3] = {0, 0, 0};
  const mjtNum endless[6] = {0, 0, 0, mjMAXVAL, mjMAXVAL, mjMAXVAL};
  assert_int_equal(mj_collideOBB(UNIT_BOX, UNIT_BOX, origin, EYE, near, EYE, 0, NULL, NULL, &init), 1);
  assert_int_equal(mj_collideOBB(UNIT_BOX, UNIT_BOX, origin, EYE, far, EYE, 0, NULL, NULL, &init), 0);
  assert_int_equal(mj_collideOBB(UNIT_BOX, UNIT_BOX, NULL, NULL, far, NULL, 0.2, NULL, NULL, &init), 1);
  assert_int_equal(mj_collideOBB(UNIT_BOX, endless, origin, EYE, far, EYE, 0, NULL, NULL, &init), 1);
  assert_int_equal(init, 1);

  // turned by 45 degrees: reaches farther
  const mjtNum c = sqrt(0.5), turned[9] = {c, -c, 0, c, c, 0, 0, 0, 1}, between[3] = {2.4, 0, 0};
  assert_int_equal(mj_collideOBB(UNIT_BOX, UNIT_BOX, origin, EYE, between, EYE, 0, NULL, NULL, &init), 0);
  assert_int_equal(mj_collideOBB(UNIT_BOX, UNIT_BOX, origin, EYE, between, turned, 0, NULL, NULL, &init), 1);
}

static void randomFrame(Rnd* rnd, mjtNum pos[3], mjtNum mat[9]) {
  mjtNum quat[4];
  for (int i = 0; i < 3; i++) pos[i] = rnd_uniform(rnd, -1, 1);
  for (int i = 0; i < 4; i++) quat[i] = rnd_uniform(rnd, -1, 1);
  mju_normalize4(quat);
  mju_quat2Mat(mat, quat);
}

static void boxesMatchReference(void** state) {
  (void)state;
  Rnd rnd = {7};
  Stage s = {.name = "boxes"};
  int hits = 0;
  for (int trial = 0; trial < 2000; trial++) {
    mjtNum box[2][6], pos[2][3], mat[2][9], product[2][36] = {{0}}, offset[2][12] = {{0}};
    const mjtNum margin = trial % 4 ? 0 : 0.1;
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 6; i++) box[k][i] = i < 3 ? rnd_uniform(&rnd, -0.3, 0.3) : rnd_uniform(&rnd, 0.05, 0.5);
      if (rnd_below(&rnd, 6) == 0) box[k][3 + rnd_below(&rnd, 3)] = mjMAXVAL;
      randomFrame(&rnd, pos[k], mat[k]);
    }

    // frames may be those of the world; products may be kept for the next pair in the same frames
    const mjtNum *pos2 = trial % 5 ? pos[1] : NULL, *mat2 = trial % 5 ? mat[1] : NULL;
    mjtByte init[2] = {1, 1};
    for (int kept = 0; kept < 3; kept++) {
      mjtNum *p0 = kept ? product[0] : NULL, *p1 = kept ? product[1] : NULL;
      const int ref = ORC(mj_collideOBB)(box[0], box[1], pos[0], mat[0], pos2, mat2, margin, p0, offset[0], init);
      const int our = mj_collideOBB(box[0], box[1], pos[0], mat[0], pos2, mat2, margin, p1, offset[1], init + 1);
      assert_int_equal(ref, our);
      assert_int_equal(init[0], init[1]);
      stg_near(&s, "product", product[0], product[1], 36, 1e-15);
      stg_near(&s, "offset", offset[0], offset[1], 12, 1e-15);
      hits += ref;
      box[0][0] += 0.2;
    }
  }
  assert_int_equal(s.errors, 0);
  assert_true(hits > 500 && hits < 5500);
}

//---------------------------------- elements and triangles ----------------------------------

static void activeElements(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><worldbody>"
      "<flexcomp name='a' type='grid' count='6 6 6' spacing='.1 .1 .1' dim='3' mass='1' radius='.01'>"
      "<contact activelayers='1'/></flexcomp>"
      "<flexcomp name='b' type='grid' count='3 3 1' spacing='.1 .1 .1' pos='2 0 0' dim='2' mass='1' radius='.01'/>"
      "</worldbody></mujoco>");
  int inner = 0;
  for (int f = 0; f < m->nflex; f++) {
    for (int e = 0; e < m->flex_elemnum[f]; e++) {
      const int active = mj_isElemActive(m, f, e);
      assert_int_equal(active, m->flex_dim[f] < 3 || m->flex_elemlayer[m->flex_elemadr[f] + e] == 0);
      orc_sameInt(active, ORC(mj_isElemActive)(m, f, e));
      inner += !active;
    }
  }
  assert_true(inner > 0);
  mj_deleteModel(m);
}

static void triangles(void** state) {
  (void)state;

  // straight down on a triangle in the plane z = 1
  mjtNum v[3][3] =
      {
          {0, 0, 1},
          {1, 0, 1},
          {0, 1, 1}
  },
         normal[3];
  const mjtNum pnt[3] = {0.2, 0.2, 3}, vec[3] = {0, 0, -2}, b0[3] = {1, 0, 0}, b1[3] = {0, 1, 0};
  assert_near(ray_triangle(v, pnt, vec, b0, b1, normal), 1, 1e-15);
  assert_near(normal[2], 1, 1e-15);
  const mjtNum beside[3] = {0.7, 0.7, 3};
  assert_near(ray_triangle(v, beside, vec, b0, b1, NULL), -1, 0);

  Rnd rnd = {12};
  Stage s = {.name = "triangle"};
  int hits = 0;
  for (int trial = 0; trial < 2000; trial++) {
    mjtNum pos[3], frame[9], ray[3], u[3], w[3], other[3] = {5, 5, 5};
    for (int i = 0; i < 9; i++) v[i / 3][i % 3] = rnd_uniform(&rnd, -1, 1);
    randomFrame(&rnd, pos, frame);
    for (int i = 0; i < 3; i++) {
      ray[i] = -pos[i] + rnd_uniform(&rnd, -0.3, 0.3);
      u[i] = frame[3 * i];
      w[i] = frame[3 * i + 1];
    }
    mju_cross(u, ray, w);
    mju_cross(w, ray, u);
    mju_normalize3(u);
    mju_normalize3(w);
    mjtNum* const n0 = trial % 4 ? other : NULL;
    mjtNum* const n1 = trial % 4 ? normal : NULL;
    const mjtNum x0 = ORC(ray_triangle)(v, pos, ray, u, w, n0), x1 = ray_triangle(v, pos, ray, u, w, n1);
    stg_near(&s, "x", &x0, &x1, 1, 1e-9);
    if (n0) stg_near(&s, "normal", other, normal, 3, 1e-12);
    hits += x0 >= 0;
  }
  assert_int_equal(s.errors, 0);
  assert_true(hits > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairsMakeContacts),   cmocka_unit_test(pairsMatchReference), cmocka_unit_test(alignedBoxes),
      cmocka_unit_test(boxesMatchReference), cmocka_unit_test(activeElements),      cmocka_unit_test(triangles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
