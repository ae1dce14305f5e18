/* Random instruction sequences on a baby core and on qemu-riscv32 (user mode), registers compared after each sequence and memory at
 * the end. The program is made here as words, packed into an ELF file for qemu and copied to the same addresses of L1.
 *
 * Registers x1..x28 take part; x29 points to scratch memory, x30 to the results, x31 to random inputs. Needs Debian's qemu-user;
 * without it the test prints one line and is skipped. */
#include <unistd.h>

#include "riscv_rig.h"
#include "scale.h"

enum {
  BASE = 0x10000,     /* of the program; Linux maps nothing lower */
  SCRATCH = 0x160000, /* 4 KiB */
  SEQUENCES = 2500,   /* in one program */
  PROLOGUE = 7,
  LENGTH = 16, /* instructions of a sequence */
  INPUTS = 6,
  LAST = 28, /* highest register that takes part */
  RESULT_BYTES = 4 * LAST,
};

struct program {
  uint32_t words[0x160000 / 4];
  uint32_t count;
  uint32_t results, inputs, end; /* addresses */
};

static uint64_t seed;
static uint32_t draw(uint32_t below) { return (uint32_t)(rv_random(&seed) >> 32) % below; }
static uint32_t any(void) { return (uint32_t)(rv_random(&seed) >> 32); }
static unsigned reg(void) { return draw(LAST + 1); }

static void put(struct program *p, uint32_t word) { p->words[p->count++] = word; }

static void put_li(struct program *p, unsigned rd, uint32_t value) {
  uint32_t low = value & 0xfffu, high = value + (low >> 11 << 12);
  put(p, rv_lui(rd, high));
  put(p, rv_addi(rd, rd, (int32_t)(low << 20) >> 20));
}

/* --- random instructions --- */

static uint32_t random_register_op(void) {
  static const uint16_t ops[][2] = {{0, 0}, {32, 0}, {0, 1},  {0, 2},  {0, 3},  {0, 4},  {0, 5},  {32, 5},
                                    {0, 6}, {0, 7},  {1, 0},  {1, 1},  {1, 2},  {1, 3},  {1, 4},  {1, 5},
                                    {1, 6}, {1, 7},  {16, 2}, {16, 4}, {16, 6}, {32, 7}, {32, 6}, {32, 4},
                                    {5, 4}, {5, 5},  {5, 6},  {5, 7},  {48, 1}, {48, 5}, {4, 4}};
  const uint16_t *op = ops[draw(sizeof ops / sizeof *ops)];
  return rv_r(op[0], reg(), reg(), op[1], reg(), 0x33);
}

static uint32_t random_immediate_op(void) {
  static const uint8_t f3[] = {0, 2, 3, 4, 6, 7};
  return rv_i((int32_t)(any() << 20) >> 20, reg(), f3[draw(6)], reg(), 0x13);
}

static uint32_t random_shift_or_unary(void) {
  static const uint32_t words[] = {0x00001013, 0x00005013, 0x40005013, 0x60005013};
  static const uint32_t unary[] = {0x60001013, 0x60101013, 0x60201013, 0x60401013,
                                   0x60501013, 0x28705013, 0x69805013, 0x68705013};
  uint32_t registers = reg() << 15 | reg() << 7;
  return draw(2) ? words[draw(4)] | draw(32) << 20 | registers : unary[draw(8)] | registers;
}

static uint32_t random_memory_op(void) {
  static const uint8_t loads[] = {0, 1, 2, 4, 5};
  uint32_t f3 = draw(2) ? loads[draw(5)] : draw(3), bytes = 1u << (f3 & 3u);
  int32_t offset = (int32_t)(draw(1024) & ~(bytes - 1));
  if (draw(2) || f3 > 2) return rv_i(offset, 29, f3, reg(), 0x03);
  return rv_s(offset, reg(), 29, f3, 0x23);
}

static uint32_t random_atomic(void) {
  static const uint8_t f5[] = {0, 1, 4, 8, 12, 16, 20, 24, 28};
  return rv_r((uint32_t)f5[draw(9)] << 2 | draw(4), reg(), 29, 2, reg(), 0x2f);
}

/* Forward, inside the sequence. */
static uint32_t random_jump(unsigned left) {
  static const uint8_t f3[] = {0, 1, 4, 5, 6, 7};
  int32_t to = 4 * (int32_t)(1 + draw(left));
  return draw(5) ? rv_b(to, reg(), reg(), f3[draw(6)]) : rv_jal(reg(), to);
}

static uint32_t random_instruction(unsigned left) {
  switch (draw(16)) {
    case 0:
    case 1: return random_immediate_op();
    case 2:
    case 3: return random_shift_or_unary();
    case 4:
    case 5: return random_memory_op();
    case 6: return random_jump(left);
    case 7: return (any() & 0xfffff000u) | reg() << 7 | (draw(2) ? 0x37u : 0x17u);
    case 8: return draw(4) ? random_register_op() : random_atomic();
    default: return random_register_op();
  }
}

static void make(struct program *p) {
  p->count = 0;
  uint32_t code = PROLOGUE + SEQUENCES * (INPUTS + LENGTH + LAST + 2) + 16;
  p->end = BASE + 4 * (code - 16);
  p->results = (BASE + 4 * code + 15u) & ~15u;
  p->inputs = p->results + SEQUENCES * RESULT_BYTES;
  assert_true(p->inputs + SEQUENCES * INPUTS * 4 <= SCRATCH);
  put_li(p, 29, SCRATCH);
  put_li(p, 30, p->results);
  put_li(p, 31, p->inputs);
  put(p, rv_addi(SP, ZERO, 0)); /* Linux has set it */
  for (unsigned s = 0; s < SEQUENCES; s++) {
    for (unsigned i = 0; i < INPUTS; i++) put(p, rv_lw(1 + draw(LAST), 4 * (int32_t)i, 31));
    for (unsigned i = 0; i < LENGTH; i++) put(p, random_instruction(LENGTH - i));
    for (unsigned i = 1; i <= LAST; i++) put(p, rv_sw(i, 4 * ((int32_t)i - 1), 30));
    put(p, rv_addi(30, 30, RESULT_BYTES));
    put(p, rv_addi(31, 31, 4 * INPUTS));
  }
  assert_int_equal(BASE + 4 * p->count, p->end);
  uint32_t *inputs = &p->words[(p->inputs - BASE) / 4];
  static const uint32_t special[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
  for (unsigned i = 0; i < SEQUENCES * INPUTS; i++) inputs[i] = draw(4) ? any() : special[draw(5)];
}

/* --- qemu --- */

static bool have_qemu(void) { return system("command -v qemu-riscv32 > /dev/null 2>&1") == 0; }

/* write(1, results, ...), write(1, scratch, 4096), exit(0) at `end`. */
static void put_exit(struct program *p) {
  p->count = (p->end - BASE) / 4;
  put_li(p, 11, p->results);
  put_li(p, 12, SEQUENCES * RESULT_BYTES);
  put(p, rv_addi(10, 0, 1));
  put(p, rv_addi(17, 0, 64));
  put(p, 0x73);
  put(p, rv_addi(11, 29, 0));
  put(p, rv_lui(12, 4096));
  put(p, rv_addi(10, 0, 1));
  put(p, 0x73);
  put(p, rv_addi(10, 0, 0));
  put(p, rv_addi(17, 0, 93));
  put(p, 0x73);
}

static void write_elf(const struct program *p, const char *path) {
  uint32_t header[21] = {0x464c457f, 0x00010101, 0,    0,          0x00f30002, 1, BASE,
                         52,         0,          0,    0x00200034, 1,          0, /* program header: */ 1,
                         4096,       BASE,       BASE, 0,          0,          7, 4096};
  static const char zeros[4096];
  header[17] = sizeof p->words;
  header[18] = SCRATCH + 4096 - BASE;
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(header, sizeof header, 1, file), 1);
  assert_int_equal(fwrite(zeros, 4096 - sizeof header, 1, file), 1);
  assert_int_equal(fwrite(p->words, sizeof p->words, 1, file), 1);
  assert_int_equal(fclose(file), 0);
}

static void run_qemu(struct program *p, unsigned char *results, unsigned char *scratch) {
  char path[] = "/tmp/tessera-qemu-XXXXXX", command[256];
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  put_exit(p);
  write_elf(p, path);
  snprintf(command, sizeof command, "chmod +x %s; qemu-riscv32 -cpu rv32,zba=true,zbb=true,zbkb=true %s", path, path);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  size_t got = fread(results, 1, SEQUENCES * RESULT_BYTES, pipe), more = fread(scratch, 1, 4096, pipe);
  int status = pclose(pipe);
  unlink(path);
  if (got != SEQUENCES * RESULT_BYTES || more != 4096 || status)
    fail_msg("qemu gave %zu + %zu bytes, status %d", got, more, status);
}

/* --- the core --- */

static void run_core(struct rv *r, struct program *p, unsigned core, bool timing) {
  rv_new(r, timing);
  p->words[(p->end - BASE) / 4] = RV_EBREAK;
  memcpy(&r->t->l1[BASE], p->words, sizeof p->words);
  memset(&r->t->l1[SCRATCH], 0, 4096);
  rv_run(r, core, BASE);
}

static void explain(const struct program *p, const struct rv *r, const unsigned char *results, unsigned s) {
  uint32_t first = PROLOGUE + s * (INPUTS + LENGTH + LAST + 2);
  for (unsigned i = 0; i < INPUTS + LENGTH; i++) {
    char text[80];
    tx_rv_dis(p->words[first + i], BASE + 4 * (first + i), text, sizeof text);
    printf("  %s\n", text);
  }
  for (unsigned i = 0; i < LAST; i++) {
    uint32_t want, got = rv_peek(r, p->results + s * RESULT_BYTES + 4 * i);
    memcpy(&want, results + s * RESULT_BYTES + 4 * i, 4);
    if (want != got) printf("  x%u: qemu 0x%08x, here 0x%08x\n", i + 1, want, got);
  }
}

static void random_sequences_agree_with_qemu(void **state) {
  (void)state;
  if (!have_qemu()) {
    printf("SKIPPED: qemu-riscv32 is missing (Debian: qemu-user); the cores' arithmetic was not compared with it\n");
    skip();
  }
  uint64_t programs = (test_scaled(100000) + SEQUENCES - 1) / SEQUENCES;
  struct program *p = calloc(1, sizeof *p);
  unsigned char *results = malloc(SEQUENCES * RESULT_BYTES), scratch[4096];
  assert_non_null(p);
  assert_non_null(results);
  for (uint64_t n = 0; n < programs; n++) {
    struct rv r;
    seed = n * 1000003 + 6;
    make(p);
    run_qemu(p, results, scratch);
    run_core(&r, p, (unsigned)(n % TX_CORES), n % 3 == 0);
    for (unsigned s = 0; s < SEQUENCES; s++)
      if (memcmp(&r.t->l1[p->results + s * RESULT_BYTES], results + s * RESULT_BYTES, RESULT_BYTES) != 0) {
        explain(p, &r, results, s);
        fail_msg("program %llu, sequence %u differs from qemu", (unsigned long long)n, s);
      }
    assert_memory_equal(&r.t->l1[SCRATCH], scratch, 4096);
    rv_free(&r);
  }
  printf("note: %llu sequences of %d instructions agree with qemu-riscv32\n", (unsigned long long)programs * SEQUENCES,
         LENGTH);
  free(results);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_sequences_agree_with_qemu)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
