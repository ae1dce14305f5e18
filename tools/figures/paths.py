"""The simulator's own structure: floors, the path of a packet, the front end, and the overlap of unpack, math and pack."""
import re

from figures.canvas import Picture


def floors():
    """From the list that tests/lib_rules.sh checks."""
    script = open("tests/lib_rules.sh", encoding="utf-8").read()
    table = {}
    for floor, path in re.findall(r"^(\d+) (\S+)$", re.search(r"<< FLOORS\n(.*?)\nFLOORS", script, re.S).group(1), re.M):
        table.setdefault(int(floor), []).append(path.rstrip("/.").removeprefix("tensix/"))
    inside = [floor for floor in table if floor in range(2, 11)]
    height = 34
    p = Picture(760, 40 + len(table) * height, "The floors of src: a file includes and calls its own floor and lower ones")
    y_of = lambda floor: 14 + (max(table) - floor) * height
    p.rect(108, y_of(max(inside)) - 3, 632, len(inside) * height + 2, "faint", 6)
    p.text(726, y_of(max(inside)) + 19, "src/tensix", 12, "bold", "end")
    for floor, names in table.items():
        y, names = y_of(floor), list(dict.fromkeys(names))
        if floor == 4:
            names = ["state.h"]
        p.text(92, y + 19, f"floor {floor}", 11, anchor="end")
        kind = "unit" if floor in inside else "net" if floor in (1, 11) else "memory" if floor == 0 else "core"
        for i, name in enumerate(names):
            p.box(116 + i * 86, y, 80, height - 6, kind, name, size=11)
    p.text(116, 30 + len(table) * height, "A file includes and calls files of its own floor and of lower floors; pto includes sim alone.", 11, anchor="start")
    return p


def packet_path():
    p = Picture(924, 190, "The path of a packet from one tile to another")
    p.frame(14, 14, 250, 110, "sending tile (its own time)")
    p.box(24, 48, 86, 52, "core", "core", "CMD_CTRL", size=11)
    p.box(138, 48, 114, 52, "net", "NIU", "reads the source", size=11)
    p.arrow(110, 74, 136, 74)
    p.frame(300, 14, 290, 110, "network (src/chip/network.c)")
    for i, name in enumerate(("link", "link", "...", "link")):
        p.box(314 + i * 68, 54, 58, 40, "net", name, size=11)
        if i:
            p.arrow(314 + i * 68 - 10, 74, 314 + i * 68 - 1, 74)
    p.frame(626, 14, 284, 110, "receiving endpoint (its own time)")
    p.box(640, 48, 90, 52, "net", "NIU", "an effect", size=11)
    p.box(762, 48, 134, 52, "memory", "L1, registers", "an answer goes back", size=11)
    p.arrow(730, 74, 760, 74)
    p.arrow(252, 74, 312, 74)
    p.arrow(576, 74, 638, 74)
    p.text(282, 142, "departs, + in", 11)
    p.text(608, 142, "+ out, arrives", 11)
    p.text(450, 172, "a window: the cycles in which no packet sent now can arrive; endpoints run it without each other, on host threads", 11)
    return p


def front_end():
    p = Picture(1002, 150, "The front end of a thread: from the push of a core to a unit")
    stages = (("T core", "core", "pushes"), ("FIFO 1", "memory", "32 words"), ("MOP expander", "front", "frontend/mop.c"), ("mux", "front", ""), ("FIFO 2", "memory", ""), ("replay", "front", "expander"),
              ("FIFO 3", "memory", ""), ("wait gate", "front", "and arbiter"), ("unit", "unit", "executes"))
    for i, (name, kind, what) in enumerate(stages):
        x = 14 + i * 110
        p.box(x, 26, 94, 46, kind, *[line for line in (name, what) if line], size=11)
        if i:
            p.arrow(x - 16, 49, x - 2, 49)
    p.box(14 + 3 * 110, 98, 94, 36, "core", "BRISC", "pushes", size=11)
    p.arrow(14 + 3 * 110 + 47, 98, 14 + 3 * 110 + 47, 74)
    p.text(460, 122, "each stage moves one word per cycle; the arbiter lets one thread per unit through", 11, anchor="start")
    return p


def overlap():
    """Bars from the table of docs/guide/pipeline.md."""
    page = open("docs/guide/pipeline.md", encoding="utf-8").read()
    tiles = [[int(n) for n in row] for row in re.findall(r"^\| (\d+) \| (\d+) to (\d+) \| (\d+) to (\d+) \| (\d+) to (\d+) \|$", page, re.M)]
    kinds = ("core", "unit", "memory", "front", "net", "host")
    x_of = lambda cycle: 90 + cycle * 1.35
    p = Picture(900, 190, "Unpack, math and pack of six data tiles over time")
    for lane, name in enumerate(("unpack", "math", "pack")):
        y = 20 + lane * 44
        p.text(78, y + 21, name, 12, "bold", "end")
        p.out.append(f'<line class="s-line" x1="90" x2="{x_of(590):g}" y1="{y + 36}" y2="{y + 36}" stroke-width="0.4"/>')
        for tile, *bounds in tiles:
            begin, end = bounds[2 * lane], bounds[2 * lane + 1] + 1
            p.rect(x_of(begin), y, max((end - begin) * 1.35, 4), 34, kinds[tile % 6], 2)
            p.text(x_of((begin + end) / 2) + (10 if end - begin < 10 else 0), y + 21, str(tile), 11)
    for cycle in range(0, 600, 50):
        p.out.append(f'<line class="s-line" x1="{x_of(cycle):g}" x2="{x_of(cycle):g}" y1="150" y2="156" stroke-width="1"/>')
        p.text(x_of(cycle), 170, str(cycle), 10)
    p.text(x_of(300), 185, "cycle", 11)
    return p


FIGURES = {"floors": floors, "packet-path": packet_path, "front-end": front_end, "overlap": overlap}
