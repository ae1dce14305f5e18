/* Events as lines of a trace: one line per instruction.
 *
 *       cycle  who      pc        word      text                              what it wrote
 *         812  TRISC1   000060a4  00f52023  sw a5, 0(a0)                      [00020000] = 0000002a
 *         815  thread1            26010000  MVMUL ...                         matrix unit
 *
 * A core's line has the cycle in which the instruction enters the pipeline. */
#ifndef TESSERA_OBSERVE_TRACE_TRACE_H
#define TESSERA_OBSERVE_TRACE_TRACE_H

#include "tensix/tile/tile.h"

#define OBS_TRACE_VERSION 1u /* of the schema: include/tessera/trace.h */

/* Cache of disassembled instructions: the lines of a loop need no disassembler. Initially zero. */
#define OBS_DIS_ENTRIES 512u
struct obs_dis {
  struct {
    uint32_t word, pc;
    char text[96]; /* "": free */
  } entry[OBS_DIS_ENTRIES];
};

/* `seen` may be NULL. To be called in the sink that receives the event. Without a newline; returns the full length, as
 * snprintf does. */
/* The name of a zone at this address in L1, in UTF-8; control characters and other bytes are "_". */
#define OBS_ZONE_NAME 256u /* with its final zero: a longer name is cut */
void obs_zone_name(const struct tx_tile *t, uint32_t address, char *text, size_t size);
size_t obs_trace_line(const struct tx_tile *t, const struct sim_event *e, struct obs_dis *seen, char *line, size_t size);
/* docs/reference/trace-schema.md, from events.def and counters.def: as snprintf. */
size_t obs_trace_schema(char *text, size_t size);

#endif
