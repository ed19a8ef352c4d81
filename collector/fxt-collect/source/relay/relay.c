// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * relay.c - the source that reads the kernel module's relay buffers.
 *
 * In: the files described in include/uapi/linux/fxt_sched.h. Out: chunks: of a CPU, one
 * sub-buffer as read(2) returned it; of names, merged from the buffers of all CPUs.
 *
 * Files opened after relay_open() are in the directory held open, belong to root and are
 * readable by their owner: user 0 needs no capability to open them.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>
#include <linux/fxt_sched.h>

#include "source/grace.h"
#include "process/lockdown.h"
#include "source/source.h"
#include "names.h"
#include "session.h"

/* The file of a stream. */
struct stream_file {
	int fd;			/* -1 for a CPU without a buffer */
};

/* In the order of relay.files: the names of each CPU, then the CPUs. */
#define NAMES_FILE(cpu)		(cpu)
#define CPU_FILE(r, cpu)	((r)->cpu_count + (cpu))

struct relay {
	struct source source;
	int dir;
	int session;
	int tracing;
	int freeze;		/* open while the recording is frozen */
	bool overwrite;
	bool has_trigger;
	size_t subbuf_size;
	size_t cpu_count;
	size_t file_count;
	struct stream_file *files;
	struct relay_names names;
	uint64_t settled;	/* ticks; older names are in the buffers */
	size_t cursor;		/* the current file of a partial pass */
	unsigned int in_turn;	/* chunks of that file handed out by it */
	unsigned int subbuf_count;
	size_t room;		/* of @buffer, bytes */
	void *buffer;
};

static struct relay *relay_of(struct source *s)
{
	return (struct relay *)s;
}

static int not_loaded(struct error *e)
{
	const char *level = lockdown_level();

	if (!level)
		return fail(e, EXIT_NO_SOURCE, -ENODEV,
			    "the module " FXT_SCHED_MODULE " is not loaded: load it (insmod fxt_sched.ko) or record with --source=bpf");
	return fail(e, EXIT_NO_SOURCE, -ENODEV,
		    "the module " FXT_SCHED_MODULE " is not loaded, and under lockdown=%s only a signed one can be: sign it and load it (insmod fxt_sched.ko) or record with --source=bpf",
		    level);
}

static int relay_available(struct error *e)
{
	if (access("/sys/module/" FXT_SCHED_MODULE, F_OK))
		return not_loaded(e);
	if (faccessat(AT_FDCWD, RELAY_PARAM_DIR FXT_SCHED_PARAM_CLOCK, W_OK, AT_EACCESS))
		return fail(e, EXIT_PERMISSION, -errno,
			    "the module " FXT_SCHED_MODULE " is loaded, but may not be used: %s; run as root",
			    strerror(errno));
	return 0;
}

static int debugfs_path(char *path, size_t room)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *m;
	int ret = -ENOENT;

	if (!mounts)
		return -errno;
	while (ret && (m = getmntent(mounts))) {
		if (strcmp(m->mnt_type, "debugfs"))
			continue;
		snprintf(path, room, "%s/" FXT_SCHED_DIR, m->mnt_dir);
		ret = 0;
	}
	endmntent(mounts);
	return ret;
}

static int open_dir(struct relay *r, struct error *e)
{
	char path[512];

	if (debugfs_path(path, sizeof(path)))
		return fail(e, EXIT_NO_SOURCE, -ENOENT,
			    "debugfs, which holds the module's files, is not mounted; run mount -t debugfs none /sys/kernel/debug");
	r->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->dir >= 0)
		return 0;
	if (errno == EACCES || errno == EPERM)
		return fail(e, EXIT_PERMISSION, -errno,
			    "cannot open %s: %s; run as root", path, strerror(errno));
	return fail(e, EXIT_FAILED, -errno,
		    "cannot open %s: %s; see the kernel log (dmesg) for why the module created no files there",
		    path, strerror(errno));
}

static int open_session(struct relay *r, const struct source_config *c,
			struct error *e)
{
	r->session = openat(r->dir, FXT_SCHED_FILE_SESSION, O_RDONLY | O_CLOEXEC);
	if (r->session >= 0)
		return 0;
	switch (errno) {
	case ENOENT:
	case ENOTDIR:
		if (!c->filter || !c->filter->cgroup)
			break;
		return fail(e, EXIT_USAGE, -errno,
			    "cannot filter by cgroup %s: %s; use a directory below the root of cgroup v2",
			    c->filter->cgroup, strerror(errno));
	case EBUSY:
		return fail(e, EXIT_BUSY, -EBUSY,
			    "the module is in use by another recording; wait for it, end it, or use --source=bpf");
	case ENOMEM:
		return fail(e, EXIT_FAILED, -ENOMEM,
			    "the module cannot allocate %u x %zu bytes per CPU; use a smaller --buffer; see the kernel log (dmesg) for the limit",
			    c->subbuf_count, c->subbuf_size);
	case EACCES:
	case EPERM:
		return fail(e, EXIT_PERMISSION, -errno,
			    "cannot open the module's session: %s; run as root, with CAP_PERFMON (CAP_SYS_ADMIN before Linux 5.8)",
			    strerror(errno));
	}
	return fail(e, EXIT_FAILED, -errno,
		    "cannot open the module's session: %s; see the kernel log (dmesg)",
		    strerror(errno));
}

static bool is_of_names(const struct relay *r, size_t index)
{
	return index < CPU_FILE(r, 0);
}

/*
 * Open the file of a stream and poll it; a missing file is not an error. Files in
 * overwrite mode are not polled, because each complete sub-buffer would cause a needless
 * wakeup.
 */
static int open_file(struct relay *r, size_t index, const char *name,
		     struct error *e)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = index };
	bool watched = is_of_names(r, index) || !r->overwrite;
	int fd = openat(r->dir, name, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || (watched &&
		       epoll_ctl(r->source.poll_fd, EPOLL_CTL_ADD, fd, &event))) {
		int err = errno;

		if (fd >= 0)
			close(fd);
		return fail(e, EXIT_FAILED, -err,
			    "cannot open the module's file %s: %s", name,
			    strerror(err));
	}
	r->files[index].fd = fd;
	return 0;
}

/* Open files of CPUs that came online since the last call. */
static int open_files(struct relay *r, struct error *e)
{
	char name[32];
	size_t i;
	int ret = 0;

	for (i = 0; i < r->file_count && !ret; i++) {
		if (r->files[i].fd >= 0)
			continue;
		if (is_of_names(r, i))
			snprintf(name, sizeof(name), FXT_SCHED_FILE_NAMES "%zu", i);
		else
			snprintf(name, sizeof(name), FXT_SCHED_FILE_CPU "%zu",
				 i - CPU_FILE(r, 0));
		ret = open_file(r, i, name, e);
	}
	return ret;
}

static void relay_close(struct source *s)
{
	struct relay *r = relay_of(s);
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->file_count; i++)
		if (r->files[i].fd >= 0)
			close(r->files[i].fd);
	if (r->tracing >= 0)
		close(r->tracing);
	if (r->freeze >= 0)
		close(r->freeze);
	if (r->session >= 0)
		close(r->session);
	if (r->dir >= 0)
		close(r->dir);
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
	r->dir = -1;
	r->session = -1;
	r->tracing = -1;
	r->freeze = -1;
	r->overwrite = c->overwrite;
	r->has_trigger = c->trigger.latency;
	r->subbuf_size = c->subbuf_size;
	r->subbuf_count = c->subbuf_count;
	r->cpu_count = cpus;
	r->file_count = CPU_FILE(r, cpus);
	/* Sub-buffers of names may be larger than those of CPUs. */
	r->room = c->subbuf_size > 1 << 20 ? c->subbuf_size : 1 << 20;
	r->files = calloc(r->file_count, sizeof(*r->files));
	r->buffer = aligned_alloc(4096, r->room);
	r->source.poll_fd = epoll_create1(EPOLL_CLOEXEC);
	for (i = 0; r->files && i < r->file_count; i++)
		r->files[i].fd = -1;
	if (r->files && r->buffer && r->source.poll_fd >= 0 &&
	    !relay_names_open(&r->names, cpus))
		return r;
	if (!r->files)
		r->file_count = 0;
	relay_close(&r->source);
	return NULL;
}

/*
 * Collectors that start at the same time could each find parameters set by another, and
 * all give up. So the one that has the session tries again, and the others find it in
 * use.
 */
static int take_session(struct relay *r, const struct source_config *c, struct error *e)
{
	int ret, tries = 10;

	do {
		if (r->session >= 0)
			close(r->session);
		r->session = -1;
		ret = relay_params_set(c, e);
		if (!ret)
			ret = open_session(r, c, e);
		if (!ret)
			ret = relay_session_check(r->session, c,
						  &r->source.ticks_per_second, e);
	} while (ret == -EAGAIN && --tries);
	if (!ret)
		e->text[0] = '\0';
	return ret;
}

static int relay_open(struct source **s, const struct source_config *c,
		      struct error *e)
{
	struct relay *r = relay_new(c);
	int ret;

	if (!r)
		return fail(e, EXIT_FAILED, -ENOMEM,
			    "cannot set up reading from the module: %s",
			    strerror(errno));
	ret = open_dir(r, e);
	if (!ret)
		ret = take_session(r, c, e);
	if (!ret)
		ret = open_files(r, e);
	if (ret)
		relay_close(&r->source);
	else
		*s = &r->source;
	return ret;
}

static int relay_start(struct source *s, struct error *e)
{
	struct relay *r = relay_of(s);

	r->tracing = openat(r->dir, FXT_SCHED_FILE_TRACING, O_RDONLY | O_CLOEXEC);
	if (r->tracing >= 0)
		return 0;
	return fail(e, EXIT_FAILED, -errno,
		    "the module cannot start tracing: %s; see the kernel log (dmesg)",
		    strerror(errno));
}

static int relay_rundown(struct source *s, source_emit emit, void *arg,
			 struct error *e)
{
	struct relay *r = relay_of(s);
	int fd = openat(r->dir, FXT_SCHED_FILE_RUNDOWN, O_RDONLY | O_CLOEXEC);
	size_t used = 0, whole;
	ssize_t n = -1;
	int ret = 0;

	if (fd < 0)
		goto failed;
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
	return relay_session_now(relay_of(s)->session);
}

/* Read one sub-buffer of one file. Return: 1, 0 if it is empty, or a negative errno. */
static int read_chunk(struct relay *r, size_t index, struct chunk *c,
		      struct error *e)
{
	ssize_t n = read(r->files[index].fd, r->buffer, r->room);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		n = 0;
	if (n < 0)
		return fail(e, EXIT_FAILED, -errno,
			    "cannot read from the module: %s", strerror(errno));
	*c = (struct chunk){ .data = r->buffer, .bytes = n };
	return n > 0;
}

/* The same for a CPU's names, which are kept until those of all CPUs are read. */
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
 * Read all names currently in the buffers. Each read closes the sub-buffer being filled,
 * so a CPU that keeps producing names could make this endless. But everything present at
 * the beginning has been read after as many sub-buffers as a buffer has.
 */
static int read_all_names(struct relay *r, struct error *e)
{
	uint64_t late = LATEST_NS / 1000 * r->source.ticks_per_second / 1000000;
	uint64_t now = relay_now(&r->source);
	unsigned int left;
	size_t i;
	int ret;

	for (i = 0; i < r->cpu_count; i++) {
		ret = r->files[NAMES_FILE(i)].fd >= 0;
		for (left = FXT_SCHED_NAMES_SUBBUFS + 1; ret > 0 && left; left--)
			ret = read_names(r, NAMES_FILE(i), e);
		if (ret < 0)
			return ret;
	}
	if (now > late && now - late > r->names.until)
		r->names.until = now - late;
	if (r->settled > r->names.until)
		r->names.until = r->settled;
	return 0;
}

/*
 * A pass over all files: each file of a CPU until it returns a sub-buffer that was not
 * full, or as many as the buffer has. So the pass ends however busy a CPU is.
 */
static int next_partial(struct relay *r, struct chunk *c, struct error *e)
{
	size_t almost = r->subbuf_size - FXT_SCHED_RECORD_WORDS * FXT_WORD;
	int ret;

	if (!r->cursor) {
		ret = open_files(r, e);
		if (!ret)
			ret = read_all_names(r, e);
		if (ret)
			return ret;
		r->cursor = CPU_FILE(r, 0);
	}
	if (relay_names_next(&r->names, c, true))
		return 1;
	for (; r->cursor < r->file_count; r->cursor++, r->in_turn = 0) {
		if (r->files[r->cursor].fd < 0 || r->in_turn > r->subbuf_count)
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

/*
 * The order matters: after tracing has ended, closing "freeze" drops no unread records.
 */
static int relay_stop(struct source *s, struct error *e)
{
	struct relay *r = relay_of(s);

	(void)e;
	close(r->tracing);
	r->tracing = -1;
	if (r->freeze >= 0)
		close(r->freeze);
	r->freeze = -1;
	/* No probe runs any more. */
	r->settled = UINT64_MAX;
	return 0;
}

/* The module's handlers run with preemption or interrupts disabled. */
static void relay_settle(struct source *s)
{
	uint64_t now = relay_now(s);

	grace_wait();
	relay_of(s)->settled = now;
}

static int relay_freeze(struct source *s, struct error *e)
{
	struct relay *r = relay_of(s);
	uint64_t now = relay_now(s);

	r->freeze = openat(r->dir, FXT_SCHED_FILE_FREEZE, O_RDONLY | O_CLOEXEC);
	if (r->freeze < 0)
		return fail(e, EXIT_FAILED, -errno,
			    "the module cannot freeze the recording: %s",
			    strerror(errno));
	/* The module has waited for its handlers. */
	r->settled = now;
	r->cursor = 0;
	r->in_turn = 0;
	return 0;
}

static int relay_thaw(struct source *s, struct error *e)
{
	struct relay *r = relay_of(s);

	(void)e;
	close(r->freeze);
	r->freeze = -1;
	return 0;
}

static bool relay_triggered(struct source *s, struct trigger_hit *hit)
{
	struct relay *r = relay_of(s);

	*hit = (struct trigger_hit){ 0 };
	return r->has_trigger && relay_session_trigger(r->session, hit);
}

static bool relay_longest(struct source *s, struct trigger_hit *hit)
{
	struct relay *r = relay_of(s);

	*hit = (struct trigger_hit){ 0 };
	return r->has_trigger && relay_session_longest(r->session, hit);
}

static int relay_stats(struct source *s, source_stat stat, void *arg,
		       struct error *e)
{
	const struct names_stream *names = &relay_of(s)->names.stream;
	struct stream_stats all = {
		.stream = FXT_LEDGER_STREAM_NAMES,
		.last = names->last,
		.subbufs = names->sequence,
	};
	int ret = relay_session_stats(relay_of(s)->session, stat, arg, &all, e);

	if (!ret)
		stat(arg, &all);
	return ret;
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
	.settle = relay_settle,
	.freeze = relay_freeze,
	.thaw = relay_thaw,
	.triggered = relay_triggered,
	.longest = relay_longest,
	.stats = relay_stats,
	.now = relay_now,
	.close = relay_close,
};
