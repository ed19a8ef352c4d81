// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tar.c - writes the recordings of a merge one beside the other: a tar for Perfetto.
 *
 * In: recordings, and the offsets of their clocks.
 * Out: a tar (POSIX.1-1988 "ustar") of perfetto_manifest.json, which names the machine of each
 * archive, and of one archive a recording. Their numbers of CPUs, threads and processes are those
 * of their machines. Their times are those of the first: Perfetto sorts records of FXT by the
 * offset that a manifest can give, but shows their own times. It applies manifests to
 * uncompressed archives only.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "liboutput/json.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "merge.h"

#define MANIFEST	"perfetto_manifest.json"
#define MOST_BYTES	UINT64_C(077777777777)		/* of a file in a tar: 11 octal digits */

/** struct tar_header - the block before each file; numbers are octal text */
struct tar_header {
	char name[100];
	char mode[8];
	char uid[8];
	char gid[8];
	char size[12];
	char mtime[12];
	char checksum[8];
	char type;
	char linkname[100];
	char magic[6];
	char version[2];
	char uname[32];
	char gname[32];
	char unused[183];
};

_Static_assert(sizeof(struct tar_header) == 512, "a block of a tar");

static void put_zeros(struct out *o, size_t bytes)
{
	static const char zeros[2 * sizeof(struct tar_header)];

	out_bytes(o, zeros, bytes);
}

static void put_header(struct out *o, const char *name, uint64_t bytes)
{
	struct tar_header h = { .type = '0', .magic = "ustar", .version = { '0', '0' } };
	const unsigned char *p = (const unsigned char *)&h;
	unsigned int sum = 0;
	size_t i;

	snprintf(h.name, sizeof(h.name), "%s", name);
	snprintf(h.mode, sizeof(h.mode), "%07o", 0644);
	snprintf(h.uid, sizeof(h.uid), "%07o", 0);
	snprintf(h.gid, sizeof(h.gid), "%07o", 0);
	snprintf(h.size, sizeof(h.size), "%011" PRIo64, bytes);
	snprintf(h.mtime, sizeof(h.mtime), "%011" PRIo64, (uint64_t)time(NULL) & MOST_BYTES);
	/* The sum is of a header with spaces in its place. */
	memset(h.checksum, ' ', sizeof(h.checksum));
	for (i = 0; i < sizeof(h); i++)
		sum += p[i];
	snprintf(h.checksum, sizeof(h.checksum), "%06o", sum);
	out_bytes(o, &h, sizeof(h));
}

/* A label may be any text; the number makes names unique. */
static void name_file(const struct merge_recording *of, char name[MERGE_LABEL + 16])
{
	size_t n = sprintf(name, "%u-", of->number + 1), i;

	for (i = 0; of->label[i]; i++)
		name[n++] = isalnum((unsigned char)of->label[i]) || strchr(".-_", of->label[i]) ?
			    of->label[i] : '_';
	strcpy(name + n, ".fxt");
}

static void put_entry(struct json *j, const struct merge *m, const struct merge_recording *of)
{
	const struct merge_recording *first = m->recordings;
	char name[MERGE_LABEL + 16];

	json_item(j);
	json_begin(j, '{');
	name_file(of, name);
	json_string(j, "path", name);
	json_key(j, "machine");
	json_begin(j, '{');
	json_string(j, "name", of->shares_threads ? first->label : of->label);
	json_end(j, '}');
	if (of != first) {
		name_file(first, name);
		json_key(j, "clocks");
		json_begin(j, '{');
		json_key(j, "sync_to");
		json_begin(j, '{');
		json_string(j, "file", name);
		json_end(j, '}');
		json_end(j, '}');
	}
	json_end(j, '}');
}

/* Return: 0 or a negative errno. */
static int write_manifest(const struct merge *m, int fd)
{
	struct out *o = must(malloc(sizeof(*o)));
	struct json j = { .o = o };
	size_t i;
	int ret;

	out_open(o, fd);
	json_begin(&j, '{');
	json_key(&j, "perfetto_manifest");
	json_begin(&j, '{');
	json_number(&j, "version", 1);
	json_key(&j, "files");
	json_begin(&j, '[');
	for (i = 0; i < m->recording_count; i++)
		put_entry(&j, m, &m->recordings[i]);
	json_end(&j, ']');
	json_end(&j, '}');
	json_end(&j, '}');
	out_char(o, '\n');
	ret = out_close(o);
	free(o);
	return ret;
}

/* --- files ------------------------------------------------------------------------ */

/* Append a file, which is read from its begin. Return: 0 or a negative errno. */
static int put_file(struct out *o, const char *name, int fd)
{
	char *buffer = must(malloc(OUT_BYTES));
	off_t bytes = lseek(fd, 0, SEEK_END), at;
	ssize_t n = 0;

	if (bytes >= 0 && (uint64_t)bytes > MOST_BYTES)
		n = -EFBIG;
	else if (bytes >= 0)
		put_header(o, name, bytes);
	for (at = 0; at < bytes && n >= 0; at += n) {
		n = pread(fd, buffer, OUT_BYTES, at);
		n = n > 0 ? n : n ? -errno : -EIO;
		out_bytes(o, buffer, n > 0 ? n : 0);
	}
	put_zeros(o, -bytes % sizeof(struct tar_header));
	free(buffer);
	return bytes < 0 ? -errno : n < 0 ? n : 0;
}

/* Write a recording alone, with the numbers of its machine. Return: enum verb_exit. */
static int write_recording(const struct merge *all, struct merge_recording *of, int fd,
			   bool *is_complete)
{
	struct merge m = {
		.how = all->how, .output = all->output, .inputs = of->first, .recordings = of,
		.recording_count = 1, .machines = 1,
	};

	of->shares_threads = false;
	merge_find_rate(&m);
	return merge_write_to(&m, pack_open(NULL, fd), is_complete);
}

static int report(const struct merge *m, int error)
{
	message("fxt: cannot write %s: %s\n", m->output, error == -EFBIG ?
		"an archive has more than the 8 GiB that a tar can hold" : strerror(-error));
	return VERB_UNWRITABLE;
}

/* Append the manifest, if @of is NULL, or a recording. Return: enum verb_exit. */
static int add(struct merge *m, struct out *o, struct merge_recording *of, bool *is_complete)
{
	char name[MERGE_LABEL + 16] = MANIFEST;
	FILE *file = tmpfile();
	int fd = file ? dup(fileno(file)) : -1, ret = fd < 0 ? -errno : 0, status = VERB_DONE;

	if (of)
		name_file(of, name);
	/* Both close @fd. */
	if (!ret && of)
		status = write_recording(m, of, fd, is_complete);
	else if (!ret)
		ret = write_manifest(m, fd);
	if (!ret && *is_complete)
		ret = put_file(o, name, fileno(file));
	if (file)
		fclose(file);
	*is_complete &= !ret;
	if (fd < 0) {
		message("fxt: cannot make a temporary file: %s; check /tmp\n", strerror(-ret));
		return VERB_UNWRITABLE;
	}
	return ret ? report(m, ret) : status;
}

int merge_write_tar(struct merge *m)
{
	struct out *o = must(malloc(sizeof(*o)));
	bool is_complete = true;
	int status, ret;
	size_t i;

	out_open(o, m->result.fd);
	status = add(m, o, NULL, &is_complete);
	for (i = 0; i < m->recording_count && is_complete; i++) {
		ret = add(m, o, &m->recordings[i], &is_complete);
		status = ret > status ? ret : status;
	}
	put_zeros(o, 2 * sizeof(struct tar_header));
	ret = out_close(o);
	free(o);
	if (ret && is_complete)
		status = report(m, ret);
	return result_end(&m->result, status, is_complete && !ret);
}

static bool is_ours(int fd)
{
	struct result_ends ends;

	return result_read_ends(fd, &ends) && result_begins(&ends, MANIFEST);
}

const struct result_kind merge_tar = {
	.is_not = "is not a tar of fxt merge", .is_ours = is_ours,
};
