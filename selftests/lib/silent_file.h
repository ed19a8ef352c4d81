/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * silent_file.h - files that never answer.
 *
 * In:  an empty directory. Out: files of a file system of its own (FUSE), which only this process
 * and its children see: one that answers everything but reads, and one that cannot be opened, as
 * SIGKILL does not end whoever tries.
 */
#ifndef SELFTESTS_SILENT_FILE_H
#define SELFTESTS_SILENT_FILE_H

#include <sys/types.h>

/* In the directory: to open it takes for ever. */
#define SILENT_FILE_CLOSED	"closed"
#define SILENT_FILE_BYTES	65536

/** silent_file_missing() - why there can be none, or NULL */
const char *silent_file_missing(void);

/**
 * silent_file_open() - mount it on @dir, in a mount namespace of its own, and open the file
 * @dir: an empty directory
 * @user: id of the user whose process answers: that of the calling thread, in the end
 * @ready: a byte is written to it when a page is asked for
 *
 * It ends with the calling thread.
 *
 * Return: its descriptor, for reading, or -1.
 */
int silent_file_open(const char *dir, uid_t user, int ready);

#endif /* SELFTESTS_SILENT_FILE_H */
