// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file.c - see file.h.
 *
 * Invariant: once the recording has to end, no write waits forever for a pipe's reader or a
 * receiver.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libfxt/address.h"
#include "libfxt/clock.h"
#include "broker.h"
#include "file.h"
#include "socket.h"

/* --- where a file can be cut ------------------------------------------------------------ */

void output_marks_add(struct output_marks *m, uint64_t archive, uint64_t file)
{
	size_t i;

	if (m->count && m->marks[m->count - 1].archive == archive)
		return;
	if (m->count == OUTPUT_MARKS) {
		m->count /= 2;
		for (i = 0; i < m->count; i++)
			m->marks[i] = m->marks[2 * i + 1];
	}
	m->marks[m->count++] = (struct output_mark){ archive, file };
}

const struct output_mark *output_marks_go_back(struct output_marks *m, uint64_t archive)
{
	while (m->count && m->marks[m->count - 1].archive > archive)
		m->count--;
	return m->count ? &m->marks[m->count - 1] : NULL;
}

/* --- failed writes ---------------------------------------------------------------------- */

/* Advice for the user, NULL if there is none. */
static const char *advice(int err)
{
	switch (err) {
	case -ENOSPC:
		return "free some space, use another --output, or compress with -z zstd";
	case -EDQUOT:
		return "free some of your quota, use another --output, or compress with -z zstd";
	case -EFBIG:
		return "raise the limit (ulimit -f), use --rotate size=, or compress with -z zstd";
	case -EPIPE:
	case -ECONNRESET:
		return "its reader has ended";
	case -ETIMEDOUT:
		return "the receiver does not accept data, or its machine cannot be reached";
	case -ECANCELED:
		return "its reader has stopped reading, and the recording ends";
	case -EIO:
		return "the device failed, see the kernel log (dmesg); use another --output";
	case -EPERM:
	case -EACCES:
		return "the directory or its file system refuses writes; use another --output";
	}
	return NULL;
}

int output_fail(struct error *e, const char *path, int err)
{
	const char *what = advice(err);

	if (!strcmp(path, "-"))
		path = "standard output";
	if (err == -ENOENT)
		return fail(e, EXIT_FAILED, err,
			    "the archive is lost: %s or its directory was removed during the recording; record again into another directory",
			    path);
	return fail(e, EXIT_FAILED, err, "cannot write to %s: %s%s%s", path,
		    strerror(-err), what ? "; " : "", what ? what : "");
}

/* --- files ------------------------------------------------------------------------------ */

static int no_stdout(struct error *e)
{
	return fail(e, EXIT_FAILED, -errno, "cannot write to standard output: %s; give a file",
		    strerror(errno));
}

/*
 * A pipe is reopened to make it non-blocking: O_NONBLOCK on the inherited descriptor would affect
 * other processes that share it. If that fails, the inherited one is used.
 */
static int dup_stdout(bool is_pipe)
{
	int fd = is_pipe ? open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;

	return fd >= 0 ? fd : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
}

static int open_stdout(struct output_file *f, const struct output_options *options,
		       struct error *e)
{
	struct stat st;
	off_t at;

	if (!options->stats && isatty(STDOUT_FILENO))
		return fail(e, EXIT_USAGE, -EINVAL,
			    "standard output is a terminal; redirect it, or give --output a file");
	if (fstat(STDOUT_FILENO, &st))
		return no_stdout(e);
	f->file.fd = dup_stdout(S_ISFIFO(st.st_mode));
	if (f->file.fd < 0)
		return no_stdout(e);
	f->file.regular = S_ISREG(st.st_mode);
	at = fcntl(f->file.fd, F_GETFL) & O_APPEND ? st.st_size :
						      lseek(f->file.fd, 0, SEEK_CUR);
	f->base = f->file.regular && at > 0 ? at : 0;
	return 0;
}

int output_file_open(struct output_file *f, const char *path,
		     const struct output_options *options, struct error *e)
{
	unsigned int how = (options->part ? DIRECT_PART_FIRST : 0) |
			   (options->stats ? BROKER_STATS : 0) |
			   (options->force ? DIRECT_FORCE : 0);
	struct fxt_address address = { 0 };

	*f = (struct output_file){
		.file = { .fd = -1, .dir = -1 },
		.broker = options->broker,
		.end = options->end,
		.until = options->until,
		.is_socket = !options->stats && fxt_address_is(path),
	};
	if (f->is_socket)
		f->is_relayed = !fxt_address_parse(&address, path, false) && address.is_tls;
	f->stall = f->is_socket ? SOCKET_STALL_MS : -1;
	return strcmp(path, "-") ? broker_open(f->broker, &f->file, path, how, e) :
				   open_stdout(f, options, e);
}

/* ms until the recording ends; 0 if it has ended, INT_MAX if that is not known. */
static int time_left(const struct output_file *f)
{
	uint64_t until = f->is_socket && f->until ? __atomic_load_n(f->until, __ATOMIC_RELAXED) : 0;
	uint64_t now;

	if (!until)
		return INT_MAX;
	now = clock_ns(CLOCK_BOOTTIME);
	if (now >= until)
		return 0;
	return (until - now) / 1000000 < INT_MAX ? (int)((until - now) / 1000000) + 1 : INT_MAX;
}

/* A receiver that does not read may not delay the end for long. */
static int wait_for_reader(const struct output_file *f)
{
	int left, limit, ret;

	do {
		left = time_left(f);
		limit = !left ? WAIT_PATIENCE_MS : f->stall >= 0 && left > f->stall ? f->stall : left;
		ret = wait_ready_for(f->file.fd, POLLOUT, f->end, left < INT_MAX ? limit : f->stall);
	} while (ret == -ETIMEDOUT && left && left <= f->stall);
	return ret == -ETIMEDOUT && !left ? -ECANCELED : ret;
}

int output_file_write(struct output_file *f, const void *data, size_t bytes)
{
	const unsigned char *p = data;
	int ret;

	while (bytes) {
		ssize_t n = write(f->file.fd, p, bytes);

		if (n > 0) {
			p += n;
			bytes -= n;
			__atomic_store_n(&f->bytes, f->bytes + n, __ATOMIC_RELAXED);
		} else if (n < 0 && errno == EAGAIN) {
			ret = wait_for_reader(f);
			if (ret)
				return ret;
		} else if (n < 0 && errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

int output_file_cut(struct output_file *f, uint64_t bytes)
{
	if (!f->file.regular)
		return -ESPIPE;
	if (ftruncate(f->file.fd, f->base + bytes) ||
	    lseek(f->file.fd, f->base + bytes, SEEK_SET) < 0)
		return -errno;
	__atomic_store_n(&f->bytes, bytes, __ATOMIC_RELAXED);
	return 0;
}

int output_file_close(struct output_file *f, bool keep)
{
	struct stat st;
	int ret = 0;

	/* The directory may have been removed; only the link count shows it. */
	if (f->file.linked && !fstat(f->file.fd, &st) && !st.st_nlink)
		ret = -ENOENT;
	if (keep && f->is_socket)
		ret = socket_finish(f->file.fd, f->is_relayed, f->end,
				    time_left(f) ? f->stall : WAIT_PATIENCE_MS);
	if (close(f->file.fd) && errno != EINTR && !ret)
		ret = -errno;
	f->file.fd = -1;
	if (keep && !ret && f->file.dir >= 0)
		ret = broker_complete(f->broker, &f->file);
	direct_close(&f->file);
	return ret;
}
