// Models that break one rule each: every one is refused, with the rule in the message and the place where it was
// broken. broken/EXPECTED.txt holds, per model, what the message must contain. The reference refuses all of them as
// well.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "heap/heap.h"
#include "support/oracle.h"

static const char* FOLDER = "test/compile/broken/";

// calls check for every line of the table; returns how many there are
static int eachModel(void (*check)(const char* path, const char* expected)) {
  char line[1000];
  snprintf(line, sizeof(line), "%sEXPECTED.txt", FOLDER);
  FILE* table = fopen(line, "r");
  assert_non_null(table);
  int count = 0;
  while (fgets(line, sizeof(line), table)) {
    char* tab = strchr(line, '\t');
    assert_non_null(tab);
    *tab = 0;
    tab[1 + strcspn(tab + 1, "\n")] = 0;
    char path[300];
    snprintf(path, sizeof(path), "%s%.200s.xml", FOLDER, line);
    check(path, tab + 1);
    count++;
  }
  fclose(table);
  return count;
}

static long countBlocks(void) {
  mj_freeLastXML();
  mj_clearCache(mj_getCache());
  return heap_blocks();
}

static void checkOurs(const char* path, const char* expected) {
  char error[1000] = "";
  const long blocks = countBlocks();
  mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
  if (m) fail_msg("%s was accepted", path);
  if (!strstr(error, expected)) fail_msg("%s: '%s' expected, got '%s'", path, expected, error);

  // every message names the file
  if (!strstr(error, strrchr(path, '/') + 1) && !strstr(error, "Unrecognized")) {
    fail_msg("%s is not named in '%s'", path, error);
  }

  // what the first of all allocates may stay
  static int count = 0;
  const long lost = countBlocks() - blocks;
  if (count++ && lost) fail_msg("%ld blocks are left of %s", lost, path);
}

static void everyModelIsRefused(void** state) {
  (void)state;
  assert_true(eachModel(checkOurs) >= 150);
}

static void checkTheirs(const char* path, const char* expected) {
  (void)expected;
  char error[1000] = "";
  if (ORC(mj_loadXML)(path, NULL, error, sizeof(error))) fail_msg("the reference accepts %s", path);
}

static void theReferenceRefusesThemToo(void** state) {
  (void)state;
  if (!orc_available()) skip();
  eachModel(checkTheirs);
}

// clang-format off
#define BODY \
  "<worldbody><body name='b'><joint name='j' range='-1 1'/><geom name='g' size='.1'/><site name='s'/><site name='t'/></body></worldbody>"

// the same for short texts: what is inside <mujoco>, what is said, and whether the reference says no as well
static const struct {
  const char *text, *message;
  int both;
} TEXTS[] = {
    {BODY "<actuator><general joint='j' inheritrange='1'/></actuator>",
     "Schema violation: unrecognized attribute: 'inheritrange'", 1},
    {"<worldbody><body name='b'><joint name='j' type='ball'/><geom name='g' size='.1'/><site name='s'/></body></worldbody><actuator><position joint='j' inheritrange='1'/></actuator>",
     "inheritrange can only be used with hinge and slide joints, actuator", 1},
    {BODY "<actuator><position site='s' inheritrange='1'/></actuator>",
     "inheritrange can only be used with joint and tendon transmission, actu", 1},
    {BODY "<actuator><motor joint='j' forcelimited='true' forcerange='1 -1'/></actuator>",
     "invalid force range for actuator", 1},
    {BODY "<actuator><muscle joint='j' range='2 1' lengthrange='0 1'/></actuator>",
     "range[0]<range[1] required in muscle", 1},
    {BODY "<actuator><motor cranksite='s' slidersite='nobody' cranklength='1'/></actuator>",
     "base site 'nobody' not found for actuator 0", 1},
    {"<worldbody><camera focal='.1 .1' resolution='10 10'/></worldbody>",
     "focal/principal require sensorsize in camera '' (id = 0)", 1},
    {"<worldbody><camera resolution='-1 10'/></worldbody>",
     "camera resolution cannot be negative", 0},
    {"<worldbody><camera xyaxes='1 0 0 1 0 0'/></worldbody>",
     "orientation specification error 'yaxis too small' in camera 0", 1},
    {"<worldbody><site size='1' zaxis='0 0 1e-7'/></worldbody>",
     "orientation specification error 'zaxis too small' in site 0", 1},
    {"<worldbody><body axisangle='9e-8 0 0 1'><geom size='1'/></body></worldbody>",
     "error 'axisangle too small' in frame alternative", 1},
    {"<worldbody><site xyaxes='1e-9 0 0 0 1 0'/></worldbody>",
     "orientation specification error 'xaxis too small' in site 0", 1},
    {"<worldbody><site xyaxes='1 0 0 1 0 0'/></worldbody>",
     "orientation specification error 'yaxis too small' in site 0", 1},
    {"<worldbody><frame xyaxes='1 0 0 1 0 0'><geom size='1'/></frame></worldbody>",
     "orientation specification error 'yaxis too small' in site 0", 1},
    {"<worldbody><body xyaxes='1 0 0 1 0 0'><geom size='1'/></body></worldbody>",
     "error 'yaxis too small' in frame alternative", 1},
    {"<worldbody><body><joint/><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' euler='0 0 1'/></body></worldbody>",
     "fullinertia and inertial orientation cannot both be specified", 1},
    {"<worldbody><body><joint/><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 2 0 0'/></body></worldbody>",
     "error 'inertia must have positive eigenvalues' in fullinertia", 1},
    {"<custom><numeric name='n' size='1' data='1 2'/></custom>",
     "attribute 'data' has too much data", 1},
    {"<worldbody><body name='a'><joint/><geom size='1'/></body></worldbody><deformable><flex dim='4' body='a a' vertex='0 0 0 1 0 0' element='0 1'/></deformable>",
     "dim must be 1, 2 or 3", 1},
    {"<worldbody><body name='a'><joint/><geom size='1'/></body></worldbody><deformable><flex dim='1' body='a a a' vertex='0 0 0 1 0 0' element='0 1'/></deformable>",
     "vertbody size must be 1 or nvert", 1},
    {"<worldbody><body name='a'><joint/><geom size='1'/></body></worldbody><deformable><flex dim='1' body='nobody' vertex='0 0 0 1 0 0' element='0 1'/></deformable>",
     "unknown body 'nobody' in flex", 1},
    {"<worldbody><body name='a'><joint/><geom size='1'/></body></worldbody><deformable><flex dim='2' body='a' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2' texcoord='0 0 1 0 0 1' elemtexcoord='0 1 7'/></deformable>",
     "elemtexcoord texture coordinate id out of range", 0},
    {"<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><geom type='mesh' mesh='m' fromto='0 0 0 1 1 1'/></worldbody>",
     "fromto requires capsule, cylinder, box or ellipsoid in geom", 1},
    {"<worldbody><body><joint/><geom size='1' density='-1'/></body></worldbody>",
     "mass, inertia or density are negative in geom", 1},
    {"<worldbody><body><joint/><geom size='1' mass='-1'/></body></worldbody>",
     "mass, inertia or density are negative in geom", 1},
    {"<worldbody><body><joint/><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/></body></worldbody>",
     "mass and inertia of moving bodies must be larger than mjMINVAL", 1},
    {BODY "<sensor><framepos objtype='body' objname='b' reftype='body'/></sensor>",
     "required attribute missing: 'refname'", 1},
    {BODY "<sensor><framepos objtype='body' objname='b' reftype='body' refname='nobody'/></sensor>",
     "unrecognized name 'nobody' of object", 1},
    {BODY "<sensor><framepos objtype='body' objname='b' reftype='joint' refname='j'/></sensor>",
     "reference frame object must be (x)body, geom, site or camera in sensor", 1},
    {BODY "<sensor><user dim='3' datatype='quaternion'/></sensor>",
     "datatype QUATERNION requires dim=4 in sensor", 1},
    {BODY "<sensor><framequat objtype='body' objname='b' cutoff='1'/></sensor>",
     "cutoff applied to axis or quaternion datatype in sensor", 1},
    {BODY "<sensor><camprojection site='s' camera='nobody'/></sensor>",
     "unrecognized name 'nobody' of object", 1},
    {BODY "<sensor><distance geom1='g' body1='b' geom2='g'/></sensor>",
     "exactly one of (geom1, body1) must be specified", 1},
    {BODY "<tendon><spatial><site site='s'/><pulley divisor='2'/><pulley divisor='2'/><site site='t'/></spatial></tendon>",
     "tendon '' (id = 0): site 0 needs a neighbor that is not a pulley", 1},
    {BODY "<tendon><spatial><site site='s'/><site site='s'/></spatial></tendon>",
     "tendon '' (id = 0): site 0 is repeated", 1},
    {BODY "<worldbody><geom name='w' size='.1'/></worldbody><tendon><spatial armature='1'><site site='s'/><geom geom='w'/><site site='t'/></spatial></tendon>",
     "tendon '' (id = 0): geom wrapping not supported by tendon armature", 1},
    {BODY "<tendon><spatial armature='-1'><site site='s'/><site site='t'/></spatial></tendon>",
     "tendon '' (id = 0): tendon armature cannot be negative", 1},
    {BODY "<tendon><spatial actuatorfrclimited='true' actuatorfrcrange='1 -1'><site site='s'/><site site='t'/></spatial></tendon>",
     "invalid actuatorfrcrange in tendon", 1},
    {"<worldbody><body name='b'><geom size='1'/></body></worldbody><deformable><skin vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1' vertweight='1'/></skin></deformable>",
     "vertid and vertweight must have same non-zero size in skin", 1},
    {"<worldbody><body name='b'><geom size='1'/></body></worldbody><deformable><skin vertex='0 0 0 1 0 0 0 1 0' texcoord='0 0' face='0 1 2'><bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></deformable>",
     "Vertex and texcoord data incompatible size", 1},
    {"<worldbody><body name='b'><geom size='1'/></body></worldbody><deformable><skin file='a.obj'><bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0' vertweight='1'/></skin></deformable>",
     "Both skin data and file were specified: a.obj", 1},
    {"<asset><mesh name='m' builtin='sphere' params='1' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>",
     "builtin mesh cannot be used with user vertex data", 1},
    {"<asset><mesh name='m' builtin='sphere' params='1' file='a.obj'/></asset>",
     "builtin cannot be used with a mesh file", 1},
    {"<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2 0 2 3' facenormal='0 1 2'/></asset>",
     "Schema violation: unrecognized attribute: 'facenormal'", 1},
    {"<worldbody><flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='1 1 1' mass='1'><pin grid='5 5'/></flexcomp></worldbody>",
     "pingrid out of range", 1},
    {"<worldbody><flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='1 1 1' mass='1'><pin gridrange='0 0 1'/></flexcomp></worldbody>",
     "Pin grid range number of must be multiple of 2*dim", 1},
    {"<worldbody><flexcomp name='f' type='ellipsoid' dim='3' count='3 3 3' spacing='1 1 1' mass='1'><pin grid='0 0 0'/></flexcomp></worldbody>",
     "Pin grid(range) can only be used with grid or interpolated", 1},
    {"<worldbody><body><flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='1 1 1' mass='1'><pin id='0'/></flexcomp></body></worldbody>",
     "Parent body must have name", 1},
    {"<size memory='-3'/>",
     "unsigned integer with an optional suffix {K,M,G,T,P,E} is expected in ", 1},
    {"<compiler coordinate='global'/>",
     "global coordinates no longer supported. To convert existing models, lo", 1},
    {BODY "<equality><connect body1='b' body2='b' site1='s' site2='t' anchor='0 0 0'/></equality>",
     "body and site semantics cannot be mixed", 1},
};
// clang-format on

static void everyTextIsRefused(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++) {
    char xml[2000], error[1000] = "";
    snprintf(xml, sizeof(xml), "<mujoco>%s</mujoco>", TEXTS[i].text);
    const long blocks = countBlocks();
    mjSpec* const spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
    mjModel* const m = spec ? mj_compile(spec, NULL) : NULL;
    if (m) fail_msg("accepted: %s", xml);
    const char* const said = spec ? mjs_getError(spec) : error;
    if (!strstr(said, TEXTS[i].message)) fail_msg("'%s' expected, got '%s'", TEXTS[i].message, said);
    mj_deleteSpec(spec);
    const long lost = countBlocks() - blocks;
    if (i && lost) fail_msg("%ld blocks are left of %s", lost, xml);
    if (!TEXTS[i].both || !orc_available()) continue;
    mjSpec* const theirs = ORC(mj_parseXMLString)(xml, NULL, error, sizeof(error));
    if (theirs && ORC(mj_compile)(theirs, NULL)) fail_msg("the reference accepts %s", xml);
    ORC(mj_deleteSpec)(theirs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyModelIsRefused),
      cmocka_unit_test(everyTextIsRefused),
      cmocka_unit_test(theReferenceRefusesThemToo),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
