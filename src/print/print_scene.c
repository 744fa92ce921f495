// mj_printScene: a dump of mjvScene as text. Geoms, lights, cameras and the rest are printed from tables of their
// fields.
#include <stddef.h>

#include "print/print.h"

//---------------------------------- fields ------------------------------------------------------------------------

// how a field is printed
typedef enum {
  INT,
  BYTE,
  FLOAT,    // one number
  FLOATS,   // numbers with a space behind each
  STRING,   // characters within the struct
  COUNT,    // pointer to one int per flex or skin
  OMITTED,  // large array: only its name
} Kind;

// a field by its place in its struct
typedef struct {
  const char* name;
  Kind kind;
  size_t offset;
  int n;
} Field;

#define END \
  { NULL, INT, 0, 0 }
#define LENGTH(type, field) ((int)(sizeof(((type*)NULL)->field) / sizeof(float)))
#define ONE(type, kind, field) \
  { #field, kind, offsetof(type, field), 1 }
#define MANY(type, field) \
  { #field, FLOATS, offsetof(type, field), LENGTH(type, field) }
#define PER_OBJECT(name, field) \
  { name, COUNT, offsetof(mjvScene, field), 1 }
#define ONLY_NAME(name) \
  { name, OMITTED, 0, 0 }

static const Field GEOM[] = {
    ONE(mjvGeom, INT, type),
    ONE(mjvGeom, INT, category),
    ONE(mjvGeom, STRING, label),
    ONE(mjvGeom, INT, objtype),
    ONE(mjvGeom, INT, objid),
    MANY(mjvGeom, pos),
    MANY(mjvGeom, mat),
    MANY(mjvGeom, size),
    ONE(mjvGeom, INT, segid),
    ONE(mjvGeom, INT, dataid),
    ONE(mjvGeom, INT, matid),
    ONE(mjvGeom, INT, texcoord),
    MANY(mjvGeom, rgba),
    ONE(mjvGeom, FLOAT, emission),
    ONE(mjvGeom, FLOAT, specular),
    ONE(mjvGeom, FLOAT, shininess),
    ONE(mjvGeom, FLOAT, reflectance),
    END,
};
static const Field LIGHT[] = {
    ONE(mjvLight, INT, id),
    MANY(mjvLight, pos),
    MANY(mjvLight, dir),
    ONE(mjvLight, INT, type),
    ONE(mjvLight, BYTE, castshadow),
    ONE(mjvLight, BYTE, headlight),
    ONE(mjvLight, FLOAT, intensity),
    ONE(mjvLight, FLOAT, range),
    MANY(mjvLight, ambient),
    MANY(mjvLight, diffuse),
    MANY(mjvLight, specular),
    ONE(mjvLight, INT, texid),
    ONE(mjvLight, FLOAT, exponent),
    MANY(mjvLight, attenuation),
    ONE(mjvLight, FLOAT, cutoff),
    ONE(mjvLight, FLOAT, bulbradius),
    END,
};
static const Field CAMERA[] = {
    MANY(mjvGLCamera, pos),
    MANY(mjvGLCamera, forward),
    MANY(mjvGLCamera, up),
    ONE(mjvGLCamera, INT, orthographic),
    ONE(mjvGLCamera, FLOAT, frustum_center),
    ONE(mjvGLCamera, FLOAT, frustum_width),
    ONE(mjvGLCamera, FLOAT, frustum_bottom),
    ONE(mjvGLCamera, FLOAT, frustum_top),
    ONE(mjvGLCamera, FLOAT, frustum_near),
    ONE(mjvGLCamera, FLOAT, frustum_far),
    END,
};
static const Field FLEX[] = {
    PER_OBJECT("face_used", flexfaceused),
    PER_OBJECT("edge_adr", flexedgeadr),
    PER_OBJECT("edge_num", flexedgenum),
    PER_OBJECT("vert_adr", flexvertadr),
    PER_OBJECT("vert_num", flexvertnum),
    PER_OBJECT("face_adr", flexfaceadr),
    PER_OBJECT("face_num", flexfacenum),
    ONLY_NAME("edges"),
    ONLY_NAME("verts"),
    ONLY_NAME("faces"),
    ONLY_NAME("normals"),
    ONLY_NAME("texcoords"),
    END,
};
static const Field SKIN[] = {
    PER_OBJECT("face_num", skinfacenum),
    PER_OBJECT("vert_adr", skinvertadr),
    PER_OBJECT("vert_num", skinvertnum),
    ONLY_NAME("verts"),
    ONLY_NAME("normals"),
    END,
};
static const Field SWITCHES[] = {
    ONE(mjvScene, BYTE, flexvertopt), ONE(mjvScene, BYTE, flexedgeopt), ONE(mjvScene, BYTE, flexfaceopt),
    ONE(mjvScene, BYTE, flexskinopt), ONE(mjvScene, INT, stereo),       END,
};
static const Field TRANSFORM[] = {MANY(mjvScene, translate), MANY(mjvScene, rotate), ONE(mjvScene, FLOAT, scale), END};

//---------------------------------- printing ----------------------------------------------------------------------

static void printField(const PrnPrinter* p, const Field* f, const char* at, int index) {
  const void* const value = at + f->offset;
  switch (f->kind) {
    case INT:
      fprintf(p->file, " %d", *(const int*)value);
      break;
    case BYTE:
      fprintf(p->file, " %d", *(const mjtByte*)value);
      break;
    case COUNT:
      fprintf(p->file, " %d", (*(int* const*)value)[index]);
      break;
    case FLOAT:
      prn_number(p, *(const float*)value);
      break;
    case FLOATS:
      for (int i = 0; i < f->n; i++) {
        prn_number(p, ((const float*)value)[i]);
        fputc(' ', p->file);
      }
      break;
    case STRING:
      fputs(value, p->file);
      break;
    case OMITTED:
      fputs("...", p->file);
      break;
  }
}

// fields of a struct, one line each; index: flex or skin for counts
static void printFields(const PrnPrinter* p, const char* indent, const Field* fields, const void* at, int index) {
  for (const Field* f = fields; f->name; f++) {
    char label[40];
    snprintf(label, sizeof(label), "%s%s", indent, f->name);
    fprintf(p->file, "%-21s", label);
    printField(p, f, at, index);
    fputc('\n', p->file);
  }
}

// a list of structs, stride bytes apart; 0: one struct of arrays
typedef struct {
  const char *plural, *singular;
  const Field* fields;
  const void* first;
  size_t stride;
  int n;
} List;

static void printList(const PrnPrinter* p, const List* list) {
  fprintf(p->file, "%s %d\n", list->plural, list->n);
  for (int i = 0; i < list->n; i++) {
    fprintf(p->file, "  %s %d\n", list->singular, i);
    printFields(p, "    ", list->fields, (const char*)list->first + (size_t)i * list->stride, i);
    fputc('\n', p->file);
  }
  fputc('\n', p->file);
}

void mj_printFormattedScene(const mjvScene* s, const char* filename, const char* float_format) {
  PrnPrinter p;
  if (!prn_start(&p, filename, float_format)) return;
  const List lists[] = {
      {"GEOMS",     "GEOM",      GEOM,   s->geoms,  sizeof(mjvGeom),     s->ngeom },
      {"LIGHTS",    "LIGHT",     LIGHT,  s->lights, sizeof(mjvLight),    s->nlight},
      {"CAMERAS",   "CAMERA",    CAMERA, s->camera, sizeof(mjvGLCamera), 2        },
      {"FLEX DATA", "FLEX DATA", FLEX,   s,         0,                   s->nflex },
      {"SKIN DATA", "SKIN DATA", SKIN,   s,         0,                   s->nskin },
  };
  for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) printList(&p, lists + k);

  fputs("FLAGS\n", p.file);
  for (int i = 0; i < mjNRNDFLAG; i++) fprintf(p.file, "  %-21s %d\n", mjRNDSTRING[i][0], s->flags[i]);
  printFields(&p, "  ", SWITCHES, s, 0);
  fputs("\n\n", p.file);

  fprintf(p.file, "TRANSFORM %d\n", s->enabletransform);
  if (s->enabletransform) {
    printFields(&p, "  ", TRANSFORM, s, 0);
    fputc('\n', p.file);
  }
  fputc('\n', p.file);
  prn_end(&p);
}

void mj_printScene(const mjvScene* s, const char* filename) {
  mj_printFormattedScene(s, filename, "% -9.2g");
}
