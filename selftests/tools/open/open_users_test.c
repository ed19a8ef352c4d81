// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt open on a machine with other users: another user who knows the link gets no data and takes no
 * place; a connection without a request loses its place.
 */
#include "open_fixture.h"

#define NOBODY	65534

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

TEST_F(open, not_for_other_users)
{
	int fds[64], i;

	if (geteuid())
		SKIP(return, "not root");
	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	EXPECT_EQ(-1, get_as(self, NOBODY));
	EXPECT_EQ(NULL, memmem(self->answer, self->answer_bytes, self->s.b.words, 8));
	ASSERT_EQ(0, seteuid(NOBODY));
	for (i = 0; i < 64; i++)
		fds[i] = connect_to("127.0.0.1", self->port);
	ASSERT_EQ(0, seteuid(0));
	EXPECT_EQ(200, get(self));
	EXPECT_EQ(0, end(self));
	for (i = 0; i < 64; i++)
		close(fds[i]);
}

TEST_F(open, for_who_became_root)
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

TEST_F(open, any_user)
{
	if (geteuid())
		SKIP(return, "not root");
	ASSERT_EQ(0, begin(self, self->path, "--any-user"));
	EXPECT_EQ(200, get_as(self, NOBODY));
	EXPECT_EQ(0, end(self));
}

/* The user's own connections take all places without sending a request. */
TEST_F(open, all_places_taken)
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

/*
 * All places are taken by requests of which a byte comes now and then, until an honest one is
 * served.
 */
TEST_F(open, slow_requests)
{
	int fds[16], status, i;
	bool served;
	pid_t child;

	ASSERT_EQ(0, begin(self, self->path, "--no-browser"));
	for (i = 0; i < 16; i++)
		fds[i] = connect_to("127.0.0.1", self->port);
	child = fork();
	for (i = 0; !child && i < 20 * 16; i++) {
		send(fds[i % 16], "G", 1, MSG_NOSIGNAL);
		if (i % 16 == 15)
			sleep(1);
	}
	if (!child)
		_exit(0);
	EXPECT_EQ(200, get(self));
	served = !waitpid(child, &status, WNOHANG);
	EXPECT_TRUE(served);
	kill(child, SIGKILL);
	if (served)
		waitpid(child, NULL, 0);
	EXPECT_EQ(0, end(self));
	for (i = 0; i < 16; i++)
		close(fds[i]);
}
