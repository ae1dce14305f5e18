/* The report of a run on the chip as JSON: every tile of the grid with the work of its units, received bytes, and traffic
 * of its links. */
#include "observe/report/chip.h"
#include "observe/report/chip_figures.h"
#include "observe/words.h"
#include "sim/text.h"

static void add_units(struct sim_text *out, const struct tx_tile *t) {
  for (unsigned unit = 0; unit < TX_UNIT_COUNT; unit++)
    sim_text_add(out, "%s\"%s\":%llu", unit ? "," : ",\"occupied\":{", obs_unit_name(unit),
                 (unsigned long long)t->units[unit].busy_cycles);
  sim_text_add(out, "}");
}

/* Flits of both NoCs through one port of the tile's router. */
static void add_links(struct sim_text *out, const struct chip *c, unsigned tile, const char *name,
                      enum chip_router_port port) {
  sim_text_add(out, ",\"%s\":[%llu,%llu]", name, (unsigned long long)obs_chip_link(c, 0, tile, port).flits,
               (unsigned long long)obs_chip_link(c, 1, tile, port).flits);
}

static void add_place(struct sim_text *out, struct chip *c, unsigned tile) {
  const struct chip_slot *slot = &chip_grid(c)->slot[tile];
  const struct tx_tile *t = obs_chip_cores(c, tile);
  sim_text_add(out, "{\"x\":%u,\"y\":%u,\"kind\":\"%s\",\"good\":%s", slot->x, slot->y, chip_kind_name(slot->kind),
               slot->good ? "true" : "false");
  if (slot->kind != CHIP_ROUTER && slot->good)
    sim_text_add(out, ",\"at\":[%u,%u]", slot->logical & 63u, slot->logical >> 6 & 63u);
  if (t && obs_chip_instructions(t)) {
    sim_time end = obs_chip_tile_end(t);
    sim_text_add(out, ",\"instructions\":%llu", (unsigned long long)obs_chip_instructions(t));
    if (end && end != SIM_NEVER) sim_text_add(out, ",\"end\":%llu", (unsigned long long)end);
    sim_text_add(out, ",\"kernel_cycles\":%llu", (unsigned long long)obs_chip_kernel_cycles(t, chip_now(c)));
    add_units(out, t);
  }
  add_links(out, c, tile, "in", CHIP_PORT_NIU);
  add_links(out, c, tile, "along_x", CHIP_PORT_X);
  add_links(out, c, tile, "along_y", CHIP_PORT_Y);
  sim_text_add(out, "}");
}

size_t obs_chip_json(struct chip *c, uint64_t cycles, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  uint64_t instructions;
  unsigned tiles = obs_chip_tiles_ran(c, &instructions);
  sim_text_add(&out, "{\"cycles\":%llu,\"timing\":\"%s\",\"tiles_ran\":%u,\"instructions\":%llu,\"packets\":%llu",
               (unsigned long long)(cycles ? cycles : obs_chip_stop(c)), chip_timing(c) ? "cycle" : "off", tiles,
               (unsigned long long)instructions, (unsigned long long)chip_packets(c));
  sim_text_add(&out, ",\"columns\":%u,\"rows\":%u,\"flit_bytes\":%u,\"nocs\":[", CHIP_GRID_X, CHIP_GRID_Y, NOC_FLIT_BYTES);
  for (unsigned noc = 0; noc < CHIP_NOCS; noc++) {
    uint64_t busiest = 0, x = obs_chip_flits(c, noc, CHIP_PORT_X, &busiest),
             y = obs_chip_flits(c, noc, CHIP_PORT_Y, &busiest);
    sim_text_add(&out, "%s{\"flits_along_x\":%llu,\"flits_along_y\":%llu,\"busiest_link\":%llu}", noc ? "," : "",
                 (unsigned long long)x, (unsigned long long)y, (unsigned long long)busiest);
  }
  sim_text_add(&out, "],\"places\":[");
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    if (tile) sim_text_add(&out, ",");
    add_place(&out, c, tile);
  }
  sim_text_add(&out, "]}\n");
  return out.length;
}
