/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fxt_reader.h - walk over the records of an FXT archive.
 *
 * What flows in: an archive, from a file, a pipe or memory, plain or compressed
 * by gzip or zstd, in either byte order. What flows out: its records one by
 * one, where they lie in the reader's window, and their fields where asked for.
 * Memory is bounded by the format (one window, the string and thread tables of
 * each provider), never by the length of the archive.
 *
 * A reader has no global state, prints nothing and ends nothing. It is for one
 * thread at a time and may block in read(2). What it returns points into its
 * window or its tables and is valid until the next fxt_reader_next().
 *
 * Whatever the specification does not allow is a *deviation*: the reader hands
 * each to the caller's function, with byte offset, record number and field.
 * Words behind the last field are none (the format may be extended so), nor are
 * numbers of provider events and BLOB types that are not defined yet: they are
 * handed over as notes.
 * A strict reader then ends with -EBADMSG. A lenient one counts it and goes on:
 * if the record still makes sense it is returned, else it is skipped; where not
 * even the next record can be trusted to begin where this one says, the reader
 * looks for the next place from where on records follow one another again.
 */
#ifndef FXT_READER_H
#define FXT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fxt_reader;

/*
 * All kinds of records, sub-types told apart, and their names as tools print
 * them. FXT_KIND_UNKNOWN is what this version of the format does not define.
 */
#define FXT_KINDS(X)							\
	X(FXT_KIND_UNKNOWN,		"unknown")			\
	X(FXT_KIND_PROVIDER_INFO,	"provider_info")		\
	X(FXT_KIND_PROVIDER_SECTION,	"provider_section")		\
	X(FXT_KIND_PROVIDER_EVENT,	"provider_event")		\
	X(FXT_KIND_MAGIC,		"magic")			\
	X(FXT_KIND_INITIALIZATION,	"initialization")		\
	X(FXT_KIND_STRING,		"string")			\
	X(FXT_KIND_THREAD,		"thread")			\
	X(FXT_KIND_INSTANT,		"instant")			\
	X(FXT_KIND_COUNTER,		"counter")			\
	X(FXT_KIND_DURATION_BEGIN,	"duration_begin")		\
	X(FXT_KIND_DURATION_END,	"duration_end")			\
	X(FXT_KIND_DURATION_COMPLETE,	"duration_complete")		\
	X(FXT_KIND_ASYNC_BEGIN,		"async_begin")			\
	X(FXT_KIND_ASYNC_INSTANT,	"async_instant")		\
	X(FXT_KIND_ASYNC_END,		"async_end")			\
	X(FXT_KIND_FLOW_BEGIN,		"flow_begin")			\
	X(FXT_KIND_FLOW_STEP,		"flow_step")			\
	X(FXT_KIND_FLOW_END,		"flow_end")			\
	X(FXT_KIND_BLOB,		"blob")				\
	X(FXT_KIND_USERSPACE_OBJECT,	"userspace_object")		\
	X(FXT_KIND_KERNEL_OBJECT,	"kernel_object")		\
	X(FXT_KIND_LEGACY_SWITCH,	"legacy_context_switch")	\
	X(FXT_KIND_CONTEXT_SWITCH,	"context_switch")		\
	X(FXT_KIND_THREAD_WAKEUP,	"thread_wakeup")		\
	X(FXT_KIND_LOG,			"log")				\
	X(FXT_KIND_MODULE,		"module")			\
	X(FXT_KIND_MMAP,		"mmap")				\
	X(FXT_KIND_BACKTRACE,		"backtrace")			\
	X(FXT_KIND_LARGE_BLOB,		"large_blob")			\
	X(FXT_KIND_LARGE_BLOB_BARE,	"large_blob_no_metadata")

enum fxt_kind {
#define FXT_KIND_ENUM(kind, name) kind,
	FXT_KINDS(FXT_KIND_ENUM)
#undef FXT_KIND_ENUM
	FXT_KIND_COUNT
};

/* What can be wrong, and the names of it that tools print. */
#define FXT_DEVIATIONS(X)						\
	X(FXT_DEV_NO_MAGIC,		"no-magic")			\
	X(FXT_DEV_SIZE_ZERO,		"size-zero")			\
	X(FXT_DEV_PAST_END,		"past-end")			\
	X(FXT_DEV_TOO_SHORT,		"too-short")			\
	X(FXT_DEV_TRAILING,		"trailing-words")		\
	X(FXT_DEV_RESERVED,		"reserved-bits")		\
	X(FXT_DEV_PADDING,		"padding")			\
	X(FXT_DEV_UTF8,			"utf8")				\
	X(FXT_DEV_STRING_REF,		"string-ref")			\
	X(FXT_DEV_THREAD_REF,		"thread-ref")			\
	X(FXT_DEV_INDEX_ZERO,		"index-zero")			\
	X(FXT_DEV_PROVIDER,		"provider")			\
	X(FXT_DEV_VALUE,		"value")			\
	X(FXT_DEV_ARGUMENT,		"argument")			\
	X(FXT_DEV_COMPRESSION,		"compression")			\
	X(FXT_DEV_LIMIT,		"limit")

enum fxt_deviation_kind {
#define FXT_DEVIATION_ENUM(kind, name) kind,
	FXT_DEVIATIONS(FXT_DEVIATION_ENUM)
#undef FXT_DEVIATION_ENUM
	FXT_DEV_COUNT
};

/**
 * struct fxt_deviation - one thing that the specification does not allow, or a note
 * @offset: bytes from the archive's start (after decompression), of the word
 *	that is wrong; of padding and text, of the byte
 * @record: number of the record, from 0
 * @kind: what sort of thing
 * @lost: the record, or what stands there, cannot be interpreted
 * @note: no deviation; counts nowhere, and a strict reader goes on
 * @field: as the specification names it
 * @text: one line: "byte N: record N: FIELD: what is wrong"; valid during the call
 */
struct fxt_deviation {
	uint64_t offset;
	uint64_t record;
	enum fxt_deviation_kind kind;
	bool lost;
	bool note;
	const char *field;
	const char *text;
};

/**
 * struct fxt_reader_options - how to read
 * @strict: end at the first deviation
 * @format_2017: the event types are numbered as in the first public version of
 *	the format, and a magic number record is not expected
 * @max_table_bytes: what the string tables of all providers may take together;
 *	0 is 256 MiB
 * @deviation: called for each deviation; may be NULL
 * @arg: handed to @deviation
 * @progress: called after each read(2) with the bytes that were read so far, as they
 *	lie in the file, and with its size, 0 if that is not known; may be NULL
 * @progress_arg: handed to @progress
 */
struct fxt_reader_options {
	bool strict;
	bool format_2017;
	size_t max_table_bytes;
	void (*deviation)(void *arg, const struct fxt_deviation *d);
	void *arg;
	void (*progress)(void *arg, uint64_t bytes, uint64_t size);
	void *progress_arg;
};

/**
 * struct fxt_text - a string of the archive ("String references")
 * @bytes: as it stands there: not terminated, and in a lenient reader perhaps
 *	no UTF-8; never NULL
 * @length: bytes
 * @ref: the string ref: 0, an index, or inline with its length; of a string
 *	that the format has always inline, or in the writer, 0
 * @known: index in FXT_SCHED_STRINGS (fxt_strings.h) if it is one of those
 *	strings, else 0; whatever index the archive has it at
 */
struct fxt_text {
	const char *bytes;
	uint16_t length;
	uint16_t ref;
	uint16_t known;
};

/** struct fxt_bytes - binary data; @data is NULL when @bytes is 0 */
struct fxt_bytes {
	const void *data;
	uint64_t bytes;
};

/** struct fxt_thread_id - a resolved thread ref ("Thread references") */
struct fxt_thread_id {
	uint64_t process;	/* koid */
	uint64_t thread;	/* koid */
	uint8_t ref;		/* 0 if inline, else the index */
};

/**
 * struct fxt_arg - one argument ("Argument types")
 * @name: its name
 * @type: enum fxt_arg_type, or a number that the format does not define; all that
 *	is known of such an argument is @name, @u64 and @extra
 * @i64: of int32 and int64
 * @u64: of uint32, uint64, pointer, koid and bool (0 or 1); of an undefined type, the
 *	32 bits of the header that hold the value of other types
 * @f64: of double
 * @text: of string
 * @blob: of blob
 * @extra: words after the last one that is defined, as the archive has them
 */
struct fxt_arg {
	struct fxt_text name;
	uint8_t type;
	union {
		int64_t i64;
		uint64_t u64;
		double f64;
		struct fxt_text text;
		struct fxt_bytes blob;
	};
	struct fxt_bytes extra;
};

/**
 * struct fxt_provider - whose records they are
 * @id: provider id; 0 before the first provider info
 * @name: empty before the first provider info
 * @ticks_per_second: as its initialization record said so far, else 10^9
 * @known: a provider info was seen for it
 */
struct fxt_provider {
	uint32_t id;
	struct fxt_text name;
	uint64_t ticks_per_second;
	bool known;
};

/**
 * struct fxt_record - one record as it lies there
 * @offset: where it begins, bytes from the archive's start (decompressed)
 * @number: of the record, from 0; skipped ones count
 * @words: the record, header first, in the byte order of the archive
 * @size: its length in words
 * @held: how many of them are in memory: all, but of large records beyond 1 MiB
 * @kind: what it is
 * @type: enum fxt_record_type, or a number that the format does not define
 * @provider: that it belongs to; its address stays the same as long as it does
 */
struct fxt_record {
	uint64_t offset;
	uint64_t number;
	const uint64_t *words;
	uint64_t size;
	uint32_t held;
	uint16_t kind;
	uint8_t type;
	const struct fxt_provider *provider;
};

/**
 * struct fxt_switch - "Context Switch Record"
 * @in_weight: argument "incoming_weight", 0 if it is not there
 * @has_out_weight: the argument is there, and an Int32
 * @bad_weight: one of them is there and no Int32
 * @letter: the argument "state" if it is a string of one byte, else 0
 * @unknown: the argument "unknown": FXT_STR_LOST or FXT_STR_FILTERED;
 *	<fxt/fxt_unknown.h> says what the record then hides; else 0
 */
struct fxt_switch {
	uint64_t time;		/* ticks */
	uint64_t out;		/* koid */
	uint64_t in;		/* koid */
	int32_t out_weight;
	int32_t in_weight;
	uint16_t cpu;
	uint8_t state;		/* enum fxt_thread_state, of @out */
	char letter;
	bool has_out_weight;
	bool has_in_weight;
	bool bad_weight;
	uint8_t unknown;
};

/** fxt_switch_hides_in() - is it unknown who comes in? */
static inline bool fxt_switch_hides_in(const struct fxt_switch *sw)
{
	return sw->unknown && !sw->in;
}

/** struct fxt_wakeup - "Thread Wakeup Record"; as struct fxt_switch has it */
struct fxt_wakeup {
	uint64_t time;		/* ticks */
	uint64_t thread;	/* koid */
	uint64_t waker;		/* koid: argument "waker" */
	uint64_t interrupted;	/* koid: argument "interrupted" */
	int32_t weight;
	uint16_t cpu;
	uint8_t irq;		/* enum fxt_sched_irq: argument "irq"; 0: none of these */
	bool has_weight;
	bool has_waker;
	bool has_irq;		/* an interrupt woke it */
	bool has_interrupted;
	bool bad_weight;	/* "weight" is there and no Int32 */
	bool bad_waker;		/* "waker" is there and no koid */
	bool bad_irq;		/* "irq" is there and no String, "interrupted" and no koid */
	uint8_t unknown;	/* as of switches: how long @thread waits is unknown */
};

/** struct fxt_legacy_switch - "Legacy Context Switch Record" */
struct fxt_legacy_switch {
	struct fxt_thread_id out;
	struct fxt_thread_id in;
	uint8_t cpu;
	uint8_t state;		/* enum fxt_thread_state, of @out */
	uint8_t out_priority;
	uint8_t in_priority;
};

/**
 * struct fxt_content - all fields of one record, taken apart
 * @kind: which of the others are valid; the others are zero or not set
 * @time: ticks, of the kinds that fxt_kind_has_time() tells
 * @thread: of events, logs, profiler records and large blobs with metadata; of
 *	userspace objects (@thread.process alone)
 * @category: of events and large blobs
 * @name: of events, blobs, objects, providers and modules; the text of string
 *	records, the message of log records
 * @extra: words after the last field that is defined, as the archive has them; of
 *	large blobs, their number alone
 * @args: as many as @arg_count
 * @frames: of backtraces, as many as @frame_count, innermost first
 *
 * What is in the union belongs to the kinds that its comments name.
 */
struct fxt_content {
	enum fxt_kind kind;
	uint64_t time;
	struct fxt_thread_id thread;
	struct fxt_text category;
	struct fxt_text name;
	union {
		struct {			/* provider info, section, event */
			uint32_t provider_id;
			uint8_t event;		/* enum fxt_provider_event */
		};
		uint64_t ticks_per_second;	/* initialization */
		uint16_t index;			/* string, thread: registered at; of
						 * threads, @thread is what is */
		uint64_t end;			/* duration complete: ticks */
		uint64_t id;			/* counter, async, flow: the id */
		struct {			/* blob, both large blobs */
			struct fxt_bytes blob;
			uint64_t blob_held;	/* bytes at blob.data; the rest
						 * by fxt_reader_payload() */
			uint8_t blob_type;	/* enum fxt_blob_type; blob only */
		};
		struct {			/* userspace, kernel object */
			uint64_t object;	/* pointer or koid */
			uint8_t object_type;	/* enum fxt_object_type; kernel only */
		};
		struct fxt_switch sw;		/* context switch; @args has all */
		struct fxt_wakeup wakeup;	/* thread wakeup; @args has all */
		struct fxt_legacy_switch legacy;
		struct {			/* module, mmap */
			uint16_t module_id;
			uint8_t flags;		/* mmap */
			struct fxt_bytes build_id;	/* module */
			uint64_t start;		/* mmap: address */
			uint64_t range;		/* mmap: bytes */
			uint64_t vaddr;		/* mmap: address in the module */
		};
		uint8_t frame_count;		/* backtrace */
	};
	struct fxt_bytes extra;
	unsigned int arg_count;
	struct fxt_arg args[FXT_MAX_ARGS];
	uint64_t frames[FXT_MAX_FRAMES];
};

/**
 * struct fxt_reader_totals - what was read so far
 * @bytes: of the archive, decompressed
 * @records: skipped ones included
 * @skipped: records that could not be interpreted
 * @skipped_bytes: their bytes, and those that no record could be made of
 * @deviations: all of them
 */
struct fxt_reader_totals {
	uint64_t bytes;
	uint64_t records;
	uint64_t skipped;
	uint64_t skipped_bytes;
	uint64_t deviations;
};

/**
 * fxt_reader_open() - begin to read a file
 * @r: set to the new reader, also after -EBADMSG, for fxt_reader_error()
 * @path: of the archive; "-" is standard input
 * @o: how; NULL is all zero
 *
 * Return: 0; -EBADMSG if it does not begin as an archive does; else a negative
 * errno of open(2), read(2) or malloc(3), and @r is NULL.
 */
int fxt_reader_open(struct fxt_reader **r, const char *path,
		    const struct fxt_reader_options *o);

/** fxt_reader_open_fd() - the same; the descriptor stays the caller's */
int fxt_reader_open_fd(struct fxt_reader **r, int fd,
		       const struct fxt_reader_options *o);

/** fxt_reader_open_memory() - the same, from memory that outlives the reader */
int fxt_reader_open_memory(struct fxt_reader **r, const void *data, size_t bytes,
			   const struct fxt_reader_options *o);

/** fxt_reader_close() - free a reader; NULL is ignored */
void fxt_reader_close(struct fxt_reader *r);

/**
 * fxt_reader_next() - go to the next record
 * @r: the reader
 * @rec: set to it
 *
 * Metadata, initialization, string and thread records have taken effect when
 * they are returned.
 *
 * Return: 1; 0 at the end; -EBADMSG from a strict reader; -ENOMEM; a negative
 * errno of read(2). After an error only fxt_reader_close() makes sense.
 */
int fxt_reader_next(struct fxt_reader *r, struct fxt_record *rec);

/**
 * fxt_reader_content() - take the last record apart
 * @r: the reader
 * @rec: as fxt_reader_next() set it
 * @c: filled in
 *
 * Return: 0; -EBADMSG if it cannot be interpreted, or in a strict reader if it
 * deviates at all; -ENOTSUP if its kind is FXT_KIND_UNKNOWN. A lenient reader
 * may be asked for the next record after each of these.
 */
int fxt_reader_content(struct fxt_reader *r, const struct fxt_record *rec,
		       struct fxt_content *c);

/** fxt_reader_deviates() - does the last record deviate, as far as it was taken apart? */
bool fxt_reader_deviates(const struct fxt_reader *r);

/**
 * fxt_reader_confirm() - is the last record as long as its header says?
 * @r: the reader
 * @rec: as fxt_reader_next() set it; its words may move
 *
 * A record of an undefined kind, or one with words after its last field, may come
 * from a later version of the format or be damage that hides other records. A lenient
 * reader decides that when it goes on; this function decides now. What the record's
 * content points to is valid no longer.
 *
 * Return: false if other records begin within it, which will be returned next.
 */
bool fxt_reader_confirm(struct fxt_reader *r, struct fxt_record *rec);

/*
 * The same for the two kinds that archives are made of, and quicker. @rec is of
 * the kind that the function is named after.
 */
int fxt_reader_switch(struct fxt_reader *r, const struct fxt_record *rec,
		      struct fxt_switch *sw);
int fxt_reader_wakeup(struct fxt_reader *r, const struct fxt_record *rec,
		      struct fxt_wakeup *w);

/**
 * struct fxt_usual - a switch or a wakeup, as our producers write nearly all of them
 * @offset: of the record, as in struct fxt_record
 * @time: ns
 * @thread: koid, that goes out or is woken
 * @other: koid, that comes in or wakes
 * @weight: of the thread that comes in or is woken
 * @out_weight: of a switch, of the thread that goes out
 * @is_wakeup: 1 for wakeups, 0 for switches; a number, to calculate with
 * @state: enum fxt_thread_state, of the thread that goes out; 0 in wakeups
 */
struct fxt_usual {
	uint64_t offset;
	uint64_t time;
	uint64_t thread;
	uint64_t other;
	int32_t weight;
	int32_t out_weight;
	uint16_t cpu;
	uint8_t is_wakeup;
	uint8_t state;
};

/**
 * fxt_reader_next_usual() - go to the next record if it is a usual one
 * @r: the reader
 * @u: filled in, if true is returned
 *
 * The quickest way through an archive that is made of them: both kinds at once,
 * without a branch that depends on which one is next.
 *
 * Return: false, and the reader has not moved, if the next record is another one,
 * has other arguments than both weights, or the weight and the waker, may deviate,
 * counts time in other ticks than ns, or if no record that is written like it was
 * taken apart yet: then fxt_reader_next() is the way on.
 */
bool fxt_reader_next_usual(struct fxt_reader *r, struct fxt_usual *u);

/** fxt_reader_usual_record() - what that went to, as fxt_reader_next() sets it */
void fxt_reader_usual_record(const struct fxt_reader *r, struct fxt_record *rec);

/**
 * fxt_reader_payload() - read on in the payload of a large blob
 * @r: the reader; fxt_reader_content() was called for its last record
 * @piece: set to the next piece after what the content and earlier calls gave;
 *	valid until the next call; what the content points to is valid no longer
 *
 * Return: 1; 0 at the payload's end; else as fxt_reader_next().
 */
int fxt_reader_payload(struct fxt_reader *r, struct fxt_bytes *piece);

/** fxt_reader_error() - one line about the last error; "" if there was none */
const char *fxt_reader_error(const struct fxt_reader *r);

/** fxt_reader_totals() - what was read so far */
const struct fxt_reader_totals *fxt_reader_totals(const struct fxt_reader *r);

/** fxt_reader_compression() - "none", "gzip" or "zstd" */
const char *fxt_reader_compression(const struct fxt_reader *r);

/** fxt_reader_swapped() - the archive has the other byte order */
bool fxt_reader_swapped(const struct fxt_reader *r);

/** fxt_record_word() - word @i of a record, in the byte order of this machine */
uint64_t fxt_record_word(const struct fxt_reader *r, const struct fxt_record *rec,
			 uint32_t i);

/** fxt_kind_name() - as FXT_KINDS has it */
const char *fxt_kind_name(enum fxt_kind kind);

/** fxt_kind_has_time() - does word 1 of such records hold a time stamp? */
bool fxt_kind_has_time(enum fxt_kind kind);

/** fxt_deviation_name() - as FXT_DEVIATIONS has it */
const char *fxt_deviation_name(enum fxt_deviation_kind kind);

/** fxt_text_is() - is a string of the archive this one? */
bool fxt_text_is(const struct fxt_text *text, const char *other);

/** fxt_ticks_to_ns() - time stamps in ns; cut to 64 bits, rounded down */
static inline uint64_t fxt_ticks_to_ns(uint64_t ticks, uint64_t ticks_per_second)
{
	if (ticks_per_second == 1000000000)
		return ticks;
	return (unsigned __int128)ticks * 1000000000 / ticks_per_second;
}

#ifdef __cplusplus
}
#endif

#endif /* FXT_READER_H */
