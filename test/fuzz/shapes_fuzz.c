// Convex pairs, height fields, rays and distances of a model with every type of geom, on arbitrary poses: positions and
// rotations are taken from the input as they are, so infinities and NaN too. Whatever comes in, the results are within
// their bounds; from proper poses contacts are finite with unit normals.
#include <math.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 6 + 8 + 1 + 6 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static jmp_buf afterError;

static void onError(const char* message) {
  (void)message;
  longjmp(afterError, 1);
}

static void check(int ok) {
  if (!ok) abort();
}

// the model of test/models/shapes.xml; targets run in the root of the repository
static mjData* open(mjModel** m) {
  char error[500] = "";
  *m = mj_loadXML("test/models/shapes.xml", NULL, error, sizeof(error));
  if (!*m) {
    fprintf(stderr, "%s\n", error);
    exit(1);
  }
  return mj_makeData(*m);
}

// numbers from a coarse grid instead: shapes that touch, coincide and line up
static void coarsen(mjtNum number[NUMBERS], const uint8_t* data) {
  for (int i = 0; i < NUMBERS; i++) {
    const int x = data[8 * i] + 256 * data[8 * i + 1];
    number[i] = i < 6 ? (x % 64 - 32) / 64.0 : i < 14 ? x % 8 - 4 : i == 14 ? x % 4 / 16.0 : (x % 64 - 32) / 16.0;
  }
}

static int isProper(const mjtNum* number) {
  for (int i = 0; i < NUMBERS; i++) {
    if (!(fabs(number[i]) < 1e3)) return 0;
  }
  return number[14] >= 0;
}

static void contacts(const mjModel* m, mjData* d, int g1, int g2, mjtNum margin, int proper) {
  static mjContact con[mjMAXCONPAIR];
  if (m->geom_type[g1] > m->geom_type[g2]) {
    const int swap = g1;
    g1 = g2;
    g2 = swap;
  }
  const mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[g1]][m->geom_type[g2]];
  if (!collide) return;
  const int n = collide(m, d, con, g1, g2, margin);
  check(n >= 0 && n <= mjMAXCONPAIR);
  for (int i = 0; proper && i < n; i++) {
    const mjtNum* v = con[i].frame;
    check(isfinite(con[i].dist) && isfinite(con[i].pos[0]) && isfinite(con[i].pos[1]) && isfinite(con[i].pos[2]));
    check(fabs(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 1) < 1e-6);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static mjModel* m;
  static mjData* d;
  if (!d) d = open(&m);
  mjtNum number[NUMBERS];
  if (size < 3 + sizeof(number)) return 0;
  memcpy(number, data + 3, sizeof(number));
  if (data[2] & 1) coarsen(number, data + 3);

  // two geoms
  const int g1 = data[0] % (int)m->ngeom, g2 = data[1] % (int)m->ngeom;
  if (g1 == g2) return 0;
  const int geom[2] = {g1, g2};
  for (int i = 0; i < 2; i++) {
    mjtNum quat[4];
    memcpy(quat, number + 6 + 4 * i, sizeof(quat));
    if (data[2] & 2) mju_normalize4(quat);
    memcpy(d->geom_xpos + 3 * geom[i], number + 3 * i, 3 * sizeof(mjtNum));
    mju_quat2Mat(d->geom_xmat + 9 * geom[i], quat);
  }
  m->opt.enableflags = data[2] & 4 ? mjENBL_MULTICCD : 0;
  m->opt.disableflags = data[2] & 8 ? mjDSBL_NATIVECCD : 0;

  const int proper = isProper(number) && (data[2] & 2);
  mju_user_error = onError;
  if (setjmp(afterError)) {
    d->pstack = 0;
    d->pbase = 0;
    return 0;
  }
  contacts(m, d, g1, g2, number[14], proper);
  mjtNum fromto[6], normal[3];
  const mjtNum dist = mj_geomDistance(m, d, g1, g2, 1, fromto);
  if (proper) check(dist <= 1);

  int hit;
  const mjtNum x = mj_ray(m, d, number + 15, number + 18, NULL, 1, -1, &hit, normal);
  check(hit >= -1 && hit < m->ngeom);
  if (proper) check(x == -1 || x >= 0);
  check(d->pstack == 0);
  return 0;
}
