"""Files that are small or valid, and ask for endless work: each must end within seconds of processor time and 256 MiB, with one line that
names the limit. The bound on time is four times the second that is promised: the machine may be slow and busy."""
import json
import os
import struct
import subprocess
import sys

if sys.argv[1] == "--runner":  # a small process: the memory of the one that forks counts as its child's
    for line in sys.stdin:
        arguments, out, err = json.loads(line)
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=open(out, "wb"), stderr=open(err, "wb"))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        print(json.dumps([process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss]), flush=True)
    sys.exit()

TESSERA, WORK = sys.argv[1:3]
RUNNER = subprocess.Popen([sys.executable, __file__, "--runner"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
CPU_SECONDS, MEMORY_KIB = 4.0, 256 * 1024
count = 0


def path(name):
    return os.path.join(WORK, name)


def write(name, data):
    with open(path(name), "wb" if isinstance(data, bytes) else "w") as file:
        file.write(data)
    return path(name)


def step():
    global count
    count += 1
    return count


def took(*arguments):
    """Seconds of processor time."""
    print(json.dumps([[TESSERA, *arguments], path("out"), path("err")]), file=RUNNER.stdin, flush=True)
    return json.loads(RUNNER.stdout.readline())[1]


def check(title, codes, words, *arguments, stdout_empty=False):
    """Runs the command: exit code, words in the one line on stderr (None: no line), processor time and memory."""
    step()
    print(json.dumps([[TESSERA, *arguments], path("out"), path("err")]), file=RUNNER.stdin, flush=True)
    code, seconds, memory = json.loads(RUNNER.stdout.readline())
    lines = open(path("err"), errors="replace").read().splitlines()
    good = code in codes and len(lines) == (words is not None) and (words is None or words in lines[0])
    good = good and seconds <= CPU_SECONDS and memory <= MEMORY_KIB and not (stdout_empty and os.path.getsize(path("out")))
    figures = f"{seconds:.2f} s, {memory // 1024} MiB"
    print(f"ok {count} - {title}" if good else f"not ok {count} - {title} (exit {code}, {figures}: {' | '.join(lines)[:300]})")


# --- executables ---

CODE = struct.pack("<I", 0x00100073)  # ebreak


def elf(name, sections, code=CODE):
    """sections: (name, type, data, link); their headers follow the data."""
    names, data, at, headers = b"\0", code, 84 + len(code), [bytes(40)]
    for title, kind, contents, link in [*sections, (".shstrtab", 3, None, 0)]:
        offset = len(names)
        names += title.encode() + b"\0"
        contents = names if contents is None else contents
        headers.append(struct.pack("<10I", offset, kind, 0, 0, at, len(contents), link, 0, 1, 0))
        data += contents
        at += len(contents)
    header = b"\x7fELF\1\1\1" + bytes(9) + struct.pack(
        "<HHIIIIIHHHHHH", 2, 243, 1, 0x1000, 52, at, 0, 52, 32, 1, 40, len(headers), len(headers) - 1)
    segment = struct.pack("<8I", 1, 84, 0x1000, 0x1000, len(code), len(code), 5, 4)
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
    check("the same on a chip, once for its tiles", (0, 6), "note: (1, 2): BRISC's executable has more than 16384 symbols", "chip", "run",
          write("symbols.chip", f"elf 1-4,2 brisc {path('symbols.elf')}\n"), "--max-cycles", "2000")
    # kept once, and once more as it was given, because its names cannot be shown as they are
    cleaned = elf("cleaned.elf", symbols([(1, 0x1000)] * 6000, b"\0" + b"\x1bA" * 5500000 + b"\0"))
    check("an executable of 11 MB on 140 tiles", (0,), "note: (1, 2): BRISC's executable has a name of more than 65535 bytes", "chip", "run",
          write("shared.chip", f"elf 1-16,2-11 brisc {cleaned}\n"))
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
    # each of 16,000 instructions asks for its line, behind 240,000 rows of other addresses
    far = b"\0\x05\x02" + struct.pack("<I", 0x40000000) + b"\x20" * 240000 + END
    slow = elf("slow.elf", [(".debug_line", 1, lines(far + START + b"\x4a" * 16000 + END), 0)], struct.pack("<I", 0x00150513) * 16000 + CODE)
    for option in (["--profile", path("slow.out")], ["--profile", path("slow.json")], ["--coverage", path("slow.info")], ["--why"]):
        check(f"{option[0]} of 16,000 instructions with 256,000 rows", (0,), None, "run", "--elf", f"brisc={slow}", *option)
    switches = b"".join(b"\x04" + uleb(150 + i % 199000) + b"\x20" for i in range(20000))
    note("20,000 changes among 200,000 files", "more than 3145728 opcodes and files to read in .debug_line", "files.elf",
         [(".debug_line", 1, lines(START + switches + END, [b"f"] * 200000), 0)])
    ranges = struct.pack("<II", 0x1000, 0x1004) * 500000 + bytes(8)
    root = b"\x01cu\0" + struct.pack("<I", 0)
    note("50,000 functions with 500,000 ranges each", "more than 262144 code ranges in .debug_info", "ranges.elf",
         dwarf(b"\x01\x11\x01\x03\x08\x55\x17\0\0\x02\x2e\0\x03\x08\x55\x17\0\0\0", unit(root + (b"\x02f\0" + struct.pack("<I", 0)) * 50000),
               more=[(".debug_ranges", 1, ranges, 0)]))
    # read for the note, and counted and read for the index, which profile and report share: not six times
    deep = elf("deep.elf", dwarf(b"\x01\x11\x01\0\0\x02\x2e\x01\0\0\0", unit(b"\x01" + b"\x02" * 8000000)))
    run = [["run", "--elf", f"brisc={deep}", "--max-cycles", "1000"]]
    run.append(run[0] + ["--profile", path("deep.out"), "--report", path("deep.html"), "--sarif", path("deep.sarif"), "--coverage", path("deep.info")])
    once, all_of_them = (min(took(*arguments) for _ in range(3)) for arguments in run)
    print(f"{'ok' if all_of_them <= 4 * once + 0.1 else 'not ok'} {step()} - DWARF is read three times ({once:.2f} s once, {all_of_them:.2f} s)")
    # within the limits, twenty times what a large kernel has: nothing is lost
    functions = b"\x01cu\0" + (function(15) + b"\0") * 40000
    file = elf("large.elf", symbols([(1, 0x1000)] * 6000, b"\0main\0") + dwarf(ABBREVS, unit(functions), lines(START + b"\x20" * 40000 + END)))
    check("40,000 functions and rows, 6000 symbols", (0,), None, "run", "--elf", f"brisc={file}", "--profile", "/dev/null")


# --- program descriptions ---


def refuse(title, words, *arguments):
    check(title, (2,), words, *arguments, stdout_empty=True)


def descriptions():
    program = f"elf 1,2 brisc {elf('good.elf', [])}\n"
    sum_of = "the tensors of a description have at most 67108864 elements"

    def chip(name, text):
        return "chip", "run", write(name, text + program)

    refuse("a tensor of 2^28 random numbers", f"huge.chip:1: tensor A is too large: {sum_of}",
           *chip("huge.chip", "tensor A random:16384x16384:1 fp32 tiles dram\n"))
    refuse("sizes beyond 64 bits", sum_of, *chip("product.chip", "tensor A zero:4294967296x4294967296 fp32 rows dram\n"))
    refuse("the sum of eight tensors", f"eight.chip:5: tensor A4 is too large: {sum_of}",
           *chip("eight.chip", "".join(f"tensor A{i} fill:4096x4096:1 fp32 tiles dram\n" for i in range(8))))
    refuse("rows of one number, 64 bytes each", "thin.chip:1: tensor A: 67108864 pages of 2 bytes, each at a multiple of 64: the tensors of a description take at most 536870912 bytes",
           *chip("thin.chip", "tensor A zero:67108864x1 bf16 rows dram\n"))
    refuse("100,000 statements", "many.chip:8193: more than 8192 statements",
           *chip("many.chip", "".join(f"dump 1,2 {i * 16} 16 d\n" for i in range(100000))))
    refuse("8193 settings", "settings.chip:8193: more than 8192 statements", *chip("settings.chip", "grid 1,2\n" * 8193))
    refuse("300,000 words", "words.chip:769: more than 262144 words of args and compile", *chip("words.chip", "".join(f"args {i % 8}-{8 + i // 8 % 8},{i // 64 % 6}-{6 + i // 384} {'1 ' * 341}\n" for i in range(900))))
    refuse("1025 tensors", "tensors.chip:1025: more than 1024 tensors",
           *chip("tensors.chip", "".join(f"tensor T{i} zero:32x32 bf16 tiles dram\n" for i in range(1025))))
    check("1024 tensors", (0,), None, *chip("good.chip", "".join(f"tensor T{i} zero:32x32 bf16 tiles dram\n" for i in range(1024))))
    squares = "".join(f"tensor {name} random:{{0}}x{{0}}:1 fp32 tiles dram\n" for name in "ABC")
    refuse("a reference of 4096 x 4096 x 4096", "product.chip:4: a product of 4096 x 4096 x 4096: the reference has at most 8589934592 multiplications",
           *chip("product.chip", squares.format(4096) + "expect C matmul A B 0.01\n"))
    refuse("no program: before the numbers of the tensors are made", "none.chip: no tile has a program", "chip", "run",
           write("none.chip", squares.format(4096) + "expect C sum A B 0.01\n"))
    check("15 million empty lines", (0,), None, *chip("lines.chip", "\n" * 15000000))
    check("a matrix of 4096 x 4096", (0,), None, *chip("large.chip", "tensor A random:4096x4096:1 bf16 tiles dram\n"))
    check("save of 8192 x 4096", (0,), None, *chip("save.chip", f"tensor A fill:8192x4096:1 bf16 tiles dram\nsave A {path('saved.npy')}\n"))
    for place, length, words in (("1,2", 4294967295, "the range lies outside the memory"), ("dram:0", 4294967296, "the range lies outside the memory"),
                                 ("1-16,2-11", 1572864, "dump takes one tile"), ("dram", 16, "dump takes a tile or one bank"),
                                 ("dram:0", 1 << 27, "0x8000000 bytes: a dump has at most 64 MiB")):
        refuse(f"a dump of {length} bytes of {place}", f"dump.chip:1: {words}" if "0x" not in words else words,
               *chip("dump.chip", f"dump {place} 0 {length} {path('dumped')}\n"))


# --- NumPy's files ---


def npy(name, shape, kind="<f4", data=b""):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return write(name, b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + data)


def numpy_files():
    program = f"elf 1,2 brisc {path('good.elf')}\n"
    endless = npy("endless.npy", "(16384, 16384)")
    with open(endless, "r+b") as file:
        file.truncate(1 << 30)  # of zeros, without blocks
    longer = npy("longer.npy", "(32, 32)", data=bytes(4096))
    with open(longer, "r+b") as file:
        file.truncate(1 << 30)

    def chip(name, source, more=""):
        return "chip", "run", write(name, f"tensor A {source} fp32 tiles dram\n{more}{program}")

    refuse("a device as a tensor", "/dev/zero: this is not a .npy file", *chip("device.chip", "/dev/zero"))
    refuse("a file of 2^28 numbers", "have at most 67108864 elements", *chip("endless.chip", endless))
    refuse("a file of another shape than is expected", "endless.npy is 16384 x 16384, A is 32 x 32",
           *chip("shape.chip", "zero:32x32", f"expect A {endless} 0\n"))
    # a product whose sizes are multiples of nothing, with one number that differs
    rows, inner, columns = 67, 301, 77
    a = [[(i * 7 + k * 3) % 17 - 8 for k in range(inner)] for i in range(rows)]
    b = [[(k * 5 + i * 11) % 13 - 6 for i in range(columns)] for k in range(inner)]
    c = [[sum(a[i][k] * b[k][n] for k in range(inner)) for n in range(columns)] for i in range(rows)]
    size = sum(abs(a[66][k] * b[k][76]) for k in range(inner))
    for title, change, codes in (("a product of odd sizes", 0, (0,)), ("the same with another last number", size / 32, (1,))):
        c[66][76] += change
        files = [npy(f"odd{i}.npy", (len(m), len(m[0])), data=b"".join(struct.pack(f"<{len(r)}f", *r) for r in m)) for i, m in enumerate((a, b, c))]
        text = "".join(f"tensor {name} {file} fp32 rows dram\n" for name, file in zip("ABC", files)) + "expect C matmul A B 0\n" + program
        check(title, codes, None, "chip", "run", write("odd.chip", text))
        said = open(path("out")).read()
        print(f"{'ok' if not change or 'worst error 0.031 (allowed 0) at [66, 76]: WRONG' in said else 'not ok'} {step()} - and its report")
    check("a file that goes on after its numbers", (0,), None, *chip("longer.chip", longer, f"expect A {longer} 0\n"))


# --- PTO programs ---


def pto_programs():
    """10^11 rounds without an instruction, in one loop or in nested ones, and with one."""
    load = "pto.tload ins(%A : !pto.ptr<f16>) outs(%a_mat : !pto.tile_buf<mat, f16, 64, 32>)\n"
    nested = "".join(f"scf.for %i{i} = 0 to 1000000 step 1 {{\n" for i in range(20)) + "}\n" * 20
    words = "a run has more than 67108864 scalar instructions (any other counts as 16)"
    text = open("examples/pto/pattern1.pto").read()
    for name, loop in (("empty", "scf.for %i = 0 to 99999999999 step 1 {\n}\n"), ("nested", nested),
                       ("loads", "scf.for %i = 0 to 99999999999 step 1 {\n" + load + "}\n")):
        file = write(f"{name}.pto", text.replace("return", loop + "return", 1))
        refuse(f"pto sweep of a program with an endless loop ({name})", f"{name}.pto: {words}", "pto", "sweep", file)
        for verb, code, head in (("check", 0, f"{file}:1:0: warning: {words}: what the runs would find is not known [length]"),
                                 ("explore", 6, "breaks under schedule 0 (cycle-limit)")):
            check(f"pto {verb} of it", (code,), None, "pto", verb, file)
            said = open(path("out")).read()
            print(f"{'ok' if head in said and words in said else 'not ok'} {step()} - and names the limit")


executables()
descriptions()
numpy_files()
pto_programs()
print(f"1..{count}")
