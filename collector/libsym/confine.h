/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * confine.h - give up the rights that a reader of untrusted files does not need.
 */
#ifndef LIBSYM_CONFINE_H
#define LIBSYM_CONFINE_H

/*
 * Allow the process only to read, compute and answer from now on. For a process with open files
 * whose contents are not trusted. It loses all capabilities, gets limits of memory and CPU time,
 * and can open, create, execute and signal nothing.
 *
 * Return: 0; a negative errno, after which the process must not continue. A kernel without seccomp
 * is not an error.
 */
int confine_reader(void);

/*
 * Like confine_reader(), but it may write to open files, use more memory, and unlimited CPU time,
 * because a user waits for the result. It can have threads, and ask a struct elf_server that was
 * started before.
 */
int confine_converter(void);

/* Address space that confine_converter() allows besides what is used. */
#define CONFINE_CONVERTER_GIB	16

/* Close all descriptors from this one on. */
void confine_close_from(int first);

#endif /* LIBSYM_CONFINE_H */
