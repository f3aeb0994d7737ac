/* Numbers as reports write them. */
#ifndef WW_STUDY_NUMBERS_H
#define WW_STUDY_NUMBERS_H

#include "study/model.h"

#define WW_NUMBER_CHARS 40

/* Three decimals for numbers of moderate size, none when `whole`; "-" for NAN. */
void ww_number_text(double value, bool whole, char text[WW_NUMBER_CHARS]);
/* "1.300", "1.300, 1.100..1.500", "1.100..1.500", ">1.100" or "<1.500". The caller frees it. */
char *ww_published_text(const ww_reference *reference, bool whole);

#endif
