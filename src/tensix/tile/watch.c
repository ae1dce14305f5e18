/* The watches of watch.h. */
#include "tensix/tile/watch.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/tile/control.h"
#include "tensix/tile/noc.h"
#include "tensix/tile/outside.h"

static unsigned agent_of(unsigned number) { return TX_AGENT_WATCH + number; }

/* Software interrupts are read without clearing them. */
static bool holds(struct tx_tile *t, const struct tx_watch_word *w) {
  uint8_t raw[4];
  uint32_t pic = (w->address - TX_ADDR_PIC) / 4;
  if (w->address >= TX_ADDR_PIC && pic < TX_PIC_WORDS) return (t->pic.word[pic] & w->mask) == (w->value & w->mask);
  if (!tx_outside_read(t, w->address, raw, 4)) return false;
  uint32_t now = (uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
  return (now & w->mask) == (w->value & w->mask);
}

static bool all_hold(struct tx_tile *t, const struct tx_watch *w) {
  for (unsigned i = 0; i < w->count; i++)
    if (!holds(t, &w->word[i])) return false;
  return true;
}

static void park(struct tx_tile *t, unsigned number) {
  const struct tx_watch *w = &t->watch[number];
  uint32_t keys[TX_WATCH_WORDS];
  for (unsigned i = 0; i < w->count; i++) keys[i] = w->word[i].address;
  sim_park(&t->engine, agent_of(number), keys, w->count, t->engine.now + 1, 1);
}

/* pc snapshots and local RAMs: the engine is not signalled when they are written. */
static bool tells(uint32_t address, uint32_t length) {
  bool local = address >= TX_ADDR_PC_SNAPSHOT && address < TX_ADDR_LOCAL_SLOW + TX_LOCAL_SLOW_BYTES;
  return !local && tx_outside_visible(address, length) && !tx_control_moves(address);
}

static int add(struct tx_tile *t, const struct tx_watch *watch, sim_time at) {
  for (unsigned i = 0; i < TX_WATCHES; i++) {
    if (t->watch[i].kind) continue;
    t->watch[i] = *watch;
    sim_sleep_until(&t->engine, agent_of(i), at);
    return (int)i;
  }
  return -1;
}

int tx_watch_condition(struct tx_tile *t, const struct tx_watch_word *words, unsigned count) {
  struct tx_watch watch = {.kind = TX_WATCH_CONDITION, .armed = 1, .count = count};
  if (count == 0 || count > TX_WATCH_WORDS) return -1;
  for (unsigned i = 0; i < count; i++) {
    if ((words[i].address & 3u) || !tells(words[i].address, 4)) return -1;
    watch.word[i] = words[i];
  }
  int number = add(t, &watch, t->engine.now + 1);
  /* with timing off its first look would be a turn, after which others have another order */
  if (number >= 0 && !t->timing && !all_hold(t, &watch)) park(t, (unsigned)number);
  return number;
}

static uint64_t end_of(uint32_t address, uint32_t length) { return ((uint64_t)address + length + 3u) & ~UINT64_C(3); }

bool tx_watch_range_fits(uint32_t address, uint32_t length) {
  uint32_t first = address & ~3u;
  uint64_t end = end_of(address, length);
  return length && end <= UINT32_MAX && tells(first, (uint32_t)(end - first));
}

int tx_watch_range(struct tx_tile *t, uint32_t address, uint32_t length) {
  struct tx_watch watch = {.kind = TX_WATCH_RANGE, .armed = 1, .parked = 1};
  uint32_t first = address & ~3u;
  uint64_t end = end_of(address, length);
  if (!tx_watch_range_fits(address, length)) return -1;
  watch.word[0].address = first;
  watch.count = (uint32_t)(end - first);
  int number = add(t, &watch, t->engine.now + 1);
  /* at once: a write may come before the agent's first turn */
  if (number >= 0) sim_park_range(&t->engine, agent_of((unsigned)number), first, watch.count);
  return number;
}

int tx_watch_timer(struct tx_tile *t, uint64_t cycle) {
  struct tx_watch watch = {.kind = TX_WATCH_TIMER, .armed = 1};
  return add(t, &watch, cycle > t->engine.now ? cycle : t->engine.now + 1);
}

void tx_watch_remove(struct tx_tile *t, unsigned number) {
  if (number >= TX_WATCHES || !t->watch[number].kind) return;
  memset(&t->watch[number], 0, sizeof t->watch[number]);
  sim_done(&t->engine, agent_of(number));
}

bool tx_watch_met(const struct tx_tile *t) {
  for (unsigned i = 0; i < TX_WATCHES; i++)
    if (t->watch[i].met) return true;
  return false;
}

int tx_watch_take(struct tx_tile *t) {
  for (unsigned i = 0; i < TX_WATCHES; i++) {
    if (!t->watch[i].met) continue;
    t->watch[i].met = 0;
    return (int)i;
  }
  return -1;
}

/* The condition stops the tile once and is then disarmed. */
static void meet(struct tx_tile *t, unsigned number) {
  t->watch[number].met = 1;
  t->watch[number].armed = 0;
  sim_done(&t->engine, agent_of(number));
  sim_stop(&t->engine);
}

static void look_at_condition(struct tx_tile *t, unsigned number) {
  if (all_hold(t, &t->watch[number])) meet(t, number);
  else park(t, number);
}

/* A write causes every call while the agent is parked. */
static void look_at_range(struct tx_tile *t, unsigned number) {
  struct tx_watch *w = &t->watch[number];
  if (w->parked) {
    w->met = 1;
    sim_stop(&t->engine);
  }
  w->parked = 1;
  sim_park_range(&t->engine, agent_of(number), w->word[0].address, w->count);
}

bool tx_watch_look(struct tx_tile *t, unsigned number, uint32_t key) {
  struct tx_watch *w = &t->watch[number];
  if (key >= TX_L1_BYTES || t->ethernet.on || !w->armed) return false;
  if (w->kind == TX_WATCH_CONDITION && !all_hold(t, w)) return true;
  if (w->kind == TX_WATCH_CONDITION) meet(t, number);
  else look_at_range(t, number);
  sim_halt(&t->engine); /* before the next write, which may be due in this cycle too */
  return true;
}

void tx_watch_issue(struct tx_tile *t, unsigned number) {
  struct tx_watch *w = &t->watch[number];
  if (!w->armed) sim_done(&t->engine, agent_of(number));
  else if (w->kind == TX_WATCH_CONDITION) look_at_condition(t, number);
  else if (w->kind == TX_WATCH_RANGE) look_at_range(t, number);
  else meet(t, number);
}
