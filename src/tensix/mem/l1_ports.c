/* The ports and banks of l1_ports.h. */
#include "tensix/mem/l1_ports.h"

#include "tensix/lap_notes.h"

static const uint64_t cores = ((UINT64_C(1) << TX_CORES) - 1u) << TX_AGENT_TRISC0;

static sim_time later_of(sim_time a, sim_time b) { return a > b ? a : b; }

/* --- polls of parked cores --- */

/* Does a parked core poll in [from, from + cycles), at the port or, with `bank`, at the bank of `address`? */
static bool polls(const struct tx_tile *t, unsigned core, uint32_t address, sim_time from, uint32_t cycles, bool bank) {
  const struct tx_core_spin *s = &t->core[core].spin;
  if (!s->parked || !t->engine.agents[TX_AGENT_TRISC0 + core].park_count || !s->period) return false;
  for (uint32_t i = 0; i < s->count; i++) {
    sim_time first = s->at + (i ? s->offsets[i] : 0);
    if (s->keys[i] >= t->l1_bytes || (bank && tx_l1_bank(s->keys[i]) != tx_l1_bank(address))) continue;
    sim_time since = from >= first ? (from - first) % s->period : 0, next = from >= first ? from - since : first;
    if (since) next += s->period;
    if (next < from + cycles) return true;
  }
  return false;
}

/* Wakes, in phase, parked cores that poll while a request occupies their port or bank; they wait as if they had not been
 * parked. */
__attribute__((noinline)) static void wake_delayed(struct tx_tile *t, enum tx_l1_port port, uint32_t address, sim_time at,
                                                   uint32_t hold) {
  for (uint64_t parked = t->engine.parked & cores; parked; parked &= parked - 1) {
    unsigned agent = (unsigned)__builtin_ctzll(parked), poller = agent - TX_AGENT_TRISC0;
    if (!polls(t, poller, address, at, hold, tx_l1_port_of(poller) != port)) continue;
    if (tx_lap_noting(t) && !tx_lap_note_request(t)) continue;
    t->core[poller].spin.seen = 0; /* it polls once more before it is parked */
    sim_sleep_until(&t->engine, agent, t->engine.now + 1);
  }
}

/* A parked core polls in this cycle and was granted the port longer ago. */
__attribute__((noinline)) static bool parked_first(const struct tx_tile *t, unsigned core, sim_time at) {
  for (uint64_t parked = t->engine.parked & cores; parked; parked &= parked - 1) {
    unsigned poller = (unsigned)__builtin_ctzll(parked) - TX_AGENT_TRISC0;
    if (poller == core || tx_l1_port_of(poller) != tx_l1_port_of(core) || !polls(t, poller, 0, at, 1, false)) continue;
    if (at < t->l1_ports.client[core].granted + t->core[poller].spin.period) return true;
  }
  return false;
}

/* --- round robin --- */

/* Another core that has waited repeats its request later in this cycle and wins: it was granted the port longer ago, or
 * waits for the bank that this port used last. */
static bool other_first(const struct tx_tile *t, const struct tx_l1_request *r, sim_time now) {
  const struct tx_l1_ports *p = &t->l1_ports;
  enum tx_l1_port port = tx_l1_port_of(r->core);
  unsigned bank = tx_l1_bank(r->address);
  for (unsigned other = r->core + 1; other < TX_CORES; other++) {
    if (p->client[other].retry_at != now) continue;
    if (tx_l1_port_of(other) == port) {
      if (p->client[other].granted < p->client[r->core].granted) return true;
    } else if (p->client[other].bank == bank + 1 && p->bank_last[bank] == port) {
      return true;
    }
  }
  return false;
}

/* The time until which another core occupies the port, because it waits there for its bank. */
static sim_time head_until(const struct tx_tile *t, const struct tx_l1_request *r, sim_time now) {
  const struct tx_l1_ports *p = &t->l1_ports;
  for (unsigned other = 0; other < TX_CORES; other++)
    if (other != r->core && p->client[other].retry_at > now && p->client[other].bank &&
        tx_l1_port_of(other) == tx_l1_port_of(r->core))
      return p->client[other].retry_at;
  return 0;
}

/* --- streams --- */

/* A request that was granted in cycle `at`. */
struct tx_l1_held {
  enum tx_l1_port port;
  unsigned bank;
  sim_time at;
  uint32_t hold;
};

static void put_end(struct tx_l1_ports *p, struct tx_l1_stream *s, sim_time until) {
  s->until = until;
  if (until > p->streams_until) p->streams_until = until;
}

void tx_l1_stream(struct tx_tile *t, enum tx_l1_streamer unit, uint32_t address, uint32_t rate, sim_time from,
                  sim_time until) {
  struct tx_l1_ports *p = &t->l1_ports;
  struct tx_l1_stream *s = &p->stream[unit][p->stream_next[unit]];
  p->stream_next[unit] = (p->stream_next[unit] + 1) % TX_L1_PLANNED;
  *s = (struct tx_l1_stream){.from = from, .line = address >> 4, .rate = rate > 16 ? rate / 16 : 1};
  put_end(p, s, until);
}

sim_time tx_l1_stream_niu(struct tx_tile *t, unsigned noc, bool write, uint32_t address, uint32_t flits, sim_time from) {
  struct tx_l1_ports *p = &t->l1_ports;
  enum tx_l1_streamer unit = (enum tx_l1_streamer)(TX_L1_NIU_0_READ + 2u * write + noc);
  uint32_t oldest = p->stream_next[unit];
  struct tx_l1_stream *last = &p->stream[unit][(oldest + TX_L1_PLANNED - 1) % TX_L1_PLANNED];
  from = later_of(from, last->until);
  if (p->stream[unit][oldest].until <= t->engine.now) tx_l1_stream(t, unit, address, TX_L1_NIU_BYTES, from, from + flits);
  else put_end(p, last, from + flits);
  return from;
}

static bool wants(const struct tx_l1_stream *s, unsigned bank, sim_time at) {
  uint32_t first = s->line + (uint32_t)(at - s->from) * s->rate;
  return ((bank - first) & (TX_L1_BANKS - 1)) < s->rate;
}

/* Cycles for which a stream of an unpacker or of the packer waits for the bank: from its first use of the bank until the bank is free. A stream that
 * waits already has read the other lines of that cycle. */
static uint32_t bank_delay(const struct tx_l1_stream *s, unsigned bank, sim_time at, uint32_t hold) {
  sim_time c = later_of(at, s->from);
  if (at <= s->resume) c = s->resume + 1;
  for (; c < at + hold && c < s->until; c++)
    if (wants(s, bank, c)) return (uint32_t)(at + hold - c);
  return 0;
}

/* A stream needs the bank in cycle `at`, and another client has used it since the stream's last use. Without this rule
 * a core that always stores to one bank would stop a stream. */
static bool goes_first(const struct tx_l1_ports *p, const struct tx_l1_stream *s, unsigned bank, sim_time at) {
  if (at < s->from || at < s->resume || at >= s->until || !wants(s, bank, at)) return false;
  sim_time round = TX_L1_BANKS / s->rate; /* cycles from one visit of a bank to the next */
  return p->bank_free[bank] > (at - s->from >= round ? at - round : 0);
}

__attribute__((noinline)) static bool stream_first(const struct tx_l1_ports *p, unsigned bank, sim_time at) {
  for (unsigned unit = 0; unit < TX_L1_OWN_PORTS; unit++)
    for (unsigned i = 0; i < TX_L1_PLANNED; i++)
      if (goes_first(p, &p->stream[unit][i], bank, at)) return true;
  return false;
}

/* --- incoming packets --- */

/* A packet as a stream. `delay` cycles have been added to its time by the banks so far. */
static struct tx_l1_stream stream_of(const struct tx_l1_ports *p, const struct tx_incoming *in) {
  const struct tx_l1_niu *niu = &p->niu[in->noc];
  sim_time until = in->arrives + niu->delay;
  return (struct tx_l1_stream){.from = until - in->flits,
                               .until = until,
                               .resume = niu->resume,
                               .line = (uint32_t)(in->address >> 4),
                               .rate = TX_L1_NIU_BYTES / 16};
}

/* A narrow access meets the packets: does one of their flits precede it? */
__attribute__((noinline)) static bool incoming_first(const struct tx_tile *t, unsigned bank, sim_time at) {
  const struct tx_network *n = &t->unsaved.network;
  struct tx_incoming in;
  for (unsigned i = 0; n->incoming(n->net, i, &in); i++) {
    if (!in.flits) continue;
    const struct tx_l1_stream s = stream_of(&t->l1_ports, &in);
    if (goes_first(&t->l1_ports, &s, bank, at)) return true;
  }
  return false;
}

/* A narrow access occupies its bank: flits of a packet that is arriving wait if they reach that bank. Packets of one NoC share its ports. */
__attribute__((noinline)) static void hold_incoming(struct tx_tile *t, const struct tx_l1_held *h) {
  const struct tx_network *n = &t->unsaved.network;
  uint32_t most[TX_NOCS] = {0};
  struct tx_incoming in;
  for (unsigned i = 0; n->incoming(n->net, i, &in); i++) {
    if (!in.flits) continue;
    const struct tx_l1_stream s = stream_of(&t->l1_ports, &in);
    if (h->at < s.from || h->at >= s.until) continue; /* a later packet may not be known yet: that depends on the windows */
    uint32_t delay = bank_delay(&s, h->bank, h->at, h->hold);
    if (delay > most[in.noc]) most[in.noc] = delay;
  }
  for (unsigned noc = 0; noc < TX_NOCS; noc++) {
    if (!most[noc]) continue;
    t->l1_ports.niu[noc].delay += most[noc];
    t->l1_ports.niu[noc].resume = h->at + h->hold;
  }
}

/* Streams and packets that precede a narrow access at its bank in cycle `at` postpone it by one cycle. */
static sim_time after_streams(const struct tx_tile *t, unsigned bank, sim_time at) {
  if (at < t->l1_ports.streams_until && stream_first(&t->l1_ports, bank, at)) return at + 1;
  return t->unsaved.network.incoming && incoming_first(t, bank, at) ? at + 1 : at;
}

/* A mover that moves eight lines in eleven cycles is delayed by eight elevenths of a core's use of its port. */
static uint32_t port_delay(struct tx_l1_ports *p, enum tx_l1_streamer unit, uint32_t hold) {
  uint32_t parts = p->elevenths[unit] + 8 * hold;
  p->elevenths[unit] = parts % 11;
  return parts / 11;
}

static uint32_t delay_of(struct tx_l1_ports *p, unsigned unit, const struct tx_l1_stream *s, const struct tx_l1_held *h) {
  static const enum tx_l1_streamer movers[TX_L1_PORTS + 1] = {TX_L1_MOVER_READ, TX_L1_MOVER_WRITE, TX_L1_STREAMERS};
  if (h->at + h->hold <= s->from || h->at >= s->until) return 0;
  if (unit == (unsigned)movers[h->port]) return port_delay(p, movers[h->port], h->hold);
  return unit < TX_L1_OWN_PORTS ? bank_delay(s, h->bank, h->at, h->hold) : 0;
}

/* The rest of the stream is delayed by that. */
static void put_off(struct tx_l1_ports *p, struct tx_l1_stream *s, uint32_t delay) {
  s->from += delay;
  put_end(p, s, s->until + delay);
}

/* The next stream of a unit begins at the end of the stream before it. The one cycle of a load delays only a mover. */
__attribute__((noinline)) static void hold_streams(struct tx_l1_ports *p, const struct tx_l1_held *h) {
  for (unsigned unit = h->hold > 1 ? 0 : TX_L1_OWN_PORTS; unit < TX_L1_STREAMERS; unit++) {
    sim_time ended = 0;
    for (unsigned i = 0; i < TX_L1_PLANNED; i++) {
      struct tx_l1_stream *s = &p->stream[unit][(p->stream_next[unit] + i) % TX_L1_PLANNED];
      if (s->until <= h->at) continue;
      if (s->from < ended) put_off(p, s, (uint32_t)(ended - s->from));
      uint32_t delay = delay_of(p, unit, s, h);
      if (delay) s->resume = h->at + h->hold;
      put_off(p, s, delay);
      p->delay[unit] += delay;
      ended = s->until;
    }
  }
}

static void hold_units(struct tx_tile *t, const struct tx_l1_held *h) {
  if (h->at < t->l1_ports.streams_until) hold_streams(&t->l1_ports, h);
  if (h->hold > 1 && t->unsaved.network.incoming) hold_incoming(t, h);
}

/* --- grants --- */

void tx_l1_yield(struct tx_tile *t, unsigned core, sim_time at) {
  t->l1_ports.client[core].retry_at = at;
  t->l1_ports.client[core].bank = 0;
}

static bool refuse(struct tx_tile *t, const struct tx_l1_request *r, sim_time retry, unsigned bank, sim_time *at) {
  tx_l1_yield(t, r->core, retry);
  t->l1_ports.client[r->core].bank = bank;
  *at = retry;
  return false;
}

void tx_l1_occupy(struct tx_tile *t, const struct tx_l1_request *r, sim_time at) {
  struct tx_l1_ports *p = &t->l1_ports;
  enum tx_l1_port port = tx_l1_port_of(r->core);
  unsigned bank = tx_l1_bank(r->address);
  p->port_free[port] = p->bank_free[bank] = at + r->hold;
  p->bank_last[bank] = (uint8_t)port;
  if (r->load) {
    p->read_back[port][p->read_next[port]] = at + t->params.l1_load_slot_cycles;
    p->read_next[port] = (p->read_next[port] + 1) % TX_L1_READS;
  }
  hold_units(t, &(struct tx_l1_held){port, bank, at, r->hold});
}

static void take(struct tx_tile *t, const struct tx_l1_request *r, sim_time at) {
  enum tx_l1_port port = tx_l1_port_of(r->core);
  t->l1_ports.client[r->core] = (struct tx_l1_client){.granted = at};
  tx_perf_request(t, port == TX_L1_PORT_2 ? TX_PERF_L1_PORT_2 : TX_PERF_L1_PORT_3, 1, (uint32_t)(at - r->since));
  tx_l1_occupy(t, r, at);
  if (tx_lap_noting(t)) tx_lap_note_grant(t, r->core, r->address, r->hold, r->load, at);
  if (t->engine.parked & cores) wake_delayed(t, port, r->address, at, r->hold);
}

uint32_t tx_l1_request_of_unit(struct tx_tile *t, enum tx_l1_port port, uint32_t address, uint32_t hold) {
  struct tx_l1_ports *p = &t->l1_ports;
  unsigned bank = tx_l1_bank(address);
  if (!t->timing) return 0;
  if (tx_lap_noting(t)) (void)tx_lap_note_request(t);
  sim_time now = t->engine.now, at = later_of(now, p->bank_free[bank]);
  if (port < TX_L1_PORTS) at = later_of(at, p->port_free[port]);
  if (hold > 1) at = after_streams(t, bank, at);
  if (port < TX_L1_PORTS) {
    p->port_free[port] = at + hold;
    p->bank_last[bank] = (uint8_t)port;
    tx_perf_request(t, TX_PERF_L1_PORT_2, 1, (uint32_t)(at - now));
  }
  p->bank_free[bank] = at + hold;
  hold_units(t, &(struct tx_l1_held){port, bank, at, hold});
  if (t->engine.parked & cores) wake_delayed(t, port, address, at, hold);
  return (uint32_t)(at - now);
}

bool tx_l1_grant(struct tx_tile *t, const struct tx_l1_request *r, sim_time *at) {
  const struct tx_l1_ports *p = &t->l1_ports;
  enum tx_l1_port port = tx_l1_port_of(r->core);
  sim_time now = t->engine.now, free = later_of(r->since, p->port_free[port]);
  if (r->load) free = later_of(free, p->read_back[port][p->read_next[port]]);
  if (free > now) return refuse(t, r, free, 0, at);
  sim_time head = head_until(t, r, now), bank = later_of(free, p->bank_free[tx_l1_bank(r->address)]);
  if (head) return refuse(t, r, head, 0, at);
  if (other_first(t, r, now)) return refuse(t, r, now + 1, 0, at);
  if (r->hold > 1) bank = after_streams(t, tx_l1_bank(r->address), bank);
  if (bank > now) return refuse(t, r, bank, 1 + tx_l1_bank(r->address), at);
  if ((t->engine.parked & cores) && parked_first(t, r->core, bank)) return refuse(t, r, now + 1, 0, at);
  take(t, r, bank);
  *at = bank;
  return true;
}
