// The functions of the public headers, from a source that is made when the build is configured.
#pragma once

typedef void (*CliFunction)(void);

typedef struct {
  const char* name;      // NULL ends the list
  CliFunction function;  // NULL: the library does not have it yet
} CliApi;

extern const CliApi cli_api[];
