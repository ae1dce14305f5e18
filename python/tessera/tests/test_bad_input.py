"""Every public call with invalid values, one argument at a time. The outcome is a result or a tessera.Error of one line;
a value of a type that the annotation does not have is always an error. A public method that is missing in the table fails the test."""

from __future__ import annotations

import copy
import inspect
import os
import pathlib
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tessera
from tessera import formats, isa, pto
from tessera.build import kernel_library
from tessera.examples import gelu, linear, rmsnorm
from tessera.findings import Source
from tessera.tests.kernels import ADD


class Evil:
    """An object whose methods all fail."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __array__(self, *_: object, **__: object) -> Any:
        raise RuntimeError("no array")


class BytesPath:
    """A path, but of bytes."""

    def __fspath__(self) -> bytes:
        return b"compute.c"


BAD: list[Any] = [
    None, -1, 1.5, float("nan"), float("inf"), 2**40, 2**70, -(2**70), "", "nonsense", "a\0b", "\udcff", "x:1", "t.foo", b"", b"xyz", [], [None], [1.5],
    "\x1b[31m\x07\n\x9b\u202e", pathlib.Path("/none/\x1b[31m\n\udc80.json"), {"\x1b[31m": 1}, ["\x1b[31m"], {}, {1: None}, {None: 1}, object(), Evil(), 1j, np.array("x"), np.array([1.5, 2.0]), np.zeros((3, 3), dtype=complex), np.float32(2.5), True,
    pathlib.Path("/nowhere/none.foo"), int, (1, 2), (1,), ((1, 2, 3, 4),), np.array(None), np.array([[1, 2], [3, 4]], dtype=object)]
# Values that never have this type: the call has to reject them.
WRONG: dict[str, tuple[Any, ...]] = {
    "int": (None, 1.5, float("nan"), "nonsense", b"xyz", [], {}, 1j, Evil(), np.float32(2.5), -(2**70), np.array([1.5, 2.0])),
    "str": (-1, 1.5, b"xyz", [], {}, 1j, Evil(), "a\0b", True),
    "bool": (None, 1.5, "nonsense", [], {}, 1j, Evil(), -1, 2**40),
    "bytes": (None, -1, 1.5, "nonsense", [], {}, Evil()),
    "str | os.PathLike[str]": (None, -1, 1.5, b"xyz", [], {}, Evil(), "", "a\0b"),
    "str | int": (None, 1.5, b"xyz", [], {}, 1j, Evil()),
    "npt.ArrayLike": (None, "nonsense", {}, 1j, Evil(), np.array("x"), np.array(None), [None]),
}
HERE: dict[str, Any] = {}


def made(kind: str) -> Any:
    """An object for the calls, created again after a call has closed it."""
    found = HERE.get(kind)
    if found is None or not getattr(found, "_open", True):
        HERE[kind] = found = MAKERS[kind]()
    return found


PTO = """
module attributes {pto.target_arch = "a2a3"} {
  pto.global @X : tensor<16x16xf32>
  func.func @kernel(%X: !pto.ptr<f32>) attributes {pto.core = "aiv"} {
    %in = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>
    pto.tload ins(%X : !pto.ptr<f32>) outs(%in : !pto.tile_buf<vec, f32, 16, 16>)
    return
  }
}"""
A = np.ones((32, 32))
MAKERS: dict[str, Callable[[], Any]] = {
    "Tile": tessera.Tile, "Chip": lambda: tessera.Chip(timing="off"), "Memory": lambda: made("Tile").l1, "Dst": lambda: made("Tile").dst,
    "Kernel": lambda: tessera.Kernel(ADD), "Run": lambda: tessera.Kernel(ADD).run([A, A], A.shape, args=[1]),
    "Described": lambda: tessera.Kernel.from_directory(os.path.join(kernel_library(), "template")),
    "ChipRun": lambda: made("Described").run_on_chip(timing="off"), "Program": lambda: pto.Program(PTO), "PtoRun": lambda: pto.Program(PTO).run(), "Report": lambda: made("Tile").report(),
    "Assembly": lambda: isa.Assembly(".thread 0\n  ttnop\n"), "Source": lambda: Source("compute.c", 3)}
CLASSES: dict[str, Any] = {
    "Tile": tessera.Tile, "Chip": tessera.Chip, "Memory": tessera.Memory, "Dst": tessera.tile.Dst, "Kernel": tessera.Kernel, "Run": tessera.Run, "ChipRun": tessera.ChipRun,
    "Program": pto.Program, "PtoRun": pto.Run, "Report": tessera.Report, "Assembly": isa.Assembly, "Source": Source}
MODULES = {"formats": formats, "isa": isa, "pto": pto}

GOOD: dict[str, dict[str, Any]] = {  # arguments with which each call works
    "Tile": {}, "Tile.reset": {}, "Tile.set_option": {"name": "quiet", "value": 0}, "Tile.set_param": {"name": "nonsense", "value": 1},
    "Tile.param": {"name": "nonsense"}, "Tile.load_elf": {"core": "brisc", "file": b"xyz"}, "Tile.load_asm": {"source": ".thread 0\n  ttnop\n"},
    "Tile.push": {"thread": 0, "words": [0x02000000]}, "Tile.set_reset_pc": {"core": "trisc0", "pc": 0}, "Tile.start": {"cores": ["brisc"]},
    "Tile.run": {"cycles": 1}, "Tile.run_until": {"address": 0x20000, "value": 0, "cycles": 1}, "Tile.step": {"core": "brisc"},
    "Tile.until": {"address": 0x20000, "value": 0}, "Tile.until_all": {"words": [(0x20000, 1, 1)]}, "Tile.until_cycle": {"cycle": 10**6},
    "Tile.watch": {"address": 0x20000, "length": 4}, "Tile.unwatch": {"number": -1}, "Tile.breakpoint": {"core": "brisc", "place": 0x20000},
    "Tile.unbreak": {"number": -1}, "Tile.symbol": {"core": "brisc", "name": "main"}, "Tile.line": {"core": "brisc", "file": "a.c", "line": 1},
    "Tile.place": {"core": "brisc", "pc": 0}, "Tile.place_text": {"core": "brisc", "pc": 0}, "Tile.hook": {"call": print, "kinds": []},
    "Tile.unhook": {"number": 0}, "Tile.events": {"texts": False}, "Tile.trace": {"path": "t.txt"}, "Tile.explain": {}, "Tile.printed": {"core": "brisc"}, "Tile.where": {}, "Tile.why": {},
    "Tile.report": {"title": "t"}, "Tile.profile": {"format": "lcov"}, "Tile.account": {}, "Tile.request_stop": {},
    "Tile.registers": {"file": "dst", "first": 0, "count": 1}, "Tile.set_registers": {"file": "gpr", "values": np.zeros((3, 64), dtype=int), "first": 0},
    "Tile.set_register": {"file": "gpr", "index": 0, "item": 0, "value": 0}, "Tile.pc": {"core": "brisc"},
    "Tile.counter": {"name": "issued", "index": 0}, "Tile.save": {}, "Tile.restore": {"state": b"xyz"},
    "Tile.launch": {"buffers": {0: (0x20000, 2048, 2, "bf16")}, "args": [1]}, "Tile.launch_args": {"core": "brisc", "args": [1], "first": 0},
    "Tile.explore": {"schedules": 1}, "Tile.close": {},
    "Chip": {"product": "full", "timing": "off"}, "Chip.close": {}, "Chip.node": {"x": 1, "y": 2}, "Chip.tile": {"x": 1, "y": 2}, "Chip.tiles": {},
    "Chip.memory": {"x": 1, "y": 2}, "Chip.dram": {"bank": 0}, "Chip.write_tensor": {"address": 0x1000, "matrix": A},
    "Chip.read_tensor": {"address": 0x1000, "shape": (32, 32)}, "Chip.broadcast": {"start": (1, 2), "end": (3, 4), "address": 0x20000, "data": b"abcd"},
    "Chip.launch": {"x": 1, "y": 2, "kernel": None, "buffers": {}}, "Chip.run": {"cycles": 1},
    "Chip.run_until": {"x": 1, "y": 2, "address": 0x20000, "value": 0, "cycles": 1}, "Chip.explain": {}, "Chip.report": {}, "Chip.save": {},
    "Chip.restore": {"state": b"xyz"},
    "Memory.bytes_at": {"address": 0, "length": 4}, "Memory.write_bytes": {"address": 0x20000, "data": b"abcd"}, "Memory.word": {"address": 0},
    "Memory.set_word": {"address": 0x20000, "value": 1}, "Memory.read": {"address": 0, "shape": 4}, "Memory.write": {"address": 0, "values": [1], "format": "bf16"},
    "Memory.__getitem__": {"key": 0}, "Memory.__setitem__": {"key": 0x20000, "data": 1},
    "Dst.array": {"format": "bf16"}, "Dst.tile": {"index": 0, "format": "bf16"},
    "Kernel": {"compute": ADD}, "Kernel.from_directory": {"directory": "none"}, "Kernel.from_elfs": {"directory": "none"}, "Kernel.build": {"format": "bf16"},
    "Kernel.run": {"inputs": [A, A], "outputs": (32, 32), "args": [1]}, "Kernel.run_on_chip": {"inputs": None, "timing": "off", "cycles": 20000},
    "Kernel.explore": {"inputs": [A, A], "outputs": (32, 32), "args": [1], "schedules": 1},
    "Kernel.load": {"tile": None, "buffers": {0: (2, "bf16")}},
    "Run.__getitem__": {"key": 16}, "Run.report": {}, "Run.why": {}, "Run.printed": {}, "Run.profile": {"path": "p.json"}, "Run.check": {},
    "ChipRun.__getitem__": {"name": "C"}, "ChipRun.explain": {}, "ChipRun.printed": {}, "ChipRun.report": {}, "ChipRun.check": {},
    "Program": {"source": PTO}, "Program.check": {}, "Program.explore": {"schedules": 1}, "Program.run": {"tensors": {}},
    "PtoRun.__getitem__": {"name": "X"}, "PtoRun.explain": {}, "PtoRun.report": {}, "PtoRun.check": {}, "Report.save": {"path": "r.txt"},
    "Assembly": {"source": "  ttnop\n"}, "Assembly.words": {"thread": 0}, "Assembly.lines": {"thread": 0}, "Source.lines": {"around": 1},
    "formats.named": {"format": "bf16"}, "formats.numbers": {"values": [1]}, "formats.to_bytes": {"values": [1.0], "format": "bf16"},
    "formats.from_bytes": {"raw": b"abcd", "format": "bf16"}, "formats.tilize": {"matrix": A}, "formats.untilize": {"tiles": A, "rows": 32, "columns": 32},
    "formats.tile_bytes": {"matrix": A, "format": "bf16"}, "formats.from_tiles": {"raw": bytes(2048), "shape": (32, 32), "format": "bf16"},
    "formats.of_array": {"array": A}, "isa.assemble": {"source": "  ttnop\n"}, "isa.disassemble": {"word": 0}, "isa.fields": {"word": 0},
    "isa.explain": {"name": "MVMUL"}, "isa.config_field": {"name": "nonsense"}, "isa.c_header": {}, "pto.profiles": {}, "pto.policies": {},
}
# Classes without public arguments: Format, the classes above, objects that the library creates.
NO_CALLS = {"formats.Format", "formats.FORMATS", "isa.Assembly", "pto.Program", "pto.Run", "pto.Note", "pto.Exploration", "pto.WorkEvent"}
BUILDS = {"Kernel.build", "Kernel.run", "Kernel.explore", "Kernel.load", "Run.__getitem__", "Run.report", "Run.why", "Run.printed", "ChipRun.printed", "Run.profile", "Run.check",
          "Kernel.run_on_chip", "ChipRun.__getitem__", "ChipRun.explain", "ChipRun.report", "ChipRun.check"}


def named(name: str) -> Callable[..., Any]:
    """The call: of an object that is open."""
    owner, _, method = name.partition(".")
    if owner in MODULES:
        return getattr(MODULES[owner], method)  # type: ignore[no-any-return]
    if not method:
        return CLASSES[owner]  # type: ignore[no-any-return]
    if name == "Kernel.run_on_chip":
        return made("Described").run_on_chip  # type: ignore[no-any-return]
    static = isinstance(inspect.getattr_static(CLASSES[owner], method), classmethod)
    return getattr(CLASSES[owner] if static else made(owner), method)  # type: ignore[no-any-return]


def called(call: Callable[..., Any], arguments: dict[str, Any]) -> tessera.Error | None:
    """The error of the call; None if it worked. Other exceptions propagate."""
    try:
        result = call(**arguments)
        if hasattr(result, "__enter__") and hasattr(result, "gen"):  # a context manager checks when it is entered
            with result:
                pass
    except tessera.Error as error:
        return error
    return None


def test_the_table_has_every_public_call() -> None:
    wanted = set(CLASSES) - {"Memory", "Dst", "Run", "ChipRun", "PtoRun", "Report", "Source"}  # the package makes these itself
    for owner, cls in CLASSES.items():
        for name, value in {name: value for base in cls.__mro__ for name, value in vars(base).items() if base.__module__.startswith("tessera")}.items():
            plain = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
            if inspect.isfunction(plain) and (not name.startswith("_") or name in ("__getitem__", "__setitem__")):
                wanted.add(f"{owner}.{name}")
    for owner, module in MODULES.items():
        wanted |= {f"{owner}.{name}" for name in module.__all__} - NO_CALLS
    assert wanted == set(GOOD)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.builds) if name in BUILDS else name for name in GOOD])
def test_bad_values(name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for kind in ("Tile", "Memory", "Dst"):
        HERE.pop(kind, None)  # left by an earlier call
    if name == "Kernel.load":
        GOOD[name]["tile"] = made("Tile")
    parameters = {key: p for key, p in inspect.signature(named(name)).parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    called(named(name), GOOD[name])
    for key, parameter in parameters.items():
        annotation = str(parameter.annotation)
        wrong = WRONG.get(annotation.removesuffix(" | None"), ())
        if annotation.endswith(" | None"):
            wrong = tuple(value for value in wrong if value is not None)
        for value in [*BAD, *wrong]:
            if name == "Kernel.run" and isinstance(value, bool):
                continue
            if key == "hook" and value is int:  # it can be called: its exception is the caller's
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                error = called(named(name), {**GOOD[name], key: value})
            shown = str(error or "")
            assert not any(c < " " and c not in "\n\t" or "\x7f" <= c < "\xa0" or c in "\u202e\udc80" for c in shown), f"{name}({key}): {shown!a}"
            if error is None:
                assert not any(value is bad for bad in wrong), f"{name}({key}={type(value).__name__}) takes a value that is no {annotation}"
            elif isinstance(error, tessera.InvalidError):
                assert str(error) and "\n" not in str(error) and error.code == 2, str(error)
            else:  # the machine's own, and the assembler's errors with their lines
                assert str(error) and error.code in (2, 3, 4, 5, 6)


@pytest.mark.parametrize("kind", ["Tile", "Chip"])
def test_nothing_works_behind_close(kind: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    thing = MAKERS[kind]()
    memory = thing.l1 if kind == "Tile" else thing.memory(1, 2)
    thing.close()
    thing.close()
    assert "closed" in repr(thing)
    for name, arguments in GOOD.items():
        owner, _, method = name.partition(".")
        if owner == kind and method and method != "close" and name != "Chip.launch":
            error = called(getattr(thing, method), arguments)
            assert error is not None and ("closed" in str(error) or name == "Tile.load_asm"), name
    for name, value in inspect.getmembers(type(thing), lambda value: isinstance(value, property)):
        if not name.startswith("_") and name not in ("l1", "dst"):
            with pytest.raises(tessera.InvalidError, match="closed"):
                value.fget(thing)
    with pytest.raises(tessera.InvalidError, match="closed"):
        memory.word(0)


def test_a_hook_cannot_take_the_machine_away() -> None:
    for call in (lambda t: t.close(), lambda t: t.run(), lambda t: t.restore(b""), lambda t: t.reset(), lambda t: t.step("brisc"), lambda t: t.load_asm(""),
                 lambda t: t.push(0, [0x02000000]), lambda t: t.start(), lambda t: t.set_option("strict", 1), lambda t: t.launch({}),
                 lambda t: t.set_register("gpr", 0, 0, 1), lambda t: t.l1.set_word(0x20000, 1), lambda t: t.watch(0x20000), lambda t: t.explore(1)):
        tile = tessera.Tile()
        tile.load_asm(".thread 1\n  ttnop\n")
        tile.hook(lambda _, tile=tile, call=call: call(tile), "issue")
        with pytest.raises(tessera.InvalidError, match="the tile runs"):
            tile.run()


@pytest.mark.parametrize("call, words", [
    (lambda: tessera.Tile().run(1.5), "Tile.run: cycles is a whole number of at least 0, not 1.5"),
    (lambda: tessera.Tile().run(-1), "Tile.run: cycles is a whole number of at least 0, not -1"),
    (lambda: tessera.Tile().run(2**70), "Tile.run: cycles is a whole number of at most 18446744073709551615, not 1180591620717411303424"),
    (lambda: tessera.Tile().l1.read(2**70, 4), "Memory.read: address is a whole number of at most 18446744073709551615, not 1180591620717411303424"),
    (lambda: tessera.Tile().step("brisc", -1), "Tile.step: count is a whole number of 0 to 2147483647, not -1"),
    (lambda: tessera.Tile().restore(None), "Tile.restore: state is bytes, not None"),
    (lambda: tessera.Tile().l1.read(-1, 4), "Memory.read: address is a whole number of at least 0, not -1"),
    (lambda: tessera.Tile().l1.read(0, -4), "Memory.read: shape is a shape, such as 64 or (64, 128), not -4"),
    (lambda: tessera.Tile().l1.read(0, 2.5), "Memory.read: shape is a shape, such as 64 or (64, 128), not 2.5"),
    (lambda: tessera.Tile().l1.read(0, 4, None), "a format is a name (fp32, "),
    (lambda: tessera.Tile().l1.write(0, ["a", "b"], "bf16"), "values is an array of numbers, not of str"),
    (lambda: tessera.Tile().l1.write(0, np.ones(3) * 1j, "bf16"), "values is an array of numbers, not of complex128"),
    (lambda: tessera.Tile().l1.write(0, None, "bf16"), "values is an array of numbers, not of object: None"),
    (lambda: tessera.Tile().load_elf("arm", "/nowhere/none.elf"), "no core 'arm' (brisc, ncrisc, trisc0, trisc1, trisc2)"),
    (lambda: tessera.Tile().load_elf("brisc", "/nowhere/none.elf"), "/nowhere/none.elf: No such file or directory"),
    (lambda: tessera.pto.Program("/nowhere/none.pto"), "/nowhere/none.pto: No such file or directory"),
    (lambda: tessera.Kernel(ADD).run(A), "inputs is a list of arrays or {buffer: array}; for one input write [x], not array("),
    (lambda: tessera.Kernel(ADD).run([np.float64(3)], A.shape), "input '0': a single number is not made of tiles of 32 x 32"),
    (lambda: tessera.Kernel(ADD).run([A, A], ()), "output '16': a single number is not made of tiles of 32 x 32"),
    (lambda: tessera.Kernel(ADD).run([A, A], (1 << 20, 1 << 20)), "output '16': 2199023255552 bytes do not fit into L1, which has 1572864"),
    (lambda: tessera.Kernel(ADD).run([A, A], A.shape, formats={7: "fp32"}), "formats: there is no buffer or tensor 7"),
    (lambda: tessera.Kernel(ADD).run([A, A], (-32, 32)), "outputs: the shape of '16' is a shape, such as 64 or (64, 128), not (-32, 32)"),
    (lambda: tessera.Kernel(ADD).run([A, A], A.shape, args=[8.5]), "args[0] of the reader is a whole number of 32 bits, not 8.5"),
    (lambda: tessera.Kernel(ADD).run([A, A], A.shape, args=[2**40]), "args[0] of the reader is a whole number of 32 bits, -2147483648 to 4294967295"),
    (lambda: tessera.Kernel(ADD).run([A, A], A.shape, trace="t.foo"), "t.foo: a trace ends in .txt, .trace, .log, .pftrace"),
    (lambda: tessera.Tile().why(), "there is no account of the cycles: make the tile with Tile(account=True)"),
    (lambda: tessera.Tile().registers("dst", 2000), "dst has rows 0 to 1023: 2000 lies outside"),
    (lambda: tessera.Tile().registers("dst", 1000, 100), "dst has rows 0 to 1023: 1000 to 1099 lies outside"),
    (lambda: tessera.Tile().symbol("brisc", 5), "Tile.symbol: name is a text, not 5"),
    (lambda: tessera.Chip(timing="off").launch(1, 2, np, {}), "Chip.launch: kernel is a Kernel, not <module 'numpy'"),
    (lambda: tessera.Kernel("/"), "/: Is a directory (Kernel.from_directory takes one)"),
    (lambda: tessera.Kernel(BytesPath()), "Kernel: compute is a path, not "),
    (lambda: tessera.Kernel(ADD + "//\ud800"), "Kernel: compute is a text in Unicode, not "),
    (lambda: tessera.Kernel(ADD, defines={"A": "\0"}), "Kernel: defines: the value of A is a text without a zero character, not "),
    (lambda: tessera.Kernel(ADD, defines={"A": "\ud800"}), "Kernel: defines: the value of A is a text in Unicode, not "),
    (lambda: tessera.Kernel(ADD, defines={"A B": 1}), "'A B' cannot be defined as a macro"),
    (lambda: tessera.Kernel(ADD, flags=["-O\ud800"]), "Kernel: a flag is a text in Unicode, not "),
    (lambda: tessera.Kernel(ADD).run([np.ma.masked_array(A, mask=A > 0), A], A.shape), "input '0': masked numbers have no value: 1024 of 1024"),
    (lambda: tessera.Kernel(ADD).run([A, A], A.shape, tile=tessera.Tile(), timing="off"), "Kernel.run: timing is the tile's own: give it to Tile()"),
    (lambda: tessera.Kernel(ADD).run([A, A], A.shape, tile=tessera.Tile(), account=True), "Kernel.run: account is the tile's own"),
    (lambda: gelu.gelu(np.ones(5)), "gelu: x is a matrix in tiles of 32 x 32, not 5"),
    (lambda: gelu.gelu(None), "gelu: x is an array of numbers, not of object: None"),
    (lambda: rmsnorm.rmsnorm(A, np.ones(5)), "rmsnorm: weight has one number for each of 32 columns, not 5"),
    (lambda: linear.linear(A, np.ones((64, 32)), np.ones(32)), "linear: a has 32 columns, b 64 rows"),
    (lambda: linear.linear(A, A, np.ones(5)), "linear: bias has one number for each of 32 columns, not 5"),
    (lambda: tessera.Tile().l1[2**40], "L1: an index is a whole number of -1572864 to 1572863, not 1099511627776"),
])
def test_words(call: Callable[[], object], words: str) -> None:
    with pytest.raises(tessera.Error) as caught:
        call()
    assert str(caught.value).startswith(words)


def test_machines_are_not_copied_and_errors_are_pickled() -> None:
    for kind in ("Tile", "Chip", "Program", "PtoRun", "Assembly"):
        for call in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(tessera.ArgumentTypeError, match="is neither copied nor pickled"):
                call(made(kind))
    tile = tessera.Tile()
    tile.load_asm(".thread 0\n  ttsemwait 0x1ff, 1 << semaphore::MATH_PACK, p_stall::STALL_ON_ZERO\n  ttnop\n")
    with pytest.raises(tessera.HangError) as caught:
        tile.run()
    file = tessera.FileError("none: not there")
    file.errno = 2
    for error in (caught.value, tessera.FindingError("a", []), tessera.FaultError("a"), tessera.InvalidError("a"), file):
        error.run = object()  # type: ignore[assignment]
        back = pickle.loads(pickle.dumps(error))
        assert type(back) is type(error) and str(back) == str(error) and back.run is None
    assert pickle.loads(pickle.dumps(file)).errno == 2
    assert pickle.loads(pickle.dumps(caught.value)).hang == caught.value.hang


def test_errors_are_pythons_too(tmp_path: pathlib.Path) -> None:
    tile = tessera.Tile()
    with pytest.raises(TypeError):
        tile.run(1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        tile.run(-1)
    with pytest.raises(OSError) as caught:
        tile.load_elf("brisc", tmp_path / "none.elf")
    assert caught.value.filename == os.fspath(tmp_path / "none.elf") and caught.value.errno == 2
    with pytest.raises(OSError), tile.trace(tmp_path / "none" / "t.txt"):
        pass
    with pytest.raises(TypeError):  # a call with unknown arguments is Python's own
        tile.run(nonsense=1)  # type: ignore[call-arg]


def test_errors_show_what_the_command_shows() -> None:
    from tessera._lib import lib
    from tessera.errors import escaped

    for number in range(1, 0x110000):
        character = chr(number)
        raw = character.encode("utf-8", "surrogatepass")
        plain = character in "\n\t" or lib.tessera_text_shown(raw) == len(raw)
        assert escaped(character, False) == (character if plain else "".join(f"\\x{byte:02x}" for byte in raw)) or "\udc80" <= character <= "\udcff"
    assert escaped("a\udc9b\n") == "a\\x9b\\x0a" and escaped("\u202e") == "\\xe2\\x80\\xae"
    for error in (tessera.BuildError("a\x1b"), tessera.RefusedError("a\x1b"), tessera.FaultError("a\x1b"), tessera.FileError("a\x1b"), tessera.LimitError("a\x1b")):
        assert str(error) == "a\\x1b"


def test_endless_files() -> None:
    for call in (lambda: tessera.Tile().load_elf("brisc", "/dev/zero"), lambda: pto.Program("/dev/zero")):
        with pytest.raises(tessera.InvalidError, match="cannot read /dev/zero: longer than (96|16) MiB"):
            call()


def test_l1_by_index() -> None:
    l1 = tessera.Tile().l1
    l1[0x20000] = 200
    assert l1[0x20000] == 200 and l1[np.int64(0x20000)] == 200
    l1[-1] = 7
    assert l1[-1] == l1[len(l1) - 1] == 7 and next(iter(l1)) == l1[0]
    for value in (256, -1, 1.5, [1, 2]):
        with pytest.raises(tessera.InvalidError):
            l1[0] = value
