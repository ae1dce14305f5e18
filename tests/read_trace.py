"""Reads traces of tests/cli_trace.sh back and compares them with the run's JSON report. usage: read_trace.py KIND TRACE REPORT.json;
the zones of a trace are compared with a text trace: read_trace.py zones TRACE TEXT; a part of a trace
with the whole: read_trace.py window PART WHOLE FROM TO, of PTO pto_window; the trace of one core with that of all: read_trace.py cores PART WHOLE NAMES"""
import json
import sys

kind, path, report_path = (sys.argv[1:] + [None])[:3]
report = json.load(open(report_path)) if kind not in ("zones", "window", "pto_window", "cores", "arrows") else None
issued = sum(t["issued"] for t in report["threads"]) if report else 0
THREADS = {"thread 0 (unpack)": 0, "thread 1 (math)": 1, "thread 2 (pack)": 2}


def check(good, what):
    if not good:
        sys.exit(f"{path}: {what}")


def check_marks(marks, names, instructions):
    """marks: (time, 'B' | 'E' | 'i' | 'C', track, name). Slices nest, time never decreases, and every issued instruction is present."""
    last, depth, count = 0, {}, 0
    for time, phase, track, name in marks:
        check(time >= last, f"time goes from {last} to {time}")
        last = time
        if phase == "B":
            depth[track] = depth.get(track, 0) + 1
            count += names[track] in THREADS and name in instructions
        if phase == "E":
            depth[track] = depth.get(track, 0) - 1
            check(depth[track] >= 0, f"a slice of {names[track]} ends that has not begun")
    check(not any(depth.values()), "a slice does not end")
    check(count == issued, f"{count} instructions of threads, the report has {issued}")
    check(last <= report["cycles"] + 200, "time goes past the end")


def check_flows(begins, ends):
    check(begins and ends, "no arrows")
    check(len(ends) == len(set(ends)), "an arrow ends twice")
    check(set(ends) == set(begins), f"arrows with one end: {sorted(set(ends) ^ set(begins))[:5]}")


def instructions():
    import csv

    with open("tests/data/isa_blackhole.csv") as f:
        return {cell for row in csv.reader(f) for cell in row}


def perfetto():
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

    trace = Trace()
    trace.ParseFromString(open(path, "rb").read())
    names, marks, begins, ends, counters = {}, [], [], [], set()
    letters = {
        TrackEvent.TYPE_SLICE_BEGIN: "B",
        TrackEvent.TYPE_SLICE_END: "E",
        TrackEvent.TYPE_INSTANT: "i",
        TrackEvent.TYPE_COUNTER: "C",
    }
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            names[packet.track_descriptor.uuid] = packet.track_descriptor.name
            if packet.track_descriptor.HasField("counter"):
                counters.add(packet.track_descriptor.uuid)
        if packet.HasField("track_event"):
            event = packet.track_event
            check(event.track_uuid in names, "an event of a track that is not described")
            marks.append((packet.timestamp, letters[event.type], event.track_uuid, event.name))
            begins += event.flow_ids
            ends += event.terminating_flow_ids
            check((event.type == TrackEvent.TYPE_COUNTER) == (event.track_uuid in counters), "a counter on no counter's track")
    for wanted in ("NCRISC", "TRISC1", "thread 1 (math)", "unpackers", "SrcA bank 0", "CB 0 pages", "semaphore MATH_PACK"):
        check(wanted in names.values(), f"no track '{wanted}'")
    check_marks(marks, names, instructions())
    check_flows(begins, ends)


def chrome():
    events = json.load(open(path))["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
    marks = [(e["ts"], e["ph"], e["tid"], e.get("name")) for e in events if e["ph"] in "BEiC"]
    check_marks(marks, names, instructions())
    check_flows([e["id"] for e in events if e["ph"] == "s"], [e["id"] for e in events if e["ph"] == "f"])


def check_zone_signal(text):
    """NCRISC_zones is the innermost zone of the text trace after every cycle in which one begins or ends."""
    stack, wanted, found, now, signal = [], {}, {}, 0, None
    for at, letter, name in text:
        stack.append(name) if letter == "b" else stack.pop()
        wanted[at] = stack[-1] if stack else ""
    for line in open(path):
        words = line.split()
        if line.startswith("$var") and words[4] == "NCRISC_zones":
            signal = words[3]
        elif line[0] == "#":
            now = int(line[1:])
        elif line[0] == "s" and words[-1] == signal:
            found[now] = line[1:].rstrip("\n").rpartition(" ")[0]
    check(found == wanted, f"{found}\n{wanted}")


def zones():
    """The zones of a Chrome, Perfetto or VCD trace are those of the text trace (the third argument)."""
    text = []
    for line in open(report_path):
        part = line.split()
        if len(part) == 5 and part[2] == "zone":
            text.append((int(part[0]), part[4][0], part[3]))
    if path.endswith(".vcd"):
        check_zone_signal(text)
        return
    if path.endswith(".json"):
        events = json.load(open(path))["traceEvents"]
        track = [e["tid"] for e in events if e["ph"] == "M" and e["args"]["name"] == "NCRISC zones"]
        marks = [(e["ts"], e["ph"].lower(), e.get("name")) for e in events if e["ph"] in "BE" and e["tid"] in track]
    else:
        from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

        trace = Trace()
        trace.ParseFromString(open(path, "rb").read())
        track = [p.track_descriptor.uuid for p in trace.packet if p.track_descriptor.name == "NCRISC zones"]
        letters = {TrackEvent.TYPE_SLICE_BEGIN: "b", TrackEvent.TYPE_SLICE_END: "e"}
        marks = [
            (p.timestamp, letters[p.track_event.type], p.track_event.name or None)
            for p in trace.packet
            if p.HasField("track_event") and p.track_event.track_uuid in track
        ]
    check(len(track) == 1, "no track of the zones")
    check(marks == [(at, kind, name if kind == "b" else None) for at, kind, name in text], f"{marks}\n{text}")


def slices_of(marks):
    """marks: (time, 'B' | 'E' | 'C' | 'i', track, name or value) in the order of time. Slices, and the values of counters."""
    stacks, slices, values, last = {}, [], [], 0
    for time, phase, track, name in marks:
        check(time >= last, f"time goes from {last} to {time}")
        last = time
        if phase == "B":
            stacks.setdefault(track, []).append((time, name))
        elif phase == "E":
            check(stacks.get(track), f"a slice of {track} ends that has not begun")
            begin, what = stacks[track].pop()
            slices.append((track, begin, time, what))
        elif phase == "C":
            values.append((track, time, name))
    check(not any(stacks.values()), "a slice does not end")
    return slices, values


def marks_of(where):
    """The marks of a Chrome or Perfetto trace with the names of their tracks, and the arrows that begin and end."""
    if where.endswith(".json"):
        events = json.load(open(where))["traceEvents"]
        names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
        marks = [
            (e["ts"], e["ph"], (e["pid"], names.get((e["pid"], e["tid"]), e.get("name"))), e["args"]["value"] if e["ph"] == "C" else e.get("name"))
            for e in events
            if e["ph"] in "BEiC"
        ]
        return marks, [e["id"] for e in events if e["ph"] == "s"], [e["id"] for e in events if e["ph"] == "f"]
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

    trace = Trace()
    trace.ParseFromString(open(where, "rb").read())
    letters = {TrackEvent.TYPE_SLICE_BEGIN: "B", TrackEvent.TYPE_SLICE_END: "E", TrackEvent.TYPE_INSTANT: "i", TrackEvent.TYPE_COUNTER: "C"}
    names, marks, begins, ends = {}, [], [], []
    for p in trace.packet:
        if p.HasField("track_descriptor"):
            names[p.track_descriptor.uuid] = (p.track_descriptor.parent_uuid, p.track_descriptor.name)  # blocks have tracks of one name
        if p.HasField("track_event"):
            e = p.track_event
            what = e.counter_value if e.type == TrackEvent.TYPE_COUNTER else e.name
            marks.append((p.timestamp, letters[e.type], names[e.track_uuid], what))
            begins += e.flow_ids
            ends += e.terminating_flow_ids
    return marks, begins, ends


def window():
    """read_trace.py window PART WHOLE FROM TO: PART is what WHOLE has in these cycles, slices cut at both ends, counters with their values there."""
    first, last = int(sys.argv[4]), int(sys.argv[5])
    marks, begins, ends = marks_of(path)
    slices, values = slices_of(marks)
    whole, all_values = slices_of(marks_of(report_path)[0])
    cut = [(t, max(b, first), min(e, last + 1), n) for t, b, e, n in whole if e > first and b <= last]
    check(sum(b < first for t, b, e, n in whole if e > first) >= 5, "no slice crosses the begin")
    check(sum(e > last + 1 for t, b, e, n in whole if b <= last) >= 2, "no slice crosses the end")
    for extra in sorted(set(slices) - set(cut), key=str)[:5]:
        print("only in the part:", extra, file=sys.stderr)
    for missing in sorted(set(cut) - set(slices), key=str)[:5]:
        print("missing in the part:", missing, file=sys.stderr)
    check(sorted(slices, key=str) == sorted(cut, key=str), f"{len(slices)} slices instead of {len(cut)}")
    at_first = {t: v for t, at, v in all_values if at <= first}
    wanted = sorted([(t, first, v) for t, v in at_first.items()] + [v for v in all_values if first < v[1] <= last], key=str)
    check(sorted(values, key=str) == wanted, "counters")
    check(all(first <= m[0] <= last + 1 for m in marks), "a mark outside the cycles")
    if kind == "pto_window":  # both Vectors may pop one tile of the Cube: two ends of one arrow
        ends = sorted(set(ends))
    check(len(begins) == len(set(begins)) and sorted(begins) == sorted(ends), f"arrows without an end {sorted(set(begins) - set(ends))}, without a begin {sorted(set(ends) - set(begins))}")


def cores():
    """read_trace.py cores PART WHOLE NAME,NAME: PART has of all cores and threads only these. What the tile shares is as in WHOLE."""
    kept = set(sys.argv[4].split(","))
    marks, begins, ends = marks_of(path)
    own = lambda track: track[1] if isinstance(track, tuple) else track
    agents = ("BRISC", "NCRISC", "TRISC", "thread ")
    shared = lambda track: own(track).startswith(("CB ", "semaphore ", "mutex ", "Src"))
    slices, values = slices_of(marks)
    whole, all_values = slices_of(marks_of(report_path)[0])
    check({own(m[2]) for m in marks if own(m[2]).startswith(agents)} == kept, "cores and threads of the trace")
    check(sorted(values, key=str) == sorted(all_values, key=str), f"counters: {sorted(set(values) - set(all_values), key=str)[:3]}")
    check({own(v[0]) for v in values if v[2] == 1} >= {"CB 0 pages", "CB 16 pages"} and any(s[0] and own(s[0]).startswith("SrcA") for s in slices), "what the tile shares")
    instants = lambda of: {(m[0], own(m[2]), m[3]) for m in of if m[1] == "i"}
    foreign = {m for m in instants(marks) - instants(marks_of(report_path)[0]) if m[2] != "ends outside the trace"}
    check(not foreign, f"{sorted(foreign)[:3]} are of other cores")
    missing = set(s for s in whole if shared(s[0]) or own(s[0]) in kept) - set(slices)
    check(not missing, f"{sorted(missing, key=str)[:3]} are missing")
    check(len(begins) == len(set(begins)) and sorted(begins) == sorted(ends), f"arrows without an end {sorted(set(begins) - set(ends))}, without a begin {sorted(set(ends) - set(begins))}")


def arrows():
    """read_trace.py arrows TRACE: every arrow has one begin and one end, and the run was cut: some were not taken."""
    marks, begins, ends = marks_of(path)
    check_flows(begins, ends)
    check(any(m[3] == "not taken until the end" for m in marks if m[1] == "i"), "all are taken")


def stop():
    """read_trace.py stop TRACE REPORT: the trace is in order, its arrows have both ends, and it ends with the cycle of the report, not before, not after."""
    if path.endswith(".vcd"):
        times = [int(line[1:]) for line in open(path) if line[0] == "#"]
    elif path.endswith(".kanata"):
        parts = [line.split("\t") for line in open(path)]
        now, times = 0, []
        for part in parts[1:]:
            now += int(part[1]) if part[0] in ("C", "C=") else 0
            times.append(now)
    elif path.endswith(".txt"):
        times = [int(line.split()[0]) for line in open(path)]
        check(report["cycles"] - 20 < times[-1] <= report["cycles"], f"the last line is of cycle {times[-1]}")
        times.append(report["cycles"] + 1)  # a line is of the cycle in which an instruction begins
    else:
        marks, begins, ends = marks_of(path)
        times = [m[0] for m in marks]
        check_flows(begins, ends)
        if path.endswith(".json"):
            events = json.load(open(path))["traceEvents"]
            starts = [e["ts"] for e in events if "ts" in e]
            check(starts == sorted(starts), "an event is out of order")
            check(all(e["ts"] + e.get("dur", 0) <= report["cycles"] + 1 for e in events if "ts" in e), "a packet after the end")
    check(times == sorted(times), "time goes back")
    check(times[-1] == report["cycles"] + 1, f"the trace ends before cycle {times[-1]}, the report at {report['cycles']}")


def states():
    """read_trace.py states TRACE REPORT: the slices of each core sum to the rows of the account, do not overlap and leave out only resets and stops."""
    account = report["account"]
    if path.endswith(".vcd"):
        slices = vcd_slices()
    else:
        slices = [(t[1], begin, end, name) for t, begin, end, name in slices_of(marks_of(path)[0])[0]]
    seen = set()
    for core, row in account["cores"].items():
        own = sorted(s[1:] for s in slices if s[0] == core)
        check(all(a[1] <= b[0] for a, b in zip(own, own[1:])), f"slices of {core} overlap")
        sums = {}
        for begin, end, name in own:
            category = "issue" if name == "run" else name.removeprefix("waits: ")
            check(category != name, f"{core}: a slice {name}")
            category = "polling" if category.startswith("polling CB ") else category
            sums[category] = sums.get(category, 0) + end - begin
            seen.add(name)
        wanted = {k: v for k, v in row.items() if k not in ("reset", "stopped")}
        check(sums == wanted, f"{core}: the trace has {sums}, the account {wanted}")
    print("\n".join(sorted(seen)))


def vcd_slices():
    """The values of the signals of text: (signal, begin, end, value)."""
    names, since, now, slices = {}, {}, 0, []
    for line in open(path):
        words = line.split()
        if line.startswith("$var") and words[1] == "string":
            names[words[3]] = words[4]
        elif line[0] == "#":
            now = int(line[1:])
        elif line[0] == "s":
            text, _, signal = line[1:].rstrip("\n").rpartition(" ")
            begin, before = since.get(signal, (now, ""))
            if before and now > begin:
                slices.append((names[signal], begin, now, before.replace("_", " ")))
            since[signal] = (now, text)
    return slices


def kanata():
    lines = open(path).read().split("\n")
    check(lines[0] == "Kanata\t0004" and lines[1].startswith("C=\t"), "no head")
    alive, stages, retired, threads = set(), {}, 0, {}
    for line in lines[2:]:
        part = line.split("\t")
        if part[0] == "I":
            check(part[1] not in alive, f"{part[1]} appears twice")
            alive.add(part[1])
            threads[part[1]] = part[3]
        elif part[0] == "S":
            check(part[1] in alive and part[3] in ("W", "H", "X"), f"stage {line}")
            stages.setdefault(part[1], []).append(part[3])
        elif part[0] == "R":
            check(part[1] in alive and stages[part[1]][-1] == "X", f"retires without executing: {line}")
            check(int(part[2]) == retired, "retire numbers do not count up")
            alive.remove(part[1])
            retired += 1
        elif part[0] == "C":
            check(int(part[1]) > 0, "time stands or goes back")
        else:
            check(part[0] in ("L", ""), f"unknown command {line}")
    check(retired == issued, f"{retired} instructions retire, the report has {issued}")
    check(not alive, f"{len(alive)} instructions never retire")
    for thread, row in enumerate(report["threads"]):
        check(sum(t == str(thread) for t in threads.values()) == row["issued"], f"thread {thread}")


def kanata_part():
    """read_trace.py kanata_part PART REPORT: in a narrowed trace, too, each instruction appears once and retires or is flushed once, after its stages."""
    alive, gone, flushed = set(), set(), 0
    for line in open(path).read().split("\n")[2:]:
        part = line.split("\t")
        if part[0] == "I":
            check(part[1] not in alive | gone, f"{part[1]} appears twice")
            alive.add(part[1])
        elif part[0] in ("S", "L"):
            check(part[1] in alive, f"of an instruction that is not there: {line}")
        elif part[0] == "R":
            check(part[1] in alive, f"retires without appearing: {line}")
            check(int(part[2]) == len(gone) and part[3] in ("0", "1"), line)
            flushed += part[3] == "1"
            alive.remove(part[1])
            gone.add(part[1])
    check(gone, "no instruction")
    check(not alive, f"{len(alive)} instructions neither retire nor are flushed")
    print(f"{len(gone)} instructions, {flushed} flushed")


def speedscope():
    profile = json.load(open(path))
    check(profile["$schema"] == "https://www.speedscope.app/file-format-schema.json", "schema")
    frames = len(profile["shared"]["frames"])
    check(all(isinstance(f["name"], str) for f in profile["shared"]["frames"]), "a frame without a name")
    names = set()
    for p in profile["profiles"]:
        names.add(p["name"])
        check(p["type"] == "sampled" and p["unit"] == "none" and p["startValue"] == 0, "profile")
        check(len(p["samples"]) == len(p["weights"]), "as many weights as samples")
        check(sum(p["weights"]) == p["endValue"], "weights do not sum to the end")
        check(all(0 <= i < frames for s in p["samples"] for i in s), "a frame that is not there")
        check(p["endValue"] <= report["cycles"], "more cycles than the run has")
    check({"NCRISC", "BRISC", "TRISC0", "thread 1 (math)"} <= names, "profiles of cores and threads")
    account = report["account"]
    for group in ("cores", "threads", "units"):
        for name, row in account[group].items():
            check(sum(row.values()) == account["cycles"], f"the account of {name}")


def vcd():
    """Declarations, then changes: time increases, every change is of a declared signal, instructions of threads are those of the report, counters are numbers."""
    names, last, count, counters, open_now = {}, -1, 0, {}, {}
    known = instructions()
    for line in open(path):
        words = line.split()
        if line.startswith("$var"):
            names[words[3]] = (words[1], words[4])
        elif line.startswith("#"):
            check(int(line[1:]) > last, f"time goes from {last} to {line[1:]}")
            last = int(line[1:])
        elif line[0] == "b":
            check(names[words[1]][0] == "integer", f"{line} is no counter")
            counters.setdefault(names[words[1]][1], []).append(int(words[0][1:], 2))
        elif line[0] == "s":
            text, _, signal = line[1:].rstrip("\n").rpartition(" ")
            check(names[signal][0] == "string", f"{line} is no text")
            count += names[signal][1].startswith("thread_") and text != "" and text in known
            open_now[signal] = text
    check(count == issued, f"{count} instructions of threads, the report has {issued}")
    check(all(counters[name].count(1) == 16 and max(counters[name]) == 1 for name in ("CB_0_pages", "CB_16_pages")), "pages of circular buffers")
    check(not any(open_now.values()), "something is open at the end")


{"perfetto": perfetto, "chrome": chrome, "zones": zones, "window": window, "pto_window": window, "cores": cores, "arrows": arrows, "states": states, "stop": stop, "vcd": vcd, "kanata": kanata, "kanata_part": kanata_part, "speedscope": speedscope}[kind]()
