# Kernels: the generated instruction header, programs for the RISC-V cores, and the same sources recorded on the host for
# the tests. Included by the top Makefile.

ISA_HEADER = $(BUILD)/kernels/include/tensix_isa.h
$(ISA_HEADER): $(BUILD)/tessera
	@mkdir -p $(@D)
	@echo "  GEN   $@"
	@$(BUILD)/tessera isa --c-header > $@.$$$$ && { cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@; } # two makes may run at once

# The vendor's include paths: each leads to kernel_api.h. Paths with no function behind them yet are not in the list.
API_PATHS = $(BUILD)/kernels/include/api_paths.ok
$(API_PATHS): kernels/api_paths.list
	@echo "  GEN   $(@D)/api"
	@while read -r path; do mkdir -p $(@D)/$$(dirname $$path) && echo '#include "kernel_api.h"' > $(@D)/$$path; done < $<
	@touch $@

# The launcher for host programs (kernels/host/kernel_host.h).
$(BUILD)/libtessera_kernel.a: $(call objects,kernels/host/kernel_host.c)

# Settings that a kernel normally fixes, taken from its arguments instead: one program serves every case of a test.
BY_ARGUMENT = '-DMATH_FIDELITY=get_arg_val(3)' '-DMM_THROTTLE=get_arg_val(4)' '-DDST_ACCUM_MODE=get_arg_val(5)' \
              '-DDST_SYNC_FULL=get_arg_val(6)' '-DUNPACK_TO_DST=get_arg_val(18)'

# --- recorded on the host: $(BUILD)/kernels/host/NAME_CORE.o, entry NAME_unpack, NAME_math, NAME_pack ---

# One object for every build, in which undefined behaviour traps: sfpu_ops takes 13 seconds to compile for both sanitizers.
RECORD_FLAGS = -std=c11 -O0 -g1 -DTT_RECORD -Ikernels/include -I$(BUILD)/kernels/include -Wall -Wextra -Werror -fPIC \
               -fsanitize=undefined -fsanitize-undefined-trap-on-error $(BY_ARGUMENT)
KERNEL_HEADERS = $(wildcard kernels/include/*.h kernels/include/*.def) $(ISA_HEADER) $(API_PATHS)

ifdef KERNELS_FROM
define record_kernel
RECORDED += $(foreach c,unpack math pack,$(KERNELS_FROM)/kernels/host/$(1)_$(c).o)
endef
else
define record_kernel
$(BUILD)/kernels/host/$(1)_unpack.o: $(2) $(KERNEL_HEADERS)
	@mkdir -p $$(@D)
	@echo "  CC    $$@"
	@$(CC) $(RECORD_FLAGS) -DTRISC_UNPACK -Dkernel_entry=$(1)_unpack -Dkernel_main=$(1)_unpack_main -c $$< -o $$@
$(BUILD)/kernels/host/$(1)_math.o: $(2) $(KERNEL_HEADERS)
	@mkdir -p $$(@D)
	@echo "  CC    $$@"
	@$(CC) $(RECORD_FLAGS) -DTRISC_MATH -Dkernel_entry=$(1)_math -Dkernel_main=$(1)_math_main -c $$< -o $$@
$(BUILD)/kernels/host/$(1)_pack.o: $(2) $(KERNEL_HEADERS)
	@mkdir -p $$(@D)
	@echo "  CC    $$@"
	@$(CC) $(RECORD_FLAGS) -DTRISC_PACK -Dkernel_entry=$(1)_pack -Dkernel_main=$(1)_pack_main -c $$< -o $$@
RECORDED += $(BUILD)/kernels/host/$(1)_unpack.o $(BUILD)/kernels/host/$(1)_math.o $(BUILD)/kernels/host/$(1)_pack.o
endef
endif
$(eval $(call record_kernel,matmul,examples/matmul/compute.c))
$(eval $(call record_kernel,ops,tests/kernels/ops.c))
$(eval $(call record_kernel,sfpu_ops,tests/kernels/sfpu_ops.c))
$(eval $(call record_kernel,sort_ops,tests/kernels/sort_ops.c))
$(eval $(call record_kernel,pool_ops,tests/kernels/pool_ops.c))

recorded: $(RECORDED)
.PHONY: recorded

RECORDED_TESTS = $(patsubst %,$(BUILD)/tests/%,test_kernels test_kernels_reduce test_kernels_layout test_kernels_formats test_sfpu test_sfpu_modes test_sort test_pool)
$(RECORDED_TESTS): $(RECORDED) $(BUILD)/obj/tests/kernels/record.o

# --- programs for the cores: $(BUILD)/kernels/NAME/{brisc,ncrisc,trisc0,trisc1,trisc2}.elf ---

RISCV_CC   ?= riscv64-unknown-elf-gcc
RISCV_FLAGS = -march=rv32im_zba_zbb -mabi=ilp32 -ffreestanding -nostdlib -O2 -g -fno-tree-loop-distribute-patterns \
              -Wall -Wextra -Werror -Ikernels/include -Itests/kernels -I$(BUILD)/kernels/include
RISCV_CXX   = -std=c++17 -fno-exceptions -fno-rtti
FIRMWARE    = kernels/firmware/start.S kernels/firmware/firmware.c

# $(1): program, $(2): core, $(3): its define, $(4): number for its place in L1, $(5): bytes of local RAM, $(6): kernel,
# $(7): more flags. KERNELS_FROM names another build directory whose programs serve this build too (the sanitizers' build: a program
# for a core does not depend on how the simulator is compiled).
ifdef KERNELS_FROM
define core_program
KERNEL_PROGRAMS += $(BUILD)/kernels/$(1)/$(2).elf
endef
$(BUILD)/kernels/%.elf: $(KERNELS_FROM)/kernels/%.elf
	@mkdir -p $(@D)
	@ln -f $< $@
else
# An object without flags of its own serves every program that has it: $(BUILD)/kernels/obj/CORE/SOURCE.o. $(1): core, $(2): its define,
# $(3): more flags
define core_objects
$(BUILD)/kernels/obj/$(1)/%.o: % $(KERNEL_HEADERS)
	@mkdir -p $$(@D)
	@$(RISCV_CC) $(RISCV_FLAGS) $$(if $$(filter %.cpp,$$<),$(RISCV_CXX)) -D$(2) $(3) -MMD -MP -c $$< -o $$@
endef
$(foreach c,brisc:COMPILE_FOR_BRISC ncrisc:COMPILE_FOR_NCRISC trisc0:TRISC_UNPACK trisc1:TRISC_MATH trisc2:TRISC_PACK,\
  $(eval $(call core_objects,$(word 1,$(subst :, ,$(c))),$(word 2,$(subst :, ,$(c))))))
-include $(shell find $(BUILD)/kernels/obj -name '*.d' 2> /dev/null)

LINK_CORE = $(RISCV_CC) $(RISCV_FLAGS) $(filter %.o,$^) -T kernels/firmware/tensix.ld \
  -Wl,--defsym,CODE_BASE=$$((0x2000+$(1)*0x6000)),--defsym,LOCAL_BYTES=$(2),--no-warn-rwx-segments -o $@
define core_program
$(BUILD)/kernels/$(1)/$(2).elf: $(FIRMWARE:%=$(BUILD)/kernels/obj/$(2)/%.o) kernels/firmware/tensix.ld $(if $(7),\
  $(BUILD)/kernels/$(1)/$(2).o,$(BUILD)/kernels/obj/$(2)/$(6).o)
	@mkdir -p $$(@D)
	@echo "  RVLD  $$@"
	@$$(call LINK_CORE,$(4),$(5))
$(if $(7),$(call core_object,$(1),$(2),$(3),$(6),$(7)))
KERNEL_PROGRAMS += $(BUILD)/kernels/$(1)/$(2).elf
endef
define core_object
$(BUILD)/kernels/$(1)/$(2).o: $(4) $(wildcard $(dir $(4))*.h) $(KERNEL_HEADERS)
	@mkdir -p $$(@D)
	@echo "  RVCC  $$@"
	@$(RISCV_CC) $(RISCV_FLAGS) $(if $(filter %.cpp,$(4)),$(RISCV_CXX)) -D$(3) $(5) -c $(4) -o $$@
endef
endif
# $(1): program, $(2): compute kernel, $(3): reader, $(4): writer, $(5): flags of the compute kernel
define kernel_program
$(call core_program,$(1),brisc,COMPILE_FOR_BRISC,0,8192,$(4),)
$(call core_program,$(1),ncrisc,COMPILE_FOR_NCRISC,1,8192,$(3),)
$(call core_program,$(1),trisc0,TRISC_UNPACK,2,4096,$(2),$(5))
$(call core_program,$(1),trisc1,TRISC_MATH,3,4096,$(2),$(5))
$(call core_program,$(1),trisc2,TRISC_PACK,4,4096,$(2),$(5))
endef

MATMUL_SIZES = '-Dnum_tiles=(get_arg_val(0)*get_arg_val(2))' '-DKt=get_arg_val(1)'
READ        = examples/matmul/reader.c
WRITE       = examples/matmul/writer.c
WRITE_TILES = examples/eltwise/writer.c
FEED        = tests/kernels/feed.c
DRAIN       = tests/kernels/drain.c
T           = tests/kernels

$(eval $(call kernel_program,matmul,examples/matmul/compute.c,$(READ),$(WRITE),$(BY_ARGUMENT)))
$(eval $(call kernel_program,eltwise,examples/eltwise/compute.c,examples/eltwise/reader.c,$(WRITE_TILES),))
$(eval $(call kernel_program,softmax,examples/softmax/compute.c,examples/softmax/reader.c,$(WRITE_TILES),))
GRID = examples/grid_matmul
$(eval $(call kernel_program,grid_matmul,$(GRID)/compute.c,$(GRID)/reader.c,$(GRID)/writer.c,-DMATH_FIDELITY=0 -DDST_SYNC_FULL=1))
$(eval $(call kernel_program,grid_add,examples/eltwise/compute.c,examples/grid_add/reader.c,examples/grid_add/writer.c,))
$(eval $(call kernel_program,all_gather,kernels/empty.c,examples/all_gather/gather.c,kernels/empty.c,))
$(eval $(call kernel_program,dispatch,kernels/empty.c,examples/dispatch/dispatch.c,kernels/empty.c,))
$(eval $(call kernel_program,reduce_tree,kernels/empty.c,examples/reduce_tree/reduce.c,kernels/empty.c,))
EXAMPLE_PROGRAMS := $(KERNEL_PROGRAMS)
$(eval $(call kernel_program,matmul_mop,$(T)/matmul_mop.cpp,$(READ),$(WRITE),$(BY_ARGUMENT) $(MATMUL_SIZES)))
$(eval $(call kernel_program,matmul_api,$(T)/matmul_api.cpp,$(READ),$(WRITE),$(BY_ARGUMENT) $(MATMUL_SIZES)))
$(eval $(call kernel_program,matmul_llk,$(T)/matmul_llk.cpp,$(READ),$(WRITE),-DMATH_FIDELITY=4 $(MATMUL_SIZES)))
$(eval $(call kernel_program,fast_matmul,$(T)/deep_matmul.c,$(FEED),$(DRAIN),-DMATH_FIDELITY=0))
$(eval $(call kernel_program,measure,$(T)/measure.c,$(FEED),kernels/empty.c,$(BY_ARGUMENT)))
$(eval $(call kernel_program,ops,$(T)/ops.c,$(FEED),$(DRAIN),$(BY_ARGUMENT)))
$(eval $(call kernel_program,missing_push,examples/matmul/compute.c,$(T)/missing_push.c,$(DRAIN),))
$(eval $(call kernel_program,missing_commit,$(T)/missing_commit.c,$(FEED),$(DRAIN),))
$(eval $(call kernel_program,noc_calls,kernels/empty.c,$(T)/noc_calls.c,kernels/empty.c,))
$(eval $(call kernel_program,chip_hang,kernels/empty.c,$(T)/chip_hang.c,kernels/empty.c,))
$(eval $(call kernel_program,mutual,kernels/empty.c,$(T)/mutual_reader.c,$(T)/mutual_writer.c,))

# The shapes of the vendor's kernels (tests/llk-like): NAME LLK_OP FLAGS...
define llk_program
$(foreach c,brisc:COMPILE_FOR_BRISC:0:8192 trisc0:TRISC_UNPACK:2:4096 trisc1:TRISC_MATH:3:4096 trisc2:TRISC_PACK:4:4096,\
$(call llk_core,$(1),$(word 1,$(subst :, ,$(c))),$(word 2,$(subst :, ,$(c))),$(word 3,$(subst :, ,$(c))),$(word 4,$(subst :, ,$(c))),$(2)))
endef
ifdef KERNELS_FROM
define llk_core
KERNEL_PROGRAMS += $(BUILD)/kernels/llk_$(1)/$(2).elf
LLK_PROGRAMS += $(BUILD)/kernels/llk_$(1)/$(2).elf

endef
else
LLK_FIRMWARE = tests/llk-like/firmware.c kernels/firmware/start.S
$(foreach c,brisc:COMPILE_FOR_BRISC trisc0:TRISC_UNPACK trisc1:TRISC_MATH trisc2:TRISC_PACK,\
  $(eval $(call core_objects,llk/$(word 1,$(subst :, ,$(c))),$(word 2,$(subst :, ,$(c))),-DKERNEL_AFTER_RESET)))
define llk_core
$(BUILD)/kernels/llk_$(1)/$(2).elf: $(if $(filter brisc,$(2)),,$(BUILD)/kernels/llk_$(1)/$(2).o) \
  $(LLK_FIRMWARE:%=$(BUILD)/kernels/obj/llk/$(2)/%.o) kernels/firmware/tensix.ld
	@mkdir -p $$(@D)
	@echo "  RVLD  $$@"
	@$$(call LINK_CORE,$(4),$(5))
$(call core_object,llk_$(1),$(2),$(3),tests/llk-like/kernel.c,-DKERNEL_AFTER_RESET $(6))
KERNEL_PROGRAMS += $(BUILD)/kernels/llk_$(1)/$(2).elf
LLK_PROGRAMS += $(BUILD)/kernels/llk_$(1)/$(2).elf

endef
endif
$(eval $(call llk_program,matmul_lofi,-DLLK_OP=LLK_MATMUL -DMATH_FIDELITY=0))
$(eval $(call llk_program,matmul_hifi4,-DLLK_OP=LLK_MATMUL -DMATH_FIDELITY=4))
$(eval $(call llk_program,eltwise_add,-DLLK_OP=LLK_ELTWISE_ADD))
$(eval $(call llk_program,eltwise_mul_col,-DLLK_OP=LLK_ELTWISE_MUL_COL -DMATH_FIDELITY=4))
$(eval $(call llk_program,eltwise_add_row,-DLLK_OP=LLK_ELTWISE_ADD_ROW))
$(eval $(call llk_program,sfpu_exp,-DLLK_OP=LLK_SFPU_EXP))
$(eval $(call llk_program,sfpu_typecast,-DLLK_OP=LLK_SFPU_TYPECAST))
$(eval $(call llk_program,reduce_col,-DLLK_OP=LLK_REDUCE_COL -DMATH_FIDELITY=4))
$(eval $(call llk_program,reduce_row,-DLLK_OP=LLK_REDUCE_ROW))
$(eval $(call llk_program,transpose,-DLLK_OP=LLK_TRANSPOSE))
$(eval $(call llk_program,tilize,-DLLK_OP=LLK_TILIZE -DDST_ACCUM_MODE=1))
$(eval $(call llk_program,untilize,-DLLK_OP=LLK_UNTILIZE -DDST_ACCUM_MODE=1))
$(eval $(call llk_program,pack_untilize,-DLLK_OP=LLK_PACK_UNTILIZE))
$(eval $(call llk_program,datacopy,-DLLK_OP=LLK_DATACOPY))
$(eval $(call llk_program,int32_add,-DLLK_OP=LLK_INT32_ADD -DDST_ACCUM_MODE=1))

# The same kernels as of two examples on a firmware that the golden model runs too (bench/bench_users.c). $(1): program, $(2): core, $(3): number for its
# place in L1, $(4): bytes of local RAM, $(5): object of its kernel
ifdef KERNELS_FROM
define users_core
KERNEL_PROGRAMS += $(BUILD)/kernels/users_$(1)/$(2).elf
endef
else
define users_core
$(BUILD)/kernels/users_$(1)/$(2).elf: $(5) $(BUILD)/kernels/obj/$(2)/tests/llk-like/grid_firmware.c.o \
  $(BUILD)/kernels/obj/$(2)/kernels/firmware/start.S.o kernels/firmware/tensix.ld
	@mkdir -p $$(@D)
	@echo "  RVLD  $$@"
	@$$(call LINK_CORE,$(3),$(4))
KERNEL_PROGRAMS += $(BUILD)/kernels/users_$(1)/$(2).elf
endef
endif
KERNEL_OBJECTS = $(BUILD)/kernels/obj
$(eval $(call users_core,grid_add,brisc,0,8192,$(KERNEL_OBJECTS)/brisc/examples/grid_add/writer.c.o))
$(eval $(call users_core,grid_add,ncrisc,1,8192,$(KERNEL_OBJECTS)/ncrisc/examples/grid_add/reader.c.o))
$(eval $(call users_core,grid_matmul,brisc,0,8192,$(KERNEL_OBJECTS)/brisc/$(GRID)/writer.c.o))
$(eval $(call users_core,grid_matmul,ncrisc,1,8192,$(KERNEL_OBJECTS)/ncrisc/$(GRID)/reader.c.o))
$(foreach c,0 1 2,$(eval $(call users_core,grid_add,trisc$(c),$(shell expr $(c) + 2),4096,$(KERNEL_OBJECTS)/llk/trisc$(c)/examples/eltwise/compute.c.o)))
$(foreach c,0 1 2,$(eval $(call users_core,grid_matmul,trisc$(c),$(shell expr $(c) + 2),4096,$(BUILD)/kernels/users_grid_matmul/trisc$(c).o)))
ifndef KERNELS_FROM
$(foreach c,0:TRISC_UNPACK 1:TRISC_MATH 2:TRISC_PACK,$(eval $(call core_object,users_grid_matmul,trisc$(word 1,$(subst :, ,$(c))),$(word 2,\
  $(subst :, ,$(c))),$(GRID)/compute.c,-DKERNEL_AFTER_RESET -DMATH_FIDELITY=0 -DDST_SYNC_FULL=1)))
endif

kernels: $(KERNEL_PROGRAMS)  ## programs of the examples and tests for the RISC-V cores
.PHONY: kernels

# Every header as C and as C++ for every core; and an operand that does not fit its field stops the compiler.
KERNEL_CORES = TRISC_UNPACK TRISC_MATH TRISC_PACK COMPILE_FOR_BRISC COMPILE_FOR_NCRISC
ifdef KERNELS_FROM
$(BUILD)/kernels/headers.ok: $(KERNELS_FROM)/kernels/headers.ok
	@ln -f $< $@
else
$(BUILD)/kernels/headers.ok: tests/kernels/all_headers.c tests/kernels/bad_operand.c tests/kernels/api_compute.cpp tests/kernels/api_dataflow.cpp $(KERNEL_HEADERS)
	@echo "  CHECK kernel headers"
	@for core in TRISC_UNPACK TRISC_MATH TRISC_PACK; do \
	  $(RISCV_CC) $(RISCV_FLAGS) $(RISCV_CXX) -D$$core -c tests/kernels/api_compute.cpp -o $@.o || exit 1; done
	@for core in COMPILE_FOR_BRISC COMPILE_FOR_NCRISC; do \
	  $(RISCV_CC) $(RISCV_FLAGS) $(RISCV_CXX) -include kernel_api.h -D$$core -DKERNEL_COMPILE_TIME_ARGS=2,2048,0,2048,7 \
	  '-DKERNEL_COMPILE_TIME_ARG_MAP={"cb_out",16}' -c tests/kernels/api_dataflow.cpp -o $@.o || exit 1; done
	@for core in $(KERNEL_CORES); do $(RISCV_CC) $(RISCV_FLAGS) -x c -D$$core -fsyntax-only $< || exit 1; \
	  $(RISCV_CC) $(RISCV_FLAGS) $(RISCV_CXX) -x c++ -D$$core -fsyntax-only $< || exit 1; done
	@! $(RISCV_CC) $(RISCV_FLAGS) -DTRISC_MATH -c tests/kernels/bad_operand.c -o $@.o 2> $@.log
	@grep -q 'operand does not fit its field' $@.log && touch $@
endif

$(BUILD)/tests/test_kernels_cores: | $(BUILD)/kernels/headers.ok
$(BUILD)/tests/test_kernels_cores: $(call objects,kernels/host/kernel_host.c) | $(KERNEL_PROGRAMS)
$(BUILD)/tests/test_silicon: $(call objects,kernels/host/kernel_host.c) | $(filter $(BUILD)/kernels/measure/%,$(KERNEL_PROGRAMS))
$(BUILD)/tests/test_frames: | $(KERNEL_PROGRAMS)
$(BUILD)/bench/bench_chip_matmul: | $(KERNEL_PROGRAMS)
$(BUILD)/bench/bench_kernels: $(call objects,kernels/host/kernel_host.c) | $(KERNEL_PROGRAMS)
$(BUILD)/bench/bench_llk: $(call objects,kernels/host/kernel_host.c) | $(LLK_PROGRAMS)
$(BUILD)/bench/bench_users: | $(KERNEL_PROGRAMS) $(TTSIM)
$(BUILD)/tests/test_llk_like: | $(LLK_PROGRAMS)
$(BUILD)/tests/test_lap $(BUILD)/tests/test_lap_same $(BUILD)/tests/test_lap_random: | $(LLK_PROGRAMS)
$(BUILD)/tests/test_account: | $(LLK_PROGRAMS)
$(BUILD)/tests/test_random_programs $(BUILD)/tests/test_invariance: | $(LLK_PROGRAMS)

# --- examples: $(BUILD)/examples/NAME, host programs over the C API ---

HOST_OBJ = $(call objects,kernels/host/kernel_host.c examples/host/numbers.c examples/host/run.c)
$(BUILD)/examples/%: $(BUILD)/obj/examples/%/main.o $(HOST_OBJ) $(STATIC)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(LINK) $^ -lz -lm -o $@
EXAMPLES = $(patsubst %,$(BUILD)/examples/%,matmul eltwise softmax)

examples: $(EXAMPLES) $(EXAMPLE_PROGRAMS)  ## the examples' host programs and their kernels
.PHONY: examples
$(BUILD)/tests/test_kernels_examples: | $(EXAMPLES) $(EXAMPLE_PROGRAMS)

KERNEL_OBJ = $(HOST_OBJ) $(call objects,tests/kernels/record.c $(wildcard examples/*/main.c))
.SECONDARY: $(KERNEL_OBJ)
-include $(KERNEL_OBJ:.o=.d)
