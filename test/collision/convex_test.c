// General convex pairs: ellipsoid, cylinder and mesh with each other and with the simpler shapes.
#include "collision/ccd.h"
#include "collision/scenes.h"

//---------------------------------- assets --------------------------------------------------------

// a cloud of points: a hull with many triangles
static const char* cloud(char* text, size_t size, const char* name, int n, uint64_t seed, double stretch) {
  Rnd r = {.state = seed};
  size_t len = (size_t)snprintf(text, size, "<mesh name='%s' vertex='", name);
  for (int i = 0; i < n; i++) {
    const double z = rnd_uniform(&r, -1, 1), a = rnd_uniform(&r, 0, 6.28), s = sqrt(1 - z * z);
    len += (size_t)snprintf(text + len, size - len, "%.6f %.6f %.6f ", 0.3 * s * cos(a), 0.3 * s * sin(a),
                            stretch * 0.3 * z);
  }
  snprintf(text + len, size - len, "'/>");
  return text;
}

// a regular prism: faces with many sides
static const char* prism(char* text, size_t size, const char* name, int n) {
  size_t len = (size_t)snprintf(text, size, "<mesh name='%s' vertex='", name);
  for (int i = 0; i < 2 * n; i++) {
    const double a = 6.283185307179586 * (i / 2) / n;
    len += (size_t)snprintf(text + len, size - len, "%.7f %.7f %g ", 0.3 * cos(a), 0.3 * sin(a), i % 2 ? 0.2 : -0.2);
  }
  snprintf(text + len, size - len, "'/>");
  return text;
}

static const char* cube =
    "<mesh name='cube' vertex='-.3 -.3 -.3 .3 -.3 -.3 -.3 .3 -.3 .3 .3 -.3 -.3 -.3 .3 .3 -.3 .3 -.3 .3 .3 .3 .3 .3'/>";

static const char* assets(void) {
  static char text[40000];
  char a[12000], b[12000], c[4000], e[4000];
  snprintf(text, sizeof(text), "%s%s%s%s%s", cube, cloud(a, sizeof(a), "cloud", 150, 5, 1),
           cloud(b, sizeof(b), "spindle", 40, 6, 3), prism(c, sizeof(c), "hexagon", 6),
           prism(e, sizeof(e), "disc", 40));
  return text;
}

static const struct {
  const char* name;
  const char* geom;
} shape[] = {
    {"sphere",       "type='sphere' size='.2'"         },
    {"capsule",      "type='capsule' size='.1 .3'"     },
    {"ellipsoid",    "type='ellipsoid' size='.1 .2 .4'"},
    {"cylinder",     "type='cylinder' size='.2 .15'"   },
    {"box",          "type='box' size='.1 .2 .3'"      },
    {"cube mesh",    "type='mesh' mesh='cube'"         },
    {"cloud mesh",   "type='mesh' mesh='cloud'"        },
    {"spindle mesh", "type='mesh' mesh='spindle'"      },
    {"hexagon mesh", "type='mesh' mesh='hexagon'"      },
    {"disc mesh",    "type='mesh' mesh='disc'"         },
};
enum { NSHAPE = sizeof(shape) / sizeof(shape[0]) };

// pairs that the table sends to the general algorithm
static int isConvexPair(int i, int j) {
  const int smooth = i >= 2 || j >= 2;
  return smooth && !(i == 0 && (j == 3 || j == 4)) && !(i == 1 && j == 4) && !(i == 4 && j == 4);
}

static void sweepAll(const char* option, int n) {
  int bad = 0, total = 0, exact = 0;
  for (int i = 0; i < NSHAPE; i++) {
    for (int j = i; j < NSHAPE; j++) {
      if (!isConvexPair(i, j)) continue;
      mjModel* m = sweep_model(assets(), shape[i].geom, shape[j].geom, option);
      const Sweep s = sweep_geoms(m, n, 0.6);
      char name[100];
      snprintf(name, sizeof(name), "%s-%s", shape[i].name, shape[j].name);
      if (s.count || s.off6 || s.off10) sweep_report(name, &s);
      assert_true(s.touching > s.n / 10);
      bad += s.count + s.off6;
      total += s.n;
      exact += s.n - s.count - s.off10;
      ORC(mj_deleteModel)(m);
    }
  }
  print_message("%d of %d poses agree to 1e-10\n", exact, total);
  assert_int_equal(bad, 0);
}

static void sweepNative(void** state) {
  (void)state;
  sweepAll("", 2000);
}

static void sweepMulti(void** state) {
  (void)state;
  sweepAll("<flag multiccd='enable'/>", 500);
}

static void sweepLibccd(void** state) {
  (void)state;
  sweepAll("<flag nativeccd='disable'/>", 500);
}

static void sweepLibccdMulti(void** state) {
  (void)state;
  sweepAll("<flag nativeccd='disable' multiccd='enable'/>", 200);
}

// the same pose gives the same bits whatever was asked before, also after the vertices of a mesh were edited
static void historyDoesNotMatter(void** state) {
  (void)state;
  for (int i = 5; i < NSHAPE; i++) {
    mjModel* m = sweep_model(assets(), shape[i].geom, shape[9].geom, "");
    mjData* used = mj_makeData(m);
    Rnd r = {.state = (uint64_t)i};
    int touching = 0;
    for (int k = 0; k < 500; k++) {
      if (k == 250) {
        for (int v = 0; v < 3 * m->nmeshvert; v++) m->mesh_vert[v] *= 0.8f + 0.1f * (float)(v % 3);
      }
      mjContact a[mjMAXCONPAIR] = {{0}}, b[mjMAXCONPAIR] = {{0}};
      for (int g = 0; g < 2; g++) {
        sweep_turn(used->geom_xmat + 9 * g, &r);
        for (int c = 0; c < 3; c++) used->geom_xpos[3 * g + c] = rnd_uniform(&r, -.2, .2);
      }
      mjData* fresh = mj_makeData(m);
      memcpy(fresh->geom_xpos, used->geom_xpos, 6 * sizeof(mjtNum));
      memcpy(fresh->geom_xmat, used->geom_xmat, 18 * sizeof(mjtNum));
      const int n = col_convex(m, used, a, 0, 1, 0);
      assert_int_equal(col_convex(m, fresh, b, 0, 1, 0), n);
      assert_memory_equal(a, b, sizeof(a));
      touching += n > 0;
      mj_deleteData(fresh);
    }
    assert_true(touching > 100);
    mj_deleteData(used);
    ORC(mj_deleteModel)(m);
  }
}

// a small change of the pose changes the depth a little, swapping the geoms mirrors the contact
static void properties(void** state) {
  (void)state;
  mjModel* m = sweep_model(assets(), shape[2].geom, shape[3].geom, "");
  mjData* d = mj_makeData(m);
  Rnd r = {.state = 77};
  int touching = 0, shallow = 0;
  for (int k = 0; k < 500; k++) {
    mjContact a[mjMAXCONPAIR], b[mjMAXCONPAIR];
    for (int g = 0; g < 2; g++) {
      sweep_turn(d->geom_xmat + 9 * g, &r);
      for (int c = 0; c < 3; c++) d->geom_xpos[3 * g + c] = rnd_uniform(&r, -.2, .2);
    }
    const int n = col_convex(m, d, a, 0, 1, 0);
    assert_in_range(n, 0, 1);
    if (!n) continue;
    touching++;
    const mjtNum* normal = a->frame;
    assert_true(fabs(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2] - 1) < 1e-12);

    // moved apart by a little more than the depth they do not touch, by a little less they do; deep overlaps of smooth
    // shapes may end at the limit of iterations, with a depth that is too small
    if (a->dist < -.03) continue;
    shallow++;
    for (int c = 0; c < 3; c++) d->geom_xpos[3 + c] += (-a->dist + 1e-3) * normal[c];
    assert_int_equal(col_convex(m, d, b, 0, 1, 0), 0);
    for (int c = 0; c < 3; c++) d->geom_xpos[3 + c] -= 2e-3 * normal[c];
    assert_int_equal(col_convex(m, d, b, 0, 1, 0), 1);
    assert_true(fabs(b->dist + 1e-3) < 1e-4);

    // mirrored
    assert_int_equal(col_convex(m, d, a, 1, 0, 0), 1);
    assert_true(fabs(a->dist - b->dist) < 1e-5);
    for (int c = 0; c < 3; c++) assert_true(fabs(a->frame[c] + b->frame[c]) < 5e-2);
  }
  assert_true(touching > 200 && shallow > 30);
  mj_deleteData(d);
  ORC(mj_deleteModel)(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sweepNative),      cmocka_unit_test(sweepMulti),           cmocka_unit_test(sweepLibccd),
      cmocka_unit_test(sweepLibccdMulti), cmocka_unit_test(historyDoesNotMatter), cmocka_unit_test(properties),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
