// SPDX-License-Identifier: GPL-2.0-or-later
/* series.js - values over time as rows of the timeline, and the charts of the whole machine. */

const VALUE_LABEL = 40, VALUE_HEIGHT = 8;	/* pixels, least width and height of a value in words */
const RATE_BINS = 1000;		/* of a rate, over the whole page */

/* A value over time; each pixel's height is the average of the value in it. */
class StepTrack extends Track {
	constructor(from, to, value) {
		super(from, to);
		this.value = value;
		this.sumBefore = new Float64Array(this.count + 1);
		for (let i = 0; i < this.count; i++)
			this.sumBefore[i + 1] = this.sumBefore[i] +
				this.value[i] * (this.to[i] - this.from[i]);
	}

	/* The integral of the value up to a time; i: firstEndingAfter(time), if known. */
	integral(time, i = this.firstEndingAfter(time)) {
		const part = i < this.count ? Math.max(0, time - this.from[i]) * this.value[i] : 0;

		return this.sumBefore[i] + part;
	}

	paint(painter, y, height, look) {
		const full = look.fullOf(this);
		let i = this.firstEndingAfter(painter.from), before = this.integral(painter.from, i);

		for (let x = 0; x < painter.width; x += painter.grain) {
			const time = painter.time(x + painter.grain);

			i = this.firstEndingAfter(time, i);
			const sum = this.integral(time, i);
			const high = (sum - before) * painter.scale / painter.grain / full * height;

			before = sum;
			if (high > 0.05)
				painter.rectangles.add(look.denseStyle(), painter.x + x,
						       y + height - Math.max(1, high), painter.grain,
						       Math.max(1, high));
		}
		this.label(painter, y, height, look);
	}

	/* Values that last long enough are printed. */
	label(painter, y, height, look) {
		const full = look.fullOf(this);
		let i = this.firstEndingAfter(painter.from);

		while (i < this.count && this.from[i] < painter.to) {
			const x = Math.max(0, painter.pixel(this.from[i]));
			const room = Math.min(painter.width, painter.pixel(this.to[i])) - x;
			const high = height * this.value[i] / full, above = height - high;

			/* In the bar, or above it. */
			if (room > VALUE_LABEL && Math.max(high, above) >= VALUE_HEIGHT)
				painter.rectangles.value(look.textOf(this, i), painter.x + x + 4,
					y + (high >= VALUE_HEIGHT ? above + high / 2 : above / 2), room - 8,
					high >= VALUE_HEIGHT ? look.denseStyle() : undefined);
			/* At most one label for each pixel. */
			i = Math.max(i + 1, this.firstEndingAfter(painter.time(x + 1), i));
		}
	}
}

/* The number of open intervals over time, from their sorted starts and sorted ends. */
function countTrack(begins, finishes) {
	const most = begins.length + finishes.length;
	const from = new Float64Array(most), to = new Float64Array(most);
	const value = new Float64Array(most);
	let now = 0, last = 0, b = 0, n = 0;

	for (let f = 0; f < finishes.length;) {
		const isBegin = b < begins.length && begins[b] <= finishes[f];
		const time = isBegin ? begins[b++] : finishes[f++];

		if (time > last && now) {
			from[n] = last;
			to[n] = time;
			value[n++] = now;
		}
		last = time;
		now += isBegin ? 1 : -1;
	}
	return new StepTrack(from.subarray(0, n), to.subarray(0, n), value.subarray(0, n));
}

/* The rate of events (per second) in each of RATE_BINS parts of the page. */
function rateTrack(times, end) {
	const value = new Float64Array(RATE_BINS), width = end / RATE_BINS;

	for (const time of times)
		value[Math.min(RATE_BINS - 1, Math.max(0, Math.floor(time / width)))] += 1e9 / width;
	return new StepTrack(Float64Array.from(value, (_, i) => i * width),
			     Float64Array.from(value, (_, i) => (i + 1) * width), value);
}

/* Threads that wait for a CPU. The waits are sorted by their end. */
function waitingTrack({ spans, waits }) {
	/* Quicker than Float64Array.from() with a function. */
	const [from, to] = [spans.from, spans.to].map((times) => new Float64Array(waits).map((s) => times[s]));

	return countTrack(from.sort(), to);
}

function callTrack({ events, end }) {
	return rateTrack(events.from.filter((_, i) => events.kindOf(i) === 'syscall'), end);
}

/* Charts of the machine: their data, and how values are printed. */
const CHARTS = [
	{ label: 'waiting threads', style: RUNNABLE, make: waitingTrack,
	  has: ({ waits }) => waits.length > 0, tell: (value) => plural(value, 'thread') },
	{ label: 'system call rate', style: BUSY, make: callTrack,
	  has: ({ events }) => events.sources.some((source) => source?.kind === 'syscall'),
	  tell: (value) => countLabel(Math.round(value)) + ' a second' },
];

/* A row with a value over time. Its track is made at the first use. */
class ValueRow {
	/* full: the value that fills the height; 0: the highest one */
	constructor(type, label, { style, make, tell, full = 0 }) {
		this.type = type;
		this.label = label;
		this.make = make;
		this.tell = tell;
		this.look = { fullOf: () => full || this.highest || 1, denseStyle: () => style,
			      textOf: (of, position) => tell(of.value[position]) };
	}

	get track() {
		if (!this.values) {
			this.values = this.make();
			this.highest = this.values.value.reduce((a, b) => Math.max(a, b), 0);
		}
		return this.values;
	}

	/* The highest value, in words. */
	get most() {
		return this.track && this.tell(this.highest);
	}

	valueAt(time) {
		const at = this.track.positionAt(time);

		return this.tell(at < 0 ? 0 : this.track.value[at]);
	}
}

function chartRows(data) {
	return CHARTS.filter((chart) => chart.has(data)).map((chart) =>
		new ValueRow('chart', chart.label, { ...chart, make: () => chart.make(data) }));
}
