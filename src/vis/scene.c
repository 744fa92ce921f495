// Scenes: their memory, and filling them. A scene is drawn in the order of two tables, first what the model consists
// of, then decorations; each row names an adder and what switches it on.
#include <string.h>

#include "math/vec.h"
#include "vis/vis.h"

//---------------------------------- memory ------------------------------------------------------------------------

void mjv_defaultScene(mjvScene* scn) {
  memset(scn, 0, sizeof(*scn));
}

// array of n entries; NULL for none
static void* array(mjtSize n, size_t size) {
  if (n <= 0) return NULL;
  void* const memory = mju_malloc((size_t)n * size);
  if (!memory) mju_error("mjv_makeScene: could not allocate scene buffers");
  return memory;
}

static int* copyInts(const int* source, mjtSize n) {
  int* const copy = array(n, sizeof(int));
  if (copy) memcpy(copy, source, (size_t)n * sizeof(int));
  return copy;
}

// most faces that a flex can need, whatever the options
static int mostFaces(const mjModel* m, int flex) {
  const int shells = m->flex_shellnum[flex], elements = m->flex_elemnum[flex];

  // both sides of triangles and two triangles per border edge
  if (m->flex_dim[flex] == 2) return 2 * shells + 2 * elements;

  // the shell of a solid, or all faces of one layer: layers have no gaps
  const int* const layer = m->flex_elemlayer + m->flex_elemadr[flex];
  int largest = 0;
  for (int k = 0, found = 1; found; k++) {
    found = 0;
    for (int e = 0; e < elements; e++) found += layer[e] == k;
    largest = mth_maxInt(largest, found);
  }
  return mth_maxInt(shells, 4 * largest);
}

static void makeFlexes(const mjModel* m, mjvScene* scn) {
  const int nflex = scn->nflex = (int)m->nflex;
  if (!nflex) return;
  scn->flexedgeadr = copyInts(m->flex_edgeadr, nflex);
  scn->flexedgenum = copyInts(m->flex_edgenum, nflex);
  scn->flexvertadr = copyInts(m->flex_vertadr, nflex);
  scn->flexvertnum = copyInts(m->flex_vertnum, nflex);
  scn->flexedge = copyInts(m->flex_edge, 2 * m->nflexedge);
  scn->flexvert = array(3 * m->nflexvert, sizeof(float));
  scn->flexfaceadr = array(nflex, sizeof(int));
  scn->flexfacenum = array(nflex, sizeof(int));
  scn->flexfaceused = array(nflex, sizeof(int));
  int nface = 0;
  for (int f = 0; f < nflex; f++) {
    scn->flexfaceadr[f] = nface;
    nface += scn->flexfacenum[f] = mostFaces(m, f);
  }
  scn->flexface = array(9 * (mjtSize)nface, sizeof(float));
  scn->flexnormal = array(9 * (mjtSize)nface, sizeof(float));
  scn->flextexcoord = array(6 * (mjtSize)nface, sizeof(float));
}

static void makeSkins(const mjModel* m, mjvScene* scn) {
  const int nskin = scn->nskin = (int)m->nskin;
  if (!nskin) return;
  scn->skinfacenum = copyInts(m->skin_facenum, nskin);
  scn->skinvertadr = copyInts(m->skin_vertadr, nskin);
  scn->skinvertnum = copyInts(m->skin_vertnum, nskin);
  scn->skinvert = array(3 * m->nskinvert, sizeof(float));
  scn->skinnormal = array(3 * m->nskinvert, sizeof(float));
}

void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom) {
  mjv_freeScene(scn);
  if (maxgeom > 0) {
    scn->geoms = array(maxgeom, sizeof(mjvGeom));
    scn->geomorder = array(maxgeom, sizeof(int));
    if (!scn->geoms || !scn->geomorder) return;
    memset(scn->geoms, 0, (size_t)maxgeom * sizeof(mjvGeom));
    scn->maxgeom = maxgeom;
  }
  for (int i = 0; i < mjNRNDFLAG; i++) scn->flags[i] = *mjRNDSTRING[i][1] == '1';
  scn->scale = scn->rotate[0] = 1;
  if (!m) return;
  makeFlexes(m, scn);
  makeSkins(m, scn);
}

void mjv_freeScene(mjvScene* scn) {
  void* const arrays[] = {scn->geoms,       scn->geomorder,   scn->flexedgeadr, scn->flexedgenum,  scn->flexvertadr,
                          scn->flexvertnum, scn->flexfaceadr, scn->flexfacenum, scn->flexfaceused, scn->flexedge,
                          scn->flexvert,    scn->flexface,    scn->flexnormal,  scn->flextexcoord, scn->skinfacenum,
                          scn->skinvertadr, scn->skinvertnum, scn->skinvert,    scn->skinnormal};
  for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); k++) mju_free(arrays[k]);
  mjv_defaultScene(scn);
}

//---------------------------------- geoms -------------------------------------------------------------------------

// an adder and the flag of mjtVisFlag that switches it on
typedef struct {
  void (*add)(const VisView* v);
  int flag;
} Kind;

// no flag: the adder itself looks at what is wanted
#define ALWAYS (-1)

// what the model consists of
static const Kind ELEMENTS[] = {
    {vis_addFlexes,       ALWAYS      },
    {vis_addSkins,        mjVIS_SKIN  },
    {vis_addGeoms,        ALWAYS      },
    {vis_addSites,        ALWAYS      },
    {vis_addTendons,      mjVIS_TENDON},
    {vis_addSliderCranks, ALWAYS      },
};

static const Kind DECORATIONS[] = {
    {vis_addGeomFrames,   ALWAYS            },
    {vis_addSiteFrames,   ALWAYS            },
    {vis_addBodyVolumes,  mjVIS_BODYBVH     },
    {vis_addFlexVolumes,  mjVIS_MESHBVH     },
    {vis_addMeshVolumes,  mjVIS_MESHBVH     },
    {vis_addMeshOctrees,  mjVIS_MESHBVH     },
    {vis_addTactiles,     mjVIS_CONTACTPOINT},
    {vis_addInertias,     mjVIS_INERTIA     },
    {vis_addPerturb,      mjVIS_PERTOBJ     },
    {vis_addBodyFrames,   ALWAYS            },
    {vis_addSelection,    mjVIS_SELECT      },
    {vis_addBodyLabels,   ALWAYS            },
    {vis_addJoints,       mjVIS_JOINT       },
    {vis_addActuators,    mjVIS_ACTUATOR    },
    {vis_addIslandLabels, ALWAYS            },
    {vis_addCameras,      mjVIS_CAMERA      },
    {vis_addLights,       mjVIS_LIGHT       },
    {vis_addMassCentres,  mjVIS_COM         },
    {vis_addConnections,  mjVIS_AUTOCONNECT },
    {vis_addRanges,       mjVIS_RANGEFINDER },
    {vis_addForces,       mjVIS_PERTFORCE   },
    {vis_addEqualities,   mjVIS_CONSTRAINT  },
    {vis_addContacts,     ALWAYS            },
};

static void addKinds(const VisView* v, const Kind* kinds, size_t n) {
  for (size_t k = 0; k < n; k++) {
    if (kinds[k].flag == ALWAYS || v->opt->flags[kinds[k].flag]) kinds[k].add(v);
  }
}

void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert, int catmask,
                  mjvScene* scn) {
  mjvPerturb none;
  mjv_defaultPerturb(&none);
  if (!opt->flags[mjVIS_STATIC]) catmask &= ~mjCAT_STATIC;
  const VisView v = {m, d, opt, pert ? pert : &none, catmask, scn, (float)m->stat.meansize};
  addKinds(&v, ELEMENTS, sizeof(ELEMENTS) / sizeof(ELEMENTS[0]));
  if (catmask & mjCAT_DECOR) addKinds(&v, DECORATIONS, sizeof(DECORATIONS) / sizeof(DECORATIONS[0]));
}

//---------------------------------- lights ------------------------------------------------------------------------

// the light on the viewer's head
static void makeHeadlight(const mjModel* m, mjvScene* scn) {
  mjvLight* const light = scn->lights + scn->nlight++;
  memset(light, 0, sizeof(*light));
  light->id = light->texid = -1;
  light->type = mjLIGHT_DIRECTIONAL;
  light->headlight = 1;
  light->bulbradius = 0.02f;
  light->range = 10;
  mjtNum pos[3], forward[3];
  mjv_cameraInModel(pos, forward, NULL, scn);
  mju_n2f(light->pos, pos, 3);
  mju_n2f(light->dir, forward, 3);
  memcpy(light->ambient, m->vis.headlight.ambient, sizeof(light->ambient));
  memcpy(light->diffuse, m->vis.headlight.diffuse, sizeof(light->diffuse));
  memcpy(light->specular, m->vis.headlight.specular, sizeof(light->specular));
}

static void makeLight(const mjModel* m, const mjData* d, int id, mjvLight* light) {
  memset(light, 0, sizeof(*light));
  light->id = id;
  light->type = m->light_type[id];
  light->texid = m->light_texid[id];
  light->castshadow = m->light_castshadow[id];
  light->bulbradius = m->light_bulbradius[id];
  light->intensity = m->light_intensity[id];
  light->range = m->light_range[id];
  if (light->type == mjLIGHT_SPOT) {
    memcpy(light->attenuation, m->light_attenuation + 3 * id, sizeof(light->attenuation));
    light->exponent = m->light_exponent[id];
    light->cutoff = m->light_cutoff[id];
  }
  memcpy(light->ambient, m->light_ambient + 3 * id, sizeof(light->ambient));
  memcpy(light->diffuse, m->light_diffuse + 3 * id, sizeof(light->diffuse));
  memcpy(light->specular, m->light_specular + 3 * id, sizeof(light->specular));
  mju_n2f(light->pos, d->light_xpos + 3 * id, 3);
  mju_n2f(light->dir, d->light_xdir + 3 * id, 3);
}

void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn) {
  scn->nlight = 0;
  if (m->vis.headlight.active) makeHeadlight(m, scn);
  for (int i = 0; i < m->nlight && scn->nlight < mjMAXLIGHT; i++) {
    if (m->light_active[i]) makeLight(m, d, i, scn->lights + scn->nlight++);
  }
}

//---------------------------------- all of it ---------------------------------------------------------------------

void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert, mjvCamera* cam,
                     int catmask, mjvScene* scn) {
  scn->ngeom = scn->status = 0;

  // plugins draw first
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* const plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (!plugin) mju_error("mjv_updateScene: invalid plugin slot: %d", m->plugin[i]);
    if (plugin->visualize) plugin->visualize(m, d, opt, scn, i);
  }
  mjv_addGeoms(m, d, opt, pert, catmask, scn);
  mjv_updateCamera(m, d, cam, scn);
  mjv_makeLights(m, d, scn);
  const mjtByte* const flags = opt->flags;
  if (flags[mjVIS_FLEXVERT] || flags[mjVIS_FLEXEDGE] || flags[mjVIS_FLEXFACE] || flags[mjVIS_FLEXSKIN]) {
    vis_updateFlexes(m, d, opt, scn);
  }
  if (flags[mjVIS_SKIN]) vis_updateSkins(m, d, opt, scn);
}
