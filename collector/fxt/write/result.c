// SPDX-License-Identifier: GPL-2.0-or-later
/* result.c - see result.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal/exit_status.h"
#include "terminal/message.h"
#include "terminal/progress.h"
#include "result.h"

const struct result_kind result_archive = { .is_not = "is not an FXT archive" };

bool result_read_ends(int fd, struct result_ends *ends)
{
	struct stat st;
	ssize_t n, m;

	if (fstat(fd, &st))
		return false;
	n = pread(fd, ends->head, RESULT_END_BYTES, 0);
	m = pread(fd, ends->tail, RESULT_END_BYTES,
		  st.st_size > RESULT_END_BYTES ? st.st_size - RESULT_END_BYTES : 0);
	ends->head[n > 0 ? n : 0] = '\0';
	ends->tail[m > 0 ? m : 0] = '\0';
	return n > 0 && m > 0;
}

static bool is_page(int fd, const char *command)
{
	struct result_ends ends;
	char mark[64];

	snprintf(mark, sizeof(mark), "<!-- Made by %s --html.", command);
	return result_read_ends(fd, &ends) && strstr(ends.head, mark);
}

static bool is_result(const struct output_kind *kind, int fd)
{
	const struct result_kind *result = kind->arg;

	return result->made_by ? is_page(fd, result->made_by) : result->is_ours(fd);
}

static bool is_one_of(const char *const *files, const char *name)
{
	while (*files && strcmp(name, *files))
		files++;
	return *files;
}

/* Does a directory contain at least one table, and nothing else? */
static bool is_directory_of_tables(const struct output_kind *kind, int fd)
{
	DIR *d = fdopendir(fcntl(fd, F_DUPFD_CLOEXEC, 0));
	size_t ours = 0, others = 0;
	struct dirent *e;

	if (!d)
		return false;
	while ((e = readdir(d))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (is_one_of(kind->files, e->d_name))
			ours++;
		else
			others++;
	}
	closedir(d);
	return !others && ours;
}

static struct output_kind kind_of(const struct result_kind *kind, const char *const *files)
{
	return (struct output_kind){
		.option = kind->option ? kind->option : "--output",
		.is_not = kind->is_not,
		.is_ours = kind->is_directory ? is_directory_of_tables :
			   kind->is_ours || kind->made_by ? is_result : existing_is_archive,
		.arg = kind,
		.files = files,
	};
}

static struct result *volatile pending;

static void remove_pending(int signal_number)
{
	if (pending)
		beside_remove(&pending->beside);
	progress_interrupt();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void remove_at_exit(void)
{
	if (pending)
		beside_remove(&pending->beside);
}

/* Signals that are ignored, e.g. by nohup(1), stay ignored. */
static void catch_ends(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	static bool is_done;
	struct sigaction old;
	size_t i;

	if (!is_done)
		atexit(remove_at_exit);
	is_done = true;
	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (!sigaction(ending[i], NULL, &old) && old.sa_handler == SIG_DFL)
			signal(ending[i], remove_pending);
}

static bool force;

void result_force(void)
{
	force = true;
}

static int begin_result(struct result *r, const char *path, const struct result_kind *kind,
			const char *root, const char *const *files)
{
	bool takes_devices = !kind->is_directory && !kind->is_reopened;
	struct output_error e;

	*r = (struct result){ .path = path, .fd = STDOUT_FILENO, .kind = kind_of(kind, files) };
	if (!path || !strcmp(path, "-"))
		return VERB_DONE;
	catch_ends();
	pending = r;
	if (beside_open(&r->beside, path, root, &r->kind, force, takes_devices, &e)) {
		pending = NULL;
		message("fxt: %s\n", e.text);
		return VERB_UNWRITABLE;
	}
	r->fd = r->beside.fd;
	if (!r->beside.is_pending)
		pending = NULL;
	return VERB_DONE;
}

int result_open(struct result *r, const char *path, const struct result_kind *kind)
{
	return begin_result(r, path, kind, NULL, NULL);
}

int result_open_directory(struct result *r, const char *path, const struct result_kind *kind,
			  const char *root, const char *const *files)
{
	return begin_result(r, path, kind, root, files);
}

int result_end(struct result *r, int status, bool is_complete)
{
	int ret = 0;

	progress_result(NULL, NULL, NULL);
	if (!r->beside.is_pending)
		return status;
	if (is_complete)
		ret = beside_complete(&r->beside);
	else
		beside_remove(&r->beside);
	r->beside.is_pending = false;
	pending = NULL;
	if (!ret)
		return status;
	message("fxt: cannot write %s: %s\n", r->path, strerror(-ret));
	return VERB_UNWRITABLE;
}
