#include "system/descriptor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "chips/blackhole/arc_map.h"

#define LINE_MAX_BYTES 256u

enum section { OTHER, ARCH, UNIQUE_IDS, CONNECTIONS, MMIO, HARVESTING, BOARDS, LOCATIONS };

static const struct {
  const char *name;
  enum section section;
} sections[] = {{"arch", ARCH},
                {"chip_unique_ids", UNIQUE_IDS},
                {"ethernet_connections", CONNECTIONS},
                {"chips_with_mmio", MMIO},
                {"harvesting", HARVESTING},
                {"boards", BOARDS},
                {"asic_locations", LOCATIONS}};

/* A line is `- ` any number of times, then KEY: VALUE, KEY: or VALUE; the key and the value are pieces of `bytes`. */
struct line {
  char bytes[LINE_MAX_BYTES];
  bool inner;              /* indented, or an entry of a list */
  const char *key, *value; /* NULL: none */
};

struct reader {
  struct system_plan *plan;
  const char *at, *end;
  unsigned number; /* of the line */
  enum section section;
  uint32_t named;            /* chips of `arch`, a bit each */
  uint32_t boarded, located; /* chips with a board, with a location */
  unsigned chip, board;      /* of HARVESTING; boards so far */
  uint64_t board_id;         /* of the current board; 0: none yet */
  struct system_end ends[2]; /* of the current link */
  unsigned parts;            /* of its four numbers */
  uint64_t unique[SYSTEM_CHIPS];
  char *error;
  size_t error_size;
};

static bool refuse(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(struct reader *r, const char *format, ...) {
  va_list arguments;
  int used = snprintf(r->error, r->error_size, "line %u: ", r->number);
  va_start(arguments, format);
  if (used >= 0 && (size_t)used < r->error_size) vsnprintf(r->error + used, r->error_size - (size_t)used, format, arguments);
  va_end(arguments);
  return false;
}

/* --- lines --- */

static char *skip_blanks(char *at) {
  while (*at == ' ' || *at == '\t') at++;
  return at;
}

static void cut_end(char *text) {
  size_t length = strlen(text);
  while (length && (text[length - 1] == ' ' || text[length - 1] == '\t' || text[length - 1] == '\r')) text[--length] = '\0';
}

static char *unquoted(char *text) {
  size_t length = strlen(text);
  if (length < 2 || text[0] != '"' || text[length - 1] != '"') return text;
  text[length - 1] = '\0';
  return text + 1;
}

/* A `#` begins a comment at the start of a word. */
static void drop_comment(char *text) {
  for (char *at = text; *at; at++)
    if (*at == '#' && (at == text || at[-1] == ' ' || at[-1] == '\t')) {
      *at = '\0';
      return;
    }
}

static void split_line(struct line *line) {
  char *at = line->bytes;
  drop_comment(at);
  cut_end(at);
  at = skip_blanks(at);
  line->inner = at != line->bytes || *at == '-';
  while (*at == '-' && (at[1] == ' ' || !at[1])) at = skip_blanks(at + 1);
  line->key = line->value = NULL;
  char *colon = strstr(at, ": "), *last = at + strlen(at);
  if (!colon && last > at && last[-1] == ':') colon = last - 1;
  if (colon) {
    *colon = '\0';
    line->key = at;
    at = skip_blanks(colon + 1);
  }
  if (*at) line->value = unquoted(at);
}

/* False: there are no more lines, or this one is refused. */
static bool next_line(struct reader *r, struct line *line) {
  if (r->at >= r->end) return false;
  const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
  size_t length = (size_t)((stop ? stop : r->end) - r->at);
  r->number++;
  if (length >= sizeof line->bytes) return refuse(r, "it is longer than %u bytes", LINE_MAX_BYTES - 1);
  if (memchr(r->at, '\0', length)) return refuse(r, "it has a byte 0");
  memcpy(line->bytes, r->at, length);
  line->bytes[length] = '\0';
  r->at += length + (stop != NULL);
  split_line(line);
  return true;
}

static bool number_of(struct reader *r, const char *text, uint64_t most, uint64_t *value) {
  uint64_t n = 0;
  if (!text || !*text) return refuse(r, "a number is missing");
  for (const char *at = text; *at; at++) {
    unsigned digit = (unsigned)(*at - '0');
    if (digit > 9 || n > (most - digit) / 10)
      return refuse(r, "'%s' is no number up to %llu", text, (unsigned long long)most);
    n = 10 * n + digit;
  }
  *value = n;
  return true;
}

/* --- sections --- */

static bool chip_of(struct reader *r, const char *text, unsigned *chip) {
  uint64_t number;
  if (!number_of(r, text, SYSTEM_CHIPS - 1, &number)) return false;
  *chip = (unsigned)number;
  if (r->section != ARCH && !(r->named >> *chip & 1u)) return refuse(r, "arch has no chip %u", *chip);
  return true;
}

static bool read_arch(struct reader *r, const struct line *line) {
  unsigned chip;
  if (!chip_of(r, line->key, &chip)) return false;
  if (!line->value || strcmp(line->value, "blackhole") != 0)
    return refuse(r, "chip %u is '%s'; only blackhole is simulated", chip, line->value ? line->value : "");
  r->named |= 1u << chip;
  return true;
}

static bool read_number_of_chip(struct reader *r, const struct line *line) {
  unsigned chip;
  uint64_t value;
  if (!chip_of(r, line->key, &chip)) return false;
  if (r->section == MMIO) {
    r->plan->chip[chip].device = true;
    return true;
  }
  if (!number_of(r, line->value, r->section == LOCATIONS ? 31 : UINT64_MAX, &value)) return false;
  if (r->section == UNIQUE_IDS) {
    r->unique[chip] = value;
    return true;
  }
  r->plan->chip[chip].identity.location = (uint8_t)value;
  r->located |= 1u << chip;
  return true;
}

/* Four numbers: chip, chan, chip, chan. */
static bool read_connection(struct reader *r, const struct line *line) {
  const bool is_chip = line->key && !strcmp(line->key, "chip");
  struct system_end *end = &r->ends[r->parts / 2];
  uint64_t value;
  if (!line->key || (!is_chip && strcmp(line->key, "chan") != 0) || is_chip != (r->parts % 2 == 0))
    return refuse(r, "a link is chip, chan, chip, chan");
  if (!number_of(r, line->value, is_chip ? SYSTEM_CHIPS - 1 : CHIP_TRANSLATED_ETHERNETS - 1, &value)) return false;
  if (is_chip) end->chip = (uint8_t)value;
  else end->channel = (uint8_t)value;
  if (++r->parts < 4) return true;
  r->parts = 0;
  if (r->plan->links == SYSTEM_LINKS) return refuse(r, "more than %u links", SYSTEM_LINKS);
  memcpy(r->plan->link[r->plan->links++].end, r->ends, sizeof r->ends);
  return true;
}

static bool read_harvest(struct reader *r, const struct line *line) {
  struct chip_harvest *h = &r->plan->chip[r->chip].harvest;
  uint64_t mask;
  if (!line->key) return refuse(r, "a key is missing");
  if (line->key[0] >= '0' && line->key[0] <= '9') return chip_of(r, line->key, &r->chip);
  if (!strcmp(line->key, "harvest_mask")) {
    if (!number_of(r, line->value, (1u << CHIP_COLUMNS) - 1, &mask)) return false;
    h->tensix = (uint16_t)mask;
  } else if (!strcmp(line->key, "dram_harvesting_mask")) {
    if (!number_of(r, line->value, (1u << CHIP_DRAMS) - 1, &mask)) return false;
    h->dram = (uint8_t)mask;
  } else if (!strcmp(line->key, "eth_harvesting_mask")) {
    if (!number_of(r, line->value, (1u << CHIP_COLUMNS) - 1, &mask)) return false;
    h->ethernet = (uint16_t)mask;
  } else if (!strcmp(line->key, "pcie_harvesting_mask")) {
    if (!number_of(r, line->value, 3, &mask)) return false;
    h->pcie = mask == 1;
  }
  return true; /* of the other parts none can be fused off here */
}

static bool read_board(struct reader *r, const struct line *line) {
  unsigned chip;
  if (line->key && !strcmp(line->key, "board_id")) {
    r->board++;
    return number_of(r, line->value, UINT64_MAX, &r->board_id);
  }
  if (line->key) return true; /* the type is in the id; `chips:` */
  if (!chip_of(r, line->value, &chip)) return false;
  if (!r->board_id) return refuse(r, "the chip's board has no board_id");
  r->plan->chip[chip].identity.board = r->board_id;
  r->plan->chip[chip].board = (uint8_t)(r->board - 1);
  r->boarded |= 1u << chip;
  return true;
}

static bool read_line(struct reader *r, const struct line *line) {
  if (!line->key && !line->value) return true;
  if (!line->inner) {
    r->section = OTHER;
    for (unsigned i = 0; line->key && i < sizeof sections / sizeof *sections; i++)
      if (!strcmp(line->key, sections[i].name)) r->section = sections[i].section;
    return true;
  }
  if (line->value && !line->key && (!strcmp(line->value, "[]") || !strcmp(line->value, "{}"))) return true;
  switch (r->section) {
    case ARCH: return read_arch(r, line);
    case CONNECTIONS: return read_connection(r, line);
    case HARVESTING: return read_harvest(r, line);
    case BOARDS: return read_board(r, line);
    case UNIQUE_IDS:
    case MMIO:
    case LOCATIONS: return read_number_of_chip(r, line);
    default: return true;
  }
}

/* --- the whole --- */

/* Chips are numbered from 0 and each has a board. Without asic_locations the last bits of the unique id are the location, if the rest of
 * it is the board's id (tt-umd: the id of a chip is board id << 5 | location). */
static bool finish(struct reader *r) {
  struct system_plan *plan = r->plan;
  if (r->parts) return refuse(r, "the last link has one end");
  if (!r->named || r->named & (r->named + 1)) return refuse(r, "arch must have chips from 0 on, without a gap");
  plan->chips = (unsigned)__builtin_popcount(r->named);
  for (unsigned i = 0; i < plan->chips; i++) {
    struct chip_identity *own = &plan->chip[i].identity;
    if (!(r->boarded >> i & 1u)) return refuse(r, "chip %u is on no board", i);
    if (!(r->located >> i & 1u) && r->unique[i] >> 5 == own->board) own->location = r->unique[i] & 31u;
    own->asic = r->unique[i] ? r->unique[i] : i + 1u;
  }
  return true;
}

bool system_descriptor_read(struct system_plan *plan, const char *text, size_t length, char *error, size_t error_size) {
  struct reader r = {.plan = plan, .at = text, .end = text + length, .error = error, .error_size = error_size};
  struct line line;
  memset(plan, 0, sizeof *plan);
  for (unsigned i = 0; i < SYSTEM_CHIPS; i++) plan->chip[i].harvest = chip_product_at(0)->harvest;
  if (error_size) error[0] = '\0';
  while (r.at < r.end)
    if (!next_line(&r, &line) || !read_line(&r, &line)) return false;
  return finish(&r) && system_plan_connect(plan, error, error_size);
}

/* --- writing --- */

static const char *board_name(uint64_t board) {
  static const struct {
    uint8_t first, last;
    const char *name;
  } names[] = {{ARC_BOARD_P100, ARC_BOARD_P100, "p100"},
               {ARC_BOARD_P150, ARC_BOARD_P150_LAST, "p150"},
               {ARC_BOARD_P300, ARC_BOARD_P300_LAST, "p300"},
               {ARC_BOARD_GALAXY, ARC_BOARD_GALAXY, "ubb_blackhole"}};
  const uint64_t type = board >> ARC_BOARD_SHIFT;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (type >= names[i].first && type <= names[i].last) return names[i].name;
  return "unknown";
}

/* tt-umd: a Galaxy's chips have the id of the ASIC, the others one made of the board's id and the location. */
static unsigned long long unique_id(const struct chip_identity *own) {
  if (own->board >> ARC_BOARD_SHIFT == ARC_BOARD_GALAXY) return own->asic;
  return own->board << 5 | own->location;
}

static void write_harvest(const struct system_chip *chip, unsigned number, struct sim_text *to) {
  const struct chip_harvest *h = &chip->harvest;
  sim_text_add(to, "  %u:\n    noc_translation: true\n    harvest_mask: %u\n", number, h->tensix);
  sim_text_add(to, "    dram_harvesting_mask: %u\n    eth_harvesting_mask: %u\n", h->dram, h->ethernet);
  sim_text_add(to, "    pcie_harvesting_mask: %u\n    l2cpu_harvesting_mask: 0\n", h->pcie ? 1u : 2u);
}

static void write_boards(const struct system_plan *plan, struct sim_text *to) {
  for (unsigned i = 0; i < plan->chips; i++) {
    const uint64_t board = plan->chip[i].identity.board;
    unsigned first = 0;
    while (plan->chip[first].identity.board != board) first++;
    if (first != i) continue;
    sim_text_add(to, "  -\n    - board_id: %llu\n    - board_type: %s\n    - chips:\n", (unsigned long long)board,
                 board_name(board));
    for (unsigned k = i; k < plan->chips; k++)
      if (plan->chip[k].identity.board == board) sim_text_add(to, "        - %u\n", k);
  }
}

void system_descriptor_write(const struct system_plan *plan, struct sim_text *to) {
  const struct system_chip *chip = plan->chip;
  sim_text_puts(to, "arch:\n");
  for (unsigned i = 0; i < plan->chips; i++) sim_text_add(to, "  %u: blackhole\n", i);
  sim_text_puts(to, "chips:\n  {}\nchip_unique_ids:\n");
  for (unsigned i = 0; i < plan->chips; i++) sim_text_add(to, "  %u: %llu\n", i, unique_id(&chip[i].identity));
  sim_text_puts(to, plan->links ? "ethernet_connections:\n" : "ethernet_connections:\n  []\n");
  for (unsigned i = 0; i < plan->links; i++) {
    const struct system_end *end = plan->link[i].end;
    sim_text_add(to, "  -\n    - chip: %u\n      chan: %u\n    - chip: %u\n      chan: %u\n", end[0].chip, end[0].channel,
                 end[1].chip, end[1].channel);
  }
  sim_text_puts(to, "ethernet_connections_to_remote_devices:\n  []\nchips_with_mmio:\n");
  for (unsigned i = 0; i < plan->chips; i++)
    if (chip[i].device) sim_text_add(to, "  - %u: %u\n", i, i);
  sim_text_puts(to, "io_device_type: PCIe\nharvesting:\n");
  for (unsigned i = 0; i < plan->chips; i++) write_harvest(&chip[i], i, to);
  sim_text_puts(to, "chip_to_boardtype:\n");
  for (unsigned i = 0; i < plan->chips; i++) sim_text_add(to, "  %u: %s\n", i, board_name(chip[i].identity.board));
  sim_text_puts(to, "boards:\n");
  write_boards(plan, to);
  sim_text_puts(to, "asic_locations:\n");
  for (unsigned i = 0; i < plan->chips; i++) sim_text_add(to, "  %u: %u\n", i, chip[i].identity.location);
}
