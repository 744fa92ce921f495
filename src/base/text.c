// Text that the public API hands out: names of flags, labels and object types, warning messages, sizes in words.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

// the arrays are indexed by bit number (disable, enable) or enum value; the spelling is shown in user interfaces
const char* mjDISABLESTRING[mjNDISABLE] = {"Constraint",   "Equality",  "Frictionloss", "Limit",     "Contact",
                                           "Spring",       "Damper",    "Gravity",      "Clampctrl", "Warmstart",
                                           "Filterparent", "Actuation", "Refsafe",      "Sensor",    "Midphase",
                                           "Eulerdamp",    "AutoReset", "NativeCCD",    "Island"};

const char* mjENABLESTRING[mjNENABLE] = {"Override", "Energy", "Fwdinv", "InvDiscrete", "MultiCCD", "Sleep"};

const char* mjTIMERSTRING[mjNTIMER] = {"step",           "forward",        "inverse",        "position",
                                       "velocity",       "actuation",      "constraint",     "advance",
                                       "pos_kinematics", "pos_inertia",    "pos_collision",  "pos_make",
                                       "pos_project",    "col_broadphase", "col_narrowphase"};

const char* mjLABELSTRING[mjNLABEL] = {"None",      "Body",     "Joint",    "Geom",         "Site",  "Camera",
                                       "Light",     "Tendon",   "Actuator", "Constraint",   "Flex",  "Skin",
                                       "Selection", "SelPoint", "Contact",  "ContactForce", "Island"};

const char* mjFRAMESTRING[mjNFRAME] = {"None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World"};

// name, initial value, keyboard shortcut
const char* mjVISSTRING[mjNVISFLAG][3] = {
    {"Convex Hull",    "0", "H" },
    {"Texture",        "1", "X" },
    {"Joint",          "0", "J" },
    {"Camera",         "0", "Q" },
    {"Actuator",       "0", "U" },
    {"Activation",     "0", "," },
    {"Light",          "0", "Z" },
    {"Tendon",         "1", "V" },
    {"Range Finder",   "1", "Y" },
    {"Equality",       "0", "E" },
    {"Inertia",        "0", "I" },
    {"Scale Inertia",  "0", "'" },
    {"Perturb Force",  "0", "B" },
    {"Perturb Object", "1", "O" },
    {"Contact Point",  "0", "C" },
    {"Island",         "0", "N" },
    {"Contact Force",  "0", "F" },
    {"Contact Split",  "0", "P" },
    {"Transparent",    "0", "T" },
    {"Auto Connect",   "0", "A" },
    {"Center of Mass", "0", "M" },
    {"Select Point",   "0", ""  },
    {"Static Body",    "1", "D" },
    {"Skin",           "1", ";" },
    {"Flex Vert",      "0", ""  },
    {"Flex Edge",      "1", ""  },
    {"Flex Face",      "0", ""  },
    {"Flex Skin",      "1", ""  },
    {"Body Tree",      "0", "`" },
    {"Mesh Tree",      "0", "\\"},
    {"SDF iters",      "0", ""  }
};

const char* mjRNDSTRING[mjNRNDFLAG][3] = {
    {"Shadow",     "1", "S"},
    {"Wireframe",  "0", "W"},
    {"Reflection", "1", "R"},
    {"Additive",   "0", "L"},
    {"Skybox",     "1", "K"},
    {"Fog",        "0", "G"},
    {"Haze",       "1", "/"},
    {"Depth",      "0", "" },
    {"Segment",    "0", ","},
    {"Id Color",   "0", "" },
    {"Cull Face",  "1", "" }
};

// names of the model's object types; the meta elements after them have none but the frame
static const char* const typeName[mjNOBJECT] = {
    NULL,     "body",     "xbody",  "joint",   "dof",     "geom",     "site", "camera",  "light",
    "flex",   "mesh",     "skin",   "hfield",  "texture", "material", "pair", "exclude", "equality",
    "tendon", "actuator", "sensor", "numeric", "text",    "tuple",    "key",  "plugin"};

const char* mju_type2Str(int type) {
  if (type == mjOBJ_FRAME) return "frame";
  return type >= 0 && type < mjNOBJECT ? typeName[type] : NULL;
}

int mju_str2Type(const char* str) {
  if (!str || !str[0]) return mjOBJ_UNKNOWN;
  for (int type = mjOBJ_BODY; type < mjNOBJECT; type++) {
    if (!strcmp(str, typeName[type])) return type;
  }
  return mjOBJ_UNKNOWN;
}

const char* mju_writeNumBytes(size_t nbytes) {
  // the largest suffix of K, M … E that divides the number
  static _Thread_local char text[24];
  static const char suffix[] = " KMGTPE";
  int power = 0;
  while (nbytes && power < 6 && nbytes % 1024 == 0) {
    nbytes /= 1024;
    power++;
  }
  snprintf(text, sizeof(text), power ? "%zu%c" : "%zu", nbytes, suffix[power]);
  return text;
}

char* mju_strncpy(char* dst, const char* src, int n) {
  if (!dst || !src || n <= 0) return dst;
  const size_t length = strnlen(src, (size_t)n - 1);
  memcpy(dst, src, length);
  dst[length] = '\0';
  return dst;
}

const char* mju_warningText(int warning, size_t info) {
  // what the info number stands for depends on the warning
  static _Thread_local char text[256];
  static const char* const format[mjNWARNING] = {
      [mjWARN_INERTIA] = "Inertia matrix is too close to singular at DOF %zu. Check model.",
      [mjWARN_CONTACTFULL] =
          "Too many contacts. The arena memory is full, increase arena memory allocation.(ncon = %zu)",
      [mjWARN_CNSTRFULL] = ("Insufficient arena memory for the number of constraints generated. "
                            "Increase arena memory allocation above %s bytes."),
      [mjWARN_VGEOMFULL] = "Pre-allocated visual geom buffer is full. Increase maxgeom above %zu.",
      [mjWARN_BADQPOS] = "Nan, Inf or huge value in QPOS at DOF %zu. The simulation is unstable.",
      [mjWARN_BADQVEL] = "Nan, Inf or huge value in QVEL at DOF %zu. The simulation is unstable.",
      [mjWARN_BADQACC] = "Nan, Inf or huge value in QACC at DOF %zu. The simulation is unstable.",
      [mjWARN_BADCTRL] = "Nan, Inf or huge value in CTRL at ACTUATOR %zu. The simulation is unstable."};
  if (warning < 0 || warning >= mjNWARNING) {
    snprintf(text, sizeof(text), "Unknown warning type %d.", warning);
  } else {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (warning == mjWARN_CNSTRFULL) {
      snprintf(text, sizeof(text), format[warning], mju_writeNumBytes(info));
    } else {
      snprintf(text, sizeof(text), format[warning], info);
    }
#pragma GCC diagnostic pop
  }
  return text;
}

void mj_warning(mjData* d, int warning, int info) {
  if (warning < 0 || warning >= mjNWARNING) {
    mju_error("mj_warning: invalid warning type %d", warning);
    return;
  }

  // the message is shown once per kind; later ones only count
  mjWarningStat* const stat = &d->warning[warning];
  stat->lastinfo = info;
  if (stat->number++ == 0) mju_warning("%s Time = %.4f.", mju_warningText(warning, (size_t)info), d->time);
}
