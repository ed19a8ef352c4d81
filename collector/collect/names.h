/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - who has a name in the archive, and who should.
 *
 * What flows in: the kernel object records of rundown and stream of names, on
 * their way into the archive. What flows out: the records that they miss.
 */
#ifndef FXT_COLLECT_NAMES_H
#define FXT_COLLECT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fxt_writer;
struct names;

/**
 * names_open() - begin with nobody named
 * @n: set to the new registry
 * @w: the archive
 *
 * Return: 0 or -ENOMEM.
 */
int names_open(struct names **n, struct fxt_writer *w);

/** names_close() - free the registry; NULL is ignored */
void names_close(struct names *n);

/**
 * names_note() - remember whom these records name
 * @n: the registry
 * @records: whole records; those that are no kernel objects are passed over
 * @bytes: their length
 *
 * Return: 0 or -ENOMEM.
 */
int names_note(struct names *n, const void *records, size_t bytes);

/**
 * names_emit() - note records and write them into the archive
 * @n: the registry; a void pointer so that this is a source_emit
 * @records: whole records
 * @bytes: their length
 *
 * Return: 0 or a negative errno.
 */
int names_emit(void *n, const void *records, size_t bytes);

/**
 * names_fill_gaps() - name from /proc whom nothing has named so far
 * @n: the registry
 *
 * Return: 0 or a negative errno of writing; a task that ends meanwhile is none.
 */
int names_fill_gaps(struct names *n);

/**
 * names_lengthen() - give processes whose name the kernel cut its full length
 * @n: the registry
 *
 * The kernel keeps 15 bytes of a command's name; /proc/PID/cmdline has all. To
 * be called last: the last name of an archive is the one that is shown.
 *
 * Return: 0 or a negative errno of writing.
 */
int names_lengthen(struct names *n);

/** names_threads() - how many threads have a name */
uint64_t names_threads(const struct names *n);

/** names_processes() - how many processes have a name */
uint64_t names_processes(const struct names *n);

#endif /* FXT_COLLECT_NAMES_H */
