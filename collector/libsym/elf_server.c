// SPDX-License-Identifier: GPL-2.0-or-later
/* elf_server.c - see elf_server.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "demangle.h"
#include "elf_server.h"

/* --- answers ---------------------------------------------------------------------------- */

enum elf_ask_kind {
	ELF_ASK_ID,		/* with a place: add a file for ELF_ASK_IDS */
	ELF_ASK_IDS,		/* of all these files */
	ELF_ASK_FILE,		/* with a place and a directory: the file of the link */
	ELF_ASK_RULES,
	ELF_ASK_FUNCTIONS,
	ELF_ASK_TEXT,		/* with a place; nothing else on such a link */
};

/* A question; only the fields that its kind needs are sent. */
struct elf_ask {
	enum elf_ask_kind kind;
	uint32_t count;	/* of addresses; limit of a text's bytes */
	union {
		struct {
			struct elf_place place;
			char debug[256];
		};
		uint64_t vaddrs[ELF_ADDRESSES_MOST];
	};
};

/* --- in the process that reads ---------------------------------------------------------- */

/*
 * The process that reads a file, see elf_server.h. It opens files before it is confined, and reads
 * them after that.
 */

/* --- before: open ------------------------------------------------------------------------- */

/*
 * On some file systems, fstat() and /proc/PID/maps show different devices. So map the file, and
 * compare what /proc/self/maps shows.
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

/* Open the same path in the root directory of the process. */
static int open_inside(const struct elf_place *p)
{
	char path[ELF_PATH_BYTES + 32];

	if (!p->process || !p->id.bytes || p->path[0] != '/')
		return -1;
	snprintf(path, sizeof(path), "/proc/%u/root%s", p->process, p->path);
	return elf_open_regular(path);
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

/* The process that reads a file. Descriptors are -1 if there is no such file. */
struct reader {
	int link;
	int fd;			/* the file */
	int inside;		/* the file in the process's root directory */
	int debug;		/* the separate debug file */
	struct elf_id id;
	struct elf_file file;
	struct cfi_file cfi;
	bool has_cfi;		/* @cfi was opened, if possible */
	bool has_functions;	/* likewise the functions of @file, with @fault */
	enum elf_fault fault;
};

static void say_hello(struct reader *r)
{
	struct elf_hello hello;

	/* The file was identified by device and inode when it was opened, so its id is right. */
	if (r->fd >= 0 && !r->id.bytes)
		elf_read_id(r->fd, &r->id);
	memset(&hello, 0, sizeof(hello));
	hello.fault = elf_open(&r->file, r->fd, &r->id);
	if (hello.fault && r->inside >= 0) {
		elf_close(&r->file);
		r->fd = r->inside;
		hello.fault = elf_open(&r->file, r->fd, &r->id);
	}
	hello.id = r->id;
	memcpy(hello.loads, r->file.loads, sizeof(hello.loads));
	hello.load_count = r->file.load_count;
	answer(r->link, &hello, sizeof(hello));
}

_Static_assert(ELF_RULES_MOST * sizeof(struct elf_rule) <= ELF_PACKET_BYTES, "one answer");

static void answer_rules(struct reader *r, const uint64_t *vaddrs, size_t count)
{
	static struct elf_rule rules[ELF_RULES_MOST];
	size_t i;

	if (!r->has_cfi && r->fd >= 0)
		cfi_open(&r->cfi, dup(r->fd), &r->id);
	r->has_cfi = true;
	for (i = 0; i < count; i++) {
		rules[i] = (struct elf_rule){ .vaddr = vaddrs[i] };
		rules[i].is_known = cfi_find(&r->cfi, vaddrs[i], &rules[i].rule);
	}
	answer(r->link, rules, count * sizeof(*rules));
}

/* For successive addresses in a function, its name is written once. */
static size_t put_named(unsigned char *to, const struct elf_function *f, uint64_t at, bool again)
{
	struct elf_named n = { .at = at };

	if (f) {
		n.start = f->start;
		n.end = f->end;
		n.length = again ? 0 : demangle(f->name, (char *)to + sizeof(n), ELF_NAME_BYTES);
	}
	memcpy(to, &n, sizeof(n));
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
		.link = link, .id = ask.place.id, .fd = open_place(&ask.place),
		.inside = open_inside(&ask.place), .debug = -1,
	};

	ask.debug[sizeof(ask.debug) - 1] = '\0';
	if (ask.debug[0] && ask.place.id.bytes)
		r.debug = elf_open_debug(&ask.place.id, ask.debug);
	if (confine_reader())
		return;
	say_hello(&r);
	while (receive(link)) {
		if (ask.kind == ELF_ASK_RULES && ask.count <= ELF_RULES_MOST)
			answer_rules(&r, ask.vaddrs, ask.count);
		else if (ask.kind == ELF_ASK_FUNCTIONS && ask.count <= ELF_ADDRESSES_MOST)
			answer_functions(&r, ask.vaddrs, ask.count);
		else
			return;
	}
}

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

/* Answer questions until the link is closed. */
static void elf_work(int link)
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

/* --- in the process that asks ----------------------------------------------------------- */

#define WORKERS_MOST	64U	/* readers at a time; for another one, the oldest is killed */
#define KILLED_MOST	64U	/* killed readers that have not ended; above, no more are forked */

union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

/* --- in the process that forks --------------------------------------------------------------- */

/*
 * Keep the capabilities for opening other users' mapped files: in private folders, by
 * /proc/PID/map_files.
 */
static void keep_few_capabilities(void)
{
	const cap_value_t wanted[] = {
		CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE,
		CAP_IS_SUPPORTED(CAP_CHECKPOINT_RESTORE) ? CAP_CHECKPOINT_RESTORE : CAP_SYS_ADMIN,
	};
	cap_t has = cap_get_proc(), few = cap_init();
	cap_flag_value_t value;
	size_t i;

	for (i = 0; has && few && i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (cap_get_flag(has, wanted[i], CAP_PERMITTED, &value) || value != CAP_SET)
			continue;
		cap_set_flag(few, CAP_PERMITTED, 1, &wanted[i], CAP_SET);
		cap_set_flag(few, CAP_EFFECTIVE, 1, &wanted[i], CAP_SET);
	}
	if (!has || !few || cap_set_proc(few) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		_exit(1);
	cap_free(has);
	cap_free(few);
}

static void close_others(int socket)
{
	if (dup2(socket, STDERR_FILENO + 1) < 0)
		_exit(1);
	confine_close_from(STDERR_FILENO + 2);
}

/*
 * The readers that have not ended, the oldest first.
 *
 * A reader that opens a file on a user's own file system (FUSE) is in a system call that cannot be
 * interrupted, for as long as that user wants. It keeps its place until it ends, so that users
 * cannot fill the machine with such processes.
 */
struct workers {
	struct worker {
		pid_t pid;
		bool is_killed;
	} all[WORKERS_MOST + KILLED_MOST];
	unsigned int count;
};

static void reap(struct workers *w)
{
	unsigned int i, kept = 0;

	for (i = 0; i < w->count; i++)
		if (waitpid(w->all[i].pid, NULL, WNOHANG) != w->all[i].pid)
			w->all[kept++] = w->all[i];
	w->count = kept;
}

/* Make room for one more worker. Return: false if there is none. */
static bool make_room(struct workers *w)
{
	unsigned int i, killed = 0;

	reap(w);
	for (i = 0; i < w->count; i++)
		killed += w->all[i].is_killed;
	if (w->count - killed < WORKERS_MOST)
		return true;
	if (killed == KILLED_MOST)
		return false;
	for (i = 0; w->all[i].is_killed; i++)
		;
	w->all[i].is_killed = true;
	kill(w->all[i].pid, SIGKILL);
	return true;
}

/* Return: -1 if the other side has ended or sent something else. */
static int receive_link(int socket)
{
	union control control = { .room = "" };
	char byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n;
	int link;

	do
		n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n != 1 || m.msg_controllen < sizeof(control.head) ||
	    control.head.cmsg_len != CMSG_LEN(sizeof(int)))
		return -1;
	memcpy(&link, CMSG_DATA(&control.head), sizeof(link));
	return link;
}

/* Fork a worker for this link. If that fails, the link is closed. */
static void serve(int socket, int link, struct workers *w)
{
	pid_t pid = make_room(w) ? fork() : -1;

	if (!pid) {
		close(socket);
		prctl(PR_SET_NAME, "fxt-reader");
		elf_work(link);
		_exit(0);
	}
	if (pid > 0)
		w->all[w->count++] = (struct worker){ .pid = pid };
	close(link);
}

/*
 * A reader whose file system never answers cannot be killed. It must not keep the output of the
 * recorder open, whose reader would wait for its end.
 */
static void leave_output(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (dup2(null, fd) < 0)
			close(fd);
	if (null > STDERR_FILENO)
		close(null);
}

static void run_server(int socket)
{
	struct workers workers = { .count = 0 };
	unsigned int i;
	sigset_t all;
	int link;

	/* Signals that end the recording are for the recorder only. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	/* First: the socket may have one of the numbers of the output. */
	close_others(socket);
	leave_output();
	socket = STDERR_FILENO + 1;
	keep_few_capabilities();
	prctl(PR_SET_NAME, "fxt-files");
	while ((link = receive_link(socket)) >= 0) {
		serve(socket, link, &workers);
		reap(&workers);
	}
	reap(&workers);
	for (i = 0; i < workers.count; i++)
		kill(workers.all[i].pid, SIGKILL);
	_exit(0);
}

/* --- for whoever asks ----------------------------------------------------------------- */

int elf_server_start(struct elf_server *s)
{
	int sockets[2], err;

	*s = (struct elf_server){ .socket = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	s->pid = fork();
	if (!s->pid)
		run_server(sockets[1]);
	err = s->pid < 0 ? -errno : 0;
	close(sockets[1]);
	if (err)
		close(sockets[0]);
	else
		s->socket = sockets[0];
	return err;
}

void elf_server_stop(struct elf_server *s)
{
	if (s->socket < 0)
		return;
	/* Closing is not enough, because another process may have a copy of the socket. */
	shutdown(s->socket, SHUT_RDWR);
	close(s->socket);
	while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
		;
	s->socket = -1;
}

/* A recorder's filter of system calls allows only sendmsg() and recvmsg(). */
static bool send_packet(int to, const void *data, size_t bytes, int flags)
{
	struct iovec iov = { (void *)data, bytes };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	return sendmsg(to, &m, MSG_NOSIGNAL | flags) == (ssize_t)bytes;
}

static bool send_link(int socket, int link)
{
	struct iovec iov = { "", 1 };
	union control control = { .head = {
		.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int)),
	} };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	memcpy(CMSG_DATA(&control.head), &link, sizeof(link));
	return sendmsg(socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

/* Does not wait: the worker gets its end of the link when it has been forked. */
int elf_text_open(const struct elf_server *s)
{
	int links[2];
	bool is_sent;

	if (s->socket < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, links))
		return -1;
	is_sent = send_link(s->socket, links[1]);
	close(links[1]);
	if (is_sent)
		return links[0];
	close(links[0]);
	return -1;
}

int elf_link_open(const struct elf_server *s, const struct elf_place *place, const char *debug)
{
	struct elf_ask ask = { .kind = ELF_ASK_FILE };
	int link = elf_text_open(s);

	if (link < 0)
		return -1;
	ask.place = *place;
	snprintf(ask.debug, sizeof(ask.debug), "%s", debug ? debug : "");
	if (send_packet(link, &ask, sizeof(ask), MSG_DONTWAIT))
		return link;
	close(link);
	return -1;
}

bool elf_link_ask_text(int link, const char *path, size_t most)
{
	struct elf_ask ask = {
		.kind = ELF_ASK_TEXT, .count = most < UINT32_MAX ? most : UINT32_MAX,
	};

	if (strlen(path) >= sizeof(ask.place.path))
		return false;
	strcpy(ask.place.path, path);
	return send_packet(link, &ask, offsetof(struct elf_ask, place.path) + strlen(path) + 1,
			   MSG_DONTWAIT);
}

static bool ask_addresses(int link, enum elf_ask_kind kind, const uint64_t *vaddrs, size_t count)
{
	struct elf_ask ask = { .kind = kind, .count = count };

	memcpy(ask.vaddrs, vaddrs, count * sizeof(*vaddrs));
	return send_packet(link, &ask, offsetof(struct elf_ask, vaddrs) + count * sizeof(*vaddrs),
			   MSG_DONTWAIT);
}

bool elf_link_ask_rules(int link, const uint64_t *vaddrs, size_t count)
{
	return count <= ELF_RULES_MOST && ask_addresses(link, ELF_ASK_RULES, vaddrs, count);
}

bool elf_link_ask_functions(int link, const uint64_t *vaddrs, size_t count)
{
	return count <= ELF_ADDRESSES_MOST &&
	       ask_addresses(link, ELF_ASK_FUNCTIONS, vaddrs, count);
}

long elf_link_receive(int link, void *to, int ms)
{
	struct pollfd p = { .fd = link, .events = POLLIN };
	struct iovec iov = { to, ELF_PACKET_BYTES };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	if (ms)
		poll(&p, 1, ms);
	n = recvmsg(link, &m, MSG_DONTWAIT);
	if (n > 0)
		return n;
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

bool elf_server_ids(const struct elf_server *s, struct elf_place *places, size_t count, int ms)
{
	static unsigned char packet[ELF_PACKET_BYTES];
	const struct timeval patience = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };
	struct elf_ask ask = { .kind = ELF_ASK_ID };
	struct elf_id ids[ELF_IDS_MOST];
	int link = elf_text_open(s);
	bool came = false;
	size_t i;

	for (i = 0; i < count; i++)
		places[i].id.bytes = 0;
	if (link < 0)
		return false;
	/* The queue is short, so sending may wait while the worker opens files. */
	setsockopt(link, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	for (i = 0; i < count; i++) {
		ask.place = places[i];
		if (!send_packet(link, &ask, sizeof(ask), 0))
			break;
	}
	ask.kind = ELF_ASK_IDS;
	if (i == count && send_packet(link, &ask, offsetof(struct elf_ask, place), MSG_DONTWAIT) &&
	    elf_link_receive(link, packet, ms) == sizeof(ids)) {
		came = true;
		memcpy(ids, packet, sizeof(ids));
		for (i = 0; i < count; i++)
			places[i].id = ids[i];
	}
	close(link);
	return came;
}
