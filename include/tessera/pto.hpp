// Tessera, PTO Cube-Vector pipes: the C++ interface of tessera/pto.h (C++17).
//
// Kernels written against TPipe, TMPipe, TPUSH_IMPL and TPOP_IMPL are recorded: each call on a Cube or a Vector becomes one
// instruction of that core's program, and host loops unroll. The session then runs the program on the model.
//
//   tessera::pto_session session("a2a3");
//   session.cube([&] { cube_kernel(acc); });
//   session.vector([&] { vec_kernel(vec); });
//   auto result = session.run();            // result.status, result.cycles, result.report
//
// Both argument orders are accepted, TPUSH_IMPL(pipe, tile) and TPUSH_IMPL(tile, pipe), and a split mode or a fixpipe configuration
// as third template argument; a third argument is the lane (subBlockId). TPUSH, TPOP and TFREE are aliases. GlobalTensor has the forms in which the caller
// moves the data: TALLOC, TSTORE..., TPUSH on one side, TPOP, TLOAD..., TFREE on the other.
#ifndef TESSERA_PTO_HPP
#define TESSERA_PTO_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/pto.h"

#ifndef __gm__
#define __gm__ /* qualifier of global memory: empty, since all addresses are the model's */
#endif

namespace pto {

enum class Direction { DIR_C2V = 1, DIR_V2C, DIR_BOTH, DIR_V2C_CTRL, DIR_C2V_GM, DIR_V2C_GM, DIR_BOTH_GM };
enum class TileType { Mat = TESSERA_PTO_MAT, Acc, Vec, Left, Right, Bias, Scaling };
enum class FIFOType { GM_FIFO, VEC_FIFO, MAT_FIFO, CTRL_FIFO };
enum class VecCubeRatio { V2C1_VECS, V2C2_VECS, V1C1_VEC0, V1C1_VEC1 };
enum class TileSplitAxis { TILE_NO_SPLIT, TILE_UP_DOWN, TILE_LEFT_RIGHT, TILE_UP_DOWN_ODD, TILE_LEFT_RIGHT_ODD };

enum class QuantMode { NoQuant, F322F16, F322BF16, DEQF16, VDEQF16 };
enum class LayoutMode { NZ2ND, NZ2DN, NZ2NZ };
enum class Pipe { S, MTE2, MTE1, M, V, MTE3, FIX, ALL };

// The fixpipe's conversion of an accumulator that is pushed or stored: TPUSH_IMPL<Pipe, Tile, TConfig<QuantMode::F322F16>>(pipe, tile).
template <QuantMode Quant_ = QuantMode::NoQuant, bool Relu_ = false, bool AtomicAdd_ = false,
          LayoutMode Layout_ = LayoutMode::NZ2ND>
struct TConfig {
  static tessera_pto_fixpipe options(double scale, int scales) {
    return {
        static_cast<tessera_pto_quant>(Quant_), static_cast<tessera_pto_layout>(Layout_), Relu_, AtomicAdd_, scale, scales};
  }
  static constexpr QuantMode Quant = Quant_;
};

struct half {}; // names of number formats: tiles hold no data on the host
struct bfloat16_t {};

namespace detail {
template <class T> struct dtype;
template <> struct dtype<float> { static constexpr tessera_pto_dtype value = TESSERA_PTO_F32; };
template <> struct dtype<half> { static constexpr tessera_pto_dtype value = TESSERA_PTO_F16; };
template <> struct dtype<bfloat16_t> { static constexpr tessera_pto_dtype value = TESSERA_PTO_BF16; };
template <> struct dtype<std::int32_t> { static constexpr tessera_pto_dtype value = TESSERA_PTO_I32; };
template <> struct dtype<std::int16_t> { static constexpr tessera_pto_dtype value = TESSERA_PTO_I16; };
template <> struct dtype<std::int8_t> { static constexpr tessera_pto_dtype value = TESSERA_PTO_I8; };
template <> struct dtype<std::uint32_t> { static constexpr tessera_pto_dtype value = TESSERA_PTO_U32; };
template <> struct dtype<std::uint16_t> { static constexpr tessera_pto_dtype value = TESSERA_PTO_U16; };
template <> struct dtype<std::uint8_t> { static constexpr tessera_pto_dtype value = TESSERA_PTO_U8; };

// The source line of a call. A separate type, so that a third argument of TPUSH or TPOP can be the lane.
struct line_of_call {
  std::uint32_t number;
  explicit constexpr line_of_call(std::uint32_t line = __builtin_LINE()) : number(line) {}
};

template <class P> std::uint64_t address(P p) {
  if constexpr (std::is_pointer_v<P>) return reinterpret_cast<std::uintptr_t>(p);
  else return static_cast<std::uint64_t>(p);
}

struct tile_tag {};
struct pipe_tag {};
struct global_tag {};
template <class T> inline constexpr bool is_tile = std::is_base_of_v<tile_tag, std::remove_cv_t<std::remove_reference_t<T>>>;
template <class T>
inline constexpr bool is_global = std::is_base_of_v<global_tag, std::remove_cv_t<std::remove_reference_t<T>>>;
template <class T> inline constexpr bool is_pipe = std::is_base_of_v<pipe_tag, std::remove_cv_t<std::remove_reference_t<T>>>;
} // namespace detail

template <TileType Loc_, class T, int Rows_, int Cols_, int ValidRows_ = Rows_, int ValidCols_ = Cols_>
struct Tile : detail::tile_tag {
  using DType = T;
  static constexpr TileType Loc = Loc_;
  static constexpr int Rows = Rows_, Cols = Cols_;
  std::uint32_t declared_line;
  explicit Tile(detail::line_of_call line = detail::line_of_call()) : declared_line(line.number) {}
  static tessera_pto_tile description() {
    return {static_cast<tessera_pto_loc>(Loc_),
            detail::dtype<T>::value,
            Rows_,
            Cols_,
            ValidRows_,
            ValidCols_,
            TESSERA_PTO_AUTO,
            0};
  }
};

// A core's part of a slot, bound by TALLOC or TPOP.
template <class T, int Rows_, int Cols_, TileSplitAxis Split_ = TileSplitAxis::TILE_NO_SPLIT>
struct GlobalTensor : detail::global_tag {
  using DType = T;
  static constexpr int Rows = Rows_, Cols = Cols_;
  static constexpr TileSplitAxis Split = Split_;
};

// The ready signal of a push.
struct RecordEvent {
  int push = -1;
};

} // namespace pto

namespace tessera {

struct pto_result {
  tessera_pto_result status;
  std::uint64_t cycles, hazards;
  std::string report;  // hazards, deadlock, fault
  std::string summary; // time, the work and waits of every pipe, and the fill level of the FIFOs
  std::string sarif;   // the findings as SARIF 2.1.0
  std::string trace;   // with pto_session::trace: the run in that format
  int exit_code;       // the command's
  std::uint32_t clock_mhz;
  tessera_hang hang{};                 // of a run that hangs: cause, chain; waiter_count is 0 otherwise
  std::vector<tessera_waiter> waiters; // of the hang
};

class pto_session {
public:
  explicit pto_session(const char *profile, const char *policy = nullptr) : program_(tessera_pto_create(profile)) {
    if (!program_) throw std::runtime_error("no such profile");
    if (policy && tessera_pto_set_policy(program_, policy) < 0) fail();
  }
  // A program in PTO IR; profile NULL: as given in the text.
  static std::unique_ptr<pto_session> parse(const std::string &text, const char *profile = nullptr) {
    char error[1024];
    tessera_pto_program *program = tessera_pto_parse(text.data(), text.size(), profile, error, sizeof error);
    if (!program) throw std::runtime_error(error);
    return std::unique_ptr<pto_session>(new pto_session(program));
  }
  // With all attributes of a source: file name, parameters, figures.
  static std::unique_ptr<pto_session> parse(const tessera_pto_source &source) {
    char error[1024];
    tessera_pto_program *program = tessera_pto_parse_source(&source, error, sizeof error);
    if (!program) throw std::runtime_error(error);
    return std::unique_ptr<pto_session>(new pto_session(program));
  }
  // With values for the text's parameters.
  static std::unique_ptr<pto_session> parse(const std::string &text, const std::vector<tessera_pto_setting> &settings,
                                            const char *profile = nullptr) {
    char error[1024];
    tessera_pto_program *program =
        tessera_pto_parse_with(text.data(), text.size(), profile, settings.data(), settings.size(), error, sizeof error);
    if (!program) throw std::runtime_error(error);
    return std::unique_ptr<pto_session>(new pto_session(program));
  }
  ~pto_session() { tessera_pto_destroy(program_); }
  pto_session(const pto_session &) = delete;
  pto_session &operator=(const pto_session &) = delete;

  int tensor(const char *name, tessera_pto_dtype dtype, std::uint32_t rows, std::uint32_t cols) {
    int index = good(tessera_pto_add_tensor(program_, name, dtype, rows, cols));
    values_[index].resize(std::size_t(rows) * cols);
    return index;
  }
  std::vector<double> &values(int tensor) { return values_.at(tensor); } // written before a run, read after it
  // A tensor of bytes: the program loads and stores windows of it, and rings may lie in it.
  int memory(const char *name, std::uint32_t bytes) {
    int index = good(tessera_pto_add_tensor(program_, name, TESSERA_PTO_U8, 1, bytes));
    bytes_[index].resize(bytes);
    return index;
  }
  std::vector<std::uint8_t> &bytes(int memory) { return bytes_.at(memory); }
  int find_tensor(const char *name) const { return tessera_pto_find_tensor(program_, name); } // -1: none
  // A tensor of a parsed program, to be read after the run.
  int watch(const char *name, std::size_t elements) {
    int index = good(tessera_pto_find_tensor(program_, name));
    values_[index].resize(elements);
    return index;
  }
  void figure(const char *name, std::uint64_t value) { good(tessera_pto_set_figure(program_, name, value)); }
  void figures(const std::string &lines) { good(tessera_pto_read_figures(program_, lines.data(), lines.size())); }
  void strict(bool on) { strict_ = on; }   // runs stop at the first hazard
  void why(bool on) { why_ = on; } // the report has the rerun that proves its verdict
  void verbose(bool on) { verbose_ = on; } // the text of a hang has the tables too
  // The exit code that the reports of later runs state, for a program with its own reasons; -1: the machine's own.
  void exit_code(int code) { exit_code_ = code; }
  void dispatches(std::uint32_t count) { good(tessera_pto_set_dispatches(program_, count)); }
  void blocks(std::uint32_t count) { good(tessera_pto_set_blocks(program_, count)); }

  template <class F> void cube(F kernel) { record("cube", TESSERA_PTO_CUBE, kernel); }
  template <class F> void vector(F kernel) { record("vector", TESSERA_PTO_VECTORS, kernel); }
  template <class F> void vector0(F kernel) { record("vector0", TESSERA_PTO_VECTOR0, kernel); }
  template <class F> void vector1(F kernel) { record("vector1", TESSERA_PTO_VECTOR1, kernel); }

  pto_result run(std::uint64_t limit = UINT64_MAX) { return run_on(tessera_pto_start(program_, nullptr), limit); }
  // Flags, time and hazards only: tensors are neither written nor read.
  pto_result run_without_data(std::uint64_t limit = UINT64_MAX) {
    return run_on(tessera_pto_start_without_data(program_, nullptr), limit);
  }
  // Called for the events of all blocks while they run.
  // Runs record a trace of all blocks (tessera_pto_trace).
  void trace(tessera_pto_trace_format format) { trace_ = static_cast<int>(format); }
  // The cycles of the trace (tessera_pto_trace_range), and the file beside which its temporary files are (tessera_pto_trace_scratch).
  void trace_range(std::uint64_t from, std::uint64_t to = 0) {
    if (to && from > to) throw std::runtime_error("trace_range: the first cycle is after the last one");
    trace_from_ = from, trace_to_ = to;
  }
  void trace_scratch(std::string path) { scratch_ = std::move(path); }
  void hook(std::function<void(const tessera_pto_event &)> call) { hook_ = std::move(call); }
  // Makes the current run end soon, as at its limit; for a signal handler or another thread.
  void request_stop() {
    if (tessera_pto_machine *m = running_) tessera_pto_request_stop(m);
  }
  // Several sessions as the blocks of one grid: they declare the same tensors; the values of the first session are written and read.
  static pto_result run_grid(const std::vector<pto_session *> &blocks, std::uint64_t limit = UINT64_MAX) {
    std::vector<tessera_pto_program *> programs;
    for (pto_session *s : blocks) programs.push_back(s->program_);
    return blocks.at(0)->run_on(tessera_pto_start_grid(programs.data(), programs.size(), programs.size(), nullptr), limit);
  }

private:
  explicit pto_session(tessera_pto_program *program) : program_(program) {}
  pto_result run_on(tessera_pto_machine *m, std::uint64_t limit) {
    if (!m) fail();
    for (auto &[index, data] : values_) tessera_pto_write(m, index, data.data(), data.size());
    for (auto &[index, data] : bytes_) tessera_pto_write_bytes(m, index, 0, data.data(), data.size());
    pto_result result;
    tessera_pto_set_strict(m, strict_);
    tessera_pto_set_verbose(m, verbose_);
    tessera_pto_set_why(m, why_);
    if (hook_) tessera_pto_set_hook(m, &pto_session::call_hook, this);
    if (trace_ >= 0 && !scratch_.empty()) tessera_pto_trace_scratch(m, scratch_.c_str());
    if (trace_ >= 0) tessera_pto_trace_range(m, trace_from_, trace_to_);
    if (trace_ >= 0)
      tessera_pto_trace(m, static_cast<tessera_pto_trace_format>(trace_), &pto_session::keep_trace, &result.trace);
    running_ = m;
    result.status = tessera_pto_run(m, limit);
    running_ = nullptr;
    if (trace_ >= 0) tessera_pto_trace_end(m);
    result.cycles = tessera_pto_cycles(m);
    result.hazards = tessera_pto_hazards(m);
    tessera_pto_set_exit_code(m, exit_code_);
    result.report = tessera_pto_report(m);
    result.summary = tessera_pto_run_report(m, TESSERA_PTO_REPORT_TEXT);
    result.sarif = tessera_pto_run_report(m, TESSERA_PTO_REPORT_SARIF);
    result.exit_code = tessera_pto_exit_code(m);
    result.clock_mhz = tessera_pto_clock_mhz(m);
    if (tessera_pto_hang(m, &result.hang)) {
      result.waiters.resize(result.hang.waiter_count);
      for (std::size_t i = 0; i < result.waiters.size(); i++) tessera_pto_waiter(m, i, &result.waiters[i]);
    }
    for (auto &[index, data] : values_) tessera_pto_read(m, index, data.data(), data.size());
    for (auto &[index, data] : bytes_) tessera_pto_read_bytes(m, index, 0, data.data(), data.size());
    tessera_pto_stop(m);
    return result;
  }

public:
  // True when no schedule breaks the program; otherwise `words` explains the smallest that does.
  bool explore(std::uint32_t schedules, std::string *words = nullptr) {
    std::string text(16384, '\0');
    int broken = good(tessera_pto_explore(program_, schedules, text.data(), text.size()));
    if (words) *words = text.c_str();
    return broken == 0;
  }
  bool check(std::string *words = nullptr) {
    std::string text(16384, '\0');
    int errors = good(tessera_pto_check(program_, text.data(), text.size()));
    if (words) *words = text.c_str();
    return errors == 0;
  }

  std::vector<tessera_pto_note> notes(const char *policy = nullptr) {
    std::vector<tessera_pto_note> all(static_cast<std::size_t>(good(tessera_pto_notes(program_, policy, nullptr, 0))));
    tessera_pto_notes(program_, policy, all.data(), all.size());
    return all;
  }
  std::string check_sarif(const char *file, const char *policy = nullptr) {
    std::string text(tessera_pto_check_sarif(program_, policy, file, nullptr, 0) + 1, '\0');
    text.resize(tessera_pto_check_sarif(program_, policy, file, &text[0], text.size()));
    return text;
  }
  tessera_pto_exploration explore(const tessera_pto_explore_options &options) {
    tessera_pto_exploration result;
    good(tessera_pto_explore_with(program_, &options, &result));
    return result;
  }
  /* Ends soon after `stop` has become other than 0, with the schedules run until then. */
  tessera_pto_exploration explore(const tessera_pto_explore_options &options, const volatile int &stop) {
    tessera_pto_exploration result;
    good(tessera_pto_explore_until(program_, &options, &stop, &result));
    return result;
  }
  bool sweep_refused(const tessera_pto_sweep_options &options, tessera_pto_note *why = nullptr) {
    tessera_pto_note note;
    return good(tessera_pto_sweep_refused(program_, &options, why ? why : &note)) != 0;
  }
  static std::uint32_t first_safe(const std::vector<tessera_pto_sweep_row> &rows) {
    return tessera_pto_sweep_first_safe(rows.data(), rows.size());
  }
  static std::string svg(const std::vector<tessera_pto_sweep_row> &rows, const char *title) {
    std::string text(tessera_pto_sweep_svg(rows.data(), rows.size(), title, nullptr, 0) + 1, '\0');
    text.resize(tessera_pto_sweep_svg(rows.data(), rows.size(), title, &text[0], text.size()));
    return text;
  }
  unsigned tensor_count() const { return tessera_pto_tensor_count(program_); }
  struct tessera_pto_tensor tensor_info(int index) {
    struct tessera_pto_tensor info;
    good(tessera_pto_tensor(program_, index, &info));
    return info;
  }
  static std::string dtype_name(tessera_pto_dtype dtype) { return tessera_pto_dtype_name(dtype); }
  static unsigned dtype_bytes(tessera_pto_dtype dtype) { return tessera_pto_dtype_bytes(dtype); }
  static std::string core_name(unsigned core) { return tessera_pto_core_name(core); }
  static std::string unit_name(tessera_pto_unit unit) { return tessera_pto_unit_name(unit); }
  static std::string profile_name(unsigned index) { return tessera_pto_profile_name(index); }
  static std::string policy_name(unsigned index) { return tessera_pto_policy_name(index); }
  static std::string result_name(tessera_pto_result result) { return tessera_pto_result_name(result); }
  static std::string loc_name(tessera_pto_loc loc) { return tessera_pto_loc_name(loc); }
  static std::string dir_name(tessera_pto_dir dir) { return tessera_pto_dir_name(dir); }
  static std::string fifo_name(tessera_pto_fifo fifo) { return tessera_pto_fifo_name(fifo); }
  static std::string ratio_name(tessera_pto_ratio ratio) { return tessera_pto_ratio_name(ratio); }
  static std::string split_name(tessera_pto_split split) { return tessera_pto_split_name(split); }
  static std::string status_name(tessera_pto_status status) { return tessera_pto_status_name(status); }
  static std::string field_name(tessera_pto_field field) { return tessera_pto_field_name(field); }
  static std::string op_name(tessera_pto_op op) { return tessera_pto_op_name(op); }
  static std::string quant_name(tessera_pto_quant quant) { return tessera_pto_quant_name(quant); }
  static std::string layout_name(tessera_pto_layout layout) { return tessera_pto_layout_name(layout); }
  static std::string severity_name(tessera_pto_severity severity) { return tessera_pto_severity_name(severity); }
  static std::string cores_name(tessera_pto_core cores) { return tessera_pto_cores_name(cores); }
  static std::string report_format_name(tessera_pto_report_format format) { return tessera_pto_report_format_name(format); }
  static std::string event_kind_name(tessera_pto_event_kind kind) { return tessera_pto_event_kind_name(kind); }
  static std::string trace_format_name(tessera_pto_trace_format format) { return tessera_pto_trace_format_name(format); }

  /* `stop`: the sweep ends soon after it has become other than 0, with the rows done until then. */
  static std::vector<tessera_pto_sweep_row> sweep(const std::vector<pto_session *> &sessions,
                                                  const tessera_pto_sweep_options &options,
                                                  const volatile int *stop = nullptr) {
    std::vector<tessera_pto_program *> programs;
    for (pto_session *s : sessions) programs.push_back(s->program_);
    std::vector<tessera_pto_sweep_row> rows(4096);
    int count = stop ? tessera_pto_sweep_until(programs.data(), programs.size(), &options, stop, rows.data(), rows.size())
                     : tessera_pto_sweep(programs.data(), programs.size(), &options, rows.data(), rows.size());
    if (count < 0) throw std::runtime_error("sweep: bad programs or options");
    rows.resize(static_cast<std::size_t>(count));
    return rows;
  }
  static std::string finding(unsigned kind) { return tessera_pto_finding_name(kind); }
  static std::string profiles() { return text_of(tessera_pto_profiles_text); }
  static std::string policies() { return text_of(tessera_pto_policies_text); }
  static std::string operations() { return text_of(tessera_pto_operations_text); }
  static std::string reference() { return text_of(tessera_pto_reference_text); }

  // --- used by the kernels' functions ---

  static pto_session &current() {
    if (!current_) throw std::logic_error("outside of a recorded kernel");
    return *current_;
  }
  tessera_pto_program *program() { return program_; }
  int function() const { return function_; }
  int good(int index) {
    if (index < 0) fail();
    return index;
  }
  template <class T> int tile(const T &object, std::uint32_t line = 0) {
    auto key =
        std::make_pair(static_cast<const void *>(&object), T::Rows * 65536L + T::Cols + (static_cast<long>(T::Loc) << 40));
    auto found = tiles_.find(key);
    if (found != tiles_.end()) return found->second;
    tessera_pto_tile description = T::description();
    description.line = line ? line : object.declared_line;
    std::string name = "tile" + std::to_string(tiles_.size());
    return tiles_[key] = good(tessera_pto_add_tile(program_, function_, name.c_str(), &description));
  }
  template <class G> int view(const G &object) {
    auto found = views_.find(&object);
    if (found != views_.end()) return found->second;
    return views_[&object] = good(tessera_pto_add_view(program_, function_, pto::detail::dtype<typename G::DType>::value,
                                                       G::Rows, G::Cols, static_cast<tessera_pto_split>(G::Split)));
  }
  bool has_pipe(const void *object) const { return pipes_.count(object) != 0; }
  // Builds this core's end when the pipe is first used in a kernel.
  int pipe(const void *object, const tessera_pto_pipe &description) {
    auto found = pipes_.find(object);
    if (found != pipes_.end()) return found->second;
    std::string name = "pipe" + std::to_string(description.flag_id);
    return pipes_[object] = good(tessera_pto_add_pipe(program_, function_, name.c_str(), &description));
  }

private:
  // a tessera_pto_write_fn
  static int keep_trace(void *text, const void *bytes, std::size_t size) {
    static_cast<std::string *>(text)->append(static_cast<const char *>(bytes), size);
    return 0;
  }
  static void call_hook(void *self, const tessera_pto_event *event) {
    static_cast<pto_session *>(self)->hook_(*event);
  } // a tessera_pto_hook_fn
  static std::string text_of(std::size_t (*write)(char *, std::size_t)) {
    std::string text(write(nullptr, 0) + 1, '\0');
    text.resize(write(&text[0], text.size()));
    return text;
  }
  [[noreturn]] void fail() { throw std::runtime_error(tessera_pto_error(program_)); }
  template <class F> void record(const char *name, unsigned cores, F &kernel) {
    pto_session *outer = current_;
    function_ = good(tessera_pto_add_function(program_, name, cores));
    tiles_.clear();
    pipes_.clear();
    views_.clear();
    current_ = this;
    try {
      kernel();
    } catch (...) {
      current_ = outer;
      throw;
    }
    current_ = outer;
  }

  inline static thread_local pto_session *current_ = nullptr;
  tessera_pto_program *program_;
  tessera_pto_machine *volatile running_ = nullptr;
  int trace_ = -1;
  std::uint64_t trace_from_ = 0, trace_to_ = 0;
  std::string scratch_;
  std::function<void(const tessera_pto_event &)> hook_;
  int function_ = -1;
  bool strict_ = false;
  bool verbose_ = false;
  bool why_ = false;
  int exit_code_ = -1;
  std::map<int, std::vector<double>> values_;
  std::map<int, std::vector<std::uint8_t>> bytes_;
  std::map<std::pair<const void *, long>, int> tiles_;
  std::map<const void *, int> pipes_, views_;
};

} // namespace tessera

namespace pto {

// The two ends' switches, as the TPUSH page calls them: pipe.prod.setAllocateStatus(...).
class PipeBase : public detail::pipe_tag {
public:
  int index() const { return tessera::pto_session::current().pipe(this, description_); }

  struct Producer {
    PipeBase *pipe;
    void setAllocateStatus(bool v, std::uint32_t line = __builtin_LINE()) { pipe->status(TESSERA_PTO_ALLOCATE, v, line); }
    void setRecordStatus(bool v, std::uint32_t line = __builtin_LINE()) { pipe->status(TESSERA_PTO_RECORD, v, line); }
    void setEntryOffset(std::int64_t v, std::uint32_t line = __builtin_LINE()) {
      pipe->field(TESSERA_PTO_PROD_OFFSET, v, line);
    }
    void setTileId(std::int64_t v, std::uint32_t line = __builtin_LINE()) { pipe->field(TESSERA_PTO_PROD_TILE, v, line); }
  } prod{this};
  struct Consumer {
    PipeBase *pipe;
    void setWaitStatus(bool v, std::uint32_t line = __builtin_LINE()) { pipe->status(TESSERA_PTO_WAIT, v, line); }
    void setFreeStatus(bool v, std::uint32_t line = __builtin_LINE()) { pipe->status(TESSERA_PTO_FREE, v, line); }
    void setEntryOffset(std::int64_t v, std::uint32_t line = __builtin_LINE()) {
      pipe->field(TESSERA_PTO_CONS_OFFSET, v, line);
    }
    void setTileId(std::int64_t v, std::uint32_t line = __builtin_LINE()) { pipe->field(TESSERA_PTO_CONS_TILE, v, line); }
  } cons{this};

  // Tears this end down here, or builds it. Without a call the first use builds it (so call build before a LOOP that uses it) and the end
  // of the kernel tears it down.
  void end(std::uint32_t line = __builtin_LINE()) {
    auto &s = tessera::pto_session::current();
    s.good(tessera_pto_end_pipe(s.program(), s.function(), index(), line));
  }
  void build(std::uint32_t line = __builtin_LINE()) {
    auto &s = tessera::pto_session::current();
    bool again = s.has_pipe(this);
    int pipe = index();
    if (again) s.good(tessera_pto_build_pipe(s.program(), s.function(), pipe, line));
  }
  // The slots lie in a tensor of the session, from byte `byte` on.
  void in_tensor(int tensor, std::uint64_t byte = 0) {
    description_.gm_tensor = tensor + 1;
    description_.gm_addr = byte;
  }
  // Credits returned by tearing down after `pushes` pushes.
  std::uint64_t countPendingFreeCredits(const char *policy, std::uint64_t pushes) const {
    return tessera_pto_free_credits(policy, pushes, description_.slot_num, description_.sync_period);
  }

  PipeBase(const PipeBase &) = delete;
  PipeBase &operator=(const PipeBase &) = delete;

protected:
  PipeBase(const tessera_pto_pipe &description, std::uint32_t line) : description_(description) { description_.line = line; }
  static std::uint32_t local(std::uint64_t addr) {
    return addr == UINT64_MAX ? TESSERA_PTO_AUTO : static_cast<std::uint32_t>(addr);
  }

private:
  void status(tessera_pto_status which, bool value, std::uint32_t line) {
    auto &s = tessera::pto_session::current();
    s.good(tessera_pto_set_status(s.program(), s.function(), index(), which, value, line));
  }
  void field(tessera_pto_field which, std::int64_t value, std::uint32_t line) {
    auto &s = tessera::pto_session::current();
    s.good(tessera_pto_set_field(s.program(), s.function(), index(), which, value, line));
  }
  tessera_pto_pipe description_;
};

template <int FlagID, Direction Dir, std::uint32_t SlotSize, std::uint32_t SlotNum, std::uint32_t LocalSlotNum = 2,
          bool IsNoSplit = false, bool EN_UNIT_FLAG = false>
class TPipe : public PipeBase {
public:
  template <class G>
  TPipe(G gm, std::uint64_t c2v, std::uint64_t v2c, detail::line_of_call line = detail::line_of_call())
      : PipeBase(describe(detail::address(gm), c2v, v2c), line.number) {}
  explicit TPipe(detail::line_of_call line = detail::line_of_call())
      : PipeBase(describe(UINT64_MAX, UINT64_MAX, UINT64_MAX), line.number) {}

private:
  static tessera_pto_pipe describe(std::uint64_t gm, std::uint64_t c2v, std::uint64_t v2c) {
    tessera_pto_pipe p{};
    p.flag_id = FlagID;
    p.dir = static_cast<tessera_pto_dir>(Dir);
    p.slot_size = SlotSize;
    p.slot_num = SlotNum;
    p.local_slot_num = LocalSlotNum;
    p.no_split = IsNoSplit;
    p.unit_flag = EN_UNIT_FLAG;
    p.gm_addr = gm;
    p.c2v_addr = local(c2v);
    p.v2c_addr = local(v2c);
    return p;
  }
};

template <int FlagID, FIFOType Fifo, std::uint32_t FiFoDepth, std::uint32_t FiFoSyncT, class TileDataProd,
          class TileDataCons, bool EN_UNIT_FLAG = false, std::uint32_t LocalFiFoDepth = 2,
          VecCubeRatio VCRatio = VecCubeRatio::V2C1_VECS>
class TMPipe : public PipeBase {
public:
  // One base for a FIFO in UB, L1 or the control buffer; GM FIFOs take the ring and the consumer's landing slots.
  template <class G, class = std::enable_if_t<!std::is_same_v<G, detail::line_of_call>>>
  explicit TMPipe(G base, detail::line_of_call line = detail::line_of_call())
      : PipeBase(describe(detail::address(base), UINT64_MAX), line.number) {}
  template <class G>
  TMPipe(G gm, std::uint64_t local_base, detail::line_of_call line = detail::line_of_call())
      : PipeBase(describe(detail::address(gm), local_base), line.number) {}
  explicit TMPipe(detail::line_of_call line = detail::line_of_call())
      : PipeBase(describe(UINT64_MAX, UINT64_MAX), line.number) {}

private:
  static tessera_pto_pipe describe(std::uint64_t base, std::uint64_t local_base) {
    bool gm = Fifo == FIFOType::GM_FIFO, c2v = TileDataProd::Loc == TileType::Acc;
    std::uint64_t own = gm ? local_base : base;
    tessera_pto_pipe p{};
    p.flag_id = FlagID;
    p.multi = 1;
    p.fifo = static_cast<tessera_pto_fifo>(Fifo);
    p.slot_num = FiFoDepth;
    p.sync_period = FiFoSyncT;
    p.local_slot_num = LocalFiFoDepth;
    p.unit_flag = EN_UNIT_FLAG;
    p.ratio = static_cast<tessera_pto_ratio>(VCRatio);
    p.gm_addr = gm ? base : UINT64_MAX;
    p.c2v_addr = c2v ? local(own) : TESSERA_PTO_AUTO;
    p.v2c_addr = c2v ? TESSERA_PTO_AUTO : local(own);
    p.prod = TileDataProd::description();
    p.cons = TileDataCons::description();
    return p;
  }
};

// --- push and pop, in both argument orders ---

template <class A, class B, TileSplitAxis Split = TileSplitAxis::TILE_NO_SPLIT>
RecordEvent TPUSH_IMPL(A &a, B &b, detail::line_of_call line = detail::line_of_call()) {
  if constexpr (detail::is_pipe<A>) {
    auto &s = tessera::pto_session::current();
    int pipe = a.index();
    if constexpr (detail::is_global<B>) {
      return {s.good(tessera_pto_push_view(s.program(), s.function(), pipe, s.view(b), line.number))};
    } else {
      static_assert(detail::is_tile<B>, "one pipe and one tile");
      static_assert(B::Loc == TileType::Acc || B::Loc == TileType::Vec,
                    "TileProd::Loc must be TileType::Acc or TileType::Vec");
      return {s.good(
          tessera_pto_push(s.program(), s.function(), pipe, s.tile(b), static_cast<tessera_pto_split>(Split), line.number))};
    }
  } else {
    static_assert(detail::is_pipe<B>, "one pipe and one tile");
    return TPUSH_IMPL<B, A, Split>(b, a, line);
  }
}

// With an explicit lane: selects the half of the slot, independent of the core that pushes.
template <class A, class B, TileSplitAxis Split = TileSplitAxis::TILE_NO_SPLIT, class Lane,
          class = std::enable_if_t<std::is_integral_v<Lane>>>
RecordEvent TPUSH_IMPL(A &a, B &b, Lane subblock, detail::line_of_call line = detail::line_of_call()) {
  auto &s = tessera::pto_session::current();
  RecordEvent event = TPUSH_IMPL<A, B, Split>(a, b, line);
  s.good(tessera_pto_set_subblock(s.program(), s.function(), static_cast<unsigned>(subblock)));
  return event;
}

// With a fixpipe configuration: NO_SPLIT, as the headers have it.
template <class P, class T, class Config>
RecordEvent TPUSH_IMPL(P &pipe, T &tile, double scale = 1, std::uint32_t line = __builtin_LINE()) {
  static_assert(Config::Quant != QuantMode::VDEQF16, "VDEQF16 needs a tile of scales");
  static_assert(detail::is_pipe<P> && T::Loc == TileType::Acc, "the fixpipe takes accumulators");
  auto &s = tessera::pto_session::current();
  RecordEvent event = TPUSH_IMPL<P, T, TileSplitAxis::TILE_NO_SPLIT>(pipe, tile, detail::line_of_call(line));
  tessera_pto_fixpipe options = Config::options(scale, -1);
  s.good(tessera_pto_set_fixpipe(s.program(), s.function(), &options));
  return event;
}
template <class P, class T, class Config, class Scales, class = std::enable_if_t<detail::is_tile<Scales>>>
RecordEvent TPUSH_IMPL(P &pipe, T &tile, Scales &scales, std::uint32_t line = __builtin_LINE()) {
  static_assert(Config::Quant == QuantMode::VDEQF16, "only VDEQF16 has a tile of scales");
  auto &s = tessera::pto_session::current();
  int factors = s.tile(scales);
  RecordEvent event = TPUSH_IMPL<P, T, TileSplitAxis::TILE_NO_SPLIT>(pipe, tile, detail::line_of_call(line));
  tessera_pto_fixpipe options = Config::options(1, factors);
  s.good(tessera_pto_set_fixpipe(s.program(), s.function(), &options));
  return event;
}

template <class A, class B, TileSplitAxis Split = TileSplitAxis::TILE_NO_SPLIT>
void TPOP_IMPL(A &a, B &b, detail::line_of_call line = detail::line_of_call()) {
  if constexpr (detail::is_pipe<A>) {
    auto &s = tessera::pto_session::current();
    int pipe = a.index();
    if constexpr (detail::is_global<B>) {
      s.good(tessera_pto_pop_view(s.program(), s.function(), pipe, s.view(b), line.number));
    } else {
      static_assert(detail::is_tile<B>, "one pipe and one tile");
      s.good(
          tessera_pto_pop(s.program(), s.function(), pipe, s.tile(b), static_cast<tessera_pto_split>(Split), line.number));
    }
  } else {
    static_assert(detail::is_pipe<B>, "one pipe and one tile");
    TPOP_IMPL<B, A, Split>(b, a, line);
  }
}
template <class A, class B, TileSplitAxis Split = TileSplitAxis::TILE_NO_SPLIT, class Lane,
          class = std::enable_if_t<std::is_integral_v<Lane>>>
void TPOP_IMPL(A &a, B &b, Lane subblock, detail::line_of_call line = detail::line_of_call()) {
  auto &s = tessera::pto_session::current();
  TPOP_IMPL<A, B, Split>(a, b, line);
  s.good(tessera_pto_set_subblock(s.program(), s.function(), static_cast<unsigned>(subblock)));
}

template <class P, TileSplitAxis Split = TileSplitAxis::TILE_NO_SPLIT>
void TFREE_IMPL(P &pipe, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_free(s.program(), s.function(), pipe.index(), static_cast<tessera_pto_split>(Split), line));
}
template <class P, class G, class = std::enable_if_t<detail::is_global<G>>>
void TFREE_IMPL(P &pipe, G &global, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_free_view(s.program(), s.function(), pipe.index(), s.view(global), line));
}
template <class P, class G> void TALLOC_IMPL(P &pipe, G &global, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_alloc(s.program(), s.function(), pipe.index(), s.view(global), line));
}

template <class P, class T, TileSplitAxis Split = TileSplitAxis::TILE_NO_SPLIT>
RecordEvent TPUSH(P &pipe, T &tile, detail::line_of_call line = detail::line_of_call()) {
  return TPUSH_IMPL<P, T, Split>(pipe, tile, line);
}
template <class P, class T, TileSplitAxis Split = TileSplitAxis::TILE_NO_SPLIT, class Lane,
          class = std::enable_if_t<std::is_integral_v<Lane>>>
RecordEvent TPUSH(P &pipe, T &tile, Lane subblock, detail::line_of_call line = detail::line_of_call()) {
  return TPUSH_IMPL<P, T, Split>(pipe, tile, subblock, line);
}
template <class P, class T, class Config>
RecordEvent TPUSH(P &pipe, T &tile, double scale = 1, std::uint32_t line = __builtin_LINE()) {
  return TPUSH_IMPL<P, T, Config>(pipe, tile, scale, line);
}
template <class P, class T, TileSplitAxis Split = TileSplitAxis::TILE_NO_SPLIT>
void TPOP(P &pipe, T &tile, detail::line_of_call line = detail::line_of_call()) {
  TPOP_IMPL<P, T, Split>(pipe, tile, line);
}
template <class P, class T, TileSplitAxis Split = TileSplitAxis::TILE_NO_SPLIT, class Lane,
          class = std::enable_if_t<std::is_integral_v<Lane>>>
void TPOP(P &pipe, T &tile, Lane subblock, detail::line_of_call line = detail::line_of_call()) {
  TPOP_IMPL<P, T, Split>(pipe, tile, subblock, line);
}
template <class P, TileSplitAxis Split = TileSplitAxis::TILE_NO_SPLIT>
void TFREE(P &pipe, std::uint32_t line = __builtin_LINE()) {
  TFREE_IMPL<P, Split>(pipe, line);
}
template <class P, class G, class = std::enable_if_t<detail::is_global<G>>>
void TFREE(P &pipe, G &global, std::uint32_t line = __builtin_LINE()) {
  TFREE_IMPL(pipe, global, line);
}
template <class P, class G> void TALLOC(P &pipe, G &global, std::uint32_t line = __builtin_LINE()) {
  TALLOC_IMPL(pipe, global, line);
}

// --- events and bare flags ---

inline void WAIT_EVENT(RecordEvent event, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  int index = s.good(tessera_pto_record_event(s.program(), s.function(), event.push));
  s.good(tessera_pto_wait_event(s.program(), s.function(), index, line));
}
inline void CROSS_SET(Pipe pipe, unsigned id, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_cross_set(s.program(), s.function(), static_cast<tessera_pto_unit>(pipe), id, line));
}
inline void CROSS_WAIT(Pipe pipe, unsigned id, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_cross_wait(s.program(), s.function(), static_cast<tessera_pto_unit>(pipe), id, line));
}

// Order between two pipes of this core. A kernel that calls MANUAL_SYNC has no other order.
inline void SET_FLAG(Pipe from, Pipe to, unsigned event, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_pipe_set(s.program(), s.function(), static_cast<tessera_pto_unit>(from),
                              static_cast<tessera_pto_unit>(to), event, line));
}
inline void WAIT_FLAG(Pipe from, Pipe to, unsigned event, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_pipe_wait(s.program(), s.function(), static_cast<tessera_pto_unit>(from),
                               static_cast<tessera_pto_unit>(to), event, line));
}
inline void PIPE_BARRIER(Pipe pipe, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_barrier(s.program(), s.function(), static_cast<tessera_pto_unit>(pipe), line));
}
inline void MANUAL_SYNC() {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_manual_sync(s.program(), s.function()));
}
// Attributes of the last instruction: its cost in cycles; a load that clears the rest of its tile.
inline void COST(std::uint32_t cycles) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_cost(s.program(), s.function(), cycles));
}
inline void PAD_ZERO() {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_set_pad_zero(s.program(), s.function()));
}

// --- operations on tiles ---

template <class T>
void TLOAD(T &tile, int tensor, std::uint32_t row = 0, std::uint32_t col = 0, std::uint32_t lane_rows = 0,
           std::uint32_t lane_cols = 0, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  tessera_pto_transfer t{s.tile(tile), tensor, row, col, lane_rows, lane_cols, line};
  s.good(tessera_pto_load(s.program(), s.function(), &t));
}
template <class T>
void TSTORE(int tensor, T &tile, std::uint32_t row = 0, std::uint32_t col = 0, std::uint32_t lane_rows = 0,
            std::uint32_t lane_cols = 0, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  tessera_pto_transfer t{s.tile(tile), tensor, row, col, lane_rows, lane_cols, line};
  s.good(tessera_pto_store(s.program(), s.function(), &t));
}
template <class T, class G, class = std::enable_if_t<detail::is_global<G>>>
void TLOAD(T &tile, G &global, std::uint32_t row = 0, std::uint32_t col = 0, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_load_view(s.program(), s.function(), s.tile(tile), s.view(global), row, col, line));
}
template <class G, class T, class = std::enable_if_t<detail::is_global<G>>>
void TSTORE(G &global, T &tile, std::uint32_t row = 0, std::uint32_t col = 0, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_store_view(s.program(), s.function(), s.view(global), row, col, s.tile(tile), line));
}

namespace detail {
template <class D> void emit(tessera_pto_op op, D &dst, int a, int b, int c, double number, std::uint32_t line) {
  auto &s = tessera::pto_session::current();
  tessera_pto_operation o{op, s.tile(dst), {a, b, c}, number, line};
  s.good(tessera_pto_emit(s.program(), s.function(), &o));
}
template <class T> int id(T &tile) { return tessera::pto_session::current().tile(tile); }
} // namespace detail

template <class D, class A> void TMOV(D &d, A &a, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_MOV, d, detail::id(a), -1, -1, 0, line);
}
template <class D, class A, class B> void TMATMUL(D &d, A &a, B &b, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_MATMUL, d, detail::id(a), detail::id(b), -1, 0, line);
}
template <class D, class A, class B> void TMATMUL_ACC(D &d, A &a, B &b, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_MATMUL_ACC, d, detail::id(a), detail::id(b), detail::id(d), 0, line);
}
template <class D, class A, class B> void TADD(D &d, A &a, B &b, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_ADD, d, detail::id(a), detail::id(b), -1, 0, line);
}
template <class D, class A, class B> void TSUB(D &d, A &a, B &b, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_SUB, d, detail::id(a), detail::id(b), -1, 0, line);
}
template <class D, class A, class B> void TMUL(D &d, A &a, B &b, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_MUL, d, detail::id(a), detail::id(b), -1, 0, line);
}
template <class D, class A> void TADDS(D &d, A &a, double x, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_ADDS, d, detail::id(a), -1, -1, x, line);
}
template <class D, class A> void TMULS(D &d, A &a, double x, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_MULS, d, detail::id(a), -1, -1, x, line);
}
template <class D, class A> void TEXP(D &d, A &a, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_EXP, d, detail::id(a), -1, -1, 0, line);
}
template <class D, class A> void TRELU(D &d, A &a, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_RELU, d, detail::id(a), -1, -1, 0, line);
}
template <class D, class A> void TCVT(D &d, A &a, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_CVT, d, detail::id(a), -1, -1, 0, line);
}
template <class D> void TFILL(D &d, double x, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_FILL, d, -1, -1, -1, x, line);
}

template <class D, class A, class B, class C>
void TMATMUL_BIAS(D &d, A &a, B &b, C &bias, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_MATMUL_BIAS, d, detail::id(a), detail::id(b), detail::id(bias), 0, line);
}
template <class D, class A, class S, class O>
void TDEQUANT(D &d, A &a, S &scale, O &offset, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_DEQUANT, d, detail::id(a), detail::id(scale), detail::id(offset), 0, line);
}
#define TESSERA_PTO_BINARY(NAME, OP) \
  template <class D, class A, class B> void NAME(D &d, A &a, B &b, std::uint32_t line = __builtin_LINE()) { \
    detail::emit(TESSERA_PTO_##OP, d, detail::id(a), detail::id(b), -1, 0, line); \
  }
TESSERA_PTO_BINARY(TDIV, DIV)
TESSERA_PTO_BINARY(TMAX, MAX)
TESSERA_PTO_BINARY(TMIN, MIN)
TESSERA_PTO_BINARY(TROWEXPANDSUB, ROWEXPAND_SUB)
TESSERA_PTO_BINARY(TROWEXPANDMUL, ROWEXPAND_MUL)
TESSERA_PTO_BINARY(TROWEXPANDDIV, ROWEXPAND_DIV)
#undef TESSERA_PTO_BINARY
#define TESSERA_PTO_UNARY(NAME, OP) \
  template <class D, class A> void NAME(D &d, A &a, std::uint32_t line = __builtin_LINE()) { \
    detail::emit(TESSERA_PTO_##OP, d, detail::id(a), -1, -1, 0, line); \
  }
TESSERA_PTO_UNARY(TROWMAX, ROWMAX)
TESSERA_PTO_UNARY(TROWSUM, ROWSUM)
#undef TESSERA_PTO_UNARY
template <class D, class A> void TSUBS(D &d, A &a, double x, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_SUBS, d, detail::id(a), -1, -1, x, line);
}
template <class D, class A> void TDIVS(D &d, A &a, double x, std::uint32_t line = __builtin_LINE()) {
  detail::emit(TESSERA_PTO_DIVS, d, detail::id(a), -1, -1, x, line);
}
// The valid part of a tile from here on.
template <class T> void SET_VALID(T &tile, std::uint32_t rows, std::uint32_t cols, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_set_valid(s.program(), s.function(), s.tile(tile), rows, cols, line));
}
// Windows of a tensor's bytes.
template <class T> void TLOAD(T &tile, const tessera_pto_window &window, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_load_window(s.program(), s.function(), s.tile(tile), &window, line));
}
template <class T> void TSTORE(const tessera_pto_window &window, T &tile, std::uint32_t line = __builtin_LINE()) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_store_window(s.program(), s.function(), &window, s.tile(tile), line));
}
// A loop in the program instead of one that unrolls.
template <class F> void LOOP(std::uint32_t count, F body) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_loop_begin(s.program(), s.function(), count));
  body();
  s.good(tessera_pto_loop_end(s.program(), s.function()));
}

// Runs body only on this lane.
template <class F> void ON_LANE(unsigned lane, F body) {
  auto &s = tessera::pto_session::current();
  s.good(tessera_pto_lane_begin(s.program(), s.function(), lane));
  body();
  s.good(tessera_pto_lane_end(s.program(), s.function()));
}

} // namespace pto

#endif
