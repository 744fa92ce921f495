// Parameters per simulation on the device, for sims_impl.h: arrays over simulations that the models of simulations
// point into.

//---------------------------------- models ----------------------------------

// writes the models of all simulations anew
static int writeOwn(CudSims* s, char message[CUD_MESSAGE]) {
  enum { CHUNK = 64 };
  CudModel* const chunk = malloc(CHUNK * sizeof(CudModel));
  if (!chunk) return snprintf(message, CUD_MESSAGE, "Could not allocate memory"), 0;
  int bad = 0;
  for (int first = 0; first < s->n && !bad; first += CHUNK) {
    const int n = s->n - first < CHUNK ? s->n - first : CHUNK;
    for (int i = 0; i < n; i++) {
      chunk[i] = s->base;
      for (int k = 0; k < s->nown; k++) {
        const Own* const own = s->own + k;
        *(Real**)((char*)(chunk + i) + own->offset) = own->rows + (size_t)(first + i) * (size_t)own->count;
      }
    }
    bad = s->device->write(s->task.own.model + first, chunk, sizeof(CudModel) * (size_t)n, NULL, message) ||
          s->device->wait(NULL, message);
  }
  free(chunk);
  return !bad;
}

// memory for rows of numbers, each with the same values; NULL: there is none
static Real* rowsOf(CudSims* s, const mjtNum* values, int count, char message[CUD_MESSAGE]) {
  const size_t bytes = sizeof(Real) * (size_t)count;
  Real* const rows = take(s, bytes * (size_t)s->n, message);
  Real* const host = rows && values ? malloc(bytes * (size_t)s->n + 1) : NULL;
  if (!rows || !values) return rows;
  if (!host) return snprintf(message, CUD_MESSAGE, "Could not allocate memory"), NULL;
  for (size_t i = 0; i < (size_t)s->n * (size_t)count; i++) host[i] = (Real)values[i % (size_t)count];
  const int bad = s->device->write(rows, host, bytes * (size_t)s->n, NULL, message) || s->device->wait(NULL, message);
  free(host);
  return bad ? NULL : rows;
}

// an array of the model becomes one over simulations
static Real* ownArray(CudSims* s, size_t offset, const mjtNum* values, int count, char message[CUD_MESSAGE]) {
  for (int k = 0; k < s->nown; k++) {
    if (s->own[k].offset == offset) return s->own[k].rows;
  }
  if (s->nown == MAXOWN) return snprintf(message, CUD_MESSAGE, "too many parameters per simulation"), NULL;
  Real* const rows = rowsOf(s, values, count, message);
  if (rows) s->own[s->nown++] = (Own){offset, rows, count};
  return rows;
}

//---------------------------------- contacts ----------------------------------

// from now on the parameters of pairs are mixed for each simulation
static int mixPairs(CudSims* s, char message[CUD_MESSAGE]) {
  CudOwn* const own = &s->task.own;
  const mjModel* const m = s->m;
  CudModel* const base = &s->base;
  const int npair = base->npair;
  if (own->mixes) return 1;
  if (m->nflex) {
    snprintf(message, CUD_MESSAGE, "parameters of contacts cannot differ between simulations with flexes on a GPU");
    return 0;
  }
  CudPairs pairs = cud_pairs(m);
  const size_t n = (size_t)npair + 1;
  int* const host = calloc(3 * n + (size_t)m->ngeom, sizeof(int));
  int *const listed = host, *const dim = host ? host + n : NULL, *const param = host ? host + 2 * n : NULL;
  int* const device = host ? take(s, sizeof(int) * (3 * n + (size_t)m->ngeom), message) : NULL;
  for (int i = 0; host && i < npair; i++) {
    const CudPair* const p = pairs.pair + i;
    mjtNum margin;
    listed[i] = p->listed >= 0;
    dim[i] = paramOf(m, p, &margin).dim;
    param[i] = i;
  }
  for (int g = 0; host && g < m->ngeom; g++) host[3 * n + (size_t)g] = m->geom_priority[g];
  mju_free(pairs.pair);
  const int bad = !device || s->device->write(device, host, sizeof(int) * (3 * n + (size_t)m->ngeom), NULL, message) ||
                  s->device->wait(NULL, message);
  free(host);
  if (bad) return 0;

    // numbers of geoms, the same for all at first
#define X(name, k)                                              \
  own->name##_step = 0;                                         \
  own->name = upload(s, m->name, (k) * (int)m->ngeom, message); \
  if (!own->name) return 0;
  CUD_OWN_GEOMS(X)
#undef X
#define X(name, k) \
  if (!ownArray(s, offsetof(CudModel, name), NULL, (k)*npair, message)) return 0;
  X(param_margin, 1)
  X(param_include, 1)
  X(param_friction, 5)
  X(param_solref, 2)
  X(param_solreffriction, 2)
  X(param_solimp, 5)
#undef X
  own->listed = device;
  base->param_dim = device + n;
  base->pair_param = device + 2 * n;
  own->geom_priority = device + 3 * n;
  own->mixes = 1;
  return 1;
}

//---------------------------------- names ----------------------------------

// what follows from an expanded array in the models; 0: it cannot differ
static int follows(CudSims* s, const char* name, char message[CUD_MESSAGE]) {
  const mjModel* const m = s->m;
  CudModel* const base = &s->base;
  const int flags = m->opt.disableflags, is = !strcmp(name, "actuator_gear");
  if (!strcmp(name, "dof_damping")) base->damped = !(flags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER));
  if (!strcmp(name, "body_gravcomp")) base->gravcomp = !(flags & mjDSBL_GRAVITY);
  if (!strcmp(name, "tendon_stiffness") || !strcmp(name, "tendon_damping")) base->springy = 1;
  if (is && !base->moving && !s->task.own.gears) {
    s->task.own.gears = ownArray(s, offsetof(CudModel, mom_coef), NULL, base->nmoment, message) &&
                        ownArray(s, offsetof(CudModel, dofmom_coef), NULL, base->nmoment, message);
    return s->task.own.gears;
  }
  const int damper = !strcmp(name, "flex_edgedamping") && m->opt.integrator >= mjINT_IMPLICIT && !base->edgedamped;
  const int fixed = damper || !strcmp(name, "wrap_prm") || (!strcmp(name, "tendon_armature") && !base->armed);
  if (fixed) snprintf(message, CUD_MESSAGE, "'%s' cannot differ between simulations on a GPU", name);
  return !fixed;
}

// an option; 0: it is none, or there is no memory
static Real* ownOption(CudSims* s, const char* name, int* count, char message[CUD_MESSAGE]) {
  CudOwn* const own = &s->task.own;
  const mjModel* const m = s->m;
  const struct {
    const char* name;
    const Real** where;
    const mjtNum* values;
    int count;
  } options[] = {
      {"opt.timestep",     &own->timestep,     &m->opt.timestep,     1},
      {"opt.gravity",      &own->gravity,      m->opt.gravity,       3},
      {"opt.impratio",     &own->impratio,     &m->opt.impratio,     1},
      {"opt.tolerance",    &own->tolerance,    &m->opt.tolerance,    1},
      {"opt.ls_tolerance", &own->ls_tolerance, &m->opt.ls_tolerance, 1},
      {"opt.wind",         &own->wind,         m->opt.wind,          3},
      {"opt.density",      &own->density,      &m->opt.density,      1},
      {"opt.viscosity",    &own->viscosity,    &m->opt.viscosity,    1},
      {"stat.meaninertia", &own->meaninertia,  &m->stat.meaninertia, 1},
  };
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
    if (strcmp(options[i].name, name)) continue;
    const int fluid = options[i].where == &own->density || options[i].where == &own->viscosity;
    if (fluid && !s->base.medium) break;
    *count = options[i].count;
    if (!strcmp(name, "opt.gravity")) s->base.gravcomp = m->ngravcomp && !(m->opt.disableflags & mjDSBL_GRAVITY);
    if (!*options[i].where) *options[i].where = rowsOf(s, options[i].values, *count, message);
    return (Real*)*options[i].where;
  }
  snprintf(message, CUD_MESSAGE, "'%s' cannot differ between simulations on a GPU", name);
  return NULL;
}

// the rows of a parameter over simulations, expanded if that is asked for; NULL: there are none
static Real* ownRows(CudSims* s, const char* name, int* count, char message[CUD_MESSAGE]) {
  CudOwn* const own = &s->task.own;
  const mjModel* const m = s->m;
#define X(member, rows, cols)                                                   \
  if (!strcmp(name, #member)) {                                                 \
    *count = (int)m->rows * (cols);                                             \
    if (!follows(s, name, message)) return NULL;                                \
    return ownArray(s, offsetof(CudModel, member), m->member, *count, message); \
  }
  CUD_REALS(X)
  CUD_RARE_REALS(X)
  CUD_FLEX_REALS(X)
#undef X
#define X(member, k)                                                                                \
  if (!strcmp(name, #member)) {                                                                     \
    *count = (int)m->ngeom * (k);                                                                   \
    if ((m->opt.enableflags & mjENBL_OVERRIDE) || !mixPairs(s, message)) return NULL;               \
    if (!own->member##_step && !(own->member = rowsOf(s, m->member, *count, message))) return NULL; \
    own->member##_step = *count;                                                                    \
    return (Real*)own->member;                                                                      \
  }
  CUD_OWN_GEOMS(X)
#undef X
  return ownOption(s, name, count, message);
}

// 1: the parameter can differ between simulations
static int isOwn(const char* name) {
#define X(member, ...) \
  if (!strcmp(name, #member)) return 1;
  CUD_REALS(X)
  CUD_RARE_REALS(X)
  CUD_FLEX_REALS(X)
  CUD_OWN_GEOMS(X)
#undef X
  return !strncmp(name, "opt.", 4) || !strcmp(name, "stat.meaninertia");
}

static int expand(CudSims* s, const char* name, CudField* f, char message[CUD_MESSAGE]) {
  CudOwn* const own = &s->task.own;
  int count = 0;
  snprintf(message, CUD_MESSAGE, "'%s' cannot differ between simulations on a GPU", name);
  if (!isOwn(name)) return 0;
  if (!own->model) {
    own->model = take(s, sizeof(CudModel) * (size_t)s->n, message);
    s->base = s->task.m;
    if (!own->model) return 0;
  }
  const int before = s->nown;
  const CudModel old = s->base;
  Real* const rows = ownRows(s, name, &count, message);
  const int changed = s->nown != before || memcmp(&old, &s->base, sizeof(old)) != 0 || !s->written;
  if (!rows || (changed && !writeOwn(s, message))) return 0;
  s->written = 1;
  *f = (CudField){rows, CU_DOUBLE ? SN_FLOAT64 : SN_FLOAT32, (int)sizeof(Real), count, 1, 0, 0};
  return 1;
}

// values of a parameter of all simulations, to or from the device
static int param(CudSims* s, const char* name, mjtNum* values, int write, void* stream, char message[CUD_MESSAGE]) {
  CudField f;
  if (!isOwn(name)) return 1;
  if (!expand(s, name, &f, message)) return !write;
  const size_t n = (size_t)f.count * (size_t)s->n;
  Real* const host = malloc(sizeof(Real) * n + 1);
  if (!host) return snprintf(message, CUD_MESSAGE, "Could not allocate memory"), 0;
  for (size_t i = 0; write && i < n; i++) host[i] = (Real)values[i];
  const int bad = (write ? s->device->write(f.data, host, sizeof(Real) * n, stream, message)
                         : s->device->read(host, f.data, sizeof(Real) * n, stream, message)) ||
                  s->device->wait(stream, message);
  for (size_t i = 0; !write && !bad && i < n; i++) values[i] = (mjtNum)host[i];
  free(host);
  return !bad;
}
