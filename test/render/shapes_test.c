// Built-in shapes: closed, round and outward, as fine as the model asks; without OpenGL.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "render/context.h"

#define MAXCORNER 100000

// all polygons of one or several shapes, as triangles
typedef struct {
  int npolygon[5];  // by number of corners
  int ncorner;
  RenCorner corner[MAXCORNER];
} Soup;

static Soup soup;

static void collect(void* user, const RenCorner* corners, int n) {
  Soup* const s = user;
  assert_true(n == 3 || n == 4);
  s->npolygon[n]++;
  for (int k = 1; k < n - 1; k++) {
    assert_true(s->ncorner + 3 <= MAXCORNER);
    s->corner[s->ncorner++] = corners[0];
    s->corner[s->ncorner++] = corners[k];
    s->corner[s->ncorner++] = corners[k + 1];
  }
}

static const RenQuality FINE = {28, 16, 4};

static void fill(const RenShape* shapes, int n, RenQuality quality) {
  memset(&soup, 0, sizeof(soup));
  for (int i = 0; i < n; i++) ren_eachPolygon(shapes[i], quality, collect, &soup);
}

static void fillOne(RenShape shape, RenQuality quality) {
  fill(&shape, 1, quality);
}

static void cross(double n[3], const float* a, const float* b, const float* c) {
  const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  for (int k = 0; k < 3; k++) n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

// Closed by the divergence theorem: the area vectors sum to zero and the enclosed volume is where it should be.
static double volume(void) {
  double area[3] = {0}, six = 0;
  for (int i = 0; i < soup.ncorner; i += 3) {
    double n[3];
    cross(n, soup.corner[i].pos, soup.corner[i + 1].pos, soup.corner[i + 2].pos);
    for (int k = 0; k < 3; k++) area[k] += n[k], six += n[k] * soup.corner[i].pos[k];
  }
  for (int k = 0; k < 3; k++) assert_true(fabs(area[k]) < 1e-4);
  return six / 6;
}

// share of a circle's area that a polygon with n corners covers
static double cover(int n) {
  return sin(2 * mjPI / n) / (2 * mjPI / n);
}

// corners stay in a box and their normals are of length one and on the side that the polygon faces
static void normals(const float low[3], const float high[3]) {
  float least[3] = {9, 9, 9}, most[3] = {-9, -9, -9};
  for (int i = 0; i < soup.ncorner; i++) {
    const RenCorner* const c = soup.corner + i;
    double length = 0, facing = 0, n[3];
    cross(n, soup.corner[i / 3 * 3].pos, soup.corner[i / 3 * 3 + 1].pos, soup.corner[i / 3 * 3 + 2].pos);
    for (int k = 0; k < 3; k++) {
      length += c->normal[k] * c->normal[k];
      facing += c->normal[k] * n[k];
      least[k] = fminf(least[k], c->pos[k]);
      most[k] = fmaxf(most[k], c->pos[k]);
    }
    assert_true(fabs(length - 1) < 1e-6);
    assert_true(facing > 0);
  }
  for (int k = 0; k < 3; k++) {
    assert_true(fabsf(least[k] - low[k]) < 1e-6f);
    assert_true(fabsf(most[k] - high[k]) < 1e-6f);
  }
}

static void sphere(void** state) {
  (void)state;
  fillOne(REN_SPHERE, FINE);
  normals((float[]){-1, -1, -1}, (float[]){1, 1, 1});
  assert_int_equal(soup.npolygon[3], 2 * 28);
  assert_int_equal(soup.npolygon[4], 14 * 28);
  assert_true(volume() < 4 * mjPI / 3 && volume() > 0.97 * 4 * mjPI / 3);

  // every corner is on the sphere, and its normal is its place
  for (int i = 0; i < soup.ncorner; i++) {
    for (int k = 0; k < 3; k++) assert_true(fabsf(soup.corner[i].pos[k] - soup.corner[i].normal[k]) < 1e-6f);
  }
}

static void capsule(void** state) {
  (void)state;
  fill((RenShape[]){REN_SPHERE_BOTTOM, REN_TUBE, REN_SPHERE_TOP}, 3, FINE);
  const double total = volume();
  normals((float[]){-1, -1, -2}, (float[]){1, 1, 2});
  fillOne(REN_SPHERE, FINE);
  assert_true(fabs(total - volume() - 2 * mjPI * cover(28)) < 1e-4);
}

static void cylinder(void** state) {
  (void)state;
  fill((RenShape[]){REN_DISK_BOTTOM, REN_TUBE, REN_DISK_TOP}, 3, FINE);
  assert_true(fabs(volume() - 2 * mjPI * cover(28)) < 1e-4);
  normals((float[]){-1, -1, -1}, (float[]){1, 1, 1});
  assert_int_equal(soup.npolygon[3], 2 * 28);
  assert_int_equal(soup.npolygon[4], (16 + 2 * 7) * 28);
}

static void cone(void** state) {
  (void)state;
  fill((RenShape[]){REN_CONE_BASE, REN_CONE}, 2, FINE);
  assert_true(fabs(volume() - mjPI / 3 * cover(28)) < 1e-4);
  normals((float[]){-1, -1, 0}, (float[]){1, 1, 1});
  assert_int_equal(soup.npolygon[3], 2 * 28);
}

static void box(void** state) {
  (void)state;
  fillOne(REN_BOX, FINE);
  assert_true(fabs(volume() - 8) < 1e-5);
  normals((float[]){-1, -1, -1}, (float[]){1, 1, 1});
  assert_int_equal(soup.npolygon[4], 6 * 4 * 4);
  assert_int_equal(soup.npolygon[3], 0);
}

// the coarsest settings give something finite, or nothing
static void coarse(void** state) {
  (void)state;
  for (int stacks = 0; stacks < 4; stacks++) {
    for (RenShape shape = 0; shape < REN_HAZE; shape++) {
      fillOne(shape, (RenQuality){3, stacks, 1});
      assert_true(soup.ncorner > 0);
      for (int i = 0; i < soup.ncorner; i++) {
        for (int k = 0; k < 3; k++) assert_true(isfinite(soup.corner[i].pos[k]) && isfinite(soup.corner[i].normal[k]));
      }
      fillOne(shape, (RenQuality){0, stacks, 0});
      assert_int_equal(soup.ncorner, 0);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sphere), cmocka_unit_test(capsule), cmocka_unit_test(cylinder),
      cmocka_unit_test(cone),   cmocka_unit_test(box),     cmocka_unit_test(coarse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
