// Geoms, sites, flexes and skins of the model as geoms of a scene.
#include <math.h>

#include "math/vec.h"
#include "vis/vis.h"

// drawn size of an infinite plane's tile, in far clipping distances over the largest grid
#define PLANE_SPREAD 2.1

// what has been selected glows
static void glow(const VisView* v, mjvGeom* geom) {
  geom->emission += v->m->vis.global.glow;
}

// 1: the mesh has texture coordinates
static int meshTextured(const mjModel* m, int mesh) {
  return mesh >= 0 && m->mesh_texcoordadr[mesh] >= 0;
}

// what a renderer draws for a mesh: even numbers are meshes, odd ones their hulls
static int meshData(const VisView* v, int mesh, int collides) {
  const int hull = collides && v->opt->flags[mjVIS_CONVEXHULL] && v->m->mesh_graphadr[mesh] >= 0;
  return 2 * mesh + hull;
}

//---------------------------------- flexes and skins --------------------------------------------------------------

void vis_addFlexes(const VisView* v) {
  const mjModel* const m = v->m;
  const mjtByte* const flags = v->opt->flags;
  if (!(v->catmask & mjCAT_DYNAMIC)) return;
  if (!flags[mjVIS_FLEXVERT] && !flags[mjVIS_FLEXEDGE] && !flags[mjVIS_FLEXFACE] && !flags[mjVIS_FLEXSKIN]) return;
  for (int i = 0; i < m->nflex; i++) {
    if (!vis_shown(v->opt->flexgroup, m->flex_group[i])) continue;
    const VisTag tag = {mjOBJ_FLEX, i, mjCAT_DYNAMIC, mjLABEL_FLEX};
    mjvGeom* const geom = vis_begin(v, &tag);
    if (!geom) return;

    // it stands at its first vertex
    mjv_initGeom(geom, mjGEOM_FLEX, NULL, v->d->flexvert_xpos + 3 * m->flex_vertadr[i], NULL, NULL);
    geom->size[0] = (float)m->flex_radius[i];
    vis_setMaterial(v, geom, m->flex_matid[i], m->flex_rgba + 4 * i);
    geom->texcoord = m->flex_texcoordadr[i] >= 0;
    if (!geom->texcoord) geom->matid = -1;
    if (v->pert->flexselect == i) glow(v, geom);
    if (geom->rgba[3] != 0) vis_keep(v, &tag);
  }
}

void vis_addSkins(const VisView* v) {
  const mjModel* const m = v->m;
  if (!(v->catmask & mjCAT_DYNAMIC)) return;
  for (int i = 0; i < m->nskin; i++) {
    if (!vis_shown(v->opt->skingroup, m->skin_group[i])) continue;
    const VisTag tag = {mjOBJ_SKIN, i, mjCAT_DYNAMIC, mjLABEL_SKIN};
    mjvGeom* const geom = vis_begin(v, &tag);
    if (!geom) return;

    // it stands at its first bone
    const int bone = m->skin_bonebodyid[m->skin_boneadr[i]];
    mjv_initGeom(geom, mjGEOM_SKIN, NULL, v->d->xpos + 3 * bone, NULL, NULL);
    vis_setMaterial(v, geom, m->skin_matid[i], m->skin_rgba + 4 * i);
    geom->texcoord = m->skin_texcoordadr[i] >= 0;
    if (v->pert->skinselect == i) glow(v, geom);
    if (geom->rgba[3] != 0) vis_keep(v, &tag);
  }
}

//---------------------------------- geoms and sites ---------------------------------------------------------------

// a geom or a site: where the model and the data keep it
typedef struct {
  int n, objtype;
  mjtLabel label;
  const mjtByte* shown;
  const int *group, *bodyid, *type, *matid;
  const float* rgba;
  const mjtNum *size, *xpos, *xmat;
} Family;

static Family geomFamily(const VisView* v) {
  const mjModel* const m = v->m;
  return (Family){.n = (int)m->ngeom,
                  .objtype = mjOBJ_GEOM,
                  .label = mjLABEL_GEOM,
                  .shown = v->opt->geomgroup,
                  .group = m->geom_group,
                  .bodyid = m->geom_bodyid,
                  .type = m->geom_type,
                  .matid = m->geom_matid,
                  .rgba = m->geom_rgba,
                  .size = m->geom_size,
                  .xpos = v->d->geom_xpos,
                  .xmat = v->d->geom_xmat};
}

static Family siteFamily(const VisView* v) {
  const mjModel* const m = v->m;
  return (Family){.n = (int)m->nsite,
                  .objtype = mjOBJ_SITE,
                  .label = mjLABEL_SITE,
                  .shown = v->opt->sitegroup,
                  .group = m->site_group,
                  .bodyid = m->site_bodyid,
                  .type = m->site_type,
                  .matid = m->site_matid,
                  .rgba = m->site_rgba,
                  .size = m->site_size,
                  .xpos = v->d->site_xpos,
                  .xmat = v->d->site_xmat};
}

// 1: category and group are wanted
static int wanted(const VisView* v, const Family* f, int i) {
  return vis_category(v->m, f->bodyid[i]) & v->catmask && vis_shown(f->shown, f->group[i]);
}

// moves an infinite plane under the viewer, by whole tiles so that its texture stays where it is
static void centrePlane(const VisView* v, int geom, mjtNum pos[3]) {
  const mjModel* const m = v->m;
  const mjvGLCamera* const eye = v->scn->camera;
  mjtNum away[3], axis[3];
  for (int k = 0; k < 3; k++) away[k] = (mjtNum)(0.5 * (eye[0].pos[k] + eye[1].pos[k])) - pos[k];
  for (int k = 0; k < 2; k++) {
    if (m->geom_size[3 * geom + k] > 0) continue;
    const int material = m->geom_matid[geom];
    const float repeat = material >= 0 ? m->mat_texrepeat[2 * material + k] : 0;
    const mjtNum zfar = m->vis.map.zfar * m->stat.extent;
    const mjtNum tile = repeat > 0 ? (mjtNum)(2 / repeat) : PLANE_SPREAD * zfar / (mjMAXPLANEGRID - 2);
    mth_col3(axis, v->d->geom_xmat + 9 * geom, k);
    mth_addToScl3(pos, axis, 2 * tile * mju_round(0.5 * mth_dot3(away, axis) / tile));
  }
}

// what is particular to geoms
static void finishGeom(const VisView* v, int i, int plane, mjvGeom* geom) {
  const mjModel* const m = v->m;
  const int type = m->geom_type[i], mesh = m->geom_dataid[i];
  geom->dataid = mesh;
  geom->modelrbound = (float)m->geom_rbound[i];
  if (v->opt->flags[mjVIS_ISLAND] && m->body_dofnum[m->body_weldid[m->geom_bodyid[i]]]) {
    vis_islandBody(v, geom, m->geom_bodyid[i]);
  }
  if ((type == mjGEOM_MESH || type == mjGEOM_SDF) && mesh >= 0) {
    geom->texcoord = meshTextured(m, mesh);
    geom->dataid = meshData(v, mesh, m->geom_contype[i] || m->geom_conaffinity[i]);
  } else if (type == mjGEOM_PLANE) {
    mjtNum pos[3];
    mth_copy3(pos, v->d->geom_xpos + 3 * i);
    centrePlane(v, i, pos);
    mju_n2f(geom->pos, pos, 3);
    geom->dataid = plane;
  }
}

static void addFamily(const VisView* v, const Family* f) {
  int plane = -1;
  for (int i = 0; i < f->n; i++) {
    // planes are counted whether they are shown or not: the renderer has one entry for each
    plane += f->type[i] == mjGEOM_PLANE;
    if (!wanted(v, f, i)) continue;
    const VisTag tag = {f->objtype, i, vis_category(v->m, f->bodyid[i]), f->label};
    mjvGeom* const geom = vis_begin(v, &tag);
    if (!geom) return;
    mjv_initGeom(geom, f->type[i], f->size + 3 * i, f->xpos + 3 * i, f->xmat + 9 * i, NULL);
    vis_setMaterial(v, geom, f->matid[i], f->rgba + 4 * i);
    if (f->objtype == mjOBJ_GEOM) finishGeom(v, i, plane, geom);
    if (v->pert->select > 0 && v->pert->select == f->bodyid[i]) glow(v, geom);
    if (geom->rgba[3] != 0) vis_keep(v, &tag);
  }
}

void vis_addGeoms(const VisView* v) {
  const Family geoms = geomFamily(v);
  addFamily(v, &geoms);
}

void vis_addSites(const VisView* v) {
  const Family sites = siteFamily(v);
  addFamily(v, &sites);
}

//---------------------------------- their frames ------------------------------------------------------------------

static void addFrames(const VisView* v, const Family* f) {
  for (int i = 0; i < f->n; i++) {
    // what cannot be seen has no frame
    const int material = f->matid[i];
    const float* const rgba = material >= 0 ? v->m->mat_rgba + 4 * material : f->rgba + 4 * i;
    if (wanted(v, f, i) && rgba[3] != 0) vis_addFrame(v, i, f->xpos + 3 * i, f->xmat + 9 * i, 1);
  }
}

void vis_addGeomFrames(const VisView* v) {
  const Family geoms = geomFamily(v);
  if (v->opt->frame == mjFRAME_GEOM) addFrames(v, &geoms);
}

void vis_addSiteFrames(const VisView* v) {
  const Family sites = siteFamily(v);
  if (v->opt->frame == mjFRAME_SITE) addFrames(v, &sites);
}
