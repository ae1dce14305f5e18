/* The Ethernet tile of ethernet.h. */
#include "tensix/tile/ethernet.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/mem/l1.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/link.h"
#include "tensix/tile/windows.h"

#define HEARTBEAT_CYCLES 1024u
#define FUNCTION_FIRST 3u
#define FUNCTION_LAST 5u
#define RETURN_WORD 0x00008067u /* jalr zero, 0(ra) */

enum { CALL_LINK_STATUS = 1, CALL_RELEASE_CORE = 2, CALL_REINIT = 6, CALL_PORT_ACTION = 9, CALL_DYNAMIC_NOC_INIT = 0xF };

static void put(struct tx_tile *t, uint32_t address, uint32_t value) {
  uint8_t raw[4];
  for (unsigned k = 0; k < 4; k++) raw[k] = (uint8_t)(value >> (8 * k));
  memcpy(&t->l1[address], raw, 4);
  t->unsaved.l1_same[address / TX_L1_PAGE / 64] &= ~(UINT64_C(1) << address / TX_L1_PAGE % 64);
  if (t->engine.parked) sim_poke(&t->engine, address);
}

void tx_ethernet_reset(struct tx_tile *t) {
  t->ethernet.on = 1;
  t->l1_bytes = TX_ETH_L1_BYTES;
  tx_link_reset(t);
  t->control.word[TX_CONTROL_SOFT_RESET_0 / 4] = TX_ETH_SOFT_RESET;
  put(t, TX_ETH_POST_CODE, TX_ETH_POST_CODE_PASS);
  put(t, TX_ETH_PORT_STATUS, TX_ETH_PORT_DOWN);
  put(t, TX_ETH_HEARTBEAT, 1);
  put(t, TX_ETH_RETURN_AT, RETURN_WORD);
  for (unsigned i = FUNCTION_FIRST; i <= FUNCTION_LAST; i++) put(t, TX_ETH_FUNCTIONS + 4 * i, TX_ETH_RETURN_AT);
  put(t, TX_ETH_VERSION, TX_ETH_VERSION_WORD);
}

static void put_end(struct tx_tile *t, uint32_t at, const struct tx_ethernet_end *end) {
  put(t, at + TX_ETH_END_PLACE, (uint32_t)end->location << 8 | (uint32_t)end->channel << 16 | (uint32_t)end->channel << 24);
  put(t, at + TX_ETH_END_BOARD, (uint32_t)(end->board >> 32));
  put(t, at + TX_ETH_END_BOARD + 4, (uint32_t)end->board);
  put(t, at + TX_ETH_END_ASIC, (uint32_t)(end->asic >> 32));
  put(t, at + TX_ETH_END_ASIC + 4, (uint32_t)end->asic);
}

void tx_ethernet_link(struct tx_tile *t, const struct tx_ethernet_end *own, const struct tx_ethernet_end *peer,
                      const struct tx_eth_line *line) {
  tx_link_connect(t, line);
  t->control.word[TX_CONTROL_SOFT_RESET_0 / 4] = TX_ETH_SOFT_RESET_1;
  put(t, TX_ETH_PORT_STATUS, TX_ETH_PORT_UP);
  put(t, TX_ETH_TRAIN_STATUS, TX_ETH_TRAIN_PASS);
  put(t, TX_ETH_LINK_UP, 1);
  put_end(t, TX_ETH_LOCAL, own);
  put_end(t, TX_ETH_PEER, peer);
  if (!line->down_at) return;
  struct sim_effect effect = {.at = line->down_at - 1, .kind = TX_EFFECT_LINK_DOWN, .agent = TX_AGENT_NETWORK};
  if (tx_link_is_up(t)) sim_effect_at(&t->engine, effect); /* the first effect of a new tile: there is room */
  else tx_effect_LINK_DOWN(t, &effect);
}

void tx_effect_LINK_DOWN(struct tx_tile *t, const struct sim_effect *e) {
  (void)e;
  put(t, TX_ETH_PORT_STATUS, TX_ETH_PORT_DOWN);
  put(t, TX_ETH_LINK_UP, 0);
  sim_poke(&t->engine, TX_ADDR_ETH_PCS_STATUS);
}

/* --- registers --- */

uint32_t tx_ethernet_reset_pc(const struct tx_tile *t, unsigned core) {
  return t->ethernet.word[core == TX_CORE_BRISC ? 0 : 2];
}

bool tx_ethernet_register_read(const struct tx_tile *t, uint32_t address, uint32_t *value) {
  if (address >= TX_ADDR_ETH_LINK) return tx_link_read(t, address, value);
  if (address - TX_ADDR_ETH_CORES >= TX_ETH_CORE_BYTES) return false;
  *value = t->ethernet.word[(address - TX_ADDR_ETH_CORES) / 4];
  return true;
}

bool tx_ethernet_register_write(struct tx_tile *t, uint32_t address, uint32_t value) {
  if (address >= TX_ADDR_ETH_LINK) return tx_link_write(t, address, value);
  if (address - TX_ADDR_ETH_CORES >= TX_ETH_CORE_BYTES) return false;
  t->ethernet.word[(address - TX_ADDR_ETH_CORES) / 4] = value;
  return true;
}

struct tx_bus_answer tx_access_ethernet(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.mmio_request_cycles;
  if (r->address >= TX_ADDR_ETH_LINK && (!tx_link_has(r->address & ~3u) || r->bytes != 4))
    return tx_bus_refuse(t, r, SIM_FAULT_UNSUPPORTED, "tt_eth_ss_regs.h", TX_ETH_ABSENT);
  if (r->store) return tx_bus_emit(t, r, TX_REGION_CONTROL);
  if (tx_bus_behind_stores(t, r, TX_REGION_CONTROL, &answer)) return answer;
  tx_ethernet_register_read(t, r->address & ~3u, &value);
  return tx_bus_finish_load(t, r, value, there, 2 * there + 1);
}

bool tx_arrive_ethernet(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  tx_ethernet_register_write(t, r->address, r->value);
  sim_poke(&t->engine, r->address);
  return true;
}

/* --- base firmware --- */

/* ERISC0 starts at its reset address. A tile with a link has it out of reset, in base firmware. */
static void restart_erisc0(struct tx_tile *t) {
  const uint32_t at = TX_ADDR_CONTROL + TX_CONTROL_SOFT_RESET_0, resets = t->control.word[TX_CONTROL_SOFT_RESET_0 / 4];
  t->unsaved.ports->register_write(t, at, resets | TX_ETH_SOFT_RESET_0, 0xfu);
  t->unsaved.ports->register_write(t, at, resets & ~TX_ETH_SOFT_RESET_0, 0xfu);
}

static void answer_call(struct tx_tile *t, unsigned mailbox) {
  uint32_t at = TX_ETH_MAILBOXES + mailbox * TX_ETH_MAILBOX_BYTES, message = tx_l1_read(t, at, 4), type = message & 0xffffu;
  if ((message & 0xffff0000u) != TX_ETH_CALL) return;
  switch (type) {
    case CALL_RELEASE_CORE:
      t->ethernet.word[0] = tx_l1_read(t, at + 4, 4);
      restart_erisc0(t);
      break;
    case CALL_LINK_STATUS:
    case CALL_REINIT:
    case CALL_PORT_ACTION:
    case CALL_DYNAMIC_NOC_INIT: break; /* the words of the link's state are always current */
    default:
      tx_fault(t, SIM_FAULT_UNSUPPORTED, "eth_fw_api.h", "Ethernet base firmware: mailbox %u, message 0x%08x is not known",
               mailbox, message);
      return;
  }
  put(t, at, TX_ETH_DONE | type);
}

void tx_ethernet_written(struct tx_tile *t, uint32_t address, uint32_t length) {
  if (address >= TX_ETH_MAILBOXES + TX_ETH_MAILBOX_COUNT * TX_ETH_MAILBOX_BYTES || address + length <= TX_ETH_MAILBOXES)
    return;
  for (unsigned i = 0; i < TX_ETH_MAILBOX_COUNT; i++) {
    uint32_t at = TX_ETH_MAILBOXES + i * TX_ETH_MAILBOX_BYTES;
    if (address < at + 4 && address + length > at) answer_call(t, i);
  }
}

void tx_ethernet_reading(struct tx_tile *t, uint32_t address, uint32_t length) {
  if (address < TX_ETH_HEARTBEAT + 4 && address + length > TX_ETH_HEARTBEAT)
    put(t, TX_ETH_HEARTBEAT, 1u + (uint32_t)(t->engine.now / HEARTBEAT_CYCLES));
}
