/* The kind of every word of the tile before L1 (same.h). */
#include "tensix/lap/same.h"

#define OF(type, field, kind) \
  { offsetof(struct type, field), TX_LAP_##kind, #type "." #field }
#define END(type) \
  { sizeof(struct type), TX_LAP_DATA, NULL }
#define ALL(type, kind) \
  { {0, TX_LAP_##kind, #type}, END(type) }

/* --- the engine --- */

static const struct tx_lap_part of_engine[] = {
    OF(sim_engine, now, DATA),                                         /* the base of all times */
    OF(sim_engine, parked, EXACT),      OF(sim_engine, watched, DATA), /* sim_watched follows from the agents */
    OF(sim_engine, signalled, EXACT),   OF(sim_engine, signalled_at, TIME),
    OF(sim_engine, agent_count, EXACT), OF(sim_engine, effect_seq, NATIVE_WORD),
    OF(sim_engine, stop, DATA), /* and schedule_changed: left by what ended the last run */
    OF(sim_engine, in_effects, EXACT),  OF(sim_engine, until, DATA),
    OF(sim_engine, aside, EXACT),       OF(sim_engine, caught_up, TIME),
    OF(sim_engine, turn_end, TIME),     OF(sim_engine, takers, EXACT),
    OF(sim_engine, ops, DATA),          OF(sim_engine, turn, EXACT),
    OF(sim_engine, in_turns, DATA),     {sizeof(struct sim_engine), TX_LAP_DATA, NULL}};
static const struct tx_lap_part of_agent[] = {OF(sim_agent, at, TIME),
                                              OF(sim_agent, channels, EXACT),
                                              OF(sim_agent, woken_at, TIME),
                                              OF(sim_agent, park_period, EXACT),
                                              OF(sim_agent, wait.since, TIME),
                                              OF(sim_agent, wait.kind, EXACT),
                                              END(sim_agent)};

/* --- front ends, gates --- */

static const struct tx_lap_part of_frontend[] = {
    OF(tx_frontend, stepped, TIME),      OF(tx_frontend, pushed_at, DATA), /* a ring */
    OF(tx_frontend, fifo1.count, EXACT), OF(tx_frontend, fifo1.slot, DATA),   OF(tx_frontend, fifo2.count, EXACT),
    OF(tx_frontend, fifo2.slot, DATA),   OF(tx_frontend, fifo3.count, EXACT), OF(tx_frontend, fifo3.slot, DATA),
    OF(tx_frontend, brisc, EXACT),       OF(tx_frontend, pushed, COUNT),      END(tx_frontend)};
static const struct tx_lap_part of_autosync[] = {OF(tx_autosync, declared, EXACT), OF(tx_autosync, passed_at, TIME),
                                                 OF(tx_autosync, passed, EXACT), OF(tx_autosync, linger_until, TIME),
                                                 END(tx_autosync)};
static const struct tx_lap_part of_gate[] = {
    OF(tx_gate, latch, EXACT),
    OF(tx_gate, latch.since, TIME),
    OF(tx_gate, issued, COUNT),
    OF(tx_gate, wants, DATA), /* and granted, latch_met: of one cycle, written before they are read */
    OF(tx_gate, accesses, EXACT),
    END(tx_gate)};
static const struct tx_lap_part of_arbiter[] = {OF(tx_arbiter, last, EXACT), OF(tx_arbiter, sync_taken_at, NATIVE_TIME),
                                                END(tx_arbiter)};

/* --- units --- */

static const struct tx_lap_part of_trail[] = {OF(tx_trail, cycle, NATIVE_TIME), OF(tx_trail, pc, EXACT), END(tx_trail)};
static const struct tx_lap_part of_unit[] = {OF(tx_unit_state, free_at, NATIVE_TIME),
                                             OF(tx_unit_state, accepted, NATIVE_COUNT), END(tx_unit_state)};
static const struct tx_lap_part of_sem[] = {OF(sim_csem, value, EXACT), OF(sim_csem, posts, NATIVE_COUNT), END(sim_csem)};
static const struct tx_lap_part of_sync[] = {OF(tx_sync, sem, DATA), OF(tx_sync, mutex_holder, EXACT),
                                             OF(tx_sync, posted, DATA), END(tx_sync)};
static const struct tx_lap_part of_config[] = {OF(tx_config, words, EXACT),
                                               OF(tx_config, pipe_at, TIME),
                                               OF(tx_config, pipe, EXACT),
                                               OF(tx_config, stream_leaves_at, TIME),
                                               OF(tx_config, busy_until, NATIVE_TIME),
                                               OF(tx_config, version, NATIVE_COUNT),
                                               OF(tx_config, pending_until, NATIVE_TIME),
                                               OF(tx_config, pending_units, EXACT),
                                               END(tx_config)};
static const struct tx_lap_part of_rwc[] = ALL(tx_rwc, EXACT);
static const struct tx_lap_part of_adc[] = ALL(tx_adc, EXACT);
static const struct tx_lap_part of_adc_watch[] = {OF(tx_adc_watch, cycle, NATIVE_TIME), OF(tx_adc_watch, by, EXACT),
                                                  END(tx_adc_watch)};
static const struct tx_lap_part of_scalar[] = {OF(tx_scalar, gpr, EXACT), OF(tx_scalar, hold_until, NATIVE_TIME),
                                               OF(tx_scalar, rdcfg_gpr, EXACT), END(tx_scalar)};
static const struct tx_lap_part of_src_bank[] = {OF(tx_src_bank, datum, DATA), OF(tx_src_bank, version, NATIVE_COUNT),
                                                 OF(tx_src_bank, owner, EXACT), END(tx_src_bank)};
static const struct tx_lap_part of_src[] = {OF(tx_src, bank, DATA), OF(tx_src, matrix_bank, EXACT), OF(tx_src, filled, DATA),
                                            OF(tx_src, clear_at, NATIVE_TIME), END(tx_src)};
static const struct tx_lap_part of_dst[] = {OF(tx_dst, bits, DATA), OF(tx_dst, valid, EXACT),
                                            OF(tx_dst, busy_until, NATIVE_TIME), END(tx_dst)};
static const struct tx_lap_part of_matrix[] = {OF(tx_matrix, movd2a_until, NATIVE_TIME), OF(tx_matrix, release_by, TIME),
                                               OF(tx_matrix, srca_row, EXACT), OF(tx_matrix, prng, DATA), END(tx_matrix)};

/* Lane flags are data, and so is what scheduled instructions use; `hidden` and `occupied` are judged in same.c. */
static const struct tx_lap_part of_vector[] = {OF(tx_vector, lreg, DATA),
                                               OF(tx_vector, lane_config, EXACT),
                                               OF(tx_vector, hidden, DATA),
                                               OF(tx_vector, nop_only_at, NATIVE_TIME),
                                               OF(tx_vector, slots, DATA),
                                               OF(tx_vector, occupied, EXACT),
                                               OF(tx_vector, slot_base, DATA),
                                               OF(tx_vector, unread, EXACT),
                                               OF(tx_vector, tick_at, NATIVE_TIME),
                                               OF(tx_vector, executing, EXACT),
                                               OF(tx_vector, view_enabled, DATA),
                                               OF(tx_vector, swap, EXACT),
                                               OF(tx_vector, swap_at, NATIVE_TIME),
                                               OF(tx_vector, view, DATA),
                                               END(tx_vector)};
static const struct tx_lap_part of_flags[] = {OF(tx_flags, flags, DATA), OF(tx_flags, use, EXACT), END(tx_flags)};
const struct tx_lap_part tx_lap_of_job[] = {OF(tx_unpack_job, ready_at, NATIVE_TIME), OF(tx_unpack_job, word, EXACT),
                                            END(tx_unpack_job)};
static const struct tx_lap_part of_unpack[] = {OF(tx_unpack, job, DATA), OF(tx_unpack, jobs, EXACT),
                                               OF(tx_unpack, stream_end, NATIVE_TIME), OF(tx_unpack, datums, NATIVE_COUNT),
                                               END(tx_unpack)};
/* The ranges are judged in same.c. */
static const struct tx_lap_part of_inflight[] = {OF(tx_inflight, used, EXACT), OF(tx_inflight, range, DATA),
                                                 END(tx_inflight)};
static const struct tx_lap_part of_mover[] = {OF(tx_mover, move, EXACT), OF(tx_mover, done_at, NATIVE_TIME),
                                              OF(tx_mover, busy, EXACT), END(tx_mover)};
static const struct tx_lap_part of_pack_stats[] = ALL(tx_pack_stats, DATA);
static const struct tx_lap_part of_pack[] = {
    OF(tx_pack, config, NATIVE_COUNT), /* its version */
    OF(tx_pack, config.race, EXACT),        OF(tx_pack, stream, DATA),     OF(tx_pack, compress, DATA),
    OF(tx_pack, position, EXACT),           OF(tx_pack, early_prng, DATA), OF(tx_pack, count, EXACT),
    OF(tx_pack, last_done_at, NATIVE_TIME), OF(tx_pack, batch, DATA),      END(tx_pack)};
static const struct tx_lap_part of_pack_stream[] = {OF(tx_pack_stream, address, EXACT), OF(tx_pack_stream, buffer, DATA),
                                                    END(tx_pack_stream)};
const struct tx_lap_part tx_lap_of_batch[] = {
    OF(tx_pack_batch, done_at, NATIVE_TIME), OF(tx_pack_batch, effect, DATA), /* judged in same.c */
    OF(tx_pack_batch, agent, EXACT), OF(tx_pack_batch, bytes, DATA), END(tx_pack_batch)};

/* --- ports of L1 --- */

static const struct tx_lap_part of_ports[] = {OF(tx_l1_ports, port_free, PORT_TIME),
                                              OF(tx_l1_ports, read_back, DATA),
                                              OF(tx_l1_ports, bank_last, EXACT),
                                              OF(tx_l1_ports, client, DATA),
                                              OF(tx_l1_ports, streams_until, NATIVE_TIME),
                                              OF(tx_l1_ports, stream, DATA),
                                              OF(tx_l1_ports, delay, EXACT),
                                              OF(tx_l1_ports, niu, DATA),
                                              END(tx_l1_ports)};
static const struct tx_lap_part of_client[] = {OF(tx_l1_client, granted, TIME), OF(tx_l1_client, bank, EXACT),
                                               END(tx_l1_client)};
static const struct tx_lap_part of_l1_niu[] = {OF(tx_l1_niu, until, NATIVE_TIME), OF(tx_l1_niu, waits, EXACT),
                                               OF(tx_l1_niu, resume, NATIVE_TIME), OF(tx_l1_niu, delay, EXACT),
                                               END(tx_l1_niu)};
const struct tx_lap_part tx_lap_of_stream[] = {OF(tx_l1_stream, from, NATIVE_TIME), OF(tx_l1_stream, line, EXACT),
                                               END(tx_l1_stream)};

/* --- the rest of the tile --- */

static const struct tx_lap_part of_params[] = ALL(tx_params, EXACT);
static const struct tx_lap_part of_timing[] = {{0, TX_LAP_EXACT, "tx_tile.timing"}, {8, TX_LAP_DATA, NULL}};
static const struct tx_lap_part of_current[] = ALL(tx_current, DATA);
static const struct tx_lap_part of_fault[] = ALL(sim_fault, EXACT);
static const struct tx_lap_part of_streams[] = ALL(noc_streams, EXACT);
static const struct tx_lap_part of_control[] = ALL(tx_control, EXACT);
static const struct tx_lap_part of_perf[] = {OF(tx_perf, counting, EXACT), OF(tx_perf, sum, DATA), END(tx_perf)};
static const struct tx_lap_part of_core_debug[] = ALL(tx_core_debug, EXACT);
static const struct tx_lap_part of_mailbox[] = {OF(tx_mailbox, word, DATA), OF(tx_mailbox, count, EXACT), END(tx_mailbox)};
static const struct tx_lap_part of_pcbuf[] = {OF(tx_pcbuf, word, DATA), OF(tx_pcbuf, count, EXACT), END(tx_pcbuf)};
static const struct tx_lap_part of_backlog[] = ALL(tx_backlog, EXACT);
static const struct tx_lap_part of_pic[] = ALL(tx_pic, EXACT);
static const struct tx_lap_part of_watch[] = ALL(tx_watch, EXACT);
static const struct tx_lap_part of_niu[] = ALL(noc_niu, EXACT);
static const struct tx_lap_part of_ethernet[] = ALL(tx_ethernet, EXACT);
static const struct tx_lap_part of_script[] = ALL(tx_script_state, EXACT);
static const struct tx_lap_part of_diag[] = {OF(tx_diag, counts, EXACT), OF(tx_diag, findings, DATA), END(tx_diag)};

/* --- cores --- */

static const struct tx_lap_part of_core[] = {OF(tx_core, r, DATA),
                                             OF(tx_core, pc, EXACT),
                                             OF(tx_core, clock, TIME),
                                             OF(tx_core, started_at, EXACT),
                                             OF(tx_core, retired, COUNT),
                                             OF(tx_core, passed_break, EXACT),
                                             OF(tx_core, ready, TIME),
                                             OF(tx_core, retire, DATA), /* a ring */
                                             OF(tx_core, retire_pad, EXACT),
                                             OF(tx_core, port_free, TIME_ON),
                                             OF(tx_core, push_left, TIME),
                                             OF(tx_core, lsu_slot, DATA), /* a ring */
                                             OF(tx_core, lsu_again, EXACT),
                                             OF(tx_core, loads_ready, TIME),
                                             OF(tx_core, l1_arrival, NATIVE_TIME),
                                             OF(tx_core, l1_under_way, EXACT),
                                             OF(tx_core, refused_retry, TIME),
                                             OF(tx_core, refused_wait.kind, EXACT),
                                             OF(tx_core, queue, DATA),
                                             OF(tx_core, waiting, EXACT),
                                             OF(tx_core, waiting.slot, DATA), /* judged in same.c */
                                             OF(tx_core, waiting.behind, EXACT),
                                             OF(tx_core, waiting.enter, TIME),
                                             OF(tx_core, waiting.channels, EXACT),
                                             OF(tx_core, waiting.retry_at, TIME),
                                             OF(tx_core, waiting.wait.kind, EXACT),
                                             OF(tx_core, waiting.complete, DATA), /* a ring */
                                             OF(tx_core, spin, EXACT),
                                             OF(tx_core, spin.value, DATA),
                                             OF(tx_core, spin.count, EXACT),
                                             OF(tx_core, spin.values, DATA), /* of a spin that has begun: judged in same.c */
                                             OF(tx_core, spin.parked, EXACT),
                                             OF(tx_core, spin.at, DATA),
                                             OF(tx_core, polls, EXACT),
                                             OF(tx_core, polls.news, WORD),
                                             OF(tx_core, polls.clock_pc, EXACT),
                                             OF(tx_core, polls.value, WORD),
                                             OF(tx_core, polls.caller, EXACT),
                                             OF(tx_core, polls.since, TIME),
                                             OF(tx_core, polls.first, COUNT),
                                             OF(tx_core, one_by_one, EXACT),
                                             OF(tx_core, l0_hits, DATA), /* judged in same.c */
                                             OF(tx_core, l0_words, EXACT),
                                             OF(tx_core, fetch.ready, TIME),
                                             OF(tx_core, fetch.fetched, EXACT),
                                             OF(tx_core, fetch.arrival, TIME),
                                             OF(tx_core, fetch.tag, EXACT),
                                             OF(tx_core, local, DATA),
                                             END(tx_core)};
static const struct tx_lap_part of_store[] = {OF(tx_core_store, address, EXACT), OF(tx_core_store, first, TIME),
                                              END(tx_core_store)};
static const struct tx_lap_part of_port[] = {OF(tx_core_port, outstanding, EXACT), OF(tx_core_port, held_at, TIME),
                                             OF(tx_core_port, stores, COUNT), OF(tx_core_port, load_since, TIME),
                                             END(tx_core_port)};

/* --- all of them; what differs most often comes first --- */

#define IN(field) offsetof(struct tx_tile, field)
#define SIZE(field) sizeof(((struct tx_tile *)0)->field)
#define ONE(field, parts) \
  { IN(field), SIZE(field), 1, TX_LAP_OF_NONE, parts }
#define EACH_OF(owner, field, parts) \
  { IN(field), SIZE(field[0]), (uint32_t)(SIZE(field) / SIZE(field[0])), (owner), parts }
#define EACH(field, parts) EACH_OF(TX_LAP_OF_NONE, field, parts)
#define CORE(i) \
  {IN(core[i]), SIZE(core[i]), 1, TX_LAP_OF_CORE + (i), of_core}, EACH_OF(TX_LAP_OF_CORE + (i), core[i].queue, of_store)

const struct tx_lap_section tx_lap_sections[] = {
    ONE(engine, of_engine),
    EACH_OF(TX_LAP_OF_AGENTS, engine.agents, of_agent),
    EACH(frontend, of_frontend),
    EACH(gate, of_gate),
    CORE(0),
    CORE(1),
    CORE(2),
    CORE(3),
    CORE(4),
    EACH_OF(TX_LAP_OF_CORES, port, of_port),
    EACH(units, of_unit),
    EACH(rwc, of_rwc),
    EACH(adc, of_adc),
    ONE(adc_watch, of_adc_watch),
    ONE(unpack, of_unpack),
    ONE(pack, of_pack),
    EACH(pack.stream, of_pack_stream),
    ONE(inflight, of_inflight),
    ONE(scalar, of_scalar),
    ONE(sync, of_sync),
    EACH(sync.sem, of_sem),
    EACH(sync.posted, of_trail),
    EACH(sync.taken, of_trail),
    EACH(sync.acquired, of_trail),
    ONE(config, of_config),
    EACH(src.bank[0], of_src_bank),
    EACH(src.bank[1], of_src_bank),
    ONE(src, of_src),
    EACH(src.filled, of_trail),
    EACH(src.released, of_trail),
    ONE(dst, of_dst),
    ONE(matrix, of_matrix),
    ONE(vector, of_vector),
    ONE(vector.now, of_flags),
    EACH(vector.stack, of_flags),
    ONE(l1_ports, of_ports),
    EACH_OF(TX_LAP_OF_CORES, l1_ports.client, of_client),
    EACH(l1_ports.niu, of_l1_niu),
    EACH(autosync, of_autosync),
    ONE(arbiter, of_arbiter),
    ONE(mover, of_mover),
    ONE(pack_stats, of_pack_stats),
    ONE(streams, of_streams),
    {IN(buffer_writer), sizeof(struct tx_trail), 2 * NOC_STREAMS_MAX, TX_LAP_OF_NONE, of_trail},
    ONE(control, of_control),
    ONE(perf, of_perf),
    ONE(core_debug, of_core_debug),
    {IN(mailboxes.box), sizeof(struct tx_mailbox), TX_MAILBOX_CORES *TX_MAILBOX_CORES, TX_LAP_OF_NONE, of_mailbox},
    EACH(mailboxes.backlog, of_backlog),
    EACH(pcbufs.buf, of_pcbuf),
    ONE(pcbufs.backlog, of_backlog),
    ONE(pic, of_pic),
    EACH(watch, of_watch),
    EACH(niu, of_niu),
    ONE(ethernet, of_ethernet),
    EACH(script, of_script),
    ONE(diag, of_diag),
    ONE(params, of_params),
    {IN(timing), 8, 1, TX_LAP_OF_NONE, of_timing}, /* and l1_bytes */
    ONE(current, of_current),
    ONE(fault, of_fault),
};
const size_t tx_lap_section_count = sizeof tx_lap_sections / sizeof *tx_lap_sections;

/* --- rings --- */

#define BAND(head_, base_, places_, kind_, frozen_, name_) \
  (struct tx_lap_band) { \
    .head = IN(head_), .base = IN(base_), .places = (places_), .size = (uint32_t)SIZE(base_[0]), .kind = TX_LAP_##kind_, \
    .frozen = (frozen_), .name = (name_) \
  }

_Static_assert(offsetof(struct tx_fifo, count) == offsetof(struct tx_fifo, head) + sizeof(uint32_t), "tx_lap_band.fifo");

/* pushed_at has the ring of fifo1. With timing off it is not kept. */
static struct tx_lap_band band_of_frontend(unsigned thread, unsigned i) {
  struct tx_lap_band b;
  if (i == 0)
    b = BAND(frontend[thread].fifo1.head, frontend[thread].pushed_at, TX_FIFO_SLOTS, TIME, true, "tx_frontend.pushed_at");
  else if (i == 1)
    b = BAND(frontend[thread].fifo1.head, frontend[thread].fifo1.slot, TX_FIFO_SLOTS, EXACT, true, "tx_frontend.fifo1");
  else if (i == 2)
    b = BAND(frontend[thread].fifo2.head, frontend[thread].fifo2.slot, TX_FIFO_SLOTS, EXACT, true, "tx_frontend.fifo2");
  else b = BAND(frontend[thread].fifo3.head, frontend[thread].fifo3.slot, TX_FIFO_SLOTS, EXACT, true, "tx_frontend.fifo3");
  b.on = i == 0;
  b.fifo = true;
  b.pushed_at = i == 1 ? IN(frontend[thread].pushed_at) : 0;
  return b;
}

/* The order of retirement, which has two bands and is kept with timing on only, and the loads in flight. */
static struct tx_lap_band band_of_core(unsigned core, unsigned i) {
  struct tx_lap_band b;
  if (i == 0) b = BAND(core[core].retire_next, core[core].retire, TX_CORE_RETIRE, TIME, true, "tx_core.retire");
  else if (i == 1)
    b = BAND(core[core].retire_next, core[core].waiting.complete, TX_CORE_RETIRE, EXACT, true, "tx_core.waiting.complete");
  else b = BAND(core[core].lsu_next, core[core].lsu_slot, TX_CORE_LOADS, TIME, true, "tx_core.lsu_slot");
  b.on = i < 2;
  b.core = 1 + core;
  return b;
}

bool tx_lap_band(unsigned number, struct tx_lap_band *band) {
  unsigned i = number;
  if (i < 4 * TX_THREADS) {
    *band = band_of_frontend(i / 4, i % 4);
    return true;
  }
  i -= 4 * TX_THREADS;
  if (i < 3 * TX_CORES) {
    *band = band_of_core(i / 3, i % 3);
    return true;
  }
  i -= 3 * TX_CORES;
  if (i < TX_L1_PORTS) {
    *band = BAND(l1_ports.read_next[i], l1_ports.read_back[i], TX_L1_READS, PORT_TIME, false, "tx_l1_ports.read_back");
    return true;
  }
  i -= TX_L1_PORTS;
  if (i < TX_MAILBOX_CORES * TX_MAILBOX_CORES) {
    const unsigned from = i / TX_MAILBOX_CORES, to = i % TX_MAILBOX_CORES;
    *band =
        BAND(mailboxes.box[from][to].head, mailboxes.box[from][to].word, TX_MAILBOX_WORDS, EXACT, false, "tx_mailbox.word");
    return true;
  }
  i -= TX_MAILBOX_CORES * TX_MAILBOX_CORES;
  if (i >= TX_THREADS) return false;
  *band = BAND(pcbufs.buf[i].head, pcbufs.buf[i].word, TX_PCBUF_WORDS, EXACT, true, "tx_pcbuf.word");
  return true;
}
