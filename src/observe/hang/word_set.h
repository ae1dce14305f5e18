/* A set of words of L1, of any number. Some words that are not in it seem to be: one in 16,384 for each that is. */
#ifndef TESSERA_OBSERVE_HANG_WORD_SET_H
#define TESSERA_OBSERVE_HANG_WORD_SET_H

#include <stdbool.h>
#include <stdint.h>

#define OBS_WORDS_BITS 14u

struct obs_words {
  uint64_t bits[(1u << OBS_WORDS_BITS) / 64];
};

void obs_words_add(struct obs_words *set, uint32_t word);
bool obs_words_have(const struct obs_words *set, uint32_t word);
bool obs_words_meet(const struct obs_words *a, const struct obs_words *b);   /* have they a word in common? */
bool obs_words_exceed(const struct obs_words *a, const struct obs_words *b); /* has `a` a word that `b` does not have? */
void obs_words_add_common(struct obs_words *set, const struct obs_words *a, const struct obs_words *b); /* those in both */

#endif
