// From the geoms of a scene to instances of meshes. Shapes made of several meshes are rows of a table.
#include <stdlib.h>

#include "view/renderer.h"

//---------------------------------- lists ----------------------------------

static ViwItem* addItem(ViwItems* items) {
  if (items->n == items->room) {
    items->room = items->room ? 2 * items->room : 256;
    items->at = realloc(items->at, (size_t)items->room * sizeof(*items->at));
    if (!items->at) mju_error("view: no memory for a scene");
  }
  return items->at + items->n++;
}

void viw_addLine(ViwRenderer* r, const float from[3], const float to[3], float width, const float rgba[4]) {
  if (r->nline == r->lineRoom) {
    r->lineRoom = r->lineRoom ? 2 * r->lineRoom : 256;
    r->line = realloc(r->line, (size_t)r->lineRoom * sizeof(*r->line));
    if (!r->line) mju_error("view: no memory for a scene");
  }
  ViwLine* const line = r->line + r->nline++;
  *line = (ViwLine){.width = width};
  memcpy(line->from, from, sizeof(line->from));
  memcpy(line->to, to, sizeof(line->to));
  memcpy(line->rgba, rgba, sizeof(line->rgba));
}

//---------------------------------- one geom ----------------------------------

// a point of the geom's frame in the world
static void pointOf(float out[3], const mjvGeom* geom, const float p[3]) {
  for (int k = 0; k < 3; k++) out[k] = geom->pos[k] + viw_dot(geom->mat + 3 * k, p);
}

static int isTransparent(const ViwRenderer* r, const mjvGeom* geom) {
  if (geom->rgba[3] < 0.995f) return 1;
  if (geom->type != mjGEOM_PLANE) return 0;
  // planes are almost clear from behind
  const float to[3] = {r->eye[0] - geom->pos[0], r->eye[1] - geom->pos[1], r->eye[2] - geom->pos[2]};
  return viw_dot(to, (float[3]){geom->mat[2], geom->mat[5], geom->mat[8]}) < 0;
}

// Corners of a round shape cost as much as dozens of pixels: what is small gets fewer of them. What is added to the
// shape's mesh.
static int levelOf(const ViwRenderer* r, const float scale[3], const float origin[3]) {
  // radius in pixels up to which the corners of a level look round
  const float coarse = r->soft ? 16 : 40, tiny = r->soft ? 6 : 12;
  const float to[3] = {origin[0] - r->eye[0], origin[1] - r->eye[1], origin[2] - r->eye[2]};
  const float depth = r->project.at[11] != 0 ? fmaxf(viw_dot(to, r->forward), r->near) : 1;
  const float size = fmaxf(fabsf(scale[0]), fabsf(scale[1]));
  const float pixels = 0.5f * r->project.at[5] * (float)r->height * size / depth;
  return pixels < tiny ? VIW_TINY : pixels < coarse ? VIW_COARSE : 0;
}

// a sphere around a thing that is scaled so, 0: none is known
static float radiusOf(const mjvGeom* geom, int mesh, const float scale[3]) {
  if (mesh >= VIW_NSHAPE) return geom->objtype == mjOBJ_GEOM ? geom->modelrbound : 0;
  return sqrtf(viw_dot(scale, scale)) + (mesh == VIW_CAPSULE ? geom->size[2] : 0);
}

// an item with the look of a geom, in the frame of the geom moved by offset
static ViwItem* addGeomItem(ViwRenderer* r, const mjvGeom* geom, int mesh, const float scale[3],
                            const float offset[3]) {
  const int transparent = isTransparent(r, geom);
  ViwItem* const item = addItem(transparent ? &r->transparent : &r->opaque);
  *item = (ViwItem){.mesh = mesh, .texture = -1, .shadow = geom->category != mjCAT_DECOR && geom->rgba[3] > 0.3f};
  ViwInstance* const i = &item->instance;
  float origin[3];
  pointOf(origin, geom, offset);
  if (mesh < VIW_BOX) item->mesh += levelOf(r, scale, origin);
  const float radius = radiusOf(geom, mesh, scale);
  item->radius = radius > 0 ? radius : 1e30f;
  for (int k = 0; k < 3; k++) {
    for (int c = 0; c < 3; c++) i->row[k][c] = geom->mat[3 * k + c] * scale[c];
    i->row[k][3] = origin[k];
    i->inverse[k] = fabsf(scale[k]) > 1e-12f ? 1 / scale[k] : 1;
  }
  memcpy(i->rgba, geom->rgba, sizeof(i->rgba));
  if (transparent && geom->type == mjGEOM_PLANE) i->rgba[3] *= geom->rgba[3] < 0.995f ? 1 : 0.3f;
  const float to[3] = {r->eye[0] - origin[0], r->eye[1] - origin[1], r->eye[2] - origin[2]};
  item->distance = geom->type == mjGEOM_PLANE ? 1e10f : sqrtf(viw_dot(to, to)) - geom->modelrbound;
  const float look[4] = {geom->emission, geom->specular, geom->shininess * 128, 0};
  memcpy(i->look, look, sizeof(look));
  return item;
}

// how a material's texture covers an item whose coordinates run over size; unit: they are -1 ... 1 of it
static void cover(const ViwRenderer* r, const mjvGeom* geom, ViwItem* item, int unit) {
  const mjModel* const m = r->m;
  if (geom->matid < 0 || geom->matid >= (int)m->nmat) return;
  const int texture = m->mat_texid[mjNTEXROLE * (size_t)geom->matid + mjTEXROLE_RGB];
  if (texture < 0 || texture >= r->ntexture || !r->texture[texture]) return;
  const int flat = m->tex_type[texture] == mjTEXTURE_2D;
  if (geom->texcoord && !flat) return;
  item->texture = texture;
  item->how = geom->texcoord ? VIW_COORDS : flat ? VIW_FLAT : VIW_CUBE;
  const int uniform = m->mat_texuniform[geom->matid];
  float* const t = item->instance.texture;
  for (int k = 0; k < 3; k++) t[k] = item->how == VIW_CUBE && uniform ? geom->size[k] : 1;
  if (item->how != VIW_FLAT) return;

  // repetitions over the whole, or in each metre
  for (int k = 0; k < 2; k++) {
    const float size = geom->size[k];
    float repeat = m->mat_texrepeat[2 * (size_t)geom->matid + k];
    if (size > 0 && uniform) repeat *= size;
    if (size > 0 && !unit) repeat /= size;
    t[k] = k ? -0.5f * repeat : 0.5f * repeat;
    t[2 + k] = -0.5f;
  }
}

static void addPlane(ViwRenderer* r, const mjvGeom* geom) {
  // without end: as far as can be seen, centred below the eye, with its texture in place
  const float to[3] = {r->eye[0] - geom->pos[0], r->eye[1] - geom->pos[1], r->eye[2] - geom->pos[2]};
  float scale[3] = {geom->size[0], geom->size[1], 1}, offset[3] = {0};
  int endless = 0;
  for (int k = 0; k < 2; k++) {
    if (scale[k] > 0) continue;
    endless = 1;
    scale[k] = 1.5f * r->far;
    offset[k] = viw_dot(to, (float[3]){geom->mat[k], geom->mat[3 + k], geom->mat[6 + k]});
  }
  ViwItem* const item = addGeomItem(r, geom, VIW_SQUARE, scale, offset);
  item->endless = endless;
  r->endless |= endless;
  item->shadow = 0;
  item->instance.look[3] = geom->reflectance;
  cover(r, geom, item, 0);
  float* const t = item->instance.texture;
  for (int k = 0; k < 2 && item->how == VIW_FLAT; k++) {
    t[2 + k] += t[k] * offset[k];
    t[k] *= scale[k];
  }
}

static void addCapsule(ViwRenderer* r, const mjvGeom* geom) {
  const float radius = 0.5f * (geom->size[0] + geom->size[1]);
  if (!(radius > 0)) return;
  ViwItem* const item =
      addGeomItem(r, geom, VIW_CAPSULE, (float[3]){geom->size[0], geom->size[1], radius}, (float[3]){0, 0, 0});
  item->instance.inverse[3] = geom->size[2] / radius;
  cover(r, geom, item, 1);
}

// Parts of shapes: mesh, where along z, how wide and how high; in units of (size[0], size[1], size[2] / length).
typedef struct {
  ViwShape mesh;
  float z, width, height;
} Part;

static const struct {
  int type;
  float length;
  int npart;
  Part part[3];
} SHAPES[] = {
    {mjGEOM_SPHERE,    1, 1, {{VIW_SPHERE, 0, 1, 1}}                                                        },
    {mjGEOM_ELLIPSOID, 1, 1, {{VIW_SPHERE, 0, 1, 1}}                                                        },
    {mjGEOM_CYLINDER,  1, 1, {{VIW_CYLINDER, 0, 1, 1}}                                                      },
    {mjGEOM_BOX,       1, 1, {{VIW_BOX, 0, 1, 1}}                                                           },
    {mjGEOM_TRIANGLE,  1, 1, {{VIW_TRIANGLE, 0, 1, 1}}                                                      },
    {mjGEOM_ARROW,     6, 2, {{VIW_CYLINDER, 1, 1, 1}, {VIW_CONE, 2, 1.75f, 1}}                             },
    {mjGEOM_ARROW1,    6, 2, {{VIW_CYLINDER, 1, 1, 1}, {VIW_CONE, 2, 1, 1}}                                 },
    {mjGEOM_ARROW2,    3, 3, {{VIW_TUBE, 0, 1, 1}, {VIW_CONE, 1, 1.75f, 0.5f}, {VIW_CONE, -1, 1.75f, -0.5f}}},
};

static void addShape(ViwRenderer* r, const mjvGeom* geom) {
  for (size_t row = 0; row < sizeof(SHAPES) / sizeof(SHAPES[0]); row++) {
    if (SHAPES[row].type != geom->type) continue;
    const float unit = geom->size[2] / SHAPES[row].length;
    for (int i = 0; i < SHAPES[row].npart; i++) {
      const Part* const part = SHAPES[row].part + i;
      // a negative height is half a turn about x
      const float turn = part->height < 0 ? -1 : 1;
      const float scale[3] = {geom->size[0] * part->width, turn * geom->size[1] * part->width, unit * part->height};
      cover(r, geom, addGeomItem(r, geom, part->mesh, scale, (float[3]){0, 0, unit * part->z}), 1);
    }
  }
}

// the twelve edges of a box: from each corner along the axes on whose negative side it lies
static void addLineBox(ViwRenderer* r, const mjvGeom* geom) {
  for (int corner = 0; corner < 8; corner++) {
    float from[3], a[3], b[3];
    for (int k = 0; k < 3; k++) from[k] = corner & (1 << k) ? geom->size[k] : -geom->size[k];
    pointOf(a, geom, from);
    for (int k = 0; k < 3; k++) {
      if (corner & (1 << k)) continue;
      float to[3] = {from[0], from[1], from[2]};
      to[k] = geom->size[k];
      pointOf(b, geom, to);
      viw_addLine(r, a, b, 1.5f, geom->rgba);
    }
  }
}

//---------------------------------- flexes ----------------------------------

// a tube between two points
static void addEdge(ViwRenderer* r, const mjvGeom* geom, const float from[3], const float to[3]) {
  mjvGeom edge = *geom;
  mjtNum along[3], quat[4], mat[9];
  for (int k = 0; k < 3; k++) along[k] = to[k] - from[k];
  const float length = (float)mju_normalize3(along);
  mju_quatZ2Vec(quat, along);
  mju_quat2Mat(mat, quat);
  mju_n2f(edge.mat, mat, 9);
  for (int k = 0; k < 3; k++) edge.pos[k] = 0.5f * (from[k] + to[k]);
  addGeomItem(r, &edge, VIW_TUBE, (float[3]){geom->size[0], geom->size[0], 0.5f * length}, (float[3]){0, 0, 0});
}

static void addFlex(ViwRenderer* r, const mjvScene* scene, const mjvGeom* geom) {
  const int id = geom->objid, nvert = scene->flexvertnum[id];
  const float* const vert = scene->flexvert + 3 * (size_t)scene->flexvertadr[id];
  mjvGeom still = *geom;
  memset(still.pos, 0, sizeof(still.pos));
  mju_n2f(still.mat, (mjtNum[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9);

  // smooth skin replaces vertices and edges
  const float radius = geom->size[0];
  const int skin = scene->flexskinopt && scene->flexfaceused[id];
  for (int v = 0; v < nvert && radius > 0 && scene->flexvertopt && !skin; v++) {
    addGeomItem(r, &still, VIW_SPHERE, (float[3]){radius, radius, radius}, vert + 3 * (size_t)v);
  }
  const int* edge = scene->flexedge + 2 * (size_t)scene->flexedgeadr[id];
  for (int e = 0; e < scene->flexedgenum[id] && radius > 0 && scene->flexedgeopt && !skin; e++, edge += 2) {
    if (edge[0] < 0 || edge[0] >= nvert || edge[1] < 0 || edge[1] >= nvert) continue;
    addEdge(r, geom, vert + 3 * (size_t)edge[0], vert + 3 * (size_t)edge[1]);
  }
  const int mesh = r->firstFlex + id;
  if (r->mesh[mesh].nindex) {
    cover(r, geom, addGeomItem(r, &still, mesh, (float[3]){1, 1, 1}, (float[3]){0, 0, 0}), 0);
  }
}

static void addSkin(ViwRenderer* r, const mjvGeom* geom) {
  mjvGeom still = *geom;
  memset(still.pos, 0, sizeof(still.pos));
  mju_n2f(still.mat, (mjtNum[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9);
  still.texcoord = r->m->skin_texcoordadr[geom->objid] >= 0;
  cover(r, &still, addGeomItem(r, &still, r->firstSkin + geom->objid, (float[3]){1, 1, 1}, (float[3]){0, 0, 0}), 0);
}

//---------------------------------- the scene ----------------------------------

static void addMesh(ViwRenderer* r, const mjvGeom* geom, int mesh) {
  cover(r, geom, addGeomItem(r, geom, mesh, (float[3]){1, 1, 1}, (float[3]){0, 0, 0}), 0);
}

// numbers of programs that write scenes are checked: what is out of range is not drawn
static void addGeom(ViwRenderer* r, const mjvScene* scene, const mjvGeom* geom) {
  const mjModel* const m = r->m;
  switch (geom->type) {
    case mjGEOM_PLANE:
      addPlane(r, geom);
      break;
    case mjGEOM_HFIELD:
      if (geom->dataid >= 0 && geom->dataid < (int)m->nhfield) addMesh(r, geom, r->firstHfield + geom->dataid);
      break;
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      if (geom->dataid >= 0 && geom->dataid < 2 * (int)m->nmesh) addMesh(r, geom, VIW_NSHAPE + geom->dataid);
      break;
    case mjGEOM_CAPSULE:
      addCapsule(r, geom);
      break;
    case mjGEOM_LINE: {
      float to[3];
      pointOf(to, geom, (float[3]){0, 0, geom->size[2]});
      viw_addLine(r, geom->pos, to, geom->size[0] > 0 ? geom->size[0] : 1, geom->rgba);
      break;
    }
    case mjGEOM_LINEBOX:
      addLineBox(r, geom);
      break;
    case mjGEOM_FLEX:
      if (geom->objid >= 0 && geom->objid < scene->nflex && geom->objid < (int)m->nflex) addFlex(r, scene, geom);
      break;
    case mjGEOM_SKIN:
      if (geom->objid >= 0 && geom->objid < scene->nskin && geom->objid < (int)m->nskin) addSkin(r, geom);
      break;
    default:
      addShape(r, geom);
  }
}

// the first plane, or upper side of a box, that reflects and is seen from above
static void findMirror(ViwRenderer* r, const mjvScene* scene) {
  r->mirror = 0;
  for (int i = 0; i < scene->ngeom && scene->flags[mjRND_REFLECTION] && !r->lean && !r->mirror; i++) {
    const mjvGeom* const geom = scene->geoms + i;
    if ((geom->type != mjGEOM_PLANE && geom->type != mjGEOM_BOX) || !(geom->reflectance > 0)) continue;
    if (geom->rgba[3] < 0.995f) continue;
    const float n[3] = {geom->mat[2], geom->mat[5], geom->mat[8]};
    const float offset = viw_dot(n, geom->pos) + (geom->type == mjGEOM_BOX ? geom->size[2] : 0);
    if (viw_dot(n, r->eye) <= offset) continue;
    memcpy(r->mirrorPlane, n, sizeof(n));
    r->mirrorPlane[3] = -offset;
    r->mirror = 1 + i;
  }
}

// of equal ones what is near comes first and hides the others before they are shaded
static int compareMesh(const void* a, const void* b) {
  const ViwItem *const p = a, *const q = b;
  const int keys[][2] = {
      {p->mirror,  q->mirror },
      {p->endless, q->endless},
      {p->mesh,    q->mesh   },
      {p->texture, q->texture},
      {p->how,     q->how    }
  };
  for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
    if (keys[i][0] != keys[i][1]) return keys[i][0] < keys[i][1] ? -1 : 1;
  }
  return p->distance < q->distance ? -1 : p->distance > q->distance;
}

static int compareDistance(const void* a, const void* b) {
  const float p = ((const ViwItem*)a)->distance, q = ((const ViwItem*)b)->distance;
  return p < q ? 1 : p > q ? -1 : compareMesh(a, b);
}

void viw_listScene(ViwRenderer* r, const mjvScene* scene) {
  r->opaque.n = r->transparent.n = r->nline = r->endless = 0;
  if (!r->m) return;
  findMirror(r, scene);
  for (int i = 0; i < scene->ngeom; i++) {
    const int before = r->opaque.n;
    addGeom(r, scene, scene->geoms + i);
    if (r->mirror != 1 + i) continue;
    for (int k = before; k < r->opaque.n; k++) {
      r->opaque.at[k].mirror = 1;
      r->opaque.at[k].instance.look[3] = scene->geoms[i].reflectance;
    }
  }
  if (r->opaque.n) qsort(r->opaque.at, (size_t)r->opaque.n, sizeof(*r->opaque.at), compareMesh);
  if (r->transparent.n) {
    qsort(r->transparent.at, (size_t)r->transparent.n, sizeof(*r->transparent.at), compareDistance);
  }
}
