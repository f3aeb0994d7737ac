/* cvt to f32 and f64. */
#include "exec/lanes/integral.h"
#include "exec/lanes/narrow.h"

#define FAMILY convert_float
#include "exec/lanes/define_operators.h"
