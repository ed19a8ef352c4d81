/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - converts a trace to an archive, in a process that has no rights.
 *
 * Traces are hostile, and some of the libraries that read them trust what they read. So all of a
 * trace is read here, except for the beginning that shows its format (format.h). The process keeps
 * the user's id, but can open no files and has no capabilities: it reads the trace, and writes the
 * archive and temporary files that were opened before. All other descriptors are closed in it.
 * Files of programs are opened by the struct elf_server of the format.
 */
#ifndef FXT_WALK_IMPORT_H
#define FXT_WALK_IMPORT_H

#include <stdbool.h>
#include <stdio.h>

#define IMPORT_FILES	5	/* that a conversion needs at once: a page with JSON and texts */

/** struct import_reader - how a format is read */
struct import_reader {
	/*
	 * Convert the trace at @from, plain or compressed, to an archive at @fd; @path: for
	 * messages; @strict: stop at the first violation. Returns enum verb_exit, after reporting
	 * what could not be read or converted. After VERB_DEVIATES without @strict, the archive has
	 * everything that was readable.
	 */
	int (*read)(const char *path, int from, bool strict, int fd);
	bool is_seekable;	/* @read gets a trace that can seek and is not compressed */
	/* Called before and after @read with the rights of the user; or NULL. */
	int (*prepare)(const char *path);
	void (*finish)(void);
	/* A descriptor that @prepare opened for @read, or a negative number; or NULL. */
	int (*link)(void);
};

/**
 * import_run() - convert a trace
 * @name: of the input, for messages
 * @from: the trace, plain or compressed
 * @wide: it is text in UTF-16, which is converted to UTF-8 before
 * @to: the archive
 *
 * Return: as @read; VERB_UNREADABLE if the process crashed.
 */
int import_run(const struct import_reader *reader, const char *name, int from, bool wide,
	       bool strict, int to);

/** import_file() - get an empty temporary file. Return: NULL and errno if there is none */
FILE *import_file(void);
void import_file_close(FILE *f);

/** import_unwritable() - report that a temporary file cannot be written. Return: VERB_UNWRITABLE */
int import_unwritable(void);

#endif /* FXT_WALK_IMPORT_H */
