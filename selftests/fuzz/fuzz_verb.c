// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_verb.c - libFuzzer targets: a verb of fxt as a whole, on anything.
 *
 * What flows in: an archive, and in its last byte which of the options are
 * given. FUZZ_VERB names the verb, FUZZ_TO of convert the format. What must
 * hold: no sanitizer has anything to report, and the verb ends with one of the
 * exit codes that it documents. Its output goes where nobody looks.
 */
#include <assert.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../collector/tool/verbs.h"

#define MAX_ARGS	12

static char input[64];
static char output[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* The archive as a file that exists in memory only. */
static void give_input(const uint8_t *data, size_t bytes)
{
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("archive", 0);
		assert(fd >= 0);
		snprintf(input, sizeof(input), "/proc/self/fd/%d", fd);
		snprintf(output, sizeof(output), "/dev/shm/fxt-fuzz-%d", (int)getpid());
	}
	assert(!ftruncate(fd, 0) && pwrite(fd, data, bytes, 0) == (ssize_t)bytes);
}

/* @how: bits that turn options on, each verb its own. */
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
#elif defined(FUZZ_INFO)
	if (how & 4)
		argv[n++] = "--json";
#endif
	argv[n++] = input;
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *argv[MAX_ARGS] = { "verb" };
	int status;

	give_input(data, bytes);
	optind = 0;
	status = FUZZ_VERB(1 + options_of(argv + 1, bytes ? data[bytes - 1] : 0), argv);
	assert(status >= VERB_DONE && status <= VERB_UNREADABLE && status != VERB_USAGE);
	nftw(output, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return 0;
}
