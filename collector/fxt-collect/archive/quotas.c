// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quotas.c - see quotas.h.
 *
 * Counts stay in memory until they are written: at once or, by a flight recorder, with the next
 * snapshot. Counts that are older than the archive, or are removed to make room, become the base of
 * their cgroup: the value that its counter begins with.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_load.h>

#include "libfxt/array.h"
#include "libfxt/clock.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "names/proc.h"
#include "quotas.h"
#include "source/cgroups.h"

/* --- the cgroups that have a quota ------------------------------------------------------ */

/*
 * A search keeps the path of the current cgroup in one buffer, which grows and shrinks. A cgroup
 * without the file of its quota has no CPU controller, and neither have those below it.
 */

/* Counts in cpu.stat of a cgroup. */
struct quota_counts {
	uint64_t periods;		/* in which it had something to run */
	uint64_t throttled;		/* those of @periods in which its quota was used up */
	uint64_t usec;	/* time in which its run queues were throttled, summed over all CPUs */
};

/* A cgroup that has or had a quota. */
struct quota {
	struct map_node node;		/* by its id */
	uint64_t id;			/* the kernel's */
	char *path;			/* below the root, with a leading slash */
	uint32_t search;		/* the last search that has found it */
	bool is_over;			/* it has lost its quota, or does not exist any more */
	struct quota_counts counts;	/* the counts read last */
	bool has_counts;		/* @counts is valid */
	struct quota_counts base;	/* the counts that its counter begins with */
	bool has_base;			/* @base is valid */
	bool is_written;		/* the archive has a value of the counter */
};

#define SEARCH_SHARE	100	/* a search takes at most this part of the time until the next one */
#define OVER_MOST	1024	/* quotas that are over and still remembered */
#define PATH_ROOM	4096

/* The file of a cgroup's quota, which begins with "max" (v2) or "-1" (v1) if it has none. */
#define FILE_V1		"cpu.cfs_quota_us"
#define FILE_V2		"cpu.max"

/* Limit of recursion; the kernel refuses deeper cgroups. */
#define CGROUP_DEPTH_MOST	256

struct search {
	struct quota_list *l;
	char path[PATH_ROOM];
	size_t length;
	unsigned int depth;
};

/* Return: the length of a small file, or -1 */
static ssize_t read_text(int dir, const char *name, char *text, size_t room)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;

	if (fd >= 0) {
		n = read(fd, text, room - 1);
		close(fd);
	}
	if (n >= 0)
		text[n] = '\0';
	return n;
}

static struct quota *quota_list_find(const struct quota_list *l, uint64_t id)
{
	struct quota *q;

	return map_find(&l->all, map_hash(id, 0), q, q->id == id);
}

/* Is the path @below itself, or below it? */
static bool is_below(const char *path, const char *below)
{
	size_t length = below ? strlen(below) : 0;

	if (length <= 1)
		return true;
	return !strncmp(path, below, length) && (path[length] == '/' || !path[length]);
}

static int add_quota(struct quota_list *l, uint64_t id, const char *path)
{
	struct quota *q = quota_list_find(l, id);

	if ((!q || q->is_over) && l->all.count - l->over >= QUOTA_LIST_MOST) {
		l->beyond++;
		return 0;
	}
	if (!q && !map_new(&l->all, map_hash(id, 0), q))
		return -ENOMEM;
	q->id = id;
	/* The cgroup may have been renamed. */
	if (!q->path || strcmp(q->path, path)) {
		free(q->path);
		q->path = strdup(path);
		if (!q->path)
			return -ENOMEM;
	}
	l->over -= q->is_over;
	q->is_over = false;
	q->search = l->search;
	return 0;
}

static int search_below(struct search *s, int dir);

/* Search the directory @name, if it is one. */
static int enter(struct search *s, int parent, const char *name)
{
	size_t length = s->length;
	char max[64];
	int dir, ret = 0;
	struct stat st;
	ssize_t n;

	if (length + strlen(name) + 2 > PATH_ROOM || s->depth == CGROUP_DEPTH_MOST)
		return 0;
	dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return 0;
	s->length += sprintf(s->path + length, "/%s", name);
	n = read_text(dir, s->l->is_v1 ? FILE_V1 : FILE_V2, max, sizeof(max));
	if (n > 0 && strncmp(max, "max", 3) && *max != '-' && is_below(s->path, s->l->below) &&
	    !fstat(dir, &st))
		ret = add_quota(s->l, st.st_ino, s->path);
	if (n > 0 && !ret)
		ret = search_below(s, dir);
	s->length = length;
	s->path[length] = '\0';
	close(dir);
	return ret;
}

static int search_below(struct search *s, int dir)
{
	int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	DIR *d = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	if (!d) {
		if (copy >= 0)
			close(copy);
		return 0;
	}
	s->depth++;
	while (!ret && (entry = readdir(d)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			ret = enter(s, dir, entry->d_name);
	s->depth--;
	closedir(d);
	return ret;
}

/* Forget quotas that are over, if there are too many; their ids are not used again. */
static void forget_some(struct quota_list *l)
{
	struct map_node *n, *next;
	struct quota *q;

	for (n = l->all.oldest; n && l->over > OVER_MOST; n = next) {
		next = n->newer;
		q = map_entry(n, struct quota, node);
		if (!q->is_over)
			continue;
		map_remove(&l->all, n);
		free(q->path);
		free(q);
		l->over--;
	}
}

int quota_list_search(struct quota_list *l)
{
	struct search s = { .l = l };
	uint64_t begin = clock_ns(CLOCK_MONOTONIC), end;
	struct quota *q;
	int ret;

	if (l->root < 0 || begin < l->next_search)
		return 0;
	l->search++;
	l->beyond = 0;
	ret = search_below(&s, l->root);
	if (ret)
		return ret;
	if (l->beyond > l->left_out)
		l->left_out = l->beyond;
	map_each(&l->all, q) {
		l->over += q->search != l->search && !q->is_over;
		q->is_over |= q->search != l->search;
	}
	if (l->over > OVER_MOST)
		forget_some(l);
	end = clock_ns(CLOCK_MONOTONIC);
	l->next_search = end + (end - begin) * SEARCH_SHARE;
	return 0;
}

/* See quotas_open(). */
static int quota_list_open(struct quota_list *l, const char *below)
{
	char root[1024];

	*l = (struct quota_list){ .root = -1 };
	if (!cgroups_quota_root(root, sizeof(root), &l->is_v1))
		l->root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* The same path in v1 may be another cgroup. */
	l->below = l->is_v1 ? NULL : below;
	return quota_list_search(l);
}

void quota_list_close(struct quota_list *l)
{
	struct quota *q;

	map_drain(&l->all, q) {
		free(q->path);
		free(q);
	}
	if (l->root >= 0)
		close(l->root);
}

/* Return: false if the cgroup does not exist any more */
static bool quota_read(const struct quota_list *l, const struct quota *q,
		       struct quota_counts *counts)
{
	char name[PATH_ROOM + 16], text[1024], *line, *rest = text;
	uint64_t n, ns = 0;
	struct {
		const char *format;
		uint64_t *to;
	} const keys[] = {
		{ "nr_periods %" SCNu64, &counts->periods },
		{ "nr_throttled %" SCNu64, &counts->throttled },
		{ "throttled_usec %" SCNu64, &counts->usec },
		{ "throttled_time %" SCNu64, &ns },	/* v1 */
	};
	size_t i;

	*counts = (struct quota_counts){ 0 };
	snprintf(name, sizeof(name), "%s/cpu.stat", q->path + 1);
	if (read_text(l->root, name, text, sizeof(text)) <= 0)
		return false;
	while ((line = strsep(&rest, "\n")))
		for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (sscanf(line, keys[i].format, &n) == 1)
				*keys[i].to = n;
	counts->usec += ns / 1000;
	return true;
}

/* --- counters of an archive ------------------------------------------------------------- */

#define SAMPLES_MOST	(1U << 14)

/* Changed counts of a cgroup. */
struct sample {
	uint64_t time;		/* ticks */
	uint64_t id;
	struct quota_counts counts;
};

/* A track whose name the archive has. */
struct track {
	struct map_node node;
	uint64_t koid;
};

struct quotas {
	struct quota_list list;
	bool counts;			/* counters are written */
	uint64_t now;			/* ticks of the current or last reading */
	struct sample *samples;		/* the oldest first */
	size_t sample_count;
	uint64_t forgotten;		/* samples that were removed to make room */
	struct map tracks;		/* tracks with names */
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

void quotas_close(struct quotas *q)
{
	if (!q)
		return;
	map_free_all(&q->tracks, struct track);
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

static void forget_samples(struct quotas *q, size_t count)
{
	size_t i;

	/* The array may not exist yet. */
	if (!count)
		return;
	for (i = 0; i < count; i++)
		make_base(q, &q->samples[i]);
	q->sample_count -= count;
	memmove(q->samples, q->samples + count, q->sample_count * sizeof(*q->samples));
}

static int make_room(struct quotas *q)
{
	if (q->sample_count == SAMPLES_MOST) {
		q->forgotten += q->sample_count / 2;
		forget_samples(q, q->sample_count / 2);
	}
	return array_grow(q->samples, q->sample_count);
}

static int read_one(struct quotas *q, struct quota *of)
{
	struct quota_counts counts;

	if (of->is_over || !quota_read(&q->list, of, &counts) ||
	    (of->has_counts && !memcmp(&counts, &of->counts, sizeof(counts))))
		return 0;
	/* Another cgroup has got the path since the last search; the next search will find it. */
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
	struct quota *of;

	q->now = now;
	if (!q->counts)
		return ret;
	map_each(&q->list.all, of)
		ret = ret ? ret : read_one(q, of);
	return ret;
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

void quotas_begin(struct quotas *q)
{
	struct quota *of;

	map_free_all(&q->tracks, struct track);
	map_each(&q->list.all, of)
		of->is_written = false;
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

int quotas_write(struct quotas *q, struct fxt_writer *w, uint64_t from)
{
	struct quota *of;
	size_t i = 0;
	int ret = 0;

	while (i < q->sample_count && q->samples[i].time < from)
		i++;
	forget_samples(q, i);
	map_each(&q->list.all, of)
		if (!ret && !of->is_written && of->has_base && !of->is_over)
			ret = write_counts(of, w, from, &of->base);
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
	struct track *t;

	if (!map_new(&q->tracks, map_hash(koid, 0), t))
		return -ENOMEM;
	t->koid = koid;
	return 0;
}

/* A cgroup that existed only between two searches has no path. */
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
	ret = ret ? ret : mark_named(q, koid);
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
			ret = name_track(q, w, rec[3], rec[5], fxt_get(FXT_ARG_VALUE_32, rec[6]));
	}
	return ret;
}
