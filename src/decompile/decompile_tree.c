// From a compiled model to a spec: the tree of bodies with what is attached to them.
#include <string.h>

#include "decompile/decompile.h"

static void addJoint(Decompiler* c, int i) {
  const mjModel* const m = c->m;
  mjsJoint* const joint = mjs_addJoint(c->body[m->jnt_bodyid[i]], NULL);
  dec_keep(c, mjOBJ_JOINT, i, joint->element);
  const int dof = m->jnt_dofadr[i], qpos = m->jnt_qposadr[i];
  joint->type = (mjtJoint)m->jnt_type[i];
  if (joint->type != mjJNT_FREE) DEC_TAKE(joint->pos, m->jnt_pos);
  DEC_TAKE(joint->axis, m->jnt_axis);
  if (joint->type == mjJNT_HINGE || joint->type == mjJNT_SLIDE) {
    joint->ref = m->qpos0[qpos];
    joint->springref = m->qpos_spring[qpos];
  }
  joint->stiffness = m->jnt_stiffness[i];
  joint->limited = m->jnt_limited[i];
  DEC_TAKE(joint->range, m->jnt_range);
  joint->margin = m->jnt_margin[i];
  DEC_TAKE(joint->solref_limit, m->jnt_solref);
  DEC_TAKE(joint->solimp_limit, m->jnt_solimp);
  joint->actfrclimited = m->jnt_actfrclimited[i];
  DEC_TAKE(joint->actfrcrange, m->jnt_actfrcrange);
  joint->armature = m->dof_armature[dof];
  joint->damping = m->dof_damping[dof];
  joint->frictionloss = m->dof_frictionloss[dof];
  memcpy(joint->solref_friction, m->dof_solref + (size_t)dof * mjNREF, sizeof(joint->solref_friction));
  memcpy(joint->solimp_friction, m->dof_solimp + (size_t)dof * mjNIMP, sizeof(joint->solimp_friction));
  joint->group = m->jnt_group[i];
  joint->actgravcomp = m->jnt_actgravcomp[i];
  mjs_setDouble(joint->userdata, m->jnt_user + i * m->nuser_jnt, m->nuser_jnt);
}

// a geom was moved to the frame of its mesh, and will be again
static void leaveMeshFrame(mjsGeom* geom, const mjModel* m, int mesh) {
  mjtNum inverse[4], quat[4], shift[3];
  mju_negQuat(inverse, m->mesh_quat + 4 * mesh);
  mju_mulQuat(quat, geom->quat, inverse);
  mju_rotVecQuat(shift, m->mesh_pos + 3 * mesh, quat);
  mju_subFrom3(geom->pos, shift);
  mju_copy4(geom->quat, quat);
}

static void addGeom(Decompiler* c, int i) {
  const mjModel* const m = c->m;
  mjsGeom* const geom = mjs_addGeom(c->body[m->geom_bodyid[i]], NULL);
  dec_keep(c, mjOBJ_GEOM, i, geom->element);
  geom->type = (mjtGeom)m->geom_type[i];
  DEC_TAKE(geom->pos, m->geom_pos);
  DEC_TAKE(geom->quat, m->geom_quat);
  if (geom->type == mjGEOM_MESH || geom->type == mjGEOM_SDF) {
    mjs_setString(geom->meshname, dec_name(c, mjOBJ_MESH, m->geom_dataid[i]));
    leaveMeshFrame(geom, m, m->geom_dataid[i]);
  } else if (geom->type == mjGEOM_HFIELD) {
    mjs_setString(geom->hfieldname, dec_name(c, mjOBJ_HFIELD, m->geom_dataid[i]));
  } else {
    DEC_TAKE(geom->size, m->geom_size);
  }
  geom->contype = m->geom_contype[i];
  geom->conaffinity = m->geom_conaffinity[i];
  geom->condim = m->geom_condim[i];
  geom->priority = m->geom_priority[i];
  DEC_TAKE(geom->friction, m->geom_friction);
  geom->solmix = m->geom_solmix[i];
  DEC_TAKE(geom->solref, m->geom_solref);
  DEC_TAKE(geom->solimp, m->geom_solimp);
  geom->margin = m->geom_margin[i];
  geom->gap = m->geom_gap[i];
  // bodies have their mass already
  geom->mass = 0;
  const mjtNum* const fluid = m->geom_fluid + (size_t)i * mjNFLUID;
  geom->fluid_ellipsoid = fluid[0] != 0;
  if (fluid[0] != 0) memcpy(geom->fluid_coefs, fluid + 1, sizeof(geom->fluid_coefs));
  mjs_setString(geom->material, dec_name(c, mjOBJ_MATERIAL, m->geom_matid[i]));
  DEC_TAKE(geom->rgba, m->geom_rgba);
  geom->group = m->geom_group[i];
  dec_usePlugin(c, &geom->plugin, m->geom_plugin[i]);
  mjs_setDouble(geom->userdata, m->geom_user + i * m->nuser_geom, m->nuser_geom);
}

static void addSite(Decompiler* c, int i) {
  const mjModel* const m = c->m;
  mjsSite* const site = mjs_addSite(c->body[m->site_bodyid[i]], NULL);
  dec_keep(c, mjOBJ_SITE, i, site->element);
  site->type = (mjtGeom)m->site_type[i];
  DEC_TAKE(site->pos, m->site_pos);
  DEC_TAKE(site->quat, m->site_quat);
  DEC_TAKE(site->size, m->site_size);
  mjs_setString(site->material, dec_name(c, mjOBJ_MATERIAL, m->site_matid[i]));
  DEC_TAKE(site->rgba, m->site_rgba);
  site->group = m->site_group[i];
  mjs_setDouble(site->userdata, m->site_user + i * m->nuser_site, m->nuser_site);
}

static void addCamera(Decompiler* c, int i) {
  const mjModel* const m = c->m;
  mjsCamera* const camera = mjs_addCamera(c->body[m->cam_bodyid[i]], NULL);
  dec_keep(c, mjOBJ_CAMERA, i, camera->element);
  DEC_TAKE(camera->pos, m->cam_pos);
  DEC_TAKE(camera->quat, m->cam_quat);
  camera->mode = (mjtCamLight)m->cam_mode[i];
  if (m->cam_targetbodyid[i] >= 0) mjs_setString(camera->targetbody, dec_name(c, mjOBJ_BODY, m->cam_targetbodyid[i]));
  camera->proj = (mjtProjection)m->cam_projection[i];
  DEC_TAKE(camera->resolution, m->cam_resolution);
  camera->output = m->cam_output[i];
  camera->fovy = m->cam_fovy[i];
  camera->ipd = m->cam_ipd[i];
  // a camera with a sensor is given by lengths, others by their angle
  DEC_TAKE(camera->sensor_size, m->cam_sensorsize);
  if (camera->sensor_size[1] > 0) {
    memcpy(camera->focal_length, m->cam_intrinsic + 4 * i, sizeof(camera->focal_length));
    memcpy(camera->principal_length, m->cam_intrinsic + 4 * i + 2, sizeof(camera->principal_length));
  }
  mjs_setDouble(camera->userdata, m->cam_user + i * m->nuser_cam, m->nuser_cam);
}

static void addLight(Decompiler* c, int i) {
  const mjModel* const m = c->m;
  mjsLight* const light = mjs_addLight(c->body[m->light_bodyid[i]], NULL);
  dec_keep(c, mjOBJ_LIGHT, i, light->element);
  DEC_TAKE(light->pos, m->light_pos);
  DEC_TAKE(light->dir, m->light_dir);
  light->mode = (mjtCamLight)m->light_mode[i];
  if (m->light_targetbodyid[i] >= 0)
    mjs_setString(light->targetbody, dec_name(c, mjOBJ_BODY, m->light_targetbodyid[i]));
  light->type = (mjtLightType)m->light_type[i];
  mjs_setString(light->texture, dec_name(c, mjOBJ_TEXTURE, m->light_texid[i]));
  light->active = m->light_active[i];
  light->castshadow = m->light_castshadow[i];
  light->bulbradius = m->light_bulbradius[i];
  light->intensity = m->light_intensity[i];
  light->range = m->light_range[i];
  DEC_TAKE(light->attenuation, m->light_attenuation);
  light->cutoff = m->light_cutoff[i];
  light->exponent = m->light_exponent[i];
  DEC_TAKE(light->ambient, m->light_ambient);
  DEC_TAKE(light->diffuse, m->light_diffuse);
  DEC_TAKE(light->specular, m->light_specular);
}

static void addBody(Decompiler* c, int i) {
  const mjModel* const m = c->m;
  mjsBody* const body = mjs_addBody(c->body[m->body_parentid[i]], NULL);
  c->body[i] = body;
  dec_keep(c, mjOBJ_BODY, i, body->element);
  DEC_TAKE(body->pos, m->body_pos);
  DEC_TAKE(body->quat, m->body_quat);
  body->mass = m->body_mass[i];
  DEC_TAKE(body->ipos, m->body_ipos);
  DEC_TAKE(body->iquat, m->body_iquat);
  DEC_TAKE(body->inertia, m->body_inertia);
  body->explicitinertial = body->mass > 0;
  body->mocap = m->body_mocapid[i] >= 0;
  body->gravcomp = m->body_gravcomp[i];
  dec_usePlugin(c, &body->plugin, m->body_plugin[i]);
  mjs_setDouble(body->userdata, m->body_user + i * m->nuser_body, m->nuser_body);

  // the policy of a tree is that of its root; what the compiler chose it chooses again
  const int tree = m->body_treeid[i];
  const int policy = tree >= 0 ? m->tree_sleep_policy[tree] : mjSLEEP_AUTO;
  if (m->body_rootid[i] == i && policy >= mjSLEEP_NEVER) body->sleep = (mjtSleepPolicy)policy;
}

void dec_tree(Decompiler* c) {
  // parents come before their children, so the order of ids is kept everywhere
  const mjModel* const m = c->m;
  c->body[0] = mjs_findBody(c->spec, "world");
  mjs_setDouble(c->body[0]->userdata, m->body_user, m->nuser_body);
  for (int i = 1; i < (int)m->nbody; i++) addBody(c, i);
  for (int i = 0; i < (int)m->njnt; i++) addJoint(c, i);
  for (int i = 0; i < (int)m->ngeom; i++) addGeom(c, i);
  for (int i = 0; i < (int)m->nsite; i++) addSite(c, i);
  for (int i = 0; i < (int)m->ncam; i++) addCamera(c, i);
  for (int i = 0; i < (int)m->nlight; i++) addLight(c, i);
}
