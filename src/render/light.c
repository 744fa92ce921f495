// Lights. OpenGL knows directional lights and spots; lights of other types keep OpenGL's defaults, which shine along
// the view. A context has few lights (often 8); those of the scene beyond that are not shown.
#include "render/scene.h"

int ren_lightCount(const mjvScene* scn) {
  GLint most = 0;
  gl.GetIntegerv(GL_MAX_LIGHTS, &most);
  if (most > mjMAXLIGHT) most = mjMAXLIGHT;
  return scn->nlight < 0 ? 0 : scn->nlight < most ? scn->nlight : most;
}

// a value that OpenGL accepts
static float within(float value, float low, float high, float otherwise) {
  return value >= low && value <= high ? value : otherwise;
}

static void describe(GLenum id, const mjvLight* light) {
  const int spot = light->type == mjLIGHT_SPOT;
  gl.Lightf(id, GL_SPOT_EXPONENT, spot ? within(light->exponent, 0, 128, 0) : 0);
  gl.Lightf(id, GL_SPOT_CUTOFF, spot ? within(light->cutoff, 0, 90, 180) : 180);
  for (int k = 0; k < 3; k++) {
    const float none = k == 0;
    gl.Lightf(id, GL_CONSTANT_ATTENUATION + k, spot ? within(light->attenuation[k], 0, mjMAXVAL, none) : none);
  }

  const struct {
    GLenum name;
    const float* rgb;
  } colours[] = {
      {GL_AMBIENT,  light->ambient },
      {GL_DIFFUSE,  light->diffuse },
      {GL_SPECULAR, light->specular}
  };
  for (int k = 0; k < 3; k++) {
    const float rgba[4] = {colours[k].rgb[0], colours[k].rgb[1], colours[k].rgb[2], 1};
    gl.Lightfv(id, colours[k].name, rgba);
  }
}

void ren_describeLights(const RenFrame* f) {
  // some light for scenes that have none
  const float rest = f->scn->nlight ? 0 : 0.3f;
  const float ambient[4] = {rest, rest, rest, 1};
  gl.LightModelfv(GL_LIGHT_MODEL_AMBIENT, ambient);
  gl.LightModeli(GL_LIGHT_MODEL_TWO_SIDE, 0);
  gl.LightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, 1);

  for (int i = 0; i < f->nlight; i++) describe(GL_LIGHT0 + i, f->scn->lights + i);
  ren_switchLights(f, REN_LIGHTS_OFF);
}

static void setPosition(GLenum id, const mjvLight* light) {
  const float* const dir = light->dir;
  if (light->type == mjLIGHT_DIRECTIONAL) {
    gl.Lightfv(id, GL_POSITION, (const float[4]){-dir[0], -dir[1], -dir[2], 0});
  } else if (light->type == mjLIGHT_SPOT) {
    gl.Lightfv(id, GL_SPOT_DIRECTION, dir);
    gl.Lightfv(id, GL_POSITION, (const float[4]){light->pos[0], light->pos[1], light->pos[2], 1});
  } else {
    // along the view, whatever the view
    gl.PushMatrix();
    gl.LoadIdentity();
    gl.Lightfv(id, GL_POSITION, (const float[4]){0, 0, 1, 0});
    gl.PopMatrix();
  }
}

void ren_placeLights(const RenFrame* f) {
  for (int i = 0; i < f->nlight; i++) setPosition(GL_LIGHT0 + i, f->scn->lights + i);
}

void ren_switchLights(const RenFrame* f, RenLightSet set) {
  for (int i = 0; i < f->nlight; i++) {
    const int plain = !(f->shadows && f->scn->lights[i].castshadow);
    if (set == REN_LIGHTS_ON || (set == REN_LIGHTS_PLAIN && plain)) {
      gl.Enable(GL_LIGHT0 + i);
    } else {
      gl.Disable(GL_LIGHT0 + i);
    }
  }
}
