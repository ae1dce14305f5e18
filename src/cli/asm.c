/* tessera asm: assembler text to instruction words. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/assembly.h"
#include "cli/cli.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "tessera/tensix.h"

enum format { FORMAT_WORDS, FORMAT_STREAM, FORMAT_CASE, FORMAT_BIN };

struct options {
  const char *file, *out;
  enum format format;
  int thread; /* -1: all */
  bool verbose;
};

static bool parse_format(const char *text, enum format *format) {
  static const char *const names[] = {"words", "stream", "case", "bin"};
  for (unsigned i = 0; i < 4; i++) {
    if (strcmp(text, names[i]) != 0) continue;
    *format = (enum format)i;
    return true;
  }
  return false;
}

static int parse_thread(const char *text) {
  bool good = text[0] >= '0' && text[0] <= '2' && text[1] == '\0';
  return good ? text[0] - '0' : -1;
}

static bool set_format(void *settings, const char *value) {
  struct options *o = settings;
  return parse_format(value, &o->format) ||
         (cli_bad_input("asm", "unknown format '%s': words, stream, case or bin", value), false);
}

static bool set_thread(void *settings, const char *value) {
  struct options *o = settings;
  o->thread = parse_thread(value);
  return o->thread >= 0 || (cli_bad_input("asm", "--thread is 0, 1 or 2, not '%s'", value), false);
}

static bool set_out(void *settings, const char *value) {
  ((struct options *)settings)->out = value;
  return true;
}

static bool set_verbose(void *settings, const char *value) {
  (void)value;
  return ((struct options *)settings)->verbose = true;
}

static bool set_file(void *settings, const char *text) {
  struct options *o = settings;
  if (o->file) return cli_bad_input("asm", "one file at a time: %s and %s", o->file, text), false;
  o->file = text;
  return true;
}

static bool chosen(const struct options *o, const struct tessera_asm *program, unsigned thread) {
  bool any = tessera_asm_word_count(program, thread) || tessera_asm_op_count(program, thread);
  return any && (o->thread < 0 || (unsigned)o->thread == thread);
}

static void write_words(FILE *out, const struct tessera_asm *program, unsigned thread, bool stream) {
  const uint32_t *words = tessera_asm_words(program, thread);
  fprintf(out, ".thread %u\n", thread);
  for (size_t i = 0; i < tessera_asm_word_count(program, thread); i++)
    fprintf(out, "%08x\n", stream ? tessera_word_to_stream(words[i]) : words[i]);
}

static void write_op(FILE *out, const struct tessera_asm_op *op) {
  switch (op->kind) {
    case TESSERA_ASM_STORE: fprintf(out, "store %X %X\n", op->address, op->value); break;
    case TESSERA_ASM_POLL: fprintf(out, "wait %X %X %X\n", op->address, op->mask, op->value); break;
    default: fputs("sync\n", out); break;
  }
}

static void write_case(FILE *out, const struct tessera_asm *program, unsigned thread) {
  const uint32_t *words = tessera_asm_words(program, thread);
  size_t core = 0, in_line = 0, count = tessera_asm_word_count(program, thread);
  struct tessera_asm_op op;
  fprintf(out, "core %u\n", thread);
  for (size_t i = 0; i <= count; i++) {
    for (; tessera_asm_op(program, thread, core, &op) == TESSERA_OK && op.before <= i; core++) {
      if (in_line) fputc('\n', out);
      in_line = 0;
      write_op(out, &op);
    }
    if (i == count) break;
    fprintf(out, "%s%08X", in_line == 0 ? "push " : " ", words[i]);
    in_line = (in_line + 1) % 12;
    if (in_line == 0) fputc('\n', out);
  }
  if (in_line) fputc('\n', out);
}

static void write_bin(FILE *out, const struct tessera_asm *program, unsigned thread) {
  const uint32_t *words = tessera_asm_words(program, thread);
  for (size_t i = 0; i < tessera_asm_word_count(program, thread); i++)
    for (unsigned byte = 0; byte < 4; byte++) fputc((int)(words[i] >> (8 * byte) & 0xffu), out);
}

static void write_result(FILE *out, const struct options *o, const struct tessera_asm *program) {
  for (unsigned t = 0; t < TESSERA_THREADS; t++) {
    if (!chosen(o, program, t)) continue;
    switch (o->format) {
      case FORMAT_WORDS: write_words(out, program, t, false); break;
      case FORMAT_STREAM: write_words(out, program, t, true); break;
      case FORMAT_CASE: write_case(out, program, t); break;
      case FORMAT_BIN: write_bin(out, program, t); break;
    }
  }
}

/* A binary holds one thread; a word from 0xC0000000 on cannot be encoded in a RISC-V stream. */
static int check_format(const struct options *o, const struct tessera_asm *program) {
  unsigned threads = 0;
  for (unsigned t = 0; t < TESSERA_THREADS; t++) {
    if (!chosen(o, program, t)) continue;
    const uint32_t *words = tessera_asm_words(program, t);
    threads++;
    if (o->format != FORMAT_CASE && tessera_asm_op_count(program, t))
      return cli_bad_input("asm", "%s has .store, .poll or .sync: only --format case can hold them (tessera exec runs them)",
                           o->file);
    for (size_t i = 0; o->format == FORMAT_STREAM && i < tessera_asm_word_count(program, t); i++)
      if (words[i] >= 0xc0000000u)
        return cli_bad_input("asm", "%s:%u: %08x has no stream form: the stream holds words below c0000000", o->file,
                             tessera_asm_lines(program, t)[i], words[i]);
  }
  if (o->format == FORMAT_BIN && threads > 1)
    return cli_bad_input("asm", "%s has words for several threads; choose one with --thread", o->file);
  return CLI_OK;
}

static int write_out(const struct options *o, const struct tessera_asm *program) {
  FILE *out = o->out ? cli_create(o->out) : stdout;
  if (out == NULL) return cli_bad_input("asm", "cannot write %s: %s", o->out, strerror(errno));
  write_result(out, o, program);
  if (o->out) return cli_finish(out, o->out, true) ? CLI_OK : cli_not_written("asm", o->out);
  if (fflush(out) != 0 || ferror(out)) return cli_bad_input("asm", "cannot write standard output: %s", strerror(errno));
  return CLI_OK;
}

static int assemble(const struct options *o, const struct cli_input *in) {
  struct tessera_asm *program = tessera_assemble(strcmp(o->file, "-") == 0 ? "<stdin>" : o->file, in->data, in->size);
  int code = CLI_BAD_INPUT;
  if (!program) return cli_bad_input("asm", "out of memory");
  if (cli_assembled(program, o->verbose) && (code = check_format(o, program)) == CLI_OK) code = write_out(o, program);
  tessera_asm_destroy(program);
  return code;
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct options o = {.thread = -1};
  struct cli_input in;
  if (!cli_parse(verb, argc, argv, &o, set_file)) return CLI_BAD_INPUT;
  if (!o.file) return cli_bad_input("asm", "no file given; see tessera asm --help");
  if (!cli_input_read(&in, "asm", o.file, CLI_ASM_MAX)) return CLI_BAD_INPUT;
  int code = assemble(&o, &in);
  cli_input_free(&in);
  return code;
}

static const struct cli_opt options[] = {
    {"-o", "OUT", "write there instead of to standard output", CLI_OUTPUT, set_out},
    {"--format", "FORMAT", "words (default), stream, case or bin: see below", "words stream case bin", set_format},
    {"--thread", "N", "only this thread; needed with bin when several threads have words", "0 1 2", set_thread},
    {"--verbose", NULL, "all errors of the text, each with its line", CLI_NOTHING, set_verbose},
};

const struct cli_verb cli_asm = {
    .name = "asm",
    .what = "assemble Tensix instructions to words",
    .usage = "FILE [-o OUT] [--format FORMAT] [--thread N]",
    .about = "Assembles FILE (- for standard input) and writes the words of its three thread sections.",
    CLI_OPTIONS(options),
    .notes =
        "Formats:\n"
        "  words    hexadecimal, one word per line below a line .thread N; tessera dis reads it back\n"
        "  stream   the same, each word rotated left by two as the RISC-V instruction stream holds it\n"
        "  case     core and push statements of a conformance case\n"
        "  bin      the words of one thread, little-endian, 4 bytes each\n\n"
        "Text:\n"
        "  .thread 1                             the words that follow are thread 1's; 0 until the first\n"
        "  .equ NAME, EXPRESSION                 a constant\n"
        "  LABEL:                                the number of the next word in its thread\n"
        "  ttmvmul 0,0,1,0                       all operands, as the vendor's objdump prints them; tessera isa lists them\n"
        "  ttmvmul addr_mode=1, clear_dvalid=3   by name: omitted fields are 0\n"
        "  TTI_MVMUL(0, 0, ADDR_MOD_1, 0);       as kernels write it\n"
        "  .ttinsn 0x26014000    .stream 0x98050000    .word 0xffffffff     raw words\n\n"
        "Names: p_setrwc::CLR_A, semaphore::MATH_PACK and the other constants of kernels; configuration registers, as\n"
        "DEST_TARGET_REG_CFG_MATH_Offset (its address), .shift, .mask, .width. Comments: ; # //. "
        "docs/reference/assembler.md has "
        "more.\n\n"
        "Exit code 0 when the text assembled, 2 for errors in it; at most 20 are shown.",
    .example = "printf 'ttreplay 16,16,0,1\\nttmvmul 0,0,5,0\\n' | tessera asm - | tessera dis -",
    .operands = CLI_FILE,
    .run = run,
};
