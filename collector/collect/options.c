// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - see options.h. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/fxt_sched.h>

#include "options.h"

#define DEFAULT_OUTPUT	"sched.fxt"
#define DEFAULT_BUFFER	"4M"
/* More of them lets the reader fall behind further in finer steps. */
#define SUBBUFS_WANTED	16
#define SUBBUF_SIZE_BEST	(1ULL << 20)

static const char help[] =
"usage: fxt-collect [OPTION...] [-- COMMAND [ARGUMENT...]]\n"
"\n"
"Records what the whole system schedules into an FXT archive, until Ctrl-C, for\n"
"a time, or while COMMAND runs. Open the archive at https://ui.perfetto.dev.\n"
"\n"
"  -o, --output FILE     the archive; - is standard output (" DEFAULT_OUTPUT ")\n"
"  -d, --duration TIME   stop after that: 500ms, 10s, 2m\n"
"  -s, --source SOURCE   kmod (the module fxt_sched), bpf, or auto: the module\n"
"                        if it is loaded, else BPF (auto)\n"
"  -b, --buffer SIZE     buffer per CPU: 512K, 16M (" DEFAULT_BUFFER ")\n"
"  -c, --clock CLOCK     boot, mono, or tsc: the cheapest, kmod only (boot)\n"
"      --weight WHAT     what weights hold: weight (load weight, more is more) or\n"
"                        prio (the kernel's own number, less is more) (weight)\n"
"  -q, --quiet           say nothing but errors\n"
"  -v, --verbose         say what happens\n"
"  -h, --help            this text\n"
"  -V, --version         the version\n"
"\n"
"exit status: that of COMMAND if there is one and all was recorded; else 0 done,\n"
"1 recording or writing failed, 2 wrong usage, 3 nothing to record with, 4 not\n"
"permitted, 5 the module is in use; 126 COMMAND cannot be run, 127 not found.\n";

static int parse_choice(const char *option, const char *value,
			const char * const *names, struct error *e)
{
	char all[64] = "";
	int i;

	for (i = 0; names[i]; i++) {
		if (!strcmp(names[i], value))
			return i;
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s",
			 i ? ", " : "", names[i]);
	}
	return fail(e, EXIT_USAGE, -EINVAL, "%s %s: no such value; give one of %s",
		    option, value, all);
}

/* A number and its unit out of a list of names and factors. */
struct unit {
	const char *name;
	uint64_t factor;
};

static int parse_number(const char *value, const struct unit *units, uint64_t *n)
{
	char *end;

	if (*value < '0' || *value > '9')
		return -EINVAL;
	errno = 0;
	*n = strtoull(value, &end, 10);
	if (errno)
		return -ERANGE;
	for (; units->name; units++)
		if (!strcmp(units->name, end))
			return __builtin_mul_overflow(*n, units->factor, n) ?
			       -ERANGE : 0;
	return -EINVAL;
}

static int parse_duration(struct options *o, const char *value, struct error *e)
{
	static const struct unit units[] = {
		{ "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
		{ "", 1000000000 }, { "m", 60000000000 }, { "h", 3600000000000 },
		{ NULL, 0 },
	};

	if (!parse_number(value, units, &o->duration) && o->duration)
		return 0;
	return fail(e, EXIT_USAGE, -EINVAL,
		    "--duration %s: no time; give a number and us, ms, s, m or h, as in 10s",
		    value);
}

/* Cut a buffer into sub-buffers: a power of two each, a page at least. */
static int parse_buffer(struct options *o, const char *value, struct error *e)
{
	static const struct unit units[] = {
		{ "", 1 }, { "K", 1ULL << 10 }, { "k", 1ULL << 10 },
		{ "M", 1ULL << 20 }, { "G", 1ULL << 30 }, { NULL, 0 },
	};
	uint64_t page = sysconf(_SC_PAGESIZE), size = page;

	if (parse_number(value, units, &o->buffer) ||
	    o->buffer > FXT_SCHED_BUFFER_SIZE_MAX ||
	    o->buffer < FXT_SCHED_SUBBUF_COUNT_MIN * page)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--buffer %s: no size that can be used; give %" PRIu64 "K to %uM per CPU, as in 4M",
			    value, FXT_SCHED_SUBBUF_COUNT_MIN * page >> 10,
			    FXT_SCHED_BUFFER_SIZE_MAX >> 20);
	while (size < SUBBUF_SIZE_BEST && size * 2 * SUBBUFS_WANTED <= o->buffer)
		size *= 2;
	o->config.subbuf_size = size;
	o->config.subbuf_count = o->buffer / size;
	return 0;
}

static int set_option(struct options *o, int c, struct error *e)
{
	static const char * const sources[] = { "auto", "kmod", "bpf", NULL };
	static const char * const clocks[] = { "boot", "mono", "tsc", NULL };
	static const char * const weights[] = { "weight", "prio", NULL };
	int n = 0;

	switch (c) {
	case 'o':
		o->output = optarg;
		break;
	case 'd':
		return parse_duration(o, optarg, e);
	case 's':
		n = parse_choice("--source", optarg, sources, e);
		o->source = n;
		break;
	case 'b':
		return parse_buffer(o, optarg, e);
	case 'c':
		n = parse_choice("--clock", optarg, clocks, e);
		o->config.clock = n;
		break;
	case 'w':
		n = parse_choice("--weight", optarg, weights, e);
		o->config.weight = n;
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

int options_parse(struct options *o, int argc, char **argv, struct error *e)
{
	static const struct option known[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "duration", required_argument, NULL, 'd' },
		{ "source", required_argument, NULL, 's' },
		{ "buffer", required_argument, NULL, 'b' },
		{ "clock", required_argument, NULL, 'c' },
		{ "weight", required_argument, NULL, 'w' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	int c, ret;

	*o = (struct options){ .output = DEFAULT_OUTPUT };
	parse_buffer(o, DEFAULT_BUFFER, e);
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:o:d:s:b:c:qvhV", known, NULL)) != -1) {
		switch (c) {
		case 'h':
			fputs(help, stdout);
			return OPTIONS_END;
		case 'V':
			puts("fxt-collect " FXT_VERSION);
			return OPTIONS_END;
		case ':':
			return fail(e, EXIT_USAGE, -EINVAL,
				    "%s: its value is missing; see --help",
				    argv[optind - 1]);
		case '?':
			return fail(e, EXIT_USAGE, -EINVAL,
				    "%s: unknown option; see --help",
				    argv[optind - 1]);
		}
		ret = set_option(o, c, e);
		if (ret)
			return ret;
	}
	if (optind < argc)
		o->command = argv + optind;
	return OPTIONS_RUN;
}

const char *options_size_text(char *text, size_t room, uint64_t bytes)
{
	if (bytes % (1 << 20) == 0)
		snprintf(text, room, "%" PRIu64 "M", bytes >> 20);
	else
		snprintf(text, room, "%" PRIu64 "K", (bytes + 1023) >> 10);
	return text;
}
