/* Where the cycles of the tiles of a chip go: the accounts of tessera chip run --account, and of the options that need them. */
#ifndef TESSERA_CLI_CHIP_ACCOUNT_H
#define TESSERA_CLI_CHIP_ACCOUNT_H

#include <stdio.h>

#include "cli/chip_job.h"

/* Before the run: every tile with a program gets an account, from this function or zone on; NULL or "start": with the run. false after
 * one line on stderr. */
bool chip_accounts_begin(const struct chip_job *j, const char *from);
/* After the run: has an account begun? false after one line on stderr. */
bool chip_accounts_began(const struct chip_job *j, const char *from);
/* The cycles of the longest account. */
uint64_t chip_accounts_cycles(const struct chip_job *j);
/* As text: every tile, or, of many tiles, the sum of those with the same programs, the tile that stopped last and the one that differs
 * most. false: out of memory. */
bool chip_accounts_print(const struct chip_job *j, bool every, FILE *out);
/* ,"accounts":[{"at":[1,2],"from":3100,"cycles":N,"cores":{"BRISC":{"issue":1,...},...},"threads":{...},"units":{...}},...] */
bool chip_accounts_json(const struct chip_job *j, FILE *out);

#endif
