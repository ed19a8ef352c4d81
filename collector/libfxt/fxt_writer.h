/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fxt_writer.h - write an FXT archive to a file descriptor, or to a function.
 *
 * What flows in: finished records in bulk, and single records by their fields.
 * What flows out: the archive, in order, valid at every record boundary.
 *
 * A writer has no global state, prints nothing and ends nothing. Its functions
 * return 0 or a negative errno: what write(2) said, or -EINVAL for a value that
 * the format has no room for or does not allow, or a call that the writer's mode
 * does not allow; after -EINVAL the archive is as it was before the call. The first error of
 * write(2), or of the sink, stays: every later call returns it again, so that a
 * caller may check the last one only. They may block, and a writer is for one thread at a time.
 */
#ifndef FXT_WRITER_H
#define FXT_WRITER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fxt_content;
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
 * typedef fxt_writer_sink - takes the bytes of an archive, in order
 * @arg: as it was given to fxt_writer_open_sink()
 * @data: valid during the call only; what it holds need not end with a record
 * @bytes: more than 0
 *
 * Return: 0 or a negative errno; after that it is not called again.
 */
typedef int (*fxt_writer_sink)(void *arg, const void *data, size_t bytes);

/**
 * fxt_writer_open_sink() - begin to write, to a function
 * @w: set to the new writer
 * @sink: called instead of write(2), from within any function of the writer
 * @arg: for @sink; it stays the caller's
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_writer_open_sink(struct fxt_writer **w, fxt_writer_sink sink, void *arg);

/**
 * fxt_writer_swap() - write the byte order that this machine does not have
 * @w: the writer; nothing was written yet
 *
 * For readers on other machines, and for tests. Words are swapped, streams are
 * not. fxt_writer_put() is refused then.
 *
 * Return: 0; -EINVAL after the first record.
 */
int fxt_writer_swap(struct fxt_writer *w);

/**
 * fxt_writer_intern() - let the writer choose all string and thread refs
 * @w: the writer; nothing was written yet
 *
 * fxt_writer_record() then ignores the refs that it is given: it registers each
 * string and thread just before the record that needs it first, per provider.
 * When a table is full, the entry that was not used for longest is replaced.
 * Some stay inline: strings of more than 256 bytes, and the processes of
 * userspace objects, which come without a thread. The empty string is always
 * ref 0. String and thread records given to fxt_writer_record() are dropped
 * after they were found to be valid.
 *
 * Functions that take indices or finished records (fxt_writer_put(), _string(),
 * _blob(), _thread(), _slice()) are refused.
 *
 * The tables of the 16 providers that were used last are kept: at most 10 MiB
 * each, and only if a provider has 32767 long strings. One that was forgotten
 * begins anew.
 *
 * Return: 0; -EINVAL after the first record; -ENOMEM.
 */
int fxt_writer_intern(struct fxt_writer *w);

/**
 * fxt_writer_register() - register a string before a record needs it
 * @w: the writer, which interns
 * @text: 1 to 256 bytes of UTF-8
 *
 * The first strings of a provider so get the indices from 1 on.
 *
 * Return: 0; -EINVAL if the writer does not intern, or for any other text; -ENOMEM.
 */
int fxt_writer_register(struct fxt_writer *w, const char *text);

/**
 * fxt_writer_flush() - hand everything to the kernel
 * @w: the writer
 */
int fxt_writer_flush(struct fxt_writer *w);

/**
 * fxt_writer_cut() - go on where the caller has cut the archive back
 * @w: the writer
 * @bytes: of the archive that are left; a record ends there
 *
 * The writer forgets what it still holds, and the first error. The strings that were
 * registered stay known, so @bytes must be behind their records.
 *
 * Return: 0; -EINVAL if that is more than was written, or while interning: the tables may
 * have strings whose records are gone.
 */
int fxt_writer_cut(struct fxt_writer *w, uint64_t bytes);

/**
 * fxt_writer_close() - flush, and free the writer
 * @w: the writer; NULL is ignored
 *
 * Return: 0; the first error of write(2); -EINVAL if the payload of a large
 * blob is incomplete.
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
 *
 * Return: 0 or an error; -EINVAL while swapping or interning.
 */
int fxt_writer_put(struct fxt_writer *w, const void *records, size_t bytes);

/**
 * fxt_writer_record() - write any record by its content
 * @w: the writer
 * @c: the content as fxt_reader_content() gives it, of any kind but unknown
 *
 * The exact inverse of that function. The refs in @c decide: a string with the
 * ref 0 is inline, unless it is empty; another ref is written as it is, with
 * the string itself if it is inline; so are threads. That an index was
 * registered is up to the caller. Names of kernel objects may be any bytes. Of a context switch and a wakeup, @time and
 * @args are written, and from @sw and @wakeup only what is no argument.
 *
 * Of a large blob, @blob_held bytes are at @blob.data; if that is not all,
 * fxt_writer_payload() is to follow. All other binary data must be whole.
 *
 * Return: 0; -EINVAL if the record does not fit the format, says what that does not
 * allow (text that is no UTF-8, a rate of 0, an undefined thread state), has words that are not
 * defined while swapping or after the payload of a large blob, or the last payload is
 * incomplete: nothing is written; while interning -ENOMEM: at most string and thread
 * records were written.
 */
int fxt_writer_record(struct fxt_writer *w, const struct fxt_content *c);

/**
 * fxt_writer_undefined() - write a record of a kind that the format does not define
 * @w: the writer
 * @words: the record, in the byte order of this machine
 * @bytes: its length
 *
 * It is written as it is: indices of strings and threads that it may have mean what
 * the writer's tables have there.
 *
 * Return: 0 or an error; -EINVAL while swapping, or if its header tells another length.
 */
int fxt_writer_undefined(struct fxt_writer *w, const void *words, size_t bytes);

/**
 * fxt_writer_payload() - go on with the payload of a large blob
 * @w: the writer; its last record was a large blob, @blob_held < @blob.bytes
 * @data: the next bytes
 * @bytes: how many, of any number; the last call completes the record
 *
 * Until then no other record can be written.
 *
 * Return: 0; -EINVAL if it is more than what is missing.
 */
int fxt_writer_payload(struct fxt_writer *w, const void *data, uint64_t bytes);

/**
 * fxt_writer_magic() - "Magic number record", the first of an archive
 * @w: the writer
 */
int fxt_writer_magic(struct fxt_writer *w);

/**
 * fxt_writer_provider() - "Provider info metadata"
 * @w: the writer
 * @id: provider id
 * @name: UTF-8, at most 255 bytes
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
 * @ticks_per_second: of all time stamps that follow, not 0
 */
int fxt_writer_initialization(struct fxt_writer *w, uint64_t ticks_per_second);

/**
 * fxt_writer_string() - "String record": register a string
 * @w: the writer
 * @index: 1 to 32767
 * @text: UTF-8, at most 32000 bytes
 *
 * The functions below take indices of strings that were registered so, or by
 * fxt_writer_record(), since the provider introduced itself; 0 is the empty string. They
 * return -EINVAL for others. What fxt_writer_put() registers they do not know, and after
 * a provider section they check nothing.
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
 * fxt_writer_perfetto() - "BLOB record" of Perfetto's type, name by index
 * @w: the writer
 * @name: index of a registered string
 * @data: packets as Perfetto has them
 * @bytes: their length, at most 32000
 */
int fxt_writer_perfetto(struct fxt_writer *w, uint16_t name, const void *data,
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

#ifdef __cplusplus
}
#endif

#endif /* FXT_WRITER_H */
