// One table of what rows of arrays belong to: see rows.h.
#include "view/rows.h"

#include <string.h>

mjtObj viw_rowsOwner(const char* size) {
  static const struct {
    const char* size;
    mjtObj type;
  } owners[] = {
      {"nbody",       mjOBJ_BODY    },
      {"njnt",        mjOBJ_JOINT   },
      {"nq",          mjOBJ_JOINT   },
      {"nv",          mjOBJ_JOINT   },
      {"ngeom",       mjOBJ_GEOM    },
      {"nsite",       mjOBJ_SITE    },
      {"ncam",        mjOBJ_CAMERA  },
      {"nlight",      mjOBJ_LIGHT   },
      {"nu",          mjOBJ_ACTUATOR},
      {"na",          mjOBJ_ACTUATOR},
      {"ntendon",     mjOBJ_TENDON  },
      {"neq",         mjOBJ_EQUALITY},
      {"nsensordata", mjOBJ_SENSOR  },
      {"npair",       mjOBJ_PAIR    },
      {"nmat",        mjOBJ_MATERIAL},
      {"nmocap",      mjOBJ_BODY    },
  };
  for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
    if (!strcmp(owners[i].size, size)) return owners[i].type;
  }
  return mjOBJ_UNKNOWN;
}

void viw_rowsOf(const mjModel* m, const char* size, int id, int* first, int* n) {
  static const int NQ[] = {7, 4, 1, 1}, NV[] = {6, 3, 1, 1};
  *first = id;
  *n = 1;
  if (!strcmp(size, "nq")) {
    *first = m->jnt_qposadr[id];
    *n = NQ[m->jnt_type[id]];
  } else if (!strcmp(size, "nv")) {
    *first = m->jnt_dofadr[id];
    *n = NV[m->jnt_type[id]];
  } else if (!strcmp(size, "na")) {
    *first = m->actuator_actadr[id];
    *n = m->actuator_actnum[id];
  } else if (!strcmp(size, "nsensordata")) {
    *first = m->sensor_adr[id];
    *n = m->sensor_dim[id];
  } else if (!strcmp(size, "nmocap")) {
    *first = m->body_mocapid[id];
    *n = *first >= 0;
  }
}
