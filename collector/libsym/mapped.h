/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mapped.h - whose modules and mappings are.
 *
 * Their records have a thread ref, of which only the process counts. Readers disagree on how
 * many words it has where it is inline, so it is an index.
 */
#ifndef LIBSYM_MAPPED_H
#define LIBSYM_MAPPED_H

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"

/** mapped_begin() - what follows is mapped in @process, a koid. Return: as fxt_writer_record() */
int mapped_begin(struct fxt_writer *w, uint64_t process);

/** mapped_of() - the thread ref of records after mapped_begin() */
struct fxt_thread_id mapped_of(uint64_t process);

#endif /* LIBSYM_MAPPED_H */
