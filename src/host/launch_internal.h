/* Internal to launch_*.c, which read, bind and run a launch file. Everything lies in the file's
 * arena; locations (ww_where) point into its YAML document. */
#ifndef WW_HOST_LAUNCH_INTERNAL_H
#define WW_HOST_LAUNCH_INTERNAL_H

#include "base/memory.h"
#include "config/config.h"
#include "host/element.h"
#include "host/hints.h"
#include "host/launch_file.h"

typedef enum ww_fill_kind {
    WW_FILL_ZERO,
    WW_FILL_IOTA,
    WW_FILL_RANDOM,
    WW_FILL_VALUE, /* `values` holds one element */
    WW_FILL_LIST,  /* `values` holds all elements */
    WW_FILL_FILE,
} ww_fill_kind;

typedef struct ww_buffer_part {
    const char *name;
    ww_where at;
    ww_element element;
    uint64_t count; /* elements */
    ww_fill_kind fill;
    uint8_t *values;
    const char *file; /* path */
    ww_where file_at;
    bool has_range;
    uint64_t low, high; /* elements, in the low bytes */
    bool has_seed;
    uint64_t seed;
    ww_buffer_hints hints;
    bool symbol;                 /* a variable of the kernel file, not memory of its own */
    bool keep;                   /* no fill: a symbol's values are the kernel file's, others 0 */
    const ww_variable *variable; /* bound: of a symbol */
} ww_buffer_part;

typedef enum ww_argument_kind {
    WW_ARGUMENT_BUFFER,
    WW_ARGUMENT_NULL,  /* a pointer to nothing */
    WW_ARGUMENT_VALUE, /* one or more elements */
    WW_ARGUMENT_BYTES,
    WW_ARGUMENT_LOCAL, /* shared memory of `size` bytes, by pointer */
} ww_argument_kind;

typedef struct ww_argument {
    ww_argument_kind kind;
    ww_where at;
    size_t buffer;      /* BUFFER: index */
    ww_element element; /* VALUE */
    uint8_t *bytes;     /* VALUE, BYTES */
    uint64_t size;
} ww_argument;

typedef struct ww_launch_part {
    ww_where at;
    const char *entry; /* as written; NULL: the only one */
    ww_where entry_at;
    bool in_groups; /* `global` counts groups, not work-items */
    uint64_t global[3], local[3], offset[3];
    ww_where global_at, local_at;
    unsigned dims, local_dims, offset_dims; /* 0: not given */
    uint64_t shared;                        /* dynamic bytes besides local arguments */
    ww_argument *args;
    size_t arg_count;
    bool sound;                  /* read without errors */
    const ww_function *function; /* bound: the entry */
    uint32_t groups[3], group[3];
} ww_launch_part;

typedef struct ww_result_part {
    size_t buffer; /* index */
    ww_where at;
    const char *name; /* of a dump: as written */
    const char *file; /* path, or NULL */
    ww_where file_at;
    uint8_t *values; /* what a check wants when not in a file */
    bool one_value;  /* `values` holds one element for all */
    double tolerance;
} ww_result_part;

typedef struct ww_launch_parameter {
    const char *name;
    double value;
    bool is_whole;
    int64_t whole; /* then the same, exactly */
    bool given;    /* with --size */
} ww_launch_parameter;

struct ww_launch_file {
    ww_arena *arena;
    ww_yaml_document *document;
    const char *path;
    char *folder; /* of the launch file, with a slash; "" for the current one */
    const char *dump_folder;
    bool no_dump, has_dumps;
    const char *kernel;
    const char *build_options;
    ww_where kernel_at, build_options_at;
    WW_VEC(ww_launch_parameter) parameters;
    bool has_expressions;
    ww_module *module;
    char *ptx;
    WW_VEC(ww_buffer_part) buffers;
    WW_VEC(ww_launch_part) launches;
    WW_VEC(ww_result_part) dumps;
    WW_VEC(ww_result_part) checks;
};

/* A path that a file names: relative to the launch file. */
const char *ww_launch_path(const ww_launch_file *file, const char *path);
/* The index of a buffer, or an error that names the nearest. */
int ww_launch_buffer(const ww_launch_file *file, const char *name, ww_where at, size_t *index,
                     ww_errors *errors);
/* The file exists and has this many bytes. */
int ww_launch_check_size(const char *path, ww_where at, uint64_t bytes, ww_errors *errors);
/* A sequence of elements; `count` 0: any number. */
int ww_launch_elements(ww_launch_file *file, ww_element element, const ww_yaml *list,
                       const char *what, uint64_t count, uint8_t **values, ww_errors *errors);

/* Reads parameters; `*root` becomes the file with expressions replaced by numbers. */
int ww_launch_evaluate(ww_launch_file *file, const ww_yaml **root, const char *size,
                       const ww_config *config, ww_errors *errors);
/* Reading: each takes the node of its key. */
int ww_launch_read_buffers(ww_launch_file *file, const ww_yaml *node, ww_errors *errors);
int ww_launch_read_symbols(ww_launch_file *file, const ww_yaml *node, ww_errors *errors);
int ww_launch_read_launches(ww_launch_file *file, const ww_yaml *node, ww_errors *errors);
int ww_launch_read_dumps(ww_launch_file *file, const ww_yaml *node, ww_errors *errors);
int ww_launch_read_checks(ww_launch_file *file, const ww_yaml *node, ww_errors *errors);

/* Finds the entry, the grid and the parameters of a launch. */
int ww_launch_bind(const ww_launch_file *file, ww_launch_part *launch, ww_errors *errors);

/* Finds the variable of a symbol. */
int ww_launch_bind_symbol(const ww_launch_file *file, ww_buffer_part *symbol, ww_errors *errors);
/* The name in the source of a mangled one. */
bool ww_launch_is_mangled(const char *symbol, const char *name);

/* Running. */
/* Sets the symbols; `own` has one buffer for each, and `buffers` then point to them. */
int ww_launch_set_symbols(const ww_launch_file *file, ww_device *device, ww_device_program *program,
                          const ww_launch_file_options *options, ww_buffer *own,
                          const ww_buffer **buffers, ww_errors *errors);
/* Refuses hints of the options about buffers that the file does not have. */
int ww_launch_check_hints(const ww_launch_file *file, const ww_launch_file_options *options,
                          ww_errors *errors);
/* Gives the device the hints about a buffer: those of the file, overridden by the options'. */
int ww_launch_hint(const ww_buffer_part *part, const ww_buffer *buffer, ww_device *device,
                   const ww_launch_file_options *options, ww_errors *errors);
int ww_launch_fill(const ww_buffer_part *part, const ww_buffer *buffer, uint64_t seed,
                   ww_errors *errors);
int ww_launch_start(const ww_launch_part *launch, const ww_buffer *const *buffers,
                    ww_device *device, ww_device_program *program, ww_errors *errors);
int ww_launch_dump(const ww_launch_file *file, const ww_result_part *dump, const ww_buffer *buffer,
                   ww_errors *errors);
int ww_launch_check(const ww_result_part *check, const ww_buffer_part *part,
                    const ww_buffer *buffer, ww_errors *errors);

#endif
