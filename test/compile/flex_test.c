// Flexes: shapes and what flexcomp makes of them, topology, elastic constants, pins, GMSH files, errors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compile/same.h"

#define QUIET "<contact selfcollide='none' internal='false'/>"
#define GRID  "type='grid' count='5 4 1' spacing='.1 .1 .1' radius='.01'"
#define BLOCK "type='grid' count='5 4 3' spacing='.1 .1 .1' radius='.01'"

// a flexcomp "f" in a body of the given kind: world, a static body, a moving one
static const char* flexcomp(int kind, const char* attributes, const char* inner) {
  static char xml[4000];
  static const char* const before[] = {"", "<body name='p' pos='.1 .2 .3' euler='10 20 30'>",
                                       "<body name='p' pos='.1 .2 .3' euler='10 20 30'><freejoint/><geom size='.1'/>"};
  snprintf(xml, sizeof(xml), "<mujoco><worldbody>%s<flexcomp name='f' %s>%s</flexcomp>%s</worldbody></mujoco>",
           before[kind], attributes, inner, kind ? "</body>" : "");
  return xml;
}

static mjModel* make(int kind, const char* attributes, const char* inner) {
  const char* const xml = flexcomp(kind, attributes, inner);
  mjModel* const m = compileText(xml);
  assert_non_null(m);

  // the same as the reference's
  mjModel* const ref = orc_compile(xml);
  assert_int_equal(differences(m, ref), 0);
  ORC(mj_deleteModel)(ref);
  return m;
}

//---------------------------------- topology ----------------------------------

// vertices − edges + triangles
static int euler(const mjModel* m) {
  return (int)(m->nflexvert - m->nflexedge + m->nflexelem);
}

static void topology(void** state) {
  (void)state;
  // a line, a closed line
  mjModel* m = make(0, "type='grid' dim='1' count='6 1 1' spacing='.1 .1 .1'", "");
  assert_int_equal(m->nflexvert, 6);
  assert_int_equal(m->nflexedge, 5);
  assert_int_equal(m->flex_shellnum[0], 2);
  mj_deleteModel(m);
  m = make(1, "type='circle' dim='1' count='6 1 1' spacing='.1 .1 .1'", "");
  assert_int_equal(m->nflexvert, 5);
  assert_int_equal(m->nflexedge, 5);
  assert_int_equal(m->flex_shellnum[0], 0);
  mj_deleteModel(m);

  // a sheet and a disc are a disc, an open box too
  m = make(2, "type='grid' dim='2' count='5 4 1' spacing='.1 .1 .1'", "");
  assert_int_equal(euler(m), 1);
  assert_int_equal(m->nflexelem, 2 * 4 * 3);
  assert_int_equal(m->flex_shellnum[0], 2 * (4 + 3));
  mj_deleteModel(m);
  m = make(0, "type='disc' count='5 5 1' spacing='.1 .1 .1'", "");
  assert_int_equal(euler(m), 1);
  mj_deleteModel(m);
  m = make(0, "type='box' dim='2' count='4 3 5' spacing='.1 .1 .1'", "");
  assert_int_equal(euler(m), 1);
  assert_int_equal(m->flex_shellnum[0], 2 * (3 + 2));
  mj_deleteModel(m);

  // solids: six tetrahedra per cube; two per patch of a surface; their shells are closed
  m = make(1, "type='grid' dim='3' count='4 3 2' spacing='.1 .1 .1'", "");
  assert_int_equal(m->nflexelem, 6 * 3 * 2 * 1);
  assert_int_equal(m->flex_shellnum[0], 4 * (3 * 2 + 3 * 1 + 2 * 1));
  mj_deleteModel(m);
  static const char* const solids[] = {"box", "cylinder", "ellipsoid"};
  for (int i = 0; i < 3; i++) {
    char attributes[100];
    snprintf(attributes, sizeof(attributes), "type='%s' dim='3' count='5 4 6' spacing='.1 .12 .14'", solids[i]);
    m = make(i, attributes, "");
    assert_int_equal(m->flex_shellnum[0], m->nflexelem);
    assert_int_equal(m->flex_shellnum[0], 4 * (4 * 3 + 4 * 5 + 3 * 5));
    mj_deleteModel(m);
  }
}

// every tetrahedron of a solid has its faces outside: the volumes add up to that of the block
static void orientation(void** state) {
  (void)state;
  mjModel* const m = make(0, "type='grid' dim='3' count='3 4 5' spacing='.1 .2 .3'", "");
  mjData* const d = mj_makeData(m);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_flex(m, d);
  double total = 0;
  for (int e = 0; e < m->nflexelem; e++) {
    const int* const v = m->flex_elem + 4 * e;
    double edge[3][3], normal[3];
    for (int k = 0; k < 3; k++) mju_sub3(edge[k], d->flexvert_xpos + 3 * v[k + 1], d->flexvert_xpos + 3 * v[0]);
    mju_cross(normal, edge[0], edge[1]);
    const double volume = -mju_dot3(normal, edge[2]) / 6;
    assert_true(volume > 0);
    total += volume;
  }
  assert_true(fabs(total - 0.2 * 0.6 * 1.2) < 1e-12);
  mj_deleteData(d);
  mj_deleteModel(m);
}

//---------------------------------- elasticity ----------------------------------

// an interpolated brick resists no translation, and stretches with a positive energy
static void bricks(void** state) {
  (void)state;
  static const char* const dofs[] = {"trilinear", "quadratic"};
  for (int i = 0; i < 2; i++) {
    char attributes[200];
    snprintf(attributes, sizeof(attributes), "type='grid' dim='3' count='8 8 8' spacing='.05 .05 .05' dof='%s'",
             dofs[i]);
    mjModel* const m = make(0, attributes, QUIET "<elasticity young='1e4' poisson='.2'/>");
    const int n = 3 * m->flex_nodenum[0];
    const mjtNum* const K = m->flex_stiffness;
    double largest = 0, energy = 0;
    for (int r = 0; r < n * n; r++) largest = fmax(largest, fabs(K[r]));
    for (int r = 0; r < n; r++) {
      double shift[3] = {0};
      for (int c = 0; c < n; c++) {
        shift[c % 3] += K[n * r + c];
        assert_true(fabs(K[n * r + c] - K[n * c + r]) < 1e-12 * largest);
        if (r % 3 == 0 && c % 3 == 0) energy -= K[n * r + c] * m->flex_node0[r] * m->flex_node0[c];
      }
      for (int k = 0; k < 3; k++) assert_true(fabs(shift[k]) < 1e-11 * largest);
    }
    assert_true(energy > 0);
    mj_deleteModel(m);
  }
}

static void elements(void** state) {
  (void)state;
  static const char* const modes[] = {"none", "bend", "stretch", "both"};
  for (int i = 0; i < 4; i++) {
    for (int dim = 1; dim <= 3; dim++) {
      char attributes[200], inner[200];
      snprintf(attributes, sizeof(attributes), "%s dim='%d' euler='10 20 30'", dim == 3 ? BLOCK : GRID, dim);
      snprintf(inner, sizeof(inner),
               "<elasticity young='1e4' poisson='.2' thickness='.01' damping='.1' elastic2d='%s'/>", modes[i]);
      mjModel* const m = make(1, attributes, inner);

      // bending of a flat sheet does not feel translations: the rows of an edge's matrix add up to zero
      for (int e = 0; e < m->nflexedge && dim == 2; e++) {
        const mjtNum* const b = m->flex_bending + 17 * e;
        for (int r = 0; r < 4; r++) assert_true(fabs(b[4 * r] + b[4 * r + 1] + b[4 * r + 2] + b[4 * r + 3]) < 1e-12);
        assert_true((b[0] != 0) == (i % 2 == 1 && m->flex_edgeflap[2 * e + 1] >= 0));
      }
      mj_deleteModel(m);
    }
  }
}

//---------------------------------- bodies ----------------------------------

static void pins(void** state) {
  (void)state;
  static const struct {
    int dim, bodies;  // bodies: of the flex
    const char* pin;
  } cases[] = {
      {1, 3,  "<pin id='0 1'/>"                },
      {1, 2,  "<pin range='0 2'/>"             },
      {2, 19, "<pin grid='1 1'/>"              },
      {2, 10, "<pin gridrange='0 0 4 1'/>"     },
      {3, 59, "<pin grid='1 1 1'/>"            },
      {3, 40, "<pin gridrange='0 0 0 4 1 1'/>" },
      {3, 0,  "<pin range='0 59'/>"            },
      {3, 57, "<pin id='0'/><pin range='3 4'/>"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char attributes[200];
    snprintf(attributes, sizeof(attributes), "%s dim='%d' mass='2'", cases[i].dim == 3 ? BLOCK : GRID, cases[i].dim);
    mjModel* const m = make(1, attributes, cases[i].pin);
    assert_int_equal(m->nbody - 2, cases[i].bodies);
    assert_int_equal(m->flex_rigid[0], cases[i].bodies == 0);
    mj_deleteModel(m);
  }
}

static void kinds(void** state) {
  (void)state;
  static const char* const equality[] = {"true", "vert", "false"};
  for (int i = 0; i < 3; i++) {
    char inner[200];
    snprintf(inner, sizeof(inner), "<edge equality='%s' damping='1' solref='.03 1'/>", equality[i]);
    mjModel* const m = make(0, GRID " dim='2'", inner);
    assert_int_equal(m->neq, i < 2);
    assert_int_equal(m->flex_edgeequality[0], i == 0 ? 1 : i == 1 ? 2 : 0);
    mj_deleteModel(m);
  }
  mj_deleteModel(make(2, GRID " dim='2' rigid='true'", ""));
  mj_deleteModel(make(0, BLOCK " dim='3' dof='radial'", ""));
  mj_deleteModel(make(2, BLOCK " dim='3' dof='trilinear'", QUIET "<pin id='0 3'/>"));
  mj_deleteModel(make(0, GRID " dim='2'",
                      "<contact vertcollide='true' contype='3' condim='4' friction='2' solmix='.4' margin='.003' "
                      "gap='.001' activelayers='2' passive='true' priority='2'/>"));

  // points that no element uses are not there
  mjModel* const m =
      make(0, "type='direct' dim='2' point='0 0 0 1 0 0 1 1 0 0 1 0 5 5 5' element='0 1 2 0 2 4' scale='2 2 2'", "");
  assert_int_equal(m->nflexvert, 4);
  assert_true(m->body_pos[3 * 4] == 10);
  mj_deleteModel(m);
}

// rows of Jacobians follow each other, also past a flex that has none
static void rowsAfterNone(void** state) {
  (void)state;
  static const char* const without[] = {"", "rigid='true'", "dof='radial'"};
  for (int i = 0; i < 3; i++) {
    char xml[2000];
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody><flexcomp name='f' " GRID
             " dim='2'><edge equality='vert' damping='1'/></flexcomp>"
             "<flexcomp name='g' " BLOCK
             " dim='3' %s/>"
             "<flexcomp name='h' " GRID " dim='2'><edge equality='vert' damping='1'/></flexcomp></worldbody></mujoco>",
             without[i]);
    mjModel* const m = compileText(xml);
    assert_non_null(m);
    int next = 0;
    for (int e = 0; e < m->nflexedge; e++) {
      if (!m->flexedge_J_rownnz[e]) continue;
      assert_int_equal(m->flexedge_J_rowadr[e], next);
      next += m->flexedge_J_rownnz[e];
    }
    assert_true(next <= m->nJfe);
    next = 0;
    for (int r = 0; r < 2 * m->nflexvert; r++) {
      if (!m->flexvert_J_rownnz[r]) continue;
      assert_int_equal(m->flexvert_J_rowadr[r], next);
      next += m->flexvert_J_rownnz[r];
    }
    assert_true(next <= 2 * m->nJfv);
    mj_deleteModel(m);
  }
}

// a flex over bodies of one's own, and an equality that names it
static void plainFlex(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint/><geom size='.1'/></body><body name='b' pos='1 0 "
      "1'><joint/>"
      "<geom size='.1'/></body><body name='c' pos='0 1 1'><freejoint/><geom size='.1'/></body></worldbody><deformable>"
      "<flex name='q' dim='2' body='a b c' element='0 1 2' vertex='0 0 .1 0 0 0 0 0 0' radius='.02'><edge damping='1'/>"
      "<elasticity young='100' thickness='.01' elastic2d='stretch'/></flex><flex name='r' dim='1' body='a b' "
      "element='0 1'/></deformable><equality><flex flex='r'/></equality></mujoco>";
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  assert_int_equal(m->nflex, 2);
  assert_int_equal(m->flex_edgeequality[1], 1);
  assert_int_equal(m->flex_centered[0], 0);
  assert_int_equal(m->flex_centered[1], 1);
  mjModel* const ref = orc_compile(xml);
  assert_int_equal(differences(m, ref), 0);
  ORC(mj_deleteModel)(ref);
  mj_deleteModel(m);
}

//---------------------------------- files ----------------------------------

static mjModel* fromFile(const char* name, const void* bytes, int size, const char* attributes, char error[1000]) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, name, bytes, size), 0);
  char full[300];
  snprintf(full, sizeof(full), "file='%s' %s", name, attributes);
  const char* const xml = flexcomp(0, full, "");
  assert_int_equal(mj_addBufferVFS(&vfs, "model.xml", xml, (int)strlen(xml)), 0);
  error[0] = 0;
  mjModel* const m = mj_loadXML("model.xml", &vfs, error, 1000);
  mj_deleteVFS(&vfs);
  return m;
}

// GMSH files that lack something, and what is said of them
static void brokenGmsh(void** state) {
  (void)state;
#define FILE41(nodes, elements) \
  "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n" nodes "$EndNodes\n$Elements\n" elements "$EndElements\n"
#define FILE22(nodes, elements) \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" nodes "$EndNodes\n$Elements\n" elements "$EndElements\n"
#define HEADED "2 1 0 3\n"
#define TAGS   "1\n2\n3\n"
#define PLACES "0 0 0\n1 0 0\n0 1 0\n"
#define NODES  "1 3 1 3\n" HEADED TAGS PLACES
  static const char* const cases[][2] = {
      {FILE41(HEADED TAGS PLACES,                 "1 1 1 1\n2 1 2 1\n1 1 2 3\n"), "Error: All nodes must be in single block"},
      {FILE41("1 4 1 3\n" HEADED TAGS PLACES,     "1 1 1 1\n2 1 2 1\n1 1 2 3\n"), "All nodes must be in single block"       },
      {FILE41("1 3 1 9\n" HEADED TAGS PLACES,     "1 1 1 1\n2 1 2 1\n1 1 2 3\n"), "Maximum number of nodes must be equal"   },
      {FILE41("1 3 1 3\n" HEADED "1\n3\n" PLACES, "1 1 1 1\n2 1 2 1\n1 1 2 3\n"), "Node tags must be sequential"            },
      {FILE41(NODES,                              "2 1 2 1\n1 1 2 3\n"),          "All elements must be in single block"    },
      {FILE41(NODES,                              "1 2 1 2\n2 1 2 2\n1 1 2 3\n"), "Error reading Elements"                  },
      {FILE22("3\n1 0 0 0\n2 1 0 0\n",            "1\n1 2 0 1 2 3\n"),            "Error reading node tags"                 },
      {FILE22("3\n1 0 0 0\n2 1 0 0\n3 0 1\n",     "1\n1 2 0 1 2 3\n"),            "Error reading node coordinates"          },
      {FILE22("3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n",   "2\n1 2 0 1 2 3\n"),            "Error reading Elements"                  },
      {FILE41("",                                 "1 1 1 1\n2 1 2 1\n1 1 2 3\n"), "Error: Error reading Nodes header"       },
      {FILE41("1 3\n",                            "1 1 1 1\n2 1 2 1\n1 1 2 3\n"), "Error: Error reading Nodes header"       },
      {FILE41("words\n",                          "1 1 1 1\n2 1 2 1\n1 1 2 3\n"), "Error: Error reading Nodes header"       },
      {FILE41("0 0 0 0\n",                        "1 1 1 1\n2 1 2 1\n1 1 2 3\n"), "Error: Error reading Nodes header"       },
      {FILE41(TAGS PLACES,                        "1 1 1 1\n2 1 2 1\n1 1 2 3\n"), "Error: All nodes must be in single block"},
      {FILE41(NODES,                              ""),                            "Error: Error reading Elements header"    },
      {FILE22("",                                 "1\n1 2 0 1 2 3\n"),            "Error: Error reading Nodes header"       },
      {FILE22("1 0 0 0\n2 1 0 0\n3 0 1 0\n",      "1\n1 2 0 1 2 3\n"),            "Error: Invalid node header"              },
      {FILE22("3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n",   ""),                            "Error: Error reading Elements header"    },
      {FILE22("3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n",   "words\n"),                     "Error: Invalid elements header"          },
      {FILE22("3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n",   "1 2 0 1 2 3\n2 2 0 1 2 3\n"),  "Error: Invalid elements header"          },
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char error[1000] = "";
    assert_null(fromFile("t.msh", cases[i][0], (int)strlen(cases[i][0]), "type='gmsh'", error));
    if (!strstr(error, cases[i][1])) fail_msg("case %zu: %s", i, error);
  }
}

// one tetrahedron and a triangle, in the versions and forms of GMSH
static void gmsh(void** state) {
  (void)state;
  static const char old[] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n7 0 0 1\n$EndNodes\n"
      "$Elements\n2\n1 2 2 0 1 1 2 3\n2 4 2 0 1 1 2 3 7\n$EndElements\n";
  static const char modern[] =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 7\n3 1 0 4\n1\n2\n3\n7\n0 0 0\n1 0 0\n0 1 0\n0 0 "
      "1\n$EndNodes\n"
      "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 7\n$EndElements\n";
  // points, lines and surfaces around a solid, wherever they stand
  static const char mixed[] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n7 0 0 1\n$EndNodes\n$Elements\n5\n"
      "1 15 2 0 1 7\n2 1 2 0 1 1 2\n3 4 2 0 1 1 2 3 7\n4 2 2 0 1 1 2 3\n5 15 2 0 1 3\n$EndElements\n";
  char error[1000];
  const char* const texts[] = {old, modern, mixed};
  for (int i = 0; i < 3; i++) {
    mjModel* const m = fromFile("t.msh", texts[i], (int)strlen(texts[i]), "type='gmsh'", error);
    if (!m) fail_msg("%s", error);
    assert_int_equal(m->flex_dim[0], 3);
    assert_int_equal(m->nflexelem, 1);
    assert_int_equal(m->nflexvert, 4);
    mj_deleteModel(m);
  }

  // the old form in binary
  unsigned char bytes[400];
  int n = snprintf((char*)bytes, sizeof(bytes), "$MeshFormat\n2.2 1 8\n");
  memcpy(bytes + n, (int[]){1}, 4);
  n += 4;
  n += snprintf((char*)bytes + n, 100, "\n$EndMeshFormat\n$Nodes\n4\n");
  const int tags[4] = {1, 2, 3, 7};
  const double points[4][3] = {
      {0, 0, 0},
      {1, 0, 0},
      {0, 1, 0},
      {0, 0, 1}
  };
  for (int i = 0; i < 4; i++) {
    memcpy(bytes + n, &tags[i], 4);
    memcpy(bytes + n + 4, points[i], 24);
    n += 28;
  }
  n += snprintf((char*)bytes + n, 100, "\n$EndNodes\n$Elements\n1\n");
  memcpy(bytes + n, (int[]){4, 1, 1, 5, 0, 1, 2, 3, 7}, 36);
  n += 36;
  n += snprintf((char*)bytes + n, 100, "\n$EndElements\n");
  mjModel* const m = fromFile("t.msh", bytes, n, "type='gmsh'", error);
  if (!m) fail_msg("%s", error);
  assert_int_equal(m->nflexelem, 1);
  mj_deleteModel(m);

  // whatever is cut off is an error
  for (int size = 0; size < n - 16; size++) assert_null(fromFile("t.msh", bytes, size, "type='gmsh'", error));
  for (int size = 0; size < (int)strlen(old) - 16; size++) {
    assert_null(fromFile("t.msh", old, size, "type='gmsh'", error));
    assert_true(*error);
  }
}

// a closed surface is a surface, or a solid around a point inside
static void meshes(void** state) {
  (void)state;
  static const char obj[] = "v -1 -1 -1\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  char error[1000];
  mjModel* m = fromFile("t.obj", obj, (int)strlen(obj), "type='mesh' dim='2'", error);
  if (!m) fail_msg("%s", error);
  assert_int_equal(euler(m), 2);
  mj_deleteModel(m);
  m = fromFile("t.obj", obj, (int)strlen(obj), "type='mesh' dim='3' origin='0 0 -.1'", error);
  if (!m) fail_msg("%s", error);
  assert_int_equal(m->nflexelem, 4);
  assert_int_equal(m->nflexvert, 5);
  mj_deleteModel(m);
}

//---------------------------------- errors ----------------------------------

static void errors(void** state) {
  (void)state;
  // clang-format off
  static const struct {
    const char *attributes, *inner, *error;
  } cases[] = {
      {"type='grid' count='3 3 3' spacing='.01 .01 .01' radius='.01'", "", "Spacing must be larger"},
      {GRID " dim='4'", "", "Invalid dim"},
      {"type='grid' count='0 1 1'", "", "Count too small"},
      {"type='grid' count='3 1 1' spacing='.1 .1 .1' dim='2'", "", "No elements were created"},
      {GRID " mass='0'", "", "Mass and inertiabox"},
      {GRID " scale='0 1 1'", "", "Scale must be larger"},
      {GRID " dim='2'", "<pin id='99'/>", "pinid out of range"},
      {GRID " dim='2'", "<pin grid='1'/>", "multiple of dim"},
      {GRID " dim='2'", "<pin range='1'/>", "multiple of 2"},
      {GRID " dim='1'", "<pin grid='1'/>", "cannot be used with dim=1"},
      {"type='direct' dim='2' point='0 0 0 1 0 0' element='0 1 2'", "", "element 2 has point id 2"},
      {"type='direct' dim='2' point='0 0' element='0 1 2'", "", "multiple of 3"},
      {"type='direct' dim='2'", "", "Point and element required"},
      {"type='mesh' dim='2'", "", "File is required"},
      {"type='gmsh' file='nowhere.msh'", "", "nowhere.msh"},
      {BLOCK " dim='3' dof='trilinear'", "", "self-collision"},
      {GRID " dim='2'", "<pin id='0'/><elasticity young='1' thickness='.1' elastic2d='bend'/>",
       "pins are not supported"},
      {GRID " dim='2'", "<elasticity young='1' poisson='.6'/>", "Poisson ratio"},
  };
  // clang-format on
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const char* const error = errorOf(flexcomp(0, cases[i].attributes, cases[i].inner));
    if (!strstr(error, cases[i].error)) fail_msg("case %zu: '%s' instead of '%s'", i, error, cases[i].error);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(topology),  cmocka_unit_test(orientation), cmocka_unit_test(bricks),
      cmocka_unit_test(elements),  cmocka_unit_test(pins),        cmocka_unit_test(kinds),
      cmocka_unit_test(plainFlex), cmocka_unit_test(gmsh),        cmocka_unit_test(brokenGmsh),
      cmocka_unit_test(meshes),    cmocka_unit_test(errors),      cmocka_unit_test(rowsAfterNone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
