// Drawing of items, a function per kind.
#include <stdio.h>

#include "base/number.h"
#include "ui/ui.h"

// most divisions of a slider that are shown as ticks
#define UI_TICKS 20

// One item on the canvas; colours of its text and shape depend on whether it is enabled.
typedef struct {
  const UiCanvas* canvas;
  const mjUI* ui;
  const mjuiSection* section;
  const mjuiItem* it;
  UiPlace place;  // as the mouse counts
  int enabled;
  const float* font;  // colour of its text
} Drawn;

static const float* shapeColor(const Drawn* d, const float* enabled) {
  return d->enabled ? enabled : d->ui->color.decorinactive;
}

//---------------------------------- text in and beside items ----------------------------------

// text in a line of its own, `bottom` of a rectangle
static void writeIn(const Drawn* d, mjrRect rect, const char* text) {
  const UiSizes* const size = &d->canvas->size;
  ui_drawText(d->canvas, text, rect.left + size->texthor, rect.bottom + size->textver, rect.width - 2 * size->texthor,
              d->font);
}

// name at the left of the item, whose line starts at `bottom`
static void writeLabel(const Drawn* d, int bottom) {
  const UiSizes* const size = &d->canvas->size;
  const mjrRect rect = {d->section->rcontent.left + size->itemside, bottom, size->label, size->line};
  writeIn(d, rect, d->it->name);
}

// name in an item of half a line, and its shortcut
static void writeName(const Drawn* d) {
  const UiSizes* const size = &d->canvas->size;
  mjrRect rect = d->it->rect;
  rect.width = (d->section->rtitle.width - 2 * size->itemside - size->itemmid) / 2;
  writeIn(d, rect, d->it->name);
  if (d->ui->mousehelp && d->it->single.shortcut) {
    ui_drawShortcut(d->canvas, d->it->rect, d->it->single.modifier, d->it->single.shortcut);
  }
}

//---------------------------------- without a variable ----------------------------------

static void drawSeparator(const Drawn* d) {
  const mjuiThemeColor* const color = &d->ui->color;
  const mjrRect r = d->it->rect;
  ui_drawGradient(r, color->separator2, color->separator);
  Drawn title = *d;
  title.font = color->sectfont;
  writeIn(&title, r, d->it->name);

  // those that fold; the lower corners belong to what follows when it is shown
  if (d->it->state < mjSEPCLOSED) return;
  const int open = d->it->state == mjSEPCLOSED + 1;
  float middle[3];
  for (int i = 0; i < 3; i++) middle[i] = 0.5f * (color->separator[i] + color->separator2[i]);
  ui_drawFold(d->canvas, r, 0.28, open, middle);
  ui_drawCorners(d->canvas, r, d->ui->spacing.cornersep, color->sectpane, open ? 2 : 0);
}

static void drawStatic(const Drawn* d) {
  const mjuiItem* const it = d->it;
  const int step = d->canvas->size.line - d->canvas->size.textver;
  mjrRect line = it->rect;
  writeLabel(d, line.bottom + (it->multi.nelem - 1) * step);
  ui_drawRect(d->canvas, line, d->ui->color.sectpane, NULL);

  // from the top
  for (int k = 0; k < it->multi.nelem; k++) {
    line.bottom = it->rect.bottom + (it->multi.nelem - 1 - k) * step;
    writeIn(d, line, it->multi.name[k]);
  }
}

static void drawButton(const Drawn* d) {
  // full while the mouse is held on it
  const UiPlace mouse = d->canvas->mouse;
  const int held = d->ui->mousesect == d->place.sect && d->ui->mouseitem == d->place.item;
  const int over = mouse.sect == d->place.sect && mouse.item == d->place.item;
  ui_drawPill(d->canvas, d->it->rect, shapeColor(d, d->ui->color.button), held && over ? NULL : d->ui->color.sectpane);
  writeName(d);
}

//---------------------------------- choices ----------------------------------

static void drawCheck(const Drawn* d) {
  const void* const value = d->it->pdata;
  const int on = d->it->type == mjITEM_CHECKINT ? *(const int*)value != 0 : *(const mjtByte*)value != 0;
  ui_drawRect(d->canvas, d->it->rect, shapeColor(d, d->ui->color.check), on ? NULL : d->ui->color.sectpane);
  writeName(d);
}

static void drawRadio(const Drawn* d) {
  const mjuiItem* const it = d->it;
  const float* const color = shapeColor(d, d->ui->color.radio);
  writeLabel(d, it->rect.bottom + it->rect.height - d->canvas->size.line);
  ui_drawRect(d->canvas, it->rect, color, d->ui->color.sectpane);
  ui_drawRect(d->canvas, ui_radioRect(it, *(const int*)it->pdata, d->ui, d->canvas->con), color, NULL);
  for (int k = 0; k < it->multi.nelem; k++) {
    writeIn(d, ui_radioRect(it, k, d->ui, d->canvas->con), it->multi.name[k]);
  }
}

// text in the middle of a rectangle
static void writeCentred(const Drawn* d, mjrRect rect, const char* text) {
  const mjrContext* const con = d->canvas->con;
  const int x = mjMAX(0, (rect.width - ui_textWidth(text, mjMAXUINAME, con)) / 2);
  ui_drawText(d->canvas, text, rect.left + x, rect.bottom + (rect.height - con->charHeight) / 2, rect.width - x,
              d->font);
}

// part of an item between two borders
static mjrRect partOf(mjrRect rect, const int* stop) {
  return (mjrRect){rect.left + stop[0], rect.bottom, stop[1] - stop[0], rect.height};
}

static void drawRadioLine(const Drawn* d) {
  const mjuiItem* const it = d->it;
  const float* const color = shapeColor(d, d->ui->color.radio);
  const int choice = *(const int*)it->pdata, n = it->multi.nelem;
  writeLabel(d, it->rect.bottom);
  ui_drawRect(d->canvas, it->rect, color, d->ui->color.sectpane);

  // the parts overlap where their texts are wider than the item
  int stop[mjMAXUIMULTI + 1];
  ui_lineStops(it, d->canvas->con, stop);
  if (choice >= 0 && choice < n) ui_drawRect(d->canvas, partOf(it->rect, stop + choice), color, NULL);
  for (int k = 0; k < n; k++) writeCentred(d, partOf(it->rect, stop + k), it->multi.name[k]);
}

// the list is drawn by mjui_render
static void drawSelect(const Drawn* d) {
  const mjuiItem* const it = d->it;
  const int choice = *(const int*)it->pdata;
  writeLabel(d, it->rect.bottom);
  ui_drawRect(d->canvas, it->rect, shapeColor(d, d->ui->color.select), NULL);
  if (choice >= 0 && choice < it->multi.nelem) writeIn(d, it->rect, it->multi.name[choice]);
}

//---------------------------------- numbers and text ----------------------------------

static void drawSlider(const Drawn* d) {
  const mjuiItem* const it = d->it;
  const struct mjuiItemSlider_* const slider = &it->slider;
  const int whole = it->type == mjITEM_SLIDERINT;
  const double value = whole ? *(const int*)it->pdata : *(const mjtNum*)it->pdata;
  const double part = (value - slider->range[0]) / mjMAX(1e-10, slider->range[1] - slider->range[0]);

  // two colours that meet at the value
  mjrRect r = it->rect;
  ui_drawRect(d->canvas, r, shapeColor(d, d->ui->color.slider), NULL);
  r.width = ui_round(r.width * mju_clip(part, 0, 1));
  ui_drawRect(d->canvas, r, d->enabled ? d->ui->color.slider2 : d->ui->color.decorinactive2, NULL);

  // ticks, unless there are too many
  if (slider->divisions <= UI_TICKS) {
    r.width = ui_scale(UI_BORDER, d->canvas->con);
    r.height = d->canvas->size.textver;
    for (int k = 1; k < (int)slider->divisions; k++) {
      r.left = (int)(it->rect.left - r.width / 2 + it->rect.width * k / slider->divisions);
      ui_drawRect(d->canvas, r, d->ui->color.sectpane, NULL);
    }
  }

  // name and value
  char text[BAS_NUMBER];
  bas_writeShort(value, whole ? 17 : 3, text);
  writeLabel(d, it->rect.bottom);
  writeIn(d, it->rect, text);
}

// the field whose text is being typed
static void drawTyping(const Drawn* d) {
  const mjUI* const ui = d->ui;
  const mjuiItem* const it = d->it;
  const UiSizes* const size = &d->canvas->size;
  const mjrContext* const con = d->canvas->con;
  const int valid = ui_editValid(ui->edittext, it);
  ui_drawRect(d->canvas, it->rect, valid ? shapeColor(d, ui->color.edit) : ui->color.edit2, NULL);

  // cursor, then the text from the first character shown
  const char* const text = ui->edittext + mjMAX(0, mjMIN(mjMAXUITEXT - 1, ui->editscroll));
  const int thick = ui_scale(UI_CURSOR, con), gap = size->textver / 2;
  const int x = ui_textWidth(text, ui->editcursor - ui->editscroll, con);
  const mjrRect cursor = {it->rect.left + size->texthor + x - thick, it->rect.bottom + gap, 2 * thick,
                          it->rect.height - 2 * gap};
  ui_drawRect(d->canvas, cursor, ui->color.cursor, NULL);
  writeIn(d, it->rect, text);
}

static void drawEdit(const Drawn* d) {
  writeLabel(d, d->it->rect.bottom);
  if (d->ui->editsect == d->place.sect && d->ui->edititem == d->place.item) {
    drawTyping(d);
    return;
  }
  char text[mjMAXUITEXT];
  ui_editPrint(text, d->it);
  ui_drawRect(d->canvas, d->it->rect, shapeColor(d, d->ui->color.edit), d->ui->color.sectpane);
  writeIn(d, d->it->rect, text);
}

//---------------------------------- all kinds ----------------------------------

void ui_drawItem(const UiCanvas* canvas, int section, int item) {
  static void (*const DRAW[mjNITEM])(const Drawn*) = {
      [mjITEM_SEPARATOR] = drawSeparator, [mjITEM_STATIC] = drawStatic,   [mjITEM_BUTTON] = drawButton,
      [mjITEM_CHECKINT] = drawCheck,      [mjITEM_CHECKBYTE] = drawCheck, [mjITEM_RADIO] = drawRadio,
      [mjITEM_RADIOLINE] = drawRadioLine, [mjITEM_SELECT] = drawSelect,   [mjITEM_SLIDERINT] = drawSlider,
      [mjITEM_SLIDERNUM] = drawSlider,    [mjITEM_EDITINT] = drawEdit,    [mjITEM_EDITNUM] = drawEdit,
      [mjITEM_EDITFLOAT] = drawEdit,      [mjITEM_EDITTXT] = drawEdit,
  };
  const mjUI* const ui = canvas->ui;
  const mjuiItem* const it = ui->sect[section].item + item;
  if (it->type < 0 || it->type >= mjNITEM) {
    mju_error("mjui_update: item %d of section %d has no known type", item, section);
    return;
  }
  const int enabled = ui_enabled(it, ui);
  const Drawn drawn = {
      .canvas = canvas,
      .ui = ui,
      .section = ui->sect + section,
      .it = it,
      .place = {section + 1, item},
      .enabled = enabled,
      .font = enabled ? ui->color.fontactive : ui->color.fontinactive,
  };
  DRAW[it->type](&drawn);
}
