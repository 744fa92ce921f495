// Cutting closed surfaces by planes. Sums over the pieces and their caps are exact, whatever the outline of a cap: its
// edges come with the direction in which they go around it, and a fan over directed edges has the outline's area.
#include "asset/soup.h"

#include <stdlib.h>
#include <string.h>

#include "math/vec.h"

int ast_soupAdd(AstSoup* soup, const double a[3], const double b[3], const double c[3]) {
  if (soup->n == soup->room) {
    const int room = soup->room ? 2 * soup->room : 64;
    double* const at = realloc(soup->at, sizeof(double) * 9 * (size_t)room);
    if (!at) return 0;
    soup->at = at;
    soup->room = room;
  }
  double* const t = soup->at + 9 * (size_t)soup->n++;
  mth_copy3(t, a);
  mth_copy3(t + 3, b);
  mth_copy3(t + 6, c);
  return 1;
}

void ast_freeSoup(AstSoup* soup) {
  free(soup->at);
  *soup = (AstSoup){0};
}

void ast_freeSolid(AstSolid* solid) {
  ast_freeSoup(&solid->surface);
  ast_freeSoup(&solid->cap);
}

// where an edge meets the plane; the same bits from both of its triangles
static void meet(double res[3], const double* low, const double* high, int axis, double at) {
  const double a = low[axis] - at, b = high[axis] - at, part = a / (a - b);
  for (int k = 0; k < 3; k++) res[k] = low[k] + part * (high[k] - low[k]);
  res[axis] = at;
}

// one triangle to the sides of the plane that it is on, and its cut to their caps; 0: no memory
static int cutTriangle(const double* t, int axis, double at, AstSoup* const side[2], AstSoup* const cap[2],
                       const double hub[3]) {
  int high[3], n = 0;
  for (int k = 0; k < 3; k++) n += high[k] = t[3 * k + axis] >= at;
  if (n == 0 || n == 3) return ast_soupAdd(side[n > 0], t, t + 3, t + 6);

  // the corner that is alone, and the two cuts of its edges
  const int odd = n == 1, alone = high[0] == odd ? 0 : high[1] == odd ? 1 : 2;
  const double *a = t + 3 * alone, *b = t + 3 * ((alone + 1) % 3), *c = t + 3 * ((alone + 2) % 3);
  double p[3], q[3];
  meet(p, odd ? b : a, odd ? a : b, axis, at);
  meet(q, odd ? c : a, odd ? a : c, axis, at);
  return ast_soupAdd(side[odd], a, p, q) && ast_soupAdd(side[!odd], p, b, c) && ast_soupAdd(side[!odd], p, c, q) &&
         ast_soupAdd(cap[odd], hub, q, p) && ast_soupAdd(cap[!odd], hub, p, q);
}

int ast_cutSolid(const AstSolid* solid, int axis, double at, const double centre[3], AstSolid side[2]) {
  double hub[3];
  mth_copy3(hub, centre);
  hub[axis] = at;
  side[0] = side[1] = (AstSolid){0};
  AstSoup* const cap[2] = {&side[0].cap, &side[1].cap};
  AstSoup* const surface[2] = {&side[0].surface, &side[1].surface};
  int good = 1;
  for (int i = 0; i < solid->surface.n && good; i++) {
    good = cutTriangle(solid->surface.at + 9 * (size_t)i, axis, at, surface, cap, hub);
  }
  AstSoup* const onto[2] = {&side[0].cap, &side[1].cap};
  for (int i = 0; i < solid->cap.n && good; i++) {
    good = cutTriangle(solid->cap.at + 9 * (size_t)i, axis, at, onto, cap, hub);
  }
  if (good) return 1;
  for (int k = 0; k < 2; k++) ast_freeSolid(side + k);
  return 0;
}

static double soupVolume(const AstSoup* soup, const double centre[3]) {
  double sum = 0;
  for (int i = 0; i < soup->n; i++) {
    const double* t = soup->at + 9 * (size_t)i;
    double a[3], b[3], c[3], n[3];
    mth_sub3(a, t, centre);
    mth_sub3(b, t + 3, centre);
    mth_sub3(c, t + 6, centre);
    mth_cross3(n, b, c);
    sum += mth_dot3(a, n);
  }
  return sum / 6;
}

double ast_solidVolume(const AstSolid* solid, const double centre[3]) {
  return soupVolume(&solid->surface, centre) + soupVolume(&solid->cap, centre);
}
