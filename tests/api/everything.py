"""What the command does, from Python with ctypes and the installed library alone; see everything.c.

usage: everything.py LIBRARY run|exec|conform|pto|state|debug ARGUMENT"""
import ctypes as c
import sys

lib = c.CDLL(sys.argv[1])
OK, DONE = 0, 1
TEXT, JSON = 0, 1


def declare(name, result, *arguments):
    function = getattr(lib, name)
    function.restype, function.argtypes = result, arguments
    return function


p, u32, u64, size, text = c.c_void_p, c.c_uint32, c.c_uint64, c.c_size_t, c.c_char_p
create = declare("tessera_tile_create", p, c.c_int)
destroy = declare("tessera_tile_destroy", None, p)
load_elf = declare("tessera_tile_load_elf", c.c_int, p, c.c_int, text, size)
start = declare("tessera_tile_start", c.c_int, p, c.c_uint)
run_tile = declare("tessera_tile_run", c.c_int, p, u64)
report = declare("tessera_tile_report", text, p, c.c_int)
error = declare("tessera_tile_error", text, p)
core_number = declare("tessera_core_number", c.c_int, text)
result_name = declare("tessera_result_name", text, c.c_int)
stop_name = declare("tessera_stop_name", text, c.c_int)


class StopInfo(c.Structure):
    _fields_ = [("reason", c.c_int), ("number", c.c_int), ("core", c.c_int), ("cores", u32), ("pc", u32), ("address", u32),
                ("cycle", u64)]


class CaseResult(c.Structure):
    _fields_ = [("passed", c.c_int), ("cycles", u64)]


class Case(c.Structure):
    _fields_ = [("name", text), ("tags", text), ("line", c.c_uint)]


class Event(c.Structure):
    _fields_ = [("cycle", u64), ("kind", c.c_int), ("agent", u32), ("a", u32), ("b", u32), ("c", u64)]


def out(value):
    sys.stdout.buffer.write(value)


def checked_tile():
    """Configured as the command: with its default checkers."""
    set_option = declare("tessera_tile_set_option", c.c_int, p, c.c_int, u32)
    tile = create(1)
    set_option(tile, 4, 31)  # TESSERA_OPTION_CHECK, TESSERA_CHECK_DEFAULT
    return tile


def load(path, core):
    with open(path, "rb") as file:
        data = file.read()
    tile = checked_tile()
    if load_elf(tile, core, data, len(data)) != OK:
        sys.exit(error(tile).decode())
    start(tile, 1 << core)
    return tile


def run(argument):
    name, path = argument.split("=", 1)
    tile = load(path, core_number(name.encode()))
    run_tile(tile, 1000000000)
    out(report(tile, JSON))
    destroy(tile)


def execute(path):
    assemble = declare("tessera_assemble", p, text, text, size)
    load_asm = declare("tessera_tile_load_asm", c.c_int, p, p)
    with open(path, "rb") as file:
        data = file.read()
    program, tile = assemble(path.encode(), data, len(data)), checked_tile()
    if load_asm(tile, program) != OK:
        sys.exit(error(tile).decode())
    run_tile(tile, 100000000)
    out(report(tile, TEXT))
    destroy(tile)
    declare("tessera_asm_destroy", None, p)(program)


def conform(path):
    opened = declare("tessera_cases_text", p, text, text, size)
    following = declare("tessera_cases_next", c.c_int, p)
    current = declare("tessera_cases_current", c.c_int, p, c.POINTER(Case))
    run_case = declare("tessera_cases_run", c.c_int, p, p, p, c.POINTER(CaseResult))
    why = declare("tessera_cases_why", text, p)
    with open(path, "rb") as file:
        data = file.read()
    tile, cases, counts = create(1), opened(path.encode(), data, len(data)), [0, 0]
    while following(cases) == OK:
        case, result = Case(), CaseResult()
        current(cases, case)
        run_case(cases, tile, None, result)
        if not result.passed:
            out(b"FAIL %s (%s): %s\n" % (case.name, case.tags, why(cases)))
        counts[result.passed] += 1
    print(f"{counts[1]} passed, {counts[0]} failed")
    declare("tessera_cases_close", None, p)(cases)
    destroy(tile)


class PtoSource(c.Structure):
    _fields_ = [("name", text), ("text", text), ("length", size), ("profile", text), ("settings", p), ("setting_count", size)]


def pto(path):
    parse = declare("tessera_pto_parse_source", p, c.POINTER(PtoSource), text, size)
    begin = declare("tessera_pto_start", p, p, text)
    with open(path, "rb") as file:
        data = file.read()
    words = c.create_string_buffer(1024)
    program = parse(PtoSource(path.encode(), data, len(data)), words, 1024)
    if not program:
        sys.exit(words.value.decode())
    machine = begin(program, None)
    declare("tessera_pto_run", c.c_int, p, u64)(machine, 1 << 50)
    out(declare("tessera_pto_run_report", text, p, c.c_int)(machine, TEXT))
    declare("tessera_pto_stop", None, p)(machine)
    declare("tessera_pto_destroy", None, p)(program)


def state(path):
    tile = load(path, 0)
    length = declare("tessera_tile_state_size", size, p)(tile)
    restore = declare("tessera_tile_restore", c.c_int, p, p, size)
    hashed = declare("tessera_tile_hash", u64, p)
    saved = c.create_string_buffer(length)
    run_tile(tile, 100)
    declare("tessera_tile_save", c.c_int, p, p, size)(tile, saved, length)
    run_tile(tile, 1000000)
    expected = hashed(tile)
    for name, place in (("flipped", length // 2), ("other version", 8)):
        saved[place] = bytes([saved[place][0] ^ 1])
        out(b"%s: %s, %s\n" % (name.encode(), result_name(restore(tile, saved, length)), error(tile)))
        saved[place] = bytes([saved[place][0] ^ 1])
    out(b"cut: %s, %s\n" % (result_name(restore(tile, saved, length - 1)), error(tile)))
    out(b"good: %s\n" % result_name(restore(tile, saved, length)))
    run_tile(tile, 1000000)
    print("the same end:", "yes" if hashed(tile) == expected else "no")
    destroy(tile)


def debug(path):
    tile, address, pc, stop, events = load(path, 0), u32(), u32(), StopInfo(), []
    hook_type = c.CFUNCTYPE(None, p, c.POINTER(Event))
    hook = hook_type(lambda context, event: events.append(event.contents.a))
    declare("tessera_tile_symbol", c.c_int, p, c.c_int, text, c.POINTER(u32))(tile, 0, b"sum", address)
    declare("tessera_tile_break", c.c_int, p, c.c_int, u32, p)(tile, 0, address, None)
    declare("tessera_tile_watch", c.c_int, p, u32, u32, p)(tile, 0x20000, 4, None)
    declare("tessera_tile_hook", c.c_int, p, u64, hook_type, p, p)(tile, 1 << 1, hook, None, None)
    for i in range(2):
        result = run_tile(tile, 1000000)
        declare("tessera_tile_stop_info", c.c_int, p, c.POINTER(StopInfo))(tile, stop)
        out(b"%s: %s\n" % (result_name(result), stop_name(stop.reason)))
        if i == 0:
            out(b"at the symbol: %s\n" % (b"yes" if stop.pc == address.value else b"no"))
            for _ in range(3):
                declare("tessera_tile_step", c.c_int, p, c.c_int, u64)(tile, 0, 1000)
            declare("tessera_tile_register", c.c_int, p, c.c_int, c.c_uint, c.c_uint, c.POINTER(u32))(tile, 0, 0, 64, pc)
            out(b"stepped: %s\n" % (b"yes" if pc.value != address.value else b"no"))
    declare("tessera_tile_unwatch", c.c_int, p, c.c_int)(tile, -1)
    declare("tessera_tile_unbreak", c.c_int, p, c.c_int)(tile, -1)
    out(b"end: %s\n" % result_name(run_tile(tile, 1000000)))
    out(b"events: %s\n" % (b"many" if len(events) > 20 else b"few"))
    destroy(tile)


VERBS = {"run": run, "exec": execute, "conform": conform, "pto": pto, "state": state, "debug": debug}
assert declare("tessera_api_version", c.c_int)() == 1
VERBS[sys.argv[2]](sys.argv[3])
