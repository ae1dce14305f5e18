"""RMS norm of rows: x / sqrt(mean(x^2) + epsilon) * weight.

>>> import numpy as np
>>> from tessera.examples import rmsnorm
>>> rng = np.random.default_rng(1)
>>> x, weight = rng.normal(size=(64, 128)), rng.uniform(0.5, 2, size=128)
>>> run = rmsnorm.rmsnorm(x, weight)
>>> want = rmsnorm.reference(x, weight)
>>> bool((np.abs(run.output - want) < 0.03 * np.maximum(np.abs(want), 1)).all())
True
>>> run.findings
[]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import tessera
from tessera.examples import matrix, vector

if TYPE_CHECKING:
    import numpy.typing as npt

EPSILON = 1e-5

SOURCE = """
/* Per row of Wt tiles:
 *   1  x^2                       buffer 24
 *   2  1 / sqrt(mean + epsilon)  matmul with a column of 1 / W, then rsqrt; column 0 of one tile    buffer 25
 *   3  x * column                buffer 26
 *   4  times the weight's row    buffer 16
 * Buffer 1 holds the weight, 2 the column of 1 / W and a tile with W * epsilon in column 0. */
#include "compute.h"
#include "sfpu.h"

enum { X = 0, WEIGHT = 1, CONSTANTS = 2, OUT = 16, SQUARE = 24, SCALE = 25, NORMED = 26 };

static void pack_one(uint32_t cb) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(cb, 1);
  pack_tile(0, cb);
  cb_push_back(cb, 1);
  tile_regs_release();
}

static void square(uint32_t wt) {
  compute_reconfigure_inputs(X, X, 0);
  mul_tiles_init();
  for (uint32_t w = 0; w < wt; w++) {
    tile_regs_acquire();
    mul_tiles(X, X, w, w, 0);
    pack_one(SQUARE);
  }
}

static void scale(uint32_t wt) {
  cb_wait_front(SQUARE, wt);
  mm_init_short(SQUARE, CONSTANTS);
  tile_regs_acquire();
  for (uint32_t w = 0; w < wt; w++) matmul_tiles(SQUARE, CONSTANTS, w, 0, 0);
  matmul_tiles(CONSTANTS, CONSTANTS, 1, 0, 0);
  rsqrt_tile(0);
  pack_one(SCALE);
  cb_pop_front(SQUARE, wt);
}

static void by_column(uint32_t wt) {
  cb_wait_front(SCALE, 1);
  compute_reconfigure_inputs(X, SCALE, 0);
  mul_tiles_bcast_init(BROADCAST_COL);
  for (uint32_t w = 0; w < wt; w++) {
    tile_regs_acquire();
    mul_tiles_bcast(X, SCALE, w, 0, 0);
    pack_one(NORMED);
  }
  cb_pop_front(SCALE, 1);
}

static void by_row(uint32_t wt) {
  cb_wait_front(NORMED, wt);
  compute_reconfigure_inputs(NORMED, WEIGHT, 0);
  mul_tiles_bcast_init(BROADCAST_ROW);
  for (uint32_t w = 0; w < wt; w++) {
    tile_regs_acquire();
    mul_tiles_bcast(NORMED, WEIGHT, w, w, 0);
    pack_one(OUT);
  }
  cb_pop_front(NORMED, wt);
}

void kernel_main(void) {
  uint32_t ht = get_arg_val(0), wt = get_arg_val(1);
  binary_op_init(X, X, OUT);
  cb_wait_front(WEIGHT, wt);
  cb_wait_front(CONSTANTS, 2);
  for (uint32_t h = 0; h < ht; h++) {
    cb_wait_front(X, wt);
    square(wt);
    scale(wt);
    by_column(wt);
    cb_pop_front(X, wt);
    by_row(wt);
  }
  cb_pop_front(WEIGHT, wt);
  cb_pop_front(CONSTANTS, 2);
}
"""


def rmsnorm(x: npt.ArrayLike, weight: npt.ArrayLike, **settings: Any) -> tessera.Run:
    """RMS norm of the rows of a matrix of whole tiles."""
    x = matrix(x, "rmsnorm: x")
    rows, columns = x.shape
    weight = vector(weight, "rmsnorm: weight", columns)
    ht, wt = rows // 32, columns // 32
    row = np.zeros((32, columns))
    row[0] = weight
    constants = np.zeros((32, 64))
    constants[:, 0] = 1 / columns
    constants[:, 32] = columns * EPSILON
    feed = [(1, 0, wt), (2, 0, 2)] + [(0, h * wt, wt) for h in range(ht)]
    return tessera.Kernel(SOURCE, name="rmsnorm").run(
        [x, row, constants], (rows, columns), args=[ht, wt], feed=feed, buffers={1: wt, 2: 2, 24: wt, 25: 1, 26: wt}, **settings)


def reference(x: npt.NDArray[Any], weight: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The same in double precision."""
    result: npt.NDArray[np.float64] = x / np.sqrt((x**2).mean(axis=1, keepdims=True) + EPSILON) * weight
    return result
