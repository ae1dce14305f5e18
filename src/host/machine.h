/* A device of the libttsim ABI: one chip of a system, its host side, and its messages and reports (devices.h: all of them). */
#ifndef TESSERA_HOST_MACHINE_H
#define TESSERA_HOST_MACHINE_H

#include "host/chip_port.h"
#include "host/findings.h"
#include "host/host.h"
#include "host/kernels.h"
#include "host/settings.h"
#include "host/watch.h"

struct host_machine {
  struct host host;
  struct host_options options;
  struct host_kernels kernels;
  struct host_findings findings;
  struct chip *chip;
  struct host_watch *watch; /* NULL: no checker, no trace */
  unsigned report_number;   /* of report-N.txt; 1: report.txt; 0: not chosen yet */
  bool reported_reset;      /* the report shows the cores as they were before the host held them in reset */
};

/* Where the lines of a device go: `say` prints one; `error` receives the reason why creation fails. */
struct host_voice {
  void (*say)(void *who, const char *line);
  char *error;
  size_t error_size;
};

/* The device for chip `number` of the system, which the caller owns. NULL: the voice's error has the reason. */
struct host_machine *host_machine_create(const struct host_options *options, struct system *system, unsigned number,
                                         struct host_time *time, struct host_voice voice);
void host_machine_destroy(struct host_machine *machine); /* NULL is allowed */
void host_machine_memory(struct host_machine *machine, const struct host_memory *memory);
void host_machine_before_clock(struct host_machine *machine);
/* `cycles` have passed. `stops`: a chip of the system has stopped in them. */
void host_machine_after_clock(struct host_machine *machine, uint64_t cycles, bool stops);
/* In a child of fork, which does not own the machine: its exit writes nothing that the parent will write. */
void host_machine_abandon(struct host_machine *machine);
/* At exit: prints the time and writes the report. */
void host_machine_exit(struct host_machine *machine);
/* Writes the report files into the directory of the options, if there is one. `when`: "error", "reset", "exit", "signal". */
void host_machine_report(struct host_machine *machine, const char *when);

#endif
