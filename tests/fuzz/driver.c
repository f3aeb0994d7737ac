/* Runs a fuzz target without libFuzzer: every file of a corpus folder, then mutants of them. The
 * mutants are the same on every run, so that a failure can be repeated.
 *   fuzz_NAME CORPUS [MUTANTS]
 * The input under test is kept in the file "fuzz.input" until the target has survived it. */
#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_MUTANTS 4000
#define MOST_EDITS 8
#define LONGEST_SLICE 64
#define LONGEST_INPUT ((size_t)64 * 1024)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct input {
    uint8_t *bytes;
    size_t size;
} input;

typedef WW_VEC(input) corpus;

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_corpus(corpus *all, const char *folder, ww_errors *errors)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        char *path = ww_format("%s/%s", folder, entries[i]->d_name), *bytes = NULL;
        input in = {NULL, 0};
        if (entries[i]->d_name[0] != '.' &&
            ww_read_file(path, WW_NOWHERE, &bytes, &in.size, errors) == WW_OK) {
            in.bytes = (uint8_t *)bytes;
            ww_vec_push(all, in);
        }
        free(path);
        free(entries[i]);
    }
    free(entries);
    if (!all->count)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "no files in '%s'", folder);
}

/* The target gets a copy of the exact size, so that a sanitizer sees every byte read too far. */
static void try_input(const uint8_t *bytes, size_t size, int kept)
{
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        ww_out_of_memory(size);
    memcpy(exact, bytes, size);
    if (ftruncate(kept, 0) != 0 || pwrite(kept, bytes, size, 0) != (ssize_t)size)
        perror("fuzz.input");
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* Replaces [at, at + removed) of `in` by a slice of another input. */
static void replace(input *in, size_t at, size_t removed, const uint8_t *slice, size_t length)
{
    size_t tail = in->size - at - removed;
    if (at + length + tail > LONGEST_INPUT)
        return;
    memmove(in->bytes + at + length, in->bytes + at + removed, tail);
    memcpy(in->bytes + at, slice, length);
    in->size = at + length + tail;
}

static void edit(input *in, const corpus *all, ww_rng *rng)
{
    size_t at = ww_rng_below(rng, in->size + 1);
    size_t longest = in->size - at < LONGEST_SLICE ? in->size - at : LONGEST_SLICE;
    size_t removed = ww_rng_below(rng, longest + 1);
    const input *other = &all->items[ww_rng_below(rng, all->count)];
    size_t from = ww_rng_below(rng, other->size + 1);
    size_t most = other->size - from < LONGEST_SLICE ? other->size - from : LONGEST_SLICE;
    uint8_t byte = (uint8_t)ww_rng_next(rng);
    switch (ww_rng_below(rng, 4)) {
    case 0: replace(in, at, removed, other->bytes, 0); break;
    case 1: replace(in, at, 0, other->bytes + from, ww_rng_below(rng, most + 1)); break;
    case 2: replace(in, at, removed, other->bytes + from, ww_rng_below(rng, most + 1)); break;
    default: replace(in, at, longest ? 1 : 0, &byte, 1); break;
    }
}

static void try_mutant(const corpus *all, uint64_t seed, int kept)
{
    ww_rng rng;
    ww_rng_seed(&rng, seed);
    const input *parent = &all->items[ww_rng_below(&rng, all->count)];
    input mutant = {ww_calloc(LONGEST_INPUT, 1), 0};
    mutant.size = parent->size < LONGEST_INPUT ? parent->size : LONGEST_INPUT;
    memcpy(mutant.bytes, parent->bytes, mutant.size);
    for (uint64_t edits = 1 + ww_rng_below(&rng, MOST_EDITS); edits; edits--)
        edit(&mutant, all, &rng);
    try_input(mutant.bytes, mutant.size, kept);
    free(mutant.bytes);
}

static void try_all(const corpus *all, uint64_t mutants)
{
    int kept = open("fuzz.input", O_RDWR | O_CREAT | O_TRUNC, 0666);
    for (size_t i = 0; i < all->count; i++)
        try_input(all->items[i].bytes, all->items[i].size, kept);
    for (uint64_t seed = 0; seed < mutants; seed++)
        try_mutant(all, seed, kept);
    close(kept);
    unlink("fuzz.input");
    printf("%zu inputs and %llu mutants\n", all->count, (unsigned long long)mutants);
}

int main(int argc, char **argv)
{
    corpus all = {0};
    ww_errors *errors = ww_errors_create();
    uint64_t mutants = DEFAULT_MUTANTS;
    if (argc < 2 || (argc > 2 && !ww_parse_u64(argv[2], &mutants)))
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "usage: %s CORPUS [MUTANTS]", argv[0]);
    else
        read_corpus(&all, argv[1], errors);
    int status = ww_errors_status(errors);
    if (status == WW_OK)
        try_all(&all, mutants);
    ww_errors_print(errors, stderr);
    for (size_t i = 0; i < all.count; i++)
        free(all.items[i].bytes);
    ww_vec_free(&all);
    ww_errors_destroy(errors);
    return status;
}
