// Built-in themes: a row per distance or colour, a column per theme.
#include "ui/ui.h"

// tight, wide; at font scale 100
static const int SPACING[][2] = {
    {270, 310}, // total
    {15,  15 }, // scroll
    {120, 120}, // label
    {8,   10 }, // section
    {6,   10 }, // cornersect
    {6,   10 }, // cornersep
    {4,   7  }, // itemside
    {4,   7  }, // itemmid
    {4,   7  }, // itemver
    {8,   10 }, // texthor
    {4,   5  }, // textver
    {30,  30 }, // linescroll
    {4,   4  }, // samples
};

#define GREY(level) \
  { level, level, level }
#define AMBER \
  { 0.6f, 0.4f, 0.2f }
#define BLUE \
  { 0.0f, 0.0f, 1.0f }
#define INK \
  { 0.0f, 0.0f, 0.8f }
#define CORAL \
  { 1.0f, 0.3f, 0.3f }

// default, orange, white, black
static const float COLOR[][4][3] = {
    {GREY(0.25f),           GREY(0.2f),         GREY(0.9f),         GREY(0.15f)       }, // master
    {GREY(0.12f),           GREY(0.12f),        GREY(0.7f),         GREY(0.3f)        }, // thumb
    {{0.6f, 0.2f, 0.2f},    GREY(0.3f),         GREY(0.8f),         GREY(0.25f)       }, // secttitle
    {GREY(0.1f),            GREY(0.15f),        GREY(1.0f),         GREY(0.0f)        }, // secttitle2
    {{0.45f, 0.17f, 0.17f}, GREY(0.25f),        GREY(0.95f),        GREY(0.2f)        }, // secttitleuncheck
    {{0.45f, 0.17f, 0.17f}, GREY(0.25f),        GREY(0.95f),        GREY(0.2f)        }, // secttitleuncheck2
    {{0.45f, 0.17f, 0.17f}, GREY(0.25f),        GREY(0.95f),        GREY(0.2f)        }, // secttitlecheck
    {{0.45f, 0.17f, 0.17f}, GREY(0.25f),        GREY(0.95f),        GREY(0.2f)        }, // secttitlecheck2
    {GREY(1.0f),            GREY(0.8f),         INK,                CORAL             }, // sectfont
    {GREY(0.7f),            GREY(0.7f),         INK,                CORAL             }, // sectsymbol
    {GREY(0.1f),            GREY(0.15f),        GREY(1.0f),         GREY(0.0f)        }, // sectpane
    {GREY(0.25f),           GREY(0.2f),         GREY(0.9f),         GREY(0.15f)       }, // separator
    {GREY(0.1f),            GREY(0.15f),        GREY(1.0f),         GREY(0.0f)        }, // separator2
    {BLUE,                  BLUE,               {0.0f, 1.0f, 1.0f}, BLUE              }, // shortcut
    {GREY(1.0f),            GREY(0.9f),         GREY(0.0f),         GREY(1.0f)        }, // fontactive
    {GREY(0.5f),            GREY(0.5f),         GREY(0.7f),         GREY(0.4f)        }, // fontinactive
    {GREY(0.3f),            GREY(0.2f),         GREY(0.95f),        GREY(0.1f)        }, // decorinactive
    {GREY(0.4f),            GREY(0.25f),        GREY(0.9f),         GREY(0.15f)       }, // decorinactive2
    {{0.6f, 0.4f, 0.4f},    AMBER,              GREY(0.8f),         GREY(0.3f)        }, // button
    {{0.4f, 0.4f, 0.7f},    AMBER,              GREY(0.8f),         GREY(0.3f)        }, // check
    {{0.4f, 0.6f, 0.4f},    AMBER,              GREY(0.8f),         GREY(0.3f)        }, // radio
    {{0.4f, 0.6f, 0.6f},    AMBER,              GREY(0.8f),         GREY(0.3f)        }, // select
    {{0.2f, 0.3f, 0.3f},    {0.3f, 0.2f, 0.1f}, GREY(0.9f),         GREY(0.15f)       }, // select2
    {{0.3f, 0.2f, 0.3f},    GREY(0.2f),         GREY(0.95f),        GREY(0.15f)       }, // slider
    {{0.6f, 0.4f, 0.6f},    AMBER,              GREY(0.8f),         GREY(0.3f)        }, // slider2
    {{0.6f, 0.6f, 0.4f},    AMBER,              GREY(0.8f),         GREY(0.3f)        }, // edit
    {{0.7f, 0.0f, 0.0f},    {0.7f, 0.0f, 0.0f}, CORAL,              {0.8f, 0.2f, 0.2f}}, // edit2
    {GREY(0.9f),            GREY(0.9f),         GREY(0.2f),         GREY(0.8f)        }, // cursor
};

#define ROWS(table) (sizeof(table) / sizeof(table[0]))

// the structs are their fields in the order of the tables, nothing else
_Static_assert(sizeof(mjuiThemeSpacing) == ROWS(SPACING) * sizeof(int), "a row per distance");
_Static_assert(sizeof(mjuiThemeColor) == ROWS(COLOR) * 3 * sizeof(float), "a row per colour");

mjuiThemeSpacing mjui_themeSpacing(int ind) {
  // every number but 0 is the wide one
  union {
    mjuiThemeSpacing theme;
    int row[ROWS(SPACING)];
  } result;
  for (size_t i = 0; i < ROWS(SPACING); i++) result.row[i] = SPACING[i][ind ? 1 : 0];
  return result.theme;
}

mjuiThemeColor mjui_themeColor(int ind) {
  // every number beyond the table is the last one
  const int column = ind >= 0 && ind < 3 ? ind : 3;
  union {
    mjuiThemeColor theme;
    float row[ROWS(COLOR)][3];
  } result;
  for (size_t i = 0; i < ROWS(COLOR); i++) {
    for (int k = 0; k < 3; k++) result.row[i][k] = COLOR[i][column][k];
  }
  return result.theme;
}
