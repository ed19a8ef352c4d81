// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How both programs parse a command line: each wrong value or file is refused with a message that
 * names it.
 */
#include "harness.h"

#ifdef FXT_HAS_BZIP2
#include <bzlib.h>
#endif
#ifdef FXT_HAS_LZMA
#include <lzma.h>
#endif
#include <zlib.h>
#include <zstd.h>

#include "archive_copy.h"
#include "generate.h"
#include "collector.h"
#include "tool.h"

#define RECORDS	100
#define CPUS	2

#define VERBS	16	/* at most */

/* Each test has an empty directory of its own. @verbs: all commands of fxt */
FIXTURE(command_line)
{
	char dir[RECORD_PATH];
	struct tool t;
	char verbs[VERBS][16];
	size_t verb_count;
};

/* The commands that fxt offers to shells, as the first words of lines: no copy of its list. */
static void read_verbs(FIXTURE_DATA(command_line) *self)
{
	char *line, *save = NULL;

	tool_run(&self->t, ARGS("--complete", ""));
	for (line = strtok_r(self->t.out, "\n", &save); line && self->verb_count < VERBS;
	     line = strtok_r(NULL, "\n", &save)) {
		line[strcspn(line, "\t")] = '\0';
		if (strcmp(line, "help"))
			snprintf(self->verbs[self->verb_count++], 16, "%s", line);
	}
}

FIXTURE_SETUP(command_line)
{
	self->t = (struct tool){ 0 };
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	ASSERT_EQ(0, chdir(self->dir));
	self->verb_count = 0;
	read_verbs(self);
}

FIXTURE_TEARDOWN(command_line)
{
	dir_remove(self->dir);
}

#define RUN(...)	tool_run(&self->t, ARGS(__VA_ARGS__))
#define COLLECT(...)	program_run(&self->t, collector_path(), ARGS(__VA_ARGS__))
#define SAYS(text)							\
	EXPECT_NE(NULL, strstr(self->t.err, text)) TH_LOG("%s", self->t.err)

static int make_file(const char *path, const void *data, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), ret;

	if (fd < 0)
		return -errno;
	ret = data ? write(fd, data, bytes) != (ssize_t)bytes :
		     generate_sched(fd, RECORDS, CPUS);
	close(fd);
	return ret;
}

TEST_F(command_line, help)
{
	char whole[64];

	EXPECT_EQ(2, RUN(NULL));
	EXPECT_EQ(0, strncmp(self->t.out, "usage: fxt ", 11));
	EXPECT_STREQ("", self->t.err);
	EXPECT_EQ(0, RUN("help"));
	EXPECT_EQ(0, strncmp(self->t.out, "usage: fxt ", 11));
	EXPECT_LE(10U, self->verb_count);
	for (size_t i = 0; i < self->verb_count; i++) {
		EXPECT_EQ(0, RUN("help", self->verbs[i]));
		snprintf(whole, sizeof(whole), "usage: fxt %s ", self->verbs[i]);
		EXPECT_EQ(0, strncmp(self->t.out, whole, strlen(whole)));
	}
	EXPECT_EQ(2, RUN("help", "rebort"));
	SAYS("did you mean report?");
}

TEST_F(command_line, help_that_cannot_be_written)
{
	char command[2 * RECORD_PATH];

	for (size_t i = 0; i < self->verb_count; i++) {
		snprintf(command, sizeof(command), "%s %s --help 2>err >/dev/full",
			 tool_path(), self->verbs[i]);
		EXPECT_EQ(4, WEXITSTATUS(system(command))) TH_LOG("%s", command);
	}
	snprintf(command, sizeof(command), "%s --help 2>err >/dev/full", tool_path());
	EXPECT_EQ(4, WEXITSTATUS(system(command)));
	snprintf(command, sizeof(command), "%s --help 2>err >/dev/full", collector_path());
	EXPECT_NE(0, WEXITSTATUS(system(command)));
	snprintf(command, sizeof(command), "%s --help 2>err >out", tool_path());
	EXPECT_EQ(0, WEXITSTATUS(system(command)));
}

TEST_F(command_line, misspelt_verbs)
{
	static const char * const typed[][2] = {
		{ "chekc", "check" }, { "inf", "info" }, { "dmup", "dump" },
		{ "convertt", "convert" }, { "raport", "report" }, { "opne", "open" },
		{ "mrge", "merge" },
	};
	char whole[64];

	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		EXPECT_EQ(2, RUN(typed[i][0]));
		snprintf(whole, sizeof(whole), "did you mean %s?", typed[i][1]);
		SAYS(whole);
	}
	ASSERT_EQ(0, make_file("sched.fxt", NULL, 0));
	EXPECT_EQ(2, RUN("sched.fxt"));
	SAYS("fxt: sched.fxt: a file, but no command; try: fxt report sched.fxt\n");
	EXPECT_EQ(2, RUN("x"));
	EXPECT_NOT_IN(self->t.err, "did you mean");
	EXPECT_EQ(2, RUN("delete"));
	EXPECT_NOT_IN(self->t.err, "did you mean");
}

TEST_F(command_line, misspelt_options)
{
	EXPECT_EQ(2, RUN("report", "--srot", "run"));
	SAYS("--srot: unknown option (did you mean --sort?)");
	EXPECT_EQ(2, RUN("report", "--htlm=x.html"));
	SAYS("--htlm: unknown option (did you mean --html?)");
	EXPECT_EQ(2, RUN("open", "--no-browse-r"));
	SAYS("did you mean --no-browser?");
	EXPECT_EQ(2, RUN("info", "--nonsense", "x"));
	SAYS("--nonsense: unknown option; see");
	EXPECT_EQ(2, RUN("check", "-x"));
	SAYS("-x: unknown option");
	EXPECT_EQ(2, RUN("dump", "--json=yes", "x"));
	SAYS("--json=yes: takes no value");
	EXPECT_EQ(2, RUN("report", "--f", "1"));
	SAYS("--f: ambiguous option: --folded, --force, --from, --from-format, --format; see");
	EXPECT_EQ(2, RUN("dump", "x", "-o"));
	SAYS("-o: needs a value");
	EXPECT_EQ(2, COLLECT("--durtaion", "1s"));
	SAYS("--durtaion: unknown option (did you mean --duration?)");
	EXPECT_EQ(2, COLLECT("--duration"));
	SAYS("--duration: needs a value");
	EXPECT_EQ(2, COLLECT("--st", "x"));
	SAYS("--st: ambiguous option: --start-at, --stacks, --stacks-min, --stats-json; see");
}

/* The word that was meant is named; if none is similar, all are. */
TEST_F(command_line, misspelt_values)
{
	EXPECT_EQ(2, RUN("convert", "--to", "perfeto", "x"));
	SAYS("convert: perfeto: unknown format (did you mean perfetto?)");
	EXPECT_EQ(2, RUN("convert", "--to", "nonsense", "x"));
	SAYS("unknown format; use json, ftrace, perfetto, csv, parquet, sqlite, firefox, fxt");
	EXPECT_EQ(2, RUN("convert", "--to", "fxt", "--from", "jsn", "x"));
	SAYS("unknown format (did you mean json?)");
	EXPECT_EQ(2, RUN("report", "--sort", "wiat", "x"));
	SAYS("unknown key (did you mean wait?)");
	EXPECT_EQ(2, RUN("check", "--only", "format,shced", "x"));
	SAYS("unknown class (did you mean sched?)");
	EXPECT_EQ(2, RUN("dump", "--type", "event,context_swich", "x"));
	SAYS("unknown kind (did you mean context_switch?)");
	EXPECT_EQ(2, RUN("dump", "--format", "2016", "x"));
	SAYS("did you mean 2017?");
	EXPECT_EQ(2, COLLECT("--source", "kmdo"));
	SAYS("--source kmdo: unknown source (did you mean kmod?)");
	EXPECT_EQ(2, COLLECT("-c", "sundial"));
	SAYS("--clock sundial: unknown clock; use boot, mono, tsc");
	EXPECT_EQ(2, COLLECT("-e", "irq,syscal"));
	SAYS("--events irq,syscal: unknown group syscal (did you mean syscall?)");
	EXPECT_EQ(2, COLLECT("--stacks", "offcup"));
	SAYS("--stacks offcup: unknown kind (did you mean offcpu?)");
	EXPECT_EQ(2, COLLECT("--without", "host,counter"));
	SAYS("did you mean counters?");
	EXPECT_EQ(2, COLLECT("-z", "zst"));
	SAYS("did you mean zstd?");
}

static bool is_offered(const char *out, const char *word)
{
	size_t length = strlen(word);

	for (; out && *out; out = strchr(out, '\n') ? strchr(out, '\n') + 1 : NULL)
		if (!strncmp(out, word, length) && (out[length] == '\t' || out[length] == '\n'))
			return true;
	return false;
}

#define OFFERS(word)	EXPECT_TRUE(is_offered(self->t.out, word)) TH_LOG("%s", self->t.out)

TEST_F(command_line, completion)
{
	RUN("--complete", "re");
	OFFERS("report");
	OFFERS("receive");
	EXPECT_FALSE(is_offered(self->t.out, "check"));
	RUN("--complete", "help", "ch");
	OFFERS("check");
	RUN("--complete", "--no-pager", "dump", "--js");
	OFFERS("--json");
	RUN("--complete", "convert", "--to", "s");
	EXPECT_STREQ("sqlite\tthe same tables as one database\n", self->t.out);
	RUN("--complete", "convert", "--to=s");
	OFFERS("--to=sqlite");
	/* An unambiguous beginning is an option as well. */
	RUN("--complete", "report", "--sor", "mig");
	OFFERS("migrations");
	RUN("--complete", "dump", "--type", "event,thread_");
	OFFERS("event,thread_wakeup");
	RUN("--complete", "report", "--json", "");
	OFFERS(":archives");
	RUN("--complete", "receive", "-o", "");
	OFFERS(":directories");
	RUN("--complete", "receive", "x", "");
	EXPECT_STREQ("", self->t.out);
	RUN("--complete", "report", "--", "--js");
	EXPECT_FALSE(is_offered(self->t.out, "--json"));
	RUN("--complete", "nonsense", "");
	EXPECT_STREQ("", self->t.out);
}

TEST_F(command_line, completion_of_the_collector)
{
	COLLECT("--complete", "-e", "irq,th");
	OFFERS("irq,throttle");
	COLLECT("--complete", "-ct");
	OFFERS("-ctsc");
	COLLECT("--complete", "-Fc", "t");
	OFFERS("tsc");
	COLLECT("--complete", "--trigger", "");
	OFFERS("latency>");
	OFFERS("runnable>");
	COLLECT("--complete", "-o", "tl");
	OFFERS("tls://");
	OFFERS(":files");
	/* Words after the name of COMMAND belong to COMMAND. */
	COLLECT("--complete", "-d", "1", "--", "ls", "--s");
	EXPECT_STREQ(":command 3\n", self->t.out);
	COLLECT("--complete", "-F", "ls", "--s");
	EXPECT_STREQ(":command 1\n", self->t.out);
	COLLECT("--complete", "-F", "--s");
	OFFERS("--source");
}

TEST_F(command_line, usual_archive)
{
	EXPECT_EQ(3, RUN("report"));
	SAYS("cannot read sched.fxt: No such file or directory; name an archive");
	EXPECT_EQ(3, RUN("open", "--no-browser"));
	SAYS("cannot read sched.fxt: No such file or directory; name an archive");
	ASSERT_EQ(0, make_file("sched.fxt", NULL, 0));
	EXPECT_EQ(0, RUN("report")) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0, strncmp(self->t.out, "sched.fxt\n", 10));
	EXPECT_EQ(0, RUN("info")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "sched.fxt");
	EXPECT_EQ(0, RUN("check", "--only", "format")) TH_LOG("%s", self->t.out);
	EXPECT_IN(self->t.out, "sched.fxt");
	EXPECT_EQ(2, RUN("dump"));
	SAYS("no archive given");
	EXPECT_EQ(2, RUN("report", "a.fxt", "b.fxt"));
	SAYS("b.fxt: unexpected argument: only one archive is allowed");
}

/* All options of both programs that take a time or a size accept the same values. */
static const char * const times[] = {
	"10", "0.1", "1.5s", "150ms", "0.25ms", "20us", "700ns", "2m", "0.5h"
};
static const char * const no_times[] = {
	"", "s", "10x", "1.5.2", "1,5", "-1", "1e3", "0x10", "10 s", "1K",
	"99999999999999999999"
};
static const char * const sizes[] = { "1000000", "512K", "512k", "4M", "1.5M", "0.5G" };
static const char * const no_sizes[] = {
	"", "K", "4X", "4MB", "1.5.2M", "-4M", "1s", "99999999999999T"
};

#define COUNT(list)	(sizeof(list) / sizeof((list)[0]))

/*
 * Return: the first value of a list that an option wrongly refuses or accepts; "" if there is none.
 * After a valid value, the program reports that the next option is unknown.
 * @verb: NULL for fxt-collect
 */
static const char *first_wrong(FIXTURE_DATA(command_line) *self, const char *verb,
			       const char *option, const char *prefix,
			       const char * const *list, size_t count, bool is_right)
{
	char text[64];

	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%s%s", prefix, list[i]);
		if (verb)
			RUN(verb, option, text, "--no-such-option");
		else
			COLLECT(option, text, "--no-such-option");
		if (self->t.status != 2 ||
		    !strstr(self->t.err, "--no-such-option: unknown option") == is_right)
			return list[i];
	}
	return "";
}

#define EXPECT_TAKES(verb, option, prefix, right, wrong)				\
	do {										\
		EXPECT_STREQ("", first_wrong(self, verb, option, prefix, right,		\
					     COUNT(right), true));			\
		EXPECT_STREQ("", first_wrong(self, verb, option, prefix, wrong,		\
					     COUNT(wrong), false));			\
	} while (0)

TEST_F(command_line, times_of_the_collector)
{
	EXPECT_TAKES(NULL, "-d", "", times, no_times);
	EXPECT_TAKES(NULL, "--duration", "", times, no_times);
	EXPECT_TAKES(NULL, "--after", "", times, no_times);
	EXPECT_TAKES(NULL, "--rotate", "time=", times, no_times);
	EXPECT_TAKES(NULL, "--rotate", "size=1M,time=", times, no_times);
	/* This time needs a unit, because a number of seconds is hardly what was meant. */
	EXPECT_STREQ("", first_wrong(self, NULL, "--trigger", "latency>", times, 2, false));
	EXPECT_STREQ("", first_wrong(self, NULL, "--trigger", "latency>", times + 2,
				     COUNT(times) - 2, true));
	EXPECT_STREQ("", first_wrong(self, NULL, "--trigger", "latency>", no_times,
				     COUNT(no_times), false));
}

TEST_F(command_line, threads_of_a_trigger)
{
	static const char * const right[] = { "1", "8", "4294967295" };
	static const char * const wrong[] = { "", "0", "-1", "8x", "5ms", "4294967296" };

	EXPECT_TAKES(NULL, "--trigger", "runnable>", right, wrong);
	EXPECT_TAKES(NULL, "--trigger", "irq>1ms:runnable>", right, wrong);
}

TEST_F(command_line, times_of_the_tool)
{
	EXPECT_TAKES("dump", "--from", "", times, no_times);
	EXPECT_TAKES("dump", "--to", "+", times, no_times);
	EXPECT_TAKES("report", "--from", "+", times, no_times);
	EXPECT_TAKES("report", "--to", "", times, no_times);
	EXPECT_TAKES("cut", "--from", "+", times, no_times);
	EXPECT_TAKES("cut", "--to", "", times, no_times);
	/* A time without + is one of the clock, whatever was meant. */
	ASSERT_EQ(0, make_file("sched.fxt", NULL, 0));
	EXPECT_EQ(0, RUN("report", "--from", "1ns", "sched.fxt"));
	SAYS(" before the first event, so it excludes nothing; --from +TIME counts from the first event\n");
	EXPECT_EQ(1, RUN("report", "--to", "1ns", "sched.fxt"));
	SAYS("; +TIME counts from its first time\n");
}

/* The copy of a compressed archive ends within its first block. */
TEST_F(command_line, truncated_before_the_first_record)
{
	static const unsigned char begin[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0, 0, 1, 0x10 };

	ASSERT_EQ(0, make_file("begin.fxt.zst", begin, sizeof(begin)));
	EXPECT_EQ(3, RUN("report", "begin.fxt.zst"));
	SAYS("magic number record: the compressed data are damaged, or end, before it\n");
}

#define PACKED_ROOM	(1U << 20)

static const char *const packers[] = { "gzip", "zlib", "zstd", "xz", "bzip2" };

static size_t pack_deflate(const struct memory *m, unsigned char *to, int window)
{
	z_stream z = { .next_in = m->data, .avail_in = m->bytes, .next_out = to, .avail_out = PACKED_ROOM };

	if (deflateInit2(&z, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
	    deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	deflateEnd(&z);
	return z.total_out;
}

static size_t pack_zstd(const struct memory *m, unsigned char *to)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t n;

	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compress2(c, to, PACKED_ROOM, m->data, m->bytes);
	ZSTD_freeCCtx(c);
	return ZSTD_isError(n) ? 0 : n;
}

/* Return: 0 without the library of packers[@i]. */
static size_t pack_as(unsigned int i, const struct memory *m, unsigned char *to)
{
	size_t bytes = 0;

	if (i < 2)
		return pack_deflate(m, to, i ? 15 : 15 + 16);
	if (i == 2)
		return pack_zstd(m, to);
#ifdef FXT_HAS_LZMA
	if (i == 3 && lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, m->data, m->bytes, to, &bytes,
					      PACKED_ROOM) != LZMA_OK)
		abort();
#endif
#ifdef FXT_HAS_BZIP2
	unsigned int n = PACKED_ROOM;

	if (i == 4 && BZ2_bzBuffToBuffCompress((char *)to, &n, m->data, m->bytes, 9, 0, 0) != BZ_OK)
		abort();
	bytes = i == 4 ? n : bytes;
#endif
	return bytes;
}

/*
 * Even if no record is malformed. What precedes a checksum that does not match may mean anything.
 */
TEST_F(command_line, damaged_compression)
{
	unsigned char *packed = malloc(PACKED_ROOM);
	unsigned int i, place;
	struct memory m;
	size_t bytes, at;
	int status;

	ASSERT_EQ(0, memory_open(&m) || generate_sched(m.fd, 2000, 2) || memory_map(&m));
	for (i = 0; i < ARRAY_SIZE(packers); i++) {
		bytes = pack_as(i, &m, packed);
		for (place = 1; bytes && place <= 8; place++) {
			at = bytes * place / 9;
			packed[at] ^= 0x10;
			ASSERT_EQ(0, make_file("damaged", packed, bytes));
			packed[at] ^= 0x10;
			status = RUN("info", "damaged");
			EXPECT_TRUE(status == 1 || status == 3) TH_LOG("status %d", status);
			EXPECT_NE(NULL, strstr(self->t.err, "data are damaged"))
				TH_LOG("%s, byte %zu: %s", packers[i], at, self->t.err);
		}
	}
	free(packed);
}

TEST_F(command_line, patterns)
{
	static const char * const right[] = { "nginx*", "012345678901234", "[a-z]*[0-9][0-9]" };
	static const char * const wrong[] = {
		"[", "0123456789012345", "nginx: worker process", "nginx: worker process*"
	};

	EXPECT_TAKES(NULL, "--comm", "", right, wrong);
	EXPECT_TAKES(NULL, "--trigger", "latency>1ms:comm=", right, wrong);
	EXPECT_TAKES("dump", "--comm", "", right, wrong);
	EXPECT_TAKES("report", "--comm", "", right, wrong);
}

TEST_F(command_line, limits_backwards)
{
	static const char * const limits[][2] = { { "5", "2" }, { "+2", "+1.5s" }, { "1s", "1ms" } };

	ASSERT_EQ(0, make_file("a.fxt", NULL, 0));
	for (size_t i = 0; i < COUNT(limits); i++) {
		EXPECT_EQ(2, RUN("dump", "--from", limits[i][0], "--to", limits[i][1], "a.fxt"));
		SAYS("dump: --to: is before --from");
		EXPECT_EQ(2, RUN("report", "--to", limits[i][1], "--from", limits[i][0], "a.fxt"));
		SAYS("report: --to: is before --from");
		EXPECT_EQ(2, RUN("cut", "-o", "out.fxt", "--from", limits[i][0], "--to",
				 limits[i][1], "a.fxt"));
		SAYS("cut: --to: is before --from");
	}
	/* That this range is empty is known once the archive is open. */
	EXPECT_EQ(2, RUN("dump", "--from", "+1h", "--to", "0.000000001", "a.fxt"));
	SAYS("dump: --to: is before --from");
	EXPECT_EQ(2, RUN("report", "--from", "+1h", "--to", "0.000000001", "a.fxt"));
	SAYS("report: --to: is before --from");
	EXPECT_EQ(0, RUN("report", "--from", "+0", "--to", "+1s", "a.fxt")) TH_LOG("%s", self->t.err);
}

TEST_F(command_line, nobody)
{
	ASSERT_EQ(0, make_file("a.fxt", NULL, 0));
	EXPECT_EQ(1, RUN("report", "--comm", "nosuch", "a.fxt"));
	SAYS("fxt: a.fxt: no thread named nosuch was active");
	EXPECT_EQ(1, RUN("report", "--json", "--pid", "4194303", "a.fxt"));
	SAYS("fxt: a.fxt: no thread of process 4194303 was active");
	EXPECT_EQ(1, RUN("report", "--html", "a.html", "--pid", "4194303", "--comm", "n*", "a.fxt"));
	SAYS("fxt: a.fxt: no thread of process 4194303 named n* was active");
	EXPECT_EQ(0, RUN("report", "-q", "a.fxt"));
	EXPECT_STREQ("", self->t.err);
	EXPECT_EQ(1, RUN("dump", "--comm", "nosuch", "a.fxt"));
	SAYS("fxt: a.fxt: no record of that thread");
	EXPECT_EQ(1, RUN("dump", "--tid", "4194303", "a.fxt"));
	SAYS("fxt: a.fxt: no record of that thread");
	EXPECT_EQ(1, RUN("dump", "--pid", "4194303", "a.fxt"));
	SAYS("fxt: a.fxt: no record of that process");
	EXPECT_EQ(0, RUN("dump", "--comm", "*", "a.fxt"));
	EXPECT_STREQ("", self->t.err);
}

TEST_F(command_line, sizes)
{
	EXPECT_TAKES(NULL, "-b", "", sizes, no_sizes);
	EXPECT_TAKES(NULL, "--buffer", "", sizes, no_sizes);
	EXPECT_TAKES(NULL, "--max-size", "", sizes, no_sizes);
	EXPECT_TAKES(NULL, "--rotate", "size=", sizes, no_sizes);
	EXPECT_TAKES(NULL, "--rotate", "time=1m,size=", sizes, no_sizes);
}

/* Offsets are checked when the archives are known. */
TEST_F(command_line, offsets)
{
	char text[64];

	ASSERT_EQ(0, make_file("a.fxt", NULL, 0));
	for (size_t i = 0; i < COUNT(times); i++) {
		snprintf(text, sizeof(text), "a.fxt=+%s", times[i]);
		EXPECT_EQ(0, RUN("merge", "-o", "/dev/null", "--offset", text, "a.fxt"))
			TH_LOG("%s: %s", text, self->t.err);
	}
	for (size_t i = 0; i < COUNT(no_times); i++) {
		snprintf(text, sizeof(text), "a.fxt=+%s", no_times[i]);
		EXPECT_EQ(2, RUN("merge", "-o", "/dev/null", "--offset", text, "a.fxt"))
			TH_LOG("%s: %s", text, self->t.err);
	}
}

TEST_F(command_line, files_of_others)
{
#define FILE_OF(bytes, what)	{ bytes, sizeof(bytes) - 1, what }
	static const struct {
		const char *data;
		size_t bytes;
		const char *what;
	} files[] = {
		FILE_OF("\x0a\x04\x50\x01\x58\x02\x0a\x02\x50\x01", "this trace of Perfetto has no events"),
		FILE_OF("{\"traceEvents\" 1}", "a colon is missing"),
		FILE_OF("# tracer: nop\n#\nx\n", "no line is in the format of ftrace's text"),
		FILE_OF("\n# no trace of anybody\n", "so this is not an FXT archive"),
		FILE_OF("{\x01\x02\x03\x04\x05\x06\x07", "so this is not an FXT archive"),
		FILE_OF("[", "fewer than 8 bytes"),
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		ASSERT_EQ(0, make_file("file", files[i].data, files[i].bytes));
		EXPECT_EQ(3, RUN("report", "file"));
		SAYS(files[i].what);
		EXPECT_NOT_IN(self->t.err, "0x32454c4946524550");
	}
}

/* fxt receive is a program of its own, in the folder of fxt or in $PATH. */
TEST_F(command_line, receiver)
{
	char copy[2 * RECORD_PATH], receiver[RECORD_PATH];

	snprintf(copy, sizeof(copy), "cp '%s' fxt", tool_path());
	ASSERT_EQ(0, system(copy));
	setenv("PATH", "bin", true);
	EXPECT_EQ(3, program_run(&self->t, "./fxt", ARGS("receive", "--help")));
	SAYS("fxt: receive: cannot run fxt-receive: No such file or directory; install it ");
	tool_free(&self->t);
	EXPECT_EQ(0, program_run(&self->t, "./fxt", ARGS("report", "--help")));
	tool_free(&self->t);
	built_path(receiver, sizeof(receiver), "fxt-receive");
	ASSERT_EQ(0, mkdir("bin", 0700));
	ASSERT_EQ(0, symlink(receiver, "bin/fxt-receive"));
	EXPECT_EQ(0, program_run(&self->t, "./fxt", ARGS("receive", "--help")));
	tool_free(&self->t);
	ASSERT_EQ(0, rename("bin/fxt-receive", "fxt-receive"));
	EXPECT_EQ(0, program_run(&self->t, "./fxt", ARGS("help", "receive")));
}
