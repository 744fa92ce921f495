// Sizes of the compiled model.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "compile/flex.h"

// -------------------------------------------------------------------------------------------- user data

// a size that was left open is the largest number of values that any element has
static void openSize(const Cmp* c, int* size, SpcKindId kind, size_t offset) {
  if (*size >= 0) return;
  *size = 0;
  for (int i = 0; i < c->list[kind].n; i++) {
    const SpcVec* const user = *(SpcVec**)((char*)c->list[kind].at[i] + sizeof(CmpHead) + offset);
    const int count = (int)spc_vecCount(user, sizeof(double));
    if (count > *size) *size = count;
  }
}

void cmp_userSizes(Cmp* c) {
  openSize(c, &c->s.nuser_body, SPC_BODY, offsetof(mjsBody, userdata));
  openSize(c, &c->s.nuser_jnt, SPC_JOINT, offsetof(mjsJoint, userdata));
  openSize(c, &c->s.nuser_geom, SPC_GEOM, offsetof(mjsGeom, userdata));
  openSize(c, &c->s.nuser_site, SPC_SITE, offsetof(mjsSite, userdata));
  openSize(c, &c->s.nuser_cam, SPC_CAMERA, offsetof(mjsCamera, userdata));
  openSize(c, &c->s.nuser_tendon, SPC_TENDON, offsetof(mjsTendon, userdata));
  openSize(c, &c->s.nuser_actuator, SPC_ACTUATOR, offsetof(mjsActuator, userdata));
  openSize(c, &c->s.nuser_sensor, SPC_SENSOR, offsetof(mjsSensor, userdata));
}

// -------------------------------------------------------------------------------------------- tree

// dofs and trees; a tree starts at a moving body whose ancestors are all static
static void treeSizes(const Cmp* c, mjModel* m) {
  for (int i = 0; i < cmp_count(c, SPC_BODY); i++) {
    CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    for (int k = 0; k < body->joints.n; k++) {
      CmpJoint* const joint = body->joints.at[k];
      joint->qposadr = (int)m->nq;
      joint->dofadr = (int)m->nv;
      m->nq += cmp_nq(joint);
      m->nv += cmp_nv(joint);
    }
    body->subtreedofs = body->dofnum;
    body->mocapid = body->s.mocap ? (int)m->nmocap++ : -1;
    if (body->joints.n && body->parent->weldid == 0) m->ntree++;
    m->nbvhstatic += body->bvh.n;
  }
  for (int i = cmp_count(c, SPC_BODY) - 1; i > 0; i--) {
    const CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    body->parent->subtreedofs += body->subtreedofs;
  }
}

// A body is simple when its inertia matrix is diagonal: it is alone in its tree, its frame is the inertial frame, and
// its joints are at the origin along the axes, with at most one rotation. 2: only sliders.
static int isSimple(const CmpBody* body) {
  static const double zero[3] = {0};
  const CmpBody* const parent = body->parent;
  const int top = !parent || !parent->parent || (!parent->parent->parent && !parent->dofnum);
  const int leaf = !parent || !body->bodies.n;  // the world may have children
  if (!top || !leaf || cmp_sameFrame(body->s.ipos, body->s.iquat, NULL) != mjSAMEFRAME_BODY) return 0;
  int rotations = 0, sliders = 0;
  for (int k = 0; k < body->joints.n; k++) {
    const mjsJoint* const s = &((const CmpJoint*)body->joints.at[k])->s;
    const int axes = (fabs(s->axis[0]) > SPC_EPS) + (fabs(s->axis[1]) > SPC_EPS) + (fabs(s->axis[2]) > SPC_EPS);
    const int scalar = s->type == mjJNT_HINGE || s->type == mjJNT_SLIDE;
    if (rotations || !cmp_isNear(s->pos, zero, 3) || (scalar && axes != 1)) return 0;
    rotations += s->type == mjJNT_BALL || s->type == mjJNT_HINGE;
    sliders += s->type == mjJNT_SLIDE;
  }
  return body->dofnum && sliders == body->joints.n ? 2 : 1;
}

// tendons with inertia couple the bodies that they run over
static void setSimple(const Cmp* c) {
  for (int i = 0; i < cmp_count(c, SPC_BODY); i++) {
    CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    body->simple = isSimple(body);
  }
  for (int i = 0; i < cmp_count(c, SPC_TENDON); i++) {
    const CmpTendon* const tendon = CMP_AT(c, SPC_TENDON, CmpTendon, i);
    if (tendon->s.armature == 0) continue;
    for (int k = 0; k < tendon->npath; k++) {
      const CmpWrap* const wrap = &tendon->path[k];
      if (wrap->type == mjWRAP_SITE) ((CmpSite*)wrap->object)->body->simple = 0;
      if (wrap->type == mjWRAP_SPHERE || wrap->type == mjWRAP_CYLINDER) ((CmpGeom*)wrap->object)->body->simple = 0;
    }
  }
}

// Nonzeros of the matrices over dofs. Ancestor counts: above[b] = dofs of all ancestors of body b.
static void sparseSizes(Cmp* c, mjModel* m) {
  const int nbody = cmp_count(c, SPC_BODY);
  int* const above = cmp_alloc(c, (size_t)nbody, sizeof(int));
  for (int i = 1; i < nbody; i++) {
    const CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    const CmpBody* const parent = body->parent;
    above[i] = above[parent->head.id] + parent->dofnum;
    for (int k = 0; k < body->dofnum; k++) {
      m->nM += above[i] + k + 1;
      m->nC += body->simple ? 1 : above[i] + k + 1;
    }
    m->nB += body->subtreedofs + above[i];
  }
  m->nB += nbody ? CMP_AT(c, SPC_BODY, CmpBody, 0)->subtreedofs : 0;
  m->nD = 2 * m->nM - m->nv;
}

// -------------------------------------------------------------------------------------------- assets

static void assetSizes(const Cmp* c, mjModel* m) {
  for (int i = 0; i < cmp_count(c, SPC_MESH); i++) {
    const AstMesh* const mesh = &CMP_AT(c, SPC_MESH, CmpMesh, i)->asset;
    m->nmeshvert += mesh->nvert;
    m->nmeshnormal += mesh->nnormal;
    m->nmeshtexcoord += mesh->texcoord ? mesh->ntexcoord : 0;
    m->nmeshface += mesh->nface;
    m->nmeshgraph += mesh->ngraph;
    m->nmeshpoly += mesh->npoly;
    m->nmeshpolyvert += mesh->npolyvert;
    m->nmeshpolymap += mesh->npolymap;
    m->nbvhstatic += mesh->bvh.n;
    m->noct += mesh->octree.n;
  }
  for (int i = 0; i < cmp_count(c, SPC_SKIN); i++) {
    const CmpSkin* const skin = CMP_AT(c, SPC_SKIN, CmpSkin, i);
    m->nskinvert += skin->nvert / 3;
    m->nskintexvert += skin->ntexcoord / 2;
    m->nskinface += skin->nface / 3;
    m->nskinbone += skin->nbone;
    for (int k = 0; k < skin->nbone; k++) m->nskinbonevert += skin->nbonevert[k];
  }
  for (int i = 0; i < cmp_count(c, SPC_HFIELD); i++) {
    const AstHfield* const hfield = &CMP_AT(c, SPC_HFIELD, CmpHfield, i)->asset;
    m->nhfielddata += (mjtSize)hfield->nrow * hfield->ncol;
  }
  for (int i = 0; i < cmp_count(c, SPC_TEXTURE); i++) {
    const AstTexture* const texture = &CMP_AT(c, SPC_TEXTURE, CmpTexture, i)->asset;
    m->ntexdata += (mjtSize)texture->width * texture->height * texture->nchannel;
  }
}

// -------------------------------------------------------------------------------------------- everything else

static void objectSizes(Cmp* c, mjModel* m) {
  for (int i = 0; i < cmp_count(c, SPC_EQUALITY); i++) {
    const mjtEq type = CMP_AT(c, SPC_EQUALITY, CmpEquality, i)->s.type;
    m->nemax += type == mjEQ_CONNECT ? 3 : type == mjEQ_WELD ? 7 : 1;
  }
  for (int i = 0; i < cmp_count(c, SPC_TENDON); i++) m->nwrap += CMP_AT(c, SPC_TENDON, CmpTendon, i)->npath;

  // a history buffer holds a user number, a cursor, times and values
  for (int i = 0; i < cmp_count(c, SPC_ACTUATOR); i++) {
    CmpActuator* const actuator = CMP_AT(c, SPC_ACTUATOR, CmpActuator, i);
    actuator->actadr = actuator->s.actdim ? (int)m->na : -1;
    m->na += actuator->s.actdim;
    if (actuator->s.nsample > 0) m->nhistory += 2 + 2 * (mjtSize)actuator->s.nsample;
  }
  for (int i = 0; i < cmp_count(c, SPC_SENSOR); i++) {
    const CmpSensor* const sensor = CMP_AT(c, SPC_SENSOR, CmpSensor, i);
    m->nsensordata += sensor->s.dim;
    if (m->nsensordata > INT_MAX) cmp_fail(c, sensor->head.e, "sensors have too many values");
    if (sensor->s.nsample > 0) m->nhistory += 2 + (mjtSize)sensor->s.nsample * (1 + sensor->s.dim);
  }
  for (int i = 0; i < cmp_count(c, SPC_NUMERIC); i++) m->nnumericdata += CMP_AT(c, SPC_NUMERIC, CmpNumeric, i)->s.size;
  for (int i = 0; i < cmp_count(c, SPC_TEXT); i++) {
    m->ntextdata += (mjtSize)spc_textLength(CMP_AT(c, SPC_TEXT, CmpText, i)->s.data) + 1;
  }
  for (int i = 0; i < cmp_count(c, SPC_TUPLE); i++) m->ntupledata += CMP_AT(c, SPC_TUPLE, CmpTuple, i)->n;
  for (int i = 0; i < cmp_count(c, SPC_PLUGIN); i++) {
    m->npluginattr += CMP_AT(c, SPC_PLUGIN, CmpPluginInstance, i)->nattributes;
  }
}

static mjtSize pathLength(const char* file) {
  return file && *file ? (mjtSize)strlen(file) + 1 : 0;
}

static void textSizes(const Cmp* c, mjModel* m) {
  m->nnames = (mjtSize)spc_textLength(c->s.modelname) + 1;
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    if (kind == SPC_FRAME) continue;
    for (int i = 0; i < c->list[kind].n; i++) m->nnames += (mjtSize)strlen(((CmpHead*)c->list[kind].at[i])->name) + 1;
  }
  for (int i = 0; i < cmp_count(c, SPC_HFIELD); i++) m->npaths += pathLength(CMP_AT(c, SPC_HFIELD, CmpHfield, i)->file);
  for (int i = 0; i < cmp_count(c, SPC_MESH); i++) m->npaths += pathLength(CMP_AT(c, SPC_MESH, CmpMesh, i)->file);
  for (int i = 0; i < cmp_count(c, SPC_SKIN); i++) m->npaths += pathLength(CMP_AT(c, SPC_SKIN, CmpSkin, i)->file);
  for (int i = 0; i < cmp_count(c, SPC_TEXTURE); i++)
    m->npaths += pathLength(CMP_AT(c, SPC_TEXTURE, CmpTexture, i)->file);
  if (!m->npaths) m->npaths = 1;
}

void cmp_sizes(Cmp* c, mjModel* m) {
  BAS_ASSERT(c->stage == CMP_RESOLVED);
  memset(m, 0, sizeof(*m));
  m->nbody = cmp_count(c, SPC_BODY);
  m->njnt = cmp_count(c, SPC_JOINT);
  m->ngeom = cmp_count(c, SPC_GEOM);
  m->nsite = cmp_count(c, SPC_SITE);
  m->ncam = cmp_count(c, SPC_CAMERA);
  m->nlight = cmp_count(c, SPC_LIGHT);
  m->nmesh = cmp_count(c, SPC_MESH);
  m->nskin = cmp_count(c, SPC_SKIN);
  m->nhfield = cmp_count(c, SPC_HFIELD);
  m->ntex = cmp_count(c, SPC_TEXTURE);
  m->nmat = cmp_count(c, SPC_MATERIAL);
  m->npair = cmp_count(c, SPC_PAIR);
  m->nexclude = cmp_count(c, SPC_EXCLUDE);
  m->neq = cmp_count(c, SPC_EQUALITY);
  m->ntendon = cmp_count(c, SPC_TENDON);
  m->nu = cmp_count(c, SPC_ACTUATOR);
  m->nsensor = cmp_count(c, SPC_SENSOR);
  m->nnumeric = cmp_count(c, SPC_NUMERIC);
  m->ntext = cmp_count(c, SPC_TEXT);
  m->ntuple = cmp_count(c, SPC_TUPLE);
  m->nkey = cmp_count(c, SPC_KEY);
  m->nplugin = cmp_count(c, SPC_PLUGIN);
  treeSizes(c, m);
  setSimple(c);
  sparseSizes(c, m);
  assetSizes(c, m);
  cmp_flexSizes(c, m);
  m->nbvhstatic += c->nsparebvh;
  m->nbvh = m->nbvhstatic + m->nbvhdynamic;
  objectSizes(c, m);
  textSizes(c, m);

  m->nuser_body = c->s.nuser_body;
  m->nuser_jnt = c->s.nuser_jnt;
  m->nuser_geom = c->s.nuser_geom;
  m->nuser_site = c->s.nuser_site;
  m->nuser_cam = c->s.nuser_cam;
  m->nuser_tendon = c->s.nuser_tendon;
  m->nuser_actuator = c->s.nuser_actuator;
  m->nuser_sensor = c->s.nuser_sensor;
  m->nuserdata = c->s.nuserdata;
  m->njmax = c->s.njmax;
  m->nconmax = c->s.nconmax;
}
