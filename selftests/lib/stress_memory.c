// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rounds, and the memory that they leave behind. Measuring allocates no memory itself: everything
 * is allocated before the first measurement.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stress.h"
#include "workload.h"

#define METERS		512
#define PARTS		4
#define CACHES		512
#define MIN_ROUNDS	60	/* with fewer, a leak cannot be distinguished from chance */
/* The least share of a CPU, in bytes, of memory that is leaked by alloc_percpu(). */
#define PERCPU_LEAK	128
/* The number of free pages also changes for other reasons. */
#define PAGES_NOISE	16
#define SLAB_NOISE	16	/* objects, of other processes at work */

struct meter {
	char name[40];	/* its name */
	long value;	/* the amount */
	long unit;	/* the least that leaks in a round */
	long noise;	/* growth up to this amount is ignored */
};

struct meters {
	size_t count;
	struct meter list[METERS];
};

struct shrinkers {
	/*
	 * open from before the first measurement until after the last: when the last file of an
	 * attribute is closed, the kernel frees some memory only after a while
	 */
	int fds[CACHES];
	size_t count;	/* of them */
};

static void shrinkers_open(struct shrinkers *s)
{
	glob_t caches;
	int fd;

	s->count = 0;
	if (!glob("/sys/kernel/slab/*/shrink", 0, NULL, &caches))
		for (size_t i = 0; i < caches.gl_pathc && s->count < CACHES; i++) {
			fd = open(caches.gl_pathv[i], O_WRONLY | O_CLOEXEC);
			if (fd >= 0)
				s->fds[s->count++] = fd;
		}
	globfree(&caches);
}

static void shrinkers_close(const struct shrinkers *s)
{
	for (size_t i = 0; i < s->count; i++)
		close(s->fds[i]);
}

/* Not every cache can be shrunk, so ignore errors. */
static void write_to(int fd, const char *text)
{
	if (pwrite(fd, text, strlen(text), 0) < 0)
		errno = 0;
}

static void write_once(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	write_to(fd, text);
	close(fd);
}

static void calm_down(const struct shrinkers *s)
{
	sync();
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	sleep_ms(100);
	write_once("/proc/sys/vm/drop_caches", "3");
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	sleep_ms(50);
	/* Before this, a CPU's own part of a slab counts as used. */
	for (size_t i = 0; i < s->count; i++)
		write_to(s->fds[i], "1");
	write_once("/proc/sys/vm/stat_refresh", "1");
}

static void add(struct meters *m, const char *name, long value, long unit, long noise)
{
	struct meter *new = &m->list[m->count];

	if (m->count == METERS)
		return;
	snprintf(new->name, sizeof(new->name), "%s", name);
	new->value = value;
	new->unit = unit;
	new->noise = noise;
	m->count++;
}

/*
 * The kernel keeps free areas of vmalloc, and the objects that describe them, for a while.
 * DEBUG_OBJECTS frees its note of an object with the object's memory; but it keeps up to
 * 1024 free notes, and notes on each page that was ever freed by RCU.
 */
static bool kept_by_kernel(const char *cache)
{
	return !strcmp(cache, "vmap_area") || !strcmp(cache, "debug_objects_cache");
}

static void look_at_slabs(struct meters *m)
{
	FILE *f = fopen("/proc/slabinfo", "re");
	char line[512], name[32];
	long active;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%31s %ld", name, &active) == 2 && !kept_by_kernel(name))
			add(m, name, active, 1, SLAB_NOISE);
	if (f)
		fclose(f);
}

static void look_at_vmalloc(struct meters *m)
{
	FILE *f = fopen("/proc/vmallocinfo", "re");
	char line[512];
	long areas = 0;

	while (f && fgets(line, sizeof(line), f))
		areas += !strstr(line, "vm_map_ram") && !strstr(line, "unpurged");
	if (f)
		fclose(f);
	add(m, "areas of vmalloc", areas, 1, 0);
}

/*
 * Pages that are free, or that a CPU keeps to be allocated next. A kernel with detectors keeps
 * their data about freed memory in more and more pages.
 */
static void look_at_pages(struct meters *m)
{
	static const char detector[] = "/sys/kernel/debug/kmemleak";
	FILE *f = fopen("/proc/zoneinfo", "re");
	long pages = 0, n;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, " nr_free_pages %ld", &n) == 1 ||
		    sscanf(line, " count: %ld", &n) == 1)
			pages += n;
	if (f)
		fclose(f);
	if (access(detector, F_OK))
		add(m, "used pages", -pages, 1, PAGES_NOISE);
}

static void look_at_percpu(struct meters *m)
{
	FILE *f = fopen("/proc/meminfo", "re");
	long kib = 0, cpus = sysconf(_SC_NPROCESSORS_CONF);
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Percpu: %ld", &kib) == 1)
			break;
	if (f)
		fclose(f);
	add(m, "bytes of per-CPU memory", kib * 1024 / cpus, PERCPU_LEAK, 0);
}

static void look(struct meters *m, const struct shrinkers *s, const struct load *load)
{
	if (load)
		load_pause(load, true);
	calm_down(s);
	m->count = 0;
	look_at_pages(m);
	look_at_slabs(m);
	look_at_vmalloc(m);
	look_at_percpu(m);
	if (load)
		load_pause(load, false);
}

static const struct meter *find(const struct meters *m, const struct meter *like, size_t at)
{
	if (at < m->count && !strcmp(m->list[at].name, like->name))
		return &m->list[at];
	for (size_t i = 0; i < m->count; i++)
		if (!strcmp(m->list[i].name, like->name))
			return &m->list[i];
	return NULL;
}

/* Return: the least growth in any of the parts. */
static long least_growth(const struct meters *looks, size_t at)
{
	const struct meter *before, *after = &looks[PARTS].list[at];
	long least = 0;

	for (int i = PARTS - 1; i >= 0; i--) {
		before = find(&looks[i], after, at);
		if (!before)
			return 0;
		if (i == PARTS - 1 || after->value - before->value < least)
			least = after->value - before->value;
		after = before;
	}
	return least;
}

/* Find the memory that grew in each of the parts, which are @rounds long. */
static int judge(const struct meters *looks, unsigned int rounds, struct why *why)
{
	const struct meters *last = &looks[PARTS];
	int ret = 0;

	for (size_t i = 0; i < last->count; i++) {
		const struct meter *m = &last->list[i];
		long least = least_growth(looks, i);

		/* Allow for other memory that shrank at the same time. */
		if (least < (long)rounds * m->unit / 2 || least <= m->noise)
			continue;
		stress_note("%s: at least %ld more in each %u rounds", m->name, least, rounds);
		ret = complain(why, "%s: at least %ld more in each %u rounds", m->name, least,
			       rounds);
	}
	return ret;
}

struct task {
	const struct load *load;	/* load that runs at the same time, or NULL */
	int (*round)(void *arg, unsigned int n, struct why *why);	/* does it once */
	void *arg;	/* for @round */
	unsigned int n;	/* how often it has been done */
	struct why *why;	/* set to the failure */
};

static int do_rounds(struct task *t, unsigned int count)
{
	int ret = 0;

	while (count-- && !ret)
		ret = t->round(t->arg, t->n++, t->why);
	return ret;
}

static int do_parts(struct task *t, unsigned int part, const struct shrinkers *s,
		    struct meters *looks)
{
	int ret = 0, i;

	look(&looks[0], s, t->load);
	for (i = 1; i <= PARTS && !ret; i++) {
		stress_note("%u rounds", t->n);
		ret = do_rounds(t, part);
		look(&looks[i], s, t->load);
	}
	return ret;
}

static int do_watched(struct task *t, unsigned int rounds)
{
	unsigned int part = rounds * 4 / 5 / PARTS;
	struct meters *looks = calloc(PARTS + 1, sizeof(*looks));
	struct why by_chance = { 0 };
	struct shrinkers s;
	int ret;

	if (!looks)
		return complain(t->why, "no memory");
	/* Touch it, so that its pages are allocated before the first measurement. */
	memset(looks, 1, (PARTS + 1) * sizeof(*looks));
	shrinkers_open(&s);
	look(&looks[0], &s, t->load);
	ret = do_rounds(t, rounds - PARTS * part);
	if (!ret)
		ret = do_parts(t, part, &s, looks);
	if (!ret && judge(looks, part, &by_chance)) {
		stress_note("a leak would go on: the same again");
		ret = do_parts(t, part, &s, looks);
		if (!ret)
			ret = judge(looks, part, t->why);
	}
	shrinkers_close(&s);
	free(looks);
	return ret;
}

int rounds_run(unsigned int rounds, const struct load *load,
	       int (*round)(void *arg, unsigned int n, struct why *why), void *arg, struct why *why)
{
	struct task t = { load, round, arg, 0, why };

	return rounds < MIN_ROUNDS ? do_rounds(&t, rounds) : do_watched(&t, rounds);
}
