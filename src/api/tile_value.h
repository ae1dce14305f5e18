/* The definition of struct tessera_tile. */
#ifndef TESSERA_API_TILE_VALUE_H
#define TESSERA_API_TILE_VALUE_H

#include <stddef.h>
#include <string.h>

#include "api/causes.h"
#include "api/files.h"
#include "api/handle.h"
#include "check/check.h"
#include "debug/program.h"
#include "observe/hang/progress.h"
#include "observe/hang/replay.h"
#include "tensix/lap/lap.h"
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
  struct api_file *files[TX_CORES]; /* copies of the executables */
  struct api_file_pool own_files;   /* of a tile that is alone */
  struct api_file_pool *chip_files; /* of a chip that shares them between its tiles; NULL: none */
  struct dbg_program program;
  struct tx_code *decoded;     /* code, of a tile that is alone */
  uint32_t in_chip;            /* 1: a chip owns memory and time of the tile */
  struct tessera_chip *chip;   /* the chip whose run ended last; NULL: none */
  sim_time ended;              /* the end of that run: the last core of the chip stopped; 0: not done */
  uint32_t logical;            /* its coordinates in that chip: x, and y from bit 6 */
  uint32_t brisc_pc;           /* start address that tessera_tile_start uses; hardware starts BRISC at 0 */
  char *script_name;           /* name of the assembled program: a copy */
  uint32_t verbose;            /* TESSERA_OPTION_VERBOSE */
  int code;                    /* tessera_tile_set_exit_code, + 1; 0: the tile's own */
  struct chk *check;           /* TESSERA_OPTION_CHECK; NULL: none */
  struct api_trace *trace;     /* tessera_tile_trace; NULL: none */
  struct api_trace *timeline;  /* the same in the format of the HTML report */
  struct obs_profile *profile; /* TESSERA_OPTION_ACCOUNT; NULL: none */
  uint32_t why_chosen;         /* tessera_tile_why_decide: the cause + 1; 0: not decided */
  bool why_keeps_waits;        /* a rerun with a moved wait had a race (TESSERA_WHY_RACES) */
  struct api_causes causes;    /* of its verdict */
  struct tx_what_if *what_if;  /* tessera_tile_set_what_if; NULL: none */
  struct tx_lap *lap;          /* of a tile that is alone; NULL: none, or no memory for it */
  bool untouched;              /* since its last run no call may have changed it: laps are as they were */
  enum sim_end end;
  struct tessera_stop_info stop;
  struct obs_history history;   /* of the run, to find the last writers for a hang report */
  struct obs_progress progress; /* of the run, to detect hangs of cores that poll */
  bool changed;                 /* by the caller, since the last run of the tile's chip */
  struct api_hook hooks[API_HOOKS];
  char error[API_ERROR_BYTES]; /* one line about the last rejected call */
  char *text;                  /* the last text returned */
  size_t text_size;
  struct tx_tile tile;
};

static inline bool api_is_const_tile(const struct tessera_tile *tile) { return api_is(tile, API_TILE); }
/* For calls that read a tile which is not const: hooks may make them. */
static inline bool api_is_read_tile(struct tessera_tile *tile) {
  bool is = api_is(tile, API_TILE);
  if (is) tile->untouched = false;
  return is;
}
#define API_TILE_RUNS "the tile is running: a hook or a write function may read it only, and a second thread may not use it"
static inline bool api_is_own_tile(struct tessera_tile *tile) {
  if (!api_is_read_tile(tile)) return false;
  if (!api_is_running(&tile->handle)) return true;
  memcpy(tile->error, API_TILE_RUNS, sizeof API_TILE_RUNS);
  return false;
}
/* false: an argument that is no tile, or a tile that runs in a call that may change it: one that gets a tile which is not const. */
#define api_is_tile(tile) \
  _Generic((tile), struct tessera_tile * : api_is_own_tile, const struct tessera_tile * : api_is_const_tile)(tile)

#endif
