/* The hang of hang/chip.h as JSON and as SARIF results. */
#include <stdio.h>

#include "observe/hang/chip.h"
#include "observe/hang/hang.h"
#include "observe/report/chip.h"
#include "observe/report/sarif_log.h"

static void add_waiter(struct chip *chip, const struct obs_chip_waiter *w, struct sim_text *out) {
  sim_text_add(out, "{");
  obs_waiter_json(&w->wait, out);
  sim_text_add(out, ",\"other\":");
  if (w->other < CHIP_TILES) {
    uint16_t place = chip_grid(chip)->slot[w->other].logical;
    sim_text_add(out, "{\"x\":%u,\"y\":%u}", place & 63u, place >> 6 & 63u);
  } else {
    sim_text_add(out, "null");
  }
  sim_text_add(out, ",\"why\":");
  sim_text_add_json(out, w->why);
  sim_text_add(out, "}");
}

void obs_chip_hang_json(struct chip *chip, const struct obs_chip_hang *h, struct sim_text *out) {
  sim_text_add(out, "{\"cycle\":%llu,\"cause\":", (unsigned long long)h->cycle);
  sim_text_add_json(out, h->cause);
  sim_text_add(out, ",\"deadlock\":%s,\"tiles\":%u,\"chain\":[", h->deadlock ? "true" : "false", h->tiles);
  for (uint32_t i = 0; i < h->chain_count; i++) sim_text_add(out, "%s%u", i ? "," : "", h->chain[i]);
  sim_text_add(out, "],\"waiters\":[");
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    if (i) sim_text_add(out, ",");
    add_waiter(chip, &h->waiters[i], out);
  }
  sim_text_add(out, "],\"others\":[");
  for (uint32_t i = 0; i < h->party_count; i++) {
    uint16_t place = chip_grid(chip)->slot[h->parties[i].tile].logical;
    sim_text_add(out, "%s{\"tile\":{\"x\":%u,\"y\":%u},", i ? "," : "", place & 63u, place >> 6 & 63u);
    obs_party_json(&h->parties[i].party, out);
    sim_text_add(out, "}");
  }
  sim_text_add(out, "]}");
}

/* Waiters of one tile are contiguous. */
static uint32_t behind_tile(const struct obs_chip_hang *h, uint32_t first) {
  uint32_t i = first;
  while (i < h->waiter_count && h->waiters[i].tile == h->waiters[first].tile) i++;
  return i;
}

/* The cause of the chip's hang, else a wait of the tile that no agent inside it ends, else its first. */
static const struct obs_chip_waiter *wait_to_show(const struct obs_chip_hang *h, uint32_t first, uint32_t end) {
  for (uint32_t i = first; h->chain_count && i < end; i++)
    if (i == h->chain[0]) return &h->waiters[i];
  for (uint32_t i = first; i < end; i++)
    if (h->waiters[i].wait.waits_for < 0 || h->waiters[h->waiters[i].wait.waits_for].tile != h->waiters[i].tile)
      return &h->waiters[i];
  return &h->waiters[first];
}

static void add_tile(struct chip *chip, const struct obs_chip_hang *h, uint32_t first, uint32_t end, bool *first_result,
                     struct sim_text *out) {
  const struct obs_chip_waiter *w = wait_to_show(h, first, end);
  char message[1200], name[80];
  bool none = true;
  bool cause = h->chain_count && w == &h->waiters[h->chain[0]];
  obs_tile_name(chip, w->tile, name, sizeof name);
  if (cause) snprintf(message, sizeof message, "%s", h->cause);
  else
    snprintf(message, sizeof message, "%s: %s has been waiting for %s since cycle %llu%s%s", name, w->wait.name,
             w->wait.what, (unsigned long long)w->wait.since, w->why[0] ? ": " : "", w->why);
  struct obs_sarif_item item = {
      "HANG", cause || !h->chain_count ? "error" : "note", message, w->wait.place.path, w->wait.place.line, 0};
  obs_sarif_result(out, first_result, &item);
  sim_text_add(out, ",\"properties\":{\"tile\":\"%u,%u\",\"cycle\":%llu,\"cause\":%s},\"relatedLocations\":[",
               w->wait.tile & 0xffffu, w->wait.tile >> 16, (unsigned long long)h->cycle, cause ? "true" : "false");
  for (uint32_t i = first; i < end; i++) obs_sarif_waiter(out, &none, &h->waiters[i].wait.place, h->waiters[i].wait.what);
  sim_text_add(out, "]}");
}

void obs_chip_hang_sarif(struct chip *chip, const struct obs_chip_hang *h, bool *first, struct sim_text *out) {
  if (!h->waiter_count) {
    obs_sarif_result(out, first, &(struct obs_sarif_item){"HANG", "error", h->cause, "", 0, 0});
    sim_text_add(out, ",\"properties\":{\"cycle\":%llu}}", (unsigned long long)h->cycle);
  }
  for (unsigned others = 0; others < 2; others++) /* the tile with the cause first */
    for (uint32_t i = 0, end; i < h->waiter_count; i = end) {
      end = behind_tile(h, i);
      bool cause = h->chain_count && h->chain[0] >= i && h->chain[0] < end;
      if (cause != (others != 0)) add_tile(chip, h, i, end, first, out);
    }
}
