# `tessera kernel run --why` where more work follows the slow line, where several resources are shared, and where two tiles wait for each other:
# the verdict names the cause, and the rerun takes as long, within 5 %, as the kernel changed by hand. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
. tests/why_rig.sh

# A line of the T cores with more work of its thread behind it: what is left takes its own time only.
sfpu_init() { # INITS
  sed -i "s/  add_tiles_init();/  add_tiles_init();\n  $1/" "$k/compute.c"
}
kernel gelu_exp
sfpu_init 'exp_tile_init(); gelu_tile_init();'
echo '    exp_tile(0);' | insert compute.c 'tile_regs_commit'
echo '    gelu_tile(0); /* here */' | put compute.c '    exp_tile(0)'
slow 'bound by the vector unit, busy 8'
kernel exp_recip
sfpu_init 'exp_tile_init(); recip_tile_init();'
echo '    recip_tile(0);' | insert compute.c 'tile_regs_commit'
echo '    exp_tile(0); /* here */' | put compute.c '    recip_tile(0)'
slow 'bound by the vector unit, busy 7'
grep -q ' and by TRISC1, which pushes its words one by one: compute.c:' "$work/out" && grep -q '^  change: .*; a faster unit alone saves nothing$' "$work/out"
ok "exp_recip: the core that pushes each word is as much the cause" $?
kernel exp_rv
sfpu_init 'exp_tile_init();'
sed -i 's/^void kernel_main/volatile uint32_t seed = 7;\n&/' "$k/compute.c"
echo '    MATH(for (uint32_t n = 0; n < 100; n++) seed = seed * 3 + 1;)' | insert compute.c 'tile_regs_commit'
echo '    exp_tile(0); /* here */' | put compute.c '    MATH(for'
slow 'bound by TRISC1: @here (kernel_main, in exp_tile) takes'
kernel add_add
echo '    for (int n = 0; n < 20; n++) add_tiles(CB_A, CB_B, 0, 0, 1);' | insert compute.c 'cb_pop_front(CB_A'
echo '    for (int n = 0; n < 24; n++) add_tiles(CB_A, CB_B, 0, 0, 0); /* here */' | put compute.c '    for (int n = 0; n < 20'
slow 'bound by TRISC0: @here (kernel_main, in add_tiles) takes'

finish
