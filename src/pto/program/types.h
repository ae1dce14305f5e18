/* The nouns of the PTO machine: cores, pipes, memories, number formats, directions, split modes.
 *
 * Follows the TPUSH page (docs/evidence/sources.md) with the corrections that docs/guide/pto.md lists. Numbers of
 * directions and split modes are those of the page. */
#ifndef TESSERA_PTO_PROGRAM_TYPES_H
#define TESSERA_PTO_PROGRAM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/time.h"

/* One Cube core and two Vector cores; each with in-order pipes. S is the scalar unit: it issues to all the others. */
enum pto_core { PTO_AIC, PTO_AIV0, PTO_AIV1, PTO_CORES };
enum pto_unit { PTO_S, PTO_MTE2, PTO_MTE1, PTO_M, PTO_V, PTO_MTE3, PTO_FIX, PTO_UNITS };
#define PTO_AGENTS ((unsigned)PTO_CORES * (unsigned)PTO_UNITS)

static inline unsigned pto_agent(unsigned core, unsigned unit) { return core * (unsigned)PTO_UNITS + unit; }

/* The memory of a tile. LEFT, RIGHT, BIAS and SCALING (the fixpipe's factors) are the Cube's operand buffers. */
enum pto_loc { PTO_LOC_NONE, PTO_GM, PTO_MAT, PTO_ACC, PTO_VEC, PTO_LEFT, PTO_RIGHT, PTO_BIAS, PTO_SCALING, PTO_LOCS };

enum pto_dtype { PTO_F32, PTO_F16, PTO_BF16, PTO_I32, PTO_I16, PTO_I8, PTO_U32, PTO_U16, PTO_U8, PTO_DTYPES };

enum pto_dir {
  PTO_DIR_NONE = 0,
  PTO_C2V = 1,
  PTO_V2C = 2,
  PTO_BOTH = 3,
  PTO_V2C_CTRL = 4,
  PTO_C2V_GM = 5,
  PTO_V2C_GM = 6,
  PTO_BOTH_GM = 7,
};

enum pto_split { PTO_NO_SPLIT, PTO_UP_DOWN, PTO_LEFT_RIGHT, PTO_UP_DOWN_ODD, PTO_LEFT_RIGHT_ODD, PTO_SPLITS };

/* TMPipe's FIFO types; TPipe derives its storage path from direction and profile. */
enum pto_fifo { PTO_GM_FIFO, PTO_VEC_FIFO, PTO_MAT_FIFO, PTO_CTRL_FIFO, PTO_FIFOS };
/* V2C2_VECS is the page's spelling of "one Cube, one Vector"; V1C1_VEC0 and V1C1_VEC1 name the Vector. */
enum pto_ratio { PTO_V2C1_VECS, PTO_V2C2_VECS, PTO_V1C1_VEC0, PTO_V1C1_VEC1, PTO_RATIOS };

/* The two directions of a pipe. */
enum pto_direction { PTO_DIRECTION_C2V, PTO_DIRECTION_V2C, PTO_DIRECTIONS };

#define PTO_FLAGS 32u
#define PTO_FLAG_MAX 15u /* flags are 4-bit counters */

const char *pto_core_name(unsigned core);
const char *pto_unit_name(unsigned unit);
const char *pto_loc_name(unsigned loc);
const char *pto_dtype_name(unsigned dtype);
const char *pto_dir_name(unsigned dir);
const char *pto_split_name(unsigned split);
const char *pto_fifo_name(unsigned fifo);
const char *pto_ratio_name(unsigned ratio);

#endif
