"""Puts the Python package without a library and its metadata into a directory: the library is libtessera1's. usage: install_python.py DIRECTORY"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
import tessera_build  # noqa: E402

top = pathlib.Path(sys.argv[1])
for name, content in tessera_build.package_files() + tessera_build.dist_info():
    if name.startswith("tessera/kernels/") or name.endswith(("/WHEEL", "/LICENSE")):
        continue
    path = top / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
