// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * program_stacks_test.c - the functions of programs in stacks.
 *
 * In:  programs that block in functions with known names: one that lives for some ms, the same
 *      as a static one and as one whose symbols are in a file apart, a library that is loaded
 *      while recording, code without a file, page faults that read a disk, programs on a CPU that
 *      comes online; a lock convoy; too many mappings, too many threads.
 * Must hold: the archive names the functions, the file that each is in, and no function where
 *      there is none; without symbols it has what fxt symbolize needs for the same; what there
 *      was no room for is counted. No frame is missing where functions have no frame pointer, as in
 *      libc.
 */
#include <bpf/bpf.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "blocks.h"
#include "libsym/elf_file.h"
#include "source_fixture.h"
#include "stress.h"
#include "symbol_lines.h"
#include "tool.h"

SOURCE_FIXTURE(program_stacks);

/* A sleep may be over before it begins. */
#define FEWEST	(BLOCK_ROUNDS / 2)

extern char **environ;

static const char *beside(const char *name)
{
	static char path[4096];

	return built_path(path, sizeof(path), name);
}

/* Return: its process id, after it has ended; a negative one of its exit status, or -1. */
static int run_with(const char *name, const char *argument)
{
	char path[4096], *args[] = { path, (char *)argument, NULL };
	int status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s", beside(name));
	if (posix_spawn(&pid, args[0], NULL, NULL, args, environ) ||
	    waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return status ? -WEXITSTATUS(status) : pid;
}

static int run(const char *name)
{
	return run_with(name, NULL);
}

/* How many stacks of sleeps of a process have a frame in such a function? */
static int count_in(const struct trace *t, int process, const char *part)
{
	const struct trace_stack *s;
	int count = 0;
	uint32_t i;

	for (s = t->stacks; s < t->stacks + t->stack_count; s++) {
		if (s->process != (uint64_t)process || s->thread != (uint64_t)process)
			continue;
		for (i = 0; i < s->count; i++)
			if (symbol_lines_have(t->symbols, process, s->frames[i], part))
				break;
		count += i < s->count;
	}
	return count;
}

/* Are these the names of frames one behind the other, somewhere in the stack? */
static bool has_chain(const struct trace *t, const struct trace_stack *s, const char * const *chain)
{
	uint32_t i, j;

	for (i = 0; i < s->count; i++) {
		for (j = 0; chain[j] && i + j < s->count; j++)
			if (!symbol_lines_have(t->symbols, s->process, s->frames[i + j], chain[j]))
				break;
		if (!chain[j])
			return true;
	}
	return false;
}

static int count_chains(const struct trace *t, int process, const char * const *chain)
{
	const struct trace_stack *s;
	int count = 0;

	for (s = t->stacks; s < t->stacks + t->stack_count; s++)
		count += s->process == (uint64_t)process && has_chain(t, s, chain);
	return count;
}

#define CHAINS(process, ...) \
	count_chains(&self->t, process, (const char * const[]){ __VA_ARGS__, NULL })

/* The most frames of the program in a stack of the process. */
static uint32_t longest(const struct trace *t, int process)
{
	const struct trace_stack *s;
	uint32_t most = 0, count, i;

	for (s = t->stacks; s < t->stacks + t->stack_count; s++) {
		for (i = count = 0; i < s->count; i++)
			count += !fxt_sched_is_kernel(s->frames[i]);
		if (s->process == (uint64_t)process && count > most)
			most = count;
	}
	return most;
}

#define BEGIN(...) do {								\
	const char *const args[] = { "--stacks=offcpu", "--stacks-min=0", ##__VA_ARGS__, NULL };	\
										\
	NEEDS_STACKS();								\
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args,	\
				 &self->why));					\
} while (0)

TEST_F(program_stacks, short_lived_programs_have_names)
{
	int pid;

	BEGIN();
	pid = run("block");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block]"))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "nanosleep [libc"));
	EXPECT_LE(FEWEST, CHAINS(pid, "nanosleep [libc", "sleep_in_program [block]",
				 "block_in_program [block]", "main [block]"));
}

TEST_F(program_stacks, static_programs_have_names)
{
	int pid;

	BEGIN();
	pid = run("block_static");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block_static]"))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, CHAINS(pid, "nanosleep [block_static]", "sleep_in_program [block_static]",
				 "block_in_program [block_static]", "main [block_static]"));
}

/* Their names are missing, but no frame is. */
TEST_F(program_stacks, stripped_programs_have_all_frames)
{
	int pid, stripped;

	BEGIN();
	pid = run("block");
	stripped = run("block_stripped");
	ASSERT_LT(0, pid);
	ASSERT_LT(0, stripped);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0, count_in(&self->t, stripped, "[block_stripped]"));
	EXPECT_LT(4U, longest(&self->t, pid));
	EXPECT_EQ(longest(&self->t, pid), longest(&self->t, stripped));
}

/* What waits for a lock, and what wakes it because it held it. */
static void expect_convoy(struct __test_metadata *_metadata, FIXTURE_DATA(program_stacks) *self,
			  int pid, const char *waits, const char *calls, const char *holds)
{
	EXPECT_LE(FEWEST, CHAINS(pid, "pthread_mutex_lock", waits, calls))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, CHAINS(pid, "pthread_mutex_unlock", holds, "main"));
	/* rebuild_cache() calls nanosleep() while it holds the lock. */
	EXPECT_LE(FEWEST, CHAINS(pid, "nanosleep", holds, "main"));
}

TEST_F(program_stacks, convoy_names_who_waits_and_who_holds)
{
	const char *args[] = { "report", "--folded", NULL, NULL };
	const char *check[] = { "check", NULL, NULL };
	struct tool tool = { 0 };
	int pid;

	BEGIN("--stacks=offcpu,wake");
	pid = run("convoy");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	expect_convoy(_metadata, self, pid, "update_index [convoy]", "handle_request [convoy]",
		      "rebuild_cache [convoy]");
	args[2] = self->c.output;
	ASSERT_EQ(0, tool_run(&tool, args)) TH_LOG("%s", tool.err);
	EXPECT_NE(NULL, strstr(tool.out, ";handle_request [convoy];update_index [convoy];"));
	EXPECT_NE(NULL, strstr(tool.out, ";main [convoy];rebuild_cache [convoy];"));
	tool_free(&tool);
	/* Nothing of the stacks themselves is left behind the frames. */
	check[1] = self->c.output;
	ASSERT_LE(0, tool_run(&tool, check));
	EXPECT_EQ(NULL, strstr(tool.out, "trailing-words")) TH_LOG("%s", tool.out);
	EXPECT_EQ(NULL, strstr(tool.err, "trailing-words")) TH_LOG("%s", tool.err);
	tool_free(&tool);
}

/* Nor has the program frame pointers. */
TEST_F(program_stacks, convoy_without_frame_pointers)
{
	int pid;

	BEGIN("--stacks=offcpu,wake");
	pid = run("convoy_plain");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	expect_convoy(_metadata, self, pid, "update_index [convoy_plain]",
		      "handle_request [convoy_plain]", "rebuild_cache [convoy_plain]");
}

static void call_library(void)
{
	void *library = dlopen(beside("block.so"), RTLD_NOW);
	void *function = library ? dlsym(library, "block_in_library") : NULL;

	if (function)
		((void (*)(void))function)();
	if (library)
		dlclose(library);
}

TEST_F(program_stacks, libraries_have_names)
{
	BEGIN();
	call_library();
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, getpid(), "block_in_library [block.so]"))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, CHAINS(getpid(), "sleep_in_program [block.so]",
				 "block_in_library [block.so]"));
}

/* A function that keeps a frame pointer and calls its argument. */
static const unsigned char code[] = {
#if defined(__x86_64__)
	0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3,
#elif defined(__aarch64__)
	0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91, 0x00, 0x00, 0x3f, 0xd6,
	0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6,
#endif
};

TEST_F(program_stacks, code_without_a_file_has_no_names)
{
	void *library = dlopen(beside("block.so"), RTLD_NOW);
	size_t i, found = 0;
	unsigned char *page;
	uint32_t j;

	if (!sizeof(code))
		SKIP(return, "no code for this architecture");
	ASSERT_NE(NULL, library);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	memcpy(page, code, sizeof(code));
	__builtin___clear_cache((char *)page, (char *)page + sizeof(code));
	BEGIN();
	((void (*)(void *))page)(dlsym(library, "block_in_library"));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for (i = 0; i < self->t.stack_count; i++) {
		const struct trace_stack *s = &self->t.stacks[i];

		for (j = 0; j < s->count; j++) {
			if (s->frames[j] - (uintptr_t)page >= 4096)
				continue;
			found++;
			EXPECT_FALSE(symbol_lines_have(self->t.symbols, s->process,
						       s->frames[j], ""));
		}
	}
	EXPECT_LE((size_t)FEWEST, found);
	munmap(page, 4096);
	dlclose(library);
}

TEST_F(program_stacks, symbolize_names_them_later)
{
	const char *args[] = { "symbolize", NULL, NULL };
	struct tool tool = { 0 };
	int pid;

	BEGIN("--no-symbols");
	pid = run("block");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(NULL, self->t.symbols);
	args[1] = self->c.output;
	ASSERT_EQ(0, tool_run(&tool, args)) TH_LOG("%s", tool.err);
	tool_free(&tool);
	trace_free(&self->t);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block]"))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "hrtimer_nanosleep"));
}

/* --- page faults ------------------------------------------------------------------------------ */

/* The last time before a switch-in that its thread was switched out; NULL: none. */
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

/* Of a thread's stacks of sleeps, how many are in such a function, and in another state than D? */
struct faults {
	int in_function;
	int elsewhere;
	uint64_t ns;		/* of sleeps in the function */
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
				is_in = symbol_lines_have(t->symbols, tid, stack->frames[i], part);
			f.in_function += is_in;
			f.elsewhere += is_in && out->sw.letter != 'D';
			f.ns += is_in ? e->time - out->time : 0;
		}
	}
	return f;
}

/* A fast disk may have the page before the thread sleeps, even each time that a program runs. */
#define FAULT_RUNS	10

TEST_F(program_stacks, page_faults_have_names)
{
	struct faults program, kernel, caller;
	int pids[FAULT_RUNS], found = 0, elsewhere = 0, i;
	char path[4096];

	/* A file on a disk that no process has mapped. */
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
		/* Each of these stacks is from the kernel's function for faults of files to main(). */
		kernel = faults_of(&self->t, pids[i], "filemap_fault");
		caller = faults_of(&self->t, pids[i], "main [block]");
		EXPECT_LE(program.in_function, kernel.in_function);
		EXPECT_LE(program.ns, kernel.ns);
		EXPECT_EQ(program.in_function, caller.in_function);
		EXPECT_EQ(program.ns, caller.ns);
		found += program.in_function;
		elsewhere += program.elsewhere;
	}
	EXPECT_LE(1, found) TH_LOG("%s", self->c.text);
	/* That of a guest's file system waits for a lock, too. */
	EXPECT_LE(elsewhere, found / 2);
}

/* --- CPUs that come and go ------------------------------------------------------------------------ */

static int count_perf_events(int pid)
{
	char path[320], target[64];
	struct dirent *entry;
	int count = 0;
	ssize_t n;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%s", pid, entry->d_name);
		n = readlink(path, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		count += !strcmp(target, "anon_inode:[perf_event]");
	}
	if (dir)
		closedir(dir);
	return count;
}

/* Until the collector has followed a CPU; fails only after PATIENCE_MS. */
static bool wait_for_perf_events(int pid, int count)
{
	unsigned int ms;

	for (ms = 0; ms < PATIENCE_MS && count_perf_events(pid) != count; ms += 10)
		sleep_ms(10);
	return ms < PATIENCE_MS;
}

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

/* Debian's kernels have 3: then CAP_PERFMON opens no event. */
static int let_perf_open(void)
{
	FILE *f = fopen(PARANOID, "w");
	int ret = f ? fputs("2", f) : EOF;

	return f && !fclose(f) && ret >= 0 ? 0 : -1;
}

TEST_F(program_stacks, cpus_come_online)
{
	int cpus[MAX_CPUS], pids[2], i, cpu, events;
	unsigned int count = allowed_cpus(cpus);

	cpu = cpus[count - 1];
	if (!in_guest() || count < 2 || cpu_set_online(cpu, false))
		SKIP(return, "no CPU can be taken offline here");
	ASSERT_EQ(0, let_perf_open());
	BEGIN();
	events = count_perf_events(self->c.pid);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, cpu_set_online(cpu, true));
		ASSERT_TRUE(wait_for_perf_events(self->c.pid, events + 1));
		pin(cpu);
		pids[i] = run("block");
		pin(cpus[0]);
		ASSERT_EQ(0, cpu_set_online(cpu, false));
		ASSERT_TRUE(wait_for_perf_events(self->c.pid, events));
	}
	ASSERT_EQ(0, cpu_set_online(cpu, true));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for (i = 0; i < 2; i++) {
		ASSERT_LT(0, pids[i]);
		EXPECT_LE(FEWEST, count_in(&self->t, pids[i], "block_in_program [block]"))
			TH_LOG("%d: %s", i, self->c.text);
	}
}

/* --- files ------------------------------------------------------------------------------------- */

static int copy_file(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out, ret = -1;
	char buffer[65536];
	ssize_t n;

	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	while (in >= 0 && out >= 0 && (n = read(in, buffer, sizeof(buffer))) >= 0) {
		ret = n ? 0 : ret;
		if (!n || write(out, buffer, n) != n)
			break;
	}
	close(in);
	close(out);
	return ret;
}

/* Put the debug file of a program where its build id says, below a directory. 0 or -1 */
static int install_debug_file(const char *name, const char *debug, const char *dir)
{
	char path[4096], hex[2 * sizeof(((struct elf_id *)0)->id) + 1] = "";
	int fd = open(beside(name), O_RDONLY | O_CLOEXEC);
	struct elf_id id = { .bytes = 0 };
	size_t i;

	if (fd < 0)
		return -1;
	elf_read_id(fd, &id);
	close(fd);
	for (i = 0; i < id.bytes; i++)
		sprintf(hex + 2 * i, "%02x", id.id[i]);
	if (id.bytes < 2)
		return -1;
	snprintf(path, sizeof(path), "%s/.build-id", dir);
	if (mkdir(path, 0755))
		return -1;
	snprintf(path, sizeof(path), "%s/.build-id/%.2s", dir, hex);
	if (mkdir(path, 0755))
		return -1;
	snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug", dir, hex, hex + 2);
	return copy_file(beside(debug), path);
}

TEST_F(program_stacks, debug_files_name_stripped_programs)
{
	const char *args[] = { "symbolize", "--debug", self->dir, self->c.output, NULL };
	struct tool tool = { 0 };
	int pid;

	BEGIN();
	pid = run("block_stripped");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0, count_in(&self->t, pid, "[block_stripped]"));
	EXPECT_NE(NULL, strstr(self->c.text, "block_stripped has no symbols"))
		TH_LOG("%s", self->c.text);
	trace_free(&self->t);
	ASSERT_EQ(0, install_debug_file("block_stripped", "block_stripped.debug", self->dir));
	ASSERT_EQ(0, tool_run(&tool, args)) TH_LOG("%s", tool.err);
	tool_free(&tool);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block_stripped]"));
}

/* --- no room ------------------------------------------------------------------------------------ */

/* A number of the description of the recording, -1 without any. */
static long session_number(const struct trace *t, const char *key)
{
	const char *at = strstr(t->session, key);

	return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

/* Map and unmap code, on one CPU. Return: 0 or -1. */
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

/* Each time before it waits, the collector has read what there was. */
static bool wait_for_reads(int pid)
{
	struct counts before, now;
	unsigned int ms;

	if (counts_read_of(pid, &before))
		return false;
	for (ms = 0; ms < PATIENCE_MS; ms += 10) {
		sleep_ms(10);
		if (counts_read_of(pid, &now))
			return false;
		if (now.voluntary >= before.voluntary + 10)
			return true;
	}
	return false;
}

#define MAPPINGS	20000	/* more than the kernel has room for */

TEST_F(program_stacks, lost_mappings_are_counted)
{
	int fd = open(beside("block.so"), O_RDONLY | O_CLOEXEC), cpus[MAX_CPUS];
	long lost;

	ASSERT_LE(0, fd);
	allowed_cpus(cpus);
	BEGIN();
	pin(cpus[0]);
	/* While the collector reads nothing. */
	ASSERT_EQ(0, kill(self->c.pid, SIGSTOP));
	ASSERT_EQ(0, map_often(fd, MAPPINGS));
	ASSERT_EQ(0, kill(self->c.pid, SIGCONT));
	/* Before Linux 6.0, the next event after it has read says how many are missing. */
	ASSERT_TRUE(wait_for_reads(self->c.pid));
	ASSERT_EQ(0, map_often(fd, 1));
	close(fd);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	lost = session_number(&self->t, "mappings_lost ");
	EXPECT_LE(MAPPINGS / 2, lost) TH_LOG("%s", self->t.session);
	EXPECT_GE(MAPPINGS, lost);
	EXPECT_NE(NULL, strstr(self->c.text, "mappings of programs are unknown"))
		TH_LOG("%s", self->c.text);
}

/* A descriptor of a collector's BPF map; -1 if it has none of that name. */
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

TEST_F(program_stacks, stacks_without_room_are_counted)
{
	static const uint64_t none[2 + 128];
	uint32_t tid, first = 1 << 30;
	int pid, fd;
	long cut;

	/* No other thread gives room back when it exits. */
	BEGIN("--comm=block");
	fd = open_map(self->c.pid, "user_stacks");
	ASSERT_LE(0, fd);
	/* The stacks of threads that there are not. */
	for (tid = first; !bpf_map_update_elem(fd, &tid, none, BPF_NOEXIST); )
		tid++;
	EXPECT_NE(first, tid);
	pid = run("block");
	close(fd);
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0, count_in(&self->t, pid, "[block]"));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "hrtimer_nanosleep"));
	cut = session_number(&self->t, "stacks_cut ");
	EXPECT_LE(FEWEST, cut) TH_LOG("%s", self->t.session);
	EXPECT_NE(NULL, strstr(self->c.text, "stacks lack the frames of the program"))
		TH_LOG("%s", self->c.text);
}

TEST_HARNESS_MAIN
