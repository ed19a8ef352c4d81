// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - see options.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
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

#include "libfxt/address.h"
#include "libfxt/text.h"
#include "libfxt/units.h"
#include "options.h"
#include "source/cgroups.h"
#include "source/groups.h"

/* --- metadata --------------------------------------------------------------------------- */

static bool is_key(const char *key, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!isalnum((unsigned char)key[i]) && !strchr("_-.", key[i]))
			return false;
	return length && length <= METADATA_KEY_MAX;
}

/* One line, as a terminal shows it. */
static bool is_value(const char *value)
{
	size_t length = strlen(value), i;

	for (i = 0; i < length; i++)
		if ((unsigned char)value[i] < ' ' || value[i] == 0x7f)
			return false;
	return length && length <= METADATA_VALUE_MAX &&
	       fxt_utf8_valid(value, length) == length;
}

static bool is_taken(const struct metadata *m, const char *pair, size_t length)
{
	unsigned int i;

	for (i = 0; i < m->count; i++)
		if (!strncmp(m->pairs[i], pair, length + 1))
			return true;
	return false;
}

int metadata_add(struct metadata *m, const char *pair, struct error *e)
{
	const char *equals = strchr(pair, '=');
	size_t length = equals ? (size_t)(equals - pair) : 0;

	if (!equals || !is_key(pair, length))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--metadata %s: use KEY=VALUE, with a KEY of at most %d letters, digits, '_', '-' and '.'",
			    pair, METADATA_KEY_MAX);
	if (!is_value(equals + 1))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--metadata %.*s: invalid value; use one line of 1 to %d bytes in UTF-8",
			    (int)length, pair, METADATA_VALUE_MAX);
	if (is_taken(m, pair, length))
		return fail(e, EXIT_USAGE, -EINVAL, "--metadata %.*s: given twice", (int)length,
			    pair);
	if (m->count == METADATA_MAX)
		return fail(e, EXIT_USAGE, -EINVAL, "--metadata %s: more than %d of them", pair,
			    METADATA_MAX);
	m->pairs[m->count++] = pair;
	return 0;
}

void metadata_describe(const struct metadata *m, FILE *f)
{
	const char *equals;
	unsigned int i;

	for (i = 0; i < m->count; i++) {
		equals = strchr(m->pairs[i], '=');
		fprintf(f, FXT_SCHED_META "%.*s %s\n", (int)(equals - m->pairs[i]), m->pairs[i],
			equals + 1);
	}
}

/* --- the time of the start -------------------------------------------------------------- */

static uint64_t next_multiple(uint64_t now, uint64_t every)
{
	return (now / every + 1) * every;
}

int start_at_parse(struct start_at *s, const char *value, uint64_t now, struct error *e)
{
	uint64_t ns;

	*s = (struct start_at){ 0 };
	if ((*value != '/' && *value != '@') || fxt_parse_time(value + 1, &ns) || !ns ||
	    ns > INT64_MAX)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--start-at %s: invalid time; use e.g. /10s for the next multiple of 10 s, or @SECONDS since 1970, as date +%%s prints them",
			    value);
	if (*value == '/') {
		s->every = ns;
		s->at = next_multiple(now, ns);
		return 0;
	}
	s->at = ns;
	return ns > now ? 0 : fail(e, EXIT_USAGE, -EINVAL, "--start-at %s: this time is in the past; use a later one",
				   value);
}

void start_at_missed(struct start_at *s, uint64_t now)
{
	if (s->every)
		s->at = next_multiple(now, s->every);
}

/* --- options ---------------------------------------------------------------------------- */

/* The words that options take, by what they stand for. */

static const struct option_word source_words[] = {
	[SOURCE_AUTO]	= { "auto", "the module if it can be used, else BPF" },
	[SOURCE_KMOD]	= { "kmod", "the module fxt_sched" },
	[SOURCE_BPF]	= { "bpf", "BPF programs" },
	{ 0 },
};

const struct option_word options_clocks[] = {
	[CLOCK_KIND_BOOT]	= { "boot", "counts while suspended" },
	[CLOCK_KIND_MONO]	= { "mono", "stops while suspended" },
	[CLOCK_KIND_TSC]	= { "tsc", "the cheapest; kmod only" },
	{ 0 },
};

const struct option_word options_weights[] = {
	[WEIGHT_MODE_WEIGHT]	= { "weight", "the load weight" },
	[WEIGHT_MODE_PRIO]	= { "prio", "the kernel's priority" },
	[WEIGHT_MODE_NONE]	= { "none", "omit them, except idle threads'" },
	{ 0 },
};

const struct option_word options_wakeups[] = {
	[WAKEUP_MODE_WAKEUP]	= { "wakeup", "in a run queue" },
	[WAKEUP_MODE_WAKING]	= { "waking", "the waker begins; cheaper" },
	{ 0 },
};

/* By whether these are command lines. */
static const struct option_word name_words[] = {
	[false]	= { "comm", "the kernel's name" },
	[true]	= { "cmdline", "the command line" },
	{ 0 },
};

const struct option_word options_without[] = {
	{ "counters", "of CPUs" },
	{ "instants", "of execs and renames" },
	{ "host", "description of the machine" },
	{ "trigger", "its mark" },
	{ "perfetto-stacks", "copies of stacks in the form that Perfetto reads" },
	{ 0 },
};

const struct option_word options_stacks[] = {
	{ "offcpu", "of threads that slept" },
	{ "preempt", "of threads that were preempted" },
	{ "wake", "of what woke threads" },
	{ "kernel", "only frames of the kernel" },
	{ "user", "only frames of the program" },
	{ "check", "verify them; BPF only" },
	{ "unwind", "by the kernel's unwinder only" },
	{ 0 },
};

/* Of compression, by enum compression; the highest level. */
static const struct {
	const char *name;
	unsigned int levels;
} compressions[] = {
	[COMPRESSION_ZSTD]	= { "zstd", 19 },
	[COMPRESSION_GZIP]	= { "gzip", 9 },
};

#define COMPRESSIONS	(sizeof(compressions) / sizeof(compressions[0]))

const char *options_compression(enum compression c)
{
	return compressions[c].name;
}

const char *options_size_text(char *text, size_t room, uint64_t bytes)
{
	if (bytes % (1 << 20) == 0)
		snprintf(text, room, "%" PRIu64 "M", bytes >> 20);
	else
		snprintf(text, room, "%" PRIu64 "K", (bytes + 1023) >> 10);
	return text;
}

/* --- tracepoints ------------------------------------------------------------------------ */

#define TRACEPOINT_PREFIX	FXT_SCHED_CUSTOM_CATEGORY ":"

#define COUNTER	"=counter"
#define LETTERS	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Cut off the next part at a comma outside of parentheses. */
static char *tracepoint_part(char **rest)
{
	char *part = *rest, *p;
	int depth = 0;

	if (!part)
		return NULL;
	for (p = part; *p && (*p != ',' || depth > 0); p++)
		depth += (*p == '(') - (*p == ')');
	*rest = *p ? p + 1 : NULL;
	*p = '\0';
	return part;
}

static int invalid(const char *part, const char *why, struct error *e)
{
	return fail(e, EXIT_USAGE, -EINVAL,
		    "--events %s: %s; use tp:NAME, tp:NAME(FIELD,...), tp:NAME(FIELD)=counter or tp:NAME(ID,FIELD)=counter, e.g. 'tp:signal_generate(sig,task.comm)'",
		    part, why);
}

/* Copy a word if there is one that fits. Return: its end; NULL if there is none. */
static const char *copy_word(char *to, size_t room, const char *from, const char *letters)
{
	size_t bytes = strspn(from, letters);

	if (!bytes || bytes >= room)
		return NULL;
	memcpy(to, from, bytes);
	to[bytes] = '\0';
	return from + bytes;
}

/* Accept "->" like ".". */
static void write_arrows_as_dots(char *text)
{
	char *arrow;

	while ((arrow = strstr(text, "->"))) {
		*arrow = '.';
		memmove(arrow + 1, arrow + 2, strlen(arrow + 2) + 1);
	}
}

/* Return: the text after the parentheses; NULL with @why if they are wrong. */
static const char *take_fields(struct tracepoint *t, const char *from, const char **why)
{
	do {
		from += 1;
		if (t->field_count == FXT_SCHED_CUSTOM_FIELDS) {
			*why = "more than 6 fields";
			return NULL;
		}
		from = copy_word(t->fields[t->field_count], TRACEPOINT_FIELD, from, LETTERS ".->");
		if (!from) {
			*why = "a field is empty, too long or not a name";
			return NULL;
		}
		write_arrows_as_dots(t->fields[t->field_count++]);
	} while (*from == ',');
	if (*from != ')') {
		*why = "a field is not followed by a comma or a parenthesis";
		return NULL;
	}
	return from + 1;
}

/**
 * tracepoint_add() - add the tracepoint that a part of the value chooses
 * @t: the tracepoints
 * @part: "tp:NAME", "tp:NAME(FIELD,...)", "tp:NAME(FIELD)=counter"
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
static int tracepoint_add(struct tracepoints *all, const char *part, struct error *e)
{
	struct tracepoint *t = &all->all[all->count];
	const char *p, *why;

	_Static_assert(FXT_SCHED_CUSTOM_FIELDS == 6 && FXT_SCHED_CUSTOM_MOST == 8,
		       "messages contain the limits");
	if (all->count == FXT_SCHED_CUSTOM_MOST)
		return invalid(part, "more than 8 tracepoints", e);
	*t = (struct tracepoint){ .field_count = 0 };
	p = copy_word(t->name, sizeof(t->name), part + strlen(TRACEPOINT_PREFIX), LETTERS);
	if (!p)
		return invalid(part, "the name of the tracepoint is missing", e);
	if (*p == '(') {
		p = take_fields(t, p, &why);
		if (!p)
			return invalid(part, why, e);
	}
	t->is_counter = !strcmp(p, COUNTER);
	if (*p && !t->is_counter)
		return invalid(part, "unexpected text after it", e);
	if (t->is_counter && t->field_count != 1 && t->field_count != 2)
		return invalid(part, "a counter has one field, or its id and one field", e);
	all->count++;
	return 0;
}

/* --- values ----------------------------------------------------------------------------- */

/*
 * Each function returns 0, or a negative errno with @e filled in: what is wrong with the value, and
 * what to use instead.
 */

/* With more sub-buffers, a larger share of the buffer can be full before records are lost. */
#define SUBBUFS_WANTED	16
#define SUBBUF_SIZE_BEST	(1ULL << 20)

/**
 * value_word() - index of a word among @words; negative on error
 * @option: with its hyphens
 * @what: name of the value, as in the row of the option
 */
static int value_word(const char *option, const char *what, const char *word, option_words *words,
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

/* "500ms" in ns, more than 0. */
static int value_time(const char *option, const char *value, uint64_t *ns, struct error *e)
{
	if (!fxt_parse_time(value, ns) && *ns)
		return 0;
	return fail(e, EXIT_USAGE, -EINVAL, "%s %s: invalid duration; use e.g. %s", option,
		    value, FXT_TIME_EXAMPLES);
}

/** value_start_at() - "/10s" or "@1767225600", after now */
static int value_start_at(struct start_at *s, const char *value, struct error *e)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return start_at_parse(s, value, now.tv_sec * 1000000000ULL + now.tv_nsec, e);
}

/* "1G" in bytes, more than 0. */
static int value_size(const char *option, const char *value, uint64_t *bytes, struct error *e)
{
	if (!fxt_parse_size(value, bytes) && *bytes)
		return 0;
	return fail(e, EXIT_USAGE, -EINVAL, "%s %s: invalid size; use e.g. %s", option,
		    value, FXT_SIZE_EXAMPLES);
}

/* A number. */
static int value_count(const char *option, const char *value, uint64_t *n, struct error *e)
{
	char *end;

	errno = 0;
	*n = strtoull(value, &end, 10);
	if (*value >= '0' && *value <= '9' && !*end && !errno)
		return 0;
	return fail(e, EXIT_USAGE, -EINVAL, "%s %s: not a number", option, value);
}

/*
 * A size per CPU, divided into sub-buffers.
 * The size of a sub-buffer is a power of two, at least a page.
 */
static int value_buffer(struct options *o, const char *value, struct error *e)
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

/* Parse "3" or "3-5". Return: the text after it; NULL if it is something else. */
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

/* "0-3,8". */
static int value_cpus(struct source_filter *f, const char *value, struct error *e)
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

/* Return: the process of a thread, 0 if /proc does not show it. */
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

/* "12,34". */
static int value_pids(struct source_filter *f, const char *value, struct error *e)
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

/* Parse a pattern for fxt_glob_compile(). */
static int value_pattern(const char *option, const char *value, struct error *e)
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

/* Parse a directory of cgroup v2, or its path below the root. */
static int value_cgroup(struct source_filter *f, const char *value, struct error *e)
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

/* Refuse a time without a unit: that would be seconds, which nobody means here. */
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
	o->config.trigger.limit[FXT_SCHED_CAUSE_RUNNABLE] = n;
	return 0;
}

/* Conditions, by FXT_SCHED_CAUSE_*. */
static const struct {
	const char *begin;
	const char *what;
	uint64_t group;
} conditions[] = {
#define CAUSE(cause, group, argument, word, what, interrupt)	\
	[FXT_SCHED_CAUSE_##cause] = { word ">", what, FXT_SCHED_EVENTS_##group },
	FXT_CAUSES(CAUSE)
#undef CAUSE
};

/* "latency>LIMIT, irq>LIMIT, " */
#define CONDITION_FORM(cause, group, argument, word, ...)	word ">LIMIT, "
#define CONDITION_FORMS	FXT_CAUSES(CONDITION_FORM)

/* Beginnings of triggers; see option_words. */
static bool trigger_word(unsigned int i, struct option_word *w)
{
	if (i >= FXT_SCHED_CAUSES)
		return false;
	*w = (struct option_word){ conditions[i].begin, conditions[i].what };
	return true;
}

/* "NAME>TIME" or "runnable>N". Return: false if @part begins with no condition. */
static bool value_condition(struct options *o, const char *part, int *ret, struct error *e)
{
	size_t i, length;
	char name[16];

	for (i = 0; i < FXT_SCHED_CAUSES; i++) {
		length = strlen(conditions[i].begin);
		if (strncmp(part, conditions[i].begin, length))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)length - 1, part);
		*ret = i == FXT_SCHED_CAUSE_RUNNABLE ?
		       value_runnable(o, part + length, e) :
		       value_limit(name, part + length, &o->config.trigger.limit[i], e);
		return true;
	}
	return false;
}

static bool has_limit(const struct source_trigger *t)
{
	unsigned int i;

	for (i = 0; i < FXT_SCHED_CAUSES; i++)
		if (t->limit[i])
			return true;
	return false;
}

/* Do the conditions fit together? */
static int check_trigger(const struct options *o, struct error *e)
{
	const struct source_trigger *t = &o->config.trigger;

	if (!has_limit(t))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--trigger %s: no limit; use e.g. 'latency>5ms'", o->trigger);
	if (!t->limit[FXT_SCHED_CAUSE_LATENCY] && (t->comm || t->pid))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--trigger %s: comm= and pid= select threads that wait; use them with latency>TIME",
			    o->trigger);
	return 0;
}

/** value_trigger() - "latency>5ms:comm=x*:pid=12:runnable>8"; @value is cut into pieces */
static int value_trigger(struct options *o, char *value, struct error *e)
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
				   "--trigger %s: invalid trigger \"%s\"; use " CONDITION_FORMS "and with latency comm=PATTERN or pid=PID, e.g. 'latency>5ms:comm=nginx*'",
				   o->trigger, part);
		}
	}
	return ret ? ret : check_trigger(o, e);
}

/* "size=1G,time=10m". */
static int value_rotate(struct options *o, char *value, struct error *e)
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

/* Parse "irq,work", "all" or "none". */
static int value_events(struct options *o, char *value, struct error *e)
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
			continue;	/* always recorded */
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

/* "counters,instants", names of parts only. */
static void value_without(struct options *o, char *value)
{
	char *part;
	int i;

	while ((part = strsep(&value, ",")))
		for (i = 0; options_without[i].name; i++)
			if (!strcmp(part, options_without[i].name))
				o->without |= 1 << i;
}

/* Kinds of compression; see option_words. */
static bool compress_word(unsigned int i, struct option_word *w)
{
	/* The first kind is none. */
	w->name = i + 1 < COMPRESSIONS ? compressions[i + 1].name : NULL;
	return w->name;
}

/* "zstd:3". */
static int value_compress(struct options *o, const char *value, struct error *e)
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
	o->compression = i + 1;
	if (value[length] &&
	    (value_count("--compress", value + length + 1, &level, e) || !level ||
	     level > compressions[o->compression].levels))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--compress %s: invalid level; %s has levels 1 to %u", value,
			    compressions[o->compression].name,
			    compressions[o->compression].levels);
	o->level = level;
	return 0;
}

/* --- call stacks ------------------------------------------------------------------------ */

#define STACKS_DEPTH	32		/* the default */
#define STACKS_MIN_NS	100000ULL	/* likewise */

/* The same; see option_words. */
static bool stacks_word(unsigned int i, struct option_word *w)
{
	*w = options_stacks[i];
	return w->name;
}

static int take_depth(struct source_stacks *s, const char *value, struct error *e)
{
	char *end;
	unsigned long depth = *value >= '0' && *value <= '9' ? strtoul(value, &end, 10) : 0;

	if (!depth || *end || depth > FXT_SCHED_STACK_FRAMES)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--stacks :%s: invalid number of frames; use 1 to %u", value,
			    FXT_SCHED_STACK_FRAMES);
	s->depth = depth;
	return 0;
}

/** value_stacks() - "offcpu,wake:16"; @value is cut into pieces. Return: 0 or a negative errno */
static int value_stacks(struct source_stacks *s, char *value, struct error *e)
{
	char *depth = strchr(value, ':'), *part;
	int n;

	if (depth) {
		*depth++ = '\0';
		n = take_depth(s, depth, e);
		if (n)
			return n;
	}
	while ((part = strsep(&value, ","))) {
		n = value_word("--stacks", "KIND", part, stacks_word, e);
		if (n < 0)
			return n;
		s->what |= 1 << n;
	}
	if (!(s->what & STACKS_KINDS))
		s->what |= STACKS_OFFCPU;
	if (!(s->what & STACKS_FRAMES))
		s->what |= STACKS_FRAMES;
	return 0;
}

/* "50us", "0". Return: likewise. */
static int value_stacks_min(struct source_stacks *s, const char *value, struct error *e)
{
	s->min = 0;
	return strcmp(value, "0") ? value_time("--stacks-min", value, &s->min, e) : 0;
}

/* --- completion in shells ------------------------------------------------------------------ */

/*
 * Completion of values that depend on this machine.
 *
 * In: the beginning of a value.
 * Out: words, by option_offer().
 */

#define TRACEPOINTS	"/sys/kernel/tracing/available_events"

static void offer_tracepoints(struct option_offers *o)
{
	FILE *f = fopen(TRACEPOINTS, "re");
	char line[256], name[sizeof(line) + sizeof(TRACEPOINT_PREFIX)], *colon;

	if (!f)
		return;		/* only root may read it */
	while (fgets(line, sizeof(line), f)) {
		colon = strchr(line, ':');
		/* Tracepoints of single system calls do not exist by themselves. */
		if (!colon || !strncmp(line, "syscalls:", strlen("syscalls:")))
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		snprintf(name, sizeof(name), TRACEPOINT_PREFIX "%s", colon + 1);
		option_offer(o, name, NULL);
	}
	fclose(f);
}

/* Values of -e other than groups; after "tp:", tracepoints of this kernel. */
static void offer_events(struct option_offers *o, const char *typed)
{
	option_offer(o, "all", "all groups that this kernel has");
	option_offer(o, "none", "only switches, wakeups and names");
	option_offer(o, "help", "list the groups and their cost");
	if (strncmp(typed, TRACEPOINT_PREFIX, strlen(TRACEPOINT_PREFIX)))
		option_offer(o, TRACEPOINT_PREFIX, "a tracepoint");
	else
		offer_tracepoints(o);
}

/* Offer the cgroups one level below what was typed. */
static void offer_cgroups(struct option_offers *o, const char *typed)
{
	const char *slash = strrchr(typed, '/');
	int parent = slash ? (int)(slash - typed) : 0;
	char root[1024], path[2048];
	struct dirent *d;
	DIR *dir;

	if (cgroups_root(root, sizeof(root)))
		return;
	snprintf(path, sizeof(path), "%s%.*s/", root, parent, typed);
	dir = opendir(path);
	while (dir && (d = readdir(dir))) {
		if (d->d_type != DT_DIR || d->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%.*s/%s/", parent, typed, d->d_name);
		option_offer(o, path, NULL);
	}
	if (dir)
		closedir(dir);
}

/* --- the command line ------------------------------------------------------------------- */

#define BUFFER_LEAST	"4M"
#define BUFFER_MOST	"16M"
/* All buffers take at most this part of the memory, unless BUFFER_LEAST is more. */
#define MEMORY_SHARE	512
/* With stacks of short sleeps, each switch takes several times the bytes. */
#define BUFFER_MOST_STACKS	"64M"
#define MEMORY_SHARE_STACKS	128

static const char about[] =
"usage: fxt-collect [OPTION...] [-- COMMAND [ARGUMENT...]]\n"
"Records all scheduling of the system into an FXT archive: until Ctrl-C, for a\n"
"given time, or while COMMAND runs. Open the archive at https://ui.perfetto.dev.\n"
"\n";

static const char more[] =
"\n"
"exit status: that of COMMAND if it ran and everything was recorded; else 0 success,\n"
"1 recording or writing failed, 2 wrong usage, 3 no source to record with, 4 not\n"
"permitted, 5 too many recordings with the module, 6 the archive ends early: no space,\n"
"no reader or no receiver, 7 records were lost, with --fail-on-loss; 126 COMMAND cannot be\n"
"executed, 127 COMMAND not found.\n";

/* Options without a letter. */
enum {
	OPT_WEIGHT = OPTION_LONG,
	OPT_WAKEUPS,
	OPT_NAMES,
	OPT_WITHOUT,
	OPT_COMM,
	OPT_CGROUP,
	OPT_TRIGGER,
	OPT_AFTER,
	OPT_SNAPSHOTS,
	OPT_ROTATE,
	OPT_KEEP,
	OPT_MAX_SIZE,
	OPT_STATS,
	OPT_FORCE,
	OPT_STACKS,
	OPT_STACKS_MIN,
	OPT_NO_SYMBOLS,
	OPT_START_AT,
	OPT_FAIL_ON_LOSS,
	OPT_TLS_CERT,
	OPT_TLS_KEY,
	OPT_TLS_CA,
};

/* Words of an option: a table as option_words. */
#define WORDS(function, table)							\
	static bool function(unsigned int i, struct option_word *w)		\
	{									\
		*w = (table)[i];						\
		return w->name;							\
	}

static const struct option_word address_words[] = {
	{ "tcp://", NULL }, { "tls://", NULL }, { "unix:", NULL }, { "vsock:", NULL }, { 0 },
};

static const struct option_word start_words[] = {
	{ "/", "multiple of a time" }, { "@", "seconds since 1970" }, { 0 },
};

static const struct option_word rotate_words[] = { { "size=", NULL }, { "time=", NULL }, { 0 } };

WORDS(source_word, source_words)
WORDS(clock_word, options_clocks)
WORDS(weight_word, options_weights)
WORDS(wakeups_word, options_wakeups)
WORDS(names_word, name_words)
WORDS(without_word, options_without)
WORDS(address_word, address_words)
WORDS(start_word, start_words)
WORDS(rotate_word, rotate_words)

static const struct option_row rows[] = {
	OPTION_TITLE("Recording"),
	OPTION('o', "output", "FILE", "write FILE; - is standard output (default: "
	       FXT_SCHED_ARCHIVE "); tcp://HOST:PORT, unix:PATH, vsock:CID:PORT: send it to a "
	       "receiver, see fxt receive; tls://HOST:PORT: encrypted",
	       .kind = OPTION_FILE, .words = address_word),
	OPTION(OPT_TLS_CERT, "tls-cert", "FILE", "certificate of this sender, for tls://",
	       .kind = OPTION_FILE),
	OPTION(OPT_TLS_KEY, "tls-key", "FILE", "its key", .kind = OPTION_FILE),
	OPTION(OPT_TLS_CA, "tls-ca", "FILE", "certificates of the authorities that sign those of "
		"receivers",
	       .kind = OPTION_FILE),
	OPTION(OPT_FORCE, "force", NULL, "replace FILE even if it is not an archive; an archive is "
	       "always replaced, and kept as FILE.old"),
	OPTION('M', "metadata", "KEY=VALUE", "add KEY=VALUE to the description of the recording; "
	       "up to 16 times"),
	OPTION('d', "duration", "TIME", "stop after TIME: 500ms, 10s, 2m"),
	OPTION(OPT_START_AT, "start-at", "WHEN", "start at the next multiple of a time on the wall "
	       "clock, e.g. /10s, or at @SECONDS since 1970; COMMAND starts then, and --duration "
	       "and --rotate count from there",
	       .kind = OPTION_BEGIN, .words = start_word),
	OPTION('s', "source", "SOURCE", "choose what records: {meanings} (default: auto)",
	       .kind = OPTION_WORD, .words = source_word),
	OPTION('b', "buffer", "SIZE", "allocate SIZE per CPU: 512K, 16M (default: " BUFFER_LEAST
	       " to " BUFFER_MOST ", depending on the memory)"),
	OPTION('c', "clock", "CLOCK", "choose the clock: {meanings} (default: boot)",
	       .kind = OPTION_WORD, .words = clock_word),
	OPTION(OPT_WEIGHT, "weight", "KIND", "choose the weights of records: {meanings} (default: "
	       "weight)", .kind = OPTION_WORD, .words = weight_word),
	OPTION(OPT_WAKEUPS, "wakeups", "WHEN", "choose when threads count as woken: {meanings}; "
	       "with waking on the CPU that they ran on last (default: wakeup)",
	       .kind = OPTION_WORD, .words = wakeups_word),
	OPTION(OPT_NAMES, "names", "KIND", "choose the names of processes: {meanings} (default: "
	       "comm)", .kind = OPTION_WORD, .words = names_word),
	OPTION(OPT_WITHOUT, "without", "KIND,..", "omit parts of the archive: {meanings}",
	       .kind = OPTION_WORDS, .words = without_word),
	OPTION('e', "events", "GROUP,..", "also record {words}; all: all groups that this kernel "
	       "has; none; help lists them with their cost; 'tp:NAME(FIELD,..)': any tracepoint, "
	       "with BPF (default: none)", .kind = OPTION_BEGINS, .words = event_group_word,
	       .offer = offer_events),
	OPTION(OPT_STACKS, "stacks", "WHAT,..[:DEPTH]", "record call stacks: {meanings}; "
	       "at most :DEPTH frames (default: offcpu, both kinds of frames, 32 of each)",
	       .kind = OPTION_BEGINS, .words = stacks_word),
	OPTION(OPT_STACKS_MIN, "stacks-min", "TIME", "record stacks only of threads that were off "
	       "the CPU for TIME (default: 100us)"),
	OPTION(OPT_NO_SYMBOLS, "no-symbols", NULL, "do not name functions in stacks; fxt symbolize "
	       "can do that later"),
	OPTION_TITLE("Filters"),
	OPTION('C', "cpus", "LIST", "record only these CPUs: 0-3,8"),
	OPTION('p', "pid", "PID,..", "record only these processes and those that they start during "
	       "the recording", .kind = OPTION_PIDS),
	OPTION(OPT_COMM, "comm", "PATTERN", "record only threads with a matching name: 'nginx*'",
	       .kind = OPTION_COMM),
	OPTION(OPT_CGROUP, "cgroup", "PATH", "record only a cgroup (v2) and its descendants",
	       .offer = offer_cgroups),
	OPTION_TITLE("Flight recorder"),
	OPTION('F', "flight-recorder", NULL, "keep the newest records in memory; write FILE-0001, "
	       "FILE-0002, ... on SIGUSR1, when the trigger fires, and at the end"),
	OPTION(OPT_TRIGGER, "trigger", "EVENT", "fire when a limit is exceeded: {meanings}; e.g. "
	       "'latency>1ms:comm=kworker*:pid=12:runnable>8'", .kind = OPTION_BEGIN,
	       .words = trigger_word),
	OPTION(OPT_AFTER, "after", "TIME", "continue for TIME after the trigger (default: 0)"),
	OPTION(OPT_SNAPSHOTS, "snapshots", "N", "stop after N snapshots, 0 for no limit (default: 1 "
	       "with --trigger but without --keep, else 0)"),
	OPTION_TITLE("Compression and rotation"),
	OPTION('z', "compress", "KIND", "compress with zstd or gzip, optionally at :LEVEL; implied if "
	       "FILE ends in .zst or .gz", .kind = OPTION_BEGIN, .words = compress_word),
	OPTION(OPT_ROTATE, "rotate", "LIMIT", "start a new FILE-DATE-TIME after LIMIT: "
	       "size=1G,time=10m", .kind = OPTION_BEGINS, .words = rotate_word),
	OPTION(OPT_KEEP, "keep", "N", "keep only the newest N files"),
	OPTION(OPT_MAX_SIZE, "max-size", "SIZE", "stop when FILE reaches SIZE"),
	OPTION_TITLE("Output"),
	OPTION(OPT_STATS, "stats-json", "FILE", "write counts, losses and times at the end; - is "
	       "standard output", .kind = OPTION_FILE),
	OPTION(OPT_FAIL_ON_LOSS, "fail-on-loss", NULL, "end with status 7 if records were lost or "
	       "anything else is missing"),
	OPTION('q', "quiet", NULL, "print errors and losses only"),
	OPTION('v', "verbose", NULL, "print progress"),
	OPTION_HELP,
	OPTION('V', "version", NULL, "print the version"),
	{ 0 },
};

/* @p: its option has one of the words of its row. */
static int choice(const struct option_row *row, const struct option_parser *p)
{
	return option_find_word(row->words, p->value, strlen(p->value));
}

/* Return: 0, a negative errno, or 1 if the option is not handled here. */
static int set_source_option(struct options *o, const struct option_row *row,
			     const struct option_parser *p, struct error *e)
{
	switch (row->key) {
	case 's':
		o->source = choice(row, p);
		return 0;
	case 'b':
		return value_buffer(o, optarg, e);
	case 'c':
		o->config.clock = choice(row, p);
		return 0;
	case OPT_WEIGHT:
		o->config.weight = choice(row, p);
		return 0;
	case OPT_WAKEUPS:
		o->config.wakeups = choice(row, p);
		return 0;
	case 'e':
		return value_events(o, optarg, e);
	case OPT_STACKS:
		return value_stacks(&o->config.stacks, optarg, e);
	case OPT_STACKS_MIN:
		o->has_stacks_min = true;
		return value_stacks_min(&o->config.stacks, optarg, e);
	case OPT_NO_SYMBOLS:
		o->no_symbols = true;
		return 0;
	case 'C':
		return value_cpus(&o->filter, optarg, e);
	case 'p':
		return value_pids(&o->filter, optarg, e);
	case OPT_COMM:
		o->filter.comm = optarg;
		return value_pattern("--comm", optarg, e);
	case OPT_CGROUP:
		return value_cgroup(&o->filter, optarg, e);
	case 'F':
		o->config.overwrite = true;
		return 0;
	case OPT_TRIGGER:
		return value_trigger(o, optarg, e);
	case OPT_AFTER:
		return value_time("--after", optarg, &o->config.trigger.after, e);
	}
	return 1;
}

static int set_file_option(struct options *o, const struct option_row *row,
			   const struct option_parser *p, struct error *e)
{
	switch (row->key) {
	case 'o':
		o->output = optarg;
		break;
	case OPT_FORCE:
		o->force = true;
		break;
	case OPT_TLS_CERT:
		o->tls.cert = optarg;
		break;
	case OPT_TLS_KEY:
		o->tls.key = optarg;
		break;
	case OPT_TLS_CA:
		o->tls.ca = optarg;
		break;
	case 'M':
		return metadata_add(&o->metadata, optarg, e);
	case 'd':
		return value_time("--duration", optarg, &o->duration, e);
	case OPT_START_AT:
		return value_start_at(&o->start_at, optarg, e);
	case OPT_NAMES:
		o->names.cmdline = choice(row, p);
		break;
	case OPT_WITHOUT:
		value_without(o, optarg);
		break;
	case OPT_SNAPSHOTS:
		return value_count("--snapshots", optarg, &o->snapshots, e);
	case 'z':
		return value_compress(o, optarg, e);
	case OPT_ROTATE:
		return value_rotate(o, optarg, e);
	case OPT_KEEP:
		return value_count("--keep", optarg, &o->keep, e);
	case OPT_MAX_SIZE:
		return value_size("--max-size", optarg, &o->max_size, e);
	case OPT_STATS:
		o->stats = optarg;
		break;
	case OPT_FAIL_ON_LOSS:
		o->fail_on_loss = true;
		break;
	case 'q':
		o->quiet = true;
		break;
	case 'v':
		o->verbose = true;
		break;
	}
	return 0;
}

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && !strcmp(text + n - m, end);
}

static void compress_by_ending(struct options *o)
{
	if (o->compression != COMPRESSION_NONE || fxt_address_is(o->output))
		return;
	if (ends_in(o->output, ".zst") || ends_in(o->output, ".zstd"))
		o->compression = COMPRESSION_ZSTD;
	else if (ends_in(o->output, ".gz"))
		o->compression = COMPRESSION_GZIP;
}

/* Check an address, and options that receivers do not support. */
static int check_receiver(const struct options *o, struct error *e)
{
	struct fxt_address address;
	const char *wrong;

	if (!fxt_address_is(o->output))
		return 0;
	wrong = fxt_address_parse(&address, o->output, false);
	if (wrong)
		return fail(e, EXIT_USAGE, -EINVAL, "--output %s: %s; use " FXT_ADDRESS_EXAMPLES
			    ", or ./%s for a file", o->output, wrong, o->output);
	if (address.is_tls && !(o->tls.cert && o->tls.key && o->tls.ca))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--output %s: tls:// needs --tls-cert, --tls-key and --tls-ca",
			    o->output);
	if (o->keep)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--keep can only remove files, not what was sent to %s", o->output);
	return 0;
}

/* Refuse options that contradict each other. */
static int check_options(const struct options *o, struct error *e)
{
	bool standard = !strcmp(o->output, "-");

	if (!o->config.overwrite && o->trigger)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--trigger requires --flight-recorder");
	if (!o->trigger && o->config.trigger.after)
		return fail(e, EXIT_USAGE, -EINVAL, "--after requires --trigger");
	if (!o->config.overwrite && o->snapshots)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--snapshots requires --flight-recorder");
	if (o->config.overwrite && (options_rotate(o) || o->max_size))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--flight-recorder cannot be combined with --rotate or --max-size: it writes only what its buffers hold");
	if (o->has_stacks_min && !o->config.stacks.what)
		return fail(e, EXIT_USAGE, -EINVAL, "--stacks-min requires --stacks");
	if (o->no_symbols && !o->config.stacks.what)
		return fail(e, EXIT_USAGE, -EINVAL, "--no-symbols requires --stacks");
	if (o->keep && !options_makes_files(o))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--keep requires --rotate or --flight-recorder");
	if (standard && (o->config.overwrite || options_rotate(o)))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--flight-recorder and --rotate write several files; give --output a file name");
	if (standard && o->stats && !strcmp(o->stats, "-"))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--output and --stats-json cannot both be standard output");
	return 0;
}

/* A larger buffer need not be read as often. */
static void default_buffer(struct options *o, struct error *e)
{
	bool is_large = o->config.stacks.what && o->config.stacks.min < STACKS_MIN_NS;
	uint64_t share = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) /
			 (is_large ? MEMORY_SHARE_STACKS : MEMORY_SHARE) /
			 sysconf(_SC_NPROCESSORS_CONF), most;
	char size[24];

	fxt_parse_size(is_large ? BUFFER_MOST_STACKS : BUFFER_MOST, &most);
	value_buffer(o, BUFFER_LEAST, e);
	while (o->buffer < most && o->buffer * 2 <= share) {
		snprintf(size, sizeof(size), "%" PRIu64, o->buffer * 2);
		value_buffer(o, size, e);
	}
}

static int finish_options(struct options *o, bool has_snapshots, struct error *e)
{
	const struct source_filter *f = &o->filter;
	unsigned int i;
	int ret;

	compress_by_ending(o);
	if (!o->buffer)
		default_buffer(o, e);
	if (f->cpus || f->pid_count || f->comm || f->cgroup)
		o->config.filter = f;
	/* E.g. interrupts can only be measured if they are recorded. */
	for (i = 0; i < FXT_SCHED_CAUSES; i++)
		if (o->config.trigger.limit[i])
			o->config.events |= conditions[i].group;
	if (o->trigger && !has_snapshots && !o->keep)
		o->snapshots = 1;
	ret = check_options(o, e);
	return ret ? ret : check_receiver(o, e);
}

static void print_events(void)
{
	const struct event_group *g;

	for (g = event_groups; g->name; g++) {
		printf("%-8s %s (%s", g->name, g->what, g->cost);
		if (g->instructions)
			printf("; %s instructions", g->instructions);
		if (g->who != FXT_BY_BOTH)
			fputs("; BPF only", stdout);
		if (g->since)
			printf("; Linux %s or later", g->since);
		puts(")");
	}
	puts("all      all groups that this kernel has\n"
	     "none     only sched\n"
	     "tp:NAME(FIELD,..)  with BPF: any tracepoint of the kernel, with these fields of its\n"
	     "         arguments (32 to 280 bytes each); tp:NAME(FIELD)=counter,\n"
	     "         tp:NAME(ID,FIELD)=counter: as a counter\n"
	     "instructions: what the kernel executes for one event, with the module / with BPF,\n"
	     "         counted on x86-64 with Linux 6.1 (not counted: what needs several CPUs, waits,\n"
	     "         or varies more than that); groups that are off cost nothing");
}

static void set_defaults(struct options *o)
{
	*o = (struct options){ .output = FXT_SCHED_ARCHIVE, .names.cgroups = true };
	o->config.events = FXT_SCHED_EVENTS_SCHED;
	o->config.stacks.depth = STACKS_DEPTH;
	o->config.stacks.min = STACKS_MIN_NS;
	o->config.tracepoints = &o->tracepoints;
}

/* Print what an option requests instead of recording. Return: false if no option does. */
static bool print_instead(int c, const char *value)
{
	if (c == 'h') {
		fputs(about, stdout);
		option_print_help(stdout, rows);
		fputs(more, stdout);
	} else if (c == 'V') {
		puts("fxt-collect " FXT_VERSION);
	} else if (c == 'e' && !strcmp(value, "help")) {
		print_events();
	} else {
		return false;
	}
	return true;
}

/*
 * Print completions for shells, or options for scripts/options.sh. Return: false if neither is
 * requested.
 */
static bool print_for_others(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "--complete"))
		option_complete(rows, argv + 2, argc - 2, OPTION_COMMAND, true);
	else if (argc > 1 && !strcmp(argv[1], "--print-options"))
		option_print_rows(stdout, "fxt-collect", rows);
	else
		return false;
	return true;
}

static int refuse(const struct option_row *row, const struct option_parser *p, struct error *e)
{
	if (p->value)
		return fail(e, EXIT_USAGE, -EINVAL, "--%s %s: %s", row->name, p->value, p->why);
	return fail(e, EXIT_USAGE, -EINVAL, "%s; see --help", p->why);
}

int options_parse(struct options *o, int argc, char **argv, struct error *e)
{
	struct option_parser p = { .rows = rows };
	const struct option_row *row;
	bool has_snapshots = false;
	int c, ret;

	set_defaults(o);
	if (print_for_others(argc, argv))
		return OPTIONS_END;
	while ((c = option_next(&p, argc, argv, true, &row)) != -1) {
		if (c == '?')
			return refuse(row, &p, e);
		if (print_instead(c, p.value))
			return OPTIONS_END;
		has_snapshots |= c == OPT_SNAPSHOTS;
		ret = set_source_option(o, row, &p, e);
		if (ret == 1)
			ret = set_file_option(o, row, &p, e);
		if (ret)
			return ret;
	}
	if (optind < argc)
		o->command = argv + optind;
	return finish_options(o, has_snapshots, e);
}
