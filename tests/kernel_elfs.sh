# For scripts that run kernels of one source file on the five cores: `. tests/kernel_elfs.sh` after BUILD and work are set.
kernel_cc="riscv64-unknown-elf-gcc -march=rv32im_zba_zbb -mabi=ilp32 -ffreestanding -nostdlib -O2 -g -fno-tree-loop-distribute-patterns
  -Wno-unused -Ikernels/include -I$work"
number=0
failures=0
elfs=
"$BUILD/tessera" isa --c-header > "$work/tensix_isa.h" || exit 1

kernel_define() { case $1 in brisc) echo COMPILE_FOR_BRISC ;; ncrisc) echo COMPILE_FOR_NCRISC ;; trisc0) echo TRISC_UNPACK ;;
  trisc1) echo TRISC_MATH ;; *) echo TRISC_PACK ;; esac; }

# The firmware's objects, once.
kernel_firmware() {
  $kernel_cc -c kernels/firmware/start.S -o "$work/start.o" || return 1
  for core in brisc ncrisc trisc0 trisc1 trisc2; do
    $kernel_cc "-D$(kernel_define $core)" -c kernels/firmware/firmware.c -o "$work/$core.firmware.o" || return 1
  done
}
kernel_core() { # CORE SOURCE DEFINE: links it with the firmware
  case $1 in brisc) code=$((0x2000)) ;; ncrisc) code=$((0x8000)) ;; trisc0) code=$((0xe000)) ;; trisc1) code=$((0x14000)) ;;
    *) code=$((0x1a000)) ;; esac
  case $1 in brisc | ncrisc) local_bytes=8192 ;; *) local_bytes=4096 ;; esac
  $kernel_cc "-D$(kernel_define "$1")" "-D$3" -c "$2" -o "$work/kernel.o" &&
    $kernel_cc "$work/start.o" "$work/$1.firmware.o" "$work/kernel.o" -T kernels/firmware/tensix.ld -Wl,--no-warn-rwx-segments \
      -Wl,--defsym,CODE_BASE=$code,--defsym,LOCAL_BYTES=$local_bytes -o "$work/$1.elf"
}
kernel_build() { # SOURCE: links it with the firmware for each core and sets $elfs, options of tessera run
  [ -f "$work/start.o" ] || kernel_firmware || return 1
  elfs=
  for core in brisc ncrisc trisc0 trisc1 trisc2; do
    kernel_core $core "$1" KERNEL_AS_IT_IS || return 1
    elfs="$elfs --elf $core=$work/$core.elf"
  done
}
kernel_launch() { # PAGES: options of tessera run: go, one launch, circular buffers 0, 1 and 16 of pages of 2048 bytes (BF16)
  [ -f "$work/pages" ] || head -c 20480 /dev/zero > "$work/pages"
  printf '%s' "--poke 0x40=0x80 --poke 0x54=1 --load 0x40000:$work/pages"
  page=$((0x40000))
  for cb in 0 1 16; do
    row=$((0x88 + 16 * cb))
    printf '%s' " --poke $row=$page --poke $((row + 4))=2048 --poke $((row + 8))=$1 --poke $((row + 12))=5"
    page=$((page + 4096))
  done
}
ok() { # NAME STATUS: one line of TAP; on failure also the files err, out and seen of the run
  number=$((number + 1))
  if [ "$2" -eq 0 ]; then echo "ok $number - $1"; else
    failures=$((failures + 1))
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/err" "$work/out" "$work/seen" 2> /dev/null | head -n 50
  fi
}
