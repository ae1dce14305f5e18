/* gdb's remote serial protocol over a session: packets in, packets out.
 * https://sourceware.org/gdb/current/onlinedocs/gdb.html/Remote-Protocol.html
 *
 * One process per core, so that each has its own executable and its own local RAM: process 5 * tile + core + 1, with one thread. All stop
 * together. The transport passes received bytes to gdb_stub_feed and sends through struct gdb_port. */
#ifndef TESSERA_GDB_STUB_H
#define TESSERA_GDB_STUB_H

#include "gdb/debugger.h"

#define GDB_PACKET 16384u /* bytes of a packet's content, at most */

/* How the stub sends and receives bytes. */
struct gdb_port {
  void *context;
  bool (*write)(void *context, const void *bytes, size_t length); /* false: the client has disconnected */
  /* While the machine runs: bytes received so far, without waiting; 0: none, -1: the client has disconnected. */
  int (*read_now)(void *context, void *bytes, size_t size);
};

enum gdb_stub_end { GDB_STUB_ON, GDB_STUB_DETACHED, GDB_STUB_KILLED, GDB_STUB_GONE };

enum gdb_frame { GDB_FRAME_IDLE, GDB_FRAME_DATA, GDB_FRAME_ESCAPE, GDB_FRAME_SUM1, GDB_FRAME_SUM2 };

struct gdb_stub {
  struct tessera_debugger *d;
  struct gdb_port port;
  enum gdb_stub_end end;
  bool no_ack, multiprocess, swbreak, interrupt, killed;
  uint8_t detached[GDB_UNITS];      /* bit per core from whose process the client has detached */
  struct gdb_where general, resume; /* Hg, Hc */
  enum gdb_frame frame;
  uint8_t sum, given;
  bool too_long;
  size_t length;
  char packet[GDB_PACKET + 1]; /* the packet being received or answered, zero-terminated */
  size_t reply_length;
  char reply[GDB_PACKET + 1]; /* not escaped */
  bool reply_binary;
  size_t waiting; /* bytes received while the machine ran */
  uint8_t queue[GDB_PACKET];
};

void gdb_stub_begin(struct gdb_stub *s, struct tessera_debugger *d, struct gdb_port port);
/* Bytes from the client; answers go to the port. */
void gdb_stub_feed(struct gdb_stub *s, const void *bytes, size_t length);
void gdb_stub_leave(struct gdb_stub *s); /* the client has disconnected: removes its breakpoints */

/* --- shared by the files of the stub --- */

void gdb_reply(struct gdb_stub *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gdb_reply_bytes(struct gdb_stub *s, const void *bytes, size_t length); /* appended without escaping */
void gdb_reply_hex(struct gdb_stub *s, const void *bytes, size_t length);   /* appended in hex */
void gdb_send_console(struct gdb_stub *s, const char *text);                /* an O packet */

int gdb_hex_digit(char c); /* -1 */
/* Parses a hexadecimal number at *text and advances it. false: there is none, or it has more than 64 bits. */
bool gdb_hex(const char **text, uint64_t *value);
/* `length` bytes in hex; false: not that many. */
bool gdb_hex_bytes(const char *text, uint8_t *bytes, size_t length);

bool gdb_stub_thread(const struct gdb_stub *s, const char **text,
                     struct gdb_where *where); /* thread-id; 0 and -1: `where` is unchanged */
void gdb_stub_thread_text(const struct gdb_stub *s, struct gdb_where w, char *text, size_t size);
unsigned gdb_pid(struct gdb_where w);
/* The next process that the client debugs; *pid is 0 at first. */
bool gdb_stub_next(const struct gdb_stub *s, unsigned *pid, struct gdb_where *w);
bool gdb_where_of_pid(const struct tessera_debugger *d, uint64_t pid, struct gdb_where *where);
/* The executable of a core; NULL: none. */
const void *gdb_file(const struct tessera_debugger *d, struct gdb_where w, size_t *size);
void gdb_file_name(const struct tessera_debugger *d, struct gdb_where w, char *text, size_t size);
void gdb_core_title(const struct tessera_debugger *d, struct gdb_where w, char *text, size_t size); /* "tile 1,2 TRISC1" */

void gdb_stub_answer(struct gdb_stub *s);  /* answers any packet: reads `packet`, writes `reply` */
void gdb_stub_query(struct gdb_stub *s);   /* q and Q */
void gdb_stub_file(struct gdb_stub *s);    /* vFile */
void gdb_stub_resume(struct gdb_stub *s);  /* vCont, c, s, bs, bc */
void gdb_stub_stopped(struct gdb_stub *s); /* the stop reply */
void gdb_stub_transfer(struct gdb_stub *s, const char *content, size_t size, const char *range); /* of qXfer */

#endif
