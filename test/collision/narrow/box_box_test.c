// Two boxes: face on face, edge on face, crossed edges, corner.
#include "collision/pair.h"

// what the driver keeps of the table's function
static int cleaned(const Pair* p, mjContact con[mjMAXCONPAIR], mjtNum margin) {
  const ColShape a = col_geomShape(&p->m, &p->d, 0), b = col_geomShape(&p->m, &p->d, 1);
  return col_cleanBoxes(con, pair_collide(p, col_boxBox, con, margin), margin, &a, &b);
}

static void stacked_gives_four(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_BOX, mjGEOM_BOX);
  pair_size(&p, 1, 0.5, 0.5, 0.5);
  pair_pos(&p, 1, 0.1, 0.2, 1.4);
  assert_int_equal(cleaned(&p, con, 0), 4);
  for (int k = 0; k < 4; k++) {
    assert_true(fabs(con[k].dist + 0.1) < 1e-12 && con[k].frame[2] == 1 && fabs(con[k].pos[2] - 0.95) < 1e-12);
  }
}

static void turned_by_45_degrees_gives_eight(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_BOX, mjGEOM_BOX);
  pair_turn(&p, 1, 0, 0, 1, 0.78539816339744831);
  pair_pos(&p, 1, 0, 0, 1.95);
  assert_int_equal(cleaned(&p, con, 0), 8);
}

static void crossed_edges_give_one(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_BOX, mjGEOM_BOX);
  pair_turn(&p, 0, 1, 0, 0, 0.78539816339744831);
  pair_turn(&p, 1, 0, 1, 0, 0.78539816339744831);
  pair_pos(&p, 1, 0.01, 0.02, 2 * sqrt(2.0) - 0.1);
  assert_true(pair_collide(&p, col_boxBox, con, 0) >= 1);
  assert_true(fabs(con->frame[2] - 1) < 1e-12);
}

static void separated(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_BOX, mjGEOM_BOX);
  pair_pos(&p, 1, 0, 0, 2.01);
  assert_int_equal(pair_collide(&p, col_boxBox, con, 0), 0);
  assert_true(pair_collide(&p, col_boxBox, con, 0.02) > 0);
  assert_true(fabs(con->dist - 0.01) < 1e-12);
}

static void cleaning_keeps_what_is_inside(void** state) {
  (void)state;
  Rnd r = {.state = 5};
  mjContact con[mjMAXCONPAIR];
  int all = 0, kept = 0;
  for (int i = 0; i < 1000; i++) {
    Pair p;
    pair_init(&p, mjGEOM_BOX, mjGEOM_BOX);
    const mjtNum margin = pair_random(&p, &r);
    all += pair_collide(&p, col_boxBox, con, margin);
    const int n = cleaned(&p, con, margin);
    kept += n;

    // no two at one place, none outside both boxes (grown by the margin and 1 %)
    for (int k = 0; k < n; k++) {
      for (int j = 0; j < k; j++) assert_true(memcmp(con[j].pos, con[k].pos, sizeof(con->pos)) != 0);
      int outside = 0;
      for (int g = 0; g < 2; g++) {
        int out = 0;
        for (int c = 0; c < 3; c++) {
          mjtNum x = 0;
          for (int j = 0; j < 3; j++) x += p.mat[9 * g + 3 * j + c] * (con[k].pos[j] - p.pos[3 * g + j]);
          out |= fabs(x) > (p.size[3 * g + c] + margin) * 1.0101;
        }
        outside += out;
      }
      assert_int_not_equal(outside, 2);
    }
  }
  assert_true(kept > 0 && kept < all);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_BOX, mjGEOM_BOX, col_boxBox, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_BOX, mjGEOM_BOX, col_boxBox);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_BOX, mjGEOM_BOX, col_boxBox);
}

// leaves numbers where the next call has its variables
__attribute__((noinline)) static void fillStack(mjtNum value) {
  volatile mjtNum below[4096];
  for (int i = 0; i < 4096; i++) below[i] = value * (1 + i % 7);
  (void)below[0];
}

// orientations that are no numbers give what they give, whatever was on the stack before
static void nothing_unset_is_read(void** state) {
  (void)state;
  Rnd r = {.state = 8};
  for (int trial = 0; trial < 2000; trial++) {
    Pair p;
    pair_init(&p, mjGEOM_BOX, mjGEOM_BOX);
    for (int g = 0; g < 2; g++) {
      pair_turn(&p, g, rnd_uniform(&r, -1, 1), rnd_uniform(&r, -1, 1), rnd_uniform(&r, -1, 1), rnd_uniform(&r, 0, 3));
    }
    pair_pos(&p, 1, rnd_uniform(&r, -1.5, 1.5), rnd_uniform(&r, -1.5, 1.5), rnd_uniform(&r, -1.5, 1.5));
    p.mat[trial % 18] = NAN;
    mjContact con[3][mjMAXCONPAIR];
    int n[3];
    for (int k = 0; k < 3; k++) {
      memset(con[k], 0, sizeof(con[k]));
      fillStack(k == 0 ? 0.05 : k == 1 ? -0.7 : 30);
      n[k] = pair_collide(&p, col_boxBox, con[k], 0.1);
      assert_true(n[k] >= 0 && n[k] <= mjMAXCONPAIR);
    }
    for (int k = 1; k < 3; k++) {
      assert_int_equal(n[k], n[0]);
      for (int i = 0; i < n[0]; i++) {
        assert_memory_equal(con[k][i].pos, con[0][i].pos, sizeof(con[k][i].pos));
        assert_memory_equal(&con[k][i].dist, &con[0][i].dist, sizeof(mjtNum));
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stacked_gives_four),
      cmocka_unit_test(turned_by_45_degrees_gives_eight),
      cmocka_unit_test(crossed_edges_give_one),
      cmocka_unit_test(separated),
      cmocka_unit_test(cleaning_keeps_what_is_inside),
      cmocka_unit_test(agrees_with_reference),
      cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses),
      cmocka_unit_test(nothing_unset_is_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
