/* tessera isa: the instruction set, listed, explained one by one, or as the generated documents. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/verb.h"
#include "tessera/tensix.h"

struct settings {
  bool json;
  int document; /* enum tessera_isa_text, or -1 */
  const char **names;
  int count;
};

/* Prints a text of the library; false after one line on stderr. */
static bool print(enum tessera_isa_text which, unsigned opcode) {
  size_t length = tessera_isa_text(which, opcode, NULL, 0);
  char *text = malloc(length + 1);
  if (!text) return cli_bad_input("isa", "out of memory"), false;
  tessera_isa_text(which, opcode, text, length + 1);
  fwrite(text, 1, length, stdout);
  free(text);
  return true;
}

/* The opcode of a name or number; -1 after one line on stderr. */
static int find(const char *name) {
  struct tessera_isa_op op;
  uint64_t number;
  bool is_number = cli_parse_u64(name, &number);
  if (is_number && number < 256 && tessera_isa_op((unsigned)number, &op) == TESSERA_OK) return (int)number;
  int opcode = is_number ? -1 : tessera_isa_find(name);
  const char *near = tessera_isa_nearest(name);
  if (opcode < 0)
    cli_bad_input("isa", "no instruction '%s'%s%s%s", name, near[0] ? "; did you mean " : "", near, near[0] ? "?" : "");
  return opcode;
}

/* An array of objects: of the named instructions, or of all. */
static int print_json(const struct settings *s) {
  const char *separator = "[\n";
  struct tessera_isa_op op;
  for (int i = 0; i < s->count; i++) {
    fputs(separator, stdout);
    if (!print(TESSERA_ISA_JSON, (unsigned)find(s->names[i]))) return CLI_BAD_INPUT;
    separator = ",\n";
  }
  for (unsigned i = 0; i < 256 && s->count == 0; i++) {
    if (tessera_isa_op(i, &op) != TESSERA_OK) continue;
    fputs(separator, stdout);
    if (!print(TESSERA_ISA_JSON, i)) return CLI_BAD_INPUT;
    separator = ",\n";
  }
  puts("\n]");
  return CLI_OK;
}

static int explain(const struct settings *s) {
  for (int i = 0; i < s->count; i++) {
    if (i) putchar('\n');
    if (!print(TESSERA_ISA_EXPLAIN, (unsigned)find(s->names[i]))) return CLI_BAD_INPUT;
  }
  return CLI_OK;
}

static bool set_json(void *settings, const char *value) {
  (void)value;
  return ((struct settings *)settings)->json = true;
}

static bool set_document(struct settings *s, enum tessera_isa_text document) {
  s->document = (int)document;
  return true;
}

static bool set_markdown(void *settings, const char *value) {
  (void)value;
  return set_document(settings, TESSERA_ISA_MARKDOWN);
}

static bool set_coverage(void *settings, const char *value) {
  (void)value;
  return set_document(settings, TESSERA_ISA_COVERAGE);
}

static bool set_c_header(void *settings, const char *value) {
  (void)value;
  return set_document(settings, TESSERA_ISA_C_HEADER);
}

static bool add_name(void *settings, const char *text) {
  struct settings *s = settings;
  s->names[s->count++] = text; /* fits: names overwrite options that were parsed */
  return true;
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct settings s = {.document = -1, .names = (const char **)argv};
  if (!cli_parse(verb, argc, argv, &s, add_name)) return CLI_BAD_INPUT;
  if (s.document >= 0 && (s.count || s.json))
    return cli_bad_input("isa", "a generated document cannot be combined with %s", s.json ? "--json" : "a name");
  for (int i = 0; i < s.count; i++) /* before any output */
    if (find(s.names[i]) < 0) return CLI_BAD_INPUT;
  if (s.document >= 0) return print((enum tessera_isa_text)s.document, 0) ? CLI_OK : CLI_BAD_INPUT;
  if (s.json) return print_json(&s);
  if (s.count) return explain(&s);
  return print(TESSERA_ISA_LIST, 0) ? CLI_OK : CLI_BAD_INPUT;
}

static const struct cli_opt options[] = {
    {"--json", NULL, "one object per instruction, of those named or of all", CLI_NOTHING, set_json},
    {"--markdown", NULL, "write docs/reference/isa.md to standard output", CLI_NOTHING, set_markdown},
    {"--coverage-markdown", NULL, "write docs/evidence/coverage.md", CLI_NOTHING, set_coverage},
    {"--c-header", NULL, "write the instructions, constants and configuration fields as a header for kernels", CLI_NOTHING,
     set_c_header},
};

const struct cli_verb cli_isa = {
    .name = "isa",
    .what = "explain an instruction, list them all",
    .usage = "[OPTIONS] [NAME | OPCODE]...",
    .about =
        "Without a name: lists all instructions. With one (any case, with or without tt, or its opcode as 0x26): its bits,\n"
        "operands, blocking conditions, cycles, and the evidence.",
    CLI_OPTIONS(options),
    .notes = "",
    .example = "tessera isa MVMUL",
    .operands = CLI_NOTHING,
    .run = run,
};
