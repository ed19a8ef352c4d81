// SPDX-License-Identifier: GPL-2.0-or-later
/* parse.c - see parse.h. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/usage.h"
#include "parse.h"
#include "values.h"

#define DEFAULT_BUFFER	"4M"

static const char help[] =
"usage: fxt-collect [OPTION...] [-- COMMAND [ARGUMENT...]]\n"
"Records what the whole system schedules into an FXT archive, until Ctrl-C, for\n"
"a time, or while COMMAND runs. Open the archive at https://ui.perfetto.dev.\n"
"\n"
"  -o, --output FILE     the archive; - is standard output (" FXT_SCHED_ARCHIVE ")\n"
"      --force           replace FILE even if it is no archive; an archive is replaced\n"
"                        in any case, and kept as FILE.old\n"
"  -d, --duration TIME   stop after that: 500ms, 10s, 2m\n"
"  -s, --source SOURCE   kmod (the module fxt_sched), bpf, or auto: the module\n"
"                        if it is loaded, else BPF (auto)\n"
"  -b, --buffer SIZE     buffer per CPU: 512K, 16M (" DEFAULT_BUFFER ")\n"
"  -c, --clock CLOCK     boot, mono, or tsc: the cheapest, kmod only (boot)\n"
"      --weight WHAT     load weight, or the kernel's prio: weight, prio (weight)\n"
"      --names WHAT      of processes: comm, or cmdline, their arguments too (comm)\n"
"      --without WHAT,.. leave out counters (of CPUs), instants (of execs and\n"
"                        renames), host (what machine it was), trigger (its mark)\n"
"only what concerns\n"
"  -C, --cpus LIST       these CPUs: 0-3,8\n"
"  -p, --pid PID,...     these processes and those that they start meanwhile\n"
"      --comm PATTERN    threads of such names: 'nginx*'\n"
"      --cgroup PATH     a cgroup (v2) and all below it\n"
"only the last moments: a flight recorder, which writes FILE-0001, FILE-0002, ...\n"
"  -F, --flight-recorder on SIGUSR1, at the end, and when the trigger fires\n"
"      --trigger WHEN    a thread waits too long for a CPU after its wakeup:\n"
"                        'latency>5ms', 'latency>1ms:comm=kworker*:pid=12'\n"
"      --after TIME      go on for that long after the trigger (0)\n"
"      --snapshots N     end after so many; 0 never (1 with --trigger, else 0)\n"
"smaller files\n"
"  -z, --compress HOW    zstd or gzip, :LEVEL; also if FILE ends in .zst or .gz\n"
"      --rotate HOW      begin a new FILE-DATE-TIME: size=1G,time=10m\n"
"      --keep N          keep the newest N of them\n"
"      --max-size SIZE   stop when the file is that large\n"
"what is told\n"
"      --stats-json FILE counts, losses and times, at the end; - is standard output\n"
"  -q, --quiet           errors only     -v, --verbose  what happens\n"
"  -h, --help            this text       -V, --version  the version\n"
"\n"
"exit status: that of COMMAND if there is one and all was recorded; else 0 done,\n"
"1 recording or writing failed, 2 wrong usage, 3 nothing to record with, 4 not\n"
"permitted, 5 the module is in use, 6 the archive ends early: no room or no reader;\n"
"126 COMMAND cannot be run, 127 not found.\n";

/* Those without a letter. */
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
};

static const struct option known[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "duration", required_argument, NULL, 'd' },
	{ "source", required_argument, NULL, 's' },
	{ "buffer", required_argument, NULL, 'b' },
	{ "clock", required_argument, NULL, 'c' },
	{ "weight", required_argument, NULL, OPT_WEIGHT },
	{ "names", required_argument, NULL, OPT_NAMES },
	{ "without", required_argument, NULL, OPT_WITHOUT },
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
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* Return: 0, a negative errno, or 1 if the option is none of these. */
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
	case 'd':
		return value_time("--duration", optarg, &o->duration, e);
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
	if (o->compression != COMPRESSION_NONE)
		return;
	if (ends_in(o->output, ".zst") || ends_in(o->output, ".zstd"))
		o->compression = COMPRESSION_ZSTD;
	else if (ends_in(o->output, ".gz"))
		o->compression = COMPRESSION_GZIP;
}

/* What makes no sense together. */
static int check_options(const struct options *o, struct error *e)
{
	bool standard = !strcmp(o->output, "-");

	if (!o->config.overwrite && o->trigger)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--trigger ends what a flight recorder keeps: give --flight-recorder, too");
	if (!o->trigger && o->config.trigger.after)
		return fail(e, EXIT_USAGE, -EINVAL, "--after: after what? Give a --trigger");
	if (!o->config.overwrite && o->snapshots)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--snapshots are a flight recorder's: give --flight-recorder, too");
	if (o->config.overwrite && (options_rotate(o) || o->max_size))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--flight-recorder writes no more than its buffers hold: leave out --rotate and --max-size");
	if (o->keep && !options_rotate(o))
		return fail(e, EXIT_USAGE, -EINVAL, "--keep is for --rotate: give that, too");
	if (standard && (o->config.overwrite || options_rotate(o)))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--flight-recorder and --rotate write several files: give --output a name");
	if (standard && o->stats && !strcmp(o->stats, "-"))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--output and --stats-json cannot both be standard output");
	return 0;
}

static int finish_options(struct options *o, bool has_snapshots, struct error *e)
{
	const struct source_filter *f = &o->filter;

	compress_by_ending(o);
	if (f->cpus || f->pid_count || f->comm || f->cgroup)
		o->config.filter = f;
	if (o->trigger && !has_snapshots)
		o->snapshots = 1;
	return check_options(o, e);
}

int options_parse(struct options *o, int argc, char **argv, struct error *e)
{
	char why[FXT_USAGE_TEXT];
	bool has_snapshots = false;
	int c, ret;

	*o = (struct options){ .output = FXT_SCHED_ARCHIVE, .names.cgroups = true };
	value_buffer(o, DEFAULT_BUFFER, e);
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:o:d:s:b:c:C:p:Fz:qvhV", known, NULL)) != -1) {
		switch (c) {
		case 'h':
			fputs(help, stdout);
			return OPTIONS_END;
		case 'V':
			puts("fxt-collect " FXT_VERSION);
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
