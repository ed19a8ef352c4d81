// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plan.c - finds the parts of each recording, and places the recordings.
 *
 * In: the survey of each archive.
 * Out: recordings, each with its time offset, its first CPU and its first koid.
 *
 * A part continues another one if each of its streams opens with the counts with which that stream
 * ended: no two recordings have equal counts. Times are those of the first recording. Between the
 * clocks of one boot the offset is known; for others, the command line or the time of day gives it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/kernel_event.h"
#include "sched/session_text.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/filter.h"
#include "merge.h"

/* --------------------------------------------------------------------
 * Find what a merge needs to know of an archive: its machine and boot, the counts at which its
 * streams begin and end, and the numbers of CPUs and koids in use.
 */

struct survey {
	struct merge *m;
	struct merge_input *in;
};

/* --- the description of the archive -------------------------------------------- */

/* The command line takes precedence. */
static void note_clock(struct merge_input *in, const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum merge_clock clock;
	} clocks[] = {
		{ "boot", MERGE_CLOCK_BOOT }, { "tsc", MERGE_CLOCK_BOOT }, { "mono", MERGE_CLOCK_MONO },
		{ "LINUX_CLOCK_BOOTTIME", MERGE_CLOCK_BOOT },
		{ "LINUX_CLOCK_MONOTONIC", MERGE_CLOCK_MONO },
	};
	size_t i;

	for (i = 0; !in->has_clock && i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (strlen(clocks[i].name) == length && !memcmp(clocks[i].name, name, length))
			in->clock = clocks[i].clock;
}

static const char *after_spaces(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
		at++;
	return at;
}

/* A trace in JSON may name its clock: {"clock-domain":"LINUX_CLOCK_MONOTONIC"}. */
static void parse_metadata(struct merge_input *in, const struct fxt_content *c)
{
	static const char key[] = "\"clock-domain\"";
	const char *at = memmem(c->blob.data, c->blob_held, key, sizeof(key) - 1), *quote;
	const char *end = (const char *)c->blob.data + c->blob_held;

	if (!at)
		return;
	at = after_spaces(at + sizeof(key) - 1, end);
	if (at == end || *at++ != ':')
		return;
	at = after_spaces(at, end);
	if (at == end || *at++ != '"')
		return;
	quote = memchr(at, '"', end - at);
	if (quote)
		note_clock(in, at, quote - at);
}

static void parse_line(struct merge_input *in, const struct session_line *l)
{
	char text[128];

	snprintf(text, sizeof(text), "%.*s", (int)l->bytes, l->key);
	if (!strncmp(text, "host ", 5))
		snprintf(in->host, sizeof(in->host), "%.63s", text + 5);
	else if (!strncmp(text, "boot ", 5))
		snprintf(in->boot, sizeof(in->boot), "%.63s", text + 5);
	else if (sscanf(text, "epoch %" SCNu64, &in->epoch) == 1)
		in->has_epoch = true;
	else if (sscanf(text, "epoch_error %" SCNu64, &in->epoch_error) == 1)
		in->has_epoch_error = true;
	else if (!strncmp(text, "clock ", 6))
		note_clock(in, text + 6, strlen(text + 6));
	else if (sscanf(text, "suspended %" SCNu64, &in->suspended) == 1)
		in->has_suspended = true;
}

static void parse_session(struct merge_input *in, const struct fxt_content *c)
{
	const char *at = c->blob.data, *end = at + c->blob.bytes;
	struct session_line l;

	in->has_session = true;
	while (session_next(&at, end, &l))
		parse_line(in, &l);
}

/** merge_find_stream() - find a stream in a list. Return: NULL if it is not there */
static struct merge_stream *merge_find_stream(struct merge_stream *list, size_t count,
					      uint32_t stream)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (list[i].stream == stream)
			return &list[i];
	return NULL;
}

static void note_ledger(struct merge_input *in, const struct fxt_ledger *l)
{
	struct merge_stream *s = merge_find_stream(in->streams, in->stream_count, l->stream);

	in->has_ledgers = true;
	if (l->stream == FXT_LEDGER_STREAM_NAMES)
		return;
	if (l->stream >= in->cpus)
		in->cpus = l->stream + 1;
	if (!s) {
		array_more(in->streams, in->stream_count);
		s = &in->streams[in->stream_count++];
		*s = (struct merge_stream){ .stream = l->stream };
		s->has_opening = l->kind == FXT_LEDGER_OPENING;
		s->opening = *l;
	}
	s->is_closed = l->kind == FXT_LEDGER_CLOSING;
	if (s->is_closed)
		s->closing = *l;
}

/* --- the numbers in use -------------------------------------------------------- */

static void note_koid(struct merge_input *in, uint64_t koid)
{
	if (koid > in->most && !kernel_event_is_track(koid))
		in->most = koid;
}

static void note_cpu(struct merge_input *in, unsigned int cpu)
{
	if (cpu >= in->cpus)
		in->cpus = cpu + 1;
}

static void note_thread(struct merge_input *in, const struct fxt_thread_id *id)
{
	note_koid(in, id->process);
	note_koid(in, id->thread);
}

static void note_numbers(struct merge_input *in, const struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		if (c->args[i].type == FXT_ARG_KOID)
			note_koid(in, c->args[i].u64);
		else if (merge_is_cpu(c, &c->args[i]) && c->args[i].u64 < MERGE_CPUS)
			note_cpu(in, c->args[i].u64);
	}
	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		note_cpu(in, c->sw.cpu);
		note_koid(in, c->sw.out);
		note_koid(in, c->sw.in);
		break;
	case FXT_KIND_THREAD_WAKEUP:
		note_cpu(in, c->wakeup.cpu);
		note_koid(in, c->wakeup.thread);
		break;
	case FXT_KIND_COUNTER:
		if (filter_counts_cpu(c) || kernel_event_counts_cpu(c))
			note_cpu(in, c->id);
		note_thread(in, &c->thread);
		break;
	case FXT_KIND_LEGACY_SWITCH:
		note_cpu(in, c->legacy.cpu);
		note_thread(in, &c->legacy.out);
		note_thread(in, &c->legacy.in);
		break;
	case FXT_KIND_KERNEL_OBJECT:
		note_koid(in, c->object);
		break;
	default:
		note_thread(in, &c->thread);
	}
}

static void note_time(struct merge_input *in, uint64_t ns)
{
	in->first = ns < in->first ? ns : in->first;
	in->last = ns > in->last ? ns : in->last;
}

static void note_rate(struct merge_input *in, uint64_t rate)
{
	if (in->has_rate && in->rate != rate)
		in->rate = 0;
	else if (!in->has_rate)
		in->rate = rate;
	in->has_rate = true;
}

static int survey_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct survey *s = arg;
	struct fxt_content *c = &s->m->f.content;
	uint64_t rate = rec->provider->ticks_per_second;
	struct fxt_ledger l;
	int ret = rewrite_read(&s->m->f, r, rec);

	if (ret <= 0)
		return ret;
	if (fxt_kind_has_time(c->kind) || c->kind == FXT_KIND_LARGE_BLOB) {
		note_rate(s->in, rate);
		if (!filter_describes(c->kind))
			note_time(s->in, fxt_ticks_to_ns(c->time, rate));
	}
	if (c->kind != FXT_KIND_BLOB)
		note_numbers(s->in, c);
	else if (fxt_ledger_of(c, &l))
		note_ledger(s->in, &l);
	else if (c->name.known == FXT_STR_SESSION && !s->in->has_session)
		parse_session(s->in, c);
	else if (fxt_text_is(&c->name, "metadata"))
		parse_metadata(s->in, c);
	return 0;
}

static size_t survey_hot(void *arg, const struct fxt_provider *provider,
			 const struct fxt_hot_run *run)
{
	struct survey *s = arg;
	const uint64_t *w = run->words;
	struct fxt_hot hot;
	size_t i;

	note_rate(s->in, provider->ticks_per_second);
	for (i = 0; i < run->count; i++, w += FXT_HOT_WORDS) {
		hot = fxt_hot_get(w, 0, fxt_hot_is_wakeup(w));
		note_time(s->in, hot.time);
		note_cpu(s->in, hot.cpu);
		note_koid(s->in, hot.thread);
		note_koid(s->in, hot.other);
	}
	return run->count;
}

int merge_survey(struct merge *m, struct merge_input *in)
{
	struct survey s = { m, in };
	const struct rewrite_walk walk = { survey_record, survey_hot, &s };
	int status, ret;

	in->first = UINT64_MAX;
	status = io_rereadable(&in->io);
	if (status)
		return status;
	status = io_open(&in->io);
	if (status)
		return status;
	ret = rewrite_walk(&in->io.a, &walk);
	if (ret)
		return archive_close(&in->io.a, ret);
	archive_drop(&in->io.a);
	return VERB_DONE;
}

/* --------------------------------------------------------------------
 * Finds the parts of each recording, and places the recordings.
 */

/* --- parts of one recording ---------------------------------------------------- */

static bool same_count(const struct fxt_ledger *a, const struct fxt_ledger *b)
{
	return a->written == b->written && a->lost == b->lost && a->sequence == b->sequence;
}

/* Are both values equal? An unknown value ("") matches any. */
static bool may_be_same(const char *a, const char *b)
{
	return !*a || !*b || !strcmp(a, b);
}

static bool continues(const struct merge_recording *of, const struct merge_input *in)
{
	const struct merge_input *first = of->first;
	const struct merge_stream *end, *s;
	bool some = false;
	size_t i;

	if (!in->has_ledgers || !first->has_ledgers || in->rate != first->rate ||
	    strcmp(in->host, first->host) || !may_be_same(in->boot, first->boot))
		return false;
	for (i = 0; i < in->stream_count; i++) {
		s = &in->streams[i];
		end = merge_find_stream(of->ends, of->end_count, s->stream);
		if (!s->has_opening)
			return false;
		if (end && (!end->is_closed || !same_count(&end->closing, &s->opening)))
			return false;
		if (!end && s->opening.written && !of->is_part)
			return false;
		some |= end && s->opening.written;
	}
	return some;
}

static void add_ends(struct merge_recording *of, const struct merge_input *in)
{
	struct merge_stream *end;
	size_t i;

	for (i = 0; i < in->stream_count; i++) {
		end = merge_find_stream(of->ends, of->end_count, in->streams[i].stream);
		if (!end) {
			array_more(of->ends, of->end_count);
			end = &of->ends[of->end_count++];
		}
		*end = in->streams[i];
	}
}

/* Slices are written when they end, so the first record may have begun in an earlier part. */
static uint64_t begin_of(const struct merge_input *in)
{
	uint64_t begin = UINT64_MAX, opened;
	size_t i;

	for (i = 0; i < in->stream_count; i++) {
		if (!in->streams[i].has_opening)
			continue;
		opened = fxt_ticks_to_ns(in->streams[i].opening.time, in->rate ? in->rate : 1);
		begin = opened < begin ? opened : begin;
	}
	return begin == UINT64_MAX ? in->first : begin;
}

static int by_begin(const void *a, const void *b)
{
	const struct merge_input *x = *(struct merge_input *const *)a;
	const struct merge_input *y = *(struct merge_input *const *)b;
	uint64_t p = begin_of(x), q = begin_of(y);

	return array_order(p, q) ?: array_order(x, y);
}

static bool is_part(const struct merge_input *in)
{
	size_t i;

	for (i = 0; i < in->stream_count; i++)
		if (in->streams[i].has_opening && in->streams[i].opening.written)
			return true;
	return false;
}

static void place(struct merge *m, struct merge_input *in)
{
	struct merge_recording *of;

	for (of = m->recordings; of < m->recordings + m->recording_count; of++)
		if (continues(of, in))
			break;
	if (of == m->recordings + m->recording_count) {
		of->first = in;
		of->is_part = is_part(in);
		m->recording_count++;
	} else {
		of->last->next = in;
	}
	of->last = in;
	add_ends(of, in);
}

/* Recordings keep the order of the command line, by their first named part. */
static const struct merge_input *named_first(const struct merge_recording *of)
{
	const struct merge_input *in, *first = of->first;

	for (in = of->first; in; in = in->next)
		if (in < first)
			first = in;
	return first;
}

static int by_name(const void *a, const void *b)
{
	const struct merge_input *x = named_first(a), *y = named_first(b);

	return x < y ? -1 : x > y;
}

static void find_recordings(struct merge *m)
{
	struct merge_input **sorted = must(calloc(m->input_count, sizeof(*sorted)));
	size_t i;

	m->recordings = must(calloc(m->input_count, sizeof(*m->recordings)));
	for (i = 0; i < m->input_count; i++)
		sorted[i] = &m->inputs[i];
	qsort(sorted, m->input_count, sizeof(*sorted), by_begin);
	for (i = 0; i < m->input_count; i++)
		place(m, sorted[i]);
	free(sorted);
	qsort(m->recordings, m->recording_count, sizeof(*m->recordings), by_name);
}

/* Report archives that the user may consider parts of one recording. */
static void report_apart(const struct merge *m)
{
	const struct merge_recording *of;
	size_t i;

	for (i = 1; i < m->recording_count; i++) {
		of = &m->recordings[i];
		if (of->is_part && !strcmp(of->first->host, m->recordings->first->host) &&
		    *of->first->host)
			message("fxt: merge: %s does not continue where another archive ends, so it stays a separate recording\n",
				of->first->io.input);
	}
}

/* Get the begin and end of a recording, on its own clock. */
static void span_of(const struct merge_recording *of, uint64_t *first, uint64_t *last)
{
	const struct merge_input *in;

	*first = UINT64_MAX;
	*last = 0;
	for (in = of->first; in; in = in->next) {
		if (in->first < *first)
			*first = in->first;
		if (in->last > *last)
			*last = in->last;
	}
}

static bool overlap(const struct merge_recording *a, const struct merge_recording *b)
{
	uint64_t a_first, a_last, b_first, b_last;

	if (!*a->first->boot || strcmp(a->first->boot, b->first->boot))
		return false;
	span_of(a, &a_first, &a_last);
	span_of(b, &b_first, &b_last);
	return a_first <= b_last && b_first <= a_last;
}

/* Warn that one machine becomes two, each with its own CPUs, which may be unintended. */
static void warn_overlaps(const struct merge *m)
{
	const struct merge_recording *a, *b, *end = m->recordings + m->recording_count;

	for (a = m->recordings; a < end; a++)
		for (b = a + 1; b < end; b++)
			if (overlap(a, b))
				message("fxt: merge: warning: %s and %s overlap in time and are of "
					"the same boot: %s will contain twice what both recorded, "
					"as if of two machines\n",
					a->first->io.input, b->first->io.input, m->output);
}

/* --- clocks -------------------------------------------------------------------- */

static int usage(const char *path, const char *why)
{
	return archive_usage("merge", path, why);
}

static int given_offset(struct merge_recording *of)
{
	const struct merge_input *in;

	for (in = of->first; in; in = in->next) {
		if (!in->has_offset)
			continue;
		if (of->clock && of->offset != in->offset)
			return usage(in->io.input,
				     "has another --offset than another part of the same recording");
		of->offset = in->offset;
		of->clock = "by --offset";
	}
	return VERB_DONE;
}

/*
 * Convert a time from an archive's clock to CLOCK_BOOTTIME. @epoch: the archive that knows
 * CLOCK_REALTIME, on its own clock
 */
static bool to_boot(const struct merge_input *in, const struct merge_input *epoch,
		    uint64_t suspended, int64_t *offset)
{
	*offset = in->clock == MERGE_CLOCK_MONO ? suspended : 0;
	if (in->clock != MERGE_CLOCK_REAL)
		return in->clock != MERGE_CLOCK_UNKNOWN;
	*offset = -epoch->epoch;
	if (epoch->clock == MERGE_CLOCK_MONO)
		*offset += suspended;
	return epoch->has_epoch && epoch->clock != MERGE_CLOCK_REAL;
}

/* Find the offset between two clocks of one boot. Return: is it known? */
static bool between_clocks(struct merge_recording *of, const struct merge_input *first)
{
	const struct merge_input *in = of->first;
	uint64_t suspended = first->has_suspended ? first->suspended : in->suspended;
	int64_t a, b;

	if (in->clock == first->clock && in->clock != MERGE_CLOCK_UNKNOWN) {
		of->clock = "the same clock";
		return true;
	}
	if (!to_boot(first, in, suspended, &a) || !to_boot(in, first, suspended, &b))
		return false;
	of->offset += b - a;
	of->clock = "between the clocks of one boot";
	if ((in->clock == MERGE_CLOCK_MONO || first->clock == MERGE_CLOCK_MONO) &&
	    !first->has_suspended && !in->has_suspended)
		message("fxt: merge: %s and %s have different clocks, which differ by the time "
			"that the machine was suspended; assuming 0: use --offset for another "
			"value\n",
		       in->io.input, first->io.input);
	return true;
}

/* Are both recordings of the same boot? */
static bool is_of_boot(const struct merge_input *in, const struct merge_input *first)
{
	return in->same_machine || in->has_clock ||
	       (*in->boot && !strcmp(in->boot, first->boot));
}

static void warn_of_day(const struct merge_input *in, const struct merge_input *first)
{
	char error[64] = "it is not known how far these are off";

	if (in->has_epoch_error && first->has_epoch_error)
		snprintf(error, sizeof(error), "off by %.3f ms at most, say their kernels",
			 (in->epoch_error + first->epoch_error) / 1e6);
	message("fxt: merge: the clocks of %s and %s are aligned by the time of day of their machines (%s); use --offset for an exact alignment\n",
		in->io.input, first->io.input, error);
}

static int align(struct merge *m, struct merge_recording *of)
{
	const struct merge_input *in = of->first, *first = m->recordings->first;
	int ret = given_offset(of);

	if (ret || of->clock)
		return ret;
	of->offset = m->recordings->offset;
	if (of == m->recordings) {
		of->clock = "unchanged";
	} else if (is_of_boot(in, first) && between_clocks(of, first)) {
		return VERB_DONE;
	} else if (*in->boot && !strcmp(in->boot, first->boot)) {
		of->clock = "unchanged: the same boot";
	} else if (in->has_epoch && first->has_epoch) {
		of->clock = "by the time of day";
		of->offset += in->epoch - first->epoch;
		warn_of_day(in, first);
	} else {
		return usage(in->io.input,
			     "has a clock of unknown relation to that of the first one; use "
			     "--offset FILE=+TIME, or --clock FILE=CLOCK if both are of one "
			     "machine");
	}
	return VERB_DONE;
}

static int check_times(const struct merge_recording *of)
{
	const struct merge_input *in;

	for (in = of->first; in; in = in->next)
		if (of->offset < 0 && in->first != UINT64_MAX && in->first < -(uint64_t)of->offset)
			return usage(in->io.input,
				     "would begin before time 0; name the machine that has been up "
				     "for longer first, or use --offset");
	return VERB_DONE;
}

void merge_find_rate(struct merge *m)
{
	const struct merge_input *in;
	size_t i;

	m->as_it_is = true;
	m->rate = 0;
	for (i = 0; i < m->recording_count; i++) {
		m->as_it_is &= !m->recordings[i].offset;
		for (in = m->recordings[i].first; in; in = in->next) {
			if (!in->has_rate)
				continue;
			m->as_it_is &= in->rate && (!m->rate || m->rate == in->rate);
			m->rate = in->rate;
		}
	}
	if (!m->as_it_is || !m->rate)
		m->rate = 1000000000;
}

static int find_clocks(struct merge *m)
{
	size_t i;
	int ret = VERB_DONE;

	for (i = 0; i < m->recording_count && !ret; i++) {
		ret = align(m, &m->recordings[i]);
		if (!ret)
			ret = check_times(&m->recordings[i]);
	}
	if (!ret)
		merge_find_rate(m);
	return ret;
}

/* --- numbers ------------------------------------------------------------------- */

/* Make a unique label: the host's name, or the file's name without extensions. */
static void find_label(struct merge *m, struct merge_recording *of)
{
	const struct merge_input *in = of->first;
	const char *base = strrchr(in->io.a.path, '/');
	unsigned int same = 1;
	char plain[64];
	size_t i;

	base = base ? base + 1 : in->io.a.path;
	if (*in->host)
		snprintf(plain, sizeof(plain), "%s", in->host);
	else
		snprintf(plain, sizeof(plain), "%.*s", (int)strcspn(base, "."), base);
	snprintf(of->label, sizeof(of->label), "%s", plain);
	for (i = 0; i < of->number; i++) {
		if (strcmp(of->label, m->recordings[i].label))
			continue;
		snprintf(of->label, sizeof(of->label), "%s#%u", plain, ++same);
		i = -1;
	}
}

/* The first koid of a recording. Tracks of cgroups are in the middle of the range. */
static uint64_t koids_of(size_t recording)
{
	uint64_t koids = recording * MERGE_KOIDS;

	return koids < FXT_SCHED_KOID_CGROUPS ? koids : koids + (1ULL << 28);
}

static int find_numbers(struct merge *m)
{
	const struct merge_input *in;
	struct merge_recording *of;
	unsigned int cpus = 0;
	size_t i;

	if (m->recording_count > MERGE_RECORDINGS)
		return usage(NULL, "more than 440 recordings");
	for (i = 0; i < m->recording_count; i++) {
		of = &m->recordings[i];
		of->number = i;
		of->cpu_base = m->is_apart ? 0 : cpus;
		of->koids = m->is_apart ? 0 : koids_of(i);
		for (in = of->first; in; in = in->next) {
			of->cpus = in->cpus > of->cpus ? in->cpus : of->cpus;
			of->shares_threads |= in->same_machine;
			of->is_dense |= in->most >= MERGE_KOIDS && m->recording_count > 1 && !m->is_apart;
		}
		if (of->shares_threads && (!i || of->cpus))
			return usage(of->first->io.input, i ?
				     "has scheduling of its own; --same-machine is for traces "
				     "without scheduling" :
				     "is the first FILE; --same-machine is for those after it");
		m->machines += !of->shares_threads;
		cpus += of->cpus;
		find_label(m, of);
	}
	if (cpus > MERGE_CPUS && m->recording_count > 1 && !m->is_apart)
		return usage(NULL, "more than 4096 CPUs in total, the limit of Perfetto");
	return VERB_DONE;
}

int merge_plan(struct merge *m)
{
	int status;

	find_recordings(m);
	report_apart(m);
	warn_overlaps(m);
	status = find_clocks(m);
	return status ? status : find_numbers(m);
}
