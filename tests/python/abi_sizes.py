"""Compares the structs of python/tessera/_abi.py with the C compiler's: sizes and offsets of every member. usage: abi_sizes.py CC WORK"""

import ctypes
import pathlib
import re
import runpy
import subprocess
import sys

top = pathlib.Path(__file__).resolve().parent.parent.parent
cc, work = sys.argv[1].split(), pathlib.Path(sys.argv[2])
abi = runpy.run_path(str(top / "python/tessera/_abi.py"))
structs = {name: value for name, value in abi.items() if isinstance(value, type) and issubclass(value, ctypes.Structure) and hasattr(value, "_fields_")}
headers = "".join((top / "include/tessera" / name).read_text() for name in
                  [p.name for p in (top / "include/tessera").glob("*.h")])
c_names = {"".join(part.capitalize() for part in name.removeprefix("tessera_").split("_")): name
           for name in re.findall(r"^struct (tessera_\w+) \{", headers, re.M)}
lines = ['#include <stddef.h>', '#include <stdio.h>', '#include <tessera/tensix.h>', '#include <tessera/chip.h>', '#include <tessera/pto.h>', '#include <tessera/debugger.h>', '#include <tessera/system.h>',
         'int main(void) {']
for name, struct in structs.items():
    lines.append(f'  printf("{name} %zu\\n", sizeof(struct {c_names[name]}));')
    for field, _ in struct._fields_:
        lines.append(f'  printf("{name}.{field} %zu\\n", offsetof(struct {c_names[name]}, {field}));')
(work / "sizes.c").write_text("\n".join(lines + ["  return 0;", "}", ""]))
subprocess.run([*cc, "-std=c11", f"-I{top / 'include'}", str(work / "sizes.c"), "-o", str(work / "sizes")], check=True)
seen = dict(line.split() for line in subprocess.run([str(work / "sizes")], check=True, capture_output=True, text=True).stdout.splitlines())
wrong = []
for name, struct in structs.items():
    ours = {name: ctypes.sizeof(struct), **{f"{name}.{field}": getattr(struct, field).offset for field, _ in struct._fields_}}
    wrong += [f"{key}: Python {value}, C {seen[key]}" for key, value in ours.items() if int(seen[key]) != value]
print("\n".join(wrong) or f"{len(structs)} structs, {len(seen)} numbers agree")
sys.exit(1 if wrong else 0)
