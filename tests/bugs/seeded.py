#!/usr/bin/env python3
"""Bugs written by hand, of the kinds that users report. Counts the ones that tessera reports.

seeded.py [--build DIR] [--jobs N] [--only TEXT] [--verbose] [--slice]

The kernels in C are tests/bugs/seeded/*.c with -DBUG=N, the programs in assembly are edits of one pipeline. BUG 0 and the pipeline are correct and
must give no finding. A bug counts as named when plain `tessera run` or `tessera exec` ends with a finding, a hang or a fault that has a line (both sides
where two instructions meet). docs/evidence/bugs.md holds the table that --table writes.
"""
import argparse, concurrent.futures, json, os, shutil, subprocess, sys

sys.path.insert(0, os.path.dirname(__file__))
from bugs import BF16, FP32, BFP8, IO, IN_A, Program, Rig, buffers, naming

D = 'tests/bugs/seeded/'

MOP = """        .store 0xFFB80000, 1
        .store 0xFFB80004, 100
        .store 0xFFB80008, 0x02000000
        .store 0xFFB8000C, 0x02000000
        .store 0xFFB80010, 0x02000000
        .store 0xFFB80014, 0x38004000
        .store 0xFFB80018, 0x02000000
        .store 0xFFB8001C, 0x38004000
        .store 0xFFB80020, 0x38004000
        ttmop 1, 0, 0
"""

# Tiles of 16 x 16 BF16 at 0x20010 and 0x21010 for both unpackers; the packer packs such tiles. twins.py uses these too.
UNPACK_SETUP = '''        ttsetc16 CFG_STATE_ID_StateID, 0
        ttsetc16 SRCA_SET_Base, 4
        ttsetc16 UNPACK_MISC_CFG_CfgContextOffset_0, 0
        .store CFG + 4 * UNP0_ADDR_CTRL_XY_REG_1_Xstride_ADDR32, 0
        .store CFG + 4 * UNP0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 0
        .store CFG + 4 * UNP1_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 0
        .store CFG + 4 * THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, 0x40
        .store CFG + 4 * THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, 256
        .store CFG + 4 * THCON_SEC0_REG0_TileDescriptor_ADDR32, 5 | 1 << 4 | 256 << 16
        .store CFG + 4 * THCON_SEC0_REG0_TileDescriptor_ADDR32 + 4, 1 | 1 << 16
        .store CFG + 4 * THCON_SEC1_REG0_TileDescriptor_ADDR32, 5 | 1 << 4 | 256 << 16
        .store CFG + 4 * THCON_SEC1_REG0_TileDescriptor_ADDR32 + 4, 1 | 1 << 16
        .store CFG + 4 * THCON_SEC0_REG2_Out_data_format_ADDR32, 5 | 2 << 4
        .store CFG + 4 * THCON_SEC0_REG2_Out_data_format_ADDR32 + 4, 0xf
        .store CFG + 4 * THCON_SEC1_REG2_Out_data_format_ADDR32, 5 | 2 << 4
        .store CFG + 4 * THCON_SEC1_REG2_Out_data_format_ADDR32 + 4, 0xf
        .store CFG + 4 * THCON_SEC0_REG3_Base_address_ADDR32, 0x2000
        .store CFG + 4 * THCON_SEC1_REG3_Base_address_ADDR32, 0x2100
        ttsetadcxx p_setadc::UNP_AB, 255, 0
        ttsetadcxy p_setadc::UNP_AB, 0, 0, 0, 0, 0b1011
        ttsetadczw p_setadc::UNP_AB, 0, 0, 0, 0, 0b1111
        ttstallwait p_stall::STALL_UNPACK, p_stall::TRISC_CFG'''
PACK_SETUP = '''        ttsetc16 CFG_STATE_ID_StateID, 0
        .store CFG + 4 * THCON_SEC0_REG1_Disable_zero_compress_ADDR32, 1 | 5 << 4 | 5 << 8
        .store CFG + 4 * PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32, 16 << 8
        .store CFG + 4 * PCK_EDGE_OFFSET_SEC0_mask_ADDR32, 0xffff
        .store CFG + 4 * PCK0_ADDR_CTRL_XY_REG_0_Xstride_ADDR32, 2 | 32 << 16
        .store CFG + 4 * PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32, 512 | 2048 << 16
        .store CFG + 4 * PCK0_ADDR_CTRL_XY_REG_1_Xstride_ADDR32, 0
        ttatgetm mutex::REG_RMW
        ttrmwcib3 0x1e, 10, ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32
        ttatrelm mutex::REG_RMW
        ttsetc16 ADDR_MOD_PACK_SEC0_YsrcIncr, 4
        ttsetc16 ADDR_MOD_PACK_SEC1_YsrcIncr, 1 << 5
        ttsetadcxx p_setadc::PAC, 15, 0
        ttsetadcxy p_setadc::PAC, 0, 0, 0, 0, 0b1011
        ttsetadczw p_setadc::PAC, 0, 0, 0, 0, 0b1111
        ttstallwait p_stall::STALL_PACK | p_stall::STALL_CFG, p_stall::TRISC_CFG'''


def pipeline(n=3):
    """Three tiles of 16 x 16 through unpackers, matrix unit and packer, as .tta."""
    L=[]
    a=L.append
    a('.equ MATH_PACK, 1 << semaphore::MATH_PACK')
    a('.equ CFG, 0xFFEF0000')
    a('.thread 0')
    for w in range(128): a(f'        .store {0x20010+4*w}, 0x3f803f80')
    for w in range(128): a(f'        .store {0x21010+4*w}, 0x40004000')
    a('        .poll 0x2120c, 0xffffffff, 0x40004000')
    a('''        .sync
'''+UNPACK_SETUP)
    for i in range(n):
        a('        ttunpacr 0,0,0,0,0,1,1,0,0,0,0,0,1')
        a('        ttunpacr 1,0,0,0,0,1,1,0,0,0,0,0,1')
    a('''.thread 1
        ttsetc16 CFG_STATE_ID_StateID, 0
        ttseminit 2, 0, MATH_PACK
        ttsetc16 ADDR_MOD_AB_SEC0_SrcAIncr, 8 | 8 << 8
        ttsetc16 ADDR_MOD_DST_SEC0_DestIncr, 8
        ttsetrwc p_setrwc::CLR_NONE, 0, 0, 0, 0, p_setrwc::SET_ABD_F
        ttzeroacc p_zeroacc::CLR_ALL, 0, 0, 0, 0''')
    for i in range(n):
        h=i&1
        a(f'''        ttsemwait p_stall::STALL_MATH | p_stall::STALL_SFPU | p_stall::STALL_SYNC, MATH_PACK, p_stall::STALL_ON_MAX
        ttstallwait p_stall::STALL_CFG, p_stall::MATH
        ttsetc16 DEST_TARGET_REG_CFG_MATH_Offset, {512*h}
        ttelwadd 0, 0, 0, 0, 0
        ttelwadd 0, 0, 0, 0, 0
        ttsetrwc p_setrwc::CLR_AB, 0, 0, 0, 0, p_setrwc::SET_ABD_F
        ttstallwait p_stall::STALL_SYNC, p_stall::MATH | p_stall::WAIT_SFPU
        ttsempost MATH_PACK''')
    a('''.thread 2
        .sync
'''+PACK_SETUP)
    for i in range(n):
        h=i&1
        addr=0x3000+0x100*i
        a(f'''        ttsemwait p_stall::STALL_TDMA, MATH_PACK, p_stall::STALL_ON_ZERO
        ttsetdmareg {addr>>14&3}, {addr&0x3fff}, 0, 8
        ttsetdmareg 0, 0, 0, 9
        ttsetdmareg 0, {512*h}, 0, 10
        ttsetdmareg 0, 0, 0, 11
        ttstallwait p_stall::STALL_CFG, p_stall::THCON | p_stall::PACK
        ttwrcfg 4, p_cfg::WRCFG_32b, THCON_SEC0_REG1_L1_Dest_addr
        ttwrcfg 5, p_cfg::WRCFG_32b, DEST_TARGET_REG_CFG_PACK_SEC0_Offset
        ttnop
        ttnop
        ttpacr 0,0,0,0,0,0,0,0,0,0,0,0
        ttpacr 0,0,0,0,0,0,0,0,0,0,0,0
        ttpacr 0,0,0,0,0,0,0,0,0,0,0,0
        ttpacr 0,0,0,1,0,0,0,0,0,0,0,1
        ttstallwait p_stall::STALL_MATH | p_stall::STALL_SYNC, p_stall::PACK
        ttzeroacc p_zeroacc::CLR_HALF, 0, 0, 0, {h}
        ttsemget MATH_PACK''')
    return '\n'.join(L)+'\n'


# name, what is wrong, and the edits: (old, new, which occurrence; None: all)
ASSEMBLY = [
    ('no wait for math before the post', [('        ttstallwait p_stall::STALL_SYNC, p_stall::MATH | p_stall::WAIT_SFPU\n', '', None)]),
    ('the wait in front of the post names the vector unit', [('STALL_SYNC, p_stall::MATH | p_stall::WAIT_SFPU', 'STALL_SYNC, p_stall::WAIT_SFPU', None)]),
    ('the wait in front of the post blocks the packer', [('STALL_SYNC, p_stall::MATH | p_stall::WAIT_SFPU', 'STALL_PACK, p_stall::MATH | p_stall::WAIT_SFPU', None)]),
    ('post in front of the work', [('        ttelwadd 0, 0, 0, 0, 0\n        ttelwadd', '        ttsempost MATH_PACK\n        ttelwadd 0, 0, 0, 0, 0\n        ttelwadd', None),
                                   ('p_stall::WAIT_SFPU\n        ttsempost MATH_PACK', 'p_stall::WAIT_SFPU', None)]),
    ('no wait for the packer before ZEROACC', [('        ttstallwait p_stall::STALL_MATH | p_stall::STALL_SYNC, p_stall::PACK\n', '', None)]),
    ('the wait before ZEROACC blocks only the semaphore', [('p_stall::STALL_MATH | p_stall::STALL_SYNC, p_stall::PACK', 'p_stall::STALL_SYNC, p_stall::PACK', None)]),
    ('the semaphore goes back before the packer is done', [('        ttstallwait p_stall::STALL_MATH | p_stall::STALL_SYNC, p_stall::PACK', '        ttsemget MATH_PACK\n        ttstallwait p_stall::STALL_MATH | p_stall::STALL_SYNC, p_stall::PACK', None),
                                                          ('0, 0\n        ttsemget MATH_PACK', '0, 0', None), ('0, 1\n        ttsemget MATH_PACK', '0, 1', None)]),
    ('packs with no wait for the semaphore', [('        ttsemwait p_stall::STALL_TDMA, MATH_PACK, p_stall::STALL_ON_ZERO\n', '', None)]),
    ('the packer waits for the wrong condition', [('p_stall::STALL_TDMA, MATH_PACK, p_stall::STALL_ON_ZERO', 'p_stall::STALL_TDMA, MATH_PACK, p_stall::STALL_ON_MAX', None)]),
    ('math does not wait for a free half', [('        ttsemwait p_stall::STALL_MATH | p_stall::STALL_SFPU | p_stall::STALL_SYNC, MATH_PACK, p_stall::STALL_ON_MAX\n', '', None)]),
    ('room for four halves', [('ttseminit 2, 0, MATH_PACK', 'ttseminit 4, 0, MATH_PACK', 0)]),
    ('the semaphore starts at one', [('ttseminit 2, 0, MATH_PACK', 'ttseminit 2, 1, MATH_PACK', 0)]),
    ('the post goes to another semaphore', [('ttsempost MATH_PACK', 'ttsempost 1 << 3', None)]),
    ('the packer gives another semaphore back', [('ttsemget MATH_PACK', 'ttsemget 1 << 3', None)]),
    ('the address goes into Config with no wait for the scalar unit and the packer', [('        ttstallwait p_stall::STALL_CFG, p_stall::THCON | p_stall::PACK\n', '', None)]),
    ('the address goes into Config with no wait for the packer', [('p_stall::THCON | p_stall::PACK', 'p_stall::THCON', None),
        ('        ttstallwait p_stall::STALL_MATH | p_stall::STALL_SYNC, p_stall::PACK\n        ttzeroacc p_zeroacc::CLR_HALF, 0, 0, 0, 1', '        ttzeroacc p_zeroacc::CLR_HALF, 0, 0, 0, 1', None)]),
    ('a GPR that no instruction has set', [('ttwrcfg 5,', 'ttwrcfg 21,', 0)]),
    ('stores to the unpackers with no wait for TRISC_CFG', [('        ttstallwait p_stall::STALL_UNPACK, p_stall::TRISC_CFG\n', '', None)]),
    ('the wait for the stores blocks the packer', [('p_stall::STALL_UNPACK, p_stall::TRISC_CFG', 'p_stall::STALL_PACK, p_stall::TRISC_CFG', 0)]),
    ('stores to the packer with no wait for TRISC_CFG', [('        ttstallwait p_stall::STALL_PACK | p_stall::STALL_CFG, p_stall::TRISC_CFG\n', '', None)]),
    ('a base address changes under the unpacker', [('        ttunpacr 1,0,0,0,0,1,1,0,0,0,0,0,1\n.thread 1', '        .store CFG + 4 * THCON_SEC0_REG3_Base_address_ADDR32, 0x2100\n        ttstallwait p_stall::STALL_UNPACK, p_stall::TRISC_CFG\n        ttunpacr 1,0,0,0,0,1,1,0,0,0,0,0,1\n.thread 1', 0)]),
    ('unpacks bytes that no agent has written', [('THCON_SEC1_REG3_Base_address_ADDR32, 0x2100', 'THCON_SEC1_REG3_Base_address_ADDR32, 0x2200', 0)]),
    ('the core stores new data while the unpacker reads', [('.thread 1', '        .store 0x20010, 0x41004100\n.thread 1', 0)]),
    ('one UNPACR does not hand its bank over', [('        ttunpacr 1,0,0,0,0,1,1,0,0,0,0,0,1\n.thread 1', '        ttunpacr 1,0,0,0,0,1,0,0,0,0,0,0,1\n.thread 1', 0)]),
    ('the matrix unit keeps SrcA', [('p_setrwc::CLR_AB', 'p_setrwc::CLR_B', 0)]),
    ('the matrix unit gives the banks back too early', [('        ttelwadd 0, 0, 0, 0, 0\n        ttelwadd 0', '        ttelwadd 3, 0, 0, 0, 0\n        ttelwadd 0', None)]),
    ('a MOP template changes while the MOP expands', [('.thread 2', MOP + '        .store 0xFFB80004, 1\n.thread 2', 0)]),
    ('replays slots that were never recorded', [('.thread 2', '        ttreplay 4, 2, 0, 0\n.thread 2', 0)]),
    ('the packer is set to another half than the one that is ready', [('ttsetdmareg 0, 512, 0, 10', 'ttsetdmareg 0, 0, 0, 10', None)]),
    ('the packer reads 32 bits of a Dst of 16', [('PCK_EDGE_OFFSET_SEC0_mask_ADDR32, 0xffff', 'PCK_EDGE_OFFSET_SEC0_mask_ADDR32, 0xffff\n        .store CFG + 4 * PCK_DEST_RD_CTRL_Read_32b_data_ADDR32, 1', 0)]),
    ('ALU mode changes between two instructions with no wait', [('        ttelwadd 0, 0, 0, 0, 0\n        ttelwadd', '        ttelwadd 0, 0, 0, 0, 0\n        ttrmwcib3 0x20, 0x20, ALU_ACC_CTRL_Fp32_enabled_ADDR32\n        ttelwadd', 0)]),
    ('a mutex that is never released', [('        ttatrelm mutex::REG_RMW\n', '', 0), ('.thread 1\n', '.thread 1\n        ttatgetm mutex::REG_RMW\n        ttatrelm mutex::REG_RMW\n', 0)]),
    ('a result in L1 is read by another core with no semaphore', [('.thread 2', '        .store 0x30010, 5\n.thread 2', 0)]),
]


# Rows of the wait table: waiter, resource and owner; the finding without the wait; a program with the wait before the @ lines.
SFPU = '''.thread 1
        ttsetc16 CFG_STATE_ID_StateID, 0
        ttseminit 2, 0, MATH_PACK
        ttsfploadi 0, 0, 0x3f80
        ttsfpstore 0, 2, 0, 0
        ttsfpstore 0, 2, 0, 2
@       ttstallwait p_stall::STALL_SYNC, p_stall::WAIT_SFPU
        ttsempost MATH_PACK
.thread 2
        ttsemwait p_stall::STALL_TDMA | p_stall::STALL_MATH | p_stall::STALL_SFPU, MATH_PACK, p_stall::STALL_ON_ZERO
        ttzeroacc p_zeroacc::CLR_HALF, 0, 0, 0, 0
'''
GPR_STORE = '''.thread 0
        ttsetc16 CFG_STATE_ID_StateID, 0
        .store 0xFFE00000 + 4 * 20, 7
@       ttstallwait p_stall::STALL_CFG | p_stall::STALL_THCON, p_stall::TRISC_CFG
        ttwrcfg 20, p_cfg::WRCFG_32b, THCON_SEC0_REG3_Base_address_ADDR32
'''
GPR_LOAD = '''.thread 0
        ttsetc16 CFG_STATE_ID_StateID, 0
        ttloadreg 20, (0xFFB40020 - 0xFFB00000) >> 2
@       ttstallwait p_stall::STALL_CFG | p_stall::STALL_THCON, p_stall::THCON
        ttwrcfg 20, p_cfg::WRCFG_32b, THCON_SEC0_REG3_Base_address_ADDR32
'''
TEMPLATE = '.thread 1\n' + MOP + '''@       .sync
        .store 0xFFB80004, 1
'''
ROUNDING = '''.thread 0
        ttsetc16 CFG_STATE_ID_StateID, 0
        ttunpacr_nop 0, 0, 0, 1, 0, 0, 0, 0, 1
        ttunpacr_nop 1, 0, 0, 1, 0, 0, 0, 0, 1
.thread 1
        ttsetc16 CFG_STATE_ID_StateID, 0
        ttelwadd 0, 0, 0, 0, 0
@       ttstallwait p_stall::STALL_CFG, p_stall::MATH
        ttrmwcib0 1, 1, ALU_ROUNDING_MODE_Fpu_srnd_en_ADDR32
        ttsetrwc p_setrwc::CLR_AB, 0, 0, 0, 0, p_setrwc::SET_ABD_F
'''
WAITS = [
    ('SEMPOST waits for the matrix unit: Dst', 'DST_RACE', None, 'ttstallwait p_stall::STALL_SYNC, p_stall::MATH | p_stall::WAIT_SFPU'),
    ('ZEROACC and SEMGET wait for the packer: Dst', 'DST_RACE', None, 'ttstallwait p_stall::STALL_MATH | p_stall::STALL_SYNC, p_stall::PACK'),
    ('UNPACR waits for the core: configuration', 'CFG_RACE', None, 'ttstallwait p_stall::STALL_UNPACK, p_stall::TRISC_CFG'),
    ('PACR waits for the core: configuration', 'CFG_RACE', None, 'ttstallwait p_stall::STALL_PACK | p_stall::STALL_CFG, p_stall::TRISC_CFG'),
    ('SEMPOST waits for the vector unit: Dst', 'DST_RACE', SFPU, None),
    ('the core waits for the MOP expander: template', 'MOP_RACE', TEMPLATE, None),
    ('RMWCIB waits for the matrix unit: configuration', 'CFG_RACE', ROUNDING, None),
    ('WRCFG waits for the core: GPR', 'GPR_RACE', GPR_STORE, None),
    ('WRCFG waits for a load of the scalar unit: GPR', 'GPR_RACE', GPR_LOAD, None),
]


def wait_programs(row):
    """With the wait, and without it."""
    text, line = row[2], row[3]
    if text is None:
        return pipeline(), pipeline().replace(f'        {line}\n', '')
    head = '.equ MATH_PACK, 1 << semaphore::MATH_PACK\n'
    return head + text.replace('@', ' '), head + '\n'.join(x for x in text.split('\n') if not x.startswith('@'))


def run_text(rig, name, text):
    path = f'{rig.work}/{name}.tta'
    open(path, 'w').write(text)
    r = subprocess.run([f'{rig.o.build}/tessera', 'exec', '--json', '--max-cycles', '200000', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        return r.returncode, json.loads(r.stdout)
    except ValueError:
        print('#', r.stderr.decode().strip())
        return r.returncode, {}


def edited(edits):
    text = pipeline()
    for old, new, which in edits:
        assert old in text, old
        if which is None:
            text = text.replace(old, new)
        else:
            parts = text.split(old)
            text = old.join(parts[:which + 1]) + new + old.join(parts[which + 1:])
    return text


TWO = buffers((0, 2, BF16), (1, 2, BF16), (16, 2, BF16))
ONE = Program('add', D + 'compute.c', D + 'reader.c', D + 'writer.c', TWO, {0: 6, **IO}, 6 * 2048)
NOC = Program('noc', D + 'compute.c', D + 'noc_reader.c', D + 'noc_writer.c', TWO, {0: 6, **IO}, 6 * 2048)


def layout(name, cbs, out=6 * 2048, **more):
    return Program(name, D + 'compute.c', D + 'reader.c', D + 'writer.c', cbs, {0: 6, **IO}, out, **more)


def moved(number, address=None, pages=None, page_bytes=None, fmt=None):
    rows = dict(TWO)
    a, b, p, f = rows[number]
    rows[number] = (address or a, page_bytes or b, pages or p, f if fmt is None else fmt)
    return rows


# number (0: the layout is the bug), program, what is wrong
KERNELS = [(n, ONE, None) for n in [*range(1, 18), *range(20, 29), *range(60, 82), *range(83, 92)]]
KERNELS += [(n, NOC, None) for n in [*range(40, 47), *range(50, 56)]]
KERNELS += [
    (82, layout('stale', {**TWO, 17: (0x38000, 4096, 1, FP32)}), None),
    (0, layout('same', moved(1, address=0x30000)), 'two buffers at one address'),
    (0, layout('lap', moved(16, address=0x30000 + 4 * 2048 - 32)), 'the last line of a buffer is the first of the next'),
    (0, layout('small', moved(16, page_bytes=1024)), 'pages of half a tile'),
    (0, layout('format', moved(1, fmt=BFP8)), 'a buffer of BFP8 that the reader fills with BFLOAT16'),
    (0, layout('code', moved(16, address=0x2000 + 3 * 0x6000)), 'a buffer over the code of a core'),
    (0, layout('outofl1', moved(16, address=0x17f800)), 'a buffer that ends past L1'),
    (0, layout('input', moved(16, address=IN_A + 2048)), 'the output buffer lies in the input'),
]


def descriptions():
    """BUG number: the comment beside it."""
    import re
    out = {}
    for name in os.listdir(D):
        for line in open(D + name):
            m = re.match(r'#(?:el)?if (?:.*)BUG [!=]= (\d+).*?/\* (.*?) \*/', line)
            if m and '||' not in line:
                out[int(m.group(1))] = m.group(2)
    return out


def run_kernel(rig, index, row, names, checks):
    number, program, what = row
    where = f'{rig.work}/k{index}'
    flags = program.flags
    os.makedirs(where, exist_ok=True)
    copy = Program(program.name, *[program.sources[k] for k in ('compute', 'reader', 'writer')], program.cbs, program.args, program.out_bytes)
    for core in ('brisc', 'ncrisc', 'trisc0', 'trisc1', 'trisc2'):
        source = copy.source_of(core)
        changed = f'BUG == {number} ' in open(source).read() or f'BUG != {number} ' in open(source).read() or f'BUG == {number}\n' in open(source).read()
        kept = f'{rig.work}/{source.replace("/", "_")}.{core}.elf'
        if number and not changed and os.path.exists(kept):
            os.path.lexists(f'{where}/{core}.elf') or os.symlink(kept, f'{where}/{core}.elf')
            continue
        rig.compile_one(['-Ikernels/include'], core, [*flags, f'-DBUG={number}'], source, f'{where}/{core}.o')
        rig.link(where, core)
        if not number:
            shutil.copy(f'{where}/{core}.elf', kept)
    out = {}
    for check in checks:
        code, report, _ = rig.run(copy, where, check)
        out[check] = (code, report)
    return what or names.get(number, f'BUG {number}'), f'BUG {number}' if number else copy.name, out


def run_assembly(rig, index, row, checks):
    what, edits = row
    path, out = f'{rig.work}/a{index}.tta', {}
    open(path, 'w').write(edited(edits))
    for check in checks:
        c = [f'{rig.o.build}/tessera', 'exec', '--json', '--max-cycles', '200000'] + (['--check', check] if check != 'default' else [])
        r = subprocess.run(c + [path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            out[check] = (r.returncode, json.loads(r.stdout))
        except ValueError:
            out[check] = (r.returncode, {})
            print(r.stdout.decode())
    return what, f'tta {index}', out


def ids(report):
    return ','.join(sorted({f['id'] for f in report.get('findings', []) if f['severity'] != 'note' or f['id'] == 'CB_LEFT'}))


# A note, by decision: ScalarUnit.md needs no wait here.
NOTED = {'the address goes into Config with no wait for the scalar unit and the packer'}


def run_slice(o):
    """The programs in assembly, as TAP: nothing is compiled."""
    o.built = True
    rig, failed = Rig(o), 0
    rows = [('correct', [])] + [row for row in ASSEMBLY if row[0] not in NOTED]
    for i, row in enumerate(rows):
        code, report = run_assembly(rig, i, row, ['default'])[2]['default']
        good = naming(code, report) >= 2 if row[1] else code == 0 and not ids(report)
        failed += not good
        print(f"{'ok' if good else 'not ok'} {i + 1} - {row[0]}: code {code} {ids(report)}")
    for i, row in enumerate(WAITS):
        right, wrong = wait_programs(row)
        for k, text in enumerate((right, wrong)):
            code, report = run_text(rig, f'w{i}.{k}', text)
            good = naming(code, report) >= 3 and row[1] in ids(report) if k else code == 0 and not ids(report)
            failed += not good
            print(f"{'ok' if good else 'not ok'} {len(rows) + 2 * i + k + 1} - {row[0]}, {'without' if k else 'with'} the wait: code {code} {ids(report)}")
    print(f'1..{len(rows) + 2 * len(WAITS)}')
    shutil.rmtree(rig.work)
    return failed != 0


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default=os.environ.get('BUILD', 'build'))
    a.add_argument('--cc', default='riscv64-unknown-elf-gcc')
    a.add_argument('--jobs', type=int, default=2)
    a.add_argument('--only', default='')
    a.add_argument('--table', default='')
    a.add_argument('--keep', action='store_true')
    a.add_argument('--slice', action='store_true')
    o = a.parse_args()
    if o.slice:
        return run_slice(o)
    rig, names = Rig(o), descriptions()
    checks = ['default', 'all']
    chosen = [(0, ONE, 'correct'), (0, NOC, 'correct'), (18, ONE, 'correct')] + KERNELS
    jobs = [lambda row=row, i=i: run_kernel(rig, i, row, names, checks) for i, row in enumerate(chosen) if i < 2 or o.only in f'BUG {row[0]} {row[2]}']
    jobs += [lambda row=row, i=i: run_assembly(rig, i, row, checks) for i, row in enumerate([('correct', [])] + ASSEMBLY)]
    rows, quiet = [], True
    first = [job() for job in jobs[:2]] # shared objects are built first
    jobs[:2] = [lambda r=r: r for r in first]
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for what, name, out in pool.map(lambda job: job(), jobs):
            if o.only not in f'{name} {what}':
                continue
            level = {c: naming(*out[c]) for c in checks}
            rows.append((name, what, out['default'][0], level['default'], level['all'], ids(out['default'][1]), ids(out['all'][1])))
            print(f"{name:10} {what:70} code {out['default'][0]} named {level['default']} all {level['all']} {rows[-1][5]} | {rows[-1][6]}", flush=True)
            if what == 'correct':
                quiet &= out['all'][0] == 0 and not ids(out['all'][1])
    bugs = [r for r in rows if r[1] != 'correct']
    print(f'note: {len(bugs)} seeded bugs; named by the default {sum(r[3] >= 3 for r in bugs)}, by all {sum(r[4] >= 3 for r in bugs)}; correct ones '
          f"{'quiet' if quiet else 'NOT quiet'}")
    if o.table:
        with open(o.table, 'w') as f:
            f.write('| bug | what is wrong | plain run | named by |\n|---|---|---|---|\n')
            for name, what, code, level, _, found, _ in bugs:
                end = {0: 'ends well', 3: 'fault', 4: 'hang', 5: 'error finding'}.get(code, str(code))
                f.write(f"| {name} | {what} | {end} | {found.replace(',', ', ') or ('the report' if level else '**not named**')} |\n")
    if o.keep:
        print(rig.work)
    else:
        shutil.rmtree(rig.work)
    return 0 if quiet else 1


if __name__ == '__main__':
    sys.exit(main())
