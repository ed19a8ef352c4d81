/* SPDX-License-Identifier: GPL-2.0 */
/*
 * label.h - names that only the kernel knows, made ready for records.
 *
 * In:  strings of the kernel. Out: struct fxt_sched_label.
 */
#ifndef FXT_KMOD_LABEL_H
#define FXT_KMOD_LABEL_H

#include <linux/string.h>
#include <linux/types.h>

#include <fxt/fxt_sched_event.h>

/**
 * fxt_label_set() - make a label of a string
 * @label: the label
 * @name: the string; truncated to FXT_SCHED_LABEL_BYTES. NULL and "" become "?", and so
 *	does each byte that is not ASCII
 *
 * Context: any.
 */
static inline void fxt_label_set(struct fxt_sched_label *label, const char *name)
{
	char *to = (char *)label->words;
	u32 i;

	memset(label, 0, sizeof(*label));
	if (!name || !*name)
		name = "?";
	for (i = 0; i < FXT_SCHED_LABEL_BYTES && name[i]; i++)
		to[i] = (unsigned char)name[i] < 0x80 ? name[i] : '?';
	label->bytes = i;
}

#endif /* FXT_KMOD_LABEL_H */
