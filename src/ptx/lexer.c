#include "ptx/lexer.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

void ww_lexer_start(ww_lexer *lexer, const char *text, size_t length)
{
    *lexer = (ww_lexer){text, text + length, text, 1};
}

static bool is_word_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static void new_line(ww_lexer *lexer)
{
    lexer->line++;
    lexer->line_start = lexer->at + 1;
}

/* False at a comment that has no end; the lexer stays at its start. */
static bool skip_block_comment(ww_lexer *lexer)
{
    const ww_lexer start = *lexer;
    lexer->at += 2;
    while (lexer->at < lexer->end) {
        if (lexer->at + 1 < lexer->end && lexer->at[0] == '*' && lexer->at[1] == '/') {
            lexer->at += 2;
            return true;
        }
        if (*lexer->at == '\n')
            new_line(lexer);
        lexer->at++;
    }
    *lexer = start;
    return false;
}

static void skip_space(ww_lexer *lexer)
{
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        char next = lexer->at + 1 < lexer->end ? lexer->at[1] : 0;
        if (c == '\n') {
            new_line(lexer);
            lexer->at++;
        } else if (isspace((unsigned char)c)) {
            lexer->at++;
        } else if (c == '/' && next == '/') {
            while (lexer->at < lexer->end && *lexer->at != '\n')
                lexer->at++;
        } else if (c == '/' && next == '*') {
            if (!skip_block_comment(lexer))
                return;
        } else {
            return;
        }
    }
}

static void take_dotword(ww_lexer *lexer, ww_token *token)
{
    token->kind = WW_TOKEN_DOTWORD;
    token->text = ++lexer->at;
    while (lexer->at < lexer->end &&
           (is_word_part(*lexer->at) ||
            (*lexer->at == ':' && lexer->at + 1 < lexer->end && lexer->at[1] == ':')))
        lexer->at += *lexer->at == ':' ? 2 : 1;
    token->length = (uint32_t)(lexer->at - token->text);
}

/* 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX: the bits of a float. */
static bool take_float_bits(ww_lexer *lexer, ww_token *token, unsigned digits)
{
    if (lexer->end - lexer->at < (ptrdiff_t)digits + 2)
        return false;
    uint64_t bits = 0;
    for (unsigned i = 0; i < digits; i++) {
        char c = lexer->at[2 + i];
        if (!isxdigit((unsigned char)c))
            return false;
        bits = bits * 16 + (uint64_t)(isdigit((unsigned char)c) ? c - '0' : (c | 32) - 'a' + 10);
    }
    lexer->at += digits + 2;
    token->kind = digits == 8 ? WW_TOKEN_FLOAT32 : WW_TOKEN_FLOAT;
    token->bits = bits;
    return true;
}

static int digit_value(char c)
{
    if (isdigit((unsigned char)c))
        return c - '0';
    return isalpha((unsigned char)c) ? (c | 32) - 'a' + 10 : 99;
}

/* Decimal, 0x, 0b or octal, with an optional U. */
static bool integer_value(const char *text, size_t length, uint64_t *value)
{
    unsigned base = 10;
    size_t i = 0;
    if (length && (text[length - 1] == 'U' || text[length - 1] == 'u'))
        length--;
    if (length > 2 && text[0] == '0' && (text[1] | 32) == 'x') {
        base = 16;
        i = 2;
    } else if (length > 2 && text[0] == '0' && (text[1] | 32) == 'b') {
        base = 2;
        i = 2;
    } else if (length > 1 && text[0] == '0') {
        base = 8;
        i = 1;
    }
    *value = 0;
    for (; i < length; i++) {
        int digit = digit_value(text[i]);
        if (digit >= (int)base || *value > (UINT64_MAX - (uint64_t)digit) / base)
            return false;
        *value = *value * base + (uint64_t)digit;
    }
    return length > 0;
}

static bool decimal_value(const char *text, size_t length, uint64_t *bits)
{
    char copy[64];
    double value;
    if (length >= sizeof(copy))
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (!ww_parse_double(copy, &value))
        return false;
    memcpy(bits, &value, sizeof(value));
    return true;
}

static void take_number(ww_lexer *lexer, ww_token *token)
{
    const char *start = lexer->at;
    char next = lexer->at + 1 < lexer->end ? (char)(lexer->at[1] | 32) : 0;
    if (*start == '0' && next == 'f' && take_float_bits(lexer, token, 8))
        return;
    if (*start == '0' && next == 'd' && take_float_bits(lexer, token, 16))
        return;
    bool decimal = false;
    bool hex = *start == '0' && next == 'x';
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        bool exponent = !hex && (c | 32) == 'e';
        bool sign =
            (c == '+' || c == '-') && !hex && (lexer->at[-1] | 32) == 'e' && lexer->at > start;
        if (c == '.' || exponent)
            decimal = true;
        else if (!isalnum((unsigned char)c) && !sign)
            break;
        lexer->at++;
    }
    size_t length = (size_t)(lexer->at - start);
    token->kind = decimal ? WW_TOKEN_FLOAT : WW_TOKEN_INTEGER;
    if (!(decimal ? decimal_value(start, length, &token->bits)
                  : integer_value(start, length, &token->bits)))
        token->kind = WW_TOKEN_BAD;
}

static void take_string(ww_lexer *lexer, ww_token *token)
{
    token->text = ++lexer->at;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n')
        lexer->at +=
            *lexer->at == '\\' && lexer->at + 1 < lexer->end && lexer->at[1] != '\n' ? 2 : 1;
    token->length = (uint32_t)(lexer->at - token->text);
    token->kind = lexer->at < lexer->end && *lexer->at == '"' ? WW_TOKEN_STRING : WW_TOKEN_BAD;
    lexer->at += token->kind == WW_TOKEN_STRING;
}

ww_token ww_lexer_next(ww_lexer *lexer)
{
    const char *before = lexer->at;
    skip_space(lexer);
    ww_token token = {.text = lexer->at,
                      .line = lexer->line,
                      .col = (int)(lexer->at - lexer->line_start) + 1,
                      .glued = lexer->at == before};
    if (lexer->at >= lexer->end)
        return token;
    char c = *lexer->at;
    char next = lexer->at + 1 < lexer->end ? lexer->at[1] : 0;
    if (is_word_start(c)) {
        token.kind = WW_TOKEN_WORD;
        while (lexer->at < lexer->end && is_word_part(*lexer->at))
            lexer->at++;
    } else if (c == '.' && is_word_start(next)) {
        take_dotword(lexer, &token);
        return token;
    } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)next))) {
        take_number(lexer, &token);
    } else if (c == '"') {
        take_string(lexer, &token);
        return token;
    } else if (c == '/' && next == '*') { /* a comment without an end */
        token.kind = WW_TOKEN_BAD;
        token.length = 2;
        lexer->at = lexer->end;
        return token;
    } else {
        token.kind = isgraph((unsigned char)c) ? WW_TOKEN_PUNCTUATION : WW_TOKEN_BAD;
        lexer->at++;
    }
    token.length = (uint32_t)(lexer->at - token.text);
    return token;
}

bool ww_token_is(const ww_token *token, const char *text)
{
    return (token->kind == WW_TOKEN_WORD || token->kind == WW_TOKEN_PUNCTUATION) &&
           strlen(text) == token->length && memcmp(text, token->text, token->length) == 0;
}
