// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * relay.c - the source that reads the module's relay buffers (include/uapi/linux/fxt_sched.h).
 *
 * A chunk of a CPU is one sub-buffer as read(2) returned it; chunks of names are merged from the
 * buffers of all CPUs. Only opening the device requires a capability; streams opened later do not.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>
#include <linux/fxt_sched.h>

#include "source/cgroups.h"
#include "source/groups.h"
#include "source/source.h"
#include "device.h"
#include "names.h"

/* In the order of relay.files: the names of each CPU, then the CPUs. */
#define NAMES_FILE(cpu)		(cpu)
#define CPU_FILE(r, cpu)	((r)->cpu_count + (cpu))

struct relay {
	struct source source;
	int device;
	bool overwrite;
	size_t subbuf_size;
	size_t cpu_count;
	size_t file_count;
	int *files;		/* -1 for a CPU without a buffer */
	struct relay_names names;
	uint64_t flushed;	/* ticks; all older names are in the buffers */
	size_t cursor;		/* the current file of a partial pass */
	unsigned int in_turn;	/* chunks of that file handed out by it */
	unsigned int subbuf_count;
	uint32_t record_words;	/* which the module reserves, at most */
	size_t room;		/* of @buffer, bytes */
	void *buffer;
};

static struct relay *relay_of(struct source *s)
{
	return (struct relay *)s;
}

/* Sessions end, so that there are too many is no reason to use another source. */
static int relay_available(struct error *e)
{
	int device = device_open(e);

	if (device >= 0)
		close(device);
	return device < 0 && device != -EBUSY ? device : 0;
}

static bool is_of_names(const struct relay *r, size_t index)
{
	return index < CPU_FILE(r, 0);
}

/*
 * Open a stream and poll it. Neither a missing one is an error, nor one without a buffer (-ENOMEM),
 * because the module counts its records as lost. Streams in overwrite mode are not polled, because
 * each complete sub-buffer would cause a needless wakeup.
 */
static int open_file(struct relay *r, size_t index, struct error *e)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = index };
	bool names = is_of_names(r, index);
	size_t cpu = names ? index : index - CPU_FILE(r, 0);
	int fd = device_stream(r->device,
			       names ? FXT_SCHED_STREAM_NAMES : FXT_SCHED_STREAM_CPU, cpu);
	int ret = fd < 0 ? fd : 0;

	if (ret == -ENOENT || ret == -ENOMEM)
		return 0;
	if (!ret && (names || !r->overwrite) &&
	    epoll_ctl(r->source.poll_fd, EPOLL_CTL_ADD, fd, &event))
		ret = -errno;
	if (!ret) {
		r->files[index] = fd;
		return 0;
	}
	if (fd >= 0)
		close(fd);
	return fail(e, EXIT_FAILED, ret, "cannot open the module's %s of CPU %zu: %s",
		    names ? "names" : "records", cpu, strerror(-ret));
}

/* Open streams of CPUs that came online since the last call. */
static int open_files(struct relay *r, struct error *e)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < r->file_count && !ret; i++)
		if (r->files[i] < 0)
			ret = open_file(r, i, e);
	return ret;
}

static void relay_close(struct source *s)
{
	struct relay *r = relay_of(s);
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->file_count; i++)
		if (r->files[i] >= 0)
			close(r->files[i]);
	if (r->device >= 0)
		close(r->device);
	if (r->source.poll_fd >= 0)
		close(r->source.poll_fd);
	relay_names_close(&r->names);
	free(r->files);
	free(r->buffer);
	free(r);
}

static struct relay *relay_new(const struct source_config *c)
{
	struct relay *r = calloc(1, sizeof(*r));
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t i;

	if (!r)
		return NULL;
	r->source.ops = &source_relay;
	r->device = -1;
	r->overwrite = c->overwrite;
	r->subbuf_size = c->subbuf_size;
	r->subbuf_count = c->subbuf_count;
	r->record_words = source_record_words(c);
	/* The module reserves more for a stack than its record can have. */
	if (c->stacks.what && r->record_words < FXT_SCHED_STACK_ROOM(c->stacks.depth))
		r->record_words = FXT_SCHED_STACK_ROOM(c->stacks.depth);
	r->cpu_count = cpus;
	r->file_count = CPU_FILE(r, cpus);
	/* Sub-buffers of names may be larger than those of CPUs. */
	r->room = c->subbuf_size > 1 << 20 ? c->subbuf_size : 1 << 20;
	r->files = calloc(r->file_count, sizeof(*r->files));
	r->buffer = aligned_alloc(4096, r->room);
	r->source.poll_fd = epoll_create1(EPOLL_CLOEXEC);
	for (i = 0; r->files && i < r->file_count; i++)
		r->files[i] = -1;
	if (r->files && r->buffer && r->source.poll_fd >= 0 &&
	    !relay_names_open(&r->names, cpus))
		return r;
	if (!r->files)
		r->file_count = 0;
	relay_close(&r->source);
	return NULL;
}

/* The module has no hook for throttled cgroups, so only the collector's counters are recorded. */
static int accept_throttle(struct relay *r, struct source_config *c, struct error *e)
{
	const char *lacks = cgroups_lack_quotas();

	if (!(c->events & FXT_SCHED_EVENTS_THROTTLE))
		return 0;
	c->events &= ~FXT_SCHED_EVENTS_THROTTLE;
	if (!lacks) {
		r->source.events |= FXT_SCHED_EVENTS_THROTTLE;
		return 0;
	}
	if (c->events_optional) {
		snprintf(r->source.lacking, sizeof(r->source.lacking), "throttle: %s", lacks);
		return 0;
	}
	return fail(e, EXIT_NO_SOURCE, -EOPNOTSUPP,
		    "--events throttle: the module has no hook for it, and %s; omit it, or use all to record what this kernel has",
		    lacks);
}

static void leave_out(struct relay *r, struct source_config *c)
{
	uint64_t lacking = c->events & ~device_events(r->device);
	char *text = r->source.lacking;
	size_t used = strlen(text), room = sizeof(r->source.lacking);

	c->events &= ~lacking;
	for (; lacking && used < room; lacking &= lacking - 1)
		used += snprintf(text + used, room - used, "%s%s: this kernel lacks a tracepoint",
				 used ? ", " : "", event_group_name(lacking & -lacking));
}

static int open_session(struct relay *r, struct source_config *c, struct error *e)
{
	int ret;

	if (source_tracepoints(c))
		return fail(e, EXIT_NO_SOURCE, -EOPNOTSUPP,
			    "--events tp:%s: the module records no tracepoints that are chosen by name; use --source=bpf",
			    c->tracepoints->all[0].name);
	if (c->trigger.limit[FXT_SCHED_CAUSE_RUNNABLE])
		return fail(e, EXIT_NO_SOURCE, -EOPNOTSUPP,
			    "--trigger runnable>%" PRIu64 ": modules have no access to run queues; use --source=bpf",
			    c->trigger.limit[FXT_SCHED_CAUSE_RUNNABLE]);
	if (c->stacks.what & STACKS_CHECK)
		return fail(e, EXIT_NO_SOURCE, -EOPNOTSUPP,
			    "--stacks check: the module lets the kernel unwind all stacks of the kernel; use --source=bpf");
	r->device = device_open(e);
	ret = r->device < 0 ? r->device : accept_throttle(r, c, e);
	if (!ret && c->events_optional)
		leave_out(r, c);
	ret = ret ? ret : device_configure(r->device, c, e);
	if (ret)
		return ret;
	r->source.ticks_per_second = device_status(r->device).ticks_per_second;
	r->source.events |= c->events;
	return open_files(r, e);
}

static int relay_open(struct source **s, const struct source_config *c,
		      struct error *e)
{
	struct source_config config = *c;
	struct relay *r = relay_new(c);
	int ret;

	if (!r)
		return fail(e, EXIT_FAILED, -ENOMEM,
			    "cannot set up reading from the module: %s",
			    strerror(errno));
	ret = open_session(r, &config, e);
	if (ret)
		relay_close(&r->source);
	else
		*s = &r->source;
	return ret;
}

static int relay_start(struct source *s, struct error *e)
{
	return device_control(relay_of(s)->device, FXT_SCHED_IOC_START, "start", e);
}

static int relay_rundown(struct source *s, source_emit emit, void *arg,
			 struct error *e)
{
	struct relay *r = relay_of(s);
	int fd = device_stream(r->device, FXT_SCHED_STREAM_RUNDOWN, 0);
	size_t used = 0, whole;
	ssize_t n = -1;
	int ret = 0;

	if (fd < 0) {
		errno = -fd;
		goto failed;
	}
	/* A read may end in the middle of a record: keep its beginning for the next read. */
	while (!ret && (n = read(fd, (char *)r->buffer + used, r->room - used)) > 0) {
		const uint64_t *words = r->buffer;
		uint64_t size;

		used += n;
		for (whole = 0; whole * FXT_WORD < used; whole += size) {
			size = fxt_get(FXT_SIZE, words[whole]);
			if (!size || (whole + size) * FXT_WORD > used)
				break;
		}
		whole *= FXT_WORD;
		ret = emit(arg, r->buffer, whole);
		memmove(r->buffer, (char *)r->buffer + whole, used - whole);
		used -= whole;
	}
	if (n < 0 && !ret)
		goto failed;
	close(fd);
	return ret;
failed:
	ret = -errno;
	if (fd >= 0)
		close(fd);
	return fail(e, EXIT_FAILED, ret, "cannot read the module's rundown: %s",
		    strerror(-ret));
}

static uint64_t relay_now(struct source *s)
{
	return device_status(relay_of(s)->device).now;
}

/* Return: 1; 0 if the file is empty; a negative errno */
static int read_chunk(struct relay *r, size_t index, struct chunk *c,
		      struct error *e)
{
	ssize_t n = read(r->files[index], r->buffer, r->room);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		n = 0;
	if (n < 0)
		return fail(e, EXIT_FAILED, -errno,
			    "cannot read from the module: %s", strerror(errno));
	*c = (struct chunk){ .data = r->buffer, .bytes = n };
	return n > 0;
}

/* Likewise; the names are kept until those of all CPUs are read. */
static int read_names(struct relay *r, size_t index, struct error *e)
{
	struct chunk c = { 0 };
	int ret = read_chunk(r, index, &c, e);

	if (ret <= 0)
		return ret;
	ret = relay_names_add(&r->names, index, c.data, c.bytes);
	if (ret == -ENOMEM)
		return fail(e, EXIT_FAILED, ret, "out of memory for task names");
	if (ret)
		return fail(e, EXIT_FAILED, ret,
			    "the module returned invalid name records; this is a bug, please report it");
	return 1;
}

/*
 * Read all names currently in the buffers. Each read closes the sub-buffer being filled, so a CPU
 * that keeps producing names could make this endless. But as many sub-buffers as a buffer has
 * include everything that was there at the beginning.
 */
static int read_all_names(struct relay *r, struct error *e)
{
	uint64_t late = LATEST_NS / 1000 * r->source.ticks_per_second / 1000000;
	uint64_t now = relay_now(&r->source);
	unsigned int left;
	size_t i;
	int ret;

	for (i = 0; i < r->cpu_count; i++) {
		ret = r->files[NAMES_FILE(i)] >= 0;
		for (left = FXT_SCHED_NAMES_SUBBUFS + 1; ret > 0 && left; left--)
			ret = read_names(r, NAMES_FILE(i), e);
		if (ret < 0)
			return ret;
	}
	if (now > late && now - late > r->names.until)
		r->names.until = now - late;
	if (r->flushed > r->names.until)
		r->names.until = r->flushed;
	return 0;
}

/*
 * A pass over all files: each file of a CPU until it returns a sub-buffer that was not full, or as
 * many as the buffer has. So the pass ends however busy a CPU is.
 */
static int next_partial(struct relay *r, struct chunk *c, struct error *e)
{
	size_t almost = r->subbuf_size - r->record_words * FXT_WORD;
	int ret;

	if (!r->cursor) {
		ret = open_files(r, e);
		ret = ret ? ret : read_all_names(r, e);
		if (ret)
			return ret;
		r->cursor = CPU_FILE(r, 0);
	}
	if (relay_names_next(&r->names, c, true))
		return 1;
	for (; r->cursor < r->file_count; r->cursor++, r->in_turn = 0) {
		if (r->files[r->cursor] < 0 || r->in_turn > r->subbuf_count)
			continue;
		ret = read_chunk(r, r->cursor, c, e);
		if (!ret)
			continue;
		if (ret > 0 && c->bytes > almost)
			r->in_turn++;
		else
			r->in_turn = r->subbuf_count + 1;
		return ret;
	}
	r->cursor = 0;
	return 0;
}

static int relay_next(struct source *s, struct chunk *c, bool partial,
		      struct error *e)
{
	struct relay *r = relay_of(s);
	struct epoll_event event;
	int ret;

	if (partial)
		return next_partial(r, c, e);
	while (epoll_wait(r->source.poll_fd, &event, 1, 0) == 1) {
		if (!is_of_names(r, event.data.u64))
			return read_chunk(r, event.data.u64, c, e);
		ret = read_names(r, event.data.u64, e);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int relay_stop(struct source *s, struct error *e)
{
	struct relay *r = relay_of(s);

	/* Nothing is recorded any more. */
	r->flushed = UINT64_MAX;
	return device_control(r->device, FXT_SCHED_IOC_STOP, "stop", e);
}

static void relay_flush(struct source *s)
{
	uint64_t now = relay_now(s);

	device_flush(relay_of(s)->device);
	relay_of(s)->flushed = now;
}

static int relay_freeze(struct source *s, struct error *e)
{
	struct relay *r = relay_of(s);
	uint64_t now = relay_now(s);
	int ret = device_control(r->device, FXT_SCHED_IOC_FREEZE, "freeze", e);

	if (ret)
		return ret;
	/* The module has waited for its handlers. */
	r->flushed = now;
	r->cursor = 0;
	r->in_turn = 0;
	return 0;
}

static int relay_thaw(struct source *s, struct error *e)
{
	return device_control(relay_of(s)->device, FXT_SCHED_IOC_THAW, "resume", e);
}

static bool set_hit(struct trigger_hit *hit, const struct fxt_sched_wait *w, uint32_t user)
{
	*hit = (struct trigger_hit){
		.time = w->time,
		.value = w->latency,
		.thread = w->thread,
		.cpu = w->cpu,
		.cause = w->cause,
		.goes_on = w->flags & FXT_SCHED_WAIT_GOES_ON,
		.user = user,
	};
	return w->time;
}

static bool relay_triggered(struct source *s, struct trigger_hit *hit)
{
	struct fxt_sched_status status = device_status(relay_of(s)->device);

	set_hit(hit, &status.trigger, status.trigger_user);
	hit->lock = (struct trigger_lock){ status.lock, status.lock_kind, status.lock_holder };
	return hit->time;
}

static bool relay_longest(struct source *s, struct trigger_hit *hit)
{
	struct fxt_sched_status status = device_status(relay_of(s)->device);

	return set_hit(hit, &status.longest, SOURCE_NO_USER);
}

static int relay_raise(struct source *s, const struct raised_limit *limits, unsigned int count,
		       uint64_t *ignored, struct error *e)
{
	return device_limits(relay_of(s)->device, limits, count, ignored, e);
}

/* Add the counts of names of all CPUs to @all. */
static int count_cpu(struct relay *r, size_t cpu, struct stream_stats *all, source_stat stat,
		     void *arg)
{
	struct fxt_sched_counters c = { .cpu = cpu, .kind = FXT_SCHED_STREAM_CPU };
	struct fxt_sched_counters names = { .cpu = cpu, .kind = FXT_SCHED_STREAM_NAMES };
	int ret = device_counters(r->device, &c);

	ret = ret ? ret : device_counters(r->device, &names);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	stat(arg, &(struct stream_stats) {
		.stream = cpu,
		.switches = c.switches,
		.wakeups = c.wakeups,
		.events = c.events,
		.lost = c.lost,
		.last = c.last,
		.subbufs = c.subbufs,
		.waiting = c.waiting,
	});
	all->names += names.names;
	all->folded += names.folded;
	all->lost += names.lost;
	all->waiting += names.waiting;
	return 0;
}

static int relay_stats(struct source *s, source_stat stat, void *arg,
		       struct error *e)
{
	struct relay *r = relay_of(s);
	struct stream_stats all = {
		.stream = FXT_LEDGER_STREAM_NAMES,
		.last = r->names.stream.last,
		.subbufs = r->names.stream.sequence,
	};
	size_t cpu;
	int ret = 0;

	for (cpu = 0; cpu < r->cpu_count && !ret; cpu++)
		ret = count_cpu(r, cpu, &all, stat, arg);
	if (ret)
		return fail(e, EXIT_FAILED, ret, "cannot read the module's counters: %s",
			    strerror(-ret));
	stat(arg, &all);
	return 0;
}

static uint64_t relay_user_stacks_dropped(struct source *s)
{
	return device_status(relay_of(s)->device).user_stacks_dropped;
}

static uint64_t relay_sleep_stacks_dropped(struct source *s)
{
	return device_status(relay_of(s)->device).sleep_stacks_dropped;
}

static int relay_marks(struct source *s, source_mark_fn take, void *arg, struct error *e)
{
	return device_marks(relay_of(s)->device, relay_of(s)->cpu_count, take, arg, e);
}

const struct source_ops source_relay = {
	.name = "kmod",
	.what = "the module " FXT_SCHED_MODULE,
	.names_have_gaps = false,
	.available = relay_available,
	.open = relay_open,
	.start = relay_start,
	.rundown = relay_rundown,
	.next = relay_next,
	.stop = relay_stop,
	.flush = relay_flush,
	.freeze = relay_freeze,
	.thaw = relay_thaw,
	.triggered = relay_triggered,
	.raise = relay_raise,
	.longest = relay_longest,
	.stats = relay_stats,
	.user_stacks_dropped = relay_user_stacks_dropped,
	.sleep_stacks_dropped = relay_sleep_stacks_dropped,
	.marks = relay_marks,
	.now = relay_now,
	.close = relay_close,
};
