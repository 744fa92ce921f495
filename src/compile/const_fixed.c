// What does not depend on qpos: subtree masses, trees, which trees may sleep.
#include <string.h>

#include "compile/const.h"

static void setMasses(mjModel* m) {
  for (int i = 0; i < m->nbody; i++) m->body_subtreemass[i] = m->body_mass[i];
  for (int i = (int)m->nbody - 1; i > 0; i--) m->body_subtreemass[m->body_parentid[i]] += m->body_subtreemass[i];
  m->ngravcomp = 0;
  for (int i = 0; i < m->nbody; i++) m->ngravcomp += m->body_gravcomp[i] > 0;
}

// -------------------------------------------------------------------------------------------- trees

void cmp_constTrees(mjModel* m) {
  for (int i = 0; i < m->nbody; i++) {
    const int weld = m->body_weldid[i];
    m->body_treeid[i] = m->body_dofnum[weld] ? m->dof_treeid[m->body_dofadr[weld]] : -1;
  }

  // bodies and dofs of a tree follow each other
  memset(m->tree_bodynum, 0, (size_t)m->ntree * sizeof(int));
  memset(m->tree_dofnum, 0, (size_t)m->ntree * sizeof(int));
  int last = -1;
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_treeid[i] < 0) continue;
    if (m->body_treeid[i] > last) m->tree_bodyadr[++last] = i;
    m->tree_bodynum[last]++;
  }
  last = -1;
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_treeid[i] > last) m->tree_dofadr[++last] = i;
    m->tree_dofnum[last]++;
  }
}

// tree of what a tendon runs over, -1: none
static int wrapTree(const mjModel* m, int wrap) {
  const int id = m->wrap_objid[wrap];
  switch (m->wrap_type[wrap]) {
    case mjWRAP_JOINT:
      return m->body_treeid[m->jnt_bodyid[id]];
    case mjWRAP_SITE:
      return m->body_treeid[m->site_bodyid[id]];
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      return m->body_treeid[m->geom_bodyid[id]];
    default:
      return -1;
  }
}

// number of trees that a tendon connects, and the first two of them
static void setTendonTrees(mjModel* m, unsigned char* seen) {
  for (int i = 0; i < m->ntendon; i++) {
    memset(seen, 0, (size_t)m->ntree);
    int n = 0;
    m->tendon_treeid[2 * i] = m->tendon_treeid[2 * i + 1] = -1;
    for (int k = m->tendon_adr[i]; k < m->tendon_adr[i] + m->tendon_num[i]; k++) {
      const int tree = wrapTree(m, k);
      if (tree < 0 || seen[tree]) continue;
      seen[tree] = 1;
      if (n < 2) m->tendon_treeid[2 * i + n] = tree;
      n++;
    }
    m->tendon_treenum[i] = n;
  }
}

// -------------------------------------------------------------------------------------------- sleep

// a tree whose policy is up to the compiler stays awake
static void forbidSleep(mjModel* m, int tree) {
  if (tree >= 0 && m->tree_sleep_policy[tree] == mjSLEEP_AUTO) m->tree_sleep_policy[tree] = mjSLEEP_AUTO_NEVER;
}

static void wakeActuated(mjModel* m) {
  for (int i = 0; i < m->nu; i++) {
    const int id = m->actuator_trnid[2 * i];
    switch (m->actuator_trntype[i]) {
      case mjTRN_JOINT:
      case mjTRN_JOINTINPARENT:
        forbidSleep(m, m->body_treeid[m->jnt_bodyid[id]]);
        break;
      case mjTRN_SITE:
      case mjTRN_SLIDERCRANK:
        forbidSleep(m, m->body_treeid[m->site_bodyid[id]]);
        break;
      case mjTRN_BODY:
        forbidSleep(m, m->body_treeid[id]);
        break;
      case mjTRN_TENDON:
        for (int k = m->tendon_adr[id]; k < m->tendon_adr[id] + m->tendon_num[id]; k++) forbidSleep(m, wrapTree(m, k));
        break;
      default:
        break;
    }
  }
}

// trees that a tendon pulls together, and all trees of a tendon over more than two
static void wakeTendons(mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    const int n = m->tendon_treenum[i];
    if (n < 2 || (n == 2 && m->tendon_stiffness[i] == 0 && m->tendon_damping[i] == 0)) continue;
    for (int k = m->tendon_adr[i]; k < m->tendon_adr[i] + m->tendon_num[i]; k++) {
      const int tree = wrapTree(m, k);
      if (tree < 0) continue;
      const int policy = m->tree_sleep_policy[tree];
      if (policy == mjSLEEP_ALLOWED || policy == mjSLEEP_INIT) {
        mju_error(n > 2 ? "tree %d connected to tendon %d which spans more than 2 trees, sleeping not allowed"
                        : "tree %d connected to tendon %d with non-zero stiffness or damping, sleeping not allowed",
                  tree, i);
        return;
      }
      forbidSleep(m, tree);
    }
  }
}

static void wakeFlexes(mjModel* m) {
  for (int i = 0; i < m->nflex; i++) {
    const int interp = m->flex_interp[i];
    const int n = interp ? m->flex_nodenum[i] : m->flex_vertnum[i];
    const int* const body = interp ? m->flex_nodebodyid + m->flex_nodeadr[i] : m->flex_vertbodyid + m->flex_vertadr[i];
    for (int k = 0; k < n; k++) forbidSleep(m, m->body_treeid[body[k]]);
  }
}

void cmp_constFixed(mjModel* m, mjData* d) {
  setMasses(m);
  cmp_constTrees(m);
  mj_markStack(d);
  setTendonTrees(m, mj_stackAllocByte(d, (size_t)m->ntree + 1, 1));
  mj_freeStack(d);
  wakeActuated(m);
  wakeTendons(m);
  wakeFlexes(m);
  for (int i = 0; i < m->ntree; i++) {
    if (m->tree_sleep_policy[i] == mjSLEEP_AUTO) m->tree_sleep_policy[i] = mjSLEEP_AUTO_ALLOWED;
  }
}
