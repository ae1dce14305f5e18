#!/usr/bin/env python3
"""Writes a C program that calls every function of the C API with NULL and with bad handles.

usage: null_calls.py HEADER... < SYMBOLS > program.c

SYMBOLS are the names that the library exports, one per line: a function without a prototype in the headers is an error, so none is
left out. A handle is a struct that the headers name and do not define; one that GOOD has no entry for is an error too. The
program prints one TAP line per function: called with every handle wrong in turn (NULL, zeros, noise, misaligned, of another kind), the
others right; and with right handles and NULL for everything else, which must not crash."""
import re
import subprocess
import sys

# How the program creates a good handle of each kind, in this order. It destroys them in the opposite order.
GOOD = {
    "tessera_tile": ("tessera_tile_create(TESSERA_TIMING_OFF)", "tessera_tile_destroy"),
    "tessera_asm": ('tessera_assemble("x", "ttnop", 5)', "tessera_asm_destroy"),
    "tessera_pto_program": ("tessera_pto_parse(pto, sizeof pto - 1, NULL, error, sizeof error)", "tessera_pto_destroy"),
    "tessera_pto_machine": ("tessera_pto_start(good_tessera_pto_program, NULL)", "tessera_pto_stop"),
    "tessera_cases": ('tessera_cases_text("x", "case a\\nend\\n", 11)', "tessera_cases_close"),
    "tessera_chip": ("tessera_chip_create(&chip_options)", "tessera_chip_destroy"),
    "tessera_system": ("tessera_system_create(&system_options, error, sizeof error)", "tessera_system_destroy"),
    "tessera_debugger": ("tessera_debugger_open_chip(good_tessera_chip)", "tessera_debugger_close"),
}
# Calls that end the handle or that block.
ENDS = re.compile("destroy|_stop$|_close$")
HANDLES = set()


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
    """The value of a non-handle argument. `other` 0: NULL and 0; 1: memory and small numbers."""
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
    """A C expression that makes the call and is true when it was refused."""
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


def find_handles(headers):
    text = "".join(open("include/" + header, encoding="utf-8").read() for header in headers)
    named = set(re.findall(r"\bstruct (tessera_\w+)", re.sub(r"/\*.*?\*/", " ", text, flags=re.S)))
    HANDLES.update(named - set(re.findall(r"\bstruct (tessera_\w+) \{", text)))
    unknown = sorted(HANDLES ^ set(GOOD))
    if unknown:
        raise SystemExit("handles of the headers and of tests/api/null_calls.py differ: " + " ".join(unknown))


def call_with_wrong_handles(name, result, arguments, handles):
    for wrong, kind in enumerate(handles):
        if not kind:
            continue
        print(f"  for (unsigned i = 0; i < WRONG; i++) {{\n    if (strcmp(kinds[i], \"{kind}\") == 0) continue;")
        for other in (0, 1):
            values = [f"good_{h}" if h and k != wrong else "wrong[i]" if h else value(a, other) for k, (a, h) in enumerate(zip(arguments, handles))]
            print(f"    if (!({check(result, f'{name}({chr(44).join(values)})')})) bad++;")
        print("  }")


def call_with_good_handles(name, arguments, handles):
    if ENDS.search(name) or "*const *" in "".join(arguments):
        return
    for other in (0, 1):  # any result is fine, a crash is not
        values = [f"good_{h}" if h else ("0" if "*" in a else value(a, other)) for a, h in zip(arguments, handles)]
        call = f"{name}({','.join(values)})"
        made = next((h for h in GOOD if h in ("tessera_debugger",) and name.startswith(h + "_open")), None)
        print(f"  {GOOD[made][1]}({call});" if made else f"  IGNORE({call});")


def call_without_handle(name, result, arguments):
    """NULL where a pointer is expected, with a size that is not 0."""
    values = [v for v in (value(a, 0) for a in arguments) if v is not None]
    sized = ["0" if "*" in a else value(a, 1) for a in arguments] if arguments != ["void"] else []
    call, again = f"{name}({','.join(values)})", f"{name}({','.join(sized)})"
    kind = handle_of(result + "x")
    if result == "const char *":
        print(f"  if (!{call} || !{again}) bad++;")
    elif kind:
        print(f"  {GOOD[kind][1]}({call});\n  {GOOD[kind][1]}({again});")
    else:
        print(f"  IGNORE({call});\n  IGNORE({again});")


def main():
    names = sys.stdin.read().split()
    find_handles(sys.argv[1:])
    known = prototypes(sys.argv[1:])
    missing = sorted(set(names) ^ set(known))
    if missing:
        raise SystemExit("not both exported and in the headers: " + " ".join(missing))
    print("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>")
    for header in sys.argv[1:]:
        print(f'#include "{header}"')
    print("static _Alignas(64) unsigned char scratch[1 << 20];")
    print('static int is_empty(const char *text) { return text && !*text; }')
    print("#define IGNORE(call) ((void)(call))")
    print(f"#define WRONG {4 + len(GOOD)}")
    print("int main(void) {\n  int bad = 0;\n  char error[256] = \"\";")
    print("  static _Alignas(64) unsigned char zeros[4096], noise[4096];\n  memset(noise, 0xa5, sizeof noise);")
    print('  static const char pto[] = "module { func.func @v() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} { return } }";')
    print("  const struct tessera_chip_options chip_options = {.timing = TESSERA_TIMING_OFF, .threads = 1};")
    print('  const struct tessera_system_options system_options = {.system = "p150", .timing = TESSERA_TIMING_OFF, .threads = 1};')
    for kind, (make, _) in GOOD.items():
        print(f"  struct {kind} *good_{kind} = {make};")
        print(f'  if (!good_{kind}) {{ printf("Bail out! no {kind} %s\\n", error); return 1; }}')
    print("  tessera_cases_next(good_tessera_cases);")
    print("  void *const wrong[] = {NULL, zeros, noise, noise + 1, " + ", ".join(f"good_{kind}" for kind in GOOD) + "};")
    print('  const char *const kinds[] = {"", "", "", "", ' + ", ".join(f'"{kind}"' for kind in GOOD) + "};")
    print(f'  printf("1..{len(names)}\\n");')
    for number, name in enumerate(names, 1):
        result, arguments = known[name]
        handles = [handle_of(a) for a in arguments]
        print(f"  bad = 0; /* {name} */")
        if any(handles):
            call_with_wrong_handles(name, result, arguments, handles)
            call_with_good_handles(name, arguments, handles)
        else:
            call_without_handle(name, result, arguments)
        print(f'  printf("%sok {number} - {name}\\n", bad ? "not " : "");\n  fflush(stdout);')
    for kind in reversed(GOOD):
        print(f"  {GOOD[kind][1]}(good_{kind});")
    print("  return 0;\n}")


main()
