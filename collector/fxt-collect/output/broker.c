// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * broker.c - see broker.h.
 *
 * Packets on a socket carry requests, one at a time, and answers; they also carry the file and its
 * directory. The process ends when the other side closes the socket.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libfxt/address.h"
#include "broker.h"
#include "process/error.h"
#include "socket.h"

#define FILES_SENT	2	/* descriptors in a packet, at most: the file and its directory */

enum call {
	CALL_OPEN,
	CALL_COMPLETE,
	CALL_REMOVE,
	CALL_CHECK,
};

struct request {
	enum call call;
	unsigned int how;
	char path[PATH_MAX];
	struct direct file;
};

struct answer {
	int ret;
	struct error error;
	struct direct file;
};

struct broker {
	pid_t pid;
	int socket;
	int end;
};

/* --- packets ---------------------------------------------------------------------- */

union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(FILES_SENT * sizeof(int))];
};

static int send_packet(int to, void *data, size_t bytes, const struct direct *file)
{
	int fds[FILES_SENT], count = 0;
	struct iovec part = { data, bytes };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
	union control control = { 0 };

	if (file->fd >= 0)
		fds[count++] = file->fd;
	if (file->dir >= 0)
		fds[count++] = file->dir;
	if (count) {
		m.msg_control = &control;
		m.msg_controllen = CMSG_SPACE(count * sizeof(int));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
	}
	return sendmsg(to, &m, MSG_NOSIGNAL) == (ssize_t)bytes ? 0 : -ECHILD;
}

/* Replace the other side's descriptor numbers by the received ones. */
static int replace_files(union control *control, const struct msghdr *m, struct direct *file)
{
	int *to[FILES_SENT], fds[FILES_SENT] = { -1, -1 }, expected = 0, came = 0, i;

	if (file->fd >= 0)
		to[expected++] = &file->fd;
	if (file->dir >= 0)
		to[expected++] = &file->dir;
	if (m->msg_controllen >= sizeof(control->head))
		came = (control->head.cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(fds, CMSG_DATA(&control->head), came * sizeof(int));
	for (i = 0; i < expected; i++)
		*to[i] = fds[i];
	if (came == expected)
		return 0;
	/* This process has reached its limit of open files. */
	direct_close(file);
	return -EMFILE;
}

static int receive_packet(int from, void *data, size_t bytes, struct direct *file)
{
	struct iovec part = { data, bytes };
	union control control = { 0 };
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	ssize_t n;

	do
		n = recvmsg(from, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)bytes ? replace_files(&control, &m, file) : -ECHILD;
}

/* --- in the process --------------------------------------------------------------- */

static bool are_statistics(const struct output_kind *kind, int fd)
{
	char head[sizeof(BROKER_STATS_BEGIN)] = "";

	(void)kind;
	return read(fd, head, sizeof(head) - 1) == (ssize_t)sizeof(head) - 1 &&
	       !strcmp(head, BROKER_STATS_BEGIN);
}

static int open_file(struct direct *f, const char *path, unsigned int how, struct error *e)
{
	static const struct output_kind archive = {
		.option = "--output", .is_not = "is not an FXT archive",
		.is_ours = existing_is_archive,
	}, statistics = {
		.option = "--stats-json", .is_not = "does not hold statistics of fxt-collect",
		.is_ours = are_statistics, .is_overwritten = true,
	};
	const struct output_kind *kind = how & BROKER_STATS ? &statistics : &archive;
	struct output_error why = { .text = "" };
	int ret = direct_open(f, path, how, kind, &why);

	if (!ret || ret == -EEXIST)
		return ret;
	return fail(e, ret == -EAGAIN ? EXIT_INCOMPLETE : EXIT_FAILED, ret, "%s", why.text);
}

/* Does a directory exist, or can a file be created there? */
static int check_directory(const char *path, unsigned int how)
{
	int mode = how & DIRECT_PART_FIRST ? W_OK | X_OK : F_OK;

	return faccessat(AT_FDCWD, path, mode, AT_EACCESS) ? -errno : 0;
}

/* The recorder closes the socket if it no longer waits. Statistics go to files only. */
static void serve(int socket, const struct request *r, struct answer *a)
{
	*a = (struct answer){ .file = { .fd = -1, .dir = -1 } };
	switch (r->call) {
	case CALL_OPEN:
		if (fxt_address_is(r->path) && !(r->how & BROKER_STATS))
			a->ret = socket_connect(&a->file, r->path, socket, &a->error);
		else
			a->ret = open_file(&a->file, r->path, r->how, &a->error);
		break;
	case CALL_COMPLETE:
		a->ret = direct_complete(&r->file);
		break;
	case CALL_REMOVE:
		a->ret = unlink(r->path) ? -errno : 0;
		break;
	case CALL_CHECK:
		a->ret = check_directory(r->path, r->how);
		break;
	}
}

static void serve_all(int socket)
{
	struct request r;
	struct answer a;

	while (!receive_packet(socket, &r, sizeof(r), &r.file)) {
		serve(socket, &r, &a);
		if (send_packet(socket, &a, sizeof(a), &a.file))
			break;
		direct_close(&a.file);
		direct_close(&r.file);
	}
}

static int set_rights(const struct invoker *who, struct error *e)
{
	int ret;

	if (!who->known)
		return privilege_drop(geteuid() ? PRIVILEGE_KEEP_NONE : PRIVILEGE_KEEP_FILES, e);
	ret = privilege_become(who);
	if (!ret)
		return privilege_drop(PRIVILEGE_KEEP_NONE, e);
	return fail(e, EXIT_PERMISSION, ret,
		    "cannot write files as the invoking user %u: %s; run as that user, or as root without SUDO_UID",
		    who->uid, strerror(-ret));
}

static void run_broker(int socket, const struct invoker *who)
{
	struct answer ready = { .file = { .fd = -1, .dir = -1 } };
	sigset_t all;

	/* Signals that end the recording are for the recorder only. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_NAME, "fxt-broker");
	ready.ret = set_rights(who, &ready.error);
	if (!send_packet(socket, &ready, sizeof(ready), &ready.file) && !ready.ret)
		serve_all(socket);
	_exit(0);
}

/* --- in the recorder -------------------------------------------------------------- */

static int await_answer(struct broker *b, struct answer *a)
{
	int ret = wait_ready(b->socket, POLLIN, b->end);

	ret = ret ? ret : receive_packet(b->socket, a, sizeof(*a), &a->file);
	if (ret)
		*a = (struct answer){ .file = { .fd = -1, .dir = -1 } };
	return ret;
}

static int ask(struct broker *b, struct request *r, struct answer *a)
{
	int ret = send_packet(b->socket, r, sizeof(*r), &r->file);

	*a = (struct answer){ .file = { .fd = -1, .dir = -1 } };
	ret = ret ? ret : await_answer(b, a);
	/* A late answer must not be taken for the next one. */
	if (ret == -ECANCELED)
		shutdown(b->socket, SHUT_RDWR);
	return ret ? ret : a->ret;
}

static struct request request_of(enum call call, const char *path)
{
	struct request r = { .call = call, .file = { .fd = -1, .dir = -1 } };

	snprintf(r.path, sizeof(r.path), "%s", path);
	return r;
}

static int ask_about(struct broker *b, enum call call, const char *path, unsigned int how)
{
	struct request r = request_of(call, path);
	struct answer a;

	r.how = how;
	return ask(b, &r, &a);
}

int broker_open(struct broker *b, struct direct *f, const char *path,
		unsigned int how, struct error *e)
{
	struct request r = request_of(CALL_OPEN, path);
	struct answer a;
	int ret;

	if (strlen(path) >= PATH_MAX)
		return fail(e, EXIT_FAILED, -ENAMETOOLONG, "cannot open %.80s...: %s", path,
			    strerror(ENAMETOOLONG));
	r.how = how;
	ret = ask(b, &r, &a);
	*f = a.file;
	if (a.ret)
		*e = a.error;
	else if (ret)
		fail(e, EXIT_FAILED, ret, "cannot open %s: the process that opens files %s",
		     path, ret == -ECANCELED ? "does not answer" : "has ended; record again");
	return ret;
}

int broker_complete(struct broker *b, const struct direct *f)
{
	struct request r = request_of(CALL_COMPLETE, "");
	struct answer a;

	r.file = *f;
	return ask(b, &r, &a);
}

int broker_remove(struct broker *b, const char *path)
{
	return ask_about(b, CALL_REMOVE, path, 0);
}

int broker_check(struct broker *b, const char *directory, unsigned int how)
{
	return ask_about(b, CALL_CHECK, directory, how);
}

/* The first answer: the broker has the user's ids and capabilities, or says why not. */
static int await_ready(struct broker *b, struct error *e)
{
	struct answer a;
	int ret = await_answer(b, &a);

	if (ret)
		return fail(e, EXIT_FAILED, ret,
			    "cannot start the process that opens files: %s", strerror(-ret));
	if (a.ret)
		*e = a.error;
	return a.ret;
}

static int fork_broker(struct broker *b, const struct invoker *who)
{
	int sockets[2], err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	b->pid = fork();
	if (!b->pid) {
		close(sockets[0]);
		run_broker(sockets[1], who);
	}
	err = b->pid < 0 ? -errno : 0;
	close(sockets[1]);
	if (err)
		close(sockets[0]);
	b->socket = sockets[0];
	return err;
}

int broker_start(struct broker **broker, const struct invoker *who, int end,
		 struct error *e)
{
	struct broker *b = calloc(1, sizeof(*b));
	int ret = b ? fork_broker(b, who) : -ENOMEM;

	if (ret) {
		free(b);
		return fail(e, EXIT_FAILED, ret,
			    "cannot start the process that opens files: %s", strerror(-ret));
	}
	b->end = end;
	ret = await_ready(b, e);
	if (!ret)
		*broker = b;
	else
		broker_stop(b);
	return ret;
}

void broker_stop(struct broker *b)
{
	if (!b)
		return;
	/* Shut down, not only closed: COMMAND's waiting process has a copy of the socket. */
	shutdown(b->socket, SHUT_RDWR);
	close(b->socket);
	while (waitpid(b->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(b);
}
