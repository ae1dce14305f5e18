"""The cost of a format: the error of relu(A x B + bias) with operands in bf16, bfp8 and bfp4, and the cycles."""

from __future__ import annotations

import numpy as np

from tessera.examples import linear


def main() -> None:
    rng = np.random.default_rng(3)
    a, b, bias = rng.normal(size=(64, 64)), rng.normal(size=(64, 64)), rng.normal(size=64)
    want = linear.reference(a, b, bias)
    for format in ("bf16", "bfp8", "bfp4"):
        run = linear.linear(a, b, bias, formats={0: format, 1: format})
        error = np.abs(run.output - want)
        print(f"{format}: mean error {error.mean():.4f}, largest {error.max():.3f}, {run.cycles} cycles")


if __name__ == "__main__":
    main()
