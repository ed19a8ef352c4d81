// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spans.js - reads the columns of spans, as report/html/spans.c writes them.
 *
 * In:  columns of numbers. Out: Spans. Must hold: the kinds and what follows them are those of
 * spans.c at each span.
 */
'use strict';

const SPAN_COLUMNS = ['what0', 'what1', 'what2', 'cpu', 'thread', 'state', 'waker', 'relation',
	'end0', 'end1', 'end2', 'gap'];
/* In the column of kinds, and in that of relations. */
const FOLLOWERS = 4, SPAN_ELSEWHERE = 4, SPAN_NEW = 5, SPAN_KNOWN = 6;
const SPAN_LATER = 1, SPAN_EARLIER = 2, SPAN_APART = 4;

/**
 * class Spans - all spans: the number of the thread, its state, start and end
 *
 * first: for each thread, by number, the index of its first span; the last element is the
 * number of spans. order: the indices of the spans sorted by their end.
 */
class Spans {
	constructor(first) {
		const count = first[first.length - 1];

		this.count = count;
		this.first = first;
		this.order = new Uint32Array(count);
		this.from = new Float64Array(count);
		this.to = new Float64Array(count);
		this.thread = new Uint32Array(count);
		this.cpu = new Uint16Array(count);
		this.waker = new Uint32Array(count);
		this.irq = new Uint8Array(count);	/* in IRQS */
		this.state = new Uint8Array(count);	/* of the letter */
		this.kind = new Uint8Array(count);
	}
}

function kindTable() {
	const kinds = new Uint8Array(256).fill(UNKNOWN);

	for (const [letter, state] of Object.entries(STATES))
		kinds[letter.charCodeAt(0)] = state.kind;
	return kinds;
}

/** class SpanKinds - what spans have in common: thread, state, cpu, waker, relation, by id from 1 */
class SpanKinds {
	constructor(columns) {
		const count = columns.thread.bytes.length + 1;	/* at least a byte each */

		this.columns = columns;
		this.what = new SplitColumn([columns.what0, columns.what1, columns.what2]);
		this.count = 0;
		this.thread = new Uint32Array(count);
		this.state = new Uint8Array(count);
		this.cpu = new Uint32Array(count);
		this.waker = new Uint32Array(count);
		this.relation = new Uint8Array(count);
		/*
		 * Ids, FOLLOWERS for each kind; those of kind 0 are the ones that CPUs begin with.
		 */
		this.followers = new Uint32Array(count * FOLLOWERS);
		this.last = new Uint32Array(NO_CPU + 2);	/* by 1 + CPU */
		this.at = 0;
	}

	/* Return: its id. */
	add() {
		const { columns } = this, id = ++this.count;

		this.thread[id] = columns.thread.next();
		this.state[id] = columns.state.next();
		this.cpu[id] = this.at;
		this.waker[id] = columns.waker.next();
		this.relation[id] = columns.relation.next();
		return id;
	}

	/*
	 * Is the next span likely to end together with the last one, and so to be on the same CPU?
	 */
	isAtOnce() {
		const next = this.followers[this.last[this.at] * FOLLOWERS];

		return next > 0 && !(this.relation[next] & (SPAN_LATER | SPAN_EARLIER));
	}

	/** next() - the id of the kind of the next span */
	next() {
		const { followers } = this, isLikely = this.isAtOnce();
		let what = this.what.next();

		if (!isLikely || what === SPAN_ELSEWHERE)
			this.at = this.columns.cpu.next();
		if (what === SPAN_ELSEWHERE)
			what = this.what.next();
		const base = this.last[this.at] * FOLLOWERS;
		const id = what < FOLLOWERS ? followers[base + what] : what === SPAN_NEW ? this.add() :
			this.count - (what - SPAN_KNOWN);

		for (let i = Math.min(what, FOLLOWERS - 1); i > 0; i--)
			followers[base + i] = followers[base + i - 1];
		followers[base] = id;
		this.last[this.at] = id;
		return id;
	}
}

/* The kind of each span, and the index of each thread's first span. */
function readKinds(kinds, count, threads) {
	const ids = new Uint32Array(count), first = new Uint32Array(threads + 1);

	for (let i = 0; i < count; i++) {
		const id = kinds.next();

		ids[i] = id;
		first[kinds.thread[id] + 1]++;
	}
	for (let thread = 0; thread < threads; thread++)
		first[thread + 1] += first[thread];
	return { ids, first };
}

/** decodeSpans() - all spans; origin: where times begin */
function decodeSpans(columns, timeline, origin) {
	const threads = timeline.threads.length, states = kindTable(), kinds = new SpanKinds(columns);
	const { ids, first } = readKinds(kinds, timeline.spans, threads), spans = new Spans(first);
	const isIdle = timeline.threads.map((t) => t && t.isIdle), next = spans.first.slice();
	const distance = new SplitColumn([columns.end0, columns.end1, columns.end2]);
	/* The end of the last span of each thread, and of each CPU's idle thread. */
	const ends = new Float64Array(threads).fill(origin);
	const idleEnds = new Float64Array(NO_CPU + 1).fill(origin);
	let end = origin;

	for (let i = 0; i < spans.count; i++) {
		const id = ids[i], thread = kinds.thread[id], state = kinds.state[id];
		const cpu = kinds.cpu[id] - 1, s = next[thread]++, relation = kinds.relation[id];
		const last = isIdle[thread] ? idleEnds : ends, waker = kinds.waker[id];
		const track = isIdle[thread] ? cpu : thread;

		if (relation & SPAN_LATER)
			end += distance.next();
		else if (relation & SPAN_EARLIER)
			end -= distance.next();
		spans.order[i] = s;
		spans.from[s] = last[track] + (relation & SPAN_APART ? columns.gap.nextSigned() : 0);
		spans.to[s] = last[track] = end;
		spans.thread[s] = thread;
		spans.state[s] = state;
		spans.kind[s] = states[state];
		spans.cpu[s] = cpu < 0 ? NO_CPU : cpu;
		spans.irq[s] = waker < IRQS.length ? waker : 0;
		spans.waker[s] = waker < IRQS.length ? NO_THREAD : waker - IRQS.length;
	}
	return spans;
}
