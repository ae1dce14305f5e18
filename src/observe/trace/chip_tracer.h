/* The packets of a chip's NoCs as a trace: text, one line for each; Perfetto and Chrome, a track per tile, NoC and
 * direction, with a slice for the cycles in which a packet occupies the link into its receiver, and an arrow from sender to
 * receiver; and a track per DRAM controller with a slice for each access. Packets are written when their arrival is known, so times are not monotonic: the viewers sort them. */
#ifndef TESSERA_OBSERVE_TRACE_CHIP_TRACER_H
#define TESSERA_OBSERVE_TRACE_CHIP_TRACER_H

#include "chip/chip.h"
#include "observe/trace/tracer.h"

/* A packet or an access whose cycles are not over: a failed check may still end the trace before. */
struct obs_chip_held {
  sim_time until;
  bool burst;
  unsigned tile;
  uint32_t cycles;
  struct noc_packet packet;
  struct chip_burst access;
};

#define OBS_CHIP_HELD_MAX 1024u /* the first is written when one more comes */

struct obs_chip_tracer {
  const struct chip *chip;
  uint64_t count;
  uint64_t sent[CHIP_TILES][CHIP_NOCS];         /* 1 + the sequence of the packet whose departure was written last */
  struct obs_chip_held held[OBS_CHIP_HELD_MAX]; /* in the order in which they were reported */
  uint32_t first, held_count;
  struct obs_tracer out;
};

/* OBS_TRACE_TEXT, _PERFETTO or _CHROME. */
void obs_chip_tracer_begin(struct obs_chip_tracer *w, const struct chip *chip, const struct obs_trace_options *options);
/* Called by chip_watch. */
void obs_chip_tracer_packet(struct obs_chip_tracer *w, const struct noc_packet *packet, unsigned tile, uint32_t cycles);
/* Called by chip_watch_bursts. */
void obs_chip_tracer_burst(struct obs_chip_tracer *w, const struct chip_burst *burst);
/* The chip stops at this cycle: a failed check. To be called before the two above once it is known. */
void obs_chip_tracer_stop(struct obs_chip_tracer *w, sim_time at);
bool obs_chip_tracer_end(struct obs_chip_tracer *w); /* false: a write failed */

#endif
