// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bpf.c - the BPF programs as a source of records.
 *
 * Attached programs maintain the table of threads. They record names while "naming" is 1, and
 * everything else while "recording" is 1 as well; a freeze clears it.
 *
 * Opening a session loads, maps and attaches all that it will use. From then on it needs only
 * memory and descriptors, and runs one program on chosen CPUs, so the recorder can drop all other
 * uses of the bpf system call.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bpf.h"
#include "bpf/config.h"
#include "bpf/frames.h"
#include "bpf/fxt_sched.skel.h"
#include "bpf/ring.h"
#include "events.h"
#include "frames.h"
#include "fxt/fxt_sched.h"
#include "libfxt/clock.h"
#include "load.h"
#include "machine.h"
#include "process/privilege.h"
#include "rings.h"
#include "sampler.h"
#include "source/source.h"

/* --- grace periods ---------------------------------------------------------------------- */

/*
 * Wait until all CPUs have left their sections with preemption disabled, as an RCU grace period
 * does: afterwards, earlier stores of producers are visible, and later producers see earlier stores
 * of the caller. May sleep for seconds on a busy machine. Where the kernel refuses membarrier(2)
 * (nohz_full), wait 100 ms, far longer than writing any record takes.
 */
static void grace_wait(void)
{
	const struct timespec wait = { .tv_nsec = 100000000 };

	if (syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		nanosleep(&wait, NULL);
}

/* --- who has a CPU ---------------------------------------------------------------------- */

/*
 * Run a program on each CPU in an interrupt: to see who has the CPU, and as a fence.
 *
 * The program is of type raw_tp and attached to nothing. The kernel test-runs it on one online CPU
 * after the other: by an interrupt to another CPU, for whose end it waits; on its own CPU by a call
 * with preemption off, where the recorder itself is the current thread, and nothing else is under
 * way with interrupts or preemption off.
 */

struct owners {
	int prog;			/* descriptor of the program */
	const struct fxt_bpf_owner *seen;	/* what it saw last, in shared memory */
};

/* Return: 1; 0 if the filter hides the thread; a negative errno, -ENXIO of an offline CPU */
static int run_on(const struct owners *o, unsigned int cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts,
		.flags = BPF_F_TEST_RUN_ON_CPU,
		.cpu = cpu,
	);
	int err = bpf_prog_test_run_opts(o->prog, &opts);

	return err ? err : (int)opts.retval;
}

static int run_once(void *arg)
{
	int ret = run_on(arg, 0);

	/* The first CPU may be offline. */
	return ret == -ENXIO || ret > 0 ? 0 : ret;
}

/* Privileges for running the program later; none if this kernel cannot run it on a chosen CPU. */
static unsigned int owners_keep(struct owners *o)
{
	if (run_once(o))
		return PRIVILEGE_KEEP_NONE;
	return PRIVILEGE_KEEP_RUN |
	       (privilege_needs_bpf(run_once, o) ? PRIVILEGE_KEEP_BPF : PRIVILEGE_KEEP_NONE);
}

static int owners_see(const struct owners *o, source_mark_fn take, void *arg, struct error *e)
{
	struct source_mark mark;
	struct cpus online;
	int ret;

	cpus_read("online", &online);
	for (mark.cpu = 0; mark.cpu < online.end; mark.cpu++) {
		ret = online.has[mark.cpu] ? run_on(o, mark.cpu) : 0;
		if (!ret || ret == -ENXIO)
			continue;
		if (ret < 0)
			return fail(e, EXIT_FAILED, ret,
				    "cannot see which thread has CPU %u: %s; see the kernel log (dmesg)",
				    mark.cpu, strerror(-ret));
		mark.time = o->seen->time;
		mark.thread = o->seen->thread;
		mark.weight = o->seen->weight;
		mark.steal = o->seen->steal;
		take(arg, &mark);
	}
	return 0;
}

/*
 * Interrupt each online CPU once, 5 us per CPU, however busy it is. Afterwards, programs that had
 * interrupts off have ended, and their stores are visible. All others, wherever they were
 * interrupted or preempted, see the caller's earlier stores in all later loads, and their earlier
 * stores are visible. Where the kernel cannot run the program on a chosen CPU (before Linux 5.10),
 * wait for a grace period instead.
 */
static void owners_fence(const struct owners *o)
{
	struct cpus online;
	unsigned int cpu;
	int ret;

	cpus_read("online", &online);
	if (!online.count)
		grace_wait();
	for (cpu = 0; cpu < online.end; cpu++) {
		ret = online.has[cpu] ? run_on(o, cpu) : 0;
		/* A CPU that has gone offline has ended all programs. */
		if (ret < 0 && ret != -ENXIO) {
			grace_wait();
			return;
		}
	}
}

/* --- tasks ------------------------------------------------------------------------------ */

/*
 * An iterator runs a program for each task when it is read, which is possible once.
 *
 * Of names, one is used before the start, one after it, and one for each archive that lacks names;
 * then /proc is read instead. Of stacks of sleeps, one is used each time such a trigger fires; then
 * there are none. Each takes a descriptor, and little memory until it is read. They are opened
 * before the recorder drops its privileges.
 */
#define ITERATORS	16

/* Initialize with zeros. */
struct iterators {
	int fds[ITERATORS];	/* that were not read */
	int count;
};

#define RUNDOWN_NAMES	256		/* read and emitted at once */

static int open_iterator(const struct bpf_program *prog, struct error *e)
{
	struct bpf_link *link = bpf_program__attach_iter(prog, NULL);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1, err = fd < 0 ? -errno : 0;

	/* The descriptor holds a reference to the link. */
	bpf_link__destroy(link);
	return err ? machine_refused(e, err, "attach the BPF iterator of tasks") : fd;
}

static ssize_t read_iterator(int fd, void *to, size_t bytes, struct error *e)
{
	ssize_t n;

	/* The kernel returns EAGAIN after many tasks without output. */
	do
		n = read(fd, to, bytes);
	while (n < 0 && (errno == EINTR || errno == EAGAIN));
	return n < 0 ? machine_refused(e, -errno, "read the BPF iterator of tasks") : n;
}

static int emit_names(const struct fxt_rundown_name *tasks, size_t count, source_emit emit,
		      void *arg)
{
	static const size_t most = RUNDOWN_NAMES * FXT_SCHED_SEEN_WORDS;
	const struct fxt_name *name;
	struct fxt_sched_sight sight;
	struct fxt_sched_comm comm;
	size_t i, words = 0;
	__u32 records, n;
	__u64 *buf;
	int err;

	buf = malloc(most * FXT_WORD);
	if (!buf)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		name = &tasks[i].name;
		comm = fxt_sched_comm(name->comm);
		sight = (struct fxt_sched_sight){ tasks[i].time, tasks[i].cpu, tasks[i].letter };
		n = fxt_sched_put_task(buf + words, name->tid, name->tgid, name->parent, &comm,
				       (struct fxt_sched_event){ 0 }, &records);
		if (tasks[i].apart)
			n = fxt_sched_add_apart(buf + words, n);
		words += fxt_sched_add_sight(buf + words, n, &sight);
	}
	err = emit(arg, buf, words * FXT_WORD);
	free(buf);
	return err;
}

static int iterators_open(struct iterators *all, const struct bpf_program *prog, struct error *e)
{
	int fd;

	while (all->count < ITERATORS) {
		fd = open_iterator(prog, e);
		if (fd < 0)
			return fd;
		all->fds[all->count++] = fd;
	}
	return 0;
}

static void iterators_close(struct iterators *all)
{
	while (all->count)
		close(all->fds[--all->count]);
}

/* Return: a descriptor, which the caller closes; -1: all were read */
static int pop_iterator(struct iterators *all)
{
	return all->count ? all->fds[--all->count] : -1;
}

static int rundowns_read(struct iterators *rundowns, source_emit emit, void *arg, struct error *e)
{
	struct fxt_rundown_name names[RUNDOWN_NAMES];
	int fd = pop_iterator(rundowns), err = 0;
	ssize_t n;

	if (fd < 0)
		return -ENODATA;
	/* The kernel writes whole name records, never a part of one. */
	while (!err && (n = read_iterator(fd, names, sizeof(names), e)) != 0) {
		if (n < 0)
			err = n;
		else if (n % sizeof(*names))
			err = machine_refused(e, -EIO, "read the BPF iterator of tasks");
		else
			err = emit_names(names, n / sizeof(*names), emit, arg);
	}
	close(fd);
	return err;
}

/* Run a program that writes nothing for all threads; closes @fd, which may be a negative errno. */
static int run_iterator(int fd, struct error *e)
{
	ssize_t n;
	char none;

	if (fd < 0)
		return fd;
	n = read_iterator(fd, &none, sizeof(none), e);
	close(fd);
	return n;
}

/* --- waits that go on ------------------------------------------------------------------- */

/*
 * Let waits that are not over fire the trigger: run a program, which decides, for each thread whose
 * wait seems too long by the tables in shared memory, or longer than all others that are not over.
 */

struct waits {
	int prog;			/* descriptor of the program for one thread's wait */
	struct fxt_bpf_wait *table;	/* waits of all threads; NULL: do not look */
	uint8_t *groups;		/* FXT_WAITS_* of each group of threads */
	/* for which locks they wait; NULL without a limit for that */
	struct fxt_lock_wait *locks;
	size_t threads;
	const __u64 *limit;		/* of the trigger, by cause, ns */
	const struct fxt_bpf_hit *longest;	/* wait for a CPU that was not over when seen */
	const uint64_t *since;		/* ticks of the beginning of the recording */
};

static void waits_close(struct waits *w)
{
	if (w->table)
		munmap(w->table, w->threads * sizeof(*w->table));
	if (w->groups)
		munmap(w->groups, w->threads / FXT_WAITS_GROUP);
	if (w->locks)
		munmap(w->locks, w->threads * sizeof(*w->locks));
}

/* @w: must be closed in any case. */
static int waits_open(struct waits *w, const struct fxt_sched_bpf *skel, struct error *e)
{
	bool has_locks = skel->rodata->trigger.limit[FXT_SCHED_CAUSE_LOCK];
	size_t threads = bpf_map__max_entries(skel->maps.waits);

	*w = (struct waits){
		.prog = bpf_program__fd(skel->progs.look_at_wait),
		.table = rings_map(bpf_map__fd(skel->maps.waits), threads * sizeof(*w->table)),
		.groups = rings_map(bpf_map__fd(skel->maps.wait_groups),
				    threads / FXT_WAITS_GROUP),
		.locks = has_locks ? rings_map(bpf_map__fd(skel->maps.lock_waits),
					       threads * sizeof(*w->locks)) : NULL,
		.threads = threads,
		.limit = skel->rodata->trigger.limit,
		.longest = &skel->bss->open_wait,
		.since = (const uint64_t *)&skel->bss->since,
	};
	return w->table && w->groups && (w->locks || !has_locks) ? 0 :
	       machine_refused(e, -ENOMEM, "map the table of waits");
}

static void look_at_wait(const struct waits *w, uint64_t index, uint64_t element)
{
	uint64_t ctx[] = { index, element };
	LIBBPF_OPTS(bpf_test_run_opts, opts,
		.ctx_in = ctx,
		.ctx_size_in = sizeof(ctx),
	);

	bpf_prog_test_run_opts(w->prog, &opts);
}

/* Is a wait or sleep too long, or a wait for a CPU the longest of those that are not over? */
static bool is_long(const struct waits *w, size_t index, uint64_t element, uint64_t now)
{
	uint64_t since = FXT_WAIT_SINCE(element), first = *(const volatile uint64_t *)w->since;

	/* Many threads may have slept since before the recording. */
	if (now <= since || since < first)
		return false;
	return fxt_wait_cause(w->limit, element, now - since) != FXT_SCHED_CAUSES ||
	       (w->locks && fxt_lock_waited(w->limit, element, &w->locks[index], first, now)) ||
	       (!(element & FXT_WAIT_ASLEEP) && now - since > w->longest->value);
}

/* Return: is a thread of the group watched? */
static bool look_at_group(const struct waits *w, size_t group, uint64_t now)
{
	size_t i, first = group * FXT_WAITS_GROUP;
	bool is_watched = false;
	uint64_t element;

	for (i = first; i < first + FXT_WAITS_GROUP; i++) {
		/* Before anything of the wait; see trigger_look(). */
		element = __atomic_load_n(&w->table[i].since, __ATOMIC_ACQUIRE);
		if (!fxt_wait_is_watched(element))
			continue;
		is_watched = true;
		if (is_long(w, i, element, now))
			look_at_wait(w, i, element);
	}
	return is_watched;
}

static void waits_look(const struct waits *w, uint64_t now)
{
	size_t groups = w->threads / FXT_WAITS_GROUP, i;
	uint8_t state;
	uint64_t some;

	for (i = 0; w->table && i < groups; i++) {
		/* Most groups are empty. */
		if (!(i % sizeof(some))) {
			memcpy(&some, &w->groups[i], sizeof(some));
			if (!some) {
				i += sizeof(some) - 1;
				continue;
			}
		}
		state = __atomic_load_n(&w->groups[i], __ATOMIC_RELAXED);
		if (state == FXT_WAITS_WOKEN)
			__atomic_store_n(&w->groups[i], FXT_WAITS_SEEN, __ATOMIC_RELAXED);
		if (state == FXT_WAITS_NONE || look_at_group(w, i, now) ||
		    state != FXT_WAITS_SEEN)
			continue;
		__atomic_compare_exchange_n(&w->groups[i], &state, FXT_WAITS_NONE, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
	}
}

/* --- the source ------------------------------------------------------------------------- */

#define RECURSION_MISSES "recursion_misses:"	/* in a program's fdinfo */

struct bpf {
	struct source source;
	struct source_config config;
	struct programs programs;
	struct rings *rings;		/* the memory that the programs write to */
	struct lessons *lessons;	/* about frames of the kernel; NULL: nothing is learned */
	struct owners owners;
	struct sampler sampler;
	struct waits waits;
	struct iterators rundowns;	/* of tasks */
	struct iterators sleepers;	/* of the program that keeps stacks of sleeps */
	unsigned int cpu_count;		/* possible CPUs */
	uint64_t sleep_stacks_dropped;	/* since open */
	uint64_t names_missed;		/* events with a name that reached no program, since open */
	uint64_t names_missed_before;	/* those of @names_missed before the start */
};

static bool verbose;

/* libbpf's debug messages are for developers. */
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
		.deferred_fd = s->programs.defers ?
			       bpf_map__fd(s->programs.skel->maps.deferred) : -1,
		.names_lost = &s->programs.skel->bss->names_lost,
		.cpu_count = s->cpu_count,
		.present = present,
		.subbuf_size = s->config.subbuf_size,
		.subbuf_count = s->config.subbuf_count,
		.bare = s->config.weight == WEIGHT_MODE_NONE,
		.overwrite = s->config.overwrite,
	});
	if (!s->rings)
		return machine_refused(e, -errno, "map the BPF rings");
	s->source.poll_fd = rings_poll_fd(s->rings);
	return 0;
}

/* Without lessons, the kernel unwinds all stacks. */
static void open_lessons(struct bpf *s)
{
	struct fxt_sched_bpf *skel = s->programs.skel;

	if (s->config.stacks.what & STACKS_KERNEL && s->config.stacks.what & STACKS_EVENTS)
		s->lessons = lessons_open(&(struct lessons_config) {
			.fd = bpf_map__fd(skel->maps.lessons),
			.cpus = s->cpu_count,
			.depth = s->config.stacks.depth,
			.table = (uint64_t *)skel->bss->frames,
			.running = (uint64_t *)&skel->bss->running_frame,
			.checks = &skel->bss->stack_checks,
		});
}

static void open_owners(struct bpf *s)
{
	struct fxt_sched_bpf *skel = s->programs.skel;

	s->owners = (struct owners){ bpf_program__fd(skel->progs.see_owner), &skel->bss->owner };
	s->source.keep = owners_keep(&s->owners);
	if (s->config.stacks.what & STACKS_ONCPU)
		s->source.keep |= PRIVILEGE_KEEP_PERF;
}

/* Looking at a wait needs the privileges of marks. Without, only switches and wakeups fire. */
static int open_waits(struct bpf *s, struct error *e)
{
	const struct fxt_sched_bpf *skel = s->programs.skel;
	int err;

	if (!fxt_limits_waits(skel->rodata->trigger.limit) ||
	    !(s->source.keep & PRIVILEGE_KEEP_RUN))
		return 0;
	err = waits_open(&s->waits, skel, e);
	s->source.look_ns = fxt_trigger_period(s->waits.limit);
	return err;
}

static void bpf_close(struct source *source)
{
	struct bpf *s = bpf_of(source);

	if (!s)
		return;
	iterators_close(&s->rundowns);
	iterators_close(&s->sleepers);
	sampler_close(&s->sampler);
	programs_detach(&s->programs);
	rings_close(s->rings);
	lessons_close(s->lessons);
	waits_close(&s->waits);
	programs_unload(&s->programs);
	free(s);
}

/* Attach the programs that evaluate new threads first, then evaluate existing threads. */
static int attach(struct bpf *s, struct error *e)
{
	int err = programs_attach(&s->programs);

	if (err)
		return machine_refused(e, err, "attach the BPF programs");
	if (s->config.stacks.what & STACKS_ONCPU)
		err = sampler_open(&s->sampler, bpf_program__fd(s->programs.skel->progs.on_sample),
				   fxt_sched_sample_period(s->config.stacks.hz), s->cpu_count,
				   s->config.filter, e);
	if (err)
		return err;
	return s->programs.marks ?
	       run_iterator(open_iterator(s->programs.skel->progs.mark, e), e) : 0;
}

static int bpf_open(struct source **source, const struct source_config *c,
		    struct error *e)
{
	struct cpus possible, present;
	struct bpf *s;
	int err;

	if (c->clock == CLOCK_KIND_TSC)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--clock=tsc requires the kernel module; load it, or use --clock=boot or --clock=mono");
	cpus_read("possible", &possible);
	cpus_read("present", &present);
	if (!possible.count || !present.count)
		return fail(e, EXIT_NO_SOURCE, -ENOENT,
			    "/sys/devices/system/cpu/present: not a list of CPUs; mount sysfs on /sys");
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
	err = programs_load(&s->programs, &s->config, possible.end, present.count, e);
	err = err ? err : open_rings(s, &present, e);
	err = err ? err : iterators_open(&s->rundowns, s->programs.skel->progs.rundown, e);
	if (!err && bpf_program__autoload(s->programs.skel->progs.keep_sleeper))
		err = iterators_open(&s->sleepers, s->programs.skel->progs.keep_sleeper, e);
	err = err ? err : attach(s, e);
	if (!err) {
		open_lessons(s);
		open_owners(s);
		err = open_waits(s, e);
	}
	if (err) {
		bpf_close(&s->source);
		return err;
	}
	s->source.events = s->config.events;
	s->source.throttle_hook = hook_name(s->programs.events.functions);
	snprintf(s->source.lacking, sizeof(s->source.lacking), "%s", s->programs.lacking);
	if (!s->programs.sees_interrupts)
		s->source.limit = "this kernel hides its preempt count from BPF programs: wakeups by interrupts name the interrupted thread as the waker; use the kernel module for correct wakers";
	*source = &s->source;
	return 0;
}

static int bpf_rundown(struct source *source, source_emit emit, void *arg, struct error *e)
{
	return rundowns_read(&bpf_of(source)->rundowns, emit, arg, e);
}

static int bpf_marks(struct source *source, source_mark_fn take, void *arg, struct error *e)
{
	return source->keep & PRIVILEGE_KEEP_RUN ?
	       owners_see(&bpf_of(source)->owners, take, arg, e) : 0;
}

/* --- events that the kernel hides -------------------------------------------- */

/* Events that did not reach a program, because it was running. */
static uint64_t misses_of(const struct bpf_program *prog)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", bpf_program__fd(prog));
	return machine_number(path, RECURSION_MISSES);
}

/*
 * The kernel skips a program that would recurse: a thread wakes itself with interrupts on, and an
 * interrupt wakes another one at that moment; or a thread is preempted in a program, where
 * tracepoints leave preemption on, and the next one on that CPU reaches the same event. Kernels
 * before 5.12 do not count these.
 */
static uint64_t count_missed(const struct bpf *s, enum probe first, enum probe last)
{
	uint64_t missed = 0;
	int i;

	for (i = first; i <= (int)last; i++)
		missed += misses_of(s->programs.progs[i]);
	return missed;
}

/* A name that no program saw loses at least one record. The first wakeup makes up for a fork. */
static void lose_missed_names(struct bpf *s)
{
	uint64_t missed = count_missed(s, PROBE_EXEC, PROBE_RENAME);
	uint64_t more = missed - s->names_missed;

	__atomic_fetch_add(&s->programs.skel->bss->names_written, more, __ATOMIC_RELAXED);
	__atomic_fetch_add(&s->programs.skel->bss->names_lost, more, __ATOMIC_RELAXED);
	s->names_missed = missed;
}

/* --- start, stop, freeze, thaw ----------------------------------------------------- */

static void set_switch(__u32 *flag, bool on)
{
	__atomic_store_n(flag, on, __ATOMIC_SEQ_CST);
}

static uint64_t bpf_now(struct source *source)
{
	bool mono = bpf_of(source)->config.clock == CLOCK_KIND_MONO;

	return clock_ns(mono ? CLOCK_MONOTONIC : CLOCK_BOOTTIME);
}

static void begin_recording(struct bpf *s)
{
	struct fxt_sched_bpf__bss *bss = s->programs.skel->bss;

	set_switch(&bss->recording, true);
	__atomic_store_n(&bss->since, bpf_now(&s->source), __ATOMIC_SEQ_CST);
}

static void end_recording(struct bpf *s)
{
	struct fxt_sched_bpf__bss *bss = s->programs.skel->bss;

	__atomic_store_n(&bss->since, UINT64_MAX, __ATOMIC_SEQ_CST);
	set_switch(&bss->recording, false);
}

/*
 * A fence follows each store for the programs. It interrupts each CPU, because busy CPUs can starve
 * a grace period for seconds. It costs the programs nothing, and orders both directions:
 * - All that programs load after it is not older than the earlier stores (recording, until, a
 *   ring's head). They load "recording" first; if they see it set, they see the others, too.
 * - Programs with interrupts off that did not see the stores have ended, and their own stores are
 *   visible. Those with interrupts on load "recording" or "naming" again once they have marked
 *   themselves busy, or with interrupts off; so only marked ones must be waited for.
 */
static int bpf_start(struct source *source, struct error *e)
{
	struct bpf *s = bpf_of(source);

	(void)e;
	s->names_missed_before = count_missed(s, PROBE_EXEC, PROBE_RENAME);
	s->names_missed = s->names_missed_before;
	s->programs.skel->bss->until = UINT64_MAX;
	/* No program sees "recording" together with the old rings or the old "until". */
	owners_fence(&s->owners);
	set_switch(&s->programs.skel->bss->naming, true);
	begin_recording(s);
	return 0;
}

/*
 * Programs that send names can be preempted, but not for long. Call it after a fence: a program
 * that saw "naming" set has marked itself busy. A try takes 100 us.
 */
static void wait_for_names(struct bpf *s, int tries)
{
	const struct timespec wait = { .tv_nsec = 100000 };

	while (__atomic_load_n(&s->programs.skel->bss->names_busy, __ATOMIC_SEQ_CST) && tries--)
		nanosleep(&wait, NULL);
}

/* Count the stacks of sleeps that are missing. The recording has ended, and no program writes. */
static void count_missing_stacks(struct bpf *s)
{
	struct fxt_sched_bpf__bss *bss = s->programs.skel->bss;
	const bool is_due[] = {		/* by enum sleeper */
		bss->hit.cause != FXT_SCHED_CAUSE_LATENCY, bss->hit.holder_sleeps,
	};
	size_t i;

	if (!bss->fired || !bss->hit.goes_on ||
	    !bpf_program__autoload(s->programs.skel->progs.keep_sleeper))
		return;
	for (i = 0; i < sizeof(is_due) / sizeof(*is_due); i++) {
		s->sleep_stacks_dropped += is_due[i] && !bss->sleepers_counted[i];
		bss->sleepers_counted[i] = 1;
	}
}

static int bpf_freeze(struct source *source, struct error *e)
{
	struct bpf *s = bpf_of(source);

	(void)e;
	waits_look(&s->waits, bpf_now(source));
	end_recording(s);
	owners_fence(&s->owners);
	rings_wait(s->rings);
	count_missing_stacks(s);
	lose_missed_names(s);
	rings_lose_rest(s->rings);
	rings_freeze(s->rings);
	return 0;
}

/*
 * Recording continues, so on a busy machine some program may always be sending a name. The names
 * that are missed by that are in the next archive.
 */
static void bpf_flush(struct source *source)
{
	struct bpf *s = bpf_of(source);

	owners_fence(&s->owners);
	/* A program with interrupts on reads the clock just before it marks its CPU. */
	owners_fence(&s->owners);
	rings_wait(s->rings);
	wait_for_names(s, 100);
}

static int bpf_thaw(struct source *source, struct error *e)
{
	struct bpf *s = bpf_of(source);

	(void)e;
	rings_thaw(s->rings);
	/* Rearm the trigger, which fires once per round. */
	if (s->programs.skel->bss->fired)
		s->programs.skel->bss->trigger_round++;
	s->programs.skel->bss->fired = 0;
	memset(s->programs.skel->bss->sleeper_cpu, 0, sizeof(s->programs.skel->bss->sleeper_cpu));
	memset(s->programs.skel->bss->sleepers_counted, 0,
	       sizeof(s->programs.skel->bss->sleepers_counted));
	s->programs.skel->bss->until = UINT64_MAX;
	/* As at the start: a producer that continues at an old head would undo the thaw. */
	owners_fence(&s->owners);
	begin_recording(s);
	return 0;
}

static struct trigger_hit hit_of(const struct fxt_bpf_hit *hit)
{
	return (struct trigger_hit) {
		.time = hit->time,
		.value = hit->value,
		.thread = hit->thread,
		.cpu = hit->cpu,
		.cause = hit->cause,
		.goes_on = hit->goes_on,
		.user = hit->user,
		.lock = { hit->lock, hit->lock_kind, hit->holder },
	};
}

static int bpf_raise(struct source *source, const struct raised_limit *limits, unsigned int count,
		     uint64_t *ignored, struct error *e)
{
	struct fxt_sched_bpf__bss *bss = bpf_of(source)->programs.skel->bss;
	struct fxt_bpf_raised *raised = bss->raised;
	unsigned int i;

	(void)e;
	for (i = 0; i < FXT_BPF_RAISED; i++)
		raised[i] = i < count ? (struct fxt_bpf_raised){ .cause = limits[i].cause,
								 .user = limits[i].users.first,
								 .last_user = limits[i].users.last,
								 .limit = limits[i].limit } :
					(struct fxt_bpf_raised){ .limit = 0 };
	*ignored = __atomic_load_n(&bss->raised_hits, __ATOMIC_RELAXED);
	return 0;
}

/* The stack of a sleep can be recorded only while the sleep goes on. */
static void look_at_waits(struct bpf *s)
{
	const struct fxt_sched_bpf__bss *bss = s->programs.skel->bss;
	struct error e;

	waits_look(&s->waits, bpf_now(&s->source));
	/* Without it, a stack is missing. */
	if (__atomic_load_n(&bss->fired, __ATOMIC_ACQUIRE) && bss->hit.goes_on)
		run_iterator(pop_iterator(&s->sleepers), &e);
}

static bool bpf_triggered(struct source *source, struct trigger_hit *hit)
{
	struct bpf *s = bpf_of(source);
	struct fxt_sched_bpf__bss *bss = s->programs.skel->bss;

	lessons_learn(s->lessons);
	/* Pairs with the release in trigger_fire(): "hit" is complete. */
	if (!__atomic_load_n(&bss->fired, __ATOMIC_ACQUIRE))
		look_at_waits(s);
	if (!__atomic_load_n(&bss->fired, __ATOMIC_ACQUIRE))
		return false;
	*hit = hit_of(&bss->hit);
	return true;
}

static bool bpf_longest(struct source *source, struct trigger_hit *hit)
{
	const struct fxt_bpf_hit *open = &bpf_of(source)->programs.skel->bss->open_wait;

	rings_longest(bpf_of(source)->rings, hit);
	if (open->value > hit->value)
		*hit = hit_of(open);
	return hit->value;
}

static int bpf_stop(struct source *source, struct error *e)
{
	struct bpf *s = bpf_of(source);

	(void)e;
	waits_look(&s->waits, bpf_now(source));
	end_recording(s);
	set_switch(&s->programs.skel->bss->naming, false);
	owners_fence(&s->owners);
	rings_wait(s->rings);
	wait_for_names(s, 10000);
	count_missing_stacks(s);
	lose_missed_names(s);
	rings_lose_rest(s->rings);
	if (s->config.overwrite)
		rings_freeze(s->rings);
	sampler_close(&s->sampler);
	programs_detach(&s->programs);
	return 0;
}

/* --- chunks, statistics ------------------------------------------------------------ */

static int bpf_next(struct source *source, struct chunk *c, bool partial,
		    struct error *e)
{
	(void)e;
	lessons_learn(bpf_of(source)->lessons);
	return rings_next(bpf_of(source)->rings, c, partial);
}

static int bpf_stats(struct source *source, source_stat stat, void *arg, struct error *e)
{
	struct bpf *s = bpf_of(source);
	struct stream_stats stats;
	struct cpus online;
	unsigned int i;

	(void)e;
	cpus_read("online", &online);
	for (i = 0; i < s->cpu_count; i++) {
		rings_cpu_stats(s->rings, i, &stats);
		if (online.has[i] || stream_written(&stats))
			stat(arg, &stats);
	}
	rings_names_stats(s->rings, &stats);
	stats.names = __atomic_load_n(&s->programs.skel->bss->names_written, __ATOMIC_RELAXED);
	stats.folded = __atomic_load_n(&s->programs.skel->bss->names_folded, __ATOMIC_RELAXED);
	stats.lost = __atomic_load_n(&s->programs.skel->bss->names_lost, __ATOMIC_RELAXED);
	stats.unseen = s->names_missed - s->names_missed_before;
	stat(arg, &stats);
	return 0;
}

static void add_missed(const struct bpf_program *prog, void *missed)
{
	*(uint64_t *)missed += misses_of(prog);
}

/* Missed execs and renames are counted as lost names. No program writes in NMIs. */
static uint64_t bpf_skipped(struct source *source)
{
	const struct bpf *s = bpf_of(source);
	uint64_t missed = count_missed(s, PROBE_EXIT, PROBE_SWITCH);

	events_each(&s->programs.events, add_missed, &missed);
	return missed + __atomic_load_n(&s->programs.skel->bss->custom_unseen, __ATOMIC_RELAXED);
}

static uint64_t bpf_user_stacks_dropped(struct source *source)
{
	return __atomic_load_n(&bpf_of(source)->programs.skel->bss->user_stacks_lost,
			       __ATOMIC_RELAXED);
}

static uint64_t bpf_sleep_stacks_dropped(struct source *source)
{
	return bpf_of(source)->sleep_stacks_dropped;
}

static struct stack_checks bpf_stacks_checked(struct source *source)
{
	return lessons_checks(bpf_of(source)->lessons);
}

static int bpf_follow(struct source *source)
{
	return sampler_follow(&bpf_of(source)->sampler);
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
	.flush = bpf_flush,
	.freeze = bpf_freeze,
	.thaw = bpf_thaw,
	.triggered = bpf_triggered,
	.raise = bpf_raise,
	.longest = bpf_longest,
	.stats = bpf_stats,
	.skipped = bpf_skipped,
	.user_stacks_dropped = bpf_user_stacks_dropped,
	.sleep_stacks_dropped = bpf_sleep_stacks_dropped,
	.stacks_checked = bpf_stacks_checked,
	.follow = bpf_follow,
	.marks = bpf_marks,
	.now = bpf_now,
	.close = bpf_close,
};
