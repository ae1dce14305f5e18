# What `make test` runs through `tessera conform`: every file of CONFORM_CASES once per word of CONFORM_TIMINGS, as
#   tessera conform --timing TIMING $(CONFORM_ARGS) FILE
CONFORM_CASES   := $(sort $(wildcard tests/cases/*.case.gz))
CONFORM_TIMINGS := off cycle
CONFORM_ARGS    :=
