// Convex pairs, height fields, rays and distances without the reference: values that follow from the geometry.
#include "collision/ccd.h"
#include "collision/narrow.h"
#include "collision/scenes.h"
#include "support/model.h"

typedef struct {
  mjModel* m;
  mjData* d;
} World;

static World openWorld(void) {
  World w = {tst_model("shapes"), NULL};
  w.d = mj_makeData(w.m);
  for (int g = 0; g < w.m->ngeom; g++) {
    for (int i = 0; i < 9; i++) w.d->geom_xmat[9 * g + i] = i % 4 == 0;
    for (int i = 0; i < 3; i++) w.d->geom_xpos[3 * g + i] = 10 * g;
  }
  return w;
}

static void closeWorld(World* w) {
  mj_deleteData(w->d);
  mj_deleteModel(w->m);
}

static int geomId(const World* w, const char* name) {
  const int id = mj_name2id(w->m, mjOBJ_GEOM, name);
  assert_true(id >= 0);
  return id;
}

static void place(World* w, int g, mjtNum x, mjtNum y, mjtNum z) {
  mjtNum* pos = w->d->geom_xpos + 3 * g;
  pos[0] = x;
  pos[1] = y;
  pos[2] = z;
}

static int collide(World* w, mjContact con[mjMAXCONPAIR], int g1, int g2, mjtNum margin) {
  if (w->m->geom_type[g1] > w->m->geom_type[g2]) {
    const int swap = g1;
    g1 = g2;
    g2 = swap;
  }
  return mjCOLLISIONFUNC[w->m->geom_type[g1]][w->m->geom_type[g2]](w->m, w->d, con, g1, g2, margin);
}

//---------------------------------- convex pairs --------------------------------------------------

// two shapes above each other with known heights
static void stacked(void** state) {
  (void)state;
  World w = openWorld();
  static const struct {
    const char* name;
    mjtNum half;
  } shape[] = {
      {"sphere",    .2},
      {"capsule",   .3},
      {"ellipsoid", .3},
      {"cylinder",  .1},
      {"box",       .3},
      {"cube",      .2}
  };
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      const int g1 = geomId(&w, shape[i].name), g2 = geomId(&w, shape[j].name);
      if (g1 == g2) continue;
      const mjtNum touch = shape[i].half + shape[j].half;
      mjContact con[mjMAXCONPAIR];

      // apart, overlapping by 0.01, apart but within the margin
      place(&w, g1, .01, .02, 0);
      place(&w, g2, .01, .02, touch + .001);
      assert_int_equal(collide(&w, con, g1, g2, 0), 0);
      place(&w, g2, .01, .02, touch - .01);
      int n = collide(&w, con, g1, g2, 0);
      assert_true(n >= 1);
      for (int k = 0; k < n; k++) {
        assert_true(fabs(con[k].dist + .01) < 1e-4);
        assert_true(fabs(con[k].frame[2]) > .999);
      }
      place(&w, g2, .01, .02, touch + .01);
      n = collide(&w, con, g1, g2, .02);
      assert_true(n >= 1 && fabs(con[0].dist - .01) < 1e-3);

      // distance, both ways
      mjtNum ft[6], tf[6];
      assert_true(fabs(mj_geomDistance(w.m, w.d, g1, g2, 1, ft) - .01) < 1e-5);
      assert_true(fabs(mj_geomDistance(w.m, w.d, g2, g1, 1, tf) - .01) < 1e-5);
      assert_true(fabs(ft[5] - ft[2] - .01) < 1e-5 && fabs(tf[2] - tf[5] - .01) < 1e-5);
      assert_true(mj_geomDistance(w.m, w.d, g1, g2, .001, ft) == .001);
      assert_true(ft[0] == 0 && ft[5] == 0);
    }
  }
  closeWorld(&w);
}

// one mesh is the same shape as the box of its size, whatever search its support uses
static void meshIsBox(void** state) {
  (void)state;
  World w = openWorld();
  const int cube = geomId(&w, "cube"), box = geomId(&w, "box"), egg = geomId(&w, "egg"), ball = geomId(&w, "ball");
  for (int i = 0; i < 3; i++) w.m->geom_size[3 * box + i] = .2;
  Rnd r = {.state = 8};
  int touching = 0;
  for (int i = 0; i < 300; i++) {
    const int other = i % 2 ? egg : ball;
    mjContact a[mjMAXCONPAIR], b[mjMAXCONPAIR];
    sweep_turn(w.d->geom_xmat + 9 * cube, &r);
    memcpy(w.d->geom_xmat + 9 * box, w.d->geom_xmat + 9 * cube, 9 * sizeof(mjtNum));
    sweep_turn(w.d->geom_xmat + 9 * other, &r);
    place(&w, cube, 0, 0, 0);
    place(&w, box, 0, 0, 0);
    // in this order on every machine
    const mjtNum z = rnd_uniform(&r, -.4, .4), y = rnd_uniform(&r, -.4, .4), x = rnd_uniform(&r, -.4, .4);
    place(&w, other, x, y, z);
    const int n = collide(&w, a, cube, other, 0);
    const int same = collide(&w, b, box, other, 0);
    if (n && same) assert_true(fabs(a->dist - b->dist) < 1e-6);
    if (n != same) assert_true(fabs((n ? a : b)->dist) < 1e-6);
    touching += n > 0;
  }
  assert_true(touching > 50);
  closeWorld(&w);
}

// poses that leave no direction, extreme sizes, numbers that are none: no crash, unit normals from proper numbers
static void degenerate(void** state) {
  (void)state;
  World w = openWorld();
  for (int g1 = 0; g1 < w.m->ngeom; g1++) {
    for (int g2 = g1 + 1; g2 < w.m->ngeom; g2++) {
      if (!mjCOLLISIONFUNC[w.m->geom_type[g1]][w.m->geom_type[g2]]) continue;
      for (int i = 0; i < 12; i++) {
        mjContact con[mjMAXCONPAIR];
        const mjtNum odd[12] = {0, 1e-16, 1e-9, .1, .2, .4, 1e3, 1e8, 1e15, NAN, INFINITY, -INFINITY};
        place(&w, g1, 0, 0, 0);
        place(&w, g2, 0, odd[i], i % 3 ? 0 : odd[i]);
        const int n = collide(&w, con, g1, g2, i % 2 ? .1 : 0);
        assert_in_range(n, 0, mjMAXCONPAIR);
        for (int k = 0; i < 7 && k < n; k++) {
          const mjtNum* v = con[k].frame;
          assert_true(isfinite(con[k].dist));
          assert_true(fabs(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 1) < 1e-9);
        }
        assert_int_equal(w.d->pstack, 0);
      }
    }
  }
  closeWorld(&w);
}

//---------------------------------- height field --------------------------------------------------

// a sphere over the highest point and over a valley
static void overHills(void** state) {
  (void)state;
  World w = openWorld();
  const int hills = geomId(&w, "hfield"), sphere = geomId(&w, "sphere");
  mjContact con[mjMAXCONPAIR];
  place(&w, hills, 0, 0, 0);

  // the peak: 0.2 high
  int peak = 0;
  for (int i = 1; i < 20; i++) peak = w.m->hfield_data[i] > w.m->hfield_data[peak] ? i : peak;
  const mjtNum x = -1 + peak % 5 * .5, y = -.8 + peak / 5 * 1.6 / 3;
  place(&w, sphere, x, y, .2 + .2 + .001);
  assert_int_equal(collide(&w, con, hills, sphere, 0), 0);
  place(&w, sphere, x, y, .2 + .2 - .01);
  const int n = collide(&w, con, hills, sphere, 0);
  assert_true(n >= 1);
  for (int i = 0; i < n; i++) {
    assert_true(fabs(con[i].dist + .01) < 2e-3 && con[i].frame[2] > .9);
  }
  place(&w, sphere, 5, 0, 0);
  assert_int_equal(collide(&w, con, hills, sphere, 0), 0);
  closeWorld(&w);
}

//---------------------------------- rays ----------------------------------------------------------

static void straightRays(void** state) {
  (void)state;
  World w = openWorld();
  static const struct {
    const char* name;
    mjtNum half[3];
  } shape[] = {
      {"sphere",    {.2, .2, .2}},
      {"capsule",   {.1, .1, .3}},
      {"ellipsoid", {.1, .2, .3}},
      {"cylinder",  {.2, .2, .1}},
      {"box",       {.1, .2, .3}},
      {"cube",      {.2, .2, .2}}
  };
  for (int i = 0; i < 6; i++) {
    const int g = geomId(&w, shape[i].name);
    place(&w, g, 1, 2, 3);
    for (int axis = 0; axis < 3; axis++) {
      for (int side = -1; side <= 1; side += 2) {
        // from outside: the near side; the ray's length scales the result
        mjtNum pnt[3] = {1.003, 2.002, 3.001}, vec[3] = {0, 0, 0}, normal[3];
        pnt[axis] = w.d->geom_xpos[3 * g + axis] + side * 2;
        vec[axis] = -2 * side;
        int hit;
        const mjtNum x = mj_ray(w.m, w.d, pnt, vec, NULL, 1, -1, &hit, normal);
        assert_int_equal(hit, g);
        assert_true(fabs(2 * x - (2 - shape[i].half[axis])) < 1e-3);
        assert_true(side * normal[axis] > .99);

        // filtered by body, by group
        const mjtByte group[mjNGROUP] = {0};
        assert_true(mj_ray(w.m, w.d, pnt, vec, group, 1, -1, &hit, normal) == -1);
        assert_int_equal(hit, -1);
        assert_true(mj_ray(w.m, w.d, pnt, vec, NULL, 1, w.m->geom_bodyid[g], &hit, NULL) == -1);

        // away
        vec[axis] = 2 * side;
        assert_true(mj_ray(w.m, w.d, pnt, vec, NULL, 1, -1, &hit, normal) == -1);
        assert_true(normal[0] == 0 && normal[1] == 0 && normal[2] == 0);
      }
    }
    place(&w, g, 10 * g, 10 * g, 10 * g);
  }
  closeWorld(&w);
}

// many rays from a point see what single rays see
static void manyAreSingle(void** state) {
  (void)state;
  World w = openWorld();
  mj_kinematics(w.m, w.d);
  mj_comPos(w.m, w.d);
  enum { N = 2000 };
  static mjtNum vec[3 * N], dist[N], normal[3 * N];
  static int geom[N];
  Rnd r = {.state = 5};
  const mjtNum pnt[3] = {2.5, -3, .5};
  for (int i = 0; i < 3 * N; i++) vec[i] = rnd_uniform(&r, -1, 1);
  mj_multiRay(w.m, w.d, pnt, vec, NULL, 1, -1, geom, dist, normal, N, mjMAXVAL);
  int hits = 0;
  for (int i = 0; i < N; i++) {
    int g;
    mjtNum n[3];
    const mjtNum x = mj_ray(w.m, w.d, pnt, vec + 3 * i, NULL, 1, -1, &g, n);
    assert_true(g == geom[i] && x == dist[i]);
    assert_memory_equal(n, normal + 3 * i, sizeof(n));
    hits += g >= 0;
  }
  assert_true(hits > 50);
  closeWorld(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stacked),   cmocka_unit_test(meshIsBox),    cmocka_unit_test(degenerate),
      cmocka_unit_test(overHills), cmocka_unit_test(straightRays), cmocka_unit_test(manyAreSingle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
