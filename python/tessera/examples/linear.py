"""relu(A x B + bias): a linear layer on one tile.

>>> import numpy as np
>>> from tessera.examples import linear
>>> rng = np.random.default_rng(2)
>>> a, b, bias = rng.normal(size=(64, 96)), rng.normal(size=(96, 128)), rng.normal(size=128)
>>> run = linear.linear(a, b, bias)
>>> want = linear.reference(a, b, bias)
>>> bool((np.abs(run.output - want) < 0.02 * np.abs(want) + 0.15).all())
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

SOURCE = """
/* Arguments: 0 tiles of C down, 1 K, 2 tiles of C across. Buffer 2 holds the bias, 24 a tile of A x B. */
#include "compute.h"
#include "sfpu.h"

enum { A = 0, B = 1, BIAS = 2, C = 16, PRODUCT = 24 };

static void pack_one(uint32_t cb) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(cb, 1);
  pack_tile(0, cb);
  cb_push_back(cb, 1);
  tile_regs_release();
}

static void product(uint32_t kt) {
  mm_init_short(A, B);
  tile_regs_acquire();
  for (uint32_t k = 0; k < kt; k++) {
    cb_wait_front(A, 1);
    cb_wait_front(B, 1);
    matmul_tiles(A, B, 0, 0, 0);
    cb_pop_front(A, 1);
    cb_pop_front(B, 1);
  }
  pack_one(PRODUCT);
}

static void bias_and_relu(uint32_t column) {
  cb_wait_front(PRODUCT, 1);
  compute_reconfigure_inputs(PRODUCT, BIAS, 0);
  add_tiles_bcast_init(BROADCAST_ROW);
  tile_regs_acquire();
  add_tiles_bcast(PRODUCT, BIAS, 0, column, 0);
  relu_tile(0);
  pack_one(C);
  cb_pop_front(PRODUCT, 1);
}

void kernel_main(void) {
  uint32_t mt = get_arg_val(0), kt = get_arg_val(1), nt = get_arg_val(2);
  mm_init(A, B, C);
  cb_wait_front(BIAS, nt);
  for (uint32_t i = 0; i < mt * nt; i++) {
    product(kt);
    bias_and_relu(i % nt);
  }
  cb_pop_front(BIAS, nt);
}
"""


def linear(a: npt.ArrayLike, b: npt.ArrayLike, bias: npt.ArrayLike, **settings: Any) -> tessera.Run:
    """relu(a x b + bias) of matrices of whole tiles."""
    a, b = matrix(a, "linear: a"), matrix(b, "linear: b")
    bias = vector(bias, "linear: bias", b.shape[1])
    if a.shape[1] != b.shape[0]:
        raise tessera.InvalidError(f"linear: a has {a.shape[1]} columns, b {b.shape[0]} rows")
    mt, kt, nt = a.shape[0] // 32, a.shape[1] // 32, b.shape[1] // 32
    row = np.zeros((32, b.shape[1]))
    row[0] = bias
    feed: list[tuple[int, ...]] = [(2, 0, nt)]
    for m in range(mt):
        for n in range(nt):
            for k in range(kt):
                feed += [(0, m * kt + k), (1, k * nt + n)]
    return tessera.Kernel(SOURCE, name="linear", defines={"MATH_FIDELITY": 4}).run(
        [a, b, row], (a.shape[0], b.shape[1]), args=[mt, kt, nt], feed=feed, buffers={2: nt, 24: 1}, **settings)


def reference(a: npt.NDArray[Any], b: npt.NDArray[Any], bias: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The same in double precision."""
    result: npt.NDArray[np.float64] = np.maximum(a @ b + bias, 0)
    return result
