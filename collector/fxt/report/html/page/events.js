// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.js - interrupts, idle states, work items, system calls, throttled cgroups, what threads
 * did, counters of CPUs, and what a trace without scheduling has: their tracks, rows and details.
 */

const MOMENT_PIXELS = 2, MOMENT_LABEL = 40;

/*
 * Slices of one row, in order of time, without those inside others. A slice that overlaps the one
 * before it begins at that one's end: slices of a throttled cgroup overlap between CPUs.
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
		super(from.subarray(0, n), to.subarray(0, n));
		this.index = kept.subarray(0, n);
	}
}

/* Events without a duration; all within a pixel are drawn as one stroke. */
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

/* The values of a counter that was recorded. */
class CounterTrack extends StepTrack {
	constructor(events, index) {
		super(Float64Array.from(index, (i) => events.from[i]),
		      Float64Array.from(index, (i) => events.to[i]),
		      Float64Array.from(index, (i) => events.value(i)));
		this.index = index;
	}
}

/* --- kinds of events ----------------------------------------------------------------------- */

const MOST_LANES = 100;		/* rows; the last one has all deeper slices */

/* Distribute nested slices to lists without overlap, one for each depth: [label, list]. */
function lanes({ from, to }, list, label) {
	const ends = [], lists = [];

	for (const i of list.sort((a, b) => from[a] - from[b] || to[b] - to[a])) {
		const free = ends.findIndex((end) => end <= from[i]);
		const lane = Math.min(free < 0 ? ends.length : free, MOST_LANES - 1);

		(lists[lane] ??= []).push(i);
		ends[lane] = Math.max(to[i], ends[lane] ?? 0);
	}
	return lists.map((of, n) => [n ? '' : label, of]);
}

/* One [label, list] for each source. */
function bySource({ source, sources }, list) {
	return [...groupedBy(list, (i) => source[i])].map(([n, of]) => [visible(sources[n].name), of]);
}

/*
 * Rows of each CPU, cgroup (a source) and thread. kinds: the name of a kind in
 * <fxt/fxt_catalogue.h> or report/html/slices.c, and what the details call it. split(): distributes
 * the events to several rows.
 */
const EVENT_ROWS = [
	{ label: 'interrupts', of: 'cpu', track: EventTrack,
	  kinds: { irq: 'interrupt', vector: 'interrupt of the CPU' } },
	{ label: 'soft interrupts', of: 'cpu', track: EventTrack, kinds: { softirq: 'soft interrupt' } },
	{ label: 'idle states', of: 'cpu', track: EventTrack, kinds: { idle: 'idle state' } },
	{ label: 'timers', of: 'cpu', track: MomentTrack, kinds: { timer: 'timer that expired' } },
	{ label: 'sockets', of: 'cpu', track: MomentTrack, kinds: { data: 'data of a socket' } },
	{ label: 'interrupts sent', of: 'cpu', track: MomentTrack, kinds: { ipi: 'interrupt sent' } },
	{ label: 'runnable threads', of: 'cpu', track: CounterTrack, kinds: { 'run queue': 'run queue' } },
	{ label: 'utilization (PELT)', of: 'cpu', track: CounterTrack, kinds: { pelt: 'utilization' } },
	{ label: 'host (steal)', of: 'cpu', track: MomentTrack, kinds: { steal: 'host of the virtual machine' } },
	{ label: 'frequency', of: 'cpu', track: CounterTrack, kinds: { frequency: 'frequency' } },
	{ label: 'throttled cgroups', of: 'source', track: EventTrack,
	  kinds: { throttled: 'throttled cgroup' } },
	{ label: 'slices', of: 'thread', track: EventTrack, kinds: { slice: 'slice' }, split: lanes },
	{ label: 'asynchronous slices', of: 'thread', track: EventTrack, kinds: { async: 'asynchronous slice' },
	  split: (events, list) => bySource(events, list).flatMap(([label, of]) => lanes(events, of, label)) },
	{ label: 'counters', of: 'thread', track: CounterTrack, kinds: { counter: 'counter' }, split: bySource },
	{ label: 'work items', of: 'thread', track: EventTrack, kinds: { work: 'work item' } },
	{ label: 'system calls', of: 'thread', track: EventTrack, kinds: { syscall: 'system call' } },
	{ label: 'locks', of: 'thread', track: EventTrack, kinds: { lock: 'wait for a lock' } },
	{ label: 'futexes', of: 'thread', track: EventTrack, kinds: { futex: 'sleep for a futex' } },
	{ label: 'memory', of: 'thread', track: EventTrack,
	  kinds: { memory: 'reclaim or compaction' } },
	{ label: 'requests of block devices', of: 'thread', track: EventTrack,
	  kinds: { request: 'request of a block device' }, split: lanes },
	{ label: 'forks, exits', of: 'thread', track: MomentTrack,
	  kinds: { fork: 'event', exit: 'event', priority: 'event' } },
	{ label: 'signals', of: 'thread', track: MomentTrack,
	  kinds: { signal: 'signal', 'signal delivered': 'signal' } },
	{ label: 'migrations', of: 'thread', track: MomentTrack, kinds: { migrate: 'migration' } },
];
const EVENT_KINDS = Object.assign({}, ...EVENT_ROWS.map((row) => row.kinds));
/* The utilization of a CPU that is always busy. The kernel's estimate may be higher for a while. */
const WHOLE_CPU = 1024;

const rowOfKind = (kind) => EVENT_ROWS.find((row) => kind in row.kinds);

/* --- reading ------------------------------------------------------------------------------- */

/**
 * class Events - slices, moments and values of counters
 *
 * sources: what they are of: kind and name. thread: NO_THREAD of those about CPUs. first, second:
 * values. results: words for what becomes of signals. threads: those that get signals or hold locks.
 */
class Events {
	constructor(count, sources, results, threads) {
		this.count = count;
		this.sources = sources;
		this.results = results;
		this.threads = threads;
		this.from = new Float64Array(count);
		this.to = new Float64Array(count);
		this.source = new Uint32Array(count);
		this.cpu = new Uint16Array(count);
		this.thread = new Uint32Array(count);
		this.first = new Int32Array(count);
		this.second = new Int32Array(count);
	}

	sourceOf(i) {
		return this.sources[this.source[i]];
	}

	kindOf(i) {
		return this.sourceOf(i).kind;
	}

	/* The value of a counter; those of programs are doubles in two halves. */
	value(i) {
		return this.kindOf(i) !== 'counter' ? this.first[i] :
			new Float64Array(Int32Array.of(this.second[i], this.first[i]).buffer)[0];
	}
}

/* A value holds until the next one; after a loss it is unknown. */
function endCounters(events, { end, losses }) {
	const last = new Map(), lossesByCpu = groupLosses(losses);
	const isCounter = events.sources.map((s) => s && rowOfKind(s.kind)?.track === CounterTrack);

	for (let i = 0; i < events.count; i++) {
		const source = events.source[i], key = source * NO_CPU + events.cpu[i];
		const from = events.from[i];

		if (!isCounter[source])
			continue;
		if (last.has(key))
			events.to[last.get(key)] = Math.min(events.to[last.get(key)], from);
		last.set(key, i);
		const list = lossesByCpu.get(events.cpu[i]) ?? [];
		const next = atLeast(0, list.length, (at) => list[at].from > from);

		events.to[i] = Math.min(Math.max(from, end), list[next]?.from ?? Infinity);
	}
}

/* limits: end of the page's time, and losses */
function readEvents(columns, { events: count, sources, signal_results: results, threads }, limits) {
	const events = new Events(count, sources, results, threads);

	for (let i = 0; i < count; i++) {
		const end = events.to[i] = columns.eventEnd.nextDelta();

		events.from[i] = end - columns.eventTime.next();
		events.source[i] = columns.eventSource.next();
		events.cpu[i] = columns.eventCpu.next();
		events.thread[i] = columns.eventThread.next() - 1;	/* NO_THREAD of 0 */
		events.first[i] = columns.eventFirst.nextSigned();
		events.second[i] = columns.eventSecond.nextSigned();
	}
	endCounters(events, limits);
	return events;
}

/* --- rows ---------------------------------------------------------------------------------- */

/* The [label, track] of each of EVENT_ROWS, by the number of the CPU, source or thread. */
function eventTracks(events) {
	const rows = events.sources.map((source) => source && rowOfKind(source.kind));
	const byRow = groupedBy(events.source.keys(), (i) => rows[events.source[i]]);

	return new Map(EVENT_ROWS.map((row) => [row, new Map(Array.from(
		groupedBy(byRow.get(row) ?? [], (i) => events[row.of][i]), ([owner, list]) =>
			[owner, (row.split?.(events, list, row.label) ?? [[row.label, list]]).map(([label, of]) =>
				[label, new row.track(events, of)])]))]));
}

/* For each source of counters the largest value, which fills the height of a row. */
function fullHeights(events) {
	const full = events.sources.map((source) => source?.kind === 'pelt' ? WHOLE_CPU : 1);

	for (let i = 0; i < events.count; i++)
		full[events.source[i]] = Math.max(full[events.source[i]], events.value(i) || 0);
	return full;
}

/* A signal that is sent: from an interrupt or this thread, to whom, and what becomes of it. */
function signalLabel(events, what, target) {
	const result = events.results[what >> 8 & 255] ?? 'unknown result';
	return 'signal ' + (what & 255) + (what >> 16 ? ' from an interrupt' : '') + ' → ' +
		threadLabel(events.threads[target]) + (what >> 8 & 255 ? ', ' + result : '');
}

/* Data of a socket: the protocol, both ports, and the number of bytes. */
function dataLabel(name, ports, bytes) {
	return visible(name) + (ports & 65535 ? ', port ' + (ports & 65535) : '') +
		(ports >>> 16 ? ' from ' + (ports >>> 16) : '') +
		(bytes ? ', ' + countLabel(bytes >>> 0) + ' bytes' : '');
}

function valueLabel(value) {
	return Number.isInteger(value) ? countLabel(value) : String(Number(value.toPrecision(9)));
}

/* An event in a few words. */
function eventLabel(events, i) {
	const source = events.sourceOf(i), first = events.first[i], second = events.second[i];
	const other = (words, n) => n ? words + threadLabel(events.threads[n - 1]) : '';
	const labels = {
		exit: () => second ? 'exit by signal ' + second : 'exit, code ' + first,
		priority: () => 'priority ' + first + ' → ' + second,
		migrate: () => 'CPU ' + first + ' → ' + second,
		signal: () => signalLabel(events, first, second),
		request: () => visible(source.name) + ', ' + countLabel(first >>> 0) + ' bytes' +
			(second ? ', ' + timeLabel(second * 1000) + ' of it queued' : ''),
		data: () => dataLabel(source.name, first, second),
		'signal delivered': () => 'takes signal ' + first + (second ? ', handled' : ''),
		lock: () => visible(source.name) + other(', held by ', first) +
			(first === second ? '' : other(', released by ', second)),
		futex: () => visible(source.name) + other(', woken by ', second),
		memory: () => visible(source.name) + (first ? ', ' + plural(first, 'page') : ''),
		ipi: () => visible(source.name) + ' → ' + (first ? 'CPU ' + (first - 1) :
			plural(second, 'CPU')),
		'run queue': () => plural(first, 'thread'),
		pelt: () => countLabel(first) + ' of ' + countLabel(WHOLE_CPU),
		steal: () => timeLabel(first * 1000) + ' since the last such record',
		frequency: () => Math.round(first / 1000) + ' MHz',
		counter: () => visible(source.name) + ': ' + valueLabel(events.value(i)),
	};

	return labels[source.kind]?.() ?? visible(source.name);
}

/* Makes the rows of a timeline's events. */
class EventRows {
	constructor(events) {
		const full = fullHeights(events);

		this.events = events;
		this.tracks = eventTracks(events);
		this.hidden = new Set();	/* labels */
		this.look = {
			styleOf: (i) => styleOfHue(events.source[i] % HUES, 0),
			denseStyle: () => BUSY,
			labelOf: (i) => eventLabel(events, i),
			fullOf: (track) => full[events.source[track.index[0]]],
			textOf: (track, position) => events.kindOf(track.span(position)) === 'counter' ?
				valueLabel(track.value[position]) : eventLabel(events, track.span(position)),
		};
	}

	/* Labels of the rows that the recording has. */
	labels() {
		return EVENT_ROWS.filter((row) => this.tracks.get(row).size).map((row) => row.label);
	}

	/* Rows of a CPU, thread or source of events, by its number. */
	rowsOf(what, number) {
		return EVENT_ROWS.filter((row) => row.of === what && !this.hidden.has(row.label) &&
			this.tracks.get(row).has(number)).flatMap((row) => this.tracks.get(row).get(number)
			.map(([label, track]) => ({ type: 'event', label, track, look: this.look })));
	}

	/* For each thread, the track of its outermost slices. */
	outermost() {
		return Array.from(this.tracks.get(rowOfKind('slice')).values(), ([[, track]]) => track);
	}

	/* One row for each cgroup that was throttled. */
	ofCgroups() {
		return this.events.sources.flatMap((source, n) => this.rowsOf('source', n)
			.map((row) => ({ ...row, label: 'throttled ' + visible(source.name) })));
	}
}

/* [name, value] pairs */
function eventDetails(timeline, i) {
	const { events, threads } = timeline.data, source = events.sourceOf(i);
	const thread = events.thread[i] === NO_THREAD ? null : threads[events.thread[i]];
	const rows = [[EVENT_KINDS[source.kind], eventLabel(events, i)]];

	if (rowOfKind(source.kind).track !== MomentTrack)
		rows.push(['duration', timeLabel(events.to[i] - events.from[i])]);
	rows.push(...startRows(timeline.data, events.from[i]));
	if (!thread?.of)
		rows.push(['CPU', String(events.cpu[i])]);
	if (source.kind === 'irq')
		rows.push(['number', String(source.number)]);
	if (thread && thread.of !== 'process')
		rows.push(['thread', nameLabel(thread.name, thread.id)]);
	if (thread?.of)
		rows.push(['process', timeline.processLabel(thread)]);
	return rows;
}
