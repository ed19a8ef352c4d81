/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * deviation.h - report what the format does not allow.
 */
#ifndef LIBFXT_READER_DEVIATION_H
#define LIBFXT_READER_DEVIATION_H

#include "state.h"

/**
 * fxt_deviate() - report a deviation of the current record
 * @r: the reader
 * @offset: of the word, in bytes of the archive
 * @kind: kind of deviation
 * @lost: the record makes no sense
 * @field: its name in the specification
 * @format: what is wrong
 *
 * Counts the deviation and marks the record as odd. A quiet reader does neither.
 *
 * Return: -EBADMSG if the reader is strict or @lost, else 0.
 */
int fxt_deviate(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
		bool lost, const char *field, const char *format, ...)
	__attribute__((format(printf, 6, 7), cold));

/**
 * fxt_note() - report something that is no deviation; as fxt_deviate()
 *
 * Return: 0.
 */
int fxt_note(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
	     const char *field, const char *format, ...)
	__attribute__((format(printf, 5, 6), cold));

/** fxt_note_trailing() - report @words words after the last field; returns 0 */
int fxt_note_trailing(struct fxt_reader *r, uint64_t offset, const char *field,
		      uint64_t words);

#endif /* LIBFXT_READER_DEVIATION_H */
