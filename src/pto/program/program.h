/* A program: for each core a list of instructions, with the tiles, views, pipes and global tensors that they use.
 *
 * Instructions come from the IR parser or from the builder functions below (which the C API exports); the machine runs
 * them. The scalar unit interprets the scalar ones (registers, jumps) and queues all others on pipes. Plain data except for
 * the array of initial bytes. */
#ifndef TESSERA_PTO_PROGRAM_PROGRAM_H
#define TESSERA_PTO_PROGRAM_PROGRAM_H

#include "pto/program/dtype.h"
#include "pto/program/policy.h"
#include "pto/program/profile.h"

#define PTO_NAME_MAX 32u
#define PTO_TILES_MAX 96u
#define PTO_VIEWS_MAX 96u
#define PTO_REGS_MAX 192u
#define PTO_EVENTS_MAX 64u
#define PTO_PIPES_MAX 8u
#define PTO_GLOBALS_MAX 128u
#define PTO_BLOCKS_MAX 1024u
#define PTO_INSTRS_MAX 8192u
#define PTO_SLOTS_MAX 64u
#define PTO_COST_MODEL UINT32_MAX /* no cost attribute: the profile's cost */
#define PTO_AUTO UINT32_MAX       /* an address that the program does not give */
#define PTO_NONE (-1)
#define PTO_GM_LIMIT (UINT64_C(256) << 20) /* bytes of the model's global memory */

enum pto_op {
  PTO_OP_END,
  /* scalar: dst, a, b are registers or numbers */
  PTO_OP_SET,
  PTO_OP_ADD,
  PTO_OP_SUB,
  PTO_OP_MUL,
  PTO_OP_DIV,
  PTO_OP_REM,
  PTO_OP_DIVU,
  PTO_OP_REMU,
  PTO_OP_AND,
  PTO_OP_OR,
  PTO_OP_XOR,
  PTO_OP_EQ,
  PTO_OP_NE,
  PTO_OP_LT,
  PTO_OP_LE,
  PTO_OP_GT,
  PTO_OP_GE,
  PTO_OP_ULT,
  PTO_OP_ULE,
  PTO_OP_UGT,
  PTO_OP_UGE,
  PTO_OP_BLOCK,     /* number of the block in its grid */
  PTO_OP_BLOCK_NUM, /* blocks of the grid */
  PTO_OP_LANE,
  PTO_OP_JUMP,
  PTO_OP_BRANCH_ZERO, /* jumps to instruction `target` if the value is 0 */
  /* pipes */
  PTO_OP_PIPE_INIT,
  PTO_OP_PIPE_END,
  PTO_OP_TALLOC,
  PTO_OP_TPUSH,
  PTO_OP_TPUSH_VIEW,
  PTO_OP_TPOP,
  PTO_OP_TPOP_VIEW,
  PTO_OP_TFREE,
  PTO_OP_TFREE_VIEW,
  PTO_OP_SET_ALLOCATE,
  PTO_OP_SET_RECORD,
  PTO_OP_SET_WAIT,
  PTO_OP_SET_FREE,
  PTO_OP_PROD_OFFSET,
  PTO_OP_CONS_OFFSET,
  PTO_OP_PROD_TILE,
  PTO_OP_CONS_TILE,
  PTO_OP_WAIT_EVENT,
  /* order between pipes of one core, and bare flags between cores */
  PTO_OP_SET_FLAG,
  PTO_OP_WAIT_FLAG,
  PTO_OP_BARRIER,
  PTO_OP_CROSS_SET,
  PTO_OP_CROSS_WAIT,
  PTO_OP_SET_VALID, /* sets the valid part of tile dst: a rows, b columns */
  /* data */
  PTO_OP_LOAD,
  PTO_OP_STORE,
  PTO_OP_MOV,
  PTO_OP_EXTRACT,
  PTO_OP_INSERT,
  PTO_OP_MATMUL,
  PTO_OP_MATMUL_ACC,
  PTO_OP_MATMUL_BIAS,
  PTO_OP_TADD,
  PTO_OP_TSUB,
  PTO_OP_TMUL,
  PTO_OP_TDIV,
  PTO_OP_TMAX,
  PTO_OP_TMIN,
  PTO_OP_TADDS,
  PTO_OP_TSUBS,
  PTO_OP_TMULS,
  PTO_OP_TDIVS,
  PTO_OP_TMAXS,
  PTO_OP_TMINS,
  PTO_OP_TEXP,
  PTO_OP_TRELU,
  PTO_OP_TNEG,
  PTO_OP_TSQRT,
  PTO_OP_TCVT,
  PTO_OP_TFILL,
  PTO_OP_ROWMAX,
  PTO_OP_ROWSUM,
  PTO_OP_ROWEXPAND_SUB,
  PTO_OP_ROWEXPAND_MUL,
  PTO_OP_ROWEXPAND_DIV,
  PTO_OP_COLEXPAND_MUL,
  PTO_OP_DEQUANT,
  PTO_OP_COMPUTE, /* occupies a pipe for some time */
  PTO_OPS,
};

/* Fixpipe conversions of a TPUSH or a store from the accumulator. */
enum pto_quant { PTO_QUANT_NONE, PTO_F322F16, PTO_F322BF16, PTO_DEQF16, PTO_VDEQF16, PTO_QUANTS };
/* Order of the elements that a TPUSH from the accumulator writes. Tiles are row-major in this model, so NZ2NZ keeps the order. */
enum pto_layout { PTO_NZ2ND, PTO_NZ2DN /* column by column */, PTO_NZ2NZ, PTO_LAYOUTS };

/* A scalar operand: a register, or a number if reg < 0. */
struct pto_value {
  int32_t imm;
  int16_t reg;
  int16_t pad;
};

struct pto_instr {
  uint8_t op;
  uint8_t split;
  uint8_t quant;
  uint8_t relu;
  uint8_t atomic_add;
  uint8_t unit, unit2; /* COMPUTE, SET_FLAG, WAIT_FLAG, BARRIER, CROSS_*; PTO_UNITS: all */
  int8_t lane;         /* explicit subblock of a push or pop; -1: the core's own */
  int16_t dst;         /* register or tile */
  int16_t src[3];      /* tiles */
  int16_t view, pipe, event;
  uint8_t layout;   /* enum pto_layout */
  uint8_t pad_zero; /* LOAD: the rest of the tile is cleared */
  struct pto_value a, b;
  uint32_t target;
  uint32_t cost;
  double number; /* scalar of the *S operations, scale of DEQF16 */
  uint32_t line, column;
};

struct pto_tile {
  char name[PTO_NAME_MAX];
  uint8_t loc, dtype, bound; /* bound: a pop sets its address */
  uint8_t used;
  uint32_t rows, cols, valid_rows, valid_cols;
  uint32_t addr;   /* address given in the program; PTO_AUTO: none is given */
  uint32_t at;     /* its assigned address */
  uint32_t record; /* tiles that share bytes share the record of their last use: index of the first such tile */
  uint32_t line;
};

/* A rectangle of global memory: part of a global tensor, or of the slot to which a TALLOC or TPOP bound it. */
struct pto_view {
  int16_t global; /* PTO_NONE: bound to a slot at run time */
  int16_t slot;   /* then: the view (possibly this one) that the TALLOC or TPOP binds */
  uint8_t dtype, split;
  uint8_t whole, pad; /* whole: an instruction names the tensor itself, and its tile must fit */
  /* split: that of the TALLOC or TPOP that binds it */
  uint32_t rows, cols, row_stride, col_stride; /* strides count elements */
  uint32_t block_cols, block_stride;           /* columns per block, and distance of two blocks; 0: contiguous */
  uint64_t offset;                             /* constant part of the offset, in elements */
};

enum pto_init { PTO_INIT_ZERO, PTO_INIT_IOTA, PTO_INIT_RANDOM, PTO_INIT_INTS, PTO_INIT_FILL, PTO_INIT_BYTES, PTO_INIT_FILE };

struct pto_global {
  char name[PTO_NAME_MAX];
  uint8_t dtype, init, pad[2];
  uint32_t rank;
  uint32_t shape[5];
  uint64_t addr, bytes;
  uint32_t seed;
  double low, high;        /* RANDOM, INTS: [low, high]; FILL: low */
  size_t data, data_bytes; /* BYTES: offset in program->data; FILE: offset of the path */
  uint32_t line;
};

/* The assembler's two operations for a pipe: through GM (A2/A3), or from core to core (A5). */
enum pto_form { PTO_FORM_ANY, PTO_FORM_L2G2L, PTO_FORM_L2L };

/* The configuration of one core's end of a pipe. */
struct pto_pipe_config {
  uint32_t line, column;
  uint16_t flag_id;
  uint8_t dir, multi; /* multi: TMPipe */
  uint32_t slot_size, slot_num, local_slot_num;
  uint8_t no_split, unit_flag, fifo, ratio;
  uint32_t sync_period; /* 0: the period of the policy */
  uint8_t policy;       /* index + 1; 0: the run's default */
  uint8_t form;         /* enum pto_form */
  uint8_t gm_inside;    /* the slots lie inside gm_global, from its byte gm_addr on */
  uint8_t pad;
  uint32_t room[PTO_DIRECTIONS]; /* bytes reserved for the consumer's slots of each direction; 0: not given */
  uint64_t gm_addr;              /* address given in the program; UINT64_MAX: none is given */
  uint64_t gm_at;                /* address of the slots for this end; UINT64_MAX: that of the pipe */
  int16_t gm_global;             /* the global tensor given as slot buffer, or PTO_NONE */
  uint32_t c2v_addr, v2c_addr;   /* address given in the program; PTO_AUTO: none is given */
  uint32_t c2v_at, v2c_at;       /* their assigned addresses */
  struct pto_tile prod, cons;    /* TMPipe: the tile types */
};

struct pto_pipe {
  char name[PTO_NAME_MAX];
  uint8_t has[PTO_CORES];
  struct pto_pipe_config end[PTO_CORES];
  uint64_t gm_addr, gm_bytes; /* valid after the program is placed */
};

struct pto_function {
  char name[PTO_NAME_MAX];
  uint8_t vector; /* 1: the function runs on Vector cores */
  uint8_t manual_sync;
  uint8_t present;
  uint16_t tile_count, view_count, reg_count, event_count;
  uint32_t instr_count;
  uint32_t line;
  struct pto_tile tiles[PTO_TILES_MAX];
  struct pto_view views[PTO_VIEWS_MAX];
  struct pto_instr instrs[PTO_INSTRS_MAX];
};

struct pto_program {
  uint8_t profile;
  uint8_t policy; /* default policy */
  uint8_t finished;
  int8_t core_function[PTO_CORES]; /* PTO_NONE: the core runs no program */
  uint32_t dispatches;
  uint32_t blocks; /* number of blocks of a launch, from the module */
  uint32_t function_count, pipe_count, global_count;
  uint64_t gm_bytes;
  uint64_t ring_bytes; /* rings outside tensors, from byte 0 */
  char error[256];
  struct pto_profile figures; /* figures of its profile, or the user's */
  struct pto_function functions[PTO_CORES];
  struct pto_pipe pipes[PTO_PIPES_MAX];
  struct pto_global globals[PTO_GLOBALS_MAX];
  uint8_t *data; /* literals and paths of the globals */
  size_t data_bytes, data_room;
};

static inline const struct pto_profile *pto_program_profile(const struct pto_program *program) { return &program->figures; }
void pto_program_set_profile(struct pto_program *program, unsigned profile); /* sets the profile and its figures */

struct pto_program *pto_program_new(unsigned profile);
void pto_program_free(struct pto_program *program);
/* Keeps the first error; always returns PTO_NONE. */
int pto_program_fail(struct pto_program *program, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* All these return an index, or -1 with program->error set. */
int pto_program_function(struct pto_program *program, const char *name, unsigned core_mask, uint32_t line);
int pto_program_tile(struct pto_program *program, int function, const struct pto_tile *tile);
int pto_program_view(struct pto_program *program, int function, const struct pto_view *view);
int pto_program_global(struct pto_program *program, const char *name, unsigned dtype, const uint32_t *shape, unsigned rank);
int pto_program_pipe(struct pto_program *program, int function, const struct pto_pipe_config *config, const char *name);
int pto_program_emit(struct pto_program *program, int function, const struct pto_instr *instr);
bool pto_program_data(struct pto_program *program, int global, const void *bytes, size_t count);
/* The result of a scalar instruction other than PTO_OP_LANE, shared by the parser's constant folding, check and the scalar unit. Wraps;
 * a division by zero gives 0 (inferred). */
static inline int64_t pto_arith(unsigned op, int64_t a, int64_t b) {
  switch (op) {
    case PTO_OP_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
    case PTO_OP_SUB: return (int64_t)((uint64_t)a - (uint64_t)b);
    case PTO_OP_MUL: return (int64_t)((uint64_t)a * (uint64_t)b);
    case PTO_OP_DIV: return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
    case PTO_OP_REM: return b == 0 || b == -1 ? 0 : a % b;
    case PTO_OP_DIVU: return b == 0 ? 0 : (int64_t)((uint64_t)a / (uint64_t)b);
    case PTO_OP_REMU: return b == 0 ? 0 : (int64_t)((uint64_t)a % (uint64_t)b);
    case PTO_OP_AND: return a & b;
    case PTO_OP_OR: return a | b;
    case PTO_OP_XOR: return a ^ b;
    case PTO_OP_EQ: return a == b;
    case PTO_OP_NE: return a != b;
    case PTO_OP_LT: return a < b;
    case PTO_OP_LE: return a <= b;
    case PTO_OP_GT: return a > b;
    case PTO_OP_GE: return a >= b;
    case PTO_OP_ULT: return (uint64_t)a < (uint64_t)b;
    case PTO_OP_ULE: return (uint64_t)a <= (uint64_t)b;
    case PTO_OP_UGT: return (uint64_t)a > (uint64_t)b;
    case PTO_OP_UGE: return (uint64_t)a >= (uint64_t)b;
    default: return a;
  }
}
struct pto_instr pto_instr_make(unsigned op, uint32_t line);
const char *pto_op_name(unsigned op);
const char *pto_quant_name(unsigned quant);
const char *pto_layout_name(unsigned layout);

#endif
