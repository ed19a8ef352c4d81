// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolving addresses of processes with tens of thousands of mapped files: each process has ids for
 * 65,536 files, whatever the others have, and mappings of further files are counted; an address
 * that was not always in one file has a line; reading all files together takes no more time than is
 * allowed, and no reader takes longer.
 */
#include "harness.h"

#include <stdatomic.h>
#include <pthread.h>
#include <sys/socket.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/fxt_writer.h"
#include "libsym/resolve.h"

#include "print_records.h"

#define MANY		70000U		/* files of a process */
#define IDS		65536U		/* ids of files that an archive can have */
#define FEWER		10000U		/* files of another one */
#define SLOW		500U		/* files that are never read */
#define LIMIT_NS	300000000ULL
#define VICTIM		"/victim-0"	/* the file of another user */
#define STEP		0x10000ULL	/* between mappings */

FIXTURE(resolve)
{
	struct images im;
	struct addresses a;
	struct resolution r;
};

FIXTURE_SETUP(resolve)
{
	memset(self, 0, sizeof(*self));
	/* Let one process use as much as all processes may use together. */
	self->im.each = IMAGES_BYTES;
	self->a.each = ADDRESSES_MOST;
	self->r.records = true;
}

FIXTURE_TEARDOWN(resolve) { }

/* Map the file with this number at a place of its own, and add an address in it. */
static int map_file(FIXTURE_DATA(resolve) *self, uint64_t process, unsigned int number,
		    const char *format)
{
	struct mapping m = {
		.time = 1, .start = (number + 1) * STEP, .end = (number + 1) * STEP + 0x1000,
		.vaddr = FXT_SCHED_NO_VADDR,
	};
	const struct elf_id id = { .id = { 1 }, .bytes = 1 };
	char path[32];
	int n = snprintf(path, sizeof(path), format, number), ret;

	m.module = images_module(&self->im, path, n, &id);
	ret = m.module ? images_add(&self->im, process, &m) : -1;
	return ret ? ret : addresses_add(&self->a, process, m.start + 0x10, 2);
}

static int map_files(FIXTURE_DATA(resolve) *self, uint64_t process, unsigned int count,
		     const char *format)
{
	int ret = 0;

	for (unsigned int i = 0; i < count && !ret; i++)
		ret = map_file(self, process, i, format);
	return ret;
}

/*
 * By process: the number of the file of each id, plus 1; records of files and of mappings. And
 * wrong records.
 */
struct written {
	unsigned int file[3][IDS];
	unsigned int modules[3];
	unsigned int mappings[3];
	unsigned int wrong;
};

static void count_record(void *arg, const struct fxt_record *rec, const struct fxt_content *c,
			 FILE *f)
{
	struct written *w = arg;
	uint64_t process = c->thread.process;
	char path[32];

	if (process > 2) {
		w->wrong++;
	} else if (c->kind == FXT_KIND_MODULE) {
		snprintf(path, sizeof(path), "%.*s", (int)c->name.length, c->name.bytes);
		w->wrong += w->file[process][c->module_id] != 0;
		w->file[process][c->module_id] = 1 + strtoul(path + strcspn(path, "0123456789"), NULL, 10);
		w->modules[process]++;
	} else {
		w->wrong += w->file[process][c->module_id] != c->start / STEP;
		w->mappings[process]++;
	}
}

static struct written *resolve_all(FIXTURE_DATA(resolve) *self)
{
	struct written *w = calloc(1, sizeof(*w));
	int fd = memfd_create("resolve_test", MFD_CLOEXEC), ret;
	char *text = NULL;

	if (!w || fd < 0 || fxt_writer_open(&self->r.w, fd))
		abort();
	fxt_writer_magic(self->r.w);
	fxt_writer_provider(self->r.w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	addresses_sort(&self->a);
	ret = resolve(&self->r, &self->im, &self->a);
	if (!ret)
		text = print_records(self->r.w, fd, KIND(MODULE) | KIND(MMAP), count_record, w);
	fxt_writer_close(self->r.w);
	close(fd);
	if (text)
		return w;
	return NULL;
}

/* These paths are not files, so no reader is asked for them. */
TEST_F_TIMEOUT(resolve, more_files_than_ids, 120)
{
	struct written *w;

	ASSERT_EQ(0, map_files(self, 1, MANY, "//file-%u"));
	ASSERT_EQ(0, map_files(self, 2, FEWER, "//other-%u"));
	ASSERT_EQ(0U, self->im.lost);
	ASSERT_EQ(0U, self->a.frames_left_out);
	w = resolve_all(self);
	ASSERT_NE(NULL, w);
	EXPECT_EQ(0U, w->wrong);
	EXPECT_EQ(IDS, w->modules[1]);
	EXPECT_EQ(IDS, w->mappings[1]);
	EXPECT_EQ(MANY - IDS, self->r.left_out);
	/* This does not affect the other process. */
	EXPECT_EQ(FEWER, w->modules[2]);
	EXPECT_EQ(FEWER, w->mappings[2]);
}

static void keep_lines(void *arg, const struct fxt_record *rec, const struct fxt_content *c,
		       FILE *f)
{
	if (c->name.known == FXT_STR_SYMBOLS)
		fprintf(f, "%.*s", (int)c->blob.bytes, (const char *)c->blob.data);
}

/*
 * Process 1 has file 0 at two addresses, and another one at the second for a while; nothing is
 * known at two more, between which nothing occurs. Of process 2 nothing is known.
 */
TEST_F(resolve, addresses_without_a_file_have_lines)
{
	static const uint64_t times[] = { 2, 2, 9, 2, 2 };
	static const uint64_t at[] = { STEP + 0x20, STEP + 0x30, STEP + 0x30, 0x900, 0x800 };
	int fd = memfd_create("resolve_test", MFD_CLOEXEC);
	struct mapping m = { .time = 5, .start = STEP + 0x25, .end = STEP + 0x40 };
	char *text;

	ASSERT_EQ(0, map_file(self, 1, 0, "//file-%u"));
	m.module = images_module(&self->im, "//other", 7, &(struct elf_id){ .bytes = 0 });
	ASSERT_EQ(0, images_add(&self->im, 1, &m));
	for (unsigned int i = 0; i < 5; i++)
		ASSERT_EQ(0, addresses_add(&self->a, 1, at[i] + 1, times[i]));
	ASSERT_EQ(0, addresses_add(&self->a, 2, 0x901, 2));
	ASSERT_EQ(0, fxt_writer_open(&self->r.w, fd));
	fxt_writer_magic(self->r.w);
	fxt_writer_provider(self->r.w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	addresses_sort(&self->a);
	ASSERT_EQ(0, resolve(&self->r, &self->im, &self->a));
	text = print_records(self->r.w, fd, KIND(BLOB), keep_lines, NULL);
	ASSERT_NE(NULL, text);
	EXPECT_STREQ("x 1 800 901\nx 1 10030 10031\n", text);
	EXPECT_EQ(1U, self->r.changed);
	EXPECT_EQ(3U, self->r.unmapped);
	fxt_writer_close(self->r.w);
	close(fd);
}

struct silent {
	int socket;
	atomic_uint asked;
	int links[4 * SLOW];
	atomic_bool asked_victim;
};

/* Does the question on this link name the other user's file? */
static bool is_victim(int link)
{
	static char question[16384];
	ssize_t n = recv(link, question, sizeof(question), 0);

	return n > 0 && memmem(question, n, VICTIM, sizeof(VICTIM) - 1);
}

/* Take the links of readers, and never answer. */
static void *keep_links(void *arg)
{
	struct silent *s = arg;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec part = { &byte, 1 };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control };

	while (s->asked < 4 * SLOW) {
		m.msg_controllen = sizeof(control);
		if (recvmsg(s->socket, &m, MSG_CMSG_CLOEXEC) != 1 ||
		    m.msg_controllen < sizeof(control.head))
			break;
		memcpy(&s->links[s->asked], CMSG_DATA(&control.head), sizeof(int));
		if (is_victim(s->links[s->asked]))
			s->asked_victim = true;
		s->asked++;
	}
	close(s->socket);
	return NULL;
}

/* Resolve with a server that never answers. Return: NULL without memory */
static struct written *resolve_silently(FIXTURE_DATA(resolve) *self, struct silent *s)
{
	struct elf_server server;
	struct written *w;
	pthread_t thread;
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return NULL;
	s->socket = sockets[1];
	server = (struct elf_server){ .socket = sockets[0] };
	if (pthread_create(&thread, NULL, keep_links, s))
		return NULL;
	self->r.server = &server;
	self->r.symbols = true;
	w = resolve_all(self);
	shutdown(sockets[0], SHUT_RDWR);
	close(sockets[0]);
	pthread_join(thread, NULL);
	return w;
}

/* The first file gets 200 ms, the limit while others wait; the second one gets the rest. */
TEST_F(resolve, all_files_have_a_limit)
{
	struct silent s = { .asked = 0 };
	struct written *w;

	ASSERT_EQ(0, map_files(self, 1, SLOW, "/file-%u"));
	self->r.limit = LIMIT_NS;
	w = resolve_silently(self, &s);
	ASSERT_NE(NULL, w);
	EXPECT_GE(2U, s.asked);
	EXPECT_EQ(SLOW, self->r.faults[ELF_TOO_SLOW]);
	/* The mappings are recorded nevertheless. */
	EXPECT_EQ(SLOW, w->modules[1]);
	EXPECT_EQ(SLOW, w->mappings[1]);
}

static uint32_t user_of_process(uint32_t process)
{
	return process == 2 ? 0 : 65534;
}

/* The slow files of a user leave time for another user's file, wherever it is in the list. */
TEST_F(resolve, users_take_turns)
{
	struct silent s = { .asked = 0 };
	struct written *w;

	self->a.user_of = user_of_process;
	ASSERT_EQ(0, map_files(self, 1, SLOW, "/file-%u"));
	ASSERT_EQ(0, map_files(self, 2, 1, "/victim-%u"));
	ASSERT_EQ(0, map_files(self, 3, SLOW, "/more-%u"));
	self->r.limit = 5 * LIMIT_NS;
	self->r.each = LIMIT_NS;
	w = resolve_silently(self, &s);
	ASSERT_NE(NULL, w);
	EXPECT_TRUE(s.asked_victim);
	/*
	 * Two turns of the one who has many, before its time is over, and again in the second
	 * round.
	 */
	EXPECT_GE(6U, s.asked);
	EXPECT_EQ(2 * SLOW + 1, self->r.faults[ELF_TOO_SLOW]);
}
