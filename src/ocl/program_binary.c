/* Programs as binaries: a line that says what it is, then parts, each with a line "NAME BYTES".
 * Code is our PTX. PTX text alone is an executable, too. */
#include "ocl/program.h"

#include <string.h>

#define MAGIC "warpwalk OpenCL binary 1 "

static const char *const part_names[WW_CL_VARIANTS] = {"ptx", "ptx-with-offset", "ptx-with-edges"};

static void write_part(FILE *out, const char *name, const char *bytes, size_t count)
{
    fprintf(out, "%s %zu\n", name, count);
    fwrite(bytes, 1, count, out);
    fputc('\n', out);
}

/* Launches of another program may need any variant. */
static void make_variants(cl_program program)
{
    ww_errors *ignored = ww_errors_create();
    for (int i = 0; i < WW_CL_VARIANTS; i++)
        if (!program->code[i].module && (i != WW_CL_EDGES || ww_cl_program_takes_edges(program)))
            ww_cl_program_make(program, (ww_cl_variant)i, ignored);
    ww_errors_destroy(ignored);
}

char *ww_cl_binary_write(cl_program program, size_t *size)
{
    char *text = NULL;
    *size = 0;
    if (program->type == CL_PROGRAM_BINARY_TYPE_NONE)
        return NULL;
    if (program->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        make_variants(program);
    FILE *out = open_memstream(&text, size);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    fprintf(out, MAGIC "%u\n", program->type);
    write_part(out, "options", program->all_options, strlen(program->all_options));
    if (program->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
        for (int i = 0; i < WW_CL_VARIANTS; i++)
            if (program->code[i].ptx)
                write_part(out, part_names[i], program->code[i].ptx, program->code[i].length);
    } else {
        for (size_t i = 0; i < program->objects.count; i++)
            write_part(out, "object", program->objects.items[i].bytes,
                       program->objects.items[i].count);
    }
    fclose(out);
    return text;
}

/* ---- reading ---- */

static char *copy_of(const char *bytes, size_t count)
{
    char *copy = ww_calloc(count + 1, 1);
    memcpy(copy, bytes, count);
    return copy;
}

static bool add_part(cl_program program, const char *name, const char *bytes, size_t count)
{
    if (strcmp(name, "options") == 0) {
        free(program->options);
        free(program->all_options);
        program->options = copy_of(bytes, count);
        program->all_options = copy_of(bytes, count);
        return true;
    }
    if (strcmp(name, "object") == 0) {
        ww_vec_push(&program->objects, ((ww_object_code){copy_of(bytes, count), count}));
        return true;
    }
    for (int i = 0; i < WW_CL_VARIANTS; i++)
        if (strcmp(name, part_names[i]) == 0 && !program->code[i].ptx) {
            program->code[i].ptx = copy_of(bytes, count);
            program->code[i].length = count;
            return true;
        }
    return false;
}

/* The line of a part, and its content behind it; NULL: the text is not of this form. */
static const char *read_part(const char *at, const char *end, char name[32], size_t *count)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    char line[64];
    if (!newline || (size_t)(newline - at) >= sizeof(line))
        return NULL;
    memcpy(line, at, (size_t)(newline - at));
    line[newline - at] = 0;
    if (sscanf(line, "%31s %zu", name, count) != 2)
        return NULL;
    return (size_t)(end - newline - 1) > *count ? newline + 1 : NULL;
}

static bool read_parts(cl_program program, const char *at, const char *end)
{
    char name[32];
    size_t count = 0;
    while (at < end) {
        at = read_part(at, end, name, &count);
        if (!at || !add_part(program, name, at, count))
            return false;
        at += count + 1;
    }
    return true;
}

/* Blank lines and comments, then ".version". */
static bool is_ptx(const char *text, size_t size)
{
    const char *end = text + size;
    while (text < end && (*text == '\n' || *text == ' ' || *text == '/')) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        text = newline ? newline + 1 : end;
    }
    return end - text > 8 && memcmp(text, ".version", 8) == 0;
}

bool ww_cl_binary_read(cl_program program, const unsigned char *bytes, size_t size)
{
    const char *text = (const char *)bytes;
    size_t magic = strlen(MAGIC);
    if (size < magic || memcmp(text, MAGIC, magic) != 0) {
        if (!is_ptx(text, size))
            return false;
        program->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
        return add_part(program, part_names[WW_CL_PLAIN], text, size);
    }
    const char *newline = memchr(text + magic, '\n', size - magic);
    if (!newline)
        return false;
    program->type = (cl_program_binary_type)strtoul(text + magic, NULL, 10);
    return read_parts(program, newline + 1, text + size);
}
