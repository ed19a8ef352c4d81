// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session.c - the description of a recording: its filter, its recorder and its machine.
 *
 * In: lines of a key, a blank and a value, e.g. "cores 0-3 4-7".
 * Out: the filter; struct sched_totals and struct sched_topology.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "anomalies.h"
#include "session_text.h"

/* What one description tells that has to hold for all of them. */
struct session {
	bool is_recording;	/* of fxt-collect */
	bool has_moves;		/* moves of runnable threads are recorded */
	bool has_all_moves;	/* also those of threads that are being woken */
	bool has_v2;		/* all cgroups are those of version 2 */
};

static bool is_text(const char *bytes, size_t length, const char *text)
{
	return length == strlen(text) && !memcmp(bytes, text, length);
}

static bool has_value(const struct session_line *l, const char *value)
{
	return is_text(l->value, l->length, value);
}

static void note_filter(struct sched_model *m, const struct session_line *l)
{
	static const char cpus_key[] = "cpus ";
	size_t used = strlen(m->filter.text), room = sizeof(m->filter.text) - used;

	if (l->length > sizeof(cpus_key) - 1 && !memcmp(l->value, cpus_key, sizeof(cpus_key) - 1))
		m->totals.lacks_cpus = m->filter.cpus = true;
	else
		m->totals.lacks_threads = m->filter.threads = true;
	snprintf(m->filter.text + used, room, "%s%.*s", used ? ", " : "", (int)l->length,
		 l->value);
}

/* Parse digits; 0 if the number needs more than 64 bits. */
static uint64_t number_of(const struct session_line *l)
{
	uint64_t number = 0;
	size_t i;

	for (i = 0; i < l->length; i++)
		if (l->value[i] < '0' || l->value[i] > '9' ||
		    __builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, l->value[i] - '0', &number))
			return 0;
	return number;
}

/* Process ids of several machines are ambiguous here. */
static void note_command(struct sched_model *m, uint64_t pid)
{
	m->totals.command = m->has_command ? 0 : pid;
	m->has_command = true;
}

static bool has_word(const struct session_line *l, const char *word)
{
	const char *list = l->value, *end = list + l->length, *stop;

	for (; list < end; list = stop + 1) {
		stop = memchr(list, ',', end - list);
		stop = stop ? stop : end;
		if (is_text(list, stop - list, word))
			return true;
	}
	return false;
}

/* --- which CPUs share something ----------------------------------------------------------- */

/* Parse a number of at most five digits. Returns its end, or NULL. */
static const char *parse_cpu(const char *at, const char *end, uint32_t *cpu)
{
	const char *begin = at;

	for (*cpu = 0; at < end && *at >= '0' && *at <= '9' && at - begin < 5; at++)
		*cpu = *cpu * 10 + *at - '0';
	return at > begin ? at : NULL;
}

/* Parse groups of CPUs: "0-3,8 4-7" has two lists. Anything else ends the line. */
static void parse_groups(struct sched_model *m, enum sched_share share, const struct session_line *l)
{
	const char *at = l->value, *end = at + l->length;
	uint32_t from, to, group = 1;

	if (!l->length)
		return;
	if (!m->topology)
		m->topology = new_zero(struct sched_topology);
	m->has_topologies |= m->shares >> share & 1;
	m->shares |= 1U << share;
	while ((at = parse_cpu(at, end, &from))) {
		to = from;
		if (at < end && *at == '-')
			at = parse_cpu(at + 1, end, &to);
		for (; at && from <= to && from < SCHED_TOPOLOGY_CPUS; from++)
			m->topology->groups[share][from] = group;
		if (!at || at == end)
			return;
		group += *at == ' ' && group < UINT16_MAX;
		at++;
	}
}

/* --- when classes of threads may not run -------------------------------------------------- */

/* The first kernel with a fair server. */
#define SERVER_MAJOR	6
#define SERVER_MINOR	12

/* Merged recordings may differ; 0 means no value. */
static void set_number(struct sched_limits *l, int64_t *at, int64_t value)
{
	l->differ |= *at && *at != value;
	*at = value;
}

static void parse_server(struct sched_limits *l, const char *value)
{
	char *end;
	long long runtime = strtoll(value, &end, 10);

	if (*end != '/')
		return;
	set_number(l, &l->server_runtime_ns, runtime);
	set_number(l, &l->server_period_ns, strtoll(end + 1, NULL, 10));
}

static void parse_kernel(struct sched_limits *l, const char *value)
{
	unsigned int major, minor;

	if (sscanf(value, "Linux %u.%u", &major, &minor) == 2 &&
	    (major < SERVER_MAJOR || (major == SERVER_MAJOR && minor < SERVER_MINOR)))
		l->lacks_server = true;
}

/* "rt_runtime_us 950000", "fair_server_ns 50000000/1000000000", "kernel Linux 6.12.0 x86_64" */
static void parse_limits(struct sched_limits *l, const struct session_line *line)
{
	char value[64];

	snprintf(value, sizeof(value), "%.*s",
		 (int)(line->length < sizeof(value) ? line->length : sizeof(value)), line->value);
	if (session_has_key(line, "rt_runtime_us"))
		set_number(l, &l->rt_runtime_us, strtoll(value, NULL, 10));
	else if (session_has_key(line, "rt_period_us"))
		set_number(l, &l->rt_period_us, strtoll(value, NULL, 10));
	else if (session_has_key(line, "fair_server_ns"))
		parse_server(l, value);
	else if (session_has_key(line, "kernel"))
		parse_kernel(l, value);
	else if (session_has_key(line, "rt_groups"))
		*(*value == 'y' ? &l->has_groups : &l->lacks_groups) = true;
	l->differ |= (l->has_groups && l->lacks_groups) || (l->lacks_server && l->server_period_ns);
}

/* --- all lines ----------------------------------------------------------------------------- */

/* Older descriptions only have the groups of events, from which moves are known. */
static void parse_common(struct session *s, const struct session_line *l)
{
	if (session_has_key(l, "source") && l->length)
		s->is_recording = true;
	else if (session_has_key(l, "moves") && has_value(l, "runnable"))
		s->has_moves = true;
	else if (session_has_key(l, "events") && l->length)
		s->has_all_moves = has_word(l, "migrate");
	else if (session_has_key(l, FXT_SCHED_CGROUPS))
		s->has_v2 = has_value(l, FXT_SCHED_CGROUPS_V2);
}

static void finish_common(struct sched_model *m, const struct session *s)
{
	if (!s->is_recording)
		return;
	m->recordings++;
	m->with_moves += s->has_moves || s->has_all_moves;
	m->with_all_moves += s->has_all_moves;
	m->with_v2 += s->has_v2;
	m->totals.has_moves = m->with_moves == m->recordings;
	m->totals.has_all_moves = m->with_all_moves == m->recordings;
	m->totals.has_v2 = m->with_v2 == m->recordings;
}

static void parse_line(struct sched_model *m, const struct fxt_record *rec, const struct session_line *l)
{
	struct sched_totals *t = &m->totals;

	if (session_has_key(l, "filter") && l->length) {
		m->filter.offset = rec->offset;
		note_filter(m, l);
	} else if (session_has_key(l, "tool")) {
		t->is_imported = true;
		/* Other kernels have priorities without a weight. */
		t->lacks_weights = true;
	} else if (session_has_key(l, "throttle")) {
		t->has_throttle = true;
	} else if (session_has_key(l, "events")) {
		t->has_locks |= has_word(l, "lock");
	} else if (session_has_key(l, "pid_namespace")) {
		m->lacks_names = true;
	} else if (session_has_key(l, "epoch") && l->length) {
		t->epoch = number_of(l);
	} else if (session_has_key(l, "command_pid") && l->length) {
		note_command(m, number_of(l));
	} else if (session_has_key(l, "weight")) {
		t->has_priorities |= has_value(l, "prio");
		t->lacks_weights |= has_value(l, "none");
	} else if (session_has_key(l, "quotas")) {
		t->lacks_quotas |= has_value(l, "none");
	} else if (session_has_key(l, "wakeups") && has_value(l, "waking") && !t->has_wakings) {
		t->has_wakings = true;
		sched_found(m, SCHED_WAKINGS, false, 1, rec->offset, 0,
			    "wakeups are those of sched_waking: waits begin there, and their CPU is the one that the thread ran on last");
	} else if (session_has_key(l, "cores")) {
		parse_groups(m, SCHED_CORE, l);
	} else if (session_has_key(l, "caches")) {
		parse_groups(m, SCHED_CACHE, l);
	} else if (session_has_key(l, "nodes")) {
		parse_groups(m, SCHED_NODE, l);
	}
}

void sched_parse_session(struct sched_model *m, const struct fxt_record *rec,
			 const struct fxt_content *c)
{
	const char *at = c->blob.data, *end = at + c->blob.bytes;
	struct session session = { 0 };
	struct session_line l;

	while (session_next(&at, end, &l)) {
		if (!l.value)
			continue;
		parse_line(m, rec, &l);
		parse_common(&session, &l);
		parse_limits(&m->totals.limits, &l);
	}
	finish_common(m, &session);
}
