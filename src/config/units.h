/* Amounts with units: 64KiB, 20us, 1.4GHz, 16GB/s as whole numbers of the smallest unit. */
#ifndef WW_CONFIG_UNITS_H
#define WW_CONFIG_UNITS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ww_measure {
    WW_MEASURE_BYTES,     /* bytes; a number without a unit is allowed */
    WW_MEASURE_TIME,      /* picoseconds */
    WW_MEASURE_FREQUENCY, /* hertz */
    WW_MEASURE_BANDWIDTH  /* bytes a second */
} ww_measure;

/* A decimal number, at most one space, a unit; 0 needs none. False when the text is something
 * else, is not a whole number of the smallest unit, or is above 2^63 - 1. */
bool ww_amount_parse(ww_measure measure, const char *text, uint64_t *amount);

#define WW_AMOUNT_CHARS 48
/* The amount that a text with a misspelt unit means: 12MiB for 12MB, 12M or 12mib. False when there
 * is none. */
bool ww_amount_near(ww_measure measure, const char *text, char near[WW_AMOUNT_CHARS]);
/* The canonical text, which parses to the same amount: the largest unit that gives at least 1 with
 * no more than three decimals (none for bytes). */
void ww_amount_text(ww_measure measure, uint64_t amount, char text[WW_AMOUNT_CHARS]);

#endif
