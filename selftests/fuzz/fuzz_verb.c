// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer targets: a whole command of fxt. The archive's last byte selects the options; the name
 * of the program is a target of the table below. The command ends with one of the exit codes that
 * it documents, and a strict reader accepts an archive that the command has written completely. All
 * other output is discarded.
 *
 * fxt calls readers of traces in another process, and libtraceevent and libtracecmd crash on
 * damaged files. If sanitizers report an error of fxt's own code there, the fuzzer ends. It does
 * not see which code runs there, so readers without these libraries run in this process.
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

struct target {
	const char *name;
	const struct verb *verb;
	/* @how: bits that turn options on. Return: the number of options, and names of files. */
	int (*options)(char **argv, unsigned int how);
	const char *to, *from;	/* formats of convert, or NULL */
	bool writes;		/* an archive */
	bool two;		/* inputs */
	bool in_process;	/* the reader of the trace */
	bool may_refuse;	/* an input is wrong usage if clocks or machines do not fit */
};

static const struct target *target;

static char output[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

struct memory_file {
	int fd;
	char path[32];
};

static struct memory_file input, other;
static char offset[64];

static void fill(struct memory_file *f, const uint8_t *data, size_t bytes)
{
	if (!f->fd) {
		f->fd = memfd_create("archive", 0);
		assert(f->fd > 0);
		snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
	}
	assert(!ftruncate(f->fd, 0) && pwrite(f->fd, data, bytes, 0) == (ssize_t)bytes);
}

/*
 * The second input begins at the second magic number, because a fuzzer joins inputs that were
 * separate. An archive without a second one is joined with itself.
 */
static void give_inputs(const uint8_t *data, size_t bytes)
{
	const uint8_t *second = target->two && bytes > 16 ? memmem(data + 8, bytes - 8, data, 8) : NULL;

	fill(&input, data, second ? (size_t)(second - data) : bytes);
	if (second)
		fill(&other, second, data + bytes - second);
	else if (target->two)
		fill(&other, data, bytes);
}

static int options_of_convert(char **argv, unsigned int how)
{
	int n = 0;

	argv[n++] = "--to";
	argv[n++] = (char *)target->to;
	if (target->from) {
		argv[n++] = "--from-format";
		argv[n++] = (char *)target->from;
		argv[n++] = how & 8 ? "--ticks-per-second=3" : "--ticks-per-second=2600000000";
	}
	if (how & 4 && target->to[0] == 'j')
		argv[n++] = "--with-ftrace";
	return n;
}

static int options_of_check(char **argv, unsigned int how)
{
	int n = 0;

	if (how & 4)
		argv[n++] = "--json";
	if (how & 8)
		argv[n++] = "--all";
	return n;
}

static int options_of_info(char **argv, unsigned int how)
{
	argv[0] = "--json";
	return !!(how & 4);
}

static int options_of_dump(char **argv, unsigned int how)
{
	int n = 0;

	if (how & 4)
		argv[n++] = "--json";
	if (how & 8) {
		argv[n++] = "--from=+0.001";
		argv[n++] = "--cpu=0-3";
	}
	if (how & 16)
		argv[n++] = "--pid=1,2,3";
	return n;
}

static int options_of_cut(char **argv, unsigned int how)
{
	int n = 0;

	if (how & 4) {
		argv[n++] = "--from=+0.001";
		argv[n++] = "--to=+0.01";
	}
	if (how & 8)
		argv[n++] = "--cpu=0-1";
	if (how & 16)
		argv[n++] = "--pid=1,2,3";
	return n;
}

static int options_of_merge(char **argv, unsigned int how)
{
	int n = 0;

	if (how & 12) {
		snprintf(offset, sizeof(offset), "--offset=%s=%s", other.path,
			 how & 4 ? "+1ms" : "-1us");
		argv[n++] = offset;
	}
	argv[n++] = how & 16 ? input.path : other.path;
	argv[n++] = how & 16 ? other.path : input.path;
	return n;
}

static int options_of_diff(char **argv, unsigned int how)
{
	int n = options_of_info(argv, how);

	if (how & 8)
		argv[n++] = "--per=switches-of:*";
	argv[n++] = other.path;
	argv[n++] = input.path;
	return n;
}

static int options_of_assert(char **argv, unsigned int how)
{
	int n = options_of_info(argv, how);

	if (how & 8)
		argv[n++] = "--assume-complete";
	argv[n++] = "--expression=max(wait) < 1ns or p99(wakeup, comm=*, cpu=0-1) == 0 or rate(migrations) < 1";
	argv[n++] = "--expression=share(run, cgroup=/) < 1% and max(sleep, pid=1,2) == 0 and mean(wait) < 1s";
	return n;
}

static int options_of_why(char **argv, unsigned int how)
{
	int n = options_of_info(argv, how);

	if (how & 8)
		argv[n++] = how & 16 ? "--program=*" : "--thread=*";
	else if (how & 16)
		argv[n++] = "--worst=20";
	return n;
}

static int options_of_blame(char **argv, unsigned int how)
{
	int n = options_of_info(argv, how);

	argv[n++] = how & 8 ? "--by=thread" : how & 16 ? "--by=process" : "--by=cgroup";
	return n;
}

#define CONVERTS(format)	\
	{ format, &verb_convert, options_of_convert, .to = format }
#define READS(program, format)	\
	program, &verb_convert, options_of_convert, .to = "fxt", .from = format, .writes = true

static const struct target targets[] = {
	{ "check", &verb_check, options_of_check },
	{ "info", &verb_info, options_of_info },
	{ "dump", &verb_dump, options_of_dump },
	{ "report", &verb_report },
	{ "why", &verb_why, options_of_why },
	{ "blame", &verb_blame, options_of_blame },
	{ "diff", &verb_diff, options_of_diff, .two = true },
	{ "assert", &verb_assert, options_of_assert },
	CONVERTS("json"),
	CONVERTS("ftrace"),
	CONVERTS("perfetto"),
	CONVERTS("csv"),
	CONVERTS("parquet"),
	CONVERTS("sqlite"),
	CONVERTS("firefox"),
	{ "fxt", &verb_convert, options_of_convert, .to = "fxt", .writes = true },
	{ "cut", &verb_cut, options_of_cut, .writes = true },
	{ "merge", &verb_merge, options_of_merge, .writes = true, .two = true, .may_refuse = true },
	{ "symbolize", &verb_symbolize, .writes = true, .may_refuse = true },
	{ READS("from_json", "json"), .in_process = true },
	{ READS("from_ftrace", "ftrace"), .in_process = true },
	{ READS("from_perfetto", "perfetto"), .in_process = true },
	{ READS("from_page", "page"), .in_process = true },
	{ READS("from_tracecmd", "trace.dat") },
	{ READS("from_perf", "perf.data") },
};

/* @how: bits that turn options on, different for each command. */
static int options_of(char **argv, unsigned int how)
{
	int n = 0;

	if (how & 1)
		argv[n++] = "--strict";
	if (how & 2)
		argv[n++] = "--format=2017";
	if (target->to || target->writes) {
		argv[n++] = "-o";
		argv[n++] = output;
	}
	if (target->options)
		n += target->options(argv + n, how);
	if (!target->two)
		argv[n++] = input.path;
	return n;
}

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

int __real_import_run(const struct import_reader *reader, const char *name, int from, bool wide,
		      bool strict, int to);

/*
 * The linker puts it in the place of import_run(). In this process, it converts no UTF-16, and
 * readers that seek get compressed input as it is, so neither is fuzzed here.
 */
int __wrap_import_run(const struct import_reader *reader, const char *name, int from, bool wide,
		      bool strict, int to)
{
	if (!target->in_process)
		return __real_import_run(reader, name, from, wide, strict, to);
	return reader->read(name, from, strict, to);
}

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
 * Choose the target. Share the counters with processes that the command starts, so that the
 * fuzzer sees which input reaches new code there. The pages at both ends also have other data.
 */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	uintptr_t page = sysconf(_SC_PAGESIZE);
	uintptr_t first = (counters[0] + page - 1) & -page;
	uintptr_t end = counters[1] & -page;
	size_t i;

	(void)argc;
	for (i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (!strcmp(targets[i].name, basename((*argv)[0])))
			target = &targets[i];
	assert(target);
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
	status = command_line_run(target->verb,
				  1 + options_of(argv + 1, bytes ? data[bytes - 1] : 0), argv);
	assert(status >= VERB_DONE &&
	       status <= (target->verb == &verb_assert ? VERB_UNKNOWN : VERB_UNREADABLE));
	assert(status != VERB_USAGE || (target->may_refuse && access(output, F_OK)));
	/* A strict run that ended early may have written nothing. */
	if (target->writes &&
	    (status == VERB_DONE || (status == VERB_DEVIATES && !access(output, F_OK))))
		judge_output();
	nftw(output, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return 0;
}
