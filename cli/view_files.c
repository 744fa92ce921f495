// Files of `sinew view`: models and whether they changed, pictures, films by ffmpeg, states.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cli.h"
#include "support/excerpt.h"
#include "support/png.h"
#include "view.h"

extern char** environ;

// -------------------------------------------------------------------------------------------- models

static mjModel* load(void* context, const char* path, char* error, int size) {
  const ViewFiles* const files = context;
  CliModel model;
  if (cli_tryModel(path, &model) != CLI_OK) {
    snprintf(error, (size_t)size, "%s", model.error);
    if (files->print) cli_printError(stderr, path, model.error);
  }
  mjModel* const m = model.m;
  model.m = NULL;
  cli_freeModel(&model);
  return m;
}

static double stamp(const char* path) {
  struct stat info;
  if (stat(path, &info)) return 0;
  return (double)info.st_mtim.tv_sec + 1e-9 * (double)info.st_mtim.tv_nsec + (double)info.st_size;
}

// the file and the texts beside it, which it may include
static double modified(void* context, const char* path) {
  (void)context;
  char folder[VIW_PATH_SIZE], name[2 * VIW_PATH_SIZE];
  const char* const slash = strrchr(path, '/');
  snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  double sum = stamp(path);
  DIR* const all = opendir(folder);
  for (const struct dirent* entry; all && (entry = readdir(all));) {
    if (!cli_hasSuffix(entry->d_name, ".xml")) continue;
    snprintf(name, sizeof(name), "%s/%s", folder, entry->d_name);
    sum += stamp(name);
  }
  if (all) closedir(all);
  return sum;
}

// -------------------------------------------------------------------------------------------- pictures

static int savePicture(void* context, const char* path, int width, int height, const unsigned char* rgb, char* error) {
  ViewFiles* const files = context;
  const CliImage image = {width, height, 3, (unsigned char*)rgb};
  size_t size = 0;
  unsigned char* const bytes = cli_encodePng(&image, &size);
  const int code = cli_writeFile(path, bytes, size);
  free(bytes);
  if (code != CLI_OK) {
    if (files->code == CLI_OK) files->code = code;
    snprintf(error, VIW_ERROR_SIZE, "cannot write %.200s: %s", path, strerror(errno));
  }
  return code == CLI_OK;
}

// -------------------------------------------------------------------------------------------- films

// 1: ffmpeg runs and reads pictures from a pipe
static int startFfmpeg(ViewFiles* files) {
  char size[32], target[sizeof(files->filmPath) + 8];
  snprintf(size, sizeof(size), "%dx%d", files->width, files->height);
  // a file whatever its name begins with
  snprintf(target, sizeof(target), "file:%s", files->filmPath);
  const char* const arguments[] = {
      "ffmpeg",   "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
      "-s",       size,        "-r",    "60", "-i", "-",        "-vf",      "crop=trunc(iw/2)*2:trunc(ih/2)*2",
      "-pix_fmt", "yuv420p",   target,  NULL};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, "ffmpeg", &actions, NULL, (char* const*)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (failed) {
    close(ends[1]);
    return 0;
  }
  // an encoder that ends early is an error of writing, not the end of the program
  signal(SIGPIPE, SIG_IGN);
  files->pipe = ends[1];
  files->pid = pid;
  return 1;
}

// without ffmpeg: view-0001.png and so on
static int numberedPicture(ViewFiles* files, const unsigned char* rgb, char* error) {
  char path[VIW_PATH_SIZE + 16];
  const char* const dot = strrchr(files->film, '.');
  snprintf(path, sizeof(path), "%.*s-%04d.png", dot ? (int)(dot - files->film) : (int)strlen(files->film), files->film,
           files->frames + 1);
  snprintf(files->filmPath, sizeof(files->filmPath), "%s", path);
  return savePicture(files, path, files->width, files->height, rgb, error);
}

static int filmFrame(void* context, int width, int height, const unsigned char* rgb, char* error) {
  ViewFiles* const files = context;
  if (!files->frames) {
    files->width = width;
    files->height = height;
    snprintf(files->filmPath, sizeof(files->filmPath), "%s", files->film);
    if (cli_hasSuffix(files->film, ".png") || !startFfmpeg(files)) files->pipe = -1;
  }
  if (width != files->width || height != files->height) {
    snprintf(error, VIW_ERROR_SIZE, "the window changed its size: the film ends here");
    return 0;
  }
  int good = 1;
  if (files->pipe < 0) {
    good = numberedPicture(files, rgb, error);
  } else {
    size_t left = (size_t)width * (size_t)height * 3;
    for (ssize_t n = 0; left && good; rgb += n, left -= (size_t)n) {
      n = write(files->pipe, rgb, left);
      if (n < 0 && errno == EINTR) n = 0;
      good = n >= 0;
      if (!good) n = 0;
    }
    if (!good) snprintf(error, VIW_ERROR_SIZE, "ffmpeg ended before the film did");
  }
  files->frames++;
  if (!good && files->code == CLI_OK) files->code = CLI_OUTPUT;
  return good;
}

static void endFilm(void* context, char* message) {
  ViewFiles* const files = context;
  int status = 0;
  if (files->frames && files->pipe >= 0) {
    close(files->pipe);
    waitpid(files->pid, &status, 0);
  }
  if (status && files->code == CLI_OK) files->code = CLI_OUTPUT;
  // a reason that is there already says more
  if (!message[0]) {
    snprintf(message, VIW_ERROR_SIZE, status ? "ffmpeg could not write %.200s" : "wrote %.200s, %d pictures",
             files->filmPath, files->frames);
  }
  files->frames = 0;
}

// -------------------------------------------------------------------------------------------- states

static int startStates(void* context, const mjModel* m, char* error) {
  ViewFiles* const files = context;
  const int code = run_writeChannel(&files->record, m, RUN_STATES, files->states);
  if (code == CLI_OK) return 1;
  run_freeRecord(&files->record);
  files->code = code;
  snprintf(error, VIW_ERROR_SIZE, "cannot write %.200s", files->states);
  return 0;
}

static int addState(void* context, const mjModel* m, const mjData* d) {
  ViewFiles* const files = context;
  run_sampleState(&files->record, m, d);
  const int code = run_sampleResults(&files->record, m, d);
  if (code != CLI_OK) files->code = code;
  return code == CLI_OK;
}

static void endStates(void* context, char* message) {
  ViewFiles* const files = context;
  const int code = run_closeRecord(&files->record);
  run_freeRecord(&files->record);
  if (code != CLI_OK) files->code = code;
  snprintf(message, VIW_ERROR_SIZE, code == CLI_OK ? "wrote %.200s" : "cannot write %.200s", files->states);
}

ViwHost view_host(ViewFiles* files) {
  return (ViwHost){
      .context = files,
      .load = load,
      .modified = modified,
      .savePicture = savePicture,
      .filmFrame = filmFrame,
      .endFilm = endFilm,
      .startStates = startStates,
      .addState = addState,
      .endStates = endStates,
  };
}
