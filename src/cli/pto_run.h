/* tessera pto run. */
#ifndef TESSERA_CLI_PTO_RUN_H
#define TESSERA_CLI_PTO_RUN_H

#include "cli/pto_cli.h"

int pto_cli_run(struct pto_cli *cli);

#endif
