// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks.js - where threads slept or were preempted, and what woke them.
 *
 * In:  the stacks that report/html/stacks.c writes, and the spans. Out: of each sleep and
 * preemption the functions that its thread was in; of each sleep also those of its waker.
 */
'use strict';

const MOST_FUNCTIONS = 24;	/* in the details of a slice */

/**
 * class Stacks - stacks by the number of the span that they are of
 *
 * functions: by number: { name, isKernel }. lists: by number of the stack: numbers of functions,
 * innermost first, or null. off: stacks of threads that were off the CPU; wakers: of what ended
 * their sleeps.
 */
class Stacks {
	constructor(functions, lists) {
		this.functions = functions;
		this.lists = lists;
		this.off = new Map();
		this.wakers = new Map();
	}

	/** names() - the functions of a stack, innermost first */
	names(stack) {
		return this.lists[stack].map((i) => visible(this.functions[i].name));
	}
}

/* The number of the first span of a thread that ends at or after a time; its end if none does. */
function firstEndingAt(spans, thread, time) {
	const first = spans.first[thread], end = spans.first[thread + 1];

	return first + atLeast(0, end - first, (i) => spans.to[first + i] >= time);
}

function isSleep(spans, s) {
	return spans.kind[s] === SLEEPING || spans.kind[s] === UNINTERRUPTIBLE ||
		spans.kind[s] === OTHER;
}

/* What the thread did until it was switched in, without the wait for a CPU after a wakeup. */
function offBefore(spans, thread, time) {
	const s = firstEndingAt(spans, thread, time), before = s - 1;

	if (s === spans.first[thread + 1] || spans.to[s] !== time)
		return -1;
	if (spans.kind[s] === RUNNABLE && before >= spans.first[thread] &&
	    spans.to[before] === spans.from[s] && isSleep(spans, before))
		return before;
	return spans.kind[s] === PREEMPTED || isSleep(spans, s) ? s : -1;
}

/* The sleep that the next wakeup of the thread ends: it comes just after the stack. */
function sleepAt(spans, thread, time) {
	const end = spans.first[thread + 1];
	let s = firstEndingAt(spans, thread, time);

	while (s < end && !isSleep(spans, s))
		s++;
	/* Without the wakeup, the sleep has not ended. */
	return s + 1 < end && spans.kind[s + 1] === RUNNABLE ? s : -1;
}

/** readStacks() - reads the column of stacks. Return: a Stacks */
function readStacks(column, timeline, origin, spans) {
	const stacks = new Stacks(timeline.functions.map(([name, isKernel]) => ({ name, isKernel })),
				  timeline.stacks);
	let time = origin;

	for (let i = 0; i < timeline.stack_events; i++) {
		time += column.nextSigned();
		const thread = column.next(), code = column.next();
		const isIn = code % 2 === 1, stack = (code - code % 2) / 2;
		const span = isIn ? offBefore(spans, thread, time) : sleepAt(spans, thread, time);

		if (span >= 0)
			(isIn ? stacks.off : stacks.wakers).set(span, stack);
	}
	return stacks;
}

/* --- the details of a slice ------------------------------------------------------------------ */

function stackLabel(stacks, stack) {
	const names = stacks.names(stack), rest = names.length - MOST_FUNCTIONS;

	if (!names.length)
		return '(unknown)';
	return names.slice(0, MOST_FUNCTIONS).join(' < ') +
		(rest > 0 ? ' and ' + plural(rest, 'caller') : '');
}

/** stackRows() - details of a sleep or preemption: its stack, and that of its waker */
function stackRows(data, span) {
	const { stacks } = data, rows = [];

	if (stacks.off.has(span))
		rows.push([data.spans.kind[span] === PREEMPTED ? 'preempted in' : 'slept in',
			   stackLabel(stacks, stacks.off.get(span)), 'wide']);
	if (stacks.wakers.has(span))
		rows.push(['woken from', stackLabel(stacks, stacks.wakers.get(span)), 'wide']);
	return rows;
}
