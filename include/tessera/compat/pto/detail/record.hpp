// Tessera: how pto/pto-inst.hpp records kernels and runs them. Not to be included by itself.
#ifndef TESSERA_COMPAT_PTO_RECORD_HPP
#define TESSERA_COMPAT_PTO_RECORD_HPP

namespace pto {
namespace detail {

// The source line of a call. A separate type, so that the last argument of TPUSH or TPOP can be the lane.
struct at {
  std::uint32_t number;
  explicit constexpr at(std::uint32_t line = __builtin_LINE()) : number(line) {}
};

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

struct tile_tag {};
struct global_tag {};
template <class T> inline constexpr bool is_tile = std::is_base_of_v<tile_tag, std::remove_cv_t<std::remove_reference_t<T>>>;
template <class T>
inline constexpr bool is_global = std::is_base_of_v<global_tag, std::remove_cv_t<std::remove_reference_t<T>>>;

template <class P> std::uintptr_t address_of(P p) {
  if constexpr (std::is_pointer_v<P>) return reinterpret_cast<std::uintptr_t>(p);
  else if constexpr (std::is_null_pointer_v<P>) return 0;
  else return static_cast<std::uintptr_t>(p);
}

// A rectangle of host memory; strides in elements.
struct window {
  std::uintptr_t at = 0;
  tessera_pto_dtype dtype = TESSERA_PTO_F32;
  std::size_t size = 4; // of an element
  std::int64_t rows = 0, cols = 0, row_stride = 0, col_stride = 0, block_cols = 0, block_stride = 0;
  std::uint64_t bytes() const {
    if (rows < 1 || cols < 1) return 0;
    std::int64_t last = (rows - 1) * row_stride + (cols - 1) * col_stride;
    if (block_cols) last = (rows - 1) * row_stride + (block_cols - 1) * col_stride + (cols - 1) / block_cols * block_stride;
    return static_cast<std::uint64_t>(last + 1) * size;
  }
};

// State of a tile object: its address, its valid part, and the pop that filled it.
struct tile_state {
  std::uint32_t addr = TESSERA_PTO_AUTO;
  int valid_rows = 0, valid_cols = 0;
  int popped = -1; // number of the popped tile in this recording
  void assign(std::uint32_t address) {
    addr = address;
    popped = -1;
  }
};

struct tile_ref {
  tessera_pto_tile description;
  const void *object;
  tile_state *state;
  bool on_cube;
};

inline constexpr tessera_pto_loc location(TileType type) {
  return type == TileType::Mat     ? TESSERA_PTO_MAT
         : type == TileType::Acc   ? TESSERA_PTO_ACC
         : type == TileType::Vec   ? TESSERA_PTO_VEC
         : type == TileType::Left  ? TESSERA_PTO_LEFT
         : type == TileType::Right ? TESSERA_PTO_RIGHT
         : type == TileType::Bias  ? TESSERA_PTO_BIAS
                                   : TESSERA_PTO_SCALING;
}

template <class T> tile_ref tile_of(const T &tile) {
  tile_state &s = tile.state();
  return {{location(T::Loc), dtype<typename T::DType>::value, T::Rows, T::Cols, static_cast<std::uint32_t>(s.valid_rows),
           static_cast<std::uint32_t>(s.valid_cols), s.addr, 0},
          &tile,
          &s,
          T::Loc != TileType::Vec};
}

// The key by which a recorded instruction refers to a tile.
using tile_key =
    std::tuple<int, int, int, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, const void *>;

struct range {
  std::uintptr_t begin, end;
};

// The program of one block, built from its recordings.
class builder {
public:
  builder(tessera_pto_program *program, const std::vector<range> &ranges) : program_(program), ranges_(ranges) {
    for (std::size_t i = 0; i < ranges.size(); i++) {
      std::string name = "gm" + std::to_string(i);
      good(tessera_pto_add_tensor(program_, name.c_str(), TESSERA_PTO_U8, 1,
                                  static_cast<std::uint32_t>(ranges[i].end - ranges[i].begin + offset_of(ranges[i].begin))));
    }
  }
  void start(const char *name, unsigned cores, bool manual) {
    function_ = good(tessera_pto_add_function(program_, name, cores));
    if (manual) good(tessera_pto_manual_sync(program_, function_));
    tiles_.clear();
    views_.clear();
    pipes_.clear();
  }
  int good(int index) {
    if (index < 0) throw std::runtime_error(tessera_pto_error(program_));
    return index;
  }
  tessera_pto_program *program() { return program_; }
  int function() const { return function_; }

  int tile(const tile_key &key, std::uint32_t line) {
    auto found = tiles_.find(key);
    if (found != tiles_.end()) return found->second;
    tessera_pto_tile t{static_cast<tessera_pto_loc>(std::get<1>(key)),
                       static_cast<tessera_pto_dtype>(std::get<2>(key)),
                       std::get<3>(key),
                       std::get<4>(key),
                       std::get<5>(key),
                       std::get<6>(key),
                       std::get<7>(key),
                       line};
    std::string name = "t" + std::to_string(tiles_.size());
    return tiles_[key] = good(tessera_pto_add_tile(program_, function_, name.c_str(), &t));
  }
  // Tensor and byte of a host address. A range keeps its address modulo 64, so that elements stay aligned.
  static std::uintptr_t offset_of(std::uintptr_t begin) { return begin % 64; }
  int tensor(std::uintptr_t at, std::uint64_t *offset) const {
    for (std::size_t i = 0; i < ranges_.size(); i++)
      if (at >= ranges_[i].begin && at < ranges_[i].end) {
        *offset = at - ranges_[i].begin + offset_of(ranges_[i].begin);
        return static_cast<int>(i);
      }
    throw std::logic_error("an address that no recorded instruction names");
  }
  tessera_pto_window window(const detail::window &w) const {
    tessera_pto_window out{};
    out.tensor = tensor(w.at, &out.offset);
    out.dtype = w.dtype;
    out.rows = static_cast<std::uint32_t>(w.rows);
    out.cols = static_cast<std::uint32_t>(w.cols);
    out.row_stride = static_cast<std::uint32_t>(w.row_stride);
    out.col_stride = static_cast<std::uint32_t>(w.col_stride);
    out.block_cols = static_cast<std::uint32_t>(w.block_cols);
    out.block_stride = static_cast<std::uint32_t>(w.block_stride);
    return out;
  }
  // Views of a pipe's slots: one for each shape, format, split and side.
  using view_key = std::tuple<std::size_t, bool, int, std::int64_t, std::int64_t, int>;
  int view(const view_key &key) {
    auto found = views_.find(key);
    if (found != views_.end()) return found->second;
    return views_[key] = good(tessera_pto_add_view(program_, function_, static_cast<tessera_pto_dtype>(std::get<2>(key)),
                                                   static_cast<std::uint32_t>(std::get<3>(key)),
                                                   static_cast<std::uint32_t>(std::get<4>(key)),
                                                   static_cast<tessera_pto_split>(std::get<5>(key))));
  }
  std::map<std::size_t, int> &pipes() { return pipes_; }

private:
  tessera_pto_program *program_;
  const std::vector<range> &ranges_;
  int function_ = -1;
  std::map<tile_key, int> tiles_;
  std::map<view_key, int> views_;
  std::map<std::size_t, int> pipes_;
};

// One core of one block.
struct recorder {
  struct slot { // of a pipe, bound by TALLOC or TPOP to a GlobalTensor
    detail::window where;
    builder::view_key view;
  };
  struct pipe {
    tessera_pto_pipe description;
    std::uintptr_t gm;
    bool alive;
  };

  std::int64_t block = 0, blocks = 1;
  unsigned core = 0; // 0: Cube, 1 and 2: Vectors
  bool local_fifos = false;
  const char *policy = nullptr;
  bool manual = false, guard = false;
  std::vector<std::function<void(builder &)>> steps;
  std::vector<range> touched;
  std::vector<slot> slots;
  std::vector<pipe> pipes;
  std::map<std::pair<const void *, tile_key>, int> popped;

  static recorder *&current() {
    static thread_local recorder *recording = nullptr;
    return recording;
  }
  bool on_cube() const { return core == 0; }
  void touch(std::uintptr_t at, std::uint64_t bytes) {
    if (!at) throw std::invalid_argument("a global tensor without a pointer");
    if (bytes) touched.push_back({at, at + bytes});
  }
  static tile_key described(const tessera_pto_tile &t, int popped, const void *object) {
    return {popped, t.loc, t.dtype, t.rows, t.cols, t.valid_rows, t.valid_cols, t.addr, object};
  }
  tile_key key(const tile_ref &t) const {
    if (t.state->popped >= 0) {
      tessera_pto_tile d = t.description;
      d.addr = TESSERA_PTO_AUTO;
      return described(d, t.state->popped, nullptr);
    }
    return described(t.description, -1, t.description.addr == TESSERA_PTO_AUTO ? t.object : nullptr);
  }
  // Assigns the next popped tile to this object: tiles of several pops may be in use at the same time.
  tile_key pop_into(const tile_ref &t) {
    tessera_pto_tile d = t.description;
    d.addr = TESSERA_PTO_AUTO;
    auto name = std::make_pair(t.object, described(d, -1, nullptr));
    auto found = popped.find(name);
    if (found == popped.end()) found = popped.emplace(name, static_cast<int>(popped.size())).first;
    t.state->popped = found->second;
    return key(t);
  }
  void add(std::function<void(builder &)> step) { steps.push_back(std::move(step)); }
};

inline recorder &recording() {
  recorder *r = recorder::current();
  if (!r) throw std::logic_error("outside of a launched kernel");
  return *r;
}

template <class F> void guarded(bool cube, F &body) {
  recorder &r = recording();
  if (r.on_cube() != cube) return;
  bool outer = r.guard;
  r.guard = true;
  body();
  r.guard = outer;
}

// The slot that contains a window, if any, with the window's first row and column in it.
inline const recorder::slot *slot_of(const recorder &r, const window &w, const tile_ref &t, std::uint32_t *row,
                                     std::uint32_t *col) {
  for (auto s = r.slots.rbegin(); s != r.slots.rend(); ++s) {
    const window &all = s->where;
    if (w.at < all.at || w.at >= all.at + all.bytes() || w.dtype != all.dtype || w.block_cols || w.col_stride != 1) continue;
    if (w.rows > 1 && w.row_stride != all.row_stride) continue;
    auto element = static_cast<std::int64_t>((w.at - all.at) / w.size);
    *row = static_cast<std::uint32_t>(element / all.row_stride);
    *col = static_cast<std::uint32_t>(element % all.row_stride);
    bool fits = *row + t.description.valid_rows <= all.rows && *col + t.description.valid_cols <= all.cols;
    if (fits && w.rows >= t.description.valid_rows && w.cols >= t.description.valid_cols) return &*s;
  }
  return nullptr;
}

inline void load(const tile_ref &t, const window &w, bool pad_zero, std::uint32_t line) {
  recorder &r = recording();
  if (t.on_cube != r.on_cube()) return;
  tile_key key = r.key(t);
  std::uint32_t row, col;
  if (const recorder::slot *s = slot_of(r, w, t, &row, &col)) {
    builder::view_key view = s->view;
    r.add([=](builder &b) {
      int tile = b.tile(key, line);
      b.good(tessera_pto_load_view(b.program(), b.function(), tile, b.view(view), row, col, line));
    });
    return;
  }
  r.touch(w.at, w.bytes());
  r.add([=](builder &b) {
    tessera_pto_window from = b.window(w);
    b.good(tessera_pto_load_window(b.program(), b.function(), b.tile(key, line), &from, line));
    if (pad_zero) b.good(tessera_pto_set_pad_zero(b.program(), b.function()));
  });
}

inline void store(const window &w, const tile_ref &t, std::uint32_t line) {
  recorder &r = recording();
  if (t.on_cube != r.on_cube()) return;
  tile_key key = r.key(t);
  std::uint32_t row, col;
  if (const recorder::slot *s = slot_of(r, w, t, &row, &col)) {
    builder::view_key view = s->view;
    r.add([=](builder &b) {
      int tile = b.tile(key, line);
      b.good(tessera_pto_store_view(b.program(), b.function(), b.view(view), row, col, tile, line));
    });
    return;
  }
  r.touch(w.at, w.bytes());
  r.add([=](builder &b) {
    tessera_pto_window to = b.window(w);
    b.good(tessera_pto_store_window(b.program(), b.function(), &to, b.tile(key, line), line));
  });
}

template <class D, class... S>
void operation(tessera_pto_op op, std::uint32_t line, double number, const D &dst, const S &...sources) {
  static_assert(is_tile<D> && (is_tile<S> && ...), "operations work on tiles");
  static_assert((((D::Loc == TileType::Vec) == (S::Loc == TileType::Vec)) && ...),
                "the tiles of one operation lie in the memories of one core");
  recorder &r = recording();
  if ((D::Loc != TileType::Vec) != r.on_cube()) return;
  tile_key to = r.key(tile_of(dst));
  std::array<tile_key, sizeof...(S)> from{{r.key(tile_of(sources))...}};
  r.add([=](builder &b) {
    tessera_pto_operation o{op, b.tile(to, line), {-1, -1, -1}, number, line};
    for (std::size_t i = 0; i < from.size(); i++) o.src[i] = b.tile(from[i], line);
    b.good(tessera_pto_emit(b.program(), b.function(), &o));
  });
}

// A pipe that only one kind of core has decides which core a call belongs to.
inline bool is_mine(const recorder &r, pipe_t pipe) {
  if (pipe == PIPE_M || pipe == PIPE_MTE1 || pipe == PIPE_FIX) return r.on_cube();
  if (pipe == PIPE_V || pipe == PIPE_MTE3) return !r.on_cube();
  return true;
}

using flag_function = int (*)(tessera_pto_program *, int, tessera_pto_unit, tessera_pto_unit, unsigned, std::uint32_t);
inline void pipe_flag(flag_function function, pipe_t from, pipe_t to, event_t event, std::uint32_t line) {
  recorder &r = recording();
  if (!is_mine(r, from) || !is_mine(r, to)) return;
  r.manual = true;
  r.add([=](builder &b) {
    b.good(function(b.program(), b.function(), static_cast<tessera_pto_unit>(from), static_cast<tessera_pto_unit>(to),
                    static_cast<unsigned>(event), line));
  });
}

inline void barrier(pipe_t pipe, std::uint32_t line) {
  recorder &r = recording();
  if (!is_mine(r, pipe)) return;
  r.manual = true;
  r.add([=](builder &b) {
    b.good(tessera_pto_barrier(b.program(), b.function(), static_cast<tessera_pto_unit>(pipe), line));
  });
}

// This core's end of a pipe: built by the constructor, torn down by the destructor.
class pipe_end {
public:
  pipe_end(const pipe_end &) = delete;
  pipe_end &operator=(const pipe_end &) = delete;

protected:
  pipe_end(const tessera_pto_pipe &description, std::uintptr_t gm) : description_(description) {
    recorder &r = recording();
    bool c2v = goes(true), v2c = goes(false);
    bool in_gm = (!r.local_fifos || description.dir >= TESSERA_PTO_C2V_GM) && description.dir != TESSERA_PTO_V2C_CTRL;
    ring_bytes_ = static_cast<std::uint64_t>(description.slot_num) * description.slot_size;
    gm_ = in_gm ? gm : 0;
    if (gm_) r.touch(gm_, ring_bytes_ * ((c2v ? 1u : 0u) + (v2c ? 1u : 0u)));
    std::size_t n = r.pipes.size();
    for (std::size_t i = 0; i < r.pipes.size(); i++)
      if (!r.pipes[i].alive && r.pipes[i].gm == gm_ && same(r.pipes[i].description, description)) n = i;
    id_ = n;
    if (n == r.pipes.size()) r.pipes.push_back({description, gm_, true});
    r.pipes[n].alive = true;
    std::size_t id = id_;
    std::uintptr_t ring = gm_;
    r.add([=](builder &b) {
      tessera_pto_pipe p = description;
      auto found = b.pipes().find(id);
      if (found != b.pipes().end()) {
        b.good(tessera_pto_build_pipe(b.program(), b.function(), found->second, p.line));
        return;
      }
      if (ring) p.gm_tensor = 1 + b.tensor(ring, &p.gm_addr);
      std::string name = "pipe" + std::to_string(p.flag_id);
      b.pipes()[id] = b.good(tessera_pto_add_pipe(b.program(), b.function(), name.c_str(), &p));
    });
  }
  ~pipe_end() {
    recorder *r = recorder::current();
    if (!r || std::uncaught_exceptions()) return;
    r->pipes[id_].alive = false;
    std::size_t id = id_;
    std::uint32_t line = description_.line;
    r->add([=](builder &b) { b.good(tessera_pto_end_pipe(b.program(), b.function(), b.pipes().at(id), line)); });
  }

  void status(tessera_pto_status which, bool value, std::uint32_t line) {
    recorder &r = recording();
    status_[which] = value;
    std::size_t id = id_;
    r.add([=](builder &b) {
      b.good(tessera_pto_set_status(b.program(), b.function(), b.pipes().at(id), which, value, line));
    });
  }
  bool status_of(tessera_pto_status which) const { return status_[which]; }
  void field(tessera_pto_field which, std::int64_t value, std::uint32_t line) {
    recorder &r = recording();
    if (which == TESSERA_PTO_PROD_OFFSET) prod_offset_ = value;
    if (which == TESSERA_PTO_CONS_OFFSET) cons_offset_ = value;
    if (which == TESSERA_PTO_PROD_TILE) prod_tile_ = static_cast<std::uint64_t>(value);
    if (which == TESSERA_PTO_CONS_TILE) cons_tile_ = static_cast<std::uint64_t>(value);
    std::size_t id = id_;
    r.add(
        [=](builder &b) { b.good(tessera_pto_set_field(b.program(), b.function(), b.pipes().at(id), which, value, line)); });
  }
  std::uint64_t pending_free_credits() const {
    return tessera_pto_free_credits(recording().policy, pushed_, description_.slot_num, description_.sync_period);
  }

public:
  template <class T> void push(const T &what, TileSplitAxis split, int lane, std::uint32_t line) {
    if constexpr (is_global<T>) {
      push_view(what.window(), split, line);
    } else {
      static_assert(T::Loc == TileType::Acc || T::Loc == TileType::Vec, "TPUSH takes a tile in Acc or Vec");
      push_tile(tile_of(what), split, lane, line);
    }
  }
  template <class T> void pop(T &what, TileSplitAxis split, int lane, std::uint32_t line) {
    if constexpr (is_global<T>) {
      what.bind(pop_view(what.window(), split, line));
    } else {
      static_assert(T::Loc == TileType::Vec || T::Loc == TileType::Mat, "TPOP gives a tile in Vec or Mat");
      pop_tile(tile_of(what), split, lane, line);
    }
  }
  void free(TileSplitAxis split, std::uint32_t line) {
    recorder &r = recording();
    if (!consumes(r, popped_ != 0)) return;
    std::size_t id = id_;
    auto axis = static_cast<tessera_pto_split>(split);
    r.add([=](builder &b) { b.good(tessera_pto_free(b.program(), b.function(), b.pipes().at(id), axis, line)); });
  }
  void free_view(const window &w, TileSplitAxis split, std::uint32_t line) {
    recorder &r = recording();
    if (!consumes(r, popped_ != 0)) return;
    std::size_t id = id_;
    builder::view_key view = view_of(w, split, false);
    r.add(
        [=](builder &b) { b.good(tessera_pto_free_view(b.program(), b.function(), b.pipes().at(id), b.view(view), line)); });
  }
  std::uintptr_t alloc(const window &w, TileSplitAxis split, std::uint32_t line) {
    recorder &r = recording();
    if (!produces(r, "TALLOC")) return w.at;
    builder::view_key view = view_of(w, split, true);
    std::size_t id = id_;
    std::uintptr_t at = bind(r, w, split, view, prod_tile_++, prod_offset_, !r.on_cube());
    r.add([=](builder &b) { b.good(tessera_pto_alloc(b.program(), b.function(), b.pipes().at(id), b.view(view), line)); });
    return at;
  }

private:
  static bool same(const tessera_pto_pipe &a, const tessera_pto_pipe &b) {
    return a.flag_id == b.flag_id && a.dir == b.dir && a.slot_size == b.slot_size && a.slot_num == b.slot_num &&
           a.local_slot_num == b.local_slot_num && a.no_split == b.no_split && a.unit_flag == b.unit_flag &&
           a.c2v_addr == b.c2v_addr && a.v2c_addr == b.v2c_addr;
  }
  bool both() const { return description_.dir == TESSERA_PTO_BOTH || description_.dir == TESSERA_PTO_BOTH_GM; }
  bool goes(bool c2v) const {
    bool down = description_.dir == TESSERA_PTO_C2V || description_.dir == TESSERA_PTO_C2V_GM;
    return both() || down == c2v;
  }
  // Is this core the consumer? On a pipe of both directions the core that has popped is, unless a guard decides.
  bool consumes(const recorder &r, bool has_popped) const {
    return both() ? has_popped || r.guard : goes(true) != r.on_cube();
  }
  bool produces(const recorder &r, const char *call) const {
    if (!both()) return goes(true) == r.on_cube();
    if (!r.guard)
      throw std::logic_error(std::string(call) +
                             " through a pipe of both directions: guard it with tessera::on_cube or on_vector");
    return true;
  }
  builder::view_key view_of(const window &w, TileSplitAxis split, bool produces) const {
    return {id_, produces, w.dtype, w.rows, w.cols, split};
  }
  // The host address of a slot, and this core's part of it.
  std::uintptr_t bind(recorder &r, const window &w, TileSplitAxis split, const builder::view_key &view, std::uint64_t tile,
                      std::int64_t offset, bool v2c) {
    if (!gm_) throw std::logic_error("global-tensor forms need a pipe with a GM pointer");
    window where = w;
    std::int64_t lane = r.core == 2, r0 = w.rows, c0 = w.cols, element = 0;
    if (!r.on_cube()) {
      if (split == TILE_UP_DOWN) element = lane * r0 * c0;
      if (split == TILE_LEFT_RIGHT) element = lane * c0;
      if (split == TILE_UP_DOWN_ODD) element = lane * (r0 + lane) * c0;
      if (split == TILE_LEFT_RIGHT_ODD) element = lane * (c0 + lane);
    }
    where.at = gm_ + (both() && v2c ? ring_bytes_ : 0) + tile % description_.slot_num * description_.slot_size +
               static_cast<std::uintptr_t>(offset) + static_cast<std::uintptr_t>(element) * w.size;
    where.row_stride = split == TILE_LEFT_RIGHT && !r.on_cube() ? 2 * c0 : c0;
    where.col_stride = 1;
    where.block_cols = where.block_stride = 0;
    r.slots.erase(std::remove_if(r.slots.begin(), r.slots.end(), [&](const recorder::slot &s) { return s.view == view; }),
                  r.slots.end());
    r.slots.push_back({where, view});
    return where.at;
  }
  void push_tile(const tile_ref &t, TileSplitAxis split, int lane, std::uint32_t line) {
    recorder &r = recording();
    if (t.on_cube != r.on_cube()) return;
    tile_key key = r.key(t);
    std::size_t id = id_;
    auto axis = static_cast<tessera_pto_split>(split);
    prod_tile_++;
    pushed_++;
    r.add([=](builder &b) {
      b.good(tessera_pto_push(b.program(), b.function(), b.pipes().at(id), b.tile(key, line), axis, line));
      if (lane >= 0) b.good(tessera_pto_set_subblock(b.program(), b.function(), static_cast<unsigned>(lane)));
    });
  }
  void push_view(const window &w, TileSplitAxis split, std::uint32_t line) {
    recorder &r = recording();
    if (!produces(r, "TPUSH of a GlobalTensor")) return;
    builder::view_key view = view_of(w, split, true);
    std::size_t id = id_;
    pushed_++;
    r.add(
        [=](builder &b) { b.good(tessera_pto_push_view(b.program(), b.function(), b.pipes().at(id), b.view(view), line)); });
  }
  void pop_tile(const tile_ref &t, TileSplitAxis split, int lane, std::uint32_t line) {
    recorder &r = recording();
    if (t.on_cube != r.on_cube()) return;
    tile_key key = r.pop_into(t);
    std::size_t id = id_;
    auto axis = static_cast<tessera_pto_split>(split);
    cons_tile_++;
    popped_++;
    r.add([=](builder &b) {
      b.good(tessera_pto_pop(b.program(), b.function(), b.pipes().at(id), b.tile(key, line), axis, line));
      if (lane >= 0) b.good(tessera_pto_set_subblock(b.program(), b.function(), static_cast<unsigned>(lane)));
    });
  }
  std::uintptr_t pop_view(const window &w, TileSplitAxis split, std::uint32_t line) {
    recorder &r = recording();
    if (both() && !r.guard)
      throw std::logic_error(
          "TPOP of a GlobalTensor through a pipe of both directions: guard it with tessera::on_cube or on_vector");
    if (!consumes(r, true)) return w.at;
    builder::view_key view = view_of(w, split, false);
    std::size_t id = id_;
    popped_++;
    std::uintptr_t at = bind(r, w, split, view, cons_tile_++, cons_offset_, r.on_cube());
    r.add(
        [=](builder &b) { b.good(tessera_pto_pop_view(b.program(), b.function(), b.pipes().at(id), b.view(view), line)); });
    return at;
  }

  tessera_pto_pipe description_;
  std::uintptr_t gm_ = 0;
  std::uint64_t ring_bytes_ = 0, pushed_ = 0, popped_ = 0, prod_tile_ = 0, cons_tile_ = 0;
  std::int64_t prod_offset_ = 0, cons_offset_ = 0;
  std::array<bool, 4> status_{{true, true, true, true}};
  std::size_t id_ = 0;
};

struct free_program {
  void operator()(tessera_pto_program *p) const { tessera_pto_destroy(p); }
};
using program_pointer = std::unique_ptr<tessera_pto_program, free_program>;

} // namespace detail
} // namespace pto

namespace tessera {

// The result of a launch.
struct pto_result {
  tessera_pto_result status = TESSERA_PTO_RAN;
  std::uint64_t cycles = 0, hazards = 0;
  std::string report;  // hazards, deadlock or fault as text
  std::string summary; // time, the work and waits of every pipe, and the fill level of the FIFOs
  bool good() const { return status == TESSERA_PTO_RAN && hazards == 0; }
};

// A device that kernels are launched on: profile "a2a3" or "a5", and a credit policy (NULL: exact). The devices of a thread stack up:
// launches go to the latest one that is alive.
class pto_device {
public:
  explicit pto_device(const char *profile = "a2a3", const char *policy = nullptr) : profile_(profile), outer_(top()) {
    if (policy) policy_ = policy;
    pto::detail::program_pointer probe(tessera_pto_create(profile));
    if (!probe) throw std::invalid_argument("no profile " + profile_);
    if (policy && tessera_pto_set_policy(probe.get(), policy) < 0) throw std::invalid_argument("no policy " + policy_);
    top() = this;
  }
  ~pto_device() { top() = outer_; }
  pto_device(const pto_device &) = delete;
  pto_device &operator=(const pto_device &) = delete;

  const pto_result &last() const { return last_; }

  template <class F> const pto_result &launch(F &kernel, std::int64_t blocks) {
    if (blocks < 1 || blocks > 1024) throw std::invalid_argument("1 to 1024 blocks");
    std::vector<pto::detail::recorder> cores(static_cast<std::size_t>(blocks) * 3);
    for (std::size_t i = 0; i < cores.size(); i++) {
      cores[i].block = static_cast<std::int64_t>(i / 3);
      cores[i].blocks = blocks;
      cores[i].core = static_cast<unsigned>(i % 3);
      cores[i].local_fifos = profile_ == "a5";
      cores[i].policy = policy_.empty() ? nullptr : policy_.c_str();
      record(cores[i], kernel);
    }
    run(cores);
    if (last_.status != TESSERA_PTO_RAN && throws_) throw std::runtime_error(last_.report);
    return last_;
  }

  // Checks a block of the last launch without running it; true: no errors.
  bool check(std::string *words = nullptr, std::size_t block = 0) {
    std::string text(65536, '\0');
    int errors = tessera_pto_check(programs_.at(block).get(), &text[0], text.size());
    if (errors < 0) throw std::runtime_error(tessera_pto_error(programs_[block].get()));
    if (words) *words = text.c_str();
    return errors == 0;
  }
  // Runs a block of the last launch under many schedules; true: no schedule breaks it.
  bool explore(std::uint32_t schedules, std::string *words = nullptr, std::size_t block = 0) {
    std::string text(65536, '\0');
    int broken = tessera_pto_explore(programs_.at(block).get(), schedules, &text[0], text.size());
    if (broken < 0) throw std::runtime_error(tessera_pto_error(programs_[block].get()));
    if (words) *words = text.c_str();
    return broken == 0;
  }

  static pto_device &current() {
    if (top()) return *top();
    static thread_local std::unique_ptr<pto_device> own;
    if (!own) {
      own.reset(new pto_device());
      own->throws_ = true;
    }
    return *own;
  }

private:
  static pto_device *&top() {
    static thread_local pto_device *device = nullptr;
    return device;
  }
  template <class F> static void record(pto::detail::recorder &core, F &kernel) {
    pto::detail::recorder *&current = pto::detail::recorder::current(), *outer = current;
    current = &core;
    try {
      kernel();
    } catch (...) {
      current = outer;
      throw;
    }
    current = outer;
  }

  // Ranges of host memory that any core names; adjacent ranges are merged.
  static std::vector<pto::detail::range> merge(const std::vector<pto::detail::recorder> &cores) {
    std::vector<pto::detail::range> all, out;
    for (const auto &core : cores) all.insert(all.end(), core.touched.begin(), core.touched.end());
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.begin < b.begin; });
    for (const auto &one : all) {
      if (out.empty() || one.begin > out.back().end) out.push_back(one);
      else out.back().end = std::max(out.back().end, one.end);
    }
    return out;
  }

  void build(const std::vector<pto::detail::recorder> &cores, const std::vector<pto::detail::range> &ranges) {
    static const char *const names[] = {"cube", "vector0", "vector1"};
    programs_.clear();
    for (std::size_t i = 0; i < cores.size(); i += 3) {
      programs_.emplace_back(tessera_pto_create(profile_.c_str()));
      if (!programs_.back()) throw std::bad_alloc();
      pto::detail::builder b(programs_.back().get(), ranges);
      if (!policy_.empty()) b.good(tessera_pto_set_policy(b.program(), policy_.c_str()));
      for (std::size_t core = 0; core < 3; core++) {
        if (cores[i + core].steps.empty()) continue;
        b.start(names[core], 1u << core, cores[i + core].manual);
        for (const auto &step : cores[i + core].steps) step(b);
      }
    }
  }

  void run(const std::vector<pto::detail::recorder> &cores) {
    std::vector<pto::detail::range> ranges = merge(cores);
    build(cores, ranges);
    std::vector<tessera_pto_program *> programs;
    for (auto &p : programs_) programs.push_back(p.get());
    tessera_pto_machine *m = tessera_pto_start_grid(programs.data(), programs.size(), programs.size(), nullptr);
    if (!m) {
      for (auto &p : programs_)
        if (*tessera_pto_error(p.get())) throw std::runtime_error(tessera_pto_error(p.get()));
      throw std::runtime_error("the launch has no instruction, or memory is short");
    }
    for (std::size_t i = 0; i < ranges.size(); i++)
      tessera_pto_write_bytes(m, static_cast<int>(i), pto::detail::builder::offset_of(ranges[i].begin),
                              reinterpret_cast<const void *>(ranges[i].begin), ranges[i].end - ranges[i].begin);
    last_.status = tessera_pto_run(m, UINT64_MAX);
    last_.cycles = tessera_pto_cycles(m);
    last_.hazards = tessera_pto_hazards(m);
    last_.report = tessera_pto_report(m);
    last_.summary = tessera_pto_run_report(m, TESSERA_PTO_REPORT_TEXT);
    for (std::size_t i = 0; i < ranges.size(); i++) { // memory that the kernel did not write may be constant
      std::vector<unsigned char> bytes(ranges[i].end - ranges[i].begin);
      tessera_pto_read_bytes(m, static_cast<int>(i), pto::detail::builder::offset_of(ranges[i].begin), bytes.data(),
                             bytes.size());
      void *host = reinterpret_cast<void *>(ranges[i].begin);
      if (std::memcmp(host, bytes.data(), bytes.size()) != 0) std::memcpy(host, bytes.data(), bytes.size());
    }
    tessera_pto_stop(m);
  }

  std::string profile_, policy_;
  pto_device *outer_;
  bool throws_ = false;
  pto_result last_;
  std::vector<pto::detail::program_pointer> programs_;
};

} // namespace tessera

#endif
