/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_file.h - where the path of an output leads, and whether the file there may be replaced.
 *
 * In: a path, and what the program writes there.
 * Out: the directory and the name in it, or a refusal; the existing file is renamed to PATH.old.
 *
 * A file is replaced if its content shows that the program could have written it, or with
 * --force. In a directory where other users can create names, symbolic links are not followed,
 * and files of others and hard-linked files are refused.
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

/** struct output_error - why a file cannot be written */
struct output_error {
	char text[OUTPUT_TEXT];	/* one line: "cannot write PATH: what is wrong; what to do" */
};

/** struct output_kind - what a program writes to a path */
struct output_kind {
	const char *option;		/* the option that names the path: "--output" */
	/* The reason for refusing a file with other content: "is not an FXT archive". */
	const char *is_not;
	/* Does an open file or directory contain this kind? */
	bool (*is_ours)(const struct output_kind *kind, int fd);
	const void *arg;		/* for @is_ours */
	/* For a directory, the names that its files may have, ended by NULL; for a file, NULL. */
	const char *const *files;
	bool is_overwritten;	/* an existing file keeps its mode, and is not kept as PATH.old */
};

/** existing_is_archive() - @is_ours of plain and compressed archives */
bool existing_is_archive(const struct output_kind *kind, int fd);

/* --- files that are written in place ---------------------------------------------------- */

/*
 * Open an output that must have its name from the beginning, even if its writer is killed.
 *
 * Works with the process's own privileges: fxt-collect calls it in its broker, which runs as
 * the invoking user.
 */

/* Appended to the name of a file that is not complete. */
#define DIRECT_PART	".part"

/* How a file is opened, as bits. */
enum direct_how {
	DIRECT_PART_FIRST	= 1,	/* as PATH.part; -EEXIST if PATH exists */
	DIRECT_FORCE		= 2,	/* replace any existing file */
	DIRECT_LOOK		= 4,	/* only check whether the file would be refused */
};

/** struct direct - an open file */
struct direct {
	int fd;				/* descriptor, non-blocking */
	int dir;			/* its directory, -1 unless the file will be renamed */
	bool regular;			/* it is a regular file, which can be truncated */
	bool linked;			/* it had a name when it was opened */
	char name[NAME_MAX + 1];	/* the final name in @dir */
	char part[NAME_MAX + 1];	/* its name until it is complete */
};

/**
 * direct_open() - open a file for writing from its beginning
 * @f: set to the file; needs no cleanup after an error
 * @e: filled in on error, except for -EEXIST
 *
 * A regular file is new, with mode 0600, or truncated; other files are used as they are. An
 * existing file is kept as PATH.old or overwritten (see struct output_kind), or refused (see
 * above). Opening never blocks.
 *
 * Return: 0; -EAGAIN for a pipe without a reader; another negative errno. With DIRECT_LOOK,
 * @f holds no file.
 */
int direct_open(struct direct *f, const char *path, unsigned int how,
		const struct output_kind *kind, struct output_error *e);

/** direct_complete() - give the file its final name. Return: 0 or a negative errno */
int direct_complete(const struct direct *f);

/** direct_close() - close what direct_open() opened */
void direct_close(struct direct *f);

/* --- files that are written beside the old one ------------------------------------------ */

/*
 * Write a file, or a directory of files, beside the one that it replaces.
 *
 * In: a path.
 * Out: a temporary place to write to, which is renamed to the path when it is complete, and removed
 * otherwise. The existing file is kept as PATH.old. Only an older PATH.old is lost, if the program
 * could have written it, or with --force.
 *
 * Must hold: the path names either the old file or the complete new one, and nothing else is
 * left behind unless SIGKILL ends the process.
 */

/**
 * struct beside - a file or directory that is being written
 *
 * The other members are private to output_file.c.
 */
struct beside {
	int fd;	/* where to write to; the caller closes it; -1 for a directory */
	/* The path to open instead; for a directory, where to put its files. */
	char place[PATH_MAX + 32];
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
 * @path: devices, pipes and descriptors are written to as they are, if @direct
 * @root: NULL, or a directory that contains many results, @path among them, at any depth. It also
 *	contains unfinished ones. Missing directories are created. An existing @path is replaced
 *	and not kept, because programs that read all of @root would read it, too
 * @kind: what will be written; the caller keeps it
 * @force: replace any existing file
 * @direct: see @path; otherwise they are refused
 * @e: filled in on error
 *
 * Return: 0 or a negative errno; @b needs no cleanup then.
 */
int beside_open(struct beside *b, const char *path, const char *root,
		const struct output_kind *kind, bool force, bool direct, struct output_error *e);

/**
 * beside_complete() - give the result its name, or remove it if that fails
 * @b: with all its files closed
 *
 * Return: 0 or a negative errno.
 */
int beside_complete(struct beside *b);

/** beside_remove() - remove what has been written; safe in signal handlers */
void beside_remove(const struct beside *b);

#endif /* LIBOUTPUT_OUTPUT_FILE_H */
