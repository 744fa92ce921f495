// Tendons: the objects of their path and the rules of their order.
#include "compile/compile.h"

static void findWrap(Cmp* c, CmpTendon* tendon, int i, SpcWrap* source) {
  CmpWrap* const wrap = &tendon->path[i];
  const SpcElement* const e = &source->head;
  const char* const name = spc_text(&source->target);
  const int id = tendon->head.id;
  wrap->type = source->spec.type;
  wrap->prm = source->prm;
  switch (wrap->type) {
    case mjWRAP_JOINT:
      wrap->object = cmp_find(c, SPC_JOINT, name);
      if (!wrap->object) cmp_fail(c, e, "joint '%s' not found in tendon %d, wrap %d", name, id, i);
      break;
    case mjWRAP_SITE:
      wrap->object = cmp_find(c, SPC_SITE, name);
      if (!wrap->object) cmp_fail(c, e, "site '%s' not found in wrap %d", name, i);
      break;
    case mjWRAP_PULLEY:
      if (wrap->prm < 0) cmp_fail(c, e, "pulley has negative divisor in tendon %d, wrap %d", id, i);
      break;
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER: {
      CmpGeom* const geom = cmp_find(c, SPC_GEOM, name);
      if (!geom) cmp_fail(c, e, "geom '%s' not found in tendon %d, wrap %d", name, id, i);
      if (geom->s.type != mjGEOM_CYLINDER && geom->s.type != mjGEOM_SPHERE) {
        cmp_fail(c, e, "geom '%s' in tendon %d, wrap %d is not sphere or cylinder", name, id, i);
      }
      wrap->type = source->spec.type = geom->s.type == mjGEOM_CYLINDER ? mjWRAP_CYLINDER : mjWRAP_SPHERE;
      wrap->object = &geom->head;
      geom->visual = 0;
      const char* const side = spc_text(&source->sidesite);
      wrap->side = cmp_find(c, SPC_SITE, side);
      if (*side && !wrap->side) cmp_fail(c, e, "side site '%s' not found in tendon %d, wrap %d", side, id, i);
      break;
    }
    default:
      cmp_fail(c, e, "unknown wrap type in tendon %d, wrap %d", id, i);
  }
}

// one place of a spatial path among its neighbours
static void checkSpatial(Cmp* c, const CmpTendon* tendon, int i) {
  SpcElement* const e = tendon->head.e;
  const char* const name = tendon->head.name;
  const CmpWrap* const path = tendon->path;
  const int id = tendon->head.id, last = tendon->npath - 1;
  switch (path[i].type) {
    case mjWRAP_PULLEY:
      if (i > 0 && path[i - 1].type == mjWRAP_PULLEY) {
        cmp_fail(c, e, "tendon '%s' (id = %d): consecutive pulleys (pos %d)", name, id, i);
      }
      if (i == last) cmp_fail(c, e, "tendon '%s' (id = %d): path ends with pulley", name, id);
      break;
    case mjWRAP_SITE:
      if ((i == 0 || path[i - 1].type == mjWRAP_PULLEY) && (i == last || path[i + 1].type == mjWRAP_PULLEY)) {
        cmp_fail(c, e, "tendon '%s' (id = %d): site %d needs a neighbor that is not a pulley", name, id, i);
      }
      if (i < last && path[i + 1].type == mjWRAP_SITE && path[i].object == path[i + 1].object) {
        cmp_fail(c, e, "tendon '%s' (id = %d): site %d is repeated", name, id, i);
      }
      break;
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      if (i == 0 || i == last || path[i - 1].type != mjWRAP_SITE || path[i + 1].type != mjWRAP_SITE) {
        cmp_fail(c, e, "tendon '%s' (id = %d): geom at pos %d not bracketed by sites", name, id, i);
      }
      if (tendon->s.armature > 0) {
        cmp_fail(c, e, "tendon '%s' (id = %d): geom wrapping not supported by tendon armature", name, id);
      }
      break;
    default:
      cmp_fail(c, e, "tendon '%s (id = %d)': joint wrap found in spatial path at pos %d", name, id, i);
  }
}

static void checkPath(Cmp* c, const CmpTendon* tendon) {
  SpcElement* const e = tendon->head.e;
  const int spatial = tendon->path[0].type != mjWRAP_JOINT;
  if (tendon->s.armature < 0) {
    cmp_fail(c, e, "tendon '%s' (id = %d): tendon armature cannot be negative", tendon->head.name, tendon->head.id);
  }
  for (int i = 0; i < tendon->npath; i++) {
    if (spatial) {
      checkSpatial(c, tendon, i);
    } else if (tendon->path[i].type != mjWRAP_JOINT) {
      cmp_fail(c, e, "tendon '%s' (id = %d): spatial object found in fixed path at pos %d", tendon->head.name,
               tendon->head.id, i);
    }
  }
}

static void compileTendon(Cmp* c, CmpTendon* tendon) {
  mjsTendon* const s = &tendon->s;
  SpcElement* const e = tendon->head.e;
  const SpcTendon* const source = (const SpcTendon*)e;
  const char* const name = tendon->head.name;
  const int id = tendon->head.id;
  cmp_checkUser(c, e, s->userdata, c->s.nuser_tendon, "nuser_tendon in tendon");

  tendon->npath = source->path.count;
  if (!tendon->npath) cmp_fail(c, e, "tendon '%s' (id = %d): path cannot be empty", name, id);
  const int spatial = ((const SpcWrap*)source->path.at[0])->spec.type != mjWRAP_JOINT;
  if (spatial && tendon->npath < 2) {
    cmp_fail(c, e, "tendon '%s' (id = %d): spatial path must contain at least two objects", name, id);
  }
  if (spatial && s->width <= 0) cmp_fail(c, e, "tendon '%s' (id = %d) must have positive width", name, id);
  tendon->path = cmp_alloc(c, (size_t)tendon->npath, sizeof(CmpWrap));
  for (int i = 0; i < tendon->npath; i++) findWrap(c, tendon, i, (SpcWrap*)source->path.at[i]);
  checkPath(c, tendon);

  // limits
  cmp_checkLimited(c, e, "tendon", "", s->limited, s->range);
  if (s->range[0] >= s->range[1] && cmp_isLimited(s->limited, s->range)) cmp_fail(c, e, "invalid limits in tendon");
  cmp_checkLimited(c, e, "tendon", "", s->actfrclimited, s->actfrcrange);
  if (cmp_isLimited(s->actfrclimited, s->actfrcrange) &&
      (s->actfrcrange[0] >= s->actfrcrange[1] || s->actfrcrange[0] > 0 || s->actfrcrange[1] < 0)) {
    cmp_fail(c, e, "invalid actuatorfrcrange in tendon");
  }
  if (s->springlength[0] > s->springlength[1]) cmp_fail(c, e, "invalid springlength in tendon");
}

void cmp_compileTendons(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_TREE);
  for (int i = 0; i < cmp_count(c, SPC_TENDON); i++) compileTendon(c, CMP_AT(c, SPC_TENDON, CmpTendon, i));
}
