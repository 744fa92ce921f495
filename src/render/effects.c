// What takes more than drawing geoms once: mirrors (the scene reflected at the mirror's plane, where the stencil says
// that the mirror is seen), shadows (depth as seen from the light in a texture, compared with the distance from the
// light when its light is added) and the sky.
#include "math/elem.h"
#include "render/scene.h"

//---------------------------------- mirrors ----------------------------------

// the plane that reflects: a plane, or the upper side of a box
static mjvGeom mirrorPlane(const mjvGeom* geom) {
  mjvGeom plane = *geom;
  if (geom->type == mjGEOM_BOX) {
    plane.type = mjGEOM_PLANE;
    for (int k = 0; k < 3; k++) plane.pos[k] += plane.size[2] * plane.mat[3 * k + 2];
  }
  return plane;
}

// multiplies the current matrix by the reflection at a plane: x - 2 n n' (x - pos)
static void applyReflection(const mjvGeom* plane) {
  const float n[3] = {plane->mat[2], plane->mat[5], plane->mat[8]};
  float reflect[16] = {[15] = 1};
  for (int row = 0; row < 3; row++) {
    float shift = 0;
    for (int col = 0; col < 3; col++) {
      const float nn = n[row] * n[col];
      reflect[row + 4 * col] = (row == col) - 2 * nn;
      shift += nn * plane->pos[col];
    }
    reflect[12 + row] = 2 * shift;
  }
  gl.MultMatrixf(reflect);
}

// marks where the plane is, whatever is in front of it
static void markPlane(RenFrame* f, const mjvGeom* plane) {
  gl.Disable(GL_LIGHTING);
  gl.Disable(GL_DEPTH_TEST);
  gl.ColorMask(0, 0, 0, 0);
  gl.Enable(GL_STENCIL_TEST);
  gl.Clear(GL_STENCIL_BUFFER_BIT);
  gl.StencilFunc(GL_ALWAYS, 1, 0xFF);
  gl.StencilOp(GL_REPLACE, GL_REPLACE, GL_REPLACE);
  ren_fill(f, 1);
  ren_drawGeom(f, plane, REN_PASS_SHAPE, 1);
  ren_fill(f, 0);
  gl.Enable(GL_LIGHTING);
  gl.Enable(GL_DEPTH_TEST);
  gl.ColorMask(1, 1, 1, 1);
  gl.StencilFunc(GL_EQUAL, 1, 0xFF);
  gl.StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
}

// keeps of the mirrored scene what lies behind the mirror
static void clipAt(const mjvGeom* plane) {
  GLdouble equation[4] = {0};
  for (int k = 0; k < 3; k++) {
    equation[k] = -plane->mat[3 * k + 2];
    equation[3] += plane->pos[k] * plane->mat[3 * k + 2];
  }
  gl.Enable(GL_CLIP_PLANE0);
  gl.ClipPlane(GL_CLIP_PLANE0, equation);
}

// the mirrored scene in one mirror
static void drawMirror(RenFrame* f, int index) {
  const mjvScene* const scn = f->scn;
  const mjvGeom plane = mirrorPlane(scn->geoms + index);
  if (ren_isBehind(f, &plane)) return;
  markPlane(f, &plane);
  clipAt(&plane);

  // a reflection turns front faces into back faces
  gl.FrontFace(GL_CW);
  gl.PushMatrix();
  applyReflection(&plane);
  ren_placeLights(f);
  ren_switchLights(f, REN_LIGHTS_ON);
  for (int i = 0; i < f->ngeom; i++) {
    if (i != index && !scn->geoms[i].transparent) ren_drawGeom(f, scn->geoms + i, REN_PASS_LIT, plane.reflectance);
  }
  ren_drawTransparent(f, index, plane.reflectance);

  ren_switchLights(f, REN_LIGHTS_OFF);
  gl.Disable(GL_STENCIL_TEST);
  gl.Disable(GL_CLIP_PLANE0);
  gl.PopMatrix();
  gl.FrontFace(GL_CCW);
}

void ren_drawMirrored(RenFrame* f) {
  for (int i = 0; i < f->ngeom; i++) {
    if (ren_isMirror(f->scn->geoms + i)) drawMirror(f, i);
  }
}

//---------------------------------- shadows ----------------------------------

// projection and view of a light; other types than directional lights and spots see the unit cube around them
static void viewFromLight(const RenFrame* f, const mjvLight* light, float project[16], float view[16]) {
  const double near = f->cam.frustum_near, far = f->cam.frustum_far;
  ren_startProjection();
  if (light->type == mjLIGHT_DIRECTIONAL) {
    const double half = f->con->shadowClip;
    if (half > 0) gl.Ortho(-half, half, -half, half, near, far);
  } else if (light->type == mjLIGHT_SPOT) {
    const float angle = 2 * light->cutoff * f->con->shadowScale;
    const double half = mth_tan(REN_MIN(angle, 160) / 360.0 * mjPI) * near;
    if (half > 0) gl.Frustum(-half, half, -half, half, near, far);
  }
  gl.GetFloatv(GL_PROJECTION_MATRIX, project);

  float up[3];
  ren_orthogonal(up, light->dir);
  gl.MatrixMode(GL_MODELVIEW);
  gl.LoadIdentity();
  ren_lookAt(light->pos, light->dir, up);
  gl.GetFloatv(GL_MODELVIEW_MATRIX, view);
}

// decoration does not
static int castsShadow(const mjvGeom* geom) {
  return geom->type != mjGEOM_LINE && geom->category != mjCAT_DECOR;
}

// depth of everything that casts shadows into the shadow texture
static void drawShadowMap(RenFrame* f) {
  const mjrContext* const con = f->con;
  gl.BindFramebuffer(GL_FRAMEBUFFER, con->shadowFBO);
  gl.DrawBuffer(GL_NONE);
  gl.Clear(GL_DEPTH_BUFFER_BIT);

  // the outermost pixels stay empty: what lies beyond the map repeats them and has no shadow
  gl.Viewport(1, 1, con->shadowSize - 2, con->shadowSize - 2);
  gl.ShadeModel(GL_FLAT);
  gl.Disable(GL_LIGHTING);
  gl.ColorMask(0, 0, 0, 0);
  gl.Disable(GL_CULL_FACE);

  // surfaces in the light lie a little behind themselves, or the coarse map would let them shade themselves in spots
  gl.Enable(GL_POLYGON_OFFSET_FILL);
  if (gl.ClipControl) {
    gl.PolygonOffset(-1.5f, -4);
  } else {
    gl.PolygonOffset(-16, -512);
  }
  for (int i = 0; i < f->ngeom; i++) {
    if (castsShadow(f->scn->geoms + i)) ren_drawGeom(f, f->scn->geoms + i, REN_PASS_SHAPE, 1);
  }
  gl.Disable(GL_POLYGON_OFFSET_FILL);

  // back to the eye
  gl.BindFramebuffer(GL_FRAMEBUFFER, con->currentBuffer == mjFB_WINDOW ? 0 : con->offFBO);
  gl.DrawBuffer(f->drawbuffer);
  gl.Viewport(f->viewport.left, f->viewport.bottom, f->viewport.width, f->viewport.height);
  gl.ShadeModel(GL_SMOOTH);
  gl.Enable(GL_LIGHTING);
  gl.ColorMask(1, 1, 1, 1);
  if (f->scn->flags[mjRND_CULL_FACE]) gl.Enable(GL_CULL_FACE);
  gl.MatrixMode(GL_PROJECTION);
  gl.LoadMatrixf(f->project);
  gl.MatrixMode(GL_MODELVIEW);
  gl.LoadMatrixf(f->view);
}

// texture coordinates of the shadow map from positions: the light's projection, moved from -1 … 1 to 0 … 1
static void mapShadow(const float project[16], const float view[16]) {
  float bias[16] = {[0] = 0.5f, [5] = 0.5f, [10] = 1, [12] = 0.5f, [13] = 0.5f, [15] = 1};
  if (!gl.ClipControl) bias[10] = bias[14] = 0.5f;
  float clip[16], map[16];
  ren_multiply(clip, project, view);
  ren_multiply(map, bias, clip);
  for (int row = 0; row < 4; row++) {
    const float plane[4] = {map[row], map[row + 4], map[row + 8], map[row + 12]};
    gl.TexGeni(GL_S + row, GL_TEXTURE_GEN_MODE, GL_EYE_LINEAR);
    gl.TexGenfv(GL_S + row, GL_EYE_PLANE, plane);
    gl.Enable(GL_TEXTURE_GEN_S + row);
  }
}

// draws what is opaque once more in the light of one light; the alpha test drops what the map shades
static void addLight(RenFrame* f, int index, const float project[16], const float view[16]) {
  gl.ActiveTexture(GL_TEXTURE1);
  gl.Enable(GL_TEXTURE_2D);
  gl.BindTexture(GL_TEXTURE_2D, f->con->shadowTex);
  mapShadow(project, view);
  gl.Enable(GL_ALPHA_TEST);
  gl.Enable(GL_BLEND);
  gl.BlendFunc(GL_ONE, GL_ONE);
  gl.Enable(GL_LIGHT0 + index);
  for (int i = 0; i < f->ngeom; i++) {
    if (!f->scn->geoms[i].transparent) ren_drawGeom(f, f->scn->geoms + i, REN_PASS_SHADED, 1);
  }
  gl.Disable(GL_LIGHT0 + index);
  gl.Disable(GL_BLEND);
  gl.Disable(GL_ALPHA_TEST);

  gl.ActiveTexture(GL_TEXTURE1);
  gl.Disable(GL_TEXTURE_2D);
  for (int k = 0; k < 4; k++) gl.Disable(GL_TEXTURE_GEN_S + k);
  gl.ActiveTexture(GL_TEXTURE0);
}

void ren_addShadowLights(RenFrame* f) {
  // fog is in the picture already: what is added fades to black in it
  static const float BLACK[4] = {0, 0, 0, 0};
  gl.Fogfv(GL_FOG_COLOR, BLACK);
  for (int i = 0; i < f->nlight; i++) {
    if (!f->scn->lights[i].castshadow) continue;
    float project[16], view[16];
    viewFromLight(f, f->scn->lights + i, project, view);
    drawShadowMap(f);
    addLight(f, i, project, view);
  }
  gl.Fogfv(GL_FOG_COLOR, f->con->fogRGBA);
}

//---------------------------------- sky ----------------------------------

// haze above the first infinite plane, in the sky's units; none when seen from below
static void drawHaze(const RenFrame* f, float distance) {
  const mjvGeom* plane = NULL;
  for (int i = 0; i < f->ngeom && !plane; i++) {
    const mjvGeom* const geom = f->scn->geoms + i;
    if (geom->type == mjGEOM_PLANE && geom->size[0] == 0 && geom->size[1] == 0) plane = geom;
  }
  if (!plane || ren_isBehind(f, plane)) return;

  float elevation = 0, pose[16];
  for (int k = 0; k < 3; k++) elevation += (f->head[k] - plane->pos[k]) * plane->mat[3 * k + 2];
  elevation /= distance;
  ren_pose(pose, NULL, plane->mat);
  gl.MultMatrixf(pose);
  gl.Translatef(0, 0, -elevation);
  gl.Scalef(1, 1, elevation);
  gl.Enable(GL_BLEND);
  gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  ren_drawShape(f, REN_HAZE);
  gl.Disable(GL_BLEND);
}

void ren_drawSky(const RenFrame* f) {
  const mjrContext* const con = f->con;
  int sky = 0;
  while (sky < con->ntexture && con->textureType[sky] != mjTEXTURE_SKYBOX) sky++;
  if (sky >= con->ntexture) return;

  // a cylinder around the head, seen from inside, that just fits before the far plane
  float distance = f->cam.frustum_far * 0.7f;
  if (f->scn->enabletransform) distance /= f->scn->scale;
  ren_fill(f, 1);
  gl.Disable(GL_LIGHTING);
  gl.Disable(GL_COLOR_MATERIAL);
  gl.CullFace(GL_FRONT);
  gl.PushMatrix();
  gl.Translatef(f->head[0], f->head[1], f->head[2]);
  gl.Scalef(distance, distance, distance);
  ren_beginSkyTexture(con->texture[sky]);
  gl.Color4f(1, 1, 1, 1);
  ren_drawCylinder(f);
  ren_endTexture(REN_TEX_CUBE);
  if (f->scn->flags[mjRND_HAZE]) drawHaze(f, distance);

  gl.PopMatrix();
  gl.CullFace(GL_BACK);
  gl.Enable(GL_COLOR_MATERIAL);
  gl.Enable(GL_LIGHTING);
  ren_fill(f, 0);
}
