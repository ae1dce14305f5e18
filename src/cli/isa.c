/* tessera isa: the instruction set, listed, explained one by one, or as the generated documents. */
#include "tensix/isa/isa.h"

#include <ctype.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/isa_docs.h"
#include "observe/words.h"
#include "sim/text.h"
#include "tensix/isa/encode.h"
#include "tensix/isa/symbols.h"

static const char help[] =
    "usage: tessera isa [--json] [NAME | OPCODE]...\n"
    "       tessera isa --markdown | --coverage-markdown | --c-header\n\n"
    "Without a name: lists the 137 instructions. With one (any case, with or without tt, or its opcode as 0x26):\n"
    "its bits, operands, what stops it, its cycles, and how we know.\n\n"
    "  --json                one object an instruction, of those named or of all\n"
    "  --markdown            writes docs/isa.md to standard output\n"
    "  --coverage-markdown   writes docs/coverage.md\n"
    "  --c-header            writes the instructions, constants and configuration fields as a header for kernels\n\n"
    "example: tessera isa MVMUL\n";

static void list_all(void) {
  for (unsigned i = 0; i < 256; i++) {
    const struct tx_op *op = &tx_ops[i];
    if (op->name == NULL) continue;
    printf("0x%02x  %-13s  %-18s  %-12s  %s\n", i, op->name, obs_unit_name(op->unit), cli_isa_state(op), op->semantics);
  }
}

static void explain_fields(const struct tx_op *op) {
  char letter = 'A';
  for (unsigned i = 0; i < op->field_count; i++) {
    const struct tx_field *field = &tx_op_fields(op)[i];
    if (field->width == 0) {
      printf("     %-7s %-24s the hardware uses no bit of it: must be 0\n", "", field->name);
      continue;
    }
    char range[16];
    snprintf(range, sizeof range, field->width == 1 ? "[%u]" : "[%u:%u]", field->lo + field->width - 1u, field->lo);
    printf("  %c  %-7s %-24s %lld to %lld%s\n", letter++, range, field->name, (long long)tx_field_min(field),
           (long long)tx_field_max(field), field->named_only ? "; written by name" : "");
  }
}

static void explain_gate(const struct tx_op *op) {
  static const char *const block_names[] = {"B0 TDMA",   "B1 sync",   "B2 pack",   "B3 unpack", "B4 mover",
                                            "B5 scalar", "B6 matrix", "B7 config", "B8 vector"};
  static const char *const wait_names[] = {"the SrcA bank", "the SrcB bank", "the mutex", "the unpacker's bank"};
  const char *separator = "";
  printf("stopped by   ");
  if (op->block == TX_BLOCK_ALL9) printf("all nine block bits together");
  else if (op->block == TX_BLOCK_BITS) printf("any block bit");
  else if (op->block == TX_BLOCK_NONE) printf("nothing: the front end consumes it before the wait gate");
  for (unsigned i = 0; i < 9 && op->block < TX_BLOCK_BITS; i++) {
    if (!(op->block & TX_B(i))) continue;
    printf("%s%s", separator, block_names[i]);
    separator = ", ";
  }
  separator = "\nwaits for    ";
  for (unsigned i = 0; i < 4; i++) {
    if (!(op->wait & 1u << i)) continue;
    printf("%s%s", separator, wait_names[i]);
    separator = ", ";
  }
  printf("\n");
}

static void explain_evidence(const struct tx_op *op) {
  static const char *const states[] = {[TX_OP_WORKS] = "works",
                                       [TX_OP_LATER] = "defined by its document; not simulated yet, faults as unsupported",
                                       [TX_OP_UNDOC] = "no document defines it; faults as unsupported"};
  printf("cycles       issue %u, latency ", op->issue_cycles);
  if (op->latency_cycles) printf("%u", op->latency_cycles);
  else printf("not documented");
  printf(" (%s: %s)\n", cli_isa_evidence(op->timing_evidence), op->timing_source);
  printf("state        %s\n", states[op->state]);
  if (op->state != TX_OP_UNDOC)
    printf("evidence     %s; in %u conformance cases\n", cli_isa_evidence(op->evidence), cli_isa_cases(op));
  printf("document     %s\n", op->spec);
}

static void explain(const struct tx_op *op) {
  printf("%s  0x%02x  %s\n  %s\n\n", op->name, op->opcode, obs_unit_name(op->unit), op->semantics);
  cli_isa_layout(stdout, op);
  explain_fields(op);
  printf("\noperands     tt");
  for (const char *c = op->name; *c; c++) putchar(tolower((unsigned char)*c));
  const char *separator = " ";
  for (unsigned i = 0; i < op->field_count; i++) {
    if (tx_op_fields(op)[i].named_only) continue;
    printf("%s%s", separator, tx_op_fields(op)[i].name);
    separator = ",";
  }
  printf("\n");
  explain_gate(op);
  explain_evidence(op);
}

static void explain_json(const struct tx_op *op) {
  char text[8192];
  text[0] = '\0';
  struct sim_text out = {.data = text, .size = sizeof text};
  sim_text_add(&out, "{\"name\":\"%s\",\"opcode\":%u,\"unit\":\"%s\",\"state\":\"%s\",\"evidence\":\"%s\",\"cases\":%u",
               op->name, op->opcode, obs_unit_name(op->unit), cli_isa_state(op), cli_isa_evidence(op->evidence),
               cli_isa_cases(op));
  sim_text_add(&out, ",\"issue_cycles\":%u,\"latency_cycles\":", op->issue_cycles);
  if (op->latency_cycles) sim_text_add(&out, "%u", op->latency_cycles);
  else sim_text_add(&out, "null"); /* not documented */
  sim_text_add(&out, ",\"semantics\":");
  sim_text_add_json(&out, op->semantics);
  sim_text_add(&out, ",\"document\":");
  sim_text_add_json(&out, op->spec);
  sim_text_add(&out, ",\"fields\":[");
  for (unsigned i = 0; i < op->field_count; i++) {
    const struct tx_field *field = &tx_op_fields(op)[i];
    sim_text_add(&out, "%s{\"name\":\"%s\",\"low_bit\":%u,\"width\":%u}", i ? "," : "", field->name, field->lo,
                 field->width);
  }
  sim_text_add(&out, "]}");
  fputs(text, stdout);
}

static const struct tx_op *find(const char *name) {
  uint64_t opcode;
  if (cli_parse_u64(name, &opcode)) return opcode < 256 && tx_ops[opcode].name ? &tx_ops[opcode] : NULL;
  const struct tx_op *op = tx_op_by_name(name, strlen(name));
  bool prefix = tolower((unsigned char)name[0]) == 't' && tolower((unsigned char)name[1]) == 't';
  return op || !prefix ? op : tx_op_by_name(name + 2, strlen(name) - 2);
}

static int explain_named(const char *name, bool json) {
  const struct tx_op *op = find(name);
  if (op == NULL) {
    const char *near = tx_nearest_op(name, strlen(name));
    return cli_bad_input("isa", "no instruction '%s'%s%s%s", name, near ? "; did you mean " : "", near ? near : "",
                         near ? "?" : "");
  }
  if (json) explain_json(op);
  else explain(op);
  return CLI_OK;
}

/* An array of objects: of the instructions named, of all when none is. */
static int print_json(int argc, char **argv) {
  const char *separator = "[\n";
  bool all = true;
  for (int i = 1; i < argc; i++) { /* before anything is printed */
    if (strcmp(argv[i], "--json") == 0) continue;
    if (argv[i][0] == '-') return cli_bad_input("isa", "%s does not go with --json; see tessera isa --help", argv[i]);
    if (!find(argv[i])) return explain_named(argv[i], true);
    all = false;
  }
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0) continue;
    fputs(separator, stdout);
    explain_named(argv[i], true);
    separator = ",\n";
  }
  for (unsigned i = 0; i < 256 && all; i++) {
    if (tx_ops[i].name == NULL) continue;
    fputs(separator, stdout);
    explain_json(&tx_ops[i]);
    separator = ",\n";
  }
  puts("\n]");
  return CLI_OK;
}

int cli_isa(int argc, char **argv) {
  if (cli_wants_help(argc, argv)) {
    fputs(help, stdout);
    return CLI_OK;
  }
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--json") == 0) return print_json(argc, argv);
  if (argc == 1) list_all();
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--markdown") == 0) cli_isa_markdown(stdout);
    else if (strcmp(argv[i], "--coverage-markdown") == 0) cli_isa_coverage_markdown(stdout);
    else if (strcmp(argv[i], "--c-header") == 0) cli_isa_c_header(stdout);
    else if (argv[i][0] == '-') return cli_bad_input("isa", "unknown option %s; see tessera isa --help", argv[i]);
    else {
      if (i > 1) printf("\n");
      if (explain_named(argv[i], false) != CLI_OK) return CLI_BAD_INPUT;
    }
  }
  return CLI_OK;
}
