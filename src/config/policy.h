/* Policies: the named algorithms for one decision of a component.
 *
 * policy    one algorithm: a static const table of functions, in a file of its own, that begins
 *           with a ww_policy
 * family    all policies for one decision, and the key that chooses among them
 * state     a policy's private memory, state_size bytes, zeroed, owned by its component
 * pass      one run of a program: a policy that needs to know the future has a first pass, in which
 *           another policy of its family decides
 *
 * A family's contract is a header beside its folder (exec/order.h and exec/order/): a struct whose
 * first member is `ww_policy policy`, then the functions. The family lists its members in one
 * table. That table drives lookup, `warpwalk list policies`, the error that names the choices, the
 * docs and the contract test. */
#ifndef WW_CONFIG_POLICY_H
#define WW_CONFIG_POLICY_H

#include "config/schema.h"

/* What a first pass records. */
typedef enum ww_record {
    WW_RECORD_WARP_TIMES = 1, /* the cycles of each warp, by launch, group and warp */
} ww_record;

/* What a policy must know before the run that it decides in. */
typedef struct ww_first_pass_need {
    const char *instead; /* the member of its family that decides in the first pass */
    unsigned records;    /* bits of ww_record */
} ww_first_pass_need;

typedef struct ww_policy {
    const char *name;
    const char *doc;    /* one line */
    const ww_key *keys; /* its own keys; they join the schema of the family's key */
    size_t key_count;
    size_t state_size;
    /* The storage it would cost in hardware, in bits, for one instance; NULL: none. `key` is the
     * key that chose it: families of several components may share policies. */
    uint64_t (*storage_bits)(const struct ww_config *config, const char *key);
    /* Of an oracle: the program runs twice, and the policy is told what happened the first time.
     * NULL: not an oracle. */
    const ww_first_pass_need *first_pass;
} ww_policy;

typedef struct ww_policy_family {
    const char *name; /* what is decided: "execution order" */
    const char *key;  /* the key that chooses: "exec.order" */
    const char *doc;
    const ww_policy *const *members;
    size_t count;
} ww_policy_family;

const ww_policy *ww_policy_find(const ww_policy_family *family, const char *name);
bool ww_policy_has_key(const ww_policy *policy, const char *key);
uint64_t ww_policy_storage_bits(const ww_policy *policy, const struct ww_config *config,
                                const char *key);

/* What every family and its members must obey: unique lower-case names, one-line docs, documented
 * keys that parse, a family key. Adds an error for each breach; contract tests call it. */
int ww_policy_check_family(const ww_policy_family *family, ww_errors *errors);

#endif
