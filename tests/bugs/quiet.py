#!/usr/bin/env python3
"""Correct programs: no checker may report a finding.

quiet.py [--build DIR] [--jobs N] [--every N] [--built]

The programs of bugs.py in many option combinations (formats, fidelity, throttle, width and halves of Dst, broadcasts, functions of the vector unit,
timing on and off), the programs in assembly of the tree, and the chip's examples where their kernels are built. Prints TAP; --every N runs every Nth, --built uses the kernels that make has built.
"""
import argparse, concurrent.futures, glob, itertools, json, os, shutil, subprocess, sys

sys.path.insert(0, os.path.dirname(__file__))
from bugs import BF16, BFP8, FP32, BYTES, IO, PROGRAMS, Program, Rig, buffers


def named(name):
    return next(p for p in PROGRAMS if p.name == name)


def varied(base, label, cbs=None, out=None, **args):
    p = Program(base.name, *[base.sources[k] for k in ('compute', 'reader', 'writer')], cbs or base.cbs, {**base.args}, base.out_bytes, base.flags)
    p.args.update({int(k[1:]): v for k, v in args.items()})
    p.label = f'{base.name} {label}'
    return p


def combinations():
    for p in PROGRAMS:
        yield varied(p, 'as it stands')
    for fidelity, throttle, wide, full in itertools.product((0, 2, 3, 4), (0, 1, 3, 5), (0, 1), (0, 1)):
        cbs = buffers((0, 2, BF16), (1, 2, BF16), (16, 2, FP32 if wide else BF16))
        yield varied(named('matmul'), f'fidelity {fidelity}, throttle {throttle}, wide {wide}, full {full}', cbs, a3=fidelity, a4=throttle, a5=wide, a6=full)
    for fmt, pages in itertools.product((BFP8, BF16), (1, 2, 3)):
        cbs = buffers((0, pages, fmt), (1, pages, fmt), (16, pages, fmt))
        yield varied(named('matmul'), f'format {fmt}, {pages} pages', cbs, a3=2)
    for op, broadcast, function in itertools.product((0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 4)):
        yield varied(named('eltwise'), f'op {op}, broadcast {broadcast}, function {function}', a7=op, a11=broadcast, a12=function)
    for dim, pool in itertools.product((0, 1, 2), (0, 1, 2)):
        yield varied(named('reduce'), f'dimension {dim}, pool {pool}', a11=dim, a12=pool)
    for relu in (0, 1, 2, 3):
        yield varied(named('relu'), f'type {relu}', a13=relu)
    for ht, wt in ((1, 1), (2, 3), (3, 2)):
        cbs = buffers((0, wt, BF16), (1, 1, BF16), (2, 1, BF16), (16, 2, BF16), (24, 1, BF16), (25, wt, BF16), (26, 1, BF16))
        yield varied(named('softmax'), f'{ht} x {wt}', cbs, a0=ht * wt, a1=ht, a2=wt)


def loud(report):
    return [f'{f["id"]} at {f.get("place", {}).get("file")}:{f.get("place", {}).get("line")}' for f in report.get('findings', []) if f['severity'] != 'note']


BUILT = {'matmul', 'eltwise', 'softmax'} # with the readers and writers that they have here


def run_one(rig, p, timing):
    where = f'{rig.o.build}/kernels/{p.name}' if rig.o.built else f'{rig.work}/{p.name}'
    path = f'{rig.work}/{abs(hash((p.label, timing)))}.json'
    c = rig.command('run', p, where) + ['--check', 'all', '--timing', timing, '--json', path]
    code = rig.call(c).returncode
    report = json.load(open(path)) if os.path.exists(path) else {}
    return f'{p.label}, timing {timing}', code, loud(report)


def run_assembly(rig, path):
    r = subprocess.run([f'{rig.o.build}/tessera', 'exec', '--check', 'all', '--json', '--max-cycles', '1000000', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        report = json.loads(r.stdout)
    except ValueError:
        report = {}
    return path, r.returncode, loud(report)


def run_chip(rig, path):
    r = subprocess.run([f'{rig.o.build}/tessera', 'chip', 'run', path, '--quiet', '--check', 'all'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return path, r.returncode, [line for line in r.stderr.decode().split('\n') if 'error:' in line or 'warning:' in line][:2]


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default=os.environ.get('BUILD', 'build'))
    a.add_argument('--cc', default='riscv64-unknown-elf-gcc')
    a.add_argument('--jobs', type=int, default=2)
    a.add_argument('--every', type=int, default=1)
    a.add_argument('--built', action='store_true')
    rig = Rig(o := a.parse_args())
    chosen = [x for i, x in enumerate(itertools.product(combinations(), ('cycle', 'off'))) if i % o.every == 0]
    if o.built:
        chosen = [x for x in chosen if x[0].name in BUILT]
    for p in PROGRAMS:
        if not o.built and p.name in {x[0].name for x in chosen}:
            rig.build(p, f'{rig.work}/{p.name}')
    jobs = [lambda x=x: run_one(rig, *x) for x in chosen]
    jobs += [lambda x=x: run_assembly(rig, x) for x in ['tests/asm/handshake.tta', *glob.glob('examples/*.tta'), *sorted(glob.glob('tests/vector/*.tta'))]]
    if o.every == 1 and os.path.exists(f'{o.build}/kernels/grid_add/brisc.elf'):
        jobs += [lambda x=x: run_chip(rig, x) for x in sorted(glob.glob('examples/*/*.chip')) + ['tests/kernels/noc_calls.chip']]
    count = failed = refused = 0
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for label, code, said in pool.map(lambda job: job(), jobs):
            if code in (2, 3) and not said: # a combination that the kernel library rejects
                refused += 1
                continue
            count += 1
            good = code == 0 and not said
            failed += not good
            print(f"{'ok' if good else 'not ok'} {count} - {label}: code {code} {'; '.join(said[:4])}", flush=True)
    print(f"{'ok' if not failed else 'not ok'} {count + 1} - {count} correct programs, {failed} with a finding or another end; {refused} combinations refused by the kernel library")
    print(f'1..{count + 1}')
    shutil.rmtree(rig.work)
    return failed != 0


sys.exit(main())
