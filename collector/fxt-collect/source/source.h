/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - where records come from, as everything above sees it.
 *
 * A source delivers chunks: whole FXT records of one stream (a CPU's, or that
 * of the names) in the order in which they were written, each chunk begun by a
 * ledger. Two sources exist: source_relay (the module's relay buffers) and
 * source_bpf (the rings of the BPF program). Nothing above this header knows
 * which one it uses.
 *
 * The order of calls: open, start, any number of next, stop, next until it
 * gives nothing more, stats, close. close may come at any point.
 *
 * In overwrite mode: open, start, next for the stream of names only, which nothing
 * is overwritten in; freeze, next (partial) until it gives nothing more, stats, thaw,
 * and so on; stop, which freezes, too, at last. All calls are
 * made from one thread and may block for as long as the kernel needs to answer,
 * but none waits for events.
 */
#ifndef FXT_COLLECT_SOURCE_H
#define FXT_COLLECT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/fxt_sched.h>

#include "process/error.h"

enum clock_kind {
	CLOCK_KIND_BOOT,
	CLOCK_KIND_MONO,
	CLOCK_KIND_TSC,
};

enum weight_mode {
	WEIGHT_MODE_WEIGHT,
	WEIGHT_MODE_PRIO,
};

#define FILTER_PIDS	64
/*
 * ns after which a record is in its buffer that tells of an event: a virtual CPU can be
 * stopped for long between its look at the clock and that.
 */
#define LATEST_NS	100000000ULL
#define MAX_CPUS	8192		/* the kernel's largest NR_CPUS */

/**
 * struct source_filter - what is to be recorded; the rest is not counted as lost
 * @cpus: list as in "0-3,8", NULL for all: switches on these CPUs, wakeups that put
 *	a thread on one of them
 * @has_cpu: the same, for each CPU
 * @pids: process ids, @pid_count of them, 0 for all: their threads, and the
 *	processes that those will make
 * @comm: pattern (fxt_glob.h) of thread names, NULL for all
 * @cgroup: path below the root of cgroup v2, beginning with a slash; NULL for all
 * @cgroup_id: the same as a number: the inode of its directory
 * @cgroup_is_empty: no thread was in it or below it when it was looked for
 * @cgroup_level: how deep it lies; 0 is the root
 *
 * A switch is kept if the thread that goes out or the one that comes in matches; a
 * wakeup, if the woken or the waking one does. A thread matches if it meets each of
 * @pids, @comm and @cgroup that is given.
 */
struct source_filter {
	const char *cpus;
	bool has_cpu[MAX_CPUS];
	uint32_t pids[FILTER_PIDS];
	unsigned int pid_count;
	const char *comm;
	const char *cgroup;
	uint64_t cgroup_id;
	bool cgroup_is_empty;
	unsigned int cgroup_level;
};

/**
 * struct source_trigger - when the kernel is to freeze the recording by itself
 * @latency: ns from a thread's wakeup to its switch-in that must be exceeded; 0 for
 *	no trigger
 * @after: ns that the recording goes on for after that
 * @comm: pattern of the names of the threads that count, NULL for all
 * @pid: process whose threads count, 0 for all
 */
struct source_trigger {
	uint64_t latency;
	uint64_t after;
	const char *comm;
	uint32_t pid;
};

/**
 * struct trigger_hit - the switch-in that was too late, or the latest of all
 * @time: ticks
 * @latency: ticks
 * @thread: its koid
 * @cpu: that it came in on
 */
struct trigger_hit {
	uint64_t time;
	uint64_t latency;
	uint32_t thread;
	uint32_t cpu;
};

/**
 * struct source_config - what a session is opened with
 * @subbuf_size: bytes, a power of two and a multiple of the page size
 * @subbuf_count: sub-buffers per CPU, at least 2
 * @clock: the clock of all time stamps
 * @weight: what weights hold
 * @overwrite: the newest records take the place of the oldest
 * @filter: NULL for none; must stay as long as the source is open, like @trigger
 * @trigger: only with @overwrite
 */
struct source_config {
	size_t subbuf_size;
	unsigned int subbuf_count;
	enum clock_kind clock;
	enum weight_mode weight;
	bool overwrite;
	const struct source_filter *filter;
	struct source_trigger trigger;
};

/**
 * struct chunk - records of one stream
 * @data: whole records, the first is a ledger (head or continued)
 * @bytes: length in bytes, more than 0
 * @kept: records of the stream that were kept up to this chunk's last one, as its
 *	producer counted; 0 if it did not
 * @last: with @kept: ticks of the last one
 *
 * Valid until the next call of next, stop or close.
 */
struct chunk {
	const void *data;
	size_t bytes;
	uint64_t kept;
	uint64_t last;
};

/**
 * struct stream_stats - what a stream's producer counted
 * @stream: CPU number or FXT_LEDGER_STREAM_NAMES
 * @switches: context switch records written or lost
 * @wakeups: wakeup records written or lost
 * @names: kernel object records written or lost (stream of names only)
 * @folded: renames that became no record, see fxt_rename.h (stream of names only)
 * @lost: how many of all records found no room, or no program to write them
 * @unseen: of these, how many events the kernel showed to no program (stream of names
 *	only): more room would not have helped
 * @last: ticks of the last record kept, 0 if there is none
 * @subbufs: sub-buffers begun, which is the sequence number after the last
 * @waiting: complete sub-buffers that were not read yet
 */
struct stream_stats {
	uint32_t stream;
	uint64_t switches;
	uint64_t wakeups;
	uint64_t names;
	uint64_t folded;
	uint64_t lost;
	uint64_t unseen;
	uint64_t last;
	uint32_t subbufs;
	uint32_t waiting;
};

/**
 * source_names_bytes() - the room for names that comes with a CPU's buffer
 * @buffer: bytes of that
 *
 * Return: bytes. The module has that for each CPU, BPF for all of them together.
 */
static inline uint64_t source_names_bytes(uint64_t buffer)
{
	uint64_t bytes = buffer / FXT_SCHED_NAMES_SHARE;

	if (bytes < FXT_SCHED_NAMES_SIZE_MIN)
		return FXT_SCHED_NAMES_SIZE_MIN;
	return bytes < FXT_SCHED_NAMES_SIZE_MAX ? bytes : FXT_SCHED_NAMES_SIZE_MAX;
}

struct source;

/* Takes kernel object records; returns 0 or a negative errno that ends the call. */
typedef int (*source_emit)(void *arg, const void *records, size_t bytes);

/* Takes the statistics of one stream. */
typedef void (*source_stat)(void *arg, const struct stream_stats *stats);

/**
 * struct source_ops - what a source can do
 * @name: "kmod" or "bpf"
 * @what: what a person would call it, for one line of information
 * @names_have_gaps: rundown and stream of names can miss tasks that /proc shows
 * @available: can it be used at all? 0, or a negative errno with @e filled in
 * @open: take the session and its buffers; nothing is traced yet
 * @start: begin to trace
 * @rundown: emit the kernel object records of all tasks; -ENODATA without @e: it
 *	cannot do so once more in this session, and /proc is to be asked
 * @next: give the next chunk: 1, or 0 if there is none, or a negative errno;
 *	with @partial also what unfinished sub-buffers hold by now
 * @stop: end tracing; what is in the buffers remains for next
 * @settle: what happened before this is among what next (partial) gives after it
 * @freeze: overwrite mode: record nothing more for now; what is in the buffers,
 *	without gaps and oldest first for each stream, is there for next
 * @thaw: overwrite mode: record again, into sub-buffers that hold nothing older;
 *	a trigger can fire again
 * @triggered: has the trigger fired since start or thaw? Then @hit tells how
 * @longest: has any thread that counts for the trigger waited, since open? Then @hit
 *	tells who waited longest; exact while nothing is recorded
 * @stats: give the statistics of every stream that exists; exact after stop
 * @skipped: events since open that reached no program, so that no stream counts
 *	them; NULL for a source that misses none
 * @now: the time in ticks of the session's clock
 * @close: free everything; NULL is ignored
 *
 * Those that return int give 0 or a negative errno with @e filled in, unless
 * said otherwise.
 */
struct source_ops {
	const char *name;
	const char *what;
	bool names_have_gaps;
	int (*available)(struct error *e);
	int (*open)(struct source **s, const struct source_config *c, struct error *e);
	int (*start)(struct source *s, struct error *e);
	int (*rundown)(struct source *s, source_emit emit, void *arg, struct error *e);
	int (*next)(struct source *s, struct chunk *c, bool partial, struct error *e);
	int (*stop)(struct source *s, struct error *e);
	void (*settle)(struct source *s);
	int (*freeze)(struct source *s, struct error *e);
	int (*thaw)(struct source *s, struct error *e);
	bool (*triggered)(struct source *s, struct trigger_hit *hit);
	bool (*longest)(struct source *s, struct trigger_hit *hit);
	int (*stats)(struct source *s, source_stat stat, void *arg, struct error *e);
	uint64_t (*skipped)(struct source *s);
	uint64_t (*now)(struct source *s);
	void (*close)(struct source *s);
};

/**
 * struct source - the part of a source that is common to all; begins each one
 * @ops: its operations
 * @poll_fd: readable while a complete sub-buffer waits; owned by the source
 * @ticks_per_second: of the session's clock
 * @limit: what records of this kernel lack, as text; NULL: nothing
 */
struct source {
	const struct source_ops *ops;
	int poll_fd;
	uint64_t ticks_per_second;
	const char *limit;
};

extern const struct source_ops source_relay;
extern const struct source_ops source_bpf;

#endif /* FXT_COLLECT_SOURCE_H */
