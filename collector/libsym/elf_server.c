// SPDX-License-Identifier: GPL-2.0-or-later
/* elf_server.c - see elf_server.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf_server.h"
#include "elf_worker.h"

#define WORKERS_MOST	64U	/* readers at a time; then the oldest is killed */
#define KILLED_MOST	64U	/* of those that do not end: then there are no more */

union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

/* --- in the process that forks --------------------------------------------------------------- */

/* To open what others have mapped: in private folders, and through /proc/PID/map_files. */
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
	int fd, most = sysconf(_SC_OPEN_MAX);

	if (dup2(socket, STDERR_FILENO + 1) < 0)
		_exit(1);
#ifdef SYS_close_range
	if (!syscall(SYS_close_range, STDERR_FILENO + 2, ~0U, 0))
		return;
#endif
	for (fd = STDERR_FILENO + 2; fd < most; fd++)
		close(fd);
}

/**
 * struct workers - those that have not ended, the oldest first
 *
 * One that opens a file of a file system of its user's own (FUSE) is in a system call that cannot
 * be interrupted, for as long as that user likes. It has its place until it ends: whoever maps
 * such files must not fill the machine with processes.
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

/* Return: has one more room? */
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
	struct iovec part = { &byte, 1 };
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
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

/* Fork a worker for this link. It is closed if there is none. */
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

static void run(int socket)
{
	struct workers workers = { .count = 0 };
	unsigned int i;
	sigset_t all;
	int link;

	/* Signals that end the recording are for the recorder only. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	close_others(socket);
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

/* --- for whoever asks ---------------------------------------------------------------------------- */

int elf_server_start(struct elf_server *s)
{
	int sockets[2], err;

	*s = (struct elf_server){ .socket = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	s->pid = fork();
	if (!s->pid)
		run(sockets[1]);
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
	/* Another process may have a copy of the socket. */
	shutdown(s->socket, SHUT_RDWR);
	close(s->socket);
	while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
		;
	s->socket = -1;
}

/* A recorder's filter of system calls knows only sendmsg() and recvmsg(). */
static bool send_packet(int to, const void *data, size_t bytes, int flags)
{
	struct iovec part = { (void *)data, bytes };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };

	return sendmsg(to, &m, MSG_NOSIGNAL | flags) == (ssize_t)bytes;
}

static bool send_link(int socket, int link)
{
	struct iovec part = { "", 1 };
	union control control = { .head = {
		.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int)),
	} };
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	memcpy(CMSG_DATA(&control.head), &link, sizeof(link));
	return sendmsg(socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

/* The worker takes its end of the link when it has been forked. */
static int connect_worker(const struct elf_server *s)
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

static bool put(int link, const struct elf_ask *ask, size_t bytes)
{
	return send_packet(link, ask, bytes, MSG_DONTWAIT);
}

int elf_link_open(const struct elf_server *s, const struct elf_place *place, const char *debug)
{
	struct elf_ask ask = { .kind = ELF_ASK_FILE };
	int link = connect_worker(s);

	if (link < 0)
		return -1;
	ask.place = *place;
	snprintf(ask.debug, sizeof(ask.debug), "%s", debug ? debug : "");
	if (put(link, &ask, sizeof(ask)))
		return link;
	close(link);
	return -1;
}

int elf_text_open(const struct elf_server *s)
{
	return connect_worker(s);
}

bool elf_link_ask_text(int link, const char *path, size_t most)
{
	struct elf_ask ask = {
		.kind = ELF_ASK_TEXT, .count = most < UINT32_MAX ? most : UINT32_MAX,
	};

	if (strlen(path) >= sizeof(ask.place.path))
		return false;
	strcpy(ask.place.path, path);
	return put(link, &ask, offsetof(struct elf_ask, place.path) + strlen(path) + 1);
}

bool elf_link_ask_rule(int link, uint64_t vaddr)
{
	struct elf_ask ask = { .kind = ELF_ASK_RULE };

	ask.vaddrs[0] = vaddr;
	return put(link, &ask, offsetof(struct elf_ask, vaddrs) + sizeof(vaddr));
}

bool elf_link_ask_functions(int link, const uint64_t *vaddrs, size_t count)
{
	struct elf_ask ask = { .kind = ELF_ASK_FUNCTIONS, .count = count };

	if (count > ELF_ADDRESSES_MOST)
		return false;
	memcpy(ask.vaddrs, vaddrs, count * sizeof(*vaddrs));
	return put(link, &ask, offsetof(struct elf_ask, vaddrs) + count * sizeof(*vaddrs));
}

long elf_link_receive(int link, void *to, int ms)
{
	struct pollfd p = { .fd = link, .events = POLLIN };
	struct iovec part = { to, ELF_PACKET_BYTES };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t n;

	if (ms)
		poll(&p, 1, ms);
	n = recvmsg(link, &m, MSG_DONTWAIT);
	if (n > 0)
		return n;
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

void elf_server_ids(const struct elf_server *s, struct elf_place *places, size_t count, int ms)
{
	static unsigned char packet[ELF_PACKET_BYTES];
	const struct timeval patience = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };
	struct elf_ask ask = { .kind = ELF_ASK_ID };
	struct elf_id ids[ELF_IDS_MOST];
	int link = connect_worker(s);
	size_t i;

	for (i = 0; i < count; i++)
		places[i].id.bytes = 0;
	if (link < 0)
		return;
	/* The queue is short: the worker opens them meanwhile. */
	setsockopt(link, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	for (i = 0; i < count; i++) {
		ask.place = places[i];
		if (!send_packet(link, &ask, sizeof(ask), 0))
			break;
	}
	ask.kind = ELF_ASK_IDS;
	if (i == count && put(link, &ask, offsetof(struct elf_ask, place)) &&
	    elf_link_receive(link, packet, ms) == sizeof(ids)) {
		memcpy(ids, packet, sizeof(ids));
		for (i = 0; i < count; i++)
			places[i].id = ids[i];
	}
	close(link);
}
