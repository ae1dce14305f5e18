# The commands that docs/guide shows after "$ " give the output that it shows. Prints TAP. Reads BUILD. README.md: tests/cli_readme.sh.
BUILD=${BUILD:-build}
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
command -v riscv64-unknown-elf-gcc > /dev/null || { echo "1..0 # SKIP no RISC-V compiler"; exit 0; }
[ -d "$BUILD/kernels/chip_hang" ] || { echo "1..0 # SKIP the kernels are not built: make kernels"; exit 0; }
exec python3 tests/shown.py "$BUILD" docs/guide/chip.md docs/guide/kernels.md docs/guide/pto.md docs/guide/races.md docs/guide/why-slow.md docs/guide/writing-a-kernel.md
