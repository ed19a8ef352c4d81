/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * confine.h - give up what a reader of foreign files does not need.
 */
#ifndef LIBSYM_CONFINE_H
#define LIBSYM_CONFINE_H

/**
 * confine_reader() - from now on, only read, compute and answer
 *
 * For a process with open files whose contents are not trusted. It has no capability, may use
 * a limited amount of memory and of CPU time, and opens, creates, executes and signals nothing.
 *
 * Return: 0 or a negative errno; then the process must not go on. A kernel without seccomp is no
 * error.
 */
int confine_reader(void);

/**
 * confine_converter() - the same, and write to files that are open
 *
 * It may use more memory, and as much CPU time as it likes: somebody waits for the result. It can
 * ask a struct elf_server that was started before.
 */
int confine_converter(void);

#endif /* LIBSYM_CONFINE_H */
