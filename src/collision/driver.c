// Collision detection: mj_collision. Broad phase over bodies and flexes, mid phase over their geoms and elements,
// narrow phase over the pairs that are left.
//
// Contacts come in the order of the pairs' signatures (col_signature); pairs that the model lists are merged by their
// signature and come first. Within a pair of bodies contacts are ordered by geom, with or without the mid phase.
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <string.h>

#include "model/hooks.h"
#include "base/share.h"
#include "base/sort.h"
#include "base/stack.h"
#include "collision/broad.h"
#include "collision/exact.h"
#include "collision/contact.h"
#include "collision/continuous.h"
#include "collision/filter.h"
#include "collision/flex_pairs.h"
#include "collision/mid.h"
#include "collision/narrow.h"
#include "collision/pairs.h"
#include "collision/reduce.h"
#include "collision/section.h"
#include "sleep/sleep.h"
#include "model/arena.h"
#include "base/assert.h"
#include "physics/stick.h"

// pairs of bodies that make a part worth a thread, and contacts that a part has room for, per pair
enum { PART_PAIRS = 32, PAIR_CONTACTS = 8 };

// pairs of geoms that the mid phase keeps outside mjData's stack
enum { SHORT_LIST = 128 };

// up to this many pairs of geoms in two bodies all are compared: walking the hierarchies would take longer
enum { FEW_PAIRS = 3, MANY_GEOMS = 8 };

// room of its own for the contacts of a part of the pairs
typedef struct {
  mjContact* con;
  mjContact* place;  // where they go in the end
  int n, most;
  bool full;  // there was no room for a pair: these contacts are of no use
} Room;

// position in the model's lists while the body pairs go by in ascending order
typedef struct {
  int pair;        // next predefined pair
  int first, end;  // predefined pairs with the current signature
  int exclude;     // next excluded signature
  Room* room;      // NULL: contacts go to the arena
} Cursor;

// two geoms, the lower type first
typedef struct {
  int g1, g2;
} GeomPair;

//---------------------------------- two geoms ----------------------------------

static GeomPair ordered(const mjModel* m, int g1, int g2) {
  return m->geom_type[g1] > m->geom_type[g2] ? (GeomPair){g2, g1} : (GeomPair){g1, g2};
}

// contacts of two geoms, complete; returns their number
static int geomContacts(const mjModel* m, const mjData* d, mjContact* con, GeomPair p, int ipair, mjtNum margin) {
  const mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[p.g1]][m->geom_type[p.g2]];
  const int mesh = m->geom_type[p.g1] == mjGEOM_MESH || m->geom_type[p.g2] == mjGEOM_MESH;
  int n = mesh && col_exactHead(m, d) ? col_exactPair(m, d, con, p.g1, p.g2, margin) : -1;
  if (n < 0) n = collide(m, d, con, p.g1, p.g2, margin);
  if (n == 0) return 0;
  if (n > mjMAXCONPAIR) mju_error("mj_collision: too many contacts returned by collision function");
  if ((n > 4 || m->geom_type[p.g1] == mjGEOM_HFIELD) && col_hasReduce(m, d)) n = col_reduce(m, d, con, n, p.g1, p.g2);

  if (collide == col_boxBox) {
    const ColShape a = col_geomShape(m, d, p.g1), b = col_geomShape(m, d, p.g2);
    n = col_cleanBoxes(con, n, margin, &a, &b);
  }
  ColParam param;
  if (ipair >= 0) {
    col_pairParam(m, &param, ipair, margin);
  } else {
    col_mixParam(m, &param, (ColSide){p.g1, -1}, (ColSide){p.g2, -1}, margin);
  }
  const ColIds ids = {
      {p.g1, p.g2},
      {-1,   -1  },
      {-1,   -1  },
      {-1,   -1  }
  };
  col_completeContacts(con, n, &param, &ids);
  return n;
}

// the arena is nearly full: find the contacts elsewhere, they may still fit
__attribute__((noinline, cold)) static void collideSpare(const mjModel* m, mjData* d, GeomPair p, int ipair,
                                                         mjtNum margin) {
  mjContact spare[mjMAXCONPAIR];
  col_closeRoom(d, spare, geomContacts(m, d, spare, p, ipair, margin));
}

// narrow phase of two geoms that passed every filter but the bounding spheres; ipair >= 0: from the model's list
static void collideGeoms(const mjModel* m, mjData* d, GeomPair p, int ipair, Room* own) {
  const mjtNum margin = col_geomMargin(m, p.g1, p.g2, ipair);
  if (!mjCOLLISIONFUNC[m->geom_type[p.g1]][m->geom_type[p.g2]]) return;
  if (col_spheresApart(m, d, p.g1, p.g2, margin)) return;
  if (own) {
    own->full = own->full || own->n + mjMAXCONPAIR > own->most;
    if (!own->full) own->n += geomContacts(m, d, own->con + own->n, p, ipair, margin);
    return;
  }
  mjContact* room = col_openRoom(d);
  if (room) {
    col_closeRoom(d, room, geomContacts(m, d, room, p, ipair, margin));
  } else {
    collideSpare(m, d, p, ipair, margin);
  }
}

// the user's filter, or the geoms' collision bits
static bool geomsMayCollide(const mjModel* m, mjData* d, GeomPair p) {
  if (mdl_filtersContacts(d)) return !mdl_callContactFilter(m, d, p.g1, p.g2);
  return col_bitsMatch(col_geomBits(m, p.g1), col_geomBits(m, p.g2));
}

// a pair of geoms that the model lists as a pair is not found again by its bodies
static bool isListed(const mjModel* m, const Cursor* at, int g1, int g2) {
  for (int k = at->first; k < at->end; k++) {
    if (m->pair_geom1[k] == g1 && m->pair_geom2[k] == g2) return true;
    if (m->pair_geom1[k] == g2 && m->pair_geom2[k] == g1) return true;
  }
  return false;
}

static void tryGeoms(const mjModel* m, mjData* d, int g1, int g2, const Cursor* at) {
  if (isListed(m, at, g1, g2)) return;
  const GeomPair p = ordered(m, g1, g2);
  if (geomsMayCollide(m, d, p)) collideGeoms(m, d, p, -1, at->room);
}

// a pair from the model's list, unless neither body is awake
static void collideListed(const mjModel* m, mjData* d, int ipair) {
  const int g1 = m->pair_geom1[ipair], g2 = m->pair_geom2[ipair];
  if (slp_enabled(m)) {
    const int awake1 = d->body_awake[m->geom_bodyid[g1]], awake2 = d->body_awake[m->geom_bodyid[g2]];
    if (awake1 != mjS_AWAKE && awake2 != mjS_AWAKE) return;
  }
  collideGeoms(m, d, ordered(m, g1, g2), ipair, NULL);
}

//---------------------------------- two bodies ----------------------------------

// pairs of geoms that the mid phase finds
typedef struct {
  GeomPair* pair;
  int n;
} GeomList;

static void listGeoms(const mjModel* m, mjData* d, int g1, int g2, void* context) {
  (void)d;
  GeomList* list = context;
  list->pair[list->n++] = ordered(m, g1, g2);
}

static bool pairBefore(GeomPair a, GeomPair b) {
  return a.g1 < b.g1 || (a.g1 == b.g1 && a.g2 < b.g2);
}

static void sortGeoms(GeomPair* pair, int n) {
  BAS_SORT(GeomPair, pair, n, pairBefore);
}

// the same without hierarchies, for those of the first body's geoms that are set in `geoms`
static void listDirectly(const mjModel* m, mjData* d, int b1, int b2, unsigned geoms, GeomList* list) {
  const int start1 = m->body_geomadr[b1], start2 = m->body_geomadr[b2];
  for (int g1 = start1; geoms; g1++, geoms >>= 1) {
    if (!(geoms & 1)) continue;
    for (int g2 = start2; g2 < start2 + m->body_geomnum[b2]; g2++) {
      if (col_geomsApart(m, d, g1, g2)) continue;
      list->pair[list->n++] = ordered(m, g1, g2);
      col_markGeom(m, d, g1);
      col_markGeom(m, d, g2);
    }
  }
}

// through hierarchies, or directly when `geoms` says which of the first body's geoms to look at
static void collideByTree(const mjModel* m, mjData* d, int b1, int b2, unsigned geoms, const Cursor* at) {
  GeomPair shortList[SHORT_LIST];
  const size_t most = (size_t)m->body_geomnum[b1] * (size_t)m->body_geomnum[b2];
  mj_markStack(d);
  GeomList list = {shortList, 0};
  if (most > SHORT_LIST) list.pair = mj_stackAllocByte(d, most * sizeof(GeomPair), _Alignof(GeomPair));

  if (most <= FEW_PAIRS && !geoms) geoms = (1u << m->body_geomnum[b1]) - 1;
  if (geoms) {
    listDirectly(m, d, b1, b2, geoms, &list);
  } else {
    col_mid(m, d, b1, b2, listGeoms, &list);
  }
  BAS_ASSERT((size_t)list.n <= most);
  sortGeoms(list.pair, list.n);
  for (int i = 0; i < list.n; i++) tryGeoms(m, d, list.pair[i].g1, list.pair[i].g2, at);
  mj_freeStack(d);
}

static void collideBodies(const mjModel* m, mjData* d, int b1, int b2, unsigned geoms, const Cursor* at) {
  const int start1 = m->body_geomadr[b1], num1 = m->body_geomnum[b1];
  const int start2 = m->body_geomadr[b2], num2 = m->body_geomnum[b2];
  const bool single = num1 == 1 && num2 == 1;
  const bool trees = !(m->opt.disableflags & mjDSBL_MIDPHASE) && m->body_bvhadr[b1] >= 0 && m->body_bvhadr[b2] >= 0;
  if (!single && trees) {
    // of a body with many geoms the hierarchy is worth its walk
    collideByTree(m, d, b1, b2, num2 <= MANY_GEOMS ? geoms : 0, at);
    return;
  }
  for (int g1 = start1; g1 < start1 + num1; g1++) {
    for (int g2 = start2; g2 < start2 + num2; g2++) tryGeoms(m, d, g1, g2, at);
  }
}

//---------------------------------- all pairs ----------------------------------

// handles the listed pairs up to a signature and remembers those that have it
static void advanceListed(const mjModel* m, mjData* d, Cursor* at, unsigned signature) {
  at->first = at->end = at->pair;
  for (; at->pair < m->npair && (unsigned)m->pair_signature[at->pair] <= signature; at->pair++) {
    if ((unsigned)m->pair_signature[at->pair] < signature) at->first = at->pair + 1;
    collideListed(m, d, at->pair);
  }
  at->end = at->pair;
}

static bool isExcluded(const mjModel* m, Cursor* at, unsigned signature) {
  while (at->exclude < m->nexclude && (unsigned)m->exclude_signature[at->exclude] < signature) at->exclude++;
  return at->exclude < m->nexclude && (unsigned)m->exclude_signature[at->exclude] == signature;
}

// the pairs of a part of the list
static void collideRange(const mjModel* m, mjData* d, const ColPairs* pairs, BasPart part, Cursor* at) {
  for (int i = part.begin; i < part.end; i++) {
    const unsigned signature = pairs->pair[i];
    if (i > 0 && signature == pairs->pair[i - 1]) continue;
    advanceListed(m, d, at, signature);
    if (isExcluded(m, at, signature)) continue;
    const int bf1 = (int)(signature >> 16), bf2 = (int)(signature & 0xFFFF), nbody = (int)m->nbody;
    if (bf2 < nbody) {
      collideBodies(m, d, bf1, bf2, i < pairs->nworld ? pairs->ground[i] : 0, at);
    } else if (bf1 < nbody) {
      col_bodyFlex(m, d, bf1, bf2 - nbody);
    } else {
      col_flexFlex(m, d, bf1 - nbody, bf2 - nbody);
    }
  }
}

static void collidePairs(const mjModel* m, mjData* d, const ColPairs* pairs) {
  Cursor at = {0};
  collideRange(m, d, pairs, (BasPart){0, pairs->n}, &at);

  // listed pairs of bodies that the broad phase did not find
  for (; at.pair < m->npair; at.pair++) collideListed(m, d, at.pair);
}

//---------------------------------- on threads ----------------------------------

// Pairs in parts. Each part writes its contacts into a room of its own in the free part of the arena, the first one
// where they stay; then they move together, in the order of the parts.
typedef struct {
  const mjModel* m;
  mjData* d;
  const ColPairs* pairs;
  int n;
  Room* room;
} Shared;

// contacts of one part to their place
static void placePart(void* arg, int piece) {
  const Shared* s = arg;
  const Room* room = s->room + piece;
  if (room->con != room->place) memmove(room->place, room->con, (size_t)room->n * sizeof(mjContact));
}

static void collidePart(void* arg, int piece) {
  const Shared* s = arg;
  Cursor at = {.room = s->room + piece};
  collideRange(s->m, s->d, s->pairs, bas_part(s->pairs->n, s->n, piece), &at);
}

// 1: nobody but our own functions, which keep no state, takes part
static int canShare(const mjModel* m, const mjData* d) {
  return !m->npair && !m->nflex && !m->nplugin && !mdl_filtersContacts(d) && !col_exactHead(m, d) && col_ownTable();
}

// the narrow phase on threads; 0: it does not pay, or there was no room
static int collideShared(const mjModel* m, mjData* d, const ColPairs* pairs) {
  Shared s = {m, d, pairs, bas_parts(d, pairs->n, PART_PAIRS), NULL};
  if (s.n == 1 || !canShare(m, d)) return 0;
  const mjtSize maxuse = d->maxuse_arena;
  const size_t most = ((size_t)pairs->n / (size_t)s.n + 1) * PAIR_CONTACTS + mjMAXCONPAIR;
  mjContact* const con = mj_arenaAllocByte(d, most * (size_t)s.n * sizeof(mjContact), _Alignof(mjContact));
  if (!con) return 0;
  BAS_ASSERT(con == d->contact);
  phy_stick(m, d);  // looked up before threads ask for it
  s.room = mj_stackAllocByte(d, sizeof(Room) * (size_t)s.n, _Alignof(Room));
  for (int k = 0; k < s.n; k++) s.room[k] = (Room){.con = con + (size_t)k * most, .most = (int)most};
  bas_share(d, NULL, collidePart, &s, s.n);

  // together; side by side where nobody writes into a room that is still to be emptied
  int n = 0, full = 0;
  for (int k = 0; k < s.n; k++) {
    s.room[k].place = con + n;
    n += s.room[k].n;
    full |= s.room[k].full;
  }
  if ((size_t)n <= most) {
    bas_share(d, NULL, placePart, &s, s.n);
  } else {
    for (int k = 0; k < s.n; k++) placePart(&s, k);
  }
  d->ncon = full ? 0 : n;
  mdl_shrinkArena(d);
  const mjtSize used = (mjtSize)((size_t)n * sizeof(mjContact));
  d->maxuse_arena = used > maxuse ? used : maxuse;
  return !full;
}

// adds the time since `start` to a timer; returns the present
static mjtNum countTime(mjData* d, int timer, mjtNum start) {
  const mjtNum now = mjcb_time ? mjcb_time() : 0;
  d->timer[timer].duration += now - start;
  d->timer[timer].number++;
  return now;
}

// 0: the bits of all geoms together let no two of them collide, nothing is listed, and nobody else decides about pairs.
// Mostly the first geom says no.
static int mayCollide(const mjModel* m, const mjData* d) {
  if (m->npair || m->nflex || mdl_filtersContacts(d)) return 1;
  int contype = 0, conaffinity = 0;
  for (int g = 0; g < m->ngeom; g++) {
    contype |= m->geom_contype[g];
    conaffinity |= m->geom_conaffinity[g];
    if (contype & conaffinity) return 1;
  }
  return 0;
}

//---------------------------------- pairs of a caller ----------------------------------

// pairs being listed; n counts on when there is no more room
typedef struct {
  MdlLanePair* pair;
  int n, most;
} PairList;

static void pushPair(const mjModel* m, PairList* list, GeomPair p, int listed) {
  // listed pairs are not looked at by boxes, and planes have none
  const int boxes = listed < 0 && m->geom_rbound[p.g1] > 0 && m->geom_rbound[p.g2] > 0;
  if (list->n < list->most) {
    list->pair[list->n] = (MdlLanePair){p.g1, p.g2, listed, boxes, col_geomMargin(m, p.g1, p.g2, listed)};
  }
  list->n++;
}

// two bodies, one of which can move: what col_broad would find if they were everywhere
static bool bodiesMayCollide(const mjModel* m, int b1, int b2) {
  const int weld1 = m->body_weldid[b1], weld2 = m->body_weldid[b2];
  if (weld1 == weld2 || !m->body_geomnum[b1] || !m->body_geomnum[b2]) return false;
  if (!col_bitsMatch(col_bits(m, b1), col_bits(m, b2))) return false;
  if ((m->opt.disableflags & mjDSBL_FILTERPARENT) || !weld1 || !weld2) return true;
  return weld1 != m->body_weldid[m->body_parentid[weld2]] && weld2 != m->body_weldid[m->body_parentid[weld1]];
}

// pairs of geoms of two bodies in the order of collideBodies
static void listBodies(const mjModel* m, PairList* list, int b1, int b2, const Cursor* at) {
  const int start1 = m->body_geomadr[b1], num1 = m->body_geomnum[b1];
  const int start2 = m->body_geomadr[b2], num2 = m->body_geomnum[b2];
  const bool trees = !(m->opt.disableflags & mjDSBL_MIDPHASE) && m->body_bvhadr[b1] >= 0 && m->body_bvhadr[b2] >= 0;
  const int first = list->n;
  for (int g1 = start1; g1 < start1 + num1; g1++) {
    for (int g2 = start2; g2 < start2 + num2; g2++) {
      const GeomPair p = ordered(m, g1, g2);
      if (isListed(m, at, g1, g2) || !col_bitsMatch(col_geomBits(m, p.g1), col_geomBits(m, p.g2))) continue;
      if (!mjCOLLISIONFUNC[m->geom_type[p.g1]][m->geom_type[p.g2]]) continue;
      pushPair(m, list, p, -1);
    }
  }
  if (!trees || list->n > list->most) return;
  for (int i = first + 1; i < list->n; i++) {
    const MdlLanePair p = list->pair[i];
    int j = i;
    for (; j > first && pairBefore((GeomPair){p.g1, p.g2}, (GeomPair){list->pair[j - 1].g1, list->pair[j - 1].g2});
         j--) {
      list->pair[j] = list->pair[j - 1];
    }
    list->pair[j] = p;
  }
}

int col_listPairs(const mjModel* m, MdlLanePair* pair, int most) {
  PairList list = {pair, 0, most};
  Cursor at = {0};
  for (int b1 = 0; b1 < m->nbody; b1++) {
    for (int b2 = b1 + 1; b2 < m->nbody; b2++) {
      const unsigned signature = (unsigned)b1 << 16 | (unsigned)b2;
      at.first = at.pair;
      for (; at.pair < m->npair && (unsigned)m->pair_signature[at.pair] <= signature; at.pair++) {
        if ((unsigned)m->pair_signature[at.pair] < signature) at.first = at.pair + 1;
        pushPair(m, &list, ordered(m, m->pair_geom1[at.pair], m->pair_geom2[at.pair]), at.pair);
      }
      at.end = at.pair;
      if (!isExcluded(m, &at, signature) && bodiesMayCollide(m, b1, b2)) listBodies(m, &list, b1, b2, &at);
    }
  }
  return list.n;
}

void col_startPairs(mjData* d) {
  d->ncon = 0;
  mdl_dropRows(d);
}

void col_collidePair(const mjModel* m, mjData* d, const MdlLanePair* pair) {
  collideGeoms(m, d, (GeomPair){pair->g1, pair->g2}, pair->listed, NULL);
}

//---------------------------------- all ----------------------------------

void mj_collision(const mjModel* m, mjData* d) {
  const mjtNum start = mjcb_time ? mjcb_time() : 0;

  // no contacts, no rows, no visited boxes
  col_startPairs(d);
  if (m->vis.global.bvactive) col_clearBoxes(m, d);
  if ((m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) || m->nbody + m->nflex < 2) return;

  mj_markStack(d);
  const ColPairs pairs = mayCollide(m, d) ? col_broad(m, d) : (ColPairs){0};
  const mjtNum broad = countTime(d, mjTIMER_COL_BROAD, start);
  if (!collideShared(m, d, &pairs)) collidePairs(m, d, &pairs);
  mj_freeStack(d);
  for (int f = 0; f < m->nflex; f++) col_flexSelf(m, d, f);
  if (col_hasContinuous(m, d)) col_continuous(m, d);
  BAS_CHECK(col_assertContacts(m, d));
  countTime(d, mjTIMER_COL_NARROW, broad);
  countTime(d, mjTIMER_POS_COLLISION, start);
}
