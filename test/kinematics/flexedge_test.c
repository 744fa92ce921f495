// Edges of flexes: their Jacobian against differences of their lengths, their velocities, and which of them are rigid;
// with vertices of their own and with vertices that sit on bodies.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "support/model.h"
#include "support/near.h"

// a sheet whose first rows are pinned to a free body, and one whose vertices are free
static const char XML[] =
    "<mujoco><worldbody><body name='hand' pos='0 0 1' euler='20 30 40'><freejoint/><geom size='.1' mass='1'/>"
    "<flexcomp name='held' type='grid' dim='2' count='4 3 1' spacing='.1 .1 .1' radius='.001' mass='.2'><edge "
    "damping='.1'/>"
    "<contact selfcollide='none'/><pin gridrange='0 0 1 2'/></flexcomp></body>"
    "<body name='base'><flexcomp name='free' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' radius='.001' "
    "mass='.2'><edge damping='.1'/>"
    "<contact selfcollide='none'/></flexcomp></body></worldbody></mujoco>";

static TstScene moved(void) {
  TstScene s = tst_openScene(XML);
  for (int i = 7; i < s.m->nq; i++) s.d->qpos[i] = 0.02 * sin(3 * i);
  for (int i = 0; i < s.m->nv; i++) s.d->qvel[i] = cos(5 * i);
  mj_forward(s.m, s.d);
  return s;
}

static mjtNum edgeJ(const TstScene* s, int edge, int dof) {
  const int adr = s->m->flexedge_J_rowadr[edge];
  for (int k = adr; k < adr + s->m->flexedge_J_rownnz[edge]; k++) {
    if (s->m->flexedge_J_colind[k] == dof) return s->d->flexedge_J[k];
  }
  return 0;
}

// lengths after a small motion of one dof: J, for dofs of vertices and for those of the body that holds them
static void test_42A_i_AC4_jacobianIsDerivativeOfLength(void** state) {
  (void)state;
  TstScene s = moved();
  const mjtNum step = 1e-7;
  mjData* d = mj_makeData(s.m);
  for (int dof = 0; dof < s.m->nv; dof++) {
    mjtNum length[2][200], velocity[200] = {0};
    assert_true(s.m->nv < 200 && s.m->nflexedge < 200);
    velocity[dof] = 1;
    for (int side = 0; side < 2; side++) {
      memcpy(d->qpos, s.d->qpos, (size_t)s.m->nq * sizeof(mjtNum));
      mj_integratePos(s.m, d->qpos, velocity, side ? -step : step);
      mj_forward(s.m, d);
      memcpy(length[side], d->flexedge_length, (size_t)s.m->nflexedge * sizeof(mjtNum));
    }
    for (int e = 0; e < s.m->nflexedge; e++) {
      assert_near((length[0][e] - length[1][e]) / (2 * step), edgeJ(&s, e, dof), 1e-5);
    }
  }
  mj_deleteData(d);
  tst_closeScene(&s);
}

static void test_42A_iii_velocityIsJacobianTimesVelocity(void** state) {
  (void)state;
  TstScene s = moved();
  for (int e = 0; e < s.m->nflexedge; e++) {
    mjtNum sum = 0;
    for (int dof = 0; dof < s.m->nv; dof++) sum += edgeJ(&s, e, dof) * s.d->qvel[dof];
    assert_near(s.d->flexedge_velocity[e], sum, 1e-12);
    const int *edge = s.m->flex_edge + 2 * e, first = e < s.m->flex_edgenum[0] ? 0 : s.m->flex_vertadr[1];
    mjtNum apart[3];
    mju_sub3(apart, s.d->flexvert_xpos + 3 * (first + edge[0]), s.d->flexvert_xpos + 3 * (first + edge[1]));
    assert_near(s.d->flexedge_length[e], mju_norm3(apart), 1e-14);
  }
  tst_closeScene(&s);
}

// an edge is rigid when both of its ends sit on one body; the flex is not, as long as one vertex moves
static void test_42A_ii_rigidEdges(void** state) {
  (void)state;
  TstScene s = moved();
  int rigid = 0;
  for (int e = 0; e < s.m->nflexedge; e++) {
    const int *edge = s.m->flex_edge + 2 * e, first = e < s.m->flex_edgenum[0] ? 0 : s.m->flex_vertadr[1];
    const int same = s.m->flex_vertbodyid[first + edge[0]] == s.m->flex_vertbodyid[first + edge[1]];
    assert_int_equal(s.m->flexedge_rigid[e], same);
    rigid += same;
  }
  assert_int_equal(rigid, 9);
  assert_false(s.m->flex_rigid[0] || s.m->flex_rigid[1]);
  tst_closeScene(&s);
  s = tst_openScene(
      "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/><flexcomp name='f' type='grid' dim='2' "
      "count='3 3 1' spacing='.1 .1 .1' radius='.001' rigid='true'/></body></worldbody></mujoco>");
  assert_true(s.m->flex_rigid[0]);
  for (int e = 0; e < s.m->nflexedge; e++) assert_true(s.m->flexedge_rigid[e]);
  tst_closeScene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_42A_i_AC4_jacobianIsDerivativeOfLength),
      cmocka_unit_test(test_42A_iii_velocityIsJacobianTimesVelocity),
      cmocka_unit_test(test_42A_ii_rigidEdges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
