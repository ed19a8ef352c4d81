// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/vm_sockets.h>

#include "libfxt/address.h"
#include "fxt-receive/receive.h"
#include "receiver.h"
#include "tool.h"
#include "workload.h"

#define LISTENS		"listening at "
#define MAX_ARGS		24
#define FILES		64

void receiver_address(char *address, size_t room, const char *family, const char *dir)
{
	if (!strcmp(family, "tcp4"))
		snprintf(address, room, "tcp://127.0.0.1:0");
	else if (!strcmp(family, "tcp6"))
		snprintf(address, room, "tcp://[::1]:0");
	else if (!strcmp(family, "vsock"))
		snprintf(address, room, "vsock:%u:0", VMADDR_CID_LOCAL);
	else
		snprintf(address, room, "unix:%s/socket", dir);
}

const char *receiver_missing(const char *family)
{
	char address[RECORD_PATH], at[LISTENER_TEXT];
	int fd, to;

	if (strcmp(family, "tcp6") && strcmp(family, "vsock"))
		return NULL;
	if (*family == 'v' && in_guest() && system("modprobe -q vsock_loopback"))
		return "this kernel has no module vsock_loopback";
	receiver_address(address, sizeof(address), family, "");
	fd = receiver_listen(address, at, sizeof(at));
	to = fd < 0 ? -1 : receiver_connect(at);
	if (to >= 0)
		close(to);
	if (fd >= 0)
		close(fd);
	if (to >= 0)
		return NULL;
	return *family == 'v' ? "this kernel has no vsock to itself (vsock_loopback)" :
				"this machine has no IPv6 address ::1";
}

static void become_receiver(const struct receiver *r, const char *address, const char * const *more)
{
	const char *argv[MAX_ARGS + 8] = { "fxt", "receive", "-l", address, "-o", r->dir };
	int errors = open(r->errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int paths = open(r->paths, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	for (int i = 0; more && more[i] && i < MAX_ARGS; i++)
		argv[6 + i] = more[i];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(paths, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
		_exit(99);
	execv(tool_path(), (char **)argv);
	_exit(99);
}

void receiver_read(struct receiver *r)
{
	int fd = open(r->errors, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, r->text, sizeof(r->text) - 1);

	r->text[n < 0 ? 0 : n] = '\0';
	if (fd >= 0)
		close(fd);
}

int receiver_says(struct receiver *r, const char *text)
{
	siginfo_t info = { 0 };

	for (int waited = 0; waited < PATIENCE_MS; waited += 20) {
		bool has_ended = info.si_pid;

		receiver_read(r);
		if (strstr(r->text, text))
			return 0;
		if (has_ended || !r->pid)
			return -1;
		waitid(P_PID, r->pid, &info, WEXITED | WNOHANG | WNOWAIT);
		sleep_ms(20);
	}
	return -1;
}

int receiver_start(struct receiver *r, const char *dir, const char *address,
		   const char * const *more)
{
	const char *at;

	memset(r, 0, sizeof(*r));
	snprintf(r->dir, sizeof(r->dir), "%s/received", dir);
	snprintf(r->errors, sizeof(r->errors), "%s/receiver-said", dir);
	snprintf(r->paths, sizeof(r->paths), "%s/receiver-paths", dir);
	unlink(r->errors);
	r->pid = fork();
	if (!r->pid)
		become_receiver(r, address, more);
	if (r->pid < 0 || receiver_says(r, LISTENS))
		return -1;
	at = strstr(r->text, LISTENS) + strlen(LISTENS);
	snprintf(r->address, sizeof(r->address), "%.*s", (int)strcspn(at, "\n"), at);
	return 0;
}

int receiver_wait(struct receiver *r)
{
	int status;

	while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
		;
	r->pid = 0;
	receiver_read(r);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int receiver_end(struct receiver *r)
{
	kill(r->pid, SIGTERM);
	return receiver_wait(r);
}

void receiver_kill(struct receiver *r)
{
	if (r->pid <= 0)
		return;
	kill(r->pid, SIGKILL);
	receiver_wait(r);
}

static bool is_part(const char *name)
{
	size_t length = strlen(name);

	return length > 5 && !strcmp(name + length - 5, ".part");
}

const char *receiver_file(const struct receiver *r, bool complete, size_t n, char path[RECORD_PATH])
{
	struct dirent **all;
	int count = scandir(r->dir, &all, NULL, alphasort), i;

	*path = '\0';
	for (i = 0; i < count; i++) {
		if (*all[i]->d_name != '.' && is_part(all[i]->d_name) != complete && !n--)
			snprintf(path, RECORD_PATH, "%.200s/%s", r->dir, all[i]->d_name);
		free(all[i]);
	}
	if (count >= 0)
		free(all);
	return path;
}

size_t receiver_files(const struct receiver *r, bool complete)
{
	char path[RECORD_PATH];
	size_t n = 0;

	while (*receiver_file(r, complete, n, path))
		n++;
	return n;
}

int receiver_connect(const char *address)
{
	struct fxt_sockaddr list[FXT_ADDRESS_TRIES];
	struct fxt_address a;
	size_t count;
	int fd;

	if (fxt_address_parse(&a, address, false) || fxt_address_resolve(&a, false, list, &count))
		return -1;
	fd = socket(list->to.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&list->to, list->length)) {
		close(fd);
		return -1;
	}
	return fd;
}

int receiver_listen(const char *address, char *at, size_t room)
{
	char text[LISTENER_TEXT];
	struct listener l;
	int flags;

	if (listener_open(&l, address, 60, NULL, text))
		return -1;
	listener_print(&l, 0, text);
	snprintf(at, room, "%s", text);
	/* Tests wait in accept(2). */
	flags = fcntl(l.fds[0], F_GETFL);
	fcntl(l.fds[0], F_SETFL, flags & ~O_NONBLOCK);
	return l.fds[0];
}

/* A socket in repair mode sends no packet when it is closed. */
int receiver_vanish(int fd)
{
	int on = 1;

	if (setsockopt(fd, IPPROTO_TCP, TCP_REPAIR, &on, sizeof(on)))
		return -errno;
	return close(fd);
}
