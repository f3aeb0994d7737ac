/* Runs a launch file in every way there is and compares what it leaves in memory, byte by byte:
 *
 *   test_kernels FILE.yaml
 *
 * at many widths, in every order, with every build of the lane operators, and work-item by
 * work-item (support/scalar.h). The file's own `check` must hold in all of them, and the first
 * run must give what the kernel's reference in C gives (support/reference.h). Kernels with
 * instructions across the lanes of a warp run at widths 32 and 64 alone. A reference that asks for
 * the width (sub-groups) is computed for each width, and runs of one width are compared.
 * A file `unordered` beside the launch file names the buffers, one a line, whose bytes depend on
 * the order of atomics; they are not compared. */
#include "exec/order.h"
#include "host/functional_device.h"
#include "host/launch_file.h"
#include "support/reference.h"
#include "support/scalar_device.h"

#include <stdio.h>
#include <string.h>

/* One way of running. */
typedef struct way {
    const char *name;
    unsigned width; /* 0: the scalar interpreter */
    const char *order;
    uint64_t seed;
    ww_lane_level level;
} way;

typedef struct test {
    const char *path;
    ww_launch_file *file;
    ww_device *reference;
    char *unordered; /* "\nname\nname\n" */
    bool across;     /* has instructions across lanes */
    bool of_width;   /* its values depend on the width */
    unsigned runs;
    int status;
} test;

static void fail(test *t, const way *how, const char *what)
{
    fprintf(stderr, "%s: %s (width %u, order %s, seed %llu): %s\n", t->path, how->name, how->width,
            how->order, (unsigned long long)how->seed, what);
    t->status = 1;
}

static ww_device *make_device(const way *how)
{
    if (how->width == 0)
        return scalar_device_create(how->level);
    ww_exec_options options = {
        .width = how->width,
        .level = how->level,
        .max_instructions = 1u << 28,
        .order = (const ww_order *)(const void *)ww_policy_find(&ww_order_family, how->order),
        .seed = how->seed,
    };
    return ww_functional_device_create(&options, NULL);
}

static bool is_ordered(const test *t, const char *buffer)
{
    char *line = ww_format("\n%s\n", buffer);
    bool ordered = !strstr(t->unordered, line);
    free(line);
    return ordered;
}

static void compare_buffers(test *t, const way *how, const ww_buffer *got, const ww_buffer *want)
{
    char text[200];
    uint64_t at = 0, different = 0;
    if (got->size != want->size || got->address != want->address) {
        fail(t, how, "its buffers are not those of the first run");
        return;
    }
    for (uint64_t i = got->size; i > 0; i--)
        if (got->host[i - 1] != want->host[i - 1]) {
            at = i - 1;
            different++;
        }
    if (!different)
        return;
    snprintf(text, sizeof(text), "buffer '%s' differs in %llu bytes, first at %llu: %02x, not %02x",
             got->name, (unsigned long long)different, (unsigned long long)at, got->host[at],
             want->host[at]);
    fail(t, how, text);
}

static void compare_memory(test *t, const way *how, const ww_device *device)
{
    const ww_buffer *const *got, *const *want;
    size_t count = ww_memory_buffers(device->memory, &got);
    if (count != ww_memory_buffers(t->reference->memory, &want)) {
        fail(t, how, "another number of buffers than the first run");
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (is_ordered(t, got[i]->name))
            compare_buffers(t, how, got[i], want[i]);
}

/* ---- the reference ---- */

struct reference {
    const ww_memory *memory;
    unsigned width;
    bool asked_width;
    WW_VEC(const ww_buffer *) buffers;
    WW_VEC(void *) wanted; /* of them */
};

static const ww_buffer *find_buffer(const ww_memory *memory, const char *name)
{
    const ww_buffer *const *buffers;
    size_t count = ww_memory_buffers(memory, &buffers);
    for (size_t i = 0; i < count; i++)
        if (strcmp(buffers[i]->name, name) == 0)
            return buffers[i];
    fprintf(stderr, "the reference names a buffer '%s' that is not there\n", name);
    exit(2);
}

const void *reference_input(reference *r, const char *buffer)
{
    return find_buffer(r->memory, buffer)->host;
}

size_t reference_bytes(reference *r, const char *buffer)
{
    return find_buffer(r->memory, buffer)->size;
}

unsigned reference_width(reference *r)
{
    r->asked_width = true;
    return r->width;
}

void *reference_wanted(reference *r, const char *buffer)
{
    const ww_buffer *b = find_buffer(r->memory, buffer);
    void *wanted = ww_calloc(b->size + 1, 1);
    ww_vec_push(&r->buffers, b);
    ww_vec_push(&r->wanted, wanted);
    return wanted;
}

static void compare_with_reference(test *t, const way *how)
{
    const char *slash = strrchr(t->path, '/');
    char *name = ww_strdup(slash ? slash + 1 : t->path);
    reference r = {.memory = t->reference->memory, .width = how->width};
    *strchrnul(name, '.') = 0;
    reference_fn *compute = reference_find(name);
    if (compute)
        compute(&r);
    t->of_width = r.asked_width;
    for (size_t i = 0; i < r.buffers.count; i++) {
        ww_buffer wanted = *r.buffers.items[i];
        wanted.host = r.wanted.items[i];
        compare_buffers(t, how, r.buffers.items[i], &wanted);
        free(wanted.host);
    }
    ww_vec_free(&r.buffers);
    ww_vec_free(&r.wanted);
    free(name);
}

/* ---- running ---- */

/* The first run is what the others are compared with. */
static void run(test *t, const way *how)
{
    ww_errors *errors = ww_errors_create();
    ww_device *device = make_device(how);
    ww_launch_file_options options = {.seed = 1, .verify = true};
    ww_verdict verdict;
    int status = ww_launch_file_run(t->file, device, &options, &verdict, errors);
    t->runs++;
    if (status != WW_OK) {
        ww_errors_print(errors, stderr);
        fail(t, how, "it failed");
    } else if (t->reference) {
        compare_memory(t, how, device);
    }
    ww_errors_destroy(errors);
    if (t->reference || status != WW_OK)
        ww_device_destroy(device);
    else
        t->reference = device;
}

/* Such a kernel is refused, before anything runs, where a warp has fewer than 32 lanes. */
static bool has_across(const test *t)
{
    const way one = {"width", 1, "in_order", 1, WW_LANE_PORTABLE};
    ww_errors *errors = ww_errors_create();
    ww_device *device = make_device(&one);
    ww_launch_file_options options = {.seed = 1};
    ww_verdict verdict;
    int status = ww_launch_file_run(t->file, device, &options, &verdict, errors);
    bool across = status == WW_BAD_INPUT &&
                  strstr(ww_errors_line(errors, 0), "needs warps of 32 or 64 lanes");
    ww_errors_destroy(errors);
    ww_device_destroy(device);
    return across;
}

/* All ways of one width, compared with each other and with the reference. */
static void run_at(test *t, unsigned width)
{
    ww_lane_level best = ww_lane_best();
    const way plain = {"width", width, "in_order", 1, best};
    ww_device_destroy(t->reference);
    t->reference = NULL;
    run(t, &plain);
    if (!t->reference)
        return;
    compare_with_reference(t, &(way){"reference", width, "in_order", 1, best});
    run(t, &(way){"order", width, "random", 1, best});
    for (ww_lane_level level = WW_LANE_PORTABLE; level < best; level++)
        run(t, &(way){ww_lane_level_name(level), width, "in_order", 1, level});
}

static void run_all(test *t)
{
    static const unsigned widths[] = {1, 2, 7, 8, 16, 33, 48, 64};
    static const struct {
        const char *order;
        uint64_t seed;
    } orders[] = {{"reverse", 1}, {"random", 1}, {"random", 2}};
    ww_lane_level best = ww_lane_best();
    way how = {"width", 32, "in_order", 1, best};
    run(t, &how);
    if (!t->reference)
        return;
    compare_with_reference(t, &(way){"reference", 32, "in_order", 1, best});
    if (t->of_width) {
        for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
            run_at(t, widths[i]);
        run_at(t, 32);
        return;
    }
    t->across = has_across(t);
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        how.width = widths[i];
        if (!t->across || widths[i] == 64)
            run(t, &how);
    }
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
        run(t, &(way){"order", 32, orders[i].order, orders[i].seed, best});
    for (ww_lane_level level = WW_LANE_PORTABLE; level < best; level++)
        run(t, &(way){ww_lane_level_name(level), 64, "in_order", 1, level});
    if (!t->across)
        run(t, &(way){"scalar", 0, "in_order", 1, best});
}

static char *read_unordered(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = ww_format("%.*sunordered", slash ? (int)(slash - path) + 1 : 0, path);
    FILE *in = fopen(name, "r");
    char text[4000] = "\n";
    if (in) {
        text[fread(text + 1, 1, sizeof(text) - 2, in) + 1] = 0;
        fclose(in);
    }
    free(name);
    return ww_strdup(text);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: test_kernels FILE.yaml\n");
        return 2;
    }
    ww_compiler_options options = {0};
    ww_compiler *compiler = ww_compiler_create(&options);
    ww_errors *errors = ww_errors_create();
    test t = {.path = argv[1], .unordered = read_unordered(argv[1])};
    t.file = ww_launch_file_load(t.path, &(ww_launch_setting){0}, compiler, errors);
    if (t.file)
        run_all(&t);
    else
        t.status = 1;
    ww_errors_print(errors, stderr);
    printf("%u runs%s\n", t.runs, t.across ? ", with instructions across lanes" : "");
    ww_device_destroy(t.reference);
    ww_launch_file_destroy(t.file);
    ww_compiler_destroy(compiler);
    ww_errors_destroy(errors);
    free(t.unordered);
    return t.status;
}
