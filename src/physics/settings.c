// Choices resolved for one simulation: the section of the private block.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec.h"
#include "physics/physics.h"
#include "physics/stick.h"

//---------------------------------- reading the entries ----------------------------------

// element that an entry named KIND:ELEMENT or KIND stands for; -1: none of this kind
static int elementOf(const mjModel* m, snKind kind, const char* name) {
  const char* word = sn_kindName(kind);
  const size_t length = strlen(word);
  if (strncmp(name, word, length)) return -1;
  const mjtObj type = phy_object(kind);
  if (type == mjOBJ_UNKNOWN) return name[length] ? -1 : 0;
  if (name[length] != ':') return -1;
  const char* element = name + length + 1;
  const int id = mj_name2id(m, type, element), count = (int)(type == mjOBJ_FLEX ? m->nflex : m->nu);
  int number = -1;
  if (id < 0 && element[0] == '#' && sscanf(element + 1, "%d", &number) != 1) return -1;
  return id >= 0 ? id : number < count ? number : -1;
}

// The choice that a text entry makes; 0: it makes none. Where it cannot be, wrong says why.
static int readEntry(const mjModel* m, int entry, PhySetting* setting, const char** wrong) {
  const char* name = m->names + m->name_textadr[entry];
  if (strncmp(name, PHY_PREFIX, strlen(PHY_PREFIX))) return 0;
  int kind = 0, id = -1;
  for (; kind < SN_NKIND && id < 0; kind += id < 0) id = elementOf(m, (snKind)kind, name + strlen(PHY_PREFIX));
  if (id < 0) return 0;

  const char *model = m->text_data + m->text_adr[entry], *word = sn_kindName((snKind)kind);
  memset(setting, 0, sizeof(*setting));
  setting->kind = kind;
  setting->id = id;
  setting->text = entry;
  setting->model = phy_find((snKind)kind, model);
  if (setting->model < 0) {
    *wrong = phy_fail("unknown %s model '%.100s' in the custom text '%.100s'", word, model, name);
    return 0;
  }

  // numbers of a model that was chosen before may be left over
  const snInfo* info = sn_modelAt((snKind)kind, setting->model);
  setting->numeric = info->nparam ? mj_name2id(m, mjOBJ_NUMERIC, name) : -1;
  if (setting->numeric < 0) {
    PhyMaterial material;
    const int known = kind <= SN_ELASTICITY && phy_material(m, id, &material);
    phy_fillParams(info, known ? &material : NULL, setting->param);
    return 1;
  }
  const int size = m->numeric_size[setting->numeric];
  if (size != info->nparam) {
    *wrong = phy_fail("%s model '%s' has %d parameters, the custom numeric '%.100s' has %d", word, model, info->nparam,
                      name, size);
    return 0;
  }
  memcpy(setting->param, m->numeric_data + m->numeric_adr[setting->numeric], (size_t)size * sizeof(mjtNum));
  return 1;
}

const char* phy_check(const mjModel* m) {
  const char* wrong = NULL;
  PhySetting p;
  for (int i = 0; i < m->ntext && !wrong; i++) {
    if (!readEntry(m, i, &p, &wrong)) continue;
    const snInfo* info = sn_modelAt((snKind)p.kind, p.model);
    wrong = phy_misfit(m, (snKind)p.kind, p.id, info, p.param);
  }
  return wrong ? wrong : phy_checkStick(m);
}

static int isActive(const PhySetting* p) {
  return p->model > 0;
}

//---------------------------------- what models compute in advance ----------------------------------

static size_t preparedNumbers(const mjModel* m, const PhySetting* p) {
  if (!isActive(p)) return 0;
  const snInfo* info = sn_modelAt((snKind)p->kind, p->model);
  if (p->kind == SN_BENDING) {
    return (size_t)m->flex_edgenum[p->id] * (size_t)phy_edgeNumbers((const snBending*)info);
  }
  if (p->kind == SN_ELASTICITY) {
    return (size_t)((const snElasticity*)info)->nconst + 2 +
           (size_t)m->flex_elemnum[p->id] * (size_t)phy_elementNumbers(m->flex_dim[p->id]);
  }
  return 0;
}

// vertices opposite to each edge, -1: none; the compiled model has them only where the reference bends
static void findFlaps(const mjModel* m, int flex, int stride, mjtNum* out) {
  for (int e = 0; e < m->flex_edgenum[flex]; e++)
    out[(size_t)e * (size_t)stride] = out[(size_t)e * (size_t)stride + 1] = -1;
  for (int t = 0; t < m->flex_elemnum[flex]; t++) {
    const int* vert = m->flex_elem + m->flex_elemdataadr[flex] + 3 * t;
    const int* edges = m->flex_elemedge + m->flex_elemedgeadr[flex] + 3 * t;
    for (int k = 0; k < 3; k++) {
      const int* ends = m->flex_edge + 2 * (m->flex_edgeadr[flex] + edges[k]);
      mjtNum* flap = out + (size_t)edges[k] * (size_t)stride;
      for (int i = 0; i < 3; i++) {
        if (vert[i] != ends[0] && vert[i] != ends[1]) flap[flap[0] >= 0] = vert[i];
      }
    }
  }
}

// flaps, angles at rest and constants of the edges; one with a triangle of no area at rest has no flaps
static void prepareBending(const mjModel* m, const PhySetting* p, mjtNum* out) {
  const snBending* model = (const snBending*)sn_modelAt(SN_BENDING, p->model);
  const int first = m->flex_edgeadr[p->id], stride = phy_edgeNumbers(model);
  findFlaps(m, p->id, stride, out);
  for (int e = first; e < first + m->flex_edgenum[p->id]; e++, out += stride) {
    if (out[1] < 0) continue;
    const int vert[4] = {m->flex_edge[2 * e], m->flex_edge[2 * e + 1], (int)out[0], (int)out[1]};
    mjtNum x[4][3], a[3], b[3], n[3], area = 0;
    for (int i = 0; i < 4; i++) phy_restVertex(m, p->id, vert[i], x[i]);
    mth_sub3(a, x[1], x[0]);
    for (int i = 2; i < 4; i++) {
      mth_sub3(b, x[i], x[0]);
      mth_cross3(n, a, b);
      area += mth_norm3(n) / 2;
    }
    PhyHinge hinge;
    if (!phy_hinge((const mjtNum* const[]){x[0], x[1], x[2], x[3]}, &hinge)) {
      out[1] = -1;
      continue;
    }
    out[2] = hinge.angle;
    model->prepare(p->param, mth_norm3(a), area, out + 3);
  }
}

// inverse of the shape of an element at rest, and its volume; thickness counts for surfaces. Zeros: it has no volume.
static void prepareElement(const mjModel* m, int flex, int elem, mjtNum thickness, mjtNum* out) {
  const int dim = m->flex_dim[flex], *vert = m->flex_elem + m->flex_elemdataadr[flex] + (dim + 1) * elem;
  mjtNum x[4][3] = {{0}}, side[3][3] = {{0}}, n[3];
  for (int i = 0; i <= dim; i++) phy_restVertex(m, flex, vert[i], x[i]);
  for (int i = 0; i < dim; i++) mth_sub3(side[i], x[i + 1], x[0]);
  mth_cross3(n, side[0], side[1]);
  if (dim == 2) {
    // first side along the first axis of the plane
    const mjtNum length = mth_norm3(side[0]), area2 = mth_norm3(n), height = area2 / length;
    const mjtNum shift = mth_dot3(side[0], side[1]) / length;
    if (area2 == 0) return;
    out[4] = thickness * area2 / 2;
    out[0] = 1 / length;
    out[1] = -shift / (length * height);
    out[3] = 1 / height;
    return;
  }
  const mjtNum six = mth_dot3(n, side[2]);
  if (six == 0) return;
  out[9] = fabs(six) / 6;
  mjtNum row[3];
  mth_scl3(out + 6, n, 1 / six);
  mth_cross3(row, side[1], side[2]);
  mth_scl3(out, row, 1 / six);
  mth_cross3(row, side[2], side[0]);
  mth_scl3(out + 3, row, 1 / six);
}

static void prepareElasticity(const mjModel* m, const PhySetting* p, mjtNum* out) {
  const snElasticity* model = (const snElasticity*)sn_modelAt(SN_ELASTICITY, p->model);
  const int dim = m->flex_dim[p->id], stride = phy_elementNumbers(dim);
  mjtNum thickness = 1;
  for (int i = 0; i < model->info.nparam; i++) {
    if (!strcmp(model->info.param[i].name, "thickness")) thickness = p->param[i];
  }
  model->prepare(p->param, dim, out);

  // Lamé's constants of small strains, which damping goes by
  mjtNum dP[81], rest[9] = {0};
  for (int i = 0; i < dim; i++) rest[(dim + 1) * i] = 1;
  phy_stiffness(model, out, dim, rest, dP);
  mjtNum* moduli = out + model->nconst;
  moduli[1] = dP[dim + 1];
  moduli[0] = (dP[0] - moduli[1]) / 2;
  for (int e = 0; e < m->flex_elemnum[p->id]; e++) {
    prepareElement(m, p->id, e, thickness, moduli + 2 + (size_t)e * (size_t)stride);
  }
}

//---------------------------------- the section ----------------------------------

static size_t numbersUp(size_t bytes) {
  return (bytes + sizeof(mjtNum) - 1) / sizeof(mjtNum) * sizeof(mjtNum);
}

// fills the head; returns the bytes of head and lists
static size_t layout(const mjModel* m, PhySection* head) {
  size_t bytes = numbersUp(sizeof(PhySection));
  head->setting = bytes;
  bytes += (size_t)head->nsetting * sizeof(PhySetting);
  for (int k = 0; k < 2; k++) {
    head->flex[k] = bytes;
    bytes += numbersUp((size_t)m->nflex * sizeof(int));
  }
  head->actuator = bytes;
  bytes += numbersUp((size_t)m->nu * sizeof(int));
  head->offset = bytes;
  return bytes + (size_t)m->nv * sizeof(mjtNum);
}

static int hasEntries(const mjModel* m) {
  for (int i = 0; i < m->ntext; i++) {
    if (!strncmp(m->names + m->name_textadr[i], PHY_PREFIX, strlen(PHY_PREFIX))) return 1;
  }
  return 0;
}

size_t phy_sectionSize(const mjModel* m) {
  if (!hasEntries(m)) return sizeof(PhySection);
  PhySection head = {0};
  PhySetting setting;
  const char* wrong;
  size_t numbers = 0;
  for (int i = 0; i < m->ntext; i++) {
    if (!readEntry(m, i, &setting, &wrong)) continue;
    head.nsetting++;
    numbers += preparedNumbers(m, &setting);
  }
  return layout(m, &head) + numbers * sizeof(mjtNum);
}

void phy_sectionInit(const mjModel* m, void* memory) {
  PhySection* const s = memory;
  *s = (PhySection){.buffer = (uintptr_t)m->buffer, .ntext = m->ntext, .nnumeric = m->nnumeric};
  s->contact = -1;
  if (!hasEntries(m)) return;

  // count first: the lists come before what is prepared
  PhySetting setting;
  const char* wrong;
  for (int i = 0; i < m->ntext; i++) s->nsetting += readEntry(m, i, &setting, &wrong);
  size_t bytes = layout(m, s);
  PhySetting* const list = (PhySetting*)(void*)((char*)s + s->setting);
  int* const lists[SN_NKIND] = {(int*)(void*)((char*)s + s->flex[0]), (int*)(void*)((char*)s + s->flex[1]),
                                (int*)(void*)((char*)s + s->actuator), &s->contact};
  for (int i = 0; i < m->nflex; i++) lists[0][i] = lists[1][i] = -1;
  for (int i = 0; i < m->nu; i++) lists[2][i] = -1;
  int n = 0;
  for (int i = 0; i < m->ntext && n < s->nsetting; i++) {
    if (!readEntry(m, i, &setting, &wrong)) continue;
    setting.prepared = bytes / sizeof(mjtNum);
    list[n] = setting;
    bytes += preparedNumbers(m, &setting) * sizeof(mjtNum);
    mjtNum* const prepared = (mjtNum*)(void*)s + setting.prepared;
    if (isActive(&setting)) {
      s->nactive++;
      lists[setting.kind][setting.id] = n;
      if (setting.kind == SN_BENDING) prepareBending(m, &setting, prepared);
      if (setting.kind == SN_ELASTICITY) prepareElasticity(m, &setting, prepared);
    }
    n++;
  }
}

// 1: the entry still says what was resolved
static int isCurrent(const mjModel* m, const PhySetting* p) {
  const snInfo* info = sn_modelAt((snKind)p->kind, p->model);
  if (strcmp(m->text_data + m->text_adr[p->text], info->name)) return 0;
  if (p->numeric < 0) return 1;
  return m->numeric_size[p->numeric] == info->nparam &&
         !memcmp(p->param, m->numeric_data + m->numeric_adr[p->numeric], (size_t)info->nparam * sizeof(mjtNum));
}

const PhySection* phy_refresh(const mjModel* m, mjData* d) {
  PhySection* s = mdl_section(d, MDL_PHYSICS);
  int current = s->nsetting ? s->ntext == m->ntext && s->nnumeric == m->nnumeric : !hasEntries(m);
  const PhySetting* list = (const PhySetting*)(void*)((char*)s + s->setting);
  for (int i = 0; i < s->nsetting && current; i++) current = isCurrent(m, list + i);

  // another choice than last time: the section is made anew
  if (!current) {
    const char* wrong = phy_check(m);
    if (wrong) mju_error("%s", wrong);
    s = mdl_sectionRenew(d, MDL_PHYSICS, phy_sectionSize(m));
    if (!s) {
      mju_error("could not allocate memory for the choices of physics");
      return NULL;
    }
    phy_sectionInit(m, s);
  }
  s->buffer = (uintptr_t)m->buffer;
  s->ntext = m->ntext;
  s->nnumeric = m->nnumeric;
  return s->nactive ? s : NULL;
}

//---------------------------------- questions ----------------------------------

const snInfo* sn_getModel(const mjModel* m, snKind kind, int id, mjtNum* param) {
  if (!m || (unsigned)kind >= SN_NKIND || id < 0 || id >= phy_elementCount(m, kind)) return NULL;
  const mjtObj type = phy_object(kind);
  const int text = phy_entry(m, mjOBJ_TEXT, sn_kindName(kind), type, id);
  const snInfo* info = text < 0 ? sn_modelAt(kind, 0) : sn_findModel(kind, m->text_data + m->text_adr[text]);
  if (!info || !param) return info;
  const int numeric = text < 0 || !info->nparam ? -1 : phy_entry(m, mjOBJ_NUMERIC, sn_kindName(kind), type, id);
  PhyMaterial material;
  const int known = type == mjOBJ_FLEX && numeric < 0 && phy_material(m, id, &material);
  if (numeric < 0) {
    phy_fillParams(info, known ? &material : NULL, param);
  } else if (m->numeric_size[numeric] == info->nparam) {
    memcpy(param, m->numeric_data + m->numeric_adr[numeric], (size_t)info->nparam * sizeof(mjtNum));
  } else {
    return NULL;
  }
  return info;
}

//---------------------------------- contact ----------------------------------

int phy_solveContact(const mjModel* m, mjData* d) {
  const PhySection* s = phy_open(m, d);
  const PhySetting* p = phy_contactOf(s);
  if (!p) return 0;
  mjtNum* offset = (mjtNum*)(void*)((char*)(uintptr_t)s + s->offset);
  memset(offset, 0, (size_t)m->nv * sizeof(mjtNum));
  ((const snContact*)sn_modelAt(SN_CONTACT, p->model))->apply(m, d, p->param, offset);
  return 1;
}

const mjtNum* phy_positionOffset(const mjModel* m, mjData* d) {
  const PhySection* s = phy_open(m, d);
  return phy_contactOf(s) ? (const mjtNum*)(const void*)((const char*)s + s->offset) : NULL;
}
