// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - see options.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
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
#include "libfxt/clock.h"
#include "libfxt/text.h"
#include "libfxt/units.h"
#include "options.h"
#include "source/cgroups.h"
#include "source/groups.h"

/* --- what is wrong with a value --------------------------------------------------------- */

#define WRONG_TIME	"invalid duration; use e.g. " FXT_TIME_EXAMPLES
#define WRONG_SIZE	"invalid size; use e.g. " FXT_SIZE_EXAMPLES

/* The result of an option_setter, valid until the next one. */
static __attribute__((format(printf, 1, 2))) const char *wrong(const char *format, ...)
{
	static char why[OPTION_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	return why;
}

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

const char *metadata_add(void *metadata, const char *pair)
{
	const char *equals = strchr(pair, '=');
	size_t length = equals ? (size_t)(equals - pair) : 0;
	struct metadata *m = metadata;

	if (!equals || !is_key(pair, length))
		return wrong("use KEY=VALUE, with a KEY of at most %d letters, digits, '_', '-' and '.'",
			     METADATA_KEY_MAX);
	if (!is_value(equals + 1))
		return wrong("invalid value; use one line of 1 to %d bytes in UTF-8",
			     METADATA_VALUE_MAX);
	if (is_taken(m, pair, length))
		return "this key is given twice";
	if (m->count == METADATA_MAX)
		return wrong("more than %d of them", METADATA_MAX);
	m->pairs[m->count++] = pair;
	return NULL;
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

const char *start_at_parse(struct start_at *s, const char *value, uint64_t now)
{
	uint64_t ns;

	*s = (struct start_at){ 0 };
	if ((*value != '/' && *value != '@') || fxt_parse_time(value + 1, &ns) || !ns ||
	    ns > INT64_MAX)
		return "invalid time; use e.g. /10s for the next multiple of 10 s, or @SECONDS since 1970, as date +%s prints them";
	s->every = *value == '/' ? ns : 0;
	s->at = s->every ? next_multiple(now, ns) : ns;
	return s->at > now ? NULL : "this time is in the past; use a later one";
}

void start_at_missed(struct start_at *s, uint64_t now)
{
	if (s->every)
		s->at = next_multiple(now, s->every);
}

/* --- options ---------------------------------------------------------------------------- */

/* The words that options take. */

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

/* By names_options.cmdline. */
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
	{ "oncpu", "of threads that run, oncpu:HZ times per second and CPU (default: 99)" },
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

static const char *invalid(const char *part, const char *why)
{
	return wrong("%s: %s; use tp:NAME, tp:NAME(FIELD,...), tp:NAME(FIELD)=counter or tp:NAME(ID,FIELD)=counter, e.g. 'tp:signal_generate(sig,task.comm)'",
		     part, why);
}

/* Copy a word if there is one that fits. Return: its end, or NULL */
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

/* Return: the text after the parentheses; NULL with @why if they are wrong */
static const char *parse_fields(struct tracepoint *t, const char *from, const char **why)
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

/* "tp:NAME", "tp:NAME(FIELD,...)", "tp:NAME(FIELD)=counter" */
static const char *tracepoint_add(struct tracepoints *all, const char *part)
{
	struct tracepoint *t = &all->all[all->count];
	const char *p, *why;

	_Static_assert(FXT_SCHED_CUSTOM_FIELDS == 6 && FXT_SCHED_CUSTOM_MOST == 8,
		       "messages contain the limits");
	if (all->count == FXT_SCHED_CUSTOM_MOST)
		return invalid(part, "more than 8 tracepoints");
	*t = (struct tracepoint){ .field_count = 0 };
	p = copy_word(t->name, sizeof(t->name), part + strlen(TRACEPOINT_PREFIX), LETTERS);
	if (!p)
		return invalid(part, "the name of the tracepoint is missing");
	if (*p == '(') {
		p = parse_fields(t, p, &why);
		if (!p)
			return invalid(part, why);
	}
	t->is_counter = !strcmp(p, COUNTER);
	if (*p && !t->is_counter)
		return invalid(part, "unexpected text after it");
	if (t->is_counter && t->field_count != 1 && t->field_count != 2)
		return invalid(part, "a counter has one field, or its id and one field");
	all->count++;
	return NULL;
}

/* --- values ----------------------------------------------------------------------------- */

/* With more sub-buffers, a larger share of the buffer can be full before records are lost. */
#define SUBBUFS_WANTED	16
#define SUBBUF_SIZE_BEST	(1ULL << 20)

/* "/10s" or "@1767225600" */
static const char *set_start_at(void *start_at, const char *value)
{
	return start_at_parse(start_at, value, clock_ns(CLOCK_REALTIME));
}

/* "500ms" in ns, more than 0. */
static bool parse_time(const char *value, uint64_t *ns)
{
	return !fxt_parse_time(value, ns) && *ns;
}

static bool parse_count(const char *value, uint64_t *n)
{
	char *end;

	errno = 0;
	*n = strtoull(value, &end, 10);
	return *value >= '0' && *value <= '9' && !*end && !errno;
}

/* A size per CPU, divided into sub-buffers of a power of two, at least a page. */
static const char *set_buffer(void *options, const char *value)
{
	uint64_t page = sysconf(_SC_PAGESIZE), size = page;
	struct options *o = options;

	if (fxt_parse_size(value, &o->buffer) ||
	    o->buffer > FXT_SCHED_BUFFER_SIZE_MAX ||
	    o->buffer < FXT_SCHED_SUBBUF_COUNT_MIN * page)
		return wrong("invalid size; use %" PRIu64 "K to %uM per CPU, e.g. 4M",
			     FXT_SCHED_SUBBUF_COUNT_MIN * page >> 10, FXT_SCHED_BUFFER_SIZE_MAX >> 20);
	while (size < SUBBUF_SIZE_BEST && size * 2 * SUBBUFS_WANTED <= o->buffer)
		size *= 2;
	o->config.subbuf_size = size;
	o->config.subbuf_count = o->buffer / size;
	return NULL;
}

static const char *set_names(void *is_cmdline, const char *value)
{
	*(bool *)is_cmdline = !strcmp(value, name_words[true].name);
	return NULL;
}

/* --- filters --------------------------------------------------------------------- */

/* "3" or "3-5". Return: the text after it, or NULL */
static const char *parse_range(const char *p, unsigned long *from, unsigned long *to)
{
	char *end;

	if (*p < '0' || *p > '9')
		return NULL;
	*from = *to = strtoul(p, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		*to = strtoul(end + 1, &end, 10);
	return *from <= *to ? end : NULL;
}

/* "0-3,8" */
static const char *set_cpus(void *filter, const char *value)
{
	unsigned long cpus = sysconf(_SC_NPROCESSORS_CONF), from, to;
	struct source_filter *f = filter;
	const char *p = value;

	for (;;) {
		p = parse_range(p, &from, &to);
		if (!p || to >= MAX_CPUS)
			break;
		if (to >= cpus)
			return wrong("this machine has no CPU %lu; its CPUs are 0-%lu", to, cpus - 1);
		memset(f->has_cpu + from, true, to - from + 1);
		if (!*p) {
			f->cpus = value;
			return NULL;
		}
		if (*p++ != ',')
			break;
	}
	return "invalid CPU list; use numbers and ranges, e.g. 0-3,8";
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
static const char *check_process(unsigned long pid)
{
	unsigned long process;

	if (kill(pid, 0) && errno == ESRCH)
		return wrong("no process %lu", pid);
	process = process_of(pid);
	if (process && process != pid)
		return wrong("%lu is a thread of process %lu; use that process, or record everything and use fxt dump --tid",
			     pid, process);
	return NULL;
}

/* "12,34" */
static const char *set_pids(void *filter, const char *value)
{
	struct source_filter *f = filter;
	const char *p = value, *why;
	unsigned long pid;
	char *end;

	for (;; p = end + 1) {
		pid = *p >= '0' && *p <= '9' ? strtoul(p, &end, 10) : 0;
		if (!pid || pid >= FXT_SCHED_TID_END || (*end && *end != ','))
			return "invalid list of process ids; use e.g. 12,345";
		if (f->pid_count == FXT_SCHED_FILTER_PIDS_MAX)
			return wrong("more than %d processes; record everything and use fxt dump --pid, or use --cgroup",
				     FXT_SCHED_FILTER_PIDS_MAX);
		why = check_process(pid);
		if (why)
			return why;
		f->pids[f->pid_count++] = pid;
		if (!*end)
			return NULL;
	}
}

static const char *set_pattern(void *pattern, const char *value)
{
	struct fxt_glob glob;

	*(const char **)pattern = value;
	if (*value && strlen(value) < FXT_GLOB_TEXT && !strchr(value, '\n') &&
	    !fxt_glob_compile(&glob, value))
		return NULL;
	return "invalid pattern; thread names have at most 15 bytes; use *, ? and [a-z], e.g. 'nginx*'";
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

/* A directory of cgroup v2, or its path below the root. */
static const char *set_cgroup(void *filter, const char *value)
{
	char root[1024], whole[5120], *real;
	struct source_filter *f = filter;
	const char *p = value;
	struct stat st;

	if (cgroups_root(root, sizeof(root)))
		return "cgroup v2 is not mounted; run mount -t cgroup2 none /sys/fs/cgroup";
	if (!strncmp(p, root, strlen(root)) &&
	    (p[strlen(root)] == '/' || !p[strlen(root)]))
		p += strlen(root);
	snprintf(whole, sizeof(whole), "%s/%.4000s", root, p);
	real = realpath(whole, NULL);
	if (!is_cgroup(real, root, &st)) {
		free(real);
		return wrong("no such cgroup below %s", root);
	}
	f->cgroup_is_empty = !is_populated(real);
	/* @real is not freed: the filter refers to it. */
	f->cgroup_dir = real;
	p = real + strlen(root);
	f->cgroup = *p ? p : "/";
	f->cgroup_id = st.st_ino;
	for (; *p; p++)
		f->cgroup_level += *p == '/';
	return NULL;
}

/* --- several in one --------------------------------------------------------------- */

/* By FXT_SCHED_CAUSE_*. */
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

/* Parse the value after a condition. */
static const char *set_limit(struct options *o, unsigned int cause, const char *value)
{
	uint64_t *limit = &o->config.trigger.limit[cause];

	if (cause == FXT_SCHED_CAUSE_RUNNABLE)
		return parse_count(value, limit) && *limit && *limit <= UINT32_MAX ? NULL :
		       "not a number of threads; use e.g. 'runnable>8'";
	if (!parse_time(value, limit))
		return WRONG_TIME;
	/* That would be seconds, which nobody means here. */
	if (isdigit((unsigned char)value[strlen(value) - 1]))
		return wrong("time without a unit; use e.g. '%s%sms'", conditions[cause].begin, value);
	return NULL;
}

/* "NAME>TIME", "runnable>N", "comm=PATTERN" or "pid=PID" */
static const char *set_condition(struct options *o, const char *part)
{
	struct source_trigger *t = &o->config.trigger;
	uint64_t pid = 0;
	size_t i, length;

	for (i = 0; i < FXT_SCHED_CAUSES; i++) {
		length = strlen(conditions[i].begin);
		if (!strncmp(part, conditions[i].begin, length))
			return set_limit(o, i, part + length);
	}
	if (!strncmp(part, "comm=", 5))
		return set_pattern(&t->comm, part + 5);
	if (strncmp(part, "pid=", 4) || !parse_count(part + 4, &pid) || !pid ||
	    pid >= FXT_SCHED_TID_END)
		return wrong("invalid trigger \"%s\"; use " CONDITION_FORMS "and with latency, blocked, sleep or lock comm=PATTERN or pid=PID, e.g. 'latency>5ms:comm=nginx*'",
			     part);
	t->pid = pid;
	return check_process(pid);
}

/* Do the parts of a trigger fit each other? Return: NULL, or why they do not. */
static const char *check_trigger(const struct source_trigger *t)
{
	bool any = false, of_thread = false;
	unsigned int i;

	for (i = 0; i < FXT_SCHED_CAUSES; i++) {
		any |= !!t->limit[i];
		of_thread |= t->limit[i] && fxt_cause_has_thread(i);
	}
	if (!any)
		return "no limit; use e.g. 'latency>5ms'";
	if ((t->comm || t->pid) && !of_thread)
		return "comm= and pid= select threads; use them with latency>TIME, blocked>TIME, sleep>TIME or lock>TIME";
	if (t->limit[FXT_SCHED_CAUSE_SLEEP] && !t->comm && !t->pid)
		return "most threads sleep most of the time; select some with comm= or pid=, e.g. 'sleep>50ms:comm=nginx*'";
	return NULL;
}

/* "latency>5ms:comm=x*:pid=12:runnable>8" */
static const char *set_trigger(void *options, const char *value)
{
	struct options *o = options;
	char *rest = strdup(value), *part;
	const char *why = NULL;

	if (!rest)
		return strerror(ENOMEM);
	o->trigger = value;
	while (!why && (part = strsep(&rest, ":")))
		why = set_condition(o, part);
	return why ? why : check_trigger(&o->config.trigger);
}

/* "size=1G,time=10m" */
static const char *parse_limit(struct options *o, const char *part)
{
	if (!strncmp(part, "size=", 5))
		return fxt_parse_size(part + 5, &o->rotate_size) || !o->rotate_size ? WRONG_SIZE : NULL;
	if (!strncmp(part, "time=", 5))
		return parse_time(part + 5, &o->rotate_time) ? NULL : WRONG_TIME;
	return "invalid value; use size=SIZE, time=TIME or both, e.g. size=1G,time=10m";
}

static const char *set_rotate(void *options, const char *value)
{
	char *copy = strdup(value), *rest = copy, *part;
	const char *why = copy ? NULL : strerror(ENOMEM);

	while (!why && (part = strsep(&rest, ",")))
		why = parse_limit(options, part);
	free(copy);
	return why;
}

static const char *unknown_group(const char *part)
{
	struct fxt_suggestion s = { .word = part };
	struct option_word w;
	unsigned int i;

	for (i = 0; event_group_word(i, &w); i++)
		fxt_suggest(&s, w.name);
	return wrong("unknown group %s%s%s%s; --events help lists them", part,
		     s.best ? " (did you mean " : "", s.best ? s.best : "", s.best ? "?)" : "");
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

/* "irq,work", "all" or "none" */
static const char *parse_events(struct options *o, const char *part)
{
	int i;

	if (!strncmp(part, TRACEPOINT_PREFIX, strlen(TRACEPOINT_PREFIX)))
		return tracepoint_add(&o->tracepoints, part);
	i = option_find_word(event_group_word, part, strlen(part));
	if (i >= 0) {
		o->config.events |= event_groups[i + 1].bit;
	} else if (!strcmp(part, "all")) {
		o->config.events = FXT_GROUPS_ALL;
		o->config.events_optional = true;
	} else if (!strcmp(part, "none")) {
		o->config.events = FXT_SCHED_EVENTS_SCHED;
		o->tracepoints.count = 0;
	} else if (strcmp(part, event_groups[0].name)) {	/* which is always recorded */
		return unknown_group(part);
	}
	return NULL;
}

static const char *set_events(void *options, const char *value)
{
	char *copy, *rest, *part;
	const char *why = NULL;

	if (!strcmp(value, "help")) {
		print_events();
		return option_end;
	}
	copy = rest = strdup(value);
	if (!copy)
		return strerror(ENOMEM);
	while (!why && (part = tracepoint_part(&rest)))
		why = parse_events(options, part);
	free(copy);
	return why;
}

/* Kinds of compression; see option_words. */
static bool compress_word(unsigned int i, struct option_word *w)
{
	/* The first kind is none. */
	w->name = i + 1 < COMPRESSIONS ? compressions[i + 1].name : NULL;
	return w->name;
}

/* "zstd:3" */
static const char *set_compress(void *options, const char *value)
{
	static const struct option_row row = { .value = "COMPRESSION", .words = compress_word };
	size_t length = strcspn(value, ":");
	int i = option_find_word(compress_word, value, length);
	struct options *o = options;
	char why[OPTION_TEXT];
	uint64_t level = 0;

	if (i < 0)
		return wrong("%s, optionally with a level, e.g. zstd:3",
			     option_wrong_word(why, sizeof(why), &row, value, length));
	o->compression = i + 1;
	if (value[length] && (!parse_count(value + length + 1, &level) || !level ||
			      level > compressions[o->compression].levels))
		return wrong("invalid level; %s has levels 1 to %u",
			     compressions[o->compression].name,
			     compressions[o->compression].levels);
	o->level = level;
	return NULL;
}

/* --- call stacks ------------------------------------------------------------------------ */

#define STACKS_DEPTH	32		/* the default */
#define STACKS_HZ	99		/* likewise; out of step with timers of 100 Hz */
#define STACKS_MIN_NS	100000ULL	/* likewise */
#define AFTER_SLEEP_NS	10000000ULL	/* likewise */
#define NOT_GIVEN	UINT64_MAX

/* Kinds of stacks; see option_words. */
static bool stacks_word(unsigned int i, struct option_word *w)
{
	*w = options_stacks[i];
	return w->name;
}

/* The number after a colon, up to a comma or another colon, which @end is set to. */
static bool parse_part(const char *colon, uint64_t *number, const char **end)
{
	char text[8];
	size_t length = strcspn(colon + 1, ",:");

	*end = colon + 1 + length;
	if (length >= sizeof(text))
		return false;
	memcpy(text, colon + 1, length);
	text[length] = '\0';
	return parse_count(text, number);
}

/* A number after "oncpu" is a rate; any other one is the depth, at the end. */
static const char *set_stacks_number(struct source_stacks *s, unsigned int word, const char **end)
{
	const bool is_rate = 1U << word == STACKS_ONCPU;
	const char *colon = *end;
	uint64_t number;

	if (*colon == ':' && is_rate) {
		if (!parse_part(colon, &number, end) || number < FXT_SCHED_SAMPLE_HZ_MIN ||
		    number > FXT_SCHED_SAMPLE_HZ_MAX)
			return wrong("invalid number of samples per second; use %u to %u, e.g. oncpu:199",
				     FXT_SCHED_SAMPLE_HZ_MIN, FXT_SCHED_SAMPLE_HZ_MAX);
		s->hz = number;
		colon = *end;
	}
	if (*colon != ':')
		return NULL;
	if (!parse_part(colon, &number, end) || **end || !number || number > FXT_SCHED_STACK_FRAMES)
		return wrong("invalid number of frames; use 1 to %u", FXT_SCHED_STACK_FRAMES);
	s->depth = number;
	return NULL;
}

/* "offcpu,wake:16", "user,oncpu:199", "oncpu:199:16" */
static const char *set_stacks(void *stacks, const char *value)
{
	static const struct option_row row = { .value = "KIND", .words = stacks_word };
	const char *part = value, *end, *fault;
	struct source_stacks *s = stacks;
	char why[OPTION_TEXT];
	int n;

	for (;; part = end + 1) {
		end = part + strcspn(part, ",:");
		n = option_find_word(stacks_word, part, end - part);
		if (n < 0)
			return wrong("%s", option_wrong_word(why, sizeof(why), &row, part,
							     end - part));
		s->what |= 1 << n;
		fault = set_stacks_number(s, n, &end);
		if (fault)
			return fault;
		if (*end != ',')
			break;
	}
	if (!(s->what & STACKS_KINDS))
		s->what |= STACKS_OFFCPU;
	if (!(s->what & STACKS_FRAMES))
		s->what |= STACKS_FRAMES;
	return NULL;
}

/* --- completion in shells ------------------------------------------------------------------ */

/* Values that depend on this machine. */

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

static const char *print_version(void *to, const char *value)
{
	(void)to;
	(void)value;
	puts("fxt-collect " FXT_VERSION);
	return option_end;
}

#define SETS_TIME(member)							\
	.type = OPTION_TIME, OPTION_AT(uint64_t, struct options, member), .least = 1,	\
	.wrong = WRONG_TIME
#define SETS_COUNT(member)	OPTION_SETS_NUMBER(struct options, member, 0, 0, "not a number")

static const struct option_row rows[] = {
	OPTION_TITLE("Recording"),
	OPTION('o', "output", "FILE", "write FILE; - is standard output (default: "
	       FXT_SCHED_ARCHIVE "); tcp://HOST:PORT, unix:PATH, vsock:CID:PORT: send it to a "
	       "receiver, see fxt receive; tls://HOST:PORT: encrypted",
	       .kind = OPTION_FILE, .words = address_word,
	       OPTION_SETS_STRING(struct options, output)),
	OPTION(0, "tls-cert", "FILE", "certificate of this sender, for tls://",
	       .kind = OPTION_FILE, OPTION_SETS_STRING(struct options, tls.cert)),
	OPTION(0, "tls-key", "FILE", "its key", .kind = OPTION_FILE,
	       OPTION_SETS_STRING(struct options, tls.key)),
	OPTION(0, "tls-ca", "FILE", "certificates of the authorities that sign those of receivers",
	       .kind = OPTION_FILE, OPTION_SETS_STRING(struct options, tls.ca)),
	OPTION(0, "force", NULL, "replace FILE even if it is not an archive; an archive is "
	       "always replaced, and kept as FILE.old", OPTION_SETS_BOOL(struct options, force)),
	OPTION('M', "metadata", "KEY=VALUE", "add KEY=VALUE to the description of the recording; "
	       "up to 16 times", OPTION_SETS(metadata_add, struct options, metadata)),
	OPTION('d', "duration", "TIME", "stop after TIME: 500ms, 10s, 2m", SETS_TIME(duration)),
	OPTION(0, "start-at", "WHEN", "start at the next multiple of a time on the wall "
	       "clock, e.g. /10s, or at @SECONDS since 1970; COMMAND starts then, and --duration "
	       "and --rotate count from there",
	       .kind = OPTION_BEGIN, .words = start_word,
	       OPTION_SETS(set_start_at, struct options, start_at)),
	OPTION('s', "source", "SOURCE", "choose what records: {meanings} (default: auto)",
	       .kind = OPTION_WORD, .words = source_word,
	       OPTION_SETS_INDEX(struct options, source)),
	OPTION('b', "buffer", "SIZE", "allocate SIZE per CPU: 512K, 16M (default: " BUFFER_LEAST
	       " to " BUFFER_MOST ", depending on the memory)", .set = set_buffer),
	OPTION('c', "clock", "CLOCK", "choose the clock: {meanings} (default: boot)",
	       .kind = OPTION_WORD, .words = clock_word,
	       OPTION_SETS_INDEX(struct options, config.clock)),
	OPTION(0, "weight", "KIND", "choose the weights of records: {meanings} (default: "
	       "weight)", .kind = OPTION_WORD, .words = weight_word,
	       OPTION_SETS_INDEX(struct options, config.weight)),
	OPTION(0, "wakeups", "WHEN", "choose when threads count as woken: {meanings}; "
	       "waking records the CPU that they ran on last (default: wakeup)",
	       .kind = OPTION_WORD, .words = wakeups_word,
	       OPTION_SETS_INDEX(struct options, config.wakeups)),
	OPTION(0, "names", "KIND", "choose the names of processes: {meanings} (default: "
	       "comm)", .kind = OPTION_WORD, .words = names_word,
	       OPTION_SETS(set_names, struct options, names.cmdline)),
	OPTION(0, "without", "KIND,..", "omit parts of the archive: {meanings}",
	       .kind = OPTION_WORDS, .words = without_word,
	       OPTION_SETS_BITS(struct options, without)),
	OPTION('e', "events", "GROUP,..", "also record {words}; all: all groups that this kernel "
	       "has; none; help lists them with their cost; 'tp:NAME(FIELD,..)': any tracepoint, "
	       "with BPF (default: none)", .kind = OPTION_BEGINS, .words = event_group_word,
	       .offer = offer_events, .set = set_events),
	OPTION(0, "stacks", "WHAT,..[:DEPTH]", "record call stacks: {meanings}; "
	       "at most :DEPTH frames (default: offcpu, both kinds of frames, 32 of each)",
	       .kind = OPTION_BEGINS, .words = stacks_word,
	       OPTION_SETS(set_stacks, struct options, config.stacks)),
	OPTION(0, "stacks-min", "TIME", "record stacks only of threads that were off "
	       "the CPU for TIME (default: 100us)", .type = OPTION_TIME,
	       OPTION_AT(uint64_t, struct options, config.stacks.min), .wrong = WRONG_TIME),
	OPTION(0, "no-symbols", NULL, "do not name functions in stacks; fxt symbolize "
	       "can do that later", OPTION_SETS_BOOL(struct options, no_symbols)),
	OPTION_TITLE("Filters"),
	OPTION('C', "cpus", "LIST", "record only these CPUs: 0-3,8",
	       OPTION_SETS(set_cpus, struct options, filter)),
	OPTION('p', "pid", "PID,..", "record only these processes and those that they start during "
	       "the recording", .kind = OPTION_PIDS, OPTION_SETS(set_pids, struct options, filter)),
	OPTION(0, "comm", "PATTERN", "record only threads with a matching name: 'nginx*'",
	       .kind = OPTION_COMM, OPTION_SETS(set_pattern, struct options, filter.comm)),
	OPTION(0, "cgroup", "PATH", "record only a cgroup (v2) and its descendants",
	       .offer = offer_cgroups, OPTION_SETS(set_cgroup, struct options, filter)),
	OPTION_TITLE("Flight recorder"),
	OPTION('F', "flight-recorder", NULL, "keep the newest records in memory; write FILE-0001, "
	       "FILE-0002, ... on SIGUSR1, when the trigger fires, and at the end",
	       OPTION_SETS_BOOL(struct options, config.overwrite)),
	OPTION(0, "trigger", "EVENT", "fire when a limit is exceeded: {meanings}; e.g. "
	       "'latency>1ms:comm=kworker*:pid=12:runnable>8'", .kind = OPTION_BEGIN,
	       .words = trigger_word, .set = set_trigger),
	OPTION(0, "after", "TIME", "continue for TIME after the trigger (default: 0; 10ms with --stacks "
	       "offcpu if the trigger has a limit for sleeps or locks)",
	       SETS_TIME(config.trigger.after)),
	OPTION(0, "snapshots", "N", "stop after N snapshots, 0 for no limit (default: 1 "
	       "with --trigger but without --keep, else 0)", SETS_COUNT(snapshots)),
	OPTION_TITLE("Compression and rotation"),
	OPTION('z', "compress", "KIND", "compress with zstd or gzip, optionally at :LEVEL; implied if "
	       "FILE ends in .zst or .gz", .kind = OPTION_BEGIN, .words = compress_word,
	       .set = set_compress),
	OPTION(0, "rotate", "LIMIT", "start a new FILE-DATE-TIME after LIMIT: "
	       "size=1G,time=10m", .kind = OPTION_BEGINS, .words = rotate_word, .set = set_rotate),
	OPTION(0, "keep", "N", "keep only the newest N files", SETS_COUNT(keep)),
	OPTION(0, "max-size", "SIZE", "stop when FILE reaches SIZE", .type = OPTION_SIZE,
	       OPTION_AT(uint64_t, struct options, max_size), .least = 1, .wrong = WRONG_SIZE),
	OPTION_TITLE("Output"),
	OPTION(0, "stats-json", "FILE", "write counts, losses and times at the end; - is "
	       "standard output", .kind = OPTION_FILE, OPTION_SETS_STRING(struct options, stats)),
	OPTION(0, "fail-on-loss", NULL, "end with status 7 if records were lost or "
	       "anything else is missing", OPTION_SETS_BOOL(struct options, fail_on_loss)),
	OPTION('q', "quiet", NULL, "print errors and losses only",
	       OPTION_SETS_BOOL(struct options, quiet)),
	OPTION('v', "verbose", NULL, "print progress", OPTION_SETS_BOOL(struct options, verbose)),
	OPTION_HELP,
	OPTION('V', "version", NULL, "print the version", .set = print_version),
	{ 0 },
};

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && !strcmp(text + n - m, end);
}

static enum compression compression_of_ending(const struct options *o)
{
	if (fxt_address_is(o->output))
		return COMPRESSION_NONE;
	if (ends_in(o->output, ".zst") || ends_in(o->output, ".zstd"))
		return COMPRESSION_ZSTD;
	return ends_in(o->output, ".gz") ? COMPRESSION_GZIP : COMPRESSION_NONE;
}

/* An address, and options that receivers do not support. */
static int check_receiver(const struct options *o, struct error *e)
{
	struct fxt_address address;
	const char *wrong;

	if ((o->tls.cert || o->tls.key || o->tls.ca) && strncmp(o->output, "tls://", 6))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--tls-cert, --tls-key and --tls-ca require --output tls://HOST:PORT");
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

static int check_options(const struct options *o, struct error *e)
{
	enum compression ending = compression_of_ending(o);
	bool standard = !strcmp(o->output, "-");

	if (ending != COMPRESSION_NONE && ending != o->compression)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--compress %s: %s has the ending of %s; give --output another one",
			    options_compression(o->compression), o->output,
			    options_compression(ending));

	if (!o->config.overwrite && o->trigger)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--trigger requires --flight-recorder");
	if (!o->trigger && o->config.trigger.after != NOT_GIVEN)
		return fail(e, EXIT_USAGE, -EINVAL, "--after requires --trigger");
	if (!o->config.overwrite && o->snapshots)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--snapshots requires --flight-recorder");
	if (o->config.overwrite && (options_rotate(o) || o->max_size))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--flight-recorder cannot be combined with --rotate or --max-size: it writes only what its buffers hold");
	if (o->config.stacks.min != NOT_GIVEN && !(o->config.stacks.what & STACKS_EVENTS))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--stacks-min requires --stacks with offcpu, preempt or wake");
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
static void default_buffer(struct options *o)
{
	bool is_large = o->config.stacks.what & STACKS_EVENTS && o->config.stacks.min < STACKS_MIN_NS;
	uint64_t share = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) /
			 (is_large ? MEMORY_SHARE_STACKS : MEMORY_SHARE) /
			 sysconf(_SC_NPROCESSORS_CONF), most;
	char size[24];

	fxt_parse_size(is_large ? BUFFER_MOST_STACKS : BUFFER_MOST, &most);
	set_buffer(o, BUFFER_LEAST);
	while (o->buffer < most && o->buffer * 2 <= share) {
		snprintf(size, sizeof(size), "%" PRIu64, o->buffer * 2);
		set_buffer(o, size);
	}
}

/* The stack of a sleep is recorded when the thread runs again, or after a search has found it. */
static uint64_t default_after(const struct options *o)
{
	const uint64_t *limit = o->config.trigger.limit;

	return o->config.stacks.what & STACKS_OFFCPU &&
	       (limit[FXT_SCHED_CAUSE_BLOCKED] || limit[FXT_SCHED_CAUSE_SLEEP] ||
		limit[FXT_SCHED_CAUSE_LOCK]) ? AFTER_SLEEP_NS : 0;
}

static int finish_options(struct options *o, struct error *e)
{
	const struct source_filter *f = &o->filter;
	unsigned int i;
	int ret;

	if (o->compression == COMPRESSION_NONE)
		o->compression = compression_of_ending(o);
	if (!o->buffer)
		default_buffer(o);
	if (f->cpus || f->pid_count || f->comm || f->cgroup)
		o->config.filter = f;
	/* E.g. interrupts can only be measured if they are recorded. */
	for (i = 0; i < FXT_SCHED_CAUSES; i++)
		if (o->config.trigger.limit[i])
			o->config.events |= conditions[i].group;
	if (o->snapshots == NOT_GIVEN)
		o->snapshots = o->trigger && !o->keep;
	ret = check_options(o, e);
	if (o->config.stacks.min == NOT_GIVEN)
		o->config.stacks.min = STACKS_MIN_NS;
	if (o->config.trigger.after == NOT_GIVEN)
		o->config.trigger.after = default_after(o);
	return ret ? ret : check_receiver(o, e);
}

static void set_defaults(struct options *o)
{
	*o = (struct options){
		.output = FXT_SCHED_ARCHIVE, .names.cgroups = true, .snapshots = NOT_GIVEN,
	};
	o->config.events = FXT_SCHED_EVENTS_SCHED;
	o->config.stacks.depth = STACKS_DEPTH;
	o->config.stacks.hz = STACKS_HZ;
	o->config.stacks.min = NOT_GIVEN;
	o->config.trigger.after = NOT_GIVEN;
	o->config.tracepoints = &o->tracepoints;
}

static void print_help(void)
{
	fputs(about, stdout);
	option_print_help(stdout, rows);
	fputs(more, stdout);
}

/* Completions for shells, or options for scripts/options.sh. Return: was one of them requested? */
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

static int refuse(const struct option_parser *p, struct error *e)
{
	if (p->value)
		return fail(e, EXIT_USAGE, -EINVAL, "--%s %s: %s", p->row->name, p->value, p->why);
	return fail(e, EXIT_USAGE, -EINVAL, "%s; see --help", p->why);
}

int options_parse(struct options *o, int argc, char **argv, struct error *e)
{
	struct option_parser p = { .rows = rows };

	set_defaults(o);
	if (print_for_others(argc, argv))
		return OPTIONS_END;
	switch (option_parse(&p, o, argc, argv, true)) {
	case OPTION_WRONG:
		return refuse(&p, e);
	case OPTION_ENDED:
		if (p.row->letter == 'h')
			print_help();
		return OPTIONS_END;
	case OPTION_ALL:
		break;
	}
	if (optind < argc)
		o->command = argv + optind;
	return finish_options(o, e);
}
