"""The C API of libtessera for ctypes. tools/python-abi writes this file from include/tessera."""

import builtins
from ctypes import Structure
from typing import Any

API_VERSION: int
L1_BYTES: int
THREADS: int
MOP_CFG: int
MOP_CFG_BYTES: int
FOREVER: int
WAITERS_MAX: int
RELEASERS_MAX: int
CONDITION_WORDS: int
TRACE_VERSION: int
LAUNCH_BUFFERS: int
LAUNCH_ARGS: int
LAUNCH_OWN_ARGS: int
LAUNCH_OWN_AT: int
LAUNCH_HEAP: int
LAUNCH_PRINT_AREAS: int
LAUNCH_PRINT_BYTES: int
LAUNCH_PRINT_DRAINED: int
LAUNCH_PRINT_FULL: int
WHY_CAUSES: int
WHY_RACES: int
EXPLORE_DELAYS: int
ALL_TILES: int
TENSIX_TILES: int
DRAM_BANKS: int
PTO_AUTO: int
PTO_SLOTS_MAX: int
PTO_BLOCKS_MAX: int
PTO_SETTINGS_MAX: int
PTO_RANK_MAX: int
PTO_CORES: int
PTO_NO_TILE: int
PTO_SWEEP_BLOCKS_MAX: int
OK: int
DONE: int
LIMIT: int
STOPPED: int
HANG: int
FAULT: int
INVALID: int
REFUSED: int
NO_MEMORY: int
TIMING_OFF: int
TIMING_CYCLE: int
TRISC0: int
TRISC1: int
TRISC2: int
BRISC: int
NCRISC: int
CORES: int
CHECK_A: int
CHECK_B: int
CHECK_C: int
CHECK_D: int
CHECK_E: int
CHECK_F: int
CHECK_DEFAULT: int
CHECK_ALL: int
OPTION_STRICT: int
OPTION_QUIET: int
OPTION_VERBOSE: int
OPTION_SCALAR: int
OPTION_CHECK: int
OPTION_ACCOUNT: int
OPTIONS: int
STOP_NONE: int
STOP_DONE: int
STOP_LIMIT: int
STOP_CONDITION: int
STOP_BREAKPOINT: int
STOP_WATCHPOINT: int
STOP_STEP: int
STOP_REQUEST: int
STOP_HANG: int
STOP_FINDING: int
STOP_FAULT: int
STOPS: int
NOTE: int
WARNING: int
ERROR: int
REPORT_TEXT: int
REPORT_JSON: int
REPORT_SARIF: int
REPORTS: int
FILE_CORE: int
FILE_GPR: int
FILE_CONFIG: int
FILE_THREAD_CONFIG: int
FILE_DST: int
FILE_DST_VALID: int
FILE_SRCA: int
FILE_SRCB: int
FILE_LREG: int
FILE_RWC: int
FILE_ADC: int
FILE_SEMAPHORE: int
FILE_MUTEX: int
FILE_SRC_BANK: int
FILES: int
COUNTER_INSTRUCTIONS: int
COUNTER_CORE_CYCLES: int
COUNTER_ISSUED: int
COUNTER_STALLED: int
COUNTER_UNIT_ACCEPTED: int
COUNTER_UNIT_BUSY: int
COUNTER_FINDINGS: int
COUNTERS: int
EVENT_ISSUE: int
EVENT_CORE: int
EVENT_FINDING: int
EVENT_BLOCK: int
EVENT_UNIT: int
EVENT_RETIRE: int
EVENT_BANK: int
EVENT_SEMAPHORE: int
EVENT_MUTEX: int
EVENT_BUFFER: int
EVENT_CORE_WAIT: int
EVENT_ZONE: int
EVENT_KINDS: int
TRACE_TEXT: int
TRACE_PERFETTO: int
TRACE_CHROME: int
TRACE_KANATA: int
TRACE_COMPACT: int
TRACE_VCD: int
TRACE_FORMATS: int
ASM_STORE: int
ASM_POLL: int
ASM_SYNC: int
ISA_LIST: int
ISA_EXPLAIN: int
ISA_JSON: int
ISA_MARKDOWN: int
ISA_COVERAGE: int
ISA_C_HEADER: int
ISA_TEXTS: int
OF_CORE: int
OF_THREAD: int
OF_UNIT: int
PROFILE_CALLGRIND: int
PROFILE_SPEEDSCOPE: int
PROFILE_LCOV: int
PROFILES: int
SAME: int
DIFFERENT_OUTPUT: int
DIFFERENT_END: int
DIFFERENT_FAULT: int
DIFFERENT_FINDING: int
NODE_ROUTER: int
NODE_TENSIX: int
NODE_DRAM: int
NODE_ETHERNET: int
NODE_PCIE: int
NODE_ARC: int
NODE_SECURITY: int
NODE_L2CPU: int
NODE_KINDS: int
CHIP_EVENT_PACKET: int
CHIP_EVENT_BURST: int
CHIP_EVENT_KINDS: int
PTO_CUBE: int
PTO_VECTOR0: int
PTO_VECTOR1: int
PTO_VECTORS: int
PTO_MAT: int
PTO_ACC: int
PTO_VEC: int
PTO_LEFT: int
PTO_RIGHT: int
PTO_BIAS: int
PTO_SCALING: int
PTO_F32: int
PTO_F16: int
PTO_BF16: int
PTO_I32: int
PTO_I16: int
PTO_I8: int
PTO_U32: int
PTO_U16: int
PTO_U8: int
PTO_C2V: int
PTO_V2C: int
PTO_BOTH: int
PTO_V2C_CTRL: int
PTO_C2V_GM: int
PTO_V2C_GM: int
PTO_BOTH_GM: int
PTO_GM_FIFO: int
PTO_VEC_FIFO: int
PTO_MAT_FIFO: int
PTO_CTRL_FIFO: int
PTO_V2C1_VECS: int
PTO_V2C2_VECS: int
PTO_V1C1_VEC0: int
PTO_V1C1_VEC1: int
PTO_NO_SPLIT: int
PTO_UP_DOWN: int
PTO_LEFT_RIGHT: int
PTO_UP_DOWN_ODD: int
PTO_LEFT_RIGHT_ODD: int
PTO_ALLOCATE: int
PTO_RECORD: int
PTO_WAIT: int
PTO_FREE: int
PTO_PROD_OFFSET: int
PTO_CONS_OFFSET: int
PTO_PROD_TILE: int
PTO_CONS_TILE: int
PTO_MOV: int
PTO_MATMUL: int
PTO_MATMUL_ACC: int
PTO_MATMUL_BIAS: int
PTO_ADD: int
PTO_SUB: int
PTO_MUL: int
PTO_DIV: int
PTO_MAX: int
PTO_MIN: int
PTO_ADDS: int
PTO_SUBS: int
PTO_MULS: int
PTO_DIVS: int
PTO_EXP: int
PTO_RELU: int
PTO_CVT: int
PTO_FILL: int
PTO_ROWMAX: int
PTO_ROWSUM: int
PTO_ROWEXPAND_SUB: int
PTO_ROWEXPAND_MUL: int
PTO_ROWEXPAND_DIV: int
PTO_DEQUANT: int
PTO_OPS: int
PTO_S: int
PTO_MTE2: int
PTO_MTE1: int
PTO_M: int
PTO_V: int
PTO_MTE3: int
PTO_FIX: int
PTO_ALL_UNITS: int
PTO_QUANT_NONE: int
PTO_F322F16: int
PTO_F322BF16: int
PTO_DEQF16: int
PTO_VDEQF16: int
PTO_NZ2ND: int
PTO_NZ2DN: int
PTO_NZ2NZ: int
PTO_RAN: int
PTO_FAULT: int
PTO_DEADLOCK: int
PTO_HAZARD: int
PTO_LIMIT: int
PTO_INVALID: int
PTO_OK: int
PTO_NOTE: int
PTO_WARNING: int
PTO_ERROR: int
PTO_FOUND_NONE: int
PTO_FOUND_OVERWRITE: int
PTO_FOUND_STALE: int
PTO_FOUND_USE_AFTER_FREE: int
PTO_FOUND_DOUBLE_FREE: int
PTO_FOUND_LANDING: int
PTO_FOUND_OVERFLOW: int
PTO_FOUND_COLLISION: int
PTO_FOUND_SPLIT: int
PTO_FOUND_SLOT_SIZE: int
PTO_FOUND_LEAK: int
PTO_FOUND_UNSYNCED: int
PTO_FOUND_RING_TILE: int
PTO_FOUND_RING_RING: int
PTO_FOUND_ENDS: int
PTO_FOUND_FAULT: int
PTO_FOUND_LIMIT: int
PTO_FOUND_DEADLOCK: int
PTO_FOUND_RACE: int
PTO_FOUND_WRITERS: int
PTO_FOUND_TYPE: int
PTO_FOUND_TILE_TILE: int
PTO_FOUND_RESULT: int
PTO_FINDINGS: int
PTO_REPORT_TEXT: int
PTO_REPORT_JSON: int
PTO_REPORT_SARIF: int
PTO_EVENT_WORK: int
PTO_EVENT_OCCUPANCY: int
PTO_TRACE_TEXT: int
PTO_TRACE_PERFETTO: int
PTO_TRACE_CHROME: int
PTO_TRACE_COMPACT: int
PTO_TRACE_FORMATS: int

class Param(Structure):
    name: builtins.bytes | None
    what: builtins.bytes | None
    evidence: builtins.bytes | None
    source: builtins.bytes | None
    initial: int

class StopInfo(Structure):
    reason: int
    number: int
    core: int
    cores: int
    pc: int
    address: int
    cycle: int

class Fault(Structure):
    cycle: int
    kind: builtins.bytes | None
    who: builtins.bytes | None
    pc: int
    word: int
    why: builtins.bytes
    document: builtins.bytes
    place: builtins.bytes

class Finding(Structure):
    id: builtins.bytes | None
    severity: int
    core: int
    what: builtins.bytes | None
    document: builtins.bytes | None
    who: builtins.bytes | None
    word: int
    pc: int
    first_cycle: int
    count: int
    why: builtins.bytes
    place: builtins.bytes

class Source(Structure):
    pc: int
    line: int
    file: builtins.bytes
    path: builtins.bytes
    function: builtins.bytes
    call: builtins.bytes
    caller: builtins.bytes

class Hang(Structure):
    cycle: int
    deadlock: int
    waiter_count: int
    chain_count: int
    chain: Any
    cause: builtins.bytes

class Releaser(Structure):
    name: builtins.bytes
    role: builtins.bytes
    state: builtins.bytes | None

class Waiter(Structure):
    tile_x: int
    tile_y: int
    core: int
    name: builtins.bytes
    since: int
    what: builtins.bytes
    resource: builtins.bytes
    kind: builtins.bytes | None
    index: int
    address: int
    value: int
    wish: builtins.bytes | None
    wanted: int
    place: Source
    waits_for: int
    releaser_count: int
    releasers: Any
    last_name: builtins.bytes
    last_cycle: int
    last_place: Source
    other_x: int
    other_y: int
    why: builtins.bytes

class Party(Structure):
    tile_x: int
    tile_y: int
    core: int
    name: builtins.bytes
    state: builtins.bytes | None
    place: Source

class Word(Structure):
    address: int
    mask: int
    value: int

class Place(Structure):
    function: builtins.bytes | None
    offset: int
    file: builtins.bytes | None
    line: int

class Event(Structure):
    cycle: int
    kind: int
    agent: int
    a: int
    b: int
    c: int

class EventInfo(Structure):
    name: builtins.bytes | None
    meaning: builtins.bytes | None
    a: builtins.bytes | None
    b: builtins.bytes | None
    c: builtins.bytes | None
    track: builtins.bytes | None
    phase: builtins.bytes | None

class TraceOptions(Structure):
    format: int
    to: int
    cores: int
    part: int
    title: builtins.bytes | None

class TracePart(Structure):
    file: int
    ordered: int

class AsmError(Structure):
    line: int
    column: int
    length: int
    message: builtins.bytes | None

class AsmOp(Structure):
    before: int
    kind: int
    address: int
    mask: int
    value: int

class IsaOp(Structure):
    name: builtins.bytes | None
    semantics: builtins.bytes | None
    document: builtins.bytes | None
    unit_name: builtins.bytes | None
    state: builtins.bytes | None
    evidence: builtins.bytes | None
    timing_evidence: builtins.bytes | None
    timing_source: builtins.bytes | None
    used: int
    blocks: int
    waits: int
    unit: int
    issue_cycles: int
    latency_cycles: int
    field_count: int
    cases: int

class IsaField(Structure):
    name: builtins.bytes | None
    low_bit: int
    width: int
    named_only: int
    minimum: int
    maximum: int

class ConfigField(Structure):
    name: builtins.bytes | None
    address: int
    low_bit: int
    width: int
    thread: int

class Case(Structure):
    name: builtins.bytes | None
    tags: builtins.bytes | None
    line: int
    noc: int
    document: int

class CaseOptions(Structure):
    timing: int
    riscv: int
    scalar: int
    max_cycles: int
    threads: int
    check: int

class CaseResult(Structure):
    passed: int
    cycles: int

class LaunchBuffer(Structure):
    address: int
    page_bytes: int
    pages: int
    format: int

class Launch(Structure):
    launches: int
    waits: int
    dram_banks: int
    buffer: Any
    args: Any

class Delay(Structure):
    cycle: int
    cycles: int
    target: int
    place: builtins.bytes

class ExploreOptions(Structure):
    schedules: int
    threads: int
    seed: int
    max_cycles: int
    ignore: int | None
    ignore_count: int
    progress: int | None
    progress_context: int | None

class Exploration(Structure):
    cycles: int
    runs: int
    broken: int
    difference: int
    address: int
    expected: int
    found: int
    finding: builtins.bytes | None
    what: builtins.bytes
    delay_count: int
    delay: Any

class ChipDelay(Structure):
    cycle: int
    cycles: int
    target: int
    x: int
    y: int
    place: builtins.bytes

class ChipRange(Structure):
    x: int
    y: int
    address: int
    length: int

class ChipExploreOptions(Structure):
    schedules: int
    threads: int
    seed: int
    max_cycles: int
    output: int | None
    output_count: int
    output_only: int
    ignore: int | None
    ignore_count: int
    until_x: int
    until_y: int
    until_mask: int
    until_value: int
    until_address: int
    until_every: int
    progress: int | None
    progress_context: int | None

class ChipExploration(Structure):
    cycles: int
    hash: int
    runs: int
    broken: int
    difference: int
    x: int
    y: int
    address: int
    expected: int
    found: int
    in_output: int
    expected_by: builtins.bytes
    found_by: builtins.bytes
    finding: builtins.bytes | None
    what: builtins.bytes
    delay_count: int
    delay: Any

class HostMemory(Structure):
    host: int | None
    read: int | None
    write: int | None

class ChipOptions(Structure):
    product: builtins.bytes | None
    timing: int
    threads: int
    host: HostMemory
    harvest_tensix: int
    harvest_ethernet: int
    harvest_dram: int
    pcie: int
    noc_at_once: int

class Node(Structure):
    kind: int
    good: int
    index: int
    noc_x: int
    noc_y: int
    bytes: int

class TileAt(Structure):
    x: int
    y: int

class KernelRun(Structure):
    end: int
    cycles: int
    description: builtins.bytes | None
    tiles: int | None
    tile_count: int

class Packet(Structure):
    departs: int
    arrives: int
    sequence: int
    address: int
    bytes: int
    hops: int
    cycles: int
    noc: int
    from_x: int
    from_y: int
    to_x: int
    to_y: int
    kind: builtins.bytes | None

class Burst(Structure):
    cycle: int
    address: int
    cycles: int
    bytes: int
    controller: int
    is_write: int

class ChipEvent(Structure):
    kind: int
    packet: int | None
    burst: int | None

class PtoFixpipe(Structure):
    quant: int
    layout: int
    relu: int
    atomic_add: int
    scale: float
    scales: int

class PtoTile(Structure):
    loc: int
    dtype: int
    rows: int
    cols: int
    valid_rows: int
    valid_cols: int
    addr: int
    line: int

class PtoPipe(Structure):
    flag_id: int
    dir: int
    slot_size: int
    slot_num: int
    local_slot_num: int
    no_split: int
    unit_flag: int
    multi: int
    fifo: int
    ratio: int
    sync_period: int
    gm_addr: int
    gm_tensor: int
    c2v_addr: int
    v2c_addr: int
    prod: PtoTile
    cons: PtoTile
    line: int

class PtoTransfer(Structure):
    tile: int
    tensor: int
    row: int
    col: int
    lane_rows: int
    lane_cols: int
    line: int

class PtoWindow(Structure):
    tensor: int
    dtype: int
    rows: int
    cols: int
    row_stride: int
    col_stride: int
    block_cols: int
    block_stride: int
    offset: int

class PtoOperation(Structure):
    op: int
    dst: int
    src: Any
    number: float
    line: int

class PtoSetting(Structure):
    name: builtins.bytes | None
    value: int

class PtoSource(Structure):
    name: builtins.bytes | None
    text: builtins.bytes | None
    length: int
    profile: builtins.bytes | None
    settings: int | None
    setting_count: int

class PtoTensor(Structure):
    name: builtins.bytes | None
    dtype: int
    rank: int
    shape: Any
    elements: int
    bytes: int
    file: builtins.bytes | None

class PtoNote(Structure):
    severity: int
    rule: builtins.bytes | None
    line: int
    column: int
    text: builtins.bytes

class PtoExploreOptions(Structure):
    schedules: int
    seed: int
    policy: builtins.bytes | None
    cycle_limit: int
    progress: int | None
    progress_context: int | None

class PtoExploration(Structure):
    runs: int
    broken: int
    first_broken: int
    kind: int
    cycles: int
    hangs: int
    faults: int
    block: int
    compared: int
    schedule: builtins.bytes
    text: builtins.bytes

class PtoSweepOptions(Structure):
    depth_min: int
    depth_max: int
    own_depth: int
    period: int
    schedules: int
    policy: builtins.bytes | None
    blocks: Any
    block_count: int
    threads: int
    progress: int | None
    progress_context: int | None

class PtoSweepRow(Structure):
    program: int
    depth: int
    period: int
    blocks: int
    fits: int
    findings: int
    cycles: int
    tiles: int
    gm_bytes: int
    ub_bytes: int
    l1_bytes: int

class PtoEvent(Structure):
    kind: int
    begin: int
    end: int
    core: int
    unit: int
    operation: builtins.bytes | None
    line: int
    tile: int
    pipe: builtins.bytes | None
    direction: builtins.bytes | None
    slots: int
    block: int

class DebuggerVerb(Structure):
    name: builtins.bytes | None
    arguments: builtins.bytes | None
    help: builtins.bytes | None
    complete: builtins.bytes | None

class Diagnostic(Structure):
    name: builtins.bytes | None
    severity: int
    what: builtins.bytes | None
    document: builtins.bytes | None
    why: builtins.bytes | None
    mend: builtins.bytes | None

class SystemOptions(Structure):
    system: builtins.bytes | None
    descriptor: builtins.bytes | None
    product: builtins.bytes | None
    links: builtins.bytes | None
    timing: int
    threads: int

FUNCTIONS: dict[str, tuple[Any, list[Any]]]
