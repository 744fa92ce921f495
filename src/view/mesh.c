// Meshes on the graphics card: shapes of size 1, and the meshes, hulls and height fields of a model.
#include <stdlib.h>

#include "view/renderer.h"

//---------------------------------- buffers ----------------------------------

// attributes 0 ... 2 come from the mesh; frame.c adds those of the instances
ViwMesh viw_makeMesh(const ViwVertex* vertex, int nvertex, const unsigned* index, int nindex) {
  ViwMesh mesh = {0};
  vgl.GenVertexArrays(1, &mesh.array);
  vgl.GenBuffers(1, &mesh.vertices);
  vgl.GenBuffers(1, &mesh.indices);
  viw_fillMesh(&mesh, vertex, nvertex, index, nindex);
  static const struct {
    int size;
    size_t offset;
  } attributes[] = {
      {4, offsetof(ViwVertex, pos)     },
      {3, offsetof(ViwVertex, normal)  },
      {2, offsetof(ViwVertex, texcoord)}
  };
  for (GLuint i = 0; i < 3; i++) {
    vgl.EnableVertexAttribArray(i);
    vgl.VertexAttribPointer(i, attributes[i].size, GL_FLOAT, 0, sizeof(ViwVertex), (const void*)attributes[i].offset);
  }
  return mesh;
}

void viw_fillMesh(ViwMesh* mesh, const ViwVertex* vertex, int nvertex, const unsigned* index, int nindex) {
  vgl.BindVertexArray(mesh->array);
  vgl.BindBuffer(GL_ARRAY_BUFFER, mesh->vertices);
  vgl.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)nvertex * sizeof(*vertex)), vertex, GL_STATIC_DRAW);
  vgl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->indices);
  vgl.BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)nindex * sizeof(*index)), index, GL_STATIC_DRAW);
  mesh->nindex = nindex;
}

void viw_freeMesh(ViwMesh* mesh) {
  if (!mesh->array) return;
  vgl.DeleteVertexArrays(1, &mesh->array);
  vgl.DeleteBuffers(1, &mesh->vertices);
  vgl.DeleteBuffers(1, &mesh->indices);
  *mesh = (ViwMesh){0};
}

//---------------------------------- building ----------------------------------

// A mesh while it is built.
typedef struct {
  ViwVertex* vertex;
  unsigned* index;
  int nvertex, nindex, vertexRoom, indexRoom;
} Builder;

static void reserve(Builder* b, int nvertex, int nindex) {
  if (b->nvertex + nvertex > b->vertexRoom) {
    b->vertexRoom = 2 * (b->nvertex + nvertex);
    b->vertex = realloc(b->vertex, (size_t)b->vertexRoom * sizeof(*b->vertex));
  }
  if (b->nindex + nindex > b->indexRoom) {
    b->indexRoom = 2 * (b->nindex + nindex);
    b->index = realloc(b->index, (size_t)b->indexRoom * sizeof(*b->index));
  }
  if ((nvertex && !b->vertex) || (nindex && !b->index)) mju_error("view: no memory for a mesh");
}

static unsigned addVertex(Builder* b, const float pos[3], const float normal[3], float cap) {
  reserve(b, 1, 0);
  b->vertex[b->nvertex] = (ViwVertex){
      {pos[0],     pos[1], pos[2]},
      cap, {normal[0],          normal[1],        normal[2]},
      {0, 0}
  };
  return (unsigned)b->nvertex++;
}

static void triangle(Builder* b, unsigned i, unsigned j, unsigned k) {
  reserve(b, 0, 3);
  b->index[b->nindex++] = i;
  b->index[b->nindex++] = j;
  b->index[b->nindex++] = k;
}

static void faceNormal(float normal[3], const float* a, const float* b, const float* c) {
  const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const float v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  viw_cross(normal, u, v);
  viw_normalize(normal);
}

// a triangle with the normal of its face
static void flat(Builder* b, const float* p, const float* q, const float* r) {
  float normal[3];
  faceNormal(normal, p, q, r);
  const unsigned first = addVertex(b, p, normal, 0);
  addVertex(b, q, normal, 0);
  addVertex(b, r, normal, 0);
  triangle(b, first, first + 1, first + 2);
}

static void finish(Builder* b, ViwMesh* mesh) {
  *mesh = viw_makeMesh(b->vertex, b->nvertex, b->index, b->nindex);
  free(b->vertex);
  free(b->index);
}

//---------------------------------- shapes ----------------------------------

// a point of a profile in the half plane (r, z) with its normal
typedef struct {
  float r, z, nr, nz, cap;
} Rim;

// a profile turned round the z axis: neighbours of a row share their corners
static void lathe(Builder* b, const Rim* rim, int nrim, int slices) {
  unsigned before = 0;
  for (int k = 0; k < nrim; k++) {
    // what lies on the axis is one corner
    const unsigned first = (unsigned)b->nvertex;
    const int n = rim[k].r > 0 ? slices : 1;
    for (int i = 0; i < n; i++) {
      const float angle = 2 * (float)mjPI * (float)i / (float)slices, c = cosf(angle), s = sinf(angle);
      addVertex(b, (float[3]){c * rim[k].r, s * rim[k].r, rim[k].z},
                (float[3]){c * rim[k].nr, s * rim[k].nr, rim[k].nz}, rim[k].cap);
    }
    for (int i = 0; i < slices && k > 0; i++) {
      const unsigned at = (unsigned)i, next = (unsigned)((i + 1) % slices);
      if (rim[k - 1].r > 0) triangle(b, before + at, before + next, first + (n > 1 ? at : 0));
      if (n > 1) triangle(b, first + at, before + (rim[k - 1].r > 0 ? next : 0), first + next);
    }
    before = first;
  }
}

// part of the profile of a sphere between two elevations in units of a right angle: rings + 1 points
static Rim* arc(Rim* rim, int from, int to, int rings, float cap) {
  for (int i = 0; i <= rings; i++) {
    const float t = (float)from + (float)(to - from) * (float)i / (float)rings;
    const float c = fabsf(t) == 1 ? 0 : cosf(t * 0.5f * (float)mjPI), s = sinf(t * 0.5f * (float)mjPI);
    *rim++ = (Rim){c, s, c, s, cap};
  }
  return rim;
}

static void disk(Builder* b, float z, float up, int slices) {
  const Rim edge = {1, z, 0, up, 0}, middle = {0, z, 0, up, 0};
  lathe(b, up > 0 ? (Rim[2]){edge, middle} : (Rim[2]){middle, edge}, 2, slices);
}

static void box(Builder* b) {
  for (int axis = 0; axis < 3; axis++) {
    for (int side = -1; side <= 1; side += 2) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const unsigned first = (unsigned)b->nvertex;
      for (int corner = 0; corner < 4; corner++) {
        float pos[3], normal[3] = {0};
        pos[axis] = normal[axis] = (float)side;
        pos[u] = corner & 1 ? 1 : -1;
        pos[v] = corner & 2 ? 1 : -1;
        addVertex(b, pos, normal, 0);
      }
      const unsigned swap = side < 0;
      triangle(b, first, first + 1 + swap, first + 2 - swap);
      triangle(b, first + 3, first + 2 - swap, first + 1 + swap);
    }
  }
}

void viw_makeShape(ViwMesh* mesh, ViwShape shape, int soft) {
  enum { MOST_RINGS = 10 };
  // rings of half a sphere; processors get one level less than graphics cards
  static const struct {
    int slices, rings;
  } LEVELS[] = {
      {40, MOST_RINGS},
      {24, 6         },
      {12, 3         },
      {8,  2         }
  };
  Builder b = {0};
  Rim rim[2 * MOST_RINGS + 2], *end;
  const int level = soft + (shape >= VIW_COARSE) + (shape >= VIW_TINY);
  const int slices = LEVELS[level].slices, rings = LEVELS[level].rings;
  const Rim side[2] = {
      {1, -1, 1, 0, 0},
      {1, 1,  1, 0, 0}
  };
  switch ((int)shape - (shape >= VIW_TINY ? VIW_TINY : shape >= VIW_COARSE ? VIW_COARSE : 0)) {
    case VIW_SPHERE:
      end = arc(rim, -1, 1, 2 * rings, 0);
      lathe(&b, rim, (int)(end - rim), slices);
      break;
    case VIW_CAPSULE:
      end = arc(arc(rim, -1, 0, rings, -1), 0, 1, rings, 1);
      lathe(&b, rim, (int)(end - rim), slices);
      break;
    case VIW_CYLINDER:
      disk(&b, -1, -1, slices);
      lathe(&b, side, 2, slices);
      disk(&b, 1, 1, slices);
      break;
    case VIW_TUBE:
      lathe(&b, side, 2, slices);
      break;
    case VIW_CONE: {
      const float slope = sqrtf(0.5f);
      disk(&b, 0, -1, slices);
      // the tip has a corner in each direction
      lathe(&b,
            (Rim[2]){
                {1,     0, slope, slope, 0},
                {1e-6f, 1, slope, slope, 0}
      },
            2, slices);
      break;
    }
    case VIW_BOX:
      box(&b);
      break;
    case VIW_SQUARE:
      flat(&b, (float[3]){-1, -1, 0}, (float[3]){1, -1, 0}, (float[3]){1, 1, 0});
      flat(&b, (float[3]){-1, -1, 0}, (float[3]){1, 1, 0}, (float[3]){-1, 1, 0});
      break;
    default:
      flat(&b, (float[3]){0, 0, 0}, (float[3]){1, 0, 0}, (float[3]){0, 1, 0});
  }
  finish(&b, mesh);
}

//---------------------------------- the model's ----------------------------------

// Without texture coordinates a vertex normal far from that of its face means an edge, which is drawn sharp.
static void addFaces(Builder* b, const mjModel* m, int id) {
  const float* const vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[id];
  const float* const normal = m->mesh_normal + 3 * (size_t)m->mesh_normaladr[id];
  const int textured = m->mesh_texcoordadr[id] >= 0;
  const float* const texcoord = textured ? m->mesh_texcoord + 2 * (size_t)m->mesh_texcoordadr[id] : NULL;
  for (int i = m->mesh_faceadr[id]; i < m->mesh_faceadr[id] + m->mesh_facenum[id]; i++) {
    const int* const face = m->mesh_face + 3 * (size_t)i;
    float even[3];
    faceNormal(even, vert + 3 * (size_t)face[0], vert + 3 * (size_t)face[1], vert + 3 * (size_t)face[2]);
    const unsigned first = (unsigned)b->nvertex;
    for (int k = 0; k < 3; k++) {
      const int n = m->mesh_facenormal[3 * (size_t)i + k], t = m->mesh_facetexcoord[3 * (size_t)i + k];
      const float* const own = n >= 0 ? normal + 3 * (size_t)n : even;
      addVertex(b, vert + 3 * (size_t)face[k], !textured && viw_dot(own, even) < 0.8f ? even : own, 0);
      if (textured && t >= 0) memcpy(b->vertex[b->nvertex - 1].texcoord, texcoord + 2 * (size_t)t, 2 * sizeof(float));
    }
    triangle(b, first, first + 1, first + 2);
  }
}

// the faces of a convex hull, flat
static void addHull(Builder* b, const mjModel* m, int id) {
  if (m->mesh_graphadr[id] < 0) return;
  const int* const graph = m->mesh_graph + m->mesh_graphadr[id];
  const int* const faces = graph + 2 + 3 * (size_t)graph[0] + 3 * (size_t)graph[1];
  const float* const vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[id];
  for (int i = 0; i < graph[1]; i++) {
    const int* const face = faces + 3 * (size_t)i;
    flat(b, vert + 3 * (size_t)face[0], vert + 3 * (size_t)face[1], vert + 3 * (size_t)face[2]);
  }
}

void viw_makeModelMesh(ViwMesh* mesh, const mjModel* m, int id, int hull) {
  Builder b = {0};
  reserve(&b, 1, 1);
  if (hull) {
    addHull(&b, m, id);
  } else {
    addFaces(&b, m, id);
  }
  finish(&b, mesh);
}

// the surface, with a normal from its neighbours at each point, and walls down to the base
void viw_makeHfield(ViwMesh* mesh, const mjModel* m, int id) {
  const int nrow = m->hfield_nrow[id], ncol = m->hfield_ncol[id];
  const float* const data = m->hfield_data + m->hfield_adr[id];
  const mjtNum* const size = m->hfield_size + 4 * (size_t)id;
  const float half[2] = {(float)size[0], (float)size[1]}, top = (float)size[2], bottom = -(float)size[3];
  const float cell[2] = {2 * half[0] / (float)(ncol - 1), 2 * half[1] / (float)(nrow - 1)};
  Builder b = {0};
  reserve(&b, nrow * ncol, 6 * nrow * ncol);
#define AT(row, col) (data[(row)*ncol + (col)] * top)
  for (int r = 0; r < nrow; r++) {
    for (int c = 0; c < ncol; c++) {
      const int w = c > 0 ? c - 1 : c, e = c < ncol - 1 ? c + 1 : c, s = r > 0 ? r - 1 : r,
                n = r < nrow - 1 ? r + 1 : r;
      float normal[3] = {(AT(r, w) - AT(r, e)) / ((float)(e - w) * cell[0]),
                         (AT(s, c) - AT(n, c)) / ((float)(n - s) * cell[1]), 1};
      viw_normalize(normal);
      addVertex(&b, (float[3]){-half[0] + (float)c * cell[0], -half[1] + (float)r * cell[1], AT(r, c)}, normal, 0);
    }
  }
#undef AT
  for (unsigned r = 0; r + 1 < (unsigned)nrow; r++) {
    for (unsigned c = 0; c + 1 < (unsigned)ncol; c++) {
      const unsigned at = r * (unsigned)ncol + c;
      triangle(&b, at, at + 1, at + 1 + (unsigned)ncol);
      triangle(&b, at, at + 1 + (unsigned)ncol, at + (unsigned)ncol);
    }
  }

  if (!b.vertex) return;

  // round the border: each piece of wall hangs from two neighbours
  const int around = 2 * (nrow - 1) + 2 * (ncol - 1);
  for (int i = 0; i < around; i++) {
    float corner[2][3], foot[2][3];
    for (int k = 0; k < 2; k++) {
      const int at = (i + k) % around, right = ncol - 1, back = nrow - 1;
      const int c = at < right ? at : at < right + back ? right : at < 2 * right + back ? 2 * right + back - at : 0;
      const int r = at < right ? 0 : at < right + back ? at - right : at < 2 * right + back ? back : around - at;
      for (int axis = 0; axis < 3; axis++) corner[k][axis] = foot[k][axis] = b.vertex[r * ncol + c].pos[axis];
      foot[k][2] = bottom;
    }
    flat(&b, foot[0], foot[1], corner[1]);
    flat(&b, foot[0], corner[1], corner[0]);
  }
  finish(&b, mesh);
}
