/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - the options of fxt-collect. */
#ifndef FXT_COLLECT_OPTIONS_H
#define FXT_COLLECT_OPTIONS_H

#include <stdint.h>
#include <stdio.h>

#include "libopt/option.h"
#include "libtls/tls.h"
#include "names/names.h"
#include "output/file.h"
#include "process/error.h"
#include "source/source.h"

/* --- metadata --------------------------------------------------------------------------- */

/* Lines of the description of the recording: -M KEY=VALUE. */

#define METADATA_MAX		16
#define METADATA_KEY_MAX	32	/* bytes */
#define METADATA_VALUE_MAX	256	/* bytes */

/* In the order of the command line. */
struct metadata {
	const char *pairs[METADATA_MAX];	/* "KEY=VALUE", checked */
	unsigned int count;
};

/*
 * Check a pair "KEY=VALUE" and add it to struct metadata: of a key, letters, digits, "_", "-" and
 * "."; a value in UTF-8 without control characters. Return: NULL, or what is wrong
 */
option_setter metadata_add;

/* Write lines "meta.KEY VALUE". */
void metadata_describe(const struct metadata *m, FILE *f);

/* --- the time of the start -------------------------------------------------------------- */

/*
 * When a recording starts, by the wall clock: --start-at. "/10s": at the next multiple of ten
 * seconds since 1970, which is the same moment on all machines with a synchronized clock;
 * "@1767225600": at that second since 1970.
 */

struct start_at {
	uint64_t every;		/* ns; of "/TIME", else 0 */
	uint64_t at;		/* ns since 1970 at which to start; 0: at once */
};

/* @now is in ns since 1970. Return: NULL, or what is wrong with the value */
const char *start_at_parse(struct start_at *s, const char *value, uint64_t now);

/*
 * The start time has passed before everything was prepared. With "/TIME", start at the next
 * multiple after @now (ns since 1970).
 */
void start_at_missed(struct start_at *s, uint64_t now);

/* --- options ---------------------------------------------------------------------------- */

enum source_choice {
	SOURCE_AUTO,
	SOURCE_KMOD,
	SOURCE_BPF,
};

/* Parts of an archive that can be omitted: bits in the order of their names. */
enum {
	WITHOUT_COUNTERS	= 1 << 0,
	WITHOUT_INSTANTS	= 1 << 1,
	WITHOUT_HOST		= 1 << 2,
	WITHOUT_TRIGGER		= 1 << 3,
	WITHOUT_PERFETTO_STACKS	= 1 << 4,
};

/* Words with their meanings, one without a name at the end. */
extern const struct option_word options_without[];	/* by bits of WITHOUT_* */
extern const struct option_word options_stacks[];	/* by bits of STACKS_* */
extern const struct option_word options_clocks[];	/* by enum clock_kind */
extern const struct option_word options_weights[];	/* by enum weight_mode */
extern const struct option_word options_wakeups[];	/* by enum wakeup_mode */

/* The name of a kind of compression, except COMPRESSION_NONE. */
const char *options_compression(enum compression c);

/* The command line. */
struct options {
	const char *output;		/* path of the archive, "-" for standard output */
	bool force;			/* replace any existing file */
	struct tls_files tls;
	uint64_t duration;		/* ns to record, 0 for no limit */
	struct start_at start_at;
	enum source_choice source;
	uint64_t buffer;		/* bytes per CPU, as given */
	struct source_config config;	/* what the source is opened with; points into this struct */
	bool no_symbols;		/* do not name the functions of stacks */
	struct source_filter filter;	/* what to record; empty members do not filter */
	struct tracepoints tracepoints;
	const char *trigger;		/* the value as given, NULL without a trigger */
	uint64_t snapshots;		/* after which the flight recorder ends; 0 for no limit */
	enum compression compression;
	int level;			/* of the compression, 0 for the default */
	uint64_t rotate_size;		/* bytes after which a new segment begins, 0 for never */
	uint64_t rotate_time;		/* likewise, ns */
	uint64_t keep;			/* segments or snapshots of this run to keep, 0 for all */
	uint64_t max_size;		/* bytes of the output that end the recording, 0 for no limit */
	struct metadata metadata;
	struct names_options names;
	uint64_t without;		/* parts to omit: WITHOUT_* */
	const char *stats;		/* path of the statistics, "-" for standard output, or NULL */
	bool fail_on_loss;		/* missing data is a failure */
	bool quiet;			/* print errors and losses only */
	bool verbose;			/* print progress */
	const char *invocation;		/* the command line, for people to read */
	char **command;			/* COMMAND and its arguments, NULL at the end; NULL without */
};

/* Is the recording split into segments? */
static inline bool options_rotate(const struct options *o)
{
	return o->rotate_size || o->rotate_time;
}

/* Is each part of the recording an archive of its own? */
static inline bool options_makes_files(const struct options *o)
{
	return o->config.overwrite || options_rotate(o);
}

/* Format a size as -b takes it. Return: @text */
const char *options_size_text(char *text, size_t room, uint64_t bytes);

/* --- the command line ------------------------------------------------------------------- */

/* Return values of options_parse() besides errors. */
enum { OPTIONS_RUN = 0, OPTIONS_END = 1 };

/**
 * options_parse() - parse the command line
 * @o: must not move afterwards
 * @argv: must stay, and is modified
 *
 * Prints --help and --version itself.
 *
 * Return: OPTIONS_RUN, OPTIONS_END if nothing is left to do, or -EINVAL.
 */
int options_parse(struct options *o, int argc, char **argv, struct error *e);

#endif /* FXT_COLLECT_OPTIONS_H */
