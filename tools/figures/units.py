"""The data paths of the units: matrix unit, vector unit, packer."""
from figures.canvas import Picture


def matrix_unit():
    p = Picture(850, 400, "The matrix unit: SrcA, SrcB and Dst, and what an MVMUL does with them")
    p.box(30, 20, 120, 44, "unit", "unpacker 0", "from L1")
    p.box(30, 150, 120, 44, "unit", "unpacker 1", "from L1")
    for y, name, row in ((20, "SrcA", "16 rows of 16"), (150, "SrcB", "8 rows of 16")):
        p.rect(216, y - 6, 130, 50, "memory", 4)
        p.box(210, y, 130, 50, "memory", name, "2 banks of", "64 x 16 x 19 bits", size=10)
        p.arrow(150, y + 22, 208, y + 22)
        p.text(180, y + 14, "fill", 10)
        p.arrow(346, y + 24, 408, y + 24)
        p.text(377, y + 14, row, 9)
    p.text(278, 82, "a bank belongs to the unpacker", 10)
    p.text(278, 95, "or to the matrix unit; the last", 10)
    p.text(278, 108, "reader releases it", 10)
    p.rect(410, 12, 190, 196, "unit", 4)
    p.text(505, 32, "multiply and add", 12, "bold")
    p.lines(505, 56, ("products of 5 bits of SrcA", "and 7 bits of SrcB, chosen", "by the fidelity phase", "", "8 products aligned to the", "largest exponent, summed", "", "two sums and the old Dst", "value added and rounded"), anchor="middle")
    p.box(660, 70, 130, 76, "memory", "Dst", "1024 x 16 x 16 bits", "or 512 x 16 x 32 bits", size=11)
    p.arrow(600, 88, 658, 88)
    p.text(629, 80, "8 x 16", 10)
    p.arrow(660, 126, 602, 126)
    p.text(629, 140, "old value", 10)
    p.box(660, 180, 130, 36, "unit", "packer", "to L1", size=11)
    p.arrow(725, 146, 725, 178)
    p.box(660, 14, 130, 36, "unit", "vector unit", "LRegs", size=11)
    p.arrow(725, 68, 725, 52, both=True)
    p.frame(30, 236, 790, 146, "instructions, by what they move")
    for x, y, lines in ((46, 282, ("MVMUL, DOTPV, GAPOOL: SrcB x SrcA to Dst", "ELWADD, ELWSUB, ELWMUL: element by element to Dst", "GMPOOL: maximum per column to Dst, partial argmax")),
                        (46, 342, ("MOVA2D, MOVB2D, MOVDBGA2D, MOVDBGB2D: Src to Dst", "MOVD2A, MOVD2B: Dst to Src; MOVB2A: SrcB to SrcA")),
                        (480, 282, ("ZEROACC, ZEROSRC: clear Dst, Src", "SHIFTXA, SHIFTXB, TRNSPSRCB: move within a bank", "CLEARDVALID, SETDVALID: release, hand over a bank"))):
        p.lines(x, y, lines, size=11)
    p.lines(480, 342, ("RWC: rows of SrcA, SrcB and Dst of the next", "instruction; ADDR_MOD steps them (rwc.c)"), size=11)
    return p


def vector_unit():
    p = Picture(820, 340, "The vector unit: 32 lanes of 32 bits, five sub-units")
    p.box(30, 96, 110, 90, "memory", "Dst", "four rows,", "even or odd", "columns", size=11)
    p.box(210, 30, 150, 96, "memory", "LReg 0..7", "32 lanes of 32 bits,", "a grid of 4 x 8", size=11)
    p.box(210, 132, 150, 40, "memory", "LReg 8, 9, 10, 15", "constants, lane number", size=11)
    p.box(210, 178, 150, 40, "memory", "LReg 11..14", "set by SFPCONFIG", size=11)
    p.box(210, 224, 150, 40, "memory", "LReg 16", "for SFPLOADMACRO", size=11)
    subs = (("load", "SFPLOAD, SFPLOADI"), ("simple", "moves, compares, integers, SFPSWAP"), ("MAD", "SFPMAD, SFPADD, SFPMUL, LUTs: 2 cycles"), ("round", "SFP_STOCH_RND, SFPSHFT2"), ("store", "SFPSTORE"))
    p.frame(430, 14, 360, 222, "sub-units")
    for i, (name, what) in enumerate(subs):
        y = 44 + i * 37
        p.rect(444, y, 332, 31, "unit", 4)
        p.text(456, y + 20, name, 12, "bold", "start")
        p.text(520, y + 20, what, 11, anchor="start")
    p.arrow(360, 100, 428, 100, both=True)
    p.text(394, 92, "operands", 10)
    p.text(394, 116, "result", 10)
    p.arrow(140, 118, 208, 92)
    p.arrow(208, 116, 140, 150)
    p.text(168, 94, "load", 10)
    p.text(186, 148, "store", 10)
    p.box(30, 282, 330, 44, "front", "lane flags: write or not, for each lane", "and a stack of eight (SFPPUSHC, SFPPOPC)", size=11)
    p.arrow(285, 280, 285, 266)
    p.box(430, 250, 170, 76, "front", "SFPLOADMACRO", "a load, and one scheduled", "instruction for each of", "simple, MAD, round, store", size=11)
    p.arrow(515, 248, 515, 238)
    p.box(620, 250, 170, 76, "front", "issue", "one instruction per cycle;", "holds a reader of a", "two-cycle result", size=11)
    p.arrow(705, 248, 705, 238)
    return p


def packer():
    """Two rows of stages; below each what configures it."""
    p = Picture(960, 270, "The packer: the stages from Dst to L1, and what configures each")
    stages = (("Dst", "memory", ("rows of 16",), ""), ("read interfaces", "unit", ("1 to 4 rows",), "ADC channel 0"), ("early conversion", "unit", ("to the intermediate", "format"), "PCK_DEST_RD_CTRL"),
              ("edge mask", "unit", ("columns and rows",), "PCK_EDGE_*"), ("ReLU", "unit", ("zero or threshold",), "STACC_RELU"), ("exponent histogram", "unit", ("counts exponents",), ""),
              ("exponent threshold", "unit", ("small ones to zero",), "THCON_SEC0_REG1"), ("downsampling", "unit", ("drops datums",), "THCON_SEC0_REG1"),
              ("late conversion", "unit", ("block exponents or", "compression"), "Out_data_format"), ("16-byte buffers", "unit", ("one per section",), ""), ("L1", "memory", ("written, or added to",), "ADC channel 1"))
    for i, (name, kind, what, setting) in enumerate(stages):
        row, column = (0, i) if i < 6 else (1, i - 6)
        x, y = 20 + column * 156, 20 + row * 140
        p.box(x, y, 136, 58, kind, name, *what, size=11)
        p.text(x + 68, y + 76, setting, 10, mono=True)
        if i not in (5, 10):
            p.arrow(x + 136, y + 29, x + 154, y + 29)
    p.path([(868, 78), (868, 124), (88, 124), (88, 158)])
    return p


FIGURES = {"matrix-unit": matrix_unit, "vector-unit": vector_unit, "packer": packer}
