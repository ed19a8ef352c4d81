/* SPDX-License-Identifier: GPL-2.0 */
/*
 * limits.h - how many sessions there may be, and how much memory they may use.
 */
#ifndef FXT_KMOD_LIMITS_H
#define FXT_KMOD_LIMITS_H

#include <linux/types.h>

struct fxt_reason;

int fxt_limits_take_session(void);
void fxt_limits_return_session(void);
int fxt_limits_take_memory(u64 bytes, struct fxt_reason *reason);
bool fxt_limits_take_more(u64 bytes);
void fxt_limits_count_memory(u64 bytes);
void fxt_limits_return_memory(u64 bytes);

#endif /* FXT_KMOD_LIMITS_H */
