// Fluid forces: golden values of the reference for every shape and medium, and what the formulas say.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "force/fluid.h"
#include "support/model.h"
#include "support/stage.h"

typedef struct {
  mjModel* m;
  mjData* d;
} Scene;

static Scene openScene(void) {
  mjModel* m = tst_model("fluid");
  return (Scene){m, mj_makeData(m)};
}

static void closeScene(Scene* s) {
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

static int dofOf(const Scene* s, const char* body) {
  return s->m->body_dofadr[mj_name2id(s->m, mjOBJ_BODY, body)];
}

static int geomOf(const Scene* s, const char* body) {
  return s->m->body_geomadr[mj_name2id(s->m, mjOBJ_BODY, body)];
}

static void setMedium(Scene* s, mjtNum density, mjtNum viscosity) {
  s->m->opt.density = density;
  s->m->opt.viscosity = viscosity;
}

static void forces(Scene* s) {
  mj_fwdPosition(s->m, s->d);
  mj_fwdVelocity(s->m, s->d);
}

//---------------------------------- golden values ----------------------------------

// the velocities of scripts/golden_fluid.py
static const mjtNum VELOCITY[5][6] = {
    {0,   0,    0,   0,   0,    0  },
    {0,   0,    -1,  0,   0,    0  },
    {1,   0.5,  -1,  0,   0,    0  },
    {0,   0,    0,   10,  5,    3  },
    {1.2, -0.7, 0.3, 0.5, -1.1, 0.8}
};

static mjtNum nextNumber(char** text) {
  char* end;
  const mjtNum value = strtod(*text, &end);
  assert_ptr_not_equal(end, *text);
  *text = end;
  return value;
}

static void goldenForces(void** state) {
  (void)state;
  Scene s = openScene();
  int size;
  char* file = (char*)tst_readFile("test/golden/fluid.txt", &size);
  assert_non_null(file);
  file = realloc(file, (size_t)size + 1);
  file[size] = 0;
  char* text = file;
  int rows = 0;
  for (; rows < 25; rows++) {
    s.m->opt.density = nextNumber(&text);
    s.m->opt.viscosity = nextNumber(&text);
    for (int k = 0; k < 3; k++) s.m->opt.wind[k] = nextNumber(&text);
    const int index = (int)nextNumber(&text);
    for (int i = 0; i < s.m->nv; i++) s.d->qvel[i] = VELOCITY[index][i % 6];
    forces(&s);
    for (int i = 0; i < s.m->nv; i++) {
      const mjtNum expected = nextNumber(&text);
      assert_true(fabs(s.d->qfrc_fluid[i] - expected) <= 1e-12 * (1 + fabs(expected)));

      // springs, dampers and gravity are absent: the sum is the fluid's
      assert_true(s.d->qfrc_passive[i] == s.d->qfrc_fluid[i]);
    }
  }
  free(file);
  closeScene(&s);
}

//---------------------------------- formulas ----------------------------------

// drag of the sphere with the mean side of the inertia box as diameter
static void stokesDrag(void** state) {
  (void)state;
  Scene s = openScene();
  setMedium(&s, 0, 0.7);
  const int dof = dofOf(&s, "small");
  s.d->qvel[dof] = 2;
  s.d->qvel[dof + 4] = 3;
  forces(&s);
  mjtNum box[3];
  frc_inertiaBox(s.m, mj_name2id(s.m, mjOBJ_BODY, "small"), box);
  for (int k = 0; k < 3; k++) assert_true(fabs(box[k] - 0.01 * sqrt(2.4)) < 1e-15);
  assert_true(fabs(s.d->qfrc_fluid[dof] + 3 * mjPI * box[0] * 0.7 * 2) < 1e-15);
  assert_true(fabs(s.d->qfrc_fluid[dof + 4] + mjPI * box[0] * box[0] * box[0] * 0.7 * 3) < 1e-15);
  closeScene(&s);
}

// quadratic drag grows with the square of the speed, against it
static void quadraticDrag(void** state) {
  (void)state;
  Scene s = openScene();
  setMedium(&s, 1.2, 0);
  const int dof = dofOf(&s, "box");
  mjtNum drag[2];
  for (int k = 0; k < 2; k++) {
    s.d->qvel[dof + 1] = k + 1;
    forces(&s);
    drag[k] = s.d->qfrc_fluid[dof + 1];
  }
  assert_true(drag[0] < 0);
  assert_true(fabs(drag[1] / drag[0] - 4) < 1e-13);

  // the box of a box has its sides
  assert_true(fabs(drag[0] + 0.5 * 1.2 * 0.2 * 0.05) < 1e-13);
  closeScene(&s);
}

// Magnus lift is coefficient times density times volume times w x v
static void magnusLift(void** state) {
  (void)state;
  Scene s = openScene();
  setMedium(&s, 1.2, 0);
  const int dof = dofOf(&s, "esphere"), geom = geomOf(&s, "esphere");
  s.d->qvel[dof] = 1;
  s.d->qvel[dof + 5] = 10;
  mjtNum lift[2];
  for (int k = 0; k < 2; k++) {
    s.m->geom_fluid[mjNFLUID * geom + 5] = k * 0.8;
    forces(&s);
    lift[k] = s.d->qfrc_fluid[dof + 1];
  }
  assert_true(fabs(lift[1] - lift[0] - 0.8 * 1.2 * (4.0 / 3 * mjPI * 1e-3) * 10) < 1e-13);
  closeScene(&s);
}

// one geom with a fluid shape takes over the body; the others do nothing
static void ellipsoidsReplaceTheBox(void** state) {
  (void)state;
  Scene s = openScene();
  setMedium(&s, 1.2, 0.1);
  const int body = mj_name2id(s.m, mjOBJ_BODY, "mixed"), dof = dofOf(&s, "mixed"), geom = geomOf(&s, "mixed");
  assert_true(frc_usesEllipsoids(s.m, body));
  assert_false(frc_usesEllipsoids(s.m, mj_name2id(s.m, mjOBJ_BODY, "coefonly")));
  assert_true(s.m->geom_fluid[mjNFLUID * geom] == 0);
  for (int k = 0; k < 6; k++) s.d->qvel[dof + k] = VELOCITY[4][k];
  forces(&s);
  mjtNum before[6];
  memcpy(before, s.d->qfrc_fluid + dof, sizeof(before));
  assert_true(before[0] != 0);
  s.m->geom_size[3 * geom] *= 3;
  for (int k = 0; k < 3; k++) s.m->body_inertia[3 * body + k] *= 2;
  forces(&s);
  assert_memory_equal(before, s.d->qfrc_fluid + dof, sizeof(before));
  closeScene(&s);
}

// bodies without mass feel nothing, in either model
static void masslessBodies(void** state) {
  (void)state;
  Scene s = openScene();
  setMedium(&s, 1.2, 0.1);
  static const char* const NAME[] = {"sphere", "esphere"};
  for (int k = 0; k < 2; k++) {
    const int dof = dofOf(&s, NAME[k]);
    s.d->qvel[dof] = 1;
    forces(&s);
    assert_true(s.d->qfrc_fluid[dof] < 0);
    s.m->body_mass[mj_name2id(s.m, mjOBJ_BODY, NAME[k])] = 1e-20;
    mj_passive(s.m, s.d);
    for (int i = 0; i < 6; i++) assert_true(s.d->qfrc_fluid[dof + i] == 0);
    s.m->body_mass[mj_name2id(s.m, mjOBJ_BODY, NAME[k])] = 1;
  }
  closeScene(&s);
}

// no medium, no force; rest in a medium without wind, no force
static void nothingToFeel(void** state) {
  (void)state;
  Scene s = openScene();
  setMedium(&s, 0, 0);
  for (int i = 0; i < s.m->nv; i++) s.d->qvel[i] = 1;
  forces(&s);
  for (int i = 0; i < s.m->nv; i++) assert_true(s.d->qfrc_fluid[i] == 0);
  setMedium(&s, 1.2, 1);
  for (int i = 0; i < s.m->nv; i++) s.d->qvel[i] = 0;
  forces(&s);
  for (int i = 0; i < s.m->nv; i++) assert_true(s.d->qfrc_fluid[i] == 0);
  closeScene(&s);
}

static void shapes(void** state) {
  (void)state;
  Scene s = openScene();
  FrcEllipsoid e;
  FrcSection section;
  static const struct {
    const char* body;
    mjtNum axes[3];
  } SHAPE[] = {
      {"esphere",   {0.1, 0.1, 0.1}   },
      {"capsule",   {0.05, 0.05, 0.2} },
      {"cylinder",  {0.05, 0.05, 0.15}},
      {"ellipsoid", {0.1, 0.05, 0.02} }
  };
  for (int k = 0; k < 4; k++) {
    assert_true(frc_ellipsoid(s.m, geomOf(&s, SHAPE[k].body), &e));
    for (int i = 0; i < 3; i++) assert_true(fabs(e.semiaxes[i] - SHAPE[k].axes[i]) < 1e-16);
  }

  // largest section, sphere diameter, and angular drag of the last one by hand
  frc_section(&e, &section);
  assert_true(fabs(section.area - mjPI * 0.1 * 0.05) < 1e-16);
  assert_true(fabs(section.diameter - 2.0 / 3 * 0.17) < 1e-16);
  const mjtNum largest = 8.0 / 15 * mjPI * 0.05 * 1e-4, first = 8.0 / 15 * mjPI * 0.1 * pow(0.05, 4);
  assert_true(fabs(section.moment[0] - (e.angular * first + e.slender * (largest - first))) < 1e-18);
  assert_false(frc_ellipsoid(s.m, geomOf(&s, "coefonly"), &e));
  closeScene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goldenForces),  cmocka_unit_test(stokesDrag),     cmocka_unit_test(quadraticDrag),
      cmocka_unit_test(magnusLift),    cmocka_unit_test(masslessBodies), cmocka_unit_test(ellipsoidsReplaceTheBox),
      cmocka_unit_test(nothingToFeel), cmocka_unit_test(shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
