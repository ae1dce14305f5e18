/* Hooks and the trace's lines (include/tessera/trace.h). */
#include "api/trace.h"

#include <stdlib.h>
#include <string.h>

#include "api/texts.h"
#include "api/tile_error.h"
#include "observe/trace/trace.h"
#include "observe/trace/tracer.h"
#include "observe/words.h"
#include "tessera/trace.h"

_Static_assert(TESSERA_TRACE_VERSION == OBS_TRACE_VERSION, "one schema");
/* The public event numbers equal the tile's. */
#define EVENT(NAME, name_, track_, phase_, a_, b_, c_, meaning_) \
  _Static_assert((int)TESSERA_EVENT_##NAME == (int)TX_EVENT_##NAME, "include/tessera/trace.h and events.def");
#include "tensix/events.def"
#undef EVENT
_Static_assert((int)TESSERA_EVENT_KINDS == (int)TX_EVENT_COUNT, "include/tessera/trace.h and events.def");

static const struct tessera_event_info infos[TESSERA_EVENT_KINDS] = {
#define EVENT(NAME, name_, track_, phase_, a_, b_, c_, meaning_) \
  [TESSERA_EVENT_##NAME] = {.name = name_, .meaning = meaning_, .a = a_, .b = b_, .c = c_, .track = track_, .phase = phase_},
#include "tensix/events.def"
#undef EVENT
};

enum tessera_result tessera_event_info(enum tessera_event_kind kind, struct tessera_event_info *info) {
  if ((unsigned)kind >= TESSERA_EVENT_KINDS || !info) return TESSERA_INVALID;
  *info = infos[kind];
  return TESSERA_OK;
}

const char *tessera_event_name(enum tessera_event_kind kind) {
  return (unsigned)kind < TESSERA_EVENT_KINDS ? infos[kind].name : "?";
}

const char *tessera_agent_name(unsigned agent) { return agent < TX_AGENT_COUNT ? obs_agent_name(agent) : "?"; }

const char *tessera_reason_name(unsigned reason) { return obs_reason_name(reason); }

size_t tessera_trace_schema(char *text, size_t size) {
  if (text && size) text[0] = '\0';
  return !text && size ? 0 : obs_trace_schema(text, size);
}

/* --- hooks --- */

static void forward(void *context, const struct sim_event *e) {
  const struct api_hook *hook = context;
  struct tessera_event event = {
      .cycle = e->at, .kind = (enum tessera_event_kind)e->kind, .agent = e->agent, .a = e->a, .b = e->b, .c = e->c};
  hook->call(hook->context, &event);
}

enum tessera_result tessera_tile_hook(struct tessera_tile *tile, uint64_t mask, tessera_hook_fn *hook, void *context,
                                      int *number) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!hook || !mask || mask >> TESSERA_EVENT_KINDS) return api_refuse(tile, TESSERA_INVALID, "no hook or no such event");
  for (int i = 0; i < (int)API_HOOKS; i++) {
    struct api_hook *h = &tile->hooks[i];
    if (h->call) continue;
    int handle = sim_log_attach(&tile->tile.unsaved.log, forward, h, (uint32_t)mask);
    if (handle < 0) break;
    *h = (struct api_hook){.call = hook, .context = context, .handle = handle};
    if (number) *number = i;
    return api_ok(tile);
  }
  return api_refuse(tile, TESSERA_INVALID, "there are %u hooks", API_HOOKS);
}

enum tessera_result tessera_tile_unhook(struct tessera_tile *tile, int number) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (number < 0 || number >= (int)API_HOOKS || !tile->hooks[number].call)
    return api_refuse(tile, TESSERA_INVALID, "no hook %d", number);
  sim_log_detach(&tile->tile.unsaved.log, tile->hooks[number].handle);
  memset(&tile->hooks[number], 0, sizeof tile->hooks[number]);
  return api_ok(tile);
}

enum tessera_result tessera_tile_request_stop(struct tessera_tile *tile) {
  if (!api_is_read_tile(tile)) return TESSERA_INVALID;
  sim_stop(&tile->tile.engine);
  return TESSERA_OK;
}

size_t tessera_trace_text(const struct tessera_tile *tile, const struct tessera_event *event, char *text, size_t size) {
  if (text && size) text[0] = '\0';
  if (!api_is_tile(tile) || !event || (unsigned)event->kind >= TESSERA_EVENT_KINDS || (!text && size)) return 0;
  bool of_core = event->agent >= TX_AGENT_TRISC0 && event->agent <= TX_AGENT_NCRISC;
  if ((event->kind == TESSERA_EVENT_CORE || event->kind == TESSERA_EVENT_CORE_WAIT) && !of_core) return 0;
  struct sim_event e = {
      .at = event->cycle, .kind = (uint32_t)event->kind, .agent = event->agent, .a = event->a, .b = event->b, .c = event->c};
  return obs_trace_line(&tile->tile, &e, NULL, text, size);
}

/* --- traces as files --- */

struct api_trace {
  tessera_write_fn *write;
  void *context;
  struct obs_tracer tracer;
};

static bool pass_on(void *context, const void *bytes, size_t size) {
  const struct api_trace *trace = context;
  return trace->write(trace->context, bytes, size) == 0;
}

/* A thread belongs to its T core. */
static uint32_t agents_of(unsigned cores) {
  uint32_t agents = 0;
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (cores && !(cores >> core & 1u)) continue;
    agents |= 1u << (TX_AGENT_TRISC0 + core);
    if (core < TX_THREADS) agents |= 1u << tx_agent_of_thread(core);
  }
  return agents;
}

static bool part_is_good(const struct tessera_trace_options *o) {
  if (!o->part) return true;
  return (o->format == TESSERA_TRACE_PERFETTO || o->format == TESSERA_TRACE_CHROME) && o->part <= OBS_PARTS_MAX && o->title;
}

enum tessera_result tessera_tile_trace(struct tessera_tile *tile, const struct tessera_trace_options *options,
                                       tessera_write_fn *write, void *context) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!options || !write || (unsigned)options->format >= TESSERA_TRACE_FORMATS || options->cores >> TX_CORES ||
      !part_is_good(options))
    return api_refuse(tile, TESSERA_INVALID, "no such trace");
  struct api_trace **place = options->format == TESSERA_TRACE_COMPACT ? &tile->timeline : &tile->trace;
  if (*place) return api_refuse(tile, TESSERA_INVALID, "the tile is being traced already");
  struct api_trace *trace = malloc(sizeof *trace);
  if (!trace) return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  trace->write = write;
  trace->context = context;
  struct obs_trace_options inside = {.format = (enum obs_trace_format)options->format,
                                     .from = options->from,
                                     .to = options->to ? options->to : SIM_NEVER - 1,
                                     .agents = agents_of(options->cores),
                                     .part = options->part,
                                     .title = options->title,
                                     .program = &tile->program,
                                     .write = pass_on,
                                     .context = trace};
  const bool entered = api_enter_tile(tile);
  const bool begun = entered && obs_tracer_begin(&trace->tracer, &tile->tile, &inside);
  if (entered) api_leave(&tile->handle);
  if (begun) {
    *place = trace;
    return api_ok(tile);
  }
  free(trace);
  if (!entered) return TESSERA_INVALID;
  return api_refuse(tile, TESSERA_INVALID, "the tile already has the maximum number of observers");
}

enum tessera_result tessera_tile_trace_end(struct tessera_tile *tile) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  struct api_trace **place = tile->trace ? &tile->trace : &tile->timeline;
  if (!*place) return api_refuse(tile, TESSERA_INVALID, "the tile is not being traced");
  if (!api_enter_tile(tile)) return TESSERA_INVALID;
  bool good = obs_tracer_end(&(*place)->tracer, api_account_end(tile, SIM_NEVER));
  api_leave(&tile->handle);
  free(*place);
  *place = NULL;
  return good ? api_ok(tile) : api_refuse(tile, TESSERA_REFUSED, "the trace could not be written completely");
}

void api_forget_trace(struct tessera_tile *tile) {
  free(tile->trace);
  free(tile->timeline);
  tile->trace = tile->timeline = NULL;
}
