// Narrow phase on arbitrary numbers: two geoms of any types with sizes, poses and a margin taken from the input as they
// are, so infinities and NaN too. Whatever comes in, a pair function returns at most mjMAXCONPAIR contacts; from
// moderate numbers and proper rotations it returns finite ones with unit normals.
#include <math.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA = 1 << 22, NUMBERS = 6 + 6 + 8 + 1 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static int moderate(const mjtNum* x, int n, mjtNum low, mjtNum high) {
  for (int i = 0; i < n; i++) {
    if (!(fabs(x[i]) >= low && fabs(x[i]) <= high)) return 0;
  }
  return 1;
}

static int positive(const mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    if (!(x[i] > 0)) return 0;
  }
  return 1;
}

static int unit(const mjtNum quat[4]) {
  return fabs(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3] - 1) < 1e-12;
}

// an error of the library ends a query; only improper input may cause one
static jmp_buf afterError;

static void onError(const char* message) {
  (void)message;
  longjmp(afterError, 1);
}

static void check(int ok) {
  if (!ok) abort();
}

// numbers from a coarse grid instead: shapes that touch, coincide and line up
static void coarsen(mjtNum number[NUMBERS], const uint8_t* data) {
  for (int i = 0; i < NUMBERS; i++) {
    const int x = data[8 * i] + 256 * data[8 * i + 1];
    number[i] = i < 6 ? (1 + x % 64) / 32.0 : i < 12 ? (x % 128 - 64) / 32.0 : i < 20 ? x % 8 - 4 : x % 4 / 16.0;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mjtNum number[NUMBERS];
  if (size < 2 + sizeof(number)) return 0;
  memcpy(number, data + 2, sizeof(number));
  if (data[1] & 0x40) coarsen(number, data + 2);
  mjtNum *sizes = number, *pos = number + 6, *quat = number + 12, margin = number[20];

  // primitive types only: meshes, height fields and signed distances need a model
  static const int TYPES[] = {mjGEOM_PLANE,     mjGEOM_SPHERE,   mjGEOM_CAPSULE,
                              mjGEOM_ELLIPSOID, mjGEOM_CYLINDER, mjGEOM_BOX};
  int type[2] = {TYPES[data[0] % 6], TYPES[data[1] % 6]};
  if (type[0] > type[1]) {
    const int swap = type[0];
    type[0] = type[1];
    type[1] = swap;
  }
  const mjfCollision collide = mjCOLLISIONFUNC[type[0]][type[1]];
  if (!collide) return 0;

  // half of the inputs get proper rotations
  mjtNum mat[18], bound[2] = {1, 1};
  int dataid[2] = {-1, -1};
  for (int g = 0; g < 2; g++) {
    if (data[0] & 0x80) mju_normalize4(quat + 4 * g);
    mju_quat2Mat(mat + 9 * g, quat + 4 * g);
  }

  static _Alignas(64) char arena[ARENA];
  static mjModel m;
  static mjData d;
  memset(&m, 0, sizeof(m));
  memset(&d, 0, sizeof(d));
  m.ngeom = 2;
  m.geom_type = type;
  m.geom_dataid = dataid;
  m.geom_size = sizes;
  m.geom_rbound = bound;
  m.opt.ccd_tolerance = 1e-6;
  m.opt.ccd_iterations = 50;
  if (data[1] & 0x80) m.opt.enableflags = mjENBL_MULTICCD;
  d.geom_xpos = pos;
  d.geom_xmat = mat;
  d.arena = arena;
  d.narena = ARENA;

  const int proper = unit(quat) && unit(quat + 4) && moderate(sizes, 6, 1e-3, 1e3) && moderate(pos, 6, 0, 1e3) &&
                     moderate(&margin, 1, 0, 1e3) && positive(sizes, 6);

  static mjContact con[mjMAXCONPAIR];
  mju_user_error = onError;
  if (setjmp(afterError)) {
    check(!proper);
    return 0;
  }
  const int n = collide(&m, &d, con, 0, 1, margin);
  check(n >= 0 && n <= mjMAXCONPAIR);
  check(d.pstack == 0);
  for (int i = 0; proper && i < n; i++) {
    const mjtNum* v = con[i].frame;
    check(isfinite(con[i].dist) && isfinite(con[i].pos[0]) && isfinite(con[i].pos[1]) && isfinite(con[i].pos[2]));
    check(fabs(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 1) < 1e-6);
  }
  return 0;
}
