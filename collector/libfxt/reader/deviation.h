/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * deviation.h - tell what the format does not allow.
 */
#ifndef LIBFXT_READER_DEVIATION_H
#define LIBFXT_READER_DEVIATION_H

#include "state.h"

/**
 * fxt_deviate() - tell one deviation
 * @r: the reader
 * @offset: of the word, bytes in the archive
 * @kind: what sort
 * @lost: the record makes no sense
 * @field: as the specification names it
 * @format: what is wrong
 *
 * Return: -EBADMSG if the reader is strict or @lost, else 0.
 */
int fxt_deviate(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
		bool lost, const char *field, const char *format, ...)
	__attribute__((format(printf, 6, 7), cold));

/**
 * fxt_note() - tell what is no deviation; as fxt_deviate()
 *
 * Return: 0.
 */
int fxt_note(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
	     const char *field, const char *format, ...)
	__attribute__((format(printf, 5, 6), cold));

/** fxt_note_trailing() - tell of @words words that are not defined; returns 0 */
int fxt_note_trailing(struct fxt_reader *r, uint64_t offset, const char *field,
		      uint64_t words);

#endif /* LIBFXT_READER_DEVIATION_H */
