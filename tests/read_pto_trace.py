"""Reads traces of a PTO run back and compares them with its JSON report: each block has tracks of its own, and those of the report's block have
its figures. usage: read_pto_trace.py chrome|perfetto|text TRACE REPORT.json"""
import json
import sys

kind, path, report_path = sys.argv[1:4]
report = json.load(open(report_path))


def check(good, what):
    if not good:
        sys.exit(f"{path}: {what}")


def check_order(times):
    """The times of all blocks, in the order of the file."""
    last = 0
    for time in times:
        check(time >= last, f"time goes from {last} to {time}")
        last = time


def check_marks(marks):
    """marks: (time, 'B' | 'E' | 'i' | 'C', track's name, name, value). Slices nest; those of a pipe sum to the report's figure."""
    last, opened, busy, stalled, slots = 0, {}, {}, {}, {}
    for time, phase, track, name, value in marks:
        check(time >= last, f"time goes from {last} to {time}")
        last = time
        if phase == "B":
            opened.setdefault(track, []).append((time, name))
        elif phase == "E":
            check(opened.get(track), f"a slice of {track} ends that has not begun")
            begin, name = opened[track].pop()
            sums = stalled if name.startswith("waits: ") else busy
            sums[track] = sums.get(track, 0) + time - begin
        elif phase == "C" and track.endswith(" slots in use"):
            slots[track] = max(slots.get(track, 0), value)
    check(not any(opened.values()), "a slice does not end")
    check(last <= report["cycles"], "time goes past the end")
    for pipe in report["pipes"]:
        track = f"{pipe['core']} {pipe['pipe']}"
        if pipe["pipe"] != "S":  # the scalar unit's own cycles are not work of a pipe
            check(busy.get(track, 0) == pipe["busy"], f"{track} works {busy.get(track, 0)} cycles, the report has {pipe['busy']}")
        check(stalled.get(track, 0) == pipe["stalled"], f"{track} waits {stalled.get(track, 0)} cycles, not {pipe['stalled']}")
    return slots


def check_blocks(of_block):
    """of_block: marks of each block by its number. All are whole; those of the report's block have its figures."""
    check(sorted(of_block) == list(range(report["blocks"])), f"blocks {sorted(of_block)} of {report['blocks']}")
    for number, marks in of_block.items():
        last, depth = 0, {}
        for time, phase, track, *_ in marks:
            check(time >= last, f"block {number}: time goes from {last} to {time}")
            last = time
            depth[track] = depth.get(track, 0) + {"B": 1, "E": -1}.get(phase, 0)
            check(depth[track] >= 0, f"block {number}: a slice of {track} ends that has not begun")
        check(marks and not any(depth.values()), f"block {number}: a slice does not end")
    return check_marks(of_block[report["block"]])


def check_flows(begins, ends):
    check(begins and ends or report["end"] != "ran", "no arrows")
    check(len(begins) == len(set(begins)), "an arrow begins twice")
    check(set(ends) == set(begins), f"arrows with one end: {sorted(set(ends) ^ set(begins))[:5]}")


def chrome():
    events = json.load(open(path))["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    titles = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    first = min(e["pid"] for e in events)
    of_block = {}
    check_order([e["ts"] for e in events if e["ph"] != "M"])
    for e in events:
        if e["ph"] in "BEiC":
            track = e["name"] if e["ph"] == "C" else names[e["pid"], e["tid"]]
            of_block.setdefault(e["pid"] - first, []).append((e["ts"], e["ph"], track, e.get("name"), e.get("args", {}).get("value")))
    check(report["blocks"] == 1 or all(titles[first + n].startswith(f"PTO, block {n} ") for n in of_block), f"{titles}")
    marks = of_block[report["block"]]
    slots = check_blocks(of_block)
    if report["end"] == "ran":
        check(slots and max(slots.values()) >= 1, "no slot is ever in use")
        check(any(m[1] == "C" and " flag " in m[2] for m in marks), "no flag")
        check(any(m[1] == "B" and " slot " in m[2] and m[3].startswith("tile ") for m in marks), "no tile in a slot")
    check_flows([e["id"] for e in events if e["ph"] == "s"], [e["id"] for e in events if e["ph"] == "f"])


def fields(data):
    """(number, value) of a protobuf message: varints and fixed64 as numbers, the rest as bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 1:
            yield key >> 3, int.from_bytes(data[at:at + 8], "little")
            at += 8
        else:
            check(key & 7 == 2, f"wire type {key & 7}")
            size = varint()
            yield key >> 3, data[at:at + size]
            at += size


def perfetto():
    names, of_block, begins, ends, times = {}, {}, [], [], []
    for number, packet in fields(open(path, "rb").read()):
        check(number == 1, "Trace has packets only")
        packet = dict(fields(packet))
        if 60 in packet:  # track_descriptor
            descriptor = dict(fields(packet[60]))
            names[descriptor[1]] = descriptor.get(2, b"").decode()
        if 11 in packet:  # track_event
            event = list(fields(packet[11]))
            one = dict(event)
            check(one[11] in names, "an event of a track that is not described")
            of_block.setdefault(packet[10] - (2 if report["blocks"] > 1 else packet[10]), []).append((packet[8], " BEiC"[one[9]], names[one[11]], one.get(23, b"").decode(), one.get(30)))
            times.append(packet[8])
            begins += [value for number, value in event if number == 47]
            ends += [value for number, value in event if number == 48]
    check_order(times)
    check_blocks(of_block)
    check_flows(begins, ends)


def text():
    last, busy, seen = 0, {}, set()
    for line in open(path):
        time, rest = line.split(None, 1)
        check(int(time) >= last, f"time goes from {last} to {time}")
        last = int(time)
        words = rest.split()
        if report["blocks"] > 1:
            check(words[0] == "block", f"a line without its block: {line}")
            seen.add(int(words[1]))
            words = words[2:]
            if int(line.split()[2]) != report["block"]:
                continue
        if rest.rstrip().endswith(" cycles") and "waited for" not in rest:
            busy[" ".join(words[:2])] = busy.get(" ".join(words[:2]), 0) + int(words[-2])
    check(report["blocks"] == 1 or len(seen) == report["blocks"], f"blocks {seen}")
    for pipe in report["pipes"]:
        track = f"{pipe['core']} {pipe['pipe']}"
        check(pipe["pipe"] == "S" or busy.get(track, 0) == pipe["busy"], f"{track}: {busy.get(track, 0)}, not {pipe['busy']}")


{"chrome": chrome, "perfetto": perfetto, "text": text}[kind]()
