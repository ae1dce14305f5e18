/* Common definitions of the kernels of tests/cores: registers, pushes, and the addresses of results. */
#define WORD(address) (*(volatile unsigned *)(address))
#define RESULT 0x20000u
#define PUSH(word) (WORD(0xFFE40000u) = (word))
#define SEMINIT(semaphore, max, value) (0xA3000000u | (max) << 20 | (value) << 16 | 4u << (semaphore))
#define SEMWAIT_ON_ZERO(semaphore) (0xA6000000u | 0x1ffu << 15 | 4u << (semaphore) | 1u)
#define NOP 0x02000000u
#define TENSIX_SYNC() (WORD(0xFFE80004u) = 0, (void)WORD(0xFFE80004u))
