// Putting geoms into a scene: the primitives from which all adders are built, and the look of a geom.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec.h"
#include "vis/vis.h"

// brightness of the axes of a frame
#define AXIS_COLOUR 0.9f

//---------------------------------- one geom ----------------------------------------------------------------------

mjvGeom* vis_begin(const VisView* v, const VisTag* tag) {
  mjvScene* const scn = v->scn;
  if (scn->ngeom >= scn->maxgeom) {
    // one warning per scene
    if (!scn->status) mj_warning(v->d, mjWARN_VGEOMFULL, scn->maxgeom);
    scn->status = 1;
    return NULL;
  }
  mjvGeom* const geom = scn->geoms + scn->ngeom;
  geom->objtype = tag->objtype;
  geom->objid = tag->objid;
  geom->category = tag->category;
  geom->segid = scn->ngeom;

  // what mjv_initGeom leaves alone; most geoms never had a label
  if (geom->label[0]) memset(geom->label, 0, sizeof(geom->label));
  geom->camdist = 0;
  geom->transparent = 0;
  return geom;
}

void vis_name(const mjModel* m, int objtype, int objid, char label[100]) {
  const char* const name = mj_id2name(m, objtype, objid);
  if (name) {
    snprintf(label, 100, "%s", name);
  } else {
    snprintf(label, 100, "%s %d", mju_type2Str(objtype), objid);
  }
}

void vis_keep(const VisView* v, const VisTag* tag) {
  // which objects a label mode names
  static const int NAMED[mjNLABEL] = {
      [mjLABEL_BODY] = mjOBJ_BODY,     [mjLABEL_JOINT] = mjOBJ_JOINT,         [mjLABEL_GEOM] = mjOBJ_GEOM,
      [mjLABEL_SITE] = mjOBJ_SITE,     [mjLABEL_CAMERA] = mjOBJ_CAMERA,       [mjLABEL_LIGHT] = mjOBJ_LIGHT,
      [mjLABEL_TENDON] = mjOBJ_TENDON, [mjLABEL_ACTUATOR] = mjOBJ_ACTUATOR,   [mjLABEL_FLEX] = mjOBJ_FLEX,
      [mjLABEL_SKIN] = mjOBJ_SKIN,     [mjLABEL_CONSTRAINT] = mjOBJ_EQUALITY,
  };
  mjvGeom* const geom = v->scn->geoms + v->scn->ngeom++;
  if (tag->label != mjLABEL_NONE && v->opt->label == (int)tag->label) {
    vis_name(v->m, NAMED[tag->label], tag->objid, geom->label);
  }
}

mjvGeom* vis_addShape(const VisView* v, const VisTag* tag, const VisShape* shape) {
  mjvGeom* const geom = vis_begin(v, tag);
  if (!geom) return NULL;
  mjv_initGeom(geom, shape->type, shape->size, shape->pos, shape->mat, shape->rgba);
  vis_keep(v, tag);
  return geom;
}

mjvGeom* vis_addLink(const VisView* v, const VisTag* tag, const VisLink* link) {
  mjvGeom* const geom = vis_begin(v, tag);
  if (!geom) return NULL;
  mjv_initGeom(geom, link->type, NULL, NULL, NULL, link->rgba);
  mjv_connector(geom, link->type, link->width, link->from, link->to);
  vis_keep(v, tag);
  return geom;
}

void vis_addTriangle(const VisView* v, const VisTag* tag, const mjtNum corner[3][3], const float rgba[4]) {
  // axes along two edges and the normal, as long as those are
  mjtNum axes[9], size[3], mat[9];
  mth_sub3(axes, corner[1], corner[0]);
  mth_sub3(axes + 3, corner[2], corner[0]);
  mth_cross3(axes + 6, axes, axes + 3);
  for (int k = 0; k < 3; k++) size[k] = mth_normalize3(axes + 3 * k);
  mth_transpose3(mat, axes);
  vis_addShape(v, tag, &(VisShape){mjGEOM_TRIANGLE, size, corner[0], mat, rgba});
}

void vis_addFrame(const VisView* v, int objid, const mjtNum pos[3], const mjtNum mat[9], mjtNum scale) {
  const mjtNum length = (mjtNum)(v->m->vis.scale.framelength * v->unit) * scale;
  const mjtNum width = (mjtNum)(v->m->vis.scale.framewidth * v->unit) * scale;
  const VisTag tag = {mjOBJ_UNKNOWN, objid, mjCAT_DECOR, mjLABEL_NONE};
  for (int axis = 0; axis < 3; axis++) {
    float rgba[4] = {0, 0, 0, 1};
    rgba[axis] = AXIS_COLOUR;
    mjtNum to[3];
    mth_col3(to, mat, axis);
    mth_scl3(to, to, length);
    mth_addTo3(to, pos);
    vis_addLink(v, &tag, &(VisLink){mjGEOM_CYLINDER, width, pos, to, rgba});
  }
}

//---------------------------------- look --------------------------------------------------------------------------

void vis_setMaterial(const VisView* v, mjvGeom* geom, int material, const float rgba[4]) {
  const mjModel* const m = v->m;
  const int changed = rgba[0] != 0.5f || rgba[1] != 0.5f || rgba[2] != 0.5f || rgba[3] != 1;
  memcpy(geom->rgba, changed || material < 0 ? rgba : m->mat_rgba + 4 * material, sizeof(geom->rgba));
  if (material >= 0) {
    geom->emission = m->mat_emission[material];
    geom->specular = m->mat_specular[material];
    geom->shininess = m->mat_shininess[material];
    geom->reflectance = m->mat_reflectance[material];
    if (v->opt->flags[mjVIS_TEXTURE]) geom->matid = material;
  }
  if (v->opt->flags[mjVIS_TRANSPARENT] && geom->category == mjCAT_DYNAMIC) geom->rgba[3] *= m->vis.map.alpha;
}

// hue, saturation and value to red, green and blue: each is the value, its floor, or on the way between them
static void fromHsv(float rgb[3], float hue, float saturation, float value) {
  static const char PICK[6][3] = {
      {0, 3, 2},
      {1, 0, 2},
      {2, 0, 3},
      {2, 1, 0},
      {3, 2, 0},
      {0, 2, 1}
  };
  const int sector = (int)(hue * 6);
  const float along = hue * 6 - (float)sector;
  const float level[4] = {value, value * (1 - saturation * along), value * (1 - saturation),
                          value * (1 - saturation * (1 - along))};
  for (int k = 0; k < 3; k++) rgb[k] = saturation <= 0 ? value : level[(int)PICK[sector < 5 ? sector : 5][k]];
}

void vis_islandColour(float rgba[4], int dof, int awake) {
  // grey without an island, else a colour of its own
  const int seed = dof + 1;
  const float hue = dof < 0 ? 1 : (float)mju_Halton(seed, 7);
  float saturation = dof < 0 ? 0 : (float)(0.5 + 0.5 * mju_Halton(seed, 3));
  float value = dof < 0 ? 0.7f : (float)(0.6 + 0.4 * mju_Halton(seed, 5));
  if (!awake) {
    value = (float)(value * 0.6);
    saturation = (float)(saturation * 0.7);
  }
  fromHsv(rgba, hue, saturation, value);
  rgba[3] = 1;
}

void vis_islandBody(const VisView* v, mjvGeom* geom, int body) {
  const mjModel* const m = v->m;
  const mjData* const d = v->d;
  const int dof = m->body_dofadr[m->body_weldid[body]], awake = d->body_awake[body];
  const int island = d->nisland ? d->dof_island[dof] : -1;
  int first = island >= 0 ? d->island_dofadr[island] : -1;

  // where trees can sleep, those without an island have the colour of the smallest tree that sleeps with them
  if (first < 0 && m->opt.enableflags & mjENBL_SLEEP) {
    const int own = m->dof_treeid[dof];
    int smallest = own;
    if (!awake) {
      for (int t = d->tree_asleep[own]; t != own; t = d->tree_asleep[t]) smallest = mth_minInt(smallest, t);
    }
    first = m->tree_dofadr[smallest];
  }
  geom->matid = -1;
  vis_islandColour(geom->rgba, first, awake);
}

//---------------------------------- questions ---------------------------------------------------------------------

int vis_category(const mjModel* m, int body) {
  // what hangs on a mocap body moves, though it is welded to the world
  const int still = m->body_weldid[body] == 0 && m->body_mocapid[m->body_rootid[body]] == -1;
  return still ? mjCAT_STATIC : mjCAT_DYNAMIC;
}

int vis_shown(const mjtByte groups[mjNGROUP], int group) {
  return groups[mth_maxInt(0, mth_minInt(mjNGROUP - 1, group))];
}

mjtNum vis_limitImpedance(const mjData* d, mjtConstraint type, int id) {
  mjtNum impedance = 0;
  for (int row = d->ne + d->nf; row < d->ne + d->nf + d->nl; row++) {
    if (d->efc_type[row] == (int)type && d->efc_id[row] == id) impedance = d->efc_KBIP[4 * row + 2];
  }
  return impedance;
}

void vis_selectedPoint(const mjData* d, const mjvPerturb* pert, mjtNum point[3]) {
  mth_mulMatVec3(point, d->xmat + 9 * pert->select, pert->localpos);
  mth_addTo3(point, d->xpos + 3 * pert->select);
}
