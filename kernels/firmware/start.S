/* Entry of a core: stack, the vendor firmware's cache settings, then main. ISA: BabyRISCV CSRs.md (cfg0). */
        .option arch, +zicsr
        .section .text.start, "ax"
        .globl  _start
_start: la      sp, __stack_top
        li      t0, (1 << 18) | (1 << 3)  /* no fusion of .ttinsn, no L0 data cache: polls see memory */
        csrs    0x7c0, t0
        call    firmware_main
        ebreak
