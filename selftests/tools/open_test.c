// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * open_test.c - fxt open: one file over HTTP.
 *
 * In:  requests as a browser sends them, and as an attacker sends them.
 * Must hold: Perfetto's page gets the file byte by byte, once, and then fxt ends; nobody
 *      else gets any data.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "verb_archive.h"

/* The longest wait for an event that must happen eventually; only a failure takes that long. */
#define WAIT_MS		20000
#define TEST_SECONDS	120
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
	int out;		/* what fxt prints */
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
	free(self->answer);
	build_free(&self->s.b);
	dir_remove(self->dir);
	tool_free(&self->t);
}

/* Run fxt open --port 0 [OPTION] PATH. Return: 0 when it has printed its link. */
static int begin(FIXTURE_DATA(open) *self, const char *path, const char *option)
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
static int end(FIXTURE_DATA(open) *self)
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

static int connect_to(const char *address, unsigned int port)
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

static int send_all(int fd, const char *data, size_t bytes)
{
	ssize_t n;

	for (; bytes; data += n, bytes -= n) {
		n = send(fd, data, bytes, MSG_NOSIGNAL);
		if (n <= 0)
			return -1;
	}
	return 0;
}

/* Send bytes, read until the other side closes. Return: the status, -1 if there is none. */
static int exchange(FIXTURE_DATA(open) *self, const char *request, size_t bytes)
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
		n = read(fd, self->answer + self->answer_bytes,
			 ANSWER_BYTES - self->answer_bytes);
		self->answer_bytes += n > 0 ? n : 0;
	}
	close(fd);
	self->answer[self->answer_bytes] = '\0';
	sscanf(self->answer, "HTTP/1.1 %d", &status);
	return status;
}

/* Expand @text: # is the port and @ is the token. */
static void fill(const FIXTURE_DATA(open) *self, const char *text, char *request, size_t room)
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

static int ask(FIXTURE_DATA(open) *self, const char *text)
{
	char request[1024];

	fill(self, text, request, sizeof(request));
	return exchange(self, request, strlen(request));
}

#define HOST	"Host: 127.0.0.1:#\r\nConnection: close\r\n"

static int get(FIXTURE_DATA(open) *self)
{
	return ask(self, "GET /@/x.fxt HTTP/1.1\r\n" HOST "Origin: " UI "\r\n\r\n");
}

static const char *body(const FIXTURE_DATA(open) *self)
{
	const char *b = strstr(self->answer, "\r\n\r\n");

	return b ? b + 4 : self->answer;
}

static size_t body_bytes(const FIXTURE_DATA(open) *self)
{
	return self->answer + self->answer_bytes - body(self);
}

static bool has_header(const FIXTURE_DATA(open) *self, const char *line)
{
	char whole[128];
	const char *at;

	snprintf(whole, sizeof(whole), "\r\n%s\r\n", line);
	at = strstr(self->answer, whole);
	return at && at < body(self);
}

TEST_F_TIMEOUT(open, the_file_once, TEST_SECONDS)
{
	const char *link;
	char length[64];

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	/* No letter of the link needs escaping there, and the page shows its last component. */
	link = self->link + strlen(LINK);
	EXPECT_EQ(strlen(link), strspn(link, "0123456789abcdefxt/."));
	EXPECT_STREQ("/x.fxt", strrchr(link, '/'));
	ASSERT_EQ(200, get(self)) TH_LOG("%s", self->answer);
	EXPECT_TRUE(has_header(self, "Access-Control-Allow-Origin: " UI))
		TH_LOG("%s", self->answer);
	EXPECT_TRUE(has_header(self, "Cache-Control: no-cache"));
	EXPECT_TRUE(has_header(self, "Content-Type: application/octet-stream"));
	snprintf(length, sizeof(length), "Content-Length: %zu", built_bytes(&self->s.b));
	EXPECT_TRUE(has_header(self, length));
	ASSERT_EQ(built_bytes(&self->s.b), body_bytes(self));
	EXPECT_EQ(0, memcmp(self->s.b.words, body(self), built_bytes(&self->s.b)));
	EXPECT_EQ(0, end(self));
}

/* HEAD does not count as a fetch; neither does a preflight request. */
TEST_F_TIMEOUT(open, head_and_preflight, TEST_SECONDS)
{
	char length[64];

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	EXPECT_EQ(200, ask(self, "HEAD /@/x.fxt HTTP/1.1\r\n" HOST "\r\n"));
	snprintf(length, sizeof(length), "Content-Length: %zu", built_bytes(&self->s.b));
	EXPECT_TRUE(has_header(self, length));
	EXPECT_EQ(0U, body_bytes(self));
	EXPECT_EQ(204, ask(self, "OPTIONS /@/x.fxt HTTP/1.1\r\n" HOST "Origin: " UI "\r\n"
			   "Access-Control-Request-Method: GET\r\n"
			   "Access-Control-Request-Private-Network: true\r\n\r\n"));
	EXPECT_TRUE(has_header(self, "Access-Control-Allow-Private-Network: true"))
		TH_LOG("%s", self->answer);
	EXPECT_TRUE(has_header(self, "Access-Control-Allow-Origin: " UI));
	EXPECT_TRUE(has_header(self, "Access-Control-Allow-Methods: GET, HEAD, OPTIONS"));
	/* A request without an origin is not from a page, and localhost is also a valid host. */
	EXPECT_EQ(200, ask(self, "GET /@/x.fxt HTTP/1.1\r\nHost: localhost:#\r\n"
			   "Connection: close\r\n\r\n"));
	EXPECT_EQ(built_bytes(&self->s.b), body_bytes(self));
	EXPECT_EQ(0, end(self));
}

/* A request for a range gets the whole file. */
TEST_F_TIMEOUT(open, ranges_are_ignored, TEST_SECONDS)
{
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	EXPECT_EQ(200, ask(self, "GET /@/x.fxt HTTP/1.1\r\n" HOST "Range: bytes=8-15\r\n\r\n"));
	EXPECT_EQ(built_bytes(&self->s.b), body_bytes(self));
	EXPECT_EQ(0, end(self));
}

TEST_F_TIMEOUT(open, refused, TEST_SECONDS)
{
	static const struct {
		int status;
		const char *request;
	} cases[] = {
		{ 404, "GET / HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "GET /x.fxt HTTP/1.1\r\n" HOST "Origin: " UI "\r\n\r\n" },
		{ 404, "HEAD /x.fxt HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "OPTIONS /x.fxt HTTP/1.1\r\n" HOST "Origin: " UI "\r\n\r\n" },
		{ 404, "GET //x.fxt HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "GET /@ HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "GET /@/ HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "GET /@0/x.fxt HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "GET /0@/x.fxt HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "GET /@/x.fxt/ HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "GET /../@/x.fxt HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "GET /@/x.fx HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "GET /etc/passwd HTTP/1.1\r\n" HOST "\r\n" },
		{ 404, "OPTIONS /@/y.fxt HTTP/1.1\r\n" HOST "\r\n" },
		{ 403, "GET /@/x.fxt HTTP/1.1\r\nHost: evil.example:#\r\nConnection: close\r\n\r\n" },
		{ 403, "GET /@/x.fxt HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n" },
		{ 403, "GET /@/x.fxt HTTP/1.1\r\nHost: 127.0.0.1:#0\r\nConnection: close\r\n\r\n" },
		{ 403, "GET /@/x.fxt HTTP/1.1\r\nHost: localhost.evil.example:#\r\n"
		       "Connection: close\r\n\r\n" },
		{ 403, "GET /@/x.fxt HTTP/1.0\r\n\r\n" },
		{ 403, "GET /@/x.fxt HTTP/1.1\r\n" HOST "Origin: https://evil.example\r\n\r\n" },
		{ 403, "GET /@/x.fxt HTTP/1.1\r\n" HOST "Origin: null\r\n\r\n" },
		{ 403, "GET /@/x.fxt HTTP/1.1\r\n" HOST "Origin: http://ui.perfetto.dev\r\n\r\n" },
		{ 403, "GET /@/x.fxt HTTP/1.1\r\n" HOST "Origin: " UI ".evil.example\r\n\r\n" },
		{ 403, "OPTIONS /@/x.fxt HTTP/1.1\r\n" HOST "Origin: https://evil.example\r\n"
		       "Access-Control-Request-Private-Network: true\r\n\r\n" },
		{ 405, "PUT /@/x.fxt HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n" },
		{ 405, "POST /@/x.fxt HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabc" },
		{ 405, "DELETE /@/x.fxt HTTP/1.1\r\n" HOST "\r\n" },
		{ 405, "TRACE /@/x.fxt HTTP/1.1\r\n" HOST "\r\n" },
	};
	size_t i;

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_EQ(cases[i].status, ask(self, cases[i].request))
			TH_LOG("%s%s", cases[i].request, self->answer);
		EXPECT_EQ(NULL, strstr(self->answer, "Access-Control")) TH_LOG("%s", self->answer);
		EXPECT_EQ(NULL, memmem(self->answer, self->answer_bytes, self->s.b.words, 8));
		if (cases[i].status == 405)
			EXPECT_TRUE(has_header(self, "Allow: GET, HEAD, OPTIONS"));
	}
	/* None of these requests has ended it. */
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
}

/* A wrong token, even with only one wrong digit, gets the same answer as any other path. */
TEST_F_TIMEOUT(open, wrong_tokens, TEST_SECONDS)
{
	char right[sizeof(self->token)];
	size_t i;

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	memcpy(right, self->token, sizeof(right));
	for (i = 0; i < strlen(right); i++) {
		self->token[i] = right[i] == '0' ? '1' : '0';
		EXPECT_EQ(404, get(self)) TH_LOG("%zu: %s", i, self->answer);
		EXPECT_EQ(NULL, strstr(self->answer, "Access-Control"));
		self->token[i] = right[i];
	}
	memset(self->token, '0', strlen(right));
	EXPECT_EQ(404, get(self));
	memcpy(self->token, right, sizeof(right));
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
}

/* Two random tokens of 128 bits agree in two of 32 digits on average; never in 20. */
TEST_F_TIMEOUT(open, tokens_differ, TEST_SECONDS)
{
	char first[sizeof(self->token)];
	unsigned int alike = 0, i;

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
	close(self->out);
	memcpy(first, self->token, sizeof(first));
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	for (i = 0; i < strlen(first); i++)
		alike += first[i] == self->token[i];
	EXPECT_GT(20U, alike) TH_LOG("%s %s", first, self->token);
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
}

TEST_F_TIMEOUT(open, more_than_a_request, TEST_SECONDS)
{
	size_t bytes = 1 << 20, n;
	char *request = malloc(bytes + 256);

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	fill(self, "GET /@/x.fxt HTTP/1.1\r\n" HOST "X: ", request, 256);
	n = strlen(request);
	memset(request + n, 'x', bytes);
	memcpy(request + n + bytes, "\r\n\r\n", 4);
	EXPECT_NE(200, exchange(self, request, n + bytes + 4));
	EXPECT_EQ(NULL, memmem(self->answer, self->answer_bytes, self->s.b.words, 8));
	EXPECT_NE(200, exchange(self, "garbage\r\n\r\n", 11));
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
	free(request);
}

/* A client that disconnects halfway can fetch again. */
TEST_F_TIMEOUT(open, fetched_whole_or_not_at_all, TEST_SECONDS)
{
	char request[256];
	int fd;

	ASSERT_EQ(0, truncate(self->path, 16 << 20));
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	fd = connect_to("127.0.0.1", self->port);
	ASSERT_LE(0, fd);
	fill(self, "GET /@/x.fxt HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n", request, sizeof(request));
	ASSERT_EQ(0, send_all(fd, request, strlen(request)));
	ASSERT_EQ(10, recv(fd, request, 10, MSG_WAITALL));
	close(fd);
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(16U << 20, body_bytes(self));
	EXPECT_EQ(0, end(self));
}

/* Connections that send nothing do not block others. */
TEST_F_TIMEOUT(open, beside_silent_ones, TEST_SECONDS)
{
	int fds[8], i;

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	for (i = 0; i < 8; i++)
		fds[i] = connect_to("127.0.0.1", self->port);
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
	for (i = 0; i < 8; i++)
		close(fds[i]);
}

TEST_F_TIMEOUT(open, on_this_address_only, TEST_SECONDS)
{
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	EXPECT_EQ(-1, connect_to("127.0.0.2", self->port));
	EXPECT_EQ(200, get(self));
}

TEST_F_TIMEOUT(open, until_told_to_end, TEST_SECONDS)
{
	static const int signals[] = { SIGINT, SIGTERM };
	char text[256] = "";
	size_t i;
	int fd;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
		kill(self->pid, signals[i]);
		EXPECT_EQ(0, end(self));
		close(self->out);
		self->out = -1;
		fd = open(self->said, O_RDONLY | O_CLOEXEC);
		EXPECT_LT(0, read(fd, text, sizeof(text) - 1));
		close(fd);
		EXPECT_NE(NULL, strstr(text, "was not fetched")) TH_LOG("%s", text);
	}
}

/* --- the browser ------------------------------------------------------------------------- */

/* Make a browser that records the link it is to open; its path is in $BROWSER. */
static void make_browser(FIXTURE_DATA(open) *self)
{
	char path[RECORD_PATH + 32], text[2 * RECORD_PATH];
	int n = snprintf(text, sizeof(text), "#!/bin/sh\nprintf '%%s\\n' \"$#\" \"$1\" >%s/tmp\n"
			 "mv %s/tmp %s/opened\n", self->dir, self->dir, self->dir);

	snprintf(path, sizeof(path), "%s/browser", self->dir);
	save_file(path, text, n);
	chmod(path, 0700);
	setenv("BROWSER", path, 1);
}

static bool read_opened(const FIXTURE_DATA(open) *self, char *text, size_t room)
{
	char path[RECORD_PATH + 32];
	ssize_t n = -1;
	int fd, i;

	snprintf(path, sizeof(path), "%s/opened", self->dir);
	for (i = 0; i < WAIT_MS / 10 && access(path, F_OK); i++)
		usleep(10000);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		n = read(fd, text, room - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

TEST_F_TIMEOUT(open, browser, TEST_SECONDS)
{
	char text[1024], page[1024], path[RECORD_PATH], link[600], *slash;
	struct stat st;
	ssize_t n;
	int fd;

	make_browser(self);
	setenv("XDG_RUNTIME_DIR", self->dir, 1);
	ASSERT_EQ(0, begin(self, self->path, NULL));
	ASSERT_TRUE(read_opened(self, text, sizeof(text)));
	/* Other users see its arguments. */
	EXPECT_EQ(NULL, strstr(text, self->token)) TH_LOG("%s", text);
	ASSERT_EQ(1, sscanf(text, "1\n%255s\n", path)) TH_LOG("%s", text);
	EXPECT_EQ(0, strncmp(path, self->dir, strlen(self->dir))) TH_LOG("%s", path);
	ASSERT_EQ(0, stat(path, &st));
	EXPECT_EQ(0600U, st.st_mode & 07777);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = read(fd, page, sizeof(page) - 1);
	close(fd);
	ASSERT_LT(0, n);
	page[n] = '\0';
	snprintf(link, sizeof(link), "http-equiv=\"refresh\" content=\"0;url=%s\"", self->link);
	EXPECT_NE(NULL, strstr(page, link)) TH_LOG("%s", page);
	slash = strrchr(path, '/');
	*slash = '\0';
	ASSERT_EQ(0, stat(path, &st));
	EXPECT_EQ(0700U, st.st_mode & 07777);
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
	/* It is gone when nobody needs it. */
	EXPECT_NE(0, stat(path, &st));
}

/* --- other users of this machine --------------------------------------------------------- */

#define NOBODY	65534

/* Connect as another user, who has seen the link. Return: the status, -1 if there is none. */
static int get_as(FIXTURE_DATA(open) *self, uid_t uid)
{
	uid_t saved = geteuid();
	int status;

	if (seteuid(uid))
		return -2;
	status = get(self);
	seteuid(saved);
	return status;
}

TEST_F_TIMEOUT(open, not_for_other_users, TEST_SECONDS)
{
	int fds[64], i;

	if (geteuid())
		SKIP(return, "not root");
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	EXPECT_EQ(-1, get_as(self, NOBODY));
	EXPECT_EQ(NULL, memmem(self->answer, self->answer_bytes, self->s.b.words, 8));
	/* Their connections take no place either. */
	ASSERT_EQ(0, seteuid(NOBODY));
	for (i = 0; i < 64; i++)
		fds[i] = connect_to("127.0.0.1", self->port);
	ASSERT_EQ(0, seteuid(0));
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
	for (i = 0; i < 64; i++)
		close(fds[i]);
}

TEST_F_TIMEOUT(open, for_who_became_root, TEST_SECONDS)
{
	if (geteuid())
		SKIP(return, "not root");
	setenv("SUDO_UID", "65534", 1);
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	unsetenv("SUDO_UID");
	EXPECT_EQ(-1, get_as(self, NOBODY - 1));
	EXPECT_EQ(200, get_as(self, NOBODY));
	EXPECT_EQ(0, end(self));
}

TEST_F_TIMEOUT(open, any_user, TEST_SECONDS)
{
	if (geteuid())
		SKIP(return, "not root");
	ASSERT_EQ(0, begin(self, self->path, "--any-user"));
	EXPECT_EQ(200, get_as(self, NOBODY));
	EXPECT_EQ(0, end(self));
}

/* As many connections of the user's own as there are places, none of which asks. */
TEST_F_TIMEOUT(open, all_places_taken, TEST_SECONDS)
{
	int fds[16], i;

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	for (i = 0; i < 16; i++)
		fds[i] = connect_to("127.0.0.1", self->port);
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
	for (i = 0; i < 16; i++)
		close(fds[i]);
}

TEST_F_TIMEOUT(open, no_browser, TEST_SECONDS)
{
	char path[RECORD_PATH + 32];

	make_browser(self);
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
	snprintf(path, sizeof(path), "%s/opened", self->dir);
	EXPECT_NE(0, access(path, F_OK));
}

/* --- files --------------------------------------------------------------------------------- */

/* Letters that need escaping in a link or a shell. */
TEST_F_TIMEOUT(open, names, TEST_SECONDS)
{
	char path[RECORD_PATH + 64];

	snprintf(path, sizeof(path), "%s/a b&url=#%%41\xc3\xa4'.fxt", self->dir);
	save_file(path, self->s.b.words, built_bytes(&self->s.b));
	ASSERT_EQ(0, begin(self, path, "--no-browser"));
	EXPECT_NE(NULL, strstr(self->link, "/a_b_url___41___.fxt")) TH_LOG("%s", self->link);
	EXPECT_EQ(200, ask(self, "GET /@/a_b_url___41___.fxt HTTP/1.1\r\n" HOST "\r\n"));
	EXPECT_EQ(0, end(self));
}

TEST_F_TIMEOUT(open, compressed_as_it_is, TEST_SECONDS)
{
	char path[RECORD_PATH + 32];
	struct stat st;

	snprintf(path, sizeof(path), "%s/x.fxt.zst", self->dir);
	ASSERT_EQ(0, RUN(&self->t, "cut", "-o", path, self->path)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, stat(path, &st));
	ASSERT_EQ(0, begin(self, path, "--no-browser"));
	EXPECT_EQ(200, ask(self, "GET /@/x.fxt.zst HTTP/1.1\r\n" HOST "\r\n"));
	EXPECT_EQ((size_t)st.st_size, body_bytes(self));
	EXPECT_EQ(0, memcmp(body(self), "\x28\xb5\x2f\xfd", 4));
	EXPECT_EQ(0, end(self));
}

TEST_F_TIMEOUT(open, what_cannot_be_served, TEST_SECONDS)
{
	const char * const args[] = { "open", "--no-browser", "--port", "0", "/dev/stdin", NULL };
	char port[16];
	int fds[2];

	ASSERT_EQ(0, pipe(fds));
	ASSERT_EQ((ssize_t)built_bytes(&self->s.b),
		  write(fds[1], self->s.b.words, built_bytes(&self->s.b)));
	EXPECT_EQ(3, tool_run_from(&self->t, args, fds[0]));
	EXPECT_NE(NULL, strstr(self->t.err, "not a regular file")) TH_LOG("%s", self->t.err);
	close(fds[0]);
	close(fds[1]);
	tool_free(&self->t);
	EXPECT_EQ(3, RUN(&self->t, "open", "--no-browser", "/nowhere/x.fxt"));
	tool_free(&self->t);
	EXPECT_EQ(3, RUN(&self->t, "open", "--no-browser", self->dir));
	tool_free(&self->t);
	EXPECT_EQ(3, RUN(&self->t, "open", "--no-browser", "/dev/zero"));
	tool_free(&self->t);
	save_file(self->said, "no archive, but long enough", 27);
	EXPECT_EQ(3, RUN(&self->t, "open", "--no-browser", self->said));
	tool_free(&self->t);
	EXPECT_EQ(2, RUN(&self->t, "open", "--port", "65536", self->path));
	tool_free(&self->t);
	EXPECT_EQ(2, RUN(&self->t, "open", "--port", "x", self->path));
	tool_free(&self->t);
	EXPECT_EQ(2, RUN(&self->t, "open", self->path, self->path));
	tool_free(&self->t);
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	snprintf(port, sizeof(port), "%u", self->port);
	EXPECT_EQ(4, RUN(&self->t, "open", "--no-browser", "--port", port, self->path));
	EXPECT_NE(NULL, strstr(self->t.err, "the port is in use"))
		TH_LOG("%s", self->t.err);
}

TEST_HARNESS_MAIN
