/* The performance counters of a tile: five groups among the control registers (control.h), and the signals that they count.
 *
 *   mode register  [7:0] 0 count until stopped, 1 stop after the reference period, 2 as 0 without the cycles counted
 *                  [16:8] which count the output shows; bit 16 is the vendor's "grant"
 *
 * All counts of a group run together; the selection only chooses the one that is shown. src/chips/blackhole/perf.def has
 * one row per count: its meaning, and whether its evidence is a document, an inference or none. Follows tt-metal's
 * hw_counters.h and perf-counters.md, and tt-llk's counters.h and performance_counters.md.
 *
 * Signals are collected only while a group is active: the tile's events (events.def) and tx_perf_touch update them. A signal is
 * high for whole cycles; a group counts the cycles from the one in which its start arrives on, without the one in which its stop does. */
#ifndef TESSERA_TENSIX_PERF_H
#define TESSERA_TENSIX_PERF_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/log.h"
#include "sim/time.h"

struct tx_tile;

/* --- the registers: perf.c --- */

void tx_perf_write(struct tx_tile *t, uint32_t offset, uint32_t value);
bool tx_perf_read(struct tx_tile *t, uint32_t offset, uint32_t *value);

/* --- the signals: perf_signals.c --- */

/* tx_ports.perf_look: adds the sums up to this cycle, ends groups whose period is over, and samples the signals again. */
void tx_perf_look(struct tx_tile *t, const struct sim_event *event);
/* A group begins or ends with this cycle. */
void tx_perf_begin(struct tx_tile *t, unsigned group, sim_time period);
void tx_perf_end(struct tx_tile *t, unsigned group);
/* After another state was copied in: enables the events that the counters need. */
void tx_perf_resume(struct tx_tile *t);

#endif
