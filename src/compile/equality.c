// Equality constraints: the two objects that they hold together.
#include "compile/flex.h"

// the kind of object that a type of constraint is between
static SpcKindId kindOf(Cmp* c, const CmpEquality* equality) {
  const mjsEquality* const s = &equality->s;
  switch (s->type) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      if (s->objtype != mjOBJ_SITE && s->objtype != mjOBJ_BODY) {
        cmp_fail(c, equality->head.e, "%s constraint supports only sites and bodies",
                 s->type == mjEQ_WELD ? "weld" : "connect");
      }
      return s->objtype == mjOBJ_SITE ? SPC_SITE : SPC_BODY;
    case mjEQ_JOINT:
      return SPC_JOINT;
    case mjEQ_TENDON:
      return SPC_TENDON;
    case mjEQ_FLEX:
    case mjEQ_FLEXVERT:
      return SPC_FLEX;
    default:
      cmp_fail(c, equality->head.e, "invalid type in equality constraint");
  }
}

static int isScalar(const CmpHead* head) {
  const mjtJoint type = ((const CmpJoint*)head)->s.type;
  return type == mjJNT_HINGE || type == mjJNT_SLIDE;
}

static void compileEquality(Cmp* c, CmpEquality* equality) {
  SpcElement* const e = equality->head.e;
  const SpcKindId kind = kindOf(c, equality);
  const char *const name1 = spc_text(equality->s.name1), *const name2 = spc_text(equality->s.name2);
  const CmpHead* const first = cmp_find(c, kind, name1);
  if (!first) cmp_fail(c, e, "unknown element '%s' in equality constraint", name1);
  equality->obj1id = first->id;

  // without a second object: the world, or a constant
  const CmpHead* const second = cmp_find(c, kind, name2);
  if (*name2 && !second) {
    cmp_fail(c, e, "unknown element '%s' in equality constraint %d", name2, equality->head.id);
  }
  equality->obj2id = second ? second->id : kind == SPC_BODY ? 0 : -1;
  if (equality->obj1id == equality->obj2id) {
    cmp_fail(c, e, "element '%s' is repeated in equality constraint %d", name1, equality->head.id);
  }
  if (kind == SPC_FLEX && ((const CmpFlex*)first)->rigid) {
    cmp_fail(c, e, "rigid flex '%s' in equality constraint %d", name1, equality->head.id);
  }
  if (equality->s.type == mjEQ_JOINT && (!isScalar(first) || (second && !isScalar(second)))) {
    cmp_fail(c, e, "only HINGE and SLIDE joint allowed in constraint");
  }
}

void cmp_compileEqualities(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_TREE);
  for (int i = 0; i < cmp_count(c, SPC_EQUALITY); i++) compileEquality(c, CMP_AT(c, SPC_EQUALITY, CmpEquality, i));
}
