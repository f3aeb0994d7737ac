/* Sizes as users write them, and host sides that do something wrong: the run has to say so. */
#include "exec/order.h"
#include "host/functional_device.h"
#include "workload/catalogue.h"
#include "workload/graph_input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "100", 1, 1000, "elements"),
    WW_CHOICE_PARAMETER("layout", "row", "row|column|diagonal", "order of elements"),
    WW_WORD_PARAMETER("graph", "rmat", "a kind or a file"),
    WW_GROUP_PARAMETER("64"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=10", 1, 0},
    {"small", "n=20,layout=column", 1, 0},
};

/* The kernel is that of atax. */
static ww_workload toy = {
    .name = "atax",
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = 64,
};

/* ---- sizes ---- */

static void expect_values(const char *text, const char *values)
{
    ww_errors *errors = ww_errors_create();
    ww_choice choice;
    assert_int_equal(ww_choice_read(&toy, text, &choice, errors), WW_OK);
    char *got = ww_choice_values(&choice);
    assert_string_equal(got, values);
    free(got);
    ww_choice_clear(&choice);
    ww_errors_destroy(errors);
}

static void sizes_start_from_a_name_or_the_default(void **state)
{
    (void)state;
    expect_values(NULL, "n=20,layout=column,graph=rmat,group=64");
    expect_values("tiny", "n=10,layout=row,graph=rmat,group=64");
    expect_values("n=7", "n=7,layout=column,graph=rmat,group=64");
    expect_values("tiny,group=0x20,layout=diagonal", "n=10,layout=diagonal,graph=rmat,group=0x20");
    expect_values("graph=roads/a b.gr,n=1000", "n=1000,layout=column,graph=roads/a b.gr,group=64");
}

static void a_choice_remembers_what_the_user_gave(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_choice choice;
    assert_int_equal(ww_choice_read(&toy, "small,n=20,group=8", &choice, errors), WW_OK);
    assert_true(choice.given[0] && choice.given[3]);
    assert_false(choice.given[1] || choice.given[2]); /* layout is of the size `small` */
    ww_choice_clear(&choice);
    ww_errors_destroy(errors);
}

/* ---- sizes with a graph ---- */

static const ww_parameter graph_parameters[] = {
    WW_GRAPH_PARAMETERS("uniform", "10", "8", "64", "32"),
    WW_GROUP_PARAMETER("64"),
};

static const ww_named_size graph_sizes[] = {
    {"tiny", "graph=mesh", 1, 0},
    {"small", "vertices=1000", 1, 0},
};

static const ww_workload graph_toy = {
    .name = "walk",
    .parameters = graph_parameters,
    .parameter_count = WW_COUNT_OF(graph_parameters),
    .sizes = graph_sizes,
    .size_count = WW_COUNT_OF(graph_sizes),
};

/* The values that the graph uses, or the first error; what they say can be read again. */
static void expect_graph(const char *text, const char *wanted)
{
    ww_errors *errors = ww_errors_create();
    ww_choice choice;
    int status = ww_choice_read(&graph_toy, text, &choice, errors);
    char *got = status ? strdup(ww_errors_line(errors, 0)) : ww_choice_values(&choice);
    assert_string_equal(got, wanted);
    free(got);
    ww_choice_clear(&choice);
    ww_errors_destroy(errors);
    if (!status && strcmp(text, wanted) != 0)
        expect_graph(wanted, wanted);
}

static void a_given_scale_counts_instead_of_the_vertices_of_a_size(void **state)
{
    (void)state;
    expect_graph("small", "graph=uniform,vertices=1000,edgefactor=8,group=64");
    expect_graph("scale=5", "graph=uniform,scale=5,edgefactor=8,group=64");
    expect_graph("vertices=7", "graph=uniform,vertices=7,edgefactor=8,group=64");
    expect_graph("scale=5,vertices=0", "graph=uniform,scale=5,edgefactor=8,group=64");
    expect_graph("scale=5,vertices=7", "--size: scale and vertices both say how many vertices "
                                       "there are (one of them is needed)");
    expect_graph("graph=rmat,scale=5", "graph=rmat,scale=5,edgefactor=8,group=64");
    expect_graph("graph=tree,scale=5", "graph=tree,scale=5,edgefactor=8,group=64");
    expect_graph("graph=tree", "graph=tree,vertices=1000,edgefactor=8,group=64");
    expect_graph("tiny,height=4", "graph=mesh,width=64,height=4,group=64");
    expect_graph("graph=a/b.gr,group=8", "graph=a/b.gr,group=8");
}

static void parameters_of_other_graphs_are_refused(void **state)
{
    (void)state;
    expect_graph(
        "tiny,scale=5",
        "--size: scale is for rmat, uniform, power and tree graphs (graph is mesh: width and "
        "height)");
    expect_graph(
        "graph=road,vertices=5",
        "--size: vertices is for uniform, power and tree graphs (graph is road: width, height and "
        "tile)");
    expect_graph("graph=rmat,vertices=5", "--size: vertices is for uniform, power and tree graphs "
                                          "(graph is rmat: scale and edgefactor)");
    expect_graph("width=9", "--size: width is for road and mesh graphs (graph is uniform: scale or "
                            "vertices, and edgefactor)");
    expect_graph("graph=g.el,edgefactor=2",
                 "--size: edgefactor is for rmat, uniform, power and tree graphs "
                 "(graph is g.el: a file has its own size)");
}

static void a_named_size_is_known_as_such(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_choice choice;
    assert_int_equal(ww_choice_read(&toy, "tiny", &choice, errors), WW_OK);
    assert_ptr_equal(choice.named, &sizes[0]);
    assert_int_equal(choice.numbers[1], 0);
    ww_choice_clear(&choice);
    assert_int_equal(ww_choice_read(&toy, "tiny,n=11,layout=diagonal", &choice, errors), WW_OK);
    assert_null(choice.named);
    assert_int_equal(choice.numbers[0], 11);
    assert_int_equal(choice.numbers[1], 2);
    ww_choice_clear(&choice);
    ww_errors_destroy(errors);
}

static void wrong_sizes_are_refused(void **state)
{
    static const struct {
        const char *text, *line;
    } wrong[] = {
        {"tinny", "--size: atax has no size 'tinny' (did you mean 'tiny'?)"},
        {"large", "--size: atax has no size 'large' (tiny, small, or PARAMETER=VALUE,...)"},
        {"", "--size: atax has no size '' (tiny, small, or PARAMETER=VALUE,...)"},
        {"n=5,", "--size: there is nothing before or after a comma of 'n=5,'"},
        {",", "--size: there is nothing before or after a comma of ','"},
        {"n=5,,group=4", "--size: there is nothing before or after a comma of 'n=5,,group=4'"},
        {"n=5,tiny", "--size: 'tiny' is the name of a size (only the first word can be one)"},
        {"tiny,small", "--size: 'small' is the name of a size (only the first word can be one)"},
        {"tiny,smal", "--size: 'smal' has no value (PARAMETER=VALUE is needed)"},
        {"n=5,group=4,n=5", "--size: n is given twice"},
        {"m=5", "--size: atax has no parameter 'm' (did you mean 'n'?)"},
        {"steps=5", "--size: atax has no parameter 'steps' (it has n, layout, graph, group)"},
        {"grop=5", "--size: atax has no parameter 'grop' (did you mean 'group'?)"},
        {"n=0", "--size: n is '0' (a whole number from 1 to 1000 is needed)"},
        {"n=1001", "--size: n is '1001' (a whole number from 1 to 1000 is needed)"},
        {"n=-1", "--size: n is '-1' (a whole number from 1 to 1000 is needed)"},
        {"n=", "--size: n is '' (a whole number from 1 to 1000 is needed)"},
        {"n=1e3", "--size: n is '1e3' (a whole number from 1 to 1000 is needed)"},
        {"layout=ro", "--size: layout is 'ro' (row|column|diagonal is needed)"},
        {"layout=", "--size: layout is '' (row|column|diagonal is needed)"},
        {"graph=", "--size: graph is empty"},
        {"group=2048", "--size: group is '2048' (a whole number from 1 to 1024 is needed)"},
    };
    (void)state;
    for (size_t i = 0; i < WW_COUNT_OF(wrong); i++) {
        ww_errors *errors = ww_errors_create();
        ww_choice choice;
        assert_int_equal(ww_choice_read(&toy, wrong[i].text, &choice, errors), WW_BAD_INPUT);
        assert_string_equal(ww_errors_line(errors, 0), wrong[i].line);
        assert_int_equal(ww_errors_count(errors), 1);
        ww_choice_clear(&choice);
        ww_errors_destroy(errors);
    }
}

/* ---- runs ---- */

enum { ROWS = 10, COLUMNS = 5 };

typedef struct arrays {
    ww_array *a, *x, *tmp;
} arrays;

static void allocate(ww_host *host, void *state)
{
    arrays *s = state;
    s->a = ww_host_array(host, "a", WW_INPUT, sizeof(float), ROWS * COLUMNS);
    s->x = ww_host_array(host, "x", WW_INPUT, sizeof(float), COLUMNS);
    s->tmp = ww_host_array(host, "tmp", WW_INOUT, sizeof(float), ROWS);
}

static void fill(ww_host *host, void *state)
{
    arrays *s = state;
    (void)host;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        ((float *)s->a->host)[i] = 1;
    for (int i = 0; i < COLUMNS; i++)
        ((float *)s->x->host)[i] = 2;
}

static void multiply(ww_host *host, void *state)
{
    arrays *s = state;
    ww_host_launch(host, "atax_rows", ww_range1(ROWS, 4), ww_mem(s->a), ww_mem(s->x),
                   ww_mem(s->tmp), ww_u32(ROWS), ww_u32(COLUMNS));
}

static void verify(ww_host *host, void *state)
{
    arrays *s = state;
    (void)host;
    for (uint64_t i = 0; i < ROWS; i++)
        ww_expect_f32(s->tmp, i, 10, 0);
}

typedef void part(ww_host *host, void *state);

/* Runs the toy with one part exchanged and returns its first error line, to be freed, or NULL. */
static ww_hint_list *hints; /* of the next run */

static char *run_with(part *allocate_it, part *run_it, part *verify_it, ww_verdict *verdict)
{
    ww_errors *errors = ww_errors_create();
    ww_exec_options options = {
        .width = 32,
        .level = ww_lane_best(),
        .order = (const ww_order *)(const void *)ww_policy_find(&ww_order_family, "in_order")};
    ww_workload_options wants = {.seed = 1, .verify = true};
    ww_choice choice;
    toy.allocate = allocate_it;
    toy.fill = fill;
    toy.run = run_it;
    toy.verify = verify_it;
    assert_int_equal(ww_choice_read(&toy, "tiny", &choice, errors), WW_OK);
    ww_module *module = ww_workload_module(&toy, errors);
    ww_device *device = ww_functional_device_create(&options, NULL);
    wants.hints = hints;
    int status = ww_workload_run(&choice, module, device, &wants, verdict, errors);
    assert_int_equal(status, ww_errors_status(errors));
    char *line = status ? strdup(ww_errors_line(errors, 0)) : NULL;
    ww_device_destroy(device);
    ww_module_destroy(module);
    ww_choice_clear(&choice);
    ww_errors_destroy(errors);
    return line;
}

static void expect_line(part *allocate_it, part *run_it, part *verify_it, ww_verdict wanted,
                        const char *line)
{
    ww_verdict verdict;
    char *got = run_with(allocate_it, run_it, verify_it, &verdict);
    assert_string_equal(got ? got : "no error", line ? line : "no error");
    assert_int_equal(verdict, wanted);
    free(got);
}

static void verify_backwards(ww_host *host, void *state)
{
    arrays *s = state;
    (void)host;
    for (uint64_t i = ROWS; i-- > 0;)
        ww_expect_f32(s->tmp, i, 10, 0);
}

static void a_right_run_is_verified(void **state)
{
    (void)state;
    expect_line(allocate, multiply, verify, WW_VERIFIED, NULL);
    expect_line(allocate, multiply, verify_backwards, WW_VERIFIED, NULL);
}

/* Inputs are written before the run, scratch when the program writes it. */
static void look_at_writes(ww_host *host, void *state)
{
    arrays *s = state;
    ww_array *flag = ww_host_array(host, "flag", WW_SCRATCH, sizeof(uint32_t), 1);
    assert_true(s->a->buffer->host_wrote && s->tmp->buffer->host_wrote);
    multiply(host, state);
    assert_false(flag->buffer->host_wrote);
    ww_host_write_u32(host, flag, 0, 1);
    assert_true(flag->buffer->host_wrote);
}

static void writes_of_the_host_are_noted(void **state)
{
    (void)state;
    expect_line(allocate, look_at_writes, verify, WW_VERIFIED, NULL);
}

/* The user says: a=preferred:gpu, x=prefetch:false, and nothing about tmp. */
static void look_at_hints(ww_host *host, void *state)
{
    arrays *s = state;
    const ww_buffer_hints *a = &s->a->buffer->hints, *x = &s->x->buffer->hints;
    const ww_buffer_hints *tmp = &s->tmp->buffer->hints;
    ww_buffer_hints advice = {.preferred = WW_PREFER_HOST, .read_mostly = true, .prefetch = true};
    assert_true(a->preferred == WW_PREFER_GPU && !tmp->preferred);
    ww_host_advise(host, s->a, advice);
    ww_host_advise(host, s->tmp, advice);
    assert_true(a->preferred == WW_PREFER_GPU && a->read_mostly && !a->prefetch);
    assert_true(tmp->preferred == WW_PREFER_HOST && tmp->read_mostly && !tmp->prefetch);
    ww_host_prefetch(host, s->tmp);
    ww_host_prefetch(host, s->x);
    assert_true(tmp->prefetch && tmp->read_mostly && !x->prefetch);
    ww_host_advise(host, s->tmp, (ww_buffer_hints){0});
    assert_true(tmp->prefetch && !tmp->read_mostly && !tmp->preferred);
    multiply(host, state);
}

static void hints_of_the_user_override_the_program(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    hints = ww_hint_list_create();
    ww_hint_list_add(hints, "a=preferred:gpu x=prefetch:false", errors);
    expect_line(allocate, look_at_hints, verify, WW_VERIFIED, NULL);
    ww_hint_list_add(hints, "y=prefetch", errors);
    expect_line(allocate, look_at_hints, verify, WW_NOT_VERIFIED,
                "--hint: atax has no buffer 'y' (one of: a, x, tmp)");
    ww_hint_list_destroy(hints);
    hints = NULL;
    ww_errors_destroy(errors);
}

static void run_twice(ww_host *host, void *state)
{
    multiply(host, state);
    multiply(host, state);
}

static void overwrite_input(ww_host *host, void *state)
{
    arrays *s = state;
    multiply(host, state);
    ww_host_write_f32(host, s->x, 1, 7);
}

static void verify_half(ww_host *host, void *state)
{
    arrays *s = state;
    (void)host;
    for (uint64_t i = 0; i < ROWS / 2; i++)
        ww_expect_f32(s->tmp, i, 10, 0);
}

static void verify_one_element_often(ww_host *host, void *state)
{
    arrays *s = state;
    (void)host;
    for (uint64_t i = 0; i < ROWS; i++)
        ww_expect_f32(s->tmp, i == 3 ? 4 : i, 10, 0);
}

static void verify_in_two_sizes(ww_host *host, void *state)
{
    arrays *s = state;
    (void)host;
    ww_expect_u64(s->tmp, 0, 0x4120000041200000u);
    for (uint64_t i = 2; i < ROWS; i++)
        ww_expect_f32(s->tmp, i, 10, 0);
}

static void verify_property(ww_host *host, void *state)
{
    arrays *s = state;
    ww_array_vouch(s->tmp);
    ww_expect(host, false, "the sum of '%s' is odd", "tmp");
}

static void wrong_results_are_wrong(void **state)
{
    (void)state;
    expect_line(allocate, run_twice, verify, WW_WRONG,
                "'tmp' is wrong in 10 elements: [0] is 20 (want 10)");
    expect_line(allocate, overwrite_input, verify, WW_WRONG, "the input 'x' was overwritten");
    expect_line(allocate, multiply, verify_half, WW_WRONG, "'tmp' was checked in 20 of 40 bytes");
    expect_line(allocate, multiply, verify_one_element_often, WW_WRONG,
                "'tmp' was checked in some elements twice and in others not at all");
    expect_line(allocate, multiply, verify_in_two_sizes, WW_WRONG,
                "'tmp' was checked in elements of several sizes (one is needed)");
    expect_line(allocate, multiply, verify_property, WW_WRONG, "the sum of 'tmp' is odd");
}

static void misspell_entry(ww_host *host, void *state)
{
    (void)state;
    ww_host_launch(host, "atax_row", ww_range1(1, 1), ww_u32(1));
}

static void forget_argument(ww_host *host, void *state)
{
    (void)state;
    ww_host_launch(host, "atax_rows", ww_range1(1, 1), ww_u32(1));
}

static void mistake_argument(ww_host *host, void *state)
{
    arrays *s = state;
    ww_host_launch(host, "atax_rows", ww_range1(ROWS, 4), ww_mem(s->a), ww_u64(0), ww_mem(s->tmp),
                   ww_u32(ROWS), ww_u32(COLUMNS));
}

static void launches_that_do_not_fit_are_named(void **state)
{
    (void)state;
    expect_line(allocate, misspell_entry, verify, WW_NOT_VERIFIED,
                "atax: launch of 'atax_row': there is no such entry");
    expect_line(allocate, forget_argument, verify, WW_NOT_VERIFIED,
                "atax: launch of 'atax_rows': wrong number of arguments");
    expect_line(allocate, mistake_argument, verify, WW_NOT_VERIFIED,
                "atax: launch of 'atax_rows': an argument does not fit its parameter");
}

static void allocate_too_much(ww_host *host, void *state)
{
    allocate(host, state);
    ww_host_array(host, "large", WW_SCRATCH, sizeof(double), UINT64_MAX / 4);
}

static void refuse(ww_host *host, void *state)
{
    allocate(host, state);
    ww_host_refuse(host, "n is %d (a prime is needed)", 10);
}

static void misspell_number(ww_host *host, void *state)
{
    allocate(host, state);
    assert_int_equal(ww_host_number(host, "group"), 64);
    assert_int_equal(ww_host_number(host, "groop"), 1);
    assert_string_equal(ww_host_word(host, "graf"), "");
}

static void misspelt_parameters_are_named(void **state)
{
    (void)state;
    expect_line(misspell_number, multiply, verify, WW_NOT_VERIFIED,
                "atax: its host side asks for 'groop', which is not in its table of parameters");
}

static void sizes_that_cannot_work_are_refused(void **state)
{
    (void)state;
    expect_line(allocate_too_much, multiply, verify, WW_NOT_VERIFIED,
                "--size: array 'large' would have 4611686018427387903 elements of 8 bytes");
    expect_line(refuse, multiply, verify, WW_NOT_VERIFIED, "--size: n is 10 (a prime is needed)");
}

/* After a failure nothing more runs, and loops that wait for a flag end. */
static void wait_for_flag(ww_host *host, void *state)
{
    arrays *s = state;
    misspell_entry(host, state);
    while (ww_host_read_u32(host, s->a, 0))
        multiply(host, state);
    assert_false(ww_host_ok(host));
}

static void a_failed_host_reads_zeros(void **state)
{
    (void)state;
    expect_line(allocate, wait_for_flag, verify, WW_NOT_VERIFIED,
                "atax: launch of 'atax_row': there is no such entry");
}

static void random_values_depend_on_seed_name_and_index_only(void **state)
{
    ww_array a = {.stream = ww_hash64("a", 1, 1)}, b = {.stream = ww_hash64("b", 1, 1)};
    (void)state;
    assert_true(ww_random_u64(&a, 7) == ww_random_u64(&a, 7));
    assert_true(ww_random_u64(&a, 7) != ww_random_u64(&b, 7));
    assert_true(ww_random_u64(&a, 7) != ww_random_u64(&a, 8));
    assert_true(ww_random_u64(&a, 0) == 0x467b45c4e159be97u);
    for (uint64_t i = 0; i < 1000; i++) {
        float f = ww_random_f32(&a, i, -2, 3);
        assert_true(f >= -2 && f < 3);
        assert_true(ww_random_below(&a, i, 10) < 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_start_from_a_name_or_the_default),
        cmocka_unit_test(a_named_size_is_known_as_such),
        cmocka_unit_test(a_choice_remembers_what_the_user_gave),
        cmocka_unit_test(a_given_scale_counts_instead_of_the_vertices_of_a_size),
        cmocka_unit_test(parameters_of_other_graphs_are_refused),
        cmocka_unit_test(wrong_sizes_are_refused),
        cmocka_unit_test(a_right_run_is_verified),
        cmocka_unit_test(writes_of_the_host_are_noted),
        cmocka_unit_test(hints_of_the_user_override_the_program),
        cmocka_unit_test(wrong_results_are_wrong),
        cmocka_unit_test(launches_that_do_not_fit_are_named),
        cmocka_unit_test(misspelt_parameters_are_named),
        cmocka_unit_test(sizes_that_cannot_work_are_refused),
        cmocka_unit_test(a_failed_host_reads_zeros),
        cmocka_unit_test(random_values_depend_on_seed_name_and_index_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
