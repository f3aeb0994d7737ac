/* The harness of value cases: operands, a kernel around the opcode, comparison. */
#include "opcodes.h"

#include "base/rng.h"
#include "operands.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define GROUPS 6
#define GROUP 90
#define ITEMS (GROUPS * GROUP)
#define IN_WORDS (MOST_SOURCES + 1) /* the last: whether the lane is active */
#define SENTINEL 0x5a5b5c5d5e5f6061ull

enum { PLAIN, GUARDED, DIVERGENT, CONSTANT, IN_PLACE, WAYS };
static const char *const way_names[WAYS] = {"plain", "guarded", "divergent", "with a constant",
                                            "in place"};

typedef struct shape {
    char results[MOST_RESULTS + 1];
    char sources[MOST_SOURCES + 1];
    unsigned result_count, source_count;
} shape;

static shape shape_of(const char *text)
{
    shape s = {.result_count = (unsigned)strcspn(text, "=")};
    assert_true(s.result_count <= MOST_RESULTS && text[s.result_count] == '=');
    memcpy(s.results, text, s.result_count);
    text += s.result_count + 1;
    s.source_count = (unsigned)strlen(text);
    assert_true(s.source_count <= MOST_SOURCES);
    memcpy(s.sources, text, s.source_count);
    return s;
}

static bool is_predicate(char kind)
{
    return kind == 'p' || kind == 'n';
}

static void write_declarations(FILE *out, const shape *s)
{
    for (unsigned i = 0; i < s->source_count; i++)
        fprintf(out, ".reg .%s %%s%u;\n", kind_register(s->sources[i]), i);
    for (unsigned i = 0; i < s->result_count; i++)
        fprintf(out, ".reg .%s %%d%u;\n", kind_register(s->results[i]), i);
    fprintf(out, ".reg .b64 %%in, %%out;\n.reg .b32 %%id, %%n, %%group, %%bit;\n"
                 ".reg .pred %%active;\n");
}

static void write_loads(FILE *out, const shape *s)
{
    fprintf(out,
            "ld.param.b64 %%in, [in];\nld.param.b64 %%out, [out];\n"
            "mov.u32 %%id, %%tid.x;\nmov.u32 %%n, %%ntid.x;\nmov.u32 %%group, %%ctaid.x;\n"
            "mad.lo.u32 %%id, %%group, %%n, %%id;\n"
            "mad.wide.u32 %%in, %%id, %u, %%in;\nmad.wide.u32 %%out, %%id, %u, %%out;\n",
            IN_WORDS * 8, WAYS * MOST_RESULTS * 8);
    for (unsigned i = 0; i < s->source_count; i++)
        if (is_predicate(s->sources[i]))
            fprintf(out, "ld.global.b32 %%bit, [%%in+%u];\nsetp.ne.b32 %%s%u, %%bit, 0;\n", i * 8,
                    i);
        else
            fprintf(out, "ld.global.b%u %%s%u, [%%in+%u];\n", kind_bits(s->sources[i]), i, i * 8);
    fprintf(out, "ld.global.b32 %%bit, [%%in+%u];\nsetp.ne.b32 %%active, %%bit, 0;\n",
            MOST_SOURCES * 8);
}

static void write_presets(FILE *out, const shape *s)
{
    for (unsigned i = 0; i < s->result_count; i++)
        if (is_predicate(s->results[i]))
            fprintf(out, "setp.eq.b32 %%d%u, %%id, %%id;\n", i);
        else
            fprintf(out, "mov.b%u %%d%u, 0x%llx;\n", kind_bits(s->results[i]), i,
                    (unsigned long long)(SENTINEL & kind_mask(s->results[i])));
}

static void write_results(FILE *out, const shape *s, unsigned way)
{
    for (unsigned i = 0; i < s->result_count; i++) {
        unsigned at = (way * MOST_RESULTS + i) * 8;
        if (is_predicate(s->results[i]))
            fprintf(out, "selp.b32 %%bit, 1, 0, %%d%u;\nst.global.b32 [%%out+%u], %%bit;\n", i, at);
        else
            fprintf(out, "st.global.b%u [%%out+%u], %%%s%u;\n", kind_bits(s->results[i]), at,
                    way == IN_PLACE ? "s" : "d", i);
    }
}

static void write_statement(FILE *out, const value_case *c, const shape *s, unsigned way,
                            uint64_t constant)
{
    if (c->body) {
        fprintf(out, "%s\n", c->body);
        return;
    }
    fprintf(out, "%s%s ", way == GUARDED ? "@%active " : "", c->opcode);
    for (unsigned i = 0; i < s->result_count; i++)
        fprintf(out, "%s%%%s%u", i ? "|" : "", way == IN_PLACE ? "s" : "d", i);
    for (unsigned i = 0; i < s->source_count; i++) {
        fprintf(out, s->result_count || i ? ", " : " ");
        if (way == CONSTANT && i + 1 == s->source_count)
            write_constant(out, s->sources[i], constant);
        else
            fprintf(out, "%s%%s%u", s->sources[i] == 'n' ? "!" : "", i);
    }
    fprintf(out, "%s;\n", c->tail ? c->tail : "");
}

static bool way_makes_sense(const value_case *c, const shape *s, unsigned way)
{
    char last = s->source_count ? s->sources[s->source_count - 1] : 'p';
    switch (way) {
    case GUARDED: return !c->body;
    case CONSTANT: return !c->body && !strchr("pnxXbB", last); /* halves have no literals */
    case IN_PLACE:
        return !c->body && s->result_count == 1 && s->source_count &&
               !is_predicate(s->results[0]) && !is_predicate(s->sources[0]) &&
               kind_bits(s->results[0]) == kind_bits(s->sources[0]);
    default: return true;
    }
}

static char *kernel_text(const value_case *c, const shape *s, uint64_t constant)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fprintf(out, ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n");
    write_declarations(out, s);
    write_loads(out, s);
    for (unsigned way = 0; way < WAYS; way++) {
        if (!way_makes_sense(c, s, way))
            continue;
        write_presets(out, s);
        fprintf(out, "{\n");
        if (way == DIVERGENT)
            fprintf(out, "@!%%active bra AFTER;\n");
        write_statement(out, c, s, way, constant);
        fprintf(out, "%s}\n", way == DIVERGENT ? "AFTER:\n" : "");
        write_results(out, s, way);
    }
    fprintf(out, "ret;\n}\n");
    fclose(out);
    return text;
}

typedef struct values {
    uint64_t in[ITEMS][IN_WORDS];
    uint64_t out[ITEMS][WAYS][MOST_RESULTS];
    uint64_t first[ITEMS][WAYS][MOST_RESULTS]; /* what the first config gave */
    uint64_t constant;
} values;

static void choose_operands(values *v, const shape *s, const char *opcode)
{
    ww_rng rng;
    uint64_t seed = 1;
    for (const char *c = opcode; *c; c++)
        seed = seed * 31 + (unsigned char)*c;
    ww_rng_seed(&rng, seed);
    for (unsigned item = 0; item < ITEMS; item++) {
        for (unsigned i = 0; i < s->source_count; i++)
            v->in[item][i] = random_operand(&rng, s->sources[i]);
        v->in[item][MOST_SOURCES] = ww_rng_next(&rng) & 1;
    }
    if (s->source_count)
        v->constant = random_operand(&rng, s->sources[s->source_count - 1]);
}

static void wrong(const value_case *c, const shape *s, kernel_config config, unsigned way,
                  const uint64_t *in, unsigned result, uint64_t want, uint64_t got)
{
    char sources[200] = "";
    for (unsigned i = 0; i < s->source_count; i++)
        snprintf(sources + strlen(sources), sizeof(sources) - strlen(sources), " 0x%llx",
                 (unsigned long long)in[i]);
    fail_msg("%s (%s) of%s, %s, width %u, level %s: result %u is 0x%llx, not 0x%llx", c->opcode,
             c->shape, sources, way_names[way], config.width, ww_lane_level_name(config.level),
             result, (unsigned long long)got, (unsigned long long)want);
}

/* What one lane should have got; predicates' negation is part of the reference's inputs. */
static void reference(const value_case *c, const shape *s, const uint64_t *in, uint64_t *want)
{
    uint64_t sources[MOST_SOURCES];
    memcpy(sources, in, sizeof(sources));
    for (unsigned i = 0; i < s->source_count; i++)
        if (s->sources[i] == 'n')
            sources[i] ^= 1;
    fesetround(c->rounding);
    c->reference(c->context, sources, want);
    fesetround(FE_TONEAREST);
}

static void check_lane(const value_case *c, const shape *s, kernel_config config, unsigned way,
                       const values *v, unsigned item)
{
    uint64_t in[IN_WORDS], want[MOST_RESULTS] = {0};
    memcpy(in, v->in[item], sizeof(in));
    if (way == CONSTANT)
        in[s->source_count - 1] = v->constant;
    bool active = v->in[item][MOST_SOURCES] || (way != GUARDED && way != DIVERGENT);
    if (active && !c->accept)
        reference(c, s, in, want);
    for (unsigned i = 0; i < s->result_count; i++) {
        uint64_t got = v->first[item][way][i];
        char kind = s->results[i];
        if (!active)
            want[i] = is_predicate(kind) ? 1 : SENTINEL & kind_mask(kind);
        bool fine = active && c->accept ? c->accept(c->context, in, got)
                                        : same_value(kind, want[i] & kind_mask(kind), got);
        if (!fine)
            wrong(c, s, config, way, in, i, want[i] & kind_mask(kind), got);
    }
}

/* The first config is compared with the reference, the others with the first, bit by bit. */
static void check_config(const value_case *c, const shape *s, kernel_config config, values *v,
                         bool first)
{
    if (first)
        memcpy(v->first, v->out, sizeof(v->out));
    for (unsigned way = 0; way < WAYS; way++) {
        if (!way_makes_sense(c, s, way))
            continue;
        for (unsigned item = 0; item < ITEMS; item++) {
            if (first)
                check_lane(c, s, config, way, v, item);
            for (unsigned i = 0; i < s->result_count; i++)
                if (v->out[item][way][i] != v->first[item][way][i])
                    wrong(c, s, config, way, v->in[item], i, v->first[item][way][i],
                          v->out[item][way][i]);
        }
    }
}

void check_value(const value_case *c)
{
    shape s = shape_of(c->shape);
    values *v = ww_calloc(1, sizeof(*v));
    choose_operands(v, &s, c->opcode);
    char *text = kernel_text(c, &s, v->constant);
    ww_module *module = kernel_parse(text);
    size_t count;
    const kernel_config *configs = kernel_configs(&count);
    for (size_t i = 0; i < count; i++) {
        kernel_launch launch = {
            .groups = GROUPS,
            .group = GROUP,
            .blocks = {{"in", v->in, sizeof(v->in)}, {"out", v->out, sizeof(v->out)}},
            .block_count = 2};
        memset(v->out, 0, sizeof(v->out));
        kernel_run(module, configs[i], &launch);
        check_config(c, &s, configs[i], v, i == 0);
    }
    if (c->body)
        cover_module(module);
    cover(c->opcode);
    ww_module_destroy(module);
    free(text);
    free(v);
}

void check(const char *opcode, const char *kinds, value_reference *reference_of,
           const void *context)
{
    check_value(&(value_case){
        .opcode = opcode, .shape = kinds, .reference = reference_of, .context = context});
}
