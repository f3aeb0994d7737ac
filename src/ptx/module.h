/* A PTX module as the parser leaves it: functions, their instructions, and variables.
 *
 * variable      named memory in a space: module-level .global/.const/.shared, a function's .local
 *               and .shared arrays, its parameters, and the .param scratch of a call
 * register      a virtual register of one function; its index is dense from 0
 * instruction   one PTX statement; its index in the function is its program counter
 * form          the resolved opcode (isa.h)
 * Everything is owned by the module and immutable once parsed. Labels are resolved to instruction
 * indices; a label at the end of a body is the index one past the last instruction. */
#ifndef WW_PTX_MODULE_H
#define WW_PTX_MODULE_H

#include "base/error.h"
#include "base/memory.h"
#include "ptx/isa.h"

typedef struct ww_function ww_function;
typedef struct ww_variable ww_variable;
typedef struct ww_module ww_module;

/* X(enumerator, name, how it varies): `lane` differs between lanes of a warp, `warp` between warps
 * of a group, `group` between groups, `launch` never within a launch, `clock` at every read. */
/* clang-format off */
#define WW_SPECIALS(X)                                                                         \
    X(TID_X, "%tid.x", LANE) X(TID_Y, "%tid.y", LANE) X(TID_Z, "%tid.z", LANE)                 \
    X(NTID_X, "%ntid.x", LAUNCH) X(NTID_Y, "%ntid.y", LAUNCH) X(NTID_Z, "%ntid.z", LAUNCH)     \
    X(CTAID_X, "%ctaid.x", GROUP) X(CTAID_Y, "%ctaid.y", GROUP) X(CTAID_Z, "%ctaid.z", GROUP)  \
    X(NCTAID_X, "%nctaid.x", LAUNCH) X(NCTAID_Y, "%nctaid.y", LAUNCH)                          \
    X(NCTAID_Z, "%nctaid.z", LAUNCH) X(LANEID, "%laneid", LANE) X(WARPID, "%warpid", LANE)     \
    X(NWARPID, "%nwarpid", LAUNCH) X(SMID, "%smid", GROUP) X(NSMID, "%nsmid", LAUNCH)          \
    X(GRIDID, "%gridid", LAUNCH) X(LANEMASK_EQ, "%lanemask_eq", LANE)                          \
    X(LANEMASK_LE, "%lanemask_le", LANE) X(LANEMASK_LT, "%lanemask_lt", LANE)                  \
    X(LANEMASK_GE, "%lanemask_ge", LANE) X(LANEMASK_GT, "%lanemask_gt", LANE)                  \
    X(CLOCK, "%clock", CLOCK) X(CLOCK_HI, "%clock_hi", CLOCK) X(CLOCK64, "%clock64", CLOCK)    \
    X(GLOBALTIMER, "%globaltimer", CLOCK) X(GLOBALTIMER_LO, "%globaltimer_lo", CLOCK)          \
    X(GLOBALTIMER_HI, "%globaltimer_hi", CLOCK)                                                \
    X(DYNAMIC_SMEM_SIZE, "%dynamic_smem_size", LAUNCH)                                         \
    X(TOTAL_SMEM_SIZE, "%total_smem_size", LAUNCH) X(WARP_SZ, "WARP_SZ", LAUNCH)               \
    X(SUBGROUP_LANE, "%subgroup_lane", LANE) X(SUBGROUP_ID, "%subgroup_id", WARP)              \
    X(SUBGROUP_SIZE, "%subgroup_size", WARP) X(SUBGROUP_COUNT, "%subgroup_count", LAUNCH)      \
    X(SUBGROUP_WIDTH, "%subgroup_width", LAUNCH)
/* clang-format on */

typedef enum ww_special {
#define WW_ENUM_SPECIAL(e, n, v) WW_SPECIAL_##e,
    WW_SPECIALS(WW_ENUM_SPECIAL) WW_SPECIAL_COUNT
} ww_special;

typedef enum ww_operand_kind {
    WW_OPERAND_NONE,     /* `_`: a discarded result */
    WW_OPERAND_REGISTER, /* reg; negated for `!%p` */
    WW_OPERAND_VALUE,    /* bits: an immediate, already converted to the operand's type */
    WW_OPERAND_SPECIAL,  /* special */
    WW_OPERAND_ADDRESS,  /* variable or function, plus offset: its address as a value */
    WW_OPERAND_MEMORY,   /* [reg + offset], [variable + offset] or [offset] */
    WW_OPERAND_VECTOR,   /* elements: {a, b, c, d} */
    WW_OPERAND_LABEL,    /* target */
    WW_OPERAND_TARGETS,  /* targets: the list of a brx.idx */
    WW_OPERAND_FUNCTION, /* function: a direct call's target */
} ww_operand_kind;

typedef struct ww_operand {
    uint8_t kind; /* ww_operand_kind */
    uint8_t special;
    uint8_t type; /* ww_type that the opcode needs here; NONE for labels and addresses */
    bool negated;
    uint16_t count;        /* elements, or targets */
    int32_t reg;           /* REGISTER; MEMORY's base, or -1 */
    uint32_t target;       /* LABEL */
    int64_t offset;        /* ADDRESS, MEMORY */
    uint64_t bits;         /* VALUE */
    ww_variable *variable; /* ADDRESS, MEMORY, or NULL */
    ww_function *function; /* FUNCTION, ADDRESS */
    struct ww_operand *elements;
    uint32_t *targets;
} ww_operand;

/* `.callprototype`: what an indirect call passes. Sizes in bytes, in order. */
typedef struct ww_prototype {
    const char *name;
    ww_variable *params;
    ww_variable *returns;
    uint16_t param_count;
    uint16_t return_count;
} ww_prototype;

typedef struct ww_call {
    ww_operand target; /* FUNCTION, or REGISTER for an indirect call */
    ww_operand *args;  /* REGISTER, VALUE or ADDRESS of a .param variable (whole variable) */
    ww_operand *returns;
    uint16_t arg_count;
    uint16_t return_count;
    const ww_prototype *prototype; /* of an indirect call */
} ww_call;

/* Operands are in PTX order with results first. setp's `p|q` is two operands; so is shfl's `d|p`.
 * Register operands of a MEMORY operand, a guard, and a call's args are read as well. */
typedef struct ww_instruction {
    ww_form form;
    uint8_t operand_count;
    uint8_t result_count; /* operands[0 .. result_count) are written */
    bool guard_negated;
    int32_t guard; /* predicate register, or -1 */
    ww_operand *operands;
    ww_call *call;    /* of a call, else NULL */
    const char *text; /* the statement as written, white space folded, without the semicolon */
    int line;         /* in the PTX file */
    int source_file;  /* index in the module's files (.file), or -1 */
    int source_line;
} ww_instruction;

typedef struct ww_register {
    const char *name;
    uint8_t type; /* ww_type */
} ww_register;

/* An address inside an initialiser: the 8 (or `bytes`) bytes at `at` become that address. */
typedef struct ww_relocation {
    uint64_t at;
    uint8_t bytes;
    bool generic; /* generic(x): also for .const and .shared */
    ww_variable *variable;
    ww_function *function;
    int64_t addend;
} ww_relocation;

struct ww_variable {
    const char *name;
    uint8_t space;    /* ww_space */
    uint8_t type;     /* ww_type of an element */
    bool external;    /* .extern: defined elsewhere; `.extern .shared x[]` is the dynamic part */
    bool in_register; /* a .reg parameter of a function: `reg` holds it */
    uint8_t pointer_space; /* a parameter's `.ptr .shared` etc.; WW_SPACE_GENERIC when not given */
    bool is_pointer;       /* a parameter declared `.ptr` */
    uint32_t align;
    uint64_t size; /* bytes in all; 0 for x[] */
    int32_t reg;
    uint8_t *initial; /* size bytes, or NULL for zeros */
    ww_relocation *relocations;
    size_t relocation_count;
    uint32_t index;  /* in module->variables, of a module-level one */
    uint64_t offset; /* parser: offset in its function's parameter block, .local frame or .shared
                        block; module-level .shared variables come after all functions' needs */
    int line;
};

struct ww_function {
    const char *name;
    ww_module *module;
    uint32_t index; /* in module->functions */
    bool is_entry;
    bool has_body;
    ww_variable *params;
    ww_variable *returns;
    uint16_t param_count;
    uint16_t return_count;
    uint64_t param_bytes; /* the parameter block of an entry */
    ww_register *registers;
    uint32_t register_count;
    ww_instruction *instructions;
    uint32_t instruction_count;
    ww_variable **variables; /* .local, .shared and .param scratch declared inside the body */
    uint32_t variable_count;
    uint64_t local_bytes;       /* the .local frame, .param scratch included */
    uint64_t shared_bytes;      /* static .shared of this function alone */
    uint32_t required_group[3]; /* .reqntid, or zeros */
    uint32_t required_subgroup; /* .reqsubgroup, our own: the warp width that it needs, or 0 */
    uint32_t most_group[3];     /* .maxntid, or zeros */
    int line;
};

struct ww_module {
    ww_arena *arena;
    const char *path;
    ww_function **functions; /* in order of first mention; declarations have no body */
    uint32_t function_count;
    ww_variable **variables; /* module level: .global, .const, .shared */
    uint32_t variable_count;
    const char **files; /* .file table by index given there; NULL holes */
    uint32_t file_count;
    uint32_t version;   /* .version 7.8 is 78 */
    const char *target; /* "sm_70" */
};

/* Parses PTX text. `path` is used in messages only. On failure adds errors (all that are found, at
 * most 20) and returns NULL. */
ww_module *ww_module_parse(const char *path, const char *text, size_t length, ww_errors *errors);
void ww_module_destroy(ww_module *module);

ww_function *ww_module_function(const ww_module *module, const char *name);

/* The source line when it is known, else the line of the PTX; only the path when `instruction` is
 * NULL. */
ww_where ww_instruction_location(const ww_module *module, const ww_instruction *instruction);

const char *ww_special_name(ww_special special);
const char *ww_special_scope(ww_special special); /* "lane", "group", "launch", "clock" */

/* Registers read and written by an instruction: guard, address bases, vector elements and call
 * arguments included. Calls `visit(reg, context)` for each, possibly more than once. */
typedef void ww_visit_register(int32_t reg, void *context);
void ww_instruction_reads(const ww_instruction *i, ww_visit_register *visit, void *context);
void ww_instruction_writes(const ww_instruction *i, ww_visit_register *visit, void *context);

#endif
