/* The matrix unit. Plain data; the functions are in unit/matrix/matrix.h. */
#ifndef TESSERA_TENSIX_STATE_MATRIX_H
#define TESSERA_TENSIX_STATE_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"
#include "tensix/num/num_fpu_vec.h"

struct tx_matrix {
  /* First cycle in which other instructions than these are accepted again; "Instruction scheduling" of the named pages. */
  sim_time movd2a_until; /* MOVD2A, MOVB2A: after MOVD2A.md, MOVB2A.md */
  sim_time movd2b_until; /* MOVD2B: after MOVD2B.md */
  sim_time movdst_until; /* all but the readers of Dst listed in MOVA2D.md, MOVB2D.md */
  sim_time release_by;   /* timing off: an instruction that releases a bank waits for the unpacker until then; 0: none */
  uint8_t srca_row;      /* starting SrcA row of the last instruction that had one: SHIFTXA uses it */
  uint8_t dst_map;       /* DEST_ACCESS_CFG remap and swizzle when Dst was last used, for a diagnostic */
  uint8_t pad[2];
  uint32_t seedings; /* writes to PRNG_SEED seen */
  uint32_t prng[16]; /* stochastic rounding: a generator for each column */
};

/* The interpretation of a source datum: the families of docs/evidence/errata.md A22. */
enum tx_style { TX_STYLE_BF16, TX_STYLE_FP16, TX_STYLE_TF32, TX_STYLE_INT8 };

/* Formats and style of one instruction. */
struct tx_matrix_setup {
  uint32_t fmt_a, fmt_b; /* resolved: implied, overridden or configured */
  enum tx_style style;   /* style of the arithmetic: given by SrcA's format */
  bool wide;             /* Dst in its 32-bit view */
  bool flush;            /* SrcB (and moves): exponent 0 is zero */
  bool stochastic;       /* the sum is rounded stochastically */
  uint32_t phase;
};

/* A setup with what it was resolved from (unit/matrix/formats.h). */
struct tx_matrix_known {
  uint64_t version; /* writes to configuration for which it is valid, + 1; 0: none */
  uint32_t key;     /* thread, formats of the banks, fidelity phase */
  struct tx_matrix_setup setup;
  struct num_fpu_mode mode;
};

#define TX_MATRIX_IMPLIED 0xffu

/* What the configuration decides for the moves of a thread. */
struct tx_matrix_moves {
  uint64_t version; /* as above */
  uint8_t thread;
  uint8_t forced;    /* FP16A_FORCE */
  uint8_t format_a;  /* of SrcA; TX_MATRIX_IMPLIED: that of its bank */
  uint8_t implied_b; /* the style and the bits of SrcB follow from the format of its bank */
  uint8_t narrow;    /* Dst is read in its 16-bit view */
  uint8_t flush;     /* a datum of exponent 0 is zero */
  uint8_t pad[2];
};

/* Not part of the state: SrcA and SrcB decoded, keyed by bank version and format. Tags are version + 1; 0 is empty. */
struct tx_matrix_cache {
  const struct num_fpu_ops *ops; /* the variant of the arithmetic in use; NULL: the best of this machine. Tests set it. */
  struct {
    uint64_t tag;
    uint32_t mask;
    uint8_t keep;
    uint8_t groups; /* of eight rows of SrcB that are decoded */
    uint16_t pad;
    uint64_t scanned_tag;
    uint64_t high_exponent_rows; /* rows with an exponent of more than five bits */
    uint64_t odd_int8_rows;      /* rows with an exponent other than 0 and 16 */
  } bank[2][2];
  struct tx_matrix_known known;
  struct tx_matrix_moves moves;
  uint8_t room[2 * sizeof(struct num_fpu_bank_a) + 2 * sizeof(struct num_fpu_bank_b) + 64]; /* aligned to 64 in use */
};

#endif
