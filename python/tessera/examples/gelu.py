"""GELU over tiles: one function of the vector unit.

>>> import numpy as np
>>> from tessera.examples import gelu
>>> x = np.linspace(-4, 4, 64 * 128).reshape(64, 128)
>>> run = gelu.gelu(x)
>>> want = gelu.reference(x)
>>> bool((np.abs(run.output - want) < 0.02 * np.maximum(np.abs(want), 1)).all())
True
>>> print(run.report())  # doctest: +ELLIPSIS
done after ... cycles
...
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import tessera
from tessera.examples import matrix

if TYPE_CHECKING:
    import numpy.typing as npt

SOURCE = """
#include "compute.h"
#include "sfpu.h"

void kernel_main(void) {
  unary_op_init(0, 16);
  copy_tile_init(0);
  for (uint32_t i = 0; i < get_arg_val(0); i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1);
    copy_tile(0, 0, 0);
    cb_pop_front(0, 1);
    gelu_tile(0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
"""


def gelu(x: npt.ArrayLike, **settings: Any) -> tessera.Run:
    """GELU of every number of a matrix of whole tiles. format="fp32" has a 32-bit Dst and SrcA's TF32; see Kernel for all 32 bits."""
    x = matrix(x, "gelu: x")
    return tessera.Kernel(SOURCE, name="gelu").run([x], (x.shape[0], x.shape[1]), args=[x.size // 1024], **settings)


def reference(x: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """x times the cumulative normal distribution."""
    erf: npt.NDArray[np.float64] = np.vectorize(math.erf)(x / math.sqrt(2))
    result: npt.NDArray[np.float64] = 0.5 * x * (1 + erf)
    return result
