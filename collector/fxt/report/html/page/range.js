// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * range.js - the sums of a range of time, of all rows or of some, by thread, process, CPU or cause.
 * Sums are of cells, one for each thread, CPU and cause; a cell's place is the number of its
 * longest span or event. Must hold: each time of a thread is in exactly one cell of a state, and of
 * its slices in that of the innermost one. Interrupts, system calls and work items have cells of
 * their own, because they occur during states. Interrupts of a CPU count even if the page does not
 * cover the threads that they hit.
 */

/* The list to which the time of each state, or of each cause of a part of a wait, is added. */
const MEASURES = {
	O: 'run time', R: 'waiting for a CPU', '+': 'waiting for a CPU', throttled: 'waiting for a CPU',
	limited: 'waiting for a CPU', D: 'uninterruptible sleep', S: 'sleep', I: 'sleep', T: 'stopped',
	t: 'stopped', P: 'stopped', '?': 'unknown', unknown: 'unknown',
};
/* Causes are letters of states, then these, then sources of events. */
const FIRST_PART = 128, FIRST_EVENT = 256;

/* Does a range cover a thread or CPU? rows: sets { threads, cpus }; undefined: all */
function isIn(rows, thread, cpu) {
	return !rows || (rows.threads.size ? rows.threads.has(thread) : rows.cpus.has(cpu));
}

/* Sums by key: { ns, count (of parts), most (ns of the longest), place (of that) } */
class Cells {
	constructor() {
		this.list = [];
		this.byKey = new Map();
	}

	/* Add a part { ns, place } or a cell; what: further members of a new cell. */
	add(key, what, { ns, place, most = ns, count = 1 }) {
		let cell = this.byKey.get(key);

		if (!cell) {
			cell = { ...what, ns: 0, count: 0, most: 0, place };
			this.byKey.set(key, cell);
			this.list.push(cell);
		}
		cell.ns += ns;
		cell.count += count;
		if (most > cell.most) {
			cell.most = most;
			cell.place = place;
		}
	}
}

/* Add the parts of a span. The rest of a wait for which isUsual() is false has an unknown cause. */
function addSpan(data, s, add) {
	const { spans, parts } = data, isOfWait = isWait(spans.kind[s]), isKnown = !isOfWait || isUsual(data, s);
	const cpu = !isKnown ? NO_CPU : spans.cpu[isOfWait ? s + 1 : s];
	const cause = isKnown ? spans.state[s] : FIRST_PART + PART_CAUSES.indexOf('unknown');
	let at = spans.from[s];

	for (const part of parts.get(s) ?? []) {
		add(cpu, cause, at, part.from);
		add(part.cpu, part.cause !== 'runnable' ? FIRST_PART + PART_CAUSES.indexOf(part.cause) :
			isOfWait ? spans.state[s] : 'R'.charCodeAt(0), part.from, part.to);
		at = part.to;
	}
	add(cpu, cause, at, spans.to[s]);
}

/* The cells of a range: { from, to, rows (of isIn()) } */
function cellsIn(data, range) {
	const { events, threads, threadTracks, cpuTracks } = data, cells = new Cells();
	const rows = events.sources.map((source) => source && rowOfKind(source.kind));
	const each = (track, add) => {
		for (let i = track.firstEndingAfter(range.from); i < track.count && track.from[i] < range.to; i++)
			add(i);
	};
	const addPart = (key, what, place, from, to) => {
		const ns = Math.min(to, range.to) - Math.max(from, range.from);

		if (ns > 0 && isIn(range.rows, what.thread, what.cpu))
			cells.add(key, what, { ns, place });
	};
	const addEvent = (i, thread, { from, to }, at) => {
		const cpu = events.cpu[i], cause = FIRST_EVENT + events.source[i];

		addPart([thread, cpu, cause].join(), { thread, cpu, cause }, i, from[at], to[at]);
	};

	for (const { number: thread } of threads.filter((t) => t?.isShown)) {
		const track = threadTracks[thread];

		cells.byKey.clear();	/* so that keys are short */
		each(track, (i) => addSpan(data, track.span(i), (cpu, cause, from, to) =>
			addPart(cause * (NO_CPU + 1) + cpu, { thread, cpu, cause }, track.span(i), from, to)));
	}
	for (const [cpu, runs] of cpuTracks) {
		const pieces = piecesOf(data, cpu);

		each(pieces, (i) => addEvent(pieces.index[i], runs.threads[runs.positionAt(pieces.from[i])] ??
			NO_THREAD, pieces, i));
	}
	for (const [thread, pieces] of piecesBy(events, ['slice'], 'thread'))
		each(pieces, (i) => addEvent(pieces.index[i], thread, pieces, i));
	for (let i = 0; i < events.count; i++) {
		const { of, track, label } = rows[events.source[i]] ?? {};

		if (of === 'thread' && track !== CounterTrack && label !== 'slices' &&
		    threads[events.thread[i]]?.isShown)
			addEvent(i, events.thread[i], events, i);
	}
	return cells.list;
}

/* What cells can be summed by: its key, and its name. */
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

/*
 * Arguments of shareList() for each measure; by: one of PIVOTS. Threads have shares of the time,
 * all others of the sum. A click shows the longest part.
 */
function cellLists(timeline, cells, by, time) {
	const { data } = timeline, { of, name } = PIVOTS[by];
	const order = [...Object.values(MEASURES), ...EVENT_ROWS.map(({ label }) => label)];
	const show = ({ cause, place }) => cause < FIRST_EVENT ? timeline.select(place, true) :
		timeline.showEvent(place);

	return [...groupedBy(cells, (cell) => measureOf(data, cell))].filter(([measure]) => measure)
		.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)).map(([measure, list]) => {
			const few = new Cells(), all = list.reduce((ns, cell) => ns + cell.ns, 0);

			for (const cell of list)
				few.add(of(cell, data), cell, cell);
			return [measure, few.list.map((cell) => [cell, cell.ns]), by === 'thread' ? time : all,
				(cell) => [name(timeline, cell), () => show(cell)]];
		});
}
