// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session.c - the module's parameters and its session file.
 *
 * In: the configuration of a session. Out: all parameters of the module, set for this
 * session, so that none of an earlier session is left; and whether the session got each
 * of them: the session file has a line per parameter with its name and the value that was
 * written.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/fxt_sched.h>

#include "session.h"

#define PARAMS		13
#define VALUE_ROOM	4096	/* sysfs accepts at most a page */

/* A parameter, as written and as shown in the session file. */
struct param {
	const char *name;
	char value[VALUE_ROOM];
	bool confirmed;
};

static const char * const clock_names[] = { "boot", "mono", "tsc" };
static const char * const weight_names[] = { "weight", "prio" };

static void add_text(struct param **p, const char *name, const char *value)
{
	(*p)->name = name;
	snprintf((*p)->value, VALUE_ROOM, "%s", value ? value : "");
	(*p)->confirmed = false;
	(*p)++;
}

static void add_number(struct param **p, const char *name, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	add_text(p, name, text);
}

/* Format a list of CPUs as the kernel does: "0-3,8". */
static void add_cpus(struct param **p, const char *name,
		     const struct source_filter *f)
{
	char text[VALUE_ROOM] = "";
	size_t length = 0, first, cpu;

	for (cpu = 0; f && f->cpus && cpu < MAX_CPUS; cpu++) {
		if (!f->has_cpu[cpu])
			continue;
		for (first = cpu; cpu + 1 < MAX_CPUS && f->has_cpu[cpu + 1];)
			cpu++;
		/*
		 * A value that does not fit is truncated, and then refused or not
		 * confirmed.
		 */
		if (length < sizeof(text))
			length += snprintf(text + length, sizeof(text) - length,
					   first < cpu ? "%s%zu-%zu" : "%s%zu",
					   length ? "," : "", first, cpu);
	}
	add_text(p, name, text);
}

static void add_pids(struct param **p, const char *name,
		     const struct source_filter *f)
{
	char text[FILTER_PIDS * 12] = "";
	size_t length = 0;
	unsigned int i;

	for (i = 0; f && i < f->pid_count; i++)
		length += snprintf(text + length, sizeof(text) - length, "%s%" PRIu32,
				   i ? "," : "", f->pids[i]);
	add_text(p, name, text);
}

static void list_params(struct param params[PARAMS], const struct source_config *c)
{
	const struct source_filter *f = c->filter;
	struct param *p = params;

	add_number(&p, FXT_SCHED_PARAM_SUBBUF_SIZE, c->subbuf_size);
	add_number(&p, FXT_SCHED_PARAM_SUBBUF_COUNT, c->subbuf_count);
	add_text(&p, FXT_SCHED_PARAM_CLOCK, clock_names[c->clock]);
	add_text(&p, FXT_SCHED_PARAM_WEIGHT, weight_names[c->weight]);
	add_number(&p, FXT_SCHED_PARAM_OVERWRITE, c->overwrite);
	add_number(&p, FXT_SCHED_PARAM_TRIGGER_LATENCY, c->trigger.latency);
	add_number(&p, FXT_SCHED_PARAM_TRIGGER_AFTER, c->trigger.after);
	add_text(&p, FXT_SCHED_PARAM_TRIGGER_COMM, c->trigger.comm);
	add_number(&p, FXT_SCHED_PARAM_TRIGGER_PID, c->trigger.pid);
	add_cpus(&p, FXT_SCHED_PARAM_FILTER_CPUS, f);
	add_pids(&p, FXT_SCHED_PARAM_FILTER_PIDS, f);
	add_text(&p, FXT_SCHED_PARAM_FILTER_COMM, f ? f->comm : NULL);
	add_text(&p, FXT_SCHED_PARAM_FILTER_CGROUP, f ? f->cgroup : NULL);
}

/* With a newline: sysfs ignores an empty write. */
static int write_param(const char *name, const char *value)
{
	char path[128], line[VALUE_ROOM + 1];
	size_t length = snprintf(line, sizeof(line), "%s\n", value);
	ssize_t n;
	int fd, err;

	snprintf(path, sizeof(path), RELAY_PARAM_DIR "%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = write(fd, line, length);
	err = n < 0 ? -errno : (size_t)n < length ? -E2BIG : 0;
	close(fd);
	return err;
}

static int set_param(const struct param *p, struct error *e)
{
	int ret = write_param(p->name, p->value);

	switch (ret) {
	case 0:
		return 0;
	case -EACCES:
	case -EPERM:
		return fail(e, EXIT_PERMISSION, ret,
			    "cannot set the module's parameter %s: %s; run as root",
			    p->name, strerror(-ret));
	case -ENOENT:
		return fail(e, EXIT_NO_SOURCE, ret,
			    "the loaded module has no parameter %s; load the module that was built with this collector",
			    p->name);
	}
	return fail(e, EXIT_USAGE, ret,
		    "the module refused %s=%.80s: %s; see the kernel log (dmesg) for valid values",
		    p->name, p->value, strerror(-ret));
}

int relay_params_set(const struct source_config *c, struct error *e)
{
	struct param params[PARAMS];
	size_t i;
	int ret = 0;

	list_params(params, c);
	for (i = 0; i < PARAMS && !ret; i++)
		ret = set_param(&params[i], e);
	return ret;
}

int relay_session_read(int fd, relay_line line, void *arg, struct error *e)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	FILE *f = own < 0 ? NULL : fdopen(own, "r");
	char *text = NULL, *rest;
	size_t room = 0;

	if (!f || fseek(f, 0, SEEK_SET)) {
		int err = errno;

		if (f)
			fclose(f);
		else if (own >= 0)
			close(own);
		return fail(e, EXIT_FAILED, -err,
			    "cannot read the module's session file: %s",
			    strerror(err));
	}
	while (getline(&text, &room, f) > 0) {
		text[strcspn(text, "\n")] = '\0';
		rest = strchr(text, ' ');
		if (!rest)
			continue;
		*rest++ = '\0';
		line(arg, text, rest);
	}
	free(text);
	fclose(f);
	return 0;
}

struct expected {
	uint64_t abi;
	uint64_t ticks_per_second;
	struct param params[PARAMS];
};

static void note_value(void *arg, const char *key, const char *rest)
{
	struct expected *x = arg;
	size_t i;

	if (!strcmp(key, "abi"))
		x->abi = strtoull(rest, NULL, 10);
	else if (!strcmp(key, "ticks_per_second"))
		x->ticks_per_second = strtoull(rest, NULL, 10);
	for (i = 0; i < PARAMS; i++)
		if (!strcmp(key, x->params[i].name))
			x->params[i].confirmed = !strcmp(rest, x->params[i].value);
}

int relay_session_check(int fd, const struct source_config *c,
			uint64_t *ticks_per_second, struct error *e)
{
	struct expected x = { 0 };
	size_t i;
	int ret;

	list_params(x.params, c);
	ret = relay_session_read(fd, note_value, &x, e);
	if (ret)
		return ret;
	if (x.abi != FXT_SCHED_ABI)
		return fail(e, EXIT_NO_SOURCE, -EPROTO,
			    "the loaded module has interface version %" PRIu64 ", this collector needs %d; load the module that was built with it",
			    x.abi, FXT_SCHED_ABI);
	for (i = 0; i < PARAMS; i++)
		if (!x.params[i].confirmed)
			return fail(e, EXIT_BUSY, -EAGAIN,
				    "another process changed the module's parameter %s at the same time; try again",
				    x.params[i].name);
	*ticks_per_second = x.ticks_per_second;
	return 0;
}

uint64_t relay_value(const char *line, const char *name)
{
	size_t length = strlen(name);
	const char *p;

	for (p = line; p; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (!strncmp(p, name, length) && p[length] == ' ')
			return strtoull(p + length, NULL, 10);
	}
	return 0;
}

/* --- what it says ------------------------------------------------------------------ */

static void note_now(void *arg, const char *key, const char *rest)
{
	if (!strcmp(key, "now"))
		*(uint64_t *)arg = strtoull(rest, NULL, 10);
}

uint64_t relay_session_now(int fd)
{
	struct error e;
	uint64_t now = 0;

	return relay_session_read(fd, note_now, &now, &e) ? 0 : now;
}

struct hit_line {
	const char *key;
	struct trigger_hit *hit;
};

static void note_hit(void *arg, const char *key, const char *rest)
{
	const struct hit_line *line = arg;
	struct trigger_hit *hit = line->hit;

	if (strcmp(key, line->key))
		return;
	hit->time = relay_value(rest, "time");
	hit->latency = relay_value(rest, "latency");
	hit->thread = relay_value(rest, "thread");
	hit->cpu = relay_value(rest, "cpu");
}

bool relay_session_trigger(int fd, struct trigger_hit *hit)
{
	struct hit_line line = { "trigger", hit };
	struct error e;

	return !relay_session_read(fd, note_hit, &line, &e) && hit->time;
}

bool relay_session_longest(int fd, struct trigger_hit *hit)
{
	struct hit_line line = { "longest", hit };
	struct error e;

	return !relay_session_read(fd, note_hit, &line, &e) && hit->time;
}

struct stat_sink {
	source_stat stat;
	void *arg;
	struct stream_stats *names;
};

static void note_stream(void *arg, const char *key, const char *rest)
{
	struct stat_sink *sink = arg;
	struct stream_stats stats = {
		.switches = relay_value(rest, "switches"),
		.wakeups = relay_value(rest, "wakeups"),
		.names = relay_value(rest, "records"),
		.folded = relay_value(rest, "folded"),
		.lost = relay_value(rest, "lost"),
		.last = relay_value(rest, "last"),
		.subbufs = relay_value(rest, "subbufs"),
		.waiting = relay_value(rest, "waiting"),
	};

	if (!strcmp(key, "cpu")) {
		stats.stream = strtoul(rest, NULL, 10);
		sink->stat(sink->arg, &stats);
	} else if (!strcmp(key, "names")) {
		sink->names->names += stats.names;
		sink->names->folded += stats.folded;
		sink->names->lost += stats.lost;
		sink->names->waiting += stats.waiting;
	}
}

int relay_session_stats(int fd, source_stat stat, void *arg, struct stream_stats *names,
			struct error *e)
{
	struct stat_sink sink = { stat, arg, names };

	return relay_session_read(fd, note_stream, &sink, e);
}
