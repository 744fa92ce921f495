// Trees fall asleep island by island when all of them have been still for a while, and wake when the user or an
// awake tree disturbs them.
#include "sleep/private.h"

#include <math.h>
#include <string.h>

// tree_asleep of a tree that was just disturbed: it stays awake for at least mjMINAWAKE quiet steps
#define SLP_AWAKE (-(1 + mjMINAWAKE))

// ---------------------------------------------------------------- criteria

// 1: nobody applies a force anywhere
static int noForces(const mjModel* m, const mjData* d) {
  return slp_allZero(d->xfrc_applied, 6 * (int)m->nbody) && slp_allZero(d->qfrc_applied, (int)m->nv);
}

// may this tree be asleep: policy, no applied forces (none: that is known), and slow (tolerance 0: exactly at rest)
static inline int canSleep(const mjModel* m, const mjData* d, int tree, mjtNum tolerance, int none) {
  const int policy = m->tree_sleep_policy[tree];
  if (policy == mjSLEEP_NEVER || policy == mjSLEEP_AUTO_NEVER) return 0;

  const int dof = m->tree_dofadr[tree], ndof = m->tree_dofnum[tree];
  if (!none && !slp_allZero(d->xfrc_applied + 6 * m->tree_bodyadr[tree], 6 * m->tree_bodynum[tree])) return 0;
  if (!none && !slp_allZero(d->qfrc_applied + dof, ndof)) return 0;
  if (!tolerance) return slp_atRest(m, d, dof, ndof);

  for (int i = dof; i < dof + ndof; i++) {
    if (m->dof_length[i] * fabs(d->qvel[i]) >= tolerance) return 0;
  }
  return 1;
}

// ---------------------------------------------------------------- waking

static _Thread_local SlpListener threadListener = NULL;

SlpListener slp_setListener(SlpListener listener) {
  const SlpListener before = threadListener;
  threadListener = listener;
  return before;
}

void slp_tell(mjData* d) {
  if (threadListener) threadListener(d);
}

void slp_markMoved(mjData* d, int tree) {
  slp_tell(d);
  d->tree_awake[tree] = 1;
}

int slp_wakeCycle(int* asleep, int ntree, int tree, int wakeval) {
  // an error handler may return: nothing is read or written past the ends, and one mistake is one error
  if (tree < 0 || tree >= ntree) {
    mju_error("mj_wakeTree: invalid tree %d of %d", tree, ntree);
    return 0;
  }

  // awake already: keep the larger number of steps
  if (asleep[tree] < 0) {
    if (wakeval < asleep[tree]) asleep[tree] = wakeval;
    return 0;
  }

  // go round the cycle of those that sleep together
  int nwoke = 0, current = tree;
  do {
    const int next = asleep[current];
    if (next < 0 || next >= ntree) {
      mju_error("mj_wakeTree: invalid sleep state index %d when waking tree %d", next, tree);
      return nwoke;
    }
    asleep[current] = wakeval;
    nwoke++;
    current = next;
  } while (current != tree && nwoke < ntree);
  if (current != tree) mju_error("mj_wakeTree: tree %d is not in a cycle", tree);
  return nwoke;
}

int slp_wakeTree(const mjModel* m, mjData* d, int tree, int wakeval) {
  if (tree >= 0 && tree < m->ntree && d->tree_asleep[tree] >= 0) slp_tell(d);
  return slp_wakeCycle(d->tree_asleep, (int)m->ntree, tree, wakeval);
}

// one side awake, the other asleep: the sleeper takes over the awake tree's count
static int wakeByNeighbour(const mjModel* m, mjData* d, int tree1, int tree2) {
  const int awake = d->tree_awake[tree1] ? tree1 : tree2, sleeper = awake == tree1 ? tree2 : tree1;
  return slp_wakeTree(m, d, sleeper, d->tree_asleep[awake]);
}

// 1: a tree sleeps, its pose was not changed, and it may sleep as far as its policy goes
static inline int staysAsleep(const mjModel* m, const mjData* d, int tree) {
  const int policy = m->tree_sleep_policy[tree];
  return d->tree_asleep[tree] >= 0 && !d->tree_awake[tree] && policy != mjSLEEP_NEVER && policy != mjSLEEP_AUTO_NEVER;
}

// Many sleepers in a row whose dofs follow each other are looked at together, a block at a time: the first tree behind
// those that are at rest. Nobody applies a force.
static int skipQuiet(const mjModel* m, const mjData* d, int tree) {
  enum { ROW = 64 };
  while (tree + ROW <= m->ntree) {
    const int first = m->tree_dofadr[tree];
    int dof = first, quiet = 1;
    for (int i = tree; i < tree + ROW; i++) {
      quiet &= staysAsleep(m, d, i) & (m->tree_dofadr[i] == dof);
      dof += m->tree_dofnum[i];
    }
    if (!quiet || !slp_atRest(m, d, first, dof - first)) return tree;
    tree += ROW;
  }
  return tree;
}

int slp_wake(const mjModel* m, mjData* d) {
  // sleeping was switched off while trees slept
  if (!slp_enabled(m)) {
    const int nasleep = m->ntree - d->ntree_awake;
    if (nasleep > 0) {
      slp_tell(d);
      for (int i = 0; i < m->ntree; i++) d->tree_asleep[i] = SLP_AWAKE;
    }
    return nasleep;
  }

  // kinematics marks trees whose pose was changed in tree_awake; forces and velocities are looked at here
  int nwoke = 0;
  const int none = noForces(m, d);
  for (int i = 0; i < m->ntree; i++) {
    if (d->tree_asleep[i] < 0) continue;
    if (none) i = skipQuiet(m, d, i);
    if (i == m->ntree || d->tree_asleep[i] < 0) continue;
    if (d->tree_awake[i] || !canSleep(m, d, i, 0, none)) nwoke += slp_wakeTree(m, d, i, SLP_AWAKE);
  }
  slp_private(d)->resting = 0;
  return nwoke;
}

// the body on one side of a contact; a flex answers with any of its bodies
static int contactBody(const mjModel* m, const mjContact* con, int side) {
  if (con->geom[side] >= 0) return m->geom_bodyid[con->geom[side]];
  const int f = con->flex[side];
  if (m->flex_interp[f]) return m->flex_nodebodyid[m->flex_nodeadr[f]];
  int vert = con->vert[side];
  if (vert < 0) vert = m->flex_elem[m->flex_elemdataadr[f] + con->elem[side] * (m->flex_dim[f] + 1)];
  return m->flex_vertbodyid[m->flex_vertadr[f] + vert];
}

int slp_wakeCollision(const mjModel* m, mjData* d) {
  if (!slp_enabled(m)) return 0;
  int nwoke = 0;
  for (int i = 0; i < d->ncon; i++) {
    const int tree1 = m->body_treeid[contactBody(m, d->contact + i, 0)];
    const int tree2 = m->body_treeid[contactBody(m, d->contact + i, 1)];
    if (tree1 < 0 || tree2 < 0 || d->tree_awake[tree1] == d->tree_awake[tree2]) continue;
    nwoke += wakeByNeighbour(m, d, tree1, tree2);
  }
  return nwoke;
}

// is a tendon inside the margin of either limit?
static int tendonAtLimit(const mjModel* m, const mjData* d, int id) {
  if (!m->tendon_limited[id]) return 0;
  const mjtNum length = d->ten_length[id], margin = m->tendon_margin[id];
  const mjtNum* range = m->tendon_range + 2 * id;
  return length - range[0] < margin || range[1] - length < margin;
}

int slp_wakeTendon(const mjModel* m, mjData* d) {
  if (!slp_enabled(m)) return 0;
  int nwoke = 0;
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_treenum[i] != 2 || !tendonAtLimit(m, d, i)) continue;
    const int* tree = m->tendon_treeid + 2 * i;
    if (d->tree_awake[tree[0]] != d->tree_awake[tree[1]]) nwoke += wakeByNeighbour(m, d, tree[0], tree[1]);
  }
  return nwoke;
}

// smallest tree of the group that sleeps together with this one
static int cycleOf(const mjModel* m, const mjData* d, int tree) {
  int smallest = tree, current = tree;
  for (int steps = 0; steps < m->ntree; steps++) {
    current = d->tree_asleep[current];
    if (current < smallest) smallest = current;
    if (current == tree) break;
  }
  return smallest;
}

// the trees that an equality connects, -1 for none or static; 0: this kind does not matter here
static int equalityTrees(const mjModel* m, int id, int tree[2]) {
  const int obj[2] = {m->eq_obj1id[id], m->eq_obj2id[id]};
  const int type = m->eq_type[id];
  if (type == mjEQ_TENDON) mju_error("tendon equality does not yet support sleeping");
  if (type != mjEQ_CONNECT && type != mjEQ_WELD && type != mjEQ_JOINT) return 0;

  for (int k = 0; k < 2; k++) {
    int body = 0;
    if (type == mjEQ_JOINT) {
      body = obj[k] >= 0 ? m->jnt_bodyid[obj[k]] : 0;
    } else {
      body = m->eq_objtype[id] == mjOBJ_BODY ? obj[k] : m->site_bodyid[obj[k]];
    }
    tree[k] = m->body_treeid[body];
  }
  return 1;
}

int slp_wakeEquality(const mjModel* m, mjData* d) {
  if (!slp_enabled(m)) return 0;
  int nwoke = 0;
  for (int i = 0; i < m->neq; i++) {
    int tree[2];
    if (!d->eq_active[i] || !equalityTrees(m, i, tree)) continue;
    if (tree[0] < 0 || tree[1] < 0 || tree[0] == tree[1]) continue;
    const int awake1 = d->tree_awake[tree[0]], awake2 = d->tree_awake[tree[1]];
    if (awake1 && awake2) continue;

    // both asleep is fine when they fell asleep together
    if (awake1 == awake2) {
      if (cycleOf(m, d, tree[0]) == cycleOf(m, d, tree[1])) continue;
      nwoke += slp_wakeTree(m, d, tree[0], SLP_AWAKE);
      nwoke += slp_wakeTree(m, d, tree[1], SLP_AWAKE);
    } else {
      nwoke += slp_wakeTree(m, d, awake1 ? tree[1] : tree[0], SLP_AWAKE);
    }
  }
  return nwoke;
}

// ---------------------------------------------------------------- falling asleep

// links the trees into a cycle and brings them to rest
static void sleepTrees(const mjModel* m, mjData* d, const int* tree, int n) {
  for (int i = 0; i < n; i++) {
    if (d->tree_asleep[tree[i]] != -1) mju_error("tree %d is not ready to sleep", tree[i]);
    d->tree_asleep[tree[i]] = tree[(i + 1) % n];
    const int adr = m->tree_dofadr[tree[i]];
    const size_t bytes = m->tree_dofnum[tree[i]] * sizeof(mjtNum);
    memset(d->qvel + adr, 0, bytes);
    memset(d->qacc + adr, 0, bytes);
  }
}

// 1: no tree is awake; written to be vectorized
static int allAsleep(const int* asleep, int n) {
  int any = 0;
  for (int i = 0; i < n; i++) any |= asleep[i];
  return any >= 0;
}

int slp_sleep(const mjModel* m, mjData* d) {
  // constraints without islands: unknown which trees belong together
  if (!slp_enabled(m) || (d->nefc && !d->nisland)) return 0;

  // count down the quiet steps of awake trees
  if (allAsleep(d->tree_asleep, (int)m->ntree)) return 0;
  for (int i = 0; i < m->ntree; i++) {
    int* asleep = d->tree_asleep + i;
    if (*asleep >= 0) continue;
    if (!canSleep(m, d, i, m->opt.sleep_tolerance, 0)) {
      *asleep = SLP_AWAKE;
    } else if (*asleep < -1) {
      (*asleep)++;
    }
  }

  // islands of which every tree is ready
  int nslept = 0;
  for (int i = 0; i < d->nisland; i++) {
    const int* tree = d->map_itree2tree + d->island_itreeadr[i];
    const int n = d->island_ntree[i];
    int ready = 0;
    while (ready < n && d->tree_asleep[tree[ready]] == -1) ready++;
    if (ready < n) continue;
    sleepTrees(m, d, tree, n);
    nslept += n;
  }

  // trees without constraints, one by one; those of islands come first in the map
  const int last = d->nisland - 1;
  for (int j = d->nisland ? d->island_itreeadr[last] + d->island_ntree[last] : 0; j < m->ntree; j++) {
    const int tree = d->nisland ? d->map_itree2tree[j] : j;
    if (d->tree_asleep[tree] != -1) continue;
    sleepTrees(m, d, &tree, 1);
    nslept++;
  }
  return nslept;
}
