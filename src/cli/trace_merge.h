/* Puts the parts of a trace together in the order of time, with bounded memory. */
#ifndef TESSERA_CLI_TRACE_MERGE_H
#define TESSERA_CLI_TRACE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct trace_part {
  FILE *file;   /* read from its start */
  bool ordered; /* it is in the order of time already */
  bool steady;  /* marks of one time stay in their order: a part without order in which every track has one */
};

/* `json`: Chrome's events, one per line, else packets of Perfetto. What a part says without a time (names of tracks) stays before what
 * follows it; in a part without order, before everything. Of marks of one time, ends precede begins there, unless it is steady. Files
 * beside `path` hold what does not fit into memory. false: a part could not be read, or `out` not be written. */
bool cli_trace_merge(const struct trace_part *parts, size_t count, bool json, const char *path, FILE *out);

#endif
