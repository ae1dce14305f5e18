/* The report at the end of a run: its result with the reason, findings, then the work and waits of each thread and the load
 * of the units. As text, JSON and SARIF from the same state. */
#ifndef TESSERA_OBSERVE_REPORT_REPORT_H
#define TESSERA_OBSERVE_REPORT_REPORT_H

#include <stddef.h>

#include "debug/program.h"
#include "tensix/tile/tile.h"

struct sim_text;

struct chip;
struct obs_chip_hang;

/* A fault in a part of the chip without cores (a router, DRAM): its name, and the request that caused it. */
struct obs_remote_fault {
  const struct sim_fault *fault;
  char name[80];
  struct dbg_source place;
};

struct obs_report {
  const struct tx_tile *t;
  const struct dbg_program *program; /* NULL: no source positions */
  enum sim_end end;
  sim_time ended;        /* a chip's run is done: the cycle in which its last core stopped; 0: the tile's clock */
  bool wanted;           /* the run ended by request: a condition is met, a break is reached */
  bool verbose;          /* a hang with all releasers and the tables */
  sim_time checked_from; /* the checkers know only later cycles; 0: all, or there are none */
  /* The program of another tile of the chip, and its coordinates; NULL: there is none. */
  const struct dbg_program *(*peer)(const void *peers, unsigned tile, unsigned at[2]);
  const void *peers;
  /* For a tile of a chip that hangs: 1 + its coordinates as in struct obs_waiter, 0: not of a chip; the hang of the chip,
   * if several tiles wait. */
  uint32_t at;
  struct chip *chip;
  const struct obs_chip_hang *chip_hang;
  /* A run of several tiles: its exit code, + 1, 0: that of this tile; the other tiles, whose faults, failed checks and
   * findings are included; the waiting tile if there is only one (NULL: this one); a fault outside all tiles. */
  int code;
  const struct obs_report *others;
  unsigned other_count;
  const struct obs_report *hung;
  const struct obs_remote_fault *remote_fault;
};

struct obs_hang;
/* The caller frees it. NULL: the tile does not hang, or out of memory. */
struct obs_hang *obs_report_hang(const struct obs_report *r);
/* "held", "running", "ebreak"; in a hang "waiting", "returned", "idle", "looping". `hang` may be NULL. */
const char *obs_core_state(const struct tx_tile *t, const struct obs_hang *hang, unsigned core);

/* The exit codes of the command. If several apply, the lowest; the command adds 1, between 4 and 5. */
enum obs_code { OBS_CODE_OK = 0, OBS_CODE_FAULT = 3, OBS_CODE_HANG = 4, OBS_CODE_FINDING = 5, OBS_CODE_LIMIT = 6 };

/* All return the full length, as snprintf does. */
size_t obs_report_text(const struct obs_report *r, char *text, size_t size);
/* One finding as printed in the report: its line, the other side, the remedy. */
size_t obs_finding_text(const struct obs_report *r, const struct tx_finding *f, char *text, size_t size);

/* With strict diagnostics a warning counts as an error. */
int obs_report_code(const struct obs_report *r);

/* "done", "hang", "fault", "hazard", "limit", "interrupted", "stopped" */
const char *obs_end_name(const struct obs_report *r);
#define OBS_CODE_SIGNAL 128 /* exit codes above it: a signal ended the run, not its limit */

/* The place of a finding, of a fault. */
void obs_finding_place(const struct obs_report *r, const struct tx_finding *f, struct dbg_source *out);
/* The place of the other side of a finding that has one. */
void obs_other_place(const struct obs_report *r, const struct tx_finding *f, struct dbg_source *out);
/* Its tile; false: that of the finding, or not known. */
bool obs_other_tile(const struct obs_report *r, const struct tx_finding *f, unsigned at[2]);
const char *obs_finding_advice(uint32_t id); /* the remedy for a finding of a checker; "" */
/* "ADVICE; tessera explain NAME (PAGE)", and PAGE alone: docs/reference/diagnostics.md#name */
void obs_finding_help(struct sim_text *out, uint32_t id);
void obs_finding_page(struct sim_text *out, uint32_t id);
void obs_fault_place(const struct obs_report *r, struct dbg_source *out);
/* obs_fault_line, and the jump out of the program that led to it. */
void obs_fault_words(const struct tx_tile *t, const struct dbg_program *program, char *text, size_t size);
const char *obs_severity_name(uint32_t severity); /* "note", "warning", "error" */

uint64_t obs_report_cycles(const struct obs_report *r); /* up to the fault, the last progress of a hang, the end */
/* Cycles of a core since it left reset, up to the end of the run as above. */
uint64_t obs_core_cycles(const struct obs_report *r, unsigned core, uint64_t end);
uint64_t obs_thread_stalled(const struct tx_tile *t, unsigned thread, unsigned kind, uint64_t end); /* likewise */
bool obs_report_failed(const struct obs_report *r, struct dbg_failure *failure); /* a KERNEL_CHECK did not hold */
double
obs_matrix_share(const struct obs_report *r); /* per cent: the matrix unit accepts at most one instruction per cycle */

#endif
