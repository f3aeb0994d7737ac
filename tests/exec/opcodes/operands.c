#include "operands.h"

#include <stddef.h>

static const uint64_t integer_edges[] = {0,
                                         1,
                                         2,
                                         3,
                                         4,
                                         7,
                                         8,
                                         15,
                                         16,
                                         24,
                                         31,
                                         32,
                                         33,
                                         63,
                                         64,
                                         65,
                                         100,
                                         127,
                                         128,
                                         129,
                                         255,
                                         256,
                                         0x7fff,
                                         0x8000,
                                         0x8001,
                                         0xfffe,
                                         0xffff,
                                         0x10000,
                                         0x7fffff,
                                         0x800000,
                                         0xffffff,
                                         0x7ffffffe,
                                         0x7fffffff,
                                         0x80000000,
                                         0x80000001,
                                         0xaaaaaaaa,
                                         0xfffffffe,
                                         0xffffffff,
                                         0x100000000,
                                         0x7fffffffffffffff,
                                         0x8000000000000000,
                                         0x8000000000000001,
                                         0xfffffffffffffffe,
                                         0xffffffffffffffff,
                                         0xffffffff00000000,
                                         0xffffffff80000000,
                                         0xffffffffffff8000,
                                         0xffffffffffffff80,
                                         0x0123456789abcdef,
                                         0xfedcba9876543210};

static const uint32_t f32_edges[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x3f000000, 0xbf000000,
    0x3fc00000, 0x40200000, 0xc0200000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
    0x80800000, 0x00ffffff, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
    0x7f800001, 0x7fffffff, 0x3f7fffff, 0x3f800001, 0x4b000000, 0x4b000001, 0x4affffff, 0x4f000000,
    0xcf000000, 0x4effffff, 0x4f800000, 0x4f7fffff, 0x5f000000, 0xdf000000, 0x5f800000, 0x5effffff,
    0x43000000, 0x437f0000, 0x47000000, 0x477fff00, 0x7e800000, 0x7f000000, 0x34000000, 0x33800000,
    0x40490fdb, 0x42b17218, 0xc2fc0000, 0x3eaaaaab};

static const uint64_t f64_edges[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x4000000000000000, 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000,
    0x4004000000000000, 0xc004000000000000, 0x0000000000000001, 0x8000000000000001,
    0x000fffffffffffff, 0x800fffffffffffff, 0x0010000000000000, 0x8010000000000000,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0x3fefffffffffffff,
    0x3ff0000000000001, 0x4330000000000000, 0x432fffffffffffff, 0x41dfffffffc00000,
    0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000,
    0x41f0000000000000, 0x43e0000000000000, 0xc3e0000000000000, 0x43dfffffffffffff,
    0x43f0000000000000, 0x43efffffffffffff, 0x47efffffe0000000, 0x47effffff0000000,
    0x36a0000000000000, 0x3690000000000000, 0x3690000000000001, 0x380fffffffffffff,
    0x3810000000000000, 0x400921fb54442d18, 0x3fd5555555555555, 0x40effff000000000,
    0x3f00000000000000, 0x3e70000000000000};

static const uint16_t f16_edges[] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x4000, 0x3800, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400,
    0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7fff, 0x7c01, 0x3bff, 0x3c01, 0x6400, 0x1400, 0x57f8};

static const uint16_t bf16_edges[] = {
    0x0000, 0x8000, 0x3f80, 0xbf80, 0x4000, 0x3f00, 0x0001, 0x8001, 0x007f, 0x0080, 0x8080, 0x7f7f,
    0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7fff, 0x3f7f, 0x3f81, 0x4b00, 0x4f00, 0x5f00, 0x437f, 0x3400};

#define PICK(rng, list) (list[ww_rng_below(rng, sizeof(list) / sizeof(list[0]))])

unsigned kind_bits(char kind)
{
    switch (kind) {
    case 'h':
    case 'x':
    case 'b': return 16;
    case 'd':
    case 'g': return 64;
    default: return 32;
    }
}

uint64_t kind_mask(char kind)
{
    if (kind == 'p' || kind == 'n')
        return 1;
    return UINT64_MAX >> (64 - kind_bits(kind));
}

const char *kind_register(char kind)
{
    switch (kind) {
    case 'h':
    case 'x':
    case 'b': return "b16";
    case 'd': return "b64";
    case 'f': return "f32";
    case 'g': return "f64";
    case 'p':
    case 'n': return "pred";
    default: return "b32";
    }
}

static uint64_t edge(ww_rng *rng, char kind)
{
    switch (kind) {
    case 'f': return PICK(rng, f32_edges);
    case 'g': return PICK(rng, f64_edges);
    case 'x': return PICK(rng, f16_edges);
    case 'b': return PICK(rng, bf16_edges);
    default: return PICK(rng, integer_edges);
    }
}

/* Random bits, with an exponent near that of 1 in every other float so that operands meet. */
static uint64_t anything(ww_rng *rng, char kind)
{
    uint64_t bits = ww_rng_next(rng);
    if (ww_rng_next(rng) & 1)
        return kind == 'h' || kind == 'w' || kind == 'd' ? bits >> (bits & 63) : bits;
    switch (kind) {
    case 'f': return (bits & 0x807fffff) | (110 + ww_rng_below(rng, 50)) << 23;
    case 'g': return (bits & 0x800fffffffffffff) | (970 + ww_rng_below(rng, 130)) << 52;
    case 'x': return (bits & 0x83ff) | (8 + ww_rng_below(rng, 14)) << 10;
    case 'b': return (bits & 0x807f) | (110 + ww_rng_below(rng, 50)) << 7;
    default: return bits;
    }
}

uint64_t random_operand(ww_rng *rng, char kind)
{
    if (kind == 's')
        return ww_rng_below(rng, 4) ? ww_rng_below(rng, 72) : random_operand(rng, 'w');
    if (kind == 'X' || kind == 'B') {
        char half = kind == 'X' ? 'x' : 'b';
        return random_operand(rng, half) | random_operand(rng, half) << 16;
    }
    uint64_t bits = ww_rng_below(rng, 5) < 3 ? edge(rng, kind) : anything(rng, kind);
    return bits & kind_mask(kind);
}

void write_constant(FILE *out, char kind, uint64_t bits)
{
    if (kind == 'f')
        fprintf(out, "0f%08llX", (unsigned long long)bits);
    else if (kind == 'g')
        fprintf(out, "0d%016llX", (unsigned long long)bits);
    else
        fprintf(out, "0x%llx", (unsigned long long)bits);
}

static bool is_nan(char kind, uint64_t bits)
{
    switch (kind) {
    case 'f': return (bits & 0x7fffffff) > 0x7f800000;
    case 'g': return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
    case 'x': return (bits & 0x7fff) > 0x7c00;
    case 'b': return (bits & 0x7fff) > 0x7f80;
    default: return false;
    }
}

bool same_value(char kind, uint64_t want, uint64_t got)
{
    if (kind == 'X' || kind == 'B') {
        char half = kind == 'X' ? 'x' : 'b';
        return same_value(half, want & 0xffff, got & 0xffff) &&
               same_value(half, want >> 16, got >> 16);
    }
    return want == got || (is_nan(kind, want) && is_nan(kind, got));
}
