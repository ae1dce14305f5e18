/* A system's state as bytes: state.h. */
#include "system/state.h"

#include <string.h>

#include "chip/service.h"
#include "chip/stream.h"
#include "sim/hash.h"

#define MAGIC "TesseraS"
#define VERSION 1u

struct head {
  char magic[8];
  uint32_t version, chips;
  uint64_t plan; /* hash of chips and links */
};

static uint64_t hash_plan(const struct system_plan *plan) {
  uint64_t h = sim_hash_bytes(SIM_HASH_BASIS, plan->link, plan->links * sizeof *plan->link);
  for (unsigned i = 0; i < plan->chips; i++) {
    const struct chip_identity *own = &plan->chip[i].identity;
    const uint64_t words[3] = {own->board, own->asic, own->location};
    h = sim_hash_bytes(h, words, sizeof words);
    for (unsigned k = 0; k < CHIP_TRANSLATED_ETHERNETS; k++) {
      const uint64_t line[3] = {own->port[k].latency, own->port[k].bits_per_cycle, own->port[k].down_at};
      h = sim_hash_bytes(h, line, sizeof line);
    }
  }
  return h;
}

uint64_t system_hash(const struct system *s) {
  if (system_plan(s)->chips == 1) return chip_hash(system_chip(s, 0));
  uint64_t h = SIM_HASH_BASIS;
  for (unsigned i = 0; i < system_plan(s)->chips; i++) {
    const uint64_t of = chip_hash(system_chip(s, i));
    h = sim_hash_bytes(h, &of, sizeof of);
  }
  return h;
}

bool system_save(const struct system *s, struct chip_stream *to) {
  struct head head = {.version = VERSION, .chips = system_plan(s)->chips, .plan = hash_plan(system_plan(s))};
  memcpy(head.magic, MAGIC, sizeof head.magic);
  chip_put(to, &head, sizeof head);
  for (unsigned i = 0; i < system_plan(s)->chips; i++) {
    const size_t at = to->length;
    uint64_t length = 0;
    chip_put(to, &length, sizeof length);
    if (to->failed || !chip_save(system_chip(s, i), to)) return false;
    length = to->length - at - sizeof length;
    memcpy(to->bytes + at, &length, sizeof length);
  }
  return !to->failed;
}

const char *system_restore(struct system *s, struct chip_stream *from) {
  struct head head;
  if (!chip_get(from, &head, sizeof head) || memcmp(head.magic, MAGIC, sizeof head.magic) != 0)
    return "this is not a saved system";
  if (head.version != VERSION) return "the saved system has another format version";
  if (head.chips != system_plan(s)->chips || head.plan != hash_plan(system_plan(s)))
    return "the saved system has other chips or links";
  for (unsigned i = 0; i < system_plan(s)->chips; i++) {
    uint64_t length;
    if (!chip_get(from, &length, sizeof length) || length > from->length - from->at) return "the saved system is truncated";
    struct chip_stream part = {.bytes = from->bytes + from->at, .length = (size_t)length, .capacity = (size_t)length};
    const char *why = chip_restore(system_chip(s, i), &part);
    if (why) return why;
    from->at += (size_t)length;
  }
  if (from->at != from->length) return "the saved system has bytes after its end";
  for (unsigned i = 1; i < system_plan(s)->chips; i++)
    if (chip_now(system_chip(s, i)) != chip_now(system_chip(s, 0)) && !system_faulted(s))
      return "the saved system is damaged: its chips have different times";
  return NULL;
}
