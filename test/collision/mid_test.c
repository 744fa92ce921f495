// The mid phase hands on exactly the leaves whose own boxes meet: walking hierarchies loses none of them.
#include "collision/mid.h"

#include "collision/narrow.h"
#include "collision/scene.h"
#include "support/model.h"

enum { MOST = 64 };

static int met[MOST][MOST];

static void leaf(const mjModel* m, mjData* d, int id1, int id2, void* context) {
  (void)m, (void)d;
  ++*(int*)context;
  met[id1][id2]++;
}

// all pairs of bodies of a model in its current state
static int compareBodies(const mjModel* m, mjData* d) {
  int count = 0;
  for (int b1 = 0; b1 < m->nbody; b1++) {
    for (int b2 = b1 + 1; b2 < m->nbody; b2++) {
      if (m->body_bvhadr[b1] < 0 || m->body_bvhadr[b2] < 0) continue;
      memset(met, 0, sizeof(met));
      col_mid(m, d, b1, b2, leaf, &count);
      for (int g1 = m->body_geomadr[b1]; g1 < m->body_geomadr[b1] + m->body_geomnum[b1]; g1++) {
        for (int g2 = m->body_geomadr[b2]; g2 < m->body_geomadr[b2] + m->body_geomnum[b2]; g2++) {
          assert_int_equal(met[g1][g2], !col_geomsApart(m, d, g1, g2));
        }
      }
    }
  }
  return count;
}

static void walk_finds_all_leaves(void** state) {
  (void)state;
  const char* names[] = {"boxes", "chain", "sleepers", NULL};
  Rnd r = {.state = 31};
  int count = 0;
  for (int k = 0; names[k]; k++) {
    mjModel* m = tst_model(names[k]);
    mjData* d = mj_makeData(m);
    assert_true(m->ngeom <= MOST);
    for (int i = 0; i < 30; i++) {
      scene_randomState(m, d, &r, 0.3);
      scene_positions(m, d);
      count += compareBodies(m, d);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  assert_true(count > 100);
}

// bodies of many geoms, so that hierarchies are deep
static void deep_hierarchies(void** state) {
  (void)state;
  mjModel* m = orc_compile(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom size='.2' pos='.5 0 0'/>"
      "<body><freejoint/><replicate count='12' offset='.1 .02 .03' euler='10 0 20'><geom type='box' size='.05 .04 "
      ".06'/>"
      "</replicate></body><body><freejoint/><replicate count='9' offset='0 .12 .02' euler='0 15 5'>"
      "<geom type='capsule' size='.04 .06'/><geom size='.05' pos='.1 0 0'/></replicate></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  Rnd r = {.state = 32};
  int count = 0;
  for (int i = 0; i < 100; i++) {
    scene_randomState(m, d, &r, 0.5);
    scene_positions(m, d);
    count += compareBodies(m, d);
  }
  assert_true(count > 100);
  mj_deleteData(d);
  ORC(mj_deleteModel)(m);
}

// geoms in contact are never apart
static void contact_is_never_filtered(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  Rnd r = {.state = 33};
  static mjContact con[mjMAXCONPAIR];
  int touching = 0;
  for (int i = 0; i < 100; i++) {
    scene_randomState(m, d, &r, 0.4);
    scene_positions(m, d);
    for (int g1 = 0; g1 < m->ngeom; g1++) {
      for (int g2 = g1 + 1; g2 < m->ngeom; g2++) {
        const int swap = m->geom_type[g1] > m->geom_type[g2];
        const int a = swap ? g2 : g1, b = swap ? g1 : g2;
        const mjfCollision f = mjCOLLISIONFUNC[m->geom_type[a]][m->geom_type[b]];
        const int n = f ? f(m, d, con, a, b, m->geom_margin[a] + m->geom_margin[b]) : 0;
        if (n == 0 || con[0].dist > -1e-5) continue;
        touching++;
        assert_false(col_geomsApart(m, d, g1, g2));
      }
    }
  }
  assert_true(touching > 100);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// marks of visited boxes last until the next collision, whoever made them: pairs, rays on meshes, or a reset with a
// debugging value
static void marks_are_cleared(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><asset><mesh name='m' builtin='sphere' params='2'/></asset><worldbody><geom type='mesh' mesh='m' pos='5 "
      "0 0'/>"
      "<body><freejoint/><geom size='.1'/><geom size='.1' pos='.3 0 0'/></body><body pos='.1 0 0'><freejoint/>"
      "<geom size='.1'/><geom size='.1' pos='.3 0 0'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  const int mesh = m->mesh_bvhadr[0];
  int bodies = 0, meshes = 0;
  for (int i = 0; i < m->nbvh; i++) *(i < mesh ? &bodies : &meshes) += d->bvh_active[i];
  assert_true(bodies > 0 && meshes == 0);

  // a ray marks boxes of the mesh
  int geom;
  const mjtNum from[3] = {5.1, 0.07, 9}, down[3] = {0, 0, -1};
  mjtNum normal[3];
  assert_true(mj_ray(m, d, from, down, NULL, 1, -1, &geom, normal) > 0);
  assert_int_equal(geom, 0);
  for (int i = mesh; i < m->nbvh; i++) meshes += d->bvh_active[i];
  assert_true(meshes > 1);

  // bodies move apart: no mark is left
  for (int k = 0; k < 2; k++) {
    d->qpos[0] = -9;
    mj_forward(m, d);
    for (int i = 0; i < m->nbvh; i++) assert_int_equal(d->bvh_active[i], 0);
    mj_resetDataDebug(m, d, 3);
    assert_int_equal(d->bvh_active[m->nbvh - 1], 3);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(marks_are_cleared),
      cmocka_unit_test(walk_finds_all_leaves),
      cmocka_unit_test(deep_hierarchies),
      cmocka_unit_test(contact_is_never_filtered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
