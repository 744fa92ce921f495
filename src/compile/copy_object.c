// What stands outside the tree into mjModel: contacts, equalities, tendons, actuators, sensors, custom data, keyframes.
#include <string.h>

#include "compile/compile.h"
#include "compile/copy.h"

static void copyContacts(const Cmp* c, mjModel* m) {
  for (int i = 0; i < m->npair; i++) {
    const CmpPair* const pair = CMP_AT(c, SPC_PAIR, CmpPair, i);
    const mjsPair* const s = &pair->s;
    m->pair_dim[i] = s->condim;
    m->pair_geom1[i] = pair->geom1->head.id;
    m->pair_geom2[i] = pair->geom2->head.id;
    m->pair_signature[i] = pair->signature;
    CMP_COPY(m->pair_solref + mjNREF * i, s->solref, mjNREF);
    CMP_COPY(m->pair_solreffriction + mjNREF * i, s->solreffriction, mjNREF);
    CMP_COPY(m->pair_solimp + mjNIMP * i, s->solimp, mjNIMP);
    m->pair_margin[i] = s->margin;
    m->pair_gap[i] = s->gap;
    CMP_COPY(m->pair_friction + 5 * i, s->friction, 5);
  }
  for (int i = 0; i < m->nexclude; i++) m->exclude_signature[i] = CMP_AT(c, SPC_EXCLUDE, CmpExclude, i)->signature;
}

static void copyEqualities(const Cmp* c, mjModel* m) {
  for (int i = 0; i < m->neq; i++) {
    const CmpEquality* const equality = CMP_AT(c, SPC_EQUALITY, CmpEquality, i);
    const mjsEquality* const s = &equality->s;
    m->eq_type[i] = s->type;
    m->eq_obj1id[i] = equality->obj1id;
    m->eq_obj2id[i] = equality->obj2id;
    m->eq_objtype[i] = s->objtype;
    m->eq_active0[i] = s->active;
    CMP_COPY(m->eq_solref + mjNREF * i, s->solref, mjNREF);
    CMP_COPY(m->eq_solimp + mjNIMP * i, s->solimp, mjNIMP);
    CMP_COPY(m->eq_data + mjNEQDATA * i, s->data, mjNEQDATA);
  }
}

static void copyTendon(const Cmp* c, mjModel* m, int i, const CmpTendon* tendon) {
  const mjsTendon* const s = &tendon->s;
  m->tendon_num[i] = tendon->npath;
  m->tendon_matid[i] = tendon->matid;
  m->tendon_group[i] = s->group;
  m->tendon_limited[i] = (mjtByte)cmp_isLimited(s->limited, s->range);
  m->tendon_actfrclimited[i] = (mjtByte)cmp_isLimited(s->actfrclimited, s->actfrcrange);
  m->tendon_width[i] = s->width;
  CMP_COPY(m->tendon_solref_lim + mjNREF * i, s->solref_limit, mjNREF);
  CMP_COPY(m->tendon_solimp_lim + mjNIMP * i, s->solimp_limit, mjNIMP);
  CMP_COPY(m->tendon_solref_fri + mjNREF * i, s->solref_friction, mjNREF);
  CMP_COPY(m->tendon_solimp_fri + mjNIMP * i, s->solimp_friction, mjNIMP);
  CMP_COPY(m->tendon_range + 2 * i, s->range, 2);
  CMP_COPY(m->tendon_actfrcrange + 2 * i, s->actfrcrange, 2);
  m->tendon_margin[i] = s->margin;
  m->tendon_stiffness[i] = s->stiffness;
  m->tendon_damping[i] = s->damping;
  m->tendon_armature[i] = s->armature;
  m->tendon_frictionloss[i] = s->frictionloss;
  CMP_COPY(m->tendon_lengthspring + 2 * i, s->springlength, 2);
  cmp_copyUser(m->tendon_user + c->s.nuser_tendon * i, s->userdata);
  CMP_COPY(m->tendon_rgba + 4 * i, s->rgba, 4);
}

static void copyTendons(const Cmp* c, mjModel* m) {
  int adr = 0;
  for (int i = 0; i < m->ntendon; i++) {
    const CmpTendon* const tendon = CMP_AT(c, SPC_TENDON, CmpTendon, i);
    copyTendon(c, m, i, tendon);
    m->tendon_adr[i] = adr;
    for (int k = 0; k < tendon->npath; k++, adr++) {
      const CmpWrap* const wrap = &tendon->path[k];
      m->wrap_type[adr] = wrap->type;
      m->wrap_objid[adr] = wrap->object ? wrap->object->id : -1;
      m->wrap_prm[adr] = wrap->prm;
      if (wrap->type == mjWRAP_SPHERE || wrap->type == mjWRAP_CYLINDER) {
        m->wrap_prm[adr] = wrap->side ? wrap->side->head.id : -1;
      }
    }
  }
}

static void copyActuator(const Cmp* c, mjModel* m, int i, const CmpActuator* actuator) {
  const mjsActuator* const s = &actuator->s;
  m->actuator_trntype[i] = s->trntype;
  m->actuator_dyntype[i] = s->dyntype;
  m->actuator_gaintype[i] = s->gaintype;
  m->actuator_biastype[i] = s->biastype;
  CMP_COPY(m->actuator_trnid + 2 * i, actuator->trnid, 2);
  m->actuator_actnum[i] = s->actdim;
  m->actuator_group[i] = s->group;
  m->actuator_delay[i] = s->delay;
  m->actuator_history[2 * i] = s->nsample;
  m->actuator_history[2 * i + 1] = s->interp;
  m->actuator_ctrllimited[i] = (mjtByte)cmp_isLimited(s->ctrllimited, s->ctrlrange);
  m->actuator_forcelimited[i] = (mjtByte)cmp_isLimited(s->forcelimited, s->forcerange);
  m->actuator_actlimited[i] = (mjtByte)cmp_isLimited(s->actlimited, s->actrange);
  m->actuator_actearly[i] = s->actearly;
  m->actuator_cranklength[i] = s->cranklength;
  CMP_COPY(m->actuator_gear + 6 * i, s->gear, 6);
  CMP_COPY(m->actuator_dynprm + mjNDYN * i, s->dynprm, mjNDYN);
  CMP_COPY(m->actuator_gainprm + mjNGAIN * i, s->gainprm, mjNGAIN);
  CMP_COPY(m->actuator_biasprm + mjNBIAS * i, s->biasprm, mjNBIAS);
  CMP_COPY(m->actuator_ctrlrange + 2 * i, s->ctrlrange, 2);
  CMP_COPY(m->actuator_forcerange + 2 * i, s->forcerange, 2);
  CMP_COPY(m->actuator_actrange + 2 * i, s->actrange, 2);
  CMP_COPY(m->actuator_lengthrange + 2 * i, s->lengthrange, 2);
  cmp_copyUser(m->actuator_user + c->s.nuser_actuator * i, s->userdata);
  m->actuator_plugin[i] = actuator->plugin;
}

static void copySensor(const Cmp* c, mjModel* m, int i, const CmpSensor* sensor) {
  const mjsSensor* const s = &sensor->s;
  m->sensor_type[i] = s->type;
  m->sensor_datatype[i] = s->datatype;
  m->sensor_needstage[i] = s->needstage;
  m->sensor_objtype[i] = s->objtype;
  m->sensor_objid[i] = sensor->object ? sensor->object->id : -1;
  m->sensor_reftype[i] = s->reftype;
  m->sensor_refid[i] = sensor->reference ? sensor->reference->id : -1;
  CMP_COPY(m->sensor_intprm + mjNSENS * i, s->intprm, mjNSENS);
  m->sensor_dim[i] = s->dim;
  m->sensor_cutoff[i] = s->cutoff;
  m->sensor_noise[i] = s->noise;
  m->sensor_delay[i] = s->delay;
  m->sensor_history[2 * i] = s->nsample;
  m->sensor_history[2 * i + 1] = s->interp;
  CMP_COPY(m->sensor_interval + 2 * i, s->interval, 2);
  cmp_copyUser(m->sensor_user + c->s.nuser_sensor * i, s->userdata);
  m->sensor_plugin[i] = sensor->plugin;
}

// actuators and sensors share one block of history buffers
static void copyActuatorsSensors(const Cmp* c, mjModel* m) {
  int history = 0, data = 0;
  for (int i = 0; i < m->nu; i++) {
    const CmpActuator* const actuator = CMP_AT(c, SPC_ACTUATOR, CmpActuator, i);
    copyActuator(c, m, i, actuator);
    m->actuator_actadr[i] = actuator->actadr;
    m->actuator_historyadr[i] = actuator->s.nsample > 0 ? history : -1;
    if (actuator->s.nsample > 0) history += 2 + 2 * actuator->s.nsample;
  }
  for (int i = 0; i < m->nsensor; i++) {
    const CmpSensor* const sensor = CMP_AT(c, SPC_SENSOR, CmpSensor, i);
    copySensor(c, m, i, sensor);
    m->sensor_adr[i] = data;
    data += sensor->s.dim;
    m->sensor_historyadr[i] = sensor->s.nsample > 0 ? history : -1;
    if (sensor->s.nsample > 0) history += 2 + sensor->s.nsample * (1 + sensor->s.dim);
  }
}

static void copyCustom(const Cmp* c, mjModel* m) {
  int adr = 0;
  for (int i = 0; i < m->nnumeric; i++) {
    const CmpNumeric* const numeric = CMP_AT(c, SPC_NUMERIC, CmpNumeric, i);
    m->numeric_adr[i] = adr;
    m->numeric_size[i] = numeric->s.size;
    CMP_COPY(m->numeric_data + adr, numeric->data, numeric->ndata);
    adr += numeric->s.size;
  }
  adr = 0;
  for (int i = 0; i < m->ntext; i++) {
    const SpcString* const text = CMP_AT(c, SPC_TEXT, CmpText, i)->s.data;
    m->text_adr[i] = adr;
    m->text_size[i] = (int)spc_textLength(text) + 1;
    memcpy(m->text_data + adr, spc_text(text), (size_t)m->text_size[i]);
    adr += m->text_size[i];
  }
  adr = 0;
  for (int i = 0; i < m->ntuple; i++) {
    const CmpTuple* const tuple = CMP_AT(c, SPC_TUPLE, CmpTuple, i);
    const int* const type = (const void*)((const SpcVec*)tuple->s.objtype)->begin;
    const double* const prm = (const void*)((const SpcVec*)tuple->s.objprm)->begin;
    m->tuple_adr[i] = adr;
    m->tuple_size[i] = tuple->n;
    for (int k = 0; k < tuple->n; k++, adr++) {
      m->tuple_objtype[adr] = type[k];
      m->tuple_objid[adr] = tuple->object[k]->id;
      m->tuple_objprm[adr] = prm[k];
    }
  }
}

static void copyKeys(const Cmp* c, mjModel* m) {
  for (int i = 0; i < m->nkey; i++) {
    const CmpKey* const key = CMP_AT(c, SPC_KEY, CmpKey, i);
    m->key_time[i] = key->s.time;
    CMP_COPY(m->key_qpos + m->nq * i, key->qpos, m->nq);
    CMP_COPY(m->key_qvel + m->nv * i, key->qvel, m->nv);
    CMP_COPY(m->key_act + m->na * i, key->act, m->na);
    CMP_COPY(m->key_mpos + 3 * m->nmocap * i, key->mpos, 3 * m->nmocap);
    CMP_COPY(m->key_mquat + 4 * m->nmocap * i, key->mquat, 4 * m->nmocap);
    CMP_COPY(m->key_ctrl + m->nu * i, key->ctrl, m->nu);

    // unit quaternions
    for (int j = 0; j < m->njnt; j++) {
      const int type = m->jnt_type[j];
      if (type != mjJNT_BALL && type != mjJNT_FREE) continue;
      spc_normalize(m->key_qpos + m->nq * i + m->jnt_qposadr[j] + (type == mjJNT_FREE ? 3 : 0), 4);
    }
    for (int k = 0; k < m->nmocap; k++) spc_normalize(m->key_mquat + 4 * (m->nmocap * i + k), 4);
  }
}

void cmp_copyObjects(Cmp* c, mjModel* m) {
  BAS_ASSERT(c->stage == CMP_RESOLVED);
  copyContacts(c, m);
  copyEqualities(c, m);
  copyTendons(c, m);
  copyActuatorsSensors(c, m);
  copyCustom(c, m);
  copyKeys(c, m);
}

// -------------------------------------------------------------------------------------------- plugins

void cmp_copyPlugins(Cmp* c, mjModel* m) {
  int adr = 0;
  for (int i = 0; i < m->nplugin; i++) {
    const CmpPluginInstance* const instance = CMP_AT(c, SPC_PLUGIN, CmpPluginInstance, i);
    m->plugin[i] = instance->slot;
    m->plugin_attradr[i] = adr;
    memcpy(m->plugin_attr + adr, instance->attributes, (size_t)instance->nattributes);
    adr += instance->nattributes;
  }

  // plugins count their states and the data of their sensors, for which they look at the model
  for (int i = 0; i < m->nsensor; i++) m->sensor_plugin[i] = CMP_AT(c, SPC_SENSOR, CmpSensor, i)->plugin;
  for (int i = 0; i < m->nu; i++) m->actuator_plugin[i] = CMP_AT(c, SPC_ACTUATOR, CmpActuator, i)->plugin;
  int state = 0;
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* const plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (!plugin->nstate) cmp_fail(c, NULL, "`nstate` is null for plugin at slot %d", m->plugin[i]);
    m->plugin_stateadr[i] = state;
    m->plugin_statenum[i] = plugin->nstate(m, i);
    state += m->plugin_statenum[i];
    if (!(plugin->capabilityflags & mjPLUGIN_SENSOR)) continue;
    for (int k = 0; k < m->nsensor; k++) {
      CmpSensor* const sensor = CMP_AT(c, SPC_SENSOR, CmpSensor, k);
      if (sensor->plugin != i) continue;
      if (!plugin->nsensordata) cmp_fail(c, NULL, "`nsensordata` is null for plugin at slot %d", m->plugin[i]);
      sensor->s.dim = plugin->nsensordata(m, i, k);
      m->nsensordata += sensor->s.dim;
      if (sensor->s.nsample > 0) m->nhistory += (mjtSize)sensor->s.nsample * sensor->s.dim;
    }
  }
  m->npluginstate = state;
}
