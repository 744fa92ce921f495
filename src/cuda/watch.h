// Makes what sensors and rays read of an mjModel, in the precision of the file that includes this.
#include <math.h>

//---------------------------------- arrays ----------------------------------

// place of so many bytes in the block; NULL where only they are counted
static void* nextPlace(char* base, size_t* at, size_t bytes) {
  void* const place = base ? base + *at : NULL;
  *at += (bytes + 15) / 16 * 16;
  return place;
}

// every array gets its place in the block; with base NULL only the bytes are counted
static size_t placeWatch(CudWatch* w, const mjModel* m, char* base) {
  size_t at = 0;
#define X(name, rows, cols) w->name = nextPlace(base, &at, sizeof(*w->name) * (size_t)m->rows * (cols));
  CUD_WATCH_REALS(X)
  CUD_WATCH_INTS(X)
#undef X
  w->pinhole = nextPlace(base, &at, sizeof(Real) * 4 * (size_t)m->ncam);
  w->geom_visible = nextPlace(base, &at, sizeof(int) * (size_t)m->ngeom);
  return at;
}

// focal lengths and principal point in pixels: of a sensor of known size, else by the field of view
static void pinhole(Real* to, const mjModel* m, int camera) {
  const int* resolution = m->cam_resolution + 2 * camera;
  const float *intrinsic = m->cam_intrinsic + 4 * camera, *size = m->cam_sensorsize + 2 * camera;
  for (int k = 0; k < 4 && size[0] != 0 && size[1] != 0; k++) {
    to[k] = (Real)(intrinsic[k] / size[k % 2] * (float)resolution[k % 2]);
  }
  if (size[0] != 0 && size[1] != 0) return;
  to[0] = to[1] = (Real)(0.5 / tan(m->cam_fovy[camera] * mjPI / 360) * resolution[1]);
  to[2] = (Real)(0.5 * resolution[0]);
  to[3] = (Real)(0.5 * resolution[1]);
}

static void fillWatch(CudWatch* w, const mjModel* m) {
#define X(name, rows, cols) \
  for (mjtSize i = 0; i < m->rows * (cols); i++) ((Real*)w->name)[i] = (Real)m->name[i];
  CUD_WATCH_REALS(X)
#undef X
#define X(name, rows, cols) \
  for (mjtSize i = 0; i < m->rows * (cols); i++) ((int*)w->name)[i] = (int)m->name[i];
  CUD_WATCH_INTS(X)
#undef X
  for (int i = 0; i < m->ncam; i++) pinhole((Real*)w->pinhole + 4 * i, m, i);
  for (int g = 0; g < m->ngeom; g++) {
    const int material = m->geom_matid[g], group = m->geom_group[g];
    const float alpha = material < 0 ? m->geom_rgba[4 * g + 3] : m->mat_rgba[4 * material + 3];
    ((int*)w->geom_visible)[g] = alpha != 0;
    ((int*)w->geom_group)[g] = group < 0 ? 0 : group >= mjNGROUP ? mjNGROUP - 1 : group;
  }
  w->nsensor = (int)m->nsensor;
  w->nsensordata = (int)m->nsensordata;
  w->ncam = (int)m->ncam;
  for (int k = 0; k < 3; k++) w->magnetic[k] = (Real)m->opt.magnetic[k];
}

//---------------------------------- what a field needs ----------------------------------

// fields that others are computed from, by name
static const char* const FRAMES[] = {"xpos", "xquat", NULL};
static const char* const CAMERAS[] = {"xpos", "xquat", "subtree_com", NULL};
static const char* const LOADS[] = {"xpos", "xquat",    "xipos",    "subtree_com", "cvel", "cdof",  "cinert", "dofacc",
                                    "cacc", "cfrc_int", "cfrc_ext", "kept",        "held", "limit", NULL};
static const char* const SUBTREES[] = {"xpos",           "xquat",          "xipos",         "subtree_com", "cvel",
                                       "subtree_linvel", "subtree_angmom", "subtree_orbit", NULL};
static const char* const ENERGY[] = {"xipos", "ten_length", "flexedge_length", NULL};
static const char* const SENSORS[] = {"xpos",
                                      "xquat",
                                      "xipos",
                                      "subtree_com",
                                      "cvel",
                                      "ten_length",
                                      "ten_velocity",
                                      "actuator_length",
                                      "actuator_force",
                                      "qfrc_actuator",
                                      "actuator_velocity",
                                      NULL};
static const char* const CONTACTS[] = {"kept", "held", "limit", NULL};
static const char* const MOMENTA[] = {"subtree_linvel", NULL};
static const char* const FORCES[] = {"cacc", NULL};
static const char* const BOTH[] = {"energy", NULL};
static const char* const RAYS[] = {"xpos", "xquat", "geom_xpos", "geom_xmat", NULL};

static const struct {
  const char* name;
  const char* const* needs;
  int watch;  // 1: and what sensors read of a model
} NEEDS[] = {
    {"xmat",           FRAMES,   0},
    {"ximat",          FRAMES,   0},
    {"site_xpos",      FRAMES,   0},
    {"site_xmat",      FRAMES,   0},
    {"cam_xpos",       CAMERAS,  1},
    {"cam_xmat",       CAMERAS,  1},
    {"cacc",           LOADS,    0},
    {"cfrc_int",       LOADS,    0},
    {"cfrc_ext",       LOADS,    0},
    {"subtree_linvel", SUBTREES, 0},
    {"subtree_angmom", SUBTREES, 0},
    {"energy",         ENERGY,   0},
    {"sensordata",     SENSORS,  1},
};
enum { NNEEDS = sizeof(NEEDS) / sizeof(NEEDS[0]) };

// what a sensor needs beyond what all of them have, NULL: nothing
static const char* const* sensorNeeds(int type) {
  switch (type) {
    case mjSENS_ACCELEROMETER:
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      return FORCES;
    case mjSENS_TOUCH:
    case mjSENS_CONTACT:
    case mjSENS_JOINTLIMITFRC:
    case mjSENS_TENDONLIMITFRC:
      return CONTACTS;
    case mjSENS_SUBTREELINVEL:
    case mjSENS_SUBTREEANGMOM:
      return MOMENTA;
    case mjSENS_E_POTENTIAL:
    case mjSENS_E_KINETIC:
      return BOTH;
    case mjSENS_RANGEFINDER:
      return RAYS;
    default:
      return NULL;
  }
}
