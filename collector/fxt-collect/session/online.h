/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * online.h - CPUs that go offline while they are recorded.
 */
#ifndef FXT_COLLECT_SESSION_ONLINE_H
#define FXT_COLLECT_SESSION_ONLINE_H

#include "source/cpus.h"
#include "state.h"

/**
 * struct online - which CPUs are online
 * @time: ticks, just before
 * @cpus: the CPUs; none if that is unknown
 */
struct online {
	uint64_t time;
	struct cpus cpus;
};

/** online_look() - find out which CPUs are online, before their chunks are fetched */
void online_look(struct online *o, struct session *s);

/** online_note() - mark those that are not, now that all chunks are fetched; 0 or an error */
int online_note(const struct online *o, struct session *s);

#endif /* FXT_COLLECT_SESSION_ONLINE_H */
