// Signatures: see signature.h. The text of the tags is that of the reference, since programs store what it says.
#include "spec/signature.h"

#include <stdio.h>

enum { DEPTH = 1024 };

static void feed(uint64_t* hash, const char* text) {
  for (; *text; text++) *hash = (*hash * 33) ^ (uint64_t)*text;
}

static void feedIndented(uint64_t* hash, int depth, const char* text) {
  for (int i = 0; i < depth; i++) feed(hash, "  ");
  feed(hash, text);
}

// 0: too deep
static int feedBody(const SpcView* view, uint64_t* hash, const void* body, int depth) {
  static const struct {
    SpcKindId kind;
    const char* tag;
  } leaves[] = {
      {SPC_GEOM,   "<geom/>\n"  },
      {SPC_SITE,   "<site/>\n"  },
      {SPC_CAMERA, "<camera/>\n"},
      {SPC_LIGHT,  "<light/>\n" }
  };
  if (depth == DEPTH) return 0;
  feedIndented(hash, depth, "<body>\n");
  for (int i = 0; i < view->count(body, SPC_JOINT); i++) {
    char text[40];
    snprintf(text, sizeof(text), "<joint>%d</joint>\n", view->jointSize(body, i));
    feedIndented(hash, depth + 1, text);
  }
  for (size_t k = 0; k < sizeof(leaves) / sizeof(leaves[0]); k++) {
    for (int i = 0; i < view->count(body, leaves[k].kind); i++) feedIndented(hash, depth + 1, leaves[k].tag);
  }
  int shallow = 1;
  for (int i = 0; shallow && i < view->count(body, SPC_BODY); i++) {
    shallow = feedBody(view, hash, view->child(body, i), depth + 1);
  }
  feedIndented(hash, depth, "</body>\n");
  return shallow;
}

uint64_t spc_signatureOf(const SpcView* view) {
  static const struct {
    SpcKindId kind;
    const char* tag;
  } lists[] = {
      {SPC_FLEX,     "<flex/>\n"       },
      {SPC_MESH,     "<mesh/>\n"       },
      {SPC_SKIN,     "<skin/>\n"       },
      {SPC_HFIELD,   "<heightfield/>\n"},
      {SPC_TEXTURE,  "<texture/>\n"    },
      {SPC_MATERIAL, "<material/>\n"   },
      {SPC_PAIR,     "<pair/>\n"       },
      {SPC_EXCLUDE,  "<exclude/>\n"    },
      {SPC_EQUALITY, "<equality/>\n"   },
      {SPC_TENDON,   "<tendon/>\n"     },
      {SPC_ACTUATOR, "<actuator/>\n"   }
  };
  uint64_t hash = 5381;
  feed(&hash, "\n");
  if (!feedBody(view, &hash, view->world, 0)) return 0;
  for (size_t t = 0; t < sizeof(lists) / sizeof(lists[0]); t++) {
    // the first equality does not count
    const int count = view->listed(view->model, lists[t].kind);
    for (int i = lists[t].kind == SPC_EQUALITY; i < count; i++) feed(&hash, lists[t].tag);
  }
  for (int i = 0; i < view->listed(view->model, SPC_SENSOR); i++) {
    char text[60];
    snprintf(text, sizeof(text), "<sensor>%d<sensor/>\n", view->sensorType(view->model, i));
    feed(&hash, text);
  }
  for (int i = 0; i < view->listed(view->model, SPC_KEY); i++) feed(&hash, "<key/>\n");
  return hash % UINT64_MAX;
}

// -------------------------------------------------------------------------------------------- of an mjSpec

static int listed(const void* model, SpcKindId kind) {
  return ((const SpcModel*)model)->list[kind].count;
}

static int sensorType(const void* model, int i) {
  return ((const mjsSensor*)((const SpcModel*)model)->list[SPC_SENSOR].at[i]->spec)->type;
}

static int count(const void* body, SpcKindId kind) {
  return ((const SpcBody*)body)->child[kind].count;
}

static int jointSize(const void* body, int i) {
  const mjtJoint type = ((const mjsJoint*)((const SpcBody*)body)->child[SPC_JOINT].at[i]->spec)->type;
  return type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
}

static const void* child(const void* body, int i) {
  return ((const SpcBody*)body)->child[SPC_BODY].at[i];
}

void spc_sign(SpcModel* model) {
  const SpcView view = {model, listed, sensorType, model->world, count, jointSize, child};
  model->head.base.signature = spc_signatureOf(&view);
}

void spc_changed(SpcModel* model) {
  model->edited = 1;
  if (model->head.base.signature) spc_sign(model);
}
