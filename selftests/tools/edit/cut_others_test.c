// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt cut of archives of other producers, and of compressed, piped or damaged ones: slices stay
 * whole, and each failure is reported once.
 */
#include <zstd.h>

#include "cut_fixture.h"
#include "foreign_events.h"
#include "undefined_records.h"
#include "write/pack.h"

static struct fxt_writer *begin_foreign(const char *path, uint64_t rate)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct fxt_writer *w;

	if (fd < 0 || fxt_writer_open(&w, fd) || fxt_writer_magic(w) ||
	    fxt_writer_provider(w, 7, "other") || fxt_writer_initialization(w, rate))
		abort();
	return w;
}

/* Slices that reach into the range stay whole; others are dropped. */
TEST_F(cut, slices)
{
	struct fxt_writer *w = begin_foreign(self->in, 1000);	/* ticks are ms */
	struct gathered *g = &self->g;

	write_event(w, FXT_KIND_DURATION_BEGIN, 1000, 1, 1, "long", 0);
	write_event(w, FXT_KIND_DURATION_BEGIN, 1100, 1, 1, "early", 0);
	write_event(w, FXT_KIND_ASYNC_BEGIN, 1150, 1, 3, "async", 1);
	write_event(w, FXT_KIND_DURATION_END, 1200, 1, 1, "early", 0);
	write_event(w, FXT_KIND_DURATION_BEGIN, 1300, 1, 1, "into", 0);
	write_event(w, FXT_KIND_INSTANT, 1400, 1, 1, "early", 0);
	write_event(w, FXT_KIND_DURATION_BEGIN, 1500, 1, 2, "endless", 0);
	write_event(w, FXT_KIND_DURATION_COMPLETE, 1700, 1, 1, "complete", 2500);
	write_event(w, FXT_KIND_DURATION_COMPLETE, 1700, 1, 1, "early", 1800);
	write_event(w, FXT_KIND_INSTANT, 2000, 1, 1, "first", 0);
	write_event(w, FXT_KIND_DURATION_END, 2100, 1, 1, "into", 0);
	write_event(w, FXT_KIND_DURATION_BEGIN, 2200, 1, 1, "out of", 0);
	write_event(w, FXT_KIND_COUNTER, 2300, 1, 1, "counter", 1);
	write_event(w, FXT_KIND_INSTANT, 3000, 1, 1, "last", 0);
	write_event(w, FXT_KIND_DURATION_BEGIN, 3001, 1, 1, "late", 0);
	write_event(w, FXT_KIND_DURATION_END, 3100, 1, 1, "late", 0);
	write_event(w, FXT_KIND_DURATION_END, 3200, 1, 1, "out of", 0);
	write_event(w, FXT_KIND_DURATION_END, 3300, 1, 1, "long", 0);
	write_event(w, FXT_KIND_ASYNC_END, 3400, 1, 4, "async", 1);
	write_event(w, FXT_KIND_DURATION_END, 3500, 1, 1, "late", 0);
	fxt_writer_thread(w, 2, 1, 0, "two");
	fxt_writer_close(w);

	ASSERT_EQ(0, cut(self, "--from", "2", "--to", "3")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(1000U, g->rate);
	EXPECT_TRUE(gathered_has(g, FXT_KIND_DURATION_BEGIN, 1000, "long"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_DURATION_BEGIN, 1300, "into"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_DURATION_BEGIN, 1500, "endless"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_ASYNC_BEGIN, 1150, "async"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_DURATION_COMPLETE, 1700, "complete"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_INSTANT, 2000, "first"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_DURATION_END, 2100, "into"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_DURATION_BEGIN, 2200, "out of"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_COUNTER, 2300, "counter"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_INSTANT, 3000, "last"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_DURATION_END, 3200, "out of"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_DURATION_END, 3300, "long"));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_ASYNC_END, 3400, "async"));
	EXPECT_EQ(13U, g->event_count);
	EXPECT_STREQ("cut of in.fxt\ncut from 2.000000000\ncut to 3.000000000\n", g->session);
	/* Such a slice keeps its thread's name. */
	EXPECT_NE(NULL, gathered_name(g, FXT_OBJECT_THREAD, 2));
}

TEST_F(cut, events_of_a_process)
{
	struct fxt_writer *w = begin_foreign(self->in, 1000000000);

	write_event(w, FXT_KIND_INSTANT, 10, 1, 1, "one", 0);
	write_event(w, FXT_KIND_INSTANT, 20, 2, 2, "two", 0);
	write_event(w, FXT_KIND_DURATION_BEGIN, 30, 2, 2, "two", 0);
	fxt_writer_close(w);
	ASSERT_EQ(0, cut(self, "--pid", "1", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(1U, self->g.event_count);
	/* These events have no CPU, so a list of CPUs keeps them. */
	ASSERT_EQ(0, cut(self, "--cpu", "0", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(3U, self->g.event_count);
}

/* The limits are converted to ticks of a clock that does not count ns. */
TEST_F(cut, other_ticks)
{
	struct fxt_writer *w = begin_foreign(self->in, 3);

	write_event(w, FXT_KIND_INSTANT, 3, 1, 1, "1 s", 0);
	write_event(w, FXT_KIND_INSTANT, 4, 1, 1, "1.333333333 s", 0);
	write_event(w, FXT_KIND_INSTANT, 5, 1, 1, "1.666666666 s", 0);
	fxt_writer_close(w);
	ASSERT_EQ(0, cut(self, "--from", "1.333333333", "--to", "1.666666665"))
		TH_LOG("%s", self->t.err);
	EXPECT_EQ(1U, self->g.event_count);
	EXPECT_EQ(4U, self->g.events[0].time);
}

static size_t lines_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* --- the counters of CPUs ----------------------------------------------------------------- */

static void tell_counters(struct story *s)
{
	tell_two_cpus(s);
	story_counter_names(s);
	story_counter(s, 1 * MS, 0, 0, 100);
	story_counter(s, 1 * MS, 1, 0, 0);
	story_counter(s, 3 * MS, 0, 2, 200);
	story_counter(s, 5 * MS, 1, 1, 100);
	story_counter(s, 7 * MS, 0, 3, 300);
	story_counter(s, 9 * MS, 0, 0, 0);
	story_end(s, 10 * MS);
}

/* The value that holds where the range begins is written at its start. */
TEST_F(cut, counters_by_time)
{
	tell_counters(&self->s);
	ASSERT_CUT("--from", "0.004", "--to", "0.008");
	EXPECT_STREQ("4 cpu 1: 0 0\n4 cpu 0: 2 200\n5 cpu 1: 1 100\n7 cpu 0: 3 300\n",
		     gathered_counters(&self->g));
	EXPECT_STREQ("fxt_sched", gathered_text(&self->g, FXT_OBJECT_PROCESS, FXT_SCHED_KOID_LOSS));
	EXPECT_STREQ("fxt_sched", gathered_text(&self->g, FXT_OBJECT_THREAD, FXT_SCHED_KOID_LOSS));
	/* If a counter has a value at exactly that time, only that value is written. */
	ASSERT_EQ(0, cut(self, "--from", "0.005", "--to", "0.006")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("5 cpu 0: 2 200\n5 cpu 1: 1 100\n", gathered_counters(&self->g));
	/* If none has, the last values are written. */
	ASSERT_EQ(0, cut(self, "--from", "0.0075", "--to", "0.0085")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("7.5 cpu 1: 1 100\n7.5 cpu 0: 3 300\n", gathered_counters(&self->g));
	EXPECT_STREQ("fxt_sched", gathered_text(&self->g, FXT_OBJECT_PROCESS, FXT_SCHED_KOID_LOSS));
	ASSERT_EQ(0, cut(self, "--to", "0.004", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("1 cpu 0: 0 100\n1 cpu 1: 0 0\n3 cpu 0: 2 200\n", gathered_counters(&self->g));
	EXPECT_EQ(1, cut(self, "--from", "5", NULL, NULL));
	EXPECT_IN(self->t.err, "nothing is selected");
}

TEST_F(cut, counters_by_cpu)
{
	tell_counters(&self->s);
	save(self);
	ASSERT_EQ(0, cut(self, "--cpu", "1", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("1 cpu 1: 0 0\n5 cpu 1: 1 100\n", gathered_counters(&self->g));
	ASSERT_EQ(0, cut(self, "--cpu", "0", "--from", "0.0035")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("3.5 cpu 0: 2 200\n7 cpu 0: 3 300\n9 cpu 0: 0 0\n",
		     gathered_counters(&self->g));
	EXPECT_EQ(1, cut(self, "--cpu", "2", NULL, NULL)) TH_LOG("%s", self->t.err);
	/* They describe the machine, so a filter by process keeps all of them. */
	ASSERT_EQ(0, cut(self, "--pid", "21", "--from", "0.006")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("6 cpu 0: 2 200\n6 cpu 1: 1 100\n7 cpu 0: 3 300\n9 cpu 0: 0 0\n",
		     gathered_counters(&self->g));
	ASSERT_EQ(0, RUN(&self->t, "dump", "--cpu", "1", "--type", "counter", self->in));
	EXPECT_EQ(2U, lines_of(self->t.out)) TH_LOG("%s", self->t.out);
}

/* Records that only resemble these counters, in whatever field, have no CPU and stay. */
TEST_F(cut, counters_of_no_cpu)
{
	tell_two_cpus(&self->s);
	story_counter(&self->s, 1 * MS, 65536 + 1, 1, 1);
	story_instant(&self->s, 2 * MS, FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS, FXT_STR_CPU);
	BUILD(&self->s.b, fxt_event(5, FXT_EVENT_COUNTER, 0, FXT_THREAD_REF_INLINE,
				    FXT_STR_CATEGORY, FXT_STR_LOST),
	      3 * MS, FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS, 1);
	BUILD(&self->s.b, fxt_event(5, FXT_EVENT_COUNTER, 0, FXT_THREAD_REF_INLINE,
				    FXT_STR_LOST, FXT_STR_CPU),
	      4 * MS, FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS, 1);
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--cpu", "0", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(3U, gathered_events(&self->g, FXT_KIND_COUNTER));
	EXPECT_EQ(1U, gathered_events(&self->g, FXT_KIND_INSTANT));
	ASSERT_EQ(0, cut(self, "--from", "0.0045", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0U, gathered_events(&self->g, FXT_KIND_COUNTER));
	EXPECT_EQ(0U, gathered_events(&self->g, FXT_KIND_INSTANT));
}

/* Counters get the first tick of the range, also if the clock does not count ns. */
TEST_F(cut, counters_in_other_ticks)
{
	BUILD(&self->s.b, fxt_initialization(), 3);
	story_counter(&self->s, 4, 0, 1, 100);
	story_counter(&self->s, 6, 0, 2, 100);
	save(self);
	ASSERT_EQ(0, cut(self, "--from", "1.333333334", NULL, NULL)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(2U, self->g.event_count);
	EXPECT_EQ(5U, self->g.events[0].time);
	EXPECT_EQ(1U, self->g.events[0].values[0]);
	EXPECT_EQ(6U, self->g.events[1].time);
}

/* In streams, exactly the records that are dropped count as older. */
TEST_F(cut, streams_in_other_ticks)
{
	STORY(&self->s, "names@1; name 11 eleven");
	BUILD(&self->s.b, fxt_initialization(), 3);
	STORY(&self->s, "0@3 0>11; 4 11>0; 5 0>11; end 6");
	ASSERT_CUT("--from", "1.333333334");
	EXPECT_EQ(3U, self->g.rate);
	EXPECT_EQ(1U, self->g.event_count);
	EXPECT_EQ(2U, gathered_ledger(&self->g, FXT_LEDGER_OPENING, 0, 0)->written);
}

TEST_F(cut, vectors)
{
	char path[RECORD_PATH];
	struct gathered *g = &self->g;

	/* A reference to an unregistered string is skipped, and reported. */
	snprintf(self->in, sizeof(self->in), "%s",
		 built_path(path, sizeof(path), "vectors/go-writer.fxt"));
	EXPECT_EQ(1, cut(self, "--from", "+0", NULL, NULL));
	EXPECT_IN(self->t.err, "were skipped");
	EXPECT_EQ(1U, strlen(strstr(self->t.err, "\n"))) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0, gather(g, self->out));
	EXPECT_LT(10U, g->event_count);
	snprintf(self->in, sizeof(self->in), "%s",
		 built_path(path, sizeof(path), "vectors/magic-trace.fxt.gz"));
	ASSERT_EQ(0, cut(self, "--to", "+0.000001", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_LT(10U, g->event_count);
	EXPECT_EQ(0, RUN(&self->t, "dump", "--type", "event", "--to", "+0.000001", self->in));
	/* The part also has the ends of slices that began before its end. */
	EXPECT_LT(lines_of(self->t.out), g->event_count);
}

/* --- files --------------------------------------------------------------------------------- */

TEST_F(cut, compressed)
{
	static const char * const endings[] = { "zst", "zstd", "gz" };
	static struct gathered plain;
	char path[RECORD_PATH + 24];
	unsigned char magic[2];
	int fd;

	tell_two_cpus_to_end(&self->s);
	save(self);
	ASSERT_EQ(0, cut(self, NULL, NULL, NULL, NULL)) TH_LOG("%s", self->t.err);
	plain = self->g;
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/out.fxt.%s", self->dir, endings[i]);
		ASSERT_EQ(0, RUN(&self->t, "cut", "-o", path, self->in)) TH_LOG("%s", self->t.err);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		ASSERT_EQ(2, read(fd, magic, 2));
		close(fd);
		EXPECT_EQ(i == 2 ? 0x1f : 0x28, magic[0]);
		ASSERT_EQ(0, gather(&self->g, path));
		EXPECT_EQ(0, memcmp(&plain, &self->g, sizeof(plain)));
		/* A compressed archive can be cut, too. */
		snprintf(self->in, sizeof(self->in), "%s", path);
		ASSERT_EQ(0, cut(self, "--to", "0.003", NULL, NULL)) TH_LOG("%s", self->t.err);
		EXPECT_EQ(4U, self->g.event_count);
		snprintf(self->in, sizeof(self->in), "%s/in.fxt", self->dir);
	}
}

/* Readers decompress frames in parallel if none is large. */
TEST(several_frames)
{
	const size_t piece = 100000, most = 5 << 20, all = 130 * piece;
	unsigned char *words = calloc(1, all), *packed = calloc(1, all), *frame = calloc(1, most);
	int fd = memfd_create("packed", MFD_CLOEXEC), frames = 0;
	size_t at, n, content, bytes, got = 0;
	struct pack *p;

	for (at = 0; at < all; at++)
		words[at] = at * at >> 7;
	p = pack_open("packed.zst", dup(fd));
	for (at = 0; at < all; at += piece)
		ASSERT_EQ(0, pack_write(p, words + at, piece));
	ASSERT_EQ(0, pack_close(p));
	bytes = lseek(fd, 0, SEEK_END);
	ASSERT_EQ((ssize_t)bytes, pread(fd, packed, bytes, 0));
	for (at = 0; at < bytes; at += n, got += content, frames++) {
		n = ZSTD_findFrameCompressedSize(packed + at, bytes - at);
		ASSERT_EQ(0U, ZSTD_isError(n));
		content = ZSTD_decompress(frame, most, packed + at, n);
		ASSERT_EQ(0U, ZSTD_isError(content));
		ASSERT_GE(all, got + content);
		EXPECT_EQ(0, memcmp(words + got, frame, content));
	}
	EXPECT_EQ(all, got);
	EXPECT_EQ(4, frames);
	close(fd);
}

TEST_F(cut, pipes)
{
	int fds[2];

	tell_two_cpus_to_end(&self->s);
	ASSERT_EQ(0, pipe(fds));
	ASSERT_EQ((ssize_t)built_bytes(&self->s.b),
		  write(fds[1], self->s.b.words, built_bytes(&self->s.b)));
	close(fds[1]);
	ASSERT_EQ(0, tool_run_from(&self->t, ARGS("cut", "--to", "0.003", "-o", "-", "-"), fds[0]))
		TH_LOG("%s", self->t.err);
	close(fds[0]);
	save_file(self->out, self->t.out, self->t.out_bytes);
	ASSERT_EQ(0, gather(&self->g, self->out));
	EXPECT_EQ(4U, self->g.event_count);
	EXPECT_IN(self->g.session, "cut of standard input\n");
}

/*
 * Some threads have many slices that never end, and one has slices that end. Quadratic work would
 * take minutes here.
 */
TEST_F(cut, many_open_slices)
{
	const unsigned int open_slices = 400000, threads = 4;
	int fd = open(self->in, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct fxt_writer *w;

	ASSERT_EQ(0, fxt_writer_open(&w, fd));
	fxt_writer_magic(w);
	fxt_writer_provider(w, 3, "many");
	for (unsigned int i = 0; i < open_slices; i++) {
		write_event(w, FXT_KIND_DURATION_BEGIN, 1000 + i, 1, 2 + i % threads, "open", 0);
		write_event(w, FXT_KIND_ASYNC_BEGIN, 1000 + i, 1, 2, "async", i % 1000);
		write_event(w, FXT_KIND_DURATION_BEGIN, 1000 + i, 1, 1, "ends", 0);
		write_event(w, FXT_KIND_DURATION_END, 1000 + i, 1, 1, "ends", 0);
	}
	/* The newest slice of thread 2 ends within the part, the others last longer than it. */
	write_event(w, FXT_KIND_DURATION_END, 2000000, 1, 2, "open", 0);
	fxt_writer_close(w);
	close(fd);
	ASSERT_EQ(0, RUN(&self->t, "cut", "--from", "1.9ms", "--to", "2.1ms", "-o", self->out,
			 self->in)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, RUN(&self->t, "info", "--json", self->out));
	EXPECT_NE(NULL, strstr(self->t.out, "\"duration_begin\":{\"records\":400000")) TH_LOG("%.2000s", self->t.out);
	EXPECT_IN(self->t.out, "\"async_begin\":{\"records\":400000");
	EXPECT_IN(self->t.out, "\"duration_end\":{\"records\":1,");
}

/* The result must not contain invalid UTF-8, so the name is changed. */
TEST_F(cut, name_of_a_provider)
{
	int fd = open(self->in, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	uint64_t info[] = { fxt_provider_info(3, 5), 0 };
	struct fxt_writer *w;

	ASSERT_EQ(0, fxt_writer_open(&w, fd));
	fxt_writer_magic(w);
	memcpy(&info[1], "n\xe4m\xc3\xa4", 5);
	fxt_writer_put(w, info, sizeof(info));
	write_event(w, FXT_KIND_INSTANT, 5, 1, 1, "one", 0);
	fxt_writer_close(w);
	close(fd);
	ASSERT_EQ(0, RUN(&self->t, "cut", "-o", self->out, self->in)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	ASSERT_EQ(0, RUN(&self->t, "dump", "--type", "provider_info", self->out));
	EXPECT_IN(self->t.out, "n?m\xc3\xa4");
}

TEST_F(cut, damaged)
{
	build_free(&self->s.b);
	self->s.b.swapped = true;
	story_begin(&self->s);
	tell_two_cpus_to_end(&self->s);
	save(self);
	ASSERT_EQ(0, cut(self, "--from", "0.002", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(9U, self->g.event_count);

	save_file(self->in, self->s.b.words, built_bytes(&self->s.b) - 3 * 48 - 8);
	EXPECT_EQ(1, cut(self, "--from", "0.002", NULL, NULL));
	EXPECT_EQ(0, gather(&self->g, self->out));
	EXPECT_SOUND(self->out);
	EXPECT_EQ(8U, self->g.event_count);
}

/* A strict run ends at the first deviation, so it does not know what else the part would have. */
TEST_F(cut, strict)
{
	tell_two_cpus_to_end(&self->s);
	save_file(self->in, self->s.b.words, built_bytes(&self->s.b) - 8);
	EXPECT_EQ(1, cut(self, "--strict", NULL, NULL, NULL));
	EXPECT_IN(self->t.err, "without --strict");
	EXPECT_NOT_IN(self->t.err, "nothing of it");
	EXPECT_EQ(-1, access(self->out, F_OK));
}

TEST_F(cut, empty_range)
{
	tell_two_cpus_to_end(&self->s);
	save(self);
	EXPECT_EQ(1, cut(self, "--from", "5", NULL, NULL));
	EXPECT_IN(self->t.err, "nothing is selected");
	EXPECT_EQ(-1, access(self->out, F_OK));
}

TEST_F(cut, usage)
{
	static const char * const wrong[][2] = {
		{ "--from", "soon" }, { "--to", "1e3" }, { "--pid", "a" }, { "--cpu", "3-1" },
		{ "--what", "1" }, { "--format", "2016" },
	};

	tell_two_cpus_to_end(&self->s);
	save(self);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT_EQ(2, cut(self, wrong[i][0], wrong[i][1], NULL, NULL));
	EXPECT_EQ(2, cut(self, "--from", "2", "--to", "1"));
	EXPECT_IN(self->t.err, "before --from");
	EXPECT_EQ(-1, access(self->out, F_OK));
	EXPECT_EQ(2, RUN(&self->t, "cut", self->in));
	EXPECT_EQ(2, RUN(&self->t, "cut", "-o", self->out));
	EXPECT_EQ(2, RUN(&self->t, "cut", "-o", self->in, self->in));
	EXPECT_EQ(0, gather(&self->g, self->in));
	EXPECT_EQ(3, RUN(&self->t, "cut", "-o", self->out, "/dev/null"));
	EXPECT_EQ(4, RUN(&self->t, "cut", "-o", "/nowhere/out", self->in));
	EXPECT_EQ(4, RUN(&self->t, "cut", "-o", "/dev/full", self->in));
	EXPECT_EQ(1U, strlen(strstr(self->t.err, "\n"))) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0, RUN(&self->t, "cut", "--help"));
}

/* +TIME counts from the earliest time stamp, wherever it is in the file. */
TEST_F(cut, from_the_earliest)
{
	struct gathered *g = &self->g;

	STORY(&self->s, "names@1ms; name 11 eleven; name 21 twenty-one; "
			"1@5ms 0>21; 6ms 21>0 S; 0@2ms 0>11; 3ms 11>0 S; end 7ms");
	save(self);
	ASSERT_EQ(0, cut(self, "--from", "+0", "--to", "+1ms")) TH_LOG("%s", self->t.err);
	EXPECT_EQ(2U, g->event_count);
	EXPECT_TRUE(gathered_has(g, FXT_KIND_CONTEXT_SWITCH, 2 * MS, ""));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_CONTEXT_SWITCH, 3 * MS, ""));
	ASSERT_EQ(0, RUN(&self->t, "dump", "--from", "+0s", "--to", "+1ms", self->in));
	EXPECT_EQ(2U, lines_of(self->t.out)) TH_LOG("%s", self->t.out);
	ASSERT_EQ(0, RUN(&self->t, "report", "--json", "--from", "+1ms", "--to", "+4000us",
			 self->in));
	EXPECT_IN(self->t.out, "\"from_ns\":3000000,");
	EXPECT_IN(self->t.out, "\"to_ns\":6000000,");
}

/* Unknown records are copied into every part. */
TEST_F(cut, what_is_not_defined)
{
	struct built b = { 0 };

	build_undefined(&b);
	save_file(self->in, b.words, built_bytes(&b));
	ASSERT_EQ(0, cut(self, NULL, NULL, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.err, ": 5 records of undefined kinds");
	EXPECT_TRUE(undefined_is_whole(self->out));
}
