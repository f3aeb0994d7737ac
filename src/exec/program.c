/* A module ready to run: its variables are in memory; a kernel is decoded at its first launch. */
#include "exec/run.h"

#include <string.h>

#define MOST_SHARED_BYTES (16u << 20)
#define MOST_GROUP_LOCAL_BYTES (4ull << 30)

/* OpenCL's get_work_dim and get_global_offset read these four words (data/prelude.cl). */
#define LAUNCH_STATE "__ww_launch_state"
#define LAUNCH_PART "__ww_launch_part" /* whoever splits a launch fills it */

struct ww_program {
    const ww_module *module;
    ww_memory *memory;
    ww_exec_options options;
    const ww_buffer **variables; /* by index in the module */
    ww_kernel **kernels;         /* by function index */
    ww_exec_counters counters;
    ww_executor executor;
    uint64_t launches;
};

static uint64_t address_of(const void *context, const ww_variable *variable)
{
    const ww_program *program = context;
    const ww_buffer *b = program->variables[variable->index];
    return b ? b->address : 0;
}

static bool is_in_memory(const ww_variable *v)
{
    return v->space == WW_SPACE_GLOBAL || v->space == WW_SPACE_CONST;
}

static int add_variables(ww_program *p, ww_errors *errors)
{
    int status = WW_OK;
    for (uint32_t i = 0; i < p->module->variable_count && status == WW_OK; i++) {
        const ww_variable *v = p->module->variables[i];
        ww_where at = {p->module->path, v->line, 0};
        if (!is_in_memory(v))
            continue;
        if (v->external && strcmp(v->name, LAUNCH_STATE) != 0 &&
            strcmp(v->name, LAUNCH_PART) != 0) {
            status = ww_fail(errors, WW_BAD_INPUT, at,
                             "variable '%s' is .extern and defined nowhere", v->name);
            continue;
        }
        /* Whole 16-byte units: vector loads of libclc's tables reach a little past their end. */
        uint64_t bytes = (v->size + 15) / 16 * 16;
        p->variables[i] =
            ww_memory_add(p->memory, v->name, v->space == WW_SPACE_CONST ? bytes : v->size,
                          v->space == WW_SPACE_CONST, errors);
        if (!p->variables[i])
            status = WW_FAILED;
        else if (v->initial)
            memcpy(p->variables[i]->host, v->initial, v->size);
        if (p->variables[i] && (v->initial || v->external))
            ww_memory_host_wrote(p->memory, p->variables[i]);
    }
    return status;
}

static int relocate(ww_program *p, const ww_variable *v, ww_errors *errors)
{
    for (size_t n = 0; n < v->relocation_count; n++) {
        const ww_relocation *r = &v->relocations[n];
        uint64_t address;
        if (r->function)
            address = ww_function_address(r->function);
        else if (is_in_memory(r->variable))
            address = address_of(p, r->variable);
        else
            return ww_fail(errors, WW_BAD_INPUT, (ww_where){p->module->path, v->line, 0},
                           "the initial value of '%s' is an address of shared or local memory",
                           v->name);
        address += (uint64_t)r->addend;
        memcpy(p->variables[v->index]->host + r->at, &address, r->bytes < 8 ? r->bytes : 8);
    }
    return WW_OK;
}

ww_program *ww_program_create(const ww_module *module, ww_memory *memory,
                              const ww_exec_options *options, ww_errors *errors)
{
    if (options->width < 1 || options->width > WW_MOST_LANES) {
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "a warp width of %u (1 to %d are possible)",
                options->width, WW_MOST_LANES);
        return NULL;
    }
    ww_program *p = ww_calloc_rows(sizeof(*p));
    p->module = module;
    p->memory = memory;
    p->options = *options;
    p->variables = ww_calloc(module->variable_count, sizeof(ww_buffer *));
    p->kernels = ww_calloc(module->function_count, sizeof(ww_kernel *));
    p->executor = (ww_executor){.memory = memory,
                                .storage = ww_storage_create(),
                                .tools = ww_row_tools_of(options->level),
                                .width = options->width,
                                .output = options->output ? options->output : stderr,
                                .silent = options->silent,
                                .blocks = (options->width + 15) / 16,
                                .counters = &p->counters};
    int status = add_variables(p, errors);
    for (uint32_t i = 0; i < module->variable_count && status == WW_OK; i++)
        if (p->variables[i])
            status = relocate(p, module->variables[i], errors);
    if (status == WW_OK)
        return p;
    ww_program_destroy(p);
    return NULL;
}

void ww_program_trim(ww_program *p)
{
    ww_storage_trim(p->executor.storage);
}

void ww_program_destroy(ww_program *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->module->function_count; i++)
        ww_kernel_destroy(p->kernels[i]);
    for (uint32_t i = 0; i < p->module->variable_count; i++)
        if (p->variables[i])
            ww_memory_remove(p->memory, p->variables[i]);
    ww_storage_destroy(p->executor.storage);
    free(p->kernels);
    free(p->variables);
    free(p);
}

const ww_buffer *ww_program_variable(const ww_program *p, uint32_t index)
{
    return p->variables[index];
}

const ww_exec_counters *ww_program_counters(const ww_program *p)
{
    return &p->counters;
}

static int check_group(const ww_function *f, const ww_launch *l, ww_errors *errors)
{
    uint64_t items = 1, limit = 1;
    for (int d = 0; d < 3; d++) {
        if (!l->group[d] || !l->groups[d])
            return ww_fail(errors, WW_BAD_INPUT, l->at, "kernel '%s': a launch of no work-items",
                           f->name);
        items *= l->group[d];
        limit *= f->most_group[d] ? f->most_group[d] : 1;
        if (f->required_group[0] && l->group[d] != f->required_group[d])
            return ww_fail(errors, WW_BAD_INPUT, l->at,
                           "kernel '%s' requires groups of (%u,%u,%u), not (%u,%u,%u)", f->name,
                           f->required_group[0], f->required_group[1], f->required_group[2],
                           l->group[0], l->group[1], l->group[2]);
    }
    if (items > WW_MOST_GROUP)
        return ww_fail(errors, WW_BAD_INPUT, l->at,
                       "kernel '%s': a group of %llu work-items (at most %d)", f->name,
                       (unsigned long long)items, WW_MOST_GROUP);
    if (f->most_group[0] && items > limit)
        return ww_fail(errors, WW_BAD_INPUT, l->at,
                       "kernel '%s': a group of %llu work-items (it was compiled for at most %llu)",
                       f->name, (unsigned long long)items, (unsigned long long)limit);
    return WW_OK;
}

static ww_kernel *find_kernel(ww_program *p, const char *entry, ww_where at, ww_errors *errors)
{
    ww_function *f = ww_module_function(p->module, entry);
    if (!f || !f->is_entry || !f->has_body) {
        ww_fail(errors, WW_BAD_INPUT, at, "there is no kernel '%s' in %s", entry, p->module->path);
        return NULL;
    }
    if (!p->kernels[f->index])
        p->kernels[f->index] = ww_kernel_create(f, p->options.level, p->executor.blocks,
                                                p->options.loads_arguments, address_of, p, errors);
    return p->kernels[f->index];
}

int ww_program_dynamic_shared(ww_program *p, const char *entry, ww_where at, uint64_t *address,
                              ww_errors *errors)
{
    const ww_kernel *k = find_kernel(p, entry, at, errors);
    *address = k ? k->dynamic_shared_offset : 0;
    return k ? WW_OK : WW_BAD_INPUT;
}

static int check_kernel(const ww_program *p, const ww_kernel *k, const ww_launch *l,
                        ww_errors *errors)
{
    uint64_t shared = k->dynamic_shared_offset + l->dynamic_shared;
    uint64_t local = k->local_bytes * l->group[0] * l->group[1] * l->group[2];
    unsigned width = p->options.width;
    if (local > MOST_GROUP_LOCAL_BYTES)
        return ww_fail(errors, WW_BAD_INPUT, l->at,
                       "kernel '%s' needs %llu bytes of local memory for a group (at most %llu)",
                       k->entry->name, (unsigned long long)local, MOST_GROUP_LOCAL_BYTES);
    if (shared > MOST_SHARED_BYTES || l->dynamic_shared > MOST_SHARED_BYTES)
        return ww_fail(errors, WW_BAD_INPUT, l->at,
                       "kernel '%s' needs %llu bytes of shared memory (at most %u)", k->entry->name,
                       (unsigned long long)shared, MOST_SHARED_BYTES);
    if (k->entry->required_subgroup && k->entry->required_subgroup != width)
        return ww_fail(errors, WW_BAD_INPUT, l->at,
                       "kernel '%s' requires sub-groups of %u (core.warp_width is %u)",
                       k->entry->name, k->entry->required_subgroup, width);
    if (k->uses_warp_width && width != 32 && width != 64)
        return ww_fail(errors, WW_BAD_INPUT, ww_instruction_location(p->module, k->first_across),
                       "'%s' needs warps of 32 or 64 lanes (core.warp_width is %u)",
                       k->first_across->text, width);
    return WW_OK;
}

static uint64_t special_of_launch(const ww_executor *x, const ww_launch *l, uint64_t launch,
                                  ww_special special)
{
    uint64_t items = (uint64_t)l->group[0] * l->group[1] * l->group[2];
    unsigned width = x->width < 32 ? x->width : 32;
    switch (special) {
    case WW_SPECIAL_NTID_X: return l->group[0];
    case WW_SPECIAL_NTID_Y: return l->group[1];
    case WW_SPECIAL_NTID_Z: return l->group[2];
    case WW_SPECIAL_NCTAID_X: return l->groups[0];
    case WW_SPECIAL_NCTAID_Y: return l->groups[1];
    case WW_SPECIAL_NCTAID_Z: return l->groups[2];
    case WW_SPECIAL_NWARPID: return (items + width - 1) / width;
    case WW_SPECIAL_NSMID: return 1;
    case WW_SPECIAL_GRIDID: return launch;
    case WW_SPECIAL_DYNAMIC_SMEM_SIZE: return l->dynamic_shared;
    case WW_SPECIAL_TOTAL_SMEM_SIZE: return x->shared_bytes;
    case WW_SPECIAL_WARP_SZ: return width;
    case WW_SPECIAL_SUBGROUP_COUNT: return (items + x->width - 1) / x->width;
    case WW_SPECIAL_SUBGROUP_WIDTH: return x->width;
    default: return 0;
    }
}

static uint64_t parameter(const ww_launch *l, const ww_constant *c)
{
    uint64_t value = 0;
    memcpy(&value, l->params + c->bits, c->size);
    if (c->is_signed && c->size < 8)
        value = (uint64_t)((int64_t)(value << (64 - 8 * c->size)) >> (64 - 8 * c->size));
    return value;
}

static void fill_launch_constants(ww_program *p, ww_kernel *k, const ww_launch *l)
{
    for (uint32_t n = 0; n < k->constant_count; n++) {
        const ww_constant *c = &k->constants[n];
        if (c->source == WW_CONSTANT_VALUE)
            continue;
        uint64_t value = c->source == WW_CONSTANT_PARAM
                             ? parameter(l, c)
                             : special_of_launch(&p->executor, l, p->launches, (ww_special)c->bits);
        uint8_t *row = k->constant_rows + c->offset;
        for (unsigned lane = 0; lane < p->executor.blocks * 16; lane++)
            if (c->wide)
                ((uint64_t *)(void *)row)[lane] = value;
            else
                ((uint32_t *)(void *)row)[lane] = (uint32_t)value;
    }
}

static void fill_launch_state(ww_program *p, const ww_launch *l)
{
    for (uint32_t i = 0; i < p->module->variable_count; i++) {
        const ww_variable *v = p->module->variables[i];
        if (!p->variables[i] || strcmp(v->name, LAUNCH_STATE) != 0 || v->size < 16)
            continue;
        uint32_t words[4] = {l->work_dim, l->global_offset[0], l->global_offset[1],
                             l->global_offset[2]};
        memcpy(p->variables[i]->host, words, sizeof(words));
    }
}

static void add_categories(ww_program *p)
{
    p->counters.arithmetic = p->executor.categories[WW_CATEGORY_ARITHMETIC];
    p->counters.memory = p->executor.categories[WW_CATEGORY_MEMORY];
    p->counters.control = p->executor.categories[WW_CATEGORY_CONTROL];
    p->counters.synchronisation = p->executor.categories[WW_CATEGORY_SYNCHRONISATION];
}

ww_executor *ww_program_begin(ww_program *p, const ww_launch *l, ww_errors *errors)
{
    ww_kernel *k = find_kernel(p, l->entry, l->at, errors);
    if (!k || check_group(k->entry, l, errors) != WW_OK || check_kernel(p, k, l, errors) != WW_OK)
        return NULL;
    ww_executor *x = &p->executor;
    x->kernel = k;
    x->errors = errors;
    x->shared_bytes =
        l->dynamic_shared ? k->dynamic_shared_offset + l->dynamic_shared : k->static_shared;
    x->params = l->params;
    x->param_bytes = k->entry->param_bytes;
    x->argument_address = 0;
    memcpy(x->group_size, l->group, sizeof(x->group_size));
    fill_launch_constants(p, k, l);
    fill_launch_state(p, l);
    x->hints = ww_calloc(k->uop_count, sizeof(ww_buffer *));
    return x;
}

void ww_program_end(ww_program *p)
{
    free(p->executor.hints);
    p->executor.hints = NULL;
    p->launches++;
    add_categories(p);
}

int ww_program_run(ww_program *p, const ww_launch *l, ww_errors *errors)
{
    ww_executor *x = ww_program_begin(p, l, errors);
    if (!x)
        return WW_BAD_INPUT;
    ww_run run = {.x = x,
                  .options = &p->options,
                  .launch = l,
                  .group_count = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2]};
    int status = ww_run_groups(&run);
    ww_program_end(p);
    return status;
}
