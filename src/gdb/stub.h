/* gdb's remote serial protocol over a session: packets in, packets out.
 * https://sourceware.org/gdb/current/onlinedocs/gdb.html/Remote-Protocol.html
 *
 * One process per core, so that each has its own executable and its own local RAM: process 5 * tile + core + 1, with one thread. All stop
 * together. The transport passes received bytes to gdb_stub_feed and sends through struct gdb_port. */
#ifndef TESSERA_GDB_STUB_H
#define TESSERA_GDB_STUB_H

#include "gdb/stub_value.h"

void gdb_stub_begin(struct gdb_stub *s, struct tessera_debugger *d, struct gdb_port port);
/* Bytes from the client; answers go to the port. */
void gdb_stub_feed(struct gdb_stub *s, const void *bytes, size_t length);
void gdb_stub_leave(struct gdb_stub *s); /* the client has disconnected: removes its breakpoints */

/* --- shared by the files of the stub --- */

bool gdb_stub_thread(const struct gdb_stub *s, const char **text,
                     struct gdb_where *where); /* thread-id; 0 and -1: `where` is unchanged */
void gdb_stub_thread_text(const struct gdb_stub *s, struct gdb_where w, char *text, size_t size);
/* The next process that the client debugs; *pid is 0 at first. */
bool gdb_stub_next(const struct gdb_stub *s, unsigned *pid, struct gdb_where *w);
bool gdb_where_of_pid(const struct tessera_debugger *d, uint64_t pid, struct gdb_where *where);
/* The executable of a core; NULL: none. */
const void *gdb_file(const struct tessera_debugger *d, struct gdb_where w, size_t *size);
void gdb_file_name(const struct tessera_debugger *d, struct gdb_where w, char *text, size_t size);

void gdb_stub_answer(struct gdb_stub *s);  /* answers any packet: reads `packet`, writes `reply` */
void gdb_stub_query(struct gdb_stub *s);   /* q and Q */
void gdb_stub_file(struct gdb_stub *s);    /* vFile */
void gdb_stub_resume(struct gdb_stub *s);  /* vCont, c, s, bs, bc */
void gdb_stub_stopped(struct gdb_stub *s); /* the stop reply */

#endif
