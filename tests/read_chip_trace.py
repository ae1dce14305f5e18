"""Reads the Perfetto trace of a chip back with Perfetto's own classes and compares it with the text trace of the same run.
usage: read_chip_trace.py TRACE.pftrace TRACE.txt"""
import re
import sys
from collections import Counter

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

LINE = re.compile(r" *(\d+) +(\d+)  NoC (\d)  (\S+) to (\S+)  (\d+) hops  (.*), (\d+) bytes at (0x[0-9a-f]+)$")
DRAM = re.compile(r" *(\d+) +(\d+)  DRAM (\d)  (read|write), (\d+) bytes at (0x[0-9a-f]+)$")
wanted, bursts = Counter(), Counter()
for line in open(sys.argv[2]):
    burst = DRAM.match(line)
    if burst:
        begins, ends, controller, kind, size, address = burst.groups()
        bursts[f"DRAM {controller}", int(begins), int(ends), kind, f"{size} bytes at {address}"] += 1
    elif not line.startswith("#"):
        departs, arrives, noc, sender, receiver, hops, kind, size, address = LINE.match(line).groups()
        wanted[int(departs), int(arrives), noc, kind, f"{sender} to {receiver}, {hops} hops, {size} bytes at {address}"] += 1

trace = Trace()
trace.ParseFromString(open(sys.argv[1], "rb").read())
times = [packet.timestamp for packet in trace.packet if packet.HasField("timestamp")]
assert all(before <= after for before, after in zip(times, times[1:])), "the file is not in the order of time"
names, begun, sent, found = {}, {}, {}, Counter()
for packet in trace.packet:
    if packet.trusted_packet_sequence_id != 1:  # a tile's: tests/read_grid_trace.py
        continue
    if packet.HasField("track_descriptor"):
        names[packet.track_descriptor.uuid] = packet.track_descriptor.name
        continue
    event, name = packet.track_event, names[packet.track_event.track_uuid]
    note = event.debug_annotations[0].string_value if event.debug_annotations else ""
    if name.startswith("DRAM"):
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            assert event.track_uuid not in begun, f"an access of {name} begins inside another"
            begun[event.track_uuid] = (packet.timestamp, event.name, note)
        else:
            from_, kind, note = begun.pop(event.track_uuid)
            bursts[name, from_, packet.timestamp, kind, note] -= 1
        continue
    place, noc, way = re.match(r"(\S+) NoC (\d) (sends|receives)$", name).groups()
    if event.type == TrackEvent.TYPE_INSTANT:
        assert way == "sends" and note.startswith(place + " to "), (name, note)
        sent[event.flow_ids[0]] = packet.timestamp
    elif event.type == TrackEvent.TYPE_SLICE_BEGIN:
        assert way == "receives" and f" to {place}, " in note, (name, note)
        assert event.track_uuid not in begun, f"a slice on {name} begins inside another"
        begun[event.track_uuid] = (sent.pop(event.terminating_flow_ids[0]), packet.timestamp, noc, event.name, note)
    elif event.type == TrackEvent.TYPE_SLICE_END:
        departs, from_, noc, kind, note = begun.pop(event.track_uuid)
        assert departs <= from_ < packet.timestamp, note
        found[departs, packet.timestamp, noc, kind, note] += 1
assert not begun and not sent, "a slice or an arrow does not end"
assert found == wanted, f"{sum(found.values())} packets, the text has {sum(wanted.values())}"
assert wanted, "no packets"
assert bursts and not any(bursts.values()), f"accesses of DRAM differ: {[b for b in bursts.items() if b[1]][:5]}"
print(f"{sum(found.values())} packets on {len(names) - 1} tracks")
