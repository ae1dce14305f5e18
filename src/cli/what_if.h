/* --what-if of run and kernel run: names, and the lines of the reruns. */
#ifndef TESSERA_CLI_WHAT_IF_H
#define TESSERA_CLI_WHAT_IF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* clang-format off */
#define CLI_WHAT_IF_OPTION(set) \
  {"--what-if", "CHANGE", "run again with one change and print the cycles: all, none, reader, writer, noc, links, dram, buffers, hand-overs, lofi, throttle, matrix, vector, unpack, pack, buffers N,N, hand-overs N, semaphore N, dram N, link NOC X,Y in|out|x|y, CORE page by page, CORE@FILE:LINE, CORE@FILE:FIRST-LAST, CORE@FUNCTION (may be repeated); --why: the change that its verdict proposes", "all none reader writer noc links dram buffers hand-overs lofi throttle matrix vector unpack pack", set}
/* clang-format on */

bool cli_what_if_known(const char *verb, const char *what); /* false after one line on stderr */

/* What bounds a rerun in turn. */
#define CLI_WHAT_IF_MAX 512u
struct cli_next {
  char cause[CLI_WHAT_IF_MAX]; /* its change; "": none */
  char sentence[2048];         /* "bound by ..." */
};
/* What came out of a rerun. */
struct tessera_tile;
struct cli_rerun {
  uint64_t cycles;
  char race[512]; /* an error finding that the run itself does not have; "": none, or the change moves nothing */
};
/* One rerun with this change, or with several ("A + B"); false: it failed. */
typedef bool cli_rerun_fn(void *context, const char *what, struct cli_rerun *result, struct cli_next *next);
/* The checkers of a rerun: those of the run, if the change moves a wait and so may break what rests on its place; else none. */
uint32_t cli_rerun_checks(const char *what, uint32_t checks_of_run);
/* Sets `race` if a tile has more error findings in the rerun than in the run. */
void cli_rerun_compare(struct cli_rerun *result, const char *what, const struct tessera_tile *run,
                       const struct tessera_tile *again);
/* The verdict of --why: that of a tile, or of a chip with all tiles that have an account. */
struct tessera_tile;
struct tessera_chip;
struct cli_verdict {
  struct tessera_tile *tile;
  struct tessera_chip *chip; /* NULL: of the tile */
  unsigned tiles;            /* that run; reruns change all of them */
  bool mixed;                /* they have different programs: a change may apply to some only */
};
/* Behind the text of a verdict: nothing, or one line that its cycles mean nothing without timing. */
const char *cli_verdict_timing(bool timing);
const char *cli_verdict_text(const struct cli_verdict *verdict);
void cli_verdict_next(const struct cli_verdict *verdict, struct cli_next *next);
/* Sets every change of "A + B" on a tile; false: one does not apply. */
bool cli_what_if_set(struct tessera_tile *tile, const char *what);
/* Sets every change of "A + B" on each tile to which it applies; false: one applies to none. */
bool cli_what_if_set_tiles(struct tessera_tile *const *tiles, size_t count, const char *what);
bool cli_what_if_has(const char *what, const char *one);
/* Is this the name of a part of a program ("CORE@FILE:LINE"), which the program may not have? */
bool cli_what_if_names_code(const char *what);
/* The lines of all what-ifs of the options, or of the verdict, which they may decide. `cycles`: of the run itself. The caller frees both
 * texts; NULL: no what-if, or out of memory. */
struct cli_reruns {
  char *text;       /* NULL: none */
  char *json;       /* {"what_if":"noc","text":"...","cycles":7195},...; cycles null: it does not apply */
  bool interrupted; /* by a signal: some are missing, and the text ends with a line about it */
};
struct cli_reruns cli_what_if_lines(const char *const *names, size_t count, const struct cli_verdict *verdict,
                                    uint64_t cycles, cli_rerun_fn *rerun, void *context);
/* The JSON report with the verdict and its reruns as a last member, "why". */
bool cli_why_json_write(FILE *file, const char *report, const struct cli_verdict *verdict, uint64_t cycles,
                        const struct cli_reruns *reruns);

#endif
