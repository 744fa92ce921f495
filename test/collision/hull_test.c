// Hulls that are not convex: what is known of them, and that short cuts never change which vertex is found.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "collision/hull.h"
#include "collision/support.h"
#include "support/model.h"
#include "support/random.h"

// a ball of many flat faces on the ground, and a coarse one
static mjModel* balls(void) {
  return tst_string(
      "<mujoco><asset><mesh name='a' builtin='sphere' params='3'/><mesh name='b' builtin='sphere' params='1'/></asset>"
      "<worldbody><geom type='plane' size='9 9 .1'/>"
      "<body pos='0 0 1'><freejoint/><geom type='mesh' mesh='a'/></body>"
      "<body pos='3 0 1'><freejoint/><geom type='mesh' mesh='b'/></body></worldbody></mujoco>");
}

static const int* graphOf(const mjModel* m, int mesh) {
  return m->mesh_graph + m->mesh_graphadr[mesh];
}

// moves some vertices of the hull towards the middle
static void dent(mjModel* m, int mesh, int every, float factor) {
  const int n = graphOf(m, mesh)[0], *globalid = graphOf(m, mesh) + 2 + n;
  float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  for (int i = 0; i < n; i += every) {
    for (int k = 0; k < 3; k++) vert[3 * globalid[i] + k] *= factor;
  }
}

static int isConvex(const mjModel* m, int mesh) {
  return col_hullConvex(m->mesh_vert + 3 * m->mesh_vertadr[mesh], graphOf(m, mesh));
}

static void dentsAreSeen(void** state) {
  (void)state;
  for (int mesh = 0; mesh < 2; mesh++) {
    mjModel* m = balls();
    assert_true(isConvex(m, mesh));

    // any single vertex, by little
    const int n = graphOf(m, mesh)[0], *globalid = graphOf(m, mesh) + 2 + n;
    for (int i = 0; i < n; i++) {
      float* v = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + globalid[i]);
      const float saved[3] = {v[0], v[1], v[2]};
      for (int k = 0; k < 3; k++) v[k] *= mesh ? 0.3f : 0.9f;
      assert_false(isConvex(m, mesh));
      for (int k = 0; k < 3; k++) v[k] = saved[k];
      assert_true(isConvex(m, mesh));
    }
    mj_deleteModel(m);
  }
}

// The walk by the book: from the last vertex, whose own height does not count, to the highest neighbour until none is
// higher than the last one found.
static int walk(const mjModel* m, int mesh, int from, const mjtNum dir[3]) {
  const int *graph = graphOf(m, mesh), n = graph[0], *globalid = graph + 2 + n, *edge = graph + 2 + 2 * n;
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  mjtNum top = -FLT_MAX;
  for (int at = from, before = -1; at != before;) {
    before = at;
    for (const int* e = edge + graph[2 + at]; *e >= 0; e++) {
      const float* v = vert + 3 * globalid[*e];
      const mjtNum h = dir[0] * (mjtNum)v[0] + dir[1] * (mjtNum)v[1] + dir[2] * (mjtNum)v[2];
      if (h > top) {
        top = h;
        at = *e;
      }
    }
    if (at == before) return at;
  }
  return from;
}

// vertices found by support searches one after the other, on convex and on dented hulls
static void shortCutsFindTheSame(void** state) {
  (void)state;
  for (int dented = 0; dented < 2; dented++) {
    mjModel* m = balls();
    for (int mesh = 0; mesh < 2 * dented; mesh++) dent(m, mesh, mesh ? 5 : 7, 0.8f);
    mjData* d = mj_makeData(m);
    mj_kinematics(m, d);
    Rnd rnd = {3};
    int traps = 0;
    for (int g = 1; g < 3; g++) {
      const int mesh = m->geom_dataid[g], n = graphOf(m, mesh)[0], *globalid = graphOf(m, mesh) + 2 + n;
      ColConvex s;
      col_convexGeom(&s, m, d, g, 0);
      assert_int_equal(s.sure, !dented);
      int at = 0;
      for (int k = 0; k < 5000; k++) {
        mjtNum dir[3], local[3], point[3];
        for (int i = 0; i < 3; i++) dir[i] = rnd_uniform(&rnd, -1, 1);
        mju_normalize3(dir);
        mju_mulMatTVec(local, s.mat, dir, 3, 3);
        at = walk(m, mesh, at, local);
        s.support(point, &s, dir);
        assert_int_equal(s.vertid, globalid[at]);

        // is there a higher vertex?
        int best = 0;
        for (int i = 1; i < n; i++) {
          const float *v = s.vert + 3 * globalid[i], *w = s.vert + 3 * globalid[best];
          if (local[0] * (v[0] - w[0]) + local[1] * (v[1] - w[1]) + local[2] * (v[2] - w[2]) > 0) best = i;
        }
        traps += best != at;
      }
    }

    // dents that trap walks are what this is about
    assert_true(dented ? traps > 100 : traps == 0);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// a mesh that is edited, or another one in its place, is looked at again
static void editedMeshesAreLookedAtAgain(void** state) {
  (void)state;
  mjModel *m = balls(), *other = balls();
  for (int mesh = 0; mesh < 2; mesh++) dent(other, mesh, mesh ? 5 : 7, 0.8f);
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  for (int k = 0; k < 4; k++) {
    const mjModel* used = k % 2 ? other : m;
    for (int g = 1; g < 3; g++) {
      ColConvex s;
      col_convexGeom(&s, used, d, g, 0);
      assert_int_equal(s.sure, used == m);
    }
  }
  for (int mesh = 0; mesh < 2; mesh++) {
    for (int i = 0; i < 3 * m->mesh_vertnum[mesh]; i++) m->mesh_vert[3 * m->mesh_vertadr[mesh] + i] *= 0.5f;
    dent(m, mesh, mesh ? 5 : 7, 0.8f);
    ColConvex s;
    col_convexGeom(&s, m, d, 1 + mesh, 0);
    assert_false(s.sure);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteModel(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(dentsAreSeen), cmocka_unit_test(shortCutsFindTheSame),
                                     cmocka_unit_test(editedMeshesAreLookedAtAgain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
