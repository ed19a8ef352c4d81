// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * watch.c - hands events of the selected time on to an observer, after they were counted.
 */
#include "internal.h"

int engine_show_span(void *arg, const struct sched_span *span)
{
	struct report_engine *e = arg;

	if (span->to < e->from || span->from > e->to)
		return 0;
	return e->options->watch->span(e->options->watch->arg, span);
}

int engine_show_moment(void *arg, const struct sched_moment *moment)
{
	struct report_engine *e = arg;
	int ret = engine_take_moment(arg, moment);

	if (ret || moment->time < e->from || moment->time > e->to)
		return ret;
	return e->options->watch->moment(e->options->watch->arg, moment);
}

int engine_show_move(void *arg, const struct sched_move *move)
{
	struct report_engine *e = arg;
	int ret = engine_take_move(arg, move);

	if (ret || move->time < e->from || move->time > e->to)
		return ret;
	return e->options->watch->move(e->options->watch->arg, move);
}

int engine_show_frequency(void *arg, const struct sched_frequency *frequency)
{
	struct report_engine *e = arg;
	int ret = engine_take_frequency(arg, frequency);

	if (ret || frequency->time < e->from || frequency->time > e->to)
		return ret;
	return e->options->watch->frequency(e->options->watch->arg, frequency);
}
