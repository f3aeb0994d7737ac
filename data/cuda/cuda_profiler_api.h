/* Everything is in minicuda.h, which is already included. */
