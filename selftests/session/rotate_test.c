// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Segments, compression, and size limits: each segment can be read without the others, the next one
 * begins exactly where it ends, and together they have all records that the kernel has counted.
 */
#include <glob.h>

#include "source_fixture.h"

SOURCE_FIXTURE(rotate);

#define MOST	256

/* Paths of segments, ordered by name, which is the order of time. */
static size_t find_segments(const char *dir, glob_t *g)
{
	char pattern[RECORD_PATH + 16];

	snprintf(pattern, sizeof(pattern), "%s/sched-*.fxt", dir);
	return glob(pattern, 0, NULL, g) ? 0 : g->gl_pathc;
}

static unsigned int segment_number(const struct trace *t)
{
	const char *line = strstr(t->session, "\nsegment ");

	return line ? atoi(line + 9) : 0;
}

struct segments {
	struct trace t[MOST];
	size_t count;
};

static int load_segments(struct segments *all, const char *dir, struct why *why)
{
	struct trace t;
	unsigned int n;
	glob_t g;
	int ret = 0;

	memset(all, 0, sizeof(*all));
	if (find_segments(dir, &g) > MOST)
		return complain(why, "%zu segments", (size_t)g.gl_pathc);
	for (size_t i = 0; i < g.gl_pathc && !ret; i++) {
		ret = trace_load(&t, g.gl_pathv[i], false, why);
		if (!ret)
			ret = trace_check_records(&t, why) || trace_check_ledgers(&t, why) ||
			      trace_check_edges(&t, why) || trace_check_chain(&t, why) ? -1 : 0;
		n = segment_number(&t);
		if (!ret && (!n || n > MOST || all->t[n - 1].bytes))
			ret = complain(why, "%s has the number %u", g.gl_pathv[i], n);
		if (ret)
			break;
		all->t[n - 1] = t;
		all->count = n > all->count ? n : all->count;
	}
	return ret;
}

static const struct fxt_ledger *closing_of(const struct trace *t, uint32_t stream)
{
	const struct trace_stream *s = trace_stream(t, stream);

	return s && s->ledger_count ? &s->ledgers[s->ledger_count - 1].l : NULL;
}

/*
 * Segments are divided at one instant on all CPUs. Otherwise a wakeup could be in one
 * segment, and the switch-in that it caused in the previous one. Names may be earlier.
 */
static int check_instant(const struct trace *a, const struct trace *b, struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	uint64_t cut = 0;

	for (s = a->streams; s < a->streams + a->stream_count; s++) {
		if (s->id == FXT_LEDGER_STREAM_NAMES)
			continue;
		if (cut && closing_of(a, s->id)->time != cut)
			return complain(why, "stream %u ends at %ju, one before it at %ju",
					s->id, (uintmax_t)closing_of(a, s->id)->time,
					(uintmax_t)cut);
		cut = closing_of(a, s->id)->time;
	}
	for (s = b->streams; s < b->streams + b->stream_count; s++)
		if (s->id != FXT_LEDGER_STREAM_NAMES && s->opening.time != cut)
			return complain(why, "stream %u begins at %ju, the segment before ended at %ju",
					s->id, (uintmax_t)s->opening.time, (uintmax_t)cut);
	trace_for_each_event(a, s, e)
		if (e->time > cut)
			return complain(why, "byte %ju: the segment ended at %ju",
					(uintmax_t)e->offset, (uintmax_t)cut);
	trace_for_each_event(b, s, e)
		if (e->time <= cut)
			return complain(why, "byte %ju: the segment begins at %ju",
					(uintmax_t)e->offset, (uintmax_t)cut);
	return 0;
}

static int check_joints(const struct segments *all, size_t from, struct why *why)
{
	const struct fxt_ledger *before;
	const struct trace_stream *s;
	size_t i, j, k;

	for (i = from + 1; i < all->count; i++) {
		for (j = 0; j < all->t[i].stream_count; j++) {
			s = &all->t[i].streams[j];
			for (before = NULL, k = i; !before && k-- > from; )
				before = closing_of(&all->t[k], s->id);
			if (before && (before->written != s->opening.written ||
				       before->lost != s->opening.lost ||
				       before->sequence != s->opening.sequence))
				return complain(why, "segment %zu: stream %u opens at %ju records, the one before ended at %ju",
						i + 1, s->id, (uintmax_t)s->opening.written,
						(uintmax_t)before->written);
		}
		if (check_instant(&all->t[i - 1], &all->t[i], why))
			return -1;
	}
	return 0;
}

static int check_counts(const struct segments *all, pid_t tid, const struct counts *c,
			struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned long switches = 0;

	for (size_t i = 0; i < all->count; i++)
		trace_for_each_event(&all->t[i], s, e)
			switches += !e->is_wakeup && e->sw.out == (uint64_t)tid &&
				    e->time <= c->at;
	if (switches == c->voluntary + c->involuntary)
		return 0;
	return complain(why, "thread %d: %lu switches in %zu segments, the kernel counted %lu",
			tid, switches, all->count, c->voluntary + c->involuntary);
}

static int run_pair(struct pair *pair, unsigned int rounds)
{
	int cpus[MAX_CPUS];

	allowed_cpus(cpus);
	pair->rounds = rounds;
	pair->ends[1].cpu = cpus[0];
	pair->ends[0].cpu = pair->ends[1].cpu;
	snprintf(pair->ends[0].name, COMM_SIZE, "to and");
	snprintf(pair->ends[1].name, COMM_SIZE, "fro");
	return pairs_run(pair, 1);
}

SOURCE_TEST(rotate, by_size)
{
	static struct segments all;
	struct pair pair = { 0 };

	ASSERT_BEGIN("--rotate", "size=100K", "-b", "16M");
	for (int i = 0; i < 3; i++) {
		memset(&pair, 0, sizeof(pair));
		ASSERT_EQ(0, run_pair(&pair, 2000));
		sleep_ms(400);
	}
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_FINE(load_segments(&all, self->dir, &self->why));
	EXPECT_LE(3U, all.count);
	EXPECT_FINE(check_joints(&all, 0, &self->why));
	for (int i = 0; i < 2; i++) {
		EXPECT_FINE(check_counts(&all, pair.ends[i].tid, &pair.ends[i].counts, &self->why));
		EXPECT_NE(NULL, trace_find_name(&all.t[all.count - 1], FXT_OBJECT_THREAD,
						getpid()));
	}
}

SOURCE_TEST(rotate, by_time_and_keep)
{
	static struct segments all;
	struct pair pair = { 0 };
	glob_t g;

	ASSERT_BEGIN("--rotate", "time=300ms", "--keep", "2");
	for (int i = 0; i < 6; i++) {
		ASSERT_EQ(0, run_pair(&pair, 50));
		sleep_ms(300);
	}
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(2U, find_segments(self->dir, &g));
	ASSERT_FINE(load_segments(&all, self->dir, &self->why));
	ASSERT_LE(4U, all.count);
	EXPECT_FINE(check_joints(&all, all.count - 2, &self->why));
}

static off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_size;
}

static int check_compressed(struct collector *c, struct trace *t, const char *compression,
			    struct why *why)
{
	struct fxt_reader *r;
	const char *found = "none";
	int fd = open(c->output, O_RDONLY | O_CLOEXEC);
	bool same;

	if (fxt_reader_open_fd(&r, fd, NULL))
		return complain(why, "%s cannot be read", c->output);
	found = fxt_reader_compression(r);
	same = !strcmp(found, compression);
	fxt_reader_close(r);
	close(fd);
	if (!same)
		return complain(why, "%s is compressed by %s", c->output, found);
	if (trace_load(t, c->output, false, why) || trace_check_all(t, why))
		return -1;
	if (size_of(c->output) * 2 > (off_t)t->bytes)
		return complain(why, "%ju bytes for %ju", (uintmax_t)size_of(c->output),
				(uintmax_t)t->bytes);
	return 0;
}

SOURCE_TEST(rotate, compressed)
{
	static const struct {
		const char *args[5];
		const char *file;
		const char *compression;
	} ways[] = {
		{ { "-z", "zstd", "-b", "16M" }, "sched.fxt", "zstd" },
		{ { "-z", "gzip:1", "-b", "16M" }, "sched.fxt", "gzip" },
		{ { "-o", NULL, "-b", "16M" }, "x.fxt.zst", "zstd" },
		{ { "-o", NULL, "-b", "16M" }, "x.fxt.gz", "gzip" },
	};
	const char *args[6];
	char path[RECORD_PATH];
	struct pair pair;

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		memset(&pair, 0, sizeof(pair));
		memcpy(args, ways[i].args, sizeof(ways[i].args));
		args[5] = NULL;
		args[4] = args[5];
		snprintf(path, sizeof(path), "%.400s/%s", self->dir, ways[i].file);
		if (!args[1])
			args[1] = path;
		ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
		snprintf(self->c.output, sizeof(self->c.output), "%s", path);
		ASSERT_EQ(0, run_pair(&pair, 1000));
		ASSERT_FINE(record_end(&self->c, &self->why));
		EXPECT_FINE(check_compressed(&self->c, &self->t, ways[i].compression, &self->why));
	}
}

/* As far as the file can be read. */
static uint64_t count_switches(const char *path)
{
	struct fxt_record rec;
	struct fxt_reader *r;
	uint64_t switches = 0;

	if (fxt_reader_open(&r, path, NULL))
		return 0;
	while (fxt_reader_next(r, &rec) == 1)
		switches += rec.kind == FXT_KIND_CONTEXT_SWITCH;
	fxt_reader_close(r);
	return switches;
}

/* While it records, everything is flushed soon; after SIGKILL, the archive still opens. */
SOURCE_TEST(rotate, killed_compressed)
{
	static const char * const ways[] = { "zstd", "gzip" };
	struct pair pair;

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		const char * const args[] = { "-z", ways[i], NULL };

		memset(&pair, 0, sizeof(pair));
		ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
		ASSERT_EQ(0, run_pair(&pair, 500));
		for (int waited = 0; waited < PATIENCE_MS; waited += 100) {
			if (count_switches(self->c.output) >= 1000)
				break;
			sleep_ms(100);
		}
		kill(self->c.pid, SIGKILL);
		collector_wait(&self->c);
		EXPECT_LE(1000U, count_switches(self->c.output));
	}
}

SOURCE_TEST(rotate, max_size)
{
	struct pair pair = { 0 };
	siginfo_t info = { 0 };

	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-s", self->source, "--max-size",
							       "300K", "-d", "100s"), -1));
	ASSERT_FINE(wait_for_records(&self->c, &self->why));
	for (int i = 0; i < 100 && !info.si_pid; i++) {
		ASSERT_EQ(0, run_pair(&pair, 500));
		waitid(P_PID, self->c.pid, &info, WEXITED | WNOHANG | WNOWAIT);
	}
	EXPECT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	EXPECT_LE(300 << 10, size_of(self->c.output));
}
