// Lights of a scene, and the depth as the one that casts shadows sees it.
//
// The shadow map covers the sphere around all that casts shadows and is near enough to matter, not a fixed box: its
// pixels are as small as they can be.
#include "view/renderer.h"

//---------------------------------- the model's lights ----------------------------------

static void addLight(ViwLights* lights, const mjvLight* light, float share) {
  const int i = lights->n++;
  memcpy(lights->pos[i], light->pos, sizeof(light->pos));
  memcpy(lights->dir[i], light->dir, sizeof(light->dir));
  viw_normalize(lights->dir[i]);
  for (int k = 0; k < 3; k++) {
    lights->diffuse[i][k] = light->diffuse[k] * share;
    lights->specular[i][k] = light->specular[k] * share;
    lights->ambient[k] += light->ambient[k];
  }
  // a cone that was made for one model leaves the others of a grid in the dark
  const int cone = light->type == mjLIGHT_SPOT && !lights->wide;
  lights->lamp[i] = light->type == mjLIGHT_SPOT || light->type == mjLIGHT_POINT;
  lights->shape[i][1] = cone ? cosf(light->cutoff * (float)mjPI / 180) : -1;
  lights->shape[i][0] = 1 / fmaxf(0.15f * (1 - lights->shape[i][1]), 1e-6f);
  lights->shape[i][2] = cone ? light->exponent : 0;
  lights->shape[i][3] = lights->wide ? 0 : light->attenuation[2];
}

// Without a light of the model there is only the one on the camera, which shows no depth: a sun is added.
static void addSun(ViwLights* lights) {
  const mjvLight sun = {
      .dir = {-0.35f, 0.45f, -0.82f},
      .type = mjLIGHT_DIRECTIONAL,
      .diffuse = {0.55f,  0.54f, 0.5f  },
      .specular = {0.3f,   0.3f,  0.3f  },
      .ambient = {0.08f,  0.09f, 0.11f }
  };
  addLight(lights, &sun, 1);
}

//---------------------------------- the shadow map ----------------------------------

// sphere around what casts shadows within reach; 0: nothing does
static float findSphere(const ViwRenderer* r, float centre[3]) {
  const mjModel* const m = r->m;
  const float reach = 4 * (float)m->stat.extent;
  float low[3], high[3];
  int n = 0;
  for (int i = 0; i < r->opaque.n; i++) {
    const ViwItem* const item = r->opaque.at + i;
    if (!item->shadow || item->distance > reach + r->far) continue;
    const ViwInstance* const at = &item->instance;
    float radius = 0;
    for (int c = 0; c < 3; c++) radius = fmaxf(radius, at->inverse[c] != 0 ? fabsf(1 / at->inverse[c]) : 0);
    radius *= 1 + at->inverse[3];
    if (item->mesh >= VIW_NSHAPE) radius = 0.5f * (float)m->stat.extent;
    for (int k = 0; k < 3; k++) {
      const float x = at->row[k][3];
      low[k] = n ? fminf(low[k], x - radius) : x - radius;
      high[k] = n ? fmaxf(high[k], x + radius) : x + radius;
    }
    n++;
  }
  float square = 0;
  for (int k = 0; k < 3 && n; k++) {
    centre[k] = 0.5f * (low[k] + high[k]);
    square += 0.25f * (high[k] - low[k]) * (high[k] - low[k]);
  }
  // a huge floor must not make the shadows of what stands on it coarse
  const float most = 2 * (float)m->stat.extent + r->spread;
  float radius = sqrtf(square);
  if (radius > most) {
    for (int k = 0; k < 3; k++) centre[k] = (float)m->stat.center[k] + (k < 2 ? 0.35f * r->spread : 0);
    radius = most;
  }
  return radius;
}

// what the light sees, as depth; the matrix leads from the world to the map, 0 ... 1
static void aim(ViwRenderer* r, int light, const float centre[3], float radius, ViwMatrix* clip) {
  ViwLights* const l = &r->lights;
  float from[3], dir[3];
  memcpy(dir, l->dir[light], sizeof(dir));
  const float box[4] = {-radius, radius, -radius, radius};
  ViwMatrix project;
  for (int k = 0; k < 3; k++) from[k] = centre[k] - 2 * radius * dir[k];
  project = viw_orthographic(box, 0.1f * radius, 4 * radius);
  if (l->lamp[light]) {
    // a lamp looks at the sphere; from inside it, along its own direction
    float to[3], wide = 1;
    for (int k = 0; k < 3; k++) to[k] = centre[k] - l->pos[light][k];
    const float distance = sqrtf(viw_dot(to, to));
    memcpy(from, l->pos[light], sizeof(from));
    if (distance > 1.05f * radius) {
      memcpy(dir, to, sizeof(dir));
      wide = radius / sqrtf(distance * distance - radius * radius);
    } else {
      const float cosine = fmaxf(l->shape[light][1], 0.2f);
      wide = sqrtf(1 - cosine * cosine) / cosine;
    }
    const float near = fmaxf(distance - radius, 0.02f * radius), half = near * fminf(wide, 5);
    project = viw_perspective((float[4]){-half, half, -half, half}, near, distance + 2 * radius);
  }
  const float up[3] = {fabsf(dir[0]) < 0.9f * fabsf(dir[2]) ? 1 : 0, 0, fabsf(dir[0]) < 0.9f * fabsf(dir[2]) ? 0 : 1};
  const ViwMatrix view = viw_lookAlong(from, dir, up);
  *clip = viw_multiply(&project, &view);
  const ViwMatrix bias = {
      {[0] = 0.5f, [5] = 0.5f, [10] = 0.5f, [12] = 0.5f, [13] = 0.5f, [14] = 0.5f, [15] = 1}
  };
  l->shadowMatrix = viw_multiply(&bias, clip);
  l->texel = 2 * radius / (float)r->shadowSize;
}

static int castsShadow(const ViwItem* item) {
  return item->shadow;
}

static void drawShadow(ViwRenderer* r, int light) {
  float centre[3] = {0};
  const float radius = findSphere(r, centre);
  if (!(radius > 0)) return;
  ViwMatrix clip;
  aim(r, light, centre, radius, &clip);
  GLint before = 0;
  vgl.GetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  vgl.BindFramebuffer(GL_FRAMEBUFFER, r->shadowFramebuffer);
  vgl.Viewport(0, 0, r->shadowSize, r->shadowSize);
  vgl.DepthMask(1);
  vgl.Clear(GL_DEPTH_BUFFER_BIT);
  vgl.Enable(GL_DEPTH_TEST);
  vgl.Enable(GL_POLYGON_OFFSET_FILL);
  vgl.PolygonOffset(1.5f, 2);
  const ViwProgram* const p = r->program + VIW_PROGRAM_DEPTH;
  vgl.UseProgram(p->id);
  vgl.UniformMatrix4fv(p->clip, 1, 0, clip.at);
  r->pass = (ViwPass){.number = r->pass.number + 1, .coarse = r->soft, .clip = clip};
  viw_drawItems(r, &r->opaque, p, castsShadow);
  vgl.Disable(GL_POLYGON_OFFSET_FILL);
  vgl.BindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
  r->lights.shadow = light;
}

//---------------------------------- all ----------------------------------

void viw_arrangeLights(ViwRenderer* r, const mjvScene* scene) {
  ViwLights* const lights = &r->lights;
  // a little light from everywhere: nothing is black
  *lights = (ViwLights){
      .ambient = {0.07f, 0.07f, 0.08f},
        .shadow = -1, .wide = r->spread > 0
  };
  int own = 0, caster = -1;
  for (int i = 0; i < scene->nlight; i++) own += !scene->lights[i].headlight;
  for (int i = 0; i < scene->nlight && lights->n < VIW_MAX_LIGHTS - 1; i++) {
    const mjvLight* const light = scene->lights + i;
    if (light->type == mjLIGHT_IMAGE) continue;
    if (light->castshadow && !light->headlight && caster < 0) caster = lights->n;
    addLight(lights, light, own ? 1 : 0.55f);
  }
  if (!own) {
    caster = lights->n;
    addSun(lights);
  }
  if (caster >= 0 && scene->flags[mjRND_SHADOW] && r->lean < 2 && r->m) drawShadow(r, caster);
  for (int i = 0; i < lights->n; i++) lights->kind |= (lights->lamp[i] ? 2u : 1u) * VIW_KIND_LIGHT << 2 * i;
  lights->kind |= (unsigned)(1 + lights->shadow) * VIW_KIND_CASTER;
}

void viw_setLights(const ViwRenderer* r, const ViwProgram* p) {
  const ViwLights* const l = &r->lights;
  vgl.Uniform3fv(p->lightPos, VIW_MAX_LIGHTS, l->pos[0]);
  vgl.Uniform3fv(p->lightDir, VIW_MAX_LIGHTS, l->dir[0]);
  vgl.Uniform3fv(p->lightDiffuse, VIW_MAX_LIGHTS, l->diffuse[0]);
  vgl.Uniform3fv(p->lightSpecular, VIW_MAX_LIGHTS, l->specular[0]);
  vgl.Uniform4fv(p->lightShape, VIW_MAX_LIGHTS, l->shape[0]);
  vgl.Uniform3fv(p->ambient, 1, l->ambient);
  vgl.Uniform2f(p->shadowTexel, 1.0f / (float)r->shadowSize, l->texel);
  vgl.UniformMatrix4fv(p->shadowMatrix, 1, 0, l->shadowMatrix.at);
}
