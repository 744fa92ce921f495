// The functions and variables of the public headers, from a source that is made when the build is configured.
#pragma once

typedef struct {
  const char* name;     // NULL ends the list
  int variable;         // 0: a function
  const void* address;  // NULL: the library does not have it yet
} CliApi;

extern const CliApi cli_api[];
