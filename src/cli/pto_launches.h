/* tessera pto launches. */
#ifndef TESSERA_CLI_PTO_LAUNCHES_H
#define TESSERA_CLI_PTO_LAUNCHES_H

#include "cli/pto_cli.h"

extern const struct cli_verb pto_launches;

#endif
