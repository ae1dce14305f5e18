"""Where each number of a data tile is: row-major, faces, L1, SrcA and SrcB, Dst, tilize, transposes, compression."""
from figures.canvas import Picture


def table(p, x, y, widths, rows, height=22, kinds=None, mono=True, size=11):
    """Cells with text, row by row; kinds[column] is the fill."""
    for r, row in enumerate(rows):
        at = x
        for c, words in enumerate(row):
            p.rect(at, y + r * height, widths[c], height, (kinds or ["faint"] * len(row))[c])
            p.text(at + widths[c] / 2, y + r * height + height / 2 + 4, words, size, mono=mono)
            at += widths[c]


def row_major():
    p = Picture(640, 170, "A matrix of 64 columns in row-major order; each number is a place in memory")
    p.text(215, 24, "columns 0..31: this tile", 12, "bold")
    p.text(445, 24, "columns 32..63: the next tile", 12, "bold")
    rows = []
    for r in (0, 1, None, 31):
        rows.append(["...", "..."] if r is None else [f"{64 * r + 32 * half}  {64 * r + 32 * half + 1}  ...  {64 * r + 32 * half + 31}" for half in (0, 1)])
        p.text(88, 52 + len(rows) * 26 - 26, "..." if r is None else f"row {r}", 11, anchor="end")
    table(p, 100, 34, (230, 230), rows, 26, ("unit", "faint"))
    p.text(100, 158, "each number is a place in memory, counted in datums", 11, anchor="start")
    return p


def faces():
    """Places of the corner datums of every face, from the formula of the page."""
    place = lambda row, column: (row // 16 * 2 + column // 16) * 256 + row % 16 * 16 + column % 16
    p = Picture(730, 330, "A data tile is four faces of 16 x 16, each row-major, one after the other")
    for column, words in ((0, "columns 0..15"), (16, "columns 16..31")):
        p.text(170 + column * 12.5, 26, words, 12, "bold")
    for face in range(4):
        row, column = face // 2 * 16, face % 2 * 16
        x, y = 70 + column * 12.5, 38 + row * 8
        p.rect(x, y, 200, 128, ("unit", "core", "front", "memory")[face])
        p.text(x + 100, y + 70, f"face {face}", 14, "bold")
        for r, at in ((0, 18), (1, 33), (15, 120)):
            p.text(x + 8, y + at, f"{place(row + r, column)} {place(row + r, column + 1)} ...", 10, anchor="start", mono=True)
            p.text(x + 192, y + at, str(place(row + r, column + 15)), 10, anchor="end", mono=True)
    for words, y in (("rows", 96), ("0..15", 110), ("rows", 224), ("16..31", 238)):
        p.text(38, y, words, 11)
    p.text(500, 52, "order in memory and registers", 12, "bold", "start")
    for face in range(4):
        p.rect(500, 64 + face * 30, 170, 26, ("unit", "core", "front", "memory")[face])
        p.text(585, 81 + face * 30, f"face {face}: datums {256 * face}..{256 * face + 255}", 11)
    p.lines(500, 215, ("datum of (row, column):", "  face = row / 16 * 2 + column / 16", "  place = face * 256", "          + row % 16 * 16", "          + column % 16"), mono=True, size=10)
    p.text(70, 316, "numbers: the place of a datum, counted from the tile's first", 11, anchor="start")
    return p


def in_l1():
    p = Picture(760, 170, "A data tile in L1: header, exponents of block formats, datums")
    p.box(30, 60, 150, 70, "host", "header", "16 x (1 + digest) bytes")
    p.box(180, 60, 240, 70, "front", "exponents (block formats only)", "one byte per 16 datums,", "rounded up to 16 bytes")
    p.box(420, 60, 310, 70, "unit", "datums", "1024 of 2, 4, 8, 16 or 32 bits, low bits first")
    p.arrow(30, 36, 30, 58)
    p.text(38, 40, "Base_address of the unpacker x 16", 11, anchor="start", mono=True)
    p.arrow(180, 152, 180, 132)
    p.text(188, 156, "the unpacker begins here: it skips the header", 11, anchor="start")
    return p


def src_rows():
    p = Picture(760, 240, "A bank of SrcA or SrcB: 64 rows of 16 datums of 19 bits")
    p.text(150, 24, "a bank: 64 rows x 16 columns", 12, "bold")
    rows = [(f"rows {16 * f}..{16 * f + 15}", f"face {f}, rows 0..15") for f in range(4)]
    for f, (where, what) in enumerate(rows):
        p.text(86, 60 + f * 46, where, 11, anchor="end")
        p.box(96, 36 + f * 46, 150, 42, ("unit", "core", "front", "memory")[f], what)
    p.text(510, 24, "a datum: 19 bits", 12, "bold")
    for x, w, kind, words, high, low in ((310, 40, "net", "s", "18", ""), (350, 210, "core", "mantissa, 10 bits", "17", "8"), (560, 168, "front", "exponent, 8 bits", "7", "0")):
        p.text(x + (4 if low else w / 2), 52, high, 10, anchor="start" if low else "middle", mono=True)
        p.text(x + w - 4, 52, low, 10, anchor="end", mono=True)
        p.box(x, 58, w, 34, kind, words)
    for i, (name, what) in enumerate((("TF32", "all 19 bits"), ("BF16", "mantissa in 17..11; 10..8 are zero"), ("FP16", "exponent in 4..0; 7..5 are zero"),
                                      ("INT8", "magnitude in the mantissa, exponent 16"), ("INT16", "high byte above, low byte in 7..0"))):
        p.text(310, 122 + i * 20, name, 11, "bold", "start")
        p.text(370, 122 + i * 20, what, 11, anchor="start")
    return p


def dst_rows():
    p = Picture(760, 230, "Dst: 1024 rows of 16 bits, or 512 rows of 32 bits over the same storage")
    p.text(190, 24, "16-bit view: 1024 rows", 12, "bold")
    for t in range(3):
        p.box(90, 36 + t * 54, 200, 48, ("unit", "core", "front")[t], f"data tile {t}", f"rows {64 * t}..{64 * t + 63}")
    p.text(20, 214, "... data tile 15; face f of data tile t: rows 64 t + 16 f .. + 15", 11, anchor="start")
    p.text(560, 24, "32-bit view: row 8 b + i, i = 0..7", 12, "bold")
    p.text(430, 70, "physical rows", 11, anchor="end")
    p.text(430, 84, "16 b + 0..7", 11, anchor="end", mono=True)
    p.box(440, 46, 290, 52, "unit", "high halves of rows 8 b .. 8 b + 7")
    p.text(430, 124, "physical rows", 11, anchor="end")
    p.text(430, 138, "16 b + 8..15", 11, anchor="end", mono=True)
    p.box(440, 102, 290, 52, "core", "low halves of the same rows")
    p.lines(440, 184, ("high half of row 8 b + i: physical row 16 b + i", "low half: physical row 16 b + 8 + i"), size=11)
    return p


def tilize():
    p = Picture(760, 235, "Tileize_mode: one UNPACR picks a tile out of a row-major matrix")
    p.text(205, 22, "L1, row-major: 64 columns of BF16, stride 128 bytes", 12, "bold")
    p.text(190, 44, "this tile: a line of 32", 11)
    p.text(345, 44, "next tile", 11)
    fills = ("unit", "core")
    for line in range(3):
        y = 52 + line * 30
        p.text(60, y + 18, f"line {line}", 11, anchor="end")
        p.box(70, y, 120, 26, fills[0], "columns 0..15", size=11)
        p.box(190, y, 120, 26, fills[1], "columns 16..31", size=11)
        p.rect(310, y, 70, 26, "faint")
    p.text(190, 160, "... line 31", 11)
    p.arrow(392, 95, 448, 95)
    p.text(420, 86, "UNPACR", 11, "bold")
    p.text(420, 112, "1024 datums", 10)
    p.text(600, 22, "SrcA", 12, "bold")
    for row in range(6):
        y = 34 + row * 26
        p.text(500, y + 17, f"row {row}", 11, anchor="end")
        p.box(510, y, 200, 24, fills[row % 2], f"line {row // 2}, columns " + ("0..15", "16..31")[row % 2], size=11)
    p.text(600, 206, "...", 11)
    p.text(500, 225, "row 63", 11, anchor="end")
    p.text(610, 225, "line 31, columns 16..31", 11)
    return p


def transpose():
    p = Picture(760, 200, "A transposed data tile: within each face, and the order of the faces")
    p.text(185, 22, "within a face: Haloize_mode of unpacker 0 (SrcA)", 12, "bold")
    first = [[str(16 * r + c) for c in range(3)] + [".."] for r in range(3)]
    table(p, 30, 40, (34,) * 4, first, 28, ("unit",) * 4)
    table(p, 210, 40, (34,) * 4, [[first[c][r] for c in range(3)] + [".."] for r in range(3)], 28, ("unit",) * 4)
    p.arrow(172, 82, 204, 82)
    p.lines(30, 148, ("row r, column c goes to row c, column r of the same 16 rows",))
    p.text(575, 22, "of the faces: order of the counters", 12, "bold")
    kinds = ("unit", "core", "front", "memory")
    for left, order in ((430, (0, 1, 2, 3)), (610, (0, 2, 1, 3))):
        for i, face in enumerate(order):
            p.box(left + i % 2 * 60, 40 + i // 2 * 44, 60, 44, kinds[face], str(face))
    p.arrow(560, 84, 602, 84)
    p.lines(430, 148, ("Z counter 0, 2, 1, 3 instead of 0, 1, 2, 3",))
    p.text(30, 182, "Both together transpose the data tile.", 11, anchor="start")
    return p


def compressed():
    """The row of the page, compressed by the rule: a counter of zeros after each datum; first and last datum stay."""
    row = (7, 0, 0, 0, 5, 9, 0, 0)
    datums, counters = [], []
    for i, value in enumerate(row):
        if value or i in (0, len(row) - 1):
            datums.append(value)
            counters.append(0)
        else:
            counters[-1] += 1
    p = Picture(800, 215, "A compressed data tile in L1, and how a row is compressed")
    for x, w, kind, lines in ((20, 70, "host", ("header",)), (90, 190, "front", ("row starts", "16 bits each, rows + 1,", "rounded up to 16 bytes")), (280, 110, "memory", ("exponents", "block formats")),
                              (390, 100, "unit", ("32 datums", "group 0")), (490, 120, "core", ("32 counters", "of 4 bits")), (610, 100, "unit", ("32 datums", "group 1")), (710, 70, "faint", ("...",))):
        p.box(x, 20, w, 62, kind, *lines, size=11)
    p.text(80, 122, "a row", 11, anchor="end")
    table(p, 90, 106, (34,) * len(row), [[str(v) for v in row]], 26, ("faint",) * len(row))
    p.arrow(374, 119, 420, 119)
    for y, name, values, kind in ((106, "datums", datums, "unit"), (140, "counters", counters, "core")):
        p.text(490, y + 17, name, 11, anchor="end")
        table(p, 500, y, (34,) * len(values), [[str(v) for v in values]], 26, (kind,) * len(values))
    p.lines(90, 170, ("the first and the last datum of a row are always kept;", f"row starts: 0, {len(datums)}, ... in datums and counters from the start of group 0"), size=11)
    return p


FIGURES = {"tile-row-major": row_major, "tile-faces": faces, "tile-l1": in_l1, "tile-src": src_rows, "tile-dst": dst_rows, "tile-tilize": tilize,
           "tile-transpose": transpose, "tile-compressed": compressed}
