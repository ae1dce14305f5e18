/* tessera asm: assembler text to instruction words. */
#include "tensix/isa/asm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/input.h"
#include "tensix/isa/isa.h"

static const char help[] =
    "usage: tessera asm FILE [-o OUT] [--format FORMAT] [--thread N]\n\n"
    "Assembles FILE (- for standard input) and writes the words of its three thread sections.\n\n"
    "  -o OUT               write there instead of to standard output\n"
    "  --format words       hexadecimal, one word a line below a line .thread N (default); tessera dis reads it back\n"
    "  --format stream      the same, each word rotated left by two as the RISC-V instruction stream holds it\n"
    "  --format case        core and push statements of a conformance case\n"
    "  --format bin         the words of one thread, little-endian, 4 bytes each\n"
    "  --thread N           only this thread; needed with bin when several threads have words\n\n"
    "  .thread 1                             the words that follow are thread 1's; 0 until the first\n"
    "  .equ NAME, EXPRESSION                 a constant\n"
    "  LABEL:                                the number of the next word in its thread\n"
    "  ttmvmul 0,0,1,0                       all operands, as the vendor's objdump prints them; tessera isa lists them\n"
    "  ttmvmul addr_mode=1, clear_dvalid=3   by name: what is not given is 0\n"
    "  TTI_MVMUL(0, 0, ADDR_MOD_1, 0);       as kernels write it\n"
    "  .ttinsn 0x26014000    .stream 0x98050000    .word 0xffffffff     raw words\n\n"
    "Names: p_setrwc::CLR_A, semaphore::MATH_PACK and the other constants of kernels; configuration registers, as\n"
    "DEST_TARGET_REG_CFG_MATH_Offset (its address), .shift, .mask, .width. Comments: ; # //. docs/assembler.md says "
    "more.\n\n"
    "Exit code 0 when the text assembled, 2 for errors in it; at most 20 are shown.\n\n"
    "example: printf 'ttreplay 16,16,0,1\\nttmvmul 0,0,5,0\\n' | tessera asm - | tessera dis -\n";

enum format { FORMAT_WORDS, FORMAT_STREAM, FORMAT_CASE, FORMAT_BIN };

struct options {
  const char *file, *out;
  enum format format;
  int thread; /* -1: all */
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

static int parse_options(struct options *o, int argc, char **argv) {
  bool missing = false;
  const char *value;
  for (int i = 1; i < argc && !missing; i++) {
    const char *arg = argv[i];
    if ((value = cli_option(argc, argv, &i, "--format", &missing)) != NULL) {
      if (!parse_format(value, &o->format))
        return cli_bad_input("asm", "unknown format '%s': words, stream, case or bin", value);
    } else if ((value = cli_option(argc, argv, &i, "--thread", &missing)) != NULL) {
      if ((o->thread = parse_thread(value)) < 0) return cli_bad_input("asm", "--thread is 0, 1 or 2, not '%s'", value);
    } else if ((value = cli_option(argc, argv, &i, "-o", &missing)) != NULL) o->out = value;
    else if (missing) return cli_bad_input("asm", "%s needs a value", arg);
    else if (arg[0] == '-' && arg[1] != '\0') return cli_bad_input("asm", "unknown option %s; see tessera asm --help", arg);
    else if (o->file) return cli_bad_input("asm", "one file at a time: %s and %s", o->file, arg);
    else o->file = arg;
  }
  if (o->file == NULL) return cli_bad_input("asm", "no file given; see tessera asm --help");
  return CLI_OK;
}

static void print_errors(const struct tx_asm *result, const struct cli_input *in) {
  char text[1024];
  for (size_t i = 0; i < result->error_count; i++) {
    tx_asm_explain(&result->errors[i], in->data, in->size, text, sizeof text);
    fputs(text, stderr);
  }
  if (result->more_errors) fprintf(stderr, "more errors follow; only %u are shown\n", TX_ASM_ERRORS_MAX);
}

static bool chosen(const struct options *o, const struct tx_asm *result, unsigned thread) {
  bool any = result->threads[thread].count || result->threads[thread].core_count;
  return any && (o->thread < 0 || (unsigned)o->thread == thread);
}

static void write_words(FILE *out, const struct tx_asm_words *words, unsigned thread, bool stream) {
  fprintf(out, ".thread %u\n", thread);
  for (size_t i = 0; i < words->count; i++) {
    fprintf(out, "%08x\n", stream ? tx_word_to_stream(words->words[i]) : words->words[i]);
  }
}

static void write_core_op(FILE *out, const struct tx_asm_core_op *op) {
  switch (op->kind) {
    case TX_ASM_STORE: fprintf(out, "store %X %X\n", op->v[0], op->v[1]); break;
    case TX_ASM_POLL: fprintf(out, "wait %X %X %X\n", op->v[0], op->v[1], op->v[2]); break;
    default: fputs("sync\n", out); break;
  }
}

static void write_case(FILE *out, const struct tx_asm_words *words, unsigned thread) {
  size_t core = 0, in_line = 0;
  fprintf(out, "core %u\n", thread);
  for (size_t i = 0; i <= words->count; i++) {
    for (; core < words->core_count && words->core[core].before <= i; core++) {
      if (in_line) fputc('\n', out);
      in_line = 0;
      write_core_op(out, &words->core[core]);
    }
    if (i == words->count) break;
    fprintf(out, "%s%08X", in_line == 0 ? "push " : " ", words->words[i]);
    in_line = (in_line + 1) % 12;
    if (in_line == 0) fputc('\n', out);
  }
  if (in_line) fputc('\n', out);
}

static void write_bin(FILE *out, const struct tx_asm_words *words) {
  for (size_t i = 0; i < words->count; i++) {
    for (unsigned byte = 0; byte < 4; byte++) fputc((int)(words->words[i] >> (8 * byte) & 0xffu), out);
  }
}

static void write_result(FILE *out, const struct options *o, const struct tx_asm *result) {
  for (unsigned t = 0; t < TX_ASM_THREADS; t++) {
    if (!chosen(o, result, t)) continue;
    switch (o->format) {
      case FORMAT_WORDS: write_words(out, &result->threads[t], t, false); break;
      case FORMAT_STREAM: write_words(out, &result->threads[t], t, true); break;
      case FORMAT_CASE: write_case(out, &result->threads[t], t); break;
      case FORMAT_BIN: write_bin(out, &result->threads[t]); break;
    }
  }
}

/* A binary holds one thread; a word from 0xC0000000 on has no place in a RISC-V stream. */
static int check_format(const struct options *o, const struct tx_asm *result) {
  unsigned threads = 0;
  for (unsigned t = 0; t < TX_ASM_THREADS; t++) {
    if (!chosen(o, result, t)) continue;
    threads++;
    if (o->format != FORMAT_CASE && result->threads[t].core_count) {
      return cli_bad_input("asm", "%s has .store, .poll or .sync: only --format case can hold them (tessera exec runs them)",
                           o->file);
    }
    for (size_t i = 0; o->format == FORMAT_STREAM && i < result->threads[t].count; i++) {
      if (result->threads[t].words[i] < 0xc0000000u) continue;
      return cli_bad_input("asm", "%s:%u: %08x has no stream form: the stream holds words below c0000000", o->file,
                           result->threads[t].lines[i], result->threads[t].words[i]);
    }
  }
  if (o->format == FORMAT_BIN && threads > 1) {
    return cli_bad_input("asm", "%s has words for several threads; choose one with --thread", o->file);
  }
  return CLI_OK;
}

static int write_out(const struct options *o, const struct tx_asm *result) {
  FILE *out = o->out ? fopen(o->out, "wb") : stdout;
  if (out == NULL) return cli_bad_input("asm", "cannot write %s: %s", o->out, strerror(errno));
  write_result(out, o, result);
  bool failed = fflush(out) != 0 || ferror(out);
  int why = errno;
  if (o->out && fclose(out) != 0) failed = true;
  if (failed) return cli_bad_input("asm", "cannot write %s: %s", o->out ? o->out : "standard output", strerror(why));
  return CLI_OK;
}

static int assemble(const struct options *o, const struct cli_input *in) {
  struct tx_asm *result = malloc(sizeof *result);
  if (result == NULL) return cli_bad_input("asm", "out of memory");
  const char *name = strcmp(o->file, "-") == 0 ? "<stdin>" : o->file;
  int code = CLI_BAD_INPUT;
  if (!tx_asm(result, name, in->data, in->size)) print_errors(result, in);
  else if ((code = check_format(o, result)) == CLI_OK) code = write_out(o, result);
  tx_asm_free(result);
  free(result);
  return code;
}

int cli_asm(int argc, char **argv) {
  struct options o = {.thread = -1};
  struct cli_input in;
  if (cli_wants_help(argc, argv)) {
    fputs(help, stdout);
    return CLI_OK;
  }
  int code = parse_options(&o, argc, argv);
  if (code != CLI_OK || o.file == NULL) return CLI_BAD_INPUT;
  if (!cli_input_read(&in, "asm", o.file, TX_ASM_TEXT_MAX)) return CLI_BAD_INPUT;
  code = assemble(&o, &in);
  cli_input_free(&in);
  return code;
}
