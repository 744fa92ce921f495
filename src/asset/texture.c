// Textures: built-in patterns, PNG, KTX and custom files, cubes from one picture, a grid or six pictures.
//
// A cube or sky box is six square pictures below each other: right, left, up, down, front, back; a height equal to the
// width says that one picture serves all sides.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/asset.h"
#include "asset/image.h"
#include "asset/random.h"
#include "math/elem.h"

enum { SIDES = 6, COLOUR = 3 };

// text of an error, 0 for the convenience of callers
#define FAIL(texture, ...) (snprintf((texture)->error, AST_MESSAGE, __VA_ARGS__), 0)

// 32 GiB: more than graphics cards take, which is 32768 pixels squared in four channels on six sides. Larger ones are
// typing errors that would fill the memory.
// Where addresses have 32 bits, half of what they reach.
static const uint64_t MOST_BYTES = SIZE_MAX / 2 < (uint64_t)1 << 35 ? SIZE_MAX / 2 : (uint64_t)1 << 35;

static int allocate(AstTexture* texture) {
  const uint64_t pixels = (uint64_t)texture->width * (uint64_t)texture->height;
  if (pixels > MOST_BYTES / (uint64_t)texture->nchannel) {
    return FAIL(texture, "texture is too large: %llu pixels of %d bytes", (unsigned long long)pixels,
                texture->nchannel);
  }
  const size_t bytes = (size_t)pixels * (size_t)texture->nchannel;
  texture->data = calloc(1, bytes);
  return texture->data ? 1 : FAIL(texture, "out of memory: %zu bytes", bytes);
}

//---------------------------------- built-in patterns ----------------------------------

typedef struct {
  unsigned char channel[COLOUR];
} Colour;

// the low byte: colours beyond 1 wrap around
static unsigned char toByte(double value) {
  const double most = 1e15;
  return (unsigned char)(long long)(value >= -most && value <= most ? value : 0);
}

static Colour toColour(const double rgb[3]) {
  return (Colour){
      {toByte(255 * rgb[0]), toByte(255 * rgb[1]), toByte(255 * rgb[2])}
  };
}

// one square or rectangular picture inside a texture
typedef struct {
  unsigned char* data;
  int width, height;
} Side;

static void setPixel(const Side* side, int row, int column, Colour colour) {
  memcpy(side->data + COLOUR * ((size_t)row * (size_t)side->width + (size_t)column), colour.channel, COLOUR);
}

// a row of one colour from column first to before column end
static void fillRow(const Side* side, int row, int first, int end, Colour colour) {
  for (int c = first; c < end; c++) setPixel(side, row, c, colour);
}

// rows first + 1 to before end become copies of row first
static void repeatRow(const Side* side, int first, int end) {
  const size_t bytes = COLOUR * (size_t)side->width;
  for (int r = first + 1; r < end; r++) {
    memcpy(side->data + bytes * (size_t)r, side->data + bytes * (size_t)first, bytes);
  }
}

static void fill(const Side* side, Colour colour) {
  fillRow(side, 0, 0, side->width, colour);
  repeatRow(side, 0, side->height);
}

// two by two squares
static void checker(const Side* side, Colour first, Colour second) {
  const int column = side->width / 2, row = side->height / 2;
  if (row) {
    fillRow(side, 0, 0, column, first);
    fillRow(side, 0, column, side->width, second);
    repeatRow(side, 0, row);
  }
  fillRow(side, row, 0, column, second);
  fillRow(side, row, column, side->width, first);
  repeatRow(side, row, side->height);
}

static void drawMark(const Side* side, int mark, Colour colour) {
  if (mark != mjMARK_EDGE && mark != mjMARK_CROSS) return;
  const int w = side->width, h = side->height;
  const int columns[2] = {mark == mjMARK_EDGE ? 0 : w / 2, mark == mjMARK_EDGE ? w - 1 : w / 2};
  const int rows[2] = {mark == mjMARK_EDGE ? 0 : h / 2, mark == mjMARK_EDGE ? h - 1 : h / 2};
  for (int k = 0; k < 2; k++) {
    for (int r = 0; r < h; r++) setPixel(side, r, columns[k], colour);
    fillRow(side, rows[k], 0, w, colour);
  }
}

static void drawDots(const Side* side, Colour colour, double probability) {
  AstRandom random;
  ast_randomSeed(&random, 42);
  for (int r = 0; r < side->height; r++) {
    for (int c = 0; c < side->width; c++) {
      if (ast_randomUniform(&random) < probability) setPixel(side, r, c, colour);
    }
  }
}

//---------------------------------- gradients ----------------------------------

// from rgb2 at -1 to rgb1 at +1, through a sigmoid
static void mix(const double rgb1[3], const double rgb2[3], double position, double mixed[3]) {
  const double correction = 1.0 / sqrt(2);
  const double weight = 0.5 * (1 + position / sqrt(1 + position * position) / correction);
  const double a = weight < 0 ? 0 : weight > 1 ? 1 : weight;
  for (int k = 0; k < 3; k++) mixed[k] = a * rgb1[k] + (1 - a) * rgb2[k];
}

static Colour blend(const double rgb1[3], const double rgb2[3], double position) {
  double mixed[3];
  mix(rgb1, rgb2, position, mixed);
  return toColour(mixed);
}

// place of pixel i of n between -1 and 1; a single one is in the middle
static double between(int i, int n) {
  return n > 1 ? 2.0 * i / (n - 1) - 1 : 0;
}

// rings around the middle
static void flatGradient(const Side* side, const AstTextureSource* source) {
  for (int r = 0; r < side->height; r++) {
    for (int c = 0; c < side->width; c++) {
      const double x = between(c, side->width), y = -between(r, side->height);
      setPixel(side, r, c, blend(source->rgb2, source->rgb1, 2 * sqrt(x * x + y * y) - 1));
    }
  }
}

// The colour of a sky by the sine of its elevation, in steps: most of them have one colour from end to end. Inside of
// the others it lies on a line between the ends, but for the curve's bend; where a channel is so close to changing that
// the bend or rounding decides, the pixel is computed by itself.
typedef struct {
  Colour colour;
  unsigned char changes;  // 1: the colour may be another one farther on
} Step;

enum { MAXSTEPS = 8192, STEPS_PER_PIXEL = 16 };

typedef struct {
  const double *rgb1, *rgb2;
  int n;        // steps from sine -1 to 1
  double bend;  // distance from the line, in units of a channel, for sines up to STEEP
  Step step[MAXSTEPS];
  double end[MAXSTEPS + 1][3];  // channels between the steps, 0 to 255
} Sky;

static const double STEEP = 0.9;      // beyond this sine the curve may bend at will
static const double CURVATURE = 6.2;  // of the weight of a colour by sine, up to there
static const double ROUNDING = 1e-6;  // of a channel: far above rounding, far below what makes many pixels uncertain

static void makeSky(Sky* sky, const AstTextureSource* source) {
  sky->rgb1 = source->rgb1;
  sky->rgb2 = source->rgb2;
  sky->n = source->width < MAXSTEPS / STEPS_PER_PIXEL ? STEPS_PER_PIXEL * source->width : MAXSTEPS;
  double change = 0;
  for (int k = 0; k < 3; k++) change = fmax(change, 255 * fabs(sky->rgb1[k] - sky->rgb2[k]));
  sky->bend = CURVATURE * change / 8 * (2.0 / sky->n) * (2.0 / sky->n);

  // channels at both ends of the steps; those of an elevation above and below the horizon have the same angle
  for (int i = 0; i <= sky->n / 2; i++) {
    const double angle = i ? mth_asin(-1 + 2.0 * i / sky->n) / (0.5 * mjPI) : -1;
    mix(sky->rgb1, sky->rgb2, angle, sky->end[i]);
    mix(sky->rgb1, sky->rgb2, -angle, sky->end[sky->n - i]);
  }
  for (int i = 0; i <= sky->n; i++) {
    double* const end = sky->end[i];
    const Colour colour = toColour(end);
    for (int k = 0; k < 3; k++) end[k] *= 255;
    if (i < sky->n) sky->step[i] = (Step){colour, 0};
    for (int k = 0; i && k < 3; k++) {
      const double other = sky->end[i - 1][k], low = end[k] < other ? end[k] : other;
      const double high = end[k] < other ? other : end[k];
      sky->step[i - 1].changes |= floor(low - ROUNDING) != floor(high + ROUNDING);
    }
  }
}

// the colour inside of a step in which it changes; 0: too close to a change
static int colourInside(const Sky* sky, double sine, double place, int i, Colour* colour) {
  if (fabs(sine) > STEEP) return 0;
  double line[3];
  const double margin = sky->bend + ROUNDING;
  for (int k = 0; k < 3; k++) {
    const double from = sky->end[i][k], to = sky->end[i + 1][k];
    line[k] = from + (place - i) * (to - from);
    if (floor(line[k] - margin) != floor(line[k] + margin)) return 0;
  }
  for (int k = 0; k < 3; k++) colour->channel[k] = toByte(line[k]);
  return 1;
}

// the sides that are drawn: the first of the four around stands for all
enum { AROUND, UP, DOWN, DRAWN };

// one pixel by the formula itself
static void putExact(const Sky* sky, const Side* side, int which, int row, int c) {
  const double x = between(c, side->width), y = -between(row, side->width), distance = sqrt((1 + x * x) + y * y);
  double height;
  if (which == AROUND) {
    height = mth_asin(y / distance) / (0.5 * mjPI);
  } else {
    height = 1 - mth_acos(1.0 / distance) / (0.5 * mjPI);
    if (which == DOWN) height = -height;
  }
  setPixel(side, row, c, blend(sky->rgb1, sky->rgb2, height));
}

// rows at the same distance from the middle, of all sides: room for what their pixels share, for half a row each
typedef struct {
  double* ahead;   // 1 + x * x
  double* sine;    // of the elevation, around
  double* cosine;  // of the angle from straight up
  int* doubt;      // columns of pixels that rounding decides
} Rows;

// The left half of a row by the sines of its elevations, times a sign, and its mirror image on the right. Returns how
// many pixels are in doubt: those are not drawn.
static int mirroredRow(const Sky* sky, const Side* side, int row, const double* sine, double sign, int* doubt) {
  const int width = side->width;
  unsigned char* const line = side->data + COLOUR * (size_t)row * (size_t)width;
  const double half = 0.5 * sky->n;
  int n = 0;
  for (int c = 0; c < width - width / 2; c++) {
    const double place = (sign * sine[c] + 1) * half;
    const int i = place < sky->n ? (int)place : sky->n - 1;
    Colour colour = sky->step[i].colour;
    if (sky->step[i].changes && !colourInside(sky, sine[c], place, i, &colour)) doubt[n++] = c;
    memcpy(line + COLOUR * (size_t)c, colour.channel, COLOUR);
  }
  for (int c = 0; c < width / 2; c++) {
    memcpy(line + COLOUR * (size_t)(width - 1 - c), line + COLOUR * (size_t)c, COLOUR);
  }
  return n;
}

// draws the pixels in doubt and their mirror images
static void putDoubtful(const Sky* sky, const Side* side, int which, int row, const int* doubt, int n) {
  for (int i = 0; i < n; i++) {
    putExact(sky, side, which, row, doubt[i]);
    putExact(sky, side, which, row, side->width - 1 - doubt[i]);
  }
}

// two rows of all sides: around they are above and below the horizon; on top and bottom they are the same
static void skyRows(const Sky* sky, const Side* const side[DRAWN], int r, const Rows* rows) {
  const int width = side[AROUND]->width;
  const int row[2] = {r, width - 1 - r};
  const double y = -between(r, width);
  for (int c = 0; c < width - width / 2; c++) {
    rows->cosine[c] = 1.0 / sqrt(rows->ahead[c] + y * y);
    rows->sine[c] = y * rows->cosine[c];
  }
  for (int k = 0; k < 2; k++) {
    const int n = mirroredRow(sky, side[AROUND], row[k], rows->sine, k ? -1 : 1, rows->doubt);
    putDoubtful(sky, side[AROUND], AROUND, row[k], rows->doubt, n);
  }
  for (int which = UP; which <= DOWN; which++) {
    const int n = mirroredRow(sky, side[which], row[0], rows->cosine, which == UP ? 1 : -1, rows->doubt);
    if (row[1] != row[0]) {
      const size_t bytes = COLOUR * (size_t)width;
      memcpy(side[which]->data + bytes * (size_t)row[1], side[which]->data + bytes * (size_t)row[0], bytes);
    }
    for (int k = 0; k < 2; k++) putDoubtful(sky, side[which], which, row[k], rows->doubt, n);
  }
}

// by elevation above the horizon, from the middle of the cube; 0: no memory
static int cubeGradient(const Side side[SIDES], const AstTextureSource* source) {
  static const int above = 2, below = 3;
  const int width = side[0].width;
  Sky* const sky = calloc(1, sizeof(Sky));
  double* const numbers = calloc((size_t)width, 3 * sizeof(double) + sizeof(int));
  const int good = sky && numbers;
  if (good) {
    makeSky(sky, source);
    const Rows rows = {numbers, numbers + width, numbers + 2 * width, (int*)(numbers + 3 * width)};
    for (int c = 0; c < width; c++) {
      const double x = between(c, width);
      rows.ahead[c] = 1 + x * x;
    }
    const Side* const drawn[DRAWN] = {&side[0], &side[above], &side[below]};
    for (int r = 0; r < width - width / 2; r++) skyRows(sky, drawn, r, &rows);
    for (int k = 1; k < SIDES; k++) {
      if (k != above && k != below) memcpy(side[k].data, side[0].data, COLOUR * (size_t)width * (size_t)width);
    }
  }
  free(sky);
  free(numbers);
  return good;
}

static void drawFlat(AstTexture* texture, const AstTextureSource* source) {
  const Side side = {texture->data, texture->width, texture->height};
  const Colour first = toColour(source->rgb1), second = toColour(source->rgb2);
  if (source->builtin == mjBUILTIN_GRADIENT) flatGradient(&side, source);
  if (source->builtin == mjBUILTIN_CHECKER) checker(&side, first, second);
  if (source->builtin == mjBUILTIN_FLAT) fill(&side, first);
  drawMark(&side, source->mark, toColour(source->markrgb));
}

static int drawCube(AstTexture* texture, const AstTextureSource* source) {
  const int width = texture->width;
  const Colour first = toColour(source->rgb1), second = toColour(source->rgb2);
  Side side[SIDES];
  for (int k = 0; k < SIDES; k++) {
    side[k] = (Side){texture->data + (size_t)k * COLOUR * (size_t)width * (size_t)width, width, width};
    if (source->builtin == mjBUILTIN_CHECKER) checker(&side[k], k < 4 ? first : second, k < 4 ? second : first);
    if (source->builtin == mjBUILTIN_FLAT) fill(&side[k], k == 3 ? second : first);
  }
  if (source->builtin == mjBUILTIN_GRADIENT && !cubeGradient(side, source)) return FAIL(texture, "out of memory");
  for (int k = 0; k < SIDES; k++) drawMark(&side[k], source->mark, toColour(source->markrgb));
  return 1;
}

static int makeBuiltin(AstTexture* texture, const AstTextureSource* source) {
  if (source->width < 1) return FAIL(texture, "Invalid width of builtin texture");
  if (source->type == mjTEXTURE_2D && source->height < 1) return FAIL(texture, "Invalid height of builtin texture");
  if (source->type != mjTEXTURE_2D && source->width > INT_MAX / SIDES) {
    return FAIL(texture, "texture is too large: six sides of %d pixels squared", source->width);
  }
  // patterns are packed colours at the front, whatever else there is room for
  if (texture->nchannel < COLOUR) texture->nchannel = COLOUR;
  texture->width = source->width;
  texture->height = source->type == mjTEXTURE_2D ? source->height : SIDES * source->width;
  if (!allocate(texture)) return 0;
  if (source->type == mjTEXTURE_2D) {
    drawFlat(texture, source);
  } else if (!drawCube(texture, source)) {
    return 0;
  }
  if (source->mark == mjMARK_RANDOM && source->random > 0) {
    const Side whole = {texture->data, texture->width, texture->height};
    drawDots(&whole, toColour(source->markrgb), source->random);
  }
  return 1;
}

//---------------------------------- files ----------------------------------

// two ints, width and height, then pixels of three colours; where more channels are asked for, zeros follow them
static int readCustom(AstTexture* texture, AstImage* image, const AstBytes* file, const char* name) {
  int size[2] = {0, 0};
  if (file->size >= sizeof(size)) memcpy(size, file->bytes, sizeof(size));
  if (size[0] < 1 || size[1] < 1) {
    return FAIL(texture,
                "Non-PNG texture, assuming custom binary file format,\nnon-positive texture dimensions in file '%s'",
                name);
  }
  const size_t bytes = COLOUR * (size_t)size[0] * (size_t)size[1];
  if (file->size != sizeof(size) + bytes) {
    return FAIL(texture, "Non-PNG texture, assuming custom binary file format,\nunexpected file size in file '%s'",
                name);
  }
  image->width = size[0];
  image->height = size[1];
  image->data =
      calloc((size_t)size[0] * (size_t)size[1], texture->nchannel > COLOUR ? (size_t)texture->nchannel : COLOUR);
  if (!image->data) return FAIL(texture, "out of memory: %zu bytes", bytes);
  memcpy(image->data, file->bytes + sizeof(size), bytes);
  return 1;
}

static void swapBytes(unsigned char* a, unsigned char* b, size_t count) {
  for (size_t k = 0; k < count; k++) {
    const unsigned char kept = a[k];
    a[k] = b[k];
    b[k] = kept;
  }
}

static void flip(AstImage* image, const AstTextureSource* source) {
  const size_t w = (size_t)image->width, h = (size_t)image->height, nchannel = (size_t)source->nchannel;
  const int horizontal = source->hflip, vertical = source->vflip;
  for (size_t r = 0; horizontal && r < h; r++) {
    unsigned char* row = image->data + r * w * nchannel;
    for (size_t c = 0; c < w / 2; c++) swapBytes(row + c * nchannel, row + (w - 1 - c) * nchannel, nchannel);
  }
  for (size_t r = 0; vertical && r < h / 2; r++) {
    swapBytes(image->data + r * w * nchannel, image->data + (h - 1 - r) * w * nchannel, w * nchannel);
  }
}

// compressed for the graphics card: kept as it is, one row of bytes
static int readKtx(AstTexture* texture, AstImage* image, const AstBytes* file, const AstTextureSource* source) {
  if (source->hflip || source->vflip) return FAIL(texture, "cannot flip KTX textures");
  image->width = (int)file->size;
  image->height = 1;
  image->data = calloc(file->size, (size_t)source->nchannel);
  if (!image->data) return FAIL(texture, "out of memory: %zu bytes", file->size);
  memcpy(image->data, file->bytes, file->size);
  return 1;
}

static int decodeImage(AstTexture* texture, AstImage* image, const AstBytes* file, const AstTextureSource* source) {
  const char* const name = file->resource->name;
  if (ast_isFormat(name, source->content_type, ".png", "image/png")) {
    if (source->nchannel == 2) return FAIL(texture, "Unsupported number of channels: %d", source->nchannel);
    char reason[200] = "";
    if (ast_readPng(image, file, source->nchannel, reason, sizeof(reason))) return 1;
    return FAIL(texture, "error decoding PNG file '%s': %s", name, reason);
  }
  char type[AST_TYPE];
  ast_contentType(source->content_type, type, sizeof(type));
  if (!strcmp(type, "image/ktx")) return readKtx(texture, image, file, source);
  return readCustom(texture, image, file, name);
}

// a given type that no decoder has is said even where the file is missing
static int checkType(AstTexture* texture, const AstTextureSource* source) {
  static const char* const known[] = {"", "image/png", "image/ktx", "image/vnd.mujoco.texture"};
  char type[AST_TYPE];
  ast_contentType(source->content_type, type, sizeof(type));
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (!strcmp(type, known[i])) return 1;
  }
  return FAIL(texture, "unsupported content type: '%s'", type);
}

// reads one picture and flips it as asked; free image->data
static int readImage(AstTexture* texture, AstImage* image, const AstTextureSource* source, const char* name) {
  *image = (AstImage){0};
  if (!checkType(texture, source)) return 0;
  AstBytes file;
  if (!ast_open(&file, source->directory, name, source->vfs, texture->error, AST_MESSAGE)) {
    return file.empty ? FAIL(texture, "texture file is empty: '%s'", name) : 0;
  }
  const int good = decodeImage(texture, image, &file, source);
  ast_close(&file);
  if (!good) return 0;
  flip(image, source);

  // the file may say which colour space it has
  if (texture->colorspace == mjCOLORSPACE_AUTO) {
    texture->colorspace = image->srgb ? mjCOLORSPACE_SRGB : mjCOLORSPACE_LINEAR;
  }
  return 1;
}

static int loadFlat(AstTexture* texture, const AstTextureSource* source) {
  AstImage image;
  if (!readImage(texture, &image, source, source->file)) return 0;
  texture->width = image.width;
  texture->height = image.height;
  texture->data = image.data;
  return 1;
}

// fills a side with the first colour
static void fillSide(AstTexture* texture, int k, const double rgb[3]) {
  const size_t pixels = (size_t)texture->width * (size_t)texture->width, n = (size_t)texture->nchannel;
  unsigned char* side = texture->data + (size_t)k * pixels * n;
  for (size_t i = 0; i < pixels; i++) {
    for (size_t c = 0; c < n; c++) side[i * n + c] = c < 3 ? toByte(255 * rgb[c]) : 255;
  }
}

// copies the squares of a grid to the sides that its letters name
static int copyGrid(AstTexture* texture, const AstTextureSource* source, const AstImage* image) {
  static const char letters[] = "RLUDFB";
  int loaded[SIDES] = {0};
  const size_t row = (size_t)texture->width * (size_t)texture->nchannel;
  for (int k = 0; k < source->gridsize[0] * source->gridsize[1]; k++) {
    const char symbol = source->gridlayout[k];
    const char* found = symbol ? strchr(letters, symbol) : NULL;
    if (!found && symbol != '.') return FAIL(texture, "gridlayout symbol is not among '.RLUDFB'");
    if (!found) continue;
    const size_t side = (size_t)(found - letters);
    const size_t top = (size_t)(k / source->gridsize[1]) * (size_t)texture->width;
    const size_t left = (size_t)(k % source->gridsize[1]) * row;
    for (size_t j = 0; j < (size_t)texture->width; j++) {
      memcpy(texture->data + (side * (size_t)texture->width + j) * row,
             image->data + (top + j) * (size_t)image->width * (size_t)texture->nchannel + left, row);
    }
    loaded[side] = 1;
  }
  for (int k = 0; k < SIDES; k++) {
    if (!loaded[k]) fillSide(texture, k, source->rgb1);
  }
  return 1;
}

static int loadCubeSingle(AstTexture* texture, const AstTextureSource* source) {
  const int rows = source->gridsize[0], columns = source->gridsize[1];
  if (rows < 1 || columns < 1 || rows * columns > 12) {
    return FAIL(texture, "gridsize must be non-zero and no more than 12 squares");
  }
  AstImage image;
  if (!readImage(texture, &image, source, source->file)) return 0;
  const int exact =
      image.width % columns == 0 && image.height % rows == 0 && image.width / columns == image.height / rows;
  int good = exact ? 1
                   : FAIL(texture, "PNG size must be integer multiple of gridsize in texture '%s' (id %d)",
                          source->file, source->id);
  if (good && rows == 1 && columns == 1) {
    // one picture for all sides
    texture->width = texture->height = image.width;
    texture->data = image.data;
    return 1;
  }
  if (good) {
    texture->width = image.width / columns;
    texture->height = SIDES * texture->width;
    good = allocate(texture) && copyGrid(texture, source, &image);
  }
  free(image.data);
  return good;
}

static int loadCubeSeparate(AstTexture* texture, const AstTextureSource* source) {
  int loaded[SIDES] = {0};
  for (int k = 0; k < SIDES; k++) {
    if (!*source->cubefile[k]) continue;
    AstImage image;
    if (!readImage(texture, &image, source, source->cubefile[k])) return 0;
    int good = image.width == image.height
                   ? 1
                   : FAIL(texture, "Non-square PNG file '%s' in cube or skybox id %d", source->cubefile[k], source->id);
    if (good && !texture->data) {
      texture->width = image.width;
      texture->height = SIDES * image.width;
      good = allocate(texture);
    }
    if (good && image.width != texture->width) {
      good =
          FAIL(texture, "PNG file '%s' has incompatible size in cube or skybox id %d", source->cubefile[k], source->id);
    }
    const size_t bytes = (size_t)texture->width * (size_t)texture->width * (size_t)texture->nchannel;
    if (good) memcpy(texture->data + (size_t)k * bytes, image.data, bytes);
    free(image.data);
    if (!good) return 0;
    loaded[k] = 1;
  }
  for (int k = 0; k < SIDES; k++) {
    if (!loaded[k]) fillSide(texture, k, source->rgb1);
  }
  return 1;
}

static int copyUser(AstTexture* texture, const AstTextureSource* source) {
  texture->width = source->width;
  texture->height = source->height;
  if (source->width < 1 || source->height < 1) return FAIL(texture, "Invalid width or height of texture data");
  const size_t bytes = (size_t)source->width * (size_t)source->height * (size_t)source->nchannel;
  if ((size_t)source->ndata != bytes) {
    return FAIL(texture, "texture has %d bytes of data, its width, height and nchannel need %zu", source->ndata, bytes);
  }
  if (!allocate(texture)) return 0;
  memcpy(texture->data, source->data, bytes);

  // as one picture, also where it holds the sides of a cube
  AstImage whole = {.data = texture->data, .width = texture->width, .height = texture->height};
  flip(&whole, source);
  return 1;
}

int ast_compileTexture(AstTexture* texture, const AstTextureSource* source) {
  *texture = (AstTexture){.nchannel = source->nchannel, .colorspace = source->colorspace};
  const int most = source->builtin == mjBUILTIN_NONE ? 4 : INT_MAX;
  if (source->nchannel < 1 || source->nchannel > most) return FAIL(texture, "nchannel must be between 1 and 4");
  int nfile = 0;
  for (int k = 0; k < SIDES; k++) nfile += *source->cubefile[k] != 0;
  if (source->data) return copyUser(texture, source);
  if (source->builtin != mjBUILTIN_NONE) return makeBuiltin(texture, source);
  if (*source->file) {
    return source->type == mjTEXTURE_2D ? loadFlat(texture, source) : loadCubeSingle(texture, source);
  }
  if (source->type == mjTEXTURE_2D) return FAIL(texture, "Cannot load 2D texture from separate files");
  if (!nfile) return FAIL(texture, "No cubefiles_ defined in cube or skybox texture");
  return loadCubeSeparate(texture, source);
}

void ast_freeTexture(AstTexture* texture) {
  free(texture->data);
  texture->data = NULL;
}
