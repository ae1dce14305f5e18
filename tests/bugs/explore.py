#!/usr/bin/env python3
"""Grids under `tessera explore`: racy ones are found, correct ones end alike under every schedule. Prints TAP.

explore.py [--build DIR] [--schedules N] [--all]

Rows are those of users.py: edits of the programs in tests/bugs/users/. With --all every bug of several tiles and every correct program runs, and the
bugs that explore does not show are listed: those that fail in every schedule, and those whose window the model does not have.
"""
import argparse, json, os, shutil, subprocess, sys, tempfile, types

sys.path.insert(0, os.path.dirname(__file__))
import users, users_fetch, users_more, users_own, users_twins

GRIDS = 'pair mcast ring meet remote hop gather cppsem halo swap'.split()
# Races whose two sides are on different tiles.
FOUND = ['pair: no write barrier before the semaphore', 'pair: does not wait for a free slot', 'pair: waits for a slot one page too late',
         'mcast: waits for one receiver of two', 'mcast: no read barrier before the multicast', 'hop: waits for one page too few',
         'ring: no write barrier before the semaphore', 'meet: one inbox for all rounds', 'remote: the producer counts three pages', 'swap: one place for both',
         'halo: one slot for all steps', 'gather: both senders use one slot', 'cppsem: waits for two of three']
QUIET = ['cppsem: the sender does not count itself', 'meet: one inbox and two meetings', 'remote: two stages', 'pingpong: three buffers',
         'halo: one slot and an answer for every edge', 'trid: one barrier for both', 'own: posts by the NoC write of a flag', 'fetchline: takes as many as there are, at once']


def title(row):
    return f'{row[0]}: {row[1]}'


def explore(o, work, row, threads='2'):
    rest = row[2:]
    where = users.make(types.SimpleNamespace(work=work), row[0], [rest[i:i + 3] for i in range(0, len(rest), 3)])
    path = f'{where}/result.json'
    command = [f'{o.build}/tessera', 'explore', where, '--schedules', str(o.schedules), '--threads', threads, '--json', path, '--sarif', f'{where}/result.sarif',
               '--max-cycles', '2000000']
    r = subprocess.run(command, capture_output=True, text=True)
    report = json.load(open(path)) if os.path.exists(path) else {}
    if os.path.exists(f'{where}/result.sarif'):
        document = json.load(open(f'{where}/result.sarif'))
        assert document['version'] == '2.1.0'
        report['rules'] = [f['ruleId'] for f in document['runs'][0]['results']]
    shutil.rmtree(where)
    return r.returncode, report, r.stdout + r.stderr


def complete(report):
    """Both runs, with a line each where a word differs; at most three delays, each with its target."""
    sides = report['difference'] != 'output' or all('.c' in report[k] and 'cycle' in report[k] for k in ('expected_by', 'found_by'))
    return sides and 1 <= len(report['delays']) <= 3 and all(d['target'] for d in report['delays'])


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default=os.environ.get('BUILD', 'build'))
    a.add_argument('--schedules', type=int, default=100)
    a.add_argument('--all', action='store_true')
    o = a.parse_args()
    work, number, failed = tempfile.mkdtemp(prefix='tessera-explore.'), 0, 0
    bugs = [r for r in users.BUGS if r[0] in GRIDS]
    correct = [(name, 'as it is') for name in GRIDS + ['pingpong']] + users_more.CORRECT + users_twins.CORRECT + users_own.CORRECT + users_fetch.CORRECT
    if not o.all:
        bugs = [r for r in bugs if any(title(r).startswith(f) for f in FOUND)]
        correct = [r for r in correct if any(title(r).startswith(f) for f in QUIET) or title(r) in ('mcast: as it is', 'pair: as it is')]
        assert len(bugs) == len(FOUND) and len(correct) == len(QUIET) + 2
        if int(os.environ.get('TESSERA_TEST_SCALE', 100)) < 100:  # make test; make test-all has them all
            bugs, correct = bugs[::5], correct[::4] + correct[-1:]
    for row in bugs:
        code, report, text = explore(o, work, row)
        good = code == 5 and complete(report) and 'another result' not in text
        number, failed = number + 1, failed + (not good and not o.all)
        print(f"{'ok' if good else 'not ok'} {number} - {title(row)}: {text.splitlines()[0][:200] if text else code}", flush=True)
        if number == 1:
            again = explore(o, work, row, '1')[1]
            number += 1
            failed += again != report
            print(f"{'ok' if again == report else 'not ok'} {number} - the result does not depend on the number of host threads")
            number, failed = number + 1, failed + (not report.get('rules'))
            print(f"{'ok' if report.get('rules') else 'not ok'} {number} - SARIF has what the checkers find under the schedule: {report.get('rules')}")
    for row in correct:
        code, report, text = explore(o, work, row)
        good = code == 0 and report.get('broken') == 0 and report.get('rules') == [] and report['schedules'] == o.schedules
        number, failed = number + 1, failed + (not good)
        print(f"{'ok' if good else 'not ok'} {number} - {title(row)}: {text.splitlines()[0][:200] if text else code}", flush=True)
    for program, wanted, said in (('tests/bugs/waits_at_end.tta', 5, 'the word at 0x00010000'), ('tests/hangs/semaphore.tta', 0, 'all end alike: every run hangs, as without delays')):
        r = subprocess.run([f'{o.build}/tessera', 'explore', program, '--schedules', '60'], capture_output=True, text=True)
        good = r.returncode == wanted and said in r.stdout
        number, failed = number + 1, failed + (not good)
        print(f"{'ok' if good else 'not ok'} {number} - {program}, whose runs hang: {r.stdout.splitlines()[0][:200] if r.stdout else r.returncode}")
    print(f'1..{number}')
    shutil.rmtree(work)
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
