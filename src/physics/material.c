// What a flex is made of, read back from the coefficients of the compiled model.
//
// The reference's energy of an element is ¼ eᵀKe = V (μ G:G + λ (tr G)²) with G the Green strain and e_k = 2 d_kᵀG d_k
// for its edges d_k; surfaces have a quarter of thickness · area for V. Two known strains give μ and λ.
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "physics/physics.h"
#include "model/flex_edge.h"

enum { STRETCH_STRIDE = 21, BEND_STRIDE = 17 };

void phy_restVertex(const mjModel* m, int flex, int vertex, mjtNum x[3]) {
  const mjtNum *v = m->flex_vert0 + 3 * (m->flex_vertadr[flex] + vertex), *half = m->flex_size + 3 * flex;
  for (int k = 0; k < 3; k++) x[k] = 2 * half[k] * v[k];
}

// vertices of an element at rest; those of a triangle in its own plane
static void restElement(const mjModel* m, int flex, int elem, mjtNum x[4][3]) {
  const int dim = m->flex_dim[flex], *vert = m->flex_elem + m->flex_elemdataadr[flex] + (dim + 1) * elem;
  for (int i = 0; i <= dim; i++) phy_restVertex(m, flex, vert[i], x[i]);
  if (dim == 3) return;
  mjtNum a[3], b[3], n[3];
  mth_sub3(a, x[1], x[0]);
  mth_sub3(b, x[2], x[0]);
  mth_cross3(n, a, b);
  const mjtNum length = mth_norm3(a), area2 = mth_norm3(n);
  mth_zero3(x[0]);
  mth_set3(x[1], length, 0, 0);
  mth_set3(x[2], mth_dot3(a, b) / mth_max(mjMINVAL, length), area2 / mth_max(mjMINVAL, length), 0);
}

static mjtNum volumeOf(int dim, mjtNum x[4][3]) {
  mjtNum a[3], b[3], c[3], n[3];
  mth_sub3(a, x[1], x[0]);
  mth_sub3(b, x[2], x[0]);
  mth_cross3(n, a, b);
  if (dim == 2) return mth_norm3(n) / 2;
  mth_sub3(c, x[3], x[0]);
  return fabs(mth_dot3(n, c)) / 6;
}

int phy_flatElement(const mjModel* m, int flex) {
  const int dim = m->flex_dim[flex];
  if (dim == 1) return -1;
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    mjtNum x[4][3] = {{0}}, side[3], longest = 0;
    restElement(m, flex, e, x);
    for (int i = 1; i <= dim; i++) {
      mth_sub3(side, x[i], x[0]);
      longest = mth_max(longest, mth_norm3(side));
    }

    // flatter than this, the inverse of its shape is rounding
    const mjtNum scale = dim == 2 ? longest * longest : longest * longest * longest;
    if (!(volumeOf(dim, x) > 1e-10 * scale)) return e;
  }
  return -1;
}

// energy of an element under a diagonal Green strain
static mjtNum strainEnergy(const mjtNum* packed, int dim, mjtNum x[4][3], const mjtNum G[3]) {
  const int n = dim == 2 ? 3 : 6;
  mjtNum e[6], energy = 0;
  for (int k = 0; k < n; k++) {
    const int* edge = mdl_flexEdge[dim - 1][k];
    mjtNum d[3];
    mth_sub3(d, x[edge[0]], x[edge[1]]);
    e[k] = 2 * (G[0] * d[0] * d[0] + G[1] * d[1] * d[1] + G[2] * d[2] * d[2]);
  }
  for (int i = 0; i < n; i++) {
    energy += *packed++ * e[i] * e[i];
    for (int j = i + 1; j < n; j++) energy += 2 * *packed++ * e[i] * e[j];
  }
  return energy / 4;
}

// μ·thickness³ of a surface from the bending of its first interior edge that has some; 0: none
static mjtNum bendingModulus(const mjModel* m, int flex) {
  const int first = m->flex_edgeadr[flex];
  for (int e = first; e < first + m->flex_edgenum[flex]; e++) {
    const int *edge = m->flex_edge + 2 * e, *flap = m->flex_edgeflap + 2 * e;
    const mjtNum own = m->flex_bending[BEND_STRIDE * e + 10];
    if (flap[1] < 0 || own == 0) continue;
    mjtNum x[4][3];
    const int vert[4] = {edge[0], edge[1], flap[0], flap[1]};
    for (int i = 0; i < 4; i++) phy_restVertex(m, flex, vert[i], x[i]);

    // (|e| / height)² 3μt³ / (24 area), times the cosine of the angle at rest
    mjtNum tip[2][3], side[3], along[3];
    mth_sub3(along, x[1], x[0]);
    const mjtNum length = mth_normalize3(along);
    for (int i = 0; i < 2; i++) {
      mth_sub3(side, x[2 + i], x[0]);
      mth_addScl3(tip[i], side, along, -mth_dot3(side, along));
    }
    const mjtNum h0 = mth_norm3(tip[0]), h1 = mth_norm3(tip[1]), area = length * (h0 + h1) / 2;
    const mjtNum cosine = -mth_dot3(tip[0], tip[1]) / (h0 * h1);
    return own * (h0 / length) * (h0 / length) * 24 * area / (3 * cosine);
  }
  return 0;
}

int phy_material(const mjModel* m, int flex, PhyMaterial* material) {
  const int dim = m->flex_dim[flex];
  if (dim == 1 || m->flex_interp[flex] || m->flex_rigid[flex]) return 0;
  mjtNum x[4][3];
  const mjtNum* packed = m->flex_stiffness + STRETCH_STRIDE * m->flex_elemadr[flex];
  restElement(m, flex, 0, x);
  const mjtNum volume = volumeOf(dim, x) * (dim == 2 ? 0.25 : 1);
  const mjtNum shear = strainEnergy(packed, dim, x, (const mjtNum[3]){1, -1, 0}) / volume;
  const mjtNum swell = strainEnergy(packed, dim, x, (const mjtNum[3]){1, 1, dim == 3}) / volume;
  const mjtNum mu = shear / 2, lambda = (swell - dim * mu) / (dim * dim);
  const mjtNum bend = dim == 2 ? bendingModulus(m, flex) : 0;

  // of surfaces both moduli are times the thickness
  mjtNum thickness = 1;
  if (dim == 2) thickness = mu > 0 && bend > 0 ? sqrt(bend / mu) : 2 * m->flex_radius[flex];
  if (mu > 0) {
    const mjtNum poisson = mth_clip(lambda / (2 * (lambda + mu)), 0, 0.5);
    *material = (PhyMaterial){2 * mu * (1 + poisson) / (dim == 2 ? thickness : 1), poisson, thickness};
    return 1;
  }
  *material = (PhyMaterial){2 * bend / (thickness * thickness * thickness), 0, thickness};
  return bend > 0;
}

// flexural stiffness that the reference gives a surface: μ t³ / 24
static mjtNum flexural(const PhyMaterial* s) {
  return s ? s->young / (2 * (1 + s->poisson)) * s->thickness * s->thickness * s->thickness / 24 : NAN;
}

void phy_fillParams(const snInfo* info, const PhyMaterial* material, mjtNum* param) {
  const struct {
    const char* name;
    mjtNum value;
  } known[] = {
      {"bend_stiffness", flexural(material)                  },
      {"young",          material ? material->young : NAN    },
      {"poisson",        material ? material->poisson : NAN  },
      {"thickness",      material ? material->thickness : NAN},
  };
  const int nknown = sizeof(known) / sizeof(known[0]);
  for (int i = 0; i < info->nparam; i++) {
    param[i] = info->param[i].value;
    for (int k = 0; isnan(param[i]) && k < nknown; k++) {
      if (!strcmp(info->param[i].name, known[k].name)) param[i] = known[k].value;
    }
  }
}
