// mj_printModel: a dump of mjModel as text.
#include <mujoco/mjxmacro.h>
#include <string.h>

#include "model/fields.h"
#include "print/print.h"

//---------------------------------- header ------------------------------------------------------------------------

// bytes of all arrays of the field table whose names start with one of the prefixes and whose row count is listed
static size_t bytesOf(const mjModel* m, const char* const* names) {
  size_t bytes = 0;
  for (; *names; names++) {
    for (int i = 0; i < mdl_nmodelFields; i++) {
      if (!strcmp(mdl_modelFields[i].name, *names)) bytes += mdl_bytes(mdl_modelFields + i, m, NULL);
    }
  }
  return bytes;
}

// who uses the memory
static void printMemory(const PrnPrinter* p, const mjModel* m) {
  static const char* const MESH[] = {
      "mesh_vert",         "mesh_normal",     "mesh_texcoord",   "mesh_face",        "mesh_facenormal",
      "mesh_facetexcoord", "mesh_graph",      "mesh_polynormal", "mesh_polyvertadr", "mesh_polyvertnum",
      "mesh_polyvert",     "mesh_polymapadr", "mesh_polymapnum", "mesh_polymap",     NULL};
  static const char* const BVH[] = {"bvh_depth", "bvh_child", "bvh_nodeid", "bvh_aabb", "oct_depth",
                                    "oct_child", "oct_aabb",  "oct_coeff",  NULL};
  static const char* const SKIN[] = {"skin_vert",
                                     "skin_texcoord",
                                     "skin_face",
                                     "skin_bonevertadr",
                                     "skin_bonevertnum",
                                     "skin_bonebindpos",
                                     "skin_bonebindquat",
                                     "skin_bonebodyid",
                                     "skin_bonevertid",
                                     "skin_bonevertweight",
                                     NULL};
  static const char* const TEXTURE[] = {"tex_data", NULL};
  const double total = (double)mj_sizeModel(m);
  const struct {
    const char* label;
    double bytes;
  } parts[] = {
      {"meshes      ", (double)bytesOf(m, MESH)   },
      {"bvhs        ", (double)bytesOf(m, BVH)    },
      {"textures    ", (double)bytesOf(m, TEXTURE)},
      {"skins       ", (double)bytesOf(m, SKIN)   }
  };

  fputs("MEMORY\n", p->file);
  prn_bytes(p, "total       ", total);
  fputc('\n', p->file);
  double other = total;
  for (int i = 0; i < 4; i++) {
    other -= parts[i].bytes;
    if (!parts[i].bytes) continue;
    prn_bytes(p, parts[i].label, parts[i].bytes);
    fputc('\n', p->file);
  }
  prn_bytes(p, "other       ", other);
  fputs("\n\n", p->file);
}

static void printLabel(const PrnPrinter* p, const char* name) {
  char label[60];
  snprintf(label, sizeof(label), "  %s", name);
  fprintf(p->file, "%-21s", label);
}

static void printNumbers(const PrnPrinter* p, const char* name, const mjtNum* data, int n) {
  printLabel(p, name);
  for (int i = 0; i < n; i++) prn_number(p, data[i]);
  fputc('\n', p->file);
}

static void printOptions(const PrnPrinter* p, const mjModel* m) {
  fputs("OPTION\n", p->file);
#define X(type, name) printNumbers(p, #name, &m->opt.name, 1);
  MJOPTION_FLOATS
#undef X
#define X(type, name)   \
  printLabel(p, #name); \
  fprintf(p->file, " %d\n", m->opt.name);
  MJOPTION_INTS
#undef X
#define X(name, n)                 \
  printLabel(p, #name);            \
  for (int i = 0; i < (n); i++) {  \
    prn_number(p, m->opt.name[i]); \
    fputc(' ', p->file);           \
  }                                \
  fputc('\n', p->file);
  MJOPTION_VECTORS
#undef X
  fputc('\n', p->file);
}

static void printHeader(const PrnPrinter* p, const mjModel* m) {
  fprintf(p->file, "MuJoCo version %s\nmodel name     %s\n\n", mj_versionString(), m->names);
  printMemory(p, m);

  // sizes that are not zero
  fputs("SIZES\n", p->file);
  for (int i = 0; i < mdl_nsizes; i++) {
    if (!mdl_size(m, i)) continue;
    printLabel(p, mdl_sizes[i].name);
    fprintf(p->file, " %lld\n", (long long)mdl_size(m, i));
  }
  fputc('\n', p->file);
  printOptions(p, m);

  // mass and statistics
  mjtNum mass = 0;
  for (int i = 0; i < m->nbody; i++) mass += m->body_mass[i];
  fprintf(p->file, "%-21s", "totalmass");
  prn_number(p, mass);
  fputs("\n\nSTATISTIC\n", p->file);
#define X(type, name, n) printNumbers(p, #name, (const mjtNum*)&m->stat.name, n);
  MJSTATISTIC_FIELDS
#undef X
  fputc('\n', p->file);

  // reference configurations
  const char* const titles[] = {"qpos0", "qpos_spring"};
  const mjtNum* const rows[] = {m->qpos0, m->qpos_spring};
  for (int k = 0; k < 2; k++) {
    fprintf(p->file, "%-21s", titles[k]);
    for (int i = 0; i < m->nq; i++) {
      prn_number(p, rows[k][i]);
      fputc(' ', p->file);
    }
    fputs("\n\n", p->file);
  }
}

//---------------------------------- objects -----------------------------------------------------------------------

// a kind of object: its arrays are those with this row count whose names start with this prefix
typedef struct {
  const char *title, *prefix;
  uint32_t count;    // offset of the number of objects in mjModel
  uint32_t address;  // offset of the array of name addresses, 0 for objects without names
  const char* gap;   // in front of the name
  void (*more)(const PrnPrinter*, const mjModel*, int);  // what follows the arrays, or NULL
} Objects;

static void printTendonPath(const PrnPrinter* p, const mjModel* m, int i) {
  fputs("  path\n    type  objid  prm\n", p->file);
  for (int k = m->tendon_adr[i]; k < m->tendon_adr[i] + m->tendon_num[i]; k++) {
    fprintf(p->file, "    %d     %d     ", m->wrap_type[k], m->wrap_objid[k]);
    prn_number(p, m->wrap_prm[k]);
    fputc('\n', p->file);
  }
  fputc('\n', p->file);
}

static void printHull(const PrnPrinter* p, const mjModel* m, int i) {
  if (m->mesh_graphadr[i] < 0) return;
  const int* const graph = m->mesh_graph + m->mesh_graphadr[i];
  fprintf(p->file, "  %-21s %d\n  %-21s %d\n", "qhull face", graph[1], "qhull vert", graph[0]);
}

#define OBJECTS(title, prefix, count, address) \
  { title, prefix, offsetof(mjModel, count), offsetof(mjModel, address), " ", NULL }

// clang-format off
static const Objects OBJECTS[] = {
    OBJECTS("BODY", "body_", nbody, name_bodyadr),
    OBJECTS("JOINT", "jnt_", njnt, name_jntadr),
    {"DOF", "dof_", offsetof(mjModel, nv), 0, NULL, NULL},
    {"TREE", "tree_", offsetof(mjModel, ntree), 0, NULL, NULL},
    OBJECTS("GEOM", "geom_", ngeom, name_geomadr),
    OBJECTS("SITE", "site_", nsite, name_siteadr),
    OBJECTS("CAMERA", "cam_", ncam, name_camadr),
    OBJECTS("LIGHT", "light_", nlight, name_lightadr),
    OBJECTS("FLEX", "flex_", nflex, name_flexadr),
    {"MESH", "mesh_", offsetof(mjModel, nmesh), offsetof(mjModel, name_meshadr), " ", printHull},
    OBJECTS("SKIN", "skin_", nskin, name_skinadr),
    {"HEIGHTFIELD", "hfield_", offsetof(mjModel, nhfield), offsetof(mjModel, name_hfieldadr), "  ", NULL},
    OBJECTS("TEXTURE", "tex_", ntex, name_texadr),
    OBJECTS("MATERIAL", "mat_", nmat, name_matadr),
    OBJECTS("PAIR", "pair_", npair, name_pairadr),
    OBJECTS("EXCLUDE", "exclude_", nexclude, name_excludeadr),
    OBJECTS("EQUALITY", "eq_", neq, name_eqadr),
    {"TENDON", "tendon_", offsetof(mjModel, ntendon), offsetof(mjModel, name_tendonadr), " ", printTendonPath},
    OBJECTS("ACTUATOR", "actuator_", nu, name_actuatoradr),
    OBJECTS("SENSOR", "sensor_", nsensor, name_sensoradr),
};
// clang-format on

static void printElement(const PrnPrinter* p, const MdlField* f, const void* array, mjtSize i) {
  switch ((MdlType)f->type) {
    case MDL_NUM:
      prn_number(p, ((const mjtNum*)array)[i]);
      break;
    case MDL_FLOAT:
      prn_number(p, ((const float*)array)[i]);
      break;
    case MDL_SIZE:
      fprintf(p->file, " %lld", (long long)((const mjtSize*)array)[i]);
      break;
    case MDL_BYTE:
      fprintf(p->file, " %d", ((const mjtByte*)array)[i]);
      break;
    default:
      fprintf(p->file, " %d", ((const int*)array)[i]);
  }
  fputc(' ', p->file);
}

// row i of every array of the object
static void printObject(const PrnPrinter* p, const mjModel* m, const Objects* o, int i) {
  fprintf(p->file, "\n%s %d:\n", o->title, i);
  if (o->address) {
    const int* const address = *(int* const*)((const char*)m + o->address);
    fprintf(p->file, "  %-21s%s%s\n", "name", o->gap, m->names + address[i]);
  }
  for (int k = 0; k < mdl_nmodelFields; k++) {
    const MdlField* f = mdl_modelFields + k;
    const mjtSize n = mdl_columns(f, m);
    if (f->rows != o->count || !n || strncmp(f->name, o->prefix, strlen(o->prefix)) != 0) continue;
    fprintf(p->file, "  %-21s", f->name);
    for (mjtSize j = 0; j < n; j++) printElement(p, f, *mdl_pointer(f, m), i * n + j);
    fputc('\n', p->file);
  }
  if (o->more) o->more(p, m, i);
}

static void printObjects(const PrnPrinter* p, const mjModel* m) {
  for (size_t k = 0; k < sizeof(OBJECTS) / sizeof(OBJECTS[0]); k++) {
    const mjtSize n = *(const mjtSize*)((const char*)m + OBJECTS[k].count);
    for (int i = 0; i < n; i++) printObject(p, m, OBJECTS + k, i);
    if (n) fputc('\n', p->file);
  }
}

//---------------------------------- custom data and keyframes -----------------------------------------------------

static void printCustom(const PrnPrinter* p, const mjModel* m) {
  for (int i = 0; i < m->nnumeric; i++) {
    fprintf(p->file, "\nNUMERIC %d:\n  name         %s\n  size         %d\n  value       ", i,
            m->names + m->name_numericadr[i], m->numeric_size[i]);
    for (int k = 0; k < m->numeric_size[i]; k++) prn_number(p, m->numeric_data[m->numeric_adr[i] + k]);
    fputc('\n', p->file);
  }
  if (m->nnumeric) fputc('\n', p->file);

  for (int i = 0; i < m->ntext; i++) {
    fprintf(p->file, "\nTEXT %d:\n  name         %s\n  size         %d\n  value        %s\n", i,
            m->names + m->name_textadr[i], m->text_size[i], m->text_data + m->text_adr[i]);
  }
  if (m->ntext) fputc('\n', p->file);

  for (int i = 0; i < m->ntuple; i++) {
    fprintf(p->file, "\nTUPLE %d:\n  name         %s\n  size         %d\n  elements\n", i,
            m->names + m->name_tupleadr[i], m->tuple_size[i]);
    for (int k = m->tuple_adr[i]; k < m->tuple_adr[i] + m->tuple_size[i]; k++) {
      fprintf(p->file, "       %s %d, prm = ", mju_type2Str(m->tuple_objtype[k]), m->tuple_objid[k]);
      prn_number(p, m->tuple_objprm[k]);
      fputc('\n', p->file);
    }
  }
  if (m->ntuple) fputc('\n', p->file);
}

// 1: a number differs from the default, which is zero where no default is given
static int differs(const mjtNum* x, const mjtNum* reference, mjtSize n) {
  for (mjtSize i = 0; i < n; i++) {
    if (x[i] != (reference ? reference[i] : 0)) return 1;
  }
  return 0;
}

// 1: a mocap body is not where the model puts it
static int mocapDiffers(const mjModel* m, const mjtNum* key, const mjtNum* pose, int width) {
  for (int i = 0; i < m->nbody; i++) {
    const int id = m->body_mocapid[i];
    if (id >= 0 && differs(key + width * id, pose + width * i, width)) return 1;
  }
  return 0;
}

static void printKeyframe(const PrnPrinter* p, const mjModel* m, int i) {
  if (m->names[m->name_keyadr[i]]) fprintf(p->file, "key_name%d    %s\n", i, m->names + m->name_keyadr[i]);
  if (m->key_time[i] != 0) fprintf(p->file, "key_time%d    %.4f\n", i, m->key_time[i]);

  // rows of the tables, each with whether it says anything
  const mjtSize nmocap = m->nmocap;
  const mjtNum *qpos = m->key_qpos + m->nq * i, *qvel = m->key_qvel + m->nv * i, *act = m->key_act + m->na * i;
  const mjtNum *mpos = m->key_mpos + 3 * nmocap * i, *mquat = m->key_mquat + 4 * nmocap * i;
  const mjtNum* const ctrl = m->key_ctrl + m->nu * i;
  const struct {
    const char* name;
    const mjtNum* row;
    mjtSize n;
    int show;
  } parts[] = {
  // clang-format off
      {"qpos",  qpos,  m->nq,      differs(qpos, m->qpos0, m->nq)},
      {"qvel",  qvel,  m->nv,      differs(qvel, NULL, m->nv)},
      {"act",   act,   m->na,      differs(act, NULL, m->na)},
      {"mpos",  mpos,  3 * nmocap, mocapDiffers(m, mpos, m->body_pos, 3)},
      {"mquat", mquat, 4 * nmocap, mocapDiffers(m, mquat, m->body_quat, 4)},
      {"ctrl",  ctrl,  m->nu,      differs(ctrl, NULL, m->nu)},
  // clang-format on
  };
  int any = 0;
  for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
    any |= parts[k].show;
    if (!parts[k].show) continue;
    fprintf(p->file, "key_%s%d   ", parts[k].name, i);
    for (mjtSize j = 0; j < parts[k].n; j++) prn_number(p, parts[k].row[j]);
    fputc('\n', p->file);
  }
  if (any) fputc('\n', p->file);
}

//---------------------------------- sparse patterns and bounding volumes ------------------------------------------

static void printPatterns(const PrnPrinter* p, const mjModel* m) {
  const int nv = (int)m->nv, nbody = (int)m->nbody;
  prn_pattern(p, "B: body-dof matrix", &(PrnSparse){nbody, nv, m->B_rownnz, m->B_rowadr, m->B_colind, 0, 0, 0});
  prn_ints(p, "B_ROWNNZ", 1, nbody, m->B_rownnz);
  prn_ints(p, "B_ROWADR", 1, nbody, m->B_rowadr);
  prn_ints(p, "B_COLIND", 1, m->nB, m->B_colind);
  prn_pattern(p, "M: reduced inertia matrix", &(PrnSparse){nv, nv, m->M_rownnz, m->M_rowadr, m->M_colind, 0, 0, 0});
  prn_ints(p, "M_ROWNNZ", 1, nv, m->M_rownnz);
  prn_ints(p, "M_ROWADR", 1, nv, m->M_rowadr);
  prn_ints(p, "M_COLIND", 1, m->nC, m->M_colind);
  prn_ints(p, "MAPM2M", 1, m->nC, m->mapM2M);
  prn_pattern(p, "D: dof-dof matrix", &(PrnSparse){nv, nv, m->D_rownnz, m->D_rowadr, m->D_colind, m->D_diag, 0, 0});
  prn_ints(p, "D_ROWNNZ", 1, nv, m->D_rownnz);
  prn_ints(p, "D_ROWADR", 1, nv, m->D_rowadr);
  prn_ints(p, "D_COLIND", 1, m->nD, m->D_colind);
  prn_ints(p, "MAPM2D", 1, m->nD, m->mapM2D);
  prn_ints(p, "MAPD2M", 1, m->nC, m->mapD2M);
}

static void printVolumes(const PrnPrinter* p, const mjModel* m) {
  fprintf(p->file, "BVH:\n  %-8s%-8s%-8s%-10s%-s\n", "id", "depth", "nodeid", "child[0]", "child[1]");
  for (int i = 0; i < m->nbvh; i++) {
    fprintf(p->file, "  %-8d%-8d% -8d% -10d% -d\n", i, m->bvh_depth[i], m->bvh_nodeid[i], m->bvh_child[2 * i],
            m->bvh_child[2 * i + 1]);
  }
  fputc('\n', p->file);
}

//---------------------------------- public ------------------------------------------------------------------------

void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format) {
  if (!m) {
    mju_error("mj_printFormattedModel: m is NULL");
    return;
  }
  PrnPrinter p;
  if (!prn_start(&p, filename, float_format)) return;
  printHeader(&p, m);
  printObjects(&p, m);
  printCustom(&p, m);
  for (int i = 0; i < m->nkey; i++) printKeyframe(&p, m, i);
  printPatterns(&p, m);
  fprintf(p.file, "\nSIGNATURE\n  %lu\n\n", (unsigned long)m->signature);
  printVolumes(&p, m);
  prn_end(&p);
}

void mj_printModel(const mjModel* m, const char* filename) {
  mj_printFormattedModel(m, filename, "% -9.2g");
}
