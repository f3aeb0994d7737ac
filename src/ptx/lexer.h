/* PTX text to tokens.
 *
 * word       identifiers, registers (%r1), labels ($L_1): letters, digits, _ $ %
 * dotword    a directive or suffix: `.f32`, `.reg`, `.L2::128B`; its text has no dot
 * A token has its line and column; the lexer never reads past the end of the text. */
#ifndef WW_PTX_LEXER_H
#define WW_PTX_LEXER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ww_token_kind {
    WW_TOKEN_END,
    WW_TOKEN_WORD,
    WW_TOKEN_DOTWORD,
    WW_TOKEN_INTEGER, /* bits: value */
    WW_TOKEN_FLOAT,   /* bits: the double's bits */
    WW_TOKEN_FLOAT32, /* 0f...: bits: the float's bits */
    WW_TOKEN_STRING,
    WW_TOKEN_PUNCTUATION, /* one character */
    WW_TOKEN_BAD,         /* bits: 0; text: what could not be read */
} ww_token_kind;

typedef struct ww_token {
    ww_token_kind kind;
    const char *text; /* into the source, not terminated */
    uint32_t length;
    int line;
    int col;
    bool glued; /* no white space before it */
    uint64_t bits;
} ww_token;

typedef struct ww_lexer {
    const char *at;
    const char *end;
    const char *line_start;
    int line;
} ww_lexer;

void ww_lexer_start(ww_lexer *lexer, const char *text, size_t length);
ww_token ww_lexer_next(ww_lexer *lexer);
bool ww_token_is(const ww_token *token, const char *text); /* word or punctuation */

#endif
