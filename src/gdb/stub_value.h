/* The connection to gdb as data. */
#ifndef TESSERA_GDB_STUB_VALUE_H
#define TESSERA_GDB_STUB_VALUE_H

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
  char watch_reported;              /* the last resumption (c, s, r, B, C) ended at a watchpoint; 0: it did not */
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

#endif
