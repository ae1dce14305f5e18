#!/usr/bin/env python3
"""Writes a C program that calls every function of the C API with NULL and with bad handles.

usage: null_calls.py HEADER... < SYMBOLS > program.c

SYMBOLS are the names that the library exports, one per line: a function without a prototype in the headers is an error, so none is
forgotten. The program prints one TAP line per function."""
import re
import subprocess
import sys

HANDLES = ["tessera_tile", "tessera_asm", "tessera_cases", "tessera_pto_program", "tessera_pto_machine", "tessera_chip"]


def prototypes(headers):
    source = "".join(f'#include "{h}"\n' for h in headers)
    text = subprocess.run(["cc", "-E", "-P", "-I", "include", "-xc", "-"], input=source, capture_output=True, text=True, check=True)
    flat = re.sub(r"\s+", " ", text.stdout)
    found = {}
    for statement in flat.split(";"):
        match = re.fullmatch(r"([A-Za-z_][\w ]*?[ *])(tessera_\w+)\(([^()]*)\)", statement.rsplit("}", 1)[-1].rsplit("{", 1)[-1].strip())
        if match and not match.group(1).startswith("typedef"):
            found[match.group(2)] = (match.group(1).strip(), [a.strip() for a in match.group(3).split(",")])
    return found


def handle_of(argument):
    match = re.match(r"(?:const )?struct (\w+) \*", argument)
    return match.group(1) if match and match.group(1) in HANDLES and "**" not in argument else None


def value(argument, other):
    """What stands for an argument that is no handle: `other` 0: NULL and 0; 1: memory and small numbers."""
    if argument == "void":
        return None
    if "*" in argument:
        return "0" if other == 0 or "_fn" in argument else "(void *)scratch"
    if "struct" in argument:
        raise SystemExit(f"a struct by value: {argument}")
    if argument.startswith("enum"):
        return f"({argument.rsplit(' ', 1)[0]}){other}"
    return str(other * 8)


def check(result, call):
    """C code that calls and is true when the answer is that of a refusal."""
    if result == "void":
        return f"({call}, 1)"
    if result == "enum tessera_result":
        return f"{call} == TESSERA_INVALID"
    if result == "enum tessera_pto_result":
        return f"{call} == TESSERA_PTO_INVALID"
    if result == "const char *":
        return f"is_empty({call})"
    if "*" in result:
        return f"{call} == 0"
    return f"{call} <= 0" if result == "int" else f"{call} == 0"


def main():
    names = sys.stdin.read().split()
    known = prototypes(sys.argv[1:])
    missing = [n for n in names if n not in known]
    if missing:
        raise SystemExit("no prototype in the headers: " + " ".join(missing))
    print("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>")
    for header in sys.argv[1:]:
        print(f'#include "{header}"')
    print("static _Alignas(64) unsigned char scratch[1 << 20];")
    print('static int is_empty(const char *text) { return text && !*text; }')
    print("#define IGNORE(call) ((void)(call))")
    print("int main(void) {\n  int bad = 0;")
    print("  static _Alignas(64) unsigned char zeros[4096], noise[4096];\n  memset(noise, 0xa5, sizeof noise);")
    print("  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_OFF);")
    print('  struct tessera_asm *assembly = tessera_assemble("x", "ttnop", 5);')
    print("  struct tessera_pto_program *program = tessera_pto_create(NULL);")
    print('  static const char pto[] = "module { func.func @v() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} { return } }";')
    print("  char error[256];\n  struct tessera_pto_program *ready = tessera_pto_parse(pto, sizeof pto - 1, NULL, error, sizeof error);")
    print("  struct tessera_pto_machine *machine = ready ? tessera_pto_start(ready, NULL) : NULL;")
    print('  if (!machine) { printf("Bail out! no machine: %s\\n", error); return 1; }')
    print('  struct tessera_cases *cases = tessera_cases_text("x", "case a\\nend\\n", 11);\n  tessera_cases_next(cases);')
    print("  void *const wrong[] = {NULL, zeros, noise, noise + 1, tile, assembly, program};")
    print("  const char *const kinds[] = {\"\", \"\", \"\", \"\", \"tessera_tile\", \"tessera_asm\", \"tessera_pto_program\"};")
    print(f'  printf("1..{len(names)}\\n");')
    for number, name in enumerate(names, 1):
        result, arguments = known[name]
        handles = [handle_of(a) for a in arguments]
        print(f"  bad = 0; /* {name} */")
        if any(handles):
            print("  for (unsigned i = 0; i < 7; i++)\n    for (unsigned other = 0; other < 2; other++) {")
            kind = next(h for h in handles if h)
            print(f'      if (strcmp(kinds[i], "{kind}") == 0) continue;')
            for other in (0, 1):
                values = ["wrong[i]" if h else value(a, other) for a, h in zip(arguments, handles)]
                print(f"      if (other == {other} && !({check(result, f'{name}({chr(44).join(values)})')})) bad++;")
            print("    }")
            kinds = {"tessera_tile": "tile", "tessera_asm": "assembly", "tessera_pto_program": "program",
                     "tessera_pto_machine": "machine", "tessera_cases": "cases"}
            if not re.search("destroy|_stop$|_close$", name) and all(h is None or h in kinds for h in handles) and "*const *" not in "".join(arguments):
                for other in (0, 1):  # a good handle and NULL for everything else: no crash, whatever the answer
                    values = [kinds[h] if h else ("0" if "*" in a else value(a, other)) for a, h in zip(arguments, handles)]
                    print(f"  IGNORE({name}({','.join(values)}));")
        else:  # no handle: NULL where a pointer is expected, with a size that is not 0
            values = [v for v in (value(a, 0) for a in arguments) if v is not None]
            sized = ["0" if "*" in a else value(a, 1) for a in arguments] if arguments != ["void"] else []
            call = f"{name}({','.join(values)})"
            again = f"{name}({','.join(sized)})"
            if result == "const char *":
                print(f"  if (!{call} || !{again}) bad++;")
            elif result.startswith("struct"):
                print(f"  {{ void *made = {call}; if (made) free(0); made = {again}; (void)made; }}")
            else:
                print(f"  IGNORE({call});\n  IGNORE({again});")
        print(f'  printf("%sok {number} - {name}\\n", bad ? "not " : "");')
    print("  tessera_tile_destroy(tile);\n  tessera_asm_destroy(assembly);\n  tessera_pto_stop(machine);\n  tessera_pto_destroy(ready);\n  tessera_cases_close(cases);\n  tessera_pto_destroy(program);\n  return 0;\n}")


main()
