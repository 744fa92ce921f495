// Contacts: the same set, to the last digits where a closed form finds them. What an iterative algorithm finds may
// agree loosely, and is then said to.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conform/conform.h"

static const double LOOSE_DEPTH = 1e-5, LOOSE_DIRECTION = 1e-2;

// 1: an iterative algorithm finds this contact
static int isIterative(const mjModel* m, const mjContact* contact) {
  if (contact->geom[0] < 0 || contact->geom[1] < 0) return 1;
  const int x = m->geom_type[contact->geom[0]], y = m->geom_type[contact->geom[1]];
  const int first = x < y ? x : y, second = x < y ? y : x;
  if (first == mjGEOM_PLANE) return 0;
  if (second == mjGEOM_MESH || second == mjGEOM_SDF || first == mjGEOM_HFIELD) return 1;
  if (first == mjGEOM_ELLIPSOID || second == mjGEOM_ELLIPSOID) return 1;
  if (second == mjGEOM_CYLINDER) return first != mjGEOM_SPHERE;
  return first == mjGEOM_CYLINDER;
}

static int isClose(const mjContact* a, const mjContact* b) {
  if (a->geom[0] != b->geom[0] || a->geom[1] != b->geom[1] || a->dim != b->dim) return 0;
  return fabs(a->dist - b->dist) <= LOOSE_DEPTH && cfm_errorNum(a->frame, b->frame, 3) <= LOOSE_DIRECTION;
}

static int samePair(const mjContact* a, const mjContact* b) {
  return a->dim == b->dim && !memcmp(a->geom, b->geom, sizeof(a->geom)) && !memcmp(a->flex, b->flex, sizeof(a->flex)) &&
         !memcmp(a->elem, b->elem, sizeof(a->elem)) && !memcmp(a->vert, b->vert, sizeof(a->vert));
}

static double contactError(const mjContact* a, const mjContact* b) {
  if (!samePair(a, b)) return INFINITY;
  double error = fmax(fabs(a->dist - b->dist), fabs(a->includemargin - b->includemargin));
  error = fmax(error, cfm_errorNum(a->pos, b->pos, 3));
  error = fmax(error, cfm_errorNum(a->frame, b->frame, 9));
  error = fmax(error, cfm_errorNum(a->friction, b->friction, 5));
  error = fmax(error, cfm_errorNum(a->solref, b->solref, mjNREF));
  error = fmax(error, cfm_errorNum(a->solreffriction, b->solreffriction, mjNREF));
  return fmax(error, cfm_errorNum(a->solimp, b->solimp, mjNIMP));
}

// the contact of b that is that of a: the one at the same place, else the best of those that are left
static int findContact(const mjData* a, const mjData* b, int i, const char* used, double* error) {
  int best = i;
  *error = used[i] ? INFINITY : contactError(a->contact + i, b->contact + i);
  for (int k = 0; k<a->ncon&& * error> cfm_tolerance[CFM_CONTACT]; k++) {
    const double other = used[k] ? INFINITY : contactError(a->contact + i, b->contact + k);
    if (other < *error) {
      *error = other;
      best = k;
    }
  }
  return best;
}

void cfm_compareContacts(CfmResult* r, const mjModel* m, const mjData* a, const mjData* b) {
  char* const used = calloc((size_t)a->ncon + 1, 1);
  if (a->ncon != b->ncon || !used) {
    cfm_note(r, CFM_CONTACT, "ncon", INFINITY);
    free(used);
    return;
  }
  const double tolerance = cfm_tolerance[CFM_CONTACT];
  double worst = 0;
  int loose = 0, moved = 0;
  for (int i = 0; i < a->ncon; i++) {
    double error;
    const int found = findContact(a, b, i, used, &error);
    if (error > tolerance && isIterative(m, a->contact + i) && isClose(a->contact + i, b->contact + found)) {
      loose = 1;
      error = 0;
    }
    if (!isinf(error)) used[found] = 1;
    moved |= found != i;
    worst = fmax(worst, error);
  }
  free(used);
  r->loose |= loose;
  r->reordered |= moved && worst <= tolerance;
  cfm_note(r, CFM_CONTACT, "contact", worst);
}
