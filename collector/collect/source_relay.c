// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * source_relay.c - the source that reads the kernel module's relay buffers.
 *
 * What flows in: the files that include/uapi/linux/fxt_sched.h describes. What
 * flows out: chunks, each one sub-buffer as read(2) gave it.
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

#include "source.h"

#define PARAM_DIR	"/sys/module/" FXT_SCHED_MODULE "/parameters/"

/* One stream's file. */
struct stream_file {
	int fd;			/* -1 for a CPU without a buffer */
	uint32_t size;		/* of its sub-buffers, bytes, 0 if not known */
};

/* In the order of struct stream_file: names, then the CPUs. */
#define NAMES_FILE	0
#define CPU_FILE(cpu)	((cpu) + 1)

struct relay {
	struct source source;
	int dir;
	int session;
	int tracing;
	enum clock_kind clock;
	size_t subbuf_size;
	size_t file_count;
	struct stream_file *files;
	size_t cursor;		/* the file that a partial pass has come to */
	unsigned int in_turn;	/* chunks that it has given of that file */
	unsigned int subbuf_count;
	size_t room;		/* of @buffer, bytes */
	void *buffer;
};

static const char * const clock_names[] = { "boot", "mono", "tsc" };
static const char * const weight_names[] = { "weight", "prio" };

static struct relay *relay_of(struct source *s)
{
	return (struct relay *)s;
}

static int relay_available(struct error *e)
{
	if (!access("/sys/module/" FXT_SCHED_MODULE, F_OK))
		return 0;
	return fail(e, EXIT_NO_SOURCE, -ENODEV,
		    "the module " FXT_SCHED_MODULE " is not loaded: load it (insmod fxt_sched.ko) or record with --source=bpf");
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

static int set_param(const char *name, const char *value, struct error *e)
{
	char path[128];
	ssize_t n = -1;
	int fd, err;

	snprintf(path, sizeof(path), PARAM_DIR "%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0)
		n = write(fd, value, strlen(value));
	err = errno;
	if (fd >= 0)
		close(fd);
	if (n >= 0)
		return 0;
	if (err == EACCES || err == EPERM)
		return fail(e, EXIT_PERMISSION, -err,
			    "cannot set the module's parameter %s: %s; run as root",
			    name, strerror(err));
	return fail(e, EXIT_USAGE, -err,
		    "the module refused %s=%s: %s; the kernel log (dmesg) says what it takes",
		    name, value, strerror(err));
}

static int set_params(const struct source_config *c, struct error *e)
{
	char size[32], count[32];
	int ret;

	snprintf(size, sizeof(size), "%zu", c->subbuf_size);
	snprintf(count, sizeof(count), "%u", c->subbuf_count);
	ret = set_param(FXT_SCHED_PARAM_SUBBUF_SIZE, size, e);
	if (!ret)
		ret = set_param(FXT_SCHED_PARAM_SUBBUF_COUNT, count, e);
	if (!ret)
		ret = set_param(FXT_SCHED_PARAM_CLOCK, clock_names[c->clock], e);
	if (!ret)
		ret = set_param(FXT_SCHED_PARAM_WEIGHT, weight_names[c->weight], e);
	return ret;
}

static int open_dir(struct relay *r, struct error *e)
{
	char path[512];

	if (debugfs_path(path, sizeof(path)))
		return fail(e, EXIT_NO_SOURCE, -ENOENT,
			    "debugfs is not mounted, the module's files are there: mount -t debugfs none /sys/kernel/debug");
	r->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->dir >= 0)
		return 0;
	return fail(e, errno == EACCES ? EXIT_PERMISSION : EXIT_FAILED, -errno,
		    "cannot open %s: %s; run as root", path, strerror(errno));
}

static int open_session(struct relay *r, const struct source_config *c,
			struct error *e)
{
	r->session = openat(r->dir, FXT_SCHED_FILE_SESSION, O_RDONLY | O_CLOEXEC);
	if (r->session >= 0)
		return 0;
	switch (errno) {
	case EBUSY:
		return fail(e, EXIT_BUSY, -EBUSY,
			    "the module's session is taken: another recording is on; wait for it, end it, or record with --source=bpf");
	case ENOMEM:
		return fail(e, EXIT_FAILED, -ENOMEM,
			    "the module has no memory for %u x %zu bytes per CPU: give a smaller --buffer; the kernel log (dmesg) says the limit",
			    c->subbuf_count, c->subbuf_size);
	case EACCES:
	case EPERM:
		return fail(e, EXIT_PERMISSION, -errno,
			    "cannot open the module's session: %s; run as root",
			    strerror(errno));
	}
	return fail(e, EXIT_FAILED, -errno,
		    "cannot open the module's session: %s; the kernel log (dmesg) may say more",
		    strerror(errno));
}

/* Open a stream's file and watch it; one that is not there is no error. */
static int open_file(struct relay *r, size_t index, const char *name,
		     struct error *e)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = index };
	int fd = openat(r->dir, name, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || epoll_ctl(r->source.poll_fd, EPOLL_CTL_ADD, fd, &event)) {
		int err = errno;

		if (fd >= 0)
			close(fd);
		return fail(e, EXIT_FAILED, -err,
			    "cannot open the module's file %s: %s", name,
			    strerror(err));
	}
	r->files[index].fd = fd;
	r->files[index].size = index == NAMES_FILE ? 0 : r->subbuf_size;
	return 0;
}

/* CPUs that came online since the last call have got files. */
static int open_cpu_files(struct relay *r, struct error *e)
{
	char name[32];
	size_t cpu;
	int ret = 0;

	for (cpu = 0; CPU_FILE(cpu) < r->file_count && !ret; cpu++) {
		if (r->files[CPU_FILE(cpu)].fd >= 0)
			continue;
		snprintf(name, sizeof(name), FXT_SCHED_FILE_CPU "%zu", cpu);
		ret = open_file(r, CPU_FILE(cpu), name, e);
	}
	return ret;
}

/* Calls @line for each line of the session file with the words after its first. */
struct session_reader {
	void (*line)(void *arg, const char *key, const char *rest);
	void *arg;
};

static int read_session(struct relay *r, const struct session_reader *reader,
			struct error *e)
{
	int fd = dup(r->session);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL, *rest;
	size_t room = 0;

	if (!f || fseek(f, 0, SEEK_SET)) {
		int err = errno;

		if (f)
			fclose(f);
		else if (fd >= 0)
			close(fd);
		return fail(e, EXIT_FAILED, -err,
			    "cannot read the module's session file: %s",
			    strerror(err));
	}
	while (getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		rest = strchr(line, ' ');
		if (!rest)
			continue;
		*rest++ = '\0';
		reader->line(reader->arg, line, rest);
	}
	free(line);
	fclose(f);
	return 0;
}

/* The single values of the session file. */
struct session_values {
	uint64_t abi;
	uint64_t now;
	uint64_t ticks_per_second;
	uint64_t subbuf_size;
	uint64_t subbuf_count;
	char clock[16];
	char weight[16];
};

static void note_value(void *arg, const char *key, const char *rest)
{
	struct session_values *v = arg;

	if (!strcmp(key, "abi"))
		v->abi = strtoull(rest, NULL, 10);
	else if (!strcmp(key, "now"))
		v->now = strtoull(rest, NULL, 10);
	else if (!strcmp(key, "ticks_per_second"))
		v->ticks_per_second = strtoull(rest, NULL, 10);
	else if (!strcmp(key, "subbuf_size"))
		v->subbuf_size = strtoull(rest, NULL, 10);
	else if (!strcmp(key, "subbuf_count"))
		v->subbuf_count = strtoull(rest, NULL, 10);
	else if (!strcmp(key, "clock"))
		snprintf(v->clock, sizeof(v->clock), "%s", rest);
	else if (!strcmp(key, "weight"))
		snprintf(v->weight, sizeof(v->weight), "%s", rest);
}

/* Another collector may have set parameters between ours and our session. */
static int check_session(struct relay *r, const struct source_config *c,
			 struct error *e)
{
	struct session_values v = { 0 };
	struct session_reader reader = { note_value, &v };
	int ret = read_session(r, &reader, e);

	if (ret)
		return ret;
	if (v.abi != FXT_SCHED_ABI)
		return fail(e, EXIT_NO_SOURCE, -EPROTO,
			    "the loaded module speaks version %" PRIu64 " of its interface, this collector %d: load the module that was built with it",
			    v.abi, FXT_SCHED_ABI);
	if (v.subbuf_size != c->subbuf_size || v.subbuf_count != c->subbuf_count ||
	    strcmp(v.clock, clock_names[c->clock]) ||
	    strcmp(v.weight, weight_names[c->weight]))
		return fail(e, EXIT_BUSY, -EAGAIN,
			    "the module's parameters were changed by someone else just now: try again");
	r->source.ticks_per_second = v.ticks_per_second;
	return 0;
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
	if (r->session >= 0)
		close(r->session);
	if (r->dir >= 0)
		close(r->dir);
	if (r->source.poll_fd >= 0)
		close(r->source.poll_fd);
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
	r->clock = c->clock;
	r->subbuf_size = c->subbuf_size;
	r->subbuf_count = c->subbuf_count;
	r->file_count = CPU_FILE(cpus);
	/* The stream of names may have larger sub-buffers than the CPUs. */
	r->room = c->subbuf_size > 1 << 20 ? c->subbuf_size : 1 << 20;
	r->files = calloc(r->file_count, sizeof(*r->files));
	r->buffer = aligned_alloc(4096, r->room);
	r->source.poll_fd = epoll_create1(EPOLL_CLOEXEC);
	for (i = 0; r->files && i < r->file_count; i++)
		r->files[i].fd = -1;
	if (r->files && r->buffer && r->source.poll_fd >= 0)
		return r;
	if (!r->files)
		r->file_count = 0;
	relay_close(&r->source);
	return NULL;
}

static int relay_open(struct source **s, const struct source_config *c,
		      struct error *e)
{
	struct relay *r = relay_new(c);
	int ret;

	if (!r)
		return fail(e, EXIT_FAILED, -ENOMEM,
			    "cannot set up the reading of the module: %s",
			    strerror(errno));
	ret = open_dir(r, e);
	if (!ret)
		ret = set_params(c, e);
	if (!ret)
		ret = open_session(r, c, e);
	if (!ret)
		ret = check_session(r, c, e);
	if (!ret)
		ret = open_file(r, NAMES_FILE, FXT_SCHED_FILE_NAMES, e);
	if (!ret)
		ret = open_cpu_files(r, e);
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
		    "the module cannot start tracing: %s; the kernel log (dmesg) may say more",
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
	/* A read may end within a record: its head waits for the next. */
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

/* One sub-buffer of one file: 1, 0 if it has nothing, or a negative errno. */
static int read_chunk(struct relay *r, size_t index, struct chunk *c,
		      struct error *e)
{
	ssize_t n = read(r->files[index].fd, r->buffer, r->room);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		n = 0;
	if (n < 0)
		return fail(e, EXIT_FAILED, -errno,
			    "cannot read from the module: %s", strerror(errno));
	*c = (struct chunk){ r->buffer, n };
	return n > 0;
}

/*
 * A pass over all files, each until it gives a sub-buffer that was not full or
 * as many as it has: however busy a CPU is, the pass comes to an end.
 */
static int next_partial(struct relay *r, struct chunk *c, struct error *e)
{
	size_t almost = r->subbuf_size - FXT_SCHED_RECORD_WORDS * FXT_WORD;
	int ret;

	if (!r->cursor && !r->in_turn) {
		ret = open_cpu_files(r, e);
		if (ret)
			return ret;
	}
	for (; r->cursor < r->file_count; r->cursor++, r->in_turn = 0) {
		if (r->files[r->cursor].fd < 0 || r->in_turn > r->subbuf_count)
			continue;
		ret = read_chunk(r, r->cursor, c, e);
		if (!ret)
			continue;
		if (ret > 0 && (r->cursor == NAMES_FILE || c->bytes > almost))
			r->in_turn++;
		else
			r->in_turn = r->subbuf_count + 1;
		return ret;
	}
	r->cursor = 0;
	r->in_turn = 0;
	return 0;
}

static int relay_next(struct source *s, struct chunk *c, bool partial,
		      struct error *e)
{
	struct relay *r = relay_of(s);
	struct epoll_event event;

	if (partial)
		return next_partial(r, c, e);
	if (epoll_wait(r->source.poll_fd, &event, 1, 0) < 1)
		return 0;
	return read_chunk(r, event.data.u64, c, e);
}

static int relay_stop(struct source *s, struct error *e)
{
	struct relay *r = relay_of(s);

	(void)e;
	close(r->tracing);
	r->tracing = -1;
	return 0;
}

struct stat_sink {
	source_stat stat;
	void *arg;
};

/* "switches 10 wakeups 5 ...": the value of one name, 0 if it is not there. */
static uint64_t value_of(const char *line, const char *name)
{
	size_t length = strlen(name);
	const char *p;

	for (p = line; p; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (!strncmp(p, name, length) && p[length] == ' ')
			return strtoull(p + length, NULL, 10);
	}
	return 0;
}

static void note_stream(void *arg, const char *key, const char *rest)
{
	struct stat_sink *sink = arg;
	struct stream_stats stats = {
		.stream = FXT_LEDGER_STREAM_NAMES,
		.switches = value_of(rest, "switches"),
		.wakeups = value_of(rest, "wakeups"),
		.names = value_of(rest, "records"),
		.lost = value_of(rest, "lost"),
		.last = value_of(rest, "last"),
		.subbufs = value_of(rest, "subbufs"),
	};

	if (!strcmp(key, "cpu"))
		stats.stream = strtoul(rest, NULL, 10);
	else if (strcmp(key, "names"))
		return;
	sink->stat(sink->arg, &stats);
}

static int relay_stats(struct source *s, source_stat stat, void *arg,
		       struct error *e)
{
	struct stat_sink sink = { stat, arg };
	struct session_reader reader = { note_stream, &sink };

	return read_session(relay_of(s), &reader, e);
}

static uint64_t relay_now(struct source *s)
{
	struct session_values v = { 0 };
	struct session_reader reader = { note_value, &v };
	struct error e;

	return read_session(relay_of(s), &reader, &e) ? 0 : v.now;
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
	.stats = relay_stats,
	.now = relay_now,
	.close = relay_close,
};
