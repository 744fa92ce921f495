// Advice on assets that nothing uses: they cost loading time and memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/cli.h"

// marks the ids of an array; negative ones refer to nothing
static void mark(char* used, const int* id, long n) {
  for (long i = 0; i < n; i++) {
    if (id[i] >= 0) used[id[i]] = 1;
  }
}

// a primitive that was fitted to a mesh refers to it only in the source
static void markFitted(char* used, const CliModel* model) {
  if (!model->spec) return;
  for (mjsElement* e = mjs_firstElement(model->spec, mjOBJ_GEOM); e; e = mjs_nextElement(model->spec, e)) {
    const mjsGeom* const geom = mjs_asGeom(e);
    const char* const name = geom && geom->meshname ? mjs_getString(geom->meshname) : "";
    const int id = *name ? mj_name2id(model->m, mjOBJ_MESH, name) : -1;
    if (id >= 0) used[id] = 1;
  }
}

static void markAll(char* used, const CliModel* model, mjtObj type) {
  const mjModel* const m = model->m;
  switch (type) {
    case mjOBJ_MESH:
      for (long i = 0; i < (long)m->ngeom; i++) {
        const int mesh = m->geom_type[i] == mjGEOM_MESH || m->geom_type[i] == mjGEOM_SDF;
        if (mesh) mark(used, &m->geom_dataid[i], 1);
      }
      markFitted(used, model);
      break;
    case mjOBJ_HFIELD:
      for (long i = 0; i < (long)m->ngeom; i++) {
        if (m->geom_type[i] == mjGEOM_HFIELD) mark(used, &m->geom_dataid[i], 1);
      }
      break;
    case mjOBJ_TEXTURE:
      mark(used, m->mat_texid, (long)m->nmat * mjNTEXROLE);
      // the sky needs no material, and lights may carry a texture
      for (long i = 0; i < (long)m->ntex; i++) used[i] |= m->tex_type[i] == mjTEXTURE_SKYBOX;
      mark(used, m->light_texid, (long)m->nlight);
      break;
    default:
      mark(used, m->geom_matid, (long)m->ngeom);
      mark(used, m->site_matid, (long)m->nsite);
      mark(used, m->tendon_matid, (long)m->ntendon);
      mark(used, m->skin_matid, (long)m->nskin);
      mark(used, m->flex_matid, (long)m->nflex);
  }
}

// one piece of advice for all assets of a kind: files of materials that several models share would give many
static void adviseUnused(AdviceList* list, const mjModel* m, mjtObj type, const char* used, int n) {
  char first[CLI_NAME_SIZE] = "", names[300] = "";
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (used[i]) continue;
    char name[CLI_NAME_SIZE];
    cli_nameOf(m, type, i, name);
    if (!count++) memcpy(first, name, sizeof(first));
    const size_t length = strlen(names);
    if (count <= 6) snprintf(names + length, sizeof(names) - length, "%s'%.40s'", length ? ", " : "", name);
  }
  const char* const kind = mju_type2Str(type);
  if (count == 1) chk_add(list, "unused", kind, first, "%s %s is not used", kind, names);
  if (count > 1) {
    chk_add(list, "unused", kind, first, "%d assets of kind %s are not used: %s%s", count, kind, names,
            count > 6 ? ", ..." : "");
  }
}

void chk_unused(AdviceList* list, const CliModel* model) {
  const mjModel* const m = model->m;
  const struct {
    mjtObj type;
    int n;
  } assets[] = {
      {mjOBJ_MESH,     (int)m->nmesh  },
      {mjOBJ_HFIELD,   (int)m->nhfield},
      {mjOBJ_TEXTURE,  (int)m->ntex   },
      {mjOBJ_MATERIAL, (int)m->nmat   }
  };
  for (size_t k = 0; k < sizeof(assets) / sizeof(assets[0]); k++) {
    char* const used = cli_zeroed((size_t)assets[k].n, 1);
    markAll(used, model, assets[k].type);
    adviseUnused(list, m, assets[k].type, used, assets[k].n);
    free(used);
  }
}
