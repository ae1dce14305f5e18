"""Matrices as lists of rows, and NumPy files of them without NumPy, for the tests that compare kernels with plain arithmetic."""
import struct

CODES = {"f4": "f", "i4": "i", "u4": "I", "u2": "H", "i1": "b", "u1": "B"}
TYPES = {"bf16": "f4", "fp32": "f4", "fp16": "f4", "bfp8": "f4", "int32": "i4", "int32sm": "i4", "uint32": "u4", "uint16": "u2", "int8": "i1", "u8": "u1"}


def save(path, kind, matrix):
    head = "{'descr': '%s%s', 'fortran_order': False, 'shape': (%d, %d), }" % ("|" if kind[1] == "1" else "<", kind, len(matrix), len(matrix[0]))
    head += " " * (117 - len(head)) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        for row in matrix:
            f.write(struct.pack("<%d%s" % (len(row), CODES[kind]), *row))


def load(path, kind, rows, columns):
    with open(path, "rb") as f:
        values = struct.unpack("<%d%s" % (rows * columns, CODES[kind]), f.read()[128:])
    return [list(values[r * columns : (r + 1) * columns]) for r in range(rows)]


def made(rows, columns, f):
    return [[f(r, c) for c in range(columns)] for r in range(rows)]


def each(f, *matrices):
    return [[f(*numbers) for numbers in zip(*rows)] for rows in zip(*matrices)]


def product(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def clip(least, most):
    return lambda x: max(least, min(most, x))


def tile_of(m, r, c):
    return [row[c : c + 32] for row in m[r : r + 32]]
