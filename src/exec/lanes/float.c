/* f32 and f64 arithmetic, rounded to nearest. */
#include "exec/lanes/extreme.h"

#define FAMILY float
#include "exec/lanes/define_operators.h"
