#!/usr/bin/env python3
"""Mutants of correct kernels: one wait, push, pop, barrier or count is changed in each. Counts the mutants that tessera reports.

bugs.py [--build DIR] [--jobs N] [--schedules N] [--only TEXT] [--every N] [--verbose] [--table FILE] [--journal FILE]

Every program of PROGRAMS is compiled, run and explored as it stands: no checker may report a finding (exit code 1). Then every mutant is compiled,
run with the default checkers and with all of them, and explored. A mutant is harmful when it hangs or faults, when its output differs from the
original's, or when some schedule makes it differ. A harmful one is named when the report of the run has an error finding, a hang or a fault
with a line; with both sides when the finding or the hang has both. docs/guide/races.md shows the table that this prints.

With --journal every judged mutant is appended to FILE; a later run with the same FILE, sources and tessera continues where the last one ended.
"""
import argparse, concurrent.futures, hashlib, json, os, random, re, struct, subprocess, sys, tempfile, threading

CORES = {'brisc': ('COMPILE_FOR_BRISC', 0, 8192), 'ncrisc': ('COMPILE_FOR_NCRISC', 1, 8192), 'trisc0': ('TRISC_UNPACK', 2, 4096),
         'trisc1': ('TRISC_MATH', 3, 4096), 'trisc2': ('TRISC_PACK', 4, 4096)}
BF16, BFP8, FP32 = 5, 6, 0
BYTES = {BF16: 2048, BFP8: 1088, FP32: 4096}
IN_A, IN_B, OUT = 0x60000, 0x80000, 0xa0000
BY_ARGUMENT = ['-DMATH_FIDELITY=get_arg_val(3)', '-DMM_THROTTLE=get_arg_val(4)', '-DDST_ACCUM_MODE=get_arg_val(5)',
               '-DDST_SYNC_FULL=get_arg_val(6)', '-DUNPACK_TO_DST=get_arg_val(18)']


def buffers(*rows):
    """(number, pages, format), consecutive from 0x30000 on."""
    at, out = 0x30000, {}
    for number, pages, fmt in rows:
        out[number] = (at, BYTES[fmt], pages, fmt)
        at += (pages * BYTES[fmt] + 31) & ~31
    return out


class Program:
    def __init__(self, name, compute, reader, writer, cbs, args, out_bytes, flags=(), data=16384):
        self.name, self.sources = name, {'compute': compute, 'reader': reader, 'writer': writer}
        self.cbs, self.args, self.out_bytes, self.flags, self.data = cbs, args, out_bytes, list(flags), data

    def fix_arguments(self):
        """Options become constants: ops.c with all of them fills its 24 KiB of L1, and a mutant of it would not fit."""
        self.flags = [re.sub(r'get_arg_val\((\d+)\)', lambda m: str(self.args.get(int(m.group(1)), 0)), f) for f in self.flags]

    def source_of(self, core):
        return self.sources['writer' if core == 'brisc' else 'reader' if core == 'ncrisc' else 'compute']


E_, M_, S_, K_, B_ = 'examples/eltwise/', 'examples/matmul/', 'examples/softmax/', 'tests/kernels/', 'tests/bugs/'
IO = {8: IN_A, 9: IN_B, 10: OUT}
PROGRAMS = [
    Program('matmul', M_ + 'compute.c', M_ + 'reader.c', M_ + 'writer.c', buffers((0, 2, BF16), (1, 2, BF16), (16, 2, BF16)),
            {0: 2, 1: 3, 2: 2, 3: 0, **IO}, 4 * 2048, BY_ARGUMENT),
    Program('matmul32', M_ + 'compute.c', M_ + 'reader.c', M_ + 'writer.c', buffers((0, 3, BF16), (1, 2, BF16), (16, 1, FP32)),
            {0: 1, 1: 3, 2: 3, 3: 2, 5: 1, **IO}, 3 * 4096, BY_ARGUMENT),
    Program('eltwise', E_ + 'compute.c', E_ + 'reader.c', E_ + 'writer.c', buffers((0, 2, BF16), (1, 2, BF16), (16, 2, BF16)),
            {0: 6, 7: 0, 12: 3, **IO}, 6 * 2048),
    Program('softmax', S_ + 'compute.c', S_ + 'reader.c', E_ + 'writer.c',
            buffers((0, 2, BF16), (1, 1, BF16), (2, 1, BF16), (16, 2, BF16), (24, 1, BF16), (25, 2, BF16), (26, 1, BF16)),
            {0: 6, 1: 3, 2: 2, **IO}, 6 * 2048),
    Program('noc', E_ + 'compute.c', B_ + 'noc_reader.c', B_ + 'noc_writer.c', buffers((0, 2, BF16), (1, 2, BF16), (16, 2, BF16)),
            {0: 6, 7: 2, **IO}, 6 * 2048),
    Program('formats', B_ + 'formats.c', E_ + 'reader.c', B_ + 'formats_writer.c',
            buffers((0, 2, BF16), (1, 2, BFP8), (16, 2, BF16), (17, 2, BFP8)), {0: 4, **IO}, 4 * (2048 + 1088)),
    Program('deep', K_ + 'deep_matmul.c', K_ + 'feed.c', K_ + 'drain.c', buffers((0, 16, BF16), (1, 16, BF16), (16, 2, BF16)),
            {0: 2, 1: 16, 2: 2, 15: 8, 16: 8, 17: 4}, 0, ['-DMATH_FIDELITY=0']),
    Program('flags', 'kernels/empty.c', B_ + 'flags_reader.c', B_ + 'flags_writer.c', {}, {0: 8, 8: IN_A, 10: OUT}, 512),
    Program('reduce', K_ + 'ops.c', E_ + 'reader.c', E_ + 'writer.c', buffers((0, 2, BF16), (1, 2, BF16), (16, 2, BF16)),
            {0: 5, 7: 3, 11: 0, 12: 0, 3: 4, **IO}, 5 * 2048, BY_ARGUMENT),
    Program('transpose', K_ + 'ops.c', E_ + 'reader.c', E_ + 'writer.c', buffers((0, 2, FP32), (1, 2, FP32), (16, 2, FP32)),
            {0: 4, 7: 2, 5: 1, 18: 1, 3: 4, **IO}, 4 * 4096, BY_ARGUMENT),
    Program('copy', K_ + 'ops.c', E_ + 'reader.c', E_ + 'writer.c', buffers((0, 2, FP32), (1, 2, FP32), (16, 2, FP32)),
            {0: 4, 7: 1, 5: 1, 18: 1, 3: 4, **IO}, 4 * 4096, BY_ARGUMENT),
    Program('copy8', K_ + 'ops.c', E_ + 'reader.c', E_ + 'writer.c', buffers((0, 8, FP32), (1, 8, FP32), (16, 2, FP32)),
            {0: 8, 7: 1, 5: 1, 18: 1, 3: 4, **IO}, 8 * 4096, BY_ARGUMENT),
    Program('relu', K_ + 'ops.c', E_ + 'reader.c', E_ + 'writer.c', buffers((0, 2, BF16), (1, 2, BF16), (16, 2, BF16)),
            {0: 5, 7: 0, 11: 1, 12: 0, 13: 1, 3: 4, **IO}, 5 * 2048, BY_ARGUMENT),
    Program('full', M_ + 'compute.c', M_ + 'reader.c', M_ + 'writer.c', buffers((0, 2, BF16), (1, 2, BF16), (16, 2, BF16)),
            {0: 2, 1: 2, 2: 2, 3: 3, 6: 1, **IO}, 4 * 2048, BY_ARGUMENT),
]
LIBRARY = ['circular_buffer.h', 'dst_sync.h', 'unpack.h', 'pack.h', 'math_ops.h', 'math_reduce.h', 'tilize.h', 'tensix_core.h', 'sfpu.h',
           'compute.h', 'noc.h', 'dataflow.h']

# For a mutant of the library: programs that call most of it.
LIBRARY_PROGRAMS = 'matmul softmax copy transpose relu noc formats full reduce deep copy8'.split()

# What this model of the hardware cannot show and a document says: (program or '', mutant, why). The flags lie in L1, as their data does: stores to one
# region arrive in order, and the fence is not needed.
BY_HAND = [('', 'delete l1_fence', 'MemoryOrdering.md: stores to L1 and to stream registers arrive in any order'),
           ('deep', 'cb_reserve_back', 'the pages hold the same numbers in every round, so that no output differs'),
           ('deep', 'cb_wait_front', 'the pages hold the same numbers in every round, so that no output differs'),
           ('deep', 'pack_tile', 'the drain looks at no output'),
           ('deep', 'matmul_tiles', 'the drain looks at no output'),
           ('softmax', 'compute.c:36 delete tile_regs_acquire', 'math writes a half of Dst that the packer may still read'),
           ('softmax', 'compute.c:47 delete tile_regs_acquire', 'math writes a half of Dst that the packer may still read'),
           ('softmax', 'reader.c:6 cb_reserve_back count - 1', 'a page that is not known to be free'),
           ('noc', 'compute.c:15 delete cb_wait_front', 'the pages of B come after those of A, which is waited for'),
           ('noc', 'compute.c:15 cb_wait_front count - 1', 'the pages of B come after those of A, which is waited for'),
           ('noc', 'noc_reader.c:9 delete cb_reserve_back', 'B is popped after A, whose room is waited for'),
           ('noc', 'noc_reader.c:9 cb_reserve_back count - 1', 'B is popped after A, whose room is waited for'),
           ('noc', 'noc_writer.c:10 delete noc_async_write_barrier', 'the page is popped while it is being sent'),
           *[(p, f'ops.c:83 {what}', 'a page of B is popped before it is pushed, and the wait of the reader for room never ends') for p in ('transpose', 'copy', 'copy8')
             for what in ('delete cb_wait_front', 'cb_wait_front count - 1')],
           ('copy8', 'reader.c:7 cb_reserve_back count - 1', 'reserves nothing: the pages suffice for just these eight tiles')]

# Judged harmless against BY_HAND: the wait for B covers A, whose pages the reader pushes first; the reader pushes all pages that are waited for at
# once, and the compute kernel pops all pages that are reserved at once.
SPARED = [('deep', 'deep_matmul.c:13 delete cb_wait_front'), ('deep', 'deep_matmul.c:13 cb_wait_front count - 1'), ('deep', 'deep_matmul.c:14 cb_wait_front count - 1'),
          ('deep', 'feed.c:8 cb_reserve_back count - 1'), ('deep', 'feed.c:10 cb_reserve_back count - 1')]

CALLS = ('cb_wait_front cb_reserve_back cb_push_back cb_pop_front tile_regs_acquire tile_regs_commit tile_regs_wait tile_regs_release '
         'l1_fence noc_async_read_barrier noc_async_write_barrier tensix_sync mop_sync TTI_STALLWAIT TT_STALLWAIT TTI_SEMWAIT TTI_SEMPOST '
         'TT_SEMPOST TTI_SEMGET TT_SEMGET t6_semaphore_post t6_semaphore_get t6_mutex_acquire t6_mutex_release tt_poll semaphore_post '
         'cb_publish CB_SPIN_WHILE reduce_init mm_init_short compute_reconfigure_inputs pack_reconfig_data_format copy_tile_init '
         'pack_reconfigure unpack_configure math_configure pack_relu_config sub_tiles_bcast_init mul_tiles_bcast_init').split()
DELETE = re.compile(r'(?<![\w#])(%s)\s*\(' % '|'.join(CALLS))
COUNTED = re.compile(r'(?<!\w)(cb_wait_front|cb_reserve_back|cb_push_back|cb_pop_front)\(([^,()]+), ([^;]+?)\);')
INDEXED = re.compile(r'(?<!\w)(pack_tile|copy_tile|matmul_tiles|eltwise_tiles|l1_copy|noc_async_read|noc_async_write)\(')


def end_of_call(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += text[i] == '('
        depth -= text[i] == ')'
        if text[i] == ')' and depth == 0:
            return i + 1
    return -1


def code_part(line):
    return re.sub(r'/\*.*?\*/|//.*', lambda m: ' ' * len(m.group()), line)


def mutants_of(path, kernel):
    """(line number, what, mutated text) of one source."""
    lines = open(path).read().split('\n')
    for number, line in enumerate(lines):
        code = code_part(line)
        if code.lstrip().startswith(('#', '*', '/*', 'TT_INLINE', 'static inline')):
            continue
        edits = []
        for m in DELETE.finditer(code):
            end = end_of_call(code, m.end() - 1)
            if end > 0:
                edits.append(('delete ' + m.group(1), line[:m.start()] + '((void)0)' + line[end:]))
        if kernel:
            for m in COUNTED.finditer(code):
                for change in ('+ 1', '- 1'):
                    edits.append((f'{m.group(1)} count {change}', line[:m.start(3)] + f'({m.group(3)}) {change}' + line[m.end(3):]))
            for m in INDEXED.finditer(code):
                end = end_of_call(code, m.end() - 1)
                parts = split_arguments(line[m.end():end - 1]) if end > 0 else []
                step = 1 if m.group(1) in ('pack_tile', 'copy_tile', 'matmul_tiles', 'eltwise_tiles') else 16
                which = {'pack_tile': 0, 'copy_tile': 1, 'matmul_tiles': 2, 'eltwise_tiles': 2}.get(m.group(1), 0)
                if len(parts) > which:
                    parts[which] = f' ({parts[which].strip()}) + {step}'
                    edits.append((f'{m.group(1)} argument {which} + {step}', line[:m.end()] + ','.join(parts) + line[end - 1:]))
        for what, changed in edits:
            if changed != line:
                yield number + 1, what, '\n'.join(lines[:number] + [changed] + lines[number + 1:])


def split_arguments(text):
    parts, depth, now = [], 0, ''
    for ch in text:
        depth += ch in '('
        depth -= ch in ')'
        if ch == ',' and depth == 0:
            parts.append(now)
            now = ''
        else:
            now += ch
    return parts + [now]


class Rig:
    def __init__(self, o):
        self.o, self.work = o, tempfile.mkdtemp(prefix='tessera-bugs.')
        self.cc = [*o.cc.split(), '-march=rv32im_zba_zbb', '-mabi=ilp32', '-ffreestanding', '-nostdlib', '-O2', '-g', '-DKERNEL_UNCHECKED',
                   '-fno-tree-loop-distribute-patterns', '-w']
        for i, at in enumerate((IN_A, IN_B)):
            r = random.Random(i)
            open(f'{self.work}/in{i}', 'wb').write(b''.join(struct.pack('<H', 0x3f00 + r.randrange(0x100)) for _ in range(0x4000)))
        open(f'{self.work}/zeros', 'wb').write(b'\0' * 65536)
        if getattr(o, 'built', False):
            return # no program is compiled
        for core in CORES:
            self.compile_one(['-Ikernels/include'], core, [], 'kernels/firmware/firmware.c', f'{self.work}/{core}.fw.o')
        self.call(self.cc + ['-c', 'kernels/firmware/start.S', '-o', f'{self.work}/start.o'])

    def call(self, command):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def compile_one(self, includes, core, flags, source, out):
        r = self.call(self.cc + [f'-D{CORES[core][0]}', *flags, *includes, '-Itests/kernels', f'-I{self.o.build}/kernels/include', '-c', source,
                                 '-o', out])
        if r.returncode:
            raise RuntimeError(r.stdout.decode())

    def build(self, program, where, sources={}, include=None):
        """Compiles what differs from the original; returns the cores whose object differs."""
        os.makedirs(where, exist_ok=True)
        changed = set()
        for core in CORES:
            source = program.source_of(core)
            elf, original = f'{where}/{core}.elf', f'{self.work}/{program.name}/{core}'
            if where != os.path.dirname(original) and source not in sources and not include:
                os.path.lexists(elf) or os.symlink(f'{original}.elf', elf)
                continue
            includes = ([f'-I{include}'] if include else []) + ['-Ikernels/include', f'-I{os.path.dirname(source)}']
            flags = program.flags if core.startswith('trisc') else []
            self.compile_one(includes, core, flags, sources.get(source, source), f'{where}/{core}.o')
            if where != os.path.dirname(original) and text_of(f'{where}/{core}.o') == text_of(f'{original}.o'):
                os.path.lexists(elf) or os.symlink(f'{original}.elf', elf)
                continue
            changed.add(core)
            self.link(where, core)
        return changed

    def link(self, where, core):
        _, place, local = CORES[core]
        r = self.call(self.cc + [f'{self.work}/start.o', f'{self.work}/{core}.fw.o', f'{where}/{core}.o', '-T', 'kernels/firmware/tensix.ld',
                                 f'-Wl,--defsym,CODE_BASE={0x2000 + place * 0x6000},--defsym,LOCAL_BYTES={local},--no-warn-rwx-segments',
                                 '-o', f'{where}/{core}.elf'])
        if r.returncode:
            raise RuntimeError(r.stdout.decode())

    def command(self, verb, program, where):
        c = [f'{self.o.build}/tessera', verb]
        for core in CORES:
            c += ['--elf', f'{core}={where}/{core}.elf']
        c += ['--poke', '0x40=0x80', '--poke', '0x54=1', '--load', f'{IN_A}:{self.work}/in0', '--load', f'{IN_B}:{self.work}/in1']
        for number, row in program.cbs.items():
            for i, value in enumerate(row):
                c += ['--poke', f'{0x88 + 16 * number + 4 * i}={value}']
            if not program.out_bytes:
                c += ['--load', f'{row[0]}:{self.work}/zeros'] if row[0] + 65536 <= IN_A or number == 0 else []
        for number, value in program.args.items():
            c += ['--poke', f'{0x288 + 4 * number}={value}']
        return c + ['--max-cycles', '3000000']

    def run(self, program, where, checks):
        json_path, dump = f'{where}/{checks}.json', f'{where}/{checks}.out'
        c = self.command('run', program, where) + ['--json', json_path] + (['--check', checks] if checks != 'default' else [])
        if program.out_bytes:
            c += ['--dump', f'{OUT}:{program.out_bytes}:{dump}']
        r = self.call(c)
        out = open(dump, 'rb').read() if program.out_bytes and os.path.exists(dump) else b''
        return r.returncode, json.load(open(json_path)) if os.path.exists(json_path) else {}, out

    def explore(self, program, where, schedules):
        r = self.call(self.command('explore', program, where) + ['--schedules', str(schedules), '--threads', '1'])
        return r.returncode, r.stdout.decode()


def text_of(path):
    subprocess.run(['riscv64-unknown-elf-objcopy', '-g', path, path + '.plain'], stderr=subprocess.DEVNULL, check=True)
    out = open(path + '.plain', 'rb').read()
    return hashlib.sha1(out.replace(os.path.dirname(path).encode(), b'')).digest()


def errors_of(report):
    return [f for f in report.get('findings', []) if f['severity'] == 'error']


def has_line(place):
    return bool(place) and bool(place.get('line'))


def naming(code, report):
    """0: no report, 1: a report without a line, 2: with a line, 3: with both sides."""
    best = 0
    for f in report.get('findings', []):
        if f['severity'] == 'note' and f['id'] != 'CB_LEFT':
            continue
        other = f.get('other')
        level = 1 + has_line(f.get('place')) + (has_line(f.get('place')) and bool(other) and has_line(other.get('place')))
        if f['id'] in ('CB_OVERLAP', 'L1_UNDEFINED', 'GPR_UNDEFINED', 'CODE_WRITTEN', 'STACK_OVERFLOW', 'CB_OUTSIDE', 'DST_CLEARED', 'DST_UNDEFINED_READ', 'DST_PARTIAL_READ', 'NOC_LEFT', 'TENSOR_FORMAT', 'OPERATION_MISMATCH', 'SEM_GET_AT_ZERO'):
            level = max(level, 3 if has_line(f.get('place')) else 1) # the other side is data, not an instruction
        best = max(best, level)
    if code in (3, 4):
        best = max(best, 3)
    return best


def judged_harmful(program, what):
    if any(p == program.name and key in what for p, key in SPARED) or program.name == 'flags':
        return False
    return any(p in ('', program.name) and key in what for p, key, _ in BY_HAND)


def judge(rig, program, where, reference, what, explore=True):
    code, report, out = rig.run(program, where, 'default')
    code_all, report_all, _ = rig.run(program, where, 'all')
    harm = 'hang' if code == 4 else 'fault' if code in (3, 6) else 'output' if out != reference else ''
    if not harm and judged_harmful(program, what):
        harm = 'by hand'
    schedule = ''
    if not harm and explore:
        explored, text = rig.explore(program, where, rig.o.schedules)
        if explored == 5:
            harm, schedule = 'schedule', text
    return dict(code=code, harm=harm, error=bool(errors_of(report_all)), named=naming(code, report), named_all=naming(code_all, report_all), schedule=schedule,
                ids=sorted({f['id'] for f in report.get('findings', []) if f['severity'] != 'note' or f['id'] == 'CB_LEFT'}),
                ids_all=sorted({f['id'] for f in report_all.get('findings', []) if f['severity'] != 'note' or f['id'] == 'CB_LEFT'}))


def originals(rig, only):
    """Builds all programs; returns their outputs and whether any finding was reported."""
    references, good = {}, True
    for p in PROGRAMS:
        where = f'{rig.work}/{p.name}'
        rig.build(p, where)
        code, report, out = rig.run(p, where, 'all')
        references[p.name] = out
        errors = errors_of(report)
        explored, text = rig.explore(p, where, rig.o.schedules) if not only else (0, '')
        if code != 0 or errors or explored != 0:
            good = False
            print(f'not ok: the original {p.name}: code {code}, explore {explored}: {text.strip()} ' +
                  '; '.join(f'{f["id"]} {f["why"]} at {f["place"].get("file")}:{f["place"].get("line")}' for f in errors[:6]))
    return references, good


def all_mutants():
    seen = set()
    for p in PROGRAMS:
        for source in dict.fromkeys(p.sources.values()):
            if source == 'kernels/empty.c':
                continue
            for number, what, text in mutants_of(source, True):
                yield p, source, number, what, text
    for header in LIBRARY:
        path = f'kernels/include/{header}'
        for number, what, text in mutants_of(path, False):
            yield None, path, number, what, text


def work_on(rig, index, mutant, references):
    program, source, number, what, text = mutant
    results = []
    for p in ([program] if program else [q for name in LIBRARY_PROGRAMS for q in PROGRAMS if q.name == name]):
        where = f'{rig.work}/m{index}.{p.name}'
        try:
            if program:
                os.makedirs(where, exist_ok=True)
                mutated = f'{where}/{os.path.basename(source)}'
                open(mutated, 'w').write(text)
                changed = rig.build(p, where, {source: mutated})
            else:
                include = f'{rig.work}/h{threading.get_ident()}' # one directory per worker: ccache then recognises unchanged sources
                os.makedirs(include, exist_ok=True)
                for h in os.listdir('kernels/include'):
                    target = f'{include}/{h}'
                    wanted = text if h == os.path.basename(source) else None
                    if os.path.lexists(target) and (wanted is not None or not os.path.islink(target)):
                        os.unlink(target)
                    if wanted is not None:
                        open(target, 'w').write(wanted)
                    elif not os.path.lexists(target):
                        os.symlink(os.path.abspath(f'kernels/include/{h}'), target)
                changed = rig.build(p, where, {}, include)
        except RuntimeError:
            continue
        if not changed:
            continue
        result = dict(program=p.name, file=os.path.basename(source), line=number, what=what,
                      **judge(rig, p, where, references[p.name], f'{os.path.basename(source)}:{number} {what}', explore=bool(program) or not results))
        if result['harm'] or result['named_all']:
            return [result] # for the library: the program that shows it
        results.append(result)
    return results[:1]


class Journal:
    """One line per judged mutant: its key and its results. The key has what the verdict depends on."""

    def __init__(self, o):
        self.path, self.known = o.journal, {}
        if not self.path:
            return
        sha = hashlib.sha1(open(f'{o.build}/tessera', 'rb').read() + open(__file__, 'rb').read() + str(o.schedules).encode())
        for folder in ('kernels/include', 'kernels/firmware'):
            for name in sorted(f'{top}/{file}' for top, _, files in os.walk(folder) for file in files):
                sha.update(open(name, 'rb').read())
        self.base = sha.hexdigest()
        if os.path.exists(self.path):
            for line in open(self.path):
                if line.endswith('\n'): # else the run was ended while it wrote
                    row = json.loads(line)
                    self.known[row['key']] = row['results']

    def key(self, mutant):
        program, source, number, what, text = mutant
        others = [open(s).read() for s in program.sources.values()] if program else []
        return hashlib.sha1('\0'.join([self.base, program.name if program else '', source, str(number), what, text, *others]).encode()).hexdigest()

    def judged(self, mutant, judge_it):
        if not self.path:
            return judge_it()
        key = self.key(mutant)
        if key not in self.known:
            found = judge_it()
            with open(self.path, 'a') as f:
                f.write(json.dumps(dict(key=key, results=found)) + '\n')
            self.known[key] = found
        return self.known[key]


# The light slice of make test: mutants, the finding that names each, and whether exploring must show it with at most three delays.
SLICE = [('matmul', 'compute.c', 'delete tile_regs_acquire', 'DST_RACE', True), ('matmul', 'reader.c', 'delete cb_reserve_back', 'CB_RACE', True),
         ('matmul', 'reader.c', 'delete l1_fence', 'CB_RACE', False), ('matmul', 'writer.c', 'delete cb_wait_front', 'CB_RACE', False),
         ('noc', 'noc_reader.c', 'delete noc_async_read_barrier', 'CB_RACE', False),
         ('matmul', 'compute.c', 'pack_tile argument 0 + 1', 'DST_CLEARED', False),
         # no agent reads B, but its pop may precede its push: the reader's wait for room then never ends
         ('copy', 'ops.c', '83 delete cb_wait_front', 'CB_COUNT', False), ('copy', 'ops.c', '83 cb_wait_front count - 1', 'CB_COUNT', False)]


# Harmless: the first wait of the compute kernel is for A, and that for B covers it.
COVERED = [('matmul', 'compute.c', 'delete cb_wait_front', 'the wait for B covers it'), ('matmul', 'compute.c', 'cb_wait_front count - 1', 'the wait for B covers it'),
           ('noc', 'noc_reader.c', 'cb_reserve_back count - 1', 'the room for B covers it')]


# Programs that no checker can name: every access is ordered or polled, but the result depends on the order of arrival. tessera explore shows it.
ORDERS = {1: 'two cores count in one polled word', 2: 'a poll that gives up', 3: 'two cores set bits of one polled word',
          4: 'the first one wins', 5: 'less work when it is late'}


def order_program(rig, number):
    where = f'{rig.work}/order{number}'
    p = Program(f'order{number}', 'kernels/empty.c', B_ + 'order_reader.c', B_ + 'order_writer.c', {}, {}, 64)
    os.makedirs(where, exist_ok=True)
    for core in CORES:
        if core.startswith('trisc') and number > min(ORDERS):
            os.symlink(f'{rig.work}/order{min(ORDERS)}/{core}.elf', f'{where}/{core}.elf')
            continue
        rig.compile_one(['-Ikernels/include', '-Itests/bugs'], core, [f'-DORDER={number}'], p.source_of(core), f'{where}/{core}.o')
        rig.link(where, core)
    return p, where


def write_table(path, results):
    with open(path, 'w') as f:
        f.write('| mutants of | number | harmful | named by plain `tessera run` | by `--check all` | harmless | with an error |\n|---|---|---|---|---|---|---|\n')
        library = {os.path.basename(h) for h in LIBRARY}
        group = lambda r: 'the library' if r['file'] in library else r['program']
        for name in [*dict.fromkeys(map(group, results)), '**all**']:
            rows = [r for r in results if name in (group(r), '**all**')]
            harmful, harmless = [r for r in rows if r['harm']], [r for r in rows if not r['harm']]
            f.write(f"| {name} | {len(rows)} | {len(harmful)} | {sum(r['named'] >= 3 for r in harmful)} | {sum(r['named_all'] >= 3 for r in harmful)} "
                    f"| {len(harmless)} | {sum(r['error'] for r in harmless)} |\n")
        f.write('\n| mutant | program | verdict | named by |\n|---|---|---|---|\n')
        for r in results:
            f.write(f"| {r['file']}:{r['line']} {r['what']} | {r['program']} | {r['harm'] or 'harmless'} | {', '.join(r['ids_all']) or ('the report' if r['named_all'] >= 2 else '-')} |\n")


def run_orders(rig, ok, numbers):
    for number in numbers:
        what = ORDERS[number]
        p, where = order_program(rig, number)
        code, report, _ = rig.run(p, where, 'all')
        ok(code == 0 and not report['findings'], f'{what}: no checker has a finding')
        code, text = rig.explore(p, where, 60)
        delays = re.search(r'smallest schedule, (\d+) delay', text)
        ok(code == 5 and delays and int(delays.group(1)) <= 3, f'{what}: explore breaks it with at most three delays')


def run_mutant(rig, p, file, what, where, checks):
    """The report of the first mutant of this kind in the file."""
    source = next(s for s in p.sources.values() if os.path.basename(s) == file)
    text = next(text for line, w, text in mutants_of(source, True) if what in (w, f'{line} {w}'))
    os.makedirs(where, exist_ok=True)
    open(f'{where}/{file}', 'w').write(text)
    rig.build(p, where, {source: f'{where}/{file}'})
    return rig.run(p, where, checks)[1]


def run_slice(rig):
    number, failed = 0, 0

    def ok(good, text):
        nonlocal number, failed
        number += 1
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - {text}", flush=True)

    whole = int(os.environ.get('TESSERA_TEST_SCALE', '100')) >= 100  # make test-all
    rows, covered = (SLICE, COVERED) if whole else (SLICE[::4], COVERED[2:])
    programs = {p.name: p for p in PROGRAMS if p.name in {row[0] for row in rows + covered}}
    for p in programs.values():
        if p.sources['compute'] == K_ + 'ops.c':
            p.fix_arguments()
    for name, p in programs.items():
        rig.build(p, f'{rig.work}/{name}')
        code, report, _ = rig.run(p, f'{rig.work}/{name}', 'all')
        ok(code == 0 and not report['findings'], f'{name} as it stands: no finding from any checker')
    for i, (name, file, what, finding, explored) in enumerate(rows):
        p, where = programs[name], f'{rig.work}/s{i}'
        report = run_mutant(rig, p, file, what, where, 'default')
        sides = [f for f in report.get('findings', []) if f['id'] == finding and has_line(f['place'])]
        ok(any(has_line(f.get('other', {}).get('place')) for f in sides) or finding == 'DST_CLEARED' and sides, f'{name}, {what}: {finding}, with lines')
        if explored:
            code, text = rig.explore(p, where, 40)
            delays = re.search(r'smallest schedule, (\d+) delay', text)
            ok(code == 5 and delays and int(delays.group(1)) <= 3, f'{name}, {what}: explore breaks it with at most three delays')
    for name, file, what, why in covered:
        report = run_mutant(rig, programs[name], file, what, f'{rig.work}/{name}-{what.replace(" ", "-")}', 'all')
        ok(report and not errors_of(report), f'{name}, {what}: no error, {why}')
    flags = next(p for p in PROGRAMS if p.name == 'flags')
    rig.build(flags, f'{rig.work}/flags')
    code, text = rig.explore(flags, f'{rig.work}/flags', 1000 if whole else 150)
    ok(code == 0, f'flags: two cores that hand over words by polling hang in no schedule: {text.splitlines()[0] if text else code}')
    run_orders(rig, ok, list(ORDERS) if whole else [1])
    print(f'1..{number}')
    return failed != 0


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default=os.environ.get('BUILD', 'build'))
    a.add_argument('--cc', default='riscv64-unknown-elf-gcc')
    a.add_argument('--jobs', type=int, default=2)
    a.add_argument('--schedules', type=int, default=60)
    a.add_argument('--only', default='')
    a.add_argument('--every', type=int, default=1)
    a.add_argument('--start', type=int, default=0)
    a.add_argument('--verbose', action='store_true')
    a.add_argument('--json', default='')
    a.add_argument('--table', default='')
    a.add_argument('--journal', default='')
    a.add_argument('--slice', action='store_true')
    o = a.parse_args()
    rig = Rig(o)
    if o.slice:
        code = run_slice(rig)
        subprocess.run(['rm', '-rf', rig.work])
        return code
    for p in PROGRAMS:
        if p.sources['compute'] == K_ + 'ops.c':
            p.fix_arguments()
    references, good = originals(rig, o.only)
    mutants = [m for i, m in enumerate(all_mutants()) if i % o.every == o.start % o.every and o.only in f'{m[0].name if m[0] else "library"}:{m[1]}:{m[2]}:{m[3]}']
    results, journal = [], Journal(o)
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for found in pool.map(lambda x: journal.judged(x[1], lambda: work_on(rig, x[0], x[1], references)), enumerate(mutants)):
            results += found
            for r in found:
                if o.verbose:
                    print(f"{r['program']:10} {r['file']}:{r['line']:<4} {r['what']:32} code {r['code']} harm {r['harm']:9} named {r['named']} all {r['named_all']} "
                          f"{','.join(r['ids'])} | {','.join(r['ids_all'])}", flush=True)
    if o.json:
        json.dump(results, open(o.json, 'w'), indent=1)
    harmful, harmless = [r for r in results if r['harm']], [r for r in results if not r['harm']]
    alarms = [r for r in harmless if r['error']]
    if o.table:
        write_table(o.table, results)
    count = lambda rows, key, level: sum(r[key] >= level for r in rows)
    print(f"note: {len(results)} mutants, {len(harmful)} harmful; named with both sides by the default checkers {count(harmful, 'named', 3)}, "
          f"by all {count(harmful, 'named_all', 3)}; {len(harmless)} harmless, findings on {len(alarms)} of them")
    subprocess.run(['rm', '-rf', rig.work])
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
