/* The C API: packets of a chip, to a hook and as a trace. */
#include <stdlib.h>

#include "api/chip.h"
#include "api/chip_outcome.h"
#include "api/tile_value.h"
#include "observe/report/chip_figures.h"
#include "observe/trace/chip_tracer.h"

struct api_chip_trace {
  tessera_write_fn *write;
  void *context;
  struct obs_chip_tracer tracer;
};

static bool wants(const struct tessera_chip *chip, enum tessera_chip_event_kind kind) {
  return chip->event_mask >> kind & 1u;
}

static void call_hooks(const struct tessera_chip *chip, const struct noc_packet *p, unsigned tile, uint32_t cycles) {
  const struct chip_slot *from = &chip_grid(chip->chip)->slot[p->tile], *to = &chip_grid(chip->chip)->slot[tile];
  unsigned x, y;
  chip_raw_of_tile(p->noc, tile, &x, &y);
  const struct tessera_packet packet = {.departs = p->departs,
                                        .arrives = p->arrives,
                                        .sequence = p->sequence,
                                        .address = p->address,
                                        .bytes = p->length,
                                        .hops =
                                            chip_network_hops(p->noc, p->source, (struct noc_place){(uint8_t)x, (uint8_t)y}),
                                        .cycles = cycles,
                                        .noc = p->noc,
                                        .from_x = from->x,
                                        .from_y = from->y,
                                        .to_x = to->x,
                                        .to_y = to->y,
                                        .kind = noc_kind_name(p->kind)};
  if (chip->packet_hook) chip->packet_hook(chip->packet_context, &packet);
  if (wants(chip, TESSERA_CHIP_EVENT_PACKET))
    chip->event_hook(chip->event_context,
                     &(struct tessera_chip_event){.kind = TESSERA_CHIP_EVENT_PACKET, .packet = &packet});
}

/* After a failed check the chip runs until it is noticed: once every tile that ran has stopped at one, the trace ends with the last. */
static void end_at_failure(struct tessera_chip *chip) {
  sim_time last = 0, at;
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    const struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (!tile || !obs_chip_instructions(&tile->tile)) continue;
    if (!dbg_program_failed_at(&tile->program, &tile->tile, &at)) return;
    if (at > last) last = at;
  }
  if (last) obs_chip_tracer_stop(&chip->trace->tracer, last);
}

static void pass_packet(void *context, const struct noc_packet *p, unsigned tile, uint32_t cycles) {
  struct tessera_chip *chip = context;
  if (chip->packet_hook || wants(chip, TESSERA_CHIP_EVENT_PACKET)) call_hooks(chip, p, tile, cycles);
  if (chip->trace) end_at_failure(chip);
  if (chip->trace) obs_chip_tracer_packet(&chip->trace->tracer, p, tile, cycles);
}

static void pass_burst(void *context, const struct chip_burst *b) {
  struct tessera_chip *chip = context;
  const struct tessera_burst burst = {.cycle = b->start,
                                      .address = b->address,
                                      .cycles = b->cycles,
                                      .bytes = b->bytes,
                                      .controller = b->controller,
                                      .is_write = b->write};
  if (chip->burst_hook) chip->burst_hook(chip->burst_context, &burst);
  if (wants(chip, TESSERA_CHIP_EVENT_BURST))
    chip->event_hook(chip->event_context, &(struct tessera_chip_event){.kind = TESSERA_CHIP_EVENT_BURST, .burst = &burst});
  if (chip->trace) end_at_failure(chip);
  if (chip->trace) obs_chip_tracer_burst(&chip->trace->tracer, b);
}

static void watch(struct tessera_chip *chip) {
  const bool bursts = chip->burst_hook || chip->trace || wants(chip, TESSERA_CHIP_EVENT_BURST);
  const bool packets = chip->packet_hook || chip->trace || wants(chip, TESSERA_CHIP_EVENT_PACKET);
  chip_watch_bursts(chip->chip, bursts ? pass_burst : NULL, chip);
  chip_watch(chip->chip, packets ? pass_packet : NULL, chip);
}

enum tessera_result tessera_chip_packet_hook(struct tessera_chip *chip, tessera_packet_fn *hook, void *context) {
  if (!api_is_chip(chip)) return TESSERA_INVALID;
  chip->packet_hook = hook;
  chip->packet_context = context;
  watch(chip);
  return TESSERA_OK;
}

enum tessera_result tessera_chip_burst_hook(struct tessera_chip *chip, tessera_burst_fn *hook, void *context) {
  if (!api_is_chip(chip)) return TESSERA_INVALID;
  chip->burst_hook = hook;
  chip->burst_context = context;
  watch(chip);
  return TESSERA_OK;
}

enum tessera_result tessera_chip_hook(struct tessera_chip *chip, uint64_t mask, tessera_chip_hook_fn *hook, void *context) {
  if (!api_is_chip(chip) || mask >> TESSERA_CHIP_EVENT_KINDS) return TESSERA_INVALID;
  chip->event_hook = hook;
  chip->event_context = context;
  chip->event_mask = hook ? mask : 0;
  watch(chip);
  return TESSERA_OK;
}

const char *tessera_chip_event_kind_name(enum tessera_chip_event_kind kind) {
#define CHIP_EVENT(NAME, name, track, form, numbers, meaning) [TESSERA_CHIP_EVENT_##NAME] = name,
  static const char *const names[TESSERA_CHIP_EVENT_KINDS] = {
#include "chip/events.def"
  };
#undef CHIP_EVENT
  return (unsigned)kind < TESSERA_CHIP_EVENT_KINDS ? names[kind] : "?";
}

static bool pass_on(void *context, const void *bytes, size_t size) {
  const struct api_chip_trace *trace = context;
  return trace->write(trace->context, bytes, size) == 0;
}

enum tessera_result tessera_chip_trace(struct tessera_chip *chip, const struct tessera_trace_options *o,
                                       tessera_write_fn *write, void *context) {
  static const enum obs_trace_format formats[] = {OBS_TRACE_TEXT, OBS_TRACE_PERFETTO, OBS_TRACE_CHROME};
  if (!api_is_chip(chip) || !o || (unsigned)o->format > TESSERA_TRACE_CHROME || o->cores || o->part || !write || chip->trace)
    return TESSERA_INVALID;
  struct api_chip_trace *trace = malloc(sizeof *trace);
  if (!trace) return TESSERA_NO_MEMORY;
  trace->write = write;
  trace->context = context;
  const struct obs_trace_options options = {.format = formats[o->format],
                                            .from = o->from,
                                            .to = o->to ? o->to : SIM_NEVER - 1,
                                            .write = pass_on,
                                            .context = trace};
  if (!api_enter_chip(chip)) return free(trace), TESSERA_INVALID;
  obs_chip_tracer_begin(&trace->tracer, chip->chip, &options);
  api_leave_chip(chip);
  chip->trace = trace;
  watch(chip);
  return TESSERA_OK;
}

enum tessera_result tessera_chip_trace_end(struct tessera_chip *chip) {
  if (!api_is_chip(chip) || !chip->trace) return TESSERA_INVALID;
  if (!api_enter_chip(chip)) return TESSERA_INVALID;
  end_at_failure(chip);
  bool good = obs_chip_tracer_end(&chip->trace->tracer);
  api_leave_chip(chip);
  free(chip->trace);
  chip->trace = NULL;
  watch(chip);
  return good ? TESSERA_OK : TESSERA_REFUSED;
}
