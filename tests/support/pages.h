/* For literals of ww_invalidation: (ww_invalidation){OF_PAGES(1, 5), .asid = 2}. */
#ifndef TESTS_SUPPORT_PAGES_H
#define TESTS_SUPPORT_PAGES_H

#define OF_PAGES(...)                         \
    .pages = (const uint64_t[]){__VA_ARGS__}, \
    .count = sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)

#endif
