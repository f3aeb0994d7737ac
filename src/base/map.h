/* A map from strings to pointers. Keys are not copied: they live at least as long as the map. */
#ifndef WW_BASE_MAP_H
#define WW_BASE_MAP_H

#include <stddef.h>

typedef struct ww_map ww_map;

ww_map *ww_map_create(void);
void ww_map_destroy(ww_map *map);
void *ww_map_get(const ww_map *map, const char *key, size_t length); /* NULL when absent */
void *ww_map_find(const ww_map *map, const char *key);
/* Returns 0 and changes nothing when the key is already there, else 1. */
int ww_map_add(ww_map *map, const char *key, size_t length, void *value);
size_t ww_map_count(const ww_map *map);

#endif
