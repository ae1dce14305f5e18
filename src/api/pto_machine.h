/* The definition of struct tessera_pto_machine. */
#ifndef TESSERA_API_PTO_MACHINE_H
#define TESSERA_API_PTO_MACHINE_H

#include "api/handle.h"
#include "pto/runtime/grid.h"
#include "tessera/pto.h"

#define PTO_API_REPORT_MAX 65536u

/* The hook in the log of one block. */
struct pto_api_hook {
  struct tessera_pto_machine *machine;
  uint32_t block;
  int handle;
};

struct tessera_pto_machine {
  struct api_handle handle; /* first: API_PTO_MACHINE */
  struct pto_grid *grid;
  struct pto_machine *machine; /* its first block */
  const char *name;            /* of the program's source; the program outlives the machine */
  enum pto_end_kind end;
  bool verbose;              /* the tables of a hang too */
  bool why, reran;           /* tessera_pto_set_why, and whether the rerun of the last run was made: */
  sim_time rerun;            /* its cycles; 0: it does not apply */
  int code;                  /* tessera_pto_set_exit_code, + 1; 0: its own */
  tessera_pto_hook_fn *hook; /* NULL: none */
  void *hook_context;
  struct pto_api_hook hooks[PTO_BLOCKS_MAX];
  struct pto_api_trace *trace;    /* NULL: none */
  struct pto_api_trace *timeline; /* the same in the format of the HTML report */
  const char *trace_scratch;      /* NULL: the system's temporary files */
  sim_time trace_from;
  sim_time trace_to; /* 0: up to the end */
  char *text;        /* of tessera_pto_run_report */
  char report[PTO_API_REPORT_MAX];
};

static inline bool pto_api_is_machine(const struct tessera_pto_machine *m) { return api_is(m, API_PTO_MACHINE); }

#endif
