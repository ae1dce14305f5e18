"""Checks the calls of a callgrind profile. usage: read_profile.py PROFILE CORE ['CALLER > CALLEE=TIMES' ...]
For every function of the core: its own cycles and those of the functions that it calls are the cycles that its callers have for it. The costs of
the core's own lines are those of the functions that no other one calls, with all that they call."""
import sys

path, core, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]


def check(good, what):
    if not good:
        sys.exit(f"{path}: {what}")


own, out, into, times, total, summed = {}, {}, {}, {}, None, 0
agent = file = caller = callee = callee_file = None
count = 0
for line in open(path):
    key, _, rest = line.rstrip("\n").partition("=")
    if key == "ob":
        agent = rest
    elif key == "fl":
        file = own_file = rest
    elif key == "fi":
        file = rest
    elif key == "fn":
        caller = (own_file, rest)
    elif key == "cfi":
        callee_file = rest
    elif key == "cfn":
        callee, callee_file = (callee_file or file, rest), None
    elif key == "calls":
        count = int(rest.split()[0])
        check(count > 0, f"a call that never happened: {callee}")
    elif line.startswith("totals:"):
        total = int(line.split()[1])
    elif line[0].isdigit():
        cycles = int(line.split()[1])
        if not count:
            summed += cycles
        if agent == core and count:
            out[caller] = out.get(caller, 0) + cycles
            into[callee] = into.get(callee, 0) + cycles
            edge = (caller[1].partition(",")[0], callee[1].partition(",")[0])
            times[edge] = times.get(edge, 0) + count
        elif agent == core:
            own[caller] = own.get(caller, 0) + cycles
        count = 0
check(total == summed, f"totals: {total}, lines: {summed}")
for function in own.keys() | out.keys() | into.keys():
    whole = own.get(function, 0) + out.get(function, 0)
    check(function not in into or whole == into[function], f"{function}: {whole} cycles with its calls, its callers have {into.get(function)}")
roots = [f for f in own.keys() | out.keys() if f not in into]
check(sum(own.values()) == sum(own.get(f, 0) + out.get(f, 0) for f in roots), f"the roots {roots} have not all cycles")
for want in wanted:
    edge, _, number = want.rpartition("=")
    edge = tuple(edge.split(" > "))
    check(times.get(edge) == int(number), f"{want}: {times.get(edge)}")
