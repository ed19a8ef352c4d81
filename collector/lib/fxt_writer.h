/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fxt_writer.h - write an FXT archive to a file descriptor.
 *
 * What flows in: finished records in bulk, and single records by their fields.
 * What flows out: the archive, in order, valid at every record boundary.
 *
 * A writer has no global state, prints nothing and ends nothing. Its functions
 * return 0 or a negative errno: what write(2) said, or -EINVAL for a value that
 * the format has no room for. The first error of write(2) stays: every later
 * call returns it again, so that a caller may check the last one only. They
 * may block, and a writer is for one thread at a time.
 */
#ifndef FXT_WRITER_H
#define FXT_WRITER_H

#include <stddef.h>
#include <stdint.h>

struct fxt_writer;

/**
 * fxt_writer_open() - begin to write
 * @w: set to the new writer
 * @fd: where to; it stays the caller's
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_writer_open(struct fxt_writer **w, int fd);

/**
 * fxt_writer_flush() - hand everything to the kernel
 * @w: the writer
 */
int fxt_writer_flush(struct fxt_writer *w);

/**
 * fxt_writer_close() - flush, and free the writer
 * @w: the writer; NULL is ignored
 *
 * Return: 0, or the first error of all calls.
 */
int fxt_writer_close(struct fxt_writer *w);

/**
 * fxt_writer_bytes() - length of the archive so far
 * @w: the writer
 *
 * Return: bytes, buffered ones included.
 */
uint64_t fxt_writer_bytes(const struct fxt_writer *w);

/**
 * fxt_writer_put() - add finished records
 * @w: the writer
 * @records: whole records
 * @bytes: their length, a multiple of 8
 */
int fxt_writer_put(struct fxt_writer *w, const void *records, size_t bytes);

/**
 * fxt_writer_magic() - "Magic number record", the first of an archive
 * @w: the writer
 */
int fxt_writer_magic(struct fxt_writer *w);

/**
 * fxt_writer_provider() - "Provider info metadata"
 * @w: the writer
 * @id: provider id
 * @name: at most 255 bytes
 */
int fxt_writer_provider(struct fxt_writer *w, uint32_t id, const char *name);

/**
 * fxt_writer_provider_event() - "Provider event metadata": records were lost
 * @w: the writer
 * @id: provider id
 */
int fxt_writer_provider_event(struct fxt_writer *w, uint32_t id);

/**
 * fxt_writer_initialization() - "Initialization record"
 * @w: the writer
 * @ticks_per_second: of all time stamps that follow
 */
int fxt_writer_initialization(struct fxt_writer *w, uint64_t ticks_per_second);

/**
 * fxt_writer_string() - "String record": register a string
 * @w: the writer
 * @index: 1 to 32767
 * @text: UTF-8, at most 32000 bytes
 */
int fxt_writer_string(struct fxt_writer *w, uint16_t index, const char *text);

/**
 * fxt_writer_blob() - "BLOB record" of type data, name by index
 * @w: the writer
 * @name: index of a registered string
 * @data: the payload
 * @bytes: its length, at most 32000
 */
int fxt_writer_blob(struct fxt_writer *w, uint16_t name, const void *data,
		    size_t bytes);

/**
 * fxt_writer_process() - "Kernel object record" of a process
 * @w: the writer
 * @koid: process koid
 * @name: UTF-8, cut at 32000 bytes
 */
int fxt_writer_process(struct fxt_writer *w, uint64_t koid, const char *name);

/**
 * fxt_writer_thread() - "Kernel object record" of a thread
 * @w: the writer
 * @koid: thread koid
 * @process: koid of its process
 * @process_ref: index of the registered string "process"
 * @name: UTF-8, cut at 32000 bytes
 */
int fxt_writer_thread(struct fxt_writer *w, uint64_t koid, uint64_t process,
		      uint16_t process_ref, const char *name);

/**
 * struct fxt_slice - a duration-complete event with one Uint32 argument
 * @start: ticks
 * @end: ticks
 * @process: process koid
 * @thread: thread koid
 * @category: index of a registered string
 * @name: index of a registered string
 * @arg_name: index of a registered string
 * @arg: the argument's value
 */
struct fxt_slice {
	uint64_t start;
	uint64_t end;
	uint64_t process;
	uint64_t thread;
	uint16_t category;
	uint16_t name;
	uint16_t arg_name;
	uint32_t arg;
};

/**
 * fxt_writer_slice() - "Duration complete event" with an inline thread
 * @w: the writer
 * @s: what it says
 */
int fxt_writer_slice(struct fxt_writer *w, const struct fxt_slice *s);

#endif /* FXT_WRITER_H */
