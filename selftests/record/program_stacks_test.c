// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The functions of programs in stacks: of one that lives for some ms, the same linked statically
 * and with its symbols in a separate file, a library that is loaded while recording, code without a
 * file, a lock convoy. The archive names no function if the file has changed; without symbols, it
 * has the data for fxt symbolize to do the same. Functions without a frame pointer, as in libc,
 * cause no missing frames.
 */
#include <dlfcn.h>

#include "libsym/elf_file.h"
#include "program_stacks.h"
#include "tool.h"

SOURCE_FIXTURE(program_stacks);

/* Does the stack have frames of these names, one directly after the other? */
static bool has_chain(const struct trace *t, const struct trace_stack *s, const char * const *chain)
{
	uint32_t i, j;

	for (i = 0; i < s->count; i++) {
		for (j = 0; chain[j] && i + j < s->count; j++)
			if (!symbol_lines_have(&t->symbols, s->process, s->frames[i + j], chain[j]))
				break;
		if (!chain[j])
			return true;
	}
	return false;
}

static int count_chains(const struct trace *t, int process, const char * const *chain)
{
	int count = 0;

	for (const struct trace_stack *s = t->stacks; s < t->stacks + t->stack_count; s++)
		count += s->process == (uint64_t)process && has_chain(t, s, chain);
	return count;
}

#define CHAINS(process, ...) \
	count_chains(&self->t, process, ARGS(__VA_ARGS__))

static uint32_t longest(const struct trace *t, int process)
{
	uint32_t most = 0, count, i;

	for (const struct trace_stack *s = t->stacks; s < t->stacks + t->stack_count; s++) {
		for (i = count = 0; i < s->count; i++)
			count += !fxt_sched_is_kernel(s->frames[i]);
		if (s->process == (uint64_t)process && count > most)
			most = count;
	}
	return most;
}

/*
 * Record a program, again if names that it needs, @found, are late. With the filter, all stacks are
 * its own.
 */
#define RECORD(pid, name, found, ...) do {					\
	unsigned int attempts_ = 0;						\
										\
	do {									\
		BEGIN("--comm=" name, ##__VA_ARGS__);				\
		pid = run(name);						\
		ASSERT_LT(0, pid);						\
		ASSERT_FINE(record_load(&self->c, &self->t, &self->why));	\
	} while (MUST_RECORD_AGAIN(found, &attempts_));				\
} while (0)

TEST_F(program_stacks, short_lived_programs_have_names)
{
	static const char *const chain[] = {
		"nanosleep [libc", "sleep_in_program [block]", "block_in_program [block]",
		"main [block]", NULL,
	};
	int pid;

	RECORD(pid, "block", count_chains(&self->t, pid, chain) >= FEWEST);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block]"))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "nanosleep [libc"));
	EXPECT_LE(FEWEST, count_chains(&self->t, pid, chain));
}

TEST_F(program_stacks, static_programs_have_names)
{
	static const char *const chain[] = {
		"nanosleep [block_static]", "sleep_in_program [block_static]",
		"block_in_program [block_static]", "main [block_static]", NULL,
	};
	int pid;

	RECORD(pid, "block_static", count_chains(&self->t, pid, chain) >= FEWEST);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block_static]"))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, count_chains(&self->t, pid, chain));
}

/* A stripped program lacks the names, but not the frames. */
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

/* Are there enough stacks of waits for the lock, of its release, and of sleeps of its holder? */
static bool has_convoy(const struct trace *t, int pid, const char *waits, const char *calls,
		       const char *holds)
{
	return count_chains(t, pid, ARGS("pthread_mutex_lock", waits, calls)) >= FEWEST &&
	       count_chains(t, pid, ARGS("pthread_mutex_unlock", holds, "main")) >= FEWEST &&
	       count_chains(t, pid, ARGS("nanosleep", holds, "main")) >= FEWEST;
}

TEST_F(program_stacks, convoy_names_who_waits_and_who_holds)
{
	const char *args[] = { "report", "--all", "--folded", NULL, NULL };
	const char *check[] = { "check", NULL, NULL };
	struct tool tool = { 0 };
	int pid;

#define HAS_CONVOY has_convoy(&self->t, pid, "update_index [convoy]",		\
			      "handle_request [convoy]", "rebuild_cache [convoy]")
	RECORD(pid, "convoy", HAS_CONVOY, "--stacks=offcpu,wake");
	EXPECT_TRUE(HAS_CONVOY) TH_LOG("%s", self->c.text);
	args[3] = self->c.output;
	ASSERT_EQ(0, tool_run(&tool, args)) TH_LOG("%s", tool.err);
	EXPECT_IN(tool.out, ";handle_request [convoy];update_index [convoy];");
	EXPECT_IN(tool.out, ";main [convoy];rebuild_cache [convoy];");
	/* The records end with the frames: the copy of the stack is removed. */
	check[1] = self->c.output;
	ASSERT_LE(0, tool_run(&tool, check));
	EXPECT_NOT_IN(tool.out, "trailing-words");
	EXPECT_NOT_IN(tool.err, "trailing-words");
}

#if defined(__aarch64__)
#define LIBC_HAS_FRAME_POINTERS	true
#else
#define LIBC_HAS_FRAME_POINTERS	false
#endif

/* The program has no frame pointers either. */
TEST_F(program_stacks, convoy_without_frame_pointers)
{
	int pid;

	if (LIBC_HAS_FRAME_POINTERS)
		SKIP(return, "the frame pointers of libc lead past its callers that have none");
#define HAS_PLAIN_CONVOY has_convoy(&self->t, pid, "update_index [convoy_plain]",	\
				    "handle_request [convoy_plain]",		\
				    "rebuild_cache [convoy_plain]")
	RECORD(pid, "convoy_plain", HAS_PLAIN_CONVOY, "--stacks=offcpu,wake");
	EXPECT_TRUE(HAS_PLAIN_CONVOY) TH_LOG("%s", self->c.text);
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
	unsigned int attempts = 0;
	int chains;

	do {
		BEGIN();
		call_library();
		ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
		chains = CHAINS(getpid(), "sleep_in_program [block.so]",
				"block_in_library [block.so]");
	} while (MUST_RECORD_AGAIN(chains >= FEWEST, &attempts));
	EXPECT_LE(FEWEST, count_in(&self->t, getpid(), "block_in_library [block.so]"))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, chains);
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

		for (uint32_t j = 0; j < s->count; j++) {
			if (s->frames[j] - (uintptr_t)page >= 4096)
				continue;
			found++;
			EXPECT_FALSE(symbol_lines_have(&self->t.symbols, s->process,
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
	int pid, named;

	BEGIN("--no-symbols");
	pid = run("block");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0U, self->t.symbols.count);
	args[1] = self->c.output;
	ASSERT_EQ(0, tool_run(&tool, args)) TH_LOG("%s", tool.err);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	named = count_in(&self->t, pid, "block_in_program [block]");
	EXPECT_LE(FEWEST, named) TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "hrtimer_nanosleep"));
}

static int copy_file(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out, ret = -1;
	char buffer[65536];
	ssize_t n;

	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	while (in >= 0 && out >= 0 && (n = read(in, buffer, sizeof(buffer))) >= 0) {
		ret = n ? 0 : ret;
		if (!n || write(out, buffer, n) != n)
			break;
	}
	close(in);
	close(out);
	return ret;
}

/* Store a debug file below a directory, in the place for its build id. Return: 0 or -1. */
static int install_debug_file(const char *name, const char *debug, const char *dir)
{
	char path[4096], hex[2 * sizeof(((struct elf_id *)0)->id) + 1] = "";
	int fd = open(beside(name), O_RDONLY | O_CLOEXEC);
	struct elf_id id = { .bytes = 0 };

	if (fd < 0)
		return -1;
	elf_read_id(fd, &id);
	close(fd);
	for (size_t i = 0; i < id.bytes; i++)
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

	/* Other programs may lack symbols, too. */
	BEGIN("--comm=block_stripped");
	pid = run("block_stripped");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0, count_in(&self->t, pid, "[block_stripped]"));
	EXPECT_IN(self->c.text, "block_stripped has no symbols");
	ASSERT_EQ(0, install_debug_file("block_stripped", "block_stripped.debug", self->dir));
	ASSERT_EQ(0, tool_run(&tool, args)) TH_LOG("%s", tool.err);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block_stripped]"));
}

/* Run a program, and replace its file before the recording ends. */
#define RUN_AND_REPLACE(replace) do {						\
	BEGIN("--comm=replaced");						\
	snprintf(path, sizeof(path), "%s/replaced", self->dir);			\
	ASSERT_EQ(0, copy_file(beside("block"), path));				\
	pid = run_file(path, NULL);						\
	ASSERT_LT(0, pid);							\
	ASSERT_EQ(0, replace);							\
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));		\
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "nanosleep [libc"));		\
	EXPECT_EQ(0, count_in(&self->t, pid, "[replaced]"));			\
} while (0)

/* Before Linux 5.12, events of mappings have no build id, and the file is gone by then. */
#define EXPECT_REFUSED(why)							\
	EXPECT_NE(NULL, strstr(self->c.text, kernel_is_since(5, 12) ?		\
			       "/replaced " why :				\
			       "/replaced had no build id when it was mapped"))	\
		TH_LOG("%s", self->c.text)

TEST_F(program_stacks, another_file_gives_no_names)
{
	char path[RECORD_PATH + 16];
	int pid;

	RUN_AND_REPLACE(unlink(path) || copy_file(beside("block_static"), path));
	EXPECT_REFUSED("has a different build id from the file that was mapped");
}

TEST_F(program_stacks, a_damaged_file_gives_no_names)
{
	char path[RECORD_PATH + 16];
	int pid;

	RUN_AND_REPLACE(truncate(path, 100));
	EXPECT_REFUSED("is damaged");
}
