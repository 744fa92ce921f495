// Where sections and items go. They are stacked from the top; then their places, counted downwards, are turned into
// rectangles whose origin is the lower left corner of the interface.
#include <limits.h>
#include <string.h>

#include "render/render.h"
#include "ui/ui.h"

//---------------------------------- sizes ----------------------------------

int ui_round(double x) {
  if (x != x) return 0;
  return mju_round(mju_clip(x, INT_MIN, INT_MAX));
}

int ui_scale(int distance, const mjrContext* con) {
  return mjMAX(0, ui_round(distance * 0.01 * con->fontScale));
}

UiSizes ui_sizes(const mjUI* ui, const mjrContext* con) {
  const mjuiThemeSpacing* const theme = &ui->spacing;
  UiSizes size = {
      .total = ui_scale(theme->total, con),
      .scroll = ui_scale(theme->scroll, con),
      .label = ui_scale(theme->label, con),
      .section = ui_scale(theme->section, con),
      .itemside = ui_scale(theme->itemside, con),
      .itemmid = ui_scale(theme->itemmid, con),
      .itemver = ui_scale(theme->itemver, con),
      .texthor = ui_scale(theme->texthor, con),
      .textver = ui_scale(theme->textver, con),
  };
  size.line = con->charHeight + 2 * size.textver;
  size.column = (size.total - size.scroll - 2 * size.section - 2 * size.itemside - size.itemmid) / 2;
  return size;
}

int ui_textWidth(const char* text, int n, const mjrContext* con) {
  return ren_spanWidth(ren_string(text, mjMAX(0, n), mjFONT_NORMAL), con);
}

//---------------------------------- one item ----------------------------------

// kinds that take half a line, so that two neighbours of one kind share it
static int isHalf(const mjuiItem* it) {
  return it->type == mjITEM_BUTTON || it->type == mjITEM_CHECKINT || it->type == mjITEM_CHECKBYTE;
}

// left side, width and height of an item with lines of its own
static mjrRect sizeItem(const mjuiItem* it, const mjuiSection* s, const mjUI* ui, const UiSizes* size) {
  mjrRect r = {s->rcontent.left + size->itemside, 0, s->rcontent.width - 2 * size->itemside, size->line};
  if (isHalf(it)) r.width = size->column;

  // those with several lines
  if (it->type == mjITEM_STATIC) r.height = (size->line - size->textver) * it->multi.nelem;
  if (it->type == mjITEM_RADIO) r.height = size->line * ui_radioRows(it, ui);

  // name at the left of the item; the others have it inside
  if (it->name[0] && (it->type >= mjITEM_RADIO || it->type == mjITEM_STATIC)) {
    r.left += size->label;
    r.width -= size->label;
  }
  return r;
}

//---------------------------------- a section ----------------------------------

// marks what follows a folded separator
static void markFolded(mjuiSection* s, int folds) {
  int skip = 0;
  for (int i = 0; i < s->nitem; i++) {
    mjuiItem* const it = s->item + i;
    const int separator = it->type == mjITEM_SEPARATOR;
    if (separator) skip = folds && it->state == mjSEPCLOSED;
    it->skip = separator ? 0 : skip;
  }
}

// rectangles of the items of a section whose contents start at `top` below the upper end of the interface. Their
// `bottom` counts from there, downwards. Returns the height of the contents.
static int stackItems(mjuiSection* s, int top, const mjUI* ui, const UiSizes* size) {
  int height = 0;
  for (int i = 0; i < s->nitem; i++) {
    mjuiItem* const it = s->item + i;
    if (it->skip) {
      memset(&it->rect, 0, sizeof(mjrRect));
      continue;
    }

    // its lines
    it->rect = sizeItem(it, s, ui, size);
    height += it->type == mjITEM_SEPARATOR ? size->section : size->itemver;
    height += it->rect.height;
    it->rect.bottom = top + height;

    // right half of the line
    if (isHalf(it) && i + 1 < s->nitem && it[1].type == it->type) {
      it[1].rect = it->rect;
      it[1].rect.left += size->column + size->itemmid;
      i++;
    }
  }
  return height + size->itemver;
}

// section at `top` below the upper end. Returns where it would end if it were open.
static int stackSection(mjuiSection* s, int top, const mjUI* ui, const UiSizes* size) {
  // fixed sections have no title
  s->rtitle.left = size->section;
  s->rtitle.width = size->total - size->scroll - 2 * size->section;
  s->rtitle.height = s->state == mjSECT_FIXED ? 0 : size->line;
  s->rtitle.bottom = top + s->rtitle.height;

  // contents below it
  s->rcontent = s->rtitle;
  s->rcontent.height = stackItems(s, s->rtitle.bottom, ui, size);
  s->rcontent.bottom += s->rcontent.height;
  return s->rcontent.bottom;
}

//---------------------------------- the whole ----------------------------------

// height with everything open and unfolded
static int fullHeight(mjUI* ui, const UiSizes* size) {
  int top = size->section;
  for (int n = 0; n < ui->nsect; n++) {
    markFolded(ui->sect + n, 0);
    top = stackSection(ui->sect + n, top, ui, size) + size->section;
  }
  return top;
}

// rectangles and sizes for the sections that are open now
static void arrange(mjUI* ui, const mjrContext* con) {
  const UiSizes size = ui_sizes(ui, con);
  ui->width = size.total;
  ui->maxheight = fullHeight(ui, &size);

  // stack what is shown
  int top = size.section;
  for (int n = 0; n < ui->nsect; n++) {
    mjuiSection* const s = ui->sect + n;
    markFolded(s, 1);
    top = stackSection(s, top, ui, &size) + size.section;
    if (s->state == mjSECT_CLOSED) top -= s->rcontent.height;
  }
  ui->height = top;

  // count from the lower end
  for (int n = 0; n < ui->nsect; n++) {
    mjuiSection* const s = ui->sect + n;
    s->rtitle.bottom = ui->height - s->rtitle.bottom;
    s->rcontent.bottom = ui->height - s->rcontent.bottom;
    for (int i = 0; i < s->nitem; i++) s->item[i].rect.bottom = ui->height - s->item[i].rect.bottom;
  }
}

// closes the open sections that were not clicked for longest, so that the others are at most `limit` high
static void closeSections(mjUI* ui, int limit, const mjrContext* con) {
  // what cannot be closed
  int height = (ui->nsect + 1) * ui_scale(ui->spacing.section, con);
  int candidate[mjMAXUISECT] = {0};
  for (int n = 0; n < ui->nsect; n++) {
    const mjuiSection* const s = ui->sect + n;
    height += s->state == mjSECT_FIXED ? s->rcontent.height : s->rtitle.height;
    candidate[n] = s->state == mjSECT_OPEN;
  }
  if (height > limit) mju_error("fixed section height already too big, closing sections cannot help");

  // latest click first, of equals the lowest section: it stays open if it fits
  for (;;) {
    int latest = -1;
    for (int n = 0; n < ui->nsect; n++) {
      if (candidate[n] && (latest < 0 || ui->sect[n].lastclick >= ui->sect[latest].lastclick)) latest = n;
    }
    if (latest < 0) return;
    candidate[latest] = 0;
    mjuiSection* const s = ui->sect + latest;
    if (height + s->rcontent.height <= limit) {
      height += s->rcontent.height;
    } else {
      s->state = mjSECT_CLOSED;
    }
  }
}

// height that OpenGL can draw; without OpenGL there is no limit
static int heightLimit(void) {
  GLint limit = 0;
  if (gl.GetIntegerv) gl.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
  return limit > 0 ? limit : INT_MAX;
}

void mjui_resize(mjUI* ui, const mjrContext* con) {
  if (!ui || !con) {
    mju_error("mjui_resize: %s is NULL", ui ? "con" : "ui");
    return;
  }
  const int limit = heightLimit();
  arrange(ui, con);
  if (ui->height > limit) {
    closeSections(ui, limit, con);
    arrange(ui, con);
  }
  ui->maxheight = mjMIN(ui->maxheight, limit);
}
