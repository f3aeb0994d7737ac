/* OpenCL C 3.0: generic pointers, program-scope variables, atomics of all types. */
#define ITEMS 64

global int calls;
global long long_sum = 5;
global int *global where = &calls;
global const float table[4] = {0.5f, 1.5f, 2.5f, 3.5f};
global atomic_int counter = ATOMIC_VAR_INIT(0);
global atomic_ulong wide;
global atomic_float last;

int twice(const int *p)
{
    return *p * 2;
}

/* Through a pointer to any memory. */
void add_to(volatile atomic_int *p, int value)
{
    atomic_fetch_add_explicit(p, value, memory_order_acq_rel, memory_scope_work_group);
}

kernel void spaces(global const int *in, global int *out, local int *shared)
{
    static global int launches;
    size_t i = get_global_id(0), l = get_local_id(0);
    int own = in[i] + 1;
    shared[l] = in[i] + 2;
    const int *p = in[i] & 1 ? &own : in[i] & 2 ? (const int *)&shared[l] : (const int *)&in[i];
    global int *o = out + i * 10;
    float whole;
    int exponent;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[0] = twice(p);
    o[1] = (to_private(p) ? 1 : 0) + (to_local(p) ? 2 : 0) + (to_global(p) ? 4 : 0);
    o[2] = get_fence(p) == (in[i] & 1 || !(in[i] & 2) ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE);
    o[3] = to_global(p) ? *to_global(p) : to_local(p) ? *to_local(p) : *to_private(p);
    o[4] = (int)(fract(in[i] + table[1], &whole) * 100) + (int)whole * 1000;
    o[5] = (int)(frexp((float)in[i], &exponent) * 1024) + exponent;
    if (i == 0) {
        calls++;
        launches += 10;
        *where += 100;
        long_sum += launches;
        out[ITEMS * 10] = calls;
        out[ITEMS * 10 + 1] = (int)long_sum;
    }
}

kernel void atomics(global const int *in, global int *out, global atomic_int *sums)
{
    local atomic_int here;
    local atomic_long most;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) {
        atomic_init(&here, 0);
        atomic_store(&most, LONG_MIN);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    add_to(&here, in[i]);
    add_to(&sums[0], in[i]);
    atomic_fetch_sub(&sums[1], in[i]);
    atomic_fetch_or_explicit(&sums[2], in[i], memory_order_relaxed);
    atomic_fetch_min(&sums[3], in[i]);
    atomic_fetch_max_explicit(&sums[4], in[i], memory_order_seq_cst, memory_scope_device);
    atomic_fetch_max(&most, (long)in[i] << 33);
    atomic_fetch_add(&counter, 1);
    atomic_fetch_add(&wide, (ulong)in[i] << 32);
    int seen = atomic_load_explicit(&sums[5], memory_order_acquire, memory_scope_device);
    while (!atomic_compare_exchange_weak(&sums[5], &seen, seen ^ in[i]))
        ;
    atomic_store_explicit(&last, 2.5f, memory_order_release);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i * 4] = atomic_load(&here);
    out[i * 4 + 1] = (int)(atomic_load(&most) >> 33);
    out[i * 4 + 2] = (int)atomic_exchange(&last, 2.5f);
}

kernel void after(global int *out)
{
    out[0] = atomic_load(&counter);
    out[1] = (int)(atomic_load(&wide) >> 32);
    out[2] = atomic_flag_test_and_set((global atomic_flag *)&out[4]);
    out[3] = atomic_flag_test_and_set((global atomic_flag *)&out[4]);
}
