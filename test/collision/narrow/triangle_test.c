// Sphere, capsule and box against a triangle with a radius. The reference has no function of these for itself: the
// flex tests compare them; here are analytic cases and a nearest point by search.
#include "collision/pair.h"

static const mjtNum A[3] = {0, 0, 0}, B[3] = {1, 0, 0}, C[3] = {0, 1, 0};
static const mjtNum* const TRIANGLE[3] = {A, B, C};
static const mjtNum EYE[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void sphere_over_face_edge_and_corner(void** state) {
  (void)state;
  const mjtNum size[1] = {0.2};
  mjContact con;

  // over the face
  const mjtNum over[3] = {0.2, 0.3, 0.25};
  ColShape ball = {over, EYE, size};
  assert_int_equal(col_sphereTriangle(&con, 0, &ball, TRIANGLE, 0.1), 1);
  assert_true(fabs(con.dist + 0.05) < 1e-15 && con.frame[2] == -1 && fabs(con.pos[2] - 0.075) < 1e-15);
  assert_int_equal(col_sphereTriangle(&con, 0, &ball, TRIANGLE, 0.04), 0);
  assert_int_equal(col_sphereTriangle(&con, 0.02, &ball, TRIANGLE, 0.04), 1);

  // beside an edge, in the plane
  const mjtNum beside[3] = {0.5, -0.25, 0};
  ball.pos = beside;
  assert_int_equal(col_sphereTriangle(&con, 0, &ball, TRIANGLE, 0.1), 1);
  assert_true(fabs(con.dist + 0.05) < 1e-15 && con.frame[1] == 1);

  // off a corner
  const mjtNum off[3] = {1.1, -0.1, 0.1};
  ball.pos = off;
  assert_int_equal(col_sphereTriangle(&con, 0, &ball, TRIANGLE, 0.1), 1);
  assert_true(fabs(con.dist - (sqrt(0.03) - 0.3)) < 1e-12);
}

static void sphere_finds_the_nearest_point(void** state) {
  (void)state;
  Rnd r = {.state = 2};
  for (int i = 0; i < 200; i++) {
    mjtNum vert[3][3], pos[3];
    for (int k = 0; k < 9; k++) vert[k / 3][k % 3] = rnd_uniform(&r, -1, 1);
    for (int k = 0; k < 3; k++) pos[k] = rnd_uniform(&r, -1.5, 1.5);
    const mjtNum* const corner[3] = {vert[0], vert[1], vert[2]};

    // by search over a grid of barycentric coordinates
    enum { GRID = 100 };
    mjtNum best = 100;
    for (int a = 0; a <= GRID; a++) {
      for (int b = 0; a + b <= GRID; b++) {
        mjtNum sqr = 0;
        for (int k = 0; k < 3; k++) {
          const mjtNum x = (a * vert[0][k] + b * vert[1][k] + (GRID - a - b) * vert[2][k]) / GRID - pos[k];
          sqr += x * x;
        }
        best = fmin(best, sqrt(sqr));
      }
    }
    const mjtNum size[1] = {0.1};
    const ColShape ball = {pos, EYE, size};
    mjContact con;
    assert_int_equal(col_sphereTriangle(&con, 10, &ball, corner, 0.05), 1);
    assert_true(con.dist + 0.15 <= best + 1e-12 && con.dist + 0.15 > best - 0.03);
  }
}

static void capsule_lying_on_the_face(void** state) {
  (void)state;
  const mjtNum mat[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
  const mjtNum pos[3] = {0.4, 0.2, 0.15}, size[2] = {0.1, 0.2};
  const ColShape capsule = {pos, mat, size};
  mjContact con[mjMAXCONPAIR];
  // both ends over the face, no vertex in reach
  assert_int_equal(col_capsuleTriangle(con, 0, &capsule, TRIANGLE, 0.1), 2);
  assert_true(fabs(con[0].dist + 0.05) < 1e-12 && fabs(con[1].dist + 0.05) < 1e-12);
  assert_true(fabs(con[0].pos[0] - 0.2) < 1e-12 && fabs(con[1].pos[0] - 0.6) < 1e-12);

  // across a corner: the vertex meets the middle of the segment
  const mjtNum beside[3] = {0, -0.1, 0};
  const ColShape across = {beside, mat, size};
  assert_true(col_capsuleTriangle(con, 0, &across, TRIANGLE, 0.05) >= 2);
}

static void box_under_vertices_and_corners(void** state) {
  (void)state;
  const mjtNum big[3] = {2, 2, 1}, small[3] = {0.1, 0.1, 0.1};
  const mjtNum below[3] = {0, 0, -1.05}, inside[3] = {0.3, 0.3, -0.12};
  mjContact con[mjMAXCONPAIR];

  // a large box: its upper face meets the three vertices
  const ColShape floor = {below, EYE, big};
  assert_int_equal(col_boxTriangle(con, 0, &floor, TRIANGLE, 0.1), 3);
  for (int k = 0; k < 3; k++) assert_true(fabs(con[k].dist + 0.05) < 1e-12 && con[k].frame[2] == 1);

  // a small one under the face: its four upper corners meet the triangle
  const ColShape cube = {inside, EYE, small};
  assert_int_equal(col_boxTriangle(con, 0, &cube, TRIANGLE, 0.05), 4);
  for (int k = 0; k < 4; k++) assert_true(fabs(con[k].dist + 0.03) < 1e-12 && con[k].frame[2] == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sphere_over_face_edge_and_corner),
      cmocka_unit_test(sphere_finds_the_nearest_point),
      cmocka_unit_test(capsule_lying_on_the_face),
      cmocka_unit_test(box_under_vertices_and_corners),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
