/* The ports and banks of l1_ports.h. */
#include "tensix/mem/l1_ports.h"

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

void tx_l1_stream(struct tx_tile *t, enum tx_l1_streamer unit, uint32_t address, uint32_t rate, sim_time from,
                  sim_time until) {
  struct tx_l1_ports *p = &t->l1_ports;
  struct tx_l1_stream *s =
      &p->stream[unit][p->stream[unit][0].until > p->stream[unit][1].until]; /* the one that ends first */
  *s = (struct tx_l1_stream){.from = from, .until = until, .line = address >> 4, .rate = rate > 16 ? rate / 16 : 1};
  if (until > p->streams_until) p->streams_until = until;
}

uint32_t tx_l1_take_delay(struct tx_tile *t, enum tx_l1_streamer unit) {
  uint32_t delay = t->l1_ports.delay[unit];
  t->l1_ports.delay[unit] = 0;
  return delay;
}

/* Cycles for which a stream of an unpacker or of the packer waits for the bank: from its first use of the bank until the
 * bank is free. */
static uint32_t bank_delay(const struct tx_l1_stream *s, unsigned bank, sim_time at, uint32_t hold) {
  for (sim_time c = at > s->from ? at : s->from; c < at + hold && c < s->until; c++) {
    uint32_t first = s->line + (uint32_t)(c - s->from) * s->rate;
    if (((bank - first) & (TX_L1_BANKS - 1)) < s->rate) return (uint32_t)(at + hold - c);
  }
  return 0;
}

/* A mover that moves eight lines in eleven cycles is delayed by eight elevenths of a core's use of its port. */
static uint32_t port_delay(struct tx_l1_ports *p, enum tx_l1_streamer unit, uint32_t hold) {
  uint32_t parts = p->elevenths[unit] + 8 * hold;
  p->elevenths[unit] = parts % 11;
  return parts / 11;
}

__attribute__((noinline)) static void hold_streams(struct tx_l1_ports *p, enum tx_l1_port port, uint32_t address,
                                                   sim_time at, uint32_t hold) {
  static const enum tx_l1_streamer movers[TX_L1_PORTS + 1] = {TX_L1_MOVER_READ, TX_L1_MOVER_WRITE, TX_L1_STREAMERS};
  const enum tx_l1_streamer mover = movers[port];
  for (unsigned unit = 0; unit < TX_L1_STREAMERS; unit++) {
    for (unsigned i = 0; i < 2; i++) {
      struct tx_l1_stream *s = &p->stream[unit][i];
      if (at + hold <= s->from || at >= s->until) continue;
      uint32_t delay = 0;
      if (unit == (unsigned)mover) delay = port_delay(p, mover, hold);
      if (unit <= TX_L1_PACKER && hold > 1) delay = bank_delay(s, tx_l1_bank(address), at, hold);
      s->from += delay; /* the rest of it is delayed by that */
      s->until += delay;
      p->delay[unit] += delay;
      if (s->until > p->streams_until) p->streams_until = s->until;
    }
  }
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

static void take(struct tx_tile *t, const struct tx_l1_request *r, sim_time at) {
  struct tx_l1_ports *p = &t->l1_ports;
  enum tx_l1_port port = tx_l1_port_of(r->core);
  unsigned bank = tx_l1_bank(r->address);
  p->port_free[port] = p->bank_free[bank] = at + r->hold;
  p->bank_last[bank] = (uint8_t)port;
  p->client[r->core] = (struct tx_l1_client){.granted = at};
  if (r->load) {
    p->read_back[port][p->read_next[port]] = at + t->params.l1_load_slot_cycles;
    p->read_next[port] = (p->read_next[port] + 1) % TX_L1_READS;
  }
  tx_perf_request(t, port == TX_L1_PORT_2 ? TX_PERF_L1_PORT_2 : TX_PERF_L1_PORT_3, 1, (uint32_t)(at - r->since));
  if (at < p->streams_until) hold_streams(p, port, r->address, at, r->hold);
  if (t->engine.parked & cores) wake_delayed(t, port, r->address, at, r->hold);
}

uint32_t tx_l1_request_of_unit(struct tx_tile *t, enum tx_l1_port port, uint32_t address, uint32_t hold) {
  struct tx_l1_ports *p = &t->l1_ports;
  unsigned bank = tx_l1_bank(address);
  if (!t->timing) return 0;
  sim_time now = t->engine.now, at = later_of(now, p->bank_free[bank]);
  if (port < TX_L1_PORTS) {
    at = later_of(at, p->port_free[port]);
    p->port_free[port] = at + hold;
    p->bank_last[bank] = (uint8_t)port;
    tx_perf_request(t, TX_PERF_L1_PORT_2, 1, (uint32_t)(at - now));
  }
  p->bank_free[bank] = at + hold;
  if (at < p->streams_until) hold_streams(p, port, address, at, hold);
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
  if (bank > now) return refuse(t, r, bank, 1 + tx_l1_bank(r->address), at);
  if ((t->engine.parked & cores) && parked_first(t, r->core, bank)) return refuse(t, r, now + 1, 0, at);
  take(t, r, bank);
  *at = bank;
  return true;
}
