/* The ADCs of the three threads. Plain data; the functions are in regs/adc.h. */
#ifndef TESSERA_TENSIX_STATE_ADC_H
#define TESSERA_TENSIX_STATE_ADC_H

#include <stdint.h>

enum tx_adc_dim { TX_ADC_X, TX_ADC_Y, TX_ADC_Z, TX_ADC_W, TX_ADC_DIMS };
enum tx_adc_unit { TX_ADC_UNPACKER0, TX_ADC_UNPACKER1, TX_ADC_PACKER, TX_ADC_UNITS };

struct tx_adc_channel {
  uint32_t c[TX_ADC_DIMS];  /* X, Y, Z, W */
  uint32_t cr[TX_ADC_DIMS]; /* their checkpoints */
};

struct tx_adc {
  struct tx_adc_channel unit[TX_ADC_UNITS][2];
};

/* The last cycle in which a set changed, and the thread that changed it: two threads in one cycle corrupt it
 * (ADC_SAME_CYCLE). */
struct tx_adc_watch {
  uint64_t cycle;
  uint8_t by[3]; /* thread + 1, per set */
  uint8_t pad[5];
};

#endif
