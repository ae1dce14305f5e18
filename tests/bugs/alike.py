#!/usr/bin/env python3
"""Correct programs: no finding from any checker, and under `tessera explore` every schedule ends alike. Prints TAP.

alike.py [--build DIR] [--schedules N] [--only TEXT] [--threads N] [--list]

The programs: those of bugs.py, the other programs of tests/kernels, the shapes of tests/llk-like (both as make has built them), every example
(folders, chips, assembly), and the compute and dataflow API in C++ (tests/kernels/api_*.cpp), one operation after the other.
"""
import argparse, glob, os, re, shutil, struct, subprocess, sys

sys.path.insert(0, os.path.dirname(__file__))
from bugs import BF16, IO, K_, PROGRAMS, Program, Rig, buffers

INT32 = 8
GO = 0x40 # of the launch block
WIDE = (5, 6, 7) # operations of ops.c with a number of tiles: one here
LLK_HEAP, LLK_BYTES = 0x20000, 0x10000
API_OPERATIONS = {'api_run.cpp': range(22), 'api_run_more.cpp': range(22, 30), 'api_run_rows.cpp': range(37, 41), 'api_run_rows.cpp FIRST_HALF': range(30, 37)}


def of_bugs(rig):
    for p in PROGRAMS:
        if p.sources['compute'] == K_ + 'ops.c':
            p.fix_arguments()
        yield p.name, lambda p=p: rig.build(p, f'{rig.work}/{p.name}') and rig.command('explore', p, f'{rig.work}/{p.name}')


def of_kernels(rig):
    """Programs of make, with the numbers of bugs.py."""
    args = {0: 2, 1: 3, 2: 2, 3: 4, **IO}
    cbs = buffers((0, 2, BF16), (1, 2, BF16), (16, 2, BF16))
    for name in ('matmul_mop', 'matmul_api', 'matmul_llk'):
        p = Program(name, '', '', '', cbs, args, 4 * 2048)
        yield f'tests/kernels/{name}', lambda p=p, name=name: rig.command('explore', p, f'{rig.o.build}/kernels/{name}')
    for op in range(11):
        p = Program('ops', '', '', '', buffers((0, 8, BF16), (1, 8, BF16), (16, 8, BF16)), {0: 4, 7: op, 3: 4, 11: int(op in WIDE), 12: int(op == 5), 15: 1, 16: 4, 17: 4}, 0)
        yield f'tests/kernels/ops operation {op}', lambda p=p: rig.command('explore', p, f'{rig.o.build}/kernels/ops')


def of_llk(rig):
    for where in sorted(glob.glob(f'{rig.o.build}/kernels/llk_*')):
        name = os.path.basename(where)[4:]
        yield f'tests/llk-like {name}', lambda where=where, name=name: llk_command(rig, where, name)


def llk_command(rig, where, name):
    whole = name == 'int32_add'
    command = [f'{rig.o.build}/tessera', 'explore']
    for core in ('brisc', 'trisc0', 'trisc1', 'trisc2'):
        command += ['--elf', f'{core}={where}/{core}.elf']
    for b, number in enumerate((0, 1, 16)):
        at = LLK_HEAP + b * LLK_BYTES
        for i, value in enumerate((at, 4096 if whole else 2048, 16, INT32 if whole else BF16)):
            command += ['--poke', f'{0x88 + 16 * number + 4 * i}={value}']
        if number < 16:
            path = f'{rig.work}/llk{b}.{name}'
            scaler = name.startswith('reduce') and b == 1
            with open(path, 'wb') as f:
                for i in range(LLK_BYTES // 2):
                    value = (0x3f80 if i % 256 < 16 else 0) if scaler else (0 if i % 2 else i + b & 0xffff) if whole else 0x3f00 + (i * 40503 + b >> 4 & 0xff)
                    f.write(struct.pack('<H', value))
            command += ['--load', f'{at}:{path}']
    return command + ['--poke', '0x288=2', '--poke', '0x54=1', '--poke', f'{GO}=0x80', '--max-cycles', '3000000']


def of_examples(rig):
    for path in sorted(glob.glob('examples/*/*.chip')) + ['tests/kernels/noc_calls.chip']:
        folder = os.path.basename(path) == 'kernel.chip'
        target = [os.path.dirname(path), '--build', f'{rig.work}/{os.path.basename(os.path.dirname(path))}.built'] if folder else [path]
        yield os.path.dirname(path) if folder else path, lambda target=target: [f'{rig.o.build}/tessera', 'explore', *target]
    for path in sorted(glob.glob('examples/*.tta')) + ['tests/asm/handshake.tta']:
        yield path, lambda path=path: [f'{rig.o.build}/tessera', 'explore', path]
    new = f'{rig.work}/new'
    yield 'tessera kernel new', lambda: subprocess.run([f'{rig.o.build}/tessera', 'kernel', 'new', new], stdout=subprocess.DEVNULL) and [f'{rig.o.build}/tessera', 'explore', new]


def here_document(script, name):
    """The text that a test's shell script writes to $dir/NAME."""
    return re.search(r'cat > "\$dir/%s" << \'(\w+)\'\n(.*?)\n\1\n' % re.escape(name), open(script).read(), re.S).group(2) + '\n'


def of_api(rig):
    script = 'tests/cli_kernel_api.sh'
    for source, operations in API_OPERATIONS.items():
        file, *define = source.split()
        where = f'{rig.work}/{source.replace(" ", "-")}'
        for op in operations:
            yield f'tests/kernels/{source} operation {op}', lambda where=where, file=file, define=define, op=op: api_command(rig, script, where, file, define, op)
    where = f'{rig.work}/api_noc_run'
    yield 'tests/kernels/api_noc_run.cpp', lambda: noc_command(rig, where)


def api_command(rig, script, where, file, define, op):
    if not os.path.exists(where):
        os.makedirs(where)
        shutil.copy(f'tests/kernels/{file}', f'{where}/compute.cpp')
        for name in ('reader.cpp', 'writer.cpp', 'kernel.chip'):
            text = here_document(script, name)
            text = re.sub(r'tensor ([AB]) \w\.npy', lambda m: f'tensor {m.group(1)} random:64x64:{ord(m.group(1))}', text)
            open(f'{where}/{name}', 'w').write(text)
        options = [x for d in define for x in ('--define', d)]
        subprocess.run([f'{rig.o.build}/tessera', 'kernel', 'build', where, *options], check=True, stdout=subprocess.DEVNULL)
    return [f'{rig.o.build}/tessera', 'explore', where, '--no-build', '--arg', f'compute.0={op}']


def noc_command(rig, where):
    os.makedirs(where)
    shutil.copy('tests/kernels/api_noc_run.cpp', f'{where}/reader.cpp')
    text = here_document('tests/cli_kernel_dataflow.sh', 'kernel.chip')
    open(f'{where}/kernel.chip', 'w').write(re.sub(r'^(expect E|save) .*\n', '', text, flags=re.M))
    return [f'{rig.o.build}/tessera', 'explore', where]


def run_alone(command):
    """Its run without delays: a hang would end alike under every schedule."""
    target = command[2]
    verb = ['chip', 'run'] if target.endswith('.chip') else ['exec'] if target.endswith('.tta') else ['run'] if target.startswith('--') else ['kernel', 'run']
    ends = ['--until', f'{GO}=0'] if '/llk_' in ' '.join(command) else [] # a firmware that waits for the next launch
    return subprocess.run([command[0], *verb, *command[2:], *ends, '--check', 'all'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default=os.environ.get('BUILD', 'build'))
    a.add_argument('--cc', default='riscv64-unknown-elf-gcc')
    a.add_argument('--schedules', type=int, default=1000)
    a.add_argument('--threads', type=int, default=2)
    a.add_argument('--only', default='')
    a.add_argument('--skip', default='', help='a pattern')
    a.add_argument('--list', action='store_true')
    o = a.parse_args()
    rig = Rig(o)
    programs = [row for part in (of_bugs, of_kernels, of_llk, of_examples, of_api) for row in part(rig)]
    programs = [row for row in programs if o.only in row[0] and not (o.skip and re.search(o.skip, row[0]))]
    number = failed = 0
    for title, make in programs:
        if o.list:
            print(title)
            continue
        command = make()
        r = run_alone(command)
        if r.returncode == 0:
            r = subprocess.run(command + ['--schedules', str(o.schedules), '--threads', str(o.threads)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        good = r.returncode == 0 and r.stdout.startswith(f'{o.schedules} schedules')
        number, failed = number + 1, failed + (not good)
        print(f"{'ok' if good else 'not ok'} {number} - {title}: {r.stdout.splitlines()[0][:160] if r.stdout else r.returncode}", flush=True)
        for line in [] if good else r.stdout.splitlines()[1:12]:
            print(f'# {line}')
    print(f'1..{number}')
    shutil.rmtree(rig.work)
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
