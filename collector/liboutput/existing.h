/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * existing.h - where the path of an output leads, and whether the file there may be replaced.
 *
 * In: a path, and what the program writes there.
 * Out: the directory and the name in it; a refusal; the existing file under the name PATH.old.
 *
 * A file is replaced if its content shows that the program could have written it, or with
 * force. In a directory where other users can create names, symbolic links are not followed,
 * and files of others and files with a second name are refused.
 *
 * Below direct.h (a recording) and beside.h (results of fxt).
 */
#ifndef LIBOUTPUT_EXISTING_H
#define LIBOUTPUT_EXISTING_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

/* Appended to the name of the file that is kept. */
#define OUTPUT_OLD	".old"

#define OUTPUT_TEXT	(PATH_MAX + 256)

/**
 * struct output_error - why a file cannot be written
 * @text: one line: "cannot write PATH: what is wrong; what to do"
 */
struct output_error {
	char text[OUTPUT_TEXT];
};

/**
 * struct output_kind - what a program writes to a path
 * @option: the option that names the path: "--output"
 * @is_not: of a file that holds something else: "is not an FXT archive"
 * @is_ours: does an open file, or directory, hold this kind?
 * @arg: for @is_ours
 * @files: of a directory, the names that its files may have, terminated by NULL; of a file NULL
 * @is_overwritten: an existing file keeps its mode, and is not kept as PATH.old
 */
struct output_kind {
	const char *option;
	const char *is_not;
	bool (*is_ours)(const struct output_kind *kind, int fd);
	const void *arg;
	const char *const *files;
	bool is_overwritten;
};

/**
 * struct existing - where a path leads
 * @path: as given
 * @kind: what will be written there
 * @force: replace any file
 * @e: filled in by the functions below on error
 * @dir: the directory, -1 if there is none; closed by existing_close()
 * @name: the name in @dir; may be too long for a file
 * @real: path of the same, with a final symbolic link resolved
 * @is_shared: others can create names in @dir
 * @is_descriptor: the path names an open descriptor (/dev/stdout), not a file
 * @is_dangling: it is a symbolic link to nothing
 */
struct existing {
	const char *path;
	const struct output_kind *kind;
	bool force;
	struct output_error *e;
	int dir;
	const char *name;
	char real[PATH_MAX];
	bool is_shared;
	bool is_descriptor;
	bool is_dangling;
};

/**
 * existing_find() - find out where a path leads
 * @x: with @path, @kind, @force and @e; the rest is filled in
 * @follow: follow the path if it is a symbolic link; otherwise the link itself is meant
 *
 * Return: 0 or a negative errno. existing_close() has to be called in either case.
 */
int existing_find(struct existing *x, bool follow);

void existing_close(struct existing *x);

/** existing_refuse() - fill in the error; returns @err, a negative errno */
int existing_refuse(const struct existing *x, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** existing_failed() - the same for a failed system call: its error, and to use another file */
int existing_failed(const struct existing *x, int err);

/**
 * existing_check_owner() - may a file of that status be written or replaced?
 * @x: where it is
 * @st: its status, of the file itself and not of what a link leads to
 *
 * Return: 0 or a negative errno.
 */
int existing_check_owner(const struct existing *x, const struct stat *st);

/** existing_is_empty() - is an open file or directory empty? */
bool existing_is_empty(int fd);

/** existing_is_archive() - @is_ours of archives, also if they are compressed */
bool existing_is_archive(const struct output_kind *kind, int fd);

/**
 * existing_check() - may a file or directory that is not empty be replaced?
 * @x: where it is
 * @fd: open for reading
 *
 * Return: 0 or a negative errno.
 */
int existing_check(const struct existing *x, int fd);

/** existing_check_old() - would keeping it as PATH.old lose data? 0 or a negative errno */
int existing_check_old(const struct existing *x);

#endif /* LIBOUTPUT_EXISTING_H */
