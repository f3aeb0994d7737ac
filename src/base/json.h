/* JSON text from jansson values, the same bytes on every run and machine.
 *
 * Objects keep the order in which their keys were added. Reals are written with the fewest digits
 * that read back as the same double, which jansson alone does not do. */
#ifndef WW_BASE_JSON_H
#define WW_BASE_JSON_H

#include <jansson.h>
#include <stdio.h>

#define WW_DOUBLE_CHARS 32

/* A whole number below 1e15 with all its digits, else the shortest of %.1g to %.17g that reads back
 * the same; "inf", "-inf" and "nan" otherwise. */
void ww_double_text(double value, char text[WW_DOUBLE_CHARS]);

/* Indented by two spaces, ended by a newline. */
void ww_json_write(const json_t *value, FILE *out);

/* On one line and without '<', so that no text can end the HTML script element around it. */
void ww_json_write_script(const json_t *value, FILE *out);

/* json_real, or null for what JSON cannot write (infinities and NaN). */
json_t *ww_json_real(double value);

/* json_string for text from outside, such as a path: when it is not UTF-8, which JSON needs, its
 * bytes above 127 become '?'. Never NULL. */
json_t *ww_json_text(const char *text);

#endif
