/* The frame of sarif_log.h. */
#include "observe/report/sarif_log.h"

#include <stdio.h>
#include <string.h>

static void key(struct sim_text *out, const char *name, const char *value) {
  sim_text_add(out, "\"%s\":", name);
  sim_text_add_json(out, value);
}

/* RFC 3986: all other characters of a path are escaped. */
static void add_uri(struct sim_text *out, const char *path) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/+@=,!$&'()*;:";
  sim_text_add(out, "\"uri\":\"");
  for (; *path; path++)
    if (strchr(plain, *path)) sim_text_add(out, "%c", *path);
    else sim_text_add(out, "%%%02X", (unsigned)(unsigned char)*path);
  sim_text_add(out, "\"");
}

void obs_sarif_begin(struct sim_text *out) {
  sim_text_add(out,
               "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":"
               "{\"driver\":{\"name\":\"tessera\",\"version\":\"" TESSERA_VERSION "\",\"rules\":[");
}

void obs_sarif_rule(struct sim_text *out, bool *first, const char *id, const char *what, const char *level,
                    const char *help) {
  sim_text_add(out, "%s{\"id\":\"%s\",\"shortDescription\":{", *first ? "" : ",", id);
  *first = false;
  key(out, "text", what);
  sim_text_add(out, "}");
  if (help) {
    sim_text_add(out, ",\"help\":{");
    key(out, "text", help);
    sim_text_add(out, "}");
  }
  sim_text_add(out, ",\"defaultConfiguration\":{\"level\":\"%s\"}}", level);
}

void obs_sarif_results(struct sim_text *out) { sim_text_add(out, "]}},\"results\":["); }

void obs_sarif_location(struct sim_text *out, const char *path, uint32_t line, uint32_t column, const char *message) {
  sim_text_add(out, "{\"physicalLocation\":{\"artifactLocation\":{");
  add_uri(out, path);
  sim_text_add(out, "}");
  if (line) sim_text_add(out, ",\"region\":{\"startLine\":%u", line);
  if (line && column) sim_text_add(out, ",\"startColumn\":%u", column);
  sim_text_add(out, line ? "}}" : "}");
  if (message) {
    sim_text_add(out, ",\"message\":{");
    key(out, "text", message);
    sim_text_add(out, "}");
  }
  sim_text_add(out, "}");
}

void obs_sarif_result(struct sim_text *out, bool *first, const struct obs_sarif_item *item) {
  sim_text_add(out, "%s{\"ruleId\":\"%s\",\"level\":\"%s\",\"message\":{", *first ? "" : ",", item->rule, item->level);
  *first = false;
  key(out, "text", item->message);
  sim_text_add(out, "},\"locations\":[");
  if (item->path[0]) obs_sarif_location(out, item->path, item->line, item->column, NULL);
  sim_text_add(out, "]");
}

void obs_sarif_result_end(struct sim_text *out) { sim_text_add(out, "}"); }
/* The tool has succeeded, regardless of its findings: 3.20.14. */
void obs_sarif_end(struct sim_text *out, int code) {
  sim_text_add(out, "],\"invocations\":[{\"executionSuccessful\":%s,\"exitCode\":%d}]}]}\n", code < 128 ? "true" : "false",
               code);
}

void obs_sarif_waiter(struct sim_text *out, bool *first, const struct dbg_source *place, const char *what) {
  char message[128];
  if (!place->path[0]) return;
  sim_text_add(out, "%s", *first ? "" : ",");
  obs_sarif_location(out, place->path, place->line, 0, what);
  *first = false;
  if (!place->caller_path[0]) return;
  snprintf(message, sizeof message, "calls %s", place->function[0] ? place->function : "it");
  sim_text_add(out, ",");
  obs_sarif_location(out, place->caller_path, place->caller_line, 0, message);
}
