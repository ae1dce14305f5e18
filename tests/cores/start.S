# Entry of the kernels: a stack in local RAM, then kernel(), then stop.
  .section .text.start
  .globl _start
_start:
  li sp, 0xffb01000
  call kernel
  ebreak
