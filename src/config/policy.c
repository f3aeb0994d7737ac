#include "config/policy.h"

#include "base/memory.h"
#include "config/config.h"

#include <ctype.h>
#include <string.h>

#define LONGEST_PREFIX 64

const ww_policy *ww_policy_find(const ww_policy_family *family, const char *name)
{
    for (size_t i = 0; i < family->count; i++)
        if (strcmp(family->members[i]->name, name) == 0)
            return family->members[i];
    return NULL;
}

size_t ww_policy_prefix_length(const ww_policy_family *family)
{
    const char *dot = strrchr(family->key, '.');
    return dot ? (size_t)(dot - family->key) : 0;
}

bool ww_policy_has_key(const ww_policy *policy, const char *name)
{
    for (size_t i = 0; i < policy->key_count; i++)
        if (strcmp(policy->keys[i].key, name) == 0)
            return true;
    return false;
}

uint64_t ww_policy_storage_bits(const ww_policy *policy, const ww_config *config, const char *key)
{
    const ww_policy_family *family = ww_config_find(config, key)->key->family;
    char prefix[LONGEST_PREFIX];
    snprintf(prefix, sizeof(prefix), "%.*s", (int)ww_policy_prefix_length(family), family->key);
    ww_policy_start start = {.config = config, .prefix = prefix};
    if (!policy->storage_bits)
        return 0;
    if (family->geometry)
        family->geometry(&start);
    return policy->storage_bits(&start);
}

/* ---- keys ---- */

typedef struct full_name {
    char text[LONGEST_PREFIX * 2];
} full_name;

static full_name name_of(const ww_policy_start *start, const char *name)
{
    full_name full;
    snprintf(full.text, sizeof(full.text), "%s.%s", start->prefix, name);
    return full;
}

bool ww_policy_bool(const ww_policy_start *start, const char *name)
{
    return ww_config_bool(start->config, name_of(start, name).text);
}

uint64_t ww_policy_u64(const ww_policy_start *start, const char *name)
{
    return ww_config_u64(start->config, name_of(start, name).text);
}

double ww_policy_double(const ww_policy_start *start, const char *name)
{
    return ww_config_double(start->config, name_of(start, name).text);
}

uint64_t ww_policy_bytes(const ww_policy_start *start, const char *name)
{
    return ww_config_bytes(start->config, name_of(start, name).text);
}

uint64_t ww_policy_time(const ww_policy_start *start, const char *name)
{
    return ww_config_picoseconds(start->config, name_of(start, name).text);
}

size_t ww_policy_choice(const ww_policy_start *start, const char *name)
{
    return ww_config_choice(start->config, name_of(start, name).text);
}

/* ---- states ---- */

struct ww_policies {
    WW_VEC(ww_policy_instance) items;
};

ww_policies *ww_policies_create(void)
{
    return ww_calloc(1, sizeof(ww_policies));
}

void ww_policies_destroy(ww_policies *policies)
{
    if (!policies)
        return;
    for (size_t i = 0; i < policies->items.count; i++)
        free(policies->items.items[i].state);
    ww_vec_free(&policies->items);
    free(policies);
}

size_t ww_policies_count(const ww_policies *policies)
{
    return policies->items.count;
}

const ww_policy_instance *ww_policies_at(const ww_policies *policies, size_t index)
{
    return &policies->items.items[index];
}

static bool is_kept(const ww_policy *policy, const ww_policy_start *start)
{
    return policy->stat_count && start->instances;
}

void *ww_policy_create(const ww_policy *policy, const ww_policy_start *start)
{
    size_t bytes = policy->state_bytes ? policy->state_bytes(start) : policy->state_size;
    void *state = ww_calloc(1, bytes + 1);
    if (policy->start)
        policy->start(state, start);
    if (is_kept(policy, start)) {
        ww_policy_instance instance = {policy, start->prefix, state};
        ww_vec_push(&start->instances->items, instance);
    }
    return state;
}

void ww_policy_destroy(const ww_policy *policy, const ww_policy_start *start, void *state)
{
    if (!is_kept(policy, start))
        free(state);
}

/* ---- the contract ---- */

static bool is_name(const char *text, const char *extra)
{
    if (!text || !islower((unsigned char)text[0]))
        return false;
    for (; *text; text++)
        if (!islower((unsigned char)*text) && !isdigit((unsigned char)*text) &&
            !strchr(extra, *text))
            return false;
    return true;
}

static bool is_doc(const char *text)
{
    return text && *text && !strchr(text, '\n') && text[strlen(text) - 1] != '.';
}

static int check_keys(const ww_policy *policy, ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; i < policy->key_count; i++) {
        const ww_key *key = &policy->keys[i];
        ww_value value;
        if (!is_name(key->key, "_") || !is_doc(key->doc) || !key->initial)
            status |=
                ww_fail(errors, WW_FAILED, WW_NOWHERE,
                        "policy %s: key %zu lacks a name, a doc or a default", policy->name, i);
        else
            status |= ww_value_parse(key, key->initial, WW_NOWHERE, &value, errors);
    }
    return status;
}

static int check_first_pass(const ww_policy_family *family, const ww_policy *policy,
                            ww_errors *errors)
{
    const ww_first_pass_need *need = policy->first_pass;
    const ww_policy *instead = need && need->instead ? ww_policy_find(family, need->instead) : NULL;
    if (!need || (instead && !instead->first_pass && need->records))
        return WW_OK;
    return ww_fail(errors, WW_FAILED, WW_NOWHERE,
                   "policy %s: the first pass records nothing, or no plain member makes it",
                   policy->name);
}

static int check_member(const ww_policy_family *family, size_t index, ww_errors *errors)
{
    const ww_policy *policy = family->members[index];
    if (!is_name(policy->name, "_"))
        return ww_fail(errors, WW_FAILED, WW_NOWHERE, "family %s: member %zu has no proper name",
                       family->name, index);
    int status = check_keys(policy, errors) | check_first_pass(family, policy, errors);
    if (ww_policy_find(family, policy->name) != policy)
        status |= ww_fail(errors, WW_FAILED, WW_NOWHERE, "family %s has two members named %s",
                          family->name, policy->name);
    if (!is_doc(policy->doc))
        status |= ww_fail(errors, WW_FAILED, WW_NOWHERE, "policy %s: the doc is not one line",
                          policy->name);
    return status;
}

int ww_policy_check_family(const ww_policy_family *family, ww_errors *errors)
{
    int status = WW_OK;
    if (!is_name(family->key, "_.") || !is_doc(family->doc) || !family->count)
        status |= ww_fail(errors, WW_FAILED, WW_NOWHERE,
                          "family %s lacks a key, a doc or any member", family->name);
    for (size_t i = 0; i < family->count; i++)
        status |= check_member(family, i, errors);
    return status ? WW_FAILED : WW_OK;
}
