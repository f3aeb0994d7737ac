#include "support/reference.h"

enum { M = 21, N = 35, K = 19 };

REFERENCE(matmul_tiled)
{
    const int32_t *a = reference_input(r, "a"), *b = reference_input(r, "b");
    int32_t *c = reference_wanted(r, "c");
    for (int i = 0; i < K; i++)
        for (int y = 0; y < M; y++)
            for (int x = 0; x < N; x++)
                c[y * N + x] += a[y * K + i] * b[i * N + x];
}
