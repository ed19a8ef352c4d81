// SPDX-License-Identifier: GPL-2.0-or-later
/* signals.c - see signals.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "libfxt/clock.h"
#include "signals.h"

uint64_t session_now(void)
{
	return clock_ns(CLOCK_BOOTTIME);
}

static int open_signalfd(const int *signals, size_t count)
{
	sigset_t set;

	sigemptyset(&set);
	while (count--)
		sigaddset(&set, signals[count]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Signals are read from descriptors: none interrupts a write, and every wait can include them. */
int signals_open(struct session *s)
{
	static const int end[] = { SIGINT, SIGTERM, SIGHUP }, other[] = { SIGCHLD, SIGUSR1 };

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	s->end = open_signalfd(end, 3);
	if (s->end >= 0)
		s->signals = open_signalfd(other, 2);
	if (s->signals >= 0)
		return 0;
	return fail(s->e, EXIT_FAILED, -errno, "cannot set up signals: %s",
		    strerror(errno));
}

/*
 * The file is complete: new signals may terminate the process, but the one that ended the recording
 * must not.
 */
void signals_close(struct session *s)
{
	struct signalfd_siginfo info;
	sigset_t none;

	if (s->end >= 0) {
		while (read(s->end, &info, sizeof(info)) == sizeof(info))
			;
		close(s->end);
	}
	if (s->signals >= 0)
		close(s->signals);
	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

bool signals_ended(const struct session *s)
{
	struct pollfd end = { .fd = s->end, .events = POLLIN };

	return poll(&end, 1, 0) > 0;
}

bool session_ends(struct session *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGUSR1)
			s->snapshot_asked = true;
		else if (child_ended(&s->child))
			return true;
	}
	return signals_ended(s);
}

int session_wait(struct session *s, uint64_t until, bool records)
{
	struct pollfd fds[] = {
		{ .fd = s->end, .events = POLLIN },
		{ .fd = s->signals, .events = POLLIN },
		{ .fd = s->source->poll_fd, .events = POLLIN },
	};
	uint64_t now = session_now(), left = until > now ? until - now : 0;
	struct timespec t = { left / NS_PER_SECOND, left % NS_PER_SECOND };

	if (ppoll(fds, records ? 3 : 2, &t, NULL) >= 0 || errno == EINTR)
		return 0;
	return fail(s->e, EXIT_FAILED, -errno, "cannot wait for records: %s",
		    strerror(errno));
}
