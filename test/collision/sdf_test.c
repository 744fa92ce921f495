// Signed distance fields: distances and gradients of every shape, contacts between them, rays.
#include "collision/sdf.h"
#include "collision/scenes.h"
#include "support/model.h"

static const char* shape[] = {
    "type='plane' size='2 2 1'",        "type='sphere' size='.2'",       "type='capsule' size='.1 .3'",
    "type='ellipsoid' size='.1 .2 .4'", "type='cylinder' size='.2 .15'", "type='box' size='.1 .2 .3'",
    "type='mesh' mesh='blob'",          "type='sdf' mesh='blob'",        "type='sdf' mesh='ball'"};
enum { NSHAPE = sizeof(shape) / sizeof(shape[0]) };

static const char* asset =
    "<mesh name='blob' builtin='supersphere' params='10 .5 1.5' scale='.3 .2 .4'/>"
    "<mesh name='ball' builtin='sphere' params='2' scale='.3 .2 .25'/>";

// fields of two geoms at a relative pose
typedef struct {
  mjSDF s;
  const mjpPlugin* plugin[2];
  int id[2];
  mjtGeom type[2];
  mjtNum pos[3];
  mjtNum mat[9];
} Fields;

static void openFields(Fields* f, const mjModel* m, Rnd* r) {
  memset(f, 0, sizeof(*f));
  for (int i = 0; i < 2; i++) {
    const int g = 1 - i;
    f->type[i] = (mjtGeom)m->geom_type[g];
    f->id[i] = m->geom_type[g] == mjGEOM_SDF ? m->geom_dataid[g] : g;
    f->pos[i] = rnd_uniform(r, -.3, .3);
  }
  sweep_turn(f->mat, r);
  f->s = (mjSDF){f->plugin, f->id, mjSDFTYPE_SINGLE, f->pos, f->mat, f->type};
}

static void distances(void** state) {
  (void)state;
  Rnd r = {.state = 11};
  for (int k = 0; k < NSHAPE; k++) {
    if (k == 6) continue;
    mjModel* m = sweep_model(asset, shape[k], "type='sdf' mesh='ball'", "");
    mjData* d = mj_makeData(m);
    double worst = 0;
    for (int i = 0; i < orc_trials(2000); i++) {
      Fields f;
      mjtNum x[3], g1[3], g2[3];
      openFields(&f, m, &r);
      for (int c = 0; c < 3; c++) x[c] = rnd_uniform(&r, -.5, .5);
      for (int type = 0; type < 4; type++) {
        f.s.type = (mjtSDFType)type;
        worst = fmax(worst, fabs(mjc_distance(m, d, &f.s, x) - ORC(mjc_distance)(m, d, &f.s, x)));
        mjc_gradient(m, d, &f.s, g1, x);
        ORC(mjc_gradient)(m, d, &f.s, g2, x);
        orc_result(g2, 3);
        for (int c = 0; c < 3; c++) worst = fmax(worst, fabs(g1[c] - g2[c]));
      }
    }
    print_message("%s: worst %.1e\n", shape[k], worst);
    assert_true(worst < 1e-9);
    mj_deleteData(d);
    ORC(mj_deleteModel)(m);
  }
}

static void contacts(void** state) {
  (void)state;
  int bad = 0;
  for (int k = 0; k < NSHAPE; k++) {
    mjModel* m = sweep_model(asset, shape[k], "type='sdf' mesh='ball'", "");
    const Sweep s = sweep_geoms(m, 200, 0.5);
    sweep_report(shape[k], &s);
    bad += s.count + s.off6;
    ORC(mj_deleteModel)(m);
  }

  // a mesh geom whose number is not that of its mesh
  mjModel* m = sweep_model(asset, "type='mesh' mesh='ball'", "type='sdf' mesh='blob'", "");
  const Sweep s = sweep_geoms(m, 200, 0.5);
  sweep_report("ball mesh", &s);
  bad += s.count + s.off6;
  ORC(mj_deleteModel)(m);
  assert_int_equal(bad, 0);
}

static void rays(void** state) {
  (void)state;
  mjModel* m = sweep_model(asset, "type='sphere' size='.1' pos='2 0 0'", "type='sdf' mesh='ball'", "");
  mjData* d = mj_makeData(m);
  Rnd r = {.state = 12};
  int hits = 0;
  double worst = 0;
  for (int i = 0; i < 2000; i++) {
    mjtNum pnt[3], vec[3], n1[3], n2[3];
    for (int c = 0; c < 3; c++) {
      d->geom_xpos[3 + c] = rnd_uniform(&r, -.3, .3);
      pnt[c] = rnd_uniform(&r, -1, 1);
      vec[c] = rnd_uniform(&r, -.3, .3) - pnt[c];
    }
    sweep_turn(d->geom_xmat + 9, &r);
    int g1, g2;
    const mjtNum x1 = mj_ray(m, d, pnt, vec, NULL, 1, 0, &g1, n1);
    const mjtNum x2 = ORC(mj_ray)(m, d, pnt, vec, NULL, 1, 0, &g2, n2);
    assert_int_equal(g1, g2);
    orc_result(&x2, 1);
    worst = fmax(worst, fabs(x1 - x2));
    for (int c = 0; c < 3; c++) worst = fmax(worst, fabs(n1[c] - n2[c]));
    hits += x2 >= 0;
  }
  print_message("%d hits, worst %.1e\n", hits, worst);
  assert_true(hits > 100);
  assert_true(worst < 1e-9);
  mj_deleteData(d);
  ORC(mj_deleteModel)(m);
}

// a place that is kept from one point to the next, as searches do, is that of a fresh one, bit for bit: walks in steps
// of every size, inside and outside, on the faces of leaves, and points asked for twice
static void placesAreKept(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><asset><mesh name='blob' builtin='supersphere' params='10 .5 1.5' scale='.3 .2 .4'/></asset>"
      "<worldbody><body><freejoint/><geom type='sdf' mesh='blob'/></body></worldbody></mujoco>");
  Rnd rnd = {5};
  ColOctPlace kept = {.mesh = -1};
  mjtNum point[3] = {0, 0, 0};
  int same = 0, outside = 0;
  for (int i = 0; i < 20000; i++) {
    const mjtNum step = i % 50 == 0 ? 1 : pow(10, -12 * rnd_uniform(&rnd, 0, 1));
    for (int k = 0; k < 3; k++) {
      if (i % 7) point[k] = (i % 50 ? point[k] : 0) + step * (rnd_uniform(&rnd, -0.5, 0.5));
    }
    if (i % 5 == 0) point[i % 3] = m->oct_aabb[i % 3];  // between two leaves
    const int leaf = kept.leaf;
    ColOctPlace fresh = {.mesh = -1};
    col_octPlace(&kept, m, 0, point);
    col_octPlace(&fresh, m, 0, point);
    assert_int_equal(kept.leaf, fresh.leaf);
    assert_memory_equal(&kept.distance, &fresh.distance, sizeof(mjtNum));
    mjtNum grad[2][3];
    col_octGradient(grad[0], m, &kept);
    col_octGradient(grad[1], m, &fresh);
    assert_memory_equal(grad[0], grad[1], sizeof(grad[0]));
    same += kept.leaf == leaf;
    outside += kept.outside > 0;
  }
  print_message("%d of 20000 points in the leaf of the one before, %d outside\n", same, outside);
  assert_true(same > 5000 && same < 19000 && outside > 2000 && outside < 18000);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(contacts), cmocka_unit_test(rays),
                                     cmocka_unit_test(placesAreKept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
