// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * delays.c - the delays when a recording of a busy machine begins, pauses and ends.
 * In:  a folder of its own, the path of fxt-collect, and its arguments for all recordings.
 * Out: a line of four numbers, in ns: from the time of --start-at until it records; from SIGINT
 *      until it no longer records; the largest delay of the beginnings of SEAMS segments; from
 *      SIGUSR1 until a flight recorder has frozen its buffers for a snapshot. Exit status: 0, 126
 *      something failed, 2 wrong usage.
 *
 * Time stamps of the archives and those taken here are both of the boot clock, in ns.
 */
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"

#define MAX_ARGS		32
#define PATH_ROOM	512
#define SEAMS		5
#define SEAM_MS		100
#define WARM_MS		1000	/* until it certainly records; not measured */
#define PATIENCE_MS	30000

/* Times in an archive. */
struct facts {
	uint64_t begin;		/* earliest beginning of a CPU's stream */
	uint64_t end;		/* latest end */
	uint64_t late;		/* of --start-at */
};

static int arg_count;
static char **own_args;
static const char *folder;

static uint64_t boottime_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void fail(const char *what)
{
	fprintf(stderr, "delays: %s failed\n", what);
	exit(126);
}

/* @more: NULL at the end. */
static pid_t record(const char * const *more)
{
	const char *args[MAX_ARGS] = { 0 };
	char output[PATH_ROOM];
	int n = 0, i;
	pid_t pid;

	snprintf(output, sizeof(output), "%s/x.fxt", folder);
	for (i = 0; i < arg_count && n < MAX_ARGS / 2; i++)
		args[n++] = own_args[i];
	args[n++] = "-q";
	args[n++] = "-o";
	args[n++] = output;
	while (*more && n < MAX_ARGS - 1)
		args[n++] = *more++;
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (!pid) {
		execv(args[0], (char * const *)args);
		_exit(126);
	}
	return pid;
}

static void await(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		fail("a recording");
}

static uint64_t word_of(const struct fxt_content *c, unsigned int i)
{
	uint64_t word;

	memcpy(&word, (const char *)c->blob.data + i * FXT_WORD, FXT_WORD);
	return word;
}

static void take_ledger(struct facts *f, const struct fxt_content *c)
{
	uint64_t first = word_of(c, 0), time = word_of(c, 1);

	if (fxt_get(FXT_LEDGER_STREAM, first) == FXT_LEDGER_STREAM_NAMES)
		return;
	if (fxt_get(FXT_LEDGER_KIND, first) == FXT_LEDGER_OPENING && time < f->begin)
		f->begin = time;
	if (fxt_get(FXT_LEDGER_KIND, first) == FXT_LEDGER_CLOSING && time > f->end)
		f->end = time;
}

static struct facts read_archive(const char *path)
{
	static const char key[] = "\nstart_late ";
	struct facts f = { .begin = UINT64_MAX };
	struct fxt_content c;
	struct fxt_record rec;
	struct fxt_reader *r;
	const char *late;

	if (fxt_reader_open(&r, path, NULL))
		fail(path);
	while (fxt_reader_next(r, &rec) == 1) {
		if (rec.kind != FXT_KIND_BLOB || fxt_reader_content(r, &rec, &c) < 0)
			continue;
		if (c.name.known == FXT_STR_LEDGER && c.blob.bytes == FXT_LEDGER_BYTES)
			take_ledger(&f, &c);
		late = c.name.known == FXT_STR_SESSION ?
		       memmem(c.blob.data, c.blob.bytes, key, sizeof(key) - 1) : NULL;
		if (late)
			f.late = strtoull(late + sizeof(key) - 1, NULL, 10);
	}
	fxt_reader_close(r);
	return f;
}

/* Read and remove the archives; @most is the room in @all. Return: number of archives. */
static size_t read_all(struct facts *all, size_t most)
{
	char pattern[PATH_ROOM];
	size_t i, count = 0;
	glob_t g;

	snprintf(pattern, sizeof(pattern), "%s/x*.fxt", folder);
	if (glob(pattern, 0, NULL, &g))
		fail("looking for archives");
	for (i = 0; i < g.gl_pathc; i++) {
		if (count < most)
			all[count++] = read_archive(g.gl_pathv[i]);
		unlink(g.gl_pathv[i]);
	}
	globfree(&g);
	return count;
}

static uint64_t start(void)
{
	struct facts f;

	await(record((const char *[]){ "--start-at", "/1s", "-d", "50ms", NULL }));
	if (read_all(&f, 1) != 1)
		fail("a start");
	return f.late;
}

static uint64_t stop(void)
{
	pid_t pid = record((const char *[]){ NULL });
	struct facts f;
	uint64_t asked;

	usleep(WARM_MS * 1000);
	asked = boottime_ns();
	kill(pid, SIGINT);
	await(pid);
	if (read_all(&f, 1) != 1)
		fail("a stop");
	return f.end - asked;
}

static int by_begin(const void *a, const void *b)
{
	const struct facts *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

static uint64_t seams(void)
{
	struct facts all[SEAMS + 3];
	char every[32], whole[32];
	uint64_t due, worst = 0;
	size_t i, count;

	snprintf(every, sizeof(every), "time=%dms", SEAM_MS);
	snprintf(whole, sizeof(whole), "%dms", SEAM_MS * SEAMS + SEAM_MS / 2);
	await(record((const char *[]){ "--rotate", every, "-d", whole, NULL }));
	count = read_all(all, SEAMS + 3);
	qsort(all, count, sizeof(*all), by_begin);
	/* Each segment is due a whole number of periods after the one before. */
	for (i = 1; i < count; i++) {
		due = all[i - 1].begin + SEAM_MS * 1000000ULL;
		if (all[i].begin > due && all[i].begin - due > worst)
			worst = all[i].begin - due;
	}
	if (count < 2)
		fail("a segment");
	return worst;
}

static uint64_t snapshot(void)
{
	pid_t pid = record((const char *[]){ "-F", NULL });
	char path[PATH_ROOM];
	struct facts all[2];
	uint64_t asked, first;

	usleep(WARM_MS * 1000);
	asked = boottime_ns();
	kill(pid, SIGUSR1);
	snprintf(path, sizeof(path), "%s/x-0001.fxt", folder);
	for (int i = 0; access(path, F_OK) && i < PATIENCE_MS; i++)
		usleep(1000);
	kill(pid, SIGINT);
	await(pid);
	if (read_all(all, 2) != 2)
		fail("a snapshot");
	first = all[0].end < all[1].end ? all[0].end : all[1].end;
	return first - asked;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: delays FOLDER COLLECTOR [ARGUMENT...]\n", stderr);
		return 2;
	}
	folder = argv[1];
	arg_count = argc - 2;
	own_args = argv + 2;
	printf("%" PRIu64, start());
	printf(" %" PRIu64, stop());
	printf(" %" PRIu64, seams());
	printf(" %" PRIu64 "\n", snapshot());
	return 0;
}
