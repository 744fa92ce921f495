// The skin of a cable of boxes: a closed sheet of two sides, bound to the links.
//
// Without subgrid the sheet has two vertices per cable vertex and side, each bound to one bone. With a subgrid it has
// three columns of bones and, between them, further vertices that follow a bicubic patch: value and slopes at the four
// corners give the patch, slopes are differences of neighbours (one-sided at the border). All of it is linear in the
// sixteen bones around a patch, so the weights of a vertex are one row of  P W D:
//   P  powers of x and y at the vertices of a patch     (vertices × 16)
//   W  polynomial coefficients from corner data         (16 × 16)
//   D  corner data from the sixteen bones               (16 × 16, one per kind of border)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/composite.h"
#include "spec/names.h"

const char* spc_cableName(const SpcCable* cable, char what, int i, char name[SPC_CABLE_NAME]) {
  if (i == 0) {
    snprintf(name, SPC_CABLE_NAME, "%.80s%c_first", cable->prefix, what);
  } else if (i >= cable->count - 2) {
    snprintf(name, SPC_CABLE_NAME, "%.80s%c_last", cable->prefix, what);
  } else {
    snprintf(name, SPC_CABLE_NAME, "%.80s%c_%d", cable->prefix, what, i);
  }
  return name;
}

// -------------------------------------------------------------------------------------------- sheet

// columns run along the cable, rows across it
typedef struct {
  int columns, rows;
} Sheet;

static void addTriangle(mjsSkin* skin, int a, int b, int c) {
  const int face[3] = {a, b, c};
  spc_vecAppend(skin->face, face, 3, sizeof(int));
}

// the strip between the two sides along one border; vertices step apart, reversed on the opposite border
static void closeBorder(mjsSkin* skin, Sheet s, int start, int step, int reversed) {
  const int back = s.columns * s.rows;
  const int count = step == 1 ? s.rows : s.columns;
  for (int i = 0; i < count - 1; i++) {
    const int here = start + i * step, next = here + step;
    if (reversed) {
      addTriangle(skin, here, back + next, next);
      addTriangle(skin, here, back + here, back + next);
    } else {
      addTriangle(skin, here, next, back + next);
      addTriangle(skin, here, back + next, back + here);
    }
  }
}

// vertices at the origin: bones put them in place
static void addSheet(mjsSkin* skin, Sheet s, int texcoord) {
  for (int side = 0; side < 2; side++) {
    const int front = side == 0, back = side == 1;
    for (int x = 0; x < s.columns; x++) {
      for (int y = 0; y < s.rows; y++) {
        spc_vecAppend(skin->vert, NULL, 3, sizeof(float));
        const float place[2] = {(float)x / (float)(s.columns - 1), (float)y / (float)(s.rows - 1)};
        if (texcoord) spc_vecAppend(skin->texcoord, place, 2, sizeof(float));
        if (x == s.columns - 1 || y == s.rows - 1) continue;
        const int base = side * s.columns * s.rows, corner = base + x * s.rows + y;
        addTriangle(skin, corner, base + (x + 1) * s.rows + y + back, base + (x + 1) * s.rows + y + front);
        addTriangle(skin, corner, base + (x + front) * s.rows + y + 1, base + (x + back) * s.rows + y + 1);
      }
    }
  }
  closeBorder(skin, s, 0, s.rows, 1);
  closeBorder(skin, s, s.rows - 1, s.rows, 0);
  closeBorder(skin, s, 0, 1, 0);
  closeBorder(skin, s, (s.columns - 1) * s.rows, 1, 1);
}

// -------------------------------------------------------------------------------------------- bones

// one bone per cable vertex and row; the last column hangs at the far end of the last link
static void addBones(mjsSkin* skin, const SpcCable* cable, int rows) {
  for (int x = 0; x < cable->count; x++) {
    for (int y = 0; y < rows; y++) {
      char name[SPC_CABLE_NAME];
      spc_textsAppend(skin->bodyname, spc_cableName(cable, 'B', x, name));
      const double across = y == 0 ? -cable->box[1] : y == rows - 1 ? cable->box[1] : 0;
      const float pos[3] = {x == cable->count - 1 ? (float)(-2 * cable->box[0]) : 0, (float)across, 0};
      const float quat[4] = {1, 0, 0, 0};
      spc_vecAppend(skin->bindpos, pos, 3, sizeof(float));
      spc_vecAppend(skin->bindquat, quat, 4, sizeof(float));
      spc_vecsAppend(skin->vertid, NULL, 0, sizeof(int));
      spc_vecsAppend(skin->vertweight, NULL, 0, sizeof(float));
    }
  }
}

// a vertex and the one on the other side
static void bind(mjsSkin* skin, int bone, int vertex, int back, float weight) {
  const int id[2] = {vertex, vertex + back};
  const float both[2] = {weight, weight};
  spc_vecAppend((SpcVec*)(void*)((SpcVec*)skin->vertid)->begin + bone, id, 2, sizeof(int));
  spc_vecAppend((SpcVec*)(void*)((SpcVec*)skin->vertweight)->begin + bone, both, 2, sizeof(float));
}

// -------------------------------------------------------------------------------------------- bicubic weights

// In one direction: corner data are the values at 0 and 1, then the slopes there.
// a cubic's coefficients from corner data
static const double hermite[4][4] = {
    {1,  0,  0,  0 },
    {0,  0,  1,  0 },
    {-3, 3,  -2, -1},
    {2,  -2, 1,  1 }
};
// corner data from the points at -1, 0, 1, 2, for a patch at the low border, inside and at the high border
static const double stencil[3][4][4] = {
    {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, -1, 1, 0},     {0, -0.5, 0, 0.5}},
    {{0, 1, 0, 0}, {0, 0, 1, 0}, {-0.5, 0, 0.5, 0}, {0, -0.5, 0, 0.5}},
    {{0, 1, 0, 0}, {0, 0, 1, 0}, {-0.5, 0, 0.5, 0}, {0, -1, 1, 0}    }
};

// Entry k of the sixteen corner data: value, x slope, y slope and twist, each at the corners (0,0), (1,0), (1,1),
// (0,1). Returns which entry it is in one direction.
static int cornerEntry(int k, int direction) {
  const int corner = k % 4, derivative = k / 4;
  const int at = direction == 0 ? corner == 1 || corner == 2 : corner >= 2;
  return at + (derivative >> direction & 1 ? 2 : 0);
}

// a product of matrices with 16 columns and inner size 16. Terms are added in order, zeros left out: which weights
// cancel to exactly zero decides which vertices a bone has
static void multiply(double* out, const double* left, const double* right, int rows) {
  memset(out, 0, (size_t)rows * 16 * sizeof(double));
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < 16; k++) {
      const double scale = left[16 * i + k];
      for (int j = 0; j < 16 && scale != 0; j++) out[16 * i + j] += scale * right[16 * k + j];
    }
  }
}

// P W for the vertices of a patch, n + 1 in each direction
static void makePowers(double* out, int n, double* scratch) {
  double coefficients[16 * 16];
  for (int i = 0; i < 16; i++) {
    for (int k = 0; k < 16; k++) {
      coefficients[16 * i + k] = hermite[i / 4][cornerEntry(k, 0)] * hermite[i % 4][cornerEntry(k, 1)];
    }
  }
  const double step = 1.0 / n;
  double* row = scratch;
  for (int sx = 0; sx <= n; sx++) {
    for (int sy = 0; sy <= n; sy++) {
      double powerX = 1;
      for (int i = 0; i < 4; i++, powerX *= sx * step) {
        double power = powerX;
        for (int j = 0; j < 4; j++, power *= sy * step) row[4 * i + j] = power;
      }
      row += 16;
    }
  }
  multiply(out, scratch, coefficients, (n + 1) * (n + 1));
}

// weights of the patch's vertices for a kind of border in each direction
static void makeWeights(double* out, const double* powers, int n, int borderX, int borderY) {
  double data[16 * 16];
  for (int k = 0; k < 16; k++) {
    for (int bone = 0; bone < 16; bone++) {
      data[16 * k + bone] =
          stencil[borderX][cornerEntry(k, 0)][bone / 4] * stencil[borderY][cornerEntry(k, 1)][bone % 4];
    }
  }
  multiply(out, powers, data, (n + 1) * (n + 1));
}

static int borderOf(int i, int count) {
  return i == 0 ? 0 : i == count - 2 ? 2 : 1;
}

// binds the vertices of one patch; the patches at the high borders own the last ones
static void bindPatch(mjsSkin* skin, const SpcCable* cable, int x, int y, const double* weights) {
  enum { ROWS = 3 };
  const int n = 1 + cable->subgrid;
  const Sheet s = {1 + (cable->count - 1) * n, 1 + (ROWS - 1) * n};
  for (int dx = 0; dx < n + (x == cable->count - 2); dx++) {
    for (int dy = 0; dy < n + (y == ROWS - 2); dy++) {
      const int vertex = (x * n + dx) * s.rows + y * n + dy;
      const double* weight = weights + 16 * (dx * (n + 1) + dy);
      for (int k = 0; k < 16; k++) {
        const int bone = (x + k / 4 - 1) * ROWS + y + k % 4 - 1;
        if (weight[k] != 0) bind(skin, bone, vertex, s.columns * s.rows, (float)weight[k]);
      }
    }
  }
}

static void addFineSkin(mjsSkin* skin, const SpcCable* cable) {
  const int n = 1 + cable->subgrid;
  const size_t entries = 16 * (size_t)(n + 1) * (size_t)(n + 1);
  double* memory = malloc(3 * entries * sizeof(double));
  if (!memory) mju_error("out of memory: skin of a composite");
  double *powers = memory, *weights = memory + entries, *scratch = memory + 2 * entries;

  addSheet(skin, (Sheet){1 + (cable->count - 1) * n, 1 + 2 * n}, cable->texcoord);
  addBones(skin, cable, 3);
  makePowers(powers, n, scratch);
  for (int x = 0; x < cable->count - 1; x++) {
    for (int y = 0; y < 2; y++) {
      makeWeights(weights, powers, n, borderOf(x, cable->count), borderOf(y, 3));
      bindPatch(skin, cable, x, y, weights);
    }
  }
  free(memory);
}

void spc_cableSkin(SpcModel* model, const SpcCable* cable) {
  mjsSkin* skin = mjs_addSkin(&model->spec);
  char name[SPC_CABLE_NAME];
  snprintf(name, sizeof(name), "%.80sSkin", cable->prefix);
  spc_rename(spc_head(skin->element), name);
  spc_textSet(skin->material, cable->material);
  memcpy(skin->rgba, cable->rgba, sizeof(skin->rgba));
  skin->inflate = (float)(2 * cable->box[2]);
  skin->group = cable->group;
  if (cable->subgrid > 0) {
    addFineSkin(skin, cable);
    return;
  }

  // every vertex on a bone of its own
  const Sheet s = {cable->count, 2};
  addSheet(skin, s, cable->texcoord);
  addBones(skin, cable, 2);
  for (int i = 0; i < s.columns * s.rows; i++) bind(skin, i, i, s.columns * s.rows, 1);
}
