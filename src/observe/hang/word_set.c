/* The sets of word_set.h: a bit per hash of a word. */
#include "observe/hang/word_set.h"

#define PARTS (sizeof((struct obs_words){0}.bits) / sizeof(uint64_t))

static uint32_t bit_of(uint32_t word) { return (word / 4 * 0x9e3779b1u) >> (32 - OBS_WORDS_BITS); }

void obs_words_add(struct obs_words *set, uint32_t word) {
  set->bits[bit_of(word) / 64] |= UINT64_C(1) << bit_of(word) % 64;
}

bool obs_words_have(const struct obs_words *set, uint32_t word) {
  return set->bits[bit_of(word) / 64] >> bit_of(word) % 64 & 1u;
}

bool obs_words_meet(const struct obs_words *a, const struct obs_words *b) {
  for (unsigned i = 0; i < PARTS; i++)
    if (a->bits[i] & b->bits[i]) return true;
  return false;
}

bool obs_words_exceed(const struct obs_words *a, const struct obs_words *b) {
  for (unsigned i = 0; i < PARTS; i++)
    if (a->bits[i] & ~b->bits[i]) return true;
  return false;
}

void obs_words_add_common(struct obs_words *set, const struct obs_words *a, const struct obs_words *b) {
  for (unsigned i = 0; i < PARTS; i++) set->bits[i] |= a->bits[i] & b->bits[i];
}
