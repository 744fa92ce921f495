// mj_copyBack: real numbers of a model that was edited back into the spec it came from, in the spec's own terms: angles
// in its unit, poses relative to the frames around an element.
#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "compile/copy.h"
#include "math/quat.h"

// -------------------------------------------------------------------------------------------- frames

// a pose in the body as a pose in the element's frame; quat may be NULL
static void intoFrame(const SpcElement* e, double pos[3], double quat[4]) {
  if (!e->frame) return;
  double framepos[3], framequat[4], inversepos[3], inversequat[4], unit[4] = {1, 0, 0, 0};
  spc_framePose(e->frame, framepos, framequat);
  spc_invert(inversepos, inversequat, framepos, framequat);
  spc_prepend(inversepos, inversequat, pos, quat ? quat : unit);
}

static void copyPose(const SpcElement* e, const mjtNum* pos, const mjtNum* quat, double destpos[3],
                     double destquat[4]) {
  CMP_COPY(destpos, pos, 3);
  CMP_COPY(destquat, quat, 4);
  intoFrame(e, destpos, destquat);
}

static void copyUser(SpcVec* user, const mjtNum* value, mjtSize n) {
  if (spc_vecCount(user, sizeof(double))) spc_vecSet(user, value, (size_t)n, sizeof(double));
}

// -------------------------------------------------------------------------------------------- tree

static void copyBody(mjsBody* s, const SpcElement* e, const mjModel* m, int i) {
  copyPose(e, m->body_pos + 3 * i, m->body_quat + 4 * i, s->pos, s->quat);
  s->alt.type = mjORIENTATION_QUAT;
  s->gravcomp = m->body_gravcomp[i];
  copyUser(s->userdata, m->body_user + m->nuser_body * i, m->nuser_body);

  // an inertia that is not given follows from the geoms
  if (!s->explicitinertial) return;
  s->mass = m->body_mass[i];
  CMP_COPY(s->ipos, m->body_ipos + 3 * i, 3);
  CMP_COPY(s->iquat, m->body_iquat + 4 * i, 4);
  CMP_COPY(s->inertia, m->body_inertia + 3 * i, 3);
  s->ialt.type = mjORIENTATION_QUAT;
  s->fullinertia[0] = NAN;
}

static void copyJoint(mjsJoint* s, const SpcElement* e, const mjModel* m, int i) {
  const int dof = m->jnt_dofadr[i], type = m->jnt_type[i];
  const double unit = spc_compiler(e)->degree ? 180 / mjPI : 1;
  if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
    const double scale = type == mjJNT_HINGE ? unit : 1;
    s->ref = scale * m->qpos0[m->jnt_qposadr[i]];
    s->springref = scale * m->qpos_spring[m->jnt_qposadr[i]];
  }
  if (type != mjJNT_FREE) {
    CMP_COPY(s->pos, m->jnt_pos + 3 * i, 3);
    CMP_COPY(s->axis, m->jnt_axis + 3 * i, 3);
    intoFrame(e, s->pos, NULL);
    if (e->frame) {
      double pos[3], quat[4], inverse[4];
      spc_framePose(e->frame, pos, quat);
      mth_negQuat(inverse, quat);
      mth_rotVecQuat(s->axis, s->axis, inverse);
    }
  }
  CMP_COPY(s->range, m->jnt_range + 2 * i, 2);
  if (m->jnt_limited[i] && (type == mjJNT_HINGE || type == mjJNT_BALL)) {
    for (int k = 0; k < 2; k++) s->range[k] *= unit;
  }
  s->stiffness = m->jnt_stiffness[i];
  s->springdamper[0] = s->springdamper[1] = 0;
  s->margin = m->jnt_margin[i];
  CMP_COPY(s->solref_limit, m->jnt_solref + mjNREF * i, mjNREF);
  CMP_COPY(s->solimp_limit, m->jnt_solimp + mjNIMP * i, mjNIMP);
  CMP_COPY(s->solref_friction, m->dof_solref + mjNREF * dof, mjNREF);
  CMP_COPY(s->solimp_friction, m->dof_solimp + mjNIMP * dof, mjNIMP);
  s->armature = m->dof_armature[dof];
  s->damping = m->dof_damping[dof];
  s->frictionloss = m->dof_frictionloss[dof];
  copyUser(s->userdata, m->jnt_user + m->nuser_jnt * i, m->nuser_jnt);
}

static void copyGeom(mjsGeom* s, const SpcElement* e, const mjModel* m, int i) {
  // poses and sizes of geoms with assets are those of the asset
  if (m->geom_dataid[i] < 0) {
    copyPose(e, m->geom_pos + 3 * i, m->geom_quat + 4 * i, s->pos, s->quat);
    CMP_COPY(s->size, m->geom_size + 3 * i, 3);
    s->alt.type = mjORIENTATION_QUAT;
    s->fromto[0] = NAN;
  }
  CMP_COPY(s->friction, m->geom_friction + 3 * i, 3);
  CMP_COPY(s->solref, m->geom_solref + mjNREF * i, mjNREF);
  CMP_COPY(s->solimp, m->geom_solimp + mjNIMP * i, mjNIMP);
  CMP_COPY(s->rgba, m->geom_rgba + 4 * i, 4);
  s->solmix = m->geom_solmix[i];
  s->margin = m->geom_margin[i];
  s->gap = m->geom_gap[i];
  copyUser(s->userdata, m->geom_user + m->nuser_geom * i, m->nuser_geom);
}

static void copySite(mjsSite* s, const SpcElement* e, const mjModel* m, int i) {
  copyPose(e, m->site_pos + 3 * i, m->site_quat + 4 * i, s->pos, s->quat);
  CMP_COPY(s->size, m->site_size + 3 * i, 3);
  s->alt.type = mjORIENTATION_QUAT;
  s->fromto[0] = NAN;
  CMP_COPY(s->rgba, m->site_rgba + 4 * i, 4);
  copyUser(s->userdata, m->site_user + m->nuser_site * i, m->nuser_site);
}

static void copyCamera(mjsCamera* s, const SpcElement* e, const mjModel* m, int i) {
  copyPose(e, m->cam_pos + 3 * i, m->cam_quat + 4 * i, s->pos, s->quat);
  s->alt.type = mjORIENTATION_QUAT;
  s->ipd = m->cam_ipd[i];
  CMP_COPY(s->resolution, m->cam_resolution + 2 * i, 2);
  if (s->sensor_size[0] <= 0 || s->sensor_size[1] <= 0) s->fovy = m->cam_fovy[i];
  copyUser(s->userdata, m->cam_user + m->nuser_cam * i, m->nuser_cam);
}

static void copyLight(mjsLight* s, const SpcElement* e, const mjModel* m, int i) {
  double unit[4] = {1, 0, 0, 0};
  CMP_COPY(s->pos, m->light_pos + 3 * i, 3);
  CMP_COPY(s->dir, m->light_dir + 3 * i, 3);
  intoFrame(e, s->pos, unit);
  mth_rotVecQuat(s->dir, s->dir, unit);
  CMP_COPY(s->attenuation, m->light_attenuation + 3 * i, 3);
  s->cutoff = m->light_cutoff[i];
  s->exponent = m->light_exponent[i];
  CMP_COPY(s->ambient, m->light_ambient + 3 * i, 3);
  CMP_COPY(s->diffuse, m->light_diffuse + 3 * i, 3);
  CMP_COPY(s->specular, m->light_specular + 3 * i, 3);
}

// -------------------------------------------------------------------------------------------- lists

static void copyMaterial(mjsMaterial* s, const SpcElement* e, const mjModel* m, int i) {
  (void)e;
  CMP_COPY(s->texrepeat, m->mat_texrepeat + 2 * i, 2);
  s->emission = m->mat_emission[i];
  s->specular = m->mat_specular[i];
  s->shininess = m->mat_shininess[i];
  s->reflectance = m->mat_reflectance[i];
  CMP_COPY(s->rgba, m->mat_rgba + 4 * i, 4);
}

// elevations that were given, or put into a field that was left flat; those from a file stay there
static void copyHfield(mjsHField* s, const SpcElement* e, const mjModel* m, int i) {
  (void)e;
  if (!spc_textEmpty(s->file)) return;
  const size_t count = (size_t)m->hfield_nrow[i] * (size_t)m->hfield_ncol[i];
  const float* const data = m->hfield_data + m->hfield_adr[i];
  int wanted = spc_vecCount(s->userdata, sizeof(float)) > 0;
  for (size_t k = 0; k < count && !wanted; k++) wanted = data[k] != 0;
  if (wanted) spc_vecSet(s->userdata, data, count, sizeof(float));
}

static void copyPair(mjsPair* s, const SpcElement* e, const mjModel* m, int i) {
  (void)e;
  CMP_COPY(s->solref, m->pair_solref + mjNREF * i, mjNREF);
  CMP_COPY(s->solreffriction, m->pair_solreffriction + mjNREF * i, mjNREF);
  CMP_COPY(s->solimp, m->pair_solimp + mjNIMP * i, mjNIMP);
  s->margin = m->pair_margin[i];
  s->gap = m->pair_gap[i];
  CMP_COPY(s->friction, m->pair_friction + 5 * i, 5);
}

static void copyEquality(mjsEquality* s, const SpcElement* e, const mjModel* m, int i) {
  (void)e;
  CMP_COPY(s->data, m->eq_data + mjNEQDATA * i, mjNEQDATA);
  CMP_COPY(s->solref, m->eq_solref + mjNREF * i, mjNREF);
  CMP_COPY(s->solimp, m->eq_solimp + mjNIMP * i, mjNIMP);
}

static void copyTendon(mjsTendon* s, const SpcElement* e, const mjModel* m, int i) {
  (void)e;
  CMP_COPY(s->range, m->tendon_range + 2 * i, 2);
  CMP_COPY(s->actfrcrange, m->tendon_actfrcrange + 2 * i, 2);
  CMP_COPY(s->solref_limit, m->tendon_solref_lim + mjNREF * i, mjNREF);
  CMP_COPY(s->solimp_limit, m->tendon_solimp_lim + mjNIMP * i, mjNIMP);
  CMP_COPY(s->solref_friction, m->tendon_solref_fri + mjNREF * i, mjNREF);
  CMP_COPY(s->solimp_friction, m->tendon_solimp_fri + mjNIMP * i, mjNIMP);
  CMP_COPY(s->rgba, m->tendon_rgba + 4 * i, 4);
  s->width = m->tendon_width[i];
  s->margin = m->tendon_margin[i];
  s->stiffness = m->tendon_stiffness[i];
  s->damping = m->tendon_damping[i];
  s->armature = m->tendon_armature[i];
  s->frictionloss = m->tendon_frictionloss[i];
  copyUser(s->userdata, m->tendon_user + m->nuser_tendon * i, m->nuser_tendon);
}

static void copyActuator(mjsActuator* s, const SpcElement* e, const mjModel* m, int i) {
  (void)e;
  CMP_COPY(s->dynprm, m->actuator_dynprm + mjNDYN * i, mjNDYN);
  CMP_COPY(s->gainprm, m->actuator_gainprm + mjNGAIN * i, mjNGAIN);
  CMP_COPY(s->biasprm, m->actuator_biasprm + mjNBIAS * i, mjNBIAS);
  CMP_COPY(s->ctrlrange, m->actuator_ctrlrange + 2 * i, 2);
  CMP_COPY(s->forcerange, m->actuator_forcerange + 2 * i, 2);
  CMP_COPY(s->actrange, m->actuator_actrange + 2 * i, 2);
  CMP_COPY(s->lengthrange, m->actuator_lengthrange + 2 * i, 2);
  CMP_COPY(s->gear, m->actuator_gear + 6 * i, 6);
  s->cranklength = m->actuator_cranklength[i];
  s->inheritrange = 0;
  copyUser(s->userdata, m->actuator_user + m->nuser_actuator * i, m->nuser_actuator);
}

static void copySensor(mjsSensor* s, const SpcElement* e, const mjModel* m, int i) {
  (void)e;
  s->cutoff = m->sensor_cutoff[i];
  s->noise = m->sensor_noise[i];
  copyUser(s->userdata, m->sensor_user + m->nuser_sensor * i, m->nuser_sensor);
}

static void copyNumeric(mjsNumeric* s, const SpcElement* e, const mjModel* m, int i) {
  (void)e;
  spc_vecSet(s->data, m->numeric_data + m->numeric_adr[i], (size_t)m->numeric_size[i], sizeof(double));
}

static void copyTuple(mjsTuple* s, const SpcElement* e, const mjModel* m, int i) {
  (void)e;
  spc_vecSet(s->objprm, m->tuple_objprm + m->tuple_adr[i], (size_t)m->tuple_size[i], sizeof(double));
}

// part of a keyframe; empty where it is the initial state (NULL: zeros)
static void copyPart(SpcVec* part, const mjtNum* value, const mjtNum* initial, mjtSize n) {
  int same = 1;
  for (mjtSize i = 0; i < n; i++) same &= value[i] == (initial ? initial[i] : 0);
  spc_vecSet(part, value, same ? 0 : (size_t)n, sizeof(double));
}

static void copyKey(mjsKey* s, const SpcElement* e, const mjModel* m, int i) {
  (void)e;
  s->time = m->key_time[i];
  copyPart(s->qpos, m->key_qpos + m->nq * i, m->qpos0, m->nq);
  copyPart(s->qvel, m->key_qvel + m->nv * i, NULL, m->nv);
  copyPart(s->act, m->key_act + m->na * i, NULL, m->na);
  copyPart(s->ctrl, m->key_ctrl + m->nu * i, NULL, m->nu);

  // mocap bodies start where they were defined
  int moved = 0, turned = 0;
  for (int b = 0; b < m->nbody; b++) {
    const int id = m->body_mocapid[b];
    if (id < 0) continue;
    moved |= !!memcmp(m->key_mpos + 3 * (m->nmocap * i + id), m->body_pos + 3 * b, 3 * sizeof(mjtNum));
    turned |= !!memcmp(m->key_mquat + 4 * (m->nmocap * i + id), m->body_quat + 4 * b, 4 * sizeof(mjtNum));
  }
  spc_vecSet(s->mpos, m->key_mpos + 3 * m->nmocap * i, moved ? 3 * (size_t)m->nmocap : 0, sizeof(double));
  spc_vecSet(s->mquat, m->key_mquat + 4 * m->nmocap * i, turned ? 4 * (size_t)m->nmocap : 0, sizeof(double));
}

// -------------------------------------------------------------------------------------------- all

static void copyInertial(mjsBody* s, SpcElement* e, const mjModel* m, int i) {
  (void)s;
  SpcInertial* const inertial = &((SpcBody*)e)->inertial;
  inertial->mass = m->body_mass[i];
  CMP_COPY(inertial->pos, m->body_ipos + 3 * i, 3);
  CMP_COPY(inertial->quat, m->body_iquat + 4 * i, 4);
  CMP_COPY(inertial->diagonal, m->body_inertia + 3 * i, 3);
}

// elements of a kind that are part of the model
#define EACH(KIND, TYPE, COUNT, copy)                                     \
  do {                                                                    \
    SpcList list = SPC_TEMPORARY;                                         \
    spc_collect(spec, KIND, &list);                                       \
    for (int i_ = 0; i_ < list.count; i_++) {                             \
      SpcElement* const e_ = list.at[i_];                                 \
      if (e_->id >= 0 && e_->id < (COUNT)) copy(e_->spec, e_, m, e_->id); \
    }                                                                     \
    spc_listFree(&list);                                                  \
  } while (0)

void cmp_storeForSaving(SpcModel* spec, const mjModel* m) {
  EACH(SPC_BODY, mjsBody, m->nbody, copyInertial);
  spc_vecSet(&spec->springs, NULL, (size_t)m->njnt, 2 * sizeof(double));
  double* const spring = (double*)(void*)spec->springs.begin;
  for (int i = 0; i < m->njnt; i++) {
    spring[2 * i] = m->jnt_stiffness[i];
    spring[2 * i + 1] = m->dof_damping[m->jnt_dofadr[i]];
  }
  spc_vecSet(&spec->ranges, NULL, (size_t)m->nu, 4 * sizeof(double));
  double* const range = (double*)(void*)spec->ranges.begin;
  for (int i = 0; i < m->nu; i++) {
    CMP_COPY(range + 4 * i, m->actuator_ctrlrange + 2 * i, 2);
    CMP_COPY(range + 4 * i + 2, m->actuator_actrange + 2 * i, 2);
  }
}

// 1: the model is one that this spec was compiled to
static int isOwn(SpcModel* spec, const mjModel* m) {
  if (!m) {
    spc_fail(spec, "Error: mjModel pointer is null in CopyBack");
    return 0;
  }
  if (spec->compiled && spec->head.base.signature != m->signature) {
    spc_fail(spec, "Error: incompatible signatures in CopyBack");
    return 0;
  }

  // one that was edited back to the same structure has elements that the compiled model does not know
  if (!spec->compiled || spec->edited) {
    spc_fail(spec, "Error: mjCModel has not been compiled in CopyBack");
    return 0;
  }
  return 1;
}

// 1: some bodies, fused or aligned ones, have other frames in the model than in the spec
static int hasMovedFrames(SpcModel* spec, const mjsCompiler* compiler) {
  int moved = compiler->fusestatic || compiler->alignfree;
  SpcList list = SPC_TEMPORARY;
  spc_collect(spec, SPC_JOINT, &list);
  for (int i = 0; i < list.count && !moved; i++) {
    const mjsJoint* const joint = list.at[i]->spec;
    moved = joint->type == mjJNT_FREE && joint->align == mjALIGNFREE_TRUE;
  }
  spc_listFree(&list);
  return moved;
}

int mj_copyBack(mjSpec* s, const mjModel* m) {
  SpcModel* const spec = spc_model(s);
  if (!isOwn(spec, m)) return 0;
  s->option = m->opt;
  s->visual = m->vis;
  if (cmp_given(s->stat.extent)) s->stat.extent = m->stat.extent;
  if (cmp_given(s->stat.meaninertia)) s->stat.meaninertia = m->stat.meaninertia;
  if (cmp_given(s->stat.meanmass)) s->stat.meanmass = m->stat.meanmass;
  if (cmp_given(s->stat.meansize)) s->stat.meansize = m->stat.meansize;
  if (cmp_given(s->stat.center[0])) CMP_COPY(s->stat.center, m->stat.center, 3);

  cmp_storeForSaving(spec, m);

  // poses are copied where they mean the same
  if (!hasMovedFrames(spec, &s->compiler)) {
    EACH(SPC_BODY, mjsBody, m->nbody, copyBody);
    EACH(SPC_GEOM, mjsGeom, m->ngeom, copyGeom);
    EACH(SPC_SITE, mjsSite, m->nsite, copySite);
    EACH(SPC_CAMERA, mjsCamera, m->ncam, copyCamera);
    EACH(SPC_LIGHT, mjsLight, m->nlight, copyLight);
  }
  EACH(SPC_JOINT, mjsJoint, m->njnt, copyJoint);
  EACH(SPC_MATERIAL, mjsMaterial, m->nmat, copyMaterial);
  EACH(SPC_HFIELD, mjsHField, m->nhfield, copyHfield);
  EACH(SPC_PAIR, mjsPair, m->npair, copyPair);
  EACH(SPC_EQUALITY, mjsEquality, m->neq, copyEquality);
  EACH(SPC_TENDON, mjsTendon, m->ntendon, copyTendon);
  EACH(SPC_ACTUATOR, mjsActuator, m->nu, copyActuator);
  EACH(SPC_SENSOR, mjsSensor, m->nsensor, copySensor);
  EACH(SPC_NUMERIC, mjsNumeric, m->nnumeric, copyNumeric);
  EACH(SPC_TUPLE, mjsTuple, m->ntuple, copyTuple);
  EACH(SPC_KEY, mjsKey, m->nkey, copyKey);
  return 1;
}
