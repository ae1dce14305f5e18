/* The buffers of DPRINT's text for the host: one area of L1 per core, in the order of enum launch_core, between the words of
 * the NoC helpers and the programs. The first word counts the characters. A core whose area is full waits if the host empties areas, as
 * `tessera kernel run` and `tessera chip run` do: it sets PRINT_BUFFER_FULL, and the host takes the text and sets the count to 0. Without such
 * a host the characters beyond the area are counted and dropped. */
#ifndef TENSIX_PRINT_BUFFER_H
#define TENSIX_PRINT_BUFFER_H

#define PRINT_BUFFER_BASE 0x1280u
#define PRINT_BUFFER_BYTES 0x2a0u /* per core: 0x1280 + 5 * 0x2a0 <= 0x2000 */
#define PRINT_BUFFER_TEXT (PRINT_BUFFER_BYTES - 4u)
#define PRINT_BUFFER_DRAINED 0x1fa0u /* 1: the host empties areas */
#define PRINT_BUFFER_FULL 0x1fa4u    /* 1: a core waits for it */

#endif
