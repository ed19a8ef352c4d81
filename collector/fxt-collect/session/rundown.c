// SPDX-License-Identifier: GPL-2.0-or-later
/* rundown.c - see rundown.h. */
#include <errno.h>

#include <fxt/fxt_sched.h>

#include "file.h"
#include "names/names.h"
#include "rundown.h"

int session_rundown(struct session *s)
{
	const struct source_ops *ops = s->source->ops;
	int ret;

	s->e->text[0] = '\0';
	ret = ops->rundown(s->source, names_note, s->names, s->e);
	if (ret == -ENODATA)
		ret = names_ask_proc(s->names);
	return ret && !s->e->text[0] ? session_write_failed(s, ret) : ret;
}

static void add_missed(void *arg, const struct stream_stats *stats)
{
	struct missed_names *m = arg;

	m->folded += stats->folded;
	if (stats->stream == FXT_LEDGER_STREAM_NAMES)
		m->lost += stats->lost;
}

int session_catch_up(struct session *s)
{
	struct missed_names m = { 0 };
	int ret = s->source->ops->stats(s->source, add_missed, &m, s->e);

	if (ret || (m.folded == s->missed.folded && m.lost == s->missed.lost))
		return ret;
	s->missed = m;
	names_catch_up(s->names, s->source->ops->now(s->source));
	ret = session_rundown(s);
	names_catch_up(s->names, 0);
	/* Records of forks of the tasks just found may still follow. */
	names_found(s->names, s->source->ops->now(s->source));
	return ret;
}
