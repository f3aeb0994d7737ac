/* atom and red: each on a cell of its own for exact old and new values, then all on one cell. */
#include "text.h"

#include "reals.h"

#include <string.h>

typedef struct atomic_operation {
    const char *name;
    const char *types;
    bool reducible; /* exists as red */
} atomic_operation;

static const atomic_operation operations[] = {{"add", "u32 s32 u64 s64 f32 f64 f16x2 bf16x2", true},
                                              {"min", "u32 s32 u64 s64", true},
                                              {"max", "u32 s32 u64 s64", true},
                                              {"and", "b32 b64", true},
                                              {"or", "b32 b64", true},
                                              {"xor", "b32 b64", true},
                                              {"inc", "u32", true},
                                              {"dec", "u32", true},
                                              {"exch", "b32 b64 u32 s64", false},
                                              {"cas", "b32 b64 u32 s64", false}};

typedef struct atomic_context {
    const char *operation, *type;
    bool flush;
} atomic_context;

static uint64_t add(const atomic_context *c, uint64_t old, uint64_t b)
{
    if (strcmp(c->type, "f64") == 0)
        return bits_of_f64(f64_of(old) + f64_of(b));
    if (strcmp(c->type, "f32") == 0 && c->flush)
        return flushed(bits_of_f32(f32_of(flushed(old)) + f32_of(flushed(b))));
    if (strcmp(c->type, "f32") == 0)
        return bits_of_f32(f32_of(old) + f32_of(b));
    if (!strstr(c->type, "x2"))
        return old + b;
    const real_format *f = c->type[0] == 'b' ? &format_bf16 : &format_f16;
    uint64_t low = rounded_to(f, value_of(f, old & 0xffff) + value_of(f, b & 0xffff));
    return low | rounded_to(f, value_of(f, old >> 16) + value_of(f, b >> 16)) << 16;
}

static bool is_less(const char *type, uint64_t a, uint64_t b)
{
    if (strcmp(type, "s32") == 0)
        return (int32_t)a < (int32_t)b;
    return strcmp(type, "s64") == 0 ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t updated(const atomic_context *c, uint64_t old, uint64_t b, uint64_t third)
{
    switch (c->operation[0] << 8 | c->operation[1]) {
    case 'a' << 8 | 'd': return add(c, old, b);
    case 'm' << 8 | 'i': return is_less(c->type, b, old) ? b : old;
    case 'm' << 8 | 'a': return is_less(c->type, old, b) ? b : old;
    case 'a' << 8 | 'n': return old & b;
    case 'o' << 8 | 'r': return old | b;
    case 'x' << 8 | 'o': return old ^ b;
    case 'i' << 8 | 'n': return old >= b ? 0 : old + 1;
    case 'd' << 8 | 'e': return old == 0 || old > b ? b : old - 1;
    case 'c' << 8 | 'a': return old == b ? third : old;
    default: return b;
    }
}

static void ref_atomic(const void *context, const uint64_t *in, uint64_t *out)
{
    out[0] = in[0];
    out[1] = updated(context, in[0], in[1], in[2]);
}

static void ref_reduction(const void *context, const uint64_t *in, uint64_t *out)
{
    out[0] = updated(context, in[0], in[1], in[2]);
}

/* One item's cell: its address in %c, in the space that the opcode names, or generic. */
static const struct {
    const char *name, *declare, *address;
} spaces[] = {{".global", ".global .align 8 .b8 cells[4320];",
               "mov.u64 %c, cells;\nmad.wide.u32 %c, %id, 8, %c;\n"},
              {".shared", ".shared .align 8 .b8 cells[720];",
               "mov.u64 %c, cells;\nmov.u32 %t, %tid.x;\nmad.wide.u32 %c, %t, 8, %c;\n"},
              {"", ".global .align 8 .b8 cells[4320];",
               "mov.u64 %c, cells;\nmad.wide.u32 %c, %id, 8, %c;\ncvta.global.u64 %c, %c;\n"},
              {"", ".shared .align 8 .b8 cells[720];",
               "mov.u64 %c, cells;\nmov.u32 %t, %tid.x;\nmad.wide.u32 %c, %t, 8, "
               "%c;\ncvta.shared.u64 %c, %c;\n"}};

static char kind_of(const char *type)
{
    if (type[0] == 'f' && type[1] == '3')
        return 'f';
    if (strcmp(type, "f64") == 0)
        return 'g';
    if (strstr(type, "x2"))
        return type[0] == 'b' ? 'B' : 'X';
    return strstr(type, "64") ? 'd' : 'w';
}

static void check_atomic(const atomic_operation *o, const char *type, unsigned space, bool reduce)
{
    char opcode[60], shape[8], body[600];
    bool cas = strcmp(o->name, "cas") == 0, half = strstr(type, "x2");
    char kind = kind_of(type);
    unsigned bits = kind == 'd' || kind == 'g' ? 64 : 32;
    atomic_context c = {o->name, type, strcmp(spaces[space].name, ".shared") != 0};
    snprintf(opcode, sizeof(opcode), "%s%s.%s%s.%s", reduce ? "red" : "atom", spaces[space].name,
             o->name, half ? ".noftz" : "", type);
    snprintf(shape, sizeof(shape), "%.*s=%c%c%c", reduce ? 1 : 2, (char[]){kind, kind, 0}, kind,
             kind, cas ? kind : 0);
    snprintf(body, sizeof(body),
             "%s\n.reg .b64 %%c;\n.reg .b32 %%t;\n%sst%s.b%u [%%c], %%s0;\n"
             "%s %s[%%c], %%s1%s;\nld%s.b%u %%d%u, [%%c];",
             spaces[space].declare, spaces[space].address, spaces[space].name, bits, opcode,
             reduce ? "" : "%d0, ", cas ? ", %s2" : "", spaces[space].name, bits, reduce ? 0 : 1);
    check_value(&(value_case){.opcode = opcode,
                              .shape = shape,
                              .body = body,
                              .context = &c,
                              .reference = reduce ? ref_reduction : ref_atomic});
}

/* Both runs of a body share the global cells: each starts by storing the initial value. */
static void check_operation(const atomic_operation *o)
{
    char types[80], *rest = NULL;
    snprintf(types, sizeof(types), "%s", o->types);
    for (char *type = strtok_r(types, " ", &rest); type; type = strtok_r(NULL, " ", &rest))
        for (unsigned space = 0; space < 4; space++) {
            if (space == 3 && strcmp(type, "f32") == 0)
                continue; /* whether subnormals are flushed is not known before the address is */
            check_atomic(o, type, space, false);
            if (o->reducible)
                check_atomic(o, type, space, true);
        }
}

void atomics_of_floats(void **state)
{
    (void)state;
    check_operation(&operations[0]);
}

/* Items of a launch take tickets from one counter, and add to totals of their group. */
static void check_shared_counters(void)
{
    enum { GROUPS = 3, GROUP = 70, ITEMS = GROUPS * GROUP };
    uint32_t in[ITEMS], want[ITEMS + GROUPS];
    memset(want, 0, sizeof(want));
    for (uint32_t i = 0; i < ITEMS; i++) {
        in[i] = i * 5 + 1;
        want[i] = 1;
        want[ITEMS + i / GROUP] += in[i];
    }
    check_text(&(text_case){
        .text = ".global .u32 next;\n" TEXT_HEAD ".shared .align 4 .u32 total;\n"
                "ld.param.u64 %rd0, [out];\natom.global.add.u32 %r0, [next], 1;\n"
                "mad.wide.u32 %rd1, %r0, 4, %rd0;\natom.global.inc.u32 %r1, [%rd1], 5;\n"
                "atom.shared.add.u32 %r2, [total], %a;\nbar.sync 0;\n"
                "ld.shared.u32 %r3, [total];\nmad.wide.u32 %rd2, %group, 4, %rd0;\n"
                "atom.global.exch.b32 %r4, [%rd2+840], %r3;\nret;\n}\n",
        .groups = GROUPS,
        .group = GROUP,
        .in = in,
        .in_bytes = sizeof(in),
        .want = want,
        .want_count = ITEMS + GROUPS});
}

void atomics_in_sequence(void **state)
{
    (void)state;
    for (unsigned i = 1; i < sizeof(operations) / sizeof(operations[0]); i++)
        check_operation(&operations[i]);
    check_shared_counters();
}
