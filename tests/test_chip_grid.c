/* The grid of the chip against the tables of the documents: coordinates (NoC/Coordinates.md), products, harvesting, and the translation that
 * the management firmware leaves (tt-zephyr-platforms noc_init.c), restated here by hand for a few parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chip/grid.h"

static struct chip_grid make(uint16_t tensix, uint8_t dram, uint16_t ethernet, uint8_t pcie) {
  struct chip_grid grid;
  const struct chip_harvest harvest = {.tensix = tensix, .dram = dram, .ethernet = ethernet, .pcie = pcie};
  assert_null(chip_grid_init(&grid, &harvest));
  return grid;
}

static struct chip_grid make_product(const char *name) {
  struct chip_grid grid;
  const struct chip_product *product = chip_product_find(name);
  assert_non_null(product);
  assert_null(chip_grid_init(&grid, &product->harvest));
  return grid;
}

static unsigned raw(unsigned x, unsigned y) { return chip_tile_of_raw(0, x, y); }

static unsigned count_good(const struct chip_grid *grid, unsigned kind) {
  unsigned count = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) count += grid->slot[tile].kind == kind && grid->slot[tile].good;
  return count;
}

static void test_places(void **state) {
  (void)state;
  struct chip_grid grid = make_product("full");
  static const unsigned counts[CHIP_KINDS] = {
      [CHIP_TENSIX] = 140, [CHIP_DRAM] = 24,    [CHIP_ETHERNET] = 12, [CHIP_PCIE] = 2,
      [CHIP_ARC] = 1,      [CHIP_SECURITY] = 1, [CHIP_L2CPU] = 4};
  for (unsigned kind = 0; kind < CHIP_KINDS; kind++)
    if (kind != CHIP_ROUTER) assert_int_equal(count_good(&grid, kind), counts[kind]);
  assert_int_equal(count_good(&grid, CHIP_ROUTER), 18);
  assert_int_equal(grid.slot[raw(8, 0)].kind, CHIP_ARC);
  assert_int_equal(grid.slot[raw(2, 0)].kind, CHIP_PCIE);
  assert_int_equal(grid.slot[raw(11, 0)].kind, CHIP_PCIE);
  assert_int_equal(grid.slot[raw(8, 2)].kind, CHIP_SECURITY);
  assert_int_equal(grid.slot[raw(8, 9)].kind, CHIP_L2CPU);
  assert_int_equal(grid.slot[raw(8, 9)].index, 1);
  assert_int_equal(grid.slot[raw(8, 11)].kind, CHIP_ROUTER);
  assert_int_equal(grid.slot[raw(1, 2)].index, 0);
  assert_int_equal(grid.slot[raw(16, 11)].index, 139);
  assert_int_equal(grid.slot[raw(10, 3)].index, 14 + 7);
  static const unsigned rows[12] = {0, 0, 1, 1, 2, 3,
                                    3, 3, 2, 2, 1, 0}; /* D0 y 0,1,11; D1 y 2,3,10; D2 y 4,8,9; D3 y 5,6,7 */
  for (unsigned y = 0; y < 12; y++) {
    assert_int_equal(grid.slot[raw(0, y)].index, rows[y]);
    assert_int_equal(grid.slot[raw(9, y)].index, rows[y] + 4);
  }
  static const unsigned ethernet_x[14] = {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10};
  for (unsigned i = 0; i < 14; i++) assert_int_equal(chip_tile_of_kind(&grid, CHIP_ETHERNET, i), raw(ethernet_x[i], 1));
  assert_int_equal(chip_tile_of_kind(&grid, CHIP_DRAM, 3 * 7 + 1), raw(9, 7));
  assert_int_equal(chip_tile_of_kind(&grid, CHIP_DRAM, 24), CHIP_NO_TILE);
}

static void test_numberings(void **state) {
  (void)state;
  for (unsigned noc = 0; noc < 2; noc++)
    for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
      unsigned x, y;
      chip_raw_of_tile(noc, tile, &x, &y);
      assert_int_equal(chip_tile_of_raw(noc, x, y), tile);
    }
  assert_int_equal(chip_tile_of_raw(1, 0, 0), raw(16, 11));
  assert_int_equal(chip_tile_of_raw(1, 15, 9), raw(1, 2));
  assert_int_equal(chip_tile_of_raw(0, 17, 0), CHIP_NO_TILE);
  assert_int_equal(chip_tile_of_raw(0, 0, 12), CHIP_NO_TILE);
}

/* Without harvesting translated is raw NoC 0 for all Tensix tiles, on both NoCs. */
static void test_full(void **state) {
  (void)state;
  struct chip_grid grid = make_product("full");
  for (unsigned noc = 0; noc < 2; noc++)
    for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
      const struct chip_slot *slot = &grid.slot[tile];
      if (slot->kind != CHIP_TENSIX) continue;
      assert_int_equal(chip_tile_of(&grid, noc, slot->x, slot->y), tile);
      assert_int_equal(slot->logical, slot->x | slot->y << 6);
    }
  /* DRAM: x 17 west, 18 east; y 12.. in the order of the ports. */
  static const unsigned y[12] = {0, 1, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6};
  for (unsigned i = 0; i < 12; i++) {
    assert_int_equal(chip_tile_of(&grid, 0, 17, 12 + i), raw(0, y[i]));
    assert_int_equal(chip_tile_of(&grid, 1, 18, 12 + i), raw(9, y[i]));
    assert_int_equal(grid.slot[raw(0, y[i])].logical, 17 | (12 + i) << 6);
    assert_int_equal(grid.slot[raw(0, y[i])].index, i / 3);
    assert_int_equal(grid.slot[raw(9, y[i])].port, i % 3);
    assert_int_equal(chip_tile_of(&grid, 0, 9, y[i]), raw(9, y[i])); /* raw coordinates stay reachable */
  }
  static const unsigned ethernet_x[12] = {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11};
  for (unsigned i = 0; i < 12; i++) {
    assert_int_equal(chip_tile_of(&grid, 0, 20 + i, 25), raw(ethernet_x[i], 1));
    assert_int_equal(chip_tile_of(&grid, 1, 20 + i, 25), raw(ethernet_x[i], 1));
    assert_int_equal(grid.slot[raw(ethernet_x[i], 1)].logical, (20 + i) | 25u << 6);
  }
  assert_int_equal(chip_tile_of(&grid, 0, 19, 24), raw(2, 0));
  assert_int_equal(chip_tile_of(&grid, 1, 19, 24), raw(2, 0));
  static const unsigned l2cpu_y[4] = {3, 9, 5, 7};
  for (unsigned i = 0; i < 4; i++) assert_int_equal(chip_tile_of(&grid, 1, 8, 26 + i), raw(8, l2cpu_y[i]));
  assert_int_equal(chip_tile_of(&grid, 0, 8, 30), raw(8, 2));
  assert_int_equal(chip_tile_of(&grid, 0, 8, 0), raw(8, 0));
  assert_int_equal(grid.slot[raw(8, 0)].logical, 8);
  /* Rows 0 and 1 keep x: on NoC 1 that is NoC 1's own x. */
  assert_int_equal(chip_tile_of(&grid, 0, 3, 1), raw(3, 1));
  assert_int_equal(chip_tile_of(&grid, 1, 3, 1), raw(13, 1));
}

/* Die columns 1 and 4 bad (NoC 0 x 16 and 3). */
static void test_bad_columns(void **state) {
  (void)state;
  struct chip_grid grid = make(1u << 1 | 1u << 4, 0, 0x3000, 0);
  static const unsigned good[12] = {1, 2, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15},
                        names[12] = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14};
  for (unsigned i = 0; i < 12; i++) {
    assert_int_equal(chip_tile_of(&grid, 0, names[i], 5), raw(good[i], 5));
    assert_int_equal(chip_tile_of(&grid, 1, names[i], 5), raw(good[i], 5));
    assert_int_equal(grid.slot[raw(good[i], 5)].logical, names[i] | 5u << 6);
  }
  assert_int_equal(chip_tile_of(&grid, 0, 16, 5), raw(16, 5)); /* die column 1 first, from 16 downwards */
  assert_int_equal(chip_tile_of(&grid, 0, 15, 5), raw(3, 5));
  assert_int_equal(grid.opt_out_columns[0], 0x301 | 1u << 16 | 1u << 3);
  assert_int_equal(grid.opt_out_columns[1], 0x10180 | 1u << 0 | 1u << 13);
  assert_false(grid.slot[raw(3, 7)].good);
  assert_true(chip_opted_out(&grid, raw(3, 7), 0));
  assert_true(chip_opted_out(&grid, raw(3, 7), 1));
  assert_false(chip_opted_out(&grid, raw(4, 7), 1));
}

/* A bad controller moves to the last group of column 18, and its side of the die with it. */
static void test_bad_dram(void **state) {
  (void)state;
  struct chip_grid west = make(0, 1u << 2, 0x3000, 0);
  static const unsigned order[4] = {0, 1, 3, 2};
  for (unsigned group = 0; group < 4; group++)
    for (unsigned port = 0; port < 3; port++) {
      unsigned tile = chip_tile_of(&west, 0, 17, 12 + 3 * group + port),
               other = chip_tile_of(&west, 1, 18, 12 + 3 * group + port);
      assert_int_equal(west.slot[tile].index, 4 + order[group]);
      assert_int_equal(west.slot[other].index, order[group]);
      assert_int_equal(west.slot[other].port, port);
      assert_int_equal(west.slot[other].good, group != 3);
    }
  struct chip_grid east = make(0, 1u << 4, 0x3000, 0);
  static const unsigned shifted[4] = {1, 2, 3, 0};
  for (unsigned group = 0; group < 4; group++) {
    assert_int_equal(east.slot[chip_tile_of(&east, 0, 17, 12 + 3 * group)].index, shifted[group]);
    assert_int_equal(east.slot[chip_tile_of(&east, 0, 18, 12 + 3 * group)].index, 4 + shifted[group]);
  }
}

static void test_ethernet_and_pcie(void **state) {
  (void)state;
  struct chip_grid grid = make_product("p150"); /* E5 and E8 off */
  static const unsigned left[12] = {0, 1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13};
  for (unsigned i = 0; i < 12; i++) assert_int_equal(grid.slot[chip_tile_of(&grid, 0, 20 + i, 25)].index, left[i]);
  struct chip_grid p100 = make_product("p100");
  assert_int_equal(chip_tile_of(&p100, 0, 19, 24), raw(11, 0));
  assert_int_equal(p100.slot[raw(11, 0)].logical, 19 | 24u << 6);
  assert_int_equal(p100.slot[raw(2, 0)].logical, 2);
  assert_int_equal(count_good(&p100, CHIP_ETHERNET), 0);
}

static void test_products(void **state) {
  (void)state;
  static const struct {
    const char *name;
    unsigned tensix, dram, ethernet;
  } expected[] = {{"full", 140, 24, 12}, {"p150", 120, 24, 12}, {"galaxy", 130, 24, 12}, {"p100", 120, 21, 0}};
  for (unsigned i = 0; i < 4; i++) {
    struct chip_grid grid = make_product(expected[i].name);
    assert_string_equal(chip_product_at(i)->name, expected[i].name);
    assert_int_equal(count_good(&grid, CHIP_TENSIX), expected[i].tensix);
    assert_int_equal(count_good(&grid, CHIP_DRAM), expected[i].dram);
    assert_int_equal(count_good(&grid, CHIP_ETHERNET), expected[i].ethernet);
  }
  assert_null(chip_product_at(4));
  assert_null(chip_product_find("p300"));
}

static void test_refusals(void **state) {
  (void)state;
  static const struct chip_harvest bad[] = {{.tensix = 0x4000, .ethernet = 0x3000},
                                            {.tensix = 0xff, .ethernet = 0x3000},
                                            {.dram = 3, .ethernet = 0x3000},
                                            {.ethernet = 1},
                                            {.ethernet = 0x4001},
                                            {.ethernet = 0x3000, .pcie = 2}};
  struct chip_grid grid;
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) assert_non_null(chip_grid_init(&grid, &bad[i]));
}

/* The words of an NIU translate every pair of coordinates as the tables from which they were made. */
static void assert_same_translation(const struct noc_translation *t, const uint32_t config[32]) {
  for (unsigned at = 0; at < 64 * 64; at++) {
    unsigned x, y, words_x, words_y;
    noc_translate(t, at % 64, at / 64, &x, &y);
    noc_translate_words(config, at % 64, at / 64, &words_x, &words_y);
    assert_true(x == words_x && y == words_y);
  }
}

/* Every good tile's NOC_ID_LOGICAL maps back to it on both NoCs; the registers translate as the tables. */
static void test_registers(void **state) {
  (void)state;
  for (unsigned p = 0; chip_product_at(p); p++) {
    struct chip_grid grid = make_product(chip_product_at(p)->name);
    for (unsigned tile = 0; tile < CHIP_TILES; tile++)
      for (unsigned noc = 0; noc < 2; noc++) {
        uint32_t config[32];
        unsigned x, y, own_x, own_y;
        chip_niu_config(&grid, tile, noc, config);
        if (tile % 16 == 0) assert_same_translation(&grid.translation[noc], config);
        assert_int_equal(config[18], grid.slot[tile].logical);
        assert_int_equal(config[0], 0x6000u | (grid.slot[tile].good ? 0 : 0x1000u));
        assert_int_equal(config[1] & 0xf00u, 0xf00u);
        bool named = grid.slot[tile].kind != CHIP_ROUTER && (grid.slot[tile].logical >> 6) > 1;
        if (!named || (noc == 1 && (grid.slot[tile].logical >> 6) < 2)) continue;
        noc_translate_words(config, config[18] & 63u, config[18] >> 6 & 63u, &x, &y);
        chip_raw_of_tile(noc, tile, &own_x, &own_y);
        assert_int_equal(x, own_x);
        assert_int_equal(y, own_y);
      }
  }
}

static void test_identity(void **state) {
  (void)state;
  struct chip_grid grid = make_product("full");
  assert_int_equal(chip_node_id(raw(2, 0), 0), 0x10611002); /* the PCIe tile, as drivers read it */
  assert_int_equal(chip_node_id(raw(12, 11), 0) & 0x13ffffff, 0x106112cc);
  assert_int_equal(chip_node_id(raw(12, 11), 1) & 0x13ffffff, 0x00611004);
  assert_int_equal(chip_endpoint_id(&grid, raw(1, 2), 0), 0x00010000);
  assert_int_equal(chip_endpoint_id(&grid, raw(9, 7), 1), 0x01080007);
  assert_int_equal(chip_endpoint_id(&grid, raw(11, 0), 0), 0x00030002);
  assert_int_equal(chip_endpoint_id(&grid, raw(8, 7), 0), 0x00090103);
  assert_string_equal(chip_kind_name(CHIP_DRAM), "DRAM");
}

/* The algorithm itself: masks, DDR columns, swap. ISA: NoC/Coordinates.md. */
static void test_algorithm(void **state) {
  (void)state;
  struct noc_translation t;
  unsigned x, y;
  memset(&t, 0, sizeof t);
  for (unsigned i = 0; i < 32; i++) t.x[i] = (uint8_t)(31 - i), t.y[i] = (uint8_t)(i ^ 1), t.ddr[i] = (uint8_t)(i ^ 2);
  noc_translate(&t, 9, 4, &x, &y);
  assert_int_equal(x, 22);
  assert_int_equal(y, 5);
  t.ddr_columns = 1; /* column 9 */
  noc_translate(&t, 9, 4, &x, &y);
  assert_int_equal(x, 22);
  assert_int_equal(y, 6);
  t.ddr_swap = 1u << 4;
  noc_translate(&t, 0, 4, &x, &y); /* 0 ^ 9 = 9 is a DDR column */
  assert_int_equal(x, 9);
  assert_int_equal(y, 5);
  noc_translate(&t, 9, 4, &x, &y); /* 9 ^ 9 = 0 is none */
  assert_int_equal(x, 22);
  t.row_mask = 1u << 3;
  t.column_mask = 1u << 7;
  noc_translate(&t, 7, 3, &x, &y);
  assert_int_equal(x, 7);
  assert_int_equal(y, 3);
  uint32_t config[32] = {0};
  noc_translation_store(&t, config);
  assert_same_translation(&t, config);
  assert_int_equal(config[27] >> 10, 1);
  assert_int_equal(config[6] & 0x3ff, 31 | 30 << 5);
}

/* Every tile's own name is one, whatever is fused off, and so are raw coordinates; of the other pairs there are only those of the list. */
static void test_names(void **state) {
  (void)state;
  struct chip_grid grid;
  unsigned names = 0;
  for (unsigned i = 0; chip_product_at(i); i++) {
    assert_null(chip_grid_init(&grid, &chip_product_at(i)->harvest));
    for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
      unsigned logical = grid.slot[tile].logical;
      assert_true(noc_is_name(logical & 63u, logical >> 6));
      assert_true(noc_is_name(grid.slot[tile].x, grid.slot[tile].y));
    }
  }
  for (unsigned x = 0; x < 64; x++)
    for (unsigned y = 0; y < 64; y++) names += noc_is_name(x, y);
  assert_int_equal(names, CHIP_TILES + 24 + 1 + 12 + 5); /* DRAM, PCIe, Ethernet, L2CPU and security */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),      cmocka_unit_test(test_numberings), cmocka_unit_test(test_full),
      cmocka_unit_test(test_bad_columns), cmocka_unit_test(test_bad_dram),   cmocka_unit_test(test_ethernet_and_pcie),
      cmocka_unit_test(test_products),    cmocka_unit_test(test_refusals),   cmocka_unit_test(test_registers),
      cmocka_unit_test(test_identity),    cmocka_unit_test(test_algorithm),  cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
