/* The parser's state, private to the parse_*.c files.
 *
 * scope    a brace-enclosed part of a body, or the module: names of registers, variables, labels
 * symbol   what a name stands for in its scope */
#ifndef WW_PTX_PARSE_H
#define WW_PTX_PARSE_H

#include "base/map.h"
#include "ptx/lexer.h"
#include "ptx/module.h"
#include "ptx/opcodes.h"

typedef enum ww_symbol_kind {
    WW_SYMBOL_REGISTER,
    WW_SYMBOL_REGISTERS, /* %r<10>: a register is created when it is first named */
    WW_SYMBOL_VARIABLE,
    WW_SYMBOL_FUNCTION,
    WW_SYMBOL_PROTOTYPE,
    WW_SYMBOL_LABEL,
    WW_SYMBOL_TARGETS, /* .branchtargets */
} ww_symbol_kind;

typedef struct ww_symbol {
    ww_symbol_kind kind;
    uint8_t type;   /* REGISTERS, and a REGISTER of the module */
    uint32_t count; /* REGISTERS */
    int32_t reg;
    uint32_t target; /* LABEL */
    ww_variable *variable;
    ww_function *function;
    const ww_function *user; /* of a REGISTER or .local of the module: the function that uses it */
    ww_prototype *prototype;
    ww_operand *targets;
} ww_symbol;

typedef struct ww_scope {
    struct ww_scope *parent;
    ww_map *symbols;
} ww_scope;

/* A label or target list that was used before its definition. */
typedef struct ww_pending {
    const char *name;
    ww_scope *scope;
    ww_operand *operand; /* becomes LABEL or TARGETS */
    uint32_t *target;    /* or: one entry of a target list */
    ww_where at;
} ww_pending;

/* Where a kernel's parameters start. OpenCL C lets kernels call kernels: one that is called is read
 * a second time, as a function. */
typedef struct ww_kernel_text {
    ww_function *kernel;
    ww_function *callable; /* NULL: no function calls it */
    ww_lexer lexer;
    ww_token token;
} ww_kernel_text;

typedef struct ww_parser {
    ww_lexer lexer;
    ww_token token; /* the current one */
    ww_module *module;
    ww_errors *errors;
    size_t error_count;
    ww_function *function; /* the one whose body is parsed, or NULL */
    ww_scope *scope;
    WW_VEC(ww_scope *) scopes; /* all, to free them */
    WW_VEC(ww_function *) functions;
    WW_VEC(ww_variable *) variables;
    WW_VEC(ww_variable *) body_variables;
    WW_VEC(ww_register) registers;
    WW_VEC(ww_instruction) instructions;
    WW_VEC(ww_pending) pending;
    WW_VEC(ww_kernel_text) kernels;
    int source_file;
    int source_line;
    int loc_line;          /* PTX line of the .loc that set source_line */
    bool files_read;       /* all .file directives are read, for an error before them */
    bool has_address_size; /* the directive was present */
} ww_parser;

#define WW_MOST_PARSE_ERRORS 20

/* Add an error, at the current token or at a given location; return false, for `return`. */
bool ww_parse_error(ww_parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool ww_parse_error_at(ww_parser *p, int line, int col, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void ww_parse_next(ww_parser *p);
bool ww_parse_at(const ww_parser *p, const char *text);     /* current word or punctuation */
bool ww_parse_at_dot(const ww_parser *p, const char *text); /* current dotword */
bool ww_parse_accept(ww_parser *p, const char *text);
bool ww_parse_accept_dot(ww_parser *p, const char *text);
bool ww_parse_expect(ww_parser *p, const char *text);
ww_token ww_parse_peek(const ww_parser *p); /* the token after the current one */
const char *ww_parse_name(ww_parser *p);    /* the current token's text, kept */

/* Scopes and names (parse_scope.c). */
void ww_parse_enter(ww_parser *p);
void ww_parse_leave(ww_parser *p);
ww_symbol *ww_parse_declare(ww_parser *p, const char *name, ww_symbol_kind kind);
ww_symbol *ww_parse_lookup(ww_parser *p, ww_scope *scope, const char *name);
int32_t ww_parse_add_register(ww_parser *p, const char *name, ww_type type);

/* Declarations (parse_variable.c). */
bool ww_parse_type(ww_parser *p, ww_type *type); /* current token is a type: takes it */
void ww_parse_allocate_variable(ww_parser *p, ww_variable *variable);
bool ww_parse_reg(ww_parser *p);                                      /* after `.reg` */
bool ww_parse_variables(ww_parser *p, ww_space space, bool external); /* after `.global` etc. */
bool ww_parse_parameter(ww_parser *p, ww_variable *variable);
bool ww_parse_parameters(ww_parser *p, ww_variable **list, uint16_t *count);
uint64_t ww_parse_allocate(uint64_t *used, const ww_variable *variable); /* next aligned offset */

bool ww_parse_file(ww_parser *p); /* after `.file` (parse_tokens.c) */
bool ww_parse_body(ww_parser *p); /* after its opening brace (parse_body.c) */

/* Statements (parse_instruction.c, parse_operand.c, parse_call.c). */
bool ww_parse_instruction(ww_parser *p);
bool ww_parse_operand(ww_parser *p, ww_operand *operand);
bool ww_parse_fit(ww_parser *p, ww_instruction *i, char letter, ww_operand *operand, ww_token at);
/* The same for a number that must have a type. */
bool ww_parse_fit_value(ww_parser *p, ww_operand *operand, ww_type type, ww_token at);
bool ww_parse_call(ww_parser *p, ww_instruction *i);
bool ww_parse_integer(ww_parser *p, int64_t *value); /* a literal with optional sign */

/* A literal's kind between ww_parse_operand and ww_parse_fit (in operand->special). */
enum { WW_LITERAL_INTEGER, WW_LITERAL_DOUBLE, WW_LITERAL_FLOAT };

#endif
