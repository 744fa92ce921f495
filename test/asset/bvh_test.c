// Bounding volume trees: what every tree must satisfy, whatever the leaves.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "asset/bvh.h"
#include "support/random.h"

enum { NLEAF = 37 };

static const double ORIGIN[3] = {0, 0, 0};
static const double IDENTITY[4] = {1, 0, 0, 0};

static void randomLeaves(Rnd* rnd, AstLeaf* leaf, double* pos, double* aabb) {
  for (int i = 0; i < NLEAF; i++) {
    for (int k = 0; k < 3; k++) {
      pos[3 * i + k] = rnd_uniform(rnd, -1, 1);
      aabb[6 * i + k] = pos[3 * i + k];
      aabb[6 * i + 3 + k] = rnd_uniform(rnd, 0, 0.2);
    }
    leaf[i] = (AstLeaf){.id = 100 + i, .pos = pos + 3 * i, .aabb = aabb + 6 * i};
  }
}

static void eachNodeBoundsItsChildren(void** state) {
  (void)state;
  Rnd rnd = {7};
  double pos[3 * NLEAF], aabb[6 * NLEAF];
  AstLeaf leaf[NLEAF];
  randomLeaves(&rnd, leaf, pos, aabb);
  AstBvh bvh;
  ast_makeBvh(&bvh, leaf, NLEAF, ORIGIN, IDENTITY);
  assert_int_equal(bvh.n, 2 * NLEAF - 1);

  int seen[NLEAF] = {0};
  for (int n = 0; n < bvh.n; n++) {
    const int* child = bvh.child + 2 * n;
    if (bvh.nodeid[n] >= 0) {
      assert_int_equal(child[0], -1);
      assert_int_equal(child[1], -1);
      seen[bvh.nodeid[n] - 100]++;
      continue;
    }
    for (int c = 0; c < 2; c++) {
      assert_true(child[c] > n && child[c] < bvh.n);
      assert_int_equal(bvh.depth[child[c]], bvh.depth[n] + 1);
      for (int k = 0; k < 3; k++) {
        const double *outer = bvh.aabb + 6 * n, *inner = bvh.aabb + 6 * child[c];
        assert_true(inner[k] + inner[3 + k] <= outer[k] + outer[3 + k] + 1e-12);
        assert_true(inner[k] - inner[3 + k] >= outer[k] - outer[3 + k] - 1e-12);
      }
    }
  }
  for (int i = 0; i < NLEAF; i++) assert_int_equal(seen[i], 1);
  ast_freeBvh(&bvh);
}

// equal positions are split in the order of the leaves
static void tiesFollowTheOrder(void** state) {
  (void)state;
  const double pos[3] = {0, 0, 0}, aabb[6] = {0, 0, 0, 1, 1, 1};
  AstLeaf leaf[4];
  for (int i = 0; i < 4; i++) leaf[i] = (AstLeaf){.id = i, .pos = pos, .aabb = aabb};
  AstBvh bvh;
  ast_makeBvh(&bvh, leaf, 4, ORIGIN, IDENTITY);
  const int expected[7] = {-1, -1, 0, 1, -1, 2, 3};
  assert_memory_equal(bvh.nodeid, expected, sizeof(expected));
  ast_freeBvh(&bvh);
}

// a leaf of its own frame and the tree's frame cancel
static void framesAreApplied(void** state) {
  (void)state;
  const double s = sqrt(0.5);
  const double pos[3] = {1, 2, 3}, quat[4] = {s, 0, 0, s}, aabb[6] = {0, 0, 0, 1, 2, 3};
  const AstLeaf leaf = {.id = 0, .pos = pos, .quat = quat, .aabb = aabb};
  AstBvh bvh;
  ast_makeBvh(&bvh, &leaf, 1, ORIGIN, IDENTITY);
  const double turned[6] = {1, 2, 3, 2, 1, 3};
  for (int i = 0; i < 6; i++) assert_true(fabs(bvh.aabb[i] - turned[i]) < 1e-14);
  ast_freeBvh(&bvh);
  ast_makeBvh(&bvh, &leaf, 1, pos, quat);
  for (int i = 0; i < 6; i++) assert_true(fabs(bvh.aabb[i] - aabb[i]) < 1e-14);
  ast_freeBvh(&bvh);
}

// positions that are no numbers must not lead astray
static void badPositionsStillGiveATree(void** state) {
  (void)state;
  const double pos[9] = {NAN, NAN, NAN, 0, 0, 0, INFINITY, 0, 0}, aabb[6] = {0, 0, 0, 1, 1, 1};
  AstLeaf leaf[9];
  for (int i = 0; i < 9; i++) leaf[i] = (AstLeaf){.id = i, .pos = pos + 3 * (i % 3), .aabb = aabb};
  AstBvh bvh;
  ast_makeBvh(&bvh, leaf, 9, ORIGIN, IDENTITY);
  assert_int_equal(bvh.n, 17);
  ast_freeBvh(&bvh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eachNodeBoundsItsChildren),
      cmocka_unit_test(tiesFollowTheOrder),
      cmocka_unit_test(framesAreApplied),
      cmocka_unit_test(badPositionsStillGiveATree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
