#include "host/host_schema.h"

#include "host/placement.h"

static const ww_key keys[] = {
    {.key = "memory.placement",
     .type = WW_KEY_POLICY,
     .family = &ww_placement_family,
     .initial = "guarded",
     .doc = "the virtual address of a new buffer"},
    {.key = "host.clang",
     .type = WW_KEY_TEXT,
     .initial = "",
     .host_only = true,
     .doc = "compiler for kernels; empty: the first of clang-19, clang-16, clang-14, clang"},
    {.key = "host.kernel_cache",
     .type = WW_KEY_TEXT,
     .initial = "",
     .host_only = true,
     .doc = "folder for compiled kernels; empty: $XDG_CACHE_HOME/warpwalk, none: no cache"},
    {.key = "host.first_pass_cache",
     .type = WW_KEY_TEXT,
     .initial = "",
     .host_only = true,
     .doc = "folder for first passes; empty: $XDG_CACHE_HOME/warpwalk, none: no cache"},
    {.key = "host.blame_every",
     .type = WW_KEY_U64,
     .unit = "instructions",
     .min = "1",
     .max = "1000000",
     .initial = "16",
     .host_only = true,
     .doc = "one memory instruction of so many is followed to what it waits for (blame.*); 1: all, "
            "which takes longer"},
    {.key = "host.run_ahead",
     .type = WW_KEY_BOOL,
     .initial = "true",
     .host_only = true,
     .doc = "simulate several cycles of a compute unit at once where nothing else can "
            "observe it: no result changes"},
    {.key = "host.compute_ahead",
     .type = WW_KEY_BOOL,
     .initial = "true",
     .host_only = true,
     .doc =
         "execute the instructions of a warp that only compute together, up to the next one that "
         "does more: no result changes"},
};

const ww_schema ww_host_schema = {
    .name = "host",
    .doc = "buffers, kernel compilation and caches",
    .keys = keys,
    .count = sizeof(keys) / sizeof(keys[0]),
};
