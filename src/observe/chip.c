/* The words of chip.h. */
#include "observe/chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/words.h"
#include "sim/text.h"
#include "tensix/tile/tile.h"

#define TILES_NAMED 12u /* of a hang: more would hide the ones that matter */

void obs_tile_name(const struct chip *c, unsigned tile, char *text, size_t size) {
  const struct chip_slot *slot = &chip_grid(c)->slot[tile];
  snprintf(text, size, "%s (%u,%u), NoC 0 (%u,%u)", chip_kind_name(slot->kind), slot->logical & 63u,
           slot->logical >> 6 & 63u, slot->x, slot->y);
}

/* --- hangs --- */

/* When the tile's latest wait began: who has just stopped is nearer to the cause than who has waited since boot. */
static sim_time last_wait(const struct tx_tile *t) {
  sim_time last = 0;
  for (unsigned agent = 0; agent < TX_AGENT_COUNT; agent++) {
    const struct sim_agent *a = &t->engine.agents[agent];
    if (a->wait.kind && a->state != SIM_AGENT_DONE && a->wait.since >= last) last = a->wait.since + 1;
  }
  return last;
}

struct waiter {
  uint16_t tile;
  sim_time since;
};

static int latest_first(const void *a, const void *b) {
  const struct waiter *x = a, *y = b;
  if (x->since != y->since) return x->since < y->since ? 1 : -1;
  return x->tile < y->tile ? -1 : 1;
}

static const struct tx_tile *cores_of(struct chip *c, unsigned tile) {
  struct chip_endpoint *e = chip_endpoint_peek(c, tile);
  return e && e->ops && e->ops->run ? e->self : NULL;
}

/* Requests whose answer has not come. */
static void add_outstanding(struct sim_text *out, const struct tx_tile *t) {
  for (unsigned noc = 0; noc < NOC_NOCS; noc++) {
    const struct noc_niu *n = &t->niu[noc];
    for (unsigned id = 0; id < 16; id++)
      if (n->counter[NOC_MST_OUTSTANDING + id])
        sim_text_add(out, "  NIU %u: %u requests with transaction id %u have no answer\n", noc,
                     n->counter[NOC_MST_OUTSTANDING + id], id);
    for (unsigned i = 0; i < NOC_INITIATORS; i++)
      if (n->busy[i])
        sim_text_add(out, "  NIU %u: initiator %u waits to send%s: NOC_CTRL 0x%x, TARG 0x%x, RET 0x%x\n", noc, i,
                     n->linked ? " behind an open linked transaction" : "", n->initiator[i][NOC_CTRL],
                     n->initiator[i][NOC_TARG_LO], n->initiator[i][NOC_RET_LO]);
  }
}

static void add_tile(struct chip *c, struct sim_text *out, unsigned tile) {
  const struct tx_tile *t = cores_of(c, tile);
  char name[80], wait[256];
  obs_tile_name(c, tile, name, sizeof name);
  sim_text_add(out, "%s:\n", name);
  for (unsigned agent = 0; agent < TX_AGENT_COUNT; agent++) {
    const struct sim_agent *a = &t->engine.agents[agent];
    if (!a->wait.kind || a->state == SIM_AGENT_DONE || a->state == SIM_AGENT_OFF) continue;
    obs_words.wait(t, &a->wait, wait, sizeof wait);
    sim_text_add(out, "  %s has been waiting since cycle %llu for %s\n", obs_agent_name(agent),
                 (unsigned long long)a->wait.since, wait);
  }
  add_outstanding(out, t);
}

static void add_lost(struct chip *c, struct sim_text *out) {
  char name[80], words[160];
  for (unsigned i = 0; i < chip_lost_count(c); i++) {
    const struct noc_packet *p = chip_lost(c, i);
    obs_tile_name(c, chip_tile_of_raw(p->noc, p->target.x, p->target.y), name, sizeof name);
    noc_packet_words(p, words, sizeof words);
    sim_text_add(out, "never answered at cycle %llu, %s is fused off: %s\n", (unsigned long long)p->arrives, name, words);
  }
}

size_t obs_chip_hang(struct chip *c, char *text, size_t size) {
  struct waiter waiters[CHIP_TILES];
  unsigned count = 0;
  struct sim_text out = {.data = text, .size = size};
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = cores_of(c, tile);
    sim_time since = t ? last_wait(t) : 0;
    if (since) waiters[count++] = (struct waiter){(uint16_t)tile, since};
  }
  qsort(waiters, count, sizeof *waiters, latest_first);
  sim_text_add(&out, "hang at cycle %llu: nothing is due, no packet is under way, and %u tiles wait\n",
               (unsigned long long)(count ? waiters[0].since - 1 : chip_last_progress(c)), count);
  for (unsigned i = 0; i < count && i < TILES_NAMED; i++) add_tile(c, &out, waiters[i].tile);
  if (count > TILES_NAMED) sim_text_add(&out, "and %u tiles that have waited longer\n", count - TILES_NAMED);
  add_lost(c, &out);
  return out.length;
}

size_t obs_chip_fault(struct chip *c, char *text, size_t size) {
  unsigned tile;
  const struct sim_fault *fault = chip_fault(c, &tile);
  struct sim_text out = {.data = text, .size = size};
  char name[80];
  if (!fault) return 0;
  obs_tile_name(c, tile, name, sizeof name);
  sim_text_add(&out, "%s, cycle %llu: %s fault: %s (%s)\n", name, (unsigned long long)fault->cycle,
               sim_fault_kind_name(fault->kind), fault->why, fault->document);
  return out.length;
}
