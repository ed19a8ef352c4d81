// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * elf_worker.c - see elf_worker.h.
 *
 * Must hold: files are opened before the process is confined, and read after it.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "confine.h"
#include "elf_answers.h"
#include "elf_worker.h"

/* --- before: open ------------------------------------------------------------------------- */

/*
 * On some file systems, fstat() has another device than /proc/PID/maps: what is there of a
 * mapping of this process can be compared.
 */
static bool is_mapped_as(int fd, uint64_t device, uint64_t inode)
{
	void *at = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	FILE *f = at == MAP_FAILED ? NULL : fopen("/proc/self/maps", "re");
	unsigned int major, minor;
	bool is_same = false;
	uint64_t start, node;
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 "-%*x %*s %*x %x:%x %" SCNu64, &start, &major, &minor,
			   &node) == 4 && start == (uintptr_t)at)
			is_same = node == inode && ((uint64_t)major << 32 | minor) == device;
	if (f)
		fclose(f);
	if (at != MAP_FAILED)
		munmap(at, 1);
	return is_same;
}

static bool is_file(int fd, const struct elf_place *p)
{
	struct stat st;

	if (fstat(fd, &st) || st.st_ino != p->inode)
		return false;
	return ((uint64_t)major(st.st_dev) << 32 | minor(st.st_dev)) == p->device ||
	       is_mapped_as(fd, p->device, p->inode);
}

static int open_place(const struct elf_place *p)
{
	int fd = p->first[0] ? elf_open_regular(p->first) : -1;

	if (fd >= 0)
		return fd;
	fd = elf_open_regular(p->path);
	if (fd < 0 || p->id.bytes || is_file(fd, p))
		return fd;
	close(fd);
	return -1;
}

/* --- after: read ------------------------------------------------------------------------------ */

static struct elf_ask ask;
static unsigned char packet[ELF_PACKET_BYTES];

/* Return: is there a question? */
static bool receive(int link)
{
	ssize_t n = recv(link, &ask, sizeof(ask), 0);

	ask.place.path[sizeof(ask.place.path) - 1] = '\0';
	return n >= (ssize_t)offsetof(struct elf_ask, place);
}

static void answer(int link, const void *data, size_t bytes)
{
	if (send(link, data, bytes, MSG_NOSIGNAL) != (ssize_t)bytes)
		_exit(0);
}

static void read_ids(int link, const int *fds, size_t count)
{
	struct elf_id ids[ELF_IDS_MOST] = { { .bytes = 0 } };
	size_t i;

	if (confine_reader())
		return;
	for (i = 0; i < count; i++)
		if (fds[i] >= 0)
			elf_read_id(fds[i], &ids[i]);
	answer(link, ids, sizeof(ids));
}

/**
 * struct reader - of a file
 * @fd: the file, @debug that of separate symbols; -1 if there is none
 * @has_cfi: @cfi was opened, if that was possible
 * @has_functions: likewise the functions of @file, with @fault
 */
struct reader {
	int link;
	int fd;
	int debug;
	struct elf_id id;
	struct elf_file file;
	struct cfi_file cfi;
	bool has_cfi;
	bool has_functions;
	enum elf_fault fault;
};

static void say_hello(struct reader *r)
{
	struct elf_hello hello;

	/* Which file it is was found out when it was opened: then it has the right id. */
	if (r->fd >= 0 && !r->id.bytes)
		elf_read_id(r->fd, &r->id);
	memset(&hello, 0, sizeof(hello));
	hello.fault = elf_open(&r->file, r->fd, &r->id);
	hello.id = r->id;
	memcpy(hello.loads, r->file.loads, sizeof(hello.loads));
	hello.load_count = r->file.load_count;
	answer(r->link, &hello, sizeof(hello));
}

static void answer_rule(struct reader *r, uint64_t vaddr)
{
	struct elf_rule rule = { .vaddr = vaddr };

	if (!r->has_cfi && r->fd >= 0)
		cfi_open(&r->cfi, dup(r->fd), &r->id);
	r->has_cfi = true;
	rule.is_known = cfi_find(&r->cfi, vaddr, &rule.rule);
	answer(r->link, &rule, sizeof(rule));
}

/* The name of a function is written once for addresses that follow each other. */
static size_t put_named(unsigned char *to, const struct elf_function *f, uint64_t at, bool again)
{
	struct elf_named n = { .at = at };

	if (f) {
		n.start = f->start;
		n.end = f->end;
		n.length = again ? 0 : strnlen(f->name, ELF_NAME_BYTES);
	}
	memcpy(to, &n, sizeof(n));
	if (n.length)
		memcpy(to + sizeof(n), f->name, n.length);
	return sizeof(n) + n.length;
}

static void answer_functions(struct reader *r, const uint64_t *vaddrs, size_t count)
{
	struct elf_functions head = { .fault = ELF_FINE };
	const struct elf_function *f, *last = NULL;
	size_t used = sizeof(head), i;
	int ret;

	if (!r->has_functions) {
		ret = elf_read_functions(&r->file, &r->id, r->debug);
		r->fault = ret < 0 ? ELF_TOO_LARGE : ret;
		r->has_functions = true;
	}
	head.fault = r->fault;
	for (i = 0; i < count; i++) {
		if (used + sizeof(struct elf_named) + ELF_NAME_BYTES > sizeof(packet)) {
			memcpy(packet, &head, sizeof(head));
			answer(r->link, packet, used);
			used = sizeof(head);
			head.count = 0;
			last = NULL;
		}
		f = elf_find(&r->file, vaddrs[i]);
		used += put_named(packet + used, f, vaddrs[i], f && f == last);
		last = f;
		head.count++;
	}
	head.is_last = true;
	memcpy(packet, &head, sizeof(head));
	answer(r->link, packet, used);
}

static void serve_file(int link)
{
	struct reader r = {
		.link = link, .id = ask.place.id, .fd = open_place(&ask.place), .debug = -1,
	};

	ask.debug[sizeof(ask.debug) - 1] = '\0';
	if (ask.debug[0] && ask.place.id.bytes)
		r.debug = elf_open_debug(&ask.place.id, ask.debug);
	if (confine_reader())
		return;
	say_hello(&r);
	while (receive(link)) {
		if (ask.kind == ELF_ASK_RULE)
			answer_rule(&r, ask.vaddrs[0]);
		else if (ask.kind == ELF_ASK_FUNCTIONS && ask.count <= ELF_ADDRESSES_MOST)
			answer_functions(&r, ask.vaddrs, ask.count);
		else
			return;
	}
}

/* Nothing here looks at what it reads. */
static void send_text(int link)
{
	struct elf_text head = { .exists = true };
	int fd = open(ask.place.path, O_RDONLY | O_CLOEXEC);
	size_t left = ask.count, most, used;
	ssize_t n = -1;

	do {
		most = sizeof(packet) - sizeof(head);
		most = left < most ? left : most;
		for (used = 0; used < most; used += n) {
			n = fd < 0 ? -1 : read(fd, packet + sizeof(head) + used, most - used);
			if (n <= 0)
				break;
		}
		left -= used;
		head.is_last = n <= 0 || !left;
		head.exists = n >= 0;
		memcpy(packet, &head, sizeof(head));
		answer(link, packet, sizeof(head) + used);
	} while (!head.is_last);
	if (fd >= 0)
		close(fd);
}

void elf_work(int link)
{
	int fds[ELF_IDS_MOST];
	size_t count = 0;

	while (receive(link)) {
		if (ask.kind == ELF_ASK_ID && count < ELF_IDS_MOST) {
			fds[count++] = open_place(&ask.place);
			continue;
		}
		if (ask.kind == ELF_ASK_TEXT && !count) {
			send_text(link);
			continue;
		}
		if (ask.kind == ELF_ASK_IDS)
			read_ids(link, fds, count);
		else if (ask.kind == ELF_ASK_FILE)
			serve_file(link);
		break;
	}
}
