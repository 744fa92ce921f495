// A viewer for tests: a model from a text, without a window, drawn into memory where OpenGL is there.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/glcontext.h"
#include "support/model.h"
#include "view/app.h"

enum { STAGE_WIDTH = 160, STAGE_HEIGHT = 120 };

// the model of a text that stands for a file; a text that begins with '!' cannot be loaded
__attribute__((unused)) static mjModel* stageLoad(void* context, const char* path, char* error, int size) {
  (void)path;
  const char* const text = *(const char**)context;
  if (text[0] != '!') return tst_string(text);
  snprintf(error, (size_t)size, "%s", text + 1);
  return NULL;
}

// Without OpenGL: what simulates, remembers and reads.
__attribute__((unused)) static ViwApp* stageOpen(const char* xml) {
  ViwApp* const app = calloc(1, sizeof(*app));
  app->m = tst_string(xml);
  app->d = mj_makeData(app->m);
  app->shown = mj_makeData(app->m);
  app->speed = 1;
  app->frameTime = 1.0 / 60;
  viw_openTimeline(&app->timeline, app->m, 1);
  viw_forward(app);
  viw_remember(app);
  return app;
}

__attribute__((unused)) static void stageClose(ViwApp* app) {
  viw_closeTimeline(&app->timeline);
  mj_deleteData(app->shown);
  mj_deleteData(app->d);
  mj_deleteModel(app->m);
  free(app);
}

// With OpenGL: all of it. The text is read again with every load.
__attribute__((unused)) static ViwApp* stageDraw(const char** xml, ViwTarget* target) {
  ViwApp* const app = calloc(1, sizeof(*app));
  const ViwHost host = {.context = xml, .load = stageLoad};
  const ViwStart start = {.frameTime = 1.0 / 60, .bare = 1, .paused = 1};
  char error[VIW_ERROR_SIZE] = "";
  if (!viw_openApp(app, &host, glc_function, &start, error)) fail_msg("%s", error);
  assert_true(viw_openTarget(target, STAGE_WIDTH, STAGE_HEIGHT, 4, error));
  app->target = target;
  viw_loadPath(app, "stage.xml");
  return app;
}

__attribute__((unused)) static void stageEnd(ViwApp* app, ViwTarget* target) {
  viw_closeTarget(target);
  viw_closeApp(app);
  free(app);
}

// one frame and its picture
__attribute__((unused)) static void stageFrame(ViwApp* app, unsigned char* rgb) {
  viw_drawFrame(app, STAGE_WIDTH, STAGE_HEIGHT, 1, app->frame / 60.0);
  if (rgb) viw_readPixels(app->target, STAGE_WIDTH, STAGE_HEIGHT, rgb);
}
