/* The outcome of comparing the values that a run computed with the right ones. */
#ifndef WW_HOST_VERDICT_H
#define WW_HOST_VERDICT_H

typedef enum ww_verdict { WW_NOT_VERIFIED, WW_VERIFIED, WW_WRONG } ww_verdict;

#endif
