/* The operations of tests/kernels/ops.c, and the destinations of those that move numbers: from the drawings in docs/reference/tiles.md. */
#ifndef TESSERA_TESTS_LAYOUT_H
#define TESSERA_TESTS_LAYOUT_H

enum {
  OP_ELTWISE,
  OP_COPY,
  OP_TRANSPOSE,
  OP_REDUCE,
  OP_SFPU,
  OP_BLOCK,
  OP_TILIZE,
  OP_UNTILIZE,
  OP_REUSE,
  OP_REPEAT,
  OP_ONTO
};
enum { BCAST_NONE, BCAST_COL, BCAST_ROW, BCAST_SCALAR };
enum { DIM_ROW, DIM_COL, DIM_SCALAR };
enum { SUM, AVERAGE, MAXIMUM };

/* Converts row and column of the tile to an index among 64 rows of 16. */
static inline unsigned face_row(unsigned row, unsigned column) { return 32 * (row / 16) + 16 * (column / 16) + row % 16; }

static inline unsigned tile_place(unsigned row, unsigned column) { return 16 * face_row(row, column) + column % 16; }

/* The source of the number at `place` of output page `page`, as an index from the start of the input; wt: tiles
 * side by side. */
static inline unsigned source_of(unsigned op, unsigned wt, unsigned page, unsigned place) {
  if (wt == 0) wt = 1; /* operations without a width */
  unsigned block = page / wt * wt, column_tile = page % wt;
  unsigned face = place / 256, row = face / 2 * 16 + place / 16 % 16, column = face % 2 * 16 + place % 16;
  switch (op) {
    case OP_TRANSPOSE: return 1024 * page + tile_place(column, row);
    case OP_TILIZE: return 1024 * block + row * 32 * wt + 32 * column_tile + column;
    case OP_UNTILIZE: {
      unsigned n = 1024 * column_tile + place; /* row-major in the block */
      return 1024 * (block + n % (32 * wt) / 32) + tile_place(n / (32 * wt), n % 32);
    }
    default: return 1024 * page + place;
  }
}

#endif
