// A small immediate-mode user interface: a program says in every frame what is there, and each widget returns whether
// it was used. Nothing is kept but which widget the mouse holds, which one is typed into, and how far panels are
// scrolled.
#pragma once

#include "view/renderer.h"

// What happened since the last frame.
typedef struct {
  float x, y;                            // mouse, in pixels from the upper left corner
  int down[3], pressed[3], released[3];  // left, right, middle
  float wheel;                           // notches, up is positive
  int control, shift, alt;               // held
  int key[32], nkey;                     // pressed, as in keys.h
  char text[64];                         // typed
} ViwInput;

typedef struct {
  ViwCanvas* canvas;
  const ViwInput* in;
  float unit;          // pixels of one unit: the screen's scale
  unsigned hot, held;  // the widget under the mouse, and the one that has it
  unsigned edited;     // the text field that has the keys, 0: none
  unsigned section;    // part of the identity of widgets
  ViwRect cover[8];    // what panels cover, so that the model does not get the mouse there
  int ncover;
  ViwRect panel;      // inner part of the panel that is open
  float x, y, width;  // where the next row goes
  float* scroll;
  float contentTop;
  char edit[128];  // what is typed
} ViwUi;

extern const ViwColor VIW_TEXT, VIW_DIM, VIW_ACCENT, VIW_PANEL, VIW_WIDGET, VIW_HOVER, VIW_BAD, VIW_GOOD;

void viw_uiBegin(ViwUi* ui, ViwCanvas* canvas, const ViwInput* in, float unit);
void viw_uiEnd(ViwUi* ui);

// A panel at a place; what follows is put into it, row after row, until it is closed.
void viw_uiOpenPanel(ViwUi* ui, ViwRect rect, float* scroll);
void viw_uiClosePanel(ViwUi* ui);

// A heading that opens and closes what is below it. 1: it is open.
int viw_uiSection(ViwUi* ui, const char* title, int* open);

void viw_uiLabel(ViwUi* ui, const char* text, ViwColor color);
int viw_uiButton(ViwUi* ui, const char* text);
int viw_uiButtons(ViwUi* ui, const char* const* text, int n);  // side by side; the one pressed, or -1
int viw_uiCheck(ViwUi* ui, const char* text, int* on);
int viw_uiSlider(ViwUi* ui, const char* text, double* value, double low, double high);
int viw_uiChoice(ViwUi* ui, const char* text, int* choice, const char* const* names, int n);
int viw_uiText(ViwUi* ui, const char* text, char* value, int size);  // 1: Enter was pressed
ViwRect viw_uiSpace(ViwUi* ui, float height);                        // room for something else

// The parts of widgets, for those that are not in a panel: a rectangle that can be pressed, and one that is dragged.
int viw_uiPress(ViwUi* ui, unsigned id, ViwRect rect);
int viw_uiDrag(ViwUi* ui, unsigned id, ViwRect rect);
unsigned viw_uiId(const ViwUi* ui, const char* text);
void viw_uiCovers(ViwUi* ui, ViwRect rect);  // the mouse over it is not the model's
int viw_uiHasMouse(const ViwUi* ui);         // 1: the mouse is over what the last frame put there
