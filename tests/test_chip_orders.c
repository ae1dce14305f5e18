/* The orders of the NoC that programs rest on, with timing and without: one small program per order, on many tiles, whose results do not
 * depend on time. docs/reference/noc-orders.md has the list: which orders the documents give, and which are kept beyond them.
 *
 * Each program is generated for its tile: it stores, sends, waits for a word or a counter of its NIU, and logs words that it reads. */
#include "chip_flow.h"

#include "noc/state.h"
#include "scale.h"
#include "tensix/machine.h"

enum {
  READ = 0,
  ATOMIC = 1,
  WRITE = 2,
  RESP = 0x10,
  BRCST = 0x20,
  LINKED = 0x40,
  VC1 = 0x2080, /* static */
  VC4 = 0x8080,
  PATH = 0x100,
  SRC_INCL = 1 << 17
};
#define INCREMENT 0x107cu /* NOC_AT_LEN_BE of an increment of a whole word */
#define SOURCE 0x30000u
#define BUFFER 0x40000u
#define FLAG 0x20000u
#define SEMAPHORE 0x20010u
#define SCRATCH 0x20020u
#define LOG 0x28000u
#define BLOCK 2048u

/* --- programs --- */

struct program {
  struct chip *chip;
  struct code code;
  unsigned tile, noc, x, y, logged;
  uint32_t counter[NOC_COUNTERS]; /* of the NIU, when all requests so far have completed */
};

static void begin(struct program *p, struct chip *c, unsigned noc, unsigned x, unsigned y) {
  *p = (struct program){.chip = c, .tile = rig_tile_at(c, x, y), .noc = noc, .x = x, .y = y};
  li(&p->code, T0, 1u << 18 | 1u << 3); /* cfg0 as firmware sets it */
  emit(&p->code, 0x7c02a073);
}

static void end(struct program *p) {
  emit(&p->code, 0x00100073); /* ebreak */
  for (unsigned i = 0; i < p->code.count; i++) rig_put(p->chip, p->tile, 4 * i, p->code.words[i]);
  tx_core_start(chip_tensix(p->chip, p->tile), TX_CORE_BRISC, 0);
}

/* The load behind the store: the NIU reads L1 after it. */
static void store(struct program *p, uint32_t address, uint32_t value) {
  li(&p->code, A0, address);
  li(&p->code, A1, value);
  sw(&p->code, A1, A0, 0);
  lw(&p->code, T0, A0, 0);
  addi(&p->code, T0, T0, 0);
}

static void wait_word(struct program *p, uint32_t address, uint32_t value) {
  li(&p->code, A0, address);
  li(&p->code, A1, value);
  unsigned top = p->code.count;
  lw(&p->code, T0, A0, 0);
  bne(&p->code, T0, A1, top);
}

static void wait_counter(struct program *p, enum noc_counter counter) {
  wait_word(p, rig_niu(p->noc) + 0x200 + 4 * counter, p->counter[counter]);
}

/* noc_async_writes_flushed, noc_async_write_barrier, noc_async_read_barrier, noc_async_atomic_barrier. */
static void flush(struct program *p) {
  wait_counter(p, NOC_MST_NP_WR);
  wait_counter(p, NOC_MST_P_WR);
}
static void barrier(struct program *p) {
  wait_counter(p, NOC_MST_WR_ACK);
  wait_counter(p, NOC_MST_RD_RESP);
  wait_counter(p, NOC_MST_ATOMIC_RESP);
}

/* A kernel's other work, of a few dozen instructions. */
static void work(struct program *p) {
  for (unsigned i = 0; i < 60; i++) addi(&p->code, T2, T2, 1);
}

static void log_word(struct program *p, uint32_t address) {
  li(&p->code, A0, address);
  lw(&p->code, T0, A0, 0);
  li(&p->code, A1, LOG + 4 * p->logged++);
  sw(&p->code, T0, A1, 0);
}

static void request(struct program *p, unsigned initiator, struct rig_request q, unsigned receivers) {
  const uint32_t words[11] = {(uint32_t)q.targ, 0,        q.targ_xy, (uint32_t)q.ret, 0, q.ret_xy, q.tag,
                              q.ctrl,           q.length, 0,         q.data};
  const unsigned kind = q.ctrl & 3u;
  const bool answered = q.ctrl & RESP;
  wait_word(p, rig_niu(p->noc) + 0x800 * initiator + 0x40, 0);
  li(&p->code, A2, rig_niu(p->noc) + 0x800 * initiator);
  for (unsigned i = 0; i < 11; i++) {
    li(&p->code, T1, words[i]);
    sw(&p->code, T1, A2, 4 * i);
  }
  li(&p->code, T1, 1);
  sw(&p->code, T1, A2, 0x40);
  if (kind == READ) p->counter[NOC_MST_RD_RESP]++;
  else if (kind == ATOMIC) p->counter[NOC_MST_ATOMIC_RESP] += answered ? receivers : 0;
  else {
    p->counter[answered ? NOC_MST_NP_WR : NOC_MST_P_WR]++;
    p->counter[NOC_MST_WR_ACK] += answered ? receivers : 0;
  }
}

struct place {
  unsigned x, y;
};

static void write_to(struct program *p, uint32_t from, struct place to, uint32_t address, uint32_t length, uint32_t ctrl) {
  request(p, 0,
          (struct rig_request){.targ = from,
                               .targ_xy = rig_xy(p->x, p->y),
                               .ret = address,
                               .ret_xy = rig_xy(to.x, to.y),
                               .ctrl = WRITE | ctrl,
                               .length = length},
          1);
}

static void read_from(struct program *p, struct place from, uint32_t address, uint32_t to, uint32_t length, uint32_t ctrl) {
  request(p, 1,
          (struct rig_request){.targ = address,
                               .targ_xy = rig_xy(from.x, from.y),
                               .ret = to,
                               .ret_xy = rig_xy(p->x, p->y),
                               .ctrl = READ | ctrl,
                               .length = length},
          1);
}

/* The old word goes to SCRATCH. */
static void increment(struct program *p, struct place to, uint32_t address, uint32_t ctrl) {
  request(p, 3,
          (struct rig_request){.targ = address,
                               .targ_xy = rig_xy(to.x, to.y),
                               .ret = SCRATCH,
                               .ret_xy = rig_xy(p->x, p->y),
                               .ctrl = ATOMIC | ctrl,
                               .length = INCREMENT,
                               .data = 1},
          1);
}

/* To columns 1 to 7 of the tile's row, its own tile too. */
#define WIDTH 7u
static void multicast(struct program *p, uint32_t from, uint32_t address, uint32_t length, uint32_t ctrl) {
  request(p, 2,
          (struct rig_request){.targ = from,
                               .targ_xy = rig_xy(p->x, p->y),
                               .ret = address,
                               .ret_xy = p->noc ? rig_rectangle(WIDTH, p->y, 1, p->y) : rig_rectangle(1, p->y, WIDTH, p->y),
                               .ctrl = WRITE | BRCST | SRC_INCL | VC4 | ctrl,
                               .length = length},
          WIDTH);
}

/* --- running --- */

typedef void programs(struct chip *c, unsigned noc);
typedef uint32_t expected(unsigned x, unsigned y, unsigned k);

#define ROWS 4u /* 2 to 5 */

static void fill_block(struct chip *c, unsigned tile, uint32_t address, uint32_t value) {
  for (uint32_t i = 0; i < BLOCK; i += 4) rig_put(c, tile, address + i, value);
}

/* The programs run on both NoCs, with timing and without, on one host thread and on three; the first `logged` words that each tile logged are
 * those expected. */
static void check(programs *make, expected *want, unsigned logged) {
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned noc = 0; noc < 2; noc++) {
      uint64_t hash[2];
      for (unsigned threads = 0; threads < 2; threads++) {
        struct chip *c = rig_chip(timing, threads ? 3 : 1);
        make(c, noc);
        assert_int_equal(chip_run(c, 400000), CHIP_END_DONE);
        assert_null(chip_fault(c, NULL));
        for (unsigned y = 2; y < 2 + ROWS; y++)
          for (unsigned x = 1; x <= WIDTH; x++)
            for (unsigned k = 0; k < logged; k++) {
              uint32_t got = rig_get(c, rig_tile_at(c, x, y), LOG + 4 * k);
              if (got != want(x, y, k))
                fail_msg("timing %s, NoC %u, tile (%u,%u), word %u: 0x%x for 0x%x", timing ? "on" : "off", noc, x, y, k, got,
                         want(x, y, k));
            }
        hash[threads] = chip_hash(c);
        chip_destroy(c);
      }
      assert_int_equal(hash[0], hash[1]);
    }
}

#define EACH_TILE(x, y) \
  for (unsigned y = 2; y < 2 + ROWS; y++) \
    for (unsigned x = 1; x <= WIDTH; x++)

/* --- the tile's own copy of a multicast --- */

/* In turn each tile of a row sends a block and a flag to all of them, itself too, waits until its writes have been sent, and invalidates
 * the flag for the next round; nothing waits for its own copies. ttnn 0.77.0's matrix product on sharded inputs does so. */
static uint32_t block_of(unsigned round, unsigned y) { return 0x1000 * y + round; }

static void own_copies(struct chip *c, unsigned noc) {
  struct program p;
  EACH_TILE(x, y) {
    begin(&p, c, noc, x, y);
    fill_block(c, p.tile, SOURCE, block_of(x, y));
    for (unsigned sender = 1; sender <= WIDTH; sender++) {
      store(&p, FLAG, 0);
      if (sender != x) {
        increment(&p, (struct place){sender, y}, SEMAPHORE, VC1);
      } else {
        wait_word(&p, SEMAPHORE, WIDTH - 1);
        multicast(&p, SOURCE, BUFFER, BLOCK, RESP | LINKED | PATH);
        store(&p, FLAG, 1);
        multicast(&p, FLAG, FLAG, 4, RESP | PATH);
        flush(&p);
      }
      wait_word(&p, FLAG, 1);
      work(&p);
      log_word(&p, BUFFER);
      log_word(&p, BUFFER + BLOCK - 4);
    }
    barrier(&p);
    end(&p);
  }
}
static uint32_t own_copies_log(unsigned x, unsigned y, unsigned k) {
  (void)x;
  return block_of(1 + k / 2, y);
}
static void a_tile_s_own_copy_is_there_when_its_write_is_sent(void **state) {
  (void)state;
  check(own_copies, own_copies_log, 2 * WIDTH);
}

/* No document orders the own copy of a multicast behind the counter of sent writes. Where the result of this run depends on it, it is a finding: a flag
 * that is stored, or data that is read, at once after the counter. A kernel with some work in between has none, and with timing off the copy is there. */
static void hurried(struct chip *c, unsigned noc, unsigned tile_x, bool block, bool hurry) {
  struct program p;
  begin(&p, c, noc, tile_x, 2);
  if (block) multicast(&p, SOURCE, BUFFER, BLOCK, RESP | PATH);
  store(&p, FLAG, 1);
  if (!block) multicast(&p, FLAG, FLAG, 4, RESP | PATH);
  li(&p.code, A3, block ? BUFFER + BLOCK - 4 : FLAG);
  wait_counter(&p, NOC_MST_NP_WR);
  if (!hurry) work(&p);
  if (block) lw(&p.code, A4, A3, 0);
  else sw(&p.code, ZERO, A3, 0);
  li(&p.code, A3, LOG);
  sw(&p.code, A4, A3, 0);
  barrier(&p);
  end(&p);
}
static void a_result_that_depends_on_the_own_copy_is_a_finding(void **state) {
  (void)state;
  for (unsigned k = 0; k < 16; k++) {
    const bool timing = k & 1u, block = k & 2u, hurry = k & 4u;
    struct chip *c = rig_chip(timing, 1);
    unsigned tile = rig_tile_at(c, 3, 2);
    fill_block(c, tile, SOURCE, 5);
    hurried(c, k / 8, 3, block, hurry);
    assert_int_equal(chip_run(c, 20000), CHIP_END_DONE);
    assert_int_equal(chip_tensix(c, tile)->diag.counts[TX_DIAG_L1_RACE], timing && hurry ? 1 : 0);
    assert_int_equal(chip_tensix(c, tile)->inflight.used, 0);
    if (block && !(timing && hurry)) assert_int_equal(rig_get(c, tile, LOG), 5);
    if (!block) assert_int_equal(rig_get(c, tile, FLAG), timing && hurry ? 1 : 0);
    chip_destroy(c);
  }
}

/* The same where the answers go to another tile, so that the request is not one that stays in the tile. */
static void own_writes(struct chip *c, unsigned noc) {
  struct program p;
  EACH_TILE(x, y) {
    begin(&p, c, noc, x, y);
    for (unsigned round = 0; round < 8; round++) {
      store(&p, SOURCE, 100 + round);
      request(&p, 0,
              (struct rig_request){.targ = SOURCE,
                                   .targ_xy = rig_xy(x % WIDTH + 1, y),
                                   .ret = BUFFER,
                                   .ret_xy = rig_xy(x, y),
                                   .ctrl = WRITE | RESP | VC1,
                                   .length = 4},
              1);
      flush(&p);
      work(&p);
      log_word(&p, BUFFER);
      store(&p, BUFFER, 0);
      work(&p);
      log_word(&p, BUFFER);
    }
    barrier(&p); /* of the answers to its neighbour's writes */
    end(&p);
  }
}
static uint32_t own_writes_log(unsigned x, unsigned y, unsigned k) {
  (void)x;
  (void)y;
  return k % 2 ? 0 : 100 + k / 2;
}
static void a_write_to_the_own_tile_is_there_when_it_is_sent(void **state) {
  (void)state;
  check(own_writes, own_writes_log, 16);
}

/* Multicasts, and then a read of the own tile and an increment of it. */
static void own_mixture(struct chip *c, unsigned noc) {
  struct program p;
  EACH_TILE(x, y) {
    if (x != 3) continue;
    begin(&p, c, noc, x, y);
    for (unsigned round = 0; round < 4; round++) {
      store(&p, SOURCE, 10 * round);
      multicast(&p, SOURCE, SEMAPHORE, 4, RESP);
      flush(&p);
      work(&p);
      increment(&p, (struct place){x, y}, SEMAPHORE, RESP | VC1);
      barrier(&p);
      read_from(&p, (struct place){x, y}, SEMAPHORE, BUFFER + SEMAPHORE % 64, 4, VC1);
      barrier(&p);
      log_word(&p, BUFFER + SEMAPHORE % 64);
      log_word(&p, SCRATCH);
    }
    end(&p);
  }
}
static uint32_t own_mixture_log(unsigned x, unsigned y, unsigned k) {
  (void)y;
  return x != 3 ? 0 : 10 * (k / 2) + (k % 2 ? 0 : 1);
}
static void requests_to_the_own_tile_are_in_order(void **state) {
  (void)state;
  check(own_mixture, own_mixture_log, 8);
}

/* --- sources --- */

/* A write, posted or not, has read its source when it counts as sent. */
static void sources(struct chip *c, unsigned noc) {
  struct program p;
  EACH_TILE(x, y) {
    struct place to = {WIDTH + 1 - x, 7 - y};
    begin(&p, c, noc, x, y);
    for (unsigned round = 0; round < 8; round++) {
      store(&p, SOURCE, 0x100 * x + round);
      store(&p, SOURCE + BLOCK - 4, 0x100 * x + round);
      write_to(&p, SOURCE, to, BUFFER + BLOCK * round, BLOCK, VC1 | (round % 2 ? RESP : 0));
      flush(&p);
    }
    store(&p, SOURCE, 0xffff);
    increment(&p, to, FLAG, VC1 | RESP);
    wait_word(&p, FLAG, 1);
    for (unsigned round = 0; round < 8; round++) {
      log_word(&p, BUFFER + BLOCK * round);
      log_word(&p, BUFFER + BLOCK * round + BLOCK - 4);
    }
    end(&p);
  }
}
static uint32_t sources_log(unsigned x, unsigned y, unsigned k) {
  (void)y;
  return 0x100 * (WIDTH + 1 - x) + k / 2;
}
static void a_source_may_be_overwritten_when_its_write_is_sent(void **state) {
  (void)state;
  check(sources, sources_log, 16);
}

/* --- one channel --- */

/* A block and a flag behind it on the same static channel, a write or an increment, without a barrier. */
static void flags(struct chip *c, unsigned noc) {
  struct program p;
  EACH_TILE(x, y) {
    struct place to = {x % WIDTH + 1, 7 - y};
    begin(&p, c, noc, x, y);
    for (unsigned round = 1; round <= 8; round++) {
      store(&p, SOURCE + BLOCK - 4, round);
      write_to(&p, SOURCE, to, BUFFER + BLOCK * round, BLOCK, VC1 | (round & 1u ? RESP : 0));
      if (round & 2u) increment(&p, to, FLAG, VC1);
      else {
        store(&p, SCRATCH + 16, round);
        write_to(&p, SCRATCH + 16, to, FLAG, 4, VC1);
      }
      wait_word(&p, FLAG, round);
      log_word(&p, BUFFER + BLOCK * round + BLOCK - 4);
      flush(&p);
    }
    end(&p);
  }
}
static uint32_t flags_log(unsigned x, unsigned y, unsigned k) {
  (void)x;
  (void)y;
  return 1 + k;
}
static void a_flag_stays_behind_its_data(void **state) {
  (void)state;
  check(flags, flags_log, 8);
}

/* A read behind a write to the same tile on the same channel returns what the write left. */
static void reads(struct chip *c, unsigned noc) {
  struct program p;
  EACH_TILE(x, y) {
    struct place to = {WIDTH + 1 - x, 7 - y};
    begin(&p, c, noc, x, y);
    for (unsigned round = 0; round < 8; round++) {
      store(&p, SOURCE + BLOCK - 16, 7 * x + round);
      write_to(&p, SOURCE, to, BUFFER, BLOCK, VC1 | (round % 2 ? RESP : 0));
      read_from(&p, to, BUFFER + BLOCK - 16, SCRATCH, 16, VC1);
      barrier(&p);
      log_word(&p, SCRATCH);
      flush(&p);
    }
    end(&p);
  }
}
static uint32_t reads_log(unsigned x, unsigned y, unsigned k) {
  (void)y;
  return 7 * x + k;
}
static void a_read_stays_behind_a_write(void **state) {
  (void)state;
  check(reads, reads_log, 8);
}

/* --- acknowledgements --- */

/* After the barrier behind a multicast its data is in all tiles: a third tile, told over this NoC, reads it from its neighbour over the other one. */
static void acknowledged(struct chip *c, unsigned noc) {
  struct program p;
  EACH_TILE(x, y) {
    begin(&p, c, noc, x, y);
    if (x == 1) {
      fill_block(c, p.tile, SOURCE, 0x77000 + y);
      for (unsigned round = 0; round < 4; round++) {
        store(&p, SOURCE + BLOCK - 64, 0x500 + round);
        multicast(&p, SOURCE, BUFFER, BLOCK, RESP | PATH);
        barrier(&p);
        for (unsigned to = 2; to <= WIDTH; to++) increment(&p, (struct place){to, y}, FLAG, VC1 | RESP);
        wait_word(&p, SEMAPHORE, (WIDTH - 1) * (round + 1));
      }
    } else {
      for (unsigned round = 0; round < 4; round++) {
        wait_word(&p, FLAG, 1 + round);
        p.noc = 1 - noc;
        read_from(&p, (struct place){x == WIDTH ? 2 : x + 1, y}, BUFFER + BLOCK - 64, SOURCE, 64, VC1);
        wait_word(&p, rig_niu(p.noc) + 0x200 + 4 * NOC_MST_RD_RESP, round + 1);
        log_word(&p, SOURCE);
        p.noc = noc;
        increment(&p, (struct place){1, y}, SEMAPHORE, VC1);
      }
    }
    end(&p);
  }
}
static uint32_t acknowledged_log(unsigned x, unsigned y, unsigned k) {
  (void)y;
  return x == 1 ? 0 : 0x500 + k;
}
static void acknowledged_data_is_visible_over_the_other_noc(void **state) {
  (void)state;
  check(acknowledged, acknowledged_log, 4);
}

/* Posted writes are there when a write behind them on their channel is acknowledged. */
static void posted(struct chip *c, unsigned noc) {
  struct program p;
  EACH_TILE(x, y) {
    struct place to = {x % WIDTH + 1, 7 - y};
    begin(&p, c, noc, x, y);
    for (unsigned round = 0; round < 6; round++) {
      store(&p, SOURCE, 0x900 + round);
      write_to(&p, SOURCE, to, BUFFER, BLOCK, VC1);
      write_to(&p, SOURCE, to, BUFFER + BLOCK, 4, VC1 | RESP);
      barrier(&p);
      p.noc = 1 - noc;
      read_from(&p, to, BUFFER, SCRATCH, 16, VC1);
      wait_word(&p, rig_niu(p.noc) + 0x200 + 4 * NOC_MST_RD_RESP, round + 1);
      log_word(&p, SCRATCH);
      p.noc = noc;
      p.counter[NOC_MST_RD_RESP] = 0; /* the other NoC's */
    }
    end(&p);
  }
}
static uint32_t posted_log(unsigned x, unsigned y, unsigned k) {
  (void)x;
  (void)y;
  return 0x900 + k;
}
static void posted_writes_are_there_with_an_acknowledged_one(void **state) {
  (void)state;
  check(posted, posted_log, 6);
}

/* --- atomics --- */

/* All tiles of a row, its first one too, take numbers from a word of the first: each number once. */
#define TAKEN 6u
static void numbers(struct chip *c, unsigned noc) {
  struct program p;
  EACH_TILE(x, y) {
    begin(&p, c, noc, x, y);
    for (unsigned round = 0; round < TAKEN; round++) {
      increment(&p, (struct place){1, y}, SEMAPHORE, VC1 | RESP);
      barrier(&p);
      log_word(&p, SCRATCH);
    }
    end(&p);
  }
}
static void check_numbers(struct chip *c) {
  for (unsigned y = 2; y < 2 + ROWS; y++) {
    uint64_t taken = 0;
    for (unsigned x = 1; x <= WIDTH; x++)
      for (unsigned k = 0; k < TAKEN; k++) {
        uint32_t number = rig_get(c, rig_tile_at(c, x, y), LOG + 4 * k);
        assert_true(number < WIDTH * TAKEN && !(taken >> number & 1u));
        assert_true(!k || number > rig_get(c, rig_tile_at(c, x, y), LOG + 4 * k - 4));
        taken |= UINT64_C(1) << number;
      }
    assert_int_equal(rig_get(c, rig_tile_at(c, 1, y), SEMAPHORE), WIDTH * TAKEN);
  }
}
static void atomics_give_each_number_once(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned noc = 0; noc < 2; noc++) {
      struct chip *c = rig_chip(timing, 2);
      numbers(c, noc);
      assert_int_equal(chip_run(c, 400000), CHIP_END_DONE);
      check_numbers(c);
      chip_destroy(c);
    }
}

/* --- all of them, at random --- */

/* In each round one tile of a row works for the others: multicasts, writes to one tile, to itself, reads, increments, sources that it
 * overwrites, in any order that the rules above order, on either NoC. Then it multicasts the round's number, also to itself, and all log
 * what they have. The logs do not depend on time, and nothing is reported. */
#define ROUNDS 10u
#define COUNT 0x20040u
#define OWN 0x50000u
#define ITEMS 5u

static uint32_t pick(uint64_t *random, uint32_t below) {
  *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*random >> 33) % below;
}

struct item {
  unsigned what, noc, to;
  uint32_t length, value;
};

static void do_item(struct program *p, uint32_t counter[NOC_NOCS][NOC_COUNTERS], unsigned y, const struct item *i) {
  struct place to = {i->to, y};
  p->noc = i->noc;
  memcpy(p->counter, counter[i->noc], sizeof p->counter);
  store(p, SOURCE, i->value);
  store(p, SOURCE + i->length - 4, i->value);
  switch (i->what) {
    case 0: multicast(p, SOURCE, BUFFER, i->length, RESP | PATH | (i->value & 1u ? LINKED : 0)); break;
    case 1: write_to(p, SOURCE, to, BUFFER + 0x2000, i->length, VC1 | RESP); break;
    case 2: increment(p, to, COUNT, VC1 | RESP); break;
    case 3: read_from(p, to, BUFFER + 0x2000, OWN, i->length, VC1); break;
    default: write_to(p, SOURCE, (struct place){p->x, y}, OWN + 0x2000, i->length, VC1 | (i->value & 1u ? RESP : 0)); break;
  }
  if (i->what == 0 && i->value & 1u) multicast(p, SOURCE, BUFFER + 0x1000, 4, RESP); /* ends the linked transaction */
  if (i->what == 0 || i->what == 4) flush(p);
  else barrier(p);
  memcpy(counter[i->noc], p->counter, sizeof p->counter);
}

static void take_round(struct program *p, uint32_t counter[NOC_NOCS][NOC_COUNTERS], unsigned y, unsigned round,
                       uint64_t random, bool master, unsigned who, unsigned *waits) {
  const unsigned noc = round & 1u;
  struct item item[ITEMS];
  for (unsigned k = 0; k < ITEMS; k++) {
    item[k] = (struct item){.what = pick(&random, 5), .noc = pick(&random, 2), .length = 16 + 16 * pick(&random, 120)};
    item[k].to = 1 + pick(&random, WIDTH);
    item[k].value = (round << 8 | k << 1 | pick(&random, 2)) + (y << 16);
    if (item[k].to == who) item[k].to = who % WIDTH + 1;
    if (item[k].what == 0) item[k].noc = noc; /* the flag behind it is on its channel */
  }
  if (!master) {
    memcpy(p->counter, counter[noc], sizeof p->counter);
    p->noc = noc;
    increment(p, (struct place){who, y}, SEMAPHORE, VC1);
  } else {
    wait_word(p, SEMAPHORE, (WIDTH - 1) * ++*waits);
    for (unsigned k = 0; k < ITEMS; k++) do_item(p, counter, y, &item[k]);
    p->noc = noc;
    memcpy(p->counter, counter[noc], sizeof p->counter);
    store(p, FLAG, round + 1);
    multicast(p, FLAG, FLAG, 4, RESP | PATH);
    flush(p);
    memcpy(counter[noc], p->counter, sizeof p->counter);
  }
  wait_word(p, FLAG, round + 1);
  for (unsigned i = 0; i < 20; i++) addi(&p->code, T2, T2, 1); /* less than a kernel does */
  for (uint32_t at = 0; at < 0x4000; at += 0x1000) log_word(p, (at < 0x3000 ? BUFFER : OWN) + at % 0x3000);
  log_word(p, BUFFER + 16);
  log_word(p, COUNT);
  log_word(p, OWN + 0x2000);
}

static void random_rounds(struct chip *c, uint64_t seed) {
  struct program p;
  EACH_TILE(x, y) {
    uint32_t counter[NOC_NOCS][NOC_COUNTERS] = {{0}};
    uint64_t random = seed * 97 + y;
    unsigned waits = 0;
    begin(&p, c, 0, x, y);
    for (unsigned round = 0; round < ROUNDS; round++) {
      const unsigned who = 1 + pick(&random, WIDTH);
      take_round(&p, counter, y, round, random, who == x, who, &waits);
    }
    end(&p);
  }
}

static void random_programs_give_the_same_with_timing_and_without(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= test_scaled(6); seed++) {
    struct chip *c[2];
    for (unsigned timing = 0; timing < 2; timing++) {
      c[timing] = rig_chip(timing, 1 + (unsigned)(seed % 3));
      random_rounds(c[timing], seed);
      if (chip_run(c[timing], 400000) != CHIP_END_DONE) fail_msg("seed %u, timing %u: no end", (unsigned)seed, timing);
    }
    EACH_TILE(x, y) {
      unsigned tile = rig_tile_at(c[0], x, y);
      for (unsigned k = 0; k < 7 * ROUNDS; k++) {
        uint32_t off = rig_get(c[0], tile, LOG + 4 * k), on = rig_get(c[1], tile, LOG + 4 * k);
        if (off != on) fail_msg("seed %u, tile (%u,%u), word %u: off 0x%x, on 0x%x", (unsigned)seed, x, y, k, off, on);
      }
      for (unsigned timing = 0; timing < 2; timing++)
        assert_int_equal(chip_tensix(c[timing], tile)->diag.counts[TX_DIAG_L1_RACE], 0);
    }
    for (unsigned timing = 0; timing < 2; timing++) chip_destroy(c[timing]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tile_s_own_copy_is_there_when_its_write_is_sent),
      cmocka_unit_test(a_result_that_depends_on_the_own_copy_is_a_finding),
      cmocka_unit_test(a_write_to_the_own_tile_is_there_when_it_is_sent),
      cmocka_unit_test(requests_to_the_own_tile_are_in_order),
      cmocka_unit_test(a_source_may_be_overwritten_when_its_write_is_sent),
      cmocka_unit_test(a_flag_stays_behind_its_data),
      cmocka_unit_test(a_read_stays_behind_a_write),
      cmocka_unit_test(acknowledged_data_is_visible_over_the_other_noc),
      cmocka_unit_test(posted_writes_are_there_with_an_acknowledged_one),
      cmocka_unit_test(atomics_give_each_number_once),
      cmocka_unit_test(random_programs_give_the_same_with_timing_and_without),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
