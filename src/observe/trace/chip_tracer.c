/* The tracer of chip_tracer.h. */
#include "observe/trace/chip_tracer.h"

#include "sim/format.h"

enum direction { SENDS, RECEIVES, DIRECTIONS };
enum { TRACK_DRAM = CHIP_TILES * CHIP_NOCS * DIRECTIONS, TRACKS = TRACK_DRAM + CHIP_DRAMS };
_Static_assert(TRACKS <= OBS_TRACKS_MAX, "tracks of a chip");

/* One packet and its receiver, by NoC 0 coordinates. */
struct journey {
  const struct noc_packet *packet;
  const struct chip_slot *from, *to;
  unsigned hops;
  struct slice {
    sim_time begin, end;
  } link;                   /* when it occupies the link into the receiver, cut at the begin and the end of the trace */
  bool departs, arrives;    /* in the trace: an arrow has both */
  uint16_t sends, receives; /* tracks */
};

static uint16_t track_of(unsigned tile, unsigned noc, enum direction direction) {
  return (uint16_t)((tile * CHIP_NOCS + noc) * DIRECTIONS + direction);
}

static void track_name(const void *machine, unsigned track, char *text, size_t size) {
  if (track >= TRACK_DRAM) {
    sim_format(text, size, "DRAM %u", track - TRACK_DRAM);
    return;
  }
  const struct chip_slot *slot = &chip_grid(machine)->slot[track / DIRECTIONS / CHIP_NOCS];
  sim_format(text, size, "(%u,%u) NoC %u %s", slot->x, slot->y, track / DIRECTIONS % CHIP_NOCS,
             track % DIRECTIONS == SENDS ? "sends" : "receives");
}

static bool track_counts(unsigned track) {
  (void)track;
  return false;
}

static const struct obs_tracks noc_tracks = {"NoCs (1 ns is one cycle)", track_name, track_counts};

/* --- the cycles of the trace --- */

/* false: it is outside. */
static bool cut(const struct obs_chip_tracer *w, struct slice *s) {
  const struct obs_trace_options *o = &w->out.options;
  if (s->end <= o->from || s->begin > o->to) return false;
  if (s->begin < o->from) s->begin = o->from;
  if (s->end > o->to + 1) s->end = o->to + 1;
  return true;
}

/* Does what begins in this cycle belong to the trace? */
static bool wanted(const struct obs_chip_tracer *w, sim_time at) {
  return at >= w->out.options.from && at <= w->out.options.to;
}

/* --- text --- */

static void text_line(struct obs_chip_tracer *w, const struct journey *j) {
  const struct noc_packet *p = j->packet;
  obs_tracer_printf(&w->out, "%12llu %12llu  NoC %u  (%u,%u) to (%u,%u)  %u hops  %s, %u bytes at 0x%llx\n",
                    (unsigned long long)p->departs, (unsigned long long)p->arrives, p->noc, j->from->x, j->from->y, j->to->x,
                    j->to->y, j->hops, noc_kind_name(p->kind), p->length, (unsigned long long)p->address);
}

/* --- Chrome --- */

/* The track's number; its name precedes its first event. */
static unsigned chrome_track(struct obs_chip_tracer *w, unsigned track) {
  char name[64];
  if (!w->out.declared[track]) {
    track_name(w->chip, track, name, sizeof name);
    obs_tracer_printf(&w->out, ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":\"%s\"}}",
                      track + 1, name);
  }
  w->out.declared[track] = true;
  return track + 1;
}

static void chrome_slice(struct obs_chip_tracer *w, const struct journey *j, unsigned track, sim_time from,
                         uint32_t cycles) {
  const struct noc_packet *p = j->packet;
  unsigned number = chrome_track(w, track);
  obs_tracer_printf(
      &w->out,
      ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"dur\":%u,\"name\":\"%s\",\"args\":{\"from\":\"(%u,%u)\","
      "\"to\":\"(%u,%u)\",\"bytes\":%u,\"hops\":%u,\"address\":\"0x%llx\"}}",
      number, (unsigned long long)from, cycles, noc_kind_name(p->kind), j->from->x, j->from->y, j->to->x, j->to->y,
      p->length, j->hops, (unsigned long long)p->address);
}

static void chrome_arrow(struct obs_chip_tracer *w, const char *end, unsigned track, sim_time at) {
  unsigned number = chrome_track(w, track);
  obs_tracer_printf(&w->out,
                    ",\n{\"ph\":%s,\"cat\":\"noc\",\"name\":\"packet\",\"id\":%llu,\"pid\":1,\"tid\":%u,\"ts\":%llu}", end,
                    (unsigned long long)w->count, number, (unsigned long long)at);
}

static void chrome_events(struct obs_chip_tracer *w, const struct journey *j, bool departure) {
  const struct noc_packet *p = j->packet;
  bool arrow = j->departs && j->arrives;
  if (departure) chrome_slice(w, j, j->sends, p->departs, 1);
  if (arrow) chrome_arrow(w, "\"s\"", j->sends, p->departs);
  if (j->arrives) chrome_slice(w, j, j->receives, j->link.begin, (uint32_t)(j->link.end - j->link.begin));
  if (arrow) chrome_arrow(w, "\"f\",\"bp\":\"e\"", j->receives, j->link.begin);
}

/* --- Perfetto --- */

static void perfetto_mark(struct obs_chip_tracer *w, const struct journey *j, enum direction direction, const char *name) {
  const struct noc_packet *p = j->packet;
  char note[128];
  sim_format(note, sizeof note, "(%u,%u) to (%u,%u), %u hops, %u bytes at 0x%llx", j->from->x, j->from->y, j->to->x,
             j->to->y, j->hops, p->length, (unsigned long long)p->address);
  obs_perfetto_mark(&w->out, &(struct obs_mark){.at = direction == SENDS ? p->departs : j->link.begin,
                                                .type = direction == SENDS ? OBS_MARK_INSTANT : OBS_MARK_BEGIN,
                                                .track = direction == SENDS ? j->sends : j->receives,
                                                .name = name,
                                                .number = -1,
                                                .note = note,
                                                .flow = j->departs && j->arrives ? w->count : 0,
                                                .flow_ends = direction == RECEIVES});
}

/* Departures are instants: packets of one sender are not reported in the order of their departure, and viewers would nest
 * overlapping slices. */
static void perfetto_events(struct obs_chip_tracer *w, const struct journey *j, bool departure) {
  const char *name = noc_kind_name(j->packet->kind);
  if (j->departs) perfetto_mark(w, j, SENDS, departure ? name : "broadcast");
  if (!j->arrives) return;
  perfetto_mark(w, j, RECEIVES, name);
  obs_perfetto_mark(&w->out,
                    &(struct obs_mark){.at = j->link.end, .type = OBS_MARK_END, .track = j->receives, .number = -1});
}

/* --- accesses of a DRAM controller --- */

static void perfetto_burst(struct obs_chip_tracer *w, const struct chip_burst *b, uint16_t track, struct slice s) {
  char note[64];
  sim_format(note, sizeof note, "%u bytes at 0x%llx", b->bytes, (unsigned long long)b->address);
  obs_perfetto_mark(&w->out, &(struct obs_mark){.at = s.begin,
                                                .type = OBS_MARK_BEGIN,
                                                .track = track,
                                                .name = b->write ? "write" : "read",
                                                .number = -1,
                                                .note = note});
  obs_perfetto_mark(&w->out, &(struct obs_mark){.at = s.end, .type = OBS_MARK_END, .track = track, .number = -1});
}

static void write_burst(struct obs_chip_tracer *w, const struct chip_burst *b) {
  struct slice s = {b->start, b->start + b->cycles};
  if (w->out.options.format == OBS_TRACE_TEXT ? !wanted(w, b->start) : !cut(w, &s)) return;
  const char *name = b->write ? "write" : "read";
  uint16_t track = (uint16_t)(TRACK_DRAM + b->controller % CHIP_DRAMS);
  switch (w->out.options.format) {
    case OBS_TRACE_PERFETTO: perfetto_burst(w, b, track, s); break;
    case OBS_TRACE_CHROME:
      obs_tracer_printf(&w->out,
                        ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"dur\":%u,\"name\":\"%s\",\"args\":"
                        "{\"bytes\":%u,\"address\":\"0x%llx\"}}",
                        chrome_track(w, track), (unsigned long long)s.begin, (unsigned)(s.end - s.begin), name, b->bytes,
                        (unsigned long long)b->address);
      break;
    default:
      obs_tracer_printf(&w->out, "%12llu %12llu  DRAM %u  %s, %u bytes at 0x%llx\n", (unsigned long long)b->start,
                        (unsigned long long)(b->start + b->cycles), b->controller, name, b->bytes,
                        (unsigned long long)b->address);
  }
}

/* --- the tracer --- */

void obs_chip_tracer_begin(struct obs_chip_tracer *w, const struct chip *chip, const struct obs_trace_options *options) {
  *w = (struct obs_chip_tracer){.chip = chip};
  obs_tracer_open(&w->out, options, &noc_tracks, chip);
  if (options->format == OBS_TRACE_TEXT)
    obs_tracer_printf(
        &w->out, "#    departs      arrives  NoC, places of NoC 0, hops, what; of DRAM: begins, ends, controller, what\n");
  if (options->format == OBS_TRACE_CHROME)
    obs_tracer_printf(&w->out, "\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"NoCs\"}}");
  obs_tracer_flush(&w->out); /* parts of the file may follow at once */
}

static void write_packet(struct obs_chip_tracer *w, const struct noc_packet *p, unsigned tile, uint32_t cycles) {
  unsigned x, y;
  struct slice link = {p->arrives - (cycles ? cycles : 1), p->arrives};
  bool departs = wanted(w, p->departs), arrives = cut(w, &link);
  if (!departs && (!arrives || w->out.options.format == OBS_TRACE_TEXT)) return;
  chip_raw_of_tile(p->noc, tile, &x, &y);
  const struct journey j = {.packet = p,
                            .from = &chip_grid(w->chip)->slot[p->tile],
                            .to = &chip_grid(w->chip)->slot[tile],
                            .hops = chip_network_hops(p->noc, p->source, (struct noc_place){(uint8_t)x, (uint8_t)y}),
                            .link = link,
                            .departs = departs,
                            .arrives = arrives,
                            .sends = track_of(p->tile, p->noc, SENDS),
                            .receives = track_of(tile, p->noc, RECEIVES)};
  uint64_t *sent = &w->sent[p->tile][p->noc];
  bool departure = departs && *sent != p->sequence + 1; /* of a broadcast once */
  *sent = p->sequence + 1;
  w->count++;
  switch (w->out.options.format) {
    case OBS_TRACE_PERFETTO: perfetto_events(w, &j, departure); break;
    case OBS_TRACE_CHROME: chrome_events(w, &j, departure); break;
    default: text_line(w, &j); break;
  }
}

/* --- what is not over --- */

static void write_first(struct obs_chip_tracer *w) {
  const struct obs_chip_held *h = &w->held[w->first];
  if (h->burst) write_burst(w, &h->access);
  else write_packet(w, &h->packet, h->tile, h->cycles);
  w->first = (w->first + 1) % OBS_CHIP_HELD_MAX;
  w->held_count--;
}

static struct obs_chip_held *hold(struct obs_chip_tracer *w) {
  const sim_time now = chip_now(w->chip);
  while (w->held_count && w->held[w->first].until <= now) write_first(w);
  if (w->held_count == OBS_CHIP_HELD_MAX) write_first(w);
  return &w->held[(w->first + w->held_count++) % OBS_CHIP_HELD_MAX];
}

void obs_chip_tracer_packet(struct obs_chip_tracer *w, const struct noc_packet *p, unsigned tile, uint32_t cycles) {
  *hold(w) = (struct obs_chip_held){.until = p->arrives, .tile = tile, .cycles = cycles, .packet = *p};
}

void obs_chip_tracer_burst(struct obs_chip_tracer *w, const struct chip_burst *b) {
  *hold(w) = (struct obs_chip_held){.until = b->start + b->cycles, .burst = true, .access = *b};
}

void obs_chip_tracer_stop(struct obs_chip_tracer *w, sim_time at) {
  if (at < w->out.options.to) w->out.options.to = at;
}

bool obs_chip_tracer_end(struct obs_chip_tracer *w) {
  while (w->held_count) write_first(w);
  return obs_tracer_close(&w->out);
}
