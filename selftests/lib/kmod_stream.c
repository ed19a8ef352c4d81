// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "kmod_stream.h"

bool kmod_record_is_switch(const uint64_t *rec)
{
	return fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_SCHEDULING &&
	       fxt_get(FXT_SCHEDULING_TYPE, rec[0]) == FXT_SCHEDULING_CONTEXT_SWITCH;
}

bool kmod_record_is_event(const uint64_t *rec)
{
	return fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_EVENT;
}

uint64_t kmod_record_time(const uint64_t *rec)
{
	if (kmod_record_is_event(rec) &&
	    fxt_get(FXT_EVENT_TYPE, rec[0]) == FXT_EVENT_DURATION_COMPLETE)
		return rec[fxt_get(FXT_SIZE, rec[0]) - 1];
	return rec[1];
}

static const char *name_of(const struct kmod_stream *s)
{
	return s->kind == FXT_SCHED_STREAM_NAMES ? "names" : "cpu";
}

static int check_record(struct kmod_stream *s, const uint64_t *rec, struct why *why)
{
	uint64_t type = fxt_get(FXT_TYPE, rec[0]), time = kmod_record_time(rec);
	bool of_names = type == FXT_RECORD_KERNEL_OBJECT;

	if (s->kind == FXT_SCHED_STREAM_NAMES ? !of_names :
	    type != FXT_RECORD_SCHEDULING && type != FXT_RECORD_EVENT &&
	    type != FXT_RECORD_PROFILER)
		return complain(why, "%s%u: a record of type %ju", name_of(s), s->cpu,
				(uintmax_t)type);
	if (of_names)
		return 0;
	if (time < s->last)
		return complain(why, "%s%u: a record at %ju after one at %ju", name_of(s),
				s->cpu, (uintmax_t)time, (uintmax_t)s->last);
	if (kmod_record_is_switch(rec) && fxt_get(FXT_SWITCH_CPU, rec[0]) != s->cpu)
		return complain(why, "%s%u: a switch of CPU %ju", name_of(s), s->cpu,
				(uintmax_t)fxt_get(FXT_SWITCH_CPU, rec[0]));
	s->last = time;
	return 0;
}

static int check_ledger(struct kmod_stream *s, const uint64_t *words, size_t count, struct why *why)
{
	uint32_t id = s->kind == FXT_SCHED_STREAM_NAMES ? FXT_LEDGER_STREAM_NAMES : s->cpu;
	struct fxt_ledger l;

	/* No sub-buffer holds only a ledger. */
	if (count <= FXT_LEDGER_WORDS + 1 || !fxt_sched_get_ledger((const __u64 *)words, &l) ||
	    l.kind != FXT_LEDGER_HEAD || l.stream != id)
		return complain(why, "%s%u: sub-buffer %u does not begin with its ledger",
				name_of(s), s->cpu, s->next);
	if (!s->subbufs && !s->whole) {
		s->before = l.written - l.lost;
		s->next = l.sequence;
		s->last = l.last;
	}
	if (l.sequence != s->next)
		return complain(why, "%s%u: sub-buffer %u follows where %u is due", name_of(s),
				s->cpu, l.sequence, s->next);
	if (l.written != s->before + s->records + l.lost || l.lost < s->lost)
		return complain(why, "%s%u: sub-buffer %u: written %ju is not %ju read, %ju before and %ju lost",
				name_of(s), s->cpu, l.sequence, (uintmax_t)l.written,
				(uintmax_t)s->records, (uintmax_t)s->before, (uintmax_t)l.lost);
	if (s->kind == FXT_SCHED_STREAM_CPU &&
	    (l.last != s->last || l.time != kmod_record_time(words + FXT_LEDGER_WORDS)))
		return complain(why, "%s%u: sub-buffer %u: the ledger is between %ju and %ju, the records around it are at %ju and %ju",
				name_of(s), s->cpu, l.sequence, (uintmax_t)l.last,
				(uintmax_t)l.time, (uintmax_t)s->last,
				(uintmax_t)kmod_record_time(words + FXT_LEDGER_WORDS));
	s->lost = l.lost;
	return 0;
}

static int add_subbuf(struct kmod_stream *s, const uint64_t *words, size_t count, struct why *why)
{
	size_t at, size;

	if (check_ledger(s, words, count, why))
		return -1;
	for (at = FXT_LEDGER_WORDS; at < count; at += size) {
		size = fxt_get(FXT_SIZE, words[at]);
		if (size < 2 || at + size > count)
			return complain(why, "%s%u: sub-buffer %u: a record of %zu words at %zu of %zu",
					name_of(s), s->cpu, s->next, size, at, count);
		if (check_record(s, &words[at], why))
			return -1;
		s->records++;
	}
	s->words = realloc(s->words, (s->count + count) * FXT_WORD);
	if (!s->words)
		abort();
	memcpy(s->words + s->count, words + FXT_LEDGER_WORDS,
	       (count - FXT_LEDGER_WORDS) * FXT_WORD);
	s->count += count - FXT_LEDGER_WORDS;
	s->bytes += count * FXT_WORD;
	s->subbufs++;
	s->next++;
	return 0;
}

int kmod_stream_read_one(struct kmod_stream *s, int fd, struct why *why)
{
	static uint64_t room[FXT_SCHED_SUBBUF_SIZE_MAX / FXT_WORD];
	ssize_t n = read(fd, room, sizeof(room));

	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n < 0)
		return complain(why, "%s%u cannot be read: %s", name_of(s), s->cpu,
				strerror(errno));
	if (n % FXT_WORD)
		return complain(why, "%s%u: read %zd bytes, which are no words", name_of(s),
				s->cpu, n);
	return !n ? 0 : add_subbuf(s, room, n / FXT_WORD, why) ? -1 : 1;
}

int kmod_stream_read(struct kmod_stream *s, int fd, struct why *why)
{
	int ret;

	do {
		ret = kmod_stream_read_one(s, fd, why);
	} while (ret > 0);
	return ret;
}

/* Compare the counters with the records that were read. */
static int compare(const struct kmod_stream *s, const struct fxt_sched_counters *c, struct why *why)
{
	uint64_t written = c->switches + c->wakeups + c->events + c->names;

	/* Without a ledger, the number of records overwritten or read before is unknown. */
	if ((s->whole || s->subbufs) && written != s->before + s->records + c->lost)
		return complain(why, "%s%u: %ju switches, %ju wakeups, %ju events, %ju names are not %ju records read, %ju before and %ju lost",
				name_of(s), s->cpu, (uintmax_t)c->switches,
				(uintmax_t)c->wakeups, (uintmax_t)c->events,
				(uintmax_t)c->names, (uintmax_t)s->records,
				(uintmax_t)s->before, (uintmax_t)c->lost);
	if (s->whole && (c->bytes != s->bytes || c->subbufs != s->subbufs))
		return complain(why, "%s%u: %ju bytes in %u sub-buffers, but %ju in %ju were read",
				name_of(s), s->cpu, (uintmax_t)c->bytes, c->subbufs,
				(uintmax_t)s->bytes, (uintmax_t)s->subbufs);
	if (s->records && s->kind == FXT_SCHED_STREAM_CPU && c->last != s->last)
		return complain(why, "%s%u: the last record is at %ju, not at %ju", name_of(s),
				s->cpu, (uintmax_t)s->last, (uintmax_t)c->last);
	return c->waiting ? complain(why, "%s%u: %u sub-buffers wait, but cannot be read",
				     name_of(s), s->cpu, c->waiting) : 0;
}

static int read_one(struct kmod_stream *s, const struct kmod_session *d, struct why *why)
{
	int fd = kmod_file(d, s->kind, s->cpu), ret;

	/* The CPU was never online. */
	if (fd < 0 && errno == ENOENT)
		return 0;
	ret = kmod_stream_read(s, fd, why);
	close(fd);
	return ret;
}

int kmod_stream_finish(struct kmod_stream *s, const struct kmod_session *d, struct why *why)
{
	struct fxt_sched_counters c;
	int err = kmod_count(d, s->cpu, s->kind, &c);

	if (err == ENOENT)
		return 0;
	if (read_one(s, d, why))
		return -1;
	err = err ? err : kmod_count(d, s->cpu, s->kind, &c);
	if (err)
		return complain(why, "%s%u: no counters: %s", name_of(s), s->cpu, strerror(err));
	if (compare(s, &c, why))
		return -1;
	s->lost = c.lost;
	return 0;
}

const uint64_t *kmod_stream_next(const struct kmod_stream *s, size_t *at)
{
	const uint64_t *rec = s->words + *at;

	if (*at >= s->count)
		return NULL;
	*at += fxt_get(FXT_SIZE, rec[0]);
	return rec;
}

void kmod_stream_free(struct kmod_stream *s)
{
	free(s->words);
	s->words = NULL;
	s->count = 0;
}

void kmod_streams_init(struct kmod_streams *all, bool overwrite)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	*all = (struct kmod_streams){ .count = cpus < MAX_CPUS ? cpus : MAX_CPUS };
	for (unsigned int i = 0; i < all->count; i++) {
		all->cpus[i] = (struct kmod_stream) {
			.cpu = i, .kind = FXT_SCHED_STREAM_CPU, .whole = !overwrite,
		};
		all->names[i] = (struct kmod_stream) {
			.cpu = i, .kind = FXT_SCHED_STREAM_NAMES, .whole = true,
		};
	}
}

int kmod_streams_read(struct kmod_streams *all, const struct kmod_session *d, struct why *why)
{
	int ret = 0;

	for (unsigned int i = 0; i < all->count && !ret; i++) {
		ret = read_one(&all->cpus[i], d, why);
		if (!ret)
			ret = read_one(&all->names[i], d, why);
	}
	return ret;
}

int kmod_streams_finish(struct kmod_streams *all, const struct kmod_session *d, struct why *why)
{
	int ret = 0;

	for (unsigned int i = 0; i < all->count && !ret; i++) {
		ret = kmod_stream_finish(&all->cpus[i], d, why);
		if (!ret)
			ret = kmod_stream_finish(&all->names[i], d, why);
	}
	return ret;
}

void kmod_streams_free(struct kmod_streams *all)
{
	for (unsigned int i = 0; i < all->count; i++) {
		kmod_stream_free(&all->cpus[i]);
		kmod_stream_free(&all->names[i]);
	}
}
