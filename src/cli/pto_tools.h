/* tessera pto check, explore and sweep. */
#ifndef TESSERA_CLI_PTO_TOOLS_H
#define TESSERA_CLI_PTO_TOOLS_H

#include "cli/pto_cli.h"

int pto_cli_check(struct pto_cli *cli);
int pto_cli_explore(struct pto_cli *cli);
int pto_cli_sweep(struct pto_cli *cli);

#endif
