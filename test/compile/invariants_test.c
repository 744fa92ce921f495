// Every family of invariants holds where our code has done its work, and notices when one of its promises is broken:
// each test breaks one thing after the other, expects the family to fire, and puts it back.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "asset/bvh.h"
#include "base/assert.h"
#include "collision/broad.h"
#include "collision/contact.h"
#include "compile/compile.h"
#include "constraint/rows.h"
#include "dynamics/plan.h"
#include "kinematics/plan.h"
#include "model/arena.h"
#include "model/invariants.h"
#include "model/private.h"
#include "sleep/sleep.h"
#include "solver/problem.h"
#include "spec/element.h"
#include "support/model.h"
#include "xml/tree.h"

//---------------------------------- catching ----------------------------------

static jmp_buf back;
static char broken[200];

static void leave(const char* condition, const char* file, int line) {
  (void)file, (void)line;
  snprintf(broken, sizeof(broken), "%s", condition);
  longjmp(back, 1);
}

// 1: the call found a broken invariant
#define FIRES(call)            \
  (__extension__({             \
    volatile int fired = 1;    \
    bas_assertHandler = leave; \
    if (!setjmp(back)) {       \
      call;                    \
      fired = 0;               \
    }                          \
    bas_assertHandler = NULL;  \
    fired;                     \
  }))

// the call fires while place holds another value, and neither before nor after
#define BREAKS(place, value, call)           \
  do {                                       \
    __typeof__(place) volatile kept = place; \
    assert_false(FIRES(call));               \
    place = value;                           \
    assert_true(FIRES(call));                \
    place = kept;                            \
    assert_false(FIRES(call));               \
  } while (0)

//---------------------------------- scenes ----------------------------------

// boxes on the ground and a branching arm, with limits, friction, a tendon and an equality: all kinds of rows
static const char SCENE[] =
    "<mujoco><option jacobian='%s'/><size memory='1M'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='1 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='2 0 1'><joint name='a' axis='0 1 0' limited='true' range='.1 1' frictionloss='.1'/>"
    "<geom size='.1'/><geom size='.1' pos='.2 0 0'/><geom size='.1' pos='.4 0 0'/>"
    "<body pos='0 0 -.3'><joint name='b'/><geom size='.1'/><body pos='0 .3 0'><joint name='c'/><geom size='.1'/></body>"
    "</body></body></worldbody>"
    "<tendon><fixed name='t' frictionloss='.2' limited='true' range='.1 .2'><joint joint='a' "
    "coef='1'/></fixed></tendon>"
    "<equality><joint joint1='b' joint2='c'/></equality>"
    "<actuator><motor joint='b'/></actuator><sensor><jointpos joint='b'/><jointvel joint='b'/></sensor></mujoco>";

typedef struct {
  mjModel* m;
  mjData* d;
} World;

static World openWorld(const char* jacobian) {
  char xml[3000];
  snprintf(xml, sizeof(xml), SCENE, jacobian);
  World w = {.m = tst_string(xml)};
  w.d = mj_makeData(w.m);
  mj_forward(w.m, w.d);
  assert_true(w.d->ncon > 0 && w.d->nisland > 1 && w.d->ne && w.d->nf && w.d->nl);
  return w;
}

static void closeWorld(World* w) {
  mj_deleteData(w->d);
  mj_deleteModel(w->m);
}

//---------------------------------- families ----------------------------------

static void models(void** state) {
  (void)state;
  World w = openWorld("sparse");
  mjModel* m = w.m;
#define CHECK mdl_assertModel(m)
  BREAKS(m->body_parentid[4], 4, CHECK);
  BREAKS(m->body_weldid[2], 0, CHECK);
  BREAKS(m->dof_parentid[14], 12, CHECK);
  BREAKS(m->dof_treeid[0], 1, CHECK);
  BREAKS(m->dof_simplenum[0], 100, CHECK);
  BREAKS(m->geom_bodyid[1], 3, CHECK);
  BREAKS(m->M_colind[m->nC - 2], 0, CHECK);
  BREAKS(m->D_diag[3], 0, CHECK);
  BREAKS(m->mapD2M[4], 0, CHECK);
  BREAKS(m->mapM2D[0], 2, CHECK);
  BREAKS(m->B_colind[1], 0, CHECK);
  BREAKS(m->sensor_adr[1], 0, CHECK);
  BREAKS(m->tendon_num[0], 2, CHECK);
  BREAKS(m->bvh_child[2 * m->body_bvhadr[3]], 0, CHECK);
#undef CHECK
  closeWorld(&w);
}

static void blocks(void** state) {
  (void)state;
  World w = openWorld("sparse");
  MdlBlock* block = mdl_tail(w.d)->block;
  BREAKS(block->section[MDL_DYNAMICS], block->section[MDL_DYNAMICS] + 8, mdl_assertBlock(w.d));
  BREAKS(block->size[MDL_COLLISION], block->bytes, mdl_assertBlock(w.d));
  BREAKS(block->section[MDL_SLEEP], 0, mdl_assertBlock(w.d));
  assert_true(FIRES(mdl_section(w.d, MDL_NSECTION)));
  closeWorld(&w);
}

static void arenas(void** state) {
  (void)state;
  World w = openWorld("sparse");
  mjData* d = w.d;
#define CHECK mdl_assertArena(w.m, d, 1)
  BREAKS(d->parena, 8, CHECK);
  BREAKS(d->efc_J, (mjtNum*)d->contact, CHECK);
  BREAKS(d->iefc_J, d->iefc_J + d->nJ + 10000, CHECK);
  BREAKS(d->nisland, -1, CHECK);
#undef CHECK
  MdlPlaces places = mdl_places(d);
  assert_true(FIRES(mdl_place(&places, 8, 3)));
  places.start++;
  assert_true(FIRES(mdl_reserve(d, &places)));
  closeWorld(&w);
}

static void stacks(void** state) {
  (void)state;
  World w = openWorld("sparse");
  mjData* d = w.d;
  mj_markStack(d);
  mj_markStack(d);
  const size_t base = d->pbase;
  d->pbase = (uintptr_t)d->arena + (uintptr_t)d->narena;
  assert_true(FIRES(mj_freeStack(d)));
  d->pbase = (uintptr_t)d->arena;
  assert_true(FIRES(mj_freeStack(d)));
  d->pbase = base;
  const size_t used = d->pstack;
  d->pstack = (size_t)d->narena;
  assert_true(FIRES(mj_stackAllocInt(d, 1)));
  d->pstack = used;
  assert_false(FIRES(mj_freeStack(d)));
  assert_false(FIRES(mj_freeStack(d)));
  closeWorld(&w);
}

static void plans(void** state) {
  (void)state;
  World w = openWorld("sparse");
  DynPlan* plan = (DynPlan*)dyn_plan(w.d);
  DynPart* part = (DynPart*)dyn_parts(plan) + plan->npart - 1;
  DynBlock* block = (DynBlock*)dyn_blocks(plan) + part->block;
  BREAKS(part->first, part->first + 1, dyn_assertPlan(w.m, w.d));
  BREAKS(part->deepest, 1, dyn_assertPlan(w.m, w.d));
  BREAKS(block->n, 5, dyn_assertPlan(w.m, w.d));
  BREAKS(block->depth, 3, dyn_assertPlan(w.m, w.d));
  BREAKS(plan->scratch, plan->scratch + 8, dyn_assertPlan(w.m, w.d));
  int* hinge = (int*)kin_hinges(kin_plan(w.d));
  BREAKS(hinge[1], hinge[0], kin_assertPlan(w.m, w.d));
  BREAKS(hinge[kin_plan(w.d)->nhinge], 0, kin_assertPlan(w.m, w.d));
  closeWorld(&w);
}

static void sleepers(void** state) {
  (void)state;
  World w = openWorld("sparse");
  mjData* d = w.d;
  slp_update(w.m, d, 0);
  BREAKS(d->body_awake_ind[1], 0, slp_assertLists(w.m, d));
  BREAKS(d->dof_awake_ind[2], -1, slp_assertLists(w.m, d));
  BREAKS(d->tree_awake[0], 2, slp_assertLists(w.m, d));
  BREAKS(d->ntree_awake, -1, slp_assertLists(w.m, d));
  closeWorld(&w);
}

static void contacts(void** state) {
  (void)state;
  World w = openWorld("sparse");
  mjData* d = w.d;
  mj_collision(w.m, d);
  assert_true(d->ncon > 1);
  BREAKS(d->contact[1].geom[0], -1, col_assertContacts(w.m, d));
  BREAKS(d->contact[1].geom[1], (int)w.m->ngeom, col_assertContacts(w.m, d));
  BREAKS(d->contact[0].efc_address, 0, col_assertContacts(w.m, d));
  BREAKS(d->ncon, d->ncon - 1, col_assertContacts(w.m, d));

  // pairs of the broad phase
  unsigned pair[3] = {1, 2, (1 << 16) + 2};
  uint16_t ground[3] = {1, 1, 1};
  const ColPairs pairs = {3, pair, 2, ground};
  BREAKS(pair[1], 0, col_assertPairs(w.m, &pairs));
  BREAKS(pair[2], (2u << 16) + 1, col_assertPairs(w.m, &pairs));
  BREAKS(pair[2], 0xFFFF, col_assertPairs(w.m, &pairs));
  BREAKS(ground[1], 0, col_assertPairs(w.m, &pairs));
  closeWorld(&w);
}

static void rows(void** state) {
  (void)state;
  World w = openWorld("sparse");
  mjData* d = w.d;
#define CHECK con_assertRows(w.m, d)
  BREAKS(d->ne, d->ne + 1, CHECK);
  BREAKS(d->efc_type[0], mjCNSTR_LIMIT_JOINT, CHECK);
  BREAKS(d->efc_id[0], (int)w.m->neq, CHECK);
  BREAKS(d->efc_id[d->nefc - 1], d->ncon, CHECK);
  BREAKS(d->efc_J_rowadr[2], 0, CHECK);
  BREAKS(d->efc_J_colind[0], (int)w.m->nv, CHECK);
  BREAKS(d->efc_J_rowsuper[d->nefc - 2], 5, CHECK);
  BREAKS(d->contact[0].efc_address, 0, CHECK);
#undef CHECK
  closeWorld(&w);
}

static void islands(void** state) {
  (void)state;
  World w = openWorld("sparse");
  mjData* d = w.d;
#define CHECK con_assertIslands(w.m, d)
  BREAKS(d->map_dof2idof[0], 1, CHECK);
  BREAKS(d->dof_island[0], d->nisland, CHECK);
  BREAKS(d->island_nv[0], 0, CHECK);
  BREAKS(d->island_ntree[0], 0, CHECK);
  BREAKS(d->map_iefc2efc[0], d->nefc - 1, CHECK);
  BREAKS(d->efc_island[0], -1, CHECK);
  BREAKS(d->iM_colind[d->iM_rowadr[1]], 7, CHECK);
  BREAKS(d->iefc_J_colind[0], 100, CHECK);
  BREAKS(d->nidof, 0, CHECK);
#undef CHECK
  closeWorld(&w);
}

static void problems(void** state) {
  (void)state;
  World w = openWorld("dense");
  mj_markStack(w.d);
  SolProblem p;
  sol_problem(&p, w.m, w.d, -1);
  sol_loadJacobian(&p);
  SolFactor F = sol_pattern(&p);
  BREAKS(p.np, p.np + 1, sol_assertProblem(&p));
  BREAKS(p.rows.ne, p.rows.nefc + 1, sol_assertProblem(&p));
  SolBlock* last = p.J.block + p.J.nblock - 1;
  BREAKS(last->nrow, last->nrow - 1, sol_assertJacobian(&p));
  BREAKS(last->J, last->J + 1, sol_assertJacobian(&p));
  BREAKS(p.J.group[last->group].g, p.np / 8, sol_assertJacobian(&p));
  BREAKS(p.J.J, p.J.J + 1, sol_assertJacobian(&p));
  BREAKS(F.parent[3], 3, sol_assertFactor(&F));
  BREAKS(F.list[F.first[9]], 1, sol_assertFactor(&F));
  BREAKS(F.mask[2], 0, sol_assertFactor(&F));
  assert_true(FIRES(sol_at(&F, 0, 1)));
  mj_freeStack(w.d);
  closeWorld(&w);
}

static void trees(void** state) {
  (void)state;
  char error[100];
  const char text[] = "<a><b c='1'/><d/></a>";
  XmlDocument* document = xml_parse("a.xml", text, sizeof(text), error, sizeof(error));
  XmlNode* root = xml_root(document);
  BREAKS(root->first->parent, root->first, xml_assertTree(root));
  BREAKS(root->last, root->first, xml_assertTree(root));
  BREAKS(root->first->attribute, NULL, xml_assertTree(root));
  xml_free(document);

  // bounding volumes
  const double pos[3] =
      {
          0
  },
               quat[4] = {1}, box[2][6] = {{0, 0, 0, 1, 1, 1}, {3, 0, 0, 1, 1, 1}};
  const AstLeaf leaf[2] = {
      {0, box[0], NULL, box[0]},
      {1, box[1], NULL, box[1]}
  };
  AstBvh bvh;
  ast_makeBvh(&bvh, leaf, 2, pos, quat);
  BREAKS(bvh.child[0], 2, ast_assertBvh(&bvh, 2));
  BREAKS(bvh.depth[1], 0, ast_assertBvh(&bvh, 2));
  BREAKS(bvh.n, 2, ast_assertBvh(&bvh, 2));
  ast_freeBvh(&bvh);
}

static void specs(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjs_addGeom(body, NULL);
  mjs_addMaterial(s, NULL);
  SpcModel* model = spc_model(s);
  SpcElement* material = model->list[SPC_MATERIAL].at[0];
  SpcElement* geom = ((SpcBody*)model->world->child[SPC_BODY].at[0])->child[SPC_GEOM].at[0];
  BREAKS(material->model, NULL, spc_assertModel(model));
  BREAKS(material->kind, SPC_TEXT, spc_assertModel(model));
  BREAKS(geom->base.elemtype, mjOBJ_SITE, spc_assertModel(model));
  BREAKS(geom->spec, (void*)geom, spc_assertModel(model));
  BREAKS(model->list[SPC_MATERIAL].count, 1000, spc_assertModel(model));
  BREAKS(model->references, 0, spc_assertModel(model));
  assert_true(FIRES(spc_listAdd(&model->list[SPC_MATERIAL], NULL)));
  mj_deleteSpec(s);
}

static void compilation(void** state) {
  (void)state;
  Cmp* c = calloc(1, sizeof(Cmp));
  assert_true(FIRES(cmp_reach(c, CMP_TREE)));
  assert_false(FIRES(cmp_reach(c, CMP_COLLECTED)));
  assert_true(FIRES(cmp_compileTendons(c)));
  assert_true(FIRES(cmp_finish(c)));
  SpcElement e = {.kind = SPC_TEXT};
  CmpHead head = {&e, "", 0};
  void* at[1] = {&head};
  c->list[SPC_TEXT] = (CmpList){at, 1, 1};
  BREAKS(head.id, 1, cmp_assertLists(c));
  BREAKS(head.name, NULL, cmp_assertLists(c));
  BREAKS(e.kind, SPC_KEY, cmp_assertLists(c));
  free(c);
}

// without a handler the program ends
static void programEnds(void** state) {
  (void)state;
  const pid_t child = fork();
  if (!child) {
    if (!freopen("/dev/null", "w", stderr)) _exit(1);
    signal(SIGABRT, SIG_DFL);
    BAS_ASSERT(child != 0);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models),      cmocka_unit_test(blocks),      cmocka_unit_test(arenas),
      cmocka_unit_test(stacks),      cmocka_unit_test(plans),       cmocka_unit_test(sleepers),
      cmocka_unit_test(contacts),    cmocka_unit_test(rows),        cmocka_unit_test(islands),
      cmocka_unit_test(problems),    cmocka_unit_test(trees),       cmocka_unit_test(specs),
      cmocka_unit_test(compilation), cmocka_unit_test(programEnds),
  };
  return BAS_DEBUG ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
