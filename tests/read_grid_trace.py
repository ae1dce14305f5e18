"""The trace of a grid has every tile's own trace in it. usage: read_grid_trace.py GRID TILE TITLE TILES

GRID and TILE are traces of the same run, both Chrome (.json) or both Perfetto (.pftrace); TITLE is the name of the tile of TILE in GRID;
TILES is how many tiles GRID has. The file is in the order of time. Slices nest on every track, and no two tiles share a track or an arrow."""
import json
import sys


def check_order(times):
    """The whole file is in the order of time, over all tiles and packets."""
    for before, after in zip(times, times[1:]):
        assert before <= after, f"time goes from {before} to {after} in the file"


def chrome(path):
    """Processes by name; for each, the marks (time, phase, track's name, name) in order, and its arrows."""
    events = json.load(open(path))["traceEvents"]
    check_order([e["ts"] for e in events if "ts" in e])
    titles = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    marks, arrows = {}, {}
    for e in events:
        if e["ph"] in "BEiC":
            mark = (e["ts"], e["ph"], tracks.get((e["pid"], e["tid"]), "counter"), e.get("name"), str(e.get("args")))
            marks.setdefault(titles.get(e["pid"]), []).append(mark)
        if e["ph"] in "sf":
            arrows.setdefault(titles.get(e["pid"]), []).append((e["ph"], e["id"]))
    return marks, arrows


def perfetto(path):
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

    letters = {TrackEvent.TYPE_SLICE_BEGIN: "B", TrackEvent.TYPE_SLICE_END: "E", TrackEvent.TYPE_INSTANT: "i", TrackEvent.TYPE_COUNTER: "C"}
    trace = Trace()
    trace.ParseFromString(open(path, "rb").read())
    check_order([p.timestamp for p in trace.packet if p.HasField("timestamp")])
    titles, tracks, marks, arrows, sequences = {}, {}, {}, {}, {}
    for packet in trace.packet:
        d, e = packet.track_descriptor, packet.track_event
        if packet.HasField("track_descriptor"):
            if d.HasField("process"):
                titles[d.uuid] = d.process.process_name
            else:
                tracks[d.uuid] = (titles[d.parent_uuid], d.name)
            continue
        title, track = tracks[e.track_uuid]
        assert sequences.setdefault(packet.trusted_packet_sequence_id, title) == title, "one sequence, two tiles"
        marks.setdefault(title, []).append((packet.timestamp, letters[e.type], track, e.name, str(e.counter_value)))
        arrows.setdefault(title, []).extend([("s", f) for f in e.flow_ids] + [("f", f) for f in e.terminating_flow_ids])
    return marks, arrows


def check_nesting(title, marks):
    depth, last = {}, 0
    for time, phase, track, _, _ in marks:
        assert time >= last, f"{title}: time goes from {last} to {time}"
        last = time
        depth[track] = depth.get(track, 0) + (phase == "B") - (phase == "E")
        assert depth[track] >= 0, f"{title}: a slice of {track} ends that has not begun"
    assert not any(depth.values()), f"{title}: a slice does not end"


read = chrome if sys.argv[1].endswith(".json") else perfetto
grid, arrows = read(sys.argv[1])
single, _ = read(sys.argv[2])
tiles = [title for title in grid if title.startswith("tile ")]
assert len(tiles) == int(sys.argv[4]), f"tiles {tiles}"
for title in tiles:
    check_nesting(title, grid[title])
own = [{flow for _, flow in arrows.get(title, [])} for title in grid]
assert sum(map(len, own)) == len(set().union(*own)), "two tiles share an arrow"
(alone,) = single.values()
assert alone == grid[sys.argv[3]], f"{sys.argv[3]}: {len(grid[sys.argv[3]])} marks, its own trace has {len(alone)}"
print(f"{sum(len(marks) for marks in grid.values())} marks of {len(tiles)} tiles and the NoCs")
