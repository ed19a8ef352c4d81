// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quota_list.c - see quota_list.h.
 *
 * The cgroup that a search is in is known by its path below the root, which grows and
 * shrinks in one buffer. A cgroup without the file cpu.max has no CPU controller, and so
 * none below it has.
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

#include "source/cgroups.h"
#include "quota_list.h"

#define SEARCH_SHARE	100	/* a search takes that part of the time until the next one */
#define OVER_MOST	1024	/* quotas that are over and still known */
#define PATH_ROOM	4096

/* The kernel refuses more, and we recurse. */
#define DEPTH_MOST	256

struct search {
	struct quota_list *l;
	char path[PATH_ROOM];
	size_t length;
	unsigned int depth;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Read a small file. Return: its length, or -1. */
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

struct quota *quota_list_find(const struct quota_list *l, uint64_t id)
{
	struct map_node *n = map_first(&l->all, map_hash(id, 0));

	for (; n; n = map_next(n, map_hash(id, 0)))
		if (map_entry(n, struct quota, node)->id == id)
			return map_entry(n, struct quota, node);
	return NULL;
}

/* Is the path that of @below, or below it? */
static bool is_below(const char *path, const char *below)
{
	size_t length = below ? strlen(below) : 0;

	if (length <= 1)
		return true;
	return !strncmp(path, below, length) && (path[length] == '/' || !path[length]);
}

static int add(struct quota_list *l, uint64_t id, const char *path)
{
	struct quota *q = quota_list_find(l, id);

	if ((!q || q->is_over) && l->all.count - l->over >= QUOTA_LIST_MOST) {
		l->beyond++;
		return 0;
	}
	if (!q) {
		q = calloc(1, sizeof(*q));
		if (!q || map_reserve(&l->all)) {
			free(q);
			return -ENOMEM;
		}
		q->id = id;
		map_add(&l->all, &q->node, map_hash(id, 0));
	}
	/* It may have been renamed. */
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

	if (length + strlen(name) + 2 > PATH_ROOM || s->depth == DEPTH_MOST)
		return 0;
	dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return 0;
	s->length += sprintf(s->path + length, "/%s", name);
	n = read_text(dir, "cpu.max", max, sizeof(max));
	if (n > 0 && strncmp(max, "max", 3) && is_below(s->path, s->l->below) &&
	    !fstat(dir, &st))
		ret = add(s->l, st.st_ino, s->path);
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

static int end_unseen(struct quota *q, void *arg)
{
	struct quota_list *l = arg;

	if (q->search != l->search && !q->is_over) {
		q->is_over = true;
		l->over++;
	}
	return 0;
}

/* Forget quotas that are over, if there are too many of them: ids are not used again. */
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
	uint64_t begin = now_ns(), end;
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
	quota_list_each(l, end_unseen, l);
	if (l->over > OVER_MOST)
		forget_some(l);
	end = now_ns();
	l->next_search = end + (end - begin) * SEARCH_SHARE;
	return 0;
}

int quota_list_open(struct quota_list *l, const char *below)
{
	char root[1024];

	*l = (struct quota_list){ .root = -1, .below = below };
	if (!cgroups_root(root, sizeof(root)))
		l->root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return quota_list_search(l);
}

void quota_list_close(struct quota_list *l)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&l->all, &from))) {
		free(map_entry(n, struct quota, node)->path);
		free(map_entry(n, struct quota, node));
	}
	map_free(&l->all);
	if (l->root >= 0)
		close(l->root);
}

bool quota_read(const struct quota_list *l, const struct quota *q, struct quota_counts *counts)
{
	char name[PATH_ROOM + 16], text[1024], *line, *rest = text;
	uint64_t n;
	struct {
		const char *format;
		uint64_t *to;
	} const keys[] = {
		{ "nr_periods %" SCNu64, &counts->periods },
		{ "nr_throttled %" SCNu64, &counts->throttled },
		{ "throttled_usec %" SCNu64, &counts->usec },
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
	return true;
}

int quota_list_each(struct quota_list *l, int (*visit)(struct quota *q, void *arg), void *arg)
{
	struct map_node *n;
	int ret = 0;

	for (n = l->all.oldest; n && !ret; n = n->newer)
		ret = visit(map_entry(n, struct quota, node), arg);
	return ret;
}
