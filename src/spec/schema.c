// The tree of MJCF elements: which may stand where, how often, and with which rows. See schema.h.
#include "spec/schema.h"

// clang-format off
#define S(a) {#a, SPC_A_SPECIAL, 0, 0, 0, 0, NULL}
#define END {NULL, SPC_A_END, 0, 0, 0, 0, NULL}
#define NONE {NULL, 0, NULL, NULL}

static const SpcAttributeRow noRows[] = {END};
static const SpcAttributeRow modelRows[] = {S(model), END};
static const SpcAttributeRow classRows[] = {S(class), END};
static const SpcAttributeRow pluginRows[] = {S(plugin), S(instance), END};
static const SpcAttributeRow configRows[] = {S(key), S(value), END};
static const SpcAttributeRow instanceRows[] = {S(name), END};
static const SpcAttributeRow extensionPluginRows[] = {S(plugin), END};

static const SpcRule configRule[] = {{"config", '*', configRows, NULL}, NONE};
static const SpcRule pluginRule[] = {{"plugin", '*', pluginRows, configRule}, NONE};

// -------------------------------------------------------------------------------------------- sections of options

static const SpcRule compilerRules[] = {{"lengthrange", '?', spc_rowsLengthrange, NULL}, NONE};
static const SpcRule optionRules[] = {{"flag", '?', spc_rowsFlag, NULL}, NONE};
static const SpcRule visualRules[] = {
    {"global", '?', spc_rowsVisualGlobal, NULL}, {"quality", '?', spc_rowsVisualQuality, NULL},
    {"headlight", '?', spc_rowsVisualHeadlight, NULL}, {"map", '?', spc_rowsVisualMap, NULL},
    {"scale", '?', spc_rowsVisualScale, NULL}, {"rgba", '?', spc_rowsVisualRgba, NULL}, NONE};

// -------------------------------------------------------------------------------------------- defaults, extension, custom

static const SpcRule layerRule[] = {{"layer", '*', spc_rowsLayer, NULL}, NONE};
const SpcRule spc_defaultRules[] = {
    {"mesh", '?', spc_rowsMesh, NULL}, {"material", '?', spc_rowsMaterial, layerRule}, {"joint", '?', spc_rowsJoint, NULL},
    {"geom", '?', spc_rowsGeom, NULL}, {"site", '?', spc_rowsSite, NULL}, {"camera", '?', spc_rowsCamera, NULL},
    {"light", '?', spc_rowsLight, NULL}, {"pair", '?', spc_rowsPair, NULL}, {"equality", '?', spc_rowsConnect, NULL},
    {"tendon", '?', spc_rowsSpatial, NULL}, {"general", '?', spc_rowsGeneral, NULL}, {"motor", '?', spc_rowsMotor, NULL},
    {"position", '?', spc_rowsPosition, NULL}, {"velocity", '?', spc_rowsVelocity, NULL},
    {"intvelocity", '?', spc_rowsIntvelocity, NULL}, {"damper", '?', spc_rowsDamper, NULL},
    {"cylinder", '?', spc_rowsCylinder, NULL}, {"muscle", '?', spc_rowsMuscle, NULL}, {"adhesion", '?', spc_rowsAdhesion, NULL},
    {"default", '*', classRows, spc_defaultRules}, NONE};

static const SpcRule instanceRule[] = {{"instance", '*', instanceRows, configRule}, NONE};
static const SpcRule extensionRules[] = {{"plugin", '*', extensionPluginRows, instanceRule}, NONE};
static const SpcRule tupleRule[] = {{"element", '*', spc_rowsTupleElement, NULL}, NONE};
static const SpcRule customRules[] = {
    {"numeric", '*', spc_rowsNumeric, NULL}, {"text", '*', spc_rowsTextElement, NULL}, {"tuple", '*', spc_rowsTuple, tupleRule}, NONE};

// -------------------------------------------------------------------------------------------- assets and bodies

static const SpcRule boneRule[] = {{"bone", '*', spc_rowsBone, NULL}, NONE};
static const SpcRule assetRules[] = {
    {"mesh", '*', spc_rowsMesh, pluginRule}, {"hfield", '*', spc_rowsHfield, NULL}, {"skin", '*', spc_rowsSkin, boneRule},
    {"texture", '*', spc_rowsTexture, NULL}, {"material", '*', spc_rowsMaterial, layerRule}, {"model", '*', spc_rowsModel, NULL}, NONE};

static const SpcAttributeRow compositeRows[] = {
    S(prefix), S(type), S(count), S(offset), S(vertex), S(initial), S(curve), S(size), S(quat), END};
static const SpcAttributeRow compositeJointRows[] = {
    S(kind), S(group), S(stiffness), S(damping), S(armature), S(solreffix), S(solimpfix), S(type), S(axis), S(limited),
    S(range), S(margin), S(solreflimit), S(solimplimit), S(frictionloss), S(solreffriction), S(solimpfriction), END};
static const SpcAttributeRow compositeSkinRows[] = {S(texcoord), S(material), S(group), S(rgba), S(inflate), S(subgrid), END};
static const SpcAttributeRow compositeGeomRows[] = {
    S(type), S(contype), S(conaffinity), S(condim), S(group), S(priority), S(size), S(material), S(rgba), S(friction), S(mass),
    S(density), S(solmix), S(solref), S(solimp), S(margin), S(gap), END};
static const SpcAttributeRow compositeSiteRows[] = {S(group), S(size), S(material), S(rgba), END};
static const SpcRule compositeRules[] = {
    {"joint", '*', compositeJointRows, NULL}, {"skin", '?', compositeSkinRows, NULL}, {"geom", '?', compositeGeomRows, NULL},
    {"site", '?', compositeSiteRows, NULL}, {"plugin", '*', pluginRows, configRule}, NONE};

static const SpcAttributeRow flexcompEdgeRows[] = {S(equality), S(solref), S(solimp), S(stiffness), S(damping), END};
static const SpcAttributeRow pinRows[] = {S(id), S(range), S(grid), S(gridrange), END};
static const SpcRule flexcompRules[] = {
    {"edge", '?', flexcompEdgeRows, NULL}, {"elasticity", '?', spc_rowsElasticity, NULL}, {"contact", '?', spc_rowsFlexContact, NULL},
    {"pin", '*', pinRows, NULL}, {"plugin", '*', pluginRows, configRule}, NONE};
static const SpcRule flexRules[] = {
    {"contact", '?', spc_rowsFlexContact, NULL}, {"edge", '?', spc_rowsFlexEdge, NULL}, {"elasticity", '?', spc_rowsElasticity, NULL}, NONE};
static const SpcRule deformableRules[] = {{"flex", '*', spc_rowsFlex, flexRules}, {"skin", '*', spc_rowsSkin, boneRule}, NONE};

const SpcRule spc_bodyRules[] = {
    {"inertial", '?', spc_rowsInertial, NULL}, {"joint", '*', spc_rowsJoint, NULL}, {"freejoint", '*', spc_rowsFreejoint, NULL},
    {"geom", '*', spc_rowsGeom, pluginRule}, {"attach", '*', spc_rowsAttach, NULL}, {"site", '*', spc_rowsSite, NULL},
    {"camera", '*', spc_rowsCamera, NULL}, {"light", '*', spc_rowsLight, NULL}, {"plugin", '*', pluginRows, configRule},
    {"composite", '*', compositeRows, compositeRules}, {"flexcomp", '*', spc_rowsFlexcomp, flexcompRules},
    {"body", '*', spc_rowsBody, spc_bodyRules}, {"frame", '*', spc_rowsFrame, spc_bodyRules},
    {"replicate", '*', spc_rowsReplicate, spc_bodyRules}, NONE};

// -------------------------------------------------------------------------------------------- the other sections

static const SpcRule contactRules[] = {{"pair", '*', spc_rowsPair, NULL}, {"exclude", '*', spc_rowsExclude, NULL}, NONE};
static const SpcRule equalityRules[] = {
    {"connect", '*', spc_rowsConnect, NULL}, {"weld", '*', spc_rowsWeld, NULL}, {"joint", '*', spc_rowsEqJoint, NULL},
    {"tendon", '*', spc_rowsEqTendon, NULL}, {"flex", '*', spc_rowsEqFlex, NULL}, {"flexvert", '*', spc_rowsEqFlex, NULL}, NONE};

static const SpcAttributeRow wrapSiteRows[] = {S(site), END};
static const SpcAttributeRow wrapGeomRows[] = {S(geom), S(sidesite), END};
static const SpcAttributeRow wrapPulleyRows[] = {S(divisor), END};
static const SpcAttributeRow wrapJointRows[] = {S(joint), S(coef), END};
static const SpcRule spatialRules[] = {
    {"site", '*', wrapSiteRows, NULL}, {"geom", '*', wrapGeomRows, NULL}, {"pulley", '*', wrapPulleyRows, NULL}, NONE};
static const SpcRule fixedRules[] = {{"joint", '*', wrapJointRows, NULL}, NONE};
static const SpcRule tendonRules[] = {{"spatial", '*', spc_rowsSpatial, spatialRules}, {"fixed", '*', spc_rowsFixed, fixedRules}, NONE};

static const SpcRule actuatorRules[] = {
    {"general", '*', spc_rowsGeneral, NULL}, {"motor", '*', spc_rowsMotor, NULL}, {"position", '*', spc_rowsPosition, NULL},
    {"velocity", '*', spc_rowsVelocity, NULL}, {"intvelocity", '*', spc_rowsIntvelocity, NULL}, {"damper", '*', spc_rowsDamper, NULL},
    {"cylinder", '*', spc_rowsCylinder, NULL}, {"muscle", '*', spc_rowsMuscle, NULL}, {"adhesion", '*', spc_rowsAdhesion, NULL},
    {"plugin", '*', spc_rowsActPlugin, configRule}, NONE};

#define SENSOR S(name), S(cutoff), S(noise), S(user), S(nsample), S(interp), S(delay), S(interval)
#define SENSOR_ROWS(name, ...) static const SpcAttributeRow sensor##name[] = {SENSOR, __VA_ARGS__, END}
SENSOR_ROWS(Site, S(site));
SENSOR_ROWS(Joint, S(joint));
SENSOR_ROWS(Tendon, S(tendon));
SENSOR_ROWS(Actuator, S(actuator));
SENSOR_ROWS(Body, S(body));
SENSOR_ROWS(Camera, S(site), S(camera));
SENSOR_ROWS(Range, S(site), S(camera), S(data));
SENSOR_ROWS(Frame, S(objtype), S(objname), S(reftype), S(refname));
SENSOR_ROWS(FrameAcc, S(objtype), S(objname));
SENSOR_ROWS(Inside, S(site), S(objtype), S(objname));
SENSOR_ROWS(Pair, S(geom1), S(geom2), S(body1), S(body2));
SENSOR_ROWS(Contact, S(geom1), S(geom2), S(body1), S(body2), S(subtree1), S(subtree2), S(site), S(num), S(data), S(reduce));
static const SpcAttributeRow sensorNone[] = {SENSOR, END};
static const SpcAttributeRow sensorTactile[] = {S(name), S(geom), S(mesh), S(user), S(nsample), S(interp), S(delay), S(interval), END};
static const SpcAttributeRow sensorUser[] = {
    S(name), S(objtype), S(objname), S(datatype), S(needstage), S(dim), S(cutoff), S(noise), S(user), END};
static const SpcAttributeRow sensorPlugin[] = {
    S(name), S(plugin), S(instance), S(cutoff), S(objtype), S(objname), S(reftype), S(refname), S(user), END};

static const SpcRule sensorRules[] = {
    {"touch", '*', sensorSite, NULL}, {"accelerometer", '*', sensorSite, NULL}, {"velocimeter", '*', sensorSite, NULL},
    {"gyro", '*', sensorSite, NULL}, {"force", '*', sensorSite, NULL}, {"torque", '*', sensorSite, NULL},
    {"magnetometer", '*', sensorSite, NULL}, {"camprojection", '*', sensorCamera, NULL}, {"rangefinder", '*', sensorRange, NULL},
    {"jointpos", '*', sensorJoint, NULL}, {"jointvel", '*', sensorJoint, NULL}, {"tendonpos", '*', sensorTendon, NULL},
    {"tendonvel", '*', sensorTendon, NULL}, {"actuatorpos", '*', sensorActuator, NULL}, {"actuatorvel", '*', sensorActuator, NULL},
    {"actuatorfrc", '*', sensorActuator, NULL}, {"jointactuatorfrc", '*', sensorJoint, NULL},
    {"tendonactuatorfrc", '*', sensorTendon, NULL}, {"ballquat", '*', sensorJoint, NULL}, {"ballangvel", '*', sensorJoint, NULL},
    {"jointlimitpos", '*', sensorJoint, NULL}, {"jointlimitvel", '*', sensorJoint, NULL}, {"jointlimitfrc", '*', sensorJoint, NULL},
    {"tendonlimitpos", '*', sensorTendon, NULL}, {"tendonlimitvel", '*', sensorTendon, NULL},
    {"tendonlimitfrc", '*', sensorTendon, NULL}, {"framepos", '*', sensorFrame, NULL}, {"framequat", '*', sensorFrame, NULL},
    {"framexaxis", '*', sensorFrame, NULL}, {"frameyaxis", '*', sensorFrame, NULL}, {"framezaxis", '*', sensorFrame, NULL},
    {"framelinvel", '*', sensorFrame, NULL}, {"frameangvel", '*', sensorFrame, NULL}, {"framelinacc", '*', sensorFrameAcc, NULL},
    {"frameangacc", '*', sensorFrameAcc, NULL}, {"subtreecom", '*', sensorBody, NULL}, {"subtreelinvel", '*', sensorBody, NULL},
    {"subtreeangmom", '*', sensorBody, NULL}, {"insidesite", '*', sensorInside, NULL}, {"distance", '*', sensorPair, NULL},
    {"normal", '*', sensorPair, NULL}, {"fromto", '*', sensorPair, NULL}, {"contact", '*', sensorContact, NULL},
    {"e_potential", '*', sensorNone, NULL}, {"e_kinetic", '*', sensorNone, NULL}, {"clock", '*', sensorNone, NULL},
    {"tactile", '*', sensorTactile, NULL}, {"user", '*', sensorUser, NULL}, {"plugin", '*', sensorPlugin, configRule}, NONE};

static const SpcRule keyframeRules[] = {{"key", '*', spc_rowsKey, NULL}, NONE};

static const SpcRule sections[] = {
    {"compiler", '*', spc_rowsCompiler, compilerRules}, {"option", '*', spc_rowsOption, optionRules}, {"size", '*', spc_rowsSize, NULL},
    {"visual", '*', noRows, visualRules}, {"statistic", '*', spc_rowsStatistic, NULL}, {"default", '*', classRows, spc_defaultRules},
    {"extension", '*', noRows, extensionRules}, {"custom", '*', noRows, customRules}, {"asset", '*', noRows, assetRules},
    {"worldbody", '*', spc_rowsBody, spc_bodyRules}, {"deformable", '*', noRows, deformableRules}, {"contact", '*', noRows, contactRules},
    {"equality", '*', noRows, equalityRules}, {"tendon", '*', noRows, tendonRules}, {"actuator", '*', noRows, actuatorRules},
    {"sensor", '*', noRows, sensorRules}, {"keyframe", '*', noRows, keyframeRules}, NONE};

const SpcRule spc_root = {"mujoco", '!', modelRows, sections};
// clang-format on
