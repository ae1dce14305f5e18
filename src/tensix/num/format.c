/* The table of number formats. Codes: FormatConversion.md, tensix_types.h. */
#include "tensix/num/format.h"

const struct num_format_info num_format_infos[NUM_FORMAT_CODES] = {
    [NUM_FP32] = {"FP32", 32, 0, 0, 0},   [NUM_FP16] = {"FP16", 16, 0, 1, 0}, [NUM_BFP8A] = {"BFP8a", 8, 1, 1, 0},
    [NUM_BFP4A] = {"BFP4a", 4, 1, 1, 0},  [NUM_TF32] = {"TF32", 32, 0, 0, 0}, [NUM_BF16] = {"BF16", 16, 0, 0, 0},
    [NUM_BFP8] = {"BFP8", 8, 1, 0, 0},    [NUM_BFP4] = {"BFP4", 4, 1, 0, 0},  [NUM_INT32] = {"INT32", 32, 0, 0, 1},
    [NUM_INT16] = {"INT16", 16, 0, 0, 1}, [NUM_FP8] = {"FP8", 8, 0, 1, 0},    [NUM_BFP2A] = {"BFP2a", 2, 1, 1, 0},
    [12] = {"none", 0, 0, 0, 0},          [13] = {"none", 0, 0, 0, 0},        [NUM_INT8] = {"INT8", 8, 0, 0, 1},
    [NUM_BFP2] = {"BFP2", 2, 1, 0, 0},
};
