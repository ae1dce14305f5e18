/* The definition of struct tessera_tile, and helpers shared by the files of api/: checked handles, the error line, growing
 * texts. */
#ifndef TESSERA_API_TILE_H
#define TESSERA_API_TILE_H

#include <stdarg.h>
#include <stddef.h>

#include "api/handle.h"
#include "check/check.h"
#include "debug/program.h"
#include "observe/progress.h"
#include "observe/replay.h"
#include "tensix/tile/tile.h"
#include "tessera/tile.h"
#include "tessera/trace.h"

#define API_ERROR_BYTES 512u
#define API_HOOKS 4u

struct api_hook {
  tessera_hook_fn *call; /* NULL: free */
  void *context;
  int handle; /* handle in the tile's log */
};

struct tessera_tile {
  struct api_handle handle;             /* first: API_TILE */
  struct tx_script_op *ops[TX_THREADS]; /* words pushed by the caller */
  size_t capacity[TX_THREADS];
  struct tx_script script[TX_THREADS];
  void *files[TX_CORES]; /* copies of the executables */
  struct dbg_program program;
  uint32_t in_chip;            /* 1: a chip owns memory and time of the tile */
  struct tessera_chip *chip;   /* the chip whose run ended last; NULL: none */
  uint32_t logical;            /* its coordinates in that chip: x, and y from bit 6 */
  uint32_t brisc_pc;           /* start address that tessera_tile_start uses; hardware starts BRISC at 0 */
  char *script_name;           /* name of the assembled program: a copy */
  uint32_t verbose;            /* TESSERA_OPTION_VERBOSE */
  int code;                    /* tessera_tile_set_exit_code, + 1; 0: the tile's own */
  struct chk *check;           /* TESSERA_OPTION_CHECK; NULL: none */
  struct api_trace *trace;     /* tessera_tile_trace; NULL: none */
  struct obs_profile *profile; /* TESSERA_OPTION_ACCOUNT; NULL: none */
  struct tx_what_if *what_if;  /* tessera_tile_set_what_if; NULL: none */
  enum sim_end end;
  struct tessera_stop_info stop;
  struct obs_history history;   /* of the run, to find the last writers for a hang report */
  struct obs_progress progress; /* of the run, to detect hangs of cores that poll */
  struct api_hook hooks[API_HOOKS];
  char error[API_ERROR_BYTES]; /* one line about the last rejected call */
  char *text;                  /* the last text returned */
  size_t text_size;
  struct tx_tile tile;
};

/* Constructor and destructor for the tiles of a chip: `memory` is the struct around tx_tile. */
void api_tile_made(void *memory);
void api_tile_gone(void *memory);

static inline bool api_is_tile(const struct tessera_tile *tile) { return api_is(tile, API_TILE); }

/* Keeps the error line and returns `result`. The first call with TESSERA_OK clears it. */
enum tessera_result api_refuse(struct tessera_tile *tile, enum tessera_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline enum tessera_result api_ok(struct tessera_tile *tile) {
  tile->error[0] = '\0';
  return TESSERA_OK;
}

/* Renders into the tile's text, which grows until all of it fits; "" if out of memory. `render` returns the full length, as
 * snprintf does. */
typedef size_t api_render_fn(const struct tessera_tile *tile, char *text, size_t size);
const char *api_text(struct tessera_tile *tile, api_render_fn *render);
void api_reserve_text(struct tessera_tile *tile, size_t size); /* for a long text; if out of memory, api_text tries again */

struct obs_report;
struct obs_report api_report_of(const struct tessera_tile *tile);
size_t api_render_json(const struct tessera_tile *tile, const struct obs_report *r, char *text, size_t size);

/* Makes room for `count` operations of a thread's stand-in; false: out of memory. */
bool api_reserve(struct tessera_tile *tile, unsigned thread, uint64_t count);
/* Appends an operation to the list of a thread's stand-in. */
enum tessera_result api_append(struct tessera_tile *tile, unsigned thread, struct tx_script_op op);
void api_forget_trace(struct tessera_tile *tile);
void api_forget_what_if(struct tessera_tile *tile);
/* Begins or ends the account and the profile (TESSERA_OPTION_ACCOUNT). */
enum tessera_result api_set_profile(struct tessera_tile *tile, bool on);
/* The core whose program contains a finding or fault of this agent; -1. */
int api_core_behind(unsigned agent);
void api_end(struct tessera_tile *tile, enum sim_end end); /* records the end of a run */
/* Recomputes the checksum of a saved state: for tests that damage one. */
void api_seal_state(void *state, size_t size);

/* The tile's history: a change that the history cannot record; a new state; a run begins; a run has hung. */
void api_changed(struct tessera_tile *tile);
void api_forget_history(struct tessera_tile *tile);
void api_begin_history(struct tessera_tile *tile);
void api_find_writers(struct tessera_tile *tile);
enum sim_end api_run(struct tessera_tile *tile, uint64_t cycles);
enum tessera_result api_run_result(const struct tessera_tile *tile);

#endif
