// Fields of models, data and scenes; see fields.h.
#include "golden/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mjxmacro.h>

//---------------------------------- kinds of elements ----------------------------------

static void nums(Rec* rec, const char* name, const void* x, size_t n) {
  rec_num(rec, name, x, n);
}
static void floats(Rec* rec, const char* name, const void* x, size_t n) {
  rec_float(rec, name, x, n);
}
static void ints(Rec* rec, const char* name, const void* x, size_t n) {
  rec_int(rec, name, x, n);
}
static void bytes(Rec* rec, const char* name, const void* x, size_t n) {
  rec_bytes(rec, name, x, n);
}
static void sizes(Rec* rec, const char* name, const void* x, size_t n) {
  rec_bytes(rec, name, x, n * sizeof(mjtSize));
}

// the way an element of a type is recorded
#define ADDER(type) \
  _Generic((type){0}, double : nums, float : floats, int : ints, mjtByte : bytes, char : bytes, mjtSize : sizes)

// arrays without elements leave no record
#define ARRAY(type, name, x, n) \
  if ((n) > 0 && (x)) ADDER(type)(rec, name, x, (size_t)(n));

void fld_structs(Rec* rec, const void* structs, size_t n, size_t stride, const FldMember* member) {
  for (; member->name; member++) {
    const size_t width = member->kind == 'd' ? sizeof(double) : member->kind == 'b' ? 1 : sizeof(int);
    const size_t size = width * (size_t)member->count;
    char* const all = malloc(n * size + 1);
    for (size_t i = 0; i < n; i++) memcpy(all + i * size, (const char*)structs + i * stride + member->offset, size);
    const size_t count = n * (size_t)member->count;
    if (member->kind == 'd') rec_num(rec, member->name, (const double*)(const void*)all, count);
    if (member->kind == 'f') rec_float(rec, member->name, (const float*)(const void*)all, count);
    if (member->kind == 'i' || member->kind == 'b') rec_bytes(rec, member->name, all, n * size);
    free(all);
  }
}

//---------------------------------- model ----------------------------------

static void options(Rec* rec, const mjModel* m) {
#define X(type, name) ARRAY(type, #name, &m->opt.name, 1)
  MJOPTION_SCALARS
#undef X
#define X(name, n) ARRAY(mjtNum, #name, m->opt.name, n)
  MJOPTION_VECTORS
#undef X
#define X(type, name, n) ARRAY(type, #name, (const void*)&m->stat.name, n)
  MJSTATISTIC_FIELDS
#undef X
  // vis has no padding and only floats and ints
  rec_bytes(rec, "vis", &m->vis, sizeof(m->vis));
}

void fld_model(Rec* rec, const mjModel* m) {
#define X(name) \
  if (strcmp(#name, "nbuffer") != 0 && strcmp(#name, "narena") != 0) rec_bytes(rec, #name, &m->name, sizeof(m->name));
  MJMODEL_SIZES
#undef X
  options(rec, m);
#undef MJ_M
#define MJ_M(n)               m->n
#define X(type, name, nr, nc) ARRAY(type, #name, m->name, m->nr*(nc))
  MJMODEL_POINTERS
#undef X
}

//---------------------------------- data ----------------------------------

#define MEMBER(name, count, kind) \
  { #name, offsetof(mjContact, name), count, kind }

static const FldMember CONTACT[] = {
    MEMBER(dist, 1, 'd'),     MEMBER(pos, 3, 'd'),    MEMBER(frame, 9, 'd'),          MEMBER(includemargin, 1, 'd'),
    MEMBER(friction, 5, 'd'), MEMBER(solref, 2, 'd'), MEMBER(solreffriction, 2, 'd'), MEMBER(solimp, 5, 'd'),
    MEMBER(mu, 1, 'd'),       MEMBER(dim, 1, 'i'),    MEMBER(geom, 2, 'i'),           MEMBER(flex, 2, 'i'),
    MEMBER(elem, 2, 'i'),     MEMBER(vert, 2, 'i'),   MEMBER(exclude, 1, 'i'),        MEMBER(efc_address, 1, 'i'),
    {NULL, 0, 0, 0}
};
#undef MEMBER

// arrays that are only partly in use, belong to the memory of a library or tell how it searched
static int skipped(const char* name) {
  static const char* const NAMES[] = {"plugin_data",      "ten_J",
                                      "ten_J_colind",     "wrap_obj",
                                      "wrap_xpos",        "body_awake_ind",
                                      "parent_awake_ind", "dof_awake_ind",
                                      "moment_colind",    "actuator_moment",
                                      "qacc_warmstart",   "history",
                                      "bvh_active",       NULL};
  for (int i = 0; NAMES[i]; i++) {
    if (strcmp(name, NAMES[i]) == 0) return 1;
  }
  return 0;
}

// dense tendon Jacobian and moments, path points in use, what is awake
static void partlyUsed(Rec* rec, const mjModel* m, const mjData* d) {
  const int nv = (int)m->nv, ntendon = (int)m->ntendon, nu = (int)m->nu;
  double* const dense = calloc((size_t)(nv * (ntendon + nu)) + 1, sizeof(double));
  for (int i = 0; i < ntendon && !mj_isSparse(m); i++)
    memcpy(dense + i * nv, d->ten_J + i * nv, sizeof(double) * (size_t)nv);
  for (int i = 0; i < ntendon && mj_isSparse(m); i++) {
    for (int k = 0; k < d->ten_J_rownnz[i]; k++) {
      dense[i * nv + d->ten_J_colind[d->ten_J_rowadr[i] + k]] = d->ten_J[d->ten_J_rowadr[i] + k];
    }
  }
  ARRAY(mjtNum, "ten_J", dense, ntendon * nv)
  double* const moment = dense + ntendon * nv;
  for (int i = 0; i < nu; i++) {
    for (int k = 0; k < d->moment_rownnz[i]; k++) {
      moment[i * nv + d->moment_colind[d->moment_rowadr[i] + k]] = d->actuator_moment[d->moment_rowadr[i] + k];
    }
  }
  ARRAY(mjtNum, "actuator_moment", moment, nu * nv)
  free(dense);
  for (int i = 0; i < ntendon; i++) {
    rec_int(rec, "wrap_obj", d->wrap_obj + d->ten_wrapadr[i], (size_t)d->ten_wrapnum[i]);
    rec_num(rec, "wrap_xpos", d->wrap_xpos + 3 * d->ten_wrapadr[i], (size_t)(3 * d->ten_wrapnum[i]));
  }
  rec_int(rec, "body_awake_ind", d->body_awake_ind, (size_t)d->nbody_awake);
  rec_int(rec, "parent_awake_ind", d->parent_awake_ind, (size_t)d->nparent_awake);
  rec_int(rec, "dof_awake_ind", d->dof_awake_ind, (size_t)d->nv_awake);
}

// patterns of Jacobians are made for sparse models only, some copies in island order only for some solvers; after a
// solution by islands the reference leaves other states
static int rowsInUse(const mjModel* m, const mjData* d, const char* name) {
  if (strcmp(name, "efc_state") == 0) return d->nisland == 0;
  if (strstr(name, "_J_row") || strstr(name, "_J_colind")) return mj_isSparse(m);
  return strncmp(name, "iefc", 4) != 0 && strncmp(name, "iacc", 4) != 0 && strncmp(name, "ifrc", 4) != 0;
}

void fld_data(Rec* rec, const mjModel* m, const mjData* d) {
  rec_num(rec, "time", &d->time, 1);
  rec_num(rec, "energy", d->energy, 2);
  for (int i = 0; i < mjNWARNING; i++) rec_int(rec, "warning", &d->warning[i].number, 1);
  const int counts[] = {d->ncon,  d->ne,          d->nf,          d->nl,       d->nefc, d->nisland,
                        d->nidof, d->ntree_awake, d->nbody_awake, d->nv_awake, d->nJ,   d->nA};
  rec_int(rec, "counts", counts, sizeof(counts) / sizeof(int));
#define uintptr_t mjtSize
#define X(type, name, nr, nc)                            \
  if (!skipped(#name)) {                                 \
    ARRAY(type, #name, (const void*)d->name, m->nr*(nc)) \
  }
  MJDATA_POINTERS
#undef X
#undef uintptr_t
  partlyUsed(rec, m, d);
  fld_structs(rec, d->contact, (size_t)d->ncon, sizeof(mjContact), CONTACT);
#undef MJ_D
#define MJ_D(n) d->n
// of changing number: recorded also when there are none
#define X(type, name, nr, nc) \
  ADDER(type)(rec, #name, d->name, rowsInUse(m, d, #name) && d->name ? (size_t)((nr) * (nc)) : 0);
  MJDATA_ARENA_POINTERS_SOLVER
  MJDATA_ARENA_POINTERS_DUAL
#undef X
// the inertia of islands is in use only for their degrees of freedom
#define X(type, name, nr, nc)                                                                           \
  if (strcmp(#nr, "MJ_M(nC)") != 0) {                                                                   \
    ADDER(type)(rec, #name, d->name, rowsInUse(m, d, #name) && d->nisland ? (size_t)((nr) * (nc)) : 0); \
  }
  MJDATA_ARENA_POINTERS_ISLAND
#undef X
}

void fld_state(Rec* rec, const mjModel* m, const mjData* d) {
  rec_num(rec, "time", &d->time, 1);
  ARRAY(mjtNum, "qpos", d->qpos, m->nq)
  ARRAY(mjtNum, "qvel", d->qvel, m->nv)
  ARRAY(mjtNum, "act", d->act, m->na)
  ARRAY(mjtNum, "qacc", d->qacc, m->nv)
  ARRAY(mjtNum, "sensordata", d->sensordata, m->nsensordata)
  ARRAY(mjtNum, "qfrc_constraint", d->qfrc_constraint, m->nv)
  ARRAY(int, "tree_asleep", d->tree_asleep, m->ntree)
  rec_int(rec, "ncon", &d->ncon, 1);
  rec_int(rec, "nefc", &d->nefc, 1);
  // scratch is given back
  rec_int(rec, "scratch", (const int[]){d->pstack == 0}, 1);
}

//---------------------------------- scene ----------------------------------

#define MEMBER(name, count, kind) \
  { #name, offsetof(mjvGeom, name), count, kind }

static const FldMember GEOM[] = {
    MEMBER(type, 1, 'i'),     MEMBER(dataid, 1, 'i'),      MEMBER(objtype, 1, 'i'),     MEMBER(objid, 1, 'i'),
    MEMBER(category, 1, 'i'), MEMBER(matid, 1, 'i'),       MEMBER(texcoord, 1, 'i'),    MEMBER(segid, 1, 'i'),
    MEMBER(size, 3, 'f'),     MEMBER(pos, 3, 'f'),         MEMBER(mat, 9, 'f'),         MEMBER(rgba, 4, 'f'),
    MEMBER(emission, 1, 'f'), MEMBER(specular, 1, 'f'),    MEMBER(shininess, 1, 'f'),   MEMBER(reflectance, 1, 'f'),
    MEMBER(camdist, 1, 'f'),  MEMBER(modelrbound, 1, 'f'), MEMBER(transparent, 1, 'b'), {NULL, 0, 0, 0}
};
#undef MEMBER
#define MEMBER(name, count, kind) \
  { #name, offsetof(mjvLight, name), count, kind }

static const FldMember LIGHT[] = {
    MEMBER(id, 1, 'i'),
    MEMBER(pos, 3, 'f'),
    MEMBER(dir, 3, 'f'),
    MEMBER(type, 1, 'i'),
    MEMBER(texid, 1, 'i'),
    MEMBER(attenuation, 3, 'f'),
    MEMBER(cutoff, 1, 'f'),
    MEMBER(exponent, 1, 'f'),
    MEMBER(ambient, 3, 'f'),
    MEMBER(diffuse, 3, 'f'),
    MEMBER(specular, 3, 'f'),
    MEMBER(headlight, 1, 'b'),
    MEMBER(castshadow, 1, 'b'),
    MEMBER(bulbradius, 1, 'f'),
    MEMBER(intensity, 1, 'f'),
    MEMBER(range, 1, 'f'),
    {NULL, 0, 0, 0}
};
#undef MEMBER

// texture coordinates of other flexes are left as they were
static int textured(const mjvScene* scn, int flex) {
  for (int i = 0; i < scn->ngeom; i++) {
    const mjvGeom* const geom = scn->geoms + i;
    if (geom->type == mjGEOM_FLEX && geom->objid == flex) return geom->texcoord;
  }
  return 0;
}

void fld_scene(Rec* rec, const mjvScene* scn) {
  rec_int(rec, "ngeom", &scn->ngeom, 1);
  fld_structs(rec, scn->geoms, (size_t)scn->ngeom, sizeof(mjvGeom), GEOM);
  char* const labels = calloc((size_t)scn->ngeom + 1, sizeof(scn->geoms[0].label) + 1);
  for (int i = 0; i < scn->ngeom; i++) sprintf(labels + strlen(labels), "%s\n", scn->geoms[i].label);
  rec_text(rec, "labels", labels);
  free(labels);
  rec_int(rec, "nlight", &scn->nlight, 1);
  fld_structs(rec, scn->lights, (size_t)scn->nlight, sizeof(mjvLight), LIGHT);
  for (int i = 0; i < 2; i++) rec_float(rec, "camera", scn->camera[i].pos, 15);
  for (int i = 0; i < scn->nskin; i++) {
    const size_t adr = 3 * (size_t)scn->skinvertadr[i], n = 3 * (size_t)scn->skinvertnum[i];
    rec_float(rec, "skinvert", scn->skinvert + adr, n);
    rec_float(rec, "skinnormal", scn->skinnormal + adr, n);
  }
  for (int i = 0; i < scn->nflex; i++) {
    const size_t face = (size_t)scn->flexfaceadr[i], used = (size_t)scn->flexfaceused[i];
    rec_float(rec, "flexvert", scn->flexvert + 3 * scn->flexvertadr[i], 3 * (size_t)scn->flexvertnum[i]);
    ARRAY(int, "flexedge", scn->flexedge + 2 * scn->flexedgeadr[i], 2 * scn->flexedgenum[i])
    ARRAY(float, "flexface", scn->flexface + 9 * face, 9 * used)
    ARRAY(float, "flexnormal", scn->flexnormal + 9 * face, 9 * used)
    if (textured(scn, i)) ARRAY(float, "flextexcoord", scn->flextexcoord + 6 * face, 6 * used)
  }
}
