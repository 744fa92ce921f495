// Solids cut by planes: both parts are closed, stay on their side, and hold what the whole held.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "asset/soup.h"
#include "support/near.h"
#include "support/random.h"

static const double CENTRE[3] = {0.2, -0.1, 0.3};

// a box of half sizes 1, 2 and 3, triangles turned outwards
static AstSolid box(void) {
  static const int face[12][3] = {
      {0, 2, 3},
      {0, 3, 1},
      {4, 5, 7},
      {4, 7, 6},
      {0, 1, 5},
      {0, 5, 4},
      {2, 6, 7},
      {2, 7, 3},
      {0, 4, 6},
      {0, 6, 2},
      {1, 3, 7},
      {1, 7, 5}
  };
  double corner[8][3];
  for (int i = 0; i < 24; i++) corner[i / 3][i % 3] = (i / 3 >> i % 3 & 1 ? 1 : -1) * (1 + i % 3);
  AstSolid solid = {0};
  for (int i = 0; i < 12; i++) {
    assert_true(ast_soupAdd(&solid.surface, corner[face[i][0]], corner[face[i][1]], corner[face[i][2]]));
  }
  return solid;
}

// adds the areas of triangles as vectors; all corners lie between two planes
static void addAreas(const AstSoup* soup, double sum[3], int axis, double low, double high) {
  for (int i = 0; i < soup->n; i++) {
    const double *a = soup->at + 9 * i, *b = a + 3, *c = a + 6;
    for (int k = 0; k < 3; k++) {
      const int u = (k + 1) % 3, v = (k + 2) % 3;
      sum[k] += ((b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u])) / 2;
      assert_true(a[3 * k + axis] >= low && a[3 * k + axis] <= high);
    }
  }
}

static void checkClosed(const AstSolid* solid, int axis, double low, double high) {
  double sum[3] = {0, 0, 0};
  addAreas(&solid->surface, sum, axis, low, high);
  addAreas(&solid->cap, sum, axis, low, high);
  for (int k = 0; k < 3; k++) assert_near(sum[k], 0, 1e-12);
}

static void partsHoldTheWhole(void** state) {
  (void)state;
  Rnd r = {1};
  for (int trial = 0; trial < 100; trial++) {
    AstSolid whole = box(), side[2], part[2];
    const int axis = trial % 3, other = (axis + 1 + trial % 2) % 3;
    const double at = rnd_uniform(&r, -0.9, 0.9) * (1 + axis), next = rnd_uniform(&r, -0.9, 0.9) * (1 + other);
    assert_near(ast_solidVolume(&whole, CENTRE), 48, 1e-12);
    assert_true(ast_cutSolid(&whole, axis, at, CENTRE, side));
    const double volume = 48 * (at + 1 + axis) / (2 + 2 * axis);
    assert_near(ast_solidVolume(side, CENTRE), volume, 1e-11);
    assert_near(ast_solidVolume(side + 1, CENTRE), 48 - volume, 1e-11);
    checkClosed(side, axis, -INFINITY, at);
    checkClosed(side + 1, axis, at, INFINITY);

    // what is cut again has a cap that is cut too
    assert_true(ast_cutSolid(side + trial % 2, other, next, CENTRE, part));
    const double again = (trial % 2 ? 48 - volume : volume) * (next + 1 + other) / (2 + 2 * other);
    assert_near(ast_solidVolume(part, CENTRE), again, 1e-11);
    checkClosed(part, other, -INFINITY, next);
    checkClosed(part + 1, other, next, INFINITY);
    for (int k = 0; k < 2; k++) {
      ast_freeSolid(part + k);
      ast_freeSolid(side + k);
      assert_int_equal(part[k].surface.n + side[k].cap.n, 0);
    }
    ast_freeSolid(&whole);
  }
}

// nothing is cut by a plane beside it; a corner on the plane is above
static void planesBeside(void** state) {
  (void)state;
  for (int above = 0; above < 2; above++) {
    AstSolid whole = box(), side[2];
    assert_true(ast_cutSolid(&whole, 1, above ? -2 : 2.5, CENTRE, side));
    assert_int_equal(side[above].surface.n, 12);
    assert_int_equal(side[!above].surface.n + side[0].cap.n + side[1].cap.n, 0);
    for (int k = 0; k < 2; k++) ast_freeSolid(side + k);
    ast_freeSolid(&whole);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(partsHoldTheWhole), cmocka_unit_test(planesBeside)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
