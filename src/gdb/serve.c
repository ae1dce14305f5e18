/* Connections: stdio, a socket of the file system, or TCP. One client at a time. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "gdb/serve.h"
#include "gdb/stub.h"
#include "gdb/travel.h"
#include "tessera/debugger.h"

#define WRITE_MILLISECONDS 30000 /* a client that accepts no bytes for this long counts as disconnected */

struct line {
  int in, out;  /* -1: no client */
  int listener; /* -1: stdio */
  bool socket;
  char path[sizeof(((struct sockaddr_un *)0)->sun_path)]; /* to be removed; "" */
  struct stat made;                                       /* the file of `path` as it was made */
};

static enum tessera_result refuse(struct tessera_debugger *d, const char *what, const char *where) {
  snprintf(d->error, sizeof d->error, "%s '%s': %s", what, where, strerror(errno));
  return TESSERA_REFUSED;
}

/* --- listening --- */

/* No server listens there: left by a run that was killed. */
static bool is_left(const struct sockaddr_un *name) {
  int number = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (number < 0) return false;
  bool refused = connect(number, (const struct sockaddr *)(const void *)name, sizeof *name) != 0 && errno == ECONNREFUSED;
  close(number);
  return refused;
}

/* Another server may have put its own socket there. */
static void remove_path(const struct line *l) {
  struct stat there;
  if (!l->path[0] || lstat(l->path, &there) != 0) return;
  if (there.st_dev == l->made.st_dev && there.st_ino == l->made.st_ino) unlink(l->path);
}

static bool listen_on_path(struct line *l, const char *path) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  struct stat there;
  if (!*path || strlen(path) >= sizeof name.sun_path) {
    errno = *path ? ENAMETOOLONG : ENOENT;
    return false;
  }
  memcpy(name.sun_path, path, strlen(path) + 1);
  if (lstat(path, &there) == 0 && S_ISSOCK(there.st_mode) && is_left(&name)) unlink(path);
  l->listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (l->listener < 0 || bind(l->listener, (const struct sockaddr *)(const void *)&name, sizeof name) != 0) return false;
  if (lstat(path, &l->made) == 0) memcpy(l->path, path, strlen(path) + 1);
  return listen(l->listener, 4) == 0;
}

static bool bind_one(struct line *l, const struct addrinfo *at) {
  int yes = 1;
  l->listener = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
  if (l->listener < 0) return false;
  setsockopt(l->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(l->listener, at->ai_addr, at->ai_addrlen) == 0 && listen(l->listener, 4) == 0) return true;
  int why = errno;
  close(l->listener);
  l->listener = -1;
  errno = why;
  return false;
}

/* Without a host name: listens on this machine only. */
static bool listen_on_port(struct line *l, const char *where) {
  char host[256] = "127.0.0.1";
  const char *colon = strrchr(where, ':'), *port = colon ? colon + 1 : where;
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
  size_t length = colon ? (size_t)(colon - where) : 0;
  if (length >= sizeof host || !*port || strspn(port, "0123456789") != strlen(port) || strlen(port) > 5 ||
      strtoul(port, NULL, 10) > 65535) {
    errno = EINVAL;
    return false;
  }
  if (length) memcpy(host, where, length), host[length] = '\0';
  if (getaddrinfo(host, port, &hints, &found) != 0) {
    errno = EADDRNOTAVAIL;
    return false;
  }
  bool good = false;
  for (const struct addrinfo *at = found; at && !good; at = at->ai_next) good = bind_one(l, at);
  freeaddrinfo(found);
  return good;
}

static void report_ready(const struct line *l, const char *where, void (*ready)(void *context, const char *line),
                         void *context) {
  struct sockaddr_storage name;
  socklen_t size = sizeof name;
  char host[64] = "", port[16] = "", text[sizeof l->path + 128];
  if (!ready) return;
  if (l->path[0]) {
    snprintf(text, sizeof text, "waiting for gdb: target extended-remote %s", l->path);
  } else if (getsockname(l->listener, (struct sockaddr *)&name, &size) == 0 &&
             getnameinfo((const struct sockaddr *)&name, size, host, sizeof host, port, sizeof port,
                         NI_NUMERICHOST | NI_NUMERICSERV) == 0) {
    snprintf(text, sizeof text, "waiting for gdb: target extended-remote %s:%s", host, port);
  } else {
    snprintf(text, sizeof text, "waiting for gdb at %s", where);
  }
  ready(context, text);
}

/* --- bytes --- */

static bool write_all(void *context, const void *bytes, size_t length) {
  struct line *l = context;
  const char *at = bytes;
  while (length) {
    struct pollfd p = {.fd = l->out, .events = POLLOUT};
    if (poll(&p, 1, WRITE_MILLISECONDS) <= 0 || !(p.revents & POLLOUT)) return false;
    ssize_t part = l->socket ? send(l->out, at, length, MSG_NOSIGNAL | MSG_DONTWAIT) : write(l->out, at, length);
    if (part < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (part <= 0) return false;
    at += part;
    length -= (size_t)part;
  }
  return true;
}

/* Rejects a second client: closes its connection at once. */
static void turn_away(const struct line *l) {
  int other = accept(l->listener, NULL, NULL);
  if (other >= 0) close(other);
}

/* Waits for up to `milliseconds`; -1: forever. Returns the number of bytes, 0: none, -1: the client has disconnected. */
static int read_some(struct line *l, void *bytes, size_t size, int milliseconds) {
  struct pollfd p[2] = {{.fd = l->in, .events = POLLIN}, {.fd = l->listener, .events = POLLIN}};
  for (;;) {
    int ready = poll(p, l->listener >= 0 ? 2 : 1, milliseconds);
    if (ready == 0) return 0;
    if (ready < 0) {
      if (errno == EINTR && milliseconds < 0) continue;
      return errno == EINTR ? 0 : -1;
    }
    if (!p[0].revents) { /* the client has disconnected: the next one is accepted */
      if (p[1].revents & POLLIN) turn_away(l);
      if (milliseconds == 0) return 0;
      continue;
    }
    ssize_t count = read(l->in, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    return count > 0 ? (int)count : -1;
  }
}

static int read_now(void *context, void *bytes, size_t size) { return read_some(context, bytes, size, 0); }

/* --- clients --- */

static enum gdb_stub_end serve_client(struct tessera_debugger *d, struct line *l) {
  struct gdb_stub *s = malloc(sizeof *s);
  uint8_t bytes[4096];
  if (!s) return GDB_STUB_KILLED;
  gdb_stub_begin(s, d, (struct gdb_port){l, write_all, read_now});
  while (s->end == GDB_STUB_ON) {
    int count = read_some(l, bytes, sizeof bytes, -1);
    if (count < 0) s->end = GDB_STUB_GONE;
    else gdb_stub_feed(s, bytes, (size_t)count);
  }
  enum gdb_stub_end end = s->end;
  gdb_stub_leave(s);
  free(s);
  return end;
}

static bool accept_client(struct line *l, int milliseconds) {
  struct pollfd p = {.fd = l->listener, .events = POLLIN};
  int ready;
  do ready = poll(&p, 1, milliseconds);
  while (ready < 0 && errno == EINTR && milliseconds < 0);
  if (ready <= 0) return false;
  l->in = l->out = accept(l->listener, NULL, NULL);
  return l->in >= 0;
}

static int client_waits(void *context) {
  const struct line *l = context;
  struct pollfd p = {.fd = l->listener, .events = POLLIN};
  return poll(&p, 1, 0) > 0;
}

/* No client is connected: runs until the end of the run, or until a client connects. */
static bool run_alone(struct tessera_debugger *d, struct line *l) {
  d->interrupted = client_waits;
  d->interrupted_context = l;
  gdb_continue(d, d->focus);
  d->interrupted = NULL;
  return d->stop.kind == GDB_STOP_INTERRUPT;
}

static enum tessera_result serve_clients(struct tessera_debugger *d, struct line *l) {
  for (;;) {
    if (!accept_client(l, -1)) continue;
    enum gdb_stub_end end = serve_client(d, l);
    close(l->in);
    l->in = l->out = -1;
    if (end == GDB_STUB_KILLED) return TESSERA_STOPPED;
    if (end == GDB_STUB_DETACHED && (d->grant || !run_alone(d, l))) return TESSERA_DONE;
  }
}

static enum tessera_result serve_stdio(struct tessera_debugger *d) {
  struct line l = {.in = STDIN_FILENO, .out = STDOUT_FILENO, .listener = -1};
  return serve_client(d, &l) == GDB_STUB_DETACHED ? TESSERA_DONE : TESSERA_STOPPED;
}

static bool listen_at(struct line *l, const char *where) {
  return strncmp(where, "unix:", 5) == 0 ? listen_on_path(l, where + 5) : listen_on_port(l, where);
}

bool gdb_can_listen(const char *where) {
  struct line l = {.in = -1, .out = -1, .listener = -1};
  bool good = listen_at(&l, where);
  int why = errno;
  if (l.listener >= 0) close(l.listener);
  remove_path(&l);
  errno = why;
  return good;
}

enum tessera_result tessera_debugger_serve(struct tessera_debugger *d, const char *where, tessera_ready_fn *ready,
                                           void *context) {
  struct line l = {.in = -1, .out = -1, .listener = -1, .socket = true};
  if (!api_is(d, API_DEBUGGER) || !where || !d->machine.count) return TESSERA_INVALID;
  d->error[0] = '\0';
  if (strcmp(where, "stdio") == 0) return serve_stdio(d);
  if (!listen_at(&l, where)) {
    enum tessera_result result = refuse(d, "cannot listen at", where);
    if (l.listener >= 0) close(l.listener);
    return result;
  }
  report_ready(&l, where, ready, context);
  enum tessera_result result = serve_clients(d, &l);
  close(l.listener);
  remove_path(&l);
  return result;
}
