/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fxt open, and its clients. */
#ifndef SELFTESTS_OPEN_FIXTURE_H
#define SELFTESTS_OPEN_FIXTURE_H

#include <arpa/inet.h>
#include <sys/socket.h>

#include "verb_archive.h"

/* The longest wait for an event that must happen eventually; only a failure takes that long. */
#define WAIT_MS		20000
#define ANSWER_BYTES	(24U << 20)
#define UI		"https://ui.perfetto.dev"
#define LINK		UI "/#!/?url=http://127.0.0.1:"

FIXTURE(open)
{
	char dir[RECORD_PATH];
	char path[RECORD_PATH + 32];
	char said[RECORD_PATH + 32];
	struct story s;
	pid_t pid;
	int out;		/* pipe with the output of fxt */
	char link[512];
	unsigned int port;
	char token[33];
	char *answer;
	size_t answer_bytes;
	struct tool t;
};

FIXTURE_SETUP(open)
{
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	snprintf(self->path, sizeof(self->path), "%s/x.fxt", self->dir);
	snprintf(self->said, sizeof(self->said), "%s/said", self->dir);
	self->answer = malloc(ANSWER_BYTES + 1);
	ASSERT_NE(NULL, self->answer);
	self->out = -1;
	story_begin(&self->s);
	save_file(self->path, self->s.b.words, built_bytes(&self->s.b));
}

FIXTURE_TEARDOWN(open)
{
	if (self->pid > 0) {
		kill(self->pid, SIGKILL);
		waitpid(self->pid, NULL, 0);
	}
	if (self->out >= 0)
		close(self->out);
	dir_remove(self->dir);
}

/* Run fxt open --port 0 [OPTION] PATH. Return: 0 when it has printed its link. */
static inline int begin(FIXTURE_DATA(open) *self, const char *path, const char *option)
{
	size_t n = 0;
	int fds[2], fd;

	if (pipe(fds))
		return -1;
	self->pid = fork();
	if (!self->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		fd = open(self->said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		dup2(fds[1], STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		close(fds[0]);
		close(fds[1]);
		execl(tool_path(), "fxt", "open", "--port", "0", path, option, (char *)NULL);
		_exit(99);
	}
	close(fds[1]);
	self->out = fds[0];
	while (n < sizeof(self->link) - 1 && read(fds[0], self->link + n, 1) == 1 &&
	       self->link[n] != '\n')
		n++;
	self->link[n] = '\0';
	return sscanf(self->link, LINK "%u/%32[0-9a-f]/", &self->port, self->token) == 2 &&
	       strlen(self->token) == 32 ? 0 : -1;
}

/* Wait for its end. Return: the exit status, 128 + n for signals, -1 if it does not end. */
static inline int end(FIXTURE_DATA(open) *self)
{
	int status, i;

	for (i = 0; !waitpid(self->pid, &status, WNOHANG); i++) {
		if (i == WAIT_MS / 10)
			return -1;
		usleep(10000);
	}
	self->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline int connect_to(const char *address, unsigned int port)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct timeval most = { .tv_sec = WAIT_MS / 1000 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
	inet_pton(AF_INET, address, &to.sin_addr);
	if (!connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return fd;
	close(fd);
	return -1;
}

static inline int send_all(int fd, const char *data, size_t bytes)
{
	ssize_t n;

	for (; bytes; data += n, bytes -= n) {
		n = send(fd, data, bytes, MSG_NOSIGNAL);
		if (n <= 0)
			return -1;
	}
	return 0;
}

/* Send bytes, and read until the server closes. Return: the HTTP status, -1 if there is none. */
static inline int exchange(FIXTURE_DATA(open) *self, const char *request, size_t bytes)
{
	int fd = connect_to("127.0.0.1", self->port), status = -1;
	ssize_t n = 1;

	self->answer_bytes = 0;
	if (fd < 0)
		return -1;
	/*
	 * The server may close the connection of a client that is refused early while it still
	 * sends.
	 */
	send_all(fd, request, bytes);
	while (n > 0 && self->answer_bytes < ANSWER_BYTES) {
		n = read(fd, self->answer + self->answer_bytes, ANSWER_BYTES - self->answer_bytes);
		self->answer_bytes += n > 0 ? n : 0;
	}
	close(fd);
	self->answer[self->answer_bytes] = '\0';
	sscanf(self->answer, "HTTP/1.1 %d", &status);
	return status;
}

/* Expand @text: # becomes the port, and @ the token. */
static inline void fill(const FIXTURE_DATA(open) *self, const char *text, char *request, size_t room)
{
	size_t n = 0;

	for (; *text && n < room; text++) {
		if (*text == '#')
			n += snprintf(request + n, room - n, "%u", self->port);
		else if (*text == '@')
			n += snprintf(request + n, room - n, "%s", self->token);
		else
			n += snprintf(request + n, room - n, "%c", *text);
	}
}

static inline int ask(FIXTURE_DATA(open) *self, const char *text)
{
	char request[1024];

	fill(self, text, request, sizeof(request));
	return exchange(self, request, strlen(request));
}

#define HOST	"Host: 127.0.0.1:#\r\nConnection: close\r\n"

static inline int get(FIXTURE_DATA(open) *self)
{
	return ask(self, "GET /@/x.fxt HTTP/1.1\r\n" HOST "Origin: " UI "\r\n\r\n");
}

static inline const char *body(const FIXTURE_DATA(open) *self)
{
	const char *b = strstr(self->answer, "\r\n\r\n");

	return b ? b + 4 : self->answer;
}

static inline size_t body_bytes(const FIXTURE_DATA(open) *self)
{
	return self->answer + self->answer_bytes - body(self);
}

static inline bool has_header(const FIXTURE_DATA(open) *self, const char *line)
{
	char whole[128];
	const char *at;

	snprintf(whole, sizeof(whole), "\r\n%s\r\n", line);
	at = strstr(self->answer, whole);
	return at && at < body(self);
}

#endif /* SELFTESTS_OPEN_FIXTURE_H */
