/* Loads and stores: every space, type, vector length and register width. Each item owns a slot of
 * bytes in the space; a load's registers are compared with the slot's bytes, and a store's whole
 * slot with what it should have become. */
#include "opcodes.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define GROUPS 3
#define GROUP 70
#define ITEMS (GROUPS * GROUP)
#define SLOT 64
#define OFFSET 32 /* of the access in the slot */
#define MOST_ELEMENTS 8
#define UNTOUCHED 0xeeeeeeeeeeeeeeeeull

typedef struct memory_type {
    const char *name;
    unsigned bytes;
    bool is_signed, is_float;
} memory_type;

static const memory_type types[] = {
    {"b8", 1, false, false},  {"u8", 1, false, false},  {"s8", 1, true, false},
    {"b16", 2, false, false}, {"u16", 2, false, false}, {"s16", 2, true, false},
    {"f16", 2, false, true},  {"b32", 4, false, false}, {"u32", 4, false, false},
    {"s32", 4, true, false},  {"f32", 4, false, true},  {"b64", 8, false, false},
    {"u64", 8, false, false}, {"s64", 8, true, false},  {"f64", 8, false, true}};
#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

/* Where the slots are: the space of the opcode, and what makes %a the address of this item's. */
typedef struct memory_space {
    const char *name;    /* in the opcode: ".shared"; "" is generic */
    const char *declare; /* in the body */
    const char *address; /* from %tid in %item, %id, %in; gives %a */
    bool in_place;       /* the bytes are there already: the input itself, or constants */
    bool read_only;
} memory_space;

#define SLOT_TEXT "64"
static const memory_space spaces[] = {
    {".global", "", "mov.b64 %a, %in;", true, false},
    {".shared", ".shared .align 64 .b8 slots[4480];",
     "mov.u64 %a, slots;\nmad.wide.u32 %a, %item, " SLOT_TEXT ", %a;", false, false},
    {".local", ".local .align 64 .b8 slot[64];", "mov.u64 %a, slot;", false, false},
    {".const", "", "mov.u64 %a, constants;\nmad.wide.u32 %a, %id, " SLOT_TEXT ", %a;", true, true},
    {"", "", "cvta.global.u64 %a, %in;", true, false},
    {"", ".shared .align 64 .b8 slots[4480];",
     "mov.u64 %a, slots;\nmad.wide.u32 %a, %item, " SLOT_TEXT ", %a;\ncvta.shared.u64 %a, %a;",
     false, false},
    {"", ".local .align 64 .b8 slot[64];", "cvta.local.u64 %a, slot;", false, false},
    {"", "",
     "mov.u64 %a, constants;\nmad.wide.u32 %a, %id, " SLOT_TEXT ", %a;\n"
     "cvta.const.u64 %a, %a;",
     true, true}};
#define SPACE_COUNT (sizeof(spaces) / sizeof(spaces[0]))

typedef struct memory_access {
    const memory_space *space;
    const char *before, *after; /* qualifiers around the space: ".volatile", ".nc" */
    const memory_type *type;
    unsigned elements;
    unsigned register_bits;
    char opcode[80];
} memory_access;

typedef struct memory_values {
    uint8_t in[ITEMS][SLOT];
    uint64_t active[ITEMS];
    uint64_t registers[ITEMS][MOST_ELEMENTS]; /* that a store stores */
    uint64_t out[ITEMS][2][MOST_ELEMENTS]; /* of a load: plain, then guarded; of a store: slots */
} memory_values;

static memory_values *make_values(void)
{
    memory_values *v = ww_calloc(1, sizeof(*v));
    ww_rng rng;
    ww_rng_seed(&rng, 5);
    for (unsigned i = 0; i < ITEMS; i++) {
        for (unsigned b = 0; b < SLOT; b++)
            v->in[i][b] = (uint8_t)ww_rng_next(&rng);
        for (unsigned e = 0; e < MOST_ELEMENTS; e++)
            v->registers[i][e] = ww_rng_next(&rng);
        v->active[i] = ww_rng_below(&rng, 3) != 0;
    }
    return v;
}

static void write_constants(FILE *out, const memory_values *v)
{
    fprintf(out, ".const .align 64 .b8 constants[%d] = {", ITEMS * SLOT);
    for (unsigned i = 0; i < ITEMS * SLOT; i++)
        fprintf(out, "%s%u", i ? "," : "", v->in[i / SLOT][i % SLOT]);
    fprintf(out, "};\n");
}

static void write_start(FILE *out, const memory_access *m, const memory_values *v)
{
    if (m->space->read_only)
        write_constants(out, v);
    fprintf(
        out,
        ".visible .entry k(.param .u64 in, .param .u64 act, .param .u64 regs, .param .u64 out)\n"
        "{\n%s\n.reg .b64 %%in, %%act, %%regs, %%out, %%a, %%copy;\n"
        ".reg .b32 %%item, %%n, %%g, %%id, %%flag;\n.reg .pred %%active;\n.reg .b%u %%r<8>;\n"
        "ld.param.u64 %%in, [in];\nld.param.u64 %%act, [act];\nld.param.u64 %%regs, [regs];\n"
        "ld.param.u64 %%out, [out];\n"
        "mov.u32 %%item, %%tid.x;\nmov.u32 %%n, %%ntid.x;\nmov.u32 %%g, %%ctaid.x;\n"
        "mad.lo.s32 %%id, %%g, %%n, %%item;\nmad.wide.u32 %%in, %%id, 64, %%in;\n"
        "mad.wide.u32 %%act, %%id, 8, %%act;\nmad.wide.u32 %%regs, %%id, 64, %%regs;\n"
        "mad.wide.u32 %%out, %%id, 128, %%out;\n"
        "ld.global.b32 %%flag, [%%act];\nsetp.ne.b32 %%active, %%flag, 0;\n%s\n",
        m->space->declare, m->register_bits, m->space->address);
}

static void write_registers(FILE *out, unsigned count)
{
    fprintf(out, count > 1 ? "{" : "");
    for (unsigned e = 0; e < count; e++)
        fprintf(out, "%s%%r%u", e ? ", " : "", e);
    fprintf(out, count > 1 ? "}" : "");
}

static char *load_text(const memory_access *m, const memory_values *v)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write_start(out, m, v);
    for (unsigned w = 0; w < SLOT / 8 && !m->space->in_place; w++)
        fprintf(out, "ld.global.b64 %%copy, [%%in+%u];\nst%s.b64 [%%a+%u], %%copy;\n", w * 8,
                m->space->name, w * 8);
    for (unsigned guarded = 0; guarded < 2; guarded++) {
        for (unsigned e = 0; guarded && e < m->elements; e++)
            fprintf(out, "mov.b%u %%r%u, %u;\n", m->register_bits, e, 0x1234 + e);
        fprintf(out, "%s%s ", guarded ? "@%active " : "", m->opcode);
        write_registers(out, m->elements);
        fprintf(out, ", [%%a+%d];\n", OFFSET);
        for (unsigned e = 0; e < m->elements; e++)
            fprintf(out, "st.global.b%u [%%out+%u], %%r%u;\n", m->register_bits,
                    (guarded * MOST_ELEMENTS + e) * 8, e);
    }
    fprintf(out, "ret;\n}\n");
    fclose(out);
    return text;
}

static char *store_text(const memory_access *m, const memory_values *v)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write_start(out, m, v);
    fprintf(out, "mov.b64 %%copy, 0x%llx;\n", UNTOUCHED);
    for (unsigned w = 0; w < SLOT / 8; w++)
        fprintf(out, "st%s.b64 [%%a+%u], %%copy;\n", m->space->name, w * 8);
    for (unsigned e = 0; e < m->elements; e++)
        fprintf(out, "ld.global.b%u %%r%u, [%%regs+%u];\n", m->register_bits, e, e * 8);
    fprintf(out, "@%%active %s [%%a+%d], ", m->opcode, OFFSET);
    write_registers(out, m->elements);
    fprintf(out, ";\n");
    for (unsigned w = 0; w < SLOT / 8; w++)
        fprintf(out, "ld%s.b64 %%copy, [%%a+%u];\nst.global.b64 [%%out+%u], %%copy;\n",
                m->space->name, w * 8, w * 8);
    fprintf(out, "ret;\n}\n");
    fclose(out);
    return text;
}

static uint64_t loaded(const memory_access *m, const uint8_t *slot, unsigned element)
{
    uint64_t value = 0;
    memcpy(&value, slot + OFFSET + element * m->type->bytes, m->type->bytes);
    unsigned shift = 64 - 8 * m->type->bytes;
    if (m->type->is_signed)
        value = (uint64_t)((int64_t)(value << shift) >> shift);
    return value & UINT64_MAX >> (64 - m->register_bits);
}

static void check_word(const memory_access *m, kernel_config config, unsigned item, uint64_t want,
                       uint64_t got)
{
    if (want != got)
        fail_msg("%s (%s), registers of %u bits, item %u, width %u, level %s: 0x%llx, not 0x%llx",
                 m->opcode, m->space->address, m->register_bits, item, config.width,
                 ww_lane_level_name(config.level), (unsigned long long)got,
                 (unsigned long long)want);
}

static void check_load(const memory_access *m, kernel_config config, const memory_values *v)
{
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned e = 0; e < m->elements; e++) {
            uint64_t want = loaded(m, v->in[i], e);
            check_word(m, config, i, want, v->out[i][0][e]);
            check_word(m, config, i, v->active[i] ? want : 0x1234 + e, v->out[i][1][e]);
        }
}

static void check_store(const memory_access *m, kernel_config config, const memory_values *v)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        uint64_t want[SLOT / 8];
        memset(want, 0xee, sizeof(want));
        for (unsigned e = 0; e < m->elements && v->active[i]; e++)
            memcpy((uint8_t *)want + OFFSET + e * m->type->bytes, &v->registers[i][e],
                   m->type->bytes);
        for (unsigned w = 0; w < SLOT / 8; w++)
            check_word(m, config, i, want[w], v->out[i][0][w]);
    }
}

static void check_access(memory_access m, bool store)
{
    memory_values *v = make_values();
    static const char *const lengths[] = {[1] = "", [2] = ".v2", [4] = ".v4", [8] = ".v8"};
    snprintf(m.opcode, sizeof(m.opcode), "%s%s%s%s%s.%s", store ? "st" : "ld", m.before,
             m.space->name, m.after, lengths[m.elements], m.type->name);
    char *text = store ? store_text(&m, v) : load_text(&m, v);
    ww_module *module = kernel_parse(text);
    size_t count;
    const kernel_config *configs = kernel_configs(&count);
    for (size_t c = 0; c < count; c++) {
        memory_values *run = ww_calloc(1, sizeof(*run));
        *run = *v;
        kernel_launch launch = {.groups = GROUPS,
                                .group = GROUP,
                                .blocks = {{"in", run->in, sizeof(run->in)},
                                           {"active", run->active, sizeof(run->active)},
                                           {"registers", run->registers, sizeof(run->registers)},
                                           {"out", run->out, sizeof(run->out)}},
                                .block_count = 4};
        kernel_run(module, configs[c], &launch);
        memcpy(run->in, v->in, sizeof(v->in)); /* a store may have been there */
        (store ? check_store : check_load)(&m, configs[c], run);
        free(run);
    }
    cover(m.opcode);
    ww_module_destroy(module);
    free(text);
    free(v);
}

static void check_type(memory_access m, bool store, bool wider_registers)
{
    unsigned natural = m.type->bytes < 2 ? 16 : m.type->bytes * 8;
    for (m.elements = 1; m.elements <= 8; m.elements *= 2) {
        if (m.elements * m.type->bytes > 32 || (m.elements == 8 && m.type->bytes != 4))
            continue;
        for (m.register_bits = natural; m.register_bits <= 64; m.register_bits *= 2) {
            if (m.register_bits > natural && (m.type->is_float || !wider_registers))
                break;
            check_access(m, store);
        }
    }
}

/* All types in every space; qualifiers that change nothing with a few of them. */
static void check_all(bool store, const char *const *before, const char *const *after,
                      unsigned count)
{
    for (unsigned s = 0; s < SPACE_COUNT; s++) {
        if (store && spaces[s].read_only)
            continue;
        for (unsigned q = 0; q < count; q++)
            for (unsigned t = 0; t < TYPE_COUNT; t++) {
                memory_access m = {
                    .space = &spaces[s], .before = before[q], .after = after[q], .type = &types[t]};
                if (*after[q] && strcmp(spaces[s].name, ".global") != 0)
                    continue;
                if (*before[q] && spaces[s].read_only)
                    continue;
                check_type(m, store, q == 0);
            }
    }
}

void loads_of_every_space(void **state)
{
    (void)state;
    static const char *const before[] = {"", ".volatile", ".relaxed.gpu", ".acquire.sys", "", ""};
    static const char *const after[] = {"", "", "", "", ".nc", ".ca"};
    check_all(false, before, after, 6);
}

void stores_of_every_space(void **state)
{
    (void)state;
    static const char *const before[] = {"", ".volatile", ".relaxed.gpu", ".release.cta", ""};
    static const char *const after[] = {"", "", "", "", ".wt"};
    check_all(true, before, after, 5);
}
