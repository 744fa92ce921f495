// Draws one geom. Shapes come as lists from the context: those of the model in their own size, built-in ones with size
// 1 that are scaled. Shapes made of several built-in ones are rows of a table. Numbers that come with the scene are
// checked, since programs write them too: what is out of range is not drawn.
#include "render/scene.h"

int ren_isMirror(const mjvGeom* geom) {
  return (geom->type == mjGEOM_PLANE || geom->type == mjGEOM_BOX) && !geom->transparent && geom->reflectance > 0;
}

// list number index of a range
static void callList(GLuint base, int range, int index) {
  if (index >= 0 && index < range) gl.CallList(base + (GLuint)index);
}

void ren_drawShape(const RenFrame* f, RenShape shape) {
  callList(f->con->baseBuiltin, f->con->rangeBuiltin, shape);
}

void ren_drawCylinder(const RenFrame* f) {
  ren_drawShape(f, REN_DISK_BOTTOM);
  ren_drawShape(f, REN_TUBE);
  ren_drawShape(f, REN_DISK_TOP);
}

//---------------------------------- shapes made of parts ----------------------------------

// A step on the way through the parts of a shape: move along z, scale, then draw. Steps add up.
typedef struct {
  float z;              // along z
  float width, height;  // in x and y, in z
  int turn;             // 1: half a turn about x
  RenShape shapes[3];   // drawn in this order
  int nshape;
} Step;

#define REN_CYLINDER    {REN_DISK_BOTTOM, REN_TUBE, REN_DISK_TOP}, 3
#define REN_CLOSED_CONE {REN_CONE, REN_CONE_BASE}, 2

// Built-in geoms: their size in the unit of the steps is (size[0], size[1], size[2] / length).
static const struct {
  int type;
  float length;
  int nstep;
  Step steps[3];
} BUILTIN[] = {
    {mjGEOM_SPHERE,    1, 1, {{0, 1, 1, 0, {REN_SPHERE}, 1}}                                             },
    {mjGEOM_ELLIPSOID, 1, 1, {{0, 1, 1, 0, {REN_SPHERE}, 1}}                                             },
    {mjGEOM_CYLINDER,  1, 1, {{0, 1, 1, 0, REN_CYLINDER}}                                                },
    {mjGEOM_BOX,       1, 1, {{0, 1, 1, 0, {REN_BOX}, 1}}                                                },
    {mjGEOM_ARROW,     6, 2, {{1, 1, 1, 0, REN_CYLINDER}, {1, 1.75f, 1, 0, REN_CLOSED_CONE}}             },
    {mjGEOM_ARROW1,    6, 2, {{1, 1, 1, 0, REN_CYLINDER}, {1, 1, 1, 0, REN_CLOSED_CONE}}                 },
    {mjGEOM_ARROW2,
     3,                   3,
     {{0, 1, 1, 0, {REN_TUBE}, 1}, {-1, 1.75f, 0.5f, 1, REN_CLOSED_CONE}, {-4, 1, 1, 1, REN_CLOSED_CONE}}},
};
#undef REN_CYLINDER
#undef REN_CLOSED_CONE

// 1: the geom is a row of the table
static int drawBuiltin(const RenFrame* f, const mjvGeom* geom) {
  for (size_t row = 0; row < sizeof(BUILTIN) / sizeof(BUILTIN[0]); row++) {
    if (BUILTIN[row].type != geom->type) continue;
    gl.Scalef(geom->size[0], geom->size[1], geom->size[2] / BUILTIN[row].length);
    for (int i = 0; i < BUILTIN[row].nstep; i++) {
      const Step* const step = BUILTIN[row].steps + i;
      if (step->z != 0) gl.Translatef(0, 0, step->z);
      if (step->width != 1 || step->height != 1) gl.Scalef(step->width, step->width, step->height);
      if (step->turn) gl.Rotatef(180, 1, 0, 0);
      for (int k = 0; k < step->nshape; k++) ren_drawShape(f, step->shapes[k]);
    }
    return 1;
  }
  return 0;
}

// a tube with the halves of a sphere on its ends, which size[2] reaches to from the middle
static void drawCapsule(const RenFrame* f, const float size[3]) {
  gl.PushMatrix();
  gl.Scalef(size[0], size[1], size[2]);
  ren_drawShape(f, REN_TUBE);
  gl.PopMatrix();

  const float radius = 0.5f * (size[0] + size[1]);
  if (radius <= 0) return;
  gl.Scalef(size[0], size[1], radius);
  gl.Translatef(0, 0, (size[2] - radius) / radius);
  ren_drawShape(f, REN_SPHERE_TOP);
  gl.Translatef(0, 0, 2 * (radius - size[2]) / radius);
  ren_drawShape(f, REN_SPHERE_BOTTOM);
}

//---------------------------------- planes, lines, triangles ----------------------------------

static void drawPlane(const RenFrame* f, const mjvGeom* geom) {
  // from behind its back is what must be kept
  const int behind = ren_isBehind(f, geom);
  if (behind) gl.CullFace(GL_FRONT);
  if (geom->dataid >= 0) {
    if (geom->dataid < f->con->rangePlane - 1) callList(f->con->basePlane, f->con->rangePlane, geom->dataid + 1);
  } else {
    gl.Scalef(geom->size[0], geom->size[1], 1);
    callList(f->con->basePlane, f->con->rangePlane, 0);
  }
  if (behind) gl.CullFace(GL_BACK);
}

// lines have no light on them
static void beginLines(const RenFrame* f, float width) {
  gl.LineWidth(width > 0 ? width : f->con->lineWidth);
  gl.Disable(GL_LIGHTING);
}

static void endLines(const RenFrame* f, RenPass pass) {
  gl.LineWidth(f->con->lineWidth);
  if (pass == REN_PASS_LIT || pass == REN_PASS_SHADED) gl.Enable(GL_LIGHTING);
}

static void drawLine(const RenFrame* f, const mjvGeom* geom, RenPass pass) {
  beginLines(f, geom->size[0] * f->con->lineWidth);
  gl.Begin(GL_LINES);
  gl.Vertex3f(0, 0, 0);
  gl.Vertex3f(0, 0, geom->size[2]);
  gl.End();
  endLines(f, pass);
}

// the twelve edges of a box: from each corner along the axes on whose negative side it lies
static void drawLineBox(const RenFrame* f, const mjvGeom* geom, RenPass pass) {
  beginLines(f, 1.5f * f->con->lineWidth);
  gl.Begin(GL_LINES);
  for (int corner = 0; corner < 8; corner++) {
    float from[3];
    for (int k = 0; k < 3; k++) from[k] = corner & (1 << k) ? geom->size[k] : -geom->size[k];
    for (int k = 0; k < 3; k++) {
      if (corner & (1 << k)) continue;
      float to[3] = {from[0], from[1], from[2]};
      to[k] = geom->size[k];
      gl.Vertex3fv(from);
      gl.Vertex3fv(to);
    }
  }
  gl.End();
  endLines(f, pass);
}

// seen from both sides
static void drawTriangle(const RenFrame* f, const mjvGeom* geom, RenPass pass) {
  gl.Disable(GL_CULL_FACE);
  gl.Begin(GL_TRIANGLES);
  gl.Normal3f(0, 0, 1);
  gl.Vertex3f(0, 0, 0);
  gl.Vertex3f(geom->size[0], 0, 0);
  gl.Vertex3f(0, geom->size[1], 0);
  gl.End();
  if (f->scn->flags[mjRND_CULL_FACE] && pass != REN_PASS_SHAPE) gl.Enable(GL_CULL_FACE);
}

//---------------------------------- flexes ----------------------------------

static void drawFlexVertices(const RenFrame* f, int flex, float radius) {
  const mjvScene* const scn = f->scn;
  const float* vert = scn->flexvert + 3 * scn->flexvertadr[flex];
  for (int v = 0; v < scn->flexvertnum[flex]; v++, vert += 3) {
    gl.PushMatrix();
    gl.Translatef(vert[0], vert[1], vert[2]);
    gl.Scalef(radius, radius, radius);
    ren_drawShape(f, REN_SPHERE);
    gl.PopMatrix();
  }
}

// a tube between two points
static void drawEdge(const RenFrame* f, const float from[3], const float to[3], float radius) {
  mjtNum along[3], quat[4], rot[9];
  float middle[3], mat[9], pose[16];
  for (int k = 0; k < 3; k++) {
    along[k] = to[k] - from[k];
    middle[k] = (from[k] + to[k]) * 0.5f;
  }
  const mjtNum length = mju_normalize3(along);
  mju_quatZ2Vec(quat, along);
  mju_quat2Mat(rot, quat);
  mju_n2f(mat, rot, 9);
  ren_pose(pose, middle, mat);

  gl.PushMatrix();
  gl.MultMatrixf(pose);
  gl.Scalef(radius, radius, (float)(0.5 * length));
  ren_drawShape(f, REN_TUBE);
  gl.PopMatrix();
}

static void drawFlexEdges(const RenFrame* f, int flex, float radius) {
  const mjvScene* const scn = f->scn;
  const float* const vert = scn->flexvert + 3 * scn->flexvertadr[flex];
  const int* edge = scn->flexedge + 2 * scn->flexedgeadr[flex];
  const int nvert = scn->flexvertnum[flex];
  for (int e = 0; e < scn->flexedgenum[flex]; e++, edge += 2) {
    if (edge[0] < 0 || edge[0] >= nvert || edge[1] < 0 || edge[1] >= nvert) continue;
    drawEdge(f, vert + 3 * edge[0], vert + 3 * edge[1], radius);
  }
}

static void drawFlexFaces(const RenFrame* f, int flex, RenTexture texture) {
  const mjvScene* const scn = f->scn;
  const int adr = scn->flexfaceadr[flex];
  gl.EnableClientState(GL_VERTEX_ARRAY);
  gl.EnableClientState(GL_NORMAL_ARRAY);
  gl.VertexPointer(3, GL_FLOAT, 0, scn->flexface + 9 * adr);
  gl.NormalPointer(GL_FLOAT, 0, scn->flexnormal + 9 * adr);
  if (texture == REN_TEX_COORDS) {
    gl.EnableClientState(GL_TEXTURE_COORD_ARRAY);
    gl.TexCoordPointer(2, GL_FLOAT, 0, scn->flextexcoord + 6 * adr);
  }
  gl.DrawArrays(GL_TRIANGLES, 0, 3 * REN_MIN(scn->flexfaceused[flex], scn->flexfacenum[flex]));
  gl.DisableClientState(GL_VERTEX_ARRAY);
  gl.DisableClientState(GL_NORMAL_ARRAY);
  gl.DisableClientState(GL_TEXTURE_COORD_ARRAY);
}

// vertices and edges have no texture; smooth skin replaces them
static void drawFlex(const RenFrame* f, const mjvGeom* geom, RenTexture texture) {
  const mjvScene* const scn = f->scn;
  const int flex = geom->objid;
  if (flex < 0 || flex >= scn->nflex) return;
  const int used = scn->flexfaceused[flex];
  const float radius = geom->size[0];
  if (radius > 0 && !(scn->flexskinopt && used)) {
    const int flat = texture == REN_TEX_COORDS || texture == REN_TEX_PLANAR;
    if (flat) gl.Disable(GL_TEXTURE_2D);
    if (scn->flexvertopt) drawFlexVertices(f, flex, radius);
    if (scn->flexedgeopt) drawFlexEdges(f, flex, radius);
    if (flat) gl.Enable(GL_TEXTURE_2D);
  }
  if (used > 0) drawFlexFaces(f, flex, texture);
}

//---------------------------------- skins ----------------------------------

// skins the scene and the context both have
static int skinCount(const RenFrame* f) {
  return REN_MIN(f->scn->nskin, f->con->nskin);
}

static void fillBuffer(GLuint buffer, const float* data, int nvert) {
  gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
  gl.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(3 * (size_t)nvert * sizeof(float)), data, GL_STREAM_DRAW);
}

void ren_uploadSkins(const RenFrame* f) {
  const mjvScene* const scn = f->scn;
  const int nskin = skinCount(f);
  for (int i = 0; i < nskin; i++) {
    const int adr = 3 * scn->skinvertadr[i];
    fillBuffer(f->con->skinvertVBO[i], scn->skinvert + adr, scn->skinvertnum[i]);
    fillBuffer(f->con->skinnormalVBO[i], scn->skinnormal + adr, scn->skinvertnum[i]);
  }
}

static void drawSkin(const RenFrame* f, const mjvGeom* geom) {
  const mjrContext* const con = f->con;
  const int skin = geom->objid;
  if (skin < 0 || skin >= skinCount(f)) return;
  gl.EnableClientState(GL_VERTEX_ARRAY);
  gl.BindBuffer(GL_ARRAY_BUFFER, con->skinvertVBO[skin]);
  gl.VertexPointer(3, GL_FLOAT, 0, NULL);
  gl.EnableClientState(GL_NORMAL_ARRAY);
  gl.BindBuffer(GL_ARRAY_BUFFER, con->skinnormalVBO[skin]);
  gl.NormalPointer(GL_FLOAT, 0, NULL);
  if (con->skintexcoordVBO[skin]) {
    gl.EnableClientState(GL_TEXTURE_COORD_ARRAY);
    gl.BindBuffer(GL_ARRAY_BUFFER, con->skintexcoordVBO[skin]);
    gl.TexCoordPointer(2, GL_FLOAT, 0, NULL);
  }
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, con->skinfaceVBO[skin]);
  gl.DrawElements(GL_TRIANGLES, 3 * f->scn->skinfacenum[skin], GL_UNSIGNED_INT, NULL);

  gl.BindBuffer(GL_ARRAY_BUFFER, 0);
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
  gl.DisableClientState(GL_VERTEX_ARRAY);
  gl.DisableClientState(GL_NORMAL_ARRAY);
  gl.DisableClientState(GL_TEXTURE_COORD_ARRAY);
}

//---------------------------------- any geom ----------------------------------

// the shape, in the geom's frame
static void drawLocal(const RenFrame* f, const mjvGeom* geom, RenPass pass) {
  switch (geom->type) {
    case mjGEOM_PLANE:
      drawPlane(f, geom);
      break;
    case mjGEOM_HFIELD:
      callList(f->con->baseHField, f->con->rangeHField, geom->dataid);
      break;
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      callList(f->con->baseMesh, f->con->rangeMesh, geom->dataid);
      break;
    case mjGEOM_CAPSULE:
      drawCapsule(f, geom->size);
      break;
    case mjGEOM_LINE:
      drawLine(f, geom, pass);
      break;
    case mjGEOM_LINEBOX:
      drawLineBox(f, geom, pass);
      break;
    case mjGEOM_TRIANGLE:
      drawTriangle(f, geom, pass);
      break;
    default:
      drawBuiltin(f, geom);
  }
}

void ren_drawGeom(RenFrame* f, const mjvGeom* geom, RenPass pass, float tint) {
  const int textured = pass == REN_PASS_LIT || pass == REN_PASS_SHADED;
  const RenTexture texture = textured ? ren_beginTexture(f, geom) : REN_TEX_NONE;
  ren_setLook(f, geom, pass, tint);

  // flexes and skins come in the model's coordinates
  if (geom->type == mjGEOM_FLEX) {
    drawFlex(f, geom, texture);
  } else if (geom->type == mjGEOM_SKIN) {
    drawSkin(f, geom);
  } else {
    float pose[16];
    ren_pose(pose, geom->pos, geom->mat);
    gl.PushMatrix();
    gl.MultMatrixf(pose);
    drawLocal(f, geom, pass);
    gl.PopMatrix();
  }
  ren_endTexture(texture);
}
