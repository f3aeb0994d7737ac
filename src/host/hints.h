/* Hints about buffers as users write them: in launch files, after --hint and in studies.
 *
 * hint        a name and a value: preferred:host. `read_mostly`, `prefetch` and `accessed_by` alone
 *             have the value true, true and gpu
 * hint list   hints with the buffer that each is about, `*` for all; later ones override earlier
 *             ones, and those of the program itself
 * What a hint means is in exec/memory.h. */
#ifndef WW_HOST_HINTS_H
#define WW_HOST_HINTS_H

#include "config/yaml.h"
#include "exec/memory.h"

#include <jansson.h>

typedef struct ww_hint_list ww_hint_list; /* where one is read, NULL is an empty list */

ww_hint_list *ww_hint_list_create(void);
void ww_hint_list_destroy(ww_hint_list *list);

/* Adds "a=preferred:host,prefetch", or several of these with blanks between them. After an error
 * nothing is added. */
int ww_hint_list_add(ww_hint_list *list, const char *text, ww_errors *errors);
/* "a=preferred:host a=prefetch:true", which ww_hint_list_add reads as the same list; "" when it is
 * empty. The caller frees it. */
char *ww_hint_list_text(const ww_hint_list *list);
/* Overrides hints about a buffer by those of the list. */
void ww_hint_list_apply(const ww_hint_list *list, const char *buffer, ww_buffer_hints *hints);
/* Refuses hints about buffers that are not among the names: all those of a program. */
int ww_hint_list_check(const ww_hint_list *list, const char *program, const char *const *names,
                       size_t count, ww_errors *errors);

/* Reads {preferred: host, accessed_by: gpu, read_mostly: true, prefetch: true}. */
int ww_hints_read(const ww_yaml *node, ww_buffer_hints *hints, ww_errors *errors);
/* Adds the hints about a buffer to a result's object, by its name, to those that it had before;
 * where there are none, nothing is added. `object` may be NULL. */
void ww_hints_record(json_t *object, const char *buffer, const ww_buffer_hints *hints);

#endif
