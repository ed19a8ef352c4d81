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
const SPAN_LATER = 1, SPAN_EARLIER = 2, SPAN_APART = 4, SPAN_MARKED = 8;

/**
 * class Spans - all spans: the number of the thread, its state, start and end
 *
 * first: for each thread, by number, the index of its first span; the last element is the
 * number of spans.
 */
class Spans {
	constructor(first, hasHits) {
		const count = first[first.length - 1];

		this.count = count;
		this.first = first;
		this.from = new Float64Array(count);
		this.to = new Float64Array(count);
		this.thread = new Uint32Array(count);
		this.cpu = new Uint16Array(count);
		this.waker = new Uint32Array(count);
		this.irq = new Uint8Array(count);	/* in IRQS */
		/* The thread that a soft interrupt hit. */
		this.hit = hasHits ? new Uint32Array(count).fill(NO_THREAD) : null;
		this.state = new Uint8Array(count);	/* of the letter */
		this.kind = new Uint8Array(count);
	}
}

/**
 * class Runs - the spans in which CPUs run threads, sorted by CPU and end
 *
 * first: for each CPU, the position of its first run, and of the end. They are copies, because
 * spans are sorted by thread: a CPU's runs are far from each other there.
 */
class Runs {
	constructor(first) {
		const count = first[NO_CPU + 1];

		this.first = first;
		this.span = new Uint32Array(count);
		this.from = new Float64Array(count);
		this.to = new Float64Array(count);
		this.kind = new Uint8Array(count);	/* of an idle thread SLEEPING */
		this.thread = new Uint32Array(count);
	}

	put(position, spans, s, kind) {
		this.span[position] = s;
		this.from[position] = spans.from[s];
		this.to[position] = spans.to[s];
		this.kind[position] = kind;
		this.thread[position] = spans.thread[s];
	}
}

function kindTable() {
	const kinds = new Uint8Array(256).fill(UNKNOWN);

	for (const [letter, state] of Object.entries(STATES))
		kinds[letter.charCodeAt(0)] = state.kind;
	return kinds;
}

/*
 * Words of a kind; together, they are in one line of the CPU's cache. First what followed: twice the
 * id, plus 1 if spans of that kind end with the span before.
 */
const KIND_THREAD = FOLLOWERS, KIND_WAKER = 5, KIND_CPU = 6, KIND_REST = 7, KIND_WORDS = 8;
/* The last word: the state, and the relation above it. */
const KIND_STATE = 0xff, KIND_LATER = SPAN_LATER << 8, KIND_EARLIER = SPAN_EARLIER << 8,
	KIND_APART = SPAN_APART << 8, KIND_MARKED = SPAN_MARKED << 8;

/** class SpanKinds - what spans have in common, by id from 1; id 0 has that with which CPUs begin */
class SpanKinds {
	constructor(columns) {
		const count = columns.thread.bytes.length + 1;	/* at least a byte each */

		this.columns = columns;
		this.what = new SplitColumn([columns.what0, columns.what1, columns.what2]);
		this.count = 0;
		this.words = new Uint32Array(count * KIND_WORDS);
		this.last = new Uint32Array(NO_CPU + 2);	/* by 1 + CPU */
		this.at = 0;
	}

	/* Return: its id. */
	add() {
		const { columns, words } = this, id = ++this.count, at = id * KIND_WORDS;

		words[at + KIND_THREAD] = columns.thread.next();
		words[at + KIND_WAKER] = columns.waker.next();
		words[at + KIND_CPU] = this.at;
		words[at + KIND_REST] = columns.state.next() | columns.relation.next() << 8;
		return id;
	}

	/*
	 * Is the next span likely to end together with the last one, and so to be on the same CPU?
	 */
	isAtOnce() {
		return (this.words[this.last[this.at] * KIND_WORDS] & 1) > 0;
	}

	/* As a word of what followed. */
	follower(id) {
		const rest = this.words[id * KIND_WORDS + KIND_REST];

		return id * 2 + (rest & (KIND_LATER | KIND_EARLIER) ? 0 : 1);
	}

	/** next() - the id of the kind of the next span */
	next() {
		const { words } = this, isLikely = this.isAtOnce();
		let what = this.what.next();

		if (!isLikely || what === SPAN_ELSEWHERE)
			this.at = this.columns.cpu.next();
		if (what === SPAN_ELSEWHERE)
			what = this.what.next();
		const base = this.last[this.at] * KIND_WORDS;
		const word = what < FOLLOWERS ? words[base + what] : this.follower(
			what === SPAN_NEW ? this.add() : this.count - (what - SPAN_KNOWN));

		for (let i = Math.min(what, FOLLOWERS - 1); i > 0; i--)
			words[base + i] = words[base + i - 1];
		words[base] = word;
		this.last[this.at] = word >>> 1;
		return word >>> 1;
	}
}

/* Numbers that become the positions of what they count. */
function positions(counts) {
	for (let i = 1; i < counts.length; i++)
		counts[i] += counts[i - 1];
	return counts;
}

/* The kind of each span, and the index of each thread's first span and of each CPU's first run. */
function readKinds(kinds, count, threads) {
	const { words } = kinds, ids = new Uint32Array(count), running = 'O'.charCodeAt(0);
	const first = new Uint32Array(threads + 1), firstRun = new Uint32Array(NO_CPU + 2);

	for (let i = 0; i < count; i++) {
		const id = kinds.next(), at = id * KIND_WORDS;

		ids[i] = id;
		first[words[at + KIND_THREAD] + 1]++;
		if ((words[at + KIND_REST] & KIND_STATE) === running && words[at + KIND_CPU])
			firstRun[words[at + KIND_CPU]]++;
	}
	return { ids, first: positions(first), firstRun: positions(firstRun) };
}

/* Of the kind whose words begin at @at. */
function describeSpan(spans, s, words, at) {
	const waker = words[at + KIND_WAKER], cpu = words[at + KIND_CPU] - 1;

	spans.thread[s] = words[at + KIND_THREAD];
	spans.cpu[s] = cpu < 0 ? NO_CPU : cpu;
	spans.irq[s] = waker < IRQS.length ? waker : 0;
	spans.waker[s] = waker < IRQS.length ? NO_THREAD : waker - IRQS.length;
	spans.state[s] = words[at + KIND_REST] & KIND_STATE;
}

/* Reads all spans. Return: { runs, waits, switches } as decodeSpans() does. */
function placeSpans(spans, kinds, { ids, firstRun }, { isIdle, distance, gap, hit, origin }) {
	const { words } = kinds, { from, to } = spans, states = kindTable();
	const next = spans.first.slice(), runs = new Runs(firstRun), nextRun = firstRun.slice();
	const waits = new Uint32Array(spans.count), switches = new Float64Array(spans.count);
	/* The end of the last span of each thread, and of each CPU's idle thread. */
	const ends = new Float64Array(spans.first.length).fill(origin);
	const idleEnds = new Float64Array(NO_CPU + 1).fill(origin);
	let end = origin, count = 0, switched = 0;

	for (let i = 0; i < spans.count; i++) {
		const at = ids[i] * KIND_WORDS, rest = words[at + KIND_REST];
		const thread = words[at + KIND_THREAD], cpu = words[at + KIND_CPU] - 1;
		const s = next[thread]++, kind = states[rest & KIND_STATE];
		const last = isIdle[thread] ? idleEnds : ends, track = isIdle[thread] ? cpu : thread;

		if (rest & KIND_LATER)
			end += distance.next();
		else if (rest & KIND_EARLIER)
			end -= distance.next();
		from[s] = last[track] + (rest & KIND_APART ? gap.nextSigned() : 0);
		to[s] = last[track] = end;
		spans.kind[s] = kind;
		describeSpan(spans, s, words, at);
		if (hit && spans.irq[s] === SOFT_IRQ)
			spans.hit[s] = hit.next() - 1;	/* NO_THREAD of 0 */
		if (kind === RUNNABLE || kind === PREEMPTED)
			waits[count++] = s;
		else if (kind === RUNNING && cpu >= 0)
			runs.put(nextRun[cpu]++, spans, s, isIdle[thread] ? SLEEPING : RUNNING);
		/* A thread of unknown state with a CPU got that, and was not seen to leave. */
		if ((kind === RUNNING || kind === UNKNOWN) && cpu >= 0 && !(rest & KIND_MARKED))
			switches[switched++] = from[s];
	}
	return { runs, waits: waits.subarray(0, count), switches: switches.slice(0, switched).sort() };
}

/**
 * decodeSpans() - all spans; origin: where times begin
 *
 * Return: { spans, runs (Runs), waits (numbers of spans, sorted by their end), switches (their times)
 * }
 */
function decodeSpans(columns, timeline, origin) {
	const kinds = new SpanKinds(columns);
	const read = readKinds(kinds, timeline.spans, timeline.threads.length);
	const spans = new Spans(read.first, Boolean(columns.hit));
	return { spans, ...placeSpans(spans, kinds, read, {
		isIdle: Uint8Array.from(timeline.threads, (t) => t && t.isIdle ? 1 : 0),
		distance: new SplitColumn([columns.end0, columns.end1, columns.end2]),
		gap: columns.gap, hit: columns.hit, origin,
	}) };
}
