/* Puts the parts of a trace together in the order of time, with bounded memory. */
#ifndef TESSERA_API_TRACE_MERGE_H
#define TESSERA_API_TRACE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct api_trace_part {
  FILE *file;   /* read from its start */
  bool ordered; /* it is in the order of time already */
  bool steady;  /* marks of one time stay in their order: a part without order in which every track has one */
};

struct api_trace_merge {
  const struct api_trace_part *parts;
  size_t count;
  bool json;           /* Chrome's events, one per line, else packets of Perfetto */
  const char *scratch; /* files beside this one hold what does not fit into memory; NULL: those of tmpfile */
  int (*write)(void *context, const void *bytes, size_t size); /* 0: good */
  void *context;
};

/* What a part has without a time (names of tracks) stays before what follows it; in a part without order, before everything. Of marks of
 * one time, ends precede begins there, unless it is steady. false: a part could not be read, or the result not be written;
 * errno tells why, 0 if nothing is known. */
bool api_trace_merge(const struct api_trace_merge *request);
/* A file that ends with its last user. NULL: errno tells why. */
FILE *api_nameless(const char *scratch);

#endif
