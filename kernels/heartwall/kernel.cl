/* Follows points of a heart's wall through the frames of a film: where in the area around a point's
 * old place the new frame looks most like the point's template. One work-group a point; squares lie
 * column after column, as frames do. Sides of squares:
 *
 *     t   the template, 2 half_template + 1
 *     a   the area of search, 2 half_area + 1
 *     c   all places where the two overlap, a + t - 1
 *     p   the area with a margin as wide as the template on all sides, a + 2 t */

#pragma OPENCL FP_CONTRACT OFF

#define KEPT 0.88f /* of a template when it is renewed */
#define ALL_DONE barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define EACH(i, count) for (int i = get_local_id(0); i < (count); i += get_local_size(0))

/* The next part of a point's working memory; parts begin at multiples of 256 bytes. */
static __global float *take(__global float **memory, int count)
{
    __global float *part = *memory;
    *memory += (count + 63) / 64 * 64;
    return part;
}

/* A square of the frame. */
static void cut(__global const float *frame, int rows, int top, int left, int side,
                __global float *square)
{
    EACH(i, side * side)
        square[i] = frame[(left + i / side) * rows + top + i % side];
    ALL_DONE;
}

/* The template, turned by half a circle and in local memory, and the area. */
static void convolve(__global const float *template, __local float *turned, int t,
                     __global const float *area, int a, __global float *result, int c)
{
    EACH(i, t * t)
        turned[i] = template[(t - 1 - i / t) * t + t - 1 - i % t];
    ALL_DONE;
    EACH(i, c * c) {
        int row = i % c, column = i / c;
        int first_row = max(0, row - a + 1), last_row = min(t - 1, row);
        int first_column = max(0, column - a + 1), last_column = min(t - 1, column);
        float sum = 0;
        for (int x = first_column; x <= last_column; x++) {
            __local const float *left = turned + t * x + first_row;
            __global const float *right = area + a * (column - x) + row - first_row;
#pragma unroll 4
            for (int y = first_row; y <= last_row; y++)
                sum = sum + *left++ * *right--;
        }
        result[i] = sum;
    }
    ALL_DONE;
}

/* Sums of `values` in every window of the template's size: differences of running sums down the
 * columns, and then of running sums of these along the rows. */
static void window_sums(__global const float *values, int t, int a, int c, int p,
                        __global float *down, __global float *down_chosen, __global float *along,
                        __global float *along_chosen, __global float *sums)
{
    EACH(i, p * p) {
        int row = i % p - t, column = i / p - t;
        bool inside = row >= 0 && row < a && column >= 0 && column < a;
        down[i] = inside ? values[column * a + row] : 0;
    }
    ALL_DONE;
    EACH(column, p) {
        float sum = 0;
        for (int i = column * p; i < (column + 1) * p; i++) {
            down[i] = down[i] + sum;
            sum = down[i];
        }
    }
    ALL_DONE;
    EACH(i, c * p)
        down_chosen[i] = down[i / c * p + i % c + t];
    ALL_DONE;
    EACH(i, c * p)
        along[i] = down[i / c * p + i % c];
    ALL_DONE;
    EACH(i, c * p)
        along[i] = down_chosen[i] - along[i];
    ALL_DONE;
    EACH(row, c) {
        float sum = 0;
        for (int i = row; i < c * p; i += c) {
            along[i] = along[i] + sum;
            sum = along[i];
        }
    }
    ALL_DONE;
    EACH(i, c * c)
        along_chosen[i] = along[(i / c + t) * c + i % c];
    ALL_DONE;
    EACH(i, c * c)
        sums[i] = along[i];
    ALL_DONE;
    EACH(i, c * c)
        sums[i] = along_chosen[i] - sums[i];
    ALL_DONE;
}

/* The sum of the template's elements, total[0], and its deviation times the root of their number
 * less one, total[2]. */
static void template_totals(__global const float *template, __global float *squares, int t,
                            __local float *part, __local float *total)
{
    __local float *part_squares = part + t;
    EACH(i, t * t)
        squares[i] = template[i] * template[i];
    ALL_DONE;
    EACH(column, t) {
        float sum = 0;
        for (int i = 0; i < t; i++)
            sum = sum + template[column * t + i];
        part[column] = sum;
    }
    ALL_DONE;
    EACH(row, t) {
        float sum = 0;
        for (int i = 0; i < t; i++)
            sum = sum + squares[row + t * i];
        part_squares[row] = sum;
    }
    ALL_DONE;
    EACH(which, 2) {
        __local const float *parts = which ? part_squares : part;
        float sum = 0;
        for (int i = 0; i < t; i++)
            sum = sum + parts[i];
        total[which] = sum;
    }
    ALL_DONE;
    if (get_local_id(0) == 0) {
        float count = t * t, mean = total[0] / count;
        float variance = total[1] / count - mean * mean;
        total[2] = sqrt(count - 1) * sqrt(variance);
    }
    ALL_DONE;
}

/* From convolution and sums to correlation, which takes the place of `squares`. */
static void correlate(__global float *convolution, __global const float *sums,
                      __global float *squares, int t, int c, __local const float *total)
{
    EACH(i, c * c) {
        float sum = sums[i], variance = squares[i] - sum * sum / (t * t);
        squares[i] = sqrt(variance < 0 ? 0 : variance);
    }
    ALL_DONE;
    EACH(i, c * c)
        squares[i] = squares[i] * total[2];
    ALL_DONE;
    EACH(i, c * c)
        convolution[i] = convolution[i] - sums[i] * total[0] / (t * t);
    ALL_DONE;
    EACH(i, c * c)
        squares[i] = convolution[i] / squares[i];
    ALL_DONE;
}

/* The correlation where the point can have moved to, 0 elsewhere: `mask` has a 1 at its last place,
 * which is spread to a square of side `move` by a convolution. */
static void limit_move(__global const float *correlation, int last, int move, int c,
                       __global float *mask, __global float *result)
{
    EACH(i, c * c)
        mask[i] = i == last ? 1 : 0;
    ALL_DONE;
    EACH(i, c * c) {
        int row = i % c + move / 2, column = i / c + move / 2;
        int first_row = max(0, row + 1 - move), last_row = min(c - 1, row);
        int first_column = max(0, column + 1 - move), last_column = min(c - 1, column);
        float sum = 0;
        for (int x = first_column; x <= last_column; x++)
            for (int y = first_row; y <= last_row; y++)
                sum = sum + mask[c * x + y];
        result[i] = correlation[i] * sum;
    }
    ALL_DONE;
}

/* The place of the largest value, for work-item 0. Columns first, in local memory. */
static int largest(__global const float *values, int c, __local float *most, __local int *where)
{
    EACH(column, c) {
        most[column] = 0;
        where[column] = 0;
        for (int i = column * c; i < (column + 1) * c; i++)
            if (fabs(values[i]) > most[column]) {
                most[column] = fabs(values[i]);
                where[column] = i;
            }
    }
    ALL_DONE;
    int place = 0;
    float value = 0;
    for (int column = 0; column < c && get_local_id(0) == 0; column++)
        if (most[column] > value) {
            value = most[column];
            place = where[column];
        }
    return place;
}

/* Where the point of this work-group is in the frame, relative to c x c places. */
static int follow(__global const float *frame, int rows, int row, int column, int last_row,
                  int last_column, int half_template, int half_area, int move,
                  __global const float *template, __global float *work, __local float *turned,
                  __local float *part, __local float *total, __local float *most,
                  __local int *where)
{
    int t = 2 * half_template + 1, a = 2 * half_area + 1, c = a + t - 1, p = a + 2 * t;
    __global float *area = take(&work, a * a), *convolution = take(&work, c * c);
    __global float *down = take(&work, p * p), *down_chosen = take(&work, c * p);
    __global float *along = take(&work, c * p), *along_chosen = take(&work, c * c);
    __global float *sums = take(&work, c * c), *squares = take(&work, a * a);
    __global float *correlation = take(&work, c * c), *template_squares = take(&work, t * t);
    __global float *mask = take(&work, c * c), *limited = take(&work, c * c);

    cut(frame, rows, row - half_area, column - half_area, a, area);
    convolve(template, turned, t, area, a, convolution, c);
    window_sums(area, t, a, c, p, down, down_chosen, along, along_chosen, sums);
    EACH(i, a * a)
        squares[i] = area[i] * area[i];
    ALL_DONE;
    window_sums(squares, t, a, c, p, down, down_chosen, along, along_chosen, correlation);
    template_totals(template, template_squares, t, part, total);
    correlate(convolution, sums, correlation, t, c, total);
    int centre = half_area + half_template;
    limit_move(correlation, (centre + last_column - column) * c + centre + last_row - row, move, c,
               mask, limited);
    return largest(limited, c, most, where);
}

/* One frame. The first one gives the templates. Every `refresh` frames a point's place becomes the
 * middle of its area of search, and its template a mixture with what is there. */
__kernel void heartwall(__global const float *frame, int rows, int columns, int number, int frames,
                        int half_template, int half_area, int move, int refresh, int work_size,
                        __global int *row_of, __global int *column_of, __global int *found_row,
                        __global int *found_column, __global float *templates,
                        __global float *work, __local float *turned, __local float *part,
                        __local float *most, __local int *where)
{
    __local float total[3];
    int item = get_local_id(0), point = get_group_id(0), now = point * frames + number;
    int t = 2 * half_template + 1, c = t + 2 * half_area;
    int row = row_of[point], column = column_of[point];
    __global float *template = templates + (long)point * t * t;
    if (number == 0) {
        if (item == 0) {
            found_row[now] = row;
            found_column[now] = column;
        }
        cut(frame, rows, row - half_template, column - half_template, t, template);
        return;
    }
    int place = follow(frame, rows, row, column, found_row[now - 1], found_column[now - 1],
                       half_template, half_area, move, template, work + (long)point * work_size,
                       turned, part, total, most, where);
    if (item == 0) {
        found_row[now] = row + place % c - half_template - half_area;
        found_column[now] = column + place / c - half_template - half_area;
    }
    ALL_DONE;
    if (number % refresh)
        return;
    row = clamp(found_row[now], half_area, rows - 1 - half_area);
    column = clamp(found_column[now], half_area, columns - 1 - half_area);
    if (item == 0) {
        row_of[point] = row;
        column_of[point] = column;
    }
    EACH(i, t * t) {
        float pixel = frame[(column - half_template + i / t) * rows + row - half_template + i % t];
        template[i] = KEPT * template[i] + (1 - KEPT) * pixel;
    }
}
