// Together the scenes use the whole of MJCF for rigid bodies: every element and attribute of the schema, every keyword,
// every type that the engine distinguishes. What is left out stands in a list here.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <string.h>

#include "scenes/scene.h"
#include "spec/schema.h"
#include "support/model.h"
#include "xml/tree.h"

// -------------------------------------------------------------------------------------------- what the files contain

enum { MOST = 4096 };

// Rules and keywords that occur in a file, by address, and attributes by the address of the row with that name that
// came first: most attributes belong to a dozen elements, and one use of each is enough.
static const void* used[MOST];
static int nused;

static int isUsed(const void* what) {
  for (int i = 0; i < nused; i++) {
    if (used[i] == what) return 1;
  }
  return 0;
}

static const char* names[MOST];
static int nnames;

// one address per name
static const char* nameOf(const SpcAttributeRow* row) {
  for (int i = 0; i < nnames; i++) {
    if (!strcmp(names[i], row->name)) return names[i];
  }
  assert_true(nnames < MOST);
  return names[nnames++] = row->name;
}

static void use(const void* what) {
  if (isUsed(what)) return;
  assert_true(nused < MOST);
  used[nused++] = what;
}

// keywords are words of a list that may hold several of them
static void useWords(const SpcWord* words, const char* text) {
  char copy[200];
  snprintf(copy, sizeof(copy), "%s", text);
  for (char* word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
    for (const SpcWord* w = words; w->word; w++) {
      if (!strcmp(w->word, word)) use(w);
    }
  }
}

static void useNode(const XmlNode* node, const SpcRule* rule) {
  use(rule);
  for (int i = 0; i < node->nattribute; i++) {
    for (const SpcAttributeRow* row = rule->attributes; row->type != SPC_A_END; row++) {
      if (strcmp(row->name, node->attribute[i].name) != 0) continue;
      use(nameOf(row));
      if (row->words) useWords(row->words, node->attribute[i].value);
    }
  }
  for (const XmlNode* child = node->first; child; child = child->next) {
    for (const SpcRule* r = rule->children; r && r->name; r++) {
      if (!strcmp(r->name, child->name)) useNode(child, r);
    }
  }
}

static void readFiles(const char* pattern) {
  glob_t found;
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    int size = 0;
    char error[500];
    unsigned char* const text = tst_readFile(found.gl_pathv[i], &size);
    assert_non_null(text);
    XmlDocument* const document = xml_parse(found.gl_pathv[i], (const char*)text, (size_t)size, error, sizeof(error));
    assert_non_null(document);
    useNode(xml_root(document), &spc_root);
    xml_free(document);
    free(text);
  }
  globfree(&found);
}

// -------------------------------------------------------------------------------------------- what the schema allows

// Left out on purpose: deformable bodies, plugins, what only files in other places could use, and settings that the
// engine no longer reads.
static const char* const leftOut[] = {
    "flexcomp", "flex", "flexvert", "plugin", "extension", "coordinate", "njmax", "nconmax", "nstack", "nkey",
};

static int isLeftOut(const char* name) {
  for (size_t i = 0; i < sizeof(leftOut) / sizeof(leftOut[0]); i++) {
    if (!strcmp(leftOut[i], name)) return 1;
  }
  return 0;
}

// yes and no are not kinds of things
static int isSwitch(const SpcWord* words) {
  return !strcmp(words->word, "false") || !strcmp(words->word, "disable");
}

static const SpcRule* visited[MOST];
static int nvisited;

// prints and counts what no file uses below a rule; path is for the message
static int countMissing(const SpcRule* rule, const char* path) {
  for (int i = 0; i < nvisited; i++) {
    if (visited[i] == rule) return 0;
  }
  visited[nvisited++] = rule;
  int missing = !isUsed(rule);
  if (missing) print_error("element not used: %s\n", path);
  for (const SpcAttributeRow* row = rule->attributes; row->type != SPC_A_END; row++) {
    if (isLeftOut(row->name)) continue;
    if (!isUsed(nameOf(row))) {
      print_error("attribute not used: %s %s\n", path, row->name);
      missing++;
    }
    for (const SpcWord* w = row->words; w && w->word && !isSwitch(row->words); w++) {
      if (isUsed(w) || isLeftOut(w->word)) continue;
      print_error("keyword not used: %s %s=%s\n", path, row->name, w->word);
      missing++;
    }
  }
  for (const SpcRule* r = rule->children; r && r->name; r++) {
    char child[200];
    snprintf(child, sizeof(child), "%s/%s", path, r->name);
    if (!isLeftOut(r->name)) missing += countMissing(r, child);
  }
  return missing;
}

static void theSchemaIsUsed(void** state) {
  (void)state;
  readFiles("scenes/*.xml");
  readFiles("scenes/assets/*.xml");
  assert_int_equal(countMissing(&spc_root, "mujoco"), 0);
}

// -------------------------------------------------------------------------------------------- what the models contain

// An enumeration in the models: an array of ints with one entry per element, or an option.
typedef struct {
  const char* name;
  size_t array;       // offset of the array's pointer in mjModel, or of an int
  size_t count;       // offset of the number of elements, 0: the int itself
  uint64_t expected;  // bits of the values that must occur
} Kind;

#define BITS(n)    ((UINT64_C(1) << (n)) - 1)
#define BIT(value) (UINT64_C(1) << (value))
#define LIST(array, count, expected) \
  { #array, offsetof(mjModel, array), offsetof(mjModel, count), expected }
#define OPTION(field, expected) \
  { #field, offsetof(mjModel, opt.field), 0, expected }

static const Kind kinds[] = {
    LIST(jnt_type, njnt, BITS(mjJNT_HINGE + 1)),
    LIST(geom_type, ngeom, BITS(mjGEOM_SDF + 1)),
    LIST(site_type, nsite,
         BIT(mjGEOM_SPHERE) | BIT(mjGEOM_CAPSULE) | BIT(mjGEOM_ELLIPSOID) | BIT(mjGEOM_CYLINDER) | BIT(mjGEOM_BOX)),
    LIST(geom_condim, ngeom, BIT(1) | BIT(3) | BIT(4) | BIT(6)),
    LIST(actuator_trntype, nu, BITS(mjTRN_BODY + 1)),
    LIST(actuator_dyntype, nu, BITS(mjDYN_USER + 1)),
    LIST(actuator_gaintype, nu, BITS(mjGAIN_USER + 1)),
    LIST(actuator_biastype, nu, BITS(mjBIAS_USER + 1)),
    LIST(eq_type, neq, BITS(mjEQ_TENDON + 1)),
    LIST(wrap_type, nwrap, BITS(mjWRAP_CYLINDER + 1) & ~BIT(mjWRAP_NONE)),
    LIST(sensor_type, nsensor, BITS(mjSENS_USER + 1) & ~BIT(mjSENS_PLUGIN)),
    LIST(sensor_datatype, nsensor, BITS(mjDATATYPE_QUATERNION + 1)),
    LIST(sensor_needstage, nsensor, BITS(mjSTAGE_ACC + 1)),
    LIST(cam_mode, ncam, BITS(mjCAMLIGHT_TARGETBODYCOM + 1)),
    LIST(light_mode, nlight, BITS(mjCAMLIGHT_TARGETBODYCOM + 1)),
    LIST(light_type, nlight, BITS(mjLIGHT_IMAGE + 1)),
    LIST(tree_sleep_policy, ntree, BITS(mjSLEEP_INIT + 1) & ~BIT(mjSLEEP_AUTO)),
    LIST(tex_type, ntex, BITS(mjTEXTURE_SKYBOX + 1)),
    OPTION(integrator, BITS(mjINT_IMPLICITFAST + 1)),
    OPTION(solver, BITS(mjSOL_NEWTON + 1)),
    OPTION(cone, BITS(mjCONE_ELLIPTIC + 1)),
    OPTION(jacobian, BITS(mjJAC_AUTO + 1)),
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

// bits of the values that a model holds of one kind
static uint64_t valuesOf(const mjModel* m, const Kind* kind) {
  const char* const base = (const char*)m;
  if (!kind->count) return BIT(*(const int*)(base + kind->array));
  const int* const array = *(int* const*)(base + kind->array);
  const mjtSize n = *(const mjtSize*)(base + kind->count);
  uint64_t values = 0;
  for (mjtSize i = 0; i < n; i++) values |= BIT(array[i]);
  return values;
}

// Each type of each kind occurs in some scene; both fluid models are at work.
static void allTypesOccur(void** state) {
  (void)state;
  uint64_t values[KINDS] = {0};
  int ellipsoids = 0, boxes = 0, histories = 0;
  for (int i = 0; i < SCENES; i++) {
    mjModel* const m = loadScene(sceneNames[i]);
    for (int k = 0; k < KINDS; k++) values[k] |= valuesOf(m, &kinds[k]);
    int shaped = 0;
    for (int g = 0; g < m->ngeom; g++) shaped += m->geom_fluid[mjNFLUID * g] > 0;
    ellipsoids += m->opt.density > 0 && shaped;
    boxes += m->opt.density > 0 && m->opt.viscosity > 0 && !shaped;
    histories += m->nhistory > 0;
    mj_deleteModel(m);
  }
  int missing = 0;
  for (int k = 0; k < KINDS; k++) {
    for (int bit = 0; bit < 64; bit++) {
      if (!(kinds[k].expected & ~values[k] & BIT(bit))) continue;
      print_error("no scene has %s %d\n", kinds[k].name, bit);
      missing++;
    }
  }
  assert_int_equal(missing, 0);
  assert_true(ellipsoids && boxes && histories);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(theSchemaIsUsed), cmocka_unit_test(allTypesOccur)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
