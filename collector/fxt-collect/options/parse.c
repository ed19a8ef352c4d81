// SPDX-License-Identifier: GPL-2.0-or-later
/* parse.c - see parse.h. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/address.h"
#include "libopt/option.h"
#include "offers.h"
#include "parse.h"
#include "source/groups.h"
#include "stacks.h"
#include "values.h"

#define DEFAULT_BUFFER	"4M"

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

/* Words of an option: each of a list that NULL ends. */
#define WORDS(function, ...)							\
	static bool function(unsigned int i, struct option_word *w)		\
	{									\
		static const char *const words[] = { __VA_ARGS__, NULL };	\
										\
		w->name = words[i];						\
		return w->name;							\
	}

WORDS(source_word, "auto", "kmod", "bpf")
WORDS(clock_word, "boot", "mono", "tsc")
WORDS(weight_word, "weight", "prio")
WORDS(names_word, "comm", "cmdline")
WORDS(address_word, "tcp://", "tls://", "unix:", "vsock:")
WORDS(start_word, "/", "@")
WORDS(rotate_word, "size=", "time=")

static bool without_word(unsigned int i, struct option_word *w)
{
	w->name = options_without_names[i];
	return w->name;
}

static const struct option_row rows[] = {
	OPTION_TITLE("Recording"),
	OPTION('o', "output", "FILE", "write FILE; - is standard output (default: "
	       FXT_SCHED_ARCHIVE "); tcp://HOST:PORT, unix:PATH, vsock:CID:PORT: send it to a "
	       "receiver, see fxt receive; tls://HOST:PORT: encrypted",
	       .kind = OPTION_FILE, .words = address_word),
	OPTION(OPT_TLS_CERT, "tls-cert", "FILE", "certificate of this sender, for tls://",
	       .kind = OPTION_FILE),
	OPTION(OPT_TLS_KEY, "tls-key", "FILE", "its key", .kind = OPTION_FILE),
	OPTION(OPT_TLS_CA, "tls-ca", "FILE", "authorities that sign the certificates of receivers",
	       .kind = OPTION_FILE),
	OPTION(OPT_FORCE, "force", NULL, "replace FILE even if it is not an archive; an archive is "
	       "always replaced, and kept as FILE.old"),
	OPTION('M', "metadata", "KEY=VALUE", "add it to the description of the recording; up to 16 "
	       "times"),
	OPTION('d', "duration", "TIME", "stop after TIME: 500ms, 10s, 2m"),
	OPTION(OPT_START_AT, "start-at", "WHEN", "start at the next multiple of a time of the wall "
	       "clock, for instance /10s, or at @SECONDS since 1970; COMMAND starts then, and "
	       "--duration and --rotate count from there",
	       .kind = OPTION_BEGIN, .words = start_word),
	OPTION('s', "source", "SOURCE", "record with kmod (the module fxt_sched), bpf, or auto: the "
	       "module if it can be used, else BPF (default: auto)",
	       .kind = OPTION_WORD, .words = source_word),
	OPTION('b', "buffer", "SIZE", "allocate SIZE per CPU: 512K, 16M (default: " DEFAULT_BUFFER
	       ")"),
	OPTION('c', "clock", "CLOCK", "use boot, mono, or tsc: the cheapest, kmod only (default: "
	       "boot)", .kind = OPTION_WORD, .words = clock_word),
	OPTION(OPT_WEIGHT, "weight", "KIND", "write the load weight, or the kernel's prio: {words} "
	       "(default: weight)", .kind = OPTION_WORD, .words = weight_word),
	OPTION(OPT_NAMES, "names", "KIND", "name processes by comm, or by cmdline, with arguments "
	       "(default: comm)", .kind = OPTION_WORD, .words = names_word),
	OPTION(OPT_WITHOUT, "without", "KIND,..", "omit counters (of CPUs), instants (of execs and "
	       "renames), host (description of the machine), trigger (its mark), perfetto-stacks "
	       "(stacks once more, as Perfetto reads them)",
	       .kind = OPTION_WORDS, .words = without_word),
	OPTION('e', "events", "GROUP,..", "record also {words}; all: what this kernel has; none; "
	       "help lists them with their cost; 'tp:NAME(FIELD,..)': any tracepoint, with BPF "
	       "(default: none)", .kind = OPTION_BEGINS, .words = event_group_word,
	       .offer = offer_events),
	OPTION(OPT_STACKS, "stacks", "WHAT,..[:DEPTH]", "record call stacks: offcpu (of threads that slept), "
	       "preempt (that were preempted), wake (of what woke them); kernel, user (default: "
	       "both); at most :DEPTH frames of each (default depth: 32); check: verify them (BPF)",
	       .kind = OPTION_BEGINS, .words = stacks_word),
	OPTION(OPT_STACKS_MIN, "stacks-min", "TIME", "only of threads that were off the CPU for TIME "
	       "(default: 100us)"),
	OPTION(OPT_NO_SYMBOLS, "no-symbols", NULL, "do not name their functions; fxt symbolize does "
	       "it later"),
	OPTION_TITLE("Filters"),
	OPTION('C', "cpus", "LIST", "record only these CPUs: 0-3,8"),
	OPTION('p', "pid", "PID,..", "record only these processes and those that they start during "
	       "the recording", .kind = OPTION_PIDS),
	OPTION(OPT_COMM, "comm", "PATTERN", "record only threads with such a name: 'nginx*'",
	       .kind = OPTION_COMM),
	OPTION(OPT_CGROUP, "cgroup", "PATH", "record only a cgroup (v2) and its descendants",
	       .offer = offer_cgroups),
	OPTION_TITLE("Flight recorder"),
	OPTION('F', "flight-recorder", NULL, "keep the newest records in memory; write FILE-0001, "
	       "FILE-0002, ... on SIGUSR1, when the trigger fires, and at the end"),
	OPTION(OPT_TRIGGER, "trigger", "EVENT", "fire when a thread waits too long for a CPU after "
	       "its wakeup: 'latency>5ms', 'latency>1ms:comm=kworker*:pid=12', or when an interrupt "
	       "takes too long: 'irq>1ms:softirq>2ms', or a CPU has too many runnable threads: "
	       "'runnable>8'", .kind = OPTION_BEGIN, .words = trigger_word),
	OPTION(OPT_AFTER, "after", "TIME", "continue for TIME after the trigger (default: 0)"),
	OPTION(OPT_SNAPSHOTS, "snapshots", "N", "stop after N snapshots, 0 for no limit (default: 1 "
	       "with --trigger, else 0)"),
	OPTION_TITLE("Compression and rotation"),
	OPTION('z', "compress", "KIND", "compress with zstd or gzip, optionally at :LEVEL; implied if "
	       "FILE ends in .zst or .gz", .kind = OPTION_BEGIN, .words = compress_word),
	OPTION(OPT_ROTATE, "rotate", "LIMIT", "start a new FILE-DATE-TIME after LIMIT: "
	       "size=1G,time=10m", .kind = OPTION_BEGINS, .words = rotate_word),
	OPTION(OPT_KEEP, "keep", "N", "keep only the newest N of them"),
	OPTION(OPT_MAX_SIZE, "max-size", "SIZE", "stop when FILE reaches SIZE"),
	OPTION_TITLE("Output"),
	OPTION(OPT_STATS, "stats-json", "FILE", "write counts, losses and times at the end; - is "
	       "standard output", .kind = OPTION_FILE),
	OPTION(OPT_FAIL_ON_LOSS, "fail-on-loss", NULL, "end with status 7 if records were lost, or "
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

/* A receiver, and what it cannot do. */
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
			    "--keep removes files; what was sent to %s stays there", o->output);
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
	if (o->keep && !options_rotate(o))
		return fail(e, EXIT_USAGE, -EINVAL, "--keep requires --rotate");
	if (standard && (o->config.overwrite || options_rotate(o)))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--flight-recorder and --rotate write several files; give --output a file name");
	if (standard && o->stats && !strcmp(o->stats, "-"))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--output and --stats-json cannot both be standard output");
	return 0;
}

static int finish_options(struct options *o, bool has_snapshots, struct error *e)
{
	const struct source_filter *f = &o->filter;
	int ret;

	compress_by_ending(o);
	if (f->cpus || f->pid_count || f->comm || f->cgroup)
		o->config.filter = f;
	/* Interrupts can only be measured if they are recorded. */
	if (o->config.trigger.irq || o->config.trigger.softirq)
		o->config.events |= FXT_SCHED_EVENTS_IRQ;
	if (o->trigger && !has_snapshots)
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

static void set_defaults(struct options *o, struct error *e)
{
	*o = (struct options){ .output = FXT_SCHED_ARCHIVE, .names.cgroups = true };
	o->config.events = FXT_SCHED_EVENTS_SCHED;
	o->config.stacks.depth = STACKS_DEPTH;
	o->config.stacks.min = STACKS_MIN_NS;
	o->config.tracepoints = &o->tracepoints;
	value_buffer(o, DEFAULT_BUFFER, e);
}

/* Print what an option asks for, instead of recording. Return: false if it does not. */
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

/* For shells, and for scripts/options.sh. Return: false if the command line is none for them. */
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

	set_defaults(o, e);
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
