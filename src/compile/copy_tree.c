// The tree into mjModel: bodies, joints, dofs, geoms, sites, cameras, lights.
#include <string.h>

#include "compile/compile.h"
#include "compile/copy.h"
#include "compile/const.h"

// -------------------------------------------------------------------------------------------- bodies

static void copyBvh(mjModel* m, int i, const Cmp* c, const CmpBody* body, int* adr) {
  const AstBvh* const bvh = &body->bvh;
  m->body_bvhnum[i] = bvh->n;
  m->body_bvhadr[i] = bvh->n ? *adr : -1;
  CMP_COPY(m->bvh_aabb + 6 * *adr, bvh->aabb, 6 * bvh->n);
  CMP_COPY(m->bvh_child + 2 * *adr, bvh->child, 2 * bvh->n);
  CMP_COPY(m->bvh_depth + *adr, bvh->depth, bvh->n);
  for (int k = 0; k < bvh->n; k++) {
    m->bvh_nodeid[*adr + k] = bvh->nodeid[k] < 0 ? -1 : c->allgeom[bvh->nodeid[k]]->head.id;
  }
  *adr += bvh->n;
}

static void copyBody(const Cmp* c, mjModel* m, int i, const CmpBody* body) {
  const mjsBody* const s = &body->s;
  const int parent = body->parent ? body->parent->head.id : 0;
  m->body_parentid[i] = parent;
  m->body_rootid[i] = i == 0 || parent == 0 ? i : m->body_rootid[parent];
  m->body_weldid[i] = body->weldid;
  m->body_mocapid[i] = body->mocapid;
  m->body_jntnum[i] = body->joints.n;
  m->body_jntadr[i] = body->joints.n ? ((CmpJoint*)body->joints.at[0])->head.id : -1;
  m->body_dofnum[i] = body->dofnum;
  m->body_dofadr[i] = body->dofnum ? ((CmpJoint*)body->joints.at[0])->dofadr : -1;
  m->body_geomnum[i] = body->geoms.n;
  m->body_geomadr[i] = body->geoms.n ? ((CmpGeom*)body->geoms.at[0])->head.id : -1;
  CMP_COPY(m->body_pos + 3 * i, s->pos, 3);
  CMP_COPY(m->body_quat + 4 * i, s->quat, 4);
  CMP_COPY(m->body_ipos + 3 * i, s->ipos, 3);
  CMP_COPY(m->body_iquat + 4 * i, s->iquat, 4);
  CMP_COPY(m->body_inertia + 3 * i, s->inertia, 3);
  m->body_mass[i] = s->mass;
  m->body_gravcomp[i] = s->gravcomp;
  m->body_contype[i] = body->contype;
  m->body_conaffinity[i] = body->conaffinity;
  m->body_margin[i] = body->margin;
  m->body_plugin[i] = body->plugin;
  cmp_copyUser(m->body_user + c->s.nuser_body * i, s->userdata);
  m->body_sameframe[i] = cmp_sameFrame(s->ipos, s->iquat, NULL);
}

// -------------------------------------------------------------------------------------------- joints

static void copyInitial(mjModel* m, const CmpJoint* joint) {
  mjtNum *const qpos0 = m->qpos0 + joint->qposadr, *const spring = m->qpos_spring + joint->qposadr;
  switch (joint->s.type) {
    case mjJNT_FREE:
      CMP_COPY(qpos0, joint->body->s.pos, 3);
      CMP_COPY(qpos0 + 3, joint->body->s.quat, 4);
      CMP_COPY(spring, qpos0, 7);
      break;
    case mjJNT_BALL:
      qpos0[0] = spring[0] = 1;
      break;
    default:
      qpos0[0] = joint->s.ref;
      spring[0] = joint->s.springref;
  }
}

// returns the last dof of the joint
static int copyJoint(const Cmp* c, mjModel* m, const CmpJoint* joint, int lastdof) {
  const mjsJoint* const s = &joint->s;
  const int j = joint->head.id;
  m->jnt_type[j] = s->type;
  m->jnt_group[j] = s->group;
  m->jnt_limited[j] = (mjtByte)cmp_isLimited(s->limited, s->range);
  m->jnt_actfrclimited[j] = (mjtByte)cmp_isLimited(s->actfrclimited, s->actfrcrange);
  m->jnt_actgravcomp[j] = s->actgravcomp;
  m->jnt_qposadr[j] = joint->qposadr;
  m->jnt_dofadr[j] = joint->dofadr;
  m->jnt_bodyid[j] = joint->body->head.id;
  CMP_COPY(m->jnt_pos + 3 * j, s->pos, 3);
  CMP_COPY(m->jnt_axis + 3 * j, s->axis, 3);
  m->jnt_stiffness[j] = s->stiffness;
  CMP_COPY(m->jnt_range + 2 * j, s->range, 2);
  CMP_COPY(m->jnt_actfrcrange + 2 * j, s->actfrcrange, 2);
  CMP_COPY(m->jnt_solref + mjNREF * j, s->solref_limit, mjNREF);
  CMP_COPY(m->jnt_solimp + mjNIMP * j, s->solimp_limit, mjNIMP);
  m->jnt_margin[j] = s->margin;
  cmp_copyUser(m->jnt_user + c->s.nuser_jnt * j, s->userdata);
  copyInitial(m, joint);
  for (int dof = joint->dofadr; dof < joint->dofadr + cmp_nv(joint); dof++) {
    m->dof_bodyid[dof] = joint->body->head.id;
    m->dof_jntid[dof] = j;
    CMP_COPY(m->dof_solref + mjNREF * dof, s->solref_friction, mjNREF);
    CMP_COPY(m->dof_solimp + mjNIMP * dof, s->solimp_friction, mjNIMP);
    m->dof_frictionloss[dof] = s->frictionloss;
    m->dof_armature[dof] = s->armature;
    m->dof_damping[dof] = s->damping;
    m->dof_parentid[dof] = lastdof;
    lastdof = dof;
  }
  return lastdof;
}

static void checkFree(Cmp* c, const CmpBody* body) {
  int nfree = 0;
  for (int k = 0; k < body->joints.n; k++) nfree += ((const CmpJoint*)body->joints.at[k])->s.type == mjJNT_FREE;
  if (nfree && body->joints.n > 1) cmp_fail(c, body->head.e, "free joint can only appear by itself");
  if (nfree && body->parent->parent) cmp_fail(c, body->head.e, "free joint can only be used on top level");
}

// -------------------------------------------------------------------------------------------- attached

static void copyGeom(const Cmp* c, mjModel* m, const CmpGeom* geom) {
  const mjsGeom* const s = &geom->s;
  const int g = geom->head.id;
  m->geom_type[g] = s->type;
  m->geom_contype[g] = s->contype;
  m->geom_conaffinity[g] = s->conaffinity;
  m->geom_condim[g] = s->condim;
  m->geom_bodyid[g] = geom->body->head.id;
  m->geom_dataid[g] = geom->mesh ? geom->mesh->head.id : geom->hfield ? geom->hfield->head.id : -1;
  m->geom_matid[g] = geom->matid;
  m->geom_group[g] = s->group;
  m->geom_priority[g] = s->priority;
  m->geom_plugin[g] = geom->plugin;
  CMP_COPY(m->geom_size + 3 * g, s->size, 3);
  CMP_COPY(m->geom_aabb + 6 * g, geom->aabb, 6);
  CMP_COPY(m->geom_pos + 3 * g, s->pos, 3);
  CMP_COPY(m->geom_quat + 4 * g, s->quat, 4);
  CMP_COPY(m->geom_friction + 3 * g, s->friction, 3);
  m->geom_solmix[g] = s->solmix;
  CMP_COPY(m->geom_solref + mjNREF * g, s->solref, mjNREF);
  CMP_COPY(m->geom_solimp + mjNIMP * g, s->solimp, mjNIMP);
  m->geom_margin[g] = s->margin;
  m->geom_gap[g] = s->gap;
  CMP_COPY(m->geom_fluid + mjNFLUID * g, geom->fluid, mjNFLUID);
  cmp_copyUser(m->geom_user + c->s.nuser_geom * g, s->userdata);
  CMP_COPY(m->geom_rgba + 4 * g, s->rgba, 4);
  m->geom_sameframe[g] = cmp_sameFrame(s->pos, s->quat, geom->body);
  m->geom_rbound[g] = cmp_geomBound(geom);
}

static void copySite(const Cmp* c, mjModel* m, const CmpSite* site) {
  const mjsSite* const s = &site->s;
  const int i = site->head.id;
  m->site_type[i] = s->type;
  m->site_bodyid[i] = site->body->head.id;
  m->site_matid[i] = site->matid;
  m->site_group[i] = s->group;
  CMP_COPY(m->site_size + 3 * i, s->size, 3);
  CMP_COPY(m->site_pos + 3 * i, s->pos, 3);
  CMP_COPY(m->site_quat + 4 * i, s->quat, 4);
  cmp_copyUser(m->site_user + c->s.nuser_site * i, s->userdata);
  CMP_COPY(m->site_rgba + 4 * i, s->rgba, 4);
  m->site_sameframe[i] = cmp_sameFrame(s->pos, s->quat, site->body);
}

static void copyCamera(const Cmp* c, mjModel* m, const CmpCamera* camera) {
  const mjsCamera* const s = &camera->s;
  const int i = camera->head.id;
  m->cam_bodyid[i] = camera->body->head.id;
  m->cam_mode[i] = s->mode;
  m->cam_targetbodyid[i] = camera->target ? camera->target->head.id : -1;
  CMP_COPY(m->cam_pos + 3 * i, s->pos, 3);
  CMP_COPY(m->cam_quat + 4 * i, s->quat, 4);
  m->cam_projection[i] = s->proj;
  m->cam_fovy[i] = s->fovy;
  m->cam_ipd[i] = s->ipd;
  CMP_COPY(m->cam_resolution + 2 * i, s->resolution, 2);
  m->cam_output[i] = s->output;
  CMP_COPY(m->cam_sensorsize + 2 * i, s->sensor_size, 2);
  CMP_COPY(m->cam_intrinsic + 4 * i, s->intrinsic, 4);
  cmp_copyUser(m->cam_user + c->s.nuser_cam * i, s->userdata);
}

static void copyLight(mjModel* m, const CmpLight* light) {
  const mjsLight* const s = &light->s;
  const int i = light->head.id;
  m->light_bodyid[i] = light->body->head.id;
  m->light_mode[i] = s->mode;
  m->light_targetbodyid[i] = light->target ? light->target->head.id : -1;
  m->light_type[i] = s->type;
  m->light_texid[i] = light->texid;
  m->light_castshadow[i] = s->castshadow;
  m->light_active[i] = s->active;
  CMP_COPY(m->light_pos + 3 * i, s->pos, 3);
  CMP_COPY(m->light_dir + 3 * i, s->dir, 3);
  m->light_bulbradius[i] = s->bulbradius;
  m->light_intensity[i] = s->intensity;
  m->light_range[i] = s->range;
  CMP_COPY(m->light_attenuation + 3 * i, s->attenuation, 3);
  m->light_cutoff[i] = s->cutoff;
  m->light_exponent[i] = s->exponent;
  CMP_COPY(m->light_ambient + 3 * i, s->ambient, 3);
  CMP_COPY(m->light_diffuse + 3 * i, s->diffuse, 3);
  CMP_COPY(m->light_specular + 3 * i, s->specular, 3);
}

// -------------------------------------------------------------------------------------------- tree

// kinematic trees, their sleep policy, and the addresses of the lower triangle of M
static void copyTrees(Cmp* c, mjModel* m) {
  int tree = -1, address = 0;
  int* const depth = cmp_alloc(c, (size_t)m->nv + 1, sizeof(int));
  for (int i = 0; i < m->nv; i++) {
    const int parent = m->dof_parentid[i];
    if (parent < 0) tree++;
    m->dof_treeid[i] = tree;
    depth[i] = parent < 0 ? 1 : depth[parent] + 1;
    m->dof_Madr[i] = address;
    address += depth[i];
  }
  cmp_constTrees(m);

  // dofs of simple bodies: how many follow each other
  int run = 0;
  for (int i = (int)m->nv - 1; i >= 0; i--) {
    run = m->body_simple[m->dof_bodyid[i]] ? run + 1 : 0;
    m->dof_simplenum[i] = run;
  }

  for (int i = 0; i < m->ntree; i++) m->tree_sleep_policy[i] = mjSLEEP_AUTO;
  for (int i = 1; i < m->nbody; i++) {
    const CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    if (body->s.sleep == mjSLEEP_AUTO) continue;
    const int id = m->body_treeid[i];
    if (id == -1 || id == m->body_treeid[i - 1]) {
      cmp_fail(c, body->head.e, "sleep policy only allowed for movable root bodies");
    }
    m->tree_sleep_policy[id] = body->s.sleep;
  }
}

void cmp_copyTree(Cmp* c, mjModel* m) {
  BAS_ASSERT(c->stage == CMP_RESOLVED);
  int* const lastdof = cmp_alloc(c, (size_t)m->nbody, sizeof(int));
  int bvhadr = 0;
  for (int i = 0; i < m->nbody; i++) {
    const CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    checkFree(c, body);
    copyBody(c, m, i, body);
    copyBvh(m, i, c, body, &bvhadr);
    m->body_simple[i] = (mjtByte)body->simple;
    lastdof[i] = body->parent ? lastdof[body->parent->head.id] : -1;
    for (int k = 0; k < body->joints.n; k++) lastdof[i] = copyJoint(c, m, body->joints.at[k], lastdof[i]);
    for (int k = 0; k < body->geoms.n; k++) copyGeom(c, m, body->geoms.at[k]);
    for (int k = 0; k < body->sites.n; k++) copySite(c, m, body->sites.at[k]);
    for (int k = 0; k < body->cameras.n; k++) copyCamera(c, m, body->cameras.at[k]);
    for (int k = 0; k < body->lights.n; k++) copyLight(m, body->lights.at[k]);
  }
  copyTrees(c, m);
}
