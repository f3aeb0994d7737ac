/* What a kernel of tests/kernels must compute, in plain C: tests/kernels/NAME/NAME.c defines
 * REFERENCE(NAME), which fills the wanted contents of buffers from those of the inputs.
 *
 * input    a buffer as it is after the launches: the kernel must not have written to it
 * wanted   contents to fill in; zero at first. They are compared when the reference returns. */
#ifndef WW_TESTS_REFERENCE_H
#define WW_TESTS_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

typedef struct reference reference;
typedef void reference_fn(reference *r);

#define REFERENCE(name)            \
    reference_fn reference_##name; \
    void reference_##name(reference *r)

const void *reference_input(reference *r, const char *buffer);
void *reference_wanted(reference *r, const char *buffer);
size_t reference_bytes(reference *r, const char *buffer);
/* Lanes of a warp. A reference that asks is computed again for runs at other widths. */
unsigned reference_width(reference *r);

/* The reference of that name, or NULL (references.c, made by CMake). */
reference_fn *reference_find(const char *name);

#endif
