/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - runs a reader of hostile files in a process of its own.
 *
 * The libraries for trace.dat and for formats of events trust what they read, and a damaged file
 * must not crash fxt. Traces of Perfetto and their compressed packets are read there, too. The process can open no files, and has no privileges; files of programs are
 * opened by the struct elf_server of the caller.
 */
#ifndef FXT_FORMATS_IMPORT_CHILD_H
#define FXT_FORMATS_IMPORT_CHILD_H

#include <stdbool.h>

/** typedef child_import - as @read of struct format; @from is uncompressed and can seek */
typedef int (*child_import)(const char *path, int from, bool strict, int fd);

/**
 * child_run() - call an import in another process
 * @path: this and the other arguments are those of @read of struct format
 *
 * Input that is compressed or cannot seek is first copied to a temporary file.
 *
 * Return: as @import; VERB_UNREADABLE if it crashed.
 */
int child_run(child_import import, const char *path, int from, bool strict, int fd);

#endif /* FXT_FORMATS_IMPORT_CHILD_H */
