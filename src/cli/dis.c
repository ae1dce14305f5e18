/* tessera dis: instruction words to text that tessera asm reads back. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/input.h"
#include "cli/verb.h"
#include "tessera/tensix.h"

#define INPUT_MAX (32u << 20)
#define TEXT_BYTES 1024u

struct dis {
  bool stream, fields, json;
  bool any;     /* a line has been printed */
  char **items; /* words and files, in the order of the command line */
  int item_count;
  int section; /* thread of the words; -1: not given */
  int shown;   /* thread of the last section line */
};

/* --- output --- */

static void print_json(struct dis *d, uint32_t word) {
  char text[TEXT_BYTES];
  struct tessera_isa_op op;
  tessera_disassemble(word, text, sizeof text);
  printf("%s\n  {\"thread\": %d, \"word\": \"%08x\", \"text\": \"%s\"", d->any ? "," : "[", d->section < 0 ? 0 : d->section,
         word, text);
  if (tessera_is_instruction(word) && tessera_isa_op(word >> 24, &op) == TESSERA_OK) {
    struct tessera_isa_field field;
    printf(", \"name\": \"%s\", \"fields\": {", op.name);
    for (unsigned i = 0; tessera_isa_field(word >> 24, i, &field) == TESSERA_OK; i++)
      printf("%s\"%s\": %u", i ? ", " : "", field.name, tessera_isa_field_value(word >> 24, i, word));
    printf("}");
  }
  printf("}");
  d->any = true;
}

static void print_word(struct dis *d, uint32_t word) {
  char text[TEXT_BYTES];
  if (d->json) {
    print_json(d, word);
    return;
  }
  if (d->section != d->shown) printf(".thread %d\n", d->section);
  d->shown = d->section;
  tessera_disassemble(word, text, sizeof text);
  if (!tessera_is_instruction(word)) printf("        %s\n", text);
  else {
    printf("        %-32s ; %08x", text, word);
    if (d->fields && tessera_disassemble_fields(word, text, sizeof text) > 0) printf("  %s", text);
    printf("\n");
  }
}

static void print_given(struct dis *d, uint32_t word) {
  if (d->stream && (word & 3u) == 3u) {
    if (!d->json) printf("        ; %08x is a RISC-V instruction\n", word);
  } else print_word(d, d->stream ? tessera_stream_to_word(word) : word);
}

/* --- text --- */

struct token {
  const char *text;
  size_t length;
};

static bool next_token(const char **at, const char *end, struct token *token) {
  while (*at < end && (isspace((unsigned char)**at) || **at == ',')) ++*at;
  token->text = *at;
  if (*at == end || **at == ';' || **at == '#' || (**at == '/' && end - *at > 1 && (*at)[1] == '/')) return false;
  while (*at < end && !isspace((unsigned char)**at) && !strchr(",;#", **at)) ++*at;
  token->length = (size_t)(*at - token->text);
  return true;
}

static bool is_word(const struct token *token, const char *word) {
  return strlen(word) == token->length && memcmp(token->text, word, token->length) == 0;
}

static bool parse_hex(const struct token *token, uint32_t *value) {
  size_t from = token->length > 2 && token->text[0] == '0' && (token->text[1] | 0x20) == 'x' ? 2 : 0;
  *value = 0;
  if (token->length == from || token->length - from > 8) return false;
  for (size_t i = from; i < token->length; i++) {
    int c = tolower((unsigned char)token->text[i]);
    if (!isxdigit(c)) return false;
    *value = *value << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return true;
}

struct place {
  const char *file, *line_text;
  unsigned line;
};

static bool fail_at(const struct place *place, const char *at, const char *what, const struct token *token) {
  int shown = token->length > 40 ? 40 : (int)token->length;
  unsigned column = (unsigned)(at - place->line_text) + 1;
  if (shown == 0) cli_bad_input("dis", "%s:%u:%u: expected %s", place->file, place->line, column, what);
  else cli_bad_input("dis", "%s:%u:%u: expected %s, not '%.*s'", place->file, place->line, column, what, shown, token->text);
  return false;
}

static bool parse_section(struct dis *d, const struct place *place, const char *at, const char *end) {
  struct token number = {.length = 0};
  if (!next_token(&at, end, &number) || number.length != 1 || number.text[0] < '0' || number.text[0] > '2') {
    return fail_at(place, number.text, "a thread: 0, 1 or 2", &number);
  }
  d->section = number.text[0] - '0';
  return true;
}

static bool parse_words(struct dis *d, const struct place *place, const char *at, const char *end, bool plain) {
  struct token token;
  while (next_token(&at, end, &token)) {
    uint32_t word;
    if (!parse_hex(&token, &word)) return fail_at(place, token.text, "a hexadecimal word", &token);
    if (plain) print_word(d, word);
    else print_given(d, word);
  }
  return true;
}

/* A line of hexadecimal words, or .thread N, or ADDRESS: WORD with any text after it. */
static bool parse_line(struct dis *d, const struct place *place, const char *end) {
  const char *at = place->line_text;
  struct token token;
  if (!next_token(&at, end, &token)) return true;
  if (is_word(&token, ".thread") || is_word(&token, "core")) return parse_section(d, place, at, end);
  if (is_word(&token, "push")) return parse_words(d, place, at, end, true);
  if (token.text[token.length - 1] != ':') return parse_words(d, place, place->line_text, end, false);
  if (!next_token(&at, end, &token)) return true;
  return parse_words(d, place, token.text, token.text + token.length, false);
}

/* store FFB80000+4i WORD: prints the MOP expander's template word as a comment. */
static bool show_mop_store(struct dis *d, const char *at, const char *end) {
  struct token address_text, value_text;
  uint32_t address, value;
  char text[TEXT_BYTES];
  if (!next_token(&at, end, &address_text) || !next_token(&at, end, &value_text)) return true;
  if (!parse_hex(&address_text, &address) || !parse_hex(&value_text, &value)) return true;
  if (address - TESSERA_MOP_CFG >= TESSERA_MOP_CFG_BYTES || d->json) return true;
  tessera_disassemble(value, text, sizeof text);
  printf("        ; MopCfg[%u] = %08x  %s\n", (address - TESSERA_MOP_CFG) / 4, value,
         tessera_is_instruction(value) ? text : "");
  return true;
}

/* Statements of a case without instructions are skipped, as are statements that later versions of the format may add. */
static bool parse_case_line(struct dis *d, const struct place *place, const char *end) {
  const char *at = place->line_text;
  struct token token;
  if (!next_token(&at, end, &token)) return true;
  if (is_word(&token, "core")) return parse_section(d, place, at, end);
  if (is_word(&token, "push")) return parse_words(d, place, at, end, true);
  if (is_word(&token, "store")) return show_mop_store(d, at, end);
  if (is_word(&token, "case") && next_token(&at, end, &token)) {
    if (!d->json) printf("; case %.*s\n", (int)token.length, token.text);
    d->section = 0;
    d->shown = -1;
  }
  return true;
}

static bool holds_cases(const char *text) { return strncmp(text, "case ", 5) == 0 || strstr(text, "\ncase ") != NULL; }

static bool parse_text(struct dis *d, const char *file, const struct cli_input *in) {
  struct place place = {.file = file, .line_text = in->data};
  const char *end = in->data + in->size;
  bool cases = holds_cases(in->data);
  while (place.line_text < end) {
    const char *feed = memchr(place.line_text, '\n', (size_t)(end - place.line_text));
    const char *stop = feed ? feed : end;
    place.line++;
    if (!(cases ? parse_case_line(d, &place, stop) : parse_line(d, &place, stop))) return false;
    place.line_text = feed ? feed + 1 : end;
  }
  return true;
}

/* --- binary --- */

static bool is_text(const struct cli_input *in) {
  for (size_t i = 0; i < in->size; i++) {
    unsigned char c = (unsigned char)in->data[i];
    if (c >= 0x7f || (c < ' ' && !isspace(c))) return false;
  }
  return true;
}

static bool parse_binary(struct dis *d, const char *file, const struct cli_input *in) {
  if (in->size % 4) {
    cli_bad_input("dis", "%s: %zu bytes is not a whole number of 4-byte words", file, in->size);
    return false;
  }
  for (size_t i = 0; i < in->size; i += 4) {
    uint32_t word = 0;
    for (unsigned byte = 0; byte < 4; byte++) word |= (uint32_t)(unsigned char)in->data[i + byte] << (8 * byte);
    print_given(d, word);
  }
  return true;
}

static bool dis_file(struct dis *d, const char *path) {
  struct cli_input in;
  if (!cli_input_read(&in, "dis", path, INPUT_MAX)) return false;
  const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
  bool good = is_text(&in) ? parse_text(d, name, &in) : parse_binary(d, name, &in);
  cli_input_free(&in);
  return good;
}

/* --- the verb --- */

static bool set_stream(void *settings, const char *value) {
  (void)value;
  return ((struct dis *)settings)->stream = true;
}

static bool set_fields(void *settings, const char *value) {
  (void)value;
  return ((struct dis *)settings)->fields = true;
}

static bool set_json(void *settings, const char *value) {
  (void)value;
  return ((struct dis *)settings)->json = true;
}

static bool add_item(void *settings, const char *text) {
  struct dis *d = settings;
  d->items[d->item_count++] = (char *)text; /* fits: items overwrite options that were parsed */
  return true;
}

static bool dis_item(struct dis *d, const char *text) {
  struct token token = {text, strlen(text)};
  uint32_t word;
  if (parse_hex(&token, &word)) {
    print_given(d, word);
    return true;
  }
  if (strcmp(text, "-") == 0 || access(text, F_OK) == 0) return dis_file(d, text);
  cli_bad_input("dis", "'%s' is neither a word (up to eight hexadecimal digits) nor a file", text);
  return false;
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct dis d = {.section = -1, .shown = -1, .items = argv};
  bool good = true;
  if (!cli_parse(verb, argc, argv, &d, add_item)) return CLI_BAD_INPUT;
  if (!d.item_count) return cli_bad_input("dis", "no word or file given; see tessera dis --help");
  for (int i = 0; i < d.item_count && good; i++) good = dis_item(&d, d.items[i]);
  if (good && d.json) puts(d.any ? "\n]" : "[]");
  return good ? CLI_OK : CLI_BAD_INPUT;
}

static const struct cli_opt options[] = {
    {"--stream", NULL,
     "the words are in the form of the RISC-V stream, rotated left by two; RISC-V instructions are skipped", CLI_NOTHING,
     set_stream},
    {"--fields", NULL, "print every field by its name, and configuration registers by theirs", CLI_NOTHING, set_fields},
    {"--json", NULL, "one JSON object per word", CLI_NOTHING, set_json},
};

const struct cli_verb cli_dis = {
    .name = "dis",
    .what = "disassemble words",
    .usage = "[--stream] [--fields] [--json] WORD... | FILE | -",
    .about =
        "Disassembles hexadecimal WORDs, or the words in FILE (- for standard input; gzipped too):\n\n"
        "  hexadecimal text     words, with .thread N lines between them; output of tessera asm\n"
        "  lines ADDRESS: WORD  as objdump prints them; what follows the word is ignored\n"
        "  conformance cases    the words of their push statements (plain also with --stream), and what they store in the\n"
        "                       MOP expander\n"
        "  anything else        binary, little-endian, 4 bytes per word",
    CLI_OPTIONS(options),
    .notes = "Words that are not instructions, or that set unused bits, are printed as .ttinsn with the reason.\n"
             "Exit code 0, or 2 when the input cannot be read as words.",
    .example = "tessera dis --stream 98050000 dc00003c",
    .operands = CLI_FILE,
    .run = run,
};
