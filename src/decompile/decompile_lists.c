// From a compiled model to a spec: what is not in the tree.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decompile/decompile.h"

// -------------------------------------------------------------------------------------------- constraints

void dec_contacts(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->npair; i++) {
    mjsPair* const pair = mjs_addPair(c->spec, NULL);
    dec_keep(c, mjOBJ_PAIR, i, pair->element);
    mjs_setString(pair->geomname1, dec_name(c, mjOBJ_GEOM, m->pair_geom1[i]));
    mjs_setString(pair->geomname2, dec_name(c, mjOBJ_GEOM, m->pair_geom2[i]));
    pair->condim = m->pair_dim[i];
    DEC_TAKE(pair->solref, m->pair_solref);
    DEC_TAKE(pair->solreffriction, m->pair_solreffriction);
    DEC_TAKE(pair->solimp, m->pair_solimp);
    DEC_TAKE(pair->friction, m->pair_friction);
    pair->margin = m->pair_margin[i];
    pair->gap = m->pair_gap[i];
  }
  for (int i = 0; i < (int)m->nexclude; i++) {
    mjsExclude* const exclude = mjs_addExclude(c->spec);
    dec_keep(c, mjOBJ_EXCLUDE, i, exclude->element);
    // two ids of bodies in one number
    mjs_setString(exclude->bodyname1, dec_name(c, mjOBJ_BODY, m->exclude_signature[i] >> 16));
    mjs_setString(exclude->bodyname2, dec_name(c, mjOBJ_BODY, m->exclude_signature[i] & 0xffff));
  }
}

void dec_equalities(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->neq; i++) {
    mjsEquality* const equality = mjs_addEquality(c->spec, NULL);
    dec_keep(c, mjOBJ_EQUALITY, i, equality->element);
    equality->type = (mjtEq)m->eq_type[i];
    equality->objtype = (mjtObj)m->eq_objtype[i];
    // the type of objects is stored only where there is a choice
    static const int kind[] = {[mjEQ_JOINT] = mjOBJ_JOINT,
                               [mjEQ_TENDON] = mjOBJ_TENDON,
                               [mjEQ_FLEX] = mjOBJ_FLEX,
                               [mjEQ_FLEXVERT] = mjOBJ_FLEX,
                               [mjEQ_DISTANCE] = 0};
    const int type = kind[equality->type] ? kind[equality->type] : (int)equality->objtype;
    mjs_setString(equality->name1, dec_name(c, type, m->eq_obj1id[i]));
    // a body that is tied to the world has no second name
    const int toWorld = type == mjOBJ_BODY && m->eq_obj2id[i] == 0;
    if (!toWorld) mjs_setString(equality->name2, dec_name(c, type, m->eq_obj2id[i]));
    DEC_TAKE(equality->data, m->eq_data);
    equality->active = m->eq_active0[i];
    DEC_TAKE(equality->solref, m->eq_solref);
    DEC_TAKE(equality->solimp, m->eq_solimp);
  }
}

// -------------------------------------------------------------------------------------------- tendons

static void addPath(Decompiler* c, mjsTendon* tendon, int i) {
  const mjModel* const m = c->m;
  for (int k = m->tendon_adr[i]; k < m->tendon_adr[i] + m->tendon_num[i]; k++) {
    const int id = m->wrap_objid[k];
    switch (m->wrap_type[k]) {
      case mjWRAP_JOINT:
        mjs_wrapJoint(tendon, dec_name(c, mjOBJ_JOINT, id), m->wrap_prm[k]);
        break;
      case mjWRAP_PULLEY:
        mjs_wrapPulley(tendon, m->wrap_prm[k]);
        break;
      case mjWRAP_SITE:
        mjs_wrapSite(tendon, dec_name(c, mjOBJ_SITE, id));
        break;
      default: {
        // two names at a time: the first is copied
        char side[96];
        snprintf(side, sizeof(side), "%s", dec_name(c, mjOBJ_SITE, (int)m->wrap_prm[k]));
        mjs_wrapGeom(tendon, dec_name(c, mjOBJ_GEOM, id), side);
      }
    }
  }
}

void dec_tendons(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->ntendon; i++) {
    mjsTendon* const tendon = mjs_addTendon(c->spec, NULL);
    dec_keep(c, mjOBJ_TENDON, i, tendon->element);
    addPath(c, tendon, i);
    tendon->stiffness = m->tendon_stiffness[i];
    tendon->damping = m->tendon_damping[i];
    tendon->frictionloss = m->tendon_frictionloss[i];
    tendon->armature = m->tendon_armature[i];
    DEC_TAKE(tendon->springlength, m->tendon_lengthspring);
    DEC_TAKE(tendon->solref_friction, m->tendon_solref_fri);
    DEC_TAKE(tendon->solimp_friction, m->tendon_solimp_fri);
    tendon->limited = m->tendon_limited[i];
    DEC_TAKE(tendon->range, m->tendon_range);
    tendon->actfrclimited = m->tendon_actfrclimited[i];
    DEC_TAKE(tendon->actfrcrange, m->tendon_actfrcrange);
    tendon->margin = m->tendon_margin[i];
    DEC_TAKE(tendon->solref_limit, m->tendon_solref_lim);
    DEC_TAKE(tendon->solimp_limit, m->tendon_solimp_lim);
    mjs_setString(tendon->material, dec_name(c, mjOBJ_MATERIAL, m->tendon_matid[i]));
    tendon->width = m->tendon_width[i];
    DEC_TAKE(tendon->rgba, m->tendon_rgba);
    tendon->group = m->tendon_group[i];
    mjs_setDouble(tendon->userdata, m->tendon_user + i * m->nuser_tendon, m->nuser_tendon);
  }
}

// -------------------------------------------------------------------------------------------- actuators

// what an actuator pulls on, and the second site where it has one
static void setTarget(Decompiler* c, mjsActuator* actuator, int i) {
  const int* const id = c->m->actuator_trnid + 2 * i;
  switch (actuator->trntype) {
    case mjTRN_TENDON:
      mjs_setString(actuator->target, dec_name(c, mjOBJ_TENDON, id[0]));
      break;
    case mjTRN_SITE:
      mjs_setString(actuator->target, dec_name(c, mjOBJ_SITE, id[0]));
      mjs_setString(actuator->refsite, dec_name(c, mjOBJ_SITE, id[1]));
      break;
    case mjTRN_SLIDERCRANK:
      mjs_setString(actuator->target, dec_name(c, mjOBJ_SITE, id[0]));
      mjs_setString(actuator->slidersite, dec_name(c, mjOBJ_SITE, id[1]));
      break;
    case mjTRN_BODY:
      mjs_setString(actuator->target, dec_name(c, mjOBJ_BODY, id[0]));
      break;
    default:
      mjs_setString(actuator->target, dec_name(c, mjOBJ_JOINT, id[0]));
  }
}

void dec_actuators(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nu; i++) {
    mjsActuator* const actuator = mjs_addActuator(c->spec, NULL);
    dec_keep(c, mjOBJ_ACTUATOR, i, actuator->element);
    actuator->gaintype = (mjtGain)m->actuator_gaintype[i];
    DEC_TAKE(actuator->gainprm, m->actuator_gainprm);
    actuator->biastype = (mjtBias)m->actuator_biastype[i];
    DEC_TAKE(actuator->biasprm, m->actuator_biasprm);
    actuator->dyntype = (mjtDyn)m->actuator_dyntype[i];
    DEC_TAKE(actuator->dynprm, m->actuator_dynprm);
    if (m->actuator_actnum[i] > 1 || m->actuator_plugin[i] >= 0) actuator->actdim = m->actuator_actnum[i];
    actuator->actearly = m->actuator_actearly[i];
    actuator->trntype = (mjtTrn)m->actuator_trntype[i];
    setTarget(c, actuator, i);
    DEC_TAKE(actuator->gear, m->actuator_gear);
    actuator->cranklength = m->actuator_cranklength[i];
    DEC_TAKE(actuator->lengthrange, m->actuator_lengthrange);
    actuator->ctrllimited = m->actuator_ctrllimited[i];
    DEC_TAKE(actuator->ctrlrange, m->actuator_ctrlrange);
    actuator->forcelimited = m->actuator_forcelimited[i];
    DEC_TAKE(actuator->forcerange, m->actuator_forcerange);
    actuator->actlimited = m->actuator_actlimited[i];
    DEC_TAKE(actuator->actrange, m->actuator_actrange);
    actuator->group = m->actuator_group[i];
    dec_usePlugin(c, &actuator->plugin, m->actuator_plugin[i]);
    actuator->nsample = m->actuator_history[2 * i];
    actuator->interp = m->actuator_history[2 * i + 1];
    actuator->delay = m->actuator_delay[i];
    mjs_setDouble(actuator->userdata, m->actuator_user + i * m->nuser_actuator, m->nuser_actuator);
  }
}

// -------------------------------------------------------------------------------------------- sensors

void dec_sensors(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nsensor; i++) {
    mjsSensor* const sensor = mjs_addSensor(c->spec);
    dec_keep(c, mjOBJ_SENSOR, i, sensor->element);
    sensor->type = (mjtSensor)m->sensor_type[i];
    sensor->objtype = (mjtObj)m->sensor_objtype[i];
    mjs_setString(sensor->objname, dec_name(c, sensor->objtype, m->sensor_objid[i]));
    sensor->reftype = (mjtObj)m->sensor_reftype[i];
    mjs_setString(sensor->refname, dec_name(c, sensor->reftype, m->sensor_refid[i]));
    DEC_TAKE(sensor->intprm, m->sensor_intprm);
    sensor->datatype = (mjtDataType)m->sensor_datatype[i];
    sensor->needstage = (mjtStage)m->sensor_needstage[i];
    sensor->dim = m->sensor_dim[i];
    sensor->cutoff = m->sensor_cutoff[i];
    sensor->noise = m->sensor_noise[i];
    sensor->nsample = m->sensor_history[2 * i];
    sensor->interp = m->sensor_history[2 * i + 1];
    sensor->delay = m->sensor_delay[i];
    dec_usePlugin(c, &sensor->plugin, m->sensor_plugin[i]);
    DEC_TAKE(sensor->interval, m->sensor_interval);
    mjs_setDouble(sensor->userdata, m->sensor_user + i * m->nuser_sensor, m->nuser_sensor);
  }
}

// -------------------------------------------------------------------------------------------- custom, keyframes

static void addTuples(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->ntuple; i++) {
    mjsTuple* const tuple = mjs_addTuple(c->spec);
    dec_keep(c, mjOBJ_TUPLE, i, tuple->element);
    const int start = m->tuple_adr[i];
    mjs_setInt(tuple->objtype, m->tuple_objtype + start, m->tuple_size[i]);
    mjs_setDouble(tuple->objprm, m->tuple_objprm + start, m->tuple_size[i]);
    for (int k = 0; k < m->tuple_size[i]; k++) {
      mjs_appendString(tuple->objname, dec_name(c, m->tuple_objtype[start + k], m->tuple_objid[start + k]));
    }
  }
}

static void addKeyframes(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nkey; i++) {
    mjsKey* const key = mjs_addKey(c->spec);
    dec_keep(c, mjOBJ_KEY, i, key->element);
    key->time = m->key_time[i];
    mjs_setDouble(key->qpos, m->key_qpos + i * m->nq, (int)m->nq);
    mjs_setDouble(key->qvel, m->key_qvel + i * m->nv, (int)m->nv);
    mjs_setDouble(key->act, m->key_act + i * m->na, (int)m->na);
    mjs_setDouble(key->mpos, m->key_mpos + 3 * i * m->nmocap, 3 * (int)m->nmocap);
    mjs_setDouble(key->mquat, m->key_mquat + 4 * i * m->nmocap, 4 * (int)m->nmocap);
    mjs_setDouble(key->ctrl, m->key_ctrl + i * m->nu, (int)m->nu);
  }
}

void dec_custom(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nnumeric; i++) {
    mjsNumeric* const numeric = mjs_addNumeric(c->spec);
    dec_keep(c, mjOBJ_NUMERIC, i, numeric->element);
    numeric->size = m->numeric_size[i];
    mjs_setDouble(numeric->data, m->numeric_data + m->numeric_adr[i], m->numeric_size[i]);
  }
  for (int i = 0; i < (int)m->ntext; i++) {
    mjsText* const text = mjs_addText(c->spec);
    dec_keep(c, mjOBJ_TEXT, i, text->element);
    mjs_setString(text->data, m->text_data + m->text_adr[i]);
  }
  addTuples(c);
  addKeyframes(c);
}
