#include "config/policy.h"

#include "config/value.h"

#include <ctype.h>
#include <string.h>

const ww_policy *ww_policy_find(const ww_policy_family *family, const char *name)
{
    for (size_t i = 0; i < family->count; i++)
        if (strcmp(family->members[i]->name, name) == 0)
            return family->members[i];
    return NULL;
}

bool ww_policy_has_key(const ww_policy *policy, const char *key)
{
    for (size_t i = 0; i < policy->key_count; i++)
        if (strcmp(policy->keys[i].key, key) == 0)
            return true;
    return false;
}

uint64_t ww_policy_storage_bits(const ww_policy *policy, const struct ww_config *config,
                                const char *key)
{
    return policy->storage_bits ? policy->storage_bits(config, key) : 0;
}

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
        if (!is_name(key->key, "_.") || !is_doc(key->doc) || !key->initial)
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
