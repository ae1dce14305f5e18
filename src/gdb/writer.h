/* The last writer of bytes of L1. */
#ifndef TESSERA_GDB_WRITER_H
#define TESSERA_GDB_WRITER_H

#include "gdb/debugger.h"

/* The last write at or before a cycle. false: none since the history began. */
bool gdb_last_write(struct tessera_debugger *d, unsigned unit, uint32_t address, uint32_t length, uint64_t until,
                    struct tx_trail *out);
/* "written by TRISC2 at main+0x14 (kernel.c:31)" */
void gdb_writer_text(struct tessera_debugger *d, unsigned unit, const struct tx_trail *trail, char *text, size_t size);
/* The same with another verb: "read by ..." */
void gdb_access_text(struct tessera_debugger *d, unsigned unit, const struct tx_trail *trail, const char *what, char *text,
                     size_t size);

#endif
