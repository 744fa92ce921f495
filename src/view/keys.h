// Keys of the window: printable ones are their character, capitals for letters; the others have the numbers below,
// which are those of GLFW.
#pragma once

enum {
  VIW_KEY_SPACE = ' ',
  VIW_KEY_ESCAPE = 256,
  VIW_KEY_ENTER = 257,
  VIW_KEY_TAB = 258,
  VIW_KEY_BACKSPACE = 259,
  VIW_KEY_DELETE = 261,
  VIW_KEY_RIGHT = 262,
  VIW_KEY_LEFT = 263,
  VIW_KEY_DOWN = 264,
  VIW_KEY_UP = 265,
  VIW_KEY_PAGE_UP = 266,
  VIW_KEY_PAGE_DOWN = 267,
  VIW_KEY_HOME = 268,
  VIW_KEY_END = 269,
  VIW_KEY_F1 = 290
};

// The number of a key by its name ("space", "left", "f1", "p"); 0: there is none of that name.
int viw_keyNamed(const char* name);
