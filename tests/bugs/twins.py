#!/usr/bin/env python3
"""Programs in assembly in two versions: one with a bug, and a correct one that looks alike.

twins.py [--build DIR] [--only TEXT] [--verbose] [--keep DIR]

tests/bugs/twins/*.tta: line 1 is what the program does, line 2 (after "- ") what is wrong in the bug. Lines that begin with - belong to the bug
only, those with + to the correct version only; @name inserts a block of BLOCKS. Plain `tessera exec` must name the bug, with both sides where two
instructions meet; `tessera exec --check all --strict` must have no finding in the correct version. Prints TAP.
"""
import argparse, glob, json, os, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(__file__))
from bugs import naming
from seeded import PACK_SETUP, UNPACK_SETUP

D = 'tests/bugs/twins/'
ROWS = '\n'.join([*(f'        .store {0x20010 + 4 * i}, 0x3f803f80' for i in range(128)), *(f'        .store {0x21010 + 4 * i}, 0x40004000' for i in range(128)),
                  '        .poll 0x2120c, 0xffffffff, 0x40004000'])
BLOCKS = {
    # tiles of 16 x 16 BF16 at 0x20010 and 0x21010, and both unpackers set to them
    'unpack': '.thread 0\n' + ROWS + '\n' + UNPACK_SETUP,
    'math': '''        ttsetc16 CFG_STATE_ID_StateID, 0
        ttseminit 2, 0, MATH_PACK
        ttsetc16 ADDR_MOD_AB_SEC0_SrcAIncr, 8 | 8 << 8
        ttsetc16 ADDR_MOD_DST_SEC0_DestIncr, 8
        ttsetrwc p_setrwc::CLR_NONE, 0, 0, 0, 0, p_setrwc::SET_ABD_F
        ttsetc16 DEST_TARGET_REG_CFG_MATH_Offset, 0''',
    'pack': '.thread 2\n' + PACK_SETUP + '''
        ttsetdmareg 0, 0x3000, 0, 8
        ttsetdmareg 0, 0, 0, 9
        ttsetdmareg 0, 0, 0, 10
        ttsetdmareg 0, 0, 0, 11
        ttstallwait p_stall::STALL_CFG, p_stall::THCON
        ttwrcfg 4, p_cfg::WRCFG_32b, THCON_SEC0_REG1_L1_Dest_addr
        ttwrcfg 5, p_cfg::WRCFG_32b, DEST_TARGET_REG_CFG_PACK_SEC0_Offset
        ttnop
        ttnop''',
    'pack_tile': '''        ttpacr 0,0,0,0,0,0,0,0,0,0,0,0
        ttpacr 0,0,0,0,0,0,0,0,0,0,0,0
        ttpacr 0,0,0,0,0,0,0,0,0,0,0,0
        ttpacr 0,0,0,1,0,0,0,0,0,0,0,1''',
    'mop': '''        .store 0xFFB80000, 1
        .store 0xFFB80004, 100
        .store 0xFFB80008, 0x02000000
        .store 0xFFB8000C, 0x02000000
        .store 0xFFB80010, 0x02000000
        .store 0xFFB80014, 0x38004000
        .store 0xFFB80018, 0x02000000
        .store 0xFFB8001C, 0x38004000
        .store 0xFFB80020, 0x38004000''',
}
HEAD = '.equ MATH_PACK, 1 << semaphore::MATH_PACK\n.equ CFG, 0xFFEF0000\n'


def versions(path):
    """What is wrong, the bug, the correct version."""
    lines = open(path).read().split('\n')
    texts = {'-': HEAD, '+': HEAD}
    for line in lines[2:]:
        for sign in texts:
            if line[:1] in '-+' and line and line[0] != sign:
                continue
            text = ' ' + line[1:] if line[:1] in ('-', '+') else line
            texts[sign] += (BLOCKS[line[1:]] if line.startswith('@') else text) + '\n'
    return lines[1][2:], texts['-'], texts['+']


def run(o, path, text, options):
    open(path, 'w').write(text)
    r = subprocess.run([f'{o.build}/tessera', 'exec', '--json', '--max-cycles', '200000', *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        return r.returncode, json.loads(r.stdout)
    except ValueError:
        print('#', r.stderr.decode().strip()[:2000])
        return -1, {}


def loud(report):
    return ','.join(sorted({f['id'] for f in report.get('findings', []) if f['severity'] != 'note'}))


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default=os.environ.get('BUILD', 'build'))
    a.add_argument('--only', default='')
    a.add_argument('--keep', default='')
    a.add_argument('--verbose', action='store_true')
    o = a.parse_args()
    count = failed = 0
    with tempfile.TemporaryDirectory(prefix='tessera-twins.') as work:
        if o.keep:
            os.makedirs(o.keep, exist_ok=True)
        for path in sorted(glob.glob(D + '*.tta')):
            name = os.path.basename(path)[:-4]
            if o.only not in name:
                continue
            what, bug, right = versions(path)
            for text, wanted in ((bug, True), (right, False)):
                code, report = run(o, f"{o.keep or work}/{name}.{'bug' if wanted else 'right'}.tta", text, [] if wanted else ['--check', 'all', '--strict'])
                good = naming(code, report) >= 3 if wanted else code == 0 and not loud(report)
                count += 1
                failed += not good
                print(f"{'ok' if good else 'not ok'} {count} - {name}, {what if wanted else 'correct'}: code {code} {loud(report)}", flush=True)
                if o.verbose and not good:
                    for f in report.get('findings', []):
                        print('#', f['severity'], f['id'], f.get('why', '')[:300], f.get('place', {}).get('line'), f.get('other', {}).get('place', {}).get('line'))
                    print('#', str(report.get('hang', report.get('fault', '')))[:600])
    print(f'1..{count}')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
