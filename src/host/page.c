#include "host/page.h"

#include "tensix/tile/tile.h"

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tessera report</title>\n<style>\n"
    "body{font:14px system-ui,sans-serif;margin:1.5em;color:#222;background:#fff}\n"
    "table{border-collapse:collapse;margin:1em 0}td,th{width:3.2em;height:2.2em;text-align:center;font-size:11px;border:1px "
    "solid #ddd}\n"
    "th{border:0;color:#777;font-weight:normal}pre{background:#f6f6f6;padding:1em;overflow:auto}\n"
    ".fault{background:#e5484d;color:#fff}.finding{background:#f5a623}.runs{background:#8fd18f}.waits{background:#cfe3f7}\n"
    ".held,.other{background:#f2f2f2;color:#999}.off{background:repeating-linear-gradient(45deg,#fff,#fff 4px,#ddd 4px,#ddd "
    "6px)}\n"
    "</style></head><body>\n<h1>Tessera report</h1>\n";

static void put_text(const char *text, FILE *file) {
  for (; *text; text++) {
    if (*text == '<') fputs("&lt;", file);
    else if (*text == '>') fputs("&gt;", file);
    else if (*text == '&') fputs("&amp;", file);
    else if (*text == '"') fputs("&quot;", file);
    else fputc(*text, file);
  }
}

/* The state of a Tensix tile as one word, the worst first. */
static const char *state_of(const struct tx_tile *t) {
  bool acts = false, held = true;
  if (t->fault.kind) return "fault";
  if (t->diag.finding_count) return "finding";
  for (unsigned core = 0; core < TX_CORES; core++) {
    held = held && t->core[core].state == TX_CORE_HELD;
    acts =
        acts || (t->core[core].state != TX_CORE_HELD && t->engine.agents[TX_AGENT_TRISC0 + core].state == SIM_AGENT_TIMED);
  }
  return held ? "held" : acts ? "runs" : "waits";
}

static void write_cell(struct chip *chip, unsigned tile, FILE *file) {
  const struct chip_slot *slot = &chip_grid(chip)->slot[tile];
  const struct chip_endpoint *e = chip_endpoint_peek(chip, tile);
  const char *state = !slot->good ? "off" : slot->kind != CHIP_TENSIX ? "other" : e && e->self ? state_of(e->self) : "held";
  unsigned x = slot->logical & 63u, y = slot->logical >> 6 & 63u;
  fprintf(file, "<td class=\"%s\" title=\"%s (%u,%u): %s, %llu packets\">", state, chip_kind_name(slot->kind), x, y, state,
          (unsigned long long)chip_traffic(chip, tile));
  if (slot->kind == CHIP_TENSIX) fprintf(file, "%u,%u", x, y);
  else put_text(chip_kind_name(slot->kind), file);
  fputs("</td>", file);
}

static void write_grid(struct chip *chip, FILE *file) {
  fputs("<p>Places are those of NoC 0; names in Tensix tiles are the coordinates that host and kernels use. "
        "<span class=\"fault\">fault</span> <span class=\"finding\">finding</span> <span class=\"runs\">runs</span> "
        "<span class=\"waits\">waits</span> <span class=\"held\">held in reset</span> <span class=\"off\">fused "
        "off</span></p>\n"
        "<table><tr><th></th>",
        file);
  for (unsigned x = 0; x < CHIP_GRID_X; x++) fprintf(file, "<th>%u</th>", x);
  fputs("</tr>\n", file);
  for (unsigned y = 0; y < CHIP_GRID_Y; y++) {
    fprintf(file, "<tr><th>%u</th>", y);
    for (unsigned x = 0; x < CHIP_GRID_X; x++) write_cell(chip, y * CHIP_GRID_X + x, file);
    fputs("</tr>\n", file);
  }
  fputs("</table>\n", file);
}

void host_page_write(struct chip *chip, const char *text, FILE *file) {
  fputs(head, file);
  fprintf(file, "<p>Cycle %llu, %llu packets.</p>\n", (unsigned long long)chip_now(chip),
          (unsigned long long)chip_packets(chip));
  write_grid(chip, file);
  fputs("<pre>", file);
  put_text(text, file);
  fputs("</pre>\n</body></html>\n", file);
}
