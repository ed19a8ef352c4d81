// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * part.c - see part.h.
 *
 * Each file has a preamble and the names of all tasks, so that it can be read without the others.
 */
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>

#include <fxt/fxt_sched.h>

#include "libfxt/address.h"
#include "libfxt/array.h"
#include "libfxt/clock.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "archive/stitch.h"
#include "names/names.h"
#include "options/options.h"
#include "output/file.h"
#include "output/output.h"
#include "part.h"
#include "signals.h"
#include "source/cgroups.h"
#include "source/groups.h"
#include "status.h"

/* --- files ------------------------------------------------------------------------------ */

#define READER_MS	50	/* between looks for the reader of a pipe: no event announces it */

int session_write_failed(struct session *s, int err)
{
	if (err == -EPROTO)
		return fail(s->e, EXIT_FAILED, err,
			    "the source %s returned an invalid chunk; this is a bug, please report it",
			    s->source->ops->name);
	if (err == -ENOMEM)
		return fail(s->e, EXIT_FAILED, err, "out of memory for %s", s->o->output);
	s->write_error = err;
	return output_fail(s->e, s->path, err);
}

int session_open(struct session *s, struct output **out, const char *path,
		 struct output_options *options)
{
	struct pollfd end = { .fd = s->end, .events = POLLIN };
	bool said = s->o->quiet;
	int ret;

	options->broker = s->broker;
	options->end = s->end;
	options->until = &s->until;
	options->force = s->o->force;
	while ((ret = output_open(out, path, options, s->e)) == -EAGAIN) {
		if (!said)
			status_print("waiting for a reader of the pipe %s", path);
		said = true;
		if (poll(&end, 1, READER_MS))
			return ret;
	}
	if (!ret)
		s->e->text[0] = '\0';
	return ret;
}

/* --- what the archive says of its own making -------------------------------------------- */

/* CLOCK_REALTIME in ns at time 0 of the archive, to convert its times to dates. */
static uint64_t epoch_ns(struct session *s)
{
	uint64_t now = s->source->ops->now(s->source);

	return clock_ns(CLOCK_REALTIME) - fxt_ticks_to_ns(now, s->source->ticks_per_second);
}

/* How far CLOCK_REALTIME is off at most, if something keeps it right: NTP, PTP. */
static void describe_epoch_error(FILE *f)
{
	struct timex t = { .modes = 0 };

	if (adjtimex(&t) >= 0 && !(t.status & STA_UNSYNC))
		fprintf(f, "epoch_error %lld\n", t.maxerror * 1000LL);
}

/* How far CLOCK_MONOTONIC is behind CLOCK_BOOTTIME, for merging with traces of programs. */
static uint64_t suspended_ns(void)
{
	uint64_t mono = clock_ns(CLOCK_MONOTONIC);
	int64_t ns = clock_ns(CLOCK_BOOTTIME) - mono;

	/* A smaller difference is the time between the two calls. */
	return ns < 1000000 ? 0 : ns;
}

static void describe_filter(FILE *f, const struct source_filter *filter)
{
	unsigned int i;

	if (filter->cpus)
		fprintf(f, "filter cpus %s\n", filter->cpus);
	for (i = 0; i < filter->pid_count; i++)
		fprintf(f, "%s%u%s", i ? "," : "filter pids ", filter->pids[i],
			i + 1 == filter->pid_count ? "\n" : "");
	if (filter->comm)
		fprintf(f, "filter comm %s\n", filter->comm);
	if (filter->cgroup)
		fprintf(f, "filter cgroup %s\n", filter->cgroup);
}

static void describe_events(FILE *f, uint64_t events)
{
	const struct event_group *g;
	const char *between = "events ";

	for (g = event_groups; g->name; g++) {
		if (!(events & g->bit & ~FXT_SCHED_EVENTS_SCHED))
			continue;
		fprintf(f, "%s%s", between, g->name);
		between = ",";
	}
	if (*between == ',')
		fputc('\n', f);
	fputs("moves runnable\n", f);
}

/*
 * Which cgroups there are, if they can have no quotas, and where the events of throttled ones come
 * from.
 */
static void describe_cgroups(FILE *f, const struct session *s)
{
	const char *hook = s->source->throttle_hook, *lacks = cgroups_lack_quotas();

	if (cgroups_are_v2())
		fputs(FXT_SCHED_CGROUPS " " FXT_SCHED_CGROUPS_V2 "\n", f);
	if (!cgroups_have_quotas())
		fputs("quotas none\n", f);
	if (s->source->events & FXT_SCHED_EVENTS_THROTTLE)
		fprintf(f, "throttle %s%s%s\n", hook ? hook : "", hook && !lacks ? "," : "",
			lacks ? "" : "cpu.stat");
}

/* Write "KEY A,B" of the words whose bits are set, without a newline. */
static void describe_words(FILE *f, const char *key, const struct option_word *words,
			   unsigned int bits)
{
	const char *between = " ";
	size_t i;

	fputs(key, f);
	for (i = 0; words[i].name; i++) {
		if (!(bits & 1 << i))
			continue;
		fprintf(f, "%s%s", between, words[i].name);
		between = ",";
	}
}

static void describe_stacks(FILE *f, const struct source_stacks *s)
{
	if (!s->what)
		return;
	describe_words(f, "stacks", options_stacks, s->what);
	fprintf(f, ":%u\n", s->depth);
	if (s->what & STACKS_EVENTS)
		fprintf(f, "stacks_min_ns %" PRIu64 "\n", s->min);
	if (s->what & STACKS_ONCPU)
		fprintf(f, "stacks_hz %u\n", s->hz);
}

static int describe_recording(struct session *s, char **text)
{
	const struct options *o = s->o;
	size_t size;
	FILE *f = open_memstream(text, &size);

	if (!f)
		return -ENOMEM;
	fprintf(f, "collector fxt-collect %s\nsource %s\nclock %s\nweight %s\n",
		FXT_VERSION, s->source->ops->name, options_clocks[o->config.clock].name,
		options_weights[o->config.weight].name);
	if (o->config.wakeups != WAKEUP_MODE_WAKEUP)
		fprintf(f, "wakeups %s\n", options_wakeups[o->config.wakeups].name);
	fprintf(f, "buffer %zu x %u\n", o->config.subbuf_size, o->config.subbuf_count);
	metadata_describe(&o->metadata, f);
	if (!(o->without & WITHOUT_HOST)) {
		host_describe(&s->host, f);
		fprintf(f, "invoked %s\n", o->invocation);
	}
	if (!names_fit_records())
		fprintf(f, "pid_namespace other\n");
	else if (s->child.pid && !(o->without & WITHOUT_HOST))
		fprintf(f, "command_pid %d\n", s->child.pid);
	describe_events(f, s->source->events);
	describe_cgroups(f, s);
	describe_stacks(f, &o->config.stacks);
	if (o->without) {
		describe_words(f, "without", options_without, o->without);
		fputc('\n', f);
	}
	fprintf(f, "epoch %" PRIu64 "\nsuspended %" PRIu64 "\n", epoch_ns(s), suspended_ns());
	describe_epoch_error(f);
	if (s->start_at.at)
		fprintf(f, "start_at %" PRIu64 "\nstart_late %" PRIu64 "\n", s->start_at.at,
			s->late);
	if (o->config.overwrite)
		fprintf(f, "mode flight-recorder\nsnapshot %u\n", s->part);
	else if (options_rotate(o))
		fprintf(f, "segment %u\n", s->part);
	if (o->trigger)
		fprintf(f, "trigger %s\n", o->trigger);
	if (o->config.filter)
		describe_filter(f, o->config.filter);
	if (o->names.cmdline)
		fprintf(f, "names cmdline\n");
	if (o->compression != COMPRESSION_NONE)
		fprintf(f, "compression %s\n", options_compression(o->compression));
	return fclose(f) ? -ENOMEM : 0;
}

/* --- paths --------------------------------------------------------------------------- */

/* Length of the path without its file extensions: ".fxt.zst" is one. */
static size_t stem_length(const char *path)
{
	static const char * const endings[] = { ".zst", ".zstd", ".gz", ".fxt" };
	size_t length = strlen(path), n, i;

	for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		n = strlen(endings[i]);
		if (length > n && path[length - n - 1] != '/' &&
		    !strncmp(path + length - n, endings[i], n))
			length -= n;
	}
	return length;
}

static int set_path(struct session *s, const char *infix)
{
	const char *base = s->o->output;
	int stem = stem_length(base);
	int n = snprintf(s->path, PART_PATH, "%.*s%s%s", stem, base, infix, base + stem);

	return n < PART_PATH ? 0 : -ENAMETOOLONG;
}

/* The path of the next archive; @try counts the choices for it from 1. */
static int make_path(struct session *s, unsigned int try)
{
	char when[32], infix[64];
	time_t now = time(NULL);

	/* The receiver names the archive of each connection. */
	if (fxt_address_is(s->o->output))
		return snprintf(s->path, PART_PATH, "%s", s->o->output) < PART_PATH ?
		       0 : -ENAMETOOLONG;
	if (s->o->config.overwrite) {
		snprintf(infix, sizeof(infix), "-%04u", try);
		return set_path(s, infix);
	}
	if (!options_rotate(s->o))
		return set_path(s, "");
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", localtime(&now));
	snprintf(infix, sizeof(infix), try > 1 ? "-%s-%u" : "-%s", when, try);
	return set_path(s, infix);
}

static int check_old(struct session *s)
{
	unsigned int how = DIRECT_LOOK | (s->o->force ? DIRECT_FORCE : 0);
	struct direct none;

	return broker_open(s->broker, &none, s->o->output, how, s->e);
}

/*
 * Connect, and send nothing, which a receiver ignores: a flight recorder's first snapshot would
 * show a mistake too late. Other recordings connect before they start.
 */
static int check_receiver(struct session *s)
{
	struct direct f;
	int ret;

	if (!s->o->config.overwrite)
		return 0;
	ret = broker_open(s->broker, &f, s->o->output, 0, s->e);
	if (!ret)
		direct_close(&f);
	return ret;
}

int part_check_place(struct session *s)
{
	/* A single file may exist already, and then needs no write access to its directory. */
	bool makes_files = options_makes_files(s->o);
	char path[PART_PATH];
	const char *dir;
	int ret;

	if (!strcmp(s->o->output, "-"))
		return 0;
	if (fxt_address_is(s->o->output))
		return check_receiver(s);
	if (snprintf(path, sizeof(path), "%s", s->o->output) >= PART_PATH - 32)
		return fail(s->e, EXIT_USAGE, -ENAMETOOLONG, "--output: name too long");
	dir = dirname(path);
	ret = broker_check(s->broker, dir, makes_files ? DIRECT_PART_FIRST : 0);
	if (!ret)
		return makes_files ? 0 : check_old(s);
	return fail(s->e, EXIT_FAILED, ret,
		    "cannot write to %s, the directory of %s: %s; use another --output",
		    dir, s->o->output, strerror(-ret));
}

/* --- begin, flush, end ------------------------------------------------------------------ */

int part_head(struct session *s, bool is_part)
{
	char *text = NULL;
	int ret = describe_recording(s, &text);

	ret = ret ? ret : fxt_writer_open_sink(&s->w, output_write, s->out);
	if (!ret)
		ret = stitch_begin(s->stitch, s->w, s->source->ticks_per_second, text,
				   s->start, is_part);
	if (!ret && !(s->o->without & WITHOUT_HOST))
		ret = host_write(&s->host, s->w);
	if (s->counters)
		counters_begin(s->counters);
	if (s->quotas)
		quotas_begin(s->quotas);
	ret = ret ? ret : reuses_write_names(&s->reuses, s->w, s->start);
	ret = ret ? ret : names_write(s->names, s->w, !is_part && !s->o->config.filter);
	free(text);
	return ret ? session_write_failed(s, ret) : part_flush(s);
}

/* Archives of an earlier recording are kept: numbers in use are skipped. */
int part_open(struct session *s)
{
	const struct options *o = s->o;
	struct output_options options = {
		.compression = o->compression,
		.level = o->level,
		.part = !fxt_address_is(o->output) && options_makes_files(o),
	};
	unsigned int try = s->tried;
	int ret;

	s->part++;
	do {
		ret = make_path(s, ++try);
		if (ret)
			return fail(s->e, EXIT_FAILED, ret,
				    "cannot name an archive after %s: %s", o->output,
				    strerror(-ret));
		ret = session_open(s, &s->out, s->path, &options);
	} while (ret == -EEXIST && options.part);
	/* A number is not used again after its file was removed, but see part_drop(). */
	if (o->config.overwrite)
		s->tried = try;
	/* Treat a receiver that is gone like a full disk. */
	if (ret && s->began && fxt_address_is(s->path))
		s->write_error = ret;
	return ret;
}

int part_begin(struct session *s)
{
	int ret = part_open(s);

	return ret ? ret : part_head(s, true);
}

int part_flush(struct session *s)
{
	int ret = fxt_writer_flush(s->w);

	s->unsafe = 0;
	ret = ret ? ret : output_boundary(s->out);
	return ret ? session_write_failed(s, ret) : 0;
}

void part_drop(struct session *s, bool keep)
{
	if (s->out && s->o->config.overwrite)
		s->tried--;
	fxt_writer_close(s->w);
	if (keep)
		output_close(s->out, false);
	else
		output_discard(s->out, s->path);
	s->w = NULL;
	s->out = NULL;
}

/* The oldest of the user who has most: nobody can push out the snapshots of others. */
static size_t surplus(const struct session *s)
{
	size_t most = 0, found = 0, count, i, j;

	for (i = 0; i < s->kept_count; i++) {
		for (count = 0, j = i; j < s->kept_count; j++)
			count += s->kept[j].user == s->kept[i].user;
		if (count <= most)
			continue;
		most = count;
		found = i;
	}
	return found;
}

static void remove_kept(struct session *s, size_t which)
{
	struct kept *gone = &s->kept[which];
	int ret;

	if (s->o->verbose)
		status_print("removing %s", gone->path);
	ret = broker_remove(s->broker, gone->path);
	if (ret && ret != -ENOENT)
		status_print("cannot remove %s: %s; keeping it", gone->path, strerror(-ret));
	free(gone->path);
	memmove(gone, gone + 1, (--s->kept_count - which) * sizeof(*gone));
}

/* Remember a complete segment or snapshot, and remove one if there are more than --keep. */
static int keep_path(struct session *s)
{
	struct kept new = { .user = s->user };

	if (!s->o->keep)
		return 0;
	new.path = strdup(s->path);
	if (!new.path || array_grow(s->kept, s->kept_count)) {
		free(new.path);
		return -ENOMEM;
	}
	s->kept[s->kept_count++] = new;
	if (s->kept_count > s->o->keep)
		remove_kept(s, surplus(s));
	return 0;
}

void part_count(struct session *s, const char *key, uint64_t count)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%s %" PRIu64 "\n", key, count);

	if (count)
		fxt_writer_blob(s->w, FXT_STR_SESSION, text, n);
}

int part_end(struct session *s)
{
	int ret = reuses_write(&s->reuses, s->w, s->source->ticks_per_second);

	part_count(s, "renames_folded", s->missed.folded);
	ret = ret ? ret : symbols_write(&s->symbols, s->w, s->start);
	ret = ret ? ret : names_finish(s->names, s->w);
	ret = ret ? ret : part_flush(s);
	ret = ret ? ret : output_end(s->out);
	if (ret)
		return s->e->text[0] ? ret : session_write_failed(s, ret);
	s->summary.archive_bytes += stitch_bytes(s->stitch);
	ret = fxt_writer_close(s->w);
	s->w = NULL;
	s->summary.bytes += output_bytes(s->out);
	s->summary.files++;
	if (!ret)
		ret = output_close(s->out, true);
	else
		output_close(s->out, false);
	s->out = NULL;
	if (ret)
		return session_write_failed(s, ret);
	if (s->o->verbose)
		status_print("%s is complete", s->path);
	return fxt_address_is(s->path) ? 0 : keep_path(s);
}
