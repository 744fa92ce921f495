// The model's own surfaces on the graphics card: grids of planes, meshes with their hulls and height fields as display
// lists; texture coordinates and faces of skins as buffers (positions and normals follow with every picture). Flexes
// have nothing here, they are drawn from the scene.
#include <math.h>

#include "render/context.h"

GLuint ren_newLists(int count) {
  if (!count) return 0;
  const GLuint first = gl.GenLists(count);
  if (!first) mju_error("Could not allocate display lists");
  return first;
}

// unit normal of a triangle; upwards when it has no area
static void faceNormal(float normal[3], const float* a, const float* b, const float* c) {
  const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const float v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), scale = 1 / length;
  for (int k = 0; k < 3; k++) normal[k] = length < 1e-10f ? (float)(k == 2) : n[k] * scale;
}

static void triangle(const float* a, const float* b, const float* c) {
  float normal[3];
  faceNormal(normal, a, b, c);
  gl.Normal3fv(normal);
  gl.Vertex3fv(a);
  gl.Vertex3fv(b);
  gl.Vertex3fv(c);
}

//---------------------------------- planes ----------------------------------

// a rectangle in the plane z = 0
static void sendCell(const double x[2], const double y[2]) {
  gl.Vertex3f((float)x[0], (float)y[0], 0);
  gl.Vertex3f((float)x[1], (float)y[0], 0);
  gl.Vertex3f((float)x[1], (float)y[1], 0);
  gl.Vertex3f((float)x[0], (float)y[1], 0);
}

// a square of half side 1 in n x n cells
static void sendSquare(int n) {
  gl.Begin(GL_QUADS);
  gl.Normal3f(0, 0, 1);
  for (int i = 0; i < n; i++) {
    const double x[2] = {2.0 / n * i - 1, 2.0 / n * (i + 1) - 1};
    for (int j = 0; j < n; j++) {
      const double y[2] = {2.0 / n * j - 1, 2.0 / n * (j + 1) - 1};
      sendCell(x, y);
    }
  }
  gl.End();
}

// Lines of a plane's grid along axis k; the number of cells. A plane of half size s has an even number of cells of
// twice the spacing (third size of the geom), centred, and what is left over as a narrower cell at both ends.
static int planeGrid(const mjModel* m, int geom, int k, double line[mjMAXPLANEGRID + 1]) {
  const mjtNum half = m->geom_size[3 * geom + k];
  if (half > 0) {
    const mjtNum spacing = mju_max(m->geom_size[3 * geom + 2], half / (mjMAXPLANEGRID - 2));
    const int inner = (int)floor(half / mju_max(mjMINVAL, spacing)) / 2 * 2;
    const mjtNum rest = half - inner * spacing;
    line[0] = -half;
    for (int i = 0; i <= inner; i++) line[i + 1] = -half + rest + 2 * i * spacing;
    line[inner + 2] = mju_max(line[inner + 1], line[inner + 1] + rest);
    return inner + 2;
  }

  // infinite: beyond the far clipping plane, in cells of one texture where there is one
  const mjtNum reach = 2.1 * m->vis.map.zfar * m->stat.extent;
  const int mat = m->geom_matid[geom];
  const mjtNum repeat = mat >= 0 ? m->mat_texrepeat[2 * mat + k] : 0;
  const mjtNum margin = repeat > 0 ? 2 / repeat : reach / (mjMAXPLANEGRID - 2);
  const mjtNum cell = (reach + 2 * margin) / mjMAXPLANEGRID;
  for (int i = 0; i <= mjMAXPLANEGRID; i++) line[i] = cell * i - cell * (mjMAXPLANEGRID / 2);
  return mjMAXPLANEGRID;
}

static void sendPlane(const mjModel* m, int geom) {
  double x[mjMAXPLANEGRID + 1], y[mjMAXPLANEGRID + 1];
  const int nx = planeGrid(m, geom, 0, x), ny = planeGrid(m, geom, 1, y);
  gl.Begin(GL_QUADS);
  gl.Normal3f(0, 0, 1);
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < ny; j++) sendCell(x + i, y + j);
  }
  gl.End();
}

void ren_makePlanes(const mjModel* m, mjrContext* con) {
  int nplane = 0;
  for (int i = 0; i < m->ngeom; i++) nplane += m->geom_type[i] == mjGEOM_PLANE;
  con->rangePlane = nplane + 1;
  con->basePlane = ren_newLists(nplane + 1);

  // first a square for planes that are not of the model
  gl.NewList(con->basePlane, GL_COMPILE);
  sendSquare(m->vis.quality.numquads);
  gl.EndList();

  GLuint list = con->basePlane;
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_type[i] != mjGEOM_PLANE) continue;
    gl.NewList(++list, GL_COMPILE);
    sendPlane(m, i);
    gl.EndList();
  }
}

//---------------------------------- meshes ----------------------------------

// The faces of a mesh. Without texture coordinates a vertex normal more than 37 degrees off its face means an edge,
// which is drawn sharp. Corners that were given no normal have that of the face, those without texture coordinates the
// picture's corner.
static void sendMesh(const mjModel* m, int mesh) {
  const float* const vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const float* const normal = m->mesh_normal + 3 * m->mesh_normaladr[mesh];
  const int textured = m->mesh_texcoordadr[mesh] >= 0;
  const float* const texcoord = textured ? m->mesh_texcoord + 2 * m->mesh_texcoordadr[mesh] : NULL;
  const int first = m->mesh_faceadr[mesh], last = first + m->mesh_facenum[mesh];
  gl.Begin(GL_TRIANGLES);
  for (int i = first; i < last; i++) {
    const int* const face = m->mesh_face + 3 * i;
    float flat[3];
    faceNormal(flat, vert + 3 * face[0], vert + 3 * face[1], vert + 3 * face[2]);
    for (int k = 0; k < 3; k++) {
      static const float corner[2] = {0, 0};
      const int normalid = m->mesh_facenormal[3 * i + k], texid = m->mesh_facetexcoord[3 * i + k];
      const float* const n = normalid >= 0 ? normal + 3 * normalid : flat;
      const int sharp = !textured && n[0] * flat[0] + n[1] * flat[1] + n[2] * flat[2] < 0.8;
      if (textured) gl.TexCoord2fv(texid >= 0 ? texcoord + 2 * texid : corner);
      gl.Normal3fv(sharp ? flat : n);
      gl.Vertex3fv(vert + 3 * face[k]);
    }
  }
  gl.End();
}

// the faces of a mesh's convex hull, flat
static void sendHull(const mjModel* m, int mesh) {
  const int* const graph = m->mesh_graph + m->mesh_graphadr[mesh];
  const int nvert = graph[0], nface = graph[1];
  const int* const faces = graph + 2 + 3 * nvert + 3 * nface;
  const float* const vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const int ntexcoord = m->mesh_texcoordadr[mesh] >= 0 ? m->mesh_texcoordnum[mesh] : 0;
  gl.Begin(GL_TRIANGLES);
  for (int i = 0; i < nface; i++) {
    const int* const face = faces + 3 * i;
    float flat[3];
    faceNormal(flat, vert + 3 * face[0], vert + 3 * face[1], vert + 3 * face[2]);
    gl.Normal3fv(flat);
    for (int k = 0; k < 3; k++) {
      if (face[k] < ntexcoord) gl.TexCoord2fv(m->mesh_texcoord + 2 * (m->mesh_texcoordadr[mesh] + face[k]));
      gl.Vertex3fv(vert + 3 * face[k]);
    }
  }
  gl.End();
}

void mjr_uploadMesh(const mjModel* m, const mjrContext* con, int meshid) {
  if (!ren_hasContext(con, "mjr_uploadMesh")) return;
  if (!m || meshid < 0 || meshid >= m->nmesh || 2 * meshid >= con->rangeMesh) {
    mju_error("Invalid mesh index %d", meshid);
    return;
  }
  gl.NewList(con->baseMesh + 2 * meshid, GL_COMPILE);
  sendMesh(m, meshid);
  gl.EndList();
  gl.NewList(con->baseMesh + 2 * meshid + 1, GL_COMPILE);
  if (m->mesh_graphadr[meshid] >= 0) sendHull(m, meshid);
  gl.EndList();
}

void ren_makeMeshes(const mjModel* m, mjrContext* con) {
  con->rangeMesh = (int)(2 * m->nmesh);
  con->baseMesh = ren_newLists(con->rangeMesh);
  for (int i = 0; i < m->nmesh; i++) mjr_uploadMesh(m, con, i);
}

//---------------------------------- height fields ----------------------------------

// a height field's surface in metres
typedef struct {
  const float* data;
  int nrow, ncol;
  float half[2], top, bottom;  // half sizes, height of value 1, depth of the base
} Field;

// place in metres of the i-th of n+1 lines that divide an axis of half size 1 into n cells
static float gridCoordinate(int i, int n, float half) {
  return half * ((float)i / (0.5f * (float)n) - 1);
}

static void fieldPoint(float p[3], const Field* f, int r, int c) {
  p[0] = gridCoordinate(c, f->ncol - 1, f->half[0]);
  p[1] = gridCoordinate(r, f->nrow - 1, f->half[1]);
  p[2] = f->data[r * f->ncol + c] * f->top;
}

static void sendSurface(const Field* f) {
  gl.Begin(GL_TRIANGLES);
  for (int r = 0; r < f->nrow - 1; r++) {
    for (int c = 0; c < f->ncol - 1; c++) {
      float near[2][3], far[2][3];
      for (int k = 0; k < 2; k++) fieldPoint(near[k], f, r, c + k), fieldPoint(far[k], f, r + 1, c + k);
      triangle(far[0], near[0], far[1]);
      triangle(near[0], near[1], far[1]);
    }
  }
  gl.End();
}

// a wall from the base up to the points (r, c) and (r2, c2) of the border, the first on the left seen from outside
static void wall(const Field* f, int r, int c, int r2, int c2) {
  float left[3], right[3];
  fieldPoint(left, f, r, c);
  fieldPoint(right, f, r2, c2);
  gl.Vertex3f(left[0], left[1], -f->bottom);
  gl.Vertex3f(right[0], right[1], -f->bottom);
  gl.Vertex3fv(right);
  gl.Vertex3fv(left);
}

static void sendWalls(const Field* f) {
  const int back = f->nrow - 1, right = f->ncol - 1;
  gl.Begin(GL_QUADS);
  for (int r = 0; r < back; r++) {
    gl.Normal3f(-1, 0, 0);
    wall(f, r + 1, 0, r, 0);
    gl.Normal3f(1, 0, 0);
    wall(f, r, right, r + 1, right);
  }
  for (int c = 0; c < right; c++) {
    gl.Normal3f(0, -1, 0);
    wall(f, 0, c, 0, c + 1);
    gl.Normal3f(0, 1, 0);
    wall(f, back, c + 1, back, c);
  }
  gl.End();
}

static void sendBase(const Field* f, int numquads) {
  gl.Begin(GL_QUADS);
  gl.Normal3f(0, 0, -1);
  for (int r = 0; r < numquads; r++) {
    const float y[2] = {gridCoordinate(r, numquads, f->half[1]), gridCoordinate(r + 1, numquads, f->half[1])};
    for (int c = 0; c < numquads; c++) {
      const float x[2] = {gridCoordinate(c, numquads, f->half[0]), gridCoordinate(c + 1, numquads, f->half[0])};
      gl.Vertex3f(x[0], y[0], -f->bottom);
      gl.Vertex3f(x[0], y[1], -f->bottom);
      gl.Vertex3f(x[1], y[1], -f->bottom);
      gl.Vertex3f(x[1], y[0], -f->bottom);
    }
  }
  gl.End();
}

void mjr_uploadHField(const mjModel* m, const mjrContext* con, int hfieldid) {
  if (!ren_hasContext(con, "mjr_uploadHField")) return;
  if (!m || hfieldid < 0 || hfieldid >= m->nhfield || hfieldid >= con->rangeHField) {
    mju_error("Invalid height field index %d", hfieldid);
    return;
  }
  const mjtNum* const size = m->hfield_size + 4 * hfieldid;
  const Field field = {
      .data = m->hfield_data + m->hfield_adr[hfieldid],
      .nrow = m->hfield_nrow[hfieldid],
      .ncol = m->hfield_ncol[hfieldid],
      .half = {(float)size[0], (float)size[1]},
      .top = (float)size[2],
      .bottom = (float)size[3],
  };
  gl.NewList(con->baseHField + hfieldid, GL_COMPILE);
  sendSurface(&field);
  sendWalls(&field);
  sendBase(&field, m->vis.quality.numquads);
  gl.EndList();
}

void ren_makeHFields(const mjModel* m, mjrContext* con) {
  con->rangeHField = (int)m->nhfield;
  con->baseHField = ren_newLists(con->rangeHField);
  for (int i = 0; i < m->nhfield; i++) mjr_uploadHField(m, con, i);
}

//---------------------------------- skins ----------------------------------

// the four arrays of buffer names of a context
static void skinBuffers(mjrContext* con, unsigned int** arrays[4]) {
  arrays[0] = &con->skinvertVBO;
  arrays[1] = &con->skinnormalVBO;
  arrays[2] = &con->skintexcoordVBO;
  arrays[3] = &con->skinfaceVBO;
}

void ren_makeSkins(const mjModel* m, mjrContext* con) {
  if (!m->nskin) return;
  unsigned int** arrays[4];
  skinBuffers(con, arrays);
  for (int k = 0; k < 4; k++) {
    *arrays[k] = mju_malloc((size_t)m->nskin * sizeof(unsigned int));
    gl.GenBuffers((GLsizei)m->nskin, *arrays[k]);
  }
  con->nskin = (int)m->nskin;

  for (int i = 0; i < m->nskin; i++) {
    // texture coordinates, no buffer without them
    if (m->skin_texcoordadr[i] >= 0) {
      gl.BindBuffer(GL_ARRAY_BUFFER, con->skintexcoordVBO[i]);
      gl.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(float) * 2 * m->skin_vertnum[i],
                    m->skin_texcoord + 2 * m->skin_texcoordadr[i], GL_STATIC_DRAW);
    } else {
      gl.DeleteBuffers(1, con->skintexcoordVBO + i);
      con->skintexcoordVBO[i] = 0;
    }

    // faces
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, con->skinfaceVBO[i]);
    gl.BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof(int) * 3 * m->skin_facenum[i],
                  m->skin_face + 3 * m->skin_faceadr[i], GL_STATIC_DRAW);
  }
  gl.BindBuffer(GL_ARRAY_BUFFER, 0);
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
}

void ren_freeSkins(mjrContext* con) {
  unsigned int** arrays[4];
  skinBuffers(con, arrays);
  for (int k = 0; k < 4; k++) {
    if (con->nskin) gl.DeleteBuffers(con->nskin, *arrays[k]);
    mju_free(*arrays[k]);
    *arrays[k] = NULL;
  }
  con->nskin = 0;
}
