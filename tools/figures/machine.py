"""The blocks of the Blackhole chip: one tile and the grid. The grid comes from src/chips/blackhole/grid.def."""
import re

from figures.canvas import Picture

TENSIX_ROWS = range(2, 12)
KIND_FILL = {"T": "unit", "D": "memory", "E": "core", "A": "host", "P": "host", "S": "host", "L": "host"}


def grid():
    """Columns, rows and a function from (x, y) on NoC 0 to the letter of what is there."""
    table = open("src/chips/blackhole/grid.def", encoding="utf-8").read()
    rows = {name: [[cell.strip() for cell in row.split(",")] for row in re.findall(r"^%s\((.*)\)" % name, table, re.M)] for name in ("GRID_COLUMN", "GRID_DRAM", "GRID_PLACE")}
    letter = {"PCIE": "P", "ARC": "A", "SECURITY": "S", "L2CPU": "L"}
    kinds = {(x, int(y)): "D" for x in (0, 9) for _, _, y in rows["GRID_DRAM"]}
    for _, x in rows["GRID_COLUMN"]:
        kinds[int(x), 1] = "E"
        kinds.update({(int(x), y): "T" for y in TENSIX_ROWS})
    kinds.update({(int(x), int(y)): letter[kind] for kind, _, x, y in rows["GRID_PLACE"]})
    return max(x for x, _ in kinds) + 1, max(y for _, y in kinds) + 1, lambda x, y: kinds.get((x, y), "")


def tile(p):
    """One Tensix tile: five cores, three threads, the units, the memories."""
    p.frame(20, 15, 640, 400, "one Tensix tile", "paper")
    for i, name in enumerate(("BRISC", "TRISC0", "TRISC1", "TRISC2", "NCRISC")):
        p.box(40 + i * 122, 50, 112, 38, "core", name, ("data movement", "unpack", "math", "pack", "data movement")[i], size=11)
    for i in range(3):
        x = 162 + i * 122
        p.arrow(x + 56, 88, x + 56, 105)
        p.box(x, 107, 112, 64, "front", f"thread {i}", "FIFO, MOP,", "replay, wait gate", size=11)
        p.arrow(x + 56, 171, x + 56, 191)
    p.box(40, 193, 600, 30, "front", "one arbiter for all threads and units; semaphores, mutexes, STALLWAIT")
    for i, name in enumerate(("unpackers", "matrix unit", "vector unit", "packer", "scalar unit", "mover", "config", "sync, misc")):
        x = 40 + i * 75.5
        p.arrow(x + 35, 223, x + 35, 237)
        p.box(x, 239, 71, 34, "unit", name, size=10)
    for x, lines in ((40, ("SrcA, SrcB", "2 banks each")), (162, ("Dst", "1024 x 16")), (284, ("LRegs", "32 lanes")), (406, ("GPRs", "64 per thread")),
                     (528, ("configuration", "2 banks"))):
        p.box(x, 293, 112, 40, "memory", *lines, size=11)
        p.arrow(x + 56, 273, x + 56, 291, both=True)
    p.box(40, 359, 478, 40, "memory", "L1: 1.5 MiB, 32 banks, ports shared by cores and units", "circular buffers, code, mailboxes", size=11)
    p.box(528, 359, 112, 40, "net", "NIU 0, NIU 1", "registers, requests", size=11)
    p.arrow(96, 333, 96, 357, both=True)
    p.arrow(462, 333, 462, 357, both=True)


def cells(p, left, top, cell, size):
    """The grid, one square per place of NoC 0."""
    columns, rows, kind = grid()
    for y in range(rows):
        for x in range(columns):
            p.rect(left + x * cell, top + y * cell, cell - 2, cell - 2, KIND_FILL.get(kind(x, y), "faint"), 2, 0.5)
            if kind(x, y):
                p.text(left + x * cell + (cell - 2) / 2, top + y * cell + cell / 2 + size / 3, kind(x, y), size)
    return columns, rows


def machine():
    p = Picture(1050, 430, "The blocks of the Blackhole chip that Tessera simulates")
    tile(p)
    left, top, cell = 690, 50, 20
    columns, rows = cells(p, left, top, cell, 9)
    p.text(left, 35, f"the chip: {columns} x {rows}, two NoCs", 14, "bold", "start")
    below = top + rows * cell + 14
    p.text(left, below, "T Tensix  D DRAM  E Ethernet  A ARC  P PCIe  L L2CPU  S security", 11, anchor="start")
    p.box(left, below + 14, 165, 60, "host", "host", "UMD, tt-metal, ttnn", "over libttsim.so", size=11)
    p.box(left + 175, below + 14, 165, 60, "host", "tessera", "run, check, why, trace,", "explore, debug", size=11)
    return p


def route():
    """The round trip of a read on NoC 0: right, then down, both around the edge."""
    cell, left, top = 34, 60, 50
    p = Picture(680, 522, "A read of tile (1,2) from the DRAM port at (0,4) on NoC 0")
    columns, rows = cells(p, left, top, cell, 11)
    mid = lambda x, y: (left + x * cell + 16, top + y * cell + 16)
    for x in range(columns):
        p.text(mid(x, 0)[0], top - 8, str(x), 11)
    for y in range(rows):
        p.text(left - 12, mid(0, y)[1] + 4, str(y), 11)
    p.text(left - 12, top - 8, "y, x", 10)
    right, bottom = left + columns * cell + 4, top + rows * cell + 4
    (x1, y2), (x0, _), y4 = mid(1, 2), mid(0, 2), mid(0, 4)[1]
    low, side = 11, 10  # beside the letters of the cells
    p.path([(x1 + side, y2 + low), (right + 8, y2 + low)], "request", width=2.5)
    p.path([(left - 4, y2 + low), (x0 - side, y2 + low), (x0 - side, y4 + 2)], "request", width=2.5)
    p.path([(x0, y4 + low), (x1 + side, y4 + low), (x1 + side, bottom + 6)], "answer", width=2.5)
    p.path([(x1 + side, top - 4), (x1 + side, y2)], "answer", width=2.5)
    p.text(left, bottom + 26, "request: (1,2) right over the edge to (0,2), down to (0,4): 16 hops right, 2 down", 12, anchor="start", colour="request")
    p.text(left, bottom + 44, "answer: (0,4) right to (1,4), down over the edge to (1,2): 1 hop right, 10 down", 12, anchor="start", colour="answer")
    return p


FIGURES = {"machine": machine, "chip-route": route}
