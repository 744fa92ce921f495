// Volumes: bounding boxes of bodies, flexes and meshes, nodes of octrees, and the boxes or ellipsoids that have the
// same inertia as a body. A box of half sizes s has I_x = m/3 (s_y^2 + s_z^2), an ellipsoid m/5 (s_y^2 + s_z^2).
#include <math.h>

#include "math/elem.h"
#include "math/vec.h"
#include "vis/vis.h"

// width of lines, in pixels
#define LINE_WIDTH 3
// density (kg/m3) at which scaling inertia by mass changes nothing
#define USUAL_DENSITY 1000

//---------------------------------- bounding volumes --------------------------------------------------------------

static int isLeaf(const mjModel* m, int node) {
  return m->bvh_child[2 * node] == -1 && m->bvh_child[2 * node + 1] == -1;
}

// nodes at the depth that is asked for, and leaves above it
static int atDepth(const VisView* v, int node) {
  const int depth = v->m->bvh_depth[node];
  return depth == v->opt->bvh_depth || (isLeaf(v->m, node) && depth < v->opt->bvh_depth);
}

// colour of a node: another one when the last step visited it
static const float* nodeColour(const VisView* v, int node) {
  const int active = v->m->vis.global.bvactive && v->d->bvh_active[node];
  return active ? v->m->vis.rgba.bvactive : v->m->vis.rgba.bv;
}

// a box (centre, half sizes) in a frame
static void addBox(const VisView* v, int node, const mjtNum aabb[6], const mjtNum* pos, const mjtNum* mat,
                   const float* rgba) {
  const VisTag tag = {mjOBJ_UNKNOWN, node, mjCAT_DECOR, mjLABEL_NONE};
  mjtNum centre[3];
  mth_mulMatVec3(centre, mat, aabb);
  mth_addTo3(centre, pos);
  vis_addShape(v, &tag, &(VisShape){mjGEOM_LINEBOX, aabb + 3, centre, mat, rgba});
}

void vis_addBodyVolumes(const VisView* v) {
  const mjModel* const m = v->m;
  const mjData* const d = v->d;
  for (int body = 0; body < m->nbody; body++) {
    for (int i = m->body_bvhadr[body]; i < m->body_bvhadr[body] + m->body_bvhnum[body]; i++) {
      if (!atDepth(v, i)) continue;

      // leaves are the boxes of geoms, in their frames
      const float* const rgba = nodeColour(v, i);
      const int geom = m->bvh_nodeid[i];
      if (isLeaf(m, i)) {
        addBox(v, i, m->geom_aabb + 6 * geom, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, rgba);
      } else {
        addBox(v, i, m->bvh_aabb + 6 * i, d->xipos + 3 * body, d->ximat + 9 * body, rgba);
      }
    }
  }
}

int vis_flexNode(const mjModel* m, const mjData* d, int flex, int node, mjtNum pos[3]) {
  const int k = m->flex_nodeadr[flex] + node, body = m->flex_nodebodyid[k];
  mth_copy3(pos, d->xpos + 3 * body);
  if (!m->flex_centered[flex]) {
    mjtNum offset[3];
    mth_mulMatVec3(offset, d->xmat + 9 * body, m->flex_node + 3 * k);
    mth_addTo3(pos, offset);
  }
  return body;
}

// lines between neighbours in the grid of control points, (order + 1)^3 of them
static void addControlGrid(const VisView* v, int flex) {
  const int n = v->m->flex_interp[flex] + 1;
  const int stride[3] = {n * n, n, 1};
  for (int node = 0; node < n * n * n; node++) {
    const int at[3] = {node / (n * n), node / n % n, node % n};
    const VisTag tag = {mjOBJ_UNKNOWN, at[0], mjCAT_DECOR, mjLABEL_NONE};
    mjtNum from[3], to[3];
    vis_flexNode(v->m, v->d, flex, node, from);
    for (int axis = 0; axis < 3; axis++) {
      if (at[axis] == n - 1) continue;
      vis_flexNode(v->m, v->d, flex, node + stride[axis], to);
      vis_addLink(v, &tag, &(VisLink){mjGEOM_LINE, LINE_WIDTH, from, to, NULL});
    }
  }
}

void vis_addFlexVolumes(const VisView* v) {
  const mjModel* const m = v->m;
  for (int f = 0; f < m->nflex; f++) {
    if (vis_shown(v->opt->flexgroup, m->flex_group[f])) {
      for (int i = m->flex_bvhadr[f]; i < m->flex_bvhadr[f] + m->flex_bvhnum[f]; i++) {
        if (!atDepth(v, i)) continue;
        const mjtNum* const aabb = v->d->bvh_aabb_dyn + 6 * (i - m->nbvhstatic);
        const VisTag tag = {mjOBJ_UNKNOWN, i, mjCAT_DECOR, mjLABEL_NONE};
        vis_addShape(v, &tag, &(VisShape){mjGEOM_LINEBOX, aabb + 3, aabb, NULL, nodeColour(v, i)});
      }
    }
    if (m->flex_interp[f]) addControlGrid(v, f);
  }
}

void vis_addMeshVolumes(const VisView* v) {
  const mjModel* const m = v->m;
  for (int g = 0; g < m->ngeom; g++) {
    // a height field's number counts as that of a mesh, where there is one: compatible, if odd
    const int mesh = m->geom_dataid[g];
    if (mesh < 0 || mesh >= m->nmesh || m->geom_type[g] == mjGEOM_SDF || m->mesh_octadr[mesh] >= 0) continue;
    for (int i = m->mesh_bvhadr[mesh]; i < m->mesh_bvhadr[mesh] + m->mesh_bvhnum[mesh]; i++) {
      // meshes have many nodes: when visited ones are marked, only those are drawn
      if (!atDepth(v, i) || (m->vis.global.bvactive && !v->d->bvh_active[i])) continue;
      addBox(v, i, m->bvh_aabb + 6 * i, v->d->geom_xpos + 3 * g, v->d->geom_xmat + 9 * g, nodeColour(v, i));
    }
  }
}

void vis_addMeshOctrees(const VisView* v) {
  const mjModel* const m = v->m;
  for (int g = 0; g < m->ngeom; g++) {
    const int mesh = m->geom_type[g] == mjGEOM_HFIELD ? -1 : m->geom_dataid[g];
    if (mesh < 0 || m->mesh_octadr[mesh] < 0) continue;
    for (int i = m->mesh_octadr[mesh]; i < m->mesh_octadr[mesh] + m->mesh_octnum[mesh]; i++) {
      if (m->oct_depth[i] != v->opt->bvh_depth) continue;
      addBox(v, i, m->oct_aabb + 6 * i, v->d->geom_xpos + 3 * g, v->d->geom_xmat + 9 * g, m->vis.rgba.bv);
    }
  }
}

//---------------------------------- inertia -----------------------------------------------------------------------

// half sizes of the body of equal inertia
static void equivalentSize(const mjModel* m, int body, int ellipsoid, int scaled, mjtNum size[3]) {
  const mjtNum *const I = m->body_inertia + 3 * body, mass = m->body_mass[body];
  for (int k = 0; k < 3; k++) {
    const mjtNum others = I[(k + 1) % 3] + I[(k + 2) % 3];
    size[k] = sqrt((others - I[k]) / (2 * mass)) * sqrt(ellipsoid ? 5 : 3);
  }
  if (!scaled) return;

  // as large as a body of the usual density and this mass
  const mjtNum volume = (ellipsoid ? 4.0 / 3.0 * mjPI : 8) * size[0] * size[1] * size[2];
  const mjtNum density = mass / mth_max(mjMINVAL, volume);
  mth_scl3(size, size, mth_pow(density / USUAL_DENSITY, 1.0 / 3.0));
}

void vis_addInertias(const VisView* v) {
  const mjModel* const m = v->m;
  const int ellipsoid = m->vis.global.ellipsoidinertia == 1, selected = v->pert->select;
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_mass[i] <= mjMINVAL || !(vis_category(m, i) & v->catmask)) continue;

    // in both label modes of bodies
    const int named = v->opt->label == mjLABEL_BODY || (v->opt->label == mjLABEL_SELECTION && selected == i);
    const VisTag tag = {mjOBJ_BODY, i, mjCAT_DECOR, mjLABEL_NONE};
    mjtNum size[3];
    equivalentSize(m, i, ellipsoid, v->opt->flags[mjVIS_SCLINERTIA], size);
    const VisShape shape = {ellipsoid ? mjGEOM_ELLIPSOID : mjGEOM_BOX, size, v->d->xipos + 3 * i, v->d->ximat + 9 * i,
                            m->vis.rgba.inertia};
    mjvGeom* const geom = vis_addShape(v, &tag, &shape);
    if (!geom) return;
    if (selected == i) geom->emission += m->vis.global.glow;
    if (named) vis_name(m, mjOBJ_BODY, i, geom->label);
  }
}
