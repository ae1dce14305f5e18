/* Runs one NoC case on a fresh chip and compares: op lists on scripted cores, the host through windows, then memory and registers. */
#ifndef TESSERA_API_NOC_RUN_H
#define TESSERA_API_NOC_RUN_H

#include "load/noc_case.h"

struct noc_run_options {
  bool timing;
  unsigned threads; /* host threads; 0: all */
  uint64_t max_cycles;
};

/* false: `why` holds the first difference, or the reason why the case did not end. */
bool noc_run_case(const struct noc_run_options *o, const struct noc_case *c, uint64_t *cycles, char *why, size_t size);

#endif
