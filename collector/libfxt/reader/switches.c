// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * switches.c - many switches in one call, for languages in which calls are slow.
 */
#include <errno.h>

#include "state.h"

/* Return: 1: decoded; 0: the record makes no sense; else as fxt_reader_next(). */
static int decode(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_switch *sw)
{
	int ret = fxt_reader_switch(r, rec, sw);

	if (ret)
		return ret == -EBADMSG && !r->o.strict ? 0 : ret;
	sw->time = fxt_ticks_to_ns(sw->time, rec->provider->ticks_per_second);
	return 1;
}

int fxt_reader_switches(struct fxt_reader *r, struct fxt_switch *sw, size_t *count)
{
	size_t room = *count;
	struct fxt_record rec;
	int ret;

	*count = 0;
	while (*count < room) {
		ret = fxt_reader_next(r, &rec);
		if (ret <= 0)
			return ret;
		if (rec.kind != FXT_KIND_CONTEXT_SWITCH)
			continue;
		ret = decode(r, &rec, sw + *count);
		if (ret < 0)
			return ret;
		*count += ret;
	}
	return 1;
}
