/* One statement of a body: guard, opcode with suffixes, operands. */
#include "ptx/parse.h"

#include <string.h>

#define MOST_SUFFIXES 15
#define MOST_OPERANDS 8
#define MOST_TEXT 160

static bool parse_guard(ww_parser *p, ww_instruction *i)
{
    i->guard = -1;
    if (!ww_parse_accept(p, "@"))
        return true;
    i->guard_negated = ww_parse_accept(p, "!");
    ww_symbol *symbol = NULL;
    if (p->token.kind == WW_TOKEN_WORD)
        symbol = ww_parse_lookup(p, p->scope, ww_parse_name(p));
    if (!symbol || symbol->kind != WW_SYMBOL_REGISTER ||
        p->registers.items[symbol->reg].type != WW_TYPE_PRED)
        return ww_parse_error(p, "expected a declared predicate after '@'");
    i->guard = symbol->reg;
    ww_parse_next(p);
    return true;
}

static const ww_opcode *parse_opcode(ww_parser *p, ww_form *form)
{
    ww_token at = p->token;
    ww_word suffixes[MOST_SUFFIXES];
    unsigned count = 0;
    char why[768];
    if (at.kind != WW_TOKEN_WORD) {
        ww_parse_error(p, "expected an instruction, found '%.*s'", (int)at.length, at.text);
        return NULL;
    }
    ww_parse_next(p);
    while (p->token.kind == WW_TOKEN_DOTWORD && p->token.glued) {
        if (count == MOST_SUFFIXES) {
            ww_parse_error(p, "too many suffixes");
            return NULL;
        }
        suffixes[count++] = (ww_word){p->token.text, p->token.length};
        ww_parse_next(p);
    }
    const ww_opcode *opcode =
        ww_opcode_match((ww_word){at.text, at.length}, suffixes, count, form, why, sizeof(why));
    if (!opcode)
        ww_parse_error_at(p, at.line, at.col, "%s", why);
    return opcode;
}

typedef struct raw_operands {
    ww_operand *items;
    ww_token at[MOST_OPERANDS];
    bool joined[MOST_OPERANDS]; /* comes after '|' */
    unsigned count;
} raw_operands;

static bool parse_raw(ww_parser *p, raw_operands *raw)
{
    raw->items = ww_arena_alloc(p->module->arena, MOST_OPERANDS, sizeof(ww_operand));
    bool joined = false;
    if (ww_parse_at(p, ";"))
        return true;
    do {
        if (raw->count == MOST_OPERANDS)
            return ww_parse_error(p, "more than %d operands", MOST_OPERANDS);
        unsigned n = raw->count++;
        raw->items[n].reg = -1;
        raw->at[n] = p->token;
        raw->joined[n] = joined;
        if (!ww_parse_operand(p, &raw->items[n]))
            return false;
        joined = ww_parse_at(p, "|");
    } while (ww_parse_accept(p, ",") || ww_parse_accept(p, "|"));
    return true;
}

static unsigned required_letters(const char *shape)
{
    unsigned count = 0;
    for (; *shape; shape++)
        if (*shape != ' ' && *shape != '|' && *shape != '?')
            count += shape[1] != '?';
    return count;
}

/* Moves an operand; the pending entry of a label must point to the new address. */
static void move_operand(ww_parser *p, ww_operand *to, ww_operand *from)
{
    *to = *from;
    for (size_t i = p->pending.count; i-- > 0 && p->pending.count - i <= MOST_OPERANDS;)
        if (p->pending.items[i].operand == from)
            p->pending.items[i].operand = to;
}

static bool too_few(ww_parser *p, const ww_instruction *i, unsigned needed)
{
    return ww_parse_error(p, "'%s' needs %u operand%s", ww_op_name((ww_op)i->form.op), needed,
                          needed == 1 ? "" : "s");
}

static bool fit_operands(ww_parser *p, ww_instruction *i, const char *shape, raw_operands *raw)
{
    unsigned next = 0;
    i->operands = ww_arena_alloc(p->module->arena, MOST_OPERANDS, sizeof(ww_operand));
    for (const char *s = shape; *s; s++) {
        if (*s == ' ' || *s == '|' || *s == '?')
            continue;
        bool second = s > shape && s[-1] == '|';
        bool optional = s[1] == '?';
        ww_operand *operand = &i->operands[i->operand_count++];
        operand->reg = -1;
        if (strchr("DWKPVU", *s))
            i->result_count = i->operand_count;
        bool absent = second ? next >= raw->count || !raw->joined[next]
                             : optional && raw->count - next <= required_letters(s);
        if (optional && absent)
            continue;
        if (next == raw->count)
            return too_few(p, i, required_letters(shape));
        move_operand(p, operand, &raw->items[next]);
        if (!ww_parse_fit(p, i, *s, operand, raw->at[next]))
            return false;
        next++;
    }
    if (next == raw->count)
        return true;
    return ww_parse_error_at(p, raw->at[next].line, raw->at[next].col,
                             "'%s' has an operand too many", ww_op_name((ww_op)i->form.op));
}

/* The statement as written, white space folded. */
static const char *statement_text(ww_parser *p, const char *from, const char *to)
{
    char text[MOST_TEXT + 4];
    size_t length = 0;
    bool space = false;
    for (; from < to && length < MOST_TEXT; from++) {
        bool blank = *from == ' ' || *from == '\t' || *from == '\n' || *from == '\r';
        if (!blank && space && length)
            text[length++] = ' ';
        if (!blank)
            text[length++] = (unsigned char)*from < 32 ? '?' : *from;
        space = blank;
    }
    if (from < to)
        length += (size_t)snprintf(text + length, 4, "...");
    return ww_arena_strndup(p->module->arena, text, length);
}

/* rcp and sqrt take either .approx or a rounding; their f64 approximations exist only with .ftz. */
static bool check_form(ww_parser *p, const ww_form *form)
{
    bool root = form->op == WW_OP_RCP || form->op == WW_OP_SQRT;
    bool approx = form->flags & WW_FLAG_APPROX;
    if (root && approx == (form->round != WW_ROUND_NONE))
        return ww_parse_error(p, "'%s' needs .approx or one rounding (.rn .rz .rm .rp)",
                              ww_op_name((ww_op)form->op));
    if (root && approx && form->type == WW_TYPE_F64 && !(form->flags & WW_FLAG_FTZ))
        return ww_parse_error(p, "approximations of .f64 exist only as .approx.ftz.f64");
    if (root && !approx && form->type == WW_TYPE_F64 && (form->flags & WW_FLAG_FTZ))
        return ww_parse_error(p, ".ftz stands only with .f32");
    return true;
}

bool ww_parse_instruction(ww_parser *p)
{
    ww_instruction i = {
        .line = p->token.line, .source_file = p->source_file, .source_line = p->source_line};
    const char *start = p->token.text;
    if (!parse_guard(p, &i))
        return false;
    const ww_opcode *opcode = parse_opcode(p, &i.form);
    if (!opcode || !check_form(p, &i.form))
        return false;
    raw_operands raw = {0};
    if (opcode->op == WW_OP_CALL) {
        if (!ww_parse_call(p, &i))
            return false;
    } else if (!parse_raw(p, &raw) || !fit_operands(p, &i, opcode->shape, &raw)) {
        return false;
    }
    if (!ww_parse_at(p, ";"))
        return ww_parse_error(p, "expected ';' after '%s'", ww_op_name(opcode->op));
    i.text = statement_text(p, start, p->token.text);
    ww_parse_next(p);
    ww_vec_push(&p->instructions, i);
    return true;
}
