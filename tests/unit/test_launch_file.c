#include "host/launch_file.h"

#include "base/memory.h"
#include "base/text.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a device that only records ---- */

#define DYNAMIC_SHARED 48

typedef struct notebook {
    ww_device base;
    WW_VEC(ww_launch) launches; /* params are copies */
    /* What a launch does to memory, or NULL. */
    void (*act)(struct notebook *notes, const ww_launch *launch);
} notebook;

static ww_device_program *note_load(ww_device *device, const ww_module *module, ww_errors *errors)
{
    (void)device;
    (void)errors;
    return (ww_device_program *)(uintptr_t)module;
}

static int note_shared(ww_device_program *program, const char *entry, ww_where at,
                       uint64_t *address, ww_errors *errors)
{
    (void)program;
    (void)entry;
    (void)at;
    (void)errors;
    *address = DYNAMIC_SHARED;
    return WW_OK;
}

static int note_launch(ww_device *device, ww_device_program *program, const ww_launch *launch,
                       ww_errors *errors)
{
    (void)errors;
    notebook *notes = (notebook *)device;
    const ww_module *module = (const ww_module *)(const void *)program;
    uint64_t bytes = ww_module_function(module, launch->entry)->param_bytes;
    ww_launch copy = *launch;
    uint8_t *params = ww_calloc(bytes + 1, 1);
    memcpy(params, launch->params, bytes);
    copy.params = params;
    ww_vec_push(&notes->launches, copy);
    if (notes->act)
        notes->act(notes, &copy);
    return WW_OK;
}

static void note_destroy(ww_device *device)
{
    notebook *notes = (notebook *)device;
    for (size_t i = 0; i < notes->launches.count; i++)
        free((void *)(uintptr_t)notes->launches.items[i].params);
    ww_vec_free(&notes->launches);
    ww_memory_destroy(device->memory);
    free(notes);
}

static const ww_device_kind note_taking = {
    .name = "notes",
    .load = note_load,
    .dynamic_shared = note_shared,
    .launch = note_launch,
    .destroy = note_destroy,
};

static notebook *make_notebook(void)
{
    notebook *notes = ww_calloc(1, sizeof(*notes));
    notes->base = (ww_device){.kind = &note_taking, .memory = ww_memory_create(NULL)};
    return notes;
}

/* ---- files ---- */

static char folder[64];

static const char kernel[] =
    ".version 6.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".entry one(.param .u64 .ptr .global .align 4 a, .param .f32 f) { ret; }\n"
    ".entry many(.param .u64 .ptr .global .align 4 a, .param .u64 .ptr .shared .align 4 s,\n"
    "    .param .u64 .ptr .shared .align 4 t, .param .u8 c, .param .align 8 .b8 p[12],\n"
    "    .param .u64 q) { ret; }\n"
    ".entry fixed(.param .u32 n) .reqntid 8, 4, 1 { ret; }\n"
    ".entry small() .maxntid 64, 1, 1 { ret; }\n"
    ".entry _Z4axpyfPf(.param .f32 a, .param .u64 b) { ret; }\n";

static char *path_of(const char *name)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
    return path;
}

static void write_bytes(const char *name, const void *bytes, size_t count)
{
    char *path = path_of(name);
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_write_file(path, bytes, count, errors), WW_OK);
    ww_errors_destroy(errors);
    free(path);
}

static ww_launch_setting setting; /* of the next file */

static ww_launch_file *load(const char *text, ww_errors *errors)
{
    write_bytes("t.yaml", text, strlen(text));
    char *path = path_of("t.yaml");
    ww_compiler *compiler = ww_compiler_create(&(ww_compiler_options){.cache = ""});
    ww_launch_file *file = ww_launch_file_load(path, &setting, compiler, errors);
    assert_true((file == NULL) == (ww_errors_count(errors) > 0));
    ww_compiler_destroy(compiler);
    free(path);
    return file;
}

/* Loads `text`, which is wrong, and expects exactly these lines, ended by NULL; the folder in front
 * of each line is left out. */
static void expect_errors(const char *text, const char *const *lines)
{
    ww_errors *errors = ww_errors_create();
    assert_null(load(text, errors));
    assert_int_equal(ww_errors_status(errors), WW_BAD_INPUT);
    size_t count = 0;
    for (; lines[count] && count < ww_errors_count(errors); count++) {
        const char *line = ww_errors_line(errors, count);
        if (strncmp(line, folder, strlen(folder)) == 0)
            line += strlen(folder) + 1;
        assert_string_equal(line, lines[count]);
    }
    if (lines[count] || count != ww_errors_count(errors))
        ww_errors_print(errors, stderr);
    assert_null(lines[count]);
    assert_int_equal(count, ww_errors_count(errors));
    ww_errors_destroy(errors);
}

#define EXPECT(text, ...) expect_errors(text, (const char *const[]){__VA_ARGS__, NULL})
#define BODY(buffers, launch) \
    "kernel: k.ptx\nbuffers:\n  a: " buffers "\nlaunches:\n  - " launch "\n"
#define A "{type: f32, count: 4}"

/* ---- tests ---- */

static void params_are_laid_out(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_launch_file *file =
        load("kernel: k.ptx\n"
             "buffers:\n"
             "  a: {type: f32, count: 4}\n"
             "  b: {type: u64, fill: [1, 2, 3]}\n"
             "launches:\n"
             "  - {entry: many, global: [8, 6], local: [4, 2], shared: 20, args: [b, {local: 20},\n"
             "     {local: 4}, {i8: -1}, {bytes: \"000102030405060708090a0b\"}, a]}\n"
             "  - {entry: many, groups: [2, 3, 5], local: [1, 1, 1],\n"
             "     args: [null, {local: 1}, {local: 1}, {u8: 7}, {f32: [1, 2, 3]}, {u64: 9}]}\n"
             "  - {entry: axpy, global: 96, args: [{f32: 0.5}, a]}\n"
             "  - {entry: small, global: [1000]}\n"
             "  - {entry: fixed, global: [16, 8], args: [{i32: -5}]}\n",
             errors);
    ww_errors_print(errors, stderr);
    assert_non_null(file);
    assert_int_equal(ww_launch_file_launches(file), 5);
    notebook *notes = make_notebook();
    ww_launch_file_options options = {.verify = true};
    ww_verdict verdict;
    assert_int_equal(ww_launch_file_run(file, &notes->base, &options, &verdict, errors), WW_OK);
    assert_int_equal(verdict, WW_NOT_VERIFIED);
    const ww_buffer *const *buffers;
    assert_int_equal(ww_memory_buffers(notes->base.memory, &buffers), 2);
    const ww_launch *first = &notes->launches.items[0];
    uint64_t words[3];
    memcpy(words, first->params, sizeof(words));
    assert_int_equal(words[0], buffers[1]->address);
    assert_int_equal(words[1], DYNAMIC_SHARED + 32); /* after the 20 bytes of `shared` */
    assert_int_equal(words[2], DYNAMIC_SHARED + 64);
    assert_int_equal(first->dynamic_shared, 68);
    assert_int_equal(first->params[24], 0xff);
    assert_int_equal(first->params[32 + 11], 0x0b);
    memcpy(words, first->params + 48, 8);
    assert_int_equal(words[0], buffers[0]->address);
    assert_int_equal(first->groups[0], 2);
    assert_int_equal(first->groups[1], 3);
    assert_int_equal(first->groups[2], 1);
    assert_int_equal(first->group[1], 2);
    assert_int_equal(first->work_dim, 2);
    assert_int_equal(((const uint64_t *)(const void *)buffers[1]->host)[2], 3);
    const ww_launch *second = &notes->launches.items[1];
    memcpy(words, second->params, sizeof(words));
    assert_int_equal(words[0], 0);
    float third;
    memcpy(&third, second->params + 40, 4);
    assert_true(third == 3);
    assert_int_equal(second->groups[2], 5);
    assert_string_equal(notes->launches.items[2].entry, "_Z4axpyfPf");
    assert_int_equal(notes->launches.items[2].group[0], 96);
    assert_int_equal(notes->launches.items[3].group[0], 50); /* the largest divisor up to 64 */
    assert_int_equal(notes->launches.items[4].group[1], 4);
    ww_device_destroy(&notes->base);
    ww_launch_file_destroy(file);
    ww_errors_destroy(errors);
}

static void fills_give_contents(void **state)
{
    (void)state;
    uint16_t raw[3] = {5, 6, 7};
    write_bytes("in.bin", raw, sizeof(raw));
    ww_errors *errors = ww_errors_create();
    ww_launch_file *file = load("kernel: k.ptx\n"
                                "buffers:\n"
                                "  z: {type: i32, count: 3, fill: zero}\n"
                                "  i: {type: i16, count: 3, fill: iota}\n"
                                "  n: {type: f64, count: 3, fill: -2.5}\n"
                                "  f: {type: u16, count: 3, fill: {file: in.bin}}\n"
                                "  r: {type: f32, count: 3, fill: random, seed: 7}\n"
                                "  s: {type: f32, count: 3, fill: random, seed: 7}\n"
                                "  t: {type: f32, count: 3, fill: random}\n"
                                "  u: {type: u8, count: 64, fill: random, range: [3, 4]}\n"
                                "launches: []\n",
                                errors);
    ww_errors_print(errors, stderr);
    assert_non_null(file);
    notebook *notes = make_notebook();
    ww_verdict verdict;
    ww_launch_file_options options = {.seed = 1};
    assert_int_equal(ww_launch_file_run(file, &notes->base, &options, &verdict, errors), WW_OK);
    const ww_buffer *const *b;
    assert_int_equal(ww_memory_buffers(notes->base.memory, &b), 8);
    assert_memory_equal(b[0]->host, ((int32_t[]){0, 0, 0}), 12);
    assert_memory_equal(b[1]->host, ((int16_t[]){0, 1, 2}), 6);
    assert_memory_equal(b[2]->host, ((double[]){-2.5, -2.5, -2.5}), 24);
    assert_memory_equal(b[3]->host, raw, 6);
    assert_memory_equal(b[4]->host, b[5]->host, 12);
    assert_memory_not_equal(b[4]->host, b[6]->host, 12);
    for (int i = 0; i < 64; i++)
        assert_in_range(b[7]->host[i], 3, 4);
    ww_device_destroy(&notes->base);
    ww_launch_file_destroy(file);
    ww_errors_destroy(errors);
}

static void spoil(notebook *notes, const ww_launch *launch)
{
    (void)launch;
    const ww_buffer *const *buffers;
    ww_memory_buffers(notes->base.memory, &buffers);
    float *a = (float *)(void *)buffers[0]->host;
    a[1] = 1.001f;
    a[3] = 3.5f;
}

static void checks_compare_and_dumps_write(void **state)
{
    (void)state;
    float want[4] = {0, 1, 2, 3};
    write_bytes("want.bin", want, sizeof(want));
    ww_errors *errors = ww_errors_create();
    setting.dump_folder = folder;
    ww_launch_file *file = load("kernel: k.ptx\n"
                                "buffers:\n"
                                "  a: {type: f32, count: 4, fill: iota}\n"
                                "  b: {type: i32, count: 4, fill: 7}\n"
                                "launches:\n"
                                "  - {entry: small, global: [32]}\n"
                                "dump: {a: out.bin}\n"
                                "check:\n"
                                "  b: {value: 7}\n"
                                "  a: {file: want.bin, tolerance: 1e-2}\n",
                                errors);
    setting.dump_folder = NULL;
    assert_non_null(file);
    notebook *notes = make_notebook();
    notes->act = spoil;
    ww_verdict verdict;
    ww_launch_file_options options = {.verify = true};
    assert_int_equal(ww_launch_file_run(file, &notes->base, &options, &verdict, errors), WW_FAILED);
    assert_int_equal(verdict, WW_WRONG);
    assert_int_equal(ww_errors_count(errors), 1);
    assert_string_equal(ww_errors_line(errors, 0) + strlen(folder) + 1,
                        "t.yaml:10:3: buffer 'a' is wrong in 1 of 4 elements: [3] is 3.5 (want 3); "
                        "the largest error is 0.5 at [3]");
    char *path = path_of("out.bin");
    char *bytes = NULL;
    size_t count = 0;
    assert_int_equal(ww_read_file(path, WW_NOWHERE, &bytes, &count, errors), WW_OK);
    assert_int_equal(count, 16);
    assert_memory_equal(bytes, ((float[]){0, 1.001f, 2, 3.5f}), 16);
    free(bytes);
    unlink(path);
    ww_device_destroy(&notes->base);
    notes = make_notebook();
    options.no_dump = true;
    assert_int_equal(ww_launch_file_run(file, &notes->base, &options, &verdict, errors), WW_OK);
    assert_int_equal(verdict, WW_VERIFIED);
    assert_int_not_equal(access(path, F_OK), 0);
    free(path);
    ww_device_destroy(&notes->base);
    ww_launch_file_destroy(file);
    ww_errors_destroy(errors);
}

static void wrong_keys_and_buffers(void **state)
{
    (void)state;
    EXPECT("kernel: k.ptx\nlaunchs: []\n",
           "t.yaml:2:1: unknown key 'launchs' (did you mean 'launches'?)",
           "t.yaml:1:1: 'launches' is missing");
    EXPECT(BODY("{type: f31, count: 4}", "{entry: one, global: [4], args: [a, {f32: 1}]}"),
           "t.yaml:3:13: 'type' is 'f31' (did you mean 'f32'?)");
    EXPECT(BODY("{type: f32, fill: zero}", "{entry: one, global: [4], args: [a, {f32: 1}]}"),
           "t.yaml:3:6: 'count' is missing");
    EXPECT(BODY("{type: u8, count: 4, fill: 256}", "{entry: small, global: [4]}"),
           "t.yaml:3:33: 'fill' is '256' (a whole number from 0 to 255 is needed)");
    EXPECT(BODY("{type: u8, count: 4, fill: ones}", "{entry: small, global: [4]}"),
           "t.yaml:3:33: 'fill' is 'ones' (zero, iota, random, a number, a list of numbers or "
           "{file: NAME})");
    EXPECT(BODY("{type: u8, count: 4, fill: [1, 2]}", "{entry: small, global: [4]}"),
           "t.yaml:3:33: 'fill' has 2 elements (4 are needed)");
    EXPECT(BODY("{type: f32, count: 4, fill: random, range: [.nan, 1]}",
                "{entry: small, global: [4]}"),
           "t.yaml:3:50: 'range' is '.nan' (a finite number is needed)");
    EXPECT(BODY("{type: f16, count: 4, fill: random, range: [-.inf, 7e4]}",
                "{entry: small, global: [4]}"),
           "t.yaml:3:50: 'range' is '-.inf' (a finite number is needed)",
           "t.yaml:3:57: 'range' is '7e4' (a finite number is needed)");
    EXPECT(BODY("{type: f64, count: 4, fill: random, range: [-1e308, 1e308]}",
                "{entry: small, global: [4]}"),
           "t.yaml:3:49: 'range' is too wide (its length is not a finite number)");
    write_bytes("in.bin", "12345", 5);
    char line[200];
    snprintf(line, sizeof(line), "t.yaml:3:41: '%s/in.bin' has 5 bytes (the buffer has 8)", folder);
    EXPECT(BODY("{type: u16, count: 4, fill: {file: in.bin}}", "{entry: small, global: [4]}"),
           line);
    snprintf(line, sizeof(line), "t.yaml:3:41: cannot read '%s/no.bin': No such file or directory",
             folder);
    EXPECT(BODY("{type: u16, count: 4, fill: {file: no.bin}}", "{entry: small, global: [4]}"),
           line);
}

static void wrong_launches(void **state)
{
    (void)state;
    EXPECT(BODY(A, "{entry: absent, global: [4]}"),
           "t.yaml:5:13: there is no entry 'absent' (the file has one, many, fixed, small, "
           "_Z4axpyfPf)");
    EXPECT(BODY(A, "{entry: smal, global: [4]}"),
           "t.yaml:5:13: there is no entry 'smal' (did you mean 'small'?)");
    EXPECT(BODY(A, "{entry: small, global: [100], local: [32]}"),
           "t.yaml:5:42: 'global' 100 is not a multiple of 'local' 32 in dimension 0");
    EXPECT(BODY(A, "{entry: one, global: [2048], local: [64, 32], args: [a, {f32: 1}]}"),
           "t.yaml:5:41: 'local' has 2 dimensions and 'global' has 1");
    EXPECT(BODY(A, "{entry: one, global: [64, 64], local: [64, 32], args: [a, {f32: 1}]}"),
           "t.yaml:5:43: a group has 2048 work-items (at most 1024)");
    EXPECT(BODY(A, "{entry: small, global: [128], local: [128]}"),
           "t.yaml:5:42: a group has 128 work-items but 'small' allows 64");
    EXPECT(BODY(A, "{entry: fixed, global: [64, 4], local: [16, 2], args: [{u32: 1}]}"),
           "t.yaml:5:44: 'local' is [16, 2, 1] but 'fixed' requires [8, 4, 1]");
    EXPECT(BODY(A, "{entry: small}"),
           "t.yaml:5:5: 'global' is missing (the number of work-items, such as [1024])");
    EXPECT(BODY(A, "{global: [64]}"), "t.yaml:5:5: 'entry' is missing (the file has one, many, "
                                      "fixed, small, _Z4axpyfPf)");
    EXPECT(BODY(A, "{entry: small, global: [64], global_offset: [1]}"),
           "t.yaml:1:9: a global_offset needs an OpenCL C kernel (.cl)");
}

static void wrong_arguments(void **state)
{
    (void)state;
    EXPECT(BODY(A, "{entry: one, global: [4], args: [a]}"),
           "t.yaml:5:5: 'one' has 2 parameters and gets 1 argument");
    EXPECT(BODY(A, "{entry: one, global: [4], args: [output, {f32: x}]}"),
           "t.yaml:5:38: there is no buffer 'output'",
           "t.yaml:5:52: 'f32' is 'x' (a number is needed)");
    EXPECT(BODY(A, "{entry: one, global: [4], args: [{u64: 1}, {f64: 1}]}"),
           "t.yaml:5:38: argument 1 of 'one' is u64 (a buffer is needed)",
           "t.yaml:5:48: argument 2 of 'one' is f64 of 8 bytes (f32 is needed)");
    EXPECT(BODY(A, "{entry: one, global: [4], args: [{local: 4}, {u32: 1}]}"),
           "t.yaml:5:38: argument 1 of 'one' is local memory (a buffer is needed)",
           "t.yaml:5:50: argument 2 of 'one' is u32 (f32 is needed)");
    EXPECT(BODY(A, "{entry: many, global: [4], args: [a, a, null, a, {bytes: 0011}, {f64: 1}]}"),
           "t.yaml:5:42: argument 2 of 'many' is a buffer (local memory, {local: BYTES} is needed)",
           "t.yaml:5:45: argument 3 of 'many' is null (local memory, {local: BYTES} is needed)",
           "t.yaml:5:51: argument 4 of 'many' is a buffer (i8 or u8 is needed)",
           "t.yaml:5:54: argument 5 of 'many' is bytes of 2 bytes (12 bytes, {bytes: \"...\"} is "
           "needed)",
           "t.yaml:5:69: argument 6 of 'many' is f64 (i64 or u64, or a buffer is needed)");
    EXPECT(BODY(A, "{entry: one, global: [4], args: [5, {bytes: 0g}]}"),
           "t.yaml:5:38: the argument '5' has no type (write such as {u32: 5})",
           "t.yaml:5:49: 'bytes' holds 'g' (pairs of hexadecimal digits are needed)");
}

static void wrong_results(void **state)
{
    (void)state;
    EXPECT("kernel: k.ptx\n"
           "buffers: {a: {type: u8, count: 2}}\n"
           "launches: []\n"
           "dump: {b: x}\n"
           "check: {a: {value: 1, values: [1, 2]}, c: {value: 1}}\n",
           "t.yaml:4:8: there is no buffer 'b' (did you mean 'a'?)",
           "t.yaml:5:12: a check says what is wanted once (file, value or values)",
           "t.yaml:5:40: there is no buffer 'c' (did you mean 'a'?)");
    EXPECT("kernel: k.ptx\n"
           "buffers: {a: {type: u8, count: 2}}\n"
           "launches: []\n"
           "check: {a: {values: [1], tolerance: -1}}\n",
           "t.yaml:4:21: 'values' has 1 elements (2 are needed)",
           "t.yaml:4:37: 'tolerance' is '-1' (a finite number from 0 is needed)");
    EXPECT("kernel: k.ptx\n"
           "buffers: {a: {type: u8, count: 1}, b: {type: u8, count: 1}}\n"
           "launches: []\n"
           "check: {a: {value: 1, tolerance: .nan}, b: {value: 1, tolerance: .inf}}\n",
           "t.yaml:4:34: 'tolerance' is '.nan' (a finite number from 0 is needed)",
           "t.yaml:4:66: 'tolerance' is '.inf' (a finite number from 0 is needed)");
}

/* A machine of two keys. */
static const char *const kinds[] = {"plain", NULL};
static const ww_key machine_keys[] = {
    {.key = "l2.size", .type = WW_KEY_BYTES, .initial = "2KiB", .doc = "d"},
    {.key = "core.kind", .type = WW_KEY_CHOICE, .choices = kinds, .initial = "plain", .doc = "d"},
};
static const ww_schema machine_schema = {.name = "m", .doc = "d", .keys = machine_keys, .count = 2};
static const ww_schema *const machine_schemas[] = {&machine_schema};
static const ww_schema_set machine_set = {machine_schemas, 1};

#define PARAMETERS                                                                          \
    "kernel: k.ptx\n"                                                                       \
    "parameters: {n: 4, groups: =config.l2.size / 256, items: =n * groups, half: =n / 8}\n" \
    "buffers: {a: {type: f32, count: =items + 1, fill: =half}}\n"                           \
    "launches:\n"                                                                           \
    "  - {entry: axpy, global: [=items], local: [\"=min(n, 64)\"], args: [{f32: =half}, a]}\n"

/* The number of elements of the buffer, of work-items in a group, and the scalar argument. */
static void run_with(const char *size, uint64_t count, uint32_t local, float scalar)
{
    ww_errors *errors = ww_errors_create();
    notebook *notes = make_notebook();
    ww_launch_file_options options = {0};
    ww_verdict verdict;
    const ww_buffer *const *b;
    setting.size = size;
    ww_launch_file *file = load(PARAMETERS, errors);
    ww_errors_print(errors, stderr);
    assert_non_null(file);
    assert_true(ww_launch_file_depends(file));
    assert_int_equal(ww_launch_file_run(file, &notes->base, &options, &verdict, errors), WW_OK);
    assert_int_equal(ww_memory_buffers(notes->base.memory, &b), 1);
    assert_int_equal(b[0]->size, count * sizeof(float));
    assert_memory_equal(b[0]->host, &scalar, sizeof(float));
    assert_int_equal(notes->launches.items[0].group[0], local);
    assert_memory_equal(notes->launches.items[0].params, &scalar, sizeof(float));
    ww_device_destroy(&notes->base);
    ww_launch_file_destroy(file);
    ww_errors_destroy(errors);
}

static void expressions_replace_numbers(void **state)
{
    (void)state;
    ww_config *config = ww_config_create(&machine_set);
    setting.config = config;
    run_with(NULL, 33, 4, 0.5f);
    run_with("n=128", 1025, 64, 16);
    run_with("groups=3,n=2", 7, 2, 0.25f);
    setting.size = NULL;
    ww_errors *errors = ww_errors_create();
    ww_launch_file *file = load("kernel: k.ptx\nlaunches: []\n", errors);
    assert_false(ww_launch_file_depends(file));
    ww_launch_file_destroy(file);
    ww_errors_destroy(errors);
    ww_config_destroy(config);
    setting.config = NULL;
}

static void wrong_parameters(void **state)
{
    (void)state;
    ww_config *config = ww_config_create(&machine_set);
    setting.config = config;
    EXPECT("kernel: k.ptx\nparameters: [1]\nlaunches: []\n",
           "t.yaml:2:13: 'parameters' is a sequence (a mapping is needed)");
    EXPECT("kernel: k.ptx\n"
           "parameters: {early: =late, late: ten, key: =config.l3.size, kind: =config.core.kind,\n"
           "  none: =1 / 0, open: =(1, elsewhere: \"=late[rr]\"}\n"
           "launches: []\n",
           "t.yaml:2:22: unknown parameter 'late' (one from above, or config.KEY)",
           "t.yaml:2:34: a parameter is 'ten' (a number is needed)",
           "t.yaml:2:45: unknown key 'l3.size' ('warpwalk list keys' shows them)",
           "t.yaml:2:68: key 'core.kind' is not a number",
           "t.yaml:3:10: the expression has no value",
           "t.yaml:3:26: the expression ends here (')' is needed)",
           "t.yaml:3:46: brackets in a launch file (it describes one run)");
    EXPECT("kernel: k.ptx\nparameters: {items: 0}\n"
           "buffers: {a: {type: f32, count: =itms}}\nlaunches: []\n",
           "t.yaml:3:34: unknown parameter 'itms' (did you mean 'items'?)");
    EXPECT(
        "kernel: k.ptx\nparameters: {items: 0}\n"
        "buffers: {a: {type: f32, count: =items}, b: {type: f32, count: =1 / 2}}\nlaunches: []\n",
        "t.yaml:3:33: 'count' is '0' (a whole number from 1 to 17592186044416 is needed)",
        "t.yaml:3:64: 'count' is '0.5' (a whole number from 1 to 17592186044416 is needed)");
    ww_config_destroy(config);
    setting.config = NULL;
}

/* The host has written to buffers with a fill, zeros too, and not to others. */
static void fills_are_writes_of_the_host(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_launch_file *file = load("kernel: k.ptx\n"
                                "buffers:\n"
                                "  a: {type: f32, count: 4}\n"
                                "  b: {type: f32, count: 4, fill: zero}\n"
                                "  c: {type: f32, fill: [1, 2]}\n"
                                "launches: [{entry: small, global: 4}]\n",
                                errors);
    notebook *notes = make_notebook();
    ww_launch_file_options options = {.verify = true};
    ww_verdict verdict;
    const ww_buffer *const *buffers;
    assert_int_equal(ww_launch_file_run(file, &notes->base, &options, &verdict, errors), WW_OK);
    assert_int_equal(ww_memory_buffers(notes->base.memory, &buffers), 3);
    assert_false(buffers[0]->host_wrote);
    assert_true(buffers[1]->host_wrote && buffers[2]->host_wrote);
    ww_device_destroy(&notes->base);
    ww_launch_file_destroy(file);
    ww_errors_destroy(errors);
}

static void buffers_have_hints(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_launch_file *file =
        load("kernel: k.ptx\n"
             "buffers:\n"
             "  a: {type: f32, count: 4, hints: {preferred: host, accessed_by: gpu}}\n"
             "  b: {type: f32, count: 4, hints: {read_mostly: true, prefetch: false}}\n"
             "  c: {type: f32, count: 4}\n"
             "launches: [{entry: small, global: 4}]\n",
             errors);
    notebook *notes = make_notebook();
    ww_hint_list *hints = ww_hint_list_create();
    ww_hint_list_add(hints, "b=prefetch a=preferred:gpu", errors);
    ww_launch_file_options options = {.hints = hints, .hints_given = json_object()};
    ww_verdict verdict;
    const ww_buffer *const *b;
    assert_int_equal(ww_launch_file_run(file, &notes->base, &options, &verdict, errors), WW_OK);
    assert_int_equal(ww_memory_buffers(notes->base.memory, &b), 3);
    assert_true(b[0]->hints.preferred == WW_PREFER_GPU && b[0]->hints.accessed_by);
    assert_true(b[1]->hints.read_mostly && b[1]->hints.prefetch && !b[1]->hints.preferred);
    assert_int_equal(json_object_size(options.hints_given), 2);
    json_decref(options.hints_given);
    ww_hint_list_destroy(hints);
    ww_device_destroy(&notes->base);
    ww_launch_file_destroy(file);
    ww_errors_destroy(errors);
}

static void wrong_hints(void **state)
{
    (void)state;
    EXPECT(BODY("{type: f32, count: 4, hints: gpu}", "{entry: small, global: 4}"),
           "t.yaml:3:35: 'hints' is a single value (a mapping is needed)");
    EXPECT(BODY("{type: f32, count: 4, hints: {prefer: host, preferred: cpu, prefetch: 1,\n"
                "    read_mostly: [true], accessed_by: host}}",
                "{entry: small, global: 4}"),
           "t.yaml:3:36: unknown hint 'prefer' (one of: preferred, accessed_by, read_mostly, "
           "prefetch)",
           "t.yaml:3:61: 'preferred' is 'cpu' (one of: none, host, gpu)",
           "t.yaml:3:76: 'prefetch' is '1' (one of: false, true)",
           "t.yaml:4:18: a hint is a sequence (a single value is needed)",
           "t.yaml:4:39: 'accessed_by' is 'host' (one of: none, gpu)");
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(params_are_laid_out),
        cmocka_unit_test(fills_give_contents),
        cmocka_unit_test(checks_compare_and_dumps_write),
        cmocka_unit_test(wrong_keys_and_buffers),
        cmocka_unit_test(wrong_launches),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(wrong_results),
        cmocka_unit_test(expressions_replace_numbers),
        cmocka_unit_test(wrong_parameters),
        cmocka_unit_test(fills_are_writes_of_the_host),
        cmocka_unit_test(buffers_have_hints),
        cmocka_unit_test(wrong_hints),
    };
    strcpy(folder, "/tmp/ww-test-launch-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    write_bytes("k.ptx", kernel, sizeof(kernel) - 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return failed;
}
