/* A heart muscle cell over time: ordinary differential equations of its membrane (Luo and Rudy,
 * 1991) and of calcium with calmodulin in three compartments, solved by the method of Fehlberg of
 * orders 7 and 8 with a step that adapts. One cell a work-item, one launch for the whole time; each
 * work-item's arrays are its own, one after another, in global memory.
 *
 * state      0 the membrane's voltage in mV; 1 to 3 gates of the sodium current, 4 and 5 of the slow
 *            inward current, 6 of the potassium current; 7 calcium in mM; then 5 for each compartment
 * parameters 0 to 2 conductances of these currents; 3, 4 length and strength of the stimulus; 5 to 7
 *            calmodulin of the compartments */

#pragma OPENCL FP_CONTRACT OFF

#define EQUATIONS 23
#define PARAMETERS 8
#define STAGES 13
#define ATTEMPTS 12
#define LEAST_SCALE 0.125f
#define MOST_SCALE 4.0f

/* Fehlberg's coefficients: of the slopes before each stage, of its time, of the result. */
__constant float tableau[STAGES][STAGES - 1] = {
    {0},
    {2.0f / 27},
    {1.0f / 36, 1.0f / 12},
    {1.0f / 24, 0, 1.0f / 8},
    {5.0f / 12, 0, -25.0f / 16, 25.0f / 16},
    {1.0f / 20, 0, 0, 1.0f / 4, 1.0f / 5},
    {-25.0f / 108, 0, 0, 125.0f / 108, -65.0f / 27, 125.0f / 54},
    {31.0f / 300, 0, 0, 0, 61.0f / 225, -2.0f / 9, 13.0f / 900},
    {2, 0, 0, -53.0f / 6, 704.0f / 45, -107.0f / 9, 67.0f / 90, 3},
    {-91.0f / 108, 0, 0, 23.0f / 108, -976.0f / 135, 311.0f / 54, -19.0f / 60, 17.0f / 6,
     -1.0f / 12},
    {2383.0f / 4100, 0, 0, -341.0f / 164, 4496.0f / 1025, -301.0f / 82, 2133.0f / 4100, 45.0f / 82,
     45.0f / 164, 18.0f / 41},
    {3.0f / 205, 0, 0, 0, 0, -6.0f / 41, -3.0f / 205, -3.0f / 41, 3.0f / 41, 6.0f / 41},
    {-1777.0f / 4100, 0, 0, -341.0f / 164, 4496.0f / 1025, -289.0f / 82, 2193.0f / 4100, 51.0f / 82,
     33.0f / 164, 12.0f / 41, 0, 1},
};
__constant float times[STAGES] = {0,         2.0f / 27, 1.0f / 9, 1.0f / 6, 5.0f / 12, 1.0f / 2, 5.0f / 6,
         1.0f / 6,  2.0f / 3,  1.0f / 3, 1,        0,         1};
__constant float weights[STAGES - 2] = {41.0f / 840, 0,          0,         0,          0,           34.0f / 105,
           9.0f / 35,   9.0f / 35,  9.0f / 280, 9.0f / 280, 41.0f / 840};

/* e^x, of x within 87 of zero: a power of two, times the series of the rest. */
static float exponential(float x)
{
    float y = fmin(fmax(x, -87.0f), 87.0f);
    float n = rint(y * 1.44269504f);
    float r = fma(n, -0.693145752f, y);
    r = fma(n, -1.42860677e-6f, r);
    float sum = fma(r, 1.0f / 720.0f, 1.0f / 120.0f);
    sum = fma(sum, r, 1.0f / 24.0f);
    sum = fma(sum, r, 1.0f / 6.0f);
    sum = fma(sum, r, 0.5f);
    sum = fma(sum, r, 1.0f);
    sum = fma(sum, r, 1.0f);
    return sum * as_float(((int)n + 127) << 23);
}

/* The natural logarithm of a normal number above zero. */
static float logarithm(float x)
{
    int bits = as_int(x), exponent = (bits >> 23) - 127;
    float m = as_float((bits & 0x7fffff) | 0x3f800000);
    if (m > 1.41421356f) {
        m = m * 0.5f;
        exponent++;
    }
    float t = (m - 1.0f) / (m + 1.0f), square = t * t;
    float sum = fma(square, 1.0f / 9.0f, 1.0f / 7.0f);
    sum = fma(sum, square, 0.2f);
    sum = fma(sum, square, 1.0f / 3.0f);
    sum = fma(sum, square, 1.0f);
    return fma((float)exponent, 0.693147181f, 2.0f * t * sum);
}

static float power(float x, float y)
{
    return exponential(y * logarithm(fmin(fmax(x, 1e-30f), 1e30f)));
}

/* How fast a gate opens that has these rates. */
static float gate(float opening, float closing, float open)
{
    return opening * (1.0f - open) - closing * open;
}

/* The fast sodium current's gates; those of inactivation have other rates above -40 mV. */
static void sodium_gates(__global const float *y, __global float *dy, float v)
{
    float u = v + 47.13f;
    float opening = fabs(u) < 1e-3f ? 3.2f : 0.32f * u / (1.0f - exponential(-0.1f * u));
    float h_opening, h_closing, j_opening, j_closing;
    dy[1] = gate(opening, 0.08f * exponential(v * (-1.0f / 11.0f)), y[1]);
    if (v >= -40.0f) {
        h_opening = 0.0f;
        j_opening = 0.0f;
        h_closing = 1.0f / (0.13f * (1.0f + exponential((v + 10.66f) * (-1.0f / 11.1f))));
        j_closing = 0.3f * exponential(-2.535e-7f * v) / (1.0f + exponential(-0.1f * (v + 32.0f)));
    } else {
        h_opening = 0.135f * exponential((80.0f + v) * (-1.0f / 6.8f));
        h_closing = 3.56f * exponential(0.079f * v) + 3.1e5f * exponential(0.35f * v);
        j_opening = (-1.2714e5f * exponential(0.2444f * v) - 3.474e-5f * exponential(-0.04391f * v)) *
                    (v + 37.78f) / (1.0f + exponential(0.311f * (v + 79.23f)));
        j_closing = 0.1212f * exponential(-0.01052f * v) /
                    (1.0f + exponential(-0.1378f * (v + 40.14f)));
    }
    dy[2] = gate(h_opening, h_closing, y[2]);
    dy[3] = gate(j_opening, j_closing, y[3]);
}

/* Gates of the slow inward current and of the potassium current. */
static void slow_gates(__global const float *y, __global float *dy, float v)
{
    dy[4] = gate(0.095f * exponential(-0.01f * (v - 5.0f)) / (1.0f + exponential(-0.072f * (v - 5.0f))),
                 0.07f * exponential(-0.017f * (v + 44.0f)) / (1.0f + exponential(0.05f * (v + 44.0f))),
                 y[4]);
    dy[5] = gate(0.012f * exponential(-0.008f * (v + 28.0f)) / (1.0f + exponential(0.15f * (v + 28.0f))),
                 0.0065f * exponential(-0.02f * (v + 30.0f)) / (1.0f + exponential(-0.2f * (v + 30.0f))),
                 y[5]);
    dy[6] = gate(0.0005f * exponential(0.083f * (v + 50.0f)) / (1.0f + exponential(0.057f * (v + 50.0f))),
                 0.0013f * exponential(-0.06f * (v + 20.0f)) / (1.0f + exponential(-0.04f * (v + 20.0f))),
                 y[6]);
}

/* The potassium currents and the background's, of the membrane at v. */
static float outward_current(float v, float open, float conductance)
{
    float u = v + 77.0f, k = v + 87.26f, rectified = 1.0f;
    if (v > -100.0f && fabs(u) > 1e-3f)
        rectified = 2.837f * (exponential(0.04f * u) - 1.0f) / (u * exponential(0.04f * (v + 35.0f)));
    float opening = 1.02f / (1.0f + exponential(0.2385f * (k - 59.215f)));
    float closing = (0.49124f * exponential(0.08032f * (k + 5.476f)) +
                     exponential(0.06175f * (k - 594.31f))) /
                    (1.0f + exponential(-0.5143f * (k + 4.753f)));
    float plateau = 1.0f / (1.0f + exponential((7.488f - v) * (1.0f / 5.98f)));
    float current = conductance * open * rectified * u;
    current = current + 0.6047f * (opening / (opening + closing)) * k;
    current = current + 0.0183f * plateau * k;
    return current + 0.03921f * (v + 59.87f);
}

/* Calcium and calmodulin of one compartment: calmodulin with two and four ions, the kinase that it
 * activates, the phosphatase that it binds, and a buffer. */
static void calmodulin(__global const float *y, __global float *dy, float calcium, float total)
{
    float square = calcium * calcium;
    float two = 0.05f * square * (total - y[0] - y[1] - y[3]) - 0.03f * y[0];
    float four = 0.02f * square * y[0] - 0.01f * y[1];
    float phosphatase = 0.04f * y[1] - 0.005f * y[3];
    float kinase = power(y[1], 1.5f);
    dy[0] = two - four;
    dy[1] = four - phosphatase;
    dy[2] = gate(0.1f * kinase / (kinase + 0.2f), 0.02f, y[2]);
    dy[3] = phosphatase;
    dy[4] = gate(0.1f * calcium, 0.06f, y[4]);
}

/* All equations, at the state y. */
static void slopes_of(__global const float *y, __global float *dy, __global const float *p, float time)
{
    float v = fmin(fmax(y[0], -150.0f), 150.0f), calcium = fmax(y[7], 1e-7f);
    float sodium = p[0] * y[1] * y[1] * y[1] * y[2] * y[3] * (v - 54.4f);
    float inward = p[1] * y[4] * y[5] * (v - (7.7f - 13.0287f * logarithm(calcium)));
    sodium_gates(y, dy, v);
    slow_gates(y, dy, v);
    dy[0] = (time < p[3] ? p[4] : 0.0f) - (sodium + inward + outward_current(v, y[6], p[2]));
    dy[7] = -1e-4f * inward + 0.07f * (1e-4f - calcium);
    calmodulin(y + 8, dy + 8, 1e4f * calcium, p[5]);
    calmodulin(y + 13, dy + 13, 3e3f * calcium, p[6]);
    calmodulin(y + 18, dy + 18, 1e3f * calcium, p[7]);
}

/* One step of length `h` from `y` to `next`: 13 evaluations, each at the state that the slopes of
 * those before it give, and an estimate of the error of each equation. */
static void step(__global const float *y, __global float *next, __global const float *p,
                 __global float *error, __global float *state, __global float *slopes, float time,
                 float h)
{
    for (int stage = 0; stage < STAGES; stage++) {
        for (int i = 0; i < EQUATIONS; i++) {
            float sum = 0.0f;
            for (int k = 0; k < stage; k++)
                if (tableau[stage][k] != 0.0f)
                    sum = fma(tableau[stage][k], slopes[k * EQUATIONS + i], sum);
            state[i] = fma(h, sum, y[i]);
        }
        slopes_of(state, slopes + stage * EQUATIONS, p, fma(h, times[stage], time));
    }
    for (int i = 0; i < EQUATIONS; i++) {
        float sum = 0.0f;
        for (int k = 0; k < STAGES - 2; k++)
            if (weights[k] != 0.0f)
                sum = fma(weights[k], slopes[k * EQUATIONS + i], sum);
        next[i] = fma(h, sum, y[i]);
        error[i] = fabs(h * (41.0f / 840.0f) *
                        (slopes[i] + slopes[10 * EQUATIONS + i] - slopes[11 * EQUATIONS + i] -
                         slopes[12 * EQUATIONS + i]));
    }
}

/* The factor of the next attempt's step, from the equation with the largest error. A state that is
 * not a number makes the step as short as possible. */
static float scale_of(__global const float *y, __global const float *error, float tolerance,
                      bool *within)
{
    float scale = MOST_SCALE;
    *within = true;
    for (int i = 0; i < EQUATIONS; i++) {
        float allowed = tolerance * fmax(fabs(y[i]), 1e-3f);
        scale = fmin(scale, 0.8f * power(allowed / error[i], 1.0f / 7.0f));
        if (!(error[i] <= allowed))
            *within = false;
    }
    return fmax(scale, LEAST_SCALE);
}

/* The state one instant later, from attempts with shorter and shorter steps, the first of length `h`. */
static void advance(__global const float *y, __global float *next, __global const float *p,
                    __global float *error, __global float *state, __global float *slopes, float time,
                    float tolerance, float h)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        bool within;
        step(y, next, p, error, state, slopes, time, h);
        float scale = scale_of(y, error, tolerance, &within);
        if (within)
            break;
        h = fmin(h * scale, 0.9f);
    }
}

/* `states` has span + 1 states of each cell; the first ones are given. */
__kernel void myocyte_solve(__global float *states, __global const float *parameters,
                            __global float *errors, __global float *temporary,
                            __global float *slopes, int cells, int span, float tolerance,
                            float first_step)
{
    int cell = get_global_id(0);
    if (cell >= cells)
        return;
    for (int instant = 0; instant < span; instant++) {
        __global float *now = states + ((long)cell * (span + 1) + instant) * EQUATIONS;
        advance(now, now + EQUATIONS, parameters + cell * PARAMETERS, errors + cell * EQUATIONS,
                temporary + cell * EQUATIONS, slopes + cell * STAGES * EQUATIONS, (float)instant,
                tolerance, first_step);
    }
}
