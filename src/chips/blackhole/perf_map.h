/* Ranges of selects of the INSTRN_THREAD performance counters that share a signal: those of the eight classes of a thread are its
 * instructions, those of its nine reasons its stalls. perf.def has one row for each. tt-metal: perf-counters.md, "INSTRN_THREAD bank" */
#ifndef TESSERA_CHIPS_BLACKHOLE_PERF_MAP_H
#define TESSERA_CHIPS_BLACKHOLE_PERF_MAP_H

#define TX_PERF_GRANT_FIRST 256u
#define TX_PERF_GRANT_CLASSES 8u
#define TX_PERF_STALL_FIRST 287u
#define TX_PERF_STALL_REASONS 9u
#define TX_PERF_STALL_ROW 24u /* the row of thread 0 */

#endif
