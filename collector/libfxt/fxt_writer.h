/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fxt_writer.h - write an FXT archive to a file descriptor or to a function.
 *
 * In:  finished records in bulk, and the fields of single records.
 * Out: the archive in order, valid at every record boundary.
 *
 * A writer has no global state, prints nothing and never exits. Only one thread at a
 * time may use it, and its functions may block in write(2). They return 0 or a negative
 * errno:
 *
 * - -EINVAL for a value that does not fit the format or that the format does not allow,
 *   and for a call that the writer's mode does not allow. The call has changed nothing.
 * - The first error of write(2) or of the sink. Every later call returns it again, so
 *   that a caller can check only the last call.
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

/* @fd: the caller still owns it. Return: 0 or -ENOMEM. */
int fxt_writer_open(struct fxt_writer **w, int fd);

/*
 * Takes the bytes of an archive, in order. @data: valid only during the call; need not end at a
 * record boundary. @bytes: more than 0. Return: 0 or a negative errno, after which the writer does
 * not call it again.
 */
typedef int (*fxt_writer_sink)(void *arg, const void *data, size_t bytes);

/*
 * @sink: called instead of write(2), from any function of the writer, with @arg. Return: 0 or
 * -ENOMEM.
 */
int fxt_writer_open_sink(struct fxt_writer **w, fxt_writer_sink sink, void *arg);

/*
 * Write in the byte order that differs from this machine's, for readers on other machines and for
 * tests. The writer swaps words, not streams, and refuses fxt_writer_put(). Return: 0; -EINVAL
 * after the first record.
 */
int fxt_writer_swap(struct fxt_writer *w);

/*
 * Let the writer choose all string and thread refs. fxt_writer_record() then ignores the refs in
 * its argument, and registers each string and thread of a provider just before the first record
 * that needs it. In a full table, a new entry replaces the least recently used one. Strings of more
 * than 256 bytes stay inline, and so do the processes of userspace objects, because these have no
 * thread. The empty string is always ref 0. fxt_writer_record() checks string and thread records
 * and then drops them.
 *
 * Functions that take indices then take those of FXT_SCHED_STRINGS (fxt_sched_ids.h), whatever
 * index the writer chooses. The writer refuses fxt_writer_put() and fxt_writer_string().
 *
 * It keeps the tables of the 16 providers that were used last. A provider with 32767 long strings
 * needs the most memory, 10 MiB. A provider whose tables were dropped starts with empty ones.
 *
 * Return: 0; -EINVAL after the first record; -ENOMEM.
 */
int fxt_writer_intern(struct fxt_writer *w);

/*
 * Register a string before a record needs it, in a writer that interns. @text: 1 to 256 bytes of
 * UTF-8. The first strings of a provider get the indices from 1 on. Return: 0; -EINVAL if the
 * writer does not intern, or for an invalid text; -ENOMEM.
 */
int fxt_writer_register(struct fxt_writer *w, const char *text);

int fxt_writer_flush(struct fxt_writer *w);

/*
 * Continue after the caller has truncated the archive to @bytes, at a record boundary. The writer
 * drops its buffer and forgets the first error. Registered strings remain known, so their records
 * must be within @bytes.
 *
 * Return: 0; -EINVAL if the archive was shorter than @bytes, or while interning, because the tables
 * may contain strings whose records are gone.
 */
int fxt_writer_cut(struct fxt_writer *w, uint64_t bytes);

/*
 * Flush, and free the writer; NULL is ignored. Return: 0; the first error of write(2); -EINVAL if a
 * large blob's payload is incomplete.
 */
int fxt_writer_close(struct fxt_writer *w);

/* Length of the archive so far, including buffered bytes. */
uint64_t fxt_writer_bytes(const struct fxt_writer *w);

/*
 * Add finished, whole records. @bytes: a multiple of 8. Return: 0 or an error; -EINVAL while
 * swapping or interning.
 */
int fxt_writer_put(struct fxt_writer *w, const void *records, size_t bytes);

/*
 * Write any record, except an unknown one, from its content.
 *
 * The exact inverse of fxt_reader_content(). The refs in @c decide: a string with ref 0 is inline
 * unless it is empty; any other ref is written unchanged, followed by the string if the ref is
 * inline. Threads work alike. The caller is responsible for registering indices. Names of kernel
 * objects may be any bytes. Context switches and wakeups take their arguments from @args, and from
 * @sw and @wakeup only the other fields.
 *
 * A large blob has @blob_held bytes at @blob.data; fxt_writer_payload() must supply the rest. All
 * other binary data must be complete.
 *
 * Return: 0; -EINVAL if
 *
 * - the record does not fit the format,
 * - the format does not allow a value (invalid UTF-8, a rate of 0, an undefined thread state),
 * - the record has undefined words, and the writer swaps or they follow the payload of a large
 *   blob,
 * - or the last payload is incomplete.
 *
 * -ENOMEM while interning; the writer may then have written string and thread records.
 */
int fxt_writer_record(struct fxt_writer *w, const struct fxt_content *c);

/*
 * Copy hot records (fxt_reader.h) from an archive. While interning, the names of their arguments
 * get the indices of this writer; otherwise the archive must have the same indices.
 *
 * Return: how many were written. The next one has a name without an index, and needs
 * fxt_writer_record(); or there was an error, which that will return.
 */
size_t fxt_writer_hot(struct fxt_writer *w, const uint64_t *words, size_t count);

/*
 * Write a record of a kind that the format does not define, unchanged. If it contains indices, they
 * refer to the writer's tables. @words: in the byte order of this machine. Return: 0 or an error;
 * -EINVAL while swapping, or if the header has another length.
 */
int fxt_writer_undefined(struct fxt_writer *w, const void *words, size_t bytes);

/*
 * Write the next part of a large blob's payload; the last record had @blob_held < @blob.bytes. The
 * last part completes the record; before that, the writer refuses others. Return: 0; -EINVAL if
 * fewer than @bytes are missing.
 */
int fxt_writer_payload(struct fxt_writer *w, const void *data, uint64_t bytes);

/* "Magic number record", the first of an archive. */
int fxt_writer_magic(struct fxt_writer *w);

/* "Provider info metadata". @name: UTF-8, at most 255 bytes */
int fxt_writer_provider(struct fxt_writer *w, uint32_t id, const char *name);

/* "Provider event metadata": the provider lost records. */
int fxt_writer_provider_event(struct fxt_writer *w, uint32_t id);

/* "Initialization record". @ticks_per_second: of all following time stamps, not 0 */
int fxt_writer_initialization(struct fxt_writer *w, uint64_t ticks_per_second);

/*
 * "String record": register a string. @index: 1 to 32767. @text: UTF-8, at most 32000 bytes
 *
 * The functions below take indices that this function or fxt_writer_record() has registered since
 * the last provider info; 0 is the empty string. They return -EINVAL for others, also for those
 * that only fxt_writer_put() has registered. After a provider section they cannot check indices.
 */
int fxt_writer_string(struct fxt_writer *w, uint16_t index, const char *text);

/* "BLOB record" of type data. @name: index of a registered string. @bytes: at most 32000 */
int fxt_writer_blob(struct fxt_writer *w, uint16_t name, const void *data,
		    size_t bytes);

/*
 * "BLOB record" of Perfetto's type. @name: index of a registered string. @data: packets in
 * Perfetto's format. @bytes: at most 32000
 */
int fxt_writer_perfetto(struct fxt_writer *w, uint16_t name, const void *data,
			size_t bytes);

/* "Kernel object record" of a process. @name: UTF-8, truncated to 32000 bytes */
int fxt_writer_process(struct fxt_writer *w, uint64_t koid, const char *name);

/*
 * "Kernel object record" of a thread. @process_ref: index of the registered string "process".
 * @name: UTF-8, truncated to 32000 bytes
 */
int fxt_writer_thread(struct fxt_writer *w, uint64_t koid, uint64_t process,
		      uint16_t process_ref, const char *name);

/* A duration-complete event with one Uint32 argument. Names are indices of registered strings. */
struct fxt_slice {
	uint64_t start;			/* ticks */
	uint64_t end;			/* ticks */
	uint64_t process;		/* koid */
	uint64_t thread;		/* koid */
	uint16_t category;
	uint16_t name;
	uint16_t arg_name;
	uint32_t arg;
};

/* "Duration complete event" with an inline thread. */
int fxt_writer_slice(struct fxt_writer *w, const struct fxt_slice *s);

#ifdef __cplusplus
}
#endif

#endif /* FXT_WRITER_H */
