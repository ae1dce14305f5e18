# The rules of CONTRIBUTING.md that can be checked from outside, on the built library and on the sources. Prints TAP.
# Reads BUILD (the build directory) and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
number=0
work=$(mktemp -d) || exit 1
found=$work/found
trap 'rm -rf "$work"' EXIT

echo "1..29"
failures=0
none() { # RULE: holds when the list of offenders is empty
  number=$((number + 1))
  if [ -s "$found" ]; then failures=$((failures + 1)) && echo "not ok $number - $1"; else echo "ok $number - $1"; fi
  sed 's/^/# /' "$found"
}

# Symbols of all objects at once: FILE:VALUE TYPE NAME, without the value when undefined.
find src -name '*.c' | sort | sed "s|\(.*\)\.c|$BUILD/obj/\1.o|" | while read -r object; do [ ! -f "$object" ] || echo "$object"; done |
  xargs nm -A | sed "s|^$BUILD/obj/src/\([^:]*\)\.o:|\1.c |" | awk '
    NF == 3 && $2 == "U" { print "U", $3, $1 }
    NF == 4 && $3 ~ /^[TRDBVWC]$/ { print "D", $4, $1 }' > "$work/symbols"
[ -s "$work/symbols" ] || { echo "Bail out! no objects in $BUILD"; exit 1; }

nm -D --defined-only "$BUILD/libtessera.so" | awk '$2 != "A" && $3 !~ /^tessera_/ { print $3 }' > "$found"
none "the shared library exports tessera_* only"

readelf -d "$BUILD/libtessera.so" | awk '/NEEDED/ && !/\[lib[cm]\.so\.6\]/ && !/\[ld-linux/ { print $NF }' > "$found"
none "the library needs libc and its libm only"

# Tables of constants that hold pointers are in .data.rel.ro and are not counted.
size -A "$BUILD/libtessera.a" | awk '
  / : *$|\(ex / { object = $1 }
  $1 ~ /^\.(bss|data|tbss|tdata)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print object, $1, $2, "bytes" }' > "$found"
none "no globals"

awk '
  $1 == "U" && $3 ~ /^(sim|chips|noc|tensix|chip|pto)\// &&
  ($2 ~ /^(__)?v?[fd]?printf(_chk)?$|^(f?puts|f?putc|putchar|fwrite|fopen|fflush|perror|stdout|stderr)$/ ||
   $2 ~ /^(exit|_exit|_Exit|abort|__assert_fail|system|getenv|time|clock|clock_gettime|rand|random|srand)$/) {
    print $3 ": " $2 }' "$work/symbols" > "$found"
none "the machines do not print, exit, or ask for the time or the environment"

awk '
  BEGIN {
    prefix["sim"] = "sim"; prefix["chips"] = "tx"; prefix["noc"] = "noc"; prefix["tensix"] = "(tx|num)"; prefix["chip"] = "chip"
    prefix["host"] = "(host|libttsim)"; prefix["pto"] = "pto"; prefix["check"] = "chk"; prefix["gdb"] = "gdb"
  }
  $1 == "D" {
    layer = $3; sub(/\/.*/, "", layer)
    if (layer in prefix && $2 !~ "^(tessera|" prefix[layer] ")_" && $2 !~ /^__(asan|odr|ubsan)/) print $3 ": " $2
  }' "$work/symbols" > "$found"
none "exported names carry the prefix of their layer"

# The floors, from the bottom. A file includes and calls files of its own floor or below; the longest prefix applies.
floors=$work/floors
cat > "$floors" << FLOORS
0 sim/
0 chips/
1 noc/
2 tensix/agents
2 tensix/isa/
2 tensix/num/
2 tensix/params
2 tensix/trail
2 tensix/effects
2 tensix/events
3 tensix/state/
4 tensix/state.
5 tensix/machine
5 tensix/body
5 tensix/lap_notes
6 tensix/mem/
6 tensix/regs/
7 tensix/unit/
8 tensix/frontend/
9 tensix/riscv/
10 tensix/tile/
11 tensix/lap/
11 chip/
11 pto/
12 system/
12 load/
12 debug/
12 observe/
12 check/
12 host/
13 api/
13 tessera/
14 gdb/
15 cli/
15 host/abi/
12 ../kernels/include/
FLOORS
floor_of='
  function floor_of(path,   prefix, best) {
    best = ""
    for (prefix in floor) if (index(path, prefix) == 1 && length(prefix) > length(best)) best = prefix
    return best == "" ? -1 : floor[best]
  }'
tops='sim|chips|noc|tensix|chip|system|pto|load|debug|observe|check|host|api|gdb|cli'
# An include by another spelling would bypass the check of floors.
spelled() { # FILE...: includes that are neither <of the system> nor "FOLDER/FILE" from the top
  grep -HnE '^ *# *include' "$@" |
    grep -vE "# *include *(<[^>]*>|\"(($tops|tessera)(/[A-Za-z0-9_-]+)+|\.\./kernels/include/[a-z_]+)\.(h|hpp|def)\")"
  grep -HnE "^ *# *include *<($tops)/" "$@"
}
# shellcheck disable=SC2046
spelled $(find src include -name '*.[ch]' -o -name '*.hpp' | sort) > "$found"
none "every include of the tree is \"FOLDER/FILE\""
printf '%s\n' '#include "tile/tile.h"' '#include "tensix/mem/../tile/tile.h"' '#include <sim/engine.h>' '#include "tensix/mem/l1.h"' '#include <stdio.h>' > "$work/spelled.c"
spelled "$work/spelled.c" | wc -l | grep -vx 3 > "$found"
none "the rule on includes finds the three that are planted"

includes() { # of all sources and public headers: FILE INCLUDED
  find src include -name '*.[ch]' -o -name '*.hpp' | sort | xargs grep -HoE '^ *# *include *"[^"]+"' |
    sed -nE "s%^(src|include)/([^:]*): *# *include *\"(($tops|tessera|\.\./kernels/include)/.*)\"%\2 \3%p"
}

# The layout of the launch block and of the print buffer is shared with device code. The two headers that hold it include nothing but
# C's own; no other header of the device is included.
{
  includes | grep -F ' ../kernels/' | grep -vE ' \.\./kernels/include/(launch|print_buffer)\.h$'
  grep -HnE '^ *# *include' kernels/include/launch.h kernels/include/print_buffer.h | grep -vE '<std[a-z]+\.h>'
} > "$found"
none "the library shares launch.h and print_buffer.h with kernels, and no other header"

includes | awk "$floor_of"'
  NR == FNR { floor[$2] = $1 + 0; next }
  floor_of($1) < 0 { print $1 ": on no floor" }
  floor_of($2) > floor_of($1) { print $1 " includes " $2 }' "$floors" - | sort -u > "$found"
none "no file includes one above its floor"

while read -r layer allowed; do
  includes | grep "^$layer/" | grep -vE " ($allowed)/"
done << LAYERS > "$found"
pto pto|sim
pto/program pto/program|sim
pto/ir pto/ir|pto/program|sim
pto/runtime pto/runtime|pto/program|sim
chip chip|tensix|noc|chips|sim
system system|chip|noc|chips|sim
LAYERS
none "the machines of two vendors do not include each other"

# The public headers are a user's: they include each other and C's own.
includes | grep '^tessera/' | grep -v ' tessera/' > "$found"
none "include/tessera includes nothing of src"

# What an object does not define itself is defined on its own floor or below.
awk "$floor_of"'
  NR == FNR { floor[$2] = $1 + 0; next }
  $1 == "D" { defined[$2] = $3; next }
  { user[++users] = $3; used[users] = $2 }
  END {
    for (i = 1; i <= users; i++)
      if (used[i] in defined && floor_of(defined[used[i]]) > floor_of(user[i]))
        print user[i] " calls " used[i] " of " defined[used[i]]
  }' "$floors" "$work/symbols" | sort -u > "$found"
none "no file calls one above its floor"

# A .c and its .h are one node, and so is a body that they include. tsort names the files of a circle.
includes | awk '
  { sub(/(_body)?\.[ch]$/, "", $1); sub(/(_body)?\.[ch]$/, "", $2) }
  $1 != $2 && $2 !~ /\.def$/ { print $1, $2 }' | sort -u > "$work/edges"
tsort "$work/edges" 2> "$found" > /dev/null
none "no circle of includes"

# The command uses the public API only.
grep -rnE '^ *# *include *"' src/cli | grep -vE 'include *"(cli|tessera)/' > "$found"
none "the command includes include/tessera and its own headers only"

# A prototype of its own would pass the rule on includes: what the command's objects leave undefined is declared in include/tessera, or
# is of no file of src.
sed 's,/\*.*\*/,,' include/tessera/*.h | grep -oE '\btessera_[a-z_0-9]+\(' | tr -d '(' | sort -u > "$work/declared"
command_calls() { # SYMBOLS: FILE SYMBOL that the command must not use
  awk '
    NR == FNR { declared[$1]; next }
    $1 == "D" { of[$2] = of[$2] " " $3; next }
    $3 ~ /^cli\// { used[$3 " " $2] = $2 }
    END {
      for (use in used) {
        name = used[use]
        if (name in declared) continue
        if (name in of ? of[name] !~ / cli\// : name ~ /^tessera_/) print use
      }
    }' "$work/declared" "$1" | sort
}
command_calls "$work/symbols" > "$found"
none "the command calls functions of include/tessera, its own and libc's only"
{
  cat "$work/symbols"
  printf 'U %s cli/run.c\n' tx_tile_hash tessera_undeclared tessera_tile_hash memcpy cli_create
} > "$work/planted"
command_calls "$work/planted" | tr '\n' ';' | grep -vxF 'cli/run.c tessera_undeclared;cli/run.c tx_tile_hash;' > "$found"
none "the rule on the command's calls finds the two that are planted"

# A function that one file uses is static; one that only tests use is theirs. Those below serve their own file, and tests call them as well.
cat > "$work/tested" << TESTED
chk_detach host_kernel_match pto_figure pto_figure_count pto_sweep pto_sweep_time tx_config_enter tx_lanes_version
num_pack_rows_baseline num_pack_bf16_baseline num_acc_bf16 num_acc_fp16 num_acc_fp32 num_acc_bytes_plain num_fpu_nth api_seal_state chip_seal
TESTED
lonely() { # SYMBOLS: FILE SYMBOL without a user in another file, and excuses without need
  tr ' ' '\n' < "$work/tested" | awk '
    NR == FNR { excused[$1]; next }
    $1 == "D" { of[$2] = $3 }
    $1 == "U" { used[$2] }
    END {
      for (name in of) if (!(name in used) && !(name in excused) && name !~ /^(tessera_|libttsim_|main$|__)/) print of[name], name
      for (name in excused) if (name in used || !(name in of)) print name, "needs no excuse"
    }' - "$1" | sort
}
lonely "$work/symbols" > "$found"
while read -r name; do
  grep -rqw "$name" tests bench || echo "$name: no test calls it"
done >> "$found" << TESTED
$(tr ' ' '\n' < "$work/tested")
TESTED
none "every exported function has a user in another file of src"
{
  cat "$work/symbols"
  echo "D tx_lonely tensix/machine.c"
} > "$work/planted"
lonely "$work/planted" | grep -vxF 'tensix/machine.c tx_lonely' > "$found"
lonely "$work/planted" | grep -qxF 'tensix/machine.c tx_lonely' || echo "not found" >> "$found"
none "the rule on functions without a user finds the one that is planted"

# Words of the sources without comments and texts.
find src/sim src/chips src/noc src/tensix src/chip -name '*.[ch]' -o -name '*.def' | sort | xargs awk '
  FNR == 1 { inside = 0 }
  {
    line = $0
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    code = ""
    while (line != "") {
      at = inside ? index(line, "*/") : match(line, /\/[*\/]/)
      if (inside && !at) break
      if (!inside && !at) { code = code line; break }
      if (!inside) code = code substr(line, 1, at - 1) " "
      if (!inside && substr(line, at, 2) == "//") break
      line = substr(line, at + 2)
      inside = !inside
    }
    if (code ~ /(^|[^A-Za-z0-9_])(float|double|_Float16)([^A-Za-z0-9_]|$)/) print FILENAME ":" FNR ": " $0
  }' > "$found"
none "the model of the hardware computes with integers only"

# Files built by a compiler and dumps of memory are not in the repository (skipped in a tarball, which has no git list).
git ls-files 2> /dev/null | grep -E '(^|/)build/|\.(elf|o|so|a|made|link\.log)$' > "$found"
git ls-files -z 2> /dev/null | LC_ALL=C xargs -0 -r grep -sl "$(printf '^\177ELF')" >> "$found"
none "nothing that was built is tracked"
rooms='.ci .clang-format .clang-tidy .editorconfig .github .gitignore CHANGELOG.md CONTRIBUTING.md LICENSE Makefile README.md bench debian docs examples include kernels mkdocs.yml pyproject.toml python src tessera-kernels.pc.in tessera.pc.in tests tools'
git ls-files 2> /dev/null | cut -d/ -f1 | sort -u | grep -vxF "$(echo "$rooms" | tr ' ' '\n')" > "$found"
none "nothing lies in the root that other programs left there"

# A second chip is a second folder: tests/chip_literals.py defines what a number of the chip is, and lists what is excused and why.
python3 tests/chip_literals.py > "$found"
none "no number of the chip stands outside src/chips/blackhole"

# The rule finds planted numbers in code and in texts, and none in comments.
cat > "$work/planted.c" << 'PLANTED'
/* 0xFFB20000 and 140 tiles */
static const unsigned long long numbers[] = {0xFFB12000u, 0xffe80004, 0xFF000000u, 0x180000, 1572864u, 140, 137u, 1536 * 1024,
  0x7CC00u, 0x80030408u, 0x1fd04000, 0xFFFFFFFFFFB20000ull};
static const char *text = "start=\"0xffb00000\"", *all_ones = "0xffffffff", *other = "0x18000 1400 x137";
PLANTED
python3 tests/chip_literals.py "$work/planted.c" | wc -l | grep -vx 13 > "$found"
# What only looks like one: each kind, in the model of the hardware and outside.
cat > "$work/planted.c" << 'PLANTED'
#define SCRATCH 0x400u
#define LOW_MASK 0x3ffu
#define DRAM_EAST_X 9u
enum { CODE = 0x52, MASK = 0x0ff0, REGISTER = 297 };
static const unsigned table[] = {0x301, 0x40201123u, 0xffff0000u}, places[][2] = {{2, 0}, {11, 0}, {8, 3}}, pairs[][2] = {{2, 0}, {90, 0}, {8, 3}};
static int f(int x, unsigned long n) { return x == 16 || x == 0 ? 1 : n == (0x0100u << 8); }
PLANTED
planted=planted.c # in a variable: not a file of the tree
python3 tests/chip_literals.py "$work/planted.c=src/chip/$planted" | sed 's/.*(\(.*\)).*/\1/' | tr '\n' ';' > "$work/kinds"
grep -qx '1024, named;9, coordinate;82, named;297, index;4080, named;8, coordinate;769, odd;1075843363, odd;16, coordinate;256, named;' "$work/kinds" ||
  cat "$work/kinds" >> "$found"
python3 tests/chip_literals.py "$work/planted.c=src/load/$planted" | wc -l | grep -vx 2 >> "$found"
none "the rule on the chip's numbers finds all that are planted"

python3 tests/parameters.py > "$found"
none "no function has more than seven parameters"

cat > "$work/planted.c" << 'PLANTED'
int seven(int a, int b, int c, int d, int e, int f, int (*g)(int, int));
static unsigned long *eight(const struct x *a, int b[2], int c, int d,
                            int e, int f, int g, int (*h)(int, int)) {
  return eight_of(1, 2, 3, 4, 5, 6, 7, 8);
}
PLANTED
python3 tests/parameters.py "$work/planted.c" | grep -vxF "$work/planted.c:2: eight has 8 parameters" > "$found"
python3 tests/parameters.py "$work/planted.c" > /dev/null && echo "none found" >> "$found"
none "the rule on parameters finds the function that is planted"

python3 tests/structure.py headers < "$work/symbols" > "$found"
none "each header declares the functions of its own file"

python3 tests/structure.py circles < "$work/symbols" > "$found"
none "no circle of calls"

# Both rules find what is planted: a function that moved to another file, and a call back.
{
  cat "$work/symbols"
  echo "U noc_take noc/packet.c"
} > "$work/planted"
sed 's|^D noc_packet_words noc/packet.c|D noc_packet_words noc/at.c|' "$work/symbols" > "$work/moved"
python3 tests/structure.py circles < "$work/planted" > "$work/circles"
python3 tests/structure.py headers < "$work/moved" > "$work/headers"
{
  grep -q 'noc/packet.c.*noc/respond.c' "$work/circles" || echo "circle not found"
  grep -qx 'noc/packet.h declares noc_packet_words of noc/at.c' "$work/headers" || echo "header not found"
} > "$found"
none "the rules on headers and circles find what is planted"

# Scripts of TAP: a failure is in the exit status. Those without it are sourced by others.
for script in tests/*.sh; do
  case $script in tests/tap.sh | tests/kernel_elfs.sh | tests/gdb_rig.sh | tests/why_rig.sh) continue ;; esac
  [ "$(grep -v '^#' "$script" | head -n 1)" = ". tests/tap.sh" ] || echo "$script"
done > "$found"
none "the first command of every script is '. tests/tap.sh'"

tap() { # STATUS COMMANDS: whether a script of these commands ends with that status
  printf '. tests/tap.sh\n%s\n' "$2" > "$work/tap.sh"
  sh "$work/tap.sh" > /dev/null
  status=$?
  [ $status -eq "$1" ] || echo "'$2' ends with $status"
}
{
  tap 0 'echo "1..2"; echo "ok 1 - a"; echo "ok 2 # SKIP b"'
  tap 1 'echo "1..2"; echo "not ok 1 - a"; echo "ok 2 - b"'
  tap 1 'echo "1..3"; echo "ok 1 - a"; echo "ok 2 - b"'
  tap 0 'echo "1..0 # SKIP no compiler"; exit 0'
  tap 3 'echo "1..1"; echo "ok 1 - a"; exit 3'
} > "$found"
none "a script with a failed or a missing result ends with status 1"
[ $failures -eq 0 ]
