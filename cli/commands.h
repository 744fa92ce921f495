// The subcommands; each is defined in the file of its name.
#pragma once

#include "support/options.h"

extern const CliCommand cmd_run;
extern const CliCommand cmd_sweep;
extern const CliCommand cmd_picture;
extern const CliCommand cmd_view;
extern const CliCommand cmd_info;
extern const CliCommand cmd_check;
extern const CliCommand cmd_convert;
extern const CliCommand cmd_compare;
extern const CliCommand cmd_bench;
extern const CliCommand cmd_apiStatus;

// All of them, ended by NULL.
extern const CliCommand* const cli_commands[];

// `sinew --completion`: prints what bash needs to complete commands, options and their values.
int cli_printCompletion(void);
