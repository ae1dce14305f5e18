/* Numbers in hex, answers and packets to the client. */
#ifndef TESSERA_GDB_PACKET_H
#define TESSERA_GDB_PACKET_H

#include "gdb/stub_value.h"

void gdb_reply(struct gdb_stub *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gdb_reply_bytes(struct gdb_stub *s, const void *bytes, size_t length); /* appended without escaping */
void gdb_reply_hex(struct gdb_stub *s, const void *bytes, size_t length);   /* appended in hex */
void gdb_send_console(struct gdb_stub *s, const char *text);                /* an O packet */

int gdb_hex_digit(char c); /* -1 */
/* Parses a hexadecimal number at *text and advances it. false: there is none, or it has more than 64 bits. */
bool gdb_hex(const char **text, uint64_t *value);
/* `length` bytes in hex; false: not that many. */
bool gdb_hex_bytes(const char *text, uint8_t *bytes, size_t length);

void gdb_put_bytes(struct gdb_stub *s, const void *bytes, size_t length);     /* to the port, as they are */
void gdb_send_packet(struct gdb_stub *s, const char *content, size_t length); /* with its frame */

#endif
