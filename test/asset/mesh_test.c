// Meshes from files and user data: known solids, equal results from every format, what a bad file leads to, and the
// same model as the reference's.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/asset.h"
#include "support/oracle.h"
#include "support/random.h"

// a box of sides 2, 4 and 6 around (1, 2, 3)
static const float BOX[24] = {0, 0, 0, 2, 0, 0, 0, 4, 0, 2, 4, 0, 0, 0, 6, 2, 0, 6, 0, 4, 6, 2, 4, 6};
static const int BOXFACE[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
static const char BOXOBJ[] =
    "# box\nv 0 0 0\nv 2 0 0\nv 0 4 0\nv 2 4 0\nv 0 0 6\nv 2 0 6\nv 0 4 6\nv 2 4 6\n"
    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

static AstMeshSource boxSource(void) {
  return (AstMeshSource){
      .name = "box",
      .directory = "",
      .file = "",
      .content_type = "",
      .refquat = {1, 0, 0, 0},
      .scale = {1, 1,  1 },
      .inertia = mjMESH_INERTIA_LEGACY,
      .needhull = 1,
      .maxhullvert = -1,
      .vert = BOX,
      .nvert = 24,
      .face = BOXFACE,
      .nface = 36
  };
}

static void assertNear(const double* a, const double* b, int n, double tolerance) {
  for (int i = 0; i < n; i++) assert_true(fabs(a[i] - b[i]) <= tolerance);
}

// -------------------------------------------------------------------------------------------- known solids

static void checkBox(const AstMesh* mesh) {
  const double pos[3] = {1, 2, 3}, size[3] = {1, 2, 3};
  assertNear(mesh->pos, pos, 3, 1e-14);
  assert_true(fabs(mesh->volume - 48) < 1e-12);

  // principal moments are in decreasing order, so half sizes are in increasing order
  assertNear(mesh->boxsize, size, 3, 1e-12);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(mesh->aamm[k] + size[k]) < 1e-12 && fabs(mesh->aamm[3 + k] - size[k]) < 1e-12);
  assert_int_equal(mesh->nvert, 8);
  assert_int_equal(mesh->nface, 12);
  assert_int_equal(mesh->graph[0], 8);
  assert_int_equal(mesh->graph[1], 12);
  assert_int_equal(mesh->npoly, 6);
  assert_int_equal(mesh->npolyvert, 24);
  assert_int_equal(mesh->npolymap, 24);
  for (int v = 0; v < 8; v++) assert_int_equal(mesh->polymapnum[v], 3);
  assert_int_equal(mesh->bvh.n, 23);
}

static void boxHasKnownInertia(void** state) {
  (void)state;
  static const mjtMeshInertia mode[3] = {mjMESH_INERTIA_LEGACY, mjMESH_INERTIA_EXACT, mjMESH_INERTIA_CONVEX};
  for (int i = 0; i < 3; i++) {
    AstMeshSource source = boxSource();
    source.inertia = mode[i];
    AstMesh mesh;
    assert_true(ast_compileMesh(&mesh, &source));
    checkBox(&mesh);
    ast_freeMesh(&mesh);
  }
}

static void shellHasKnownArea(void** state) {
  (void)state;
  AstMeshSource source = boxSource();
  source.inertia = mjMESH_INERTIA_SHELL;
  AstMesh mesh;
  assert_true(ast_compileMesh(&mesh, &source));
  assert_true(fabs(mesh.volume - 2 * (8 + 12 + 24)) < 1e-12);
  ast_freeMesh(&mesh);
}

// vertices alone give the hull
static void vertexCloudBecomesItsHull(void** state) {
  (void)state;
  AstMeshSource source = boxSource();
  source.nface = 0;
  source.needhull = 0;
  AstMesh mesh;
  assert_true(ast_compileMesh(&mesh, &source));
  checkBox(&mesh);
  ast_freeMesh(&mesh);
}

static void transformsMoveAndMirror(void** state) {
  (void)state;
  AstMeshSource source = boxSource();
  source.inertia = mjMESH_INERTIA_EXACT;
  source.refpos[0] = 1;
  source.scale[1] = 2;
  AstMesh mesh;
  assert_true(ast_compileMesh(&mesh, &source));
  const double pos[3] = {0, 4, 3};
  assertNear(mesh.pos, pos, 3, 1e-13);
  assert_true(fabs(mesh.volume - 96) < 1e-11);
  ast_freeMesh(&mesh);
}

// distance of a point outside or inside the box around the origin with half sizes 1, 2, 3
static double boxDistance(const double p[3]) {
  double outside = 0, inside = -DBL_MAX;
  for (int k = 0; k < 3; k++) {
    const double out = fabs(p[k]) - (k + 1);
    if (out > 0) outside += out * out;
    inside = out > inside ? out : inside;
  }
  return outside > 0 ? sqrt(outside) : inside;
}

// leaves of the deepest level that share no corner with coarser ones hold exact distances; all are near them
static void octreeHoldsDistances(void** state) {
  (void)state;
  AstMeshSource source = boxSource();
  source.needsdf = 1;
  AstMesh mesh;
  assert_true(ast_compileMesh(&mesh, &source));
  const AstOctree* const oct = &mesh.octree;
  assert_true(oct->n > 1000);
  int exact = 0, total = 0;
  for (int i = 0; i < oct->n; i++) {
    const double* const box = oct->aabb + 6 * (size_t)i;
    for (int c = 0; c < 8; c++) {
      double corner[3];
      for (int k = 0; k < 3; k++) corner[k] = box[k] + (c >> k & 1 ? box[3 + k] : -box[3 + k]);
      const double error = fabs(oct->coeff[8 * i + c] - boxDistance(corner));
      assert_true(error < box[3] + box[4] + box[5]);
      exact += error < 1e-12;
      total++;
    }
    const int child = oct->child[8 * i];
    if (child < 0) continue;
    assert_int_equal(oct->depth[child], oct->depth[i] + 1);
    for (int k = 0; k < 3; k++) assert_true(fabs(oct->aabb[6 * child + 3 + k] - box[3 + k] / 2) < 1e-12);
  }
  assert_true(exact > total / 2);
  ast_freeMesh(&mesh);
}

// -------------------------------------------------------------------------------------------- formats

// a file in memory; returns the source that reads it
static AstMeshSource fileSource(mjVFS* vfs, const char* name, const void* bytes, int n) {
  assert_int_equal(mj_addBufferVFS(vfs, name, bytes, n), 0);
  AstMeshSource source = boxSource();
  source.vfs = vfs;
  source.file = name;
  source.nvert = source.nface = 0;
  return source;
}

static int writeStl(unsigned char* bytes) {
  memset(bytes, 0, 84);
  const int nface = 12;
  memcpy(bytes + 80, &nface, 4);
  for (int i = 0; i < 12; i++) {
    unsigned char* const face = bytes + 84 + 50 * i;
    memset(face, 0, 50);
    for (int k = 0; k < 3; k++) memcpy(face + 12 + 12 * k, BOX + 3 * BOXFACE[3 * i + k], 12);
  }
  return 84 + 50 * 12;
}

static int writeTextStl(char* text) {
  int n = sprintf(text, "solid box\n");
  for (int i = 0; i < 12; i++) {
    n += sprintf(text + n, " facet normal 0 0 0\n  outer loop\n");
    for (int k = 0; k < 3; k++) {
      const float* const v = BOX + 3 * BOXFACE[3 * i + k];
      n += sprintf(text + n, "   vertex %g %g %g\n", (double)v[0], (double)v[1], (double)v[2]);
    }
    n += sprintf(text + n, "  endloop\n endfacet\n");
  }
  return n + sprintf(text + n, "endsolid box\n");
}

static int writeMsh(unsigned char* bytes) {
  const int size[4] = {8, 0, 0, 12};
  memcpy(bytes, size, 16);
  memcpy(bytes + 16, BOX, sizeof(BOX));
  memcpy(bytes + 16 + sizeof(BOX), BOXFACE, sizeof(BOXFACE));
  return (int)(16 + sizeof(BOX) + sizeof(BOXFACE));
}

// every format; after a failure the message names the file
static int writeFormat(int format, unsigned char* bytes, const char** name) {
  static const char* const names[4] = {"box.stl", "text.stl", "box.msh", "box.obj"};
  *name = names[format];
  if (format == 0) return writeStl(bytes);
  if (format == 1) return writeTextStl((char*)bytes);
  if (format == 2) return writeMsh(bytes);
  memcpy(bytes, BOXOBJ, sizeof(BOXOBJ) - 1);
  return (int)sizeof(BOXOBJ) - 1;
}

static void allFormatsGiveTheSameMesh(void** state) {
  (void)state;
  for (int format = 0; format < 4; format++) {
    unsigned char bytes[4096];
    const char* name = NULL;
    const int n = writeFormat(format, bytes, &name);
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    const AstMeshSource source = fileSource(&vfs, name, bytes, n);
    AstMesh mesh;
    assert_true(ast_compileMesh(&mesh, &source));
    checkBox(&mesh);
    ast_freeMesh(&mesh);
    mj_deleteVFS(&vfs);
  }
}

// any number of an STL file may be too large, none is exempt
static void farVerticesAreRejected(void** state) {
  (void)state;
  for (int i = 0; i < 12 * 9; i++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      for (int far = 0; far < 2; far++) {
        unsigned char bytes[4096];
        const int n = writeStl(bytes);
        const float value = (float)sign * (far ? 1.0001f : 1) * 0x1p30f;
        memcpy(bytes + 84 + 50 * (i / 9) + 12 + 4 * (i % 9), &value, sizeof(value));
        mjVFS vfs;
        mj_defaultVFS(&vfs);
        const AstMeshSource source = fileSource(&vfs, "box.stl", bytes, n);
        AstMesh mesh;
        const int good = ast_compileMesh(&mesh, &source);
        assert_int_equal(!good && strstr(mesh.error, "vertex in STL file 'box.stl' exceed maximum bounds"), far);
        ast_freeMesh(&mesh);
        mj_deleteVFS(&vfs);
      }
    }
  }
}

// a file cut at any byte is either a smaller mesh or a message, never more
static void truncatedFilesAreHandled(void** state) {
  (void)state;
  for (int format = 0; format < 4; format++) {
    unsigned char bytes[4096];
    const char* name = NULL;
    const int n = writeFormat(format, bytes, &name);
    int failures = 0;
    for (int size = 1; size < n - 1; size++) {
      mjVFS vfs;
      mj_defaultVFS(&vfs);
      const AstMeshSource source = fileSource(&vfs, name, bytes, size);
      AstMesh mesh;
      const int good = ast_compileMesh(&mesh, &source);
      assert_true(good ? !*mesh.error : *mesh.error != 0);
      failures += !good;
      if (!good && format != 3) assert_true(strstr(mesh.error, name) || strstr(mesh.error, "mesh"));
      ast_freeMesh(&mesh);
      mj_deleteVFS(&vfs);
    }
    // only text whose last line is cut can still be complete
    assert_true(failures >= (format == 3 ? n / 4 : n - 6));
  }
}

static void damagedFilesAreHandled(void** state) {
  (void)state;
  Rnd rnd = {11};
  for (int trial = 0; trial < 400; trial++) {
    unsigned char bytes[4096];
    const char* name = NULL;
    const int n = writeFormat(trial % 4, bytes, &name);
    for (int k = 0; k < 8; k++) bytes[rnd_below(&rnd, n)] = (unsigned char)rnd_below(&rnd, 256);
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    AstMeshSource source = fileSource(&vfs, name, bytes, n);
    source.needhull = trial % 8 < 4;
    AstMesh mesh;
    const int good = ast_compileMesh(&mesh, &source);
    assert_true(good || *mesh.error);
    ast_freeMesh(&mesh);
    mj_deleteVFS(&vfs);
  }
}

// -------------------------------------------------------------------------------------------- messages

static void expectError(const AstMeshSource* source, const char* message) {
  AstMesh mesh;
  assert_false(ast_compileMesh(&mesh, source));
  if (!strstr(mesh.error, message)) fail_msg("expected '%s', got '%s'", message, mesh.error);
  ast_freeMesh(&mesh);
}

static void wrongDataIsRejected(void** state) {
  (void)state;
  AstMeshSource source = boxSource();
  source.nvert = 9;
  expectError(&source, "at least 4 vertices required");
  source.nvert = 23;
  expectError(&source, "vertex data must be a multiple of 3");
  source = boxSource();
  source.nface = 35;
  expectError(&source, "face data must be a multiple of 3");
  source = boxSource();
  source.nvert = 21;
  expectError(&source, "vertex index 7 does not exist");
  source = boxSource();
  source.normal = BOX;
  source.nnormal = 4;
  expectError(&source, "normal data must be a multiple of 3");
  source = boxSource();
  source.texcoord = BOX;
  source.ntexcoord = 3;
  expectError(&source, "texcoord must be a multiple of 2");
  source.ntexcoord = 2;
  expectError(&source, "texcoord must be 2*nv");
  source = boxSource();
  float vert[24];
  memcpy(vert, BOX, sizeof(BOX));
  vert[4] = NAN;
  source.vert = vert;
  expectError(&source, "vertex coordinate 1 is not finite");
}

static void wrongShapesAreRejected(void** state) {
  (void)state;
  static const float flat[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  static const int face[6] = {0, 1, 2, 1, 3, 2};
  AstMeshSource source = boxSource();
  source.vert = flat;
  source.nvert = 12;
  source.face = face;
  source.nface = 6;
  expectError(&source, "qhull error");
  source.needhull = 0;
  expectError(&source, "mesh volume is too small: box");
  source.nface = 0;
  expectError(&source, "qhull error");
  source.maxhullvert = 3;
  expectError(&source, "maxhullvert must be larger than 3");

  // inside out, and faces that disagree
  int turned[36];
  for (int i = 0; i < 36; i++) turned[i] = BOXFACE[i % 3 == 1 ? i + 1 : i % 3 == 2 ? i - 1 : i];
  source = boxSource();
  source.inertia = mjMESH_INERTIA_EXACT;
  source.face = turned;
  expectError(&source, "mesh volume is negative");
  memcpy(turned, BOXFACE, 18 * sizeof(int));
  expectError(&source, "inconsistent orientation");
}

static void unknownFilesAreRejected(void** state) {
  (void)state;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  AstMeshSource source = fileSource(&vfs, "mesh.xyz", "abc", 3);
  expectError(&source, "unknown or unsupported mesh file: 'mesh.xyz'");
  source.content_type = "model";
  expectError(&source, "invalid content type: 'model'");
  source.content_type = "model/xyz";
  expectError(&source, "unsupported mesh type: 'model/xyz'");
  source.file = "missing.obj";
  expectError(&source, "missing.obj");
  mj_deleteVFS(&vfs);
}

// -------------------------------------------------------------------------------------------- reference

static void assertInts(const int* a, const int* b, int n) {
  assert_memory_equal(a, b, sizeof(int) * (size_t)n);
}

static void compareWithReference(const AstMeshSource* source, const char* attributes) {
  char xml[4096], list[2048] = "";
  for (int i = 0, n = 0; i < source->nvert; i++) n += sprintf(list + n, "%.9g ", (double)source->vert[i]);
  snprintf(xml, sizeof(xml),
           "<mujoco><asset><mesh name='m' vertex='%s' %s/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"
           "</mujoco>",
           list, attributes);
  mjModel* const m = orc_compile(xml);
  AstMesh mesh;
  assert_true(ast_compileMesh(&mesh, source));
  assert_int_equal(mesh.nvert, m->nmeshvert);
  assert_int_equal(mesh.nface, m->nmeshface);
  assert_int_equal(mesh.ngraph, m->nmeshgraph);
  assert_int_equal(mesh.npoly, m->nmeshpoly);
  assert_int_equal(mesh.npolyvert, m->nmeshpolyvert);
  assertInts(mesh.face, m->mesh_face, 3 * mesh.nface);
  assertInts(mesh.graph, m->mesh_graph, mesh.ngraph);
  assertInts(mesh.polyvert, m->mesh_polyvert, mesh.npolyvert);
  assertInts(mesh.polymap, m->mesh_polymap, mesh.npolymap);
  assertInts(mesh.bvh.nodeid, m->bvh_nodeid + m->mesh_bvhadr[0], mesh.bvh.n);
  assertNear(mesh.pos, m->mesh_pos, 3, 1e-13);
  assertNear(mesh.quat, m->mesh_quat, 4, 1e-10);
  assertNear(mesh.polynormal, m->mesh_polynormal, 3 * mesh.npoly, 1e-10);
  assertNear(mesh.bvh.aabb, m->bvh_aabb + 6 * m->mesh_bvhadr[0], 6 * mesh.bvh.n, 1e-12);
  for (int i = 0; i < 3 * mesh.nvert; i++) assert_true(fabsf(mesh.vert[i] - m->mesh_vert[i]) < 1e-6f);
  for (int i = 0; i < 3 * mesh.nnormal; i++) assert_true(fabsf(mesh.normal[i] - m->mesh_normal[i]) < 1e-5f);
  ast_freeMesh(&mesh);
  ORC(mj_deleteModel)(m);
}

static void cloudsEqualTheReferences(void** state) {
  (void)state;
  Rnd rnd = {5};
  for (int trial = 0; trial < 20; trial++) {
    float vert[90];
    const int nvert = 5 + rnd_below(&rnd, 25);
    for (int i = 0; i < 3 * nvert; i++) vert[i] = (float)rnd_uniform(&rnd, -1, 1);
    AstMeshSource source = boxSource();
    source.vert = vert;
    source.nvert = 3 * nvert;
    source.nface = 0;
    compareWithReference(&source, "");
    source.inertia = mjMESH_INERTIA_SHELL;
    source.smoothnormal = 1;
    compareWithReference(&source, "inertia='shell' smoothnormal='true'");
    source.inertia = mjMESH_INERTIA_CONVEX;
    source.maxhullvert = 6;
    source.scale[0] = 2;
    source.refpos[1] = 0.5;
    source.refquat[2] = 0.3;
    compareWithReference(&source,
                         "inertia='convex' smoothnormal='true' maxhullvert='6' scale='2 1 1' refpos='0 0.5 0' "
                         "refquat='1 0 0.3 0'");
  }
}

// -------------------------------------------------------------------------------------------- OBJ files

static char loadMessage[500];  // what loading the last one has to say

// the model of one mesh from the bytes of an OBJ file
static mjModel* loadObjBytes(const char* text, int n, int discard) {
  char xml[300];
  loadMessage[0] = 0;
  snprintf(xml, sizeof(xml),
           "<mujoco><compiler discardvisual='%s'/><asset><mesh name='m' file='m.obj'/></asset>"
           "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>",
           discard ? "true" : "false");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.obj", text, n);
  mj_addBufferVFS(&vfs, "m.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("m.xml", &vfs, loadMessage, sizeof(loadMessage));
  mj_deleteVFS(&vfs);
  if (!m) fail_msg("%s", loadMessage);
  return m;
}

static mjModel* loadObj(const char* text, int discard) {
  return loadObjBytes(text, (int)strlen(text), discard);
}

// corners without normal or texture coordinates have none in the model, and discarding what is visual keeps the others
static void cornersMayLackThings(void** state) {
  (void)state;
  static const char text[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 -1\nvn 0 -1 0\nvn -1 0 0\nvn 1 1 1\n"
      "f 1/1/1 3/2/1 2/3/1\nf 1//2 2//2 4//2\nf 1/1/3 4/2/3 3/3/3\nf 2/1 3/2 4/3\n";
  static const int normals[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, -1, -1, -1};
  static const int texcoords[12] = {0, 1, 2, -1, -1, -1, 0, 1, 2, 0, 1, 2};
  for (int discard = 0; discard < 2; discard++) {
    mjModel* m = loadObj(text, discard);
    assert_int_equal(m->nmeshface, 4);
    assert_int_equal(m->nmeshtexcoord, 3);
    assert_memory_equal(m->mesh_facenormal, normals, sizeof(normals));
    assert_memory_equal(m->mesh_facetexcoord, texcoords, sizeof(texcoords));
    mj_deleteModel(m);
  }
}

// neither does one whose index leads nowhere; a vertex that does not exist is an error
static void indicesMayLeadNowhere(void** state) {
  (void)state;
  static const char text[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 -1\n"
      "f 1/1/1 3/7/1 2/1/2\nf 1//2 2//1 4//1\nf 1 4 3\nf 2/2 3/1 4/1\n";
  static const int normals[12] = {0, 0, -1, -1, 0, 0, -1, -1, -1, -1, -1, -1};
  static const int texcoords[12] = {0, -1, 0, -1, -1, -1, -1, -1, -1, -1, 0, 0};
  mjModel* m = loadObj(text, 0);
  assert_memory_equal(m->mesh_facenormal, normals, sizeof(normals));
  assert_memory_equal(m->mesh_facetexcoord, texcoords, sizeof(texcoords));
  mj_deleteModel(m);
}

// what stands behind a zero in a line is not read, the next line is
static void zerosEndLines(void** state) {
  (void)state;
  char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv .2 .2 1@9 9\nv 2@ 0 0\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3@ 4\nf 2 3 4@ 5\n";
  for (char* c = text; *c; c++) *c = *c == '@' ? 0 : *c;
  mjModel* m = loadObjBytes(text, (int)sizeof(text) - 1, 0);
  assert_int_equal(m->nmeshvert, 5);
  assert_int_equal(m->nmeshface, 4);
  mj_deleteModel(m);
}

// a pyramid on a base of many corners: beyond a hundred the base is left out, which is said
static void largeFacesAreLeftOut(void** state) {
  (void)state;
  for (int n = 99; n < 103; n++) {
    char text[12000];
    int used = 0;
    for (int i = 0; i < n; i++) {
      const double angle = 2 * mjPI * i / n;
      used += snprintf(text + used, sizeof(text) - (size_t)used, "v %g %g 0\n", cos(angle), sin(angle));
    }
    used += snprintf(text + used, sizeof(text) - (size_t)used, "v 0 0 1\nf");
    for (int i = n; i > 0; i--) used += snprintf(text + used, sizeof(text) - (size_t)used, " %d", i);
    for (int i = 0; i < n; i++) {
      used += snprintf(text + used, sizeof(text) - (size_t)used, "\nf %d %d %d", i + 1, (i + 1) % n + 1, n + 1);
    }
    mjModel* m = loadObj(text, 0);
    assert_int_equal(strstr(loadMessage, "1 faces of more than 100 corners") != NULL, n > 100);
    assert_int_equal(m->nmeshface, n > 100 ? n : 2 * n - 2);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxHasKnownInertia),        cmocka_unit_test(shellHasKnownArea),
      cmocka_unit_test(vertexCloudBecomesItsHull), cmocka_unit_test(transformsMoveAndMirror),
      cmocka_unit_test(allFormatsGiveTheSameMesh), cmocka_unit_test(farVerticesAreRejected),
      cmocka_unit_test(truncatedFilesAreHandled),  cmocka_unit_test(damagedFilesAreHandled),
      cmocka_unit_test(wrongDataIsRejected),       cmocka_unit_test(wrongShapesAreRejected),
      cmocka_unit_test(unknownFilesAreRejected),   cmocka_unit_test(cornersMayLackThings),
      cmocka_unit_test(indicesMayLeadNowhere),     cmocka_unit_test(zerosEndLines),
      cmocka_unit_test(largeFacesAreLeftOut),      cmocka_unit_test(octreeHoldsDistances),
      cmocka_unit_test(cloudsEqualTheReferences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
