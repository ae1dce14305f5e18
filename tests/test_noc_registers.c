/* Every register of an NIU, on a tile of a chip: its stored value, its value when read, the effect of a write. Behaviour
 * that no document gives is tagged inferred. */
#include <stdio.h>

#include "chip_rig.h"

#include "noc/niu.h"

#define A 3u, 4u
#define B 12u, 7u

static struct chip *chip;
static unsigned tile;

static int set_up(void **state) {
  (void)state;
  chip = rig_chip(true, 1);
  tile = rig_tile_at(chip, A);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  chip_destroy(chip);
  return 0;
}

static uint32_t reg(uint32_t offset) { return rig_get(chip, tile, rig_niu(0) + offset); }
static void set(uint32_t offset, uint32_t value) { rig_put(chip, tile, rig_niu(0) + offset, value); }
static void run(unsigned cycles) { chip_run(chip, chip_now(chip) + cycles); }

static struct rig_request write_request(uint32_t bytes) {
  return (struct rig_request){
      .targ = 0x20000, .targ_xy = rig_xy(A), .ret = 0x40000, .ret_xy = rig_xy(B), .ctrl = 0x12, .length = bytes};
}

static void initiators_keep_their_registers(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned word = 0; word < NOC_INITIATOR_WORDS; word++) set(0x800 * i + 4 * word, 0xA5A50000u + 16 * i + word);
  for (unsigned i = 0; i < 4; i++)
    for (unsigned word = 0; word < NOC_INITIATOR_WORDS; word++) {
      uint32_t wanted = 0xA5A50000u + 16 * i + word;
      if (word == NOC_PACKET_TAG) wanted &= 0xffffu; /* 31:16 read 0 */
      assert_int_equal(reg(0x800 * i + 4 * word), wanted);
    }
}

static void identity_is_repeated_in_every_block(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    assert_int_equal(reg(0x800 * i + NOC_REG_NODE_ID) & 0xfffu, rig_xy(A));
    assert_int_equal(reg(0x800 * i + NOC_REG_NODE_ID) >> 12 & 127u, 17);
    assert_int_equal(reg(0x800 * i + NOC_REG_NODE_ID) >> 19 & 127u, 12);
    assert_int_equal(reg(0x800 * i + NOC_REG_ENDPOINT_ID) >> 8 & 0xffffu, 0x0100);
  }
  assert_int_equal(rig_get(chip, tile, rig_niu(1) + NOC_REG_ENDPOINT_ID) >> 24, 1);
}

static void configuration_is_stored(void **state) {
  (void)state;
  for (unsigned i = 0; i < NOC_CONFIG_WORDS; i++) {
    if (i == NOC_CFG_RTZ_CLEAR) continue;
    uint32_t before = reg(0x100 + 4 * i);
    set(0x100 + 4 * i, before ^ 0x80000001u);
    assert_int_equal(reg(0x100 + 4 * i), before ^ 0x80000001u);
    set(0x100 + 4 * i, before);
  }
  set(0x100 + 4 * NOC_CFG_RTZ_CLEAR, ~0u);
  assert_int_equal(reg(0x100 + 4 * NOC_CFG_RTZ_CLEAR), 0);
}

static void counters_are_read_only(void **state) {
  (void)state;
  uint8_t raw[4] = {1, 2, 3, 4};
  for (unsigned i = 0; i < 62; i++) {
    assert_int_equal(reg(0x200 + 4 * i), 0);
    assert_false(chip_write(chip, tile, rig_niu(0) + 0x200 + 4 * i, raw, 4));
  }
}

/* "index:value" of every counter that is not 0. */
static void counters_of(struct chip *c, unsigned at, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < 62; i++) {
    uint32_t value = rig_counter(c, at, 0, i);
    if (value) used += (size_t)snprintf(text + used, size - used, "%s%u:%u", used ? " " : "", i, value);
  }
}

/* Each kind of request changes its own counters, at the source and at the target; together these are all 62. 130 bytes are three flits.
 * ISA: NoC/Counters.md */
static void every_counter_counts(void **state) {
  (void)state;
  const uint32_t here = rig_xy(A), there = rig_xy(B);
  const struct {
    uint32_t targ, ret, targ_xy, ret_xy, tag, ctrl, length;
    const char *fired, *source, *target; /* counters right after CMD_CTRL, and at the end */
  } rows[] = {
      {0x40000, 0x20000, there, here, 1u << 10, 0, 130, "17:1", "2:1 3:3 4:1 5:1 14:1", "50:1 51:3 52:1 53:1"},
      {0x20000, 0x40000, here, there, 2u << 10, 0x12, 130, "18:1 34:1", "1:1 4:1 8:3 10:1 12:1", "49:1 56:3 58:1 60:1"},
      {0x20000, 0x40000, here, there, 3u << 10, 0x02, 130, "35:1", "4:1 9:3 11:1 13:1", "57:3 59:1 61:1"},
      {0xFFB40010u, 0, there, 0, 4u << 10, 0x1a, 15, "20:1", "1:1 4:1 10:1 12:1", "49:1 56:1 58:1 60:1"},
      {0xFFB40010u, 0, there, 0, 5u << 10, 0x0a, 15, "", "4:1 11:1 13:1", "57:1 59:1 61:1"},
      {0x40000, 0x20000, there, here, 6u << 10, 0x11, 0x107c, "22:1", "0:1 4:1 6:1 15:1", "48:1 52:1 54:1"},
      {0x40000, 0x20000, there, here, 7u << 10, 0x01, 0x107c, "", "4:1 7:1", "52:1 55:1"},
      /* Three receivers: three acknowledgements, and 1 - 3 outstanding in eight bits. */
      {0x20000, 0x40000, here, rig_rectangle(11, 7, 13, 7), 8u << 10, 0x8132, 130, "24:1 40:1",
       "1:3 4:1 8:3 10:1 12:1 24:254", "49:1 56:3 58:1 60:1"},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct chip *c = rig_chip(true, 1);
    char text[256];
    rig_fire(c, rig_tile_at(c, A), 0, 0,
             (struct rig_request){.targ = rows[i].targ,
                                  .ret = rows[i].ret,
                                  .targ_xy = rows[i].targ_xy,
                                  .ret_xy = rows[i].ret_xy,
                                  .tag = rows[i].tag,
                                  .ctrl = rows[i].ctrl,
                                  .length = rows[i].length});
    counters_of(c, rig_tile_at(c, A), text, sizeof text);
    assert_string_equal(text, rows[i].fired);
    chip_run(c, 3000);
    assert_null(chip_fault(c, NULL));
    counters_of(c, rig_tile_at(c, A), text, sizeof text);
    assert_string_equal(text, rows[i].source);
    counters_of(c, rig_tile_at(c, B), text, sizeof text);
    assert_string_equal(text, rows[i].target);
    chip_destroy(c);
  }
}

/* The transaction id chooses the counter. */
static void ids_have_counters_of_their_own(void **state) {
  (void)state;
  for (unsigned id = 0; id < 16; id++) {
    struct chip *c = rig_chip(true, 1);
    struct rig_request q = write_request(64);
    char text[64], wanted[64];
    q.tag = id << 10;
    rig_fire(c, rig_tile_at(c, A), 0, 0, q);
    counters_of(c, rig_tile_at(c, A), text, sizeof text);
    snprintf(wanted, sizeof wanted, "%u:1 %u:1", 16 + id, 32 + id);
    assert_string_equal(text, wanted);
    chip_destroy(c);
  }
}

/* inferred: error counters and the security fence are plain storage; router debug and flit counters are rejected. */
static void errors_and_security(void **state) {
  (void)state;
  uint8_t raw[4];
  for (uint32_t offset = NOC_REG_ERRORS; offset < NOC_REG_ERRORS_END; offset += 4) assert_int_equal(reg(offset), 0);
  for (uint32_t offset = NOC_REG_SECURITY; offset < NOC_REG_SECURITY_END; offset += 4) assert_int_equal(reg(offset), 0);
  assert_false(chip_read(chip, tile, rig_niu(0) + NOC_REG_ROUTER_DEBUG, raw, 4));
  assert_false(chip_read(chip, tile, rig_niu(0) + NOC_REG_FLITS, raw, 4));
  for (uint32_t offset = NOC_REG_SECURITY; offset < NOC_REG_SECURITY_END; offset += 4) set(offset, ~offset);
  for (uint32_t offset = NOC_REG_SECURITY; offset < NOC_REG_SECURITY_END; offset += 4)
    assert_int_equal(reg(offset), ~offset);
}

static void outstanding_counters_are_cleared_by_id(void **state) {
  (void)state;
  struct rig_request q = write_request(64);
  q.tag = 3u << 10;
  rig_fire(chip, tile, 0, 0, q);
  run(5);
  q.tag = 4u << 10;
  rig_fire(chip, tile, 0, 1, q);
  assert_int_equal(reg(0x200 + 4 * (NOC_MST_OUTSTANDING + 3)), 1);
  assert_int_equal(reg(0x200 + 4 * (NOC_MST_OUTSTANDING + 4)), 1);
  set(NOC_REG_CLEAR_OUTSTANDING, 1u << 3);
  assert_int_equal(reg(0x200 + 4 * (NOC_MST_OUTSTANDING + 3)), 0);
  assert_int_equal(reg(0x200 + 4 * (NOC_MST_OUTSTANDING + 4)), 1);
  run(1000);
  assert_int_equal(reg(0x200 + 4 * (NOC_MST_OUTSTANDING + 3)), 0xff); /* 8 bits: the answer still increments it */
  assert_int_equal(reg(0x200 + 4 * (NOC_MST_OUTSTANDING + 4)), 0);
}

static void completion_interrupts(void **state) {
  (void)state;
  struct rig_request q = write_request(64);
  q.tag = 5u << 10;
  rig_fire(chip, tile, 0, 0, q);
  run(1000);
  assert_int_equal(reg(NOC_REG_RTZ_SOURCE), 1u << 5);
  assert_int_equal(rig_get(chip, tile, 0xFFB13000u + 4 * 39), 0); /* PIC: not enabled */
  assert_int_equal(reg(NOC_REG_RTZ_NUM), 0);
  set(0x100 + 4 * NOC_CFG_RTZ, 1u << 28 | 1u << 5);
  assert_int_equal(rig_get(chip, tile, 0xFFB13000u + 4 * 39), 1);
  assert_int_equal(reg(NOC_REG_RTZ_NUM), 5);
  assert_int_equal(reg(NOC_REG_RTZ_SOURCE), 1u << 5); /* bit 28: the read clears nothing */
  set(0x100 + 4 * NOC_CFG_RTZ, 1u << 5);
  assert_int_equal(reg(NOC_REG_RTZ_NUM), 5);
  assert_int_equal(reg(NOC_REG_RTZ_SOURCE), 0);
  assert_int_equal(rig_get(chip, tile, 0xFFB13000u + 4 * 39), 0);
}

static void cmd_ctrl_reads_1_until_the_packet_leaves(void **state) {
  (void)state;
  rig_fire(chip, tile, 0, 0, write_request(16384));
  run(4);
  assert_int_equal(reg(NOC_REG_CMD_CTRL), 0);
  rig_fire(chip, tile, 0, 0, write_request(64));
  run(100);
  assert_int_equal(reg(NOC_REG_CMD_CTRL), 1); /* after 257 flits */
  run(300);
  assert_int_equal(reg(NOC_REG_CMD_CTRL), 0);
  run(2000);
  assert_int_equal(reg(0x200 + 4 * NOC_MST_WR_ACK), 2);
}

static void a_busy_initiator_must_not_be_written(void **state) {
  (void)state;
  uint8_t raw[4] = {0};
  rig_fire(chip, tile, 0, 0, write_request(16384));
  run(4);
  rig_fire(chip, tile, 0, 0, write_request(64));
  assert_false(chip_write(chip, tile, rig_niu(0), raw, 4));
  assert_non_null(strstr(chip_fault(chip, NULL)->why, "NOC_CMD_CTRL still reads 1"));
}

/* inferred: depth 8; a full FIFO is an error of the program. */
static void request_fifo(void **state) {
  (void)state;
  set(0x100, reg(0x100) | 1u << 16);
  rig_fire(chip, tile, 0, 0, write_request(16384));
  run(4);
  for (unsigned i = 0; i < 5; i++) {
    struct rig_request q = write_request(64);
    q.ret += 0x1000 * (i + 1);
    rig_put(chip, tile, 0x20000, 100 + i);
    rig_fire(chip, tile, 0, 0, q);
  }
  assert_int_equal(reg(NOC_REG_BUF_AVAIL), 0x08080803u);
  assert_int_equal(reg(NOC_REG_CMD_CTRL), 0);
  run(3000);
  assert_int_equal(reg(NOC_REG_BUF_AVAIL), 0x08080808u);
  assert_int_equal(reg(NOC_REG_BUF_OVERFLOW), 0);
  assert_int_equal(reg(0x200 + 4 * NOC_MST_WR_ACK), 6);
  for (unsigned i = 0; i < 5; i++) assert_int_equal(rig_get(chip, rig_tile_at(chip, B), 0x41000 + 0x1000 * i), 104);
  rig_fire(chip, tile, 0, 0, write_request(16384));
  run(4);
  for (unsigned i = 0; i < 8; i++) rig_fire(chip, tile, 0, 0, write_request(64));
  assert_null(chip_fault(chip, NULL));
  assert_int_equal(reg(NOC_REG_CMD_CTRL), 1);
  uint32_t one = 1;
  assert_false(chip_write(chip, tile, rig_niu(0) + NOC_REG_CMD_CTRL, &one, 4));
  assert_non_null(strstr(chip_fault(chip, NULL)->why, "FIFO"));
}

static void long_requests_are_split(void **state) {
  (void)state;
  rig_fire(chip, tile, 0, 0, write_request(40000 & ~63u));
  assert_int_equal(reg(0x200 + 4 * (NOC_MST_OUTSTANDING + 0)), 3);
  run(3);
  uint32_t one = 1;
  assert_false(
      chip_write(chip, tile, rig_niu(0) + 0x800 + NOC_REG_CMD_CTRL, &one, 4)); /* no request may be issued meanwhile */
  assert_non_null(strstr(chip_fault(chip, NULL)->why, "splits"));
}

/* Between the requests of a linked transaction no other request is sent. */
static void a_linked_transaction_holds_the_output(void **state) {
  (void)state;
  struct rig_request linked = write_request(64), other = write_request(64);
  linked.ctrl = 0x2000 | 0x80 | 0x40 | 0x12; /* VC 1, linked */
  other.ctrl = 0x4000 | 0x80 | 0x12;
  rig_fire(chip, tile, 0, 0, linked);
  run(1000);
  rig_fire(chip, tile, 0, 1, other);
  run(1000);
  assert_int_equal(reg(0x800 + NOC_REG_CMD_CTRL), 1);
  linked.ctrl &= ~0x40u;
  rig_fire(chip, tile, 0, 0, linked);
  run(1000);
  assert_int_equal(reg(0x800 + NOC_REG_CMD_CTRL), 0);
  assert_int_equal(reg(0x200 + 4 * NOC_MST_WR_ACK), 3);
}

/* All requests of a linked transaction have the same receivers and the same major axis. facts: breaking the rule is a failure of the NoC. */
static void a_linked_transaction_keeps_its_receivers(void **state) {
  (void)state;
  static const struct {
    uint32_t first_xy, then_xy, ctrl;
  } rows[] = {{12 | 7 << 6, 14 | 7 << 6, 0},
              {13 | 7 << 6 | 12 << 12 | 7 << 18, 14 | 7 << 6 | 12 << 12 | 7 << 18, 0x120},
              {13 | 7 << 6 | 12 << 12 | 7 << 18, 13 | 7 << 6 | 12 << 12 | 7 << 18, 0x120 | 1 << 16},
              {13 | 7 << 6 | 12 << 12 | 7 << 18, 13 | 7 << 6 | 12 << 12 | 7 << 18, 0x120 | 1 << 17}}; /* the sender too */
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    for (unsigned same = 0; same < 2; same++) {
      struct chip *c = rig_chip(true, 1);
      struct rig_request q = write_request(64);
      q.ret_xy = rows[i].first_xy;
      q.ctrl = 0x8000 | 0x80 | 0x40 | 0x12 | (rows[i].ctrl & 0xffffu);
      rig_fire(c, rig_tile_at(c, A), 0, 0, q);
      chip_run(c, 1000);
      if (!same) q.ret_xy = rows[i].then_xy;
      q.ctrl = 0x8000 | 0x80 | 0x12 | (same ? rows[i].ctrl & 0xffffu : rows[i].ctrl);
      rig_fire(c, rig_tile_at(c, A), 0, 0, q);
      chip_run(c, 2000);
      const struct sim_fault *fault = chip_fault(c, NULL);
      if (same) assert_null(fault);
      else assert_non_null(fault && strstr(fault->why, "linked transaction with other receivers") ? fault : NULL);
      chip_destroy(c);
    }
}

/* A request behind a transaction that no request ends never leaves: the chip has not completed. */
static void a_request_that_cannot_leave_is_no_end(void **state) {
  (void)state;
  struct chip *c = rig_chip(true, 1);
  struct rig_request linked = write_request(64), other = write_request(64);
  linked.ctrl = 0x2000 | 0x80 | 0x40 | 0x12;
  other.ctrl = 0x4000 | 0x80 | 0x02;
  rig_fire(c, rig_tile_at(c, A), 0, 0, linked);
  assert_int_equal(chip_run(c, 1000), CHIP_END_DONE);
  rig_fire(c, rig_tile_at(c, A), 0, 1, other);
  assert_int_equal(chip_run(c, 2000), CHIP_END_BLOCKED);
  linked.ctrl &= ~0x40u;
  rig_fire(c, rig_tile_at(c, A), 0, 0, linked);
  assert_int_equal(chip_run(c, 3000), CHIP_END_DONE);
  chip_destroy(c);
}

static void a_read_accumulates_too(void **state) {
  (void)state;
  struct rig_request q = {.targ = 0x40000, .targ_xy = rig_xy(B), .ret = 0x20000, .ret_xy = rig_xy(A), .length = 32};
  q.ctrl = 0x80000010u;
  q.accumulate = 9u << 12 | 4u;
  for (unsigned i = 0; i < 8; i++) {
    rig_put(chip, tile, 0x20000 + 4 * i, 100 + i);
    rig_put(chip, rig_tile_at(chip, B), 0x40000 + 4 * i, 1000 * i);
  }
  rig_fire(chip, tile, 0, 1, q);
  run(1000);
  assert_null(chip_fault(chip, NULL));
  for (unsigned i = 0; i < 8; i++) assert_int_equal(rig_get(chip, tile, 0x20000 + 4 * i), 1000 * i + 100 + i);
}

static void accumulation_on_arrival(void **state) {
  (void)state;
  struct rig_request q = write_request(32);
  q.ctrl |= 0x80000000u;
  q.accumulate = 9u << 12 | 4u;
  for (unsigned i = 0; i < 8; i++) {
    rig_put(chip, tile, 0x20000 + 4 * i, 100 + i);
    rig_put(chip, rig_tile_at(chip, B), 0x40000 + 4 * i, 1000 * i);
  }
  rig_fire(chip, tile, 0, 0, q);
  run(1000);
  assert_null(chip_fault(chip, NULL));
  for (unsigned i = 0; i < 8; i++)
    assert_int_equal(rig_get(chip, rig_tile_at(chip, B), 0x40000 + 4 * i), 1000 * i + 100 + i);
}

/* NOC_PACKET_TAG bit 9: the first 16 bytes go to NOC_AT_DATA * 16 as well. A DRAM tile ignores it while NIU_CFG_0 bit 13 is set, as firmware leaves it.
 * ISA: NoC/MemoryMap.md */
static void header_stores(void **state) {
  (void)state;
  for (unsigned i = 0; i < 3; i++) {
    struct chip *c = rig_chip(true, 1);
    unsigned to = i ? rig_tile_at(c, 0, 2) : rig_tile_at(c, B);
    uint32_t first, second, config;
    for (unsigned k = 0; k < 16; k++) rig_put(c, rig_tile_at(c, A), 0x20000 + 4 * k, 0x1000 + k);
    assert_true(chip_read(c, to, rig_niu(0) + 0x100, &config, 4));
    if (i) assert_true(config >> 13 & 1u);
    config &= ~(1u << 13);
    if (i == 2) assert_true(chip_write(c, to, rig_niu(0) + 0x100, &config, 4));
    rig_fire(c, rig_tile_at(c, A), 0, 0,
             (struct rig_request){.targ = 0x20000,
                                  .targ_xy = rig_xy(A),
                                  .ret = 0x40000,
                                  .ret_xy = i ? rig_xy(0, 2) : rig_xy(B),
                                  .tag = 0x200,
                                  .ctrl = 0x02,
                                  .length = 64,
                                  .data = 0x50000 >> 4});
    chip_run(c, 3000);
    assert_null(chip_fault(c, NULL));
    assert_true(chip_read(c, to, 0x40000 + 4 * 15, &first, 4));
    assert_int_equal(first, 0x100f);
    assert_true(chip_read(c, to, 0x50000 + 4 * 3, &first, 4) && chip_read(c, to, 0x50000 + 16, &second, 4));
    assert_int_equal(first, i == 1 ? 0 : 0x1003);
    assert_int_equal(second, 0);
    chip_destroy(c);
  }
}

/* NOC_AT_LEN_BE_1 has bits 63:32 of a length too (NoC/MemoryMap.md): what a write with a byte mask leaves there makes a plain request endless. */
static void a_length_has_64_bits(void **state) {
  (void)state;
  const uint32_t one = 1;
  for (unsigned kind = 0; kind < 3; kind++) { /* plain write, read, write with a byte mask */
    struct chip *c = rig_chip(true, 1);
    struct rig_request q = write_request(64);
    q.length_1 = 1;
    if (kind == 1) q = (struct rig_request){.targ = 0x40000, .targ_xy = rig_xy(B), .ret = 0x20000, .ret_xy = rig_xy(A)};
    if (kind == 2) q.ctrl |= 4, q.length = 3;
    const uint32_t words[10] = {(uint32_t)q.targ, 0, q.targ_xy, (uint32_t)q.ret,   0,
                                q.ret_xy,         0, q.ctrl,    kind < 2 ? 64 : 3, 1};
    for (unsigned k = 0; k < 10; k++) rig_put(c, rig_tile_at(c, A), rig_niu(0) + 4 * k, words[k]);
    assert_int_equal(chip_write(c, rig_tile_at(c, A), rig_niu(0) + 0x40, &one, 4), kind == 2);
    if (kind < 2) assert_non_null(strstr(chip_fault(c, NULL)->why, "NOC_AT_LEN_BE_1"));
    else assert_int_equal(chip_run(c, 2000), CHIP_END_DONE);
    chip_destroy(c);
  }
}

/* Of the tiles only Tensix and Ethernet take inline writes (NoC/MemoryMap.md); what is not simulated has a name. */
static void what_a_tile_does_not_take(void **state) {
  (void)state;
  static const struct {
    uint32_t xy, ctrl;
    uint64_t address;
    const char *why;
  } rows[] = {{17 | 12 << 6, 0x1a, 0xFFB2010C, "an inline write may go to"},
              {8 | 0 << 6, 0x1a, 0x80030404, "an inline write may go to"},
              {19 | 24 << 6, 0x1a, 0xFFFFFFFFFF00010C, "an inline write may go to"},
              {22 | 25 << 6, 0x1a, 0xFFB40010, NULL},
              {12 | 7 << 6, 0x1a, 0xFFB40010, NULL},
              {17 | 12 << 6, 0x00, 0xFFB14000, "registers of the DRAM tile's core"},
              {17 | 12 << 6, 0x00, 0x2000000000, "L1 of the DRAM tile's core"},
              {17 | 12 << 6, 0x00, 0xFF000000, "beyond the end of the DRAM bank"},
              {22 | 25 << 6, 0x00, 0xFFB94000, "only the TX queues and PCS_STATUS are simulated"}};
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct chip *c = rig_chip(true, 1);
    struct rig_request q = {.targ = rows[i].address, .targ_xy = rows[i].xy, .ret = 0x20000, .ret_xy = rig_xy(A)};
    q.ctrl = rows[i].ctrl, q.length = 4;
    rig_fire(c, rig_tile_at(c, A), 0, 0, q);
    chip_run(c, 3000);
    const struct sim_fault *fault = chip_fault(c, NULL);
    if (rows[i].why) assert_non_null(fault && strstr(fault->why, rows[i].why) ? fault : NULL);
    else assert_null(fault);
    chip_destroy(c);
  }
}

static void reserved_requests_are_refused(void **state) {
  (void)state;
  static const struct {
    struct rig_request q;
    const char *why;
  } rows[] = {
      {{.ctrl = 3, .length = 4}, "reserved request (3,4) to"},
      {{.ctrl = 0x11, .length = 0x107c, .ret = 0x31002, .ret_xy = 3 | 4 << 6, .targ_xy = 12 | 7 << 6}, "multiple of 4"},
      {{.ctrl = 0x202, .length = 4}, "overlay"},
      {{.ctrl = 0x20, .length = 4}, "cannot be broadcast"},
      {{.ctrl = 2, .length = 0}, "length of 0"},
      {{.ctrl = 2, .length = 4, .tag = 0x40}, "overlay"},
      {{.ctrl = 0x12, .length = 4, .tag = 0x200}, "posted write"},
      {{.ctrl = 2, .length = 20000, .targ = 0x20010},
       "length 0x4e20: more than 16384 bytes need addresses that are multiples of 64"},
      /* coordinates that translation would reduce to those of another tile */
      {{.ctrl = 0x10, .length = 64, .targ_xy = 0 | 50 << 6, .ret_xy = 3 | 4 << 6}, "to (0,50) 0x0, other end"},
      {{.ctrl = 0x10, .length = 64, .targ_xy = 40 | 40 << 6, .ret_xy = 3 | 4 << 6}, "to (40,40) 0x0, other end"},
      {{.ctrl = 0x12, .length = 64, .ret_xy = 44 | 7 << 6}, "to (44,7) 0x0, other end"},
      {{.ctrl = 0x02, .length = 64, .ret_xy = 12 | 39 << 6}, "to (12,39) 0x0, other end"},
      {{.ctrl = 0x1a, .length = 64, .targ_xy = 33 | 4 << 6}, "to (33,4) 0x0, other end"},
      {{.ctrl = 0x11, .length = 64, .targ_xy = 12 | 63 << 6, .ret_xy = 3 | 4 << 6}, "to (12,63) 0x0, other end"},
      {{.ctrl = 0x32, .length = 64, .ret_xy = 12 | 7 << 6 | 35 << 12 | 4 << 18}, "to (35,4) 0x0, other end"},
      {{.ctrl = 0x12, .length = 64, .targ_xy = 3 | 36 << 6}, "to (3,36) 0x0, other end"}, /* of the response */
      {{.ctrl = 1, .length = 0x5000, .ret_xy = 3 | 4 << 6, .targ_xy = 12 | 7 << 6}, "no document defines"},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct chip *c = rig_chip(true, 1);
    unsigned t = rig_tile_at(c, A);
    const struct rig_request *q = &rows[i].q;
    const uint32_t words[9] = {(uint32_t)q->targ,
                               0,
                               q->targ_xy ? q->targ_xy : rig_xy(A),
                               (uint32_t)q->ret,
                               0,
                               q->ret_xy ? q->ret_xy : rig_xy(B),
                               q->tag,
                               q->ctrl,
                               q->length};
    uint32_t one = 1;
    for (unsigned k = 0; k < 9; k++) rig_put(c, t, rig_niu(0) + 4 * k, words[k]);
    chip_write(c, t, rig_niu(0) + 0x40, &one, 4);
    chip_run(c, 1000);
    assert_non_null(chip_fault(c, NULL));
    assert_non_null(strstr(chip_fault(c, NULL)->why, rows[i].why));
    chip_destroy(c);
  }
}

/* Bits that a request does not use may hold anything: those of a posted write's response, and of a start without a broadcast. */
static void unused_coordinates_are_not_read(void **state) {
  (void)state;
  static const uint32_t rows[][3] = {
      /* TARG_HI, RET_HI, CTRL */
      {3 | 36 << 6, 12 | 7 << 6, 0x02},
      {3 | 4 << 6, 12 | 7 << 6 | 35 << 12 | 60 << 18, 0x12},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    const uint32_t words[9] = {0x20000, 0, rows[i][0], 0x40000, 0, rows[i][1], 0, rows[i][2], 64};
    for (unsigned k = 0; k < 9; k++) set(4 * k, words[k]);
    set(0x40, 1);
    run(1000);
    assert_null(chip_fault(chip, NULL));
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(initiators_keep_their_registers),
      TEST(identity_is_repeated_in_every_block),
      TEST(configuration_is_stored),
      TEST(counters_are_read_only),
      TEST(every_counter_counts),
      TEST(ids_have_counters_of_their_own),
      TEST(errors_and_security),
      TEST(outstanding_counters_are_cleared_by_id),
      TEST(completion_interrupts),
      TEST(cmd_ctrl_reads_1_until_the_packet_leaves),
      TEST(a_busy_initiator_must_not_be_written),
      TEST(request_fifo),
      TEST(long_requests_are_split),
      TEST(a_linked_transaction_holds_the_output),
      TEST(a_linked_transaction_keeps_its_receivers),
      TEST(a_request_that_cannot_leave_is_no_end),
      TEST(a_read_accumulates_too),
      TEST(accumulation_on_arrival),
      TEST(header_stores),
      TEST(a_length_has_64_bits),
      TEST(what_a_tile_does_not_take),
      TEST(reserved_requests_are_refused),
      TEST(unused_coordinates_are_not_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
