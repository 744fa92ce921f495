// Checks of a model that comes from outside. Most of it is one table of rules, worked through from top to bottom; later
// rules rely on earlier ones. What does not fit into a row (values whose meaning depends on a type, trees, sparse
// patterns) follows in small functions, which are listed at the end.
#include "model/check.h"

#include <stdio.h>
#include <string.h>

#include "model/checks.h"
#include "model/fields.h"
#include "base/assert.h"

//---------------------------------- messages ----------------------------------------------------------------------

int mdl_fail(MdlCheck* c, const char* array, mjtSize element, mjtSize value, const char* expected) {
  snprintf(c->error, (size_t)c->error_sz, "Invalid model: %s[%lld] is %lld, expected %s", array, (long long)element,
           (long long)value, expected);
  return 0;
}

int mdl_failRange(MdlCheck* c, const char* array, mjtSize element, mjtSize value, const mjtSize range[2]) {
  snprintf(c->error, (size_t)c->error_sz, "Invalid model: %s[%lld] is %lld, expected a value from %lld to %lld", array,
           (long long)element, (long long)value, (long long)range[0], (long long)range[1]);
  return 0;
}

//---------------------------------- table -------------------------------------------------------------------------

// what a rule says about the values of an int array
typedef enum {
  IS_INDEX,   // low <= value < size
  IS_CHOICE,  // low <= value <= last
  IS_DIM,     // contact dimension: 1, 3, 4 or 6
  IS_SPAN,    // value .. value + count lies within [0, size); value may be -1 where count is 0
  IS_OWNED,   // the span of owner i holds exactly the elements that name i as their owner
  IS_LOCAL,   // elements of owner i's span are indices: low <= value < limit of i
  IS_ROWS,    // rows of a sparse matrix follow each other and fill it
} Kind;

// one rule; offsets are those of pointers or sizes in mjModel
typedef struct {
  Kind kind;
  uint32_t array;  // whose values are checked
  uint32_t count;  // SPAN, OWNED, LOCAL, ROWS: array with the owners' counts
  uint32_t span;   // LOCAL: array with the owners' addresses
  int low;         // INDEX, CHOICE, LOCAL: smallest value
  uint32_t limit;  // INDEX, SPAN, ROWS: size; CHOICE: largest value; LOCAL: array with the owners' limits; OWNED: owner
                   // array
} Rule;

#define AT(name) offsetof(mjModel, name)
#define INDEX(array, low, size) \
  { IS_INDEX, AT(array), 0, 0, low, AT(size) }
#define CHOICE(array, low, last) \
  { IS_CHOICE, AT(array), 0, 0, low, last }
#define DIM(array) \
  { IS_DIM, AT(array), 0, 0, 0, 0 }
#define SPAN(array, count, size) \
  { IS_SPAN, AT(array), AT(count), 0, 0, AT(size) }
#define OWNED(array, count, owner) \
  { IS_OWNED, AT(array), AT(count), 0, 0, AT(owner) }
#define LOCAL(array, span, count, low, lim) \
  { IS_LOCAL, AT(array), AT(count), AT(span), low, AT(lim) }
#define ROWS(array, count, size) \
  { IS_ROWS, AT(array), AT(count), 0, 0, AT(size) }

// the table is longer than a function may be because mjModel has this many index arrays
// clang-format off
static const Rule RULES[] = {
    // bodies
    INDEX(body_parentid, 0, nbody),
    INDEX(body_rootid, 0, nbody),
    INDEX(body_weldid, 0, nbody),
    INDEX(body_mocapid, -1, nmocap),
    INDEX(body_treeid, -1, ntree),
    INDEX(body_plugin, -1, nplugin),
    SPAN(body_jntadr, body_jntnum, njnt),
    SPAN(body_dofadr, body_dofnum, nv),
    SPAN(body_geomadr, body_geomnum, ngeom),
    SPAN(body_bvhadr, body_bvhnum, nbvhstatic),
    CHOICE(body_simple, 0, 2),
    CHOICE(body_sameframe, 0, mjSAMEFRAME_INERTIAROT),

    // joints, dofs, trees
    CHOICE(jnt_type, 0, mjJNT_HINGE),
    INDEX(jnt_bodyid, 0, nbody),
    INDEX(jnt_qposadr, 0, nq),
    INDEX(jnt_dofadr, 0, nv),
    OWNED(body_jntadr, body_jntnum, jnt_bodyid),
    INDEX(dof_bodyid, 0, nbody),
    INDEX(dof_jntid, 0, njnt),
    INDEX(dof_parentid, -1, nv),
    INDEX(dof_treeid, 0, ntree),
    INDEX(dof_Madr, 0, nM),
    OWNED(body_dofadr, body_dofnum, dof_bodyid),
    SPAN(tree_bodyadr, tree_bodynum, nbody),
    SPAN(tree_dofadr, tree_dofnum, nv),
    OWNED(tree_dofadr, tree_dofnum, dof_treeid),
    CHOICE(tree_sleep_policy, 0, mjSLEEP_INIT),

    // geoms, sites, cameras, lights
    CHOICE(geom_type, 0, mjNGEOMTYPES - 1),
    DIM(geom_condim),
    INDEX(geom_bodyid, 0, nbody),
    INDEX(geom_matid, -1, nmat),
    INDEX(geom_plugin, -1, nplugin),
    CHOICE(geom_sameframe, 0, mjSAMEFRAME_INERTIAROT),
    OWNED(body_geomadr, body_geomnum, geom_bodyid),
    CHOICE(site_type, 0, mjNGEOMTYPES - 1),
    INDEX(site_bodyid, 0, nbody),
    INDEX(site_matid, -1, nmat),
    CHOICE(site_sameframe, 0, mjSAMEFRAME_INERTIAROT),
    CHOICE(cam_mode, 0, mjCAMLIGHT_TARGETBODYCOM),
    INDEX(cam_bodyid, 0, nbody),
    INDEX(cam_targetbodyid, -1, nbody),
    CHOICE(cam_projection, 0, mjPROJ_ORTHOGRAPHIC),
    CHOICE(cam_resolution, 0, 1 << 24),
    CHOICE(light_mode, 0, mjCAMLIGHT_TARGETBODYCOM),
    INDEX(light_bodyid, 0, nbody),
    INDEX(light_targetbodyid, -1, nbody),
    CHOICE(light_type, 0, mjLIGHT_IMAGE),
    INDEX(light_texid, -1, ntex),

    // flexes: vertices, edges and elements are numbered within their flex
    DIM(flex_condim),
    CHOICE(flex_selfcollide, 0, mjFLEXSELF_AUTO),
    CHOICE(flex_dim, 1, 3),
    CHOICE(flex_interp, 0, 2),
    CHOICE(flex_edgeequality, 0, 3),
    INDEX(flex_matid, -1, nmat),
    SPAN(flex_nodeadr, flex_nodenum, nflexnode),
    SPAN(flex_vertadr, flex_vertnum, nflexvert),
    SPAN(flex_edgeadr, flex_edgenum, nflexedge),
    SPAN(flex_elemadr, flex_elemnum, nflexelem),
    SPAN(flex_evpairadr, flex_evpairnum, nflexevpair),
    SPAN(flex_bvhadr, flex_bvhnum, nbvh),
    INDEX(flex_nodebodyid, 0, nbody),
    INDEX(flex_vertbodyid, -1, nbody),
    LOCAL(flex_edge, flex_edgeadr, flex_edgenum, 0, flex_vertnum),
    LOCAL(flex_edgeflap, flex_edgeadr, flex_edgenum, -1, flex_vertnum),
    SPAN(flexedge_J_rowadr, flexedge_J_rownnz, nJfe),
    INDEX(flexedge_J_colind, 0, nv),
    INDEX(flexvert_J_colind, 0, nv),

    // meshes: vertices, normals, texture coordinates and polygons are numbered within their mesh
    SPAN(mesh_vertadr, mesh_vertnum, nmeshvert),
    SPAN(mesh_normaladr, mesh_normalnum, nmeshnormal),
    SPAN(mesh_texcoordadr, mesh_texcoordnum, nmeshtexcoord),
    SPAN(mesh_faceadr, mesh_facenum, nmeshface),
    SPAN(mesh_bvhadr, mesh_bvhnum, nbvhstatic),
    SPAN(mesh_octadr, mesh_octnum, noct),
    SPAN(mesh_polyadr, mesh_polynum, nmeshpoly),
    SPAN(mesh_polyvertadr, mesh_polyvertnum, nmeshpolyvert),
    SPAN(mesh_polymapadr, mesh_polymapnum, nmeshpolymap),
    INDEX(mesh_graphadr, -1, nmeshgraph),
    INDEX(mesh_pathadr, -1, npaths),
    LOCAL(mesh_face, mesh_faceadr, mesh_facenum, 0, mesh_vertnum),
    LOCAL(mesh_facenormal, mesh_faceadr, mesh_facenum, -1, mesh_normalnum),  // -1: the corner was given none

    // skins
    INDEX(skin_matid, -1, nmat),
    SPAN(skin_vertadr, skin_vertnum, nskinvert),
    SPAN(skin_faceadr, skin_facenum, nskinface),
    SPAN(skin_boneadr, skin_bonenum, nskinbone),
    SPAN(skin_bonevertadr, skin_bonevertnum, nskinbonevert),
    INDEX(skin_texcoordadr, -1, nskintexvert),
    INDEX(skin_bonebodyid, 0, nbody),
    INDEX(skin_pathadr, -1, npaths),
    LOCAL(skin_face, skin_faceadr, skin_facenum, 0, skin_vertnum),

    // height fields, textures, materials
    INDEX(hfield_pathadr, -1, npaths),
    CHOICE(tex_type, 0, mjTEXTURE_SKYBOX),
    CHOICE(tex_colorspace, 0, mjCOLORSPACE_SRGB),
    INDEX(tex_pathadr, -1, npaths),
    INDEX(mat_texid, -1, ntex),

    // contact pairs
    DIM(pair_dim),
    INDEX(pair_geom1, 0, ngeom),
    INDEX(pair_geom2, 0, ngeom),

    // equalities, tendons
    CHOICE(eq_type, 0, mjEQ_FLEXVERT),
    SPAN(tendon_adr, tendon_num, nwrap),
    INDEX(tendon_matid, -1, nmat),
    INDEX(tendon_treeid, -1, ntree),
    CHOICE(wrap_type, 0, mjWRAP_CYLINDER),

    // actuators
    CHOICE(actuator_dyntype, 0, mjDYN_USER),
    CHOICE(actuator_gaintype, 0, mjGAIN_USER),
    CHOICE(actuator_biastype, 0, mjBIAS_USER),
    SPAN(actuator_actadr, actuator_actnum, na),
    INDEX(actuator_plugin, -1, nplugin),

    // sensors, plugins
    CHOICE(sensor_type, 0, mjSENS_USER),
    CHOICE(sensor_datatype, 0, mjDATATYPE_QUATERNION),
    CHOICE(sensor_needstage, 0, mjSTAGE_ACC),
    SPAN(sensor_adr, sensor_dim, nsensordata),
    INDEX(sensor_plugin, -1, nplugin),
    SPAN(plugin_stateadr, plugin_statenum, npluginstate),
    INDEX(plugin_attradr, -1, npluginattr),

    // custom data
    SPAN(numeric_adr, numeric_size, nnumericdata),
    SPAN(text_adr, text_size, ntextdata),
    SPAN(tuple_adr, tuple_size, ntupledata),

    // names
    INDEX(name_bodyadr, 0, nnames),
    INDEX(name_jntadr, 0, nnames),
    INDEX(name_geomadr, 0, nnames),
    INDEX(name_siteadr, 0, nnames),
    INDEX(name_camadr, 0, nnames),
    INDEX(name_lightadr, 0, nnames),
    INDEX(name_flexadr, 0, nnames),
    INDEX(name_meshadr, 0, nnames),
    INDEX(name_skinadr, 0, nnames),
    INDEX(name_hfieldadr, 0, nnames),
    INDEX(name_texadr, 0, nnames),
    INDEX(name_matadr, 0, nnames),
    INDEX(name_pairadr, 0, nnames),
    INDEX(name_excludeadr, 0, nnames),
    INDEX(name_eqadr, 0, nnames),
    INDEX(name_tendonadr, 0, nnames),
    INDEX(name_actuatoradr, 0, nnames),
    INDEX(name_sensoradr, 0, nnames),
    INDEX(name_numericadr, 0, nnames),
    INDEX(name_textadr, 0, nnames),
    INDEX(name_tupleadr, 0, nnames),
    INDEX(name_keyadr, 0, nnames),
    INDEX(name_pluginadr, 0, nnames),

    // sparse patterns
    ROWS(B_rowadr, B_rownnz, nB),
    ROWS(M_rowadr, M_rownnz, nC),
    ROWS(D_rowadr, D_rownnz, nD),
    INDEX(B_colind, 0, nv),
    INDEX(M_colind, 0, nv),
    INDEX(D_colind, 0, nv),
    INDEX(mapM2M, 0, nM),
    INDEX(mapM2D, -1, nC),
    INDEX(mapD2M, 0, nD),
};
// clang-format on

//---------------------------------- evaluation of the table -------------------------------------------------------

// field whose pointer is at this offset; the table names only fields that exist, and they lie as in the field table
static const MdlField* fieldAt(uint32_t offset) {
  const MdlField* f = mdl_modelFields + (offset - mdl_modelFields[0].pointer) / sizeof(void*);
  BAS_ASSERT(f->pointer == offset);
  return f;
}

static mjtSize sizeAt(const mjModel* m, uint32_t offset) {
  return *(const mjtSize*)((const char*)m + offset);
}

static const int* intsAt(const mjModel* m, uint32_t offset) {
  return *(int* const*)((const char*)m + offset);
}

// value of an array of ints or bytes
static int valueOf(const MdlField* f, const mjModel* m, mjtSize i) {
  const void* const array = *mdl_pointer(f, m);
  return f->type == MDL_BYTE ? ((const mjtByte*)array)[i] : ((const int*)array)[i];
}

// every value from low to last
static int checkValues(MdlCheck* c, const MdlField* f, mjtSize low, mjtSize last) {
  const mjtSize n = mdl_rows(f, c->m, NULL) * mdl_columns(f, c->m);
  for (mjtSize i = 0; i < n; i++) {
    const int value = valueOf(f, c->m, i);
    if (value < low || value > last) return mdl_failRange(c, f->name, i, value, (mjtSize[]){low, last});
  }
  return 1;
}

static int checkDims(MdlCheck* c, const MdlField* f) {
  for (mjtSize i = 0; i < mdl_rows(f, c->m, NULL); i++) {
    const int dim = valueOf(f, c->m, i);
    if (dim != 1 && dim != 3 && dim != 4 && dim != 6) return mdl_fail(c, f->name, i, dim, "1, 3, 4 or 6");
  }
  return 1;
}

static int checkSpans(MdlCheck* c, const MdlField* f, const MdlField* count, mjtSize size) {
  for (mjtSize i = 0; i < mdl_rows(f, c->m, NULL); i++) {
    const int start = valueOf(f, c->m, i), n = valueOf(count, c->m, i);
    if (n < 0) return mdl_failRange(c, count->name, i, n, (mjtSize[]){0, size});
    if (n > size) {
      char room[100];
      snprintf(room, sizeof(room), "room for %d elements, of which there are %lld", n, (long long)size);
      return mdl_fail(c, f->name, i, start, room);
    }
    const mjtSize range[2] = {n ? 0 : -1, size - n};
    if (start < range[0] || start > range[1]) return mdl_failRange(c, f->name, i, start, range);
  }
  return 1;
}

// spans cover their target without overlap, because each element lies in the span of the owner it names
static int checkOwners(MdlCheck* c, const MdlField* f, const MdlField* count, const MdlField* owner) {
  mjtSize total = 0;
  for (mjtSize i = 0; i < mdl_rows(f, c->m, NULL); i++) total += valueOf(count, c->m, i);
  const mjtSize n = mdl_rows(owner, c->m, NULL);
  if (total != n) return mdl_fail(c, count->name, 0, total, "counts that add up to the number of elements");
  for (mjtSize i = 0; i < n; i++) {
    const int o = valueOf(owner, c->m, i);
    const mjtSize start = valueOf(f, c->m, o);
    if (i < start || i >= start + valueOf(count, c->m, o)) {
      return mdl_fail(c, owner->name, i, o, "the owner whose span holds this element");
    }
  }
  return 1;
}

static int checkLocal(MdlCheck* c, const MdlField* f, const Rule* rule) {
  const mjModel* m = c->m;
  const int *start = intsAt(m, rule->span), *count = intsAt(m, rule->count), *limit = intsAt(m, rule->limit);
  const mjtSize width = mdl_columns(f, m), owners = mdl_rows(fieldAt(rule->span), m, NULL);
  for (mjtSize o = 0; o < owners; o++) {
    const mjtSize range[2] = {rule->low, limit[o] - 1};
    for (mjtSize k = 0; k < count[o] * width; k++) {
      const int value = valueOf(f, m, start[o] * width + k);
      if (value < range[0] || value > range[1]) {
        return mdl_failRange(c, f->name, start[o] * width + k, value, range);
      }
    }
  }
  return 1;
}

// rows lie one after the other; the last one ends where the matrix does
static int checkRows(MdlCheck* c, const MdlField* f, const MdlField* count, mjtSize size) {
  mjtSize end = 0;
  for (mjtSize i = 0; i < mdl_rows(f, c->m, NULL) * mdl_columns(f, c->m); i++) {
    const int start = valueOf(f, c->m, i), n = valueOf(count, c->m, i);
    if (n < 0 || n > size - end) return mdl_failRange(c, count->name, i, n, (mjtSize[]){0, size - end});
    if (n ? start != end : start < 0 || start > size) {
      return mdl_fail(c, f->name, i, start, "the end of the row before");
    }
    end += n;
  }
  if (end != size && mdl_rows(f, c->m, NULL)) {
    return mdl_fail(c, count->name, 0, end, "counts that add up to the number of stored entries");
  }
  return 1;
}

static int checkRule(MdlCheck* c, const Rule* rule) {
  const MdlField* const f = fieldAt(rule->array);
  switch (rule->kind) {
    case IS_INDEX:
      return checkValues(c, f, rule->low, sizeAt(c->m, rule->limit) - 1);
    case IS_CHOICE:
      return checkValues(c, f, rule->low, rule->limit);
    case IS_DIM:
      return checkDims(c, f);
    case IS_SPAN:
      return checkSpans(c, f, fieldAt(rule->count), sizeAt(c->m, rule->limit));
    case IS_OWNED:
      return checkOwners(c, f, fieldAt(rule->count), fieldAt(rule->limit));
    case IS_LOCAL:
      return checkLocal(c, f, rule);
    case IS_ROWS:
      return checkRows(c, f, fieldAt(rule->count), sizeAt(c->m, rule->limit));
  }
  return 0;
}

int mdl_check(const mjModel* m, char* error, int error_sz) {
  MdlCheck c = {m, error, error_sz};
  for (size_t i = 0; i < sizeof(RULES) / sizeof(RULES[0]); i++) {
    if (!checkRule(&c, RULES + i)) return 0;
  }

  // what depends on types or on several arrays at once
  for (int i = 0; mdl_checks[i]; i++) {
    if (!mdl_checks[i](&c)) return 0;
  }
  return 1;
}
