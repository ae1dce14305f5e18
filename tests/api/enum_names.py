"""A C program that demands one name function per enumeration of the public headers: tessera_X_name for enum tessera_X.

usage: enum_names.py HEADER... (names below include/)   prints the program, which prints TAP

Each enumerator has a name other than "?", no two of an enumeration share one, and numbers that are none of them give "?". An enumerator
without a value that is the last and ends in S counts the others: it has no name.
"""

import re
import sys

# Names that are not formed by the rule. A function whose name is the rule's takes another number.
OTHERS = {
    "tessera_event_kind": "tessera_event_name",
    "tessera_pto_core": "tessera_pto_cores_name",
}
COUNTS_NOT = {"TESSERA_PTO_ALL_UNITS"}  # the last, ends in S, and is a value


def enumerations(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for found in re.finditer(r"\benum\s+(tessera_\w+)\s*\{([^}]*)\}", text):
        rows = [row.strip() for row in found.group(2).split(",") if row.strip()]
        names = [row.split("=")[0].strip() for row in rows]
        if names[-1].endswith("S") and "=" not in rows[-1] and names[-1] not in COUNTS_NOT:
            names, count = names[:-1], names[-1]
        else:
            count = None
        yield found.group(1), names, count
    for found in re.finditer(r"\benum\s*\{([^}]*)\}", text):
        sys.exit(f"an enumeration without a name: {found.group(1).split()[0]}")


def main():
    tables = []
    for header in sys.argv[1:]:
        with open(f"include/{header}", encoding="utf-8") as source:
            tables += enumerations(source.read())
    for header in sys.argv[1:]:
        print(f"#include <{header}>")
    print("#include <stdio.h>\n#include <string.h>\n")
    print("static int number, bad;")
    print("static void check(const char *of, const char *(*name)(int), const int *values, int count, int none) {")
    print("  int wrong = 0;")
    print("  for (int i = 0; i < count; i++) {")
    print('    const char *text = name(values[i]);')
    print('    if (!text || !*text || strcmp(text, "?") == 0) wrong++, printf("# %s: %d has no name\\n", of, values[i]);')
    print("    for (int k = 0; k < i; k++)")
    print('      if (text && strcmp(text, name(values[k])) == 0) wrong++, printf("# %s: %d and %d are both %s\\n", of, values[k], values[i], text);')
    print("  }")
    print("  const int nothing[] = {none, -1, 1 << 30};")
    print("  for (int i = none < 0 ? 1 : 0; i < 3; i++)")
    print('    if (strcmp(name(nothing[i]), "?") != 0) wrong++, printf("# %s: %d is %s\\n", of, nothing[i], name(nothing[i]));')
    print('  printf("%s %d - %s: %d names\\n", wrong ? "not ok" : "ok", ++number, of, count);')
    print("  bad += wrong;")
    print("}\n")
    for enum, _, _ in tables:
        function = OTHERS.get(enum, f"{enum}_name")
        print(f"static const char *of_{enum}(int value) {{ return {function}(value); }}")
    print("\nint main(void) {")
    print(f'  puts("1..{len(tables)}");')
    for enum, names, count in tables:
        print(f'  check("{enum}", of_{enum}, (const int[]){{{", ".join(names)}}}, {len(names)}, {count or -1});')
    print("  return bad != 0;\n}")
    return 0 if tables else "no enumeration found"


sys.exit(main())
