"""Kernels from source: the compiler, the kernel library's headers and firmware, and a cache of builds."""

from __future__ import annotations

import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence

from ._lib import lib
from .errors import BuildError, CompilerWarning
from .errors import hidden as __tracebackhide__
from .isa import c_header

__all__ = ["build_key", "compile_kernel", "kernel_library", "compiler", "cache_directory"]

_HERE = os.path.dirname(os.path.abspath(__file__))
# As `tessera kernel build` compiles (src/cli/kernel_build.c).
_COMPILERS = ("riscv64-unknown-elf-gcc", "riscv32-unknown-elf-gcc", "riscv-tt-elf-gcc", "riscv64-elf-gcc", "riscv32-elf-gcc")
_MACHINE, _LINK_MACHINE = "-march=rv32im_zba_zbb", "-march=rv32im"  # compilers ship a library for the plain instruction set
_FLAGS = "-mabi=ilp32 -ffreestanding -nostdlib -O2 -g -fno-tree-loop-distribute-patterns -DKERNEL_OWN_ARGS -DARCH_BLACKHOLE".split()
_SOURCE_FLAGS = "-Wall -fdiagnostics-color=never".split()
_C_FLAGS = ["-Werror=implicit-function-declaration"]
_CXX_FLAGS = "-std=c++17 -fno-exceptions -fno-rtti -include kernel_api.h".split()
# Text without a file name is C++ if it has one of these outside comments and strings.
_CXX_WORDS = re.compile(r"(?m)^(?!\s*(?://|\*|/\*))[^\"\n]*?(?:\b(?:namespace|constexpr|template|using|auto|nullptr|class)\b|::|<\s*(?:u?int(?:8|16|32|64)_t|bool|true|false|float)\s*>)|^\s*#\s*include\s*<c[a-z]+>|^\s*#\s*include\s*\"(?:api|compute_kernel_api)/")
_MISSES_MEMORY = re.compile("undefined reference to `mem(cpy|move|set|cmp)'")
_MARKS = ("undefined reference", "not fit", "overlaps", ": error: ", ": fatal error: ", "rror")
# Core: its define, address in L1 (kernels/include/launch.h), bytes of local RAM, source.
_CORES = {
    "brisc": ("COMPILE_FOR_BRISC", 0, 8192, "writer"),
    "ncrisc": ("COMPILE_FOR_NCRISC", 1, 8192, "reader"),
    "trisc0": ("TRISC_UNPACK", 2, 4096, "compute"),
    "trisc1": ("TRISC_MATH", 3, 4096, "compute"),
    "trisc2": ("TRISC_PACK", 4, 4096, "compute"),
}


def kernel_library() -> str:
    """The directory with include/ and firmware/: TESSERA_KERNELS, the wheel's, a source tree's, the system's."""
    given = os.environ.get("TESSERA_KERNELS")
    top = os.path.dirname(os.path.dirname(_HERE))
    places = [given] if given else [os.path.join(_HERE, "kernels"), os.path.join(top, "kernels"),
                                    "/usr/share/tessera/kernels", "/usr/local/share/tessera/kernels"]
    for place in places:
        if os.path.isfile(os.path.join(place, "firmware", "firmware.c")):
            return place
    raise BuildError(f"no kernel library in {', '.join(places)} (TESSERA_KERNELS names one)")


def compiler() -> str:
    """The RISC-V compiler: TESSERA_RISCV_CC, or the first of the command's candidates that exists."""
    wanted = os.environ.get("TESSERA_RISCV_CC")
    for name in [wanted] if wanted else _COMPILERS:
        found = shutil.which(name)
        if found is not None:
            return found
    raise BuildError(f"cannot find the compiler '{wanted}'" if wanted else
                     "no RISC-V compiler: install riscv64-unknown-elf-gcc (Debian: gcc-riscv64-unknown-elf), or name one with --cc or TESSERA_RISCV_CC")


def cache_directory() -> str:
    """The directory of built kernels: TESSERA_CACHE, or tessera in the user's cache."""
    given = os.environ.get("TESSERA_CACHE")
    return given or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tessera")


@functools.lru_cache(maxsize=8)
def _library_hash(directory: str) -> str:
    digest = hashlib.sha256()
    for folder, folders, files in sorted(os.walk(directory)):
        folders.sort()
        for name in sorted(files):
            with open(os.path.join(folder, name), "rb") as file:
                digest.update(name.encode() + b"\0" + file.read())
    digest.update(c_header().encode())
    return digest.hexdigest()


def _outputs(commands: list[list[str]]) -> tuple[list[int], list[str]]:
    """Exit status and text of commands that run at the same time. An interrupt ends them all."""
    jobs: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            jobs.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        texts = [job.communicate()[0].decode("utf-8", "replace") for job in jobs]
    except (OSError, ValueError) as error:
        raise BuildError(f"{commands[0][0]}: {getattr(error, 'strerror', None) or error}") from None
    finally:
        for job in jobs:
            if job.poll() is None:
                job.kill()
                job.wait()
            if job.stdout:
                job.stdout.close()  # a subprocess of the compiler ends at its next write
    return [job.returncode for job in jobs], texts


def _run(commands: list[tuple[str, list[str]]], names: Mapping[str, str]) -> list[str]:
    """Runs commands for sources and returns their outputs; BuildError for the first that fails, with the command's message. names: the
    sources as the user wrote them."""
    __tracebackhide__ = True
    outputs = []
    for (source, command), status, output in zip(commands, *_outputs([command for _, command in commands])):
        for path, name in names.items():
            output = output.replace(path, name)
        outputs.append(output)
        if status:
            lines = output.strip().splitlines() or ["the compiler failed"]
            first = next((line for mark in _MARKS for line in lines if mark in line), "the compiler failed")
            if first.endswith("`kernel_main'"):
                first = "it has no function kernel_main"
            elif first.endswith("`kernel_entry'"):
                first = f'it includes no header of the kernel library: #include "{"compute" if any(word.startswith("-DTRISC_") for word in command) else "dataflow"}.h"'
            error = BuildError(f"{os.path.basename(source)} does not build: {first}")
            error.log = output
            raise error
    return outputs


def _link(commands: list[tuple[str, list[str]]], memory: str, names: Mapping[str, str]) -> None:
    """With memcpy and the like where the linker misses one: the compiler calls them for copies of structs."""
    __tracebackhide__ = True
    statuses, texts = _outputs([command for _, command in commands])
    if any(statuses):
        _run([(source, [*command, memory] if _MISSES_MEMORY.search(text) else command) for (source, command), text in zip(commands, texts)], names)


def _source_file(directory: str, role: str, source: str, extension: str) -> str:
    path = os.path.join(directory, role + extension)
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    return path


def _vendor_paths(library: str, directory: str) -> None:
    """The vendor's include paths, each of which includes kernel_api.h; an installed library already has them as files."""
    names = os.path.join(library, "api_paths.list")
    if not os.path.isfile(names):
        return
    with open(names, encoding="utf-8") as file:
        for name in filter(None, (line.strip() for line in file)):
            path = os.path.join(directory, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as header:
                header.write('#include "kernel_api.h"\n')


def _compile(directory: str, sources: Mapping[str, str], flags: Sequence[str], own: Mapping[str, Sequence[str]], names: Mapping[str, str]) -> list[str]:
    """Returns the warnings; those of the compute kernel once, of TRISC1."""
    __tracebackhide__ = True
    library, cc = kernel_library(), compiler()
    with open(os.path.join(directory, "tensix_isa.h"), "w", encoding="utf-8") as file:
        file.write(c_header())
    _vendor_paths(library, directory)
    common = [*_FLAGS, "-I" + os.path.join(library, "include"), "-I" + directory]
    firmware = [os.path.join(library, "firmware", name) for name in ("start.S", "firmware.c")]
    script = os.path.join(library, "firmware", "tensix.ld")
    objects, links = [], []
    for core, (define, number, local, role) in _CORES.items():
        source = sources[role]
        thing = os.path.join(directory, core)
        language = [*_SOURCE_FLAGS, *(_CXX_FLAGS if source.endswith((".cpp", ".cc", ".cxx")) else _C_FLAGS)]
        objects.append((source, [cc, _MACHINE, *common, *language, *own.get(role, ()), *flags, "-D" + define, "-I" + os.path.dirname(source), "-c", source, "-o", thing + ".o"]))
        place = f"-Wl,--defsym,CODE_BASE={0x2000 + number * 0x6000},--defsym,LOCAL_BYTES={local},--no-warn-rwx-segments"
        links.append((source, [cc, _LINK_MACHINE, *common, "-D" + define, *firmware, thing + ".o", "-T", script, place, "-lgcc", "-o", thing + ".elf"]))
    outputs = dict(zip(_CORES, _run(objects, names)))
    _link(links, os.path.join(library, "firmware", "memory.c"), names)
    return [line for core in _CORES if core not in ("trisc0", "trisc2") for line in outputs[core].splitlines() if ": warning: " in line]


def build_key(sources: Mapping[str, tuple[str, str, str]], flags: Sequence[str], own: Mapping[str, Sequence[str]]) -> str:
    """The key of the executables: kernel library, compiler, flags, the sources and the headers that they include. Sources: reader, compute and
    writer, each as ("path", path as given, path) or ("text", source, ""); own: flags of one."""
    __tracebackhide__ = True
    settings = (tuple(flags), sorted((role, tuple(more)) for role, more in own.items()))
    digest = hashlib.sha256(repr((_library_hash(kernel_library()), compiler(), settings, lib.path)).encode())
    for role in ("reader", "compute", "writer"):
        kind, value, path = sources[role]
        digest.update(f"{role} {kind} {path}\0".encode("utf-8", "surrogateescape"))
        digest.update(_content(kind, path or value, _include_folders([*flags, *own.get(role, ())])))
    return digest.hexdigest()[:32]


def compile_kernel(key: str, sources: Mapping[str, tuple[str, str, str]], flags: Sequence[str], own: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
    """Executables of the five cores: those of the cache, or new ones. The warnings of their build are issued in both cases."""
    __tracebackhide__ = True
    final = os.path.join(cache_directory(), "built", key)
    try:
        if not os.path.isfile(os.path.join(final, "complete")):
            _build_into(final, sources, flags, own)
        elfs = {core: pathlib.Path(final, core + ".elf").read_bytes() for core in _CORES}
        warned = pathlib.Path(final, "complete").read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BuildError(f"{error.filename}: {error.strerror} (TESSERA_CACHE names another directory for built kernels)") from None
    for line in warned:
        warnings.warn(line, CompilerWarning, stacklevel=_callers_level())
    return elfs


def _callers_level() -> int:
    """The level of the first caller outside of the package, for warnings.warn in the function that calls this."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("tessera.") and ".tests." not in frame.f_globals["__name__"]:
        frame, level = frame.f_back, level + 1
    return level


_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.M)


def _include_folders(flags: Sequence[str]) -> list[str]:
    """The folders of -I: "-Ifolder" and "-I", "folder"."""
    apart = [b for a, b in zip(flags, flags[1:]) if a in ("-I", "-iquote", "-isystem")]
    return [flag[2:] for flag in flags if flag.startswith("-I") and flag != "-I"] + apart


def _headers(source: bytes, folder: str, folders: Sequence[str], found: dict[str, bytes]) -> None:
    """The files that a source includes, and those that they include; the kernel library's are part of the key already."""
    for name in _INCLUDE.findall(source):
        for place in [folder, *folders]:
            path = os.path.abspath(os.path.join(place, os.fsdecode(name)))
            if path in found or not os.path.isfile(path):
                continue
            found[path] = pathlib.Path(path).read_bytes()
            _headers(found[path], os.path.dirname(path), folders, found)


def _content(kind: str, value: str, folders: Sequence[str]) -> bytes:
    """The source, and the headers that it includes."""
    __tracebackhide__ = True
    headers: dict[str, bytes] = {}
    try:
        source = value.encode() if kind == "text" else pathlib.Path(value).read_bytes()
        _headers(source, os.path.dirname(value) if kind == "path" else os.getcwd(), folders, headers)
    except OSError as error:
        raise BuildError(f"{value if kind == 'path' else error.filename}: {error.strerror}") from None
    return b"\0".join([source, *(os.fsencode(path) + b"\0" + headers[path] for path in sorted(headers))])


def _build_into(final: str, sources: Mapping[str, tuple[str, str, str]], flags: Sequence[str], own: Mapping[str, Sequence[str]]) -> None:
    __tracebackhide__ = True
    os.makedirs(os.path.dirname(final), exist_ok=True)
    # Sources given as text stay in the final directory, which the debug information names.
    os.makedirs(final, exist_ok=True)
    files, names = {}, {}
    for role, (kind, value, path) in sources.items():
        extension = ".cpp" if kind == "text" and _CXX_WORDS.search(value) else ".c"
        files[role] = path or _source_file(final, role, value, extension)
        names[files[role]] = value if kind == "path" else role + extension
    with tempfile.TemporaryDirectory(dir=os.path.dirname(final)) as work:
        warned = _compile(work, files, flags, own, names)
        for core in _CORES:
            made = os.path.join(work, core + ".elf")
            if not os.path.isfile(made):
                raise BuildError(f"cannot read {core}.elf: {compiler()} did not make it")
            os.replace(made, os.path.join(final, core + ".elf"))
    with open(os.path.join(final, "complete"), "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in warned))
