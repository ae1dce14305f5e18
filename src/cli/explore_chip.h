/* tessera explore on a chip: a kernel's folder or a .chip file. */
#ifndef TESSERA_CLI_EXPLORE_CHIP_H
#define TESSERA_CLI_EXPLORE_CHIP_H

#include "cli/run.h"

/* Is the operand a folder or a .chip file? */
bool explore_is_chip(const char *path);
/* Returns the exit code. */
int explore_chip(struct run_settings *s);

#endif
