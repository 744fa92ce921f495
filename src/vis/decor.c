// Marks on what the model has: perturbation, frames and labels of bodies, joints, cameras, lights, centres of mass,
// applied forces and equalities.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/elem.h"
#include "math/quat.h"
#include "math/vec.h"
#include "vis/vis.h"

// width of lines, in pixels
#define LINE_WIDTH 3
// size of the shape at a ball or free joint, in joint lengths
#define JOINT_SHAPE 0.3
// the world's frame is this much larger than others
#define WORLD_FRAME 2
// how much of a camera is seen while its view volume is drawn
#define CAMERA_ALPHA 0.3f
// a light is drawn this far behind its own length, so that it casts no shadow
#define LIGHT_OFFSET 0.0001

//---------------------------------- perturbation ------------------------------------------------------------------

// red and green swap roles for the second device; the colour is the larger of what is active
static void deviceColour(float rgba[4], const float base[4], int first, int second) {
  for (int k = 0; k < 2; k++) rgba[k] = fmaxf(first ? base[k] : 0, second ? base[1 - k] : 0);
  rgba[2] = base[2];
  rgba[3] = base[3];
}

// a spring to where the point is pulled
static void addPull(const VisView* v, const VisTag* tag) {
  const mjvPerturb* const pert = v->pert;
  const float width = v->unit * v->m->vis.scale.constraint;
  float rgba[4];
  deviceColour(rgba, v->m->vis.rgba.constraint, pert->active & mjPERT_TRANSLATE, pert->active2 & mjPERT_TRANSLATE);
  mjtNum point[3], mat[9];
  const mjtNum size[3] = {2 * width, 2 * width, 2 * width};
  vis_selectedPoint(v->d, pert, point);
  mth_quat2Mat(mat, pert->refquat);
  vis_addLink(v, tag, &(VisLink){mjGEOM_CAPSULE, width, point, pert->refselpos, rgba});
  vis_addShape(v, tag, &(VisShape){mjGEOM_SPHERE, size, pert->refselpos, mat, rgba});
}

// the box of the body's geoms, turned as it shall be
static void addTurn(const VisView* v, const VisTag* tag) {
  const mjModel* const m = v->m;
  const mjvPerturb* const pert = v->pert;
  const int body = pert->select;
  float rgba[4];
  deviceColour(rgba, m->vis.rgba.inertia, pert->active & mjPERT_ROTATE, pert->active2 & mjPERT_ROTATE);
  mjtNum mat[9], pos[3] = {0, 0, 0};
  const mjtNum plain[3] = {v->unit, v->unit, v->unit}, *size = plain;
  if (m->body_bvhnum[body]) {
    const mjtNum* const aabb = m->bvh_aabb + 6 * m->body_bvhadr[body];
    mth_mulMatVec3(pos, v->d->ximat + 9 * body, aabb);
    size = aabb + 3;
  }
  mth_addTo3(pos, v->d->xipos + 3 * body);
  mth_quat2Mat(mat, pert->refquat);
  vis_addShape(v, tag, &(VisShape){mjGEOM_BOX, size, pos, mat, rgba});
}

void vis_addPerturb(const VisView* v) {
  const int active = v->pert->active | v->pert->active2;
  const VisTag tag = {mjOBJ_UNKNOWN, v->pert->select, mjCAT_DECOR, mjLABEL_NONE};
  if (v->pert->select <= 0) return;
  if (active & mjPERT_TRANSLATE) addPull(v, &tag);
  if (active & mjPERT_ROTATE) addTurn(v, &tag);
}

void vis_addSelection(const VisView* v) {
  const mjvPerturb* const pert = v->pert;
  const VisTag tag = {mjOBJ_UNKNOWN, pert->select, mjCAT_DECOR, mjLABEL_NONE};
  if (pert->select <= 0) return;
  const float radius = v->unit * v->m->vis.scale.selectpoint;
  const mjtNum size[3] = {radius}, *at = pert->localpos;
  mjtNum p[3];
  vis_selectedPoint(v->d, pert, p);
  mjvGeom* const geom = vis_addShape(v, &tag, &(VisShape){mjGEOM_SPHERE, size, p, NULL, v->m->vis.rgba.selectpoint});
  if (!geom || v->opt->label != mjLABEL_SELPNT) return;
  snprintf(geom->label, sizeof(geom->label), "%.3f %.3f %.3f (local %.3f %.3f %.3f)", p[0], p[1], p[2], at[0], at[1],
           at[2]);
}

//---------------------------------- bodies ------------------------------------------------------------------------

void vis_addBodyFrames(const VisView* v) {
  const mjData* const d = v->d;
  const int inertial = v->opt->flags[mjVIS_INERTIA];
  const mjtNum *const pos = inertial ? d->xipos : d->xpos, *const mat = inertial ? d->ximat : d->xmat;
  if (v->opt->frame == mjFRAME_WORLD) vis_addFrame(v, 0, pos, mat, WORLD_FRAME);
  if (v->opt->frame != mjFRAME_BODY) return;
  for (int i = 1; i < v->m->nbody; i++) {
    if (vis_category(v->m, i) & v->catmask) vis_addFrame(v, i, pos + 3 * i, mat + 9 * i, 1);
  }
}

// nothing but text
static mjvGeom* addText(const VisView* v, int body, const mjtNum* pos, const mjtNum* mat) {
  const VisTag tag = {mjOBJ_UNKNOWN, body, mjCAT_DECOR, mjLABEL_NONE};
  return vis_addShape(v, &tag, &(VisShape){mjGEOM_LABEL, NULL, pos + 3 * body, mat + 9 * body, NULL});
}

void vis_addBodyLabels(const VisView* v) {
  const int mode = v->opt->label;

  // inertias carry the names when they are drawn
  if (v->opt->flags[mjVIS_INERTIA] || (mode != mjLABEL_SELECTION && mode != mjLABEL_BODY)) return;
  for (int i = 1; i < v->m->nbody; i++) {
    if (mode == mjLABEL_SELECTION && v->pert->select != i) continue;
    if (!(vis_category(v->m, i) & v->catmask)) continue;
    mjvGeom* const geom = addText(v, i, v->d->xpos, v->d->xmat);
    if (geom) vis_name(v->m, mjOBJ_BODY, i, geom->label);
  }
}

void vis_addIslandLabels(const VisView* v) {
  const mjModel* const m = v->m;
  if (v->opt->label != mjLABEL_ISLAND || !v->d->nisland) return;
  for (int i = 1; i < m->nbody; i++) {
    const int weld = m->body_weldid[i];
    const int island = m->body_dofnum[weld] ? v->d->dof_island[m->body_dofadr[weld]] : -1;
    if (island < 0) continue;
    mjvGeom* const geom = addText(v, i, v->d->xipos, v->d->ximat);
    if (geom) snprintf(geom->label, sizeof(geom->label), "%d", island);
  }
}

void vis_addMassCentres(const VisView* v) {
  const float radius = v->unit * v->m->vis.scale.com;
  const mjtNum size[3] = {radius};
  for (int i = 1; i < v->m->nbody; i++) {
    const VisTag tag = {mjOBJ_UNKNOWN, i, mjCAT_DECOR, mjLABEL_NONE};
    const VisShape shape = {mjGEOM_SPHERE, size, v->d->subtree_com + 3 * i, NULL, v->m->vis.rgba.com};
    if (v->m->body_rootid[i] == i) vis_addShape(v, &tag, &shape);
  }
}

// from the centre of mass of each body through its joints to that of its parent
void vis_addConnections(const VisView* v) {
  const mjModel* const m = v->m;
  const float width = v->unit * m->vis.scale.connect;
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_parentid[i] == 0) continue;
    const VisTag tag = {mjOBJ_UNKNOWN, i, mjCAT_DECOR, mjLABEL_NONE};
    const mjtNum* here = v->d->xipos + 3 * i;
    for (int k = m->body_jntnum[i] - 1; k >= -1; k--) {
      const mjtNum* const next =
          k >= 0 ? v->d->xanchor + 3 * (m->body_jntadr[i] + k) : v->d->xipos + 3 * m->body_parentid[i];
      vis_addLink(v, &tag, &(VisLink){mjGEOM_CAPSULE, width, here, next, m->vis.rgba.connect});
      here = next;
    }
  }
}

void vis_addForces(const VisView* v) {
  const mjModel* const m = v->m;
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum *const force = v->d->xfrc_applied + 6 * i, *const from = v->d->xipos + 3 * i;
    if (mth_norm3(force) <= mjMINVAL) continue;
    const VisTag tag = {mjOBJ_UNKNOWN, i, mjCAT_DECOR, mjLABEL_NONE};
    mjtNum to[3];
    mth_addScl3(to, from, force, m->vis.map.force / m->stat.meanmass);
    vis_addLink(v, &tag, &(VisLink){mjGEOM_ARROW, m->vis.scale.forcewidth * v->unit, from, to, m->vis.rgba.force});
  }
}

//---------------------------------- joints and equalities ---------------------------------------------------------

void vis_addJoints(const VisView* v) {
  const mjModel* const m = v->m;
  const float length = m->vis.scale.jointlength * v->unit, width = m->vis.scale.jointwidth * v->unit;
  const mjtNum half = JOINT_SHAPE * length, size[3] = {half, half, half};
  for (int i = 0; i < m->njnt; i++) {
    if (!vis_shown(v->opt->jointgroup, m->jnt_group[i])) continue;
    const VisTag tag = {mjOBJ_JOINT, i, mjCAT_DECOR, mjLABEL_JOINT};
    const mjtNum* const anchor = v->d->xanchor + 3 * i;

    // towards the colour of constraints as the limit takes hold
    const mjtNum share = vis_limitImpedance(v->d, mjCNSTR_LIMIT_JOINT, i);
    float rgba[4] = {0, 0, 0, 1};
    for (int k = 0; k < 3; k++)
      rgba[k] = (float)((1 - share) * m->vis.rgba.joint[k] + share * m->vis.rgba.constraint[k]);

    const int type = m->jnt_type[i];
    if (type == mjJNT_FREE || type == mjJNT_BALL) {
      const mjtNum* const mat = v->d->xmat + 9 * m->jnt_bodyid[i];
      vis_addShape(v, &tag, &(VisShape){type == mjJNT_FREE ? mjGEOM_BOX : mjGEOM_SPHERE, size, anchor, mat, rgba});
    } else {
      mjtNum to[3];
      mth_addScl3(to, anchor, v->d->xaxis + 3 * i, length);
      vis_addLink(v, &tag, &(VisLink){type == mjJNT_SLIDE ? mjGEOM_ARROW : mjGEOM_ARROW1, width, anchor, to, rgba});
    }
  }
}

// the end of a connect or weld on one of its objects
static void addAnchor(const VisView* v, int id, int which) {
  const mjModel* const m = v->m;
  const int object = which ? m->eq_obj2id[id] : m->eq_obj1id[id], site = m->eq_objtype[id] == mjOBJ_SITE;
  const mjtNum* const mat = (site ? v->d->site_xmat : v->d->xmat) + 9 * object;
  mjtNum pos[3];
  mth_copy3(pos, (site ? v->d->site_xpos : v->d->xpos) + 3 * object);
  if (!site) {
    // connects keep the anchor of the first body first, welds that of the second
    const int second = which == (m->eq_type[id] == mjEQ_CONNECT);
    mjtNum offset[3];
    mth_mulMatVec3(offset, mat, m->eq_data + mjNEQDATA * id + 3 * second);
    mth_addTo3(pos, offset);
  }
  const mjtNum size[3] = {v->unit * v->m->vis.scale.constraint};
  const VisTag tag = {mjOBJ_EQUALITY, id, mjCAT_DECOR, mjLABEL_CONSTRAINT};
  const float* const rgba = which ? m->vis.rgba.constraint : m->vis.rgba.connect;
  vis_addShape(v, &tag, &(VisShape){mjGEOM_SPHERE, size, pos, mat, rgba});
}

void vis_addEqualities(const VisView* v) {
  for (int i = 0; i < v->m->neq; i++) {
    const int type = v->m->eq_type[i];
    if (!v->d->eq_active[i] || (type != mjEQ_CONNECT && type != mjEQ_WELD)) continue;
    addAnchor(v, i, 0);
    addAnchor(v, i, 1);
  }
}

//---------------------------------- cameras and lights ------------------------------------------------------------

// view volume of a camera, out to a distance that suits the model
typedef struct {
  float zver[2], zhor[2];    // at the near plane
  mjtNum near, far, growth;  // distances, and how much wider the far plane is
} Volume;

static Volume viewVolume(const VisView* v, int camera) {
  const mjModel* const m = v->m;
  const float* const sensor = m->cam_sensorsize + 2 * camera;
  const float aspect = (float)m->cam_resolution[2 * camera] / (float)m->cam_resolution[2 * camera + 1];
  const mjtNum fovy = m->cam_fovy[camera];
  Volume view = {.near = m->vis.map.znear * m->stat.extent, .far = m->vis.scale.frustum * v->unit};
  view.growth = view.far / view.near;
  if (m->cam_projection[camera] == mjPROJ_ORTHOGRAPHIC) {
    view.zver[0] = view.zver[1] = (float)(fovy / 2);
    view.zhor[0] = view.zhor[1] = (float)(fovy * aspect / 2);
    view.far = (mjtNum)(view.zhor[0] + view.zver[0]) / 2;
    view.growth = 1;
  } else if (sensor[0] != 0 && sensor[1] != 0) {
    vis_intrinsicFrustum(view.zver, view.zhor, (float)view.near, m->cam_intrinsic + 4 * camera, sensor);
  } else {
    view.zver[0] = view.zver[1] = (float)(view.near * mth_tan(fovy * mjPI / 360.0));
    view.zhor[0] = view.zhor[1] = view.zver[0] * aspect;
  }
  return view;
}

// corners of the view at a distance, counter-clockwise from the lower left
static void viewCorners(const VisView* v, int camera, const Volume* view, int far, mjtNum corner[4][3]) {
  const mjtNum growth = far ? view->growth : 1, distance = far ? view->far : view->near;
  const float left = (float)(-view->zhor[0] * growth), right = (float)(view->zhor[1] * growth);
  const float bottom = (float)(-view->zver[0] * growth), top = (float)(view->zver[1] * growth);
  const mjtNum x[4] = {left, right, right, left}, y[4] = {bottom, bottom, top, top};
  for (int k = 0; k < 4; k++) {
    const mjtNum local[3] = {x[k], y[k], -distance};
    mth_mulMatVec3(corner[k], v->d->cam_xmat + 9 * camera, local);
    mth_addTo3(corner[k], v->d->cam_xpos + 3 * camera);
  }
}

static void addViewVolume(const VisView* v, const VisTag* tag) {
  const float* const rgba = v->m->vis.rgba.frustum;
  const Volume view = viewVolume(v, tag->objid);
  mjtNum near[4][3], far[4][3], triangle[3][3];
  viewCorners(v, tag->objid, &view, 0, near);
  viewCorners(v, tag->objid, &view, 1, far);
  for (int k = 0; k < 4; k++) {
    // each side is two triangles and three of its edges
    const int next = (k + 1) % 4;
    mth_copy3(triangle[0], near[k]);
    mth_copy3(triangle[1], far[k]);
    mth_copy3(triangle[2], near[next]);
    vis_addTriangle(v, tag, triangle, rgba);
    mth_copy3(triangle[0], far[k]);
    mth_copy3(triangle[1], far[next]);
    vis_addTriangle(v, tag, triangle, rgba);
    vis_addLink(v, tag, &(VisLink){mjGEOM_LINE, LINE_WIDTH, near[k], near[next], rgba});
    vis_addLink(v, tag, &(VisLink){mjGEOM_LINE, LINE_WIDTH, far[k], far[next], rgba});
    vis_addLink(v, tag, &(VisLink){mjGEOM_LINE, LINE_WIDTH, near[k], far[k], rgba});
  }
}

void vis_addCameras(const VisView* v) {
  const mjModel* const m = v->m;
  const mjtNum size = v->unit * m->vis.scale.camera;
  const mjtNum box[3] = {size, 0.8 * size, 0.4 * size}, lens[3] = {0.4 * size, 0.3 * size};
  for (int i = 0; i < m->ncam; i++) {
    const VisTag tag = {mjOBJ_CAMERA, i, mjCAT_DECOR, mjLABEL_NONE};
    const VisTag named = {mjOBJ_CAMERA, i, mjCAT_DECOR, mjLABEL_CAMERA};
    const mjtNum *const pos = v->d->cam_xpos + 3 * i, *const mat = v->d->cam_xmat + 9 * i;
    float rgba[4], dark[4];
    memcpy(rgba, m->vis.rgba.camera, sizeof(rgba));
    if (m->cam_resolution[2 * i] > 1 || m->cam_resolution[2 * i + 1] > 1) {
      addViewVolume(v, &tag);
      rgba[3] = CAMERA_ALPHA;
    }
    for (int k = 0; k < 4; k++) dark[k] = k < 3 ? 0.5f * rgba[k] : rgba[k];

    // a box with a lens in front
    const mjtNum front[3] = {0, 0, -0.6 * size};
    mjtNum at[3];
    mth_mulMatVec3(at, mat, front);
    mth_addTo3(at, pos);
    vis_addShape(v, &named, &(VisShape){mjGEOM_BOX, box, pos, mat, rgba});
    vis_addShape(v, &tag, &(VisShape){mjGEOM_CYLINDER, lens, at, mat, dark});
    if (v->opt->frame == mjFRAME_CAMERA) vis_addFrame(v, i, pos, mat, 1);
  }
}

void vis_addLights(const VisView* v) {
  const mjModel* const m = v->m;
  const mjtNum length = v->unit * m->vis.scale.light, size[3] = {0.8 * length, length};
  for (int i = 0; i < m->nlight; i++) {
    const VisTag tag = {mjOBJ_LIGHT, i, mjCAT_DECOR, mjLABEL_LIGHT};
    const mjtNum *const pos = v->d->light_xpos + 3 * i, *const dir = v->d->light_xdir + 3 * i;
    mjtNum quat[4], mat[9], behind[3];
    mju_quatZ2Vec(quat, dir);
    mth_quat2Mat(mat, quat);
    mth_addScl3(behind, pos, dir, -length - LIGHT_OFFSET);
    vis_addShape(v, &tag, &(VisShape){mjGEOM_CYLINDER, size, behind, mat, m->vis.rgba.light});
    if (v->opt->frame == mjFRAME_LIGHT) vis_addFrame(v, i, pos, mat, 1);
  }
}
