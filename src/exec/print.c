/* Output of kernels: CUDA's vprintf(format, arguments), to standard error; and the message of
 * __assertfail(message, file, line, function, bytes of a character). */
#include "exec/lanes/half.h"
#include "exec/lanes_of.h"
#include "exec/warp.h"

#include <string.h>

#define LONGEST_TEXT 4096

/* The host address of one lane's generic address, and in *left the bytes from there to the end of
 * its memory; NULL when the address is invalid. */
static const uint8_t *host_of(const ww_executor *x, const ww_warp *w, int lane, uint64_t address,
                              uint64_t *left)
{
    const ww_buffer *b = ww_memory_find(x->memory, address, 1);
    uint64_t at = address - WW_LOCAL_WINDOW;
    if (b) {
        *left = b->size - (address - b->address);
        return b->host + (address - b->address);
    }
    if (at >= x->kernel->local_bytes)
        return NULL;
    *left = x->kernel->local_bytes - at;
    return w->local + (uint64_t)lane * x->kernel->local_bytes + at;
}

typedef struct arguments {
    const uint8_t *bytes;
    uint64_t left;
    uint64_t at;
} arguments;

static uint64_t next_argument(arguments *a, unsigned bytes)
{
    uint64_t value = 0;
    a->at = (a->at + bytes - 1) / bytes * bytes;
    if (a->at + bytes <= a->left)
        memcpy(&value, a->bytes + a->at, bytes);
    a->at += bytes;
    return value;
}

static int print_text(ww_executor *x, const ww_warp *w, int lane, uint64_t address,
                      const char *format)
{
    uint64_t left = 0;
    const uint8_t *text = host_of(x, w, lane, address, &left);
    char copy[LONGEST_TEXT];
    if (!text)
        return ww_fault(x, w, lane, "printf with a string at 0x%llx, where nothing is",
                        (unsigned long long)address);
    size_t length = strnlen((const char *)text, left < LONGEST_TEXT ? left : LONGEST_TEXT - 1);
    memcpy(copy, text, length);
    copy[length < LONGEST_TEXT ? length : LONGEST_TEXT - 1] = 0;
    fprintf(x->output, format, copy);
    return WW_OK;
}

/* One conversion: "%-8.3lld", or OpenCL's "%.2v4hlf" for a vector. */
typedef struct conversion {
    char format[40]; /* for the host's printf; numbers are long long or double there */
    char kind;
    unsigned bytes; /* of an element in memory */
    unsigned shown; /* of them: the length says to which type an int is converted */
    unsigned count; /* elements; 0: not a vector */
} conversion;

static conversion read_conversion(const char *spec, size_t length, arguments *a)
{
    conversion c = {.kind = spec[length - 1]};
    size_t at = 0, used = 0;
    unsigned h = 0, l = 0;
    for (; at < length - 1 && !strchr("vhlz", spec[at]); at++)
        if (spec[at] == '*' && used < 24)
            used += (size_t)snprintf(c.format + used, 12, "%d", (int)next_argument(a, 4));
        else if (spec[at] != '*' && used < 32)
            c.format[used++] = spec[at];
    for (; at < length - 1; at++) {
        h += spec[at] == 'h';
        l += spec[at] == 'l' || spec[at] == 'z';
        if (spec[at] >= '0' && spec[at] <= '9')
            c.count = c.count * 10 + (unsigned)(spec[at] - '0');
    }
    bool real = strchr("fFeEgGaA", c.kind);
    if (c.count != 3 && (c.count > 16 || (c.count & (c.count - 1))))
        c.count = 0;
    c.bytes = h && l ? 4 : l ? 8 : h && c.count ? (h > 1 ? 1 : 2) : real && !c.count ? 8 : 4;
    c.shown = h && !l && !real ? (h > 1 ? 1 : 2) : c.bytes;
    snprintf(c.format + used, 4, "%s%c", strchr("diuxXo", c.kind) ? "ll" : "", c.kind);
    return c;
}

static void print_number(const conversion *c, uint64_t bits, FILE *out)
{
    unsigned unused = 64 - 8 * c->shown;
    double value;
    float narrow;
    memcpy(&value, &bits, sizeof(value));
    memcpy(&narrow, &bits, sizeof(narrow));
    if (strchr("di", c->kind))
        fprintf(out, c->format, (long long)((int64_t)(bits << unused) >> unused));
    else if (strchr("uxXo", c->kind))
        fprintf(out, c->format, (unsigned long long)(bits << unused >> unused));
    else if (c->kind == 'c')
        fprintf(out, c->format, (int)bits);
    else if (c->bytes == 2)
        fprintf(out, c->format, (double)f16_value((uint32_t)bits));
    else
        fprintf(out, c->format, c->bytes == 8 ? value : (double)narrow);
}

/* A vector is aligned to its size; a vector of three has the size of one of four. */
static void print_vector(const conversion *c, arguments *a, FILE *out)
{
    uint64_t whole = c->bytes * (c->count == 3 ? 4 : c->count);
    a->at = (a->at + whole - 1) / whole * whole;
    uint64_t end = a->at + whole;
    for (unsigned i = 0; i < c->count; i++) {
        if (i)
            fputc(',', out);
        print_number(c, next_argument(a, c->bytes), out);
    }
    a->at = end;
}

static int print_one(ww_executor *x, const ww_warp *w, int lane, const char *spec, size_t length,
                     arguments *a)
{
    conversion c = read_conversion(spec, length, a);
    if (c.count)
        print_vector(&c, a, x->output);
    else if (c.kind == 's')
        return print_text(x, w, lane, next_argument(a, 8), c.format);
    else if (c.kind == 'p')
        fprintf(x->output, "0x%llx", (unsigned long long)next_argument(a, 8));
    else
        print_number(&c, next_argument(a, c.bytes), x->output);
    return WW_OK;
}

static int print_format(ww_executor *x, const ww_warp *w, int lane, const char *format,
                        uint64_t left, arguments *a)
{
    int status = WW_OK;
    for (uint64_t i = 0; i < left && format[i] && status == WW_OK;) {
        size_t length = 1;
        if (format[i] == '%' && i + 1 < left && format[i + 1] == '%') {
            fputc('%', x->output);
            i += 2;
            continue;
        }
        if (format[i] != '%') {
            fputc(format[i++], x->output);
            continue;
        }
        while (i + length < left && length < 16 &&
               strchr("-+ #0123456789.*vlhz", format[i + length]) && format[i + length])
            length++;
        if (i + length < left && format[i + length] &&
            strchr("diuxXocspfFeEgGaA", format[i + length])) {
            status = print_one(x, w, lane, format + i, ++length, a);
        } else {
            fwrite(format + i, 1, length, x->output);
        }
        i += length;
    }
    return status;
}

static uint64_t argument_value(const ww_executor *x, const ww_warp *w, int lane,
                               const ww_operand *o)
{
    const ww_split *s = &w->splits[w->current];
    const ww_code *code = &x->kernel->codes[s->code];
    uint64_t value = o->bits;
    if (o->kind == WW_OPERAND_ADDRESS)
        memcpy(&value,
               w->local + (uint64_t)lane * x->kernel->local_bytes + s->frame + o->variable->offset,
               8);
    else if (o->kind == WW_OPERAND_REGISTER && code->rows[o->reg].wide)
        memcpy(&value, w->rows + code->rows[o->reg].offset + (unsigned)lane * 8, 8);
    else if (o->kind == WW_OPERAND_REGISTER)
        memcpy(&value, w->rows + code->rows[o->reg].offset + (unsigned)lane * 4, 4);
    return value;
}

int ww_exec_print(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const ww_call *call = x->kernel->instructions[u - x->kernel->uops]->call;
    int status = WW_OK;
    ww_each_lane(lane, lanes) {
        uint64_t left = 0;
        arguments a = {0};
        uint64_t address = argument_value(x, w, lane, &call->args[0]);
        const uint8_t *format = host_of(x, w, lane, address, &left);
        if (!format)
            return ww_fault(x, w, lane, "printf with a format at 0x%llx, where nothing is",
                            (unsigned long long)address);
        a.bytes = host_of(x, w, lane, argument_value(x, w, lane, &call->args[1]), &a.left);
        a.left = a.bytes ? a.left : 0;
        if (!x->silent)
            status = print_format(x, w, lane, (const char *)format, left, &a);
        if (status != WW_OK)
            return status;
    }
    return WW_OK;
}

static void copy_text(const ww_executor *x, const ww_warp *w, int lane, const ww_operand *o,
                      char *copy, size_t size)
{
    uint64_t left = 0;
    const uint8_t *text = host_of(x, w, lane, argument_value(x, w, lane, o), &left);
    size_t most = left < size - 1 ? left : size - 1;
    snprintf(copy, size, "%.*s", (int)(text ? most : 0), text ? (const char *)text : "");
}

int ww_exec_assertion(ww_executor *x, const ww_warp *w, const ww_uop *u, int lane)
{
    const ww_instruction *i = x->kernel->instructions[u - x->kernel->uops];
    char message[300], file[120], location[160] = "";
    if (i->call->arg_count < 3)
        return ww_fault(x, w, lane, "an assertion failed");
    copy_text(x, w, lane, &i->call->args[0], message, sizeof(message));
    copy_text(x, w, lane, &i->call->args[1], file, sizeof(file));
    if (i->source_file < 0)
        snprintf(location, sizeof(location), ", at %s:%u", file,
                 (uint32_t)argument_value(x, w, lane, &i->call->args[2]));
    return ww_fault(x, w, lane, "assertion failed: %s%s", message, location);
}
