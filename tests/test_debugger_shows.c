/* The debugger's commands as text (tessera debug, gdb's monitor): numbers of L1, Dst, Src and LRegs in every format beside values worked out by hand, code,
 * registers, breakpoints, and the answer to arguments that mean nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/tile_value.h"
#include "tensix/machine.h"
#include "tessera/debugger.h"
#include "tessera/tensix.h"

#define CODE 0x4000u

/* 1.5 in BF16 and FP16, -0.25 in FP32, the FP16 numbers -2^-24 and 65504, and integers. */
static const unsigned char bytes[] = {0xc0, 0x3f, 0x00, 0x3e, 0x00, 0x00, 0x80, 0xbe, 0x01, 0x80,
                                      0xff, 0x7b, 0xfe, 0xff, 0xff, 0xff, 0x80, 0x7f, 0x00, 0x00};

static struct tessera_tile *make_tile(void) {
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  static const uint32_t brisc[] = {0x00008337, 0x00532023, 0x00000513, 0xffdff06f}; /* lui, sw t0, 0(t1), li a0, j */
  static const uint32_t trisc1[] = {0x08000000, 0x00100073};                        /* .ttinsn NOP, ebreak */
  struct tx_tile *t = &tile->tile;
  tessera_tile_write(tile, CODE, brisc, sizeof brisc);
  tessera_tile_write(tile, CODE + 0x1000, trisc1, sizeof trisc1);
  tessera_tile_write(tile, 0x9000, bytes, sizeof bytes);
  t->dst.bits[5][2] = 0x007f;                    /* exponent 127, mantissa 0: 1 */
  t->dst.bits[5][3] = 0x8000 | 0x40 << 8 | 0x80; /* -(1 + 1/2) * 2 */
  t->dst.valid[6] = TX_DST_UNDEFINED;
  t->src.bank[0][1].datum[7][1] = 0x200 << 8 | 126; /* 0.75 */
  t->src.bank[1][0].datum[0][0] = 0x40000 | 128;    /* -2 */
  t->src.bank[1][0].owner = TX_CLIENT_MATRIX;
  for (unsigned lane = 0; lane < 32; lane++) t->vector.lreg[3][lane] = lane == 9 ? 0xc0400000u : 0x3f800000u;
  tessera_tile_set_reset_pc(tile, TESSERA_BRISC, CODE);
  tessera_tile_set_reset_pc(tile, TESSERA_TRISC1, CODE + 0x1000);
  tessera_tile_start(tile, 1u << TESSERA_BRISC | 1u << TESSERA_TRISC1);
  return tile;
}

static const struct {
  const char *command, *says; /* part of the answer */
} table[] = {
    {"page 0x9000 bf16 1", "00009000:        1.5"},
    {"page 0x9002 fp16 1", "00009002:        1.5"},
    {"page 0x9004 fp32 1", "00009004:        -0.25"},
    {"page 0x9008 fp16 2", "00009008: -5.9605e-08      65504"},
    {"page 0x900c int32 1", "0000900c:          -2"},
    {"page 0x900c int16 2", "0000900c:     -2     -1"},
    {"page 0x900c int8 2", "0000900c:   -2   -1"},
    {"page 0x900c hex 1", "0000900c: fffffffe"},
    {"page 0x9010 bf16 2", "00009010:        inf          0"},
    {"page 0x9000 HEX 9", "\n00009020: 00000000"},
    {"page 0x9000", "000090"},
    {"page", "page takes ADDR ["},
    {"page x", "page takes ADDR ["},
    {"page 0x9000 bf17", "page takes ADDR ["},
    {"page 0x9000 bf16 x", "page takes ADDR ["},
    {"page 0x9000 bf16 4097", "page takes ADDR ["},
    {"page 0x100000000 bf16", "page takes ADDR ["},
    {"page 0x50000000 bf16 4", "0x50000000 cannot be read"},
    {"page 0x9000 bf16 1 2", "page takes ADDR [FORMAT [COUNT]]"},
    {"dst 5 1", "   5:          0          0          1         -3"},
    {"dst 5 1 hex", "   5: 0000 0000 007f c080"},
    {"dst 6 1", "   6: (undefined)"},
    {"dst", "  15:"},
    {"dst 1024", "dst takes [ROW"},
    {"dst 1020 5", "dst takes [ROW"},
    {"dst x", "dst takes [ROW"},
    {"dst 0 y", "dst takes [ROW"},
    {"dst 0 1 bf17", "dst takes [ROW"},
    {"srca 1", "SrcA bank 1 belongs to the unpackers"},
    {"srca 1", "   7:          0       0.75"},
    {"srcb", "SrcB bank 0 belongs to the matrix unit\n   0:         -2"},
    {"srcb 2", "srcb takes a bank, 0 or 1"},
    {"srca x", "srca takes a bank, 0 or 1"},
    {"lreg 3", "lane  8:            1           -3"},
    {"lreg 3 hex", "lane  8: 3f800000 c0400000"},
    {"lreg 3 int32", "lane  0:  1065353216"},
    {"lreg", "lreg takes 0 to 16"},
    {"lreg 17", "lreg takes 0 to 16"},
    {"lreg x", "lreg takes 0 to 16"},
    {"lreg 3 bf17", "lreg takes 0 to 16"},
    {"core brisc", "BRISC"},
    {"dis 0x4000 2", "=> 04000: lui"},
    {"dis 0x4000 2", "   04004: sw"},
    {"dis", "04000"},
    {"dis 0x50000000", ""},
    {"dis x", "dis takes [ADDR [COUNT]]"},
    {"dis 0x4000 x", "dis takes [ADDR [COUNT]]"},
    {"dis 0x4000 1025", "dis takes [ADDR [COUNT]]"},
    {"core trisc1", "TRISC1"},
    {"dis 0x5000 1", "ttnop"},
    {"registers", "sp "},
    {"registers csr", "instret "},
    {"registers rwc_dst", "rwc_dst "},
    {"registers no_such", "no such group; general, float, csr, tensix, thread_config"},
    {"history", "snapshots from cycle 0 on"},
    {"history 64", "of 64 MiB"},
    {"history 0", "history takes MiB from 1 on, not '0'"},
    {"history x", "history takes MiB from 1 on, not 'x'"},
    {"hash", "cycle 0 hash "},
    {"where", "cycle 0"},
    {"why", "cycle 0"},
    {"findings", "no findings up to cycle 0"},
    {"core", "core takes brisc, ncrisc"},
    {"core risc", "core takes brisc, ncrisc"},
    {"core brisc", "BRISC"},
    {"break 0x4008", "breakpoint: BRISC 0x04008"},
    {"break 0x4009", "0x4009 is not the address of an instruction: it is odd"},
    {"break risc 0x4008", "no core 'risc'"},
    {"break", "break takes"},
    {"watch 0x8000", "0x8000"},
    {"watch", "watch takes"},
    {"watch x", "watch takes"},
    {"rwatch 0x8000:4", "0x8000"},
    {"awatch 0x8004:4", "0x8004"},
    {"stop MVMUL 1", "stop: MVMUL 1"},
    {"stop semaphore 3", "stop: semaphore 3"},
    {"stop semaphore 8", "stop semaphore takes a number up to 7, not '8'"},
    {"stop mutex x", "stop mutex takes a number up to 7, not 'x'"},
    {"stop finding", "stop: finding"},
    {"stop", "stop takes an instruction and a thread"},
    {"stop MVMUL 3", "stop takes an instruction and a thread"},
    {"stop MVMULL", "no event and no instruction 'MVMULL'; MVMUL is near"},
    {"stop qqqqqqqqqqqq", "no event and no instruction 'qqqqqqqqqqqq'"},
    {"points", "stop   MVMUL 1"},
    {"points", "0x04008"},
    {"continue", "0x04008"},
    {"why", "cycle "},
    {"delete", "all breakpoints, watchpoints and stops are removed"},
    {"points", ""},
    {"cycle 60", "BRISC"},
    {"last-write 0x8000", "BRISC"},
    {"last-write 0x20000", "0x20000: not written since cycle 0"},
    {"last-write", "last-write takes ADDR[:LENGTH] in L1"},
    {"last-write 0xffb00000", "last-write takes ADDR[:LENGTH] in L1"},
    {"last-write 0x17fffc:8", "last-write takes ADDR[:LENGTH] in L1"},
    {"goto", "goto takes"},
    {"goto x", "goto takes"},
    {"tile", "0,0"},
    {"tile 9,9", "no tile '9,9' has programs"},
    {"tile x", "no tile 'x' has programs"},
    {"help", "a command may be cut short"},
    {"nonsense", "no command 'nonsense'; help lists them"},
    {"", ""},
};

static void every_command_answers(void **state) {
  (void)state;
  struct tessera_tile *tile = make_tile();
  struct tessera_debugger *d = tessera_debugger_open(tile);
  unsigned wrong = 0;
  assert_non_null(d);
  tessera_debugger_limit_cycles(d, 10000);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const char *text = tessera_debugger_command(d, table[i].command);
    if (strstr(text, table[i].says) && (table[i].says[0] || !text[0])) continue;
    print_error("'%s' answers: %s\n  without: %s\n", table[i].command, text, table[i].says);
    wrong++;
  }
  assert_int_equal(wrong, 0);
  for (unsigned i = 0; i < 40; i++) tessera_debugger_command(d, "stop MVMUL");
  assert_non_null(strstr(tessera_debugger_command(d, "stop MVMUL"), "there are "));
  tessera_debugger_close(d);
  tessera_tile_destroy(tile);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_command_answers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
