// Statistics of the model at qpos0: centre and extent, mean size, mass and inertia; lengths that turn rotations into
// motion.
#include <math.h>

#include "compile/const.h"
#include "math/vec.h"

// box around everything
typedef struct {
  mjtNum low[3], high[3];
} Box;

static void include(Box* box, const mjtNum pos[3], mjtNum radius) {
  for (int i = 0; i < 3; i++) {
    box->low[i] = fmin(box->low[i], pos[i] - radius);
    box->high[i] = fmax(box->high[i], pos[i] + radius);
  }
}

// how far a geom reaches; planes and height fields count a tenth
static mjtNum reach(const mjModel* m, int geom) {
  const mjtNum* const size = m->geom_size + 3 * geom;
  if (m->geom_rbound[geom] > 0) return m->geom_rbound[geom];
  if (m->geom_type[geom] == mjGEOM_PLANE) {
    return size[0] != 0 || size[1] != 0 ? fmax(size[0], size[1]) * 0.1 : 1;
  }
  if (m->geom_type[geom] == mjGEOM_HFIELD) {
    const mjtNum* const h = m->hfield_size + 4 * m->geom_dataid[geom];
    return fmax(h[0], fmax(h[1], fmax(h[2], h[3]))) * 0.1;
  }
  return 0;
}

static void setExtent(mjModel* m, const mjData* d) {
  Box box = {
      {1e10,  1e10,  1e10 },
      {-1e10, -1e10, -1e10}
  };
  for (int i = 1; i < m->nbody; i++) {
    include(&box, d->xpos + 3 * i, 0);
    include(&box, d->xipos + 3 * i, 0);
  }
  for (int i = 0; i < m->njnt; i++) include(&box, d->xanchor + 3 * i, 0);
  for (int i = 0; i < m->nsite; i++) include(&box, d->site_xpos + 3 * i, 0);
  for (int i = 0; i < m->ngeom; i++) include(&box, d->geom_xpos + 3 * i, reach(m, i));
  for (int i = 0; i < 3; i++) m->stat.center[i] = (box.low[i] + box.high[i]) * 0.5;
  if (box.high[0] > box.low[0]) {
    mjtNum side = 1e-5;
    for (int i = 0; i < 3; i++) side = fmax(side, box.high[i] - box.low[i]);
    m->stat.extent = side;
  }
}

// length of every body: its largest distance from the centre of mass to a joint or to the end of a geom
static void bodySizes(const mjModel* m, const mjData* d, mjtNum* size) {
  for (int i = 0; i < m->nbody; i++) size[i] = 0;
  for (int j = 0; j < m->njnt; j++) {
    const int body = m->jnt_bodyid[j], parent = m->body_parentid[body];
    size[body] = fmax(size[body], mth_dist3(d->xipos + 3 * body, d->xanchor + 3 * j));
    size[parent] = fmax(size[parent], mth_dist3(d->xipos + 3 * parent, d->xanchor + 3 * j));
  }
  size[0] = 0;
  for (int g = 0; g < m->ngeom; g++) {
    const int body = m->geom_bodyid[g];
    if (body == 0 || m->geom_rbound[g] <= 0) continue;
    size[body] = fmax(size[body], m->geom_rbound[g] + mth_dist3(d->xipos + 3 * body, d->geom_xpos + 3 * g));
  }
}

// flexes: the lengths of the edges at a body
static void flexSizes(const mjModel* m, const mjData* d, mjtNum* size) {
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_interp[f]) {
      const int first = m->flex_nodeadr[f], end = first + m->flex_nodenum[f];
      for (int a = first; a < end; a++) {
        const int body = m->flex_nodebodyid[a];
        for (int b = first; b < end; b++) {
          size[body] = fmax(size[body], mth_dist3(d->xpos + 3 * body, d->xpos + 3 * m->flex_nodebodyid[b]));
        }
      }
      continue;
    }
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      for (int k = 0; k < 2; k++) {
        const int body = m->flex_vertbodyid[m->flex_vertadr[f] + m->flex_edge[2 * e + k]];
        size[body] = fmax(size[body], m->flexedge_length0[e]);
      }
    }
  }
}

static void setMeans(mjModel* m, const mjData* d, mjtNum* size) {
  const int nbody = (int)m->nbody;
  if (nbody > 1) {
    m->stat.meansize = m->stat.meanmass = 0;
    for (int i = 1; i < nbody; i++) {
      size[i] = fmax(size[i], 1e-5);
      m->stat.meansize += size[i] / (nbody - 1);
      m->stat.meanmass += m->body_mass[i];
    }
    m->stat.meanmass /= nbody - 1;
  }
  m->stat.extent = fmax(m->stat.extent, 2 * m->stat.meansize);
  if (m->nv) {
    m->stat.meaninertia = 0;
    for (int i = 0; i < m->nv; i++) m->stat.meaninertia += d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
    m->stat.meaninertia /= (mjtNum)m->nv;
  }
}

void cmp_constStat(mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* const size = mj_stackAllocNum(d, (size_t)m->nbody);
  setExtent(m, d);
  bodySizes(m, d, size);
  flexSizes(m, d, size);
  setMeans(m, d, size);

  // a rotation moves things by the size of its body
  for (int i = 0; i < m->nv; i++) {
    const int joint = m->dof_jntid[i], type = m->jnt_type[joint];
    const int rotation =
        type == mjJNT_BALL || type == mjJNT_HINGE || (type == mjJNT_FREE && i - m->jnt_dofadr[joint] >= 3);
    m->dof_length[i] = rotation ? size[m->dof_bodyid[i]] : 1;
  }
  mj_freeStack(d);
}
