// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compress.c - the CPU time that the collector needs to compress an archive, and the bytes saved.
 * In:  zstd or gzip, with a level after a colon (default: the collector's); an uncompressed archive
 *      in this machine's byte order.
 * Out: one line of numbers: bytes of the archive, bytes compressed, ns of CPU, switches, wakeups.
 *      The compressed archive in OUT if that is given. Exit status 0, 1 it failed, 2 wrong usage.
 *
 * The archive is read into memory before the clock starts. It passes through the collector's own
 * output, thread included, in pieces of the size that sources deliver. Without OUT, the compressed
 * bytes are discarded.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fxt-collect/output/broker.h"
#include "fxt-collect/output/output.h"
#include "fxt/fxt.h"

/* The same as in session/fetch.c. */
#define BOUNDARY_BYTES	(512U << 10)

struct archive {
	const unsigned char *data;
	size_t bytes;
	unsigned long long switches;
	unsigned long long wakeups;
};

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "compress: cannot %s: %s\n", what, why);
	return 1;
}

static unsigned long long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Return: bytes of the record at @at; 0 if no record begins there. */
static size_t record_at(const struct archive *a, size_t at, uint64_t *header)
{
	size_t bytes;

	if (a->bytes - at < FXT_WORD)
		return 0;
	memcpy(header, a->data + at, FXT_WORD);
	bytes = fxt_get(FXT_SIZE, *header) * FXT_WORD;
	if (fxt_get(FXT_TYPE, *header) == FXT_RECORD_LARGE || bytes > a->bytes - at)
		return 0;
	return bytes;
}

/* Count records; this also touches all pages. */
static int count(struct archive *a)
{
	uint64_t header = 0;
	size_t at, bytes;

	for (at = 0; at < a->bytes; at += bytes) {
		bytes = record_at(a, at, &header);
		if (!bytes)
			return -1;
		if (fxt_get(FXT_TYPE, header) != FXT_RECORD_SCHEDULING)
			continue;
		if (fxt_get(FXT_SCHEDULING_TYPE, header) == FXT_SCHEDULING_CONTEXT_SWITCH)
			a->switches++;
		else
			a->wakeups++;
	}
	return 0;
}

static int read_archive(struct archive *a, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		perror(path);
		return 1;
	}
	a->bytes = st.st_size;
	a->data = mmap(NULL, a->bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	close(fd);
	if (a->data == MAP_FAILED)
		return complain("read the archive", "it cannot be mapped");
	if (count(a) || !a->switches)
		return complain("read the archive", "it is compressed, has no switch, or a record that cannot be read");
	return 0;
}

static int write_all(struct output *o, const struct archive *a)
{
	size_t at = 0, end;
	uint64_t header;
	int ret = 0;

	while (!ret && at < a->bytes) {
		for (end = at; end < a->bytes && end - at < BOUNDARY_BYTES;)
			end += record_at(a, end, &header);
		ret = output_write(o, a->data + at, end - at);
		if (!ret)
			ret = output_boundary(o);
		at = end;
	}
	return ret ? ret : output_end(o);
}

static int compress(const struct output_options *options, const struct archive *a, const char *path)
{
	struct error e = { 0 };
	struct output *o;
	unsigned long long began;
	uint64_t bytes;

	if (output_open(&o, path, options, &e))
		return complain("set up the output", e.text);
	began = cpu_ns();
	if (write_all(o, a)) {
		output_close(o, false);
		return complain("compress", "the output failed");
	}
	began = cpu_ns() - began;
	bytes = output_bytes(o);
	if (output_close(o, true))
		return complain("compress", "the output failed");
	printf("%zu %llu %llu %llu %llu\n", a->bytes, (unsigned long long)bytes, began,
	       a->switches, a->wakeups);
	return 0;
}

int main(int argc, char **argv)
{
	const struct invoker who = { .known = false };
	struct output_options options = { .end = -1 };
	struct archive a = { 0 };
	bool is_valid = argc == 3 || argc == 4;
	const char *level = is_valid ? strchr(argv[1], ':') : NULL;
	struct error e;
	int ret;

	if (is_valid && !strncmp(argv[1], "zstd", 4))
		options.compression = COMPRESSION_ZSTD;
	else if (is_valid && !strncmp(argv[1], "gzip", 4))
		options.compression = COMPRESSION_GZIP;
	if (options.compression == COMPRESSION_NONE) {
		fputs("usage: compress zstd[:LEVEL]|gzip[:LEVEL] ARCHIVE [OUT]\n", stderr);
		return 2;
	}
	options.level = level ? atoi(level + 1) : 0;
	if (broker_start(&options.broker, &who, options.end, &e))
		return complain("set up the output", e.text);
	ret = read_archive(&a, argv[2]) || compress(&options, &a, argc == 4 ? argv[3] : "/dev/null");
	broker_stop(options.broker);
	return ret;
}
