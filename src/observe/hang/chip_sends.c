/* What the waiting cores of a chip can still do for a word: what each sends to it, and how far all of them count it up. */
#include "observe/hang/chip_internal.h"
#include "observe/hang/roles.h"

const struct tx_tile *obs_chip_hang_cores(const struct finder *f, unsigned tile) {
  struct chip_endpoint *e = chip_endpoint_peek(f->chip, tile);
  return e && e->self && e->ops->run && (!f->tiles || f->tiles[tile]) ? e->self : NULL;
}

uint32_t obs_chip_hang_behind(const struct finder *f, unsigned tile) {
  return tile + 1 < CHIP_TILES ? f->first[tile + 1] : f->hang->waiter_count;
}

/* What the waiter's core can do for the word of `w` after its own wait. */
enum obs_sends obs_chip_hang_sends(struct finder *f, uint32_t waiter, const struct obs_chip_waiter *w, uint32_t *pc) {
  const struct obs_chip_waiter *other = &f->hang->waiters[waiter];
  struct obs_sends_list *list = &f->sends[waiter];
  if (other->wait.agent < TX_AGENT_TRISC0 || other->wait.core >= TX_CORES) return OBS_SENDS_NONE;
  if (!list->searched)
    obs_sends_find(obs_chip_hang_cores(f, other->tile), f->programs ? f->programs(f->context, other->tile) : NULL,
                   other->wait.core, list);
  return obs_sends_to(list, w->tile, &w->wait.resource, pc);
}

/* What the waiting core `waiter` adds to the word of `w`. */
uint32_t obs_chip_hang_gives(struct finder *f, const struct obs_chip_waiter *w, uint32_t waiter) {
  const struct obs_chip_waiter *other = &f->hang->waiters[waiter];
  const struct obs_resource *r = &w->wait.resource;
  struct obs_role role = {.kind = OBS_ROLE_STORE, .index = r->address & ~3u, .tile = w->tile, .want = r};
  uint32_t pc;
  bool counts = r->kind == OBS_RESOURCE_WORD && (r->wish == OBS_WISH_EQUAL || r->wish == OBS_WISH_AT_LEAST);
  bool self = other->tile == w->tile && other->wait.core == w->wait.core;
  if (!counts || self || obs_chip_hang_sends(f, waiter, w, &pc) != OBS_SENDS_SURELY) return 0;
  return obs_roles_gives(obs_chip_hang_cores(f, other->tile), f->programs ? f->programs(f->context, other->tile) : NULL,
                         other->wait.core, role);
}

/* What all waiting cores add to the word of `w`. Kept for the same word: a barrier asks for each of its cores. */
uint32_t obs_chip_hang_sum(struct finder *f, const struct obs_chip_waiter *w) {
  const struct obs_resource *r = &w->wait.resource;
  struct sum *s = &f->sum;
  if (s->known && s->tile == w->tile && s->address == r->address && s->wanted == r->wanted) return s->adds;
  *s = (struct sum){.known = true, .tile = w->tile, .address = r->address, .wanted = r->wanted};
  for (uint32_t i = 0; i < f->hang->waiter_count; i++) {
    uint32_t adds = obs_chip_hang_gives(f, w, i);
    if (!adds) continue;
    s->adds += adds;
    s->cores++;
    s->last = i;
  }
  return s->adds;
}
