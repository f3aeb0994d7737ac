/* Programs.
 *
 * code      PTX, its module, and what the device made of it
 * variant   code is compiled once more when a launch needs more of it: a global offset costs
 *           instructions that other launches do not pay for
 * object    bitcode that is to be linked (clCompileProgram, clLinkProgram -create-library)
 * A loaded module outlives the device: code that was loaded is kept, and found again by its
 * text. The memory of its launches is not kept. */
#ifndef WW_OCL_PROGRAM_H
#define WW_OCL_PROGRAM_H

#include "host/compile.h"
#include "ocl/ocl.h"
#include "ptx/analysis.h"

typedef enum ww_cl_variant {
    WW_CL_PLAIN,
    WW_CL_OFFSET, /* of launches with a global offset */
    WW_CL_EDGES,  /* of those whose groups differ in size, with an offset or without */
    WW_CL_VARIANTS
} ww_cl_variant;

typedef struct ww_cl_code {
    char *ptx;
    size_t length;
    ww_module *module;
    ww_analysis *analysis;     /* of the module; NULL: nothing has asked for it */
    ww_device_program *loaded; /* NULL: not yet */
    bool borrowed;             /* `loaded` is that of equal code */
} ww_cl_code;

struct _cl_program {
    ww_cl_object object;
    cl_context context;
    char *source; /* NULL: made from a binary, or by linking */
    cl_build_status status;
    cl_program_binary_type type;
    char *options, *log;
    char *all_options; /* with those that the user adds */
    WW_VEC(ww_object_code) objects;
    ww_source_header *headers; /* of clCompileProgram; texts are owned */
    size_t header_count;
    ww_cl_code code[WW_CL_VARIANTS];
    size_t kernels; /* kernel objects */
};

/* Forgets what was built. */
void ww_cl_program_reset(cl_program program);
/* Compiles or links a variant, parses it, and adds to the log. */
int ww_cl_program_make(cl_program program, ww_cl_variant variant, ww_errors *errors);
/* The code of a source with what it says about kernels (host/kernel_info.h); the caller frees it.
 * NULL: the program has no source. */
char *ww_cl_program_describe(cl_program program);
/* Whether the device has all that the code uses. */
int ww_cl_program_check(const ww_cl_code *code, ww_errors *errors);
/* What a launch needs; NULL with errors on standard error. */
ww_device_program *ww_cl_program_load(cl_program program, ww_cl_variant variant);
const ww_module *ww_cl_program_module(cl_program program); /* NULL: it is not built */
/* Registers of a function of that module. */
const ww_register_need *ww_cl_program_need(cl_program program, const ww_function *function);

/* Whether groups at the edges of a range may be smaller: from OpenCL C 2.0 on, unless an option
 * says that none are. */
bool ww_cl_program_takes_edges(cl_program program);
/* Bytes of its program-scope variables. Its launches then all use one variant, whose variables they
 * are. */
size_t ww_cl_program_variable_bytes(cl_program program);
/* Where kernels of the variant WW_CL_EDGES read which part runs; NULL: they do not. */
const ww_buffer *ww_cl_program_part_state(cl_program program, ww_device_program *loaded);

/* The program as a binary; the caller frees it. */
char *ww_cl_binary_write(cl_program program, size_t *size);
/* Reads a binary or PTX text into a new program; false: it is neither. */
bool ww_cl_binary_read(cl_program program, const unsigned char *bytes, size_t size);

cl_program ww_cl_program_create(cl_context context);
void ww_cl_program_set_options(cl_program program, const char *options);

#endif
