// Names and ids. All names lie in m->names; each kind of object has an array of their addresses. m->names_map holds one
// open-addressing hash table per kind, with MDL_NAME_SLOTS slots per object: slot (hash + k) mod n for k = 0, 1, ...
#include "model/names.h"

#include <stdint.h>
#include <string.h>

#include "model/check.h"

// one kind of object: where its count and its name addresses are kept
typedef struct {
  mjtObj type;
  uint32_t count;
  uint32_t address;
} Table;

#define TABLE(type, count, address) \
  { type, offsetof(mjModel, count), offsetof(mjModel, address) }

static const Table TABLES[] = {
    TABLE(mjOBJ_BODY, nbody, name_bodyadr),          TABLE(mjOBJ_JOINT, njnt, name_jntadr),
    TABLE(mjOBJ_GEOM, ngeom, name_geomadr),          TABLE(mjOBJ_SITE, nsite, name_siteadr),
    TABLE(mjOBJ_CAMERA, ncam, name_camadr),          TABLE(mjOBJ_LIGHT, nlight, name_lightadr),
    TABLE(mjOBJ_FLEX, nflex, name_flexadr),          TABLE(mjOBJ_MESH, nmesh, name_meshadr),
    TABLE(mjOBJ_SKIN, nskin, name_skinadr),          TABLE(mjOBJ_HFIELD, nhfield, name_hfieldadr),
    TABLE(mjOBJ_TEXTURE, ntex, name_texadr),         TABLE(mjOBJ_MATERIAL, nmat, name_matadr),
    TABLE(mjOBJ_PAIR, npair, name_pairadr),          TABLE(mjOBJ_EXCLUDE, nexclude, name_excludeadr),
    TABLE(mjOBJ_EQUALITY, neq, name_eqadr),          TABLE(mjOBJ_TENDON, ntendon, name_tendonadr),
    TABLE(mjOBJ_ACTUATOR, nu, name_actuatoradr),     TABLE(mjOBJ_SENSOR, nsensor, name_sensoradr),
    TABLE(mjOBJ_NUMERIC, nnumeric, name_numericadr), TABLE(mjOBJ_TEXT, ntext, name_textadr),
    TABLE(mjOBJ_TUPLE, ntuple, name_tupleadr),       TABLE(mjOBJ_KEY, nkey, name_keyadr),
    TABLE(mjOBJ_PLUGIN, nplugin, name_pluginadr),
};
const int mdl_ntables = sizeof(TABLES) / sizeof(TABLES[0]);

//---------------------------------- tables ------------------------------------------------------------------------

mjtSize mdl_tableCount(const mjModel* m, int i) {
  return *(const mjtSize*)((const char*)m + TABLES[i].count);
}

static int* addresses(const mjModel* m, int i) {
  return *(int**)((char*)m + TABLES[i].address);
}

mjtSize mdl_namedObjects(const mjModel* m) {
  mjtSize n = 0;
  for (int i = 0; i < mdl_ntables; i++) n += mdl_tableCount(m, i);
  return n;
}

// table of a type, -1 for a type without names; *map is set to where its slots start
static int findTable(const mjModel* m, int type, mjtSize* map) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  *map = 0;
  for (int i = 0; i < mdl_ntables; i++) {
    if ((int)TABLES[i].type == type) return i;
    *map += MDL_NAME_SLOTS * mdl_tableCount(m, i);
  }
  return -1;
}

mjtSize mdl_objectCount(const mjModel* m, int objtype) {
  if (objtype == mjOBJ_DOF) return m->nv;
  mjtSize map;
  const int i = findTable(m, objtype, &map);
  return i < 0 ? -1 : mdl_tableCount(m, i);
}

//---------------------------------- hash --------------------------------------------------------------------------

// part of the format: the slots of names_map are saved with the model
int mdl_hashName(const char* name, mjtSize slots) {
  uint64_t h = 5381;
  for (; *name; name++) h = (h * 33) ^ (uint64_t)*name;
  return (int)(h % (uint64_t)slots);
}

void mdl_hashNames(mjModel* m) {
  int* map = m->names_map;
  for (int i = 0; i < mdl_ntables; i++) {
    const mjtSize n = mdl_tableCount(m, i), slots = MDL_NAME_SLOTS * n;
    for (mjtSize k = 0; k < slots; k++) map[k] = -1;

    // first free slot; objects without name are not found by name
    for (int id = 0; id < n; id++) {
      const char* name = m->names + addresses(m, i)[id];
      if (!*name) continue;
      mjtSize k = mdl_hashName(name, slots);
      while (map[k] >= 0) k = (k + 1) % slots;
      map[k] = id;
    }
    map += slots;
  }
}

//---------------------------------- public ------------------------------------------------------------------------

int mj_name2id(const mjModel* m, int type, const char* name) {
  if (!m || !name) {
    mju_error("mj_name2id: %s is NULL", m ? "name" : "m");
    return -1;
  }
  mjtSize map;
  const int i = findTable(m, type, &map);
  const mjtSize n = i < 0 ? 0 : mdl_tableCount(m, i);
  if (!n || !*name) return -1;

  // until the name or a free slot; a full table ends after one round
  const int* const slot = m->names_map + map;
  const mjtSize slots = MDL_NAME_SLOTS * n, start = mdl_hashName(name, slots);
  for (mjtSize k = 0; k < slots; k++) {
    const int id = slot[(start + k) % slots];
    if (id < 0) return -1;
    if (!strcmp(name, m->names + addresses(m, i)[id])) return id;
  }
  return -1;
}

const char* mj_id2name(const mjModel* m, int type, int id) {
  if (!m) {
    mju_error("mj_id2name: m is NULL");
    return NULL;
  }
  mjtSize map;
  const int i = findTable(m, type, &map);
  if (i < 0 || id < 0 || id >= mdl_tableCount(m, i)) return NULL;
  const char* const name = m->names + addresses(m, i)[id];
  return *name ? name : NULL;
}
