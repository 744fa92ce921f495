// What happens to a window, as a window system tells the viewer.
#pragma once

typedef enum {
  VIW_EVENT_KEY,
  VIW_EVENT_TEXT,
  VIW_EVENT_MOVE,
  VIW_EVENT_BUTTON,
  VIW_EVENT_WHEEL,
  VIW_EVENT_DROP
} ViwEventKind;

typedef struct {
  ViwEventKind kind;
  int key;  // or button: 0 left, 1 right, 2 middle; or character
  int down;
  float x, y;  // place of the mouse, or notches of the wheel in y
  int control, shift, alt;
  const char* path;
} ViwEvent;
