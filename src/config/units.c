#include "config/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct unit {
    const char *name;
    uint64_t scale;
    uint64_t decimals; /* 1000 when the canonical text may have three decimals, else 1 */
} unit;

#define KILO UINT64_C(1000)
#define MEGA (KILO * KILO)
#define GIGA (KILO * MEGA)
#define TERA (KILO * GIGA)

/* Largest first, so that the first one that fits is the canonical one. Sizes know only the binary
 * units: KB means 1000 to some and 1024 to others. */
static const unit bytes_units[] = {{"TiB", UINT64_C(1) << 40, 1},
                                   {"GiB", UINT64_C(1) << 30, 1},
                                   {"MiB", UINT64_C(1) << 20, 1},
                                   {"KiB", UINT64_C(1) << 10, 1},
                                   {"B", 1, 1},
                                   {NULL, 0, 0}};
static const unit time_units[] = {{"s", TERA, KILO},  {"ms", GIGA, KILO}, {"us", MEGA, KILO},
                                  {"ns", KILO, KILO}, {"ps", 1, 1},       {NULL, 0, 0}};
static const unit frequency_units[] = {
    {"GHz", GIGA, KILO}, {"MHz", MEGA, KILO}, {"kHz", KILO, KILO}, {"Hz", 1, 1}, {NULL, 0, 0}};
static const unit bandwidth_units[] = {{"TB/s", TERA, KILO},
                                       {"GB/s", GIGA, KILO},
                                       {"MB/s", MEGA, KILO},
                                       {"TiB/s", UINT64_C(1) << 40, 1},
                                       {"GiB/s", UINT64_C(1) << 30, 1},
                                       {"MiB/s", UINT64_C(1) << 20, 1},
                                       {"KiB/s", UINT64_C(1) << 10, 1},
                                       {"KB/s", KILO, 1},
                                       {"B/s", 1, 1},
                                       {NULL, 0, 0}};

static const unit *units_of(ww_measure measure)
{
    static const unit *const units[] = {bytes_units, time_units, frequency_units, bandwidth_units};
    return units[measure];
}

static const unit *find_unit(const unit *units, const char *name)
{
    for (const unit *u = units; u->name; u++)
        if (strcmp(u->name, name) == 0)
            return u;
    return NULL;
}

/* Reads digits into *number and leaves *text after them; false when there are none or too many. */
static bool read_digits(const char **text, uint64_t *number, unsigned *count)
{
    for (*count = 0; isdigit((unsigned char)**text); (*text)++, (*count)++) {
        if (*number >= UINT64_C(100000000000000000))
            return false;
        *number = *number * 10 + (uint64_t)(**text - '0');
    }
    return *count > 0;
}

/* number / 10^decimals * scale, when that is a whole number. */
static bool scale_exactly(uint64_t number, unsigned decimals, uint64_t scale, uint64_t *amount)
{
    unsigned __int128 product = (unsigned __int128)number * scale;
    for (; decimals && product; decimals--) {
        if (product % 10)
            return false;
        product /= 10;
    }
    if (product > INT64_MAX)
        return false;
    *amount = (uint64_t)product;
    return true;
}

bool ww_amount_parse(ww_measure measure, const char *text, uint64_t *amount)
{
    uint64_t number = 0;
    unsigned digits = 0, decimals = 0;
    if (!read_digits(&text, &number, &digits))
        return false;
    if (*text == '.' && (text++, !read_digits(&text, &number, &decimals)))
        return false;
    if (!*text && (number == 0 || measure == WW_MEASURE_BYTES))
        return scale_exactly(number, decimals, 1, amount);
    const unit *u = find_unit(units_of(measure), text + (*text == ' '));
    return u && scale_exactly(number, decimals, u->scale, amount);
}

/* Whether a text means this unit: case, the i of KiB and a missing B or Hz do not count. */
static bool is_unit_like(const char *written, const char *name)
{
    size_t i = 0;
    for (; written[i] && *name; name++) {
        if (tolower((unsigned char)written[i]) == tolower((unsigned char)*name))
            i++;
        else if (*name != 'i')
            return false;
    }
    return i > 0 && !written[i] && (!*name || strcmp(name, "iB") == 0 || strcmp(name, "Hz") == 0);
}

bool ww_amount_near(ww_measure measure, const char *text, char near[WW_AMOUNT_CHARS])
{
    size_t digits = strspn(text, "0123456789."), space = digits + (text[digits] == ' ');
    uint64_t amount;
    for (const unit *u = units_of(measure); u->name && digits < WW_AMOUNT_CHARS / 2; u++) {
        snprintf(near, WW_AMOUNT_CHARS, "%.*s%s", (int)digits, text, u->name);
        if (is_unit_like(text + space, u->name) && ww_amount_parse(measure, near, &amount))
            return true;
    }
    return false;
}

/* Plain numbers of bytes go without their unit. */
static const char *shown_name(ww_measure measure, const unit *u)
{
    return measure == WW_MEASURE_BYTES && u->scale == 1 ? "" : u->name;
}

static void write_amount(ww_measure measure, const unit *u, uint64_t amount,
                         char text[WW_AMOUNT_CHARS])
{
    unsigned thousandths = 0;
    if (u->decimals > 1)
        thousandths = (unsigned)(amount % u->scale / (u->scale / u->decimals));
    int length = snprintf(text, WW_AMOUNT_CHARS, "%" PRIu64, amount / u->scale);
    if (thousandths) {
        length += snprintf(text + length, (size_t)(WW_AMOUNT_CHARS - length), ".%03u", thousandths);
        while (text[length - 1] == '0')
            length--;
    }
    snprintf(text + length, (size_t)(WW_AMOUNT_CHARS - length), "%s", shown_name(measure, u));
}

void ww_amount_text(ww_measure measure, uint64_t amount, char text[WW_AMOUNT_CHARS])
{
    const unit *u = units_of(measure);
    while (u->scale > 1 && (amount < u->scale || amount % (u->scale / u->decimals)))
        u++;
    if (amount)
        write_amount(measure, u, amount, text);
    else
        snprintf(text, WW_AMOUNT_CHARS, "0");
}
