/* tessera pto run --trace FILE and --report FILE. */
#ifndef TESSERA_CLI_PTO_TRACE_H
#define TESSERA_CLI_PTO_TRACE_H

#include "cli/pto_cli.h"

/* The trace or the HTML report of a run: opened before, closed after it. NULL, false: one line on stderr. */
struct pto_trace;

/* Do the options fit together, and has the trace's format a writer? */
bool pto_trace_fits(const struct pto_cli *cli);
/* page: --report. If there are both, it is opened first and closed last. */
struct pto_trace *pto_trace_open(const struct pto_cli *cli, struct tessera_pto_machine *machine, bool page);
bool pto_trace_close(struct pto_trace *trace);

#endif
