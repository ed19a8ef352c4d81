/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that are run for each kind of compression. */
#ifndef SELFTESTS_OUTPUT_KINDS_FIXTURE_H
#define SELFTESTS_OUTPUT_KINDS_FIXTURE_H

#include "harness.h"
#include "output_events.h"

#define MIB		(1UL << 20)

FIXTURE(output)
{
	char dir[RECORD_PATH];
	char path[RECORD_PATH + 32];
	struct rig r;
};

FIXTURE_VARIANT(output)
{
	enum compression compression;
	const char *name;
};

FIXTURE_VARIANT_ADD(output, plain) { COMPRESSION_NONE, "none" };
FIXTURE_VARIANT_ADD(output, zstd) { COMPRESSION_ZSTD, "zstd" };
FIXTURE_VARIANT_ADD(output, gzip) { COMPRESSION_GZIP, "gzip" };

FIXTURE_SETUP(output)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	snprintf(self->path, sizeof(self->path), "%s/x.fxt", self->dir);
	self->r.options = (struct output_options){ .compression = variant->compression };
	/* Start the broker now, or its descriptor could later become standard output, too. */
	ASSERT_EQ(0, rig_broker(&self->r)) TH_LOG("%s", self->r.e.text);
}

FIXTURE_TEARDOWN(output)
{
	rig_free(&self->r);
	dir_remove(self->dir);
}

static inline uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_size;
}

/* The harness itself writes to standard output. */
static inline int put_stdout_aside(void)
{
	fflush(stdout);
	return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
}

static inline void put_stdout_back(int fd)
{
	dup2(fd, STDOUT_FILENO);
	close(fd);
}

#endif /* SELFTESTS_OUTPUT_KINDS_FIXTURE_H */
