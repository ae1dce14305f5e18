/* The address map of bus.h: the table of its regions, and the path of a request to one of them.
 *
 * A load returns at once the value of this cycle and the number of cycles until the core has it; a load after unprocessed stores
 * of the same core to the same region waits for them. Stores are effects: they arrive after the region's
 * request_cycles, in order, and are processed then. MOP configuration and pushes are processed in the cycle in which they are
 * emitted, so that a core's stores to both keep their order (the conformance cases assume that hardware orders them).
 *
 * Registers can be loaded by the byte (the word is read, the bytes are taken out of it) and are stored whole; L1, local RAM and Dst
 * take all sizes. */
#include "tensix/tile/bus.h"

#include <string.h>

#include "tensix/frontend/autosync_access.h"
#include "tensix/machine.h"
#include "tensix/riscv/run.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/windows.h"

enum { T = 7, B = 8, NC = 16, BT = T | B, ALL = T | B | NC }; /* who sees a region */
enum { WORD = 4, ANY = 7 };

#define ROW(first, bytes, name, region, cores, loads, stores, fn) \
  { first, (first) + ((bytes)-1u), name, TX_REGION_##region, cores, loads, stores, tx_access_##fn, tx_arrive_##fn }
#define ROW_NOW(first, bytes, name, cores, loads, stores, fn) \
  { first, (first) + ((bytes)-1u), name, TX_REGIONS, cores, loads, stores, tx_access_##fn, NULL }

/* ISA: BabyRISCV/README.md, "Memory map" (Blackhole). Regions that reject some cores with their own message list all cores. */
static const struct tx_bus_row map[] = {
    ROW(0, TX_L1_BYTES, "L1", L1, ALL, ANY, ANY, l1),
    ROW_NOW(TX_ADDR_PUSH, TX_PUSH_BYTES, "instruction push", ALL, WORD, WORD, push),
    ROW_NOW(TX_LOCAL_BASE, TX_LOCAL_BYTES, "local data RAM", ALL, ANY, ANY, local),
    ROW(TX_ADDR_STREAM, TX_STREAMS_BYTES, "stream registers", MMIO, ALL, ANY, WORD, mmio),
    ROW(TX_ADDR_PC_BUF, TX_PC_BUF_BYTES, "PC buffers, TTSync and semaphores", SYNC, ALL, WORD, WORD, sync),
    ROW(TX_ADDR_GPR, TX_GPR_BYTES, "GPRs", GPR, ALL, ANY, WORD, gpr),
    ROW(TX_ADDR_CONFIG, TX_CONFIG_WINDOW_BYTES, "backend configuration", CONFIG, ALL, ANY, WORD, config),
    ROW(TX_ADDR_CONTROL, TX_CONTROL_WINDOW_BYTES, "tile control and debug registers", CONTROL, ALL, ANY, WORD, control),
    ROW_NOW(TX_ADDR_MOP_CFG, TX_MOP_CFG_BYTES, "MOP configuration", ALL, WORD, WORD, mop),
    ROW(TX_ADDR_TDMA, TX_TDMA_BYTES, "TDMA-RISC registers", TDMA, ALL, WORD, WORD, tdma),
    ROW(TX_ADDR_PIC, TX_PIC_BYTES, "PIC registers and pc snapshots", CONTROL, ALL, ANY, WORD, pic),
    ROW(TX_ADDR_LOCAL_SLOW, TX_LOCAL_SLOW_BYTES, "local data RAM, slow path", LOCAL, ALL, ANY, ANY, local_slow),
    ROW(TX_ADDR_NOC, TX_NOC_BYTES, "NoC 0 registers", NOC, ALL, ANY, WORD, noc),
    ROW(TX_ADDR_NOC + TX_NOC_BYTES, TX_NOC_BYTES, "NoC 1 registers", NOC, ALL, ANY, WORD, noc),
    ROW(TX_ADDR_DST, TX_DST_BYTES, "Dst window", DST, T, ANY, ANY, dst),
    ROW(TX_ADDR_MAILBOX, TX_MAILBOX_BYTES, "mailboxes", MAILBOX, BT, WORD, WORD, mailbox),
};

/* ERISC0 and ERISC1 take the roles of BRISC and NCRISC. */
static const struct tx_bus_row ethernet_map[] = {
    ROW(0, TX_ETH_L1_BYTES, "L1", L1, ALL, ANY, ANY, l1),
    ROW_NOW(TX_LOCAL_BASE, TX_LOCAL_BYTES, "local data RAM", ALL, ANY, ANY, local),
    ROW(TX_ADDR_STREAM, TX_ETH_STREAMS *TX_STREAM_BYTES, "stream registers", MMIO, ALL, ANY, WORD, mmio),
    ROW(TX_ADDR_CONTROL, TX_CONTROL_WINDOW_BYTES, "tile control and debug registers", CONTROL, ALL, ANY, WORD, control),
    ROW(TX_ADDR_PIC, TX_PIC_BYTES, "PIC registers and pc snapshots", CONTROL, ALL, ANY, WORD, pic),
    ROW(TX_ADDR_ETH_CORES, TX_ETH_CORE_BYTES, "reset addresses and interrupt modes", CONTROL, ALL, ANY, WORD, ethernet),
    ROW(TX_ADDR_NOC, TX_NOC_BYTES, "NoC 0 registers", NOC, ALL, ANY, WORD, noc),
    ROW(TX_ADDR_NOC + TX_NOC_BYTES, TX_NOC_BYTES, "NoC 1 registers", NOC, ALL, ANY, WORD, noc),
    ROW(TX_ADDR_ETH_LINK, TX_ETH_LINK_BYTES, "Ethernet queues and control", CONTROL, ALL, ANY, ANY, ethernet),
};

static const struct tx_bus_row *map_of(const struct tx_tile *t, size_t *rows) {
  *rows = t->ethernet.on ? sizeof ethernet_map / sizeof *ethernet_map : sizeof map / sizeof *map;
  return t->ethernet.on ? ethernet_map : map;
}

static const struct tx_bus_row *find_in(const struct tx_bus_row *rows, size_t count, uint32_t address) {
  for (size_t i = 0; i < count; i++)
    if (address >= rows[i].first && address <= rows[i].last) return &rows[i];
  return NULL;
}

static const struct tx_bus_row *find_row(const struct tx_tile *t, uint32_t address) {
  size_t count;
  const struct tx_bus_row *rows = map_of(t, &count);
  return find_in(rows, count, address);
}

bool tx_bus_arrives(const struct tx_tile *t, unsigned agent, uint32_t address, unsigned bytes) {
  const struct tx_bus_row *row = find_row(t, address);
  return row && row->arrive && row->cores >> tx_core_of(agent) & 1u && (row->store_bytes & bytes);
}

static uint32_t distance(const struct tx_bus_row *r, uint32_t address) {
  return address < r->first ? r->first - address : address > r->last ? address - r->last : 0;
}

static const struct tx_bus_row *nearest(const struct tx_tile *t, uint32_t address) {
  size_t count;
  const struct tx_bus_row *rows = map_of(t, &count), *best = rows;
  for (size_t i = 1; i < count; i++)
    if (distance(&rows[i], address) < distance(best, address)) best = &rows[i];
  return best;
}

static const struct tx_bus_answer faulted = {.result = TX_BUS_FAULT};

#define STACK_SEEN (64 * TX_LOCAL_BYTES) /* so far below local RAM an address still counts as one of the stack */

/* The stack has grown below local RAM, and this is an access to it. */
static bool is_below_stack(const struct tx_tile *t, const struct tx_request *r) {
  uint32_t sp = t->core[tx_core_of(r->agent)].r[2], bottom = TX_LOCAL_BASE - STACK_SEEN;
  return r->address >= bottom && r->address < TX_LOCAL_BASE && sp >= bottom && sp < TX_LOCAL_BASE;
}

static struct tx_bus_answer refuse_unmapped(struct tx_tile *t, const struct tx_request *r) {
  const struct tx_bus_row *n = nearest(t, r->address);
  bool inside = distance(n, r->address) == 0;
  if (is_below_stack(t, r)) {
    unsigned core = tx_core_of(r->agent);
    t->current.agent = r->agent;
    tx_fault(t, SIM_FAULT_ADDRESS, "BabyRISCV/README.md",
             "%s: %s 0x%08x: the stack has left the core's local data RAM (0x%08x..0x%08x), sp is 0x%08x",
             tx_core_name_in(t, core), tx_request_words(r), r->address, TX_LOCAL_BASE,
             TX_LOCAL_BASE + tx_core_local_bytes(core) - 1, t->core[core].r[2]);
    return faulted;
  }
  t->current.agent = r->agent;
  tx_fault(t, inside ? SIM_FAULT_UNSUPPORTED : SIM_FAULT_ADDRESS, "BabyRISCV/README.md",
           "%s: %s 0x%08x: %s %s (0x%08x..0x%08x)", tx_core_name_in(t, tx_core_of(r->agent)), tx_request_words(r),
           r->address,
           inside ? "no such register, or not mapped for this core:" : "nothing is mapped there; nearest:", n->name,
           n->first, n->last);
  return faulted;
}

void tx_effect_CORE_REQUEST(struct tx_tile *t, const struct sim_effect *e) {
  struct tx_request r = {.agent = e->agent, .address = e->w[1], .value = e->w[2], .bytes = e->w[4] & 0xffu, .store = true};
  uint32_t resources = e->w[4] >> 8;
  if (tx_bus_port(t, e->agent)->held_at[e->w[0]] == t->engine.now) { /* after a postponed store */
    tx_bus_again(t, e);
    return;
  }
  t->current = (struct tx_current){.agent = e->agent, .word = e->w[1], .pc = e->pc, .unit = TX_UNIT_FRONTEND};
  tx_assert(find_row(t, r.address) && find_row(t, r.address)->arrive);
  if (!find_row(t, r.address)->arrive(t, &r, e)) return;
  if (resources) tx_autosync_store_ends(t, tx_core_of(e->agent), resources);
  tx_bus_processed(t, e->agent, (enum tx_bus_region)e->w[0]);
}

/* --- the doors --- */

static struct tx_bus_answer ask(struct tx_tile *t, const struct tx_bus_row *row, const struct tx_request *r) {
  struct tx_bus_answer answer = row->access(t, r);
  return answer.result == TX_BUS_UNMAPPED ? refuse_unmapped(t, r) : answer;
}

static struct tx_bus_answer check_and_access(struct tx_tile *t, const struct tx_bus_row *row, const struct tx_request *r) {
  if (r->address & (r->bytes - 1))
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "BabyRISCV/README.md", "an unaligned address");
  if (!row || !(row->cores >> tx_core_of(r->agent) & 1u)) return refuse_unmapped(t, r);
  if (!((r->store ? row->store_bytes : row->load_bytes) & r->bytes))
    return tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "BabyRISCV/README.md", "this register takes accesses of 4 bytes only");
  if (r->bytes == 4 || r->store || row->store_bytes != WORD) return ask(t, row, r);
  struct tx_request whole = *r; /* some bytes of a register */
  whole.address &= ~3u;
  whole.bytes = 4;
  struct tx_bus_answer answer = ask(t, row, &whole);
  answer.value = answer.value >> (8 * (r->address & 3u)) & (r->bytes == 1 ? 0xffu : 0xffffu);
  return answer;
}

struct tx_bus_answer tx_bus_load_sized(struct tx_tile *t, unsigned agent, uint32_t address, unsigned bytes) {
  struct tx_request r = {.agent = agent, .address = address, .bytes = bytes};
  struct tx_bus_answer clock;
  if (bytes == 4 && tx_control_load_clock(t, agent, address, &clock)) return clock;
  return check_and_access(t, find_row(t, address), &r);
}

struct tx_bus_answer tx_bus_store_sized(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value,
                                        unsigned bytes) {
  struct tx_request r = {.agent = agent, .address = address, .value = value, .bytes = bytes, .store = true};
  struct tx_bus_answer answer = check_and_access(t, find_row(t, address), &r);
  if (answer.result == TX_BUS_DONE) tx_bus_port(t, agent)->stores++;
  return answer;
}

struct tx_bus_answer tx_bus_load(struct tx_tile *t, unsigned agent, uint32_t address) {
  return tx_bus_load_sized(t, agent, address, 4);
}
