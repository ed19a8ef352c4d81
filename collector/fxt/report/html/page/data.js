// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * data.js - reads the blocks in the page into arrays.
 *
 * In: the blocks that report/html/html.c writes, which describes their format. Out: the
 * report (an object), and the spans: arrays with one element for each span, sorted by
 * thread, so that spans that are drawn together are close in memory. Times are ns since
 * the start of the report's range; as doubles they are exact for a hundred days.
 */
'use strict';

const NO_CPU = 0xffff;
const NO_THREAD = 0xffffffff;

/* Wakers that are not threads; in the column the numbers of threads begin after these. */
const IRQS = [null, 'an interrupt', 'a soft interrupt', 'an NMI'];
/* Their names in the report. */
const IRQ_NAMES = { hard: IRQS[1], soft: IRQS[2], nmi: IRQS[3] };

/* Kinds of spans, by which they are drawn and counted; STATES maps letters to kinds. */
const RUNNING = 0, RUNNABLE = 1, PREEMPTED = 2, UNINTERRUPTIBLE = 3, OTHER = 4, UNKNOWN = 5,
	SLEEPING = 6, DEAD = 7, KINDS = 8;

const KIND_NAMES = ['running', 'runnable', 'preempted', 'uninterruptible', 'other', 'unknown',
	'sleeping', 'dead'];

const STATES = {
	'O': { kind: RUNNING, name: 'running' },
	'R': { kind: RUNNABLE, name: 'runnable: woken, waits for a CPU' },
	'+': { kind: PREEMPTED, name: 'preempted: still runnable, waits for a CPU' },
	'D': { kind: UNINTERRUPTIBLE, name: 'uninterruptible sleep' },
	'S': { kind: SLEEPING, name: 'sleeping' },
	'I': { kind: SLEEPING, name: 'idle kernel thread' },
	'T': { kind: OTHER, name: 'stopped' },
	't': { kind: OTHER, name: 'traced' },
	'P': { kind: OTHER, name: 'parked' },
	'Z': { kind: DEAD, name: 'zombie' },
	'X': { kind: DEAD, name: 'dead' },
	'?': { kind: UNKNOWN, name: 'unknown' },
};

/** embedded() - the text of a block */
function embedded(name) {
	return byId('fxt-' + name).textContent;
}

function base64Bytes(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);

	for (let i = 0; i < bytes.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

/* Removes the block, which frees its memory. */
async function columnBytes(name) {
	const bytes = base64Bytes(embedded('column-' + name));
	const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));

	byId('fxt-column-' + name).remove();
	return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** class Column - reads a sequence of numbers of variable length */
class Column {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	/* Multiplies, because shifts are limited to 31 bits. */
	next() {
		let byte = this.bytes[this.at++], value = byte & 0x7f;

		for (let factor = 128; byte & 0x80; factor *= 128) {
			byte = this.bytes[this.at++];
			value += (byte & 0x7f) * factor;
		}
		return value;
	}

	nextSigned() {
		const value = this.next();

		return value % 2 ? -(value + 1) / 2 : value / 2;
	}
}

async function readColumns(names) {
	const columns = {};
	const read = await Promise.all(names.map(columnBytes));

	names.forEach((name, i) => {
		columns[name] = new Column(read[i]);
	});
	return columns;
}

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

/* The index of each thread's first span, from the number of its spans. */
function firstSpans(column, count, threads) {
	const first = new Uint32Array(threads + 1);

	for (let i = 0; i < count; i++)
		first[column.next() + 1]++;
	for (let thread = 0; thread < threads; thread++)
		first[thread + 1] += first[thread];
	column.at = 0;
	return first;
}

function decodeSpans(columns, timeline, origin) {
	const threads = timeline.threads.length, kinds = kindTable();
	const spans = new Spans(firstSpans(columns.thread, timeline.spans, threads));
	const isIdle = timeline.threads.map((t) => t && t.isIdle), next = spans.first.slice();
	/* The end of the last span of each thread, and of each CPU's idle thread. */
	const ends = new Float64Array(threads).fill(origin);
	const idleEnds = new Float64Array(NO_CPU + 1).fill(origin);
	const woken = 'R'.charCodeAt(0);
	let end = origin;

	for (let i = 0; i < spans.count; i++) {
		const thread = columns.thread.next(), state = columns.state.next();
		const cpu = columns.cpu.next() - 1, s = next[thread]++;
		const last = isIdle[thread] ? idleEnds : ends;
		const track = isIdle[thread] ? cpu : thread;

		end += columns.end.nextSigned();
		spans.order[i] = s;
		spans.from[s] = last[track] + columns.gap.nextSigned();
		spans.to[s] = last[track] = end;
		spans.thread[s] = thread;
		spans.state[s] = state;
		spans.kind[s] = kinds[state];
		spans.cpu[s] = cpu < 0 ? NO_CPU : cpu;
		const waker = state === woken ? columns.waker.next() : 0;

		spans.irq[s] = waker < IRQS.length ? waker : 0;
		spans.waker[s] = waker < IRQS.length ? NO_THREAD : waker - IRQS.length;
	}
	return spans;
}

function decodeLosses(column, count, origin) {
	const losses = [];
	let from = origin;

	for (let i = 0; i < count; i++) {
		const cpu = column.next();

		from += column.nextSigned();
		losses.push({ cpu, from, to: from + column.next(), records: column.next() });
	}
	return losses;
}

/** keyOf() - distinguishes threads that had the same id one after the other */
function keyOf(id, nth) {
	return nth ? id + '#' + nth : String(id);
}

/*
 * [koid, process, name, is it shown, number of earlier threads of the koid, of the process,
 * number of the process in the timeline, CPUs]
 */
function describeThread(fields, number) {
	if (!fields)
		return null;
	return {
		number,
		id: String(fields[0]),
		key: keyOf(fields[0], fields[4]),
		pid: String(fields[1]),
		process: keyOf(fields[1], fields[5]),
		name: String(fields[0]) === '0' ? '(idle)' : fields[2],
		isIdle: String(fields[0]) === '0',
		isShown: fields[3],
		owner: fields[6] ?? null,
		cpus: fields[7] ?? null,
		cgroup: null,
	};
}

/* Of each thread that is shown: the path, or null. */
function addCgroups({ threads, cgroups, cgroup_of: list }) {
	for (let i = 0; i < list.length; i += 2)
		threads[list[i]].cgroup = cgroups[list[i + 1]] || null;
}

/* [pid, name, number of the parent, its pid if the archive does not have it] */
function describeProcess(fields) {
	return fields && { pid: fields[0], name: fields[1], parent: fields[2] ?? null,
			   parentPid: fields[3] ?? null };
}

/** readReport() - reads the object that fxt report --json prints */
function readReport() {
	return JSON.parse(embedded('report'));
}

/**
 * readTimeline() - reads all spans
 *
 * Return: { spans, losses, stacks (a Stacks), events, threads (by number, null if there is none), processes
 * (likewise), cpus, base (the time in ns to which times are relative, a BigInt), end (ns after
 * base) }
 */
async function readTimeline(report) {
	const timeline = JSON.parse(embedded('timeline'));
	const base = BigInt(report.from_ns);
	const origin = Number(BigInt(timeline.origin_ns) - base);

	timeline.threads = timeline.threads.map(describeThread);
	addCgroups(timeline);
	const columns = await readColumns(['end', 'gap', 'thread', 'state', 'cpu', 'waker',
		'losses', 'slices', 'moments', 'counters', 'stacks']);

	const cut = BigInt(timeline.cut_ns);
	const end = Math.max(1, Number((cut || BigInt(report.to_ns)) - base));
	const losses = decodeLosses(columns.losses, timeline.losses, origin);

	const spans = decodeSpans(columns, timeline, origin);

	return {
		spans,
		losses,
		stacks: readStacks(columns.stacks, timeline, origin, spans),
		events: readEvents(columns, timeline, origin, { end, losses }),
		threads: timeline.threads,
		processes: timeline.processes.map(describeProcess),
		cpus: timeline.cpus,
		hasCgroups: timeline.cgroups.length > 0,
		epoch: BigInt(timeline.epoch_ns),
		base,
		end,
		isCut: cut > 0n,
	};
}
