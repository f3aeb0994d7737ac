/* The game of life on a torus, several launches with the boards changing places. */
kernel void life(global const uchar *from, global uchar *to, int width, int height)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1), neighbours = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0)
                continue;
            neighbours += from[(y + dy + height) % height * width + (x + dx + width) % width];
        }
    bool alive = from[y * width + x];
    to[y * width + x] = alive ? neighbours == 2 || neighbours == 3 : neighbours == 3;
}
