// Skins: from the spec or an SKN file; bones become body ids, vertex weights sum to one.
//
// SKN, all numbers of 4 bytes: counts of vertices, texture coordinates, faces, bones; their data; then for each bone
// 40 characters of body name, bind position (3) and orientation (4), number of vertices, their ids, their weights.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "compile/compile.h"

// -------------------------------------------------------------------------------------------- file

// what is left of a file while it is being read
typedef struct {
  Cmp* c;
  const CmpSkin* skin;
  const unsigned char* at;
  size_t words;  // left
  const char* name;
} Reader;

// copies n words out of the file
static void* readWords(Reader* r, size_t n) {
  void* const copy = cmp_alloc(r->c, n + 1, 4);
  if (n) memcpy(copy, r->at, 4 * n);
  r->at += 4 * n;
  r->words -= n;
  return copy;
}

static void readBones(Reader* r, CmpSkin* skin, int nbone) {
  Cmp* const c = r->c;
  SpcElement* const e = skin->head.e;
  float* const bindpos = cmp_alloc(c, 3 * (size_t)nbone + 1, sizeof(float));
  float* const bindquat = cmp_alloc(c, 4 * (size_t)nbone + 1, sizeof(float));
  for (int i = 0; i < nbone; i++) {
    if (r->words < 18) cmp_fail(c, e, "insufficient data in SKN file '%s', bone %d", r->name, i);
    char* const name = readWords(r, 10);
    name[39] = 0;
    skin->bodyname[i] = name;
    memcpy(bindpos + 3 * i, readWords(r, 3), 3 * sizeof(float));
    memcpy(bindquat + 4 * i, readWords(r, 4), 4 * sizeof(float));
    const int count = *(const int*)readWords(r, 1);
    if (count < 1) cmp_fail(c, e, "vertex count must be positive in SKN file '%s', bone %d", r->name, i);
    if (r->words / 2 < (size_t)count) cmp_fail(c, e, "insufficient vertex data in SKN file '%s', bone %d", r->name, i);
    skin->nbonevert[i] = count;
    skin->vertid[i] = readWords(r, (size_t)count);
    skin->vertweight[i] = readWords(r, (size_t)count);
  }
  skin->bindpos = bindpos;
  skin->bindquat = bindquat;
  skin->nbone = nbone;
}

static void allocBones(Cmp* c, CmpSkin* skin, size_t nbone) {
  skin->bodyname = cmp_alloc(c, nbone + 1, sizeof(char*));
  skin->bodyid = cmp_alloc(c, nbone + 1, sizeof(int));
  skin->nbonevert = cmp_alloc(c, nbone + 1, sizeof(int));
  skin->vertid = cmp_alloc(c, nbone + 1, sizeof(int*));
  skin->vertweight = cmp_alloc(c, nbone + 1, sizeof(float*));
}

static void parseFile(Cmp* c, CmpSkin* skin, const unsigned char* bytes, int size) {
  SpcElement* const e = skin->head.e;
  const char* const file = skin->file;
  if (size < 0) cmp_fail(c, e, "could not read SKN file '%s'", file);
  if (size == 0) cmp_fail(c, e, "SKN file '%s' is empty", file);
  if (size < 16) cmp_fail(c, e, "missing header in SKN file '%s'", file);
  int count[4];
  BAS_ASSERT(bytes);
  memcpy(count, bytes, sizeof(count));
  for (int i = 0; i < 4; i++) {
    if (count[i] < 0) cmp_fail(c, e, "negative size in header of SKN file '%s'", file);
  }
  Reader r = {c, skin, bytes + 16, ((size_t)size - 16) / 4, file};
  if (r.words < 3 * (size_t)count[0] + 2 * (size_t)count[1] + 3 * (size_t)count[2] || r.words / 18 < (size_t)count[3]) {
    cmp_fail(c, e, "insufficient data in SKN file '%s'", file);
  }
  skin->vert = readWords(&r, 3 * (size_t)count[0]);
  skin->texcoord = readWords(&r, 2 * (size_t)count[1]);
  skin->face = readWords(&r, 3 * (size_t)count[2]);
  skin->nvert = 3 * count[0];
  skin->ntexcoord = 2 * count[1];
  skin->nface = 3 * count[2];
  allocBones(c, skin, (size_t)count[3]);
  readBones(&r, skin, count[3]);
  if (r.words || size % 4) cmp_fail(c, e, "unexpected buffer size in SKN file '%s'", file);
}

static int hasData(const mjsSkin* s) {
  const SpcVec* const vecs[] = {s->vert,    s->texcoord, s->face,   s->bodyname,
                                s->bindpos, s->bindquat, s->vertid, s->vertweight};
  for (size_t i = 0; i < sizeof(vecs) / sizeof(vecs[0]); i++) {
    if (vecs[i]->end > vecs[i]->begin) return 1;
  }
  return 0;
}

static void loadFile(Cmp* c, CmpSkin* skin) {
  SpcElement* const e = skin->head.e;
  const char* file = spc_text(skin->s.file);
  if (hasData(&skin->s)) cmp_fail(c, e, "Both skin data and file were specified: %s", file);
  if (e->model->spec.strippath) file = bas_pathFile(file);
  skin->file = file;
  if (strcasecmp(bas_pathExtension(file), ".skn")) cmp_fail(c, e, "Unknown skin file type: %s", file);

  // the bytes are copied before parsing
  char error[500] = "";
  const char* const path = cmp_own(c, bas_pathJoin(spc_text(spc_compiler(e)->meshdir), file));
  c->open = mju_openResource(spc_directory(e), path, c->vfs, error, sizeof(error));
  if (!c->open) cmp_fail(c, e, "%s", error);
  const void* bytes = NULL;
  const int size = mju_readResource(c->open, &bytes);
  unsigned char* const copy = size > 0 ? cmp_alloc(c, (size_t)size, 1) : NULL;
  if (copy) memcpy(copy, bytes, (size_t)size);
  mju_closeResource(c->open);
  c->open = NULL;
  parseFile(c, skin, copy, size);
}

// -------------------------------------------------------------------------------------------- spec

static void takeSpec(Cmp* c, CmpSkin* skin) {
  const mjsSkin* const s = &skin->s;
  SpcElement* const e = skin->head.e;
  skin->vert = (const void*)((const SpcVec*)s->vert)->begin;
  skin->texcoord = (const void*)((const SpcVec*)s->texcoord)->begin;
  skin->face = (const void*)((const SpcVec*)s->face)->begin;
  skin->bindpos = (const void*)((const SpcVec*)s->bindpos)->begin;
  skin->bindquat = (const void*)((const SpcVec*)s->bindquat)->begin;
  skin->nvert = (int)spc_vecCount(s->vert, sizeof(float));
  skin->ntexcoord = (int)spc_vecCount(s->texcoord, sizeof(float));
  skin->nface = (int)spc_vecCount(s->face, sizeof(int));
  skin->nbone = (int)spc_textsCount(s->bodyname);

  const size_t nbone = (size_t)skin->nbone;
  const size_t nid = spc_vecCount(s->vertid, sizeof(SpcVec)), nweight = spc_vecCount(s->vertweight, sizeof(SpcVec));
  if (!nid || !nweight || !skin->bindpos || !skin->bindquat) cmp_fail(c, e, "Missing data in skin");
  if (spc_vecCount(s->bindpos, sizeof(float)) != 3 * nbone) cmp_fail(c, e, "Unexpected bindpos size in skin");
  if (spc_vecCount(s->bindquat, sizeof(float)) != 4 * nbone) cmp_fail(c, e, "Unexpected bindquat size in skin");
  if (nid != nbone) cmp_fail(c, e, "Unexpected vertid size in skin");
  if (nweight != nbone) cmp_fail(c, e, "Unexpected vertweight size in skin");
  allocBones(c, skin, nbone);
  for (size_t i = 0; i < nbone; i++) {
    const SpcVec* const id = (const SpcVec*)(const void*)((const SpcVec*)s->vertid)->begin + i;
    const SpcVec* const weight = (const SpcVec*)(const void*)((const SpcVec*)s->vertweight)->begin + i;
    const size_t n = spc_vecCount(id, sizeof(int));
    if (n == 0 || spc_vecCount(weight, sizeof(float)) != n) {
      cmp_fail(c, e, "vertid and vertweight must have same non-zero size in skin");
    }
    skin->bodyname[i] = spc_text(spc_textsAt(s->bodyname, i));
    skin->nbonevert[i] = (int)n;
    skin->vertid[i] = (const void*)id->begin;
    skin->vertweight[i] = (const void*)weight->begin;
  }
}

// -------------------------------------------------------------------------------------------- skin

// weights relative to the sum over all bones
static void normalizeWeights(Cmp* c, CmpSkin* skin) {
  SpcElement* const e = skin->head.e;
  const int nvert = skin->nvert / 3;
  float* const total = cmp_alloc(c, (size_t)nvert + 1, sizeof(float));
  for (int i = 0; i < skin->nbone; i++) {
    for (int k = 0; k < skin->nbonevert[i]; k++) {
      const int id = skin->vertid[i][k];
      if (id < 0 || id >= nvert) cmp_fail(c, e, "vertid %d out of range in skin", id);
      total[id] += skin->vertweight[i][k];
    }
  }
  for (int i = 0; i < nvert; i++) {
    if (total[i] <= mjMINVAL) cmp_fail(c, e, "vertex %d must have positive total weight in skin", i);
  }
  for (int i = 0; i < skin->nbone; i++) {
    float* const weight = cmp_alloc(c, (size_t)skin->nbonevert[i] + 1, sizeof(float));
    for (int k = 0; k < skin->nbonevert[i]; k++) weight[k] = skin->vertweight[i][k] / total[skin->vertid[i][k]];
    skin->vertweight[i] = weight;
  }
}

void cmp_compileSkins(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_TREE);
  for (int i = 0; i < cmp_count(c, SPC_SKIN); i++) {
    CmpSkin* const skin = CMP_AT(c, SPC_SKIN, CmpSkin, i);
    SpcElement* const e = skin->head.e;
    skin->file = "";
    if (spc_textEmpty(skin->s.file)) {
      takeSpec(c, skin);
    } else {
      loadFile(c, skin);
    }
    if (!skin->nvert || !skin->nface || !skin->nbone) cmp_fail(c, e, "Missing data in skin");
    if (skin->nvert % 3) cmp_fail(c, e, "Vertex data must be multiple of 3");
    if (skin->ntexcoord && skin->ntexcoord != 2 * skin->nvert / 3) {
      cmp_fail(c, e, "Vertex and texcoord data incompatible size");
    }
    if (skin->nface % 3) cmp_fail(c, e, "Face data must be multiple of 3");
    for (int k = 0; k < skin->nface; k++) {
      if (skin->face[k] < 0 || skin->face[k] >= skin->nvert / 3)
        cmp_fail(c, e, "face vertex %d out of range in skin", skin->face[k]);
    }
    for (int k = 0; k < skin->nbone; k++) {
      const CmpBody* const body = cmp_find(c, SPC_BODY, skin->bodyname[k]);
      if (!body) cmp_fail(c, e, "unknown body '%s' in skin", skin->bodyname[k]);
      skin->bodyid[k] = body->head.id;
    }
    normalizeWeights(c, skin);

    // unit quaternions
    float* const bindquat = cmp_alloc(c, 4 * (size_t)skin->nbone, sizeof(float));
    for (int k = 0; k < skin->nbone; k++) {
      double quat[4];
      for (int j = 0; j < 4; j++) quat[j] = skin->bindquat[4 * k + j];
      spc_normalize(quat, 4);
      for (int j = 0; j < 4; j++) bindquat[4 * k + j] = (float)quat[j];
    }
    skin->bindquat = bindquat;
  }
}
