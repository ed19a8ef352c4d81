// SPDX-License-Identifier: GPL-2.0-or-later
/* parse.c - see parse.h. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/address.h"
#include "libfxt/usage.h"
#include "parse.h"
#include "source/groups.h"
#include "stacks.h"
#include "values.h"

#define DEFAULT_BUFFER	"4M"

static const char help[] =
"usage: fxt-collect [OPTION...] [-- COMMAND [ARGUMENT...]]\n"
"Records all scheduling of the system into an FXT archive: until Ctrl-C, for a\n"
"given time, or while COMMAND runs. Open the archive at https://ui.perfetto.dev.\n"
"\n"
"Recording\n"
"  -o, --output FILE     write FILE; - is standard output (default: " FXT_SCHED_ARCHIVE ");\n"
"                        tcp://HOST:PORT, unix:PATH, vsock:CID:PORT: send it to a\n"
"                        receiver, see fxt receive; tls://HOST:PORT: encrypted\n"
"      --tls-cert FILE   certificate of this sender, for tls://\n"
"      --tls-key FILE    its key\n"
"      --tls-ca FILE     authorities that sign the certificates of receivers\n"
"      --force           replace FILE even if it is not an archive; an archive is\n"
"                        always replaced, and kept as FILE.old\n"
"  -M, --metadata KEY=VALUE\n"
"                        add it to the description of the recording; up to 16 times\n"
"  -d, --duration TIME   stop after TIME: 500ms, 10s, 2m\n"
"      --start-at WHEN   start at the next multiple of a time of the wall clock, for\n"
"                        instance /10s, or at @SECONDS since 1970; COMMAND starts\n"
"                        then, and --duration and --rotate count from there\n"
"  -s, --source SOURCE   record with kmod (the module fxt_sched), bpf, or auto: the\n"
"                        module if it can be used, else BPF (default: auto)\n"
"  -b, --buffer SIZE     allocate SIZE per CPU: 512K, 16M (default: " DEFAULT_BUFFER ")\n"
"  -c, --clock CLOCK     use boot, mono, or tsc: the cheapest, kmod only\n"
"                        (default: boot)\n"
"      --weight KIND     write the load weight, or the kernel's prio: weight, prio\n"
"                        (default: weight)\n"
"      --names KIND      name processes by comm, or by cmdline, with arguments\n"
"                        (default: comm)\n"
"      --without KIND,.. omit counters (of CPUs), instants (of execs and renames),\n"
"                        host (description of the machine), trigger (its mark),\n"
"                        perfetto-stacks (stacks once more, as Perfetto reads them)\n"
"  -e, --events GROUP,.. record also irq, migrate, idle, freq, work, task, signal,\n"
"                        syscall, ipi, load, throttle; all: what this kernel has;\n"
"                        none; help lists them with their cost; 'tp:NAME(FIELD,..)':\n"
"                        any tracepoint, with BPF (default: none)\n"
"      --stacks WHAT,..  record call stacks: offcpu (of threads that slept), preempt\n"
"                        (that were preempted), wake (of what woke them); kernel,\n"
"                        user (default: both); at most :DEPTH frames of each\n"
"                        (default depth: 32); check: verify them (BPF)\n"
"      --stacks-min TIME only of threads that were off the CPU for TIME (default: 100us)\n"
"      --no-symbols      do not name their functions; fxt symbolize does it later\n"
"Filters\n"
"  -C, --cpus LIST       record only these CPUs: 0-3,8\n"
"  -p, --pid PID,...     record only these processes and those that they start\n"
"                        during the recording\n"
"      --comm PATTERN    record only threads with such a name: 'nginx*'\n"
"      --cgroup PATH     record only a cgroup (v2) and its descendants\n"
"Flight recorder\n"
"  -F, --flight-recorder keep the newest records in memory; write FILE-0001,\n"
"                        FILE-0002, ... on SIGUSR1, when the trigger fires, and\n"
"                        at the end\n"
"      --trigger EVENT   fire when a thread waits too long for a CPU after its\n"
"                        wakeup: 'latency>5ms', 'latency>1ms:comm=kworker*:pid=12',\n"
"                        or when an interrupt takes too long: 'irq>1ms:softirq>2ms',\n"
"                        or a CPU has too many runnable threads: 'runnable>8'\n"
"      --after TIME      continue for TIME after the trigger (default: 0)\n"
"      --snapshots N     stop after N snapshots, 0 for no limit (default: 1 with\n"
"                        --trigger, else 0)\n"
"Compression and rotation\n"
"  -z, --compress KIND   compress with zstd or gzip, optionally at :LEVEL; implied\n"
"                        if FILE ends in .zst or .gz\n"
"      --rotate LIMIT    start a new FILE-DATE-TIME after LIMIT: size=1G,time=10m\n"
"      --keep N          keep only the newest N of them\n"
"      --max-size SIZE   stop when FILE reaches SIZE\n"
"Output\n"
"      --stats-json FILE write counts, losses and times at the end; - is standard\n"
"                        output\n"
"      --fail-on-loss    end with status 7 if records were lost, or anything else is\n"
"                        missing\n"
"  -q, --quiet           print errors and losses only\n"
"  -v, --verbose         print progress\n"
"  -h, --help            print this help\n"
"  -V, --version         print the version\n"
"\n"
"exit status: that of COMMAND if it ran and everything was recorded; else 0 success,\n"
"1 recording or writing failed, 2 wrong usage, 3 no source to record with, 4 not\n"
"permitted, 5 too many recordings with the module, 6 the archive ends early: no space,\n"
"no reader or no receiver, 7 records were lost, with --fail-on-loss; 126 COMMAND cannot be\n"
"executed, 127 COMMAND not found.\n";

/* Options without a letter. */
enum {
	OPT_WEIGHT = 1,
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

static const struct option known[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "tls-cert", required_argument, NULL, OPT_TLS_CERT },
	{ "tls-key", required_argument, NULL, OPT_TLS_KEY },
	{ "tls-ca", required_argument, NULL, OPT_TLS_CA },
	{ "metadata", required_argument, NULL, 'M' },
	{ "duration", required_argument, NULL, 'd' },
	{ "start-at", required_argument, NULL, OPT_START_AT },
	{ "source", required_argument, NULL, 's' },
	{ "buffer", required_argument, NULL, 'b' },
	{ "clock", required_argument, NULL, 'c' },
	{ "weight", required_argument, NULL, OPT_WEIGHT },
	{ "names", required_argument, NULL, OPT_NAMES },
	{ "without", required_argument, NULL, OPT_WITHOUT },
	{ "events", required_argument, NULL, 'e' },
	{ "stacks", required_argument, NULL, OPT_STACKS },
	{ "stacks-min", required_argument, NULL, OPT_STACKS_MIN },
	{ "no-symbols", no_argument, NULL, OPT_NO_SYMBOLS },
	{ "cpus", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, 'p' },
	{ "comm", required_argument, NULL, OPT_COMM },
	{ "cgroup", required_argument, NULL, OPT_CGROUP },
	{ "flight-recorder", no_argument, NULL, 'F' },
	{ "trigger", required_argument, NULL, OPT_TRIGGER },
	{ "after", required_argument, NULL, OPT_AFTER },
	{ "snapshots", required_argument, NULL, OPT_SNAPSHOTS },
	{ "compress", required_argument, NULL, 'z' },
	{ "rotate", required_argument, NULL, OPT_ROTATE },
	{ "keep", required_argument, NULL, OPT_KEEP },
	{ "max-size", required_argument, NULL, OPT_MAX_SIZE },
	{ "stats-json", required_argument, NULL, OPT_STATS },
	{ "fail-on-loss", no_argument, NULL, OPT_FAIL_ON_LOSS },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* Return: 0, a negative errno, or 1 if the option is not handled here. */
static int set_source_option(struct options *o, int c, struct error *e)
{
	static const char * const sources[] = { "auto", "kmod", "bpf", NULL };
	static const char * const clocks[] = { "boot", "mono", "tsc", NULL };
	static const char * const weights[] = { "weight", "prio", NULL };
	int n;

	switch (c) {
	case 's':
		n = value_choice("--source", optarg, sources, e);
		o->source = n;
		return n < 0 ? n : 0;
	case 'b':
		return value_buffer(o, optarg, e);
	case 'c':
		n = value_choice("--clock", optarg, clocks, e);
		o->config.clock = n;
		return n < 0 ? n : 0;
	case OPT_WEIGHT:
		n = value_choice("--weight", optarg, weights, e);
		o->config.weight = n;
		return n < 0 ? n : 0;
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

static int set_file_option(struct options *o, int c, struct error *e)
{
	static const char * const names[] = { "comm", "cmdline", NULL };
	int n = 0;

	switch (c) {
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
		n = value_choice("--names", optarg, names, e);
		o->names.cmdline = n > 0;
		break;
	case OPT_WITHOUT:
		return value_without(o, optarg, e);
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
	return n < 0 ? n : 0;
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

int options_parse(struct options *o, int argc, char **argv, struct error *e)
{
	char why[FXT_USAGE_TEXT];
	bool has_snapshots = false;
	int c, ret;

	*o = (struct options){ .output = FXT_SCHED_ARCHIVE, .names.cgroups = true };
	o->config.events = FXT_SCHED_EVENTS_SCHED;
	o->config.stacks.depth = STACKS_DEPTH;
	o->config.stacks.min = STACKS_MIN_NS;
	o->config.tracepoints = &o->tracepoints;
	value_buffer(o, DEFAULT_BUFFER, e);
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:o:M:d:s:b:c:e:C:p:Fz:qvhV", known, NULL)) != -1) {
		switch (c) {
		case 'h':
			fputs(help, stdout);
			return OPTIONS_END;
		case 'V':
			puts("fxt-collect " FXT_VERSION);
			return OPTIONS_END;
		case 'e':
			if (strcmp(optarg, "help"))
				break;
			print_events();
			return OPTIONS_END;
		case ':':
		case '?':
			return fail(e, EXIT_USAGE, -EINVAL, "%s; see --help",
				    fxt_usage_option(why, sizeof(why), c, argv, known));
		}
		has_snapshots |= c == OPT_SNAPSHOTS;
		ret = set_source_option(o, c, e);
		if (ret == 1)
			ret = set_file_option(o, c, e);
		if (ret)
			return ret;
	}
	if (optind < argc)
		o->command = argv + optind;
	return finish_options(o, has_snapshots, e);
}
