/* Queues, commands and events, on a device whose launches only take time. */
#include "host/command_queue.h"

#include "base/memory.h"
#include "support/kernel_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a device whose launch of (time, number) takes the time and records the number ---- */

#define FAILS UINT64_MAX

typedef struct clockwork {
    ww_device base;
    uint64_t now;
    char ran[64];      /* the numbers, as letters */
    char released[64]; /* the buffers' names; '.' for each launch before */
    ww_module *module;
    ww_device_program *program;
    ww_errors *errors;
} clockwork;

static ww_device_program *load(ww_device *device, const ww_module *module, ww_errors *errors)
{
    (void)device;
    (void)errors;
    return (ww_device_program *)(uintptr_t)module;
}

static int launch(ww_device *device, ww_device_program *program, const ww_launch *what,
                  ww_errors *errors)
{
    clockwork *c = (clockwork *)device;
    uint64_t values[2];
    (void)program;
    memcpy(values, what->params, sizeof(values));
    c->ran[strlen(c->ran)] = (char)values[1];
    c->released[strlen(c->released)] = '.';
    if (values[0] == FAILS)
        return ww_fail(errors, WW_FAILED, WW_NOWHERE, "launch %c broke", (char)values[1]);
    c->now += values[0];
    return WW_OK;
}

static void released(ww_device *device, const ww_buffer *buffer)
{
    clockwork *c = (clockwork *)device;
    strcat(c->released, buffer->name);
}

static uint64_t now(const ww_device *device)
{
    return ((const clockwork *)device)->now;
}

static void destroy(ww_device *device)
{
    ww_memory_destroy(device->memory);
}

static const ww_device_kind kind = {.name = "clockwork",
                                    .load = load,
                                    .launch = launch,
                                    .released = released,
                                    .now = now,
                                    .destroy = destroy};

static int set_up(void **state)
{
    clockwork *c = ww_calloc(1, sizeof(*c));
    c->base = (ww_device){.kind = &kind, .memory = ww_memory_create(NULL)};
    c->errors = ww_errors_create();
    c->module = kernel_parse(".entry k(.param .u64 time, .param .u64 number) { ret; }\n");
    c->program = ww_device_load(&c->base, c->module, c->errors);
    *state = c;
    return 0;
}

static int tear_down(void **state)
{
    clockwork *c = *state;
    ww_device_destroy(&c->base);
    ww_module_destroy(c->module);
    ww_errors_destroy(c->errors);
    free(c);
    return 0;
}

/* ---- commands ---- */

static ww_event *start_after(clockwork *c, ww_command_queue *queue, uint64_t time, char number,
                             const ww_event_list *after)
{
    ww_event *event = NULL;
    uint64_t values[2] = {time, (uint64_t)number};
    ww_launch what = {.entry = "k", .params = (const uint8_t *)values};
    ww_device_command command = {.kind = WW_COMMAND_LAUNCH, .program = c->program, .launch = &what};
    assert_int_equal(ww_enqueue(queue, &command, after, &event, c->errors), WW_OK);
    memset(values, 0xee, sizeof(values)); /* they were copied */
    return event;
}

static ww_event *start(clockwork *c, ww_command_queue *queue, uint64_t time, char number)
{
    return start_after(c, queue, time, number, NULL);
}

static void enqueue(clockwork *c, ww_command_queue *queue, ww_device_command command)
{
    assert_int_equal(ww_enqueue(queue, &command, NULL, NULL, c->errors), WW_OK);
}

static void expect_times(const ww_event *event, uint64_t queued, uint64_t submitted,
                         uint64_t started, uint64_t ended)
{
    ww_event_times t = ww_event_get_times(event);
    assert_int_equal(t.queued, queued);
    assert_int_equal(t.submitted, submitted);
    assert_int_equal(t.started, started);
    assert_int_equal(t.ended, ended);
}

static void destroy_events(ww_event *const *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ww_event_destroy(events[i]);
}

/* ---- tests ---- */

static void nothing_runs_before_a_wait(void **state)
{
    clockwork *c = *state;
    ww_command_queue *queue = ww_command_queue_create(&c->base, true);
    ww_event *e[] = {start(c, queue, 5, 'a'), start(c, queue, 7, 'b'), start(c, queue, 1, 'c')};
    assert_string_equal(c->ran, "");
    assert_false(ww_event_has_ended(e[0]));
    assert_int_equal(ww_event_wait(e[1], c->errors), WW_OK);
    assert_string_equal(c->ran, "ab");
    assert_true(ww_event_has_ended(e[0]));
    assert_false(ww_event_has_ended(e[2]));
    assert_int_equal(ww_command_queue_finish(queue, c->errors), WW_OK);
    assert_string_equal(c->ran, "abc");
    assert_int_equal(ww_event_wait(e[0], c->errors), WW_OK); /* again: nothing happens */
    assert_int_equal(c->now, 13);
    destroy_events(e, 3);
}

/* In order, a command is submitted when the one before it has ended; else when the events that it
 * names have. The device runs one at a time in either case. */
static void events_have_their_times(void **state)
{
    clockwork *c = *state;
    ww_command_queue *ordered = ww_command_queue_create(&c->base, true);
    ww_command_queue *free_order = ww_command_queue_create(&c->base, false);
    ww_event *e[6];
    e[0] = start(c, ordered, 5, 'a');
    e[1] = start(c, ordered, 7, 'b');
    e[2] = start(c, free_order, 10, 'c');
    e[3] = start(c, free_order, 1, 'd');
    e[4] = start_after(c, free_order, 2, 'e', &(ww_event_list){e, 2});
    assert_int_equal(ww_event_wait(e[3], c->errors), WW_OK);
    e[5] = start(c, ordered, 3, 'f');
    assert_int_equal(ww_device_finish(&c->base, c->errors), WW_OK);
    assert_string_equal(c->ran, "abcdef");
    expect_times(e[0], 0, 0, 0, 5);
    expect_times(e[1], 0, 5, 5, 12);
    expect_times(e[2], 0, 0, 12, 22);
    expect_times(e[3], 0, 0, 22, 23);
    expect_times(e[4], 0, 12, 23, 25);
    expect_times(e[5], 23, 23, 25, 28);
    destroy_events(e, 6);
}

static void markers_and_copies_take_no_time(void **state)
{
    clockwork *c = *state;
    ww_command_queue *queue = ww_command_queue_create(&c->base, true);
    ww_device_command marker = {.kind = WW_COMMAND_MARKER};
    ww_event *event, *first = start(c, queue, 5, 'a');
    assert_int_equal(ww_enqueue(queue, &marker, NULL, &event, c->errors), WW_OK);
    assert_int_equal(ww_event_wait(event, c->errors), WW_OK);
    expect_times(event, 0, 5, 5, 5);
    ww_event_destroy(event);
    ww_event_destroy(first);
}

static void bytes_move_when_a_command_runs(void **state)
{
    clockwork *c = *state;
    ww_command_queue *queue = ww_command_queue_create(&c->base, true);
    const ww_buffer *a = ww_device_buffer(&c->base, "a", 16, c->errors);
    const ww_buffer *b = ww_device_buffer(&c->base, "b", 16, c->errors);
    char text[] = "0123456789abcde", pattern[] = "xyz", got[17] = "", moved[5] = "";
    enqueue(c, queue,
            (ww_device_command){WW_COMMAND_WRITE, .buffer = a, .count = 16, .source = text});
    enqueue(c, queue,
            (ww_device_command){WW_COMMAND_FILL, .buffer = a, .offset = 2, .count = 6,
                                .source = pattern, .pattern_bytes = 3});
    memset(pattern, '?', 3);
    enqueue(c, queue,
            (ww_device_command){WW_COMMAND_COPY, .buffer = b, .offset = 1, .count = 12, .from = a,
                                .from_offset = 1});
    enqueue(c, queue,
            (ww_device_command){WW_COMMAND_COPY, .buffer = b, .offset = 2, .count = 10, .from = b,
                                .from_offset = 1}); /* they overlap */
    enqueue(c, queue,
            (ww_device_command){WW_COMMAND_READ, .buffer = b, .count = 16, .target = got});
    enqueue(c, queue,
            (ww_device_command){WW_COMMAND_READ, .buffer = a, .offset = 12, .count = 4,
                                .target = moved});
    text[15] = 'F'; /* before the write runs */
    assert_int_equal(a->host[0], 0);
    assert_int_equal(ww_command_queue_finish(queue, c->errors), WW_OK);
    assert_memory_equal(got,
                        "\0"
                        "11xyzxyz89ac\0\0\0",
                        16);
    assert_memory_equal(moved, "cdeF", 4);
}

/* Writes, fills and copies into a buffer are the host's; reads, launches and no bytes are not. */
static void commands_that_write_are_noted(void **state)
{
    clockwork *c = *state;
    ww_command_queue *queue = ww_command_queue_create(&c->base, true);
    const ww_buffer *b[6];
    static const char *const names[] = {"0", "1", "2", "3", "4", "5"};
    char bytes[16] = "";
    for (int i = 0; i < 6; i++)
        b[i] = ww_device_buffer(&c->base, names[i], 16, c->errors);
    const ww_device_command commands[] = {
        {WW_COMMAND_WRITE, .buffer = b[0], .count = 1, .source = bytes},
        {WW_COMMAND_FILL, .buffer = b[1], .count = 8, .source = bytes, .pattern_bytes = 2},
        {WW_COMMAND_COPY, .buffer = b[2], .count = 8, .from = b[3]},
        {WW_COMMAND_READ, .buffer = b[4], .count = 16, .target = bytes},
        {WW_COMMAND_WRITE, .buffer = b[5], .source = bytes},
        {WW_COMMAND_HINT, .buffer = b[5], .hints = {.read_mostly = true}},
    };
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        enqueue(c, queue, commands[i]);
    ww_event_destroy(start(c, queue, 5, 'a'));
    assert_false(b[0]->host_wrote);
    assert_int_equal(ww_command_queue_finish(queue, c->errors), WW_OK);
    for (int i = 0; i < 6; i++)
        assert_int_equal(b[i]->host_wrote, i < 3);
    ww_device_written(&c->base, b[4], c->errors);
    assert_true(b[4]->host_wrote);
}

/* A launch sees the hints that were given before it, whenever the host waits. */
static void hints_keep_their_order(void **state)
{
    clockwork *c = *state;
    ww_command_queue *queue = ww_command_queue_create(&c->base, true);
    const ww_buffer *a = ww_device_buffer(&c->base, "a", 16, c->errors);
    ww_device_command hint = {WW_COMMAND_HINT, .buffer = a, .hints = {.prefetch = true}};
    ww_event *first = start(c, queue, 5, 'a');
    enqueue(c, queue, hint);
    assert_int_equal(ww_event_wait(first, c->errors), WW_OK);
    assert_false(a->hints.prefetch);
    ww_buffer_hints host = {.preferred = WW_PREFER_HOST, .accessed_by = true};
    assert_int_equal(ww_device_hint(&c->base, a, host, c->errors), WW_OK);
    assert_true(a->hints.accessed_by && !a->hints.prefetch);
    assert_int_equal(a->hints.preferred, WW_PREFER_HOST);
    ww_event_destroy(first);
}

static void wrong_ranges_are_refused(void **state)
{
    clockwork *c = *state;
    ww_command_queue *queue = ww_command_queue_create(&c->base, true);
    const ww_buffer *a = ww_device_buffer(&c->base, "a", 16, c->errors);
    const ww_buffer *b = ww_device_buffer(&c->base, "b", 8, c->errors);
    char bytes[16] = "";
    const ww_device_command wrong[] = {
        {WW_COMMAND_WRITE, .buffer = a, .offset = 17, .source = bytes},
        {WW_COMMAND_READ, .buffer = a, .offset = 8, .count = 9, .target = bytes},
        {WW_COMMAND_READ, .buffer = a, .offset = 8, .count = UINT64_MAX, .target = bytes},
        {WW_COMMAND_COPY, .buffer = a, .count = 8, .from = b, .from_offset = 1},
        {WW_COMMAND_FILL, .buffer = a, .count = 16, .source = bytes, .pattern_bytes = 3},
        {WW_COMMAND_FILL, .buffer = a, .count = 16, .source = bytes},
    };
    const char *const lines[] = {
        "write of 0 bytes at 17 of buffer 'a' (it has 16 bytes)",
        "read of 9 bytes at 8 of buffer 'a' (it has 16 bytes)",
        "read of 18446744073709551615 bytes at 8 of buffer 'a' (it has 16 bytes)",
        "copy of 8 bytes at 1 of buffer 'b' (it has 8 bytes)",
        "fill of 16 bytes of buffer 'a' with a pattern of 3 (1 to 128 bytes that divide the first "
        "number)",
        "fill of 16 bytes of buffer 'a' with a pattern of 0 (1 to 128 bytes that divide the first "
        "number)",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_int_equal(ww_enqueue(queue, &wrong[i], NULL, NULL, c->errors), WW_BAD_INPUT);
        assert_string_equal(ww_errors_line(c->errors, i), lines[i]);
    }
    assert_int_equal(ww_command_queue_finish(queue, c->errors), WW_OK);
    assert_int_equal(ww_device_read(&c->base, a, 16, bytes, 0, c->errors), WW_OK);
}

/* What follows a failure does not run; the rest does. */
static void failures_stop_what_follows(void **state)
{
    clockwork *c = *state;
    ww_command_queue *ordered = ww_command_queue_create(&c->base, true);
    ww_command_queue *free_order = ww_command_queue_create(&c->base, false);
    ww_event *e[5];
    e[0] = start(c, ordered, FAILS, 'a');
    e[1] = start(c, ordered, 7, 'b');
    e[2] = start(c, free_order, 10, 'c');
    e[3] = start_after(c, free_order, 1, 'd', &(ww_event_list){&e[1], 1});
    e[4] = start(c, free_order, 2, 'e');
    assert_int_equal(ww_event_wait(e[2], c->errors), WW_OK);
    assert_int_equal(ww_errors_count(c->errors), 2);
    assert_string_equal(ww_errors_line(c->errors, 0), "launch a broke");
    assert_string_equal(ww_errors_line(c->errors, 1),
                        "a launch did not run, because a command that it follows failed");
    assert_int_equal(ww_command_queue_finish(free_order, c->errors), WW_FAILED);
    assert_int_equal(ww_errors_count(c->errors), 3);
    assert_string_equal(c->ran, "ace");
    assert_int_equal(ww_event_wait(e[0], c->errors), WW_FAILED);
    assert_string_equal(ww_errors_line(c->errors, 3), "a launch failed before");
    assert_int_equal(ww_command_queue_finish(free_order, c->errors), WW_OK); /* none ran now */
    assert_int_equal(ww_command_queue_finish(ordered, c->errors), WW_OK);
    assert_int_equal(c->now, 12);
    destroy_events(e, 5);
}

/* A buffer is released when all commands before its release have run, of whatever queue. */
static void releases_wait_for_pending_commands(void **state)
{
    clockwork *c = *state;
    ww_command_queue *one = ww_command_queue_create(&c->base, true);
    ww_command_queue *two = ww_command_queue_create(&c->base, false);
    const ww_buffer *a = ww_device_buffer(&c->base, "a", 8, c->errors);
    const ww_buffer *b = ww_device_buffer(&c->base, "b", 8, c->errors);
    const ww_buffer *d = ww_device_buffer(&c->base, "d", 8, c->errors);
    uint64_t of_a = a->address;
    ww_device_release(&c->base, d); /* nothing is pending */
    assert_string_equal(c->released, "d");
    ww_event *first = start(c, one, 1, 'x');
    ww_event *second = start(c, two, 1, 'y');
    ww_device_release(&c->base, a);
    ww_event *third = start(c, one, 1, 'z');
    ww_device_release(&c->base, b);
    ww_device_command fill = {WW_COMMAND_FILL, .buffer = b, .count = 8, .source = "",
                              .pattern_bytes = 1};
    assert_int_equal(ww_enqueue(one, &fill, NULL, NULL, c->errors), WW_BAD_INPUT);
    assert_string_equal(ww_errors_line(c->errors, 0), "fill of buffer 'b', which was released");
    assert_int_equal(ww_event_wait(first, c->errors), WW_OK);
    assert_string_equal(c->released, "d.");
    assert_ptr_equal(ww_memory_find(c->base.memory, of_a, 8), a);
    assert_int_equal(ww_event_wait(second, c->errors), WW_OK);
    assert_string_equal(c->released, "d..a");
    assert_null(ww_memory_find(c->base.memory, of_a, 8));
    assert_int_equal(ww_command_queue_finish(one, c->errors), WW_OK);
    assert_string_equal(c->released, "d..a.b");
    assert_int_equal(ww_memory_footprint(c->base.memory), 0);
    destroy_events((ww_event *[]){first, second, third}, 3);
}

static void the_device_forgets_what_is_pending_at_its_end(void **state)
{
    clockwork *c = *state;
    ww_command_queue *queue = ww_command_queue_create(&c->base, true);
    const ww_buffer *a = ww_device_buffer(&c->base, "a", 8, c->errors);
    ww_event_destroy(start(c, queue, 1, 'x'));
    ww_event_destroy(start(c, queue, 1, 'y'));
    ww_device_release(&c->base, a);
}

/* Many commands, with waits in between: the list of pending ones is emptied as they run. */
static void many_commands_keep_their_order(void **state)
{
    clockwork *c = *state;
    ww_command_queue *queue = ww_command_queue_create(&c->base, true);
    const ww_buffer *a = ww_device_buffer(&c->base, "a", 4, c->errors);
    static const uint32_t numbers[] = {1, 2, 3, 4, 5, 6, 7};
    uint32_t got[1000] = {0};
    ww_event *waited = NULL;
    for (uint32_t i = 0; i < 1000; i++) {
        ww_device_command write = {WW_COMMAND_WRITE, .buffer = a, .count = 4,
                                   .source = &numbers[i % 7]};
        ww_device_command read = {WW_COMMAND_READ, .buffer = a, .count = 4, .target = &got[i]};
        enqueue(c, queue, write);
        assert_int_equal(ww_enqueue(queue, &read, NULL, i % 10 ? NULL : &waited, c->errors), WW_OK);
        if (i % 10 != 3)
            continue;
        assert_int_equal(ww_event_wait(waited, c->errors), WW_OK);
        ww_event_destroy(waited);
        assert_int_equal(got[i - 3], numbers[(i - 3) % 7]);
        assert_int_equal(got[i], 0);
    }
    assert_int_equal(ww_command_queue_finish(queue, c->errors), WW_OK);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(got[i], numbers[i % 7]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(nothing_runs_before_a_wait),
        TEST(events_have_their_times),
        TEST(markers_and_copies_take_no_time),
        TEST(bytes_move_when_a_command_runs),
        TEST(commands_that_write_are_noted),
        TEST(hints_keep_their_order),
        TEST(wrong_ranges_are_refused),
        TEST(failures_stop_what_follows),
        TEST(releases_wait_for_pending_commands),
        TEST(the_device_forgets_what_is_pending_at_its_end),
        TEST(many_commands_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
