// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks of programs when something rare happens: page faults that read a disk; too many mappings,
 * too many threads. Mappings and stacks without room are counted.
 */
#include <bpf/bpf.h>
#include <dirent.h>

#include "program_stacks.h"
#include "stress.h"

SOURCE_FIXTURE(program_stacks_rare);

static const struct trace_event *out_before(const struct trace *t, const struct trace_event *in)
{
	const struct trace_event *e, *last = NULL;
	const struct trace_stream *s;

	trace_for_each_event(t, s, e)
		if (!e->is_wakeup && e->sw.out == in->sw.in && e->time <= in->time && e != in &&
		    (!last || e->time > last->time))
			last = e;
	return last;
}

struct faults {
	int in_function;	/* number of these sleeps */
	int elsewhere;	/* how many of them are in another state than D */
	uint64_t ns;	/* their total time */
	uint64_t from;	/* time when the first of them began */
	uint64_t to;	/* time when the last one ended */
};

static struct faults faults_of(const struct trace *t, int tid, const char *part)
{
	const struct trace_event *e, *out;
	const struct trace_stack *stack;
	const struct trace_stream *s;
	struct faults f = { 0 };
	bool is_in = false;
	uint32_t i;

	trace_for_each_event(t, s, e) {
		out = !e->is_wakeup && e->sw.in == (uint64_t)tid ? out_before(t, e) : NULL;
		if (!out || out->sw.state != FXT_THREAD_BLOCKED)
			continue;
		for (stack = t->stacks; stack < t->stacks + t->stack_count; stack++) {
			if (stack->after != e->offset || stack->thread != (uint64_t)tid ||
			    stack->time != e->time)
				continue;
			for (i = 0, is_in = false; i < stack->count && !is_in; i++)
				is_in = symbol_lines_have(&t->symbols, tid, stack->frames[i], part);
			f.in_function += is_in;
			f.elsewhere += is_in && out->sw.letter != 'D';
			f.ns += is_in ? e->time - out->time : 0;
			if (is_in && (!f.from || out->time < f.from))
				f.from = out->time;
			if (is_in && e->time > f.to)
				f.to = e->time;
		}
	}
	return f;
}

/* Return: ns that a thread slept from one time to another, with or without stacks. */
static uint64_t slept(const struct trace *t, int tid, uint64_t from, uint64_t to)
{
	const struct trace_event *e, *out;
	const struct trace_stream *s;
	uint64_t ns = 0;

	trace_for_each_event(t, s, e) {
		out = !e->is_wakeup && e->sw.in == (uint64_t)tid ? out_before(t, e) : NULL;
		if (out && out->sw.state == FXT_THREAD_BLOCKED && out->time >= from && e->time <= to)
			ns += e->time - out->time;
	}
	return ns;
}

/* With a fast disk, the page may be there before the thread sleeps, even in most runs. */
#define FAULT_RUNS	10

TEST_F(program_stacks_rare, page_faults_have_names)
{
	struct faults program, kernel, caller;
	int pids[FAULT_RUNS], found = 0, elsewhere = 0, i;
	uint64_t all;
	char path[4096];

	/* This file is on a disk, and no process has mapped it. */
	snprintf(path, sizeof(path), "%s", beside("block_static"));
	BEGIN();
	for (i = 0; i < FAULT_RUNS; i++)
		pids[i] = run_with("block", path);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	if (pids[0] == -BLOCK_NO_DISK)
		SKIP(return, "block_static is on no disk: its pages stay in memory");
	for (i = 0; i < FAULT_RUNS; i++) {
		ASSERT_LT(0, pids[i]);
		program = faults_of(&self->t, pids[i], "fault_in_program [block]");
		/* Each stack leads from the kernel's handler of file faults to main(). */
		kernel = faults_of(&self->t, pids[i], "filemap_fault");
		caller = faults_of(&self->t, pids[i], "main [block]");
		EXPECT_LE(program.in_function, kernel.in_function);
		EXPECT_LE(program.ns, kernel.ns);
		/* The program also waits for the disk in earlier system calls. */
		EXPECT_LE(program.in_function, caller.in_function);
		EXPECT_LE(program.ns, caller.ns);
		/* From the first fault to the last one, the program only waits for pages. */
		all = slept(&self->t, pids[i], program.from, program.to);
		EXPECT_LE(all - all / 100, program.ns);
		found += program.in_function;
		elsewhere += program.elsewhere;
	}
	EXPECT_LE(1, found) TH_LOG("%s", self->c.text);
	/* A guest's file system also waits for a lock. */
	EXPECT_LE(elsewhere, found / 2);
}

/* Map and unmap code many times, on one CPU. Return: 0 or -1. */
static int map_often(int fd, unsigned int times)
{
	void *at;

	for (; times; times--) {
		at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (at == MAP_FAILED || munmap(at, 4096))
			return -1;
	}
	return 0;
}

#define MAPPINGS	20000	/* more than the kernel has room for */
#define LATER_MAPPINGS	50

TEST_F(program_stacks_rare, lost_mappings_are_counted)
{
	int fd = open(beside("block.so"), O_RDONLY | O_CLOEXEC), cpus[MAX_CPUS], i;
	long lost;

	ASSERT_LE(0, fd);
	allowed_cpus(cpus);
	BEGIN();
	pin(cpus[0]);
	/* The collector reads nothing meanwhile. */
	ASSERT_EQ(0, kill(self->c.pid, SIGSTOP));
	ASSERT_EQ(0, map_often(fd, MAPPINGS));
	ASSERT_EQ(0, kill(self->c.pid, SIGCONT));
	/* Before Linux 6.0, only the next event after a read reports how many are missing. */
	ASSERT_EQ(0, wait_for_reads(&self->c));
	for (i = 0; i < LATER_MAPPINGS; i++) {
		sleep_ms(100);
		ASSERT_EQ(0, map_often(fd, 1));
	}
	close(fd);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	lost = trace_session_number(&self->t, "mappings_lost");
	EXPECT_LE(MAPPINGS / 2, lost) TH_LOG("%s", self->t.session);
	EXPECT_GE(MAPPINGS + LATER_MAPPINGS, lost);
	EXPECT_IN(self->c.text, "mappings of programs were lost");
}

/* -1 if there is none */
static int open_map(int pid, const char *name)
{
	char path[64], line[256];
	struct bpf_map_info info;
	struct dirent *entry;
	int fd = -1, id;
	DIR *dir;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo", pid);
	dir = opendir(path);
	while (dir && fd < 0 && (entry = readdir(dir))) {
		uint32_t bytes = sizeof(info);

		snprintf(path, sizeof(path), "/proc/%d/fdinfo/%.10s", pid, entry->d_name);
		f = fopen(path, "re");
		for (id = 0; f && !id && fgets(line, sizeof(line), f); )
			sscanf(line, "map_id: %d", &id);
		if (f)
			fclose(f);
		fd = id ? bpf_map_get_fd_by_id(id) : -1;
		memset(&info, 0, sizeof(info));
		if (fd >= 0 && (bpf_obj_get_info_by_fd(fd, &info, &bytes) ||
				strcmp(info.name, name))) {
			close(fd);
			fd = -1;
		}
	}
	if (dir)
		closedir(dir);
	return fd;
}

TEST_F(program_stacks_rare, stacks_without_room_are_counted)
{
	static const uint64_t none[2 + 128];
	uint32_t tid, first = 1 << 30;
	int pid, fd;
	long cut;

	/* The module's table cannot be filled from outside. */
	if (strcmp(self->source, "bpf"))
		return;
	/* With this filter, no other thread frees an entry when it exits. */
	BEGIN("--comm=block");
	fd = open_map(self->c.pid, "user_stacks");
	ASSERT_LE(0, fd);
	/* Fill the map with stacks of threads that do not exist. */
	for (tid = first; !bpf_map_update_elem(fd, &tid, none, BPF_NOEXIST); )
		tid++;
	EXPECT_NE(first, tid);
	pid = run("block");
	close(fd);
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0, count_in(&self->t, pid, "[block]"));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "hrtimer_nanosleep"));
	cut = trace_session_number(&self->t, "user_stacks_dropped");
	EXPECT_LE(FEWEST, cut) TH_LOG("%s", self->t.session);
	EXPECT_IN(self->c.text, "stacks lack the frames of the program");
}
