// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * range.js - the sums of a range of time, of all rows or of some, by thread, process, CPU or cause.
 *
 * In:  spans, interrupts and events. Out: cells, of which the pane makes lists: { thread, cpu, cause,
 * ns, most (ns of the longest part), place (the number of its span or event) }.
 * Must hold: all that a thread does is in one cell. Interrupts, system calls and work items are in
 * further ones, because they occur while it does that.
 */

/* What the time of each state, and of waits with another cause than a busy CPU, adds up to. */
const MEASURES = {
	O: 'run time', R: 'waiting for a CPU', '+': 'waiting for a CPU', throttled: 'waiting for a CPU',
	limited: 'waiting for a CPU', D: 'uninterruptible sleep', S: 'sleep', I: 'sleep', T: 'stopped',
	t: 'stopped', P: 'stopped', '?': 'unknown', unknown: 'unknown',
};
/* Causes are letters of states, then these, then sources of events. */
const FIRST_PART = 128, FIRST_EVENT = 256;

/** isIn() - does a range cover a thread or CPU? rows: { threads, cpus }, sets; undefined: all */
function isIn(rows, thread, cpu) {
	return !rows || (rows.threads.size ? rows.threads.has(thread) : rows.cpus.has(cpu));
}

/** class Cells - adds up what overlaps a range */
class Cells {
	constructor({ from, to, rows }) {
		Object.assign(this, { from, to, rows, list: [], byThread: new Map() });
	}

	add(thread, cpu, cause, place, from, to) {
		const ns = Math.min(to, this.to) - Math.max(from, this.from);

		if (ns <= 0 || !isIn(this.rows, thread, cpu))
			return;
		if (thread !== this.last) {
			this.last = thread;
			this.cells = this.byThread.get(thread) ?? new Map();
			this.byThread.set(thread, this.cells);
		}
		const key = cause * (NO_CPU + 1) + cpu;
		let cell = this.cells.get(key);

		if (!cell) {
			cell = { thread, cpu, cause, ns: 0, most: 0, place };
			this.cells.set(key, cell);
			this.list.push(cell);
		}
		cell.ns += ns;
		if (ns > cell.most) {
			cell.most = ns;
			cell.place = place;
		}
	}
}

/* What is left of a wait that is not as most are has an unknown cause. */
function addSpan(data, cells, s) {
	const { spans, parts } = data, thread = spans.thread[s], isOfWait = isWait(spans.kind[s]);
	const isKnown = !isOfWait || isUsual(data, s);
	const cpu = !isKnown ? NO_CPU : spans.cpu[isOfWait ? s + 1 : s];
	const cause = isKnown ? spans.state[s] : FIRST_PART + PART_CAUSES.indexOf('unknown');
	let at = spans.from[s];

	for (const part of parts.get(s) ?? []) {
		cells.add(thread, cpu, cause, s, at, part.from);
		cells.add(thread, part.cpu, part.cause !== 'runnable' ? FIRST_PART + PART_CAUSES.indexOf(part.cause) :
			isOfWait ? spans.state[s] : 'R'.charCodeAt(0), s, part.from, part.to);
		at = part.to;
	}
	cells.add(thread, cpu, cause, s, at, spans.to[s]);
}

/** cellsIn() - the cells of a range: { from, to, rows (of isIn()) } */
function cellsIn(data, range) {
	const { events, threads, threadTracks, cpuTracks } = data, cells = new Cells(range);
	const rows = events.sources.map((source) => source && rowOfKind(source.kind));
	const each = (track, add) => {
		for (let i = track.firstEndingAfter(range.from); i < track.count && track.from[i] < range.to; i++)
			add(i);
	};
	const addEvent = (i, thread, { from, to }, at) => cells.add(thread, events.cpu[i],
		FIRST_EVENT + events.source[i], i, from[at], to[at]);

	for (const t of threads.filter((of) => of?.isShown))
		each(threadTracks[t.number], (i) => addSpan(data, cells, threadTracks[t.number].span(i)));
	for (const [cpu, runs] of cpuTracks) {
		const pieces = piecesOf(data, cpu);

		each(pieces, (i) => addEvent(pieces.index[i], runs.threads[runs.positionAt(pieces.from[i])] ??
			NO_THREAD, pieces, i));
	}
	for (let i = 0; i < events.count; i++) {
		if (rows[events.source[i]]?.of === 'thread' && threads[events.thread[i]]?.isShown)
			addEvent(i, events.thread[i], events, i);
	}
	return cells.list;
}

/* --- lists ------------------------------------------------------------------------------------ */

/* How cells are put together: by what, and its name. */
const PIVOTS = {
	thread: { of: ({ thread }) => thread, name: ({ data: { threads } }, { thread }) => threads[thread] ?
		threadLabel(threads[thread]) : '(not known)' },
	process: { of: ({ thread }, { threads }) => threads[thread]?.process, name: (timeline, { thread }) =>
		timeline.processLabel(timeline.data.threads[thread] ?? { process: '0' }) },
	CPU: { of: ({ cpu }) => cpu, name: (t, { cpu }) => cpu === NO_CPU ? 'no CPU' : 'CPU ' + cpu },
	cause: { of: ({ cause }) => cause, name: ({ data }, { cause }) => causeLabel(data, cause) },
};

function causeLabel({ events }, cause) {
	return cause >= FIRST_EVENT ? visible(events.sources[cause - FIRST_EVENT].name) :
		cause >= FIRST_PART ? PART_CAUSES[cause - FIRST_PART] : STATES[String.fromCharCode(cause)].name;
}

function measureOf({ events }, { cause }) {
	return cause >= FIRST_EVENT ? rowOfKind(events.sources[cause - FIRST_EVENT].kind).label :
		MEASURES[cause >= FIRST_PART ? PART_CAUSES[cause - FIRST_PART] : String.fromCharCode(cause)];
}

/**
 * cellLists() - arguments of shareList() for each measure; by: one of PIVOTS
 *
 * Threads have shares of the time, all others of the sum. A click shows the longest part.
 */
function cellLists(timeline, cells, by, time) {
	const { data } = timeline, { of, name } = PIVOTS[by];
	const order = [...Object.values(MEASURES), ...EVENT_ROWS.map(({ label }) => label)];
	const show = ({ cause, place }) => cause < FIRST_EVENT ? timeline.select(place, true) :
		timeline.showEvent(place);

	return [...groupedBy(cells, (cell) => measureOf(data, cell))].filter(([measure]) => measure)
		.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)).map(([measure, list]) => {
			const sum = (some) => some.reduce((ns, cell) => ns + cell.ns, 0);
			const shares = Array.from(groupedBy(list, (cell) => of(cell, data)).values(), (some) =>
				[some.reduce((a, b) => b.most > a.most ? b : a), sum(some)]);

			return [measure, shares, by === 'thread' ? time : sum(list),
				(cell) => [name(timeline, cell), () => show(cell)]];
		});
}
