/* Policies: the named algorithms for one decision of a component.
 *
 * policy    one algorithm: a static const table of functions, in a file of its own, that begins
 *           with a ww_policy
 * family    all policies for one decision, and the key that chooses among them
 * prefix    of a family: its key without the last name, "l1d" of l1d.replacement. Keys and
 *           statistics of a policy are declared without it: one of a replacement policy named
 *           "age" is l1d.age for the L1 data cache and l2.age for the L2.
 * state     a policy's private memory, zeroed; each component that uses the policy has its own
 * start     what a policy is told before its component's first cycle: the same for all families
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

struct ww_stat; /* stats/stats.h */

/* What a first pass records. */
typedef enum ww_record {
    WW_RECORD_WARP_TIMES = 1, /* the cycles of each warp, by launch, group and warp */
    WW_RECORD_PAGE_ORDER = 2, /* pages in the order of their first access */
} ww_record;

/* What a policy must know before the run that it decides in. */
typedef struct ww_first_pass_need {
    const char *instead; /* the member of its family that decides in the first pass */
    const char *also;    /* another setting of the first pass, "key=value"; NULL: none */
    unsigned records;    /* bits of ww_record */
} ww_first_pass_need;

typedef struct ww_policies ww_policies;

/* The geometry is that of the component; members that do not apply to it are 0. */
typedef struct ww_policy_start {
    const struct ww_config *config; /* for ww_policy_u64 and so on */
    const char *prefix;             /* outlives the policy */
    uint64_t seed;
    ww_policies *instances; /* of the simulation, for statistics; NULL: none are read */
    uint64_t sets, ways;    /* of a cache */
    uint64_t line;          /* of a cache: bytes of a line */
    uint64_t slots;         /* of a compute unit, for warps */
    uint64_t banks;         /* of a DRAM channel */
    uint64_t entries;       /* of the queue or buffer that is chosen from */
    uint64_t frames;        /* of the physical memory */
    bool shared;            /* a TLB that compute units share */
} ww_policy_start;

typedef struct ww_policy {
    const char *name;
    const char *doc; /* one line */
    /* Its own keys, named without the prefix; they join the schema of the family's key. */
    const ww_key *keys;
    size_t key_count;
    /* Its own statistics, named without the prefix; offsets are into its state. Results have them
     * when the policy is chosen, summed over all components that use it. */
    const struct ww_stat *stats;
    size_t stat_count;
    size_t state_size;
    size_t (*state_bytes)(const ww_policy_start *start); /* NULL: state_size */
    /* Prepares the zeroed state; NULL: there is nothing to prepare. */
    void (*start)(void *state, const ww_policy_start *start);
    /* The storage it would cost in hardware, in bits, for one instance; NULL: none. */
    uint64_t (*storage_bits)(const ww_policy_start *start);
    /* Of an oracle: the program runs twice, and the policy is told what happened the first time.
     * NULL: not an oracle. */
    const ww_first_pass_need *first_pass;
} ww_policy;

/* For the tables of policies: .keys and .key_count, .stats and .stat_count of an array. */
#define WW_POLICY_KEYS(array) .keys = (array), .key_count = sizeof(array) / sizeof((array)[0])
#define WW_POLICY_STATS(array) .stats = (array), .stat_count = sizeof(array) / sizeof((array)[0])

typedef struct ww_policy_family {
    const char *name; /* what is decided: "execution order" */
    const char *key;  /* the key that chooses: "exec.order" */
    const char *doc;
    const ww_policy *const *members;
    size_t count;
    /* Sets the geometry that the component has in this configuration, where storage depends on it;
     * config and prefix are set. NULL: none. */
    void (*geometry)(ww_policy_start *start);
} ww_policy_family;

const ww_policy *ww_policy_find(const ww_policy_family *family, const char *name);
/* The length of the family's prefix; a full name is the prefix, a dot and the policy's name. */
size_t ww_policy_prefix_length(const ww_policy_family *family);
/* Whether the policy declares a key, named without the prefix. */
bool ww_policy_has_key(const ww_policy *policy, const char *name);
/* `key` is the key of the family. */
uint64_t ww_policy_storage_bits(const ww_policy *policy, const struct ww_config *config,
                                const char *key);

/* ---- for components ---- */

/* A started state; never NULL. */
void *ww_policy_create(const ww_policy *policy, const ww_policy_start *start);
/* Ends its use. A state with statistics is kept by `instances` until these end. */
void ww_policy_destroy(const ww_policy *policy, const ww_policy_start *start, void *state);

/* ---- for policies, in start, state_bytes and storage_bits: their keys, without the prefix ---- */

bool ww_policy_bool(const ww_policy_start *start, const char *name);
uint64_t ww_policy_u64(const ww_policy_start *start, const char *name);
double ww_policy_double(const ww_policy_start *start, const char *name);
uint64_t ww_policy_bytes(const ww_policy_start *start, const char *name);
uint64_t ww_policy_time(const ww_policy_start *start, const char *name); /* picoseconds */
size_t ww_policy_choice(const ww_policy_start *start, const char *name);

/* ---- the instances of a simulation that have statistics ---- */

typedef struct ww_policy_instance {
    const ww_policy *policy;
    const char *prefix;
    void *state;
} ww_policy_instance;

ww_policies *ww_policies_create(void);
void ww_policies_destroy(ww_policies *policies); /* after all components */
size_t ww_policies_count(const ww_policies *policies);
const ww_policy_instance *ww_policies_at(const ww_policies *policies, size_t index);

/* What every family and its members must obey: unique lower-case names, one-line docs, documented
 * keys that parse, a family key. Adds an error for each breach; contract tests call it. */
int ww_policy_check_family(const ww_policy_family *family, ww_errors *errors);

#endif
