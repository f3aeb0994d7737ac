/* Conditions that must not be evaluated, ternaries inside them, and side effects in between. */
kernel void short_circuit(global const int *in, global int *out, int n)
{
    int i = (int)get_global_id(0), steps = 0;
    int next = i + 1, far = i * 1000;
    if (next < n && in[next] > 0 && (in[next] % 3 == 0 || in[i] / (in[next] % 3) > 5))
        steps += 1;
    if ((far < n && in[far] & 1) || (i > 0 && in[i - 1] < in[i] && ++steps > 0))
        steps += 10;
    int limit = i % 7;
    while (limit-- > 0 && (in[(i + limit) % n] & 3 ? ++steps < 40 : limit != 2))
        steps += 100;
    out[i] = steps + (i % 2 ? (i % 3 ? 1000 : in[i] < 0 ? 2000 : 3000) : 4000);
}
