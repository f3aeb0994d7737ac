/* A machine made of gotos: its states jump into each other's middle, forwards and backwards. */
kernel void goto_machine(global const uchar *program, uint length, global uint *out)
{
    size_t i = get_global_id(0);
    uint at = (uint)i % length, a = (uint)i, steps = 0;
start:
    if (steps++ > 60)
        goto stop;
    switch (program[at] % 6) {
    case 0: goto even;
    case 1: goto odd;
    case 2: goto back;
    case 3: a += 3; goto middle;
    case 4: goto stop;
    }
    a ^= 0x1234;
even:
    a /= 2;
    if (a & 1)
        goto middle;
odd:
    a = 3 * a + 1;
    at = (at + a) % length;
middle:
    a += at;
    if (a % 5 == 0)
        goto odd_again;
    at = (at + 1) % length;
    goto start;
odd_again:
    if (steps++ < 40 && a % 3)
        goto odd;
back:
    at = at > 7 ? at - 7 : length - 1;
    if (++steps < 50)
        goto start;
stop:
    out[i] = a * 64 + steps;
}
