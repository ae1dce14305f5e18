/* Number formats of tile elements: conversion between bits and numbers. Tile arithmetic uses double and float. */
#ifndef TESSERA_PTO_PROGRAM_DTYPE_H
#define TESSERA_PTO_PROGRAM_DTYPE_H

#include "pto/program/types.h"

static inline unsigned pto_dtype_bytes(unsigned dtype) {
  static const unsigned char bytes[] = {4, 2, 2, 4, 2, 1, 4, 2, 1};
  return dtype < PTO_DTYPES ? bytes[dtype] : 1;
}
double pto_dtype_load(unsigned dtype, const uint8_t *bytes);        /* exact */
void pto_dtype_store(unsigned dtype, uint8_t *bytes, double value); /* rounds to nearest even, integers saturate */

#endif
