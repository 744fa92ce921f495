// Events: what the mouse and the keys change in the interface and in the program's variables. The item under the mouse
// when its button goes down has it until the button comes up (ui->mousesect, ui->mouseitem).
#include "ui/ui.h"

int ui_enabled(const mjuiItem* it, const mjUI* ui) {
  if (it->state <= 0) return 0;
  if (it->state == 1 || !ui->predicate) return 1;
  return ui->predicate(it->state, ui->userdata);
}

int ui_usable(const mjUI* ui, const mjuiState* state, const mjrContext* con, const char* caller) {
  if (!ui || !state || !con) {
    mju_error("%s: ui, state or con is NULL", caller);
    return 0;
  }
  if (ui->rectid < 0 || ui->rectid >= mjMAXUIRECT) {
    mju_error("%s: invalid rectangle %d", caller, ui->rectid);
    return 0;
  }
  return 1;
}

// item at a place, NULL: a title or outside
static mjuiItem* itemOf(mjUI* ui, int sect, int item) {
  return sect > 0 && sect <= mjMAXUISECT && item >= 0 && item < mjMAXUIITEM ? ui->sect[sect - 1].item + item : NULL;
}

static void holdItem(mjUI* ui, UiPlace at) {
  ui->mousesect = at.sect;
  ui->mouseitem = at.item;
}

// as a double, which no distance makes overflow
static void scrollTo(mjUI* ui, double scroll, mjrRect rect) {
  ui->scroll = mju_round(mjMAX(0, mjMIN(scroll, ui->height - rect.height)));
}

// sections or separators opened or closed
static void rearrange(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  mjui_resize(ui, con);
  ui_redraw(-1, -1, ui, state, con);
}

//---------------------------------- items ----------------------------------

static int isSlider(const mjuiItem* it) {
  return it->type == mjITEM_SLIDERINT || it->type == mjITEM_SLIDERNUM;
}

// value of the division nearest to the mouse
static void slide(const mjuiItem* it, const mjUI* ui, const mjuiState* state) {
  const double x = mju_clip(ui_mouseInRect(it->rect, ui, state).x, 0, 1);
  const double part = mju_clip(ui_round(x * it->slider.divisions) / mjMAX(1, it->slider.divisions), 0, 1);
  const double value = it->slider.range[0] * (1 - part) + it->slider.range[1] * part;
  if (it->type == mjITEM_SLIDERINT) {
    *(int*)it->pdata = ui_round(value);
  } else {
    *(mjtNum*)it->pdata = value;
  }
}

// 1: a check box, and it changed
static int toggle(const mjuiItem* it) {
  if (it->type == mjITEM_CHECKINT) {
    *(int*)it->pdata = 1 - *(int*)it->pdata;
  } else if (it->type == mjITEM_CHECKBYTE) {
    *(mjtByte*)it->pdata = (mjtByte)(1 - *(mjtByte*)it->pdata);
  } else {
    return 0;
  }
  return 1;
}

// 1: a choice was made
static int choose(const mjuiItem* it, int choice) {
  if (choice >= 0) *(int*)it->pdata = choice;
  return choice >= 0;
}

static void startEdit(const mjuiItem* it, UiPlace at, mjUI* ui, const mjuiState* state, const mjrContext* con) {
  ui_editPrint(ui->edittext, it);
  ui->editscroll = 0;
  ui_editPoint(it->rect, ui, state, con);
  ui->editsect = at.sect;
  ui->edititem = at.item;
}

//---------------------------------- mouse button down ----------------------------------

// 1: folded or unfolded
static int fold(mjuiItem* it) {
  if (it->state != mjSEPCLOSED && it->state != mjSEPCLOSED + 1) return 0;
  it->state = it->state == mjSEPCLOSED ? mjSEPCLOSED + 1 : mjSEPCLOSED;
  return 1;
}

// 1: the item's variable changed or its button was pressed
static int pressItem(mjuiItem* it, UiPlace at, mjUI* ui, const mjuiState* state, const mjrContext* con) {
  switch (it->type) {
    case mjITEM_BUTTON:
      holdItem(ui, at);
      return 1;
    case mjITEM_CHECKINT:
    case mjITEM_CHECKBYTE:
      return toggle(it);
    case mjITEM_RADIO:
      return choose(it, ui_choiceOfRadio(it, ui, state));
    case mjITEM_RADIOLINE:
      return choose(it, ui_choiceOfLine(it, ui, state, con));
    case mjITEM_SELECT:
      holdItem(ui, at);
      return 0;
    case mjITEM_SLIDERINT:
    case mjITEM_SLIDERNUM:
      slide(it, ui, state);
      holdItem(ui, at);
      return 1;
    default:
      if (ui_isEdit(it)) {
        startEdit(it, at, ui, state, con);
        holdItem(ui, at);
      }
      return 0;
  }
}

// opens or closes a section; a double click makes all others like it
static void pressTitle(mjuiSection* s, mjUI* ui, const mjuiState* state, const mjrContext* con) {
  ui->mousesectcheck = 0;
  if (s->state == mjSECT_OPEN || s->state == mjSECT_CLOSED) {
    if (!state->doubleclick) s->state = s->state == mjSECT_OPEN ? mjSECT_CLOSED : mjSECT_OPEN;
    for (int n = 0; n < ui->nsect && state->doubleclick; n++) {
      if (ui->sect[n].state != mjSECT_FIXED) ui->sect[n].state = s->state;
    }
  }
  rearrange(ui, state, con);
}

// the field that was being edited, now that the mouse went elsewhere: what is not valid is lost
static void leaveEdit(mjuiItem* it, mjUI* ui, const mjuiState* state, const mjrContext* con) {
  const int sect = ui->editsect;
  if (ui_editStore(ui->edittext, it)) ui->editchanged = it;
  ui->editsect = 0;
  ui_redraw(sect - 1, ui->edititem, ui, state, con);
}

static mjuiItem* onPress(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  const UiPlace at = ui_placeOfMouse(ui, state, con);
  mjuiItem* const it = itemOf(ui, at.sect, at.item);
  if (at.sect > 0) ui->sect[at.sect - 1].lastclick = ui->mouseclicks;

  // text being typed: the cursor moves, or it ends
  mjuiItem* const edited = itemOf(ui, ui->editsect, ui->edititem);
  if (edited && edited == it) {
    holdItem(ui, at);
    ui_editPoint(it->rect, ui, state, con);
    ui_redraw(at.sect - 1, at.item, ui, state, con);
    return NULL;
  }
  if (edited) leaveEdit(edited, ui, state, con);
  ui->mousesect = 0;

  // scroll bar
  if (at.sect == UI_THUMB) holdItem(ui, (UiPlace){UI_THUMB, 0});
  if (at.sect == UI_BELOW_THUMB) ui->scroll = ui->height - state->rect[ui->rectid].height;
  if (at.sect == UI_ABOVE_THUMB) ui->scroll = 0;
  if (at.sect <= 0) return ui->editchanged;

  // a check box in a title is the program's: sections may depend on each other
  if (at.item == UI_CHECK) {
    ui->mousesectcheck = at.sect;
    return NULL;
  }
  if (!it) {
    pressTitle(ui->sect + at.sect - 1, ui, state, con);
    return ui->editchanged;
  }

  // item
  if (!ui_enabled(it, ui)) return ui->editchanged;
  if (it->type == mjITEM_SEPARATOR) {
    if (fold(it)) rearrange(ui, state, con);
    return ui->editchanged;
  }
  const int changed = pressItem(it, at, ui, state, con);
  ui_redraw(at.sect - 1, at.item, ui, state, con);
  return changed ? it : ui->editchanged;
}

//---------------------------------- mouse moves, button up ----------------------------------

static mjuiItem* onMove(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  // thumb of the scroll bar
  const mjrRect rect = state->rect[ui->rectid];
  if (ui->mousesect == UI_THUMB) {
    scrollTo(ui, ui->scroll - (double)ui_round(state->dy * ui->height / rect.height), rect);
    return NULL;
  }

  // item that has the mouse
  mjuiItem* const it = itemOf(ui, ui->mousesect, ui->mouseitem);
  if (!it) return NULL;
  if (isSlider(it)) slide(it, ui, state);
  if (ui_isEdit(it)) ui_editPoint(it->rect, ui, state, con);
  ui_redraw(ui->mousesect - 1, ui->mouseitem, ui, state, con);
  return isSlider(it) ? it : NULL;
}

static mjuiItem* onRelease(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  const int sect = ui->mousesect, item = ui->mouseitem;
  mjuiItem* const it = itemOf(ui, sect, item);
  const int chosen = it && it->type == mjITEM_SELECT && choose(it, ui_choiceOfSelect(it, ui, state, con));
  ui->mousesect = 0;

  // the list of a drop-down was over other items
  if (it && it->type == mjITEM_SELECT) ui_redraw(-1, -1, ui, state, con);
  if (it && it->type == mjITEM_BUTTON) ui_redraw(sect - 1, item, ui, state, con);
  return chosen ? it : NULL;
}

//---------------------------------- keys ----------------------------------

// key for the field being edited; the field, when it was stored
static mjuiItem* onEditKey(mjuiItem* it, mjUI* ui, mjuiState* state, const mjrContext* con) {
  const int sect = ui->editsect, key = state->key;
  state->key = 0;
  if (key == mjKEY_ENTER && ui_editStore(ui->edittext, it)) {
    ui->editsect = 0;
    ui->editchanged = it;
  } else if (key == mjKEY_ESCAPE) {
    ui->editsect = 0;
  } else {
    ui_editKey(key, it, ui, state, con);
  }
  ui_redraw(sect - 1, ui->edititem, ui, state, con);
  return ui->editchanged;
}

static int isShortcut(const mjuiState* state, int modifier, int shortcut) {
  const int held = (state->control ? 1 : 0) | (state->shift ? 2 : 0) | (state->alt ? 4 : 0);
  return shortcut && shortcut == state->key && modifier == held;
}

// 1: the key opened a section and closed the others
static int openByKey(mjUI* ui, mjuiState* state, const mjrContext* con) {
  for (int n = 0; n < ui->nsect; n++) {
    if (!isShortcut(state, ui->sect[n].modifier, ui->sect[n].shortcut)) continue;
    for (int i = 0; i < ui->nsect; i++) {
      if (ui->sect[i].state < mjSECT_FIXED) ui->sect[i].state = i == n ? mjSECT_OPEN : mjSECT_CLOSED;
    }
    rearrange(ui, state, con);
    state->key = 0;
    return 1;
  }
  return 0;
}

// first button or check box with the key as shortcut, NULL: none
static mjuiItem* itemByKey(mjUI* ui, const mjuiState* state) {
  for (int n = 0; n < ui->nsect; n++) {
    for (int i = 0; i < ui->sect[n].nitem; i++) {
      mjuiItem* const it = ui->sect[n].item + i;
      if (it->type < mjITEM_BUTTON || it->type > mjITEM_CHECKBYTE) continue;
      if (isShortcut(state, it->single.modifier, it->single.shortcut)) return it;
    }
  }
  return NULL;
}

static mjuiItem* onKey(mjUI* ui, mjuiState* state, const mjrContext* con) {
  mjuiItem* const edited = itemOf(ui, ui->editsect, ui->edititem);
  if (edited) return onEditKey(edited, ui, state, con);
  if (openByKey(ui, state, con)) return NULL;

  // nobody else gets the key, even if the item is disabled
  mjuiItem* const it = itemByKey(ui, state);
  if (!it) return NULL;
  state->key = 0;
  if (!ui_enabled(it, ui)) return NULL;
  if (toggle(it)) ui_redraw(it->sectionid, it->itemid, ui, state, con);
  return it;
}

//---------------------------------- all events ----------------------------------

// right button: shortcuts are shown while it is down; the middle one does nothing
static void onOtherButton(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  if (state->button != mjBUTTON_RIGHT || state->type == mjEVENT_MOVE) return;
  ui->mousehelp = state->type == mjEVENT_PRESS;
  ui_redraw(-1, -1, ui, state, con);
}

mjuiItem* mjui_event(mjUI* ui, mjuiState* state, const mjrContext* con) {
  if (!ui_usable(ui, state, con, "mjui_event")) return NULL;
  const mjrRect rect = state->rect[ui->rectid];
  ui->editchanged = NULL;
  if (state->type == mjEVENT_PRESS) ui->mouseclicks++;

  // only the left button works the items
  const int mouse = state->type == mjEVENT_PRESS || state->type == mjEVENT_MOVE || state->type == mjEVENT_RELEASE;
  if (mouse && state->button != mjBUTTON_LEFT) {
    onOtherButton(ui, state, con);
    return NULL;
  }

  switch (state->type) {
    case mjEVENT_MOVE:
      return onMove(ui, state, con);
    case mjEVENT_PRESS:
      return onPress(ui, state, con);
    case mjEVENT_RELEASE:
      return onRelease(ui, state, con);
    case mjEVENT_SCROLL:
      scrollTo(ui, ui->scroll - (double)ui_round(state->sy * ui_scale(ui->spacing.linescroll, con)), rect);
      return NULL;
    case mjEVENT_KEY:
      return onKey(ui, state, con);
    case mjEVENT_RESIZE:
      scrollTo(ui, ui->scroll, rect);
      return NULL;
    default:
      return NULL;
  }
}
