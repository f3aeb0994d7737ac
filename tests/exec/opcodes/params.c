/* Parameters: of kernels, by name and through a register; of functions, and their results. */
#include "text.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define GROUP 70
#define BYTES 64
#define OFFSET 32

static const struct param_type {
    const char *name;
    unsigned bytes;
    bool is_signed;
} types[] = {{"b8", 1, false},  {"u8", 1, false},  {"s8", 1, true},   {"b16", 2, false},
             {"u16", 2, false}, {"s16", 2, true},  {"b32", 4, false}, {"u32", 4, false},
             {"s32", 4, true},  {"f32", 4, false}, {"b64", 8, false}, {"u64", 8, false},
             {"s64", 8, true},  {"f64", 8, false}};
#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

static const char *const lengths[] = {[1] = "", [2] = ".v2", [4] = ".v4"};

static const char *const lists[] = {[1] = "%r0", [2] = "{%r0, %r1}", [4] = "{%r0, %r1, %r2, %r3}"};

static void random_bytes(uint8_t *bytes, size_t count)
{
    ww_rng rng;
    ww_rng_seed(&rng, 9);
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)ww_rng_next(&rng);
}

/* Elements as 64-bit words, extended by their sign or by zeros. */
static void elements_of(const uint8_t *bytes, const struct param_type *t, unsigned count,
                        uint64_t *words)
{
    for (unsigned e = 0; e < count; e++) {
        uint64_t value = 0;
        memcpy(&value, bytes + e * t->bytes, t->bytes);
        unsigned shift = 64 - 8 * t->bytes;
        words[e] = t->is_signed ? (uint64_t)((int64_t)(value << shift) >> shift) : value;
    }
}

/* Loads the parameter by name, then through a register, into registers of 64 bits. */
static char *kernel_text(const struct param_type *t, unsigned count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fprintf(out,
            ".visible .entry k(.param .u64 in, .param .u64 out, .param .align 16 .b8 p[64])\n"
            "{\n.reg .b32 %%item;\n.reg .b64 %%o, %%base;\n.reg .b%u %%r<4>;\n"
            "ld.param.u64 %%o, [out];\nmov.u32 %%item, %%tid.x;\n"
            "mad.wide.u32 %%o, %%item, 64, %%o;\nmov.b64 %%base, p;\nadd.s64 %%base, %%base, 16;\n",
            t->name[0] == 'f' ? t->bytes * 8 : 64);
    for (unsigned way = 0; way < 2; way++) {
        fprintf(out, "ld.param%s.%s %s, [%s];\n", lengths[count], t->name, lists[count],
                way ? "%base+16" : "p+32");
        for (unsigned e = 0; e < count; e++)
            fprintf(out, "st.global.b%u [%%o+%u], %%r%u;\n", t->name[0] == 'f' ? t->bytes * 8 : 64,
                    way * 32 + e * 8, e);
    }
    fprintf(out, "ret;\n}\n");
    fclose(out);
    return text;
}

void kernel_parameters(void **state)
{
    (void)state;
    uint8_t bytes[BYTES];
    random_bytes(bytes, sizeof(bytes));
    for (unsigned i = 0; i < TYPE_COUNT; i++)
        for (unsigned count = 1; count <= 4 && count * types[i].bytes <= 16; count *= 2) {
            uint64_t want[GROUP][2][4] = {{{0}}};
            for (unsigned item = 0; item < GROUP; item++)
                for (unsigned way = 0; way < 2; way++)
                    elements_of(bytes + OFFSET, &types[i], count, want[item][way]);
            char *text = kernel_text(&types[i], count);
            check_text(&(text_case){.text = text,
                                    .groups = 1,
                                    .group = GROUP,
                                    .values = bytes,
                                    .value_bytes = sizeof(bytes),
                                    .want = (const uint32_t *)(const void *)want,
                                    .want_count = sizeof(want) / 4});
            free(text);
        }
}

/* The caller writes the argument with one form and the callee reads it with it; the callee writes
 * the result with it and the caller reads it. Each stage is in registers of the form's type. */
static char *function_text(const struct param_type *t, unsigned count)
{
    char *text = NULL, load[80], store[80], registers[40];
    size_t size;
    unsigned bits = t->bytes < 2 ? 16 : t->bytes * 8;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    snprintf(registers, sizeof(registers), ".reg .b%u %%r<4>;\n.reg .b64 %%x;\n", bits);
    snprintf(load, sizeof(load), "ld.param%s.%s %s", lengths[count], t->name, lists[count]);
    snprintf(store, sizeof(store), "st.param%s.%s", lengths[count], t->name);
    fprintf(out,
            ".func (.param .align 16 .b8 back[64]) f(.param .align 16 .b8 p[64])\n{\n%s"
            "mov.b64 %%x, -1;\n",
            registers);
    for (unsigned w = 0; w < 8; w++)
        fprintf(out, "st.param.b64 [back+%u], %%x;\n", w * 8);
    fprintf(out, "%s, [p+32];\n%s [back+32], %s;\nret;\n}\n", load, store, lists[count]);
    fprintf(out,
            ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n%s.reg .b64 %%i, %%o;\n"
            ".reg .b32 %%item;\nld.param.u64 %%i, [in];\nld.param.u64 %%o, [out];\n"
            "mov.u32 %%item, %%tid.x;\nmad.wide.u32 %%i, %%item, 64, %%i;\n"
            "mad.wide.u32 %%o, %%item, 64, %%o;\n{\n"
            ".param .align 16 .b8 a[64];\n.param .align 16 .b8 result[64];\n",
            registers);
    fprintf(out, "ld.global%s.%s %s, [%%i+32];\n%s [a+32], %s;\n", lengths[count], t->name,
            lists[count], store, lists[count]);
    fprintf(out, "call.uni (result), f, (a);\n%s, [result+32];\nst.global%s.%s [%%o+32], %s;\n",
            load, lengths[count], t->name, lists[count]);
    fprintf(out, "ld.param.b64 %%x, [result+24];\nst.global.b64 [%%o+24], %%x;\n}\nret;\n}\n");
    fclose(out);
    return text;
}

void function_parameters(void **state)
{
    (void)state;
    uint8_t in[GROUP][BYTES];
    random_bytes(&in[0][0], sizeof(in));
    for (unsigned i = 0; i < TYPE_COUNT; i++)
        for (unsigned count = 1; count <= 4 && count * types[i].bytes <= 16; count *= 2) {
            uint8_t want[GROUP][BYTES] = {{0}};
            for (unsigned item = 0; item < GROUP; item++) {
                memset(want[item] + 24, 0xff, 8);
                memcpy(want[item] + OFFSET, in[item] + OFFSET, count * types[i].bytes);
            }
            char *text = function_text(&types[i], count);
            check_text(&(text_case){.text = text,
                                    .groups = 1,
                                    .group = GROUP,
                                    .in = in,
                                    .in_bytes = sizeof(in),
                                    .want = (const uint32_t *)(const void *)want,
                                    .want_count = sizeof(want) / 4});
            free(text);
        }
}
