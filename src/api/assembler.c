/* The assembler (include/tessera/isa.h). */
#include <stdlib.h>
#include <string.h>

#include "api/tile.h"
#include "api/tile_error.h"
#include "sim/text.h"
#include "tensix/isa/asm.h"
#include "tessera/isa.h"

struct tessera_asm {
  struct api_handle handle; /* API_ASM */
  struct tx_asm result;
  char *name, *text; /* copies, into which errors point */
  size_t length;
};

static bool is_asm(const struct tessera_asm *a) { return api_is(a, API_ASM); }

static char *copy_of(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

struct tessera_asm *tessera_assemble(const char *name, const char *text, size_t length) {
  if (!name || !text) return NULL;
  struct tessera_asm *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->name = copy_of(name, strlen(name));
  a->length = length <= TX_ASM_TEXT_MAX ? length : 0; /* a longer text is refused unread */
  a->text = copy_of(text, a->length);
  a->handle.magic = API_ASM;
  if (!a->name || !a->text) {
    tessera_asm_destroy(a);
    return NULL;
  }
  sim_text_clean(a->name, strlen(a->name));
  tx_asm(&a->result, a->name, a->text, length);
  return a;
}

void tessera_asm_destroy(struct tessera_asm *a) {
  if (!is_asm(a)) return;
  a->handle.magic = 0;
  tx_asm_free(&a->result);
  free(a->name);
  free(a->text);
  free(a);
}

/* --- errors --- */

size_t tessera_asm_error_count(const struct tessera_asm *a) { return is_asm(a) ? a->result.error_count : 0; }
int tessera_asm_more_errors(const struct tessera_asm *a) { return is_asm(a) && a->result.more_errors; }

enum tessera_result tessera_asm_error(const struct tessera_asm *a, size_t index, struct tessera_asm_error *error) {
  if (!error || index >= tessera_asm_error_count(a)) return TESSERA_INVALID;
  const struct tx_asm_error *e = &a->result.errors[index];
  *error = (struct tessera_asm_error){.line = e->line, .column = e->column, .length = e->length, .message = e->message};
  return TESSERA_OK;
}

size_t tessera_asm_explain(const struct tessera_asm *a, size_t index, char *text, size_t size) {
  if (text && size) text[0] = '\0';
  if (index >= tessera_asm_error_count(a) || (!text && size)) return 0;
  return tx_asm_explain(&a->result.errors[index], a->text, a->length, text, size);
}

/* --- words --- */

static const struct tx_asm_words *words_of(const struct tessera_asm *a, unsigned thread) {
  return is_asm(a) && thread < TX_ASM_THREADS ? &a->result.threads[thread] : NULL;
}

size_t tessera_asm_word_count(const struct tessera_asm *a, unsigned thread) {
  const struct tx_asm_words *w = words_of(a, thread);
  return w ? w->count : 0;
}

const uint32_t *tessera_asm_words(const struct tessera_asm *a, unsigned thread) {
  const struct tx_asm_words *w = words_of(a, thread);
  return w && w->count ? w->words : NULL;
}

const uint32_t *tessera_asm_lines(const struct tessera_asm *a, unsigned thread) {
  const struct tx_asm_words *w = words_of(a, thread);
  return w && w->count ? w->lines : NULL;
}

size_t tessera_asm_op_count(const struct tessera_asm *a, unsigned thread) {
  const struct tx_asm_words *w = words_of(a, thread);
  return w ? w->core_count : 0;
}

enum tessera_result tessera_asm_op(const struct tessera_asm *a, unsigned thread, size_t index, struct tessera_asm_op *op) {
  if (!op || index >= tessera_asm_op_count(a, thread)) return TESSERA_INVALID;
  const struct tx_asm_core_op *o = &a->result.threads[thread].core[index];
  *op = (struct tessera_asm_op){.before = o->before, .kind = (enum tessera_asm_op_kind)o->kind, .address = o->v[0]};
  if (o->kind == TX_ASM_STORE) op->value = o->v[1];
  else op->mask = o->v[1], op->value = o->v[2];
  return TESSERA_OK;
}

/* --- onto a tile --- */

static enum tessera_result load_thread(struct tessera_tile *tile, unsigned thread, const struct tx_asm_words *w) {
  static const uint32_t kinds[] = {
      [TX_ASM_STORE] = TX_SCRIPT_STORE, [TX_ASM_POLL] = TX_SCRIPT_WAIT, [TX_ASM_SYNC] = TX_SCRIPT_SYNC};
  size_t core = 0;
  for (size_t i = 0; i <= w->count; i++) {
    for (; core < w->core_count && w->core[core].before <= i; core++) {
      const struct tx_asm_core_op *op = &w->core[core];
      struct tx_script_op made = {.kind = kinds[op->kind], .a = op->v[0], .b = op->v[1], .c = op->v[2], .line = op->line};
      if (api_append(tile, thread, made) != TESSERA_OK) return TESSERA_NO_MEMORY;
    }
    if (i == w->count) break;
    struct tx_script_op push = {.kind = TX_SCRIPT_PUSH, .a = w->words[i], .line = w->lines[i]};
    if (api_append(tile, thread, push) != TESSERA_OK) return TESSERA_NO_MEMORY;
  }
  return TESSERA_OK;
}

enum tessera_result tessera_tile_load_asm(struct tessera_tile *tile, const struct tessera_asm *a) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!is_asm(a)) return api_refuse(tile, TESSERA_INVALID, "no assembled program given");
  if (a->result.error_count) return api_refuse(tile, TESSERA_REFUSED, "the program has errors");
  char *name = copy_of(a->name, strlen(a->name));
  if (!name) return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  free(tile->script_name);
  tile->program.script = tile->script_name = name; /* reports name lines of it */
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    enum tessera_result result = load_thread(tile, thread, &a->result.threads[thread]);
    if (result != TESSERA_OK) return result;
  }
  return api_ok(tile);
}
