// The table of element kinds and, per kind, of the strings and vectors in its mjs struct.
#include <stddef.h>

#include "spec/element.h"

#define FIELD(type, member, is) \
  { offsetof(type, member), is }
#define END \
  { 0, 0xff }
#define PLUGIN_FIELDS(type)                                                          \
  FIELD(type, plugin.name, SPC_STRING), FIELD(type, plugin.plugin_name, SPC_STRING), \
      FIELD(type, plugin.info, SPC_STRING)

// clang-format off
static const SpcField bodyFields[] = {
    FIELD(mjsBody, childclass, SPC_STRING), FIELD(mjsBody, userdata, SPC_DOUBLES), PLUGIN_FIELDS(mjsBody),
    FIELD(mjsBody, info, SPC_STRING), END};
static const SpcField frameFields[] = {FIELD(mjsFrame, childclass, SPC_STRING), FIELD(mjsFrame, info, SPC_STRING), END};
static const SpcField jointFields[] = {FIELD(mjsJoint, userdata, SPC_DOUBLES), FIELD(mjsJoint, info, SPC_STRING), END};
static const SpcField geomFields[] = {
    FIELD(mjsGeom, material, SPC_STRING), FIELD(mjsGeom, hfieldname, SPC_STRING), FIELD(mjsGeom, meshname, SPC_STRING),
    FIELD(mjsGeom, userdata, SPC_DOUBLES), PLUGIN_FIELDS(mjsGeom), FIELD(mjsGeom, info, SPC_STRING), END};
static const SpcField siteFields[] = {
    FIELD(mjsSite, material, SPC_STRING), FIELD(mjsSite, userdata, SPC_DOUBLES), FIELD(mjsSite, info, SPC_STRING), END};
static const SpcField cameraFields[] = {
    FIELD(mjsCamera, targetbody, SPC_STRING), FIELD(mjsCamera, userdata, SPC_DOUBLES),
    FIELD(mjsCamera, info, SPC_STRING), END};
static const SpcField lightFields[] = {
    FIELD(mjsLight, targetbody, SPC_STRING), FIELD(mjsLight, texture, SPC_STRING), FIELD(mjsLight, info, SPC_STRING), END};
static const SpcField flexFields[] = {
    FIELD(mjsFlex, material, SPC_STRING), FIELD(mjsFlex, nodebody, SPC_STRINGS), FIELD(mjsFlex, vertbody, SPC_STRINGS),
    FIELD(mjsFlex, node, SPC_DOUBLES), FIELD(mjsFlex, vert, SPC_DOUBLES), FIELD(mjsFlex, elem, SPC_INTS),
    FIELD(mjsFlex, texcoord, SPC_FLOATS), FIELD(mjsFlex, elemtexcoord, SPC_INTS), FIELD(mjsFlex, info, SPC_STRING), END};
static const SpcField meshFields[] = {
    FIELD(mjsMesh, content_type, SPC_STRING), FIELD(mjsMesh, file, SPC_STRING), FIELD(mjsMesh, uservert, SPC_FLOATS),
    FIELD(mjsMesh, usernormal, SPC_FLOATS), FIELD(mjsMesh, usertexcoord, SPC_FLOATS), FIELD(mjsMesh, userface, SPC_INTS),
    FIELD(mjsMesh, userfacenormal, SPC_INTS), FIELD(mjsMesh, userfacetexcoord, SPC_INTS), PLUGIN_FIELDS(mjsMesh),
    FIELD(mjsMesh, material, SPC_STRING), FIELD(mjsMesh, info, SPC_STRING), END};
static const SpcField skinFields[] = {
    FIELD(mjsSkin, file, SPC_STRING), FIELD(mjsSkin, material, SPC_STRING), FIELD(mjsSkin, vert, SPC_FLOATS),
    FIELD(mjsSkin, texcoord, SPC_FLOATS), FIELD(mjsSkin, face, SPC_INTS), FIELD(mjsSkin, bodyname, SPC_STRINGS),
    FIELD(mjsSkin, bindpos, SPC_FLOATS), FIELD(mjsSkin, bindquat, SPC_FLOATS), FIELD(mjsSkin, vertid, SPC_INTVECS),
    FIELD(mjsSkin, vertweight, SPC_FLOATVECS), FIELD(mjsSkin, info, SPC_STRING), END};
static const SpcField hfieldFields[] = {
    FIELD(mjsHField, content_type, SPC_STRING), FIELD(mjsHField, file, SPC_STRING), FIELD(mjsHField, userdata, SPC_FLOATS),
    FIELD(mjsHField, info, SPC_STRING), END};
static const SpcField textureFields[] = {
    FIELD(mjsTexture, content_type, SPC_STRING), FIELD(mjsTexture, file, SPC_STRING),
    FIELD(mjsTexture, cubefiles, SPC_STRINGS), FIELD(mjsTexture, data, SPC_BYTES), FIELD(mjsTexture, info, SPC_STRING), END};
static const SpcField materialFields[] = {
    FIELD(mjsMaterial, textures, SPC_STRINGS), FIELD(mjsMaterial, info, SPC_STRING), END};
static const SpcField pairFields[] = {
    FIELD(mjsPair, geomname1, SPC_STRING), FIELD(mjsPair, geomname2, SPC_STRING), FIELD(mjsPair, info, SPC_STRING), END};
static const SpcField excludeFields[] = {
    FIELD(mjsExclude, bodyname1, SPC_STRING), FIELD(mjsExclude, bodyname2, SPC_STRING),
    FIELD(mjsExclude, info, SPC_STRING), END};
static const SpcField equalityFields[] = {
    FIELD(mjsEquality, name1, SPC_STRING), FIELD(mjsEquality, name2, SPC_STRING), FIELD(mjsEquality, info, SPC_STRING), END};
static const SpcField tendonFields[] = {
    FIELD(mjsTendon, material, SPC_STRING), FIELD(mjsTendon, userdata, SPC_DOUBLES), FIELD(mjsTendon, info, SPC_STRING), END};
static const SpcField wrapFields[] = {FIELD(mjsWrap, info, SPC_STRING), END};
static const SpcField actuatorFields[] = {
    FIELD(mjsActuator, target, SPC_STRING), FIELD(mjsActuator, refsite, SPC_STRING),
    FIELD(mjsActuator, slidersite, SPC_STRING), FIELD(mjsActuator, userdata, SPC_DOUBLES), PLUGIN_FIELDS(mjsActuator),
    FIELD(mjsActuator, info, SPC_STRING), END};
static const SpcField sensorFields[] = {
    FIELD(mjsSensor, objname, SPC_STRING), FIELD(mjsSensor, refname, SPC_STRING), FIELD(mjsSensor, userdata, SPC_DOUBLES),
    PLUGIN_FIELDS(mjsSensor), FIELD(mjsSensor, info, SPC_STRING), END};
static const SpcField numericFields[] = {FIELD(mjsNumeric, data, SPC_DOUBLES), FIELD(mjsNumeric, info, SPC_STRING), END};
static const SpcField textFields[] = {FIELD(mjsText, data, SPC_STRING), FIELD(mjsText, info, SPC_STRING), END};
static const SpcField tupleFields[] = {
    FIELD(mjsTuple, objtype, SPC_INTS), FIELD(mjsTuple, objname, SPC_STRINGS), FIELD(mjsTuple, objprm, SPC_DOUBLES),
    FIELD(mjsTuple, info, SPC_STRING), END};
static const SpcField keyFields[] = {
    FIELD(mjsKey, qpos, SPC_DOUBLES), FIELD(mjsKey, qvel, SPC_DOUBLES), FIELD(mjsKey, act, SPC_DOUBLES),
    FIELD(mjsKey, mpos, SPC_DOUBLES), FIELD(mjsKey, mquat, SPC_DOUBLES), FIELD(mjsKey, ctrl, SPC_DOUBLES),
    FIELD(mjsKey, info, SPC_STRING), END};
static const SpcField pluginFields[] = {
    FIELD(mjsPlugin, name, SPC_STRING), FIELD(mjsPlugin, plugin_name, SPC_STRING), FIELD(mjsPlugin, info, SPC_STRING), END};
static const SpcField defaultFields[] = {END};
static const SpcField modelFields[] = {
    FIELD(mjSpec, modelname, SPC_STRING), FIELD(mjSpec, compiler.meshdir, SPC_STRING),
    FIELD(mjSpec, compiler.texturedir, SPC_STRING), FIELD(mjSpec, comment, SPC_STRING),
    FIELD(mjSpec, modelfiledir, SPC_STRING), END};

// the mjs_default functions take typed pointers
#define FILL(Name) static void fill##Name(void* spec) { mjs_default##Name(spec); }
FILL(Body) FILL(Frame) FILL(Joint) FILL(Geom) FILL(Site) FILL(Camera) FILL(Light) FILL(Flex) FILL(Mesh) FILL(Skin)
FILL(HField) FILL(Texture) FILL(Material) FILL(Pair) FILL(Equality) FILL(Tendon) FILL(Actuator) FILL(Sensor)
FILL(Numeric) FILL(Text) FILL(Tuple) FILL(Key) FILL(Plugin)
#undef FILL

#define PLAIN(Type) sizeof(SpcPlain), sizeof(Type)
#define IN_CLASS(member) offsetof(mjsDefault, member)

const SpcKind spc_kinds[SPC_KINDS] = {
    [SPC_BODY]     = {"body",     mjOBJ_BODY,     sizeof(SpcBody), sizeof(mjsBody), fillBody, bodyFields, -1},
    [SPC_FRAME]    = {"frame",    mjOBJ_FRAME,    sizeof(SpcFrame), sizeof(mjsFrame), fillFrame, frameFields, -1},
    [SPC_JOINT]    = {"joint",    mjOBJ_JOINT,    PLAIN(mjsJoint), fillJoint, jointFields, IN_CLASS(joint)},
    [SPC_GEOM]     = {"geom",     mjOBJ_GEOM,     PLAIN(mjsGeom), fillGeom, geomFields, IN_CLASS(geom)},
    [SPC_SITE]     = {"site",     mjOBJ_SITE,     PLAIN(mjsSite), fillSite, siteFields, IN_CLASS(site)},
    [SPC_CAMERA]   = {"camera",   mjOBJ_CAMERA,   PLAIN(mjsCamera), fillCamera, cameraFields, IN_CLASS(camera)},
    [SPC_LIGHT]    = {"light",    mjOBJ_LIGHT,    PLAIN(mjsLight), fillLight, lightFields, IN_CLASS(light)},
    [SPC_FLEX]     = {"flex",     mjOBJ_FLEX,     PLAIN(mjsFlex), fillFlex, flexFields, IN_CLASS(flex)},
    [SPC_MESH]     = {"mesh",     mjOBJ_MESH,     PLAIN(mjsMesh), fillMesh, meshFields, IN_CLASS(mesh)},
    [SPC_SKIN]     = {"skin",     mjOBJ_SKIN,     PLAIN(mjsSkin), fillSkin, skinFields, -1},
    [SPC_HFIELD]   = {"hfield",   mjOBJ_HFIELD,   PLAIN(mjsHField), fillHField, hfieldFields, -1},
    [SPC_TEXTURE]  = {"texture",  mjOBJ_TEXTURE,  PLAIN(mjsTexture), fillTexture, textureFields, -1},
    [SPC_MATERIAL] = {"material", mjOBJ_MATERIAL, PLAIN(mjsMaterial), fillMaterial, materialFields, IN_CLASS(material)},
    [SPC_PAIR]     = {"pair",     mjOBJ_PAIR,     PLAIN(mjsPair), fillPair, pairFields, IN_CLASS(pair)},
    [SPC_EXCLUDE]  = {"exclude",  mjOBJ_EXCLUDE,  PLAIN(mjsExclude), NULL, excludeFields, -1},
    [SPC_EQUALITY] = {"equality", mjOBJ_EQUALITY, PLAIN(mjsEquality), fillEquality, equalityFields, IN_CLASS(equality)},
    [SPC_TENDON]   = {"tendon",   mjOBJ_TENDON,   sizeof(SpcTendon), sizeof(mjsTendon), fillTendon, tendonFields, IN_CLASS(tendon)},
    [SPC_WRAP]     = {"wrap",     mjOBJ_UNKNOWN,  sizeof(SpcWrap), sizeof(mjsWrap), NULL, wrapFields, -1},
    [SPC_ACTUATOR] = {"actuator", mjOBJ_ACTUATOR, PLAIN(mjsActuator), fillActuator, actuatorFields, IN_CLASS(actuator)},
    [SPC_SENSOR]   = {"sensor",   mjOBJ_SENSOR,   PLAIN(mjsSensor), fillSensor, sensorFields, -1},
    [SPC_NUMERIC]  = {"numeric",  mjOBJ_NUMERIC,  PLAIN(mjsNumeric), fillNumeric, numericFields, -1},
    [SPC_TEXT]     = {"text",     mjOBJ_TEXT,     PLAIN(mjsText), fillText, textFields, -1},
    [SPC_TUPLE]    = {"tuple",    mjOBJ_TUPLE,    PLAIN(mjsTuple), fillTuple, tupleFields, -1},
    [SPC_KEY]      = {"key",      mjOBJ_KEY,      PLAIN(mjsKey), fillKey, keyFields, -1},
    [SPC_PLUGIN]   = {"plugin",   mjOBJ_PLUGIN,   sizeof(SpcPlugin), sizeof(mjsPlugin), fillPlugin, pluginFields, -1},
    [SPC_DEFAULT]  = {"default",  mjOBJ_DEFAULT,  sizeof(SpcDefault), sizeof(mjsDefault), NULL, defaultFields, -1},
    [SPC_MODEL]    = {"model",    mjOBJ_MODEL,    sizeof(SpcModel), sizeof(mjSpec), NULL, modelFields, -1},
};
// clang-format on
