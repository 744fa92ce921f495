// The plan of M, and every pass that follows it, on random forests: chains of all lengths, branches, single dofs, balls
// and free bodies. M is compared with the sum of its bodies, factors and products with dense algebra, and part of the
// dofs with all of them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics/ldl.h"
#include "dynamics/plan.h"
#include "math/simd/kernels.h"
#include "support/model.h"
#include "support/random.h"

#define NV      160
#define FORESTS 60

// ---------------------------------------------------------------- random forests

typedef struct {
  Rnd rnd;
  char xml[40000];
  int length;
  int bodies;  // how many may still be made
} Forest;

static void append(Forest* f, const char* text) {
  const int n = (int)strlen(text);
  assert_true(f->length + n < (int)sizeof(f->xml));
  memcpy(f->xml + f->length, text, (size_t)n + 1);
  f->length += n;
}

// a body with one to three joints and a geom off its origin, then up to two children; equal axes may follow each other,
// armature keeps M definite
static void appendBody(Forest* f, int depth) {
  static const char* const JOINT[] = {"<joint axis='1 .2 0' armature='.1'/>",
                                      "<joint axis='0 1 .3' pos='.1 0 .05' armature='.2'/>",
                                      "<joint type='slide' axis='.1 0 1' armature='1'/>", "<joint type='ball'/>"};
  char text[200];
  f->bodies--;
  snprintf(text, sizeof(text), "<body pos='%.3f %.3f %.3f' euler='%d 10 0'>", rnd_uniform(&f->rnd, -0.5, 0.5),
           rnd_uniform(&f->rnd, -0.5, 0.5), rnd_uniform(&f->rnd, -0.5, 0.5), rnd_below(&f->rnd, 90));
  append(f, text);
  const int ball = rnd_below(&f->rnd, 6) == 0;
  if (depth == 0 && rnd_below(&f->rnd, 3) == 0) {
    append(f, "<freejoint/>");
  } else if (ball) {
    append(f, JOINT[3]);
  } else {
    for (int n = 1 + rnd_below(&f->rnd, 3); n > 0; n--) append(f, JOINT[rnd_below(&f->rnd, 3)]);
  }
  append(f, rnd_below(&f->rnd, 3) ? "<geom type='box' size='.1 .2 .3' pos='.1 0 .2' euler='20 0 10'/>"
                                  : "<geom size='.1'/>");
  const int children = depth < 6 ? rnd_below(&f->rnd, 3) : 0;
  for (int c = 0; c < children && f->bodies > 0; c++) appendBody(f, depth + 1);
  append(f, "</body>");
}

static mjModel* forest(int seed) {
  static Forest f;
  f = (Forest){.rnd = {(uint64_t)seed}, .bodies = 2 + seed % 19};
  append(&f, "<mujoco><worldbody>");
  while (f.bodies > 0) appendBody(&f, 0);
  append(&f, "</worldbody></mujoco>");
  return tst_string(f.xml);
}

static mjData* moved(const mjModel* m) {
  mjData* d = mj_makeData(m);
  Rnd rnd = {5};
  mjtNum vel[NV];
  for (int i = 0; i < m->nv; i++) d->qvel[i] = vel[i] = rnd_uniform(&rnd, -1, 1);
  mj_integratePos(m, d->qpos, vel, 1);
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  return d;
}

// ---------------------------------------------------------------- structure

// every dof is in one part, every dof of a tree in one block; rows of a block share their ancestors
static void partsAndBlocks(void** state) {
  (void)state;
  int runs = 0, chains = 0, trees = 0, sizes[DYN_ROWS + 1] = {0};
  for (int seed = 0; seed < FORESTS; seed++) {
    mjModel* m = forest(seed);
    mjData* d = mj_makeData(m);
    const DynPlan* plan = dyn_plan(d);
    DynWalk walk = dyn_walk(plan, (SlpRange){0, (int)m->nv, NULL});
    int dof = 0;
    for (const DynPart* part; (part = dyn_nextPart(&walk));) {
      assert_int_equal(part->first, dof);
      runs += part->nblock == 0;
      chains += part->chain;
      trees += part->nblock && !part->chain;
      for (int b = 0; b < part->nblock; b++) {
        const DynBlock* block = dyn_blocks(plan) + part->block + b;
        assert_int_equal(block->first, dof);
        assert_true(block->n >= 1 && block->n <= DYN_ROWS);
        sizes[block->n]++;
        for (int j = 0; j < block->n; j++, dof++) {
          assert_int_equal(m->M_rownnz[dof], block->depth + j + 1);
          assert_true(m->M_rownnz[dof] <= part->deepest);
          assert_memory_equal(m->M_colind + m->M_rowadr[dof], m->M_colind + m->M_rowadr[block->first],
                              block->depth * sizeof(int));
        }
      }
      if (!part->nblock) dof += part->n;
      assert_int_equal(dof, part->first + part->n);
    }
    assert_int_equal(dof, m->nv);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  assert_true(runs > 5 && chains > 5 && trees > 20);
  for (int n = 1; n <= DYN_ROWS; n++) assert_true(sizes[n] > 10);
}

// ---------------------------------------------------------------- passes

// M = Σ over bodies of m Jpᵀ Jp + Jrᵀ R I Rᵀ Jr, and armature; in both orders of storage
static void inertiaOfBodies(void** state) {
  (void)state;
  for (int seed = 0; seed < FORESTS; seed++) {
    mjModel* m = forest(seed);
    const int nv = (int)m->nv;
    assert_true(nv <= NV);
    mjData* d = moved(m);
    static mjtNum M[NV * NV], sum[NV * NV], jac[6 * NV];
    memset(sum, 0, sizeof(sum));
    for (int i = 0; i < nv; i++) sum[i * nv + i] = m->dof_armature[i];
    for (int b = 1; b < m->nbody; b++) {
      mjtNum *jacp = jac, *jacr = jac + 3 * nv;
      mj_jacBodyCom(m, d, jacp, jacr, b);
      for (int i = 0; i < nv; i++) {
        for (int j = 0; j <= i; j++) {
          for (int k = 0; k < 3; k++) {
            mjtNum wi = 0, wj = 0;
            for (int c = 0; c < 3; c++) {
              wi += d->ximat[9 * b + 3 * c + k] * jacr[c * nv + i];
              wj += d->ximat[9 * b + 3 * c + k] * jacr[c * nv + j];
            }
            sum[i * nv + j] +=
                m->body_mass[b] * jacp[k * nv + i] * jacp[k * nv + j] + m->body_inertia[3 * b + k] * wi * wj;
          }
        }
      }
    }
    mj_fullM(m, M, d->qM);
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j <= i; j++) {
        const mjtNum scale = 1 + sqrt(sum[i * nv + i] * sum[j * nv + j]);
        assert_true(fabs(M[i * nv + j] - sum[i * nv + j]) < 1e-12 * scale);
      }
      const mjtNum* row = d->M + m->M_rowadr[i];
      for (int c = 0; c < m->M_rownnz[i]; c++) assert_true(row[c] == M[i * nv + m->M_colind[m->M_rowadr[i] + c]]);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// M x by rows = mj_mulM; the residual of M⁻¹ is at most 1e-12; L' D L = M
static void productsAndFactors(void** state) {
  (void)state;
  for (int seed = 0; seed < FORESTS; seed++) {
    mjModel* m = forest(seed);
    mjData* d = moved(m);
    const int nv = (int)m->nv;
    static mjtNum M[NV * NV], L[NV * NV];
    mjtNum x[NV], y[NV], res[NV];
    mj_fullM(m, M, d->qM);
    for (int i = 0; i < nv; i++) x[i] = sin(2.0 * i + seed);
    mj_mulM(m, d, res, x);
    mj_solveM(m, d, y, x, 1);
    for (int i = 0; i < nv; i++) {
      mjtNum product = 0, residual = -x[i], scale = 0, solved = 0;
      for (int j = 0; j < nv; j++) {
        product += M[i * nv + j] * x[j];
        residual += M[i * nv + j] * y[j];
        scale += fabs(M[i * nv + j]);
        solved += fabs(M[i * nv + j] * y[j]);
      }
      assert_true(fabs(product - res[i]) < 1e-14 * scale);
      assert_true(fabs(residual) < 1e-12 * (1 + solved));
    }

    memset(L, 0, sizeof(L));
    for (int i = 0; i < nv; i++) {
      const int adr = m->M_rowadr[i], last = m->M_rownnz[i] - 1;
      for (int c = 0; c < last; c++) L[i * nv + m->M_colind[adr + c]] = d->qLD[adr + c];
      L[i * nv + i] = 1;
    }
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j <= i; j++) {
        mjtNum entry = 0;
        for (int k = i; k < nv; k++) entry += L[k * nv + i] * L[k * nv + j] / d->qLDiagInv[k];
        assert_true(fabs(entry - M[i * nv + j]) < 1e-13 * (1 + sqrt(M[i * nv + i] * M[j * nv + j])));
      }
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// inverse dynamics: RNE(q, q̇, q̈) = M q̈ + c without armature, and c is the bias force of the forward pass
static void newtonEuler(void** state) {
  (void)state;
  for (int seed = 0; seed < FORESTS; seed++) {
    mjModel* m = forest(seed);
    mjData* d = moved(m);
    const int nv = (int)m->nv;
    mjtNum with[NV], without[NV], Ma[NV];
    for (int i = 0; i < nv; i++) {
      d->qvel[i] = sin(3.0 * i + seed);
      d->qacc[i] = cos(2.0 * i);
    }
    mj_comVel(m, d);
    mj_rne(m, d, 1, with);
    mj_rne(m, d, 0, without);
    mj_mulM(m, d, Ma, d->qacc);
    for (int i = 0; i < nv; i++) {
      const mjtNum force = Ma[i] - m->dof_armature[i] * d->qacc[i];
      assert_true(fabs(with[i] - without[i] - force) < 1e-11 * (1 + fabs(with[i])));
    }
    mj_fwdVelocity(m, d);
    assert_memory_equal(d->qfrc_bias, without, nv * sizeof(mjtNum));
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// half of the trees, as when the others sleep: the same bits there, and nothing else is touched; also in place
static void partOfTheDofs(void** state) {
  (void)state;
  for (int seed = 0; seed < FORESTS; seed++) {
    mjModel* m = forest(seed);
    mjData* d = moved(m);
    const int nv = (int)m->nv;
    int list[NV], n = 0, in[NV] = {0};
    for (int i = 0; i < nv; i++) {
      in[i] = m->dof_treeid[i] % 2 == seed % 2;
      if (in[i]) list[n++] = i;
    }
    const SlpRange half = {0, n, list};
    static mjtNum L[NV * NV];
    mjtNum diaginv[NV], x[NV], all[NV];
    for (int i = 0; i < nv; i++) diaginv[i] = 77;
    for (int i = 0; i < m->nC; i++) L[i] = d->M[i];
    dyn_factorLDL(m, d, L, (DynFactor){L, diaginv}, &half);
    for (int i = 0; i < nv; i++) x[i] = all[i] = cos(i + 0.1);
    mj_solveM(m, d, all, all, 1);
    dyn_solveLDL(m, d, (DynFactor){L, diaginv}, x, 1, &half);
    for (int i = 0; i < nv; i++) {
      const int adr = m->M_rowadr[i], bytes = m->M_rownnz[i] * (int)sizeof(mjtNum);
      assert_memory_equal(L + adr, (in[i] ? d->qLD : d->M) + adr, bytes);
      assert_true(diaginv[i] == (in[i] ? d->qLDiagInv[i] : 77));
      assert_true(x[i] == (in[i] ? all[i] : cos(i + 0.1)));
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// every instruction set gives the same bits
static void everyInstructionSet(void** state) {
  (void)state;
  static const char* const KERNELS[] = {"v2", "v3", "v4", "neon"};
  const char* before = mth_kernelName();
  for (int seed = 0; seed < FORESTS; seed += 5) {
    mjModel* m = forest(seed);
    const int nv = (int)m->nv;
    assert_true(mth_kernelSelect("scalar"));
    mjData* d = moved(m);
    mjtNum x[NV], product[NV], solution[NV], other[NV];
    for (int i = 0; i < nv; i++) x[i] = cos(i + 0.1);
    mj_mulM(m, d, product, x);
    mj_solveM(m, d, solution, x, 1);
    for (size_t k = 0; k < sizeof(KERNELS) / sizeof(KERNELS[0]); k++) {
      if (!mth_kernelSelect(KERNELS[k])) continue;
      mjData* same = moved(m);
      assert_memory_equal(same->M, d->M, m->nC * sizeof(mjtNum));
      assert_memory_equal(same->qfrc_bias, d->qfrc_bias, nv * sizeof(mjtNum));
      assert_memory_equal(same->qLD, d->qLD, m->nC * sizeof(mjtNum));
      assert_memory_equal(same->qLDiagInv, d->qLDiagInv, nv * sizeof(mjtNum));
      mj_mulM(m, same, other, x);
      assert_memory_equal(other, product, nv * sizeof(mjtNum));
      mj_solveM(m, same, other, x, 1);
      assert_memory_equal(other, solution, nv * sizeof(mjtNum));
      mj_deleteData(same);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  assert_true(mth_kernelSelect(before));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(partsAndBlocks), cmocka_unit_test(inertiaOfBodies), cmocka_unit_test(productsAndFactors),
      cmocka_unit_test(newtonEuler),    cmocka_unit_test(partOfTheDofs),   cmocka_unit_test(everyInstructionSet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
