"""Files that are small or valid, and ask for endless work: each must end within seconds of processor time and 256 MiB, with one line that
names the limit. The bound on time is four times the second that is promised: the machine may be slow and busy."""
import os
import struct
import subprocess
import sys

TESSERA, WORK = sys.argv[1:3]
CPU_SECONDS, MEMORY_KIB = 4.0, 256 * 1024
count = 0


def path(name):
    return os.path.join(WORK, name)


def write(name, data):
    with open(path(name), "wb" if isinstance(data, bytes) else "w") as file:
        file.write(data)
    return path(name)


def check(title, codes, words, *arguments, stdout_empty=False):
    """Runs the command: exit code, words in the one line on stderr (None: no line), processor time and memory."""
    global count
    count += 1
    process = subprocess.Popen([TESSERA, *arguments], stdin=subprocess.DEVNULL, stdout=open(path("out"), "wb"), stderr=open(path("err"), "wb"))
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = code = os.waitstatus_to_exitcode(status)
    lines = open(path("err"), errors="replace").read().splitlines()
    seconds = used.ru_utime + used.ru_stime
    good = code in codes and len(lines) == (words is not None) and (words is None or words in lines[0])
    good = good and seconds <= CPU_SECONDS and used.ru_maxrss <= MEMORY_KIB and not (stdout_empty and os.path.getsize(path("out")))
    figures = f"{seconds:.2f} s, {used.ru_maxrss // 1024} MiB"
    print(f"ok {count} - {title}" if good else f"not ok {count} - {title} (exit {code}, {figures}: {' | '.join(lines)[:300]})")


# --- executables ---

CODE = struct.pack("<I", 0x00100073)  # ebreak


def elf(name, sections):
    """sections: (name, type, data, link); their headers follow the data."""
    names, data, at, headers = b"\0", CODE, 88, [bytes(40)]
    for title, kind, contents, link in [*sections, (".shstrtab", 3, None, 0)]:
        offset = len(names)
        names += title.encode() + b"\0"
        contents = names if contents is None else contents
        headers.append(struct.pack("<10I", offset, kind, 0, 0, at, len(contents), link, 0, 1, 0))
        data += contents
        at += len(contents)
    header = b"\x7fELF\1\1\1" + bytes(9) + struct.pack(
        "<HHIIIIIHHHHHH", 2, 243, 1, 0x1000, 52, at, 0, 52, 32, 1, 40, len(headers), len(headers) - 1)
    segment = struct.pack("<8I", 1, 84, 0x1000, 0x1000, 4, 4, 5, 4)
    return write(name, header + segment + data + b"".join(headers))


def symbols(entries, names):
    table = b"".join(struct.pack("<IIIBBH", name, value, 4, 0x12, 0, 1) for name, value in entries)
    return [(".symtab", 2, table, 2), (".strtab", 3, names, 0)]


def uleb(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def unit(entries):
    body = struct.pack("<HIB", 4, 0, 4) + entries
    return struct.pack("<I", len(body)) + body


def lines(program, files=(b"a.c",)):
    header = struct.pack("<BBbBB", 1, 1, -5, 14, 13) + bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b"\0"
    header += b"".join(file + b"\0\0\0\0" for file in files) + b"\0"
    body = struct.pack("<HI", 3, len(header)) + header + program
    return struct.pack("<I", len(body)) + body


START, END = b"\0\x05\x02" + struct.pack("<I", 0x1000), b"\0\x01\x01"
ROWS = lines(START + b"\x20" * 4 + END)
# 1: a unit with a name; 2: a function with an origin; 3: the same, inlined
ABBREVS = (b"\x01\x11\x01\x03\x08\0\0" b"\x02\x2e\x01\x31\x13\x11\x01\x12\x06\0\0" b"\x03\x1d\x01\x31\x13\x11\x01\x12\x06\x58\x0b\x59\x0b\0\0\0")


def dwarf(abbrevs, info, line=ROWS, more=()):
    return [(".debug_abbrev", 1, abbrevs, 0), (".debug_info", 1, info, 0), (".debug_line", 1, line, 0), *more]


def function(origin):
    return b"\x02" + struct.pack("<III", origin, 0x1000, 0x100)


def note(title, words, name, sections):
    file = elf(name, sections)
    check(title, (0,), f"note: BRISC's executable has {words}", "run", "--elf", f"brisc={file}", "--max-cycles", "2000", "--profile", "/dev/null",
          "--report", path("report.html"))


def executables():
    chain = b"\0_ZN" + b"1aIN" * 300000 + b"\0"
    note("one name of a megabyte for 3000 symbols", "a name of more than 65535 bytes", "name.elf",
         symbols([(1 + i % 1000, 0x1000) for i in range(3000)], chain))
    note("200,000 symbols in one name", "more than 16384 symbols", "symbols.elf",
         symbols([(1 + i, 0x1000 + i * 4 % 0x100000) for i in range(200000)], b"\0" + b"A" * 8000000 + b"\0"))
    note("65,000 sections", "more than 4096 sections", "sections.elf", [(f".s{i % 10}", 1, b"", 0) for i in range(65000)])
    many = b"".join(uleb(i + 1) + b"\x11\0\x03\x08\0\0" for i in range(200000)) + b"\0"
    note("20,000 units of 200,000 abbreviations", "more than 4096 units in .debug_info", "abbrevs.elf",
         dwarf(many, unit(uleb(200000) + b"x\0") * 20000))
    note("200,000 abbreviations", "more than 4095 abbreviations of a unit in .debug_abbrev", "abbrev.elf", dwarf(many, unit(uleb(200000) + b"x\0")))
    note("a million attributes without bytes", "more than 3145728 entries and attributes to read in .debug_info", "implicit.elf",
         dwarf(b"\x01\x11\0" + b"\x03\x21\0" * 1000000 + b"\0\0\0", unit(b"\x01" * 3000000)))
    whole = b"\x01cu\0" + function(15) + b"\x03" + struct.pack("<IIIBB", 15, 0x1000, 0x100, 1, 1) + b"\0\0"
    note("300,000 units", "more than 4096 units in .debug_info", "units.elf", dwarf(ABBREVS, unit(whole) * 300000))
    ring = b"\x01cu\0" + b"".join(function(15 + 14 * ((i + 1) % 500000)) + b"\0" for i in range(500000))
    note("a ring of 500,000 origins", "more than 3145728 entries and attributes to read in .debug_info", "ring.elf", dwarf(ABBREVS, unit(ring)))
    note("30 million rows", "more than 262144 rows in .debug_line", "rows.elf", [(".debug_line", 1, lines(START + b"\x20" * 30000000 + END), 0)])
    switches = b"".join(b"\x04" + uleb(150 + i % 199000) + b"\x20" for i in range(20000))
    note("20,000 changes among 200,000 files", "more than 3145728 opcodes and files to read in .debug_line", "files.elf",
         [(".debug_line", 1, lines(START + switches + END, [b"f"] * 200000), 0)])
    ranges = struct.pack("<II", 0x1000, 0x1004) * 500000 + bytes(8)
    root = b"\x01cu\0" + struct.pack("<I", 0)
    note("50,000 functions with 500,000 ranges each", "more than 262144 code ranges in .debug_info", "ranges.elf",
         dwarf(b"\x01\x11\x01\x03\x08\x55\x17\0\0\x02\x2e\0\x03\x08\x55\x17\0\0\0", unit(root + (b"\x02f\0" + struct.pack("<I", 0)) * 50000),
               more=[(".debug_ranges", 1, ranges, 0)]))
    # within the limits, twenty times what a large kernel has: nothing is lost
    functions = b"\x01cu\0" + (function(15) + b"\0") * 40000
    file = elf("large.elf", symbols([(1, 0x1000)] * 6000, b"\0main\0") + dwarf(ABBREVS, unit(functions), lines(START + b"\x20" * 40000 + END)))
    check("40,000 functions and rows, 6000 symbols", (0,), None, "run", "--elf", f"brisc={file}", "--profile", "/dev/null")


executables()
print(f"1..{count}")
