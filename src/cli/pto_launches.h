/* tessera pto launches. */
#ifndef TESSERA_CLI_PTO_LAUNCHES_H
#define TESSERA_CLI_PTO_LAUNCHES_H

int pto_cli_launches(int argc, char **argv);

#endif
