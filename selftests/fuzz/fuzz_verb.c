// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_verb.c - libFuzzer targets: a whole command of fxt, on arbitrary input.
 * In:  an archive, whose last byte selects the options. FUZZ_VERB names the command, FUZZ_TO and
 *      FUZZ_FROM the formats of convert.
 * Must hold: no sanitizer reports anything, the command ends with one of the exit codes that it
 *      documents, and a strict reader accepts an archive that the command has written completely
 *      (FUZZ_ARCHIVE: it writes one). All other output is discarded.
 *
 * fxt calls readers of traces in another process, and libtraceevent and libtracecmd crash on damaged
 * files. If sanitizers report an error of fxt's own code there, the fuzzer ends. It does not see
 * which code runs there, so readers without these libraries run in this process (FUZZ_IN_PROCESS).
 */
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <sanitizer/common_interface_defs.h>

#include "libfxt/fxt_reader.h"
#include "fxt/command/command_line.h"
#include "fxt/walk/format.h"

#define MAX_ARGS	16
#define MAX_FRAMES	32
#define EXIT_LIBRARY	77	/* no exit status of fxt */

static char output[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* An archive as a file that exists in memory only. */
struct memory_file {
	int fd;
	char path[32];
};

static struct memory_file input;
#if defined(FUZZ_MERGE) || defined(FUZZ_DIFF)
#define FUZZ_TWO		/* inputs */
static struct memory_file other;
#endif
#ifdef FUZZ_MERGE
static char offset[64];
#endif

static void fill(struct memory_file *f, const uint8_t *data, size_t bytes)
{
	if (!f->fd) {
		f->fd = memfd_create("archive", 0);
		assert(f->fd > 0);
		snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
	}
	assert(!ftruncate(f->fd, 0) && pwrite(f->fd, data, bytes, 0) == (ssize_t)bytes);
}

#ifdef FUZZ_TWO
/*
 * The second input begins at the second magic number, because a fuzzer joins inputs that were
 * separate. An archive without a second one is joined with itself.
 */
static void give_inputs(const uint8_t *data, size_t bytes)
{
	const uint8_t *second = bytes > 16 ? memmem(data + 8, bytes - 8, data, 8) : NULL;

	fill(&input, data, second ? (size_t)(second - data) : bytes);
	if (second)
		fill(&other, second, data + bytes - second);
	else
		fill(&other, data, bytes);
}
#else
static void give_inputs(const uint8_t *data, size_t bytes)
{
	fill(&input, data, bytes);
}
#endif

#if defined(FUZZ_MERGE)
static int options_of_merge(char **argv, unsigned int how)
{
	int n = 0;

	argv[n++] = "-o";
	argv[n++] = output;
	if (how & 12) {
		snprintf(offset, sizeof(offset), "--offset=%s=%s", other.path,
			 how & 4 ? "+1ms" : "-1us");
		argv[n++] = offset;
	}
	argv[n++] = how & 16 ? input.path : other.path;
	argv[n++] = how & 16 ? other.path : input.path;
	return n;
}
#endif

/* Options of the commands that answer questions. */
#if defined(FUZZ_DIFF) || defined(FUZZ_ASSERT) || defined(FUZZ_WHY) || defined(FUZZ_BLAME)
#define FUZZ_ANSWER
static int options_of_answer(char **argv, unsigned int how)
{
	int n = 0;

	if (how & 4)
		argv[n++] = "--json";
#if defined(FUZZ_DIFF)
	if (how & 8)
		argv[n++] = "--per=switches-of:*";
	argv[n++] = other.path;
#elif defined(FUZZ_ASSERT)
	if (how & 8)
		argv[n++] = "--assume-complete";
	argv[n++] = "--expression=max(wait) < 1ns or p99(wakeup, comm=*, cpu=0-1) == 0 or rate(migrations) < 1";
	argv[n++] = "--expression=share(run, cgroup=/) < 1% and max(sleep, pid=1,2) == 0 and mean(wait) < 1s";
#elif defined(FUZZ_WHY)
	if (how & 8)
		argv[n++] = how & 16 ? "--program=*" : "--thread=*";
	else if (how & 16)
		argv[n++] = "--worst=20";
#elif defined(FUZZ_BLAME)
	argv[n++] = how & 8 ? "--by=thread" : how & 16 ? "--by=process" : "--by=cgroup";
#endif
	return n;
}
#endif

/* @how: bits that turn options on, different for each command. */
static int options_of(char **argv, unsigned int how)
{
	int n = 0;

	if (how & 1)
		argv[n++] = "--strict";
	if (how & 2)
		argv[n++] = "--format=2017";
#if defined(FUZZ_TO)
	argv[n++] = "--to";
	argv[n++] = FUZZ_TO;
	argv[n++] = "-o";
	argv[n++] = output;
#if defined(FUZZ_FROM)
	argv[n++] = "--from-format";
	argv[n++] = FUZZ_FROM;
	argv[n++] = how & 8 ? "--ticks-per-second=3" : "--ticks-per-second=2600000000";
#endif
	if (how & 4 && FUZZ_TO[0] == 'j')
		argv[n++] = "--with-ftrace";
#elif defined(FUZZ_CHECK)
	if (how & 4)
		argv[n++] = "--json";
	if (how & 8)
		argv[n++] = "--all";
#elif defined(FUZZ_DUMP)
	if (how & 4)
		argv[n++] = "--json";
	if (how & 8) {
		argv[n++] = "--from=+0.001";
		argv[n++] = "--cpu=0-3";
	}
	if (how & 16)
		argv[n++] = "--pid=1,2,3";
#elif defined(FUZZ_CUT)
	argv[n++] = "-o";
	argv[n++] = output;
	if (how & 4) {
		argv[n++] = "--from=+0.001";
		argv[n++] = "--to=+0.01";
	}
	if (how & 8)
		argv[n++] = "--cpu=0-1";
	if (how & 16)
		argv[n++] = "--pid=1,2,3";
#elif defined(FUZZ_SYMBOLIZE)
	argv[n++] = "-o";
	argv[n++] = output;
#elif defined(FUZZ_MERGE)
	return n + options_of_merge(argv + n, how);
#elif defined(FUZZ_INFO)
	if (how & 4)
		argv[n++] = "--json";
#elif defined(FUZZ_ANSWER)
	n += options_of_answer(argv + n, how);
#endif
	argv[n++] = input.path;
	return n;
}

#ifdef FUZZ_ARCHIVE
/* Read every record and its whole content. */
static void judge_output(void)
{
	const struct fxt_reader_options options = { .strict = true };
	static struct fxt_content content;
	struct fxt_record rec;
	struct fxt_bytes piece;
	struct fxt_reader *r;
	int ret, taken;

	assert(!fxt_reader_open(&r, output, &options));
	while ((ret = fxt_reader_next(r, &rec)) > 0) {
		taken = fxt_reader_content(r, &rec, &content);
		assert(!taken || taken == -ENOTSUP);
		while (!taken && (ret = fxt_reader_payload(r, &piece)) > 0)
			;
		assert(ret >= 0);
	}
	if (ret)
		fprintf(stderr, "%s\n", fxt_reader_error(r));
	assert(!ret);
	fxt_reader_close(r);
}
#else
static void judge_output(void)
{
}
#endif

static pid_t fuzzer;

static void end_fuzzer(void)
{
	if (fuzzer && getpid() != fuzzer)
		kill(fuzzer, SIGABRT);
}

/*
 * The sanitizers call these before they end a process. The innermost frame that is not the
 * sanitizer's own, as its malloc(), is at fault.
 */
void __asan_on_error(void)
{
	void *frames[MAX_FRAMES];
	int i, n = backtrace(frames, MAX_FRAMES);
	Dl_info ours, its;
	char source[256];

	dladdr((void *)end_fuzzer, &ours);
	/* Skip the first frame: this function is part of the test. */
	for (i = 1; i < n && dladdr(frames[i], &its) && its.dli_fbase == ours.dli_fbase; i++) {
		__sanitizer_symbolize_pc(frames[i], "%s", source, sizeof(source));
		if (strstr(source, "collector/")) {
			end_fuzzer();
			return;
		}
	}
	/*
	 * A fault of a library is no finding, so end without the message and the copy of the input.
	 */
	if (fuzzer && getpid() != fuzzer)
		_exit(EXIT_LIBRARY);
}

void __ubsan_on_report(void)
{
	end_fuzzer();
}

#ifdef FUZZ_IN_PROCESS
/*
 * The linker puts it in the place of import_run(). It converts no UTF-16, and readers that seek get
 * compressed input as it is, so neither is fuzzed here.
 */
int __wrap_import_run(const struct import_reader *reader, const char *name, int from, bool wide,
		      bool strict, int to)
{
	(void)wide;
	return reader->read(name, from, strict, to);
}
#endif

/*
 * The beginning and the end of the counters of how often each edge of the program was taken. If C
 * declared the symbols, the compiler could not use them itself.
 */
__asm__(".pushsection .data\n"
	".balign 8\n"
	"counters: .quad __start___sancov_cntrs, __stop___sancov_cntrs\n"
	".popsection");
extern uintptr_t counters[2];

/*
 * Share the counters with processes that the command starts, so that the fuzzer sees which input
 * reaches new code there. The pages at both ends also have other data.
 */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	uintptr_t page = sysconf(_SC_PAGESIZE);
	uintptr_t first = (counters[0] + page - 1) & -page;
	uintptr_t end = counters[1] & -page;

	(void)argc;
	(void)argv;
	assert(first >= end ||
	       mmap((void *)first, end - first, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *argv[MAX_ARGS] = { "verb" };
	int status;

	fuzzer = getpid();
	formats = all_formats;
	give_inputs(data, bytes);
	snprintf(output, sizeof(output), "/dev/shm/fxt-fuzz-%d", (int)getpid());
	optind = 0;
	status = command_line_run(&FUZZ_VERB,
				  1 + options_of(argv + 1, bytes ? data[bytes - 1] : 0), argv);
#ifdef FUZZ_ASSERT
	assert(status >= VERB_DONE && status <= VERB_UNKNOWN);
#else
	assert(status >= VERB_DONE && status <= VERB_UNREADABLE);
#endif
#ifdef FUZZ_MERGE
	/*
	 * A usage error is right where clocks have no known relation, or a time would be before 0.
	 */
	assert(status != VERB_USAGE || access(output, F_OK));
#elif defined(FUZZ_SYMBOLIZE)
	/* A usage error is right for the stacks of several machines. */
	assert(status != VERB_USAGE || access(output, F_OK));
#else
	assert(status != VERB_USAGE);
#endif
	/* A strict run that ended early may have written nothing. */
	if (status == VERB_DONE || (status == VERB_DEVIATES && !access(output, F_OK)))
		judge_output();
	nftw(output, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return 0;
}
