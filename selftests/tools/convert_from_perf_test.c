// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * convert_from_perf_test.c - trace.dat of trace-cmd and perf.data, read by any command of fxt.
 *
 * In:  small files of both programs, and the texts that the programs show of them.
 * Must hold: file and text become the same switches and wakeups; a damaged file is an error,
 *      never a crash.
 */
#include <signal.h>
#include <sys/resource.h>

#include "convert_run.h"

#define MAX_FILE	(1U << 20)

/* Formats that this fxt was built without are skipped. */
#define NEEDS(format) do {								\
	static const char * const args[] = { "convert", "--to=fxt", "--from=" format, "/dev/null", NULL }; \
	struct tool asked;								\
	int status = tool_run(&asked, args);						\
	tool_free(&asked);								\
	if (status == EXIT_USAGE)							\
		SKIP(return, "fxt was built without the library for " format);		\
} while (0)

static int run_on(struct tool *t, const char *verb, const char *option, const char *vector)
{
	const char * const args[] = { verb, option, vector, NULL };

	return tool_run(t, args);
}

/*
 * Lines of a dump without the offset of the record, and without names: the text lacks some of
 * the events that give a thread its name.
 */
static char *plain(const char *dump)
{
	char *all = malloc(strlen(dump) + 1), *to = all;
	const char *at = dump;

	while (all && *at) {
		if (at == dump || at[-1] == '\n')
			at += strcspn(at, " ");
		if (!strncmp(at, "_name=\"", 7))
			at = strchr(at + 7, '"') + 1;
		if (!strncmp(at, ":\"", 2))
			at = strchr(at + 2, '"') + 1;
		*to++ = *at++;
	}
	if (all)
		*to = '\0';
	return all;
}

static void expect_same(struct __test_metadata *_metadata, const char *kinds, const char *file,
			const char *text)
{
	char path[4096];
	struct tool of_file, of_text;
	char *a, *b;

	EXPECT_EQ(0, run_on(&of_file, "dump", kinds, built_path(path, sizeof(path), file)))
		TH_LOG("%s", of_file.err);
	EXPECT_EQ(0, run_on(&of_text, "dump", kinds, built_path(path, sizeof(path), text)))
		TH_LOG("%s", of_text.err);
	EXPECT_LT(1000UL, of_file.out_bytes);
	a = plain(of_file.out);
	b = plain(of_text.out);
	ASSERT_NE(NULL, a);
	ASSERT_NE(NULL, b);
	EXPECT_STREQ(a, b);
	free(a);
	free(b);
	tool_free(&of_file);
	tool_free(&of_text);
}

TEST(trace_dat_as_trace_cmd_shows_it)
{
	NEEDS("trace.dat");
	expect_same(_metadata, "--type=context_switch,thread_wakeup,duration_complete",
		    "vectors/trace.dat.gz", "vectors/trace-cmd.txt");
}

/* The library reads it from a file of its own. */
TEST(no_room_to_unpack_trace_dat)
{
	const struct rlimit little = { 8192, 8192 };
	char path[4096];
	struct tool t;

	NEEDS("trace.dat");
	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &little));
	EXPECT_EQ(3, run_on(&t, "report", "--json",
			    built_path(path, sizeof(path), "vectors/trace.dat.gz")));
	EXPECT_NE(NULL, strstr(t.err, "trace.dat.gz to a temporary file: File too large; check the free space in /tmp\n"))
		TH_LOG("%s", t.err);
	tool_free(&t);
}

/* The text does not show which wakeups are of interrupts. */
TEST(perf_data_as_perf_shows_it)
{
	NEEDS("perf.data");
	expect_same(_metadata, "--type=context_switch", "vectors/perf.data.gz",
		    "vectors/perf-script.txt");
}

TEST(wakers_and_processes_of_perf)
{
	char path[4096];
	struct tool t;

	NEEDS("perf.data");
	ASSERT_EQ(0, run_on(&t, "dump", "--strict", built_path(path, sizeof(path),
							      "vectors/perf.data.gz")));
	EXPECT_NE(NULL, strstr(t.out, "irq=\"hard\""));
	EXPECT_NE(NULL, strstr(t.out, "irq=\"soft\""));
	EXPECT_NE(NULL, strstr(t.out, "waker="));
	EXPECT_NE(NULL, strstr(t.out, "name=\"sh\" { process="));
	EXPECT_NE(NULL, strstr(t.out, " exec="));
	EXPECT_NE(NULL, strstr(t.out, " fork="));
	tool_free(&t);
}

TEST(every_command)
{
	static const char * const verbs[] = { "info", "dump", "report" };
	static const char * const files[] = {
		"vectors/trace.dat.gz", "vectors/perf.data.gz", "vectors/perf-pipe.data.gz",
	};
	char path[4096];
	struct tool t;
	size_t i, k;

	NEEDS("trace.dat");
	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		for (k = 0; k < sizeof(files) / sizeof(files[0]); k++) {
			EXPECT_EQ(0, run_on(&t, verbs[i], "--strict",
					    built_path(path, sizeof(path), files[k])))
				TH_LOG("%s %s: %s", verbs[i], files[k], t.err);
			EXPECT_LT(100UL, t.out_bytes);
			tool_free(&t);
		}
	}
}

/* The file, unpacked. Return: its length, 0 on errors. */
static size_t unpack(const char *vector, char *to)
{
	char path[4096], command[5000];
	size_t bytes;
	FILE *f;

	snprintf(command, sizeof(command), "gzip -dc %s", built_path(path, sizeof(path), vector));
	f = popen(command, "r");
	bytes = f ? fread(to, 1, MAX_FILE, f) : 0;
	return f && !pclose(f) ? bytes : 0;
}

static int status_of(const char *data, size_t bytes, struct tool *t)
{
	struct memory m;
	int ret;

	if (memory_open(&m) || write(m.fd, data, bytes) != (ssize_t)bytes || memory_map(&m))
		return -1;
	ret = convert(t, "fxt", "-q", &m);
	memory_close(&m);
	return ret;
}

/* Cut off anywhere: what is there is read, or an error says why not. */
static void cut_everywhere(struct __test_metadata *_metadata, const char *vector)
{
	char *data = malloc(MAX_FILE);
	size_t bytes = data ? unpack(vector, data) : 0, at;
	struct tool t;
	int status;

	ASSERT_LT(1000UL, bytes);
	for (at = 24; at < bytes; at += bytes / 40 + 1) {
		status = status_of(data, at, &t);
		EXPECT_LE(0, status);
		EXPECT_GE(EXIT_UNREADABLE, status) TH_LOG("%zu bytes: %s", at, t.err);
		EXPECT_TRUE(!status || t.err[0]) TH_LOG("%zu bytes", at);
		tool_free(&t);
	}
	/* Without its samples, or with a part of them. */
	EXPECT_NE(0, status_of(data, 64, &t));
	tool_free(&t);
	free(data);
}

TEST(cut_files)
{
	NEEDS("trace.dat");
	cut_everywhere(_metadata, "vectors/trace.dat.gz");
	cut_everywhere(_metadata, "vectors/perf.data.gz");
	cut_everywhere(_metadata, "vectors/perf-pipe.data.gz");
}

TEST(bad_files)
{
	static const struct {
		const char *data;
		size_t bytes;
		const char *message;
	} bad[] = {
#define FILE_OF(bytes, message)	{ bytes, sizeof(bytes) - 1, message }
		FILE_OF("PERFILE2\x68\0\0\0\0\0\0\0", "byte 0: the header is truncated"),
		FILE_OF("2ELIFREP\0\0\0\0\0\0\0\x68", "another byte order"),
		FILE_OF("PERFILE2\x10\0\0\0\0\0\0\0\x51\0\0\0\0\0\x08\0", "byte 24: it is compressed by perf record -z"),
		FILE_OF("PERFILE2\x10\0\0\0\0\0\0\0\x09\0\0\0\0\0\x07\0", "byte 16: a record is truncated"),
		FILE_OF("\x17\x08\x44tracing6\0", "libtracecmd cannot open it"),
	};
	struct tool t;
	size_t i;

	NEEDS("trace.dat");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		EXPECT_EQ(EXIT_UNREADABLE, status_of(bad[i].data, bad[i].bytes, &t));
		EXPECT_NE(NULL, strstr(t.err, bad[i].message)) TH_LOG("%zu: %s", i, t.err);
		tool_free(&t);
	}
}

TEST_HARNESS_MAIN
