/* Tessera, PTO Cube-Vector pipes: the C API.
 *
 * A program is read from PTO IR text or built function by function; a machine runs it. There are no globals and no call
 * exits the process: errors are values with a text. Different programs and machines may be used from different threads at
 * the same time.
 *
 *   struct tessera_pto_program *p = tessera_pto_parse(text, strlen(text), NULL, error, sizeof error);
 *   struct tessera_pto_machine *m = tessera_pto_start(p, NULL);
 *   if (tessera_pto_run(m, UINT64_MAX) != TESSERA_PTO_RAN) puts(tessera_pto_report(m));
 *   tessera_pto_stop(m);
 *   tessera_pto_destroy(p);
 *
 * Functions that return int return an index, or -1: tessera_pto_error gives the reason. */
#ifndef TESSERA_PTO_H
#define TESSERA_PTO_H

#include <stddef.h>
#include <stdint.h>

#include "tessera/base.h"
#include "tessera/hang.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tessera_pto_program;
struct tessera_pto_machine;

enum tessera_pto_core { TESSERA_PTO_CUBE = 1, TESSERA_PTO_VECTOR0 = 2, TESSERA_PTO_VECTOR1 = 4, TESSERA_PTO_VECTORS = 6 };
enum tessera_pto_loc {
  TESSERA_PTO_MAT = 2,
  TESSERA_PTO_ACC,
  TESSERA_PTO_VEC,
  TESSERA_PTO_LEFT,
  TESSERA_PTO_RIGHT,
  TESSERA_PTO_BIAS,
  TESSERA_PTO_SCALING
};
enum tessera_pto_dtype {
  TESSERA_PTO_F32,
  TESSERA_PTO_F16,
  TESSERA_PTO_BF16,
  TESSERA_PTO_I32,
  TESSERA_PTO_I16,
  TESSERA_PTO_I8,
  TESSERA_PTO_U32,
  TESSERA_PTO_U16,
  TESSERA_PTO_U8
};
enum tessera_pto_dir {
  TESSERA_PTO_C2V = 1,
  TESSERA_PTO_V2C,
  TESSERA_PTO_BOTH,
  TESSERA_PTO_V2C_CTRL,
  TESSERA_PTO_C2V_GM,
  TESSERA_PTO_V2C_GM,
  TESSERA_PTO_BOTH_GM
};
enum tessera_pto_fifo { TESSERA_PTO_GM_FIFO, TESSERA_PTO_VEC_FIFO, TESSERA_PTO_MAT_FIFO, TESSERA_PTO_CTRL_FIFO };
enum tessera_pto_ratio { TESSERA_PTO_V2C1_VECS, TESSERA_PTO_V2C2_VECS, TESSERA_PTO_V1C1_VEC0, TESSERA_PTO_V1C1_VEC1 };
enum tessera_pto_split {
  TESSERA_PTO_NO_SPLIT,
  TESSERA_PTO_UP_DOWN,
  TESSERA_PTO_LEFT_RIGHT,
  TESSERA_PTO_UP_DOWN_ODD,
  TESSERA_PTO_LEFT_RIGHT_ODD
};
enum tessera_pto_status { TESSERA_PTO_ALLOCATE, TESSERA_PTO_RECORD, TESSERA_PTO_WAIT, TESSERA_PTO_FREE };
enum tessera_pto_field { TESSERA_PTO_PROD_OFFSET, TESSERA_PTO_CONS_OFFSET, TESSERA_PTO_PROD_TILE, TESSERA_PTO_CONS_TILE };

/* Operations on tiles. */
enum tessera_pto_op {
  TESSERA_PTO_MOV,
  TESSERA_PTO_MATMUL,
  TESSERA_PTO_MATMUL_ACC,
  TESSERA_PTO_MATMUL_BIAS,
  TESSERA_PTO_ADD,
  TESSERA_PTO_SUB,
  TESSERA_PTO_MUL,
  TESSERA_PTO_DIV,
  TESSERA_PTO_MAX,
  TESSERA_PTO_MIN,
  TESSERA_PTO_ADDS,
  TESSERA_PTO_SUBS,
  TESSERA_PTO_MULS,
  TESSERA_PTO_DIVS,
  TESSERA_PTO_EXP,
  TESSERA_PTO_RELU,
  TESSERA_PTO_CVT,
  TESSERA_PTO_FILL,
  TESSERA_PTO_ROWMAX,
  TESSERA_PTO_ROWSUM,
  TESSERA_PTO_ROWEXPAND_SUB,
  TESSERA_PTO_ROWEXPAND_MUL,
  TESSERA_PTO_ROWEXPAND_DIV,
  TESSERA_PTO_DEQUANT,
  TESSERA_PTO_OPS
};

/* Pipes of a core. */
enum tessera_pto_unit {
  TESSERA_PTO_S,
  TESSERA_PTO_MTE2,
  TESSERA_PTO_MTE1,
  TESSERA_PTO_M,
  TESSERA_PTO_V,
  TESSERA_PTO_MTE3,
  TESSERA_PTO_FIX,
  TESSERA_PTO_ALL_UNITS
};

/* Conversion by the fixpipe of data that leaves the accumulator. */
enum tessera_pto_quant {
  TESSERA_PTO_QUANT_NONE,
  TESSERA_PTO_F322F16,
  TESSERA_PTO_F322BF16,
  TESSERA_PTO_DEQF16,  /* i32 times `scale`, as f16 */
  TESSERA_PTO_VDEQF16, /* the same with one scale for each column: tile `scales` */
};
enum tessera_pto_layout { TESSERA_PTO_NZ2ND, TESSERA_PTO_NZ2DN /* column by column */, TESSERA_PTO_NZ2NZ };
struct tessera_pto_fixpipe {
  enum tessera_pto_quant quant;
  enum tessera_pto_layout layout; /* pushes only */
  int relu, atomic_add;
  double scale;
  int scales; /* a tile, or -1 */
};

#define TESSERA_PTO_AUTO UINT32_MAX /* an address that the program does not give */
#define TESSERA_PTO_SLOTS_MAX 64u
#define TESSERA_PTO_BLOCKS_MAX 1024u
#define TESSERA_PTO_SETTINGS_MAX 32u
#define TESSERA_PTO_RANK_MAX 5u
#define TESSERA_PTO_CORES 3u /* the Cube and two Vectors */

struct tessera_pto_tile {
  enum tessera_pto_loc loc;
  enum tessera_pto_dtype dtype;
  uint32_t rows, cols, valid_rows, valid_cols; /* valid 0: all */
  uint32_t addr;                               /* TESSERA_PTO_AUTO */
  uint32_t line;                               /* where the program declares it; 0: nowhere */
};

/* A TPipe; or, with multi set, a TMPipe: then prod and cons give slot size, direction and split. */
struct tessera_pto_pipe {
  uint32_t flag_id;
  enum tessera_pto_dir dir;
  uint32_t slot_size, slot_num, local_slot_num;
  int no_split, unit_flag, multi;
  enum tessera_pto_fifo fifo;
  enum tessera_pto_ratio ratio;
  uint32_t sync_period;        /* 0: the policy's own */
  uint64_t gm_addr;            /* UINT64_MAX: anywhere */
  int gm_tensor;               /* 1 + the tensor that holds the slots, from its byte gm_addr on; 0: none */
  uint32_t c2v_addr, v2c_addr; /* TESSERA_PTO_AUTO */
  struct tessera_pto_tile prod, cons;
  uint32_t line; /* where the program builds this end; 0: nowhere */
};

/* The part of a tensor at row, col (in elements) that a tile covers; for AIV1, lane_rows and lane_cols are added to row and col. */
struct tessera_pto_transfer {
  int tile, tensor;
  uint32_t row, col, lane_rows, lane_cols;
  uint32_t line;
};

/* A rectangle of a tensor's bytes, independent of the tensor's own format and shape. Strides are in elements. With block_cols, columns
 * are grouped in blocks of block_cols; block_stride is the distance in elements between the first elements of two blocks (NZ). */
struct tessera_pto_window {
  int tensor;
  enum tessera_pto_dtype dtype;
  uint32_t rows, cols, row_stride, col_stride, block_cols, block_stride;
  uint64_t offset; /* of the first element, in bytes; a multiple of the element's size */
};

#define TESSERA_PTO_NO_TILE (-1)

/* An operation on tiles. Unused sources are TESSERA_PTO_NO_TILE; MATMUL_ACC: left, right, accumulator. */
struct tessera_pto_operation {
  enum tessera_pto_op op;
  int dst, src[3];
  double number; /* the scalar of operations that have one */
  uint32_t line;
};

enum tessera_pto_result {
  TESSERA_PTO_RAN, /* a run: it has ended without an error */
  TESSERA_PTO_FAULT,
  TESSERA_PTO_DEADLOCK,
  TESSERA_PTO_HAZARD, /* stopped at a hazard in strict mode */
  TESSERA_PTO_LIMIT,
  TESSERA_PTO_INVALID, /* an argument is invalid: the call did nothing */
  TESSERA_PTO_OK,      /* a call that is not a run has succeeded */
};

/* --- names of enumerations; "?" for a number that is none of them --- */

const char *tessera_pto_result_name(enum tessera_pto_result result); /* "deadlock" */
const char *tessera_pto_cores_name(enum tessera_pto_core cores);     /* "Cube", "Vectors"; a number: tessera_pto_core_name */
const char *tessera_pto_loc_name(enum tessera_pto_loc loc);          /* "acc" */
const char *tessera_pto_dtype_name(enum tessera_pto_dtype dtype);    /* "bf16" */
const char *tessera_pto_dir_name(enum tessera_pto_dir dir);          /* "C2V" */
const char *tessera_pto_fifo_name(enum tessera_pto_fifo fifo);       /* "VEC_FIFO" */
const char *tessera_pto_ratio_name(enum tessera_pto_ratio ratio);    /* "V2C1_VECS" */
const char *tessera_pto_split_name(enum tessera_pto_split split);    /* "UP_DOWN" */
const char *tessera_pto_status_name(enum tessera_pto_status status); /* "record" */
const char *tessera_pto_field_name(enum tessera_pto_field field);    /* "prod_offset" */
const char *tessera_pto_op_name(enum tessera_pto_op op);             /* "trowmax" */
const char *tessera_pto_unit_name(enum tessera_pto_unit unit);       /* "MTE2"; "ALL" */
const char *tessera_pto_quant_name(enum tessera_pto_quant quant);    /* "F322F16"; "none" */
const char *tessera_pto_layout_name(enum tessera_pto_layout layout); /* "NZ2ND" */

/* --- programs --- */

/* profile: "a2a3", "a5" or NULL (as given in the text). Returns NULL on an error, with file line and caret in `error`. */
struct tessera_pto_program *tessera_pto_parse(const char *text, size_t length, const char *profile, char *error,
                                              size_t error_size);
/* With values for the text's parameters (pto.param @NAME = VALUE). */
struct tessera_pto_setting {
  const char *name;
  int64_t value;
};
struct tessera_pto_program *tessera_pto_parse_with(const char *text, size_t length, const char *profile,
                                                   const struct tessera_pto_setting *settings, size_t setting_count,
                                                   char *error, size_t error_size);
/* The same with a name, the prefix of errors and reports. */
struct tessera_pto_source {
  const char *name; /* NULL: "input" */
  const char *text;
  size_t length;
  const char *profile; /* NULL: as given in the text */
  const struct tessera_pto_setting *settings;
  size_t setting_count;
};
struct tessera_pto_program *tessera_pto_parse_source(const struct tessera_pto_source *source, char *error,
                                                     size_t error_size);
struct tessera_pto_program *tessera_pto_create(const char *profile);
/* Names of profiles and of credit policies; "" after the last. */
const char *tessera_pto_profile_name(unsigned index);
const char *tessera_pto_policy_name(unsigned index);
void tessera_pto_destroy(struct tessera_pto_program *program);
const char *tessera_pto_error(const struct tessera_pto_program *program);
int tessera_pto_set_policy(struct tessera_pto_program *program, const char *policy);
/* A figure of the profile, by its name in tessera_pto_profiles_text; or from lines `figure = value` of a file. */
int tessera_pto_set_figure(struct tessera_pto_program *program, const char *figure, uint64_t value);
int tessera_pto_read_figures(struct tessera_pto_program *program, const char *text, size_t length);
int tessera_pto_set_dispatches(struct tessera_pto_program *program, uint32_t dispatches);
/* Number of blocks that tessera_pto_start launches; a program in text gives it with pto.blocks. */
int tessera_pto_set_blocks(struct tessera_pto_program *program, uint32_t blocks);

int tessera_pto_add_tensor(struct tessera_pto_program *program, const char *name, enum tessera_pto_dtype dtype,
                           uint32_t rows, uint32_t cols);
int tessera_pto_find_tensor(const struct tessera_pto_program *program, const char *name);
struct tessera_pto_tensor {
  const char *name;
  enum tessera_pto_dtype dtype;
  unsigned rank;
  uint32_t shape[TESSERA_PTO_RANK_MAX];
  uint64_t elements, bytes;
  /* the file that the text names for its content; "": none. The caller reads the file and calls tessera_pto_write. */
  const char *file;
};
unsigned tessera_pto_tensor_count(const struct tessera_pto_program *program);
/* 0, or -1: no such tensor. The program owns the strings. */
int tessera_pto_tensor(const struct tessera_pto_program *program, int index, struct tessera_pto_tensor *tensor);
unsigned tessera_pto_dtype_bytes(enum tessera_pto_dtype dtype); /* bytes of one element; 0: no such format */
/* cores: a sum of enum tessera_pto_core */
int tessera_pto_add_function(struct tessera_pto_program *program, const char *name, unsigned cores);
int tessera_pto_add_tile(struct tessera_pto_program *program, int function, const char *name,
                         const struct tessera_pto_tile *tile);
/* Builds this core's end of a pipe at this point of the program. */
int tessera_pto_add_pipe(struct tessera_pto_program *program, int function, const char *name,
                         const struct tessera_pto_pipe *pipe);

/* Tears this end down at this point: returns the remaining credits. Without the call the end of the function does so. */
int tessera_pto_end_pipe(struct tessera_pto_program *program, int function, int pipe, uint32_t line);
/* Builds an end again after it was torn down. */
int tessera_pto_build_pipe(struct tessera_pto_program *program, int function, int pipe, uint32_t line);
/* Credits returned by tearing down after `pushes` pushes that all waited as the policy requires. policy NULL: exact; period
 * 0: that of the policy. */
uint64_t tessera_pto_free_credits(const char *policy, uint64_t pushes, uint32_t slot_num, uint32_t period);

/* Instructions. Reports name `line`. */
int tessera_pto_push(struct tessera_pto_program *program, int function, int pipe, int tile, enum tessera_pto_split split,
                     uint32_t line);
int tessera_pto_pop(struct tessera_pto_program *program, int function, int pipe, int tile, enum tessera_pto_split split,
                    uint32_t line);
int tessera_pto_free(struct tessera_pto_program *program, int function, int pipe, enum tessera_pto_split split,
                     uint32_t line);
int tessera_pto_set_status(struct tessera_pto_program *program, int function, int pipe, enum tessera_pto_status which,
                           int value, uint32_t line);
int tessera_pto_set_field(struct tessera_pto_program *program, int function, int pipe, enum tessera_pto_field which,
                          int64_t value, uint32_t line);
int tessera_pto_load(struct tessera_pto_program *program, int function, const struct tessera_pto_transfer *transfer);
int tessera_pto_store(struct tessera_pto_program *program, int function, const struct tessera_pto_transfer *transfer);
int tessera_pto_load_window(struct tessera_pto_program *program, int function, int tile,
                            const struct tessera_pto_window *window, uint32_t line);
int tessera_pto_store_window(struct tessera_pto_program *program, int function, const struct tessera_pto_window *window,
                             int tile, uint32_t line);
/* Global-tensor forms: the caller moves the data. A view is bound to a slot by alloc (producer) or pop_view (consumer); its
 * shape is this core's part of the slot. */
int tessera_pto_add_view(struct tessera_pto_program *program, int function, enum tessera_pto_dtype dtype, uint32_t rows,
                         uint32_t cols, enum tessera_pto_split split);
int tessera_pto_alloc(struct tessera_pto_program *program, int function, int pipe, int view, uint32_t line);
int tessera_pto_push_view(struct tessera_pto_program *program, int function, int pipe, int view, uint32_t line);
int tessera_pto_pop_view(struct tessera_pto_program *program, int function, int pipe, int view, uint32_t line);
int tessera_pto_free_view(struct tessera_pto_program *program, int function, int pipe, int view, uint32_t line);
int tessera_pto_load_view(struct tessera_pto_program *program, int function, int tile, int view, uint32_t row, uint32_t col,
                          uint32_t line);
int tessera_pto_store_view(struct tessera_pto_program *program, int function, int view, uint32_t row, uint32_t col, int tile,
                           uint32_t line);

/* The ready signal of a push as an event; `push`: the result of tessera_pto_push or tessera_pto_push_view. */
int tessera_pto_record_event(struct tessera_pto_program *program, int function, int push);
int tessera_pto_wait_event(struct tessera_pto_program *program, int function, int event, uint32_t line);

/* Bare flags. Between cores: id 0 to 31. Between two pipes of a core: event 0 to 7. Barrier: one pipe or all of them. */
int tessera_pto_cross_set(struct tessera_pto_program *program, int function, enum tessera_pto_unit unit, unsigned id,
                          uint32_t line);
int tessera_pto_cross_wait(struct tessera_pto_program *program, int function, enum tessera_pto_unit unit, unsigned id,
                           uint32_t line);
int tessera_pto_pipe_set(struct tessera_pto_program *program, int function, enum tessera_pto_unit src,
                         enum tessera_pto_unit dst, unsigned event, uint32_t line);
int tessera_pto_pipe_wait(struct tessera_pto_program *program, int function, enum tessera_pto_unit src,
                          enum tessera_pto_unit dst, unsigned event, uint32_t line);
int tessera_pto_barrier(struct tessera_pto_program *program, int function, enum tessera_pto_unit unit, uint32_t line);
/* Turns automatic synchronisation of the function's pipes off: only the function's own flags order them. A race between two pipes is
 * reported as a hazard. */
int tessera_pto_manual_sync(struct tessera_pto_program *program, int function);

/* Sets the valid part of a tile to `rows` and `cols` for the later instructions of the function. */
int tessera_pto_set_valid(struct tessera_pto_program *program, int function, int tile, uint32_t rows, uint32_t cols,
                          uint32_t line);
int tessera_pto_emit(struct tessera_pto_program *program, int function, const struct tessera_pto_operation *operation);
/* Attributes of the last instruction of the function: the fixpipe configuration (a push or store from the accumulator), the
 * lane (a push or pop), the cost in cycles. */
int tessera_pto_set_fixpipe(struct tessera_pto_program *program, int function, const struct tessera_pto_fixpipe *options);
int tessera_pto_set_subblock(struct tessera_pto_program *program, int function, unsigned lane);
/* Attribute of the last instruction of the function, a load: the rest of the tile beyond the loaded part is cleared. */
int tessera_pto_set_pad_zero(struct tessera_pto_program *program, int function);
int tessera_pto_cost(struct tessera_pto_program *program, int function, uint32_t cycles);
int tessera_pto_loop_begin(struct tessera_pto_program *program, int function, uint32_t count);
int tessera_pto_loop_end(struct tessera_pto_program *program, int function);
int tessera_pto_lane_begin(struct tessera_pto_program *program, int function,
                           unsigned lane); /* only this lane, until the end */
int tessera_pto_lane_end(struct tessera_pto_program *program, int function);

/* Writes the notes to `text`. 0: no errors, 1: errors found, -1: bad program. */
int tessera_pto_check(struct tessera_pto_program *program, char *text, size_t size);
/* 0: no schedule breaks it, 1: one does, `text` explains the smallest; -1: bad program. */
int tessera_pto_explore(struct tessera_pto_program *program, uint32_t schedules, char *text, size_t size);

/* The notes of tessera_pto_check as values: returns their number and stores the first `room`; -1: bad program. policy
 * NULL: the program's. */
enum tessera_pto_severity { TESSERA_PTO_NOTE, TESSERA_PTO_WARNING, TESSERA_PTO_ERROR };
const char *tessera_pto_severity_name(enum tessera_pto_severity severity); /* "warning" */
struct tessera_pto_note {
  enum tessera_pto_severity severity;
  const char *rule; /* its name */
  uint32_t line, column;
  char text[480];
};
int tessera_pto_notes(struct tessera_pto_program *program, const char *policy, struct tessera_pto_note *notes, size_t room);
/* The same as SARIF 2.1.0; `file` is the program's name in it. Returns the full length, as snprintf does; 0: bad program. */
size_t tessera_pto_check_sarif(struct tessera_pto_program *program, const char *policy, const char *file, char *text,
                               size_t size);

/* The kinds of findings of a run. */
enum tessera_pto_finding {
  TESSERA_PTO_FOUND_NONE,
  TESSERA_PTO_FOUND_OVERWRITE,
  TESSERA_PTO_FOUND_STALE,
  TESSERA_PTO_FOUND_USE_AFTER_FREE,
  TESSERA_PTO_FOUND_DOUBLE_FREE,
  TESSERA_PTO_FOUND_LANDING,
  TESSERA_PTO_FOUND_OVERFLOW,
  TESSERA_PTO_FOUND_COLLISION,
  TESSERA_PTO_FOUND_SPLIT,
  TESSERA_PTO_FOUND_SLOT_SIZE,
  TESSERA_PTO_FOUND_LEAK, /* a warning; all others are errors */
  TESSERA_PTO_FOUND_UNSYNCED,
  TESSERA_PTO_FOUND_RING_TILE,
  TESSERA_PTO_FOUND_RING_RING,
  TESSERA_PTO_FOUND_ENDS,
  TESSERA_PTO_FOUND_FAULT,    /* tessera_pto_explore_with: the run ended in a fault */
  TESSERA_PTO_FOUND_LIMIT,    /* tessera_pto_explore_with: the run did not end within the limit */
  TESSERA_PTO_FOUND_DEADLOCK, /* hang: an agent waits and no agent can release it */
  TESSERA_PTO_FOUND_RACE,
  TESSERA_PTO_FOUND_WRITERS,
  TESSERA_PTO_FOUND_TYPE,
  TESSERA_PTO_FOUND_TILE_TILE,
  TESSERA_PTO_FOUND_RESULT, /* tessera_pto_explore_with: the final tensors depend on the schedule */
  TESSERA_PTO_FINDINGS
};

/* tessera_pto_explore with more options, and its result as a value. */
struct tessera_pto_explore_options {
  uint32_t schedules, seed;      /* schedules 0: 1000 */
  const char *policy;            /* NULL: the program's */
  uint64_t cycle_limit;          /* of each run; 0: 10^9 */
  tessera_progress_fn *progress; /* NULL: none */
  void *progress_context;
};
struct tessera_pto_exploration {
  uint32_t runs;                 /* schedules run */
  uint32_t broken, first_broken; /* number of schedules that broke the program, and the number of the first */
  enum tessera_pto_finding kind; /* the finding of the smallest schedule that breaks the program */
  uint64_t cycles;               /* of the run without delays */
  int hangs;                     /* 1: that schedule ends in a hang; after another finding the hang is its consequence */
  int faults;                    /* the same of a fault */
  uint32_t block;                /* block of the finding */
  uint32_t compared;             /* schedules whose final tensors were compared with those of the first */
  char schedule[2048], text[8192];
};
int tessera_pto_explore_with(struct tessera_pto_program *program, const struct tessera_pto_explore_options *options,
                             struct tessera_pto_exploration *result);
/* The same; ends soon after *stop has become other than 0, and returns 2. A signal handler or another thread may set it. The
 * result then has the schedules that were run until then, and the first that broke the program is not made smaller. stop NULL:
 * as tessera_pto_explore_with. */
int tessera_pto_explore_until(struct tessera_pto_program *program, const struct tessera_pto_explore_options *options,
                              const volatile int *stop, struct tessera_pto_exploration *result);

/* Runs every depth and period of every program on every number of blocks, on the host's threads. */
#define TESSERA_PTO_SWEEP_BLOCKS_MAX 16
struct tessera_pto_sweep_options {
  uint32_t depth_min, depth_max;                              /* 0: 1 and 16 */
  int own_depth;                                              /* use the programs' own depth and period */
  uint32_t period;                                            /* 0: 1, half and full */
  uint32_t schedules;                                         /* for the verdict; 0: 40 */
  const char *policy;                                         /* NULL: the programs' */
  uint32_t blocks[TESSERA_PTO_SWEEP_BLOCKS_MAX], block_count; /* 0: the programs' */
  unsigned threads;                                           /* 0: one for each processor */
  tessera_progress_fn *progress;                              /* NULL: none */
  void *progress_context;
};
struct tessera_pto_sweep_row {
  uint32_t program, depth, period, blocks;
  int fits;          /* into the memories and into the 16 flags */
  uint32_t findings; /* bit per kind, tessera_pto_finding_name; 0: safe */
  uint64_t cycles, tiles, gm_bytes, ub_bytes, l1_bytes;
};
/* Returns the number of rows and stores the first `room`; -1: bad programs or options. */
int tessera_pto_sweep(struct tessera_pto_program *const *programs, size_t program_count,
                      const struct tessera_pto_sweep_options *options, struct tessera_pto_sweep_row *rows, size_t room);
/* The same; stops soon after *stop has become other than 0 (a signal handler or another thread may set it) and returns the rows that are
 * done. NULL: never. */
int tessera_pto_sweep_until(struct tessera_pto_program *const *programs, size_t program_count,
                            const struct tessera_pto_sweep_options *options, const volatile int *stop,
                            struct tessera_pto_sweep_row *rows, size_t room);
const char *tessera_pto_finding_name(unsigned kind); /* "?": no such kind */
/* 1: the machine rejects the program even at the smallest depth, for the reason in `why`; 0: it accepts it; -1: bad program. */
int tessera_pto_sweep_refused(struct tessera_pto_program *program, const struct tessera_pto_sweep_options *options,
                              struct tessera_pto_note *why);
/* The smallest depth that is safe and within 2 % of the fastest; 0: none. */
uint32_t tessera_pto_sweep_first_safe(const struct tessera_pto_sweep_row *rows, size_t count);
/* A plot: time per tile over depth, one line for each period rule, unsafe points hollow. Returns the full length, as snprintf does. */
size_t tessera_pto_sweep_svg(const struct tessera_pto_sweep_row *rows, size_t count, const char *title, char *text,
                             size_t size);

/* Texts: the figures of the profiles with their sources, the credit policies, the operations of PTO IR, and their reference in
 * Markdown. All return the full length, as snprintf does. */
size_t tessera_pto_profiles_text(char *text, size_t size);
size_t tessera_pto_policies_text(char *text, size_t size);
size_t tessera_pto_operations_text(char *text, size_t size);
size_t tessera_pto_reference_text(char *text, size_t size);

/* --- machines --- */

/* policy NULL: the program's. NULL: see tessera_pto_error. The program must outlive the machine and must not change while
 * the machine exists. */
struct tessera_pto_machine *tessera_pto_start(struct tessera_pto_program *program, const char *policy);
/* Flags, time and hazards only: tensors cannot be read or written. */
struct tessera_pto_machine *tessera_pto_start_without_data(struct tessera_pto_program *program, const char *policy);
/* Many blocks (one Cube and two Vectors each) at once: one program for each, or one for all of them (program_count 1). They share the
 * tensors, which all programs declare in the same order, and global memory's bandwidth. NULL: see the programs' errors. */
struct tessera_pto_machine *tessera_pto_start_grid(struct tessera_pto_program *const *programs, size_t program_count,
                                                   size_t blocks, const char *policy);
void tessera_pto_stop(struct tessera_pto_machine *machine);
/* Whole tensors as doubles, converted to and from their format. */
enum tessera_pto_result tessera_pto_write(struct tessera_pto_machine *machine, int tensor, const double *values,
                                          size_t count);
enum tessera_pto_result tessera_pto_read(const struct tessera_pto_machine *machine, int tensor, double *values,
                                         size_t count);
/* Bytes of a tensor without conversion. */
enum tessera_pto_result tessera_pto_write_bytes(struct tessera_pto_machine *machine, int tensor, size_t offset,
                                                const void *bytes, size_t count);
enum tessera_pto_result tessera_pto_read_bytes(const struct tessera_pto_machine *machine, int tensor, size_t offset,
                                               void *bytes, size_t count);
enum tessera_pto_result tessera_pto_run(struct tessera_pto_machine *machine, uint64_t cycle_limit);
/* Makes the current run end soon, as at its limit. The call only sets a flag, so a signal handler or another thread may make it. */
void tessera_pto_request_stop(struct tessera_pto_machine *machine);
uint64_t tessera_pto_cycles(const struct tessera_pto_machine *machine);
uint64_t tessera_pto_hazards(const struct tessera_pto_machine *machine); /* findings of the last run, leaks included */
/* Hazards, hang and fault of the last run as text. Valid until the next call on this machine. */
const char *tessera_pto_report(struct tessera_pto_machine *machine);
/* 1: the last run ended in a hang. The hang is that of the first block that hangs, and its waiters are pipes of cores: `name` is
 * "AIC FIX", `core` 0 the Cube, 1 and 2 the Vectors, `kind` "flag", "dependency", "queue", "event", "drain" or "pool", `place` the
 * line of the program with the function and the operation (`call`). The releasers of a waiter are the agents that would release it
 * if they could continue; none: no agent can. hang.h */
int tessera_pto_hang(const struct tessera_pto_machine *machine, struct tessera_hang *hang);
/* TESSERA_PTO_INVALID: the machine does not hang, or there is no such waiter. */
enum tessera_pto_result tessera_pto_waiter(const struct tessera_pto_machine *machine, size_t index,
                                           struct tessera_waiter *waiter);
/* The whole report of the last run, also of a good one: the hang (its cause first), findings, time, the work and waits of every pipe, the fill level of
 * the FIFOs. Valid until the next call on this machine. */
enum tessera_pto_report_format { TESSERA_PTO_REPORT_TEXT, TESSERA_PTO_REPORT_JSON, TESSERA_PTO_REPORT_SARIF };
const char *tessera_pto_report_format_name(enum tessera_pto_report_format format); /* "sarif" */
const char *tessera_pto_run_report(struct tessera_pto_machine *machine, enum tessera_pto_report_format format);
enum tessera_pto_result tessera_pto_set_strict(struct tessera_pto_machine *machine,
                                               int strict); /* runs stop at the first hazard */
enum tessera_pto_result tessera_pto_set_verbose(struct tessera_pto_machine *machine,
                                                int verbose); /* the text of a hang has the tables too */
/* The report of a run that has ended repeats it without data and with the one change that its verdict names (a pipe in no time, twice the
 * slots, ...), and has the cycles of that rerun: the first report in text or JSON takes about as long as the run. */
enum tessera_pto_result tessera_pto_set_why(struct tessera_pto_machine *machine, int why);
/* The command's exit code for the last run, and 0 for an invalid handle: 0 good, 3 fault, 4 hang, 5 a hazard (with
 * tessera_pto_set_strict a leak too), 6 the cycle limit. */
int tessera_pto_exit_code(const struct tessera_pto_machine *machine);
/* Sets another exit code for JSON and SARIF, for a program with its own reasons (a failed comparison, an interrupt). -1:
 * the machine's own. */
void tessera_pto_set_exit_code(struct tessera_pto_machine *machine, int code);

/* Events of all blocks while they run, in the order of their ends. One hook per machine; NULL removes it. */
enum tessera_pto_event_kind {
  TESSERA_PTO_EVENT_WORK,      /* a pipe of a core executed one instruction */
  TESSERA_PTO_EVENT_OCCUPANCY, /* the number of slots in use of a FIFO has changed */
};
const char *tessera_pto_event_kind_name(enum tessera_pto_event_kind kind); /* "work" */
struct tessera_pto_event {
  enum tessera_pto_event_kind kind;
  uint64_t begin, end;          /* cycles */
  unsigned core, unit;          /* WORK: 0 the Cube, 1 and 2 the Vectors; enum tessera_pto_unit */
  const char *operation;        /* WORK */
  uint32_t line, tile;          /* WORK: line of the program; number of the tile */
  const char *pipe, *direction; /* OCCUPANCY: the TPipe's name; "C2V" or "V2C" */
  uint32_t slots;               /* OCCUPANCY: slots in use */
  uint32_t block;               /* from 0 */
};
typedef void tessera_pto_hook_fn(void *context, const struct tessera_pto_event *event);
enum tessera_pto_result tessera_pto_set_hook(struct tessera_pto_machine *machine, tessera_pto_hook_fn *hook, void *context);

/* A trace of all blocks, each with its own tracks, written while they run: pipes with their work and waits, slots of FIFOs with their tiles,
 * flags, slots in use, an arrow from each push of a tile to its pop. Text is one line per event; one cycle is 1 ns in
 * Perfetto and 1 us in Chrome's format; the HTML report contains the compact format, which has one block: that of the report, the one
 * that ended last. All of it is in the order of time over all blocks: text is written while the blocks run, Perfetto and Chrome by
 * tessera_pto_trace_end, from a temporary file (tessera_pto_trace_scratch). `write` returns 0 on success. One trace per machine, and a compact
 * one beside it; tessera_pto_trace_end finishes it, or else the compact one, TESSERA_PTO_INVALID: there is none, or something could not be written. */
enum tessera_pto_trace_format {
  TESSERA_PTO_TRACE_TEXT,
  TESSERA_PTO_TRACE_PERFETTO,
  TESSERA_PTO_TRACE_CHROME,
  TESSERA_PTO_TRACE_COMPACT,
  TESSERA_PTO_TRACE_FORMATS
};
const char *tessera_pto_trace_format_name(enum tessera_pto_trace_format format); /* "perfetto" */
typedef int tessera_pto_write_fn(void *context, const void *bytes, size_t size);
enum tessera_pto_result tessera_pto_trace(struct tessera_pto_machine *machine, enum tessera_pto_trace_format format,
                                          tessera_pto_write_fn *write, void *context);
enum tessera_pto_result tessera_pto_trace_end(struct tessera_pto_machine *machine);
/* Temporary files of the machine's next trace are created beside this one and have no name; NULL: where the system has them. `path` is valid
 * until tessera_pto_trace returns. */
enum tessera_pto_result tessera_pto_trace_scratch(struct tessera_pto_machine *machine, const char *path);
/* The first and the last cycle of the machine's next traces; `to` 0: up to the end. Slices that are open there are cut, counters have their
 * value from the first cycle on, and text has the events of these cycles. TESSERA_PTO_INVALID: `from` is after `to`, or a trace has begun. */
enum tessera_pto_result tessera_pto_trace_range(struct tessera_pto_machine *machine, uint64_t from, uint64_t to);

const char *tessera_pto_core_name(unsigned core); /* "AIC"; "?" */
uint32_t tessera_pto_clock_mhz(const struct tessera_pto_machine *machine);

#ifdef __cplusplus
}
#endif
#endif
