/* Diagnostics (diag.def, machine.h): findings about the program that runs. Each is counted; the first at each place is kept
 * with its instruction words. The run continues; strict mode stops at warnings and errors. The list is part of the saved
 * state: a report is possible at any time. */
#ifndef TESSERA_TENSIX_STATE_DIAG_H
#define TESSERA_TENSIX_STATE_DIAG_H

#include <stdint.h>

#include "sim/fault.h"
#include "sim/time.h"

enum tx_diag_id {
#define DIAG(name, severity, where, what) TX_DIAG_##name,
#include "chips/blackhole/diag.def"
#undef DIAG
  TX_DIAG_COUNT
};

struct tx_diag_info {
  const char *name, *where, *what;
  uint32_t severity; /* enum sim_severity */
};

#define TX_FINDINGS_MAX 64u

/* The other side of a finding that involves two instructions. */
struct tx_side {
  sim_time cycle;
  uint32_t pc, word;
  uint16_t agent; /* enum tx_agent */
  uint16_t known; /* 0: there is no other side */
  uint32_t tile;  /* 0: this tile; else 1 + the number of the tile on the chip whose program contains `pc` */
};

/* A place with a finding; later occurrences at the same place are only counted. */
struct tx_finding {
  sim_time first_cycle;
  uint64_t count;
  uint32_t id;
  uint32_t word;
  uint32_t pc;
  uint32_t agent;
  struct tx_side other;
  char why[128];
};

struct tx_diag {
  uint64_t counts[TX_DIAG_COUNT];
  uint32_t strict; /* stop at warnings and errors */
  uint32_t quiet;  /* reports only count */
  uint32_t finding_count;
  uint32_t pad;
  struct tx_finding findings[TX_FINDINGS_MAX];
};

#endif
