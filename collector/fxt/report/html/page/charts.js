// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * charts.js - the strip above the timeline, the histogram of the report, and the heat map, which
 * counts the waits in the visible part of the timeline.
 */

const CELL = 4;			/* pixels, width of a column of the heat map */
const HEAT_DELAY = 60;		/* ms without a change of the view before it is redrawn */
const HALVES = 2;		/* rows of the heat map for each power of two */
const QUARTERS = 4;		/* bars of the histogram for each power of two */
const AXIS = 24;		/* pixels, height of the labels below */

/* Powers of ten between two times, in ns. */
function decades(low, high) {
	const list = [];

	for (let ns = 1; ns <= high; ns *= 10) {
		if (ns >= low)
			list.push(ns);
	}
	return list;
}

function chartWidth(canvas) {
	return Math.max(LABELS + 50, canvas.parentElement.clientWidth - 24);
}

/* --- the strip: the whole trace, with the view -------------------------------------------- */

/* How busy all CPUs are; a click or drag moves the view there. */
class Overview {
	constructor(timeline) {
		this.timeline = timeline;
		this.canvas = byId('overview');
		on(this.canvas, 'pointerdown', (event) => {
			this.canvas.setPointerCapture(event.pointerId);
			this.go(event.offsetX);
		});
		on(this.canvas, 'pointermove', (event) => {
			if (this.canvas.hasPointerCapture(event.pointerId))
				this.go(event.offsetX);
		});
	}

	/* Times begin right of the labels, as in the rows below. */
	x(time) {
		return LABELS + time / this.timeline.data.end * (this.width - LABELS);
	}

	go(x) {
		const { from, to } = this.timeline.view, length = to - from;
		const time = (x - LABELS) / (this.width - LABELS) * this.timeline.data.end;

		this.timeline.setView(time - length / 2, time + length / 2);
	}

	/*
	 * For each pixel and hue, the share of the time of all CPUs, or, without scheduling, of all
	 * threads with slices.
	 */
	measure(pixels) {
		const { data: { cpuTracks, end }, model } = this.timeline, sums = new Float64Array(HUES);
		const shares = new Float64Array(pixels * HUES), last = new Float64Array(HUES);
		const tracks = cpuTracks.size ? [...cpuTracks.values()].map(({ hues }) => hues) :
			model.events.outermost();

		for (const hues of tracks) {
			last.fill(0);
			for (let i = 0; i < pixels; i++) {
				const time = (i + 1) / pixels * end;

				hues.sumUntil(time, hues.firstEndingAfter(time), sums);
				for (let hue = 0; hue < HUES; hue++)
					shares[i * HUES + hue] += (sums[hue] - last[hue]) /
						(end / pixels) / tracks.length;
				last.set(sums);
			}
		}
		return shares;
	}

	drawShares(c, theme, pixels, height) {
		const shares = this.measure(pixels);

		for (let i = 0; i < pixels; i++) {
			let y = height;

			for (let hue = 0; hue < HUES; hue++) {
				const high = shares[i * HUES + hue] * height;

				y -= high;
				if (high)
					box(c, theme.fills[styleOfHue(hue, 0)], LABELS + i, y, 1, high);
			}
		}
	}

	/* The part that does not depend on the view, drawn once. */
	drawAll(theme, width, height) {
		this.all = document.createElement('canvas');
		const c = beginChart(this.all, width, height, theme);

		this.drawShares(c, theme, Math.max(1, Math.floor(width - LABELS)), height);
		for (const { from, to } of this.timeline.data.losses)
			box(c, theme.colour('preempted'), this.x(from), 0,
			    Math.max(2, this.x(to) - this.x(from)), 5);
		write(c, theme.faint, this.timeline.data.cpus.length ? 'All CPUs' : 'Threads in slices', 6, height / 2);
	}

	draw() {
		const theme = this.timeline.theme, width = this.timeline.width, height = 36;
		const c = hiDpi(this.canvas, width, height), { from, to } = this.timeline.view;

		if (this.width !== width || this.theme !== theme) {
			this.width = width;
			this.theme = theme;
			this.drawAll(theme, width, height);
		}
		c.drawImage(this.all, 0, 0, width, height);
		/* The parts outside of the view become paler. */
		c.fillStyle = theme.page;
		c.globalAlpha = 0.6;
		c.fillRect(LABELS, 0, this.x(from) - LABELS, height);
		c.fillRect(this.x(to), 0, width, height);
		c.globalAlpha = 1;
		c.strokeStyle = theme.text;
		c.lineWidth = 2;
		c.strokeRect(Math.max(LABELS, this.x(from)), 1,
			     Math.max(3, Math.min(width - 1, this.x(to)) -
					 Math.max(LABELS, this.x(from))), height - 2);
	}
}

/* --- the histogram ------------------------------------------------------------------------ */

function barOf(ns) {
	const octave = Math.floor(Math.log2(Math.max(1, ns)));

	return octave * QUARTERS + Math.floor((Math.max(1, ns) / 2 ** octave - 1) * QUARTERS);
}

function barStart(bar) {
	return 2 ** Math.floor(bar / QUARTERS) * (1 + bar % QUARTERS / QUARTERS);
}

/* The latencies of the report, with one row for each kind. */
class Histogram {
	constructor(timeline, report) {
		this.timeline = timeline;
		this.canvas = byId('histogram');
		this.setReport(report);
	}

	setReport(report) {
		this.rows = [
			{ name: 'woken', kind: RUNNABLE, waits: report.woken },
			{ name: 'preempted', kind: PREEMPTED, waits: report.preempted },
		].filter((row) => row.waits);
		this.rows.forEach((row) => this.collect(row));
		this.canvas.setAttribute('aria-label', 'Histogram of latencies; ' +
			this.rows.map((row) => row.name + ': ' + this.told(row)).join('; '));
	}

	collect(row) {
		row.bars = new Map();
		for (const [first, , count] of row.waits.histogram) {
			const bar = barOf(Number(first));

			row.bars.set(bar, (row.bars.get(bar) || 0) + Number(count));
		}
		row.most = Math.max(...row.bars.values());
	}

	told(row) {
		const w = row.waits;

		return countLabel(w.count) + ' waits, half within ' + timeLabel(w.p50_ns) +
			', 99% within ' + timeLabel(w.p99_ns) + ', longest ' + timeLabel(w.max_ns);
	}

	draw() {
		const height = 220, width = chartWidth(this.canvas), theme = this.timeline.theme;
		const c = beginChart(this.canvas, width, height, theme);
		const bars = this.rows.flatMap((row) => Array.from(row.bars.keys()));
		const low = Math.min(...bars), high = Math.max(...bars) + 1;

		if (!bars.length) {
			write(c, theme.faint, 'No complete waits.', 8, 20);
			return;
		}
		this.x = (ns) => LABELS + (Math.log2(ns) * QUARTERS - low) / (high - low) *
			(width - LABELS - 20);
		this.drawAxis(c, height, barStart(low), barStart(high));
		const each = (height - AXIS) / this.rows.length;

		this.rows.forEach((row, i) => this.drawRow(c, row, i * each, each));
	}

	drawAxis(c, height, low, high) {
		const theme = this.timeline.theme;

		for (const ns of decades(low, high)) {
			const x = this.x(ns);

			box(c, theme.line, x, 0, 1, height - AXIS + 4);
			write(c, theme.faint, timeLabel(ns), x + 3, height - AXIS / 2 + 2);
		}
		c.fillText('latency', 6, height - AXIS / 2 + 2);
	}

	/* Heights are logarithms of counts, so that the few long waits are visible. */
	drawRow(c, row, top, height) {
		const theme = this.timeline.theme, room = height - 36, bottom = top + height - 2;

		c.fillStyle = theme.fills[row.kind];
		for (const [bar, count] of row.bars) {
			const x = this.x(barStart(bar)), to = this.x(barStart(bar + 1));
			const high = 2 + (room - 2) * Math.log1p(count) / Math.log1p(row.most);

			c.fillRect(x, bottom - high, Math.max(1, to - x - 1), high);
		}
		box(c, theme.line, 0, bottom, chartWidth(this.canvas), 1);
		write(c, theme.text, row.name, 6, top + height / 2 - 16);
		write(c, theme.faint, plural(row.waits.count, 'wait'), 6, top + height / 2);
		c.fillText('bar: up to ' + countLabel(row.most) + ', log', 6, top + height / 2 + 16);
		this.drawMarks(c, row, top, bottom);
	}

	drawMarks(c, row, top, bottom) {
		const marks = [['p50', row.waits.p50_ns], ['p90', row.waits.p90_ns],
			       ['p99', row.waits.p99_ns], ['max', row.waits.max_ns]];
		let free = -Infinity;

		write(c, this.timeline.theme.text, marks.map(([name, ns]) =>
			name + ' ' + timeLabel(ns)).join(',  '), LABELS + 4, top + 10);
		for (const [name, ns] of marks) {
			const x = this.x(Math.max(1, Number(ns)));

			c.fillRect(x, top + 18, 1, bottom - top - 18);
			if (x > free)
				c.fillText(name, x + 3, top + 24);
			free = x + 32;
		}
	}
}

/* --- the heat map --------------------------------------------------------------------------- */

/* The number of waits by end and latency. */
class HeatMap {
	constructor(timeline) {
		this.timeline = timeline;
		this.canvas = byId('heatmap');
		this.rows = 0;
		this.viewChanged = afterRest(HEAT_DELAY, () => this.draw());
		on(this.canvas, 'pointermove', (event) => this.tell(event));
		on(this.canvas, 'click', (event) => this.pick(event));
	}

	latency(wait) {
		const { spans } = this.timeline.data;

		return spans.to[wait] - spans.from[wait];
	}

	row(wait) {
		return Math.floor(Math.log2(Math.max(1, this.latency(wait))) * HALVES);
	}

	limits() {
		const { waits } = this.timeline.data;

		this.low = waits.reduce((row, wait) => Math.min(row, this.row(wait)), Infinity);
		this.high = waits.reduce((row, wait) => Math.max(row, this.row(wait)), 0);
		this.rows = this.high - this.low + 1;
	}

	/* The range of positions in the list of waits that end in view. */
	inView() {
		const { waits, spans } = this.timeline.data, { from, to } = this.timeline.view;
		const first = atLeast(0, waits.length, (i) => spans.to[waits[i]] >= from);

		return [first, atLeast(first, waits.length, (i) => spans.to[waits[i]] > to)];
	}

	column(wait) {
		const { from, to } = this.timeline.view;

		return Math.floor((this.timeline.data.spans.to[wait] - from) / (to - from) *
				  (this.width - LABELS) / CELL);
	}

	count() {
		const { waits } = this.timeline.data, [first, end] = this.inView();

		this.columns = Math.ceil((this.width - LABELS) / CELL) + 1;
		this.counts = new Uint32Array(this.columns * this.rows);
		this.most = 1;
		this.told = 'In view: ' + this.describe(waits.subarray(first, end));
		if (!this.canvas.matches(':hover'))
			byId('heat').textContent = this.told;
		for (let i = first; i < end; i++) {
			const row = this.row(waits[i]) - this.low;
			const at = this.column(waits[i]) * this.rows + row;

			this.most = Math.max(this.most, ++this.counts[at]);
		}
	}

	/* Row 0 has the shortest latencies, at the bottom. */
	y(row) {
		return this.height - AXIS - (row + 1) * (this.height - AXIS) / this.rows;
	}

	/* Counting all waits in view takes time, so this draws only while the tab is visible. */
	draw() {
		if (fxtPage.tabs.shown !== 'latency')
			return;
		const theme = this.timeline.theme, width = this.width = chartWidth(this.canvas);

		this.height = 220;
		this.context = beginChart(this.canvas, width, this.height, theme);
		if (!this.timeline.data.waits.length) {
			byId('heat').textContent = this.told = '';
			return;
		}
		if (!this.rows)
			this.limits();
		this.count();
		this.drawCells();
		this.drawAxis();
	}

	drawCells() {
		const c = this.context, theme = this.timeline.theme;
		const low = theme.colour('heat-low'), high = theme.colour('heat-high');
		const cell = (this.height - AXIS) / this.rows, shades = [];

		for (let column = 0; column < this.columns; column++) {
			for (let row = 0; row < this.rows; row++) {
				const count = this.counts[column * this.rows + row];

				if (!count)
					continue;
				const share = Math.round(32 * Math.log(count) /
							 Math.log(Math.max(2, this.most)));

				shades[share] ??= mix(low, high, share / 32);
				box(c, shades[share], LABELS + column * CELL, this.y(row), CELL, cell + 0.5);
			}
		}
	}

	drawAxis() {
		const c = this.context, theme = this.timeline.theme;
		const low = 2 ** (this.low / HALVES), high = 2 ** ((this.high + 1) / HALVES);

		for (const ns of decades(low, high)) {
			const y = this.y(Math.log2(ns) * HALVES - this.low - 1);

			box(c, theme.line, LABELS - 8, y, 8, 1);
			write(c, theme.faint, timeLabel(ns), LABELS - 70, Math.max(8, y));
		}
		box(c, theme.line, LABELS - 1, 0, 1, this.height - AXIS);
		this.drawScale();
	}

	/* The scale of the shades: from one wait to the count of the fullest cell. */
	drawScale() {
		const c = this.context, theme = this.timeline.theme, y = this.height - 16;
		const low = theme.colour('heat-low'), high = theme.colour('heat-high');

		for (let i = 0; i < 100; i++)
			box(c, mix(low, high, i / 100), LABELS + 60 + i, y, 1, 12);
		write(c, theme.faint, '1 wait', LABELS + 14, y + 6);
		c.fillText(countLabel(this.most) + ' in a cell', LABELS + 166, y + 6);
	}

	/* The waits of the cell under the mouse. */
	waitsAt(event) {
		const { waits } = this.timeline.data, [first, end] = this.inView();
		const column = Math.floor((event.offsetX - LABELS) / CELL), found = [];
		const row = Math.ceil((this.height - AXIS - event.offsetY) /
				      ((this.height - AXIS) / this.rows)) - 1 + this.low;

		for (let i = first; i < end; i++) {
			if (this.column(waits[i]) === column && this.row(waits[i]) === row)
				found.push(waits[i]);
		}
		return found;
	}

	describe(waits) {
		return plural(waits.length, 'wait') + (waits.length ? ' of up to ' + timeLabel(waits.reduce(
			(most, w) => Math.max(most, this.latency(w)), 0)) : '');
	}

	tell(event) {
		const found = this.waitsAt(event), { from, to } = this.timeline.view;
		const share = (event.offsetX - LABELS) / (this.width - LABELS);
		const at = startLabel(from + share * (to - from), 6);

		byId('heat').textContent = found.length ? this.describe(found) + ', at ' + at : this.told;
	}

	pick(event) {
		const found = this.waitsAt(event);

		if (found.length)
			this.timeline.show(found.reduce((a, b) => this.latency(b) > this.latency(a) ? b : a));
	}
}
