// MJCF or URDF text through everything that reads, edits, compiles and writes it: the result is a model or a message.
// What is accepted is copied, attached, replanted, saved and read again; the seeds are the models of the tests.
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

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
  mju_user_warning = fuzzIgnore;

  // the last byte chooses what is done with the model
  char* xml = malloc(size);
  memcpy(xml, data, size - 1);
  xml[size - 1] = 0;
  char error[1000];
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  free(xml);
  if (!s) return 0;
  if (fuzzIsSmall(s)) {
    mjSpec* copy = mj_copySpec(s);
    compileAndSave(s);
    edit(copy, data[size - 1]);
    if (fuzzIsSmall(copy)) compileAndSave(copy);
    mj_deleteSpec(copy);
  }
  mj_deleteSpec(s);
  return 0;
}
