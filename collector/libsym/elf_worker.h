/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_worker.h - the process that reads a file, see elf_server.h.
 */
#ifndef LIBSYM_ELF_WORKER_H
#define LIBSYM_ELF_WORKER_H

/** elf_work() - answer questions until the link is closed */
void elf_work(int link);

#endif /* LIBSYM_ELF_WORKER_H */
