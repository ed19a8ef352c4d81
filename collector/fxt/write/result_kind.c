// SPDX-License-Identifier: GPL-2.0-or-later
/* result_kind.c - recognizes the results of fxt by their content. See result_kind.h. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libfxt/own.h"
#include "result_kind.h"

const struct result_kind result_archive = {
	.what = "an FXT archive", .is_ours = fxt_own_archive,
};

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

static bool is_one_of(const char *const *files, const char *name)
{
	while (*files && strcmp(name, *files))
		files++;
	return *files;
}

/* Does a directory contain only @files, and at least one? Without @files: is it empty? */
static bool look_into(const char *path, const char *const *files)
{
	DIR *d = opendir(path);
	size_t ours = 0, others = 0;
	struct dirent *e;

	if (!d)
		return false;
	while ((e = readdir(d))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (files && is_one_of(files, e->d_name))
			ours++;
		else
			others++;
	}
	closedir(d);
	return !others && (!files || ours);
}

bool result_is_ours(const char *path, const struct result_kind *kind, const char *const *files)
{
	bool is_ours;
	int fd;

	if (kind->is_directory)
		return look_into(path, files);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	is_ours = kind->is_ours(fd);
	close(fd);
	return is_ours;
}

bool result_is_empty(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	return S_ISREG(st.st_mode) ? !st.st_size : look_into(path, NULL);
}

void result_remove(const char *path, const char *const *files, bool keep_directory)
{
	int fd;

	if (!files) {
		unlink(path);
		return;
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	for (; *files; files++)
		unlinkat(fd, *files, 0);
	close(fd);
	if (!keep_directory)
		rmdir(path);
}
