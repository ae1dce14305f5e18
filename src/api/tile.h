/* What a struct tessera_tile holds; between the files of api/. */
#ifndef TESSERA_API_TILE_H
#define TESSERA_API_TILE_H

#include <stddef.h>

#include "debug/program.h"
#include "tensix/tile/tile.h"
#include "tessera/tensix.h"

#define TEXT_BYTES 16384u

struct tessera_tile {
  struct tx_script_op *ops[TX_THREADS]; /* words that a caller pushed */
  size_t capacity[TX_THREADS];
  struct tx_script script[TX_THREADS];
  void *files[TX_CORES]; /* copies of the executables */
  struct dbg_program program;
  enum sim_end end;
  bool refused; /* `text` says why an executable was */
  char text[TEXT_BYTES];
  struct tx_tile tile;
};

#endif
