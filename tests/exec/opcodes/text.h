/* Kernels written out in full, with the memory they should leave behind. */
#ifndef WW_TESTS_TEXT_H
#define WW_TESTS_TEXT_H

#include "opcodes.h"

/* An entry k(.param .u64 in, .param .u64 out) with its launch; `out` starts as zeros. */
typedef struct text_case {
    const char *text;
    unsigned groups, group;
    const void *in;
    size_t in_bytes;
    const void *values; /* parameters after `in` and `out` */
    size_t value_bytes;
    const uint32_t *want; /* of `out` */
    size_t want_count;
    uint64_t dynamic_shared;
    bool warps_only; /* at widths 32 and 64 only */
} text_case;

/* Runs at all configs, compares `out`, and counts all opcodes of the module as covered. */
void check_text(const text_case *c);

/* The usual start of a body: %id is the item in the launch, %item in its group, %a its u32 of `in`
 * and %o the address of its u32 of `out`. */
#define TEXT_HEAD \
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n" TEXT_REGISTERS TEXT_START
#define TEXT_REGISTERS                                                                 \
    ".reg .b32 %item, %groups, %group, %id, %a, %r<20>;\n.reg .b64 %i, %o, %rd<20>;\n" \
    ".reg .pred %p<10>;\n.reg .b16 %h<10>;\n.reg .f32 %f<10>;\n.reg .f64 %fd<10>;\n"
#define TEXT_START                                                              \
    "ld.param.u64 %i, [in];\nld.param.u64 %o, [out];\nmov.u32 %item, %tid.x;\n" \
    "mov.u32 %groups, %ntid.x;\nmov.u32 %group, %ctaid.x;\n"                    \
    "mad.lo.s32 %id, %group, %groups, %item;\nmad.wide.u32 %i, %id, 4, %i;\n"   \
    "mad.wide.u32 %o, %id, 4, %o;\nld.global.u32 %a, [%i];\n"

#endif
