/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * silent_file.h - files that never answer.
 * In:  an empty directory.
 * Out: files in a file system (FUSE) that only this process and its children see. One answers
 *      everything except reads. The other one never finishes an open; not even SIGKILL ends a
 *      process that tries.
 */
#ifndef SELFTESTS_SILENT_FILE_H
#define SELFTESTS_SILENT_FILE_H

#include <sys/types.h>

/* Name of a file in the directory whose open never returns. */
#define SILENT_FILE_CLOSED	"closed"
#define SILENT_FILE_BYTES	65536

/** silent_file_missing() - why there can be no such files, or NULL */
const char *silent_file_missing(void);

/**
 * silent_file_open() - mount the file system on @dir, in a new mount namespace, and open a file
 * @dir: an empty directory
 * @user: id of the user whose process answers; afterwards, also the user of the calling thread
 * @ready: gets a byte when someone reads a page
 *
 * The file system ends with the calling thread.
 *
 * Return: its descriptor, for reading, or -1.
 */
int silent_file_open(const char *dir, uid_t user, int ready);

#endif /* SELFTESTS_SILENT_FILE_H */
