/* A magic word at the start of every handle names its kind; calls check it. */
#ifndef TESSERA_API_HANDLE_H
#define TESSERA_API_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

struct api_handle {
  uint64_t magic;
  uint32_t running;  /* 1: inside a call that runs it or calls its hooks; accessed atomically */
  uint32_t sessions; /* debuggers of it */
};

/* Inside a call that runs the machine: hooks and write functions may read it, and a second thread may try to use it. */
static inline bool api_is_running(const struct api_handle *handle) {
  return __atomic_load_n(&handle->running, __ATOMIC_ACQUIRE) != 0;
}
/* false: it runs already. */
static inline bool api_enter(struct api_handle *handle) {
  return __atomic_exchange_n(&handle->running, 1u, __ATOMIC_ACQ_REL) == 0;
}
static inline void api_leave(struct api_handle *handle) { __atomic_store_n(&handle->running, 0u, __ATOMIC_RELEASE); }

#define API_TILE UINT64_C(0x7e55e7a0711e0001)
#define API_CHIP UINT64_C(0x7e55e7a0c1190001)
#define API_SYSTEM UINT64_C(0x7e55e7a05e570001)
#define API_ASM UINT64_C(0x7e55e7a0a5300001)
#define API_CASES UINT64_C(0x7e55e7a0ca5e0001)
#define API_DEBUGGER UINT64_C(0x7e55e7a0deb60001)
#define API_PTO_PROGRAM UINT64_C(0x7e55e7a0970f0001)
#define API_PTO_MACHINE UINT64_C(0x7e55e7a0970e0001)

/* Not NULL, aligned, and of this kind. */
static inline bool api_is(const void *handle, uint64_t magic) {
  return handle && (uintptr_t)handle % sizeof(uint64_t) == 0 && ((const struct api_handle *)handle)->magic == magic;
}

#endif
