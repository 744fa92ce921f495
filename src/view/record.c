// Pictures, films and states: what leaves the viewer. The host writes the files.
#include <stdlib.h>

#include "view/app.h"

void viw_toggleFilm(ViwApp* app) {
  char message[VIW_ERROR_SIZE] = "";
  if (!app->host.filmFrame) return;
  app->filming = !app->filming;
  if (app->filming) {
    // a picture is a sixtieth of a second of the simulation, however long drawing takes
    app->liveTime = app->frameTime;
    app->frameTime = 1.0 / 60;
  } else {
    app->frameTime = app->liveTime;
    app->host.endFilm(app->host.context, message);
    viw_say(app, 0, "%s", message);
  }
}

void viw_toggleStates(ViwApp* app) {
  char message[VIW_ERROR_SIZE] = "";
  if (!app->host.startStates || !app->m) return;
  if (app->recording) {
    app->recording = 0;
    app->host.endStates(app->host.context, message);
    viw_say(app, 0, "%s", message);
  } else if (app->host.startStates(app->host.context, app->m, message)) {
    app->recording = 1;
  } else {
    viw_say(app, 1, "%s", message);
  }
}

void viw_endRecords(ViwApp* app) {
  if (app->filming) viw_toggleFilm(app);
  if (app->recording) viw_toggleStates(app);
}

void viw_captureFrame(ViwApp* app) {
  char error[VIW_ERROR_SIZE] = "";
  if (app->recording && !app->paused && !app->host.addState(app->host.context, app->m, app->d)) app->recording = 0;
  if (!app->filming && !app->shot[0]) return;
  unsigned char* const rgb = malloc((size_t)app->width * (size_t)app->height * 3);
  if (!rgb) return;
  viw_readPixels(app->target, app->width, app->height, rgb);
  if (app->filming && !app->host.filmFrame(app->host.context, app->width, app->height, rgb, error)) {
    app->filming = 0;
    app->frameTime = app->liveTime;
    app->host.endFilm(app->host.context, error);
    viw_say(app, 1, "%s", error);
  }
  if (app->shot[0] && app->host.savePicture) {
    if (app->host.savePicture(app->host.context, app->shot, app->width, app->height, rgb, error)) {
      viw_say(app, 0, "wrote %s", app->shot);
    } else {
      viw_say(app, 1, "%s", error);
    }
  }
  app->shot[0] = 0;
  free(rgb);
}
