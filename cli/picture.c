// `sinew picture`: draws a model without a display.
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "run.h"
#include "support/cli.h"
#include "support/json.h"

typedef struct {
  double time, every;  // every NAN: not given
  int frames;          // -1: one picture, not numbered
  int depth, segment, quiet, json;
  const char *key, *camera, *size, *out;
  CliList ctrl, show;
} Options;

// All that the command holds, so that it is released in one place.
typedef struct {
  Options o;
  CliList words;
  CliModel model;
  mjData* d;
  RunControl control;
  PicEasel easel;
  int steps;     // done
  char** files;  // written
  int nfile;
} Picture;

// -------------------------------------------------------------------------------------------- checks

static int checkOptions(Picture* p) {
  const Options* const o = &p->o;
  if (p->words.n > 1)
    return cli_fail(CLI_USAGE, "one model at a time, not '%s' and '%s'", p->words.at[0], p->words.at[1]);
  if (o->depth && o->segment) return cli_fail(CLI_USAGE, "--depth and --segment contradict each other: give one");
  if (o->json && o->quiet) return cli_fail(CLI_USAGE, "--json and --quiet contradict each other: give one");
  if (o->time < 0) return cli_fail(CLI_USAGE, "--time must not be negative");
  if (o->frames == 0) return cli_fail(CLI_USAGE, "--frames must be at least 1");
  if (!isnan(o->every) && o->frames < 0) return cli_fail(CLI_USAGE, "--every goes with --frames");
  if (o->every <= 0) return cli_fail(CLI_USAGE, "--every must be positive");
  if (strcmp(o->out, "-") == 0) {
    if (o->json) return cli_fail(CLI_USAGE, "--json and a file named '-' both want standard output");
    if (isatty(STDOUT_FILENO)) return cli_fail(CLI_USAGE, "--out -: a terminal does not show pictures, use a pipe");
  } else if (!cli_hasSuffix(o->out, ".png")) {
    return cli_fail(CLI_USAGE, "--out %s: the name of a picture ends in .png", o->out);
  }
  p->easel.kind = o->depth ? PIC_DEPTH : o->segment ? PIC_SEGMENT : PIC_COLOUR;
  return cli_readSize(o->size, &p->easel.width, &p->easel.height);
}

// -------------------------------------------------------------------------------------------- preparation

// the file of picture number i: out-0001.png and so on where there are several
static char* pathOf(const Options* o, int i) {
  if (o->frames < 0 || strcmp(o->out, "-") == 0) return strdup(o->out);
  char* path = NULL;
  const int stem = (int)(strlen(o->out) - strlen(".png"));
  if (asprintf(&path, "%.*s-%04d%s", stem, o->out, i + 1, o->out + stem) < 0) exit(cli_fail(CLI_FAILED, "no memory"));
  return path;
}

static int prepare(Picture* p) {
  const Options* const o = &p->o;
  int status = cli_loadModel(p->words.n ? p->words.at[0] : NULL, &p->model);
  if (status != CLI_OK) return status;
  const mjModel* const m = p->model.m;
  if ((o->time + fmax(o->frames, 0) * o->every) / m->opt.timestep > 2e9) {
    return cli_fail(CLI_USAGE, "too many steps of %g s", m->opt.timestep);
  }
  p->d = mj_makeData(m);
  if (!p->d) return cli_fail(CLI_FAILED, "no memory for the data of the model");
  status = cli_resetTo(m, p->d, o->key);
  if (status == CLI_OK) status = run_readControl(&p->control, m, &o->ctrl);
  if (status != CLI_OK) return status;
  pic_start(&p->easel, m);
  if (o->camera) status = pic_setCamera(&p->easel, o->camera);
  for (int i = 0; i < o->show.n && status == CLI_OK; i++) status = pic_show(&p->easel, o->show.at[i]);
  if (status != CLI_OK) return status;
  char* const first = pathOf(o, 0);
  status = cli_checkWritable(first);
  free(first);
  return status == CLI_OK ? pic_connect(&p->easel) : status;
}

// -------------------------------------------------------------------------------------------- motion

// steps until a time after the start
static int advance(Picture* p, double time) {
  const mjModel* const m = p->model.m;
  const int steps = (int)ceil(time / m->opt.timestep - 1e-9);
  char message[512];
  for (; p->steps < steps; p->steps++) {
    if (cli_interrupted()) return CLI_INTERRUPTED;
    run_applyControl(&p->control, m, p->d, p->steps);
    if (sn_step(m, p->d, message, sizeof(message)) == SN_ERROR ||
        cli_unstable(m, p->d, p->d->time, message, sizeof(message))) {
      return cli_fail(CLI_FAILED, "%s", message);
    }
  }
  return cli_interrupted() ? CLI_INTERRUPTED : CLI_OK;
}

static int drawAll(Picture* p) {
  const Options* const o = &p->o;
  const int frames = o->frames < 0 ? 1 : o->frames;
  cli_catchInterrupt();
  int code = CLI_OK;
  for (int i = 0; i < frames && code == CLI_OK; i++) {
    code = advance(p, o->time + i * o->every);
    if (code != CLI_OK) break;
    run_applyControl(&p->control, p->model.m, p->d, p->steps);
    code = pic_draw(&p->easel, p->d);
    if (code != CLI_OK) break;
    size_t size = 0;
    unsigned char* const bytes = cli_encodePng(&p->easel.image, &size);
    p->files = cli_resize(p->files, (size_t)p->nfile + 1, sizeof(*p->files));
    p->files[p->nfile] = pathOf(o, i);
    code = cli_writeFile(p->files[p->nfile++], bytes, size);
    free(bytes);
  }
  return code;
}

// -------------------------------------------------------------------------------------------- report

static const char* cameraName(const Picture* p, char text[CLI_NAME_SIZE]) {
  const mjvCamera* const camera = &p->easel.camera;
  return camera->type == mjCAMERA_FIXED ? cli_nameOf(p->model.m, mjOBJ_CAMERA, camera->fixedcamid, text) : "free";
}

static void printText(const Picture* p) {
  // standard output belongs to the picture where it goes there
  const int piped = strcmp(p->o.out, "-") == 0;
  FILE* const out = piped ? stderr : stdout;
  const CliStyle* const style = cli_style(out);
  char text[CLI_NAME_SIZE];
  fprintf(out, "%s%s%s: %d x %d pixels by %s, camera '%s', at %.6g s\n", style->bold, p->model.name, style->reset,
          p->easel.width, p->easel.height, p->easel.screen.name, cameraName(p, text), p->d->time);
  if (p->easel.kind == PIC_DEPTH && p->easel.nearest > 0) {
    fprintf(out, "  %swhite%s      %.4g m from the camera; half as bright is twice as far\n", style->bold, style->reset,
            p->easel.nearest);
  }
  if (piped) return;
  fprintf(out, "  %swrote%s      %s", style->bold, style->reset, p->files[0]);
  if (p->nfile > 1) fprintf(out, " to %s", p->files[p->nfile - 1]);
  fputc('\n', out);
}

static void printJson(const Picture* p) {
  static const char* const kinds[] = {"colour", "depth", "segment"};
  const PicEasel* const easel = &p->easel;
  CliJson json = {.file = stdout};
  char text[CLI_NAME_SIZE];
  cli_jsonOpen(&json, NULL, '{');
  cli_jsonText(&json, "model", p->model.name);
  cli_jsonText(&json, "kind", kinds[easel->kind]);
  cli_jsonText(&json, "camera", cameraName(p, text));
  cli_jsonCount(&json, "width", easel->width);
  cli_jsonCount(&json, "height", easel->height);
  cli_jsonNumber(&json, "time", p->d->time);
  cli_jsonCount(&json, "steps", p->steps);
  cli_jsonText(&json, "drawn_by", easel->screen.name);
  if (easel->kind == PIC_DEPTH) cli_jsonNumber(&json, "white_distance", easel->nearest > 0 ? easel->nearest : NAN);
  if (easel->kind == PIC_SEGMENT) {
    cli_jsonOpen(&json, "objects", '[');
    for (int i = 0; i < easel->nobject; i++) {
      const PicObject* const object = easel->object + i;
      if (!object->npixel) continue;
      char colour[8];
      snprintf(colour, sizeof(colour), "#%02x%02x%02x", object->rgb[0], object->rgb[1], object->rgb[2]);
      cli_jsonOpen(&json, NULL, '{');
      cli_jsonText(&json, "colour", colour);
      cli_jsonText(&json, "type", object->id < 0 ? "decoration" : mju_type2Str(object->type));
      if (object->id >= 0) cli_jsonCount(&json, "id", object->id);
      if (object->id >= 0) cli_jsonText(&json, "name", cli_nameOf(p->model.m, object->type, object->id, text));
      cli_jsonCount(&json, "pixels", object->npixel);
      cli_jsonClose(&json, '}');
    }
    cli_jsonClose(&json, ']');
  }
  cli_jsonOpen(&json, "files", '[');
  for (int i = 0; i < p->nfile; i++) cli_jsonText(&json, NULL, p->files[i]);
  cli_jsonClose(&json, ']');
  cli_jsonClose(&json, '}');
}

static void release(Picture* p) {
  pic_free(&p->easel);
  run_freeControl(&p->control);
  mj_deleteData(p->d);
  cli_freeModel(&p->model);
  for (int i = 0; i < p->nfile; i++) free(p->files[i]);
  free(p->files);
  cli_freeOptions(&cmd_picture, &p->o, &p->words);
}

static int pictureMain(int argc, char** argv) {
  Picture* const p = cli_zeroed(1, sizeof(*p));
  p->o = (Options){.every = NAN, .frames = -1, .size = "640x480", .out = "picture.png"};
  int code = cli_parse(&cmd_picture, argc, argv, &p->o, &p->words);
  if (code == CLI_PROCEED) {
    code = checkOptions(p);
    if (isnan(p->o.every)) p->o.every = 0.04;
    if (code == CLI_OK) code = prepare(p);
    if (code == CLI_OK) code = drawAll(p);
    if (code == CLI_OK && p->o.json) printJson(p);
    if (code == CLI_OK && !p->o.json && !p->o.quiet) printText(p);
    release(p);
  }
  free(p);
  return code;
}

// -------------------------------------------------------------------------------------------- options

// aligned columns would be wider than the page
// clang-format off
#define AT(member) offsetof(Options, member)
static const CliOption options[] = {
    {"out", 'o', CLI_TEXT, AT(out), "FILE.png", "the picture (default picture.png); '-' is standard output"},
    {"size", 's', CLI_TEXT, AT(size), "WxH", "pixels (default 640x480)"},
    {"camera", 'C', CLI_TEXT, AT(camera), "NAME|N", "a camera of the model (default: one that sees all of it)"},
    {"time", 't', CLI_NUMBER, AT(time), "SECONDS", "simulate before drawing (default 0)"},
    {"key", 'k', CLI_TEXT, AT(key), "NAME|N", "start from a keyframe"},
    {"ctrl", 'c', CLI_LIST, AT(ctrl), "[NAME=]VALUE", "controls, as for 'sinew run'; may be given several times"},
    {"frames", 'n', CLI_COUNT, AT(frames), "N", "draw a motion: FILE-0001.png, FILE-0002.png, ..."},
    {"every", 'e', CLI_NUMBER, AT(every), "SECONDS", "simulated time between two of them (default 0.04)"},
    {"depth", 0, CLI_SWITCH, AT(depth), NULL, "distances in grey: the nearest is white, half as bright is\ntwice as far"},
    {"segment", 0, CLI_SWITCH, AT(segment), NULL, "a colour per object; --json tells which"},
    {"show", 0, CLI_LIST, AT(show), "NAME[=on|off]",
     "show or hide: shadow, reflection, skybox, texture, wireframe,\n"
     "contact-point, contact-force, joint, transparent, ...; may be\ngiven several times"},
    {"quiet", 'q', CLI_SWITCH, AT(quiet), NULL, "print only errors"},
    {"json", 0, CLI_SWITCH, AT(json), NULL, "print what was drawn as JSON"},
};
#undef AT
// clang-format on

const CliCommand cmd_picture = {
    .name = "picture",
    .arguments = "[MODEL] [OPTIONS]",
    .summary = "draw a model without a display: colours, depth, objects; PNG",
    .description =
        "Draws MODEL (MJCF, URDF or MJB; without one, the scene inside the program) as a PNG picture. It needs\n"
        "no display, only EGL or OSMesa (packages libegl1, libosmesa6); SINEW_GL=egl, device or osmesa in the\n"
        "environment chooses between them and EGL on a graphics device.",
    .examples =
        "sinew picture arm.xml                         # picture.png, all of the model\n"
        "sinew picture arm.xml --camera side -t 2 -o arm.png\n"
        "sinew picture arm.xml --depth -s 1280x720     # nearest is white\n"
        "sinew picture arm.xml --show contact-point --show shadow=off\n"
        "sinew picture arm.xml --frames 100 -o - | ffmpeg -f image2pipe -framerate 25 -i - arm.mp4",
    .options = options,
    .noption = sizeof(options) / sizeof(options[0]),
    .main = pictureMain,
};
