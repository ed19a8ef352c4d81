/* SPDX-License-Identifier: GPL-2.0 */
/*
 * label.h - names that only the kernel knows, made ready for records: of interrupt handlers and
 * of functions.
 *
 * Records have these names inline. An index into the archive's strings would be shorter, but a
 * probe would need a table from names to indices, and each string would have to come before the
 * records of all CPUs that use it, also in each segment and snapshot; and if one string found no
 * room, all these names would be missing.
 *
 * Nor could the recorder name addresses at the end, as in stacks. Perfetto and others show a slice
 * by the string in its record, and the recorder passes records on without reading them. By then, a
 * module may be gone, and its addresses may belong to another one. And all archives with work items
 * would reveal where the kernel is.
 */
#ifndef FXT_KMOD_LABEL_H
#define FXT_KMOD_LABEL_H

#include <linux/types.h>

#include <fxt/fxt_sched_event.h>

struct fxt_function_names;

void fxt_label_set(struct fxt_sched_label *label, const char *name);

struct fxt_function_names *fxt_function_names_new(void);
void fxt_function_names_free(struct fxt_function_names *names);
const struct fxt_sched_label *fxt_function_name(struct fxt_function_names *names,
						const void *function,
						struct fxt_sched_label *room);

#endif /* FXT_KMOD_LABEL_H */
