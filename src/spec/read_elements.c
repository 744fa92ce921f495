// Elements of MJCF that need more than their rows: orientations, sub-elements, alternatives.
#include <string.h>

#include "spec/read.h"

// sub-elements that say which plugin an element has
static void readPlugins(SpcReader* r, const XmlNode* node, mjsPlugin* plugin) {
  for (const XmlNode* child = node->first; child; child = child->next) {
    if (!strcmp(child->name, "plugin")) spc_readPlugin(r, child, plugin);
  }
}

void spc_readJoint(SpcReader* r, const XmlNode* node, mjsJoint* joint) {
  spc_readRows(r, node, spc_rowsJoint, joint, spc_head(joint->element));
}

void spc_readGeom(SpcReader* r, const XmlNode* node, mjsGeom* geom) {
  spc_readRows(r, node, spc_rowsGeom, geom, spc_head(geom->element));
  spc_readOrientation(r, node, geom->quat, &geom->alt);
  readPlugins(r, node, &geom->plugin);
}

void spc_readSite(SpcReader* r, const XmlNode* node, mjsSite* site) {
  spc_readRows(r, node, spc_rowsSite, site, spc_head(site->element));
  spc_readOrientation(r, node, site->quat, &site->alt);
}

void spc_readCamera(SpcReader* r, const XmlNode* node, mjsCamera* camera) {
  // a field of view and a sensor both say how wide the camera sees
  if (xml_attribute(node, "fovy") && xml_attribute(node, "sensorsize")) {
    spc_readFail(r, node, "either 'fovy' or 'sensorsize' attribute can be specified, not both");
  }
  spc_readRows(r, node, spc_rowsCamera, camera, spc_head(camera->element));
  spc_readOrientation(r, node, camera->quat, &camera->alt);
  if (camera->resolution[0] < 0 || camera->resolution[1] < 0) {
    spc_readFail(r, node, "camera resolution cannot be negative");
  }
}

void spc_readLight(SpcReader* r, const XmlNode* node, mjsLight* light) {
  int directional;
  const int legacy = spc_readWord(r, node, "directional", spc_wordsBool, &directional);
  if (legacy && xml_attribute(node, "type")) {
    spc_readFail(r, node, "type and directional cannot both be defined");
  }
  spc_readRows(r, node, spc_rowsLight, light, spc_head(light->element));
  if (legacy) light->type = directional ? mjLIGHT_DIRECTIONAL : mjLIGHT_SPOT;
}

void spc_readMesh(SpcReader* r, const XmlNode* node, mjsMesh* mesh) {
  spc_readRows(r, node, spc_rowsMesh, mesh, spc_head(mesh->element));
  if (xml_attribute(node, "maxhullvert") && mesh->maxhullvert != -1 && mesh->maxhullvert < 4) {
    spc_readFail(r, node, "maxhullvert must be larger than 3");
  }
  if (r->defaults) return;

  // a built-in shape fills vertices and faces
  int builtin = mjMESH_BUILTIN_NONE;
  spc_readWord(r, node, "builtin", spc_wordsMeshBuiltin, &builtin);
  if (builtin != mjMESH_BUILTIN_NONE) {
    double params[8];
    if (!xml_attribute(node, "params")) spc_readFail(r, node, "required attribute missing: 'params'");
    const int n = spc_readDoubles(r, node, "params", params, 1, 8);
    if (!spc_textEmpty(mesh->file)) spc_readFail(r, node, "builtin cannot be used with a mesh file");
    if (spc_vecCount(mesh->uservert, sizeof(float))) {
      spc_readFail(r, node, "builtin mesh cannot be used with user vertex data");
    }
    SpcModel* const model = spc_head(mesh->element)->model;
    if (mjs_makeMesh(mesh, builtin, params, n)) spc_readFail(r, node, "%s", mjs_getError(&model->spec));
  }
  readPlugins(r, node, &mesh->plugin);
}

void spc_readMaterial(SpcReader* r, const XmlNode* node, mjsMaterial* material) {
  spc_readRows(r, node, spc_rowsMaterial, material, spc_head(material->element));

  // one slot per role
  SpcVec* textures = material->textures;
  const char* texture = xml_attribute(node, "texture");
  if (texture) mjs_setInStringVec(textures, mjTEXROLE_RGB, texture);
  for (const XmlNode* layer = node->first; layer; layer = layer->next) {
    if (texture) spc_readFail(r, layer, "A material with a texture attribute cannot have layer sub-elements");
    int role = 0;
    spc_readRequired(r, layer, "role");
    spc_readWord(r, layer, "role", spc_wordsTexrole, &role);
    mjs_setInStringVec(textures, role, spc_readRequired(r, layer, "texture"));
  }
}

void spc_readPair(SpcReader* r, const XmlNode* node, mjsPair* pair) {
  spc_readRows(r, node, spc_rowsPair, pair, spc_head(pair->element));
}

// connect and weld hold between two bodies or two sites
static void readEnds(SpcReader* r, const XmlNode* node, mjsEquality* equality, int needsAnchor) {
  const char* body1 = xml_attribute(node, "body1");
  const char* body2 = xml_attribute(node, "body2");
  const char* site1 = xml_attribute(node, "site1");
  const char* site2 = xml_attribute(node, "site2");
  const int anchor = spc_readDoubles(r, node, "anchor", equality->data, 3, 3) > 0;
  const int posed = anchor || xml_attribute(node, "relpose");
  const int bodies = body1 && (anchor || !needsAnchor);
  const int sites = site1 && site2;
  if ((body1 || body2 || posed) && (site1 || site2)) spc_readFail(r, node, "body and site semantics cannot be mixed");
  if (!bodies && !sites) {
    spc_readFail(r, node, "%s",
                 needsAnchor ? "either both body1 and anchor must be defined, or both site1 and site2 must be defined"
                             : "either body1 must be defined and optionally {body2, anchor, relpose}, or site1 and "
                               "site2 must be defined");
  }
  spc_textSet(equality->name1, bodies ? body1 : site1);
  spc_textSet(equality->name2, bodies ? body2 : site2);
  equality->objtype = bodies ? mjOBJ_BODY : mjOBJ_SITE;
  if (bodies && !anchor && !needsAnchor) memset(equality->data, 0, 3 * sizeof(double));
}

void spc_readEquality(SpcReader* r, const XmlNode* node, mjsEquality* equality) {
  const int type = spc_wordValue(spc_wordsEquality, node->name);
  if (type >= 0) equality->type = type;
  static const SpcAttributeRow* rows[] = {spc_rowsConnect,  spc_rowsWeld,   spc_rowsEqJoint,
                                          spc_rowsEqTendon, spc_rowsEqFlex, spc_rowsEqFlex};
  spc_readRows(r, node, rows[type >= 0 ? type : 0], equality, spc_head(equality->element));
  if (r->defaults) return;
  switch (equality->type) {
    case mjEQ_CONNECT:
      readEnds(r, node, equality, 1);
      break;
    case mjEQ_WELD:
      readEnds(r, node, equality, 0);
      spc_readDoubles(r, node, "relpose", equality->data + 3, 7, 7);
      spc_readDoubles(r, node, "torquescale", equality->data + 10, 1, 1);
      break;
    case mjEQ_JOINT:
    case mjEQ_TENDON:
      spc_readDoubles(r, node, "polycoef", equality->data, 1, 5);
      break;
    default:
      break;
  }
}

void spc_readTendon(SpcReader* r, const XmlNode* node, mjsTendon* tendon) {
  const int fixed = !r->defaults && !strcmp(node->name, "fixed");
  spc_readRows(r, node, fixed ? spc_rowsFixed : spc_rowsSpatial, tendon, spc_head(tendon->element));

  // one value is both ends of the deadband
  if (spc_readDoubles(r, node, "springlength", tendon->springlength, 1, 2) == 1) {
    tendon->springlength[1] = tendon->springlength[0];
  }
}

// a plugin instance of an element: a reference to a named one, or one of its own with its attributes
void spc_readPlugin(SpcReader* r, const XmlNode* node, mjsPlugin* plugin) {
  plugin->active = 1;
  const char* name = xml_attribute(node, "plugin");
  const char* instance = xml_attribute(node, "instance");
  spc_textSet(plugin->plugin_name, name);
  spc_textSet(plugin->name, instance);

  // the named instance has its own attributes: what is written here does not count, as in the reference
  if (instance) return;
  mjsPlugin* own = mjs_addPlugin(&r->model->spec);
  SpcPlugin* made = (SpcPlugin*)spc_head(own->element);
  spc_textSet(own->plugin_name, name);
  spc_setPlace(r, node, &made->head);
  for (const XmlNode* config = node->first; config; config = config->next) {
    const char* key = spc_readRequired(r, config, "key");
    if (spc_attribute(made, key)) spc_readFail(r, config, "duplicate config key: %s", key);
    spc_setAttribute(made, key, spc_readRequired(r, config, "value"));
  }
  plugin->element = &made->head.base;
}
