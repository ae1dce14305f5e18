/* The machine of the libttsim ABI: one chip, its host side, and its messages and reports. */
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

/* NULL: `error` has the reason in one line. `say` prints a line. */
/* `configure` may change the chip's configuration; may be NULL. */
struct host_machine *host_machine_create(const struct host_options *options, void (*configure)(struct chip_config *config),
                                         void (*say)(void *who, const char *line), char *error, size_t error_size);
void host_machine_destroy(struct host_machine *machine); /* NULL is allowed */
void host_machine_memory(struct host_machine *machine, const struct host_memory *memory);
void host_machine_clock(struct host_machine *machine, uint32_t clocks);
/* In a child of fork, which does not own the machine: its exit writes nothing that the parent will write. */
void host_machine_abandon(struct host_machine *machine);
/* At exit: prints the time and writes the report. */
void host_machine_exit(struct host_machine *machine);
/* Writes the report files into the directory of the options, if there is one. `when`: "error", "reset", "exit", "signal". */
void host_machine_report(struct host_machine *machine, const char *when);

#endif
