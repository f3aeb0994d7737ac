#include "support/reference.h"

enum { START, EVEN, ODD, MIDDLE, ODD_AGAIN, BACK, STOP };

typedef struct machine {
    const uint8_t *program;
    uint32_t length, at, a, steps;
} machine;

static int decode(machine *m)
{
    if (m->steps++ > 60)
        return STOP;
    switch (m->program[m->at] % 6) {
    case 0: return EVEN;
    case 1: return ODD;
    case 2: return BACK;
    case 3: m->a += 3; return MIDDLE;
    case 4: return STOP;
    default: m->a ^= 0x1234; return EVEN;
    }
}

static int next(machine *m, int state)
{
    switch (state) {
    case START: return decode(m);
    case EVEN: m->a /= 2; return m->a & 1 ? MIDDLE : ODD;
    case ODD:
        m->a = 3 * m->a + 1;
        m->at = (m->at + m->a) % m->length;
        return MIDDLE;
    case MIDDLE:
        m->a += m->at;
        if (m->a % 5 == 0)
            return ODD_AGAIN;
        m->at = (m->at + 1) % m->length;
        return START;
    case ODD_AGAIN: return m->steps++ < 40 && m->a % 3 ? ODD : BACK;
    default: m->at = m->at > 7 ? m->at - 7 : m->length - 1; return ++m->steps < 50 ? START : STOP;
    }
}

REFERENCE(goto_machine)
{
    uint32_t *out = reference_wanted(r, "out");
    for (uint32_t i = 0; i < reference_bytes(r, "out") / 4; i++) {
        uint32_t length = (uint32_t)reference_bytes(r, "program");
        machine m = {reference_input(r, "program"), length, i % length, i, 0};
        for (int state = START; state != STOP;)
            state = next(&m, state);
        out[i] = m.a * 64 + m.steps;
    }
}
