// Everything that is drawn, as the calls of OpenGL that it takes: scenes with all flags, text, figures, buffers,
// interfaces, on an OpenGL that only remembers (library/trace.c), so on any machine. trace.txt has what was called when
// the pictures were last seen to be right (the other tests of this folder look at them); `test_render_trace --record`
// writes it again.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <dlfcn.h>
#include <math.h>
#include <mujoco/mujoco.h>

#include "support/interface.h"
#include "support/model.h"

static void (*recordClear)(void);
static void (*recordWrite)(FILE* file, const char* scene);
static FILE* out;

// what was called since the last time
static void chapter(const char* name) {
  recordWrite(out, name);
  recordClear();
}

// -------------------------------------------------------------------------------------------- scenes

static const char GEOMS[] =
    "<mujoco><visual><global offwidth='64' offheight='48' azimuth='30'/><quality shadowsize='32' offsamples='4'/>"
    "<map fogstart='1' fogend='3' haze='.4' shadowclip='2'/><headlight ambient='.1 .2 .3'/></visual><asset>"
    "<texture name='sky' type='skybox' builtin='gradient' width='4' height='24' rgb1='.4 .6 .8' rgb2='.1 .1 .2'/>"
    "<texture name='flat' type='2d' builtin='checker' width='4' height='4' rgb1='.2 .3 .4' rgb2='.5 .6 .7'/>"
    "<texture name='cube' type='cube' builtin='flat' mark='cross' width='4' height='24' rgb1='.2 .3 .4' rgb2='.5 .6 "
    ".7'/>"
    "<material name='a' texture='flat' texrepeat='2 3' texuniform='true' reflectance='.3' emission='.2'/>"
    "<material name='b' texture='cube' specular='.7' shininess='.3'/><material name='c' texture='flat' texrepeat='2 "
    "3'/>"
    "<mesh name='m' vertex='0 0 0 .3 0 0 0 .3 0 0 0 .3' texcoord='0 0 1 0 0 1 1 1'/>"
    "<hfield name='h' nrow='3' ncol='4' size='1 .8 .2 .05' elevation='0 1 2 1 3 4 2 5 1 0 2 1'/></asset>"
    "<worldbody><light pos='0 0 3' dir='0 .1 -1' castshadow='true' cutoff='30' exponent='4' attenuation='1 .1 .01'/>"
    "<light type='directional' pos='1 0 3' dir='-.2 .1 -1' diffuse='.3 .4 .5'/>"
    "<light type='point' pos='-1 1 2' specular='.3 .2 .1'/>"
    "<geom name='plane' type='plane' size='2 3 .1' material='a'/><geom name='endless' type='plane' size='0 0 .1' "
    "pos='0 0 -1' "
    "material='c'/><geom name='field' type='hfield' hfield='h' pos='3 0 0' material='c'/>"
    "<body name='many' pos='0 0 1'><freejoint/><geom name='ball' size='.1' rgba='1 0 0 .5'/>"
    "<geom name='capsule' type='capsule' size='.05 .2' pos='.4 0 0' euler='20 30 40' material='b'/>"
    "<geom name='ellipsoid' type='ellipsoid' size='.05 .1 .2' pos='.8 0 0' material='a'/>"
    "<geom name='cylinder' type='cylinder' size='.05 .2' pos='0 .4 0' euler='50 10 0' material='c'/>"
    "<geom name='box' type='box' size='.05 .1 .2' pos='0 .8 0' material='c' group='1'/>"
    "<geom name='mesh' type='mesh' mesh='m' pos='.4 .4 0' material='c'/>"
    "<geom name='tinted' type='mesh' mesh='m' pos='.6 .4 0' rgba='.1 .9 .3 .4'/>"
    "<site name='s' pos='.1 .1 .1' type='box' size='.02 .02 .02'/><camera name='cam' pos='0 0 1' fovy='50'/>"
    "<camera name='lens' pos='.5 0 2' sensorsize='.004 .003' focal='.002 .003' principal='.0001 .0002' resolution='64 "
    "48'/>"
    "</body><body pos='-.4 0 .05'><joint name='j' axis='0 1 0' damping='1'/><geom size='.1'/><site "
    "name='t'/></body></worldbody>"
    "<tendon><spatial name='rope' width='.01'><site site='s'/><site site='t'/></spatial></tendon>"
    "<actuator><motor joint='j' ctrlrange='-1 1'/></actuator><sensor><rangefinder site='s'/></sensor></mujoco>";

typedef struct {
  mjModel* m;
  mjData* d;
  mjvOption opt;
  mjvCamera cam;
  mjvScene scn;
  mjrContext con;
} Stage;

static const mjrRect VIEW = {3, 2, 61, 43};

static void openStage(Stage* s, mjModel* m) {
  *s = (Stage){.m = m, .d = mj_makeData(m)};
  for (int i = 0; i < m->nv; i++) s->d->qvel[i] = 0.1 * (i % 5);
  for (int i = 0; i < 5; i++) mj_step(m, s->d);
  mj_forward(m, s->d);
  mjv_defaultOption(&s->opt);
  mjv_defaultFreeCamera(m, &s->cam);
  mjv_defaultScene(&s->scn);
  mjv_makeScene(m, &s->scn, 500);
  mjr_defaultContext(&s->con);
  mjr_makeContext(m, &s->con, mjFONTSCALE_150);
}

static void closeStage(Stage* s) {
  mjr_freeContext(&s->con);
  mjv_freeScene(&s->scn);
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

static void drawStage(Stage* s, const char* name) {
  mjv_updateScene(s->m, s->d, &s->opt, NULL, &s->cam, mjCAT_ALL, &s->scn);
  // as they were before this picture: only calls of the renderer count
  recordClear();
  mjr_render(VIEW, &s->scn, &s->con);
  chapter(name);
}

// directions of cameras that a program wrote itself need not be of unit length
static void drawLonger(Stage* s, const char* name) {
  mjv_updateScene(s->m, s->d, &s->opt, NULL, &s->cam, mjCAT_ALL, &s->scn);
  for (int eye = 0; eye < 2; eye++) {
    for (int k = 0; k < 3; k++) {
      s->scn.camera[eye].forward[k] *= 3;
      s->scn.camera[eye].up[k] *= 5;
    }
  }
  // both eyes as they are: one eye would be the mean of the two
  s->scn.stereo = mjSTEREO_SIDEBYSIDE;
  recordClear();
  mjr_render(VIEW, &s->scn, &s->con);
  s->scn.stereo = mjSTEREO_NONE;
  chapter(name);
}

// of many mirrors the first one reflects
static void drawMirrors(Stage* s, const char* name) {
  mjv_updateScene(s->m, s->d, &s->opt, NULL, &s->cam, mjCAT_ALL, &s->scn);
  for (int i = 0; i < s->scn.ngeom; i++) {
    s->scn.geoms[i].reflectance = 0.25f;
    s->scn.geoms[i].rgba[3] = 1;
  }
  recordClear();
  mjr_render(VIEW, &s->scn, &s->con);
  chapter(name);
}

// a model with each flag of the renderer the other way, all labels, frames and views
static void drawAll(mjModel* m, const char* name) {
  Stage s;
  char title[100];
  openStage(&s, m);
  snprintf(title, sizeof(title), "%s/context", name);
  chapter(title);
  mjr_setBuffer(mjFB_OFFSCREEN, &s.con);
  for (int flag = -1; flag < mjNRNDFLAG; flag++) {
    if (flag >= 0) s.scn.flags[flag] ^= 1;
    snprintf(title, sizeof(title), "%s/%s", name, flag < 0 ? "plain" : mjRNDSTRING[flag][0]);
    for (char* at = title; *at; at++) *at = *at == ' ' ? '_' : *at;
    drawStage(&s, title);
    if (flag >= 0) s.scn.flags[flag] ^= 1;
  }

  snprintf(title, sizeof(title), "%s/longer", name);
  drawLonger(&s, title);
  snprintf(title, sizeof(title), "%s/mirrors", name);
  drawMirrors(&s, title);

  // everything that can be seen, with texts
  for (int i = 0; i < mjNVISFLAG; i++) s.opt.flags[i] = 1;
  s.opt.label = mjLABEL_GEOM;
  s.opt.frame = mjFRAME_BODY;
  snprintf(title, sizeof(title), "%s/all", name);
  drawStage(&s, title);

  // parallel rays, both eyes, a moved model, a fixed camera
  s.cam.orthographic = 1;
  s.scn.stereo = mjSTEREO_QUADBUFFERED;
  s.scn.enabletransform = 1;
  s.scn.translate[0] = 0.5f;
  s.scn.rotate[1] = 0.3f;
  s.scn.scale = 2;
  snprintf(title, sizeof(title), "%s/eyes", name);
  drawStage(&s, title);
  s.scn.stereo = mjSTEREO_SIDEBYSIDE;
  s.cam.orthographic = 0;
  for (int i = 0; i < m->ncam; i++) {
    s.cam.type = mjCAMERA_FIXED;
    s.cam.fixedcamid = i;
    snprintf(title, sizeof(title), "%s/camera%d", name, i);
    drawStage(&s, title);
  }
  closeStage(&s);
  snprintf(title, sizeof(title), "%s/freed", name);
  chapter(title);
}

// -------------------------------------------------------------------------------------------- the rest

static void drawTexts(void) {
  Stage s;
  openStage(&s, tst_string(GEOMS));
  recordClear();
  for (int font = 0; font < 3; font++) {
    mjr_text(font, "Sinew 1.5", &s.con, 0.1f, 0.2f, 1, 0.5f, 0.25f);
    for (int place = 0; place <= mjGRID_BOTTOM; place++) {
      mjr_overlay(font, place, VIEW, "one\nthree", "two\nfour", &s.con);
    }
    chapter(font == 0 ? "text/normal" : font == 1 ? "text/shadow" : "text/big");
  }
  mjr_rectangle(VIEW, 0.1f, 0.2f, 0.3f, 0.4f);
  mjr_label(VIEW, mjFONT_NORMAL, "label", 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, &s.con);
  chapter("text/label");
  for (int scale = mjFONTSCALE_50; scale <= mjFONTSCALE_300; scale += 50) mjr_changeFont(scale, &s.con);
  chapter("text/fonts");
  closeStage(&s);
}

static void drawFigures(void) {
  static mjvFigure fig;
  Stage s;
  openStage(&s, tst_string(GEOMS));
  for (int how = 0; how < 4; how++) {
    mjv_defaultFigure(&fig);
    snprintf(fig.title, sizeof(fig.title), "figure");
    snprintf(fig.xlabel, sizeof(fig.xlabel), "time");
    for (int line = 0; line < 3; line++) {
      snprintf(fig.linename[line], sizeof(fig.linename[0]), "line %d", line);
      for (int i = 0; i < 12; i++) {
        fig.linedata[line][2 * i] = (float)i / 3;
        fig.linedata[line][2 * i + 1] = (float)((i * (line + 2)) % 7) - 2;
      }
      fig.linepnt[line] = 12;
    }
    fig.flg_extend = how & 1;
    fig.flg_barplot = how == 1;
    fig.flg_symmetric = how == 2;
    fig.flg_legend = how != 3;
    fig.flg_ticklabel[0] = fig.flg_ticklabel[1] = how != 3;
    fig.flg_selection = how == 2;
    fig.selection = 1.5f;
    fig.highlight[0] = how == 1 ? 20 : -1;
    fig.highlight[1] = how == 1 ? 20 : 0;
    fig.highlightid = how == 2 ? 1 : -1;
    if (how == 3) fig.range[0][0] = 1, fig.range[0][1] = 3, fig.range[1][0] = -1, fig.range[1][1] = 4;
    fig.legendoffset = how;
    recordClear();
    mjr_figure((mjrRect){5, 5, 300, 200}, &fig, &s.con);
    char title[40];
    snprintf(title, sizeof(title), "figure/%d", how);
    chapter(title);
  }
  closeStage(&s);
}

static void moveBuffers(void) {
  static unsigned char rgb[3 * 64 * 48];
  static float depth[64 * 48];
  Stage s;
  openStage(&s, tst_string(GEOMS));
  recordClear();
  for (int buffer = mjFB_WINDOW; buffer <= mjFB_OFFSCREEN; buffer++) {
    mjr_setBuffer(buffer, &s.con);
    const mjrRect most = mjr_maxViewport(&s.con);
    assert_true(most.width > 0);
    mjr_readPixels(rgb, depth, VIEW, &s.con);
    mjr_drawPixels(rgb, depth, VIEW, &s.con);
    mjr_blitBuffer(VIEW, (mjrRect){0, 0, 64, 48}, 1, buffer, &s.con);
    mjr_restoreBuffer(&s.con);
    chapter(buffer == mjFB_WINDOW ? "buffers/window" : "buffers/offscreen");
  }
  mjr_addAux(2, 40, 30, 4, &s.con);
  mjr_addAux(3, 20, 10, 0, &s.con);
  mjr_setAux(2, &s.con);
  mjr_blitAux(2, VIEW, 4, 5, &s.con);
  mjr_resizeOffscreen(100, 90, &s.con);
  chapter("buffers/aux");
  for (int i = 0; i < s.m->ntex; i++) mjr_uploadTexture(s.m, &s.con, i);
  mjr_uploadMesh(s.m, &s.con, 0);
  mjr_uploadHField(s.m, &s.con, 0);
  chapter("buffers/upload");
  closeStage(&s);
}

static int number = 1;
static float single = 0.25f;
static mjtNum half = 0.5, many[3] = {1, 2, 3};
static char word[mjMAXUITEXT] = "text";
static const mjuiDef ITEMS[] = {
    {mjITEM_SECTION,   "One",    mjSECT_OPEN,   NULL,    "AH",         0},
    {mjITEM_CHECKINT,  "Check",  2,             &number, "CC",         0},
    {mjITEM_CHECKINT,  "Grey",   0,             &number, "",           0},
    {mjITEM_BUTTON,    "Button", 2,             NULL,    "SB",         0},
    {mjITEM_SLIDERNUM, "Slide",  2,             &half,   "0 1",        0},
    {mjITEM_SLIDERINT, "Count",  2,             &number, "0 10",       0},
    {mjITEM_RADIO,     "Radio",  2,             &number, "a\nb\nc",    0},
    {mjITEM_RADIOLINE, "Line",   2,             &number, "a\nb\nc",    0},
    {mjITEM_SELECT,    "Select", 2,             &number, "a\nb\nc",    0},
    {mjITEM_EDITNUM,   "Edit",   2,             many,    "3",          0},
    {mjITEM_EDITINT,   "Int",    2,             &number, "1",          0},
    {mjITEM_EDITTXT,   "Text",   2,             word,    "",           0},
    {mjITEM_EDITFLOAT, "Float",  0,             &single, "1",          0},
    {mjITEM_SEPARATOR, "Part",   1,             NULL,    "",           0},
    {mjITEM_CHECKINT,  "Inside", 2,             &number, "",           0},
    {mjITEM_STATIC,    "Static", 2,             NULL,    "some\nmore", 0},
    {mjITEM_SECTION,   "Two",    mjSECT_CLOSED, NULL,    "A2",         0},
    {mjITEM_BUTTON,    "Hidden", 2,             NULL,    "",           0},
    {mjITEM_SECTION,   "Three",  mjSECT_FIXED,  NULL,    "",           1},
    {mjITEM_BUTTON,    "Shown",  2,             NULL,    "",           0},
    {mjITEM_END,       "",       0,             NULL,    "",           0},
};

static void drawInterfaces(void) {
  Stage s;
  openStage(&s, tst_string(GEOMS));
  for (int theme = 0; theme < 4; theme++) {
    Itf* const itf = itf_make(0, 0);
    itf->ui.spacing = mjui_themeSpacing(theme % 2);
    itf->ui.color = mjui_themeColor(theme);
    itf->state.rect[1] = (mjrRect){20, 10, itf->ui.spacing.total, 400};
    mjui_add(&itf->ui, ITEMS);
    mjui_resize(&itf->ui, &s.con);
    mjr_addAux(0, itf->ui.width, itf->ui.maxheight, 0, &s.con);
    recordClear();
    mjui_update(-1, -1, &itf->ui, &itf->state, &s.con);
    mjui_render(&itf->ui, &itf->state, &s.con);

    // a press on each item, and what it looks like then
    for (int i = 0; i < itf->ui.sect[0].nitem; i++) {
      const mjrRect r = itf->ui.sect[0].item[i].rect;
      itf->state.type = mjEVENT_PRESS;
      itf->state.left = itf->state.button = mjBUTTON_LEFT;
      itf->state.mouserect = 1;
      itf->state.dragrect = 0;
      itf->state.x = 20 + r.left + r.width * 0.7;
      itf->state.y = 10 + 400 - itf->ui.height + itf->ui.scroll + r.bottom + r.height * 0.5;
      mjui_event(&itf->ui, &itf->state, &s.con);
      mjui_render(&itf->ui, &itf->state, &s.con);
      itf->state.type = mjEVENT_RELEASE;
      itf->state.left = 0;
      mjui_event(&itf->ui, &itf->state, &s.con);
      itf->state.type = mjEVENT_KEY;
      itf->state.key = mjKEY_ESCAPE;
      mjui_event(&itf->ui, &itf->state, &s.con);
    }
    number = 1;
    half = 0.5;
    char title[40];
    snprintf(title, sizeof(title), "interface/%d", theme);
    chapter(title);
    free(itf);
  }
  closeStage(&s);
}

// everything in an interface; what points into it counts as its distance from the beginning
static uint32_t hashInterface(const Itf* itf) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i + sizeof(uintptr_t) <= sizeof(*itf); i += sizeof(uintptr_t)) {
    uintptr_t value;
    memcpy(&value, (const char*)itf + i, sizeof(value));
    if (value >= (uintptr_t)itf && value < (uintptr_t)(itf + 1)) {
      value -= (uintptr_t)itf;
    } else if (value >> 32 && !(value >> 48)) {
      value = 1;  // points elsewhere
    }
    for (size_t k = 0; k < sizeof(value); k++) hash = (hash ^ (uint32_t)(value >> (8 * k) & 255)) * 16777619u;
  }
  return hash;
}

// random interfaces and events: what is drawn, and everything that they leave in the interface
static void useInterfaces(void) {
  Stage s;
  openStage(&s, tst_string(GEOMS));
  for (int seed = 1; seed <= 12; seed++) {
    Rnd rnd = {(uint64_t)seed};
    Itf* const itf = itf_make(seed % 2, seed % 4);
    itf_define(itf, &rnd, 1 + seed % 5, 9);
    mjui_add(&itf->ui, itf->def);
    mjui_resize(&itf->ui, &s.con);
    mjr_addAux(itf->ui.auxid, itf->ui.width, itf->ui.maxheight, 0, &s.con);
    recordClear();
    for (int i = 0; i < 60; i++) {
      itf_event(itf, &rnd);
      mjui_event(&itf->ui, &itf->state, &s.con);
      if (i % 10 == 0) mjui_render(&itf->ui, &itf->state, &s.con);
      fprintf(out, "events/%d event%d 1 %08x 0 0 0\n", seed, i, hashInterface(itf));
    }
    char title[40];
    snprintf(title, sizeof(title), "events/%d", seed);
    chapter(title);
    free(itf);
  }
  closeStage(&s);
}

static void drawEverything(void) {
  mjModel* const files[] = {tst_string(GEOMS), tst_model("assets"), tst_model("flex")};
  drawAll(files[0], "geoms");
  drawAll(files[1], "assets");
  drawAll(files[2], "flex");
  drawTexts();
  drawFigures();
  moveBuffers();
  drawInterfaces();
  useInterfaces();
}

// -------------------------------------------------------------------------------------------- tests

// a line of the file; 0: there is none
typedef struct {
  char scene[64], function[40];
  long calls;
  unsigned hash;
  double sum, weighted, size;
} Line;

static int readLine(FILE* file, Line* line) {
  return fscanf(file, "%63s %39s %ld %x %lf %lf %lf", line->scene, line->function, &line->calls, &line->hash,
                &line->sum, &line->weighted, &line->size) == 7;
}

static void callsAreAsTheyWere(void** state) {
  (void)state;
  FILE* const expected = fopen("test/render/trace.txt", "r");
  assert_non_null(expected);
  out = tmpfile();
  drawEverything();
  rewind(out);
  Line a, b;
  int bad = 0, n = 0;
  while (readLine(expected, &b)) {
    if (!readLine(out, &a)) fail_msg("nothing after %s", b.scene);
    if (strcmp(a.scene, b.scene) != 0 || strcmp(a.function, b.function) != 0) {
      fail_msg("%s calls %s instead of %s in %s", a.scene, a.function, b.function, b.scene);
    }
    // roundings of another C library are some units of the last place of a few numbers
    const double tolerance = 1e-7 + 2e-8 * b.size;
    if (a.calls != b.calls || a.hash != b.hash || fabs(a.sum - b.sum) > tolerance ||
        fabs(a.weighted - b.weighted) > tolerance) {
      if (++bad < 10) {
        print_error("%s %s: %ld %08x %.9g %.9g, expected %ld %08x %.9g %.9g\n", a.scene, a.function, a.calls, a.hash,
                    a.sum, a.weighted, b.calls, b.hash, b.sum, b.weighted);
      }
    }
    n++;
  }
  assert_false(readLine(out, &a));
  fclose(out);
  fclose(expected);
  assert_true(n > 1000);
  assert_int_equal(bad, 0);
}

int main(int argc, char** argv) {
  void* const lib = dlopen(TRACE_OSMESA, RTLD_NOW | RTLD_LOCAL);
  if (!lib) return 1;
  recordClear = (void (*)(void))dlsym(lib, "recordClear");
  recordWrite = (void (*)(FILE*, const char*))dlsym(lib, "recordWrite");
  if (argc > 1 && !strcmp(argv[1], "--record")) {
    out = fopen("test/render/trace.txt", "w");
    if (!out) return 1;
    drawEverything();
    return fclose(out) != 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(callsAreAsTheyWere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
