/* The public API of systems: what a program that owns the chips of a board does, and every refusal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tessera/system.h"

#define TXQ 0xffb90000u

static char error[200];

static struct tessera_system *open_system(const char *name, const char *links, unsigned threads) {
  struct tessera_system_options options = {
      .system = name, .links = links, .timing = TESSERA_TIMING_CYCLE, .threads = threads};
  return tessera_system_create(&options, error, sizeof error);
}

static void write_word(struct tessera_system *s, unsigned chip, unsigned x, uint32_t address, uint32_t value) {
  assert_int_equal(tessera_system_write(s, chip, x, 25, address, &value, 4), TESSERA_OK);
}

/* The host itself writes the registers of a queue, as a kernel does: 64 bytes from chip 0 to chip 1. */
static void send(struct tessera_system *s, uint32_t bytes) {
  write_word(s, 0, 22, TXQ + 0x14, 0x1000);
  write_word(s, 0, 22, TXQ + 0x18, bytes);
  write_word(s, 0, 22, TXQ + 0x1c, 0x2000);
  write_word(s, 0, 22, TXQ + 0x04, 2);
}

static void a_block_crosses_a_link(void **state) {
  (void)state;
  uint64_t hash = 0;
  for (unsigned threads = 1; threads <= 3; threads++) {
    uint8_t block[64], got[64] = {0};
    for (unsigned i = 0; i < sizeof block; i++) block[i] = (uint8_t)(i * 3 + 1);
    struct tessera_system *s = open_system("p300", NULL, threads);
    if (!s) fail_msg("%s", error);
    assert_int_equal(tessera_system_chips(s), 2);
    assert_int_equal(tessera_system_write(s, 0, 22, 25, 0x1000, block, sizeof block), TESSERA_OK);
    send(s, sizeof block);
    assert_int_equal(tessera_system_run(s, 600), TESSERA_LIMIT);
    assert_int_equal(tessera_system_read(s, 1, 29, 25, 0x2000, got, sizeof got), TESSERA_OK);
    assert_int_equal(got[0], 0); /* still under way */
    assert_int_equal(tessera_system_run(s, 600), TESSERA_DONE);
    assert_int_equal(tessera_system_cycle(s), 1200);
    assert_int_equal(tessera_system_read(s, 1, 29, 25, 0x2000, got, sizeof got), TESSERA_OK);
    assert_memory_equal(got, block, sizeof block);
    if (threads == 1) hash = tessera_system_hash(s);
    assert_int_equal(tessera_system_hash(s), hash);
    tessera_system_destroy(s);
  }
}

static void a_state_in_another_system(void **state) {
  (void)state;
  void *bytes;
  size_t length;
  struct tessera_system *a = open_system("p300", NULL, 1), *b = open_system("p300", NULL, 1);
  send(a, 1024);
  tessera_system_run(a, 300);
  assert_int_equal(tessera_system_save(a, &bytes, &length), TESSERA_OK);
  assert_int_equal(tessera_system_restore(b, bytes, length), TESSERA_OK);
  assert_int_equal(tessera_system_cycle(b), 300);
  assert_int_equal(tessera_system_hash(b), tessera_system_hash(a));
  tessera_system_run(a, 3000);
  tessera_system_run(b, 3000);
  assert_int_equal(tessera_system_hash(b), tessera_system_hash(a));
  assert_int_equal(tessera_system_restore(b, bytes, length - 1), TESSERA_REFUSED);
  assert_string_not_equal(tessera_system_error(b), "");
  tessera_system_free(bytes);
  tessera_system_destroy(a);
  tessera_system_destroy(b);
}

static void a_fault_names_its_chip(void **state) {
  (void)state;
  struct tessera_system *s = open_system("p300", NULL, 1);
  uint32_t value = 2;
  send(s, 14880);
  assert_int_equal(tessera_system_write(s, 0, 22, 25, TXQ + 4, &value, 4), TESSERA_INVALID);
  assert_int_equal(tessera_system_run(s, 100), TESSERA_FAULT);
  assert_string_equal(tessera_system_error(s),
                      "chip 0, tile (22,25), cycle 0: Ethernet TX queue 0: a command while STATUS bit 16 is "
                      "set: the last one has not been taken");
  tessera_system_destroy(s);
}

static void refusals(void **state) {
  (void)state;
  uint32_t word = 0;
  struct tessera_system_options text = {.descriptor = "arch:\n  0: grayskull\n", .timing = TESSERA_TIMING_OFF};
  assert_null(open_system("p301", NULL, 1));
  assert_string_equal(error, "there is no system 'p301' of product 'full'");
  assert_null(open_system("p300", "0.0=down", 1));
  assert_string_equal(error, "0.0=down: there is no link");
  assert_null(open_system(NULL, NULL, 1));
  assert_string_equal(error, "neither the name of a system nor a descriptor is given");
  assert_null(tessera_system_create(&text, error, sizeof error));
  assert_string_equal(error, "line 2: chip 0 is 'grayskull'; only blackhole is simulated");
  assert_null(tessera_system_create(NULL, error, sizeof error));
  struct tessera_system *s = open_system("p300", NULL, 1);
  assert_int_equal(tessera_system_read(s, 2, 1, 2, 0, &word, 4), TESSERA_INVALID);
  assert_string_equal(tessera_system_error(s), "there is no chip 2");
  assert_int_equal(tessera_system_write(s, 1, 40, 40, 0, &word, 4), TESSERA_INVALID);
  assert_string_equal(tessera_system_error(s), "chip 1 has no tile (40,40)");
  assert_int_equal(tessera_system_write(s, 1, 1, 2, 0x10000000, &word, 4), TESSERA_INVALID);
  assert_string_equal(tessera_system_error(s), "chip 1: there is nothing at 0x10000000 of that tile");
  assert_int_equal(tessera_system_restore(s, &word, 4), TESSERA_REFUSED);
  assert_string_equal(tessera_system_error(s), "this is not a saved system");
  tessera_system_destroy(s);
  tessera_system_destroy(NULL);
  assert_int_equal(tessera_system_run(NULL, 1), TESSERA_INVALID);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_crosses_a_link),
      cmocka_unit_test(a_state_in_another_system),
      cmocka_unit_test(a_fault_names_its_chip),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
