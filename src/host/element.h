/* Elements: the types that buffers and scalar arguments have in a launch file.
 *
 * element   i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64, stored little-endian as in the device
 * what      the name of a value in a message, as in yaml.h */
#ifndef WW_HOST_ELEMENT_H
#define WW_HOST_ELEMENT_H

#include "base/rng.h"
#include "config/yaml.h"

/* X(enumerator, name, bytes, kind) with kind: SIGNED, UNSIGNED or FLOAT */
#define WW_ELEMENTS(X)         \
    X(I8, "i8", 1, SIGNED)     \
    X(U8, "u8", 1, UNSIGNED)   \
    X(I16, "i16", 2, SIGNED)   \
    X(U16, "u16", 2, UNSIGNED) \
    X(I32, "i32", 4, SIGNED)   \
    X(U32, "u32", 4, UNSIGNED) \
    X(I64, "i64", 8, SIGNED)   \
    X(U64, "u64", 8, UNSIGNED) \
    X(F16, "f16", 2, FLOAT)    \
    X(F32, "f32", 4, FLOAT)    \
    X(F64, "f64", 8, FLOAT)

typedef enum ww_element {
#define WW_ENUM_ELEMENT(e, n, b, k) WW_ELEMENT_##e,
    WW_ELEMENTS(WW_ENUM_ELEMENT) WW_ELEMENT_COUNT
} ww_element;

extern const char *const ww_element_names[WW_ELEMENT_COUNT];

unsigned ww_element_bytes(ww_element element);
bool ww_element_is_float(ww_element element);

/* A value as YAML has it, in the element's range. */
int ww_element_parse(ww_element element, const ww_yaml *node, const char *what, void *value,
                     ww_errors *errors);
/* The number `index` converted as C does: integers wrap, floats round to nearest even. */
void ww_element_iota(ww_element element, uint64_t index, void *value);
/* Integers over the whole range of the type; floats uniform in [0, 1). */
void ww_element_random(ww_element element, ww_rng *rng, void *value);
/* From `low` to `high`, both given as elements: integers with both ends, floats without `high`. */
void ww_element_random_between(ww_element element, ww_rng *rng, const void *low, const void *high,
                               void *value);
bool ww_element_less(ww_element element, const void *a, const void *b);

/* |got - want|; 0 for two NaNs and for equal infinities, infinite when only one is a NaN or they
 * are different infinities. Exact for integers up to 2^53, then rounded; never 0 unless equal. */
double ww_element_distance(ww_element element, const void *got, const void *want);
double ww_element_magnitude(ww_element element, const void *value); /* |value| as a double */

#define WW_ELEMENT_TEXT 32
void ww_element_text(ww_element element, const void *value, char text[WW_ELEMENT_TEXT]);

#endif
