/* C++ names of kernels, as binutils shows them without parameters; malformed names, and bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "debug/demangle.h"
#include "scale.h"

static void names_of_kernels(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"_Z10run_kernelRK13RuntimeParams", "run_kernel"},
      {"_ZN7ckernel4math19src_zero_flag_stateE", "ckernel::math::src_zero_flag_state"},
      {"_ZN7ckernel17t6_semaphore_waitILj8EEEvh", "ckernel::t6_semaphore_wait<8u>"},
      {"_Z22run_throttled_sequenceILi1EEvv", "run_throttled_sequence<1>"},
      {"_Z24matmul_configure_addrmodILN7ckernel12MathFidelityE4ELi0EEvbmmmmb.part.0",
       "matmul_configure_addrmod<(ckernel::MathFidelity)4, 0> [part.0]"},
      {"_ZN1a1bILb1ELin3ELPv0EEEvv", "a::b<true, -3, (void*)0>"},
      {"_ZN2ns4pairINS_1xEPKcE4swapERS4_", "ns::pair<ns::x, char const*>::swap"},
      {"_ZN3TagC2Ev", "Tag::Tag"},
      {"_ZN2ns3TagD0Ev", "ns::Tag::~Tag"},
      {"_ZNK3VeciXEi", NULL},
      {"_ZN3VecixEj", "Vec::operator[]"},
      {"_ZNSt5arrayIhLj4EE4fillERKh", "std::array<unsigned char, 4u>::fill"},
      {"_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_", "std::move<int&>"},
      {"_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo"},
      {"_Z1fIJijLb0EEEvv", "f<int, unsigned int, false>"},
      {"_Z3runIFvjPcEEvT_", "run<void (unsigned int, char*)>"},
      {"_Z4callIXadL_Z4workvEEEvv", NULL}, /* an expression */
      {"_Z4callIL_Z4workiEEvv", "call<work>"},
      {"_Z1fIA4_jEvv", "f<unsigned int[4]>"},
      {"main", NULL},
      {"_Z", NULL},
      {"_ZN", NULL},
      {"_ZN3abE", NULL},
      {"_Z99999999999999999999a", NULL},
      {"_ZNS_1aE", NULL},
      {"_ZNSZZ_1aE", NULL},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char text[256];
    bool known = dbg_demangle(pairs[i][0], text, sizeof text);
    assert_int_equal(known, pairs[i][1] != NULL);
    assert_string_equal(text, pairs[i][1] ? pairs[i][1] : "");
    dbg_readable_name(pairs[i][0], text, sizeof text);
    assert_string_equal(text, pairs[i][1] ? pairs[i][1] : pairs[i][0]);
  }
}

/* Deep nesting, doubling substitutions, a full buffer: refused, in time. */
static void bounds(void **state) {
  (void)state;
  char deep[900] = "_Z1f", text[64], small[8];
  size_t used = 4;
  for (unsigned i = 0; i < 200; i++) used += (size_t)snprintf(deep + used, sizeof deep - used, "I1a");
  assert_false(dbg_demangle(deep, text, sizeof text));
  assert_false(dbg_demangle("_Z1fI1aS_S_IS0_S0_ES1_S1_IS2_S2_EEvv", text, sizeof text));
  assert_false(dbg_demangle("_ZN7ckernel10long_names4moreE", small, sizeof small));
  assert_string_equal(small, "");
  dbg_readable_name("_ZN7ckernel10long_names4moreE", small, sizeof small);
  assert_int_equal(strlen(small), sizeof small - 1);
  assert_false(dbg_demangle("_Z1f", small, 0));
  assert_true(dbg_demangle("_Z1f", small, 2));
}

static void any_text(void **state) {
  (void)state;
  static const char letters[] = "_ZNSIELKPRJTtl0123456789abcijDUCB";
  uint32_t seed = 12345;
  for (uint64_t n = test_scaled(200000); n; n--) {
    char name[64] = "_Z", text[96];
    unsigned length = 2 + (seed >> 8) % 50;
    for (unsigned i = 2; i < length; i++) {
      seed = seed * 1664525u + 1013904223u;
      name[i] = letters[(seed >> 16) % (sizeof letters - 1)];
    }
    seed = seed * 1664525u + 1013904223u;
    name[length] = '\0';
    bool known = dbg_demangle(name, text, sizeof text);
    assert_true(strlen(text) < sizeof text);
    if (!known) assert_string_equal(text, "");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_kernels),
      cmocka_unit_test(bounds),
      cmocka_unit_test(any_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
