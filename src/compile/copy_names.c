// Names and paths into mjModel: all names in one text, in the order of the kinds' tables, and the hash tables over
// them.
#include <string.h>

#include "compile/compile.h"
#include "model/names.h"

static int append(char* texts, int adr, const char* text) {
  const size_t bytes = strlen(text) + 1;
  memcpy(texts + adr, text, bytes);
  return adr + (int)bytes;
}

static int appendNames(const Cmp* c, mjModel* m, SpcKindId kind, int* address, int adr) {
  for (int i = 0; i < c->list[kind].n; i++) {
    address[i] = adr;
    adr = append(m->names, adr, ((const CmpHead*)c->list[kind].at[i])->name);
  }
  return adr;
}

static int appendPath(mjModel* m, const char* file, int* address, int adr) {
  *address = file && *file ? adr : -1;
  return *address < 0 ? adr : append(m->paths, adr, file);
}

void cmp_copyNames(Cmp* c, mjModel* m) {
  BAS_ASSERT(c->stage == CMP_RESOLVED);
  const struct {
    SpcKindId kind;
    int* address;
  } tables[] = {
      {SPC_BODY,     m->name_bodyadr    },
      {SPC_JOINT,    m->name_jntadr     },
      {SPC_GEOM,     m->name_geomadr    },
      {SPC_SITE,     m->name_siteadr    },
      {SPC_CAMERA,   m->name_camadr     },
      {SPC_LIGHT,    m->name_lightadr   },
      {SPC_FLEX,     m->name_flexadr    },
      {SPC_MESH,     m->name_meshadr    },
      {SPC_SKIN,     m->name_skinadr    },
      {SPC_HFIELD,   m->name_hfieldadr  },
      {SPC_TEXTURE,  m->name_texadr     },
      {SPC_MATERIAL, m->name_matadr     },
      {SPC_PAIR,     m->name_pairadr    },
      {SPC_EXCLUDE,  m->name_excludeadr },
      {SPC_EQUALITY, m->name_eqadr      },
      {SPC_TENDON,   m->name_tendonadr  },
      {SPC_ACTUATOR, m->name_actuatoradr},
      {SPC_SENSOR,   m->name_sensoradr  },
      {SPC_NUMERIC,  m->name_numericadr },
      {SPC_TEXT,     m->name_textadr    },
      {SPC_TUPLE,    m->name_tupleadr   },
      {SPC_KEY,      m->name_keyadr     },
      {SPC_PLUGIN,   m->name_pluginadr  },
  };
  int adr = append(m->names, 0, spc_text(c->s.modelname));
  for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
    adr = appendNames(c, m, tables[i].kind, tables[i].address, adr);
  }
  mdl_hashNames(m);

  // files that assets were read from
  int path = 0;
  for (int i = 0; i < m->nhfield; i++) {
    path = appendPath(m, CMP_AT(c, SPC_HFIELD, CmpHfield, i)->file, &m->hfield_pathadr[i], path);
  }
  for (int i = 0; i < m->nmesh; i++)
    path = appendPath(m, CMP_AT(c, SPC_MESH, CmpMesh, i)->file, &m->mesh_pathadr[i], path);
  for (int i = 0; i < m->nskin; i++)
    path = appendPath(m, CMP_AT(c, SPC_SKIN, CmpSkin, i)->file, &m->skin_pathadr[i], path);
  for (int i = 0; i < m->ntex; i++) {
    path = appendPath(m, CMP_AT(c, SPC_TEXTURE, CmpTexture, i)->file, &m->tex_pathadr[i], path);
  }
}
