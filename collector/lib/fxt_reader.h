/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fxt_reader.h - walk over the records of an FXT archive.
 *
 * What flows in: an archive in a file. What flows out: its records one by one,
 * without copying them, and their fields where asked for. String records are
 * remembered on the way, so references can be resolved.
 *
 * A reader has no global state, prints nothing and ends nothing. What it
 * returns points into the archive or its own tables and is valid until the
 * reader is closed; of strings, until their index is registered anew.
 */
#ifndef FXT_READER_H
#define FXT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt.h>

struct fxt_reader;

/**
 * struct fxt_record - one record
 * @offset: where it begins, bytes from the archive's start
 * @words: the record, header first
 * @size: its length in words
 * @type: enum fxt_record_type, or a number that the format does not define
 */
struct fxt_record {
	uint64_t offset;
	const uint64_t *words;
	uint32_t size;
	uint32_t type;
};

/**
 * struct fxt_text - a string of the archive
 * @bytes: UTF-8 as it stands there, not terminated
 * @length: bytes
 */
struct fxt_text {
	const char *bytes;
	size_t length;
};

/**
 * struct fxt_arg - one argument
 * @name: its name
 * @type: enum fxt_arg_type
 * @value: of 32-bit integers, sign-extended if signed, of bools and of all
 *	that have a value word: its bits
 * @text: of string arguments
 */
struct fxt_arg {
	struct fxt_text name;
	uint32_t type;
	uint64_t value;
	struct fxt_text text;
};

/** struct fxt_switch - "Context Switch Record"; weights 0 if they are not there */
struct fxt_switch {
	uint64_t time;		/* ticks */
	uint64_t out;		/* koid */
	uint64_t in;		/* koid */
	int32_t out_weight;
	int32_t in_weight;
	uint16_t cpu;
	uint8_t state;		/* enum fxt_thread_state */
	char letter;		/* of the argument "state", 0 if there is none */
};

/** struct fxt_wakeup - "Thread Wakeup Record" */
struct fxt_wakeup {
	uint64_t time;		/* ticks */
	uint64_t thread;	/* koid */
	uint64_t waker;		/* koid */
	int32_t weight;
	uint16_t cpu;
	bool has_waker;
};

/** struct fxt_object - "Kernel object record" */
struct fxt_object {
	uint64_t koid;
	uint64_t process;	/* koid, of threads that tell it, else 0 */
	struct fxt_text name;
	uint8_t type;		/* enum fxt_object_type */
};

/** struct fxt_event_info - what all event records have */
struct fxt_event_info {
	uint64_t time;		/* ticks */
	uint64_t process;	/* koid; 0 if the thread is not inline */
	uint64_t thread;	/* koid; 0 if the thread is not inline */
	uint64_t last;		/* end ticks, counter or correlation id, else 0 */
	struct fxt_text category;
	struct fxt_text name;
	uint8_t type;		/* enum fxt_event_type */
};

/**
 * fxt_reader_open() - begin to read
 * @r: set to the new reader
 * @path: of the archive
 *
 * Return: 0, a negative errno of open(2) or mmap(2), or -EBADMSG if the file
 * does not begin with the magic number record of this machine's byte order.
 */
int fxt_reader_open(struct fxt_reader **r, const char *path);

/** fxt_reader_close() - free a reader; NULL is ignored */
void fxt_reader_close(struct fxt_reader *r);

/**
 * fxt_reader_next() - go to the next record
 * @r: the reader
 * @rec: set to it
 *
 * Return: 1; 0 at the end; -EBADMSG if what is there is no record, or the file
 * ends within it: fxt_reader_error() says where and why.
 */
int fxt_reader_next(struct fxt_reader *r, struct fxt_record *rec);

/** fxt_reader_error() - one line about the last -EBADMSG, with the byte offset */
const char *fxt_reader_error(const struct fxt_reader *r);

/** fxt_reader_ticks_per_second() - as the initialization record said so far */
uint64_t fxt_reader_ticks_per_second(const struct fxt_reader *r);

/*
 * The fields of one record: 0 or -EBADMSG. @rec is of the reader's last
 * fxt_reader_next(), and of the type that the function is named after.
 */
int fxt_read_switch(struct fxt_reader *r, const struct fxt_record *rec,
		    struct fxt_switch *out);
int fxt_read_wakeup(struct fxt_reader *r, const struct fxt_record *rec,
		    struct fxt_wakeup *out);
int fxt_read_object(struct fxt_reader *r, const struct fxt_record *rec,
		    struct fxt_object *out);
int fxt_read_event(struct fxt_reader *r, const struct fxt_record *rec,
		   struct fxt_event_info *out, struct fxt_arg *args,
		   unsigned int *arg_count);

/** fxt_text_is() - is a string of the archive this one? */
bool fxt_text_is(const struct fxt_text *text, const char *other);

#endif /* FXT_READER_H */
