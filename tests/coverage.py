#!/usr/bin/env python3
"""Line and branch coverage of src from the .gcda files of a build (make coverage): one row per directory, then the files with the most
uncovered lines. Branches from assertions or exception edges of the compiler are not counted separately."""
import json
import os
import subprocess
import sys
from collections import defaultdict


def gcov(build):
    """(lines, branches) by file: {line: hits}, {(line, branch): hits}."""
    lines, branches = defaultdict(lambda: defaultdict(int)), defaultdict(lambda: defaultdict(int))
    notes = [os.path.join(d, f) for d, _, files in os.walk(os.path.join(build, 'obj/src')) for f in files if f.endswith('.gcda')]
    for at in range(0, len(notes), 64):
        out = subprocess.run(['gcov', '--json-format', '--stdout', '--branch-probabilities', *notes[at:at + 64]],
                             capture_output=True, text=True, check=True).stdout
        for document in out.splitlines():
            if not document.strip():
                continue
            for f in json.loads(document)['files']:
                name = os.path.normpath(f['file'])
                if not name.startswith('src/'):
                    continue
                for l in f['lines']:
                    lines[name][l['line_number']] += l['count']
                    for i, b in enumerate(l['branches']):
                        branches[name][l['line_number'], i] += b['count']
    return lines, branches


def share(hit, of):
    return '%5.1f %%' % (100.0 * hit / of) if of else '    -  '


def main():
    lines, branches = gcov(sys.argv[1])
    if not lines:
        sys.exit('coverage: no .gcda file below %s' % sys.argv[1])
    total = defaultdict(lambda: [0, 0, 0, 0])
    for name in lines:
        for key in (os.path.dirname(name), 'src'):
            t = total[key]
            t[0] += sum(1 for h in lines[name].values() if h)
            t[1] += len(lines[name])
            t[2] += sum(1 for h in branches[name].values() if h)
            t[3] += len(branches[name])
    print('%-32s %9s %8s   %9s %8s' % ('directory', 'lines', 'covered', 'branches', 'covered'))
    for key in sorted(total):
        t = total[key]
        print('%-32s %9d %8s   %9d %8s' % (key, t[1], share(t[0], t[1]), t[3], share(t[2], t[3])))
    print('\nfiles with the most uncovered lines')
    missing = sorted(((sum(1 for h in lines[n].values() if not h), n) for n in lines), reverse=True)
    for count, name in missing[:25]:
        print('%6d of %5d  %s' % (count, len(lines[name]), name))


if __name__ == '__main__':
    main()
