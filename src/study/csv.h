/* Fields of comma-separated values. */
#ifndef WW_STUDY_CSV_H
#define WW_STUDY_CSV_H

#include <stdio.h>

/* Quoted where it must be. */
void ww_csv_text(const char *text, FILE *out);
/* A comma and the number; nothing after the comma for NAN. */
void ww_csv_number(double value, FILE *out);

#endif
