/* Tessera, libttsim.so: the library for host programs of Tenstorrent's stack (docs/guide/ttnn.md), and the environment
 * variables it reads.
 *
 * The library implements the libttsim ABI, which callers declare themselves. This header has no function. */
#ifndef TESSERA_HOST_H
#define TESSERA_HOST_H

/* VARIABLE(name, values, default, meaning) */
#define TESSERA_HOST_VARIABLES(VARIABLE) \
  VARIABLE("TESSERA_TIMING", "cycle, off", "cycle", "documented and measured costs, or the fast functional mode") \
  VARIABLE("TESSERA_THREADS", "0..256", "0", "host threads; 0 is one per core of the PC. Results do not depend on it") \
  VARIABLE("TESSERA_PRODUCT", "full, p150, galaxy, p100", "full", "which tiles are fused off") \
  VARIABLE("TESSERA_SYSTEM", "p150, p300, quietbox, quietbox2, loudbox, galaxy, a file", "one chip", \
           "the board or box of linked chips that the library is; a file is a cluster descriptor of tt-umd") \
  VARIABLE("TESSERA_LINKS", "CHIP.CHANNEL=OPTION ...", "none", \
           "options of links: down, down@CYCLE, latency:CYCLES, bits:BITS_PER_CYCLE, for both directions") \
  VARIABLE("TESSERA_CLOCK_CYCLES", "1..1000000", "1", "cycles of the chip per clock of the host") \
  VARIABLE("TESSERA_POLL_CYCLES", "0..1000000000", "10000", \
           "most cycles that a clock call adds while a polled word does not change") \
  VARIABLE( \
      "TESSERA_REPORT", "a directory", "none", \
      "writes report.txt and report.html there at an error, at exit, at signal USR1, and before the host holds running " \
      "cores in reset") \
  VARIABLE("TESSERA_CHECK", "letters of a to f, all, none", "none", \
           "checkers that watch every Tensix tile (docs/guide/races.md); their findings are in the report") \
  VARIABLE("TESSERA_TRACE", "a directory", "none", "writes a trace of each tile of TESSERA_TRACE_TILES there") \
  VARIABLE("TESSERA_TRACE_TILES", "X,Y X,Y ...", "1,2", "the Tensix tiles that are traced, at most 16") \
  VARIABLE("TESSERA_TRACE_FORMAT", "text, perfetto, chrome, kanata, compact, vcd", "perfetto", "format of the traces") \
  VARIABLE("TESSERA_GDB", "unix:PATH, HOST:PORT, PORT", "none", \
           "gdb debugs the cores of TESSERA_GDB_TILES: the first clock call waits for it, and clock calls wait while it " \
           "has stopped them") \
  VARIABLE("TESSERA_GDB_TILES", "X,Y X,Y ...", "1,2", "the Tensix tiles whose cores gdb debugs") \
  VARIABLE("TESSERA_KERNEL_CACHE", "a directory", "TT_METAL_CACHE, then ~/.cache", \
           "where reports look for the ELF files of kernels, to name functions and lines") \
  VARIABLE("TESSERA_ON_ERROR", "freeze, exit", "freeze", \
           "after an error reads of the chip return all ones, or the process ends with status 3") \
  VARIABLE("TESSERA_LOG", "quiet, error, info", "error", "lines on stderr")

#endif
