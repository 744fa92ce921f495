// See picture.h.
#include "support/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/oracle.h"

// a function of the library that the stage belongs to
#define OF(stage, name) ((stage)->oracle ? ORC(name) : &(name))

static mjModel* compile(const PicStage* stage, const char* xml) {
  char error[1000] = "";
  mjSpec* spec = xml[0] == '<' ? OF(stage, mj_parseXMLString)(xml, NULL, error, sizeof(error))
                               : OF(stage, mj_parseXML)(xml, NULL, error, sizeof(error));
  mjModel* m = spec ? OF(stage, mj_compile)(spec, NULL) : NULL;
  if (!m) {
    fprintf(stderr, "picture: %s\n%s\n", spec ? OF(stage, mjs_getError)(spec) : error, xml);
    abort();
  }
  OF(stage, mj_deleteSpec)(spec);
  return m;
}

PicStage* pic_open(const char* xml, int width, int height, int oracle) {
  PicStage* const stage = calloc(1, sizeof(PicStage));
  stage->oracle = oracle;
  stage->m = compile(stage, xml);
  stage->m->vis.global.offwidth = width;
  stage->m->vis.global.offheight = height;
  stage->d = OF(stage, mj_makeData)(stage->m);
  OF(stage, mjv_defaultOption)(&stage->opt);
  OF(stage, mjv_defaultFreeCamera)(stage->m, &stage->cam);
  OF(stage, mjv_defaultScene)(&stage->scn);
  OF(stage, mjv_makeScene)(stage->m, &stage->scn, 1000);
  OF(stage, mjr_defaultContext)(&stage->con);
  OF(stage, mjr_makeContext)(stage->m, &stage->con, mjFONTSCALE_100);
  OF(stage, mjr_setBuffer)(mjFB_OFFSCREEN, &stage->con);
  stage->view = (mjrRect){0, 0, width, height};
  stage->rgb = calloc((size_t)(3 * width * height), 1);
  stage->depth = calloc((size_t)(width * height), sizeof(float));
  return stage;
}

void pic_close(PicStage* stage) {
  OF(stage, mjr_freeContext)(&stage->con);
  OF(stage, mjv_freeScene)(&stage->scn);
  OF(stage, mj_deleteData)(stage->d);
  OF(stage, mj_deleteModel)(stage->m);
  free(stage->rgb);
  free(stage->depth);
  free(stage);
}

void pic_update(PicStage* stage) {
  OF(stage, mj_forward)(stage->m, stage->d);
  OF(stage, mjv_updateScene)
  (stage->m, stage->d, &stage->opt, NULL, &stage->cam, mjCAT_ALL, &stage->scn);
}

void pic_draw(PicStage* stage) {
  OF(stage, mjr_setBuffer)(mjFB_OFFSCREEN, &stage->con);
  OF(stage, mjr_render)(stage->view, &stage->scn, &stage->con);
  OF(stage, mjr_readPixels)(stage->rgb, stage->depth, stage->view, &stage->con);
}

const unsigned char* pic_at(const PicStage* stage, int x, int y) {
  return stage->rgb + 3 * (y * stage->view.width + x);
}

int pic_brightness(const PicStage* stage, int x, int y) {
  const unsigned char* const rgb = pic_at(stage, x, y);
  return (rgb[0] + rgb[1] + rgb[2]) / 3;
}

double pic_difference(const PicStage* a, const PicStage* b, int k) {
  const int npixel = a->view.width * a->view.height;
  int different = 0;
  for (int i = 0; i < npixel; i++) {
    int most = 0;
    for (int c = 0; c < 3; c++) {
      const int difference = abs(a->rgb[3 * i + c] - b->rgb[3 * i + c]);
      if (difference > most) most = difference;
    }
    different += most > k;
  }
  return (double)different / npixel;
}

double pic_depthDifference(const PicStage* a, const PicStage* b, double epsilon) {
  const int npixel = a->view.width * a->view.height;
  int different = 0;
  for (int i = 0; i < npixel; i++) different += fabs((double)a->depth[i] - (double)b->depth[i]) > epsilon;
  return (double)different / npixel;
}

void pic_save(const PicStage* stage, const char* name) {
  const char* const folder = getenv("SINEW_PICTURES");
  if (!folder) return;
  char path[1000];
  snprintf(path, sizeof(path), "%s/%s-%s.ppm", folder, name, stage->oracle ? "reference" : "ours");
  FILE* const file = fopen(path, "wb");
  if (!file) return;
  fprintf(file, "P6\n%d %d\n255\n", stage->view.width, stage->view.height);
  for (int y = stage->view.height - 1; y >= 0; y--) fwrite(pic_at(stage, 0, y), 3, (size_t)stage->view.width, file);
  fclose(file);
}
