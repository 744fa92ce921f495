// Parts of `sinew view`: the files that it reads and writes.
#pragma once

#include "run.h"
#include "support/model.h"
#include "view/app.h"
#include "view/hub.h"

// What the viewer's functions on files share.
typedef struct {
  const char* film;    // where a film goes; without ffmpeg, numbered pictures
  const char* states;  // where states go
  int code;            // exit code of the first failure, CLI_OK: none
  int print;           // 1: errors of loading go to standard error too

  // a film on its way
  int pipe, pid, frames, width, height;
  char filmPath[VIW_PATH_SIZE + 16];

  RunRecord record;
} ViewFiles;

// The functions for a viewer; files stays the caller's.
ViwHost view_host(ViewFiles* files);
