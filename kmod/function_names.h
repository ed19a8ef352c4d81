/* SPDX-License-Identifier: GPL-2.0 */
/*
 * function_names.h - the names of functions.
 */
#ifndef FXT_KMOD_FUNCTION_NAMES_H
#define FXT_KMOD_FUNCTION_NAMES_H

#include <fxt/fxt_sched_event.h>

struct fxt_function_names;

struct fxt_function_names *fxt_function_names_new(void);
void fxt_function_names_free(struct fxt_function_names *names);
const struct fxt_sched_label *fxt_function_name(struct fxt_function_names *names,
						const void *function,
						struct fxt_sched_label *room);

#endif /* FXT_KMOD_FUNCTION_NAMES_H */
