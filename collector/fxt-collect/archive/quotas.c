// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quotas.c - see quotas.h.
 *
 * What was read stays in memory until it is written: at once, or, by a flight recorder, with
 * the next snapshot. A reading that is older than the archive, or has to make room, becomes
 * its cgroup's base: the value that the counter begins with.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "names/text.h"
#include "quota_list.h"
#include "quotas.h"

#define SAMPLES_MOST	(1U << 14)
#define PATH_ROOM	4096

/* Counts of a cgroup that have changed. */
struct sample {
	uint64_t time;		/* ticks */
	uint64_t id;
	struct quota_counts counts;
};

/* A track that the archive has a name for. */
struct track {
	struct map_node node;
	uint64_t koid;
};

/**
 * struct quotas - see quotas.h
 * @list: the cgroups
 * @counts: counters are written
 * @now: ticks of the reading that is going on, or of the last one
 * @samples: the oldest first, @sample_count of them
 * @forgotten: samples that had to make room
 * @tracks: those with names
 */
struct quotas {
	struct quota_list list;
	bool counts;
	uint64_t now;
	struct sample *samples;
	size_t sample_count;
	size_t sample_room;
	uint64_t forgotten;
	struct map tracks;
};

int quotas_open(struct quotas **q, const char *below, bool counts)
{
	struct quotas *new = calloc(1, sizeof(*new));
	int ret = new ? quota_list_open(&new->list, below) : -ENOMEM;

	*q = new;
	if (!ret) {
		new->counts = counts;
		return 0;
	}
	quotas_close(new);
	*q = NULL;
	return ret;
}

static void forget_tracks(struct quotas *q)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&q->tracks, &from)))
		free(map_entry(n, struct track, node));
}

void quotas_close(struct quotas *q)
{
	if (!q)
		return;
	forget_tracks(q);
	map_free(&q->tracks);
	quota_list_close(&q->list);
	free(q->samples);
	free(q);
}

/* --- reading ---------------------------------------------------------------------------- */

static void make_base(struct quotas *q, const struct sample *s)
{
	struct quota *of = quota_list_find(&q->list, s->id);

	if (!of)
		return;
	of->base = s->counts;
	of->has_base = true;
}

/* Remove the oldest samples. */
static void forget_samples(struct quotas *q, size_t count)
{
	size_t i;

	/* There may be no array yet. */
	if (!count)
		return;
	for (i = 0; i < count; i++)
		make_base(q, &q->samples[i]);
	q->sample_count -= count;
	memmove(q->samples, q->samples + count, q->sample_count * sizeof(*q->samples));
}

static int make_room(struct quotas *q)
{
	size_t room = q->sample_room ? 2 * q->sample_room : 64;
	struct sample *samples;

	if (q->sample_count < q->sample_room)
		return 0;
	if (room > SAMPLES_MOST) {
		q->forgotten += q->sample_count / 2;
		forget_samples(q, q->sample_count / 2);
		return 0;
	}
	samples = realloc(q->samples, room * sizeof(*samples));
	if (!samples)
		return -ENOMEM;
	q->samples = samples;
	q->sample_room = room;
	return 0;
}

static int read_one(struct quota *of, void *arg)
{
	struct quotas *q = arg;
	struct quota_counts counts;

	if (of->is_over || !quota_read(&q->list, of, &counts) ||
	    (of->has_counts && !memcmp(&counts, &of->counts, sizeof(counts))))
		return 0;
	/* Since the last search, another cgroup has got the path: the next search finds it. */
	if (of->has_counts && counts.periods < of->counts.periods)
		return 0;
	if (make_room(q))
		return -ENOMEM;
	of->counts = counts;
	of->has_counts = true;
	q->samples[q->sample_count++] = (struct sample){ q->now, of->id, counts };
	return 0;
}

int quotas_read(struct quotas *q, uint64_t now)
{
	int ret = quota_list_search(&q->list);

	q->now = now;
	if (ret || !q->counts)
		return ret;
	return quota_list_each(&q->list, read_one, q);
}

int quotas_update(struct quotas *q, uint64_t now, uint64_t ticks_per_second)
{
	return now - q->now < ticks_per_second ? 0 : quotas_read(q, now);
}

struct quotas_lacks quotas_lacking(const struct quotas *q)
{
	if (!q)
		return (struct quotas_lacks){ 0 };
	return (struct quotas_lacks){ q->list.left_out, q->forgotten };
}

/* --- writing ---------------------------------------------------------------------------- */

static int begin_one(struct quota *of, void *arg)
{
	(void)arg;
	of->is_written = false;
	return 0;
}

void quotas_begin(struct quotas *q)
{
	forget_tracks(q);
	quota_list_each(&q->list, begin_one, NULL);
}

static struct fxt_arg arg_of(uint16_t name, uint64_t value)
{
	return (struct fxt_arg){ .type = FXT_ARG_UINT64, .name.ref = name, .u64 = value };
}

static int write_counts(struct quota *of, struct fxt_writer *w, uint64_t time,
			const struct quota_counts *counts)
{
	char path[PATH_ROOM];
	struct fxt_content content = {
		.kind = FXT_KIND_COUNTER,
		.time = time,
		.thread = { .process = FXT_SCHED_KOID_THROTTLE,
			    .thread = FXT_SCHED_KOID_THROTTLE },
		.category.ref = FXT_STR_THROTTLED,
		.name.bytes = path,
		.id = of->id,
		.arg_count = 3,
		.args = {
			arg_of(FXT_STR_NR_PERIODS, counts->periods),
			arg_of(FXT_STR_NR_THROTTLED, counts->throttled),
			arg_of(FXT_STR_THROTTLED_USEC, counts->usec),
		},
	};

	clean_text(path, sizeof(path), of->path, strlen(of->path));
	content.name.length = strlen(path);
	of->is_written = true;
	return fxt_writer_record(w, &content);
}

struct writing {
	struct fxt_writer *w;
	uint64_t from;
};

static int write_base(struct quota *of, void *arg)
{
	const struct writing *to = arg;

	if (of->is_written || !of->has_base || of->is_over)
		return 0;
	return write_counts(of, to->w, to->from, &of->base);
}

int quotas_write(struct quotas *q, struct fxt_writer *w, uint64_t from)
{
	struct writing to = { w, from };
	struct quota *of;
	size_t i = 0;
	int ret;

	while (i < q->sample_count && q->samples[i].time < from)
		i++;
	forget_samples(q, i);
	ret = quota_list_each(&q->list, write_base, &to);
	for (i = 0; i < q->sample_count && !ret; i++) {
		of = quota_list_find(&q->list, q->samples[i].id);
		if (of)
			ret = write_counts(of, w, q->samples[i].time, &q->samples[i].counts);
	}
	forget_samples(q, q->sample_count);
	return ret;
}

/* --- names ------------------------------------------------------------------------------ */

static bool is_named(const struct quotas *q, uint64_t koid)
{
	return map_first(&q->tracks, map_hash(koid, 0));
}

static int mark_named(struct quotas *q, uint64_t koid)
{
	struct track *t = map_reserve(&q->tracks) ? NULL : calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->koid = koid;
	map_add(&q->tracks, &t->node, map_hash(koid, 0));
	return 0;
}

/* A cgroup that came and went between two searches has no path. */
static int name_track(struct quotas *q, struct fxt_writer *w, uint64_t koid, uint64_t id,
		      uint32_t cpu)
{
	struct quota *of = quota_list_find(&q->list, id);
	char path[PATH_ROOM], name[PATH_ROOM + 16];
	int ret = 0;

	if (!of) {
		ret = quota_list_search(&q->list);
		of = quota_list_find(&q->list, id);
	}
	if (of)
		clean_text(path, sizeof(path), of->path, strlen(of->path));
	else
		snprintf(path, sizeof(path), "cgroup %" PRIu64, id);
	snprintf(name, sizeof(name), "%s cpu %" PRIu32, path, cpu);
	if (!ret)
		ret = mark_named(q, koid);
	return ret ? ret : fxt_writer_thread(w, koid, FXT_SCHED_KOID_THROTTLE, FXT_STR_PROCESS,
					     name);
}

int quotas_name(struct quotas *q, struct fxt_writer *w, const struct chunk *chunk)
{
	const uint64_t throttle = fxt_event(FXT_SCHED_THROTTLE_WORDS,
					    FXT_EVENT_DURATION_COMPLETE, 2,
					    FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
					    FXT_STR_THROTTLED);
	const uint64_t *rec = chunk->data, *end = rec + chunk->bytes / FXT_WORD;
	int ret = 0;

	for (; rec < end && !ret; rec += fxt_get(FXT_SIZE, rec[0])) {
		if (!fxt_get(FXT_SIZE, rec[0]))
			return -EPROTO;
		if (rec[0] == throttle && !is_named(q, rec[3]))
			ret = name_track(q, w, rec[3], rec[5],
					 fxt_get(FXT_ARG_VALUE_32, rec[6]));
	}
	return ret;
}
