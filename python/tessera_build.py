"""The PEP 517 and 660 back end of the package: builds libtessera.so with make and packs it with the Python files.

It has no requirements, so an isolated build needs no network. The kernel library (kernels/include, kernels/firmware, kernels/template) goes into the wheel
too, so that kernels can be built outside the source tree.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sysconfig
import tarfile
import zipfile

TOP = pathlib.Path(__file__).resolve().parent.parent
PYTHON = TOP / "python"
NAME = "tessera"
VERSION = re.search(r"^VERSION\s*=\s*(\S+)", (TOP / "Makefile").read_text(), re.M).group(1)
METADATA = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: Simulates the Tenstorrent Blackhole Tensix tile and chip and the Ascend PTO pipe: bits, cycles and an explanation
License: Apache-2.0
Requires-Python: >=3.10
Requires-Dist: numpy
Provides-Extra: test
Requires-Dist: pytest ; extra == 'test'
Classifier: Framework :: Pytest
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

"""
ENTRY_POINTS = "[pytest11]\ntessera = tessera.pytest_plugin\n"
# Files of an sdist: everything that git tracks except the tests' data, or all of these without git.
SOURCE_FOLDERS = ("src", "include", "kernels", "python", "tools", "tests", "docs", "examples", "bench")
SOURCE_FILES = ("Makefile", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "tessera.pc.in")


def metadata() -> str:
    return METADATA + (PYTHON / "README.md").read_text()


def tag() -> str:
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"py3-none-{platform}"


def library() -> pathlib.Path:
    """Builds the library in make's build directory, so that a second build is quick."""
    build = pathlib.Path(os.environ.get("TESSERA_BUILD", TOP / "build"))
    jobs = os.environ.get("TESSERA_JOBS", str(os.cpu_count() or 1))
    target = build / "libtessera.so.1"
    # The build directory by the name that make itself uses: dependency files contain the names of objects.
    inside = build.resolve().is_relative_to(TOP.resolve())
    named = pathlib.Path(os.path.relpath(build.resolve(), TOP.resolve())) if inside else build
    command = ["make", "-C", str(TOP), f"-j{jobs}", f"BUILD={named}", str(named / target.name)]
    if os.environ.get("CC"):
        command.append("CC=" + os.environ["CC"])
    subprocess.run(command, check=True)
    return target


def package_files() -> list[tuple[str, bytes]]:
    found = []
    for path in sorted((PYTHON / NAME).rglob("*")):
        name = path.relative_to(PYTHON).as_posix()
        if path.is_file() and path.suffix in (".py", ".pyi", ".typed", ".c", ".ipynb") or path.name == "py.typed":
            if "__pycache__" not in name and "/_lib/" not in name and "/kernels/" not in name:
                found.append((name, path.read_bytes()))
    for folder in ("include", "firmware", "template"):
        for path in sorted((TOP / "kernels" / folder).rglob("*")):
            if path.is_file():
                found.append((f"{NAME}/kernels/{path.relative_to(TOP / 'kernels').as_posix()}", path.read_bytes()))
    paths = TOP / "kernels" / "api_paths.list"
    if paths.is_file():
        found.append((f"{NAME}/kernels/api_paths.list", paths.read_bytes()))
    return found


def stripped(path: pathlib.Path) -> bytes:
    """The library without debug information: a tenth of the size."""
    copy = path.with_suffix(".stripped")
    try:
        subprocess.run(["strip", "--strip-debug", "-o", str(copy), str(path)], check=True)
        return copy.read_bytes()
    except (OSError, subprocess.CalledProcessError):
        return path.read_bytes()
    finally:
        copy.unlink(missing_ok=True)


def dist_info() -> list[tuple[str, bytes]]:
    folder = f"{NAME}-{VERSION}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: tessera_build\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    return [(f"{folder}/METADATA", metadata().encode()), (f"{folder}/WHEEL", wheel.encode()),
            (f"{folder}/entry_points.txt", ENTRY_POINTS.encode()), (f"{folder}/licenses/LICENSE", (TOP / "LICENSE").read_bytes())]


def write_wheel(directory: str, files: list[tuple[str, bytes]]) -> str:
    name = f"{NAME}-{VERSION}-{tag()}.whl"
    record = []
    with zipfile.ZipFile(os.path.join(directory, name), "w", zipfile.ZIP_DEFLATED) as archive:
        def put(path: str, content: bytes) -> None:
            info = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o755 if ".so" in path else 0o644) << 16
            archive.writestr(info, content)

        for path, content in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}")
            put(path, content)
        own = f"{NAME}-{VERSION}.dist-info/RECORD"
        put(own, ("\n".join(record + [f"{own},,"]) + "\n").encode())
    return name


# --- PEP 517 ---


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, package_files() + [(f"{NAME}/_lib/libtessera.so.1", stripped(library()))] + dist_info())


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    for path, content in dist_info():
        target = pathlib.Path(metadata_directory, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return f"{NAME}-{VERSION}.dist-info"


def get_requires_for_build_wheel(config_settings=None):
    return []


def source_files() -> list[pathlib.Path]:
    listed = subprocess.run(["git", "-C", str(TOP), "ls-files", "-z"], capture_output=True)
    if listed.returncode == 0 and listed.stdout:
        return [TOP / name for name in listed.stdout.decode().split("\0") if name and (TOP / name).is_file()]
    files = [TOP / name for name in SOURCE_FILES if (TOP / name).is_file()]
    for folder in SOURCE_FOLDERS:
        files += [path for path in sorted((TOP / folder).rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    return files


def build_sdist(sdist_directory, config_settings=None):
    top = f"{NAME}-{VERSION}"
    with tarfile.open(os.path.join(sdist_directory, top + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo(top + "/PKG-INFO")
        content = metadata().encode()
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
        for path in source_files():
            archive.add(path, f"{top}/{path.relative_to(TOP).as_posix()}", recursive=False)
    return top + ".tar.gz"


def get_requires_for_build_sdist(config_settings=None):
    return []


# --- PEP 660: the package in place, with the library of build/ ---


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    library()
    return write_wheel(wheel_directory, [(f"__editable__.{NAME}.pth", f"{PYTHON}\n".encode())] + dist_info())


get_requires_for_build_editable = get_requires_for_build_wheel
prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel
