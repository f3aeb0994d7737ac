/* A workload of the catalogue: a kernel, the host side that drives it, and the right answer.
 *
 * workload    one folder of kernels/: kernel.cl, NAME.c with the table below, README.md
 * parameter   what a user can choose about the amount and shape of work (`n`, `group`, `layout`)
 * size        a value for each parameter; the usual ones have names (`tiny`, `small`, `isca18`)
 * state       a struct of the workload's own, zeroed, that its functions share in one run
 *
 * A run calls allocate, fill, run and verify, in this order, each only when all before it worked.
 * None of them returns a status: the calls of host.h remember the first failure and then do
 * nothing, so that a host side reads like the program it stands for. */
#ifndef WW_WORKLOAD_WORKLOAD_H
#define WW_WORKLOAD_WORKLOAD_H

#include "workload/host.h"

#define WW_MOST_PARAMETERS 12

typedef enum ww_parameter_kind { WW_NUMBER, WW_CHOICE, WW_WORD } ww_parameter_kind;

typedef struct ww_parameter {
    const char *name;
    const char *doc;
    const char *initial; /* the value where a size says nothing */
    ww_parameter_kind kind;
    uint64_t least, most; /* of a number */
    const char *choices;  /* of a choice: "row|column"; its number is the index in this list */
} ww_parameter;

/* Entries of a table of parameters. A word is free text: the name of a kind of graph, or a file. */
#define WW_NUMBER_PARAMETER(name, initial, least, most, doc)       \
    {                                                              \
        (name), (doc), (initial), WW_NUMBER, (least), (most), NULL \
    }
#define WW_CHOICE_PARAMETER(name, initial, choices, doc)     \
    {                                                        \
        (name), (doc), (initial), WW_CHOICE, 0, 0, (choices) \
    }
#define WW_WORD_PARAMETER(name, initial, doc)         \
    {                                                 \
        (name), (doc), (initial), WW_WORD, 0, 0, NULL \
    }
#define WW_GROUP_PARAMETER(initial) \
    WW_NUMBER_PARAMETER("group", (initial), 1, 1024, "work-items in a work-group")

/* A size with a name. `launches` is how many there are with the default seed: the tests compare it
 * with what happens. `paper_megabytes` is the footprint that a paper's table gives, 0 where there
 * is none. */
typedef struct ww_named_size {
    const char *name;
    const char *values; /* "n=4096,group=256"; what it leaves out has its initial value */
    uint64_t launches;
    double paper_megabytes; /* of 2^20 bytes */
} ww_named_size;

typedef struct ww_workload {
    const char *name;
    const char *suite;  /* where the program comes from */
    const char *doc;    /* one line */
    const char *papers; /* which published evaluations use it: "isca18 micro18" */
    bool irregular;     /* work-items of a warp touch many pages at once */
    const ww_parameter *parameters;
    size_t parameter_count;
    const ww_named_size *sizes; /* `tiny` and `small` are always there */
    size_t size_count;
    size_t state_size;
    /* Refuses, with ww_host_refuse, what cannot work; makes all arrays. */
    void (*allocate)(ww_host *host, void *state);
    /* Puts the inputs into array->host. */
    void (*fill)(ww_host *host, void *state);
    /* The host program: launches, and reads of what decides the next ones. */
    void (*run)(ww_host *host, void *state);
    /* Compares every element of every output with what a plain C program computes. */
    void (*verify)(ww_host *host, void *state);
} ww_workload;

#define WW_COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

/* The registration, at the end of kernels/NAME/NAME.c: WW_WORKLOAD(NAME) = { ... }; the name is the
 * folder's. */
#define WW_WORKLOAD(id)                        \
    extern const ww_workload ww_workload_##id; \
    const ww_workload ww_workload_##id

#endif
