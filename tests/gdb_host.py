"""A minimal host program on libttsim.so: BRISC of tile (1,2) runs the code in the file; then the host posts two numbers, one
after the other, and waits for each answer. argv: library, code, and a file that shows the answers; a fourth: the host keeps calling the clock
until that file exists."""
import ctypes
import os
import sys

SOFT_RESET_0 = 0xFFB121B0
BRISC = 1 << 11
GO, DONE, ANSWER = 0x8000, 0x8008, 0x8004

library = ctypes.CDLL(sys.argv[1])


def write(address, data):
    library.libttsim_tile_wr_bytes(1, 2, ctypes.c_uint64(address), data, len(data))


def read(address):
    word = ctypes.create_string_buffer(4)
    library.libttsim_tile_rd_bytes(1, 2, ctypes.c_uint64(address), word, 4)
    return int.from_bytes(word.raw, "little")


library.libttsim_init()
with open(sys.argv[2], "rb") as code:
    write(0, code.read())
write(SOFT_RESET_0, (0x47800 & ~BRISC).to_bytes(4, "little"))
for number in (7, 9):
    write(GO, number.to_bytes(4, "little"))
    for _ in range(10000):
        library.libttsim_clock(100)
        if read(DONE) == number:
            break
    with open(sys.argv[3], "a") as answers:
        answers.write(f"{number} gives {read(ANSWER)}\n")
while len(sys.argv) > 4 and not os.path.exists(sys.argv[4]):
    library.libttsim_clock(100)
library.libttsim_exit()
