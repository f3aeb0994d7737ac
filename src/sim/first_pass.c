#include "sim/first_pass.h"

#include "base/build_id.h"
#include "base/file_cache.h"
#include "base/memory.h"

#include <string.h>

void ww_first_pass_destroy(ww_first_pass *pass)
{
    if (!pass)
        return;
    ww_warp_times_destroy(pass->warps);
    free(pass->pages);
    free(pass);
}

/* What the policy of a setting needs; NULL: no first pass. */
static const ww_first_pass_need *need_of(const ww_config *config, size_t index)
{
    const ww_setting *setting = ww_config_setting(config, index);
    if (setting->key->type != WW_KEY_POLICY || !ww_config_has_effect(config, setting))
        return NULL;
    return ww_config_policy(config, setting->key->key)->first_pass;
}

static unsigned records_of_policies(const ww_config *config)
{
    unsigned records = 0;
    for (size_t i = 0; i < ww_config_count(config); i++) {
        const ww_first_pass_need *need = need_of(config, i);
        records |= need ? need->records : 0;
    }
    return records;
}

unsigned ww_first_pass_records(const ww_config *config)
{
    unsigned records = records_of_policies(config);
    return !records && ww_config_bool(config, "core.inversion") ? WW_RECORD_WARP_TIMES : records;
}

ww_config *ww_first_pass_config(const ww_config *config)
{
    ww_config *copy = ww_config_copy(config);
    ww_errors *none = ww_errors_create();
    if (!records_of_policies(config))
        ww_config_set(copy, "core.scheduler=rr", none);
    ww_config_set(copy, "core.inversion=false", none);
    ww_config_set(copy, "l1d.reuse_distance=false", none);
    for (size_t i = 0; i < ww_config_count(config); i++) {
        const ww_first_pass_need *need = need_of(config, i);
        if (!need)
            continue;
        char *set = ww_format("%s=%s", ww_config_setting(config, i)->key->key, need->instead);
        ww_config_set(copy, set, none);
        free(set);
        if (need->also)
            ww_config_set(copy, need->also, none);
    }
    ww_errors_destroy(none);
    return copy;
}

/* ---- the cache ---- */

static ww_file_cache *open_cache(const ww_config *config)
{
    const char *folder = ww_config_text(config, "host.first_pass_cache");
    return ww_file_cache_create(strcmp(folder, "none") == 0 ? ""
                                : folder[0]                 ? folder
                                                            : NULL,
                                "first passes", stderr);
}

/* False: nothing may be cached, because this build has no identity. */
static bool make_key(ww_hash128 *identity)
{
    ww_hash128_add_text(identity, "first pass 3"); /* a new format gets a new number */
    return ww_build_id_add(identity);
}

/* Cycles, the number of pages, pages, warps. */
static ww_first_pass *decode(const char *bytes, size_t count)
{
    uint64_t head[2];
    if (count < sizeof(head))
        return NULL;
    memcpy(head, bytes, sizeof(head));
    bytes += sizeof(head);
    count -= sizeof(head);
    if (head[1] > count / sizeof(uint64_t))
        return NULL;
    size_t pages = (size_t)head[1] * sizeof(uint64_t);
    ww_warp_times *warps = ww_warp_times_read(bytes + pages, count - pages);
    if (!warps)
        return NULL;
    ww_first_pass *pass = ww_calloc(1, sizeof(*pass));
    *pass = (ww_first_pass){.cycles = head[0], .warps = warps, .page_count = (size_t)head[1]};
    pass->pages = ww_calloc(pass->page_count + 1, sizeof(*pass->pages));
    memcpy(pass->pages, bytes, pages);
    return pass;
}

ww_first_pass *ww_first_pass_load(const ww_config *config, ww_hash128 identity)
{
    size_t count = 0;
    if (!make_key(&identity))
        return NULL;
    ww_file_cache *cache = open_cache(config);
    char *bytes = ww_file_cache_get(cache, identity, &count);
    ww_first_pass *pass = bytes ? decode(bytes, count) : NULL;
    free(bytes);
    ww_file_cache_destroy(cache);
    return pass;
}

void ww_first_pass_save(const ww_config *config, ww_hash128 identity, const ww_first_pass *pass)
{
    size_t count = 0;
    if (!make_key(&identity))
        return;
    char *times = ww_warp_times_write(pass->warps, &count);
    uint64_t head[] = {pass->cycles, pass->page_count};
    size_t pages = pass->page_count * sizeof(*pass->pages), all = sizeof(head) + pages + count;
    char *bytes = ww_calloc(all, 1);
    memcpy(bytes, head, sizeof(head));
    if (pages)
        memcpy(bytes + sizeof(head), pass->pages, pages);
    memcpy(bytes + sizeof(head) + pages, times, count);
    ww_file_cache *cache = open_cache(config);
    ww_file_cache_put(cache, identity, bytes, all);
    ww_file_cache_destroy(cache);
    free(bytes);
    free(times);
}
