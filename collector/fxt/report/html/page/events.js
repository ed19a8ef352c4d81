// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.js - interrupts, idle states, work items, system calls, throttled cgroups, what threads
 * did, and counters of CPUs: their tracks, rows and details.
 *
 * In: events, and which of them are in a row. Out: what a click finds, and rectangles.
 */
'use strict';

const MOMENT_PIXELS = 2, MOMENT_LABEL = 40;

/**
 * class EventTrack - slices of one row, in order of time
 *
 * Those inside others are left out, and none begins before the one before it ends: slices of a
 * throttled cgroup overlap between CPUs.
 */
class EventTrack extends Track {
	constructor(events, index) {
		const kept = new Uint32Array(index.length), from = new Float64Array(index.length);
		const to = new Float64Array(index.length);
		let n = 0;

		for (const i of index) {
			const begin = events.from[i];

			while (n && events.from[kept[n - 1]] >= begin && to[n - 1] > begin)
				n--;
			from[n] = n ? Math.max(begin, to[n - 1]) : begin;
			to[n] = events.to[i];
			kept[n++] = i;
		}
		super(from.subarray(0, n), to.subarray(0, n), new Uint8Array(n));
		this.index = kept.subarray(0, n);
	}

	span(position) {
		return this.index[position];
	}

	/** has() - is an event in this row? */
	has(event) {
		return this.index.includes(event);
	}

	paint(painter, y, height, look) {
		painter.paint(this, y, height, look);
	}
}

/** class MomentTrack - events without a duration; those of one pixel are one stroke */
class MomentTrack extends EventTrack {
	paint(painter, y, height, look) {
		let i = atLeast(0, this.count, (n) => this.from[n] >= painter.from);

		while (i < this.count && this.from[i] < painter.to) {
			const x = Math.floor(painter.pixel(this.from[i])), span = this.span(i);
			const end = painter.time(x + 1);
			const next = atLeast(i + 1, this.count, (n) => this.from[n] >= end);
			const room = (next < this.count ? painter.pixel(this.from[next]) :
				      painter.width) - x - MOMENT_PIXELS;

			painter.rectangles.add(look.styleOf(span), painter.x + x, y, MOMENT_PIXELS,
					       height);
			if (next === i + 1 && room > MOMENT_LABEL)
				painter.rectangles.label(look.labelOf(span),
							 painter.x + x + MOMENT_PIXELS + 4,
							 y + height / 2, room - 8);
			i = next;
		}
	}
}

/** class CounterTrack - the values of a counter that was recorded */
class CounterTrack extends StepTrack {
	constructor(events, index) {
		super(Float64Array.from(index, (i) => events.from[i]),
		      Float64Array.from(index, (i) => events.to[i]),
		      Float64Array.from(index, (i) => events.first[i]));
		this.index = index;
	}

	span(position) {
		return this.index[position];
	}

	has(event) {
		return this.index.includes(event);
	}
}

/*
 * Rows and details.
 *
 * In: the slices, moments and counters that report/html/data.c writes. Out: rows below those
 * of CPUs and threads. Pages of recordings without such events have nothing of this.
 */
/* Rows of each CPU, cgroup (a source) and thread, by the kinds of the sources of their events. */
const EVENT_ROWS = [
	{ label: 'interrupts', of: 'cpu', kinds: ['irq', 'vector'] },
	{ label: 'soft interrupts', of: 'cpu', kinds: ['softirq'] },
	{ label: 'idle states', of: 'cpu', kinds: ['idle'] },
	{ label: 'interrupts sent', of: 'cpu', kinds: ['ipi'] },
	{ label: 'runnable threads', of: 'cpu', kinds: ['run queue'] },
	{ label: 'utilization', of: 'cpu', kinds: ['utilization'] },
	{ label: 'frequency', of: 'cpu', kinds: ['frequency'] },
	{ label: 'throttled cgroups', of: 'source', kinds: ['throttled'] },
	{ label: 'work items', of: 'thread', kinds: ['work'] },
	{ label: 'system calls', of: 'thread', kinds: ['syscall'] },
	{ label: 'forks, exits', of: 'thread', kinds: ['fork', 'exit', 'priority'] },
	{ label: 'signals', of: 'thread', kinds: ['signal', 'signal delivered'] },
	{ label: 'migrations', of: 'thread', kinds: ['migrate'] },
];
const EVENT_KINDS = {
	irq: 'interrupt', vector: 'interrupt of the CPU', softirq: 'soft interrupt',
	idle: 'idle state', work: 'work item', syscall: 'system call',
	throttled: 'throttled cgroup', ipi: 'interrupt sent', fork: 'event', exit: 'event',
	priority: 'event', migrate: 'migration', signal: 'signal', 'signal delivered': 'signal',
	'run queue': 'run queue',
	utilization: 'utilization', frequency: 'frequency',
};
/* enum moment_kind and enum counter_kind of report/html/data.c */
const MOMENT_KINDS = ['fork', 'exit', 'priority', 'ipi', 'migrate', 'signal',
	'signal delivered'];
const COUNTER_KINDS = ['run queue', 'utilization', 'frequency'];
const WHOLE_CPU = 1024;		/* utilization of a CPU that is always busy */

/* --- reading ------------------------------------------------------------------------------- */

/**
 * class Events - slices, then moments, then values of counters
 *
 * sources: what they are of: kind and name. thread: NO_THREAD but for work items, system calls and
 * moments. first, second: the values of moments; the value of counters. signals: words for what
 * becomes of signals, and the threads that get them.
 */
class Events {
	constructor(count, firstMoment, firstCounter, sources) {
		this.count = count;
		this.firstMoment = firstMoment;
		this.firstCounter = firstCounter;
		this.sources = sources;
		this.from = new Float64Array(count);
		this.to = new Float64Array(count);
		this.source = new Uint32Array(count);
		this.cpu = new Uint16Array(count);
		this.thread = new Uint32Array(count).fill(NO_THREAD);
		this.first = new Int32Array(count);
		this.second = new Int32Array(count);
	}

	sourceOf(i) {
		return this.sources[this.source[i]];
	}

	kindOf(i) {
		return this.sourceOf(i).kind;
	}
}

function readSlices(column, events, origin, count) {
	let end = origin;

	for (let i = 0; i < count; i++) {
		end += column.nextSigned();
		events.to[i] = end;
		events.from[i] = end - column.next();
		events.source[i] = column.next();
		events.cpu[i] = column.next();
		const thread = column.next();

		events.thread[i] = thread ? thread - 1 : NO_THREAD;
	}
}

/* Moments have a source for each kind; only interrupts of other CPUs have names of their own. */
function readMoments(column, events, origin, first) {
	const own = events.sources.length;
	let time = origin;

	MOMENT_KINDS.forEach((kind) => events.sources.push({ kind, name: kind }));
	for (let i = first; i < events.firstCounter; i++) {
		time += column.nextSigned();
		events.from[i] = events.to[i] = time;
		const kind = column.next();

		events.cpu[i] = column.next();
		events.thread[i] = column.next();
		events.first[i] = column.nextSigned();
		events.second[i] = column.nextSigned();
		events.source[i] = MOMENT_KINDS[kind] === 'ipi' ? column.next() : own + kind;
	}
}

/* A value holds until the next one; after a loss it is unknown. */
function readCounters(column, events, origin, { end, losses }) {
	const last = new Map(), own = events.sources.length, lossesByCpu = groupLosses(losses);
	let time = origin;

	COUNTER_KINDS.forEach((kind) => events.sources.push({ kind, name: kind }));
	for (let i = events.firstCounter; i < events.count; i++) {
		time += column.nextSigned();
		const kind = column.next(), cpu = column.next(), key = kind * NO_CPU + cpu;

		events.from[i] = time;
		events.to[i] = Math.max(time, end);
		events.cpu[i] = cpu;
		events.source[i] = own + kind;
		events.first[i] = column.next();
		if (last.has(key))
			events.to[last.get(key)] = time;
		last.set(key, i);
	}
	for (let i = events.firstCounter; i < events.count; i++) {
		const list = lossesByCpu.get(events.cpu[i]) ?? [];
		const n = atLeast(0, list.length, (at) => list[at].from > events.from[i]);

		if (n < list.length)
			events.to[i] = Math.min(events.to[i], list[n].from);
	}
}

/** readEvents() - all events; limits: end of the page's time, and losses */
function readEvents(columns, timeline, origin, limits) {
	const { slices, moments, counters } = timeline;
	const events = new Events(slices + moments + counters, slices, slices + moments,
				  timeline.sources.map((s) => s &&
		{ kind: s[0], name: s[1], number: s[2] }));

	events.signals = { results: timeline.signal_results ?? [], threads: timeline.threads };
	readSlices(columns.slices, events, origin, slices);
	readMoments(columns.moments, events, origin, slices);
	readCounters(columns.counters, events, origin, limits);
	return events;
}

/* --- rows ---------------------------------------------------------------------------------- */

/* Each row has a number: that of its kind, and of the CPU, source or thread. */
function rowNumber(kind, owner) {
	return kind * 2 ** 32 + owner;
}

function newTrack(events, index) {
	const kind = events.kindOf(index[0]);

	if (COUNTER_KINDS.includes(kind))
		return new CounterTrack(events, index);
	return new (MOMENT_KINDS.includes(kind) ? MomentTrack : EventTrack)(events, index);
}

/* A track for each row, by the row's number. */
function eventTracks(events) {
	const index = new Map();
	const kinds = events.sources.map((source) => source ?
		EVENT_ROWS.findIndex((row) => row.kinds.includes(source.kind)) : -1);
	const owners = kinds.map((kind) => kind < 0 ? null : events[EVENT_ROWS[kind].of]);

	for (let i = 0; i < events.count; i++) {
		const source = events.source[i];

		if (kinds[source] < 0)
			continue;
		const number = rowNumber(kinds[source], owners[source][i]);
		const list = index.get(number);

		if (list)
			list.push(i);
		else
			index.set(number, [i]);
	}
	return new Map(Array.from(index, ([number, list]) => [number, newTrack(events, list)]));
}

/* For each source of counters the largest value, which fills the height of a row. */
function fullHeights(events) {
	const full = events.sources.map((source) => source?.kind === 'utilization' ? WHOLE_CPU : 1);

	for (let i = events.firstCounter; i < events.count; i++)
		full[events.source[i]] = Math.max(full[events.source[i]], events.first[i]);
	return full;
}

/* A signal that is sent: from an interrupt or this thread, to whom, and what becomes of it. */
function signalLabel(events, what, target) {
	const result = events.signals.results[what >> 8 & 255] ?? 'unknown result';
	const thread = events.signals.threads[target];

	return 'signal ' + (what & 255) + (what >> 16 ? ' from an interrupt' : '') + ' → ' +
		nameLabel(thread.name, thread.id) + (what >> 8 & 255 ? ', ' + result : '');
}

/* What happened, in a few words. */
function eventLabel(events, i) {
	const source = events.sourceOf(i), first = events.first[i], second = events.second[i];
	const labels = {
		exit: () => second ? 'exit by signal ' + second : 'exit, code ' + first,
		priority: () => 'priority ' + first + ' → ' + second,
		migrate: () => 'CPU ' + first + ' → ' + second,
		signal: () => signalLabel(events, first, second),
		'signal delivered': () => 'takes signal ' + first + (second ? ', handled' : ''),
		ipi: () => visible(source.name) + ' → ' + (first ? 'CPU ' + (first - 1) :
			plural(second, 'CPU')),
		'run queue': () => plural(first, 'thread'),
		utilization: () => shareLabel(first / WHOLE_CPU),
		frequency: () => Math.round(first / 1000) + ' MHz',
	};

	return labels[source.kind]?.() ?? visible(source.name);
}

/** class EventRows - makes the rows of a timeline's events */
class EventRows {
	constructor(events) {
		const full = fullHeights(events);

		this.events = events;
		this.tracks = eventTracks(events);
		this.hidden = new Set();
		this.look = {
			styleOf: (i) => styleOfHue(events.source[i] % HUES, 0),
			denseStyle: () => BUSY,
			labelOf: (i) => eventLabel(events, i),
			fullOf: (track) => full[events.source[track.index[0]]],
			textOf: (track, position) => eventLabel(events, track.span(position)),
		};
	}

	/** labels() - of the kinds of rows that the recording has */
	labels() {
		const kinds = new Set(Array.from(this.tracks.values(),
						 (track) => this.events.kindOf(track.index[0])));

		return EVENT_ROWS.filter((row) => row.kinds.some((kind) => kinds.has(kind)))
			.map((row) => row.label);
	}

	/** rowsOf() - of a CPU, thread or source of events, by its number */
	rowsOf(what, number) {
		return EVENT_ROWS.flatMap(({ of, label }, kind) => {
			const track = of === what && !this.hidden.has(label) ?
				this.tracks.get(rowNumber(kind, number)) : undefined;

			return track ? [{ type: 'event', label, track, look: this.look }] : [];
		});
	}

	/** trackOf() - the row with a label of a CPU, thread or source; undefined: it has none */
	trackOf(label, number) {
		return this.tracks.get(rowNumber(EVENT_ROWS.findIndex((row) => row.label === label),
						 number));
	}

	/** ofCgroups() - one row for each cgroup that was throttled */
	ofCgroups() {
		return this.events.sources.flatMap((source, n) => this.rowsOf('source', n)
			.map((row) => ({ ...row, label: 'throttled ' + visible(source.name) })));
	}
}

/** eventMenu() - a checkbox for each kind of row; changed(label, isShown) */
function eventMenu(labels, changed) {
	return labels.map((text) => {
		const label = element('label'), box = element('input', undefined,
							      { type: 'checkbox', checked: '' });

		box.addEventListener('change', () => changed(text, box.checked));
		label.append(box, ' ' + text);
		return label;
	});
}

/** eventDetails() - [name, value] pairs that describe an event */
function eventDetails(timeline, i) {
	const { events, threads } = timeline.data, source = events.sourceOf(i);
	const thread = events.thread[i] === NO_THREAD ? null : threads[events.thread[i]];
	const rows = [[EVENT_KINDS[source.kind], eventLabel(events, i)]];

	if (!MOMENT_KINDS.includes(source.kind))
		rows.push(['duration', timeLabel(events.to[i] - events.from[i])]);
	rows.push(...startRows(timeline.data, events.from[i]), ['CPU', String(events.cpu[i])]);
	if (source.kind === 'irq')
		rows.push(['number', String(source.number)]);
	if (thread)
		rows.push(['thread', nameLabel(thread.name, thread.id)]);
	return rows;
}
