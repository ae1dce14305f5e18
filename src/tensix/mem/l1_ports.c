/* The ports and banks of l1_ports.h: the first free time of each, instead of an agent that arbitrates every cycle. */
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

/* Parked cores that poll while a request holds their port or bank go on, in phase, and wait as if they had never been parked. */
__attribute__((noinline)) static void wake_delayed(struct tx_tile *t, unsigned core, uint32_t address, sim_time at,
                                                   uint32_t hold) {
  for (uint64_t parked = t->engine.parked & cores; parked; parked &= parked - 1) {
    unsigned agent = (unsigned)__builtin_ctzll(parked), poller = agent - TX_AGENT_TRISC0;
    bool bank = tx_l1_port_of(poller) != tx_l1_port_of(core);
    if (!polls(t, poller, address, at, hold, bank)) continue;
    t->core[poller].spin.seen = 0; /* not parked again at once */
    sim_sleep_until(&t->engine, agent, t->engine.now + 1);
  }
}

/* --- round robin among the requests of one cycle --- */

/* The parked core that polls in this cycle and had the port longer ago. */
__attribute__((noinline)) static bool parked_first(const struct tx_tile *t, unsigned core, sim_time at) {
  for (uint64_t parked = t->engine.parked & cores; parked; parked &= parked - 1) {
    unsigned poller = (unsigned)__builtin_ctzll(parked) - TX_AGENT_TRISC0;
    if (poller == core || tx_l1_port_of(poller) != tx_l1_port_of(core) || !polls(t, poller, 0, at, 1, false)) continue;
    if (at < t->l1_ports.granted[core] + t->core[poller].spin.period) return true;
  }
  return false;
}

void tx_l1_keep(struct tx_tile *t, unsigned core, sim_time at) {
  enum tx_l1_port port = tx_l1_port_of(core);
  if (t->l1_ports.port_free[port] > at) return;
  t->l1_ports.port_free[port] = at + 1;
  t->l1_ports.kept_at[port] = at;
  t->l1_ports.kept_for[port] = core;
}

/* --- grants --- */

static sim_time grant(struct tx_tile *t, unsigned core, uint32_t address, sim_time at, uint32_t hold) {
  struct tx_l1_ports *p = &t->l1_ports;
  enum tx_l1_port port = tx_l1_port_of(core);
  unsigned bank = tx_l1_bank(address);
  bool kept = p->kept_at[port] == at && p->kept_for[port] == core;
  sim_time free = kept ? at : p->port_free[port];
  at = later_of(at, later_of(free, p->bank_free[bank]));
  if (t->engine.parked & cores) {
    if (parked_first(t, core, at)) at++;
    wake_delayed(t, core, address, at, hold);
  }
  p->port_free[port] = later_of(p->port_free[port], at + hold);
  p->bank_free[bank] = at + hold;
  p->granted[core] = at;
  return at;
}

sim_time tx_l1_grant_read(struct tx_tile *t, unsigned core, uint32_t address, sim_time at) {
  struct tx_l1_ports *p = &t->l1_ports;
  enum tx_l1_port port = tx_l1_port_of(core);
  sim_time *oldest = &p->read_back[port][p->read_next[port]];
  at = grant(t, core, address, later_of(at, *oldest), 1);
  *oldest = at + t->params.l1_load_slot_cycles;
  p->read_next[port] = (p->read_next[port] + 1) % TX_L1_READS;
  return at;
}

sim_time tx_l1_grant_write(struct tx_tile *t, unsigned core, uint32_t address, sim_time at, uint32_t hold_cycles) {
  return grant(t, core, address, at, hold_cycles);
}
