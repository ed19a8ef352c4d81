/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - runs a reader that depends on a library in a process of its own.
 *
 * The libraries for trace.dat and for formats of events trust what they read. A damaged file
 * must not take down fxt. The process opens nothing, and has no rights; for files of programs, it
 * asks the struct elf_server of whoever calls.
 */
#ifndef FXT_FORMATS_TEP_CHILD_H
#define FXT_FORMATS_TEP_CHILD_H

#include <stdbool.h>

/** typedef child_import - as struct format's read; @from is plain and can seek */
typedef int (*child_import)(const char *path, int from, bool strict, int fd);

/**
 * child_run() - call an import in another process
 * @path: as for struct format's read; the others likewise
 *
 * What is compressed, and what cannot seek, is first copied to a temporary file.
 *
 * Return: as @import; VERB_UNREADABLE if it crashed.
 */
int child_run(child_import import, const char *path, int from, bool strict, int fd);

#endif /* FXT_FORMATS_TEP_CHILD_H */
