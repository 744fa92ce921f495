// Resets on the device: the initial state or a keyframe, and noise from the stream of (seed, simulation, episode),
// which is Philox 4x32 as batch/random.c has it.
#pragma once

#include "cuda/advance.h"

// two words of a block of the stream: numbers of one simulation's episode
CU_FN void cu_philox(const uint32_t seed[2], uint32_t block, uint32_t stream, uint32_t substream, uint32_t r[4]) {
  uint32_t c[4] = {block, 0, stream, substream}, k0 = seed[0], k1 = seed[1];
  CU_LOOP for (int round = 0; round < 10; round++) {
    const uint64_t p0 = (uint64_t)0xD2511F53u * c[0], p1 = (uint64_t)0xCD9E8D57u * c[2];
    const uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1, (uint32_t)(p0 >> 32) ^ c[3] ^ k1,
                              (uint32_t)p0};
    for (int i = 0; i < 4; i++) c[i] = next[i];
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  for (int i = 0; i < 4; i++) r[i] = c[i];
}

// number k of the stream, uniform in [−size, size)
CU_FN Real cu_noise(const CudReset* reset, int k, int sim, int episode, Real size) {
  uint32_t r[4];
  cu_philox(reset->seed, (uint32_t)(k / 2), (uint32_t)reset->sim[sim], (uint32_t)episode, r);
  const uint64_t high = r[2 * (k % 2)], low = r[2 * (k % 2) + 1];
  return (Real)(-(double)size + 2 * (double)size * ((double)((high << 32 | low) >> 11) * 0x1p-53));
}

// the next of the numbers of a start
CU_FN void cu_fromStart(const Real** from, Real* to, int n) {
  CU_FOR(i, n) to[i] = (*from)[i];
  *from += n;
}

CU_CALL void cu_resetState(const Cu* c, int key) {
  const CudModel* m = c->m;
  const CudReset* reset = &c->t->reset;
  const CudState* s = &c->t->state;
  const Real* from = reset->start + (int64_t)(key + 1) * reset->row;
  const int64_t sim = c->sim;
  const int episode = reset->episode[sim] + 1;
  cu_sync();
  cu_fromStart(&from, s->time + sim, 1);
  cu_fromStart(&from, CU_W(c, qpos), m->nq);
  cu_fromStart(&from, CU_W(c, qvel), m->nv);
  cu_fromStart(&from, s->act + sim * m->na, m->na);
  cu_fromStart(&from, s->ctrl + sim * m->nu, m->nu);
  cu_fromStart(&from, s->mocap_pos + sim * 3 * m->nmocap, 3 * m->nmocap);
  cu_fromStart(&from, s->mocap_quat + sim * 4 * m->nmocap, 4 * m->nmocap);
  CU_FOR(i, m->neq) s->eq_active[sim * m->neq + i] = from[i] != 0;
  CU_FOR(i, m->nv) s->qacc_warmstart[sim * m->nv + i] = s->qfrc_applied[sim * m->nv + i] = 0;
  CU_FOR(i, 6 * m->nbody) s->xfrc_applied[sim * 6 * m->nbody + i] = 0;
  cu_sync();

  // what a simulation has values of its own for
  if (key < 0) {
    CU_FOR(i, m->nq) CU_W(c, qpos)[i] = m->qpos0[i];
    CU_FOR(b, m->nmocap ? m->nbody : 0) {
      const int id = m->body_mocapid[b];
      if (id < 0) continue;
      cu_copy3(s->mocap_pos + (sim * m->nmocap + id) * 3, m->body_pos + 3 * b);
      cu_copy4(s->mocap_quat + (sim * m->nmocap + id) * 4, m->body_quat + 4 * b);
    }
    cu_sync();
  }

  // positions move along every dof, then velocities
  if (reset->qpos != 0 || reset->qvel != 0) {
    CU_FOR(i, m->nv) CU_W(c, qacc)[i] = cu_noise(reset, i, c->sim, episode, reset->qpos);
    CU_FOR(i, m->nv) CU_W(c, qvel)[i] += cu_noise(reset, m->nv + i, c->sim, episode, reset->qvel);
    cu_sync();
    if (reset->qpos != 0) cu_movePositions(c, CU_W(c, qpos), CU_W(c, qacc), 1);
  }
  CU_FOR(i, m->nq) s->qpos[sim * m->nq + i] = CU_W(c, qpos)[i];
  CU_FOR(i, m->nv) s->qvel[sim * m->nv + i] = CU_W(c, qvel)[i];
  CU_FOR(i, 1) {
    reset->episode[sim] = episode;
    reset->done[sim] = 0;
    c->t->status[sim] = 0;
  }
}

// 1: the simulation was reset, by the call or because its episode had ended, and does not step
CU_FN int cu_resets(const Cu* c) {
  const CudReset* reset = &c->t->reset;
  const int ended = reset->automatic && c->t->substeps && reset->done[c->sim];
  if (reset->now < -1 && !ended) return 0;
  const Cu rare = *c;
  cu_resetState(&rare, ended && reset->now < -1 ? reset->key : reset->now);
  return 1;
}
