// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spans.js - reads the columns of spans, which are in the order of the spans' ends, into arrays
 * sorted by thread, so that spans that are drawn together are close in memory.
 */

/* In the column of states, as in report/html/spans.c. */
const STATE_BITS = 0x0f, AT_ONCE = 0x10, FOLLOWS = 0x20, NEXT = 0x40, BY_MARK = 0x80;

/*
 * Spans sorted by thread. first: by number of a thread, the index of its first span; the last
 * element is the end.
 */
class Spans {
	constructor(first) {
		const count = first[first.length - 1];

		this.count = count;
		this.first = first;
		this.from = new Float64Array(count);
		this.to = new Float64Array(count);
		this.thread = new Uint32Array(count);
		this.cpu = new Uint16Array(count);
		this.waker = new Uint32Array(count).fill(NO_THREAD);
		this.irq = new Uint8Array(count);	/* index in IRQS */
		this.hit = new Uint32Array(count).fill(NO_THREAD);	/* by a soft interrupt */
		this.state = new Uint8Array(count);	/* of the letter */
		this.kind = new Uint8Array(count);
	}
}

/*
 * The spans in which CPUs run threads, sorted by CPU and end. first: for each CPU, the position of
 * its first run, and of the end. They are copies, because spans are sorted by thread: a CPU's runs
 * are far from each other there.
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

/* Turn counts, shifted by one element, into positions (prefix sums). */
function positions(counts) {
	for (let i = 1; i < counts.length; i++)
		counts[i] += counts[i - 1];
	return counts;
}

/* The spans that CPUs run, in the order of their end. */
function readRuns(spans, order, isIdle) {
	const first = new Uint32Array(NO_CPU + 2);
	const runs = order.filter((s) => spans.kind[s] === RUNNING && spans.cpu[s] !== NO_CPU);

	for (const s of runs)
		first[spans.cpu[s] + 1]++;
	const placed = new Runs(positions(first)), next = first.slice();

	for (const s of runs)
		placed.put(next[spans.cpu[s]]++, spans, s, isIdle[spans.thread[s]] ? SLEEPING : RUNNING);
	return placed;
}

/* Set the waker of a span of state R. */
function readWaker(spans, s, waker, hit) {
	if (waker >= IRQS.length)
		spans.waker[s] = waker - IRQS.length;
	else
		spans.irq[s] = waker;
	if (waker === SOFT_IRQ)
		spans.hit[s] = hit.next() - 1;		/* NO_THREAD of 0 */
}

const LETTERS = Uint8Array.from(Object.keys(STATES), (letter) => letter.charCodeAt(0));
const STATE_KINDS = Uint8Array.from(Object.values(STATES), ({ kind }) => kind);

/* Arrays of all but the times of spans, in the order of their end. */
function readKeys(columns, count) {
	const keys = { states: new Uint8Array(count), cpus: new Uint16Array(count),
		       threads: new Uint32Array(count) };
	const next = new Uint32Array(NO_CPU + 1);	/* for each CPU */
	let cpu = 0;

	for (let i = 0; i < count; i++) {
		const state = columns.state.next(), kind = STATE_KINDS[state & STATE_BITS];

		if (!(state & AT_ONCE))
			cpu = (columns.cpu.next() || NO_CPU + 1) - 1;

		const thread = state & NEXT ? next[cpu] : columns.thread.next();

		if (kind === RUNNABLE || kind === PREEMPTED)
			next[cpu] = thread;
		keys.states[i] = state;
		keys.cpus[i] = cpu;
		keys.threads[i] = thread;
	}
	return keys;
}

/* Fill in the spans. Return: their numbers in the order of their end, and the times of switches. */
function placeSpans(spans, columns, { states, cpus, threads }, { isIdle, origin }) {
	const { from, to } = spans, runnable = 'R'.charCodeAt(0);
	const order = new Uint32Array(spans.count), next = spans.first.slice(), switches = [];
	/* The end of the last span of each thread, and of each CPU's idle thread. */
	const ends = new Float64Array(spans.first.length).fill(origin);
	const idleEnds = new Float64Array(NO_CPU + 1).fill(origin);

	for (let i = 0; i < spans.count; i++) {
		const thread = threads[i], s = order[i] = next[thread]++;
		const cpu = cpus[i], state = states[i];
		const letter = spans.state[s] = LETTERS[state & STATE_BITS];
		const kind = spans.kind[s] = STATE_KINDS[state & STATE_BITS];
		const last = isIdle[thread] ? idleEnds : ends, track = isIdle[thread] ? cpu : thread;

		from[s] = last[track] + (state & FOLLOWS ? 0 : columns.gap.nextSigned());
		to[s] = last[track] = state & AT_ONCE ? columns.end.last : columns.end.nextDelta();
		spans.thread[s] = thread;
		spans.cpu[s] = cpu;
		if (letter === runnable)
			readWaker(spans, s, columns.waker.next(), columns.hit);
		/* An unknown state with a CPU: the thread was switched in, but not out. */
		if ((kind === RUNNING || kind === UNKNOWN) && cpu !== NO_CPU && !(state & BY_MARK))
			switches.push(from[s]);
	}
	while (columns.hidden.hasMore)
		switches.push(columns.hidden.nextDelta());
	return { order, switches: Float64Array.from(switches).sort() };
}

/*
 * origin: where times begin. Return: { spans, runs (Runs), allWaits (numbers of spans, sorted by
 * their end), switches (their times) }
 */
function readSpans(columns, timeline, origin) {
	const keys = readKeys(columns, timeline.spans);
	const first = new Uint32Array(timeline.threads.length + 1);
	const isIdle = Uint8Array.from(timeline.threads, (t) => t?.isIdle ? 1 : 0);

	for (const thread of keys.threads)
		first[thread + 1]++;
	const spans = new Spans(positions(first));
	const { order, switches } = placeSpans(spans, columns, keys, { isIdle, origin });

	return { spans, switches, runs: readRuns(spans, order, isIdle),
		 allWaits: order.filter((s) => isWait(spans.kind[s])) };
}
