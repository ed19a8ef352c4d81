// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import.c - see import.h.
 *
 * The library merges the CPUs by time. Buffers of instances are left out and reported: their
 * events may be of the same threads and CPUs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <trace-cmd.h>

#include "read/tep/child.h"
#include "read/tep/events.h"
#include "read/trace/trace.h"
#include "terminal/exit_status.h"
#include "import.h"

#define FIRST_EVENTS	10000	/* of a CPU, among which is a wakeup if there are wakeups */

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
	struct tep_events formats;
	struct trace_event event;
	struct trace trace;
};

/* Libraries close the descriptors that they are given. */
static struct tracecmd_input *open_input(int from)
{
	int fd = lseek(from, 0, SEEK_SET) ? -1 : dup(from);
	struct tracecmd_input *input = fd < 0 ? NULL : tracecmd_open_fd(fd, TRACECMD_FL_LOAD_NO_PLUGINS);

	return input;
}

/* Is there a wakeup among the first events of each CPU? */
static bool has_wakeup(struct import *m, struct tracecmd_input *input)
{
	int cpus = tep_get_cpus(m->formats.tep), cpu;
	struct tep_record *rec;
	bool found = false;
	unsigned int i;

	for (cpu = 0; cpu < cpus && !found; cpu++) {
		rec = tracecmd_read_cpu_first(input, cpu);
		for (i = 0; rec && i < FIRST_EVENTS && !found; i++) {
			found = tep_events_what(&m->formats, rec) == TRACE_WAKEUP;
			tracecmd_free_record(rec);
			rec = tracecmd_read_data(input, cpu);
		}
		if (rec)
			tracecmd_free_record(rec);
	}
	return found;
}

/* The library ignores what this returns. */
static int take_record(struct tracecmd_input *input, struct tep_record *rec, int cpu, void *arg)
{
	struct import *m = arg;
	const char *name;
	int ret = 0;

	(void)input;
	if (m->error)
		return m->error;
	rec->cpu = cpu;
	m->events++;
	if (rec->missed_events)
		ret = trace_lost(&m->trace, cpu, rec->missed_events > 0 ? rec->missed_events : 1);
	if (!ret)
		ret = tep_events_take(&m->formats, rec, &m->event);
	if (ret == -EBADMSG && !m->strict) {
		m->damaged++;
		return 0;
	}
	if (!ret) {
		name = tep_data_comm_from_pid(m->formats.tep, m->event.on);
		snprintf(m->event.on_name.bytes, sizeof(m->event.on_name.bytes), "%s", name ? name : "");
		ret = trace_take(&m->trace, &m->event);
	}
	m->error = ret;
	return ret;
}

static int report(const struct import *m, const char *path, int buffers)
{
	trace_report(&m->trace, path);
	if (buffers > 0)
		fprintf(stderr, "fxt: %s: the buffers of %d instances are left out\n", path, buffers);
	if (m->damaged + m->trace.misplaced)
		fprintf(stderr, "fxt: %s: %" PRIu64 " damaged records are left out\n", path,
			m->damaged + m->trace.misplaced);
	if (m->error == -EBADMSG) {
		fprintf(stderr, "fxt: %s: event %" PRIu64 " is damaged\n", path, m->events);
	} else if (m->error) {
		fprintf(stderr, "fxt: cannot write a temporary file: %s\n", strerror(-m->error));
		return VERB_UNWRITABLE;
	}
	return m->error || m->damaged || m->trace.misplaced || buffers > 0 ? VERB_DEVIATES : VERB_DONE;
}

/* Return: number of instances, or -EBADMSG if the file cannot be opened. */
static int walk(struct import *m, int from)
{
	struct tracecmd_input *input = open_input(from);
	int buffers;

	if (!input)
		return -EBADMSG;
	m->formats.tep = tracecmd_get_tep(input);
	m->trace.has_wakeups = has_wakeup(m, input);
	tep_events_close(&m->formats);
	memset(&m->formats, 0, sizeof(m->formats));
	tracecmd_close(input);
	input = open_input(from);
	if (!input)
		return -EBADMSG;
	m->formats.tep = tracecmd_get_tep(input);
	tracecmd_iterate_events(input, NULL, 0, take_record, m);
	tep_events_close(&m->formats);
	buffers = tracecmd_buffer_instances(input);
	tracecmd_close(input);
	return buffers;
}

static int import(const char *path, int from, bool strict, int fd)
{
	struct import *m = calloc(1, sizeof(*m));
	int buffers, ret;

	if (!m) {
		fprintf(stderr, "fxt: cannot read %s: %s\n", path, strerror(ENOMEM));
		return VERB_UNREADABLE;
	}
	m->strict = strict;
	tep_set_loglevel(TEP_LOG_NONE);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	m->error = trace_open(&m->trace, fd, "trace.dat");
	buffers = m->error ? 0 : walk(m, from);
	if (buffers == -EBADMSG) {
		fprintf(stderr, "fxt: cannot read %s: libtracecmd cannot open it; it is damaged, or of an unknown version\n",
			path);
		trace_close(&m->trace);
		free(m);
		return VERB_UNREADABLE;
	}
	ret = trace_close(&m->trace);
	m->error = ret ? ret : m->error;
	ret = report(m, path, buffers);
	free(m);
	return ret;
}

int tracecmd_import(const char *path, int from, bool strict, int fd)
{
	return child_run(import, path, from, strict, fd);
}

bool tracecmd_import_fits(const char *head, size_t bytes)
{
	return bytes >= sizeof(magic) - 1 && !memcmp(head, magic, sizeof(magic) - 1);
}
