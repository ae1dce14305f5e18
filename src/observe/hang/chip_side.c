/* The other sides of a chip's waits: cores that can release them, kernels that returned too early, writes that are too few. */
#include <stdio.h>
#include <string.h>

#include "observe/hang/chip_internal.h"
#include "observe/hang/hang.h"
#include "observe/hang/hang_internal.h"
#include "observe/words.h"
#include "tensix/mem/memo.h"

/* --- the other side as a value --- */

static enum obs_party_state state_of_core(const struct finder *f, unsigned tile, unsigned core) {
  for (uint32_t i = f->first[tile]; i < obs_chip_hang_behind(f, tile); i++)
    if (f->hang->waiters[i].wait.agent == TX_AGENT_TRISC0 + core) return OBS_PARTY_WAITING;
  for (uint32_t i = 0; i < f->hang->party_count; i++) {
    const struct obs_chip_party *p = &f->hang->parties[i];
    if (p->tile == tile && p->party.agent == TX_AGENT_TRISC0 + core) return p->party.state;
  }
  return OBS_PARTY_HELD;
}

/* A core of another tile that writes the word, or has written it. */
static void add_releaser(const struct finder *f, struct obs_chip_waiter *w, unsigned tile, unsigned core) {
  struct obs_waiter *one = &w->wait;
  uint16_t at = chip_grid(f->chip)->slot[tile].logical;
  struct obs_releaser r = {.agent = (uint16_t)(TX_AGENT_TRISC0 + core), .role = "writes"};
  if (core >= TX_CORES || tile >= CHIP_TILES || tile == w->tile || one->releaser_count == OBS_RELEASERS_MAX) return;
  snprintf(r.name, sizeof r.name, "%s of Tensix (%u,%u)", tx_core_name(core), at & 63u, at >> 6 & 63u);
  r.state = state_of_core(f, tile, core);
  for (uint32_t i = 0; i < one->releaser_count; i++)
    if (strcmp(one->releasers[i].name, r.name) == 0) return;
  one->releasers[one->releaser_count++] = r;
}

/* The cores of other tiles that can release the wait, or could have: the one that it waits for, those with a packet to the word ahead, the one
 * that wrote it last. */
void obs_chip_hang_releasers(struct finder *f, struct obs_chip_waiter *w) {
  const struct obs_actor *last = &w->wait.last;
  uint32_t pc;
  if (w->wait.resource.kind != OBS_RESOURCE_WORD) return;
  if (w->wait.waits_for >= 0) {
    const struct obs_chip_waiter *ahead = &f->hang->waiters[w->wait.waits_for];
    add_releaser(f, w, ahead->tile, ahead->wait.core);
  }
  for (uint32_t i = 0; i < f->hang->waiter_count && w->wait.releaser_count < OBS_RELEASERS_MAX; i++)
    if (f->hang->waiters[i].tile != w->tile && obs_chip_hang_sends(f, i, w, &pc) == OBS_SENDS_SURELY)
      add_releaser(f, w, f->hang->waiters[i].tile, f->hang->waiters[i].wait.core);
  if (last->known && last->tile) add_releaser(f, w, last->tile - 1, obs_core_of_agent(last->agent));
}

/* --- writes that a returned kernel has not made --- */

/* Packets of this core of each tile to the word. false: those of a core that has returned are not recorded. */
static bool count_packets(const struct finder *f, const struct obs_chip_waiter *w, unsigned core, uint32_t *counts) {
  bool known = true;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = obs_chip_hang_cores(f, w->tile);
    struct tx_memo_sent sent =
        tx_memo_sent(t, w->wait.resource.address, tile == w->tile ? 0 : tile + 1, TX_AGENT_TRISC0 + core);
    counts[tile] = sent.count;
    known &= sent.known || !(f->hang->returned[tile] >> core & 1u);
  }
  return known;
}

/* Several tiles count up one word (a barrier), and the missing steps are those of tiles whose kernel has returned: they have made fewer
 * than the others. Without a second tile that has counted, nothing shows that every tile should. */
void obs_chip_hang_absent(struct finder *f, struct obs_chip_waiter *w) {
  const struct obs_resource *r = &w->wait.resource;
  const struct obs_actor *any = w->wait.own.known && !w->wait.last.known ? &w->wait.own : &w->wait.last;
  bool counts_up = r->wish == OBS_WISH_EQUAL || r->wish == OBS_WISH_AT_LEAST || r->wish == OBS_WISH_NOT_EQUAL;
  uint32_t wanted = r->wish == OBS_WISH_NOT_EQUAL ? r->value + 1 : r->wanted, counts[CHIP_TILES], most = 0, lacking = 0;
  unsigned core = any->known ? obs_core_of_agent(any->agent) : TX_CORES, writers = 0, absent = 0;
  uint16_t tiles[CHIP_TILES];
  if (r->kind != OBS_RESOURCE_WORD || !counts_up || wanted <= r->value || core >= TX_CORES || w->wait.waits_for >= 0) return;
  if (!count_packets(f, w, core, counts)) return;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    writers += counts[tile] != 0;
    if (counts[tile] > most) most = counts[tile];
  }
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    if (!(f->hang->returned[tile] >> core & 1u) || counts[tile] >= most || tile == w->tile) continue;
    lacking += most - counts[tile];
    tiles[absent++] = (uint16_t)tile;
  }
  bool several = writers > 1 || counts[w->tile];
  if (!absent || !several || lacking > wanted - r->value) return;
  w->other = tiles[0];
  for (unsigned i = 0; i < absent; i++) add_releaser(f, w, tiles[i], core);
  obs_absent_words(f, w, core, tiles, absent, counts, writers);
}

/* --- writes that are too few --- */

/* Cores that count up the word after their own waits, but not far enough. */
void obs_chip_hang_few(struct finder *f, struct obs_chip_waiter *w) {
  if (w->wait.resource.kind != OBS_RESOURCE_WORD || obs_alternatives(&w->wait)) return;
  w->wait.few[0] = '\0'; /* the tile alone does not know them */
  uint32_t adds = w->wait.waits_for < 0 ? obs_chip_hang_sum(f, w) : 0;
  if (!adds) return;
  const struct obs_chip_waiter *last = &f->hang->waiters[f->sum.last];
  uint16_t at = chip_grid(f->chip)->slot[last->tile].logical;
  char who[64];
  snprintf(who, sizeof who, "%s of Tensix (%u,%u)", last->wait.name, at & 63u, at >> 6 & 63u);
  obs_few_words(&w->wait, who, f->sum.cores, adds);
  size_t length = strlen(w->why);
  if (length && w->wait.few[0]) snprintf(w->why + length, sizeof w->why - length, "; %s", w->wait.few);
}
