// `sinew info`: what is in a model.
#include <math.h>
#include <sinew/physics.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "commands.h"
#include "support/cli.h"
#include "support/format.h"
#include "support/json.h"
#include "support/model.h"
#include "support/plain.h"

typedef struct {
  int json, all;
} Options;

enum { TREE_LINES = 80 };  // of a tree that is not asked for in full

// sizes that tell people what kind of model it is; those that are zero are not shown
static const struct {
  const char* name;
  size_t offset;
} sizes[] = {
    {"bodies",             offsetof(mjModel, nbody)      },
    {"joints",             offsetof(mjModel, njnt)       },
    {"degrees of freedom", offsetof(mjModel, nv)         },
    {"trees",              offsetof(mjModel, ntree)      },
    {"geoms",              offsetof(mjModel, ngeom)      },
    {"sites",              offsetof(mjModel, nsite)      },
    {"actuators",          offsetof(mjModel, nu)         },
    {"activations",        offsetof(mjModel, na)         },
    {"sensors",            offsetof(mjModel, nsensor)    },
    {"sensor readings",    offsetof(mjModel, nsensordata)},
    {"tendons",            offsetof(mjModel, ntendon)    },
    {"equalities",         offsetof(mjModel, neq)        },
    {"contact pairs",      offsetof(mjModel, npair)      },
    {"contact excludes",   offsetof(mjModel, nexclude)   },
    {"mocap bodies",       offsetof(mjModel, nmocap)     },
    {"keyframes",          offsetof(mjModel, nkey)       },
    {"meshes",             offsetof(mjModel, nmesh)      },
    {"mesh vertices",      offsetof(mjModel, nmeshvert)  },
    {"mesh faces",         offsetof(mjModel, nmeshface)  },
    {"height fields",      offsetof(mjModel, nhfield)    },
    {"flexes",             offsetof(mjModel, nflex)      },
    {"flex vertices",      offsetof(mjModel, nflexvert)  },
    {"skins",              offsetof(mjModel, nskin)      },
    {"textures",           offsetof(mjModel, ntex)       },
    {"materials",          offsetof(mjModel, nmat)       },
    {"cameras",            offsetof(mjModel, ncam)       },
    {"lights",             offsetof(mjModel, nlight)     },
    {"plugins",            offsetof(mjModel, nplugin)    },
};
enum { NSIZE = sizeof(sizes) / sizeof(sizes[0]) };

static long long sizeAt(const mjModel* m, int i) {
  return (long long)*(const mjtSize*)((const char*)m + sizes[i].offset);
}

// -------------------------------------------------------------------------------------------- unusual

typedef struct {
  char (*at)[200];
  int n;
} Notes;

__attribute__((format(printf, 2, 3))) static void note(Notes* notes, const char* format, ...) {
  notes->at = cli_resize(notes->at, (size_t)notes->n + 1, sizeof(*notes->at));
  va_list args;
  va_start(args, format);
  vsnprintf(notes->at[notes->n], sizeof(*notes->at), format, args);
  cli_plain(notes->at[notes->n++], 0);
  va_end(args);
}

static void noteOptions(Notes* notes, const mjModel* m) {
  mjOption usual;
  mj_defaultOption(&usual);
  const mjOption* const opt = &m->opt;
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a model that was not loaded has ended the command
  if (opt->integrator != usual.integrator) note(notes, "integrator %s", cli_integrators[opt->integrator]);
  if (opt->solver != usual.solver) note(notes, "solver %s", cli_solvers[opt->solver]);
  if (opt->cone != usual.cone) note(notes, "%s friction cone", cli_cones[opt->cone]);
  if (opt->jacobian != usual.jacobian) note(notes, "%s Jacobian asked for", cli_jacobians[opt->jacobian]);
  if (opt->noslip_iterations) note(notes, "%d noslip iterations", opt->noslip_iterations);
  if (opt->iterations < 20) note(notes, "only %d solver iterations allowed", opt->iterations);
  for (int i = 0; cli_flag(i); i++) {
    if (cli_flagOn(m, i) != cli_flagUsual(i)) note(notes, "%s is %s", cli_flag(i), cli_flagOn(m, i) ? "on" : "off");
  }
  if (opt->density > 0 || opt->viscosity > 0) {
    note(notes, "moves in a medium: density %g, viscosity %g", opt->density, opt->viscosity);
  }
  if (mju_norm3(opt->wind) > 0) note(notes, "wind %g %g %g", opt->wind[0], opt->wind[1], opt->wind[2]);
  if (memcmp(opt->gravity, usual.gravity, sizeof(usual.gravity)) != 0) {
    note(notes, "gravity %g %g %g", opt->gravity[0], opt->gravity[1], opt->gravity[2]);
  }
  if (opt->timestep > 0.005) note(notes, "a long timestep: %g ms", 1e3 * opt->timestep);
  if (opt->timestep < 0.0005) note(notes, "a short timestep: %g ms", 1e3 * opt->timestep);
}

static void noteObjects(Notes* notes, const mjModel* m) {
  int colliding = 0, frictionless = 0, heaviest = 0, lightest = 0;
  for (int i = 0; i < (int)m->ngeom; i++) {
    const int collides = m->geom_contype[i] || m->geom_conaffinity[i];
    colliding += collides;
    frictionless += collides && m->geom_condim[i] == 1;
  }
  if (!m->nv) note(notes, "nothing can move");
  if (m->ngeom && !colliding && !m->npair) note(notes, "no geom collides");
  int hollow = 0, first = 0;
  for (int i = (int)m->nmesh - 1; i >= 0; i--) {
    if (!chk_isHollow(m, i)) continue;
    hollow++;
    first = i;
  }
  char mesh[CLI_NAME_SIZE];
  if (hollow) {
    note(notes, "%d mesh%s not convex and collide%s as a hull: '%.50s'%s (sinew check says more)", hollow,
         hollow > 1 ? "es are" : " is", hollow > 1 ? "" : "s", cli_nameOf(m, mjOBJ_MESH, first, mesh),
         hollow > 1 ? " ..." : "");
  }
  if (frictionless) note(notes, "%d geoms without friction (condim 1)", frictionless);
  for (int i = 1; i < (int)m->nbody; i++) {
    if (!m->body_dofnum[i] || m->body_mass[i] <= 0) continue;
    if (!heaviest || m->body_mass[i] > m->body_mass[heaviest]) heaviest = i;
    if (!lightest || m->body_mass[i] < m->body_mass[lightest]) lightest = i;
  }
  if (heaviest && m->body_mass[heaviest] > 1e4 * m->body_mass[lightest]) {
    char a[CLI_NAME_SIZE], b[CLI_NAME_SIZE];
    note(notes, "masses of moving bodies differ widely: '%.50s' %.3g kg, '%.50s' %.3g kg",
         cli_nameOf(m, mjOBJ_BODY, heaviest, a), m->body_mass[heaviest], cli_nameOf(m, mjOBJ_BODY, lightest, b),
         m->body_mass[lightest]);
  }
}

// models of physics that are not the defaults, with their parameters
static void notePhysics(Notes* notes, const mjModel* m) {
  for (int kind = 0; kind < SN_NKIND; kind++) {
    mjtObj type;
    const int count = cli_physicsElements(m, kind, &type), whole = type == mjOBJ_UNKNOWN;
    for (int id = 0; id < count; id++) {
      mjtNum param[SN_MAXPARAM];
      const snInfo* const info = sn_getModel(m, (snKind)kind, id, param);
      if (!info || info == sn_modelAt((snKind)kind, 0)) continue;
      char text[200] = "", name[CLI_NAME_SIZE] = "";
      for (int i = 0; i < info->nparam; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof(text) - used, "%s%s %g", i ? ", " : "", info->param[i].name, param[i]);
      }
      note(notes, "%s%s%.50s%s: %s (%s)", sn_kindName((snKind)kind), whole ? "" : " of '",
           whole ? "" : cli_nameOf(m, type, id, name), whole ? "" : "'", info->name, text);
    }
  }
}

// -------------------------------------------------------------------------------------------- tree

typedef struct {
  const mjModel* m;
  int printed;
  int most;
} Tree;

static const char* jointKind(int type) {
  static const char* const name[] = {"free", "ball", "slide", "hinge"};
  return name[type];
}

static void printJoints(const mjModel* m, int body) {
  // joints of one body in a row: "hinge hip_x, hinge hip_y"
  for (int i = 0; i < m->body_jntnum[body]; i++) {
    const int id = m->body_jntadr[body] + i;
    const char* const name = mj_id2name(m, mjOBJ_JOINT, id);
    char text[CLI_NAME_SIZE];
    printf("%s%s%s%s", i ? ", " : "  ", jointKind(m->jnt_type[id]), name ? " " : "",
           name ? cli_nameOf(m, mjOBJ_JOINT, id, text) : "");
    const mjtNum* const range = m->jnt_range + 2 * id;
    if (!m->jnt_limited[id]) continue;
    if (m->jnt_type[id] == mjJNT_HINGE) {
      printf(" %.0f..%.0f deg", range[0] * 180 / mjPI, range[1] * 180 / mjPI);
    } else if (m->jnt_type[id] == mjJNT_SLIDE) {
      printf(" %.3g..%.3g m", range[0], range[1]);
    }
  }
}

// one body and what hangs on it; indent is what stands to the left of its children
static void printBody(Tree* tree, int body, const char* indent, int last) {
  const mjModel* const m = tree->m;
  const CliStyle* const style = cli_style(stdout);
  const int utf8 = cli_utf8();
  if (tree->printed++ >= tree->most) return;
  char name[CLI_NAME_SIZE];
  const char* const branch = body == 0 ? "" : last ? (utf8 ? "└─ " : "`- ") : (utf8 ? "├─ " : "|- ");
  printf("  %s%s%s%s%s", indent, branch, style->bold, cli_nameOf(m, mjOBJ_BODY, body, name), style->reset);
  printJoints(m, body);
  printf("%s", style->dim);
  if (m->body_mocapid[body] >= 0) printf("  mocap");
  if (m->body_mass[body] > 0) printf("  %.3g kg", m->body_mass[body]);
  if (m->body_geomnum[body]) printf("  %d geom%s", m->body_geomnum[body], m->body_geomnum[body] > 1 ? "s" : "");
  printf("%s\n", style->reset);

  char below[512];
  snprintf(below, sizeof(below), "%.480s%s", indent, body == 0 ? "" : last ? "   " : (utf8 ? "│  " : "|  "));
  int youngest = -1;
  for (int i = 1; i < (int)m->nbody; i++) youngest = m->body_parentid[i] == body ? i : youngest;
  for (int i = body + 1; i <= youngest; i++) {
    if (m->body_parentid[i] == body) printBody(tree, i, below, i == youngest);
  }
}

static void printTree(const mjModel* m, int all) {
  Tree tree = {.m = m, .most = all ? (int)m->nbody : TREE_LINES};
  printBody(&tree, 0, "", 1);
  if (tree.printed > tree.most) printf("  ... %d more bodies (--all shows them)\n", tree.printed - tree.most);
}

// -------------------------------------------------------------------------------------------- output

typedef struct {
  double mass, moving;
  double model, data, arena;  // bytes
} Totals;

static Totals computeTotals(const mjModel* m) {
  Totals t = {.mass = mj_getTotalmass(m), .model = (double)mj_sizeModel(m)};
  for (int i = 1; i < (int)m->nbody; i++) t.moving += m->body_weldid[i] ? m->body_mass[i] : 0;
  mjData* const d = mj_makeData(m);
  if (d) {
    t.data = (double)d->nbuffer;
    t.arena = (double)d->narena;
  }
  mj_deleteData(d);
  return t;
}

static void printText(const CliModel* model, const Totals* t, const Notes* notes, int all) {
  const mjModel* const m = model->m;
  const CliStyle* const style = cli_style(stdout);
  char a[CLI_NUMBER_SIZE], b[CLI_NUMBER_SIZE], c[CLI_NUMBER_SIZE];
  printf("%s%s%s\n\n%ssizes%s\n", style->bold, model->name, style->reset, style->bold, style->reset);
  CliTable table = {.ncolumn = 6};
  int n = 0;
  for (int i = 0; i < NSIZE; i++) {
    const long long size = sizeAt(m, i);
    if (!size) continue;
    cli_cell(&table, "%lld", size);
    cli_cell(&table, "%s", sizes[i].name);
    n++;
  }
  while (n++ % 3) {
    cli_cell(&table, "%s", "");
    cli_cell(&table, "%s", "");
  }
  cli_printTable(&table, stdout, 0, 2);
  cli_freeTable(&table);

  printf("\n%smass%s      %.4g kg, of which %.4g kg can move\n", style->bold, style->reset, t->mass, t->moving);
  printf("%stimestep%s  %g ms, %s, %s\n", style->bold, style->reset, 1e3 * m->opt.timestep,
         cli_integrators[m->opt.integrator], cli_solvers[m->opt.solver]);
  printf("%smemory%s    model %s, data %s, room for contacts up to %s (used as needed)\n", style->bold, style->reset,
         cli_bytes(t->model, a), cli_bytes(t->data, b), cli_bytes(t->arena, c));
  printf("%sunusual%s   %s\n", style->bold, style->reset, notes->n ? notes->at[0] : "nothing");
  for (int i = 1; i < notes->n; i++) printf("          %s\n", notes->at[i]);
  if (*model->warning) printf("%swarning%s   %s\n", style->yellow, style->reset, model->warning);
  printf("\n%stree%s\n", style->bold, style->reset);
  printTree(m, all);
}

static void printJson(const CliModel* model, const Totals* t, const Notes* notes) {
  const mjModel* const m = model->m;
  CliJson json = {.file = stdout};
  char name[CLI_NAME_SIZE];
  cli_jsonOpen(&json, NULL, '{');
  cli_jsonText(&json, "model", model->name);
  cli_jsonOpen(&json, "sizes", '{');
  for (int i = 0; i < NSIZE; i++) cli_jsonCount(&json, sizes[i].name, sizeAt(m, i));
  cli_jsonClose(&json, '}');
  cli_jsonNumber(&json, "mass", t->mass);
  cli_jsonNumber(&json, "moving_mass", t->moving);
  cli_jsonNumber(&json, "timestep", m->opt.timestep);
  cli_jsonText(&json, "integrator", cli_integrators[m->opt.integrator]);
  cli_jsonText(&json, "solver", cli_solvers[m->opt.solver]);
  cli_jsonNumber(&json, "model_bytes", t->model);
  cli_jsonNumber(&json, "data_bytes", t->data);
  cli_jsonNumber(&json, "arena_bytes", t->arena);
  cli_jsonOpen(&json, "unusual", '[');
  for (int i = 0; i < notes->n; i++) cli_jsonText(&json, NULL, notes->at[i]);
  cli_jsonClose(&json, ']');
  cli_jsonOpen(&json, "bodies", '[');
  for (int i = 0; i < (int)m->nbody; i++) {
    cli_jsonOpen(&json, NULL, '{');
    cli_jsonText(&json, "name", cli_nameOf(m, mjOBJ_BODY, i, name));
    cli_jsonCount(&json, "parent", m->body_parentid[i]);
    cli_jsonNumber(&json, "mass", m->body_mass[i]);
    cli_jsonOpen(&json, "joints", '[');
    for (int j = 0; j < m->body_jntnum[i]; j++) {
      cli_jsonText(&json, NULL, cli_nameOf(m, mjOBJ_JOINT, m->body_jntadr[i] + j, name));
    }
    cli_jsonClose(&json, ']');
    cli_jsonClose(&json, '}');
  }
  cli_jsonClose(&json, ']');
  cli_jsonClose(&json, '}');
}

static int infoMain(int argc, char** argv) {
  Options o = {0};
  CliList words = {NULL, 0};
  int code = cli_parse(&cmd_info, argc, argv, &o, &words);
  if (code != CLI_PROCEED) return code;
  CliModel model = {0};
  code =
      words.n <= 1 ? cli_loadModel(words.n ? words.at[0] : NULL, &model) : cli_fail(CLI_USAGE, "one model at a time");
  if (code == CLI_OK) {
    Notes notes = {NULL, 0};
    noteOptions(&notes, model.m);
    noteObjects(&notes, model.m);
    notePhysics(&notes, model.m);
    const Totals totals = computeTotals(model.m);
    if (o.json) {
      printJson(&model, &totals, &notes);
    } else {
      printText(&model, &totals, &notes, o.all);
    }
    free(notes.at);
  }
  cli_freeModel(&model);
  cli_freeOptions(&cmd_info, &o, &words);
  return code;
}

#define AT(member) offsetof(Options, member)
static const CliOption options[] = {
    {"all",  'a', CLI_SWITCH, AT(all),  NULL, "show all bodies of a large tree"},
    {"json", 0,   CLI_SWITCH, AT(json), NULL, "print as JSON"                  },
};
#undef AT

const CliCommand cmd_info = {
    .name = "info",
    .arguments = "[MODEL] [OPTIONS]",
    .summary = "show sizes, mass, memory, what is unusual, and the tree of bodies",
    .description = "Shows what is in MODEL (MJCF, URDF or MJB; without one, the scene inside the program).",
    .examples =
        "sinew info humanoid.xml         # sizes, mass, memory, tree\n"
        "sinew info scene.mjb --all      # all bodies, however many\n"
        "sinew info arm.xml --json | jq .mass",
    .options = options,
    .noption = sizeof(options) / sizeof(options[0]),
    .main = infoMain,
};
