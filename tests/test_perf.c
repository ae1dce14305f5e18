/* The performance counters: every count of the vendor's inventory can be read; what is counted is compared, cycle by cycle, with a second
 * tile that runs the same program in steps of one cycle and is inspected after each. */
#include "rig.h"
#include "scale.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/tile/control.h"
#include "tensix/unit/mover.h"
#include "tensix/unit/unpack/unpack.h"
#include "unpack_rig.h"

#define CYCLES 1200u
#define CONTROL 0xFFB12000u
enum { INSTRN_THREAD, TDMA_UNPACK, TDMA_PACK, DBG_L1, FPU, GROUPS };
enum { DOCUMENT, INFERRED, NONE };

struct row {
  unsigned group, mux, select;
  const char *name;
  unsigned signal, evidence;
  const char *what;
};
static const struct row rows[] = {
#define PERF(group, mux, select, name, signal, evidence, what) {group, mux, select, #name, TX_PERF_##signal, evidence, what},
#include "chips/blackhole/perf.def"
#undef PERF
};
#define ROWS (sizeof rows / sizeof *rows)
static const uint32_t base[GROUPS] = {0x000, 0x00c, 0x0f0, 0x030, 0x018};

static void set(struct tx_tile *t, uint32_t offset, uint32_t value) {
  assert_true(tx_control_write(t, CONTROL + offset, value));
}
static void start(struct tx_tile *t, unsigned group, uint32_t mode, uint32_t period) {
  set(t, base[group], period);
  set(t, base[group] + 4, mode);
  set(t, base[group] + 8, 0);
  set(t, base[group] + 8, 1);
}
static void stop(struct tx_tile *t, unsigned group) { set(t, base[group] + 8, 2); }
static uint32_t count(struct tx_tile *t, unsigned group, unsigned select) {
  uint32_t value = 0, mode = t->control.word[(base[group] + 4) / 4] & 0xffu;
  set(t, base[group] + 4, select << 8 | mode);
  assert_true(tx_control_read(t, CONTROL + 0x104 + 8 * group, &value));
  return value;
}
static uint32_t elapsed(struct tx_tile *t, unsigned group) {
  uint32_t value = 0;
  assert_true(tx_control_read(t, CONTROL + 0x100 + 8 * group, &value));
  return value;
}

/* --- the inventory --- */

static void every_count_can_be_read(void **state) {
  (void)state;
  unsigned seen = 0;
  assert_int_equal(ROWS, 169 + 3);
  for (size_t i = 0; i < ROWS; i++) {
    struct tx_tile *t = rig_tile(true);
    set(t, 0x218, rows[i].mux << 4);
    start(t, rows[i].group, 0, 0);
    assert_int_equal(count(t, rows[i].group, rows[i].select), 0);
    assert_int_equal(t->diag.counts[TX_DIAG_PERF_NO_SIGNAL], rows[i].evidence == NONE);
    assert_int_equal(rows[i].evidence == NONE, rows[i].signal == TX_PERF_NO_SIGNAL);
    if (rows[i].evidence == NONE) {
      seen++;
      assert_non_null(strstr(t->diag.findings[0].why, rows[i].name));
    }
    for (size_t k = 0; k < i; k++)
      assert_false(rows[k].group == rows[i].group && rows[k].mux == rows[i].mux && rows[k].select == rows[i].select);
    tile_give_back(t);
  }
  assert_int_equal(seen, 1 + 8 + 48);
}

static void unlisted_counts_are_refused(void **state) {
  (void)state;
  static const struct {
    unsigned group, mux, select;
  } wrong[] = {
      {INSTRN_THREAD, 0, 58}, {INSTRN_THREAD, 0, 280}, {INSTRN_THREAD, 0, 314}, {TDMA_UNPACK, 0, 11}, {TDMA_UNPACK, 0, 267},
      {TDMA_PACK, 0, 0},      {DBG_L1, 0, 8},          {DBG_L1, 5, 0},          {DBG_L1, 7, 256},     {FPU, 0, 2},
      {FPU, 0, 256}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct tx_tile *t = rig_tile(true);
    uint32_t value;
    set(t, 0x218, wrong[i].mux << 4);
    set(t, base[wrong[i].group] + 4, wrong[i].select << 8);
    assert_false(tx_control_read(t, CONTROL + 0x104 + 8 * wrong[i].group, &value));
    assert_int_equal(t->fault.kind, SIM_FAULT_UNSUPPORTED);
    tile_give_back(t);
  }
  for (uint32_t mode = 1; mode < 4; mode += 2) { /* mode 1 without a period, a mode that no document has */
    struct tx_tile *t = rig_tile(true);
    set(t, base[FPU] + 4, mode);
    assert_false(tx_control_write(t, CONTROL + base[FPU] + 8, 1));
    assert_int_equal(t->fault.kind, SIM_FAULT_UNDEFINED);
    tile_give_back(t);
  }
}

/* --- a program that uses everything --- */

#define SEM(n) (1u << (2 + (n)))
#define MVMUL_BOTH OP(MVMUL, 3u << 22) /* releases both banks */

static void configure_packer(struct tx_tile *t) {
  PUT_CFG(t, ALU_FORMAT_SPEC_REG2_Dstacc, NUM_BF16);
  PUT_SEC(t, 0, REG1_In_data_format, NUM_BF16);
  PUT_SEC(t, 0, REG1_Out_data_format, NUM_BF16);
  PUT_SEC(t, 0, REG1_L1_Dest_addr, 0x60000 / 16 - 1);
  PUT_SEC(t, 0, REG1_Disable_zero_compress, 1);
  PUT_CFG(t, PCK_EDGE_OFFSET_SEC0_mask, 0xffff);
  PUT_CFG(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
  PUT_CFG(t, PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
  t->adc[2].unit[TX_ADC_PACKER][1].c[TX_ADC_X] = 15;
  memset(t->dst.valid, 1, sizeof t->dst.valid);
}

static void unpack_thread(struct rig *r) {
  for (unsigned i = 0; i < 6; i++) {
    rig_push(r, 0, UNPACR_PLAIN(0) | SET_VALID);
    rig_push(r, 0, UNPACR_PLAIN(1) | SET_VALID);
    if (i == 2) rig_push(r, 0, STALL(1u << 3, 1u << TX_C5_SRCA_CLEARED | 1u << TX_C1_UNPACK0));
    if (i == 4) rig_push(r, 0, OP(LOADIND, 1u << 22 | 4u << 6 | 8u)); /* scalar unit: a load from L1 */
    rig_push(r, 0, OP(SETADC, 0));
  }
}

static void math_thread(struct rig *r) {
  rig_push(r, 1, OP(SEMINIT, 1u << 20 | SEM(1)));
  for (unsigned i = 0; i < 6; i++) {
    rig_push(r, 1, OP(SEMWAIT, 0x1ffu << 15 | SEM(1) | 2)); /* while it is full */
    rig_push_times(r, 1, OP(MVMUL, 0), i + 2);
    if (i & 1u) rig_push(r, 1, OP(ELWMUL, 0));
    rig_push(r, 1, OP(MOVD2A, 0));
    rig_push(r, 1, OP(ZEROACC, 3u << 19)); /* waits for the move */
    rig_push_times(r, 1, OP(SFPNOP, 0), 2);
    if (i == 3) rig_push(r, 1, STALL(1u << 6, 1u << TX_C11_VECTOR | 1u << TX_C7_SRCA_VALID));
    rig_push(r, 1, MVMUL_BOTH);
    rig_push(r, 1, STALL(1u << 1, 1u << TX_C4_MATRIX));
    rig_push(r, 1, OP(SEMPOST, SEM(1)));
    rig_push(r, 1, OP(ADDDMAREG, 0));
  }
}

static void pack_thread(struct rig *r) {
  for (unsigned i = 0; i < 6; i++) {
    rig_push(r, 2, OP(SEMWAIT, 0x1ffu << 15 | SEM(1) | 1)); /* while it is zero */
    rig_push_times(r, 2, OP(PACR, TX_PUT(PACR, last, 1)), 3);
    rig_push(r, 2, OP(WRCFG, 5u << 16 | 100u)); /* a word that this program does not use */
    rig_push(r, 2, STALL(1u << 1, 1u << TX_C3_PACK));
    rig_push(r, 2, OP(SEMGET, SEM(1)));
    rig_store(r, 2, 0xFFE00000u + 4 * 40, i); /* a GPR of this thread: MMIO is busy */
  }
}

static struct rig *program(bool timing) {
  struct rig *r = rig_new(timing);
  for (unsigned u = 0; u < 2; u++) {
    struct setup s = {.unpacker = u,
                      .in = NUM_BF16,
                      .out = NUM_BF16,
                      .base = 0x20000 + 0x4000 * u,
                      .xdim = 1024,
                      .ydim = 1,
                      .zdim = 1,
                      .last = 1023};
    configure(r->t, &s);
  }
  configure_packer(r->t);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) r->t->config.state_id_set[thread] = 1;
  unpack_thread(r);
  math_thread(r);
  pack_thread(r);
  return r;
}

/* --- the same program, inspected after every cycle --- */

struct oracle {
  struct rig *r;
  uint8_t high[TX_PERF_SIGNALS][CYCLES + 64];
  uint8_t held[CYCLES + 64];
};

static void mark(struct oracle *o, unsigned signal, sim_time from, sim_time until) {
  for (sim_time c = from; c < until && c < CYCLES; c++) o->high[signal][c] = 1;
}

static unsigned class_of(unsigned unit) {
  return unit == TX_UNIT_CONFIG                             ? TX_PERF_CFG_HEAD0
         : unit == TX_UNIT_SYNC                             ? TX_PERF_SYNC_HEAD0
         : unit == TX_UNIT_SCALAR                           ? TX_PERF_THCON_HEAD0
         : unit == TX_UNIT_MOVER                            ? TX_PERF_MOVE_HEAD0
         : unit == TX_UNIT_MATRIX || unit == TX_UNIT_VECTOR ? TX_PERF_FPU_HEAD0
         : unit == TX_UNIT_UNPACK                           ? TX_PERF_UNPACK_HEAD0
         : unit == TX_UNIT_PACK                             ? TX_PERF_PACK_HEAD0
                                                            : TX_PERF_NO_SIGNAL;
}

static void on_event(void *context, const struct sim_event *e) {
  struct oracle *o = context;
  sim_time runs = e->at + (e->a >> 8), free_at = e->at + e->b;
  if (e->kind == TX_EVENT_ISSUE) {
    unsigned phase = o->r->t->rwc[e->agent].fidelity, opcode = e->a >> 24;
    mark(o, TX_PERF_ISSUED0 + e->agent, e->at, e->at + 1);
    if (class_of((unsigned)e->c)) mark(o, class_of((unsigned)e->c) + e->agent, e->at, e->at + 1);
    if (e->c != TX_UNIT_MATRIX) return;
    mark(o, TX_PERF_MATH_STARTED, e->at, e->at + 1);
    bool fine = phase && (opcode == TX_MVMUL || opcode == TX_ELWMUL);
    mark(o, fine ? phase > 1 ? TX_PERF_MATH_PHASE_4 : TX_PERF_MATH_PHASE_2 : TX_PERF_MATH_PHASE_1, e->at, e->at + 1);
  }
  if (e->kind != TX_EVENT_UNIT) return;
  unsigned unit = e->a & 0xffu;
  if (unit == TX_UNIT_MATRIX || unit == TX_UNIT_VECTOR) mark(o, TX_PERF_FPU_OR_SFPU, runs, free_at);
  if (unit == TX_UNIT_VECTOR) mark(o, TX_PERF_SFPU, runs, free_at);
  if (unit == TX_UNIT_PACK) mark(o, TX_PERF_DST_READ, runs, free_at);
  if (unit != TX_UNIT_MATRIX) return;
  mark(o, TX_PERF_FPU, runs, free_at);
  for (unsigned i = TX_PERF_MATH_AVAILABLE; i <= TX_PERF_MATH_NO_SCOREBOARD; i++) mark(o, i, e->at, runs + 1);
  for (sim_time c = e->at; c < runs && c < CYCLES; c++) o->held[c] = 1;
}

static void look_at_thread(struct oracle *o, unsigned thread, sim_time c) {
  const struct tx_tile *t = o->r->t;
  const struct sim_wait *w = &t->engine.agents[thread].wait;
  const struct tx_latch *latch = &t->gate[thread].latch;
  const uint8_t drains[4][2] = {{TX_UNIT_SCALAR, TX_PERF_THCON_BUSY0},
                                {TX_UNIT_PACK, TX_PERF_PACK_BUSY0},
                                {TX_UNIT_MATRIX, TX_PERF_MATH_BUSY0},
                                {TX_UNIT_VECTOR, TX_PERF_SFPU_BUSY0}};
  for (unsigned i = 0; i < 4; i++)
    if (t->units[drains[i][0]].drained_at[thread] > c) mark(o, drains[i][1] + thread, c, c + 1);
  if (t->units[TX_UNIT_PACK].drained_at[thread] > c) mark(o, TX_PERF_PACKER, c, c + 1);
  if (t->scalar.outstanding[thread]) mark(o, TX_PERF_THCON_BUSY0 + thread, c, c + 1);
  if (t->port[thread].outstanding) mark(o, TX_PERF_MMIO_BUSY0 + thread, c, c + 1);
  for (unsigned u = 0; u < 2; u++)
    if (t->unpack.inside[u][thread]) {
      mark(o, TX_PERF_UNPACK_BUSY0 + thread, c, c + 1);
      if (thread < 2) mark(o, TX_PERF_UNPACK0_THREAD0 + 2 * u + thread, c, c + 1);
    }
  bool zero = t->sync.sem[1].value == 0, full = t->sync.sem[1].value >= t->sync.sem[1].max;
  if (latch->opcode == TX_SEMWAIT && (latch->condition & 1u) && zero) mark(o, TX_PERF_SEM_ZERO0 + thread, c, c + 1);
  if (latch->opcode == TX_SEMWAIT && (latch->condition & 2u) && full) mark(o, TX_PERF_SEM_FULL0 + thread, c, c + 1);
  if (!w->kind || w->kind == TX_BLOCKED_LATCH || w->since > c) return;
  const struct tx_fifo *f = &t->frontend[thread].fifo3;
  unsigned unit = tx_ops[f->slot[f->head].word >> 24].unit;
  uint64_t conditions = w->kind == TX_BLOCKED_CONDITION ? w->object : 0;
  mark(o, TX_PERF_STALLED0 + thread, c, c + 1);
  mark(o, TX_PERF_ANY_STALLED, c, c + 1);
  if (class_of(unit)) mark(o, class_of(unit) + thread, c, c + 1);
  if (conditions >> TX_C5_SRCA_CLEARED & 1u) mark(o, TX_PERF_SRCA_CLEAR, c, c + 1);
  if (conditions >> TX_C7_SRCA_VALID & 1u || w->kind == TX_BLOCKED_SRCA) mark(o, TX_PERF_SRCA_VALID, c, c + 1);
  if (w->kind == TX_BLOCKED_SRCB) mark(o, TX_PERF_SRCB_VALID, c, c + 1);
  bool bank = w->kind == TX_BLOCKED_SRCA || w->kind == TX_BLOCKED_SRCB, hazard = w->kind == TX_BLOCKED_HAZARD;
  if (unit != TX_UNIT_MATRIX || (!bank && !hazard && w->kind != TX_BLOCKED_UNIT)) return;
  mark(o, TX_PERF_MATH_AVAILABLE, c, c + 1);
  if (!bank) mark(o, TX_PERF_MATH_SOURCE_READY, c, c + 1);
  if (!hazard) mark(o, TX_PERF_MATH_NO_HAZARD, c, c + 1), mark(o, TX_PERF_MATH_NO_SCOREBOARD, c, c + 1);
}

static void look_at_unpacker(struct oracle *o, unsigned u, sim_time c) {
  const struct tx_unpack *unpack = &o->r->t->unpack;
  for (unsigned i = 0; i < unpack->jobs[u]; i++) {
    const struct tx_unpack_job *job = &unpack->job[u][i];
    bool begun = job->stream_end != SIM_NEVER,
         streams = begun && c < job->stream_end && c + job->bytes / job->rate >= job->stream_end;
    if (!begun && job->ready_at <= c) mark(o, TX_PERF_SRCA_CLEAR + u, c, c + 1), mark(o, TX_PERF_SRCA_WANTED + u, c, c + 1);
    if (!streams) continue;
    mark(o, TX_PERF_SRCA_WANTED + u, c, c + 1);
    mark(o, TX_PERF_SRCA_WRITTEN + u, c, c + 1);
    mark(o, TX_PERF_SRCA_WRITTEN_0 + 2 * u + job->thread, c, c + 1);
    if (!u) mark(o, TX_PERF_L1_UNPACKER, c, c + 1), mark(o, TX_PERF_L1_UNPACKER_GRANTED, c, c + 1);
  }
}

static struct oracle *observe(void) {
  struct oracle *o = calloc(1, sizeof *o);
  assert_non_null(o);
  o->r = program(true);
  const uint32_t kinds = 1u << TX_EVENT_ISSUE | 1u << TX_EVENT_UNIT | 1u << TX_EVENT_BLOCK;
  sim_log_attach(&o->r->t->unsaved.log, on_event, o, kinds);
  rig_attach(o->r);
  for (sim_time c = 0; c < CYCLES; c++) {
    (void)tx_tile_run(o->r->t, c);
    if (o->r->t->engine.now < c) o->r->t->engine.now = c;
    assert_int_equal(o->r->t->fault.kind, SIM_FAULT_NONE);
    for (unsigned thread = 0; thread < TX_THREADS; thread++) look_at_thread(o, thread, c);
    look_at_unpacker(o, 0, c);
    look_at_unpacker(o, 1, c);
  }
  for (unsigned c = 0; c < CYCLES; c++)
    if (o->held[c]) o->high[TX_PERF_MATH_NO_SCOREBOARD][c] = 0;
  return o;
}

static uint32_t expected(const struct oracle *o, unsigned signal, unsigned from, unsigned until) {
  uint32_t sum = 0;
  for (unsigned c = from; c < until; c++) sum += o->high[signal][c];
  return sum;
}

/* Signals that the oracle does not follow cycle by cycle. */
static bool is_traffic(unsigned signal) { return signal >= TX_PERF_L1_PACKER; }

static void compare(struct oracle *o, struct tx_tile *t, unsigned from, unsigned until) {
  for (size_t i = 0; i < ROWS; i++) {
    if (is_traffic(rows[i].signal) || (rows[i].group == DBG_L1 && rows[i].mux)) continue;
    uint32_t got = count(t, rows[i].group, rows[i].select), want = expected(o, rows[i].signal, from, until);
    if (got != want) fail_msg("%s in [%u, %u): %u, not %u", rows[i].name, from, until, got, want);
  }
}

/* Mode 1 stops after exactly its period, regardless of events near its end. */
static void counts_are_those_of_every_cycle(void **state) {
  (void)state;
  struct oracle *o = observe();
  static const unsigned used[] = {TX_PERF_STALLED0,        TX_PERF_STALLED1,   TX_PERF_STALLED2,   TX_PERF_SRCA_CLEAR,
                                  TX_PERF_SRCA_VALID,      TX_PERF_SRCB_VALID, TX_PERF_SEM_ZERO2,  TX_PERF_SEM_FULL1,
                                  TX_PERF_THCON_BUSY0,     TX_PERF_MMIO_BUSY2, TX_PERF_SFPU_BUSY1, TX_PERF_DST_READ,
                                  TX_PERF_UNPACK1_THREAD0, TX_PERF_PACKER,     TX_PERF_CFG_HEAD2,  TX_PERF_SYNC_HEAD1,
                                  TX_PERF_SRCB_WRITTEN_0,  TX_PERF_MATH_BUSY1};
  for (size_t i = 0; i < sizeof used / sizeof *used; i++) /* the program raises all of these */
    if (!expected(o, used[i], 0, CYCLES)) fail_msg("signal %u never high", used[i]);
  assert_true(expected(o, TX_PERF_MATH_NO_HAZARD, 0, CYCLES) < expected(o, TX_PERF_MATH_AVAILABLE, 0, CYCLES));
  assert_true(expected(o, TX_PERF_MATH_NO_SCOREBOARD, 0, CYCLES) < expected(o, TX_PERF_MATH_NO_HAZARD, 0, CYCLES));
  for (unsigned period = 1; period < CYCLES; period += period < test_scaled(1024) ? 7 : 97) {
    struct rig *r = program(true);
    for (unsigned group = 0; group < GROUPS; group++) start(r->t, group, 1, period);
    rig_run_well(r);
    if (r->t->engine.now < CYCLES) r->t->engine.now = CYCLES;
    for (unsigned group = 0; group < GROUPS; group++) assert_int_equal(elapsed(r->t, group), period);
    compare(o, r->t, 0, period);
    assert_int_equal(r->t->perf.counting, 0);
    assert_int_equal(r->t->unsaved.log.kept, 0);
    rig_free(r);
  }
  rig_free(o->r);
  free(o);
}

/* A start and a stop in the middle, by stores of the host: work in progress at that time is counted too. */
static void a_window_in_the_middle(void **state) {
  (void)state;
  struct oracle *o = observe();
  for (unsigned from = 20; from < 500; from += 61) {
    struct rig *r = program(true);
    rig_attach(r);
    (void)tx_tile_run(r->t, from - 1);
    r->t->engine.now = from;
    start(r->t, INSTRN_THREAD, 0, 0);
    (void)tx_tile_run(r->t, from + 99);
    r->t->engine.now = from + 100;
    for (unsigned select = 0; select < 58; select++)
      if (select < 27) { /* heads and stalls */
        const struct row *row = NULL;
        for (size_t i = 0; i < ROWS; i++)
          if (rows[i].group == INSTRN_THREAD && rows[i].select == select) row = &rows[i];
        uint32_t got = count(r->t, INSTRN_THREAD, select), want = expected(o, row->signal, from, from + 100);
        if (got != want) fail_msg("%s from %u: %u, not %u", row->name, from, got, want);
      }
    stop(r->t, INSTRN_THREAD);
    assert_int_equal(elapsed(r->t, INSTRN_THREAD), 100);
    (void)tx_tile_run(r->t, RIG_FOREVER);
    assert_int_equal(elapsed(r->t, INSTRN_THREAD), 100);
    rig_free(r);
  }
  rig_free(o->r);
  free(o);
}

/* Counting changes only the counters; a copy of the tile continues to count; an observer changes no count. */
static void counting_is_not_seen(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *plain = program(timing), *counted = program(timing), *copied = program(timing);
    rig_run_well(plain);
    for (unsigned group = 0; group < GROUPS; group++) start(counted->t, group, 0, 0);
    rig_attach(counted);
    (void)tx_tile_run(counted->t, 150);
    rig_attach(copied);
    tx_tile_copy_state(copied->t, counted->t);
    sim_log_detach(&copied->t->unsaved.log, 0);
    assert_int_equal(tx_tile_run(counted->t, RIG_FOREVER), SIM_END_DONE);
    assert_int_equal(tx_tile_run(copied->t, RIG_FOREVER), SIM_END_DONE);
    assert_int_equal(tx_tile_hash(counted->t), tx_tile_hash(copied->t));
    assert_int_equal(plain->t->engine.now, counted->t->engine.now);
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
      assert_int_equal(count(counted->t, INSTRN_THREAD, 256 + 8 * thread), plain->t->gate[thread].issued);
      assert_int_equal(count(copied->t, INSTRN_THREAD, 256 + 8 * thread + 5), plain->t->gate[thread].issued); /* an alias */
    }
    counted->t->perf = plain->t->perf;
    memcpy(counted->t->control.word, plain->t->control.word, sizeof plain->t->control.word);
    assert_int_equal(tx_tile_hash(counted->t), tx_tile_hash(plain->t));
    rig_free(plain), rig_free(counted), rig_free(copied);
  }
}

/* PERF_CNT_ALL: INSTRN_THREAD and FPU. Only a rising edge starts; a start clears. Mode 2 keeps no cycles. */
static void start_and_stop(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  set(t, 0x03c, 1);
  assert_int_equal(t->perf.counting, 1u << INSTRN_THREAD | 1u << FPU);
  t->engine.now += 10;
  set(t, 0x03c, 1); /* no edge */
  assert_int_equal(elapsed(t, FPU), 10);
  set(t, 0x03c, 3);
  t->engine.now += 10;
  assert_int_equal(elapsed(t, FPU), 10);
  assert_int_equal(elapsed(t, INSTRN_THREAD), 10);
  assert_int_equal(t->perf.counting, 0);
  set(t, 0x03c, 0);
  set(t, 0x03c, 1);
  assert_int_equal(elapsed(t, FPU), 0);
  set(t, base[FPU] + 8, 2);
  assert_int_equal(t->perf.counting, 1u << INSTRN_THREAD);
  start(t, TDMA_PACK, 2, 5);
  t->engine.now += 10;
  assert_int_equal(elapsed(t, TDMA_PACK), 0);
  assert_int_equal(t->perf.counting, 1u << INSTRN_THREAD | 1u << TDMA_PACK);
  start(t, DBG_L1, 0, 0);
  assert_int_equal(t->diag.counts[TX_DIAG_PERF_MUX], 0);
  set(t, 0x218, 1u << 4);
  assert_int_equal(t->diag.counts[TX_DIAG_PERF_MUX], 1);
  tile_give_back(t);
}

/* --- the ports of L1 --- */

static void ask(struct tx_tile *t, unsigned core, uint32_t address, sim_time since, sim_time now, uint32_t hold) {
  sim_time at;
  t->engine.now = now;
  (void)tx_l1_grant(t, &(struct tx_l1_request){.core = core, .address = address, .since = since, .hold = hold}, &at);
}

/* Requests are the grants and the cycles that they waited. Port 2 has core 0, the scalar unit and the mover's reads, port 3 core 1 and its
 * writes. */
static void ports_of_l1(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  start(t, DBG_L1, 0, 0);
  ask(t, 0, 0x1000, 100, 100, 5);
  ask(t, 0, 0x1010, 101, 101, 1); /* refused */
  ask(t, 0, 0x1010, 101, 105, 1); /* granted after four cycles */
  ask(t, 1, 0x2020, 106, 106, 1);
  assert_int_equal(count(t, DBG_L1, 2), 2 + 4);
  assert_int_equal(count(t, DBG_L1, 258), 2);
  assert_int_equal(count(t, DBG_L1, 3), 1);
  assert_int_equal(count(t, DBG_L1, 259), 1);
  t->engine.now = 200;
  assert_int_equal(tx_l1_request_of_unit(t, TX_L1_PORT_2, 0x1000, 5), 0);
  assert_int_equal(tx_l1_request_of_unit(t, TX_L1_PORT_2, 0x1000, 1), 5);
  assert_int_equal(count(t, DBG_L1, 2), 6 + 2 + 5);
  assert_int_equal(count(t, DBG_L1, 258), 4);
  tx_mover_start(t, &(struct tx_move){.source = 0x4000, .target = 0x8000, .length = 256, .mode = TX_MOVE_L1_TO_L1});
  pass_cycles(t, 100);
  assert_int_equal(count(t, DBG_L1, 258), 4 + 16);
  assert_int_equal(count(t, DBG_L1, 259), 1 + 16);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  tile_give_back(t);
}

/* Flits that an NIU takes from L1 and puts into it, by its own counters. */
static void flits_of_the_nocs(void **state) {
  (void)state;
  static const unsigned out[] = {NOC_MST_NP_WORDS, NOC_MST_P_WORDS, NOC_SLV_RD_WORDS},
                        in[] = {NOC_MST_RD_WORDS, NOC_SLV_NP_WORDS, NOC_SLV_P_WORDS};
  for (unsigned noc = 0; noc < 2; noc++) {
    struct tx_tile *t = rig_tile(true);
    for (unsigned i = 0; i < 3; i++) t->niu[noc].counter[out[i]] = t->niu[noc].counter[in[i]] = 1000; /* before the start */
    set(t, 0x218, noc << 4);
    start(t, DBG_L1, 1, 50);
    t->engine.now += 10;
    for (unsigned i = 0; i < 3; i++) t->niu[noc].counter[out[i]] += 1u << i, t->niu[noc].counter[in[i]] += 16u << i;
    tx_perf_touch(t);
    t->engine.now += 40; /* the period is over */
    t->niu[noc].counter[out[0]] += 100;
    tx_perf_touch(t);
    for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(count(t, DBG_L1, 4 + i), i < 2 ? 7 : 7 * 16);
      assert_int_equal(count(t, DBG_L1, 260 + i), i < 2 ? 7 : 7 * 16);
    }
    tile_give_back(t);
  }
}

/* 18 PACRs of four rows of 16 BF16 datums: eight lines each. */
static void lines_of_the_packer(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = program(timing);
    start(r->t, DBG_L1, 0, 0);
    rig_run_well(r);
    assert_int_equal(count(r->t, DBG_L1, 1), 18 * 8);
    assert_int_equal(count(r->t, DBG_L1, 257), 18 * 8);
    rig_free(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_count_can_be_read),
      cmocka_unit_test(unlisted_counts_are_refused),
      cmocka_unit_test(counts_are_those_of_every_cycle),
      cmocka_unit_test(a_window_in_the_middle),
      cmocka_unit_test(ports_of_l1),
      cmocka_unit_test(flits_of_the_nocs),
      cmocka_unit_test(lines_of_the_packer),
      cmocka_unit_test(counting_is_not_seen),
      cmocka_unit_test(start_and_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
