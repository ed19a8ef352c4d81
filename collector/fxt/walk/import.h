/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - converts a trace to an archive, in a process that has no rights.
 *
 * Traces are hostile, and some libraries that read them trust them. So all of a trace is read in
 * this process, except for the beginning that shows its format (format.h). The process keeps the
 * user's id, but can open no files and has no capabilities: it reads the trace, and writes the
 * archive and temporary files that were opened before. All other descriptors are closed in it. The
 * format's struct elf_server opens files of programs.
 */
#ifndef FXT_WALK_IMPORT_H
#define FXT_WALK_IMPORT_H

#include <stdbool.h>
#include <stdio.h>

#define IMPORT_FILES	5	/* that one conversion needs: a page with JSON and texts */

struct import_reader {
	/*
	 * Convert the trace at @from, plain or compressed, to an archive at @fd. @path: for
	 * messages;
	 * @strict: stop at the first violation. Returns enum verb_exit, after reporting what could
	 * not be read or converted. After VERB_DEVIATES without @strict, the archive has everything
	 * that was readable.
	 */
	int (*read)(const char *path, int from, bool strict, int fd);
	bool is_seekable;	/* @read gets a trace that can seek and is not compressed */
	/* Called before and after @read with the user's rights; or NULL. */
	int (*prepare)(const char *path);
	void (*finish)(void);
	/* A descriptor that @prepare opened for @read, or a negative number; or NULL. */
	int (*link)(void);
};

/*
 * Convert a trace. @name: of the input, for messages; @from: the trace, plain or compressed; @wide:
 * it is text in UTF-16, which is first converted to UTF-8; @to: the archive. Returns like @read;
 * VERB_UNREADABLE if the process crashed.
 */
int import_run(const struct import_reader *reader, const char *name, int from, bool wide,
	       bool strict, int to);

/* An empty temporary file. Returns NULL and errno if there is none. */
FILE *import_file(void);
void import_file_close(FILE *f);

/* Report that a temporary file cannot be written. Returns VERB_UNWRITABLE. */
int import_unwritable(void);

#endif /* FXT_WALK_IMPORT_H */
