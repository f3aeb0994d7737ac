#include "support/reference.h"

static int steps_of(const int32_t *in, int i, int n)
{
    int steps = 0;
    if (i + 1 < n && in[i + 1] > 0) {
        int third = in[i + 1] % 3;
        if (third == 0 ? 1 : in[i] / third > 5)
            steps++;
    }
    int odd = i * 1000 < n ? in[i * 1000] & 1 : 0;
    if (!odd && i > 0 && in[i - 1] < in[i]) {
        steps++;
        odd = 1;
    }
    steps += odd ? 10 : 0;
    for (int limit = i % 7 - 1; limit >= 0; limit--) {
        if (in[(i + limit) % n] & 3) {
            if (++steps >= 40)
                break;
        } else if (limit == 2) {
            break;
        }
        steps += 100;
    }
    return steps;
}

REFERENCE(short_circuit)
{
    const int32_t *in = reference_input(r, "in");
    int32_t *out = reference_wanted(r, "out");
    for (int i = 0; i < 500; i++) {
        int last = i % 2 == 0 ? 4000 : i % 3 ? 1000 : in[i] < 0 ? 2000 : 3000;
        out[i] = steps_of(in, i, 500) + last;
    }
}
