// Meshes that collide with their true surface: floors of many triangles are floors, distances are those of the shape,
// cavities are hollow.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/contact.h>

#include "physics/flexes.h"
#include "support/near.h"

#define CUBE_MESH(name, attributes)                                                                               \
  "<mesh name=\"" name                                                                                            \
  "\" inertia=\"exact\" vertex=\"-.1 -.1 -.1 .1 -.1 -.1 .1 .1 -.1 -.1 .1 -.1 "                                    \
  "-.1 -.1 .1 .1 -.1 .1 .1 .1 .1 -.1 .1 .1\" face=\"0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7 " \
  "4 5 6 4 6 7\" " attributes "/>"
#define EXACT_ATTRIBUTE "sinew:shape=\"exact\""

// an arch of 40 cm with a passage of 20 cm, open along y
#define ARCH_VERTEX                                                                                      \
  "-0.2 -0.1 0 -0.1 -0.1 0 -0.1 -0.1 0.2 0.1 -0.1 0.2 0.1 -0.1 0 0.2 -0.1 0 0.2 -0.1 0.3 -0.2 -0.1 0.3 " \
  "-0.2 0.1 0 -0.1 0.1 0 -0.1 0.1 0.2 0.1 0.1 0.2 0.1 0.1 0 0.2 0.1 0 0.2 0.1 0.3 -0.2 0.1 0.3"
#define ARCH_FACE                                                                                       \
  "0 1 2 0 2 7 2 3 7 3 6 7 3 4 5 3 5 6 8 10 9 8 15 10 10 15 11 11 15 14 11 13 12 11 14 13 0 8 9 0 9 1 " \
  "1 9 10 1 10 2 2 10 11 2 11 3 3 11 12 3 12 4 4 12 13 4 13 5 5 13 14 5 14 6 6 14 15 6 15 7 7 15 8 "    \
  "7 8 0"
#define ARCH(attributes) \
  "<mesh name=\"arch\" inertia=\"exact\" vertex=\"" ARCH_VERTEX "\" face=\"" ARCH_FACE "\" " attributes "/>"

// the vertices and faces of a slab of n x n cells with diagonals that change, 2 m wide; closed, or only its top, a
// little bent
static char* slab(int n, int closed) {
  char* text = malloc(200000);
  size_t used = (size_t)sprintf(text, "vertex=\"");
  for (int k = 0; k < 1 + closed; k++) {
    for (int i = 0; i <= n; i++) {
      for (int j = 0; j <= n; j++)
        used += (size_t)sprintf(text + used, "%g %g %g ", 2.0 * i / n - 1, 2.0 * j / n - 1,
                                closed ? -.1 * k : .05 * (2.0 * i / n - 1) * (2.0 * i / n - 1));
    }
  }
  used += (size_t)sprintf(text + used, "\" face=\"");
  const int row = n + 1, below = row * row;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const int a = i * row + j, b = a + row, c = b + 1, d = a + 1, odd = (i + j) % 2;
      used += (size_t)sprintf(text + used, "%d %d %d %d %d %d ", a, b, odd ? c : d, odd ? a : b, c, d);
      if (closed)
        used += (size_t)sprintf(text + used, "%d %d %d %d %d %d ", below + a, below + c, below + b, below + a,
                                below + d, below + c);
    }
    const int edge[4][2] = {
        {i * row,           (i + 1) * row  },
        {(i + 1) * row + n, i * row + n    },
        {n * row + i,       n * row + i + 1},
        {i + 1,             i              }
    };
    for (int k = 0; k < 4 && closed; k++) {
      const int p = edge[k][0], q = edge[k][1];
      used += (size_t)sprintf(text + used, "%d %d %d %d %d %d ", below + p, below + q, q, below + p, q, p);
    }
  }
  sprintf(text + used, "\"");
  return text;
}

// something on a floor, of triangles or a plane
static TstScene onFloor(const char* geom, int triangles) {
  char *text = slab(20, 1), *xml = malloc(210000);
  sprintf(
      xml,
      "<mujoco xmlns:sinew=\"urn:sinew\"><option cone=\"elliptic\"/><asset><mesh name=\"floor\" %s "
      "inertia=\"exact\" " EXACT_ATTRIBUTE "/>" CUBE_MESH("cube", EXACT_ATTRIBUTE) CUBE_MESH(
          "hull", "") "</asset><worldbody>%s<body pos=\"-.513 .0271 .15\"><freejoint/>%s</body></worldbody></mujoco>",
      text, triangles ? "<geom type=\"mesh\" mesh=\"floor\"/>" : "<geom type=\"plane\" size=\"1 1 1\"/>", geom);
  TstScene s = tst_openScene(xml);
  free(text);
  free(xml);
  return s;
}

static void step(TstScene* s, int n) {
  for (int i = 0; i < n; i++) mj_step(s->m, s->d);
}

//---------------------------------- floors ----------------------------------

// a ball rolls over edges and corners as over a plane
static void test_ballRollsOverTriangles(void** state) {
  (void)state;
  TstScene s[2];
  for (int k = 0; k < 2; k++) {
    s[k] = onFloor("<geom size=\".1\" mass=\"1\"/>", k);
    step(s + k, 500);
    s[k].d->qvel[0] = 1;
    s[k].d->qvel[1] = 0.2;
    s[k].d->qvel[3] = -2;
    s[k].d->qvel[4] = 10;
    for (int i = 0; i < 500; i++) {
      step(s + k, 1);
      assert_int_equal(s[k].d->ncon, 1);
      assert_true(fabs(s[k].d->qvel[2]) < 1e-9);
    }
  }
  for (int i = 0; i < 6; i++) assert_near(s[1].d->qvel[i], s[0].d->qvel[i], 1e-6);
  for (int i = 0; i < 3; i++) assert_near(s[1].d->qpos[i], s[0].d->qpos[i], 1e-6);
  for (int k = 0; k < 2; k++) tst_closeScene(s + k);
}

// every shape rests on triangles as on a plane
static void test_shapesRest(void** state) {
  (void)state;
  static const char* const geoms[] = {
      "<geom type=\"box\" size=\".1 .1 .1\" mass=\"1\"/>",
      "<geom type=\"capsule\" size=\".05 .1\" mass=\"1\" euler=\"90 0 0\"/>",
      "<geom type=\"cylinder\" size=\".05 .1\" mass=\"1\" euler=\"90 0 0\"/>",
      "<geom type=\"cylinder\" size=\".05 .1\" mass=\"1\"/>",
      "<geom type=\"ellipsoid\" size=\".1 .1 .06\" mass=\"1\"/>",
      "<geom type=\"mesh\" mesh=\"hull\" mass=\"1\"/>",
      "<geom type=\"mesh\" mesh=\"cube\" mass=\"1\"/>",
  };
  for (size_t k = 0; k < sizeof(geoms) / sizeof(geoms[0]); k++) {
    TstScene s[2];
    for (int i = 0; i < 2; i++) {
      s[i] = onFloor(geoms[k], i);
      step(s + i, 1000);
    }
    if (fabs(s[1].d->qpos[2] - s[0].d->qpos[2]) > 2e-4 || mju_norm(s[1].d->qvel, 6) > 1e-6) {
      fail_msg("%s: %g %g, %g", geoms[k], s[0].d->qpos[2], s[1].d->qpos[2], mju_norm(s[1].d->qvel, 6));
    }
    assert_in_range(s[1].d->ncon, 1, 12);
    for (int i = 0; i < 2; i++) tst_closeScene(s + i);
  }
}

// a sheet of triangles with a thickness is a floor from both sides
static void test_shell(void** state) {
  (void)state;
  char *text = slab(10, 0), *xml = malloc(210000);
  sprintf(xml,
          "<mujoco xmlns:sinew=\"urn:sinew\"><asset><mesh name=\"sheet\" %s inertia=\"shell\" " EXACT_ATTRIBUTE
          " sinew:thickness=\".02\"/></asset><worldbody><geom type=\"mesh\" mesh=\"sheet\" pos=\"0 .027 0\"/>"
          "<body pos=\"0 0 .13\"><freejoint/><geom size=\".1\" mass=\"1\"/></body>"
          "<body pos=\"0 .5 -.13\" gravcomp=\"2\"><freejoint/><geom size=\".1\" mass=\"1\"/></body>"
          "</worldbody></mujoco>",
          text);
  TstScene s = tst_openScene(xml);
  step(&s, 1000);
  assert_near(s.d->qpos[2], 0.11, 1e-3);
  assert_near(s.d->qpos[9], -0.11, 1e-3);
  tst_closeScene(&s);

  // which an open mesh must have
  char* thickness = strstr(xml, " sinew:thickness=\".02\"");
  memset(thickness, ' ', strlen(" sinew:thickness=\".02\""));
  assert_non_null(strstr(whyNot(xml), "the surface is open, first at triangle 0"));
  assert_non_null(strstr(whyNot(xml), "needs 'sinew:thickness'"));
  free(text);
  free(xml);
}

// What is stacked with flush sides stands on the face below, wherever the corners are to the last bit: not pushed out
// sideways, where the way is shorter.
static void test_flushSides(void** state) {
  (void)state;
  static const char* const geoms[] = {
      "<geom type=\"box\" size=\".1 .1 .1\" mass=\"1\"/>",   "<geom type=\"mesh\" mesh=\"cube\" mass=\"1\"/>",
      "<geom type=\"mesh\" mesh=\"hull\" mass=\"1\"/>",      "<geom type=\"box\" size=\".3 .1 .1\" mass=\"1\"/>",
      "<geom type=\"box\" size=\".05 .1 .1\" mass=\"1\"/>",  "<geom type=\"mesh\" mesh=\"long\" mass=\"1\"/>",
      "<geom type=\"cylinder\" size=\".1 .1\" mass=\"1\"/>",
  };
  static const mjtNum offsets[] = {0, 1e-12, -1.5e-9, 3e-8, 1e-6, -2e-5, 1e-4, 5e-4};
  for (size_t k = 0; k < sizeof(geoms) / sizeof(geoms[0]) * 8; k++) {
    char xml[4000];
    snprintf(xml, sizeof(xml),
             "<mujoco xmlns:sinew=\"urn:sinew\"><option cone=\"elliptic\"/><asset>" CUBE_MESH("cube", EXACT_ATTRIBUTE)
                 CUBE_MESH("hull", "") CUBE_MESH("long", "scale=\"2 1 1\" " EXACT_ATTRIBUTE)
             "</asset><worldbody><geom type=\"mesh\" mesh=\"cube\"/><body pos=\"0 %.17g .2005\"><freejoint/>%s</body>"
             "</worldbody></mujoco>",
             offsets[k % 8], geoms[k / 8]);
    TstScene s = tst_openScene(xml);
    step(&s, 400);

    // a round rim rests on what is left of it; hulls are found by their distances, which are less exact
    const size_t kind = k / 8;
    const mjtNum speed = kind == 6 ? 1e-2 : kind == 2 ? 1e-3 : 1e-6;
    if (fabs(s.d->qpos[2] - 0.2) > 3e-4 || mju_norm(s.d->qvel, 6) > speed || s.d->ncon < (kind == 6 ? 2 : 4))
      fail_msg("%s, %g: %g, %g, %d contacts", geoms[k / 8], offsets[k % 8], s.d->qpos[2], mju_norm(s.d->qvel, 6),
               s.d->ncon);
    tst_closeScene(&s);
  }
}

//---------------------------------- fields ----------------------------------

// an arch stands over a ridge of a height field, which its hull would ride on, and slides along it as on the level
static void test_heightFields(void** state) {
  (void)state;
  mjtNum height[2], way[2];
  for (int k = 0; k < 2; k++) {
    char xml[4000], ridge[1000] = "";
    for (int i = 0; i < 21 * 21; i++) strcat(ridge, i % 21 == 10 && k ? "1 " : "0 ");
    snprintf(xml, sizeof(xml),
             "<mujoco xmlns:sinew=\"urn:sinew\"><option cone=\"elliptic\"/><asset>" ARCH(EXACT_ATTRIBUTE)
             "<hfield name=\"f\" nrow=\"21\" ncol=\"21\" size=\"1 1 %g .1\" elevation=\"%s\"/></asset><worldbody>"
             "<geom type=\"hfield\" hfield=\"f\" condim=\"1\"/><body pos=\"0 -.3 .01\"><freejoint/>"
             "<geom type=\"mesh\" mesh=\"arch\" condim=\"1\"/></body></worldbody></mujoco>",
             .15, ridge);
    TstScene s = tst_openScene(xml);
    step(&s, 500);
    height[k] = s.d->qpos[2];
    assert_in_range(s.d->ncon, 3, 12);
    s.d->qvel[1] = 1;
    mjtNum fastest = 0;
    for (int i = 0; i < 250; i++) {
      step(&s, 1);
      fastest = fmax(fastest, fabs(s.d->qvel[2]));
    }
    assert_true(fastest < 1e-6);
    way[k] = s.d->qpos[1];
    tst_closeScene(&s);
  }
  assert_near(height[0], 0, 1e-3);
  assert_near(height[1], height[0], 1e-4);
  assert_near(way[1], way[0], 1e-3);
}

// a cube rests on a box that is a distance field, and an arch on one that is not under it
static void test_distanceFields(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco xmlns:sinew=\"urn:sinew\"><asset>" CUBE_MESH("cube", "scale=\"3 3 1\"") CUBE_MESH("exact", EXACT_ATTRIBUTE)
          CUBE_MESH("low", "") ARCH(EXACT_ATTRIBUTE) "</asset><worldbody><geom type=\"sdf\" mesh=\"cube\"/><geom type=\"sdf\" mesh=\"low\" "
                                "pos=\"1 0 -.005\"/><geom type=\"plane\" size=\"2 2 1\" pos=\"0 0 -.1\"/>"
                                "<body pos=\".01 .02 .21\"><freejoint/><geom type=\"mesh\" mesh=\"exact\"/></body>"
                                "<body pos=\"1 0 -.095\"><freejoint/><geom type=\"mesh\" mesh=\"arch\"/></body>"
                                "</worldbody></mujoco>");
  step(&s, 500);
  assert_near(s.d->qpos[2], 0.2, 2e-3);
  assert_near(s.d->qpos[9], -0.1, 2e-3);
  assert_true(mju_norm(s.d->qvel, 12) < 1e-3);
  tst_closeScene(&s);
}

// a sheet on a plane lies at half its thickness
static void test_sheetOnAPlane(void** state) {
  (void)state;
  char *text = slab(4, 0), *xml = malloc(210000);
  sprintf(xml,
          "<mujoco xmlns:sinew=\"urn:sinew\"><asset><mesh name=\"sheet\" %s inertia=\"shell\" " EXACT_ATTRIBUTE
          " sinew:thickness=\".04\"/></asset><worldbody><geom type=\"plane\" size=\"2 2 1\"/><body pos=\"0 0 .03\">"
          "<freejoint/><geom type=\"mesh\" mesh=\"sheet\" mass=\"1\"/></body></worldbody></mujoco>",
          text);
  TstScene s = tst_openScene(xml);
  step(&s, 500);
  assert_near(s.d->qpos[2], 0.02, 1e-3);
  tst_closeScene(&s);
  free(text);
  free(xml);
}

// an arch on a plane stands on all of its corners and comes to rest; three of them would let it rock
static void test_restsOnAPlane(void** state) {
  (void)state;
  TstScene s = tst_openScene("<mujoco xmlns:sinew=\"urn:sinew\"><option><flag sleep=\"enable\"/></option><asset>" ARCH(
      EXACT_ATTRIBUTE) "</asset><worldbody><geom type=\"plane\" size=\"2 2 1\"/><body pos=\"0 0 .005\"><freejoint/>"
                       "<geom type=\"mesh\" mesh=\"arch\"/></body></worldbody></mujoco>");
  step(&s, 1);
  step(&s, 49);
  assert_int_equal(s.d->ncon, 4);
  step(&s, 950);
  assert_int_equal(s.d->ntree_awake, 0);
  assert_near(s.d->qpos[2], 0, 1e-3);
  tst_closeScene(&s);
}

// sheets in a plane have no hull, and are floors nevertheless: of triangles on one side, or on both
static void test_flatSheet(void** state) {
  (void)state;
  static const char* const face[] = {"0 1 4 1 2 4 2 3 4 3 0 4", "0 1 4 1 2 4 2 3 4 3 0 4 1 0 4 2 1 4 3 2 4 0 3 4"};
  for (int k = 0; k < 2; k++) {
    for (int thick = 0; thick < 2; thick++) {
      char xml[2000];
      snprintf(xml, sizeof(xml),
               "<mujoco xmlns:sinew=\"urn:sinew\"><asset><mesh name=\"sheet\" inertia=\"shell\" " EXACT_ATTRIBUTE
               " vertex=\"-1 -1 .3 1 -1 .3 1 1 .3 -1 1 .3 0 0 .3\" face=\"%s\" %s/></asset><worldbody>"
               "<geom type=\"mesh\" mesh=\"sheet\"/><geom type=\"plane\" size=\"1 1 1\"/>"
               "<body pos=\"0 0 .45\"><freejoint/><geom size=\".1\"/></body><body pos=\"3 0 .1\"><freejoint/>"
               "<geom type=\"mesh\" mesh=\"sheet\" mass=\"1\"/></body></worldbody></mujoco>",
               face[k], thick ? "sinew:thickness=\".02\"" : "");
      if (!thick) {
        assert_non_null(strstr(whyNot(xml), k ? "the surface is flat" : "the surface is open, first at triangle 0"));
        continue;
      }
      TstScene s = tst_openScene(xml);
      for (int i = 0; i < 3; i++) assert_true(s.m->geom_size[i] >= 0);
      step(&s, 800);
      assert_near(s.d->qpos[2], 0.41, 1e-3);
      assert_near(s.d->geom_xpos[3 * 3 + 2], 0.01, 1e-3);
      tst_closeScene(&s);
    }
  }
}

//---------------------------------- distances ----------------------------------

// a convex mesh has the distances of its hull, in any pose: corners, edges and faces are all found
static void test_distancesAreThoseOfTheHull(void** state) {
  (void)state;
  static const char* const others[] = {"type=\"sphere\" size=\".08\"",
                                       "type=\"capsule\" size=\".05 .1\"",
                                       "type=\"box\" size=\".05 .08 .1\"",
                                       "type=\"cylinder\" size=\".06 .08\"",
                                       "type=\"ellipsoid\" size=\".1 .07 .05\"",
                                       "type=\"mesh\" mesh=\"hull\"",
                                       "type=\"mesh\" mesh=\"exact\""};
  unsigned seed = 7;
  for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
    char xml[3000];
    snprintf(xml, sizeof(xml),
             "<mujoco xmlns:sinew=\"urn:sinew\"><asset>" CUBE_MESH("hull", "") CUBE_MESH("exact", EXACT_ATTRIBUTE)
             "</asset><worldbody><geom type=\"mesh\" mesh=\"exact\"/><geom type=\"mesh\" mesh=\"hull\"/>"
             "<body><freejoint/><geom %s/><geom %s/></body></worldbody></mujoco>",
             others[k], k == 6 ? others[5] : others[k]);
    TstScene s = tst_openScene(xml);
    int compared = 0;
    for (int i = 0; i < 300; i++) {
      for (int j = 0; j < 7; j++) {
        seed = seed * 1664525u + 1013904223u;
        s.d->qpos[j] = ((double)(seed >> 8) / (1 << 24) - 0.5) * (j < 3 ? 0.7 : 2);
      }
      mju_normalize4(s.d->qpos + 3);
      mj_kinematics(s.m, s.d);
      mjtNum a[6], b[6];
      const mjtNum exact = mj_geomDistance(s.m, s.d, 0, 2, 0.5, a), hull = mj_geomDistance(s.m, s.d, 1, 3, 0.5, b);
      if (hull < 1e-3) continue;
      compared++;
      if (fabs(exact - hull) > 1e-6) fail_msg("%s, pose %d: %.9g instead of %.9g", others[k], i, exact, hull);
    }
    assert_true(compared > 100);
    tst_closeScene(&s);
  }
}

//---------------------------------- cavities ----------------------------------

// a chain holds, a peg falls into its hole, a ball into a mug, and a ray sees the bottom of the mug
static void test_sceneLinks(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* m = mj_loadXML("scenes/contact/links.xml", NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  TstScene s = {.m = m, .d = mj_makeData(m)};
  mj_resetDataKeyframe(m, s.d, 0);
  const mjtNum from[3] = {0.153, 0.007, 0.3}, down[3] = {0, 0, -1};
  mj_forward(m, s.d);
  int hit;
  assert_near(mj_ray(m, s.d, from, down, NULL, 1, m->geom_bodyid[mj_name2id(m, mjOBJ_GEOM, "ball")], &hit, NULL), 0.295,
              1e-6);
  step(&s, 400);
  for (int i = 0; i < 4; i++) {
    // neighbours stay as far apart as rings allow, 36 mm, and a little for the pull
    const mjtNum *a = s.d->qpos + 7 * i, *b = a + 7;
    if (i < 3) assert_true(mju_dist3(a, b) < 0.037 && mju_dist3(a, b) > 0.02);
    assert_true(a[2] > 0.2);
  }
  assert_near(s.d->qpos[7 * 4 + 2], 0.03, 1e-3);
  assert_near(s.d->qpos[7 * 5 + 2], 0.017, 1e-3);
  assert_int_equal(s.d->warning[mjWARN_BADQACC].number, 0);

  // a copy and a saved model go on with the same bits
  const int size = mj_sizeModel(m);
  void* buffer = malloc((size_t)size);
  mj_saveModel(m, NULL, buffer, size);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "links.mjb", buffer, size), 0);
  mjModel* loaded = mj_loadModel("links.mjb", &vfs);
  assert_non_null(loaded);
  mjData* copy = mj_copyData(NULL, m, s.d);
  mjData* other = mj_makeData(loaded);
  mj_copyState(m, s.d, other, mjSTATE_INTEGRATION);
  step(&s, 20);
  for (int i = 0; i < 20; i++) {
    mj_step(m, copy);
    mj_step(loaded, other);
  }
  assert_memory_equal(copy->qpos, s.d->qpos, sizeof(mjtNum) * (size_t)m->nq);
  assert_memory_equal(other->qpos, s.d->qpos, sizeof(mjtNum) * (size_t)m->nq);
  mj_deleteData(copy);
  mj_deleteData(other);
  mj_deleteModel(loaded);
  mj_deleteVFS(&vfs);
  free(buffer);
  tst_closeScene(&s);
}

// a nut that turns on a bolt goes down by a pitch a turn, and does not leave the axis by more than it has to spare
static void test_sceneNut(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* m = mj_loadXML("scenes/contact/nut.xml", NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  TstScene s = {.m = m, .d = mj_makeData(m)};
  mj_resetDataKeyframe(m, s.d, 0);
  mjtNum turn = 0, start = 0;
  for (int i = 0; i < 250; i++) {
    step(&s, 1);
    if (i == 50) start = s.d->qpos[2];
    if (i > 50) turn += m->opt.timestep * s.d->qvel[5];
    assert_true(hypot(s.d->qpos[0], s.d->qpos[1]) < 4e-4);
  }
  assert_true(turn < -2);
  assert_near((s.d->qpos[2] - start) / turn, 0.006 / (2 * mjPI), 0.05 * 0.006 / (2 * mjPI));
  tst_closeScene(&s);
}

//---------------------------------- bad input ----------------------------------

// triangles without sense: contacts stay few and finite
static void test_randomSurfaces(void** state) {
  (void)state;
  unsigned seed = 3;
  int made = 0, touched = 0;
  for (int trial = 0; trial < 40; trial++) {
    const int nvert = 5 + trial % 20, nface = 4 + trial % 30;
    char vertex[2000] = "", face[2000] = "", xml[8000];
    for (int i = 0; i < 3 * nvert; i++) {
      seed = seed * 1664525u + 1013904223u;
      sprintf(vertex + strlen(vertex), "%.3g ", 0.2 * ((double)(seed >> 8) / (1 << 24) - 0.5));
    }
    for (int i = 0; i < 3 * nface; i++) {
      seed = seed * 1664525u + 1013904223u;
      sprintf(face + strlen(face), "%d ", (seed >> 8) % nvert);
    }
    snprintf(xml, sizeof(xml),
             "<mujoco xmlns:sinew=\"urn:sinew\"><asset><mesh name=\"m\" inertia=\"shell\" vertex=\"%s\" face=\"%s\" " EXACT_ATTRIBUTE
             " sinew:thickness=\".01\"/>" CUBE_MESH("cube", EXACT_ATTRIBUTE) "</asset><worldbody><geom type=\"mesh\" mesh=\"m\"/>"
             "<body><freejoint/><geom size=\".05\" mass=\"1\"/><geom type=\"box\" size=\".03 .04 .05\"/><geom type=\"cylinder\" "
             "size=\".03 .05\"/><geom type=\"mesh\" mesh=\"cube\"/><geom type=\"mesh\" mesh=\"m\" mass=\"0\"/></body></worldbody></mujoco>",
             vertex, face);
    if (*whyNot(xml)) continue;
    made++;
    TstScene s = tst_openScene(xml);
    for (int i = 0; i < 20; i++) {
      for (int j = 0; j < 7; j++) {
        seed = seed * 1664525u + 1013904223u;
        s.d->qpos[j] = ((double)(seed >> 8) / (1 << 24) - 0.5) * (j < 3 ? 0.2 : 2);
      }
      mj_forward(s.m, s.d);
      assert_in_range(s.d->ncon, 0, 5 * 12);
      touched += s.d->ncon > 0;
      for (int k = 0; k < s.d->ncon; k++) {
        const mjContact* con = s.d->contact + k;
        assert_true(fabs(con->dist) < 1 && mju_norm3(con->pos) < 1);
        assert_near(mju_norm3(con->frame), 1, 1e-6);
      }
    }
    tst_closeScene(&s);
  }
  assert_true(made > 10 && touched > 100);
}

static void test_badInput(void** state) {
  (void)state;
#define WITH(attributes) \
  "<mujoco xmlns:sinew=\"urn:sinew\"><asset>" CUBE_MESH("cube", attributes) "</asset><worldbody>" \
  "<geom type=\"mesh\" mesh=\"cube\"/></worldbody></mujoco>"
  assert_string_equal(whyNot(WITH(EXACT_ATTRIBUTE)), "");
  assert_non_null(
      strstr(whyNot(WITH(EXACT_ATTRIBUTE " sinew:thickness=\"-1\"")), "'sinew:thickness' is -1, must be in"));
  assert_non_null(strstr(whyNot(WITH("sinew:thickness=\"1\"")), "'sinew:thickness' needs sinew:shape=\"exact\""));
  assert_non_null(
      strstr(whyNot(WITH(EXACT_ATTRIBUTE " sinew:parts=\"3\"")), "'sinew:parts' needs sinew:shape=\"decomposed\""));
  assert_non_null(
      strstr(whyNot("<mujoco><custom><numeric name=\"sinew:shape:meshes\" data=\"1 0 1\"/></custom><asset>" CUBE_MESH(
                 "cube", "") "</asset></mujoco>"),
             "has 3 values, the model has 1 meshes"));
  assert_non_null(
      strstr(whyNot("<mujoco><custom><numeric name=\"sinew:shape:meshes\" data=\"7 0\"/></custom><asset>" CUBE_MESH(
                 "cube", "") "</asset></mujoco>"),
             "mesh 0 has the shape 7 0"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ballRollsOverTriangles),
      cmocka_unit_test(test_shapesRest),
      cmocka_unit_test(test_shell),
      cmocka_unit_test(test_flushSides),
      cmocka_unit_test(test_heightFields),
      cmocka_unit_test(test_distanceFields),
      cmocka_unit_test(test_sheetOnAPlane),
      cmocka_unit_test(test_restsOnAPlane),
      cmocka_unit_test(test_flatSheet),
      cmocka_unit_test(test_distancesAreThoseOfTheHull),
      cmocka_unit_test(test_sceneLinks),
      cmocka_unit_test(test_sceneNut),
      cmocka_unit_test(test_badInput),
      cmocka_unit_test(test_randomSurfaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
