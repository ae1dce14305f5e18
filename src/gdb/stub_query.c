/* Queries: features of the stub, the list of threads, target.xml and the other documents, monitor commands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb/monitor.h"
#include "gdb/packet.h"
#include "gdb/place.h"
#include "gdb/registers.h"
#include "gdb/stub.h"
#include "sim/text.h"

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static void supported(struct gdb_stub *s) {
  s->multiprocess = strstr(s->packet, "multiprocess+") != NULL;
  s->swbreak = strstr(s->packet, "swbreak+") != NULL;
  gdb_reply(s,
            "PacketSize=%x;QStartNoAckMode+;%sswbreak+;hwbreak+;vContSupported+;ReverseStep+;ReverseContinue+;"
            "qXfer:features:read+;qXfer:threads:read+;qXfer:memory-map:read+;qXfer:exec-file:read+",
            GDB_PACKET, s->multiprocess ? "multiprocess+;" : "");
}

/* --- threads --- */

static void first_threads(struct gdb_stub *s) {
  struct gdb_where w;
  char text[24];
  for (unsigned pid = 0, count = 0; gdb_stub_next(s, &pid, &w); count++) {
    gdb_stub_thread_text(s, w, text, sizeof text);
    gdb_reply(s, "%c%s", count ? ',' : 'm', text);
  }
}

static void extra_info(struct gdb_stub *s, const char *at) {
  struct gdb_where w = s->general;
  char title[64];
  if (!gdb_stub_thread(s, &at, &w)) {
    gdb_reply(s, "E01");
    return;
  }
  gdb_core_title(s->d, w, title, sizeof title);
  gdb_reply_hex(s, title, strlen(title));
}

static size_t threads_xml(const struct gdb_stub *s, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  struct gdb_where w;
  char id[24], title[64];
  sim_text_add(&out, "<?xml version=\"1.0\"?>\n<threads>\n");
  for (unsigned pid = 0; gdb_stub_next(s, &pid, &w);) {
    gdb_stub_thread_text(s, w, id, sizeof id);
    gdb_core_title(s->d, w, title, sizeof title);
    sim_text_add(&out, "<thread id=\"%s\" core=\"%u\" name=\"%s\"/>\n", id, w.core, title);
  }
  sim_text_add(&out, "</threads>\n");
  return out.length;
}

/* --- documents --- */

static size_t memory_map_xml(const struct gdb_stub *s, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  (void)s;
  sim_text_add(&out, "<?xml version=\"1.0\"?>\n<memory-map>\n");
  sim_text_add(&out, "<memory type=\"ram\" start=\"0x0\" length=\"0x%x\"/>\n", TX_L1_BYTES);
  sim_text_add(&out, "<memory type=\"ram\" start=\"0x%x\" length=\"0x%x\"/>\n", TX_LOCAL_BASE,
               UINT32_MAX - TX_LOCAL_BASE + 1u);
  sim_text_add(&out, "</memory-map>\n");
  return out.length;
}

/* A part of a document: OFFSET,LENGTH. */
static void send_part(struct gdb_stub *s, const char *content, size_t size, const char *range) {
  uint64_t offset, length;
  if (!gdb_hex(&range, &offset) || *range++ != ',' || !gdb_hex(&range, &length) || *range) {
    gdb_reply(s, "E01");
    return;
  }
  if (offset > size) offset = size;
  if (length > GDB_PACKET / 2) length = GDB_PACKET / 2;
  bool last = length >= size - offset;
  gdb_reply(s, last ? "l" : "m");
  gdb_reply_bytes(s, content + offset, (size_t)(last ? size - offset : length));
}

static void send_written(struct gdb_stub *s, const char *range, size_t (*write)(const struct gdb_stub *, char *, size_t)) {
  size_t size = write(s, NULL, 0) + 1;
  char *text = malloc(size);
  if (text) {
    write(s, text, size);
    send_part(s, text, size - 1, range);
  } else {
    gdb_reply(s, "E02");
  }
  free(text);
}

static size_t target_of(const struct gdb_stub *s, char *text, size_t size) {
  return gdb_target_xml(s->general.core, text, size);
}

/* ANNEX:OFFSET,LENGTH; the annex is a process, or nothing for the current one. */
static void send_exec_file(struct gdb_stub *s, const char *at) {
  uint64_t pid;
  size_t size;
  struct gdb_where w = s->general;
  char name[64];
  if (*at != ':' && (!gdb_hex(&at, &pid) || !gdb_where_of_pid(s->d, pid, &w))) at = "";
  if (*at++ != ':' || !gdb_file(s->d, w, &size)) {
    gdb_reply(s, "E01");
    return;
  }
  gdb_file_name(s->d, w, name, sizeof name);
  send_part(s, name, strlen(name), at);
}

static void transfer(struct gdb_stub *s, const char *what) {
  static const char features[] = "features:read:target.xml:", threads[] = "threads:read::", map[] = "memory-map:read::",
                    exec[] = "exec-file:read:";
  if (begins(what, features)) send_written(s, what + strlen(features), target_of);
  else if (begins(what, threads)) send_written(s, what + strlen(threads), threads_xml);
  else if (begins(what, map)) send_written(s, what + strlen(map), memory_map_xml);
  else if (begins(what, exec)) send_exec_file(s, what + strlen(exec));
  else gdb_reply(s, "E00");
}

/* --- monitor --- */

static void monitor(struct gdb_stub *s, const char *hex) {
  char line[512];
  size_t length = strlen(hex) / 2;
  if (length >= sizeof line || !gdb_hex_bytes(hex, (uint8_t *)line, length)) {
    gdb_reply(s, "E01");
    return;
  }
  line[length] = '\0';
  s->d->focus = s->general;
  const char *text = gdb_monitor(s->d, line);
  size_t total = strlen(text);
  /* text that does not fit goes to the console piece by piece */
  for (size_t at = 0; total - at > GDB_PACKET / 4; at += 200) {
    char part[201] = "";
    snprintf(part, sizeof part, "%s", text + at);
    gdb_send_console(s, part);
    if (total - at - 200 <= GDB_PACKET / 4) {
      text += at + 200;
      total -= at + 200;
      break;
    }
  }
  gdb_reply_hex(s, text, total);
  if (!total) gdb_reply(s, "OK");
}

void gdb_stub_query(struct gdb_stub *s) {
  const char *p = s->packet;
  char thread[24];
  if (begins(p, "qSupported")) supported(s);
  else if (strcmp(p, "QStartNoAckMode") == 0) s->no_ack = true, gdb_reply(s, "OK");
  else if (begins(p, "qXfer:")) transfer(s, p + 6);
  else if (begins(p, "qRcmd,")) monitor(s, p + 6);
  else if (begins(p, "qfThreadInfo")) first_threads(s);
  else if (begins(p, "qsThreadInfo")) gdb_reply(s, "l");
  else if (begins(p, "qThreadExtraInfo,")) extra_info(s, p + 17);
  else if (begins(p, "qAttached")) gdb_reply(s, "1");
  else if (begins(p, "qSymbol")) gdb_reply(s, "OK");
  else if (strcmp(p, "qC") == 0) {
    gdb_stub_thread_text(s, s->general, thread, sizeof thread);
    gdb_reply(s, "QC%s", thread);
  }
}
