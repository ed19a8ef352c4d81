/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_file.h - where the path of an output leads, and whether the file there may be replaced.
 *
 * A file is replaced if its content shows that the program could have written it, or with
 * --force. It is kept as PATH.old. In a directory where other users can create names, symbolic
 * links are not followed, and files of others and hard-linked files are refused.
 *
 * A recording is written in place (struct direct), a result of fxt beside the old file (struct
 * beside).
 */
#ifndef LIBOUTPUT_OUTPUT_FILE_H
#define LIBOUTPUT_OUTPUT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#define OUTPUT_TEXT	(PATH_MAX + 256)

struct output_error {
	char text[OUTPUT_TEXT];		/* "cannot write PATH: what is wrong; what to do" */
};

/* What a program writes to a path. */
struct output_kind {
	const char *option;		/* the option that names the path: "--output" */
	const char *is_not;		/* why other content is refused: "is not an FXT archive" */
	/* Does an open file or directory contain this kind? */
	bool (*is_ours)(const struct output_kind *kind, int fd);
	const void *arg;		/* for @is_ours */
	const char *const *files;	/* names in a directory, ended by NULL; or NULL */
	bool is_overwritten;		/* it keeps its mode, and is not kept as PATH.old */
};

/** existing_is_archive() - @is_ours of plain and compressed archives */
bool existing_is_archive(const struct output_kind *kind, int fd);

/* --- files that are written in place ---------------------------------------------------- */

/*
 * An output that must have its name from the beginning, even if its writer is killed. It is opened
 * with the process's own privileges: fxt-collect does so in its broker, which runs as the invoking
 * user.
 */

#define DIRECT_PART	".part"	/* appended to the name of an incomplete file */
enum direct_how {
	DIRECT_PART_FIRST	= 1,	/* as PATH.part; -EEXIST if PATH exists */
	DIRECT_FORCE		= 2,	/* replace any existing file */
	DIRECT_LOOK		= 4,	/* only check whether the file would be refused */
};

struct direct {
	int fd;				/* non-blocking */
	int dir;			/* its directory, -1 unless the file will be renamed */
	bool regular;			/* can be truncated */
	bool linked;			/* it had a name when it was opened */
	char name[NAME_MAX + 1];	/* the final name in @dir */
	char part[NAME_MAX + 1];	/* the name until it is complete; may be empty */
};

/**
 * direct_open() - open a file for writing from its beginning
 * @f: needs no cleanup after an error; holds no file with DIRECT_LOOK
 * @e: filled in on error, except for -EEXIST
 *
 * A regular file is new, with mode 0600, or truncated; other files are used as they are. Opening
 * never blocks.
 *
 * Return: 0; -EAGAIN for a pipe without a reader; another negative errno.
 */
int direct_open(struct direct *f, const char *path, unsigned int how,
		const struct output_kind *kind, struct output_error *e);

/** direct_complete() - give the file its final name. Return: 0 or a negative errno */
int direct_complete(const struct direct *f);

void direct_close(struct direct *f);

/* --- files that are written beside the old one ------------------------------------------ */

/*
 * Write a file, or a directory of files, to a temporary place, which is renamed to the path when it
 * is complete, and removed otherwise. Only an older PATH.old is lost, if the program could have
 * written it, or with --force.
 *
 * Must hold: the path names either the old file or the complete new one, and nothing else is left
 * behind unless SIGKILL ends the process.
 */

/* Callers use @fd and @place only. */
struct beside {
	int fd;				/* where to write; the caller closes it; -1: a directory */
	char place[PATH_MAX + 32];	/* the path to open instead; or where to put the files */
	const struct output_kind *kind;
	const char *root;
	char target[PATH_MAX];		/* where the path leads */
	bool is_pending;		/* to be renamed */
	bool is_new;			/* there was no such file */
	bool is_there;			/* an empty directory exists, and is kept */
	bool is_root_new;
	bool keeps_old;
};

/**
 * beside_open() - begin to write
 * @path: devices, pipes and descriptors are written to as they are if @direct, refused otherwise
 * @root: NULL, or a directory of many results, @path and unfinished ones among them, at any depth.
 *	Missing directories are created. An existing @path is not kept, because programs that read
 *	all of @root would read it, too
 * @kind: what will be written; the caller keeps it
 * @force: replace any existing file
 * @e: filled in on error
 *
 * Return: 0 or a negative errno; @b needs no cleanup then.
 */
int beside_open(struct beside *b, const char *path, const char *root,
		const struct output_kind *kind, bool force, bool direct, struct output_error *e);

/**
 * beside_complete() - give the result its name, or remove it if that fails. All files in it must be
 * closed. Return: 0 or a negative errno
 */
int beside_complete(struct beside *b);

/** beside_remove() - remove the result; safe in signal handlers */
void beside_remove(const struct beside *b);

#endif /* LIBOUTPUT_OUTPUT_FILE_H */
