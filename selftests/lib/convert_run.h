/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `fxt convert` of archives in memory. */
#ifndef SELFTESTS_CONVERT_RUN_H
#define SELFTESTS_CONVERT_RUN_H

#include "harness.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "fxt/fxt_sched.h"
#include "archive_copy.h"
#include "generate.h"
#include "tool.h"

#define EXIT_DEVIATES	1
#define EXIT_USAGE	2
#define EXIT_UNREADABLE	3
#define EXIT_UNWRITABLE	4

/* The archive's path, which another process can open. */
static inline const char *memory_path(const struct memory *m, char path[64])
{
	snprintf(path, 64, "/proc/%d/fd/%d", getpid(), m->fd);
	return path;
}

static inline int hold_bytes(struct memory *m, const void *data, size_t bytes)
{
	if (memory_open(m) || write(m->fd, data, bytes) != (ssize_t)bytes)
		return -1;
	return memory_map(m);
}

static inline int hold(struct memory *m, const char *text)
{
	return hold_bytes(m, text, strlen(text));
}

/* Return: the first of these texts that the output lacks after the texts before it; "" if none. */
static inline const char *missing(const struct tool *t, const char * const *texts)
{
	const char *at = t->out;

	for (; *texts; texts++) {
		at = strstr(at, *texts);
		if (!at)
			return *texts;
	}
	return "";
}

/* Formats that this fxt was built without are skipped. */
#define NEEDS(format) do {								\
	struct tool asked;								\
											\
	if (tool_run(&asked, ARGS("convert", "--to=fxt", "--from=" format, "/dev/null")) == \
	    EXIT_USAGE)									\
		SKIP(return, "fxt was built without the library for " format);		\
} while (0)

static inline int convert(struct tool *t, const char *to, const char *option,
			  const struct memory *archive)
{
	char path[64];

	return tool_run(t, ARGS("convert", "--to", to, memory_path(archive, path), option));
}

/* Like convert(), but from a pipe, in which the tool cannot seek. */
static inline int convert_piped(struct tool *t, const char *to, const char *option,
				const struct memory *archive)
{
	int fds[2], ret;
	pid_t pid;

	if (pipe(fds))
		return -1;
	pid = fork();
	if (!pid) {
		const char *data = archive->data;
		size_t done = 0;
		ssize_t n = 0;

		close(fds[0]);
		for (; done < archive->bytes && n >= 0; done += n > 0 ? n : 0)
			n = write(fds[1], data + done, archive->bytes - done);
		_exit(0);
	}
	close(fds[1]);
	ret = tool_run_from(t, ARGS("convert", "--to", to, "-", option), fds[0]);
	close(fds[0]);
	return ret;
}

static inline struct fxt_text text_of(const char *bytes, size_t length)
{
	return (struct fxt_text){ .bytes = bytes, .length = length };
}

#define TEXT(literal)	text_of(literal, sizeof(literal) - 1)

static inline struct fxt_content an_event(enum fxt_kind kind, uint64_t time, const char *name)
{
	return (struct fxt_content){
		.kind = kind, .time = time, .thread = { .process = 5, .thread = 7 },
		.category = TEXT("c"), .name = text_of(name, strlen(name)),
	};
}

static inline void add(struct fxt_content *c, struct fxt_text name, struct fxt_arg arg)
{
	arg.name = name;
	c->args[c->arg_count++] = arg;
}

/* Write the beginning of an archive: one provider, with ticks of 1 ns. */
static inline int begin_archive(struct memory *m, struct fxt_writer **w)
{
	int ret = memory_open(m);

	if (!ret)
		ret = fxt_writer_open(w, m->fd);
	if (!ret)
		ret = fxt_writer_magic(*w);
	if (!ret)
		ret = fxt_writer_provider(*w, 7, "test");
	return ret ? ret : fxt_writer_initialization(*w, 1000000000);
}

static inline int end_archive(struct memory *m, struct fxt_writer *w)
{
	int ret = fxt_writer_close(w);

	return ret ? ret : memory_map(m);
}

static inline int write_thread(struct fxt_writer *w, uint64_t koid, uint64_t process,
			       struct fxt_text name)
{
	struct fxt_content c = {
		.kind = FXT_KIND_KERNEL_OBJECT, .name = name,
		.object = koid, .object_type = FXT_OBJECT_THREAD, .arg_count = 1,
	};

	c.args[0] = (struct fxt_arg){ .name = TEXT("process"), .type = FXT_ARG_KOID };
	c.args[0].u64 = process;
	return fxt_writer_record(w, &c);
}

static inline int write_switch(struct fxt_writer *w, uint64_t time, uint16_t cpu,
			       uint64_t out, uint64_t in, uint8_t state,
			       int32_t out_weight, int32_t in_weight)
{
	struct fxt_content c = { .kind = FXT_KIND_CONTEXT_SWITCH, .time = time, .arg_count = 2 };

	c.sw = (struct fxt_switch){ .cpu = cpu, .out = out, .in = in, .state = state };
	c.args[0] = (struct fxt_arg){ .name = TEXT("outgoing_weight"), .type = FXT_ARG_INT32 };
	c.args[0].i64 = out_weight;
	c.args[1] = (struct fxt_arg){ .name = TEXT("incoming_weight"), .type = FXT_ARG_INT32 };
	c.args[1].i64 = in_weight;
	return fxt_writer_record(w, &c);
}

static inline int write_wakeup(struct fxt_writer *w, uint64_t time, uint16_t cpu,
			       uint64_t thread, uint64_t waker)
{
	struct fxt_content c = { .kind = FXT_KIND_THREAD_WAKEUP, .time = time, .arg_count = 2 };

	c.wakeup = (struct fxt_wakeup){ .cpu = cpu, .thread = thread };
	c.args[0] = (struct fxt_arg){ .name = TEXT("weight"), .type = FXT_ARG_INT32 };
	c.args[0].i64 = 1024;
	c.args[1] = (struct fxt_arg){ .name = TEXT("waker"), .type = FXT_ARG_KOID };
	c.args[1].u64 = waker;
	return fxt_writer_record(w, &c);
}

/* @interrupted: 0 for the idle thread */
static inline int write_irq_wakeup(struct fxt_writer *w, uint64_t time, uint16_t cpu,
				   uint64_t thread, const char *irq, uint64_t interrupted)
{
	struct fxt_content c = { .kind = FXT_KIND_THREAD_WAKEUP, .time = time, .arg_count = 2 };

	c.wakeup = (struct fxt_wakeup){ .cpu = cpu, .thread = thread };
	c.args[0] = (struct fxt_arg){ .name = TEXT("weight"), .type = FXT_ARG_INT32 };
	c.args[0].i64 = 1024;
	c.args[1] = (struct fxt_arg){ .name = TEXT("irq"), .type = FXT_ARG_STRING };
	c.args[1].text = (struct fxt_text){ .bytes = irq, .length = strlen(irq) };
	if (interrupted) {
		c.arg_count++;
		c.args[2] = (struct fxt_arg){ .name = TEXT("interrupted"), .type = FXT_ARG_KOID };
		c.args[2].u64 = interrupted;
	}
	return fxt_writer_record(w, &c);
}

#endif /* SELFTESTS_CONVERT_RUN_H */
