// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * source_bpf.c - the BPF programs as a source of records.
 *
 * In: a session's configuration; the skeleton of bpf/fxt_sched.bpf.c. Out: the
 * programs, loaded, attached and detached; chunks by way of source_bpf_rings.c.
 *
 * Attached programs keep the table of threads. They record names while "naming" is
 * 1, and all else while "recording" is, too, which a freeze takes back.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bpf/filter.h"
#include "bpf/ring.h"
#include "fxt/fxt_sched.h"
#include "fxt_sched.skel.h"
#include "grace.h"
#include "source.h"
#include "source_bpf.h"
#include "source_bpf_load.h"
#include "source_bpf_machine.h"
#include "source_bpf_rings.h"

#define RUNDOWN_NAMES	256		/* read and emitted at once */

/**
 * struct bpf - a session
 * @source: the part that all sources have
 * @config: what was asked for
 * @programs: the programs and maps
 * @rings: the memory that the programs write
 * @cpu_count: CPUs that may ever be
 */
struct bpf {
	struct source source;
	struct source_config config;
	struct programs programs;
	struct rings *rings;
	unsigned int cpu_count;
};

static bool verbose;

/* What libbpf does, step by step, is for those who work on it. */
static int print_warnings(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

void source_bpf_verbose(bool on)
{
	verbose = on;
}

static struct bpf *bpf_of(struct source *s)
{
	return (struct bpf *)s;
}

static int bpf_available(struct error *e)
{
	libbpf_set_print(verbose ? print_warnings : NULL);
	return machine_has_bpf(e);
}

/* --- open and close ---------------------------------------------------------- */

static int open_rings(struct bpf *s, const struct cpus *present, struct error *e)
{
	s->rings = rings_open(&(struct rings_config) {
		.rings_fd = bpf_map__fd(s->programs.skel->maps.rings),
		.subbufs_fd = bpf_map__fd(s->programs.skel->maps.subbufs),
		.doorbell_fd = bpf_map__fd(s->programs.skel->maps.doorbell),
		.names_fd = bpf_map__fd(s->programs.skel->maps.names),
		.names_lost = &s->programs.skel->bss->names_lost,
		.cpu_count = s->cpu_count,
		.present = present,
		.subbuf_size = s->config.subbuf_size,
		.subbuf_count = s->config.subbuf_count,
		.overwrite = s->config.overwrite,
	});
	if (!s->rings)
		return machine_refused(e, -errno, "map the BPF rings");
	s->source.poll_fd = rings_poll_fd(s->rings);
	return 0;
}

static void bpf_close(struct source *source)
{
	struct bpf *s = bpf_of(source);

	if (!s)
		return;
	programs_detach(&s->programs);
	rings_close(s->rings);
	programs_unload(&s->programs);
	free(s);
}

static int bpf_open(struct source **source, const struct source_config *c,
		    struct error *e)
{
	struct cpus possible, present;
	struct bpf *s;
	int err;

	if (c->clock == CLOCK_KIND_TSC)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--clock=tsc needs the kernel module: load it, or take --clock=boot or --clock=mono");
	machine_cpus("possible", &possible);
	machine_cpus("present", &present);
	if (!possible.count || !present.count)
		return fail(e, EXIT_NO_SOURCE, -ENOENT,
			    "/sys/devices/system/cpu/present: no list of CPUs: mount sysfs on /sys");
	err = machine_check_memory(present.count, c, e);
	if (err)
		return err;
	s = calloc(1, sizeof(*s));
	if (!s)
		return machine_refused(e, -ENOMEM, "open a BPF session");
	s->source.ops = &source_bpf;
	s->source.poll_fd = -1;
	s->source.ticks_per_second = 1000000000;
	s->config = *c;
	s->cpu_count = possible.end;
	libbpf_set_print(verbose ? print_warnings : NULL);
	err = programs_load(&s->programs, c, possible.end, present.count, e);
	if (!err)
		err = open_rings(s, &present, e);
	if (err) {
		bpf_close(&s->source);
		return err;
	}
	if (!s->programs.sees_interrupts)
		s->source.limit = "this kernel hides its preempt count from BPF programs: wakeups by interrupts name the interrupted thread as the waker; use the kernel module to record them correctly";
	*source = &s->source;
	return 0;
}

/* --- iterators: rundown, mark ---------------------------------------------------- */

/* A descriptor to read what @prog says of each task, or a negative errno. */
static int open_iterator(struct bpf_program *prog, struct bpf_link **link,
			 struct error *e)
{
	int fd, err;

	*link = bpf_program__attach_iter(prog, NULL);
	fd = *link ? bpf_iter_create(bpf_link__fd(*link)) : -1;
	if (fd >= 0)
		return fd;
	err = -errno;
	bpf_link__destroy(*link);
	return machine_refused(e, err, "attach the BPF iterator of tasks");
}

/* How much was read; 0 at the end, or a negative errno. */
static ssize_t read_iterator(int fd, void *to, size_t bytes, struct error *e)
{
	ssize_t n;

	/* It may give up for now after many tasks of which it had nothing to say. */
	do
		n = read(fd, to, bytes);
	while (n < 0 && (errno == EINTR || errno == EAGAIN));
	return n < 0 ? machine_refused(e, -errno, "read the BPF iterator of tasks") : n;
}

static int emit_names(const struct fxt_name *names, size_t count, source_emit emit,
		      void *arg)
{
	static const size_t most = RUNDOWN_NAMES * FXT_SCHED_TASK_WORDS;
	struct fxt_sched_comm comm;
	size_t i, words = 0;
	__u32 records;
	__u64 *buf;
	int err;

	buf = malloc(most * FXT_WORD);
	if (!buf)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		comm = fxt_sched_comm(names[i].comm);
		words += fxt_sched_put_task(buf + words, names[i].tid, names[i].tgid,
					    &comm, (struct fxt_sched_event){ 0 }, &records);
	}
	err = emit(arg, buf, words * FXT_WORD);
	free(buf);
	return err;
}

static int bpf_rundown(struct source *source, source_emit emit, void *arg,
		       struct error *e)
{
	struct fxt_name names[RUNDOWN_NAMES];
	struct bpf_link *link;
	int fd, err = 0;
	ssize_t n;

	fd = open_iterator(bpf_of(source)->programs.skel->progs.rundown, &link, e);
	if (fd < 0)
		return fd;
	/* The kernel writes names one after another, never a part of one. */
	while (!err && (n = read_iterator(fd, names, sizeof(names), e)) != 0) {
		if (n < 0)
			err = n;
		else if (n % sizeof(*names))
			err = machine_refused(e, -EIO, "read the BPF iterator of tasks");
		else
			err = emit_names(names, n / sizeof(*names), emit, arg);
	}
	close(fd);
	bpf_link__destroy(link);
	return err;
}

/* Have the filter judge all threads that there are. */
static int mark(struct bpf *s, struct error *e)
{
	struct bpf_link *link;
	ssize_t n;
	char none;
	int fd;

	fd = open_iterator(s->programs.skel->progs.mark, &link, e);
	if (fd < 0)
		return fd;
	n = read_iterator(fd, &none, sizeof(none), e);
	close(fd);
	bpf_link__destroy(link);
	return n;
}

/* --- start, stop, freeze, thaw ----------------------------------------------------- */

static void set_switch(__u32 *flag, bool on)
{
	__atomic_store_n(flag, on, __ATOMIC_SEQ_CST);
}

/*
 * Interrupt all CPUs, which orders what we do and what the programs do, in both
 * directions, at no cost for them.
 * - What we stored before (recording, until, a ring's head), programs see that
 *   begin after this returns.
 * - The programs that write into rings run with interrupts off, so none of those
 *   that did not see it is under way any more, and what they stored is visible.
 * Where the kernel cannot do it (before 5.10), the end of a grace period says the
 * same.
 */
static void interrupt_cpus(struct bpf *s)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = BPF_F_TEST_RUN_ON_CPU);
	int fd = bpf_program__fd(s->programs.skel->progs.interrupt);

	for (opts.cpu = 0; opts.cpu < s->cpu_count; opts.cpu++)
		/* A CPU that is offline says ENXIO. */
		if (bpf_prog_test_run_opts(fd, &opts) && errno != ENXIO)
			break;
	if (opts.cpu < s->cpu_count)
		grace_wait();
}

/* The order: what judges new threads, the threads that are there, the names, the rest. */
static int bpf_start(struct source *source, struct error *e)
{
	struct bpf *s = bpf_of(source);
	int err = programs_attach(&s->programs);

	if (err)
		return machine_refused(e, err, "attach the BPF programs");
	err = s->programs.marks ? mark(s, e) : 0;
	if (err) {
		programs_detach(&s->programs);
		return err;
	}
	s->programs.skel->bss->until = UINT64_MAX;
	/* No program sees "recording" and yet the rings, or "until", as they were. */
	interrupt_cpus(s);
	set_switch(&s->programs.skel->bss->naming, true);
	set_switch(&s->programs.skel->bss->recording, true);
	return 0;
}

/*
 * Those that send names can be interrupted, but not for long. Comes after
 * interrupt_cpus(): a program that saw "naming" set has told that it is busy.
 */
static void wait_for_names(struct bpf *s)
{
	const struct timespec wait = { .tv_nsec = 100000 };
	int tries = 10000;

	while (__atomic_load_n(&s->programs.skel->bss->names_busy, __ATOMIC_SEQ_CST) && tries--)
		nanosleep(&wait, NULL);
}

static int bpf_freeze(struct source *source, struct error *e)
{
	struct bpf *s = bpf_of(source);

	(void)e;
	set_switch(&s->programs.skel->bss->recording, false);
	interrupt_cpus(s);
	rings_freeze(s->rings);
	return 0;
}

static void bpf_settle(struct source *source)
{
	interrupt_cpus(bpf_of(source));
}

static int bpf_thaw(struct source *source, struct error *e)
{
	struct bpf *s = bpf_of(source);
	__u32 zero = 0;

	rings_thaw(s->rings);
	if (s->programs.skel->bss->fired &&
	    bpf_map_delete_elem(bpf_map__fd(s->programs.skel->maps.went_off), &zero))
		return machine_refused(e, -errno, "arm the trigger again");
	s->programs.skel->bss->fired = 0;
	s->programs.skel->bss->until = UINT64_MAX;
	/* As at the start: a producer that went on at an old head would undo the thaw. */
	interrupt_cpus(s);
	set_switch(&s->programs.skel->bss->recording, true);
	return 0;
}

static bool bpf_triggered(struct source *source, struct trigger_hit *hit)
{
	struct fxt_sched_bpf__bss *bss = bpf_of(source)->programs.skel->bss;

	/* Pairs with the release in trigger_fire(): "hit" is filled in before. */
	if (!__atomic_load_n(&bss->fired, __ATOMIC_ACQUIRE))
		return false;
	*hit = (struct trigger_hit) {
		.time = bss->hit.time,
		.latency = bss->hit.latency,
		.thread = bss->hit.thread,
		.cpu = bss->hit.cpu,
	};
	return true;
}

static int bpf_stop(struct source *source, struct error *e)
{
	struct bpf *s = bpf_of(source);

	(void)e;
	set_switch(&s->programs.skel->bss->recording, false);
	set_switch(&s->programs.skel->bss->naming, false);
	interrupt_cpus(s);
	wait_for_names(s);
	if (s->config.overwrite)
		rings_freeze(s->rings);
	programs_detach(&s->programs);
	return 0;
}

/* --- chunks, statistics ------------------------------------------------------------ */

static int bpf_next(struct source *source, struct chunk *c, bool partial,
		    struct error *e)
{
	(void)e;
	return rings_next(bpf_of(source)->rings, c, partial);
}

static int bpf_stats(struct source *source, source_stat stat, void *arg, struct error *e)
{
	struct bpf *s = bpf_of(source);
	struct stream_stats stats;
	struct cpus online;
	unsigned int i;

	(void)e;
	machine_cpus("online", &online);
	for (i = 0; i < s->cpu_count; i++) {
		rings_cpu_stats(s->rings, i, &stats);
		if (online.has[i] || stats.switches || stats.wakeups)
			stat(arg, &stats);
	}
	rings_names_stats(s->rings, &stats);
	stats.names = __atomic_load_n(&s->programs.skel->bss->names_written, __ATOMIC_RELAXED);
	stats.folded = __atomic_load_n(&s->programs.skel->bss->names_folded, __ATOMIC_RELAXED);
	stats.lost = __atomic_load_n(&s->programs.skel->bss->names_lost, __ATOMIC_RELAXED);
	stat(arg, &stats);
	return 0;
}

/*
 * The kernel skips a program that it would have to run inside itself: a thread
 * wakes itself with interrupts on, and an interrupt wakes another right then.
 * Kernels before 5.12 do not tell.
 */
static uint64_t bpf_skipped(struct source *source)
{
	struct bpf *s = bpf_of(source);
	struct bpf_prog_info info;
	uint64_t skipped = 0;
	uint32_t size;
	int i;

	for (i = 0; i < PROBES; i++) {
		memset(&info, 0, sizeof(info));
		size = sizeof(info);
		if (!bpf_obj_get_info_by_fd(bpf_program__fd(s->programs.progs[i]), &info, &size))
			skipped += info.recursion_misses;
	}
	return skipped;
}

static uint64_t bpf_now(struct source *source)
{
	bool mono = bpf_of(source)->config.clock == CLOCK_KIND_MONO;
	struct timespec t;

	clock_gettime(mono ? CLOCK_MONOTONIC : CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

const struct source_ops source_bpf = {
	.name = "bpf",
	.what = "BPF programs on the scheduler's tracepoints",
	.names_have_gaps = true,
	.available = bpf_available,
	.open = bpf_open,
	.start = bpf_start,
	.rundown = bpf_rundown,
	.next = bpf_next,
	.stop = bpf_stop,
	.settle = bpf_settle,
	.freeze = bpf_freeze,
	.thaw = bpf_thaw,
	.triggered = bpf_triggered,
	.stats = bpf_stats,
	.skipped = bpf_skipped,
	.now = bpf_now,
	.close = bpf_close,
};
