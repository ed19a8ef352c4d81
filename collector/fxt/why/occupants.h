/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * occupants.h - who had a CPU in some time, going back.
 *
 * In: a history; times of one CPU after another, each before the one asked for before.
 * Out: threads and interrupts with the time that they had. Each turn and each piece of an
 * interrupt is looked at once, unless a time is asked for again.
 */
#ifndef FXT_WHY_OCCUPANTS_H
#define FXT_WHY_OCCUPANTS_H

#include "causes.h"
#include "history/history.h"

/** struct occupants_at - where a CPU's turns and pieces have been left; 0 in both: nothing is left */
struct occupants_at {
	uint32_t turn;
	uint32_t piece;
};

/**
 * struct occupants - private, but for @by and @count
 * @slots: of each thread and then each source, its place in @by if @mark is that of @marks
 */
struct occupants {
	const struct history *h;
	struct occupants_at *at;
	uint32_t *marks;
	uint32_t *slots;
	uint32_t mark;
	size_t sources;
	struct why_by *by;
	size_t room;
	size_t count;
};

/** occupants_open() - begin. Return: 0 or -ENOMEM; call occupants_close() in both cases */
int occupants_open(struct occupants *o, const struct history *h);
void occupants_close(struct occupants *o);

/** occupants_rewind() - what is asked for next ends no later than @time (ns) */
void occupants_rewind(struct occupants *o, uint64_t time);

/**
 * occupants_find() - who had a CPU
 * @o: @by and @count are set, those with most time first
 * @cpu: the CPU
 * @from: ns
 * @to: ns
 *
 * Return: 0 or -ENOMEM.
 */
int occupants_find(struct occupants *o, uint16_t cpu, uint64_t from, uint64_t to);

/** occupants_keep() - remember where a CPU was left, so that its time can be asked for again */
struct occupants_at occupants_keep(const struct occupants *o, uint16_t cpu);
void occupants_restore(struct occupants *o, uint16_t cpu, struct occupants_at at);

/**
 * occupants_piece() - the last piece of an interrupt in a time
 * @from: ns
 * @to: ns
 *
 * Return: NULL if there is none.
 */
const struct history_piece *occupants_piece(struct occupants *o, uint16_t cpu, uint64_t from,
					    uint64_t to);

#endif /* FXT_WHY_OCCUPANTS_H */
