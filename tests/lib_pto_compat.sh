# PTO's C++ interface (include/tessera/compat/pto): every name of the table below is used in tests/pto/names.cpp, which compiles as
# C++17 with GCC and with Clang and runs; so do the programs of tests/pto/programs.cpp. Prints TAP. Reads BUILD, CXX, CLANGXX,
# TESSERA_TEST_SCALE: from 1000 on (make soak) all programs are compiled and run with both compilers and see all 200 schedules; below it
# one compiler makes and runs names.cpp and a part of the programs, and the other one checks names.cpp.
. tests/tap.sh
BUILD=${BUILD:-build}
CXX=${CXX:-g++}
CLANGXX=${CLANGXX:-clang++}
scale=${TESSERA_TEST_SCALE:-100}
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
number=0

ok() { # COMMAND'S STATUS, WHAT
  number=$((number + 1))
  if [ "$1" = 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
}
skip() { number=$((number + 1)); echo "ok $number - $1 # skip: no such compiler here"; }

names="half bfloat16_t TileType Mat Acc Vec Left Right Bias Scaling BLayout SLayout PadValue Layout RowMajor ColMajor NoneBox Null Zero
ND DN NZ Direction DIR_C2V DIR_V2C DIR_BOTH DIR_V2C_CTRL DIR_C2V_GM DIR_V2C_GM DIR_BOTH_GM TileSplitAxis TILE_NO_SPLIT TILE_UP_DOWN
TILE_LEFT_RIGHT TILE_UP_DOWN_ODD TILE_LEFT_RIGHT_ODD pipe_t PIPE_S PIPE_MTE2 PIPE_MTE1 PIPE_M PIPE_V PIPE_MTE3 PIPE_FIX PIPE_ALL
event_t EVENT_ID0 EVENT_ID1 EVENT_ID2 EVENT_ID3 EVENT_ID4 EVENT_ID5 EVENT_ID6 EVENT_ID7 C0_SIZE_BYTE Shape Stride GlobalTensor DType
data Tile Loc Rows Cols Numel GetValidRow GetValidCol TileLeft TileRight TileAcc TPipe Producer Consumer countPendingFreeCredits TASSIGN
set_flag wait_flag pipe_barrier get_subblockid get_block_idx set_ffts_base_addr TLOAD TSTORE TMOV TMATMUL TMATMUL_ACC TADD TSUB TMUL TDIV
TMAX TMIN TADDS TMULS TEXP TRELU TCVT TROWSUM TROWMAX TROWEXPANDSUB TROWEXPANDMUL TROWEXPANDDIV TDEQUANT TPUSH TPOP TFREE TALLOC AICORE
__global__ __gm__ PTO_INST"
missing=
for name in $names; do grep -qw -- "$name" tests/pto/names.cpp || missing="$missing $name"; done
[ -z "$missing" ]
ok $? "every name of the interface is used$missing"

missing=
for function in $(grep -o 'tessera_pto_[a-z_0-9]*(' include/tessera/pto.h | sort -u); do
  grep -qw -- "${function%(}" include/tessera/pto.hpp || missing="$missing ${function%(}"
done
[ -z "$missing" ]
ok $? "everything that pto.h has, pto.hpp has$missing"

build() { # COMPILER, SOURCE, PROGRAM, FLAGS
  "$1" $4 -std=c++17 -O0 -Wall -Wextra -Werror -Iinclude -Iinclude/tessera/compat "$2" "$BUILD/libtessera.a" -lm -pthread $LINK_FLAGS -o "$3"
}
case $BUILD in *asan*) LINK_FLAGS="-fsanitize=address,undefined" ;; *) LINK_FLAGS= ;; esac

have() { command -v "$1" > /dev/null; }
whole() { [ "$scale" -ge 1000 ]; }
runs() { if ! whole && have "$CLANGXX"; then echo "$CLANGXX"; else echo "$CXX"; fi; } # the faster one

# In the background, one file of results for each job.
names() { # COMPILER
  if ! have "$1"; then skip "names.cpp with $1"; return; fi
  if ! whole && [ "$1" != "$(runs)" ]; then
    "$1" -std=c++17 -fsyntax-only -Wall -Wextra -Werror -Iinclude -Iinclude/tessera/compat tests/pto/names.cpp 2> "$out/names.$1.errors"
    ok $? "names.cpp is good C++17 for $1"
    sed 's/^/# /' "$out/names.$1.errors" | head -20
    return
  fi
  build "$1" tests/pto/names.cpp "$out/names.$1" 2> "$out/names.$1.errors"
  ok $? "names.cpp compiles with $1"
  sed 's/^/# /' "$out/names.$1.errors" | head -20
  "$out/names.$1" > "$out/names.$1.log" 2>&1
  ok $? "names.cpp runs, compiled with $1"
  grep -A8 '^not ok' "$out/names.$1.log" | sed 's/^/# /'
}

# The launches of a source, rewritten.
launches() {
  "$BUILD/tessera" pto launches tests/pto/launches.cpp > "$out/launches.cpp"
  ok $? "tessera pto launches rewrites <<<>>>"
  build "$(runs)" "$out/launches.cpp" "$out/launches" 2> "$out/errors" && "$out/launches" > "$out/log" 2>&1
  ok $? "the rewritten source compiles and runs"
  sed 's/^/# /' "$out/errors" | head -20
  [ "$(grep -c '' < "$out/launches.cpp")" = "$(grep -c '' < tests/pto/launches.cpp)" ]
  ok $? "lines stay where they are"
}

programs() { # COMPILER
  if ! have "$1"; then skip "programs.cpp with $1"; return; fi
  build "$1" tests/pto/programs.cpp "$out/programs.$1" $(whole || echo -DFEW_PROGRAMS) 2> "$out/programs.$1.errors"
  ok $? "programs.cpp compiles with $1"
  sed 's/^/# /' "$out/programs.$1.errors" | head -20
  "$out/programs.$1" "$(whole && echo 100 || echo 10)" > "$out/programs.$1.log" 2>&1
  ok $? "$(grep -c 'exact, and safe' "$out/programs.$1.log") programs and policies run exact, $(grep -c ': breaks' "$out/programs.$1.log") break as they must"
  grep -A8 '^not ok' "$out/programs.$1.log" | sed 's/^/# /'
}

# Two workers.
before=$number
{
  names "$CXX"
  names "$CLANGXX"
} > "$out/tap1" &
{
  programs "$(runs)"
  launches
  if whole; then programs "$CLANGXX"; fi
} > "$out/tap2"
wait
cat "$out/tap1" "$out/tap2" | awk -v n="$before" '/^(not )?ok [0-9]+ - / { sub(/ok [0-9]+ - /, "ok " ++n " - ") } { print } END { print "1.." n }'
! grep -q '^not ok' "$out/tap1" "$out/tap2"
