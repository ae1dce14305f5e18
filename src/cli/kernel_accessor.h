/* Compile-time arguments of a kernel, and the words of a tensor for TensorAccessorArgs. */
#ifndef CLI_KERNEL_ACCESSOR_H
#define CLI_KERNEL_ACCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/chip_file.h"

#define KERNEL_WORD_LIST 1024

struct kernel_word_list {
  uint32_t words[KERNEL_WORD_LIST];
  unsigned count;
  bool full; /* more words than the list holds */
};

/* A word of a compile-time argument: a number, float:VALUE, TENSOR.pages and the like. 1; 0: it is none of them; -1 after one line. */
int kernel_word(const struct chip_description *d, const char *word, uint32_t *value);
/* The content of a circular buffer: its format (enum chip_format) and the bytes of a page; false after one line on stderr. */
bool kernel_buffer(const struct chip_description *d, const struct chip_statement *buffer, unsigned *format,
                   uint32_t *page_bytes);
/* Adds the words of tensor t; false after one line on stderr. */
bool kernel_accessor(const struct chip_description *d, const struct chip_statement *t, struct kernel_word_list *list);

#endif
