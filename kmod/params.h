/* SPDX-License-Identifier: GPL-2.0 */
/*
 * params.h - the module's parameters: limits of all sessions together.
 */
#ifndef FXT_KMOD_PARAMS_H
#define FXT_KMOD_PARAMS_H

#include <linux/types.h>

extern unsigned int fxt_max_sessions;
extern u64 fxt_max_memory;

#endif /* FXT_KMOD_PARAMS_H */
