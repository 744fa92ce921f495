// MJCF or URDF text through everything that reads, edits, compiles and writes it: the result is a model or a message.
// What is accepted is copied, attached, replanted, saved and read again; the seeds are the models of the tests.
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { MOST = 1 << 22 };  // pixels, cells and bytes that one element may ask for here: more is slow, not wrong

static void ignore(const char* message) {
  (void)message;
}

// 1: no element asks for more work than a few bytes of text should be given
static int isSmall(mjSpec* s) {
  if (s->memory > MOST || s->nuserdata > MOST || s->nkey > 1000 || s->nconmax > 10000 || s->njmax > 10000) return 0;
  long long total = 0;
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_TEXTURE); e; e = mjs_nextElement(s, e)) {
    const mjsTexture* t = mjs_asTexture(e);
    if (t->width > MOST || t->height > MOST || t->width < 0 || t->height < 0) return 0;
    total += 6LL * t->width * t->height;
  }
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_HFIELD); e; e = mjs_nextElement(s, e)) {
    const mjsHField* h = mjs_asHField(e);
    if (h->nrow > MOST || h->ncol > MOST || h->nrow < 0 || h->ncol < 0) return 0;
    total += (long long)h->nrow * h->ncol;
  }
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_SENSOR); e; e = mjs_nextElement(s, e)) {
    const mjsSensor* sensor = mjs_asSensor(e);
    if (sensor->nsample > 1000 || sensor->dim > 1000 || sensor->intprm[2] > 1000) return 0;
  }
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_ACTUATOR); e; e = mjs_nextElement(s, e)) {
    const mjsActuator* actuator = mjs_asActuator(e);
    if (actuator->nsample > 1000 || actuator->actdim > 1000) return 0;
  }
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_CAMERA); e; e = mjs_nextElement(s, e)) {
    const mjsCamera* camera = mjs_asCamera(e);
    if ((long long)camera->resolution[0] * camera->resolution[1] > 1000) return 0;
  }
  int elements = 0;
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_BODY); e; e = mjs_nextElement(s, e)) elements++;
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_GEOM); e; e = mjs_nextElement(s, e)) elements++;
  return total <= MOST && elements < 300;
}

static void compileAndSave(mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  if (!m) return;
  enum { ROOM = 1 << 20 };
  char* text = malloc(ROOM);
  char error[1000] = "";
  if (mj_saveXMLString(s, text, ROOM, error, sizeof(error)) == 0) {
    // what was written can be read, and gives a model of the same size
    mjSpec* again = mj_parseXMLString(text, NULL, error, sizeof(error));
    if (!again) __builtin_trap();
    mjModel* other = mj_compile(again, NULL);
    if (other && (other->nbody != m->nbody || other->nq != m->nq || other->nsensor != m->nsensor)) __builtin_trap();
    mj_deleteModel(other);
    mj_deleteSpec(again);
  }
  free(text);
  mj_deleteModel(m);
}

// one edit, chosen by a byte of the input
static void edit(mjSpec* s, uint8_t choice) {
  mjsBody* world = mjs_findBody(s, "world");
  mjsElement* first = mjs_firstChild(world, mjOBJ_BODY, 0);
  switch (choice % 6) {
    case 0:
      if (first) mjs_delete(s, first);
      break;
    case 1: {
      mjsBody* body = mjs_asBody(first);
      if (body) mjs_bodyToFrame(&body);
      break;
    }
    case 2: {
      mjsFrame* frame = mjs_addFrame(world, NULL);
      if (first) mjs_attach(frame->element, first, "copy-", "");
      break;
    }
    case 3: {
      // a copy of the model goes into itself, moved or copied
      mjSpec* child = mj_copySpec(s);
      mjs_setDeepCopy(s, choice & 64);
      mjs_attach(mjs_addFrame(world, NULL)->element, child->element, "child-", "");
      mj_deleteSpec(child);
      break;
    }
    case 4: {
      mjsElement* e = mjs_firstElement(s, choice & 64 ? mjOBJ_GEOM : mjOBJ_JOINT);
      if (e) mjs_delete(s, e);
      break;
    }
    default: {
      mjsElement* frame = mjs_firstElement(s, mjOBJ_FRAME);
      if (frame) mjs_delete(s, frame);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!size || size > 20000) return 0;
  mju_user_warning = ignore;

  // the last byte chooses what is done with the model
  char* xml = malloc(size);
  memcpy(xml, data, size - 1);
  xml[size - 1] = 0;
  char error[1000];
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  free(xml);
  if (!s) return 0;
  if (isSmall(s)) {
    mjSpec* copy = mj_copySpec(s);
    compileAndSave(s);
    edit(copy, data[size - 1]);
    if (isSmall(copy)) compileAndSave(copy);
    mj_deleteSpec(copy);
  }
  mj_deleteSpec(s);
  return 0;
}
