"""The C API of libtessera for ctypes. tools/python-abi writes this file from include/tessera."""

from ctypes import (Structure, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint8, c_uint16,
                    c_uint32, c_uint64, c_int64, c_long, c_void_p)

API_VERSION = 1
L1_BYTES = 1572864
THREADS = 3
MOP_CFG = 4290248704
MOP_CFG_BYTES = 36
FOREVER = 4611686018427387904
WAITERS_MAX = 16
RELEASERS_MAX = 8
CONDITION_WORDS = 4
TRACE_VERSION = 1
LAUNCH_BUFFERS = 32
LAUNCH_ARGS = 32
LAUNCH_OWN_ARGS = 341
LAUNCH_OWN_AT = 1568768
LAUNCH_HEAP = 131072
LAUNCH_PRINT_AREAS = 4736
LAUNCH_PRINT_BYTES = 672
LAUNCH_PRINT_DRAINED = 8096
LAUNCH_PRINT_FULL = 8100
WHY_CAUSES = 6
WHY_RACES = 18446744073709551615
EXPLORE_DELAYS = 64
ALL_TILES = 255
TENSIX_TILES = 140
DRAM_BANKS = 8
PTO_AUTO = 4294967295
PTO_SLOTS_MAX = 64
PTO_BLOCKS_MAX = 1024
PTO_SETTINGS_MAX = 32
PTO_RANK_MAX = 5
PTO_CORES = 3
PTO_NO_TILE = -1
PTO_SWEEP_BLOCKS_MAX = 16
OK = 0
DONE = 1
LIMIT = 2
STOPPED = 3
HANG = 4
FAULT = 5
INVALID = 6
REFUSED = 7
NO_MEMORY = 8
TIMING_OFF = 0
TIMING_CYCLE = 1
TRISC0 = 0
TRISC1 = 1
TRISC2 = 2
BRISC = 3
NCRISC = 4
CORES = 5
CHECK_A = 1
CHECK_B = 2
CHECK_C = 4
CHECK_D = 8
CHECK_E = 16
CHECK_F = 32
CHECK_DEFAULT = 31
CHECK_ALL = 63
OPTION_STRICT = 0
OPTION_QUIET = 1
OPTION_VERBOSE = 2
OPTION_SCALAR = 3
OPTION_CHECK = 4
OPTION_ACCOUNT = 5
OPTIONS = 6
STOP_NONE = 0
STOP_DONE = 1
STOP_LIMIT = 2
STOP_CONDITION = 3
STOP_BREAKPOINT = 4
STOP_WATCHPOINT = 5
STOP_STEP = 6
STOP_REQUEST = 7
STOP_HANG = 8
STOP_FINDING = 9
STOP_FAULT = 10
STOPS = 11
NOTE = 0
WARNING = 1
ERROR = 2
REPORT_TEXT = 0
REPORT_JSON = 1
REPORT_SARIF = 2
REPORTS = 3
FILE_CORE = 0
FILE_GPR = 1
FILE_CONFIG = 2
FILE_THREAD_CONFIG = 3
FILE_DST = 4
FILE_DST_VALID = 5
FILE_SRCA = 6
FILE_SRCB = 7
FILE_LREG = 8
FILE_RWC = 9
FILE_ADC = 10
FILE_SEMAPHORE = 11
FILE_MUTEX = 12
FILE_SRC_BANK = 13
FILES = 14
COUNTER_INSTRUCTIONS = 0
COUNTER_CORE_CYCLES = 1
COUNTER_ISSUED = 2
COUNTER_STALLED = 3
COUNTER_UNIT_ACCEPTED = 4
COUNTER_UNIT_BUSY = 5
COUNTER_FINDINGS = 6
COUNTERS = 7
EVENT_ISSUE = 0
EVENT_CORE = 1
EVENT_FINDING = 2
EVENT_BLOCK = 3
EVENT_UNIT = 4
EVENT_RETIRE = 5
EVENT_BANK = 6
EVENT_SEMAPHORE = 7
EVENT_MUTEX = 8
EVENT_BUFFER = 9
EVENT_CORE_WAIT = 10
EVENT_ZONE = 11
EVENT_KINDS = 12
TRACE_TEXT = 0
TRACE_PERFETTO = 1
TRACE_CHROME = 2
TRACE_KANATA = 3
TRACE_COMPACT = 4
TRACE_VCD = 5
TRACE_FORMATS = 6
ASM_STORE = 0
ASM_POLL = 1
ASM_SYNC = 2
ISA_LIST = 0
ISA_EXPLAIN = 1
ISA_JSON = 2
ISA_MARKDOWN = 3
ISA_COVERAGE = 4
ISA_C_HEADER = 5
ISA_TEXTS = 6
OF_CORE = 0
OF_THREAD = 1
OF_UNIT = 2
PROFILE_CALLGRIND = 0
PROFILE_SPEEDSCOPE = 1
PROFILE_LCOV = 2
PROFILES = 3
SAME = 0
DIFFERENT_OUTPUT = 1
DIFFERENT_END = 2
DIFFERENT_FAULT = 3
DIFFERENT_FINDING = 4
NODE_ROUTER = 0
NODE_TENSIX = 1
NODE_DRAM = 2
NODE_ETHERNET = 3
NODE_PCIE = 4
NODE_ARC = 5
NODE_SECURITY = 6
NODE_L2CPU = 7
NODE_KINDS = 8
CHIP_EVENT_PACKET = 0
CHIP_EVENT_BURST = 1
CHIP_EVENT_KINDS = 2
PTO_CUBE = 1
PTO_VECTOR0 = 2
PTO_VECTOR1 = 4
PTO_VECTORS = 6
PTO_MAT = 2
PTO_ACC = 3
PTO_VEC = 4
PTO_LEFT = 5
PTO_RIGHT = 6
PTO_BIAS = 7
PTO_SCALING = 8
PTO_F32 = 0
PTO_F16 = 1
PTO_BF16 = 2
PTO_I32 = 3
PTO_I16 = 4
PTO_I8 = 5
PTO_U32 = 6
PTO_U16 = 7
PTO_U8 = 8
PTO_C2V = 1
PTO_V2C = 2
PTO_BOTH = 3
PTO_V2C_CTRL = 4
PTO_C2V_GM = 5
PTO_V2C_GM = 6
PTO_BOTH_GM = 7
PTO_GM_FIFO = 0
PTO_VEC_FIFO = 1
PTO_MAT_FIFO = 2
PTO_CTRL_FIFO = 3
PTO_V2C1_VECS = 0
PTO_V2C2_VECS = 1
PTO_V1C1_VEC0 = 2
PTO_V1C1_VEC1 = 3
PTO_NO_SPLIT = 0
PTO_UP_DOWN = 1
PTO_LEFT_RIGHT = 2
PTO_UP_DOWN_ODD = 3
PTO_LEFT_RIGHT_ODD = 4
PTO_ALLOCATE = 0
PTO_RECORD = 1
PTO_WAIT = 2
PTO_FREE = 3
PTO_PROD_OFFSET = 0
PTO_CONS_OFFSET = 1
PTO_PROD_TILE = 2
PTO_CONS_TILE = 3
PTO_MOV = 0
PTO_MATMUL = 1
PTO_MATMUL_ACC = 2
PTO_MATMUL_BIAS = 3
PTO_ADD = 4
PTO_SUB = 5
PTO_MUL = 6
PTO_DIV = 7
PTO_MAX = 8
PTO_MIN = 9
PTO_ADDS = 10
PTO_SUBS = 11
PTO_MULS = 12
PTO_DIVS = 13
PTO_EXP = 14
PTO_RELU = 15
PTO_CVT = 16
PTO_FILL = 17
PTO_ROWMAX = 18
PTO_ROWSUM = 19
PTO_ROWEXPAND_SUB = 20
PTO_ROWEXPAND_MUL = 21
PTO_ROWEXPAND_DIV = 22
PTO_DEQUANT = 23
PTO_OPS = 24
PTO_S = 0
PTO_MTE2 = 1
PTO_MTE1 = 2
PTO_M = 3
PTO_V = 4
PTO_MTE3 = 5
PTO_FIX = 6
PTO_ALL_UNITS = 7
PTO_QUANT_NONE = 0
PTO_F322F16 = 1
PTO_F322BF16 = 2
PTO_DEQF16 = 3
PTO_VDEQF16 = 4
PTO_NZ2ND = 0
PTO_NZ2DN = 1
PTO_NZ2NZ = 2
PTO_RAN = 0
PTO_FAULT = 1
PTO_DEADLOCK = 2
PTO_HAZARD = 3
PTO_LIMIT = 4
PTO_INVALID = 5
PTO_OK = 6
PTO_NOTE = 0
PTO_WARNING = 1
PTO_ERROR = 2
PTO_FOUND_NONE = 0
PTO_FOUND_OVERWRITE = 1
PTO_FOUND_STALE = 2
PTO_FOUND_USE_AFTER_FREE = 3
PTO_FOUND_DOUBLE_FREE = 4
PTO_FOUND_LANDING = 5
PTO_FOUND_OVERFLOW = 6
PTO_FOUND_COLLISION = 7
PTO_FOUND_SPLIT = 8
PTO_FOUND_SLOT_SIZE = 9
PTO_FOUND_LEAK = 10
PTO_FOUND_UNSYNCED = 11
PTO_FOUND_RING_TILE = 12
PTO_FOUND_RING_RING = 13
PTO_FOUND_ENDS = 14
PTO_FOUND_FAULT = 15
PTO_FOUND_LIMIT = 16
PTO_FOUND_DEADLOCK = 17
PTO_FOUND_RACE = 18
PTO_FOUND_WRITERS = 19
PTO_FOUND_TYPE = 20
PTO_FOUND_TILE_TILE = 21
PTO_FOUND_RESULT = 22
PTO_FINDINGS = 23
PTO_REPORT_TEXT = 0
PTO_REPORT_JSON = 1
PTO_REPORT_SARIF = 2
PTO_EVENT_WORK = 0
PTO_EVENT_OCCUPANCY = 1
PTO_TRACE_TEXT = 0
PTO_TRACE_PERFETTO = 1
PTO_TRACE_CHROME = 2
PTO_TRACE_COMPACT = 3
PTO_TRACE_FORMATS = 4


class Param(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("what", c_char_p),
        ("evidence", c_char_p),
        ("source", c_char_p),
        ("initial", c_uint32),
    ]


class StopInfo(Structure):
    _fields_ = [
        ("reason", c_int),
        ("number", c_int),
        ("core", c_int),
        ("cores", c_uint32),
        ("pc", c_uint32),
        ("address", c_uint32),
        ("cycle", c_uint64),
    ]


class Fault(Structure):
    _fields_ = [
        ("cycle", c_uint64),
        ("kind", c_char_p),
        ("who", c_char_p),
        ("pc", c_uint32),
        ("word", c_uint32),
        ("why", c_char * 192),
        ("document", c_char * 64),
        ("place", c_char * 256),
    ]


class Finding(Structure):
    _fields_ = [
        ("id", c_char_p),
        ("severity", c_int),
        ("core", c_int),
        ("what", c_char_p),
        ("document", c_char_p),
        ("who", c_char_p),
        ("word", c_uint32),
        ("pc", c_uint32),
        ("first_cycle", c_uint64),
        ("count", c_uint64),
        ("why", c_char * 128),
        ("place", c_char * 256),
    ]


class Source(Structure):
    _fields_ = [
        ("pc", c_uint32),
        ("line", c_uint32),
        ("file", c_char * 96),
        ("path", c_char * 256),
        ("function", c_char * 64),
        ("call", c_char * 64),
        ("caller", c_char * 112),
    ]


class Hang(Structure):
    _fields_ = [
        ("cycle", c_uint64),
        ("deadlock", c_int),
        ("waiter_count", c_size_t),
        ("chain_count", c_size_t),
        ("chain", c_uint * 16),
        ("cause", c_char * 1024),
    ]


class Releaser(Structure):
    _fields_ = [
        ("name", c_char * 32),
        ("role", c_char * 32),
        ("state", c_char_p),
    ]


class Waiter(Structure):
    _fields_ = [
        ("tile_x", c_int),
        ("tile_y", c_int),
        ("core", c_int),
        ("name", c_char * 32),
        ("since", c_uint64),
        ("what", c_char * 192),
        ("resource", c_char * 96),
        ("kind", c_char_p),
        ("index", c_uint32),
        ("address", c_uint32),
        ("value", c_uint32),
        ("wish", c_char_p),
        ("wanted", c_uint32),
        ("place", Source),
        ("waits_for", c_int),
        ("releaser_count", c_size_t),
        ("releasers", Releaser * 8),
        ("last_name", c_char * 32),
        ("last_cycle", c_uint64),
        ("last_place", Source),
        ("other_x", c_int),
        ("other_y", c_int),
        ("why", c_char * 384),
    ]


class Party(Structure):
    _fields_ = [
        ("tile_x", c_int),
        ("tile_y", c_int),
        ("core", c_int),
        ("name", c_char * 32),
        ("state", c_char_p),
        ("place", Source),
    ]


class Word(Structure):
    _fields_ = [
        ("address", c_uint32),
        ("mask", c_uint32),
        ("value", c_uint32),
    ]


class Place(Structure):
    _fields_ = [
        ("function", c_char_p),
        ("offset", c_uint32),
        ("file", c_char_p),
        ("line", c_uint32),
    ]


class Event(Structure):
    _fields_ = [
        ("cycle", c_uint64),
        ("kind", c_int),
        ("agent", c_uint32),
        ("a", c_uint32),
        ("b", c_uint32),
        ("c", c_uint64),
    ]


class EventInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("meaning", c_char_p),
        ("a", c_char_p),
        ("b", c_char_p),
        ("c", c_char_p),
        ("track", c_char_p),
        ("phase", c_char_p),
    ]


class TraceOptions(Structure):
    _fields_ = [
        ("format", c_int),
        ("from", c_uint64),
        ("to", c_uint64),
        ("cores", c_uint),
        ("part", c_uint),
        ("title", c_char_p),
    ]


class TracePart(Structure):
    _fields_ = [
        ("file", c_int),
        ("ordered", c_int),
    ]


class AsmError(Structure):
    _fields_ = [
        ("line", c_uint32),
        ("column", c_uint32),
        ("length", c_uint32),
        ("message", c_char_p),
    ]


class AsmOp(Structure):
    _fields_ = [
        ("before", c_size_t),
        ("kind", c_int),
        ("address", c_uint32),
        ("mask", c_uint32),
        ("value", c_uint32),
    ]


class IsaOp(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("semantics", c_char_p),
        ("document", c_char_p),
        ("unit_name", c_char_p),
        ("state", c_char_p),
        ("evidence", c_char_p),
        ("timing_evidence", c_char_p),
        ("timing_source", c_char_p),
        ("used", c_uint32),
        ("blocks", c_uint32),
        ("waits", c_uint32),
        ("unit", c_uint),
        ("issue_cycles", c_uint),
        ("latency_cycles", c_uint),
        ("field_count", c_uint),
        ("cases", c_uint),
    ]


class IsaField(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("low_bit", c_uint),
        ("width", c_uint),
        ("named_only", c_int),
        ("minimum", c_int64),
        ("maximum", c_int64),
    ]


class ConfigField(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("address", c_uint),
        ("low_bit", c_uint),
        ("width", c_uint),
        ("thread", c_int),
    ]


class Case(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("tags", c_char_p),
        ("line", c_uint),
        ("noc", c_int),
        ("document", c_int),
    ]


class CaseOptions(Structure):
    _fields_ = [
        ("timing", c_int),
        ("riscv", c_int),
        ("scalar", c_int),
        ("max_cycles", c_uint64),
        ("threads", c_uint),
        ("check", c_uint32),
    ]


class CaseResult(Structure):
    _fields_ = [
        ("passed", c_int),
        ("cycles", c_uint64),
    ]


class LaunchBuffer(Structure):
    _fields_ = [
        ("address", c_uint32),
        ("page_bytes", c_uint32),
        ("pages", c_uint32),
        ("format", c_uint32),
    ]


class Launch(Structure):
    _fields_ = [
        ("launches", c_uint32),
        ("waits", c_int),
        ("dram_banks", c_uint32),
        ("buffer", LaunchBuffer * 32),
        ("args", c_uint32 * 32),
    ]


class Delay(Structure):
    _fields_ = [
        ("cycle", c_uint64),
        ("cycles", c_uint32),
        ("target", c_uint32),
        ("place", c_char * 160),
    ]


class ExploreOptions(Structure):
    _fields_ = [
        ("schedules", c_uint32),
        ("threads", c_uint32),
        ("seed", c_uint64),
        ("max_cycles", c_uint64),
        ("ignore", c_void_p),
        ("ignore_count", c_size_t),
        ("progress", c_void_p),
        ("progress_context", c_void_p),
    ]


class Exploration(Structure):
    _fields_ = [
        ("cycles", c_uint64),
        ("runs", c_uint32),
        ("broken", c_uint32),
        ("difference", c_int),
        ("address", c_uint32),
        ("expected", c_uint32),
        ("found", c_uint32),
        ("finding", c_char_p),
        ("what", c_char * 256),
        ("delay_count", c_uint32),
        ("delay", Delay * 64),
    ]


class ChipDelay(Structure):
    _fields_ = [
        ("cycle", c_uint64),
        ("cycles", c_uint32),
        ("target", c_uint32),
        ("x", c_uint32),
        ("y", c_uint32),
        ("place", c_char * 160),
    ]


class ChipRange(Structure):
    _fields_ = [
        ("x", c_uint32),
        ("y", c_uint32),
        ("address", c_uint64),
        ("length", c_uint64),
    ]


class ChipExploreOptions(Structure):
    _fields_ = [
        ("schedules", c_uint32),
        ("threads", c_uint32),
        ("seed", c_uint64),
        ("max_cycles", c_uint64),
        ("output", c_void_p),
        ("output_count", c_size_t),
        ("output_only", c_int),
        ("ignore", c_void_p),
        ("ignore_count", c_size_t),
        ("until_x", c_uint32),
        ("until_y", c_uint32),
        ("until_mask", c_uint32),
        ("until_value", c_uint32),
        ("until_address", c_uint64),
        ("until_every", c_uint64),
        ("progress", c_void_p),
        ("progress_context", c_void_p),
    ]


class ChipExploration(Structure):
    _fields_ = [
        ("cycles", c_uint64),
        ("hash", c_uint64),
        ("runs", c_uint32),
        ("broken", c_uint32),
        ("difference", c_int),
        ("x", c_uint32),
        ("y", c_uint32),
        ("address", c_uint64),
        ("expected", c_uint32),
        ("found", c_uint32),
        ("in_output", c_int),
        ("expected_by", c_char * 320),
        ("found_by", c_char * 320),
        ("finding", c_char_p),
        ("what", c_char * 256),
        ("delay_count", c_uint32),
        ("delay", ChipDelay * 64),
    ]


class HostMemory(Structure):
    _fields_ = [
        ("host", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
    ]


class ChipOptions(Structure):
    _fields_ = [
        ("product", c_char_p),
        ("timing", c_int),
        ("threads", c_uint),
        ("host", HostMemory),
        ("harvest_tensix", c_uint16),
        ("harvest_ethernet", c_uint16),
        ("harvest_dram", c_uint8),
        ("pcie", c_uint8),
        ("noc_at_once", c_uint8),
    ]


class Node(Structure):
    _fields_ = [
        ("kind", c_int),
        ("good", c_int),
        ("index", c_uint),
        ("noc_x", c_uint),
        ("noc_y", c_uint),
        ("bytes", c_uint64),
    ]


class TileAt(Structure):
    _fields_ = [
        ("x", c_uint),
        ("y", c_uint),
    ]


class KernelRun(Structure):
    _fields_ = [
        ("end", c_int),
        ("cycles", c_uint64),
        ("description", c_char_p),
        ("tiles", c_void_p),
        ("tile_count", c_size_t),
    ]


class Packet(Structure):
    _fields_ = [
        ("departs", c_uint64),
        ("arrives", c_uint64),
        ("sequence", c_uint64),
        ("address", c_uint64),
        ("bytes", c_uint32),
        ("hops", c_uint32),
        ("cycles", c_uint32),
        ("noc", c_uint),
        ("from_x", c_uint),
        ("from_y", c_uint),
        ("to_x", c_uint),
        ("to_y", c_uint),
        ("kind", c_char_p),
    ]


class Burst(Structure):
    _fields_ = [
        ("cycle", c_uint64),
        ("address", c_uint64),
        ("cycles", c_uint32),
        ("bytes", c_uint32),
        ("controller", c_uint),
        ("is_write", c_int),
    ]


class ChipEvent(Structure):
    _fields_ = [
        ("kind", c_int),
        ("packet", c_void_p),
        ("burst", c_void_p),
    ]


class PtoFixpipe(Structure):
    _fields_ = [
        ("quant", c_int),
        ("layout", c_int),
        ("relu", c_int),
        ("atomic_add", c_int),
        ("scale", c_double),
        ("scales", c_int),
    ]


class PtoTile(Structure):
    _fields_ = [
        ("loc", c_int),
        ("dtype", c_int),
        ("rows", c_uint32),
        ("cols", c_uint32),
        ("valid_rows", c_uint32),
        ("valid_cols", c_uint32),
        ("addr", c_uint32),
        ("line", c_uint32),
    ]


class PtoPipe(Structure):
    _fields_ = [
        ("flag_id", c_uint32),
        ("dir", c_int),
        ("slot_size", c_uint32),
        ("slot_num", c_uint32),
        ("local_slot_num", c_uint32),
        ("no_split", c_int),
        ("unit_flag", c_int),
        ("multi", c_int),
        ("fifo", c_int),
        ("ratio", c_int),
        ("sync_period", c_uint32),
        ("gm_addr", c_uint64),
        ("gm_tensor", c_int),
        ("c2v_addr", c_uint32),
        ("v2c_addr", c_uint32),
        ("prod", PtoTile),
        ("cons", PtoTile),
        ("line", c_uint32),
    ]


class PtoTransfer(Structure):
    _fields_ = [
        ("tile", c_int),
        ("tensor", c_int),
        ("row", c_uint32),
        ("col", c_uint32),
        ("lane_rows", c_uint32),
        ("lane_cols", c_uint32),
        ("line", c_uint32),
    ]


class PtoWindow(Structure):
    _fields_ = [
        ("tensor", c_int),
        ("dtype", c_int),
        ("rows", c_uint32),
        ("cols", c_uint32),
        ("row_stride", c_uint32),
        ("col_stride", c_uint32),
        ("block_cols", c_uint32),
        ("block_stride", c_uint32),
        ("offset", c_uint64),
    ]


class PtoOperation(Structure):
    _fields_ = [
        ("op", c_int),
        ("dst", c_int),
        ("src", c_int * 3),
        ("number", c_double),
        ("line", c_uint32),
    ]


class PtoSetting(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("value", c_int64),
    ]


class PtoSource(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("text", c_char_p),
        ("length", c_size_t),
        ("profile", c_char_p),
        ("settings", c_void_p),
        ("setting_count", c_size_t),
    ]


class PtoTensor(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("dtype", c_int),
        ("rank", c_uint),
        ("shape", c_uint32 * 5),
        ("elements", c_uint64),
        ("bytes", c_uint64),
        ("file", c_char_p),
    ]


class PtoNote(Structure):
    _fields_ = [
        ("severity", c_int),
        ("rule", c_char_p),
        ("line", c_uint32),
        ("column", c_uint32),
        ("text", c_char * 480),
    ]


class PtoExploreOptions(Structure):
    _fields_ = [
        ("schedules", c_uint32),
        ("seed", c_uint32),
        ("policy", c_char_p),
        ("cycle_limit", c_uint64),
        ("progress", c_void_p),
        ("progress_context", c_void_p),
    ]


class PtoExploration(Structure):
    _fields_ = [
        ("runs", c_uint32),
        ("broken", c_uint32),
        ("first_broken", c_uint32),
        ("kind", c_int),
        ("cycles", c_uint64),
        ("hangs", c_int),
        ("faults", c_int),
        ("block", c_uint32),
        ("compared", c_uint32),
        ("schedule", c_char * 2048),
        ("text", c_char * 8192),
    ]


class PtoSweepOptions(Structure):
    _fields_ = [
        ("depth_min", c_uint32),
        ("depth_max", c_uint32),
        ("own_depth", c_int),
        ("period", c_uint32),
        ("schedules", c_uint32),
        ("policy", c_char_p),
        ("blocks", c_uint32 * 16),
        ("block_count", c_uint32),
        ("threads", c_uint),
        ("progress", c_void_p),
        ("progress_context", c_void_p),
    ]


class PtoSweepRow(Structure):
    _fields_ = [
        ("program", c_uint32),
        ("depth", c_uint32),
        ("period", c_uint32),
        ("blocks", c_uint32),
        ("fits", c_int),
        ("findings", c_uint32),
        ("cycles", c_uint64),
        ("tiles", c_uint64),
        ("gm_bytes", c_uint64),
        ("ub_bytes", c_uint64),
        ("l1_bytes", c_uint64),
    ]


class PtoEvent(Structure):
    _fields_ = [
        ("kind", c_int),
        ("begin", c_uint64),
        ("end", c_uint64),
        ("core", c_uint),
        ("unit", c_uint),
        ("operation", c_char_p),
        ("line", c_uint32),
        ("tile", c_uint32),
        ("pipe", c_char_p),
        ("direction", c_char_p),
        ("slots", c_uint32),
        ("block", c_uint32),
    ]


class DebuggerVerb(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("arguments", c_char_p),
        ("help", c_char_p),
        ("complete", c_char_p),
    ]


class Diagnostic(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("severity", c_int),
        ("what", c_char_p),
        ("document", c_char_p),
        ("why", c_char_p),
        ("mend", c_char_p),
    ]


class SystemOptions(Structure):
    _fields_ = [
        ("system", c_char_p),
        ("descriptor", c_char_p),
        ("product", c_char_p),
        ("links", c_char_p),
        ("timing", c_int),
        ("threads", c_uint),
    ]


# name: (result, arguments)
FUNCTIONS = {
    "tessera_api_version": (c_int, []),
    "tessera_version": (c_char_p, []),
    "tessera_result_name": (c_char_p, [c_int]),
    "tessera_text_shown": (c_size_t, [c_char_p]),
    "tessera_timing_name": (c_char_p, [c_int]),
    "tessera_core_name": (c_char_p, [c_int]),
    "tessera_core_number": (c_int, [c_char_p]),
    "tessera_thread_name": (c_char_p, [c_uint]),
    "tessera_unit_name": (c_char_p, [c_uint]),
    "tessera_semaphore_name": (c_char_p, [c_uint]),
    "tessera_tile_create": (c_void_p, [c_int]),
    "tessera_tile_destroy": (None, [c_void_p]),
    "tessera_tile_reset": (c_int, [c_void_p, c_int]),
    "tessera_tile_error": (c_char_p, [c_void_p]),
    "tessera_param_count": (c_size_t, []),
    "tessera_param_info": (c_int, [c_size_t, c_void_p]),
    "tessera_tile_set_param": (c_int, [c_void_p, c_char_p, c_uint32]),
    "tessera_tile_param": (c_int, [c_void_p, c_char_p, c_void_p]),
    "tessera_check_name": (c_char_p, [c_int]),
    "tessera_option_name": (c_char_p, [c_int]),
    "tessera_tile_set_option": (c_int, [c_void_p, c_int, c_uint32]),
    "tessera_tile_option": (c_int, [c_void_p, c_int, c_void_p]),
    "tessera_tile_write": (c_int, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "tessera_tile_read": (c_int, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "tessera_visible": (c_int, [c_uint32, c_size_t]),
    "tessera_tile_load_elf": (c_int, [c_void_p, c_int, c_void_p, c_size_t]),
    "tessera_tile_load_notes": (c_char_p, [c_void_p]),
    "tessera_tile_set_reset_pc": (c_int, [c_void_p, c_int, c_uint32]),
    "tessera_tile_reset_pc": (c_int, [c_void_p, c_int, c_void_p]),
    "tessera_tile_start": (c_int, [c_void_p, c_uint]),
    "tessera_tile_push": (c_int, [c_void_p, c_uint, c_void_p, c_size_t]),
    "tessera_tile_store": (c_int, [c_void_p, c_uint, c_uint32, c_uint32]),
    "tessera_tile_poll": (c_int, [c_void_p, c_uint, c_uint32, c_uint32, c_uint32]),
    "tessera_tile_sync": (c_int, [c_void_p, c_uint]),
    "tessera_tile_copy": (c_int, [c_void_p, c_uint, c_uint32, c_uint32]),
    "tessera_tile_run": (c_int, [c_void_p, c_uint64]),
    "tessera_tile_cycle": (c_uint64, [c_void_p]),
    "tessera_stop_name": (c_char_p, [c_int]),
    "tessera_tile_stop_info": (c_int, [c_void_p, c_void_p]),
    "tessera_tile_fault": (c_int, [c_void_p, c_void_p]),
    "tessera_severity_name": (c_char_p, [c_int]),
    "tessera_tile_finding_count": (c_size_t, [c_void_p]),
    "tessera_tile_finding": (c_int, [c_void_p, c_size_t, c_void_p]),
    "tessera_tile_finding_text": (c_size_t, [c_void_p, c_size_t, c_void_p, c_size_t]),
    "tessera_tile_explain": (c_char_p, [c_void_p]),
    "tessera_tile_where": (c_char_p, [c_void_p]),
    "tessera_tile_activity": (c_size_t, [c_void_p, c_void_p, c_size_t]),
    "tessera_report_name": (c_char_p, [c_int]),
    "tessera_tile_exit_code": (c_int, [c_void_p]),
    "tessera_tile_set_exit_code": (None, [c_void_p, c_int]),
    "tessera_tile_report": (c_char_p, [c_void_p, c_int]),
    "tessera_file_name": (c_char_p, [c_int]),
    "tessera_file_shape": (c_int, [c_int, c_void_p, c_void_p]),
    "tessera_tile_register": (c_int, [c_void_p, c_int, c_uint, c_uint, c_void_p]),
    "tessera_tile_registers": (c_int, [c_void_p, c_int, c_uint, c_uint, c_void_p]),
    "tessera_tile_set_register": (c_int, [c_void_p, c_int, c_uint, c_uint, c_uint32]),
    "tessera_tile_set_registers": (c_int, [c_void_p, c_int, c_uint, c_uint, c_void_p]),
    "tessera_counter_name": (c_char_p, [c_int]),
    "tessera_tile_counter": (c_int, [c_void_p, c_int, c_uint, c_void_p]),
    "tessera_tile_state_size": (c_size_t, [c_void_p]),
    "tessera_tile_save": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tessera_tile_restore": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tessera_tile_hash": (c_uint64, [c_void_p]),
    "tessera_tile_hang": (c_int, [c_void_p, c_void_p]),
    "tessera_tile_waiter": (c_int, [c_void_p, c_size_t, c_void_p]),
    "tessera_tile_party": (c_int, [c_void_p, c_size_t, c_void_p]),
    "tessera_tile_until": (c_int, [c_void_p, c_uint32, c_uint32, c_uint32, c_void_p]),
    "tessera_tile_until_all": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "tessera_tile_until_cycle": (c_int, [c_void_p, c_uint64, c_void_p]),
    "tessera_tile_watch": (c_int, [c_void_p, c_uint32, c_uint32, c_void_p]),
    "tessera_tile_unwatch": (c_int, [c_void_p, c_int]),
    "tessera_tile_break": (c_int, [c_void_p, c_int, c_uint32, c_void_p]),
    "tessera_tile_unbreak": (c_int, [c_void_p, c_int]),
    "tessera_tile_step": (c_int, [c_void_p, c_int, c_uint64]),
    "tessera_tile_symbol": (c_int, [c_void_p, c_int, c_char_p, c_void_p]),
    "tessera_tile_entries": (c_size_t, [c_void_p, c_int, c_char_p, c_void_p, c_size_t]),
    "tessera_tile_place": (c_int, [c_void_p, c_int, c_uint32, c_void_p]),
    "tessera_tile_line": (c_int, [c_void_p, c_int, c_char_p, c_uint32, c_void_p]),
    "tessera_tile_place_text": (c_size_t, [c_void_p, c_int, c_uint32, c_void_p, c_size_t]),
    "tessera_event_info": (c_int, [c_int, c_void_p]),
    "tessera_event_name": (c_char_p, [c_int]),
    "tessera_agent_name": (c_char_p, [c_uint]),
    "tessera_reason_name": (c_char_p, [c_uint]),
    "tessera_trace_schema": (c_size_t, [c_void_p, c_size_t]),
    "tessera_tile_hook": (c_int, [c_void_p, c_uint64, c_void_p, c_void_p, c_void_p]),
    "tessera_tile_unhook": (c_int, [c_void_p, c_int]),
    "tessera_tile_request_stop": (c_int, [c_void_p]),
    "tessera_trace_format_name": (c_char_p, [c_int]),
    "tessera_tile_trace": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "tessera_tile_trace_end": (c_int, [c_void_p]),
    "tessera_trace_merge": (c_int, [c_void_p, c_size_t, c_int, c_char_p, c_void_p, c_void_p]),
    "tessera_trace_text": (c_size_t, [c_void_p, c_void_p, c_void_p, c_size_t]),
    "tessera_assemble": (c_void_p, [c_char_p, c_char_p, c_size_t]),
    "tessera_asm_destroy": (None, [c_void_p]),
    "tessera_asm_error_count": (c_size_t, [c_void_p]),
    "tessera_asm_more_errors": (c_int, [c_void_p]),
    "tessera_asm_error": (c_int, [c_void_p, c_size_t, c_void_p]),
    "tessera_asm_explain": (c_size_t, [c_void_p, c_size_t, c_void_p, c_size_t]),
    "tessera_asm_word_count": (c_size_t, [c_void_p, c_uint]),
    "tessera_asm_words": (c_void_p, [c_void_p, c_uint]),
    "tessera_asm_lines": (c_void_p, [c_void_p, c_uint]),
    "tessera_asm_op_kind_name": (c_char_p, [c_int]),
    "tessera_asm_op_count": (c_size_t, [c_void_p, c_uint]),
    "tessera_asm_op": (c_int, [c_void_p, c_uint, c_size_t, c_void_p]),
    "tessera_tile_load_asm": (c_int, [c_void_p, c_void_p]),
    "tessera_disassemble": (c_size_t, [c_uint32, c_void_p, c_size_t]),
    "tessera_disassemble_fields": (c_size_t, [c_uint32, c_void_p, c_size_t]),
    "tessera_disassemble_riscv": (c_size_t, [c_uint32, c_uint32, c_void_p, c_size_t]),
    "tessera_is_instruction": (c_int, [c_uint32]),
    "tessera_word_to_stream": (c_uint32, [c_uint32]),
    "tessera_stream_to_word": (c_uint32, [c_uint32]),
    "tessera_isa_op": (c_int, [c_uint, c_void_p]),
    "tessera_isa_field": (c_int, [c_uint, c_uint, c_void_p]),
    "tessera_isa_find": (c_int, [c_char_p]),
    "tessera_isa_nearest": (c_char_p, [c_char_p]),
    "tessera_isa_field_value": (c_uint32, [c_uint, c_uint, c_uint32]),
    "tessera_config_field_count": (c_size_t, []),
    "tessera_config_field": (c_int, [c_size_t, c_void_p]),
    "tessera_isa_text_name": (c_char_p, [c_int]),
    "tessera_isa_text": (c_size_t, [c_int, c_uint, c_void_p, c_size_t]),
    "tessera_cases_open": (c_void_p, [c_char_p, c_void_p, c_void_p]),
    "tessera_cases_text": (c_void_p, [c_char_p, c_char_p, c_size_t]),
    "tessera_cases_close": (None, [c_void_p]),
    "tessera_cases_next": (c_int, [c_void_p]),
    "tessera_cases_error": (c_char_p, [c_void_p]),
    "tessera_cases_current": (c_int, [c_void_p, c_void_p]),
    "tessera_cases_match": (c_int, [c_void_p, c_char_p]),
    "tessera_cases_run": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "tessera_cases_why": (c_char_p, [c_void_p]),
    "tessera_tile_launch": (c_int, [c_void_p, c_void_p]),
    "tessera_tile_launch_args": (c_int, [c_void_p, c_int, c_uint, c_void_p, c_uint]),
    "tessera_tile_printed": (c_size_t, [c_void_p, c_int, c_void_p, c_size_t]),
    "tessera_of_name": (c_char_p, [c_int]),
    "tessera_category_count": (c_uint, []),
    "tessera_category_name": (c_char_p, [c_uint]),
    "tessera_tile_account": (c_int, [c_void_p, c_int, c_uint, c_uint, c_void_p]),
    "tessera_tile_account_from": (c_int, [c_void_p, c_char_p]),
    "tessera_tile_account_begin": (c_int, [c_void_p, c_void_p]),
    "tessera_profile_format_name": (c_char_p, [c_int]),
    "tessera_tile_profile": (c_char_p, [c_void_p, c_int]),
    "tessera_tile_why": (c_char_p, [c_void_p]),
    "tessera_tile_why_json": (c_char_p, [c_void_p]),
    "tessera_tile_set_what_if": (c_int, [c_void_p, c_char_p]),
    "tessera_what_if_name": (c_char_p, [c_uint]),
    "tessera_what_if_text": (c_int, [c_char_p, c_void_p, c_size_t]),
    "tessera_tile_why_what_if": (c_char_p, [c_void_p]),
    "tessera_tile_why_cause": (c_char_p, [c_void_p, c_uint]),
    "tessera_tile_why_decide": (c_int, [c_void_p, c_uint64, c_void_p, c_uint]),
    "tessera_delay_target": (c_char_p, [c_uint32]),
    "tessera_difference_name": (c_char_p, [c_int]),
    "tessera_tile_explore": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tessera_tile_explore_until": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "tessera_chip_delay_target": (c_size_t, [c_uint32, c_void_p, c_size_t]),
    "tessera_chip_explore": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "tessera_chip_run_explored": (c_int, [c_void_p, c_void_p, c_uint64]),
    "tessera_chip_create": (c_void_p, [c_void_p]),
    "tessera_chip_destroy": (None, [c_void_p]),
    "tessera_chip_error": (c_char_p, [c_void_p]),
    "tessera_chip_product": (c_char_p, [c_uint]),
    "tessera_node_kind_name": (c_char_p, [c_int]),
    "tessera_chip_node": (c_int, [c_void_p, c_uint, c_uint, c_void_p]),
    "tessera_chip_tile": (c_void_p, [c_void_p, c_uint, c_uint]),
    "tessera_chip_read": (c_int, [c_void_p, c_uint, c_uint, c_uint64, c_void_p, c_size_t]),
    "tessera_chip_write": (c_int, [c_void_p, c_uint, c_uint, c_uint64, c_void_p, c_size_t]),
    "tessera_chip_broadcast": (c_int, [c_void_p, c_uint, c_uint, c_uint, c_uint, c_uint64, c_void_p, c_size_t]),
    "tessera_chip_run": (c_int, [c_void_p, c_uint64]),
    "tessera_chip_run_until": (c_int, [c_void_p, c_uint, c_uint, c_uint64, c_uint32, c_uint32, c_uint64, c_uint64]),
    "tessera_chip_cycle": (c_uint64, [c_void_p]),
    "tessera_chip_fault": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "tessera_chip_hang": (c_int, [c_void_p, c_void_p]),
    "tessera_chip_waiter": (c_int, [c_void_p, c_size_t, c_void_p]),
    "tessera_chip_party": (c_int, [c_void_p, c_size_t, c_void_p]),
    "tessera_chip_explain": (c_char_p, [c_void_p]),
    "tessera_chip_activity": (c_size_t, [c_void_p, c_void_p, c_size_t]),
    "tessera_chip_verdict": (c_char_p, [c_void_p, c_void_p, c_void_p]),
    "tessera_chip_outcome": (c_char_p, [c_void_p, c_void_p, c_int]),
    "tessera_chip_set_exit_code": (None, [c_void_p, c_int]),
    "tessera_chip_report": (c_char_p, [c_void_p]),
    "tessera_chip_report_json": (c_char_p, [c_void_p]),
    "tessera_chip_profile": (c_char_p, [c_void_p, c_int]),
    "tessera_chip_why": (c_char_p, [c_void_p]),
    "tessera_chip_why_json": (c_char_p, [c_void_p]),
    "tessera_chip_why_what_if": (c_char_p, [c_void_p]),
    "tessera_chip_why_cause": (c_char_p, [c_void_p, c_uint]),
    "tessera_chip_why_decide": (c_int, [c_void_p, c_uint64, c_void_p, c_uint]),
    "tessera_chip_findings": (c_uint64, [c_void_p]),
    "tessera_chip_packets": (c_uint64, [c_void_p]),
    "tessera_chip_note_format": (c_int, [c_void_p, c_uint, c_uint, c_uint64, c_uint64, c_uint, c_char_p]),
    "tessera_chip_note_range": (c_int, [c_void_p, c_uint, c_uint, c_uint64, c_uint64, c_char_p]),
    "tessera_chip_packet_hook": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tessera_chip_burst_hook": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tessera_chip_event_kind_name": (c_char_p, [c_int]),
    "tessera_chip_hook": (c_int, [c_void_p, c_uint64, c_void_p, c_void_p]),
    "tessera_chip_trace": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "tessera_chip_trace_end": (c_int, [c_void_p]),
    "tessera_chip_hash": (c_uint64, [c_void_p]),
    "tessera_chip_save": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tessera_chip_free": (None, [c_void_p]),
    "tessera_chip_restore": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tessera_pto_result_name": (c_char_p, [c_int]),
    "tessera_pto_cores_name": (c_char_p, [c_int]),
    "tessera_pto_loc_name": (c_char_p, [c_int]),
    "tessera_pto_dtype_name": (c_char_p, [c_int]),
    "tessera_pto_dir_name": (c_char_p, [c_int]),
    "tessera_pto_fifo_name": (c_char_p, [c_int]),
    "tessera_pto_ratio_name": (c_char_p, [c_int]),
    "tessera_pto_split_name": (c_char_p, [c_int]),
    "tessera_pto_status_name": (c_char_p, [c_int]),
    "tessera_pto_field_name": (c_char_p, [c_int]),
    "tessera_pto_op_name": (c_char_p, [c_int]),
    "tessera_pto_unit_name": (c_char_p, [c_int]),
    "tessera_pto_quant_name": (c_char_p, [c_int]),
    "tessera_pto_layout_name": (c_char_p, [c_int]),
    "tessera_pto_parse": (c_void_p, [c_char_p, c_size_t, c_char_p, c_void_p, c_size_t]),
    "tessera_pto_parse_with": (c_void_p, [c_char_p, c_size_t, c_char_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "tessera_pto_parse_source": (c_void_p, [c_void_p, c_void_p, c_size_t]),
    "tessera_pto_create": (c_void_p, [c_char_p]),
    "tessera_pto_profile_name": (c_char_p, [c_uint]),
    "tessera_pto_policy_name": (c_char_p, [c_uint]),
    "tessera_pto_destroy": (None, [c_void_p]),
    "tessera_pto_error": (c_char_p, [c_void_p]),
    "tessera_pto_set_policy": (c_int, [c_void_p, c_char_p]),
    "tessera_pto_set_figure": (c_int, [c_void_p, c_char_p, c_uint64]),
    "tessera_pto_read_figures": (c_int, [c_void_p, c_char_p, c_size_t]),
    "tessera_pto_set_dispatches": (c_int, [c_void_p, c_uint32]),
    "tessera_pto_set_blocks": (c_int, [c_void_p, c_uint32]),
    "tessera_pto_add_tensor": (c_int, [c_void_p, c_char_p, c_int, c_uint32, c_uint32]),
    "tessera_pto_find_tensor": (c_int, [c_void_p, c_char_p]),
    "tessera_pto_tensor_count": (c_uint, [c_void_p]),
    "tessera_pto_tensor": (c_int, [c_void_p, c_int, c_void_p]),
    "tessera_pto_dtype_bytes": (c_uint, [c_int]),
    "tessera_pto_add_function": (c_int, [c_void_p, c_char_p, c_uint]),
    "tessera_pto_add_tile": (c_int, [c_void_p, c_int, c_char_p, c_void_p]),
    "tessera_pto_add_pipe": (c_int, [c_void_p, c_int, c_char_p, c_void_p]),
    "tessera_pto_end_pipe": (c_int, [c_void_p, c_int, c_int, c_uint32]),
    "tessera_pto_build_pipe": (c_int, [c_void_p, c_int, c_int, c_uint32]),
    "tessera_pto_free_credits": (c_uint64, [c_char_p, c_uint64, c_uint32, c_uint32]),
    "tessera_pto_push": (c_int, [c_void_p, c_int, c_int, c_int, c_int, c_uint32]),
    "tessera_pto_pop": (c_int, [c_void_p, c_int, c_int, c_int, c_int, c_uint32]),
    "tessera_pto_free": (c_int, [c_void_p, c_int, c_int, c_int, c_uint32]),
    "tessera_pto_set_status": (c_int, [c_void_p, c_int, c_int, c_int, c_int, c_uint32]),
    "tessera_pto_set_field": (c_int, [c_void_p, c_int, c_int, c_int, c_int64, c_uint32]),
    "tessera_pto_load": (c_int, [c_void_p, c_int, c_void_p]),
    "tessera_pto_store": (c_int, [c_void_p, c_int, c_void_p]),
    "tessera_pto_load_window": (c_int, [c_void_p, c_int, c_int, c_void_p, c_uint32]),
    "tessera_pto_store_window": (c_int, [c_void_p, c_int, c_void_p, c_int, c_uint32]),
    "tessera_pto_add_view": (c_int, [c_void_p, c_int, c_int, c_uint32, c_uint32, c_int]),
    "tessera_pto_alloc": (c_int, [c_void_p, c_int, c_int, c_int, c_uint32]),
    "tessera_pto_push_view": (c_int, [c_void_p, c_int, c_int, c_int, c_uint32]),
    "tessera_pto_pop_view": (c_int, [c_void_p, c_int, c_int, c_int, c_uint32]),
    "tessera_pto_free_view": (c_int, [c_void_p, c_int, c_int, c_int, c_uint32]),
    "tessera_pto_load_view": (c_int, [c_void_p, c_int, c_int, c_int, c_uint32, c_uint32, c_uint32]),
    "tessera_pto_store_view": (c_int, [c_void_p, c_int, c_int, c_uint32, c_uint32, c_int, c_uint32]),
    "tessera_pto_record_event": (c_int, [c_void_p, c_int, c_int]),
    "tessera_pto_wait_event": (c_int, [c_void_p, c_int, c_int, c_uint32]),
    "tessera_pto_cross_set": (c_int, [c_void_p, c_int, c_int, c_uint, c_uint32]),
    "tessera_pto_cross_wait": (c_int, [c_void_p, c_int, c_int, c_uint, c_uint32]),
    "tessera_pto_pipe_set": (c_int, [c_void_p, c_int, c_int, c_int, c_uint, c_uint32]),
    "tessera_pto_pipe_wait": (c_int, [c_void_p, c_int, c_int, c_int, c_uint, c_uint32]),
    "tessera_pto_barrier": (c_int, [c_void_p, c_int, c_int, c_uint32]),
    "tessera_pto_manual_sync": (c_int, [c_void_p, c_int]),
    "tessera_pto_set_valid": (c_int, [c_void_p, c_int, c_int, c_uint32, c_uint32, c_uint32]),
    "tessera_pto_emit": (c_int, [c_void_p, c_int, c_void_p]),
    "tessera_pto_set_fixpipe": (c_int, [c_void_p, c_int, c_void_p]),
    "tessera_pto_set_subblock": (c_int, [c_void_p, c_int, c_uint]),
    "tessera_pto_set_pad_zero": (c_int, [c_void_p, c_int]),
    "tessera_pto_cost": (c_int, [c_void_p, c_int, c_uint32]),
    "tessera_pto_loop_begin": (c_int, [c_void_p, c_int, c_uint32]),
    "tessera_pto_loop_end": (c_int, [c_void_p, c_int]),
    "tessera_pto_lane_begin": (c_int, [c_void_p, c_int, c_uint]),
    "tessera_pto_lane_end": (c_int, [c_void_p, c_int]),
    "tessera_pto_check": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tessera_pto_explore": (c_int, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "tessera_pto_severity_name": (c_char_p, [c_int]),
    "tessera_pto_notes": (c_int, [c_void_p, c_char_p, c_void_p, c_size_t]),
    "tessera_pto_check_sarif": (c_size_t, [c_void_p, c_char_p, c_char_p, c_void_p, c_size_t]),
    "tessera_pto_explore_with": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tessera_pto_explore_until": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "tessera_pto_sweep": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p, c_size_t]),
    "tessera_pto_sweep_until": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_size_t]),
    "tessera_pto_finding_name": (c_char_p, [c_uint]),
    "tessera_pto_sweep_refused": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tessera_pto_sweep_first_safe": (c_uint32, [c_void_p, c_size_t]),
    "tessera_pto_sweep_svg": (c_size_t, [c_void_p, c_size_t, c_char_p, c_void_p, c_size_t]),
    "tessera_pto_profiles_text": (c_size_t, [c_void_p, c_size_t]),
    "tessera_pto_policies_text": (c_size_t, [c_void_p, c_size_t]),
    "tessera_pto_operations_text": (c_size_t, [c_void_p, c_size_t]),
    "tessera_pto_reference_text": (c_size_t, [c_void_p, c_size_t]),
    "tessera_pto_start": (c_void_p, [c_void_p, c_char_p]),
    "tessera_pto_start_without_data": (c_void_p, [c_void_p, c_char_p]),
    "tessera_pto_start_grid": (c_void_p, [c_void_p, c_size_t, c_size_t, c_char_p]),
    "tessera_pto_stop": (None, [c_void_p]),
    "tessera_pto_write": (c_int, [c_void_p, c_int, c_void_p, c_size_t]),
    "tessera_pto_read": (c_int, [c_void_p, c_int, c_void_p, c_size_t]),
    "tessera_pto_write_bytes": (c_int, [c_void_p, c_int, c_size_t, c_void_p, c_size_t]),
    "tessera_pto_read_bytes": (c_int, [c_void_p, c_int, c_size_t, c_void_p, c_size_t]),
    "tessera_pto_run": (c_int, [c_void_p, c_uint64]),
    "tessera_pto_request_stop": (None, [c_void_p]),
    "tessera_pto_cycles": (c_uint64, [c_void_p]),
    "tessera_pto_hazards": (c_uint64, [c_void_p]),
    "tessera_pto_report": (c_char_p, [c_void_p]),
    "tessera_pto_hang": (c_int, [c_void_p, c_void_p]),
    "tessera_pto_waiter": (c_int, [c_void_p, c_size_t, c_void_p]),
    "tessera_pto_report_format_name": (c_char_p, [c_int]),
    "tessera_pto_run_report": (c_char_p, [c_void_p, c_int]),
    "tessera_pto_set_strict": (c_int, [c_void_p, c_int]),
    "tessera_pto_set_verbose": (c_int, [c_void_p, c_int]),
    "tessera_pto_set_why": (c_int, [c_void_p, c_int]),
    "tessera_pto_exit_code": (c_int, [c_void_p]),
    "tessera_pto_set_exit_code": (None, [c_void_p, c_int]),
    "tessera_pto_event_kind_name": (c_char_p, [c_int]),
    "tessera_pto_set_hook": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tessera_pto_trace_format_name": (c_char_p, [c_int]),
    "tessera_pto_trace": (c_int, [c_void_p, c_int, c_void_p, c_void_p]),
    "tessera_pto_trace_end": (c_int, [c_void_p]),
    "tessera_pto_trace_scratch": (c_int, [c_void_p, c_char_p]),
    "tessera_pto_trace_range": (c_int, [c_void_p, c_uint64, c_uint64]),
    "tessera_pto_core_name": (c_char_p, [c_uint]),
    "tessera_pto_clock_mhz": (c_uint32, [c_void_p]),
    "tessera_debugger_open": (c_void_p, [c_void_p]),
    "tessera_debugger_open_chip": (c_void_p, [c_void_p]),
    "tessera_debugger_close": (None, [c_void_p]),
    "tessera_debugger_add_tile": (c_int, [c_void_p, c_uint, c_uint]),
    "tessera_debugger_limit_cycles": (c_int, [c_void_p, c_uint64]),
    "tessera_debugger_limit_memory": (c_int, [c_void_p, c_uint64]),
    "tessera_debugger_on_run": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tessera_debugger_command": (c_char_p, [c_void_p, c_char_p]),
    "tessera_debugger_verb": (c_int, [c_size_t, c_void_p]),
    "tessera_debugger_cycle": (c_uint64, [c_void_p]),
    "tessera_debugger_serve": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "tessera_debugger_error": (c_char_p, [c_void_p]),
    "tessera_diagnostic_count": (c_size_t, []),
    "tessera_diagnostic": (c_int, [c_size_t, c_void_p]),
    "tessera_system_name": (c_char_p, [c_uint]),
    "tessera_system_text": (c_char_p, [c_uint]),
    "tessera_system_descriptor": (c_size_t, [c_char_p, c_char_p, c_void_p, c_size_t]),
    "tessera_system_create": (c_void_p, [c_void_p, c_void_p, c_size_t]),
    "tessera_system_destroy": (None, [c_void_p]),
    "tessera_system_chips": (c_uint, [c_void_p]),
    "tessera_system_read": (c_int, [c_void_p, c_uint, c_uint, c_uint, c_uint64, c_void_p, c_size_t]),
    "tessera_system_write": (c_int, [c_void_p, c_uint, c_uint, c_uint, c_uint64, c_void_p, c_size_t]),
    "tessera_system_run": (c_int, [c_void_p, c_uint64]),
    "tessera_system_cycle": (c_uint64, [c_void_p]),
    "tessera_system_error": (c_char_p, [c_void_p]),
    "tessera_system_hash": (c_uint64, [c_void_p]),
    "tessera_system_save": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tessera_system_restore": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tessera_system_free": (None, [c_void_p]),
}
