// Meshes of any triangles as decomposed and as exact shapes: a model or a message, never a hang or a crash, and
// contacts that are within their bounds. The first bytes choose the shape and how the others become vertices and faces.
// Meshes are decomposed also as large ones are, whose cuts are chosen on a coarser surface.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "asset/decompose.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// everything that a mesh can touch, around it
#define WORLD                                                                                                   \
  "</asset><worldbody><geom type=\"plane\" size=\"1 1 1\" pos=\"0 0 -.8\"/><geom type=\"hfield\" hfield=\"f\" " \
  "pos=\"0 "                                                                                                    \
  "0 -.6\"/><geom type=\"mesh\" mesh=\"m\"/><body pos=\".1 .2 .3\" sinew:continuous=\"true\"><freejoint/>"      \
  "<geom size=\".3\"/></body><body pos=\"-.2 .1 .2\"><freejoint/><geom type=\"box\" size=\".2 .3 .1\"/></body>" \
  "<body pos=\".3 -.1 0\"><freejoint/><geom type=\"cylinder\" size=\".2 .3\"/></body><body pos=\".2 .1 "        \
  ".1\"><freejoint/>"                                                                                           \
  "<geom type=\"mesh\" mesh=\"m\" mass=\"1\"/></body></worldbody></mujoco>"
#define MODEL(attributes)                                                                                              \
  "<mujoco xmlns:sinew=\"urn:sinew\"><size memory=\"4M\"/><asset><hfield name=\"f\" nrow=\"4\" ncol=\"5\" size=\"1 1 " \
  ".1 "                                                                                                                \
  ".1\"/><mesh name=\"m\" inertia=\"shell\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" " attributes "/>" WORLD

static const char* const MODELS[] = {
    MODEL("sinew:shape=\"decomposed\" sinew:concavity=\".05\" sinew:parts=\"4\""),
    MODEL("sinew:shape=\"decomposed\" sinew:concavity=\".01\" sinew:parts=\"12\""),
    MODEL("sinew:shape=\"exact\" sinew:thickness=\".01\""),
    MODEL("sinew:shape=\"exact\" sinew:thickness=\"0.5\""),
};

static void ignore(const char* message) {
  (void)message;
}

// coordinates: from a coarse grid, where faces coincide and line up, or any that are finite
static float coordinate(const uint8_t* at, int coarse) {
  if (coarse) return (float)((int)at[0] % 9 - 4) / 4;
  int16_t fine;
  memcpy(&fine, at, sizeof(fine));
  return (float)fine / 16384;
}

static void check(const mjModel* m, const mjData* d) {
  if (d->warning[mjWARN_BADQPOS].number + d->warning[mjWARN_BADQVEL].number + d->warning[mjWARN_BADQACC].number) return;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (con->geom[0] < 0 || con->geom[0] >= m->ngeom || con->geom[1] < 0 || con->geom[1] >= m->ngeom) abort();
    if (!isfinite(con->dist) || !isfinite(mju_norm3(con->pos))) abort();
    if (fabs(mju_norm3(con->frame) - 1) > 1e-6) abort();
  }
}

// as if a few triangles were very many
static void cutAsLarge(const float* vert, int nvert, const int* face, int nface) {
  AstMesh mesh;
  const AstMeshSource source = {
      .name = "m",
      .directory = "",
      .file = "",
      .content_type = "",
      .refquat = {1, 0, 0, 0},
      .scale = {1, 1,  1 },
      .inertia = mjMESH_INERTIA_SHELL,
      .maxhullvert = -1,
      .vert = vert,
      .nvert = nvert,
      .face = face,
      .nface = nface
  };
  if (ast_compileMesh(&mesh, &source)) {
    AstParts parts;
    const AstCut cut = {.concavity = 0.02, .most = 6, .fine = 4 + nvert % 50};
    if (ast_decompose(&parts, &mesh, &cut)) {
      if (parts.n > cut.most || parts.coarse > cut.fine) abort();
      for (int i = 0; i < parts.n; i++) {
        for (int k = 0; k < 3 * parts.nvert[i]; k++) {
          if (!isfinite(parts.vert[i][k])) abort();
        }
      }
      ast_freeParts(&parts);
    } else if (!*parts.error) {
      abort();
    }
  }
  ast_freeMesh(&mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 40 || size > 2000) return 0;
  mju_user_warning = ignore;
  mj_setCacheCapacity(mj_getCache(), 0);
  const int choice = data[0], coarse = choice & 4, nvert = 4 + data[1] % 60;
  float vert[3 * 64];
  int face[3 * 600], nface = 0;
  size_t at = 2;
  for (int i = 0; i < 3 * nvert; i++, at += coarse ? 1 : 2)
    vert[i] = at + 2 <= size ? coordinate(data + at, coarse) : 0;
  for (; at + 3 <= size && nface < 600; at += 3, nface++) {
    for (int k = 0; k < 3; k++) face[3 * nface + k] = data[at + k] % nvert;
  }
  if (!nface) return 0;
  if (choice & 16) {
    cutAsLarge(vert, 3 * nvert, face, 3 * nface);
    return 0;
  }
  char error[500];
  mjSpec* const spec = mj_parseXMLString(MODELS[choice & 3], NULL, error, sizeof(error));
  if (!spec) abort();
  mjsMesh* const mesh = mjs_asMesh(mjs_findElement(spec, mjOBJ_MESH, "m"));
  mjs_setFloat(mesh->uservert, vert, 3 * nvert);
  mjs_setInt(mesh->userface, face, 3 * nface);
  mjModel* const m = mj_compile(spec, NULL);
  if (m) {
    mjData* const d = mj_makeData(m);
    d->qvel[2] = choice & 8 ? -100 : 0;
    for (int i = 0; i < 5; i++) {
      mj_step(m, d);
      check(m, d);
    }
    mjtNum fromto[6];
    for (int g = 3; g < 6; g++) {
      if (isnan(mj_geomDistance(m, d, 2, g, 1, fromto))) abort();
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  } else if (!*mjs_getError(spec)) {
    abort();
  }
  mj_deleteSpec(spec);
  return 0;
}
