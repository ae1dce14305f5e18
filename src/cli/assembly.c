/* Errors of assembler text: see assembly.h. */
#include "cli/assembly.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

#define EXPLAINED_MAX 2048u /* three lines, and the file's name twice */

static void print_all(const struct tessera_asm *program, size_t count) {
  char text[EXPLAINED_MAX];
  for (size_t i = 0; i < count; i++) {
    tessera_asm_explain(program, i, text, sizeof text);
    cli_show(stderr, text);
  }
  if (tessera_asm_more_errors(program)) fprintf(stderr, "more errors follow; only %zu are shown\n", count);
}

bool cli_assembled(const struct tessera_asm *program, bool verbose) {
  size_t count = tessera_asm_error_count(program);
  char text[EXPLAINED_MAX];
  if (!count) return true;
  cli_complained = true;
  if (verbose) return print_all(program, count), false;
  tessera_asm_explain(program, 0, text, sizeof text);
  text[strcspn(text, "\n")] = '\0';
  cli_show(stderr, text);
  if (count > 1)
    fprintf(stderr, "; %s%zu more error%s: --verbose shows them", tessera_asm_more_errors(program) ? "at least " : "",
            count - 1 + (tessera_asm_more_errors(program) ? 1 : 0), count == 2 ? "" : "s");
  fputc('\n', stderr);
  return false;
}

bool cli_is_empty(const struct tessera_asm *program) {
  size_t words = 0;
  for (unsigned thread = 0; thread < TESSERA_THREADS; thread++)
    words += tessera_asm_word_count(program, thread) + tessera_asm_op_count(program, thread);
  return !words;
}
