// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Throttled cgroups: the counters end with the values of cpu.stat; number and length of a cgroup's
 * slices agree with these. The archive names the hook that was used; messages report what is
 * missing.
 *
 * cpu.stat counts periods at whose end a cgroup was throttled on any CPU, and adds up the time of
 * all CPUs.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <sys/mount.h>

#include "cgroup.h"
#include "groups_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(throttle);

BPF_FIXTURE(throttle_hook);

#define ROOT		"/sys/fs/cgroup"
#define ROOT_V1		ROOT "/cpu"
#define INNER		"/inner"
#define PERIOD_US	20000ULL
#define QUOTA		"5000 20000"
#define PERIODS		15		/* periods that a test lasts */
/*
 * A slice may differ from the kernel's count by the first of these. An emulated CPU may stop
 * between the kernel's look at the clock and the call that begins the slice, so one slice may
 * differ by the second.
 */
#define CLOCK_US	20ULL
#define STILL_US	50000ULL
#define ALL_CPUS	MAX_CPUS
#define FTRACE		"/proc/sys/kernel"

/* --- cgroups ------------------------------------------------------------------------------ */

struct group {
	char path[64];	/* path below the root */
	char dir[128];	/* its directory */
	uint64_t id;	/* its id in the kernel */
	pid_t loops[MAX_CPUS];	/* process ids of the loops */
	unsigned int loop_count;
	bool is_busy;	/* it has or had loops of its own */
};

struct stat_counts {
	uint64_t counts[3];	/* nr_periods, nr_throttled, throttled_usec */
};

/* Remove a cgroup that a failed test may have left, and its child. */
static void group_remove(const struct group *g)
{
	char child[256];

	snprintf(child, sizeof(child), "%s" INNER, g->dir);
	rmdir(child);
	rmdir(g->dir);
}

static bool is_v1(void)
{
	return access(ROOT "/cgroup.controllers", F_OK);
}

/* @quota: us of CPU time, and of the period */
static int group_limit(const struct group *g, const char *quota)
{
	char us[16];

	if (!is_v1())
		return write_in(g->dir, "cpu.max", quota);
	snprintf(us, sizeof(us), "%.*s", (int)strcspn(quota, " "), quota);
	return write_in(g->dir, "cpu.cfs_period_us", strchr(quota, ' ') + 1) ||
	       write_in(g->dir, "cpu.cfs_quota_us", us) ? -1 : 0;
}

/* Make a cgroup whose children can have quotas. @quota: NULL for none */
static int group_make(struct group *g, const char *path, const char *quota)
{
	char parent[128];
	struct stat st;

	*g = (struct group){ .id = 0 };
	snprintf(g->path, sizeof(g->path), "/fxt-%d-%s", getpid(), path);
	snprintf(g->dir, sizeof(g->dir), "%s%s", is_v1() ? ROOT_V1 : ROOT, g->path);
	snprintf(parent, sizeof(parent), "%.*s", (int)(strrchr(g->dir, '/') - g->dir), g->dir);
	group_remove(g);
	if ((!is_v1() && write_in(parent, "cgroup.subtree_control", "+cpu")) ||
	    mkdir(g->dir, 0755) || stat(g->dir, &st))
		return -1;
	g->id = st.st_ino;
	return quota ? group_limit(g, quota) : 0;
}

/* Start loops, each on a CPU of its own; with ALL_CPUS, on all CPUs. */
static int group_spin(struct group *g, unsigned int most)
{
	int cpus[MAX_CPUS];
	unsigned int count = allowed_cpus(cpus);
	pid_t pid;

	g->is_busy = true;
	for (; g->loop_count < count && g->loop_count < most; g->loop_count++) {
		pid = fork();
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pin(cpus[g->loop_count]);
			if (write_in(g->dir, "cgroup.procs", "0"))
				_exit(1);
			for (;;)
				;
		}
		if (pid < 0)
			return -1;
		g->loops[g->loop_count] = pid;
	}
	return 0;
}

/* Return: 0, or -1 if a loop had ended before. */
static int group_end(struct group *g)
{
	int status, ret = 0;

	for (; g->loop_count; g->loop_count--) {
		kill(g->loops[g->loop_count - 1], SIGKILL);
		if (waitpid(g->loops[g->loop_count - 1], &status, 0) < 0 || !WIFSIGNALED(status))
			ret = -1;
	}
	return ret;
}

static int group_stat(const struct group *g, struct stat_counts *to)
{
	static const char * const keys[] = { "nr_periods", "nr_throttled", "throttled_usec" };
	char path[256], key[64];
	uint64_t value;
	FILE *f;

	*to = (struct stat_counts){ { 0 } };
	snprintf(path, sizeof(path), "%s/cpu.stat", g->dir);
	f = fopen(path, "re");
	if (!f)
		return -1;
	while (fscanf(f, "%63s %" SCNu64, key, &value) == 2)
		for (int i = 0; i < 3; i++)
			if (!strcmp(key, keys[i]))
				to->counts[i] = value;
			else if (i == 2 && !strcmp(key, "throttled_time"))	/* v1: ns */
				to->counts[i] = value / 1000;
	fclose(f);
	return 0;
}

static int wait_for_periods(const struct group *g, unsigned int periods)
{
	struct stat_counts now;

	for (unsigned int ms = 0; ms < PATIENCE_MS; ms += 10) {
		if (group_stat(g, &now))
			return -1;
		if (now.counts[1] >= periods)
			return 0;
		sleep_ms(10);
	}
	return -1;
}

/* Wait until the kernel's counts stop growing: the cgroup neither runs nor is throttled. */
static int wait_for_calm(const struct group *g, struct stat_counts *last)
{
	struct stat_counts now;
	unsigned int ms, calm = 0;

	if (group_stat(g, last))
		return -1;
	for (ms = 0; ms < PATIENCE_MS && calm < 5; ms += 50) {
		sleep_ms(50);
		if (group_stat(g, &now))
			return -1;
		calm = memcmp(&now, last, sizeof(now)) ? 0 : calm + 1;
		*last = now;
	}
	return calm < 5 ? -1 : 0;
}

/* --- what was recorded ---------------------------------------------------------------------- */

struct slices {
	uint64_t count;	/* number of slices */
	uint64_t us;	/* sum of their lengths */
	uint64_t periods;	/* the most ends of periods that they can contain */
	uint64_t unnamed;	/* number of slices on a track of another name */
};

static struct slices slices_of(const struct trace *t, const struct group *g)
{
	const struct trace_group_event *e;
	const struct trace_name *name;
	struct slices s = { 0 };
	char text[128];
	uint64_t us;

	for (e = t->group_events; e < t->group_events + t->group_event_count; e++) {
		if (e->name != FXT_STR_THROTTLED || e->args[0] != g->id)
			continue;
		us = (e->time - e->begin) / 1000;
		s.count++;
		s.us += us;
		s.periods += us / PERIOD_US + 1;
		snprintf(text, sizeof(text), "%s cpu %u", g->path, (unsigned int)e->args[1]);
		name = trace_find_name(t, FXT_OBJECT_THREAD, e->thread);
		s.unnamed += !name || strcmp(name->text, text) ||
			     name->process != FXT_SCHED_KOID_THROTTLE;
	}
	return s;
}

static const struct trace_group_event *counter_of(const struct trace *t, const struct group *g,
						  bool last)
{
	const struct trace_group_event *e, *found = NULL;

	for (e = t->quotas; e < t->quotas + t->quota_count; e++)
		if (e->id == g->id && (!found || last))
			found = e;
	return found;
}

static int check_counters(const struct trace *t, const struct group *g,
			  const struct stat_counts *end, struct why *why)
{
	const struct trace_group_event *e, *last = NULL;

	for (e = t->quotas; e < t->quotas + t->quota_count; e++) {
		if (e->id != g->id)
			continue;
		for (int i = 0; last && i < 3; i++)
			if (e->args[i] < last->args[i] || e->time < last->time)
				return complain(why, "counter %d of %s goes back", i, g->path);
		last = e;
	}
	if (!last || strcmp(last->text, g->path))
		return complain(why, "%s has no counter", g->path);
	for (int i = 0; i < 3; i++)
		if (last->args[i] != end->counts[i])
			return complain(why, "counter %d of %s ends with %" PRIu64 ", cpu.stat with %" PRIu64,
					i, g->path, last->args[i], end->counts[i]);
	return 0;
}

/*
 * Check the number and length of the slices against the kernel's counts since the cgroup exists. In
 * a cgroup whose children are all throttled, no thread waits: the kernel counts the periods, but
 * from Linux 6.6 on not the time.
 */
static int check_slices(const struct trace *t, const struct group *g,
			const struct stat_counts *end, unsigned int cpus, struct why *why)
{
	struct slices s = slices_of(t, g);
	uint64_t us = end->counts[2], slack = us / 10 + s.count * CLOCK_US;

	if (s.unnamed)
		return complain(why, "%" PRIu64 " of %" PRIu64 " slices of %s are not on its tracks",
				s.unnamed, s.count, g->path);
	if (s.count > (end->counts[1] + 1) * cpus || (g->is_busy && s.periods < end->counts[1]))
		return complain(why, "%s has %" PRIu64 " slices that end up to %" PRIu64 " periods, nr_throttled is %" PRIu64,
				g->path, s.count, s.periods, end->counts[1]);
	if (s.us + slack + STILL_US < us || s.us > us + slack)
		return complain(why, "%" PRIu64 " slices of %s have %" PRIu64 " us, throttled_usec is %" PRIu64,
				s.count, g->path, s.us, us);
	return 0;
}

static int check_hook(const struct collector *c, const struct trace *t, struct why *why)
{
	static const char * const hooks[] = { "fentry", "kprobe" };
	char said[64], stored[64];

	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
		snprintf(said, sizeof(said), "slices by %s, counters from cpu.stat", hooks[i]);
		snprintf(stored, sizeof(stored), "\nthrottle %s,cpu.stat\n", hooks[i]);
		if (strstr(c->text, said) && strstr(t->session, stored))
			return 0;
	}
	return complain(why, "%s%s", c->text, t->session);
}

#define NO_HOOK	"no slices, because this kernel does not let programs be attached"

/* Some hosts allow no program there. */
static bool has_slices(const char *source, const struct collector *c)
{
	return !strcmp(source, "bpf") && (in_guest() || !strstr(c->text, NO_HOOK));
}

/* --- tests ----------------------------------------------------------------------------------- */

#define MAKE(g, path, quota) do {						\
	if (group_make(g, path, quota))						\
		SKIP(return, "no cgroup can have a quota here: %s", strerror(errno)); \
} while (0)

/* Let @g use up its quota often, and wait until it is at rest. */
#define SPIN(g, end) do {							\
	ASSERT_EQ(0, group_spin(g, ALL_CPUS));					\
	ASSERT_EQ(0, wait_for_periods(g, PERIODS));				\
	ASSERT_EQ(0, group_end(g));						\
	ASSERT_EQ(0, wait_for_calm(g, end));					\
} while (0)

/* The inner cgroup is throttled together with the outer one, and without it. */
SOURCE_TEST(throttle, as_cpu_stat_counts)
{
	struct group outer, inner, free;
	struct stat_counts end, outer_end;
	int cpus[MAX_CPUS];

	MAKE(&outer, "outer", "8000 20000");
	MAKE(&inner, "outer" INNER, QUOTA);
	MAKE(&free, "free", NULL);
	BEGIN("-e", "throttle");
	ASSERT_EQ(0, group_spin(&free, 1));
	SPIN(&inner, &end);
	ASSERT_EQ(0, group_end(&free));
	ASSERT_EQ(0, group_stat(&outer, &outer_end));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	group_remove(&outer);
	rmdir(free.dir);

	ASSERT_FINE(check_counters(&self->t, &inner, &end, &self->why));
	EXPECT_FINE(check_counters(&self->t, &outer, &outer_end, &self->why));
	/* This value was read before the loops began. */
	EXPECT_EQ(0U, counter_of(&self->t, &inner, false)->args[1]);
	EXPECT_EQ(0U, slices_of(&self->t, &free).count);
	EXPECT_EQ(NULL, counter_of(&self->t, &free, false));
	if (has_slices(self->source, &self->c)) {
		unsigned int count = allowed_cpus(cpus);

		EXPECT_FINE(check_slices(&self->t, &inner, &end, count, &self->why));
		EXPECT_FINE(check_slices(&self->t, &outer, &outer_end, count, &self->why));
		EXPECT_FINE(check_hook(&self->c, &self->t, &self->why));
	} else {
		EXPECT_EQ(0U, slices_of(&self->t, &inner).count);
		EXPECT_NE(NULL, strstr(self->c.text, strcmp(self->source, "bpf") ?
				       "no slices, because the module has no hook" : NO_HOOK))
			TH_LOG("%s", self->c.text);
		EXPECT_IN(self->t.session, "\nthrottle cpu.stat\n");
	}
}

/*
 * A process moves itself into the cgroup after it has been recorded in another one. It has ended
 * when the recording does, so nobody can look its cgroup up then.
 */
SOURCE_TEST(throttle_hook, moved_to_the_cgroup)
{
	struct group limited;
	struct stat_counts end;
	char pid[16];
	struct tool t;

	MAKE(&limited, "limited", QUOTA);
	BEGIN("-e", "throttle");
	ASSERT_EQ(0, group_spin(&limited, 1));
	snprintf(pid, sizeof(pid), "%d", limited.loops[0]);
	ASSERT_EQ(0, wait_for_periods(&limited, PERIODS));
	ASSERT_EQ(0, group_end(&limited));
	ASSERT_EQ(0, wait_for_calm(&limited, &end));
	ASSERT_FINE(record_end(&self->c, &self->why));
	group_remove(&limited);
	if (!has_slices(self->source, &self->c))
		SKIP(return, "this kernel lets no program be attached");
	tool_run(&t, ARGS("why", "--json", "--thread", pid, self->c.output));
	EXPECT_NE(NULL, strstr(t.out, "\"cause\":\"throttled\"")) TH_LOG("%s%s", t.err, t.out);
}

SOURCE_TEST(throttle, snapshot_of_one_cgroup)
{
	struct group limited, other;
	char snapshot[RECORD_PATH + 16];
	struct stat_counts end, other_end;

	if (is_v1())
		SKIP(return, "--cgroup selects cgroups of version 2, which have no quotas here");
	MAKE(&limited, "limited", QUOTA);
	MAKE(&other, "other", QUOTA);
	BEGIN("-e", "throttle", "-F", "--cgroup", limited.path);
	ASSERT_EQ(0, group_spin(&other, 1));
	SPIN(&limited, &end);
	ASSERT_EQ(0, group_end(&other));
	ASSERT_EQ(0, group_stat(&other, &other_end));
	ASSERT_FINE(record_end(&self->c, &self->why));
	rmdir(limited.dir);
	rmdir(other.dir);
	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	ASSERT_FINE(trace_load(&self->t, snapshot, false, &self->why));

	ASSERT_LT(0U, other_end.counts[1]);
	EXPECT_EQ(0U, slices_of(&self->t, &other).count);
	EXPECT_EQ(NULL, counter_of(&self->t, &other, false));
	EXPECT_FINE(check_counters(&self->t, &limited, &end, &self->why));
	if (has_slices(self->source, &self->c)) {
		EXPECT_LT(0U, slices_of(&self->t, &limited).count);
	}
}

/* --- what is said where something is missing -------------------------------------------------- */

/* Runs in a mount namespace of its own, which the collector shares. */
SOURCE_TEST(throttle, no_cgroups)
{
	const char *const all[] = { "-e", "all", NULL };
	struct group limited;
	int ret;

	MAKE(&limited, "limited", QUOTA);
	rmdir(limited.dir);
	if (!in_guest() || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || umount2(ROOT, MNT_DETACH))
		SKIP(return, "cgroup v2 cannot be unmounted here: %s", strerror(errno));
	ret = record_begin(&self->c, self->dir, self->source, ARGS("-e", "throttle"), &self->why);
	if (has_slices(self->source, &self->c)) {
		ASSERT_EQ(0, ret) TH_LOG("%s", self->why.text);
		ASSERT_FINE(record_end(&self->c, &self->why));
		EXPECT_IN(self->c.text, "no counters, because no cgroups with the CPU controller are mounted here");
		return;
	}
	EXPECT_EQ(-1, ret);
	EXPECT_IN(self->why.text, "--events throttle: ");
	EXPECT_IN(self->why.text, "no cgroups with the CPU controller are mounted here");
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, all, &self->why));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text,
		  "left out throttle: no cgroups with the CPU controller are mounted here");
}

/* The message says whether cgroups can have quotas on this machine. */
SOURCE_TEST(throttle_hook, quotas)
{
	struct group limited;
	bool has_quotas;
	int ret;

	has_quotas = !group_make(&limited, "limited", QUOTA);
	if (has_quotas)
		rmdir(limited.dir);
	ret = record_begin(&self->c, self->dir, self->source, ARGS("-e", "throttle"), &self->why);
	if (ret && !has_quotas) {
		EXPECT_NE(NULL, strstr(self->why.text,
				       "--events throttle: this kernel does not let programs be attached to throttle_cfs_rq, and "))
			TH_LOG("%s", self->why.text);
		return;
	}
	ASSERT_EQ(0, ret) TH_LOG("%s", self->why.text);
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(has_quotas, !strstr(self->c.text, "no counters, because "))
		TH_LOG("%s", self->c.text);
	EXPECT_EQ(has_quotas, !!strstr(self->c.text, "counters from cpu.stat"))
		TH_LOG("%s", self->c.text);
}

/* --- how programs are attached --------------------------------------------------------------- */

#define FULL	64U	/* more programs than the kernel attaches to one function by fentry */

/* Attach empty programs by fentry until the kernel refuses. Return: their number, in @links. */
static unsigned int fill_fentry(const char *function, int *links)
{
	static const struct bpf_insn empty[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY,
		    .attach_btf_id = libbpf_find_vmlinux_btf_id(function, BPF_TRACE_FENTRY));
	unsigned int n;
	int prog;

	for (n = 0; n < FULL; n++) {
		prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, NULL, "GPL", empty, 2, &opts);
		links[n] = prog < 0 ? -1 : bpf_raw_tracepoint_open(NULL, prog);
		if (prog >= 0)
			close(prog);
		if (links[n] < 0)
			break;
	}
	return n;
}

SOURCE_TEST(throttle_hook, kprobe)
{
	unsigned int filled;
	struct group limited;
	struct stat_counts end;
	int cpus[MAX_CPUS], links[FULL];

	MAKE(&limited, "limited", QUOTA);
	filled = fill_fentry("throttle_cfs_rq", links);
	ASSERT_GT(FULL, filled);
	BEGIN("-e", "throttle");
	SPIN(&limited, &end);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	rmdir(limited.dir);
	while (filled)
		close(links[--filled]);

	if (!has_slices(self->source, &self->c))
		SKIP(return, "this kernel lets no program be attached");
	EXPECT_IN(self->c.text, "slices by kprobe");
	EXPECT_IN(self->t.session, "\nthrottle kprobe,cpu.stat\n");
	EXPECT_FINE(check_slices(&self->t, &limited, &end, allowed_cpus(cpus), &self->why));
}

SOURCE_TEST(throttle_hook, ftrace_is_off)
{
	struct group limited;
	struct stat_counts end;
	int ret;

	if (!in_guest() || access(FTRACE "/ftrace_enabled", W_OK))
		SKIP(return, "ftrace cannot be turned off here");
	MAKE(&limited, "limited", QUOTA);
	ASSERT_EQ(0, write_in(FTRACE, "ftrace_enabled", "0"));
	ret = record_begin(&self->c, self->dir, self->source, ARGS("-e", "throttle"), &self->why);
	EXPECT_EQ(0, write_in(FTRACE, "ftrace_enabled", "1"));
	ASSERT_EQ(0, ret) TH_LOG("%s", self->why.text);
	SPIN(&limited, &end);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	rmdir(limited.dir);

	EXPECT_IN(self->c.text, NO_HOOK);
	EXPECT_IN(self->t.session, "\nthrottle cpu.stat\n");
	EXPECT_EQ(0U, slices_of(&self->t, &limited).count);
	EXPECT_FINE(check_counters(&self->t, &limited, &end, &self->why));
}
