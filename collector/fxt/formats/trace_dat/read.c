// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read.c - see format.h.
 *
 * The library merges the CPUs of all buffers by time.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trace-cmd.h>

#include "formats/tep/child.h"
#include "formats/tep/events.h"
#include "formats/import/trace.h"
#include "terminal/exit_status.h"
#include "terminal/message.h"
#include "buffers.h"
#include "format.h"

static const char magic[] = "\x17\x08\x44tracing";

/**
 * struct import - a trace that is being converted
 * @events: so far
 * @damaged: records that do not fit their format
 * @error: negative errno of the archive, or -EBADMSG
 */
struct import {
	bool strict;
	int error;
	uint64_t events;
	uint64_t damaged;
	struct tracecmd_buffers buffers;
	struct trace_event event;
	struct trace trace;
};

/* Lost events matter if the buffer is used. */
static int take_loss(struct import *m, const struct tep_record *rec, int buffer)
{
	if (!rec->missed_events || !tracecmd_buffer_is_used(&m->buffers, buffer))
		return 0;
	return trace_lost(&m->trace, rec->cpu, rec->missed_events > 0 ? rec->missed_events : 1);
}

static int take_event(struct import *m, const struct tep_record *rec, int buffer)
{
	struct tracecmd_buffers *b = &m->buffers;
	const char *name;
	int ret;

	if (!tracecmd_record_fits(b, rec))
		return -EBADMSG;
	ret = tep_events_take(&b->formats, rec, &m->event);
	if (ret)
		return ret;
	if (m->event.what != TRACE_NOTHING && b->from[m->event.what] != buffer) {
		b->all[buffer].left_out++;
		return 0;
	}
	name = tep_data_comm_from_pid(b->formats.tep, m->event.on);
	snprintf(m->event.on_name.bytes, sizeof(m->event.on_name.bytes), "%s", name ? name : "");
	return trace_take(&m->trace, &m->event);
}

/* The library ignores what this returns. */
static int take_record(struct tracecmd_input *input, struct tep_record *rec, int cpu, void *arg)
{
	struct import *m = arg;
	int buffer = tracecmd_buffer_of(&m->buffers, input), ret;

	(void)cpu;	/* counts those of all buffers */
	if (m->error)
		return m->error;
	m->events++;
	ret = take_loss(m, rec, buffer);
	if (!ret)
		ret = take_event(m, rec, buffer);
	if (ret == -EBADMSG && !m->strict) {
		m->damaged++;
		return 0;
	}
	m->error = ret;
	return ret;
}

/* Return: is something left out? */
static bool report_buffers(const struct import *m, const char *path)
{
	bool is_part = false;
	int i;

	for (i = 0; i < m->buffers.count; i++) {
		const struct tracecmd_buffer *b = &m->buffers.all[i];
		const char *of = i ? "instance " : "the top buffer";

		if (!b->input)
			message("fxt: %s: libtracecmd cannot read %s%s; it is left out\n", path, of,
				b->name);
		else if (b->left_out)
			message("fxt: %s: %" PRIu64 " events of %s%s are left out: another buffer has more of these kinds\n",
				path, b->left_out, of, b->name);
		is_part |= !b->input || b->left_out;
	}
	return is_part;
}

static int report(const struct import *m, const char *path)
{
	bool is_part = report_buffers(m, path);

	trace_report(&m->trace, path);
	if (m->damaged + m->trace.misplaced)
		message("fxt: %s: %" PRIu64 " damaged records are left out\n", path,
			m->damaged + m->trace.misplaced);
	if (m->error == -EBADMSG) {
		message("fxt: %s: event %" PRIu64 " is damaged\n", path, m->events);
	} else if (m->error) {
		message("fxt: cannot write a temporary file: %s\n", strerror(-m->error));
		return VERB_UNWRITABLE;
	}
	return m->error || m->damaged || m->trace.misplaced || is_part ? VERB_DEVIATES : VERB_DONE;
}

static int walk(struct import *m, int fd)
{
	int ret = trace_open(&m->trace, fd, "trace.dat"), closed;

	m->trace.wakeups.has_events = m->buffers.has_wakeups;
	if (!ret)
		ret = tracecmd_buffers_walk(&m->buffers, take_record, m);
	closed = trace_close(&m->trace);
	return m->error ? m->error : ret ? ret : closed;
}

static int import(const char *path, int from, bool strict, int fd)
{
	struct import *m = calloc(1, sizeof(*m));
	int ret = m ? 0 : -ENOMEM;

	tep_set_loglevel(TEP_LOG_NONE);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	if (!ret)
		ret = tracecmd_buffers_open(&m->buffers, from);
	if (ret) {
		message("fxt: cannot read %s: %s\n", path, ret == -EBADMSG ?
			"libtracecmd cannot open it; it is damaged, or of an unknown version" : strerror(-ret));
		free(m);
		return VERB_UNREADABLE;
	}
	m->strict = strict;
	m->error = walk(m, fd);
	ret = report(m, path);
	tracecmd_buffers_close(&m->buffers);
	free(m);
	return ret;
}

int trace_dat_read(const char *path, int from, bool strict, int fd)
{
	return child_run(import, path, from, strict, fd);
}

bool trace_dat_detect(const char *head, size_t bytes)
{
	return bytes >= sizeof(magic) - 1 && !memcmp(head, magic, sizeof(magic) - 1);
}
