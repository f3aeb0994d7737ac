/* A kernel for the timing model: the unit that each instruction needs and the registers it touches.
 *
 * unit          what executes an instruction
 * register      of the scoreboard: a number for each register of each function of the kernel,
 *               predicates and the carry included
 * An instruction waits for the values it reads, and for pending writes to registers it writes. */
#ifndef WW_CORE_CODE_H
#define WW_CORE_CODE_H

#include "exec/uop.h"
#include "ptx/analysis.h"

typedef enum ww_unit {
    WW_UNIT_SIMD,
    WW_UNIT_SFU, /* reciprocals, roots, sines, powers, divisions */
    WW_UNIT_FP64,
    WW_UNIT_SCALAR, /* where the machine has one: what is the same in all lanes */
    WW_UNIT_BRANCH, /* control flow and synchronisation */
    WW_UNIT_LDS,    /* local data share: OpenCL's local memory, CUDA's shared memory */
    WW_UNIT_MEMORY,
    WW_UNIT_COUNT
} ww_unit;

enum ww_op_flag {
    WW_TIMED_LOAD = 1,
    WW_TIMED_STORE = 2,
    WW_TIMED_ATOMIC = 4,
    WW_TIMED_FENCE = 8,    /* waits until the warp's loads and stores are done */
    WW_TIMED_BRANCH = 16,  /* the next instruction is known when it has executed */
    WW_TIMED_GENERIC = 32, /* the space is known from the addresses only */
    WW_TIMED_SCALAR = 64,  /* a load of one value for all lanes, through the scalar cache */
    WW_TIMED_INSIDE = 128, /* changes nothing outside of its compute unit, and ends no warp */
};

typedef struct ww_timed_op {
    const uint16_t *registers; /* of the scoreboard */
    uint64_t bits;             /* of them (scoreboard.h) */
    uint32_t first;            /* of them, in `registers` of the code */
    uint8_t count;
    uint8_t unit; /* ww_unit */
    uint8_t flags;
    uint8_t written : 6;  /* the first of the registers are written, the others read */
    uint8_t is_float : 1; /* of the simd unit: floating point */
    uint8_t computes : 1; /* may be executed before its time (exec/compute.h) */
} ww_timed_op;

typedef struct ww_timed_code {
    ww_timed_op *ops; /* by program counter */
    uint16_t *registers;
    /* By program counter: low bits of the instruction's number in the program, in which functions
     * follow one another as in their file. */
    uint16_t *tags;
    uint32_t op_count;
    ww_register_need need; /* of a lane, and of a warp */
    /* By program counter: of a branch with two sides, or more; else NULL. They are the analysis's,
     * which outlives the code. */
    const ww_branch_paths **paths;
} ww_timed_code;

/* `has_scalar_unit`: instructions that are uniform, and not divided among lanes, go there.
 * `argument_block`: arguments are loaded through the scalar cache. One load brings all that
 * instructions without another between them read in an aligned block of so many bytes; of these the
 * first loads, and the others only issue. 0: arguments are in registers when a warp starts.
 * `end_waits`: a kernel's last instruction waits as a fence does. */
ww_timed_code *ww_timed_code_create(const ww_kernel *kernel, const ww_analysis *analysis,
                                    bool has_scalar_unit, unsigned argument_block, bool end_waits);
void ww_timed_code_destroy(ww_timed_code *code);

#endif
