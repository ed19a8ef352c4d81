/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that never answer, in a file system (FUSE) that only this process and its children see. One
 * answers everything except reads. The other one never finishes an open; not even SIGKILL ends a
 * process that tries.
 */
#ifndef SELFTESTS_SILENT_FILE_H
#define SELFTESTS_SILENT_FILE_H

#include <sys/types.h>

/* Name of a file in the directory whose open never returns. */
#define SILENT_FILE_CLOSED	"closed"
#define SILENT_FILE_BYTES	65536

/* NULL, or why there can be no such files */
const char *silent_file_missing(void);

/*
 * Mount the file system on @dir, an empty directory, in a new mount namespace, and open a file.
 * @user: whose process answers; afterwards, also the user of the calling thread. @ready gets a byte
 * when someone reads a page. The file system ends with the calling thread. Return: a descriptor,
 * for reading, or -1.
 */
int silent_file_open(const char *dir, uid_t user, int ready);

#endif /* SELFTESTS_SILENT_FILE_H */
