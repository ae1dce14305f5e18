#include "system/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chips/blackhole/arc_map.h"

enum {
#define LINK_TIME(name, value, evidence, source, what) name = value,
#include "chips/blackhole/link_timing.def"
#undef LINK_TIME
};

enum system_id {
#define SYSTEM(id, name, text) SYSTEM_##id,
#include "chips/blackhole/systems.def"
};

static const struct system_product products[] = {
#define SYSTEM(id, name, text) {name, text},
#include "chips/blackhole/systems.def"
};

static const struct {
  uint8_t system, board, type, location, pcie;
} chips[] = {
#define SYSTEM_CHIP(id, board, type, location, pcie) {SYSTEM_##id, board, type, location, pcie},
#include "chips/blackhole/systems.def"
};

static const struct {
  uint8_t system;
  struct system_link link;
} links[] = {
#define SYSTEM_LINK(id, chip_a, channel_a, chip_b, channel_b) {SYSTEM_##id, {{{chip_a, channel_a}, {chip_b, channel_b}}}},
#include "chips/blackhole/systems.def"
};

const struct system_product *system_product_at(unsigned index) {
  return index < sizeof products / sizeof *products ? &products[index] : NULL;
}

void system_plan_alone(struct system_plan *plan, const struct chip_harvest *harvest) {
  memset(plan, 0, sizeof *plan);
  plan->chips = 1;
  plan->chip[0] = (struct system_chip){.harvest = *harvest, .device = true};
}

static void add_chips(struct system_plan *plan, unsigned system, const struct chip_harvest *harvest) {
  for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++) {
    if (chips[i].system != system) continue;
    struct system_chip *chip = &plan->chip[plan->chips++];
    chip->harvest = *harvest;
    chip->harvest.pcie = chips[i].pcie;
    chip->device = true;
    chip->board = chips[i].board;
    chip->identity.board = ((uint64_t)chips[i].type << ARC_BOARD_SHIFT) + 1u + chips[i].board;
    chip->identity.asic = plan->chips; /* golden: from 1 */
    chip->identity.location = chips[i].location;
  }
}

bool system_plan_find(struct system_plan *plan, const char *name, const struct chip_harvest *harvest) {
  unsigned system = 0;
  char error[96];
  while (system_product_at(system) && strcmp(products[system].name, name) != 0) system++;
  if (!system_product_at(system)) return false;
  memset(plan, 0, sizeof *plan);
  add_chips(plan, system, harvest);
  for (unsigned i = 0; i < sizeof links / sizeof *links; i++)
    if (links[i].system == system) plan->link[plan->links++] = links[i].link;
  return system_plan_connect(plan, error, sizeof error);
}

/* Translation names the first twelve good Ethernet tiles. */
static unsigned channels_of(const struct system_chip *chip) {
  unsigned good = CHIP_COLUMNS - (unsigned)__builtin_popcount(chip->harvest.ethernet & ((1u << CHIP_COLUMNS) - 1));
  return good < CHIP_TRANSLATED_ETHERNETS ? good : CHIP_TRANSLATED_ETHERNETS;
}

static bool check_end(const struct system_plan *plan, const struct system_end *end, char *error, size_t size) {
  const char *why = NULL;
  if (end->chip >= plan->chips) why = "there is no such chip";
  else if (end->channel >= channels_of(&plan->chip[end->chip])) why = "there is no such Ethernet channel";
  else if (plan->chip[end->chip].identity.port[end->channel].linked) why = "the channel has another link";
  if (why) snprintf(error, size, "a link of chip %u channel %u: %s", end->chip, end->channel, why);
  return !why;
}

bool system_plan_connect(struct system_plan *plan, char *error, size_t error_size) {
  for (unsigned i = 0; i < plan->links; i++)
    for (unsigned k = 0; k < 2; k++) {
      const struct system_end *own = &plan->link[i].end[k], *other = &plan->link[i].end[1 - k];
      if (!check_end(plan, own, error, error_size)) return false;
      if (other->chip >= plan->chips) continue; /* the next round names it */
      const struct chip_identity *peer = &plan->chip[other->chip].identity;
      plan->chip[own->chip].identity.port[own->channel] = (struct chip_peer){.linked = true,
                                                                             .location = peer->location,
                                                                             .channel = other->channel,
                                                                             .board = peer->board,
                                                                             .asic = peer->asic,
                                                                             .latency = link_latency,
                                                                             .bits_per_cycle = link_bits_per_cycle};
    }
  return true;
}

/* --- options --- */

#define LATENCY_MAX (1u << 20) /* some milliseconds */
#define BITS_MAX 4096u
#define CYCLE_MAX ((uint64_t)1 << 48)

/* The two ends of the link of a channel. */
static bool find_link(struct system_plan *plan, const struct system_end *at, struct chip_peer *ends[2]) {
  for (unsigned i = 0; i < plan->links; i++)
    for (unsigned k = 0; k < 2; k++) {
      const struct system_end *end = plan->link[i].end;
      if (end[k].chip != at->chip || end[k].channel != at->channel) continue;
      for (unsigned n = 0; n < 2; n++) ends[n] = &plan->chip[end[n].chip].identity.port[end[n].channel];
      return true;
    }
  return false;
}

/* A number from 1 to `most` up to the end of the option. */
static bool read_number(const char *text, uint64_t most, uint64_t *value) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  *value = strtoull(text, &end, 10);
  return !errno && (!*end || *end == ' ') && *value && *value <= most;
}

static bool apply_option(struct chip_peer *ends[2], const char *what, size_t length) {
  static const char down_at[] = "down@", latency[] = "latency:", bits[] = "bits:";
  uint64_t value = 0;
  for (unsigned k = 0; k < 2; k++) {
    struct chip_peer *end = ends[k];
    if (length == 4 && !strncmp(what, down_at, 4)) end->down_at = value + 1;
    else if (!strncmp(what, down_at, 5) && read_number(what + 5, CYCLE_MAX, &value)) end->down_at = value + 1;
    else if (!strncmp(what, latency, 8) && read_number(what + 8, LATENCY_MAX, &value)) end->latency = (uint32_t)value;
    else if (!strncmp(what, bits, 5) && read_number(what + 5, BITS_MAX, &value)) end->bits_per_cycle = (uint32_t)value;
    else return false;
  }
  return true;
}

bool system_plan_options(struct system_plan *plan, const char *options, char *error, size_t error_size) {
  for (const char *at = options; *at; at += *at == ' ') {
    const size_t length = strcspn(at, " ");
    unsigned chip, channel;
    int used = 0;
    struct chip_peer *ends[2];
    const char *why = NULL;
    if (!length) continue;
    if (sscanf(at, "%2u.%2u=%n", &chip, &channel, &used) != 2 || !used || (size_t)used > length)
      why = "must be CHIP.CHANNEL=WHAT";
    else if (!find_link(plan, &(struct system_end){(uint8_t)chip, (uint8_t)channel}, ends)) why = "there is no link";
    else if (!apply_option(ends, at + used, length - (size_t)used))
      why = "must be down, down@CYCLE, latency:CYCLES or bits:BITS_PER_CYCLE";
    if (why) {
      snprintf(error, error_size, "%.*s: %s", (int)length, at, why);
      return false;
    }
    at += length;
  }
  return true;
}
