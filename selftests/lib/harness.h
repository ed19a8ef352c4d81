/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's selftest harness, and the headers of Linux that tests need. Tests and fixtures
 * include it first. A test that hangs is ended after TEST_TIMEOUT_DEFAULT seconds. The harness's
 * own value, 30, is too short for some tests on an emulated machine on a busy host.
 */
#ifndef SELFTESTS_HARNESS_H
#define SELFTESTS_HARNESS_H

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Not each test uses all that the harness and a fixture give it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "../kselftest_harness.h"

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 240

/* The main() of each test program. A test has a process of its own and need not free memory. */
#ifndef OWN_MAIN
TEST_HARNESS_MAIN
#endif

/* That a text contains @part, or does not; if not as expected, the whole text is shown. */
#define EXPECT_IN(text, part) do {						\
	const char *in_ = (text);						\
										\
	EXPECT_NE(NULL, strstr(in_, part)) TH_LOG("no \"%s\" in: %s", part, in_);	\
} while (0)
#define EXPECT_NOT_IN(text, part) do {						\
	const char *in_ = (text);						\
										\
	EXPECT_EQ(NULL, strstr(in_, part)) TH_LOG("\"%s\" in: %s", part, in_);	\
} while (0)

#endif /* SELFTESTS_HARNESS_H */
