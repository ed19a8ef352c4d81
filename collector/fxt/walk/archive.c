// SPDX-License-Identifier: GPL-2.0-or-later
/* archive.c - see archive.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "terminal/memory.h"
#include "terminal/message.h"
#include "archive.h"
#include "format.h"

int archive_usage(const char *verb, const char *what, const char *why)
{
	message("fxt: %s: %s%s%s; see fxt %s --help\n", verb,
		what ? what : "", what ? ": " : "", why, verb);
	return VERB_USAGE;
}

static void read_on(void *arg, uint64_t bytes, uint64_t size)
{
	progress_read(arg, bytes, size);
}

/* Damaged compression matters more than the records that it caused. */
static void keep_first(void *arg, const struct fxt_deviation *d)
{
	struct archive *a = arg;
	bool is_packed = d->kind == FXT_DEV_COMPRESSION;
	bool is_cause = is_packed && strstr(d->text, "data are damaged");

	a->is_damaged |= is_cause;
	if (d->note || (a->first[0] && !is_cause))
		return;
	a->is_truncated = is_packed && strstr(d->text, "data are truncated");
	snprintf(a->first, sizeof(a->first), "%s", d->text);
}

static const char *remedy(const char *path, int error)
{
	switch (error) {
	case -ENOENT:
		return strcmp(path, FXT_SCHED_ARCHIVE) ? "" :
		       "; name an archive, or record one with fxt-collect";
	case -EISDIR:
		return "; name an archive in it";
	case -EACCES:
		return "; run fxt as a user who may read it";
	default:
		return "";
	}
}

int archive_unreadable(const char *path, int error)
{
	message("fxt: cannot read %s: %s%s\n", path, strerror(-error), remedy(path, error));
	return VERB_UNREADABLE;
}

/*
 * --format applies to the file; an archive made from another trace is current. A strict run ends
 * where the trace cannot be represented.
 */
static int open_reader(struct archive *a, const char *path)
{
	struct fxt_reader_options options = a->options;
	int status = foreign_open(path, a->options.strict, &a->file, &a->pipe);

	a->imported = status;
	if (status > VERB_DEVIATES || (status && a->options.strict))
		return status;
	options.format_2017 &= a->file == path;
	a->has_pipe = a->pipe >= 0;
	return a->has_pipe ? fxt_reader_open_fd(&a->r, a->pipe, &options) :
			     fxt_reader_open(&a->r, a->file, &options);
}

/* Is it neither an archive nor of a kind that fxt can name? */
static bool is_unknown(const char *error)
{
	return strstr(error, "this is a text that begins") ||
	       strstr(error, "so this is not an FXT archive");
}

int archive_open(struct archive *a, const char *path)
{
	int ret;

	a->path = strcmp(path, "-") ? path : "standard input";
	memory_is_for(a->path);
	if (!a->options.deviation) {
		a->options.deviation = keep_first;
		a->options.arg = a;
	}
	a->progress = (struct progress_source){ .path = a->path };
	a->options.progress = read_on;
	a->options.progress_arg = &a->progress;
	ret = open_reader(a, path);
	if (ret >= 0)
		return ret;
	if (ret == -EBADMSG)
		message("fxt: cannot read %s: %s%s\n", a->path, fxt_reader_error(a->r),
			is_unknown(fxt_reader_error(a->r)) ? foreign_hint() : "");
	else
		archive_unreadable(a->path, ret);
	archive_drop(a);
	return VERB_UNREADABLE;
}

void archive_drop(struct archive *a)
{
	progress_end(&a->progress);
	fxt_reader_close(a->r);
	a->r = NULL;
	if (a->has_pipe)
		close(a->pipe);
	a->has_pipe = false;
}

bool archive_is_same(const char *input, const char *output)
{
	struct stat in, out;

	if (!output || !strcmp(output, "-") || stat(output, &out))
		return false;
	if (strcmp(input, "-") ? stat(input, &in) : fstat(STDIN_FILENO, &in))
		return false;
	return S_ISREG(in.st_mode) && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

int archive_close(struct archive *a, int ret)
{
	const struct fxt_reader_totals *t = fxt_reader_totals(a->r);
	const char *error = fxt_reader_error(a->r);
	int status = VERB_DONE;

	progress_end(&a->progress);
	if (ret == -EBADMSG) {
		message("fxt: %s: %s; without --strict, fxt would skip it\n",
			a->path, error);
		status = VERB_DEVIATES;
	} else if (ret) {
		message("fxt: %s: %s\n", a->path,
			*error && ret != -ENOMEM ? error : strerror(-ret));
		status = VERB_UNREADABLE;
	} else if (a->is_truncated) {
		message("fxt: %s: the file ends within its compressed data, so the rest of the archive is missing: %s; copy it again\n",
			a->path, a->first);
		status = VERB_DEVIATES;
	} else if (a->is_damaged) {
		message("fxt: %s: the file is damaged, so what comes from it may be wrong: %s; %" PRIu64 " records and %" PRIu64 " bytes were skipped; copy it again\n",
			a->path, a->first, t->skipped, t->skipped_bytes);
		status = VERB_DEVIATES;
	} else if (t->skipped || t->skipped_bytes) {
		message("fxt: %s: %" PRIu64 " records and %" PRIu64 " bytes were skipped%s%s; run fxt check for details\n",
			a->path, t->skipped, t->skipped_bytes,
			a->first[0] ? ", first " : "", a->first);
		status = VERB_DEVIATES;
	}
	archive_drop(a);
	return status ? status : a->imported;
}

int archive_selects_nothing(const char *path)
{
	message("fxt: %s: nothing is selected; fxt info lists its CPUs and its first and last "
		"time, fxt report its processes; +TIME counts from its first time\n",
		path);
	return VERB_NOTHING;
}

int archive_output(struct out *o, const char *path, int status)
{
	int ret = out_close(o);

	if (!ret)
		return status;
	message("fxt: cannot write to %s: %s\n",
		path && strcmp(path, "-") ? path : "standard output", strerror(-ret));
	return VERB_UNWRITABLE;
}
