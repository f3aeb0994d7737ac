/* Quarter turns in 2^k, for the range reduction of sin and cos.
 *
 * An f32 below 2^24 has k = 0, else k = its exponent - 23: an integer times 2^k. Entry k is
 * 2/pi * 2^k, less a multiple of 4, divided by 2^k again, as a sum of two doubles: turns_high has
 * few enough bits (29) that its product with an f32 is exact, turns_low is the rest. Multiples of 4
 * quarter turns change neither function, so the sum of products is the angle in quarter turns for
 * every f32, to within 2^-55. The last entry is for infinities and NaNs, which have no angle. */
#ifndef WW_EXEC_LANES_TURNS_H
#define WW_EXEC_LANES_TURNS_H

static const double turns_high[106] = {
    0x1.45f306ep-1,   0x1.45f306ep-1,    -0x1.7419f24p-2,  0x1.17cc1b8p-3,    -0x1.d067c92p-4,
    0x1.7cc1b7p-7,    0x1.7cc1b74p-7,    0x1.7cc1b72p-7,   -0x1.067c91cp-8,   0x1.f306dcap-9,
    -0x1.9f246cp-14,  -0x1.9f246cp-14,   -0x1.9f246c8p-14, -0x1.9f246c8p-14,  -0x1.9f246c6p-14,
    0x1.836e4e4p-16,  0x1.836e4e4p-16,   -0x1.f246c7p-18,  -0x1.f246c6ep-18,  0x1.b72722p-23,
    0x1.b72722p-23,   0x1.b72722p-23,    0x1.b72722p-23,   0x1.b72722p-23,    -0x1.236377cp-25,
    -0x1.236377ep-25, 0x1.b939106p-26,   -0x1.1b1bbecp-28, -0x1.1b1bbeap-28,  0x1.c9c882ap-29,
    -0x1.b1bbebp-32,  -0x1.b1bbeacp-32,  -0x1.b1bbeaep-32, 0x1.391054cp-34,   0x1.391054ap-34,
    -0x1.8ddf56cp-35, 0x1.c882a54p-37,   0x1.c882a54p-37,  -0x1.bbead6p-40,   -0x1.bbead6p-40,
    -0x1.bbead6p-40,  0x1.1054a8p-42,    0x1.1054a8p-42,   -0x1.df56b02p-43,  0x1.054a7fp-46,
    0x1.054a7fp-46,   0x1.054a7fp-46,    -0x1.f56b01ep-47, 0x1.529fc2p-52,    0x1.529fc2p-52,
    0x1.529fc28p-52,  0x1.529fc28p-52,   0x1.529fc28p-52,  -0x1.5ac07b2p-53,  0x1.4a7f09ep-54,
    -0x1.6b01ec6p-55, 0x1.29fc276p-56,   -0x1.ac07b16p-57, 0x1.4fe13acp-59,   0x1.4fe13acp-59,
    -0x1.603d8a8p-60, 0x1.3f84ebp-61,    -0x1.80f62ap-62,  0x1.fc2757cp-64,   0x1.fc2757ep-64,
    -0x1.ec5418p-71,  -0x1.ec5418p-71,   -0x1.ec5418p-71,  -0x1.ec5417p-71,   -0x1.ec5417p-71,
    -0x1.ec5417p-71,  -0x1.ec5417p-71,   0x1.3abe9p-75,    0x1.3abe8f8p-75,   0x1.3abe8fcp-75,
    0x1.3abe8fap-75,  -0x1.8a82e0ap-76,  0x1.d5f47d4p-78,  0x1.d5f47d4p-78,   -0x1.505c158p-81,
    -0x1.505c158p-81, -0x1.505c15ap-81,  0x1.5f47d4ep-82,  -0x1.4170566p-83,  0x1.7d1f534p-84,
    -0x1.05c1596p-85, 0x1.f47d4d4p-86,   -0x1.70565ap-91,  -0x1.705659p-91,   -0x1.705659p-91,
    -0x1.705659p-91,  -0x1.7056592p-91,  0x1.1f534dep-92,  -0x1.c159644p-93,  0x1.f534dep-96,
    0x1.f534ddcp-96,  0x1.f534ddcp-96,   -0x1.596448p-101, -0x1.596448p-101,  -0x1.596448p-101,
    -0x1.596448p-101, -0x1.596447ep-101, 0x1.4d37704p-102, -0x1.65911fap-103, 0x1.34ddc0ep-104,
};

static const double turns_low[106] = {
    -0x1.b1bbead603d8bp-32,  -0x1.b1bbead603d8bp-32,  -0x1.b1bbead603d8bp-32,
    -0x1.b1bbead603d8bp-32,  0x1.391054a7f09d6p-34,   0x1.391054a7f09d6p-34,
    -0x1.8ddf56b01ec54p-35,  0x1.c882a53f84ebp-37,    0x1.c882a53f84ebp-37,
    -0x1.bbead603d8a83p-40,  -0x1.bbead603d8a83p-40,  -0x1.bbead603d8a83p-40,
    0x1.1054a7f09d5f4p-42,   0x1.1054a7f09d5f4p-42,   -0x1.df56b01ec5417p-43,
    0x1.054a7f09d5f48p-46,   0x1.054a7f09d5f48p-46,   0x1.054a7f09d5f48p-46,
    -0x1.f56b01ec5417p-47,   0x1.529fc2757d1f5p-52,   0x1.529fc2757d1f5p-52,
    0x1.529fc2757d1f5p-52,   0x1.529fc2757d1f5p-52,   0x1.529fc2757d1f5p-52,
    -0x1.5ac07b1505c16p-53,  0x1.4a7f09d5f47d5p-54,   -0x1.6b01ec5417056p-55,
    0x1.29fc2757d1f53p-56,   -0x1.ac07b1505c159p-57,  0x1.4fe13abe8fa9ap-59,
    0x1.4fe13abe8fa9ap-59,   -0x1.603d8a82e0acbp-60,  0x1.3f84eafa3ea6ap-61,
    -0x1.80f62a0b82b2dp-62,  0x1.fc2757d1f534ep-64,   0x1.fc2757d1f534ep-64,
    -0x1.ec54170565912p-71,  -0x1.ec54170565912p-71,  -0x1.ec54170565912p-71,
    -0x1.ec54170565912p-71,  -0x1.ec54170565912p-71,  -0x1.ec54170565912p-71,
    -0x1.ec54170565912p-71,  0x1.3abe8fa9a6eep-75,    0x1.3abe8fa9a6eep-75,
    0x1.3abe8fa9a6eep-75,    0x1.3abe8fa9a6eep-75,    -0x1.8a82e0acb223fp-76,
    0x1.d5f47d4d37703p-78,   0x1.d5f47d4d37703p-78,   -0x1.505c1596447e5p-81,
    -0x1.505c1596447e5p-81,  -0x1.505c1596447e5p-81,  0x1.5f47d4d377037p-82,
    -0x1.4170565911f92p-83,  0x1.7d1f534ddc0dbp-84,   -0x1.05c1596447e49p-85,
    0x1.f47d4d377036ep-86,   -0x1.70565911f924fp-91,  -0x1.70565911f924fp-91,
    -0x1.70565911f924fp-91,  -0x1.70565911f924fp-91,  -0x1.70565911f924fp-91,
    0x1.1f534ddc0db63p-92,   -0x1.c1596447e493bp-93,  0x1.f534ddc0db629p-96,
    0x1.f534ddc0db629p-96,   0x1.f534ddc0db629p-96,   -0x1.596447e493ad5p-101,
    -0x1.596447e493ad5p-101, -0x1.596447e493ad5p-101, -0x1.596447e493ad5p-101,
    -0x1.596447e493ad5p-101, 0x1.4d377036d8a56p-102,  -0x1.65911f924eb53p-103,
    0x1.34ddc0db6295ap-104,  -0x1.96447e493ad4dp-105, 0x1.a6ee06db14acdp-107,
    0x1.a6ee06db14acdp-107,  -0x1.6447e493ad4cep-109, -0x1.6447e493ad4cep-109,
    0x1.377036d8a5665p-110,  -0x1.911f924eb5336p-111, 0x1.bb81b6c52b328p-113,
    0x1.bb81b6c52b328p-113,  -0x1.11f924eb53362p-115, -0x1.11f924eb53362p-115,
    0x1.dc0db6295993cp-116,  -0x1.1f924eb53361ep-119, -0x1.1f924eb53361ep-119,
    -0x1.1f924eb53361ep-119, 0x1.c0db6295993c4p-120,  -0x1.f924eb53361dep-123,
    -0x1.f924eb53361dep-123, -0x1.f924eb53361dep-123, 0x1.b6c52b3278872p-129,
    0x1.b6c52b3278872p-129,  0x1.b6c52b3278872p-129,  0x1.b6c52b3278872p-129,
    0x1.b6c52b3278872p-129,  0x1.b6c52b3278872p-129,  -0x1.24eb53361de38p-131,
    -0x1.24eb53361de38p-131, 0x1.b6295993c439p-132,   -0x1.275a99b0ef1bfp-134,
};

#endif
