// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.js - interrupts, idle states, work items, system calls, throttled cgroups, what threads
 * did, and counters of CPUs: their rows and details.
 *
 * In: the slices, moments and counters that report/html/events.c writes. Out: rows below those
 * of CPUs and threads. Pages of recordings without such events have nothing of this.
 */
'use strict';

/* The rows of a CPU, and of a thread, by the kinds of their sources. */
const CPU_ROWS = [
	{ label: 'interrupts', kinds: ['irq', 'vector'] },
	{ label: 'soft interrupts', kinds: ['softirq'] },
	{ label: 'idle states', kinds: ['idle'] },
	{ label: 'interrupts sent', kinds: ['ipi'] },
	{ label: 'runnable threads', kinds: ['run queue'] },
	{ label: 'utilization', kinds: ['utilization'] },
	{ label: 'frequency', kinds: ['frequency'] },
];
const THREAD_ROWS = [
	{ label: 'work items', kinds: ['work'] },
	{ label: 'system calls', kinds: ['syscall'] },
	{ label: 'forks, exits', kinds: ['fork', 'exit', 'priority'] },
	{ label: 'migrations', kinds: ['migrate'] },
];
const CGROUP_ROWS = 'throttled cgroups';
const EVENT_KINDS = {
	irq: 'interrupt', vector: 'interrupt of the CPU', softirq: 'soft interrupt',
	idle: 'idle state', work: 'work item', syscall: 'system call',
	throttled: 'throttled cgroup', ipi: 'interrupt sent', fork: 'event', exit: 'event',
	priority: 'event', migrate: 'migration', 'run queue': 'run queue',
	utilization: 'utilization', frequency: 'frequency',
};
/* enum moment_kind and enum counter_kind of events.c */
const MOMENT_KINDS = ['fork', 'exit', 'priority', 'ipi', 'migrate'];
const COUNTER_KINDS = ['run queue', 'utilization', 'frequency'];
const WHOLE_CPU = 1024;		/* utilization of a CPU that is always busy */

/* --- reading ------------------------------------------------------------------------------- */

/**
 * class Events - slices, then moments, then values of counters
 *
 * sources: what they are of: kind and name. thread: NO_THREAD but for work items, system calls and
 * moments. first, second: the values of moments; the value of counters.
 */
class Events {
	constructor(count, sources) {
		this.count = count;
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

/* Moments but interrupts of other CPUs have no names of their own: a source for each kind. */
function readMoments(column, events, origin, first, count) {
	const own = events.sources.length;
	let time = origin;

	MOMENT_KINDS.forEach((kind) => events.sources.push({ kind, name: kind }));
	for (let i = first; i < first + count; i++) {
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
function readCounters(column, events, origin, first, count, { end, losses }) {
	const last = new Map(), own = events.sources.length, lossesByCpu = groupLosses(losses);
	let time = origin;

	COUNTER_KINDS.forEach((kind) => events.sources.push({ kind, name: kind }));
	for (let i = first; i < first + count; i++) {
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
	for (let i = first; i < first + count; i++) {
		const list = lossesByCpu.get(events.cpu[i]) ?? [];
		const n = atLeast(0, list.length, (at) => list[at].from > events.from[i]);

		if (n < list.length)
			events.to[i] = Math.min(events.to[i], list[n].from);
	}
}

/** readEvents() - all events; limits: end of the page's time, and losses */
function readEvents(columns, timeline, origin, limits) {
	const { slices, moments, counters } = timeline;
	const events = new Events(slices + moments + counters, timeline.sources.map((s) => s &&
		{ kind: s[0], name: s[1], number: s[2] }));

	readSlices(columns.slices, events, origin, slices);
	readMoments(columns.moments, events, origin, slices, moments);
	readCounters(columns.counters, events, origin, slices + moments, counters, limits);
	return events;
}

/* --- rows ---------------------------------------------------------------------------------- */

/* By kind, how to find the row that an event is in. */
function rowKeys(events) {
	const keys = { throttled: (i) => 'cgroup ' + events.source[i] };

	CPU_ROWS.forEach((row, n) => row.kinds.forEach((kind) => {
		keys[kind] = (i) => 'cpu ' + events.cpu[i] + ' ' + n;
	}));
	THREAD_ROWS.forEach((row, n) => row.kinds.forEach((kind) => {
		keys[kind] = (i) => 'thread ' + events.thread[i] + ' ' + n;
	}));
	return keys;
}

function newTrack(events, index) {
	const kind = events.kindOf(index[0]);

	if (COUNTER_KINDS.includes(kind))
		return new CounterTrack(events, index);
	return new (MOMENT_KINDS.includes(kind) ? MomentTrack : EventTrack)(events, index);
}

/* The events of each row, each with a track. */
function eventTracks(events) {
	const index = new Map(), keys = rowKeys(events);

	for (let i = 0; i < events.count; i++) {
		const key = keys[events.kindOf(i)]?.(i);

		if (key && !index.has(key))
			index.set(key, []);
		index.get(key)?.push(i);
	}
	return new Map(Array.from(index, ([key, list]) => [key, newTrack(events, list)]));
}

/* For each source of counters the largest value, which fills the height of a row. */
function fullHeights(events) {
	const full = new Map();

	events.sources.forEach((source, n) => full.set(n, source?.kind === 'utilization' ?
		WHOLE_CPU : 1));
	for (let i = 0; i < events.count; i++)
		full.set(events.source[i], Math.max(full.get(events.source[i]), events.first[i]));
	return full;
}

/* What happened, in a few words. */
function eventLabel(events, i) {
	const source = events.sourceOf(i), first = events.first[i], second = events.second[i];
	const labels = {
		exit: () => second ? 'exit by signal ' + second : 'exit, code ' + first,
		priority: () => 'priority ' + first + ' → ' + second,
		migrate: () => 'CPU ' + first + ' → ' + second,
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
			styleOf: (i) => FIRST_HUE + events.source[i] % THREAD_HUES,
			denseStyle: () => BUSY,
			labelOf: (i) => eventLabel(events, i),
			fullOf: (i) => full.get(events.source[i]),
		};
	}

	/** labels() - of the kinds of rows that the recording has */
	labels() {
		const kinds = new Set(Array.from(this.tracks.values(),
						 (track) => this.events.kindOf(track.index[0])));
		const has = (row) => row.kinds.some((kind) => kinds.has(kind));

		return [...CPU_ROWS, { label: CGROUP_ROWS, kinds: ['throttled'] }, ...THREAD_ROWS]
			.filter(has).map((row) => row.label);
	}

	row(key, kind, label = kind) {
		const track = this.hidden.has(kind) ? undefined : this.tracks.get(key);

		return track ? [{ type: 'event', label, track, look: this.look }] : [];
	}

	ofCpu(cpu) {
		return CPU_ROWS.flatMap(({ label }, n) => this.row('cpu ' + cpu + ' ' + n, label));
	}

	ofThread(number) {
		return THREAD_ROWS.flatMap(({ label }, n) =>
			this.row('thread ' + number + ' ' + n, label));
	}

	/** ofCgroups() - one row for each cgroup that was throttled */
	ofCgroups() {
		return this.events.sources.flatMap((source, n) => source?.kind === 'throttled' ?
			this.row('cgroup ' + n, CGROUP_ROWS, 'throttled ' + visible(source.name)) :
			[]);
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
	const { events, threads, base } = timeline.data, source = events.sourceOf(i);
	const thread = events.thread[i] === NO_THREAD ? null : threads[events.thread[i]];
	const isMoment = MOMENT_KINDS.includes(source.kind);
	const rows = [[EVENT_KINDS[source.kind], eventLabel(events, i)]];

	if (!isMoment)
		rows.push(['duration', timeLabel(events.to[i] - events.from[i])]);
	rows.push([isMoment ? 'time' : 'start',
		   secondsLabel(base + BigInt(Math.round(events.from[i])))],
		  ['CPU', String(events.cpu[i])]);
	if (source.kind === 'irq')
		rows.push(['number', String(source.number)]);
	if (thread)
		rows.push(['thread', nameLabel(thread.name, thread.id)]);
	return rows;
}
