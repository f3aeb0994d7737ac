#include "support/reference.h"

#include <string.h>

enum { WIDTH = 37, HEIGHT = 29, CELLS = WIDTH * HEIGHT };

static int around(const uint8_t *board, int cell)
{
    int sum = 0;
    for (int n = 0; n < 9; n++) {
        int y = (cell / WIDTH + n / 3 + HEIGHT - 1) % HEIGHT;
        int x = (cell % WIDTH + n % 3 + WIDTH - 1) % WIDTH;
        sum += n == 4 ? 0 : board[y * WIDTH + x];
    }
    return sum;
}

REFERENCE(life)
{
    uint8_t *one = reference_wanted(r, "one"), *two = reference_wanted(r, "two");
    const uint8_t *start = reference_input(r, "start");
    uint8_t *boards[3] = {two, one, two};
    memcpy(two, start, CELLS);
    for (int step = 0; step < 4; step++) {
        const uint8_t *from = step ? boards[step % 2] : start;
        uint8_t *to = boards[step % 2 + 1];
        for (int cell = 0; cell < CELLS; cell++)
            to[cell] = around(from, cell) == 3 || (from[cell] && around(from, cell) == 2);
    }
}
