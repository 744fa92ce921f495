// What the files of the user interface share. One interface: define.c turns the program's table of mjuiDef into
// sections and items, layout.c gives each its rectangle, event.c changes them and the program's variables, edit.c the
// text being typed, draw.c and items.c draw them into an auxiliary buffer that mjui_render copies to the window.
//
// Rectangles of sections and items are in pixels of the whole interface, (0, 0) at its lower left corner, whether it
// fits the window or not: ui->height - ui->scroll is the height shown at the top of the window's rectangle.
#pragma once

#include <mujoco/mujoco.h>

// columns of radio buttons unless the interface says otherwise
#define UI_RADIO_COLUMNS 2

// Width of an outline's border and of a tick, and half the width of the text cursor, at font scale 100.
#define UI_BORDER 2
#define UI_CURSOR 1

//---------------------------------- sizes (layout.c) ----------------------------------

// The theme's distances in pixels of the context's font scale, and what follows from them.
typedef struct {
  int total, scroll, label, section, itemside, itemmid, itemver, texthor, textver;
  int line;    // height of one line of text with the space above and below
  int column;  // width of an item that shares its line
} UiSizes;

UiSizes ui_sizes(const mjUI* ui, const mjrContext* con);

// a distance at font scale 100 in pixels; never negative
int ui_scale(int distance, const mjrContext* con);

// nearest int; halves go up, what no int can hold becomes 0 or the last one
int ui_round(double x);

// width in pixels of the first n characters of a text, fewer where it ends; a character without a glyph has no width
int ui_textWidth(const char* text, int n, const mjrContext* con);

//---------------------------------- places (place.c) ----------------------------------

// What is under the mouse: a section counted from 1 and an item from 0, or one of these.
enum {
  UI_NOWHERE = 0,  // as section
  UI_THUMB = -1,   // as section: parts of the scroll bar
  UI_BELOW_THUMB = -2,
  UI_ABOVE_THUMB = -3,
  UI_TITLE = -1,  // as item
  UI_CHECK = -2   // as item: check box in a title
};

typedef struct {
  int sect, item;
} UiPlace;

UiPlace ui_placeOfMouse(const mjUI* ui, const mjuiState* state, const mjrContext* con);

// where the mouse is in a rectangle of the interface, 0 to 1 from left to right and from bottom to top
typedef struct {
  double x, y;
} UiPoint;

UiPoint ui_mouseInRect(mjrRect rect, const mjUI* ui, const mjuiState* state);

// choice of an item under the mouse, -1: none; of a drop-down only while its list is open
int ui_choiceOfRadio(const mjuiItem* it, const mjUI* ui, const mjuiState* state);
int ui_choiceOfLine(const mjuiItem* it, const mjUI* ui, const mjuiState* state, const mjrContext* con);
int ui_choiceOfSelect(const mjuiItem* it, const mjUI* ui, const mjuiState* state, const mjrContext* con);

// rows and columns of radio buttons, and the rectangle of one of them
int ui_radioColumns(const mjUI* ui);
int ui_radioRows(const mjuiItem* it, const mjUI* ui);
mjrRect ui_radioRect(const mjuiItem* it, int choice, const mjUI* ui, const mjrContext* con);

// borders between choices on one line, relative to the item's left side: mjMAXUIMULTI + 1 ints, multi.nelem + 1 in use
void ui_lineStops(const mjuiItem* it, const mjrContext* con, int* stop);

// thumb of the scroll bar of an interface shown in a rectangle of the window; the bar is its column of that rectangle
mjrRect ui_scrollThumb(mjrRect rect, const mjUI* ui, const mjrContext* con);

//---------------------------------- items (event.c) ----------------------------------

// 1: an item answers to the mouse and is drawn in colour
int ui_enabled(const mjuiItem* it, const mjUI* ui);

// 1: what a public function was given is there and the interface has a rectangle of the window; else an error in its
// name
int ui_usable(const mjUI* ui, const mjuiState* state, const mjrContext* con, const char* caller);

//---------------------------------- text being typed (edit.c) ----------------------------------

// 1: an item is an edit field
int ui_isEdit(const mjuiItem* it);

// 1: a text is what an edit field takes: as many numbers as it has, in range
int ui_editValid(const char* text, const mjuiItem* it);

// stores a text in the field's variable; 0: not valid, nothing stored
int ui_editStore(const char* text, const mjuiItem* it);

// the field's variable as a text, mjMAXUITEXT characters
void ui_editPrint(char* text, const mjuiItem* it);

// cursor to where the mouse is, and into view
void ui_editPoint(mjrRect rect, mjUI* ui, const mjuiState* state, const mjrContext* con);

// a key that moves the cursor or changes the text of field it
void ui_editKey(int key, const mjuiItem* it, mjUI* ui, const mjuiState* state, const mjrContext* con);

//---------------------------------- drawing (draw.c, items.c) ----------------------------------

// mjui_update, without effect where there is nothing to draw with
void ui_redraw(int section, int item, const mjUI* ui, const mjuiState* state, const mjrContext* con);

// What drawing needs at every step.
typedef struct {
  const mjUI* ui;
  const mjrContext* con;
  UiSizes size;
  UiPlace mouse;
} UiCanvas;

// drawing in ren_begin2D: rectangles, with another colour inside (NULL: the same) or from one colour below to another
// above
void ui_drawRect(const UiCanvas* canvas, mjrRect rect, const float* rgb, const float* inside);
void ui_drawGradient(mjrRect rect, const float* below, const float* above);

// a pill: rectangle with round ends
void ui_drawPill(const UiCanvas* canvas, mjrRect rect, const float* rgb, const float* inside);

// covers the corners of a rectangle with a background so that they look round; from corner first (0: all, 2: upper
// ones)
void ui_drawCorners(const UiCanvas* canvas, mjrRect rect, double radius, const float* background, int first);

// triangle in a title: full and pointing down when open, else an outline that shows the background
void ui_drawFold(const UiCanvas* canvas, mjrRect rect, double size, int open, const float* background);

// text from its lower left corner, as much as is narrower than width
void ui_drawText(const UiCanvas* canvas, const char* text, int left, int bottom, int width, const float* rgb);

// name of a key with its modifier at the right of a rectangle
void ui_drawShortcut(const UiCanvas* canvas, mjrRect rect, int modifier, int shortcut);

// item of a section, both counted from 0
void ui_drawItem(const UiCanvas* canvas, int section, int item);
