// Bodies: frames, inertia, the free-joint alignment, bounding volume trees. Parents come before their children.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "math/quat.h"

// -------------------------------------------------------------------------------------------- frames

static void resolveFrame(Cmp* c, CmpFrame* frame) {
  if (frame->done) return;
  SpcElement* const e = frame->head.e;
  const char* const error = spc_orient(e, frame->s.quat, &frame->s.alt);
  if (error) cmp_fail(c, e, "orientation specification error '%s' in site %d", error, frame->head.id);
  const CmpFrame* const outer = cmp_frame(c, e);
  if (outer) spc_prepend(outer->s.pos, outer->s.quat, frame->s.pos, frame->s.quat);
  spc_normalize(frame->s.quat, 4);
  frame->done = 1;
}

const CmpFrame* cmp_frame(Cmp* c, const SpcElement* e) {
  if (!e->frame) return NULL;
  CmpFrame* const frame = CMP_AT(c, SPC_FRAME, CmpFrame, e->frame->head.id);
  resolveFrame(c, frame);
  return frame;
}

// -------------------------------------------------------------------------------------------- bounding volumes

// A tree that is built anew keeps the geoms of leaves that became inner nodes: nothing reads them there, but they are
// in the reference's models.
void cmp_bodyBvh(Cmp* c, CmpBody* body) {
  AstLeaf* const leaf = cmp_alloc(c, (size_t)body->geoms.n + 1, sizeof(AstLeaf));
  AstBvh before = body->bvh;
  memset(&body->bvh, 0, sizeof(body->bvh));
  int n = 0;
  for (int i = 0; i < body->geoms.n; i++) {
    const CmpGeom* const geom = body->geoms.at[i];
    if (!geom->s.contype && !geom->s.conaffinity) continue;
    leaf[n++] = (AstLeaf){geom->head.e->id, geom->s.pos, geom->s.quat, geom->aabb};
  }
  const int good = !n || ast_makeBvh(&body->bvh, leaf, n, body->s.ipos, body->s.iquat);
  for (int i = 0; i < before.n && i < body->bvh.n; i++) {
    if (body->bvh.nodeid[i] < 0) body->bvh.nodeid[i] = before.nodeid[i];
  }
  ast_freeBvh(&before);
  if (!good) cmp_fail(c, body->head.e, "out of memory");
}

// -------------------------------------------------------------------------------------------- one body

static void orientBody(Cmp* c, CmpBody* body) {
  mjsBody* const s = &body->s;
  SpcElement* const e = body->head.e;
  spc_normalize(s->quat, 4);
  spc_normalize(s->iquat, 4);
  const char* error = spc_orient(e, s->quat, &s->alt);
  if (error) cmp_fail(c, e, "error '%s' in frame alternative", error);

  // inertial axes: given, alternative, or those of a full inertia
  if (cmp_given(s->fullinertia[0])) {
    if (s->ialt.type != mjORIENTATION_QUAT) {
      cmp_fail(c, e, "fullinertia and inertial orientation cannot both be specified");
    }
    if (s->inertia[0] != 0 || s->inertia[1] != 0 || s->inertia[2] != 0) {
      cmp_fail(c, e, "fullinertia and diagonal inertia cannot both be specified");
    }
    error = cmp_principal(s->iquat, s->inertia, s->fullinertia);
    if (error) cmp_fail(c, e, "error '%s' in fullinertia", error);
  }
  error = spc_orient(e, s->iquat, &s->ialt);
  if (error) cmp_fail(c, e, "error '%s' in inertia alternative", error);
}

static void setInertia(Cmp* c, CmpBody* body) {
  mjsBody* const s = &body->s;
  const mjsCompiler* const settings = spc_compiler(body->head.e);
  const int isWorld = !body->parent;

  // geoms: only those whose mass counts need one
  for (int i = 0; i < body->geoms.n; i++) {
    CmpGeom* const geom = body->geoms.at[i];
    geom->infer = !isWorld && (!s->explicitinertial || settings->inertiafromgeom == mjINERTIAFROMGEOM_TRUE) &&
                  geom->s.group >= settings->inertiagrouprange[0] && geom->s.group <= settings->inertiagrouprange[1];
    cmp_compileGeom(c, geom);
  }
  if (!isWorld && (settings->inertiafromgeom == mjINERTIAFROMGEOM_TRUE ||
                   (!cmp_given(s->ipos[0]) && settings->inertiafromgeom == mjINERTIAFROMGEOM_AUTO))) {
    cmp_bodyFromGeoms(c, body);
  }
  if (!cmp_given(s->ipos[0])) {
    mth_copy3(s->ipos, s->pos);
    memcpy(s->iquat, s->quat, sizeof(s->quat));
  }
  if (!isWorld) cmp_checkInertia(c, body);
}

// 1: the body frame moves to the inertial frame, which makes the free joint's inertia diagonal
static int isAligned(const CmpBody* body) {
  if (body->joints.n != 1 || body->bodies.n) return 0;
  const CmpJoint* const joint = body->joints.at[0];
  if (joint->s.type != mjJNT_FREE) return 0;
  return joint->s.align == mjALIGNFREE_TRUE ||
         (joint->s.align == mjALIGNFREE_AUTO && spc_compiler(body->head.e)->alignfree);
}

static void compileJoints(Cmp* c, CmpBody* body) {
  SpcElement* const e = body->head.e;
  int hasBall = 0;
  for (int i = 0; i < body->joints.n; i++) {
    CmpJoint* const joint = body->joints.at[i];
    cmp_compileJoint(c, joint);
    body->dofnum += cmp_nv(joint);
  }
  if (body->dofnum > 6) cmp_fail(c, e, "more than 6 dofs in body '%s'", body->head.name);
  for (int i = 0; i < body->joints.n; i++) {
    const mjtJoint type = ((const CmpJoint*)body->joints.at[i])->s.type;
    if (hasBall && (type == mjJNT_BALL || type == mjJNT_HINGE)) {
      cmp_fail(c, e, "ball followed by rotation in body '%s'", body->head.name);
    }
    if (type == mjJNT_BALL) hasBall = 1;
  }
  if (body->s.mocap && (body->dofnum || !body->parent || body->parent->parent)) {
    cmp_fail(c, e, "mocap body '%s' is not a fixed child of world", body->head.name);
  }
}

// moves what is attached to a body into another frame of it
static void moveAttached(CmpBody* body, const double pos[3], const double quat[4]) {
  for (int i = 0; i < body->sites.n; i++) {
    CmpSite* const site = body->sites.at[i];
    spc_prepend(pos, quat, site->s.pos, site->s.quat);
  }
  for (int i = 0; i < body->cameras.n; i++) {
    CmpCamera* const camera = body->cameras.at[i];
    spc_prepend(pos, quat, camera->s.pos, camera->s.quat);
  }
  for (int i = 0; i < body->lights.n; i++) {
    CmpLight* const light = body->lights.at[i];
    spc_prependPoint(pos, quat, light->s.pos);
    mth_rotVecQuat(light->s.dir, light->s.dir, quat);
  }
}

static void compileBody(Cmp* c, CmpBody* body) {
  mjsBody* const s = &body->s;
  SpcElement* const e = body->head.e;
  cmp_checkUser(c, e, s->userdata, c->s.nuser_body, "nuser_body in body");
  for (int i = 0; i < body->bodies.n; i++) {
    CmpBody* const child = body->bodies.at[i];
    child->weldid = child->joints.n ? child->head.id : body->weldid;
  }
  orientBody(c, body);
  setInertia(c, body);
  const CmpFrame* const frame = cmp_frame(c, e);
  if (frame) spc_prepend(frame->s.pos, frame->s.quat, s->pos, s->quat);

  // what the body may collide with
  for (int i = 0; i < body->geoms.n; i++) {
    const CmpGeom* const geom = body->geoms.at[i];
    body->contype |= geom->s.contype;
    body->conaffinity |= geom->s.conaffinity;
    body->margin = fmax(body->margin, geom->s.margin);
  }

  // the inertial frame becomes the body frame; geoms follow now, the others once they are compiled
  const int aligned = isAligned(body);
  double pos[3], quat[4];
  if (aligned) {
    spc_append(s->pos, s->quat, s->ipos, s->iquat);
    spc_invert(pos, quat, s->ipos, s->iquat);
    mth_zero3(s->ipos);
    mth_unit4(s->iquat);
    for (int i = 0; i < body->geoms.n; i++) {
      CmpGeom* const geom = body->geoms.at[i];
      spc_prepend(pos, quat, geom->s.pos, geom->s.quat);
    }
  }
  cmp_bodyBvh(c, body);
  compileJoints(c, body);
  for (int i = 0; i < body->sites.n; i++) cmp_compileSite(c, body->sites.at[i]);
  for (int i = 0; i < body->cameras.n; i++) cmp_compileCamera(c, body->cameras.at[i]);
  for (int i = 0; i < body->lights.n; i++) cmp_compileLight(c, body->lights.at[i]);
  body->plugin = cmp_plugin(c, e, &s->plugin, mjPLUGIN_PASSIVE, "passive forces");
  if (aligned) moveAttached(body, pos, quat);
}

void cmp_compileTree(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_ASSETS);
  for (int i = 0; i < cmp_count(c, SPC_BODY); i++) compileBody(c, CMP_AT(c, SPC_BODY, CmpBody, i));
}
