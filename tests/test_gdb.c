/* The debugger below gdb: random packets, packets byte by byte, and a run that goes forwards and backwards at random, on a tile with a
 * program of its own. tests/cli_gdb.sh has gdb itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gdb/access.h"
#include "gdb/back.h"
#include "gdb/debugger.h"
#include "gdb/stub.h"
#include "gdb/travel.h"
#include "scale.h"
#include "tessera/debugger.h"
#include "tessera/tensix.h"

#define CODE 0x4000u
#define DATA 0x8000u

/* BRISC counts in local RAM and stores to L1; TRISC1 polls the stored word, then reads registers that are undefined. */
static void load_tile(struct tessera_tile *tile, unsigned rounds) {
  static const uint32_t stop = 0x00100073; /* ebreak */
  const uint32_t brisc[] = {
      0x000082b7,                /* lui t0, 8: DATA */
      0x00000313,                /* addi t1, zero, 0 */
      0x00000393 | rounds << 20, /* addi t2, zero, rounds */
      0xffb00e37,                /* lui t3, 0xffb00: local RAM */
      0x00130313,                /* loop: addi t1, t1, 1 */
      0x006e2023,                /* sw t1, 0(t3) */
      0x0062a023,                /* sw t1, 0(t0) */
      0xfe731ae3,                /* bne t1, t2, loop */
      stop,
  };
  const uint32_t trisc1[] = {
      0x000082b7,                /* lui t0, 8 */
      0x00000393 | rounds << 20, /* addi t2, zero, rounds */
      0x0002a303,                /* poll: lw t1, 0(t0) */
      0xfe731ee3,                /* bne t1, t2, poll */
      0x60028519,                /* .ttinsn ADDDMAREG GPR 10 = GPR 5 + GPR 6, neither of them written: check d */
      0x0072a223,                /* sw t2, 4(t0) */
      stop,
  };
  tessera_tile_write(tile, CODE, brisc, sizeof brisc);
  tessera_tile_write(tile, CODE + 0x1000, trisc1, sizeof trisc1);
  tessera_tile_set_reset_pc(tile, TESSERA_BRISC, CODE);
  tessera_tile_set_reset_pc(tile, TESSERA_TRISC1, CODE + 0x1000);
  tessera_tile_start(tile, 1u << TESSERA_BRISC | 1u << TESSERA_TRISC1);
}

static struct tessera_tile *make_tile(unsigned rounds) {
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  assert_non_null(tile);
  load_tile(tile, rounds);
  return tile;
}

/* --- a client without a connection --- */

struct client {
  char out[1 << 16]; /* the stub's output since the last read */
  size_t length;
};

static bool take(void *context, const void *bytes, size_t length) {
  struct client *c = context;
  if (length > sizeof c->out - 1 - c->length) c->length = 0;
  memcpy(c->out + c->length, bytes, length);
  c->length += length;
  c->out[c->length] = '\0';
  return true;
}

static int nothing(void *context, void *bytes, size_t size) {
  (void)context, (void)bytes, (void)size;
  return 0;
}

static size_t frame(char *out, size_t size, const char *content, size_t length) {
  uint8_t sum = 0;
  size_t used = 0;
  out[used++] = '$';
  for (size_t i = 0; i < length && used + 8 < size; i++) {
    char c = content[i];
    bool escape = c == '$' || c == '#' || c == '}';
    if (escape) out[used++] = '}', sum = (uint8_t)(sum + '}');
    out[used++] = escape ? (char)(c ^ 0x20) : c;
    sum = (uint8_t)(sum + (uint8_t)out[used - 1]);
  }
  return used + (size_t)snprintf(out + used, size - used, "#%02x", sum);
}

/* The content of the last packet that the stub has sent. */
static const char *ask(struct gdb_stub *s, struct client *c, const char *content) {
  static char packet[4096], answer[1 << 16];
  c->length = 0;
  gdb_stub_feed(s, packet, frame(packet, sizeof packet, content, strlen(content)));
  const char *from = strrchr(c->out, '$'), *to = from ? strchr(from, '#') : NULL;
  if (!to) return "";
  snprintf(answer, sizeof answer, "%.*s", (int)(to - from - 1), from + 1);
  return answer;
}

struct rig {
  struct tessera_tile *tile;
  struct tessera_debugger *d;
  struct gdb_stub *s;
  struct client client;
};

static struct rig *make_rig(unsigned rounds) {
  struct rig *r = calloc(1, sizeof *r);
  assert_non_null(r);
  r->tile = make_tile(rounds);
  r->d = tessera_debugger_open(r->tile);
  r->s = malloc(sizeof *r->s);
  assert_true(r->d && r->s);
  tessera_debugger_limit_cycles(r->d, 100000);
  gdb_stub_begin(r->s, r->d, (struct gdb_port){&r->client, take, nothing});
  return r;
}

static void free_rig(struct rig *r) {
  gdb_stub_leave(r->s);
  tessera_debugger_close(r->d);
  tessera_tile_destroy(r->tile);
  free(r->s);
  free(r);
}

/* --- tests --- */

static void packets_are_answered(void **state) {
  struct rig *r = make_rig(20);
  (void)state;
  assert_non_null(strstr(ask(r->s, &r->client, "qSupported:multiprocess+;swbreak+"), "ReverseStep+"));
  assert_string_equal(ask(r->s, &r->client, "QStartNoAckMode"), "OK");
  assert_string_equal(ask(r->s, &r->client, "Hgp4.1"), "OK");
  assert_string_equal(ask(r->s, &r->client, "Hgp9.1"), "E01");
  assert_string_equal(ask(r->s, &r->client, "p20"), "00400000");
  assert_string_equal(ask(r->s, &r->client, "Z0,4014,4"), "OK");
  assert_string_equal(ask(r->s, &r->client, "vCont;c"), "T05thread:p4.1;swbreak:;");
  assert_string_equal(ask(r->s, &r->client, "p6"), "01000000");
  assert_string_equal(ask(r->s, &r->client, "vCont;c"), "T05thread:p4.1;swbreak:;");
  assert_string_equal(ask(r->s, &r->client, "p6"), "02000000");
  assert_string_equal(ask(r->s, &r->client, "bc"), "T05thread:p4.1;swbreak:;");
  assert_string_equal(ask(r->s, &r->client, "p6"), "01000000");
  assert_string_equal(ask(r->s, &r->client, "bc"), "T05thread:p4.1;replaylog:begin;");
  assert_string_equal(ask(r->s, &r->client, "z0,4014,4"), "OK");
  assert_string_equal(ask(r->s, &r->client, "Z2,8000,4"), "OK");
  assert_string_equal(ask(r->s, &r->client, "vCont;c"), "T05thread:p4.1;watch:8000;");
  assert_string_equal(ask(r->s, &r->client, "m8000,4"), "14000000"); /* the store queue has merged the stores */
  assert_string_equal(ask(r->s, &r->client, "bc"), "T05thread:p4.1;watch:8000;");
  assert_string_equal(ask(r->s, &r->client, "m8000,4"), "00000000");
  assert_string_equal(ask(r->s, &r->client, "z2,8000,4"), "OK");
  tessera_debugger_command(r->d, "goto 0");
  assert_string_equal(ask(r->s, &r->client, "Z2,ffb00000,4"), "OK");
  assert_string_equal(ask(r->s, &r->client, "vCont;c"), "T05thread:p4.1;watch:ffb00000;");
  assert_string_equal(ask(r->s, &r->client, "mffb00000,4"), "01000000");
  assert_string_equal(ask(r->s, &r->client, "z2,ffb00000,4"), "OK");
  tessera_debugger_command(r->d, "goto 0");
  assert_string_equal(ask(r->s, &r->client, "Z4,8000,4"), "OK");
  assert_string_equal(ask(r->s, &r->client, "vCont;c"), "T05thread:p4.1;awatch:8000;");
  assert_string_equal(ask(r->s, &r->client, "bc"), "T05thread:p4.1;awatch:8000;");
  assert_string_equal(ask(r->s, &r->client, "z4,8000,4"), "OK");
  assert_string_equal(ask(r->s, &r->client, "Z4,ffe80020,4"), "E02"); /* a semaphore: its writes are not signalled */
  assert_string_equal(ask(r->s, &r->client, "Z3,ffe80020,4"), "OK");
  assert_string_equal(ask(r->s, &r->client, "z3,ffe80020,4"), "OK");
  assert_string_equal(ask(r->s, &r->client, "Z5,8000,4"), "");
  assert_string_equal(ask(r->s, &r->client, "vMustReplyEmpty"), "");
  assert_string_equal(ask(r->s, &r->client, "m180000,4"), "E01");
  const char *gone = tessera_debugger_command(r->d, "reset");
  assert_non_null(strstr(gone, "cycle 0"));
  free_rig(r);
  r = make_rig(20); /* a packet that gdb repeats before the answer is answered once */
  char packets[512];
  size_t length = 0;
  for (unsigned i = 0; i < 3; i++)
    length +=
        frame(packets + length, sizeof packets - length, "qSupported:multiprocess+", strlen("qSupported:multiprocess+"));
  gdb_stub_feed(r->s, packets, length);
  unsigned answers = 0;
  for (const char *at = r->client.out; (at = strstr(at, "PacketSize")); at++) answers++;
  assert_int_equal(answers, 1);
  free_rig(r);
}

/* A write begins a new history: it still holds after the run goes back and passes the same cycle again. */
static void writes_hold(void **state) {
  struct rig *r = make_rig(20);
  (void)state;
  ask(r->s, &r->client, "qSupported:multiprocess+");
  ask(r->s, &r->client, "Hgp4.1");
  ask(r->s, &r->client, "Z0,4014,4");
  ask(r->s, &r->client, "vCont;c");
  ask(r->s, &r->client, "z0,4014,4");
  assert_string_equal(ask(r->s, &r->client, "P7=03000000"), "OK");          /* three rounds instead of twenty */
  assert_int_equal(strncmp(ask(r->s, &r->client, "vCont;c"), "T06", 3), 0); /* TRISC1 waits for the twentieth forever */
  assert_string_equal(ask(r->s, &r->client, "m8000,4"), "03000000");
  tessera_debugger_command(r->d, "goto 0");
  assert_string_equal(ask(r->s, &r->client, "m8000,4"), "00000000");
  ask(r->s, &r->client, "vCont;c");
  assert_string_equal(ask(r->s, &r->client, "m8000,4"), "03000000");
  free_rig(r);
}

/* Forwards and backwards at random, then to the end: the state is that of a straight run. */
static void walks_leave_no_trace(void **state) {
  struct rig *straight = make_rig(100), *r = make_rig(100);
  static const char *const commands[] = {"step",        "back",    "step 3", "back 3", "core brisc",
                                         "core trisc1", "cycle 7", "step",   "back"};
  uint32_t seed = 7;
  (void)state;
  tessera_debugger_command(straight->d, "continue");
  tessera_debugger_command(r->d, "cycle 300");
  for (uint64_t i = 0; i < test_scaled(400); i++) {
    seed = seed * 1664525u + 1013904223u;
    tessera_debugger_command(r->d, commands[(seed >> 8) % (sizeof commands / sizeof *commands)]);
  }
  tessera_debugger_command(r->d, "continue");
  assert_int_equal(tessera_debugger_cycle(r->d), tessera_debugger_cycle(straight->d));
  assert_true(tessera_tile_hash(r->tile) == tessera_tile_hash(straight->tile));
  free_rig(straight);
  free_rig(r);
}

/* --- a chip --- */

#define TILES 16u

static struct tessera_chip *make_chip(struct tessera_debugger **d) {
  struct tessera_chip *chip =
      tessera_chip_create(&(struct tessera_chip_options){.timing = TESSERA_TIMING_CYCLE, .threads = 1});
  assert_non_null(chip);
  for (unsigned i = 0; i < TILES; i++) load_tile(tessera_chip_tile(chip, 1 + i % 4, 2 + i / 4), 60 + 8 * i);
  *d = tessera_debugger_open_chip(chip);
  assert_non_null(*d);
  for (unsigned i = 0; i < TILES; i++) assert_int_equal(tessera_debugger_add_tile(*d, 1 + i % 4, 2 + i / 4), TESSERA_OK);
  tessera_debugger_limit_cycles(*d, 100000);
  return chip;
}

static void free_chip(struct tessera_chip *chip, struct tessera_debugger *d) {
  tessera_debugger_close(d);
  tessera_chip_destroy(chip);
}

/* The same steps with 16 busy tiles; the cycles between a step and the one before are run again from a nearby snapshot. */
static void walks_on_a_chip(void **state) {
  static const char *const commands[] = {"step",   "back",     "back 3", "core 2,3 brisc", "core 4,5 trisc1",
                                         "step 2", "cycle 40", "back",   "back 2"};
  struct tessera_debugger *d, *straight;
  struct tessera_chip *chip = make_chip(&d), *other = make_chip(&straight);
  uint32_t seed = 16;
  (void)state;
  tessera_debugger_command(d, "cycle 400");
  for (uint64_t i = 0; i < test_scaled(160); i++) {
    seed = seed * 1664525u + 1013904223u;
    tessera_debugger_command(d, commands[(seed >> 8) % (sizeof commands / sizeof *commands)]);
  }
  uint64_t here = tessera_debugger_cycle(d), hash = tessera_chip_hash(chip);
  gdb_goto(d, 1500);
  gdb_goto(straight, 1500);
  assert_true(tessera_chip_hash(chip) == tessera_chip_hash(other));
  gdb_goto(straight, here);
  assert_true(tessera_chip_hash(other) == hash);
  gdb_goto(d, 0);
  gdb_goto(d, 1500);
  assert_true(tessera_chip_hash(chip) != hash);
  free_chip(chip, d);
  free_chip(other, straight);
}

/* A snapshot of a chip stores only the changes since the one before; pages of zeros cost nothing. */
static void chips_keep_changed_pages(void **state) {
  struct tessera_debugger *d;
  struct tessera_chip *chip = make_chip(&d);
  size_t whole = TILES * offsetof(struct tx_tile, unsaved), first = d->machine.pool.bytes;
  (void)state;
  assert_true(first < whole / 2);
  gdb_goto(d, 1000);
  gdb_history_note(&d->history, &d->machine);
  size_t settled = d->machine.pool.bytes;
  gdb_goto(d, 1100);
  gdb_history_note(&d->history, &d->machine);
  assert_true(d->machine.pool.bytes - settled < whole / 16);
  gdb_goto(d, 50000); /* to the end of the program: the run continues from the user's change */
  assert_int_equal(d->stop.kind, GDB_STOP_DONE);
  gdb_write(d, (struct gdb_where){3, 0}, 0x12345, "x", 1);
  gdb_goto(d, 0);
  assert_int_equal(gdb_tile(&d->machine, 3)->l1[0x12345], 0);
  gdb_goto(d, 50000);
  assert_int_equal(gdb_tile(&d->machine, 3)->l1[0x12345], 'x');
  gdb_goto(d, 500);
  assert_int_equal(gdb_tile(&d->machine, 3)->l1[0x12345], 0);
  free_chip(chip, d);
}

/* --- cuts --- */

/* The hash of a cycle does not depend on the runs that reached it. */
static void hashes_do_not_depend_on_cuts(void **state) {
  (void)state;
  for (uint64_t cycle = 300; cycle < 4000; cycle += 397) {
    struct tessera_tile *tile = make_tile(900), *other = make_tile(900);
    tessera_tile_run(tile, cycle);
    for (uint64_t at = 0; at < cycle; at += 11) tessera_tile_run(other, cycle - at < 11 ? cycle - at : 11);
    assert_true(tessera_tile_hash(tile) == tessera_tile_hash(other));
    tessera_tile_destroy(tile);
    tessera_tile_destroy(other);
  }
  struct tessera_debugger *d, *e;
  struct tessera_chip *chip = make_chip(&d), *other = make_chip(&e);
  for (uint64_t cycle = 0; cycle < 1500; cycle += 250) {
    tessera_chip_run(chip, 250);
    for (uint64_t at = 0; at < 250; at += 7) tessera_chip_run(other, 250 - at < 7 ? 250 - at : 7);
    assert_true(tessera_chip_hash(chip) == tessera_chip_hash(other));
  }
  free_chip(chip, d);
  free_chip(other, e);
}

/* --- checkers --- */

static struct tessera_chip *make_checked_chip(struct tessera_debugger **d, bool strict) {
  struct tessera_chip *chip =
      tessera_chip_create(&(struct tessera_chip_options){.timing = TESSERA_TIMING_CYCLE, .threads = 1});
  assert_non_null(chip);
  for (unsigned i = 0; i < 2; i++) {
    struct tessera_tile *tile = tessera_chip_tile(chip, 1 + i, 2);
    load_tile(tile, 60 + 40 * i);
    assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, TESSERA_CHECK_DEFAULT), TESSERA_OK);
    assert_int_equal(tessera_tile_set_option(tile, TESSERA_OPTION_STRICT, strict), TESSERA_OK);
  }
  *d = tessera_debugger_open_chip(chip);
  assert_non_null(*d);
  for (unsigned i = 0; i < 2; i++) assert_int_equal(tessera_debugger_add_tile(*d, 1 + i, 2), TESSERA_OK);
  tessera_debugger_limit_cycles(*d, 100000);
  return chip;
}

static uint64_t cycle_of_finding(struct tessera_tile *tile) {
  struct tessera_finding f;
  assert_int_equal(tessera_tile_finding(tile, 0, &f), TESSERA_OK);
  assert_string_equal(f.id, "GPR_UNDEFINED");
  return f.first_cycle;
}

/* Checkers report the same findings on a debugged chip as on an uninterrupted run, each counted once, however often the run goes back. */
static void checkers_watch_every_cycle_once(void **state) {
  struct tessera_debugger *d, *other;
  struct tessera_chip *chip = make_checked_chip(&d, false), *straight = make_checked_chip(&other, false);
  uint32_t seed = 5;
  (void)state;
  tessera_debugger_close(other);
  assert_int_equal(tessera_chip_run(straight, 100000), TESSERA_DONE);
  uint64_t expected = cycle_of_finding(tessera_chip_tile(straight, 2, 2));
  for (uint64_t i = 0; i < 20 + test_scaled(80); i++) {
    static const char *const commands[] = {"step", "back 5", "cycle 90", "core 2,2 trisc1", "core 1,2 brisc", "goto 300"};
    seed = seed * 1664525u + 1013904223u;
    tessera_debugger_command(d, commands[(seed >> 8) % (sizeof commands / sizeof *commands)]);
  }
  tessera_debugger_command(d, "continue");
  assert_int_equal(d->stop.kind, GDB_STOP_DONE);
  for (unsigned i = 0; i < 2; i++) {
    struct tessera_tile *here = tessera_chip_tile(chip, 1 + i, 2), *there = tessera_chip_tile(straight, 1 + i, 2);
    struct tessera_finding f, g;
    assert_int_equal(tessera_tile_finding_count(here), tessera_tile_finding_count(there));
    for (size_t k = 0; tessera_tile_finding(here, k, &f) == TESSERA_OK; k++) {
      assert_int_equal(tessera_tile_finding(there, k, &g), TESSERA_OK);
      assert_string_equal(f.id, g.id);
      assert_true(f.count == g.count && f.first_cycle == g.first_cycle);
    }
  }
  assert_true(cycle_of_finding(tessera_chip_tile(chip, 2, 2)) == expected);
  tessera_debugger_command(d, "tile 2,2");
  gdb_goto(d, expected - 1);
  assert_non_null(strstr(tessera_debugger_command(d, "findings"), "no findings up to cycle"));
  gdb_goto(d, expected);
  assert_non_null(strstr(tessera_debugger_command(d, "findings"), "GPR_UNDEFINED"));
  gdb_write(d, (struct gdb_where){0, 0}, 0x12345, "x", 1); /* the checkers restart here and find nothing more */
  tessera_debugger_command(d, "continue");
  assert_int_equal(d->stop.kind, GDB_STOP_DONE);
  free_chip(chip, d);
  tessera_chip_destroy(straight);
}

/* Strict: a finding stops the run at the same cycle in every direction of travel, and the hash of a cycle is the same on every visit. */
static void a_strict_finding_stops_a_chip(void **state) {
  static const char *const to_it[] = {"continue", "goto 90000", "step 3000"};
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    struct tessera_debugger *d;
    struct tessera_chip *chip = make_checked_chip(&d, true);
    char before[64], hash[64];
    tessera_debugger_command(d, "core 1,2 trisc1");
    tessera_debugger_command(d, "cycle 200");
    snprintf(before, sizeof before, "%s", tessera_debugger_command(d, "hash"));
    tessera_debugger_command(d, to_it[way]);
    assert_int_equal(d->stop.kind, GDB_STOP_FINDING);
    assert_non_null(strstr(d->stop.text, "hazard"));
    uint64_t cycle = tessera_debugger_cycle(d);
    snprintf(hash, sizeof hash, "%s", tessera_debugger_command(d, "hash"));
    tessera_debugger_command(d, "back 2");
    assert_true(tessera_debugger_cycle(d) < cycle);
    gdb_goto(d, 200);
    assert_string_equal(tessera_debugger_command(d, "hash"), before);
    tessera_debugger_command(d, "continue");
    assert_int_equal(d->stop.kind, GDB_STOP_FINDING);
    assert_int_equal(tessera_debugger_cycle(d), cycle);
    assert_string_equal(tessera_debugger_command(d, "hash"), hash);
    free_chip(chip, d);
  }
}

/* The memory bound holds for any number of steps, and the snapshots near the current cycle are kept. */
static void memory_is_bounded(void **state) {
  struct tessera_debugger *d;
  struct tessera_chip *chip = make_chip(&d);
  size_t bound = d->machine.pool.bytes + (2u << 20);
  (void)state;
  tessera_debugger_limit_memory(d, bound);
  gdb_goto(d, 900);
  for (uint64_t i = 0; i < test_scaled(60); i++) {
    gdb_history_note(&d->history, &d->machine);
    gdb_step_back(d, (struct gdb_where){(unsigned)(i % TILES), 3});
    assert_true(d->machine.pool.bytes <= bound || d->history.count <= 2);
  }
  free_chip(chip, d);
}

static uint32_t next_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static size_t random_packet(uint32_t *seed, char *content, size_t size) {
  static const char *const begins[] = {"m",
                                       "M8000,4:",
                                       "X8000,4:",
                                       "p",
                                       "P",
                                       "G",
                                       "g",
                                       "H",
                                       "Z0,",
                                       "z0,",
                                       "Z2,",
                                       "Z3,8000,",
                                       "Z4,ffb4",
                                       "vCont;",
                                       "vCont;s",
                                       "vFile:",
                                       "vFile:open:",
                                       "vFile:pread:1,",
                                       "qXfer:",
                                       "qXfer:features:read:target.xml:",
                                       "qRcmd,",
                                       "qSupported",
                                       "bs",
                                       "bc",
                                       "s",
                                       "c",
                                       "D;",
                                       "vKill;",
                                       "vAttach;",
                                       "T",
                                       "qThreadExtraInfo,",
                                       "R",
                                       "?",
                                       "!"};
  static const char bytes[] = "0123456789abcdef,;:.p-#$}*=r\x03\x7f\xff";
  const char *begin = begins[next_random(seed) % (sizeof begins / sizeof *begins)];
  size_t length = (size_t)snprintf(content, size, "%s", next_random(seed) % 8 ? begin : "");
  size_t more = next_random(seed) % 24;
  for (size_t i = 0; i < more && length + 1 < size; i++) content[length++] = bytes[next_random(seed) % (sizeof bytes - 1)];
  return length;
}

/* No packet breaks the stub, and every whole one is answered. */
static void random_packets(void **state) {
  struct rig *r = make_rig(8);
  uint32_t seed = 22;
  uint64_t count = test_scaled(20000);
  char content[256], packet[1024];
  (void)state;
  for (uint64_t i = 0; i < count; i++) {
    size_t length = random_packet(&seed, content, sizeof content), framed = frame(packet, sizeof packet, content, length);
    if (next_random(&seed) % 16 == 0) packet[next_random(&seed) % framed] = (char)next_random(&seed);
    r->client.length = 0;
    gdb_stub_feed(r->s, packet, framed);
    if (r->s->end != GDB_STUB_ON) { /* killed, or detached: the next client */
      gdb_stub_leave(r->s);
      gdb_goto(r->d, 0);
      gdb_stub_begin(r->s, r->d, (struct gdb_port){&r->client, take, nothing});
    }
  }
  assert_non_null(strstr(ask(r->s, &r->client, "qSupported:multiprocess+"), "PacketSize="));
  free_rig(r);
}

/* An argument is the name of one test: a million packets are TESSERA_TEST_SCALE=5000 build/asan/tests/test_gdb random_packets. */
int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(packets_are_answered),
                                     cmocka_unit_test(writes_hold),
                                     cmocka_unit_test(walks_leave_no_trace),
                                     cmocka_unit_test(random_packets),
                                     cmocka_unit_test(walks_on_a_chip),
                                     cmocka_unit_test(chips_keep_changed_pages),
                                     cmocka_unit_test(checkers_watch_every_cycle_once),
                                     cmocka_unit_test(a_strict_finding_stops_a_chip),
                                     cmocka_unit_test(memory_is_bounded),
                                     cmocka_unit_test(hashes_do_not_depend_on_cuts)};
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
