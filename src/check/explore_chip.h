/* Explore for a chip: runs its programs under schedules that hardware may have, on all tiles and on the NoCs, and finds the smallest one
 * that changes the result. */
#ifndef TESSERA_CHECK_EXPLORE_CHIP_H
#define TESSERA_CHECK_EXPLORE_CHIP_H

#include "check/explore.h"
#include "check/memory.h"
#include "chip/chip.h"
#include "chip/holds.h"

struct dbg_program;

/* Targets of a tile's delays: enum chk_target (the NoC: its NIUs), then these. */
enum chk_chip_target {
  CHK_DELAY_TILE = CHK_DELAY_TARGETS, /* all cores of the tile */
  CHK_DELAY_PACKETS,                  /* + noc * CHIP_HOLD_KINDS + enum chip_hold_kind */
  CHK_CHIP_TARGETS = CHK_DELAY_PACKETS + NOC_NOCS * CHIP_HOLD_KINDS
};
/* "BRISC", "all cores", "writes on NoC 0" */
void chk_chip_delay_name(unsigned target, char *text, size_t size);

struct chk_chip_explore_options {
  uint32_t schedules; /* 0: 300 */
  uint32_t threads;
  uint64_t seed;
  sim_time limit;
  struct sim_watcher watcher;
  struct chk_compared compared;
  /* A word whose value ends the run, compared every `every` cycles; 0: none, the run ends by itself. */
  struct {
    uint32_t tile, mask, value;
    uint64_t address, every;
  } until;
  const struct dbg_program *const *program; /* by tile id, NULL: none; finds a KERNEL_CHECK that did not hold */
};

/* The last write of a word. */
struct chk_side {
  bool known;
  sim_time cycle;
  uint32_t pc;
  uint32_t tile;  /* of the core behind it */
  uint32_t agent; /* enum tx_agent */
  int packet;     /* enum noc_kind of the packet that brought it; -1: no packet */
};

struct chk_chip_result {
  bool stopped;
  sim_time cycles;
  uint32_t runs, broken;
  enum chk_explore_kind kind;
  enum chip_end base_end, end;
  struct chk_difference difference; /* CHK_OUTPUT */
  struct chk_side side[2];          /* of that word: without delays, and with them */
  uint32_t finding, finding_tile;   /* CHK_FINDING */
  uint64_t hash;                    /* of the compared memory after the run without delays */
  struct chk_schedule smallest;
  uint32_t pc[CHK_DELAYS]; /* of the held core, or of the core of the held thread */
};

/* The chip must be loaded and started, with timing on; it is not changed. false: out of memory. */
bool chk_explore_chip(struct chip *base, const struct chk_chip_explore_options *options, struct chk_chip_result *result);
/* Runs the chip itself under a schedule up to `until`. `run` runs it to a cycle. */
enum chip_end chk_run_delayed(struct chip *chip, const struct chk_schedule *s, sim_time until,
                              enum chip_end (*run)(void *context, sim_time until), void *context, uint32_t *pc);

#endif
