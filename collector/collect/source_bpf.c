// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * source_bpf.c - the BPF programs as a source of records.
 *
 * In: a session's configuration; the skeleton of bpf/fxt_sched.bpf.c. Out: the
 * programs, loaded, attached and detached; chunks by way of source_bpf_rings.c.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bpf/ring.h"
#include "fxt/fxt_sched.h"
#include "fxt_sched.skel.h"
#include "source.h"
#include "source_bpf.h"
#include "source_bpf_rings.h"

#define BTF_FILE	"/sys/kernel/btf/vmlinux"
#define CPU_DIR		"/sys/devices/system/cpu/"
#define PID_MAX_FILE	"/proc/sys/kernel/pid_max"

#define MIN_THREAD_BITS	12
#define MAX_THREAD_BITS	22		/* the kernel's PID_MAX_LIMIT */
#define RUNDOWN_NAMES	256		/* read and emitted at once */

/* In the order of attaching: what clears the table of sleepers before what fills it. */
enum probe {
	PROBE_FORK,
	PROBE_EXEC,
	PROBE_RENAME,
	PROBE_WAKEUP_NEW,
	PROBE_WAKEUP,
	PROBE_WAKING,
	PROBE_SWITCH,
	PROBES,
};

/**
 * struct bpf - a session
 * @source: the part that all sources have
 * @config: what was asked for
 * @skel: the programs and maps
 * @progs: the programs of the kind that works here
 * @links: their attachments, NULL when not tracing
 * @rings: the memory that the programs write
 * @cpu_count: CPUs that may ever be
 */
struct bpf {
	struct source source;
	struct source_config config;
	struct fxt_sched_bpf *skel;
	struct bpf_program *progs[PROBES];
	struct bpf_link *links[PROBES];
	struct rings *rings;
	unsigned int cpu_count;
};

static bool verbose;

static int print_all(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	return vfprintf(stderr, format, args);
}

void source_bpf_verbose(bool on)
{
	verbose = on;
}

static struct bpf *bpf_of(struct source *s)
{
	return (struct bpf *)s;
}

/* The line for a refusal of the kernel's. */
static int refused(struct error *e, int err, const char *what)
{
	if (err == -EPERM || err == -EACCES)
		return fail(e, EXIT_PERMISSION, err,
			    "%s: %s: run as root, or with CAP_BPF and CAP_PERFMON, on a kernel that is not locked down",
			    what, strerror(-err));
	if (err == -ENOMEM || err == -E2BIG)
		return fail(e, EXIT_FAILED, err,
			    "%s: %s: give a smaller --buffer",
			    what, strerror(-err));
	return fail(e, EXIT_NO_SOURCE, err,
		    "%s: %s: this kernel's BPF does not suffice (5.8 or later, with BTF): use the kernel module",
		    what, strerror(-err));
}

/* --- what the machine is like ---------------------------------------------- */

/* A number out of a file, 0 if there is none; after @key, if there is one. */
static unsigned long long read_number(const char *file, const char *key)
{
	unsigned long long n = 0;
	char line[256];
	FILE *f = fopen(file, "re");

	if (!f)
		return 0;
	while (!n && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			n = strtoull(line + strlen(key), NULL, key[0] == 'C' ? 16 : 10);
	fclose(f);
	return n;
}

/* A list like "0-3,8" of CPU_DIR; no CPU if it cannot be read. */
static void read_cpus(const char *name, struct cpus *cpus)
{
	unsigned int from, to;
	char path[64];
	FILE *f;

	memset(cpus, 0, sizeof(*cpus));
	snprintf(path, sizeof(path), CPU_DIR "%s", name);
	f = fopen(path, "re");
	if (!f)
		return;
	while (fscanf(f, "%u", &from) == 1) {
		to = from;
		if (fscanf(f, "-%u", &to) == 1 && to < from)
			break;
		for (; from <= to && from < MAX_CPUS; from++) {
			cpus->has[from] = true;
			cpus->count++;
			cpus->end = from + 1;
		}
		if (fgetc(f) != ',')
			break;
	}
	fclose(f);
}

/* The table of threads has a power of two of elements, one per possible id. */
static unsigned int thread_bits(void)
{
	unsigned long long pid_max = read_number(PID_MAX_FILE, "");
	unsigned int bits = MIN_THREAD_BITS;

	while (bits < MAX_THREAD_BITS && 1ULL << bits < pid_max)
		bits++;
	return bits;
}

static int check_memory(unsigned int cpus, const struct source_config *c,
			struct error *e)
{
	unsigned long long need, have = read_number("/proc/meminfo", "MemAvailable:");

	/* An allocation that does not fit can end other processes first. */
	need = (unsigned long long)cpus * c->subbuf_count * c->subbuf_size >> 10;
	if (!have || need <= have / 4 * 3)
		return 0;
	return fail(e, EXIT_FAILED, -ENOMEM,
		    "buffers of %u CPUs: %llu MiB do not fit the %llu MiB of memory that are available: give a smaller --buffer",
		    cpus, need >> 10, have >> 10);
}

static int bpf_available(struct error *e)
{
	const unsigned long long cap_bpf = 1ULL << 39, cap_perfmon = 1ULL << 38,
				 cap_sys_admin = 1ULL << 21;
	unsigned long long caps = read_number("/proc/self/status", "CapEff:");
	int fd;

	libbpf_set_print(verbose ? print_all : NULL);
	if (access(BTF_FILE, R_OK))
		return fail(e, EXIT_NO_SOURCE, -errno,
			    BTF_FILE ": %s: BPF needs a kernel built with CONFIG_DEBUG_INFO_BTF: use the kernel module",
			    strerror(errno));
	if (!(caps & cap_sys_admin) && (caps & cap_bpf) != cap_bpf)
		return fail(e, EXIT_PERMISSION, -EPERM,
			    "BPF: CAP_BPF is missing: run as root, or with CAP_BPF and CAP_PERFMON");
	if (!(caps & cap_sys_admin) && !(caps & cap_perfmon))
		return fail(e, EXIT_PERMISSION, -EPERM,
			    "BPF: CAP_PERFMON is missing: run as root, or with CAP_BPF and CAP_PERFMON");
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, NULL, 4, 4, 1, NULL);
	if (fd < 0)
		return refused(e, -errno, "create a BPF map");
	close(fd);
	return 0;
}

/* --- open and close ---------------------------------------------------------- */

/* Both kinds of each program; the kind that is not wanted is not loaded. */
static void choose_programs(struct bpf *s, bool direct)
{
	struct bpf_program *all[2][PROBES] = {
#define PROBE_PAIR(probe, name)					\
		[0][probe] = s->skel->progs.name##_raw,		\
		[1][probe] = s->skel->progs.name##_btf,
		PROBE_PAIR(PROBE_FORK, on_sched_process_fork)
		PROBE_PAIR(PROBE_EXEC, on_sched_process_exec)
		PROBE_PAIR(PROBE_RENAME, on_task_rename)
		PROBE_PAIR(PROBE_WAKEUP_NEW, on_sched_wakeup_new)
		PROBE_PAIR(PROBE_WAKEUP, on_sched_wakeup)
		PROBE_PAIR(PROBE_WAKING, on_sched_waking)
		PROBE_PAIR(PROBE_SWITCH, on_sched_switch)
#undef PROBE_PAIR
	};
	int i;

	for (i = 0; i < PROBES; i++) {
		bpf_program__set_autoload(all[!direct][i], false);
		s->progs[i] = all[direct][i];
	}
}

/* Does this kernel's sched_switch report the state that prev goes with? */
static bool has_prev_state(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	const struct btf_type *t = NULL;
	int id;

	if (!btf)
		return false;
	/* A pointer to the probe: its data, preempt, prev, next, prev_state. */
	id = btf__find_by_name_kind(btf, "btf_trace_sched_switch", BTF_KIND_TYPEDEF);
	if (id > 0)
		t = btf__type_by_id(btf, btf__type_by_id(btf, id)->type);
	if (t && btf_is_ptr(t))
		t = btf__type_by_id(btf, t->type);
	id = t && btf_is_func_proto(t) && btf_vlen(t) >= 5;
	btf__free(btf);
	return id;
}

/* Load the programs of one kind, and see that they can be attached. */
static int load(struct bpf *s, unsigned int possible, unsigned int present, bool direct)
{
	uint32_t words = s->config.subbuf_size / FXT_WORD;
	struct bpf_link *link;
	int err;

	s->skel = fxt_sched_bpf__open();
	if (!s->skel)
		return -errno;
	choose_programs(s, direct);
	s->skel->rodata->subbuf_words = words;
	s->skel->rodata->subbuf_limit = words - FXT_RING_FOOTER_WORDS -
					FXT_SCHED_RECORD_WORDS;
	s->skel->rodata->subbuf_count = s->config.subbuf_count;
	s->skel->rodata->clock_kind = s->config.clock == CLOCK_KIND_MONO ?
				      FXT_BPF_CLOCK_MONO : FXT_BPF_CLOCK_BOOT;
	s->skel->rodata->weight_is_prio = s->config.weight == WEIGHT_MODE_PRIO;
	s->skel->rodata->has_prev_state = has_prev_state();
	s->skel->rodata->thread_bits = thread_bits();
	bpf_map__set_max_entries(s->skel->maps.threads, 1U << thread_bits());
	bpf_map__set_max_entries(s->skel->maps.rings, possible);
	bpf_map__set_max_entries(s->skel->maps.subbufs, present * s->config.subbuf_count);
	bpf_map__set_value_size(s->skel->maps.subbufs, s->config.subbuf_size);
	err = fxt_sched_bpf__load(s->skel);
	if (!err) {
		link = bpf_program__attach(s->progs[PROBE_RENAME]);
		if (link)
			bpf_link__destroy(link);
		else
			err = -errno;
	}
	if (err) {
		fxt_sched_bpf__destroy(s->skel);
		s->skel = NULL;
	}
	return err;
}

static int load_either(struct bpf *s, unsigned int possible, unsigned int present,
		       struct error *e)
{
	int err = load(s, possible, present, true);

	if (err && err != -ENOMEM && err != -E2BIG &&
	    !load(s, possible, present, false))
		return 0;
	if (err)
		return refused(e, err, "load the BPF programs");
	return 0;
}

static int open_rings(struct bpf *s, const struct cpus *present, struct error *e)
{
	s->rings = rings_open(&(struct rings_config) {
		.rings_fd = bpf_map__fd(s->skel->maps.rings),
		.subbufs_fd = bpf_map__fd(s->skel->maps.subbufs),
		.doorbell_fd = bpf_map__fd(s->skel->maps.doorbell),
		.names_fd = bpf_map__fd(s->skel->maps.names),
		.names_lost = &s->skel->bss->names_lost,
		.cpu_count = s->cpu_count,
		.present = present,
		.subbuf_size = s->config.subbuf_size,
		.subbuf_count = s->config.subbuf_count,
	});
	if (!s->rings)
		return refused(e, -errno, "map the BPF rings");
	s->source.poll_fd = rings_poll_fd(s->rings);
	return 0;
}

static void detach(struct bpf *s)
{
	int i;

	for (i = PROBES - 1; i >= 0; i--) {
		bpf_link__destroy(s->links[i]);
		s->links[i] = NULL;
	}
}

static void bpf_close(struct source *source)
{
	struct bpf *s = bpf_of(source);

	if (!s)
		return;
	detach(s);
	rings_close(s->rings);
	fxt_sched_bpf__destroy(s->skel);
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
	read_cpus("possible", &possible);
	read_cpus("present", &present);
	if (!possible.count || !present.count)
		return fail(e, EXIT_NO_SOURCE, -ENOENT,
			    CPU_DIR "present: no list of CPUs: mount sysfs on /sys");
	err = check_memory(present.count, c, e);
	if (err)
		return err;
	s = calloc(1, sizeof(*s));
	if (!s)
		return refused(e, -ENOMEM, "open a BPF session");
	s->source.ops = &source_bpf;
	s->source.poll_fd = -1;
	s->source.ticks_per_second = 1000000000;
	s->config = *c;
	s->cpu_count = possible.end;
	libbpf_set_print(verbose ? print_all : NULL);
	err = load_either(s, possible.end, present.count, e);
	if (!err)
		err = open_rings(s, &present, e);
	if (err) {
		bpf_close(&s->source);
		return err;
	}
	*source = &s->source;
	return 0;
}

/* --- start, stop --------------------------------------------------------------- */

static int bpf_start(struct source *source, struct error *e)
{
	struct bpf *s = bpf_of(source);
	int i, err;

	for (i = 0; i < PROBES; i++) {
		s->links[i] = bpf_program__attach(s->progs[i]);
		if (!s->links[i]) {
			err = -errno;
			detach(s);
			return refused(e, err, "attach the BPF programs");
		}
	}
	__atomic_store_n(&s->skel->bss->tracing, 1, __ATOMIC_SEQ_CST);
	return 0;
}

/*
 * Interrupt all CPUs. The programs that write into rings run with interrupts
 * off, so none is under way when this returns but such as know that tracing is
 * off. Where the kernel cannot do it (before 5.10), the end of an RCU grace
 * period says the same, but may take seconds on a busy machine.
 */
static void wait_for_rings(struct bpf *s)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = BPF_F_TEST_RUN_ON_CPU);
	int fd = bpf_program__fd(s->skel->progs.interrupt);
	const struct timespec wait = { .tv_nsec = 100000000 };

	for (opts.cpu = 0; opts.cpu < s->cpu_count; opts.cpu++)
		/* A CPU that is offline says ENXIO. */
		if (bpf_prog_test_run_opts(fd, &opts) && errno != ENXIO)
			break;
	if (opts.cpu == s->cpu_count)
		return;
	if (syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		nanosleep(&wait, NULL);		/* refused with nohz_full */
}

/* Those that send names can be interrupted, but not for long. */
static void wait_for_names(struct bpf *s)
{
	const struct timespec wait = { .tv_nsec = 100000 };
	int tries = 10000;

	while (__atomic_load_n(&s->skel->bss->names_busy, __ATOMIC_SEQ_CST) && tries--)
		nanosleep(&wait, NULL);
}

static int bpf_stop(struct source *source, struct error *e)
{
	struct bpf *s = bpf_of(source);

	(void)e;
	__atomic_store_n(&s->skel->bss->tracing, 0, __ATOMIC_SEQ_CST);
	wait_for_rings(s);
	wait_for_names(s);
	detach(s);
	return 0;
}

/* --- rundown ---------------------------------------------------------------------- */

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
					    &comm, &records);
	}
	err = emit(arg, buf, words * FXT_WORD);
	free(buf);
	return err;
}

static int bpf_rundown(struct source *source, source_emit emit, void *arg,
		       struct error *e)
{
	struct bpf *s = bpf_of(source);
	struct fxt_name names[RUNDOWN_NAMES];
	struct bpf_link *link = bpf_program__attach(s->skel->progs.rundown);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1;
	int err = 0;
	ssize_t n;

	if (fd < 0) {
		err = refused(e, -errno, "attach the BPF iterator of tasks");
		bpf_link__destroy(link);
		return err;
	}
	/* The kernel writes names one after another, never a part of one. */
	while (!err && (n = read(fd, names, sizeof(names))) != 0) {
		if (n > 0 && n % sizeof(*names) == 0)
			err = emit_names(names, n / sizeof(*names), emit, arg);
		else if (n > 0 || errno != EINTR)
			err = refused(e, n > 0 ? -EIO : -errno,
				      "read the BPF iterator of tasks");
	}
	close(fd);
	bpf_link__destroy(link);
	return err;
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
	read_cpus("online", &online);
	for (i = 0; i < s->cpu_count; i++) {
		rings_cpu_stats(s->rings, i, &stats);
		if (online.has[i] || stats.switches || stats.wakeups)
			stat(arg, &stats);
	}
	rings_names_stats(s->rings, &stats);
	stats.names = __atomic_load_n(&s->skel->bss->names_written, __ATOMIC_RELAXED);
	stats.lost = __atomic_load_n(&s->skel->bss->names_lost, __ATOMIC_RELAXED);
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
		if (!bpf_obj_get_info_by_fd(bpf_program__fd(s->progs[i]), &info, &size))
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
	.stats = bpf_stats,
	.skipped = bpf_skipped,
	.now = bpf_now,
	.close = bpf_close,
};
