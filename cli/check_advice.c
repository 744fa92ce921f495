// What `sinew check` advises on: masses, hulls, stiffness, ranges, the first moments of a run. Assets have a file of
// their own.
#include <math.h>
#include <sinew/sinew.h>
#include <stdarg.h>
#include <sinew/contact.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/cli.h"
#include "support/plain.h"

void chk_add(AdviceList* list, const char* kind, const char* element, const char* name, const char* format, ...) {
  list->at = cli_resize(list->at, (size_t)list->n + 1, sizeof(*list->at));
  Advice* const advice = &list->at[list->n++];
  *advice = (Advice){0};
  snprintf(advice->kind, sizeof(advice->kind), "%s", kind);
  snprintf(advice->element, sizeof(advice->element), "%s", element);
  snprintf(advice->name, sizeof(advice->name), "%s", name ? name : "");
  va_list args;
  va_start(args, format);
  vsnprintf(advice->text, sizeof(advice->text), format, args);
  cli_plain(advice->text, 1);
  va_end(args);
}

// -------------------------------------------------------------------------------------------- inertia

// mass that an element of the source gives to its body, as far as the source tells
static int givesMass(const mjsGeom* geom, const mjSpec* spec) {
  const int* const range = spec->compiler.inertiagrouprange;
  if (geom->group < range[0] || geom->group > range[1] || geom->type == mjGEOM_PLANE) return 0;
  return isnan(geom->mass) ? geom->density > 0 : geom->mass > 0;
}

// A body without <inertial> gets the mass of all its geoms: shapes for the eye are easily counted beside those for
// contact.
static void checkDouble(AdviceList* list, const CliModel* model) {
  mjSpec* const spec = model->spec;
  for (mjsElement* e = spec ? mjs_firstElement(spec, mjOBJ_BODY) : NULL; e; e = mjs_nextElement(spec, e)) {
    mjsBody* const body = mjs_asBody(e);
    const int moves = body && mjs_firstChild(body, mjOBJ_JOINT, 0) != NULL;
    if (!moves || body->explicitinertial) continue;
    int seen = 0, touched = 0;
    for (mjsElement* g = mjs_firstChild(body, mjOBJ_GEOM, 0); g; g = mjs_nextChild(body, g, 0)) {
      const mjsGeom* const geom = mjs_asGeom(g);
      if (!givesMass(geom, spec)) continue;
      const int collides = geom->contype || geom->conaffinity;
      touched += collides;
      seen += !collides;
    }
    const char* const name = mjs_getString(mjs_getName(e));
    if (seen && touched) {
      chk_add(list, "inertia", "body", name,
              "body '%s' has no <inertial> and gets mass from %d geoms that collide and %d that do not: "
              "if these are for the eye only, give them density 0",
              name, touched, seen);
    }
  }
}

// A body that moves by its own joints needs mass; what hangs on it rigidly may bring it.
void chk_inertia(AdviceList* list, const CliModel* model) {
  const mjModel* const m = model->m;
  char name[CLI_NAME_SIZE];
  checkDouble(list, model);
  for (int i = 1; i < (int)m->nbody; i++) {
    if (!m->body_dofnum[i]) continue;
    double mass = 0, inertia = 0, armature = 0;
    for (int j = i; j < (int)m->nbody; j++) {
      if (m->body_weldid[j] != i) continue;
      const mjtNum* const diagonal = m->body_inertia + 3 * j;
      mass += m->body_mass[j];
      inertia = fmax(inertia, fmin(diagonal[0], fmin(diagonal[1], diagonal[2])));
    }
    for (int j = 0; j < m->body_dofnum[i]; j++) armature = fmax(armature, m->dof_armature[m->body_dofadr[i] + j]);
    cli_nameOf(m, mjOBJ_BODY, i, name);
    if (mass <= 0 && armature == 0) {
      chk_add(list, "inertia", "body", name,
              "body '%s' moves but has no mass: give it a geom, an <inertial> or its joint some armature", name);
    } else if (inertia < 1e-9 && armature == 0) {
      chk_add(list, "inertia", "body", name,
              "body '%s' has a very small inertia (%.2g kg m^2) and no armature: contacts and controls will shake it",
              name, inertia);
    }
  }
}

// -------------------------------------------------------------------------------------------- meshes

int chk_isHollow(const mjModel* m, int mesh) {
  int collides = 0;
  for (int i = 0; i < (int)m->ngeom; i++) {
    int used = m->geom_contype[i] || m->geom_conaffinity[i];
    for (int k = 0; k < (int)m->npair && !used; k++) used = m->pair_geom1[k] == i || m->pair_geom2[k] == i;
    collides |= used && m->geom_type[i] == mjGEOM_MESH && m->geom_dataid[i] == mesh;
  }

  // a tenth more is what rounding of corners and coarse meshes give
  return collides && sn_hullExcess(m, mesh) > 0.1;
}

// A mesh that collides with its surface, or is cut into parts, should be a clean one; a shell (2) may be open.
static void checkSurface(AdviceList* list, const mjModel* m, int mesh) {
  const int entry = mj_name2id(m, mjOBJ_NUMERIC, "sinew:shape:meshes");
  char text[500], name[CLI_NAME_SIZE];
  if (entry < 0 || m->numeric_size[entry] != 2 * (int)m->nmesh) return;
  const int kind = (int)m->numeric_data[m->numeric_adr[entry] + 2 * mesh];
  if ((kind != 1 && kind != 3) || !sn_meshFlaws(m, mesh, text, sizeof(text))) return;
  cli_nameOf(m, mjOBJ_MESH, mesh, name);
  chk_add(list, "surface", "mesh", name, "mesh '%s' is not a clean surface: %s", name, text);
}

void chk_meshes(AdviceList* list, const CliModel* model) {
  const mjModel* const m = model->m;
  for (int id = 0; id < (int)m->nmesh; id++) {
    checkSurface(list, m, id);
    if (!chk_isHollow(m, id)) continue;
    char name[CLI_NAME_SIZE], much[60] = "which encloses a volume that the mesh does not have";
    const double excess = sn_hullExcess(m, id);
    if (excess < 1e6) snprintf(much, sizeof(much), "whose volume is %.2g times as large", 1 + excess);
    cli_nameOf(m, mjOBJ_MESH, id, name);
    chk_add(
        list, "hull", "mesh", name,
        "mesh '%s' is not convex: contacts use its hull, %s; cavities are filled. Where that matters, "
        "sinew:shape=\"decomposed\" on the mesh makes convex parts of it and \"exact\" uses its surface, or make parts "
        "yourself",
        name, much);
  }
}

// -------------------------------------------------------------------------------------------- stiffness

// A constraint with time constant below two steps cannot be followed; refsafe raises it silently.
static void checkSolref(AdviceList* list, const mjModel* m, const mjtNum* solref, const char* element, int type,
                        int id) {
  const double dt = m->opt.timestep;
  char name[CLI_NAME_SIZE];
  const char* const shown = type >= 0 ? cli_nameOf(m, (mjtObj)type, id, name) : element;
  if (solref[0] > 0 && solref[0] < 2 * dt * (1 - 1e-9)) {
    chk_add(list, "stiff", element, shown, "%s '%s': solref %g is stiffer than the timestep allows; %s", element, shown,
            solref[0],
            m->opt.disableflags & mjDSBL_REFSAFE ? "it may explode, use at least twice the timestep"
                                                 : "twice the timestep is used instead");
  } else if (solref[0] < 0 && sqrt(-solref[0]) * dt > 1) {
    chk_add(list, "stiff", element, shown, "%s '%s': stiffness %g is too much for a timestep of %g s; use at most %.3g",
            element, shown, -solref[0], dt, 1 / (dt * dt));
  }
}

void chk_stiffness(AdviceList* list, const CliModel* model) {
  const mjModel* const m = model->m;
  for (int i = 0; i < (int)m->ngeom; i++) {
    if (!m->geom_contype[i] && !m->geom_conaffinity[i]) continue;
    checkSolref(list, m, m->geom_solref + mjNREF * i, "geom", mjOBJ_GEOM, i);
  }
  for (int i = 0; i < (int)m->njnt; i++) {
    if (m->jnt_limited[i]) checkSolref(list, m, m->jnt_solref + mjNREF * i, "joint", mjOBJ_JOINT, i);
  }
  for (int i = 0; i < (int)m->neq; i++) {
    checkSolref(list, m, m->eq_solref + mjNREF * i, "equality", mjOBJ_EQUALITY, i);
  }
  for (int i = 0; i < (int)m->npair; i++) {
    checkSolref(list, m, m->pair_solref + mjNREF * i, "pair", mjOBJ_PAIR, i);
  }
}

// -------------------------------------------------------------------------------------------- ranges

// range that is written but not used
static int ignored(const mjtNum* range, int limited) {
  return !limited && range[1] > range[0] && (range[0] != 0 || range[1] != 0);
}

void chk_ranges(AdviceList* list, const CliModel* model) {
  const mjModel* const m = model->m;
  char name[CLI_NAME_SIZE];
  for (int i = 0; i < (int)m->njnt; i++) {
    if (!ignored(m->jnt_range + 2 * i, m->jnt_limited[i])) continue;
    cli_nameOf(m, mjOBJ_JOINT, i, name);
    chk_add(list, "range", "joint", name, "joint '%s' has a range but is not limited: the range has no effect", name);
  }
  for (int i = 0; i < (int)m->nu; i++) {
    if (!ignored(m->actuator_ctrlrange + 2 * i, m->actuator_ctrllimited[i])) continue;
    cli_nameOf(m, mjOBJ_ACTUATOR, i, name);
    chk_add(list, "range", "", name, "actuator '%s' has a ctrlrange but is not limited: the range has no effect", name);
  }
  for (int key = 0; key < (int)m->nkey; key++) {
    const mjtNum* const qpos = m->key_qpos + key * m->nq;
    for (int i = 0; i < (int)m->njnt; i++) {
      const int scalar = m->jnt_type[i] == mjJNT_HINGE || m->jnt_type[i] == mjJNT_SLIDE;
      const double value = qpos[m->jnt_qposadr[i]];
      const mjtNum* const range = m->jnt_range + 2 * i;
      if (!scalar || !m->jnt_limited[i] || (value >= range[0] - 1e-6 && value <= range[1] + 1e-6)) continue;
      char keyName[CLI_NAME_SIZE];
      chk_add(list, "keyframe", "key", cli_nameOf(m, mjOBJ_KEY, key, keyName),
              "keyframe '%s' has joint '%s' at %g, outside of its range %g..%g", keyName,
              cli_nameOf(m, mjOBJ_JOINT, i, name), value, range[0], range[1]);
    }
  }
}

// -------------------------------------------------------------------------------------------- start

// geoms that begin inside each other, deeper than a hundredth of the smaller one
static void checkOverlaps(AdviceList* list, const mjModel* m, const mjData* d) {
  enum { MOST = 8 };
  int n = 0;
  for (int i = 0; i < d->ncon && n < MOST; i++) {
    const mjContact* const c = &d->contact[i];
    if (c->geom[0] < 0 || c->geom[1] < 0) continue;
    double size = INFINITY;
    for (int k = 0; k < 2; k++) {
      const double r = m->geom_rbound[c->geom[k]];
      if (r > 0) size = fmin(size, r);
    }
    if (c->dist > -fmax(1e-3, 0.02 * (isfinite(size) ? size : 1))) continue;

    // several contacts of one pair are one overlap
    int again = 0;
    for (int j = 0; j < i; j++) again |= d->contact[j].geom[0] == c->geom[0] && d->contact[j].geom[1] == c->geom[1];
    if (again) continue;
    char a[CLI_NAME_SIZE], b[CLI_NAME_SIZE];
    cli_nameOf(m, mjOBJ_GEOM, c->geom[0], a);
    cli_nameOf(m, mjOBJ_GEOM, c->geom[1], b);
    chk_add(list, "overlap", "geom", b, "geoms '%s' and '%s' begin %.3g m inside each other and will be thrown apart",
            a, b, -c->dist);
    n++;
  }
}

// half a second from the start state: does it stay finite?
static void checkFirstSteps(AdviceList* list, const mjModel* m, mjData* d) {
  char message[512];
  const int steps = (int)fmin(0.5 / m->opt.timestep, 500);
  for (int i = 0; i < steps; i++) {
    if (sn_step(m, d, message, sizeof(message)) == SN_ERROR) {
      chk_add(list, "run", "", "", "the simulation stops after %d steps: %s", i, message);
      return;
    }
    const char* what = NULL;
    const int joint = cli_badJoint(m, d, &what);
    if (joint < 0) continue;
    char name[CLI_NAME_SIZE];
    chk_add(list, "run", "", "",
            "the simulation becomes unstable after %d steps (%s of joint '%s'): lower the timestep, add damping or "
            "armature, or soften contacts",
            i, what, cli_nameOf(m, mjOBJ_JOINT, joint, name));
    return;
  }
}

void chk_start(AdviceList* list, const CliModel* model) {
  const mjModel* const m = model->m;
  mjData* const d = mj_makeData(m);
  char message[512];
  if (!d) return;
  if (sn_forward(m, d, message, sizeof(message)) == SN_ERROR) {
    chk_add(list, "run", "", "", "the start state cannot be evaluated: %s", message);
  } else {
    checkOverlaps(list, m, d);
    checkFirstSteps(list, m, d);
  }
  mj_deleteData(d);
}
