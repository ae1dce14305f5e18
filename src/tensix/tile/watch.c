/* The watched word of watch.h. */
#include "tensix/tile/watch.h"

#include <string.h>

#include "tensix/tile/tile.h"

/* Software interrupts are looked at without taking them away. */
static bool look(struct tx_tile *t) {
  uint8_t raw[4];
  uint32_t pic = (t->watch.address - TX_ADDR_PIC) / 4;
  if (t->watch.address >= TX_ADDR_PIC && pic < TX_PIC_WORDS)
    return (t->pic.word[pic] & t->watch.mask) == (t->watch.value & t->watch.mask);
  if (!tx_outside_read(t, t->watch.address, raw, 4)) return false;
  uint32_t now = (uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
  return (now & t->watch.mask) == (t->watch.value & t->watch.mask);
}

bool tx_watch_set(struct tx_tile *t, uint32_t address, uint32_t mask, uint32_t value) {
  bool local =
      address >= 0xFFB13138u && address < 0xFFB1E000u; /* pc snapshots and local RAMs: nobody tells of their writes */
  if ((address & 3u) || local || !tx_outside_visible(address, 4) || tx_control_moves(address)) return false;
  t->watch = (struct tx_watch){.address = address, .mask = mask, .value = value, .armed = 1};
  sim_sleep_until(&t->engine, TX_AGENT_WATCH, t->engine.now + 1);
  return true;
}

void tx_watch_clear(struct tx_tile *t) {
  memset(&t->watch, 0, sizeof t->watch);
  sim_done(&t->engine, TX_AGENT_WATCH);
}

void tx_watch_issue(struct tx_tile *t) {
  if (!t->watch.armed) {
    sim_done(&t->engine, TX_AGENT_WATCH);
  } else if (look(t)) {
    t->watch.met = 1;
    t->watch.armed = 0;
    sim_done(&t->engine, TX_AGENT_WATCH);
    sim_stop(&t->engine);
  } else {
    sim_park(&t->engine, TX_AGENT_WATCH, &t->watch.address, 1, t->engine.now + 1, 1);
  }
}
