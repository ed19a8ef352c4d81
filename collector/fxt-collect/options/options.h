/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - the options of fxt-collect.
 */
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

/*
 * The user's metadata of a recording: -M KEY=VALUE.
 *
 * In: words of the command line.
 * Out: lines of the description of the recording.
 */

#define METADATA_MAX		16
#define METADATA_KEY_MAX	32	/* bytes */
#define METADATA_VALUE_MAX	256	/* bytes */

/**
 * struct metadata - the pairs in the order of the command line
 * @pairs: "KEY=VALUE", checked
 * @count: number of them
 */
struct metadata {
	const char *pairs[METADATA_MAX];
	unsigned int count;
};

/**
 * metadata_add() - check a pair and add it
 * @m: the pairs
 * @pair: "KEY=VALUE": of a key, letters, digits, "_", "-" and "."; a value in UTF-8
 *	without control characters
 * @e: filled in on error
 *
 * Return: 0 or -EINVAL.
 */
int metadata_add(struct metadata *m, const char *pair, struct error *e);

/** metadata_describe() - write lines "meta.KEY VALUE" */
void metadata_describe(const struct metadata *m, FILE *f);

/* --- the time of the start -------------------------------------------------------------- */

/*
 * When a recording starts, by the wall clock: --start-at.
 *
 * In: "/10s": at the next multiple of ten seconds since 1970, which is the same moment on
 * all machines with a synchronized clock; "@1767225600": at that second since 1970.
 * Out: ns of CLOCK_REALTIME.
 */

/**
 * struct start_at - the time
 * @every: ns; of "/TIME", else 0
 * @at: ns since 1970 at which to start; 0: at once
 */
struct start_at {
	uint64_t every;
	uint64_t at;
};

/**
 * start_at_parse() - read the value of the option
 * @s: filled in
 * @value: as above
 * @now: ns since 1970
 * @e: filled in on error
 *
 * Return: 0; -EINVAL if it is invalid, or in the past.
 */
int start_at_parse(struct start_at *s, const char *value, uint64_t now, struct error *e);

/**
 * start_at_missed() - handle a start time that has passed before everything was prepared
 * @s: with "/TIME", set to the next multiple after @now; else unchanged
 * @now: ns since 1970
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

/** options_compression() - the name of a kind of compression, except "none" */
const char *options_compression(enum compression c);

/**
 * struct options - the command line
 * @output: path of the archive, "-" for standard output
 * @force: replace any existing file
 * @duration: ns to record, 0 for no limit
 * @start_at: when to start
 * @source: the source to use
 * @buffer: bytes per CPU, as given
 * @config: what the source is opened with; points into this struct
 * @tls: files for an output that is encrypted
 * @has_stacks_min: --stacks-min was given
 * @no_symbols: do not name the functions of stacks
 * @filter: which threads and CPUs to record; empty members do not filter
 * @tracepoints: chosen by the user
 * @trigger: the value as given, NULL without a trigger
 * @snapshots: number of snapshots after which the flight recorder ends; 0 for no limit
 * @compression: of the output
 * @level: of the compression, 0 for the default
 * @rotate_size: bytes after which a new segment begins, 0 for never
 * @rotate_time: ns after which a new segment begins, 0 for never
 * @keep: segments or snapshots of this run to keep, 0 for all
 * @max_size: bytes of the output after which the recording ends, 0 for never
 * @metadata: added by the user
 * @names: how tasks are named
 * @without: parts to omit
 * @stats: path of the statistics, "-" for standard output; NULL for none
 * @fail_on_loss: missing data is a failure
 * @quiet: print errors and losses only
 * @verbose: print progress
 * @invocation: the command line, for people to read
 * @command: COMMAND and its arguments, NULL at the end; NULL without
 */
struct options {
	const char *output;
	bool force;
	struct tls_files tls;
	uint64_t duration;
	struct start_at start_at;
	enum source_choice source;
	uint64_t buffer;
	struct source_config config;
	bool has_stacks_min;
	bool no_symbols;
	struct source_filter filter;
	struct tracepoints tracepoints;
	const char *trigger;
	uint64_t snapshots;
	enum compression compression;
	int level;
	uint64_t rotate_size;
	uint64_t rotate_time;
	uint64_t keep;
	uint64_t max_size;
	struct metadata metadata;
	struct names_options names;
	unsigned int without;
	const char *stats;
	bool fail_on_loss;
	bool quiet;
	bool verbose;
	const char *invocation;
	char **command;
};

/** options_rotate() - is the recording split into segments? */
static inline bool options_rotate(const struct options *o)
{
	return o->rotate_size || o->rotate_time;
}

/** options_makes_files() - is each part of the recording an archive of its own? */
static inline bool options_makes_files(const struct options *o)
{
	return o->config.overwrite || options_rotate(o);
}

/**
 * options_size_text() - format a size as -b takes it
 * @text: room for it
 * @room: bytes
 * @bytes: the size
 *
 * Return: @text.
 */
const char *options_size_text(char *text, size_t room, uint64_t bytes);

/* --- call stacks ------------------------------------------------------------------------ */


/* --- the command line ------------------------------------------------------------------- */

/* Return values of options_parse() besides errors. */
enum { OPTIONS_RUN = 0, OPTIONS_END = 1 };

/**
 * options_parse() - parse the command line
 * @o: set to the options; must not move afterwards
 * @argc: as main() got it
 * @argv: as main() got it; must stay, and is modified
 * @e: filled in on error
 *
 * Prints --help and --version itself.
 *
 * Return: OPTIONS_RUN, OPTIONS_END if nothing is left to do, or -EINVAL.
 */
int options_parse(struct options *o, int argc, char **argv, struct error *e);

#endif /* FXT_COLLECT_OPTIONS_H */
