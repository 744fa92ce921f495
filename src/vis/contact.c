// Contacts, and the sensors that show where things touch or how far they are: tactile skins and rangefinders.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec.h"
#include "sensor/sensor.h"
#include "vis/vis.h"

// width of lines, in pixels
#define LINE_WIDTH 3
// part of a contact's label that one of the two may take
#define SIDE_LABEL 48
// contact frames are half as large as others
#define CONTACT_FRAME 0.5
// points of rangefinders, in widths of a frame's axis
#define SITE_POINT   1.5
#define CAMERA_POINT 1.3
// normals of rangefinders, in lengths of a frame's axis
#define NORMAL_LENGTH 2
// triangles of a tactile sensor that feel nothing
#define IDLE_ALPHA 0.1f

//---------------------------------- contacts ----------------------------------------------------------------------

// name of one of the two that touch: a geom, or an element or vertex of a flex
static void sideLabel(const mjModel* m, const mjContact* con, int side, char label[SIDE_LABEL]) {
  const int geom = con->geom[side], flex = con->flex[side];
  char name[SIDE_LABEL];
  const char* const given = mj_id2name(m, geom >= 0 ? mjOBJ_GEOM : mjOBJ_FLEX, geom >= 0 ? geom : flex);
  if (given) {
    snprintf(name, sizeof(name), "%s", given);
  } else {
    snprintf(name, sizeof(name), geom >= 0 ? "g%d" : "f%d", geom >= 0 ? geom : flex);
  }
  snprintf(label, SIDE_LABEL, "%s", name);
  if (geom >= 0) return;
  const int element = con->elem[side] >= 0;
  const size_t used = strlen(label);
  snprintf(label + used, SIDE_LABEL - used, element ? ".e%d" : ".v%d", element ? con->elem[side] : con->vert[side]);
}

// a disc in the plane of contact, as thick as the penetration
static void addPoint(const VisView* v, int i) {
  const mjModel* const m = v->m;
  const mjData* const d = v->d;
  const mjContact* const con = d->contact + i;
  const VisTag tag = {mjOBJ_UNKNOWN, i, mjCAT_DECOR, mjLABEL_NONE};
  const float height = (float)(m->vis.scale.contactheight * m->stat.meansize);
  const mjtNum size[2] = {m->vis.scale.contactwidth * m->stat.meansize, fmaxf(height, (float)(-con->dist / 2))};

  // frame with z along the normal
  mjtNum axes[9], mat[9];
  memcpy(axes, con->frame + 3, 6 * sizeof(mjtNum));
  mth_copy3(axes + 6, con->frame);
  mth_transpose3(mat, axes);

  // excluded contacts have a colour of their own; included ones may have that of their island
  const int row = con->efc_address;
  const mjtNum full[3] = {size[0], size[1], 0};
  const VisShape shape = {mjGEOM_CYLINDER, full, con->pos, mat,
                          row >= 0 ? m->vis.rgba.contactpoint : m->vis.rgba.contactgap};
  mjvGeom* const geom = vis_addShape(v, &tag, &shape);
  if (!geom) return;
  if (v->opt->flags[mjVIS_ISLAND] && row >= 0) {
    vis_islandColour(geom->rgba, d->nisland > 0 ? d->island_dofadr[d->efc_island[row]] : -1, 1);
  }
  if (v->opt->label != mjLABEL_CONTACTPOINT) return;
  char label[2][SIDE_LABEL];
  for (int side = 0; side < 2; side++) sideLabel(m, con, side, label[side]);
  snprintf(geom->label, sizeof(geom->label), "%s | %s", label[0], label[1]);
}

// body or flex on one side of a contact, flexes counted behind the bodies
static int sideOwner(const mjModel* m, const mjContact* con, int side) {
  return con->geom[side] >= 0 ? m->geom_bodyid[con->geom[side]] : (int)m->nbody + con->flex[side];
}

// the force on the side of larger number; split: its normal and friction parts as two arrows
static void addForce(const VisView* v, int i) {
  const mjModel* const m = v->m;
  const mjContact* const con = v->d->contact + i;
  mjtNum force[6], mat[9];
  mj_contactForce(m, v->d, i, force);
  for (int k = con->dim; k < 3; k++) force[k] = 0;
  const mjtNum size = mth_norm3(force);
  if (size < mjMINVAL) return;
  mth_transpose3(mat, con->frame);
  const int split = v->opt->flags[mjVIS_CONTACTSPLIT] && con->dim > 1;
  const int owner[2] = {sideOwner(m, con, 0), sideOwner(m, con, 1)};
  const mjtNum scale = m->vis.map.force / m->stat.meanmass * (owner[0] > owner[1] ? -1 : 1);

  // two heads where both sides may move
  const int type = owner[0] > 0 && owner[1] > 0 && !split ? mjGEOM_ARROW2 : mjGEOM_ARROW;
  const VisTag tag = {mjOBJ_UNKNOWN, i, mjCAT_DECOR, mjLABEL_NONE};
  for (int part = 0; part < 1 + split; part++) {
    const int normal = !split || part == 0, friction = !split || part == 1;
    const mjtNum local[3] = {normal ? force[0] : 0, friction ? force[1] : 0, friction ? force[2] : 0};
    mjtNum to[3];
    mth_mulMatVec3(to, mat, local);
    mth_scl3(to, to, scale);
    mth_addTo3(to, con->pos);
    const float* const rgba = part == 1 ? m->vis.rgba.contactfriction : m->vis.rgba.contactforce;
    const VisLink link = {type, m->vis.scale.forcewidth * m->stat.meansize, con->pos, to, rgba};
    mjvGeom* const geom = vis_addLink(v, &tag, &link);
    if (geom && part == 0 && v->opt->label == mjLABEL_CONTACTFORCE) {
      snprintf(geom->label, sizeof(geom->label), "%-.3g", size);
    }
  }
}

void vis_addContacts(const VisView* v) {
  const mjtByte* const flags = v->opt->flags;
  const int frames = v->opt->frame == mjFRAME_CONTACT;
  if (!flags[mjVIS_CONTACTPOINT] && !flags[mjVIS_CONTACTFORCE] && !frames) return;
  for (int i = 0; i < v->d->ncon; i++) {
    const mjContact* const con = v->d->contact + i;
    if (flags[mjVIS_CONTACTPOINT]) addPoint(v, i);
    if (frames) {
      mjtNum mat[9];
      mth_transpose3(mat, con->frame);
      vis_addFrame(v, i, con->pos, mat, CONTACT_FRAME);
    }
    if (flags[mjVIS_CONTACTFORCE] && con->efc_address >= 0) addForce(v, i);
  }
}

//---------------------------------- tactile sensors ---------------------------------------------------------------

// colour of a face: its three channels are the mean of what its vertices feel, relative to the largest reading
static void touchColour(const mjtNum* reading, int nvert, int nchannel, mjtNum largest, const int face[3],
                        float rgba[4]) {
  memset(rgba, 0, 3 * sizeof(float));
  rgba[3] = 1;
  for (int c = 0; c < mth_minInt(nchannel, 3); c++) {
    int touched = 0;
    for (int j = 0; j < 3; j++) {
      const mjtNum value = reading[c * nvert + face[j]];
      rgba[c] = (float)(rgba[c] + fabs(value) / largest);
      touched += value != 0;
    }
    if (touched) rgba[c] /= (float)touched;
  }
  if (rgba[0] == 0 && rgba[1] == 0 && rgba[2] == 0) rgba[3] = IDLE_ALPHA;
}

static void addTactile(const VisView* v, int id) {
  const mjModel* const m = v->m;
  const int mesh = m->sensor_objid[id], geom = m->sensor_refid[id], nvert = m->mesh_vertnum[mesh];
  const mjtNum* const reading = v->d->sensordata + m->sensor_adr[id];
  const VisTag tag = {mjOBJ_SENSOR, id, mjCAT_DECOR, mjLABEL_NONE};
  mjtNum largest = 0;
  for (int j = 0; j < nvert; j++) largest = mth_max(largest, fabs(reading[j]));
  if (largest == 0 || m->geom_rbound[geom] < mjMINVAL) return;
  for (int f = 0; f < m->mesh_facenum[mesh]; f++) {
    const int* const face = m->mesh_face + 3 * (m->mesh_faceadr[mesh] + f);
    mjtNum corner[3][3];
    for (int j = 0; j < 3; j++) {
      mjtNum vert[3];
      mju_f2n(vert, m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + face[j]), 3);
      mth_mulMatVec3(corner[j], v->d->geom_xmat + 9 * geom, vert);
      mth_addTo3(corner[j], v->d->geom_xpos + 3 * geom);
    }
    float rgba[4];
    touchColour(reading, nvert, m->sensor_dim[id] / nvert, largest, face, rgba);
    vis_addTriangle(v, &tag, corner, rgba);
  }
}

void vis_addTactiles(const VisView* v) {
  for (int id = 0; id < v->m->nsensor; id++) {
    if (v->m->sensor_type[id] == mjSENS_TACTILE) addTactile(v, id);
  }
}

//---------------------------------- rangefinders ------------------------------------------------------------------

// where a reading keeps its fields, -1 for those it lacks
typedef struct {
  int at[mjNRAYDATA];
  int size;
} Fields;

static Fields fieldsOf(int dataspec) {
  static const int SIZE[mjNRAYDATA] = {[mjRAYDATA_DIST] = 1,  [mjRAYDATA_DIR] = 3,    [mjRAYDATA_ORIGIN] = 3,
                                       [mjRAYDATA_POINT] = 3, [mjRAYDATA_NORMAL] = 3, [mjRAYDATA_DEPTH] = 1};
  Fields fields = {.size = 0};
  for (int k = 0; k < mjNRAYDATA; k++) {
    const int present = dataspec >> k & 1;
    fields.at[k] = present ? fields.size : -1;
    fields.size += present ? SIZE[k] : 0;
  }
  return fields;
}

// one reading: a line to what was hit, the point and the normal there, as far as the sensor gives them
static void addRay(const VisView* v, int id, const Fields* fields, const mjtNum* reading, const mjtNum ray[2][3]) {
  const mjModel* const m = v->m;
  const VisTag tag = {mjOBJ_SENSOR, id, mjCAT_DECOR, mjLABEL_NONE};
  const float *const rgba = m->vis.rgba.rangefinder, width = m->vis.scale.framewidth * v->unit;
  const mjtNum distance = fields->at[mjRAYDATA_DIST] >= 0 ? reading[fields->at[mjRAYDATA_DIST]] : -1;
  mjtNum point[3] = {0, 0, 0};
  if (distance >= 0) {
    mth_addScl3(point, ray[0], ray[1], distance);
    vis_addLink(v, &tag, &(VisLink){mjGEOM_LINE, LINE_WIDTH, ray[0], point, rgba});
  }
  const mjtNum* const hit = fields->at[mjRAYDATA_POINT] >= 0 ? reading + fields->at[mjRAYDATA_POINT] : NULL;
  if (hit && !mju_isZero(hit, 3)) {
    const int site = m->sensor_objtype[id] == mjOBJ_SITE;
    const mjtNum size[3] = {(site ? SITE_POINT : CAMERA_POINT) * width};
    mth_copy3(point, hit);
    vis_addShape(v, &tag, &(VisShape){mjGEOM_SPHERE, size, point, NULL, rgba});
  }
  if (fields->at[mjRAYDATA_NORMAL] < 0 || (distance < 0 && mju_isZero(point, 3))) return;
  mjtNum tip[3];
  mth_addScl3(tip, point, reading + fields->at[mjRAYDATA_NORMAL],
              NORMAL_LENGTH * (mjtNum)(m->vis.scale.framelength * v->unit));
  vis_addLink(v, &tag, &(VisLink){mjGEOM_ARROW1, width, point, tip, rgba});
}

static void addRangefinder(const VisView* v, int id) {
  const mjModel* const m = v->m;
  const int object = m->sensor_objid[id];
  const Fields fields = fieldsOf(m->sensor_intprm[id * mjNSENS]);
  const mjtNum* const reading = v->d->sensordata + m->sensor_adr[id];
  mjtNum ray[2][3];
  if (m->sensor_objtype[id] == mjOBJ_SITE) {
    mth_copy3(ray[0], v->d->site_xpos + 3 * object);
    mth_col3(ray[1], v->d->site_xmat + 9 * object, 2);
    addRay(v, id, &fields, reading, ray);
  } else if (m->sensor_objtype[id] == mjOBJ_CAMERA) {
    const int width = m->cam_resolution[2 * object], n = width * m->cam_resolution[2 * object + 1];
    for (int i = 0; i < n; i++) {
      const int pixel[2] = {i % width, i / width};
      sen_pixelRay(m, v->d, object, pixel, ray[0], ray[1]);
      addRay(v, id, &fields, reading + i * fields.size, ray);
    }
  }
}

void vis_addRanges(const VisView* v) {
  const mjModel* const m = v->m;
  for (int i = 0; i < m->nsensor; i++) {
    const mjtNum* const fromto = v->d->sensordata + m->sensor_adr[i];
    if (m->sensor_type[i] == mjSENS_RANGEFINDER) {
      addRangefinder(v, i);
    } else if (m->sensor_type[i] == mjSENS_GEOMFROMTO && !mju_isZero(fromto, 6)) {
      const VisTag tag = {mjOBJ_SENSOR, i, mjCAT_DECOR, mjLABEL_NONE};
      vis_addLink(v, &tag, &(VisLink){mjGEOM_LINE, LINE_WIDTH, fromto, fromto + 3, m->vis.rgba.rangefinder});
    }
  }
}
