# Tessera. `make help` lists the targets. Sources are found by wildcard: a new file needs no change here.
#
#   src/sim src/chips src/noc src/tensix src/chip src/system src/pto src/observe src/check src/debug src/host src/load
#   src/api src/gdb                                            -> libtessera (libc only)
#   src/cli                                                    -> tessera; all but main.c and memory.c also in libcli.a, for the tests
#   tests/test_*.c, tests/regressions/test_*.c, tests/cli_*.sh, tests/lib_*.sh             -> make test
#   bench/bench_*.c                                            -> make bench
#
# Two variants in their own directories: $(BUILD) (optimised) and $(BUILD)/asan (address and undefined-behaviour sanitizers, and the
# invariants, tiny limits and guards of src/sim/assert.h). `make invariants` has the latter alone, for long runs of the fuzzers.

VERSION   = 0.1.0
SOVERSION = 1

BUILD  ?= build
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
JOBS   ?= $(shell nproc)

# How much work a test does, in per cent of its normal amount (tests read it as TESSERA_TEST_SCALE, see CONTRIBUTING.md).
TEST_SCALE      ?= 25
ASAN_SCALE      ?= 2
ALL_SCALE       ?= 100
ALL_ASAN_SCALE  ?= 10
SOAK_SCALE      ?= 10000
SOAK_ASAN_SCALE ?= 1000

DEMO_CMD = $(BUILD)/tessera demo

# --- flags: CFLAGS, CPPFLAGS and LDFLAGS are the caller's; `make WERROR=` builds with a compiler that warns about more ---

ifeq ($(origin CC),default)
CC = gcc
endif

ifeq ($(SANITIZE),thread)
VARIANT = -O1 -g -fsanitize=thread
else ifdef SANITIZE
# -Og builds in half the time of -O1.
# Undefined behaviour traps: text at each place would double the code, and ASAN_OPTIONS=handle_sigill=1 (tests/run) prints the stack with its lines.
VARIANT = -Og -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fsanitize-undefined-trap-on-error -DTESSERA_INVARIANTS
else ifdef INVARIANTS
VARIANT = -O2 -g1 -DTESSERA_INVARIANTS
else
# Some x86 hosts execute jumps that cross 32 bytes slowly: the speed of the cores would depend by up to 16 % on where the linker puts them.
BRANCHES := $(shell $(CC) -Wa,-mbranches-within-32B-boundaries -c -x c /dev/null -o /dev/null 2> /dev/null && \
              echo -Wa,-mbranches-within-32B-boundaries)
VARIANT = -O2 -g1 $(BRANCHES) # lines for a backtrace; `make CFLAGS=-g` adds variables
endif
# `private`: the file of flags, which objects depend on, must not take over the optimisation of whichever object is asked for first.
# Half of the time of a build is the optimiser, and test programs gain little from it; undefined behaviour is checked in what they test.
TEST_OPTIMISE = $(if $(SANITIZE),-O0 -fno-sanitize=undefined,-Og)
$(BUILD)/obj/tests/%.o: private OPTIMISE = $(TEST_OPTIMISE)
# The checkers follow every instruction: -O3 makes them 3 % faster. So it does the front ends, the cores and the engine with timing on.
$(BUILD)/obj/src/check/%.o: private OPTIMISE = $(if $(SANITIZE)$(INVARIANTS),,-O3)
$(BUILD)/obj/src/sim/%.o $(BUILD)/obj/src/tensix/frontend/%.o $(BUILD)/obj/src/tensix/riscv/%.o $(BUILD)/obj/src/tensix/lap/%.o: private OPTIMISE = $(if $(SANITIZE)$(INVARIANTS),,-O3)
WERROR   ?= -Werror
# Instrumented code warns of what is not there; the plain build reports the warnings.
WARNINGS  = $(if $(SANITIZE),-w,-Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR))
LANGUAGE  = -std=c11 -D_POSIX_C_SOURCE=200809L -DTESSERA_VERSION=\"$(VERSION)\" -Isrc -Iinclude
# Where the installed command looks for the kernel library when it is not beside it.
$(BUILD)/obj/src/cli/kernel_library.o: CPPFLAGS += -DTESSERA_DATADIR=\"$(DATADIR)\"
COMPILE   = $(CC) $(LANGUAGE) $(VARIANT) $(OPTIMISE) $(WARNINGS) -fvisibility=default -fPIC -fno-semantic-interposition \
            $(CPPFLAGS) $(CFLAGS)
LINK      = $(CC) $(VARIANT) $(CFLAGS) $(LDFLAGS)

# --- sources ---

LIB_DIRS  = src/sim src/chips src/noc src/tensix src/chip src/system src/pto src/load src/observe src/check src/debug src/host src/api src/gdb
ABI_SRC  := $(sort $(wildcard src/host/abi/*.c))
LIB_SRC  := $(filter-out $(ABI_SRC),$(sort $(shell find $(wildcard $(LIB_DIRS)) -name '*.c')))
CLI_SRC  := $(sort $(wildcard src/cli/*.c))
TEST_SRC := $(sort $(wildcard tests/test_*.c tests/regressions/test_*.c))
BENCH_SRC:= $(sort $(wildcard bench/bench_*.c))
FUZZERS  := $(patsubst %.c,%,$(filter %_fuzz.c tests/test_autosync.c tests/test_gate.c,$(TEST_SRC)))
HEADERS  := $(sort $(wildcard include/tessera/*.h include/tessera/*.hpp))

objects   = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIB_OBJ   = $(call objects,$(LIB_SRC))
MAIN_SRC  = src/cli/main.c src/cli/memory.c
CLI_OBJ   = $(call objects,$(filter-out $(MAIN_SRC),$(CLI_SRC)))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/*.c))
ALL_OBJ   = $(call objects,$(FUZZ_SRC) $(LIB_SRC) $(ABI_SRC) $(CLI_SRC) $(TEST_SRC) $(BENCH_SRC))
TESTS     = $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SRC))
BENCHES   = $(patsubst bench/%.c,$(BUILD)/bench/%,$(BENCH_SRC))

STATIC    = $(BUILD)/libtessera.a
SHARED    = $(BUILD)/libtessera.so.$(SOVERSION)
TTSIM     = $(BUILD)/libttsim.so
FORWARD   = $(BUILD)/libttsim_forward.so

.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY: $(ALL_OBJ)
.PHONY: all programs demo site test test-all test-report test-site asan soak silicon bench bench-compare test-ttnn lint docs format install uninstall clean help FORCE

all: $(BUILD)/tessera $(STATIC) $(SHARED) $(BUILD)/libtessera.so $(TTSIM) $(BUILD)/tessera.pc $(BUILD)/tessera-kernels.pc $(BUILD)/libtessera_kernel.a $(BUILD)/kernels/include/tensix_isa.h $(BUILD)/kernels/include/api_paths.ok  ## build the command and the library
programs: $(BUILD)/tessera $(STATIC) $(TESTS) fuzz-targets $(if $(SANITIZE),,$(BENCHES))
.PHONY: fuzzers invariants
fuzzers: $(BUILD)/tessera $(addprefix $(BUILD)/,$(FUZZERS))

# --- building ---

# A file that holds what it is given; its date moves only when that changes. So new flags rebuild everything, and a removed
# source leaves the archives.
define remember
@mkdir -p $(@D)
@printf '%s\n' '$(1)' | cmp -s - $@ || printf '%s\n' '$(1)' > $@
endef
$(BUILD)/flags: FORCE
	$(call remember,$(COMPILE) / $(TEST_OPTIMISE) / $(LINK))
$(BUILD)/sources: FORCE
	$(call remember,$(LIB_SRC) $(CLI_SRC))

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(COMPILE) -MMD -MP -c $< -o $@

$(BUILD)/%.a: $(BUILD)/sources
	@echo "  AR    $@"
	@rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)
$(STATIC): $(LIB_OBJ)
$(BUILD)/libcli.a: $(CLI_OBJ)

$(SHARED): $(LIB_OBJ) src/tessera.map $(BUILD)/sources
	@echo "  LD    $@"
	@$(LINK) -shared -Wl,-soname,$(@F) -Wl,--version-script=src/tessera.map -Wl,--no-undefined $(LIB_OBJ) -lm -o $@
$(BUILD)/libtessera.so: $(SHARED)
	@ln -sf $(<F) $@
# What host programs load (docs/guide/ttnn.md). It needs no other file, because UMD loads a copy of it from memory.
$(TTSIM): $(call objects,$(ABI_SRC)) $(STATIC) src/host/abi/ttsim.map
	@echo "  LD    $@"
	@$(LINK) -shared -Wl,-soname,libttsim.so -Wl,--version-script=src/host/abi/ttsim.map -Wl,--no-undefined \
	  $(filter %.o %.a,$^) -lm -pthread -o $@
$(FORWARD): tests/ttnn/forward.c
	@echo "  LD    $@"
	@$(LINK) $(LANGUAGE) $(WARNINGS) -fPIC -shared $< -ldl -o $@

$(BUILD)/tessera: $(call objects,$(MAIN_SRC)) $(BUILD)/libcli.a $(STATIC)
	@echo "  LD    $@"
	@$(LINK) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc $^ -lz -lm -o $@
# The library and the command in one shared object for the test programs: each of them links in a fifth of the time.
TESTED    = $(BUILD)/libtested.so
LINK_TEST = $(LINK) $(filter %.o,$^) $(TESTED) -Wl,--allow-shlib-undefined -Wl,-rpath,'$$ORIGIN/..:$$ORIGIN/../..'
$(TESTED): $(LIB_OBJ) $(CLI_OBJ) $(BUILD)/sources
	@echo "  LD    $@"
	@$(LINK) -shared -Wl,-Bsymbolic -Wl,-soname,$(@F) $(filter %.o,$^) -lz -lm -pthread -o $@
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(TESTED)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(LINK_TEST) -lcmocka -lz -lm -pthread -o $@
$(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(BUILD)/libcli.a $(STATIC)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(LINK) $(filter %.o,$^) $(filter %.a,$^) -lz -lm -pthread -o $@

$(BUILD)/conform: tests/aarch64/conform.c $(STATIC)
	@echo "  LD    $@"
	@$(LINK) $(LANGUAGE) $(WARNINGS) $^ -lm -pthread -o $@

PKGCONFIG = sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCDIR@|$(INCDIR)|; s|@DATADIR@|$(DATADIR)|; s|@VERSION@|$(VERSION)|'
$(BUILD)/%.pc: %.pc.in Makefile
	@mkdir -p $(@D)
	@$(PKGCONFIG) $< > $@

-include $(ALL_OBJ:.o=.d)

include kernels/kernels.mk

# --- fuzz targets (tests/fuzz): a plain program each, and with clang's libFuzzer for make fuzz ---

FUZZ_TARGETS = $(filter-out main,$(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/*.c))))
FUZZ_BUILD   = BUILD=$(BUILD)/fuzzers CC=clang SANITIZE=1 WERROR=
$(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/%.o $(BUILD)/obj/tests/fuzz/main.o $(TESTED)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(LINK_TEST) -lz -lm -pthread -o $@
$(BUILD)/libfuzzer/%: tests/fuzz/%.c $(BUILD)/libcli.a $(STATIC)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(COMPILE) -fsanitize=fuzzer $^ -lz -lm -pthread -o $@

MINUTES ?= 10
.PHONY: fuzz fuzz-targets
fuzz-targets: $(FUZZ_TARGETS:%=$(BUILD)/fuzz/%)
fuzz:  ## libFuzzer on every target of tests/fuzz for MINUTES=10 in all; new inputs stay in build/corpus
	@$(SUBMAKE) $(FUZZ_BUILD) CFLAGS=-fsanitize=fuzzer-no-link $(FUZZ_TARGETS:%=$(BUILD)/fuzzers/libfuzzer/%)
	@for t in $(FUZZ_TARGETS); do mkdir -p $(BUILD)/corpus/$$t; tar -xzf tests/fuzz/corpus/$$t.tar.gz -C $(BUILD)/corpus/$$t || exit 1; \
	  echo "# $$t"; $(BUILD)/fuzzers/libfuzzer/$$t -max_total_time=$$(( $(MINUTES) * 60 / $(words $(FUZZ_TARGETS)) )) -timeout=10 \
	  -rss_limit_mb=1024 -max_len=65536 -print_final_stats=1 $(BUILD)/corpus/$$t 2>&1 | grep -E 'stat::|ERROR|SUMMARY|Test unit' ; \
	  ls crash-* timeout-* oom-* leak-* 2> /dev/null && exit 1; done; true

# --- coverage: the plain tests on a build of its own, then lines and branches by directory ---

.PHONY: coverage
COVERAGE = BUILD=$(BUILD)/coverage CFLAGS="--coverage -O1 -fno-inline -fprofile-update=atomic" LDFLAGS=--coverage WERROR=
coverage:  ## line and branch coverage of src by the plain tests (gcov), by directory
	@tools/install-deps test
	@$(SUBMAKE) $(COVERAGE) all programs
	@find $(BUILD)/coverage -name '*.gcda' -delete
	@{ $(call unit_jobs,$(BUILD)/coverage,$(TEST_SCALE)) $(call conform_jobs,$(BUILD)/coverage,$(TEST_SCALE)) \
	   $(call cli_jobs,$(BUILD)/coverage,$(TEST_SCALE)) $(call lib_jobs,$(BUILD)/coverage,$(TEST_SCALE),$(CC) --coverage) } \
	 | grep -v -e lib_install -e lib_demo -e lib_rules `# they call make with other flags, or are about another build` \
	 | TESSERA_TEST_TIMEOUT=1800 $(RUN) || true
	@python3 tests/coverage.py $(BUILD)/coverage  # the table of docs/evidence/test-coverage.md

# --- running: demo and test install what is missing first, so the building is left to a second make ---

SUBMAKE = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
ASAN    = BUILD=$(BUILD)/asan SANITIZE=1 KERNELS_FROM=$(BUILD)
TSAN    = BUILD=$(BUILD)/tsan SANITIZE=thread
ARM     = BUILD=$(BUILD)/aarch64 CC=aarch64-linux-gnu-gcc
INVARIANT = BUILD=$(BUILD)/invariants INVARIANTS=1

demo:  ## build and show what Tessera does
	@tools/install-deps build kernels
	@$(SUBMAKE) all examples
	@echo "$(DEMO_CMD)"
	@$(DEMO_CMD)

# One job per line for tests/run: the scale and a command. A line that begins with # is a heading.
# $(1): build directory, $(2): scale
include tests/conform.mk
unit_jobs    = $(foreach t,$(or $(3),$(TEST_SRC:%.c=%)),echo "$(2) $(1)/$(t)";)
# Under the sanitizers make test has every fourth of them, and all that give foreign or damaged bytes to the library; make test-all has all.
ASAN_TESTS   = $(shell printf '%s\n' $(TEST_SRC:%.c=%) | awk 'NR % 4 == 2 || /fuzz|state|elf|npy|casefile|_api|calls|abi|dwarf/')
conform_jobs = $(foreach c,$(CONFORM_CASES),$(foreach t,$(CONFORM_TIMINGS), \
                 echo "$(2) $(strip $(1)/tessera conform --timing $(t) $(CONFORM_ARGS)) $(c)";))
# NoC cases on several host threads, as words TIMING-THREADS: $(3).
noc_jobs     = $(foreach w,$(3),echo "$(2) $(1)/tessera conform --timing $(word 1,$(subst -, ,$(w))) \
                 --threads $(word 2,$(subst -, ,$(w))) tests/cases/noc.case.gz";)
cli_jobs     = $(foreach t,$(sort $(wildcard tests/cli_*.sh)),echo "$(2) BUILD=$(1) sh $(t)";)
lib_jobs     = $(foreach t,$(sort $(wildcard tests/lib_*.sh)),echo "$(2) BUILD=$(1) CC='$(or $(3),$(CC))' sh $(t)";)
fuzz_jobs    = $(foreach t,$(FUZZERS),echo "$(2) $(1)/$(t)";)
RUN = TESSERA_TEST_JOBS=$(JOBS) TESSERA_CACHE=$(abspath $(BUILD))/cache tests/run $(BUILD)/test-logs

test:  ## build and run all tests, a part of them under the sanitizers; the last line counts them
	@tools/install-deps test
	@$(SUBMAKE) all programs
	@$(SUBMAKE) $(ASAN) $(ASAN_TESTS:%=$(BUILD)/asan/%) fuzz-targets
	@{ echo "# unit tests"; $(call unit_jobs,$(BUILD),$(TEST_SCALE)) \
	   echo "# a part of them under the sanitizers and with invariants, $(ASAN_SCALE) % of the work"; \
	   $(call unit_jobs,$(BUILD)/asan,$(ASAN_SCALE),$(ASAN_TESTS)) \
	   echo "$(ASAN_SCALE) BUILD=$(BUILD)/asan sh tests/lib_fuzz.sh"; \
	   echo "# the command and the library from outside"; \
	   $(call cli_jobs,$(BUILD),$(TEST_SCALE)) $(call lib_jobs,$(BUILD),$(TEST_SCALE)) \
	   echo "# conformance cases"; $(call conform_jobs,$(BUILD),$(TEST_SCALE)) \
	   $(call noc_jobs,$(BUILD),$(TEST_SCALE),off-2 cycle-8) } | $(RUN)

# What has threads of its own, under ThreadSanitizer; the golden cases on another architecture.
TSAN_TESTS = test_chip_threads test_chip_windows test_host_abi test_pto_sweep
tsan_jobs  = $(foreach t,$(TSAN_TESTS),echo "$(ALL_ASAN_SCALE) $(BUILD)/tsan/tests/$(t)";)
arm_jobs   = $(foreach c,$(CONFORM_CASES),$(foreach t,$(CONFORM_TIMINGS), \
               echo "100 zcat $(c) | qemu-aarch64 -L /usr/aarch64-linux-gnu $(BUILD)/aarch64/conform $(t)";))

test-all:  ## what is slow: four times the work of make test, ThreadSanitizer, aarch64; under 40 minutes
	@tools/install-deps test-all
	@$(SUBMAKE) all programs
	@$(SUBMAKE) $(ASAN) programs
	@$(SUBMAKE) $(TSAN) $(TSAN_TESTS:%=$(BUILD)/tsan/tests/%)
	@$(SUBMAKE) $(ARM) $(BUILD)/aarch64/conform
	@tools/install-deps report || echo "without Chromium the report's test is skipped"
	@{ echo "# the HTML report in Chromium"; echo "100 BUILD=$(BUILD) sh tests/report.sh"; echo "100 make -s BUILD=$(BUILD) test-site"; \
	   echo "# the Python package as pip installs it"; echo "100 BUILD=$(BUILD) CC=$(CC) sh tests/python.sh"; \
	   echo "# the Debian packages in a clean root"; echo "100 CC=$(CC) sh tests/debian.sh"; \
	   echo "# unit tests, all of their normal work"; $(call unit_jobs,$(BUILD),$(ALL_SCALE)) \
	   echo "# unit tests under the sanitizers, $(ALL_ASAN_SCALE) % of the work"; $(call unit_jobs,$(BUILD)/asan,$(ALL_ASAN_SCALE)) \
	   echo "# scripts of which make test runs a part"; \
	   $(foreach t,check explore hangs hangs_grid kernel kernel_api kernel_dataflow kernel_formats kernel_hangs kernel_mistakes operation probes users why why_kernel why_more,echo "100 BUILD=$(BUILD) sh tests/cli_$(t).sh";) \
	   echo "100 BUILD=$(BUILD) CC=$(CC) sh tests/lib_python.sh"; \
	   echo "# NoC cases on several threads"; $(call noc_jobs,$(BUILD),$(ALL_SCALE),cycle-2 off-8) \
	   echo "# fuzz corpora and mutations of them"; echo "100 BUILD=$(BUILD) sh tests/lib_fuzz.sh"; \
	   echo "# every allocation fails once"; echo "100 BUILD=$(BUILD) CC=$(CC) sh tests/lib_alloc.sh"; \
	   echo "# under ThreadSanitizer"; $(tsan_jobs) \
	   echo "# conformance cases on aarch64"; $(arm_jobs) } | TESSERA_TEST_TIMEOUT=1200 $(RUN)

test-report:  ## the HTML report in headless Chromium
	@tools/install-deps test report
	@$(SUBMAKE) all
	@BUILD=$(BUILD) sh tests/report.sh

asan:  ## unit tests, conformance cases and the command, all under the sanitizers
	@tools/install-deps test
	@$(SUBMAKE) kernels recorded $(BUILD)/kernels/headers.ok
	@$(SUBMAKE) $(ASAN) programs
	@{ echo "# under the sanitizers, $(ASAN_SCALE) % of the work"; $(call unit_jobs,$(BUILD)/asan,$(ASAN_SCALE)) \
	   $(call conform_jobs,$(BUILD)/asan,$(ASAN_SCALE)) $(call cli_jobs,$(BUILD)/asan,$(ASAN_SCALE)) } | $(RUN)

invariants:  ## fuzzers and conformance cases in the invariant build: TEST_SCALE=1000 for ten times the work
	@tools/install-deps test
	@$(SUBMAKE) $(INVARIANT) fuzzers
	@{ echo "# fuzzers with invariants and tiny limits, $(TEST_SCALE) % of the work"; \
	   $(call fuzz_jobs,$(BUILD)/invariants,$(TEST_SCALE)) \
	   echo "# conformance cases"; $(call conform_jobs,$(BUILD)/invariants,$(TEST_SCALE)) } | $(RUN)

.PHONY: bugs
bugs: $(BUILD)/tessera $(ISA_HEADER) $(KERNEL_PROGRAMS)  ## mutants of correct kernels: which of them the checkers name; correct programs under 1,000 schedules; two hours
	@tools/install-deps test
	@python3 tests/bugs/quiet.py --build $(BUILD)
	@python3 tests/bugs/alike.py --build $(BUILD)
	@mkdir -p $(BUILD)/bugs
	@python3 tests/bugs/seeded.py --build $(BUILD) --table $(BUILD)/bugs/seeded.txt
	@python3 tests/bugs/users.py --build $(BUILD) --table $(BUILD)/bugs/users.txt
	@python3 tests/bugs/bugs.py --build $(BUILD) --verbose --table $(BUILD)/bugs/mutants.txt --journal $(BUILD)/bugs/mutants.journal

soak:  ## the unit tests with a hundred times the work; hours
	@tools/install-deps test
	@$(SUBMAKE) programs
	@$(SUBMAKE) $(ASAN) programs
	@{ echo "# unit tests, $(SOAK_SCALE) % of the work"; $(call unit_jobs,$(BUILD),$(SOAK_SCALE)) \
	   echo "# under the sanitizers, $(SOAK_ASAN_SCALE) % of the work"; $(call unit_jobs,$(BUILD)/asan,$(SOAK_ASAN_SCALE)) } \
	 | TESSERA_TEST_TIMEOUT=86400 $(RUN)

silicon: $(BUILD)/tests/test_silicon $(BUILD)/tests/test_noc_figures  ## print the cycles of every probe beside those measured on a card
	@$(BUILD)/tests/test_silicon --table
	@$(BUILD)/tests/test_noc_figures --table

bench:  ## measure speed; one line per figure
	@tools/install-deps build
	@$(SUBMAKE) $(BENCHES) $(BUILD)/tests/test_sfpu $(BUILD)/tests/test_sort
	@for b in $(BENCHES) "$(BUILD)/tests/test_sfpu --cycles" "$(BUILD)/tests/test_sort --cycles"; do $$b || exit 1; done

bench-compare:  ## measure chip programs, whole kernels and MVMUL beside ttsim's library: TTSIM_LIB=PATH make bench-compare
	@test -n "$(TTSIM_LIB)" || { echo "TTSIM_LIB must name ttsim's libttsim.so; see docs/reference/matrix-unit.md"; exit 2; }
	@$(SUBMAKE) $(BUILD)/bench/bench_matrix $(BUILD)/bench/bench_llk $(BUILD)/bench/bench_users
	@TTSIM_LIB=$(TTSIM_LIB) $(BUILD)/bench/bench_users
	@TTSIM_LIB=$(TTSIM_LIB) $(BUILD)/bench/bench_matrix
	@TTSIM_LIB=$(TTSIM_LIB) $(BUILD)/bench/bench_llk

test-ttnn: $(TTSIM) $(FORWARD)  ## host programs from PyPI on libttsim.so: LEVELS="1 2 3", see docs/guide/ttnn.md
	@BUILD=$(BUILD) tests/ttnn/run $(addprefix --level ,$(LEVELS)) $(TTNN_ARGS)

# --- checking; .def tables are laid out by hand ---

FORMAT_SRC = $(sort $(shell find $(wildcard src include tests bench kernels) -name '*.[ch]'))
TIDY_SRC   = $(LIB_SRC) $(ABI_SRC) $(CLI_SRC) $(TEST_SRC) $(BENCH_SRC)

lint:  ## clang-format, clang-tidy and cppcheck, all without a finding
	@tools/install-deps lint
	@echo "  clang-format"; clang-format --dry-run -Werror $(FORMAT_SRC)
	@echo "  clang-tidy"; printf '%s\n' $(TIDY_SRC) | \
	  xargs -P $(JOBS) -I{} clang-tidy --quiet {} -- $(LANGUAGE) $(WARNINGS) 2> /dev/null # there it only counts
	@echo "  cppcheck"; cppcheck --quiet -j $(JOBS) --std=c11 --language=c --enable=warning,performance,portability \
	  --inline-suppr --error-exitcode=1 --suppress=missingIncludeSystem \
	  $(filter -D% -I%,$(LANGUAGE)) $(wildcard src bench)

docs: $(BUILD)/tessera  ## generate docs/reference/isa.md, docs/evidence/coverage.md and the generated parts of docs/reference from the tables
	$(BUILD)/tessera isa --markdown > docs/reference/isa.md
	$(BUILD)/tessera isa --coverage-markdown > docs/evidence/coverage.md
	mkdir -p docs/reference && $(BUILD)/tessera pto ops --markdown > docs/reference/pto-ir.md
	$(BUILD)/tessera exec --trace-schema > docs/reference/trace-schema.md
	$(BUILD)/tessera explain --markdown > docs/reference/diagnostics.md
	tools/readme-figures $(BUILD)
	@$(SUBMAKE) all examples kernels
	python3 tests/shown.py --write $(BUILD) README.md $$(sed -n 's/^exec .*"$$BUILD" //p' tests/cli_guides.sh) # outputs of commands
	@$(SUBMAKE) $(BUILD)/tests/test_sfpu
	TESSERA_WRITE_TABLE=1 $(BUILD)/tests/test_sfpu > /dev/null # docs/reference/sfpu-accuracy.md

SITE_VENV = $(BUILD)/site-venv
$(SITE_VENV)/bin/mkdocs:
	python3 -m venv $(SITE_VENV) && $(SITE_VENV)/bin/pip install --quiet 'mkdocs-material>=9.5,<10'

site: $(SITE_VENV)/bin/mkdocs  ## build the documents as a static site with search in build/site
	@tools/build-site $(BUILD) && echo "$(BUILD)/site/index.html"

test-site: site  ## open every page of the site in headless Chromium, follow every link
	@tools/install-deps report
	@python3 tests/site.py $(BUILD)/site "$$(command -v chromium || command -v chromium-browser || command -v google-chrome)"

format:  ## rewrite the sources in the common layout
	clang-format -i $(FORMAT_SRC)

# --- installing ---

# Manual pages and completion scripts come from the command's own tables. A cross build names a command that runs here in TESSERA.
TESSERA ?= $(BUILD)/tessera
MAN_DIR  = $(DESTDIR)$(DATADIR)/man/man1
KERNEL_DIR = $(DESTDIR)$(DATADIR)/tessera/kernels
COMPLETIONS = bash:bash-completion/completions/tessera zsh:zsh/site-functions/_tessera \
              fish:fish/vendor_completions.d/tessera.fish

install: all  ## install under $(DESTDIR)$(PREFIX)
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCDIR)/tessera/compat/pto/common \
	  $(DESTDIR)$(INCDIR)/tessera/compat/pto/detail
	install -m 755 $(BUILD)/tessera $(DESTDIR)$(BINDIR)/tessera
	install -m 644 $(STATIC) $(SHARED) $(DESTDIR)$(LIBDIR)
	ln -sf $(notdir $(SHARED)) $(DESTDIR)$(LIBDIR)/libtessera.so
	for pc in tessera tessera-kernels; do $(PKGCONFIG) $$pc.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/$$pc.pc || exit 1; done
	install -m 644 $(HEADERS) $(DESTDIR)$(INCDIR)/tessera
	install -m 644 include/tessera/compat/pto/*.hpp $(DESTDIR)$(INCDIR)/tessera/compat/pto
	install -m 644 include/tessera/compat/pto/common/*.hpp $(DESTDIR)$(INCDIR)/tessera/compat/pto/common
	install -m 644 include/tessera/compat/pto/detail/*.hpp $(DESTDIR)$(INCDIR)/tessera/compat/pto/detail
	for f in $$(cd kernels && find include firmware template templates empty.c -type f) host/kernel_host.h; do \
	  install -D -m 644 kernels/$$f $(KERNEL_DIR)/$$f || exit 1; done
	for f in $$(cd $(BUILD)/kernels && find include -type f ! -name '*.ok'); do \
	  install -D -m 644 $(BUILD)/kernels/$$f $(KERNEL_DIR)/$$f || exit 1; done
	install -m 644 $(BUILD)/libtessera_kernel.a $(DESTDIR)$(LIBDIR)
	install -d $(MAN_DIR)
	for page in $$($(TESSERA) man --list); do $(TESSERA) man $$page > $(MAN_DIR)/$$page.1 || exit 1; done
	for c in $(COMPLETIONS); do install -d $(DESTDIR)$(DATADIR)/$$(dirname $${c#*:}) && \
	  $(TESSERA) completion $${c%%:*} > $(DESTDIR)$(DATADIR)/$${c#*:} || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/share/tessera/sim
	install -m 755 $(TTSIM) $(DESTDIR)$(PREFIX)/share/tessera/sim/libttsim.so
	install -m 755 tools/sim-dir $(DESTDIR)$(PREFIX)/share/tessera/sim/sim-dir

# The kernels of `tessera demo`: they need the RISC-V compiler, so they are apart.
DEMO_DIR = $(DESTDIR)$(PREFIX)/share/tessera/demo
DEMO_ELFS = $(foreach core,brisc ncrisc trisc0 trisc1 trisc2,$(BUILD)/kernels/grid_matmul/$(core).elf)
.PHONY: install-demo
install-demo: $(DEMO_ELFS)  ## install the kernels of `tessera demo`
	install -d $(DEMO_DIR)/grid_matmul
	install -m 644 $(DEMO_ELFS) $(DEMO_DIR)/grid_matmul
	sed 's|build/kernels/||; s|^# tessera chip run .*|# tessera demo|' examples/grid_matmul/grid_matmul.chip > $(DEMO_DIR)/demo.chip

uninstall:  ## remove what install put there
	rm -f $(DESTDIR)$(BINDIR)/tessera $(addprefix $(DESTDIR)$(LIBDIR)/,libtessera.a libtessera_kernel.a libtessera.so $(notdir $(SHARED)))
	rm -f $(DESTDIR)$(LIBDIR)/pkgconfig/tessera.pc $(DESTDIR)$(LIBDIR)/pkgconfig/tessera-kernels.pc
	rm -rf $(DESTDIR)$(INCDIR)/tessera
	rm -f $(MAN_DIR)/tessera.1 $(MAN_DIR)/tessera-*.1
	for c in $(COMPLETIONS); do rm -f $(DESTDIR)$(DATADIR)/$${c#*:}; done
	rm -rf $(DESTDIR)$(PREFIX)/share/tessera $(KERNEL_DIR)

clean:  ## remove all that was built
	rm -rf $(BUILD)

help:  ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(filter-out %.d,$(MAKEFILE_LIST)) | expand -t 22
