// SPDX-License-Identifier: GPL-2.0-or-later
/* await.c - see await.h. */
#include <errno.h>
#include <poll.h>
#include <time.h>

#include "await.h"
#include "signals.h"
#include "status.h"

/* No event announces that the wall clock was set. */
#define LOOK_NS		NS_PER_SECOND

static uint64_t wall_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static void say(const struct session *s)
{
	time_t at = s->start_at.at / NS_PER_SECOND;
	char text[40];
	struct tm tm;

	if (s->o->quiet || !localtime_r(&at, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		return;
	status_print("waiting until %s.%03llu to start", text,
		     s->start_at.at % NS_PER_SECOND / NS_PER_MS);
}

int session_await_start(struct session *s)
{
	struct pollfd end = { .fd = s->end, .events = POLLIN };
	uint64_t now = wall_now(), left;
	struct timespec t;

	s->start_at = s->o->start_at;
	if (!s->start_at.at)
		return 0;
	if (now >= s->start_at.at) {
		status_print("--start-at: it took until after that time to prepare");
		start_at_missed(&s->start_at, now);
	}
	say(s);
	for (; now < s->start_at.at; now = wall_now()) {
		left = s->start_at.at - now;
		if (left > LOOK_NS)
			left = LOOK_NS;
		t = (struct timespec){ left / NS_PER_SECOND, left % NS_PER_SECOND };
		ppoll(&end, 1, &t, NULL);
		if (signals_ended(s))
			return fail(s->e, EXIT_FAILED, -EINTR,
				    "ended by a signal before --start-at; nothing is recorded");
	}
	return 0;
}

void session_note_start(struct session *s)
{
	uint64_t now = wall_now();

	s->began = session_now();
	s->late = s->start_at.at && now > s->start_at.at ? now - s->start_at.at : 0;
	s->counted_from = s->began - s->late;
}
