/* Micro-ops: PTX instructions decoded for execution, one for one.
 *
 * kernel      an entry with all functions it can reach, as one array of micro-ops
 * slot        where an operand's row is: at least 0, a byte offset in the warp's registers; below,
 *             ~slot is a byte offset in the kernel's constants
 * constant    a row with the same value in every lane: immediates, addresses of variables,
 *             parameters and launch sizes; the last two are filled at each launch
 * predicate   index of a lane mask in the warp; 0 is never true, 1 always, 2 takes results that
 *             are discarded
 * A program counter is an index into the kernel's micro-ops. */
#ifndef WW_EXEC_UOP_H
#define WW_EXEC_UOP_H

#include "exec/exec.h"
#include "exec/lane.h"
#include "ptx/module.h"

typedef int32_t ww_slot;

enum { WW_PREDICATE_NEVER, WW_PREDICATE_ALWAYS, WW_PREDICATE_SINK, WW_PREDICATE_FIRST };

#define WW_NO_PC UINT32_MAX

typedef enum ww_uop_kind {
    WW_UOP_LANE,       /* d = fn(a, b, c) */
    WW_UOP_LANE_EXTRA, /* d = fn(a, b, c, e): a fourth row, or a number through imm */
    WW_UOP_LANE_ADAPT, /* d = fn(a): registers wider than the operator's types */
    WW_UOP_CARRY,      /* d = fn(a, b, c) with the carry mask */
    WW_UOP_COMPARE,    /* predicates d, e = fn(a, b) and its contrary, combined with predicate c */
    WW_UOP_SET,        /* d = fn(a, b) combined with predicate c, as all ones or 1.0 */
    WW_UOP_SELECT,     /* d = predicate c ? a : b */
    WW_UOP_TEST,       /* predicate d = fn(a) */
    WW_UOP_COPY32,
    WW_UOP_COPY64,
    WW_UOP_PREDICATE,     /* predicate d = a combine b */
    WW_UOP_PACK,          /* d = elements list[0..count) of `bytes` bytes each */
    WW_UOP_UNPACK,        /* list[0..count) = parts of a */
    WW_UOP_LOCAL_ADDRESS, /* d = this frame's base + imm */
    WW_UOP_SPACE_TEST,    /* predicate d = whether generic a is in `space` */
    WW_UOP_CLOCK,
    WW_UOP_LOAD,
    WW_UOP_STORE,
    WW_UOP_ATOMIC,
    WW_UOP_ASYNC_COPY,
    WW_UOP_NOTHING, /* fences and hints */
    WW_UOP_BARRIER,
    WW_UOP_WARP_BARRIER,
    WW_UOP_SHUFFLE,
    WW_UOP_VOTE,
    WW_UOP_MATCH,
    WW_UOP_ACTIVE_MASK,
    WW_UOP_REDUCE,
    WW_UOP_ELECT,
    WW_UOP_BRANCH,
    WW_UOP_BRANCH_INDEX,
    WW_UOP_CALL,
    WW_UOP_CALL_INDIRECT,
    WW_UOP_PRINT, /* a call of vprintf */
    WW_UOP_RETURN,
    WW_UOP_EXIT,
    WW_UOP_TRAP,
} ww_uop_kind;

/* The instruction's counter. */
typedef enum ww_category {
    WW_CATEGORY_ARITHMETIC,
    WW_CATEGORY_MEMORY,
    WW_CATEGORY_CONTROL,
    WW_CATEGORY_SYNCHRONISATION,
    WW_CATEGORY_COUNT
} ww_category;

enum ww_uop_flag {
    WW_UOP_SIGNED = 1,     /* load, widen: extend by the sign */
    WW_UOP_WIDE = 2,       /* rows of 8 bytes a lane (result of a load, source of a store) */
    WW_UOP_WIDE_BASE = 4,  /* the address base is a row of 8 bytes a lane */
    WW_UOP_NO_BASE = 8,    /* the address is imm alone; barrier: of all work-items of the group */
    WW_UOP_NARROW_A = 16,  /* adapt: source row is 64-bit, the operator reads 32 */
    WW_UOP_WIDEN_D = 32,   /* adapt: result row is 64-bit, the operator writes 32 */
    WW_UOP_FRAME = 64,     /* the address is relative to this frame's local memory */
    WW_UOP_MERGED = 256,   /* store: several writes in earlier blocks make the value */
    WW_UOP_NEGATE_C = 128, /* the predicate source c is negated */
    WW_UOP_ONLY_COMPUTES = 512, /* compute.h */
    WW_UOP_SUBGROUP = 1024,     /* shuffle, vote: over the whole warp */
    WW_UOP_PAIR = 2048, /* compare: rows hold two halves; d is of the low ones, e of the high */
};

typedef struct ww_uop {
    ww_lane_fn *fn;
    int64_t imm;
    ww_slot d, a, b, c, e;
    uint32_t target;
    uint32_t reconverge; /* of a branch: where its lanes reconverge, or WW_NO_PC */
    uint16_t guard;      /* predicate */
    uint16_t flags;
    uint8_t guard_negated;
    uint8_t kind;
    uint8_t category;
    uint8_t bytes; /* of an element in memory */
    uint8_t count; /* elements */
    uint8_t combine;
    uint8_t space;
    uint8_t variant;
    uint8_t type;
} ww_uop;

typedef enum ww_constant_source {
    WW_CONSTANT_VALUE, /* bits */
    WW_CONSTANT_PARAM, /* `size` bytes of the parameter block at bits */
    WW_CONSTANT_SPECIAL,
} ww_constant_source;

typedef struct ww_constant {
    uint8_t source;
    uint8_t wide;
    uint8_t size;
    uint8_t is_signed;
    uint64_t bits;
    uint32_t offset; /* of its row */
} ww_constant;

/* One register's row, for saving and restoring a function's registers. */
typedef struct ww_row {
    uint32_t offset;
    uint32_t wide;
} ww_row;

/* A function inside a kernel. */
typedef struct ww_code {
    const ww_function *function;
    uint32_t first; /* program counter of its first micro-op */
    uint32_t count;
    bool recursive; /* can reach itself */
    uint32_t local_bytes;
    ww_row *rows; /* of its registers, by register index; predicates: offset is the index */
} ww_code;

typedef struct ww_kernel {
    const ww_function *entry;
    ww_uop *uops;
    const ww_instruction **instructions; /* by program counter; NULL for the implicit return */
    uint32_t uop_count;
    ww_code *codes;
    uint32_t code_count;
    uint16_t *code_of; /* function index -> code index, or UINT16_MAX */
    ww_slot *lists;    /* elements of vectors */
    uint32_t *targets; /* program counters of brx lists */
    ww_constant *constants;
    uint32_t constant_count;
    uint8_t *constant_rows;
    uint32_t register_bytes; /* of a warp: values, then specials and discarded results */
    uint32_t value_bytes;    /* of them, the rows of registers */
    uint32_t predicate_count;
    ww_slot special_slots[WW_SPECIAL_COUNT]; /* rows of lane and group specials; -1: unused */
    uint64_t static_shared;
    uint64_t dynamic_shared_offset;
    uint64_t local_bytes;               /* a lane's, all frames */
    bool uses_warp_width;               /* has shuffles, votes or other instructions across lanes */
    const ww_instruction *first_across; /* the first of them, for messages */
} ww_kernel;

/* Decodes an entry for `blocks` blocks of 16 lanes. `address_of` returns a module variable's global
 * address. `loads_arguments`: as in ww_exec_options. NULL with errors when an instruction that it
 * reaches cannot run. */
typedef uint64_t ww_address_of(const void *context, const ww_variable *variable);

ww_kernel *ww_kernel_create(const ww_function *entry, ww_lane_level level, unsigned blocks,
                            bool loads_arguments, ww_address_of *address_of, const void *context,
                            ww_errors *errors);
void ww_kernel_destroy(ww_kernel *kernel);

/* Generic addresses of the other spaces. Global buffers are below all of them. */
#define WW_SHARED_WINDOW 0x7f0000000000ull
#define WW_LOCAL_WINDOW 0x7f1000000000ull
#define WW_PARAM_WINDOW 0x7f2000000000ull
#define WW_CODE_WINDOW 0x7f3000000000ull
#define WW_WINDOW_BYTES 0x1000000000ull

/* A function's address, as a value. */
static inline uint64_t ww_function_address(const ww_function *function)
{
    return WW_CODE_WINDOW + 16ull * (function->index + 1);
}

#endif
