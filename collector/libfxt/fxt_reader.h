/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fxt_reader.h - read the records of an FXT archive.
 *
 * In:  an archive from a file, a pipe or memory, in either byte order; plain, or compressed with
 *      gzip, zlib, zstd, or, if the build has their libraries, xz or bzip2.
 * Out: its records one by one, in place in the reader's window, and their decoded fields on
 *      request.
 *
 * The format bounds the memory (one window, and the string and thread tables of each provider); the
 * length of the archive does not matter.
 *
 * A reader has no global state, prints nothing and never exits. Only one thread at a time may use
 * it, and it may block in read(2). Returned pointers lead into its window or its tables and are
 * valid until the next fxt_reader_next().
 *
 * What the specification does not allow is a *deviation*. The reader reports each one to the
 * caller's function with byte offset, record number and field. It reports as notes what later
 * versions of the format may add: words after the last field, provider events and BLOB types with
 * undefined numbers.
 *
 * A strict reader ends with -EBADMSG at the first deviation. A lenient reader counts deviations and
 * continues: it returns a record that still makes sense, and skips one that does not. Where it
 * cannot trust a record's size, it searches for the next place from which records follow one
 * another again.
 */
#ifndef FXT_READER_H
#define FXT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt.h>
#include <fxt/fxt_sched_ids.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fxt_reader;

/*
 * One for each sub-type, with the names that tools print. FXT_KIND_UNKNOWN is any record that this
 * version of the format does not define.
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

/* With the names that tools print. */
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

struct fxt_deviation {
	/*
	 * of the wrong word, in bytes from the archive's start (after decompression); of the wrong
	 * byte in padding and text
	 */
	uint64_t offset;
	uint64_t record;		/* of the record, from 0 */
	enum fxt_deviation_kind kind;
	bool lost;	/* the reader cannot interpret the record, or the words in its place */
	/* not a deviation: it is not counted, and a strict reader continues */
	bool note;
	const char *field;		/* as the specification names it */
	/* one line: "byte N: record N: FIELD: what is wrong"; valid during the call */
	const char *text;
};

struct fxt_record;

struct fxt_reader_options {
	bool strict;			/* end at the first deviation */
	/*
	 * event types have the numbers of the first public version, which has no magic number
	 * record
	 */
	bool format_2017;
	size_t max_table_bytes;	/* for all providers together; 0: 256 MiB */
	/* called for each deviation and note; may be NULL */
	void (*deviation)(void *arg, const struct fxt_deviation *d);
	/*
	 * called for each record of metadata, strings or threads that makes no sense, which
	 * fxt_reader_next() therefore does not return; may be NULL
	 */
	void (*skipped)(void *arg, const struct fxt_record *rec);
	void *arg;			/* passed to @deviation and @skipped */
	/*
	 * called after each read(2) with the bytes of the file read so far, before decompression,
	 * and with the file's size, 0 if unknown; may be NULL
	 */
	void (*progress)(void *arg, uint64_t bytes, uint64_t size);
	void *progress_arg;
};

/* A string of the archive ("String references"). */
struct fxt_text {
	/* as stored: not terminated, never NULL; a lenient reader also returns invalid UTF-8 */
	const char *bytes;
	uint16_t length;		/* in bytes */
	/*
	 * string ref: 0, an index, or inline with its length; 0 for strings that are always inline,
	 * and in the writer
	 */
	uint16_t ref;
	/*
	 * index of the same text in FXT_SCHED_STRINGS (fxt_sched_ids.h), whatever index the archive
	 * uses; 0 if that does not have the text
	 */
	uint16_t known;
};

/* Binary data; @data is NULL when @bytes is 0. */
struct fxt_bytes {
	const void *data;
	uint64_t bytes;
};

/* A resolved thread ref ("Thread references"). */
struct fxt_thread_id {
	uint64_t process;	/* koid */
	uint64_t thread;	/* koid */
	uint8_t ref;		/* index; 0 if inline */
};

/* An argument ("Argument types"). */
struct fxt_arg {
	struct fxt_text name;
	/* enum fxt_arg_type, or an undefined number; then only @name, @u64 and @extra are valid */
	uint8_t type;
	union {
		int64_t i64;		/* int32 and int64 */
		uint64_t u64;		/* uint32, uint64, pointer, koid and bool (0 or 1); of an
					 * undefined type the 32 bits that hold others' values */
		double f64;
		struct fxt_text text;
		struct fxt_bytes blob;
	};
	struct fxt_bytes extra;		/* words after the last defined field, unchanged */
};

struct fxt_provider {
	uint32_t id;			/* 0 before the first provider info */
	struct fxt_text name;		/* empty before the first provider info */
	/* from its last initialization record; 10^9 before the first */
	uint64_t ticks_per_second;
	bool known;			/* the archive has a provider info for it */
};

/* One record, not decoded. */
struct fxt_record {
	/* of its header, in bytes from the archive's start (decompressed) */
	uint64_t offset;
	uint64_t number;		/* from 0; skipped records count */
	const uint64_t *words;	/* header first, in the byte order of the archive */
	uint64_t size;			/* in words */
	uint32_t held;	/* words in memory: all, except for large records beyond 1 MiB */
	uint16_t kind;			/* enum fxt_kind */
	uint8_t type;	/* enum fxt_record_type, or an undefined number */
	const struct fxt_provider *provider;	/* its address identifies it */
};

/* "Context Switch Record" */
struct fxt_switch {
	uint64_t time;		/* ticks */
	uint64_t out;		/* koid */
	uint64_t in;		/* koid */
	int32_t out_weight;
	int32_t in_weight;		/* 0 if missing */
	uint16_t cpu;
	uint8_t state;		/* enum fxt_thread_state, of @out */
	char letter;			/* argument "state" if it is a string of one byte, else 0 */
	bool has_out_weight;		/* the argument is present and an Int32 */
	bool has_in_weight;
	bool bad_weight;		/* a weight is present but not an Int32 */
	/*
	 * argument "unknown": FXT_STR_LOST, FXT_STR_FILTERED or the kind of a mark, else 0;
	 * <fxt/fxt_unknown.h> and <fxt/fxt_mark.h> define what such a record hides
	 */
	uint8_t unknown;
};

static inline bool fxt_switch_hides_in(const struct fxt_switch *sw)
{
	return sw->unknown && !sw->in && !fxt_mark_is_begin(sw->unknown);
}

static inline bool fxt_switch_hides_out(const struct fxt_switch *sw)
{
	return fxt_mark_is_begin(sw->unknown);
}

/* "Thread Wakeup Record"; fields as in struct fxt_switch. */
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
	bool bad_weight;	/* "weight" is present but not an Int32 */
	bool bad_waker;		/* "waker" is present but not a koid */
	bool bad_irq;		/* "irq" is not a String, or "interrupted" not a koid */
	uint8_t unknown;	/* as in switches: @thread's waiting time is unknown */
};

/* "Legacy Context Switch Record" */
struct fxt_legacy_switch {
	struct fxt_thread_id out;
	struct fxt_thread_id in;
	uint8_t cpu;
	uint8_t state;		/* enum fxt_thread_state, of @out */
	uint8_t out_priority;
	uint8_t in_priority;
};

/*
 * The decoded fields of one record. The comments in the union name the kinds that have each member.
 */
struct fxt_content {
	/* decides which other fields are valid; the rest is zero or not set */
	enum fxt_kind kind;
	/* ticks; of kinds with fxt_kind_has_time(), and of large blobs with metadata */
	uint64_t time;
	/*
	 * of events, logs, profiler records and large blobs with metadata; of userspace objects
	 * only @thread.process
	 */
	struct fxt_thread_id thread;
	struct fxt_text category;	/* of events and large blobs */
	/*
	 * of events, blobs, objects, providers and modules; the text of string records, the message
	 * of log records
	 */
	struct fxt_text name;
	union {
		struct {			/* provider info, section, event */
			uint32_t provider_id;
			uint8_t event;		/* enum fxt_provider_event */
		};
		uint64_t ticks_per_second;	/* initialization */
		uint16_t index;			/* string, thread: where the record
						 * registers @name or @thread */
		uint64_t end;			/* duration complete: ticks */
		uint64_t id;			/* counter, async, flow */
		struct {			/* blob, both large blobs */
			struct fxt_bytes blob;
			uint64_t blob_held;	/* bytes at blob.data; the rest
						 * from fxt_reader_payload() */
			uint8_t blob_type;	/* enum fxt_blob_type; blob only */
		};
		struct {			/* userspace, kernel object */
			uint64_t object;	/* pointer or koid */
			uint8_t object_type;	/* enum fxt_object_type; kernel only */
		};
		struct fxt_switch sw;		/* context switch; also in @args */
		struct fxt_wakeup wakeup;	/* thread wakeup; also in @args */
		struct fxt_legacy_switch legacy;
		struct {			/* module, mmap */
			uint16_t module_id;
			uint8_t flags;		/* mmap */
			struct fxt_bytes build_id;	/* module */
			uint64_t start;		/* mmap: address */
			uint64_t range;		/* mmap: bytes */
			uint64_t vaddr;		/* mmap: address in the module */
		};
		struct {			/* backtrace */
			uint8_t frame_count;
			uint32_t frame_flags;	/* bits that the format reserves */
		};
	};
	/* words after the last defined field, unchanged; of large blobs only their number */
	struct fxt_bytes extra;
	unsigned int arg_count;
	struct fxt_arg args[FXT_MAX_ARGS];	/* @arg_count of them */
	/* of backtraces, @frame_count of them, innermost first */
	uint64_t frames[FXT_MAX_FRAMES];
};

struct fxt_reader_totals {
	uint64_t bytes;			/* decompressed */
	uint64_t records;		/* including skipped ones */
	uint64_t skipped;		/* records that could not be interpreted */
	uint64_t skipped_bytes;		/* of these, and bytes that belong to no record */
	uint64_t deviations;		/* without notes */
};

/*
 * Open an archive. @r: also set after -EBADMSG, for fxt_reader_error(). @path: "-" is standard
 * input. @o: NULL: all zero.
 *
 * Return: 0; -EBADMSG if the file does not begin like an archive; a negative errno of open(2),
 * read(2) or malloc(3), with @r set to NULL.
 */
int fxt_reader_open(struct fxt_reader **r, const char *path,
		    const struct fxt_reader_options *o);

/* The caller still owns @fd. */
int fxt_reader_open_fd(struct fxt_reader **r, int fd,
		       const struct fxt_reader_options *o);

/* @data must outlive the reader. */
int fxt_reader_open_memory(struct fxt_reader **r, const void *data, size_t bytes,
			   const struct fxt_reader_options *o);

/* NULL is ignored. */
void fxt_reader_close(struct fxt_reader *r);

/*
 * Go to the next record. Records of metadata, initialization, strings and threads have already
 * changed the reader's tables when they are returned.
 *
 * Return: 1; 0 at the end; -EBADMSG from a strict reader; -ENOMEM; a negative errno of read(2).
 * After an error the caller can only close the reader.
 */
int fxt_reader_next(struct fxt_reader *r, struct fxt_record *rec);

/*
 * Decode the current record. @rec: as fxt_reader_next() set it
 *
 * Return: 0; -EBADMSG if the record makes no sense, or, in a strict reader, deviates at all;
 * -ENOTSUP if its kind is FXT_KIND_UNKNOWN. A lenient reader can go to the next record after each
 * of these.
 */
int fxt_reader_content(struct fxt_reader *r, const struct fxt_record *rec,
		       struct fxt_content *c);

/* Did decoding find a deviation in the current record so far? */
bool fxt_reader_deviates(const struct fxt_reader *r);

/*
 * Is the current record as long as its header says? @rec: its words may move
 *
 * A record of an undefined kind, or one with words after its last field, comes either from a later
 * version of the format or from damage that hides other records. A lenient reader decides that when
 * it continues; this function decides it now. It invalidates the pointers in the record's content.
 *
 * Return: false if other records begin within it; fxt_reader_next() returns these next.
 */
bool fxt_reader_confirm(struct fxt_reader *r, struct fxt_record *rec);

/*
 * Faster than fxt_reader_content(), for the two most frequent kinds. @rec must be of the kind in
 * the function's name.
 */
int fxt_reader_switch(struct fxt_reader *r, const struct fxt_record *rec,
		      struct fxt_switch *sw);
int fxt_reader_wakeup(struct fxt_reader *r, const struct fxt_record *rec,
		      struct fxt_wakeup *w);

/*
 * Go to the next switches, and decode them, with @time in ns. Skips other records, and switches
 * that a lenient reader cannot decode. @count: room at @sw; set to the number of switches there,
 * also after an error
 *
 * Return: 1 if all of the room is filled; 0 at the end; else as fxt_reader_next().
 */
int fxt_reader_switches(struct fxt_reader *r, struct fxt_switch *sw, size_t *count);

/* A hot record: a switch or wakeup in the form that our producers nearly always write. */
#define FXT_HOT_WORDS	6
#define FXT_HOT_BYTES	(FXT_HOT_WORDS * FXT_WORD)

struct fxt_hot {
	uint64_t offset;		/* of the record, as in struct fxt_record */
	uint64_t time;			/* ns */
	uint64_t thread;		/* koid; outgoing or woken */
	uint64_t other;			/* koid; incoming thread or waker */
	int32_t weight;			/* of the incoming or woken thread */
	uint16_t cpu;
	/* 1 for wakeups, 0 for switches; a number, so that callers can index with it */
	uint8_t is_wakeup;
	uint8_t state;	/* enum fxt_thread_state of the outgoing thread; 0 in wakeups */
	/*
	 * Of the outgoing thread, in switches. Not next to @weight: a single load of both would
	 * have to wait for two stores.
	 */
	int32_t out_weight;
};

struct fxt_hot_run {
	const uint64_t *words;		/* of the first one, in the byte order of this machine */
	uint64_t offset;		/* of the first one */
	size_t count;	/* 0: the caller must use fxt_reader_next() */
};

/* The usual limit of records in a run. */
#define FXT_HOT_RUN	64

static inline bool fxt_hot_is_wakeup(const uint64_t *w)
{
	return fxt_get(FXT_SCHEDULING_TYPE, w[0]) == FXT_SCHEDULING_THREAD_WAKEUP;
}

/*
 * @offset: of the record. @is_wakeup: of fxt_hot_is_wakeup(); a constant, where the caller has a
 * path for each kind
 */
static inline struct fxt_hot fxt_hot_get(const uint64_t *w, uint64_t offset, bool is_wakeup)
{
	return (struct fxt_hot){
		.offset = offset,
		.time = w[1],
		.thread = w[2],
		.other = w[is_wakeup ? 5 : 3],
		.weight = (int32_t)fxt_get(FXT_ARG_VALUE_32, w[is_wakeup ? 3 : 5]),
		.cpu = (uint16_t)fxt_get(FXT_SWITCH_CPU, w[0]),
		.is_wakeup = is_wakeup,
		.state = (uint8_t)(is_wakeup ? 0 : fxt_get(FXT_SWITCH_STATE, w[0])),
		.out_weight = is_wakeup ? 0 : (int32_t)fxt_get(FXT_ARG_VALUE_32, w[4]),
	};
}

/*
 * Find the hot records that are next, at most @most, without going to them. The fastest way through
 * an archive that consists mostly of switches and wakeups.
 *
 * A record is not hot if it is of another kind, has other arguments (than both weights in a switch,
 * weight and waker in a wakeup), may deviate, or has ticks other than ns. The first record of a
 * kind to which none of this applies becomes the form of the others.
 *
 * Return: the run, valid until the reader goes to a record outside of it.
 */
struct fxt_hot_run fxt_reader_hot_run(struct fxt_reader *r, size_t most);

void fxt_reader_skip_hot(struct fxt_reader *r, size_t count);

/* Successive switches and wakeups, of different sizes. */
struct fxt_sched_run {
	const uint64_t *words;		/* of the first one, in the byte order of this machine */
	const uint64_t *end;		/* of all */
	size_t count;	/* 0: the caller must use fxt_reader_next() */
};

/*
 * Like fxt_reader_hot_run(), but also with other arguments that a record of the same size and cause
 * has had before, so words after the format's fields differ. None has "unknown".
 */
struct fxt_sched_run fxt_reader_sched_run(struct fxt_reader *r, size_t most);

/* Go to the last of the first @count records of a run, of @words. */
void fxt_reader_skip(struct fxt_reader *r, size_t count, size_t words);

/* How a nearly hot record ends. */
struct fxt_hot_end {
	/* struct fxt_hot has another thread: in a switch, and in a wakeup with @irq */
	bool has_other;
	char state;			/* of a switch: the argument "state", an ASCII letter */
	/* of a wakeup: enum fxt_sched_irq; FXT_SCHED_IRQ_NONE: the idle thread woke it */
	uint8_t irq;
};

/*
 * Decode a record that differs from a hot one only in its last arguments: a switch with "state"
 * after the weights, or a wakeup without "waker", perhaps with "irq", perhaps with "interrupted"
 * after it. @u: set; @other is the interrupted thread of a wakeup
 *
 * Return: false if it is another one, or may deviate, or has ticks other than ns.
 */
bool fxt_reader_nearly_hot(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_hot *u,
			   struct fxt_hot_end *end);

/* Set @rec as fxt_reader_next() would for the current hot record. */
void fxt_reader_hot_record(const struct fxt_reader *r, struct fxt_record *rec);

/*
 * Read the next part of a large blob's payload, after fxt_reader_content(). This invalidates the
 * pointers in the record's content. @piece: set to the bytes that follow those of the content and
 * of earlier calls; valid until the next call
 *
 * Return: 1; 0 at the payload's end; else as fxt_reader_next().
 */
int fxt_reader_payload(struct fxt_reader *r, struct fxt_bytes *piece);

/* One line that describes the last error; "" without an error. */
const char *fxt_reader_error(const struct fxt_reader *r);

const struct fxt_reader_totals *fxt_reader_totals(const struct fxt_reader *r);

/* "none", "gzip", "zstd", "zlib", "xz" or "bzip2" */
const char *fxt_reader_compression(const struct fxt_reader *r);

/* Does the archive have the other byte order? */
bool fxt_reader_swapped(const struct fxt_reader *r);

/* Word @i in the byte order of this machine. */
uint64_t fxt_record_word(const struct fxt_reader *r, const struct fxt_record *rec,
			 uint32_t i);

const char *fxt_kind_name(enum fxt_kind kind);

/* Is word 1 of records of this kind a time stamp? */
bool fxt_kind_has_time(enum fxt_kind kind);

const char *fxt_deviation_name(enum fxt_deviation_kind kind);

bool fxt_text_is(const struct fxt_text *text, const char *other);

/* Rounded down, truncated to 64 bits. */
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
