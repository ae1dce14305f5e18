# The commands that guides show after "$ " give the output that they show. Prints TAP. Reads BUILD. `make docs` refreshes the outputs.
# Elsewhere: README.md in cli_readme.sh, kernels.md in cli_kernel.sh, when-it-hangs.md in cli_hangs.sh, why-slow.md in cli_why.sh, debugging.md in
# cli_gdb.sh, python.md in python.sh.
. tests/tap.sh
BUILD=${BUILD:-build}
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
command -v riscv64-unknown-elf-gcc > /dev/null || { echo "1..0 # SKIP no RISC-V compiler"; exit 0; }
[ -d "$BUILD/kernels/chip_hang" ] || { echo "1..0 # SKIP the kernels are not built: make kernels"; exit 0; }
exec python3 tests/shown.py "$BUILD" docs/guide/chip.md docs/guide/pto.md docs/guide/races.md docs/guide/writing-a-kernel.md
