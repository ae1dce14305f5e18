/* Chains of inlined calls: both queries agree, the user's frame is found, damaged DWARF causes no crash. Called with an
 * executable and a list of addresses on standard input, it prints the chains as addr2line -a -i -f does; tests/lib_frames.sh
 * compares them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "debug/frames.h"
#include "debug/kept.h"
#include "debug/place.h"
#include "debug/symbols.h"
#include "scale.h"

static char programs[512]; /* directory of the kernels' programs: next to the directory of this test */

struct file {
  unsigned char *bytes;
  size_t size;
  struct dbg_elf elf;
};

static struct file read_elf(const char *path) {
  struct file f = {0};
  char why[128];
  FILE *in = fopen(path, "rb");
  if (!in) return f;
  fseek(in, 0, SEEK_END);
  long length = ftell(in);
  rewind(in);
  f.bytes = malloc(length > 0 ? (size_t)length : 1);
  f.size = f.bytes ? fread(f.bytes, 1, (size_t)length, in) : 0;
  fclose(in);
  if (!f.bytes || !dbg_elf_open(&f.elf, f.bytes, f.size, why, sizeof why)) {
    free(f.bytes);
    f.bytes = NULL;
  }
  return f;
}

static struct file read_program(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", programs, name);
  struct file f = read_elf(path);
  if (!f.bytes) fail_msg("%s: no such program, or it is refused", path);
  return f;
}

static struct dbg_index build_index(const struct dbg_elf *elf) {
  struct dbg_index index;
  size_t bytes = dbg_index_bytes(&index, elf);
  void *memory = malloc(bytes ? bytes : 1);
  assert_non_null(memory);
  assert_false(bytes && dbg_index_build(&index, memory, bytes - 1));
  assert_true(dbg_index_build(&index, memory, bytes));
  return index;
}

/* --- printing, for the comparison with addr2line --- */

static int print_chains(const char *path) {
  struct file f = read_elf(path);
  if (!f.bytes) return 2;
  struct dbg_index index;
  size_t bytes = dbg_index_bytes(&index, &f.elf);
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory || !dbg_index_build(&index, memory, bytes)) return 2;
  unsigned address;
  while (scanf("%x", &address) == 1) {
    struct dbg_frame frames[DBG_FRAMES_MAX];
    unsigned count = dbg_index_frames(&index, address, frames, DBG_FRAMES_MAX);
    printf("0x%08x\n", address);
    for (unsigned i = 0; i < count; i++) {
      char text[1024] = "??";
      const char *name = frames[i].in_cxx && frames[i].linkage ? frames[i].linkage : frames[i].function;
      if (frames[i].path.file) dbg_path_text(&frames[i].path, text, sizeof text);
      printf("%s\n%s:%u\n", name ? name : "??", text, frames[i].line);
    }
    if (count == 0) printf("??\n??:0\n");
  }
  free(memory);
  free(f.bytes);
  return 0;
}

/* --- tests --- */

static const char *const samples[] = {"matmul/trisc0.elf", "matmul/brisc.elf", "softmax/trisc1.elf",
                                      "matmul_mop/trisc2.elf"};
#define SAMPLES (sizeof samples / sizeof *samples)

static void both_ways_agree(void **state) {
  (void)state;
  for (size_t i = 0; i < SAMPLES; i++) {
    struct file f = read_program(samples[i]);
    struct dbg_index index = build_index(&f.elf);
    struct dbg_segment s;
    assert_true(dbg_elf_segment(&f.elf, 0, &s));
    unsigned inlined = 0, step = 4u * (1 + (unsigned)s.bytes.size / 4 / 200);
    for (uint32_t at = 0; at < s.bytes.size; at += step) {
      struct dbg_frame a[DBG_FRAMES_MAX], b[DBG_FRAMES_MAX];
      unsigned count = dbg_index_frames(&index, s.run_address + at, a, DBG_FRAMES_MAX);
      assert_int_equal(count, dbg_frames_find(&f.elf, s.run_address + at, b, DBG_FRAMES_MAX));
      if (count > 2) inlined++;
      for (unsigned k = 0; k < count; k++) {
        assert_ptr_equal(a[k].function, b[k].function);
        assert_ptr_equal(a[k].path.file, b[k].path.file);
        assert_int_equal(a[k].line, b[k].line);
      }
    }
    assert_true(inlined > 10);
    free(index.functions);
    free(f.bytes);
  }
}

/* In the reader of the matmul example: calls of the library come with the example's own line and the call's name. */
static void the_line_is_the_users(void **state) {
  (void)state;
  struct file f = read_program("matmul/ncrisc.elf");
  struct dbg_segment s;
  assert_true(dbg_elf_segment(&f.elf, 0, &s));
  unsigned in_calls = 0, library_only = 0, plain = 0;
  for (uint32_t at = 0; at < s.bytes.size; at += 4) {
    struct dbg_place p;
    dbg_place_find(&f.elf, s.run_address + at, &p);
    if (!p.file) continue;
    if (p.library) library_only++;
    else if (p.call) {
      in_calls++;
      assert_string_equal(p.file, "reader.c");
    } else if (strcmp(p.file, "reader.c") == 0) plain++;
  }
  assert_true(in_calls > 20 && library_only > 20 && plain > 10);
  free(f.bytes);
}

static void whose_a_path_is(void **state) {
  (void)state;
  static const struct {
    const char *base, *directory, *file;
    bool library;
  } rows[] = {
      {"/home/a/tessera", "kernels/include", "tensix_io.h", true},
      {"/home/a/tessera", "kernels/firmware", "firmware.c", true},
      {"/home/a/tessera", "", "kernels/include/compute.h", true},
      {"", "/usr/local/share/tessera/kernels/include", "pack.h", true},
      {"/home/a/tessera", "examples/matmul", "reader.c", false},
      {"/home/a", "my_kernels/include", "helper.h", false},
      {"", "/opt/tt-metal/tt_metal/hw/inc", "dataflow_api.h", true},
      {"", "/opt/tt-metal/ttnn/cpp/kernels", "reader.cpp", false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct dbg_path p = {rows[i].base, rows[i].directory, rows[i].file};
    if (dbg_path_is_library(&p) != rows[i].library) fail_msg("%s/%s is taken for the other", p.directory, p.file);
  }
}

static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  return z ^ (z >> 31);
}

/* Changes some bytes inside the debug sections, looks up the line, and restores them. */
static unsigned damage_once(struct file *f, uint64_t *seed) {
  static const char *const names[] = {".debug_info",   ".debug_abbrev", ".debug_rnglists", ".debug_line",
                                      ".debug_ranges", ".debug_str",    ".debug_line_str"};
  size_t places[16];
  unsigned char was[16];
  unsigned changes = 1 + (unsigned)(next_random(seed) % 16);
  for (unsigned i = 0; i < changes; i++) {
    struct dbg_bytes section = dbg_elf_section(&f->elf, names[next_random(seed) % 7]);
    places[i] = section.size ? (size_t)(section.data - f->bytes) + next_random(seed) % section.size : f->size - 1;
    was[i] = f->bytes[places[i]];
    uint64_t whole = next_random(seed) & 1u, value = next_random(seed);
    f->bytes[places[i]] = (unsigned char)(whole ? value : was[i] ^ UINT64_C(1) << value % 8);
  }
  struct dbg_frame frames[DBG_FRAMES_MAX];
  uint32_t address = f->elf.entry + 4 * (uint32_t)(next_random(seed) % 1000);
  unsigned count = dbg_frames_find(&f->elf, address, frames, DBG_FRAMES_MAX);
  unsigned user = dbg_frames_user(frames, count);
  assert_true(count <= DBG_FRAMES_MAX && user <= count);
  for (unsigned i = 0; i < count; i++) /* every string is inside the file and ends there */
    if (frames[i].function) assert_true(strlen(frames[i].function) < f->size);
  for (unsigned i = changes; i-- > 0;) f->bytes[places[i]] = was[i];
  return count;
}

/* More questions than are kept, twice: with the first answer, with the kept one and without room for one. */
static void kept_answers_are_the_same(void **state) {
  (void)state;
  struct file f = read_program("mutual/ncrisc.elf");
  struct dbg_lines lines = {.memory = NULL};
  struct dbg_segment s;
  unsigned asked = 0, named = 0;
  for (unsigned round = 0; round < 3; round++) {
    f.elf.lines = round ? &lines : NULL;
    for (unsigned n = 0; dbg_elf_segment(&f.elf, n, &s); n++)
      for (uint32_t at = 0; s.executable && at < s.bytes.size && at < 4 * 200; at += 4, asked++) {
        struct dbg_frame a[DBG_FRAMES_MAX], b[DBG_FRAMES_MAX];
        const uint32_t address = s.run_address + at;
        uint32_t offset;
        unsigned count = dbg_kept_frames(&f.elf, address, a);
        assert_int_equal(count, dbg_frames_find(&f.elf, address, b, DBG_FRAMES_MAX));
        for (unsigned k = 0; k < count; k++) {
          assert_ptr_equal(a[k].function, b[k].function);
          assert_ptr_equal(a[k].path.file, b[k].path.file);
          assert_int_equal(a[k].line, b[k].line);
        }
        const char *symbol = dbg_kept_symbol(&f.elf, address);
        assert_ptr_equal(symbol, dbg_symbol_at(&f.elf, address, &offset));
        named += count && symbol;
      }
  }
  assert_true(asked > 300 && named > asked / 2);
  assert_non_null(lines.kept);
  dbg_kept_free(&lines);
  assert_null(lines.kept);
  free(f.bytes);
}

/* Small executables, so that a lookup takes microseconds: tests/lib_frames.sh and `make soak` bring the count to a million. */
static void damaged_dwarf_does_no_harm(void **state) {
  (void)state;
  static const char *const small[] = {"mutual/ncrisc.elf", "missing_push/ncrisc.elf", "mutual/brisc.elf"};
  uint64_t seed = 17;
  unsigned rounds = (unsigned)test_scaled(10000), known = 0;
  for (unsigned k = 0; k < 3; k++) {
    struct file f = read_program(small[k]);
    for (unsigned i = 0; i < rounds / 3 + 1; i++) known += damage_once(&f, &seed) > 0;
    free(f.bytes);
  }
  print_message("note: %u damaged executables, %u still named the place\n", rounds, known);
  assert_true(known > rounds / 4);
}

int main(int argc, char **argv) {
  if (argc > 1) return print_chains(argv[1]);
  snprintf(programs, sizeof programs, "%s", argv[0]);
  char *slash = strrchr(programs, '/');
  snprintf(slash ? slash : programs, 64, "/../kernels");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ways_agree),
      cmocka_unit_test(the_line_is_the_users),
      cmocka_unit_test(whose_a_path_is),
      cmocka_unit_test(kept_answers_are_the_same),
      cmocka_unit_test(damaged_dwarf_does_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
