/* The assembler of asm.h: lines to words, in two passes over the text.
 *
 * The first pass finds the position of every label; it reports no errors and evaluates unknown names as 0. The second pass emits the
 * words and reports errors. Every statement produces the same number of words in both, and what fails in the first fails in the second:
 * so the first one stops after more errors than are kept. */
#include "tensix/isa/asm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/text.h"
#include "tensix/isa/encode.h"
#include "tensix/isa/expr.h"

#define FIELDS_MAX 16u /* UNPACR has 13 */

struct assembler {
  struct tx_asm *out;
  struct tx_symbols symbols;
  struct tx_lexer lexer;
  struct tx_asm_error error; /* of this line */
  const char *file;
  uint32_t line;
  unsigned thread;
  bool first_pass;
  bool at_limit;                   /* this line exceeds a limit: the last one read */
  bool cut;                        /* the first pass did not read all: a name that it has not met may be defined later */
  size_t failures;                 /* lines with errors in this pass */
  size_t position[TX_ASM_THREADS]; /* number of the next word */
};

/* --- errors --- */

static bool fail_token(struct assembler *a, const struct tx_token *token, const char *message) {
  tx_asm_fail(&a->error, &a->lexer, token->text, token->length, "%s", message);
  return false;
}

/* A limit ends the assembly: what follows could only repeat it. */
static bool fail_limit(struct assembler *a, const struct tx_token *token, const char *what, unsigned most) {
  tx_asm_fail(&a->error, &a->lexer, token->text, token->length, "more than %u %s", most, what);
  a->error.is_limit = a->at_limit = true;
  return false;
}

static bool expected(struct assembler *a, const char *what) {
  tx_asm_expected(&a->error, &a->lexer, what);
  return false;
}

static void record_error(struct assembler *a) {
  struct tx_asm *out = a->out;
  a->failures++;
  if (a->first_pass) return;
  if (out->error_count == TX_ASM_ERRORS_MAX) {
    out->more_errors = true;
    return;
  }
  a->error.file = a->file;
  a->error.line = a->line;
  out->errors[out->error_count++] = a->error;
}

/* --- words --- */

static bool grow(struct tx_asm_words *to) {
  if (to->count < to->capacity) return true;
  size_t capacity = to->capacity ? to->capacity * 2 : 64;
  uint32_t *words = realloc(to->words, capacity * sizeof *words);
  if (words) to->words = words;
  uint32_t *lines = realloc(to->lines, capacity * sizeof *lines);
  if (lines) to->lines = lines;
  if (!words || !lines) return false;
  to->capacity = capacity;
  return true;
}

static bool emit(struct assembler *a, const struct tx_token *at, uint32_t word) {
  struct tx_asm_words *to = &a->out->threads[a->thread];
  if (a->position[a->thread] >= TX_ASM_WORDS_MAX) return fail_limit(a, at, "words in one thread", TX_ASM_WORDS_MAX);
  a->position[a->thread]++;
  if (a->first_pass) return true;
  if (!grow(to)) return fail_token(a, at, "out of memory");
  to->words[to->count] = word;
  to->lines[to->count++] = a->line;
  return true;
}

/* --- names --- */

static bool is_plain_name(const struct tx_token *token) {
  return memchr(token->text, '.', token->length) == NULL && memchr(token->text, ':', token->length) == NULL;
}

/* A name is defined at one position of the text; the position distinguishes a second definition from the second pass. */
static bool define(struct assembler *a, const struct tx_token *name, int64_t value, bool known) {
  if (!is_plain_name(name)) return fail_token(a, name, "a name to define is made of letters, digits and _");
  struct tx_symbol *symbol = tx_symbols_find(&a->symbols, name->text, name->length);
  if (symbol == NULL) symbol = tx_symbols_add(&a->symbols, name->text, name->length);
  else if (symbol->line == 0) return fail_token(a, name, "this name is predefined");
  else if (symbol->name != name->text) {
    tx_asm_fail(&a->error, &a->lexer, name->text, name->length, "this name is already defined on line %u", symbol->line);
    return false;
  }
  if (symbol == NULL && a->symbols.count >= TX_SYMBOLS_MAX) return fail_limit(a, name, "names", TX_SYMBOLS_MAX);
  if (symbol == NULL) return fail_token(a, name, "out of memory");
  symbol->line = a->line;
  symbol->value = value;
  symbol->known = known;
  return true;
}

/* --- expressions --- */

struct operand {
  struct tx_value value;
  const char *text;
  size_t length;
  bool undefined; /* first pass: it uses a name that is defined later */
};

static bool evaluate(struct assembler *a, struct operand *operand) {
  struct tx_expr expr = {
      .lexer = &a->lexer, .symbols = &a->symbols, .error = &a->error, .first_pass = a->first_pass || a->cut};
  operand->text = a->lexer.token.text;
  if (!tx_expr(&expr, &operand->value)) return false;
  operand->length = (size_t)(a->lexer.last_end - operand->text);
  operand->undefined = expr.undefined;
  return true;
}

static bool fail_operand(struct assembler *a, const struct operand *operand, const char *message) {
  tx_asm_fail(&a->error, &a->lexer, operand->text, operand->length, "%s", message);
  return false;
}

/* --- instructions --- */

/* Finds the instruction of a name in upper or lower case: ttmvmul, MVMUL, or as in a kernel TTI_MVMUL, TT_MVMUL, TT_OP_MVMUL. The three
 * forms of a kernel set *call: their operands are in parentheses. */
static const struct tx_op *find_op(const struct tx_token *name, const char **bare, size_t *bare_length, bool *call) {
  static const char *const prefixes[] = {"tt_op_", "tti_", "tt_", "tt", ""};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
    size_t length = strlen(prefixes[i]), same = 0;
    while (same < length && same < name->length && tolower((unsigned char)name->text[same]) == prefixes[i][same]) same++;
    if (same < length) continue;
    *bare = name->text + length;
    *bare_length = name->length - length;
    *call = i < 3;
    return tx_op_by_name(*bare, *bare_length);
  }
  return NULL;
}

struct operands {
  const struct tx_op *op;
  const struct tx_field *fields;
  int64_t values[FIELDS_MAX];
  bool given[FIELDS_MAX];
  unsigned next;             /* field of the next positional operand */
  unsigned positional_count; /* given so far */
  bool named;                /* a name=value has been seen */
};

/* Case and underscores are ignored, so that the vendor's CfgRegAddr matches cfg_reg_addr. */
static bool same_field(const struct tx_token *token, const char *name) {
  for (size_t i = 0; i < token->length; i++) {
    if (token->text[i] == '_') continue;
    while (*name == '_') name++;
    if (*name == '\0' || tolower((unsigned char)token->text[i]) != *name) return false;
    name++;
  }
  return *name == '\0';
}

static bool find_named_field(struct assembler *a, struct operands *operands, unsigned *index) {
  const struct tx_token name = a->lexer.token;
  for (unsigned i = 0; i < operands->op->field_count; i++) {
    if (!same_field(&name, operands->fields[i].name)) continue;
    if (operands->given[i]) return fail_token(a, &name, "this field has its value already");
    *index = i;
    operands->named = true;
    tx_lex_next(&a->lexer);
    tx_lex_next(&a->lexer); /* = */
    return true;
  }
  tx_asm_fail(&a->error, &a->lexer, name.text, name.length, "%s has no field '%.*s'", operands->op->name,
              name.length > 40 ? 40 : (int)name.length, name.text);
  return false;
}

static unsigned count_positional(const struct tx_op *op) {
  unsigned count = 0;
  for (unsigned i = 0; i < op->field_count; i++) count += !tx_op_fields(op)[i].named_only;
  return count;
}

static const char *plural(unsigned count) { return count == 1 ? "" : "s"; }

static bool find_next_field(struct assembler *a, struct operands *operands, unsigned *index) {
  if (operands->named) return expected(a, "name=value, since a field was given by name before");
  while (operands->next < operands->op->field_count && operands->fields[operands->next].named_only) operands->next++;
  if (operands->next == operands->op->field_count) {
    unsigned count = count_positional(operands->op);
    const struct tx_token *at = &a->lexer.token;
    if (at->kind == TX_TOKEN_BAD) return fail_token(a, at, at->wrong);
    tx_asm_fail(&a->error, &a->lexer, at->text, at->length, "%s takes %u operand%s", operands->op->name, count,
                plural(count));
    return false;
  }
  *index = operands->next++;
  operands->positional_count++;
  return true;
}

/* SETC16 writes ThreadConfig, the others Config: a register of the other kind has the same number and another meaning. */
static bool check_space(struct assembler *a, const struct tx_field *field, const struct operand *operand) {
  bool thread = strcmp(field->name, "setc16_reg") == 0;
  bool config = strncmp(field->name, "cfg_reg", 7) == 0;
  if (thread && operand->value.space == TX_SPACE_CONFIG) {
    return fail_operand(a, operand, "this is a Config register; SETC16 writes ThreadConfig");
  }
  if (config && operand->value.space == TX_SPACE_THREAD) {
    return fail_operand(a, operand, "this is a ThreadConfig register; only SETC16 writes those");
  }
  return true;
}

static bool check_range(struct assembler *a, const struct tx_field *field, const struct operand *operand) {
  long long value = operand->value.value;
  if (operand->undefined || tx_field_fits(field, value)) return true;
  if (field->width == 0) {
    tx_asm_fail(&a->error, &a->lexer, operand->text, operand->length, "%s must be 0: the hardware uses no bit of it",
                field->name);
  } else {
    tx_asm_fail(&a->error, &a->lexer, operand->text, operand->length, "%s is %lld, must be %lld to %lld", field->name, value,
                (long long)tx_field_min(field), (long long)tx_field_max(field));
  }
  return false;
}

static bool parse_operand(struct assembler *a, struct operands *operands) {
  struct tx_lexer ahead = a->lexer;
  struct operand operand;
  unsigned index = 0;
  tx_lex_next(&ahead);
  bool named = a->lexer.token.kind == TX_TOKEN_NAME && ahead.token.punct == '=';
  if (!(named ? find_named_field(a, operands, &index) : find_next_field(a, operands, &index))) return false;
  if (!evaluate(a, &operand)) return false;
  const struct tx_field *field = &operands->fields[index];
  if (!check_space(a, field, &operand) || !check_range(a, field, &operand)) return false;
  operands->given[index] = true;
  operands->values[index] = operand.undefined ? 0 : operand.value.value;
  return true;
}

/* A purely positional list must be complete; if it contains a name=value, missing operands are 0. */
static bool check_complete(struct assembler *a, const struct tx_token *name, const struct operands *operands) {
  unsigned count = count_positional(operands->op), missing = 0;
  if (operands->named || operands->positional_count == count) return true;
  while (operands->given[missing] || operands->fields[missing].named_only) missing++;
  tx_asm_fail(&a->error, &a->lexer, name->text, name->length, "%s takes %u operand%s, %u given: %s is missing",
              operands->op->name, count, plural(count), operands->positional_count, operands->fields[missing].name);
  return false;
}

static bool parse_operands(struct assembler *a, struct operands *operands, bool call) {
  if (call && operands->op->field_count == 0 && a->lexer.token.punct != '(') call = false; /* TTI_NOP; */
  if (call && !tx_lex_take(&a->lexer, '(')) return expected(a, "'('");
  bool empty = call ? a->lexer.token.punct == ')' : a->lexer.token.kind == TX_TOKEN_END;
  if (!empty) {
    do {
      if (!parse_operand(a, operands)) return false;
    } while (tx_lex_take(&a->lexer, ','));
  }
  if (call && !tx_lex_take(&a->lexer, ')')) return expected(a, "',' or ')'");
  if (a->lexer.token.kind != TX_TOKEN_END) return expected(a, "',' or the end of the line");
  return true;
}

static bool fail_mnemonic(struct assembler *a, const struct tx_token *name, const char *bare, size_t length) {
  const char *near = a->first_pass ? NULL : tx_nearest_op(bare, length);
  int shown = name->length > 60 ? 60 : (int)name->length;
  tx_asm_fail(&a->error, &a->lexer, name->text, name->length, "unknown instruction '%.*s'%s%s%s", shown, name->text,
              near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
  return false;
}

static bool parse_instruction(struct assembler *a) {
  const struct tx_token name = a->lexer.token;
  const char *bare = name.text;
  size_t bare_length = name.length;
  bool call = false;
  struct operands operands = {.op = find_op(&name, &bare, &bare_length, &call)};
  uint32_t word = 0;
  if (operands.op == NULL || operands.op->field_count > FIELDS_MAX) return fail_mnemonic(a, &name, bare, bare_length);
  operands.fields = tx_op_fields(operands.op);
  tx_lex_next(&a->lexer);
  bool good = parse_operands(a, &operands, call) && check_complete(a, &name, &operands);
  if (good) tx_encode(operands.op, operands.values, &word);
  return emit(a, &name, word) && good; /* an invalid word keeps its position, for the labels after it */
}

/* --- directives --- */

/* A plain number, known in both passes. */
static bool parse_thread(struct assembler *a, const struct tx_token *directive) {
  const struct tx_token number = a->lexer.token;
  (void)directive;
  if (number.kind != TX_TOKEN_NUMBER) return expected(a, "a thread: 0, 1 or 2");
  if (number.number >= TX_ASM_THREADS) return fail_token(a, &number, "a thread is 0, 1 or 2");
  a->thread = (unsigned)number.number;
  tx_lex_next(&a->lexer);
  return true;
}

static bool parse_equ(struct assembler *a, const struct tx_token *directive) {
  const struct tx_token name = a->lexer.token;
  struct operand operand;
  (void)directive;
  if (name.kind != TX_TOKEN_NAME) return expected(a, "a name");
  tx_lex_next(&a->lexer);
  if (!tx_lex_take(&a->lexer, ',')) return expected(a, "','");
  if (!evaluate(a, &operand) || !define(a, &name, operand.value.value, !operand.undefined)) return false;
  struct tx_symbol *symbol = tx_symbols_find(&a->symbols, name.text, name.length);
  if (symbol) symbol->space = operand.value.space;
  return true;
}

static bool parse_word(struct assembler *a, const struct tx_token *directive) {
  bool instruction = tx_lex_same(directive->text, directive->length, ".ttinsn");
  bool stream = tx_lex_same(directive->text, directive->length, ".stream");
  do {
    struct operand operand;
    if (!evaluate(a, &operand)) return false;
    int64_t value = operand.undefined ? 0 : operand.value.value;
    if (value < 0 || value > (int64_t)UINT32_MAX) return fail_operand(a, &operand, "a word is 0 to 0xffffffff");
    uint32_t word = (uint32_t)value;
    if (instruction && word >= 0xc0000000u) {
      return fail_operand(a, &operand, "a word from 0xc0000000 on has no .ttinsn form; use .word");
    }
    if (stream && (word & 3u) == 3u)
      return fail_operand(a, &operand, "this is a RISC-V instruction: its low two bits are 11");
    if (!emit(a, directive, stream ? tx_stream_to_word(word) : word)) return false;
  } while (tx_lex_take(&a->lexer, ','));
  return true;
}

static bool parse_core_values(struct assembler *a, uint32_t v[3], unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    struct operand operand;
    if (i && !tx_lex_take(&a->lexer, ',')) return expected(a, "','");
    if (!evaluate(a, &operand)) return false;
    int64_t value = operand.undefined ? 0 : operand.value.value;
    if (value < 0 || value > (int64_t)UINT32_MAX) return fail_operand(a, &operand, "a word is 0 to 0xffffffff");
    v[i] = (uint32_t)value;
  }
  return true;
}

/* .store ADDRESS, VALUE   .poll ADDRESS, MASK, VALUE   .sync: operations of the core between its pushes. */
static bool parse_core_op(struct assembler *a, const struct tx_token *directive) {
  struct tx_asm_words *words = &a->out->threads[a->thread];
  bool store = tx_lex_same(directive->text, directive->length, ".store");
  bool poll = tx_lex_same(directive->text, directive->length, ".poll");
  struct tx_asm_core_op op = {.before = a->position[a->thread],
                              .kind = store  ? TX_ASM_STORE
                                      : poll ? TX_ASM_POLL
                                             : TX_ASM_SYNC,
                              .line = a->line};
  if (!parse_core_values(a, op.v, store ? 2 : poll ? 3 : 0)) return false;
  if (a->first_pass) return true;
  if (words->core_count == words->core_capacity) {
    size_t wanted = words->core_capacity ? 2 * words->core_capacity : 16;
    if (wanted > TX_ASM_WORDS_MAX) return fail_limit(a, directive, "core operations in one thread", TX_ASM_WORDS_MAX);
    struct tx_asm_core_op *moved = realloc(words->core, wanted * sizeof *moved);
    if (!moved) return fail_token(a, directive, "out of memory");
    words->core = moved;
    words->core_capacity = wanted;
  }
  words->core[words->core_count++] = op;
  return true;
}

static bool parse_directive(struct assembler *a) {
  static const struct {
    const char *name;
    bool (*parse)(struct assembler *a, const struct tx_token *directive);
  } directives[] = {{".thread", parse_thread}, {".equ", parse_equ},     {".word", parse_word},
                    {".ttinsn", parse_word},   {".stream", parse_word}, {".store", parse_core_op},
                    {".poll", parse_core_op},  {".sync", parse_core_op}};
  const struct tx_token name = a->lexer.token;
  for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
    if (!tx_lex_same(name.text, name.length, directives[i].name)) continue;
    tx_lex_next(&a->lexer);
    if (!directives[i].parse(a, &name)) return false;
    return a->lexer.token.kind == TX_TOKEN_END || expected(a, "the end of the line");
  }
  return fail_token(a, &name, "unknown directive; there are .thread .equ .word .ttinsn .stream .store .poll .sync");
}

/* --- lines --- */

static bool parse_statement(struct assembler *a) {
  while (a->lexer.token.kind == TX_TOKEN_NAME) {
    const struct tx_token name = a->lexer.token;
    struct tx_lexer ahead = a->lexer;
    tx_lex_next(&ahead);
    if (ahead.token.punct != ':') break;
    if (!define(a, &name, (int64_t)a->position[a->thread], true)) return false;
    a->lexer = ahead;
    tx_lex_next(&a->lexer);
  }
  if (a->lexer.token.kind == TX_TOKEN_END) return true;
  if (a->lexer.token.kind != TX_TOKEN_NAME) return expected(a, "an instruction, a directive or a label");
  return a->lexer.token.text[0] == '.' ? parse_directive(a) : parse_instruction(a);
}

/* Returns how much of the text was read: all, or up to a limit or more errors than are kept. */
static size_t run_pass(struct assembler *a, const char *text, size_t length, bool first_pass) {
  const char *at = text, *end = text + length;
  a->first_pass = first_pass;
  a->at_limit = false;
  a->failures = 0;
  a->thread = 0;
  a->line = 0;
  memset(a->position, 0, sizeof a->position);
  while (at < end && !a->at_limit && a->failures <= TX_ASM_ERRORS_MAX) {
    const char *feed = memchr(at, '\n', (size_t)(end - at));
    const char *stop = feed ? feed : end;
    a->line++;
    tx_lex_line(&a->lexer, at, stop);
    if (!parse_statement(a)) record_error(a);
    at = feed ? feed + 1 : end;
  }
  return (size_t)(at - text);
}

bool tx_asm(struct tx_asm *out, const char *file, const char *text, size_t length) {
  struct assembler a = {.out = out, .file = file, .line = 1};
  memset(out, 0, sizeof *out);
  if (length > TX_ASM_TEXT_MAX) {
    tx_lex_line(&a.lexer, text, text);
    tx_asm_fail(&a.error, &a.lexer, text, 1, "the text is longer than %u MiB", TX_ASM_TEXT_MAX >> 20);
    record_error(&a);
    return false;
  }
  size_t read = run_pass(&a, text, length, true);
  a.cut = read < length;
  run_pass(&a, text, read, false);
  tx_symbols_free(&a.symbols);
  return out->error_count == 0;
}

void tx_asm_free(struct tx_asm *out) {
  for (unsigned i = 0; i < TX_ASM_THREADS; i++) {
    free(out->threads[i].words);
    free(out->threads[i].lines);
    free(out->threads[i].core);
  }
  memset(out, 0, sizeof *out);
}

/* --- showing an error --- */

static const char *find_line(const char *text, const char *end, uint32_t line) {
  for (; line > 1; line--) {
    const char *feed = memchr(text, '\n', (size_t)(end - text));
    if (feed == NULL) return end;
    text = feed + 1;
  }
  return text;
}

size_t tx_asm_explain(const struct tx_asm_error *error, const char *text, size_t length, char *out, size_t size) {
  struct sim_text to = {.data = out, .size = size};
  if (strcmp(error->message, "out of memory") == 0) { /* not an error of the source */
    sim_text_add(&to, "%s: out of memory\n", error->file);
    return to.length;
  }
  sim_text_add(&to, "%s:%u:%u: error: %s\n", error->file, error->line, error->column, error->message);
  if (error->is_limit) return to.length; /* the line does not matter, and deeply nested source is unreadable */
  const char *end = text + length;
  const char *line = find_line(text, end, error->line);
  const char *feed = memchr(line, '\n', (size_t)(end - line));
  size_t line_length = (size_t)((feed ? feed : end) - line);
  while (line_length && line[line_length - 1] == '\r') line_length--;
  sim_text_place(&to, line, line_length, error->column - 1, error->length);
  return to.length;
}
