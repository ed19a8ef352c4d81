// SPDX-License-Identifier: GPL-2.0-or-later
/* values.c - see values.h. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_glob.h>
#include <fxt/fxt_sched.h>
#include <linux/fxt_sched.h>

#include "libfxt/units.h"
#include "libopt/suggest.h"
#include "source/cgroups.h"
#include "source/groups.h"
#include "tracepoint.h"
#include "values.h"

/* With more sub-buffers, a larger share of the buffer can be full before records are lost. */
#define SUBBUFS_WANTED	16
#define SUBBUF_SIZE_BEST	(1ULL << 20)

int value_word(const char *option, const char *what, const char *word, option_words *words,
	       struct error *e)
{
	const struct option_row row = { .value = what, .words = words };
	int i = option_find_word(words, word, strlen(word));
	char why[OPTION_TEXT];

	if (i >= 0)
		return i;
	return fail(e, EXIT_USAGE, -EINVAL, "%s %s: %s", option, word,
		    option_wrong_word(why, sizeof(why), &row, word, strlen(word)));
}

/* --- numbers -------------------------------------------------------------------- */

int value_time(const char *option, const char *value, uint64_t *ns, struct error *e)
{
	if (!fxt_parse_time(value, ns) && *ns)
		return 0;
	return fail(e, EXIT_USAGE, -EINVAL, "%s %s: invalid duration; use e.g. %s", option,
		    value, FXT_TIME_EXAMPLES);
}

int value_start_at(struct start_at *s, const char *value, struct error *e)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return start_at_parse(s, value, now.tv_sec * 1000000000ULL + now.tv_nsec, e);
}

int value_size(const char *option, const char *value, uint64_t *bytes, struct error *e)
{
	if (!fxt_parse_size(value, bytes) && *bytes)
		return 0;
	return fail(e, EXIT_USAGE, -EINVAL, "%s %s: invalid size; use e.g. %s", option,
		    value, FXT_SIZE_EXAMPLES);
}

int value_count(const char *option, const char *value, uint64_t *n, struct error *e)
{
	char *end;

	errno = 0;
	*n = strtoull(value, &end, 10);
	if (*value >= '0' && *value <= '9' && !*end && !errno)
		return 0;
	return fail(e, EXIT_USAGE, -EINVAL, "%s %s: not a number", option, value);
}

/* The size of a sub-buffer is a power of two, at least a page. */
int value_buffer(struct options *o, const char *value, struct error *e)
{
	uint64_t page = sysconf(_SC_PAGESIZE), size = page;

	if (fxt_parse_size(value, &o->buffer) ||
	    o->buffer > FXT_SCHED_BUFFER_SIZE_MAX ||
	    o->buffer < FXT_SCHED_SUBBUF_COUNT_MIN * page)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--buffer %s: invalid size; use %" PRIu64 "K to %uM per CPU, e.g. 4M",
			    value, FXT_SCHED_SUBBUF_COUNT_MIN * page >> 10,
			    FXT_SCHED_BUFFER_SIZE_MAX >> 20);
	while (size < SUBBUF_SIZE_BEST && size * 2 * SUBBUFS_WANTED <= o->buffer)
		size *= 2;
	o->config.subbuf_size = size;
	o->config.subbuf_count = o->buffer / size;
	return 0;
}

/* --- filters --------------------------------------------------------------------- */

/* Parse "3" or "3-5". Return: the text after it; NULL if it is neither. */
static const char *take_range(const char *p, unsigned long *from, unsigned long *to)
{
	char *end;

	if (*p < '0' || *p > '9')
		return NULL;
	*from = *to = strtoul(p, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		*to = strtoul(end + 1, &end, 10);
	return *from <= *to ? end : NULL;
}

int value_cpus(struct source_filter *f, const char *value, struct error *e)
{
	unsigned long cpus = sysconf(_SC_NPROCESSORS_CONF), from, to;
	const char *p = value;

	for (;;) {
		p = take_range(p, &from, &to);
		if (!p || to >= MAX_CPUS)
			break;
		if (to >= cpus)
			return fail(e, EXIT_USAGE, -EINVAL,
				    "--cpus %s: this machine has no CPU %lu; its CPUs are 0-%lu",
				    value, to, cpus - 1);
		memset(f->has_cpu + from, true, to - from + 1);
		if (!*p) {
			f->cpus = value;
			return 0;
		}
		if (*p++ != ',')
			break;
	}
	return fail(e, EXIT_USAGE, -EINVAL,
		    "--cpus %s: invalid CPU list; use numbers and ranges, e.g. 0-3,8", value);
}

/* The process of a thread, 0 if /proc does not show it. */
static unsigned long process_of(unsigned long tid)
{
	unsigned long process = 0;
	char path[40], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%lu/status", tid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %lu", &process) == 1)
			break;
	if (f)
		fclose(f);
	return process;
}

/* Refuse an id that is not a process: it could not match anything. */
static int check_process(const char *option, const char *value, unsigned long pid,
			 struct error *e)
{
	unsigned long process;

	if (kill(pid, 0) && errno == ESRCH)
		return fail(e, EXIT_USAGE, -ESRCH, "%s %s: no process %lu", option,
			    value, pid);
	process = process_of(pid);
	if (process && process != pid)
		return fail(e, EXIT_USAGE, -ESRCH,
			    "%s %s: %lu is a thread of process %lu; use that process, or record everything and use fxt dump --tid",
			    option, value, pid, process);
	return 0;
}

int value_pids(struct source_filter *f, const char *value, struct error *e)
{
	const char *p = value;
	unsigned long pid;
	char *end;
	int ret;

	for (;;) {
		pid = *p >= '0' && *p <= '9' ? strtoul(p, &end, 10) : 0;
		if (!pid || pid >= FXT_SCHED_TID_END || (*end && *end != ','))
			return fail(e, EXIT_USAGE, -EINVAL,
				    "--pid %s: invalid list of process ids; use e.g. 12,345", value);
		if (f->pid_count == FXT_SCHED_FILTER_PIDS_MAX)
			return fail(e, EXIT_USAGE, -EINVAL,
				    "--pid %s: more than %d processes; record everything and use fxt dump --pid, or use --cgroup",
				    value, FXT_SCHED_FILTER_PIDS_MAX);
		ret = check_process("--pid", value, pid, e);
		if (ret)
			return ret;
		f->pids[f->pid_count++] = pid;
		if (!*end)
			return 0;
		p = end + 1;
	}
}

int value_pattern(const char *option, const char *value, struct error *e)
{
	struct fxt_glob glob;

	if (*value && strlen(value) < FXT_GLOB_TEXT && !strchr(value, '\n') &&
	    !fxt_glob_compile(&glob, value))
		return 0;
	return fail(e, EXIT_USAGE, -EINVAL,
		    "%s %s: invalid pattern; thread names have at most 15 bytes; use *, ? and [a-z], e.g. 'nginx*'",
		    option, value);
}

static bool is_cgroup(const char *real, const char *root, struct stat *st)
{
	size_t length = strlen(root);

	return real && !strncmp(real, root, length) && (real[length] == '/' || !real[length]) &&
	       !stat(real, st) && S_ISDIR(st->st_mode);
}

/* The root cgroup has no such file, and always has threads. */
static bool is_populated(const char *cgroup)
{
	char path[5200], line[64];
	bool is_empty = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/cgroup.events", cgroup);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		is_empty |= !strcmp(line, "populated 0\n");
	if (f)
		fclose(f);
	return !is_empty;
}

int value_cgroup(struct source_filter *f, const char *value, struct error *e)
{
	char root[1024], whole[5120], *real;
	const char *p = value;
	struct stat st;

	if (cgroups_root(root, sizeof(root)))
		return fail(e, EXIT_USAGE, -ENOENT,
			    "--cgroup %s: cgroup v2 is not mounted; run mount -t cgroup2 none /sys/fs/cgroup",
			    value);
	if (!strncmp(p, root, strlen(root)) &&
	    (p[strlen(root)] == '/' || !p[strlen(root)]))
		p += strlen(root);
	snprintf(whole, sizeof(whole), "%s/%.4000s", root, p);
	real = realpath(whole, NULL);
	if (!is_cgroup(real, root, &st)) {
		free(real);
		return fail(e, EXIT_USAGE, -ENOENT,
			    "--cgroup %s: no such cgroup below %s", value, root);
	}
	f->cgroup_is_empty = !is_populated(real);
	/* @real is not freed: the filter refers to it. */
	f->cgroup_dir = real;
	p = real + strlen(root);
	f->cgroup = *p ? p : "/";
	f->cgroup_id = st.st_ino;
	for (; *p; p++)
		f->cgroup_level += *p == '/';
	return 0;
}

/* --- several in one --------------------------------------------------------------- */

/* A time without a unit would be seconds, which is never meant here. */
static int value_limit(const char *name, const char *value, uint64_t *ns, struct error *e)
{
	char option[32];
	size_t length = strlen(value);
	int ret;

	snprintf(option, sizeof(option), "--trigger %s>", name);
	ret = value_time(option, value, ns, e);
	if (ret || value[length - 1] < '0' || value[length - 1] > '9')
		return ret;
	return fail(e, EXIT_USAGE, -EINVAL,
		    "%s%s: time without a unit; use e.g. '%s>%sms'", option, value, name,
		    value);
}

/* "N" of "runnable>N" */
static int value_runnable(struct options *o, const char *value, struct error *e)
{
	uint64_t n;

	if (value_count("--trigger runnable>", value, &n, e) || !n || n > UINT32_MAX)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--trigger runnable>%s: not a number of threads; use e.g. 'runnable>8'",
			    value);
	o->config.trigger.runnable = n;
	return 0;
}

/* Conditions; @limit: of struct source_trigger, ns. */
static const struct {
	const char *begin;
	const char *what;
	size_t limit;
} conditions[] = {
	{ "latency>", "a thread waits longer for a CPU after its wakeup",
	  offsetof(struct source_trigger, latency) },
	{ "irq>", "a hard interrupt takes longer", offsetof(struct source_trigger, irq) },
	{ "softirq>", "a soft interrupt takes longer", offsetof(struct source_trigger, softirq) },
	{ "runnable>", "a CPU has more runnable threads",
	  offsetof(struct source_trigger, runnable) },
};

#define CONDITIONS	(sizeof(conditions) / sizeof(conditions[0]))

bool trigger_word(unsigned int i, struct option_word *w)
{
	if (i >= CONDITIONS)
		return false;
	*w = (struct option_word){ conditions[i].begin, conditions[i].what };
	return true;
}

/* "NAME>TIME" or "runnable>N". Return: false if @part begins with no condition. */
static bool value_condition(struct options *o, const char *part, int *ret, struct error *e)
{
	struct source_trigger *t = &o->config.trigger;
	size_t i, length;
	char name[16];

	for (i = 0; i < CONDITIONS; i++) {
		length = strlen(conditions[i].begin);
		if (strncmp(part, conditions[i].begin, length))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)length - 1, part);
		*ret = conditions[i].limit == offsetof(struct source_trigger, runnable) ?
		       value_runnable(o, part + length, e) :
		       value_limit(name, part + length,
				   (uint64_t *)((char *)t + conditions[i].limit), e);
		return true;
	}
	return false;
}

/* Do the conditions fit together? */
static int check_trigger(const struct options *o, struct error *e)
{
	const struct source_trigger *t = &o->config.trigger;

	if (!t->latency && !t->irq && !t->softirq && !t->runnable)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--trigger %s: no limit; use e.g. 'latency>5ms'", o->trigger);
	if (!t->latency && (t->comm || t->pid))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--trigger %s: comm= and pid= select threads that wait; use them with latency>TIME",
			    o->trigger);
	return 0;
}

int value_trigger(struct options *o, char *value, struct error *e)
{
	struct source_trigger *t = &o->config.trigger;
	char *part, *next, *given = strdup(value);
	uint64_t pid = 0;
	int ret = 0;

	o->trigger = given ? given : value;
	for (part = value; part && !ret; part = next) {
		next = strchr(part, ':');
		if (next)
			*next++ = '\0';
		if (value_condition(o, part, &ret, e))
			continue;
		if (!strncmp(part, "comm=", 5)) {
			t->comm = part + 5;
			ret = value_pattern("--trigger comm=", t->comm, e);
		} else if (!strncmp(part, "pid=", 4) &&
			   !value_count("--trigger pid=", part + 4, &pid, e) &&
			   pid && pid < FXT_SCHED_TID_END) {
			t->pid = pid;
			ret = check_process("--trigger pid=", part + 4, pid, e);
		} else {
			ret = fail(e, EXIT_USAGE, -EINVAL,
				   "--trigger %s: invalid trigger \"%s\"; use latency>TIME, optionally with comm=PATTERN or pid=PID, irq>TIME, softirq>TIME or runnable>N, e.g. 'latency>5ms:comm=nginx*'",
				   o->trigger, part);
		}
	}
	return ret ? ret : check_trigger(o, e);
}

int value_rotate(struct options *o, char *value, struct error *e)
{
	char *part, *save = NULL;
	int ret = 0;

	for (part = strtok_r(value, ",", &save); part && !ret;
	     part = strtok_r(NULL, ",", &save)) {
		if (!strncmp(part, "size=", 5))
			ret = value_size("--rotate size=", part + 5, &o->rotate_size, e);
		else if (!strncmp(part, "time=", 5))
			ret = value_time("--rotate time=", part + 5, &o->rotate_time, e);
		else
			ret = -EINVAL;
	}
	if (!ret && (o->rotate_size || o->rotate_time))
		return 0;
	return e->text[0] ? ret :
	       fail(e, EXIT_USAGE, -EINVAL,
		    "--rotate: invalid value; use size=SIZE, time=TIME or both, e.g. size=1G,time=10m");
}

static int unknown_group(const char *part, struct error *e)
{
	struct fxt_suggestion s = { .word = part };
	struct option_word w;
	unsigned int i;

	for (i = 0; event_group_word(i, &w); i++)
		fxt_suggest(&s, w.name);
	return fail(e, EXIT_USAGE, -EINVAL,
		    "--events %s: unknown group%s%s%s; --events help lists them", part,
		    s.best ? " (did you mean " : "", s.best ? s.best : "", s.best ? "?)" : "");
}

int value_events(struct options *o, char *value, struct error *e)
{
	char *part;
	int ret, i;

	while ((part = tracepoint_part(&value))) {
		if (!strncmp(part, TRACEPOINT_PREFIX, strlen(TRACEPOINT_PREFIX))) {
			ret = tracepoint_add(&o->tracepoints, part, e);
			if (ret)
				return ret;
			continue;
		}
		i = option_find_word(event_group_word, part, strlen(part));
		if (i >= 0) {
			o->config.events |= event_groups[i + 1].bit;
		} else if (!strcmp(part, event_groups[0].name)) {
			continue;	/* always on */
		} else if (!strcmp(part, "all")) {
			o->config.events = FXT_GROUPS_ALL;
			o->config.events_optional = true;
		} else if (!strcmp(part, "none")) {
			o->config.events = FXT_SCHED_EVENTS_SCHED;
			o->tracepoints.count = 0;
		} else {
			return unknown_group(part, e);
		}
	}
	return 0;
}

void value_without(struct options *o, char *value)
{
	char *part;
	int i;

	while ((part = strsep(&value, ",")))
		for (i = 0; options_without_names[i]; i++)
			if (!strcmp(part, options_without_names[i]))
				o->without |= 1 << i;
}

static const struct {
	const char *name;
	enum compression compression;
	unsigned int levels;
} compressions[] = {
	{ "zstd", COMPRESSION_ZSTD, 19 }, { "gzip", COMPRESSION_GZIP, 9 },
};

#define COMPRESSIONS	(sizeof(compressions) / sizeof(compressions[0]))

bool compress_word(unsigned int i, struct option_word *w)
{
	w->name = i < COMPRESSIONS ? compressions[i].name : NULL;
	return w->name;
}

int value_compress(struct options *o, const char *value, struct error *e)
{
	size_t length = strcspn(value, ":");
	int i = option_find_word(compress_word, value, length);
	uint64_t level = 0;

	if (i < 0) {
		const struct option_row row = { .value = "COMPRESSION", .words = compress_word };
		char why[OPTION_TEXT];

		return fail(e, EXIT_USAGE, -EINVAL,
			    "--compress %s: %s, optionally with a level, e.g. zstd:3", value,
			    option_wrong_word(why, sizeof(why), &row, value, length));
	}
	if (value[length] &&
	    (value_count("--compress", value + length + 1, &level, e) || !level ||
	     level > compressions[i].levels))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--compress %s: invalid level; %s has levels 1 to %u", value,
			    compressions[i].name, compressions[i].levels);
	o->compression = compressions[i].compression;
	o->level = level;
	return 0;
}
