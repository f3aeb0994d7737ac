/* What a larger L1 does for each launch of a program. */
#include <stdio.h>
#include <warpwalk.h>

static int show_launch(void *context, const ww_run_launch *launch)
{
    (void)context;
    printf("  %-14s %8llu cycles\n", launch->kernel, (unsigned long long)launch->cycles);
    return 0; /* go on */
}

static int fail(ww_simulation *s)
{
    fputs(ww_simulation_errors(s), stderr);
    ww_simulation_destroy(s);
    return 1;
}

int main(int count, char **arguments)
{
    const char *workload = count > 1 ? arguments[1] : "atax";
    const char *sizes[] = {"l1d.size=16KiB", "l1d.size=32KiB"};
    ww_simulation *s = ww_simulation_create();
    ww_simulation_on_launch(s, show_launch, NULL);
    if (ww_simulation_machine(s, "gtx480-cawa") != 0)
        return fail(s);
    for (int i = 0; i < 2; i++) {
        double misses;
        puts(sizes[i]);
        if (ww_simulation_set(s, sizes[i]) != 0 || ww_simulation_run(s, workload, "tiny") != 0 ||
            ww_simulation_statistic(s, "l1d.misses", &misses) != 0)
            return fail(s);
        printf("  %.0f misses\n", misses);
    }
    ww_simulation_destroy(s);
    return 0;
}
