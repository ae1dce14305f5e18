/* Tessera, Tensix tile: where the cycles go. TESSERA_OPTION_ACCOUNT turns it on; it changes no cycle and no bit.
 *
 *   tessera_tile_set_option(tile, TESSERA_OPTION_ACCOUNT, 1);
 *   tessera_tile_run(tile, cycles);
 *   tessera_tile_account(tile, TESSERA_OF_CORE, TESSERA_NCRISC, category, &cycles); */
#ifndef TESSERA_PROFILE_H
#define TESSERA_PROFILE_H

#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every cycle of a core, a thread and a unit is in one category; the categories sum to the cycles of the account.
 * docs/reference/trace-schema.md */
enum tessera_of { TESSERA_OF_CORE, TESSERA_OF_THREAD, TESSERA_OF_UNIT };
const char *tessera_of_name(enum tessera_of of); /* "thread" */
unsigned tessera_category_count(void);
const char *tessera_category_name(unsigned category); /* "polling", "SrcA bank", "issue"; "?": none */
/* TESSERA_INVALID: no such account, core, thread, unit or category. To be called between runs. */
enum tessera_result tessera_tile_account(const struct tessera_tile *tile, enum tessera_of of, unsigned index,
                                         unsigned category, uint64_t *cycles);

/* Instead of TESSERA_OPTION_ACCOUNT: the account begins when a core first reaches the function `where`, or with "zone:NAME" when a zone of
 * that name (DeviceZoneScopedN) first begins. Until then it counts from now on. Call it after loading; TESSERA_INVALID: no core has
 * such a function. A function begins at its symbol and, as DWARF states it, wherever it is inlined. "start": an account that still waits
 * for its function or zone keeps all that it has counted, and one that has begun stays as it is; without one, the same as
 * TESSERA_OPTION_ACCOUNT. */
enum tessera_result tessera_tile_account_from(struct tessera_tile *tile, const char *where);
/* The cycle after which the account begins. TESSERA_INVALID: no account, or the function or zone was not reached. */
enum tessera_result tessera_tile_account_begin(const struct tessera_tile *tile, uint64_t *cycle);

/* The account as cycles by source line, with the chain of inlined calls, in formats of other tools. "" without an account. */
enum tessera_profile_format {
  TESSERA_PROFILE_CALLGRIND,  /* KCachegrind, callgrind_annotate, tessera annotate */
  TESSERA_PROFILE_SPEEDSCOPE, /* speedscope.app: one profile per core and thread, the reason of a wait as innermost frame */
  TESSERA_PROFILE_LCOV,       /* genhtml: which lines of the cores' programs ran */
  TESSERA_PROFILES
};
const char *tessera_profile_format_name(enum tessera_profile_format format); /* "callgrind" */
const char *tessera_tile_profile(struct tessera_tile *tile, enum tessera_profile_format format);
/* The reason for the length of the run: one sentence with its source line, the change to make, and the chain of waits; after a hang or a
 * fault, that there is none. "" without an account, or if the account has not begun. */
const char *tessera_tile_why(struct tessera_tile *tile);
/* The same as JSON: {"verdict":"...","change":"...","what_if":"...","critical_path":[{"tile":[1,2],"agent":"NCRISC",...}]}; after a hang or a
 * fault {"verdict":null,"reason":"hang"}. */
const char *tessera_tile_why_json(struct tessera_tile *tile);

/* What-if: the same run on a machine that differs in one parameter. Call it after loading and before the run, on a new tile
 * or after tessera_tile_reset. Only the cycles of that run are meaningful, not its bits.
 *
 *   char what[320];
 *   snprintf(what, sizeof what, "%s", tessera_tile_why_what_if(tile));   after a run with an account
 *   ... the same set-up on another tile ...
 *   tessera_tile_set_what_if(other, what);
 *   tessera_tile_run(other, cycles);
 *
 * `what` is a name of tessera_what_if_name, "CORE@FILE:LINE", "CORE@FILE:FIRST-LAST" or "CORE@FUNCTION" (the core spends no time
 * there, in calls that it makes there, or waiting there for its NoC requests, and what it pushes there takes none; of a T core: all
 * three, which run the same source, and what they push there for unpackers and matrix unit is left out, or, with " executed" after
 * the rest, executed in no time: for a part that has one side of the Src banks only; of BRISC and NCRISC, with " behind its loop" after the rest: a barrier there
 * waits once, behind the innermost loop around it, and with " in one turn": the turns of the loop there after the first take no time;
 * with " without its wait": a loop there that only polls is left at its first turn) or "semaphore N" (SEMWAIT, SEMGET and SEMPOST of this semaphore do nothing)
 * or "CORE page by page" (the core's wait for several pages of a circular buffer ends with the first; its unpackers, requests and loads wait
 * for the page that they read)
 * or "hand-overs N" (an instruction that counts pages of circular buffers takes its time once in N executions) or "link NOC X,Y out" (also "in",
 * "x", "y": the tile's requests whose data passes this link of the place at (X, Y) of NoC 0 occupy no link and no memory; not multicasts)
 * or "dram N" (the tile's requests to DRAM bank N go to all banks in turn; their data is not that of the unchanged run).
 * TESSERA_INVALID: tessera_tile_error gives the reason. */
enum tessera_result tessera_tile_set_what_if(struct tessera_tile *tile, const char *what);
const char *tessera_what_if_name(unsigned index); /* "lofi"; NULL: there are no more */
/* "the matrix unit does the first fidelity phase only". Returns the length, as snprintf does; -1: no such what-if. */
int tessera_what_if_text(const char *what, char *text, size_t size);
/* The what-if that confirms the verdict of tessera_tile_why. "": none, or no account. */
const char *tessera_tile_why_what_if(struct tessera_tile *tile);
/* The what-ifs of the causes that may apply, by number; "": there is none with this number. 0 and 1 are those of the critical path, the most
 * specific one first; those from 2 on are for reruns that refute these. tessera_tile_why_decide takes the cycles of the run and of the
 * reruns so far, in this order (0: none, or it failed), and tessera_tile_why and tessera_tile_why_what_if follow it; 0: no rerun so far
 * confirms a cause. Without it the critical path decides. TESSERA_WHY_RACES as the cycles of a rerun: the checkers found an error in it that the
 * run does not have. If it had moved a wait, no cause moves one from then on, and the causes have to be asked for again. */
#define TESSERA_WHY_CAUSES 6
#define TESSERA_WHY_RACES 0xffffffffffffffffu
const char *tessera_tile_why_cause(struct tessera_tile *tile, unsigned index);
int tessera_tile_why_decide(struct tessera_tile *tile, uint64_t cycles, const uint64_t *reruns, unsigned count);

#ifdef __cplusplus
}
#endif
#endif
