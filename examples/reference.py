#!/usr/bin/env python3
"""The expected results of the kernels in gelu, rmsnorm, layernorm, linear and attention, by NumPy in float64: writes FOLDER/expected.npy (float16).

    python3 examples/reference.py            all of them
    python3 examples/reference.py gelu

The inputs are those of `random:ROWSxCOLUMNS:SEED` in kernel.chip, rounded to bfloat16.
"""
import math
import os
import sys

import numpy as np


def random(rows, columns, seed):
    """splitmix64 in -1..1, rounded to bfloat16: as tessera generates random:ROWSxCOLUMNS:SEED."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, rows * columns + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    x = ((z >> np.uint64(11)).astype(np.float64) / 4503599627370496.0 - 1.0).astype(np.float32)
    bits = x.view(np.uint32)
    bits = (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) & np.uint32(0xFFFF0000)
    return bits.view(np.float32).astype(np.float64).reshape(rows, columns)


def gelu():
    a = random(64, 128, 1)
    return 0.5 * a * (1 + np.vectorize(math.erf)(a / math.sqrt(2)))


def rmsnorm():
    a, g = random(64, 128, 2), random(32, 128, 3)[0]
    return a / np.sqrt((a * a).mean(axis=1, keepdims=True) + 1e-5) * g


def layernorm():
    a, g, b = random(64, 128, 4), random(32, 128, 5)[0], random(32, 128, 6)[0]
    centred = a - a.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + 1e-5) * g + b


def linear():
    a, w, b = random(64, 128, 7), random(128, 64, 8), random(32, 64, 9)[0]
    return np.maximum(a @ w + b, 0)


def attention():
    q, k, v = random(64, 64, 10), random(64, 64, 11), random(64, 64, 12)
    s = q @ k.T / 8
    p = np.exp(s - s.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True) @ v


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    all_of_them = {f.__name__: f for f in (gelu, rmsnorm, layernorm, linear, attention)}
    for name in sys.argv[1:] or all_of_them:
        np.save(os.path.join(here, name, "expected.npy"), all_of_them[name]().astype(np.float16))


if __name__ == "__main__":
    main()
