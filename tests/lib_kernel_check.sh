# A KERNEL_CHECK that does not hold ends the run at once with exit code 3, its text and the user's line, whatever the other cores and tiles
# do: under tessera run at every level of optimisation and without debug information, in JSON and SARIF, under tessera chip run, in the
# C API for a tile and for a chip. Prints TAP. Reads BUILD and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
tessera=$BUILD/tessera
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/kernel_elfs.sh
plain=$kernel_cc
source=tests/kernels/failing.c
line_of() { echo "failing.c:$(grep -n "@$1" $source | cut -d: -f1)"; }
build() { # LEVEL
  kernel_cc=$(printf '%s' "$plain" | sed "s/-O2/$1/")
  kernel_build $source 2> "$work/err"
}
launch="$(kernel_launch 2) --poke 0x288"
run() { # FAILS TEXT OPTIONS...: the first line has the text, and the check ended the run, not the limit
  fails=$1
  text=$2
  shift 2
  "$tessera" run $elfs $launch=$fails --max-cycles 3000000 "$@" > "$work/out" 2> "$work/err"
  got=$?
  head -n 1 "$work/out" | grep -qF -- "$text" && [ $got -eq 3 ] &&
    [ "$(sed -n '1s/^fault after \([0-9]*\) cycles.*/\1/p' "$work/out")" -lt 200000 ]
}

levels='-O0 -O2'
[ "${TESSERA_TEST_SCALE:-100}" -lt 100 ] || levels='-O0 -Os -O3 -O2'
for level in $levels; do
  build $level && run 1 "$(line_of own) (expect_three): NCRISC stopped: x is three, not 4" && run 1 "$(line_of own)" --timing off
  ok "a check in a function of the kernel, $level" $?
  run 2 "$(line_of library) (kernel_main, in copy_tile_init): TRISC0 stopped: circular buffer 4 was never configured"
  ok "a check in a call of the library, $level" $?
done

# TRISC0 fails first and the launch block has its text; TRISC2 would fail later.
run 6 "$(line_of library) (kernel_main, in copy_tile_init): TRISC0 stopped: circular buffer 4" && ! grep -q "packer's check" "$work/out"
ok "of two checks the first" $?
run 4 "$(line_of packer) (kernel_main): TRISC2 stopped: the packer's check" --sarif "$work/sarif" && python3 tests/sarif_rules.py "$work/sarif" &&
  grep -qF '"ruleId":"KERNEL_CHECK"' "$work/sarif" && grep -qF "\"startLine\":$(line_of packer | cut -d: -f2)" "$work/sarif"
ok "a check is a result in SARIF" $?
"$tessera" run $elfs $launch=4 --json - > "$work/out" 2> "$work/err"
[ $? -eq 3 ] && python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
check = report["check_failed"]
assert report["code"] == 3 and check["core"] == "TRISC2" and check["text"] == "the packer'\''s check", check
assert "%s:%d" % (check["place"]["file"], check["place"]["line"]) == sys.argv[2], check
' "$work/out" "$(line_of packer)" 2>> "$work/err"
ok "a check is a structure in JSON" $?

# Tile (1, 2) fails, tile (2, 2) counts.
printf 'kernel 1-2,2 %s\nargs 1,2 1\nargs 2,2 0\n' "$work" > "$work/check.chip"
for timing in off cycle; do
  "$tessera" chip run "$work/check.chip" --timing $timing --max-cycles 100000000 > "$work/out" 2> "$work/err"
  [ $? -eq 3 ] && grep -qxF "tessera chip: (1, 2): $(line_of own): NCRISC stopped: x is three, not 4 (called at $(line_of call))" "$work/err"
  ok "under tessera chip run, timing $timing" $?
done

# The C API.
cat > "$work/api.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <tessera/chip.h>
#include <tessera/launch.h>
static void load(struct tessera_tile *tile, const char *directory, unsigned fails) {
  static const char *const names[] = {"trisc0", "trisc1", "trisc2", "brisc", "ncrisc"};
  struct tessera_launch launch = {.launches = 1, .args = {fails}};
  launch.buffer[0] = (struct tessera_launch_buffer){TESSERA_LAUNCH_HEAP, 2048, 2, 5};
  for (unsigned core = 0; core < 5; core++) {
    char path[512];
    static char bytes[1 << 20];
    snprintf(path, sizeof path, "%s/%s.elf", directory, names[core]);
    FILE *file = fopen(path, "rb");
    if (!file) exit(9);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (tessera_tile_load_elf(tile, core, bytes, size) != TESSERA_OK) exit(8);
  }
  if (tessera_tile_launch(tile, &launch) != TESSERA_OK) exit(7);
  tessera_tile_start(tile, 31);
}
int main(int argc, char **argv) {
  struct tessera_fault fault = {0};
  unsigned x = 0, y = 0;
  if (argc != 2) return 6;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  load(tile, argv[1], 1);
  if (tessera_tile_run(tile, TESSERA_FOREVER) != TESSERA_FAULT || !tessera_tile_fault(tile, &fault)) return 1;
  printf("%s %s: %s: %s\n%s", fault.kind, fault.place, fault.who, fault.why, tessera_tile_explain(tile));
  tessera_tile_destroy(tile);
  struct tessera_chip_options options = {.product = "full", .timing = TESSERA_TIMING_CYCLE, .threads = 1};
  struct tessera_chip *chip = tessera_chip_create(&options);
  load(tessera_chip_tile(chip, 3, 4), argv[1], 1);
  load(tessera_chip_tile(chip, 5, 6), argv[1], 0);
  if (tessera_chip_run(chip, TESSERA_FOREVER) != TESSERA_FAULT || !tessera_chip_fault(chip, &fault, &x, &y)) return 2;
  printf("%u,%u %s %s: %s: %s\n%s", x, y, fault.kind, fault.place, fault.who, fault.why, tessera_chip_explain(chip));
  tessera_chip_destroy(chip);
  return 0;
}
END
$CC -std=c11 -Wall -Wextra -Werror -Iinclude "$work/api.c" -L"$BUILD" -ltessera -o "$work/api" 2> "$work/err" &&
  LD_LIBRARY_PATH=$BUILD "$work/api" "$work" > "$work/out" 2>> "$work/err" &&
  grep -qxF "check $(line_of own): NCRISC: x is three, not 4 (called at $(line_of call))" "$work/out" &&
  grep -qxF "$(line_of own): NCRISC stopped: x is three, not 4 (called at $(line_of call))" "$work/out" &&
  grep -qxF "3,4 check $(line_of own): NCRISC: x is three, not 4 (called at $(line_of call))" "$work/out" &&
  grep -qxF "Tensix (3,4): $(line_of own): NCRISC stopped: x is three, not 4 (called at $(line_of call))" "$work/out"
ok "in the C API, for a tile and for a chip" $?

# These come last because they change the executables.
for core in brisc ncrisc trisc0 trisc1 trisc2; do riscv64-unknown-elf-strip -g "$work/$core.elf"; done
run 2 "compute.h:" && run 2 "TRISC0 stopped: circular buffer 4 was never configured"
ok "without debug information the line is that of the check" $?
echo "1..$number"
[ $failures -eq 0 ]
