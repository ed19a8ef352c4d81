// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.js - interrupts, idle states and work items: tracks, rows, details and tables.
 *
 * In: the slices that report/html/html.c writes. Out: rows below those of CPUs and threads.
 * Pages of recordings without such events have nothing of this.
 */
'use strict';

/* The rows of a CPU, by the kinds of their sources. */
const EVENT_ROWS = [
	{ label: 'interrupts', kinds: ['irq', 'vector'] },
	{ label: 'soft interrupts', kinds: ['softirq'] },
	{ label: 'idle states', kinds: ['idle'] },
];
const EVENT_KINDS = { irq: 'interrupt', vector: 'interrupt of the CPU', softirq: 'soft interrupt',
		      idle: 'idle state', work: 'work item' };

/** class EventTrack - slices of one row, in order of time; those inside others are left out */
class EventTrack extends Track {
	constructor(events, index) {
		const kept = [];

		for (const i of index) {
			while (kept.length && events.from[kept[kept.length - 1]] >= events.from[i] &&
			       events.to[kept[kept.length - 1]] > events.from[i])
				kept.pop();
			kept.push(i);
		}
		super(Float64Array.from(kept, (i) => events.from[i]),
		      Float64Array.from(kept, (i) => events.to[i]), new Uint8Array(kept.length));
		this.index = kept;
	}

	span(position) {
		return this.index[position];
	}
}

/** readEvents() - the slices, in the order of their end; thread: NO_THREAD but for work items */
function readEvents(column, timeline, origin) {
	const count = timeline.slices;
	const events = {
		count,
		sources: timeline.sources.map((s) => s && { kind: s[0], name: s[1], number: s[2] }),
		from: new Float64Array(count),
		to: new Float64Array(count),
		source: new Uint32Array(count),
		cpu: new Uint16Array(count),
		thread: new Uint32Array(count),
	};
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
	return events;
}

/* The slices of each row: 'CPU:row' and 'thread', each with a track. */
function eventTracks(events) {
	const index = new Map(), rowOf = new Map();

	EVENT_ROWS.forEach((row, i) => row.kinds.forEach((kind) => rowOf.set(kind, i)));
	for (let i = 0; i < events.count; i++) {
		const key = events.thread[i] === NO_THREAD ?
			events.cpu[i] + ':' + rowOf.get(events.sources[events.source[i]].kind) :
			events.thread[i];

		if (!index.has(key))
			index.set(key, []);
		index.get(key).push(i);
	}
	return new Map(Array.from(index, ([key, list]) => [key, new EventTrack(events, list)]));
}

/** class EventRows - makes the rows of a timeline's events */
class EventRows {
	constructor(events) {
		this.events = events;
		this.tracks = eventTracks(events);
		this.look = {
			styleOf: (i) => FIRST_HUE + events.source[i] % THREAD_HUES,
			denseStyle: () => BUSY,
			labelOf: (i) => visible(events.sources[events.source[i]].name),
		};
	}

	row(key, label) {
		const track = this.tracks.get(key);

		return track ? [{ type: 'event', label, track, look: this.look }] : [];
	}

	ofCpu(cpu) {
		return EVENT_ROWS.flatMap(({ label }, i) => this.row(cpu + ':' + i, label));
	}

	ofThread(number) {
		return this.row(number, 'work items');
	}
}

/** eventDetails() - [name, value] pairs that describe a slice */
function eventDetails(timeline, i) {
	const { events, threads, base } = timeline.data, source = events.sources[events.source[i]];
	const thread = events.thread[i] === NO_THREAD ? null : threads[events.thread[i]];
	const rows = [
		[EVENT_KINDS[source.kind], visible(source.name)],
		['duration', timeLabel(events.to[i] - events.from[i])],
		['start', secondsLabel(base + BigInt(Math.round(events.from[i])))],
		['CPU', String(events.cpu[i])],
	];

	if (source.kind === 'irq')
		rows.push(['number', String(source.number)]);
	if (thread)
		rows.push(['thread', nameLabel(thread.name, thread.id)]);
	return rows;
}

/* Shows a section of the page that only recordings with such events have. */
function showSection(name) {
	for (const e of document.querySelectorAll('[data-if="' + name + '"]'))
		e.hidden = false;
}

/** interruptsTable() - the interrupts of the report, if it has any */
function interruptsTable(report) {
	if (!report.interrupts)
		return;
	showSection('interrupts');
	return new SortedTable('interrupts-table', 'Interrupts', [
		{ title: 'name', type: 'text', of: (s) => s.name },
		{ title: 'kind', type: 'text', of: (s) => EVENT_KINDS[s.kind] },
		{ title: 'number', type: 'id', of: (s) => s.number },
		{ title: 'count', type: 'count', of: (s) => s.count },
		{ title: 'took', type: 'time', of: (s) => s.total_ns },
		{ title: 'longest', type: 'time', of: (s) => s.longest_ns },
		{ title: 'took most from', type: 'text', of: (s) => s.most_tid === null ? undefined :
			nameLabel(s.most_name, Number(s.most_tid) ? s.most_tid : null) },
		{ title: 'how much', type: 'time', of: (s) => s.most_ns },
	], report.interrupts);
}

/** workTable() - the work items of the report, if it has any */
function workTable(report) {
	if (!report.work_items)
		return;
	showSection('work');
	return new SortedTable('work-table', 'Work items', [
		{ title: 'function', type: 'text', of: (s) => s.name },
		{ title: 'count', type: 'count', of: (s) => s.count },
		{ title: 'took', type: 'time', of: (s) => s.total_ns },
		{ title: 'longest', type: 'time', of: (s) => s.longest_ns },
	], report.work_items);
}

/** eventColumns() - further columns of the table of CPUs */
function eventColumns(report) {
	const columns = [], cpu = report.cpus[0] ?? {};

	if (cpu.hard_irq_ns !== undefined)
		columns.push({ title: 'interrupts', type: 'time', of: (c) => c.hard_irq_ns },
			     { title: 'soft interrupts', type: 'time', of: (c) => c.soft_irq_ns });
	if (cpu.idle_state_ns !== undefined)
		columns.push({ title: 'idle states', type: 'time', of: (c) => c.idle_state_ns });
	if (cpu.frequency !== undefined)
		columns.push({ title: 'average MHz', type: 'count', of: (c) => c.frequency ?
			Math.round(c.frequency.average_khz / 1000) : null });
	return columns;
}

/** stolenColumns() - further columns of the tables of threads */
function stolenColumns(rows) {
	const columns = [], row = rows[0] ?? {};

	if (row.stolen_ns !== undefined)
		columns.push({ title: 'interrupted', type: 'time', of: (t) => t.stolen_ns });
	if (row.moves !== undefined)
		columns.push({ title: 'moved', type: 'count', of: (t) => t.moves });
	return columns;
}
