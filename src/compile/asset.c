// Assets: finds who uses which, hands meshes, textures and height fields to asset/ (in parallel), resolves materials.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "base/thread.h"
#include "compile/compile.h"

// -------------------------------------------------------------------------------------------- references

int cmp_material(Cmp* c, const SpcElement* e, const SpcString* name, const char* where, int id) {
  if (spc_textEmpty(name) || c->s.compiler.discardvisual) return -1;
  const CmpMaterial* const material = cmp_find(c, SPC_MATERIAL, spc_text(name));
  if (!material) cmp_fail(c, e, "material '%s' not found in %s %d", spc_text(name), where, id);
  return material->head.id;
}

static void indexGeom(Cmp* c, CmpGeom* geom) {
  SpcElement* const e = geom->head.e;
  const char* const meshname = spc_text(geom->s.meshname);
  if (*meshname) {
    geom->mesh = cmp_find(c, SPC_MESH, meshname);
    if (!geom->mesh) cmp_fail(c, e, "mesh '%s' not found in geom %d", meshname, geom->head.id);
    geom->mesh->needsdf |= geom->s.type == mjGEOM_SDF;
  }

  // a geom without material takes that of its mesh
  const SpcString* material = geom->s.material;
  if (spc_textEmpty(material) && geom->mesh) material = geom->mesh->s.material;
  geom->matid = cmp_material(c, e, material, "geom", geom->head.id);

  const char* const hfieldname = spc_text(geom->s.hfieldname);
  if (*hfieldname) {
    geom->hfield = cmp_find(c, SPC_HFIELD, hfieldname);
    if (!geom->hfield) cmp_fail(c, e, "hfield '%s' not found in geom %d", hfieldname, geom->head.id);
  }
}

// meshes that something collides with need a hull
static void markHulls(Cmp* c) {
  for (int i = 0; i < cmp_count(c, SPC_GEOM); i++) {
    const CmpGeom* const geom = CMP_AT(c, SPC_GEOM, CmpGeom, i);
    if (!geom->mesh || (geom->s.type != mjGEOM_MESH && geom->s.type != mjGEOM_SDF)) continue;
    if (geom->s.contype || geom->s.conaffinity) geom->mesh->needhull = 1;
  }
  for (int i = 0; i < cmp_count(c, SPC_PAIR); i++) {
    const CmpPair* const pair = CMP_AT(c, SPC_PAIR, CmpPair, i);
    const SpcString* const names[2] = {pair->s.geomname1, pair->s.geomname2};
    for (int k = 0; k < 2; k++) {
      const CmpGeom* const geom = cmp_find(c, SPC_GEOM, spc_text(names[k]));
      if (geom && geom->mesh && (geom->s.type == mjGEOM_MESH || geom->s.type == mjGEOM_SDF)) geom->mesh->needhull = 1;
    }
  }
}

void cmp_indexAssets(Cmp* c) {
  for (int i = 0; i < cmp_count(c, SPC_GEOM); i++) indexGeom(c, CMP_AT(c, SPC_GEOM, CmpGeom, i));
  for (int i = 0; i < cmp_count(c, SPC_SKIN); i++) {
    CmpSkin* const skin = CMP_AT(c, SPC_SKIN, CmpSkin, i);
    skin->matid = cmp_material(c, skin->head.e, skin->s.material, "skin", i);
  }
  for (int i = 0; i < cmp_count(c, SPC_SITE); i++) {
    CmpSite* const site = CMP_AT(c, SPC_SITE, CmpSite, i);
    site->matid = cmp_material(c, site->head.e, site->s.material, "site", i);
  }
  for (int i = 0; i < cmp_count(c, SPC_TENDON); i++) {
    CmpTendon* const tendon = CMP_AT(c, SPC_TENDON, CmpTendon, i);
    tendon->matid = cmp_material(c, tendon->head.e, tendon->s.material, "tendon", i);
  }
  for (int i = 0; i < cmp_count(c, SPC_MATERIAL); i++) {
    CmpMaterial* const material = CMP_AT(c, SPC_MATERIAL, CmpMaterial, i);
    const SpcVec* const textures = material->s.textures;
    for (int k = 0; k < mjNTEXROLE; k++) {
      material->texid[k] = -1;
      if (k >= (int)spc_textsCount(textures) || spc_textEmpty(spc_textsAt(textures, (size_t)k))) continue;
      const char* const name = spc_text(spc_textsAt(textures, (size_t)k));
      const CmpTexture* const texture = cmp_find(c, SPC_TEXTURE, name);
      if (!texture) cmp_fail(c, material->head.e, "texture '%s' not found in material %d", name, i);
      material->texid[k] = texture->head.id;
    }
  }
  markHulls(c);
}

// -------------------------------------------------------------------------------------------- sources

// the file of an asset: without its path when the model says so
static const char* filePath(const SpcElement* e, const char* file) {
  return e->model->spec.strippath ? bas_pathFile(file) : file;
}

// the same behind the mesh or texture folder
static const char* inFolder(Cmp* c, const SpcString* folder, const char* file) {
  if (!*file) return "";
  return cmp_own(c, bas_pathJoin(spc_text(folder), file));
}

#define VALUES(v, type) (const type*)(const void*)((const SpcVec*)(v))->begin
#define COUNT(v, type)  (int)spc_vecCount((v), sizeof(type))

static AstMeshSource meshSource(Cmp* c, CmpMesh* mesh) {
  const mjsMesh* const s = &mesh->s;
  SpcElement* const e = mesh->head.e;
  mesh->file = filePath(e, spc_text(s->file));
  AstMeshSource source = {
      .name = mesh->head.name,
      .id = mesh->head.id,
      .directory = spc_directory(e),
      .file = inFolder(c, spc_compiler(e)->meshdir, mesh->file),
      .content_type = spc_text(s->content_type),
      .vfs = c->vfs,
      .inertia = s->inertia,
      .smoothnormal = s->smoothnormal,
      .needhull = mesh->needhull && cmp_hasShape(e) ? AST_SPARE : mesh->needhull,
      .needsdf = mesh->needsdf || s->needsdf,
      .maxhullvert = s->maxhullvert,
      .vert = VALUES(s->uservert, float),
      .normal = VALUES(s->usernormal, float),
      .texcoord = VALUES(s->usertexcoord, float),
      .face = VALUES(s->userface, int),
      .facenormal = VALUES(s->userfacenormal, int),
      .facetexcoord = VALUES(s->userfacetexcoord, int),
      .nvert = COUNT(s->uservert, float),
      .nnormal = COUNT(s->usernormal, float),
      .ntexcoord = COUNT(s->usertexcoord, float),
      .nface = COUNT(s->userface, int),
      .nfacenormal = COUNT(s->userfacenormal, int),
      .nfacetexcoord = COUNT(s->userfacetexcoord, int),
  };
  memcpy(source.refpos, s->refpos, sizeof(s->refpos));
  memcpy(source.refquat, s->refquat, sizeof(s->refquat));
  memcpy(source.scale, s->scale, sizeof(s->scale));

  // shape by a plugin: its attributes as the user set them
  mesh->plugin = cmp_plugin(c, e, &s->plugin, mjPLUGIN_SDF, "signed distance fields");
  if (mesh->plugin >= 0) {
    const CmpPluginInstance* const instance = CMP_AT(c, SPC_PLUGIN, CmpPluginInstance, mesh->plugin);
    const SpcVec* const set = &((const SpcPlugin*)instance->head.e)->attributes;
    const int n = COUNT(set, SpcAttribute);
    const char** const key = cmp_alloc(c, (size_t)n + 1, sizeof(char*));
    const char** const value = cmp_alloc(c, (size_t)n + 1, sizeof(char*));
    for (int i = 0; i < n; i++) {
      const SpcAttribute* const attribute = (const SpcAttribute*)(const void*)set->begin + i;
      key[i] = spc_text(&attribute->key);
      value[i] = spc_text(&attribute->value);
    }
    source.plugin = mjp_getPluginAtSlot(instance->slot);
    source.attribute = key;
    source.value = value;
    source.nattribute = n;
  }
  return source;
}

static AstTextureSource textureSource(Cmp* c, CmpTexture* texture) {
  const mjsTexture* const s = &texture->s;
  SpcElement* const e = texture->head.e;
  const SpcString* const folder = spc_compiler(e)->texturedir;
  texture->file = filePath(e, spc_text(s->file));
  AstTextureSource source = {
      .name = texture->head.name,
      .id = texture->head.id,
      .directory = spc_directory(e),
      .file = inFolder(c, folder, texture->file),
      .content_type = spc_text(s->content_type),
      .vfs = c->vfs,
      .type = s->type,
      .colorspace = s->colorspace,
      .builtin = s->builtin,
      .mark = s->mark,
      .random = s->random,
      .width = s->width,
      .height = s->height,
      .nchannel = s->nchannel,
      .hflip = s->hflip,
      .vflip = s->vflip,
      .data = VALUES(s->data, unsigned char),
      .ndata = COUNT(s->data, unsigned char),
  };
  const SpcVec* const cubefiles = s->cubefiles;
  for (size_t i = 0; i < 6; i++) {
    const char* const file = i < spc_textsCount(cubefiles) ? spc_text(spc_textsAt(cubefiles, i)) : "";
    source.cubefile[i] = inFolder(c, folder, filePath(e, file));
  }
  memcpy(source.rgb1, s->rgb1, sizeof(s->rgb1));
  memcpy(source.rgb2, s->rgb2, sizeof(s->rgb2));
  memcpy(source.markrgb, s->markrgb, sizeof(s->markrgb));
  memcpy(source.gridsize, s->gridsize, sizeof(s->gridsize));
  memcpy(source.gridlayout, s->gridlayout, sizeof(s->gridlayout));
  return source;
}

static AstHfieldSource hfieldSource(Cmp* c, CmpHfield* hfield) {
  const mjsHField* const s = &hfield->s;
  SpcElement* const e = hfield->head.e;
  for (int i = 0; i < 4; i++) {
    if (s->size[i] <= 0) cmp_fail(c, e, "size parameter is not positive in hfield");
  }
  hfield->file = filePath(e, spc_text(s->file));
  return (AstHfieldSource){
      .name = hfield->head.name,
      .directory = spc_directory(e),
      .file = inFolder(c, spc_compiler(e)->meshdir, hfield->file),
      .content_type = spc_text(s->content_type),
      .vfs = c->vfs,
      .nrow = s->nrow,
      .ncol = s->ncol,
      .data = VALUES(s->userdata, float),
      .ndata = COUNT(s->userdata, float),
  };
}

// -------------------------------------------------------------------------------------------- work

// one asset to compile, on whichever thread; ok tells the outcome
typedef struct {
  SpcKindId kind;
  CmpHead* head;
  union {
    AstMeshSource mesh;
    AstTextureSource texture;
    AstHfieldSource hfield;
  } source;
  size_t size;  // a measure of how long it may take
  int ok;
} Work;

static void compileOne(Work* work) {
  if (work->kind == SPC_MESH) {
    work->ok = ast_compileMesh(&((CmpMesh*)work->head)->asset, &work->source.mesh);
  } else if (work->kind == SPC_TEXTURE) {
    work->ok = ast_compileTexture(&((CmpTexture*)work->head)->asset, &work->source.texture);
  } else {
    work->ok = ast_compileHfield(&((CmpHfield*)work->head)->asset, &work->source.hfield);
  }
}

// where the asset keeps its message
static char* messageOf(const Work* work, int error) {
  if (work->kind == SPC_MESH) {
    AstMesh* const mesh = &((CmpMesh*)work->head)->asset;
    return error ? mesh->error : mesh->warning;
  }
  if (work->kind == SPC_TEXTURE) {
    AstTexture* const texture = &((CmpTexture*)work->head)->asset;
    return error ? texture->error : texture->warning;
  }
  AstHfield* const hfield = &((CmpHfield*)work->head)->asset;
  return error ? hfield->error : hfield->warning;
}

// one asset, on whichever thread; an error of the engine or of a plugin becomes the asset's
static void runWork(void* order, int i) {
  Work* const work = ((Work**)order)[i];
  BasCapture capture;
  BasCapture* const outer = bas_setCapture(&capture);
  if (setjmp(capture.back)) {
    work->ok = 0;
    snprintf(messageOf(work, 1), AST_MESSAGE, "engine error: %.400s", capture.message);
  } else {
    compileOne(work);
  }
  bas_setCapture(outer);
}

static int largerFirst(const void* a, const void* b) {
  const Work *x = *(Work*const*)a, *y = *(Work*const*)b;
  if (x->size != y->size) return x->size > y->size ? -1 : 1;
  return x < y ? -1 : x > y;
}

static size_t fileSize(const char* directory, const char* file) {
  if (!directory || !file || !*file) return 0;
  char* const path = bas_pathJoin(directory, file);
  struct stat about;
  const size_t size = path && !stat(path, &about) ? (size_t)about.st_size : 0;
  free(path);
  return size;
}

// How long an asset may take, in bytes of a mesh file: some 30 a microsecond. A picture is much smaller than what is
// made of it; one that is computed takes about as long per pixel as it takes to fill it with a gradient.
static size_t effort(const Work* work) {
  enum { COMPRESSED = 8, PIXELS = 24, HULL = 1024, UNKNOWN = 1 << 14 };
  if (work->kind == SPC_MESH) {
    const AstMeshSource* const mesh = &work->source.mesh;
    const size_t size = fileSize(mesh->directory, mesh->file);
    const size_t given = sizeof(float) * (size_t)mesh->nvert + sizeof(int) * (size_t)mesh->nface;
    return HULL + size + given + (mesh->plugin || (*mesh->file && !size) ? UNKNOWN : 0);
  }
  if (work->kind == SPC_HFIELD) return fileSize(work->source.hfield.directory, work->source.hfield.file);
  const AstTextureSource* const texture = &work->source.texture;
  const size_t width = texture->width > 0 ? (size_t)texture->width : 0;
  if (texture->builtin) return texture->builtin == mjBUILTIN_GRADIENT ? width * width / PIXELS : 0;
  size_t size = fileSize(texture->directory, texture->file);
  for (int i = 0; i < 6; i++) size += fileSize(texture->directory, texture->cubefile[i]);
  return size ? COMPRESSED * size : UNKNOWN;
}

// the longest work first, so that the threads end at about the same time
static Work** inOrder(Cmp* c, Work* work, int n) {
  Work** const order = cmp_alloc(c, (size_t)n, sizeof(Work*));
  for (int i = 0; i < n; i++) {
    work[i].size = effort(&work[i]);
    order[i] = &work[i];
  }
  qsort(order, (size_t)n, sizeof(Work*), largerFirst);
  return order;
}

// this thread works too, so that as many threads work as there are cores; where none can be started it works alone
static void runAll(Cmp* c, Work* work, int n) {
  enum { SHARE = 1 << 13 };  // what a thread must be given to be worth starting
  size_t total = 0;
  Work** const order = inOrder(c, work, n);
  for (int i = 0; i < n; i++) total += work[i].size;
  const int useful = total / SHARE < (size_t)n ? (int)(total / SHARE) : n;
  const long cores = useful > 1 && c->s.compiler.usethread ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
  const int helpers = (cores < useful ? (int)cores : useful) - 1;
  mjThreadPool* const pool = helpers > 0 ? bas_poolUpTo((size_t)helpers) : NULL;
  char message[BAS_MESSAGE];
  bas_runAll(pool, &(BasWork){.run = runWork, .arg = order, .n = n}, message);
  mju_threadPoolDestroy(pool);
}

void cmp_compileAssets(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_COLLECTED);
  // what there is to do; discarded textures are not even read
  const int ntexture = c->s.compiler.discardvisual ? 0 : cmp_count(c, SPC_TEXTURE);
  Work* const work =
      cmp_alloc(c, (size_t)(cmp_count(c, SPC_MESH) + ntexture + cmp_count(c, SPC_HFIELD)) + 1, sizeof(Work));
  int n = 0;
  for (int i = 0; i < cmp_count(c, SPC_MESH); i++) {
    CmpMesh* const mesh = CMP_AT(c, SPC_MESH, CmpMesh, i);
    work[n++] = (Work){.kind = SPC_MESH, .head = &mesh->head, .source.mesh = meshSource(c, mesh)};
    mesh->ready = mesh->visual = 1;
  }
  for (int i = 0; i < ntexture; i++) {
    CmpTexture* const texture = CMP_AT(c, SPC_TEXTURE, CmpTexture, i);
    work[n++] = (Work){.kind = SPC_TEXTURE, .head = &texture->head, .source.texture = textureSource(c, texture)};
    texture->ready = 1;
  }
  for (int i = 0; i < cmp_count(c, SPC_HFIELD); i++) {
    CmpHfield* const hfield = CMP_AT(c, SPC_HFIELD, CmpHfield, i);
    work[n++] = (Work){.kind = SPC_HFIELD, .head = &hfield->head, .source.hfield = hfieldSource(c, hfield)};
    hfield->ready = 1;
  }
  if (!n) return;
  runAll(c, work, n);

  // the first failure in model order, whatever thread it happened on
  for (int i = 0; i < n; i++) {
    if (!work[i].ok) cmp_fail(c, work[i].head->e, "%s", messageOf(&work[i], 1));
    const char* const warning = messageOf(&work[i], 0);
    if (*warning) mju_warning("%s", warning);
  }
}

void cmp_freeAssets(Cmp* c) {
  for (int i = 0; i < cmp_count(c, SPC_MESH); i++) {
    CmpMesh* const mesh = CMP_AT(c, SPC_MESH, CmpMesh, i);
    if (mesh->ready) ast_freeMesh(&mesh->asset);
  }
  for (int i = 0; i < cmp_count(c, SPC_TEXTURE); i++) {
    CmpTexture* const texture = CMP_AT(c, SPC_TEXTURE, CmpTexture, i);
    if (texture->ready) ast_freeTexture(&texture->asset);
  }
  for (int i = 0; i < cmp_count(c, SPC_HFIELD); i++) {
    CmpHfield* const hfield = CMP_AT(c, SPC_HFIELD, CmpHfield, i);
    if (hfield->ready) ast_freeHfield(&hfield->asset);
  }
  for (int i = 0; i < cmp_count(c, SPC_BODY); i++) ast_freeBvh(&CMP_AT(c, SPC_BODY, CmpBody, i)->bvh);
}
