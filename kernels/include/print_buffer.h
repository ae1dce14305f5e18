/* The buffers of DPRINT's text for the host: one area of L1 per core, in the order of enum launch_core, between the words of
 * the NoC helpers and the programs. The first word counts the characters; those beyond the area are counted and dropped. */
#ifndef TENSIX_PRINT_BUFFER_H
#define TENSIX_PRINT_BUFFER_H

#define PRINT_BUFFER_BASE 0x1280u
#define PRINT_BUFFER_BYTES 0x2a0u /* per core: 0x1280 + 5 * 0x2a0 <= 0x2000 */
#define PRINT_BUFFER_TEXT (PRINT_BUFFER_BYTES - 4u)

#endif
