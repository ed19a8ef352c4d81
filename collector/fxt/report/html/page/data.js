// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * data.js - reads the blocks of the page, which report/html/html.c describes, into arrays. Times
 * are ns since the start of the report's range; as doubles they are exact for a hundred days.
 */

const NO_CPU = 0xffff;
const NO_THREAD = 0xffffffff;

/* Wakers that are not threads; in the column, the numbers of threads begin after these. */
const IRQS = [null, 'an interrupt', 'a soft interrupt', 'an NMI', 'an idle CPU'], SOFT_IRQ = 2;
/* Kinds of events of each of these wakers. */
const INTERRUPTS = [[], ['irq', 'vector'], ['softirq'], [], []];
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

/* A row of values as an object; keys: as table/json.h says. */
function rowOf(values, keys) {
	const row = {};

	keys.forEach((key, i) => {
		const value = values[i];

		if (!key.of)
			row[key] = value;
		else if (key.isList)
			row[key.key] = value.map((item) => rowOf(item, key.of));
		else if (key.key)
			row[key.key] = value && rowOf(value, key.of);
		else
			Object.assign(row, rowOf(value, key.of));
	});
	return row;
}

/* An object whose tables, at any depth, became lists of rows. */
function withRows(value) {
	if (value === null || typeof value !== 'object' || Array.isArray(value))
		return value;
	if (value.keys)
		return value.rows.map((row) => rowOf(row, value.keys));
	return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, withRows(of)]));
}

/* The report as fxt report --json prints it, without the histograms of rows. */
async function readReport(name) {
	const packed = await unpackedJson(name);

	for (const row of packed.processes.rows) {
		if (typeof row.at(-1) === 'number')
			row.push(packed.threads.rows[row.pop() - 1].at(-1));
	}
	return withRows(packed);
}

/* Reads a sequence of numbers; origin: the first difference is relative to it. */
class Column {
	constructor(bytes, origin) {
		this.bytes = bytes;
		this.at = 0;
		this.numbers = [];	/* of a chunk */
		this.nth = 0;
		this.last = origin;
	}

	get hasMore() {
		return this.nth < this.numbers.length || this.at < this.bytes.length;
	}

	/* Reads the next chunk: see report/html/spool.h. */
	readChunk() {
		const count = this.bytes[this.at++] + 256 * this.bytes[this.at++];
		const numbers = new Float64Array(count);
		let open = numbers.keys();

		/* Multiplies, because shifts are limited to 31 bits. */
		for (let factor = 1; open; factor *= 128) {
			const longer = [];

			for (const i of open) {
				const byte = this.bytes[this.at++];

				numbers[i] += (byte & 0x7f) * factor;
				if (byte & 0x80)
					longer.push(i);
			}
			open = longer.length ? longer : null;
		}
		this.numbers = numbers;
		this.nth = 0;
	}

	next() {
		if (this.nth === this.numbers.length)
			this.readChunk();
		return this.numbers[this.nth++];
	}

	nextSigned() {
		const value = this.next();

		return value % 2 ? -(value + 1) / 2 : value / 2;
	}

	/* Differences are between results of this function. */
	nextDelta() {
		return this.last += this.nextSigned();
	}
}

/* All columns by name. Removes their blocks, which frees memory. */
async function readColumns(origin) {
	const blocks = [...document.querySelectorAll('[id^=fxt-column-]')];

	return Object.fromEntries(await Promise.all(blocks.map(async ({ id }) => {
		const bytes = await unpacked(id.replace('fxt-', ''));

		byId(id).remove();
		return [id.replace('fxt-column-', ''), new Column(bytes, origin)];
	})));
}

function readLosses(column) {
	const losses = [];

	while (column.hasMore) {
		const cpu = column.next(), from = column.nextDelta();

		losses.push({ cpu, from, to: from + column.next(), records: column.next() });
	}
	return losses;
}

/* Distinguishes threads that had the same id one after the other. */
function keyOf(id, nth) {
	return nth ? id + '#' + nth : String(id);
}

/* t: as report/html/data.c has it */
function describeThread(t, number) {
	const id = String(t?.tid), isIdle = id === '0' && !t.of;

	return t && {
		number, id, isIdle,
		key: keyOf(id, t.nth),
		pid: String(t.pid),
		process: keyOf(t.pid, t.process_nth),
		name: isIdle ? '(idle)' : t.name,
		isOfReport: t.isOfReport,
		of: t.of,	/* without scheduling: whose slices and counters it has */
		owner: t.owner ?? null,
		cpus: t.cpus ?? null,
		cgroup: t.cgroup,
	};
}

/**
 * readTimeline() - the block fxt-timeline, with its threads described and its columns read
 *
 * Return: also spans, runs, allWaits, switches (readSpans()), parts (readParts()), wakers
 * (readWakers()), stacks (a Stacks), events, losses; base (the time in ns to which times are
 * relative, a BigInt), end (ns after base), gaps (from, to and so on)
 */
async function readTimeline(report) {
	const timeline = await unpackedJson('timeline');
	const all = BigInt(report.from_ns), begin = BigInt(timeline.begin_ns);
	const base = begin > all ? begin : all, cut = BigInt(timeline.cut_ns);
	const end = Math.max(1, Number((cut || BigInt(report.to_ns)) - base));
	const origin = Number(BigInt(timeline.origin_ns) - base);
	const columns = await readColumns(origin), losses = readLosses(columns.losses);

	timeline.threads = timeline.threads.map(describeThread);
	const read = readSpans(columns, timeline, origin), { spans } = read;
	const parts = readParts(columns.waits, spans), wakers = readWakers(columns.wakers, spans);
	const stacks = readStacks(columns, timeline, spans);
	const events = readEvents(columns, timeline, { end, losses });

	/* Cut what began before the part that the timeline has. */
	if (base > all) {
		for (const { from } of [spans, read.runs, events])
			from.set(from.map((ns) => Math.max(0, ns)));
	}
	return {
		...timeline,
		...read,
		parts,
		wakers,
		gaps: timeline.gaps.map((ns) => ns + origin),
		losses: losses.filter((loss) => loss.to >= 0 && loss.from <= end),
		stacks,
		events,
		epoch: BigInt(timeline.epoch_ns),
		base,
		end,
		isPart: cut > 0n || base > all,
	};
}
