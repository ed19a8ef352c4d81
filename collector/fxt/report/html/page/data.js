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
const IRQS = [null, 'an interrupt', 'a soft interrupt', 'an NMI', 'an idle CPU'], SOFT_IRQ = 2;
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

async function unpackedJson(name) {
	return JSON.parse(new TextDecoder().decode(await unpacked(name)));
}

/* Removes the block, which frees its memory. */
async function columnBytes(name) {
	const bytes = await unpacked('column-' + name);

	byId('fxt-column-' + name).remove();
	return bytes;
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

/** class SplitColumn - reads a sequence of numbers that is in several columns */
class SplitColumn {
	constructor(columns) {
		this.first = columns[0];
		this.columns = columns;
	}

	next() {
		const byte = this.first.bytes[this.first.at++];

		return byte < 0x80 ? byte : this.rest(byte & 0x7f);
	}

	/* Each column has a byte, the last one all that are left. */
	rest(low) {
		const { columns } = this, last = columns.length - 1;
		let value = low, factor = 128;

		for (let i = 1; i < last; i++, factor *= 128) {
			const byte = columns[i].bytes[columns[i].at++];

			value += (byte & 0x7f) * factor;
			if (byte < 0x80)
				return value;
		}
		return value + columns[last].next() * factor;
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
		isOfReport: fields[3],
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

function mapOfPairs(list) {
	const map = new Map();

	for (let i = 0; i < list.length; i += 2)
		map.set(list[i], list[i + 1]);
	return map;
}

/* What began before the part that the timeline has. */
function clipStarts(from) {
	for (let i = 0; i < from.length; i++) {
		if (from[i] < 0)
			from[i] = 0;
	}
}

/**
 * readTimeline() - reads all spans
 *
 * Return: { spans, runs, waits and switches (as decodeSpans() has them), parts (as readParts()), gaps (from and to of
 * times without some records), losses, stacks (a Stacks), events,
 * threads (by number, null if there is none), processes (likewise), cpus, ksoftirqd (by CPU: the
 * number of the thread; null if it cannot be proven who raised soft interrupts), base (the time in
 * ns to which times are relative, a BigInt), end (ns after base) }
 */
async function readTimeline(report) {
	const timeline = await unpackedJson('timeline');
	const all = BigInt(report.from_ns), begin = BigInt(timeline.begin_ns);
	const base = begin > all ? begin : all;
	const origin = Number(BigInt(timeline.origin_ns) - base);

	timeline.threads = timeline.threads.map(describeThread);
	addCgroups(timeline);
	const columns = await readColumns(SPAN_COLUMNS.concat(timeline.ksoftirqd ? 'hit' : [],
		'waits', 'losses', 'slices', 'moments', 'counters', 'stacks'));

	const cut = BigInt(timeline.cut_ns);
	const end = Math.max(1, Number((cut || BigInt(report.to_ns)) - base));
	const losses = decodeLosses(columns.losses, timeline.losses, origin);

	const { spans, runs, waits, switches } = decodeSpans(columns, timeline, origin);
	const parts = readParts(columns.waits, timeline.waits, spans, origin);
	const stacks = readStacks(columns.stacks, timeline, origin, spans);
	const events = readEvents(columns, timeline, origin, { end, losses });

	if (base > all) {
		for (const { from } of [spans, runs, events])
			clipStarts(from);
	}
	return {
		spans,
		runs,
		allWaits: waits,
		switches,
		parts,
		gaps: timeline.gaps.map((ns) => ns + origin),
		losses: losses.filter((loss) => loss.to >= 0 && loss.from <= end),
		stacks,
		events,
		threads: timeline.threads,
		processes: timeline.processes.map(describeProcess),
		cpus: timeline.cpus,
		nodes: timeline.nodes,
		caches: timeline.caches,
		ksoftirqd: timeline.ksoftirqd ? mapOfPairs(timeline.ksoftirqd) : null,
		hasCgroups: timeline.cgroups.length > 0,
		epoch: BigInt(timeline.epoch_ns),
		base,
		end,
		isPart: cut > 0n || base > all,
		most: timeline.most,
	};
}
