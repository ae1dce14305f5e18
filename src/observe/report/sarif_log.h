/* The frame of a SARIF 2.1.0 log (OASIS, sarif-v2.1.0-os): one run of this tool with its rules and results. Sections 3.13 (log), 3.14 (run),
 * 3.20 (invocation), 3.27 (result), 3.29 (physical location). */
#ifndef TESSERA_OBSERVE_REPORT_SARIF_LOG_H
#define TESSERA_OBSERVE_REPORT_SARIF_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "debug/source.h"
#include "sim/text.h"

/* In this order: begin, rules, results, each result with its end, end. `first` is true before the first one of a list. */
void obs_sarif_begin(struct sim_text *out);
void obs_sarif_rule(struct sim_text *out, bool *first, const char *id, const char *what, const char *level,
                    const char *help);
void obs_sarif_results(struct sim_text *out);
struct obs_sarif_item {
  const char *rule, *level, *message;
  const char *path;      /* "": it has no location */
  uint32_t line, column; /* 0: left out */
};
/* Writes a result up to its locations. */
void obs_sarif_result(struct sim_text *out, bool *first, const struct obs_sarif_item *item);
void obs_sarif_result_end(struct sim_text *out);
void obs_sarif_end(struct sim_text *out, int code); /* with the command's exit code */
/* The place of a waiter with what it waits for, and the line that calls its function. `first` is as above. */
void obs_sarif_waiter(struct sim_text *out, bool *first, const struct dbg_source *place, const char *what);
/* A location with a message, or NULL. */
void obs_sarif_location(struct sim_text *out, const char *path, uint32_t line, uint32_t column, const char *message);

#endif
