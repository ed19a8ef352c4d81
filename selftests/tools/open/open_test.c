// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt open: Perfetto's page gets the file byte by byte, once, and then fxt ends; nobody else gets
 * any data.
 */
#include "open_fixture.h"

TEST_F(open, the_file_once)
{
	const char *link;
	char length[64];

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	/* The link needs no escaping, and the page shows its last component. */
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

TEST_F(open, head_and_preflight)
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
	/* A request without an origin does not come from a page; localhost is a valid host, too. */
	EXPECT_EQ(200, ask(self, "GET /@/x.fxt HTTP/1.1\r\nHost: localhost:#\r\n"
			   "Connection: close\r\n\r\n"));
	EXPECT_EQ(built_bytes(&self->s.b), body_bytes(self));
	EXPECT_EQ(0, end(self));
}

TEST_F(open, ranges_are_ignored)
{
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	EXPECT_EQ(200, ask(self, "GET /@/x.fxt HTTP/1.1\r\n" HOST "Range: bytes=8-15\r\n\r\n"));
	EXPECT_EQ(built_bytes(&self->s.b), body_bytes(self));
	EXPECT_EQ(0, end(self));
}

TEST_F(open, refused)
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

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_EQ(cases[i].status, ask(self, cases[i].request))
			TH_LOG("%s%s", cases[i].request, self->answer);
		EXPECT_NOT_IN(self->answer, "Access-Control");
		EXPECT_EQ(NULL, memmem(self->answer, self->answer_bytes, self->s.b.words, 8));
		if (cases[i].status == 405)
			EXPECT_TRUE(has_header(self, "Allow: GET, HEAD, OPTIONS"));
	}
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
}

/* A wrong token, even with only one wrong digit, gets the same answer as any other path. */
TEST_F(open, wrong_tokens)
{
	char right[sizeof(self->token)];

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	memcpy(right, self->token, sizeof(right));
	for (size_t i = 0; i < strlen(right); i++) {
		self->token[i] = right[i] == '0' ? '1' : '0';
		EXPECT_EQ(404, get(self)) TH_LOG("%zu: %s", i, self->answer);
		EXPECT_NOT_IN(self->answer, "Access-Control");
		self->token[i] = right[i];
	}
	memset(self->token, '0', strlen(right));
	EXPECT_EQ(404, get(self));
	memcpy(self->token, right, sizeof(right));
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
}

/* Two random tokens of 32 digits agree in two digits on average, and practically never in 20. */
TEST_F(open, tokens_differ)
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

TEST_F(open, more_than_a_request)
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
}

/* A client that disconnects halfway can fetch again. */
TEST_F(open, fetched_whole_or_not_at_all)
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

TEST_F(open, beside_silent_ones)
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

TEST_F(open, on_this_address_only)
{
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	EXPECT_EQ(-1, connect_to("127.0.0.2", self->port));
	EXPECT_EQ(200, get(self));
}

TEST_F(open, until_told_to_end)
{
	static const int signals[] = { SIGINT, SIGTERM };
	char text[256] = "";
	int fd;

	for (size_t i = 0; i < 2; i++) {
		ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
		kill(self->pid, signals[i]);
		EXPECT_EQ(0, end(self));
		close(self->out);
		self->out = -1;
		fd = open(self->said, O_RDONLY | O_CLOEXEC);
		EXPECT_LT(0, read(fd, text, sizeof(text) - 1));
		close(fd);
		EXPECT_IN(text, "was not fetched");
	}
}

/* A browser may still follow the link, so the file is served. */
TEST_F(open, link_that_cannot_be_written)
{
	char text[256] = "", command[4 * RECORD_PATH];
	int fd, i;

	snprintf(command, sizeof(command), "exec '%s' open --no-browser '%s' >/dev/full 2>'%s'",
		 tool_path(), self->path, self->said);
	self->pid = fork();
	if (!self->pid) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(99);
	}
	for (i = 0; i < WAIT_MS / 10 && !strchr(text, '\n'); i++) {
		usleep(10000);
		fd = open(self->said, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
			text[0] = '\0';
		if (fd >= 0)
			close(fd);
	}
	EXPECT_IN(text, "fxt: cannot write standard output: No space left on device\n");
	kill(self->pid, SIGTERM);
	EXPECT_EQ(4, end(self));
}

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

TEST_F(open, browser)
{
	char text[1024], page[1024], path[RECORD_PATH], link[600], *slash;
	struct stat st;
	ssize_t n;
	int fd;

	make_browser(self);
	setenv("XDG_RUNTIME_DIR", self->dir, 1);
	ASSERT_EQ(0, begin(self, self->path, NULL));
	ASSERT_TRUE(read_opened(self, text, sizeof(text)));
	/* Other users can see the browser's arguments. */
	EXPECT_NOT_IN(text, self->token);
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
	EXPECT_IN(page, link);
	slash = strrchr(path, '/');
	*slash = '\0';
	ASSERT_EQ(0, stat(path, &st));
	EXPECT_EQ(0700U, st.st_mode & 07777);
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
	/* The file is removed once nobody needs it. */
	EXPECT_NE(0, stat(path, &st));
}

TEST_F(open, no_browser)
{
	char path[RECORD_PATH + 32];

	make_browser(self);
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
	snprintf(path, sizeof(path), "%s/opened", self->dir);
	EXPECT_NE(0, access(path, F_OK));
}

/* Letters that need escaping in a link or a shell. */
TEST_F(open, names)
{
	char path[RECORD_PATH + 64];

	snprintf(path, sizeof(path), "%s/a b&url=#%%41\xc3\xa4'.fxt", self->dir);
	save_file(path, self->s.b.words, built_bytes(&self->s.b));
	ASSERT_EQ(0, begin(self, path, "--no-browser"));
	EXPECT_IN(self->link, "/a_b_url___41___.fxt");
	EXPECT_EQ(200, ask(self, "GET /@/a_b_url___41___.fxt HTTP/1.1\r\n" HOST "\r\n"));
	EXPECT_EQ(0, end(self));
}

TEST_F(open, compressed_as_it_is)
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

TEST_F(open, what_cannot_be_served)
{
	char port[16];
	int fds[2];

	ASSERT_EQ(0, pipe(fds));
	ASSERT_EQ((ssize_t)built_bytes(&self->s.b),
		  write(fds[1], self->s.b.words, built_bytes(&self->s.b)));
	EXPECT_EQ(3, tool_run_from(&self->t, ARGS("open", "--no-browser", "--port", "0",
						  "/dev/stdin"), fds[0]));
	EXPECT_IN(self->t.err, "not a regular file");
	close(fds[0]);
	close(fds[1]);
	EXPECT_EQ(3, RUN(&self->t, "open", "--no-browser", "/nowhere/x.fxt"));
	EXPECT_EQ(3, RUN(&self->t, "open", "--no-browser", self->dir));
	EXPECT_EQ(3, RUN(&self->t, "open", "--no-browser", "/dev/zero"));
	save_file(self->said, "no archive, but long enough", 27);
	EXPECT_EQ(3, RUN(&self->t, "open", "--no-browser", self->said));
	EXPECT_EQ(2, RUN(&self->t, "open", "--port", "65536", self->path));
	EXPECT_EQ(2, RUN(&self->t, "open", "--port", "x", self->path));
	EXPECT_EQ(2, RUN(&self->t, "open", self->path, self->path));
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	snprintf(port, sizeof(port), "%u", self->port);
	EXPECT_EQ(4, RUN(&self->t, "open", "--no-browser", "--port", port, self->path));
	EXPECT_IN(self->t.err, "the port is in use");
}

/* The server is a program of its own, in the folder of fxt or in $PATH. */
TEST_F(open, program)
{
	char copy[3 * RECORD_PATH], fxt[2 * RECORD_PATH], server[RECORD_PATH];

	snprintf(fxt, sizeof(fxt), "%s/fxt", self->dir);
	snprintf(copy, sizeof(copy), "cp '%s' '%s'", tool_path(), fxt);
	ASSERT_EQ(0, system(copy));
	setenv("PATH", self->dir, true);
	EXPECT_EQ(4, program_run(&self->t, fxt, ARGS("open", "--no-browser", self->path)));
	EXPECT_IN(self->t.err, "fxt: open: cannot run fxt-open: No such file or directory; install");
	tool_free(&self->t);
	built_path(server, sizeof(server), "fxt-open");
	EXPECT_EQ(2, program_run(&self->t, server, ARGS(self->path)));
	EXPECT_IN(self->t.err, "fxt-open: fxt open runs this program; see fxt open --help");
	tool_free(&self->t);
}
