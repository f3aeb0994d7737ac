#include "exec/exec_schema.h"

#include "exec/order.h"

static const char *const lanes_choices[] = {"auto", "portable", "avx2", "avx512", NULL};

static const ww_key keys[] = {
    {.key = "core.warp_width",
     .type = WW_KEY_U64,
     .unit = "lanes",
     .min = "1",
     .max = "64",
     .initial = "32",
     .doc = "work-items that execute in lock-step"},
    {.key = "exec.order",
     .type = WW_KEY_POLICY,
     .family = &ww_order_family,
     .initial = "in_order",
     .doc = "which ready group and warp runs next in functional execution"},
    {.key = "exec.lanes",
     .type = WW_KEY_CHOICE,
     .choices = lanes_choices,
     .initial = "auto",
     .host_only = true,
     .doc = "instruction set for lane arithmetic: auto takes the best; all give the same bits"},
};

const ww_schema ww_exec_schema = {
    .name = "exec",
    .doc = "functional execution",
    .keys = keys,
    .count = sizeof(keys) / sizeof(keys[0]),
};
