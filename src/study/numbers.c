#include "study/numbers.h"

#include "base/memory.h"

#include <math.h>

void ww_number_text(double value, bool whole, char text[WW_NUMBER_CHARS])
{
    double size = fabs(value);
    if (isnan(value))
        snprintf(text, WW_NUMBER_CHARS, "-");
    else if (size >= 1e15)
        snprintf(text, WW_NUMBER_CHARS, "%.4g", value);
    else if (whole || size >= 1e6)
        snprintf(text, WW_NUMBER_CHARS, "%.0f", value);
    else if (size >= 0.01 || value == 0)
        snprintf(text, WW_NUMBER_CHARS, "%.3f", value);
    else
        snprintf(text, WW_NUMBER_CHARS, "%.3g", value);
}

char *ww_published_text(const ww_reference *reference, bool whole)
{
    char value[WW_NUMBER_CHARS] = "", low[WW_NUMBER_CHARS] = "", high[WW_NUMBER_CHARS] = "";
    bool least = !isnan(reference->low), most = !isnan(reference->high);
    if (!isnan(reference->value))
        ww_number_text(reference->value, whole, value);
    if (least)
        ww_number_text(reference->low, whole, low);
    if (most)
        ww_number_text(reference->high, whole, high);
    return ww_format("%s%s%s%s%s%s", value, value[0] && (least || most) ? ", " : "",
                     least && !most ? ">" : "", low,
                     least && most ? ".."
                     : most        ? "<"
                                   : "",
                     high);
}
