// Where running programs and pages meet a viewer: a small server for one machine. Programs connect to /send as
// WebSocket clients (sn_viewConnect); pages that it serves connect to /watch and get what the program sends.
//
//   program --> /send --> hub --> viewer in this process
//                          |
//                          +---> /watch --> page in a browser
//
// It never waits: poll it once a frame. Of states only the newest is kept; a page that lags gets fewer of them.
#pragma once

#include <stddef.h>

enum { VIW_HUB_ERROR = 300 };

typedef struct ViwHub_ ViwHub;

typedef struct {
  const char* address;  // to listen at; NULL: this machine only
  int port;             // 0: a free one
  const char* page;     // folder of the page, NULL: none
} ViwHubStart;

// What came in since the last call, for a viewer.
typedef struct {
  const unsigned char *hello, *state;  // messages, NULL: none; until the next call
  size_t nhello, nstate;
  int gone;           // 1: the program has gone
  const char* wrong;  // what somebody sent that cannot be understood, NULL: nothing
} ViwHubNews;

// NULL with a message.
ViwHub* viw_openHub(const ViwHubStart* start, char error[VIW_HUB_ERROR]);
void viw_closeHub(ViwHub* hub);
int viw_hubPort(const ViwHub* hub);

// Does what can be done now, waiting for at most so many milliseconds for something to happen.
void viw_pollHub(ViwHub* hub, int wait, ViwHubNews* news);
