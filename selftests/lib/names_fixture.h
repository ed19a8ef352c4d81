/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registry of names between records and a made-up /proc, and an archive that is read back as
 * text: "p 100 [bash] cgroup=/a" for a process, "t 101 [bash] process=100" for a thread.
 */
#ifndef SELFTESTS_NAMES_FIXTURE_H
#define SELFTESTS_NAMES_FIXTURE_H

#include "harness.h"

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_writer.h"
#include "libsym/texts.h"
#include "collector.h"
#include "names/registry.h"
#include "print_records.h"

/* Ids from here on are never those of real tasks: pid_max is at most 2^22. */
#define NOBODY			5000000u

FIXTURE(names)
{
	struct names_options o;
	struct names *n;
	struct elf_server server;
	struct texts texts;
	struct fxt_writer *w;
	int fd;
	char dir[RECORD_PATH];
	char *text;		/* text of the archive that was read last */
};

/* Write bytes to a file DIR/PATH, and create its directories. */
static inline void proc_bytes(const char *dir, const char *path, const void *data, size_t bytes)
{
	char full[2 * RECORD_PATH], *slash;
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	mkdir(dir, 0755);
	for (slash = full + strlen(dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	f = fopen(full, "w");
	if (!f || fwrite(data, 1, bytes, f) != bytes || fclose(f))
		abort();
}

static inline void proc_file(const char *dir, uint32_t id, const char *file,
			     const void *data, size_t bytes)
{
	char path[RECORD_PATH];

	snprintf(path, sizeof(path), "%u/%s", id, file);
	proc_bytes(dir, path, data, bytes);
}

static inline void proc_comm(const char *dir, uint32_t process, uint32_t id, const char *comm)
{
	char path[64];

	snprintf(path, sizeof(path), "task/%u/comm", id);
	proc_file(dir, process, path, comm, strlen(comm));
}

#define PROC(id, file, text) \
	proc_file(self->dir, id, file, text, sizeof(text) - 1)

static inline size_t task_words(__u64 *rec, uint32_t id, uint32_t process, const char *name)
{
	char comm[FXT_SCHED_COMM_SIZE] = "";
	struct fxt_sched_comm c;
	__u32 records;

	snprintf(comm, sizeof(comm), "%s", name);
	c = fxt_sched_comm(comm);
	return fxt_sched_put_task(rec, id, process, 0, &c, (struct fxt_sched_event){ 0 }, &records);
}

static inline int note_one(struct names *n, uint32_t id, uint32_t process, const char *name)
{
	__u64 rec[FXT_SCHED_TASK_WORDS];
	size_t words = task_words(rec, id, process, name);

	return names_note(n, rec, words * FXT_WORD);
}

#define NOTE(id, process, name) \
	ASSERT_EQ(0, note_one(self->n, id, process, name))

/* Write a name as a chunk into the archive, then pass it to the registry. */
#define CHUNK(id, process, name) do {						\
	__u64 chunk[FXT_LEDGER_WORDS + FXT_SCHED_TASK_WORDS];			\
	struct fxt_ledger ledger = { .stream = FXT_LEDGER_STREAM_NAMES };	\
	size_t chunk_words;							\
										\
	fxt_sched_put_ledger(chunk, &ledger);					\
	chunk_words = FXT_LEDGER_WORDS +					\
		      task_words(chunk + FXT_LEDGER_WORDS, id, process, name);	\
	ASSERT_EQ(0, fxt_writer_put(self->w, chunk, chunk_words * FXT_WORD));	\
	ASSERT_EQ(0, names_noted_in_archive(self->n, chunk, chunk_words * FXT_WORD)); \
} while (0)

/* Begin a new archive, with its strings. Return: its length so far. */
static inline size_t archive_begin(FIXTURE_DATA(names) *self)
{
	self->fd = memfd_create("names_test", MFD_CLOEXEC);
	if (self->fd < 0 || fxt_writer_open(&self->w, self->fd))
		abort();
	fxt_writer_magic(self->w);
	fxt_writer_provider(self->w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_initialization(self->w, 1000000000);
#define WRITE_STRING(index, text) fxt_writer_string(self->w, index, text);
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	return fxt_writer_bytes(self->w);
}

static inline void print_object(void *arg, const struct fxt_record *rec,
				const struct fxt_content *c, FILE *f)
{
	fprintf(f, "%c %" PRIu64 " [%.*s]", c->object_type == FXT_OBJECT_PROCESS ? 'p' : 't',
		c->object, c->name.length, c->name.bytes);
	for (const struct fxt_arg *a = c->args; a < c->args + c->arg_count; a++) {
		fprintf(f, " %.*s=", a->name.length, a->name.bytes);
		if (a->type == FXT_ARG_KOID || a->type == FXT_ARG_UINT64)
			fprintf(f, "%" PRIu64, a->u64);
		else if (a->type == FXT_ARG_STRING)
			fprintf(f, "%.*s", a->text.length, a->text.bytes);
	}
	fputc('\n', f);
}

/* Return: the kernel objects of the archive so far, or NULL if a strict reader refuses it. */
static inline const char *archive_text(FIXTURE_DATA(names) *self)
{
	self->text = print_records(self->w, self->fd, KIND(KERNEL_OBJECT), print_object, NULL);
	return self->text;
}

static inline void archive_end(FIXTURE_DATA(names) *self)
{
	fxt_writer_close(self->w);
	close(self->fd);
	self->w = NULL;
}

/* Write the names into a new archive, which stays open. Return: its kernel objects. */
static inline const char *written(FIXTURE_DATA(names) *self)
{
	if (self->w)
		archive_end(self);
	archive_begin(self);
	return names_write(self->n, self->w, false) ? "failed" : archive_text(self);
}

/* Call names_finish(). Return: the kernel objects that it has added. */
static inline const char *finished(FIXTURE_DATA(names) *self)
{
	const char *text = archive_text(self);
	size_t before = text ? strlen(text) : 0;

	if (names_finish(self->n, self->w))
		return "failed";
	text = archive_text(self);
	return text ? text + before : NULL;
}

static inline int reopen(FIXTURE_DATA(names) *self)
{
	names_close(self->n);
	if (names_open(&self->n, &self->o))
		return -1;
	self->n->proc = self->dir;
	names_read_by(self->n, &self->texts);
	return 0;
}

FIXTURE_SETUP(names)
{
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	ASSERT_EQ(0, elf_server_start(&self->server));
	self->texts.server = &self->server;
	ASSERT_EQ(0, reopen(self));
}

FIXTURE_TEARDOWN(names)
{
	if (self->w)
		archive_end(self);
	names_close(self->n);
	texts_close(&self->texts);
	elf_server_stop(&self->server);
	dir_remove(self->dir);
}

#endif /* SELFTESTS_NAMES_FIXTURE_H */
