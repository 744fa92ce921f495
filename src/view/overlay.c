// What lies over the picture: the time line at the bottom, messages, errors of loading, the help.
#include <stdio.h>

#include "view/app.h"

//---------------------------------- time line ----------------------------------

static void drawStatus(ViwApp* app, ViwRect r) {
  ViwCanvas* const canvas = app->ui.canvas;
  char text[200], step[32] = "", contacts[32];
  if (!app->live.on) snprintf(step, sizeof(step), "   %.0f us/step", app->stepTime * 1e6);
  snprintf(contacts, sizeof(contacts), "   %d contacts", viw_shownData(app)->ncon);
  // where there is no room, the numbers go first
  for (int less = 0; less < 3; less++) {
    snprintf(text, sizeof(text), "%.3f s   x%.2g   %s%s%s%s%s", viw_shownData(app)->time,
             app->paused ? app->speed : app->rate,
             viw_isPast(app) ? "past"
             : app->paused   ? "paused"
             : app->live.on  ? "live"
                             : "running",
             less < 1 ? step : "", less < 2 ? contacts : "", app->filming ? "   FILM" : "",
             app->recording ? "   STATES" : "");
    if (viw_textWidth(canvas, text) <= r.w - 84 * app->unit) break;
  }
  viw_text(canvas, r.x + 74 * app->unit, r.y + 3 * app->unit, text,
           app->filming || app->recording ? VIW_BAD : VIW_TEXT);
}

static void drawTimeline(ViwApp* app) {
  ViwUi* const ui = &app->ui;
  ViwCanvas* const canvas = ui->canvas;
  const ViwTimeline* const line = &app->timeline;
  const float unit = app->unit, height = 40 * unit;
  const ViwRect r = {0, (float)app->height - height, (float)app->width, height};
  viw_rect(canvas, r, VIW_PANEL);
  viw_uiCovers(ui, r);

  // play and pause
  const ViwRect play = {r.x + 8 * unit, r.y + 6 * unit, 58 * unit, 28 * unit};
  const unsigned id = viw_uiId(ui, "timeline play");
  if (viw_uiPress(ui, id, play)) viw_runKey(app, ' ', 0, 0);
  viw_rect(canvas, play, ui->hot == id ? VIW_HOVER : VIW_WIDGET);
  const char* const word = app->paused ? "Play" : "Pause";
  viw_text(canvas, play.x + 0.5f * (play.w - viw_textWidth(canvas, word)), play.y + 5 * unit, word, VIW_TEXT);
  drawStatus(app, r);

  // the past, and where in it we are
  const ViwRect bar = {r.x + 74 * unit, r.y + 24 * unit, r.w - 84 * unit, 8 * unit};
  const ViwRect grip = {bar.x, bar.y - 3 * unit, bar.w, bar.h + 6 * unit};
  if (viw_uiDrag(ui, viw_uiId(ui, "timeline"), grip) && line->n > 1) {
    const float t = (ui->in->x - bar.x) / bar.w;
    viw_scrub(app, (int)(fmaxf(0, fminf(1, t)) * (float)(line->n - 1) + 0.5f));
  }
  const float t = line->n > 1 ? (float)line->at / (float)(line->n - 1) : 1;
  viw_rect(canvas, bar, VIW_WIDGET);
  viw_rect(canvas, (ViwRect){bar.x, bar.y, bar.w * t, bar.h},
           viw_isPast(app) ? (ViwColor){200, 140, 60, 255} : VIW_ACCENT);
  viw_rect(canvas, (ViwRect){bar.x + bar.w * t - 2 * unit, bar.y - 3 * unit, 4 * unit, bar.h + 6 * unit}, VIW_TEXT);
}

//---------------------------------- messages ----------------------------------

// a text in lines of at most so many pixels, over a box; the height that it takes
static float drawBox(ViwApp* app, float x, float y, float width, const char* text, ViwColor color) {
  ViwCanvas* const canvas = app->ui.canvas;
  const float pad = 10 * app->unit, line = viw_lineHeight(canvas);
  char lines[12][160];
  int n = 0;
  while (*text && n < 12) {
    // as much as fits, up to a space where there is one
    size_t length = 0, space = 0;
    while (text[length] && text[length] != '\n' && length + 1 < sizeof(lines[0])) {
      snprintf(lines[n], sizeof(lines[n]), "%.*s", (int)length + 1, text);
      if (viw_textWidth(canvas, lines[n]) > width - 2 * pad) break;
      if (text[length] == ' ') space = length;
      length++;
    }
    const int whole = !text[length] || text[length] == '\n' || !space;
    const size_t taken = whole ? (length ? length : 1) : space;
    snprintf(lines[n++], sizeof(lines[0]), "%.*s", (int)taken, text);
    text += taken;
    while (*text == ' ' || *text == '\n') text++;
  }
  const float height = (float)n * line + pad;
  viw_rect(canvas, (ViwRect){x, y, width, height}, (ViwColor){18, 20, 24, 238});
  viw_rect(canvas, (ViwRect){x, y, 3 * app->unit, height}, color);
  for (int i = 0; i < n; i++) viw_text(canvas, x + pad, y + 0.5f * pad + (float)i * line, lines[i], VIW_TEXT);
  return height;
}

static void drawMessages(ViwApp* app) {
  const float unit = app->unit;
  float side = app->left && app->m ? 280 * unit : 12 * unit;
  float room = (float)app->width - side - (app->right && app->m ? 260 * unit : 12 * unit);
  // between panels that leave no room for a sentence it lies over them
  if (room < 240 * unit) {
    side = 12 * unit;
    room = (float)app->width - 2 * side;
  }
  const float width = fminf(room, 640 * unit);
  float y = 12 * unit;
  if (app->error[0]) {
    char text[VIW_PATH_SIZE + 200];
    snprintf(
        text, sizeof(text), "%s\n%s%s", app->error, app->m ? "The model before goes on. " : "Drop a model here. ",
        app->host.modified ? "The file is loaded again when it changes." : "Files that are missing: drop them too.");
    y += drawBox(app, side, y, width, text, VIW_BAD) + 6 * unit;
  } else if (!app->m) {
    y += drawBox(app, side, y, width, "Drop a model on the window: MJCF, URDF or MJB.", VIW_ACCENT) + 6 * unit;
  }
  if (app->message[0] && app->now < app->messageEnd) {
    drawBox(app, side, y, width, app->message, app->messageBad ? VIW_BAD : VIW_GOOD);
  }
}

//---------------------------------- help ----------------------------------

// in a narrow window a text that has no room beside its key stands below it
static void helpRow(ViwApp* app, const char* key, const char* text) {
  ViwUi* const ui = &app->ui;
  ViwRect r = viw_uiSpace(ui, 15);
  viw_text(ui->canvas, r.x, r.y, key, VIW_ACCENT);
  float left = 130 * app->unit;
  if (left + viw_textWidth(ui->canvas, text) > r.w) {
    r = viw_uiSpace(ui, 15);
    left = 20 * app->unit;
  }
  viw_text(ui->canvas, r.x + left, r.y, text, VIW_TEXT);
}

static void drawHelp(ViwApp* app) {
  static const char* const MOUSE[][2] = {
      {"drag left",         "turn the camera (Shift: about the other axis)"},
      {"drag right",        "move the camera (Shift: on the ground)"       },
      {"wheel, middle",     "nearer, farther"                              },
      {"double left",       "select a body"                                },
      {"Ctrl drag left",    "turn the body under the mouse"                },
      {"Ctrl drag right",   "pull the body under the mouse"                },
      {"double right",      "look at the point"                            },
      {"Ctrl double right", "follow the body"                              }
  };
  ViwUi* const ui = &app->ui;
  const float width = fminf(520 * app->unit, (float)app->width), height = fminf((float)app->height, 620 * app->unit);
  const ViwRect r = {0.5f * ((float)app->width - width), 0.5f * ((float)app->height - height), width, height};
  viw_rect(ui->canvas, r, (ViwColor){18, 20, 24, 200});
  viw_uiOpenPanel(ui, r, &app->helpScroll);
  viw_uiLabel(ui, "Mouse", VIW_DIM);
  for (size_t i = 0; i < sizeof(MOUSE) / sizeof(MOUSE[0]); i++) helpRow(app, MOUSE[i][0], MOUSE[i][1]);
  viw_uiLabel(ui, "Keys", VIW_DIM);
  for (const ViwCommand* c = viw_commands; c->text; c++) {
    if (c->keyName) helpRow(app, c->keyName, c->text);
  }
  viw_uiLabel(ui, "Shown or not", VIW_DIM);
  for (int i = 0; i < mjNVISFLAG; i++) {
    if (mjVISSTRING[i][2][0]) helpRow(app, mjVISSTRING[i][2], mjVISSTRING[i][0]);
  }
  for (int i = 0; i < mjNRNDFLAG; i++) {
    if (mjRNDSTRING[i][2][0]) helpRow(app, mjRNDSTRING[i][2], mjRNDSTRING[i][0]);
  }
  viw_uiClosePanel(ui);
}

void viw_drawOverlay(ViwApp* app) {
  if (app->bars && app->m) drawTimeline(app);
  drawMessages(app);
  if (app->help) drawHelp(app);
}
