// Custom numbers, texts and tuples.
#include "compile/compile.h"

static void compileNumeric(Cmp* c, CmpNumeric* numeric) {
  SpcElement* const e = numeric->head.e;
  numeric->data = (const void*)((const SpcVec*)numeric->s.data)->begin;
  numeric->ndata = (int)spc_vecCount(numeric->s.data, sizeof(double));
  if (numeric->s.size && numeric->ndata && numeric->s.size < numeric->ndata) {
    cmp_fail(c, e, "numeric '%s' (id = %d): specified size smaller than initialization array", numeric->head.name,
             numeric->head.id);
  }
  if (!numeric->s.size) numeric->s.size = numeric->ndata;
  if (numeric->s.size <= 0) {
    cmp_fail(c, e, "numeric '%s' (id = %d): size cannot be zero", numeric->head.name, numeric->head.id);
  }
}

static void compileTuple(Cmp* c, CmpTuple* tuple) {
  SpcElement* const e = tuple->head.e;
  const mjsTuple* const s = &tuple->s;
  tuple->n = (int)spc_vecCount(s->objtype, sizeof(int));
  if (!tuple->n) cmp_fail(c, e, "tuple '%s' (id = %d) is empty", tuple->head.name, tuple->head.id);
  if ((int)spc_textsCount(s->objname) != tuple->n || (int)spc_vecCount(s->objprm, sizeof(double)) != tuple->n) {
    cmp_fail(c, e, "tuple '%s' (id = %d) has object arrays with different sizes", tuple->head.name, tuple->head.id);
  }
  tuple->object = cmp_alloc(c, (size_t)tuple->n, sizeof(CmpHead*));
  const int* const type = (const void*)((const SpcVec*)s->objtype)->begin;
  for (int i = 0; i < tuple->n; i++) {
    const char* const name = spc_text(spc_textsAt(s->objname, (size_t)i));
    tuple->object[i] = cmp_findType(c, (mjtObj)type[i], name);
    if (!tuple->object[i]) cmp_fail(c, e, "unrecognized object '%s' in tuple %d", name, tuple->head.id);
    if (type[i] == mjOBJ_GEOM) ((CmpGeom*)tuple->object[i])->visual = 0;
  }
}

void cmp_compileCustom(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_TREE);
  for (int i = 0; i < cmp_count(c, SPC_NUMERIC); i++) compileNumeric(c, CMP_AT(c, SPC_NUMERIC, CmpNumeric, i));
  for (int i = 0; i < cmp_count(c, SPC_TEXT); i++) {
    const CmpText* const text = CMP_AT(c, SPC_TEXT, CmpText, i);
    if (spc_textEmpty(text->s.data)) {
      cmp_fail(c, text->head.e, "text '%s' (id = %d): size cannot be zero", text->head.name, i);
    }
  }
  for (int i = 0; i < cmp_count(c, SPC_TUPLE); i++) compileTuple(c, CMP_AT(c, SPC_TUPLE, CmpTuple, i));
}
