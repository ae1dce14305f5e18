"""Runs ttnn operations on the library in TT_METAL_SIMULATOR and prints one line per operation:

    result NAME SHA256 PCC MAX_ERROR

The hash is of the result's elements as float32 (or int32) bytes; PCC and the largest error compare with NumPy. Inputs come from
fixed seeds, so the hashes of two simulators can be compared. Usage: programs.py NAME... ("list" prints all names).
"""
import hashlib
import os
import sys

import numpy as np


def bf16(array):
    """Rounds float32 to bfloat16 (to nearest, ties to even) and back."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    return bits.view(np.float32)


def data(seed, *shape, low=-2.0, high=2.0):
    return bf16(np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def erf(x):
    from math import erf as scalar
    return np.vectorize(scalar)(x)


PROGRAMS = {}


def program(name, reference, *inputs, dtype="bfloat16", **keywords):
    """Decorates a function (ttnn, device, tensors...) -> tensor."""
    def register(function):
        PROGRAMS[name] = (function, reference, inputs, dtype, keywords)
        return function
    return register


def unary(name, reference, low=-2.0, high=2.0, call=None):
    program(name, reference, data(1, 64, 64, low=low, high=high))(
        lambda ttnn, device, x: getattr(ttnn, call or name)(x))


unary("exp", np.exp)
unary("gelu", lambda x: 0.5 * x * (1 + erf(x / np.sqrt(2))))
unary("relu", lambda x: np.maximum(x, 0))
unary("sigmoid", lambda x: 1 / (1 + np.exp(-x)))
unary("tanh", np.tanh)
unary("sqrt", np.sqrt, low=0.1, high=4)
unary("reciprocal", lambda x: 1 / x, low=0.3, high=3)
unary("silu", lambda x: x / (1 + np.exp(-x)))
unary("log", np.log, low=0.1, high=4)
unary("square", np.square)
unary("softmax", softmax)

A, B = data(1, 64, 64), data(2, 64, 64)

program("add", np.add, A, B)(lambda ttnn, device, a, b: ttnn.add(a, b))
program("add_32", np.add, data(1, 32, 32), data(2, 32, 32))(lambda ttnn, device, a, b: ttnn.add(a, b))
program("add_512", np.add, data(1, 512, 512), data(2, 512, 512))(lambda ttnn, device, a, b: ttnn.add(a, b))
program("sub", np.subtract, A, B)(lambda ttnn, device, a, b: ttnn.subtract(a, b))
program("mul", np.multiply, A, B)(lambda ttnn, device, a, b: ttnn.multiply(a, b))
program("div", np.divide, A, data(2, 64, 64, low=0.5, high=2))(lambda ttnn, device, a, b: ttnn.divide(a, b))
program("add_bcast", np.add, A, data(2, 1, 64))(lambda ttnn, device, a, b: ttnn.add(a, b))
program("adds", lambda a: a + 1.5, A)(lambda ttnn, device, a: ttnn.add(a, 1.5))
program("add_bfp8", np.add, A, B, dtype="bfloat8_b")(lambda ttnn, device, a, b: ttnn.add(a, b))
program("add_fp32", np.add, A, B, dtype="float32")(lambda ttnn, device, a, b: ttnn.add(a, b))
INTEGERS = np.random.default_rng(5).integers(-1000, 1000, (2, 64, 64)).astype(np.int32)
program("add_int32", np.add, INTEGERS[0], INTEGERS[1], dtype="int32")(lambda ttnn, device, a, b: ttnn.add(a, b))
program("where", lambda c, a, b: np.where(c > 0, a, b), data(3, 64, 64), A, B)(
    lambda ttnn, device, c, a, b: ttnn.where(ttnn.gtz(c), a, b))
program("typecast", lambda a: a, A)(lambda ttnn, device, a: ttnn.typecast(a, ttnn.float32))
program("layer_norm", lambda x: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12), A)(
    lambda ttnn, device, a: ttnn.layer_norm(a))
program("rms_norm", lambda x: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12), A)(lambda ttnn, device, a: ttnn.rms_norm(a))
program("sum", lambda x: x.sum(-1), A)(lambda ttnn, device, a: ttnn.sum(a, -1))
program("mean", lambda x: x.mean(-1), A)(lambda ttnn, device, a: ttnn.mean(a, -1))
program("max", lambda x: x.max(-1), A)(lambda ttnn, device, a: ttnn.max(a, -1))
program("argmax", lambda x: x.argmax(-1), A, layout="row")(lambda ttnn, device, a: ttnn.argmax(a, -1))
program("topk", lambda x: -np.sort(-x, -1)[:, :32], A)(lambda ttnn, device, a: ttnn.topk(a, 32, -1)[0])
program("concat", lambda a, b: np.concatenate([a, b], 0), A, B)(lambda ttnn, device, a, b: ttnn.concat([a, b], 0))
program("slice", lambda a: a[:32, :32], A)(lambda ttnn, device, a: ttnn.slice(a, [0, 0], [32, 32]))
program("transpose", lambda a: a.T, A)(lambda ttnn, device, a: ttnn.transpose(a, 0, 1))
program("permute", lambda a: a.transpose(1, 0, 2), data(4, 2, 64, 64))(lambda ttnn, device, a: ttnn.permute(a, (1, 0, 2)))
# permute leaves Dst remapped, and prod clears its faces.
program("prod_after_permute", lambda a, x: x.prod(1), data(4, 2, 70, 45), data(6, 2, 3, 32, 32, low=0.5, high=1.5))(
    lambda ttnn, device, a, x: (ttnn.permute(a, (2, 1, 0)), ttnn.prod(x, 1))[1])
program("cumsum", lambda a: a.cumsum(1), data(4, 2, 3, 32, 32))(lambda ttnn, device, a: ttnn.cumsum(a, 1))
program("reshape", lambda a: a.reshape(32, 128), A)(lambda ttnn, device, a: ttnn.reshape(a, (32, 128)))
program("tilize", lambda a: a, A, layout="row")(lambda ttnn, device, a: ttnn.tilize(a))
program("untilize", lambda a: a, A)(lambda ttnn, device, a: ttnn.to_layout(a, ttnn.ROW_MAJOR_LAYOUT))
program("zeros", lambda: np.zeros((64, 64), np.float32))(
    lambda ttnn, device: ttnn.zeros((64, 64), ttnn.bfloat16, ttnn.TILE_LAYOUT, device))
program("l1", np.add, A, B, memory="l1")(lambda ttnn, device, a, b: ttnn.add(a, b))
program("linear", lambda a, b: a @ b, A, B)(lambda ttnn, device, a, b: ttnn.linear(a, b))
program("embedding", lambda i, w: w[i[0]], np.arange(0, 64, 2, dtype=np.uint32).reshape(1, 32), A, layout="row")(
    lambda ttnn, device, i, w: ttnn.embedding(i, w))
program("attention", lambda q, k, v: softmax(q @ k.swapaxes(-1, -2) / 8) @ v, *(data(s, 1, 1, 64, 64) for s in (1, 2, 3)))(
    lambda ttnn, device, q, k, v: ttnn.transformer.scaled_dot_product_attention(q, k, v, is_causal=False))


def sharded(ttnn, device, a):
    config = ttnn.create_sharded_memory_config((64, 64), ttnn.CoreGrid(x=1, y=2), ttnn.ShardStrategy.HEIGHT)
    return ttnn.to_memory_config(ttnn.to_memory_config(a, config), ttnn.DRAM_MEMORY_CONFIG)


program("sharded", lambda a: a, A)(sharded)


def add_sharded(ttnn, device, a, b):
    config = ttnn.create_sharded_memory_config((64, 64), ttnn.CoreGrid(x=1, y=2), ttnn.ShardStrategy.HEIGHT)
    return ttnn.add(ttnn.to_memory_config(a, config), ttnn.to_memory_config(b, config), memory_config=config)


program("add_sharded", np.add, A, B)(add_sharded)
program("concat_int32", lambda a, b: np.concatenate([a, b], 0), INTEGERS[0], INTEGERS[1], dtype="int32")(
    lambda ttnn, device, a, b: ttnn.concat([a, b], 0))
program("slice_int32", lambda a: a[32:, :32], INTEGERS[0], dtype="int32")(
    lambda ttnn, device, a: ttnn.slice(a, [32, 0], [64, 32]))
program("reshape_int32", lambda a: a.reshape(32, 128), INTEGERS[0], dtype="int32")(
    lambda ttnn, device, a: ttnn.reshape(a, (32, 128)))
program("tilize_fp32", lambda a: a, A, dtype="float32", layout="row")(lambda ttnn, device, a: ttnn.tilize(a))
program("untilize_fp32", lambda a: a, A, dtype="float32")(lambda ttnn, device, a: ttnn.to_layout(a, ttnn.ROW_MAJOR_LAYOUT))
program("transpose_fp32", lambda a: a.T, A, dtype="float32")(lambda ttnn, device, a: ttnn.transpose(a, 0, 1))
program("concat_bfp8", lambda a, b: np.concatenate([a, b], 0), A, B, dtype="bfloat8_b")(
    lambda ttnn, device, a, b: ttnn.concat([a, b], 0))
program("sum_columns", lambda x: x.sum(0), A)(lambda ttnn, device, a: ttnn.sum(a, 0))
program("max_columns", lambda x: x.max(0), A)(lambda ttnn, device, a: ttnn.max(a, 0))

for size in (32, 64, 128, 256, 512):
    program(f"matmul_{size}", np.matmul, data(1, size, size), data(2, size, size))(
        lambda ttnn, device, a, b: ttnn.matmul(a, b))
program("matmul_bfp8", np.matmul, A, B, dtype="bfloat8_b")(lambda ttnn, device, a, b: ttnn.matmul(a, b))
program("matmul_fp32", np.matmul, A, B, dtype="float32")(lambda ttnn, device, a, b: ttnn.matmul(a, b))


def at_fidelity(name):
    def run(ttnn, device, a, b):
        kernel = ttnn.WormholeComputeKernelConfig(math_fidelity=getattr(ttnn.MathFidelity, name), math_approx_mode=False,
                                                  fp32_dest_acc_en=name == "HiFi4", packer_l1_acc=False)
        return ttnn.matmul(a, b, compute_kernel_config=kernel)
    return run


for fidelity in ("LoFi", "HiFi2", "HiFi3", "HiFi4"):
    program(f"matmul_{fidelity}", np.matmul, data(1, 128, 128), data(2, 128, 128))(at_fidelity(fidelity))
    for size in (32, 64, 256, 512):
        program(f"matmul_{size}_{fidelity}", np.matmul, data(1, size, size), data(2, size, size))(at_fidelity(fidelity))


def tensor_of(ttnn, device, array, dtype, keywords):
    if array.dtype == np.uint32:
        dtype = "uint32"
    tensor = ttnn.Tensor(array, getattr(ttnn, dtype))
    if keywords.get("layout") != "row":
        tensor = ttnn.to_layout(tensor, ttnn.TILE_LAYOUT)
    memory = ttnn.L1_MEMORY_CONFIG if keywords.get("memory") == "l1" else ttnn.DRAM_MEMORY_CONFIG
    return ttnn.to_device(tensor, device, memory_config=memory)


def result_of(ttnn, tensor):
    tensor = ttnn.from_device(tensor)
    if tensor.layout != ttnn.ROW_MAJOR_LAYOUT:
        tensor = ttnn.to_layout(tensor, ttnn.ROW_MAJOR_LAYOUT)
    values = np.array(tensor.to_list())
    return values.astype(np.int32 if values.dtype.kind in "iu" else np.float32)


def compare(got, want):
    want = np.asarray(want, np.float64).reshape(got.shape)
    got = got.astype(np.float64)
    flat = want.std() == 0 or got.std() == 0
    pcc = float(np.array_equal(got, want)) if flat else np.corrcoef(got.ravel(), want.ravel())[0, 1]
    return pcc, np.abs(got - want).max()


def one_line(error):
    """The message of a tt-metal error: below its place, above its backtrace."""
    lines = [l.strip() for l in str(error).splitlines() if l.strip()]
    below = lines.index("info:") + 1 if "info:" in lines else 0
    return lines[below] if below < len(lines) else "no message"


def run(ttnn, device, name):
    function, reference, inputs, dtype, keywords = PROGRAMS[name]
    tensors = [tensor_of(ttnn, device, x, dtype, keywords) for x in inputs]
    got = result_of(ttnn, function(ttnn, device, *tensors))
    pcc, error = compare(got, reference(*inputs))
    print(f"result {name} {hashlib.sha256(got.tobytes()).hexdigest()[:32]} {pcc:.6f} {error:.6g}", flush=True)


def mark(count=[0]):
    """Requests the current counters of forward.c, if it is in use."""
    path = os.environ.get("TESSERA_FORWARD_MARKS")
    if path and os.path.exists(path):
        count[0] += 1
        with open(path, "r+b") as file:
            file.write(count[0].to_bytes(8, "little"))


def main():
    if sys.argv[1:] == ["list"]:
        print("\n".join(PROGRAMS))
        return
    import ttnn
    device = ttnn.open_device(device_id=0)
    mark()
    for name in sys.argv[1:] or PROGRAMS:
        print(f"begins {name}", flush=True)
        try:
            run(ttnn, device, name)
        except Exception as error:  # one program that fails must not hide the others
            print(f"failed {name} {one_line(error)}", flush=True)
            if os.environ.get("TESSERA_TTNN_VERBOSE"):
                raise
        mark()
    ttnn.close_device(device)


if __name__ == "__main__":
    main()
