/* Systems as data: the boards and boxes of systems.def beside what tt-umd's files and its discovery on the golden model list, and cluster
 * descriptors of UMD's format, good and bad. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "system/descriptor.h"

static struct system_plan plan, other;
static char error[200];

static const struct chip_harvest full = {.ethernet = 0x3000};

static bool read_text(const char *text) { return system_descriptor_read(&plan, text, strlen(text), error, sizeof error); }

static bool has_link(const struct system_plan *p, unsigned a, unsigned channel_a, unsigned b, unsigned channel_b) {
  const struct chip_peer *there = &p->chip[a].identity.port[channel_a], *back = &p->chip[b].identity.port[channel_b];
  return there->linked && back->linked && there->channel == channel_b && back->channel == channel_a &&
         there->board == p->chip[b].identity.board && there->location == p->chip[b].identity.location &&
         back->asic == p->chip[a].identity.asic;
}

/* Chips and links of each: tt-umd's examples blackhole_P300_both_mmio, blackhole_4xP150, blackhole_8xP150, and the two discoveries. */
static void the_table_has_the_known_systems(void **state) {
  (void)state;
  static const struct {
    const char *name;
    unsigned chips, links, board_type;
  } known[] = {{"p150", 1, 0, 0x40},      {"p300", 2, 2, 0x44},     {"quietbox", 4, 16, 0x40},
               {"quietbox2", 4, 8, 0x44}, {"loudbox", 8, 20, 0x40}, {"galaxy", 32, 104, 0x47}};
  unsigned count = 0;
  while (system_product_at(count)) count++;
  assert_int_equal(count, sizeof known / sizeof *known);
  for (unsigned i = 0; i < count; i++) {
    assert_string_equal(system_product_at(i)->name, known[i].name);
    assert_true(system_plan_find(&plan, known[i].name, &full));
    assert_int_equal(plan.chips, known[i].chips);
    assert_int_equal(plan.links, known[i].links);
    for (unsigned c = 0; c < plan.chips; c++) {
      assert_int_equal(plan.chip[c].identity.board >> 36, known[i].board_type);
      assert_true(plan.chip[c].device);
    }
    for (unsigned l = 0; l < plan.links; l++) {
      const struct system_end *end = plan.link[l].end;
      assert_true(has_link(&plan, end[0].chip, end[0].channel, end[1].chip, end[1].channel));
    }
  }
  assert_false(system_plan_find(&plan, "p301", &full));
}

static void the_wires_of_small_systems(void **state) {
  (void)state;
  assert_true(system_plan_find(&plan, "p300", &full));
  assert_true(has_link(&plan, 0, 2, 1, 9) && has_link(&plan, 0, 3, 1, 8));
  assert_int_equal(plan.chip[0].identity.board, 0x44000000001);
  assert_int_equal(plan.chip[1].identity.board, 0x44000000001);
  assert_int_equal(plan.chip[1].identity.location, 1);
  assert_int_equal(plan.chip[1].harvest.pcie, 1);
  assert_true(system_plan_find(&plan, "quietbox2", &full));
  assert_true(has_link(&plan, 0, 2, 3, 5) && has_link(&plan, 1, 5, 2, 2) && has_link(&plan, 2, 9, 3, 2));
  assert_true(system_plan_find(&plan, "loudbox", &full));
  assert_true(has_link(&plan, 0, 4, 1, 9) && has_link(&plan, 6, 11, 7, 6));
  assert_true(system_plan_find(&plan, "galaxy", &full));
  assert_true(has_link(&plan, 0, 2, 2, 4) && has_link(&plan, 28, 3, 31, 5));
  /* parts that have no Ethernet tiles have no links */
  const struct chip_harvest none = {.ethernet = 0x3fff};
  assert_false(system_plan_find(&plan, "p300", &none));
  assert_true(system_plan_find(&plan, "p150", &none));
}

/* A written descriptor is read as the same system. */
static void written_and_read(void **state) {
  (void)state;
  static char text[1u << 16];
  for (unsigned i = 0; system_product_at(i); i++) {
    struct sim_text to = {text, sizeof text, 0};
    assert_true(
        system_plan_find(&other, system_product_at(i)->name, &(struct chip_harvest){.tensix = 0xc0, .ethernet = 0x120}));
    system_descriptor_write(&other, &to);
    assert_true(to.length < sizeof text);
    if (!read_text(text)) fail_msg("%s: %s", system_product_at(i)->name, error);
    assert_int_equal(plan.chips, other.chips);
    assert_int_equal(plan.links, other.links);
    assert_memory_equal(plan.link, other.link, sizeof plan.link);
    for (unsigned c = 0; c < plan.chips; c++) {
      assert_memory_equal(&plan.chip[c].harvest, &other.chip[c].harvest, sizeof plan.chip[c].harvest);
      assert_int_equal(plan.chip[c].identity.board, other.chip[c].identity.board);
      assert_int_equal(plan.chip[c].identity.location, other.chip[c].identity.location);
      assert_true(plan.chip[c].device);
    }
  }
}

#define HEAD "cluster_id: vm\narch:\n  0: blackhole\n  1: blackhole\nchips:\n  {}\n"
#define BOARD "boards:\n  -\n    - board_id: 4672924418049\n    - board_type: p300\n    - chips:\n        - 1\n        - 0\n"
#define LINK "ethernet_connections:\n  -\n    - chip: 0\n      chan: 2\n    - chip: 1\n      chan: 9\n"

/* Without locations, as older versions write it; comments, quotes, one chip that is no PCI device. */
static void an_older_file(void **state) {
  (void)state;
  assert_true(
      read_text(HEAD "chip_unique_ids:\n  1: 149533581377569\n  0: 149533581377568\n" LINK
                     "ethernet_connections_to_remote_devices:\n  -\n    - chip: 0\n      chan: 9\n    - remote_chip_id: 5\n"
                     "      chan: 9\nchips_with_mmio:\n  - 0: 7 # a number of the host\nharvesting:\n  1:\n"
                     "    noc_translation: true\n    harvest_mask: 8320\n    dram_harvesting_mask: 0\n"
                     "    eth_harvesting_mask: 288\n    pcie_harvesting_mask: 1\nchip_to_bus_id:\n  0: \"0x0001\"\n" BOARD));
  assert_int_equal(plan.chips, 2);
  assert_int_equal(plan.links, 1);
  assert_true(has_link(&plan, 0, 2, 1, 9));
  assert_true(plan.chip[0].device && !plan.chip[1].device);
  assert_int_equal(plan.chip[0].identity.location, 0);
  assert_int_equal(plan.chip[1].identity.location, 1);
  assert_int_equal(plan.chip[1].identity.asic, 149533581377569);
  assert_int_equal(plan.chip[1].harvest.tensix, 8320);
  assert_int_equal(plan.chip[1].harvest.pcie, 1);
  assert_int_equal(plan.chip[0].harvest.ethernet, 0x3000);
}

static void bad_files(void **state) {
  (void)state;
  static const struct {
    const char *text, *error;
  } bad[] = {
      {"", "line 0: arch must have chips from 0 on, without a gap"},
      {"arch:\n  1: blackhole\n", "line 2: arch must have chips from 0 on, without a gap"},
      {"arch:\n  0: wormhole_b0\n", "line 2: chip 0 is 'wormhole_b0'; only blackhole is simulated"},
      {"arch:\n  32: blackhole\n", "line 2: '32' is no number up to 31"},
      {HEAD, "line 6: chip 0 is on no board"},
      {HEAD "ethernet_connections:\n  -\n    - chip: 0\n      chan: 2\n" BOARD, "line 17: the last link has one end"},
      {HEAD "ethernet_connections:\n  -\n    - chip: 0\n    - chip: 1\n", "line 10: a link is chip, chan, chip, chan"},
      {HEAD "ethernet_connections:\n  - [0, 2]\n", "line 8: a link is chip, chan, chip, chan"},
      {HEAD "ethernet_connections:\n  -\n    - chip: 0\n      chan: 12\n", "line 10: '12' is no number up to 11"},
      {HEAD LINK LINK BOARD, "a link of chip 0 channel 2: the channel has another link"},
      {HEAD "ethernet_connections:\n  -\n    - chip: 0\n      chan: 2\n    - chip: 2\n      chan: 9\n" BOARD,
       "a link of chip 2 channel 9: there is no such chip"},
      {HEAD "harvesting:\n  5:\n", "line 8: arch has no chip 5"},
      {HEAD "harvesting:\n  0:\n    harvest_mask: 16384\n", "line 9: '16384' is no number up to 16383"},
      {HEAD "asic_locations:\n  0: x\n", "line 8: 'x' is no number up to 31"},
      {HEAD "asic_locations:\n  0:\n", "line 8: a number is missing"},
      {HEAD "boards:\n  -\n    - chips:\n      - 0\n", "line 10: the chip's board has no board_id"},
      {HEAD "chip_unique_ids:\n  0: 18446744073709551616\n",
       "line 8: '18446744073709551616' is no number up to 18446744073709551615"},
  };
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_false(read_text(bad[i].text));
    assert_string_equal(error, bad[i].error);
  }
  assert_false(system_descriptor_read(&plan, "arch:\n  0\0: blackhole\n", 21, error, sizeof error));
  assert_string_equal(error, "line 2: it has a byte 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_has_the_known_systems),
      cmocka_unit_test(the_wires_of_small_systems),
      cmocka_unit_test(written_and_read),
      cmocka_unit_test(an_older_file),
      cmocka_unit_test(bad_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
