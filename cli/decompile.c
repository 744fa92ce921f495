// From a compiled model to a spec: settings, assets and the tree. Values are written as the compiler left them
// (radians, explicit inertia, explicit limits), so that compiling again gives the same numbers. What compiling throws
// away cannot come back: defaults, frames, file names, and the pictures of textures, which MJCF holds only as files.
#include "decompile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mesh.h"

// -------------------------------------------------------------------------------------------- names

void dec_keep(Decompiler* c, mjtObj type, int id, mjsElement* element) {
  if (c->element[type]) c->element[type][id] = element;
  const char* const name = mj_id2name(c->m, type, id);
  if (name && *name) mjs_setName(element, name);
}

const char* dec_name(Decompiler* c, int type, int id) {
  if (id < 0) return "";
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  if (type == mjOBJ_BODY && id == 0) return "world";
  const char* const own = mj_id2name(c->m, type, id);
  if (own && *own) return own;
  mjsElement* const element = c->element[type] ? c->element[type][id] : NULL;
  if (!element) return "";
  snprintf(c->name, sizeof(c->name), "%s_%d", mju_type2Str(type), id);
  mjs_setName(element, c->name);
  return c->name;
}

// -------------------------------------------------------------------------------------------- assets

static void addMeshes(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nmesh; i++) {
    mjsMesh* const mesh = mjs_addMesh(c->spec, NULL);
    dec_keep(c, mjOBJ_MESH, i, mesh->element);
    dec_name(c, mjOBJ_MESH, i);
    // a flat mesh has its mass on the surface
    if (cli_meshVolume(m, i) < 1e-12) mesh->inertia = mjMESH_INERTIA_SHELL;
    const int vert = m->mesh_vertadr[i], face = m->mesh_faceadr[i];
    mjs_setFloat(mesh->uservert, m->mesh_vert + 3 * vert, 3 * m->mesh_vertnum[i]);
    mjs_setInt(mesh->userface, m->mesh_face + 3 * face, 3 * m->mesh_facenum[i]);
    // texture coordinates can be written only one per vertex
    if (m->mesh_texcoordadr[i] >= 0 && m->mesh_texcoordnum[i] == m->mesh_vertnum[i]) {
      mjs_setFloat(mesh->usertexcoord, m->mesh_texcoord + 2 * m->mesh_texcoordadr[i], 2 * m->mesh_texcoordnum[i]);
    }
  }
}

static void addHeightFields(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nhfield; i++) {
    mjsHField* const field = mjs_addHField(c->spec);
    dec_keep(c, mjOBJ_HFIELD, i, field->element);
    dec_name(c, mjOBJ_HFIELD, i);
    DEC_TAKE(field->size, m->hfield_size);
    field->nrow = m->hfield_nrow[i];
    field->ncol = m->hfield_ncol[i];
    mjs_setFloat(field->userdata, m->hfield_data + m->hfield_adr[i], field->nrow * field->ncol);
  }
}

// a picture becomes its mean colour
static void addTextures(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->ntex; i++) {
    mjsTexture* const texture = mjs_addTexture(c->spec);
    dec_keep(c, mjOBJ_TEXTURE, i, texture->element);
    texture->type = (mjtTexture)m->tex_type[i];
    // only the sky needs no name
    if (texture->type != mjTEXTURE_SKYBOX) dec_name(c, mjOBJ_TEXTURE, i);
    texture->colorspace = (mjtColorSpace)m->tex_colorspace[i];
    texture->builtin = mjBUILTIN_FLAT;
    texture->width = m->tex_width[i];
    // cubes hold six squares below each other
    texture->height = texture->type == mjTEXTURE_2D ? m->tex_height[i] : m->tex_width[i];
    texture->nchannel = m->tex_nchannel[i];
    const mjtByte* const data = m->tex_data + m->tex_adr[i];
    const long npixel = (long)m->tex_width[i] * m->tex_height[i];
    for (int k = 0; k < 3; k++) {
      double sum = 0;
      for (long p = 0; p < npixel; p++) sum += data[p * texture->nchannel + (k < texture->nchannel ? k : 0)];
      texture->rgb1[k] = texture->rgb2[k] = npixel ? sum / (255.0 * (double)npixel) : 0.5;
    }
  }
}

static void addMaterials(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nmat; i++) {
    mjsMaterial* const material = mjs_addMaterial(c->spec, NULL);
    dec_keep(c, mjOBJ_MATERIAL, i, material->element);
    dec_name(c, mjOBJ_MATERIAL, i);
    for (int role = 0; role < mjNTEXROLE; role++) {
      const int id = m->mat_texid[i * mjNTEXROLE + role];
      if (id >= 0) mjs_setInStringVec(material->textures, role, dec_name(c, mjOBJ_TEXTURE, id));
    }
    material->texuniform = m->mat_texuniform[i];
    DEC_TAKE(material->texrepeat, m->mat_texrepeat);
    material->emission = m->mat_emission[i];
    material->specular = m->mat_specular[i];
    material->shininess = m->mat_shininess[i];
    material->reflectance = m->mat_reflectance[i];
    material->metallic = m->mat_metallic[i];
    material->roughness = m->mat_roughness[i];
    DEC_TAKE(material->rgba, m->mat_rgba);
  }
}

// after the tree: skins name its bodies
void dec_skins(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nskin; i++) {
    mjsSkin* const skin = mjs_addSkin(c->spec);
    dec_keep(c, mjOBJ_SKIN, i, skin->element);
    mjs_setString(skin->material, dec_name(c, mjOBJ_MATERIAL, m->skin_matid[i]));
    DEC_TAKE(skin->rgba, m->skin_rgba);
    skin->inflate = m->skin_inflate[i];
    skin->group = m->skin_group[i];
    mjs_setFloat(skin->vert, m->skin_vert + 3 * m->skin_vertadr[i], 3 * m->skin_vertnum[i]);
    mjs_setInt(skin->face, m->skin_face + 3 * m->skin_faceadr[i], 3 * m->skin_facenum[i]);
    if (m->skin_texcoordadr[i] >= 0) {
      mjs_setFloat(skin->texcoord, m->skin_texcoord + 2 * m->skin_texcoordadr[i], 2 * m->skin_vertnum[i]);
    }
    const int bone = m->skin_boneadr[i], n = m->skin_bonenum[i];
    mjs_setFloat(skin->bindpos, m->skin_bonebindpos + 3 * bone, 3 * n);
    mjs_setFloat(skin->bindquat, m->skin_bonebindquat + 4 * bone, 4 * n);
    for (int k = bone; k < bone + n; k++) {
      const int first = m->skin_bonevertadr[k], count = m->skin_bonevertnum[k];
      mjs_appendString(skin->bodyname, dec_name(c, mjOBJ_BODY, m->skin_bonebodyid[k]));
      mjs_appendIntVec(skin->vertid, m->skin_bonevertid + first, count);
      mjs_appendFloatVec(skin->vertweight, m->skin_bonevertweight + first, count);
    }
  }
}

void dec_assets(Decompiler* c) {
  addMeshes(c);
  addHeightFields(c);
  addTextures(c);
  addMaterials(c);
}

// -------------------------------------------------------------------------------------------- tree

static void addJoint(Decompiler* c, int i) {
  const mjModel* const m = c->m;
  mjsJoint* const joint = mjs_addJoint(c->body[m->jnt_bodyid[i]], NULL);
  dec_keep(c, mjOBJ_JOINT, i, joint->element);
  const int dof = m->jnt_dofadr[i], qpos = m->jnt_qposadr[i];
  joint->type = (mjtJoint)m->jnt_type[i];
  joint->align = mjALIGNFREE_FALSE;
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

static void addGeom(Decompiler* c, int i) {
  const mjModel* const m = c->m;
  mjsGeom* const geom = mjs_addGeom(c->body[m->geom_bodyid[i]], NULL);
  dec_keep(c, mjOBJ_GEOM, i, geom->element);
  geom->type = (mjtGeom)m->geom_type[i];
  DEC_TAKE(geom->pos, m->geom_pos);
  DEC_TAKE(geom->quat, m->geom_quat);
  if (geom->type == mjGEOM_MESH || geom->type == mjGEOM_SDF) {
    mjs_setString(geom->meshname, dec_name(c, mjOBJ_MESH, m->geom_dataid[i]));
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

// -------------------------------------------------------------------------------------------- model

static void setHeader(Decompiler* c) {
  const mjModel* const m = c->m;
  mjSpec* const s = c->spec;
  mjs_setString(s->modelname, m->names);
  s->option = m->opt;
  s->visual = m->vis;
  s->stat = m->stat;
  s->compiler.degree = 0;
  s->compiler.autolimits = 0;
  s->nuserdata = (int)m->nuserdata;
  s->nuser_body = (int)m->nuser_body;
  s->nuser_jnt = (int)m->nuser_jnt;
  s->nuser_geom = (int)m->nuser_geom;
  s->nuser_site = (int)m->nuser_site;
  s->nuser_cam = (int)m->nuser_cam;
  s->nuser_tendon = (int)m->nuser_tendon;
  s->nuser_actuator = (int)m->nuser_actuator;
  s->nuser_sensor = (int)m->nuser_sensor;
}

static int allocate(Decompiler* c) {
  const mjModel* const m = c->m;
  const struct {
    mjtObj type;
    mjtSize n;
  } kinds[] = {
      {mjOBJ_BODY,     m->nbody  },
      {mjOBJ_JOINT,    m->njnt   },
      {mjOBJ_GEOM,     m->ngeom  },
      {mjOBJ_SITE,     m->nsite  },
      {mjOBJ_CAMERA,   m->ncam   },
      {mjOBJ_MESH,     m->nmesh  },
      {mjOBJ_HFIELD,   m->nhfield},
      {mjOBJ_TEXTURE,  m->ntex   },
      {mjOBJ_MATERIAL, m->nmat   },
      {mjOBJ_TENDON,   m->ntendon},
      {mjOBJ_ACTUATOR, m->nu     },
      {mjOBJ_SENSOR,   m->nsensor},
      {mjOBJ_EQUALITY, m->neq    }
  };
  c->body = calloc((size_t)m->nbody, sizeof(*c->body));
  int good = c->body != NULL;
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    c->element[kinds[i].type] = calloc((size_t)kinds[i].n + 1, sizeof(mjsElement*));
    good &= c->element[kinds[i].type] != NULL;
  }
  return good;
}

mjSpec* dec_model(const mjModel* m, char* error, int size) {
  if (m->nflex || m->nplugin) {
    snprintf(error, (size_t)size, "models with flexes or plugins cannot be turned back");
    return NULL;
  }
  Decompiler c = {.m = m, .spec = mj_makeSpec()};
  if (allocate(&c)) {
    setHeader(&c);
    dec_assets(&c);
    dec_tree(&c);
    dec_skins(&c);
    dec_contacts(&c);
    dec_equalities(&c);
    dec_tendons(&c);
    dec_actuators(&c);
    dec_sensors(&c);
    dec_custom(&c);
  } else {
    snprintf(error, (size_t)size, "out of memory");
    mj_deleteSpec(c.spec);
    c.spec = NULL;
  }
  for (int i = 0; i < mjNOBJECT; i++) free(c.element[i]);
  free(c.body);
  return c.spec;
}
