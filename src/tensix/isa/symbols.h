/* Names in assembler text: labels and constants of the program, the predefined constants (constants.def), and the
 * configuration registers (config.def). A register's name is its word address; NAME.shift, NAME.mask, NAME.width and
 * NAME.addr, or the vendor's NAME_SHAMT, NAME_MASK and NAME_ADDR32, give the rest. */
#ifndef TESSERA_TENSIX_SYMBOLS_H
#define TESSERA_TENSIX_SYMBOLS_H

#include "tensix/isa/isa.h"

/* Is a value the address of a configuration register? SETC16 of a Config register is an error. */
enum tx_space { TX_SPACE_NONE, TX_SPACE_THREAD, TX_SPACE_CONFIG };

struct tx_symbol {
  const char *name; /* in the program's text, or NULL: free slot */
  size_t length;
  int64_t value;
  uint32_t line; /* line that defines it; 0: predefined */
  uint8_t space; /* enum tx_space */
  bool known;    /* has a value; false until the first pass has found it */
};

#define TX_SYMBOLS_MAX 65536u

struct tx_symbols {
  struct tx_symbol *slots; /* hash table, open addressing */
  size_t capacity, count;
};

struct tx_symbol *tx_symbols_find(struct tx_symbols *symbols, const char *name, size_t length); /* NULL: no such name */
struct tx_symbol *tx_symbols_add(struct tx_symbols *symbols, const char *name, size_t length);  /* NULL: table full */
void tx_symbols_free(struct tx_symbols *symbols);

/* The predefined name, or the instruction, that is most similar to `name`; NULL: none is similar. */
const char *tx_nearest_name(const char *name, size_t length);
const char *tx_nearest_op(const char *name, size_t length);

#endif
