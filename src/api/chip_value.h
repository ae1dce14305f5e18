/* The definition of struct tessera_chip. */
#ifndef TESSERA_API_CHIP_VALUE_H
#define TESSERA_API_CHIP_VALUE_H

#include "api/causes.h"
#include "api/files.h"
#include "api/handle.h"
#include "check/check.h"
#include "chip/chip.h"
#include "observe/hang/chip_progress.h"
#include "tessera/chip.h"

struct obs_chip_hang;
struct api_chip_trace;

struct tessera_chip {
  struct api_handle handle; /* first: API_CHIP */
  struct chip *chip;
  struct api_file_pool files; /* executables of its tiles */
  struct tessera_host_memory host;
  enum chip_end end;
  int code;                          /* tessera_chip_set_exit_code, + 1; 0: the chip's own */
  struct chk_chip checks;            /* checkers of the tiles, for the run */
  struct obs_chip_progress progress; /* of the run, to detect hangs of cores that poll */
  struct obs_chip_hang *hang;        /* of the last run, built at the first call that needs it; else NULL */
  tessera_packet_fn *packet_hook;
  void *packet_context;
  tessera_burst_fn *burst_hook;
  tessera_chip_hook_fn *event_hook;
  void *event_context;
  uint64_t event_mask; /* 0: no hook */
  void *burst_context;
  uint32_t why_chosen;          /* tessera_chip_why_decide: the cause + 1; 0: not decided */
  bool why_keeps_waits;         /* a rerun with a moved wait had a race (TESSERA_WHY_RACES) */
  struct api_causes causes;     /* of the verdict */
  struct api_chip_trace *trace; /* NULL: no trace is written */
  char error[256];              /* one line about the last rejected access or restore */
  char *text;
  size_t text_size;
};

static inline bool api_is_read_chip(const struct tessera_chip *chip) { return api_is(chip, API_CHIP); }
/* Not while the chip runs: what its tiles have done so far differs by host threads. */
static inline bool api_is_chip(const struct tessera_chip *chip) {
  return api_is_read_chip(chip) && !api_is_running(&chip->handle);
}

#endif
