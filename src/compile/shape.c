// Shapes of meshes by choice: attributes of the sinew: namespace on meshes, and geoms of the parts of decomposed ones.
//
// A geom that collides with a decomposed mesh stays as it is drawn and weighed, and no longer collides. Behind it stand
// geoms of the parts, without mass, that collide as it did.
#include <stdio.h>
#include <string.h>

#include "asset/decompose.h"
#include "base/nearest.h"
#include "base/number.h"
#include "collision/exact.h"
#include "compile/compile.h"
#include "math/vec.h"
#include "physics/physics.h"

// group of the geoms of parts, which viewers leave out at first
enum { PART_GROUP = 3 };

// attributes of meshes, and the bounds of those that are numbers
static const struct {
  const char* name;
  double least, most;
} ATTRIBUTES[] = {
    {"shape",     0,    0  },
    {"concavity", 1e-3, 1  },
    {"parts",     1,    256},
    {"thickness", 0,    1e3},
};
enum { NATTRIBUTE = sizeof(ATTRIBUTES) / sizeof(ATTRIBUTES[0]) };

//---------------------------------- attributes ----------------------------------

static void checkNames(Cmp* c, const SpcElement* e) {
  for (const SpcAttribute* a = (const void*)e->settings.begin; (const char*)a < e->settings.end; a++) {
    const char* name = spc_text(&a->key);
    BasNearest nearest = {name, NULL, 99};
    int known = 0;
    for (int i = 0; i < NATTRIBUTE; i++) {
      known |= !strcmp(ATTRIBUTES[i].name, name);
      bas_consider(&nearest, ATTRIBUTES[i].name);
    }
    char text[100];
    if (known) continue;
    cmp_fail(c, e, "unknown attribute 'sinew:%.60s'%s", name, bas_suggestion(&nearest, text, sizeof(text)));
  }
}

static double readNumber(Cmp* c, const SpcElement* e, int which, double missing) {
  const char *name = ATTRIBUTES[which].name, *value = spc_setting(e, name), *bad = NULL;
  double number = missing;
  if (!value) return missing;
  const int found = bas_readDoubles(value, &number, 1, &bad);
  if (found < 0) cmp_fail(c, e, "attribute 'sinew:%s': '%.40s' is not a number", name, bad);
  if (found != 1) cmp_fail(c, e, "attribute 'sinew:%s' has %d values, must have 1", name, found);
  if (!(number >= ATTRIBUTES[which].least && number <= ATTRIBUTES[which].most)) {
    cmp_fail(c, e, "attribute 'sinew:%s' is %g, must be in [%g, %g]", name, number, ATTRIBUTES[which].least,
             ATTRIBUTES[which].most);
  }
  return number;
}

// what a mesh is to collide as
typedef enum { HULL, DECOMPOSED, EXACT } Shape;

// shape of a mesh, with how it is cut
static Shape readShape(Cmp* c, const SpcElement* e, AstCut* cut) {
  static const char* const words[] = {"hull", "decomposed", "exact"};
  if (!spc_vecCount(&e->settings, 1)) return HULL;
  checkNames(c, e);
  const char* word = spc_setting(e, "shape");
  int shape = 0;
  while (word && shape < 3 && strcmp(word, words[shape])) shape++;
  if (shape == 3) {
    cmp_fail(c, e, "attribute 'sinew:shape' is '%.60s', must be 'hull', 'decomposed' or 'exact'", word);
  }
  cut->concavity = readNumber(c, e, 1, 0.05);
  const double most = readNumber(c, e, 2, 16);
  cut->most = (int)most;
  if (cut->most != most) cmp_fail(c, e, "attribute 'sinew:parts' is %g, must be a whole number", most);
  for (int i = 1; i < NATTRIBUTE; i++) {
    const Shape needed = i < 3 ? DECOMPOSED : EXACT;
    if (!spc_setting(e, ATTRIBUTES[i].name) || (Shape)shape == needed) continue;
    cmp_fail(c, e, "attribute 'sinew:%s' needs sinew:shape=\"%s\"", ATTRIBUTES[i].name, words[needed]);
  }
  return (Shape)shape;
}

int cmp_hasShape(const SpcElement* e) {
  const char* const word = spc_setting(e, "shape");
  return word && strcmp(word, "hull");
}

//---------------------------------- parts ----------------------------------

// an element of the compilation that the spec does not have: a copy of another under a name and number of its own
static void newHead(Cmp* c, CmpHead* head, const CmpHead* source, SpcKindId kind, int number) {
  SpcElement* const e = cmp_alloc(c, 1, sizeof(SpcElement));
  *e = *source->e;
  char* name = cmp_text(c, "", 0);
  if (*source->name) {
    const size_t size = strlen(source->name) + 16;
    name = cmp_alloc(c, size, 1);
    snprintf(name, size, "%s#%d", source->name, number);
    if (cmp_find(c, kind, name)) cmp_fail(c, source->e, "repeated name '%s' in %s", name, spc_kinds[kind].name);
  }
  *head = (CmpHead){e, name, -1};
}

// the parts of a mesh, each a mesh at the end of the list; at: the first of them, returns how many
static int addParts(Cmp* c, const CmpMesh* mesh, const AstParts* parts) {
  for (int i = 0; i < parts->n; i++) {
    CmpMesh* const part = cmp_alloc(c, 1, sizeof(CmpMesh));
    *part = (CmpMesh){.s = mesh->s, .file = "", .needhull = 1, .visual = 0, .plugin = -1, .exact = COL_PART};
    newHead(c, &part->head, &mesh->head, SPC_MESH, i + 1);
    part->head.id = cmp_count(c, SPC_MESH);
    const int n = 3 * parts->nvert[i];
    float* const vert = cmp_alloc(c, (size_t)n, sizeof(float));
    for (int k = 0; k < n; k++) vert[k] = (float)parts->vert[i][k];
    const AstMeshSource source = {
        .name = part->head.name,
        .directory = "",
        .file = "",
        .content_type = "",
        .refquat = {1, 0, 0, 0},
        .scale = {1, 1,  1 },
        .inertia = mjMESH_INERTIA_CONVEX,
        .needhull = 1,
        .maxhullvert = mesh->s.maxhullvert,
        .vert = vert,
        .nvert = n
    };
    cmp_add(c, &c->list[SPC_MESH], part);
    part->ready = 1;
    if (!ast_compileMesh(&part->asset, &source)) {
      cmp_fail(c, mesh->head.e, "part %d of the decomposed mesh: %.300s", i + 1, part->asset.error);
    }
  }
  return parts->n;
}

// decomposes a mesh; returns how many parts there are
static int decompose(Cmp* c, CmpMesh* mesh, const AstCut* cut) {
  AstParts parts;
  cmp_partsOf(c, mesh, cut, &parts);
  char coarse[120] = "";
  if (parts.coarse) {
    snprintf(coarse, sizeof(coarse), "of its %d triangles (more than %d) cuts were chosen on %d that stand for them",
             mesh->asset.nface, AST_FINE, parts.coarse);
  }
  if (parts.concavity > cut->concavity) {
    mju_warning("mesh '%s': %d parts%s leave a concavity of %.3g where %.3g was asked for%s%s", mesh->head.name,
                parts.n, parts.exhausted ? " and the limit of work" : "", parts.concavity, cut->concavity,
                *coarse ? "; " : "", coarse);
  } else if (*coarse) {
    mju_warning("mesh '%s': %s", mesh->head.name, coarse);
  }
  mesh->exact = COL_CUT;
  return addParts(c, mesh, &parts);
}

//---------------------------------- geoms ----------------------------------

typedef struct {
  int first, n;  // parts of a mesh in the list of meshes; n 0: it is not decomposed
} Range;

// 1: a contact pair names the geom
static int isPaired(const Cmp* c, const CmpGeom* geom) {
  for (int i = 0; i < cmp_count(c, SPC_PAIR) && *geom->head.name; i++) {
    const CmpPair* const pair = CMP_AT(c, SPC_PAIR, CmpPair, i);
    if (!strcmp(spc_text(pair->s.geomname1), geom->head.name)) return 1;
    if (!strcmp(spc_text(pair->s.geomname2), geom->head.name)) return 1;
  }
  return 0;
}

static int collides(const Cmp* c, const CmpGeom* geom) {
  return geom->mesh && geom->s.type == mjGEOM_MESH && (geom->s.contype || geom->s.conaffinity || isPaired(c, geom));
}

// a geom whose parts collide
typedef struct {
  const CmpGeom* geom;
  CmpGeom** part;
  int n;
} Cut;

// adds a geom, and those of its parts behind it; returns how many these are
static int addGeom(Cmp* c, CmpGeom* geom, const Range* range, CmpList* all, CmpList* own) {
  cmp_add(c, all, geom);
  cmp_add(c, own, geom);
  const Range r = collides(c, geom) ? range[geom->mesh->head.id] : (Range){0};
  for (int i = 0; i < r.n; i++) {
    CmpGeom* const part = cmp_alloc(c, 1, sizeof(CmpGeom));
    *part = *geom;
    newHead(c, &part->head, &geom->head, SPC_GEOM, i + 1);
    part->mesh = CMP_AT(c, SPC_MESH, CmpMesh, r.first + i);
    part->s.group = PART_GROUP;
    part->s.mass = part->s.density = 0;
    cmp_add(c, all, part);
    cmp_add(c, own, part);
  }
  if (r.n) geom->s.contype = geom->s.conaffinity = 0;
  return r.n;
}

// the parts of a geom that a pair names, or the geom itself
static Cut partsNamed(Cmp* c, const Cut* cut, int n, const SpcString* name) {
  CmpGeom** const one = cmp_alloc(c, 1, sizeof(CmpGeom*));
  *one = cmp_find(c, SPC_GEOM, spc_text(name));
  for (int i = 0; i < n; i++) {
    if (cut[i].geom == *one) return cut[i];
  }
  return (Cut){*one, one, 1};
}

// a pair of geoms with parts becomes one for all of their parts, the first of which has its name
static void cutPairs(Cmp* c, const Cut* cut, int n) {
  CmpList all = {0};
  for (int i = 0; i < cmp_count(c, SPC_PAIR); i++) {
    CmpPair* const pair = CMP_AT(c, SPC_PAIR, CmpPair, i);
    const Cut a = partsNamed(c, cut, n, pair->s.geomname1), b = partsNamed(c, cut, n, pair->s.geomname2);
    for (int k = 0; k < a.n * b.n; k++) {
      CmpPair* own = pair;
      if (k) {
        own = cmp_alloc(c, 1, sizeof(CmpPair));
        *own = *pair;
        newHead(c, &own->head, &pair->head, SPC_PAIR, k + 1);
      }
      own->part[0] = a.part[k / b.n];
      own->part[1] = b.part[k % b.n];
      cmp_add(c, &all, own);
    }
  }
  cmp_number(&all);
  c->list[SPC_PAIR] = all;
}

// an exact mesh: one that is open is a shell, which needs a thickness, and is as much larger
static void makeExact(Cmp* c, CmpMesh* mesh) {
  const SpcElement* e = mesh->head.e;
  char why[AST_MESSAGE];
  mesh->thickness = readNumber(c, e, 3, 0);
  mesh->exact = ast_isSolid(&mesh->asset, why) ? COL_SOLID : COL_SHELL;
  if (mesh->exact == COL_SHELL && mesh->thickness <= 0) {
    cmp_fail(c, e, "%.300s; an exact mesh that is no solid needs 'sinew:thickness'", why);
  }
  for (int k = 0; k < 6; k++) mesh->asset.aamm[k] += (k < 3 ? -0.5 : 0.5) * mesh->thickness;
}

void cmp_chooseShapes(Cmp* c) {
  // meshes that something collides with; the parts of one are shared
  const int n = cmp_count(c, SPC_MESH);
  Range* const range = cmp_alloc(c, (size_t)n + 1, sizeof(Range));
  AstCut* const cut = cmp_alloc(c, (size_t)n + 1, sizeof(AstCut));
  int any = 0;
  for (int i = 0; i < n; i++) {
    CmpMesh* const mesh = CMP_AT(c, SPC_MESH, CmpMesh, i);
    const Shape shape = readShape(c, mesh->head.e, cut + i);
    if (shape == EXACT) makeExact(c, mesh);
    range[i].n = shape == DECOMPOSED;
    any |= range[i].n;
  }
  if (!any) return;
  for (int i = 0; i < n; i++) {
    if (!range[i].n) continue;
    int used = 0;
    for (int k = 0; k < cmp_count(c, SPC_GEOM); k++) {
      const CmpGeom* const geom = CMP_AT(c, SPC_GEOM, CmpGeom, k);
      used |= collides(c, geom) && geom->mesh->head.id == i;
    }
    range[i].first = cmp_count(c, SPC_MESH);
    range[i].n = used ? decompose(c, CMP_AT(c, SPC_MESH, CmpMesh, i), cut + i) : 0;
  }

  // the lists of geoms anew
  CmpList all = {0};
  Cut* const pieces = cmp_alloc(c, (size_t)cmp_count(c, SPC_GEOM) + 1, sizeof(Cut));
  int npiece = 0;
  for (int b = 0; b < cmp_count(c, SPC_BODY); b++) {
    CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, b);
    CmpList own = {0};
    for (int i = 0; i < body->geoms.n; i++) {
      const int parts = addGeom(c, body->geoms.at[i], range, &all, &own);
      if (!parts) continue;
      CmpGeom** const part = cmp_alloc(c, (size_t)parts, sizeof(CmpGeom*));
      memcpy(part, own.at + own.n - parts, sizeof(CmpGeom*) * (size_t)parts);
      pieces[npiece++] = (Cut){body->geoms.at[i], part, parts};
    }
    body->geoms = own;
  }
  cmp_number(&all);
  for (int i = 0; i < all.n; i++) ((CmpGeom*)all.at[i])->head.e->id = i;
  c->list[SPC_GEOM] = all;
  c->allgeom = (CmpGeom**)all.at;
  c->nallgeom = all.n;
  cutPairs(c, pieces, npiece);
}

//---------------------------------- exact ----------------------------------

void cmp_storeShapes(Cmp* c) {
  const int n = (int)c->m->nmesh;
  mjtNum* const shape = cmp_alloc(c, 2 * (size_t)n + 1, sizeof(mjtNum));
  int any = 0;
  for (int i = 0; i < n; i++) {
    const CmpMesh* const mesh = CMP_AT(c, SPC_MESH, CmpMesh, i);
    shape[2 * i] = mesh->exact;
    shape[2 * i + 1] = mesh->thickness;
    any |= mesh->exact;
  }
  if (!any) return;
  const PhyEntry entry = {COL_EXACT_ENTRY, NULL, shape, 2 * n};
  if (!phy_setEntry(c->m, &entry)) cmp_fail(c, NULL, "out of memory");
}
