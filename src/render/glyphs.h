// The font's data: what a character looks like and how wide it is in each size.
//
// Strokes are separated by ';'. A stroke is a list of points "x,y"; consecutive points are joined by lines. A point
// with '~' in front is a corner that is not reached: its neighbours are joined by a quarter of an ellipse that leaves
// and arrives along the lines to the corner. A stroke of one point is a dot; "@x,y x,y" is the ellipse that fills a
// box.
//
// Coordinates are pixels of the size that is 18 pixels high, where the pen is one pixel wide; they may end in ".5".
// x counts from the left edge of the character, y from the baseline: small letters end at 6, capitals at 9,
// descenders at -3. Other sizes stretch this grid (font.c).
#pragma once

enum {
  REN_NGLYPH = 95,       // characters 32 … 126
  REN_FIRST_GLYPH = 32,  // the space
  REN_NSIZE = 9,         // sizes of the font, see REN_SIZES
  REN_DESIGN_SIZE = 1,   // the size in whose pixels strokes are drawn
  REN_MAX_HEIGHT = 106,  // height of the largest size
  REN_MAX_WIDTH = 77,    // its widest character
};

typedef struct {
  char code;                       // the character
  unsigned char width[REN_NSIZE];  // how far the next one is, in pixels of each size; part of the public interface
  const char* strokes;             // how it is drawn
} RenGlyph;

// Vertical measures of a size in pixels.
typedef struct {
  int height;    // of a line; part of the public interface
  int baseline;  // from the bottom of the line
  int small;     // height of small letters
  int capital;   // height of capitals
  int below;     // depth of descenders
  int pen;       // width of strokes
} RenFontSize;

extern const RenGlyph REN_GLYPHS[REN_NGLYPH];
extern const RenFontSize REN_SIZES[REN_NSIZE];

// A point of a stroke.
typedef struct {
  double x, y;
  int corner;  // passed by, not reached
} RenPoint;

enum { REN_MAX_POINT = 32 };  // points of a stroke

// The points of the stroke at text, which moves behind it; how many they are.
int ren_readStroke(const char** text, RenPoint point[REN_MAX_POINT]);
