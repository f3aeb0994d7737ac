/* Defines the operators of one .def file and the table of them. A family's .c file defines FAMILY,
 * its name, and includes this header last. There is no include guard: each inclusion is one family.
 * The .def file is included twice: for the definitions, then for the table's entries. */

#define FAMILY_LINES QUOTE(FAMILY.def)

#define OP1(name, key, ...) DEFINE_1(name, __VA_ARGS__)
#define OP2(name, key, ...) DEFINE_2(name, __VA_ARGS__)
#define OP3(name, key, ...) DEFINE_3(name, __VA_ARGS__)
#define PAIR1(name, key, ...) DEFINE_PAIR_1(name, __VA_ARGS__)
#define PAIR2(name, key, ...) DEFINE_PAIR_2(name, __VA_ARGS__)
#define PAIR3(name, key, ...) DEFINE_PAIR_3(name, __VA_ARGS__)
#define OPX(name, key, define, ...) define(name, __VA_ARGS__)
#include FAMILY_LINES
#undef OP1
#undef OP2
#undef OP3
#undef PAIR1
#undef PAIR2
#undef PAIR3
#undef OPX

#define OP1(name, key, ...) {key, name},
#define OP2(name, key, ...) {key, name},
#define OP3(name, key, ...) {key, name},
#define PAIR1(name, key, ...) {key, name},
#define PAIR2(name, key, ...) {key, name},
#define PAIR3(name, key, ...) {key, name},
#define OPX(name, key, define, ...) {key, name},
static const ww_lane_entry entries[] = {
#include FAMILY_LINES
};

#define FAMILY_SYMBOL PASTE(PASTE(PASTE(ww_lane_, FAMILY), _), WW_LANE_LEVEL)
extern const ww_lane_family FAMILY_SYMBOL;
const ww_lane_family FAMILY_SYMBOL = {QUOTE(FAMILY), entries, sizeof entries / sizeof *entries};
