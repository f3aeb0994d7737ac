/* Values of configuration keys: from text with units, and back to the canonical text. */
#ifndef WW_CONFIG_VALUE_H
#define WW_CONFIG_VALUE_H

#include "config/schema.h"

#include <jansson.h>

typedef struct ww_value {
    uint64_t number; /* bool, u64, bytes, time, frequency, bandwidth; index of a choice or policy */
    double real;     /* double */
    const char *text; /* text: as given, not copied; choice and policy: the name */
} ww_value;

/* An error says what the key needs: its range, its unit, the nearest name. */
int ww_value_parse(const ww_key *key, const char *text, ww_where at, ww_value *value,
                   ww_errors *errors);

/* The text that parses to this value: 65536 bytes are "64KiB". The caller frees it. */
char *ww_value_text(const ww_key *key, const ww_value *value);
/* A number for plain numbers, a bool for bools, the canonical text for all others. */
json_t *ww_value_json(const ww_key *key, const ww_value *value);

/* Whether the key's values are numbers, and one of them as ww_config_number gives it. */
bool ww_key_is_number(const ww_key *key);
double ww_value_number(const ww_key *key, const ww_value *value);

/* What a key takes, for messages and docs: "a whole number of lanes from 1 to 64". The caller
 * frees it. */
char *ww_key_needs(const ww_key *key);

#endif
