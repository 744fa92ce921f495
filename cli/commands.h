// The subcommands; each is defined in the file of its name.
#pragma once

#include "support/options.h"

extern const CliCommand cmd_run;
extern const CliCommand cmd_info;
extern const CliCommand cmd_check;
extern const CliCommand cmd_convert;
extern const CliCommand cmd_compare;
extern const CliCommand cmd_bench;
extern const CliCommand cmd_apiStatus;
