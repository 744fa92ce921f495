// Sweep and prune finds the pairs that all-against-all finds, in its own order.
#include "collision/sap.h"

#include "collision/scene.h"
#include "support/model.h"

enum { N = 200 };

static int overlaps(const mjtNum* a, const mjtNum* b) {
  for (int i = 0; i < 3; i++) {
    if (a[i] > b[i + 3] || b[i] > a[i + 3]) return 0;
  }
  return 1;
}

static void finds_all_pairs_once(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  Rnd r = {.state = 6};
  static mjtNum box[6 * N];
  for (int axis = 0; axis < 3; axis++) {
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < 3; k++) {
        // multiples of 1/64: floats are exact, and there are ties
        box[6 * i + k] = rnd_below(&r, 64) / 64.0;
        box[6 * i + 3 + k] = box[6 * i + k] + (1 + rnd_below(&r, 16)) / 64.0;
      }
    }
    mj_markStack(d);
    const ColSapPairs pairs = col_sap(d, box, N, axis, N * N);
    static int seen[N][N];
    memset(seen, 0, sizeof(seen));
    mjtNum last = -1;
    for (size_t i = 0; i < pairs.n; i++) {
      const int a = pairs.pair[2 * i], b = pairs.pair[2 * i + 1];
      seen[a < b ? a : b][a < b ? b : a]++;
      // the second box of a pair starts last
      assert_true(box[6 * b + axis] >= last && box[6 * a + axis] <= box[6 * b + axis]);
      last = box[6 * b + axis];
    }
    for (int a = 0; a < N; a++) {
      for (int b = a + 1; b < N; b++) {
        // boxes that touch end to end along the axis count when the one that ends has the higher index
        const mjtNum *x = box + 6 * a, *y = box + 6 * b;
        if (x[axis + 3] == y[axis]) {
          assert_int_equal(seen[a][b], 0);
        } else {
          assert_int_equal(seen[a][b], overlaps(x, y));
        }
      }
    }
    mj_freeStack(d);
  }

  // a limit is kept
  mj_markStack(d);
  assert_int_equal(col_sap(d, box, N, 0, 7).n, 7);
  mj_freeStack(d);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(finds_all_pairs_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
