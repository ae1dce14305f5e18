/* The checks of a saved state (src/tensix/tile/valid.c, valid_units.c), one field at a time: a tile in the middle of a kernel is valid; each field
 * of the table with a value that no run produces makes it invalid, and the block that is named has the field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/state.h"
#include "beside.h"
#include "noc/niu.h"
#include "random_program.h"
#include "tensix/machine.h"
#include "tensix/tile/valid.h"
#include "tensix/unit/vector/op.h"

#define FAR (UINT64_C(1) << 40) /* a time that nothing is planned for */
#define NEVER_SO (UINT64_C(1) << 61)

static const struct row {
  const char *block, *name;
  size_t at, size;
  uint64_t bad;
} rows[] = {
#define BAD(block, field, value) \
  { block, #field, offsetof(struct tx_tile, field), sizeof(((struct tx_tile *)0)->field), value }
    BAD("parameters", timing, 2),
    BAD("parameters", l1_bytes, 4096),
    BAD("parameters", ethernet.on, 1),
    BAD("parameters", ethernet.on, 2),
    BAD("parameters", params.fifo1_accept_max, TX_FIFO_SLOTS),
    BAD("parameters", params.fifo2_capacity, 0),
    BAD("parameters", params.fifo2_capacity, TX_FIFO_SLOTS),
    BAD("parameters", params.fifo3_capacity, 0),
    BAD("parameters", params.fifo3_capacity, TX_FIFO_SLOTS),
    BAD("parameters", params.unpack_queue, 0),
    BAD("parameters", params.unpack_queue, TX_UNPACK_JOBS + 1),
    BAD("fault", fault.kind, SIM_FAULT_HAZARD + 1),
    BAD("engine", engine.now, NEVER_SO),
    BAD("engine", engine.agent_count, TX_AGENT_COUNT - 1),
    BAD("engine", engine.agents_used, TX_AGENT_COUNT + 1),
    BAD("engine", engine.in_effects, 1),
    BAD("engine", engine.until, 5),
    BAD("engine", engine.turn, TX_AGENT_COUNT + 1),
    BAD("engine", engine.urgent, 0),
    BAD("engine", engine.takers, 0),
    BAD("engine", engine.turn_end, NEVER_SO),
    BAD("engine", engine.turn_reached, NEVER_SO),
    BAD("engine", engine.parked, UINT64_C(1) << TX_AGENT_COUNT),
    BAD("engine", engine.effect_count, SIM_EFFECTS_MAX + 1),
    BAD("engine", engine.agents[0].state, SIM_AGENT_DONE + 1),
    BAD("engine", engine.agents[1].park_count, SIM_PARK_KEYS_MAX + 1),
    BAD("engine", engine.agents[2].wait.kind, TX_BLOCKED_COUNT),
    BAD("engine", engine.agents[3].channels, UINT64_C(1) << TX_CH_COUNT),
    BAD("engine", engine.agents[4].at, NEVER_SO),
    BAD("engine", engine.agents[1].wait.since, FAR),
    BAD("front ends", frontend[0].fifo1.head, TX_FIFO_SLOTS),
    BAD("front ends", frontend[0].fifo1.count, TX_FIFO_SLOTS + 1),
    BAD("front ends", frontend[1].fifo2.head, TX_FIFO_SLOTS),
    BAD("front ends", frontend[1].fifo2.count, TX_FIFO_SLOTS),
    BAD("front ends", frontend[2].fifo3.head, TX_FIFO_SLOTS),
    BAD("front ends", frontend[2].fifo3.count, TX_FIFO_SLOTS),
    BAD("front ends", frontend[0].brisc_count, 2),
    BAD("front ends", frontend[0].moving, TX_MOVING_LATER + 1),
    BAD("front ends", frontend[1].plain_behind, 77),
    BAD("front ends", frontend[1].stepped, FAR),
    BAD("front ends", frontend[0].mop.active, 2),
    BAD("front ends", frontend[0].mop.odd, 2),
    BAD("front ends", frontend[0].mop.mask_hi, 0x10000),
    BAD("front ends", frontend[1].mop.entry, TX_SYNC_ENTRY_MAX + 1),
    BAD("front ends", frontend[0].replay.loading, TX_REPLAY_SLOTS + 1),
    BAD("front ends", frontend[0].replay.playing, TX_REPLAY_SLOTS + 1),
    BAD("front ends", frontend[1].replay.index, TX_REPLAY_SLOTS),
    BAD("front ends", frontend[1].replay.forward, 2),
    BAD("front ends", frontend[1].replay.entry, TX_SYNC_ENTRY_MAX + 1),
    BAD("gates", gate[0].latch.opcode, TX_MVMUL),
    BAD("gates", gate[0].latch.block, TX_BLOCK_BITS + 1),
    BAD("gates", gate[1].latch.semaphores, 1u << TX_SEMAPHORES),
    BAD("gates", gate[2].latch.since, NEVER_SO),
    BAD("gates", gate[0].wants, TX_PORT_COUNT + 1),
    BAD("gates", gate[1].granted, 2),
    BAD("gates", gate[2].latch_met, 2),
    BAD("gates", gate[2].accesses, 9),
    BAD("gates", autosync[0].stores[0], 3),
    BAD("gates", autosync[1].store_mask, 1u << TX_SYNC_RESOURCES),
    BAD("gates", autosync[1].load, 1u << TX_SYNC_RESOURCES),
    BAD("gates", autosync[2].last, TX_SYNC_ENTRY_MAX + 1),
    BAD("gates", arbiter.last[0], TX_THREADS),
    BAD("cores", core[0].state, TX_CORE_EBREAK + 1),
    BAD("cores", core[0].retire_next, TX_CORE_RETIRE),
    BAD("cores", core[0].retire_pad, 1),
    BAD("cores", core[1].queue_count, TX_CORE_STORES + 1),
    BAD("cores", core[1].lsu_next, TX_CORE_LOADS),
    BAD("cores", core[1].lsu_again, 2),
    BAD("cores", core[2].held, 2),
    BAD("cores", core[2].flush, 2),
    BAD("cores", core[2].refused, 2),
    BAD("cores", core[2].polls.next, TX_CORE_POLLS),
    BAD("cores", core[3].polls.current, TX_CORE_POLLS),
    BAD("cores", core[3].push_left, FAR),
    BAD("cores", core[3].r[0], 1),
    BAD("cores", core[3].l0_next, TX_L0_LINES),
    BAD("cores", core[4].refused_wait.kind, TX_BLOCKED_COUNT),
    BAD("cores", core[4].refused_channels, UINT64_C(1) << TX_CH_COUNT),
    BAD("cores", core[4].l1_under_way, 99),
    BAD("cores", core[4].clock, NEVER_SO),
    BAD("cores", core[4].started_at, NEVER_SO),
    BAD("cores", core[0].waiting.kind, TX_WAITING_ATOMIC + 1),
    BAD("cores", core[0].spin.count, SIM_PARK_KEYS_MAX + 1),
    BAD("cores", core[0].spin.parked, 2),
    BAD("cores", core[1].fetch.slot, TX_IC_LINES),
    BAD("cores", core[1].fetch.line, 2),
    BAD("cores", core[1].fetch.line, UINT32_C(0xfffffff1)),
    BAD("cores", core[1].fetch.recent[0], TX_IC_WAYS),
    BAD("cores", port[0].pending[0], 50),
    BAD("cores", port[1].outstanding, 50),
    BAD("findings", diag.finding_count, TX_FINDINGS_MAX + 1),
    BAD("semaphores", sync.sem[0].width, 0),
    BAD("semaphores", sync.sem[1].width, 17),
    BAD("semaphores", sync.sem[2].value, 0xffff),
    BAD("semaphores", sync.sem[3].sources, SIM_CSEM_SOURCES_MAX + 1),
    BAD("semaphores", sync.mutex_holder[0], TX_THREADS),
    BAD("counters", rwc[0].srca, 64),
    BAD("counters", rwc[0].srca_cr, 64),
    BAD("counters", rwc[1].srcb, 64),
    BAD("counters", rwc[1].srcb_cr, 64),
    BAD("counters", rwc[1].dst, 1024),
    BAD("counters", rwc[2].dst_cr, 1024),
    BAD("counters", rwc[2].fidelity, 4),
    BAD("counters", adc_watch.by[0], TX_THREADS + 1),
    BAD("configuration", config.reads[0].index, TX_CFG_WORDS),
    BAD("configuration", config.reads[0].bank, 2),
    BAD("configuration", config.reads[0].valid, 2),
    BAD("configuration", config.pending_until[0], FAR),
    BAD("configuration", config.pipe, 32),
    BAD("configuration", config.pipe_at, FAR),
    BAD("configuration", config.stream_thread, TX_THREADS),
    BAD("scalar unit", scalar.outstanding[0], 40),
    BAD("scalar unit", scalar.rdcfg_gpr[0], TX_GPRS),
    BAD("scalar unit", scalar.gpr_pending[0][0], 40),
    BAD("Src", src.matrix_bank[0], 2),
    BAD("Src", src.unpack_bank[1], 2),
    BAD("Src", src.bank[0][0].owner, TX_CLIENT_MATRIX + 1),
    BAD("Src", src.bank[0][1].format, 32),
    BAD("Src", src.bank[1][0].filled, 2),
    BAD("Src", dst.valid[5], TX_DST_STATES),
    BAD("Src", dst.busy_until[3], FAR),
    BAD("Src", matrix.srca_row, TX_SRC_ROWS),
    BAD("vector unit", vector.undefined, ~UINT64_C(0)),
    BAD("vector unit", vector.slot_base, 8),
    BAD("vector unit", vector.scalar_only, 2),
    BAD("vector unit", vector.executing, 1u << TX_SUB_UNITS),
    BAD("vector unit", vector.occupied[0], 0x100),
    BAD("vector unit", vector.hidden[0].rows, 1u << TX_LREGS),
    BAD("vector unit", vector.lane_config[0], UINT32_MAX),
    BAD("vector unit", vector.unread, 1u << TX_LREGS),
    BAD("vector unit", vector.written, 1u << TX_LREGS),
    BAD("vector unit", vector.slots[0][1][0].columns, 1),
    BAD("unpackers", unpack.jobs[0], TX_UNPACK_JOBS + 1),
    BAD("unpackers", unpack.stream_end[1], FAR),
    BAD("unpackers", unpack.inside[0][0], 9),
    BAD("unpackers", unpack.context_counter[0][0], 8),
    BAD("unpackers", unpack.src_row[1][2], 64),
    BAD("mover", mover.busy, 2),
    BAD("mover", mover.busy, 1),
    BAD("mover", mover.command_pending, 2),
    BAD("mover", mover.commands, TX_TDMA_COMMANDS + 1),
    BAD("mover", mover.range[1], 1),
    BAD("mover", mover.credits_used, 1),
    BAD("packer", pack.config.map, 2),
    BAD("packer", pack.config.bank, 2),
    BAD("packer", pack.first, TX_PACK_BATCHES),
    BAD("packer", pack.count, TX_PACK_BATCHES + 1),
    BAD("packer", pack.metadata_count, TX_PACK_METADATA + 1),
    BAD("packer", pack.stream[0].bits, 128),
    BAD("packer", pack.stream[1].open, 2),
    BAD("packer", pack.compress.zeros[0], 16),
    BAD("packer", pack.compress.in_group, 32),
    BAD("packer", pack.compress.in_row, 2),
    BAD("packer", pack.compress.held_zeros, 16),
    BAD("packer", pack.compress.row_zero, 2),
    BAD("packer", pack.last_done_at, FAR),
    BAD("packer", pack_stats.packer[0].last_thread, TX_THREADS),
    BAD("mailboxes", mailboxes.box[0][0].head, TX_MAILBOX_WORDS),
    BAD("mailboxes", mailboxes.box[0][1].count, TX_MAILBOX_WORDS + 1),
    BAD("mailboxes", mailboxes.backlog[0].count, TX_BACKLOG_WORDS + 1),
    BAD("mailboxes", pcbufs.buf[0].head, TX_PCBUF_WORDS),
    BAD("mailboxes", pcbufs.buf[1].count, TX_PCBUF_WORDS + 1),
    BAD("mailboxes", pcbufs.backlog.count, TX_BACKLOG_WORDS + 1),
    BAD("mailboxes", pic.in_handler[0], 2),
    BAD("mailboxes", pic.last[1], TX_PIC_INTERRUPTS),
    BAD("NIUs", niu[0].noc, 1),
    BAD("L1 ports", l1_ports.read_next[0], TX_L1_READS),
    BAD("L1 ports", l1_ports.port_free[0], FAR),
    BAD("L1 ports", l1_ports.bank_last[0], TX_L1_PORTS),
    BAD("L1 ports", l1_ports.bank_free[1], FAR),
    BAD("L1 ports", l1_ports.client[0].bank, TX_L1_BANKS + 1),
    BAD("L1 ports", l1_ports.delay[0], UINT32_C(0xf0000000)),
    BAD("L1 ports", l1_ports.elevenths[0], 11),
    BAD("L1 ports", l1_ports.stream_next[0], TX_L1_PLANNED),
    BAD("L1 ports", l1_ports.stream[0][0].rate, TX_L1_BANKS + 1),
    BAD("L1 ports", l1_ports.niu[0].delay, UINT32_C(0xf0000000)),
    BAD("L1 ports", l1_ports.niu[1].until, FAR),
    BAD("L1 ports", l1_ports.niu[1].resume, FAR),
    BAD("L1 ports", control.event_position, 5),
    BAD("L1 ports", control.event_bits, 129),
    BAD("L1 ports", control.watchdog_since, FAR),
    BAD("performance counters", perf.counting, 1u << TX_PERF_GROUPS),
    BAD("performance counters", perf.pulse[TX_PERF_MASKS - 1], UINT64_C(1) << 63),
    BAD("performance counters", perf.first[TX_PERF_MASKS - 1], UINT64_C(1) << 63),
    BAD("performance counters", perf.rest[TX_PERF_MASKS - 1], UINT64_C(1) << 63),
    BAD("performance counters", perf.group[0].started, 2),
    BAD("performance counters", perf.group[1].mode, 3),
    BAD("performance counters", perf.group[1].mux, 8),
    BAD("performance counters", perf.group[0].started_at, FAR),
    BAD("watches", watch[0].kind, TX_WATCH_TIMER + 1),
    BAD("watches", watch[1].armed, 2),
    BAD("watches", watch[1].met, 2),
    BAD("watches", watch[1].parked, 2),
#undef BAD
};

/* Effects that no run produces; those of the other kinds have no fields. */
static const struct {
  unsigned kind, agent;
  uint32_t w[6];
} effects[] = {
    {TX_EFFECT_COUNT, TX_AGENT_TRISC0, {0}},
    {TX_EFFECT_GPR_WRITE, TX_AGENT_COUNT, {0}},
    {TX_EFFECT_GPR_WRITE, TX_AGENT_TRISC0, {TX_THREADS}},
    {TX_EFFECT_GPR_WRITE, TX_AGENT_TRISC0, {0, TX_GPRS}},
    {TX_EFFECT_GPR_WRITE, TX_AGENT_TRISC0, {0, 0, 0, 0x10}},
    {TX_EFFECT_GPR_WRITE, TX_AGENT_TRISC0, {0, 0, 0, 0, 2}},
    {TX_EFFECT_SCALAR_MEMORY, SIM_NO_AGENT, {0}},
    {TX_EFFECT_CFG_WRITE, TX_AGENT_TRISC0, {5}},
    {TX_EFFECT_CFG_WRITE, TX_AGENT_TRISC0, {(uint32_t)TX_THREADS << 16}},
    {TX_EFFECT_CFG_WRITE, TX_AGENT_TRISC0, {0, TX_CFG_WORDS}},
    {TX_EFFECT_CFG_WRITE, TX_AGENT_TRISC0, {1, TX_CFG_WORDS - 3}},
    {TX_EFFECT_CFG_WRITE, TX_AGENT_TRISC0, {4, 0, NOC_STREAMS_MAX}},
    {TX_EFFECT_CORE_LINE, 0, {0, 0, 0, 0, 0, 1}},
    {TX_EFFECT_CORE_LINE, TX_AGENT_TRISC0, {8, 0, 0, 0, 0, 1}},
    {TX_EFFECT_CORE_LINE, TX_AGENT_TRISC0, {UINT32_C(0xfffffff0), 0, 0, 0, 0, 1}},
    {TX_EFFECT_CORE_LINE, TX_AGENT_TRISC0, {0, 0, 0, 0, 0, 0}},
    {TX_EFFECT_CORE_LINE, TX_AGENT_TRISC0, {0, 0, 0, 0, 0, 0x10000}},
    {TX_EFFECT_CORE_ATOMIC, TX_AGENT_TRISC0, {2}},
    {TX_EFFECT_CORE_ATOMIC, TX_AGENT_TRISC0, {UINT32_C(0xfffffff0)}},
    {TX_EFFECT_CORE_REQUEST, TX_AGENT_TRISC0, {TX_REGIONS, 0, 0, 0, 4}},
    {TX_EFFECT_CORE_REQUEST, TX_AGENT_TRISC0, {0, 0, 0, 0, 3}},
    {TX_EFFECT_CORE_REQUEST, TX_AGENT_TRISC0, {0, 2, 0, 0, 4}},
    {TX_EFFECT_CORE_REQUEST, TX_AGENT_TRISC0, {0, 0, 0, 0, 4 | UINT32_C(1) << 31}},
    {TX_EFFECT_CORE_REQUEST, TX_AGENT_TRISC0, {0, UINT32_C(0x40000000), 0, 0, 4}},
    {TX_EFFECT_BANK_HAND_OVER, TX_AGENT_TRISC0, {TX_SRCB + 1}},
    {TX_EFFECT_BANK_HAND_OVER, TX_AGENT_TRISC0, {0, 32}},
    {TX_EFFECT_BANK_RELEASE, TX_AGENT_TRISC0, {TX_SRCB + 1}},
    {TX_EFFECT_BANK_RELEASE, TX_AGENT_TRISC0, {0, 2}},
    {TX_EFFECT_BANK_RELEASE, TX_AGENT_TRISC0, {0, 0, 4}},
    {TX_EFFECT_UNPACK_DONE, TX_AGENT_TRISC0, {2}},
    {TX_EFFECT_NOC_EVENT, TX_AGENT_TRISC0, {TX_NOCS}},
    {TX_EFFECT_NOC_EVENT, TX_AGENT_TRISC0, {0, UINT32_MAX}},
};

static char programs[512];
static const char *const kernels[] = {"matmul_lofi", "sfpu_exp", "pack_untilize"};
#define KERNELS (sizeof kernels / sizeof kernels[0])

/* Runs a kernel for some cycles and hands its tile to `check`. */
static void in_the_middle(void (*check)(struct tx_tile *t)) {
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  for (unsigned k = 0; k < KERNELS; k++) {
    struct random_base base = {0};
    char path[600];
    snprintf(path, sizeof path, "%s/llk_%s", programs, kernels[k]);
    assert_true(random_base_make(&base, path, true));
    for (unsigned seed = 0; seed < 4; seed++) {
      tessera_tile_reset(tile, TESSERA_TIMING_CYCLE);
      random_program_start(&tile->tile, &base, seed, false);
      tessera_tile_run(tile, 300 + 500 * seed);
      assert_null(tx_tile_wrong(&tile->tile));
      check(&tile->tile);
      assert_null(tx_tile_wrong(&tile->tile));
    }
    free(base.state);
  }
  tessera_tile_destroy(tile);
}

static void each_field(struct tx_tile *t) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    unsigned char *at = (unsigned char *)t + rows[i].at, before[16];
    size_t size = rows[i].size < sizeof rows[i].bad ? rows[i].size : sizeof rows[i].bad;
    memcpy(before, at, size);
    if (memcmp(before, &rows[i].bad, size) == 0) continue;
    memcpy(at, &rows[i].bad, size);
    const char *wrong = tx_tile_wrong(t);
    memcpy(at, before, size);
    if (!wrong || strcmp(wrong, rows[i].block) != 0)
      fail_msg("%s = 0x%llx: %s instead of %s", rows[i].name, (unsigned long long)rows[i].bad, wrong ? wrong : "valid",
               rows[i].block);
  }
}

static void every_field_is_checked(void **state) {
  (void)state;
  in_the_middle(each_field);
}

/* The effect as the only one of the tile. */
static void each_effect(struct tx_tile *t) {
  struct sim_engine *engine = &t->engine;
  struct sim_effect before = engine->effects[0];
  uint32_t count = engine->effect_count;
  for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
    engine->effect_count = 1;
    engine->effects[0] =
        (struct sim_effect){.at = engine->now + 1, .kind = (uint8_t)effects[i].kind, .agent = (uint8_t)effects[i].agent};
    memcpy(engine->effects[0].w, effects[i].w, sizeof effects[i].w);
    const char *wrong = tx_tile_wrong(t);
    if (!wrong || strcmp(wrong, "engine") != 0) fail_msg("effect %zu of the list: %s", i, wrong ? wrong : "valid");
  }
  engine->effects[0] = (struct sim_effect){.at = NEVER_SO, .agent = TX_AGENT_TRISC0};
  assert_string_equal(tx_tile_wrong(t), "engine");
  engine->effects[0] = before;
  engine->effect_count = count;
}

static void every_effect_is_checked(void **state) {
  (void)state;
  in_the_middle(each_effect);
}

int main(int argc, char **argv) {
  (void)argc;
  test_kernels_directory(programs, sizeof programs, argv[0]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_field_is_checked), cmocka_unit_test(every_effect_is_checked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
