/* The command itself; its sub-verbs are the verbs. */
#ifndef TESSERA_CLI_VERBS_H
#define TESSERA_CLI_VERBS_H

#include "cli/verb.h"

extern const struct cli_verb cli_tessera;

#endif
